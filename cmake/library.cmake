# SPDX-License-Identifier: BSL-1.0
# The compiled library: the host kernels for every instruction set, the file readers, and the CUDA kernels or
# their replacement. Programs that link it need none of the flags used here.
add_library(apsp)
add_library(apsp::apsp ALIAS apsp)

# The include directories of the installed tree and of this one.
set(apsp_include_dir ${CMAKE_INSTALL_INCLUDEDIR}/apsp-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(apsp PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${apsp_include_dir}>)

file(GLOB apsp_reader_sources CONFIGURE_DEPENDS adaptors/files/*.cpp)

target_sources(apsp
  PRIVATE
    ${apsp_reader_sources}
    detail/bits/host/bit_product.cpp
    detail/centrality/path_hierarchy.cpp
    detail/centrality/path_sums.cpp
    detail/centrality/host/path_batches.cpp
    detail/centrality/host/path_sweep_kernels.cpp
    detail/centrality/host/tight_kernels.cpp
    detail/centrality/host/tight_lane_kernels.cpp
    detail/dense/checkpoints/checkpoint.cpp
    detail/dense/proofs/host/distance_bound.cpp
    detail/dense/closures/host/floyd_warshall.cpp
    detail/dense/closures/host/repeated_squaring.cpp
    detail/elimination/elimination_tree.cpp
    detail/elimination/front_plan.cpp
    detail/elimination/low_degrees.cpp
    detail/elimination/minimum_degree.cpp
    detail/elimination/neighbors.cpp
    detail/elimination/order_search.cpp
    detail/elimination/pieces.cpp
    detail/elimination/sweep_program.cpp
    detail/files/crc32.cpp
    detail/files/file_lock.cpp
    detail/files/new_file.cpp
    detail/files/open_file.cpp
    detail/files/quoted.cpp
    $<IF:$<PLATFORM_ID:Windows>,detail/files/windows_system_calls.cpp,detail/files/posix_system_calls.cpp>
    detail/hierarchy_files/byte_streams.cpp
    detail/hierarchy_files/format.cpp
    detail/matrix/host/decay_kernels.cpp
    detail/matrix/host/row_kernels.cpp
    detail/per_source/lanes/host/lane_kernels.cpp
    detail/per_source/search/host/breadth_first_search.cpp
    detail/per_source/search/host/search_kernels.cpp
    detail/per_source/search/host/solve.cpp
    detail/per_source/sweep/host/climb.cpp
    detail/plan/plan_call.cpp
    detail/dense/closures/host/narrow_floyd_warshall.cpp
    detail/dense/products/host/product.cpp
    detail/summary/host/reduce.cpp
    detail/tiles/host/narrow_kernels.cpp
    detail/tiles/host/tile_kernels.cpp
    detail/tiles/host/tile_size.cpp
    detail/bits/host/transitive_closure.cpp
    detail/values/standard_library.cpp)

set_target_properties(apsp PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  # A shared library exports the symbols marked APSP_EXPORT.
  CXX_VISIBILITY_PRESET hidden
  CUDA_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(apsp PUBLIC cxx_std_20)
apsp_enable_warnings(apsp)

# The inner loops, compiled once per instruction set from one source. They are always optimised, since they
# determine the speed of the library.
function(apsp_add_host_kernels set vector_bytes)
  foreach(kernels IN ITEMS bit_kernels decay_kernels lane_kernels narrow_kernels path_sweep_kernels row_kernels search_kernels tight_kernels tight_lane_kernels tile_kernels)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/compiled/${kernels}_${set}.cpp)
    configure_file(detail/compiled/${kernels}.cpp.in ${source} @ONLY)
    target_sources(apsp PRIVATE ${source})
    # Sums have the same bits with every instruction set.
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O3 -ffp-contract=off ${ARGN})
  endforeach()
endfunction()

# GCC on Windows aligns the stack to 16 bytes, but uses aligned moves for vectors of 32 and 64 bytes on it.
if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(apsp_unaligned_moves -Wa,-muse-unaligned-vector-move)
endif()
apsp_add_host_kernels(baseline 16)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  apsp_add_host_kernels(avx2 32 -mavx2 ${apsp_unaligned_moves})
  apsp_add_host_kernels(avx512 64 -mavx512f -mavx512dq -mavx512bw ${apsp_unaligned_moves})
  # Shares of amounts are no sums: polynomials take half as many instructions if they are fused.
  set_property(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/compiled/decay_kernels_avx512.cpp
               APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=fast)
  # The sources that select an instruction set.
  set_source_files_properties(
    detail/bits/host/bit_product.cpp detail/centrality/host/path_sweep_kernels.cpp
    detail/centrality/host/tight_kernels.cpp
    detail/centrality/host/tight_lane_kernels.cpp
    detail/matrix/host/decay_kernels.cpp detail/matrix/host/row_kernels.cpp
    detail/per_source/lanes/host/lane_kernels.cpp detail/per_source/search/host/search_kernels.cpp
    detail/tiles/host/narrow_kernels.cpp detail/tiles/host/tile_kernels.cpp
    PROPERTIES COMPILE_DEFINITIONS APSP_HAS_X86_KERNELS)
endif()

# The weight types, from their list, and their names in the names of files.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS detail/values/weight_types.hpp)
file(READ detail/values/weight_types.hpp apsp_weight_types)
string(REGEX MATCHALL "\n  APPLY\\([^)]*" apsp_weight_types "${apsp_weight_types}")
list(TRANSFORM apsp_weight_types REPLACE "\n  APPLY\\(" "")
if(NOT apsp_weight_types)
  message(FATAL_ERROR "apsp: APSP_FOR_EACH_WEIGHT_TYPE has no lines that begin with '  APPLY('")
endif()
set(apsp_weight_names ${apsp_weight_types})
list(TRANSFORM apsp_weight_names REPLACE "std::|_t$" "")

# Elimination with sweeps, and searches in lanes, one file for each weight type.
function(apsp_add_instances template name instantiations)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/compiled/${template}_${name}.cpp)
  configure_file(detail/compiled/${template}.cpp.in ${source} @ONLY)
  target_sources(apsp PRIVATE ${source})
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O3)
endfunction()
foreach(type name IN ZIP_LISTS apsp_weight_types apsp_weight_names)
  apsp_add_instances(elimination ${name}
    "APSP_FOR_EACH_SEMIRING_OF(${type}, APSP_INSTANTIATE_ELIMINATION)")
  apsp_add_instances(lane_search ${name}
    "APSP_FOR_EACH_SEMIRING_OF(${type}, APSP_SEARCH_IN_LANES)
APSP_PRUNE_ARCS(${type})")
endforeach()
apsp_add_instances(elimination wide "APSP_INSTANTIATE_ELIMINATION(min_plus<int128>)
APSP_INSTANTIATE_ELIMINATION(min_plus<long double>)")
apsp_add_instances(lane_search short "APSP_SEARCH_IN_LANES(min_plus<std::uint16_t>)")

set_property(SOURCE detail/centrality/path_sums.cpp
  detail/centrality/host/path_batches.cpp
  detail/dense/closures/host/narrow_floyd_warshall.cpp
  detail/elimination/elimination_tree.cpp detail/elimination/low_degrees.cpp
  detail/elimination/minimum_degree.cpp detail/elimination/neighbors.cpp
  detail/elimination/pieces.cpp
  detail/per_source/search/host/breadth_first_search.cpp
  detail/per_source/search/host/solve.cpp detail/summary/host/reduce.cpp
  APPEND PROPERTY COMPILE_OPTIONS -O3)

# What calls do once the types of their graph and their matrices are erased, compiled once per weight type.
# Backends have sources of their own, so that a program that only calls on the host does not link the kernels.
set(apsp_backends host)
if(APSP_HAS_CUDA)
  list(APPEND apsp_backends cuda)
endif()
function(apsp_add_calls name type)
  foreach(backend IN LISTS apsp_backends)
    foreach(calls IN ITEMS closures per_source_calls)
      set(source ${CMAKE_CURRENT_BINARY_DIR}/compiled/${calls}_${backend}_${name}.cpp)
      configure_file(detail/compiled/${calls}.cpp.in ${source} @ONLY)
      target_sources(apsp PRIVATE ${source})
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O3)
    endforeach()
  endforeach()
endfunction()

foreach(type name IN ZIP_LISTS apsp_weight_types apsp_weight_names)
  apsp_add_calls(${name} ${type})
endforeach()

# The headers use OpenMP, so programs must be compiled with it, including their .cu files. Otherwise one
# program would contain the same functions with and without threads. The headers refuse that.
find_package(OpenMP QUIET COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
  message(STATUS "apsp: OpenMP ${OpenMP_CXX_VERSION}")
  target_link_libraries(apsp PUBLIC OpenMP::OpenMP_CXX)
  string(REPLACE ";" "," apsp_openmp_flags "${OpenMP_CXX_FLAGS}")
  target_compile_options(apsp PUBLIC "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${apsp_openmp_flags}>")
  set(apsp_openmp_option APSP_WITH_OPENMP)
else()
  message(NOTICE "apsp: no OpenMP was found for ${CMAKE_CXX_COMPILER}, so calls under apsp::omp will run on one "
    "thread; Clang's is in the package libomp-dev, or libomp-<version>-dev, of Debian and Ubuntu")
  set(apsp_openmp_option APSP_WITHOUT_OPENMP)
endif()

if(APSP_HAS_CUDA)
  # The kernels, compiled once per weight type from one source.
  function(apsp_add_kernels name type)
    set(is_floating_point 0)
    if(type MATCHES "^(float|double)$")
      set(is_floating_point 1)
    endif()
    set(is_int64 0)
    if(type STREQUAL std::int64_t)
      set(is_int64 1)
    endif()
    # The narrower type whose sums may need this one.
    set(narrower_of_double float)
    set(narrower_of_int64 std::int32_t)
    set(has_narrower 0)
    if(DEFINED narrower_of_${name})
      set(has_narrower 1)
      set(narrower ${narrower_of_${name}})
    endif()
    foreach(family IN ITEMS dense per_source per_source_joined small_graphs)
      set(source ${CMAKE_CURRENT_BINARY_DIR}/compiled/${family}_${name}.cu)
      configure_file(detail/compiled/${family}.cu.in ${source} @ONLY)
      target_sources(apsp PRIVATE ${source})
    endforeach()
  endfunction()
  foreach(type name IN ZIP_LISTS apsp_weight_types apsp_weight_names)
    apsp_add_kernels(${name} ${type})
  endforeach()
  file(GLOB_RECURSE apsp_cuda_sources CONFIGURE_DEPENDS detail/*.cu)
  target_sources(apsp PRIVATE ${apsp_cuda_sources})
  set_source_files_properties(detail/tiles/cuda/float_products.cu
    PROPERTIES COMPILE_OPTIONS "-Xptxas=-O1")
  set_target_properties(apsp PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  target_link_libraries(apsp PRIVATE CUDA::cudart_static)
  if(APSP_ENABLE_NVTX)
    target_compile_definitions(apsp PRIVATE APSP_WITH_NVTX)
  endif()
else()
  target_sources(apsp PRIVATE detail/compiled/no_cuda.cpp)
endif()

# What programs that link the library must know of it. Without CUDA they cannot have kernels of their own either.
set(apsp_cuda_option APSP_WITHOUT_CUDA)
if(APSP_HAS_CUDA)
  set(apsp_cuda_option APSP_WITH_CUDA)
endif()
set(apsp_generated_headers ${CMAKE_CURRENT_BINARY_DIR}/generated)
configure_file(cmake/build_options.hpp.in ${apsp_generated_headers}/apsp/build_options.hpp @ONLY)
target_include_directories(apsp PUBLIC $<BUILD_INTERFACE:${apsp_generated_headers}>)
