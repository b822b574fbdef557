// SPDX-License-Identifier: BSL-1.0
// Calls on a hierarchy, and hierarchies with other orders and weights, compared to Boost's
// algorithms.
#define BOOST_TEST_MODULE contraction_hierarchy
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/elimination.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/hierarchy_files.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/result.hpp>
#include <apsp/semiring.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/host_or_device.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using weights = std::tuple<float, double, std::int32_t, std::int64_t, std::int16_t, std::uint32_t>;

using signed_weights = std::tuple<float, double, std::int32_t, std::int64_t>;
// For cases that take long and whose subject is not the type.
using float_and_integer = std::tuple<float, std::int64_t>;
using signed_integers = std::tuple<std::int32_t, std::int64_t>;

static_assert(apsp::graph_with_out_edges<apsp::contraction_hierarchy<float>>);

template <class T, class Policy>
void check_calls(const Policy& policy, const arc_list<T>& g,
                 const apsp::contraction_hierarchy<T>& prepared) {
  const auto expected = oracle_distances(g);
  BOOST_REQUIRE(expected);
  apsp::matrix<T> d(g.n);
  apsp::matrix<int> p(g.n);
  const auto done = apsp::elimination(policy, prepared, d, p);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
  check_rows<T>(*expected, d);
  check_trees<T>(lightest_arcs(g), all_vertices(g.n), d, p);

  d = apsp::matrix<T>(g.n);
  BOOST_REQUIRE(apsp::all_pairs_shortest_paths(policy, prepared, d));
  check_rows<T>(*expected, d);
  BOOST_REQUIRE(apsp::johnson(policy, prepared, d));
  check_rows<T>(*expected, d);
  const auto copy = [&](std::size_t s, std::span<const T> row) {
    std::copy(row.begin(), row.end(), d[s]);
  };
  d = apsp::matrix<T>(g.n);
  BOOST_REQUIRE(apsp::for_each_row(policy, prepared, all_vertices(g.n), copy));
  check_rows<T>(*expected, d);
  std::size_t reached = 0;
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    if (u != v && d[u][v] != apsp::unreachable<T>) ++reached;
  });
  BOOST_CHECK_EQUAL(apsp::summarize_paths(policy, prepared).num_pairs(), reached);

  if (g.n == 0) return;
  random_numbers random(g.n);
  const auto some = [&](std::size_t count) {
    std::vector<std::size_t> list(count);
    for (std::size_t& v : list) v = random.index(g.n);
    return list;
  };
  using shape = std::pair<std::size_t, std::size_t>;
  for (const auto& [k, l] : {shape{1, 1}, {1, 7}, {3, 9}, {9, 3}, {40, 35}, {300, 1}}) {
    const auto sources = some(k);
    const auto targets = some(l);
    apsp::matrix<T> table(k, l);
    BOOST_REQUIRE(apsp::distance_table(policy, prepared, sources, targets, table));
    std::size_t num_wrong = 0;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < l; ++j) {
        num_wrong += same_distance<T>(table[i][j], (*expected)[sources[i]][targets[j]]) ? 0 : 1;
      }
    }
    BOOST_TEST_CONTEXT("n = " << g.n << ", " << k << " x " << l) BOOST_TEST(num_wrong == 0u);
  }
  const auto sources = some(3);
  std::vector<T> distances(g.n);
  std::vector<std::size_t> nearest(g.n);
  BOOST_REQUIRE(apsp::nearest_sources(policy, prepared, sources, distances, nearest));
  for (std::size_t v = 0; v < g.n; ++v) {
    auto least = wide_unreachable<T>;
    for (const std::size_t s : sources) least = std::min(least, (*expected)[s][v]);
    BOOST_REQUIRE(same_distance<T>(distances[v], least));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(calls, T, weights) {
  for (const std::size_t side : {0u, 1u, 2u, 5u, 17u}) {
    BOOST_TEST_CONTEXT("side = " << side << ", seed = " << side) {
      const auto g = streets<T>(side, side);
      const apsp::contraction_hierarchy<T> prepared(one_thread, g.view());
      BOOST_REQUIRE(prepared);
      BOOST_CHECK_EQUAL(prepared.num_vertices(), g.n);
      BOOST_CHECK_EQUAL(prepared.num_edges(), g.size());
      BOOST_CHECK_GE(2 * prepared.fill(), g.size());
      if (side > 2) BOOST_CHECK_GE(prepared.num_arcs(), g.n - 1);
      check_calls(one_thread, g, prepared);
      check_calls(some_threads, g, apsp::contraction_hierarchy(all_threads, g.view()));
    }
  }
}

// As a member or an element, before there is a graph, and after it has been moved from.
BOOST_AUTO_TEST_CASE(of_no_graph) {
  const auto g = streets<int>(5, 4);
  apsp::matrix<int> d(0, 0);
  std::vector<int> row;
  std::ostringstream file;
  const auto check = [&](apsp::contraction_hierarchy<int>& none) {
    BOOST_CHECK(!none);
    for (const auto size : {none.num_vertices(), none.num_edges(), none.num_arcs(), none.fill()}) {
      BOOST_CHECK_EQUAL(size, 0u);
    }
    const auto refused = [](auto call) {
      check_refused([&] { return call(); }, "got one without an order");
    };
    const std::vector<int> sources;
    const auto nothing = [](std::size_t, std::span<const int>) {};
    refused([&] { return apsp::elimination(one_thread, none, d); });
    refused([&] { return apsp::floyd_warshall(one_thread, none, d); });
    refused([&] { return apsp::all_pairs_shortest_paths(some_threads, none, d); });
    refused([&] { return apsp::johnson(one_thread, none, sources, d); });
    refused([&] { return apsp::for_each_row(one_thread, none, sources, nothing); });
    refused([&] { return apsp::distance_table(one_thread, none, sources, sources, d); });
    refused([&] { return apsp::summarize_paths(one_thread, none).num_pairs(); });
    refused([&] { return apsp::dijkstra(apsp::cuda_tiled, none, sources, d); });
    refused([&] { return apsp::contraction_hierarchy<int>(one_thread, none).fill(); });
    refused([&] { return none.customize(one_thread, g.view()).outcome(); });
    refused([&] {
      apsp::write_hierarchy(file, "stream", none);
      return 0;
    });
    BOOST_CHECK(file.str().empty());
  };
  apsp::contraction_hierarchy<int> kept;
  BOOST_CHECK(kept.status().outcome() == apsp::outcome::not_run);
  check(kept);
  kept = apsp::contraction_hierarchy<int>(one_thread, g.view());
  check_calls(one_thread, g, kept);
  const apsp::contraction_hierarchy<int> moved = std::move(kept);
  check_calls(one_thread, g, moved);
  check(kept);  // NOLINT(bugprone-use-after-move)
}

BOOST_AUTO_TEST_CASE(result_of_no_call) {
  apsp::result done;
  BOOST_CHECK(!done && done.outcome() == apsp::outcome::not_run);
  BOOST_CHECK_EQUAL(to_string(done.outcome()), "not_run");
  BOOST_CHECK(!done.stopped() && !done.saturated() && done.negative_cycle().empty());
  BOOST_CHECK_EQUAL(done.num_devices(), 0u);
  const auto g = streets<int>(3, 4);
  apsp::matrix<int> d(g.n);
  done = apsp::dijkstra(one_thread, g.view(), d);
  BOOST_CHECK(done && done.outcome() == apsp::outcome::solved);
  const apsp::sparse_distances<int> none;
  BOOST_CHECK(!none && none.offsets.empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, T, signed_weights) {
  const auto g = negative_graph<T>(60, 0.05, 3);
  const apsp::contraction_hierarchy prepared(all_threads, g.view());
  check_calls(one_thread, g, prepared);
}

// `johnson` takes its potentials from the hierarchy.
BOOST_AUTO_TEST_CASE_TEMPLATE(potentials, T, signed_weights) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      const std::int64_t highest = std::is_floating_point_v<T> ? 3000 : 300;
      const auto g =
          seed <= 3 ? negative_graph<T>(50, 0.06, seed)
                    : with_potentials(streets<T>(8, seed), 0, highest, seed, seed % 2 == 0 ? 1 : 7);
      const auto expected = oracle_distances(g);
      BOOST_REQUIRE(expected);
      const apsp::contraction_hierarchy prepared(all_threads, g.view());
      BOOST_REQUIRE(prepared && prepared.num_arcs() != 0);
      for (const auto& policy : {some_threads, some_threads.prefer_fewest_edges()}) {
        apsp::matrix<T> d(g.n);
        apsp::matrix<int> p(g.n);
        const auto done = apsp::johnson(policy, prepared, d, p);
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.algorithm() == apsp::algorithm::johnson);
        check_rows<T>(*expected, d);
        check_predecessors(g, d, p);
      }
      const int cutoff = 40;
      apsp::matrix<T> d(g.n);
      BOOST_REQUIRE(apsp::johnson(one_thread.cutoff(cutoff), prepared, d));
      check_rows<T>(within<T>(*expected, cutoff), d);
    }
  }
}

