# What the wheel `libtensordict` has beside an installed tree, in wheel/ of the build directory; .ci/wheel packs it. Only
# for a LibTorch that is the torch of a Python: what links it is linked once more, to find it from where pip puts both, or
# beside itself, where NuGet puts both.
set(TD_WHEEL FALSE)
if(NOT (LibTorch_PREFIX MATCHES "/(site|dist)-packages/torch$" AND TD_BUILD_CLI) OR TD_SANITIZE)
  return()
endif()
set(TD_WHEEL TRUE)
set(_wheel ${PROJECT_BINARY_DIR}/wheel)
string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\1.\\2" TD_TORCH_MINOR ${LibTorch_VERSION})
math(EXPR TD_TORCH_NEXT "${CMAKE_MATCH_2} + 1")
set(TD_TORCH_NEXT ${CMAKE_MATCH_1}.${TD_TORCH_NEXT})
configure_file(capi/packaging/wheel/libtensordict/__init__.py.in ${_wheel}/libtensordict/__init__.py @ONLY)
configure_file(capi/packaging/wheel/METADATA.in ${_wheel}/METADATA @ONLY)

# The directories are those of an installed tree inside of the package.
function(td_link_for_wheel target directory to_torch)
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${_wheel}/libtensordict/${directory} LINKER_LANGUAGE CXX
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/${to_torch}/torch/lib:$ORIGIN")
  target_link_options(${target} PRIVATE LINKER:--strip-all)
  add_dependencies(wheel ${target})
endfunction()

# A part of `all` where the tests pack a wheel.
set(_all)
if(TD_BUILD_TESTS)
  set(_all ALL)
endif()
add_custom_target(wheel ${_all})
add_dependencies(wheel tensordict single_header plugins tensordict_launcher)
add_library(wheel_tensordict SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tensordict>)
set_target_properties(wheel_tensordict PROPERTIES OUTPUT_NAME tensordict SOVERSION ${TD_ABI_MAJOR})
target_link_libraries(wheel_tensordict PRIVATE core ${CMAKE_DL_LIBS})
td_export_only(wheel_tensordict TENSORDICT_${TD_ABI_MAJOR} "td_*")
target_link_options(wheel_tensordict PRIVATE LINKER:-z,nodelete)
td_link_for_wheel(wheel_tensordict lib ../..)

add_library(wheel_torchscript MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:plugin_torchscript_torchscript>)
set_target_properties(wheel_torchscript PROPERTIES PREFIX "" OUTPUT_NAME torchscript)
target_link_libraries(wheel_torchscript PRIVATE LibTorch::LibTorch td_flags m)
td_export_only(wheel_torchscript "" td_plugin_entry)
td_link_for_wheel(wheel_torchscript lib/${TD_PLUGIN_DIR} ../../../../..)
