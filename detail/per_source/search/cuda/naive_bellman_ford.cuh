// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../../../apsp/policy.hpp"
#include "../../../device/atomic_minimum.cuh"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../host/monitor.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "relaxation.cuh"

namespace apsp::inline v1::detail::cuda {

struct naive_bellman_ford_tuning {
  unsigned threads_per_block = 256;
};
inline constexpr naive_bellman_ford_tuning naive_bellman_ford_launch{};

/// Initially only the source has a distance. @p updated and @p has_sunk may be null.
template <class C, class Join>
__global__ void start_at_source_kernel(const std::int32_t* source, std::size_t n, C* distances,
                                       C* updated, unsigned char* has_sunk) {
  const auto first = static_cast<std::size_t>(*source);
  for (std::size_t v = first_index(); v < n; v += index_stride()) {
    const C distance = v == first ? C{Join::start} : C{Join::none};
    distances[v] = distance;
    if (updated != nullptr) updated[v] = distance;
    if (has_sunk != nullptr) has_sunk[v] = v == first;
  }
}

// The kernels below decrease distances while other threads read them. A value read may be outdated,
// and is then too large: the thread that decreased it has set `changed`, so another iteration
// follows.

/// Relaxes one arc with an atomic minimum; returns true if this decreased the distance of @p
/// target.
template <class Join, class C>
__device__ __forceinline__ bool relax_arc(C* distances, C distance, C weight, std::int32_t target,
                                          C limit) {
  if (!Join::may_extend(distance, weight, limit)) return false;
  const C through = Join::join(distance, weight);
  C* const entry = distances + target;
  // Most arcs decrease nothing, and a read is cheaper than an atomic.
  return through < *entry && through < atomic_minimum(entry, through);
}

/// Relaxes the arcs of every vertex whose distance has decreased, into the new distances of its
/// neighbours.
template <class C, class Join>
__global__ void scatter_kernel(device_arcs<C> arcs, C limit, const C* distances, C* updated,
                               unsigned char* has_sunk) {
  for (std::size_t u = first_index(); u < arcs.num_vertices; u += index_stride()) {
    if (!has_sunk[u]) continue;
    has_sunk[u] = 0;
    const C distance = distances[u];
    for (std::int64_t a = arcs.offsets[u]; a < arcs.offsets[u + 1]; ++a) {
      relax_arc<Join>(updated, distance, arcs.weights[a], arcs.targets[a], limit);
    }
  }
}

/// Adopts the new distances.
template <class C>
__global__ void check_kernel(std::size_t n, C* distances, const C* updated, unsigned char* has_sunk,
                             int* changed) {
  for (std::size_t v = first_index(); v < n; v += index_stride()) {
    if (!(updated[v] < distances[v])) continue;
    distances[v] = updated[v];
    has_sunk[v] = 1;
    *changed = 1;
  }
}

/// Each thread relaxes a few arcs, interleaved with those of neighbouring threads.
template <class C, class Join>
__global__ void relax_edges_kernel(device_arcs<C> arcs, const std::int32_t* starts, C limit,
                                   C* distances, int* changed) {
  bool lowered = false;
  for (std::size_t a = first_index(); a < arcs.num_edges; a += index_stride()) {
    const C distance = distances[starts[a]];
    if (!(distance < Join::none)) continue;
    lowered |= relax_arc<Join>(distances, distance, arcs.weights[a], arcs.targets[a], limit);
  }
  if (lowered) *changed = 1;
}

template <class C, class Join>
__global__ void relax_outgoing_kernel(device_arcs<C> arcs, C limit, C* distances, int* changed) {
  bool lowered = false;
  for (std::size_t u = first_index(); u < arcs.num_vertices; u += index_stride()) {
    const C distance = distances[u];
    if (!(distance < Join::none)) continue;
    for (std::int64_t a = arcs.offsets[u]; a < arcs.offsets[u + 1]; ++a) {
      lowered |= relax_arc<Join>(distances, distance, arcs.weights[a], arcs.targets[a], limit);
    }
  }
  if (lowered) *changed = 1;
}

/// @param incoming  the reversed arcs. Each vertex is written only by its own thread, so no atomics
///                  are needed.
template <class C, class Join>
__global__ void relax_incoming_kernel(device_arcs<C> incoming, C limit, C* distances,
                                      int* changed) {
  bool lowered = false;
  for (std::size_t v = first_index(); v < incoming.num_vertices; v += index_stride()) {
    const C before = distances[v];
    C least = before;
    for (std::int64_t a = incoming.offsets[v]; a < incoming.offsets[v + 1]; ++a) {
      const C distance = distances[incoming.targets[a]];
      const C weight = incoming.weights[a];
      if (!(distance < Join::none) || !Join::may_extend(distance, weight, limit)) continue;
      const C through = Join::join(distance, weight);
      if (through < least) least = through;
    }
    if (least < before) {
      distances[v] = least;
      lowered = true;
    }
  }
  if (lowered) *changed = 1;
}

/// Bellman–Ford for one source after another: every iteration relaxes the arcs in one or two
/// kernels, and the host checks whether a distance has decreased. O(n m) per source. Sources:
/// Bellman 1958; Harish and Narayanan 2007.
template <class C, class Join>
class naive_bellman_ford final : public batch_solver<C> {
 public:
  static bool needs_incoming(relaxation_strategy strategy) {
    return strategy.kind == relaxations::by_incoming_edges;
  }