// Sums that need a wider type than the weights, and distances that do not fit. Sums of 128 bits
// have no kernels.
BOOST_AUTO_TEST_CASE_TEMPLATE(large_potentials, T, signed_integers) {
  for (const T heaviest : {std::numeric_limits<T>::max() / 2, std::numeric_limits<T>::max() - 1}) {
    arc_list<T> g{6, {}, {}, {}};
    for (std::size_t v = 0; v + 1 < g.n; ++v) {
      g.add(v, v + 1, static_cast<T>(-heaviest));
      g.add(v + 1, v, heaviest);
    }
    const apsp::contraction_hierarchy prepared(apsp::seq, g.view());
    BOOST_REQUIRE(prepared);
    apsp::matrix<T> d(g.n);
    const auto done = apsp::johnson(apsp::seq, prepared, d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      const auto hops = static_cast<long double>(u) - static_cast<long double>(v);
      const long double length = hops * static_cast<long double>(heaviest);
      T expected = static_cast<T>(length);
      if (length > static_cast<long double>(std::numeric_limits<T>::max() - 1)) {
        expected = apsp::unreachable<T>;
      } else if (length < static_cast<long double>(std::numeric_limits<T>::lowest())) {
        expected = std::numeric_limits<T>::lowest();
      }
      BOOST_CHECK_EQUAL(d[u][v], expected);
    });
  }
}

