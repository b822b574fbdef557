// SPDX-License-Identifier: BSL-1.0
// Floyd–Warshall and repeated squaring over the named semirings, with data in device memory.
#define BOOST_TEST_MODULE semiring_device_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/dense.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/repeated_squaring.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/device_data.hpp"
#include "common/device_part.hpp"
#include "common/graphs.hpp"
#include "common/policies.hpp"
#include "common/semirings.hpp"

using namespace apsp_test;

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  // A place that no code may read.
  auto* const somewhere = reinterpret_cast<float*>(std::uintptr_t{4096});
  const apsp::device_matrix_view<const float> graph(somewhere, 3, 3);
  apsp::device_matrix_view<float> wide(somewhere, 3, 4);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy(), graph, wide,
                                                           apsp::max_min<float>{})),
                    std::invalid_argument);
  apsp::device_matrix_view<float> values(somewhere, 3, 3);
  apsp::device_matrix_view<std::int32_t> missing(nullptr, 3, 3);
  BOOST_CHECK_THROW(static_cast<void>(apsp::repeated_squaring(Policy::policy(), graph, values,
                                                              missing, apsp::min_max<float>{})),
                    std::invalid_argument);
}

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  try {
    const apsp::device_matrix<float> there(apsp::matrix<float>(3));
  } catch (const apsp::device_error& error) {
    // There is no host to fall back to for data that cannot be there.
    apsp::device_matrix_view<float> d(reinterpret_cast<float*>(std::uintptr_t{4096}), 3, 3);
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(
                          apsp::cuda_tiled, apsp::matrix<float>(3), d, apsp::max_min<float>{})),
                      apsp::device_error);
  }
}

#else

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 3, 33, 64, 65, 129};

/// With parallel arcs, of which either may be the better one, self-loops and an arc that is none.
template <class S, class T = typename S::value_type>
arc_list<T> graph_with_parallel_arcs(std::size_t n, std::uint64_t seed) {
  auto g = semiring_graph<S>(n, 0.06, seed);
  random_numbers random(seed + 1);
  const std::size_t size = g.size();
  for (std::size_t k = 0; k < size; k += 2) {
    g.add(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]),
          g.weights[random.index(size)]);
  }
  for (std::size_t v = 0; v < n && size > 0; v += 4) g.add(v, v, g.weights[random.index(size)]);
  return g;
}

/// A graph as a matrix of the best arcs.
template <class S, class T = typename S::value_type>
apsp::matrix<T> best_arcs(const arc_list<T>& g) {
  apsp::matrix<T> m(g.n, g.n, apsp::unreachable<T>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    T& entry = m(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]));
    if (entry == apsp::unreachable<T> || meaning<S>::is_better(g.weights[k], entry)) {
      entry = g.weights[k];
    }
  }
  return m;
}

