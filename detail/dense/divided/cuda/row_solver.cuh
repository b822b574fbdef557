// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../../apsp/error.hpp"
#include "../../../../apsp/semiring.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/resolved_device.cuh"
#include "../../../device/several_devices.cuh"
#include "../../../device/transfer.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../closures/cuda/paired_floyd_warshall.cuh"
#include "../../closures/cuda/pivot_blocks.cuh"
#include "../../closures/cuda/plain_entries.cuh"
#include "../../closures/cuda/row_panels.cuh"
#include "../../closures/cuda/symmetric_panels.cuh"
#include "../../matrix/cuda/convert_rows.cuh"
#include "../../matrix/cuda/matrix_setup.cuh"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "paired_parts.cuh"
#include "row_exchange.hpp"
#include "row_parts.cuh"
#include "row_solver.hpp"
#include "streamed_rows.cuh"

// The members of `row_solver`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

/// What parts of a matrix have of their rows: all columns, or, if the matrix is symmetric, those
/// from the diagonal entry of the first row on. Either way every part has about as many entries to
/// relax.
enum class columns_held { all, upper };

/// The blocks of pivots of n vertices, and the rows of each of several parts of a matrix: whole
/// blocks.
template <class S>
struct row_division {
  using tuning = tuning_for<typename S::value_type, false, problem_size::many_vertices>;
  static constexpr std::size_t tile = tile_size(tuning::shape);
  static constexpr std::size_t paired_tile = tile_size(paired_tile_shape);
  /// The extent of the matrix is a multiple of both tiles.
  static constexpr std::size_t granularity = std::max(tile, paired_tile);
  static_assert(granularity % tile == 0 && granularity % paired_tile == 0);

  row_division(std::size_t num_vertices, std::size_t num_parts,
               columns_held of_rows = columns_held::all)
      : n(num_vertices),
        columns(of_rows),
        blocks{static_cast<int>((n + granularity - 1) / granularity * (granularity / tile)),
               tiles_per_block(n, tile, fewest_vertices_for_blocks)} {
    const auto num_blocks = static_cast<std::size_t>(
        (blocks.num_tiles + blocks.tiles_per_block - 1) / blocks.tiles_per_block);
    const auto block_of = [&](std::size_t part) {
      if (columns == columns_held::all) return num_blocks * part / num_parts;
      // The rows before have this share of the entries on and above the diagonal.
      const double share = static_cast<double>(part) / static_cast<double>(num_parts);
      return static_cast<std::size_t>(
          std::lround(static_cast<double>(num_blocks) * (1 - std::sqrt(1 - share))));
    };
    const auto tile_of = [&](std::size_t part) {
      return std::min(blocks.num_tiles, static_cast<int>(block_of(part)) * blocks.tiles_per_block);
    };
    for (std::size_t i = 0; i < num_parts; ++i) {
      parts.push_back({tile_of(i), tile_of(i + 1) - tile_of(i)});
    }
  }

  /// False for few vertices, whose blocks of pivots may be smaller than a tile of pairs.
  bool may_relax_pairs() const { return n >= fewest_vertices_for_blocks; }
  /// What @p tiles are in tiles of pairs: the same rows.
  static int in_paired_tiles(int tiles) {
    return static_cast<int>(static_cast<std::size_t>(tiles) * tile / paired_tile);
  }
  pivot_blocks paired_blocks() const {
    return {in_paired_tiles(blocks.num_tiles), in_paired_tiles(blocks.tiles_per_block)};
  }
  static row_range in_paired_tiles(const row_range& rows) {
    return {in_paired_tiles(rows.begin), in_paired_tiles(rows.count)};
  }

