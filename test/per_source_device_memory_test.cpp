// SPDX-License-Identifier: BSL-1.0
// The algorithms from single sources on graphs in device memory, with results there: what they find.
#define BOOST_TEST_MODULE per_source_device_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/device_data.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/per_source.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  apsp::matrix<float> entries(3, 3, 1.0f);
  try {
    apsp::device_matrix<float> d(entries);
    BOOST_CHECK(apsp::dijkstra(apsp::cuda_tiled, entries, d));
  } catch (const apsp::device_error&) {
    // There is no host to fall back to for data that cannot be there.
    apsp::device_matrix_view<float> d(somewhere<float>(), 3, 3);
    for (const auto method : per_source_algorithms) {
      BOOST_CHECK_THROW(static_cast<void>(run(method, apsp::cuda_tiled, entries, d)),
                        apsp::device_error);
      BOOST_CHECK_THROW(static_cast<void>(run(method, apsp::cuda_naive, d, entries)),
                        apsp::device_error);
    }
    BOOST_CHECK_THROW(static_cast<void>(apsp::all_pairs_shortest_paths(apsp::cuda_tiled, d, d)),
                      apsp::device_error);
    const std::vector<int> sources{0};
    const auto ignore = [](std::size_t, std::span<const float>) {};
    BOOST_CHECK_THROW(static_cast<void>(apsp::for_each_row(apsp::cuda_tiled, d, sources, ignore)),
                      apsp::device_error);
  }
}

#else

namespace {

/// Two vertices joined both ways by arcs of weight 0, over and over: predecessors could run in circles.
template <class T>
arc_list<T> free_pairs(std::size_t n) {
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) {
    g.add(v, v + 1, static_cast<T>(v % 2 == 0 ? 0 : 3));
    g.add(v + 1, v, static_cast<T>(v % 2 == 0 ? 0 : 3));
  }
  return g;
}

/// The rows of one algorithm, with and without predecessors, are those of the oracle.
template <class T, class Policy, class Graph>
void check_method(apsp::algorithm method, const Policy& policy, const Graph& graph,
                  const arc_list<T>& g, const std::vector<std::size_t>& sources,
                  const wide_rows<T>& expected) {
  auto d = wrong_results<T>(sources.size(), g.n);
  const auto done = run(method, policy, graph, sources, d);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == Policy::requested);
  BOOST_CHECK(!done.saturated());
  check_rows<T>(expected, d.to_host());
  d = wrong_results<T>(sources.size(), g.n);
  auto p = wrong_results<std::int32_t>(sources.size(), g.n);
  BOOST_REQUIRE(run(method, policy, graph, sources, d, p));
  const auto distances = d.to_host();
  check_rows<T>(expected, distances);
  check_trees<T>(lightest_arcs(g), sources, distances, p.to_host());
}

constexpr std::size_t sizes[] = {0, 1, 2, 31, 33, 70, 300};

/// For what depends on the type of the weights in being an integer only.
using some_policies_and_weights = with_policies<with, std::tuple<float, std::int32_t>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_forms, With, policies_and_weights) {
  using T = typename With::weight;
  for (const std::size_t n : sizes) {
    const auto g = some_graph<T>(n, 1, n + 1);
    const auto sources = some_vertices(n, n == 300 ? 75 : 40, n + 2);
    const auto expected = oracle_rows(g, sources);
    BOOST_REQUIRE(expected.has_value());
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      for (const auto method : per_source_algorithms) {
        BOOST_TEST_CONTEXT(to_string(method) << ", n = " << n << ", seed = " << n + 1) {
          check_method(method, With::policy(), graph, g, sources, *expected);
        }
      }
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_every_vertex, With, policies_and_weights) {
  using T = typename With::weight;
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{130}}) {
    const auto g = some_graph<T>(n, 0, n + 7);
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      for (const auto method : per_source_algorithms) {
        BOOST_TEST_CONTEXT(to_string(method) << ", n = " << n << ", seed = " << n + 7) {
          auto d = wrong_results<T>(n);
          auto p = wrong_results<std::int32_t>(n);
          BOOST_REQUIRE(run(method, With::policy(), graph, d, p));
          check_distances(g, d.to_host());
          check_trees<T>(lightest_arcs(g), all_vertices(n), d.to_host(), p.to_host());
        }
      }
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(few_sources, With, policies_and_weights) {
  // Few enough to be solved for one after another.
  using T = typename With::weight;
  const auto g = random_graph<T>(200, 0.6, 1, 99, 17);
  const std::vector<std::size_t> sources{199, 0, 199};
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected.has_value());
  const resident<T> on_device(g);
  on_device.in_all_forms([&](const auto& graph) {
    BOOST_TEST_CONTEXT("seed = 17") {
      check_method(apsp::algorithm::bellman_ford, With::policy(), graph, g, sources, *expected);
    }
  });
}

