// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/std/functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

#include "../../../../apsp/device_memory.hpp"
#include "../../../../apsp/unreachable.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/reduction.cuh"
#include "../../../device/resolved_device.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/transfer.cuh"
#include "../../../device/warp.hpp"
#include "../../../device/workspace.cuh"
#include "../../../host/monitor.hpp"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../../values/distance_code.hpp"
#include "../../matrix/cuda/exchange.cuh"
#include "../../matrix/cuda/matrix_setup.cuh"
#include "product_solver.hpp"

// The members of `product_solver`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

struct product_tuning {
  /// The factors are transferred in slabs of `least_slab` k, or in `most_slabs` slabs if those are
  /// thicker. While one slab is transferred, the previous one is multiplied.
  std::size_t least_slab = 1024;
  std::size_t most_slabs = 8;
  /// The last slab finishes the rows of C in `most_parts` parts, or in parts of `least_part` rows
  /// if those are larger. While one part is transferred back, the next one is multiplied.
  std::size_t most_parts = 4;
  std::size_t least_part = 1024;
};
inline constexpr product_tuning product_pipeline{};

/// A rectangular matrix in device memory, padded on the right and below.
template <class T>
struct factor_storage {
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
  device_matrix_view<T> view() const { return {entries.get(), rows, columns}; }
};

/// The kinds of the entries of A and B in a slab, as bits.
template <class T>
struct slab_entries {
  static constexpr unsigned not_a_number = 1;
  static constexpr unsigned negative = 2;

  const T* a;
  std::size_t a_pitch;
  std::size_t depth;  ///< columns of A
  std::size_t a_size;
  const T* b;
  std::size_t b_pitch;
  std::size_t columns;  ///< of B

  __device__ unsigned operator()(std::size_t k) const {
    const std::size_t in_b = k - a_size;
    const T entry = k < a_size ? a[k / depth * a_pitch + k % depth]
                               : b[in_b / columns * b_pitch + in_b % columns];
    return (entry != entry ? not_a_number : 0) | (entry < T{} ? negative : 0);
  }
};

template <class S>
struct product_solver<S>::state {
  /// Few tiles leave most of the device idle, so small products use small tiles.
  static constexpr problem_size size_of(std::size_t rows, std::size_t depth, std::size_t columns) {
    return size_of_problem<T>(std::min({rows, columns, depth}));
  }
  static constexpr std::size_t granularity_of(problem_size size) {
    return static_cast<std::size_t>(tile_size(choose_tile_shape(sizeof(T), false, size)));
  }

  /// From rows in host memory.
  state(const launch_target& target, int device, const host::product_problem<S>& problem, T zero)
      : host_problem(&problem),
        semiring(problem.semiring),
        nonnegative(problem.nonnegative),
        size(size_of(problem.rows, problem.depth, problem.columns)),
        granularity(granularity_of(size)),
        space(target, device) {
    set_extents(problem.rows, problem.depth, problem.columns);
    space.require(saturated_sum(a.bytes(), saturated_sum(b.bytes(), c.bytes())));
    const bool has_padding =
        a.rows != problem.rows || a.columns != problem.depth || b.columns != problem.columns;
    for (factor_storage<T>* m : {&a, &b, &c}) {
      m->entries = space.template allocate<T>(m->size());
      if (has_padding || m == &c) fill(*m, zero);
    }
    left = a.view();
    right = b.view();
    result = c.view();
    transfers.emplace(space.stream.get(), stream_priority::ordinary);
  }

