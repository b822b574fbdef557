// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>

#include "../../../device/atomic_minimum.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "relaxation.cuh"

// Bellman–Ford for a tile of sources by one block; the tile has as many sources as a group of
// threads has lanes. The block is independent of all others, so thousands of rounds need no
// launches and no communication with the host. Lane i of every group handles source i of the tile:
// an arc is read once and relaxed for all sources, and their distances of one vertex are adjacent.
//
// Sources: Okuyama, Ino and Hagihara 2012 for interleaved sources; Davidson, Baxter, Garland and
// Owens 2014 for the near and the far queue.
namespace apsp::inline v1::detail::cuda {

/// How sources are assigned to blocks.
struct source_tile_shape {
  unsigned lanes;    ///< Sources of a tile.
  unsigned threads;  ///< Of the block that solves for them.
  /// Target number of blocks per multiprocessor, which limits registers, with 4-byte weights.
  unsigned blocks;
  /// Width of a bucket of distances, in mean weights; 0 for one bucket only.
  double bucket_width;
};

struct batched_tuning {
  /// For rounds of many vertices, where pulling is not faster (pulled_tile.cuh).
  source_tile_shape medium{8, 512, 3, 16};
  /// For rounds of a few vertices: many small blocks hide each other's latency.
  source_tile_shape narrow{8, 128, 1, 0};
  /// Upper limit for the narrow shape: vertices per round, averaged over a search from one source.
  std::size_t narrow_below = 16;
  /// With more arcs per vertex there are few rounds, and their vertices are not counted.
  std::size_t most_arcs_to_search = 32;
  /// All groups of the block together relax a vertex with more arcs.
  unsigned heavy_degree = 256;
  unsigned heavy_capacity = 128;
  /// Number of arcs whose targets are read before the first is relaxed.
  unsigned arcs_at_once = 4;
  /// If a vertex has at most this many arcs and decreases only one distance, its group continues
  /// from there without waiting for the next round, up to `longest_chain` times.
  unsigned chain_degree = 2;
  unsigned longest_chain = 64;
};
inline constexpr batched_tuning batched{};

/// List of vertices with lanes to relax; a vertex is listed once, while its mask is not 0.
struct vertex_queue {
  std::int32_t* vertices;
  unsigned* count;

  __device__ void push(std::int32_t v) { vertices[atomicAdd(count, 1u)] = v; }
};

template <class C>
struct batched_problem {
  device_arcs<C> arcs;
  source_batch<C> batch;
  C limit;
  C bucket_width;  ///< The value of no path to use a single bucket.
  std::size_t max_rounds;
  /// For each tile and vertex, the lanes to relax in the current bucket, and in later ones. Null if
  /// the block keeps them in its shared memory.
  std::uint32_t* near_lanes;
  std::uint32_t* far_lanes;
  /// Four queues for each tile.
  std::int32_t* queues;
  const int* stop;
  int* outcome;  ///< The worst `solve_outcome` of a tile.
};

/// The state of the block that solves one tile.
template <class C, class Join, unsigned Lanes, unsigned Threads>
class source_tile {
  static constexpr unsigned num_groups = Threads / Lanes;
  using block_minimum = cub::BlockReduce<C, Threads>;

 public:
  struct shared_state {
    unsigned near_count[3];
    unsigned heavy_count[3];
    unsigned far_count[2];
    bool stop[2];
    std::int32_t heavy_vertices[batched.heavy_capacity];
    std::uint32_t heavy_lanes[batched.heavy_capacity];
    C threshold;
    typename block_minimum::TempStorage minimum;
  };

  __device__ source_tile(const batched_problem<C>& problem, shared_state& shared,
                         std::uint32_t* shared_lanes)
      : problem_(problem),
        shared_(shared),
        group_(cooperative_groups::tiled_partition<Lanes>(cooperative_groups::this_thread_block())),
        lane_(group_.thread_rank()),
        group_index_(threadIdx.x / Lanes),
        n_(problem.arcs.num_vertices) {
    const std::size_t tile = blockIdx.x;
    distances_ = problem.batch.distances + tile * n_ * Lanes;
    near_lanes_ = problem.near_lanes == nullptr ? shared_lanes : problem.near_lanes + tile * n_;
    far_lanes_ = problem.far_lanes == nullptr ? shared_lanes + n_ : problem.far_lanes + tile * n_;
    queues_ = problem.queues + tile * n_ * 4;
  }

  __device__ void solve() {
    start();
    for (;;) {
      if (near_count() == 0) {
        if (far_count() == 0) return;
        advance_bucket();
        continue;
      }
      if (round_ > problem_.max_rounds) return report(solve_outcome::not_converged);
      relax_near();
      if (shared_.stop[(round_ - 1) % 2]) return report(solve_outcome::stopped);
    }
  }

