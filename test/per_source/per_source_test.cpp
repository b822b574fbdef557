// SPDX-License-Identifier: BSL-1.0
// Compares Dijkstra, Bellman–Ford, Johnson and rows of distances to Boost's algorithms from every
// source: policies x weight types x sizes, densities, shapes and signs x places of the graph and
// the results.
#define BOOST_TEST_MODULE per_source
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/exact_numbers.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/per_source_problem.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using number = std::int64_t;
using arcs_t = arc_list<number>;

using problem = per_source_problem;

arcs_t shuffled(const arcs_t& g, std::uint64_t seed) {
  random_numbers random(seed);
  auto order = all_vertices(g.n);
  for (std::size_t i = g.n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  arcs_t moved{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    moved.add(order[g.from(k)], order[g.to(k)], g.weights[k]);
  }
  return moved;
}

arcs_t star(std::size_t n) {
  // One vertex with arcs to all others, every second of which has an arc back.
  random_numbers random(31);
  arcs_t g{n, {}, {}, {}};
  for (std::size_t v = 1; v < n; ++v) {
    g.add(0, v, random(1, 500));
    if (v % 2 == 0) g.add(v, 0, random(1, 500));
  }
  return g;
}

// Paths with more arcs are shorter, so distances decrease repeatedly.
arcs_t many_improvements(std::size_t n) {
  arcs_t g{n, {}, {}, {}};
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = n - 1; v > u; --v) g.add(u, v, static_cast<number>(3 * (v - u)) - 2);
  }
  return g;
}

arcs_t without_arcs_between(const arcs_t& g, std::size_t parts) {
  arcs_t kept{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto u = g.from(k);
    const auto v = g.to(k);
    if (u % parts == v % parts) kept.add(u, v, g.weights[k]);
  }
  return kept;
}

// Vertex pairs joined in both directions by arcs of weight 0: wrong predecessors could form cycles.
arcs_t free_pairs(std::size_t n) {
  arcs_t g{n, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) g.add_undirected(v, v + 1, v % 2 == 0 ? 0 : 3);
  return g;
}

arcs_t with_self_loops(arcs_t g, number low, number high, std::uint64_t seed) {
  random_numbers random(seed);
  for (std::size_t v = 0; v < g.n; ++v) g.add(v, v, random(low, high));
  return g;
}

const std::vector<problem>& problems_of_sizes() {
  static const std::vector<problem> problems = [] {
    std::vector<problem> all;
    for (const std::size_t n : {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 97, 129, 257}) {
      all.emplace_back("random, n = " + std::to_string(n) + ", p = 0.08, seed = n",
                       random_graph<number>(n, 0.08, 1, 1000, n));
    }
    for (const double p : {0.0, 0.005, 0.02, 0.3, 1.0}) {
      all.emplace_back("random, n = 101, p = " + std::to_string(p) + ", seed = 5",
                       random_graph<number>(101, p, 0, 50, 5));
    }
    return all;
  }();
  return problems;
}

