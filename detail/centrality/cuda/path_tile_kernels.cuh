// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../device/warp.hpp"
#include "../../per_source/problem/cuda/source_batch.cuh"
#include "../../per_source/search/cuda/relaxation.cuh"
#include "../path_arcs.hpp"
#include "exact_sums.cuh"
#include "path_tiles.hpp"

// Numbers of shortest paths from the distances of a tile of sources, by one block, a lane of each
// warp for each source.
//
// In each round, the paths to a vertex are counted in the lanes in which those to all vertices
// before it have been counted in earlier rounds: each number is computed once. Rounds in the
// opposite order then find the shares of paths that go on from each vertex.
namespace apsp::inline v1::detail::cuda {

struct path_tile_tuning {
  unsigned threads = 1024;
};
inline constexpr path_tile_tuning path_tile_settings{};

/// The paths to a vertex that are counted in one round.
struct counted_vertex {
  std::int32_t vertex;
  std::uint32_t lanes;
};

/// Memory of a tile.
struct path_tile_memory {
  double* counts;  ///< A row of lanes for each vertex.
  double* shares;  ///< The same. Of a single path to the vertex: the part of the paths through it.
  std::uint32_t* tight;    ///< Of each arc into a vertex: the lanes in which it is on paths.
  std::uint32_t* pending;  ///< Of each vertex: the lanes with paths that are not yet counted.
  counted_vertex* counted;
  std::uint32_t* rounds;  ///< Where the vertices that are counted in each round begin.
};

enum class path_tile_outcome : int { finished, stopped, not_possible };

template <class C>
struct path_tile_task {
  device_arcs<C> into;
  const std::int64_t* out_offsets;
  const std::int32_t* out_targets;
  const std::uint32_t* out_positions;  ///< Where each arc out of a vertex is in `into`.
  std::size_t num_sources;
  const std::int32_t* sources;
  const C* distances;
  C tolerance;
  path_tile_memory memory;  ///< Of the first tile; that of the others follows.
  path_values wanted;
  bool with_ends;
  bool scores_arcs;
  exact_sums of_vertices;
  exact_sums of_arcs;
  const int* stop;
  int* outcome;  ///< The worst `path_tile_outcome` of a tile.

  __device__ bool counts() const { return wanted != path_values::arcs; }
  __device__ bool adds_shares() const { return wanted == path_values::shares; }
  static constexpr __host__ __device__ std::size_t most_counted(std::size_t num_vertices) {
    return num_vertices * path_tile_lanes;
  }
};

/// True if an arc between vertices at two distances is on a shortest path.
template <class C>
__device__ __forceinline__ bool is_tight_arc(C here, C weight, C there, C tolerance) {
  if constexpr (std::is_integral_v<C>) {
    // Without a path to either end the difference is not the weight, which is above 0.
    const auto difference = static_cast<std::uint32_t>(there) - static_cast<std::uint32_t>(here);
    return there != unreached<C> && difference == static_cast<std::uint32_t>(weight);
  } else {
    return here < there && there < unreached<C> && here + weight <= there + tolerance * there;
  }
}

/// The tile of a block. The block's dynamic shared memory has `bit_bytes`.
template <class C>
class path_tile {
 public:
  static constexpr std::size_t bit_bytes(std::size_t num_vertices) {
    return (num_vertices + warp_size - 1) / warp_size * sizeof(std::uint32_t);
  }

  struct shared_state {
    std::uint32_t num_counted;
    int has_failed;
    unsigned num_reached[path_tile_lanes];
  };

  __device__ path_tile(const path_tile_task<C>& task, std::size_t tile, shared_state& shared)
      : task_(task), shared_(shared), tile_(tile), n_(task.into.num_vertices) {
    const std::size_t m = task.into.num_edges;
    const std::size_t row = n_ * path_tile_lanes;
    distances_ = task.distances + tile * row;
    memory_ = task.memory;
    memory_.tight += tile * m;
    if (!task.counts()) return;
    memory_.counts += tile * row;
    if (task.adds_shares()) memory_.shares += tile * row;
    memory_.pending += tile * n_;
    memory_.counted += tile * task.most_counted(n_);
    memory_.rounds += tile * (n_ + 2);
  }

  __device__ path_tile_outcome run() {
    find_tight_arcs();
    if (!task_.counts()) return path_tile_outcome::finished;
    start();
    unsigned last = 0;
    for (;; ++last) {
      const path_tile_outcome outcome = count_next(last);
      if (outcome != path_tile_outcome::finished) return outcome;
      if (memory_.rounds[last + 1] == memory_.rounds[last + 2]) break;
    }
    if (!are_all_counted()) return path_tile_outcome::not_possible;
    if (!task_.adds_shares()) return path_tile_outcome::finished;
    for (unsigned round = last + 1; round-- > 0;) {
      add_shares(round);
      __syncthreads();
    }
    return path_tile_outcome::finished;
  }

 private:
  static constexpr unsigned num_warps = path_tile_settings.threads / warp_size;

