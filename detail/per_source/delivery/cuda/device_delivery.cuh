// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../../apsp/unreachable.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/device_targets.hpp"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"
#include "distance_finishing.cuh"

// Delivers the rows of a solved batch to the caller's matrices in device memory.
namespace apsp::inline v1::detail::cuda {

struct device_delivery_tuning {
  unsigned least_blocks = 8;  ///< Per multiprocessor, for the kernels that write rows.
  /// Vertices that are written one after another: rows need not begin at a sector of memory.
  unsigned columns = 128;
};
inline constexpr device_delivery_tuning device_delivery_launch{};

/// Rows of a matrix for the sources of a batch.
template <class X>
struct row_places {
  X* data;
  std::size_t pitch;
  const std::int32_t* numbers;  ///< The row of each source; null if they follow each other.

  __device__ X* row(std::size_t s) const {
    const std::size_t number = numbers == nullptr ? s : static_cast<std::size_t>(numbers[s]);
    return data + number * pitch;
  }
};

/// Writes finished distances to the caller's rows.
template <class C, class W>
struct put_distances {
  static constexpr unsigned least_blocks = device_delivery_launch.least_blocks;
  static constexpr unsigned columns = device_delivery_launch.columns;

  row_places<W> rows;
  const std::int32_t* sources;
  finish_distances<C, W> finished;

  __device__ auto row(std::size_t s) const {
    return [to = rows.row(s), source = static_cast<std::size_t>(sources[s]), &finish = finished](
               std::size_t v, const C& entry) { to[v] = finish(source, v, entry); };
  }
};

/// Writes predecessors to rows whose distances have already been written.
template <class W>
struct put_predecessors {
  static constexpr unsigned least_blocks = device_delivery_launch.least_blocks;
  static constexpr unsigned columns = device_delivery_launch.columns;

  row_places<std::int32_t> rows;
  row_places<std::int64_t> wide_rows;  ///< In place of these, if not null.
  const std::int32_t* sources;
  row_places<const W> distances;
  W no_path;

  __device__ auto row(std::size_t s) const {
    const bool is_wide = wide_rows.data != nullptr;
    return [to = is_wide ? nullptr : rows.row(s), wide_to = is_wide ? wide_rows.row(s) : nullptr,
            source = static_cast<std::size_t>(sources[s]), from = distances.row(s),
            none = no_path](std::size_t v, const std::int32_t& recorded) {
      // `no_predecessor` has the bits of -1, signed or not.
      const std::int32_t predecessor = v == source || from[v] == none ? -1 : recorded;
      if (wide_to != nullptr) {
        wide_to[v] = predecessor;
      } else {
        to[v] = predecessor;
      }
    };
  }
};

/// Finishes rows with kernels, on the stream that solved them. The host inspects only rows whose
/// predecessors may form a cycle.
template <class C, class W, class Join>
class device_delivery final : public batch_delivery<C> {
 public:
  /// @param row_numbers  the row of each source of @p problem; empty if they are in order.
  device_delivery(const per_source_problem<C>& problem, std::span<const std::int32_t> row_numbers,
                  const device_row_target<C, W>& rows, monitor& watch)
      : problem_(problem),
        row_numbers_(row_numbers),
        rows_(rows),
        finishing_(problem, rows.finishing),
        watch_(watch),
        n_(problem.arcs.num_vertices()) {}

  bool may_overlap() const override { return false; }

  std::size_t workspace_bytes(const batch_layout&, std::size_t num_sources) const override {
    const std::size_t repaired =
        problem_.with_predecessors ? rows_at_once(num_sources) * (sizeof(C) + sizeof(std::int32_t))
                                   : 0;
    return saturated_sum(saturated_product(n_, repaired),
                         finishing_.workspace_bytes() + row_numbers_.size_bytes());
  }

  void deliver(const solved_batch<C>& batch, bool) override {
    if (!row_numbers_.empty() && device_row_numbers_.get() == nullptr) {
      device_row_numbers_ = uploaded(row_numbers_, batch.stream, row_numbers_.size_bytes());
    }
    turn_rows(batch_entries<C>{.entries = batch.distances,
                               .layout = batch.layout,
                               .n = n_,
                               .first = 0,
                               .count = batch.num_sources},
              put_distances<C, W>{
                  places(rows_.distances.data(), rows_.distances.pitch(), batch.first_row),
                  batch.sources, finishing_.of(batch)},
              batch.stream);
    if (batch.predecessors != nullptr) {
      put(batch, batch.predecessors, batch.layout, 0, batch.num_sources);
      repair(batch);
    }
    // Rows that are reported to the observer must have been written.
    if (watch_.is_observed()) APSP_CUDA_CHECK(cudaStreamSynchronize(batch.stream));
    watch_.advance(batch.num_sources);
  }

  /// True if a distance was cut to the range of W, or by the limit of the problem.
  bool has_saturated() { return finishing_.has_saturated(); }

