// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>

#include "../../apsp/matrix.hpp"
#include "../../apsp/npy.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../call/backend.hpp"
#include "../dense/call/closure_rows.hpp"
#include "../dense/call/closure_values.hpp"
#include "../dense/checkpoints/checkpoint.hpp"
#include "../dense/checkpoints/checkpoint_subject.hpp"
#include "../dense/problem/problem.hpp"
#include "../host/monitor.hpp"
#include "../matrix/erased_matrix.hpp"
#include "../matrix/part.hpp"
#include "../matrix/rows.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "device_rows_solver.hpp"
#include "grid.hpp"
#include "grid_solver.hpp"
#include "rows_squaring_solver.hpp"

namespace apsp::inline v1::detail::mpi {

/// The results of a closure on several processes, each of which holds a part: a place of
/// `closure_call`. Whatever fails on one process is thrown on all, and a stop is one of all.
/// @tparam Backend  `host_backend`; on devices `device_backend` for Floyd–Warshall, and
///                  `cuda_backend` for repeated squaring.
template <closure_method Method, class Backend, class T>
class distributed_part {
  static constexpr bool is_on_device = std::is_base_of_v<cuda_backend, Backend>;

 public:
  using value_type = T;
  static constexpr bool stores_on_device = false;
  /// All processes would have to start again.
  static constexpr bool can_use_less_memory = false;
  template <class S>
  static constexpr bool can_solve = !is_on_device || has_cuda_kernels<S>;
  /// False: no process searches alone for a proof that a type holds all distances.
  template <class Graph>
  static constexpr bool host_reads = false;

  /// @param part  that of this process of an n x n matrix.
  distributed_part(const grid& processes, const Backend& backend, matrix_view<T>& part,
                   std::size_t n)
      : processes_(processes),
        backend_(backend),
        mine_(processes.own_part(n, n)),
        distances_(part) {}

  backend name() const { return backend_.name(); }
  int host_threads() const { return backend_.host_threads(); }
  /// Stops nothing: the solver asks all processes.
  monitor& watch() const { return nobody_; }

  template <class Graph, class F>
  auto with_host_graph(const Graph& g, F f) const {
    return together(processes_.everywhere(), [&] { return f(g); });
  }
  template <class Graph, class F>
  result through_host(const Graph& g, F f) const {
    return f(*this, g);
  }

  /// Solves from each source in place of a solution: every process its rows, and its columns of
  /// them.
  template <class Values, class Graph>
  result solve_by_rows(const Graph& g, const Values& values) const {
    return result_of_all(processes_.everywhere(), [&] {
      return solve_closure_by_rows(backend_, g, values, mine_, distances_, {});
    });
  }

  template <class Values>
  class solution {
    using C = typename Values::computed_type;
    using S = typename Values::semiring_type;
    static_assert(std::is_trivially_copyable_v<C>,
                  "apsp: values that processes exchange must be trivially copyable");

   public:
    /// A failure is reported by load().
    solution(const distributed_part& place, closure_method, const Values& values, memory_state)
        : place_(place),
          values_(values),
          failure_(failure_of([&] { memory_.emplace(place, values); })) {}

    template <class Graph>
    void load(const Graph& g) {
      if (is_kept() && loads_checkpoint(g)) return;
      together(place_.processes_.everywhere(), [&] {
        if (failure_) std::rethrow_exception(failure_);
        memory_->solver.load(values_.source(g, place_.host_threads()));
      });
    }
    bool solve() { return memory_->solver.solve(); }
    bool used_symmetry() const { return false; }
    std::size_t num_devices() const {
      return is_on_device ? static_cast<std::size_t>(place_.processes_.everywhere().size()) : 0;
    }
    bool is_out_of_core() const { return false; }
    void release_results() {
      if (is_kept()) memory_->files.release_rows();
    }
    bool has_negative_diagonal() {
      std::array<std::uint64_t, 1> is_negative{};
      const std::exception_ptr failure = failure_of([&] {
        for_each_diagonal([&](const C& entry) {
          if (entry < C{}) is_negative[0] = 1;
        });
      });
      agree_on_success(place_.processes_.everywhere(), failure, is_negative);
      return is_negative[0] != 0;
    }
    template <class Graph>
    bool may_round_below_zero(const Graph& g) {
      std::array<std::uint64_t, 1> may_round{};
      const std::exception_ptr failure = failure_of([&] {
        const host_rows<C> rows{memory_->rows.data(), nullptr, place_.host_threads(), place_.mine_};
        may_round[0] = values_.may_round_below_zero(g, rows);
      });
      agree_on_success(place_.processes_.everywhere(), failure, may_round);
      return may_round[0] != 0;
    }
    void clear_diagonal() {
      for_each_diagonal([](C& entry) { entry = C{}; });
    }

