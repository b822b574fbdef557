// SPDX-License-Identifier: BSL-1.0
// Tests of all distances within a cutoff, in compressed sparse rows.
#define BOOST_TEST_MODULE distances_within
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using vertex_list = std::vector<std::size_t>;
constexpr long double no_limit = std::numeric_limits<long double>::infinity();

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

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, std::uint64_t seed) {
    // From few vertices to all of them.
    for (const long double cutoff : {0.0L, 5.5L, 20.0L, 70.0L, 300.0L, no_limit}) {
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", cutoff " << cutoff) {
        const auto all = apsp::distances_within(With::policy(), g.view(), cutoff);
        static_assert(std::is_same_v<decltype(all), const apsp::sparse_distances<T>>);
        check_within(g, all_vertices(g.n), cutoff, all);
        const auto sources = some_vertices(g.n, 9, seed);
        const auto some = apsp::distances_within(With::policy(), g.view(), cutoff, sources);
        check_within(g, sources, cutoff, some);
        const auto& done = some.status();
        BOOST_CHECK(done.executed_on() == With::expected || !runs_on_host(With::expected));
      }
    }
  };
  for (const std::size_t n : {0, 1, 2, 17, 150}) {
    check(some_graph<T>(n, 0, 10 + n), 10 + n);
    check(random_graph<T>(n, 0.5, 1, 99, 20 + n), 20 + n);
    check(negative_graph<T>(n, n < 20 ? 0.3 : 0.03, 30 + n), 30 + n);
  }
  // Weights that differ too much for buckets.
  auto g = random_graph<T>(150, 0.03, 1, 9, 41);
  random_numbers random(42);
  for (T& w : g.weights) w = static_cast<T>(std::int64_t{1} << random.below(20));
  check(g, 41);
}

// With a row for each vertex the result is a graph: the distances within twice the cutoff are found
// by way of vertices within the cutoff.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_result_is_a_graph, Policy, policies) {
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

BOOST_AUTO_TEST_CASE_TEMPLATE(saturation, Policy, policies) {
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

BOOST_AUTO_TEST_CASE_TEMPLATE(failures, Policy, policies) {
  auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  const std::vector<int> some{1, 2, 2};
  const auto check_empty = [](const auto& found, std::size_t rows) {
    BOOST_CHECK(!found);
    BOOST_CHECK(found.offsets == std::vector<std::int64_t>(rows + 1));
    BOOST_CHECK(found.targets.empty() && found.distances.empty());
  };
  apsp::stop_source stop;
  stop.request_stop();
  const auto stopped = apsp::distances_within(Policy::policy().stop(stop.get_token()), g.view(), 9);
  BOOST_CHECK(stopped.status().stopped());
  check_empty(stopped, g.n);
  check_refused<std::invalid_argument>(
      [&] { static_cast<void>(apsp::distances_within(Policy::policy(), g.view(), -1, some)); },
      "the cutoff must not be negative or NaN");
  check_refused<std::invalid_argument>(
      [&] { static_cast<void>(apsp::distances_within(Policy::policy(), g.view(), NAN)); },
      "the cutoff must not be negative or NaN");
  check_refused<std::invalid_argument>(
      [&] {
        static_cast<void>(apsp::distances_within(Policy::policy(), g.view(), 9, std::vector{50}));
      },
      "source 50 is out of range: the graph has 50 vertices");
  g.add(7, 8, 3);
  g.add(8, 7, -4);
  const auto cyclic = apsp::distances_within(Policy::policy(), g.view(), 9, some);
  BOOST_CHECK(cyclic.status().outcome() == apsp::outcome::negative_cycle);
  check_negative_cycle(g, cyclic.status().negative_cycle());
  check_empty(cyclic, some.size());
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
