// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/resource_cache.cuh"
#include "../../../device/stop_signal.cuh"
#include "../../../device/warp.hpp"
#include "../../../elimination/coded_hierarchy.hpp"
#include "../../../elimination/sweep_program.hpp"
#include "../../problem/cuda/device_amounts.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "sweep_kernels.cuh"

// Elimination from many sources: sweeps over a hierarchy, which has been computed on the host.
namespace apsp::inline v1::detail::cuda {

template <class C, class Join>
class sweep_solver final : public batch_solver<C> {
 public:
  /// @param num_sources  that the device is likely to solve.
  /// @param most_bytes  device memory that the call may use; if it is short, fewer sources are
  ///                    swept together.
  /// @param is_naive    each thread sweeps alone.
  /// @param sums_up     totals are wanted in place of distances. A thread that sweeps alone writes
  ///                    distances nevertheless.
  /// @param amounts     to add up; null if the totals are records.
  sweep_solver(const coded_hierarchy<C>& hierarchy, std::size_t num_sources, std::size_t most_bytes,
               bool is_naive, bool sums_up, const weighed_amounts<C>* amounts, cudaStream_t stream)
      : hierarchy_(hierarchy),
        graph_(hierarchy.graph),
        is_naive_(is_naive),
        sums_up_(sums_up && Join::is_sum && !is_naive),
        amounts_(sums_up_ ? amounts : nullptr),
        values_{.one = Join::start,
                .none = hierarchy.code.unreachable,
                .none_from = hierarchy.code.unreachable_from,
                .stored_none = Join::none,
                .largest = std::is_integral_v<C>
                               ? static_cast<C>(hierarchy.code.unreachable_from - 1)
                               : std::numeric_limits<C>::max()},
        stream_(stream) {
    int device = 0;
    APSP_CUDA_CHECK(cudaGetDevice(&device));
    const auto attribute = [&](cudaDeviceAttr which) {
      int value = 0;
      APSP_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
      return static_cast<std::size_t>(value);
    };
    multiprocessors_ = num_multiprocessors();
    shared_bytes_ = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    most_block_bytes_ = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const auto kept_bytes = static_cast<double>(resource_cache::current().kept_bytes());
    const auto batch_bytes = static_cast<std::size_t>(kept_bytes * sweeps.share_of_kept_memory);
    most_sources_ = std::min(num_sources, batch_bytes / sizeof(C) / values_per_source() + 1);
    list_places();
    if (is_naive) {
      shape_ = sweeps.alone;
      subtree_sizes_ = find_subtree_sizes(*graph_.tree);
    } else {
      make_program(most_bytes);
    }
  }

  /// Bytes of device memory for the hierarchy and the program.
  std::size_t graph_bytes() const {
    const elimination_tree& tree = *graph_.tree;
    return (amounts_ == nullptr ? 0 : amounts_->amounts.size_bytes()) + bytes_of(program_->units) +
           bytes_of(program_->part_offsets) + bytes_of(tree.places) + bytes_of(tree.depths) +
           bytes_of(up_places_) + bytes_of(graph_.up) +
           (is_naive_ ? bytes_of(subtree_sizes_) + bytes_of(tree.vertices) +
                            bytes_of(graph_.down_offsets) + bytes_of(graph_.down)
                      : 0);
  }
  void upload(std::size_t bytes_needed) {
    const elimination_tree& tree = *graph_.tree;
    units_ = uploaded(std::span(program_->units), stream_, bytes_needed);
    part_offsets_ = uploaded(std::span(program_->part_offsets), stream_, bytes_needed);
    places_ = uploaded(std::span(std::as_const(tree.places)), stream_, bytes_needed);
    depths_ = uploaded(std::span(std::as_const(tree.depths)), stream_, bytes_needed);
    device_up_places_ = uploaded(std::span(std::as_const(up_places_)), stream_, bytes_needed);
    up_ = uploaded(std::span(std::as_const(graph_.up)), stream_, bytes_needed);
    if (amounts_ != nullptr) upload_amounts(bytes_needed);
    if (!is_naive_) return;
    device_subtree_sizes_ =
        uploaded(std::span(std::as_const(subtree_sizes_)), stream_, bytes_needed);
    vertices_ = uploaded(std::span(std::as_const(tree.vertices)), stream_, bytes_needed);
    down_offsets_ = uploaded(std::span(std::as_const(graph_.down_offsets)), stream_, bytes_needed);
    down_ = uploaded(std::span(std::as_const(graph_.down)), stream_, bytes_needed);
  }

