// SPDX-License-Identifier: BSL-1.0
// Tests of the nearest of some sources for every vertex.
#define BOOST_TEST_MODULE nearest_sources
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/nearest_sources.hpp>
#include <apsp/path.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
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
apsp::result check_call(const Policy& policy, const arc_list<T>& g, const vertex_list& sources,
                        wide_t<T> limit = wide_unreachable<T>) {
  std::vector<T> distances(g.n, T{42});
  std::vector<T> again(g.n, T{42});
  std::vector<int> nearest(g.n, 42);
  std::vector<int> predecessors(g.n, 42);
  auto done = apsp::nearest_sources(policy, g.view(), sources, distances, nearest, predecessors);
  BOOST_REQUIRE(done);
  check_nearest(g, sources, distances, nearest, predecessors, limit);
  BOOST_REQUIRE(apsp::nearest_sources(policy, g.view(), sources, again, nearest));
  BOOST_CHECK(again == distances);
  check_nearest(g, sources, distances, nearest, predecessors, limit);
  return done;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, std::uint64_t seed) {
    for (const std::size_t count : {0, 1, 5, 40}) {
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", " << count << " sources") {
        const auto done = check_call(With::policy(), g, some_vertices(g.n, count, seed));
        BOOST_CHECK(done.executed_on() == With::expected || !runs_on_host(With::expected));
        BOOST_CHECK(!done.saturated());
      }
    }
  };
  for (const std::size_t n : {0, 1, 2, 17, 200}) {
    check(some_graph<T>(n, 0, 10 + n), 10 + n);
    check(random_graph<T>(n, 0.5, 1, 99, 20 + n), 20 + n);
    check(negative_graph<T>(n, n < 20 ? 0.3 : 0.03, 30 + n), 30 + n);
  }
  // Only weights of zero: every vertex is as near to one source as to another.
  check(random_graph<T>(60, 0.05, 0, 0, 40), 40);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fewest_edges, Policy, policies) {
  const auto g = random_graph<int>(120, 0.05, 0, 3, 45);
  BOOST_TEST_CONTEXT("seed 45") {
    BOOST_CHECK(check_call(Policy::policy().prefer_fewest_edges(), g, some_vertices(g.n, 6, 45)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = some_graph<T>(200, 0, 51);
  for (const int limit : {0, 7, 30}) {
    BOOST_TEST_CONTEXT("seed 51, cutoff " << limit) {
      BOOST_CHECK(
          check_call(With::policy().cutoff(limit), g, some_vertices(g.n, 5, 51), wide_t<T>(limit)));
    }
  }
  // The way to vertex 2 leads through vertex 1, which is beyond the cutoff.
  const auto back = make_graph<T>(4, {{0, 1, T(9)}, {1, 2, T(-7)}, {3, 2, T(8)}});
  std::vector<T> distances(4);
  std::vector<std::int64_t> nearest(4);
  std::vector<std::int64_t> predecessors(4);
  BOOST_REQUIRE(apsp::nearest_sources(With::policy().cutoff(5), back.view(), std::vector{0, 3},
                                      distances, nearest, predecessors));
  BOOST_CHECK((distances == std::vector<T>{0, infinite<T>, 2, 0}));
  BOOST_CHECK((nearest == std::vector<std::int64_t>{0, -1, 0, 3}));
  BOOST_CHECK((predecessors == std::vector<std::int64_t>{-1, 0, 1, -1}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_ranges_and_graphs, Policy, policies) {
  const auto g = random_graph<std::int32_t>(90, 0.05, 1, 99, 61);
  const auto sources = some_vertices(g.n, 4, 61);
  std::vector<double> distances(g.n);
  std::vector<std::uint8_t> nearest(g.n);
  std::vector<std::uint8_t> predecessors(g.n);
  const std::span<double> some(distances);
  BOOST_TEST_CONTEXT("seed 61") {
    BOOST_REQUIRE(apsp::nearest_sources(Policy::policy(), dense_form(g), sources, some, nearest,
                                        predecessors));
    check_nearest(converted<double>(g), sources, distances, nearest, predecessors);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(saturation, Policy, policies) {
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

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_and_stop, Policy, policies) {
  auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  g.add(7, 8, 3);
  g.add(8, 7, -4);
  std::vector<int> distances(g.n, 42);
  std::vector<int> nearest(g.n, 42);
  const std::vector<int> before(g.n, 42);
  const auto done =
      apsp::nearest_sources(Policy::policy(), g.view(), std::vector{1, 2}, distances, nearest);
  BOOST_CHECK(done.outcome() == apsp::outcome::negative_cycle);
  check_negative_cycle(g, done.negative_cycle());
  apsp::stop_source stop;
  stop.request_stop();
  BOOST_CHECK(apsp::nearest_sources(Policy::policy().stop(stop.get_token()),
                                    random_graph<int>(50, 0.1, 1, 9, 72).view(), std::vector{1},
                                    distances, nearest)
                  .stopped());
  BOOST_CHECK(distances == before && nearest == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refusals, Policy, policies) {
  const auto policy = Policy::policy();
  const std::size_t n = 200;
  auto g = random_graph<int>(n, 0.05, 1, 9, 81);
  const std::vector<int> before(n, 42);
  std::vector<int> distances = before;
  std::vector<int> nearest = before;
  std::vector<int> predecessors = before;
  const std::vector<int> sources{3, 4};
  const auto refused = [&](const std::string& words, const auto& from, auto&... to) {
    check_refused<std::invalid_argument>(
        [&] { static_cast<void>(apsp::nearest_sources(policy, g.view(), from, to...)); }, words);
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
      [&] {
        static_cast<void>(apsp::nearest_sources(policy, huge.view(), sources, distances, nearest));
      },
      "nearest_sources takes at most 2^31 - 2 vertices, not 2147483647");
}