// All forms give the same rows, so one will do from here on where it is not the graph that matters.

BOOST_AUTO_TEST_CASE_TEMPLATE(circles_of_weight_zero, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = free_pairs<T>(101);
  const auto sources = some_vertices(g.n, 70, 3);
  const auto expected = oracle_rows(g, sources);
  const resident<T> on_device(g);
  for (const auto method : per_source_algorithms) {
    BOOST_TEST_CONTEXT(to_string(method)) {
      check_method(method, With::policy(), on_device.csr(), g, sources, *expected);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, With, policies_and_weights) {
  using T = typename With::weight;
  for (const std::size_t n : {40, 129}) {
    const auto g = negative_graph<T>(n, 0.2, n);
    const auto sources = some_vertices(n, 50, n + 1);
    const auto expected = oracle_rows(g, sources);
    BOOST_REQUIRE(expected.has_value());
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      for (const auto method : algorithms_for_negative_weights) {
        BOOST_TEST_CONTEXT(to_string(method) << ", n = " << n << ", seed = " << n) {
          check_method(method, With::policy(), graph, g, sources, *expected);
        }
      }
      auto d = wrong_results<T>(sources.size(), n);
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(apsp::dijkstra(With::policy(), graph, sources, d)); });
      BOOST_CHECK(contains(message, "has a negative weight"));
      BOOST_CHECK(holds_only(d, T(-7)));
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, With, policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 60;
  auto g = negative_graph<T>(n, 0.2, 5);
  g.add(n - 1, 3, T(-400));
  g.add(3, n - 1, T(5));
  const auto sources = some_vertices(n, 10, 6);
  const resident<T> on_device(g);
  on_device.in_all_forms([&](const auto& graph) {
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT(to_string(method) << ", seed = 5") {
        auto d = wrong_results<T>(sources.size(), n);
        auto p = wrong_results<std::int64_t>(sources.size(), n);
        const auto done = run(method, With::policy(), graph, sources, d, p);
        BOOST_REQUIRE(!done);
        check_negative_cycle(g, done.negative_cycle());
        BOOST_CHECK(holds_only(d, T(-7)));
        BOOST_CHECK(holds_only(p, std::int64_t{-7}));
      }
    }
    apsp::device_matrix<T> all(n);
    const auto done = apsp::all_pairs_shortest_paths(With::policy(), graph, all);
    BOOST_REQUIRE(!done);
    check_negative_cycle(g, done.negative_cycle());
    bool is_called = false;
    const auto rows = apsp::for_each_row(
        With::policy(), graph, sources, [&](std::size_t, std::span<const T>) { is_called = true; });
    BOOST_CHECK(!rows && !is_called);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_vertices, Policy, policies) {
  const auto check = [&](const arc_list<float>& g, const auto& on_device) {
    const auto sources = some_vertices(g.n, 40, 8);
    const auto expected = oracle_rows(g, sources);
    const auto lightest = lightest_arcs(g);
    on_device.in_all_forms([&](const auto& graph) {
      const auto solve = [&](auto predecessor) {
        auto d = wrong_results<float>(sources.size(), g.n);
        auto p = wrong_results<decltype(predecessor)>(sources.size(), g.n);
        // On the device, or with negative weights on the host, which also chooses paths of few edges.
        BOOST_REQUIRE(apsp::johnson(Policy::policy(), graph, sources, d, p));
        check_rows<float>(*expected, d.to_host());
        check_trees<float>(lightest, sources, d.to_host(), p.to_host());
        p = wrong_results<decltype(predecessor)>(sources.size(), g.n);
        BOOST_REQUIRE(apsp::johnson(Policy::policy().count_hops(), graph, sources, d, p));
        check_rows<float>(*expected, d.to_host());
        check_trees<float>(lightest, sources, d.to_host(), p.to_host());
      };
      solve(std::int32_t{});
      solve(std::uint32_t{});
      solve(std::int64_t{});
      solve(std::uint64_t{});
      solve(0LL);
      solve(0ULL);
    });
  };
  for (const auto& g : {some_graph<float>(90, 1, 7), negative_graph<float>(90, 0.1, 7)}) {
    check(g, resident<float, std::uint32_t>(g));
    check(g, resident<float, std::int64_t>(g));
    check(g, resident<float, std::uint64_t>(g));
  }
}

// What lies between the rows stays.
BOOST_AUTO_TEST_CASE_TEMPLATE(parts_of_matrices, With, some_policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 70;
  constexpr std::size_t pitch = 90;
  for (const bool is_negative : {false, true}) {
    const auto g = is_negative ? negative_graph<T>(n, 0.1, 3) : some_graph<T>(n, 0, 3);
    const auto sources = some_vertices(n, 80, 4);
    const auto expected = oracle_rows(g, sources);
    const resident<T> on_device(g);
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT(to_string(method) << ", seed = 3") {
        auto d = wrong_results<T>(sources.size(), pitch);
        auto p = wrong_results<std::int64_t>(sources.size(), pitch);
        apsp::device_matrix_view<T> rows(d.data(), sources.size(), n, pitch);
        apsp::device_matrix_view<std::int64_t> hops(p.data(), sources.size(), n, pitch);
        BOOST_REQUIRE(run(method, With::policy(), on_device.csr(), sources, rows, hops));
        const auto distances = apsp::copy_to_host(rows);
        check_rows<T>(*expected, distances);
        check_trees<T>(lightest_arcs(g), sources, distances, apsp::copy_to_host(hops));
        const auto all = d.to_host();
        const auto all_hops = p.to_host();
        for (std::size_t i = 0; i < sources.size(); ++i) {
          BOOST_CHECK(std::all_of(all[i] + n, all[i] + pitch, [](T x) { return x == T(-7); }));
          BOOST_CHECK(std::all_of(all_hops[i] + n, all_hops[i] + pitch,
                                  [](std::int64_t x) { return x == -7; }));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_side_on_the_host, With, some_policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 100;
  const auto g = some_graph<T>(n, 0, 11);
  const auto sources = some_vertices(n, 60, 12);
  const auto expected = oracle_rows(g, sources);
  const auto lightest = lightest_arcs(g);
  const resident<T> on_device(g);
  for (const auto method : per_source_algorithms) {
    BOOST_TEST_CONTEXT(to_string(method) << ", seed = 11") {
      auto d = wrong_results<T>(sources.size(), n);
      auto p = wrong_results<std::uint64_t>(sources.size(), n);
      BOOST_REQUIRE(run(method, With::policy(), g.view(), sources, d, p));
      check_rows<T>(*expected, d.to_host());
      check_trees<T>(lightest, sources, d.to_host(), p.to_host());
      on_device.in_all_forms([&](const auto& graph) {
        std::vector<std::vector<T>> on_host(sources.size(), std::vector<T>(n));
        std::vector<std::vector<short>> found(sources.size(), std::vector<short>(n));
        BOOST_REQUIRE(run(method, With::policy(), graph, sources, on_host));
        check_rows<T>(*expected, on_host);
        BOOST_REQUIRE(run(method, With::policy(), graph, sources, on_host, found));
        check_rows<T>(*expected, on_host);
        check_trees<T>(lightest, sources, on_host, found);
      });
    }
  }
  on_device.in_all_forms([&](const auto& graph) {
    std::vector<std::size_t> seen;
    const auto done = apsp::for_each_row(
        With::policy(), graph, sources,
        [&](std::size_t source, std::span<const T> row, std::span<const std::int32_t> hops) {
          const auto at = std::find(sources.begin(), sources.end(), source) - sources.begin();
          const std::vector<std::span<const T>> rows{row};
          check_rows<T>({(*expected)[static_cast<std::size_t>(at)]}, rows);
          BOOST_CHECK_EQUAL(hops[source], -1);
          seen.push_back(source);
        });
    BOOST_REQUIRE(done);
    auto wanted = sources;
    std::sort(wanted.begin(), wanted.end());
    std::sort(seen.begin(), seen.end());
    BOOST_CHECK(seen == wanted);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_in_one_matrix, With, some_policies_and_weights) {
  using T = typename With::weight;
  for (const bool is_negative : {false, true}) {
    const auto g = is_negative ? negative_graph<T>(80, 0.05, 13) : some_graph<T>(80, 0, 13);
    const auto check = [&](auto solve) {
      resident<T> on_device(g);
      apsp::device_matrix<T> m(on_device.dense().to_host());
      BOOST_REQUIRE(solve(m));
      check_distances(g, m.to_host());
    };
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT(to_string(method) << ", seed = 13") {
        check([&](auto& m) { return run(method, With::policy(), m, m); });
      }
    }
    check([&](auto& m) { return apsp::all_pairs_shortest_paths(With::policy(), m, m); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(all_pairs, With, some_policies_and_weights) {
  using T = typename With::weight;
  // Few vertices are solved by Floyd–Warshall.
  for (const double p : {0.03, 0.9}) {
    const auto g = random_graph<T>(100, p, 0, 50, 15);
    resident<T>(g).in_all_forms([&](const auto& graph) {
      auto d = wrong_results<T>(g.n);
      auto hops = wrong_results<std::int64_t>(g.n);
      BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), graph, d));
      check_distances(g, d.to_host());
      d = wrong_results<T>(g.n);
      BOOST_REQUIRE(
          apsp::all_pairs_shortest_paths(With::policy(), graph, d, hops, apsp::min_plus<T>{}));
      check_distances(g, d.to_host());
      check_trees<T>(lightest_arcs(g), all_vertices(g.n), d.to_host(), hops.to_host());
    });
  }
}

// A ring of so many vertices is solved from each of them.
BOOST_AUTO_TEST_CASE_TEMPLATE(all_pairs_of_a_large_ring, Weight, weight_types) {
  constexpr std::size_t n = 5000;
  for (const std::int64_t sign : {1, -1}) {
    arc_list<Weight> g{n, {}, {}, {}};
    // Potentials make weights negative, and leave circles as long as they were.
    const auto potential = [&](std::size_t v) { return sign < 0 && v % 2 == 1 ? 9 : 0; };
    for (std::size_t v = 0; v < n; ++v) {
      const std::size_t to = (v + 1) % n;
      g.add(v, to, static_cast<Weight>(3 + potential(v) - potential(to)));
    }
    const resident<Weight> on_device(g);
    auto d = wrong_results<Weight>(n);
    auto p = wrong_results<std::int32_t>(n);
    const auto done =
        apsp::all_pairs_shortest_paths(apsp::cuda_tiled.required(), on_device.csr(), d, p);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() ==
                (sign < 0 ? apsp::algorithm::johnson : apsp::algorithm::bellman_ford));
    const auto distances = d.to_host();
    const auto hops = p.to_host();
    std::size_t num_wrong = 0;
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        const auto steps = static_cast<std::int64_t>((v + n - u) % n);
        const auto expected = static_cast<Weight>(3 * steps + potential(u) - potential(v));
        const auto before = u == v ? -1 : static_cast<std::int32_t>((v + n - 1) % n);
        num_wrong += distances[u][v] == expected && hops[u][v] == before ? 0 : 1;
      }
    }
    BOOST_CHECK_EQUAL(num_wrong, 0u);
  }
}

#endif