BOOST_AUTO_TEST_CASE(the_choice_for_a_hierarchy) {
  const auto g = streets<float>(40, 4);
  const apsp::contraction_hierarchy prepared(one_thread, g.view());
  // Its vertices have many arcs left, so that a search from one source is faster.
  const auto dense = random_graph<float>(400, 0.02, 1, 99, 4);
  const apsp::contraction_hierarchy prepared_dense(one_thread, dense.view());
  const auto nothing = [](std::size_t, std::span<const float>) {};
  const auto chosen = [&](std::size_t num_sources, const auto& policy, const auto& graph) {
    return apsp::for_each_row(policy, graph, all_vertices(num_sources), nothing).algorithm();
  };
  BOOST_CHECK(chosen(1, one_thread, prepared_dense) != apsp::algorithm::elimination);
#ifndef APSP_TEST_ON_DEVICE
  BOOST_CHECK(chosen(1, one_thread, prepared) == apsp::algorithm::elimination);
#endif
  BOOST_CHECK(chosen(64, one_thread, prepared) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(64, some_threads, prepared) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(64, one_thread.cutoff(10), prepared) != apsp::algorithm::elimination);
#ifndef APSP_TEST_ON_DEVICE
  // Tables are swept along the ancestors of the targets, unless searches from few targets are
  // faster.
  const auto chosen_for_table = [&](std::size_t num_sources, std::size_t num_targets) {
    std::vector<int> targets(num_targets);
    std::iota(targets.begin(), targets.end(), 7);
    apsp::matrix<float> table(num_sources, num_targets);
    return apsp::distance_table(one_thread, prepared, all_vertices(num_sources), targets, table)
        .algorithm();
  };
  BOOST_CHECK(chosen_for_table(1, 1) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen_for_table(64, 64) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen_for_table(1600, 1) == apsp::algorithm::dijkstra);
  // The arcs into each vertex are sorted before predecessors are found.
  const auto chosen_with_predecessors = [&](std::size_t num_sources) {
    return apsp::for_each_row(
               one_thread, prepared, all_vertices(num_sources),
               [](std::size_t, std::span<const float>, std::span<const std::int32_t>) {})
        .algorithm();
  };
  BOOST_CHECK(chosen_with_predecessors(4) == apsp::algorithm::dijkstra);
  BOOST_CHECK(chosen_with_predecessors(64) == apsp::algorithm::elimination);
#endif
  // The hierarchy has distances of another type.
  apsp::matrix<double> d(g.n);
  BOOST_REQUIRE(apsp::elimination(one_thread, prepared, d));
  check_distances(converted<double>(g), d);
}

