include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tensordict)

install(TARGETS tensordict EXPORT tensordict LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES tensordict.h ${TD_SINGLE_HEADER} plugins/tensordict_plugin.h plugins/tensordict_plugin.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${capi_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensordict)
install(EXPORT tensordict FILE tensordict-targets.cmake NAMESPACE tensordict:: DESTINATION ${_package_dir})

configure_package_config_file(capi/cmake/tensordict-config.cmake.in tensordict-config.cmake
  INSTALL_DESTINATION ${_package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(tensordict-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tensordict-config.cmake ${PROJECT_BINARY_DIR}/tensordict-config-version.cmake
  DESTINATION ${_package_dir})

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH TD_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(capi/cmake/tensordict.pc.in tensordict.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tensordict.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME libtensordict-dev)
  set(CPACK_PACKAGE_CONTACT "The libtensordict authors <dev@tensordict.invalid>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "TensorDict behind a stable C ABI")
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  include(CPack)
endif()
