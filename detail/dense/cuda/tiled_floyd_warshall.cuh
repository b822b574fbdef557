// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../apsp/semiring.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/progress.cuh"
#include "../../device/side_stream.cuh"
#include "../../device/workspace.cuh"
#include "algebra.cuh"
#include "cooperative_floyd_warshall.cuh"
#include "pivot_tile.cuh"
#include "predecessor_steps.cuh"
#include "product_filter.cuh"
#include "product_launch.cuh"
#include "square_matrix.cuh"
#include "step_notes.cuh"
#include "symmetric_matrix.cuh"
#include "tile_shape.hpp"

namespace apsp::detail::cuda {

/// Tiles of the matrix, counted in rows or columns of a product's tiles.
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
  /// The tiles on and above the diagonal.
  tile_grid triangle_except(int begin, int count) const {
    return triangle_of(lines_except(num_tiles, begin, count), rows_per_tile, columns_per_tile);
  }
};

/// Floyd–Warshall of `cuda_tiled`: for every pivot tile, close it, relax its panels through it,
/// then relax all other tiles through the panels.
template <class S>
class tiled_floyd_warshall {
  using T = typename S::value_type;

 public:
  /// For matrices of @p num_vertices, padded to @p extent.
  tiled_floyd_warshall(device_workspace& space, const S& semiring, std::size_t num_vertices,
                       std::size_t extent, bool with_predecessors)
      : space_(space),
        semiring_(semiring),
        n_(num_vertices),
        extent_(extent),
        records_(with_predecessors),
        filter_(space, extent),
        ahead_(space.stream.get(), stream_priority::highest) {}

  /// Memory allocated in addition to the matrix.
  std::size_t bytes() const { return bytes(n_, extent_, records_); }
  static std::size_t bytes(std::size_t num_vertices, std::size_t extent, bool with_predecessors) {
    const std::size_t panels = panel_sets(num_vertices, with_predecessors) *
                               panel_size(num_vertices, extent, with_predecessors);
    const std::size_t before = may_be_symmetric(num_vertices, with_predecessors)
                                   ? panel_size(num_vertices, extent, with_predecessors)
                                   : 0;
    return panels * (2 * sizeof(T) + (with_predecessors ? sizeof(std::int32_t) : std::size_t{0})) +
           before * sizeof(T) + (may_filter(num_vertices) ? product_filter<T>::bytes(extent) : 0);
  }
  void allocate() {
    const std::size_t panels = panel_sets() * panel_size();
    row_panels_ = space_.template allocate<T>(panels);
    column_panels_ = space_.template allocate<T>(panels);
    if (may_be_symmetric(n_, records_)) {
      panel_before_ = space_.template allocate<T>(panel_size());
    }
    if (records_) row_panel_predecessors_ = space_.template allocate<std::int32_t>(panels);
    if (may_filter(n_)) filter_.allocate();
  }

  /// False if a symmetric matrix is relaxed like any other: with predecessors, and with so few
  /// vertices that the panels take most of the time.
  static constexpr bool may_be_symmetric(std::size_t num_vertices, bool with_predecessors) {
    constexpr std::size_t fewest_vertices = 2560;
    return has_commutative_times<S> && sizeof(T) <= sizeof(std::int64_t) && !with_predecessors &&
           num_vertices >= fewest_vertices;
  }

  /// @return false if the monitor of the call requested a stop.
  bool solve(const square_matrix<T>& matrix, T floor, device_progress& progress) {
    matrix_ = matrix;
    if constexpr (few_vertices_limit(sizeof(T)) > 0) {
      if (size_of_problem<T>(n_) == problem_size::few_vertices) {
        return solve_for<problem_size::few_vertices>(floor, progress);
      }
    }
    return solve_for<problem_size::many_vertices>(floor, progress);
  }

  /// True if the predecessors were computed after the solve, from notes of the steps.
  bool noted_steps() const { return noted_steps_; }

 private:
  cudaStream_t stream() const { return space_.stream.get(); }
  T* distances() const { return matrix_.distances; }

  static bool may_filter(std::size_t num_vertices) {
    return has_product_filter<S> && product_filter<T>::pays(num_vertices);
  }
  /// True if relaxation with @p Tuning filters the remainder.
  template <class Tuning>
  bool filters() const {
    return !Tuning::records && may_filter(n_);
  }

