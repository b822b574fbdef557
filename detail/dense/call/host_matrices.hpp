// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/npy.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../call/backend.hpp"
#include "../../host/monitor.hpp"
#include "../../matrix/erased_matrix.hpp"
#include "../../matrix/part.hpp"
#include "../../matrix/results.hpp"
#include "../../matrix/rows.hpp"
#include "../checkpoints/checkpoint.hpp"
#include "../checkpoints/checkpoint_subject.hpp"
#include "../problem/problem.hpp"
#include "../solvers/solvers.hpp"
#include "closure_rows.hpp"
#include "closure_values.hpp"

namespace apsp::inline v1::detail {

/// The results of a closure in host memory, on any backend: distances of type T, and predecessors.
/// @tparam MayRecord  false if no predecessors are wanted; if true, none may be wanted either.
template <class Backend, class T, bool MayRecord>
class host_matrices {
 public:
  using value_type = T;
  static constexpr bool stores_on_device = false;
  /// The rows of a matrix may pass through a device.
  static constexpr bool can_use_less_memory = std::is_same_v<Backend, cuda_backend>;

  /// @param predecessors  a matrix or `no_predecessors`.
  template <class D, class P>
  host_matrices(const Backend& backend, D& distances, P& predecessors)
      : backend_(backend), distances_(distances), predecessors_(erase_predecessors(predecessors)) {}

  backend name() const { return backend_.name(); }
  monitor& watch() const { return backend_.watch(); }
  int host_threads() const { return backend_.host_threads(); }

  /// True if the backend has kernels over S.
  template <class S>
  static constexpr bool can_solve = has_closure<Backend, S>;
  /// True if reading a graph on the host before the solve costs no copy.
  template <class Graph>
  static constexpr bool host_reads = true;

  template <class Graph, class F>
  auto with_host_graph(const Graph& g, F f) const {
    return f(g);
  }
  /// Calls f(place, graph) with data in host memory.
  template <class Graph, class F>
  result through_host(const Graph& g, F f) const {
    return f(*this, g);
  }

  /// Solves from each source in place of a solution, whose results have been released.
  template <class Values, class Graph>
  result solve_by_rows(const Graph& g, const Values& values) const {
    const index_part all{0, values.num_vertices()};
    return solve_closure_by_rows(backend_, g, values, {all, all}, distances_, predecessors_);
  }

  /// One closure: constructed before the first entry of a result is written, so that a failed
  /// allocation leaves the results untouched.
  template <class Values>
  class solution {
    using C = typename Values::computed_type;
    using S = typename Values::semiring_type;

   public:
    solution(const host_matrices& place, closure_method method, const Values& values,
             memory_state memory)
        : place_(place),
          values_(values),
          n_(values.num_vertices()),
          is_kept_(values.checkpoints() != nullptr),
          rows_(place.distances_, {n_, n_},
                Values::can_transpose && !place.predecessors_ && !is_kept_),
          recorded_(place.predecessors_, {place.predecessors_ ? n_ : 0, n_}, false),
          problem_{values.semiring(),
                   n_,
                   values.longest_path(),
                   rows_.data(),
                   recorded_rows(),
                   values.zero(),
                   values.floor(),
                   values.may_use_symmetry() && !is_kept_,
                   values.may_have_negative_weight(),
                   is_kept_ ? &files_ : nullptr},
          solver_(place.backend_, method, problem_, memory) {}