 private:
  using group_type = cooperative_groups::thread_block_tile<Lanes>;

  __device__ unsigned near_count() const { return shared_.near_count[round_ % 3]; }
  __device__ unsigned far_count() const { return shared_.far_count[far_]; }
  /// The near queue of a round.
  __device__ vertex_queue near_queue(std::size_t round) const {
    return {queues_ + round % 2 * n_, &shared_.near_count[round % 3]};
  }
  __device__ vertex_queue far_queue(unsigned which) const {
    return {queues_ + (2 + which) * n_, &shared_.far_count[which]};
  }
  __device__ C* entry(std::int32_t v) const {
    return distances_ + static_cast<std::size_t>(v) * Lanes + lane_;
  }
  __device__ bool is_to_stop() const {
    return problem_.stop != nullptr && read_shared_word(problem_.stop) != 0;
  }
  __device__ void report(solve_outcome outcome) const {
    if (threadIdx.x == 0) atomicMax(problem_.outcome, static_cast<int>(outcome));
  }

  __device__ void start() {
    for (std::size_t i = threadIdx.x; i < n_ * Lanes; i += Threads) {
      distances_[i] = Join::none;
    }
    for (std::size_t v = threadIdx.x; v < n_; v += Threads) {
      near_lanes_[v] = 0;
      far_lanes_[v] = 0;
    }
    if (threadIdx.x == 0) {
      for (unsigned& count : shared_.near_count) count = 0;
      for (unsigned& count : shared_.heavy_count) count = 0;
      for (unsigned& count : shared_.far_count) count = 0;
      shared_.threshold = problem_.bucket_width;
    }
    __syncthreads();
    const std::size_t s = std::size_t{blockIdx.x} * Lanes + lane_;
    if (group_index_ == 0 && s < problem_.batch.num_sources) {
      const std::int32_t v = problem_.batch.sources[s];
      *entry(v) = Join::start;
      if (atomicOr(&near_lanes_[v], 1u << lane_) == 0) near_queue(0).push(v);
    }
    __syncthreads();
  }

  /// Relaxes all arcs of the vertices in the near queue; vertices that change are added to the next
  /// one.
  ///
  /// One barrier suffices: the counts of this round were cleared before the barrier of the last
  /// round, and the counts read after that barrier are cleared after the barrier of this round.
  /// Counts therefore rotate among three.
  __device__ void relax_near() {
    const unsigned count = near_count();
    const vertex_queue queue = near_queue(round_);
    const C threshold = shared_.threshold;
    if (threadIdx.x == 0) {
      shared_.near_count[(round_ + 2) % 3] = 0;
      shared_.heavy_count[(round_ + 1) % 3] = 0;
      shared_.stop[round_ % 2] = is_to_stop();
    }
    for (unsigned i = group_index_; i < count; i += num_groups) {
      const std::int32_t u = queue.vertices[i];
      std::uint32_t lanes = 0;
      if (lane_ == 0) lanes = atomicExch(&near_lanes_[u], 0u);
      lanes = group_.shfl(lanes, 0);
      group_.sync();
      // From here on, a thread that decreases a distance of u adds u to the next queue.
      __threadfence_block();
      relax_vertex(u, lanes, threshold);
    }
    __syncthreads();
    if (shared_.heavy_count[round_ % 3] != 0) {
      relax_heavy(threshold);
      __syncthreads();
    }
    ++round_;
  }

  /// Relaxes the arcs of deferred vertices with all groups together.
  __device__ void relax_heavy(C threshold) {
    const unsigned count = min(shared_.heavy_count[round_ % 3], batched.heavy_capacity);
    for (unsigned i = 0; i < count; ++i) {
      const std::int32_t u = shared_.heavy_vertices[i];
      const label from = label_of(u, shared_.heavy_lanes[i]);
      relax_arcs(from, first_arc(u) + std::size_t{group_index_} * Lanes, first_arc(u + 1),
                 std::size_t{num_groups} * Lanes, threshold);
    }
  }

  /// Defers a vertex with many arcs to the whole block; returns false if too many have been
  /// deferred.
  __device__ bool defer(std::int32_t u, std::uint32_t lanes) {
    unsigned place = 0;
    if (lane_ == 0) place = atomicAdd(&shared_.heavy_count[round_ % 3], 1u);
    place = group_.shfl(place, 0);
    if (place >= batched.heavy_capacity) return false;
    if (lane_ == 0) {
      shared_.heavy_vertices[place] = u;
      shared_.heavy_lanes[place] = lanes;
    }
    return true;
  }

  /// A thread's lane of the vertex whose arcs are relaxed.
  struct label {
    bool is_active;
    C distance;
  };
  __device__ __forceinline__ label label_of(std::int32_t u, std::uint32_t lanes) const {
    const bool is_active = (lanes >> lane_ & 1u) != 0;
    return {is_active, is_active ? read_shared_word(entry(u)) : C{Join::none}};
  }
  __device__ std::size_t first_arc(std::int32_t u) const {
    return static_cast<std::size_t>(problem_.arcs.offsets[u]);
  }

