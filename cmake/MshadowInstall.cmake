# SPDX-License-Identifier: Apache-2.0
# What is installed, in two components: `dev`, to compile with the runtime and vendored kernels, and
# `gen`, the generator. find_package(mshadow_kernels [COMPONENTS gen]) and pkg-config find them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(_mshadow_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mshadow_kernels)
set(_mshadow_doc_dir ${CMAKE_INSTALL_DATADIR}/doc/mshadow-kernels)

# dev: the runtime, the function, documents.
install(TARGETS mshadow_runtime EXPORT mshadow_kernels_runtime COMPONENT dev
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/mshadow COMPONENT dev
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/compat/mshadow COMPONENT dev
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mshadow_compat)
install(EXPORT mshadow_kernels_runtime NAMESPACE mshadow:: FILE mshadow_kernels-runtime.cmake
        COMPONENT dev DESTINATION ${_mshadow_package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/cmake/MshadowKernels.cmake
              ${PROJECT_SOURCE_DIR}/cmake/MshadowKernelsArguments.cmake
              ${PROJECT_SOURCE_DIR}/cmake/MshadowKernelsGenerator.cmake
              ${PROJECT_SOURCE_DIR}/cmake/MshadowKernelsManifest.cmake
              ${PROJECT_SOURCE_DIR}/cmake/MshadowKernelsTargets.cmake
              ${PROJECT_SOURCE_DIR}/generator/backends/backends.def
        COMPONENT dev DESTINATION ${_mshadow_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/MshadowSpecTarget COMPONENT dev
        DESTINATION ${_mshadow_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/manual COMPONENT dev DESTINATION ${_mshadow_doc_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE
              ${PROJECT_SOURCE_DIR}/CHANGES.md
        COMPONENT dev DESTINATION ${_mshadow_doc_dir})

# dev: the shipped rules, compiled, and as specs to start from or to include unfused.
if(TARGET mshadow_specs)
  set(_mshadow_specs_dir ${CMAKE_INSTALL_INCLUDEDIR}/mshadow_specs)
  set_target_properties(mshadow_specs PROPERTIES EXPORT_NAME specs)
  set(_mshadow_headers "")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.23)
    set(_mshadow_headers FILE_SET HEADERS DESTINATION ${_mshadow_specs_dir} COMPONENT dev)
  else()
    install(FILES $<TARGET_PROPERTY:mshadow_specs,MSHADOW_HEADERS> COMPONENT dev
            DESTINATION ${_mshadow_specs_dir})
  endif()
  install(TARGETS mshadow_specs EXPORT mshadow_kernels_specs COMPONENT dev
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ${_mshadow_headers}
          INCLUDES DESTINATION ${_mshadow_specs_dir})  # CMake before 3.23 knows no file sets
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/specs COMPONENT dev DESTINATION ${_mshadow_specs_dir}
          FILES_MATCHING PATTERN "*.h")
  install(EXPORT mshadow_kernels_specs NAMESPACE mshadow:: FILE mshadow_kernels-specs.cmake
          COMPONENT dev DESTINATION ${_mshadow_package_dir})
endif()

# dev: the package file. What the static runtime is linked with, its users link with.
get_target_property(_mshadow_libraries mshadow_runtime LINK_LIBRARIES)
set(MSHADOW_NEEDS_OPENMP OFF)
set(MSHADOW_NEEDS_CUDA OFF)
if("OpenMP::OpenMP_CXX" IN_LIST _mshadow_libraries)
  set(MSHADOW_NEEDS_OPENMP ON)
endif()
if("CUDA::cudart_static" IN_LIST _mshadow_libraries)
  set(MSHADOW_NEEDS_CUDA ON)
endif()
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/mshadow_kernels-config.cmake.in mshadow_kernels-config.cmake
  INSTALL_DESTINATION ${_mshadow_package_dir})
write_basic_package_version_file(mshadow_kernels-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mshadow_kernels-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/mshadow_kernels-config-version.cmake
        COMPONENT dev DESTINATION ${_mshadow_package_dir})
include(MshadowPkgConfig)

# gen: the program, its manual page, and completion for bash.
if(TARGET mshadow-gen)
  set_target_properties(mshadow-gen PROPERTIES EXPORT_NAME gen)
  install(TARGETS mshadow-gen EXPORT mshadow_kernels_gen COMPONENT gen
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT mshadow_kernels_gen NAMESPACE mshadow:: FILE mshadow_kernels-gen.cmake
          COMPONENT gen DESTINATION ${_mshadow_package_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md COMPONENT gen
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/mshadow-gen)
  get_target_property(_mshadow_gen_dir mshadow-gen BINARY_DIR)
  install(FILES ${_mshadow_gen_dir}/mshadow-gen.1 COMPONENT gen
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${_mshadow_gen_dir}/mshadow-gen.bash RENAME mshadow-gen COMPONENT gen
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

if(MSHADOW_TOP_LEVEL)
  include(MshadowCPack)
endif()