  static __device__ unsigned warp() { return threadIdx.x / warp_size; }
  static __device__ unsigned lane() { return threadIdx.x % warp_size; }
  static __device__ std::uint32_t* open_bits() {
    extern __shared__ std::uint32_t path_tile_bits[];
    return path_tile_bits;
  }
  __device__ unsigned num_words() const {
    return static_cast<unsigned>((n_ + warp_size - 1) / warp_size);
  }
  template <class X>
  static __device__ X& entry(X* rows, std::size_t v) {
    return rows[v * path_tile_lanes + lane()];
  }
  __device__ static bool has(std::uint32_t lanes) { return (lanes >> lane() & 1u) != 0; }

  /// Finds the lanes in which each arc is on shortest paths, and those in which vertices have any.
  __device__ void find_tight_arcs() const {
    for (std::size_t v = warp(); v < n_; v += num_warps) {
      const C there = entry(distances_, v);
      if (task_.counts()) {
        const std::uint32_t reached = __ballot_sync(whole_warp, there != unreached<C>);
        if (lane() == 0) memory_.pending[v] = reached;
        entry(memory_.counts, v) = 0;
      }
      const auto begin = static_cast<unsigned>(task_.into.offsets[v]);
      const auto end = static_cast<unsigned>(task_.into.offsets[v + 1]);
      for (unsigned first = begin; first < end; first += warp_size) {
        const unsigned count = min(end - first, static_cast<unsigned>(warp_size));
        std::int32_t from = 0;
        C weight{};
        if (lane() < count) {
          from = task_.into.targets[first + lane()];
          weight = task_.into.weights[first + lane()];
        }
        std::uint32_t own = 0;
#pragma unroll 4
        for (unsigned i = 0; i < count; ++i) {
          const C here =
              entry(distances_, static_cast<std::size_t>(__shfl_sync(whole_warp, from, i)));
          const C length = __shfl_sync(whole_warp, weight, i);
          const std::uint32_t tight =
              __ballot_sync(whole_warp, is_tight_arc(here, length, there, task_.tolerance));
          if (lane() == i) own = tight;
        }
        if (lane() < count) memory_.tight[first + lane()] = own;
      }
    }
  }

  /// Counts the empty paths.
  __device__ void start() const {
    for (unsigned i = threadIdx.x; i < num_words(); i += path_tile_settings.threads) {
      open_bits()[i] = 0;
    }
    if (threadIdx.x < path_tile_lanes) shared_.num_reached[threadIdx.x] = 0;
    if (threadIdx.x == 0) shared_.has_failed = 0;
    __syncthreads();
    if (warp() == 0) {
      const std::size_t s = tile_ * path_tile_lanes + lane();
      const unsigned count = static_cast<unsigned>(
          min(task_.num_sources - tile_ * path_tile_lanes, std::size_t{path_tile_lanes}));
      if (lane() < count) {
        const std::int32_t v = task_.sources[s];
        entry(memory_.counts, static_cast<std::size_t>(v)) = 1;
        memory_.counted[lane()] = {v, 1u << lane()};
      }
      if (lane() == 0) {
        memory_.rounds[0] = 0;
        memory_.rounds[1] = count;
        shared_.num_counted = count;
      }
    }
    __syncthreads();
  }

  /// Ends a round, and counts the paths of the next one.
  __device__ path_tile_outcome count_next(unsigned round) const {
    const std::uint32_t begin = memory_.rounds[round];
    const std::uint32_t end = memory_.rounds[round + 1];
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += path_tile_settings.threads) {
      const counted_vertex e = memory_.counted[i];
      // Sources of several lanes may be the same vertex.
      atomicAnd(memory_.pending + e.vertex, ~e.lanes);
    }
    for (std::uint32_t i = begin + warp(); i < end; i += num_warps) {
      const counted_vertex e = memory_.counted[i];
      const auto last = static_cast<unsigned>(task_.out_offsets[e.vertex + 1]);
      for (unsigned a = static_cast<unsigned>(task_.out_offsets[e.vertex]) + lane(); a < last;
           a += warp_size) {
        if ((memory_.tight[task_.out_positions[a]] & e.lanes) == 0) continue;
        const auto v = static_cast<unsigned>(task_.out_targets[a]);
        atomicOr(open_bits() + v / warp_size, 1u << v % warp_size);
      }
    }
    const bool is_to_stop =
        threadIdx.x == 0 && task_.stop != nullptr && read_shared_word(task_.stop) != 0;
    if (__syncthreads_or(is_to_stop) != 0) return path_tile_outcome::stopped;
    for (unsigned i = warp(); i < num_words(); i += num_warps) {
      std::uint32_t vertices = open_bits()[i];
      __syncwarp();
      if (vertices == 0) continue;
      if (lane() == 0) open_bits()[i] = 0;
      for (; vertices != 0; vertices &= vertices - 1) {
        count(i * warp_size + static_cast<unsigned>(__ffs(static_cast<int>(vertices)) - 1));
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) memory_.rounds[round + 2] = shared_.num_counted;
    if (shared_.has_failed != 0) return path_tile_outcome::not_possible;
    __syncthreads();
    return path_tile_outcome::finished;
  }