  /// The extent may be a multiple of larger tiles.
  int tiles_in_use(int tile) const {
    return static_cast<int>((n_ + static_cast<std::size_t>(tile) - 1) /
                            static_cast<std::size_t>(tile));
  }
  static std::size_t panel_size(std::size_t num_vertices, std::size_t extent,
                                bool with_predecessors) {
    return extent * granularity<T>(num_vertices, with_predecessors);
  }
  std::size_t panel_size() const { return panel_size(n_, extent_, records_); }
  /// If the remainder reads copies of the panels, it does so while those of the next step are
  /// written.
  static std::size_t panel_sets(std::size_t num_vertices, bool with_predecessors) {
    return with_predecessors || may_be_symmetric(num_vertices, with_predecessors) ? 2 : 1;
  }
  std::size_t panel_sets() const { return panel_sets(n_, records_); }

  pivot_history<T> history_of(int step) const {
    const std::size_t begin = static_cast<std::size_t>(step) % panel_sets() * panel_size();
    return {row_panels_.get() + begin, row_panel_predecessors_.get() + begin,
            column_panels_.get() + begin};
  }
  template <problem_size Size>
  bool solve_for(T floor, device_progress& progress) {
    using plain = tuning_for<T, false, Size>;
    constexpr bool is_float = std::is_same_v<S, min_plus<float>>;
    using nonnegative_algebra = std::conditional_t<is_float, nonnegative_float_algebra, algebra<S>>;
    const auto relax_distances = [&](const auto& algebra) {
      if constexpr (Size == problem_size::few_vertices) {
        const auto done = solve_in_one_kernel(space_, algebra, matrix_, n_, floor, progress);
        if (done) return *done;
      }
      return relax_tiles<plain>(algebra, floor, progress);
    };
    if (records_) {
      if constexpr (has_step_notes<S>) {
        constexpr int tile = tile_size(plain::shape);
        noted_steps_ =
            matrix_.positive && extent_ / static_cast<std::size_t>(tile) <= via_search.most_steps;
        if (noted_steps_) {
          if (!relax_tiles<with_step_notes<plain>>(nonnegative_algebra(semiring_), floor,
                                                   progress)) {
            return false;
          }
          find_predecessors<tile>(space_, matrix_, n_);
          return true;
        }
      }
      return relax_tiles<tuning_for<T, true, Size>>(algebra<S>(semiring_), floor, progress);
    }
    if constexpr (is_float) {
      if (matrix_.nonnegative) return relax_distances(nonnegative_algebra(semiring_));
    }
    return relax_distances(algebra<S>(semiring_));
  }

  template <class Tuning, class Algebra>
  bool relax_tiles(const Algebra& algebra, T floor, device_progress& progress);
  template <class Tuning, class Algebra>
  void relax_cross(const Algebra& algebra, int step, cudaStream_t on, T floor);
  template <class Tuning, class Algebra>
  void relax_symmetric_panel(const Algebra& algebra, int step, cudaStream_t on, T floor);
  symmetric_panels<T> symmetric_panels_of(int step) const {
    const pivot_history<T> panels = history_of(step);
    return {panel_before_.get(), panels.rows, panels.columns};
  }
  template <class Tuning>
  product_operands<T> remainder_of(int step, const tile_grid& grid) const;
  template <class Tuning, class Algebra>
  void relax_most_tiles(const Algebra& algebra, int step, const tile_grid& grid, T floor);

  device_workspace& space_;
  S semiring_;
  std::size_t n_;
  std::size_t extent_;
  bool records_;
  square_matrix<T> matrix_{};
  device_buffer<T> row_panels_;     ///< panel_sets x tile_size x extent
  device_buffer<T> column_panels_;  ///< panel_sets x extent x tile_size
  device_buffer<T> panel_before_;   ///< tile_size x extent, for symmetric matrices
  device_buffer<std::int32_t> row_panel_predecessors_;
  product_filter<T> filter_;  ///< has no memory unless `may_filter`
  bool noted_steps_ = false;
  side_stream ahead_;  ///< for the next pivot's cross, concurrent with the remainder of this one
};

