# Each .c file is one plugin: a module that exports its entry function and links nothing but libm.
function(td_add_plugin source directory)
  cmake_path(GET source STEM LAST_ONLY name)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  set(target plugin_${folder}_${name})
  add_library(${target} MODULE ${source})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} C_STANDARD 99 C_EXTENSIONS OFF LIBRARY_OUTPUT_DIRECTORY ${directory})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/plugins)
  target_link_libraries(${target} PRIVATE td_flags m)
  td_export_only(${target} "" td_plugin_entry)
  set(plugin_target ${target} PARENT_SCOPE)
endfunction()

# The library looks for them in `plugins` beside itself, and when installed in `tensordict/plugins`.
file(GLOB _plugins CONFIGURE_DEPENDS plugins/hash/*.c plugins/modules/*.c plugins/distributions/*.c)
find_path(XXHASH_INCLUDE_DIR xxhash.h)
if(NOT XXHASH_INCLUDE_DIR)
  message(STATUS "No xxhash.h (libxxhash-dev): td.xxh3 is left out")
  list(FILTER _plugins EXCLUDE REGEX "/xxh3\\.c$")
endif()
foreach(_source ${_plugins})
  td_add_plugin(${_source} ${PROJECT_BINARY_DIR}/plugins)
  install(TARGETS ${plugin_target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensordict/plugins)
endforeach()

# The one that links LibTorch: that of the library, so it is built for the same.
td_add_plugin(plugins/torchscript/torchscript.cpp ${PROJECT_BINARY_DIR}/plugins)
target_link_libraries(${plugin_target} PRIVATE LibTorch::LibTorch)
set_target_properties(${plugin_target} PROPERTIES INSTALL_RPATH "$<$<BOOL:${TD_RPATH}>:${LibTorch_RPATH}>")
install(TARGETS ${plugin_target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensordict/plugins)
