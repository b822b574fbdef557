// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace apsp::inline v1::detail::host {

/// One step of tiled Floyd–Warshall: tile (row, column) is relaxed through pivot tile `pivot`.
struct tile_step {
  std::size_t pivot;
  std::size_t row;
  std::size_t column;
};

/// Assigns the steps of tiled Floyd–Warshall to threads, each as soon as its operands are final.
///
/// All steps have one order, in which each comes after the steps it depends on, and threads take
/// the steps in this order. A step that a thread waits for has therefore been taken by another
/// thread, which itself waits only for earlier steps: there is no deadlock with any number of
/// threads. The next pivot tile is closed early in a stage, while much other work remains, and a
/// stage begins while the previous one ends.
///
/// Threads may keep the packed operands of a stage in two alternating buffers: stage k + 2 does not
/// begin before stage k has ended.
class tile_schedule {
 public:
  explicit tile_schedule(std::size_t num_tiles)
      : num_tiles_(num_tiles),
        steps_per_stage_(num_tiles * num_tiles),
        end_(num_tiles * num_tiles * num_tiles),
        stages_of_tile_(num_tiles * num_tiles),
        steps_of_stage_(num_tiles) {}

  /// Only the tiles on and above the diagonal have steps. To be called before the first take().
  void take_upper_half() {
    is_upper_half_ = true;
    steps_per_stage_ = num_upper_tiles(num_tiles_);
    end_ = num_tiles_ * steps_per_stage_;
  }

  /// The stages before @p stage are already finished. To be called before the first take().
  void begin_at(std::size_t stage) {
    first_ = stage;
    for (counter& stages : stages_of_tile_) stages = static_cast<std::uint32_t>(stage);
    for (std::size_t s = 0; s < stage; ++s) {
      steps_of_stage_[s] = static_cast<std::uint32_t>(steps_per_stage_);
    }
  }
  /// From now on the steps of the stages before @p stage are assigned, at least those of one more
  /// than before, and the pivot tile of @p stage is closed. Not while threads take steps.
  void end_before(std::size_t stage) {
    if (next_ != 0) next_ = end_;
    end_ = (stage - first_) * steps_per_stage_ + (stage < num_tiles_ ? 1 : 0);
  }

  /// The next step, once its operands are final; nothing if all steps are assigned. A thread
  /// that takes a step must finish() it, even if the result is no longer needed: another thread may
  /// be waiting.
  std::optional<tile_step> take() {
    const std::size_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= end_) return std::nullopt;
    const tile_step step = step_of(number);
    wait_for_operands(step);
    return step;
  }

  void finish(const tile_step& step) {
    counter& steps = steps_of_stage_[step.pivot];
    if (steps.fetch_add(1) + 1 == steps_per_stage_) steps.notify_all();
    counter& stages = stages_of_tile_[step.row * num_tiles_ + step.column];
    // No other thread writes to it: the next step of this tile waits for this one.
    stages.store(static_cast<std::uint32_t>(step.pivot + 1));
    stages.notify_all();
  }

  /// True once all steps of that stage, and therefore of all earlier ones, are finished.
  bool is_finished(std::size_t stage) const {
    return steps_of_stage_[stage].load() == steps_per_stage_;
  }

 private:
  // The width that threads can wait on without an indirection.
  using counter = std::atomic<std::uint32_t>;

  // The first pivot tile is closed first. Then, for every stage: its panels, the next pivot tile
  // relaxed through them and closed, and the remainder. Tiles are counted from the next pivot tile
  // on.
  tile_step step_of(std::size_t number) const {
    if (number == 0) return {first_, first_, first_};
    const std::size_t others = num_tiles_ - 1;
    const std::size_t pivot = first_ + (number - 1) / steps_per_stage_;
    std::size_t rest = (number - 1) % steps_per_stage_;
    const auto tile = [&](std::size_t i) { return (pivot + 1 + i) % num_tiles_; };
    const std::size_t panel_tiles = is_upper_half_ ? others : 2 * others;
    if (rest < panel_tiles) {
      if (is_upper_half_) return upper(pivot, pivot, tile(rest));
      if (rest % 2 == 0) return {pivot, pivot, tile(rest / 2)};
      return {pivot, tile(rest / 2), pivot};
    }
    rest -= panel_tiles;
    if (pivot + 1 < num_tiles_ && rest > 0) {
      if (rest == 1) return {pivot + 1, pivot + 1, pivot + 1};
      --rest;
    }
    if (!is_upper_half_) return {pivot, tile(rest / others), tile(rest % others)};
    // The root is rounded.
    auto column = static_cast<std::size_t>(std::sqrt(2 * static_cast<double>(rest)));
    while (num_upper_tiles(column) > rest) --column;
    while (num_upper_tiles(column + 1) <= rest) ++column;
    return upper(pivot, tile(rest - num_upper_tiles(column)), tile(column));
  }

  /// The tiles on and above the diagonal of so many rows.
  static constexpr std::size_t num_upper_tiles(std::size_t rows) { return rows * (rows + 1) / 2; }

  static tile_step upper(std::size_t pivot, std::size_t i, std::size_t j) {
    return {pivot, std::min(i, j), std::max(i, j)};
  }

  void wait_for_operands(const tile_step& step) const {
    if (step.pivot >= 2) wait_for(steps_of_stage_[step.pivot - 2], steps_per_stage_);
    wait_for_tile(step.row, step.column, step.pivot);
    const bool in_row_panel = step.row == step.pivot;
    const bool in_column_panel = step.column == step.pivot;
    if (in_row_panel && in_column_panel) return;
    if (in_row_panel || in_column_panel) {
      wait_for_tile(step.pivot, step.pivot, step.pivot + 1);
    } else {
      wait_for_tile(step.row, step.pivot, step.pivot + 1);
      wait_for_tile(step.pivot, step.column, step.pivot + 1);
    }
  }

  void wait_for_tile(std::size_t row, std::size_t column, std::size_t stages) const {
    if (is_upper_half_ && column < row) std::swap(row, column);
    wait_for(stages_of_tile_[row * num_tiles_ + column], stages);
  }
  static void wait_for(const counter& count, std::size_t wanted) {
    for (std::uint32_t seen = count.load(); seen < wanted; seen = count.load()) {
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAVE_LINUX_FUTEX)
      // Without futexes, as on Windows, wait() of libstdc++ 12 misses notifications.
      std::this_thread::yield();
#else
      count.wait(seen);
#endif
    }
  }

  std::size_t num_tiles_;
  std::size_t steps_per_stage_;
  bool is_upper_half_ = false;
  std::size_t first_ = 0;  ///< the first stage
  std::size_t end_;        ///< how many steps take() may assign
  std::atomic<std::size_t> next_ = 0;
  std::vector<counter> stages_of_tile_;  ///< how many stages have relaxed the tile
  std::vector<counter> steps_of_stage_;  ///< how many steps are finished
};

}  // namespace apsp::inline v1::detail::host
