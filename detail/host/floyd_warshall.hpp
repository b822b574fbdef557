// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../apsp/matrix.hpp"
#include "../kernel_semirings.hpp"
#include "../monitor.hpp"
#include "../problem.hpp"
#include "parallel_for.hpp"
#include "tile_kernel_choice.hpp"

namespace apsp::detail::host {

/// Vertices per tile: the panels of a stage are that many rows and columns. A tile of distances and
/// a strip of a panel together stay within a core's second-level cache.
template <class T>
inline constexpr std::size_t tile_size = sizeof(T) <= 4 ? 128 : 64;

/// Tiled Floyd–Warshall: for every pivot tile, close it, relax its row and column panels through
/// it, then relax all other tiles through the panels. Source: Venkataraman, Sahni, Mukhopadhyaya
/// 2003.
template <class S>
class floyd_warshall_solver {
  using T = typename S::value_type;

 public:
  explicit floyd_warshall_solver(const closure_problem<S>& problem)
      : problem_(problem),
        kernels_(choose_tile_kernels<S>()),
        n_(problem.num_vertices),
        size_(std::min(tile_size<T>, round_up(n_))),
        num_tiles_(size_ == 0 ? 0 : (n_ + size_ - 1) / size_),
        pivot_(size_, size_),
        pivot_strips_(size_, size_),
        column_panel_(num_tiles_, size_ * size_),
        row_panel_(num_tiles_, size_ * size_),
        records_(problem.predecessors != nullptr) {
    if (records_) {
      pivot_predecessors_ = matrix<std::int32_t>(size_, size_);
      old_predecessors_ = matrix<std::int32_t>(size_, num_tiles_ * size_);
      for (std::size_t k = 0; k < size_; ++k) {
        old_predecessor_rows_.push_back(old_predecessors_[k]);
      }
    }
  }

  /// Runs on @p threads threads (1: the calling one; 0: as many as OpenMP gives). Steps of @p watch
  /// are pivots.
  /// @return false if @p watch asked for a stop; entries are then anything.
  bool solve(int threads, monitor& watch) {
    // A phase may take seconds, a tile does not.
    const auto unless_stopped = [&](auto relax_tile) {
      return [&watch, relax_tile](std::size_t t) {
        if (!watch.stop_requested()) relax_tile(t);
      };
    };
    for (std::size_t pivot = 0; pivot < num_tiles_; ++pivot) {
      if (watch.stop_requested()) return false;
      close_pivot_tile(pivot);
      parallel_for(2 * num_tiles_, threads,
                   unless_stopped([&](std::size_t t) { relax_panel_tile(pivot, t); }), 1);
      parallel_for(num_tiles_ * num_tiles_, threads,
                   unless_stopped([&](std::size_t t) { relax_remainder_tile(pivot, t); }), 1);
      if (watch.stop_requested()) return false;
      watch.advance(width(pivot));
    }
    return !watch.stop_requested();
  }

 private:
  // Tiles are whole strips wide, so that the pivot tile can be closed by whole vectors.
  std::size_t round_up(std::size_t n) const {
    const std::size_t width = kernels_.strip_width;
    return (n + width - 1) / width * width;
  }
  std::size_t begin(std::size_t tile) const { return tile * size_; }
  std::size_t width(std::size_t tile) const { return std::min(size_, n_ - begin(tile)); }

  T above_floor(const T& distance) const {
    if constexpr (has_floor<S>) {
      return distance < problem_.floor ? problem_.floor : distance;
    } else {
      return distance;
    }
  }

  // The left operand of a relaxation: tile (row_tile, column_tile), row after row.
  void pack_rows(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    for (std::size_t i = 0; i < width(row_tile); ++i) {
      const T* row = problem_.distances[begin(row_tile) + i] + begin(column_tile);
      for (std::size_t k = 0; k < width(column_tile); ++k) *packed++ = above_floor(row[k]);
    }
  }

  // The right operand: tile (row_tile, column_tile), strip after strip.
  void pack_strips(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    const std::size_t columns = width(column_tile);
    for (std::size_t j = 0; j < columns; j += kernels_.strip_width) {
      const std::size_t strip = std::min(kernels_.strip_width, columns - j);
      for (std::size_t k = 0; k < width(row_tile); ++k) {
        const T* row = problem_.distances[begin(row_tile) + k] + begin(column_tile) + j;
        for (std::size_t x = 0; x < strip; ++x) *packed++ = above_floor(row[x]);
        for (std::size_t x = strip; x < kernels_.strip_width; ++x) *packed++ = problem_.zero;
      }
    }
  }

