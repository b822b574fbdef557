// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../../apsp/unreachable.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../host/monitor.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/decay.hpp"
#include "../../problem/cuda/device_amounts.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/device_targets.hpp"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"
#include "distance_finishing.cuh"

// Adds up the rows of a solved batch on the device.
namespace apsp::inline v1::detail::cuda {

struct totals_tuning {
  unsigned side = 32;  ///< Threads of a block along the sources, and along the vertices.
  unsigned vertices_per_step = 8;
  /// Parts of the vertices that are added up at the same time.
  std::size_t most_parts = 64;
  std::size_t vertices_per_part = 4096;
};
inline constexpr totals_tuning adding_up{};

/// Adds up records, without the source of a row.
template <class W>
struct add_to_record {
  using element = row_record<W>;
  W limit;

  __device__ void operator()(std::size_t source, std::size_t v, const W& distance,
                             element& record) const {
    if (v != source) record.add(static_cast<std::int32_t>(v), distance, limit);
  }
};

/// Adds up sums of amounts.
template <class W>
struct add_to_sums {
  using element = amount_sums;
  device_amounts<W> wanted;

  __device__ void operator()(std::size_t, std::size_t v, const W& distance, element& sums) const {
    const bool is_step = wanted.rule.kind == decay_kind::step;
    const double share = is_step ? 1 : share_of(wanted.rule, static_cast<double>(distance));
#pragma unroll
    for (unsigned j = 0; j < amount_sums::most; ++j) {
      if (j < wanted.num_sums && distance <= wanted.limits[j]) {
        sums.at[j] += share * wanted.amounts[j][v];
      }
    }
  }
};

/// The distances of a batch that are added up.
template <class C, class W>
struct added_batch {
  const C* distances;
  batch_layout layout;
  std::size_t n;
  std::size_t num_sources;
  const std::int32_t* sources;
  finish_distances<C, W> finished;
};

/// Adds up a part of the vertices for every source: `totals` has a row of as many as there are
/// sources for each part. Sources that lie side by side are read by neighbouring threads.
template <class C, class W, class Add>
__global__ void __launch_bounds__(adding_up.side* adding_up.vertices_per_step)
    add_up_parts_kernel(added_batch<C, W> batch, std::size_t vertices_per_part, Add add,
                        typename Add::element* totals) {
  const std::size_t n = batch.n;
  const std::size_t num_sources = batch.num_sources;
  const batch_layout& layout = batch.layout;
  __shared__ typename Add::element shared[adding_up.vertices_per_step][adding_up.side];
  const std::size_t begin = blockIdx.x * vertices_per_part;
  const std::size_t end = min(begin + vertices_per_part, n);
  for (std::size_t group = std::size_t{blockIdx.y} * adding_up.side; group < num_sources;
       group += std::size_t{gridDim.y} * adding_up.side) {
    const std::size_t s = group + threadIdx.x;
    typename Add::element mine;
    if (s < num_sources) {
      const auto source = static_cast<std::size_t>(batch.sources[s]);
      const C* const row = batch.distances + layout.index(s, 0, n);
      for (std::size_t v = begin + threadIdx.y; v < end; v += adding_up.vertices_per_step) {
        add(source, v, batch.finished(source, v, row[v * layout.lanes]), mine);
      }
    }
    shared[threadIdx.y][threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.y == 0 && s < num_sources) {
      for (unsigned i = 1; i < adding_up.vertices_per_step; ++i) mine.add(shared[i][threadIdx.x]);
      totals[blockIdx.x * num_sources + s] = mine;
    }
    __syncthreads();
  }
}

/// Adds up the totals of the parts of each source, in place of those of the first part.
/// @param pitch  the number of totals of a part.
template <class Element>
__global__ void add_parts_kernel(std::size_t num_sources, std::size_t num_parts, std::size_t pitch,
                                 Element* totals) {
  const std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s >= num_sources) return;
  Element all = totals[s];
  for (std::size_t part = 1; part < num_parts; ++part) all.add(totals[part * pitch + s]);
  totals[s] = all;
}

