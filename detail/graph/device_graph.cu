// SPDX-License-Identifier: BSL-1.0
#include "device_graph.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <span>
#include <vector>

#include "../../apsp/error.hpp"
#include "../../apsp/unreachable.hpp"
#include "../device/buffer.cuh"
#include "../device/check.cuh"
#include "../device/reduction.cuh"
#include "../device/resolved_device.cuh"
#include "../device/stream.cuh"
#include "../device/warp.hpp"
#include "../values/weight.hpp"
#include "device_arcs.cuh"
#include "device_graphs.hpp"

namespace apsp::inline v1::detail::cuda {

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
  throw_offset_fault(wrong, n);
}

template <class W>
struct combine_scans {
  __device__ graph_scan<W> operator()(const graph_scan<W>& a, const graph_scan<W>& b) const {
    graph_scan<W> both = b.fault_at < a.fault_at ? b : a;
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

  __device__ graph_scan<W> operator()(std::size_t k) const { return of(arc_at(graph, k), k); }

  __device__ graph_scan<W> of(const device_arc_entry<W>& arc, std::size_t k) const {
    graph_scan<W> found = nothing();
    found.source = arc.source;
    found.target = arc.target;
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

  __host__ __device__ graph_scan<W> nothing() const {
    return {0, no_arc, W{}, nowhere, false, edge_fault::none, 0, 0};
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
__host__ __device__ bool has_offsets(const device_graph<W>& graph) {
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
  if (graph.num_places == 0 && !has_offsets(graph)) return {};
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  if (has_offsets(graph)) check_offsets(graph, stream.get());
  if (graph.num_places == 0) return {};
  const scan_of_place<W> scan{graph, unreachable<W>, admitted, out_of_range};
  return weights_of(
      reduce_over(graph.num_places, combine_scans<W>{}, scan, scan.nothing(), stream.get()),
      graph.num_vertices);
}

namespace {

constexpr unsigned scan_threads = 128;

/// One CUDA block for each graph.
template <class W>
__global__ void __launch_bounds__(scan_threads)
    scan_graphs_kernel(const device_graph<W>* graphs, W no_arc, value_range<W> admitted,
                       graph_scan<W>* found) {
  using reduction = cub::BlockReduce<graph_scan<W>, scan_threads>;
  __shared__ typename reduction::TempStorage memory;
  __shared__ unsigned long long wrong;
  const device_graph<W> graph = graphs[blockIdx.x];
  const std::size_t n = graph.num_vertices;
  const scan_of_place<W> scan{graph, no_arc, admitted, edge_fault::minus_infinity};
  graph_scan<W> total = scan.nothing();
  if (has_offsets(graph)) {
    if (threadIdx.x == 0) wrong = nowhere;
    __syncthreads();
    const wrong_offset offset{graph.heads, n, graph.num_places};
    for (std::size_t u = threadIdx.x; u <= n; u += scan_threads) {
      if (offset(u) != nowhere) atomicMin(&wrong, static_cast<unsigned long long>(u));
    }
    __syncthreads();
    if (wrong != nowhere) {
      if (threadIdx.x != 0) return;
      total.has_wrong_offset = true;
      total.fault_at = wrong;
      found[blockIdx.x] = total;
      return;
    }
  }
  constexpr combine_scans<W> combine;
  if (graph.form == graph_form::dense) {
    // Without the division that finds row and column of a position.
    for (std::size_t u = threadIdx.x / warp_size; u < n; u += scan_threads / warp_size) {
      for (std::size_t v = threadIdx.x % warp_size; v < n; v += warp_size) {
        total = combine(total, scan.of({static_cast<std::int64_t>(u), static_cast<std::int64_t>(v),
                                        graph.weights[u * graph.pitch + v]},
                                       u * n + v));
      }
    }
  } else {
    for (std::size_t k = threadIdx.x; k < graph.num_places; k += scan_threads) {
      total = combine(total, scan(k));
    }
  }
  total = reduction(memory).Reduce(total, combine);
  if (threadIdx.x == 0) found[blockIdx.x] = total;
}

}  // namespace

template <class W>
std::vector<graph_scan<W>> scan_device_graphs(const launch_target& target,
                                              std::span<const device_graph<W>> graphs) {
  std::vector<graph_scan<W>> found(graphs.size());
  if (graphs.empty()) return found;
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  constexpr std::size_t bytes_each = sizeof(device_graph<W>) + sizeof(graph_scan<W>);
  const std::size_t available =
      bytes_for_call(bytes_each * graphs.size(), target.memory_limit, stream.get());
  const std::size_t at_once = std::min(graphs.size(), available / bytes_each);
  if (at_once == 0) throw device_error(bytes_each, available);
  const device_buffer<device_graph<W>> given(at_once, stream.get(), bytes_each * at_once);
  const device_buffer<graph_scan<W>> results(at_once, stream.get(), bytes_each * at_once);
  constexpr W no_arc = unreachable<W>;
  for (std::size_t begin = 0; begin < graphs.size(); begin += at_once) {
    const auto piece = graphs.subspan(begin, std::min(at_once, graphs.size() - begin));
    APSP_CUDA_CHECK(cudaMemcpyAsync(given.get(), piece.data(), piece.size_bytes(),
                                    cudaMemcpyHostToDevice, stream.get()));
    launch("scan_graphs_kernel", {static_cast<unsigned>(piece.size()), scan_threads, stream.get()},
           scan_graphs_kernel<W>, static_cast<const device_graph<W>*>(given.get()), no_arc,
           finite_weights<W>(), results.get());
    APSP_CUDA_CHECK(cudaMemcpyAsync(found.data() + begin, results.get(),
                                    piece.size() * sizeof(graph_scan<W>), cudaMemcpyDeviceToHost,
                                    stream.get()));
  }
  APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  return found;
}

#define APSP_INSTANTIATE(W)                                                                       \
  template weight_range<W> find_device_weight_range(const launch_target&, const device_graph<W>&, \
                                                    const value_range<W>&, edge_fault);           \
  template void check_device_arcs(const launch_target&, const device_graph<W>&);                  \
  template std::vector<graph_scan<W>> scan_device_graphs<W>(const launch_target&,                 \
                                                            std::span<const device_graph<W>>);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::cuda
