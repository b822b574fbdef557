// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/negative_cycle.hpp"
#include "../graph/semiring_edges.hpp"
#include "../graph/sources.hpp"
#include "../graph/watched_graph.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../host/stop_check.hpp"
#include "../host/workers.hpp"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"
#include "coded_hierarchy.hpp"
#include "elimination_tree.hpp"
#include "hierarchy.hpp"
#include "host/eliminate.hpp"
#include "minimum_degree.hpp"
#include "path_values.hpp"

// Hierarchies that callers keep, from the arguments of the call to the elimination.
namespace apsp::inline v1::detail {

/// True for graphs whose adaptor has `kept(g)`, a `kept_hierarchy<T, S>`.
template <class Graph, class T, class S = min_plus<T>>
concept is_kept_hierarchy = requires(const std::remove_cvref_t<Graph>& g) {
  { graph_adaptor_t<Graph>::kept(g) } -> std::same_as<const kept_hierarchy<T, S>&>;
};

/// @throws std::invalid_argument for a hierarchy of no graph.
template <class T, class S>
void check_not_empty(const kept_hierarchy<T, S>& kept) {
  if (kept.tree != nullptr) return;
  throw std::invalid_argument(
      "apsp::contraction_hierarchy: expected the hierarchy of a graph, got one without an order: "
      "it "
      "was made without a graph, moved from, or stopped before the order was found");
}

/// The arcs that calls over S search.
template <class S>
struct checked_arcs {
  adjacency<typename S::value_type> arcs;
  typename weights_over<S>::type weights{};
};

/// @throws std::invalid_argument for weights that calls over @p semiring do not accept.
template <class S, class Graph, class T = typename S::value_type>
checked_arcs<S> read_checked_arcs(const S& semiring, const Graph& g, std::size_t n, int threads) {
  if constexpr (is_min_plus<S>) {
    const auto weights = find_weight_range<T>(g, n, threads);
    return {make_adjacency<T>(g, n, threads), weights};
  } else {
    check_edges(semiring, g, n, threads);
    return {make_value_adjacency<T>(g, n, threads)};
  }
}

/// Gives the hierarchy the weights of @p checked, for whose arcs the tree has places. The
/// elimination runs on the host, whatever the backend.
template <class S, class T, class Backend>
result customize(const Backend& backend, const S& semiring, checked_arcs<S> checked,
                 kept_hierarchy<T, S>& kept) {
  result done(backend.name(), algorithm::elimination);
  const int threads = backend.host_threads();
  const monitor& watch = backend.watch();
  host::elimination_outcome outcome;
  if constexpr (is_min_plus<S>) {
    auto made = host::eliminate_sums(kept.tree, checked.arcs, checked.weights, threads, watch);
    outcome = made.outcome;
    kept.graph = std::move(made.graph);
    if (outcome == host::elimination_outcome::improving_cycle) {
      negative_cycle_search<T> search(kept.tree->num_vertices(), list_of_arcs(checked.arcs.view()));
      auto found = search.run([&] { return watch.stop_requested(); });
      if (watch.stop_requested()) done.set_stopped();
      done.set_negative_cycle(std::move(found.cycle));
    }
  } else {
    auto made =
        host::eliminate(kept.tree, checked.arcs.view(), values_of(semiring), threads, watch);
    outcome = made.outcome;
    kept.graph.reset();
    if (made.graph) {
      const T& none = semiring.zero;
      kept.graph = coded_hierarchy<T>{std::move(*made.graph), {none, T{}, none}};
    }
  }
  if (outcome == host::elimination_outcome::stopped) done.set_stopped();
  kept.arcs = std::move(checked.arcs);
  kept.weights = checked.weights;
  return done;
}

/// The vertices in the order in which the caller wants them eliminated.
/// @throws std::invalid_argument if they are not all vertices, once each.
template <class Graph, class Order>
std::vector<std::int32_t> check_order(const Graph& g, std::size_t n, Order& order) {
  std::vector<std::int32_t> list = list_sources(g, n, order, "vertex");
  std::vector<char> is_seen(n, 0);
  for (const std::int32_t v : list) {
    if (std::exchange(is_seen[static_cast<std::size_t>(v)], 1) != 0) {
      throw std::invalid_argument("apsp::contraction_hierarchy: vertex " + std::to_string(v) +
                                  " is in the order twice");
    }
  }
  if (list.size() != n) {
    throw std::invalid_argument("apsp::contraction_hierarchy: the order has " +
                                std::to_string(list.size()) + " vertices, but the graph has " +
                                std::to_string(n));
  }
  return list;
}

/// Calls prepare(), which prepares @p kept. If it is stopped, @p kept has no arcs, which may not
/// have been read, and a tree if it had one or got so far.
template <class Backend, class Kept, class Prepare>
result prepare_unless_stopped(const Backend& backend, Kept& kept, Prepare prepare) {
  result done(backend.name(), algorithm::elimination);
  try {
    done = prepare();
  } catch (const host::stop_seen&) {
    done.set_stopped();
  }
  if (done.stopped()) {
    kept.arcs = {};
    kept.graph.reset();
  }
  return done;
}

/// @param order  any range of the graph's vertices, or `every_vertex` for one that is chosen here.
template <class T, class S, class Policy, class Graph, class Order>
result make_kept_hierarchy(const Policy& policy, const Graph& g, Order& order, const S& semiring,
                           kept_hierarchy<T, S>& kept) {
  const std::size_t n = check_graph<T>(g);
  return on_backend<T>(policy, [&](const auto& backend) {
    const monitor& watch = backend.watch();
    return prepare_unless_stopped(backend, kept, [&] {
      const host::workers by{backend.host_threads(), &watch};
      const watched_graph<Graph> watched{g, watch};
      auto checked = read_checked_arcs(semiring, watched, n, by.threads);
      const adjacency<T>& arcs = checked.arcs;
      if constexpr (std::is_same_v<Order, const every_vertex>) {
        kept.tree = minimum_degree_tree(arcs.offsets, arcs.targets, by);
      } else {
        const std::vector<std::int32_t> list = check_order(g, n, order);
        kept.tree = tree_of_order(arcs.offsets, arcs.targets, list, by);
      }
      if (!kept.tree) throw host::stop_seen{};
      return customize(backend, semiring, std::move(checked), kept);
    });
  });
}

/// The ends of the first arc of @p arcs for which the fronts of the tree have no entry, if there is
/// one.
template <class T>
std::optional<std::pair<std::size_t, std::size_t>> find_arc_without_entry(
    const elimination_tree& tree, const adjacency_view<T>& arcs, int threads,
    const monitor* watch = nullptr) {
  std::vector<std::int32_t> supernodes(tree.num_vertices());
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    std::fill_n(supernodes.begin() + tree.first[s], tree.num_pivots(s),
                static_cast<std::int32_t>(s));
  }
  const auto has_entry = [&](std::size_t u, std::size_t v) {
    const auto [above, below] = std::minmax(tree.places[u], tree.places[v]);
    const auto s = static_cast<std::size_t>(supernodes[static_cast<std::size_t>(below)]);
    if (above >= tree.first[s]) return true;
    const auto upper = tree.upper_of(s);
    return std::binary_search(upper.begin(), upper.end(), above);
  };
  constexpr std::size_t num_ranges = 64;
  const std::vector<std::size_t> ranges = ranges_of_similar_work(arcs, num_ranges);
  std::array<std::optional<std::pair<std::size_t, std::size_t>>, num_ranges> found;
  host::parallel_for(
      num_ranges, threads,
      [&](std::size_t range) {
        host::stop_poll poll(watch);
        for (std::size_t u = ranges[range]; u < ranges[range + 1]; ++u) {
          poll.after(arcs.end(u) - arcs.begin(u));
          for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
            const auto v = static_cast<std::size_t>(arcs.targets[a]);
            if (has_entry(u, v)) continue;
            found[range] = std::pair(u, v);
            return;
          }
        }
      },
      1);
  const auto first =
      std::find_if(found.begin(), found.end(), [](const auto& arc) { return arc.has_value(); });
  return first == found.end() ? std::nullopt : *first;
}

