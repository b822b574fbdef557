// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../../../../apsp/unreachable.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../host/monitor.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/device_targets.hpp"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"
#include "distance_finishing.cuh"

// Sums up the rows of a solved batch on the device.
namespace apsp::detail::cuda {

struct summary_tuning {
  unsigned side = 32;  ///< Threads of a block along the sources, and along the vertices.
  unsigned vertices_per_step = 8;
  /// Parts of the vertices that are summed up at the same time.
  std::size_t most_parts = 64;
  std::size_t vertices_per_part = 4096;
};
inline constexpr summary_tuning summaries{};

/// The distances of a batch that are summed up.
template <class C, class W>
struct summed_batch {
  const C* distances;
  batch_layout layout;
  std::size_t n;
  std::size_t num_sources;
  const std::int32_t* sources;
  finish_distances<C, W> finished;
  W limit;
};

/// Sums up a part of the vertices for every source: `records` has a row of as many records as there
/// are sources for each part. Sources that lie side by side are read by neighbouring threads.
template <class C, class W>
__global__ void __launch_bounds__(summaries.side* summaries.vertices_per_step)
    summarize_parts_kernel(summed_batch<C, W> batch, std::size_t vertices_per_part,
                           row_record<W>* records) {
  const std::size_t n = batch.n;
  const std::size_t num_sources = batch.num_sources;
  const batch_layout& layout = batch.layout;
  __shared__ row_record<W> shared[summaries.vertices_per_step][summaries.side];
  const std::size_t begin = blockIdx.x * vertices_per_part;
  const std::size_t end = min(begin + vertices_per_part, n);
  for (std::size_t group = std::size_t{blockIdx.y} * summaries.side; group < num_sources;
       group += std::size_t{gridDim.y} * summaries.side) {
    const std::size_t s = group + threadIdx.x;
    row_record<W> mine;
    if (s < num_sources) {
      const auto source = static_cast<std::size_t>(batch.sources[s]);
      const C* const row = batch.distances + layout.index(s, 0, n);
      for (std::size_t v = begin + threadIdx.y; v < end; v += summaries.vertices_per_step) {
        if (v == source) continue;
        mine.add(static_cast<std::int32_t>(v), batch.finished(source, v, row[v * layout.lanes]),
                 batch.limit);
      }
    }
    shared[threadIdx.y][threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.y == 0 && s < num_sources) {
      for (unsigned i = 1; i < summaries.vertices_per_step; ++i) mine.add(shared[i][threadIdx.x]);
      records[blockIdx.x * num_sources + s] = mine;
    }
    __syncthreads();
  }
}

/// Adds up the records of the parts of each source, in place of those of the first part.
/// @param pitch  the number of records of a part.
template <class X>
__global__ void add_parts_kernel(std::size_t num_sources, std::size_t num_parts, std::size_t pitch,
                                 row_record<X>* records) {
  const std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s >= num_sources) return;
  row_record<X> all = records[s];
  for (std::size_t part = 1; part < num_parts; ++part) all.add(records[part * pitch + s]);
  records[s] = all;
}

/// Writes the totals of rows to host memory.
template <class C, class W>
class summary_delivery final : public batch_delivery<C> {
 public:
  /// @param row_numbers  the row of each source of @p problem; empty if they are in order.
  summary_delivery(const per_source_problem<C>& problem, std::span<const std::int32_t> row_numbers,
                   const device_finishing<C, W>& finishing, row_record<W>* records, monitor& watch)
      : row_numbers_(row_numbers),
        takes_totals_(sizeof(C) <= sizeof(W) && !finishing.cutoff && !finishing.may_saturate &&
                      finishing.potentials.empty()),
        finishing_(problem, finishing),
        records_(records),
        watch_(watch),
        n_(problem.arcs.num_vertices()) {}

  bool may_overlap() const override { return false; }
  bool takes_totals() const override { return takes_totals_; }

  std::size_t workspace_bytes(const batch_layout& layout, std::size_t num_sources) const override {
    if (layout.rows_of_totals != 0) return 0;
    return saturated_sum(saturated_product(num_parts(), num_sources * sizeof(row_record<W>)),
                         finishing_.workspace_bytes());
  }

  void deliver(const solved_batch<C>& batch, bool) override {
    if (batch.layout.rows_of_totals != 0) {
      return deliver(batch, batch.totals, batch.layout.rows_of_totals,
                     batch.layout.padded(batch.num_sources));
    }
    // The first batch is the largest.
    if (parts_.get() == nullptr) {
      const std::size_t count = num_parts() * batch.num_sources;
      parts_ = {count, batch.stream, count * sizeof(row_record<W>)};
    }
    constexpr W limit = std::is_floating_point_v<W> ? std::numeric_limits<W>::max()
                                                    : static_cast<W>(unreachable<W> - 1);
    const std::size_t num_groups = (batch.num_sources + summaries.side - 1) / summaries.side;
    const dim3 blocks(static_cast<unsigned>(num_parts()),
                      static_cast<unsigned>(std::min(num_groups, gather.most_groups)));
    launch("summarize_parts_kernel",
           {blocks, dim3(summaries.side, summaries.vertices_per_step), batch.stream},
           summarize_parts_kernel<C, W>,
           summed_batch<C, W>{.distances = batch.distances,
                              .layout = batch.layout,
                              .n = n_,
                              .num_sources = batch.num_sources,
                              .sources = batch.sources,
                              .finished = finishing_.of(batch),
                              .limit = limit},
           vertices_per_part(), parts_.get());
    deliver(batch, parts_.get(), num_parts(), batch.num_sources);
  }

  /// True if a distance was cut to the range of W, or by the limit of the problem.
  bool has_saturated() { return finishing_.has_saturated(); }

 private:
  /// Adds up the records of the parts, and delivers those of the sources.
  template <class X>
  void deliver(const solved_batch<C>& batch, row_record<X>* records, std::size_t num_parts,
               std::size_t pitch) {
    if (num_parts > 1) {
      constexpr unsigned threads = 128;
      launch("add_parts_kernel", {grid_size(batch.num_sources, threads), threads, batch.stream},
             add_parts_kernel<X>, batch.num_sources, num_parts, pitch, records);
    }
    std::vector<row_record<X>> received(batch.num_sources);
    APSP_CUDA_CHECK(cudaMemcpyAsync(received.data(), records,
                                    batch.num_sources * sizeof(row_record<X>),
                                    cudaMemcpyDeviceToHost, batch.stream));
    APSP_CUDA_CHECK(cudaStreamSynchronize(batch.stream));
    for (std::size_t s = 0; s < batch.num_sources; ++s) {
      const std::size_t i = batch.first_row + s;
      const std::size_t row = row_numbers_.empty() ? i : static_cast<std::size_t>(row_numbers_[i]);
      records_[row] = record_as<W>(received[s]);
    }
    watch_.advance(batch.num_sources);
  }

  std::size_t num_parts() const {
    return std::clamp<std::size_t>(n_ / summaries.vertices_per_part, 1, summaries.most_parts);
  }
  std::size_t vertices_per_part() const { return (n_ + num_parts() - 1) / num_parts(); }

  std::span<const std::int32_t> row_numbers_;
  bool takes_totals_;
  distance_finishing<C, W> finishing_;
  row_record<W>* records_;
  monitor& watch_;
  std::size_t n_;
  device_buffer<row_record<W>> parts_;
};

}  // namespace apsp::detail::cuda
