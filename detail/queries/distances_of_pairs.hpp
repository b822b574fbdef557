// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../elimination/calls.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/path_values.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/sources.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/planning.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../per_source/sweep/host/climb.hpp"
#include "../plan/plan_call.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "distance_table.hpp"
#include "vertex_places.hpp"

// Distances between the vertices of pairs.
namespace apsp::inline v1::detail {

/// The number of different vertices in a list.
/// @param n  they are below it.
inline std::size_t count_distinct(std::span<const std::int32_t> list, std::size_t n) {
  constexpr std::size_t vertices_per_mark = 64;
  if (list.size() < n / vertices_per_mark) {
    std::vector<std::int32_t> sorted(list.begin(), list.end());
    std::sort(sorted.begin(), sorted.end());
    return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  }
  std::vector<bool> is_in_list(n);
  for (const std::int32_t v : list) is_in_list[static_cast<std::size_t>(v)] = true;
  return static_cast<std::size_t>(std::count(is_in_list.begin(), is_in_list.end(), true));
}

/// Pairs, and the distinct vertices of both sides.
struct grouped_pairs {
  host::vertex_pairs pairs;
  vertex_places sources;
  vertex_places targets;

  /// @param n  the number of vertices of the graph.
  grouped_pairs(const host::vertex_pairs& given, std::size_t n)
      : pairs(given), sources(given.sources, n), targets(given.targets, n) {}

  /// The same against the direction of the arcs.
  grouped_pairs reversed() && {
    std::swap(pairs.sources, pairs.targets);
    std::swap(sources, targets);
    return std::move(*this);
  }
  bool has_fewer_targets() const { return targets.vertices().size() < sources.vertices().size(); }
};

/// Writes the distances of pairs, from the rows of their distinct sources.
template <class D>
class pairs_output final : public row_output<matrix_value_t<D>> {
  using T = matrix_value_t<D>;