 private:
  static constexpr W no_path_ = unreachable<W>;

  /// Number of rows that the host inspects at a time.
  static std::size_t rows_at_once(std::size_t num_sources) {
    return std::min<std::size_t>(gather.side, num_sources);
  }

  /// The rows of the sources of the call from source @p first on.
  template <class X>
  row_places<X> places(X* data, std::size_t pitch, std::size_t first) const {
    if (row_numbers_.empty()) return {data + first * pitch, pitch, nullptr};
    return {data, pitch, device_row_numbers_.get() + first};
  }

  /// Writes the predecessors of @p count sources, starting with source @p first of the batch.
  /// @param entries  begins with those of source @p first.
  void put(const solved_batch<C>& batch, const std::int32_t* entries, const batch_layout& layout,
           std::size_t first, std::size_t count) {
    const device_vertices& to = rows_.predecessors;
    const std::size_t begin = batch.first_row + first;
    const bool is_wide = to.bytes_each == sizeof(std::int64_t);
    turn_rows(
        batch_entries<std::int32_t>{
            .entries = entries, .layout = layout, .n = n_, .first = 0, .count = count},
        put_predecessors<W>{
            .rows = is_wide ? row_places<std::int32_t>{}
                            : places(static_cast<std::int32_t*>(to.data), to.pitch, begin),
            .wide_rows = is_wide ? places(static_cast<std::int64_t*>(to.data), to.pitch, begin)
                                 : row_places<std::int64_t>{},
            .sources = batch.sources + first,
            .distances = places<const W>(rows_.distances.data(), rows_.distances.pitch(), begin),
            .no_path = no_path_},
        batch.stream);
  }

  /// Rebuilds predecessors that form a cycle as a tree.
  void repair(const solved_batch<C>& batch) {
    const std::vector<int> has_doubt = download_doubts(batch, batch.stream);
    for (std::size_t first = 0; first < batch.num_sources; first += gather.side) {
      const std::size_t count = rows_at_once(batch.num_sources - first);
      const int* const doubts = has_doubt.data() + first;
      if (std::find_if(doubts, doubts + count, [](int doubt) { return doubt != 0; }) !=
          doubts + count) {
        repair(batch, first, count, doubts);
      }
    }
  }

  void repair(const solved_batch<C>& batch, std::size_t first, std::size_t count,
              const int* has_doubt) {
    if (repaired_.get() == nullptr) {
      // The first batch is the largest.
      const std::size_t most = rows_at_once(batch.num_sources) * n_;
      inspected_ = {most, batch.stream, most * sizeof(C)};
      repaired_ = {most, batch.stream, most * sizeof(std::int32_t)};
      host_distances_.resize(most);
      host_predecessors_.resize(most);
    }
    const auto part_of = [&]<class X>(const X* entries) {
      return batch_entries<X>{
          .entries = entries, .layout = batch.layout, .n = n_, .first = first, .count = count};
    };
    turn_rows(part_of(batch.distances), put_rows<C>{inspected_.get(), n_}, batch.stream);
    turn_rows(part_of(batch.predecessors), put_rows<std::int32_t>{repaired_.get(), n_},
              batch.stream);
    copy(host_distances_.data(), inspected_.get(), count, cudaMemcpyDeviceToHost, batch.stream);
    copy(host_predecessors_.data(), repaired_.get(), count, cudaMemcpyDeviceToHost, batch.stream);
    APSP_CUDA_CHECK(cudaStreamSynchronize(batch.stream));
    host::parallel_for(
        count, 0,
        [&](std::size_t i) {
          if (has_doubt[i] == 0) return;
          const auto source =
              static_cast<std::size_t>(problem_.sources[batch.first_row + first + i]);
          repair_predecessors<Join>(problem_.arcs, source, host_distances_.data() + i * n_,
                                    host_predecessors_.data() + i * n_);
        },
        1);
    copy(repaired_.get(), host_predecessors_.data(), count, cudaMemcpyHostToDevice, batch.stream);
    put(batch, repaired_.get(), batch_layout{}, first, count);
  }

  template <class X>
  void copy(X* to, const X* from, std::size_t rows, cudaMemcpyKind kind,
            cudaStream_t stream) const {
    APSP_CUDA_CHECK(cudaMemcpyAsync(to, from, rows * n_ * sizeof(X), kind, stream));
  }

  const per_source_problem<C>& problem_;
  std::span<const std::int32_t> row_numbers_;
  const device_row_target<C, W>& rows_;
  distance_finishing<C, W> finishing_;
  monitor& watch_;
  std::size_t n_;
  device_buffer<std::int32_t> device_row_numbers_;
  device_buffer<C> inspected_;  ///< Rows that are copied to the host for inspection and back.
  device_buffer<std::int32_t> repaired_;
  std::vector<C> host_distances_;
  std::vector<std::int32_t> host_predecessors_;
};

}  // namespace apsp::inline v1::detail::cuda
