// SPDX-License-Identifier: BSL-1.0
// Compares elimination to Boost's algorithms on the structures that it treats in different ways:
// deep and flat elimination trees, small and tiled fronts, hubs, subtrees on several threads,
// cycles of weight 0, codes of different widths. per_source_test and its relatives run it on all
// graphs of the other algorithms.
#define BOOST_TEST_MODULE elimination
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/exact_numbers.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/host_or_device.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using few_floats = std::tuple<float, double>;
template <class T>
inline constexpr T infinite = apsp::unreachable<T>;

using number = std::int64_t;
using arcs_t = arc_list<number>;

struct problem {
  std::string name;
  arcs_t arcs;
  std::vector<std::size_t> sources;
};

std::vector<std::size_t> every(std::size_t step, std::size_t n) {
  std::vector<std::size_t> vertices;
  for (std::size_t v = 0; v < n; v += step) vertices.push_back(v);
  return vertices;
}

arcs_t both_ways(std::size_t n, number low, number high, std::uint64_t seed,
                 const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  random_numbers random(seed);
  arcs_t g{n, {}, {}, {}};
  for (const auto& [u, v] : edges) {
    g.add(u, v, random(low, high));
    g.add(v, u, random(low, high));
  }
  return g;
}

arcs_t random_tree(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t v = 1; v < n; ++v) edges.emplace_back(random.index(v), v);
  return both_ways(n, 1, 99, seed, edges);
}

arcs_t path_graph(std::size_t n, std::uint64_t seed) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
  return both_ways(n, 1, 99, seed, edges);
}

// One vertex that is adjacent to all others, which form a ring.
arcs_t wheel(std::size_t n, std::uint64_t seed) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t v = 1; v < n; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(v, v + 1 == n ? 1 : v + 1);
  }
  return both_ways(n, 1, 99, seed, edges);
}

// Only every second arc, so that many pairs are not connected.
arcs_t thinned(const arcs_t& g, std::uint64_t seed) {
  random_numbers random(seed);
  arcs_t kept{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (random.index(2) == 0) continue;
    kept.add(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]),
             g.weights[k]);
  }
  return kept;
}

// Neighbors in three dimensions; the last fronts have more than edge * edge rows.
arcs_t mesh(std::size_t edge, std::uint64_t seed) {
  random_numbers random(seed);
  arcs_t g{edge * edge * edge, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) {
    if (v % edge + 1 < edge) g.add(v, v + 1, random(0, 999));
    if (v / edge % edge + 1 < edge) g.add(v, v + edge, random(0, 999));
    if (v + edge * edge < g.n) g.add(v, v + edge * edge, random(0, 999));
  }
  return undirected(g);
}

std::vector<problem> make_problems() {
  const auto grid = [](std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return to_arcs<number>(grid_graph<std::int32_t>(rows, columns, 1000, seed));
  };
  std::vector<problem> all;
  const auto add = [&](std::string name, arcs_t g, std::size_t step = 1) {
    const auto sources = every(step, g.n);
    all.push_back({std::move(name), std::move(g), sources});
  };
  add("tree, n = 700, seed = 1", random_tree(700, 1), 7);
  add("path, n = 2000, seed = 2", path_graph(2000, 2), 31);
  add("wheel, n = 900, seed = 3", wheel(900, 3), 9);
  add("complete, n = 160, seed = 4", random_graph<number>(160, 1.0, 1, 999, 4));
  add("random, n = 400, p = 0.03, seed = 5", random_graph<number>(400, 0.03, 1, 999, 5), 3);
  add("grid, 100 x 90, seed = 6", grid(100, 90, 6), 60);
  add("grid, 30 x 30, unit weights", with_weights(grid(30, 30, 7), 1, 1, 7));
  add("grid, 20 x 21, weights 0 and 1, seed = 8", with_weights(grid(20, 21, 8), 0, 1, 8));
  add("grid, 15 x 15, weight 0", with_weights(grid(15, 15, 9), 0, 0, 9));
  add("random, n = 300, weight 0, seed = 10",
      with_weights(random_graph<number>(300, 0.02, 1, 1, 10), 0, 0, 10));
  add("negative grid, 25 x 20, seed = 11", with_potentials(grid(25, 20, 11), -500, 500, 11), 5);
  add("negative random, n = 250, p = 0.02, seed = 12",
      with_potentials(random_graph<number>(250, 0.02, 0, 99, 12), -500, 500, 12));
  add("thinned negative grid, 25 x 20, seed = 13",
      with_potentials(thinned(grid(25, 20, 13), 13), -500, 500, 13), 5);
  add("three components, seed = 14", [] {
    arcs_t g = random_tree(50, 14);
    g.n = 153;
    for (std::size_t v = 51; v < 102; ++v) g.add(v, v + 1 == 102 ? 51 : v + 1, 3);
    return g;
  }());
  add("mesh, 13 x 13 x 13, seed = 15", mesh(13, 15), 97);
  add("mesh without one of its arcs, seed = 16", without_last_arcs(mesh(13, 16), 1), 97);
  arcs_t shorter_one_way = mesh(13, 17);
  const std::size_t an_arc = shorter_one_way.size() / 3;
  shorter_one_way.weights[an_arc] = 0;
  shorter_one_way.weights[an_arc + shorter_one_way.size() / 2] = 999;
  add("mesh with an edge of other weights, seed = 17", shorter_one_way, 97);
  add("undirected random, n = 500, p = 0.02, seed = 18",
      undirected(random_graph<number>(500, 0.02, 0, 999, 18)), 7);
  // The lightest arcs alone are undirected.
  arcs_t with_parallel_arcs = mesh(9, 19);
  for (std::size_t k = 0, num_arcs = with_parallel_arcs.size(); k < num_arcs; k += 3) {
    with_parallel_arcs.add(static_cast<std::size_t>(with_parallel_arcs.sources[k]),
                           static_cast<std::size_t>(with_parallel_arcs.targets[k]),
                           with_parallel_arcs.weights[k] + static_cast<number>(k % 5));
  }
  add("mesh with longer parallel arcs, seed = 19", with_parallel_arcs, 7);
  return all;
}

