// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <cuda/atomic>
#include <vector>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/warp.hpp"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/step_notes.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/matrix_setup.cuh"
#include "../../matrix/cuda/padded_matrix.cuh"
#include "../../matrix/cuda/square_matrix.cuh"

// Predecessors if every weight is positive. The relaxation kernels only note the pivot tile that
// last decreased an entry. Once the distances are final, some vertex k of that tile lies on a
// shortest path from i to j. The kernels below find k; the predecessor of (i, j) is that of (k, j).
//
// Until then an entry below -1 in the predecessor matrix is a note, or a vertex k, encoded by
// `code_of`.
namespace apsp::inline v1::detail::cuda {

/// How CUDA blocks search for a vertex of a path. A block takes a strip of C, as wide as a warp.
struct via_shape {
  int warps = 16;
  int rows = 256;
  /// Adjacent strips whose CUDA blocks run at about the same time and share rows in the cache.
  int strips_per_group = 64;
  /// The number of pivot tiles that entries can be sorted by. More of them need more memory than
  /// today's devices have; predecessors are then recorded.
  int most_steps = 2048;
};
inline constexpr via_shape via_search{};

/// Links of a chain that a thread follows in one round.
inline constexpr int links_per_round = 7;

/// Constants of the search for vertices of paths.
template <class T, int TileSize>
struct via_layout {
  static constexpr int threads = via_search.warps * warp_size;
  static constexpr int most_entries = via_search.rows * warp_size;
  static constexpr int at_once =
      vector_of<T>::size;  // Entries of a warp whose loads are in flight.
  static constexpr int ks_per_lane = TileSize / warp_size;
  static constexpr int steps_per_thread = via_search.most_steps / threads;
  static_assert(TileSize % warp_size == 0 && via_search.most_steps % threads == 0);
  static_assert(most_entries - 1 <= UINT16_MAX);
};

/// Shared memory of a CUDA block that searches for vertices of paths.
template <class T, int TileSize>
struct via_storage {
  using layout = via_layout<T, TileSize>;
  using scan = cub::BlockScan<int, layout::threads>;

  /// One column of padding spreads the entries of a column over all banks.
  T strip[TileSize][warp_size + 1];
  std::uint16_t sorted[layout::most_entries];
  int ends[via_search.most_steps];  ///< For each step, the end of its entries in `sorted`.
  typename scan::TempStorage scan_storage;
};

/// The entries of a CUDA block: some rows of a strip that is as wide as a warp.
struct via_entries {
  std::int32_t* predecessors;
  std::size_t extent;
  std::size_t first_row;
  std::size_t first_column;
  int count;

  __device__ __forceinline__ std::size_t row_of(int entry) const {
    return first_row + static_cast<std::size_t>(entry / warp_size);
  }
  __device__ __forceinline__ std::size_t column_of(int entry) const {
    return first_column + static_cast<std::size_t>(entry % warp_size);
  }
  /// Calls f(entry, step) for the entries of this thread that have a note.
  template <int Threads, class F>
  __device__ __forceinline__ void for_each_noted(const F& f) const {
    for (int entry = static_cast<int>(threadIdx.x); entry < count; entry += Threads) {
      const int step = code_of(predecessors[row_of(entry) * extent + column_of(entry)]);
      if (step >= 0) f(entry, step);
    }
  }
};

/// Sorts the noted entries by step, so that the rows of a pivot tile are loaded once.
template <class T, int TileSize>
__device__ __forceinline__ void sort_by_step(const via_entries& entries,
                                             via_storage<T, TileSize>& shared) {
  using layout = via_layout<T, TileSize>;
  constexpr int threads = layout::threads;
  constexpr int steps_per_thread = layout::steps_per_thread;
  const int thread = static_cast<int>(threadIdx.x);
  const auto take_place = [&](int step) {
    return ::cuda::atomic_ref<int, ::cuda::thread_scope_block>(shared.ends[step])
        .fetch_add(1, ::cuda::memory_order_relaxed);
  };
  for (int step = thread; step < via_search.most_steps; step += threads) shared.ends[step] = 0;
  __syncthreads();
  entries.for_each_noted<threads>([&](int, int step) { take_place(step); });
  __syncthreads();
  int counts[steps_per_thread];
  for (int s = 0; s < steps_per_thread; ++s) counts[s] = shared.ends[thread * steps_per_thread + s];
  typename via_storage<T, TileSize>::scan(shared.scan_storage).ExclusiveSum(counts, counts);
  for (int s = 0; s < steps_per_thread; ++s) shared.ends[thread * steps_per_thread + s] = counts[s];
  __syncthreads();
  entries.for_each_noted<threads>([&](int entry, int step) {
    shared.sorted[take_place(step)] = static_cast<std::uint16_t>(entry);
  });
  __syncthreads();
}

/// An entry with a note, and the distances from its row to the vertices of the pivot tile that a
/// lane looks at: every 32nd.
template <class T, int TileSize>
struct via_candidate {
  static constexpr int ks_per_lane = via_layout<T, TileSize>::ks_per_lane;

