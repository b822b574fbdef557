// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/breadth_first_search.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_of_pairs.hpp>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "answers.hpp"

// The calls of the library that `soak` tests on a graph.
namespace apsp_soak {

using namespace apsp_test;

enum class call {
  floyd_warshall,
  floyd_warshall_with_predecessors,
  floyd_warshall_of_fewest_hops,
  floyd_warshall_in_place,
  repeated_squaring,
  all_pairs,
  all_pairs_of_fewest_hops,
  dijkstra,
  bellman_ford,
  johnson,
  dijkstra_from_some,
  bellman_ford_from_some,
  bellman_ford_from_many,
  johnson_from_some,
  elimination,
  elimination_from_some,
  breadth_first_search,
  breadth_first_search_from_some,
  for_each_row,
  cutoff,
  widest_floyd_warshall,
  widest_dijkstra,
  widest_hierarchy,
  transitive_closure,
  product,
  summarize_paths,
  distance_table,
  distances_of_pairs,
  count_paths,
  last
};
inline constexpr const char* names[] = {"floyd_warshall",
                                        "floyd_warshall with predecessors",
                                        "floyd_warshall, prefer_fewest_edges",
                                        "floyd_warshall in place",
                                        "repeated_squaring",
                                        "all_pairs_shortest_paths",
                                        "all_pairs_shortest_paths, prefer_fewest_edges",
                                        "dijkstra",
                                        "bellman_ford",
                                        "johnson",
                                        "dijkstra from some sources",
                                        "bellman_ford from some sources",
                                        "bellman_ford from many sources",
                                        "johnson from some sources",
                                        "elimination",
                                        "elimination from some sources, prefer_fewest_edges",
                                        "breadth_first_search",
                                        "breadth_first_search from some sources",
                                        "for_each_row",
                                        "cutoff",
                                        "floyd_warshall over max_min",
                                        "dijkstra over max_min",
                                        "hierarchy over max_min",
                                        "transitive_closure",
                                        "min_plus_product",
                                        "summarize_paths",
                                        "distance_table",
                                        "distances_of_pairs",
                                        "count_paths"};
static_assert(std::size(names) == static_cast<std::size_t>(call::last));

inline std::vector<std::size_t> every_vertex(std::size_t n) {
  std::vector<std::size_t> all(n);
  for (std::size_t v = 0; v < n; ++v) all[v] = v;
  return all;
}

/// Checks that run() refuses negative weights.
template <class T, class Run>
void run_dijkstra(const solved_graph<T>& g, Run run) {
  if (!g.has_negative_weight) return run();
  try {
    run();
  } catch (const std::invalid_argument&) {
    return;
  }
  throw mismatch("a negative weight is not refused");
}

template <class T>
void check_widest(const solved_graph<T>& g, const apsp::result& done,
                  const apsp::matrix<T>& values) {
  using semiring = apsp::max_min<T>;
  require(bool(done), "it is false");
  const std::size_t n = g.arcs.n;
  std::vector<T> best(n);
  for (std::size_t s = 0; s < n; ++s) {
    std::fill(best.begin(), best.end(), semiring::zero);
    best[s] = semiring::one;
    for (bool changes = true; std::exchange(changes, false);) {
      for (std::size_t k = 0; k < g.arcs.size(); ++k) {
        const T through = std::min(best[g.source(k)], g.arcs.weights[k]);
        if (g.arcs.weights[k] == apsp::unreachable<T> || !(best[g.target(k)] < through)) continue;
        best[g.target(k)] = through;
        changes = true;
      }
    }
    for (std::size_t v = 0; v < n; ++v) require_at(values[s][v] == best[v], "another width", s, v);
  }
}

/// Computes c = min(c, a + b), where all three matrices are the weights of the graph.
template <class T>
void check_product(const solved_graph<T>& g, const apsp::matrix<T>& c) {
  for (std::size_t i = 0; i < g.arcs.n; ++i) {
    for (std::size_t j = 0; j < g.arcs.n; ++j) {
      best_path<T> best;
      const auto offer = [&](const exact_t<T>& length) {
        if (!best.exists || length < best.length) best = {true, length, 0};
      };
      if (g.lightest[i][j] != apsp::unreachable<T>) offer(g.lightest[i][j]);
      for (std::size_t k = 0; k < g.arcs.n; ++k) {
        if (g.lightest[i][k] == apsp::unreachable<T> || g.lightest[k][j] == apsp::unreachable<T>) {
          continue;
        }
        offer(exact_t<T>(g.lightest[i][k]) + exact_t<T>(g.lightest[k][j]));
      }
      bool cut = false;
      require_at(c[i][j] == in_type(best, cut), "another sum", i, j);
    }
  }
}

/// Checks that run() refuses weights that are negative or not all equal.
template <class T, class Run>
void run_breadth_first_search(const solved_graph<T>& g, Run run) {
  const auto is_counted = [&](std::size_t k) {
    const T& w = g.arcs.weights[k];
    return w != apsp::unreachable<T> && (g.source(k) != g.target(k) || w < T{});
  };
  std::vector<T> weights;
  for (std::size_t k = 0; k < g.arcs.size(); ++k) {
    if (is_counted(k)) weights.push_back(g.arcs.weights[k]);
  }
  const bool fits = std::all_of(weights.begin(), weights.end(),
                                [&](const T& w) { return w == weights.front() && !(w < T{}); });
  if (fits) return run();
  try {
    run();
  } catch (const std::invalid_argument&) {
    return;
  }
  throw mismatch("weights that are not equal are not refused");
}

/// Tables of some sources and targets, from the graph and from a hierarchy.
template <class T, class Policy>
void check_tables(const Policy& policy, const solved_graph<T>& g) {
  if (g.has_negative_cycle) return;
  const std::vector<std::size_t> targets(g.sources.rbegin(), g.sources.rend());
  const apsp::contraction_hierarchy<T> prepared(policy, g.arcs.view());
  const auto check = [&](const auto& graph) {
    apsp::matrix<T> table(g.sources.size(), targets.size(), T(77));
    require(bool(apsp::distance_table(policy, graph, g.sources, targets, table)), "it is false");
    bool cut = false;
    for (std::size_t i = 0; i < g.sources.size(); ++i) {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        require_at(table[i][j] == in_type(g.best[g.sources[i]][targets[j]], cut),
                   "another entry of a table", g.sources[i], targets[j]);
      }
    }
  };
  check(g.arcs.view());
  check(prepared);
}