BOOST_AUTO_TEST_CASE(orders_of_the_caller) {
  const auto g = streets<std::int32_t>(12, 5);
  const std::size_t n = g.n;
  auto order = all_vertices(n);
  const auto chosen_here = apsp::contraction_hierarchy(one_thread, g.view());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      random_numbers random(seed);
      for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.index(i + 1)]);
      const apsp::contraction_hierarchy prepared(all_threads, g.view(), order);
      BOOST_CHECK_GT(prepared.fill(), chosen_here.fill());
      check_calls(one_thread, g, prepared);
    }
  }
  const auto refused = [&](const std::vector<std::size_t>& wrong, const std::string& words) {
    check_refused(
        [&] { return apsp::contraction_hierarchy<std::int32_t>(one_thread, g.view(), wrong); },
        words);
  };
  auto wrong = order;
  wrong.pop_back();
  refused(wrong, "the order has 143 vertices, but the graph has 144");
  wrong.push_back(order.front());
  refused(wrong, "vertex " + std::to_string(order.front()) + " is in the order twice");
  wrong.back() = n;
  refused(wrong, "vertex 144 is out of range: the graph has 144 vertices");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_weights, T, weights) {
  auto g = streets<T>(15, 6);
  apsp::contraction_hierarchy<T> prepared(one_thread, g.view());
  const std::size_t fill = prepared.fill();
  for (std::uint64_t seed = 7; seed < (is_short ? 8 : 10); ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      g = with_weights(g, 1, 99, seed);
      BOOST_REQUIRE(prepared.customize(all_threads, g.view()));
      BOOST_CHECK_EQUAL(prepared.fill(), fill);
      check_calls(one_thread, g, prepared);
    }
  }
  // Arcs may be removed, but not added.
  const auto without = without_last_arcs(g, 3);
  BOOST_REQUIRE(prepared.customize(one_thread, without.view()));
  BOOST_CHECK_EQUAL(prepared.num_edges(), without.size());
  check_calls(one_thread, without, prepared);
  auto more = g;
  for (std::size_t v = 1; v < g.n; ++v) more.add(0, v, T{1});
  check_refused([&] { return prepared.customize(one_thread, more.view()); },
                "the graph has an arc 0 -> ");
  auto larger = g;
  ++larger.n;
  check_refused([&] { return prepared.customize(one_thread, larger.view()); },
                "the graph has 226 vertices, but the hierarchy has 225");
  check_calls(one_thread, without, prepared);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, T, signed_weights) {
  auto g = streets<T>(9, 11);
  apsp::contraction_hierarchy<T> prepared(one_thread, g.view());
  auto bad = g;
  bad.weights[20] = -100;
  BOOST_REQUIRE(!prepared.customize(one_thread, bad.view()));
  check_negative_cycle(bad, prepared.status().negative_cycle());
  BOOST_CHECK_EQUAL(prepared.num_arcs(), 0u);
  apsp::matrix<T> d(g.n);
  const auto same = [&](const apsp::result& done) {
    BOOST_REQUIRE(!done);
    check_negative_cycle(bad, done.negative_cycle());
  };
  same(apsp::elimination(one_thread, prepared, d));
  same(apsp::johnson(one_thread, prepared, d));
  same(apsp::all_pairs_shortest_paths(all_threads, prepared, d));
  same(apsp::contraction_hierarchy<T>(all_threads, bad.view()).status());
  BOOST_REQUIRE(prepared.customize(one_thread, g.view()));
  check_calls(one_thread, g, prepared);
}