  /// @param incoming  the reversed arcs; empty unless `needs_incoming(strategy)`.
  naive_bellman_ford(const device_arcs<C>& arcs, const device_arcs<C>& incoming,
                     const per_source_problem<C>& problem, relaxation_strategy strategy,
                     cudaStream_t stream)
      : arcs_(arcs),
        incoming_(incoming),
        limit_(problem.limit),
        strategy_(strategy),
        stream_(stream) {}

  batch_layout layout() const override { return {}; }
  std::size_t concurrent_sources() const override { return 1; }

  std::size_t workspace_bytes(std::size_t) const override {
    return saturated_sum(saturated_product(num_checked(), sizeof(C) + sizeof(unsigned char)),
                         saturated_sum(num_starts() * sizeof(std::int32_t), sizeof(int)));
  }
  void reserve(std::size_t, const monitor&, std::size_t bytes_needed) override {
    changed_ = device_flag(stream_, bytes_needed);
    updated_ = device_buffer<C>(num_checked(), stream_, bytes_needed);
    has_sunk_ = device_buffer<unsigned char>(num_checked(), stream_, bytes_needed);
    starts_ = device_buffer<std::int32_t>(num_starts(), stream_, bytes_needed);
    if (num_starts() != 0) {
      launch("find_arc_starts_kernel", shape_for(num_starts()), find_arc_starts_kernel<C>, arcs_,
             starts_.get());
    }
  }

  solve_outcome solve(const source_batch<C>& batch, monitor& watch) override {
    for (std::size_t s = 0; s < batch.num_sources; ++s) {
      C* const row = batch.distances + layout().index(s, 0, arcs_.num_vertices);
      // A path has at most n - 1 arcs, and the last iteration changes nothing.
      std::size_t iterations_left = arcs_.num_vertices + 1;
      const solve_outcome outcome = solve_within(iterations_left, batch.sources + s, row, watch)
                                        .value_or(solve_outcome::not_converged);
      if (outcome != solve_outcome::finished) return outcome;
    }
    return solve_outcome::finished;
  }

  /// Solves for one source, whose row is @p distances.
  /// @param iterations_left  the limit on iterations; decreased by the number of iterations done.
  /// @return nothing if the limit was reached.
  std::optional<solve_outcome> solve_within(std::size_t& iterations_left,
                                            const std::int32_t* source, C* distances,
                                            monitor& watch) {
    const std::size_t n = arcs_.num_vertices;
    launch("start_at_source_kernel", shape_for(n), start_at_source_kernel<C, Join>, source, n,
           distances, updated_.get(), has_sunk_.get());
    while (iterations_left != 0) {
      --iterations_left;
      if (watch.stop_requested()) return solve_outcome::stopped;
      changed_.clear();
      relax(distances);
      if (!changed_.read()) return solve_outcome::finished;
    }
    return std::nullopt;
  }

 private:
  std::size_t num_checked() const {
    return strategy_.kind == relaxations::scatter_and_check ? arcs_.num_vertices : 0;
  }
  std::size_t num_starts() const {
    return strategy_.kind == relaxations::by_edge ? arcs_.num_edges : 0;
  }
  launch_shape shape_for(std::size_t num_threads) const {
    constexpr unsigned threads = naive_bellman_ford_launch.threads_per_block;
    return {grid_size(num_threads, threads), threads, stream_};
  }

  void relax(C* distances) {
    const std::size_t n = arcs_.num_vertices;
    switch (strategy_.kind) {
      case relaxations::scatter_and_check:
        launch("scatter_kernel", shape_for(n), scatter_kernel<C, Join>, arcs_, limit_, distances,
               updated_.get(), has_sunk_.get());
        launch("check_kernel", shape_for(n), check_kernel<C>, n, distances, updated_.get(),
               has_sunk_.get(), changed_.get());
        break;
      case relaxations::by_edge: {
        const auto per_thread = static_cast<std::size_t>(std::max(strategy_.edges_per_thread, 1));
        launch("relax_edges_kernel", shape_for((arcs_.num_edges + per_thread - 1) / per_thread),
               relax_edges_kernel<C, Join>, arcs_, starts_.get(), limit_, distances,
               changed_.get());
        break;
      }
      case relaxations::by_outgoing_edges:
        launch("relax_outgoing_kernel", shape_for(n), relax_outgoing_kernel<C, Join>, arcs_, limit_,
               distances, changed_.get());
        break;
      case relaxations::by_incoming_edges:
        launch("relax_incoming_kernel", shape_for(n), relax_incoming_kernel<C, Join>, incoming_,
               limit_, distances, changed_.get());
        break;
    }
  }

  device_arcs<C> arcs_;
  device_arcs<C> incoming_;
  C limit_;
  relaxation_strategy strategy_;
  cudaStream_t stream_;
  device_flag changed_;
  device_buffer<C> updated_;               ///< Of `scatter_and_check`.
  device_buffer<unsigned char> has_sunk_;  ///< Of `scatter_and_check`.
  device_buffer<std::int32_t> starts_;     ///< Of `by_edge`.
};

}  // namespace apsp::inline v1::detail::cuda