/// Calls f with the graph in all forms.
template <class S, class T, class F>
void in_all_forms(const arc_list<T>& arcs, F f) {
  auto listed = arcs;
  if (arcs.n > 1) listed.add(0, 1, apsp::unreachable<T>);
  const resident<T> on_device(listed);
  BOOST_TEST_CONTEXT("edge list") {
    f(on_device.edge_list());
  }
  BOOST_TEST_CONTEXT("csr") {
    f(on_device.csr());
  }
  BOOST_TEST_CONTEXT("dense") {
    f(apsp::device_matrix<T>(best_arcs<S>(arcs)));
  }
  BOOST_TEST_CONTEXT("dense, with gaps") {
    const device_part<T> part(best_arcs<S>(arcs), 3);
    f(part.view());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(values, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      const auto arcs = graph_with_parallel_arcs<S>(n, n);
      const auto expected = best_values<S>(arcs);
      in_all_forms<S>(arcs, [&](const auto& graph) {
        auto d = wrong_results<T>(n);
        const auto done = apsp::floyd_warshall(Over::policy(), graph, d, S{});
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.executed_on() == Over::policy_type::expected);
        check_values<S>(expected, d.to_host());
        d = wrong_results<T>(n);
        BOOST_REQUIRE(apsp::repeated_squaring(Over::policy(), graph, d, S{}));
        check_values<S>(expected, d.to_host());
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(predecessors, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  for (const std::size_t n : {0, 1, 2, 65, 100}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      const auto arcs = graph_with_parallel_arcs<S>(n, n);
      const auto expected = best_values<S>(arcs);
      in_all_forms<S>(arcs, [&](const auto& graph) {
        auto d = wrong_results<T>(n);
        auto p = wrong_results<std::int32_t>(n);
        BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), graph, d, p, S{}));
        check_values<S>(expected, d.to_host());
        check_paths<S>(arcs, d.to_host(), p.to_host());
        d = wrong_results<T>(n);
        p = wrong_results<std::int32_t>(n);
        BOOST_REQUIRE(apsp::repeated_squaring(Over::policy().count_hops(), graph, d, p, S{}));
        check_values<S>(expected, d.to_host());
        check_paths<S>(arcs, d.to_host(), p.to_host());
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_side_on_the_host, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  const auto arcs = graph_with_parallel_arcs<S>(70, 8);
  const auto expected = best_values<S>(arcs);
  auto d = wrong_results<T>(arcs.n);
  auto p = wrong_results<std::int64_t>(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), arcs.view(), d, S{}));
  check_values<S>(expected, d.to_host());
  d = wrong_results<T>(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), arcs.view(), d, p, S{}));
  check_values<S>(expected, d.to_host());
  const auto found = p.to_host();
  apsp::matrix<std::int32_t> narrow(arcs.n);
  std::transform(found.begin(), found.end(), narrow.begin(),
                 [](std::int64_t v) { return static_cast<std::int32_t>(v); });
  check_paths<S>(arcs, d.to_host(), narrow);
  in_all_forms<S>(arcs, [&](const auto& graph) {
    apsp::matrix<T> values(arcs.n);
    apsp::matrix<std::int32_t> hops(arcs.n);
    BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), graph, values, hops, S{}));
    check_values<S>(expected, values);
    check_paths<S>(arcs, values, hops);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  const auto arcs = semiring_graph<S>(70, 0.06, 6);
  device_part<T> memory(best_arcs<S>(arcs), 20);
  auto view = memory.view();
  BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), view, view, S{}));
  check_values<S>(best_values<S>(arcs), memory.to_host());
  BOOST_CHECK(memory.is_untouched_around());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, Policy, policies) {
  const auto check = []<class S>(S semiring, auto limit, auto is_beyond) {
    using T = typename S::value_type;
    const auto arcs = semiring_graph<S>(60, 0.1, 3);
    auto expected = best_values<S>(arcs);
    for (std::size_t u = 0; u < arcs.n; ++u) {
      for (std::size_t v = 0; v < arcs.n; ++v) {
        if (u != v && is_beyond(expected[u][v])) expected[u][v] = S::zero;
      }
    }
    in_all_forms<S>(arcs, [&](const auto& graph) {
      auto d = wrong_results<T>(arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(limit), graph, d, semiring));
      check_values<S>(expected, d.to_host());
      d = wrong_results<T>(arcs.n);
      auto p = wrong_results<std::int32_t>(arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(limit), graph, d, p, semiring));
      check_values<S>(expected, d.to_host());
      check_paths<S>(arcs, d.to_host(), p.to_host());
    });
  };
  check(apsp::max_min<std::int32_t>{}, 100, [](std::int32_t x) { return x < 100; });
  check(apsp::min_max<float>{}, 50.5, [](float x) { return x > 50.5F; });
  check(apsp::max_times<double>{}, 0.25, [](double x) { return x < 0.25; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ends_of_the_range, Policy, policies) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  // The arc of weight `unreachable` is none; that of minus infinity is as wide as no path.
  const arc_list<float> arcs{4, {0, 1, 2, 0}, {1, 2, 3, 3}, {5, inf, 2, -inf}};
  const apsp::matrix<float> expected =
      best_values<apsp::max_min<float>>(arc_list<float>{4, {0, 2}, {1, 3}, {5, 2}});
  resident<float>(arcs).in_all_forms([&](const auto& graph) {
    auto widths = wrong_results<float>(4);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), graph, widths, apsp::max_min<float>{}));
    BOOST_CHECK(widths.to_host() == expected);
    // The result is a graph again, closed already.
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), widths, widths, apsp::max_min<float>{}));
    BOOST_CHECK(widths.to_host() == expected);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_weights, Policy, policies) {
  const auto refused = [](auto semiring, double weight, const std::string& why) {
    using T = typename decltype(semiring)::value_type;
    const arc_list<T> arcs{3, {0, 2}, {1, 1}, {T(1), static_cast<T>(weight)}};
    resident<T>(arcs).in_all_forms([&](const auto& graph) {
      auto values = wrong_results<T>(3);
      try {
        static_cast<void>(apsp::floyd_warshall(Policy::policy(), graph, values, semiring));
        BOOST_ERROR("nothing was thrown");
      } catch (const std::invalid_argument& error) {
        BOOST_CHECK_MESSAGE(std::string(error.what()).find(why) != std::string::npos, error.what());
      }
      BOOST_CHECK(values.to_host() == apsp::matrix<T>(3, 3, T(-7)));
    });
  };
  refused(apsp::max_times<double>{}, 1.5, "2 -> 1 has a weight that this semiring does not");
  refused(apsp::max_times<float>{}, -0.5, "2 -> 1 has a weight that this semiring does not");
  refused(apsp::max_times<std::int32_t>{}, 2, "does not admit");
  refused(apsp::max_min<float>{}, std::numeric_limits<double>::quiet_NaN(), "NaN");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  using S = apsp::min_max<std::int64_t>;
  const auto arcs = semiring_graph<S>(200, 0.05, 2);
  const resident<std::int64_t> on_device(arcs);
  auto d = wrong_results<std::int64_t>(arcs.n);
  std::size_t last = 0;
  const auto watched =
      Policy::policy().progress([&](std::size_t done, std::size_t) { last = done; });
  BOOST_REQUIRE(apsp::floyd_warshall(watched, on_device.csr(), d, S{}));
  BOOST_CHECK_EQUAL(last, arcs.n);
  check_values<S>(best_values<S>(arcs), d.to_host());
  std::stop_source stop;
  stop.request_stop();
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy().stop(stop.get_token()), on_device.csr(), d, S{})
                  .stopped());
}

#endif
