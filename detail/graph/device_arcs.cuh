// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "device_graph.hpp"

// Device-side access to a graph in device memory.
namespace apsp::inline v1::detail::cuda {

/// Element @p i. A value that needs more than 63 bits becomes negative, which is out of range in
/// either case.
__device__ inline std::int64_t index_at(const index_array& array, std::size_t i) {
  switch (array.type) {
    case index_type::int32:
      return static_cast<const std::int32_t*>(array.data)[i];
    case index_type::uint32:
      return static_cast<const std::uint32_t*>(array.data)[i];
    case index_type::int64:
      return static_cast<const std::int64_t*>(array.data)[i];
    default:
      return static_cast<std::int64_t>(static_cast<const std::uint64_t*>(array.data)[i]);
  }
}

/// The arc at one position of a graph; its weight may mean that there is no arc.
template <class W>
struct device_arc_entry {
  std::int64_t source;
  std::int64_t target;
  W weight;
};

/// The vertex that the arc at position @p k leaves. The offsets have been validated.
template <class W>
__device__ std::int64_t source_at(const device_graph<W>& graph, std::size_t k) {
  // Binary search for the last vertex with offsets[v] <= k.
  std::size_t first = 0;
  std::size_t last = graph.num_vertices;
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    if (index_at(graph.heads, middle) <= static_cast<std::int64_t>(k)) {
      first = middle;
    } else {
      last = middle;
    }
  }
  return static_cast<std::int64_t>(first);
}

template <class W>
__device__ device_arc_entry<W> arc_at(const device_graph<W>& graph, std::size_t k) {
  if (graph.form == graph_form::dense) {
    const std::size_t u = k / graph.num_vertices;
    const std::size_t v = k % graph.num_vertices;
    return {static_cast<std::int64_t>(u), static_cast<std::int64_t>(v),
            graph.weights[u * graph.pitch + v]};
  }
  const std::int64_t source =
      graph.form == graph_form::csr ? source_at(graph, k) : index_at(graph.heads, k);
  return {source, index_at(graph.targets, k), graph.weights[k]};
}

}  // namespace apsp::inline v1::detail::cuda
