# TD_TEST_PYTHON: a Python with stock tensordict, for the tests that compare with it. Apart from TD_PYTHON, because the
# scripts and our library run in different processes and so may have different LibTorch.
if(NOT TD_TEST_PYTHON)
  foreach(_python ${TD_PYTHON} $ENV{VIRTUAL_ENV}/bin/python $ENV{CONDA_PREFIX}/bin/python python3)
    execute_process(COMMAND ${_python} -c "import sys, importlib.util as u; sys.exit(not u.find_spec('tensordict'))"
                    RESULT_VARIABLE _failed OUTPUT_QUIET ERROR_QUIET)
    if(_failed STREQUAL "0")
      set(TD_TEST_PYTHON ${_python})
      break()
    endif()
  endforeach()
endif()
set(TD_TEST_PYTHON "${TD_TEST_PYTHON}" CACHE STRING "Python with tensordict for the interop tests")
if(TD_TEST_PYTHON)
  message(STATUS "Interop tests run with ${TD_TEST_PYTHON}")
else()
  message(STATUS "Interop tests are disabled: no Python with tensordict (give -DTD_TEST_PYTHON=...)")
endif()
