// SPDX-License-Identifier: BSL-1.0
// No host memory: whichever allocation of a call fails, and in whatever thread, std::bad_alloc comes out,
// nothing leaks, the results are as docs/contract.md says, and the next call is right.
#define BOOST_TEST_MODULE allocation_failure
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/transitive_closure.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/batches.hpp"
#include "common/failing_allocations.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/per_source.hpp"
#include "common/policies.hpp"
#include "common/products.hpp"
#include "common/semirings.hpp"
#include "common/summaries.hpp"

using namespace apsp_test;

namespace {

using host_policies = std::tuple<seq, omp_3_threads>;

/// Several tiles, so that threads share them, of the host's Floyd–Warshall.
constexpr std::size_t many_vertices = 300;

template <class T>
struct matrices {
  apsp::matrix<T> distances;
  apsp::matrix<std::int32_t> predecessors;
  bool operator==(const matrices&) const = default;
};

/// A graph, some sources and what is right for them.
template <class T>
struct known_graph {
  explicit known_graph(arc_list<T> g) : known_graph(g, all_vertices(g.n)) {}
  known_graph(arc_list<T> g, std::vector<std::size_t> from)
      : arcs(std::move(g)),
        sources(std::move(from)),
        expected(*oracle_rows(arcs, sources)),
        lightest(lightest_arcs(arcs)) {}

  auto view() const { return arcs.view(); }
  matrices<T> results() const {
    return {apsp::matrix<T>(sources.size(), arcs.n, T{42}),
            apsp::matrix<std::int32_t>(sources.size(), arcs.n, 42)};
  }
  void check(const apsp::result& done, const apsp::matrix<T>& distances) const {
    BOOST_REQUIRE(done);
    if (distances == right_.distances) return;
    check_rows<T>(expected, distances);
    right_.distances = distances;
  }
  void check(const apsp::result& done, const matrices<T>& all) const {
    BOOST_REQUIRE(done);
    if (all == right_) return;
    check(done, all.distances);
    check_trees<T>(lightest, sources, all.distances, all.predecessors);
    right_.predecessors = all.predecessors;
  }

  arc_list<T> arcs;
  std::vector<std::size_t> sources;
  wide_rows<T> expected;
  apsp::matrix<wide_t<T>> lightest;

