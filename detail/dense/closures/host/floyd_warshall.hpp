// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../host/first_exception.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../tiles/host/tile_kernel_choice.hpp"
#include "../../../tiles/host/tile_size.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../checkpoints/checkpoint.hpp"
#include "../../matrix/host/symmetric_rows.hpp"
#include "../../problem/problem.hpp"
#include "tile_schedule.hpp"

namespace apsp::inline v1::detail::host {

/// Tiled Floyd–Warshall: for every pivot tile, close it, relax its row and column panels through
/// it, then relax all other tiles through the panels. Source: Venkataraman, Sahni, Mukhopadhyaya
/// 2003. There is no barrier between these phases: see `tile_schedule`.
template <class S>
class APSP_EXPORT floyd_warshall_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs; nothing is written before that.
  /// @param threads  1: the calling thread; 0: the number that OpenMP provides.
  floyd_warshall_solver(const closure_problem<S>& problem, int threads);

  /// Call once. Steps of @p watch are pivots, and are reported by the calling thread.
  /// @return false if @p watch requested a stop; the entries are then unspecified.
  bool solve(monitor& watch);
  /// True if the matrix was symmetric, and only half of it was relaxed.
  bool used_symmetry() const { return is_symmetric_; }

 private:
  /// The operands of the steps of a stage, packed for the inner loops. Predecessors are copied too,
  /// because those in the matrix may change before the last step of the stage has read them.
  struct stage {
    untouched_buffer<T> pivot;         ///< the closed pivot tile as a left operand
    untouched_buffer<T> pivot_strips;  ///< the same as a right operand
    untouched_buffer<T> column_panel;  ///< tile after tile, left operands
    untouched_buffer<T> row_panel;     ///< tile after tile, right operands
    untouched_buffer<std::int32_t> pivot_predecessors;
    std::vector<std::int32_t*> pivot_predecessor_rows;
    untouched_buffer<std::int32_t> row_predecessors;
    std::vector<std::int32_t*> row_predecessor_rows;
  };

  stage make_stage() const {
    stage made;
    const std::size_t tile = size_ * size_;
    made.pivot = untouched_buffer<T>(tile);
    made.pivot_strips = untouched_buffer<T>(tile);
    made.column_panel = untouched_buffer<T>(num_tiles_ * tile);
    made.row_panel = untouched_buffer<T>(num_tiles_ * tile);
    if (records_) {
      const std::size_t columns = num_tiles_ * size_;
      made.pivot_predecessors = untouched_buffer<std::int32_t>(tile);
      made.row_predecessors = untouched_buffer<std::int32_t>(size_ * columns);
      for (std::size_t k = 0; k < size_; ++k) {
        made.pivot_predecessor_rows.push_back(made.pivot_predecessors.data() + k * size_);
        made.row_predecessor_rows.push_back(made.row_predecessors.data() + k * columns);
      }
    }
    return made;
  }

  stage& stage_of(std::size_t pivot) { return stages_[pivot % stages_.size()]; }
  T* packed_tile(untouched_buffer<T>& panel, std::size_t tile) const {
    return panel.data() + tile * size_ * size_;
  }

  // The width of a tile is a multiple of the strip width, so that the pivot tile can be closed with
  // whole vectors.
  std::size_t round_up(std::size_t n) const {
    const std::size_t width = kernels_.strip_width;
    return (n + width - 1) / width * width;
  }
  std::size_t begin(std::size_t tile) const { return tile * size_; }
  std::size_t width(std::size_t tile) const { return std::min(size_, n_ - begin(tile)); }
  /// The pivots of the first @p stages stages.
  std::size_t pivots_of(std::size_t stages) const { return std::min(begin(stages), n_); }

  // The entries of tile (row_tile, column_tile).
  matrix_tile<T> tile_at(std::size_t row_tile, std::size_t column_tile) const {
    return {width(row_tile), width(column_tile), problem_.distances + begin(row_tile),
            begin(column_tile)};
  }

  // Packs tile (row_tile, column_tile) as the left operand of a relaxation.
  void pack_rows(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    kernels_.pack_rows(tile_at(row_tile, column_tile), problem_.floor, packed);
  }

  // Packs it as the right operand.
  void pack_strips(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    kernels_.pack_strips(tile_at(row_tile, column_tile), problem_.floor, problem_.zero, packed);
  }

  // Packs the transpose of tile (row_tile, column_tile) as the left operand. Only for matrices
  // without entries below the floor.
  void pack_transposed_rows(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    const std::size_t depth = width(row_tile);
    for (std::size_t k = 0; k < depth; ++k) {
      const T* const row = problem_.distances[begin(row_tile) + k] + begin(column_tile);
      for (std::size_t i = 0; i < width(column_tile); ++i) packed[i * depth + k] = row[i];
    }
  }

