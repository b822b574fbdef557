// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <cuda/functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/workspace.cuh"
#include "../../matrix/cuda/square_matrix.cuh"

// Upper bounds of the shortest distances of a graph before they are computed.
namespace apsp::inline v1::detail::cuda {

/// The length if there is no path.
inline constexpr std::uint64_t no_length = std::numeric_limits<std::uint64_t>::max();

/// Longer lengths are clamped to this value, so that the sum of a length and a matrix entry does
/// not wrap: entries are below half of the largest value of their type. A bound this large is too
/// large for any type.
inline constexpr std::uint64_t most_length = std::uint64_t{1} << 62;

/// The length of an arc of a whole, non-negative weight.
template <class T>
__device__ __forceinline__ std::uint64_t length_of(T weight) {
  if constexpr (std::is_floating_point_v<T>) {
    if (weight >= static_cast<T>(most_length)) return most_length;
  }
  return static_cast<std::uint64_t>(weight);
}

/// Results of the passes over a matrix.
struct root_findings {
  std::uint64_t heaviest;      ///< largest weight
  unsigned long long changes;  ///< in the latest pass

  static constexpr unsigned long long shortened = 1;  ///< A length decreased.
  static constexpr unsigned long long reached = 2;    ///< A vertex received its first length.
};

struct bound_tuning {
  int threads = 256;
  int rows_at_once = 4;
  /// For all roots together. A pass takes as long as one read of the matrix, a thousandth of the
  /// time of a solve of 16,384 vertices.
  int most_passes = 24;
  /// Passes before the results are read, since each read takes as long as a pass over a small
  /// matrix.
  int passes_per_look = 4;
  /// Several roots, because a root may be a vertex that few others can reach.
  int roots = 3;
};
inline constexpr bound_tuning bounding{};

/// The matrix of a graph.
template <class T>
struct arc_matrix {
  const T* entries;
  std::size_t pitch;
  std::size_t num_vertices;
  T unreachable;  ///< Entries at least this large are no arcs.
};

/// One round of Bellman-Ford from a vertex and to it, in one pass over the matrix. from[v] becomes
/// the length of a path over a vertex u in the rows of the CUDA block, if that is shorter, and
/// to[u] that of a path over any v.
///
/// Threads may read lengths that others are decreasing: both the old and the new value are lengths
/// of a path.
template <class T>
__global__ void __launch_bounds__(bounding.threads)
    relax_hub_kernel(arc_matrix<T> matrix, std::uint64_t* from, std::uint64_t* to,
                     root_findings* findings) {
  const std::size_t num_vertices = matrix.num_vertices;
  using length = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device>;
  using reduction = ::cub::BlockReduce<std::uint64_t, bounding.threads>;
  constexpr auto relaxed = ::cuda::memory_order_relaxed;
  constexpr int rows = bounding.rows_at_once;
  __shared__ typename reduction::TempStorage shared;

  std::uint64_t heaviest = 0;
  unsigned long long changes = 0;
  const auto shorten = [&](std::uint64_t& entry, std::uint64_t found) {
    found = found < most_length ? found : most_length;
    const std::uint64_t old = length(entry).load(relaxed);
    if (found >= old) return;
    length(entry).fetch_min(found, relaxed);
    changes |= old == no_length ? root_findings::reached | root_findings::shortened
                                : root_findings::shortened;
  };
  for (std::size_t first = std::size_t{blockIdx.x} * rows; first < num_vertices;
       first += std::size_t{gridDim.x} * rows) {
    std::uint64_t to_row[rows];
    std::uint64_t best[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const std::size_t u = first + static_cast<std::size_t>(i);
      to_row[i] = u < num_vertices ? length(from[u]).load(relaxed) : no_length;
      best[i] = no_length;
    }
    for (std::size_t v = threadIdx.x; v < num_vertices; v += bounding.threads) {
      const std::uint64_t onwards = length(to[v]).load(relaxed);
      std::uint64_t shortest = no_length;
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const std::size_t u = first + static_cast<std::size_t>(i);
        if (u >= num_vertices) break;
        const T weight = matrix.entries[u * matrix.pitch + v];
        if (weight >= matrix.unreachable) continue;
        const std::uint64_t arc = length_of(weight);
        heaviest = heaviest < arc ? arc : heaviest;
        if (onwards != no_length && arc + onwards < best[i]) best[i] = arc + onwards;
        if (to_row[i] != no_length && to_row[i] + arc < shortest) shortest = to_row[i] + arc;
      }
      if (shortest != no_length) shorten(from[v], shortest);
    }
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const std::uint64_t least = reduction(shared).Reduce(best[i], ::cuda::minimum<>{});
      __syncthreads();
      if (threadIdx.x == 0 && least != no_length) {
        shorten(to[first + static_cast<std::size_t>(i)], least);
      }
    }
  }
  const std::uint64_t greatest = reduction(shared).Reduce(heaviest, ::cuda::maximum<>{});
  if (threadIdx.x == 0) length(findings->heaviest).fetch_max(greatest, relaxed);
  if (changes != 0) atomicOr(&findings->changes, changes);
}

