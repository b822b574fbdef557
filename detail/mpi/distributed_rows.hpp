// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>

#include "../../apsp/matrix.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../call/backend.hpp"
#include "../dense/closure_values.hpp"
#include "../dense/problem.hpp"
#include "../host/monitor.hpp"
#include "../matrix/erased_matrix.hpp"
#include "../matrix/row_part.hpp"
#include "../matrix/rows.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "device_rows_solver.hpp"
#include "rows_solver.hpp"

namespace apsp::detail::mpi {

/// The results of a closure on several processes, each of which holds some rows: a place of
/// `closure_call`. Whatever fails on one process is thrown on all, and a stop is one of all.
/// @tparam Backend  `host_backend` or `device_backend`.
template <class Backend, class T>
class distributed_rows {
  static constexpr bool is_on_device = std::is_same_v<Backend, device_backend>;

 public:
  using value_type = T;
  static constexpr bool stores_on_device = false;
  template <class S>
  static constexpr bool can_solve = !is_on_device || has_cuda_kernels<S>;
  /// False: no process searches alone for a proof that a type holds all distances.
  template <class Graph>
  static constexpr bool host_reads = false;

  /// @param part  the rows of @p mine; n columns.
  distributed_rows(const communicator& everywhere, const Backend& backend, matrix_view<T>& part,
                   const row_part& mine)
      : everywhere_(everywhere), backend_(backend), mine_(mine), distances_(part) {}

  backend name() const { return backend_.name(); }
  int host_threads() const { return backend_.host_threads(); }
  /// Stops nothing: the solver asks all processes.
  monitor& watch() const { return nobody_; }

  template <class Graph, class F>
  auto with_host_graph(const Graph& g, F f) const {
    return together(everywhere_, [&] { return f(g); });
  }
  template <class Graph, class F>
  result through_host(const Graph& g, F f) const {
    return f(*this, g);
  }

  template <class Values>
  class solution {
    using C = typename Values::computed_type;
    using S = typename Values::semiring_type;
    static_assert(std::is_trivially_copyable_v<C>,
                  "apsp: values that processes exchange must be trivially copyable");

   public:
    /// A failure is reported by load().
    solution(const distributed_rows& place, closure_method, const Values& values)
        : place_(place),
          values_(values),
          failure_(failure_of([&] { memory_.emplace(place, values); })) {}

    template <class Graph>
    void load(const Graph& g) {
      together(place_.everywhere_, [&] {
        if (failure_) std::rethrow_exception(failure_);
        memory_->solver.load(values_.source(g, place_.host_threads()));
      });
    }
    bool solve() { return memory_->solver.solve(); }
    bool used_symmetry() const { return false; }
    std::size_t num_devices() const {
      return is_on_device ? static_cast<std::size_t>(place_.everywhere_.size()) : 0;
    }
    bool is_out_of_core() const { return false; }
    bool has_negative_diagonal() {
      std::array<std::uint64_t, 1> is_negative{};
      const std::exception_ptr failure = failure_of([&] {
        for (std::size_t i = 0; i < place_.mine_.count; ++i) {
          if (memory_->rows.data()[i][place_.mine_.first + i] < C{}) is_negative[0] = 1;
        }
      });
      agree_on_success(place_.everywhere_, failure, is_negative);
      return is_negative[0] != 0;
    }
    void clear_diagonal() {
      for (std::size_t i = 0; i < place_.mine_.count; ++i) {
        memory_->rows.data()[i][place_.mine_.first + i] = C{};
      }
    }

    template <class Graph>
    void finish(const Graph&, result& done) {
      std::array<std::uint64_t, 1> was_cut{};
      const std::exception_ptr failure = failure_of([&] {
        const host_rows<C> rows{memory_->rows.data(), nullptr, place_.host_threads(), place_.mine_};
        values_.take_back_potentials(rows, false);
        values_.apply_cutoff(rows);
        was_cut[0] = values_.write(memory_->rows, place_.mine_.count, false, place_.distances_,
                                   place_.host_threads());
      });
      agree_on_success(place_.everywhere_, failure, was_cut);
      done.set_saturated(was_cut[0] != 0);
    }

   private:
    struct memory {
      memory(const distributed_rows& place, const Values& values)
          : rows(place.distances_, {place.mine_.count, values.num_vertices()}, false),
            solver(place.everywhere_, place.backend_, values.semiring(), values.num_vertices(),
                   place.mine_, rows.data(), values.zero(), values.floor(),
                   values.has_negative_weight()) {}

      matrix_rows<C> rows;
      std::conditional_t<is_on_device, device_rows_solver<S>, rows_solver<S>> solver;
    };

    const distributed_rows& place_;
    const Values& values_;
    std::optional<memory> memory_;
    std::exception_ptr failure_;
  };

 private:
  const communicator& everywhere_;
  const Backend& backend_;
  row_part mine_;
  erased_matrix<T> distances_;
  mutable monitor nobody_{unobserved{}};
};

}  // namespace apsp::detail::mpi
