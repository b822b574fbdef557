// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../../apsp/config.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../call/backend.hpp"
#include "../../call/request.hpp"
#include "../../elimination/coded_hierarchy.hpp"
#include "../../elimination/elimination_tree.hpp"
#include "../../elimination/hierarchy.hpp"
#include "../../elimination/host/eliminate.hpp"
#include "../../elimination/minimum_degree.hpp"
#include "../../elimination/path_values.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/negative_cycle.hpp"
#include "../../host/monitor.hpp"
#include "../../host/workers.hpp"
#include "../../matrix/results.hpp"
#include "../../plan/plan_call.hpp"
#include "../../values/computed_type.hpp"
#include "../../values/cutoff.hpp"
#include "../../values/decay.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../../values/weight.hpp"
#include "../../values/weight_types.hpp"
#include "../delivery/finishing.hpp"
#include "../delivery/outputs.hpp"
#include "../delivery/remaining_rows.hpp"
#include "../problem/problem.hpp"
#include "../search/host/lanes.hpp"
#include "../solver/cuda/solver.hpp"
#include "../solver/solvers.hpp"
#include "../sweep/host/elimination.hpp"
#include "planning.hpp"
#include "potentials.hpp"

// Dijkstra, Bellman–Ford and Johnson from many sources on one backend, after the edges have been
// validated.
namespace apsp::inline v1::detail {

/// @throws std::invalid_argument with the first arc of negative weight.
template <class T>
[[noreturn]] void throw_negative_weight(const adjacency_view<T>& arcs) {
  for_each_arc_of(arcs, [](std::size_t u, std::size_t v, const T& w) {
    if (w < T{}) {
      throw std::invalid_argument("apsp::dijkstra: arc " + std::to_string(u) + " -> " +
                                  std::to_string(v) +
                                  " has a negative weight; use bellman_ford or johnson");
    }
  });
  throw std::logic_error("apsp::dijkstra: no weight is negative");
}

/// A weight in a message; nothing if its type is user-defined.
template <class T>
std::string text_of(const T& weight) {
  std::ostringstream text;
  if constexpr (std::is_integral_v<T>) {
    text << ' ' << +plain_integer(weight);
  } else if constexpr (std::is_floating_point_v<T>) {
    text << std::setprecision(std::numeric_limits<T>::max_digits10) << ' ' << weight;
  }
  return text.str();
}

/// @throws std::invalid_argument with the first arc whose weight is negative or differs from that
///         of the arcs before it.
template <class T>
void require_equal_weights(const adjacency_view<T>& arcs) {
  for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const T& w) {
    const T& first = arcs.weights.front();
    const bool is_equal = w == first;
    if (is_equal && !(w < T{})) return;
    const std::string arc =
        "apsp::breadth_first_search: arc " + std::to_string(u) + " -> " + std::to_string(v);
    if (is_equal) {
      throw std::invalid_argument(arc + " has the negative weight" + text_of(w) +
                                  "; use bellman_ford or johnson");
    }
    throw std::invalid_argument(arc + " has the weight" + text_of(w) +
                                ", which differs from the weight" + text_of(first) +
                                " of the arcs before it; use dijkstra or johnson");
  });
}

/// How kernels finish the rows of @p task.
/// @param potentials  receives the potentials of the task, and is read by the kernels.
template <class C, class T>
cuda::device_finishing<C, T> device_finishing_of(const finishing_task<T>& task,
                                                 std::vector<C>& potentials) {
  if (task.potentials != nullptr) {
    potentials.reserve(task.potentials->size());
    // If a problem can be solved in C, its potentials are lengths of paths, and fit.
    for (const auto& p : *task.potentials) potentials.push_back(static_cast<C>(p));
  }
  return {task.cutoff, potentials, task.may_saturate};
}

/// A graph whose weights have been validated.
template <class T>
struct searched_graph {
  const adjacency<T>& arcs;  ///< From `make_adjacency`.
  const weight_range<T>& weights;
  prepared_elimination<T> prepared{};  ///< What is known for an elimination of it.
};

/// One call. Output is a `row_output`, or an output whose rows the backend can finish itself: that
/// one has `solve_in_place`, and `prepare_rows` for rows that the backend cannot finish.
template <class Backend, class Output>
class per_source_call {
  using T = typename Output::value_type;
  static constexpr bool is_integer = std::is_integral_v<T>;
  static constexpr bool is_on_host = std::is_same_v<Backend, host_backend>;

