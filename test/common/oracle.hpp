// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <future>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphs.hpp"

// Expected results: Boost's per-source algorithms, in a type wider than that of the test.
namespace apsp_test {

template <class T>
using wide_t = std::conditional_t<std::is_integral_v<T>, std::int64_t, long double>;

template <class T>
inline constexpr wide_t<T> wide_unreachable = (std::numeric_limits<wide_t<T>>::max)();

template <class T>
using wide_rows = std::vector<std::vector<wide_t<T>>>;

/// Returns a row of distances for each of @p sources, or nothing if one of them reaches a negative
/// cycle.
template <class T>
std::optional<wide_rows<T>> oracle_rows(const arc_list<T>& arcs,
                                        const std::vector<std::size_t>& sources) {
  using weight = wide_t<T>;
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                            boost::property<boost::edge_weight_t, weight>>;
  graph g(arcs.n);
  bool negative = false;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    negative = negative || arcs.weights[k] < T{};
    boost::add_edge(arcs.from(k), arcs.to(k), weight(arcs.weights[k]), g);
  }
  wide_rows<T> all(sources.size());
  std::atomic<bool> has_negative_cycle = false;
  // Solves each @p step -th source from number @p first on.
  const auto solve = [&](std::size_t first, std::size_t step) {
    for (std::size_t i = first; i < sources.size() && !has_negative_cycle; i += step) {
      std::vector<weight> distance(arcs.n, wide_unreachable<T>);
      const auto map =
          boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, g));
      if (negative) {
        distance[sources[i]] = 0;
        if (!boost::bellman_ford_shortest_paths(
                g, arcs.n,
                boost::distance_map(map).weight_map(boost::get(boost::edge_weight, g)))) {
          has_negative_cycle = true;
        }
      } else {
        boost::dijkstra_shortest_paths(g, sources[i], boost::distance_map(map));
      }
      all[i] = std::move(distance);
    }
  };
  // Threads share large amounts of work.
  constexpr std::size_t least_work = std::size_t{1} << 18;
  const std::size_t num_threads = sources.size() * arcs.size() < least_work
                                      ? 1
                                      : std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  std::vector<std::future<void>> others;
  for (std::size_t t = 1; t < num_threads; ++t) {
    others.push_back(std::async(std::launch::async, solve, t, num_threads));
  }
  solve(0, num_threads);
  for (auto& other : others) other.get();
  if (has_negative_cycle) return std::nullopt;
  return all;
}

/// Returns 0 to n - 1.
inline std::vector<std::size_t> all_vertices(std::size_t n) {
  std::vector<std::size_t> vertices(n);
  std::iota(vertices.begin(), vertices.end(), std::size_t{0});
  return vertices;
}

/// Returns all distances, or nothing if the graph has a negative cycle.
template <class T>
std::optional<wide_rows<T>> oracle_distances(const arc_list<T>& arcs) {
  return oracle_rows(arcs, all_vertices(arcs.n));
}

/// Returns the rows with all distances beyond the limit unreachable.
template <class T>
wide_rows<T> within(wide_rows<T> rows, long double limit) {
  for (auto& row : rows) {
    for (auto& d : row) {
      if (static_cast<long double>(d) > limit) d = wide_unreachable<T>;
    }
  }
  return rows;
}

/// Compares integers bit for bit, and floating-point numbers up to rounding.
template <class T>
bool same_distance(T got, wide_t<T> expected) {
  if (expected == wide_unreachable<T>) return got == apsp::unreachable<T>;
  if constexpr (std::is_integral_v<T>) {
    return got == expected;
  } else {
    const auto scale = std::max<wide_t<T>>(100, std::abs(expected));
    return std::abs(static_cast<wide_t<T>>(got) - expected) <=
           scale * 64 * static_cast<wide_t<T>>(std::numeric_limits<T>::epsilon());
  }
}

/// Compares every entry of the rows with the expected one and reports the first difference.
template <class T, class Matrix>
void check_rows(const wide_rows<T>& expected, const Matrix& distances) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t v = 0; v < expected[i].size(); ++v) {
      if (!same_distance<T>(distances[i][v], expected[i][v])) {
        BOOST_ERROR("distance (" << i << ", " << v << ") is " << distances[i][v] << ", not "
                                 << expected[i][v]);
        return;
      }
    }
  }
}

/// Compares every entry with the oracle and reports the first difference.
template <class T, class Matrix>
void check_distances(const arc_list<T>& arcs, const Matrix& distances) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  check_rows<T>(*expected, distances);
}

/// Returns the weight of the lightest arc of every pair of vertices, `wide_unreachable` if there is
/// none.
template <class T>
apsp::matrix<wide_t<T>> lightest_arcs(const arc_list<T>& arcs) {
  apsp::matrix<wide_t<T>> lightest(arcs.n, arcs.n, wide_unreachable<T>);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    auto& weight = lightest[arcs.from(k)][arcs.to(k)];
    weight = std::min(weight, wide_t<T>(arcs.weights[k]));
  }
  return lightest;
}

/// The vertices that may have a predecessor: reachable ones, and with a cutoff also vertices beyond
/// it that are on the path to a reachable one.
enum class predecessors_of { reached, reached_and_passed };

