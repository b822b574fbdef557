// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <type_traits>

#include "../../device/grid_stride.cuh"
#include "closure_solver.hpp"

// Steps before and after a matrix is relaxed. All kernels are grid-stride.
namespace apsp::detail::cuda {

template <class T>
__global__ void fill_diagonal_kernel(T* distances, std::size_t pitch, std::size_t num_vertices,
                                     T value) {
  for (std::size_t i = first_index(); i < num_vertices; i += index_stride()) {
    distances[i * pitch + i] = value;
  }
}

/// The sign of a weight. Over several weights the greatest counts. Weight 0 on the diagonal counts
/// as positive: it does not belong to a cycle.
enum weight_sign : int { positive_weight, zero_weight, negative_weight };

template <class T>
__device__ __forceinline__ int sign_of(T weight, bool is_diagonal) {
  if (weight < T{}) return negative_weight;
  return weight == T{} && !is_diagonal ? zero_weight : positive_weight;
}
/// Raises @p found in device memory to the result of one thread.
__device__ __forceinline__ void report_sign(int sign, int* found) {
  if (sign == positive_weight) return;
  ::cuda::atomic_ref<int, ::cuda::thread_scope_device>(*found).fetch_max(
      sign, ::cuda::memory_order_relaxed);
}

/// The lightest of parallel arcs wins, in any order. Types too wide for an atomic minimum require
/// that there are no parallel arcs. @p found is raised to the `weight_sign` of the weights.
template <class T>
__global__ void scatter_arcs_kernel(T* distances, std::size_t pitch, const arc<T>* arcs,
                                    std::size_t num_arcs, int* found) {
  int sign = positive_weight;
  for (std::size_t e = first_index(); e < num_arcs; e += index_stride()) {
    const arc<T> a = arcs[e];
    T& entry =
        distances[static_cast<std::size_t>(a.source) * pitch + static_cast<std::size_t>(a.target)];
    if constexpr (sizeof(T) <= sizeof(std::int64_t)) {
      ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(entry).fetch_min(
          a.weight, ::cuda::memory_order_relaxed);
    } else {
      if (a.weight < entry) entry = a.weight;
    }
    sign = max(sign, sign_of(a.weight, a.source == a.target));
  }
  report_sign(sign, found);
}

/// Raises @p found to the `weight_sign` of a square matrix.
template <class T>
__global__ void find_sign_kernel(const T* distances, std::size_t pitch, std::size_t size,
                                 int* found) {
  int sign = positive_weight;
  for (std::size_t i = first_index(); i < size; i += index_stride()) {
    const T weight = distances[i];
    // Entries on the diagonal are pitch + 1 apart.
    if (weight <= T{}) sign = max(sign, sign_of(weight, i % (pitch + 1) == 0));
  }
  report_sign(sign, found);
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

}  // namespace apsp::detail::cuda
