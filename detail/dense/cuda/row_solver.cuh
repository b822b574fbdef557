// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/semiring.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/flag.cuh"
#include "../../device/grid_stride.cuh"
#include "../../device/progress.cuh"
#include "../../device/several_devices.cuh"
#include "../../device/transfer.cuh"
#include "../../device/workspace.cuh"
#include "algebra.cuh"
#include "matrix_setup.cuh"
#include "pivot_blocks.cuh"
#include "plain_entries.cuh"
#include "row_panels.cuh"
#include "row_parts.cuh"
#include "row_solver.hpp"
#include "tile_shape.hpp"

// The members of `row_solver`, for the files that instantiate it.
namespace apsp::detail::cuda {

template <class S>
struct row_solver<S>::state {
  using tuning = tuning_for<T, false, problem_size::many_vertices>;
  template <class Algebra>
  using entries_of = plain_entries<Algebra, tuning>;
  static constexpr std::size_t tile = entries_of<algebra<S>>::tile;

  /// The rows of one device, in its memory.
  struct share {
    share(const launch_target& target, const row_range& held)
        : space(target, target.device), rows(held) {}

    device_workspace space;
    row_range rows;
    device_buffer<T> words;
    device_buffer<T> panels;
    bool nonnegative = true;
  };

  state(const launch_target& a_target, const S& a_semiring, std::size_t num_vertices)
      : target(a_target),
        semiring(a_semiring),
        n(num_vertices),
        extent(round_up(num_vertices, tile)),
        blocks{static_cast<int>(extent / tile),
               tiles_per_block(num_vertices, tile, fewest_vertices_for_blocks)},
        shares(target.devices.size()) {
    if (n == 0) return;
    on_each([&](const launch_target& one, std::size_t i) {
      const row_range held = rows_of(i);
      if (held.count == 0) return;
      shares[i] = std::make_unique<share>(one, held);
      share& mine = *shares[i];
      const std::size_t num_panel_words = panel_words(held);
      mine.space.require(
          saturated_product(saturated_sum(num_words(held), num_panel_words), sizeof(T)));
      mine.words = mine.space.template allocate<T>(num_words(held));
      mine.panels = mine.space.template allocate<T>(num_panel_words);
    });
    let_devices_copy();
  }
  ~state() {
    for (auto& mine : shares) {
      if (mine == nullptr) continue;
      const device_guard guard(mine->space.device, std::nothrow);
      mine.reset();
    }
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  template <class Work>
  void on_each(Work work) const {
    on_each_device(target, work, [] {});
  }

  /// The rows of share @p i: whole blocks of pivots.
  row_range rows_of(std::size_t i) const {
    const auto num_blocks = static_cast<std::size_t>(
        (blocks.num_tiles + blocks.tiles_per_block - 1) / blocks.tiles_per_block);
    const auto tile_of = [&](std::size_t s) {
      return std::min(blocks.num_tiles,
                      static_cast<int>(num_blocks * s / shares.size()) * blocks.tiles_per_block);
    };
    return {tile_of(i), tile_of(i + 1) - tile_of(i)};
  }
  std::size_t first_row(const row_range& rows) const {
    return static_cast<std::size_t>(rows.begin) * tile;
  }
  std::size_t num_words(const row_range& rows) const {
    return static_cast<std::size_t>(rows.count) * tile * extent;
  }
  /// The rows without those after the last vertex.
  std::size_t num_rows(const row_range& rows) const {
    const std::size_t first = first_row(rows);
    return std::min(static_cast<std::size_t>(rows.count) * tile, n - std::min(n, first));
  }
  std::size_t panel_words(const row_range& rows) const {
    using entries = entries_of<algebra<S>>;
    const auto tiles = static_cast<std::size_t>(blocks.tiles_per_block);
    return entries::scratch_words(tiles * tile) +
           row_panels<entries>::words(extent, static_cast<std::size_t>(rows.count) * tile, tiles,
                                      rows.count != blocks.num_tiles);
  }

  /// Without access, copies between devices pass through the host.
  void let_devices_copy() const {
    for (const auto& mine : shares) {
      if (mine == nullptr) continue;
      const device_guard guard(mine->space.device);
      const cudaMemPool_t pool = resource_cache::current().memory_pool();
      for (const auto& other : shares) {
        if (other == nullptr || other->space.device == mine->space.device) continue;
        int can_access = 0;
        APSP_CUDA_CHECK(
            cudaDeviceCanAccessPeer(&can_access, other->space.device, mine->space.device));
        if (can_access == 0) continue;
        cudaMemAccessDesc access{};
        access.location.type = cudaMemLocationTypeDevice;
        access.location.id = other->space.device;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        APSP_CUDA_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
      }
    }
  }

  void load(share& mine, const T* const* rows, T zero) const {
    const device_workspace& space = mine.space;
    const std::size_t first = first_row(mine.rows);
    const std::size_t size = num_words(mine.rows);
    space.launch_over("fill_kernel", size, fill_kernel<T>, mine.words.get(), size, zero);
    upload_rows(mine.space.lanes, space.stream.get(), mine.words.get(), extent, rows + first,
                num_rows(mine.rows), n);
    if constexpr (std::is_same_v<S, min_plus<float>>) {
      device_flag kinds = space.make_flag();
      kinds.clear();
      space.launch_over("find_kinds_kernel", size, find_kinds_kernel<T>, mine.words.get(), extent,
                        first * extent, size, kinds.get());
      mine.nonnegative = (kinds.value() & negative_weight) == 0;
    }
  }
  void store(share& mine, T* const* rows) const {
    download_rows(mine.space.lanes, mine.space.stream.get(), mine.words.get(), extent,
                  rows + first_row(mine.rows), num_rows(mine.rows), n);
  }

  template <class Algebra>
  bool relax(const Algebra& algebra, T floor, monitor& watch) const {
    using entries = entries_of<Algebra>;
    row_parts<entries> parts;
    for (const auto& mine : shares) {
      if (mine == nullptr) continue;
      const device_guard guard(mine->space.device);
      parts.push_back(make_part<entries>(algebra, floor, *mine));
    }
    const device_guard guard(parts.front()->device);
    device_progress progress(watch, parts.front()->stream);
    return parts_relaxation<entries>(parts, blocks, n).run(progress);
  }

  const launch_target target;
  S semiring;
  std::size_t n;
  std::size_t extent;  ///< columns of the padded matrix; also its pitch
  pivot_blocks blocks;
  std::vector<std::unique_ptr<share>> shares;

 private:
  template <class Entries, class Algebra>
  std::unique_ptr<row_part<Entries>> make_part(const Algebra& algebra, T floor, share& mine) const {
    T* const scratch = mine.panels.get();
    T* const memory =
        scratch + Entries::scratch_words(static_cast<std::size_t>(blocks.tiles_per_block) * tile);
    return std::make_unique<row_part<Entries>>(mine.space,
                                               Entries(algebra, floor, scratch, nullptr),
                                               mine.words.get(), extent, blocks, mine.rows, memory);
  }
};

template <class S>
row_solver<S>::row_solver(const launch_target& target, const S& semiring, std::size_t num_vertices)
    : state_(std::make_unique<state>(target, semiring, num_vertices)) {}

template <class S>
row_solver<S>::~row_solver() = default;

template <class S>
row_solver<S>::row_solver(row_solver&&) noexcept = default;

template <class S>
row_solver<S>& row_solver<S>::operator=(row_solver&&) noexcept = default;

template <class S>
bool row_solver<S>::solve(T* const* rows, T zero, T floor, monitor& watch) {
  state& s = *state_;
  if (watch.stop_requested()) return false;
  if (s.n == 0) return true;
  const auto on_each_share = [&](auto work) {
    s.on_each([&](const launch_target&, std::size_t i) {
      if (s.shares[i] != nullptr) work(*s.shares[i]);
    });
  };
  on_each_share([&](auto& mine) { s.load(mine, rows, zero); });
  bool finished = false;
  if constexpr (std::is_same_v<S, min_plus<float>>) {
    const bool nonnegative = std::all_of(s.shares.begin(), s.shares.end(), [](const auto& mine) {
      return mine == nullptr || mine->nonnegative;
    });
    finished = nonnegative ? s.relax(nonnegative_float_algebra(s.semiring), floor, watch)
                           : s.relax(algebra<S>(s.semiring), floor, watch);
  } else {
    finished = s.relax(algebra<S>(s.semiring), floor, watch);
  }
  if (finished) on_each_share([&](auto& mine) { s.store(mine, rows); });
  return finished;
}

}  // namespace apsp::detail::cuda
