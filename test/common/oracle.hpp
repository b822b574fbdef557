// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/unreachable.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "graphs.hpp"

// What answers are compared with: Boost's per-source algorithms, in a type wider than the test's.
namespace apsp_test {

template <class T>
using wide_t = std::conditional_t<std::is_integral_v<T>, std::int64_t, long double>;

template <class T>
inline constexpr wide_t<T> wide_unreachable = (std::numeric_limits<wide_t<T>>::max)();

/// All distances, or nothing if the graph has a negative cycle.
template <class T>
std::optional<std::vector<std::vector<wide_t<T>>>> oracle_distances(const arc_list<T>& arcs) {
  using weight = wide_t<T>;
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                            boost::property<boost::edge_weight_t, weight>>;
  graph g(arcs.n);
  bool negative = false;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    negative = negative || arcs.weights[k] < T{};
    boost::add_edge(static_cast<std::size_t>(arcs.sources[k]),
                    static_cast<std::size_t>(arcs.targets[k]), weight(arcs.weights[k]), g);
  }
  std::vector<std::vector<weight>> all;
  for (std::size_t s = 0; s < arcs.n; ++s) {
    std::vector<weight> distance(arcs.n, wide_unreachable<T>);
    const auto map =
        boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, g));
    if (negative) {
      distance[s] = 0;
      if (!boost::bellman_ford_shortest_paths(
              g, arcs.n, boost::distance_map(map).weight_map(boost::get(boost::edge_weight, g)))) {
        return std::nullopt;
      }
    } else {
      boost::dijkstra_shortest_paths(g, s, boost::distance_map(map));
    }
    all.push_back(std::move(distance));
  }
  return all;
}

/// Integers bit for bit; floating point up to rounding.
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

/// Compares every entry with the oracle and reports the first that differs.
template <class T, class Matrix>
void check_distances(const arc_list<T>& arcs, const Matrix& distances) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  for (std::size_t u = 0; u < arcs.n; ++u) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      if (!same_distance<T>(distances[u][v], (*expected)[u][v])) {
        BOOST_ERROR("distance (" << u << ", " << v << ") is " << distances[u][v] << ", not "
                                 << (*expected)[u][v]);
        return;
      }
    }
  }
}

/// The weight of the lightest arc of every pair of vertices, `wide_unreachable` where there is
/// none.
template <class T>
apsp::matrix<wide_t<T>> lightest_arcs(const arc_list<T>& arcs) {
  apsp::matrix<wide_t<T>> lightest(arcs.n, arcs.n, wide_unreachable<T>);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    auto& weight = lightest[static_cast<std::size_t>(arcs.sources[k])]
                           [static_cast<std::size_t>(arcs.targets[k])];
    weight = std::min(weight, wide_t<T>(arcs.weights[k]));
  }
  return lightest;
}

/// Every path that the predecessors give runs along arcs and is as long as its distance says.
template <class T, class Distances, class Predecessors>
void check_predecessors(const arc_list<T>& arcs, const Distances& distances,
                        const Predecessors& predecessors) {
  using index = apsp::matrix_value_t<const Predecessors>;
  const auto lightest = lightest_arcs(arcs);
  for (std::size_t u = 0; u < arcs.n; ++u) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      const auto vertices = apsp::path(predecessors, u, v);
      if (distances[u][v] == apsp::unreachable<T>) {
        BOOST_REQUIRE(vertices.empty());
        BOOST_REQUIRE(predecessors[u][v] == apsp::no_predecessor<index>);
        continue;
      }
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
  }
}

/// The walk is closed, runs along arcs, and is shorter than nothing.
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

}  // namespace apsp_test
