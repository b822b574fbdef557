// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"
#include "../monitor.hpp"
#include "check.cuh"
#include "device_buffer.cuh"
#include "floyd_warshall.hpp"
#include "matrix_setup.cuh"
#include "min_plus.cuh"
#include "min_plus_tile.cuh"
#include "naive.cuh"
#include "pivot_tile.cuh"
#include "resolved_device.cuh"
#include "tile_shape.hpp"
#include "transfer.cuh"

// The members of `floyd_warshall_solver`, for the files that instantiate it.
namespace apsp::detail::cuda {

struct launch_tuning {
  unsigned setup_threads = 256;
  unsigned setup_blocks_per_multiprocessor = 8;
  unsigned naive_threads_x = 256;
  /// Rows that one thread of the naive kernel takes, so that it reads row k less often.
  unsigned naive_rows_per_thread = 8;
  /// Pivots of the naive kernel between two looks at who watches the call.
  std::size_t naive_pivots_per_step = 16;
};
inline constexpr launch_tuning launches{};

/// Tells who watches a call how far the device is. No more than two steps are on the stream then: so
/// many end after a stop has been asked for, and while the host learns of one the next one runs.
/// Where nobody watches it does nothing, and the host runs ahead of the device.
class step_follower {
 public:
  step_follower(monitor& watch, cudaStream_t stream) : watch_(watch), stream_(stream) {
    if (watch.is_observed()) done_.emplace();
  }
  ~step_follower() {
    // On every way out, also if the callback throws, the device has done with the caller's stream.
    if (pending_ && cudaEventSynchronize(latest().get()) != cudaSuccess) cudaGetLastError();
  }
  step_follower(const step_follower&) = delete;
  step_follower& operator=(const step_follower&) = delete;

  /// A step over @p pivots pivots has been put on the stream.
  /// @return false if no more should be.
  bool step(std::size_t pivots) {
    if (!done_) return true;
    const std::size_t before = std::exchange(pending_pivots_, pivots);
    const bool had_pending = std::exchange(pending_, true);
    slot_ = 1 - slot_;
    APSP_CUDA_CHECK(cudaEventRecord(latest().get(), stream_));
    if (had_pending) {
      APSP_CUDA_CHECK(cudaEventSynchronize((*done_)[1 - slot_].get()));
      watch_.advance(before);
    }
    return !watch_.stop_requested();
  }

  /// Waits for the last step.
  /// @return false if the call is to stop.
  bool finish() {
    if (pending_) {
      APSP_CUDA_CHECK(cudaEventSynchronize(latest().get()));
      pending_ = false;
      watch_.advance(pending_pivots_);
    }
    return !watch_.stop_requested();
  }

 private:
  const event_handle& latest() const { return (*done_)[slot_]; }

  monitor& watch_;
  cudaStream_t stream_;
  std::optional<std::array<event_handle, 2>> done_;
  std::size_t slot_ = 0;
  std::size_t pending_pivots_ = 0;
  bool pending_ = false;  ///< The latest step has not been waited for.
};

template <class T>
struct floyd_warshall_solver<T>::state {
  static problem_size size_of_problem(std::size_t num_vertices) {
    constexpr std::size_t limit = few_vertices_limit(sizeof(T));
    if constexpr (limit > 0) {
      if (num_vertices < limit) return problem_size::few_vertices;
    }
    return problem_size::many_vertices;
  }
  static std::size_t granularity(std::size_t num_vertices, bool with_predecessors) {
    return static_cast<std::size_t>(
        tile_size(choose_tile_shape(sizeof(T), with_predecessors, size_of_problem(num_vertices))));
  }
  static std::size_t padded(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
  }

  state(const launch_target& target, int device_number, std::size_t num_vertices,
        bool with_predecessors)
      : kernels(target.kernels),
        device(device_number),
        records(with_predecessors),
        n(num_vertices),
        extent(padded(num_vertices, granularity(num_vertices, with_predecessors))),
        stream(target.stream),
        ahead(stream_handle::priority::highest) {
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw device_error("apsp: more vertices than a 32-bit vertex number can tell apart");
    }
    APSP_CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (n == 0) return;

    const std::size_t size = saturated_product(extent, extent);
    const std::size_t panels = panel_sets() * panel_size();
    const std::size_t bytes_per_entry = sizeof(T) + (records ? sizeof(std::int32_t) : 0);
    bytes_needed = saturated_sum(saturated_product(size, bytes_per_entry),
                                 panels * (sizeof(T) + bytes_per_entry));
    const std::size_t available = target.memory_limit == 0
                                      ? available_bytes()
                                      : std::min(available_bytes(), target.memory_limit);
    if (bytes_needed > available) {
      throw device_error(bytes_needed, available);
    }
    distances = allocate<T>(size);
    row_panels = allocate<T>(panels);
    column_panels = allocate<T>(panels);
    if (records) {
      predecessors = allocate<std::int32_t>(size);
      row_panel_predecessors = allocate<std::int32_t>(panels);
    }
    flag = allocate<int>(1);
  }