  /// The rows of a part without those after the last vertex.
  index_part rows_of(const row_range& part) const {
    const std::size_t first = std::min(n, static_cast<std::size_t>(part.begin) * tile);
    return {first, std::min(static_cast<std::size_t>(part.count) * tile, n - first)};
  }
  /// The columns that a part has of its rows, without those after the last vertex.
  index_part columns_of(const row_range& part) const {
    if (columns == columns_held::all) return {0, n};
    const std::size_t first = rows_of(part).first;
    return {first, n - first};
  }
  /// Entries of the padded matrix in a row, and in a row of a part.
  std::size_t extent() const { return static_cast<std::size_t>(blocks.num_tiles) * tile; }
  std::size_t pitch_of(const row_range& part) const {
    if (columns == columns_held::all) return extent();
    return extent() - static_cast<std::size_t>(part.begin) * tile;
  }
  std::size_t num_entries(const row_range& part) const {
    return static_cast<std::size_t>(part.count) * tile * pitch_of(part);
  }

  std::size_t n;
  columns_held columns;
  pivot_blocks blocks;
  std::vector<row_range> parts;
};

/// The memory that one part of a matrix may use on its device, of which it wants @p bytes. A device
/// that is listed several times has as many parts.
inline std::size_t available_for_part(const launch_target& all, const device_workspace& space,
                                      std::size_t bytes) {
  const auto times = std::max<std::size_t>(
      1,
      static_cast<std::size_t>(std::count(all.devices.begin(), all.devices.end(), space.device)));
  const std::size_t free =
      bytes_for_call(saturated_product(bytes, times), 0, space.stream.get()) / times;
  return all.memory_limit == 0 ? free : std::min(free, all.memory_limit);
}

/// The rows of a matrix on several devices, or those of this process on its device.
template <class S>
class divided_rows {
  using T = typename S::value_type;

 public:
  using tuning = typename row_division<S>::tuning;
  static constexpr std::size_t tile = row_division<S>::tile;

  /// @param exchange       with the other processes, or null.
  /// @param uses_symmetry  with memory for the division of a symmetric matrix, which is a little
  ///                       more
  divided_rows(const launch_target& target, std::size_t num_vertices, std::size_t num_parts,
               row_exchange* exchange, bool uses_symmetry)
      : target_(target),
        exchange_(exchange),
        divisions_(divisions_of(num_vertices, num_parts, uses_symmetry)),
        shares_(num_parts) {
    on_each_device(
        target_,
        [&](const launch_target& one, std::size_t i) {
          const std::size_t number = number_of_share(i);
          const bool has_rows =
              std::any_of(divisions_.begin(), divisions_.end(),
                          [&](const row_division<S>& d) { return d.parts[number].count != 0; });
          // A process without rows takes part in the exchange.
          if (has_rows || exchange_ != nullptr) {
            shares_[number] = std::make_unique<share>(one, number, divisions_);
            shares_[number]->space.lanes.share_cores(static_cast<int>(target_.num_devices()));
          }
        },
        [] {});
    let_devices_copy(target_);
  }
  ~divided_rows() {
    for (auto& mine : shares_) {
      if (mine == nullptr) continue;
      const device_guard guard(mine->space.device, std::nothrow);
      mine.reset();
    }
  }
  divided_rows(const divided_rows&) = delete;
  divided_rows& operator=(const divided_rows&) = delete;

  /// As `row_solver::need_of_rows`.
  static memory_need need(const launch_target& target, std::size_t num_vertices,
                          bool uses_symmetry) {
    const auto divisions = divisions_of(num_vertices, target.num_devices(), uses_symmetry);
    std::vector<memory_need> needs(target.num_devices());
    on_each_device(
        target,
        [&](const launch_target& one, std::size_t i) {
          const device_workspace space(one, resolved_device(one));
          const std::size_t bytes = words_of_share(divisions, i).bytes();
          needs[i] = {bytes, available_for_part(target, space, bytes)};
        },
        [] {});
    const auto left = [](const memory_need& need) {
      return static_cast<double>(need.available) - static_cast<double>(need.bytes);
    };
    return *std::min_element(
        needs.begin(), needs.end(),
        [&](const memory_need& x, const memory_need& y) { return left(x) < left(y); });
  }

  static constexpr bool can_place_arcs = is_min_plus<S> && sizeof(T) <= sizeof(std::int64_t);
  /// True if two distances of 16 bits take the place of an entry or of a part of it.
  static constexpr bool has_pairs = is_min_plus<S> && sizeof(T) <= sizeof(std::int64_t);

