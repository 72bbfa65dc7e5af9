# Headers only (DLL on std::filesystem, Interprocess, JSON, Unordered): no Boost library is needed at run time.
find_package(Boost 1.81 CONFIG QUIET)
if(NOT Boost_FOUND)
  # Boosts installed without their CMake files are found by the module that old CMakes bring.
  if(POLICY CMP0167)
    cmake_policy(SET CMP0167 OLD)
  endif()
  find_package(Boost 1.81 REQUIRED MODULE)
endif()
message(STATUS "Boost ${Boost_VERSION_STRING}: ${Boost_INCLUDE_DIRS}")
