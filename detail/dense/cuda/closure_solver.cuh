// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../device/check.cuh"
#include "../../device/progress.cuh"
#include "../../device/resolved_device.cuh"
#include "../../host/monitor.hpp"
#include "../../values/distance_code.hpp"
#include "algebra.cuh"
#include "closure_solver.hpp"
#include "naive_floyd_warshall.cuh"
#include "narrow_floyd_warshall.cuh"
#include "padded_matrix.cuh"
#include "predecessor_steps.cuh"
#include "repeated_squaring.cuh"
#include "square_matrix.cuh"
#include "tile_shape.hpp"
#include "tiled_floyd_warshall.cuh"

// The members of `closure_solver`, for the files that instantiate it.
namespace apsp::detail::cuda {

template <class S>
struct closure_solver<S>::state {
  static constexpr bool has_narrower_types =
      is_min_plus<S> && std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::int64_t);

  state(const launch_target& target, int device, closure_method method, const S& a_semiring,
        std::size_t num_vertices, bool with_predecessors)
      : semiring(a_semiring),
        space(target, device),
        matrix(space, num_vertices, granularity_of(num_vertices, with_predecessors),
               with_predecessors) {
    if (num_vertices == 0) return;
    if (method == closure_method::repeated_squaring) {
      squaring.emplace(matrix, semiring);
      allocate(*squaring, 0);
    } else if (space.kernels == backend::cuda_tiled) {
      tiles.emplace(space, semiring, num_vertices, matrix.extent, with_predecessors);
      std::size_t bytes_of_narrower = 0;
      if constexpr (has_narrower_types) {
        if (may_be_narrower(num_vertices, with_predecessors)) {
          narrower.emplace(space, num_vertices, matrix.extent);
          bytes_of_narrower = narrower->bytes();
        }
      }
      allocate(*tiles, bytes_of_narrower);
    } else {
      space.require(matrix.bytes());
      matrix.allocate();
    }
  }

  static bool may_be_narrower(std::size_t num_vertices, bool with_predecessors) {
    if constexpr (has_narrower_types) {
      return !with_predecessors && narrow_floyd_warshall<T>::pays(num_vertices);
    } else {
      return false;
    }
  }
  static std::size_t granularity_of(std::size_t num_vertices, bool with_predecessors) {
    if constexpr (has_narrower_types) {
      if (may_be_narrower(num_vertices, with_predecessors)) {
        return narrow_floyd_warshall<T>::granularity(num_vertices);
      }
    }
    return granularity<T>(num_vertices, with_predecessors);
  }

  /// @param later  bytes that are allocated while the method runs.
  template <class Method>
  void allocate(Method& method, std::size_t later) {
    space.require(saturated_sum(matrix.bytes(), saturated_sum(method.bytes(), later)));
    matrix.allocate();
    method.allocate();
  }

  bool is_empty() const { return matrix.n == 0; }

  bool used_symmetry = false;
  S semiring;
  device_workspace space;
  padded_matrix<S> matrix;
  std::optional<tiled_floyd_warshall<S>> tiles;
  std::conditional_t<has_narrower_types, std::optional<narrow_floyd_warshall<T>>, std::monostate>
      narrower;
  std::optional<repeated_squaring<S>> squaring;
};

template <class S>
closure_solver<S>::closure_solver(const launch_target& target, closure_method method,
                                  const S& semiring, std::size_t num_vertices,
                                  bool with_predecessors) {
  const int device = resolved_device(target);
  const device_guard guard(device);
  state_ =
      std::make_unique<state>(target, device, method, semiring, num_vertices, with_predecessors);
}

template <class S>
closure_solver<S>::~closure_solver() {
  if (state_ == nullptr) return;
  const device_guard guard(state_->space.device, std::nothrow);
  state_.reset();
}

template <class S>
closure_solver<S>::closure_solver(closure_solver&&) noexcept = default;