  int entry;
  T distance;
  T to_k[ks_per_lane];

  __device__ __forceinline__ void load(const T* distances, const via_entries& entries,
                                       std::size_t first_k, int lane) {
    const T* const row = distances + entries.row_of(entry) * entries.extent;
    distance = row[entries.column_of(entry)];
#pragma unroll
    for (int q = 0; q < ks_per_lane; ++q) {
      to_k[q] = row[first_k + static_cast<std::size_t>(q * warp_size + lane)];
    }
  }

  /// Stores a vertex on the path of the entry; the lanes of a warp look for it together.
  __device__ __forceinline__ void find(const via_entries& entries, std::size_t first_k, int lane,
                                       const T (&strip)[TileSize][warp_size + 1]) const {
    const std::size_t i = entries.row_of(entry);
    const std::size_t j = entries.column_of(entry);
    const auto k_of = [&](int q) {
      return first_k + static_cast<std::size_t>(q * warp_size + lane);
    };
    int found = -1;
#pragma unroll
    for (int q = 0; q < ks_per_lane; ++q) {
      // Closer to j than i is, so chains of such vertices end. This also excludes i and j.
      const T from_k = strip[q * warp_size + lane][entry % warp_size];
      const bool is_via = to_k[q] + from_k <= distance && to_k[q] < distance && from_k < distance;
      found = is_via ? q : found;
    }
    unsigned finders = __ballot_sync(whole_warp, found >= 0);
    if (finders == 0) {
      // Rounding made the distances equal. Cycles of such vertices are detected later.
      for (int q = 0; q < ks_per_lane; ++q) {
        const T from_k = strip[q * warp_size + lane][entry % warp_size];
        const bool is_via = to_k[q] + from_k <= distance && k_of(q) != i && k_of(q) != j;
        found = is_via ? q : found;
      }
      finders = __ballot_sync(whole_warp, found >= 0);
    }
    if (lane == __ffs(static_cast<int>(finders)) - 1) {
      entries.predecessors[i * entries.extent + j] =
          code_of(static_cast<std::int32_t>(k_of(found)));
    }
  }
};

/// Finds, for every entry with a note, a vertex on its path in the noted pivot tile, and stores the
/// vertex in place of the note.
///
/// Such a vertex exists: when the entry received its final value, it was the sum of two entries via
/// such a vertex. These have not increased since, and rounding preserves order.
template <class T, int TileSize>
__global__ void __launch_bounds__(via_search.warps* warp_size, 2)
    find_vias_kernel(const T* distances, std::int32_t* predecessors, std::size_t extent) {
  constexpr int at_once = via_layout<T, TileSize>::at_once;
  __shared__ via_storage<T, TileSize> shared;

  const std::size_t first_column =
      (static_cast<std::size_t>(blockIdx.z) * via_search.strips_per_group + blockIdx.x) * warp_size;
  if (first_column >= extent) return;
  const std::size_t first_row = static_cast<std::size_t>(blockIdx.y) * via_search.rows;
  const auto num_rows = min(static_cast<std::size_t>(via_search.rows), extent - first_row);
  const via_entries entries{.predecessors = predecessors,
                            .extent = extent,
                            .first_row = first_row,
                            .first_column = first_column,
                            .count = static_cast<int>(num_rows) * warp_size};
  sort_by_step(entries, shared);

  const int num_steps = static_cast<int>(extent / TileSize);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  for (int step = 0; step < num_steps; ++step) {
    const int begin = step == 0 ? 0 : shared.ends[step - 1];
    const int end = shared.ends[step];
    if (begin == end) continue;
    __syncthreads();  // No thread still reads the strip of another step.
    const std::size_t first_k = static_cast<std::size_t>(step) * TileSize;
    for (int k = warp; k < TileSize; k += via_search.warps) {
      shared.strip[k][lane] =
          distances[(first_k + static_cast<std::size_t>(k)) * extent + entries.column_of(lane)];
    }
    __syncthreads();

    for (int e = begin + warp * at_once; e < end; e += via_search.warps * at_once) {
      via_candidate<T, TileSize> candidates[at_once];
#pragma unroll
      for (int g = 0; g < at_once; ++g) {
        candidates[g].entry = shared.sorted[min(e + g, end - 1)];
        candidates[g].load(distances, entries, first_k, lane);
      }
#pragma unroll
      for (int g = 0; g < at_once; ++g) candidates[g].find(entries, first_k, lane, shared.strip);
    }
  }
}

/// One round of following chains of vertices along the columns: (i, j) takes the predecessor of
/// (k, j), or the vertex stored there. @p is_unfinished is set if vertices remain.
///
/// Chains become shorter by a factor of `links_per_round` + 1. A thread reads another entry either
/// as it was when the round began, or farther along the same chain.
/// @param needed  null, or a word that is zero if there is nothing to do.
static __global__ void follow_vias_kernel(std::int32_t* predecessors, std::size_t extent,
                                          const int* needed, int* is_unfinished) {
  if (needed != nullptr && *needed == 0) return;
  bool unfinished = false;
  for (std::size_t e = first_index(); e < extent * extent; e += index_stride()) {
    // Strips are as wide as a warp: one stays in the cache while all its chains are followed.
    const std::size_t row = e / warp_size % extent;
    const std::size_t column = e / warp_size / extent * warp_size + e % warp_size;
    const auto entry_of = [&](std::size_t i) {
      return ::cuda::atomic_ref<std::int32_t, ::cuda::thread_scope_device>(
          predecessors[i * extent + column]);
    };
    std::int32_t entry = entry_of(row).load(::cuda::memory_order_relaxed);
    if (entry >= -1) continue;
#pragma unroll 1
    for (int link = 0; link < links_per_round && entry < -1; ++link) {
      const auto k = static_cast<std::size_t>(code_of(entry));
      entry = entry_of(k).load(::cuda::memory_order_relaxed);
    }
    entry_of(row).store(entry, ::cuda::memory_order_relaxed);
    unfinished |= entry < -1;
  }
  if (unfinished) *is_unfinished = 1;
}

/// The remaining vertices form cycles, due to rounding. Each becomes its own predecessor, which
/// marks its row as doubtful.
/// @param needed  a word that is zero if there is nothing to do.
static __global__ void end_circles_kernel(std::int32_t* predecessors, std::size_t extent,
                                          const int* needed) {
  if (*needed == 0) return;
  for (std::size_t e = first_index(); e < extent * extent; e += index_stride()) {
    if (predecessors[e] < -1) predecessors[e] = static_cast<std::int32_t>(e % extent);
  }
}

/// Sets @p in_doubt for rows in which some vertex is not farther from the source than its
/// predecessor. In all other rows no path can form a cycle.
template <class T>
__global__ void find_rows_in_doubt_kernel(const T* distances, const std::int32_t* predecessors,
                                          std::size_t extent, char* in_doubt) {
  for (std::size_t e = first_index(); e < extent * extent; e += index_stride()) {
    const std::int32_t predecessor = predecessors[e];
    if (predecessor < 0) continue;
    const std::size_t source = e / extent;
    const auto before = static_cast<std::size_t>(predecessor);
    if (before == source || distances[source * extent + before] < distances[e]) continue;
    in_doubt[source] = 1;
  }
}

/// Enqueues the kernels that convert the notes of a solved matrix to predecessors.
/// @tparam TileSize  of the pivot tiles.
/// @param matrix  its pitch equals its extent.
template <int TileSize, class T>
void find_predecessors(const device_workspace& space, const square_matrix<T>& matrix,
                       std::size_t num_vertices) {
  const cudaStream_t stream = space.stream.get();
  const std::size_t extent = matrix.pitch;
  const std::size_t size = extent * extent;
  const auto divided = [](std::size_t count, int by) {
    const auto divisor = static_cast<std::size_t>(by);
    return static_cast<unsigned>((count + divisor - 1) / divisor);
  };
  const unsigned strips = divided(extent, warp_size);
  const unsigned group = std::min(strips, static_cast<unsigned>(via_search.strips_per_group));
  const dim3 blocks(group, divided(extent, via_search.rows),
                    divided(strips, via_search.strips_per_group));
  launch("find_vias_kernel", {blocks, static_cast<unsigned>(via_search.warps * warp_size), stream},
         find_vias_kernel<T, TileSize>, matrix.distances, matrix.predecessors, extent);

  // Vertices of a chain are distinct unless it ends in a cycle, so these rounds finish all chains
  // that can be finished.
  std::size_t rounds = 0;
  for (std::size_t reach = 1; reach < num_vertices; reach *= links_per_round + 1) ++rounds;
  // Word r is zero if round r has nothing to do.
  const device_buffer<int> needed = space.allocate<int>(rounds + 1);
  APSP_CUDA_CHECK(cudaMemsetAsync(needed.get(), 0, (rounds + 1) * sizeof(int), stream));
  for (std::size_t r = 0; r < rounds; ++r) {
    const int* const is_needed = r == 0 ? nullptr : needed.get() + r;
    space.launch_over("follow_vias_kernel", size, follow_vias_kernel, matrix.predecessors, extent,
                      is_needed, needed.get() + r + 1);
  }
  space.launch_over("end_circles_kernel", size, end_circles_kernel, matrix.predecessors, extent,
                    needed.get() + rounds);
}

/// For every row, whether its predecessors may form a cycle.
template <class S>
std::vector<char> find_rows_in_doubt(const padded_matrix<S>& matrix) {
  const device_workspace& space = matrix.space;
  const cudaStream_t stream = space.stream.get();
  const device_buffer<char> in_doubt = space.template allocate<char>(matrix.extent);
  APSP_CUDA_CHECK(cudaMemsetAsync(in_doubt.get(), 0, matrix.extent, stream));
  space.launch_over("find_rows_in_doubt_kernel", matrix.size(),
                    find_rows_in_doubt_kernel<typename S::value_type>, matrix.distances.get(),
                    matrix.predecessors.get(), matrix.extent, in_doubt.get());
  std::vector<char> rows(matrix.n);
  APSP_CUDA_CHECK(
      cudaMemcpyAsync(rows.data(), in_doubt.get(), rows.size(), cudaMemcpyDeviceToHost, stream));
  APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
  return rows;
}

}  // namespace apsp::inline v1::detail::cuda
