// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../device/architecture.hpp"
#include "../../../device/check.cuh"
#include "../../../graph/adjacency.hpp"
#include "../../../graph/trees.hpp"
#include "../../problem/cuda/source_batch.cuh"

// Delivery of a solved batch, whatever the destination of its rows.
namespace apsp::inline v1::detail::cuda {

struct gather_tuning {
  /// Tile of sources and vertices that is transposed in shared memory: sources, at most, and
  /// vertices.
  unsigned side = 32;
  unsigned rows_per_step = 4;
  std::size_t most_blocks = 1024;
  std::size_t most_groups = 65535;  ///< CUDA blocks along the second dimension of a grid.
};
inline constexpr gather_tuning gather{};
inline constexpr unsigned gather_threads = gather.side * gather.rows_per_step;

/// Puts the entries of @p count sources from source @p first on: calls put.row(s)(v, entry), where
/// s is relative to @p first. Neighbouring threads put entries of neighbouring vertices: tiles of
/// sources that lie side by side are transposed.
template <class X, class Put>
__global__ void __launch_bounds__(gather_threads,
                                  resident_blocks(Put::least_blocks, gather_threads))
    turn_rows_kernel(const X* entries, batch_layout layout, std::size_t n, std::size_t first,
                     std::size_t count, Put put) {
  constexpr unsigned side = gather.side;
  constexpr unsigned columns = Put::columns;
  __shared__ X turned[columns][side + 1];
  const std::size_t group_step = std::size_t{gridDim.y} * side;
  for (std::size_t group = std::size_t{blockIdx.y} * side; group < count; group += group_step) {
    const auto rows = static_cast<unsigned>(min(count - group, std::size_t{side}));
    const X* const from = entries + layout.index(first + group + threadIdx.x, threadIdx.y, n);
    for (std::size_t begin = std::size_t{blockIdx.x} * columns; begin < n;
         begin += std::size_t{gridDim.x} * columns) {
      const auto width = static_cast<unsigned>(min(n - begin, std::size_t{columns}));
      const X* const tile = from + begin * layout.lanes;
#pragma unroll 8
      for (unsigned i = 0; i < columns; i += gather.rows_per_step) {
        if (threadIdx.x < rows && i + threadIdx.y < width) {
          turned[i + threadIdx.y][threadIdx.x] = tile[i * layout.lanes];
        }
      }
      __syncthreads();
      for (unsigned j = threadIdx.y; j < rows; j += gather.rows_per_step) {
        const auto put_entry = put.row(group + j);
#pragma unroll
        for (unsigned v = threadIdx.x; v < columns; v += side) {
          if (v < width) put_entry(begin + v, turned[v][j]);
        }
      }
      __syncthreads();
    }
  }
}

/// The same for sources that lie one after another.
template <class X, class Put>
__global__ void __launch_bounds__(gather_threads,
                                  resident_blocks(Put::least_blocks, gather_threads))
    put_rows_kernel(const X* entries, std::size_t n, std::size_t first, std::size_t count,
                    Put put) {
  const std::size_t step = std::size_t{gridDim.x} * gather.side;
  const std::size_t row_step = std::size_t{gridDim.y} * gather.rows_per_step;
  for (std::size_t s = std::size_t{blockIdx.y} * gather.rows_per_step + threadIdx.y; s < count;
       s += row_step) {
    const auto put_entry = put.row(s);
    for (std::size_t v = std::size_t{blockIdx.x} * gather.side + threadIdx.x; v < n; v += step) {
      put_entry(v, entries[(first + s) * n + v]);
    }
  }
}

/// Writes entries to contiguous rows of n.
template <class X>
struct put_rows {
  /// These blocks must fit beside the blocks that solve for the next batch, which use nearly all
  /// registers of a multiprocessor: this many resident blocks leave 32 registers per thread.
  static constexpr unsigned least_blocks = 16;
  static constexpr unsigned columns = gather.side;

  X* rows;
  std::size_t n;