  /// True if the devices of this process relax pairs of distances of 16 bits.
  bool may_relax_pairs() const {
    if (!has_pairs || !divisions_.front().may_relax_pairs()) return false;
    return std::all_of(shares_.begin(), shares_.end(), [](const std::unique_ptr<share>& mine) {
      return mine == nullptr || paired_floyd_warshall::runs_on(mine->space.device);
    });
  }
  /// True if a symmetric matrix is relaxed in half of the time.
  bool may_use_symmetry() const { return divisions_.size() > 1; }

  template <class Algebra>
  bool solve(const Algebra& algebra, const row_problem<T>& problem, monitor& watch) {
    division_ = problem.known.symmetric ? 1 : 0;
    on_all_processes([&] {
      on_each_share([&](share& mine) {
        fill(mine, problem.zero);
        if constexpr (can_place_arcs) {
          if (problem.arcs) return place(mine, *problem.arcs);
        }
        upload(mine, problem.rows);
      });
    });
    const auto relax_rows = [&] {
      if constexpr (has_pairs) {
        if (problem.known.fits_16_bits) return relax_pairs(problem.zero, watch);
      }
      return relax(algebra, problem.floor, watch);
    };
    if (!relax_rows()) return false;
    on_all_processes([&] { on_each_share([&](share& mine) { store(mine, problem.rows); }); });
    return true;
  }

 private:
  static std::vector<row_division<S>> divisions_of(std::size_t num_vertices, std::size_t num_parts,
                                                   bool uses_symmetry) {
    std::vector<row_division<S>> divisions;
    divisions.emplace_back(num_vertices, num_parts);
    if (uses_symmetry) divisions.emplace_back(num_vertices, num_parts, columns_held::upper);
    return divisions;
  }

  /// Words for the rows of one device, however they are divided.
  struct words_of_share {
    words_of_share(const std::vector<row_division<S>>& divisions, std::size_t number) {
      for (const row_division<S>& division : divisions) {
        const row_range& held = division.parts[number];
        entries = std::max(entries, division.num_entries(held));
        panels = std::max(panels, panel_words(division, held));
      }
    }
    std::size_t bytes() const { return saturated_product(entries + panels, sizeof(T)); }

    std::size_t entries = 0;
    std::size_t panels = 0;
  };

  struct share {
    share(const launch_target& target, std::size_t a_number,
          const std::vector<row_division<S>>& divisions)
        : space(target, resolved_device(target)), number(a_number) {
      const words_of_share sizes(divisions, number);
      num_panel_words = sizes.panels;
      space.require(sizes.bytes());
      words = space.template allocate<T>(sizes.entries);
      panels = space.template allocate<T>(sizes.panels);
    }

    device_workspace space;
    std::size_t number;
    std::size_t num_panel_words = 0;
    device_buffer<T> words;
    device_buffer<T> panels;
  };

  template <class Work>
  void on_each_share(Work work) const {
    on_each_device(
        target_,
        [&](const launch_target&, std::size_t i) {
          share* const mine = shares_[number_of_share(i)].get();
          if (mine != nullptr) work(*mine);
        },
        [] {});
  }
  /// That of the device number @p i of this process.
  std::size_t number_of_share(std::size_t i) const {
    return exchange_ == nullptr ? i : exchange_->rank();
  }
  /// Calls f(). With several processes, a failure of one is thrown on all.
  template <class F>
  void on_all_processes(F f) const {
    if (exchange_ == nullptr) return f();
    std::exception_ptr failure;
    try {
      f();
    } catch (...) {
      failure = std::current_exception();
    }
    exchange_->all_go_on(false, failure);
  }

  const row_division<S>& division() const { return divisions_[division_]; }
  bool is_upper() const { return division().columns == columns_held::upper; }
  const row_range& tiles_of(const share& mine) const { return division().parts[mine.number]; }