  void close_pivot_tile(std::size_t pivot) {
    const std::size_t first = begin(pivot);
    const std::size_t size = width(pivot);
    for (std::size_t i = 0; i < size; ++i) {
      const T* row = problem_.distances[first + i] + first;
      for (std::size_t j = 0; j < size_; ++j) {
        pivot_[i][j] = j < size ? above_floor(row[j]) : problem_.zero;
      }
      if (records_) {
        std::copy_n(problem_.predecessors[first + i] + first, size, pivot_predecessors_[i]);
      }
    }
    kernels_.close(problem_.semiring, size, size_, pivot_.data(), problem_.floor,
                   records_ ? pivot_predecessors_.data() : nullptr);
    for (std::size_t i = 0; i < size; ++i) {
      std::copy_n(pivot_[i], size, problem_.distances[first + i] + first);
      if (records_) {
        std::copy_n(pivot_predecessors_[i], size, problem_.predecessors[first + i] + first);
      }
    }
    pack_strips(pivot, pivot, pivot_strips_.data());
    // The panels read the closed tile as a left operand without gaps.
    pack_rows(pivot, pivot, pivot_.data());
  }

  void relax_panel_tile(std::size_t pivot, std::size_t t) {
    const std::size_t tile = t / 2;
    if (tile == pivot) return;
    if (t % 2 == 0) {
      relax_row_panel_tile(pivot, tile);
    } else {
      relax_column_panel_tile(pivot, tile);
    }
  }

  // The closed pivot tile holds every path inside it, so one product with the old panel is final.
  void relax_row_panel_tile(std::size_t pivot, std::size_t tile) {
    T* packed = row_panel_[tile];
    pack_strips(pivot, tile, packed);
    T* const* rows = problem_.distances + begin(pivot);
    const std::size_t size = width(pivot);
    if (records_) {
      std::int32_t* const* predecessors = problem_.predecessors + begin(pivot);
      for (std::size_t k = 0; k < size; ++k) {
        std::copy_n(predecessors[k] + begin(tile), width(tile), old_predecessors_[k] + begin(tile));
      }
      kernels_.relax_recording(problem_.semiring, size, width(tile), size, pivot_.data(), packed,
                               rows, begin(tile), predecessors, old_predecessor_rows_.data(),
                               begin(tile));
    } else {
      kernels_.relax(problem_.semiring, size, width(tile), size, pivot_.data(), packed, rows,
                     begin(tile));
    }
    pack_strips(pivot, tile, packed);
  }

  void relax_column_panel_tile(std::size_t pivot, std::size_t tile) {
    T* packed = column_panel_[tile];
    pack_rows(tile, pivot, packed);
    T* const* rows = problem_.distances + begin(tile);
    const std::size_t size = width(pivot);
    if (records_) {
      kernels_.relax_recording(problem_.semiring, width(tile), size, size, packed,
                               pivot_strips_.data(), rows, begin(pivot),
                               problem_.predecessors + begin(tile),
                               problem_.predecessors + begin(pivot), begin(pivot));
    } else {
      kernels_.relax(problem_.semiring, width(tile), size, size, packed, pivot_strips_.data(), rows,
                     begin(pivot));
    }
    pack_rows(tile, pivot, packed);
  }

  void relax_remainder_tile(std::size_t pivot, std::size_t t) {
    const std::size_t row_tile = t / num_tiles_;
    const std::size_t column_tile = t % num_tiles_;
    if (row_tile == pivot || column_tile == pivot) return;
    T* const* rows = problem_.distances + begin(row_tile);
    if (records_) {
      kernels_.relax_recording(problem_.semiring, width(row_tile), width(column_tile), width(pivot),
                               column_panel_[row_tile], row_panel_[column_tile], rows,
                               begin(column_tile), problem_.predecessors + begin(row_tile),
                               problem_.predecessors + begin(pivot), begin(column_tile));
    } else {
      kernels_.relax(problem_.semiring, width(row_tile), width(column_tile), width(pivot),
                     column_panel_[row_tile], row_panel_[column_tile], rows, begin(column_tile));
    }
  }

  const closure_problem<S>& problem_;
  const tile_kernels<S>& kernels_;
  std::size_t n_;
  std::size_t size_;
  std::size_t num_tiles_;
  matrix<T> pivot_;
  matrix<T> pivot_strips_;
  matrix<T> column_panel_;
  matrix<T> row_panel_;
  bool records_;
  matrix<std::int32_t> pivot_predecessors_;
  matrix<std::int32_t> old_predecessors_;
  std::vector<const std::int32_t*> old_predecessor_rows_;
};

#define APSP_EXTERN_SOLVER(...) extern template class floyd_warshall_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::detail::host
