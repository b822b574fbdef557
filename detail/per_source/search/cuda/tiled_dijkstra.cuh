// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/atomic>
#include <type_traits>

#include "../../../device/atomic_minimum.cuh"
#include "../../../device/bounds.cuh"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/stop_signal.cuh"
#include "../../../device/warp.hpp"
#include "../../../host/monitor.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "relaxation.cuh"

namespace apsp::inline v1::detail::cuda {

struct tiled_dijkstra_tuning {
  int threads_per_block = 256;
  int setup_threads_per_block = 256;
  int warp_size = 32;
};
inline constexpr tiled_dijkstra_tuning tiled_dijkstra_launch{};

/// The smaller of two numbers.
struct minimum_of_two {
  template <class C>
  __device__ __forceinline__ C operator()(const C& a, const C& b) const {
    return b < a ? b : a;
  }
};

/// Computes the lightest weight out of and into every vertex, starting with `no_path`: one warp per
/// vertex.
template <class C>
__global__ void find_lightest_kernel(device_arcs<C> arcs, C* lightest_out, C* lightest_in) {
  constexpr int warp_size = tiled_dijkstra_launch.warp_size;
  constexpr int warps = tiled_dijkstra_launch.setup_threads_per_block / warp_size;
  using warp_reduce = cub::WarpReduce<C>;
  __shared__ typename warp_reduce::TempStorage storage[warps];

  const unsigned warp = threadIdx.x / warp_size;
  const unsigned lane = threadIdx.x % warp_size;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * warps;
  for (std::size_t u = static_cast<std::size_t>(blockIdx.x) * warps + warp; u < arcs.num_vertices;
       u += stride) {
    C lightest = unreached<C>;
    for (std::int64_t a = arcs.offsets[u] + lane; a < arcs.offsets[u + 1]; a += warp_size) {
      const C weight = arcs.weights[a];
      lightest = minimum_of_two{}(lightest, weight);
      C* const entry = lightest_in + arcs.targets[a];
      if (weight < read_outdated_word(entry)) atomic_minimum(entry, weight);
    }
    lightest = warp_reduce(storage[warp]).Reduce(lightest, minimum_of_two{});
    if (lane == 0) lightest_out[u] = lightest;
    __syncwarp();
  }
}

/// Lower bounds on distances that can still decrease, and how they combine over vertices.
template <class C>
struct settling_bounds {
  C least;      ///< The least distance of an open vertex.
  C next_path;  ///< The least length of a path that extends the path to an open vertex by one arc.
};

template <class C>
struct least_bounds {
  __device__ __forceinline__ settling_bounds<C> operator()(const settling_bounds<C>& a,
                                                           const settling_bounds<C>& b) const {
    return {minimum_of_two{}(a.least, b.least), minimum_of_two{}(a.next_path, b.next_path)};
  }
};

/// True if no path can be shorter than @p distance: a path that is not known yet leads through an
/// open vertex, along an arc out of it and finally along an arc into this vertex.
///
/// Sums are compared as they are computed. Rounding preserves their order, so this also holds for
/// rounded sums.
template <class C>
__device__ __forceinline__ bool is_final(C distance, C lightest_in,
                                         const settling_bounds<C>& bounds) {
  if (distance <= bounds.next_path) return true;
  if constexpr (std::is_integral_v<C>) {
    return distance - bounds.least <= lightest_in;
  } else {
    return distance <= bounds.least + lightest_in;
  }
}

template <class C>
struct tiled_dijkstra_operands {
  device_arcs<C> arcs;
  const C* lightest_out;
  const C* lightest_in;
  C limit;
  source_batch<C> batch;
  std::int32_t* open;               ///< 2 x num_vertices per CUDA block
  unsigned long long* next_source;  ///< Shared by all CUDA blocks.
  const int* stop;                  ///< Null, or not 0 once the call is to stop.
};

/// Shared memory of a CUDA block: its size does not depend on the graph.
template <class C>
struct tiled_dijkstra_storage {
  static constexpr int threads = tiled_dijkstra_launch.threads_per_block;
  using reduce = cub::BlockReduce<settling_bounds<C>, threads>;
  using scan = cub::BlockScan<std::int64_t, threads>;