    template <class Graph>
    void finish(const Graph&, result& done) {
      std::array<std::uint64_t, 1> was_cut{};
      const std::exception_ptr failure = failure_of([&] {
        const host_rows<C> rows{memory_->rows.data(), nullptr, place_.host_threads(), place_.mine_};
        values_.apply_cutoff(rows);
        was_cut[0] = values_.write(memory_->rows, place_.shape(), false, place_.distances_,
                                   place_.host_threads());
      });
      agree_on_success(place_.processes_.everywhere(), failure, was_cut);
      done.set_saturated(was_cut[0] != 0);
    }

   private:
    static auto solver_type() {
      if constexpr (Method == closure_method::repeated_squaring) {
        return std::type_identity<rows_squaring_solver<Backend, S>>{};
      } else if constexpr (is_on_device) {
        return std::type_identity<device_rows_solver<S>>{};
      } else {
        return std::type_identity<grid_solver<S>>{};
      }
    }
    struct memory {
      memory(const distributed_part& place, const Values& values)
          : rows(place.distances_, place.shape(), false),
            solver(place.processes_, place.backend_,
                   closure_problem<S>{values.semiring(), values.num_vertices(),
                                      values.longest_path(), rows.data(), nullptr, values.zero(),
                                      values.floor(), false, values.may_have_negative_weight(),
                                      values.checkpoints() != nullptr ? &files : nullptr}) {}

      matrix_checkpoint files;
      matrix_rows<C> rows;
      typename decltype(solver_type())::type solver;
    };

    /// True on all processes if there are checkpoints.
    bool is_kept() const { return values_.checkpoints() != nullptr; }

    /// Opens the files of checkpoints.
    /// @return true on all processes if the entries are those of a checkpoint; otherwise they are
    ///         to be filled.
    template <class Graph>
    bool loads_checkpoint(const Graph& g) {
      const communicator& everywhere = place_.processes_.everywhere();
      agree_on_success(everywhere, failure_);
      if constexpr (npy_value<T>) {
        memory_->files.open(
            *values_.checkpoints(),
            [this, &g] { return values_.subject(g, place_.host_threads()); },
            {[this](std::size_t u, std::byte* to) {
               values_.encode(row(u), place_.mine_.columns.count, reinterpret_cast<T*>(to));
             },
             [this](std::size_t u, const std::byte* from) {
               values_.decode(reinterpret_cast<const T*>(from), place_.mine_.columns.count, row(u));
             },
             nullptr},
            {place_.mine_, everywhere.rank() == 0,
             [&everywhere](std::uint64_t mine, const std::exception_ptr& failure) {
               std::array<std::uint64_t, 1> largest{mine};
               agree_on_success(everywhere, failure, largest);
               return largest[0];
             }});
        return memory_->files.read_rows();
      } else {
        refuse_entries_of_checkpoint();
      }
    }
    C* row(std::size_t u) { return memory_->rows.data()[u - place_.mine_.rows.first]; }

    /// Calls f with the entries of the diagonal that are here.
    template <class F>
    void for_each_diagonal(F f) {
      const auto& [rows, columns] = place_.mine_;
      const index_part both = rows.between(columns.first, columns.last());
      for (std::size_t v = both.first; v < both.last(); ++v) {
        f(memory_->rows.data()[v - rows.first][v - columns.first]);
      }
    }

    const distributed_part& place_;
    const Values& values_;
    std::optional<memory> memory_;
    std::exception_ptr failure_;
  };

 private:
  matrix_shape shape() const { return {mine_.rows.count, mine_.columns.count}; }

  const grid& processes_;
  const Backend& backend_;
  matrix_part mine_;
  erased_matrix<T> distances_;
  mutable monitor nobody_{unobserved{}};
};

}  // namespace apsp::inline v1::detail::mpi