  __device__ auto row(std::size_t s) const {
    return [to = rows + s * n](std::size_t v, const X& entry) { to[v] = entry; };
  }
};

/// The entries of some sources of a batch.
template <class X>
struct batch_entries {
  const X* entries;  ///< Of the whole batch.
  batch_layout layout;
  std::size_t n;
  std::size_t first;  ///< The first of these sources.
  std::size_t count;
};

/// Launches `turn_rows_kernel` or `put_rows_kernel`.
template <class X, class Put>
void turn_rows(const batch_entries<X>& from, const Put& put, cudaStream_t stream) {
  const auto& [entries, layout, n, first, count] = from;
  const auto groups_of = [](std::size_t size, std::size_t group, std::size_t most) {
    return static_cast<unsigned>(std::clamp<std::size_t>((size + group - 1) / group, 1, most));
  };
  const unsigned columns =
      groups_of(n, layout.lanes == 1 ? gather.side : Put::columns, gather.most_blocks);
  const dim3 threads(gather.side, gather.rows_per_step);
  if (layout.lanes == 1) {
    launch("put_rows_kernel",
           {dim3(columns, groups_of(count, gather.rows_per_step, gather.most_groups)), threads,
            stream},
           put_rows_kernel<X, Put>, entries, n, first, count, put);
  } else {
    launch("turn_rows_kernel",
           {dim3(columns, groups_of(count, gather.side, gather.most_groups)), threads, stream},
           turn_rows_kernel<X, Put>, entries, layout, n, first, count, put);
  }
}

/// A batch whose distances, and predecessors if requested, are final on the device.
template <class C>
struct solved_batch {
  std::size_t first_row;  ///< Index among the sources of the call.
  std::size_t num_sources;
  const std::int32_t* sources;
  const device_arcs<C>& arcs;
  batch_layout layout;
  const C* distances;
  void* totals;                      ///< In place of distances, if `layout` says so.
  const std::int32_t* predecessors;  ///< Null if not requested.
  const int* has_doubt;              ///< For each source: its predecessors may not be a tree.
  cudaStream_t stream;               ///< The stream that solved the batch.
  cudaEvent_t ready;
};

/// Computes for every source of a batch whether its predecessors may not be a tree, in the order of
/// @p stream.
template <class C>
std::vector<int> download_doubts(const solved_batch<C>& batch, cudaStream_t stream) {
  std::vector<int> has_doubt(batch.num_sources);
  APSP_CUDA_CHECK(cudaMemcpyAsync(has_doubt.data(), batch.has_doubt,
                                  batch.num_sources * sizeof(int), cudaMemcpyDeviceToHost, stream));
  APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
  return has_doubt;
}

/// Rebuilds the predecessors of one source as a tree on the host if they are not a tree.
template <class Join, class C>
void repair_predecessors(const adjacency_view<C>& arcs, std::size_t source, const C* distances,
                         std::int32_t* predecessors) {
  if constexpr (Join::is_sum) {
    make_tree(arcs, source, sum_slack(arcs, distances), predecessors);
  } else {
    const auto through = [&](std::size_t u, std::size_t a) {
      return Join::join(distances[u], arcs.weights[a]);
    };
    if constexpr (Join::rounds) {
      make_tree(arcs, source, value_slack(arcs, distances, through), predecessors);
    } else {
      make_tree(arcs, source, exact_slack(arcs, distances, through), predecessors);
    }
  }
}

/// Delivers solved batches to their destination.
template <class C>
class batch_delivery {
 public:
  virtual ~batch_delivery() = default;

  /// True if the next batch can be solved at the same time, in a second set of buffers.
  virtual bool may_overlap() const = 0;
  /// The size of the totals of a source, if they may take the place of distances; otherwise 0.
  virtual std::size_t bytes_of_total() const { return 0; }
  /// The totals are sums of these amounts. Null if they are records.
  virtual const weighed_amounts<C>* amounts() const { return nullptr; }
  /// Device memory needed to deliver a batch.
  virtual std::size_t workspace_bytes(const batch_layout& layout,
                                      std::size_t num_sources) const = 0;
  /// Delivers @p batch. Its memory is read until this returns or, if nothing overlaps, in the order
  /// of its stream.
  /// @param is_beside_solver  another thread is solving the next batch on the device at the same
  ///                          time.
  virtual void deliver(const solved_batch<C>& batch, bool is_beside_solver) = 0;
};

}  // namespace apsp::inline v1::detail::cuda
