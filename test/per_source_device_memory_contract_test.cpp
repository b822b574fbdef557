// SPDX-License-Identifier: BSL-1.0
// The algorithms from single sources on graphs in device memory, with results there: what policies, limits and
// wrong arguments do to them. Types and shapes are checked everywhere.
#define BOOST_TEST_MODULE per_source_device_memory_contract
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>
#include <boost/mp11.hpp>
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

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  const auto policy = Policy::policy();
  using span = apsp::device_span<const int>;
  const span three(somewhere<int>(), 3);
  const span two(somewhere<int>(), 2);
  const std::vector<int> sources{1, 0, 1};
  const apsp::device_edge_list_view graph(2, two, two, two);
  const auto refused = [&](const auto& g, const auto& from, auto d, const std::string& words) {
    for (const auto method : per_source_algorithms) {
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(run(method, policy, g, from, d)); });
      BOOST_CHECK_MESSAGE(contains(message, words), message << " does not say: " << words);
    }
  };
  using view = apsp::device_matrix_view<int>;
  const view right(somewhere<int>(), 3, 2);
  refused(apsp::device_csr_view(three, two, three), sources, right, "weights and targets differ");
  refused(apsp::device_edge_list_view(2, three, two, two), sources, right, "differ in length");
  refused(apsp::device_matrix_view<const int>(somewhere<int>(), 2, 3), sources, right,
          "must be square");
  refused(graph, std::vector<int>{0, 2, 1}, right,
          "source 2 is out of range: the graph has 2 vertices");
  refused(graph, std::vector<int>{0, -1, 1}, right,
          "source -1 is out of range: the graph has 2 vertices");
  refused(graph, sources, view(somewhere<int>(), 2, 2), "not 3 x 2");
  refused(graph, sources, view(somewhere<int>(), 3, 3), "not 3 x 2");
  refused(graph, sources, view(somewhere<int>(), 3, 2, 1), "the pitch");
  refused(graph, sources, view(nullptr, 3, 2), "null pointer");
  const auto all_refused = [&](auto d, auto p, const std::string& words) {
    const auto message = message_of<std::invalid_argument>(
        [&] { static_cast<void>(apsp::all_pairs_shortest_paths(policy, graph, d, p)); });
    BOOST_CHECK_MESSAGE(contains(message, words), message << " does not say: " << words);
  };
  const view square(somewhere<int>(), 2, 2);
  all_refused(square, square, "one matrix");
  all_refused(square, right, "not 2 x 2");
  all_refused(right, square, "not 2 x 2");
}

#ifdef APSP_TEST_ON_DEVICE