template <class S>
closure_solver<S>& closure_solver<S>::operator=(closure_solver&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

template <class S>
void closure_solver<S>::load(std::span<const arc<T>> arcs, T zero)
  requires is_min_plus<S>
{
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.load(arcs, zero);
}

template <class S>
void closure_solver<S>::load(const T* const* rows, T zero) {
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.load(rows, zero);
}

template <class S>
template <class W>
void closure_solver<S>::load(const device_graph<W>& graph, T zero) {
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.load(graph, zero);
}

template <class S>
bool closure_solver<S>::solve(T floor, std::size_t longest_path, bool may_use_symmetry,
                              monitor& watch) {
  state& s = *state_;
  if (watch.stop_requested()) return false;
  if (s.is_empty()) return true;
  const device_guard guard(s.space.device);
  device_progress progress(watch, s.space.stream.get());
  if (s.squaring) return s.squaring->solve(longest_path, progress);
  if (s.tiles) {
    square_matrix<T> matrix;
    matrix.distances = s.matrix.distances.get();
    matrix.predecessors = s.matrix.predecessors.get();
    matrix.pitch = s.matrix.extent;
    matrix.nonnegative = s.matrix.nonnegative;
    matrix.positive = s.matrix.positive;
    matrix.whole = s.matrix.whole;
    // Two opposite arcs of negative weight are a negative cycle.
    matrix.symmetric = may_use_symmetry &&
                       tiled_floyd_warshall<S>::may_be_symmetric(s.matrix.n, s.matrix.records) &&
                       (!is_min_plus<S> || matrix.nonnegative) && s.matrix.is_symmetric();
    s.used_symmetry = matrix.symmetric;
    if constexpr (state::has_narrower_types) {
      if (s.narrower && matrix.nonnegative && matrix.whole) {
        const auto done = s.narrower->solve(matrix, s.matrix.zero, progress);
        if (done) return *done;
      }
    }
    return s.tiles->solve(matrix, floor, progress);
  }
  return s.matrix.records ? naive_floyd_warshall<true>(s.matrix, s.semiring, floor, progress)
                          : naive_floyd_warshall<false>(s.matrix, s.semiring, floor, progress);
}

template <class S>
bool closure_solver<S>::used_symmetry() const {
  return state_->used_symmetry;
}

template <class S>
bool closure_solver<S>::has_negative_diagonal()
  requires is_min_plus<S>
{
  if (state_->is_empty()) return false;
  const device_guard guard(state_->space.device);
  return state_->matrix.has_negative_diagonal();
}

template <class S>
void closure_solver<S>::replace_from(T threshold, T value)
  requires is_min_plus<S>
{
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.replace_from(threshold, value);
}

template <class S>
void closure_solver<S>::forget_worse(T limit)
  requires(!is_min_plus<S>)
{
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.forget_worse(algebra<S>(state_->semiring), limit);
}

template <class S>
std::optional<std::vector<char>> closure_solver<S>::rows_in_doubt()
  requires is_min_plus<S>
{
  const state& s = *state_;
  if (s.is_empty() || !s.tiles || !s.tiles->noted_steps()) return std::nullopt;
  const device_guard guard(s.space.device);
  return find_rows_in_doubt(s.matrix);
}

template <class S>
void closure_solver<S>::store(T* const* rows, std::int32_t* const* predecessors) {
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.store(rows, predecessors);
}

template <class S>
template <class W>
bool closure_solver<S>::store(const device_matrix_view<W>& distances, T unreachable_from) {
  if (state_->is_empty()) return false;
  const device_guard guard(state_->space.device);
  return state_->matrix.store(distances, unreachable_from);
}

template <class S>
template <class I>
void closure_solver<S>::store_predecessors(const device_matrix_view<I>& predecessors) {
  if (state_->is_empty()) return;
  const device_guard guard(state_->space.device);
  state_->matrix.store_predecessors(predecessors);
}

}  // namespace apsp::detail::cuda
