// SPDX-License-Identifier: BSL-1.0
#define BOOST_TEST_MODULE path_summary
#include <algorithm>
#include <apsp/apsp.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/closeness_centrality.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/eccentricity.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

#include <boost/test/unit_test.hpp>
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/summaries.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(streamed_rows, C, policies_and_weights) {
  using T = typename C::weight;
  for (const std::size_t n : {0, 1, 2, 33, 257}) {
    for (const bool negative : {false, true}) {
      BOOST_TEST_CONTEXT("n = " << n << ", negative " << negative) {
        const double p = n == 0 ? 0 : 3.0 / static_cast<double>(n);
        const auto g =
            negative ? negative_graph<T>(n, p, 70 + n) : random_graph<T>(n, p, 0, 30, 70 + n);
        apsp::matrix<T> distances(n);
        BOOST_REQUIRE(apsp::johnson(C::policy(), g.view(), distances));
        const auto streamed = apsp::summarize_paths(C::policy(), g.view());
        check_summary<T>(streamed, distances, all_vertices(n), n);
        // All these distances are exact in floating point. Sums of inverses are not.
        if (runs_on_host(streamed.status().executed_on()) &&
            streamed.status().algorithm() != apsp::algorithm::elimination) {
          BOOST_CHECK(same_bits(streamed, apsp::summarize_distances(apsp::seq, distances)));
        }
        const auto bins = apsp::histogram_bins<T>::of_width(-5, 3, 10);
        const auto counts = apsp::path_length_histogram(C::policy(), g.view(), bins);
        const auto expected = apsp::distance_histogram(apsp::seq, distances, bins);
        BOOST_REQUIRE(counts);
        BOOST_CHECK(counts.counts == expected.counts);
        BOOST_CHECK(counts.below == expected.below && counts.above == expected.above &&
                    counts.unreachable == expected.unreachable);
        if (n == 0) continue;
        const std::list<std::size_t> some = {n - 1, 0, n / 2, 0};
        const auto of_some = apsp::summarize_paths(C::policy(), g.view(), some);
        std::vector<std::vector<T>> rows;
        for (const std::size_t s : some) rows.emplace_back(distances[s], distances[s] + n);
        check_summary<T>(of_some, rows, {some.begin(), some.end()}, n);
        const auto counts_of_some = apsp::path_length_histogram(C::policy(), g.view(), some, bins);
        BOOST_CHECK(counts_of_some.counts ==
                    apsp::distance_histogram(apsp::seq, rows, some, bins).counts);
      }
    }
  }
}

namespace {

/// Two grids that are not connected, with arcs of weight 0 and one-way arcs.
template <class T>
arc_list<T> two_grids(std::size_t side, bool negative, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t size = side * side;
  arc_list<T> g{2 * size, {}, {}, {}};
  std::vector<T> potentials;
  for (std::size_t v = 0; v < 2 * size; ++v) {
    potentials.push_back(negative ? static_cast<T>(random(0, 40)) : T{});
  }
  const auto connect = [&](std::size_t u, std::size_t v) {
    const auto w = static_cast<T>(random(0, 30));
    g.add(u, v, static_cast<T>(w + potentials[u] - potentials[v]));
    if (random.index(4) == 0) return;
    g.add(v, u, static_cast<T>(w + potentials[v] - potentials[u]));
  };
  for (std::size_t first : {std::size_t{0}, size}) {
    for (std::size_t v = 0; v < size; ++v) {
      if (v % side + 1 < side) connect(first + v, first + v + 1);
      if (v + side < size) connect(first + v, first + v + side);
    }
  }
  return g;
}

}  // namespace

// With a hierarchy, distances are added up during the sweeps. Numbers of sources that fill lanes, batches
// and groups, or not; in the order of the vertices and not; several times with one hierarchy.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy, C, policies_and_weights) {
  using T = typename C::weight;
  for (const bool negative : {false, true}) {
    if (negative && std::is_unsigned_v<T>) continue;
    const auto g = two_grids<T>(14, negative, 5);
    const std::size_t n = g.n;
    apsp::matrix<T> distances(n);
    BOOST_REQUIRE(apsp::johnson(apsp::seq, g.view(), distances));
    const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
    random_numbers random(9);
    for (const std::size_t k : {1, 15, 16, 17, 64, 65, 130, 392, 15}) {
      BOOST_TEST_CONTEXT("negative " << negative << ", " << k << " sources") {
        std::vector<std::size_t> sources;
        std::vector<std::vector<T>> rows;
        for (std::size_t i = 0; i < k; ++i) {
          sources.push_back(k == n ? i : random.index(n));
          rows.emplace_back(distances[sources.back()], distances[sources.back()] + n);
        }
        const auto summary = apsp::summarize_paths(C::policy(), prepared, sources);
        check_summary<T>(summary, rows, sources, n);
        if (k == n) {
          BOOST_CHECK(summary.status().algorithm() == apsp::algorithm::elimination);
        }
        if (runs_on_host(summary.status().executed_on())) {
          BOOST_CHECK(
              same_bits(summary, apsp::summarize_paths(apsp::omp.threads(3), prepared, sources)));
        }
      }
    }
  }
}