    template <class Graph>
    void load(const Graph& g) {
      if (is_kept_) open_files(g);
      solver_.load(values_.source(g, place_.host_threads()), rows_.transposed());
    }
    bool solve() { return solver_.solve(); }
    bool used_symmetry() const { return solver_.used_symmetry(); }
    std::size_t num_devices() const { return solver_.num_devices(); }
    bool is_out_of_core() const { return solver_.is_out_of_core(); }
    bool has_negative_diagonal() { return solver_.has_negative_diagonal(); }
    /// True if rounding may have made a walk look shorter than a path.
    template <class Graph>
    bool may_round_below_zero(const Graph& g) {
      store();
      return values_.may_round_below_zero(g, host_rows_of_all());
    }
    /// To be called before another solve writes to the results.
    void release_results() {
      if (is_kept_) files_.release_rows();
    }
    /// Sets the distance of every vertex from itself to that of the empty path.
    void clear_diagonal() {
      for (std::size_t v = 0; v < n_; ++v) {
        problem_.distances[v][v] = C{};
        if (problem_.predecessors != nullptr) problem_.predecessors[v][v] = -1;
      }
    }

    /// Writes the results of a graph without negative cycles. Sets @p done to stopped if a stop was
    /// requested before the caller's matrices hold the results.
    template <class Graph>
    void finish(const Graph& g, result& done) {
      const int threads = place_.host_threads();
      store();
      if (stops(done)) return;
      const host_rows<C> rows = host_rows_of_all();
      if constexpr (MayRecord) {
        if (rows.predecessors != nullptr) {
          values_.make_trees(g, rows, values_.rows_in_doubt(solver_));
          if (stops(done)) return;
        }
      }
      values_.apply_cutoff(rows);
      done.set_saturated(
          values_.write(rows_, {n_, n_}, solver_.replaces(), place_.distances_, threads));
      if (rows.predecessors != nullptr) {
        write_rows(recorded_, {n_, n_}, place_.predecessors_, threads);
      }
    }

   private:
    /// Brings the entries to the rows.
    void store() {
      if (std::exchange(is_stored_, true)) return;
      values_.replace_unreachable(solver_);
      solver_.store();
    }
    host_rows<C> host_rows_of_all() const {
      return {rows_.data(), recorded_rows(), place_.host_threads(), {{0, n_}, {0, n_}}};
    }
    template <class Graph>
    void open_files(const Graph& g) {
      if constexpr (npy_value<T>) {
        files_.open(
            *values_.checkpoints(),
            [this, &g] { return values_.subject(g, place_.host_threads()); },
            {[this](std::size_t u, std::byte* to) {
               values_.encode(rows_.data()[u], n_, reinterpret_cast<T*>(to));
             },
             [this](std::size_t u, const std::byte* from) {
               values_.decode(reinterpret_cast<const T*>(from), n_, rows_.data()[u]);
             },
             entries_in_place()},
            checkpoint_share::whole(n_));
      } else {
        refuse_entries_of_checkpoint();
      }
    }
    /// The first entry if the rows are those of a checkpoint at all times; otherwise null.
    std::byte* entries_in_place() const {
      if (n_ == 0 || !rows_.in_place() || !values_.entries_remain_paths()) return nullptr;
      C* const first = rows_.data()[0];
      for (std::size_t u = 0; u < n_; ++u) {
        if (rows_.data()[u] != first + u * n_) return nullptr;
      }
      return reinterpret_cast<std::byte*>(first);
    }
    std::int32_t* const* recorded_rows() const {
      return place_.predecessors_ ? recorded_.data() : nullptr;
    }
    bool stops(result& done) const {
      if (!place_.watch().stop_requested()) return false;
      done.set_stopped();
      return true;
    }

    const host_matrices& place_;
    const Values& values_;
    std::size_t n_;
    bool is_kept_;  ///< There are checkpoints.
    matrix_checkpoint files_;
    matrix_rows<C> rows_;
    matrix_rows<std::int32_t> recorded_;  ///< No rows if no predecessors are wanted.
    closure_problem<S> problem_;
    closure_solver<Backend, S> solver_;
    bool is_stored_ = false;
  };

 private:
  const Backend& backend_;
  erased_matrix<T> distances_;
  erased_matrix<std::int32_t> predecessors_;
};

template <class Backend, class D, class P>
host_matrices(const Backend&, D&, P&)
    -> host_matrices<Backend, matrix_value_t<D>, !std::is_same_v<P, no_predecessors>>;

}  // namespace apsp::inline v1::detail
