// SPDX-License-Identifier: BSL-1.0
// Tests specific to graphs and matrices in device memory. They need a device. The tests of the
// algorithms check their results in every place.
#define BOOST_TEST_MODULE device_memory
#include <boost/test/unit_test.hpp>

#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "../common/device_data.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// Messages are checked, since memory that is on no device is reported by another one.
using in_device_memory = place<device_memory>;
using some_policies_and_weights = with_policies<with, std::tuple<float, std::int32_t>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_vertices, Policy, policies) {
  const auto check = [&](const arc_list<float>& g, const auto& on_device) {
    const auto sources = some_vertices(g.n, is_slow<Policy> ? 5 : 40, 8);
    const auto expected = oracle_rows(g, sources);
    const auto lightest = lightest_arcs(g);
    on_device.in_all_forms([&](const auto& graph) {
      const auto solve = [&](auto predecessor) {
        using index = decltype(predecessor);
        auto all = wrong_results<in_device_memory, float>(g.n);
        auto p = wrong_results<in_device_memory, index>(g.n);
        BOOST_REQUIRE(
            apsp::floyd_warshall(Policy::policy(), graph, all, p, apsp::min_plus<float>{}));
        check_distances(g, all.to_host());
        check_predecessors(g, all.to_host(), p.to_host());
        // Solved on the device, or on the host for negative weights and for paths with the fewest
        // edges.
        for (const bool prefers_fewest_edges : {false, true}) {
          auto d = wrong_results<in_device_memory, float>(sources.size(), g.n);
          auto q = wrong_results<in_device_memory, index>(sources.size(), g.n);
          const auto policy = Policy::policy().prefer_fewest_edges(prefers_fewest_edges);
          BOOST_REQUIRE(apsp::johnson(policy, graph, sources, d, q));
          check_rows<float>(*expected, d.to_host());
          check_trees<float>(lightest, sources, d.to_host(), q.to_host());
        }
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
    BOOST_TEST_CONTEXT("seed = 7") {
      check(g, resident<float, std::uint32_t>(g));
      check(g, resident<float, std::int64_t>(g));
      check(g, resident<float, std::uint64_t>(g));
    }
  }
}

// Host results may be of any kind; on the device, predecessors must be integers of 32 or 64 bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_side_on_the_host, With, policies_and_weights) {
  using T = typename With::weight;
  for (const double p : {0.05, 0.9}) {
    const auto g = random_graph<T>(100, p, 0, 50, 11);
    const auto sources = all_vertices(g.n);
    const auto expected = oracle_rows(g, sources);
    const auto lightest = lightest_arcs(g);
    const auto check = [&](const auto& solve, const auto& graph, auto& d, auto& predecessors) {
      BOOST_REQUIRE(solve(graph, d, predecessors));
      check_rows<T>(*expected, to_host(d));
      check_trees<T>(lightest, sources, to_host(d), to_host(predecessors));
    };
    const auto on_each_side = [&](const auto& solve) {
      auto d = wrong_results<in_device_memory, T>(g.n);
      auto hops = wrong_results<in_device_memory, std::uint64_t>(g.n);
      check(solve, g.view(), d, hops);
      resident<T>(g).in_all_forms([&](const auto& graph) {
        std::vector<std::vector<T>> on_host(g.n, std::vector<T>(g.n));
        std::vector<std::vector<short>> found(g.n, std::vector<short>(g.n));
        check(solve, graph, on_host, found);
      });
    };
    BOOST_TEST_CONTEXT("p = " << p << ", seed = 11") {
      on_each_side([](const auto& graph, auto& d, auto& predecessors) {
        return apsp::floyd_warshall(With::policy(), graph, d, predecessors);
      });
      on_each_side([&](const auto& graph, auto& d, auto& predecessors) {
        return apsp::johnson(With::policy(), graph, sources, d, predecessors);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_a_single_source, Policy, policies) {
  const auto g = random_graph<std::int32_t>(150, 0.05, 1, 9, 70);
  const std::vector<std::size_t> source{7};
  const auto expected = oracle_rows(g, source);
  const auto check = [&](const auto& graph) {
    for (const bool by_dijkstra : {false, true}) {
      apsp::device_matrix<std::int32_t> d(1, g.n), p(1, g.n);
      const apsp::device_span<std::int32_t> row(d.data(), g.n), before(p.data(), g.n);
      BOOST_REQUIRE(by_dijkstra ? apsp::dijkstra(Policy::policy(), graph, 7, row, before)
                                : apsp::bellman_ford(Policy::policy(), graph, 7, row, before));
      check_rows<std::int32_t>(*expected, d.to_host());
      check_trees<std::int32_t>(lightest_arcs(g), source, d.to_host(), p.to_host());
    }
  };
  check(g.view());
  device_memory::in_one_form(g, check);
}

// The gaps between the rows are not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(parts_of_matrices, With, some_policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 70;
  for (const auto& g : {some_graph<T>(n, 0, 3), negative_graph<T>(n, 0.1, 3)}) {
    const auto sources = some_vertices(n, 80, 4);
    const auto expected = oracle_rows(g, sources);
    const resident<T> on_device(g);
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT(to_string(method) << ", seed = 3") {
        matrix_part<device_memory, T> d(apsp::matrix<T>(sources.size(), n), 20);
        matrix_part<device_memory, std::int64_t> p(apsp::matrix<std::int64_t>(sources.size(), n),
                                                   20);
        auto rows = d.view();
        auto hops = p.view();
        BOOST_REQUIRE(run(method, With::policy(), on_device.csr(), sources, rows, hops));
        check_rows<T>(*expected, d.to_host());
        check_trees<T>(lightest_arcs(g), sources, d.to_host(), p.to_host());
        BOOST_CHECK(d.is_untouched_around() && p.is_untouched_around());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(mdspans, With, policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 70;
  const auto g = random_graph<T>(n, 0.2, 1, 50, 5);
  matrix_part<device_memory, T> weights(dense_form(g), 20);
  const auto entries = weights.view();
  const device_mdspan<const T> graph{entries.data(), n, n, entries.pitch()};
  const auto check = [&](auto solve) {
    matrix_part<device_memory, T> distances(apsp::matrix<T>(n), 20);
    matrix_part<device_memory, std::int32_t> predecessors(apsp::matrix<std::int32_t>(n), 20);
    const auto d = distances.view();
    const auto p = predecessors.view();
    BOOST_REQUIRE(solve(device_mdspan<T>{d.data(), n, n, d.pitch()},
                        device_mdspan<std::int32_t>{p.data(), n, n, p.pitch()}));
    check_distances(g, distances.to_host());
    check_predecessors(g, distances.to_host(), predecessors.to_host());
  };
  BOOST_TEST_CONTEXT("seed = 5") {
    check([&](const auto& d, const auto& p) {
      return apsp::floyd_warshall(With::policy(), graph, d, p);
    });
    check(
        [&](const auto& d, const auto& p) { return apsp::dijkstra(With::policy(), graph, d, p); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_graphs, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr std::size_t n = 80;
  const std::vector<std::size_t> sources{5, 2, 5};
  const auto refused = [&](const auto& graph, const std::string& words) {
    auto all = wrong_results<in_device_memory, float>(n);
    check_refused([&] { return apsp::floyd_warshall(policy, graph, all); }, words);
    BOOST_CHECK(holds_only(all));
    for (const auto method : per_source_algorithms) {
      auto d = wrong_results<in_device_memory, float>(sources.size(), n);
      check_refused([&] { return run(method, policy, graph, sources, d); }, words);
      BOOST_CHECK(holds_only(d));
      // Results in host memory are refused with the message of the host.
      apsp::matrix<float> on_host(sources.size(), n, -7.0F);
      check_refused([&] { return run(method, policy, graph, sources, on_host); });
      BOOST_CHECK(holds_only(on_host));
    }
  };
  const auto closure_refused = [&](const auto& graph, const std::string& words) {
    apsp::device_matrix<std::uint8_t> bytes(apsp::matrix<std::uint8_t>(n, n, 3));
    check_refused([&] { return apsp::transitive_closure(policy, graph, bytes); }, words);
    BOOST_CHECK(holds_only(bytes, 3));
  };
  const auto g = random_graph<float>(n, 0.2, 1, 50, 9);
  const auto with = [&](float weight) {
    auto wrong = g;
    wrong.weights[17] = weight;
    return resident<float>(wrong);
  };
  const std::string arc = "arc " + std::to_string(g.sources[17]) + " -> " +
                          std::to_string(g.targets[17]) + " has a weight ";
  with(std::numeric_limits<float>::quiet_NaN()).in_all_forms([&](const auto& graph) {
    refused(graph, arc + "of NaN");
  });
  with(-std::numeric_limits<float>::infinity()).in_all_forms([&](const auto& graph) {
    refused(graph, arc + "of minus infinity");
  });
  const resident<float> right(g);
  const auto rows = right.csr();
  const device_values<std::int32_t> sources_of_arcs(g.sources);
  const device_values<float> weights_of_arcs(g.weights);
  for (const std::int32_t vertex : {-1, 80}) {
    auto wrong = g.targets;
    wrong[17] = vertex;
    const device_values<std::int32_t> targets(wrong);
    const std::string words = "out of range: the graph has 80 vertices";
    const apsp::device_edge_list_view leads_out(n, sources_of_arcs.span(), targets.span(),
                                                weights_of_arcs.span());
    refused(leads_out, words);
    closure_refused(leads_out, words);
    refused(apsp::device_edge_list_view(n, targets.span(), sources_of_arcs.span(),
                                        weights_of_arcs.span()),
            words);
    refused(apsp::device_csr_view(rows.offsets(), targets.span(), rows.weights()), words);
  }
  const device_values<std::int32_t> targets({1, 2, 3});
  const device_values<float> weights({1, 2, 3});
  const auto with_offsets = [&](std::size_t changed, int offset, const std::string& words) {
    std::vector<int> offsets(n + 1, 3);
    offsets[0] = 0;
    offsets[changed] = offset;
    const device_values<int> array(offsets);
    refused(apsp::device_csr_view(array.span(), targets.span(), weights.span()), words);
  };
  with_offsets(0, 1, "the first offset is not 0");
  with_offsets(40, 2, "the offsets decrease, at vertex 39");
  with_offsets(n, 4, "the last offset is not the number of targets");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_of_the_host, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr std::size_t n = 80;
  const auto refused = [](auto call) { check_refused([&] { return call(); }, "host memory"); };
  const auto g = random_graph<float>(n, 0.2, 1, 50, 9);
  const resident<float> right(g);
  const auto rows = right.csr();
  apsp::matrix<float> host(n, n, 0.5F);
  apsp::device_matrix_view<float> not_there(host.data(), n, n);
  auto d = wrong_results<in_device_memory, float>(n);
  refused([&] { return apsp::floyd_warshall(policy, not_there, d); });
  const apsp::device_csr_view partly_there(
      rows.offsets(), apsp::device_span(g.targets.data(), g.targets.size()), rows.weights());
  refused([&] { return apsp::floyd_warshall(policy, partly_there, d); });
  refused([&] { return apsp::floyd_warshall(policy, rows, not_there); });
  refused([&] { return apsp::dijkstra(policy, rows, not_there); });
  refused([&] { return apsp::min_plus_product(policy, d, d, not_there); });
  refused([&] { return apsp::summarize_distances(policy, not_there); });
  BOOST_CHECK(holds_only(d));
}

// Only calls that work in place can run with so little memory.
BOOST_AUTO_TEST_CASE_TEMPLATE(little_memory, Policy, policies) {
  const auto policy = Policy::policy().memory_limit(1000);
  const resident<float> on_device(random_graph<float>(300, 0.05, 1, 50, 2));
  auto d = wrong_results<in_device_memory, float>(300);
  check_refused<apsp::device_error>(
      [&] { return apsp::floyd_warshall(policy, on_device.dense(), d); });
  const apsp::device_matrix<float> rows(apsp::matrix<float>(9000, 20, 2));
  check_refused<apsp::device_error>(
      [&] { return apsp::summarize_distances(policy, rows, std::vector<int>(9000, 3)); });
}

BOOST_AUTO_TEST_CASE(products_in_place_take_no_memory) {
  const auto policy = apsp::cuda_tiled.required().memory_limit(1);
  const apsp::device_matrix<float> a(apsp::matrix<float>(128, 128, 1));
  apsp::device_matrix<float> c(apsp::matrix<float>(128, 128, 3));
  BOOST_REQUIRE(apsp::min_plus_product(policy, a, a, c));
  BOOST_CHECK(c.to_host() == apsp::matrix<float>(128, 128, 2));
  check_refused<apsp::device_error>([&] { return apsp::min_plus_product(policy, c, a, c); });
}

// There are no kernels for these types.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_128_bits, Policy, policies) {
  using i64 = std::int64_t;
  constexpr i64 huge = 9'000'000'000'000'000'000;
  const resident<i64> on_device(make_graph<i64>(3, {{0, 1, huge}, {1, 2, -huge}, {2, 0, 1}}));
  apsp::device_matrix<i64> d(3);
  for (const auto method : algorithms_for_negative_weights) {
    check_refused<apsp::device_error>(
        [&] { return run(method, Policy::policy(), on_device.csr(), d); });
    const auto done = run(method, Policy::policy().required(false), on_device.csr(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(contains(done.fallback_reason(), "128-bit"));
    check_rows<i64>({{0, huge, 0}, {-huge + 1, 0, -huge}, {1, huge + 1, 0}}, d.to_host());
  }
}

// Rows that were reported as finished are complete.
BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_between_batches, Policy, policies) {
  const auto g = some_graph<float>(300, 1, 2);
  const auto expected = oracle_distances(g);
  const resident<float> on_device(g);
  auto d = wrong_results<in_device_memory, float>(g.n);
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
  BOOST_CHECK(done.stopped());
  BOOST_REQUIRE(num_done > 0 && num_done <= g.n);
  check_rows<float>({expected->begin(), expected->begin() + static_cast<std::ptrdiff_t>(num_done)},
                    d.to_host());
}
