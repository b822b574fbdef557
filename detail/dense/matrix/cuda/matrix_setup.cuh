// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <type_traits>

#include "../../../device/grid_stride.cuh"
#include "../../problem/arc.hpp"

// Steps before and after a matrix is relaxed. All kernels are grid-stride.
namespace apsp::inline v1::detail::cuda {

template <class T>
__global__ void fill_diagonal_kernel(T* distances, std::size_t pitch, std::size_t num_vertices,
                                     T value) {
  for (std::size_t i = first_index(); i < num_vertices; i += index_stride()) {
    distances[i * pitch + i] = value;
  }
}

/// What kinds of weights a matrix has, as bits of one word.
enum weight_kinds : int {
  zero_weight = 1,  ///< not on the diagonal: there it does not belong to a cycle
  negative_weight = 2,
  fractional_weight = 4,  ///< not a whole number
};

template <class T>
__device__ __forceinline__ int kinds_of(T weight, bool is_diagonal) {
  int kinds = weight < T{} ? negative_weight : 0;
  if (weight == T{} && !is_diagonal) kinds |= zero_weight;
  if constexpr (std::is_floating_point_v<T>) {
    if (weight != trunc(weight)) kinds |= fractional_weight;
  }
  return kinds;
}
/// Adds the kinds that one thread has seen to @p found in device memory.
__device__ __forceinline__ void report_kinds(int kinds, int* found) {
  if (kinds == 0) return;
  ::cuda::atomic_ref<int, ::cuda::thread_scope_device> all(*found);
  if ((all.load(::cuda::memory_order_relaxed) & kinds) != kinds) {
    all.fetch_or(kinds, ::cuda::memory_order_relaxed);
  }
}

/// Rows of a matrix from one on, and from a column on.
struct some_rows {
  std::size_t first;
  std::size_t count;
  std::size_t first_column = 0;
};

/// Places arcs in @p rows of a matrix, of which @p distances is the first entry. The lightest of
/// parallel arcs wins, in any order. Types too wide for an atomic minimum require that there are no
/// parallel arcs. The `weight_kinds` are added to @p found.
template <class T>
__global__ void scatter_arcs_kernel(T* distances, std::size_t pitch, some_rows rows,
                                    const arc<T>* arcs, std::size_t num_arcs, int* found) {
  int kinds = 0;
  for (std::size_t e = first_index(); e < num_arcs; e += index_stride()) {
    const arc<T> a = arcs[e];
    const std::size_t row = static_cast<std::size_t>(a.source) - rows.first;
    const auto target = static_cast<std::size_t>(a.target);
    // A row before the first is also too large.
    if (row >= rows.count || target < rows.first_column) continue;
    T& entry = distances[row * pitch + target - rows.first_column];
    if constexpr (sizeof(T) <= sizeof(std::int64_t)) {
      ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(entry).fetch_min(
          a.weight, ::cuda::memory_order_relaxed);
    } else {
      if (a.weight < entry) entry = a.weight;
    }
    kinds |= kinds_of(a.weight, a.source == a.target);
  }
  report_kinds(kinds, found);
}

/// Adds the `weight_kinds` of a square matrix to @p found.
template <class T>
__global__ void find_kinds_kernel(const T* distances, std::size_t pitch, std::size_t size,
                                  int* found) {
  int kinds = 0;
  for (std::size_t i = first_index(); i < size; i += index_stride()) {
    const T weight = distances[i];
    // Entries on the diagonal are pitch + 1 apart.
    kinds |= kinds_of(weight, weight == T{} && i % (pitch + 1) == 0);
  }
  report_kinds(kinds, found);
}

template <class T>
__global__ void find_negative_diagonal_kernel(const T* distances, std::size_t pitch,
                                              std::size_t num_vertices, int* any_negative) {
  for (std::size_t i = first_index(); i < num_vertices; i += index_stride()) {
    if (distances[i * pitch + i] < T{}) *any_negative = 1;
  }
}

/// Predecessors of paths that consist of one arc.
template <class T>
__global__ void first_predecessors_kernel(const T* distances, std::int32_t* predecessors,
                                          std::size_t pitch, std::size_t size, T zero) {
  for (std::size_t i = first_index(); i < size; i += index_stride()) {
    const std::size_t source = i / pitch;
    const std::size_t target = i % pitch;
    const bool is_arc = source != target && !(distances[i] == zero);
    predecessors[i] = is_arc ? static_cast<std::int32_t>(source) : -1;
  }
}

/// Sets @p differ if two matrices differ.
/// @param needed  null, or a word that is zero if there is nothing to do.
template <class T>
__global__ void find_difference_kernel(const T* x, const T* y, std::size_t size, const int* needed,
                                       int* differ) {
  if (needed != nullptr && *needed == 0) return;
  bool found = false;
  for (std::size_t i = first_index(); i < size; i += index_stride()) found |= !(x[i] == y[i]);
  if (found) *differ = 1;
}

/// Entries >= @p threshold mean "unreachable"; @p predecessors may be null.
template <class T>
__global__ void replace_from_kernel(T* distances, std::int32_t* predecessors, std::size_t size,
                                    T threshold, T value) {
  for (std::size_t i = first_index(); i < size; i += index_stride()) {
    if (distances[i] >= threshold) {
      distances[i] = value;
      if (predecessors != nullptr) predecessors[i] = -1;
    }
  }
}

}  // namespace apsp::inline v1::detail::cuda
