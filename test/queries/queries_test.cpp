// SPDX-License-Identifier: BSL-1.0
// Tests of queries: tables of the distances between the vertices of two lists, the nearest of some
// sources for every vertex, and all distances within a cutoff, in compressed sparse rows.
#define BOOST_TEST_MODULE queries
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/path.hpp>
#include <apsp/semiring.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"
#include "../common/price.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using vertex_list = std::vector<std::size_t>;
constexpr long double no_limit = std::numeric_limits<long double>::infinity();

/// Returns random vertices, with duplicates if @p count is above 1.
vertex_list some_list(std::size_t n, std::size_t count, std::uint64_t seed) {
  random_numbers random(seed);
  vertex_list list;
  while (list.size() < count) list.push_back(random.index(n));
  if (count > 1) list.back() = list.front();
  return list;
}

/// Checks the table against the oracle and reports the first difference.
/// @param limit  distances beyond it are unreachable.
template <class T, class Table>
void check_table(const arc_list<T>& g, const vertex_list& sources, const vertex_list& targets,
                 const Table& table, wide_t<T> limit = wide_unreachable<T>) {
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected.has_value());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const auto exact = (*expected)[i][targets[j]];
      const T got = apsp::matrix_entry(table, i, j);
      if (!same_distance<T>(got, exact > limit ? wide_unreachable<T> : exact)) {
        BOOST_ERROR("entry (" << i << ", " << j << "), from " << sources[i] << " to " << targets[j]
                              << ", is " << got << ", not " << exact);
        return;
      }
    }
  }
}

/// The numbers of sources and targets of the tests: searches in both directions.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},  {3, 9},   {9, 3},  {40, 1},
                                                          {1, 40}, {30, 45}, {45, 30}};

/// Calls f(sources, targets) for random lists of these sizes.
template <class F>
void for_lists(std::size_t n, std::uint64_t seed_of_sources, std::uint64_t seed_of_targets, F f) {
  for (const auto& [k, l] : shapes) {
    BOOST_TEST_CONTEXT(k << " x " << l << ", seeds " << seed_of_sources << ", "
                         << seed_of_targets) {
      f(some_list(n, k, seed_of_sources), some_list(n, l, seed_of_targets));
    }
  }
}

/// Checks all results of a call, by the distances from each of the sources alone.
/// @param limit  distances beyond it are unreachable.
template <class T, class Distances, class Index>
void check_nearest(const arc_list<T>& g, const vertex_list& sources, const Distances& distances,
                   const std::vector<Index>& nearest, const std::vector<Index>& predecessors,
                   wide_t<T> limit = wide_unreachable<T>) {
  const auto rows = oracle_rows(g, sources);
  BOOST_REQUIRE(rows.has_value());
  const auto lightest = lightest_arcs(g);
  for (std::size_t v = 0; v < g.n; ++v) {
    BOOST_TEST_INFO("vertex " << v);
    auto expected = wide_unreachable<T>;
    for (const auto& row : *rows) expected = std::min(expected, row[v]);
    if (expected > limit) expected = wide_unreachable<T>;
    BOOST_REQUIRE(same_distance<T>(distances[v], expected));
    if (expected == wide_unreachable<T>) {
      BOOST_REQUIRE(nearest[v] == apsp::no_predecessor<Index>);
      continue;
    }
    const auto source = static_cast<std::size_t>(nearest[v]);
    const auto place = std::find(sources.begin(), sources.end(), source);
    BOOST_REQUIRE(place != sources.end());
    const auto row = static_cast<std::size_t>(place - sources.begin());
    BOOST_REQUIRE(same_distance<T>(distances[v], (*rows)[row][v]));
    BOOST_REQUIRE((predecessors[v] == apsp::no_predecessor<Index>) == (v == source));
    const auto path = apsp::path(predecessors, source, v);
    wide_t<T> length = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      BOOST_REQUIRE(lightest[path[i]][path[i + 1]] != wide_unreachable<T>);
      length += lightest[path[i]][path[i + 1]];
    }
    BOOST_REQUIRE(!path.empty());
    BOOST_REQUIRE(same_distance<T>(distances[v], length));
  }
}

template <class T, class Policy>
apsp::result check_nearest_sources(const Policy& policy, const arc_list<T>& g,
                                   const vertex_list& sources,
                                   wide_t<T> limit = wide_unreachable<T>) {
  std::vector<T> distances(g.n, T{42}), again(g.n, T{42});
  std::vector<int> nearest(g.n, 42), predecessors(g.n, 42);
  auto done = apsp::nearest_sources(policy, g.view(), sources, distances, nearest, predecessors);
  BOOST_REQUIRE(done);
  check_nearest(g, sources, distances, nearest, predecessors, limit);
  BOOST_REQUIRE(apsp::nearest_sources(policy, g.view(), sources, again, nearest));
  BOOST_CHECK(again == distances);
  check_nearest(g, sources, distances, nearest, predecessors, limit);
  return done;
}

