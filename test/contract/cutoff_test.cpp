// SPDX-License-Identifier: BSL-1.0
// Tests of a policy's cutoff of distances.
#define BOOST_TEST_MODULE cutoff
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/dijkstra.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_at_its_boundary, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(5, {{0, 1, T(3)}, {1, 2, T(4)}, {2, 3, T(0)}, {3, 4, T(1)}});
  for (const auto method : all_algorithms) {
    const auto reached = [&](long double limit) {
      const bool is_square = method == apsp::algorithm::floyd_warshall;
      apsp::matrix<T> d(is_square ? 5 : 1, 5);
      apsp::matrix<int> p(d.rows(), 5);
      const auto policy = With::policy().cutoff(limit);
      const auto done = is_square ? apsp::floyd_warshall(policy, g.view(), d, p)
                                  : run(method, policy, g.view(), std::vector<int>{0}, d, p);
      BOOST_REQUIRE(done);
      BOOST_CHECK(!done.saturated());
      std::size_t count = 0;
      for (std::size_t v = 0; v < 5; ++v) {
        const bool near = d[0][v] != infinite<T>;
        count += near ? 1 : 0;
        BOOST_CHECK_EQUAL(p[0][v], near ? static_cast<int>(v) - 1 : -1);
      }
      return count;
    };
    BOOST_TEST_CONTEXT(to_string(method)) {
      BOOST_CHECK_EQUAL(reached(0), 1u);
      BOOST_CHECK_EQUAL(reached(2.999L), 1u);
      BOOST_CHECK_EQUAL(reached(3), 2u);
      BOOST_CHECK_EQUAL(reached(6.5L), 2u);
      BOOST_CHECK_EQUAL(reached(7), 4u);
      BOOST_CHECK_EQUAL(reached(8), 5u);
      BOOST_CHECK_EQUAL(reached(1e30L), 5u);
      BOOST_CHECK_EQUAL(reached(std::numeric_limits<long double>::max()), 5u);
      BOOST_CHECK_EQUAL(reached(std::numeric_limits<long double>::infinity()), 5u);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_of_random_graphs, With,
                              in_places<policies_and_fewer_weights>) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, const auto& methods) {
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    const auto lightest = lightest_arcs(g);
    const bool is_negative = *std::min_element(g.weights.begin(), g.weights.end()) < T{};
    for (const long double limit : {0.0L, 1.0L, 10.0L, 25.5L, 60.0L, 5000.0L, 1e30L}) {
      if (is_slow<With> && (limit == 1 || limit == 10 || limit == 5000)) continue;
      const auto cut = within<T>(*expected, limit);
      const auto policy = With::policy().cutoff(limit);
      const auto check_calls = [&](apsp::algorithm method, const auto& graph) {
        BOOST_TEST_CONTEXT(to_string(method) << ", cutoff = " << limit) {
          auto d = wrong_results<With, T>(g.n);
          const auto done = run_all_pairs(method, policy, graph, d);
          BOOST_REQUIRE(done);
          BOOST_CHECK(!done.saturated());
          check_rows<T>(cut, to_host(d));
          d = wrong_results<With, T>(g.n);
          auto p = wrong_results<With, std::int32_t>(g.n);
          BOOST_REQUIRE(run_all_pairs(method, policy, graph, d, p));
          check_rows<T>(cut, to_host(d));
          if (is_negative) {
            check_predecessors(g, to_host(d), to_host(p), predecessors_of::reached_and_passed);
          } else {
            check_trees<T>(lightest, all_vertices(g.n), to_host(d), to_host(p));
          }
        }
      };
      With::graphs::in_forms_by_turns(
          g, [&](const auto& graph) { check_calls(apsp::algorithm::floyd_warshall, graph); });
      With::graphs::in_one_form(g, [&](const auto& graph) {
        for (const auto method : methods) check_calls(method, graph);
        std::size_t wrong = 0;
        std::size_t calls = 0;
        const std::function<void(std::size_t, std::span<const T>)> look =
            [&](std::size_t source, std::span<const T> row) {
              ++calls;
              for (std::size_t v = 0; v < g.n; ++v) {
                wrong += same_distance<T>(row[v], cut[source][v]) ? 0 : 1;
              }
            };
        BOOST_REQUIRE(apsp::for_each_row(policy, graph, all_vertices(g.n), look));
        BOOST_CHECK_EQUAL(wrong, 0u);
        BOOST_CHECK_EQUAL(calls, g.n);
      });
    }
  };
  BOOST_TEST_CONTEXT("random, n = 150, seed = 41") {
    check(random_graph<T>(150, 0.05, 0, 30, 41), per_source_algorithms);
  }
  BOOST_TEST_CONTEXT("dense, n = 50, seed = 42") {
    check(random_graph<T>(50, 1.0, 0, 200, 42), per_source_algorithms);
  }
  BOOST_TEST_CONTEXT("negative, n = 140, seed = 43") {
    check(negative_graph<T>(140, 0.06, 43), algorithms_for_negative_weights);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_and_paths_through_far_vertices, With,
                              policies_and_fewer_weights) {
  // The path to vertex 2 contains a vertex beyond the cutoff.
  using T = typename With::weight;
  const auto g = make_graph<T>(5, {{0, 1, T(10)}, {1, 2, T(-8)}, {2, 3, T(4)}, {1, 4, T(0)}});
  for (const auto method : all_algorithms_for_negative_weights) {
    BOOST_TEST_CONTEXT(to_string(method)) {
      apsp::matrix<T> d(5);
      apsp::matrix<int> p(5);
      BOOST_REQUIRE(run_all_pairs(method, With::policy().cutoff(5), g.view(), d, p));
      BOOST_CHECK_EQUAL(d[0][1], infinite<T>);
      BOOST_CHECK_EQUAL(d[0][2], T(2));
      BOOST_CHECK_EQUAL(d[0][3], infinite<T>);
      BOOST_CHECK_EQUAL(d[0][4], infinite<T>);
      BOOST_CHECK_EQUAL(d[1][2], T(-8));
      BOOST_CHECK_EQUAL(p[0][3], apsp::no_predecessor<int>);
      BOOST_CHECK_EQUAL(p[0][4], apsp::no_predecessor<int>);
      // Paths to vertices within the cutoff are complete, whatever the entries of vertices beyond
      // it.
      std::vector<std::size_t> walked;
      BOOST_CHECK_NO_THROW(walked = apsp::path(p, 0, 2));
      BOOST_CHECK((walked == std::vector<std::size_t>{0, 1, 2}));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_at_the_end_of_a_long_path, Policy, policies) {
  const std::size_t n = 600;
  arc_list<double> g{n + 1, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) g.add(v, v + 1, 0.1);
  g.add(0, n, 0.3);
  g.add(n, 1, -0.1);
  const std::vector<int> from{0};
  apsp::matrix<double> d(1, n + 1);
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), from, d));
  for (std::size_t v = 1; v < n; v += 7) {
    apsp::matrix<double> near(1, n + 1);
    const auto cutoff = static_cast<long double>(d[0][v]);
    BOOST_REQUIRE(apsp::johnson(Policy::policy().cutoff(cutoff), g.view(), from, near));
    BOOST_REQUIRE_EQUAL(near[0][v], d[0][v]);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_of_fractions, Policy, policies) {
  // A tenth is not representable. A path of one step is as long as the limit, one of two steps is
  // longer.
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const auto g = make_graph<T>(3, {{0, 1, T(0.1)}, {1, 2, T(0.1)}});
    for (const auto method : per_source_algorithms) {
      apsp::matrix<T> d(1, 3);
      const std::vector<int> first{0};
      BOOST_REQUIRE(run(method, Policy::policy().cutoff(T(0.1)), g.view(), first, d));
      BOOST_CHECK_EQUAL(d[0][1], T(0.1));
      BOOST_CHECK_EQUAL(d[0][2], infinite<T>);
      BOOST_REQUIRE(run(method, Policy::policy().cutoff(T(0.1) + T(0.1)), g.view(), first, d));
      BOOST_CHECK_EQUAL(d[0][2], T(0.1) + T(0.1));
      BOOST_REQUIRE(
          run(method, Policy::policy().cutoff(std::nextafter(T(0.1), T(0))), g.view(), first, d));
      BOOST_CHECK_EQUAL(d[0][1], infinite<T>);
    }
  };
  check(float{});
  if constexpr (takes_plain_loops<Policy>()) check(double{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_in_other_types, Policy, policies) {
  // Computed in a wider type, reweighted, transposed in place, or copied.
  const auto g = make_graph<std::int32_t>(3, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}});
  for (const long double limit : {2e9L, 2e9L - 1, 1e30L}) {
    apsp::matrix<std::int32_t> d(3);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(limit), g.view(), d));
    BOOST_CHECK_EQUAL(d[0][1], limit < 2e9L ? infinite<std::int32_t> : 2'000'000'000);
    BOOST_CHECK_EQUAL(d[0][2], infinite<std::int32_t>);
    apsp::matrix<std::uint64_t> wide(3);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(limit), g.view(), wide));
    BOOST_CHECK_EQUAL(wide[0][1], limit < 2e9L ? infinite<std::uint64_t> : 2'000'000'000u);
    BOOST_CHECK_EQUAL(wide[0][2], limit < 4e9L ? infinite<std::uint64_t> : 4'000'000'000u);
    std::vector<std::vector<double>> copied(3, std::vector<double>(3));
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(limit), g.view(), copied));
    BOOST_CHECK_EQUAL(copied[0][2], limit < 4e9L ? infinite<double> : 4e9);
  }
  const auto tenths = negative_graph<std::int64_t>(150, 0.2, 3);
  const auto expected = oracle_distances(tenths);
  BOOST_REQUIRE(expected.has_value());
  const auto floats = negative_graph<float>(150, 0.2, 3, 0.1);
  apsp::matrix<float> d(150);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(2.05L), floats.view(), d));
  for (std::size_t u = 0; u < 150; ++u) {
    for (std::size_t v = 0; v < 150; ++v) {
      const bool is_far = (*expected)[u][v] > 20;
      BOOST_REQUIRE_EQUAL(d[u][v] == infinite<float>, is_far);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_that_is_none, Policy, policies) {
  BOOST_CHECK_THROW(static_cast<void>(Policy::policy().cutoff(-1)), std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(Policy::policy().cutoff(-0.001L)), std::invalid_argument);
  BOOST_CHECK_THROW(
      static_cast<void>(Policy::policy().cutoff(std::numeric_limits<long double>::quiet_NaN())),
      std::invalid_argument);
  BOOST_CHECK(!Policy::policy().cutoff().has_value());
  BOOST_CHECK(Policy::policy().cutoff(2.5L).cutoff() == 2.5L);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs_beyond_a_narrower_type, Policy, policies) {
  // The type used internally may be narrower than an unsigned type.
  const auto check = [](auto zero, long double cutoff) {
    using T = decltype(zero);
    const auto g = make_graph<T>(3, {{0, 1, T{5}}, {1, 2, T{7}}});
    apsp::matrix<T> d(3);
    BOOST_REQUIRE(apsp::dijkstra(Policy::policy().cutoff(cutoff), g.view(), d));
    BOOST_CHECK_EQUAL(d[0][1], T{5});
    BOOST_CHECK_EQUAL(d[0][2], T{12});
  };
  check(std::uint32_t{}, 3e9L);
  check(std::uint64_t{}, 1e19L);
  check(std::uint32_t{}, std::numeric_limits<long double>::infinity());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cut_sums_below_a_cutoff, Policy, policies) {
  const auto g = make_graph<std::int32_t>(3, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}});
  apsp::matrix<std::int32_t> d(3);
  const auto done = apsp::dijkstra(Policy::policy().cutoff(1e18L), g.view(), d);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.saturated());
  BOOST_CHECK_EQUAL(d[0][2], apsp::unreachable<std::int32_t>);
}
