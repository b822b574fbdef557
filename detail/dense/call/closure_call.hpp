// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/error.hpp"
#include "../../../apsp/graph.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../call/backend.hpp"
#include "../../call/request.hpp"
#include "../../graph/edges.hpp"
#include "../../graph/negative_cycle.hpp"
#include "../../values/computed_type.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/weight.hpp"
#include "../problem/matrix_source.hpp"
#include "../problem/problem.hpp"
#include "../problem/squarings.hpp"
#include "../proofs/distance_bound.hpp"
#include "../solvers/solvers.hpp"
#include "closure_values.hpp"

namespace apsp::inline v1::detail {

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

/// One call that computes the closure of a graph's matrix. The edges are known to be valid.
/// Values is `coded_sums` or `semiring_values`; Place, where the results are stored, is
/// `host_matrices` or `device_matrices`.
template <class Values, class Place, class Graph>
class closure_call {
 public:
  /// @param why_it_fits  why the type of the computation holds all values
  closure_call(const Place& place, closure_method method, const Graph& g, const Values& values,
               std::string_view why_it_fits)
      : place_(place), method_(method), graph_(g), values_(values), why_it_fits_(why_it_fits) {}

  result run() {
    std::optional<result> done;
    try {
      done = run_with(memory_state::as_counted);
    } catch (const device_error& lack) {
      if (lack.bytes_needed() == 0 || !Place::can_use_less_memory) throw;
      // Others may have taken memory since it was counted.
      try {
        done = run_with(memory_state::ran_out);
      } catch (const no_kernels&) {
        throw lack;
      }
    }
    if constexpr (Values::are_sums && std::is_floating_point_v<T>) {
      if (!done) return solve_by_rows();
    }
    return std::move(*done);
  }

 private:
  using T = typename Values::value_type;
  using C = typename Values::computed_type;
  using solution = typename Place::template solution<Values>;

  /// Returns nothing if rounding may have led to results that are none: then the rows are to be
  /// solved.
  std::optional<result> run_with(memory_state memory) {
    result done(place_.name(), algorithm_of(method_));
    if (is_stopped(done)) return done;
    place_.watch().note_type(type_name<C>(), why_it_fits_);
    // Only a search for a negative cycle releases it early.
    std::optional<solution> solved(std::in_place, place_, method_, values_, memory);
    solved->load(graph_);
    place_.watch().begin(num_steps(method_, values_.num_vertices(), values_.longest_path()));
    // A stop may also be requested during the transfer of the matrix or the search of the edges.
    if (!solved->solve() || is_stopped(done)) {
      done.set_stopped();
      return done;
    }
    done.set_used_symmetry(solved->used_symmetry());
    done.set_num_devices(solved->num_devices());
    done.set_out_of_core(solved->is_out_of_core());
    if constexpr (Values::are_sums) {
      if (values_.may_have_negative_weight()) {
        const bool is_below_zero = solved->has_negative_diagonal();
        if constexpr (std::is_floating_point_v<T>) {
          if (is_below_zero || solved->may_round_below_zero(graph_)) {
            solved->release_results();
            return std::nullopt;
          }
        } else if (is_below_zero) {
          auto found = search_negative_cycle();
          if (is_stopped(done)) return done;
          if (!found.cycle.empty()) {
            done.set_negative_cycle(std::move(found.cycle));
            return done;
          }
          // A user-defined type that rounds has no wider type.
          if constexpr (!std::is_integral_v<T>) solved->clear_diagonal();
        }
      }
    }
    solved->finish(graph_, done);
    return done;
  }

  bool is_stopped(result& done) const {
    if (!place_.watch().stop_requested()) return false;
    done.set_stopped();
    return true;
  }

  auto search_negative_cycle() const {
    return place_.with_host_graph(graph_, [&](const auto& g) {
      negative_cycle_search<T> search(values_.num_vertices(),
                                      collect_arcs<T>(g, values_.num_edges()));
      return search.run([&] { return place_.watch().stop_requested(); });
    });
  }

  /// Finds the cycle that made a diagonal entry negative, or solves again if only rounding did or
  /// might have done so.
  result solve_by_rows() const {
    result done = place_.through_host(graph_, [this](const auto& place, const auto& g) {
      return place.solve_by_rows(g, values_);
    });
    if (done.outcome() == outcome::negative_cycle) done.set_algorithm(algorithm_of(method_));
    return done;
  }

  const Place& place_;
  closure_method method_;
  const Graph& graph_;
  const Values& values_;
  std::string_view why_it_fits_;
};

/// Computes shortest distances in the narrowest type, at least as wide as the type of the
/// distances, that holds the length of every path or is proved to hold every distance.
template <class Place, class Graph, class T = typename Place::value_type>
result close_distances(const Place& place, const closure_kind& kind, const Graph& g,
                       const request& wanted, const weight_range<T>& weights) {
  const std::size_t n = num_vertices_of(g);
  const auto run_in = [&]<class C>(const distance_code<C>& code) -> result {
    const coded_sums<C, T> values(n, weights, kind.diag, wanted, code);
    const std::string_view why =
        choose_code<C>(n, weights) ? why_sums_fit<C>(n, weights) : bounded_distances;
    return closure_call(place, kind.method, g, values, why).run();
  };
  // Kernels solve most integers of a graph in device memory in a proved narrower type themselves,
  // and a copy of the graph would take longer than the proof saves.
  if constexpr (std::is_integral_v<T> && Place::template host_reads<Graph>) {
    if (!choose_code<narrowest_code_t<T>>(n, weights) && !place.watch().stop_requested()) {
      // A given diagonal entry is a distance by itself. A shorter cycle is no longer than the
      // path to the root of its component and back, which the bound includes.
      const bool all_weights_fit = kind.diag == diagonal::as_given;
      if (const auto code = prove_code(g, weights, all_weights_fit, bounding_for(place.name()),
                                       place.host_threads(), place.watch())) {
        return run_in(*code);
      }
    }
  }
  return with_code(n, weights, [&]<class C>(const distance_code<C>& code) -> result {
    if constexpr (Place::template can_solve<min_plus<C>>) {
      return run_in(code);
    } else if constexpr (Place::stores_on_device) {
      return place.through_host(g, [&](const auto& host_place, const auto& host_graph) {
        return close_distances(host_place, kind, host_graph, wanted, weights);
      });
    } else {
      throw no_kernels(
          "a path of these weights may leave the range of their type, and the next wider type has "
          "no CUDA kernels");
    }
  });
}

/// Computes the closure over a semiring other than `min_plus`, in which no cycle improves a path.
template <class Place, class Graph, class S>
result close_values(const Place& place, closure_method method, const Graph& g, const S& semiring,
                    const request& wanted) {
  const semiring_values<S> values(num_vertices_of(g), semiring, wanted);
  return closure_call(place, method, g, values, type_of_the_result).run();
}

}  // namespace apsp::inline v1::detail
