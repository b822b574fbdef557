// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "../../apsp/bit_matrix.hpp"
#include "../bits/host/transitive_closure.hpp"
#include "../bits/problem.hpp"
#include "../call/backend.hpp"
#include "../host/monitor.hpp"
#include "../matrix/part.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "grid.hpp"

namespace apsp::inline v1::detail::mpi {

/// Warshall's algorithm on bits whose whole rows lie on several processes. The process that has the
/// rows of the next pivots closes and broadcasts them, and every process relaxes its own rows.
class rows_warshall_solver {
 public:
  /// Allocates all memory that solve() needs, and does not communicate.
  /// @param mine  the rows of this process.
  rows_warshall_solver(const grid& processes, const host_backend& backend, bit_matrix& mine)
      : processes_(processes),
        watch_(backend.watch()),
        bits_(view_of(mine)),
        n_(mine.cols()),
        rows_(processes.own_part(n_, n_).rows),
        received_(std::min(tile_bits, processes.rows_of(n_, 0).count), n_),
        solver_(rows_.count, n_, backend.host_threads()) {}

  /// Call once, on all processes. A failure of one is thrown on all of them.
  /// @return false on all processes if the monitor of one requested a stop.
  bool solve() {
    std::exception_ptr failure = failure_of([&] { watch_.begin(n_); });
    for (std::size_t pivot = 0; pivot < n_;) {
      if (watch_.is_observed() && !go_on(failure)) return false;
      const std::size_t owner =
          owner_of(n_, static_cast<std::size_t>(processes_.shape().rows), pivot);
      const index_part part = processes_.rows_of(n_, owner).between(pivot, pivot + tile_bits);
      const bool is_here = rows_.contains(pivot);
      bit_view pivots = view_of(received_);
      pivots.rows = part.count;
      if (is_here) {
        pivots.words = bits_.row(pivot - rows_.first);
        solver_.close_pivots(pivots, pivot);
      }
      processes_.everywhere().broadcast(pivots.words,
                                        part.count * pivots.pitch * sizeof(bit_matrix::word),
                                        static_cast<int>(owner));
      solver_.relax(bits_, rows_.first, {pivots.words, pivots.rows, pivots.columns, pivots.pitch},
                    pivot);
      if (!failure) failure = failure_of([&] { watch_.advance(part.count); });
      pivot = part.last();
    }
    return go_on(failure);
  }

 private:
  static constexpr std::size_t tile_bits = host::warshall_solver::tile_bits;

  bool go_on(const std::exception_ptr& failure) {
    std::array<std::uint64_t, 1> is_stopped{watch_.stop_requested()};
    agree_on_success(processes_.everywhere(), failure, is_stopped);
    return is_stopped[0] == 0;
  }

  const grid& processes_;  ///< in one column
  monitor& watch_;
  bit_view bits_;
  std::size_t n_;
  index_part rows_;
  bit_matrix received_;
  host::warshall_solver solver_;
};

}  // namespace apsp::inline v1::detail::mpi