 public:
  per_source_call(const Backend& backend, const request& wanted, searched_graph<T> graph,
                  std::span<const std::int32_t> sources, Output& output)
      : backend_(backend),
        arcs_(graph.arcs),
        n_(arcs_.view().num_vertices()),
        sources_(sources),
        chosen_for_(wanted.chosen_for.empty() ? sources : wanted.chosen_for),
        cutoff_(to_cutoff<T>(wanted.cutoff)),
        prefers_fewest_edges_(wanted.prefers_fewest_edges),
        weights_(graph.weights),
        output_(output),
        negative_(weights_.smallest < T{}),
        method_(wanted.asked.value_or(algorithm::dijkstra)),
        is_asked_(wanted.asked.has_value()),
        plan_(wanted.plan),
        prepared_(std::move(graph.prepared)) {}

  result run() {
    std::optional<call_plan> made;
    const call_plan* plan = plan_;
    if (!is_asked_) {
      if (plan == nullptr) {
        shared_tree tree;
        plan = &made.emplace(plan_with_arcs(facts(), arcs_, chosen_for_, workers(), tree, cutoff_));
        if (tree) prepared_.tree = std::move(tree);
      }
      method_ = plan->method;
    }
    result done(backend_.name(), method_);
    if (plan != nullptr) done.set_candidates(plan->candidates);
    done.set_num_devices(backend_.num_devices());
    if (method_ == algorithm::elimination) {
      if (eliminate(done)) return done;
      // The search below names the cycle, or finds that it may only round below zero.
      method_ = algorithm::johnson;
      if (!negative_) done.set_algorithm(fastest_search_of(facts()));
    }
    if (method_ == algorithm::breadth_first_search) {
      search_breadth_first(done);
      return done;
    }
    if (!negative_) {
      if (method_ == algorithm::johnson) {
        solve_plain(fastest_search_of(facts()), done);
      } else {
        solve_plain(method_, done);
      }
      return done;
    }
    if (method_ == algorithm::dijkstra) throw_negative_weight(arcs_.view());
    auto found = search_for_negative_cycle();
    if (backend_.watch().stop_requested()) {
      done.set_stopped();
      return done;
    }
    if (!found.cycle.empty()) {
      done.set_negative_cycle(std::move(found.cycle));
      return done;
    }
    const bool wants_reweighting = method_ == algorithm::johnson || found.may_round_below_zero;
    const bool may_reweight = wants_reweighting && has_range_for(found.potentials);
    if (!may_reweight) {
      rows_once_.emplace(output_, sources_);
      if (solve_plain(algorithm::bellman_ford, done)) {
        done.set_algorithm(algorithm::bellman_ford);
        return done;
      }
      sources_ = rows_once_->restart();
    }
    done.set_algorithm(algorithm::johnson);
    solve_reweighted(found.potentials, done);
    return done;
  }

 private:
  host::workers workers() const { return {backend_.host_threads(), &backend_.watch()}; }

  /// A negative cycle or potentials; meaningless if a stop is requested. The memory of the search
  /// is free again afterwards.
  cycle_search_result<walk_sum_t<T>> search_for_negative_cycle() const {
    const monitor& watch = backend_.watch();
    negative_cycle_search<T> search(n_, arcs_to_search());
    if (method_ != algorithm::johnson) return search.run([&] { return watch.stop_requested(); });
    return find_potentials(search, arcs_, weights_, prepared_, backend_.host_threads(), watch);
  }