const std::vector<problem>& problems() {
  static const std::vector<problem> all = make_problems();
  return all;
}

// Solves the graph without and with predecessors, and checks rows and trees.
template <class T, class Policy>
void check(const problem& task, const Policy& policy, const wide_rows<number>& expected,
           const apsp::matrix<number>& lightest) {
  const auto g = converted<T>(task.arcs);
  apsp::matrix<T> d(task.sources.size(), g.n, T(-7));
  apsp::matrix<std::int32_t> p(task.sources.size(), g.n, -5);
  const auto check_rows_of = [&](const apsp::result& done) {
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
    BOOST_CHECK(!done.saturated());
    check_rows<number>(expected, exact(d));
  };
  check_rows_of(apsp::elimination(policy, g.view(), task.sources, d));
  std::fill(d.begin(), d.end(), T(-7));
  check_rows_of(apsp::elimination(policy, g.view(), task.sources, d, p));
  check_trees<number>(lightest, task.sources, exact(d), p);
}

}  // namespace

BOOST_AUTO_TEST_CASE(structures_of_graphs) {
  for (const problem& task : problems()) {
    BOOST_TEST_CONTEXT(task.name) {
      const auto expected = oracle_rows(task.arcs, task.sources);
      BOOST_REQUIRE(expected.has_value());
      const auto lightest = lightest_arcs(task.arcs);
      if constexpr (on_device) {
        check<float>(task, some_threads, *expected, lightest);
        check<std::int64_t>(task, some_threads, *expected, lightest);
      }
      check<float>(task, one_thread, *expected, lightest);
      check<double>(task, some_threads, *expected, lightest);
      check<std::int32_t>(task, some_threads, *expected, lightest);
      if constexpr (!is_short) check<std::int64_t>(task, one_thread, *expected, lightest);
      if constexpr (!on_device) check<long double>(task, one_thread, *expected, lightest);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_of_any_size, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = random_graph<T>(150, 0.03, 1, 99, 21);
  random_numbers random(22);
  for (const std::size_t count : {0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 129, 300}) {
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(random.index(g.n));
    const auto expected = oracle_rows(g, sources);
    apsp::matrix<T> d(count, g.n, T(-7));
    const auto done = apsp::elimination(With::policy(), g.view(), sources, d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == With::expected || !done.fallback_reason().empty());
    check_rows<T>(*expected, d);
  }
}

// Kernels give each thread up to four sources, and repeat parts of the sweep for graphs with few of
// them.
BOOST_AUTO_TEST_CASE_TEMPLATE(any_number_of_sources, T, fewer_weight_types) {
  const auto g = converted<T>(to_arcs<number>(grid_graph<std::int32_t>(23, 20, 99, 23)));
  const auto expected = oracle_rows(g, all_vertices(g.n));
  for (const std::size_t count : {1000, 7001, on_device ? 40003 : 9000}) {
    random_numbers random(count);
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(random.index(g.n));
    apsp::matrix<T> d(count, g.n, T(-7));
    BOOST_REQUIRE(apsp::elimination(some_threads, g.view(), sources, d));
    std::size_t num_wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t v = 0; v < g.n; ++v) {
        num_wrong += static_cast<T>((*expected)[sources[i]][v]) != d[i][v] ? 1 : 0;
      }
    }
    BOOST_CHECK_EQUAL(num_wrong, 0);
  }
}