/// An upper bound of all distances of a matrix of whole numbers, none negative, or `no_length`.
///
/// Let h be a vertex, the root. A path from u to v that passes h has a length of at most d(u, h) +
/// d(h, v). A shortest path to a vertex that h does not reach passes no vertex that h reaches, so
/// it has fewer arcs than there are such vertices. The same holds for a path from a vertex that
/// does not reach h.
/// @param enough  the search ends when the bound is not above this value.
template <class T>
std::uint64_t bound_distances(const device_workspace& space, const square_matrix<T>& matrix,
                              std::size_t num_vertices, T unreachable, std::uint64_t enough) {
  const cudaStream_t stream = space.stream.get();
  const std::size_t n = num_vertices;
  const device_buffer<std::uint64_t> lengths = space.allocate<std::uint64_t>(2 * n);
  const device_buffer<root_findings> device_findings = space.allocate<root_findings>(1);
  std::uint64_t* const from = lengths.get();
  std::uint64_t* const to = lengths.get() + n;
  const unsigned blocks = space.setup_blocks(n * setup.threads / bounding.rows_at_once);
  std::vector<std::uint64_t> found(2 * n);

  // The largest length. If not all vertices are reached, that of the reached ones.
  const auto reach_of = [&](const std::uint64_t* first) {
    std::uint64_t greatest = 0;
    for (std::size_t v = 0; v < n; ++v) {
      if (first[v] != no_length) greatest = std::max(greatest, first[v]);
    }
    return greatest;
  };
  const auto left_out = [&](const std::uint64_t* first) {
    return static_cast<std::uint64_t>(std::count(first, first + n, no_length));
  };

  std::uint64_t bound = no_length;
  int passes = 0;
  for (int h = 0; h < bounding.roots && bound > enough && passes < bounding.most_passes; ++h) {
    const std::size_t root =
        n / static_cast<std::size_t>(bounding.roots) * static_cast<std::size_t>(h);
    APSP_CUDA_CHECK(cudaMemsetAsync(from, 0xff, 2 * n * sizeof(std::uint64_t), stream));
    APSP_CUDA_CHECK(cudaMemsetAsync(from + root, 0, sizeof(std::uint64_t), stream));
    APSP_CUDA_CHECK(cudaMemsetAsync(to + root, 0, sizeof(std::uint64_t), stream));
    APSP_CUDA_CHECK(cudaMemsetAsync(device_findings.get(), 0, sizeof(root_findings), stream));
    bool is_closed = false;
    root_findings findings{};
    do {
      for (int pass = 0; pass < bounding.passes_per_look; ++pass) {
        APSP_CUDA_CHECK(cudaMemsetAsync(&device_findings.get()->changes, 0,
                                        sizeof(root_findings::changes), stream));
        launch("relax_hub_kernel", {blocks, static_cast<unsigned>(bounding.threads), stream},
               relax_hub_kernel<T>, arc_matrix<T>{matrix.distances, matrix.pitch, n, unreachable},
               from, to, device_findings.get());
      }
      passes += bounding.passes_per_look;
      APSP_CUDA_CHECK(cudaMemcpyAsync(&findings, device_findings.get(), sizeof findings,
                                      cudaMemcpyDeviceToHost, stream));
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
      // A path has fewer than n arcs.
      bound = std::min(bound, saturated_product(findings.heaviest, n));
      is_closed = (findings.changes & root_findings::reached) == 0;
      if (is_closed) {
        APSP_CUDA_CHECK(cudaMemcpyAsync(found.data(), from, 2 * n * sizeof(std::uint64_t),
                                        cudaMemcpyDeviceToHost, stream));
        APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
        const std::uint64_t* const first_to = found.data() + n;
        const std::uint64_t outside = saturated_product(
            std::max(left_out(found.data()), left_out(first_to)), findings.heaviest);
        bound = std::min(bound, std::max(reach_of(found.data()) + reach_of(first_to), outside));
      }
    } while (findings.changes != 0 && bound > enough && passes < bounding.most_passes);
    // Paths have many arcs: other roots would not finish sooner.
    if (!is_closed) break;
  }
  return bound;
}

}  // namespace apsp::inline v1::detail::cuda