  // Packs it as the right operand.
  void pack_transposed_strips(std::size_t row_tile, std::size_t column_tile, T* packed) const {
    const std::size_t depth = width(column_tile);
    const std::size_t strip = kernels_.strip_width;
    for (std::size_t j = 0; j < round_up(width(row_tile)); ++j) {
      T* const to = packed + j / strip * strip * depth + j % strip;
      if (j < width(row_tile)) {
        const T* const row = problem_.distances[begin(row_tile) + j] + begin(column_tile);
        for (std::size_t k = 0; k < depth; ++k) to[k * strip] = row[k];
      } else {
        for (std::size_t k = 0; k < depth; ++k) to[k * strip] = problem_.zero;
      }
    }
  }

  void relax(const tile_step& step) {
    if (step.row == step.pivot && step.column == step.pivot) {
      close_pivot_tile(step.pivot);
    } else if (step.row == step.pivot) {
      relax_row_panel_tile(step.pivot, step.column);
    } else if (step.column == step.pivot) {
      relax_column_panel_tile(step.pivot, step.row);
    } else {
      relax_remainder_tile(step);
    }
  }

  void close_pivot_tile(std::size_t pivot) {
    stage& now = stage_of(pivot);
    const std::size_t first = begin(pivot);
    const std::size_t size = width(pivot);
    T* const tile = now.pivot.data();
    for (std::size_t i = 0; i < size; ++i) {
      kernels_.pack_rows({1, size, problem_.distances + first + i, first}, problem_.floor,
                         tile + i * size_);
      std::fill(tile + i * size_ + size, tile + (i + 1) * size_, problem_.zero);
      if (records_) {
        std::copy_n(problem_.predecessors[first + i] + first, size, now.pivot_predecessor_rows[i]);
      }
    }
    kernels_.close(problem_.semiring, size, size_, tile, problem_.floor,
                   records_ ? now.pivot_predecessors.data() : nullptr);
    for (std::size_t i = 0; i < size; ++i) {
      std::copy_n(tile + i * size_, size, problem_.distances[first + i] + first);
      if (records_) {
        std::copy_n(now.pivot_predecessor_rows[i], size, problem_.predecessors[first + i] + first);
      }
    }
    if (num_tiles_ == 1) return;
    pack_strips(pivot, pivot, now.pivot_strips.data());
    // The panels read the closed tile as a left operand without gaps.
    pack_rows(pivot, pivot, tile);
  }

  // The closed pivot tile contains every path inside it, so one product with the old panel is
  // final.
  void relax_row_panel_tile(std::size_t pivot, std::size_t tile) {
    stage& now = stage_of(pivot);
    T* const packed = packed_tile(now.row_panel, tile);
    pack_strips(pivot, tile, packed);
    const std::size_t size = width(pivot);
    const tile_product<T> product{.m = size,
                                  .n = width(tile),
                                  .depth = size,
                                  .a = now.pivot.data(),
                                  .b = packed,
                                  .c = problem_.distances + begin(pivot),
                                  .column = begin(tile)};
    if (records_) {
      copy_row_predecessors(now, pivot, tile);
      kernels_.relax_recording(
          problem_.semiring, product,
          {problem_.predecessors + begin(pivot), now.row_predecessor_rows.data(), begin(tile)});
      copy_row_predecessors(now, pivot, tile);
    } else {
      kernels_.relax(problem_.semiring, product);
    }
    pack_strips(pivot, tile, packed);
    if (is_symmetric_) pack_transposed_rows(pivot, tile, packed_tile(now.column_panel, tile));
  }

  void copy_row_predecessors(stage& now, std::size_t pivot, std::size_t tile) const {
    for (std::size_t k = 0; k < width(pivot); ++k) {
      std::copy_n(problem_.predecessors[begin(pivot) + k] + begin(tile), width(tile),
                  now.row_predecessor_rows[k] + begin(tile));
    }
  }

  void relax_column_panel_tile(std::size_t pivot, std::size_t tile) {
    stage& now = stage_of(pivot);
    T* const packed = packed_tile(now.column_panel, tile);
    pack_rows(tile, pivot, packed);
    const std::size_t size = width(pivot);
    const tile_product<T> product{.m = width(tile),
                                  .n = size,
                                  .depth = size,
                                  .a = packed,
                                  .b = now.pivot_strips.data(),
                                  .c = problem_.distances + begin(tile),
                                  .column = begin(pivot)};
    if (records_) {
      kernels_.relax_recording(
          problem_.semiring, product,
          {problem_.predecessors + begin(tile), now.pivot_predecessor_rows.data(), 0});
    } else {
      kernels_.relax(problem_.semiring, product);
    }
    pack_rows(tile, pivot, packed);
    if (is_symmetric_) pack_transposed_strips(tile, pivot, packed_tile(now.row_panel, tile));
  }

