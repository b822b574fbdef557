// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "../call/backend.hpp"
#include "../dense/host/panel_relaxation.hpp"
#include "../host/monitor.hpp"
#include "../host/untouched_buffer.hpp"
#include "../matrix/row_part.hpp"
#include "../tiles/host/tile_kernel_choice.hpp"
#include "agreement.hpp"
#include "communicator.hpp"

namespace apsp::detail::mpi {

/// The pivot rows of a step. Floating-point results depend on it, so it is the same on every machine and
/// for any number of processes.
inline constexpr std::size_t pivots_of_step = 128;

/// Floyd–Warshall on a matrix whose rows lie on several processes.
///
/// A step takes some pivot rows: one process closes them and broadcasts them, and every process relaxes
/// its own rows through them by one product. The pivot columns of these rows need not have been relaxed
/// before: the closed pivot rows hold every path among the pivots. The rows of the next step are relaxed
/// and closed first, and their broadcast runs while the other rows are relaxed. If the rows of a step lie
/// on several processes, the first of them receives them.
///
/// Sources: Jenq and Sahni 1987; Kumar and Singh 1991; Sao et al. 2021 for the overlap.
template <class S>
class rows_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs, and does not communicate.
  /// @param rows  those of @p mine, with consecutive entries from row to row.
  rows_solver(const communicator& everywhere, const host_backend& backend, const S& semiring,
              std::size_t n, const row_part& mine, T* const* rows, const T& zero, const T& floor,
              bool /*has_negative_weight*/)
      : everywhere_(everywhere),
        watch_(backend.watch()),
        semiring_(semiring),
        kernels_(host::choose_tile_kernels<S>()),
        n_(n),
        depth_(std::min(n, pivots_of_step)),
        mine_(mine),
        rows_(rows),
        zero_(zero),
        floor_(floor),
        pitch_((depth_ + kernels_.strip_width - 1) / kernels_.strip_width * kernels_.strip_width),
        tile_(depth_ * pitch_),
        closing_(semiring_, depth_, n, zero, floor, backend.host_threads()),
        relaxation_(semiring_, depth_, n, zero, floor, backend.host_threads()) {
    for (panel& p : panels_) {
      p.entries = host::untouched_buffer<T>(depth_ * n);
      for (std::size_t k = 0; k < depth_; ++k) p.rows.push_back(p.entries.data() + k * n);
    }
    requests_.reserve(communicator::num_pieces(depth_ * n * sizeof(T)));
  }

  template <class Source>
  void load(const Source& source) {
    source.fill_part(rows_, mine_);
  }

  /// Call once, on all processes. A failure of one is thrown on all of them.
  /// @return false on all processes if the monitor of one requested a stop; the entries are then
  /// unspecified.
  bool solve() {
    guard([&] { watch_.begin(n_); });
    if (stops()) return false;
    if (n_ != 0) publish(0);
    for (std::size_t pivot = 0; pivot < n_; pivot += depth_) {
      everywhere_.wait(requests_);
      if (stops()) return false;
      const panel& now = panel_of(pivot);
      const std::size_t next = pivot + size_of(pivot);
      const std::size_t after_next = next + size_of(next);
      guard([&] { relaxation_.set_panel(now.rows.data(), size_of(pivot)); });
      relax(next, after_next, pivot);
      if (next < n_) publish(next);
      if (const row_part part = mine_.between(pivot, next); part.count != 0) {
        std::copy_n(now.rows[part.first - pivot], part.count * n_, row(part.first));
      }
      relax(0, pivot, pivot);
      relax(after_next, n_, pivot);
      guard([&] { watch_.advance(size_of(pivot)); });
    }
    agree_on_success(everywhere_, failure_);
    return true;
  }

 private:
  struct panel {
    host::untouched_buffer<T> entries;
    std::vector<T*> rows;
  };

  panel& panel_of(std::size_t pivot) { return panels_[pivot / depth_ % panels_.size()]; }
  std::size_t size_of(std::size_t pivot) const { return std::min(depth_, n_ - pivot); }
  T* row(std::size_t u) const { return rows_[u - mine_.first]; }
  row_part rows_of(int rank) const {
    return part_of(n_, static_cast<std::size_t>(everywhere_.size()),
                   static_cast<std::size_t>(rank));
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
    agree_on_success(everywhere_, failure_, is_stopped);
    return is_stopped[0] != 0;
  }

  /// Relaxes those of the rows from @p from to @p to that are here.
  void relax(std::size_t from, std::size_t to, std::size_t pivot) {
    const row_part part = mine_.between(from, to);
    if (part.count == 0) return;
    guard([&] {
      relaxation_.relax(rows_ + (part.first - mine_.first), part.count, pivot,
                        [&] { everywhere_.test(requests_); });
    });
  }

  /// Closes the pivot rows from @p pivot on and starts their broadcast.
  void publish(std::size_t pivot) {
    const std::size_t size = size_of(pivot);
    panel& made = panel_of(pivot);
    const auto num_processes = static_cast<std::size_t>(everywhere_.size());
    const auto closer = static_cast<int>(owner_of(n_, num_processes, pivot));
    const row_part part = mine_.between(pivot, pivot + size);
    if (everywhere_.rank() == closer) {
      std::copy_n(row(part.first), part.count * n_, made.rows[0]);
      std::size_t next = part.last();
      for (int from = closer + 1; next < pivot + size; ++from) {
        const row_part theirs = rows_of(from).between(pivot, pivot + size);
        everywhere_.receive(made.rows[next - pivot], theirs.count * n_ * sizeof(T), from);
        next = theirs.last();
      }
      guard([&] { close(made, pivot); });
    } else if (part.count != 0) {
      everywhere_.send(row(part.first), part.count * n_ * sizeof(T), closer);
    }
    everywhere_.start_broadcast(made.entries.data(), size * n_ * sizeof(T), closer, requests_);
  }

  void close(panel& p, std::size_t pivot) {
    const std::size_t size = size_of(pivot);
    T* const tile = tile_.data();
    for (std::size_t k = 0; k < size; ++k) {
      kernels_.pack_rows(1, size, p.rows.data() + k, pivot, floor_, tile + k * pitch_);
      std::fill(tile + k * pitch_ + size, tile + (k + 1) * pitch_, zero_);
    }
    kernels_.close(semiring_, size, pitch_, tile, floor_, nullptr);
    for (std::size_t k = 0; k < size; ++k) {
      std::copy_n(tile + k * pitch_, size, p.rows[k] + pivot);
    }
    // The closed tile holds every path among the pivots, so one product is final.
    closing_.set_panel(p.rows.data(), size);
    closing_.relax(p.rows.data(), size, pivot, [] {});
  }

  const communicator& everywhere_;
  monitor& watch_;
  S semiring_;
  const host::tile_kernels<S>& kernels_;
  std::size_t n_;
  std::size_t depth_;
  row_part mine_;
  T* const* rows_;
  T zero_;
  T floor_;
  std::size_t pitch_;  ///< Entries from row to row of the tile that is closed.
  host::untouched_buffer<T> tile_;
  host::panel_relaxation<S> closing_;     ///< of the pivot rows of the next step
  host::panel_relaxation<S> relaxation_;  ///< of the other rows
  std::array<panel, 2> panels_;           ///< The pivot rows of this step and of the next.
  std::vector<MPI_Request> requests_;
  std::exception_ptr failure_;
};

}  // namespace apsp::detail::mpi
