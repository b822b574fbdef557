// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../../apsp/semiring.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/product_filter.cuh"
#include "../../../tiles/cuda/step_notes.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/square_matrix.cuh"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "../../predecessors/cuda/predecessor_steps.cuh"
#include "cooperative_floyd_warshall.cuh"
#include "pivot_blocks.cuh"
#include "plain_entries.cuh"
#include "recorded_panels.cuh"
#include "row_panels.cuh"
#include "symmetric_panels.cuh"

namespace apsp::inline v1::detail::cuda {

/// Floyd–Warshall of `cuda_tiled`, by `relax_over_blocks`.
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
    const std::size_t panels = panel_words(num_vertices, extent, with_predecessors);
    return panels * sizeof(T) + (with_predecessors ? panels / 2 * sizeof(std::int32_t) : 0) +
           (may_filter(num_vertices) ? product_filter<T>::bytes(extent) : 0);
  }
  void allocate() {
    const std::size_t panels = panel_words(n_, extent_, records_);
    panels_ = space_.template allocate<T>(panels);
    if (records_) panel_predecessors_ = space_.template allocate<std::int32_t>(panels / 2);
    if (may_filter(n_)) filter_.allocate();
  }

  /// @return false if the monitor of the call requested a stop.
  bool solve(const square_matrix<T>& matrix, T floor, device_progress& progress);

  /// True if the predecessors were computed after the solve, from notes of the steps.
  bool noted_steps() const { return noted_steps_; }

 private:
  cudaStream_t stream() const { return space_.stream.get(); }

  static bool may_filter(std::size_t num_vertices) {
    return has_product_filter<algebra<S>> && product_filter<T>::pays(num_vertices);
  }
  /// The tiles of a block of pivots of distances. A filter excludes the more entries, the fewer
  /// pivots a block has.
  static int tiles_of_block(std::size_t num_vertices, std::size_t tile) {
    return may_filter(num_vertices)
               ? 1
               : tiles_per_block(num_vertices, tile, fewest_vertices_for_blocks);
  }

  /// The words of the panels of all ways in which such a matrix may be relaxed. The largest tile is
  /// a multiple of all others, and blocks of it are as large as those of others.
  static std::size_t panel_words(std::size_t num_vertices, std::size_t extent,
                                 bool with_predecessors) {
    const std::size_t tile = granularity<T>(num_vertices, with_predecessors);
    if (with_predecessors) return 4 * extent * tile + 2 * tile * tile;
    const auto words_with = [&](auto tuning) {
      using entries = plain_entries<algebra<S>, decltype(tuning)>;
      const auto tiles = static_cast<std::size_t>(tiles_of_block(num_vertices, entries::tile));
      const pivot_blocks blocks{static_cast<int>(extent / entries::tile), static_cast<int>(tiles)};
      const row_range all{0, blocks.num_tiles};
      const std::size_t words = row_panels<entries>::words(blocks, all);
      return entries::scratch_words(tiles * entries::tile) +
             (may_be_symmetric<S>(num_vertices)
                  ? std::max(words, symmetric_panels<entries>::words(blocks, all))
                  : words);
    };
    if (size_of_problem<T>(num_vertices) == problem_size::few_vertices) {
      return words_with(tuning_for<T, false, problem_size::few_vertices>{});
    }
    return words_with(tuning_for<T, false, problem_size::many_vertices>{});
  }

  // Not defined in the class: `extern template` leaves out only members that are not inline, and
  // every file that instantiates these has its own copies of their kernels.
  template <problem_size Size>
  bool solve_for(T floor, device_progress& progress);
  template <class Tuning, class Algebra>
  bool relax_tiles(const Algebra& algebra, T floor, device_progress& progress);

  device_workspace& space_;
  S semiring_;
  std::size_t n_;
  std::size_t extent_;
  bool records_;
  square_matrix<T> matrix_{};
  device_buffer<T> panels_;
  device_buffer<std::int32_t> panel_predecessors_;
  product_filter<T> filter_;  ///< has no memory unless `may_filter`
  bool noted_steps_ = false;
  side_stream ahead_;  ///< for the next block of pivots
};

template <class S>
bool tiled_floyd_warshall<S>::solve(const square_matrix<T>& matrix, T floor,
                                    device_progress& progress) {
  matrix_ = matrix;
  if constexpr (few_vertices_limit(sizeof(T)) > 0) {
    if (size_of_problem<T>(n_) == problem_size::few_vertices) {
      return solve_for<problem_size::few_vertices>(floor, progress);
    }
  }
  return solve_for<problem_size::many_vertices>(floor, progress);
}

template <class S>
template <problem_size Size>
bool tiled_floyd_warshall<S>::solve_for(T floor, device_progress& progress) {
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
        if (!relax_tiles<with_step_notes<plain>>(nonnegative_algebra(semiring_), floor, progress)) {
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

template <class S>
template <class Tuning, class Algebra>
bool tiled_floyd_warshall<S>::relax_tiles(const Algebra& algebra, T floor,
                                          device_progress& progress) {
  using entries_type = plain_entries<Algebra, Tuning>;
  constexpr auto tile = static_cast<std::size_t>(entries_type::tile);
  // The extent may be a multiple of larger tiles. The note of a block is that of its tile.
  const pivot_blocks blocks{static_cast<int>((n_ + tile - 1) / tile),
                            Tuning::records || Tuning::notes_steps ? 1 : tiles_of_block(n_, tile)};
  product_filter<T>* filter = nullptr;
  if constexpr (has_product_filter<Algebra> && !Tuning::records) {
    if (may_filter(n_)) {
      filter = &filter_;
      filter_.template start<Tuning, Algebra>(matrix_.nonnegative);
    }
  }
  const entries_type entries(algebra, floor, panels_.get(), filter);
  T* const memory = panels_.get() + entries_type::scratch_words(
                                        static_cast<std::size_t>(blocks.tiles_per_block) * tile);
  const auto relax_with = [&](auto&& panels) {
    return relax_over_blocks(panels, {blocks, tile, n_}, ahead_, stream(), progress);
  };
  if constexpr (Tuning::records) {
    return relax_with(recorded_panels<entries_type>(entries, matrix_, extent_, blocks,
                                                    {memory, panel_predecessors_.get()}, stream()));
  } else {
    if constexpr (!Tuning::notes_steps) {
      if (matrix_.symmetric) {
        return relax_with(symmetric_panels<entries_type>(
            entries, {.words = matrix_.distances, .pitch = matrix_.pitch, .extent = extent_},
            blocks, memory, space_));
      }
    }
    row_panels<entries_type> panels(
        entries, {matrix_.distances, matrix_.predecessors, matrix_.pitch, extent_}, blocks, memory,
        stream());
    if constexpr (!Tuning::notes_steps) {
      if (filter == nullptr) panels.relax_in_strips(matrix_.when_final, n_, progress);
    }
    return relax_with(panels);
  }
}

}  // namespace apsp::inline v1::detail::cuda