  static std::size_t most_pivots(const row_division<S>& division) {
    return static_cast<std::size_t>(division.blocks.tiles_per_block) * tile;
  }
  static std::size_t scratch_words(const row_division<S>& division) {
    return entry_scratch_words<tuning>(most_pivots(division));
  }
  static std::size_t panel_words(const row_division<S>& division, const row_range& held) {
    using entries = plain_entries<algebra<S>, tuning>;
    const bool is_upper = division.columns == columns_held::upper;
    const std::size_t words = scratch_words(division) +
                              (is_upper ? symmetric_panels<entries>::words(division.blocks, held)
                                        : row_panels<entries>::words(division.blocks, held));
    if (!has_pairs || !division.may_relax_pairs()) return words;
    const std::size_t bytes = paired_parts::panel_bytes(
        division.paired_blocks(), row_division<S>::in_paired_tiles(held), is_upper);
    return std::max(words, (bytes + sizeof(T) - 1) / sizeof(T));
  }

  void fill(share& mine, T value) const {
    const std::size_t size = division().num_entries(tiles_of(mine));
    mine.space.launch_over("fill_kernel", size, fill_kernel<T>, mine.words.get(), size, value);
  }
  /// Pointers to the entries in column @p column of some rows.
  template <class U>
  static std::vector<U*> entries_of(U* const* rows, const index_part& some, std::size_t column) {
    std::vector<U*> entries(some.count);
    for (std::size_t i = 0; i < some.count; ++i) entries[i] = rows[some.first + i] + column;
    return entries;
  }
  void upload(share& mine, const T* const* rows) const {
    const row_range& tiles = tiles_of(mine);
    const index_part held = division().rows_of(tiles);
    const index_part columns = division().columns_of(tiles);
    upload_rows(mine.space.lanes, mine.space.stream.get(),
                {mine.words.get(), division().pitch_of(tiles), held.count, columns.count},
                entries_of(rows, held, columns.first).data());
  }
  void place(share& mine, std::span<const arc<T>> arcs) const {
    device_workspace& space = mine.space;
    const row_range& tiles = tiles_of(mine);
    const index_part held = division().rows_of(tiles);
    if (held.count == 0) return;
    const std::size_t pitch = division().pitch_of(tiles);
    const some_rows rows{held.first, held.count, division().columns_of(tiles).first};
    space.launch_over("fill_diagonal_kernel", rows.count, fill_diagonal_kernel<T>,
                      mine.words.get() + (rows.first - rows.first_column), pitch, rows.count, T{});
    if (arcs.empty()) return;
    device_flag kinds = space.make_flag();
    const auto piece =
        space.template allocate<arc<T>>(piece_plan(arcs.size(), sizeof(arc<T>)).per_piece);
    upload_pieces(space.lanes, space.stream.get(), piece.get(), arcs, [&](std::size_t count) {
      space.launch_over("scatter_arcs_kernel", count, scatter_arcs_kernel<T>, mine.words.get(),
                        pitch, rows, piece.get(), count, kinds.get());
    });
  }
  void store(share& mine, T* const* rows) const {
    const row_range& tiles = tiles_of(mine);
    const index_part held = division().rows_of(tiles);
    const index_part columns = division().columns_of(tiles);
    const std::size_t pitch = division().pitch_of(tiles);
    if (is_upper()) {
      mirror_entries(mine.space, mine.words.get(), pitch,
                     static_cast<std::size_t>(tiles.count) * tile);
    }
    download_rows(mine.space.lanes, mine.space.stream.get(),
                  {mine.words.get(), pitch, held.count, columns.count},
                  entries_of(rows, held, columns.first).data());
    if (is_upper()) store_below(mine, rows);
  }
  /// Stores the entries on the right of the square on the diagonal in the rows below, too.
  void store_below(share& mine, T* const* rows) const {
    const row_range& tiles = tiles_of(mine);
    const index_part held = division().rows_of(tiles);
    const std::size_t num_rows = static_cast<std::size_t>(tiles.count) * tile;
    if (num_rows == 0) return;
    const std::size_t pitch = division().pitch_of(tiles);
    const std::size_t at_once = mine.num_panel_words / num_rows / transpose_width * transpose_width;
    for (std::size_t column = num_rows; column < pitch; column += at_once) {
      const std::size_t first = held.first + column;
      if (first >= division().n) break;
      const std::size_t count = std::min(at_once, pitch - column);
      transpose(matrix_rectangle<T>{mine.words.get() + column, pitch, num_rows, count},
                mine.panels.get(), num_rows, mine.space.stream.get());
      const index_part below{first, std::min(count, division().n - first)};
      download_rows(mine.space.lanes, mine.space.stream.get(),
                    {mine.panels.get(), num_rows, below.count, held.count},
                    entries_of(rows, below, held.first).data());
    }
  }