// Most distances do not fit in shared memory, places have more arcs than a header counts, and
// threads share the rows and columns of large fronts.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_arcs_are_left, T, weight_types) {
  const auto g = random_graph<T>(900, 0.02, 1, 999, 24);
  const auto expected = oracle_rows(g, all_vertices(g.n));
  apsp::matrix<T> d(g.n);
  apsp::matrix<int> p(g.n);
  BOOST_REQUIRE(apsp::elimination(some_threads, g.view(), d, p));
  check_rows<T>(*expected, d);
  check_trees<T>(lightest_arcs(g), all_vertices(g.n), d, p);
  BOOST_REQUIRE(apsp::elimination(many_threads, g.view(), d));
  check_rows<T>(*expected, d);
}

#ifndef APSP_TEST_ON_DEVICE
// Threads share large fronts; sums of fractions would show another order of additions. Sums of the
// largest integers take 128 bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(threads_do_not_change_bits, T, weight_types) {
  const auto directed = random_graph<T>(500, 0.02, 1, 999, 25);
  for (auto g : {directed, undirected(directed)}) {
    for (T& w : g.weights) {
      w = std::is_floating_point_v<T> ? static_cast<T>(w / T{7})
                                      : static_cast<T>(w * (std::numeric_limits<T>::max() / 1000));
    }
    apsp::matrix<T> expected(g.n);
    BOOST_REQUIRE(apsp::elimination(apsp::seq, g.view(), expected));
    for (const int threads : {2, 3, 9, 9}) {
      apsp::matrix<T> d(g.n);
      BOOST_REQUIRE(apsp::elimination(apsp::omp.threads(threads), g.view(), d));
      BOOST_CHECK_MESSAGE(d == expected, threads << " threads");
    }
  }
}
#endif

// Batches that are narrow, wide or not full, more threads than batches, and a number of vertices
// that the lanes of no vector divide. Each type is swept as it is: 64-bit lengths do not fit in 32
// bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_and_wide_batches, T, weight_types) {
  auto g = with_potentials(random_graph<number>(149, 0.02, 0, 99, 71), -500, 500, 71);
  if (std::is_same_v<T, std::int64_t>) {
    for (number& w : g.weights) w *= 1'000'000'000;
  }
  random_numbers random(72);
  std::vector<std::size_t> sources(600);
  for (std::size_t& s : sources) s = random.index(g.n);
  const auto rows = oracle_rows(g, sources);
  BOOST_REQUIRE(rows.has_value());
  const auto lightest = lightest_arcs(g);
  for (const std::size_t count : {1, 5, 17, 33, 64, 65, 600}) {
    problem task{{}, g, sources};
    task.sources.resize(count);
    auto expected = *rows;
    expected.resize(count);
    BOOST_TEST_CONTEXT(count << " sources") {
      check<T>(task, one_thread, expected, lightest);
      check<T>(task, many_threads, expected, lightest);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_negative_cycle_is_named) {
  for (const std::uint64_t seed : {31, 32, 33, 34}) {
    auto g = with_potentials(to_arcs<number>(grid_graph<std::int32_t>(12, 13, 99, seed)), -500, 500,
                             seed);
    // Lowering an arc far enough makes each cycle through it negative.
    random_numbers random(seed);
    g.weights[random.index(g.size())] -= 5000;
    for (const auto& policy : {all_threads, some_threads}) {
      apsp::matrix<number> d(g.n);
      const auto done = apsp::elimination(policy, g.view(), d);
      BOOST_TEST_CONTEXT("seed = " << seed) {
        BOOST_CHECK(!done);
        check_negative_cycle(g, done.negative_cycle());
      }
    }
  }
  const auto loop = make_graph<int>(3, {{0, 1, 5}, {1, 1, -1}, {1, 2, 5}});
  apsp::matrix<int> d(3);
  const auto done = apsp::elimination(one_thread, loop.view(), d);
  BOOST_CHECK(done.negative_cycle() == std::vector<std::size_t>({1, 1}));
}

// Sums of small floating-point weights round: a cycle of length 0 may look negative.
BOOST_AUTO_TEST_CASE(rounding_makes_no_negative_cycle) {
  random_numbers random(41);
  std::vector<double> potential(120);
  for (auto& x : potential) x = static_cast<double>(random(-1000000, 1000000)) / 7;
  arc_list<double> g{120, {}, {}, {}};
  for (std::size_t u = 0; u < g.n; ++u) {
    for (int k = 0; k < 4; ++k) {
      const std::size_t v = random.index(g.n);
      g.add(u, v, potential[u] - potential[v]);
      g.add(v, u, potential[v] - potential[u]);
    }
  }
  apsp::matrix<double> d(g.n);
  const auto done = apsp::elimination(one_thread, g.view(), d);
  BOOST_REQUIRE(done);
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    if (d[u][v] == apsp::unreachable<double>) return;
    BOOST_REQUIRE_SMALL(d[u][v] - (potential[u] - potential[v]), 1e-6);
  });
}