  union {
    typename reduce::TempStorage reduce;
    typename scan::TempStorage scan;
  } collective;
  settling_bounds<C> bounds;
  unsigned long long source;
  unsigned num_open;
  unsigned num_kept;
  unsigned num_settled;
  int stop;
  // The vertices whose arcs are being relaxed. Their arcs are numbered consecutively.
  std::int64_t first_arc[threads];
  std::int64_t arc_position[threads];  ///< Offset from such a number to the position of the arc.
  C distance[threads];
};

/// The search of a CUDA block from one source, in phases; the block passes each of them together.
///
/// The open vertices are those with a distance that may still decrease. They are in a list; each
/// step removes those that cannot decrease any more, relaxes their arcs, and adds vertices that are
/// reached for the first time. Two lists of n entries alternate. The next one is filled from its
/// front with open vertices and from its back with the vertices settled in the step; each vertex is
/// in it at most once, so it is large enough.
template <class C>
struct settling_search {
  using storage = tiled_dijkstra_storage<C>;
  static constexpr unsigned threads = storage::threads;
  static constexpr C none = unreached<C>;

  const tiled_dijkstra_operands<C>& operands;
  storage& shared;
  std::int32_t* open;
  std::int32_t* next;
  C* distances = nullptr;

  __device__ __forceinline__ void begin(std::size_t s) {
    const std::size_t n = operands.arcs.num_vertices;
    distances = operands.batch.distances + s * n;
    for (std::size_t v = threadIdx.x; v < n; v += threads) distances[v] = none;
    __syncthreads();
    if (threadIdx.x == 0) {
      const std::int32_t source = operands.batch.sources[s];
      distances[source] = C{};
      open[0] = source;
      shared.num_open = 1;
      shared.num_kept = 0;
      shared.num_settled = 0;
      shared.stop = 0;
    }
    __syncthreads();
  }

  /// Computes the bounds over all open vertices.
  __device__ __forceinline__ settling_bounds<C> bound(unsigned num_open) {
    settling_bounds<C> bounds{none, none};
    for (unsigned i = threadIdx.x; i < num_open; i += threads) {
      const std::int32_t v = open[i];
      const C distance = distances[v];
      const C weight = operands.lightest_out[v];
      bounds.least = minimum_of_two{}(bounds.least, distance);
      if (may_extend(distance, weight, operands.limit)) {
        bounds.next_path = minimum_of_two{}(bounds.next_path, distance + weight);
      }
    }
    bounds = typename storage::reduce(shared.collective.reduce).Reduce(bounds, least_bounds<C>{});
    if (threadIdx.x == 0) shared.bounds = bounds;
    __syncthreads();
    return shared.bounds;
  }

  /// Divides the open vertices into those that are settled and those that are kept.
  __device__ __forceinline__ void divide(unsigned num_open, const settling_bounds<C>& bounds) {
    const std::size_t n = operands.arcs.num_vertices;
    for (unsigned i = threadIdx.x; i < num_open; i += threads) {
      const std::int32_t v = open[i];
      if (is_final(distances[v], operands.lightest_in[v], bounds)) {
        next[n - 1 - atomicAdd(&shared.num_settled, 1U)] = v;
      } else {
        next[atomicAdd(&shared.num_kept, 1U)] = v;
      }
    }
    __syncthreads();
  }

