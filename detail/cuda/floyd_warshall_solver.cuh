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

#include "../../apsp/error.hpp"
#include "check.cuh"
#include "device_buffer.cuh"
#include "floyd_warshall.hpp"
#include "matrix_setup.cuh"
#include "min_plus.cuh"
#include "min_plus_tile.cuh"
#include "naive.cuh"
#include "pivot_tile.cuh"
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
};
inline constexpr launch_tuning launches{};

inline int resolved_device(int device) {
  if (device >= 0) return device;
  APSP_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

template <class T>
struct floyd_warshall_solver<T>::state {
  static constexpr std::size_t granularity(bool with_predecessors) {
    return static_cast<std::size_t>(tile_size(choose_tile_shape(sizeof(T), with_predecessors)));
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
        extent(padded(num_vertices, granularity(with_predecessors))),
        stream(target.stream) {
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw device_error("apsp: more vertices than a 32-bit vertex number can tell apart");
    }
    APSP_CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (n == 0) return;

    const std::size_t size = saturated_product(extent, extent);
    const std::size_t panel_size =
        kernels == backend::cuda_tiled ? extent * granularity(records) : 0;
    std::size_t bytes = saturated_product(size, sizeof(T) + (records ? sizeof(std::int32_t) : 0));
    bytes =
        saturated_sum(bytes, panel_size * (2 * sizeof(T) + (records ? sizeof(std::int32_t) : 0)));
    if (const std::size_t available = available_bytes(); bytes > available) {
      throw device_error(bytes, available);
    }
    distances = device_buffer<T>(size, stream.get());
    row_panel = device_buffer<T>(panel_size, stream.get());
    column_panel = device_buffer<T>(panel_size, stream.get());
    if (records) {
      predecessors = device_buffer<std::int32_t>(size, stream.get());
      row_panel_predecessors = device_buffer<std::int32_t>(panel_size, stream.get());
    }
    flag = device_buffer<int>(1, stream.get());
  }

  std::size_t size() const { return extent * extent; }

  /// CUDA blocks for a grid-stride kernel over @p count elements.
  unsigned setup_blocks(std::size_t count) const {
    const std::size_t needed = (count + launches.setup_threads - 1) / launches.setup_threads;
    const std::size_t most =
        static_cast<std::size_t>(multiprocessors) * launches.setup_blocks_per_multiprocessor;
    return static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most));
  }

  void fill(T value) {
    fill_kernel<<<setup_blocks(size()), launches.setup_threads, 0, stream.get()>>>(distances.get(),
                                                                                   size(), value);
    check_launch("fill_kernel");
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
    first_predecessors_kernel<<<setup_blocks(size()), launches.setup_threads, 0, stream.get()>>>(
        distances.get(), predecessors.get(), extent, size(), unreachable);
    check_launch("first_predecessors_kernel");
  }

  void scatter(std::span<const arc<T>> arcs) {
    if (arcs.empty()) return;
    device_buffer<arc<T>> piece(piece_plan(arcs.size(), sizeof(arc<T>)).per_piece, stream.get());
    upload_pieces(lanes, device, stream.get(), piece.get(), arcs, [&](std::size_t count) {
      scatter_arcs_kernel<<<setup_blocks(count), launches.setup_threads, 0, stream.get()>>>(
          distances.get(), extent, piece.get(), count, flag.get());
      check_launch("scatter_arcs_kernel");
    });
  }

  template <bool Record>
  void solve_naive(T floor);
  template <class Algebra, bool Record>
  void solve_tiled(T floor);

  backend kernels;
  int device;
  bool records;
  bool nonnegative = false;
  std::size_t n;
  std::size_t extent;  ///< rows of the padded matrix, and its pitch
  int multiprocessors = 0;
  stream_handle stream;
  transfer_lanes lanes;
  device_buffer<T> distances;
  device_buffer<T> row_panel;     ///< tile_size x extent
  device_buffer<T> column_panel;  ///< extent x tile_size
  device_buffer<std::int32_t> predecessors;
  device_buffer<std::int32_t> row_panel_predecessors;
  device_buffer<int> flag;
};

