# TD_GROUP: whether groups are built. They need LibTorch's Gloo, which Debian's and pip's have; its own headers are not
# needed, see core/group/gloo/stand_in.
set(TD_GROUP_STAND_IN ${PROJECT_SOURCE_DIR}/core/group/gloo/stand_in)
set(TD_GROUP FALSE)
if(TD_WITH_GROUP)
  include(CheckCXXSourceCompiles)
  include(CMakePushCheckState)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_LIBRARIES LibTorch::LibTorch)
  set(CMAKE_REQUIRED_FLAGS "-std=c++${LibTorch_CXX_STANDARD} -w -isystem ${TD_GROUP_STAND_IN}")
  # Another LibTorch, another answer.
  string(MAKE_C_IDENTIFIER "TD_GROUP_BUILDS_${TD_LIBTORCH}_${LibTorch_VERSION}" _builds)
  check_cxx_source_compiles([[
    #define USE_C10D_GLOO
    #include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
    int main() {
      return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1") == nullptr;
    }
  ]] ${_builds})
  cmake_pop_check_state()
  set(TD_GROUP ${${_builds}})
endif()
if(NOT TD_GROUP)
  message(STATUS "No groups: LibTorch has no Gloo, or TD_WITH_GROUP is ${TD_WITH_GROUP}")
endif()
