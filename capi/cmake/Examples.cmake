# Each file is one program, X.c together with the parts in X/. Those whose main takes no arguments are run as tests.
file(GLOB _examples CONFIGURE_DEPENDS capi/examples/*.c)
foreach(_source ${_examples})
  cmake_path(GET _source STEM _name)
  file(GLOB _parts CONFIGURE_DEPENDS capi/examples/${_name}/*.c)
  add_executable(example_${_name} ${_source} ${_parts})
  set_target_properties(example_${_name} PROPERTIES
    OUTPUT_NAME ${_name} C_STANDARD 99 RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  target_link_libraries(example_${_name} PRIVATE tensordict td_flags m)
endforeach()
