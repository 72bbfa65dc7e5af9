include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tensordict)

install(TARGETS tensordict EXPORT tensordict LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES tensordict.h ${TD_SINGLE_HEADER} plugins/tensordict_plugin.h plugins/tensordict_plugin.hpp
  plugins/tensordict_plugin_distribution.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${capi_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensordict)
install(EXPORT tensordict FILE tensordict-targets.cmake NAMESPACE tensordict:: DESTINATION ${_package_dir})

configure_package_config_file(capi/cmake/tensordict-config.cmake.in tensordict-config.cmake
  INSTALL_DESTINATION ${_package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
# Until 1.0 a minor release may raise the ABI major.
set(_compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(_compatible SameMinorVersion)
endif()
write_basic_package_version_file(tensordict-config-version.cmake COMPATIBILITY ${_compatible})
install(FILES ${PROJECT_BINARY_DIR}/tensordict-config.cmake ${PROJECT_BINARY_DIR}/tensordict-config-version.cmake
  DESTINATION ${_package_dir})

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH TD_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(capi/cmake/tensordict.pc.in tensordict.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tensordict.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What a person copies to begin with: examples, and the template of a plugin with the headers that go into plugins.
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(_share ${CMAKE_INSTALL_DATADIR}/tensordict)
install(FILES capi/examples/quickstart.c bindings/cpp/examples/quickstart.cpp DESTINATION ${_share}/examples)
install(DIRECTORY plugins/template DESTINATION ${_share} PATTERN target EXCLUDE PATTERN "*.so" EXCLUDE)
install(FILES plugins/formula.h plugins/schema.h plugins/modules/layer.h plugins/distributions/family.h
  DESTINATION ${_share}/template/more)