  template <class U>
  device_buffer<U> allocate(std::size_t count) const {
    return device_buffer<U>(count, stream.get(), bytes_needed);
  }

  ~state() {
    // If a launch has failed, the other stream may still use what is about to be freed.
    if (cudaEventRecord(join.get(), ahead.get()) == cudaSuccess) {
      cudaStreamWaitEvent(stream.get(), join.get());
    }
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  std::size_t panel_size() const {
    return kernels == backend::cuda_tiled ? extent * granularity(n, records) : 0;
  }
  /// With predecessors the remainder reads the history of its step while that of the next is
  /// written.
  std::size_t panel_sets() const { return records ? 2 : 1; }

  std::size_t size() const { return extent * extent; }

  /// CUDA blocks for a grid-stride kernel over @p count elements.
  unsigned setup_blocks(std::size_t count) const {
    const std::size_t needed = (count + launches.setup_threads - 1) / launches.setup_threads;
    const std::size_t most =
        static_cast<std::size_t>(multiprocessors) * launches.setup_blocks_per_multiprocessor;
    return static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most));
  }

  void fill(T value) {
    launch("fill_kernel", {setup_blocks(size()), launches.setup_threads, stream.get()},
           fill_kernel<T>, distances.get(), size(), value);
  }
  void clear_flag() { APSP_CUDA_CHECK(cudaMemsetAsync(flag.get(), 0, sizeof(int), stream.get())); }
  bool read_flag() {
    int value = 0;
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(&value, flag.get(), sizeof(int), cudaMemcpyDeviceToHost, stream.get()));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    return value != 0;
  }
  void set_first_predecessors(T unreachable) {
    if (!records) return;
    launch("first_predecessors_kernel",
           {setup_blocks(size()), launches.setup_threads, stream.get()},
           first_predecessors_kernel<T>, distances.get(), predecessors.get(), extent, size(),
           unreachable);
  }

  void scatter(std::span<const arc<T>> arcs) {
    if (arcs.empty()) return;
    const device_buffer<arc<T>> piece =
        allocate<arc<T>>(piece_plan(arcs.size(), sizeof(arc<T>)).per_piece);
    upload_pieces(lanes, device, stream.get(), piece.get(), arcs, [&](std::size_t count) {
      launch("scatter_arcs_kernel", {setup_blocks(count), launches.setup_threads, stream.get()},
             scatter_arcs_kernel<T>, distances.get(), extent, piece.get(), count, flag.get());
    });
  }

  // False if the watcher of the call asked for a stop.
  template <bool Record>
  bool solve_naive(T floor, step_follower& follower);
  template <problem_size Size>
  bool solve_tiled(T floor, step_follower& follower);
  template <class Algebra, class Tuning>
  bool relax_tiles(T floor, step_follower& follower);
  template <class Algebra, class Tuning>
  void relax_cross(int step, cudaStream_t on, T floor);
  template <class Tuning>
  product_operands<T> remainder_of(int step, tile_lines rows, tile_lines columns) const;
  template <class Algebra, class Tuning, bool Clamp>
  void relax_products(const product_pair<T>& products, cudaStream_t on, T floor);

  pivot_history<T> history_of(int step) const {
    const std::size_t begin = static_cast<std::size_t>(step) % panel_sets() * panel_size();
    return {row_panels.get() + begin, row_panel_predecessors.get() + begin,
            column_panels.get() + begin};
  }
  /// What is put on @p later from now on waits for what is on @p earlier by now.
  void order(cudaStream_t earlier, cudaStream_t later) {
    APSP_CUDA_CHECK(cudaEventRecord(join.get(), earlier));
    APSP_CUDA_CHECK(cudaStreamWaitEvent(later, join.get()));
  }

  backend kernels;
  int device;
  bool records;
  bool nonnegative = false;
  std::size_t n;
  std::size_t extent;  ///< rows of the padded matrix, and its pitch
  int multiprocessors = 0;
  stream_handle stream;
  stream_handle ahead;  ///< for the next pivot's cross, beside the remainder of this one
  event_handle join;
  transfer_lanes lanes;
  std::size_t bytes_needed = 0;
  device_buffer<T> distances;
  device_buffer<T> row_panels;     ///< panel_sets x tile_size x extent
  device_buffer<T> column_panels;  ///< panel_sets x extent x tile_size
  device_buffer<std::int32_t> predecessors;
  device_buffer<std::int32_t> row_panel_predecessors;
  device_buffer<int> flag;
};

