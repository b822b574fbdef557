// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../apsp/config.hpp"
#include "../device/launch_target.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "device_graph.hpp"

// Reads many graphs in device memory at once.
namespace apsp::inline v1::detail::cuda {

/// What kernels find in the arcs of a graph: their weights, or the first fault.
template <class W>
struct graph_scan {
  std::size_t num_edges;
  W smallest;
  W largest;
  std::size_t fault_at;   ///< The position of the invalid arc, or the vertex of the invalid offset.
  bool has_wrong_offset;  ///< Arcs are then not read.
  edge_fault fault;
  std::int64_t source;  ///< Of the invalid arc.
  std::int64_t target;
};

[[noreturn]] inline void throw_offset_fault(std::size_t vertex, std::size_t n) {
  throw std::invalid_argument(
      "apsp::device_csr_view: " +
      (vertex == n ? std::string("the last offset is not the number of targets")
                   : "the first offset is not 0, or the offsets decrease, at vertex " +
                         std::to_string(vertex)));
}

/// The weights of a graph of n vertices.
/// @throws std::invalid_argument if it has a fault.
template <class W>
weight_range<W> weights_of(const graph_scan<W>& found, std::size_t n) {
  if (found.has_wrong_offset) throw_offset_fault(found.fault_at, n);
  if (found.fault != edge_fault::none) {
    throw_edge_fault(found.fault, static_cast<std::size_t>(found.source),
                     static_cast<std::size_t>(found.target), n);
  }
  return {found.num_edges, found.smallest, found.largest};
}

/// Reads the arcs of all graphs once, each in one CUDA block, and waits for what it finds.
/// @throws device_error if there is no memory for the description of one graph, or a CUDA call
/// fails.
template <class W>
APSP_EXPORT std::vector<graph_scan<W>> scan_device_graphs(const launch_target& target,
                                                          std::span<const device_graph<W>> graphs);

#define APSP_EXTERN_SCAN(W)                                         \
  extern template std::vector<graph_scan<W>> scan_device_graphs<W>( \
      const launch_target&, std::span<const device_graph<W>>);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SCAN)
#undef APSP_EXTERN_SCAN

}  // namespace apsp::inline v1::detail::cuda
