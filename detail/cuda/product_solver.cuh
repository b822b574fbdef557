// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "../monitor.hpp"
#include "algebra.cuh"
#include "check.cuh"
#include "device_buffer.cuh"
#include "device_workspace.cuh"
#include "matrix_setup.cuh"
#include "product.hpp"
#include "product_launch.cuh"
#include "resolved_device.cuh"
#include "side_stream.cuh"
#include "step_follower.cuh"
#include "tile_shape.hpp"
#include "transfer.cuh"

// The members of `product_solver`, for the files that instantiate it.
namespace apsp::detail::cuda {

struct product_tuning {
  /// The factors travel in slabs of that many k, or in so many slabs if those are thicker: while one
  /// travels, the last one is multiplied.
  std::size_t least_slab = 1024;
  std::size_t most_slabs = 8;
  /// The last slab finishes the rows of C in that many parts, or in parts of so many rows if those are
  /// higher: while one travels back, the next one is multiplied.
  std::size_t most_parts = 4;
  std::size_t least_part = 1024;
};
inline constexpr product_tuning product_pipeline{};

/// A rectangular matrix in device memory, padded on the right and below.
template <class T>
struct padded_matrix {
  std::size_t rows;
  std::size_t columns;
  device_buffer<T> entries;

  std::size_t size() const { return rows * columns; }
  std::size_t bytes() const {
    return saturated_product(saturated_product(rows, columns), sizeof(T));
  }
  T* at(std::size_t row, std::size_t column) const {
    return entries.get() + row * columns + column;
  }
  void allocate(const device_workspace& space, bool has_padding, T zero) {
    entries = space.allocate<T>(size());
    if (has_padding) {
      space.launch_over("fill_kernel", size(), fill_kernel<T>, entries.get(), size(), zero);
    }
  }
};

template <class S>
struct product_solver<S>::state {
  /// Few tiles leave most of the device idle, so small products have small tiles.
  static constexpr problem_size size_of(const host::product_problem<S>& p) {
    return size_of_problem<T>(std::min({p.rows, p.columns, p.depth}));
  }
  static constexpr std::size_t granularity_of(problem_size size) {
    return static_cast<std::size_t>(tile_size(choose_tile_shape(sizeof(T), false, size)));
  }

  state(const launch_target& target, int device, const host::product_problem<S>& a_problem, T zero)
      : problem(a_problem),
        size(size_of(problem)),
        granularity(granularity_of(size)),
        space(target, device),
        transfers(space.stream.get(), stream_handle::priority::ordinary) {
    const std::size_t rows = round_up(problem.rows, granularity);
    const std::size_t depth = round_up(problem.depth, granularity);
    const std::size_t columns = round_up(problem.columns, granularity);
    a = {rows, depth, {}};
    b = {depth, columns, {}};
    c = {rows, columns, {}};
    space.require(saturated_sum(a.bytes(), saturated_sum(b.bytes(), c.bytes())));
    const bool has_padding =
        rows != problem.rows || depth != problem.depth || columns != problem.columns;
    for (padded_matrix<T>* m : {&a, &b, &c}) m->allocate(space, has_padding, zero);
  }
  /// Fills rows [@p row, @p row + @p count) of a matrix, from column @p column on.
  void upload(const padded_matrix<T>& to, std::size_t row, std::size_t count, std::size_t column,
              std::size_t num_columns, const T* const* host_rows) {
    std::vector<const T*> rows(host_rows + row, host_rows + row + count);
    for (const T*& r : rows) r += column;
    upload_rows(space.lanes, transfers.get(), to.at(row, column), to.columns, rows.data(), count,
                num_columns);
  }

  bool multiply(step_follower& follower) {
    transfers.wait_for_main();
    upload(c, 0, problem.rows, 0, problem.columns, problem.c);
    const std::size_t thickness =
        round_up(std::max(product_pipeline.least_slab, a.columns / product_pipeline.most_slabs),
                 granularity);
    for (std::size_t k = 0; k < a.columns; k += thickness) {
      const std::size_t depth = std::min(thickness, a.columns - k);
      const std::size_t given = std::min(depth, problem.depth - k);
      upload(a, 0, problem.rows, k, given, problem.a);
      upload(b, k, given, 0, problem.columns, problem.b);
      transfers.let_main_wait();
      const bool is_last = k + depth == a.columns;
      multiply_slab(k, depth, is_last ? product_pipeline.most_parts : 1);
      if (!follower.step(given)) return false;
    }
    return follower.finish();
  }

