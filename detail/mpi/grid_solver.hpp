// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "../call/backend.hpp"
#include "../dense/checkpoints/checkpoint.hpp"
#include "../dense/closures/host/panel_relaxation.hpp"
#include "../dense/problem/problem.hpp"
#include "../host/monitor.hpp"
#include "../host/untouched_buffer.hpp"
#include "../matrix/part.hpp"
#include "../tiles/host/tile_kernel_choice.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "grid.hpp"

namespace apsp::inline v1::detail::mpi {

/// The pivot rows of a step. Floating-point results depend on it, so it is the same on every
/// machine and for any number of processes.
inline constexpr std::size_t pivots_of_step = 128;

/// Floyd–Warshall on a matrix whose parts lie on the processes of a grid.
///
/// A step takes some pivots. In each process column one process has their rows: it closes them and
/// broadcasts them in the process column. The pivot columns are broadcast in the process rows.
/// Every process then relaxes its own part by one product. The pivot columns need not have been
/// relaxed before: the closed pivot rows hold every path among the pivots. So with one process
/// column nothing but the pivot rows is exchanged.
///
/// The rows and columns of the next step are relaxed first, and their broadcasts run while the
/// other entries are relaxed. If the pivot rows lie on several processes of a process column, the
/// first of them receives them.
///
/// Every entry is relaxed over the same sums in the same order in every grid, so its bits do not
/// depend on the grid.
///
/// Sources: Jenq and Sahni 1987; Kumar and Singh 1991; Sao et al. 2021 for the overlap.
template <class S>
class grid_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs, and does not communicate.
  /// @param problem  its rows are those of the part of this process, with consecutive entries from
  ///                 row to row.
  grid_solver(const grid& processes, const host_backend& backend, const closure_problem<S>& problem)
      : processes_(processes),
        watch_(backend.watch()),
        semiring_(problem.semiring),
        kernels_(host::choose_tile_kernels<S>()),
        n_(problem.num_vertices),
        depth_(std::min(n_, pivots_of_step)),
        mine_(processes.own_part(n_, n_)),
        rows_(problem.distances),
        files_(problem.files),
        zero_(problem.zero),
        floor_(problem.floor),
        pitch_((depth_ + kernels_.strip_width - 1) / kernels_.strip_width * kernels_.strip_width),
        tile_(depth_, pitch_),
        closing_(semiring_, depth_, mine_.columns.count, zero_, floor_, backend.host_threads()),
        relaxation_(semiring_, depth_, mine_.columns.count, zero_, floor_, backend.host_threads()),
        pivot_rows_{panel(depth_, mine_.columns.count), panel(depth_, mine_.columns.count)} {
    const std::size_t num_rows = has_all_columns() ? 0 : mine_.rows.count;
    pivot_columns_ = panel(num_rows, depth_);
    sent_columns_ = host::untouched_buffer<T>(std::max(num_rows, depth_) * depth_);
    requests_.reserve(communicator::num_pieces(depth_ * mine_.columns.count * sizeof(T)) +
                      communicator::num_pieces(std::max(num_rows, depth_) * depth_ * sizeof(T)) +
                      depth_);
  }

  template <class Source>
  void load(const Source& source) {
    source.fill_part(rows_, mine_);
  }

  /// Call once, on all processes. A failure of one is thrown on all of them.
  /// @return false on all processes if the monitor of one requested a stop; the entries are then
  /// unspecified.
  bool solve() {
    const std::size_t first_pivot = files_ == nullptr ? 0 : files_->first_pivot();
    guard([&] {
      watch_.begin(n_);
      if (first_pivot != 0) watch_.advance(first_pivot);
    });
    if (stops_at(first_pivot)) return false;
    if (first_pivot < n_) publish(first_pivot);
    for (std::size_t pivot = first_pivot; pivot < n_; pivot += depth_) {
      receive(pivot);
      // Here all rows are relaxed over the pivots before this one, and nothing is on its way.
      if (pivot != first_pivot) {
        if (stops_at(pivot)) return false;
        if (files_ != nullptr) files_->copy_rows(pivot);
      }
      const std::size_t next = pivot + size_of(pivot);
      const std::size_t after_next = next + size_of(next);
      const panel& now = pivot_rows_of(pivot);
      guard([&] { relaxation_.set_panel(now.rows.data(), size_of(pivot)); });
      const index_part all = relaxation_.all_tiles();
      const index_part first = tiles_of(next, after_next);
      relax(next, after_next, pivot, all);
      if (const index_part part = mine_.rows.between(pivot, next); part.count != 0) {
        std::copy_n(now.rows[part.first - pivot], part.count * mine_.columns.count,
                    row(part.first));
      }
      const auto relax_others = [&](const index_part& tiles) {
        relax(0, pivot, pivot, tiles);
        relax(after_next, n_, pivot, tiles);
      };
      relax_others(first);
      if (next < n_) publish(next);
      relax_others(all.between(0, first.first));
      relax_others(all.between(first.last(), all.last()));
      guard([&] { watch_.advance(size_of(pivot)); });
    }
    agree_on_success(processes_.everywhere(), failure_);
    if (files_ != nullptr) files_->finish(n_);
    return true;
  }

