// SPDX-License-Identifier: BSL-1.0
// Distances of pairs, compared to Boost's algorithms from each source: weight types x policies x
// numbers of pairs, with and without a hierarchy, which is climbed or swept.
#define BOOST_TEST_MODULE distances_of_pairs
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/distances_of_pairs.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/host_or_device.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/price.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

struct vertex_pairs {
  std::vector<std::size_t> sources;
  std::vector<std::size_t> targets;
};

/// Random pairs; some are repeated, and some are of one vertex.
vertex_pairs some_pairs(std::size_t n, std::size_t count, std::uint64_t seed) {
  random_numbers random(seed);
  vertex_pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    pairs.sources.push_back(random.index(n));
    pairs.targets.push_back(k % 10 == 9 ? pairs.sources.back() : random.index(n));
  }
  if (count > 2) {
    pairs.sources.back() = pairs.sources.front();
    pairs.targets.back() = pairs.targets.front();
  }
  return pairs;
}
/// Pairs with the same source.
vertex_pairs pairs_from(std::size_t source, std::size_t n, std::size_t count, std::uint64_t seed) {
  vertex_pairs pairs = some_pairs(n, count, seed);
  std::fill(pairs.sources.begin(), pairs.sources.end(), source);
  return pairs;
}

/// Compares with rows of all distances.
template <class T, class Rows>
void check_pairs(const Rows& expected, const vertex_pairs& pairs, const std::vector<T>& distances,
                 wide_t<T> limit = wide_unreachable<T>) {
  BOOST_REQUIRE_EQUAL(distances.size(), pairs.sources.size());
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const auto exact = expected[pairs.sources[k]][pairs.targets[k]];
    if (!same_distance<T>(distances[k], exact > limit ? wide_unreachable<T> : exact)) {
      BOOST_ERROR("pair " << k << ", from " << pairs.sources[k] << " to " << pairs.targets[k]
                          << ", is " << distances[k] << ", not " << exact);
      return;
    }
  }
}