 private:
  /// What has been found right before: to compare takes less time.
  mutable matrices<T> right_;
};

/// call(distances) and call(distances, predecessors), which both return a result.
template <class T, class Call>
void check_with_and_without_predecessors(const known_graph<T>& g, results promised,
                                         results promised_with_predecessors, Call call) {
  auto all = g.results();
  check_every_failure(
      all, promised, [&] { return call(all.distances); },
      [&](const apsp::result& done) { g.check(done, all.distances); });
  check_every_failure(
      all, promised_with_predecessors, [&] { return call(all.distances, all.predecessors); },
      [&](const apsp::result& done) { g.check(done, all); });
}

/// A graph with a cycle of length -1 through every third vertex.
template <class T>
arc_list<T> graph_with_negative_cycle(std::size_t n) {
  auto g = random_graph<T>(n, 0.05, 200, 400, n);
  const std::size_t last = (n - 1) / 3 * 3;
  for (std::size_t v = 0; v < last; v += 3) g.add(v, v + 3, T{1});
  g.add(last, 0, -static_cast<T>(last / 3) - T{1});
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall, Policy, host_policies) {
  const auto policy = Policy::policy();
  // Making trees of predecessors needs memory when distances are there already.
  const auto run = [&](const auto& g, const auto& with) {
    check_with_and_without_predecessors(
        g, results::stay_untouched, results::may_be_written,
        [&](auto&... to) { return apsp::floyd_warshall(with, g.view(), to...); });
  };
  const known_graph g(negative_graph<std::int32_t>(many_vertices, 0.05, 1));
  run(g, policy);
  run(known_graph(negative_graph<std::int32_t>(70, 0.1, 1)), policy.count_hops());
  run(known_graph(negative_graph<double>(100, 0.05, 2)), policy);
  // Sums that need 64 bits, and 128.
  run(known_graph(random_graph<std::int32_t>(60, 0.2, 1 << 22, 1 << 23, 3)), policy);
  run(known_graph(random_graph<std::int64_t>(60, 0.2, std::int64_t{1} << 55,
                                             (std::int64_t{1} << 55) + 999, 4)),
      policy);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_of_rows_and_matrices, Policy, host_policies) {
  const known_graph g(random_graph<std::int32_t>(many_vertices, 0.05, 1, 99, 5));
  // Distances of a wider type than the weights', and the graph where the distances go.
  std::vector<std::vector<std::int64_t>> rows(g.arcs.n, std::vector<std::int64_t>(g.arcs.n, 42));
  check_every_failure(
      rows, results::stay_untouched,
      [&] { return apsp::floyd_warshall(Policy::policy(), g.view(), rows); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        for (std::size_t u = 0; u < g.arcs.n; ++u) {
          for (std::size_t v = 0; v < g.arcs.n; ++v) {
            BOOST_REQUIRE(rows[u][v] == g.expected[u][v]);
          }
        }
      });
  auto matrix = dense(g.arcs);
  const auto graph = matrix;
  check_every_failure(
      matrix, results::stay_untouched,
      [&] { return apsp::floyd_warshall(Policy::policy(), matrix, matrix); },
      [&](const apsp::result& done) {
        g.check(done, matrix);
        matrix = graph;
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(closures_over_semirings, Policy, host_policies) {
  const auto run = [&]<class S>(S semiring, std::size_t n) {
    using T = typename S::value_type;
    const auto g = semiring_graph<S>(n, 0.05, 6);
    const auto expected = best_values<S>(g);
    matrices<T> all{apsp::matrix<T>(n, n, T{42}), apsp::matrix<std::int32_t>(n, n, 42)};
    const auto view = g.view();
    const auto check = [&](const apsp::result& done) {
      BOOST_REQUIRE(done);
      check_values<S>(expected, all.distances);
    };
    const auto policy = Policy::policy();
    check_every_failure(
        all, results::stay_untouched,
        [&] { return apsp::floyd_warshall(policy, view, all.distances, semiring); }, check);
    check_every_failure(
        all, results::may_be_written,
        [&] {
          return apsp::floyd_warshall(policy, view, all.distances, all.predecessors, semiring);
        },
        check);
    check_every_failure(
        all, results::stay_untouched,
        [&] { return apsp::repeated_squaring(policy, view, all.distances, semiring); }, check);
    check_every_failure(
        all, results::may_be_written,
        [&] { return apsp::all_pairs_shortest_paths(policy, view, all.distances, semiring); },
        check);
    check_every_failure(
        all, results::may_be_written,
        [&] { return apsp::dijkstra(policy, view, all.distances, all.predecessors, semiring); },
        check);
  };
  run(apsp::max_min<std::int32_t>{}, many_vertices / 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(repeated_squaring, Policy, host_policies) {
  const known_graph g(negative_graph<std::int32_t>(many_vertices / 2, 0.1, 7));
  check_with_and_without_predecessors(
      g, results::stay_untouched, results::may_be_written,
      [&](auto&... to) { return apsp::repeated_squaring(Policy::policy(), g.view(), to...); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batch, Policy, host_policies) {
  answered<std::int32_t> expected;
  for (std::size_t i = 0; i < 24; ++i) {
    expected.add(negative_graph<std::int32_t>(i == 20 ? 260 : 3 + 2 * i, 0.2, i));
  }
  const auto graphs = views(expected.graphs);
  auto distances = matrices_for(expected.graphs);
  check_every_failure(
      distances, results::may_be_written,
      [&] { return apsp::floyd_warshall(Policy::policy(), graphs, distances); },
      [&](const std::vector<apsp::result>& done) { check_answers(expected, done, distances); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_every_vertex, Policy, host_policies) {
  const auto policy = Policy::policy();
  const auto run = [&](const auto& g, const auto& with, const auto& methods) {
    for (const apsp::algorithm method : methods) {
      check_with_and_without_predecessors(
          g, results::may_be_written, results::may_be_written,
          [&](auto&... to) { return apsp_test::run(method, with, g.view(), to...); });
    }
    check_with_and_without_predecessors(
        g, results::may_be_written, results::may_be_written,
        [&](auto&... to) { return apsp::all_pairs_shortest_paths(with, g.view(), to...); });
  };
  run(known_graph(some_graph<std::int32_t>(60, 0, 8)), policy, per_source_algorithms);
  run(known_graph(some_graph<std::int32_t>(60, 0, 8)), policy.count_hops(), per_source_algorithms);
  run(known_graph(some_graph<float>(60, 0, 9)), policy, per_source_algorithms);
  run(known_graph(negative_graph<std::int32_t>(60, 0.06, 10)), policy,
      algorithms_for_negative_weights);
  run(known_graph(negative_graph<float>(60, 0.06, 11)), policy, algorithms_for_negative_weights);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_some_vertices, Policy, host_policies) {
  const std::size_t n = 200;
  const known_graph g(some_graph<std::int32_t>(n, 0, 12), some_vertices(n, 20, 13));
  for (const apsp::algorithm method : per_source_algorithms) {
    check_with_and_without_predecessors(
        g, results::may_be_written, results::may_be_written, [&](auto&... to) {
          return apsp_test::run(method, Policy::policy(), g.view(), g.sources, to...);
        });
  }
  // Rows that are given to a function, which writes them here.
  auto all = g.results();
  std::size_t row = 0;
  check_every_failure(
      all, results::may_be_written,
      [&] {
        row = 0;
        return apsp::for_each_row(
            Policy::policy(), g.view(), g.sources,
            [&](std::size_t source, std::span<const std::int32_t> distances,
                std::span<const std::int32_t> predecessors) {
              // One source comes twice, and rows in any order.
              for (std::size_t i = 0; i < g.sources.size(); ++i) {
                if (g.sources[i] != source) continue;
                std::copy(distances.begin(), distances.end(), all.distances[i]);
                std::copy(predecessors.begin(), predecessors.end(), all.predecessors[i]);
              }
              ++row;
            });
      },
      [&](const apsp::result& done) {
        BOOST_REQUIRE_EQUAL(row, g.sources.size());
        g.check(done, all);
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, host_policies) {
  const auto policy = Policy::policy();
  const auto run = [&](const auto& g) {
    using T = std::remove_cvref_t<decltype(g.weights.front())>;
    apsp::matrix<T> distances(g.n);
    const auto check = [&](const apsp::result& done) {
      BOOST_REQUIRE(!done);
      check_negative_cycle(g, done.negative_cycle());
    };
    const auto view = g.view();
    check_every_failure(
        distances, results::may_be_written,
        [&] { return apsp::floyd_warshall(policy, view, distances); }, check);
    check_every_failure(
        distances, results::may_be_written,
        [&] { return apsp::repeated_squaring(policy, view, distances); }, check);
    for (const apsp::algorithm method : algorithms_for_negative_weights) {
      check_every_failure(
          distances, results::stay_untouched,
          [&] { return apsp_test::run(method, policy, view, distances); }, check);
    }
  };
  run(graph_with_negative_cycle<std::int32_t>(130));
  run(graph_with_negative_cycle<double>(50));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products, Policy, host_policies) {
  using semiring = apsp::min_plus<std::int32_t>;
  random_numbers random(14);
  const auto a = random_matrix<semiring>(150, 170, 0, 99, random);
  const auto b = random_matrix<semiring>(170, 140, 0, 99, random);
  auto c = random_matrix<semiring>(150, 140, 0, 99, random);
  const auto before = c;
  auto expected = c;
  triple_loop<semiring>(a, b, expected);
  check_every_failure(
      c, results::stay_untouched, [&] { return apsp::min_plus_product(Policy::policy(), a, b, c); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(c == expected);
        c = before;
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transitive_closures, Policy, host_policies) {
  // By components, and by tiles.
  for (const double density : {0.004, 0.3}) {
    const auto g = random_graph<std::int32_t>(700, density, 1, 1, 15);
    const auto expected = oracle_distances(g);
    const auto view = g.view();
    const auto check = [&](const apsp::result& done, const auto& bits) {
      BOOST_REQUIRE(done);
      for (std::size_t u = 0; u < g.n; ++u) {
        for (std::size_t v = 0; v < g.n; ++v) {
          if ((bits(u, v) != 0) != ((*expected)[u][v] != wide_unreachable<std::int32_t>)) {
            BOOST_FAIL("bit (" << u << ", " << v << ") is " << bits(u, v));
          }
        }
      }
    };
    apsp::bit_matrix bits(g.n);
    check_every_failure(
        bits, results::may_be_written,
        [&] { return apsp::transitive_closure(Policy::policy(), view, bits); },
        [&](const apsp::result& done) { check(done, bits); });
    apsp::matrix<char> bytes(g.n);
    check_every_failure(
        bytes, results::may_be_written,
        [&] { return apsp::transitive_closure(Policy::policy(), view, bytes); },
        [&](const apsp::result& done) { check(done, bytes); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(summaries, Policy, host_policies) {
  const std::size_t n = 150;
  const known_graph g(some_graph<std::int32_t>(n, 0, 16));
  apsp::matrix<std::int32_t> distances(n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), distances));
  const apsp::matrix<double> wide = [&] {
    apsp::matrix<double> made(n);
    BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), made));
    return made;
  }();
  const auto bins = apsp::histogram_bins<std::int32_t>::of_width(0, 10, 12);
  std::vector<std::int32_t> edges;
  add_bound<std::int32_t>(edges, 0, 10, 12);
  const auto counts = expect_counts(distances, g.sources, edges);
  // Nothing is written: the answers are returned.
  int nothing = 0;
  const auto check = [&](const auto& summary) {
    check_summary<std::int32_t>(summary, distances, g.sources, n);
  };
  const auto check_wide = [&](const auto& summary) {
    check_summary<double>(summary, wide, g.sources, n);
  };
  const auto check_bins = [&](const auto& histogram) { check_counts(histogram, counts); };
  const auto run = [&](auto call, auto see) {
    check_every_failure(nothing, results::stay_untouched, call, see);
  };
  const auto policy = Policy::policy();
  run([&] { return apsp::summarize_distances(policy, distances); }, check);
  run([&] { return apsp::summarize_distances(policy, wide, g.sources); }, check_wide);
  run([&] { return apsp::summarize_paths(policy, g.view()); }, check);
  run([&] { return apsp::distance_histogram(policy, distances, bins); }, check_bins);
  run([&] { return apsp::path_length_histogram(policy, g.view(), bins); }, check_bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(boost_functions, Policy, host_policies) {
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                            boost::property<boost::edge_weight_t, std::int32_t>>;
  const known_graph known(random_graph<std::int32_t>(160, 0.06, 1, 99, 17));
  graph g(known.arcs.n);
  for (std::size_t k = 0; k < known.arcs.size(); ++k) {
    boost::add_edge(static_cast<std::size_t>(known.arcs.sources[k]),
                    static_cast<std::size_t>(known.arcs.targets[k]), known.arcs.weights[k], g);
  }
  const auto policy = Policy::policy();
  apsp::matrix<std::int32_t> distances(known.arcs.n, known.arcs.n, 42);
  const auto check = [&](bool done) {
    BOOST_REQUIRE(done);
    check_rows<std::int32_t>(known.expected, distances);
  };
  check_every_failure(
      distances, results::may_be_written,
      [&] { return apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, distances); }, check);
  check_every_failure(
      distances, results::may_be_written,
      [&] { return apsp::johnson_all_pairs_shortest_paths(policy, g, distances); }, check);
  auto initialized = dense(known.arcs);
  for (std::size_t v = 0; v < known.arcs.n; ++v) initialized[v][v] = 0;
  const auto before = initialized;
  check_every_failure(
      initialized, results::may_be_written,
      [&] {
        return apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy, g, initialized);
      },
      [&](bool done) {
        BOOST_REQUIRE(done);
        check_rows<std::int32_t>(known.expected, initialized);
        initialized = before;
      });
  // Functions of the caller's, which run as they are.
  const auto sum = [](std::int32_t x, std::int32_t y) { return x + y; };
  const auto less = [](std::int32_t x, std::int32_t y) { return x < y; };
  check_every_failure(
      distances, results::may_be_written,
      [&] {
        return apsp::floyd_warshall_all_pairs_shortest_paths(
            policy, g, distances, boost::get(boost::edge_weight, g), less, sum,
            (std::numeric_limits<std::int32_t>::max)(), 0);
      },
      check);
}