  batch_layout layout() const override {
    return {group_size(), sums_up_ ? static_cast<unsigned>(program_->num_parts()) : 0};
  }
  std::size_t concurrent_sources() const override {
    return is_naive_ ? num_warps() * group_size() : layout().padded(most_sources_);
  }
  std::size_t workspace_bytes(std::size_t num_sources) const override {
    return saturated_sum(saturated_product(entries_above(num_sources), sizeof(C)),
                         saturated_product(spilled_values(num_sources), sizeof(C)));
  }
  void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) override {
    above_ = {entries_above(num_sources), stream_, bytes_needed};
    spilled_ = {spilled_values(num_sources), stream_, bytes_needed};
    if (!is_naive_) num_taken_ = {1, stream_, bytes_needed};
    stop_ = stop_signal(stream_, watch, bytes_needed);
  }

  solve_outcome solve(const source_batch<C>& batch, monitor&) override {
    if (batch.num_sources == 0) return solve_outcome::finished;
    sweep_up(batch);
    if (is_naive_) {
      sweep_down_alone(batch);
      return stop_.wait();
    }
    switch (shape_.sources_per_lane) {
      case 1:
        sweep_down<1>(batch);
        break;
      case 2:
        sweep_down<2>(batch);
        break;
      default:
        if constexpr (sizeof(C) == 4) sweep_down<4>(batch);
    }
    return stop_.wait();
  }

 private:
  template <class X>
  static std::size_t bytes_of(const std::vector<X>& values) {
    return values.size() * sizeof(X);
  }
  /// The mean number of arcs that lead down from a place.
  double arcs_per_place() const {
    return static_cast<double>(graph_.down.size()) /
           static_cast<double>(graph_.tree->num_vertices());
  }
  /// In the memory of a batch.
  std::size_t values_per_source() const {
    const auto height = static_cast<std::size_t>(graph_.tree->height);
    return sums_up_ ? height : graph_.tree->num_vertices() + height;
  }
  unsigned group_size() const { return warp_size * shape_.sources_per_lane; }
  std::size_t num_warps() const { return multiprocessors_ * shape_.warps; }
  std::size_t num_groups(std::size_t num_sources) const {
    return layout().padded(num_sources) / group_size();
  }
  std::size_t num_blocks(std::size_t num_sources) const {
    return std::min(num_warps(), saturated_product(num_groups(num_sources), program_->num_parts()));
  }
  /// All groups but the last, whose tasks are ordered by size.
  std::size_t num_mixed_groups(std::size_t num_sources) const {
    const std::size_t last = sweeps.last_tasks_per_warp * num_warps() / program_->num_parts() + 1;
    return num_groups(num_sources) - std::min(num_groups(num_sources), last);
  }
  std::size_t entries_above(std::size_t num_sources) const {
    return saturated_product(layout().padded(num_sources),
                             static_cast<std::size_t>(graph_.tree->height));
  }
  std::size_t spilled_values(std::size_t num_sources) const {
    if (is_naive_) return entries_above(num_sources);
    return saturated_product(num_blocks(num_sources), program_->num_spilled * group_size());
  }

