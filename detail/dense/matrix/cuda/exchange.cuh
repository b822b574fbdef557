// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <limits>
#include <type_traits>

#include "../../../../apsp/unreachable.hpp"
#include "../../../device/grid_stride.cuh"
#include "../../../graph/device_arcs.cuh"
#include "../../../values/distance_code.hpp"
#include "../../../values/int128.hpp"
#include "matrix_setup.cuh"

// Loads of a solver matrix from a graph in device memory, and stores of results to the caller's
// matrices there. All kernels are grid-stride.
namespace apsp::inline v1::detail::cuda {

/// Sets all entries of a matrix, including padding, from a dense graph: 0 on the diagonal unless a
/// self-loop is negative, @p zero for missing arcs. The `weight_kinds` are added to @p found.
template <class C, class W>
__global__ void place_entries_kernel(C* distances, std::size_t extent, device_graph<W> graph,
                                     W no_arc, C zero, int* found) {
  const std::size_t n = graph.num_vertices;
  int kinds = 0;
  for (std::size_t i = first_index(); i < extent * extent; i += index_stride()) {
    const std::size_t u = i / extent;
    const std::size_t v = i % extent;
    C entry = zero;
    if (u < n && v < n) {
      const W w = graph.weights[u * graph.pitch + v];
      if (!(w == no_arc)) {
        entry = static_cast<C>(w);
        kinds |= kinds_of(entry, u == v);
      }
      if (u == v && !(entry < C{})) entry = C{};
    }
    distances[i] = entry;
  }
  report_kinds(kinds, found);
}

/// The lightest of parallel arcs wins, in any order. The `weight_kinds` are added to @p found.
template <class C, class W>
__global__ void scatter_graph_kernel(C* distances, std::size_t pitch, device_graph<W> graph,
                                     W no_arc, int* found) {
  static_assert(sizeof(C) <= sizeof(std::int64_t));
  int kinds = 0;
  for (std::size_t k = first_index(); k < graph.num_places; k += index_stride()) {
    const device_arc_entry<W> arc = arc_at(graph, k);
    if (arc.weight == no_arc) continue;
    const C weight = static_cast<C>(arc.weight);
    C& entry = distances[static_cast<std::size_t>(arc.source) * pitch +
                         static_cast<std::size_t>(arc.target)];
    ::cuda::atomic_ref<C, ::cuda::thread_scope_device>(entry).fetch_min(
        weight, ::cuda::memory_order_relaxed);
    kinds |= kinds_of(weight, arc.source == arc.target);
  }
  report_kinds(kinds, found);
}

/// Sets all entries of a matrix over a semiring, including padding, from a dense graph: @p one on
/// the diagonal, @p zero for missing arcs.
template <class T>
__global__ void place_values_kernel(T* values, std::size_t extent, device_graph<T> graph, T no_arc,
                                    T zero, T one) {
  const std::size_t n = graph.num_vertices;
  for (std::size_t i = first_index(); i < extent * extent; i += index_stride()) {
    const std::size_t u = i / extent;
    const std::size_t v = i % extent;
    T value = zero;
    if (u < n && v < n) {
      const T w = graph.weights[u * graph.pitch + v];
      if (!(w == no_arc)) value = w;
      if (u == v) value = one;
    }
    values[i] = value;
  }
}

/// The best of parallel arcs wins, in any order. Over the semirings of the library the best is the
/// least or the greatest.
template <class S, class T = typename S::value_type>
__global__ void scatter_values_kernel(T* values, std::size_t pitch, device_graph<T> graph,
                                      T no_arc) {
  constexpr bool least_wins = S::plus(T{0}, T{1}) == T{0};
  for (std::size_t k = first_index(); k < graph.num_places; k += index_stride()) {
    const device_arc_entry<T> arc = arc_at(graph, k);
    if (arc.weight == no_arc) continue;
    T& entry =
        values[static_cast<std::size_t>(arc.source) * pitch + static_cast<std::size_t>(arc.target)];
    ::cuda::atomic_ref<T, ::cuda::thread_scope_device> shared(entry);
    if constexpr (least_wins) {
      shared.fetch_min(arc.weight, ::cuda::memory_order_relaxed);
    } else {
      shared.fetch_max(arc.weight, ::cuda::memory_order_relaxed);
    }
  }
}

/// Entries off the diagonal that are worse than @p limit become @p zero.
template <class Algebra, class T = typename Algebra::value_type>
__global__ void forget_worse_kernel(const Algebra algebra, T* values, std::size_t pitch,
                                    std::size_t size, T limit, T zero) {
  for (std::size_t i = first_index(); i < size; i += index_stride()) {
    const bool is_diagonal = i % (pitch + 1) == 0;
    if (!is_diagonal && algebra.improves(limit, values[i])) values[i] = zero;
  }
}

/// A matrix of `size` entries, including padding.
template <class C>
struct copied_entries {
  C* entries;
  std::size_t pitch;
  std::size_t size;
};

/// A matrix of the caller.
template <class W>
struct given_entries {
  const W* entries;
  std::size_t pitch;
  std::size_t rows;
  std::size_t columns;
};

/// Sets all entries of a matrix from another one: @p no_path becomes @p code, and padding becomes
/// @p zero.
template <class C, class W>
__global__ void copy_entries_kernel(copied_entries<C> to, given_entries<W> from, W no_path, C code,
                                    C zero) {
  for (std::size_t i = first_index(); i < to.size; i += index_stride()) {
    const std::size_t u = i / to.pitch;
    const std::size_t v = i % to.pitch;
    C entry = zero;
    if (u < from.rows && v < from.columns) {
      const W given = from.entries[u * from.pitch + v];
      entry = given == no_path ? code : static_cast<C>(given);
    }
    to.entries[i] = entry;
  }
}

/// Distances as they were computed.
template <class C>
struct computed_distances {
  const C* entries;
  std::size_t pitch;
  std::size_t rows;
  std::size_t columns;
  C unreachable_from;  ///< Entries at least this large are unreachable.
};

/// Distances in the caller's type.
template <class W>
struct taken_distances {
  W* entries;
  std::size_t pitch;
  W least;
  W no_path;
  int* was_cut;  ///< Set if a distance does not fit.
};

/// Converts distances to the caller's type. The result may be the matrix itself.
template <class W, class C>
__global__ void take_distances_kernel(computed_distances<C> distances, taken_distances<W> result) {
  const std::size_t rows = distances.rows;
  const std::size_t columns = distances.columns;
  const W no_path = result.no_path;
  bool cut = false;
  for (std::size_t i = first_index(); i < rows * columns; i += index_stride()) {
    const std::size_t u = i / columns;
    const std::size_t v = i % columns;
    const C entry = distances.entries[u * distances.pitch + v];
    W distance = no_path;
    if (entry < distances.unreachable_from) {
      distance = static_cast<W>(entry);
      if constexpr (!std::is_same_v<W, C>) {
        // Only integers are computed in a wider type.
        if (entry >= static_cast<C>(no_path)) {
          distance = no_path;
          cut = true;
        } else if (entry < static_cast<C>(result.least)) {
          distance = result.least;
          cut = true;
        }
      }
    }
    result.entries[u * result.pitch + v] = distance;
  }
  if (cut) *result.was_cut = 1;
}

template <class I>
__global__ void take_predecessors_kernel(const std::int32_t* predecessors, std::size_t pitch,
                                         std::size_t n, I none, I* result,
                                         std::size_t result_pitch) {
  for (std::size_t i = first_index(); i < n * n; i += index_stride()) {
    const std::size_t u = i / n;
    const std::size_t v = i % n;
    const std::int32_t predecessor = predecessors[u * pitch + v];
    result[u * result_pitch + v] = predecessor < 0 ? none : static_cast<I>(predecessor);
  }
}

}  // namespace apsp::inline v1::detail::cuda
