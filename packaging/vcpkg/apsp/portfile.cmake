# SPDX-License-Identifier: BSL-1.0
# An overlay port of this checkout: `vcpkg install apsp --overlay-ports=packaging/vcpkg`.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(kernels OFF)
if("cuda" IN_LIST FEATURES)
  set(kernels ON)
endif()
set(mpi OFF)
if("mpi" IN_LIST FEATURES)
  set(mpi ON)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DAPSP_ENABLE_TESTS=OFF -DAPSP_ENABLE_MPI=${mpi} -DAPSP_ENABLE_CUDA=${kernels})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME apsp CONFIG_PATH lib/cmake/apsp)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
