// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/betweenness_options.hpp>
#include <apsp/unreachable.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/property_map/property_map.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"

// Graphs with many shortest paths, and their expected numbers and betweenness: by sums over all
// pairs of the shares of counted paths, and by Boost's algorithm.
namespace apsp_test {

template <class T>
inline constexpr double unit = std::is_integral_v<T> ? 1 : 0.25;

using list = std::vector<std::size_t>;

/// Results of a call before which they held `nothing`.
inline constexpr double nothing = -3;

/// A random graph in which several shortest paths, parallel arcs, self-loops and unreachable
/// vertices are common.
/// @param zeros     arcs to vertices of larger numbers may have length 0; no cycle has.
/// @param negative  lengths may be negative.
template <class T>
arc_list<T> random_arcs(std::size_t n, std::size_t num_arcs, bool zeros, bool negative,
                        std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::int64_t> potential(n);
  if (negative) {
    for (auto& x : potential) x = random(-9, 9);
  }
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t k = 0; n > 0 && k < num_arcs; ++k) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    const std::int64_t w = random(zeros && u < v ? 0 : 1, 3) + potential[u] - potential[v];
    g.add(u, v, static_cast<T>(static_cast<double>(w) * unit<T>));
    if (random.chance(0.1)) g.add(u, v, g.weights.back());
  }
  return g;
}
template <class T>
arc_list<T> random_arcs(std::size_t n, std::size_t num_arcs, std::uint64_t seed) {
  return random_arcs<T>(n, num_arcs, false, false, seed);
}

/// @p length chains of two paths each, one after the other: 2^length paths from vertex 0 to vertex
/// 3 length. Vertices 3 k + 1 and 3 k + 2 are in the middle of diamond k.
template <class T>
arc_list<T> diamonds(std::size_t length) {
  arc_list<T> g{3 * length + 1, {}, {}, {}};
  for (std::size_t k = 0; k < length; ++k) {
    for (const std::size_t middle : {3 * k + 1, 3 * k + 2}) {
      g.add(3 * k, middle, T{1});
      g.add(middle, 3 * k + 3, T{1});
    }
  }
  return g;
}

/// The shortest paths between all vertices of a graph, counted along arcs whose lengths add up
/// exactly.
template <class T>
class all_paths {
 public:
  /// @param limit  longer paths do not count.
  explicit all_paths(const arc_list<T>& g, bool merge_parallel = false,
                     std::optional<wide_t<T>> limit = std::nullopt)
      : g_(g), is_counted_(g.size(), 1), distances_(g.n, row(g.n)), counts_(g.n) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      const bool is_arc = g.weights[k] != apsp::unreachable<T> && g.from(k) != g.to(k);
      is_counted_[k] = is_arc ? 1 : 0;
      if (is_arc) shorten(distances_[g.from(k)][g.to(k)], weight(k));
    }
    if (merge_parallel) keep_first_of_parallel_arcs();
    for (std::size_t v = 0; v < g.n; ++v) distances_[v][v] = 0;
    for (std::size_t via = 0; via < g.n; ++via) {
      for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
        const auto& a = distances_[u][via];
        const auto& b = distances_[via][v];
        if (a && b) shorten(distances_[u][v], *a + *b);
      });
    }
    for (std::size_t s = 0; s < g.n; ++s) {
      std::map<std::size_t, double> known{{s, 1}};
      for (std::size_t v = 0; v < g.n; ++v) counts_[s].push_back(counted(s, v, known));
    }
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      auto& d = distances_[u][v];
      if (limit && d && *d > *limit) d.reset();
    });
  }

  const std::optional<wide_t<T>>& distance(std::size_t s, std::size_t t) const {
    return distances_[s][t];
  }
  double count(std::size_t s, std::size_t t) const { return distances_[s][t] ? counts_[s][t] : 0; }

  std::vector<double> vertex_scores(const list& sources,
                                    const apsp::betweenness_options& options) const {
    std::vector<double> scores(g_.n);
    for_each_connected(sources, [&](std::size_t s, std::size_t t) {
      for (std::size_t v = 0; v < g_.n; ++v) {
        const bool is_end = v == s || v == t;
        if (is_end && options.endpoints) scores[v] += 1;
        if (!is_end && is_length(s, t, s, v, v, t, 0)) scores[v] += share(s, t, v, v);
      }
    });
    return scaled(scores, options.endpoints, sources.size(), options);
  }
  std::vector<double> arc_scores(const list& sources,
                                 const apsp::betweenness_options& options) const {
    std::vector<double> scores(g_.size());
    for_each_connected(sources, [&](std::size_t s, std::size_t t) {
      for (std::size_t k = 0; k < g_.size(); ++k) {
        const std::size_t u = g_.from(k);
        const std::size_t v = g_.to(k);
        if (is_counted_[k] != 0 && is_length(s, t, s, u, v, t, weight(k))) {
          scores[k] += share(s, t, u, v);
        }
      }
    });
    return scaled(scores, true, sources.size(), options);
  }

 private:
  using row = std::vector<std::optional<wide_t<T>>>;

  wide_t<T> weight(std::size_t k) const { return static_cast<wide_t<T>>(g_.weights[k]); }
  static void shorten(std::optional<wide_t<T>>& d, wide_t<T> length) {
    if (!d || length < *d) d = length;
  }
  void keep_first_of_parallel_arcs() {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;
    for (std::size_t k = 0; k < g_.size(); ++k) {
      if (is_counted_[k] == 0) continue;
      const auto [best, is_new] = first.try_emplace({g_.from(k), g_.to(k)}, k);
      if (is_new) continue;
      const bool is_shorter = weight(k) < weight(best->second);
      is_counted_[is_shorter ? best->second : k] = 0;
      if (is_shorter) best->second = k;
    }
  }
  /// The number of shortest paths, from those to the vertices before.
  double counted(std::size_t s, std::size_t v, std::map<std::size_t, double>& known) const {
    if (!distances_[s][v]) return 0;
    const auto found = known.find(v);
    if (found != known.end()) return found->second;
    double sum = 0;
    for (std::size_t k = 0; k < g_.size(); ++k) {
      const auto& before = distances_[s][g_.from(k)];
      if (is_counted_[k] == 0 || g_.to(k) != v || !before) continue;
      if (*before + weight(k) == *distances_[s][v]) sum += counted(s, g_.from(k), known);
    }
    known[v] = sum;
    return sum;
  }
  template <class F>
  void for_each_connected(const list& sources, F f) const {
    for (const std::size_t s : sources) {
      for (std::size_t t = 0; t < g_.n; ++t) {
        if (s != t && distances_[s][t]) f(s, t);
      }
    }
  }
  /// True if the way a -> b, an arc of this length, and c -> d is a shortest path from s to t.
  bool is_length(std::size_t s, std::size_t t, std::size_t a, std::size_t b, std::size_t c,
                 std::size_t d, wide_t<T> length) const {
    const auto& first = distances_[a][b];
    const auto& second = distances_[c][d];
    return first && second && *first + length + *second == *distances_[s][t];
  }
  double share(std::size_t s, std::size_t t, std::size_t u, std::size_t v) const {
    return counts_[s][u] * counts_[v][t] / counts_[s][t];
  }
  /// By the conventions of `betweenness_options`.
  std::vector<double> scaled(std::vector<double> scores, bool with_ends, std::size_t num_sources,
                             const apsp::betweenness_options& options) const {
    const auto n = static_cast<double>(g_.n);
    double factor = options.halved ? 0.5 : 1;
    if (options.scaled_to_all && num_sources > 0) factor *= n / static_cast<double>(num_sources);
    if (options.normalized) {
      const double pairs = n * (n - 1) - (with_ends ? 0 : 2 * (n - 1));
      factor /= options.halved ? pairs / 2 : pairs;
      if (pairs <= 0) factor = 0;
    }
    for (double& score : scores) score *= factor;
    return scores;
  }

  const arc_list<T>& g_;
  std::vector<char> is_counted_;
  std::vector<row> distances_;
  std::vector<std::vector<double>> counts_;
};