// Reduced weights, of which many are 0 up to rounding: each of several arcs may look longer than a
// path through the next.
BOOST_AUTO_TEST_CASE(rounding_drops_no_arc_that_is_needed) {
  const auto six = make_graph<double>(6, {{0, 1, 2828.734565883587},
                                          {1, 0, -2828.734565883587},
                                          {1, 5, -30.966948159969711},
                                          {2, 1, -400.37924776832153},
                                          {2, 4, -472.87924776832153},
                                          {3, 1, 29.311258891577307},
                                          {3, 2, 429.69050669989886},
                                          {3, 4, -43.18874110842269},
                                          {3, 5, -1.6556892683924058},
                                          {5, 1, 30.966948159969711},
                                          {5, 3, 1.6556892683924058}});
  apsp::matrix<double> d(6);
  BOOST_REQUIRE(apsp::elimination(one_thread, six.view(), d));
  check_distances(six, d);
  constexpr std::size_t side = 9;
  constexpr std::uint64_t num_seeds = is_short ? 20 : 400;  // The hierarchy is that of the host.
  for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      random_numbers random(seed);
      const auto fraction = [&] { return static_cast<double>(random(0, 1'000'000)) / 1e6; };
      arc_list<double> g{side * side, {}, {}, {}};
      std::vector<double> potential(g.n);
      for (double& x : potential) x = 100 * fraction();
      const auto connect = [&](std::size_t u, std::size_t v) {
        const double reduced = random.chance(0.15) ? 0 : 10 * fraction();
        g.add(u, v, reduced + potential[v] - potential[u]);
      };
      for (std::size_t u = 0; u < g.n; ++u) {
        for (const std::size_t v : {u + 1, u + side}) {
          if (v >= g.n || (v == u + 1 && v % side == 0)) continue;
          connect(u, v);
          connect(v, u);
        }
      }
      apsp::matrix<double> all(g.n), expected(g.n);
      BOOST_REQUIRE(apsp::elimination(one_thread, g.view(), all));
      BOOST_REQUIRE(apsp::floyd_warshall(one_thread, g.view(), expected));
      for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
        BOOST_REQUIRE_SMALL(all[u][v] - expected[u][v], 1e-8);
      });
    }
  }
}

// Undirected graphs take other products of large fronts.
BOOST_AUTO_TEST_CASE_TEMPLATE(undirected_over_semirings, S, named_semirings) {
  using T = typename S::value_type;
  // The algorithms from one source have no kernels for products of integers.
  const bool has_kernels = !std::is_same_v<S, apsp::max_times<T>> || !std::is_integral_v<T>;
  const auto g = undirected(semiring_graph<S>(600, 0.02, 41));
  if (on_device && !has_kernels) {
    apsp::matrix<T> untouched(g.n);
    BOOST_CHECK_THROW(static_cast<void>(apsp::elimination(many_threads, g.view(), untouched, S{})),
                      apsp::device_error);
    return;
  }
  const auto expected = best_values<S>(g);
  for (const auto& policy : {one_thread, one_thread.prefer_fewest_edges()}) {
    apsp::matrix<T> d(g.n);
    BOOST_REQUIRE(apsp::elimination(policy, g.view(), d, S{}));
    check_values<S>(expected, d);
  }
  apsp::matrix<T> d(g.n);
  BOOST_REQUIRE(apsp::elimination(many_threads, g.view(), d, S{}));
  check_values<S>(expected, d);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_edge_is_a_cycle, T, fewer_weight_types) {
  arcs_t g = mesh(9, 42);
  g.add(100, 101, -1);
  g.add(101, 100, -1);
  const auto arcs = converted<T>(g);
  apsp::matrix<T> d(g.n);
  const auto done = apsp::elimination(many_threads, arcs.view(), d);
  BOOST_REQUIRE(!done.negative_cycle().empty());
  check_negative_cycle(g, done.negative_cycle());
}