template <class T>
template <bool Record>
bool floyd_warshall_solver<T>::state::solve_naive(T floor, step_follower& follower) {
  const dim3 threads(launches.naive_threads_x);
  constexpr std::size_t max_grid_y = 65535;
  const std::size_t across = (n + launches.naive_threads_x - 1) / launches.naive_threads_x;
  const std::size_t down =
      (n + launches.naive_rows_per_thread - 1) / launches.naive_rows_per_thread;
  const dim3 blocks(static_cast<unsigned>(across),
                    static_cast<unsigned>(std::min(down, max_grid_y)));
  for (std::size_t k = 0; k < n; ++k) {
    launch("relax_over_pivot_kernel", {blocks, threads, stream.get()},
           relax_over_pivot_kernel<T, Record>, distances.get(), predecessors.get(), extent, n, k,
           floor);
    const std::size_t in_step = k % launches.naive_pivots_per_step + 1;
    const bool ends_step = in_step == launches.naive_pivots_per_step || k + 1 == n;
    if (ends_step && !follower.step(in_step)) return false;
  }
  return follower.finish();
}

/// Lets @p kernel use as much shared memory as it needs on the current device.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes)));
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
}

/// Tiles of the matrix, counted in the rows or columns of a product's tiles.
template <class Tuning>
struct tile_counts {
  static constexpr int tile = tile_size(Tuning::shape);
  static constexpr int rows_per_tile = tile / Tuning::shape.product.rows;
  static constexpr int columns_per_tile = tile / Tuning::shape.product.columns;
  int num_tiles;

  tile_lines rows_from(int begin, int count) const {
    return lines_from(begin * rows_per_tile, count * rows_per_tile);
  }
  tile_lines columns_from(int begin, int count) const {
    return lines_from(begin * columns_per_tile, count * columns_per_tile);
  }
  tile_lines rows_except(int begin, int count) const {
    return lines_except(num_tiles * rows_per_tile, begin * rows_per_tile, count * rows_per_tile);
  }
  tile_lines columns_except(int begin, int count) const {
    return lines_except(num_tiles * columns_per_tile, begin * columns_per_tile,
                        count * columns_per_tile);
  }
};

template <class T>
template <class Algebra, class Tuning, bool Clamp>
void floyd_warshall_solver<T>::state::relax_products(const product_pair<T>& products,
                                                     cudaStream_t on, T floor) {
  const int blocks = products.first.grid.size() + products.second.grid.size();
  if (blocks == 0) return;
  launch("min_plus_product_kernel",
         {static_cast<unsigned>(blocks), threads_per_block(Tuning::shape.product), on,
          product_tile<T, Tuning>::shared_bytes},
         min_plus_product_kernel<Algebra, Tuning, Tuning::records, Clamp>, products,
         tile_size(Tuning::shape), floor);
}

/// Makes the pivot tile of @p step and its panels final.
template <class T>
template <class Algebra, class Tuning>
void floyd_warshall_solver<T>::state::relax_cross(int step, cudaStream_t on, T floor) {
  constexpr pivot_shape shape = Tuning::shape.pivot;
  constexpr int tile = shape.tile_size;
  const int num_tiles = static_cast<int>(extent / tile);
  const std::size_t pivot = static_cast<std::size_t>(step) * tile;
  const pivot_history<T> history = history_of(step);

  launch("pivot_tile_kernel", {1, pivot_threads(shape), on},
         pivot_tile_kernel<T, Tuning, Tuning::records>, distances.get(), predecessors.get(), extent,
         pivot, history, floor);
  if (num_tiles == 1) return;

  if constexpr (Tuning::records) {
    const int blocks = 2 * (num_tiles - 1) * (tile / shape.panel_width);
    launch("ordered_panels_kernel", {static_cast<unsigned>(blocks), panel_threads(shape), on},
           ordered_panels_kernel<T, Tuning>, distances.get(), predecessors.get(), extent, pivot,
           history, floor);
  } else {
    // A panel is both operand and result, so its old entries are the operand.
    launch("copy_panels_kernel",
           {setup_blocks(2 * extent * tile / vector_of<T>::size), launches.setup_threads, on},
           copy_panels_kernel<T, tile>, distances.get(), extent, extent, pivot, row_panels.get(),
           column_panels.get(), floor);

    const tile_counts<Tuning> tiles{num_tiles};
    product_pair<T> panels;
    panels.first.grid = {tiles.rows_from(step, 1), tiles.columns_except(step, 1)};
    panels.first.a = distances.get() + pivot;
    panels.first.a_pitch = extent;
    panels.first.b = row_panels.get();
    panels.first.b_pitch = extent;
    panels.first.c = distances.get();
    panels.first.c_pitch = extent;
    panels.second.grid = {tiles.rows_except(step, 1), tiles.columns_from(step, 1)};
    panels.second.a = column_panels.get();
    panels.second.a_pitch = tile;
    panels.second.b = distances.get() + pivot * extent;
    panels.second.b_pitch = extent;
    panels.second.c = distances.get();
    panels.second.c_pitch = extent;
    relax_products<Algebra, Tuning, true>(panels, on, floor);
  }
}

