# SPDX-License-Identifier: BSL-1.0
# The headers are installed to include/apsp-<major>.<minor>/{apsp,adaptors,detail}, with the layout of the
# source tree, together with a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(apsp_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apsp)

install(TARGETS apsp EXPORT apsp
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Includes the kernel templates for users' .cu files. Before CMake 3.31, a file set would be exported
# wrongly if CMAKE_INSTALL_INCLUDEDIR is absolute. What needs MPI is a component of its own, which packages can
# leave out.
install(DIRECTORY apsp adaptors detail DESTINATION ${apsp_include_dir}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN adaptors/files EXCLUDE
  PATTERN compiled EXCLUDE PATTERN apsp/mpi.hpp EXCLUDE PATTERN detail/mpi EXCLUDE)
install(FILES ${apsp_generated_headers}/apsp/build_options.hpp DESTINATION ${apsp_include_dir}/apsp)
install(FILES apsp/mpi.hpp DESTINATION ${apsp_include_dir}/apsp COMPONENT mpi)
install(DIRECTORY detail/mpi DESTINATION ${apsp_include_dir}/detail COMPONENT mpi)
install(EXPORT apsp NAMESPACE apsp:: FILE apsp-targets.cmake DESTINATION ${apsp_config_dir})
if(APSP_HAS_MPI)
  install(TARGETS apsp_mpi EXPORT apsp-mpi)
  install(EXPORT apsp-mpi NAMESPACE apsp:: FILE apsp-mpi-targets.cmake DESTINATION ${apsp_config_dir}
    COMPONENT mpi)
  if(APSP_HAS_NCCL)
    install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindNCCL.cmake DESTINATION ${apsp_config_dir} COMPONENT mpi)
  endif()
endif()

# A program that links the static library also links the CUDA runtime; the shared library contains it.
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

# The prefix is relative to the .pc file, so that an installed tree can be moved, unless the file is
# installed to an absolute path. Absolute paths are used unchanged.
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
if(OpenMP_CXX_FOUND)
  string(REPLACE ";" " " openmp_flags "${OpenMP_CXX_FLAGS}")
  string(APPEND pc_cflags " ${openmp_flags}")
  string(APPEND pc_libs " ${openmp_flags}")
endif()
# Not Libs.private: with only a static library, `pkg-config --static` should not be needed.
if(APSP_LINK_CUDART)
  string(APPEND pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lpthread -ldl -lrt")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/apsp.pc.in ${CMAKE_CURRENT_BINARY_DIR}/apsp.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/apsp.pc DESTINATION ${pc_dir})

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