const std::vector<problem>& problems_of_shapes() {
  static const std::vector<problem> problems = [] {
    const auto from = [](const csr_arrays<std::int32_t>& g) { return to_arcs<number>(g); };
    using i32 = std::int32_t;
    std::vector<problem> all;
    all.emplace_back("ring, n = 130, seed = 3",
                     shuffled(from(ring_graph<i32>(130, ring_kind::directed, 9, 3)), 3));
    all.emplace_back("ring both ways, n = 97, seed = 4",
                     from(ring_graph<i32>(97, ring_kind::both_ways, 99, 4)));
    all.emplace_back("star, n = 1201, seed = 31", star(1201),
                     std::vector<std::size_t>{0, 1, 2, 1200, 64, 2});
    all.emplace_back("R-MAT, n = 129, seed = 6", from(rmat_graph<i32>(129, 8, 1000, 6)));
    all.emplace_back("R-MAT, n = 1237, seed = 7", from(rmat_graph<i32>(1237, 6, 1000, 7)),
                     std::vector<std::size_t>{0, 1236, 17, 1, 0, 700, 2});
    all.emplace_back("grid, 9 x 13, seed = 8", from(grid_graph<i32>(9, 13, 1000, 8)));
    all.emplace_back("grid, 40 x 30, seed = 9", from(grid_graph<i32>(40, 30, 1000, 9)),
                     std::vector<std::size_t>{1199, 0, 600});
    all.emplace_back("complete, n = 65, seed = 10", from(complete_graph<i32>(65, 1000, 10)));
    all.emplace_back("three parts, n = 120, seed = 11",
                     without_arcs_between(random_graph<number>(120, 0.1, 1, 99, 11), 3));
    all.emplace_back("parallel arcs and self-loops, n = 37, seed = 12",
                     from(fixed_degree_graph<i32>(37, 40, 1000, 12)));
    all.emplace_back("self-loops, n = 66, seed = 13",
                     with_self_loops(random_graph<number>(66, 0.05, 0, 9, 13), 0, 3, 13));
    all.emplace_back("weights 0 and 1, n = 110, seed = 14",
                     random_graph<number>(110, 0.05, 0, 1, 14));
    all.emplace_back("weights 0, n = 90, seed = 15", random_graph<number>(90, 0.06, 0, 0, 15));
    all.emplace_back("weights 0 in a ring, n = 70",
                     with_weights(from(ring_graph<i32>(70, ring_kind::both_ways, 1, 1)), 0, 0, 1));
    all.emplace_back("many improvements, n = 70", many_improvements(70));
    all.emplace_back("sources again and again, n = 50, seed = 16",
                     random_graph<number>(50, 0.1, 1, 99, 16),
                     std::vector<std::size_t>{49, 3, 3, 3, 0, 49, 20, 3});
    all.emplace_back("no sources, n = 50, seed = 16", random_graph<number>(50, 0.1, 1, 99, 16),
                     std::vector<std::size_t>{});
    all.emplace_back("pairs of weight 0, n = 101, seed = 17", free_pairs(101),
                     some_vertices(101, 70, 17));
    for (const std::size_t n : {0, 1, 2, 31, 33, 70, 300}) {
      all.emplace_back("some of everything, n = " + std::to_string(n) + ", seed = n",
                       some_graph<number>(n, 1, n), some_vertices(n, n == 300 ? 75 : 40, n));
    }
    return all;
  }();
  return problems;
}

const std::vector<problem>& problems_with_negative_weights() {
  static const std::vector<problem> problems = [] {
    std::vector<problem> all;
    std::uint64_t seed = 0;
    for (const std::size_t n : {2, 3, 33, 64, 97, 150}) {
      ++seed;
      all.emplace_back("negative, n = " + std::to_string(n) + ", seed = " + std::to_string(seed),
                       negative_graph<number>(n, n < 9 ? 0.9 : 0.1, seed));
    }
    all.emplace_back("negative, n = 1123, seed = 20", negative_graph<number>(1123, 0.004, 20),
                     std::vector<std::size_t>{1122, 5, 5, 0, 800});
    all.emplace_back("negative, three parts, n = 120, seed = 21",
                     without_arcs_between(negative_graph<number>(120, 0.15, 21), 3));
    // Every cycle has length 0.
    auto heights = random_graph<number>(60, 0.2, -50, 50, 22);
    for (std::size_t k = 0; k < heights.size(); ++k) {
      heights.weights[k] = 7 * (heights.sources[k] % 13) - 7 * (heights.targets[k] % 13);
    }
    all.emplace_back("zero cycles, n = 60, seed = 22", std::move(heights));
    // All arcs lead to larger numbers of a shuffled order.
    auto acyclic = random_graph<number>(100, 0.2, -50, 20, 23);
    for (std::size_t k = 0; k < acyclic.size(); ++k) {
      if (acyclic.sources[k] > acyclic.targets[k]) {
        std::swap(acyclic.sources[k], acyclic.targets[k]);
      }
    }
    all.emplace_back("acyclic, n = 100, seed = 23", shuffled(acyclic, 23));
    // Each source is an end of the ring.
    auto ring = to_arcs<number>(ring_graph<std::int32_t>(80, ring_kind::directed, 9, 24));
    for (std::size_t k = 0; k + 1 < ring.size(); ++k) ring.weights[k] = -ring.weights[k];
    ring.weights.back() = 9 * 80;
    all.emplace_back("negative ring, n = 80, seed = 24", shuffled(ring, 24));
    // The negative arc is not reachable from any source.
    auto beyond = random_graph<number>(90, 0.06, 1, 99, 25);
    beyond.n = 92;
    beyond.add(91, 90, -5);
    beyond.add(90, 3, 1);
    all.emplace_back("a negative arc out of reach, n = 92, seed = 25", std::move(beyond),
                     std::vector<std::size_t>{0, 89, 7});
    for (const std::size_t n : {40, 129}) {
      all.emplace_back("negative, n = " + std::to_string(n) + ", p = 0.2, seed = n",
                       negative_graph<number>(n, 0.2, n), some_vertices(n, 50, n));
    }
    return all;
  }();
  return problems;
}