  /// Adds the products over [@p k, @p k + @p depth), in @p parts parts of the rows, whose ends are noted.
  void multiply_slab(std::size_t k, std::size_t depth, std::size_t parts) {
    const std::size_t height =
        round_up(std::max(product_pipeline.least_part, (c.rows + parts - 1) / parts), granularity);
    finished.clear();
    for (std::size_t row = 0; row < c.rows; row += height) {
      multiply_rows(row, std::min(height, c.rows - row), k, depth);
      finished.push_back({row, std::min(row + height, problem.rows)});
      APSP_CUDA_CHECK(cudaEventRecord(finished.back().event->get(), space.stream.get()));
    }
  }

  void multiply_rows(std::size_t row, std::size_t height, std::size_t k, std::size_t depth) {
    product_operands<T> operands;
    operands.a = a.at(row, k);
    operands.a_pitch = a.columns;
    operands.b = b.at(k, 0);
    operands.b_pitch = b.columns;
    operands.c = c.at(row, 0);
    operands.c_pitch = c.columns;
    const algebra<S> general(problem.semiring);
    if (space.kernels == backend::cuda_naive) {
      launch_entry_product<false>(general, operands, height, depth, c.columns, space.stream.get());
      return;
    }
    if constexpr (few_vertices_limit(sizeof(T)) > 0) {
      if (size == problem_size::few_vertices) {
        return multiply_tiles<problem_size::few_vertices>(general, operands, height, depth);
      }
    }
    if constexpr (std::is_same_v<S, min_plus<float>>) {
      if (problem.nonnegative) {
        return multiply_tiles<problem_size::many_vertices>(
            nonnegative_float_algebra(problem.semiring), operands, height, depth);
      }
    }
    multiply_tiles<problem_size::many_vertices>(general, operands, height, depth);
  }

  template <problem_size Size, class Algebra>
  void multiply_tiles(const Algebra& algebra, product_operands<T> operands, std::size_t height,
                      std::size_t depth) {
    using tuning = tuning_for<T, false, Size>;
    prepare_products<Algebra, tuning, false>();
    operands.grid = whole_grid<tuning>(height, c.columns);
    launch_products<tuning, false>(algebra, {operands, {}}, static_cast<int>(depth), T{},
                                   space.stream.get());
  }

  void store() {
    for (const finished_rows& part : finished) {
      if (part.begin >= part.end) continue;
      APSP_CUDA_CHECK(cudaStreamWaitEvent(transfers.get(), part.event->get()));
      download_rows(space.lanes, transfers.get(), c.at(part.begin, 0), c.columns,
                    problem.c + part.begin, part.end - part.begin, problem.columns);
    }
  }

  /// Rows of C that are final once the event has come.
  struct finished_rows {
    std::size_t begin;
    std::size_t end;
    std::unique_ptr<event_handle> event = std::make_unique<event_handle>();
  };

  const host::product_problem<S>& problem;
  problem_size size;
  std::size_t granularity;
  device_workspace space;
  padded_matrix<T> a{};
  padded_matrix<T> b{};
  padded_matrix<T> c{};
  std::vector<finished_rows> finished;
  side_stream transfers;
};

template <class S>
product_solver<S>::product_solver(const launch_target& target,
                                  const host::product_problem<S>& problem, T zero) {
  const int device = resolved_device(target);
  const device_guard guard(device);
  state_ = std::make_unique<state>(target, device, problem, zero);
}

template <class S>
product_solver<S>::~product_solver() {
  const device_guard guard(state_->space.device, std::nothrow);
  state_.reset();
}

template <class S>
bool product_solver<S>::solve(monitor& watch) {
  if (watch.stop_requested()) return false;
  const device_guard guard(state_->space.device);
  step_follower follower(watch, state_->space.stream.get());
  return state_->multiply(follower);
}

template <class S>
void product_solver<S>::replace_from(T threshold, T value) requires is_min_plus<S> {
  const device_guard guard(state_->space.device);
  const padded_matrix<T>& c = state_->c;
  std::int32_t* const no_predecessors = nullptr;
  state_->space.launch_over("replace_from_kernel", c.size(), replace_from_kernel<T>,
                            c.entries.get(), no_predecessors, c.size(), threshold, value);
  for (const auto& part : state_->finished) {
    APSP_CUDA_CHECK(cudaEventRecord(part.event->get(), state_->space.stream.get()));
  }
}

template <class S>
void product_solver<S>::store() {
  const device_guard guard(state_->space.device);
  state_->store();
}

}  // namespace apsp::detail::cuda