  /// From matrices in device memory.
  template <class W>
  state(const launch_target& target, int device, const S& a_semiring,
        const device_product<W>& problem, T zero)
      : semiring(a_semiring),
        nonnegative(problem.nonnegative),
        size(size_of(problem.a.rows(), problem.a.cols(), problem.b.cols())),
        // A kernel with one thread per entry needs no padding.
        granularity(target.kernels == backend::cuda_naive ? 1 : granularity_of(size)),
        space(target, device) {
    set_extents(problem.a.rows(), problem.a.cols(), problem.b.cols());
    std::size_t bytes = 0;
    const auto stays = [&](const auto& given, const factor_storage<T>& m, bool is_copied,
                           auto& view) {
      if constexpr (std::is_same_v<W, T>) {
        if (!is_copied && can_be_tiled(given, m)) {
          view = given;
          return true;
        }
      }
      bytes = saturated_sum(bytes, m.bytes());
      return false;
    };
    const bool a_stays = stays(problem.a, a, problem.copies_a, left);
    const bool b_stays = stays(problem.b, b, problem.copies_b, right);
    const bool c_stays = stays(problem.c, c, false, result);
    space.require(bytes);
    if (!a_stays) left = take(problem.a, a, zero);
    if (!b_stays) right = take(problem.b, b, zero);
    if (!c_stays) result = take(device_matrix_view<const W>(problem.c), c, zero);
    if constexpr (!std::is_same_v<W, T>) was_cut = space.make_flag();
  }

  void set_extents(std::size_t given_rows, std::size_t a_depth, std::size_t given_columns) {
    given_depth = a_depth;
    const std::size_t rows = round_up(given_rows, granularity);
    const std::size_t columns = round_up(given_columns, granularity);
    a = {rows, round_up(given_depth, granularity), {}};
    b = {a.columns, columns, {}};
    c = {rows, columns, {}};
  }

  void fill(const factor_storage<T>& m, T zero) const {
    space.launch_over("fill_kernel", m.size(), fill_kernel<T>, m.entries.get(), m.size(), zero);
  }

  /// True if kernels can use the caller's matrix as they use @p own.
  template <class View>
  bool can_be_tiled(const View& given, const factor_storage<T>& own) const {
    if (space.kernels == backend::cuda_naive) return true;
    return given.rows() == own.rows && given.cols() == own.columns &&
           reinterpret_cast<std::uintptr_t>(given.data()) % vector_bytes == 0 &&
           given.pitch() * sizeof(T) % vector_bytes == 0;
  }

  /// A copy of the caller's matrix.
  template <class W>
  device_matrix_view<T> take(const device_matrix_view<const W>& from, factor_storage<T>& to,
                             T zero) const {
    constexpr W no_path = unreachable<W>;
    T code = zero;
    if constexpr (!is_min_plus<S>) code = no_path;
    to.entries = space.template allocate<T>(to.size());
    space.launch_over("copy_entries_kernel", to.size(), copy_entries_kernel<T, W>,
                      copied_entries<T>{to.entries.get(), to.columns, to.size()},
                      given_entries<W>{from.data(), from.pitch(), from.rows(), from.cols()},
                      no_path, code, zero);
    return to.view();
  }

  /// Fills rows [@p row, @p row + @p count) of a matrix, from column @p column on.
  void upload(const factor_storage<T>& to, std::size_t row, std::size_t count, std::size_t column,
              std::size_t num_columns, const T* const* host_rows) {
    std::vector<const T*> rows(host_rows + row, host_rows + row + count);
    for (const T*& r : rows) r += column;
    upload_rows(space.lanes, transfers->get(), {to.at(row, column), to.columns, count, num_columns},
                rows.data());
  }

  /// Looks for NaN and negative entries in a slab that is being transferred, and waits for it.
  /// @return false if an entry is NaN.
  bool check_slab(std::size_t k, std::size_t depth)
    requires std::is_floating_point_v<T>
  {
    const host::product_problem<S>& problem = *host_problem;
    const slab_entries<T> entries{a.at(0, k), a.columns, depth,          problem.rows * depth,
                                  b.at(k, 0), b.columns, problem.columns};
    const std::size_t count = (problem.rows + problem.columns) * depth;
    const unsigned kinds =
        reduce_over(count, ::cuda::std::bit_or<unsigned>(), entries, 0U, transfers->get());
    if ((kinds & slab_entries<T>::negative) != 0) nonnegative = false;
    return (kinds & slab_entries<T>::not_a_number) == 0;
  }