/// Calls f(pairs) for pairs with few and many ends.
template <class F>
void for_pairs(std::size_t n, std::uint64_t seed, F f) {
  for (const std::size_t count : {1, 2, 30, 700}) {
    BOOST_TEST_CONTEXT(count << " pairs, seed " << seed) {
      f(some_pairs(n, count, seed));
      f(pairs_from(n / 2, n, count, seed + 1));
      vertex_pairs back = pairs_from(n / 2, n, count, seed + 2);
      std::swap(back.sources, back.targets);
      f(back);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    if (negative && std::is_unsigned_v<T>) continue;
    const auto g =
        negative ? negative_graph<T>(90, 0.04, 11) : random_graph<T>(90, 0.03, 1, 99, 11);
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
    for_pairs(g.n, 12, [&](const vertex_pairs& pairs) {
      std::vector<T> distances(pairs.sources.size(), T{42});
      const auto check = [&](const auto& graph, const auto& policy, wide_t<T> limit) {
        const auto done =
            apsp::distances_of_pairs(policy, graph, pairs.sources, pairs.targets, distances);
        BOOST_REQUIRE(done);
        BOOST_CHECK(!done.saturated());
        check_pairs<T>(*expected, pairs, distances, limit);
      };
      BOOST_TEST_CONTEXT("negative " << negative) {
        check(g.view(), With::policy(), wide_unreachable<T>);
        check(prepared, With::policy(), wide_unreachable<T>);
        check(g.view(), With::policy().cutoff(40), wide_t<T>(40));
        check(prepared, With::policy().cutoff(40), wide_t<T>(40));
      }
    });
  }
}

// The pairs nearly make up a table.
BOOST_AUTO_TEST_CASE_TEMPLATE(pairs_of_few_vertices, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = to_arcs<T>(grid_graph<std::int32_t>(30, 30, 99, 21));
  const auto expected = oracle_distances(g);
  const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
  vertex_pairs pairs = some_pairs(60, 3600, 22);
  std::vector<T> distances(pairs.sources.size());
  for (int round = 0; round < 2; ++round) {
    BOOST_REQUIRE(apsp::distances_of_pairs(With::policy(), g.view(), pairs.sources, pairs.targets,
                                           distances));
    check_pairs<T>(*expected, pairs, distances);
    BOOST_REQUIRE(apsp::distances_of_pairs(With::policy(), prepared, pairs.sources, pairs.targets,
                                           distances));
    check_pairs<T>(*expected, pairs, distances);
    pairs = some_pairs(g.n, 3600, 23);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(over_semirings, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  constexpr bool has_kernels = !std::is_same_v<S, apsp::max_times<T>> || !std::is_integral_v<T>;
  if (!has_kernels && !takes_plain_loops<Over>()) return;
  const auto g = semiring_graph<S>(70, 0.04, 31);
  const auto expected = best_values<S>(g);
  const apsp::contraction_hierarchy prepared(Over::policy(), g.view(), S{});
  for_pairs(g.n, 32, [&](const vertex_pairs& pairs) {
    std::vector<T> values(pairs.sources.size(), T{42});
    const auto check = [&](const auto& graph) {
      BOOST_REQUIRE(apsp::distances_of_pairs(Over::policy(), graph, pairs.sources, pairs.targets,
                                             values, S{}));
      for (std::size_t k = 0; k < values.size(); ++k) {
        BOOST_REQUIRE(same_value<S>(values[k], expected[pairs.sources[k]][pairs.targets[k]]));
      }
    };
    check(g.view());
    check(prepared);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_pairs_and_other_ranges, Policy, policies) {
  const auto g = random_graph<std::int32_t>(40, 0.1, 1, 99, 41);
  const std::vector<int> none;
  std::vector<std::int32_t> nothing;
  BOOST_CHECK(apsp::distances_of_pairs(Policy::policy(), g.view(), none, none, nothing));
  const auto expected = oracle_distances(g);
  const std::vector<std::uint8_t> from{1, 2, 39};
  const std::set<int> to{0, 5, 7};
  std::vector<double> distances(3);
  BOOST_REQUIRE(
      apsp::distances_of_pairs(Policy::policy(), g.view(), from, to, std::span(distances)));
  for (const auto& [k, v] : {std::pair{0u, 0u}, {1u, 5u}, {2u, 7u}}) {
    const auto exact = (*expected)[from[k]][v];
    const double wanted = exact == wide_unreachable<std::int32_t>
                              ? std::numeric_limits<double>::infinity()
                              : static_cast<double>(exact);
    BOOST_CHECK_EQUAL(distances[k], wanted);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(saturated, Policy, policies) {
  constexpr std::int16_t half = (std::numeric_limits<std::int16_t>::max)() / 2 + 1;
  const auto g = make_graph<std::int16_t>(5, {{0, 1, half}, {1, 2, half}, {2, 3, half}});
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const std::vector<int> from{0, 0, 0, 1, 4}, to{0, 1, 4, 1, 4};
  const std::vector<int> far_from{0, 0, 3}, far_to{3, 1, 0};
  const auto check = [&](const auto& graph) {
    std::vector<std::int16_t> distances(from.size());
    auto done = apsp::distances_of_pairs(Policy::policy(), graph, from, to, distances);
    BOOST_REQUIRE(done);
    BOOST_CHECK(!done.saturated());
    BOOST_CHECK(
        (distances == std::vector<std::int16_t>{0, half, apsp::unreachable<std::int16_t>, 0, 0}));
    std::vector<std::int16_t> far(far_from.size());
    done = apsp::distances_of_pairs(Policy::policy(), graph, far_from, far_to, far);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    BOOST_CHECK((far == std::vector<std::int16_t>{apsp::unreachable<std::int16_t>, half,
                                                  apsp::unreachable<std::int16_t>}));
  };
  check(g.view());
  check(prepared);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  auto g = random_graph<int>(50, 0.05, 1, 9, 51);
  g.add(7, 9, -4);
  g.add(9, 7, 2);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  BOOST_CHECK(!prepared);
  const auto pairs = some_pairs(g.n, 90, 52);
  const auto few = pairs_from(3, g.n, 90, 53);
  const std::vector<int> before(90, 42);
  const auto check = [&](const auto& graph, const auto& from, const auto& to) {
    auto distances = before;
    const auto done = apsp::distances_of_pairs(Policy::policy(), graph, from, to, distances);
    BOOST_CHECK(!done);
    check_negative_cycle(g, done.negative_cycle());
    BOOST_CHECK(distances == before);
  };
  check(g.view(), pairs.sources, pairs.targets);
  check(g.view(), few.targets, few.sources);
  check(prepared, pairs.sources, pairs.targets);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 9, 61);
  const auto pairs = some_pairs(g.n, 50, 62);
  std::vector<int> distances(50);
  const std::size_t num_sources = std::set(pairs.sources.begin(), pairs.sources.end()).size();
  const std::size_t num_targets = std::set(pairs.targets.begin(), pairs.targets.end()).size();
  check_watched_and_stopped(
      Policy::policy(), std::min(num_sources, num_targets), [&](const auto& policy) {
        return apsp::distances_of_pairs(policy, g.view(), pairs.sources, pairs.targets, distances);
      });
#ifndef APSP_TEST_ON_DEVICE
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  // For few pairs there are no rows.
  const auto few = some_pairs(g.n, 3, 63);
  distances.resize(3);
  check_watched_and_stopped(Policy::policy(), few.sources.size(), [&](const auto& policy) {
    return apsp::distances_of_pairs(policy, prepared, few.sources, few.targets, distances);
  });
#endif
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 71);
  std::vector<int> distances(2, 42);
  const auto check = [&](const auto& graph, const std::vector<int>& from,
                         const std::vector<int>& to, const std::string& words) {
    check_refused(
        [&] { return apsp::distances_of_pairs(Policy::policy(), graph, from, to, distances); },
        words);
  };
  check(g.view(), {1, 2}, {3}, "got 2 sources, 1 targets and a range of 2 distances");
  check(g.view(), {1}, {3}, "got 1 sources, 1 targets and a range of 2 distances");
  check(g.view(), {1, 10}, {3, 4}, "source 10 is out of range: the graph has 10 vertices");
  check(g.view(), {1, 2}, {3, -1}, "target -1 is out of range");
  auto bad = g;
  bad.targets.back() = 10;
  check(bad.view(), {1, 2}, {3, 4}, " -> 10 is out of range");
  check(apsp::contraction_hierarchy<int>(), {}, {}, "expected the hierarchy of a graph");
  BOOST_CHECK(distances == std::vector<int>(2, 42));
}

#ifndef APSP_TEST_ON_DEVICE
// Many pairs of a graph like roads are worth a hierarchy; few of them, and those of a random graph,
// are not.
// Which pairs share a batch decides the time alone, so the order is tested apart from results.
BOOST_AUTO_TEST_CASE(every_pair_is_in_one_batch) {
  namespace detail = apsp::detail;
  const std::size_t n = 20000;
  const auto g = random_graph<int>(n, 1.0 / static_cast<double>(n), 1, 9, 6);
  const apsp::contraction_hierarchy<int> prepared(apsp::seq, g.view());
  const auto& kept = apsp::graph_adaptor_t<apsp::contraction_hierarchy<int>>::kept(prepared);
  BOOST_REQUIRE(kept.graph);
  const detail::elimination_tree& tree =
      *std::visit([](const auto& made) -> const auto& { return made.graph.tree; }, *kept.graph);
  random_numbers random(31);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{70}, 3 * n}) {
    for (const std::size_t num_sources : {std::size_t{1}, std::size_t{3}, n}) {
      std::vector<std::int32_t> sources;
      std::vector<std::int32_t> targets;
      for (std::size_t k = 0; k < count; ++k) {
        sources.push_back(static_cast<std::int32_t>(random.index(num_sources)));
        targets.push_back(static_cast<std::int32_t>(random.index(k % 3 == 0 ? 2 : n)));
      }
      std::vector<std::size_t> all(count);
      std::iota(all.begin(), all.end(), std::size_t{0});
      for (const int threads : {1, 4}) {
        BOOST_TEST_CONTEXT(count << " pairs from " << num_sources << " sources by " << threads
                                 << " threads") {
          auto order = detail::host::order_for_batches(tree, {sources, targets}, 8, threads);
          std::sort(order.begin(), order.end());
          BOOST_TEST(order == all);
        }
      }
      BOOST_TEST(detail::count_distinct(sources, n) ==
                 std::set<std::int32_t>(sources.begin(), sources.end()).size());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_choice) {
  const auto roads = to_arcs<float>(grid_graph<std::int32_t>(60, 60, 99, 81));
  const auto expected = oracle_distances(roads);
  const auto chosen = [&](const auto& graph, const vertex_pairs& pairs, const auto& policy) {
    std::vector<float> distances(pairs.sources.size());
    const auto done =
        apsp::distances_of_pairs(policy, graph, pairs.sources, pairs.targets, distances);
    BOOST_REQUIRE(done);
    if (graph.num_vertices() == roads.n) check_pairs<float>(*expected, pairs, distances);
    return done.algorithm();
  };
  const auto many = some_pairs(roads.n, 5000, 82);
  BOOST_CHECK(chosen(roads.view(), many, one_thread) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(roads.view(), many, some_threads) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(roads.view(), some_pairs(roads.n, 3, 83), one_thread) ==
              apsp::algorithm::dijkstra);
  const apsp::contraction_hierarchy prepared(one_thread, roads.view());
  BOOST_CHECK(chosen(prepared, some_pairs(roads.n, 1, 84), one_thread) ==
              apsp::algorithm::elimination);
  const auto random = to_arcs<float>(fixed_degree_graph<std::int32_t>(2000, 4, 99, 85));
  BOOST_CHECK(chosen(random.view(), some_pairs(random.n, 5000, 86), one_thread) !=
              apsp::algorithm::elimination);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights, Policy, policies) {
  const auto g = random_graph<double>(80, 0.05, 1, 99, 91);
  arc_list<price> priced{g.n, g.sources, g.targets, {}};
  for (const double w : g.weights) priced.weights.push_back({w});
  const auto expected = oracle_distances(g);
  const auto pairs = some_pairs(g.n, 60, 92);
  const auto check = [&](const auto& graph) {
    std::vector<price> distances(60);
    BOOST_REQUIRE(
        apsp::distances_of_pairs(Policy::policy(), graph, pairs.sources, pairs.targets, distances));
    std::vector<double> amounts;
    for (const price& d : distances) amounts.push_back(d.amount);
    check_pairs<double>(*expected, pairs, amounts);
  };
  check(priced.view());
  check(apsp::contraction_hierarchy(Policy::policy(), priced.view()));
}
#endif