  // Johnson searches the whole graph for negative cycles, Bellman–Ford only the part reachable from
  // the sources.
  std::vector<weighted_arc<T>> arcs_to_search() const {
    const adjacency_view<T> arcs = arcs_.view();
    std::vector<char> reached(n_, method_ == algorithm::johnson ? 1 : 0);
    if (method_ != algorithm::johnson) {
      std::vector<std::size_t> queue;
      const auto reach = [&](std::int32_t v) {
        const auto vertex = static_cast<std::size_t>(v);
        if (!std::exchange(reached[vertex], 1)) queue.push_back(vertex);
      };
      for (const std::int32_t s : sources_) reach(s);
      while (!queue.empty()) {
        const std::size_t u = queue.back();
        queue.pop_back();
        for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) reach(arcs.targets[a]);
      }
    }
    std::vector<weighted_arc<T>> list;
    list.reserve(arcs.num_edges());
    for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const T& w) {
      if (reached[u]) list.push_back({u, v, w});
    });
    return list;
  }

  call_facts facts() const {
    call_facts found = facts_of(backend_.name(), n_, weights_);
    found.num_arcs = arcs_.targets.size();
    found.num_sources = chosen_for_.size();
    found.num_targets = output_.targets().size();
    found.lists_reached = output_.takes_reached();
    found.with_predecessors = output_.wants_predecessors();
    found.has_cutoff = cutoff_.has_value();
    found.adds_up_amounts = output_.amounts() != nullptr;
    add_order(found, prepared_);
    return found;
  }

  /// Solves by elimination. Returns false if a cycle is negative, or rounding makes it look so, or
  /// if a choice made here has no kernels for the type of the sums.
  bool eliminate(result& done) {
    const auto sweep_over = [&]<class C>(const coded_hierarchy<C>& made) {
      if (!is_on_host && !is_asked_ && !has_compiled_kernels<C>) return false;
      if (sweeps_may_mislead(made)) return false;
      sweep(made, done);
      return true;
    };
    if (prepared_.graph != nullptr) return std::visit(sweep_over, *prepared_.graph);
    std::optional<adjacency<T>> kept;
    if (!prepared_.tree) {
      kept = prune_before_order();
      const adjacency<T>& ordered = kept ? *kept : arcs_;
      prepared_.tree = minimum_degree_tree(ordered.offsets, ordered.targets, workers());
    }
    if (!prepared_.tree) {
      done.set_stopped();
      return true;
    }
    const auto made = host::eliminate_sums(prepared_.tree, kept ? *kept : arcs_, weights_,
                                           backend_.host_threads(), backend_.watch());
    kept.reset();
    if (made.graph) return std::visit(sweep_over, *made.graph);
    if (made.outcome == host::elimination_outcome::improving_cycle) return false;
    done.set_stopped();
    return true;
  }

  /// The arcs that an elimination needs, if it gains by leaving others out: whatever an arc adds to
  /// the fill is eliminated with it. The rounding of sums depends on the order, so neither the
  /// threads nor the sources of one of several processes decide.
  std::optional<adjacency<T>> prune_before_order() const {
    if constexpr (has_vectors<min_plus<T>>) {
      constexpr std::size_t fewest_sources = 256;
      if (chosen_for_.size() < fewest_sources) return std::nullopt;
      return host::prune_arcs<T>({method_, arcs_.view(), sources_, largest_sum<T>(), negative_,
                                  output_.wants_predecessors()},
                                 backend_.host_threads(), backend_.watch());
    } else {
      return std::nullopt;
    }
  }

  /// True if rounding may make a walk look shorter than the path that it contains, for which sweeps
  /// do not search.
  template <class C>
  bool sweeps_may_mislead(const coded_hierarchy<C>& made) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (!negative_) return false;
      negative_cycle_search<T> search(n_, list_of_arcs(arcs_.view()));
      search.start_from(potentials_from<T>(made, arcs_.view()));
      const auto found = search.run([&] { return backend_.watch().stop_requested(); });
      return found.may_round_below_zero || !found.cycle.empty();
    } else {
      return false;
    }
  }

  template <class C>
  void sweep(const coded_hierarchy<C>& made, result& done) {
    const auto coded = coded_arcs(arcs_, weights_, made.code);
    finishing_task<T> task{arcs_.view(), sources_, cutoff_};
    task.prefers_fewest_edges = prefers_fewest_edges_;
    task.has_no_stray_predecessors = is_on_host;
    per_source_problem<C> problem{method_,      coded.arcs, sources_,
                                  no_path<C>(), negative_,  output_.wants_predecessors()};
    problem.hierarchy = &made;
    solve(task, problem, done);
  }

  void search_breadth_first(result& done) {
    if (is_asked_) require_equal_weights(arcs_.view());
    if constexpr (!is_on_host) {
      throw no_kernels("breadth-first search has no CUDA kernels");
    } else {
      // The predecessors have the fewest edges in any case.
      prefers_fewest_edges_ = false;
      solve_plain(method_, done);
    }
  }

  /// Solves with the original weights. Returns false if rounding prevents convergence.
  bool solve_plain(algorithm method, result& done) {
    if constexpr (is_integer) {
      // Without negative weights, a sum too large for a signed T is cut at the same value in T.
      if constexpr (sizeof(T) <= 4) {
        if ((!negative_ && std::is_signed_v<T>) || choose_code<std::int32_t>(n_, weights_)) {
          return solve_plain_in<std::int32_t>(method, done);
        }
      }
      if ((!negative_ && (std::is_signed_v<T> || sizeof(T) < 8)) ||
          choose_code<std::int64_t>(n_, weights_)) {
        return solve_plain_in<std::int64_t>(method, done);
      }
      return solve_plain_in<int128>(method, done);
    } else {
      if constexpr (std::is_floating_point_v<T>) {
        if (sums_may_leave_range(n_, weights_)) {
          return solve_plain_in<wider_float_t<T>>(method, done);
        }
      }
      return solve_plain_in<T>(method, done);
    }
  }

  template <class C>
  bool solve_plain_in(algorithm method, result& done) {
    finishing_task<T> task{arcs_.view(), sources_, cutoff_};
    task.prefers_fewest_edges = prefers_fewest_edges_;
    C limit = largest_sum<C>();
    if constexpr (is_integer) {
      if (cutoff_ && !negative_ && int128(*cutoff_) <= int128(limit)) {
        limit = static_cast<C>(*cutoff_);
      } else {
        task.may_saturate = !negative_ && longest_path(n_, weights_) > int128(limit);
      }
    } else if (cutoff_ && !negative_ && static_cast<C>(*cutoff_) < limit) {
      limit = static_cast<C>(*cutoff_);
    }
    const bool wants_tree = output_.wants_predecessors();
    if constexpr (std::is_same_v<C, T>) {
      return solve<C>(task, {method, arcs_.view(), sources_, limit, negative_, wants_tree}, done);
    } else {
      const std::vector<C> weights(arcs_.weights.begin(), arcs_.weights.end());
      return solve<C>(
          task, {method, arcs_.view_with(weights), sources_, limit, negative_, wants_tree}, done);
    }
  }

  /// The type in which reweighted floating-point distances are computed. Potentials that are large
  /// compared with the distances lose digits, so float is widened to double.
  using reweighted_float = std::conditional_t<std::is_same_v<T, float>, double, T>;

  // Near the largest floating-point number a path may leave the range: in T, where its length is
  // accumulated again, or when reweighted. Potentials are never positive, so a reweighted path is
  // longer by at most the absolute value of a potential.
  bool has_range_for(const potentials_of<T>& potentials) const {
    if constexpr (std::is_floating_point_v<T>) {
      using sum = walk_sum_t<T>;
      if (potentials.empty()) return true;
      if (sums_may_leave_range(n_, weights_)) return false;
      const sum lowest = *std::min_element(potentials.begin(), potentials.end());
      const sum longest = static_cast<sum>(n_) * static_cast<sum>(weights_.largest);
      return longest - lowest < static_cast<sum>((std::numeric_limits<reweighted_float>::max)());
    } else {
      return true;
    }
  }

  /// Solves with weights that potentials have made non-negative.
  void solve_reweighted(const potentials_of<T>& potentials, result& done) {
    if constexpr (is_integer) {
      const int128 longest = longest_reweighted_path(n_, weights_);
      if constexpr (sizeof(T) <= 4) {
        if (longest < largest_value<std::int32_t>()) {
          return solve_reweighted_in<std::int32_t>(potentials, done);
        }
      }
      if (longest < largest_value<std::int64_t>()) {
        return solve_reweighted_in<std::int64_t>(potentials, done);
      }
      solve_reweighted_in<int128>(potentials, done);
    } else {
      solve_reweighted_in<reweighted_float>(potentials, done);
    }
  }

  template <class C>
  void solve_reweighted_in(const potentials_of<T>& potentials, result& done) {
    finishing_task<T> task{arcs_.view(), sources_, cutoff_, &potentials};
    task.ends_at_targets = orders_vertices<C>(potentials);
    std::vector<std::int32_t> arc_sources;
    if constexpr (!is_coded_integer<C>) arc_sources = sources_of(arcs_.view());
    task.arc_sources = arc_sources;
    // If no predecessors are wanted, any shortest paths give the same lengths.
    task.prefers_fewest_edges = prefers_fewest_edges_ && output_.wants_predecessors();
    const std::vector<C> weights = reweighted<C>(arcs_.view(), potentials);
    // Floating-point lengths are accumulated again along the tree.
    const bool wants_tree = output_.wants_predecessors() || !is_integer;
    solve<C>(task,
             {method_after_reweighting<C>(), arcs_.view_with(weights), sources_,
              reweighted_limit<C>(potentials), false, wants_tree},
             done);
  }

  /// The algorithm for weights that are not negative.
  template <class C>
  algorithm method_after_reweighting() const {
    // Many weights are zero, which lets Dijkstra's algorithm on a device settle few vertices per
    // step.
    if constexpr (!is_on_host) return algorithm::bellman_ford;
    if constexpr (!has_library_kernels<min_plus<C>>) return algorithm::dijkstra;
    return fastest_search_of(facts_after_reweighting(facts()));
  }
  algorithm fastest_search_of(call_facts found) const {
    if (depth_decides_search(found)) add_levels(found, arcs_.view(), chosen_for_);
    return fastest_search(found);
  }

  /// The least and the greatest magnitude of the weights that are not zero.
  std::pair<T, T> magnitudes() const {
    std::pair<T, T> found{std::numeric_limits<T>::max(), T{}};
    for (const T& w : arcs_.weights) {
      const T magnitude = std::abs(w);
      if (w != T{}) found.first = std::min(found.first, magnitude);
      found.second = std::max(found.second, magnitude);
    }
    return found;
  }

  // True if the rounding of reweighted paths of type C does not hide which vertices are farther.
  template <class C>
  bool orders_vertices(const potentials_of<T>& potentials) const {
    if constexpr (std::is_floating_point_v<C>) {
      using sum = walk_sum_t<T>;
      const auto [least, greatest] = magnitudes();
      sum largest = static_cast<sum>(greatest);
      for (const sum& p : potentials) largest = std::max(largest, -p);
      const sum rounding = static_cast<sum>(std::numeric_limits<C>::epsilon()) * largest;
      return static_cast<sum>(n_) * rounding <= static_cast<sum>(least);
    } else {
      return true;
    }
  }

  // Potentials are never positive, so a path within the cutoff becomes longer by at most the
  // absolute value of the lowest potential.
  template <class C>
  C reweighted_limit(const potentials_of<T>& potentials) const {
    const C most = largest_sum<C>();
    if constexpr (std::is_arithmetic_v<T>) {
      if (cutoff_ && !potentials.empty()) {
        const auto lowest = *std::min_element(potentials.begin(), potentials.end());
        const auto limit = walk_sum_t<T>(*cutoff_) - lowest;
        if constexpr (is_integer) {
          if (limit < walk_sum_t<T>(most)) return static_cast<C>(limit);
        } else {
          // Rounded up: rows are cut exactly when they are finished.
          const auto rounded = static_cast<C>(limit);
          const auto rounding =
              static_cast<C>(n_) * static_cast<C>(std::numeric_limits<T>::epsilon());
          return rounded + rounded * 4 * rounding;
        }
      }
    }
    return most;
  }

  // The limit of `per_source_problem` that only cuts values that do not fit.
  template <class C>
  C largest_sum() const {
    if constexpr (is_coded_integer<C>) {
      return negative_ && method_ == algorithm::bellman_ford ? largest_value<C>() / 2
                                                             : largest_value<C>() - 1;
    } else {
      return no_path<C>();
    }
  }

  template <class C>
  bool solve(const finishing_task<T>& task, const per_source_problem<C>& asked, result& done) {
    backend_.watch().begin(sources_.size());
    const bool is_reweighted = task.potentials != nullptr && is_integer;
    backend_.watch().note_type(type_name<C>(), is_reweighted ? "no path is longer than it holds"
                                                             : why_sums_fit<C>(n_, weights_));
    per_source_problem<C> problem = asked;
    if (task.ends_at_targets) problem.targets = output_.targets();
    problem.by_reached = output_.takes_reached() && !problem.with_predecessors;
    if constexpr (requires { output_.solve_in_place(backend_, problem, task); }) {
      if (const auto solved = output_.solve_in_place(backend_, problem, task)) {
        return note(solved->outcome, solved->has_saturated, done);
      }
    }
    if constexpr (!is_on_host && cuda::has_device_row_target<C, T>) {
      // Floating-point lengths are accumulated again along the tree.
      const bool can_finish = task.potentials == nullptr || std::is_integral_v<T>;
      row_record<T>* const records = output_.records();
      if (records != nullptr && can_finish) {
        std::vector<C> potentials;
        problem.targets = {};
        const auto solved = cuda::solve_into_records(backend_.target(), problem,
                                                     device_finishing_of(task, potentials), records,
                                                     backend_.watch());
        return note(solved.outcome, solved.has_saturated, done);
      }
      const weighed_amounts<T>* const amounts = output_.amounts();
      if (amounts != nullptr && can_finish) {
        std::vector<C> potentials;
        problem.targets = {};
        const std::size_t num_sums = amounts->num_sums();
        std::vector<double> sums(sources_.size() * num_sums);
        const auto solved =
            cuda::solve_into_sums(backend_.target(), problem, device_finishing_of(task, potentials),
                                  *amounts, sums.data(), backend_.watch());
        for (std::size_t row = 0; row < sources_.size(); ++row) {
          output_.write_sums(row, std::span(sums).subspan(row * num_sums, num_sums));
        }
        return note(solved.outcome, solved.has_saturated, done);
      }
    }
    if constexpr (requires { output_.prepare_rows(); }) output_.prepare_rows();
    row_output<T>& rows = rows_once_ ? static_cast<row_output<T>&>(*rows_once_) : output_;
    finishing_output<C, T> output(task, rows);
    const solve_outcome outcome = solve_per_source(backend_, problem, output);
    return note(outcome, output.saturated(), done);
  }

  static bool note(solve_outcome outcome, bool has_saturated, result& done) {
    if (outcome == solve_outcome::stopped) done.set_stopped();
    done.set_saturated(has_saturated);
    return outcome != solve_outcome::not_converged;
  }

  const Backend& backend_;
  const adjacency<T>& arcs_;
  std::size_t n_;
  std::span<const std::int32_t> sources_;
  std::span<const std::int32_t> chosen_for_;  ///< The sources to choose an algorithm for.
  std::optional<T> cutoff_;
  bool prefers_fewest_edges_;
  const weight_range<T>& weights_;
  Output& output_;
  /// Takes the rows of a solver that may give up, and of the one after it.
  std::optional<remaining_rows<T>> rows_once_;
  bool negative_;
  algorithm method_;
  bool is_asked_;
  const call_plan* plan_;
  prepared_elimination<T> prepared_;
};

