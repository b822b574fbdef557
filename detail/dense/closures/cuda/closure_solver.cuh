// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
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

#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/resolved_device.cuh"
#include "../../../host/monitor.hpp"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../../values/distance_code.hpp"
#include "../../matrix/cuda/padded_matrix.cuh"
#include "../../matrix/cuda/square_matrix.cuh"
#include "../../predecessors/cuda/predecessor_steps.cuh"
#include "../../predecessors/cuda/tight_arcs.cuh"
#include "../../problem/arc.hpp"
#include "closure_solver.hpp"
#include "naive_floyd_warshall.cuh"
#include "narrow_floyd_warshall.cuh"
#include "repeated_squaring.cuh"
#include "tiled_floyd_warshall.cuh"

// The members of `closure_solver`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

/// What is known of the rows of predecessors.
enum class tree_knowledge {
  none,
  by_distances,  ///< They are trees where every vertex is farther away than its predecessor.
  all            ///< All are trees.
};

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
    } else if (space.kernels == backend::cuda_tiled) {
      tiles.emplace(space, semiring, num_vertices, matrix.extent, with_predecessors);
      if constexpr (has_narrower_types) {
        if (with_predecessors) {
          bytes_later = tiled_floyd_warshall<S>::bytes(num_vertices, matrix.extent, false);
        }
        if (narrow_floyd_warshall<T>::pays(num_vertices)) {
          narrower.emplace(space, num_vertices, matrix.extent);
          bytes_later = std::max(bytes_later, narrower->bytes());
        }
      }
    }
  }

  std::size_t bytes() const {
    if (is_empty()) return 0;
    std::size_t of_method = 0;
    if (squaring) of_method = squaring->bytes();
    // With predecessors, the other methods are used only if there is memory for them.
    if (tiles) of_method = saturated_sum(tiles->bytes(), matrix.records ? 0 : bytes_later);
    return saturated_sum(matrix.bytes(), of_method);
  }
  void allocate(const memory_need& need, memory_state memory) {
    if (is_empty()) return;
    space.require(need, memory);
    matrix.allocate();
    if (squaring) squaring->allocate();
    if (tiles) tiles->allocate();
  }

  static std::size_t granularity_of(std::size_t num_vertices, bool with_predecessors) {
    const std::size_t own = granularity<T>(num_vertices, with_predecessors);
    if constexpr (has_narrower_types) {
      if (narrow_floyd_warshall<T>::pays(num_vertices)) {
        return std::max(own, narrow_floyd_warshall<T>::granularity(num_vertices));
      }
    }
    return own;
  }

  bool is_empty() const { return matrix.n == 0; }
  bool relax_tiles(T floor, bool may_use_symmetry, device_progress& progress);
  /// @param with_predecessors  of the solve that would relax half of the matrix.
  bool find_symmetry(bool may_use_symmetry, bool with_predecessors) {
    // Two opposite arcs of negative weight are a negative cycle.
    used_symmetry = may_use_symmetry && (!is_min_plus<S> || matrix.nonnegative) &&
                    may_be_symmetric<S>(matrix.n) && !with_predecessors && matrix.is_symmetric();
    return used_symmetry;
  }

  bool used_symmetry = false;
  tree_knowledge trees = tree_knowledge::none;
  std::size_t bytes_later = 0;  ///< That are allocated while the method runs.
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
memory_need closure_solver<S>::need() const {
  if (state_->is_empty()) return {};
  const device_guard guard(state_->space.device);
  return state_->space.need_of(state_->bytes());
}

template <class S>
void closure_solver<S>::allocate(const memory_need& need, memory_state memory) {
  const device_guard guard(state_->space.device);
  state_->allocate(need, memory);
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
  APSP_RANGE_OF(s.squaring ? algorithm::repeated_squaring : algorithm::floyd_warshall);
  if (s.squaring) {
    const bool is_symmetric = s.space.kernels == backend::cuda_tiled &&
                              s.find_symmetry(may_use_symmetry, s.matrix.records);
    return s.squaring->solve(longest_path, is_symmetric, progress);
  }
  if (s.tiles) return s.relax_tiles(floor, may_use_symmetry, progress);
  return s.matrix.records ? naive_floyd_warshall<true>(s.matrix, s.semiring, floor, progress)
                          : naive_floyd_warshall<false>(s.matrix, s.semiring, floor, progress);
}

template <class S>
void closure_solver<S>::expect_store() {
  if constexpr (is_min_plus<S>) {
    const padded_matrix<S>& matrix = state_->matrix;
    // Predecessors are found from all distances.
    if (state_->tiles && matrix.nonnegative && !matrix.records) {
      state_->matrix.store_when_final(no_path<T>());
    }
  }
}

/// Floyd–Warshall of `cuda_tiled`.
template <class S>
bool closure_solver<S>::state::relax_tiles(T floor, bool may_use_symmetry,
                                           device_progress& progress) {
  trees = tree_knowledge::none;
  square_matrix<T> solved = matrix.view();
  if constexpr (has_narrower_types) {
    std::optional<tight_arc_search<T>> arcs;
    if (matrix.records && solved.positive) {
      arcs = tight_arc_search<T>::of(space, solved, matrix.n, matrix.zero, bytes_later);
    }
    solved.symmetric = find_symmetry(may_use_symmetry, matrix.records && !arcs);
    std::optional<bool> done;
    if ((!matrix.records || arcs) && narrower && solved.nonnegative && solved.whole) {
      done = narrower->solve(solved, matrix.zero, progress);
    }
    // Sums of floats are known to be exact if a narrower type has held them.
    const bool are_exact = std::is_integral_v<T> || done.has_value();
    if (!done && arcs) {
      tiled_floyd_warshall<S> unrecorded(space, semiring, matrix.n, matrix.extent, false);
      unrecorded.allocate();
      done = unrecorded.solve(solved, floor, progress);
    }
    if (done) {
      if (arcs && *done) {
        arcs->find_predecessors(solved);
        trees = are_exact ? tree_knowledge::all : tree_knowledge::by_distances;
      }
      return *done;
    }
  } else {
    solved.symmetric = find_symmetry(may_use_symmetry, matrix.records);
  }
  const bool finished = tiles->solve(solved, floor, progress);
  if (tiles->noted_steps()) trees = tree_knowledge::by_distances;
  return finished;
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
  if (s.is_empty() || s.trees == tree_knowledge::none) return std::nullopt;
  if (s.trees == tree_knowledge::all) return std::vector<char>{};
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

}  // namespace apsp::inline v1::detail::cuda