  /// Numbers the arcs of @p count settled vertices, from the one numbered @p begin.
  /// @return  the number of these arcs
  __device__ __forceinline__ std::int64_t number_arcs(unsigned begin, unsigned count) {
    const device_arcs<C>& arcs = operands.arcs;
    std::int64_t first_arc = 0;
    std::int64_t degree = 0;
    if (threadIdx.x < count) {
      const std::int32_t u = next[arcs.num_vertices - 1 - (begin + threadIdx.x)];
      first_arc = arcs.offsets[u];
      degree = arcs.offsets[u + 1] - first_arc;
      shared.distance[threadIdx.x] = distances[u];
    }
    std::int64_t arcs_before = 0;
    std::int64_t num_arcs = 0;
    typename storage::scan(shared.collective.scan).ExclusiveSum(degree, arcs_before, num_arcs);
    shared.first_arc[threadIdx.x] = arcs_before;
    shared.arc_position[threadIdx.x] = first_arc - arcs_before;
    __syncthreads();
    return num_arcs;
  }

  /// Relaxes the numbered arcs. They are distributed individually, so vertices with many arcs cause
  /// no imbalance.
  __device__ __forceinline__ void relax(std::int64_t num_arcs, unsigned count) {
    const device_arcs<C>& arcs = operands.arcs;
    for (std::int64_t i = threadIdx.x; i < num_arcs; i += threads) {
      const unsigned owner = last_not_above(shared.first_arc, count, i);
      const std::int64_t a = i + shared.arc_position[owner];
      const C distance = shared.distance[owner];
      const C weight = arcs.weights[a];
      if (!may_extend(distance, weight, operands.limit)) continue;
      const C through = distance + weight;
      const std::int32_t v = arcs.targets[a];
      // The value read may be outdated and too large; the atomic decides. Only this block
      // accesses the row.
      if (!(through < read_outdated_word<::cuda::thread_scope_block>(distances + v))) continue;
      // Of all threads that reach v, exactly one finds it unreached.
      if (atomic_minimum(distances + v, through) == none) {
        next[atomicAdd(&shared.num_kept, 1U)] = v;
      }
    }
    __syncthreads();
  }

  /// Makes the list that was filled the list of open vertices.
  __device__ __forceinline__ void exchange_lists() {
    if (threadIdx.x == 0) {
      shared.num_open = shared.num_kept;
      shared.num_kept = 0;
      shared.num_settled = 0;
    }
    std::int32_t* const filled = next;
    next = open;
    open = filled;
    __syncthreads();
  }
};

/// One CUDA block per source; a block takes the next source until none is left.
template <class C>
__global__ void __launch_bounds__(tiled_dijkstra_launch.threads_per_block)
    settle_open_kernel(tiled_dijkstra_operands<C> operands) {
  __shared__ tiled_dijkstra_storage<C> shared;
  constexpr unsigned threads = tiled_dijkstra_storage<C>::threads;
  const std::size_t n = operands.arcs.num_vertices;
  std::int32_t* const lists = operands.open + 2 * n * blockIdx.x;
  settling_search<C> search{
      .operands = operands, .shared = shared, .open = lists, .next = lists + n};

  for (;;) {
    if (threadIdx.x == 0) shared.source = atomicAdd(operands.next_source, 1ULL);
    __syncthreads();
    const std::size_t s = shared.source;
    if (s >= operands.batch.num_sources) return;
    search.begin(s);
    while (shared.num_open != 0) {
      const unsigned num_open = shared.num_open;
      search.divide(num_open, search.bound(num_open));
      const unsigned num_settled = shared.num_settled;
      for (unsigned begin = 0; begin < num_settled; begin += threads) {
        if (threadIdx.x == 0 && operands.stop != nullptr) {
          shared.stop = read_shared_word(operands.stop);
        }
        const unsigned count = min(threads, num_settled - begin);
        const std::int64_t num_arcs = search.number_arcs(begin, count);
        if (shared.stop != 0) return;
        search.relax(num_arcs, count);
      }
      search.exchange_lists();
    }
  }
}

/// Dijkstra's algorithm, one CUDA block per source. A step inspects all open vertices and settles
/// every vertex that provably cannot decrease, not only the nearest, so on most graphs there are
/// far fewer steps than vertices. Sources: Dijkstra 1959; Crauser, Mehlhorn, Meyer and Sanders 1998
/// for the vertices that can be settled together.
template <class C>
class tiled_dijkstra final : public batch_solver<C> {
 public:
  tiled_dijkstra(const device_arcs<C>& arcs, const per_source_problem<C>& problem,
                 cudaStream_t stream)
      : arcs_(arcs),
        limit_(problem.limit),
        stream_(stream),
        concurrent_sources_(concurrent_blocks(settle_open_kernel<C>, threads)) {}