  /// Transfers rows from and to the host while others are multiplied.
  bool multiply_arriving(device_progress& progress) {
    const host::product_problem<S>& problem = *host_problem;
    transfers->wait_for_main();
    const std::size_t thickness =
        round_up(std::max(product_pipeline.least_slab, a.columns / product_pipeline.most_slabs),
                 granularity);
    for (std::size_t k = 0; k < a.columns; k += thickness) {
      const std::size_t depth = std::min(thickness, a.columns - k);
      const std::size_t given = std::min(depth, problem.depth - k);
      upload(a, 0, problem.rows, k, given, problem.a);
      upload(b, k, given, 0, problem.columns, problem.b);
      if constexpr (std::is_floating_point_v<T>) {
        // Slabs before a negative entry have been multiplied as they should be.
        if (problem.checks_factors && !check_slab(k, given)) {
          found_nan = true;
          return false;
        }
      }
      transfers->let_main_wait();
      const bool is_last = k + depth == a.columns;
      multiply_slab(k, depth, is_last ? product_pipeline.most_parts : 1);
      if (!progress.step(given)) return false;
    }
    return progress.finish();
  }

  /// @param thickness  the number of k between two reports to the progress
  bool multiply_in_device_memory(device_progress& progress, std::size_t thickness) {
    for (std::size_t k = 0; k < a.columns; k += thickness) {
      const std::size_t slab = std::min(thickness, a.columns - k);
      multiply_rows(0, c.rows, k, slab);
      if (!progress.step(std::min(slab, given_depth - k))) return false;
    }
    return progress.finish();
  }

  /// Adds the products over [@p k, @p k + @p depth), in @p parts parts of the rows, whose ends are
  /// recorded.
  void multiply_slab(std::size_t k, std::size_t depth, std::size_t parts) {
    const std::size_t height =
        round_up(std::max(product_pipeline.least_part, (c.rows + parts - 1) / parts), granularity);
    finished.clear();
    for (std::size_t row = 0; row < c.rows; row += height) {
      multiply_rows(row, std::min(height, c.rows - row), k, depth);
      finished.push_back({row, std::min(row + height, host_problem->rows)});
      APSP_CUDA_CHECK(cudaEventRecord(finished.back().event->get(), space.stream.get()));
    }
  }

  void multiply_rows(std::size_t row, std::size_t height, std::size_t k, std::size_t depth) {
    product_operands<T> operands;
    operands.a = left.data() + row * left.pitch() + k;
    operands.a_pitch = left.pitch();
    operands.b = right.data() + k * right.pitch();
    operands.b_pitch = right.pitch();
    operands.c = result.data() + row * result.pitch();
    operands.c_pitch = result.pitch();
    const algebra<S> general(semiring);
    if (space.kernels == backend::cuda_naive) {
      launch_entry_product<false>(general, operands, {height, depth, c.columns},
                                  space.stream.get());
      return;
    }
    if constexpr (few_vertices_limit(sizeof(T)) > 0) {
      if (size == problem_size::few_vertices) {
        return multiply_tiles<problem_size::few_vertices>(general, operands, height, depth);
      }
    }
    if constexpr (std::is_same_v<S, min_plus<float>>) {
      if (nonnegative) {
        return multiply_tiles<problem_size::many_vertices>(nonnegative_float_algebra(semiring),
                                                           operands, height, depth);
      }
    }
    multiply_tiles<problem_size::many_vertices>(general, operands, height, depth);
  }

  template <problem_size Size, class Algebra>
  void multiply_tiles(const Algebra& algebra, product_operands<T> operands, std::size_t height,
                      std::size_t depth) {
    using tuning = tuning_for<T, false, Size>;
    operands.grid = whole_grid<tuning>(height, c.columns);
    launch_products<tuning, false>(algebra, {operands, {}}, static_cast<int>(depth), T{},
                                   space.stream.get());
  }

  void store() {
    const auto put = [this](T* row, const T* sums, std::size_t columns) {
      for (std::size_t j = 0; j < columns; ++j) row[j] = semiring.plus(row[j], sums[j]);
    };
    for (const finished_rows& part : finished) {
      if (part.begin >= part.end) continue;
      APSP_CUDA_CHECK(cudaStreamWaitEvent(transfers->get(), part.event->get()));
      const auto download = [&](const auto& put_row) {
        download_rows(
            space.lanes, transfers->get(),
            {c.at(part.begin, 0), c.columns, part.end - part.begin, host_problem->columns},
            host_problem->c + part.begin, put_row);
      };
      if constexpr (is_min_plus<S>) {
        if (replaced) {
          download([this](T* row, const T* sums, std::size_t columns) {
            for (std::size_t j = 0; j < columns; ++j) {
              const T sum = sums[j] >= replaced->threshold ? replaced->value : sums[j];
              row[j] = semiring.plus(row[j], sum);
            }
          });
          continue;
        }
      }
      download(put);
    }
  }

