// SPDX-License-Identifier: BSL-1.0
// The transitive closure of graphs in device memory, against searches from every vertex.
#define BOOST_TEST_MODULE transitive_closure_device_memory
#include <boost/test/unit_test.hpp>

#include <apsp/bit_matrix.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/unreachable.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <tuple>
#include <vector>

#include "common/device_data.hpp"
#include "common/device_part.hpp"
#include "common/graphs.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  // A place that no code may read.
  auto* const somewhere = reinterpret_cast<float*>(std::uintptr_t{4096});
  const apsp::device_matrix_view<const float> graph(somewhere, 3, 3);
  apsp::device_matrix_view<bool> wide(reinterpret_cast<bool*>(somewhere), 3, 4);
  BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy(), graph, wide)),
                    std::invalid_argument);
  apsp::device_matrix_view<bool> missing(nullptr, 3, 3);
  BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy(), graph, missing)),
                    std::invalid_argument);
}

#ifdef APSP_TEST_ON_DEVICE

namespace {

/// About @p degree arcs from every vertex, self-loops, parallel arcs and arcs that are none among them.
template <class T>
arc_list<T> sparse_graph(std::size_t n, double degree, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(degree * static_cast<double>(n)); ++k) {
    const std::size_t u = random.index(n);
    g.add(u, random.index(n), static_cast<T>(random(-5, 5)));
  }
  if (n > 1) g.add(n - 1, 0, apsp::unreachable<T>);
  return g;
}

/// 1 where there is a path, by a search from every vertex.
template <class T>
apsp::matrix<std::uint8_t> reachable(const arc_list<T>& g) {
  std::vector<std::vector<std::size_t>> targets(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.weights[k] == apsp::unreachable<T>) continue;
    targets[static_cast<std::size_t>(g.sources[k])].push_back(
        static_cast<std::size_t>(g.targets[k]));
  }
  apsp::matrix<std::uint8_t> reached(g.n, g.n, 0);
  for (std::size_t s = 0; s < g.n; ++s) {
    std::vector<std::size_t> stack{s};
    reached[s][s] = 1;
    while (!stack.empty()) {
      const std::size_t u = stack.back();
      stack.pop_back();
      for (const std::size_t v : targets[u]) {
        if (reached[s][v] != 0) continue;
        reached[s][v] = 1;
        stack.push_back(v);
      }
    }
  }
  return reached;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_forms, With, policies_and_weights) {
  using T = typename With::weight;
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 600}) {
    for (const double degree : {0.8, 1.3, 20.0}) {
      BOOST_TEST_CONTEXT("n = " << n << ", degree = " << degree << ", seed = " << n + 3) {
        const auto g = sparse_graph<T>(n, degree, n + 3);
        const auto expected = reachable(g);
        resident<T>(g).in_all_forms([&](const auto& graph) {
          auto bytes = wrong_results<std::uint8_t>(n);
          const auto done = apsp::transitive_closure(With::policy(), graph, bytes);
          BOOST_REQUIRE(done);
          BOOST_CHECK(done.executed_on() == With::policy_type::expected);
          BOOST_CHECK(done.algorithm() == apsp::algorithm::transitive_closure);
          BOOST_CHECK(bytes.to_host() == expected);
          bytes = wrong_results<std::uint8_t>(n);
          BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), graph, bytes, apsp::or_and{}));
          BOOST_CHECK(bytes.to_host() == expected);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_results, Policy, policies) {
  constexpr std::size_t n = 70;
  const auto g = sparse_graph<float>(n, 1.2, 4);
  const auto expected = reachable(g);
  const resident<float> on_device(g);
  device_part<bool> part(apsp::matrix<bool>(n, n, true), 9);
  auto view = part.view();
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), on_device.csr(), view));
  BOOST_CHECK(part.is_untouched_around());
  const auto bools = part.to_host();
  apsp::bit_matrix bits(n);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), on_device.edge_list(), bits));
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      BOOST_REQUIRE_EQUAL(bools[u][v], expected[u][v] != 0);
      BOOST_REQUIRE_EQUAL(bits(u, v), expected[u][v] != 0);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_graphs, Policy, policies) {
  constexpr std::size_t n = 80;
  auto g = sparse_graph<float>(n, 2, 9);
  // Weights are not looked at.
  g.weights[5] = std::nanf("");
  g.weights[6] = -std::numeric_limits<float>::infinity();
  const auto expected = reachable(g);
  const auto untouched = apsp::matrix<std::uint8_t>(n, n, 3);
  apsp::device_matrix<std::uint8_t> bytes(untouched);
  for (const std::int32_t vertex : {-1, 80}) {
    auto wrong = g.targets;
    wrong[17] = vertex;
    const device_values<std::int32_t> sources(g.sources);
    const device_values<std::int32_t> targets(wrong);
    const device_values<float> weights(g.weights);
    BOOST_CHECK_THROW(
        static_cast<void>(apsp::transitive_closure(
            Policy::policy(),
            apsp::device_edge_list_view(n, sources.span(), targets.span(), weights.span()), bytes)),
        std::invalid_argument);
  }
  BOOST_CHECK(bytes.to_host() == untouched);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), resident<float>(g).csr(), bytes));
  BOOST_CHECK(bytes.to_host() == expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  constexpr std::size_t n = 300;
  const auto g = sparse_graph<float>(n, 1.5, 2);
  const resident<float> on_device(g);
  auto bytes = wrong_results<std::uint8_t>(n);
  std::size_t last = 0;
  const auto watched =
      Policy::policy().progress([&](std::size_t done, std::size_t) { last = done; });
  BOOST_REQUIRE(apsp::transitive_closure(watched, on_device.csr(), bytes));
  BOOST_CHECK_EQUAL(last, n);
  BOOST_CHECK(bytes.to_host() == reachable(g));
  std::stop_source stop;
  stop.request_stop();
  BOOST_CHECK(
      apsp::transitive_closure(Policy::policy().stop(stop.get_token()), on_device.csr(), bytes)
          .stopped());
}

#endif