template <class T>
template <bool Record>
void floyd_warshall_solver<T>::state::solve_naive(T floor) {
  const dim3 threads(launches.naive_threads_x);
  constexpr std::size_t max_grid_y = 65535;
  const std::size_t across = (n + launches.naive_threads_x - 1) / launches.naive_threads_x;
  const std::size_t down =
      (n + launches.naive_rows_per_thread - 1) / launches.naive_rows_per_thread;
  const dim3 blocks(static_cast<unsigned>(across),
                    static_cast<unsigned>(std::min(down, max_grid_y)));
  for (std::size_t k = 0; k < n; ++k) {
    relax_over_pivot_kernel<T, Record><<<blocks, threads, 0, stream.get()>>>(
        distances.get(), predecessors.get(), extent, n, k, floor);
    check_launch("relax_over_pivot_kernel");
  }
}

/// Lets @p kernel use as much shared memory as it needs on the current device.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes)));
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
}

template <class T>
template <class Algebra, bool Record>
void floyd_warshall_solver<T>::state::solve_tiled(T floor) {
  using tuning = tuning_for<T, Record>;
  constexpr tile_shape shape = tuning::shape;
  constexpr int tile = tile_size(shape);
  constexpr int tile_rows = tile / shape.product.rows;
  constexpr int tile_columns = tile / shape.product.columns;
  constexpr unsigned threads = threads_per_block(shape.product);
  constexpr std::size_t shared_bytes = product_tile<T, tuning>::shared_bytes;

  const auto remainder_kernel = min_plus_product_kernel<Algebra, tuning, Record, false>;
  allow_shared_memory(remainder_kernel, shared_bytes);

  const int num_tiles = static_cast<int>(extent / tile);
  const auto pivot_history_of_step =
      pivot_history<T>{row_panel.get(), row_panel_predecessors.get(), column_panel.get()};

  for (int step = 0; step < num_tiles; ++step) {
    const std::size_t pivot = static_cast<std::size_t>(step) * tile;
    T* const row_panel_begin = distances.get() + pivot * extent;
    T* const column_panel_begin = distances.get() + pivot;
    T* const pivot_tile = row_panel_begin + pivot;

    pivot_tile_kernel<T, tuning, Record><<<1, pivot_threads(shape.pivot), 0, stream.get()>>>(
        distances.get(), predecessors.get(), extent, pivot, pivot_history_of_step, floor);
    check_launch("pivot_tile_kernel");
    if (num_tiles == 1) break;

    // Every tile but those in the pivot's rows and columns.
    product_pair<T> remainder;
    remainder.first.grid = {(num_tiles - 1) * tile_rows,
                            (num_tiles - 1) * tile_columns,
                            step * tile_rows,
                            tile_rows,
                            step * tile_columns,
                            tile_columns};
    remainder.first.c = distances.get();
    remainder.first.c_pitch = extent;

    if constexpr (Record) {
      const int panel_blocks = 2 * (num_tiles - 1) * (tile / shape.pivot.panel_width);
      ordered_panels_kernel<T, tuning>
          <<<static_cast<unsigned>(panel_blocks), panel_threads(shape.pivot), 0, stream.get()>>>(
              distances.get(), predecessors.get(), extent, pivot, pivot_history_of_step, floor);
      check_launch("ordered_panels_kernel");

      remainder.first.a = column_panel.get();
      remainder.first.a_pitch = tile;
      remainder.first.b = row_panel.get();
      remainder.first.b_pitch = extent;
      remainder.first.predecessors_b = row_panel_predecessors.get();
      remainder.first.predecessors_c = predecessors.get();
    } else {
      copy_panels_kernel<T, tile><<<setup_blocks(2 * extent * tile / vector_of<T>::size),
                                    launches.setup_threads, 0, stream.get()>>>(
          distances.get(), extent, extent, pivot, row_panel.get(), column_panel.get(), floor);
      check_launch("copy_panels_kernel");

      product_pair<T> panels;
      panels.first.grid = {tile_rows,   (num_tiles - 1) * tile_columns, 0, 0, step * tile_columns,
                           tile_columns};
      panels.first.a = pivot_tile;
      panels.first.a_pitch = extent;
      panels.first.b = row_panel.get();
      panels.first.b_pitch = extent;
      panels.first.c = row_panel_begin;
      panels.first.c_pitch = extent;
      panels.second.grid = {
          (num_tiles - 1) * tile_rows, tile_columns, step * tile_rows, tile_rows, 0, 0};
      panels.second.a = column_panel.get();
      panels.second.a_pitch = tile;
      panels.second.b = pivot_tile;
      panels.second.b_pitch = extent;
      panels.second.c = column_panel_begin;
      panels.second.c_pitch = extent;
      const auto panels_kernel = min_plus_product_kernel<Algebra, tuning, false, true>;
      if (step == 0) allow_shared_memory(panels_kernel, shared_bytes);
      panels_kernel<<<static_cast<unsigned>(panels.first.grid.size() + panels.second.grid.size()),
                      threads, shared_bytes, stream.get()>>>(panels, tile, floor);
      check_launch("min_plus_product_kernel (panels)");

      remainder.first.a = column_panel_begin;
      remainder.first.a_pitch = extent;
      remainder.first.b = row_panel_begin;
      remainder.first.b_pitch = extent;
    }
    remainder_kernel<<<static_cast<unsigned>(remainder.first.grid.size()), threads, shared_bytes,
                       stream.get()>>>(remainder, tile, floor);
    check_launch("min_plus_product_kernel (remainder)");
  }
}

