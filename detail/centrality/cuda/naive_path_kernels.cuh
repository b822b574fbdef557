// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/grid_stride.cuh"
#include "../../per_source/search/cuda/relaxation.cuh"
#include "../path_arcs.hpp"
#include "path_tile_kernels.cuh"

// Shortest paths by one thread for each source, to compare with: passes over all vertices until
// nothing changes, for the distances, for the numbers of paths, and for the shares of paths that go
// on.
namespace apsp::inline v1::detail::cuda {

struct naive_path_tuning {
  unsigned threads = 128;
};
inline constexpr naive_path_tuning naive_path_settings{};

template <class C>
class naive_paths {
 public:
  /// @param distances  of all tiles.
  __device__ naive_paths(const path_tile_task<C>& task, C* distances, std::size_t source)
      : task_(task),
        source_(task.sources[source]),
        tile_(source / path_tile_lanes),
        lane_(static_cast<unsigned>(source % path_tile_lanes)),
        first_(tile_ * task.into.num_vertices * path_tile_lanes + lane_),
        distances_(distances) {}

  __device__ path_tile_outcome run() const {
    if (!find_distances()) return path_tile_outcome::stopped;
    if (!task_.counts()) {
      mark_tight_arcs();
      return path_tile_outcome::finished;
    }
    const path_tile_outcome outcome = find_counts();
    if (outcome != path_tile_outcome::finished || !task_.adds_shares()) return outcome;
    if (!find_shares()) return path_tile_outcome::stopped;
    add_shares();
    return path_tile_outcome::finished;
  }

 private:
  __device__ std::int32_t num_vertices() const {
    return static_cast<std::int32_t>(task_.into.num_vertices);
  }
  template <class X>
  __device__ X& entry(X* rows, std::int32_t v) const {
    return rows[first_ + static_cast<std::size_t>(v) * path_tile_lanes];
  }
  __device__ C distance(std::int32_t v) const { return entry(distances_, v); }
  __device__ double count(std::int32_t v) const { return entry(task_.memory.counts, v); }
  __device__ double share(std::int32_t v) const { return entry(task_.memory.shares, v); }

  /// Calls pass() until it returns false; returns false if a stop is requested.
  template <class Pass>
  __device__ bool repeat(Pass pass) const {
    while (pass()) {
      if (task_.stop != nullptr && read_shared_word(task_.stop) != 0) return false;
    }
    return true;
  }
  template <class F>
  __device__ void for_each_arc_into(std::int32_t v, F f) const {
    for (auto a = task_.into.offsets[v]; a < task_.into.offsets[v + 1]; ++a) {
      f(task_.into.targets[a], task_.into.weights[a]);
    }
  }
  /// Calls f(target, number) for the arcs out of a vertex that are on paths.
  template <class F>
  __device__ void for_each_tight_arc_from(std::int32_t v, F f) const {
    for (auto a = task_.out_offsets[v]; a < task_.out_offsets[v + 1]; ++a) {
      const std::int32_t w = task_.out_targets[a];
      const C weight = task_.into.weights[task_.out_positions[a]];
      if (is_tight_arc(distance(v), weight, distance(w), task_.tolerance)) f(w, a);
    }
  }

  __device__ bool find_distances() const {
    for (std::int32_t v = 0; v < num_vertices(); ++v) {
      entry(distances_, v) = v == source_ ? C{} : unreached<C>;
    }
    return repeat([&] {
      bool has_changed = false;
      for (std::int32_t v = 0; v < num_vertices(); ++v) {
        C best = distance(v);
        for_each_arc_into(v, [&](std::int32_t u, C weight) {
          const C here = distance(u);
          if (here != unreached<C> && here + weight < best) best = here + weight;
        });
        has_changed = has_changed || best < distance(v);
        entry(distances_, v) = best;
      }
      return has_changed;
    });
  }

  /// Notes the lane of the source at the arcs on its paths.
  __device__ void mark_tight_arcs() const {
    std::uint32_t* const tight = task_.memory.tight + tile_ * task_.into.num_edges;
    for (std::int32_t v = 0; v < num_vertices(); ++v) {
      for_each_tight_arc_from(v, [&](std::int32_t, std::int64_t a) {
        atomicOr(tight + task_.out_positions[a], 1u << lane_);
      });
    }
  }

  __device__ path_tile_outcome find_counts() const {
    for (std::int32_t v = 0; v < num_vertices(); ++v) {
      entry(task_.memory.counts, v) = v == source_ ? 1 : 0;
    }
    bool are_in_range = true;
    const bool has_counts = repeat([&] {
      bool has_changed = false;
      for (std::int32_t v = 0; v < num_vertices(); ++v) {
        if (v == source_) continue;
        double sum = 0;
        for_each_arc_into(v, [&](std::int32_t u, C weight) {
          if (is_tight_arc(distance(u), weight, distance(v), task_.tolerance)) sum += count(u);
        });
        are_in_range = are_in_range && sum <= most_paths;
        has_changed = has_changed || sum != count(v);
        entry(task_.memory.counts, v) = sum;
      }
      return has_changed && are_in_range;
    });
    if (!has_counts) return path_tile_outcome::stopped;
    return are_in_range ? path_tile_outcome::finished : path_tile_outcome::not_possible;
  }

  __device__ bool find_shares() const {
    for (std::int32_t v = 0; v < num_vertices(); ++v) entry(task_.memory.shares, v) = 0;
    return repeat([&] {
      bool has_changed = false;
      for (std::int32_t v = num_vertices() - 1; v >= 0; --v) {
        if (distance(v) == unreached<C>) continue;
        double sum = 0;
        for_each_tight_arc_from(v, [&](std::int32_t w, std::int64_t) { sum += share(w); });
        sum += 1 / count(v);
        has_changed = has_changed || sum != share(v);
        entry(task_.memory.shares, v) = sum;
      }
      return has_changed;
    });
  }

  __device__ void add_shares() const {
    double num_reached = 0;
    for (std::int32_t v = 0; v < num_vertices(); ++v) {
      if (distance(v) == unreached<C>) continue;
      double sum = 0;
      for_each_tight_arc_from(v, [&](std::int32_t w, std::int64_t a) {
        sum += share(w);
        if (task_.scores_arcs) {
          task_.of_arcs.add(static_cast<std::size_t>(a), count(v) * share(w));
        }
      });
      if (v == source_) continue;
      num_reached += 1;
      const double end = task_.with_ends ? 1 : 0;
      task_.of_vertices.add(static_cast<std::size_t>(v), count(v) * sum + end);
    }
    if (task_.with_ends) task_.of_vertices.add(static_cast<std::size_t>(source_), num_reached);
  }

  const path_tile_task<C>& task_;
  std::int32_t source_;
  std::size_t tile_;
  unsigned lane_;
  std::size_t first_;  ///< The entry of vertex 0.
  C* distances_;
};

template <class C>
__global__ void naive_path_kernel(const __grid_constant__ path_tile_task<C> task, C* distances) {
  for (std::size_t s = first_index(); s < task.num_sources; s += index_stride()) {
    const path_tile_outcome outcome = naive_paths<C>(task, distances, s).run();
    if (outcome != path_tile_outcome::finished) atomicMax(task.outcome, static_cast<int>(outcome));
  }
}

}  // namespace apsp::inline v1::detail::cuda
