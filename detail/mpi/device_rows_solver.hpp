// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../call/backend.hpp"
#include "../dense/divided/cuda/row_solver.hpp"
#include "../dense/problem/problem.hpp"
#include "../dense/proofs/arc_proofs.hpp"
#include "../dense/solvers/solvers.hpp"
#include "../host/untouched_buffer.hpp"
#include "../matrix/part.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "device_link.hpp"
#include "grid.hpp"

namespace apsp::inline v1::detail::mpi {

/// The device of this process, linked to those of the others.
class device_backend : public cuda_backend {
 public:
  device_backend(const cuda_backend& backend, device_exchange& exchange)
      : cuda_backend(backend), exchange_(&exchange) {}

  device_exchange& exchange() const { return *exchange_; }

 private:
  device_exchange* exchange_;
};

/// Floyd–Warshall on a matrix whose rows lie on several processes, on the device of each. Devices
/// hold whole blocks of pivots, so some rows of a process may lie on the device of another one.
template <class S>
class device_rows_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all memory that solve() needs, and does not communicate.
  /// @param problem  its rows are those of this process, whole.
  device_rows_solver(const grid& processes, const device_backend& backend,
                     const closure_problem<S>& problem)
      : processes_(processes),
        exchange_(backend.exchange()),
        watch_(backend.watch()),
        n_(problem.num_vertices),
        mine_(processes.own_part(n_, n_).rows),
        held_(held_by(processes.everywhere().rank())),
        rows_(problem.distances),
        all_rows_(n_, nullptr),
        zero_(problem.zero),
        floor_(problem.floor),
        is_nonnegative_(!problem.has_negative_weight),
        solver_(backend.target(), problem.semiring, n_, backend.exchange()) {
    const index_part common = held_.between(mine_.first, mine_.last());
    guests_ = host::untouched_buffer<T>((held_.count - common.count) * n_);
    T* guest = guests_.data();
    for (std::size_t u = held_.first; u < held_.last(); ++u) {
      if (mine_.contains(u)) {
        all_rows_[u] = rows_[u - mine_.first];
      } else {
        all_rows_[u] = guest;
        guest += n_;
      }
    }
  }

  template <class Source>
  void load(const Source& source) {
    if constexpr (is_min_plus<S>) {
      if (solver_.places_arcs() && source.is_sparse()) {
        constexpr bool transposed = false;
        arcs_.emplace(source, n_, transposed);
        return;
      }
    }
    source.fill_part(all_rows_.data() + held_.first, {held_, {0, n_}});
  }

  /// Call once, on all processes. A failure of one is thrown on all of them.
  /// @return false on all processes if the monitor of one requested a stop.
  bool solve() {
    if (!exchange_.all_go_on(false, failure_of([&] { watch_.begin(n_); }))) return false;
    cuda::row_problem<T> rows{.rows = all_rows_.data(), .zero = zero_, .floor = floor_};
    rows.known.nonnegative = is_nonnegative_;
    if constexpr (is_min_plus<S>) {
      if (arcs_) {
        rows.arcs = arcs_->view();
        rows.known.fits_16_bits = is_nonnegative_ && solver_.may_relax_pairs() &&
                                  prove_short_distances(*rows.arcs, n_, watch_);
      }
    }
    if (!solver_.solve(rows, watch_)) return false;
    bring_rows_home();
    return true;
  }

 private:
  index_part held_by(int rank) const {
    return cuda::row_solver<S>::rows_of_process(n_, exchange_.num_processes(),
                                                static_cast<std::size_t>(rank));
  }

  /// Sends the rows of other processes to them. Each process sends when all before it have sent.
  void bring_rows_home() {
    const communicator& everywhere = processes_.everywhere();
    for (int from = 0; from < everywhere.size(); ++from) {
      const index_part held = held_by(from);
      for (int to = 0; to < everywhere.size(); ++to) {
        if (to == from) continue;
        const index_part home = processes_.rows_of(n_, static_cast<std::size_t>(to));
        const index_part moved = held.between(home.first, home.last());
        for (std::size_t u = moved.first; u < moved.last(); ++u) {
          if (everywhere.rank() == from) everywhere.send(all_rows_[u], n_ * sizeof(T), to);
          if (everywhere.rank() == to) {
            everywhere.receive(rows_[u - mine_.first], n_ * sizeof(T), from);
          }
        }
      }
    }
  }

  const grid& processes_;  ///< in one column
  device_exchange& exchange_;
  monitor& watch_;
  std::size_t n_;
  index_part mine_;
  index_part held_;  ///< on the device
  T* const* rows_;
  std::vector<T*> all_rows_;  ///< Null for rows that are not on the device.
  host::untouched_buffer<T> guests_;
  T zero_;
  T floor_;
  bool is_nonnegative_;
  std::optional<arc_list<T>> arcs_;
  cuda::row_solver<S> solver_;
};

}  // namespace apsp::inline v1::detail::mpi