  /// Calls hold(share) for the shares of this process, and run(progress).
  template <class Hold, class Run>
  bool with_parts(monitor& watch, Hold hold, Run run) const {
    std::optional<device_guard> guard;
    std::optional<device_progress> progress;
    on_all_processes([&] {
      for (const auto& mine : shares_) {
        if (mine == nullptr) continue;
        if (!progress) {
          guard.emplace(mine->space.device);
          progress.emplace(watch, mine->space.stream.get());
        }
        const device_guard on_own(mine->space.device);
        hold(*mine);
      }
    });
    return run(*progress);
  }

  template <class Algebra>
  bool relax(const Algebra& algebra, T floor, monitor& watch) const {
    using entries = plain_entries<Algebra, tuning>;
    if constexpr (has_commutative_times<S> && sizeof(T) <= sizeof(std::int64_t)) {
      if (is_upper()) return relax_with<symmetric_panels<entries>>(algebra, floor, watch);
    }
    return relax_with<row_panels<entries>>(algebra, floor, watch);
  }
  template <class Panels, class Algebra>
  bool relax_with(const Algebra& algebra, T floor, monitor& watch) const {
    using entries = typename Panels::entries_type;
    row_parts<Panels> parts;
    on_all_processes([&] { parts.resize(shares_.size()); });
    return with_parts(
        watch,
        [&](share& mine) {
          T* const scratch = mine.panels.get();
          const row_range& held = tiles_of(mine);
          parts[mine.number] = std::make_unique<row_part<Panels>>(
              mine.space, entries(algebra, floor, scratch, nullptr),
              panel_matrix<T>{.words = mine.words.get(),
                              .pitch = division().pitch_of(held),
                              .extent = division().extent()},
              division().blocks, held, scratch + scratch_words(division()));
        },
        [&](device_progress& progress) {
          return parts_relaxation<Panels>(parts, division().parts, division().blocks, division().n,
                                          exchange_)
              .run(progress);
        });
  }

  /// Converts the rows in place, and back when all entries are final.
  bool relax_pairs(T zero, monitor& watch) const {
    const auto convert = [&](const auto& to) {
      on_all_processes([&] {
        on_each_share([&](share& mine) {
          const row_range& held = tiles_of(mine);
          const std::size_t pitch = division().pitch_of(held);
          const converted_rows rows{mine.words.get(), static_cast<std::size_t>(held.count) * tile,
                                    pitch * sizeof(T), pitch};
          convert_rows(mine.space, rows, to, mine.space.stream.get());
        });
      });
    };
    convert(entry_conversion<T, std::uint16_t>{unreachable_half, unreachable_half});
    std::optional<paired_parts> parts;
    on_all_processes([&] {
      std::vector<row_range> rows;
      for (const row_range& part : division().parts) {
        rows.push_back(row_division<S>::in_paired_tiles(part));
      }
      parts.emplace(division().n, division().paired_blocks(), rows, is_upper(), exchange_);
    });
    const bool is_done = with_parts(
        watch,
        [&](share& mine) {
          const std::size_t pitch = division().pitch_of(tiles_of(mine));
          parts->hold(mine.number, mine.space, reinterpret_cast<distance_pair*>(mine.words.get()),
                      pitch * sizeof(T) / sizeof(distance_pair),
                      reinterpret_cast<distance_pair*>(mine.panels.get()));
        },
        [&](device_progress& progress) { return parts->run(progress); });
    if (is_done) convert(entry_conversion<std::uint16_t, T>{unreachable_half, zero});
    return is_done;
  }

  const launch_target target_;
  row_exchange* exchange_;
  std::vector<row_division<S>>
      divisions_;             ///< one for any matrix, and perhaps one if it is symmetric
  std::size_t division_ = 0;  ///< that of the solve
  std::vector<std::unique_ptr<share>> shares_;
};