/// Records in host memory.
template <class W>
class record_totals {
 public:
  template <class X>
  using element = row_record<X>;

  explicit record_totals(row_record<W>* records) : records_(records) {}

  /// The passes over the distances that it takes.
  std::size_t num_passes() const { return 1; }
  std::size_t workspace_bytes() const { return 0; }
  /// What solvers can add up in place of distances; null if they add up records.
  template <class C>
  std::optional<weighed_amounts<C>> amounts(const std::optional<W>&) const {
    return std::nullopt;
  }
  add_to_record<W> adder(std::size_t, std::size_t, const device_buffer<double>&) const {
    return {std::is_floating_point_v<W> ? std::numeric_limits<W>::max()
                                        : static_cast<W>(unreachable<W> - 1)};
  }
  std::span<const double> amounts_to_upload() const { return {}; }
  template <class X>
  void put(std::size_t row, std::size_t, const row_record<X>& record) const {
    records_[row] = record_as<W>(record);
  }

 private:
  row_record<W>* records_;
};

/// Sums of amounts in host memory.
template <class W>
class amount_totals {
 public:
  template <class X>
  using element = amount_sums;

  amount_totals(const weighed_amounts<W>& wanted, double* sums) : wanted_(wanted), sums_(sums) {}

  std::size_t num_passes() const {
    return (wanted_.num_sums() + amount_sums::most - 1) / amount_sums::most;
  }
  std::size_t workspace_bytes() const { return wanted_.amounts.size_bytes(); }
  template <class C>
  std::optional<weighed_amounts<C>> amounts(const std::optional<W>& cutoff) const {
    return amounts_as<C>(wanted_, cutoff);
  }
  add_to_sums<W> adder(std::size_t pass, std::size_t num_vertices,
                       const device_buffer<double>& amounts) const {
    return {device_amounts<W>(wanted_, pass * amount_sums::most, amounts.get(), num_vertices)};
  }
  std::span<const double> amounts_to_upload() const { return wanted_.amounts; }
  template <class>
  void put(std::size_t row, std::size_t pass, const amount_sums& found) const {
    const std::size_t first = pass * amount_sums::most;
    const std::size_t count = std::min<std::size_t>(wanted_.num_sums() - first, amount_sums::most);
    std::copy_n(found.at, count, sums_ + row * wanted_.num_sums() + first);
  }

 private:
  const weighed_amounts<W>& wanted_;
  double* sums_;
};

/// Writes the totals of rows to host memory.
/// @tparam Totals  `record_totals` or `amount_totals`
template <class C, class W, class Totals>
class totals_delivery final : public batch_delivery<C> {
 public:
  /// @param row_numbers  the row of each source of @p problem; empty if they are in order.
  totals_delivery(const per_source_problem<C>& problem, std::span<const std::int32_t> row_numbers,
                  const device_finishing<C, W>& finishing, const Totals& totals, monitor& watch)
      : row_numbers_(row_numbers),
        finishing_(problem, finishing),
        totals_(totals),
        watch_(watch),
        n_(problem.arcs.num_vertices()) {
    if constexpr (sizeof(C) <= sizeof(W)) {
      if (finishing.may_saturate || !finishing.potentials.empty()) return;
      amounts_ = totals.template amounts<C>(finishing.cutoff);
      solver_adds_up_ = amounts_ || !finishing.cutoff;
    }
  }

  bool may_overlap() const override { return false; }
  std::size_t bytes_of_total() const override {
    if (!solver_adds_up_) return 0;
    return totals_.num_passes() * sizeof(typename Totals::template element<C>);
  }
  const weighed_amounts<C>* amounts() const override {
    return solver_adds_up_ && amounts_ ? &*amounts_ : nullptr;
  }

  std::size_t workspace_bytes(const batch_layout& layout, std::size_t num_sources) const override {
    if (layout.rows_of_totals != 0) return 0;
    return saturated_sum(
        saturated_product(num_parts(), num_sources * sizeof(typename Totals::template element<W>)),
        saturated_sum(totals_.workspace_bytes(), finishing_.workspace_bytes()));
  }