  template <class W>
  bool store(const device_matrix_view<W>& to, T unreachable_from) {
    constexpr W no_path = unreachable<W>;
    constexpr W lowest = std::numeric_limits<W>::lowest();
    constexpr bool is_wider = !std::is_same_v<W, T>;
    constexpr bool is_coded = is_min_plus<S> && is_coded_integer<T>;
    if constexpr (is_wider) was_cut.clear();
    if (is_coded || static_cast<const void*>(to.data()) != result.data()) {
      space.launch_over("take_distances_kernel", to.rows() * to.cols(), take_distances_kernel<W, T>,
                        computed_distances<T>{.entries = result.data(),
                                              .pitch = result.pitch(),
                                              .rows = to.rows(),
                                              .columns = to.cols(),
                                              .unreachable_from = unreachable_from},
                        taken_distances<W>{.entries = to.data(),
                                           .pitch = to.pitch(),
                                           .least = lowest,
                                           .no_path = no_path,
                                           .was_cut = was_cut.get()});
    }
    // The stream is not visible to the caller, so the caller cannot order work after it.
    if (space.stream.is_owned()) APSP_CUDA_CHECK(cudaStreamSynchronize(space.stream.get()));
    if constexpr (is_wider) {
      return was_cut.read();
    } else {
      return false;
    }
  }

  /// Rows of C that are final once the event has completed.
  struct finished_rows {
    std::size_t begin;
    std::size_t end;
    std::unique_ptr<event_handle> event = std::make_unique<event_handle>();
  };

  /// Sums that do not count as they are.
  struct replaced_sums {
    T threshold;
    T value;
  };

  const host::product_problem<S>* host_problem = nullptr;  ///< null: matrices in device memory
  S semiring;
  bool nonnegative;
  problem_size size;
  std::size_t granularity;
  std::size_t given_depth = 0;  ///< without padding
  device_workspace space;
  // Copies of matrices that cannot be used in place, and the views that the kernels use.
  factor_storage<T> a{};
  factor_storage<T> b{};
  factor_storage<T> c{};
  device_matrix_view<const T> left;
  device_matrix_view<const T> right;
  device_matrix_view<T> result;
  device_flag was_cut;
  std::vector<finished_rows> finished;
  std::optional<replaced_sums> replaced;
  bool found_nan = false;
  std::optional<side_stream> transfers;
};

template <class S>
product_solver<S>::product_solver(const launch_target& target,
                                  const host::product_problem<S>& problem, T zero) {
  const int device = resolved_device(target);
  const device_guard guard(device);
  state_ = std::make_unique<state>(target, device, problem, zero);
}

template <class S>
template <class W>
product_solver<S>::product_solver(const launch_target& target, const S& semiring,
                                  const device_product<W>& problem, T zero) {
  const int device = resolved_device(target);
  const device_guard guard(device);
  state_ = std::make_unique<state>(target, device, semiring, problem, zero);
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
  APSP_RANGE_OF(algorithm::product);
  state& s = *state_;
  device_progress progress(watch, s.space.stream.get());
  if (s.host_problem != nullptr) return s.multiply_arriving(progress);
  const std::size_t thickness =
      watch.is_observed() ? round_up(product_pipeline.least_slab, s.granularity) : s.a.columns;
  return s.multiply_in_device_memory(progress, thickness);
}

template <class S>
void product_solver<S>::replace_from(T threshold, T value)
  requires is_min_plus<S>
{
  state_->replaced = {threshold, value};
}

template <class S>
bool product_solver<S>::found_nan() const {
  return state_->found_nan;
}

template <class S>
void product_solver<S>::store() {
  const device_guard guard(state_->space.device);
  state_->store();
}

template <class S>
template <class W>
bool product_solver<S>::store(const device_matrix_view<W>& c, T unreachable_from) {
  const device_guard guard(state_->space.device);
  return state_->store(c, unreachable_from);
}

}  // namespace apsp::inline v1::detail::cuda