/// Rows that pass through one device or several.
template <class S>
class passing_rows {
  using T = typename S::value_type;
  using tuning = typename divided_rows<S>::tuning;
  using relaxation = streamed_rows<T, tuning>;

 public:
  passing_rows(const launch_target& target, std::size_t num_vertices, const pivot_blocks& blocks)
      : target_(target), parts_(target.num_devices()) {
    std::vector<std::size_t> most(parts_.size());
    on_each_device(
        target_,
        [&](const launch_target& one, std::size_t i) {
          parts_[i] = std::make_unique<part>(one);
          most[i] = most_bytes(parts_[i]->space, num_vertices);
        },
        [] {});
    const auto least = std::min_element(most.begin(), most.end());
    try {
      plan_ = relaxation::plan_for(num_vertices, blocks, *least);
    } catch (const device_error& error) {
      if (!target_.has_several_devices()) throw;
      const auto number = static_cast<std::size_t>(least - most.begin());
      throw device_error("device " + std::to_string(parts_[number]->space.device), error);
    }
    plan_.num_devices = parts_.size();
    on_each_device(
        target_,
        [&](const launch_target&, std::size_t i) {
          parts_[i]->space.require(relaxation::bytes_of(plan_, blocks));
          parts_[i]->rows.emplace(parts_[i]->space, plan_, i, blocks);
        },
        [] {});
    let_devices_copy(target_);
  }
  ~passing_rows() {
    for (auto& one : parts_) {
      if (one == nullptr) continue;
      const device_guard guard(one->space.device, std::nothrow);
      one.reset();
    }
  }
  passing_rows(const passing_rows&) = delete;
  passing_rows& operator=(const passing_rows&) = delete;

  std::size_t num_devices() const { return parts_.size(); }

  template <class Algebra>
  bool solve(const Algebra& algebra, const row_problem<T>& problem, monitor& watch) const {
    chunk_plan plan = plan_;
    matrix_checkpoint* const files = problem.files;
    if (files != nullptr) {
      const std::size_t resumed = files->first_pivot();
      if (resumed == plan.num_vertices) {
        watch.advance(resumed);
        files->finish(resumed);
        return true;
      }
      plan.first_chunk = resumed / plan.rows_per_chunk;
      if (plan.first_chunk != 0) watch.advance(plan.pivots_before(0));
    }
    shared_passes passes(plan);
    on_each_device(
        target_,
        [&](const launch_target&, std::size_t i) {
          parts_[i]->rows->solve(plan, passes, algebra, problem, watch);
        },
        [&] { passes.end(); });
    if (files != nullptr) files->finish(passes.pivots_in_host(plan));
    return !passes.is_over;
  }

 private:
  struct part {
    explicit part(const launch_target& target) : space(target, resolved_device(target)) {}

    device_workspace space;
    std::optional<relaxation> rows;
  };

  /// The memory that a part may use.
  std::size_t most_bytes(const device_workspace& space, std::size_t num_vertices) const {
    // The rest is left to other work on the device.
    constexpr double share_of_memory = 0.95;
    const std::size_t whole =
        saturated_product(saturated_product(num_vertices, num_vertices), sizeof(T));
    launch_target unlimited = target_;
    unlimited.memory_limit = 0;
    const std::size_t of_part = available_for_part(unlimited, space, whole);
    const auto free = static_cast<std::size_t>(static_cast<double>(of_part) * share_of_memory);
    return target_.memory_limit == 0 ? free : std::min(free, target_.memory_limit);
  }

  const launch_target target_;
  chunk_plan plan_{};
  std::vector<std::unique_ptr<part>> parts_;
};

template <class S>
struct row_solver<S>::state {
  state(const launch_target& target, const S& a_semiring, std::size_t num_vertices,
        matrix_place place, row_exchange* with_processes)
      : semiring(a_semiring),
        n(num_vertices),
        num_devices(target.num_devices()),
        exchange(with_processes) {
    if (n == 0) return;
    if (place == matrix_place::passing) {
      passing = std::make_unique<passing_rows<S>>(target, n, row_division<S>(n, 1).blocks);
      return;
    }
    const std::size_t num_parts =
        exchange != nullptr ? exchange->num_processes() : target.num_devices();
    divided = std::make_unique<divided_rows<S>>(target, n, num_parts, exchange,
                                                place == matrix_place::divided_upper);
  }

