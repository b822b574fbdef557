// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/request.hpp"
#include "../graph/edges.hpp"
#include "../graph/negative_cycle.hpp"
#include "../graph/trees.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "distance_bound.hpp"
#include "matrix_source.hpp"
#include "problem.hpp"
#include "solvers.hpp"
#include "squarings.hpp"

namespace apsp::detail {

constexpr algorithm algorithm_of(closure_method method) {
  return method == closure_method::floyd_warshall ? algorithm::floyd_warshall
                                                  : algorithm::repeated_squaring;
}

/// The number of progress steps of a call.
constexpr std::size_t num_steps(closure_method method, std::size_t n, std::size_t longest_path) {
  return method == closure_method::floyd_warshall
             ? n
             : n * static_cast<std::size_t>(squarings_needed(longest_path));
}

/// One call on one backend that computes shortest distances. The edges are known to be valid.
template <class Backend, class Graph, class D, class P>
class closure_call {
  using T = matrix_value_t<D>;
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  closure_call(const Backend& backend, closure_method method, const Graph& g, D& distances,
               P& predecessors, diagonal diag, const request& wanted,
               const weight_range<T>& weights)
      : backend_(backend),
        method_(method),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        diagonal_(diag),
        cutoff_(to_cutoff<T>(wanted.cutoff)),
        weights_(weights),
        counts_hops_(wanted.counts_hops) {}

  /// Computes in the narrowest type, at least as wide as the type of the distances, that holds the
  /// length of every path or is proved to hold every distance.
  result run() {
    if constexpr (std::is_integral_v<T>) {
      if (!choose_code<narrowest_code_t<T>>(n_, weights_) && !backend_.watch().stop_requested()) {
        // A given diagonal entry is a distance by itself. A shorter cycle is no longer than the
        // path to the root of its component and back, which the bound includes.
        const bool all_weights_fit = diagonal_ == diagonal::as_given;
        if (const auto code =
                prove_code(graph_, n_, weights_, all_weights_fit, bounding_for(backend_.name()),
                           backend_.host_threads(), backend_.watch())) {
          return run_in(*code);
        }
      }
    }
    return with_code(n_, weights_, [this]<class C>(const distance_code<C>& code) -> result {
      if constexpr (has_closure<Backend, min_plus<C>>) {
        return this->run_in(code);
      } else {
        throw no_kernels(
            "a path of these weights may leave the range of their type, and the next wider type "
            "has "
            "no CUDA kernels");
      }
    });
  }

 private:
  /// @param potentials  null, or potentials that reweight the graph so that no weight is negative.
  template <class C>
  result run_in(const distance_code<C>& code,
                const std::vector<walk_sum_t<T>>* potentials = nullptr) {
    result done(backend_.name(), algorithm_of(method_));
    if (is_stopped(done)) return done;
    const int threads = backend_.host_threads();
    matrix_rows<C> rows(distances_, {n_, n_}, !wants_predecessors);
    auto recorded = predecessor_rows_of(predecessors_, n_);
    matrix_source<C, T, Graph> source(graph_, n_, weights_.num_edges, diagonal_, code, threads);
    if (potentials != nullptr) source.reweight(*potentials);
    const closure_problem<min_plus<C>> problem{
        {}, n_, longest_path(), rows.data(), recorded.data(), code.unreachable, code.floor};
    using solver_type = closure_solver<Backend, min_plus<C>>;
    solver_type solver(backend_, method_, problem);
    solver.load(source, rows.transposed());
    backend_.watch().begin(num_steps(method_, n_, longest_path()));
    // A stop may also be requested during the transfer of the matrix or the search of the edges.
    if (!solver.solve() || is_stopped(done)) {
      done.set_stopped();
      return done;
    }
    if (solver.has_negative_diagonal()) {
      negative_cycle_search<T> search(n_, collect_arcs<T>(graph_, weights_.num_edges));
      auto found = search.run([&] { return backend_.watch().stop_requested(); });
      if (is_stopped(done)) return done;
      if constexpr (std::is_floating_point_v<T>) {
        // Only rounding made a diagonal entry negative. Reweighting prevents that, since no weight is
        // negative then. Potentials that are large compared to the distances cost digits, so floats
        // use a wider type.
        if (found.cycle.empty()) {
          using wider = std::conditional_t<std::is_same_v<C, float>, double, C>;
          return run_in(*choose_code<wider>(n_, weights_), &found.potentials);
        }
      }
      done.set_negative_cycle(std::move(found.cycle));
      return done;
    }
    if constexpr (is_coded_integer<C>) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    }
    solver.store();
    if (is_stopped(done)) return done;
    if (potentials != nullptr) {
      take_back_potentials(rows, *potentials);
      if (method_ == closure_method::floyd_warshall) {
        done.set_algorithm(algorithm::reweighted_floyd_warshall);
      }
    }
    if (wants_predecessors && counts_hops_) {
      choose_fewest_hops<T>(graph_, n_, rows.data(), recorded.data(), threads);
      if (is_stopped(done)) return done;
    } else if (wants_predecessors && may_have_loops()) {
      remove_predecessor_loops<T>(graph_, n_, rows.data(), recorded.data(), threads,
                                  solver.rows_in_doubt());
      if (is_stopped(done)) return done;
    }
    if (cutoff_ || (wants_predecessors && !std::is_same_v<C, T>)) {
      forget_far_vertices(rows.data(), recorded.data(), n_, code, cutoff_, threads);
    }
    constexpr bool decoded = solver_type::replaces || !is_coded_integer<C>;
    done.set_saturated(write_distances(rows, {n_, n_}, code, decoded, distances_, threads));
    if constexpr (wants_predecessors) {
      write_predecessors(recorded, n_, predecessors_, threads);
    }
    return done;
  }

  bool is_stopped(result& done) const {
    if (!backend_.watch().stop_requested()) return false;
    done.set_stopped();
    return true;
  }

  // A negative cycle may have n edges.
  std::size_t longest_path() const {
    return weights_.smallest < T{} ? n_ : n_ - std::min<std::size_t>(n_, 1);
  }

  // A loop of predecessors is a cycle of length 0, up to rounding.
  bool may_have_loops() const { return !std::is_integral_v<T> || !(T{} < weights_.smallest); }

  template <class C>
  void take_back_potentials(const matrix_rows<C>& rows,
                            const std::vector<walk_sum_t<T>>& potentials) {
    host::parallel_for(n_, backend_.host_threads(), [&](std::size_t i) {
      for (std::size_t j = 0; j < n_; ++j) {
        const std::size_t u = rows.transposed() ? j : i;
        const std::size_t v = rows.transposed() ? i : j;
        C& entry = rows.data()[i][j];
        if (u != v && entry < unreachable<C>) {
          entry = static_cast<C>(walk_sum_t<T>(entry) - potentials[u] + potentials[v]);
        }
      }
    });
  }

  const Backend& backend_;
  closure_method method_;
  const Graph& graph_;
  std::size_t n_;
  D& distances_;
  P& predecessors_;
  diagonal diagonal_;
  std::optional<T> cutoff_;
  const weight_range<T>& weights_;
  bool counts_hops_;
};

}  // namespace apsp::detail