 public:
  /// @param distances  a matrix of one row.
  pairs_output(D& distances, const grouped_pairs& wanted)
      : row_output<T>(false, wanted.targets.vertices(), true),
        distances_(distances),
        sources_(wanted.sources),
        ends_(wanted.pairs.targets) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t, const T* distances, const std::int32_t*) override {
    for (const std::size_t k : sources_.places_of(row)) {
      matrix_entry(distances_, 0, k) = distances[static_cast<std::size_t>(ends_[k])];
    }
  }
  void write_reached(std::size_t row, std::size_t, std::span<reached_vertex<T>> reached) override {
    std::sort(reached.begin(), reached.end(),
              [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
    for (const std::size_t k : sources_.places_of(row)) {
      const auto found =
          std::lower_bound(reached.begin(), reached.end(), ends_[k],
                           [](const auto& r, std::int32_t v) { return r.vertex < v; });
      const bool is_reached = found != reached.end() && found->vertex == ends_[k];
      matrix_entry(distances_, 0, k) = is_reached ? found->distance : unreachable<T>;
    }
  }

 private:
  D& distances_;
  const vertex_places& sources_;
  std::span<const std::int32_t> ends_;
};

/// The time of climbs for all pairs on one thread, in nanoseconds, as predicted from some of them.
template <class C>
double climbs_time(const hierarchy<C>& graph, const host::vertex_pairs& pairs) {
  constexpr std::size_t most_samples = 16;
  constexpr std::size_t fewest_together = 64;
  const std::size_t count = pairs.sources.size();
  const elimination_tree& tree = *graph.tree;
  const auto arcs_above = [&](std::int32_t vertex, const std::vector<std::int64_t>& offsets) {
    std::int64_t sum = 0;
    for (std::int32_t p = tree.places[static_cast<std::size_t>(vertex)]; p >= 0;) {
      const auto place = static_cast<std::size_t>(p);
      sum += offsets[place + 1] - offsets[place];
      p = tree.parents[place];
    }
    return static_cast<double>(sum);
  };
  const std::size_t num_samples = std::min(count, most_samples);
  double num_arcs = 0;
  for (std::size_t i = 0; i < num_samples; ++i) {
    const std::size_t k = i * count / num_samples;
    num_arcs += arcs_above(pairs.sources[k], graph.up_offsets) +
                arcs_above(pairs.targets[k], graph.down_offsets);
  }
  const double of_each = count < fewest_together ? 0.8 : 0.25;
  constexpr double start = 100;
  return static_cast<double>(count) *
         (start + of_each * num_arcs / static_cast<double>(std::max<std::size_t>(num_samples, 1)));
}

/// The time of rows from the distinct sources on one thread, with a hierarchy that is ready.
template <class T, class S>
double rows_time(const kept_hierarchy<T, S>& kept, const host::vertex_pairs& pairs) {
  call_facts facts = facts_of_arcs(kept);
  facts.num_sources = count_distinct(pairs.sources, facts.num_vertices);
  facts.num_targets = count_distinct(pairs.targets, facts.num_vertices);
  const double searches = search_time(facts);
  add_order(facts, prepared_from(kept));
  return std::min(searches, elimination_time(facts));
}

/// True if climbs for each pair are predicted to take less time than rows.
/// @param climbs_of_each  the time for a pair, in climbs, relative to that of a row.
template <class T, class S>
bool prefers_climbs(const kept_hierarchy<T, S>& kept, const host::vertex_pairs& pairs,
                    double climbs_of_each = 1) {
  constexpr std::size_t always = 4;
  if (!kept.graph) return false;
  if (pairs.sources.size() <= always) return true;
  const double climbs =
      std::visit([&](const auto& made) { return climbs_time(made.graph, pairs); }, *kept.graph);
  return climbs_of_each * climbs <= rows_time(kept, pairs);
}

/// Writes the distances of pairs, given a hierarchy.
/// @param none  stands for "no path" in the results.
template <class S, class C, class D>
result climb_for_pairs(const host_backend& backend, const hierarchy<C>& graph,
                       const path_values<S>& values, const host::vertex_pairs& pairs,
                       std::optional<matrix_value_t<D>> cutoff, const matrix_value_t<D>& none,
                       D& distances) {
  using T = matrix_value_t<D>;
  result done(backend.name(), algorithm::elimination);
  monitor& watch = backend.watch();
  const std::size_t count = pairs.sources.size();
  watch.begin(count);
  watch.note_type(type_name<C>(), "no path of the hierarchy is longer than it holds");
  std::vector<C> best(count);
  const int threads = backend.host_threads();
  if (host::find_best_of_pairs(graph, values, pairs, threads, best.data(), watch) ==
      solve_outcome::stopped) {
    done.set_stopped();
    return done;
  }
  bool is_cut = false;
  const auto in_type = [&](const C& value) -> T {
    if (!values.is_path(value)) return none;
    if constexpr (is_min_plus<S> && std::is_integral_v<T>) {
      if (int128(value) >= int128(unreachable<T>)) {
        is_cut = is_cut || !cutoff;
        return none;
      }
      if (int128(value) < int128(std::numeric_limits<T>::lowest())) {
        is_cut = true;
        return std::numeric_limits<T>::lowest();
      }
    }
    const T distance = static_cast<T>(value);
    if constexpr (is_min_plus<S>) {
      if (cutoff && *cutoff < distance) return none;
    }
    return distance;
  };
  for (std::size_t k = 0; k < count; ++k) matrix_entry(distances, 0, k) = in_type(best[k]);
  done.set_saturated(is_cut);
  return done;
}

/// The same from a kept hierarchy; nothing if its climbs may mislead, because rounding may make a
/// walk look shorter than the path that it contains.
template <class S, class T, class D>
std::optional<result> climb_for_pairs(const host_backend& backend, const S& semiring,
                                      const kept_hierarchy<T, S>& kept,
                                      const host::vertex_pairs& pairs,
                                      std::optional<long double> cutoff, D& distances) {
  if (!kept.graph) return std::nullopt;
  if constexpr (is_min_plus<S>) {
    if (std::is_floating_point_v<T> && kept.weights.smallest < T{}) return std::nullopt;
    return std::visit(
        [&]<class C>(const coded_hierarchy<C>& made) {
          return climb_for_pairs(backend.for_work(climbs_time(made.graph, pairs)), made.graph,
                                 sums_in(made.code), pairs, to_cutoff<T>(cutoff), unreachable<T>,
                                 distances);
        },
        *kept.graph);
  } else {
    if (cutoff) return std::nullopt;
    const hierarchy<T>& graph = std::get<coded_hierarchy<T>>(*kept.graph).graph;
    return climb_for_pairs(backend.for_work(climbs_time(graph, pairs)), graph, values_of(semiring),
                           pairs, std::optional<T>{}, semiring.zero, distances);
  }
}

/// Pairs of a graph that is to be read. If a hierarchy is predicted to take less time than
/// searches, it is prepared, and climbed for each pair.
template <class T, class Graph, class D>
result distances_of_pairs_on_host(const host_backend& any, const request& asked, const Graph& g,
                                  std::size_t n, const host::vertex_pairs& pairs, D& distances) {
  const grouped_pairs given(pairs, n);
  const bool backward = given.has_fewer_targets();
  const grouped_pairs wanted = backward ? grouped_pairs(given).reversed() : given;
  const std::span<const std::int32_t> sources = wanted.sources.vertices();
  const auto work = [&](std::size_t num_arcs) {
    return search_work(kind_of<T>(), std::nullopt, sources.size(), n, num_arcs);
  };
  const auto reader = any.for_work(work(least_edges(g, n)));
  const auto weights = find_weight_range<T>(g, n, reader.host_threads());
  const host_backend backend = any.for_work(work(weights.num_edges));
  kept_hierarchy<T> kept{make_adjacency<T>(g, n, backend.host_threads()), weights};
  if (backward) kept.arcs = reversed_arcs(kept.arcs.view());
  call_facts facts = facts_of(backend.name(), n, weights);
  facts.num_sources = sources.size();
  facts.num_targets = wanted.targets.vertices().size();
  facts.lists_reached = true;
  facts.has_cutoff = asked.cutoff.has_value();
  const call_plan plan = plan_with_arcs(facts, kept.arcs, sources,
                                        {backend.host_threads(), &backend.watch()}, kept.tree);
  const auto finished = [&](result done) {
    done.set_candidates(plan.candidates);
    return backward ? with_reversed_cycle(std::move(done)) : done;
  };
  // Climbs may mislead if sums of negative weights round.
  const bool may_climb = !std::is_floating_point_v<T> || !(weights.smallest < T{});
  if (plan.method == algorithm::elimination && kept.tree != nullptr && may_climb) {
    result prepared = customize(backend, min_plus<T>{},
                                checked_arcs<min_plus<T>>{std::move(kept.arcs), weights}, kept);
    if (prepared.stopped() || !prepared.negative_cycle().empty()) return finished(prepared);
    if (prefers_climbs(kept, wanted.pairs)) {
      auto done =
          climb_for_pairs(backend, min_plus<T>{}, kept, wanted.pairs, asked.cutoff, distances);
      if (done) return finished(*std::move(done));
    }
  }
  request planned = asked;
  planned.plan = &plan;
  pairs_output<D> output(distances, wanted);
  row_output<T>& rows = output;
  result done =
      run_per_source(backend, planned, {kept.arcs, weights, prepared_from(kept)}, sources, rows);
  return backward ? with_reversed_cycle(std::move(done)) : done;
}

/// The same by rows from the distinct vertices of the side that has fewer of them, or from the
/// sources of a hierarchy.
template <class Policy, class Graph, class D, class S>
result distances_of_pairs_by_rows(const Policy& policy, const Graph& g, const grouped_pairs& given,
                                  D& distances, [[maybe_unused]] const S& semiring) {
  const request asked = request_of(policy);
  pairs_output<D> output(distances, given);
  if constexpr (!is_min_plus<S>) {
    // Paths of a semiring cannot be reversed in general.
    return semiring_per_source(policy, asked, g, given.sources.vertices(), semiring, output);
  } else if (is_kept_hierarchy<Graph, matrix_value_t<D>> || !given.has_fewer_targets()) {
    return per_source(policy, asked, g, given.sources.vertices(), output);
  }
  const grouped_pairs wanted = grouped_pairs(given).reversed();
  pairs_output<D> backward(distances, wanted);
  return with_reversed_cycle(
      per_source(policy, asked, g, wanted.sources.vertices(), backward, all_reversed{}));
}

/// @param distances  a matrix of one row.
template <class Policy, class Graph, class Sources, class Targets, class D, class S>
result find_distances_of_pairs(const Policy& policy, const Graph& g, Sources& sources,
                               Targets& targets, D distances, const S& semiring) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, D>;
  static_assert(in_host_memory,
                "apsp: distances_of_pairs takes a graph and distances in host memory");
  using T = matrix_value_t<D>;
  if constexpr (in_host_memory && has_paths_of<T, S>()) {
    const std::size_t n = check_graph<T>(g);
    const auto from = list_sources(g, n, sources);
    const auto to = list_sources(g, n, targets, "target");
    if (from.size() != to.size() || from.size() != distances.cols()) {
      throw std::invalid_argument(
          "apsp::distances_of_pairs: expected as many targets and distances as sources, got " +
          std::to_string(from.size()) + " sources, " + std::to_string(to.size()) +
          " targets and a range of " + std::to_string(distances.cols()) + " distances");
    }
    check_apart_from_arrays(g, distances, {1, from.size()});
    const host::vertex_pairs wanted{from, to};
    const request asked = request_of(policy);
    bool is_answered = false;
    // Answers on the host unless rows are faster; devices solve for rows.
    const auto answer = [&](const auto& any) -> result {
      std::optional<result> done;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(any)>, host_backend>) {
        if constexpr (is_kept_hierarchy<Graph, T, S>) {
          const auto& kept = graph_adaptor_t<Graph>::kept(g);
          if (prefers_climbs(kept, wanted)) {
            done = climb_for_pairs(any, semiring, kept, wanted, asked.cutoff, distances);
          }
        } else if constexpr (is_min_plus<S>) {
          done = distances_of_pairs_on_host<T>(any, asked, g, n, wanted, distances);
        }
      }
      is_answered = done.has_value();
      return is_answered ? *std::move(done) : result(any.name(), algorithm::dijkstra);
    };
    result done = on_backend<std::conditional_t<is_min_plus<S>, T, S>>(policy, answer);
    if (is_answered) return done;
    return distances_of_pairs_by_rows(policy, g, grouped_pairs(wanted, n), distances, semiring);
  }
}

}  // namespace apsp::inline v1::detail