/// What relaxes the given tiles over the panels of @p step. It reads nothing that the cross of
/// another step writes.
template <class T>
template <class Tuning>
product_operands<T> floyd_warshall_solver<T>::state::remainder_of(int step, tile_lines rows,
                                                                  tile_lines columns) const {
  constexpr std::size_t tile = tile_size(Tuning::shape);
  const std::size_t pivot = static_cast<std::size_t>(step) * tile;
  product_operands<T> operands;
  operands.grid = {rows, columns};
  operands.c = distances.get();
  operands.c_pitch = extent;
  operands.b_pitch = extent;
  if constexpr (Tuning::records) {
    const pivot_history<T> history = history_of(step);
    operands.a = history.columns;
    operands.a_pitch = tile;
    operands.b = history.rows;
    operands.predecessors_b = history.row_predecessors;
    operands.predecessors_c = predecessors.get();
  } else {
    operands.a = distances.get() + pivot;
    operands.a_pitch = extent;
    operands.b = distances.get() + pivot * extent;
  }
  return operands;
}

template <class T>
template <class Algebra, class Tuning>
bool floyd_warshall_solver<T>::state::relax_tiles(T floor, step_follower& follower) {
  constexpr std::size_t shared_bytes = product_tile<T, Tuning>::shared_bytes;
  allow_shared_memory(min_plus_product_kernel<Algebra, Tuning, Tuning::records, false>,
                      shared_bytes);
  if constexpr (!Tuning::records) {
    allow_shared_memory(min_plus_product_kernel<Algebra, Tuning, false, true>, shared_bytes);
  }

  constexpr std::size_t tile = tile_size(Tuning::shape);
  const int num_tiles = static_cast<int>(extent / tile);
  const tile_counts<Tuning> tiles{num_tiles};
  const auto remainder = [&](int step, tile_lines rows, tile_lines columns) {
    return remainder_of<Tuning>(step, rows, columns);
  };

  relax_cross<Algebra, Tuning>(0, stream.get(), floor);
  for (int step = 0; step + 1 < num_tiles; ++step) {
    // First the tiles of the next pivot's cross, which then becomes final beside all the others: it
    // is a chain of short kernels that alone would leave most of the device idle.
    const int next = step + 1;
    relax_products<Algebra, Tuning, false>(
        {remainder(step, tiles.rows_from(next, 1), tiles.columns_except(step, 1)),
         remainder(step, tiles.rows_except(step, 2), tiles.columns_from(next, 1))},
        stream.get(), floor);
    order(stream.get(), ahead.get());
    relax_cross<Algebra, Tuning>(next, ahead.get(), floor);
    relax_products<Algebra, Tuning, false>(
        {remainder(step, tiles.rows_except(step, 2), tiles.columns_except(step, 2)), {}},
        stream.get(), floor);
    order(ahead.get(), stream.get());
    if (!follower.step(tile)) return false;
  }
  const int last = num_tiles - 1;
  relax_products<Algebra, Tuning, false>(
      {remainder(last, tiles.rows_except(last, 1), tiles.columns_except(last, 1)), {}},
      stream.get(), floor);
  return follower.step(n - static_cast<std::size_t>(last) * tile) && follower.finish();
}

template <class T>
template <problem_size Size>
bool floyd_warshall_solver<T>::state::solve_tiled(T floor, step_follower& follower) {
  if (records) return relax_tiles<min_plus<T>, tuning_for<T, true, Size>>(floor, follower);
  if constexpr (std::is_same_v<T, float> && Size == problem_size::many_vertices) {
    if (nonnegative) {
      return relax_tiles<min_plus_nonnegative_float, tuning_for<T, false, Size>>(floor, follower);
    }
  }
  return relax_tiles<min_plus<T>, tuning_for<T, false, Size>>(floor, follower);
}

