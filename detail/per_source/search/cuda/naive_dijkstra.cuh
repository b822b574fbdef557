// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../host/monitor.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "relaxation.cuh"

namespace apsp::inline v1::detail::cuda {

struct naive_dijkstra_tuning {
  /// Sources that are adjacent in memory: a warp reads whole sectors.
  unsigned lanes = 32;
  unsigned threads_per_block = 64;
  unsigned setup_threads_per_block = 256;
  /// Distances that a thread inspects between two checks for a stop by the host: some milliseconds
  /// if there are few sources, some tens of milliseconds if the device is full.
  std::size_t entries_per_launch = 131072;
};
inline constexpr naive_dijkstra_tuning naive_dijkstra_launch{};

template <class C>
__global__ void start_at_sources_kernel(const std::int32_t* sources, std::size_t num_sources,
                                        batch_layout layout, std::size_t n, C* distances) {
  for (std::size_t s = first_index(); s < num_sources; s += index_stride()) {
    distances[layout.index(s, static_cast<std::size_t>(sources[s]), n)] = C{};
  }
}

/// Searches of which each launch does some steps. Between launches the whole state is in
/// `distances` and `settled`.
template <class C>
struct naive_searches {
  device_arcs<C> arcs;
  C limit;
  std::size_t num_sources;
  batch_layout layout;
  C* distances;
  unsigned char* settled;
  int* unfinished;  ///< Set if a source may have open vertices left.
};

/// One thread per source settles up to @p num_steps vertices.
template <class C>
__global__ void settle_nearest_kernel(naive_searches<C> searches, std::size_t num_steps) {
  const device_arcs<C>& arcs = searches.arcs;
  const batch_layout& layout = searches.layout;
  const std::size_t n = arcs.num_vertices;
  const std::size_t s = first_index();
  if (s >= searches.num_sources) return;
  const std::size_t begin = layout.index(s, 0, n);
  C* const distances = searches.distances + begin;
  unsigned char* const settled = searches.settled + begin;

  for (std::size_t step = 0; step < num_steps; ++step) {
    std::size_t nearest = n;
    C distance = unreached<C>;
    for (std::size_t v = 0; v < n; ++v) {
      const C candidate = distances[v * layout.lanes];
      if (candidate < distance && !settled[v * layout.lanes]) {
        distance = candidate;
        nearest = v;
      }
    }
    if (nearest == n) return;
    settled[nearest * layout.lanes] = 1;
    for (std::int64_t a = arcs.offsets[nearest]; a < arcs.offsets[nearest + 1]; ++a) {
      const C weight = arcs.weights[a];
      if (!may_extend(distance, weight, searches.limit)) continue;
      C& entry = distances[static_cast<std::size_t>(arcs.targets[a]) * layout.lanes];
      const C through = distance + weight;
      if (through < entry) entry = through;
    }
  }
  *searches.unfinished = 1;
}

/// Dijkstra's algorithm, one thread per source, with a scan for the nearest vertex: O(n^2 + m) per
/// source. Source: Dijkstra 1959.
template <class C>
class naive_dijkstra final : public batch_solver<C> {
 public:
  naive_dijkstra(const device_arcs<C>& arcs, const per_source_problem<C>& problem,
                 cudaStream_t stream)
      : arcs_(arcs),
        limit_(problem.limit),
        stream_(stream),
        enough_sources_(
            concurrent_blocks(settle_nearest_kernel<C>, naive_dijkstra_launch.threads_per_block) *
            naive_dijkstra_launch.threads_per_block) {}

  batch_layout layout() const override { return {naive_dijkstra_launch.lanes}; }
  std::size_t concurrent_sources() const override { return enough_sources_; }

  std::size_t workspace_bytes(std::size_t num_sources) const override {
    return saturated_sum(num_entries(num_sources), sizeof(int));
  }
  void reserve(std::size_t num_sources, const monitor&, std::size_t bytes_needed) override {
    unfinished_ = device_flag(stream_, bytes_needed);
    settled_ = device_buffer<unsigned char>(num_entries(num_sources), stream_, bytes_needed);
  }

  solve_outcome solve(const source_batch<C>& batch, monitor& watch) override {
    if (batch.num_sources == 0) return solve_outcome::finished;
    start(batch);
    constexpr unsigned threads = naive_dijkstra_launch.threads_per_block;
    const naive_searches<C> searches{.arcs = arcs_,
                                     .limit = limit_,
                                     .num_sources = batch.num_sources,
                                     .layout = layout(),
                                     .distances = batch.distances,
                                     .settled = settled_.get(),
                                     .unfinished = unfinished_.get()};
    do {
      if (watch.stop_requested()) return solve_outcome::stopped;
      unfinished_.clear();
      launch("settle_nearest_kernel", {grid_size(batch.num_sources, threads), threads, stream_},
             settle_nearest_kernel<C>, searches, steps_per_launch());
    } while (unfinished_.read());
    return solve_outcome::finished;
  }

 private:
  std::size_t num_entries(std::size_t num_sources) const {
    return saturated_product(layout().padded(num_sources), arcs_.num_vertices);
  }
  std::size_t steps_per_launch() const {
    const std::size_t n = arcs_.num_vertices;
    return std::max<std::size_t>(
        naive_dijkstra_launch.entries_per_launch / (n + arcs_.num_edges / n), 1);
  }

  void start(const source_batch<C>& batch) {
    constexpr unsigned threads = naive_dijkstra_launch.setup_threads_per_block;
    const std::size_t size = num_entries(batch.num_sources);
    APSP_CUDA_CHECK(cudaMemsetAsync(settled_.get(), 0, size, stream_));
    launch("fill_kernel", {grid_size(size, threads), threads, stream_}, fill_kernel<C>,
           batch.distances, size, no_path<C>());
    launch("start_at_sources_kernel", {grid_size(batch.num_sources, threads), threads, stream_},
           start_at_sources_kernel<C>, batch.sources, batch.num_sources, layout(),
           arcs_.num_vertices, batch.distances);
  }

  device_arcs<C> arcs_;
  C limit_;
  cudaStream_t stream_;
  std::size_t enough_sources_;
  device_flag unfinished_;
  device_buffer<unsigned char> settled_;  ///< In the layout of the distances.
};

}  // namespace apsp::inline v1::detail::cuda
