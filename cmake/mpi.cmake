# SPDX-License-Identifier: BSL-1.0
# apsp::mpi, for programs that include <apsp/mpi.hpp>. It has no code of its own: programs compile the calls with
# their own MPI, so that one installed library serves every implementation of MPI.
set(APSP_HAS_MPI OFF)
if(NOT APSP_ENABLE_MPI STREQUAL "OFF")
  # The headers use the API of C. The component CXX finds it without a C compiler; the bindings of C++, which MPI has
  # removed, are left out.
  set(MPI_CXX_SKIP_MPICXX ON)
  if(APSP_ENABLE_MPI STREQUAL "ON")
    find_package(MPI REQUIRED COMPONENTS CXX)
  else()
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  set(APSP_HAS_MPI ${MPI_CXX_FOUND})
endif()
if(APSP_HAS_MPI)
  add_library(apsp_mpi INTERFACE)
  add_library(apsp::mpi ALIAS apsp_mpi)
  set_target_properties(apsp_mpi PROPERTIES EXPORT_NAME mpi)
  target_link_libraries(apsp_mpi INTERFACE apsp::apsp MPI::MPI_CXX)
endif()
message(STATUS "apsp: MPI ${APSP_HAS_MPI}")
