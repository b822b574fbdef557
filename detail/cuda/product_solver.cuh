// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "../monitor.hpp"
#include "algebra.cuh"
#include "check.cuh"
#include "device_buffer.cuh"
#include "device_flag.cuh"
#include "matrix_setup.cuh"
#include "product.hpp"
#include "product_launch.cuh"
#include "resident_matrix.cuh"
#include "resolved_device.cuh"
#include "step_follower.cuh"
#include "tile_shape.hpp"
#include "transfer.cuh"

// The members of `product_solver`, for the files that instantiate it.
namespace apsp::detail::cuda {

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

  void load(device_workspace& space, const T* const* host_rows, std::size_t num_rows,
            std::size_t num_columns, T zero) {
    entries = space.allocate<T>(size());
    space.launch_over("fill_kernel", size(), fill_kernel<T>, entries.get(), size(), zero);
    upload_rows(space.lanes, space.device, space.stream.get(), entries.get(), columns, host_rows,
                num_rows, num_columns);
  }
};

template <class S>
struct product_solver<S>::state {
  /// Few tiles leave most of the device idle, so small products have small tiles.
  static constexpr problem_size size_of(const host::product_problem<S>& p) {
    return size_of_problem<T>(std::min({p.rows, p.columns, p.depth}));
  }
  static constexpr std::size_t padded(std::size_t n, problem_size size) {
    return round_up(n,
                    static_cast<std::size_t>(tile_size(choose_tile_shape(sizeof(T), false, size))));
  }

  state(const launch_target& target, int device, const host::product_problem<S>& a_problem, T zero)
      : problem(a_problem), size(size_of(problem)), space(target, device) {
    const std::size_t rows = padded(problem.rows, size);
    const std::size_t depth = padded(problem.depth, size);
    const std::size_t columns = padded(problem.columns, size);
    a = {rows, depth, {}};
    b = {depth, columns, {}};
    c = {rows, columns, {}};
    space.require(saturated_sum(a.bytes(), saturated_sum(b.bytes(), c.bytes())));
    a.load(space, problem.a, problem.rows, problem.depth, zero);
    b.load(space, problem.b, problem.depth, problem.columns, zero);
    c.load(space, problem.c, problem.rows, problem.columns, zero);
    if constexpr (std::is_same_v<S, min_plus<float>>) nonnegative = !has_negative_entry();
  }

  bool has_negative_entry() {
    device_flag flag = space.make_flag();
    flag.clear();
    for (const padded_matrix<T>* m : {&a, &b, &c}) {
      space.launch_over("find_negative_kernel", m->size(), find_negative_kernel<T>,
                        m->entries.get(), m->size(), flag.get());
    }
    return flag.read();
  }

  void multiply() {
    product_operands<T> operands;
    operands.a = a.entries.get();
    operands.a_pitch = a.columns;
    operands.b = b.entries.get();
    operands.b_pitch = b.columns;
    operands.c = c.entries.get();
    operands.c_pitch = c.columns;
    const algebra<S> general(problem.semiring);
    if (space.kernels == backend::cuda_naive) {
      launch_entry_product<false>(general, operands, problem.rows, problem.depth, problem.columns,
                                  space.stream.get());
      return;
    }
    if constexpr (few_vertices_limit(sizeof(T)) > 0) {
      if (size == problem_size::few_vertices) {
        return multiply_tiled<problem_size::few_vertices>(general, operands);
      }
    }
    if constexpr (std::is_same_v<S, min_plus<float>>) {
      if (nonnegative) {
        return multiply_tiled<problem_size::many_vertices>(
            nonnegative_float_algebra(problem.semiring), operands);
      }
    }
    multiply_tiled<problem_size::many_vertices>(general, operands);
  }

  template <problem_size Size, class Algebra>
  void multiply_tiled(const Algebra& algebra, product_operands<T> operands) {
    using tuning = tuning_for<T, false, Size>;
    prepare_products<Algebra, tuning, false>();
    operands.grid = whole_grid<tuning>(c.rows, c.columns);
    launch_products<tuning, false>(algebra, {operands, {}}, static_cast<int>(a.columns), T{},
                                   space.stream.get());
  }

  const host::product_problem<S>& problem;
  problem_size size;
  device_workspace space;
  bool nonnegative = false;
  padded_matrix<T> a{};
  padded_matrix<T> b{};
  padded_matrix<T> c{};
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
  state_->multiply();
  return follower.step(state_->problem.depth) && follower.finish();
}

template <class S>
void product_solver<S>::replace_from(T threshold, T value) requires is_min_plus<S> {
  const device_guard guard(state_->space.device);
  const padded_matrix<T>& c = state_->c;
  std::int32_t* const no_predecessors = nullptr;
  state_->space.launch_over("replace_from_kernel", c.size(), replace_from_kernel<T>,
                            c.entries.get(), no_predecessors, c.size(), threshold, value);
}

template <class S>
void product_solver<S>::store() {
  const device_guard guard(state_->space.device);
  const host::product_problem<S>& p = state_->problem;
  download_rows(state_->space.lanes, state_->space.device, state_->space.stream.get(),
                state_->c.entries.get(), state_->c.columns, p.c, p.rows, p.columns);
}

}  // namespace apsp::detail::cuda