BOOST_AUTO_TEST_CASE(stopped) {
  const auto g = streets<float>(20, 12);
  const auto stopped_policy = some_threads.stop(requested_stop());
  const apsp::contraction_hierarchy unfinished(stopped_policy, g.view());
  BOOST_CHECK(!unfinished && unfinished.status().stopped());
  apsp::contraction_hierarchy prepared(some_threads, g.view());
  BOOST_CHECK(prepared.customize(stopped_policy, g.view()).stopped());
  apsp::matrix<float> d(g.n);
  const auto refuses = [&](const apsp::contraction_hierarchy<float>& hierarchy) {
    const std::string why = "got one whose preparation was stopped";
    check_refused([&] { return apsp::elimination(one_thread, hierarchy, d); }, why);
    check_refused([&] { return apsp::dijkstra(one_thread, hierarchy, d); }, why);
  };
  refuses(unfinished);
  refuses(prepared);
  BOOST_REQUIRE(prepared.customize(some_threads, g.view()));
  check_calls(one_thread, g, prepared);
}

BOOST_AUTO_TEST_CASE(several_threads) {
  const auto g = streets<std::int32_t>(14, 13);
  const apsp::contraction_hierarchy prepared(one_thread, g.view());
  std::vector<apsp::matrix<std::int32_t>> results(4, apsp::matrix<std::int32_t>(g.n));
  {
    std::vector<std::jthread> callers;
    for (auto& d : results) {
      callers.emplace_back([&] { static_cast<void>(apsp::elimination(one_thread, prepared, d)); });
    }
  }
  for (const auto& d : results) check_distances(g, d);
}