  template <class Algebra>
  bool solve(const Algebra& algebra, const row_problem<T>& problem, monitor& watch) {
    return divided != nullptr ? divided->solve(algebra, problem, watch)
                              : passing->solve(algebra, problem, watch);
  }

  S semiring;
  std::size_t n;
  std::size_t num_devices;
  row_exchange* exchange;
  // One of them, unless n is 0.
  std::unique_ptr<divided_rows<S>> divided;
  std::unique_ptr<passing_rows<S>> passing;
};

template <class S>
std::optional<memory_need> row_solver<S>::need_of_rows(const launch_target& target,
                                                       std::size_t num_vertices,
                                                       bool uses_symmetry) {
  if (num_vertices == 0) return memory_need{};
  if (uses_symmetry && !may_be_symmetric<S>(num_vertices)) return std::nullopt;
  return divided_rows<S>::need(target, num_vertices, uses_symmetry);
}

template <class S>
row_solver<S>::row_solver(const launch_target& target, const S& semiring, std::size_t num_vertices,
                          matrix_place place)
    : state_(std::make_unique<state>(target, semiring, num_vertices, place, nullptr)) {}

template <class S>
row_solver<S>::row_solver(const launch_target& target, const S& semiring, std::size_t num_vertices,
                          row_exchange& exchange)
    : state_(std::make_unique<state>(target, semiring, num_vertices, matrix_place::divided,
                                     &exchange)) {}

template <class S>
index_part row_solver<S>::rows_of_process(std::size_t num_vertices, std::size_t num_processes,
                                          std::size_t rank) {
  const row_division<S> division(num_vertices, num_processes);
  return division.rows_of(division.parts[rank]);
}

template <class S>
row_solver<S>::~row_solver() = default;

template <class S>
row_solver<S>::row_solver(row_solver&&) noexcept = default;

template <class S>
row_solver<S>& row_solver<S>::operator=(row_solver&&) noexcept = default;

template <class S>
bool row_solver<S>::places_arcs() const {
  return divided_rows<S>::can_place_arcs && state_->divided != nullptr;
}

template <class S>
bool row_solver<S>::may_relax_pairs() const {
  return state_->divided != nullptr && state_->divided->may_relax_pairs();
}

template <class S>
bool row_solver<S>::may_use_symmetry() const {
  return state_->divided != nullptr && state_->divided->may_use_symmetry();
}

template <class S>
bool row_solver<S>::solve(const row_problem<T>& problem, monitor& watch) {
  APSP_RANGE_OF(algorithm::floyd_warshall);
  state& s = *state_;
  const bool stops = watch.stop_requested();
  if (s.exchange != nullptr ? !s.exchange->all_go_on(stops, nullptr) : stops) return false;
  if (s.n == 0) return true;
  row_problem<T> solved = problem;
  matrix_knowledge& used = solved.known;
  used.fits_16_bits &= may_relax_pairs();
  used.symmetric &= may_use_symmetry();
  // One process may lack the memory for a proof, or have another device.
  if (s.exchange != nullptr) {
    used.fits_16_bits = s.exchange->all_go_on(!used.fits_16_bits, nullptr);
  }
  const auto solve_over = [&](const auto& algebra) { return s.solve(algebra, solved, watch); };
  if constexpr (std::is_same_v<S, min_plus<float>>) {
    if (used.nonnegative) return solve_over(nonnegative_float_algebra(s.semiring));
  }
  return solve_over(algebra<S>(s.semiring));
}

template <class S>
bool row_solver<S>::is_out_of_core() const {
  return state_->passing != nullptr;
}

template <class S>
std::size_t row_solver<S>::num_devices() const {
  return state_->passing != nullptr ? state_->passing->num_devices() : state_->num_devices;
}

}  // namespace apsp::inline v1::detail::cuda
