// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <vector>

#include "../../apsp/policy.hpp"
#include "../call/backend.hpp"
#include "../dense/products/host/product.hpp"
#include "../dense/solvers/solvers.hpp"
#include "../host/monitor.hpp"
#include "../host/untouched_buffer.hpp"
#include "../matrix/part.hpp"
#include "../matrix/product_shape.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "grid.hpp"

namespace apsp::inline v1::detail::mpi {

/// C = plus(C, A times B) over S, for matrices whose whole rows lie on several processes.
///
/// The rows of B are broadcast in panels by the processes that hold them. Every process relaxes its
/// rows of C by the product of its columns of A and a panel, as one process does, while the next
/// panel is on its way. Every entry is relaxed over the same k in the same order for any number of
/// processes.
template <class Backend, class S>
class panel_product {
  using T = typename S::value_type;
  static_assert(std::is_trivially_copyable_v<T>,
                "apsp: values that processes exchange must be trivially copyable");

 public:
  /// The most rows of a panel. On a device every panel takes a transfer of C.
  static constexpr std::size_t most_rows = std::is_same_v<Backend, cuda_backend> ? 4096 : 512;

  /// Allocates all memory for panels, and does not communicate.
  /// @param shape  of the whole product.
  /// @param zero   the value that stands for "no path".
  panel_product(const grid& processes, const Backend& backend, const S& semiring,
                const product_shape_of_call& shape, const T& zero)
      : processes_(processes),
        watch_(backend.watch()),
        backend_(backend.watched_by(nobody_)),
        semiring_(semiring),
        shape_(shape),
        zero_(zero),
        mine_(processes.own_part(shape.rows, shape.columns).rows),
        mine_of_b_(processes.own_part(shape.depth, shape.columns).rows),
        left_(mine_.count) {
    const std::size_t height = std::min(most_rows, processes.rows_of(shape.depth, 0).count);
    const bool receives = processes.everywhere().size() > 1;
    for (panel& p : panels_) {
      if (receives) p.received = host::untouched_buffer<T>(height * shape.columns);
      p.rows.reserve(height);
    }
    requests_.reserve(communicator::num_pieces(height * shape.columns * sizeof(T)));
  }
  panel_product(const panel_product&) = delete;
  panel_product& operator=(const panel_product&) = delete;

  /// Call first, on all processes, with the number of k of all products.
  /// @return false on all processes if the monitor of one requested a stop.
  bool begin(std::size_t num_steps) {
    guard([&] { watch_.begin(num_steps); });
    return !stops();
  }

  /// Call on all processes. A failure of one is thrown on all of them.
  /// @param a, c    the rows of this process.
  /// @param b       the rows of this process, with consecutive entries from row to row.
  /// @param finish  finish(solver) is called before the sums of a panel are stored: a device cuts
  ///                only what it adds to the rows of C.
  /// @return false on all processes if the monitor of one requested a stop.
  template <class Finish>
  bool relax(const T* const* a, const T* const* b, T* const* c, bool nonnegative, Finish finish) {
    std::size_t next = start(0, b);
    for (std::size_t k = 0; k < shape_.depth;) {
      processes_.everywhere().wait(requests_);
      if (stops()) return false;
      const std::size_t last = next;
      if (last < shape_.depth) next = start(last, b);
      guard([&] {
        multiply(k, a, c, nonnegative, finish);
        watch_.advance(last - k);
      });
      turn_ = 1 - turn_;
      k = last;
    }
    return goes_on();
  }

  /// Counts steps that are not needed.
  bool skip(std::size_t num_steps) {
    guard([&] { watch_.advance(num_steps); });
    return goes_on();
  }

 private:
  struct panel {
    host::untouched_buffer<T> received;
    std::vector<const T*> rows;
  };

  /// Goes on without computing if a process has failed, so that no other waits for it.
  template <class F>
  void guard(F f) {
    if (!failure_) failure_ = failure_of(f);
  }
  bool goes_on() {
    std::array<std::uint64_t, 1> is_stopped{watch_.stop_requested()};
    agree_on_success(processes_.everywhere(), failure_, is_stopped);
    return is_stopped[0] == 0;
  }
  /// Only observed calls ask the other processes for each panel.
  bool stops() { return watch_.is_observed() && !goes_on(); }

  /// Starts the broadcast of the panel that begins at row @p first of B; returns its end.
  std::size_t start(std::size_t first, const T* const* b) {
    const std::size_t owner =
        owner_of(shape_.depth, static_cast<std::size_t>(processes_.shape().rows), first);
    const index_part part =
        processes_.rows_of(shape_.depth, owner).between(first, first + most_rows);
    // The panel of this turn may still be in use, unless it is the first.
    panel& made = panels_[first == 0 ? turn_ : 1 - turn_];
    const int root = static_cast<int>(owner);
    T* const entries = root == processes_.everywhere().rank()
                           ? const_cast<T*>(b[first - mine_of_b_.first])
                           : made.received.data();
    made.rows.resize(part.count);
    for (std::size_t k = 0; k < part.count; ++k) made.rows[k] = entries + k * shape_.columns;
    processes_.everywhere().start_broadcast(entries, part.count * shape_.columns * sizeof(T), root,
                                            requests_);
    return part.last();
  }

  template <class Finish>
  void multiply(std::size_t first, const T* const* a, T* const* c, bool nonnegative,
                Finish finish) {
    if (mine_.count == 0) return;
    const panel& factor = panels_[turn_];
    for (std::size_t i = 0; i < mine_.count; ++i) left_[i] = a[i] + first;
    const host::product_problem<S> problem{
        semiring_,          mine_.count, factor.rows.size(), shape_.columns, left_.data(),
        factor.rows.data(), c,           nonnegative};
    product_solver<Backend, S> solver(backend_, problem, zero_);
    solver.solve();
    finish(solver);
    solver.store();
  }

  const grid& processes_;  ///< in one column
  monitor& watch_;
  monitor nobody_{unobserved{}};  ///< Stops nothing: a stop is agreed upon.
  Backend backend_;
  S semiring_;
  product_shape_of_call shape_;
  T zero_;
  index_part mine_;
  index_part mine_of_b_;
  std::vector<const T*> left_;
  std::array<panel, 2> panels_;
  std::size_t turn_ = 0;  ///< The panel that is multiplied.
  std::vector<MPI_Request> requests_;
  std::exception_ptr failure_;
};

}  // namespace apsp::inline v1::detail::mpi