template <class T>
floyd_warshall_solver<T>::floyd_warshall_solver(const launch_target& target,
                                                std::size_t num_vertices, bool with_predecessors) {
  const int device = resolved_device(target);
  const device_guard guard(device);
  state_ = std::make_unique<state>(target, device, num_vertices, with_predecessors);
}

template <class T>
floyd_warshall_solver<T>::~floyd_warshall_solver() {
  if (state_ == nullptr) return;
  const device_guard guard(state_->device, std::nothrow);
  state_.reset();
}

template <class T>
floyd_warshall_solver<T>::floyd_warshall_solver(floyd_warshall_solver&&) noexcept = default;

template <class T>
floyd_warshall_solver<T>& floyd_warshall_solver<T>::operator=(
    floyd_warshall_solver&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

template <class T>
void floyd_warshall_solver<T>::load(std::span<const arc<T>> arcs, T unreachable) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  s.fill(unreachable);
  launch("zero_diagonal_kernel", {s.setup_blocks(s.n), launches.setup_threads, s.stream.get()},
         zero_diagonal_kernel<T>, s.distances.get(), s.extent, s.n);
  s.clear_flag();
  if constexpr (sizeof(T) <= sizeof(std::int64_t)) {
    s.scatter(arcs);
  } else {
    // The scatter has no atomic minimum for these.
    std::vector<arc<T>> sorted(arcs.begin(), arcs.end());
    const auto same_place = [](const arc<T>& a, const arc<T>& b) {
      return a.source == b.source && a.target == b.target;
    };
    std::sort(sorted.begin(), sorted.end(), [](const arc<T>& a, const arc<T>& b) {
      if (a.source != b.source) return a.source < b.source;
      return a.target != b.target ? a.target < b.target : a.weight < b.weight;
    });
    sorted.erase(std::unique(sorted.begin(), sorted.end(), same_place), sorted.end());
    s.scatter(sorted);
  }
  s.set_first_predecessors(unreachable);
  s.nonnegative = !s.read_flag();
}

template <class T>
void floyd_warshall_solver<T>::load(const T* const* rows, T unreachable) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  s.fill(unreachable);
  s.clear_flag();
  upload_rows(s.lanes, s.device, s.stream.get(), s.distances.get(), s.extent, rows, s.n);
  launch("find_negative_kernel", {s.setup_blocks(s.size()), launches.setup_threads, s.stream.get()},
         find_negative_kernel<T>, s.distances.get(), s.size(), s.flag.get());
  s.set_first_predecessors(unreachable);
  s.nonnegative = !s.read_flag();
}

template <class T>
bool floyd_warshall_solver<T>::solve(T floor, monitor& watch) {
  state& s = *state_;
  if (watch.stop_requested()) return false;
  if (s.n == 0) return true;
  const device_guard guard(s.device);
  step_follower follower(watch, s.stream.get());
  if (s.kernels == backend::cuda_naive) {
    return s.records ? s.template solve_naive<true>(floor, follower)
                     : s.template solve_naive<false>(floor, follower);
  }
  if constexpr (few_vertices_limit(sizeof(T)) > 0) {
    if (state::size_of_problem(s.n) == problem_size::few_vertices) {
      return s.template solve_tiled<problem_size::few_vertices>(floor, follower);
    }
  }
  return s.template solve_tiled<problem_size::many_vertices>(floor, follower);
}

template <class T>
bool floyd_warshall_solver<T>::has_negative_diagonal() {
  state& s = *state_;
  if (s.n == 0) return false;
  const device_guard guard(s.device);
  s.clear_flag();
  launch("find_negative_diagonal_kernel",
         {s.setup_blocks(s.n), launches.setup_threads, s.stream.get()},
         find_negative_diagonal_kernel<T>, s.distances.get(), s.extent, s.n, s.flag.get());
  return s.read_flag();
}

template <class T>
void floyd_warshall_solver<T>::replace_from(T threshold, T value) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  launch("replace_from_kernel", {s.setup_blocks(s.size()), launches.setup_threads, s.stream.get()},
         replace_from_kernel<T>, s.distances.get(), s.predecessors.get(), s.size(), threshold,
         value);
}

template <class T>
void floyd_warshall_solver<T>::store(T* const* rows, std::int32_t* const* predecessors) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  download_rows(s.lanes, s.device, s.stream.get(), s.distances.get(), s.extent, rows, s.n);
  if (predecessors != nullptr && s.records) {
    download_rows(s.lanes, s.device, s.stream.get(), s.predecessors.get(), s.extent, predecessors,
                  s.n);
  }
}

}  // namespace apsp::detail::cuda