/// @throws std::invalid_argument if the fronts of the tree have no entry for an arc of @p arcs.
template <class T>
void check_arcs_of(const elimination_tree& tree, const adjacency_view<T>& arcs, int threads,
                   const monitor* watch) {
  const auto found = find_arc_without_entry(tree, arcs, threads, watch);
  if (!found) return;
  throw std::invalid_argument(
      "apsp::contraction_hierarchy: the graph has an arc " + std::to_string(found->first) + " -> " +
      std::to_string(found->second) +
      ", for which the hierarchy has no place; weights may change, arcs not");
}

/// Gives the hierarchy the weights of a graph with the same vertices, and no other arcs.
template <class T, class S, class Policy, class Graph>
result customize_kept_hierarchy(const Policy& policy, const Graph& g, const S& semiring,
                                kept_hierarchy<T, S>& kept) {
  const std::size_t n = check_graph<T>(g);
  if (n != kept.tree->num_vertices()) {
    throw std::invalid_argument("apsp::contraction_hierarchy: the graph has " + std::to_string(n) +
                                " vertices, but the hierarchy has " +
                                std::to_string(kept.tree->num_vertices()));
  }
  return on_backend<T>(policy, [&](const auto& backend) {
    const monitor& watch = backend.watch();
    return prepare_unless_stopped(backend, kept, [&] {
      const watched_graph<Graph> watched{g, watch};
      auto checked = read_checked_arcs(semiring, watched, n, backend.host_threads());
      const adjacency<T>& arcs = checked.arcs;
      if (arcs.offsets != kept.arcs.offsets || arcs.targets != kept.arcs.targets) {
        check_arcs_of(*kept.tree, arcs.view(), backend.host_threads(), &watch);
      }
      return customize(backend, semiring, std::move(checked), kept);
    });
  });
}

/// The arcs of a hierarchy in both directions; 0 if it is empty.
template <class T, class S>
std::size_t count_hierarchy_arcs(const kept_hierarchy<T, S>& kept) {
  if (!kept.graph) return 0;
  return std::visit([](const auto& made) { return made.graph.up.size() + made.graph.down.size(); },
                    *kept.graph);
}

}  // namespace apsp::inline v1::detail