// To a smaller vertex, a path of several arcs is slightly shorter than one arc. The number of
// passes over the arcs, in their order, is the number of vertices on the path.
arcs_t one_long_way(std::size_t n) {
  arcs_t g{n, {}, {}, {}};
  const auto direct = static_cast<number>(n) + 1;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (u != v) g.add(u, v, v + 1 == u ? 1 : direct);
    }
  }
  return g;
}

// Few enough sources for a device to solve one after another, if the paths have few arcs.
const std::vector<problem>& problems_of_few_sources() {
  static const std::vector<problem> problems = [] {
    using vertices = std::vector<std::size_t>;
    using i32 = std::int32_t;
    std::vector<problem> all;
    all.emplace_back("one of many arcs, n = 300, seed = 41",
                     random_graph<number>(300, 0.5, 1, 999, 41), vertices{299});
    all.emplace_back("some of many arcs, n = 300, seed = 42",
                     random_graph<number>(300, 0.5, 0, 99, 42), vertices{0, 150, 299, 150, 7});
    all.emplace_back("the same twice, n = 200, seed = 17",
                     random_graph<number>(200, 0.6, 1, 99, 17), vertices{199, 0, 199});
    all.emplace_back("few arcs each, n = 1200, seed = 43",
                     to_arcs<number>(fixed_degree_graph<i32>(1200, 12, 1000, 43)), vertices{3, 1});
    all.emplace_back("R-MAT, n = 1100, seed = 44",
                     to_arcs<number>(rmat_graph<i32>(1100, 20, 1000, 44)), vertices{0, 1099, 17});
    all.emplace_back("two parts, n = 250, seed = 45",
                     without_arcs_between(random_graph<number>(250, 0.9, 1, 99, 45), 2),
                     vertices{248, 249, 0});
    all.emplace_back("negative, n = 300, seed = 46", negative_graph<number>(300, 0.5, 46),
                     vertices{1, 299, 0});
    all.emplace_back("negative, few arcs each, n = 1100, seed = 47",
                     negative_graph<number>(1100, 0.02, 47), vertices{1099, 2});
    // Paths with too many arcs for that method, from the first source or from a later one.
    all.emplace_back("one long way from its begin, n = 180", one_long_way(180), vertices{179});
    all.emplace_back("one long way, n = 180", one_long_way(180), vertices{1, 0, 179, 2});
    auto negative_way = one_long_way(180);
    for (std::size_t k = 0; k < negative_way.size(); ++k) {
      negative_way.weights[k] += 7 * (negative_way.targets[k] - negative_way.sources[k]);
    }
    all.emplace_back("one long negative way, n = 180", std::move(negative_way),
                     vertices{1, 179, 0});
    return all;
  }();
  return problems;
}