  /// Counts the paths to a vertex in the lanes in which it waits for no other.
  __device__ void count(std::size_t v) const {
    const auto begin = static_cast<unsigned>(task_.into.offsets[v]);
    const auto end = static_cast<unsigned>(task_.into.offsets[v + 1]);
    std::uint32_t waiting = 0;
    for (unsigned a = begin + lane(); a < end; a += warp_size) {
      const std::uint32_t tight = memory_.tight[a];
      if (tight != 0) waiting |= tight & memory_.pending[task_.into.targets[a]];
    }
    const std::uint32_t ready = memory_.pending[v] & ~__reduce_or_sync(whole_warp, waiting);
    if (ready == 0) return;
    double sum = 0;
    for_each_arc(
        begin, end, ready, [&](unsigned a) { return a; }, task_.into.targets,
        [&](std::int32_t u, bool is_own, unsigned) {
          if (is_own) sum += entry(memory_.counts, static_cast<std::size_t>(u));
        });
    if (has(ready)) {
      entry(memory_.counts, v) = sum;
      if (!(sum <= most_paths)) shared_.has_failed = 1;
      if (task_.with_ends) atomicAdd(shared_.num_reached + lane(), 1u);
    }
    if (lane() == 0) {
      memory_.counted[atomicAdd(&shared_.num_counted, 1u)] = {static_cast<std::int32_t>(v), ready};
    }
  }

  /// Calls f(end, is_own, arc) for the arcs that are on paths in some of the lanes, with the truth
  /// of whether this thread's lane is one of them.
  /// @param position  position(a): of arc a among the arcs into vertices.
  template <class Position, class F>
  __device__ __forceinline__ void for_each_arc(unsigned begin, unsigned end, std::uint32_t lanes,
                                               Position position, const std::int32_t* ends,
                                               F f) const {
    for (unsigned first = begin; first < end; first += warp_size) {
      std::uint32_t some = 0;
      std::int32_t other = 0;
      if (first + lane() < end) {
        some = memory_.tight[position(first + lane())] & lanes;
        if (some != 0) other = ends[first + lane()];
      }
      for (unsigned left = __ballot_sync(whole_warp, some != 0); left != 0; left &= left - 1) {
        const unsigned i = static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
        f(__shfl_sync(whole_warp, other, i), has(__shfl_sync(whole_warp, some, i)), first + i);
      }
    }
  }

  __device__ bool are_all_counted() const {
    bool are_left = false;
    for (std::size_t v = threadIdx.x; v < n_; v += path_tile_settings.threads) {
      are_left = are_left || memory_.pending[v] != 0;
    }
    return __syncthreads_or(are_left) == 0;
  }

  static __device__ double sum_of_warp(double x) {
#pragma unroll
    for (unsigned step = warp_size / 2; step > 0; step /= 2) {
      x += __shfl_xor_sync(whole_warp, x, step);
    }
    return x;
  }

  /// Finds the shares of the vertices that were counted in a round.
  __device__ void add_shares(unsigned round) const {
    const std::uint32_t end = memory_.rounds[round + 1];
    for (std::uint32_t i = memory_.rounds[round] + warp(); i < end; i += num_warps) {
      const counted_vertex e = memory_.counted[i];
      const auto v = static_cast<std::size_t>(e.vertex);
      const bool is_own = has(e.lanes);
      const double count = is_own ? entry(memory_.counts, v) : 0;
      double sum = 0;
      for_each_arc(
          static_cast<unsigned>(task_.out_offsets[v]),
          static_cast<unsigned>(task_.out_offsets[v + 1]), e.lanes,
          [&](unsigned a) { return task_.out_positions[a]; }, task_.out_targets,
          [&](std::int32_t w, bool is_on_path, unsigned a) {
            const double share =
                is_on_path ? entry(memory_.shares, static_cast<std::size_t>(w)) : 0;
            sum += share;
            if (!task_.scores_arcs) return;
            const double part = sum_of_warp(count * share);
            if (lane() == 0) task_.of_arcs.add(a, part);
          });
      double part = 0;
      if (is_own) {
        entry(memory_.shares, v) = 1 / count + sum;
        part = count * sum + (task_.with_ends ? 1 : 0);
        // Paths do not lead through their source, but begin there.
        if (round == 0) part = task_.with_ends ? shared_.num_reached[lane()] : 0;
      }
      part = sum_of_warp(part);
      if (lane() == 0) task_.of_vertices.add(v, part);
    }
  }

  const path_tile_task<C>& task_;
  shared_state& shared_;
  std::size_t tile_;
  std::size_t n_;
  const C* distances_;
  path_tile_memory memory_;
};

template <class C>
__global__ void __launch_bounds__(path_tile_settings.threads)
    path_tile_kernel(const __grid_constant__ path_tile_task<C> task) {
  __shared__ typename path_tile<C>::shared_state shared;
  const path_tile_outcome outcome = path_tile<C>(task, blockIdx.x, shared).run();
  if (outcome != path_tile_outcome::finished && threadIdx.x == 0) {
    atomicMax(task.outcome, static_cast<int>(outcome));
  }
}

}  // namespace apsp::inline v1::detail::cuda