template <class T>
floyd_warshall_solver<T>::floyd_warshall_solver(const launch_target& target,
                                                std::size_t num_vertices, bool with_predecessors) {
  const int device = resolved_device(target.device);
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
  zero_diagonal_kernel<<<s.setup_blocks(s.n), launches.setup_threads, 0, s.stream.get()>>>(
      s.distances.get(), s.extent, s.n);
  check_launch("zero_diagonal_kernel");
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
  find_negative_kernel<<<s.setup_blocks(s.size()), launches.setup_threads, 0, s.stream.get()>>>(
      s.distances.get(), s.size(), s.flag.get());
  check_launch("find_negative_kernel");
  s.set_first_predecessors(unreachable);
  s.nonnegative = !s.read_flag();
}

template <class T>
void floyd_warshall_solver<T>::solve(T floor) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  if (s.kernels == backend::cuda_naive) {
    s.records ? s.template solve_naive<true>(floor) : s.template solve_naive<false>(floor);
  } else if (s.records) {
    s.template solve_tiled<min_plus<T>, true>(floor);
  } else {
    if constexpr (std::is_same_v<T, float>) {
      if (s.nonnegative) return s.template solve_tiled<min_plus_nonnegative_float, false>(floor);
    }
    s.template solve_tiled<min_plus<T>, false>(floor);
  }
}

template <class T>
bool floyd_warshall_solver<T>::has_negative_diagonal() {
  state& s = *state_;
  if (s.n == 0) return false;
  const device_guard guard(s.device);
  s.clear_flag();
  find_negative_diagonal_kernel<<<s.setup_blocks(s.n), launches.setup_threads, 0, s.stream.get()>>>(
      s.distances.get(), s.extent, s.n, s.flag.get());
  check_launch("find_negative_diagonal_kernel");
  return s.read_flag();
}

template <class T>
void floyd_warshall_solver<T>::replace_from(T threshold, T value) {
  state& s = *state_;
  if (s.n == 0) return;
  const device_guard guard(s.device);
  replace_from_kernel<<<s.setup_blocks(s.size()), launches.setup_threads, 0, s.stream.get()>>>(
      s.distances.get(), s.predecessors.get(), s.size(), threshold, value);
  check_launch("replace_from_kernel");
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