/// All pairs of vertices, from the graph and from a hierarchy.
template <class T, class Policy>
void check_pairs(const Policy& policy, const solved_graph<T>& g) {
  if (g.has_negative_cycle) return;
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (std::size_t u = 0; u < g.arcs.n; ++u) {
    for (std::size_t v = g.arcs.n; v-- > 0;) {
      from.push_back(u);
      to.push_back(v);
    }
  }
  const apsp::contraction_hierarchy<T> prepared(policy, g.arcs.view());
  const auto check = [&](const auto& graph) {
    std::vector<T> found(from.size(), T(77));
    require(bool(apsp::distances_of_pairs(policy, graph, from, to, found)), "it is false");
    bool cut = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      require_at(found[i] == in_type(g.best[from[i]][to[i]], cut), "another distance of a pair",
                 from[i], to[i]);
    }
  };
  check(g.arcs.view());
  check(prepared);
}

/// Numbers of shortest paths, where all weights are above 0 and all distances fit.
template <class T, class Policy>
void check_counts(const Policy& policy, const solved_graph<T>& g) {
  const std::size_t n = g.arcs.n;
  bool cut = false;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n && !g.has_negative_cycle; ++v) in_type(g.best[u][v], cut);
  }
  for (const T w : g.arcs.weights) cut = cut || !(T{} < w);
  if (cut || g.has_negative_cycle) return;
  apsp::matrix<T> d(n, n, T(77));
  apsp::matrix<double> counts(n, n, 77);
  require(bool(apsp::count_paths(policy, g.arcs.view(), d, counts)), "it is false");
  for (std::size_t s = 0; s < n; ++s) {
    const auto* const best = g.best[s];
    std::vector<std::size_t> by_distance;
    for (std::size_t v = 0; v < n; ++v) {
      require_at(d[s][v] == in_type(best[v], cut), "another distance", s, v);
      if (best[v].exists) by_distance.push_back(v);
    }
    std::sort(by_distance.begin(), by_distance.end(),
              [&](std::size_t a, std::size_t b) { return best[a].length < best[b].length; });
    std::vector<double> expected(n);
    expected[s] = 1;
    for (const std::size_t v : by_distance) {
      for (std::size_t k = 0; k < g.arcs.size(); ++k) {
        const std::size_t u = g.source(k);
        if (g.target(k) != v || !best[u].exists || g.arcs.weights[k] == apsp::unreachable<T>) {
          continue;
        }
        const auto length = best[u].length + static_cast<exact_t<T>>(g.arcs.weights[k]);
        if (length == best[v].length) expected[v] += expected[u];
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      require_at(counts[s][v] == expected[v], "another number of paths", s, v);
    }
  }
}