  void deliver(const solved_batch<C>& batch, bool) override {
    if (batch.layout.rows_of_totals != 0) {
      auto* totals = static_cast<typename Totals::template element<C>*>(batch.totals);
      const std::size_t pitch = batch.layout.padded(batch.num_sources);
      for (std::size_t pass = 0; pass < totals_.num_passes(); ++pass) {
        deliver<C>(batch, pass, totals, batch.layout.rows_of_totals, pitch);
        totals += pitch * batch.layout.rows_of_totals;
      }
    } else {
      add_up(batch);
    }
    watch_.advance(batch.num_sources);
  }

  /// True if a distance was cut to the range of W, or by the limit of the problem.
  bool has_saturated() { return finishing_.has_saturated(); }

 private:
  void add_up(const solved_batch<C>& batch) {
    // The first batch is the largest.
    if (parts_.get() == nullptr) {
      const std::size_t bytes = workspace_bytes(batch.layout, batch.num_sources);
      parts_ = {num_parts() * batch.num_sources, batch.stream, bytes};
      uploaded_ = uploaded(totals_.amounts_to_upload(), batch.stream, bytes);
    }
    const std::size_t num_groups = (batch.num_sources + adding_up.side - 1) / adding_up.side;
    const dim3 blocks(static_cast<unsigned>(num_parts()),
                      static_cast<unsigned>(std::min(num_groups, gather.most_groups)));
    const added_batch<C, W> added{.distances = batch.distances,
                                  .layout = batch.layout,
                                  .n = n_,
                                  .num_sources = batch.num_sources,
                                  .sources = batch.sources,
                                  .finished = finishing_.of(batch)};
    for (std::size_t pass = 0; pass < totals_.num_passes(); ++pass) {
      const auto add = totals_.adder(pass, n_, uploaded_);
      launch("add_up_parts_kernel",
             {blocks, dim3(adding_up.side, adding_up.vertices_per_step), batch.stream},
             add_up_parts_kernel<C, W, std::remove_const_t<decltype(add)>>, added,
             vertices_per_part(), add, parts_.get());
      deliver<W>(batch, pass, parts_.get(), num_parts(), batch.num_sources);
    }
  }

  /// Adds up the totals of the parts, and delivers those of the sources.
  template <class X, class Element>
  void deliver(const solved_batch<C>& batch, std::size_t pass, Element* totals,
               std::size_t num_parts, std::size_t pitch) {
    if (num_parts > 1) {
      constexpr unsigned threads = 128;
      launch("add_parts_kernel", {grid_size(batch.num_sources, threads), threads, batch.stream},
             add_parts_kernel<Element>, batch.num_sources, num_parts, pitch, totals);
    }
    std::vector<Element> received(batch.num_sources);
    APSP_CUDA_CHECK(cudaMemcpyAsync(received.data(), totals, batch.num_sources * sizeof(Element),
                                    cudaMemcpyDeviceToHost, batch.stream));
    APSP_CUDA_CHECK(cudaStreamSynchronize(batch.stream));
    for (std::size_t s = 0; s < batch.num_sources; ++s) {
      const std::size_t i = batch.first_row + s;
      const std::size_t row = row_numbers_.empty() ? i : static_cast<std::size_t>(row_numbers_[i]);
      totals_.template put<X>(row, pass, received[s]);
    }
  }

  std::size_t num_parts() const {
    return std::clamp<std::size_t>(n_ / adding_up.vertices_per_part, 1, adding_up.most_parts);
  }
  std::size_t vertices_per_part() const { return (n_ + num_parts() - 1) / num_parts(); }

  std::span<const std::int32_t> row_numbers_;
  distance_finishing<C, W> finishing_;
  const Totals& totals_;
  monitor& watch_;
  std::size_t n_;
  std::optional<weighed_amounts<C>> amounts_;
  bool solver_adds_up_ = false;
  device_buffer<typename Totals::template element<W>> parts_;
  device_buffer<double> uploaded_;
};

}  // namespace apsp::inline v1::detail::cuda