/// Makes the pivot tile of @p step and its panels final.
template <class S>
template <class Tuning, class Algebra>
void tiled_floyd_warshall<S>::relax_cross(const Algebra& algebra, int step, cudaStream_t on,
                                          T floor) {
  constexpr pivot_shape shape = Tuning::shape.pivot;
  constexpr int tile = shape.tile_size;
  const int num_tiles = tiles_in_use(tile);
  const std::size_t pivot = static_cast<std::size_t>(step) * tile;
  const pivot_history<T> history = history_of(step);

  launch("pivot_tile_kernel", {1, pivot_threads(shape), on},
         pivot_tile_kernel<Algebra, Tuning, Tuning::records>, algebra, distances(),
         matrix_.predecessors, matrix_.pitch, pivot, history, floor);
  if (num_tiles == 1) return;

  if constexpr (!Tuning::records) {
    if (matrix_.symmetric) return relax_symmetric_panel<Tuning>(algebra, step, on, floor);
  }
  if constexpr (Tuning::records) {
    const int blocks = 2 * (num_tiles - 1) * (tile / shape.panel_width);
    launch("ordered_panels_kernel", {static_cast<unsigned>(blocks), panel_threads(shape), on},
           ordered_panels_kernel<Algebra, Tuning>, algebra, distances(), matrix_.predecessors,
           matrix_.pitch, pivot, history, floor);
  } else {
    // A panel is both operand and result, so a copy of its old entries is the operand.
    const std::size_t vectors = 2 * extent_ * tile / vector_of<T>::size;
    launch("copy_panels_kernel", {space_.setup_blocks(vectors), setup.threads, on},
           copy_panels_kernel<Algebra, tile>, algebra, distances(), matrix_.pitch, extent_, pivot,
           row_panels_.get(), column_panels_.get(), floor);

    const tile_counts<Tuning> tiles{num_tiles};
    product_pair<T> panels;
    panels.first.grid = {tiles.rows_from(step, 1), tiles.columns_except(step, 1)};
    panels.first.a = distances() + pivot;
    panels.first.a_pitch = matrix_.pitch;
    panels.first.b = row_panels_.get();
    panels.first.b_pitch = extent_;
    panels.first.c = distances();
    panels.first.c_pitch = matrix_.pitch;
    panels.second.grid = {tiles.rows_except(step, 1), tiles.columns_from(step, 1)};
    panels.second.a = column_panels_.get();
    panels.second.a_pitch = tile;
    panels.second.b = distances() + pivot * matrix_.pitch;
    panels.second.b_pitch = matrix_.pitch;
    panels.second.c = distances();
    panels.second.c_pitch = matrix_.pitch;
    panels.first.predecessors_c = panels.second.predecessors_c = matrix_.predecessors;
    panels.first.note = panels.second.note = code_of(step);
    launch_products<Tuning, true>(algebra, panels, tile, floor, on);
  }
}

/// Makes the panel of @p step of a symmetric matrix final. One product relaxes both halves of the
/// cross.
template <class S>
template <class Tuning, class Algebra>
void tiled_floyd_warshall<S>::relax_symmetric_panel(const Algebra& algebra, int step,
                                                    cudaStream_t on, T floor) {
  constexpr int tile = tile_size(Tuning::shape);
  static_assert(tile % transpose_width == 0);
  const tile_counts<Tuning> tiles{tiles_in_use(tile)};
  const std::size_t pivot = static_cast<std::size_t>(step) * tile;
  const symmetric_panels<T> panels = symmetric_panels_of(step);
  const launch_shape blocks{
      dim3(static_cast<unsigned>(tiles.num_tiles * tile / transpose_width), tile / transpose_width),
      transpose_threads, on};
  launch("gather_panel_kernel", blocks, gather_panel_kernel<T>, static_cast<const T*>(distances()),
         matrix_.pitch, extent_, pivot, panels);
  product_pair<T> product;
  product.first.grid = {tiles.rows_from(0, 1), tiles.columns_except(step, 1)};
  product.first.a = distances() + pivot * matrix_.pitch + pivot;
  product.first.a_pitch = matrix_.pitch;
  product.first.b = panels.before;
  product.first.b_pitch = extent_;
  product.first.c = panels.rows;
  product.first.c_pitch = extent_;
  launch_products<Tuning, false>(algebra, product, tile, floor, on);
  launch("scatter_panel_kernel", blocks, scatter_panel_kernel<T>, distances(), matrix_.pitch,
         extent_, pivot, static_cast<std::size_t>(tile), panels);
}