/// Breadth-first search runs on the host alone. Of as many sources as drop arcs on a host, a device
/// drops none, and `cuda_naive` searches from one after another.
inline bool is_for_devices(call what) {
  return what != call::breadth_first_search && what != call::breadth_first_search_from_some &&
         what != call::bellman_ford_from_many;
}

/// Of so many sources, batches of all numbers of lanes are enough to drop arcs.
inline constexpr std::size_t enough_to_drop_arcs = 1500;

template <class T, class Policy>
void run_call(call what, const Policy& policy, const solved_graph<T>& g) {
  const auto view = g.arcs.view();
  const std::size_t n = g.arcs.n;
  const bool from_some = what == call::dijkstra_from_some || what == call::bellman_ford_from_some ||
                         what == call::johnson_from_some || what == call::elimination_from_some ||
                         what == call::breadth_first_search_from_some || what == call::for_each_row;
  auto sources = from_some ? g.sources : every_vertex(n);
  if (what == call::bellman_ford_from_many && n != 0) {
    while (sources.size() < enough_to_drop_arcs) sources.push_back(sources[sources.size() % n]);
  }
  apsp::matrix<T> d(sources.size(), n, T(77));
  hops_matrix p(sources.size(), n, 77);
  const auto check = [&](const apsp::result& done, looks where = looks::everywhere,
                         bool fewest = false) {
    check_rows(g, sources, where, done, d, &p, fewest);
  };
  switch (what) {
    case call::floyd_warshall:
      return check_rows(g, sources, looks::everywhere, apsp::floyd_warshall(policy, view, d), d,
                        nullptr);
    case call::floyd_warshall_with_predecessors:
      return check(apsp::floyd_warshall(policy, view, d, p));
    case call::floyd_warshall_of_fewest_hops:
      return check(apsp::floyd_warshall(policy.prefer_fewest_edges(), view, d, p),
                   looks::everywhere, true);
    case call::floyd_warshall_in_place:
      d = g.lightest;
      return check_rows(g, sources, looks::everywhere, apsp::floyd_warshall(policy, d, d), d,
                        nullptr);
    case call::repeated_squaring:
      return check(apsp::repeated_squaring(policy, view, d, p));
    case call::all_pairs:
      return check(apsp::all_pairs_shortest_paths(policy, view, d, p));
    case call::all_pairs_of_fewest_hops:
      return check(apsp::all_pairs_shortest_paths(policy.prefer_fewest_edges(), view, d, p),
                   looks::everywhere, true);
    case call::dijkstra:
      return run_dijkstra(g, [&] { check(apsp::dijkstra(policy, view, d, p)); });
    case call::bellman_ford:
      return check(apsp::bellman_ford(policy, view, d, p), looks::ahead);
    case call::johnson:
      return check(apsp::johnson(policy, view, d, p));
    case call::dijkstra_from_some:
      return run_dijkstra(g, [&] { check(apsp::dijkstra(policy, view, sources, d, p)); });
    case call::bellman_ford_from_many:
      // Without predecessors, in 16 bits as well.
      check_rows(g, sources, looks::ahead, apsp::bellman_ford(policy, view, sources, d), d,
                 nullptr);
      return check(apsp::bellman_ford(policy, view, sources, d, p), looks::ahead);
    case call::bellman_ford_from_some:
      return check(apsp::bellman_ford(policy, view, sources, d, p), looks::ahead);
    case call::johnson_from_some:
      return check(apsp::johnson(policy.prefer_fewest_edges(), view, sources, d, p),
                   looks::everywhere, true);
    case call::elimination:
      return check(apsp::elimination(policy, view, d, p));
    case call::elimination_from_some:
      return check(apsp::elimination(policy.prefer_fewest_edges(), view, sources, d, p),
                   looks::everywhere, true);
    case call::breadth_first_search:
      return run_breadth_first_search(g, [&] {
        check(apsp::breadth_first_search(policy, view, d, p), looks::everywhere, true);
      });
    case call::breadth_first_search_from_some:
      return run_breadth_first_search(g, [&] {
        check(apsp::breadth_first_search(policy, view, sources, d, p), looks::everywhere, true);
      });
    case call::for_each_row: {
      std::size_t count = 0;
      const auto take = [&](std::size_t s, std::span<const T> row,
                            std::span<const std::int32_t> before) {
        ++count;
        for (std::size_t i = 0; i < sources.size(); ++i) {
          if (sources[i] != s) continue;
          std::copy(row.begin(), row.end(), d[i]);
          std::copy(before.begin(), before.end(), p[i]);
        }
      };
      const auto done = apsp::for_each_row(policy, view, sources, take);
      require(count == (done ? sources.size() : 0), "another number of rows");
      return check(done);
    }
    case call::cutoff: {
      const T limit = static_cast<T>(g.arcs.size() % 7);
      const auto done =
          apsp::all_pairs_shortest_paths(policy.cutoff(static_cast<long double>(limit)), view, d);
      if (must_name_cycle(g, sources, looks::everywhere)) {
        require(!done, "a negative cycle is not noticed");
        return check_cycle(g, done.negative_cycle());
      }
      bool cut = false;
      for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
          const T e = in_type(g.best[u][v], cut);
          require_at(d[u][v] == (limit < e ? apsp::unreachable<T> : e), "another distance", u, v);
        }
      }
      return;
    }
    case call::widest_floyd_warshall:
      return check_widest(g, apsp::floyd_warshall(policy, view, d, p, apsp::max_min<T>{}), d);
    case call::widest_dijkstra:
      return check_widest(g, apsp::dijkstra(policy, view, d, apsp::max_min<T>{}), d);
    case call::widest_hierarchy: {
      const apsp::max_min<T> widest;
      const apsp::contraction_hierarchy prepared(policy, view, widest);
      require(bool(prepared), "there is no hierarchy");
      return check_widest(g, apsp::elimination(policy, prepared, d, widest), d);
    }
    case call::transitive_closure: {
      apsp::bit_matrix bits(n);
      require(bool(apsp::transitive_closure(policy, view, bits)), "it is false");
      for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
          require_at(bits(u, v) == g.best[u][v].exists, "another bit", u, v);
        }
      }
      return;
    }
    case call::product:
      d = g.lightest;
      require(bool(apsp::min_plus_product(policy, d, g.lightest, d)), "it is false");
      return check_product(g, d);
    case call::distance_table:
      return check_tables(policy, g);
    case call::distances_of_pairs:
      return check_pairs(policy, g);
    case call::count_paths:
      return check_counts(policy, g);
    default: {
      const auto summary = apsp::summarize_paths(policy, view);
      require(bool(summary) != g.has_negative_cycle, "a negative cycle, or none");
      for (std::size_t u = 0; summary && u < n; ++u) {
        exact_t<T> sum{};
        std::size_t reached = 0;
        for (std::size_t v = 0; v < n; ++v) {
          bool cut = false;
          const T e = in_type(g.best[u][v], cut);
          if (v == u || e == apsp::unreachable<T>) continue;
          ++reached;
          sum += e;
        }
        require_at(summary[u].num_reached == reached, "another number of vertices", u, u);
        require_at(summary[u].sum == sum, "another sum", u, u);
      }
    }
  }
}

/// Graphs of one type, which are also solved in one batched call.
template <class T>
struct batch {
  std::vector<std::uint64_t> numbers;
  std::vector<solved_graph<T>> graphs;
};

}  // namespace apsp_soak