/// Checks that all paths of the predecessors consist of arcs and have the length of the distance,
/// and that no other vertex has a predecessor.
template <class T, class Distances, class Predecessors>
void check_predecessors(const arc_list<T>& arcs, const Distances& distances,
                        const Predecessors& predecessors,
                        predecessors_of allowed = predecessors_of::reached) {
  using index = apsp::matrix_value_t<const Predecessors>;
  const auto lightest = lightest_arcs(arcs);
  std::vector<char> is_passed(arcs.n);
  for (std::size_t u = 0; u < arcs.n; ++u) {
    is_passed.assign(arcs.n, 0);
    for (std::size_t v = 0; v < arcs.n; ++v) {
      if (distances[u][v] == apsp::unreachable<T>) continue;
      const auto vertices = apsp::path(predecessors, u, v);
      for (const std::size_t passed : vertices) is_passed[passed] = 1;
      wide_t<T> length = 0;
      bool along_arcs = !vertices.empty() && vertices.front() == u && vertices.back() == v;
      for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
        const auto weight = lightest[vertices[i]][vertices[i + 1]];
        along_arcs = along_arcs && weight != wide_unreachable<T>;
        if (along_arcs) length += weight;
      }
      if (!along_arcs || !same_distance<T>(distances[u][v], length)) {
        BOOST_ERROR("the path " << u << " -> " << v << " is no path of length " << distances[u][v]
                                << ", but " << length << " long");
        return;
      }
    }
    for (std::size_t v = 0; v < arcs.n; ++v) {
      if (distances[u][v] != apsp::unreachable<T>) continue;
      if (allowed == predecessors_of::reached_and_passed && is_passed[v] != 0) continue;
      BOOST_REQUIRE(apsp::path(predecessors, u, v).empty());
      BOOST_REQUIRE(predecessors[u][v] == apsp::no_predecessor<index>);
    }
  }
}

/// Checks that row i of the predecessors is a tree of shortest paths from source i: the predecessor
/// of every reachable vertex except source i is the start of the last arc of a shortest path, and
/// there are no cycles.
///
/// @param lightest  `lightest_arcs` of the graph.
template <class T, class Distances, class Predecessors>
void check_trees(const apsp::matrix<wide_t<T>>& lightest, const std::vector<std::size_t>& sources,
                 const Distances& distances, const Predecessors& predecessors) {
  using index = apsp::matrix_value_t<const Predecessors>;
  const std::size_t n = lightest.rows();
  constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> walked_from(n);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto before = [&](std::size_t v) {
      const index u = predecessors[i][v];
      return u == apsp::no_predecessor<index> ? std::int64_t{-1} : static_cast<std::int64_t>(u);
    };
    const auto wrong = [&](std::size_t v, const char* how) {
      BOOST_ERROR("predecessor " << before(v) << " of " << v << " from " << sources[i] << " (row "
                                 << i << "): " << how);
    };
    for (std::size_t v = 0; v < n; ++v) {
      const bool is_root = v == sources[i] || distances[i][v] == apsp::unreachable<T>;
      if ((before(v) == -1) != is_root) return wrong(v, "only a root has none");
      if (is_root) continue;
      if (before(v) < 0 || before(v) >= static_cast<std::int64_t>(n)) return wrong(v, "no vertex");
      const auto u = static_cast<std::size_t>(before(v));
      if (lightest[u][v] == wide_unreachable<T>) return wrong(v, "there is no arc");
      if (distances[i][u] == apsp::unreachable<T>) return wrong(v, "it is unreachable");
      if (!same_distance<T>(distances[i][v], wide_t<T>(distances[i][u]) + lightest[u][v])) {
        return wrong(v, "the arc is on no shortest path");
      }
    }
    walked_from.assign(n, nobody);
    for (std::size_t start = 0; start < n; ++start) {
      std::size_t v = start;
      while (walked_from[v] == nobody) {
        walked_from[v] = start;
        if (before(v) == -1) break;
        v = static_cast<std::size_t>(before(v));
      }
      if (walked_from[v] == start && before(v) != -1) return wrong(v, "the path runs in a circle");
    }
  }
}

/// Checks that the walk is closed, consists of arcs, and has a negative length.
template <class T>
void check_negative_cycle(const arc_list<T>& arcs, const std::vector<std::size_t>& walk) {
  BOOST_REQUIRE(walk.size() >= 2 && walk.front() == walk.back());
  const auto lightest = lightest_arcs(arcs);
  wide_t<T> length = 0;
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    const auto weight = lightest[walk[i]][walk[i + 1]];
    BOOST_REQUIRE_MESSAGE(weight != wide_unreachable<T>,
                          "no arc " << walk[i] << " -> " << walk[i + 1]);
    length += weight;
  }
  BOOST_CHECK_MESSAGE(length < 0, "the walk is " << length << " long");
}

/// The lengths of shortest paths, each summed from its source in type T.
template <class T>
std::vector<T> summed_from(const arc_list<T>& g, std::size_t source) {
  std::vector<std::vector<std::pair<std::size_t, T>>> out(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) out[g.from(k)].emplace_back(g.to(k), g.weights[k]);
  std::vector<T> distances(g.n, apsp::unreachable<T>);
  using entry = std::pair<T, std::size_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  distances[source] = T{};
  open.emplace(T{}, source);
  while (!open.empty()) {
    const auto [d, u] = open.top();
    open.pop();
    if (d > distances[u]) continue;
    for (const auto& [v, w] : out[u]) {
      const T through = d + w;
      if (through < distances[v]) open.emplace(distances[v] = through, v);
    }
  }
  return distances;
}

}  // namespace apsp_test