  /// Some arcs of one vertex and the result of inspecting them.
  struct relaxed_arcs {
    std::int32_t target[batched.arcs_at_once];
    C through[batched.arcs_at_once];
    bool is_shorter[batched.arcs_at_once];
  };
  /// Arcs read by the group, one per thread.
  struct staged_arcs {
    unsigned count;
    std::int32_t target;
    C weight;
  };
  __device__ __forceinline__ staged_arcs stage(std::size_t base, std::size_t end) const {
    staged_arcs arcs{end - base < Lanes ? static_cast<unsigned>(end - base) : Lanes, 0, C{}};
    if (lane_ < arcs.count) {
      arcs.target = problem_.arcs.targets[base + lane_];
      arcs.weight = problem_.arcs.weights[base + lane_];
    }
    return arcs;
  }
  /// Inspects arcs from the k-th on.
  __device__ __forceinline__ relaxed_arcs look_at(const label& from, const staged_arcs& arcs,
                                                  unsigned k) const {
    relaxed_arcs relaxed;
#pragma unroll
    for (unsigned j = 0; j < batched.arcs_at_once; ++j) {
      // Past the end the last arc is repeated, which has no effect.
      const unsigned arc = min(k + j, arcs.count - 1);
      relaxed.target[j] = group_.shfl(arcs.target, arc);
      const C weight = group_.shfl(arcs.weight, arc);
      relaxed.is_shorter[j] = from.is_active && k + j < arcs.count &&
                              Join::may_extend(from.distance, weight, problem_.limit);
      relaxed.through[j] = relaxed.is_shorter[j] ? Join::join(from.distance, weight) : C{};
    }
#pragma unroll
    for (unsigned j = 0; j < batched.arcs_at_once; ++j) {
      const C old = relaxed.is_shorter[j] ? read_shared_word(entry(relaxed.target[j])) : C{};
      relaxed.is_shorter[j] = relaxed.is_shorter[j] && relaxed.through[j] < old;
    }
    return relaxed;
  }

  /// Relaxes all arcs of u for the given lanes.
  __device__ __forceinline__ void relax_vertex(std::int32_t u, std::uint32_t lanes, C threshold) {
    std::size_t begin = first_arc(u);
    std::size_t end = first_arc(u + 1);
    label from = label_of(u, lanes);
    for (unsigned hop = 0; end - begin <= batched.chain_degree && hop < batched.longest_chain;
         ++hop) {
      if (begin == end) return;
      const relaxed_arcs relaxed = look_at(from, stage(begin, end), 0);
      const std::int32_t next = only_shorter(relaxed, threshold);
      if (next == several) return announce(relaxed, threshold);
      if (next == none) return;
        // No queue entry is needed: this group itself continues from the decreased distance.
#pragma unroll
      for (unsigned j = 0; j < batched.chain_degree; ++j) {
        if (static_cast<std::int32_t>(j) != next) continue;
        u = relaxed.target[j];
        from = {relaxed.is_shorter[j], relaxed.through[j]};
      }
      if (from.is_active) atomic_minimum(entry(u), from.distance);
      begin = first_arc(u);
      end = first_arc(u + 1);
    }
    if (end - begin > batched.heavy_degree && defer(u, group_.ballot(from.is_active))) return;
    relax_arcs(from, begin, end, Lanes, threshold);
  }

  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t several = -2;
  /// The only one of the first arcs that decreases a distance, to a value below the threshold for
  /// all lanes.
  __device__ __forceinline__ std::int32_t only_shorter(const relaxed_arcs& relaxed,
                                                       C threshold) const {
    std::int32_t only = none;
#pragma unroll
    for (unsigned j = 0; j < batched.chain_degree; ++j) {
      if (!group_.any(relaxed.is_shorter[j])) continue;
      const bool is_far = group_.any(relaxed.is_shorter[j] && !(relaxed.through[j] < threshold));
      only = only == none && !is_far ? static_cast<std::int32_t>(j) : several;
    }
    return only;
  }

  /// Relaxes Lanes arcs starting at @p first, then Lanes arcs after each @p stride.
  __device__ __forceinline__ void relax_arcs(const label& from, std::size_t first, std::size_t end,
                                             std::size_t stride, C threshold) {
    for (std::size_t base = first; base < end; base += stride) {
      const staged_arcs arcs = stage(base, end);
      for (unsigned k = 0; k < arcs.count; k += batched.arcs_at_once) {
        announce(look_at(from, arcs, k), threshold);
      }
    }
  }

