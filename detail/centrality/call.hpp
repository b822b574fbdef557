// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/request.hpp"
#include "../elimination/calls.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/negative_cycle.hpp"
#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "../per_source/call/call.hpp"
#include "../per_source/call/planning.hpp"
#include "../plan/facts.hpp"
#include "../plan/plan_call.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "by_hierarchy.hpp"
#include "counted_arcs.hpp"
#include "path_hierarchy.hpp"
#include "path_searches.hpp"
#include "tight_arcs.hpp"

// One call for numbers of shortest paths, whatever becomes of them: by sweeps over a hierarchy, or
// from the distances of a batch of sources after the other.
namespace apsp::inline v1::detail {

/// What a call observes while it solves for single sources: a stop, but not the progress of parts.
template <class Policy>
observer stop_of(const Policy& policy) {
  observer attached;
  if constexpr (has_observer<Policy>) attached.stop = policy.attached_observer().stop;
  return attached;
}

/// The type in which distances are compared: the digits of `float` do not tell whether lengths of
/// many arcs are equal.
template <class T>
using compared_distance_t = std::conditional_t<std::is_same_v<T, float>, double, T>;

template <class T>
tight_arcs<T> tight_arcs_of(const path_count_options& options) {
  const double tolerance = options.tolerance;
  if (!(tolerance >= 0) || kind_of_float(tolerance) != float_kind::finite) {
    throw std::invalid_argument("apsp: expected a finite tolerance of at least 0, not " +
                                std::to_string(tolerance));
  }
  // Integers are compared exactly.
  return {std::is_floating_point_v<T> ? static_cast<T>(tolerance) : T{}};
}

/// Prepares a hierarchy for the batches of a call, if that is predicted to be faster than searches
/// from all sources.
template <class T, class Backend>
result prepare_if_faster(const Backend& backend, const request& wanted,
                         std::span<const std::int32_t> sources, kept_hierarchy<T>& kept) {
  call_facts facts = facts_of(backend.name(), kept.arcs.view().num_vertices(), kept.weights);
  facts.num_sources = sources.size();
  result done(backend.name(), algorithm::elimination);
  if (wanted.cutoff) return done;
  const call_plan plan = plan_with_arcs(facts, kept.arcs, sources,
                                        {backend.host_threads(), &backend.watch()}, kept.tree);
  if (plan.method != algorithm::elimination || kept.tree == nullptr) {
    kept.tree.reset();
    return done;
  }
  return customize(backend, min_plus<T>{},
                   checked_arcs<min_plus<T>>{std::move(kept.arcs), kept.weights}, kept);
}

/// The result of by_sweeps(backend, paths, arcs, counted) for the hierarchy of all shortest paths;
/// nothing if that is not faster than searches from so many sources, or not possible.
/// @param quiet  observes the preparation.
template <class T, class Backend, class Graph, class BySweeps>
std::optional<result> sweep_if_faster(const Backend& backend, [[maybe_unused]] const Graph& g,
                                      const counted_arcs<T>& counted,
                                      const weight_range<T>& weights, const tight_arcs<T>& tight,
                                      std::size_t num_sources, const monitor& quiet,
                                      BySweeps by_sweeps) {
  try {
    const arcs_in_code<double> coded = in_double(counted.arcs, weights);
    shared_tree tree;
    if constexpr (is_kept_hierarchy<Graph, T>) tree = graph_adaptor_t<Graph>::kept(g).tree;
    auto paths = path_hierarchy_if_faster(std::move(tree), counted.arcs, weights, coded.arcs,
                                          static_cast<double>(tight.tolerance), num_sources,
                                          {backend.host_threads(), &quiet});
    if (!paths) return std::nullopt;
    return by_sweeps(backend, *paths, coded.arcs, counted);
  } catch (const host::stop_seen&) {
    result done(backend.name(), algorithm::elimination);
    done.set_stopped();
    return done;
  }
}

/// In place of a function: paths are searched.
struct no_sweeps {};

/// Reads the graph, and calls by_sweeps(backend, paths, arcs, counted) with the hierarchy of its
/// shortest paths and its arcs; or if that is not faster or not possible, or returns nothing,
/// f(call, counted) with a `path_searches` for it.
/// @param num_positions  if the positions of arcs are asked for: how many the graph passes.
template <class T, class Policy, class Graph, class BySweeps, class F>
result with_centrality_call(const Policy& policy, const Graph& g, std::size_t n,
                            std::optional<std::size_t> num_positions,
                            std::span<const std::int32_t> sources,
                            const path_count_options& options, BySweeps by_sweeps, F f) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "apsp: paths are counted by distances of a built-in arithmetic type");
  const tight_arcs<T> tight = tight_arcs_of<T>(options);
  const observer quiet = stop_of(policy);
  return on_backend<T>(policy, [&](const auto& any) {
    const int threads = any.host_threads();
    const auto weights = find_weight_range<T>(g, n, threads);
    const auto backend = any.for_work(static_cast<double>(sources.size()) *
                                      static_cast<double>(n + weights.num_edges));
    monitor inner_watch(quiet);
    kept_hierarchy<T> kept{make_adjacency<T>(g, n, threads), weights};
    counted_arcs<T> counted{kept.arcs, {}};
    if (num_positions) counted.positions = positions_of_arcs(g, kept.arcs, *num_positions);
    if (options.merge_parallel) merge_parallel_arcs(counted);
    request wanted = request_of(policy);
    wanted.chosen_for = sources;
    constexpr bool weighs_sweeps = !std::is_same_v<BySweeps, no_sweeps>;
    constexpr bool is_on_host = std::is_same_v<std::remove_cvref_t<decltype(any)>, host_backend>;
    if constexpr (weighs_sweeps) {
      if (!wanted.cutoff && has_lengths_in_double(n, weights, tight.tolerance)) {
        auto done = sweep_if_faster(backend, g, counted, weights, tight, sources.size(),
                                    inner_watch, by_sweeps);
        if (done) return *std::move(done);
      }
    }
    prepared_elimination<T> prepared;
    // Distances that are added up in another order differ by more.
    constexpr double least_tolerance = 0x1p-46;
    if (std::is_floating_point_v<T> && static_cast<double>(tight.tolerance) < least_tolerance) {
      const bool has_negative = weights.smallest < T{};
      wanted.asked = has_negative ? algorithm::bellman_ford : algorithm::dijkstra;
      if (has_negative) {
        // Batches search only what they reach.
        negative_cycle_search<T> search(n, list_of_arcs(kept.arcs.view()));
        auto found = search.run([&] { return inner_watch.stop_requested(); });
        result done(backend.name(), algorithm::bellman_ford);
        if (inner_watch.stop_requested()) done.set_stopped();
        done.set_negative_cycle(std::move(found.cycle));
        if (!done) return done;
      }
    } else if constexpr (is_kept_hierarchy<Graph, T>) {
      prepared = prepared_from(graph_adaptor_t<Graph>::kept(g));
    } else if constexpr (is_on_host || !weighs_sweeps) {
      // Devices search if the sweeps above are not faster.
      result done = prepare_if_faster(backend.watched_by(inner_watch), wanted, sources, kept);
      if (!done) return done;
      prepared = prepared_from(kept);
    }
    path_searches<T, std::remove_cvref_t<decltype(backend)>> call(
        backend, inner_watch, wanted, {kept.arcs, weights, prepared}, counted, tight, sources);
    return f(call, counted);
  });
}

}  // namespace apsp::inline v1::detail