/// The vertices from which a call solves: those of a list, or all without a list.
enum class from { list, every_vertex };

/// Kernels that solve one source after another get fewer of a list.
template <class With>
decltype(auto) shortened(const problem& whole, from vertices = from::list) {
  if constexpr (is_slow<With>) {
    return whole.from_first(vertices == from::list ? 40 : whole.sources.size());
  } else {
    return (whole);
  }
}

template <class With, class Index = std::int32_t, class Methods>
void check_problem(const problem& whole, const Methods& methods, from vertices = from::list) {
  using T = typename With::weight;
  const auto& task = shortened<With>(whole, vertices);
  const auto g = converted<T>(task.arcs);
  const std::size_t rows = task.sources.size();
  With::graphs::in_forms_by_turns(g, [&](const auto& graph) {
    for (const auto method : methods) {
      BOOST_TEST_CONTEXT(task.name << ", " << to_string(method)) {
        const auto solve = [&](auto&... to) {
          return vertices == from::list ? run(method, With::policy(), graph, task.sources, to...)
                                        : run(method, With::policy(), graph, to...);
        };
        auto d = wrong_results<With, T>(rows, g.n);
        const auto done = solve(d);
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.executed_on() == With::expected || !done.fallback_reason().empty());
        BOOST_CHECK(done.negative_cycle().empty());
        BOOST_CHECK(!done.saturated() && !done.stopped());
        const apsp::matrix<T> distances = to_host(d);
        check_rows<number>(task.expected, exact(distances));

        d = wrong_results<With, T>(rows, g.n);
        auto predecessors = wrong_results<With, Index>(rows, g.n);
        BOOST_REQUIRE(solve(d, predecessors));
        BOOST_CHECK(to_host(d) == distances);
        check_trees<number>(task.lightest, task.sources, exact(distances), to_host(predecessors));
      }
    }
  });
}

// Solves with for_each_row, and stores the rows in a matrix for the checks.
template <class With>
void check_function(const problem& whole) {
  using T = typename With::weight;
  const auto& task = shortened<With>(whole);
  const auto g = converted<T>(task.arcs);
  BOOST_TEST_CONTEXT(task.name << ", for_each_row") {
    // Rows of the same source are equal, so any of them can be stored.
    apsp::matrix<T> distances(g.n, g.n, T(-7));
    apsp::matrix<std::int32_t> predecessors(g.n, g.n, -5);
    std::vector<std::size_t> calls(g.n);
    std::size_t wrong_sizes = 0;
    std::function<void(std::size_t, std::span<const T>)> take = [&](std::size_t source,
                                                                    std::span<const T> row) {
      if (source >= g.n || row.size() != g.n) return void(++wrong_sizes);
      ++calls[source];
      std::copy(row.begin(), row.end(), distances[source]);
    };
    std::function<void(std::size_t, std::span<const T>, std::span<const std::int32_t>)> take_tree =
        [&](std::size_t source, std::span<const T> row, std::span<const std::int32_t> tree) {
          if (source >= g.n || tree.size() != g.n) return void(++wrong_sizes);
          take(source, row);
          std::copy(tree.begin(), tree.end(), predecessors[source]);
        };
    std::vector<std::size_t> expected_calls(g.n);
    for (const std::size_t s : task.sources) ++expected_calls[s];
    const auto rows_of_sources = [&](const auto& m) {
      std::remove_cvref_t<decltype(m)> rows(task.sources.size(), g.n);
      for (std::size_t i = 0; i < task.sources.size(); ++i) {
        std::copy_n(m[task.sources[i]], g.n, rows[i]);
      }
      return rows;
    };

    const auto solve = [&](const auto& graph, const auto& function) {
      std::fill(calls.begin(), calls.end(), std::size_t{0});
      distances = apsp::matrix<T>(g.n, g.n, T(-7));
      BOOST_REQUIRE(apsp::for_each_row(With::policy(), graph, task.sources, function));
      BOOST_CHECK_EQUAL(wrong_sizes, 0u);
      BOOST_CHECK(calls == expected_calls);
      const auto rows = exact(rows_of_sources(distances));
      check_rows<number>(task.expected, rows);
      return rows;
    };
    With::graphs::in_forms_by_turns(g, [&](const auto& graph) {
      solve(graph, take);
      const auto rows = solve(graph, take_tree);
      check_trees<number>(task.lightest, task.sources, rows, rows_of_sources(predecessors));
    });
  }
}

