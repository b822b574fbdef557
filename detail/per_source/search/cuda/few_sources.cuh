// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "../../../../apsp/policy.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../host/monitor.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "naive_bellman_ford.cuh"

// Bellman–Ford from a few sources. Tiles of them, one per block (batched_bellman_ford.cuh), would
// leave most of the device idle, so the sources are solved one after another on all
// multiprocessors.
namespace apsp::inline v1::detail::cuda {

/// Time of one iteration for a single source, expressed in arcs that a tile relaxes in that time.
/// Measured on an H200, on graphs of 4096 to 17 million arcs.
struct few_sources_tuning {
  /// Fixed part, for start and end of the iteration.
  std::size_t arcs_per_iteration = 400;
  /// Arcs of such an iteration per arc of a tile, on each multiprocessor.
  std::size_t times_faster = 45;
  /// Iterations that weights add to those of a search that ignores weights.
  std::size_t extra_iterations = 10;
  unsigned threads_per_block = 256;
};
inline constexpr few_sources_tuning few_sources{};

/// The iterations that single sources, one after another, can take in the time of one tile.
constexpr std::size_t most_single_iterations(std::size_t num_edges, std::size_t multiprocessors) {
  return num_edges / (few_sources.arcs_per_iteration +
                      num_edges / (few_sources.times_faster * multiprocessors));
}

/// True if solving for that many sources one after another is faster.
/// @param search_rounds   rounds of a search from one of them.
/// @param num_iterations  `most_single_iterations` of the graph.
constexpr bool are_few(std::size_t num_sources, std::size_t search_rounds,
                       std::size_t num_iterations) {
  return num_sources <= num_iterations / (search_rounds + few_sources.extra_iterations);
}

/// Copies @p row to row @p s of a batch.
template <class C>
__global__ void place_row_kernel(const C* row, std::size_t s, std::size_t n, batch_layout layout,
                                 C* distances) {
  for (std::size_t v = first_index(); v < n; v += index_stride()) {
    distances[layout.index(s, v, n)] = row[v];
  }
}

/// The number of iterations of a source is only known once they are done. When the sources of a
/// call together have used up their limit, the current batch starts again in
/// tiles, and all later batches use tiles: the call has then lost about the time of one tile.
template <class C, class Join>
class few_sources_bellman_ford final : public batch_solver<C> {
 public:
  /// @param tiles           the solver that uses tiles.
  /// @param num_iterations  limit on the iterations of all sources together.
  few_sources_bellman_ford(const device_arcs<C>& arcs, const per_source_problem<C>& problem,
                           std::unique_ptr<batch_solver<C>> tiles, std::size_t num_iterations,
                           cudaStream_t stream)
      : num_vertices_(arcs.num_vertices),
        tiles_(std::move(tiles)),
        singles_(arcs, {}, problem, {relaxations::by_edge}, stream),
        iterations_left_(num_iterations),
        stream_(stream) {}

  batch_layout layout() const override { return tiles_->layout(); }
  std::size_t concurrent_sources() const override { return tiles_->concurrent_sources(); }
  std::size_t workspace_bytes(std::size_t num_sources) const override {
    const std::size_t of_singles =
        saturated_sum(singles_.workspace_bytes(1), saturated_product(num_vertices_, sizeof(C)));
    return saturated_sum(of_singles, tiles_->workspace_bytes(num_sources));
  }
  void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) override {
    tiles_->reserve(num_sources, watch, bytes_needed);
    singles_.reserve(1, watch, bytes_needed);
    row_ = {num_vertices_, stream_, bytes_needed};
  }

  solve_outcome solve(const source_batch<C>& batch, monitor& watch) override {
    constexpr unsigned threads = few_sources.threads_per_block;
    for (std::size_t s = 0; s < batch.num_sources; ++s) {
      // A source that needs more than n + 1 has a cycle that rounding makes negative; tiles report
      // it.
      const std::size_t most = std::min(iterations_left_, num_vertices_ + 1);
      std::size_t left = most;
      const std::optional<solve_outcome> outcome =
          singles_.solve_within(left, batch.sources + s, row_.get(), watch);
      iterations_left_ -= most - left;
      if (!outcome) return tiles_->solve(batch, watch);
      if (*outcome != solve_outcome::finished) return *outcome;
      launch("place_row_kernel", {grid_size(num_vertices_, threads), threads, stream_},
             place_row_kernel<C>, row_.get(), s, num_vertices_, layout(), batch.distances);
    }
    return solve_outcome::finished;
  }

  /// Releases the solver that uses tiles, for a call without enough memory for both solvers.
  std::unique_ptr<batch_solver<C>> tiles() && { return std::move(tiles_); }

 private:
  std::size_t num_vertices_;
  std::unique_ptr<batch_solver<C>> tiles_;
  naive_bellman_ford<C, Join> singles_;
  std::size_t iterations_left_;
  cudaStream_t stream_;
  device_buffer<C> row_;
};

}  // namespace apsp::inline v1::detail::cuda