// One hierarchy serves calls of several threads.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy_by_threads, P, policies) {
  const auto g = two_grids<float>(20, false, 6);
  const std::size_t n = g.n;
  const apsp::contraction_hierarchy<float> prepared(apsp::seq, g.view());
  const auto expected = apsp::summarize_paths(apsp::seq, prepared);
  std::vector<char> is_equal(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < is_equal.size(); ++t) {
    threads.emplace_back([&, t] {
      bool all = true;
      for (std::size_t k : {n, n / 4 + t, std::size_t{5}, n}) {
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < k; ++i) sources.push_back((i * 7 + t) % n);
        const auto summary = apsp::summarize_paths(P::policy(), prepared, sources);
        all = all && summary && summary.sources().size() == k;
        for (std::size_t i = 0; all && i < k; ++i) {
          const auto& a = summary[i];
          const auto& b = expected[sources[i]];
          all = a.eccentricity == b.eccentricity && a.farthest == b.farthest &&
                a.num_reached == b.num_reached && a.sum == b.sum;
        }
      }
      is_equal[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char equal : is_equal) BOOST_CHECK(equal);
}

// Hops are the distances of the same graph without weights.
BOOST_AUTO_TEST_CASE_TEMPLATE(hops, P, policies) {
  arc_list<float> path{6, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < 6; ++v) path.add_undirected(v, v + 1, 2.5F);
  const auto g = path.view();
  const auto counts = apsp::path_length_histogram(P::policy(), apsp::unweighted(g),
                                                  apsp::histogram_bins<int>::of_width(0, 1, 5));
  BOOST_REQUIRE(counts);
  BOOST_CHECK((counts.counts == std::vector<std::uint64_t>{0, 10, 8, 6, 4}));
  BOOST_CHECK(counts.above == 2 && counts.below == 0 && counts.unreachable == 0);
  const auto summary = apsp::summarize_paths<double>(P::policy(), g);
  BOOST_CHECK(summary.diameter().distance == 12.5);
  BOOST_CHECK(summary.radius() == 7.5);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, P, policies) {
  arc_list<int> g{3, {}, {}, {}};
  g.add(0, 1, 1);
  g.add(1, 2, -3);
  g.add(2, 0, 1);
  const auto summary = apsp::summarize_paths(P::policy(), g.view());
  BOOST_CHECK(!summary);
  BOOST_CHECK(summary.status().negative_cycle().size() == 4);
  BOOST_CHECK(summary.sources().empty());
  const auto counts = apsp::path_length_histogram(P::policy(), g.view(),
                                                  apsp::histogram_bins<int>::of_width(0, 1, 3));
  BOOST_CHECK(!counts);
  BOOST_CHECK(counts.counts == std::vector<std::uint64_t>(3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observation, P, policies) {
  const auto g = random_graph<float>(200, 0.05, 0, 30, 1);
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 3);
  std::size_t last = 0;
  const auto watched =
      P::policy().progress([&](std::size_t done, std::size_t) { last = std::max(last, done); });
  BOOST_CHECK(apsp::summarize_paths(watched, g.view()));
  BOOST_CHECK(last == 200);
  std::stop_source stop;
  stop.request_stop();
  const auto policy = P::policy().stop(stop.get_token());
  const auto stopped = apsp::summarize_paths(policy, g.view());
  BOOST_CHECK(!stopped && stopped.status().stopped() && stopped.sources().empty());
  BOOST_CHECK(apsp::path_length_histogram(policy, g.view(), bins).status.stopped());
}

// Boost.Graph's measures of the same distances.
BOOST_AUTO_TEST_CASE_TEMPLATE(boost_measures, P, policies) {
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  for (const std::uint64_t seed : {1, 2, 3}) {
    random_numbers random(seed);
    const std::size_t n = 20 + random.index(40);
    graph g(n);
    arc_list<double> arcs{n, {}, {}, {}};
    for (std::size_t v = 1; v < n; ++v) {
      for (const std::size_t u : {random.index(v), random.index(v)}) {
        const auto w = static_cast<double>(random(1, 9));
        boost::add_edge(u, v, w, g);
        arcs.add_undirected(u, v, w);
      }
    }
    apsp::matrix<double> distances(n);
    for (std::size_t s = 0; s < n; ++s) {
      boost::dijkstra_shortest_paths(g, s,
                                     boost::distance_map(boost::make_iterator_property_map(
                                         distances[s], boost::get(boost::vertex_index, g))));
    }
    const auto summary = apsp::summarize_paths(P::policy(), arcs.view());
    BOOST_TEST_CONTEXT("seed " << seed) {
      double radius = std::numeric_limits<double>::max();
      double diameter = 0;
      for (std::size_t v = 0; v < n; ++v) {
        const auto row =
            boost::make_iterator_property_map(distances[v], boost::get(boost::vertex_index, g));
        const double eccentricity = boost::eccentricity(g, row);
        BOOST_CHECK(summary[v].eccentricity == eccentricity);
        radius = std::min(radius, eccentricity);
        diameter = std::max(diameter, eccentricity);
        // Boost defines closeness as 1 / sum.
        const double closeness = boost::closeness_centrality(g, row);
        BOOST_CHECK_CLOSE(summary.closeness(v), closeness * static_cast<double>(n - 1), 1e-10);
      }
      BOOST_CHECK(summary.radius() == radius);
      BOOST_CHECK(summary.diameter().distance == diameter);
    }
  }
}