/// Checks all rows against the oracle.
template <class T>
void check_within(const arc_list<T>& g, const vertex_list& sources, long double cutoff,
                  const apsp::sparse_distances<T>& found) {
  const auto rows = oracle_rows(g, sources);
  BOOST_REQUIRE(rows.has_value());
  BOOST_REQUIRE(found);
  BOOST_REQUIRE_EQUAL(found.offsets.size(), sources.size() + 1);
  BOOST_REQUIRE_EQUAL(found.offsets.front(), 0);
  BOOST_REQUIRE_EQUAL(found.offsets.back(), found.targets.size());
  BOOST_REQUIRE_EQUAL(found.distances.size(), found.targets.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto k = static_cast<std::size_t>(found.offsets[i]);
    for (std::size_t v = 0; v < g.n; ++v) {
      const auto expected = (*rows)[i][v];
      if (expected == wide_unreachable<T> || static_cast<long double>(expected) > cutoff) continue;
      BOOST_TEST_INFO("row " << i << ", vertex " << v);
      BOOST_REQUIRE_LT(k, static_cast<std::size_t>(found.offsets[i + 1]));
      BOOST_REQUIRE_EQUAL(found.targets[k], v);
      BOOST_REQUIRE(same_distance<T>(found.distances[k], expected));
      ++k;
    }
    BOOST_REQUIRE_EQUAL(k, found.offsets[i + 1]);
  }
}

/// A matrix that is accessed entry by entry, not by several threads at once.
template <class T>
class by_name {
 public:
  T& operator()(std::size_t i, std::size_t j) { return entries_[{i, j}]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries_.at({i, j}); }

 private:
  std::map<std::pair<std::size_t, std::size_t>, T> entries_;
};

/// Calls check(g, seed) for graphs with unreachable vertices, dense graphs, and graphs with
/// negative weights.
template <class T, class Check>
void for_random_graphs(Check check) {
  for (const std::size_t n : {0, 1, 2, 17, 200}) {
    check(some_graph<T>(n, 0, 10 + n), 10 + n);
    check(random_graph<T>(n, 0.5, 1, 99, 20 + n), 20 + n);
    check(negative_graph<T>(n, n < 20 ? 0.3 : 0.03, 30 + n), 30 + n);
  }
  // Only weights of zero: every vertex is as near to one source as to another.
  check(random_graph<T>(60, 0.05, 0, 0, 40), 40);
  // Weights that differ too much for buckets.
  auto g = random_graph<T>(150, 0.03, 1, 9, 41);
  random_numbers random(42);
  for (T& w : g.weights) w = static_cast<T>(std::int64_t{1} << random.below(20));
  check(g, 41);
}

/// Checks what a call without a result returns.
template <class T>
void check_empty(const apsp::sparse_distances<T>& found, std::size_t rows) {
  BOOST_CHECK(!found);
  BOOST_CHECK(found.offsets == std::vector<std::int64_t>(rows + 1));
  BOOST_CHECK(found.targets.empty() && found.distances.empty());
}

template <class With>
void check_place(const apsp::result& done) {
  BOOST_CHECK(done.executed_on() == With::expected || !runs_on_host(With::expected));
}

/// A graph with a negative cycle of three arcs.
arc_list<int> graph_with_negative_cycle() {
  auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  g.add(7, 8, 3);
  g.add(8, 9, -9);
  g.add(9, 7, 2);
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_of_random_graphs, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for_random_graphs<T>([](const arc_list<T>& g, std::uint64_t seed) {
    if (g.n == 0) return;
    for_lists(g.n, seed + 100, seed + 200, [&](const auto& sources, const auto& targets) {
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed) {
        apsp::matrix<T> table(sources.size(), targets.size(), T{42});
        const auto done = apsp::distance_table(With::policy(), g.view(), sources, targets, table);
        BOOST_REQUIRE(done);
        check_place<With>(done);
        BOOST_CHECK(!done.saturated());
        check_table(g, sources, targets, table);
      }
    });
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nearest_sources_in_random_graphs, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for_random_graphs<T>([](const arc_list<T>& g, std::uint64_t seed) {
    for (const std::size_t count : {0, 1, 5, 40}) {
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", " << count << " sources") {
        const auto done = check_nearest_sources(With::policy(), g, some_vertices(g.n, count, seed));
        check_place<With>(done);
        BOOST_CHECK(!done.saturated());
      }
    }
  });
}

