# SPDX-License-Identifier: BSL-1.0
# The headers go to include/apsp-<major>.<minor>/{apsp,adaptors,detail}, as they lie in the source
# tree; a CMake package and a pkg-config file lead to them.
include(CMakePackageConfigHelpers)

set(apsp_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apsp)

install(TARGETS apsp EXPORT apsp
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The kernels too, as templates, for .cu files of the user's. A file set of the target would be
# exported wrongly below CMake 3.31 where CMAKE_INSTALL_INCLUDEDIR is absolute.
install(DIRECTORY apsp adaptors detail DESTINATION ${apsp_include_dir}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN adaptors/files EXCLUDE
  PATTERN compiled EXCLUDE)
install(EXPORT apsp NAMESPACE apsp:: FILE apsp-targets.cmake DESTINATION ${apsp_config_dir})

# A program that links the static library links the CUDA runtime too; the shared one has it inside.
get_target_property(apsp_type apsp TYPE)
set(APSP_LINK_CUDART OFF)
if(APSP_HAS_CUDA AND apsp_type STREQUAL "STATIC_LIBRARY")
  set(APSP_LINK_CUDART ON)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/apsp-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/apsp-config.cmake INSTALL_DESTINATION ${apsp_config_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/apsp-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/apsp-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/apsp-config-version.cmake
  DESTINATION ${apsp_config_dir})

# The prefix is found from where the .pc file lies, so that an installed tree can be moved, unless the
# file is put at an absolute path. An absolute path is taken as it is.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${pc_dir})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH pc_prefix "/prefix/${pc_dir}" "/prefix")
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
set(pc_libdir "\${prefix}")
cmake_path(APPEND pc_libdir ${CMAKE_INSTALL_LIBDIR})
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir ${apsp_include_dir})
set(pc_cflags "")
set(pc_libs "")
if(NOT APSP_HAS_CUDA)
  string(APPEND pc_cflags " -DAPSP_WITHOUT_CUDA")
endif()
if(OpenMP_CXX_FOUND)
  string(REPLACE ";" " " openmp_flags "${OpenMP_CXX_FLAGS}")
  string(APPEND pc_cflags " ${openmp_flags}")
  string(APPEND pc_libs " ${openmp_flags}")
endif()
# Not Libs.private: who installed a static library alone should not need `pkg-config --static`.
if(APSP_LINK_CUDART)
  string(APPEND pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lpthread -ldl -lrt")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/apsp.pc.in ${CMAKE_CURRENT_BINARY_DIR}/apsp.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/apsp.pc DESTINATION ${pc_dir})

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
