# A test folder holds
#   *.c           Criterion tests, linked into one program `<folder>_tests`; a file with its own main is a test by itself
#   support/*.c   helpers for all of them
#   plugins/*.c   test plugins, each one module in <build>/tests/plugins
#   programs/*.c  programs that tests start, in <build>/tests/programs
#   *.py          scripts run with a Python that has tensordict (skipped where there is none)
# or its own CMakeLists.txt, which may use the functions below.
set(TD_TEST_DIR ${PROJECT_BINARY_DIR}/tests)

# Tests that are left out of a build without HDF5.
set(TD_NEEDS_HDF5 "(hdf5|persistent)\\.(c|py)$")
if(TD_BUILD_TESTS AND NOT TD_HDF5)
  message(STATUS "Tests of HDF5 files are left out")
endif()

# Leaks and races inside LibTorch and OpenMP are not ours; the lists say which.
# One thread for operators: tests run side by side already, and LibTorch's pool crawls when its cores are taken.
set(TD_TEST_ENVIRONMENT "TD_TEST_LIBRARY=$<TARGET_FILE:tensordict>" "OMP_NUM_THREADS=1")
if(TD_SANITIZE STREQUAL "address")
  list(APPEND TD_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=0:allocator_may_return_null=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/asan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1")
elseif(TD_SANITIZE STREQUAL "thread")
  list(APPEND TD_TEST_ENVIRONMENT
    # HDF5 is asked under a lock once for each level of a dict, and the detector of deadlocks ends a process at 64. Tests
    # ask for more memory than there is, which shall be an error and not the end of the process.
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp:ignore_noninstrumented_modules=1:halt_on_error=0:detect_deadlocks=0:allocator_may_return_null=1")
endif()

function(td_test_program target)
  target_link_libraries(${target} PRIVATE tensordict td_flags Threads::Threads m)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit)
  target_compile_definitions(${target} PRIVATE
    TD_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" TD_TEST_PLUGINS="${TD_TEST_DIR}/plugins"
    TD_TEST_PROGRAMS="${TD_TEST_DIR}/programs" TD_BUILD_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES C_STANDARD 11 RUNTIME_OUTPUT_DIRECTORY ${TD_TEST_DIR})
endfunction()

function(td_add_test name timeout)
  add_test(NAME ${name} COMMAND ${ARGN})
  if(TD_SANITIZE STREQUAL "thread")
    math(EXPR timeout "${timeout} * 4")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} ENVIRONMENT "${TD_TEST_ENVIRONMENT}")
  if(TD_SANITIZE)
    # Undefined behaviour that is only reported does not change how a process ends.
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "ERROR: [A-Za-z]+Sanitizer;WARNING: ThreadSanitizer;runtime error:")
  endif()
endfunction()

# One program of tests, run by Criterion or by tests/runner: td_add_tests_in_c(NAME LIBRARY RUNNER SOURCES...).
function(td_add_tests_in_c name library runner)
  add_executable(${name}_tests ${ARGN} ${runner})
  td_test_program(${name}_tests)
  target_link_libraries(${name}_tests PRIVATE ${library})
  td_add_test(${name} 2400 ${name}_tests -j2 --xml=${TD_TEST_DIR}/${name}.xml)
  # Faults are mostly waited for.
  if(NOT name STREQUAL "fault")
    set_tests_properties(${name} PROPERTIES PROCESSORS 2)
  endif()
endfunction()