namespace {

/// A graph with random arcs, and the best of each group of parallel arcs.
template <class S, class T = typename S::value_type>
struct graph_and_best_arcs {
  template <class Weight>
  graph_and_best_arcs(std::size_t n, int num_arcs, std::uint64_t seed, Weight weight)
      : arcs{n, {}, {}, {}}, best(n, n, meaning<S>::zero) {
    random_numbers random(seed);
    for (int k = 0; k < num_arcs; ++k) {
      const std::size_t u = random.index(n);
      const std::size_t v = random.index(n);
      const T w = weight(random);
      arcs.add(u, v, w);
      if (meaning<S>::is_better(w, best[u][v])) best[u][v] = w;
    }
  }
  /// Calls check(value, along), where `along` is the value of the arcs that predecessors describe.
  template <class Check>
  void check_along_predecessors(const apsp::matrix<T>& values, const apsp::matrix<int>& p,
                                Check check) const {
    for (std::size_t s = 0; s < arcs.n; ++s) {
      for (std::size_t t = 0; t < arcs.n; ++t) {
        if (s == t || values[s][t] == meaning<S>::zero) continue;
        T along = meaning<S>::one;
        std::size_t edges = 0;
        for (std::size_t v = t; v != s && edges <= arcs.n; ++edges) {
          BOOST_REQUIRE_GE(p[s][v], 0);
          const auto u = static_cast<std::size_t>(p[s][v]);
          along = meaning<S>::join(along, best[u][v]);
          v = u;
        }
        BOOST_REQUIRE_LE(edges, arcs.n);
        check(values[s][t], along);
      }
    }
  }

  arc_list<T> arcs;
  apsp::matrix<T> best;
};

}  // namespace

// Products round in another order than along the path, so that few arcs are tight.
BOOST_AUTO_TEST_CASE_TEMPLATE(products_along_predecessors, T, few_floats) {
  using S = apsp::max_times<T>;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      // Cycles of weight 1 leave no vertex nearer than the other.
      const graph_and_best_arcs<S> g(40, 160, seed, [](random_numbers& random) {
        return random.chance(0.3) ? T{1} : static_cast<T>(random(1, 99)) / 100;
      });
      for (const auto& policy : {all_threads, all_threads.prefer_fewest_edges()}) {
        apsp::matrix<T> values(g.arcs.n);
        apsp::matrix<int> p(g.arcs.n);
        BOOST_REQUIRE(apsp::elimination(policy, g.arcs.view(), values, p, S{}));
        g.check_along_predecessors(
            values, p, [](T value, T along) { BOOST_REQUIRE_CLOSE_FRACTION(along, value, 1e-4); });
      }
    }
  }
}

// Infinite values have no difference from others that could be compared.
BOOST_AUTO_TEST_CASE(infinite_values_along_predecessors) {
  using S = apsp::min_max<double>;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      const graph_and_best_arcs<S> g(9, 30, seed, [](random_numbers& random) {
        return random.chance(0.4) ? -infinite<double> : static_cast<double>(random(-9, 9));
      });
      const auto is_equal = [](double value, double along) { BOOST_REQUIRE_EQUAL(along, value); };
      for (const auto& policy : {all_threads, all_threads.prefer_fewest_edges()}) {
        apsp::matrix<double> values(g.arcs.n);
        apsp::matrix<int> p(g.arcs.n);
        BOOST_REQUIRE(apsp::elimination(policy, g.arcs.view(), values, p, S{}));
        g.check_along_predecessors(values, p, is_equal);
        BOOST_REQUIRE(apsp::floyd_warshall(policy, g.arcs.view(), values, p, S{}));
        g.check_along_predecessors(values, p, is_equal);
      }
    }
  }
}

