// SPDX-License-Identifier: BSL-1.0
// Betweenness of graphs with small separators, which is found by sweeps over a hierarchy, compared
// to Boost's algorithm: policies x weights, with ties and without, directed and undirected graphs,
// several components, options, some sources, several devices, little memory, stops.
#define BOOST_TEST_MODULE betweenness_of_roads
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/error.hpp>
#include <apsp/policy.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// A grid without some of its arcs, and a path apart from it.
/// @param largest  weights are multiples of a quarter, or whole, from 1 on; if it is 1, most pairs
///                 have many shortest paths.
template <class T>
arc_list<T> streets(std::size_t side, std::int64_t largest, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t n = side * side + 9;
  arc_list<T> g{n, {}, {}, {}};
  const auto add = [&](std::size_t u, std::size_t v) {
    const auto weight = [&] {
      const auto whole = static_cast<double>(random(1, largest));
      return static_cast<T>(std::is_integral_v<T> ? whole : whole / 4);
    };
    const T there = weight();
    if (random.chance(0.95)) g.add(u, v, there);
    if (random.chance(0.95)) g.add(v, u, random.chance(0.7) ? there : weight());
  };
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const std::size_t u = i * side + j;
      if (j + 1 < side) add(u, u + 1);
      if (i + 1 < side) add(u, u + side);
    }
  }
  for (std::size_t u = side * side; u + 1 < n; ++u) add(u, u + 1);
  return g;
}

struct scores {
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;
};

/// Those of Boost.Graph, of all pairs.
template <class T>
scores scores_by_boost(const arc_list<T>& g) {
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                            boost::property<boost::edge_index_t, std::size_t>>;
  graph b(g.n);
  std::vector<double> weights;
  for (std::size_t a = 0; a < g.sources.size(); ++a) {
    boost::add_edge(static_cast<std::size_t>(g.sources[a]), static_cast<std::size_t>(g.targets[a]),
                    a, b);
    weights.push_back(static_cast<double>(g.weights[a]));
  }
  scores found{std::vector<double>(g.n), std::vector<double>(g.sources.size())};
  const auto numbers = get(boost::edge_index, b);
  boost::brandes_betweenness_centrality(
      b, boost::centrality_map(boost::make_iterator_property_map(found.of_vertices.begin(),
                                                                 get(boost::vertex_index, b)))
             .edge_centrality_map(boost::make_iterator_property_map(found.of_arcs.begin(), numbers))
             .weight_map(boost::make_iterator_property_map(weights.begin(), numbers)));
  return found;
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  BOOST_REQUIRE_EQUAL(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_REQUIRE_MESSAGE(std::abs(found[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])),
                          "score " << i << " is " << found[i] << ", expected " << expected[i]);
  }
}

/// @param options  @p g is a graph of any kind.
template <class Policy, class Graph>
scores scores_of(const Policy& policy, const Graph& g, std::size_t n, std::size_t num_arcs,
                 const apsp::betweenness_options& options = {}) {
  scores found{std::vector<double>(n), std::vector<double>(num_arcs)};
  const auto done = apsp::betweenness(policy, g, found.of_vertices, found.of_arcs, options);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
  return found;
}

using weights = std::tuple<std::int32_t, float, double, std::int64_t>;
template <class P, class W>
struct combination {
  using policy = P;
  using weight = W;
};
using cases = boost::mp11::mp_product<combination, policies, weights>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_pairs, C, cases) {
  using T = typename C::weight;
  for (const std::int64_t largest : {1, 3, 1000}) {
    const std::uint64_t seed = 10 + static_cast<std::uint64_t>(largest);
    BOOST_TEST_CONTEXT("weights up to " << largest << ", seed " << seed) {
      const auto g = streets<T>(20, largest, seed);
      const auto expected = scores_by_boost(g);
      const auto found = scores_of(C::policy::policy(), g.view(), g.n, g.sources.size());
      check_close(found.of_vertices, expected.of_vertices);
      check_close(found.of_arcs, expected.of_arcs);
    }
  }
}

// Sources that are given twice count twice.
BOOST_AUTO_TEST_CASE_TEMPLATE(some_sources, P, policies) {
  const auto g = streets<std::int32_t>(24, 5, 21);
  random_numbers random(22);
  std::vector<std::size_t> sources;
  for (int i = 0; i < 200; ++i) sources.push_back(random.index(g.n));
  const apsp::contraction_hierarchy<std::int32_t> hierarchy(apsp::seq, g.view());
  for (const bool with_ends : {false, true}) {
    const apsp::betweenness_options options{.endpoints = with_ends, .scaled_to_all = true};
    std::vector<double> found(g.n);
    std::vector<double> expected(g.n);
    const auto done = apsp::betweenness(P::policy(), hierarchy, sources, found, options);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
    // With a cutoff, paths are searched.
    const auto searched =
        apsp::betweenness(apsp::seq.cutoff(1000000), g.view(), sources, expected, options);
    BOOST_REQUIRE(searched);
    BOOST_CHECK(searched.algorithm() != apsp::algorithm::elimination);
    check_close(found, expected);
  }
}