/// The product that relaxes the given tiles over the panels of @p step. It reads no data that the
/// cross of another step writes.
template <class S>
template <class Tuning>
auto tiled_floyd_warshall<S>::remainder_of(int step, const tile_grid& grid) const
    -> product_operands<T> {
  constexpr std::size_t tile = tile_size(Tuning::shape);
  const std::size_t pivot = static_cast<std::size_t>(step) * tile;
  product_operands<T> operands;
  operands.grid = grid;
  operands.c = distances();
  operands.c_pitch = matrix_.pitch;
  if constexpr (Tuning::records) {
    const pivot_history<T> history = history_of(step);
    operands.a = history.columns;
    operands.a_pitch = tile;
    operands.b = history.rows;
    operands.b_pitch = extent_;
    operands.predecessors_b = history.row_predecessors;
    operands.predecessors_c = matrix_.predecessors;
  } else if (matrix_.symmetric) {
    const symmetric_panels<T> panels = symmetric_panels_of(step);
    operands.a = panels.columns;
    operands.a_pitch = tile;
    operands.b = panels.rows;
    operands.b_pitch = extent_;
  } else {
    operands.a = distances() + pivot;
    operands.a_pitch = matrix_.pitch;
    operands.b = distances() + pivot * matrix_.pitch;
    operands.b_pitch = matrix_.pitch;
    operands.predecessors_c = matrix_.predecessors;
    operands.note = code_of(step);
  }
  return operands;
}

/// Relaxes the tiles of the remainder that no other kernel waits for.
template <class S>
template <class Tuning, class Algebra>
void tiled_floyd_warshall<S>::relax_most_tiles(const Algebra& algebra, int step,
                                               const tile_grid& grid, T floor) {
  const product_operands<T> operands = remainder_of<Tuning>(step, grid);
  if constexpr (has_product_filter<S> && !Tuning::records) {
    if (filters<Tuning>()) {
      return filter_.template relax<Tuning>(algebra, operands, step, matrix_.nonnegative, floor,
                                            stream());
    }
  }
  launch_products<Tuning, false>(algebra, {operands}, tile_size(Tuning::shape), floor, stream());
}

template <class S>
template <class Tuning, class Algebra>
bool tiled_floyd_warshall<S>::relax_tiles(const Algebra& algebra, T floor,
                                          device_progress& progress) {
  prepare_products<Algebra, Tuning, false>();
  if constexpr (!Tuning::records) prepare_products<Algebra, Tuning, true>();

  constexpr int tile = tile_size(Tuning::shape);
  const int num_tiles = tiles_in_use(tile);
  const tile_counts<Tuning> tiles{num_tiles};
  const bool is_symmetric = !Tuning::records && matrix_.symmetric;
  const auto make_cross_final = [&](int step, cudaStream_t on) {
    relax_cross<Tuning>(algebra, step, on, floor);
    if constexpr (has_product_filter<S>) {
      if (filters<Tuning>()) {
        filter_.bound_operands(remainder_of<Tuning>(step, {}),
                               static_cast<std::size_t>(num_tiles * tile), step, on);
      }
    }
  };
  if constexpr (has_product_filter<S> && !Tuning::records) {
    if (filters<Tuning>()) filter_.template start<Tuning, Algebra>(matrix_.nonnegative);
  }

  make_cross_final(0, stream());
  for (int step = 0; step + 1 < num_tiles; ++step) {
    // The tiles of the next pivot's cross come first. The cross then becomes final concurrently
    // with all other tiles: it is a chain of short kernels that alone would leave most of the
    // device idle.
    const int next = step + 1;
    const tile_grid next_row = {
        tiles.rows_from(next, 1),
        is_symmetric ? tiles.columns_from(next, num_tiles - next) : tiles.columns_except(step, 1)};
    const tile_grid next_column = {
        is_symmetric ? tiles.rows_from(0, step) : tiles.rows_except(step, 2),
        tiles.columns_from(next, 1)};
    launch_products<Tuning, false>(
        algebra, {remainder_of<Tuning>(step, next_row), remainder_of<Tuning>(step, next_column)},
        tile, floor, stream());
    ahead_.wait_for_main();
    make_cross_final(next, ahead_.get());
    relax_most_tiles<Tuning>(
        algebra, step,
        is_symmetric ? tiles.triangle_except(step, 2)
                     : tile_grid{tiles.rows_except(step, 2), tiles.columns_except(step, 2)},
        floor);
    ahead_.let_main_wait();
    if (!progress.step(tile)) return false;
  }
  const int last = num_tiles - 1;
  relax_most_tiles<Tuning>(
      algebra, last,
      is_symmetric ? tiles.triangle_except(last, 1)
                   : tile_grid{tiles.rows_except(last, 1), tiles.columns_except(last, 1)},
      floor);
  if (is_symmetric) mirror(space_, distances(), matrix_.pitch, num_tiles * tile);
  return progress.step(n_ - static_cast<std::size_t>(last) * tile) && progress.finish();
}

}  // namespace apsp::detail::cuda