// Whether a sum overflows depends on the order of its terms. Rows are consistent in any case.
BOOST_AUTO_TEST_CASE(sums_near_the_largest_double) {
  constexpr double largest = std::numeric_limits<double>::max();
  for (std::uint64_t seed = 1; seed <= (is_short ? 400 : 2000); ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      random_numbers random(seed);
      arc_list<double> g{8, {}, {}, {}};
      for (int k = 0; k < 20; ++k) {
        g.add(random.index(g.n), random.index(g.n),
              largest / 64 * static_cast<double>(random(1, 40)));
      }
      apsp::matrix<double> d(g.n);
      apsp::matrix<int> p(g.n);
      BOOST_REQUIRE(apsp::elimination(one_thread, g.view(), d, p));
      for_each_pair(g.n, [&](std::size_t s, std::size_t v) {
        BOOST_REQUIRE_EQUAL(p[s][v] >= 0, s != v && d[s][v] < infinite<double>);
      });
    }
  }
}

// n * max |weight| decides the type in which vertices are eliminated, and the paths of the
// hierarchy that of the sweeps.
BOOST_AUTO_TEST_CASE(integers_of_any_size) {
  const auto solve = [](const auto& g, bool saturates) {
    using T = std::remove_cvref_t<decltype(g.weights[0])>;
    // Boost's sums are 64 bits wide.
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    apsp::matrix<T> d(g.n);
    apsp::matrix<int> p(g.n);
    const auto done = apsp::elimination(one_thread, g.view(), d, p);
    BOOST_REQUIRE(done);
    BOOST_CHECK_EQUAL(done.saturated(), saturates);
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      const wide_t<T> length = (*expected)[u][v];
      const bool fits = length < static_cast<wide_t<T>>(apsp::unreachable<T>);
      BOOST_REQUIRE_EQUAL(d[u][v], fits ? static_cast<T>(length) : apsp::unreachable<T>);
    });
    if (!saturates) check_predecessors(g, d, p);
  };
  // Long paths of heavy arcs: the sum of some does not fit in 32 bits.
  const auto heavy =
      converted<std::int32_t>(with_weights(path_graph(60, 51), 100'000'000, 200'000'000, 51));
  solve(heavy, true);
  solve(converted<std::uint32_t>(heavy), true);
  solve(converted<std::int64_t>(heavy), false);
  // A star: n * max |weight| does not fit, but every path does.
  arc_list<std::int32_t> star{400, {}, {}, {}};
  random_numbers random(52);
  for (std::size_t v = 1; v < star.n; ++v) {
    star.add(0, v, static_cast<std::int32_t>(random(1, 400'000'000)));
    star.add(v, 0, static_cast<std::int32_t>(random(1, 400'000'000)));
  }
  solve(star, false);
  // The same with negative weights and pairs that are not connected.
  arc_list<std::int32_t> down{400, {}, {}, {}};
  for (std::size_t v = 1; v < down.n; ++v) {
    if (v % 3 != 0) down.add(0, v, static_cast<std::int32_t>(random(-200'000'000, 200'000'000)));
  }
  solve(down, false);
  arc_list<std::int8_t> small{100, {}, {}, {}};
  for (std::size_t v = 1; v < small.n; ++v) small.add(v - 1, v, static_cast<std::int8_t>(v % 3));
  solve(small, false);
  // 64-bit weights whose sums need 128 bits.
  const auto huge = make_graph<std::int64_t>(
      4, {{0, 1, std::int64_t{1} << 61}, {1, 2, std::int64_t{1} << 61}, {2, 3, -5}, {3, 2, 6}});
  if constexpr (!on_device) solve(huge, false);
  // Weights that only a wider type can add, beside paths that the type of the distances holds.
  constexpr std::int64_t heaviest = apsp::unreachable<std::int64_t> - 1;
  solve(make_graph<std::int64_t>(4, {{0, 1, 3},
                                     {1, 2, 0},
                                     {2, 0, 1},
                                     {1, 3, heaviest},
                                     {0, 3, 2},
                                     {2, 3, heaviest},
                                     {3, 0, heaviest},
                                     {3, 1, 1}}),
        false);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_can_be_watched_and_stopped, Policy, policies) {
  const auto g = random_graph<int>(200, 0.02, 1, 99, 61);
  apsp::matrix<int> d(g.n);
  check_watched_and_stopped(Policy::policy(), g.n, [&](const auto& policy) {
    return apsp::elimination(policy, g.view(), d);
  });
}