// Numbers of paths of which no product fits a double.
BOOST_AUTO_TEST_CASE_TEMPLATE(too_many_paths, P, policies) {
  arc_list<std::int32_t> g{701, {}, {}, {}};
  for (std::size_t u = 0; u + 1 < g.n; ++u) {
    for (int k = 0; k < 3; ++k) g.add(u, u + 1, 1);
  }
  std::vector<double> found(g.n);
  BOOST_REQUIRE(apsp::betweenness(P::policy(), g.view(), found));
  for (std::size_t v = 0; v < g.n; ++v) {
    const double expected = static_cast<double>(v) * static_cast<double>(g.n - 1 - v);
    BOOST_REQUIRE_MESSAGE(std::abs(found[v] - expected) <= 1e-9 * (1 + expected),
                          "vertex " << v << " has " << found[v]);
  }
}

// Too many paths lead up to a place to which others are shorter.
BOOST_AUTO_TEST_CASE_TEMPLATE(too_many_longer_paths, P, policies) {
  constexpr std::size_t steps = 600;
  constexpr std::size_t a = 0;
  constexpr std::size_t b = steps;
  constexpr std::size_t c = 2 * steps;
  constexpr std::size_t z = c + 1;
  arc_list<std::int32_t> g{z + 1, {}, {}, {}};
  for (std::size_t u = a; u < c; ++u) {
    g.add(u, u + 1, 1);
    g.add(u, u + 1, 1);
  }
  for (std::size_t u = a; u < b; ++u) g.add(u, z, 1);
  for (std::size_t v = b + 1; v <= c; ++v) g.add(z, v, 1);
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < c; ++v) {
    if (v != a && v != b) order.push_back(v);
  }
  for (const std::size_t v : {a, b, c, z}) order.push_back(v);
  const apsp::contraction_hierarchy<std::int32_t> hierarchy(apsp::seq, g.view(), order);
  std::vector<double> found(g.n);
  std::vector<double> expected(g.n);
  BOOST_REQUIRE(apsp::betweenness(P::policy(), hierarchy, found));
  BOOST_REQUIRE(apsp::betweenness(apsp::seq.cutoff(1000000), g.view(), expected));
  check_close(found, expected);
}

// A tolerance below the rounding of sums, and one that is above it.
BOOST_AUTO_TEST_CASE_TEMPLATE(tolerances, P, policies) {
  auto g = streets<double>(20, 1000, 61);
  for (double& w : g.weights) w *= 0.1;
  for (const double tolerance : {0.0, 1e-18, 1e-16, 1e-12, 1e-9}) {
    std::vector<double> found(g.n);
    std::vector<double> expected(g.n);
    const apsp::betweenness_options options{.tolerance = tolerance};
    BOOST_REQUIRE(apsp::betweenness(P::policy(), g.view(), found, options));
    BOOST_REQUIRE(apsp::betweenness(apsp::seq.cutoff(1e9), g.view(), expected, options));
    BOOST_TEST_CONTEXT("tolerance " << tolerance) {
      check_close(found, expected);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, P, policies) {
  const auto g = streets<std::int32_t>(20, 9, 31);
  std::vector<double> found(g.n);
  const auto call = [&](const auto& policy) { return apsp::betweenness(policy, g.view(), found); };
  check_progress(P::policy(), g.n, call);
  std::fill(found.begin(), found.end(), -1);
  check_stopped_before(P::policy(), call);
  BOOST_CHECK(std::all_of(found.begin(), found.end(), [](double x) { return x == -1; }));
}

#ifdef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(the_same_bits_on_several_devices) {
  const auto g = streets<double>(24, 2, 41);
  const auto one =
      scores_of(apsp::cuda_tiled.required().device(0), g.view(), g.n, g.sources.size());
  const auto all = scores_of(apsp::cuda_tiled.required().devices(apsp::all_devices), g.view(), g.n,
                             g.sources.size());
  BOOST_CHECK(one.of_vertices == all.of_vertices);
  BOOST_CHECK(one.of_arcs == all.of_arcs);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, P, policies) {
  using namespace apsp::literals;
  const auto g = streets<std::int32_t>(40, 9, 51);
  const auto expected = scores_of(P::policy(), g.view(), g.n, g.sources.size());
  const auto found = scores_of(P::policy().memory_limit(2_MiB), g.view(), g.n, g.sources.size());
  BOOST_CHECK(found.of_vertices == expected.of_vertices);
  // Searches need less memory, but some.
  std::vector<double> searched(g.n);
  try {
    BOOST_REQUIRE(apsp::betweenness(P::policy().memory_limit(200_KiB), g.view(), searched));
    check_close(searched, expected.of_vertices);
  } catch (const apsp::device_error&) {
    BOOST_CHECK(std::all_of(searched.begin(), searched.end(), [](double x) { return x == 0; }));
  }
}

#endif