using policies_weights_and_places = in_places<policies_and_weights>;
using policies_fewer_weights_and_places = in_places<policies_and_fewer_weights>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_and_density, With, policies_weights_and_places) {
  for (const auto& task : problems_of_sizes()) {
    check_problem<With>(task, per_source_algorithms);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_shape, With, policies_fewer_weights_and_places) {
  for (const auto& task : problems_of_shapes()) {
    check_problem<With>(task, per_source_algorithms);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, With, policies_fewer_weights_and_places) {
  using T = typename With::weight;
  for (const auto& task : problems_with_negative_weights()) {
    check_problem<With>(task, algorithms_for_negative_weights);
    BOOST_TEST_CONTEXT(task.name) {
      const auto g = converted<T>(task.arcs);
      With::graphs::in_forms_by_turns(g, [&](const auto& graph) {
        auto distances = wrong_results<With, T>(task.sources.size(), g.n);
        check_refused(
            [&] { return apsp::dijkstra(With::policy(), graph, task.sources, distances); },
            "has a negative weight");
        BOOST_CHECK(holds_only(distances));
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(few_sources, With, policies_fewer_weights_and_places) {
  // The preparation of an elimination, the last one, would take most of the time.
  const auto methods = std::span(algorithms_for_negative_weights)
                           .first(algorithms_for_negative_weights.size() - (is_short ? 1 : 0));
  for (const auto& task : problems_of_few_sources()) {
    check_problem<With>(task, methods);
    check_function<With>(task);
  }
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(one_side_on_the_host, With,
                              in_mixed_places<policies_and_fewer_weights>) {
  for (const auto& task : problems_of_shapes()) check_problem<With>(task, per_source_algorithms);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_to_a_function, With, policies_fewer_weights_and_places) {
  for (const auto& task : problems_of_sizes()) {
    if (task.arcs.n <= 129) check_function<With>(task);
  }
  for (const auto& task : problems_of_shapes()) check_function<With>(task);
  for (const auto& task : problems_with_negative_weights()) check_function<With>(task);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_source, With, policies_fewer_weights_and_places) {
  // Without a list the sources are all vertices, in their order.
  for (const auto& task : problems_of_sizes()) {
    if (task.arcs.n > 129) continue;
    check_problem<With, std::int64_t>(task, per_source_algorithms, from::every_vertex);
  }
  check_problem<With, std::int64_t>(problems_with_negative_weights()[4],
                                    algorithms_for_negative_weights, from::every_vertex);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, With, policies_fewer_weights_and_places) {
  using T = typename With::weight;
  for (const std::size_t n : {3u, 40u, 200u}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      BOOST_TEST_CONTEXT("n = " << n << ", seed = " << seed) {
        // Two parts without arcs between them. The second has a cycle of length -1 through all
        // vertices.
        const auto half = random_graph<number>(n, 0.1, 500, 900, seed);
        arcs_t both{2 * n, half.sources, half.targets, half.weights};
        for (std::size_t k = 0; k < half.size(); ++k) {
          both.add(n + half.from(k), n + half.to(k), half.weights[k]);
        }
        for (std::size_t v = 0; v + 1 < n; ++v) both.add(n + v, n + v + 1, 1);
        both.add(2 * n - 1, n, -static_cast<number>(n));
        const auto g = converted<T>(both);
        const auto expected = oracle_rows(half, all_vertices(n));
        BOOST_REQUIRE(expected.has_value());

        auto padded = *expected;
        for (auto& row : padded) row.resize(2 * n, wide_unreachable<number>);
        const auto found = [&](const apsp::result& done) {
          BOOST_REQUIRE(!done);
          BOOST_CHECK(!done.stopped());
          check_negative_cycle(both, done.negative_cycle());
        };
        With::graphs::in_forms_by_turns(g, [&](const auto& graph) {
          // The cycle is not reachable from the first part.
          auto distances = wrong_results<With, T>(n, 2 * n);
          auto predecessors = wrong_results<With, std::int32_t>(n, 2 * n);
          BOOST_REQUIRE(
              apsp::bellman_ford(With::policy(), graph, all_vertices(n), distances, predecessors));
          const apsp::matrix<T> rows = to_host(distances);
          check_rows<number>(padded, exact(rows));
          check_trees<number>(lightest_arcs(both), all_vertices(n), exact(rows),
                              to_host(predecessors));

          found(apsp::johnson(With::policy(), graph, all_vertices(n), distances, predecessors));
          found(apsp::johnson(With::policy(), graph, std::vector<int>{},
                              wrong_results<With, T>(0, 2 * n)));
          const std::vector<std::size_t> one_reaches{0, n, 1};
          auto three = wrong_results<With, T>(3, 2 * n);
          auto hops = wrong_results<With, std::int64_t>(3, 2 * n);
          found(apsp::bellman_ford(With::policy(), graph, one_reaches, three));
          found(apsp::bellman_ford(With::policy(), graph, one_reaches, three, hops));
          found(apsp::johnson(With::policy(), graph, one_reaches, three, hops));
          found(apsp::johnson(With::policy(), graph, one_reaches, three));
          BOOST_CHECK(holds_only(three) && holds_only(hops));
          auto all = wrong_results<With, T>(2 * n);
          found(apsp::bellman_ford(With::policy(), graph, all));
          found(apsp::johnson(With::policy(), graph, all));
          found(apsp::all_pairs_shortest_paths(With::policy(), graph, all));
          int calls = 0;
          std::function<void(std::size_t, std::span<const T>)> count =
              [&](std::size_t, std::span<const T>) { ++calls; };
          found(apsp::for_each_row(With::policy(), graph, all_vertices(n), count));
          BOOST_CHECK_EQUAL(calls, 0);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_self_loops, With, policies_and_weights) {
  using T = typename With::weight;
  arc_list<T> g{4, {}, {}, {}};
  g.add(0, 1, T(2));
  g.add(2, 2, T(-1));
  g.add(2, 1, T(1));
  apsp::matrix<T> row(1, 4);
  BOOST_REQUIRE(apsp::bellman_ford(With::policy(), g.view(), std::vector<int>{0}, row));
  BOOST_CHECK(row[0][1] == T(2));
  BOOST_CHECK(row[0][2] == apsp::unreachable<T>);
  const std::vector<std::size_t> loop{2, 2};
  BOOST_CHECK(
      apsp::bellman_ford(With::policy(), g.view(), std::vector<int>{2}, row).negative_cycle() ==
      loop);
  BOOST_CHECK(apsp::johnson(With::policy(), g.view(), std::vector<int>{0}, row).negative_cycle() ==
              loop);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(runs_are_repeatable, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = converted<T>(problems_with_negative_weights()[5].arcs);
  for (const auto method : algorithms_for_negative_weights) {
    apsp::matrix<T> first(g.n);
    BOOST_REQUIRE(run(method, With::policy(), g.view(), first));
    for (int repeat = 0; repeat < 3; ++repeat) {
      apsp::matrix<T> again(g.n);
      BOOST_REQUIRE(run(method, With::policy(), g.view(), again));
      BOOST_CHECK(first == again);
    }
  }
}