  void make_program(std::size_t most_bytes) {
    const bool are_some = most_sources_ >= sweeps.some_from * multiprocessors_;
    const bool are_many = most_sources_ >= sweeps.many_from * multiprocessors_ && sizeof(C) == 4;
    const double arcs = arcs_per_place();
    sweep_shape shape = sweeps.some_sources;
    if (!are_some) {
      shape = sweeps.few_sources;
    } else if (arcs >= sweeps.many_arcs) {
      shape = sweeps.most_slots;
    } else if (arcs >= sweeps.some_arcs) {
      shape = sweeps.more_slots;
    } else if (are_many) {
      shape = sweeps.many_sources;
    }
    // Distances, predecessors, and the values above the sources, for two groups.
    const std::size_t bytes_per_source = values_per_source() * (sizeof(C) + sizeof(std::int32_t));
    if (saturated_product(bytes_per_source, 2 * warp_size * shape.sources_per_lane) > most_bytes) {
      shape = sweeps.few_sources;
    }
    make_program(shape);
  }
  void make_program(const sweep_shape& shape) {
    shape_ = shape;
    const std::size_t slot_bytes = group_size() * sizeof(C);
    const std::size_t room =
        std::min(shared_bytes_ / shape.warps - sweeps.reserved_bytes, most_block_bytes_);
    const std::size_t num_slots = (room - sweep_program_bytes) / slot_bytes;
    block_bytes_ = sweep_program_bytes + num_slots * slot_bytes;
    program_ = hierarchy_.programs->get(
        graph_, {num_slots, slot_bytes, num_groups(most_sources_), num_warps()});
  }

  void list_places() {
    const elimination_tree& tree = *graph_.tree;
    up_places_.reserve(tree.num_vertices());
    for (std::size_t p = 0; p < tree.num_vertices(); ++p) {
      const std::int64_t first = graph_.up_offsets[p];
      const auto count = static_cast<std::int32_t>(graph_.up_offsets[p + 1] - first);
      up_places_.push_back({first, count, tree.parents[p]});
    }
  }
  unsigned threads_up() const {
    const auto wanted = static_cast<unsigned>(arcs_per_place() / sweeps.arcs_per_thread_up);
    return std::clamp(wanted, 1u, sweeps.most_threads_up);
  }

  device_hierarchy<C> on_device() const {
    return {.height = static_cast<std::size_t>(graph_.tree->height),
            .places = places_.get(),
            .depths = depths_.get(),
            .up_places = device_up_places_.get(),
            .up = up_.get(),
            .subtree_sizes = device_subtree_sizes_.get(),
            .vertices = vertices_.get(),
            .down_offsets = down_offsets_.get(),
            .down = down_.get()};
  }

  void sweep_up(const source_batch<C>& batch) {
    launch("sweep_up_kernel",
           {dim3(grid_size(batch.num_sources, warp_size)), dim3(warp_size, threads_up()), stream_},
           sweep_up_kernel<C, Join>, on_device(), batch.sources, batch.num_sources, group_size(),
           values_, above_.get());
  }
  void sweep_down_alone(const source_batch<C>& batch) {
    launch("sweep_down_alone_kernel",
           {grid_size(batch.num_sources, sweeps.threads), sweeps.threads, stream_},
           sweep_down_alone_kernel<C, Join>, on_device(),
           alone_task<C>{.num_vertices = graph_.tree->num_vertices(),
                         .sources = batch.sources,
                         .num_sources = batch.num_sources,
                         .lanes = group_size(),
                         .values = values_,
                         .above = above_.get(),
                         .stack = spilled_.get(),
                         .distances = batch.distances,
                         .stop = stop_.flag()});
  }

  /// By place, as sweeps pass them.
  void upload_amounts(std::size_t bytes_needed) {
    const elimination_tree& tree = *graph_.tree;
    std::vector<double> by_place;
    by_place.reserve(amounts_->amounts.size());
    for (std::size_t c = 0; c < amounts_->num_columns; ++c) {
      const auto column = amounts_->amounts.subspan(c * tree.num_vertices());
      for (const std::int32_t v : tree.vertices) {
        by_place.push_back(column[static_cast<std::size_t>(v)]);
      }
    }
    amounts_by_place_ = uploaded(std::span(std::as_const(by_place)), stream_, bytes_needed);
  }

