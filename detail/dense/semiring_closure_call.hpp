// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/request.hpp"
#include "../graph/semiring_edges.hpp"
#include "../graph/semiring_trees.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/kernel_semirings.hpp"
#include "closure_call.hpp"
#include "problem.hpp"
#include "solvers.hpp"

namespace apsp::detail {

/// The edges of a graph, written into rows for a closure over S.
template <class S, class Graph>
class semiring_source {
  using T = typename S::value_type;

 public:
  semiring_source(const S& semiring, const Graph& g, std::size_t n, int threads)
      : semiring_(semiring), graph_(g), n_(n), threads_(threads) {}

  void fill(T* const* rows, bool transposed) const {
    host::parallel_for(n_, threads_, [&](std::size_t i) {
      std::fill_n(rows[i], n_, static_cast<T>(semiring_.zero));
      rows[i][i] = semiring_.one;
    });
    visit_values<T>(graph_, threads_, [&](std::size_t u, std::size_t v, const T& w) {
      if (u == v) return;  // A cycle never improves a path.
      T& entry = transposed ? rows[v][u] : rows[u][v];
      entry = semiring_.plus(entry, w);
    });
  }

 private:
  const S& semiring_;
  const Graph& graph_;
  std::size_t n_;
  int threads_;
};

/// Entries off the diagonal that are worse than @p limit become `zero`.
/// @param predecessors  null, or rows of predecessors, which are reset for those entries.
template <class S, class T = typename S::value_type>
void forget_worse(const S& semiring, std::size_t n, T* const* distances,
                  std::int32_t* const* predecessors, const T& limit, int threads) {
  host::parallel_for(n, threads, [&](std::size_t u) {
    T* const row = distances[u];
    for (std::size_t v = 0; v < n; ++v) {
      if (u != v && is_better(semiring, limit, row[v])) row[v] = semiring.zero;
    }
    if (predecessors == nullptr) return;
    forget_predecessors_of_unreachable(n, predecessors[u],
                                       [&](std::size_t v) { return row[v] == semiring.zero; });
  });
}

/// One call on one backend that computes the closure of a graph over a semiring in which no cycle
/// improves a path. The edges are known to be valid.
template <class Backend, class S, class Graph, class D, class P>
class semiring_closure_call {
  using T = typename S::value_type;
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  semiring_closure_call(const Backend& backend, closure_method method, const S& semiring,
                        const Graph& g, D& distances, P& predecessors, const request& wanted)
      : backend_(backend),
        method_(method),
        semiring_(semiring),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        cutoff_(to_cutoff_of(semiring, wanted.cutoff)),
        counts_hops_(wanted.counts_hops) {}

  result run() {
    result done(backend_.name(), algorithm_of(method_));
    const int threads = backend_.host_threads();
    const std::size_t longest_path = n_ - std::min<std::size_t>(n_, 1);
    // The product of the named semirings is commutative.
    matrix_rows<T> rows(distances_, {n_, n_}, has_library_kernels<S> && !wants_predecessors);
    auto recorded = predecessor_rows_of(predecessors_, n_);
    const closure_problem<S> problem{semiring_,      n_, longest_path, rows.data(), recorded.data(),
                                     semiring_.zero, T{}};
    closure_solver<Backend, S> solver(backend_, method_, problem);
    solver.load(semiring_source<S, Graph>(semiring_, graph_, n_, threads), rows.transposed());
    backend_.watch().begin(num_steps(method_, n_, longest_path));
    if (!solver.solve()) {
      done.set_stopped();
      return done;
    }
    solver.store();
    if constexpr (wants_predecessors) {
      remove_predecessor_loops(semiring_, graph_, n_, rows.data(), recorded.data(), threads,
                               counts_hops_);
    }
    if (backend_.watch().stop_requested()) {
      done.set_stopped();
      return done;
    }
    if (cutoff_) {
      forget_worse(semiring_, n_, rows.data(), recorded.data(), *cutoff_, threads);
    }
    if (!rows.in_place()) {
      host::parallel_for(n_, writers<D>(threads), [&](std::size_t i) {
        for (std::size_t j = 0; j < n_; ++j) matrix_entry(distances_, i, j) = rows.data()[i][j];
      });
    }
    if constexpr (wants_predecessors) write_predecessors(recorded, n_, predecessors_, threads);
    return done;
  }

 private:
  const Backend& backend_;
  closure_method method_;
  const S& semiring_;
  const Graph& graph_;
  std::size_t n_;
  D& distances_;
  P& predecessors_;
  std::optional<T> cutoff_;
  bool counts_hops_;
};

}  // namespace apsp::detail