  void relax_remainder_tile(const tile_step& step) {
    stage& now = stage_of(step.pivot);
    const tile_product<T> product{.m = width(step.row),
                                  .n = width(step.column),
                                  .depth = width(step.pivot),
                                  .a = packed_tile(now.column_panel, step.row),
                                  .b = packed_tile(now.row_panel, step.column),
                                  .c = problem_.distances + begin(step.row),
                                  .column = begin(step.column)};
    if (records_) {
      kernels_.relax_recording(problem_.semiring, product,
                               {problem_.predecessors + begin(step.row),
                                now.row_predecessor_rows.data(), begin(step.column)});
    } else {
      kernels_.relax(problem_.semiring, product);
    }
  }

  const closure_problem<S>& problem_;
  const tile_kernels<S>& kernels_;
  std::size_t n_;
  std::size_t size_;
  std::size_t num_tiles_;
  bool records_;
  int members_;                ///< number of threads
  bool is_symmetric_ = false;  ///< Only tiles on and above the diagonal are relaxed.
  tile_schedule schedule_;
  std::vector<stage> stages_;  ///< one, or two that alternate
};

// Defined outside of the class, so that programs do not compile again what is compiled in the
// library.
template <class S>
floyd_warshall_solver<S>::floyd_warshall_solver(const closure_problem<S>& problem, int threads)
    : problem_(problem),
      kernels_(choose_tile_kernels<S>()),
      n_(problem.num_vertices),
      size_(std::min(tile_size<T>(kernels_.strip_width), round_up(n_))),
      num_tiles_(size_ == 0 ? 0 : (n_ + size_ - 1) / size_),
      records_(problem.predecessors != nullptr),
      members_(num_tiles_ < 2 ? 1 : thread_count(threads)),
      schedule_(num_tiles_) {
  // A stage begins while other threads still work on the previous one.
  for (int i = 0; i < std::min(members_, 2); ++i) stages_.push_back(make_stage());
}

template <class S>
bool floyd_warshall_solver<S>::solve(monitor& watch) {
  is_symmetric_ = !watch.stop_requested() && is_symmetric(problem_, size_, members_);
  if (is_symmetric_) schedule_.take_upper_half();
  first_exception failure;
  // A stage may take seconds, a tile does not.
  const auto is_given_up = [&] { return failure.has_failed() || watch.stop_requested(); };
  // A stage that had begun is relaxed again: its pivots may improve entries once more, but not
  // worsen them.
  const std::size_t resumed = problem_.files == nullptr ? 0 : problem_.files->first_pivot();
  std::size_t finished = resumed == n_ ? num_tiles_ : resumed / std::max(size_, std::size_t{1});
  if (finished != 0) schedule_.begin_at(finished);
  std::size_t reported = finished;
  if (reported != 0 && !is_given_up()) watch.advance(pivots_of(reported));
  const auto report = [&] {
    while (reported < num_tiles_ && schedule_.is_finished(reported) && !is_given_up()) {
      watch.advance(width(reported++));
    }
  };
  std::atomic<bool> has_skipped = false;
  const auto relax_assigned = [&] {
    on_each_thread(members_, [&](int member) {
      while (!is_given_up()) {
        const auto step = schedule_.take();
        if (!step) break;
        failure.guard([&] {
          if (is_given_up()) {
            has_skipped = true;
          } else {
            relax(*step);
          }
        });
        schedule_.finish(*step);
        if (member == 0) failure.guard(report);
      }
    });
    failure.rethrow();
  };
  if (problem_.files == nullptr) {
    relax_assigned();
  } else {
    // Rows are copied between stages, when no thread changes them.
    while (finished < num_tiles_ && !watch.stop_requested()) {
      schedule_.end_before(finished + 1);
      relax_assigned();
      report();
      if (!schedule_.is_finished(finished) || has_skipped) break;
      ++finished;
      if (!watch.stop_requested()) problem_.files->copy_rows(pivots_of(finished));
    }
    problem_.files->finish(pivots_of(finished));
  }
  if (is_symmetric_ && !watch.stop_requested()) mirror(problem_.distances, n_, size_, members_);
  report();
  return !watch.stop_requested();
}

#define APSP_EXTERN_SOLVER(...) extern template class floyd_warshall_solver<__VA_ARGS__>;
APSP_FOR_EACH_TILE_SEMIRING(APSP_EXTERN_SOLVER)
APSP_EXTERN_SOLVER(min_plus<int128>)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::inline v1::detail::host