namespace {

/// The algorithms from one source have no kernels for products of integers.
template <class S>
constexpr bool runs_over =
    !on_device || !(std::is_same_v<S, apsp::max_times<typename S::value_type>> &&
                    std::is_integral_v<typename S::value_type>);

template <class S, class Policy, class T = typename S::value_type>
void check_calls_over(const Policy& policy, const arc_list<T>& g,
                      const apsp::contraction_hierarchy<T, S>& prepared) {
  const auto expected = best_values<S>(g);
  apsp::matrix<T> d(g.n);
  apsp::matrix<int> p(g.n);
  const auto done = apsp::elimination(policy, prepared, d, p, S{});
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
  check_values<S>(expected, d);
  check_paths<S>(g, d, p);

  d = apsp::matrix<T>(g.n);
  BOOST_REQUIRE(apsp::all_pairs_shortest_paths(policy, prepared, d, S{}));
  check_values<S>(expected, d);

  apsp::matrix<T> rows(g.n);
  const auto copy = [&](std::size_t u, std::span<const T> row) {
    std::copy(row.begin(), row.end(), rows[u]);
  };
  BOOST_REQUIRE(apsp::for_each_row(policy, prepared, all_vertices(g.n), copy, S{}));
  check_values<S>(expected, rows);

  const std::vector<std::size_t> ends{7, 0, 7, g.n - 1};
  apsp::matrix<T> table(ends.size(), ends.size());
  BOOST_REQUIRE(apsp::distance_table(policy, prepared, ends, ends, table, S{}));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (std::size_t j = 0; j < ends.size(); ++j) {
      BOOST_CHECK(same_value<S>(table[i][j], expected[ends[i]][ends[j]]));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(over_semirings, S, named_semirings) {
  using T = typename S::value_type;
  const auto g = semiring_graph<S>(120, 0.03, 61);
  // The preparation takes place on the host.
  const apsp::contraction_hierarchy by_one(one_thread, g.view(), S{});
  static_assert(std::is_same_v<decltype(by_one), const apsp::contraction_hierarchy<T, S>>);
  BOOST_REQUIRE(by_one);
  BOOST_CHECK_GT(by_one.num_arcs(), 0u);
  if constexpr (!runs_over<S>) {
    apsp::matrix<T> untouched(g.n);
    BOOST_CHECK_THROW(static_cast<void>(apsp::elimination(many_threads, by_one, untouched, S{})),
                      apsp::device_error);
    // Floyd–Warshall has them.
    apsp::matrix<T> d(g.n);
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(many_threads, by_one, d, S{}));
    check_values<S>(best_values<S>(g), d);
  } else {
    check_calls_over<S>(many_threads, g, by_one);
    const auto order = all_vertices(g.n);
    apsp::contraction_hierarchy prepared(some_threads, g.view(), order, S{});
    BOOST_CHECK_GT(prepared.fill(), by_one.fill());
    check_calls_over<S>(one_thread, g, prepared);
    auto other = semiring_graph<S>(120, 0.03, 62);
    check_refused([&] { return prepared.customize(one_thread, other.view()); },
                  "the graph has an arc");
    other = g;
    std::rotate(other.weights.begin(), other.weights.begin() + 1, other.weights.end());
    BOOST_REQUIRE(prepared.customize(many_threads, other.view()));
    check_calls_over<S>(many_threads, other, prepared);
  }
}

// Calls over another semiring than that of the hierarchy take it as a graph.
BOOST_AUTO_TEST_CASE(over_another_semiring) {
  using widest = apsp::max_min<float>;
  const auto g = streets<float>(12, 63);
  const apsp::contraction_hierarchy wide(one_thread, g.view(), widest{});
  const apsp::contraction_hierarchy shortest(one_thread, g.view());
  apsp::matrix<float> d(g.n);
  BOOST_REQUIRE(apsp::elimination(some_threads, wide, d, widest{}));
  check_values<widest>(best_values<widest>(g), d);
  BOOST_REQUIRE(apsp::elimination(some_threads, wide, d));
  check_distances(g, d);
  BOOST_REQUIRE(apsp::elimination(some_threads, shortest, d, widest{}));
  check_values<widest>(best_values<widest>(g), d);
}

BOOST_AUTO_TEST_CASE(the_choice_over_a_semiring) {
  using widest = apsp::max_min<float>;
  const auto g = streets<float>(40, 4);
  const apsp::contraction_hierarchy prepared(one_thread, g.view(), widest{});
  const auto chosen = [&](std::size_t num_sources, const auto& policy) {
    return apsp::for_each_row(
               policy, prepared, all_vertices(num_sources),
               [](std::size_t, std::span<const float>) {}, widest{})
        .algorithm();
  };
  BOOST_CHECK(chosen(64, one_thread) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(64, many_threads) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(64, one_thread.cutoff(10)) != apsp::algorithm::elimination);
}

#ifndef APSP_TEST_ON_DEVICE
namespace {

/// The largest weight of a path up to a limit; a semiring with a state.
struct heaviest_up_to {
  using value_type = int;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;

  int limit;
  int zero = std::numeric_limits<int>::max();
  int one = std::numeric_limits<int>::lowest();

  int plus(int a, int b) const { return std::min(a, b); }
  int times(int a, int b) const {
    const int heaviest = std::max(a, b);
    return heaviest > limit ? zero : heaviest;
  }
};

}  // namespace

namespace {

/// Fares, and of equal ones the fewer changes.
struct fare_and_changes {
  int fare = 0;
  int changes = 0;

  bool operator==(const fare_and_changes&) const = default;
};
struct cheapest {
  using value_type = fare_and_changes;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr value_type zero{1'000'000, 0};
  static constexpr value_type one{0, 0};

  static value_type plus(const value_type& a, const value_type& b) {
    return std::pair(b.fare, b.changes) < std::pair(a.fare, a.changes) ? b : a;
  }
  static value_type times(const value_type& a, const value_type& b) {
    if (a == zero || b == zero) return zero;
    return {a.fare + b.fare, a.changes + b.changes};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(over_values_of_a_class) {
  const auto g = streets<int>(9, 66, 3);
  arc_list<fare_and_changes> lines{g.n, g.sources, g.targets, {}};
  for (const int w : g.weights) lines.weights.push_back({w, 1});
  const apsp::contraction_hierarchy prepared(some_threads, lines.view(), cheapest{});
  apsp::matrix<fare_and_changes> d(g.n);
  apsp::matrix<fare_and_changes> expected(g.n);
  BOOST_REQUIRE(apsp::elimination(some_threads, prepared, d, cheapest{}));
  BOOST_REQUIRE(apsp::floyd_warshall(one_thread, lines.view(), expected, cheapest{}));
  const auto fares = oracle_distances(g);
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE(d[u][v] == expected[u][v]);
    const bool is_reached = !((*fares)[u][v] == wide_unreachable<int>);
    BOOST_REQUIRE_EQUAL(d[u][v].fare, is_reached ? (*fares)[u][v] : cheapest::zero.fare);
  });
}

BOOST_AUTO_TEST_CASE(over_a_semiring_with_a_state) {
  auto g = streets<int>(12, 64);
  const heaviest_up_to bounded{.limit = 60};
  apsp::contraction_hierarchy prepared(some_threads, g.view(), bounded);
  for (int round = 0; round < 2; ++round) {
    BOOST_REQUIRE(prepared);
    auto expected = best_values<apsp::min_max<int>>(g);
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      if (u != v && expected[u][v] > bounded.limit) expected[u][v] = bounded.zero;
    });
    apsp::matrix<int> d(g.n);
    BOOST_REQUIRE(apsp::elimination(some_threads, prepared, d, bounded));
    check_values<apsp::min_max<int>>(expected, d);
    g = with_weights(g, 1, 99, 65);
    BOOST_REQUIRE(prepared.customize(one_thread, g.view()));
  }
  apsp::contraction_hierarchy moved = std::move(prepared);
  apsp::matrix<int> d(g.n);
  BOOST_REQUIRE(apsp::elimination(one_thread, moved, d, bounded));
  check_refused([&] { return apsp::elimination(one_thread, prepared, d, bounded); },
                "expected the hierarchy of a graph");
  check_refused([&] { return prepared.customize(one_thread, g.view()); },
                "expected the hierarchy of a graph");
}
#endif

#ifndef APSP_TEST_ON_DEVICE
// Threads sort the arcs of ranges of vertices by places, thousands of places at a time, and compare
// the weights of both directions, of which one pair differs.
BOOST_AUTO_TEST_CASE_TEMPLATE(threads_place_arcs, T, float_and_integer) {
  const std::vector<std::size_t> sources{0, 5000, 9999};
  for (const bool is_symmetric : {true, false}) {
    arc_list<T> g{10'000, {}, {}, {}};
    random_numbers random(77);
    for (std::size_t u = 0; u < g.n; ++u) {
      if (u % 100 != 99) g.add_undirected(u, u + 1, T(random(1, 99)));
      if (u + 100 < g.n) g.add_undirected(u, u + 100, T(random(1, 99)));
    }
    if (!is_symmetric) g.weights.back() += T{50};
    const auto file_with = [&](const auto& policy) {
      const apsp::contraction_hierarchy prepared(policy, g.view());
      std::ostringstream file;
      apsp::write_hierarchy(file, "stream", prepared);
      apsp::matrix<T> d(sources.size(), g.n);
      BOOST_REQUIRE(apsp::elimination(policy, prepared, sources, d));
      check_rows<T>(*oracle_rows(g, sources), d);
      return file.str();
    };
    const std::string expected = file_with(apsp::seq);
    for (const int threads : {2, 5}) {
      BOOST_CHECK_MESSAGE(file_with(apsp::omp.threads(threads)) == expected,
                          threads << " threads, symmetric: " << is_symmetric);
    }
  }
}

// Two sets of 300 vertices, with arcs to each other only through 700 others. In the order of the
// caller the fronts of the sets have 1,000 rows, whose products threads divide, and pack in several
// passes.
BOOST_AUTO_TEST_CASE_TEMPLATE(threads_share_large_fronts, T, float_and_integer) {
  const std::vector<std::size_t> sources{0, 299, 300, 599, 600, 1000, 1299};
  for (const bool is_undirected : {false, true}) {
    arc_list<T> g{1300, {}, {}, {}};
    random_numbers random(91);
    for (std::size_t u = 0; u < g.n; ++u) {
      for (std::size_t v = is_undirected ? u + 1 : 0; v < g.n; ++v) {
        const bool is_between_sets = std::min(u, v) < 300 && std::max(u, v) - 300 < 300;
        if (u == v || is_between_sets || !random.chance(0.05)) continue;
        const auto number = static_cast<T>(random(1, 999));
        const T w = std::is_floating_point_v<T> ? number / T{7} : number;
        g.add(u, v, w);
        if (is_undirected) g.add(v, u, w);
      }
    }
    const auto order = all_vertices(g.n);
    const auto rows_with = [&](const auto& policy) {
      apsp::matrix<T> d(sources.size(), g.n);
      const apsp::contraction_hierarchy prepared(policy, g.view(), order);
      BOOST_REQUIRE(apsp::elimination(policy, prepared, sources, d));
      return d;
    };
    const auto expected = rows_with(apsp::seq);
    check_rows<T>(*oracle_rows(g, sources), expected);
    for (const int threads : {2, 5}) {
      BOOST_CHECK_MESSAGE(rows_with(apsp::omp.threads(threads)) == expected,
                          threads << " threads, undirected: " << is_undirected);
    }
  }
}

namespace {

/// Requests a stop after a minute.
class time_limit {
 public:
  time_limit()
      : thread_([this](const std::stop_token& ended) {
          std::unique_lock lock(mutex_);
          if (!wait_.wait_for(lock, ended, std::chrono::minutes(1), [] { return false; })) {
            if (!ended.stop_requested()) stop_.request_stop();
          }
        }) {}
  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable_any wait_;
  std::jthread thread_;
};

}  // namespace

// Passes over the arcs would take minutes.
BOOST_AUTO_TEST_CASE_TEMPLATE(potentials_of_a_long_path, T, float_and_integer) {
  constexpr std::size_t n = 400'000;
  const std::vector<std::size_t> way = zigzag(n);
  arc_list<T> g{n, {}, {}, {}};
  random_numbers random(15);
  std::vector<T> expected(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const T weight = -static_cast<T>(random(1, 1000)) / (std::is_floating_point_v<T> ? 7 : 1);
    g.add(way[i], way[i + 1], weight);
    expected[way[i + 1]] = expected[way[i]] + weight;
  }
  const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
  BOOST_REQUIRE(prepared);
  const std::vector<std::size_t> source{way.front()};
  apsp::matrix<T> d(1, n);
  const auto check = [&](const auto& graph) {
    d = apsp::matrix<T>(1, n);
    const time_limit limit;
    const auto done = apsp::johnson(apsp::seq.stop(limit.token()), graph, source, d);
    BOOST_REQUIRE_MESSAGE(!done.stopped(), "the potentials of a hierarchy are not taken");
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::johnson);
    BOOST_CHECK(std::equal(expected.begin(), expected.end(), d[0]));
  };
  check(prepared);
  // A hierarchy is made when many passes have been made in vain.
  check(g.view());
}

// The same with an arc back, which makes a cycle of a length close to 0.
BOOST_AUTO_TEST_CASE_TEMPLATE(cycle_along_a_long_path, T, signed_weights) {
  constexpr std::size_t n = 6000;
  const std::vector<std::size_t> way = zigzag(n);
  for (const int length_of_cycle : {-1, 0}) {
    arc_list<T> g{n, {}, {}, {}};
    for (std::size_t i = 0; i + 1 < n; ++i) g.add(way[i], way[i + 1], T{-2});
    g.add(way.back(), way.front(), static_cast<T>(2 * (n - 1)) + static_cast<T>(length_of_cycle));
    const std::vector<std::size_t> source{way[n / 2]};
    apsp::matrix<T> d(1, n);
    const auto done = apsp::johnson(apsp::seq, g.view(), source, d);
    if (length_of_cycle < 0) {
      BOOST_REQUIRE(!done);
      check_negative_cycle(g, done.negative_cycle());
    } else {
      BOOST_REQUIRE(done);
      check_rows<T>(*oracle_rows(g, source), d);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_policy_may_fall_back) {
  const auto g = streets<float>(4, 14);
  const apsp::contraction_hierarchy prepared(apsp::cuda_tiled, g.view());
  apsp::matrix<float> d(g.n);
  BOOST_REQUIRE(apsp::all_pairs_shortest_paths(apsp::cuda_tiled, prepared, d));
  check_distances(g, d);
}
#endif