 private:
  struct panel {
    panel() = default;
    panel(std::size_t num_rows, std::size_t num_columns) : entries(num_rows * num_columns) {
      for (std::size_t i = 0; i < num_rows; ++i) {
        rows.push_back(entries.data() + i * num_columns);
      }
    }
    host::untouched_buffer<T> entries;
    std::vector<T*> rows;
  };

  /// The pivot columns lie on this process, and are not exchanged.
  bool has_all_columns() const { return processes_.shape().columns == 1; }
  panel& pivot_rows_of(std::size_t pivot) {
    return pivot_rows_[pivot / depth_ % pivot_rows_.size()];
  }
  std::size_t size_of(std::size_t pivot) const { return std::min(depth_, n_ - pivot); }
  T* row(std::size_t u) const { return rows_[u - mine_.rows.first]; }
  /// The tiles with those of the columns from @p from to @p to that are sent early.
  index_part tiles_of(std::size_t from, std::size_t to) const {
    if (has_all_columns()) return {0, 0};
    const index_part part = mine_.columns.between(from, to);
    const std::size_t first = part.first - mine_.columns.first;
    return relaxation_.tiles_with(first, first + part.count);
  }

  /// Goes on without computing if a process has failed, so that no other waits for it.
  template <class F>
  void guard(F f) {
    if (failure_) return;
    try {
      f();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Only observed calls ask the other processes at each step.
  bool stops() {
    if (!watch_.is_observed()) return false;
    std::array<std::uint64_t, 1> is_stopped{watch_.stop_requested()};
    agree_on_success(processes_.everywhere(), failure_, is_stopped);
    return is_stopped[0] != 0;
  }
  /// The same when all rows are relaxed over the pivots before this one. Makes a checkpoint of a
  /// stopped call.
  bool stops_at(std::size_t pivot) {
    if (!stops()) return false;
    if (files_ != nullptr) files_->finish(pivot);
    return true;
  }

  /// Relaxes those of the rows from @p from to @p to that are here, in some tiles of columns.
  void relax(std::size_t from, std::size_t to, std::size_t pivot, const index_part& tiles) {
    const index_part part = mine_.rows.between(from, to);
    if (part.count == 0) return;
    const std::size_t first = part.first - mine_.rows.first;
    const T* const* const factors = has_all_columns() ? rows_ : pivot_columns_.rows.data();
    guard([&] {
      relaxation_.relax(rows_ + first, part.count, factors + first, has_all_columns() ? pivot : 0,
                        tiles, [&] { processes_.everywhere().test(requests_); });
    });
  }

  /// Closes the pivot rows from @p pivot on, and starts the broadcasts of the pivot rows and
  /// columns.
  void publish(std::size_t pivot) {
    const std::size_t size = size_of(pivot);
    panel& made = pivot_rows_of(pivot);
    const communicator& column = processes_.column();
    const auto closer =
        static_cast<int>(owner_of(n_, static_cast<std::size_t>(processes_.shape().rows), pivot));
    const index_part part = mine_.rows.between(pivot, pivot + size);
    const std::size_t width = mine_.columns.count;
    if (column.rank() == closer) {
      std::copy_n(row(part.first), part.count * width, made.rows[0]);
      std::size_t next = part.last();
      for (int from = closer + 1; next < pivot + size; ++from) {
        const index_part theirs =
            processes_.rows_of(n_, static_cast<std::size_t>(from)).between(pivot, pivot + size);
        column.receive(made.rows[next - pivot], theirs.count * width * sizeof(T), from);
        next = theirs.last();
      }
      // The whole pivot tile.
      send_columns(made.rows.data(), size, pivot);
      processes_.row().wait(requests_);
      guard([&] {
        join_columns(size, pivot, tile_.rows.data());
        close(made, pivot);
      });
    } else if (part.count != 0) {
      column.send(row(part.first), part.count * width * sizeof(T), closer);
    }
    column.start_broadcast(made.entries.data(), size * width * sizeof(T), closer, requests_);
    if (!has_all_columns()) send_columns(rows_, mine_.rows.count, pivot);
  }

  /// Waits for the pivot rows and columns from @p pivot on.
  void receive(std::size_t pivot) {
    processes_.everywhere().wait(requests_);
    if (has_all_columns()) return;
    guard([&] { join_columns(mine_.rows.count, pivot, pivot_columns_.rows.data()); });
  }

  /// Calls f(process column, columns) for the process columns that have pivot columns.
  template <class F>
  void for_each_owner(std::size_t pivot, F f) const {
    const std::size_t last = pivot + size_of(pivot);
    for (std::size_t next = pivot; next < last;) {
      const std::size_t owner =
          owner_of(n_, static_cast<std::size_t>(processes_.shape().columns), next);
      const index_part columns = processes_.columns_of(n_, owner).between(pivot, last);
      f(static_cast<int>(owner), columns);
      next = columns.last();
    }
  }

  /// Starts the broadcasts of the pivot columns of @p count rows in the process row. Those of each
  /// process follow one another in the message.
  void send_columns(const T* const* rows, std::size_t count, std::size_t pivot) {
    for_each_owner(pivot, [&](int owner, const index_part& columns) {
      T* const message = sent_columns_.data() + count * (columns.first - pivot);
      if (processes_.row().rank() == owner) {
        for (std::size_t i = 0; i < count; ++i) {
          std::copy_n(rows[i] + (columns.first - mine_.columns.first), columns.count,
                      message + i * columns.count);
        }
      }
      processes_.row().start_broadcast(message, count * columns.count * sizeof(T), owner,
                                       requests_);
    });
  }
  /// Writes the columns that send_columns has sent to rows of the pivot columns.
  void join_columns(std::size_t count, std::size_t pivot, T* const* to) {
    for_each_owner(pivot, [&](int, const index_part& columns) {
      const T* from = sent_columns_.data() + count * (columns.first - pivot);
      for (std::size_t i = 0; i < count; ++i, from += columns.count) {
        std::copy_n(from, columns.count, to[i] + (columns.first - pivot));
      }
    });
  }

  /// Closes the pivot rows of this process column; `tile_` is the pivot tile.
  void close(panel& made, std::size_t pivot) {
    const std::size_t size = size_of(pivot);
    const index_part columns = mine_.columns.between(pivot, pivot + size);
    T* const* const tile = tile_.rows.data();
    for (std::size_t k = 0; k < size; ++k) {
      kernels_.pack_rows({1, size, tile + k, 0}, floor_, tile[k]);
      std::fill(tile[k] + size, tile[k] + pitch_, zero_);
    }
    kernels_.close(semiring_, size, pitch_, tile[0], floor_, nullptr);
    for (std::size_t k = 0; k < size && columns.count != 0; ++k) {
      std::copy_n(tile[k] + (columns.first - pivot), columns.count,
                  made.rows[k] + (columns.first - mine_.columns.first));
    }
    // The closed tile holds every path among the pivots, so one product is final.
    closing_.set_panel(made.rows.data(), size);
    closing_.relax(made.rows.data(), size, tile, 0, closing_.all_tiles(), [] {});
  }

  const grid& processes_;
  monitor& watch_;
  S semiring_;
  const host::tile_kernels<S>& kernels_;
  std::size_t n_;
  std::size_t depth_;
  matrix_part mine_;
  T* const* rows_;
  matrix_checkpoint* files_;  ///< Null if there are no checkpoints.
  T zero_;
  T floor_;
  std::size_t pitch_;  ///< Entries from row to row of the tile that is closed.
  panel tile_;
  host::panel_relaxation<S> closing_;     ///< of the pivot rows of the next step
  host::panel_relaxation<S> relaxation_;  ///< of the other rows
  std::array<panel, 2> pivot_rows_;       ///< of this step and of the next
  panel pivot_columns_;                   ///< of this step, of all rows that are here
  host::untouched_buffer<T> sent_columns_;
  std::vector<MPI_Request> requests_;
  std::exception_ptr failure_;
};

}  // namespace apsp::inline v1::detail::mpi
