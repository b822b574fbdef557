// SPDX-License-Identifier: BSL-1.0
#include "device_graph.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../apsp/unreachable.hpp"
#include "../device/check.cuh"
#include "../device/reduction.cuh"
#include "../device/resolved_device.cuh"
#include "../device/stream.cuh"
#include "../values/weight.hpp"
#include "device_arcs.cuh"

namespace apsp::detail::cuda {

namespace {

/// The position of an invalid offset.
struct wrong_offset {
  index_array offsets;
  std::size_t num_vertices;
  std::size_t num_arcs;

  __device__ std::size_t operator()(std::size_t u) const {
    const std::int64_t offset = index_at(offsets, u);
    const bool is_wrong = u == num_vertices
                              ? offset != static_cast<std::int64_t>(num_arcs)
                              : index_at(offsets, u + 1) < offset || (u == 0 && offset != 0);
    return is_wrong ? u : nowhere;
  }
};

template <class W>
void check_offsets(const device_graph<W>& graph, cudaStream_t stream) {
  const std::size_t n = graph.num_vertices;
  const std::size_t wrong = reduce_over(
      n + 1, first_place{}, wrong_offset{graph.heads, n, graph.num_places}, nowhere, stream);
  if (wrong == nowhere) return;
  throw std::invalid_argument(
      "apsp::device_csr_view: " +
      (wrong == n ? std::string("the last offset is not the number of targets")
                  : "the first offset is not 0, or the offsets decrease, at vertex " +
                        std::to_string(wrong)));
}

/// Partial summary of the arcs at some positions of a graph.
template <class W>
struct scan {
  std::size_t num_edges;
  W smallest;
  W largest;
  std::size_t fault_at;
  edge_fault fault;
  std::int64_t source;  ///< Of the invalid arc.
  std::int64_t target;
};

template <class W>
struct combine_scans {
  __device__ scan<W> operator()(const scan<W>& a, const scan<W>& b) const {
    scan<W> both = b.fault_at < a.fault_at ? b : a;
    both.num_edges = a.num_edges + b.num_edges;
    both.smallest = b.smallest < a.smallest ? b.smallest : a.smallest;
    both.largest = a.largest < b.largest ? b.largest : a.largest;
    return both;
  }
};

template <class W>
struct scan_of_place {
  device_graph<W> graph;
  W no_arc;
  value_range<W> admitted;
  edge_fault out_of_range;

  __device__ scan<W> operator()(std::size_t k) const {
    const device_arc_entry<W> arc = arc_at(graph, k);
    scan<W> found{0, no_arc, W{}, nowhere, edge_fault::none, arc.source, arc.target};
    const auto n = static_cast<std::int64_t>(graph.num_vertices);
    if (arc.source < 0 || arc.source >= n || arc.target < 0 || arc.target >= n) {
      found.fault = edge_fault::vertex;
    } else if (arc.weight != arc.weight) {
      found.fault = edge_fault::not_a_number;
    } else if (!(arc.weight == no_arc)) {
      if (arc.weight < admitted.least || admitted.most < arc.weight) found.fault = out_of_range;
      found.num_edges = 1;
      found.smallest = arc.weight;
      if (found.largest < arc.weight) found.largest = arc.weight;
    }
    if (found.fault != edge_fault::none) found.fault_at = k;
    return found;
  }
};

/// The end points of an arc, and its position.
struct placed_arc {
  std::size_t place;
  std::int64_t source;
  std::int64_t target;
};

struct first_arc {
  __device__ placed_arc operator()(const placed_arc& a, const placed_arc& b) const {
    return b.place < a.place ? b : a;
  }
};

/// An arc with an end point that is out of range.
template <class W>
struct stray_arc {
  device_graph<W> graph;
  W no_arc;

  __device__ placed_arc operator()(std::size_t k) const {
    const device_arc_entry<W> arc = arc_at(graph, k);
    const auto n = static_cast<std::int64_t>(graph.num_vertices);
    const bool is_stray = !(arc.weight == no_arc) &&
                          (arc.source < 0 || arc.source >= n || arc.target < 0 || arc.target >= n);
    return {is_stray ? k : nowhere, arc.source, arc.target};
  }
};

template <class W>
bool has_offsets(const device_graph<W>& graph) {
  return graph.form == graph_form::csr && graph.heads.data != nullptr;
}

}  // namespace

template <class W>
void check_device_arcs(const launch_target& target, const device_graph<W>& graph) {
  if (graph.form == graph_form::dense || (graph.num_places == 0 && !has_offsets(graph))) return;
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  if (has_offsets(graph)) check_offsets(graph, stream.get());
  if (graph.num_places == 0) return;
  constexpr W no_arc = unreachable<W>;
  const placed_arc found = reduce_over(graph.num_places, first_arc{}, stray_arc<W>{graph, no_arc},
                                       placed_arc{nowhere, 0, 0}, stream.get());
  if (found.place == nowhere) return;
  throw_edge_fault(edge_fault::vertex, static_cast<std::size_t>(found.source),
                   static_cast<std::size_t>(found.target), graph.num_vertices);
}

template <class W>
weight_range<W> find_device_weight_range(const launch_target& target, const device_graph<W>& graph,
                                         const value_range<W>& admitted, edge_fault out_of_range) {
  weight_range<W> weights;
  if (graph.num_places == 0 && !has_offsets(graph)) return weights;
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  if (has_offsets(graph)) check_offsets(graph, stream.get());
  if (graph.num_places == 0) return weights;
  constexpr W no_arc = unreachable<W>;
  const scan<W> none{0, no_arc, W{}, nowhere, edge_fault::none, 0, 0};
  const scan<W> found =
      reduce_over(graph.num_places, combine_scans<W>{},
                  scan_of_place<W>{graph, no_arc, admitted, out_of_range}, none, stream.get());
  if (found.fault_at != nowhere) {
    throw_edge_fault(found.fault, static_cast<std::size_t>(found.source),
                     static_cast<std::size_t>(found.target), graph.num_vertices);
  }
  weights.num_edges = found.num_edges;
  weights.smallest = found.smallest;
  weights.largest = found.largest;
  return weights;
}

#define APSP_INSTANTIATE(W)                                                                       \
  template weight_range<W> find_device_weight_range(const launch_target&, const device_graph<W>&, \
                                                    const value_range<W>&, edge_fault);           \
  template void check_device_arcs(const launch_target&, const device_graph<W>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::detail::cuda
