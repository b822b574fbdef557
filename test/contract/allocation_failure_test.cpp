// SPDX-License-Identifier: BSL-1.0
// Tests of failing host allocations. Whichever allocation of a call fails, in any thread:
// std::bad_alloc is thrown, nothing leaks, the results are as docs/contract.md specifies, and the
// next call succeeds.
#define BOOST_TEST_MODULE allocation_failure
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/accessibility.hpp>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/betweenness.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/breadth_first_search.hpp>
#include <apsp/breadth_first_search_batch.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/for_each_path.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/tight_predecessors.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/batches.hpp"
#include "../common/boost_calls.hpp"
#include "../common/failing_allocations.hpp"
#include "../common/graphs.hpp"
#include "../common/known_graph.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// A matrix that is accessed entry by entry and stored by columns.
template <class T>
class by_columns {
 public:
  explicit by_columns(std::size_t n) : n_(n), entries_(n * n, T{42}) {}
  std::size_t rows() const { return n_; }
  std::size_t cols() const { return n_; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[j * n_ + i]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries_[j * n_ + i]; }
  bool operator==(const by_columns&) const = default;

 private:
  std::size_t n_;
  std::vector<T> entries_;
};

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
  // The trees of predecessors need memory after the distances have been written.
  const auto run = [&](const auto& g, const auto& with) {
    check_with_and_without_predecessors(
        g, results::stay_untouched, results::may_be_written,
        [&](auto&... to) { return apsp::floyd_warshall(with, g.view(), to...); });
  };
  const known_graph g(negative_graph<std::int32_t>(many_vertices, 0.05, 1));
  run(g, policy);
  run(known_graph(negative_graph<std::int32_t>(70, 0.1, 1)), policy.prefer_fewest_edges());
  run(known_graph(negative_graph<double>(100, 0.05, 2)), policy);
  // A call with a callback is solved in steps.
  std::size_t reports = 0;
  run(g, policy.progress([&](std::size_t, std::size_t) { ++reports; }));
  BOOST_REQUIRE_GT(reports, 0);
  // Weights > 0 need no separate construction of trees.
  const known_graph positive(random_graph<std::int32_t>(many_vertices / 2, 0.05, 1, 99, 18));
  check_with_and_without_predecessors(
      positive, results::stay_untouched, results::stay_untouched,
      [&](auto&... to) { return apsp::floyd_warshall(policy, positive.view(), to...); });
  // Sums that need 64 bits, and sums that need 128 bits.
  run(known_graph(random_graph<std::int32_t>(60, 0.2, 1 << 22, 1 << 23, 3)), policy);
  run(known_graph(random_graph<std::int64_t>(60, 0.2, std::int64_t{1} << 55,
                                             (std::int64_t{1} << 55) + 999, 4)),
      policy);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_of_rows_and_matrices, Policy, host_policies) {
  const known_graph g(random_graph<std::int32_t>(many_vertices, 0.05, 1, 99, 5));
  // The distances have a wider type than the weights, and the graph is in the result matrix.
  std::vector<std::vector<std::int64_t>> rows(g.arcs.n, std::vector<std::int64_t>(g.arcs.n, 42));
  check_every_failure(
      rows, results::stay_untouched,
      [&] { return apsp::floyd_warshall(Policy::policy(), g.view(), rows); },
      [&](const apsp::result& done) { g.check_entries(done, rows); });
  auto matrix = dense_form(g.arcs);
  const auto graph = matrix;
  check_every_failure(
      matrix, results::stay_untouched,
      [&] { return apsp::floyd_warshall(Policy::policy(), matrix, matrix); },
      [&](const apsp::result& done) {
        g.check(done, matrix);
        matrix = graph;
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_of_whole_numbers, Policy, host_policies) {
  // Enough vertices for the search for a narrower type, in sparse and dense graphs.
  for (const double p : {0.02, 0.2}) {
    const known_graph g(random_graph<float>(513, p, 1, 99, 21));
    apsp::matrix<float> distances(g.arcs.n, g.arcs.n, 42);
    check_every_failure(
        distances, results::stay_untouched,
        [&] { return apsp::floyd_warshall(Policy::policy(), g.arcs.view(), distances); },
        [&](const apsp::result& done) { g.check(done, distances); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_of_columns, Policy, host_policies) {
  const known_graph g(random_graph<std::int32_t>(150, 0.05, 1, 99, 19));
  by_columns<std::int32_t> columns(g.arcs.n);
  const auto csr = in_rows(g.arcs);
  check_every_failure(
      columns, results::stay_untouched,
      [&] { return apsp::floyd_warshall(Policy::policy(), csr.view(), columns); },
      [&](const apsp::result& done) { g.check_entries(done, columns); });
}

// Distances above the cutoff become unreachable.
BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, Policy, host_policies) {
  constexpr std::int32_t limit = 60;
  known_graph g(random_graph<std::int32_t>(150, 0.03, 1, 99, 20));
  g.expected = within<std::int32_t>(g.expected, limit);
  const auto policy = Policy::policy().cutoff(limit);
  apsp::matrix<std::int32_t> distances(g.arcs.n, g.arcs.n, 42);
  for (const auto method : {apsp::algorithm::floyd_warshall, apsp::algorithm::dijkstra}) {
    check_every_failure(
        distances, results::stay_untouched,
        [&] { return run_all_pairs(method, policy, g.view(), distances); },
        [&](const apsp::result& done) { g.check(done, distances); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(repeated_squaring, Policy, host_policies) {
  const known_graph g(negative_graph<std::int32_t>(many_vertices / 2, 0.1, 7));
  check_with_and_without_predecessors(
      g, results::stay_untouched, results::may_be_written,
      [&](auto&... to) { return apsp::repeated_squaring(Policy::policy(), g.view(), to...); });
}

namespace {

template <class T, class Solve>
void check_batch(const answered<T>& expected, results promised, Solve solve) {
  const auto graphs = views(expected.graphs);
  auto distances = matrices_for(expected.graphs);
  check_every_failure(
      distances, promised, [&] { return solve(graphs, distances); },
      [&](const std::vector<apsp::result>& done) { check_answers(expected, done, distances); });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(batch, Policy, host_policies) {
  answered<std::int32_t> expected;
  answered<std::int32_t> of_equal_weights;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t n = i == 20 ? 260 : 3 + 2 * i;
    expected.add(negative_graph<std::int32_t>(n, 0.2, i));
    of_equal_weights.add(random_graph<std::int32_t>(n, 0.2, 2, 2, i));
  }
  const auto solve = [](const auto& graphs, auto& distances) {
    return apsp::floyd_warshall(Policy::policy(), graphs, distances);
  };
  check_batch(expected, results::may_be_written, solve);
  check_batch(of_equal_weights, results::may_be_written, [](const auto& graphs, auto& distances) {
    return apsp::breadth_first_search(Policy::policy(), graphs, distances);
  });
  // The largest graph that is not solved by a call of its own, larger than a 64-bit tile.
  answered<std::int64_t> one;
  one.add(random_graph<std::int64_t>(256, 0.05, 1, std::int64_t{1} << 40, 21));
  check_batch(one, results::stay_untouched, solve);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_every_vertex, Policy, host_policies) {
  const auto policy = Policy::policy();
  const auto run = [&](const auto& g, const auto& with, const auto& methods, results per_source) {
    for (const apsp::algorithm method : methods) {
      check_with_and_without_predecessors(g, per_source, per_source, [&](auto&... to) {
        return apsp_test::run(method, with, g.view(), to...);
      });
    }
    check_with_and_without_predecessors(
        g, results::may_be_written, results::may_be_written,
        [&](auto&... to) { return apsp::all_pairs_shortest_paths(with, g.view(), to...); });
  };
  run(known_graph(some_graph<std::int32_t>(60, 0, 8)), policy, per_source_algorithms,
      results::stay_untouched);
  run(known_graph(some_graph<std::int32_t>(60, 0, 8)), policy.prefer_fewest_edges(),
      per_source_algorithms, results::may_be_written);
  run(known_graph(some_graph<float>(60, 0, 9)), policy, per_source_algorithms,
      results::stay_untouched);
  run(known_graph(negative_graph<std::int32_t>(60, 0.06, 10)), policy,
      algorithms_for_negative_weights, results::stay_untouched);
  run(known_graph(negative_graph<float>(60, 0.06, 11)), policy, algorithms_for_negative_weights,
      results::may_be_written);
}

// The search for potentials takes so many passes that the graph is eliminated, and goes on without
// it if memory runs out.
BOOST_AUTO_TEST_CASE_TEMPLATE(potentials_of_a_long_path, Policy, host_policies) {
  constexpr std::size_t n = 3000;
  const auto way = zigzag(n);
  arc_list<double> g{n, {}, {}, {}};
  std::vector<double> expected(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    g.add(way[i], way[i + 1], -1);
    expected[way[i + 1]] = -static_cast<double>(i + 1);
  }
  const std::vector<std::size_t> source{way.front()};
  apsp::matrix<double> distances(1, n, 42);
  check_every_failure(
      distances, results::may_be_written,
      [&] { return apsp::johnson(Policy::policy(), g.view(), source, distances); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_CHECK(std::equal(expected.begin(), expected.end(), distances[0]));
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_some_vertices, Policy, host_policies) {
  const std::size_t n = 200;
  const known_graph g(some_graph<std::int32_t>(n, 0, 12), some_vertices(n, 20, 13));
  for (const apsp::algorithm method : per_source_algorithms) {
    check_with_and_without_predecessors(
        g, results::stay_untouched, results::stay_untouched, [&](auto&... to) {
          return apsp_test::run(method, Policy::policy(), g.view(), g.sources, to...);
        });
  }
  for (const std::size_t count : {20, 100, 600}) {
    const known_graph equal(random_graph<std::int32_t>(n, 0.02, 3, 3, 14),
                            some_vertices(n, count, 15));
    check_with_and_without_predecessors(
        equal, results::stay_untouched, results::stay_untouched, [&](auto&... to) {
          return apsp::breadth_first_search(Policy::policy(), equal.view(), equal.sources, to...);
        });
  }
  const auto csr = in_rows(g.arcs);
  check_with_and_without_predecessors(
      g, results::stay_untouched, results::stay_untouched, [&](auto&... to) {
        return apsp::bellman_ford(Policy::policy(), csr.view(), g.sources, to...);
      });
  // The rows are passed to a function, which stores them here.
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
              // One source occurs twice, and the rows are in arbitrary order.
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

BOOST_AUTO_TEST_CASE_TEMPLATE(queries, Policy, host_policies) {
  const auto policy = Policy::policy();
  const known_graph g(some_graph<std::int32_t>(200, 0, 24), some_vertices(200, 20, 25));
  const auto view = g.view();
  // Searches from the sources, and from the targets.
  for (const std::size_t num_targets : {50, 5}) {
    const auto targets = some_vertices(200, num_targets, 26);
    apsp::matrix<std::int32_t> table(g.sources.size(), targets.size(), 42);
    check_every_failure(
        table, results::may_be_written,
        [&] { return apsp::distance_table(policy, view, g.sources, targets, table); },
        [&](const apsp::result& done) {
          BOOST_REQUIRE(done);
          for (std::size_t i = 0; i < g.sources.size(); ++i) {
            for (std::size_t j = 0; j < targets.size(); ++j) {
              BOOST_REQUIRE(same_distance<std::int32_t>(table[i][j], g.expected[i][targets[j]]));
            }
          }
        });
  }
  std::vector<std::vector<std::int32_t>> rows(3, std::vector<std::int32_t>(200, 42));
  check_every_failure(
      rows, results::stay_untouched,
      [&] { return apsp::nearest_sources(policy, view, g.sources, rows[0], rows[1], rows[2]); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        for (std::size_t v = 0; v < 200; ++v) {
          auto expected = wide_unreachable<std::int32_t>;
          for (const auto& row : g.expected) expected = std::min(expected, row[v]);
          BOOST_REQUIRE(same_distance<std::int32_t>(rows[0][v], expected));
        }
      });
  for (const long double cutoff : {30.0L, 1000.0L}) {
    std::vector<int> none;
    check_every_failure(
        none, results::stay_untouched,
        [&] { return apsp::distances_within(policy, view, cutoff, g.sources); },
        [&](const apsp::sparse_distances<std::int32_t>& near) {
          BOOST_REQUIRE(near);
          std::size_t expected = 0;
          for (const auto& row : g.expected) {
            for (const auto d : row) expected += static_cast<long double>(d) <= cutoff ? 1 : 0;
          }
          BOOST_REQUIRE_EQUAL(near.targets.size(), expected);
        });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shortest_paths, Policy, host_policies) {
  const auto policy = Policy::policy();
  const known_graph g(random_graph<std::int32_t>(100, 0.05, 1, 9, 29), some_vertices(100, 12, 30));
  const apsp::contraction_hierarchy<std::int32_t> prepared(policy, g.view());
  const auto targets = some_vertices(100, 12, 31);
  const auto pass_paths = [&](const auto& graph) {
    std::vector<std::int32_t> lengths(targets.size(), 42);
    check_every_failure(
        lengths, results::may_be_written,
        [&] {
          return apsp::for_each_path(
              policy, graph, g.sources, targets,
              [&](std::size_t k, std::int32_t distance, std::span<const std::int32_t> path) {
                const bool is_reached = distance != apsp::unreachable<std::int32_t>;
                BOOST_REQUIRE_EQUAL(is_reached, !path.empty());
                lengths[k] = distance;
              });
        },
        [&](const apsp::result& done) {
          BOOST_REQUIRE(done);
          for (std::size_t k = 0; k < targets.size(); ++k) {
            BOOST_REQUIRE(same_distance<std::int32_t>(lengths[k], g.expected[k][targets[k]]));
          }
        });
  };
  pass_paths(g.view());
  pass_paths(prepared);
  std::vector<double> expected(100);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), expected));
  std::vector<double> scores(100, 42);
  check_every_failure(
      scores, results::stay_untouched, [&] { return apsp::betweenness(policy, g.view(), scores); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(scores == expected);
        scores.assign(100, 42);
      });
  const auto count_predecessors = [&](const auto& any_policy, std::vector<std::size_t>& counts) {
    return apsp::tight_predecessors(any_policy, g.view(), g.sources,
                                    [&](std::size_t row, std::size_t, std::span<const std::int32_t>,
                                        const apsp::predecessor_lists_view& lists) {
                                      counts[row] = lists.predecessors().size();
                                    });
  };
  std::vector<std::size_t> expected_counts(g.sources.size());
  BOOST_REQUIRE(count_predecessors(apsp::seq, expected_counts));
  std::vector<std::size_t> counts(g.sources.size(), 42);
  check_every_failure(
      counts, results::may_be_written, [&] { return count_predecessors(policy, counts); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(counts == expected_counts);
      });
}

// Sweeps over a hierarchy of all shortest paths.
BOOST_AUTO_TEST_CASE_TEMPLATE(counted_paths, Policy, host_policies) {
  const auto policy = Policy::policy();
  const auto g = to_arcs<std::int32_t>(grid_graph<std::int32_t>(20, 20, 9, 32));
  const apsp::contraction_hierarchy<std::int32_t> prepared(policy, g.view());
  const auto searched = apsp::seq.cutoff(1e6);
  using all_scores = std::pair<std::vector<double>, std::vector<double>>;
  all_scores expected(g.n, g.size());
  BOOST_REQUIRE(apsp::betweenness(searched, g.view(), expected.first, expected.second));
  all_scores scores(std::vector<double>(g.n, 42), std::vector<double>(g.size(), 42));
  check_every_failure(
      scores, results::stay_untouched,
      [&] { return apsp::betweenness(policy, prepared, scores.first, scores.second); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(done.algorithm() == apsp::algorithm::elimination);
        for (std::size_t v = 0; v < g.n; ++v) {
          BOOST_REQUIRE_CLOSE(scores.first[v], expected.first[v], 1e-9);
        }
        for (std::size_t a = 0; a < g.size(); ++a) {
          BOOST_REQUIRE_CLOSE(scores.second[a], expected.second[a], 1e-9);
        }
        scores = {std::vector<double>(g.n, 42), std::vector<double>(g.size(), 42)};
      });

  // Each thread needs memory for its next batch after rows have been written.
  using lengths_and_counts = std::pair<apsp::matrix<std::int32_t>, apsp::matrix<double>>;
  const auto sources = some_vertices(g.n, 200, 33);
  const auto make_rows = [&] {
    return lengths_and_counts{{sources.size(), g.n, 42}, {sources.size(), g.n, 42}};
  };
  lengths_and_counts expected_rows = make_rows();
  BOOST_REQUIRE(
      apsp::count_paths(searched, g.view(), sources, expected_rows.first, expected_rows.second));
  lengths_and_counts rows = make_rows();
  check_every_failure(
      rows, results::may_be_written,
      [&] { return apsp::count_paths(policy, prepared, sources, rows.first, rows.second); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(done.algorithm() == apsp::algorithm::elimination);
        BOOST_REQUIRE(rows == expected_rows);
        rows = make_rows();
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accessibility, Policy, host_policies) {
  const auto policy = Policy::policy();
  const known_graph g(some_graph<std::int32_t>(200, 0, 27), some_vertices(200, 70, 28));
  const apsp::contraction_hierarchy<std::int32_t> prepared(policy, g.view());
  // Of all vertices, and of some of them.
  for (const std::size_t every : {1, 7}) {
    apsp::matrix<double> amounts(200, 2);
    for (std::size_t v = 0; v < 200; v += every) amounts[v][0] = amounts[v][1] = 3;
    const auto run = [&](const auto& graph, const auto& decay, double share, long double cutoff) {
      apsp::matrix<double> sums(g.sources.size(), 2, 42);
      check_every_failure(
          sums, results::may_be_written,
          [&] { return apsp::accessibility(policy, graph, g.sources, amounts, decay, sums); },
          [&](const apsp::result& done) {
            BOOST_REQUIRE(done);
            for (std::size_t i = 0; i < g.sources.size(); ++i) {
              double expected = 0;
              for (std::size_t v = 0; v < 200; ++v) {
                const auto d = g.expected[i][v];
                const bool counts =
                    d != wide_unreachable<std::int32_t> && static_cast<long double>(d) <= cutoff;
                if (counts) expected += amounts[v][0] * share;
              }
              BOOST_REQUIRE_EQUAL(sums[i][0], expected);
              BOOST_REQUIRE_EQUAL(sums[i][1], expected);
            }
          });
    };
    constexpr long double everywhere = std::numeric_limits<long double>::infinity();
    const auto half = [](std::span<const std::int32_t>, std::span<double> shares) {
      std::fill(shares.begin(), shares.end(), 0.5);
    };
    run(g.view(), apsp::within(40), 1, 40);
    run(g.view(), apsp::exponential(0), 1, everywhere);
    run(g.view(), half, 0.5, everywhere);
    run(prepared, apsp::within(everywhere), 1, everywhere);
    run(prepared, apsp::exponential(0), 1, everywhere);
  }
}

// A thread allocates all it needs for its first row before any row is written.
BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_new_threads, Policy, host_policies) {
  const auto policy = Policy::policy();
  const auto run = [](const auto& g, auto call) {
    check_with_and_without_predecessors(
        g, results::stay_untouched, results::stay_untouched, [&](auto&... to) {
          // The new thread has its own OpenMP team.
          return std::async(std::launch::async, [&] { return call(g.view(), to...); }).get();
        });
  };
  const known_graph reals(random_graph<float>(60, 0.05, 1, 9, 22));
  for (const apsp::algorithm method : per_source_algorithms) {
    run(reals, [&](const auto& graph, auto&... to) {
      return apsp_test::run(method, policy, graph, to...);
    });
  }
  // A cutoff that is larger than all distances.
  const known_graph integers(random_graph<std::int32_t>(60, 0.05, 1, 9, 23));
  run(integers, [&](const auto& graph, auto&... to) {
    return apsp::floyd_warshall(policy.cutoff(1000), graph, to...);
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

BOOST_AUTO_TEST_CASE_TEMPLATE(boost_functions, Policy, host_policies) {
  const known_graph known(random_graph<std::int32_t>(160, 0.06, 1, 99, 17));
  const auto g = build_directed(known.arcs);
  const auto policy = Policy::policy();
  apsp::matrix<std::int32_t> distances(known.arcs.n, known.arcs.n, 42);
  const auto check = [&](bool done) {
    BOOST_REQUIRE(done);
    check_rows<std::int32_t>(known.expected, distances);
  };
  check_every_failure(
      distances, results::stay_untouched,
      [&] { return apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, distances); }, check);
  check_every_failure(
      distances, results::may_be_written,
      [&] { return apsp::johnson_all_pairs_shortest_paths(policy, g, distances); }, check);
  auto initialized = dense_form(known.arcs);
  for (std::size_t v = 0; v < known.arcs.n; ++v) initialized[v][v] = 0;
  const auto before = initialized;
  check_every_failure(
      initialized, results::stay_untouched,
      [&] {
        return apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy, g, initialized);
      },
      [&](bool done) {
        BOOST_REQUIRE(done);
        check_rows<std::int32_t>(known.expected, initialized);
        initialized = before;
      });
  // Function objects of the caller, for which there are no compiled kernels.
  const auto sum = [](std::int32_t x, std::int32_t y) { return x + y; };
  const auto less = [](std::int32_t x, std::int32_t y) { return x < y; };
  check_every_failure(
      distances, results::stay_untouched,
      [&] {
        return apsp::floyd_warshall_all_pairs_shortest_paths(
            policy, g, distances, boost::get(boost::edge_weight, g), less, sum,
            (std::numeric_limits<std::int32_t>::max)(), 0);
      },
      check);
}