namespace {

/// Checks the nearest sources of each vertex, given in any order and repeated, by rows of the
/// oracle.
template <class T, class Policy, class Graph>
apsp::result check_k_nearest(const Policy& policy, const Graph& graph, const arc_list<T>& g,
                             const vertex_list& sources, std::size_t k,
                             wide_t<T> limit = wide_unreachable<T>) {
  apsp::matrix<T> distances(g.n, k, T{42});
  apsp::matrix<int> nearest(g.n, k, 42);
  const auto done = apsp::nearest_sources(policy, graph, sources, k, distances, nearest);
  BOOST_REQUIRE(done);
  const std::set<std::size_t> distinct(sources.begin(), sources.end());
  const vertex_list list(distinct.begin(), distinct.end());
  const auto rows = *oracle_rows(g, list);
  for (std::size_t v = 0; v < g.n; ++v) {
    BOOST_TEST_INFO("vertex " << v);
    std::vector<std::pair<wide_t<T>, std::size_t>> expected;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto d = rows[i][v];
      if (d != wide_unreachable<T> && !(d > limit)) expected.emplace_back(d, list[i]);
    }
    std::sort(expected.begin(), expected.end());
    std::set<int> found;
    for (std::size_t i = 0; i < k; ++i) {
      if (i >= expected.size()) {
        BOOST_REQUIRE(nearest[v][i] == -1 && distances[v][i] == apsp::unreachable<T>);
        continue;
      }
      BOOST_REQUIRE(same_distance<T>(distances[v][i], expected[i].first));
      BOOST_REQUIRE(found.insert(nearest[v][i]).second);
      const auto place =
          std::find(list.begin(), list.end(), static_cast<std::size_t>(nearest[v][i]));
      BOOST_REQUIRE(place != list.end());
      const auto row = static_cast<std::size_t>(place - list.begin());
      BOOST_REQUIRE(same_distance<T>(distances[v][i], rows[row][v]));
      // Rounding may decide between sources that are equally near.
      if (std::is_integral_v<T>) {
        BOOST_REQUIRE_EQUAL(static_cast<std::size_t>(nearest[v][i]), expected[i].second);
      }
    }
  }
  return done;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(k_nearest_sources, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for_random_graphs<T>([](const arc_list<T>& g, std::uint64_t seed) {
    const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
    for (const std::size_t count : {0, 1, 7, 150}) {
      if (is_slow<With> && count == 7) continue;
      const auto sources = g.n == 0 ? vertex_list{} : some_list(g.n, count, seed);
      for (const std::size_t k : {0, 1, 3, 200}) {
        if (is_slow<With> && k == 1) continue;
        BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", " << count
                                  << " sources, k = " << k) {
          check_place<With>(check_k_nearest(With::policy(), g.view(), g, sources, k));
          BOOST_CHECK(
              check_k_nearest(With::policy().cutoff(30), g.view(), g, sources, k, wide_t<T>(30)));
          if (g.n != 0) BOOST_CHECK(check_k_nearest(With::policy(), prepared, g, sources, k));
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_k_nearest_sources, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 85);
  const auto cyclic = graph_with_negative_cycle();
  const vertex_list some{1, 2, 3};
  const auto check = [&](std::size_t rows, std::size_t columns, const std::string& words) {
    apsp::matrix<int> distances(rows, columns, 42), nearest(10, 2, 42);
    check_refused(
        [&] {
          return apsp::nearest_sources(Policy::policy(), g.view(), some, 2, distances, nearest);
        },
        words);
    BOOST_CHECK(distances == apsp::matrix<int>(rows, columns, 42));
  };
  check(10, 3, "the matrix of distances is 10 x 3, not 10 x 2");
  check(9, 2, "the matrix of distances is 9 x 2, not 10 x 2");
  apsp::matrix<int> distances(cyclic.n, 2, 42), nearest(cyclic.n, 2, 42);
  check_refused(
      [&] {
        return apsp::nearest_sources(Policy::policy(), cyclic.view(), some, -2, distances, nearest);
      },
      "expected k >= 0, got -2");
  const auto done =
      apsp::nearest_sources(Policy::policy(), cyclic.view(), some, 2, distances, nearest);
  BOOST_CHECK(!done);
  check_negative_cycle(cyclic, done.negative_cycle());
  BOOST_CHECK(distances == apsp::matrix<int>(cyclic.n, 2, 42));
  const auto stopped = apsp::nearest_sources(Policy::policy().stop(requested_stop()), cyclic.view(),
                                             some, 2, distances, nearest);
  BOOST_CHECK(stopped.stopped());
  BOOST_CHECK(nearest == apsp::matrix<int>(cyclic.n, 2, 42));
  // A path that does not fit is not a path of another length.
  constexpr std::int16_t half = (std::numeric_limits<std::int16_t>::max)() / 2 + 1;
  const auto far = make_graph<std::int16_t>(40, {{0, 1, half}, {1, 2, half}});
  apsp::matrix<std::int16_t> lengths(40, 1);
  apsp::matrix<int> of(40, 1);
  for (const std::size_t count : {1, 40}) {
    BOOST_CHECK(
        apsp::nearest_sources(Policy::policy(), far.view(), vertex_list(count, 0), 1, lengths, of)
            .saturated());
    BOOST_CHECK(lengths[1][0] == half && of[1][0] == 0 && of[2][0] == -1);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_within_in_random_graphs, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for_random_graphs<T>([](const arc_list<T>& g, std::uint64_t seed) {
    // From few vertices to all of them.
    for (const long double cutoff : {0.0L, 5.5L, 20.0L, 70.0L, 300.0L, no_limit}) {
      if (is_slow<With> && (cutoff == 0 || cutoff == 70 || cutoff == 300)) continue;
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", cutoff " << cutoff) {
        const auto all = apsp::distances_within(With::policy(), g.view(), cutoff);
        static_assert(std::is_same_v<decltype(all), const apsp::sparse_distances<T>>);
        check_within(g, all_vertices(g.n), cutoff, all);
        const auto sources = some_vertices(g.n, 9, seed);
        const auto some = apsp::distances_within(With::policy(), g.view(), cutoff, sources);
        check_within(g, sources, cutoff, some);
        check_place<With>(some.status());
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_over_semirings, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  constexpr bool has_kernels = !std::is_same_v<S, apsp::max_times<T>> || !std::is_integral_v<T>;
  if (!has_kernels && !takes_plain_loops<Over>()) return;
  const auto g = semiring_graph<S>(50, 0.06, 98);
  const auto expected = best_values<S>(g);
  for_lists(g.n, 99, 100, [&](const auto& sources, const auto& targets) {
    apsp::matrix<T> table(sources.size(), targets.size(), T{42});
    BOOST_REQUIRE(apsp::distance_table(Over::policy(), g.view(), sources, targets, table, S{}));
    auto entries = table;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      for (std::size_t j = 0; j < table.cols(); ++j) {
        entries[i][j] = expected[sources[i]][targets[j]];
      }
    }
    check_values<S>(entries, table);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_of_no_vertices, Policy, policies) {
  const auto g = random_graph<int>(20, 0.2, 1, 9, 1);
  const vertex_list none;
  const vertex_list some{3, 3, 19};
  apsp::matrix<int> no_rows(0, 3), no_columns(3, 0), nothing(0, 0);
  std::vector<std::vector<int>> empty_rows(3);
  const std::vector<std::vector<int>> no_vectors;
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), none, some, no_rows));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), some, none, no_columns));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), some, none, empty_rows));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), none, none, nothing));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), arc_list<int>{}.view(), none, none, nothing));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_tables_and_graphs, Policy, policies) {
  const auto g = random_graph<std::int32_t>(120, 0.03, 1, 99, 51);
  const auto check = [&](const auto& graph, auto table, std::size_t k, std::size_t l) {
    const auto sources = some_list(g.n, k, 52);
    const auto targets = some_list(g.n, l, 53);
    BOOST_REQUIRE(apsp::distance_table(Policy::policy(), graph, sources, targets, table));
    BOOST_TEST_CONTEXT("seeds 51 to 53, " << k << " x " << l) {
      using T = apsp::matrix_value_t<decltype(table)>;
      check_table(converted<T>(g), sources, targets, table);
    }
  };
  for (const auto& [k, l] : {std::pair<std::size_t, std::size_t>{30, 50}, {50, 30}}) {
    check(g.view(), std::vector(k, std::vector<std::int32_t>(l)), k, l);
    check(g.view(), std::vector(k, std::vector<double>(l)), k, l);
    check(g.view(), apsp::matrix<std::int16_t>(k, l), k, l);
    check(dense_form(g), apsp::matrix<std::uint32_t>(k, l), k, l);
    check(g.view(), by_name<std::int32_t>(), k, l);
  }
  // The graph and the table are one matrix.
  auto both = dense_form(g);
  const auto all = all_vertices(g.n);
  BOOST_REQUIRE(apsp::distance_table(Policy::policy(), both, all, all, both));
  check_table(g, all, all, both);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_ranges_and_graphs, Policy, policies) {
  const auto g = random_graph<std::int32_t>(90, 0.05, 1, 99, 61);
  const auto sources = some_vertices(g.n, 4, 61);
  std::vector<double> distances(g.n);
  std::vector<std::uint8_t> nearest(g.n), predecessors(g.n);
  const std::span<double> some(distances);
  BOOST_TEST_CONTEXT("seed 61") {
    BOOST_REQUIRE(apsp::nearest_sources(Policy::policy(), dense_form(g), sources, some, nearest,
                                        predecessors));
    check_nearest(converted<double>(g), sources, distances, nearest, predecessors);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_with_a_cutoff, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<T>(150, 0.03, 61) : some_graph<T>(150, 0, 61);
    for (const int limit : {0, 10, 60}) {
      const auto policy = With::policy().cutoff(limit);
      for_lists(g.n, 62, 63, [&](const auto& sources, const auto& targets) {
        BOOST_TEST_CONTEXT("seed 61, cutoff " << limit) {
          apsp::matrix<T> table(sources.size(), targets.size());
          BOOST_REQUIRE(apsp::distance_table(policy, g.view(), sources, targets, table));
          check_table(g, sources, targets, table, wide_t<T>(limit));
        }
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nearest_sources_with_a_cutoff, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = some_graph<T>(200, 0, 51);
  for (const int limit : {0, 7, 30}) {
    BOOST_TEST_CONTEXT("seed 51, cutoff " << limit) {
      BOOST_CHECK(check_nearest_sources(With::policy().cutoff(limit), g, some_vertices(g.n, 5, 51),
                                        wide_t<T>(limit)));
    }
  }
  // The way to vertex 2 leads through vertex 1, which is beyond the cutoff.
  const auto back = make_graph<T>(4, {{0, 1, T(9)}, {1, 2, T(-7)}, {3, 2, T(8)}});
  std::vector<T> distances(4);
  std::vector<std::int64_t> nearest(4), predecessors(4);
  BOOST_REQUIRE(apsp::nearest_sources(With::policy().cutoff(5), back.view(), std::vector{0, 3},
                                      distances, nearest, predecessors));
  BOOST_CHECK((distances == std::vector<T>{0, infinite<T>, 2, 0}));
  BOOST_CHECK((nearest == std::vector<std::int64_t>{0, -1, 0, 3}));
  BOOST_CHECK((predecessors == std::vector<std::int64_t>{-1, 0, 1, -1}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(types_and_cutoffs_of_the_policy, Policy, policies) {
  const auto g = some_graph<std::int32_t>(150, 0, 61);
  const auto sources = some_vertices(g.n, 20, 61);
  BOOST_TEST_CONTEXT("seed 61") {
    const auto reals = apsp::distances_within<double>(Policy::policy(), g.view(), 30, sources);
    check_within(converted<double>(g), sources, 30, reals);
    const auto narrow =
        apsp::distances_within<std::int16_t>(Policy::policy(), dense_form(g), 30, sources);
    check_within(converted<std::int16_t>(g), sources, 30, narrow);
    // The smaller cutoff counts.
    for (const auto& [own, cutoff] : {std::pair{12, 30}, std::pair{30, 12}}) {
      const auto both =
          apsp::distances_within(Policy::policy().cutoff(own), g.view(), cutoff, sources);
      check_within(g, sources, 12, both);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nearest_sources_by_fewest_edges, Policy, policies) {
  const auto g = random_graph<int>(120, 0.05, 0, 3, 45);
  BOOST_TEST_CONTEXT("seed 45") {
    BOOST_CHECK(check_nearest_sources(Policy::policy().prefer_fewest_edges(), g,
                                      some_vertices(g.n, 6, 45)));
  }
}

// With a row for each vertex the result is a graph: the distances within twice the cutoff are found
// by way of vertices within the cutoff.
BOOST_AUTO_TEST_CASE_TEMPLATE(distances_within_are_a_graph, Policy, policies) {
  const auto g = some_graph<int>(120, 1, 51);
  const auto near = apsp::distances_within(Policy::policy(), g.view(), 90);
  BOOST_REQUIRE(near);
  const auto graph = apsp::csr_view(near.offsets, near.targets, near.distances);
  BOOST_REQUIRE_EQUAL(apsp::num_vertices_of(graph), g.n);
  apsp::matrix<int> distances(g.n);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), graph, distances));
  BOOST_TEST_CONTEXT("seed 51") {
    check_distances(g, distances);
  }
}

// An entry that does not fit is unreachable, and reported. Other vertices do not matter.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturated_tables, Policy, policies) {
  const auto check = [](auto largest, bool negative) {
    using T = decltype(largest);
    // 0 -> 1 -> 2 -> 3, each arc more than half of the range; 4 is apart.
    const T half = static_cast<T>(largest / 2 + 1);
    auto g = make_graph<T>(6, {{0, 1, half}, {1, 2, half}, {2, 3, half}});
    if constexpr (std::is_signed_v<T>) {
      if (negative) g.add(4, 5, T{-1});
    }
    const auto table_of = [&](const vertex_list& sources, const vertex_list& targets) {
      apsp::matrix<T> table(sources.size(), targets.size(), T{42});
      const auto done = apsp::distance_table(Policy::policy(), g.view(), sources, targets, table);
      BOOST_REQUIRE(done);
      std::size_t missing = 0;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        for (std::size_t j = 0; j < table.cols(); ++j)
          missing += table[i][j] == infinite<T> ? 1 : 0;
      }
      return std::pair(missing, done.saturated());
    };
    using answer = std::pair<std::size_t, bool>;
    BOOST_CHECK(table_of({0}, {0, 1}) == answer(0, false));
    BOOST_CHECK(table_of({0, 1}, {1}) == answer(0, false));
    BOOST_CHECK(table_of({0}, {1, 2}) == answer(1, true));
    BOOST_CHECK(table_of({0, 1}, {2}) == answer(1, true));
    BOOST_CHECK(table_of({0}, {3}) == answer(1, true));
    BOOST_CHECK(table_of({0, 1}, {3}) == answer(2, true));
    // There is no path at all.
    BOOST_CHECK(table_of({0}, {1, 4}) == answer(1, false));
    BOOST_CHECK(table_of({4, 2}, {3}) == answer(1, false));
    BOOST_CHECK(table_of({3}, {0}) == answer(1, false));
  };
  for (const bool negative : {false, true}) {
    BOOST_TEST_CONTEXT("negative " << negative) {
      check((std::numeric_limits<std::int16_t>::max)(), negative);
      check((std::numeric_limits<std::int32_t>::max)(), negative);
    }
  }
  check((std::numeric_limits<std::uint16_t>::max)(), false);
#ifndef APSP_TEST_ON_DEVICE
  // There are no kernels for 128 bits.
  check((std::numeric_limits<std::int64_t>::max)(), true);
#endif
}

BOOST_AUTO_TEST_CASE_TEMPLATE(saturated_nearest_sources, Policy, policies) {
  constexpr std::int32_t half = (std::numeric_limits<std::int32_t>::max)() / 2 + 1;
  const auto g = make_graph<std::int32_t>(5, {{0, 1, half}, {1, 2, half}, {3, 2, half}});
  std::vector<std::int32_t> distances(5);
  std::vector<int> nearest(5);
  const auto solve = [&](const std::vector<int>& sources) {
    const auto done =
        apsp::nearest_sources(Policy::policy(), g.view(), sources, distances, nearest);
    BOOST_REQUIRE(done);
    return done.saturated();
  };
  BOOST_CHECK(solve({0}));
  BOOST_CHECK((nearest == std::vector{0, 0, -1, -1, -1}));
  BOOST_CHECK(!solve({0, 3}));
  BOOST_CHECK((nearest == std::vector{0, 0, 3, 3, -1}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(saturated_distances_within, Policy, policies) {
  constexpr std::int16_t half = (std::numeric_limits<std::int16_t>::max)() / 2 + 1;
  const auto g = make_graph<std::int16_t>(20, {{0, 1, half}, {1, 2, half}});
  const auto all = apsp::distances_within(Policy::policy(), g.view(), no_limit);
  BOOST_REQUIRE(all);
  BOOST_CHECK(all.status().saturated());
  BOOST_CHECK((std::vector(all.targets.begin(), all.targets.begin() + 5) ==
               std::vector<std::int32_t>{0, 1, 1, 2, 2}));
  const auto near = apsp::distances_within(Policy::policy(), g.view(), half);
  BOOST_CHECK(!near.status().saturated());
  BOOST_CHECK(near.targets == all.targets && near.distances == all.distances);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  const auto g = graph_with_negative_cycle();
  const auto check = [&](const apsp::result& done) {
    BOOST_CHECK(!done && done.outcome() == apsp::outcome::negative_cycle);
    check_negative_cycle(g, done.negative_cycle());
  };
  for_lists(g.n, 72, 73, [&](const auto& sources, const auto& targets) {
    apsp::matrix<int> table(sources.size(), targets.size(), 42);
    const auto before = table;
    check(apsp::distance_table(Policy::policy(), g.view(), sources, targets, table));
    BOOST_CHECK(table == before);
  });
  const std::vector<int> some{1, 2, 2}, before(g.n, 42);
  auto distances = before;
  auto nearest = before;
  check(apsp::nearest_sources(Policy::policy(), g.view(), some, distances, nearest));
  BOOST_CHECK(distances == before && nearest == before);
  const auto cyclic = apsp::distances_within(Policy::policy(), g.view(), 9, some);
  check(cyclic.status());
  check_empty(cyclic, some.size());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 9, 91);
  for_lists(g.n, 92, 93, [&](const auto& sources, const auto& targets) {
    const auto count = [](const vertex_list& list) {
      return std::set<std::size_t>(list.begin(), list.end()).size();
    };
    const std::size_t searches = std::min(count(sources), count(targets));
    apsp::matrix<int> table(sources.size(), targets.size());
    check_watched_and_stopped(Policy::policy(), searches, [&](const auto& policy) {
      return apsp::distance_table(policy, g.view(), sources, targets, table);
    });
  });
  const auto policy = Policy::policy().stop(requested_stop());
  const std::vector<int> before(g.n, 42);
  auto distances = before;
  auto nearest = before;
  BOOST_CHECK(
      apsp::nearest_sources(policy, g.view(), std::vector{1}, distances, nearest).stopped());
  BOOST_CHECK(distances == before && nearest == before);
  const auto stopped = apsp::distances_within(policy, g.view(), 9);
  BOOST_CHECK(stopped.status().stopped());
  check_empty(stopped, g.n);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_tables, Policy, policies) {
  const auto policy = Policy::policy();
  const auto g = random_graph<int>(10, 0.3, 1, 9, 81);
  apsp::matrix<int> table(2, 3, 42);
  const auto refused_into = [&](auto& to, const auto& graph, const std::vector<int>& sources,
                                const std::vector<int>& targets, const std::string& words) {
    check_refused([&] { return apsp::distance_table(policy, graph, sources, targets, to); }, words);
  };
  const auto refused = [&](const auto& graph, const std::vector<int>& sources,
                           const std::vector<int>& targets, const std::string& words) {
    refused_into(table, graph, sources, targets, words);
  };
  refused(g.view(), {1, 2}, {3, 4}, "the distance table is 2 x 3, not 2 x 2");
  refused(g.view(), {1, 2, 3}, {4, 5}, "the distance table is 2 x 3, not 3 x 2");
  refused(g.view(), {1, 10}, {3, 4, 5}, "source 10 is out of range: the graph has 10 vertices");
  refused(g.view(), {1, -1}, {3, 4, 5}, "source -1 is out of range");
  refused(g.view(), {1, 2}, {3, 4, 11}, "target 11 is out of range: the graph has 10 vertices");
  auto bad = g;
  bad.targets.back() = 10;
  const auto arc = std::to_string(bad.sources.back()) + " -> 10 is out of range";
  refused(bad.view(), {1, 2}, {3, 4, 5}, arc);
  refused(bad.view(), {1, 2}, {3, 3, 3}, arc);
  BOOST_CHECK(table == apsp::matrix<int>(2, 3, 42));

  const auto reals = make_graph<double>(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}});
  std::vector<std::vector<double>> rows(2, {42});
  refused_into(rows, reals.view(), {0, 1}, {1}, "arc 0 -> 1 has a weight of NaN");
  std::vector<std::vector<double>> ragged{{42}, {42, 42}};
  refused_into(ragged, g.view(), {0, 1}, {1}, "is of rows of unequal length, not 2 x 1");
  BOOST_CHECK(rows[0][0] == 42 && rows[1][0] == 42 && ragged[0][0] == 42);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_nearest_sources, Policy, policies) {
  const auto policy = Policy::policy();
  const std::size_t n = 200;
  auto g = random_graph<int>(n, 0.05, 1, 9, 81);
  const std::vector<int> before(n, 42);
  std::vector<int> distances = before;
  std::vector<int> nearest = before;
  std::vector<int> predecessors = before;
  const std::vector<int> sources{3, 4};
  const auto refused = [&](const std::string& words, const auto& from, auto&... to) {
    check_refused([&] { return apsp::nearest_sources(policy, g.view(), from, to...); }, words);
  };
  std::vector<int> few(n - 1, 42);
  std::vector<std::uint8_t> narrow(n, 42);
  std::vector<std::int8_t> signed_narrow(n, 42);
  refused("the range of distances has 199 entries, not 200", sources, few, nearest);
  refused("the range of nearest sources has 199 entries, not 200", sources, distances, few);
  refused("the range of predecessors has 199 entries, not 200", sources, distances, nearest, few);
  refused("the type of the range of nearest sources is too narrow for 200 vertices", sources,
          distances, signed_narrow);
  refused("the range of nearest sources must not share memory", sources, distances, distances);
  refused("the range of predecessors must not share memory", sources, distances, nearest, nearest);
  refused("the range of predecessors must not share memory", sources, distances, nearest,
          distances);
  refused("source 200 is out of range: the graph has 200 vertices", std::vector{200}, distances,
          nearest);
  // The number of the additional vertex is no vertex of the graph.
  g.targets.front() = static_cast<std::int32_t>(n);
  refused("-> 200 is out of range: the graph has 200 vertices", sources, distances, nearest);
  BOOST_CHECK(distances == before && nearest == before && predecessors == before);

  const auto most = static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)());
  const arc_list<int> huge{most, {}, {}, {}};
  check_refused<std::length_error>(
      [&] { return apsp::nearest_sources(policy, huge.view(), sources, distances, nearest); },
      "nearest_sources takes at most 2^31 - 2 vertices, not 2147483647");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_distances_within, Policy, policies) {
  const auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  const auto refused = [&](long double cutoff, int source, const std::string& words) {
    check_refused(
        [&] {
          return apsp::distances_within(Policy::policy(), g.view(), cutoff, std::vector{source});
        },
        words);
  };
  refused(-1, 1, "the cutoff must not be negative or NaN");
  refused(NAN, 1, "the cutoff must not be negative or NaN");
  refused(9, 50, "source 50 is out of range: the graph has 50 vertices");
  check_refused([&] { return apsp::distances_within(Policy::policy(), g.view(), NAN); },
                "the cutoff must not be negative or NaN");
}

// The time of a source must not grow with the vertices that it does not reach, whatever the limit:
// breadth-first search and sweeps from many sources at once visit all vertices.
BOOST_AUTO_TEST_CASE(searches_end_at_what_is_reached_whatever_the_limit) {
  constexpr std::size_t n = 8000;
  constexpr std::size_t size = 4;  // of a component
  for (const bool has_equal_weights : {true, false}) {
    arc_list<float> g{n, {}, {}, {}};
    for (std::size_t v = 0; v + 1 < n; ++v) {
      if (v % size + 1 < size) {
        g.add_undirected(v, v + 1, has_equal_weights || v % 3 == 0 ? 1.0F : 2.0F);
      }
    }
    const apsp::contraction_hierarchy<float> prepared(apsp::seq, g.view());
    const auto check = [&](const auto& policy, const auto& graph, long double limit) {
      const auto found = apsp::distances_within(policy, graph, limit);
      BOOST_REQUIRE(found);
      BOOST_TEST((found.status().algorithm() == apsp::algorithm::dijkstra));
      BOOST_TEST(found.targets.size() == size * n);
    };
    for (const long double limit : {100.0L, 1e300L, no_limit}) {
      BOOST_TEST_CONTEXT("limit " << limit << ", equal weights: " << has_equal_weights) {
        check(apsp::seq, g.view(), limit);
        check(apsp::omp, g.view(), limit);
        check(apsp::seq, prepared, limit);
      }
    }
  }
}

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights, Policy, policies) {
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<double>(80, 0.05, 95) : some_graph<double>(80, 0, 95);
    arc_list<price> priced{g.n, g.sources, g.targets, {}};
    for (const double w : g.weights) priced.weights.push_back({w});
    const auto sources = some_list(g.n, 20, 96);
    BOOST_TEST_CONTEXT("seeds 95 to 97, negative " << negative) {
      for (const std::size_t l : {30, 5}) {
        const auto targets = some_list(g.n, l, 97);
        apsp::matrix<price> table(sources.size(), l);
        BOOST_REQUIRE(
            apsp::distance_table(Policy::policy(), priced.view(), sources, targets, table));
        apsp::matrix<double> amounts(sources.size(), l);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          for (std::size_t j = 0; j < l; ++j) amounts[i][j] = table[i][j].amount;
        }
        check_table(g, sources, targets, amounts);
      }
      std::vector<price> distances(g.n);
      std::vector<std::size_t> nearest(g.n);
      BOOST_REQUIRE(
          apsp::nearest_sources(Policy::policy(), priced.view(), sources, distances, nearest));
      const auto rows = *oracle_rows(g, sources);
      for (std::size_t v = 0; v < g.n; ++v) {
        auto expected = wide_unreachable<double>;
        for (const auto& row : rows) expected = std::min(expected, row[v]);
        BOOST_REQUIRE(same_distance<double>(distances[v].amount, expected));
      }
    }
    check_refused([&] { return apsp::distances_within(Policy::policy(), priced.view(), 9); },
                  "a cutoff needs distances of a built-in type");
  }
}
#endif