namespace {

/// Rows of distances with those above a limit unreachable.
template <class T>
apsp::matrix<T> near_only(apsp::matrix<T> distances, long double limit) {
  for (T& entry : distances) {
    if (static_cast<long double>(entry) > limit) entry = apsp::unreachable<T>;
  }
  return distances;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(limits_of_device_memory, With, policies_and_weights) {
  using T = typename With::weight;
  // With arcs of weight 0 the host looks at predecessors, too.
  for (const std::int64_t lightest : {0, 1}) {
    const auto g = some_graph<T>(300, lightest, 81);
    const auto sources = some_vertices(g.n, 350, 82);
    const auto expected = oracle_rows(g, sources);
    const auto lightest_of = lightest_arcs(g);
    const resident<T> on_device(g);
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{40'000}, std::size_t{100'000},
                                    std::size_t{400'000}, std::size_t{8} << 20}) {
      for (const auto method : per_source_algorithms) {
        BOOST_TEST_CONTEXT(bytes << " bytes, " << to_string(method) << ", seed = 81") {
          auto d = wrong_results<T>(sources.size(), g.n);
          auto p = wrong_results<std::int32_t>(sources.size(), g.n);
          const auto policy = With::policy().memory_limit(bytes);
          try {
            BOOST_REQUIRE(run(method, policy, on_device.csr(), sources, d, p));
            check_rows<T>(*expected, d.to_host());
            check_trees<T>(lightest_of, sources, d.to_host(), p.to_host());
          } catch (const apsp::device_error& error) {
            BOOST_CHECK_LT(bytes, std::size_t{8} << 20);
            BOOST_CHECK(contains(error.what(), std::to_string(bytes)));
            BOOST_CHECK(holds_only(d, T(-7)) && holds_only(p, -7));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, With, policies_and_weights) {
  using T = typename With::weight;
  for (const bool is_negative : {false, true}) {
    const auto g = is_negative ? negative_graph<T>(90, 0.1, 5) : some_graph<T>(90, 0, 5);
    const auto sources = some_vertices(g.n, 40, 6);
    const auto expected = oracle_rows(g, sources);
    const auto lightest = lightest_arcs(g);
    const resident<T> on_device(g);
    for (const auto method : algorithms_for_negative_weights) {
      auto d = wrong_results<T>(sources.size(), g.n);
      BOOST_REQUIRE(run(method, With::policy(), on_device.csr(), sources, d));
      const auto all = d.to_host();
      check_rows<T>(*expected, all);
      for (const long double limit : {0.0L, 12.5L, 60.0L, 1e30L}) {
        BOOST_TEST_CONTEXT(to_string(method) << ", cutoff " << limit << ", seed = 5") {
          const auto near = near_only(all, limit);
          const auto policy = With::policy().cutoff(limit);
          d = wrong_results<T>(sources.size(), g.n);
          const auto done = run(method, policy, on_device.csr(), sources, d);
          BOOST_REQUIRE(done);
          BOOST_CHECK(!done.saturated());
          BOOST_CHECK(d.to_host() == near);
          d = wrong_results<T>(sources.size(), g.n);
          auto p = wrong_results<std::int32_t>(sources.size(), g.n);
          BOOST_REQUIRE(run(method, policy, on_device.csr(), sources, d, p));
          BOOST_CHECK(d.to_host() == near);
          const auto hops = p.to_host();
          if (!is_negative) check_trees<T>(lightest, sources, near, hops);
          // With negative weights the way may lead through vertices that are too far away themselves.
          for (std::size_t i = 0; i < sources.size(); ++i) {
            for (std::size_t v = 0; v < g.n; ++v) {
              if (near[i][v] == apsp::unreachable<T>) continue;
              const auto path = apsp::path(hops, i, sources[i], v);
              BOOST_REQUIRE(!path.empty() && path.front() == sources[i] && path.back() == v);
              wide_t<T> length = 0;
              for (std::size_t k = 0; k + 1 < path.size(); ++k) {
                length += lightest[path[k]][path[k + 1]];
              }
              BOOST_REQUIRE(same_distance<T>(near[i][v], length));
            }
          }
        }
      }
    }
  }
}

// Sums that the type of the weights does not hold: as rows in host memory are, which other tests hold against
// what is exact.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit, Policy, policies) {
  const auto check = [&]<class T>(const arc_list<T>& g, const wide_rows<T>& expected,
                                  bool is_saturated, const auto& methods) {
    const resident<T> on_device(g);
    for (const auto method : methods) {
      BOOST_TEST_CONTEXT(to_string(method)) {
        apsp::device_matrix<T> d = wrong_results<T>(g.n);
        auto done = run(method, Policy::policy(), on_device.csr(), d);
        BOOST_REQUIRE(done);
        BOOST_CHECK_EQUAL(done.saturated(), is_saturated);
        check_rows<T>(expected, d.to_host());
        d = wrong_results<T>(g.n);
        auto p = wrong_results<std::int32_t>(g.n);
        done = run(method, Policy::policy(), on_device.csr(), d, p);
        BOOST_REQUIRE(done);
        BOOST_CHECK_EQUAL(done.saturated(), is_saturated);
        check_rows<T>(expected, d.to_host());
        const auto hops = p.to_host();
        for (std::size_t v = 0; v < g.n; ++v) BOOST_CHECK_EQUAL(hops[v][v], -1);
      }
    }
  };
  using i32 = std::int32_t;
  using i64 = std::int64_t;
  constexpr i64 none = wide_unreachable<i32>;
  constexpr i64 large = 2'000'000'000;
  const auto l = static_cast<i32>(large);
  check(make_graph<i32>(4, {{0, 1, l}, {1, 2, l}, {2, 3, 5}}),
        wide_rows<i32>{{0, large, none, none},
                       {none, 0, large, large + 5},
                       {none, none, 0, 5},
                       {none, none, none, 0}},
        true, per_source_algorithms);
  // As far as it goes: one less than unreachable.
  check(make_graph<i32>(3, {{0, 1, l}, {1, 2, 147'483'646}}),
        wide_rows<i32>{{0, large, 2'147'483'646}, {none, 0, 147'483'646}, {none, none, 0}}, false,
        per_source_algorithms);
  check(make_graph<i32>(4, {{0, 1, l}, {1, 2, l}, {2, 3, -l}}),
        wide_rows<i32>{{0, large, none, large},
                       {none, 0, large, 0},
                       {none, none, 0, -large},
                       {none, none, none, 0}},
        true, algorithms_for_negative_weights);
  constexpr i64 least = std::numeric_limits<i32>::lowest();
  check(make_graph<i32>(3, {{0, 1, -l}, {1, 2, -l}}),
        wide_rows<i32>{{0, -large, least}, {none, 0, -large}, {none, none, 0}}, true,
        algorithms_for_negative_weights);
  constexpr i64 huge = 9'000'000'000'000'000'000;
  check(make_graph<i64>(3, {{0, 1, huge}, {1, 2, huge}}),
        wide_rows<i64>{{0, huge, none}, {none, 0, huge}, {none, none, 0}}, true,
        per_source_algorithms);
  // 128-bit sums have no kernels.
  const auto wider = make_graph<i64>(3, {{0, 1, huge}, {1, 2, -huge}, {2, 0, 1}});
  const resident<i64> on_device(wider);
  apsp::device_matrix<i64> d(3);
  for (const auto method : algorithms_for_negative_weights) {
    BOOST_CHECK_THROW(static_cast<void>(run(method, Policy::policy(), on_device.csr(), d)),
                      apsp::device_error);
    const auto done = run(method, Policy::policy().required(false), on_device.csr(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(contains(done.fallback_reason(), "128-bit"));
    check_rows<i64>({{0, huge, 0}, {-huge + 1, 0, -huge}, {1, huge + 1, 0}}, d.to_host());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_graphs, Policy, policies) {
  constexpr std::size_t n = 80;
  const std::vector<std::size_t> sources{5, 2, 5};
  const auto refused = [&](const auto& graph, const std::string& words) {
    for (const auto method : per_source_algorithms) {
      auto d = wrong_results<float>(sources.size(), n);
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(run(method, Policy::policy(), graph, sources, d)); });
      BOOST_CHECK_MESSAGE(contains(message, words), message << " does not say: " << words);
      BOOST_CHECK(holds_only(d, -7.0f));
      std::vector<std::vector<float>> on_host(sources.size(), std::vector<float>(n, -7.0f));
      BOOST_CHECK_THROW(static_cast<void>(run(method, Policy::policy(), graph, sources, on_host)),
                        std::invalid_argument);
      BOOST_CHECK(on_host[0][0] == -7.0f);
    }
  };
  const auto g = random_graph<float>(n, 0.2, 1, 50, 9);
  auto wrong = g;
  wrong.weights[17] = std::numeric_limits<float>::quiet_NaN();
  resident<float>(wrong).in_all_forms([&](const auto& graph) { refused(graph, "of NaN"); });
  for (const std::int32_t vertex : {-1, 80}) {
    wrong = g;
    wrong.targets[17] = vertex;
    const device_values<std::int32_t> from(wrong.sources);
    const device_values<std::int32_t> to(wrong.targets);
    const device_values<float> weights(wrong.weights);
    refused(apsp::device_edge_list_view(n, from.span(), to.span(), weights.span()),
            "out of range: the graph has 80 vertices");
    refused(apsp::device_edge_list_view(n, to.span(), from.span(), weights.span()),
            "out of range: the graph has 80 vertices");
  }
  const device_values<std::int32_t> targets({1, 2, 3});
  const device_values<float> weights({1, 2, 3});
  std::vector<int> offsets(n + 1, 3);
  offsets[0] = 0;
  offsets[40] = 2;
  const device_values<int> decreasing(offsets);
  refused(apsp::device_csr_view(decreasing.span(), targets.span(), weights.span()),
          "offsets decrease");
  // Memory of the host.
  apsp::matrix<float> host(n);
  const resident<float> right(g);
  apsp::device_matrix_view<float> host_rows(host.data(), sources.size(), n);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::dijkstra(Policy::policy(), right.csr(), sources, host_rows)),
      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  const auto positive = some_graph<float>(300, 1, 2);
  const auto negative = negative_graph<float>(300, 0.02, 2);
  for (const auto* g : {&positive, &negative}) {
    const resident<float> on_device(*g);
    auto d = wrong_results<float>(g->n);
    std::size_t last = 0;
    std::size_t total = 0;
    const auto policy = Policy::policy().progress([&](std::size_t done, std::size_t of) {
      BOOST_CHECK_LE(last, done);
      last = done;
      total = of;
    });
    BOOST_REQUIRE(apsp::johnson(policy, on_device.csr(), d));
    BOOST_CHECK_EQUAL(last, g->n);
    BOOST_CHECK_EQUAL(total, g->n);
    check_distances(*g, d.to_host());
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = apsp::johnson(Policy::policy().stop(stop.get_token()), on_device.csr(), d);
    BOOST_CHECK(!stopped && stopped.stopped());
  }
  // Rows that progress was told of are there, and others are as they were.
  const auto expected = oracle_distances(positive);
  const resident<float> on_device(positive);
  auto d = wrong_results<float>(positive.n);
  std::stop_source stop;
  std::size_t num_done = 0;
  const auto policy = Policy::policy()
                          .memory_limit(400'000)
                          .stop(stop.get_token())
                          .progress([&](std::size_t done, std::size_t) {
                            num_done = done;
                            stop.request_stop();
                          });
  const auto done = apsp::bellman_ford(policy, on_device.csr(), d);
  const auto rows = d.to_host();
  BOOST_CHECK(done.stopped());
  BOOST_REQUIRE(num_done > 0 && num_done <= positive.n);
  check_rows<float>({expected->begin(), expected->begin() + static_cast<std::ptrdiff_t>(num_done)},
                    rows);
}

#endif
