// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../../../apsp/config.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../tiles/host/tile_kernel_choice.hpp"
#include "../../../tiles/host/tile_size.hpp"
#include "../../../values/kernel_semirings.hpp"

namespace apsp::inline v1::detail::host {

/// C = plus(C, A times B), for rows in host memory. A and B do not overlap C.
template <class S>
struct product_problem {
  using T = typename S::value_type;

  S semiring;
  std::size_t rows;     ///< of A and C
  std::size_t depth;    ///< columns of A, rows of B
  std::size_t columns;  ///< of B and C
  const T* const* a;
  const T* const* b;
  T* const* c;
  /// True if all entries are known to be at least 0: some types have faster kernels then.
  bool nonnegative;
  /// True if A and B have not been searched for NaN. A solver for a device then does so, and finds
  /// out whether they are `nonnegative`.
  bool checks_factors = false;
  /// Null, or the predecessors of B: an entry of C that improves over k takes the predecessor of
  /// B's entry (k, j).
  const std::int32_t* const* b_predecessors = nullptr;
  std::int32_t* const* c_predecessors = nullptr;
  /// True if tiles whose entries are all below the diagonal are left out.
  bool leaves_out_lower = false;
};

/// Computes the product tile by tile. A panel of B and the matching tiles of A are packed for the
/// inner loops, and relax all of C.
template <class S>
class APSP_EXPORT product_solver {
  using T = typename S::value_type;

 public:
  /// @param problem  its matrices may be replaced by others of the same shapes before another
  /// solve().
  explicit product_solver(const product_problem<S>& problem);

  /// Runs on @p threads threads, as `floyd_warshall_solver` does. Steps of @p watch are the k of
  /// the sum.
  /// @return false if @p watch requested a stop; the entries of C are then unspecified.
  bool solve(int threads, monitor& watch);

  /// Rows of a tile.
  std::size_t size() const { return size_; }

 private:
  std::size_t round_up(std::size_t n) const {
    const std::size_t width = kernels_.strip_width;
    return (n + width - 1) / width * width;
  }
  std::size_t height(std::size_t row_tile) const {
    return std::min(size_, problem_.rows - row_tile * size_);
  }
  std::size_t width(std::size_t column_tile) const {
    return std::min(tile_columns_, problem_.columns - column_tile * tile_columns_);
  }

  void pack_rows(std::size_t tile, std::size_t first_k, std::size_t depth) {
    T* packed = a_panel_.data() + tile * a_tile_;
    for (std::size_t i = 0; i < height(tile); ++i) {
      packed = std::copy_n(problem_.a[tile * size_ + i] + first_k, depth, packed);
    }
  }

  void pack_strips(std::size_t tile, std::size_t first_k, std::size_t depth) {
    T* packed = b_panel_.data() + tile * b_tile_;
    for (std::size_t j = 0; j < width(tile); j += kernels_.strip_width) {
      const std::size_t strip = std::min(kernels_.strip_width, width(tile) - j);
      for (std::size_t k = 0; k < depth; ++k) {
        const T* row = problem_.b[first_k + k] + tile * tile_columns_ + j;
        packed = std::copy_n(row, strip, packed);
        packed = std::fill_n(packed, kernels_.strip_width - strip, row[0]);
      }
    }
  }

  void relax_tile(std::size_t row_tile, std::size_t column_tile, std::size_t first_k,
                  std::size_t depth) {
    const std::size_t row = row_tile * size_;
    const std::size_t column = column_tile * tile_columns_;
    const T* const a_packed = a_panel_.data() + row_tile * a_tile_;
    const T* const b_packed = b_panel_.data() + column_tile * b_tile_;
    const tile_product<T> product{.m = height(row_tile),
                                  .n = width(column_tile),
                                  .depth = depth,
                                  .a = a_packed,
                                  .b = b_packed,
                                  .c = problem_.c + row,
                                  .column = column};
    if (problem_.c_predecessors == nullptr) {
      kernels_.relax(problem_.semiring, product);
    } else {
      kernels_.relax_recording(
          problem_.semiring, product,
          {problem_.c_predecessors + row, problem_.b_predecessors + first_k, column});
    }
  }

  const product_problem<S>& problem_;
  const tile_kernels<S>& kernels_;
  std::size_t size_;
  std::size_t tile_columns_;
  std::size_t row_tiles_;
  std::size_t column_tiles_;
  std::size_t a_tile_;  ///< entries of a packed tile
  std::size_t b_tile_;
  untouched_buffer<T> a_panel_;  ///< row_tiles x (height x depth)
  untouched_buffer<T> b_panel_;  ///< column_tiles x (depth x width)
};

// Defined outside of the class, so that programs do not compile again what is compiled in the
// library.
template <class S>
product_solver<S>::product_solver(const product_problem<S>& problem)
    : problem_(problem),
      kernels_(choose_tile_kernels<S>()),
      size_(tile_size<T>(kernels_.strip_width)),
      // Whole strips, so that only the last strip of a matrix is padded.
      tile_columns_(round_up(size_)),
      row_tiles_((problem.rows + size_ - 1) / size_),
      column_tiles_((problem.columns + tile_columns_ - 1) / tile_columns_),
      a_tile_(std::min(size_, problem.rows) * std::min(size_, problem.depth)),
      b_tile_(std::min(tile_columns_, round_up(problem.columns)) * std::min(size_, problem.depth)),
      a_panel_(row_tiles_ * a_tile_),
      b_panel_(column_tiles_ * b_tile_) {}

template <class S>
bool product_solver<S>::solve(int threads, monitor& watch) {
  for (std::size_t k = 0; k < problem_.depth; k += size_) {
    const std::size_t depth = std::min(size_, problem_.depth - k);
    if (watch.stop_requested()) return false;
    parallel_for(
        row_tiles_ + column_tiles_, threads,
        [&](std::size_t t) {
          if (t < row_tiles_) {
            pack_rows(t, k, depth);
          } else {
            pack_strips(t - row_tiles_, k, depth);
          }
        },
        1);
    parallel_for(
        row_tiles_ * column_tiles_, threads,
        [&](std::size_t t) {
          const std::size_t row_tile = t / column_tiles_;
          const std::size_t column_tile = t % column_tiles_;
          const bool is_left_out =
              problem_.leaves_out_lower && (column_tile + 1) * tile_columns_ <= row_tile * size_;
          if (!is_left_out && !watch.stop_requested()) {
            relax_tile(row_tile, column_tile, k, depth);
          }
        },
        1);
    if (watch.stop_requested()) return false;
    watch.advance(depth);
  }
  return !watch.stop_requested();
}

#define APSP_EXTERN_SOLVER(...) extern template class product_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::inline v1::detail::host
