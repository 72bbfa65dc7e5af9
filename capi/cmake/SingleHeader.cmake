# tensordict_single.h: tensordict.h with every chapter in the place of its #include, for tools that read one file and for
# people who vendor one. Included by CMakeLists.txt it makes the build write it; by itself it writes the file that it is given:
#   cmake -DOUTPUT=tensordict_single.h -P capi/cmake/SingleHeader.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TD_SINGLE_HEADER ${PROJECT_BINARY_DIR}/include/tensordict_single.h)
  add_custom_command(OUTPUT ${TD_SINGLE_HEADER} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${TD_SINGLE_HEADER} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${PROJECT_SOURCE_DIR}/tensordict.h ${capi_headers} ${CMAKE_CURRENT_LIST_FILE})
  add_custom_target(single_header ALL DEPENDS ${TD_SINGLE_HEADER})
  return()
endif()

cmake_path(SET _root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
file(READ ${_root}/tensordict.h _text)
# What stands behind an #include says what the chapter is about, which the chapter does too.
string(REGEX REPLACE "(#include \"tensordict/[a-z0-9_]+\\.h\")[^\n]*" "\\1" _text "${_text}")
string(REGEX MATCHALL "#include \"tensordict/[a-z0-9_]+\\.h\"" _includes "${_text}")
foreach(_include IN LISTS _includes)
  string(REGEX REPLACE ".*\"(.*)\"" "\\1" _name "${_include}")
  file(READ ${_root}/capi/include/${_name} _chapter)
  string(REGEX REPLACE "#include \"[^\n]*\n" "" _chapter "${_chapter}")
  string(REPLACE "${_include}\n" "\n${_chapter}" _text "${_text}")
endforeach()
string(REPLACE "/* clang-format off */\n" "" _text "${_text}")
string(REPLACE "/* clang-format on */\n" "" _text "${_text}")
file(WRITE ${OUTPUT} "${_text}")