/// One call whose rows go to @p output; the parameters are those of `per_source_call`. Compiled
/// into the library for its weight types, so that one instance serves all types of graphs and
/// matrices.
template <class T>
APSP_EXPORT result run_per_source(const host_backend& backend, const request& wanted,
                                  searched_graph<T> graph, std::span<const std::int32_t> sources,
                                  row_output<T>& output) {
  return per_source_call(backend, wanted, std::move(graph), sources, output).run();
}
template <class T>
APSP_EXPORT result run_per_source(const cuda_backend& backend, const request& wanted,
                                  searched_graph<T> graph, std::span<const std::int32_t> sources,
                                  row_output<T>& output) {
  return per_source_call(backend, wanted, std::move(graph), sources, output).run();
}

#define APSP_RUN_PER_SOURCE(BACKEND, T)                                             \
  template result run_per_source(const BACKEND&, const request&, searched_graph<T>, \
                                 std::span<const std::int32_t>, row_output<T>&);
#define APSP_EXTERN_HOST_CALL(T) extern APSP_RUN_PER_SOURCE(host_backend, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_HOST_CALL)
#undef APSP_EXTERN_HOST_CALL
#ifndef APSP_WITHOUT_CUDA
#define APSP_EXTERN_CUDA_CALL(T) extern APSP_RUN_PER_SOURCE(cuda_backend, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_CUDA_CALL)
#undef APSP_EXTERN_CUDA_CALL
#endif

}  // namespace apsp::inline v1::detail