function(td_add_test_folder folder)
  set(root ${PROJECT_SOURCE_DIR}/tests/${folder})
  if(EXISTS ${root}/CMakeLists.txt)
    add_subdirectory(${root} ${TD_TEST_DIR}/${folder})
    return()
  endif()
  file(GLOB support CONFIGURE_DEPENDS ${root}/support/*.c ${PROJECT_SOURCE_DIR}/tests/unit/support/*.c)
  list(APPEND support ${PROJECT_SOURCE_DIR}/bindings/cli/sha256.c)
  list(REMOVE_DUPLICATES support)

  # Chapters of unit tests have folders of their own.
  file(GLOB sources CONFIGURE_DEPENDS ${root}/*.c ${root}/*/*.c)
  list(FILTER sources EXCLUDE REGEX "/tests/${folder}/(support|plugins|programs)/")
  if(NOT TD_HDF5)
    list(FILTER sources EXCLUDE REGEX "${TD_NEEDS_HDF5}")
  endif()
  foreach(source ${sources})
    file(STRINGS ${source} own_main REGEX "^int main *\\(")
    cmake_path(GET source PARENT_PATH chapter)
    cmake_path(GET chapter FILENAME chapter)
    if(own_main)
      cmake_path(GET source STEM name)
      add_executable(${folder}_${name} ${source} ${support})
      td_test_program(${folder}_${name})
      target_link_libraries(${folder}_${name} PRIVATE ${CRITERION})
      td_add_test(${folder}.${name} 300 ${folder}_${name})
    elseif(CRITERION STREQUAL "test_runner" OR TD_CRITERION MATCHES "^(ON|TRUE|YES|1)$" OR chapter IN_LIST TD_CRITERION)
      list(APPEND tests ${source})
    else()
      list(APPEND forked_tests ${source})
    endif()
  endforeach()
  if(tests)
    td_add_tests_in_c(${folder} "${CRITERION}" "${CRITERION_RUNNER}" ${tests} ${support})
  endif()
  if(forked_tests)
    td_add_tests_in_c(${folder}_forked test_runner ${TD_TEST_RUNNER} ${forked_tests} ${support})
  endif()

  file(GLOB plugins CONFIGURE_DEPENDS ${root}/plugins/*.c)
  foreach(source ${plugins})
    td_add_plugin(${source} ${TD_TEST_DIR}/plugins)
  endforeach()

  file(GLOB programs CONFIGURE_DEPENDS ${root}/programs/*.c)
  foreach(source ${programs})
    cmake_path(GET source STEM name)
    add_executable(${folder}_program_${name} ${source})
    td_test_program(${folder}_program_${name})
    set_target_properties(${folder}_program_${name} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${TD_TEST_DIR}/programs)
  endforeach()

  file(GLOB scripts CONFIGURE_DEPENDS ${root}/*.py)
  foreach(source ${scripts})
    cmake_path(GET source STEM name)
    if(NOT TD_HDF5 AND source MATCHES "${TD_NEEDS_HDF5}")
      continue()
    endif()
    # Programs in other languages cannot load a library with a sanitizer, and a first build of a binding takes minutes.
    set(timeout 300)
    if(name MATCHES "^test_matrix$")
      if(TD_SANITIZE)
        continue()
      endif()
      set(timeout 900)
    endif()
    td_add_test(${folder}.${name} ${timeout} ${TD_TEST_PYTHON} ${source})
    set_property(TEST ${folder}.${name} APPEND PROPERTY ENVIRONMENT
      "TD_TEST_DATA=${PROJECT_SOURCE_DIR}/tests/data" "TD_TEST_PROGRAMS=${TD_TEST_DIR}/programs")
    set_tests_properties(${folder}.${name} PROPERTIES DISABLED $<NOT:$<BOOL:${TD_TEST_PYTHON}>>
      SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

if(TD_BUILD_TESTS)
  add_library(test_runner INTERFACE)
  target_include_directories(test_runner INTERFACE ${PROJECT_SOURCE_DIR}/tests/runner)
  set(TD_TEST_RUNNER ${PROJECT_SOURCE_DIR}/tests/runner/runner.c)
  if(TD_SANITIZE OR NOT TD_CRITERION)
    set(CRITERION test_runner)
    set(CRITERION_RUNNER ${TD_TEST_RUNNER})
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(Criterion REQUIRED IMPORTED_TARGET criterion)
    set(CRITERION PkgConfig::Criterion)
  endif()
  include(TestPython)

  foreach(_folder unit fault fuzz conformance interop vectors)
    td_add_test_folder(${_folder})
  endforeach()
  # What core/ takes from nowhere but core/ and the libraries below it, or this does not link.
  add_executable(core_alone tests/layers/core_alone.cpp)
  target_link_libraries(core_alone PRIVATE core ${CMAKE_DL_LIBS})
  set_target_properties(core_alone PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TD_TEST_DIR})
  td_add_test(layers.core_alone 60 core_alone)
  # The algorithms of channels and shared maps need no LibTorch: they run under the thread sanitizer whatever the rest is
  # built with.
  if(NOT TD_SANITIZE)
    set(_channel_algorithms fork shm/cancel shm/control system/fd system/lock_bytes shm/member shm/slots shm/slots_clean shm/snapshot_words
      shm/wait shm/watch)
    set(_map_algorithms query/map_words)
    foreach(_name channel map)
      list(TRANSFORM _${_name}_algorithms REPLACE ".+" "core/\\0.cpp" OUTPUT_VARIABLE _sources)
      add_executable(tsan_${_name} tests/sanitizer/${_name}.cpp ${_sources})
      target_include_directories(tsan_${_name} PRIVATE ${PROJECT_SOURCE_DIR})
      target_compile_options(tsan_${_name} PRIVATE -fsanitize=thread -g1 -O1)
      target_link_options(tsan_${_name} PRIVATE -fsanitize=thread)
      target_link_libraries(tsan_${_name} PRIVATE td_flags Threads::Threads)
      set_target_properties(tsan_${_name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TD_TEST_DIR})
      td_add_test(tsan.${_name} 300 tsan_${_name})
    endforeach()
  endif()
  # The same algorithms, and those of segments, as models that spin checks.
  find_program(SPIN spin)
  if(SPIN AND NOT TD_SANITIZE)
    td_add_test(models 900 ${PROJECT_SOURCE_DIR}/tests/models/run)
    set_property(TEST models APPEND PROPERTY ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
    set_tests_properties(models PROPERTIES PROCESSORS 2)
  elseif(NOT SPIN)
    message(WARNING "The models of tests/models are not checked: there is no spin (package spin)")
  endif()
  # The template is what a plugin author copies: it must build.
  file(GLOB _template CONFIGURE_DEPENDS plugins/template/*.c)
  foreach(_source ${_template})
    td_add_plugin(${_source} ${TD_TEST_DIR}/plugins)
  endforeach()
  foreach(_source ${_examples})
    file(STRINGS ${_source} _runs_alone REGEX "^int main\\(void\\)")
    if(_runs_alone)
      cmake_path(GET _source STEM _name)
      td_add_test(example.${_name} 120 example_${_name})
    endif()
  endforeach()
  if(TARGET example_digits AND EXISTS ${PROJECT_SOURCE_DIR}/tests/data/digits AND NOT TD_SANITIZE)
    td_add_test(example.digits 300 ${PROJECT_SOURCE_DIR}/.ci/demo ${PROJECT_BINARY_DIR})
  endif()
  if(TD_CARGO_ENVIRONMENT)
    td_add_test(rust 600 ${CARGO} test --release --offline --quiet
      --manifest-path ${PROJECT_SOURCE_DIR}/bindings/rust/Cargo.toml)
    set_property(TEST rust APPEND PROPERTY ENVIRONMENT ${TD_CARGO_ENVIRONMENT})
  endif()
  if(TD_BUILD_CLI)
    add_subdirectory(tests/cli)
  endif()
  add_subdirectory(tests/abi)
endif()

if(TD_BUILD_BENCH)
  find_package(benchmark REQUIRED)
  file(GLOB _bench CONFIGURE_DEPENDS tests/bench/*.cpp)
  if(_bench)
    add_executable(bench ${_bench})
    td_test_program(bench)
    set_target_properties(bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(bench PRIVATE LibTorch::LibTorch benchmark::benchmark)
  endif()
  add_executable(growth tests/bench/growth.c)
  td_test_program(growth)
  set_target_properties(growth PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endif()
