// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cuda/functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "../../../device/buffer.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/reduction.cuh"
#include "../../../device/warp.hpp"
#include "../../../graph/hubs.hpp"
#include "../../../host/monitor.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/graph_on_device.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "../../search/cuda/arc_pruning.cuh"
#include "../../search/cuda/batched_bellman_ford.cuh"
#include "../../search/cuda/few_sources.cuh"
#include "../../search/cuda/pull_bellman_ford.cuh"
#include "batch_memory.cuh"
#include "graph_survey.hpp"

namespace apsp::inline v1::detail::cuda {

/// Chooses how Bellman–Ford's algorithm runs under `cuda_tiled`: from a few sources one after
/// another, or in tiles of sources whose vertices push or pull.
template <class C, class Join>
class bellman_ford_choice {
 public:
  /// @param graph        with the outgoing arcs. The incoming ones are added if they are needed.
  /// @param num_sources  that the device is likely to solve.
  bellman_ford_choice(const per_source_problem<C>& problem, graph_on_device<C>& graph,
                      const batch_memory<C>& memory, std::size_t num_sources, monitor& watch,
                      cudaStream_t stream)
      : problem_(problem),
        graph_(graph),
        memory_(memory),
        num_sources_(num_sources),
        watch_(watch),
        stream_(stream),
        n_(problem.arcs.num_vertices()),
        m_(problem.arcs.num_edges()) {}

  std::unique_ptr<batch_solver<C>> make() {
    const bool has_short_lists = m_ <= n_ * batched.most_arcs_to_search;
    const std::size_t num_iterations = most_single_iterations(m_, num_multiprocessors());
    const std::size_t all_sources = problem_.sources.size();
    const bool may_be_few = are_few(all_sources, 1, num_iterations);
    const search_extent search =
        has_short_lists || may_be_few ? search_from_sources(problem_) : search_extent{};
    const std::size_t vertices_per_round =
        has_short_lists ? search.vertices_per_round : std::numeric_limits<std::size_t>::max();
    const bool is_few = may_be_few && are_few(all_sources, search.rounds, num_iterations);
    solver_ptr tiles;
    if (!is_few && vertices_per_round >= pulled.least_vertices_per_round) tiles = pulled_tiles();
    if (tiles == nullptr) {
      tiles =
          pushed_tiles(vertices_per_round < batched.narrow_below ? batched.narrow : batched.medium);
    }
    if (!is_few) return tiles;
    auto few = std::make_unique<few_sources_bellman_ford<C, Join>>(
        graph_.outgoing(), problem_, std::move(tiles), num_iterations, stream_);
    // Tiles alone need less memory.
    if (memory_.bytes(*few, all_sources, 1) <= graph_.bytes_left()) return few;
    return std::move(*few).tiles();
  }

 private:
  using solver_ptr = std::unique_ptr<batch_solver<C>>;

  solver_ptr pushed_tiles(const source_tile_shape& shape) const {
    const C width =
        may_use_buckets() ? bucket_width(shape, mean_weight(problem_.arcs)) : C{Join::none};
    return std::make_unique<batched_bellman_ford<C, Join>>(graph_.outgoing(), problem_, shape,
                                                           width, stream_);
  }
  /// Buckets require that extending a path never makes it shorter, and that weights add up to
  /// distances.
  bool may_use_buckets() const { return Join::is_sum && !problem_.has_negative_weight && m_ != 0; }
  C bucket_width(const source_tile_shape& shape, double mean) const {
    if (shape.bucket_width == 0) return Join::none;
    const double width = shape.bucket_width * mean;
    if (!(width < static_cast<double>(problem_.limit))) return no_path<C>();
    return std::is_integral_v<C> ? static_cast<C>(std::max(width, 1.0)) : static_cast<C>(width);
  }

  /// Null if pushing is faster or necessary: there are too few sources, the bits of the vertices do
  /// not fit into the memory of a block, or the arcs in both directions and enough sources do not
  /// fit into that of the device.
  solver_ptr pulled_tiles() {
    const bool has_incoming = graph_.incoming().offsets != nullptr;
    const std::size_t more = has_incoming ? 0 : graph_.bytes_of_arcs();
    const bool may_be_wide = fill(num_sources_, pulled.wide_row / sizeof(C));
    const bool may_be_narrow = m_ / n_ >= pulled.narrow_arcs_per_vertex;
    if (!(may_be_wide || may_be_narrow) || more > graph_.bytes_left() ||
        !pull_bellman_ford<C, Join, pulled.wide_row>::is_possible(n_, m_)) {
      return nullptr;
    }
    if (!has_incoming) {
      graph_.count(more);
      graph_.make_incoming();
    }
    double heaviest = heaviest_whole_weight<C>::no_whole_number;
    if constexpr (Join::is_sum) {
      const heaviest_whole_weight<C> of{graph_.outgoing().weights};
      heaviest = reduce_over(m_, ::cuda::maximum<>{}, of, 0.0, stream_);
      if (!problem_.has_negative_weight) prune(heaviest);
    }
    if (may_be_wide) {
      auto wide = pull<pulled.wide_row>(heaviest);
      if (is_filled(*wide)) return wide;
    }
    auto narrow = pull<pulled.narrow_row>(heaviest);
    if (is_filled(*narrow) || num_sources_ <= sources_that_fit(*narrow)) return narrow;
    narrow.reset();
    if (!has_incoming) graph_.free_incoming();
    return nullptr;
  }
  template <unsigned RowBytes>
  auto pull(double heaviest) const {
    return std::make_unique<pull_bellman_ford<C, Join, RowBytes>>(
        graph_.outgoing(), graph_.incoming(), problem_, heaviest, stream_);
  }
  void prune(double heaviest) {
    using pruning = arc_pruning<C>;
    if (!pruning::is_worth_trying(n_, m_, num_sources_)) return;
    const std::size_t bytes = pruning::workspace_bytes(n_, m_);
    if (bytes > std::min(graph_.bytes_left(), available_bytes())) return;
    pruning search(graph_.outgoing(), graph_.incoming(), heaviest, stream_, graph_.bytes() + bytes);
    auto kept = search.run(vertices_of_largest_degree(problem_.arcs, warp_size));
    if (!kept) return;
    watch_.note_arcs_left_out(m_ - kept->outgoing.get().num_edges);
    graph_.replace(std::move(kept->outgoing), std::move(kept->incoming));
  }

  std::size_t sources_that_fit(const batch_solver<C>& solver) const {
    return memory_.sources_that_fit(solver, graph_.bytes_left(), 1);
  }
  /// True if tiles of these sources occupy most multiprocessors.
  static bool fill(std::size_t num_sources, std::size_t sources_per_tile) {
    return num_sources / sources_per_tile >= num_multiprocessors() * 3 / 4;
  }
  template <class Solver>
  bool is_filled(const Solver& solver) const {
    return fill(std::min(num_sources_, sources_that_fit(solver)), solver.sources_per_tile());
  }

  const per_source_problem<C>& problem_;
  graph_on_device<C>& graph_;
  const batch_memory<C>& memory_;
  std::size_t num_sources_;
  monitor& watch_;
  cudaStream_t stream_;
  std::size_t n_;
  std::size_t m_;
};

}  // namespace apsp::inline v1::detail::cuda