  batch_layout layout() const override { return {}; }
  std::size_t concurrent_sources() const override { return concurrent_sources_; }

  std::size_t workspace_bytes(std::size_t num_sources) const override {
    const std::size_t lightest = saturated_product(2 * sizeof(C), arcs_.num_vertices);
    const std::size_t lists = saturated_product(sizeof(std::int32_t), list_entries(num_sources));
    return saturated_sum(saturated_sum(lightest, lists), sizeof(unsigned long long) + sizeof(int));
  }
  void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) override {
    const std::size_t n = arcs_.num_vertices;
    lightest_out_ = device_buffer<C>(n, stream_, bytes_needed);
    lightest_in_ = device_buffer<C>(n, stream_, bytes_needed);
    open_ = device_buffer<std::int32_t>(list_entries(num_sources), stream_, bytes_needed);
    next_source_ = device_buffer<unsigned long long>(1, stream_, bytes_needed);
    stop_ = stop_signal(stream_, watch, bytes_needed);
    if (n == 0) return;
    constexpr unsigned setup_threads = tiled_dijkstra_launch.setup_threads_per_block;
    constexpr unsigned setup_warps = setup_threads / tiled_dijkstra_launch.warp_size;
    launch("fill_kernel", {grid_size(n, setup_threads), setup_threads, stream_}, fill_kernel<C>,
           lightest_in_.get(), n, no_path<C>());
    launch("find_lightest_kernel", {grid_size(n, setup_warps), setup_threads, stream_},
           find_lightest_kernel<C>, arcs_, lightest_out_.get(), lightest_in_.get());
  }

  solve_outcome solve(const source_batch<C>& batch, monitor&) override {
    if (batch.num_sources == 0) return solve_outcome::finished;
    APSP_CUDA_CHECK(cudaMemsetAsync(next_source_.get(), 0, sizeof(unsigned long long), stream_));
    const tiled_dijkstra_operands<C> operands{.arcs = arcs_,
                                              .lightest_out = lightest_out_.get(),
                                              .lightest_in = lightest_in_.get(),
                                              .limit = limit_,
                                              .batch = batch,
                                              .open = open_.get(),
                                              .next_source = next_source_.get(),
                                              .stop = stop_.flag()};
    const auto blocks = static_cast<unsigned>(concurrent_of(batch.num_sources));
    launch("settle_open_kernel", {blocks, threads, stream_}, settle_open_kernel<C>, operands);
    return stop_.wait();
  }

 private:
  static constexpr unsigned threads = tiled_dijkstra_launch.threads_per_block;

  std::size_t concurrent_of(std::size_t num_sources) const {
    return std::min(num_sources, concurrent_sources_);
  }
  std::size_t list_entries(std::size_t num_sources) const {
    return saturated_product(2 * concurrent_of(num_sources), arcs_.num_vertices);
  }

  device_arcs<C> arcs_;
  C limit_;
  cudaStream_t stream_;
  std::size_t concurrent_sources_;
  device_buffer<C> lightest_out_;
  device_buffer<C> lightest_in_;
  device_buffer<std::int32_t> open_;
  device_buffer<unsigned long long> next_source_;
  stop_signal stop_;
};

}  // namespace apsp::inline v1::detail::cuda
