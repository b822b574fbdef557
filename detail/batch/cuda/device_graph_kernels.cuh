// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../apsp/unreachable.hpp"
#include "../../device/atomic_minimum.cuh"
#include "../../device/warp.hpp"
#include "../../graph/device_arcs.cuh"
#include "../../values/distance_code.hpp"
#include "device_graphs.hpp"
#include "small_graph_kernels.cuh"

// Kernels that make the matrices of small graphs from graphs in device memory, and store distances
// there. One CUDA block works on each graph.
namespace apsp::inline v1::detail::cuda {

/// Calls f(u, v) for the entries of @p rows x @p columns, a row with each warp.
template <class F>
__device__ __forceinline__ void for_each_entry(int rows, int columns, F f) {
  const int warps = static_cast<int>(blockDim.x) / warp_size;
  for (int u = static_cast<int>(threadIdx.x) / warp_size; u < rows; u += warps) {
    for (int v = static_cast<int>(threadIdx.x) % warp_size; v < columns; v += warp_size) f(u, v);
  }
}

/// Makes the matrix of `make_matrices_kernel`. The code holds every weight.
template <class C, class W>
__global__ void make_from_graphs_kernel(const small_graph_place<C>* places,
                                        const graph_with_result<W>* given, W no_arc, C* entries) {
  const small_graph_place<C> place = places[blockIdx.x];
  const device_graph<W> graph = given[blockIdx.x].graph;
  C* const matrix = entries + place.offset;
  const int n = place.num_vertices;
  const int pitch = pitch_of<C>(n);
  const bool is_dense = graph.form == graph_form::dense;
  for_each_entry(n, pitch, [&](int u, int v) {
    C entry = place.code.unreachable;
    if (is_dense && v < n) {
      const W weight =
          graph.weights[static_cast<std::size_t>(u) * graph.pitch + static_cast<std::size_t>(v)];
      if (!(weight == no_arc)) entry = static_cast<C>(weight);
    }
    if (u == v && !(entry < C{})) entry = C{};
    matrix[u * pitch + v] = entry;
  });
  if (is_dense) return;
  __syncthreads();
  for (std::size_t k = threadIdx.x; k < graph.num_places; k += blockDim.x) {
    const device_arc_entry<W> arc = arc_at(graph, k);
    if (arc.weight == no_arc) continue;
    atomic_minimum(matrix + static_cast<int>(arc.source) * pitch + static_cast<int>(arc.target),
                   static_cast<C>(arc.weight));
  }
}

/// Converts the entries of a closed matrix to distances.
template <class C, class W>
struct distance_conversion {
  W limit;  ///< `no_path` if there is none
  W least;
  W no_path;

  __device__ W operator()(C entry, bool& was_cut) const {
    if constexpr (!is_coded_integer<C>) {
      const W distance = static_cast<W>(entry);
      return limit < distance ? no_path : distance;
    } else {
      constexpr C none = unreachable<C>;
      if (entry == none || (limit != no_path && static_cast<C>(limit) < entry)) return no_path;
      if constexpr (!std::is_same_v<C, W>) {
        if (entry >= static_cast<C>(no_path)) {
          was_cut = true;
          return no_path;
        }
        if (entry < static_cast<C>(least)) {
          was_cut = true;
          return least;
        }
      }
      return static_cast<W>(entry);
    }
  }
};

/// Stores the distances of closed matrices, except where the diagonal is negative.
template <class C, class W>
__global__ void store_distances_kernel(const small_graph_place<C>* places,
                                       const graph_with_result<W>* given, const C* entries,
                                       distance_conversion<C, W> distance_of,
                                       small_graph_outcome* outcomes) {
  const small_graph_place<C> place = places[blockIdx.x];
  const C* const matrix = entries + place.offset;
  const int n = place.num_vertices;
  const int pitch = pitch_of<C>(n);
  bool is_negative = false;
  for (int v = static_cast<int>(threadIdx.x); v < n; v += static_cast<int>(blockDim.x)) {
    is_negative = is_negative || matrix[v * (pitch + 1)] < C{};
  }
  const bool any_negative = __syncthreads_or(is_negative) != 0;
  bool was_cut = false;
  if (!any_negative) {
    W* const result = given[blockIdx.x].result;
    const std::size_t result_pitch = given[blockIdx.x].pitch;
    for_each_entry(n, n, [&](int u, int v) {
      result[static_cast<std::size_t>(u) * result_pitch + static_cast<std::size_t>(v)] =
          distance_of(matrix[u * pitch + v], was_cut);
    });
  }
  const bool any_cut = __syncthreads_or(was_cut) != 0;
  if (threadIdx.x == 0) {
    outcomes[blockIdx.x] = any_negative ? small_graph_outcome::negative_diagonal
                           : any_cut    ? small_graph_outcome::saturated
                                        : small_graph_outcome::stored;
  }
}

}  // namespace apsp::inline v1::detail::cuda