  /// Writes decreased distances and adds their vertices to the queues: one thread per vertex and
  /// queue.
  __device__ __forceinline__ void announce(const relaxed_arcs& relaxed, C threshold) {
    static_assert(2 * batched.arcs_at_once <= Lanes);
    const bool is_near = lane_ < batched.arcs_at_once;
    std::int32_t vertex = 0;
    std::uint32_t lanes = 0;
#pragma unroll
    for (unsigned j = 0; j < batched.arcs_at_once; ++j) {
      const bool is_shorter = relaxed.is_shorter[j];
      const bool is_below = relaxed.through[j] < threshold;
      if (is_shorter) atomic_minimum(entry(relaxed.target[j]), relaxed.through[j]);
      const std::uint32_t near = group_.ballot(is_shorter && is_below);
      const std::uint32_t far = group_.ballot(is_shorter && !is_below);
      if (lane_ % batched.arcs_at_once == j) {
        vertex = relaxed.target[j];
        lanes = is_near ? near : far;
      }
    }
    if (lane_ >= 2 * batched.arcs_at_once) lanes = 0;
    if (!group_.any(lanes != 0)) return;
    // The distances must be visible before the change is announced.
    __threadfence_block();
    group_.sync();
    if (lanes == 0) return;
    if (atomicOr(&(is_near ? near_lanes_ : far_lanes_)[vertex], lanes) != 0) return;
    (is_near ? near_queue(round_ + 1) : far_queue(far_)).push(vertex);
  }

  /// Raises the threshold and moves the vertices below it from the far queue to the near one.
  __device__ void advance_bucket() {
    const C last = shared_.threshold;
    C threshold = next_threshold(last);
    for (;;) {
      const unsigned count = far_count();
      const vertex_queue queue = far_queue(far_);
      if (threadIdx.x == 0) shared_.far_count[1 - far_] = 0;
      __syncthreads();
      C nearest = Join::none;
      for (unsigned i = group_index_; i < count; i += num_groups) {
        const std::int32_t v = queue.vertices[i];
        const C distance = read_shared_word(entry(v));
        // A lane whose distance has since decreased below the last threshold was relaxed as near.
        const bool waits = (far_lanes_[v] >> lane_ & 1u) != 0 && !(distance < last);
        const std::uint32_t near = group_.ballot(waits && distance < threshold);
        const std::uint32_t far = group_.ballot(waits && !(distance < threshold));
        if (waits && !(distance < threshold) && distance < nearest) nearest = distance;
        if (lane_ == 0) {
          near_lanes_[v] = near;
          far_lanes_[v] = far;
          if (near != 0) near_queue(round_).push(v);
          if (far != 0) far_queue(1 - far_).push(v);
        }
      }
      nearest = block_minimum(shared_.minimum).Reduce(nearest, [](const C& a, const C& b) {
        return b < a ? b : a;
      });
      if (threadIdx.x == 0) shared_.threshold = nearest;
      __syncthreads();
      far_ = 1 - far_;
      nearest = shared_.threshold;
      const bool is_found = near_count() != 0 || far_count() == 0;
      __syncthreads();
      if (is_found) break;
      threshold = next_threshold(nearest);
    }
    if (threadIdx.x == 0) shared_.threshold = threshold;
    __syncthreads();
  }

  /// One bucket above @p from; if the sum is too large or rounds to @p from, all the rest.
  __device__ C next_threshold(C from) const {
    if constexpr (Join::is_sum) {
      if (!Join::may_extend(from, problem_.bucket_width, problem_.limit)) return Join::none;
      const C next = Join::join(from, problem_.bucket_width);
      return from < next ? next : C{Join::none};
    } else {
      return Join::none;
    }
  }

  const batched_problem<C>& problem_;
  shared_state& shared_;
  group_type group_;
  unsigned lane_;
  unsigned group_index_;
  std::size_t n_;
  C* distances_;
  std::uint32_t* near_lanes_;
  std::uint32_t* far_lanes_;
  std::int32_t* queues_;
  std::size_t round_ = 0;
  unsigned far_ = 0;  ///< The far queue that is being filled.
};

/// Wider weights use more registers.
template <class C>
constexpr unsigned concurrent_blocks_of(unsigned blocks) {
  return sizeof(C) <= 4 ? blocks : 1;
}

template <class C, class Join, unsigned Lanes, unsigned Threads, unsigned Blocks>
__global__ void __launch_bounds__(Threads, concurrent_blocks_of<C>(Blocks))
    solve_source_tiles_kernel(const __grid_constant__ batched_problem<C> problem) {
  using tile = source_tile<C, Join, Lanes, Threads>;
  __shared__ typename tile::shared_state shared;
  extern __shared__ std::uint32_t shared_lanes[];
  tile(problem, shared, shared_lanes).solve();
}

}  // namespace apsp::inline v1::detail::cuda