/// What sums of shares may differ by, relative to them, in the type of the scores.
template <class Scores>
inline constexpr double rounding_of =
    std::is_same_v<typename Scores::value_type, float> ? 1e-6 : 1e-12;

template <class Scores>
void check_scores(const Scores& got, const std::vector<double>& expected, const char* what,
                  double rounding = rounding_of<Scores>) {
  BOOST_REQUIRE_EQUAL(got.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(static_cast<double>(got[i]) - expected[i]) <= rounding * (1 + expected[i]))
      continue;
    BOOST_ERROR("the score of " << what << " " << i << " is " << got[i] << ", not " << expected[i]);
    return;
  }
}

/// Some vertices, of which some are repeated.
inline list some_sources(std::size_t n, random_numbers& random) {
  list sources;
  for (std::size_t k = n == 0 ? 0 : random.index(n + 3); k > 0; --k) {
    sources.push_back(random.index(n));
  }
  if (!sources.empty()) sources.push_back(sources.front());
  return sources;
}

/// Each bit of the number is one of the options.
inline apsp::betweenness_options some_options(unsigned bits) {
  apsp::betweenness_options options;
  options.merge_parallel = (bits & 1) != 0;
  options.halved = (bits & 2) != 0;
  options.normalized = (bits & 4) != 0;
  options.endpoints = (bits & 8) != 0;
  options.scaled_to_all = (bits & 16) != 0;
  return options;
}

/// Boost's scores of vertices, and of edges in the order in which they were added.
template <class Directed, class T>
std::pair<std::vector<double>, std::vector<double>> boost_scores(const arc_list<T>& g) {
  using graph = boost::adjacency_list<
      boost::vecS, boost::vecS, Directed, boost::no_property,
      boost::property<boost::edge_weight_t, T, boost::property<boost::edge_index_t, std::size_t>>>;
  graph b(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    boost::add_edge(g.from(k), g.to(k), {g.weights[k], {k}}, b);
  }
  std::pair<std::vector<double>, std::vector<double>> scores{g.n, g.size()};
  boost::brandes_betweenness_centrality(
      b, boost::centrality_map(
             boost::make_iterator_property_map(scores.first.begin(), get(boost::vertex_index, b)))
             .edge_centrality_map(boost::make_iterator_property_map(scores.second.begin(),
                                                                    get(boost::edge_index, b)))
             .weight_map(get(boost::edge_weight, b)));
  return scores;
}

}  // namespace apsp_test