  template <unsigned Count>
  void sweep_down(const source_batch<C>& batch) {
    if constexpr (Join::is_sum) {
      if (amounts_ != nullptr) return add_up_amounts<Count>(batch);
      if (sums_up_) return sweep_down(sweep_down_kernel<C, Join, Count, sweep_totals>, batch);
    }
    sweep_down(sweep_down_kernel<C, Join, Count, sweep_rows>, batch);
  }
  /// Sweeps down once for as many sums as a thread keeps in registers.
  template <unsigned Count>
  void add_up_amounts(source_batch<C> batch) {
    const std::size_t sums_of_pass = layout().padded(batch.num_sources) * layout().rows_of_totals;
    for (std::size_t first = 0; first < amounts_->num_sums(); first += amount_sums::most) {
      const bool is_one = amounts_->num_sums() - first == 1;
      auto kernel = is_one ? sweep_down_kernel<C, Join, Count, sweep_share>
                           : sweep_down_kernel<C, Join, Count, sweep_shares>;
      if (amounts_->rule.kind == decay_kind::step) {
        kernel = is_one ? sweep_down_kernel<C, Join, Count, sweep_step>
                        : sweep_down_kernel<C, Join, Count, sweep_steps>;
      }
      device_amounts<C> of_pass(*amounts_, first, amounts_by_place_.get(),
                                graph_.tree->num_vertices());
      // Values from there on mean that there is no path.
      for (C& limit : of_pass.limits) limit = std::min(limit, values_.largest);
      sweep_down(kernel, batch, of_pass);
      batch.totals = static_cast<amount_sums*>(batch.totals) + sums_of_pass;
    }
  }
  void sweep_down(void (*kernel)(sweep_task<C>), const source_batch<C>& batch,
                  const device_amounts<C>& amounts = {}) {
    APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(block_bytes_)));
    APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared));
    const sweep_task<C> task{.units = units_.get(),
                             .part_offsets = part_offsets_.get(),
                             .num_parts = program_->num_parts(),
                             .num_groups = num_groups(batch.num_sources),
                             .places = places_.get(),
                             .depths = depths_.get(),
                             .num_vertices = graph_.tree->num_vertices(),
                             .height = static_cast<std::size_t>(graph_.tree->height),
                             .sources = batch.sources,
                             .num_sources = batch.num_sources,
                             .above = above_.get(),
                             .spilled = spilled_.get(),
                             .num_spilled = program_->num_spilled,
                             .values = values_,
                             .distances = batch.distances,
                             .totals = batch.totals,
                             .num_mixed_groups = num_mixed_groups(batch.num_sources),
                             .num_taken = num_taken_.get(),
                             .stop = stop_.flag(),
                             .amounts = amounts};
    APSP_CUDA_CHECK(cudaMemsetAsync(num_taken_.get(), 0, sizeof(unsigned long long), stream_));
    launch("sweep_down_kernel",
           {static_cast<unsigned>(num_blocks(batch.num_sources)), warp_size, stream_, block_bytes_},
           kernel, task);
  }

  const coded_hierarchy<C>& hierarchy_;
  const hierarchy<C>& graph_;
  bool is_naive_;
  bool sums_up_;
  const weighed_amounts<C>* amounts_;
  std::size_t most_sources_ = 0;  ///< Of a batch.
  sweep_values<C> values_;
  cudaStream_t stream_;
  std::size_t multiprocessors_ = 0;
  std::size_t shared_bytes_ = 0;  ///< Of a multiprocessor.
  std::size_t most_block_bytes_ = 0;
  sweep_shape shape_{};
  std::size_t block_bytes_ = 0;
  std::shared_ptr<const sweep_program> program_ = std::make_shared<sweep_program>();
  device_buffer<program_unit> units_;
  device_buffer<std::int64_t> part_offsets_;
  device_buffer<std::int32_t> places_;
  device_buffer<std::int32_t> depths_;
  std::vector<up_place> up_places_;
  device_buffer<up_place> device_up_places_;
  device_buffer<sweep_arc<C>> up_;
  std::vector<std::int32_t> subtree_sizes_;
  device_buffer<std::int32_t> device_subtree_sizes_;
  device_buffer<std::int32_t> vertices_;
  device_buffer<std::int64_t> down_offsets_;
  device_buffer<sweep_arc<C>> down_;
  device_buffer<double> amounts_by_place_;
  device_buffer<C> above_;
  device_buffer<C> spilled_;
  device_buffer<unsigned long long> num_taken_;
  stop_signal stop_;
};

}  // namespace apsp::inline v1::detail::cuda
