# SPDX-License-Identifier: Apache-2.0
# Debian packages: `cpack -G DEB` in the build directory makes libmshadow-kernels-dev and mshadow-gen.
set(CPACK_PACKAGE_NAME mshadow-kernels)
set(CPACK_PACKAGE_VENDOR "mshadow-kernels")
set(CPACK_PACKAGE_CONTACT "mshadow-kernels authors <mshadow-kernels@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fused tensor kernels, generated at build time")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL dev)
if(TARGET mshadow-gen)
  list(APPEND CPACK_COMPONENTS_ALL gen)
endif()
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libmshadow-kernels-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Headers, static library and CMake package of fused tensor kernels\n\
 To compile kernels that mshadow-gen generated. Generating them takes the package mshadow-gen.")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "mshadow-gen, cmake")
string(REGEX MATCH "openblas" _mshadow_openblas "${_mshadow_libraries}")
if(_mshadow_openblas)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libopenblas-dev")
endif()

set(CPACK_DEBIAN_GEN_PACKAGE_NAME mshadow-gen)
set(CPACK_DEBIAN_GEN_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_GEN_DESCRIPTION
    "Generator of fused tensor kernels\n\
 Compiles update rules, written as mshadow tensor expressions, into one pass over memory.")
set(CPACK_DEBIAN_GEN_PACKAGE_RECOMMENDS libmshadow-kernels-dev)
find_program(_mshadow_shlibdeps dpkg-shlibdeps)
mark_as_advanced(_mshadow_shlibdeps)
if(_mshadow_shlibdeps)
  set(CPACK_DEBIAN_GEN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
