// SPDX-License-Identifier: BSL-1.0
// Tests of Floyd–Warshall and repeated squaring over the named semirings, with data in host and in
// device memory, and over user-defined semirings.
#define BOOST_TEST_MODULE semiring
#include <boost/test/unit_test.hpp>
#include "../common/semirings.hpp"

#include <apsp/dense.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/repeated_squaring.hpp>
#include <boost/mp11.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "../common/closures.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 3, 33, 64, 65, 100, 128, 129};

/// The oracle is slower than the tested code, so its results are shared by all policies.
template <class S, class T = typename S::value_type>
const apsp::matrix<T>& best_values_once(std::size_t n, const arc_list<T>& arcs) {
  static std::map<std::size_t, apsp::matrix<T>> known;
  if (!known.contains(n)) known.emplace(n, best_values<S>(arcs));
  return known.at(n);
}

/// A dense graph contains the better one of parallel arcs.
template <class S>
struct is_better {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return meaning<S>::is_better(a, b);
  }
};

template <class Over, class Solve>
void check_every_size(Solve solve) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      const auto arcs = with_parallel_arcs(semiring_graph<S>(n, 0.06, n), n);
      const auto& expected = best_values_once<S>(n, arcs);
      const auto check = [&](const auto& graph) {
        auto values = wrong_results<Over, T>(n);
        const auto done = solve(Over::policy(), graph, values, S{});
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.executed_on() == Over::expected || !done.fallback_reason().empty());
        check_values<S>(expected, to_host(values));

        const auto check_predecessors = [&](auto index, bool prefers_fewest_edges) {
          auto again = wrong_results<Over, T>(n);
          auto predecessors = wrong_results<Over, decltype(index)>(n);
          const auto policy = Over::policy().prefer_fewest_edges(prefers_fewest_edges);
          BOOST_REQUIRE(solve(policy, graph, again, predecessors, S{}));
          check_values<S>(expected, to_host(again));
          check_paths<S>(arcs, to_host(again), to_host(predecessors));
        };
        check_predecessors(std::int32_t{}, false);
        check_predecessors(std::int64_t{}, true);
      };
      Over::graphs::in_forms_by_turns(with_an_unreachable_arc(arcs), check, is_better<S>{});
    }
  }
}

using places_and_semirings =
    boost::mp11::mp_append<in_places<policies_and_semirings>,
                           in_mixed_places<with_policies<over, some_of<named_semirings>>>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall, Over, places_and_semirings) {
  check_every_size<Over>(by_floyd_warshall{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(repeated_squaring, Over, in_places<policies_and_semirings>) {
  check_every_size<Over>(by_squaring{});
}

// In place. The gaps between the rows are not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_in_one_part, Over,
                              in_places<policies_and_semirings>) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  const auto arcs = semiring_graph<S>(70, 0.06, 6);
  BOOST_TEST_CONTEXT("seed = 6") {
    matrix_part<typename Over::results, T> memory(dense_form(arcs), 20);
    auto part = memory.view();
    BOOST_REQUIRE(apsp::floyd_warshall(Over::policy(), part, part, S{}));
    check_values<S>(best_values<S>(arcs), memory.to_host());
    BOOST_CHECK(memory.is_untouched_around());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(named_min_plus_is_the_default, Policy, policies) {
  const auto arcs = negative_graph<std::int32_t>(70, 0.1, 4);
  apsp::matrix<std::int32_t> a(arcs.n);
  apsp::matrix<std::int32_t> b(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), arcs.view(), a));
  BOOST_REQUIRE(
      apsp::floyd_warshall(Policy::policy(), arcs.view(), b, apsp::min_plus<std::int32_t>{}));
  BOOST_CHECK(a == b);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ends_of_the_range, Policy, in_places<policies>) {
  using S = apsp::max_min<float>;
  static constexpr float inf = std::numeric_limits<float>::infinity();
  // The arc of weight `unreachable` is not an edge; that of minus infinity is equivalent to no
  // path.
  const arc_list<float> arcs{4, {0, 1, 2, 0}, {1, 2, 3, 3}, {5, inf, 2, -inf}};
  const auto check = [](const auto& graph) {
    auto widths = wrong_results<Policy, float>(4);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), graph, widths, S{}));
    const apsp::matrix<float> found = to_host(widths);
    BOOST_CHECK(found == best_values<S>(arc_list<float>{4, {0, 2}, {1, 3}, {5, 2}}));
    BOOST_CHECK_EQUAL(found[0][0], inf);
    BOOST_CHECK_EQUAL(found[0][1], 5);
    BOOST_CHECK_EQUAL(found[0][2], -inf);
    BOOST_CHECK_EQUAL(found[0][3], -inf);
    BOOST_CHECK_EQUAL(found[2][3], 2);

    // The result is a graph that is already closed.
    auto again = wrong_results<Policy, float>(4);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), widths, again, S{}));
    BOOST_CHECK(to_host(again) == found);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), widths, widths, S{}));
    BOOST_CHECK(to_host(widths) == found);
  };
  Policy::graphs::in_all_forms(arcs, check, is_better<S>{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_weights, Policy, in_places<policies>) {
  const auto refused = []<class S>(S semiring, double weight, const std::string& why) {
    using T = typename S::value_type;
    const arc_list<T> arcs{3, {0, 2}, {1, 1}, {T(1), static_cast<T>(weight)}};
    Policy::graphs::in_all_forms(arcs, [&](const auto& graph) {
      auto values = wrong_results<Policy, T>(3);
      check_refused<std::invalid_argument>(
          [&] { return apsp::floyd_warshall(Policy::policy(), graph, values, semiring); }, why);
      BOOST_CHECK(holds_only(values));
    });
  };
  refused(apsp::max_times<double>{}, 1.5, "2 -> 1 has a weight that the semiring does not");
  refused(apsp::max_times<float>{}, -0.5, "2 -> 1 has a weight that the semiring does not");
  refused(apsp::max_times<std::int32_t>{}, 2, "does not admit");
  refused(apsp::max_min<float>{}, std::numeric_limits<double>::quiet_NaN(), "NaN");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_very_different_sizes, Policy, policies) {
  // Rounding must not turn an arc into an improbable vertex into a good one.
  using S = apsp::max_times<double>;
  random_numbers random(41);
  for (int trial = 0; trial < 50; ++trial) {
    const auto some = [&] { return 0.3 + 0.6 * static_cast<double>(random(0, 999999)) / 1e6; };
    const arc_list<double> arcs{
        5, {0, 2, 1, 3, 0}, {2, 1, 3, 4, 4}, {some(), some(), some(), 1e-20, 1e-35}};
    apsp::matrix<double> values(5);
    apsp::matrix<std::int32_t> predecessors(5);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().prefer_fewest_edges(), arcs.view(), values,
                                       predecessors, S{}));
    BOOST_REQUIRE_EQUAL(predecessors[0][4], 3);
    BOOST_REQUIRE(apsp::repeated_squaring(Policy::policy().prefer_fewest_edges(), arcs.view(),
                                          values, predecessors, S{}));
    BOOST_REQUIRE_EQUAL(predecessors[0][4], 3);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, Policy, in_places<policies>) {
  const auto check = []<class S>(S semiring, auto limit, auto is_beyond) {
    using T = typename S::value_type;
    const auto arcs = semiring_graph<S>(60, 0.1, 3);
    auto expected = best_values<S>(arcs);
    for (std::size_t u = 0; u < arcs.n; ++u) {
      for (std::size_t v = 0; v < arcs.n; ++v) {
        if (u != v && is_beyond(expected[u][v])) expected[u][v] = S::zero;
      }
    }
    const auto check_in = [&](const auto& graph) {
      const auto policy = Policy::policy().cutoff(limit);
      auto d = wrong_results<Policy, T>(arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d, semiring));
      check_values<S>(expected, to_host(d));
      d = wrong_results<Policy, T>(arcs.n);
      auto p = wrong_results<Policy, std::int32_t>(arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d, p, semiring));
      check_values<S>(expected, to_host(d));
      check_paths<S>(arcs, to_host(d), to_host(p));
    };
    Policy::graphs::in_all_forms(arcs, check_in, is_better<S>{});
  };
  check(apsp::max_min<std::int32_t>{}, 100, [](std::int32_t x) { return x < 100; });
  check(apsp::min_max<float>{}, 50.5, [](float x) { return x > 50.5F; });
  check(apsp::max_times<double>{}, 0.25, [](double x) { return x < 0.25; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, in_places<policies>) {
  using S = apsp::min_max<std::int64_t>;
  const auto arcs = semiring_graph<S>(200, 0.05, 2);
  Policy::graphs::in_one_form(arcs, [&](const auto& graph) {
    auto d = wrong_results<Policy, std::int64_t>(arcs.n);
    const auto solve = [&](const auto& policy) {
      return apsp::floyd_warshall(policy, graph, d, S{});
    };
    check_progress(Policy::policy(), arcs.n, solve);
    check_values<S>(best_values<S>(arcs), to_host(d));
    check_stopped_before(Policy::policy(), solve);
  });
}

namespace {

/// Shortest paths by (length, edges): values that are pairs, with a constant that is not static.
struct length_and_edges {
  struct value_type {
    std::int32_t length;
    std::int32_t edges;
    friend bool operator==(const value_type&, const value_type&) = default;
  };
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  value_type zero{(std::numeric_limits<std::int32_t>::max)() / 2, 0};
  static constexpr value_type one{0, 0};
  value_type plus(const value_type& a, const value_type& b) const {
    if (a.length != b.length) return b.length < a.length ? b : a;
    return b.edges < a.edges ? b : a;
  }
  value_type times(const value_type& a, const value_type& b) const {
    if (a == zero || b == zero) return zero;
    return {a.length + b.length, a.edges + b.edges};
  }
};

}  // namespace

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(sets_of_the_user, Policy, policies) {
  random_numbers random(7);
  arc_list<std::uint32_t> arcs{90, {}, {}, {}};
  for (std::size_t k = 0; k < 400; ++k) {
    arcs.add(random.index(90), random.index(90),
             static_cast<std::uint32_t>(random.below(0xffffffffu)));
  }
  apsp::matrix<std::uint32_t> values(90);
  const auto done = apsp::floyd_warshall(Policy::policy(), arcs.view(), values, kinds_of_traffic{});
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.fallback_reason().empty(), Policy::expected == done.executed_on());
  apsp::matrix<std::uint32_t> squared(90);
  BOOST_REQUIRE(
      apsp::repeated_squaring(Policy::policy(), arcs.view(), squared, kinds_of_traffic{}));
  BOOST_CHECK(values == squared);
  // One kind at a time, the problem is reachability.
  for (int bit = 0; bit < 32; bit += 5) {
    arc_list<std::int32_t> with_bit{90, {}, {}, {}};
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      if ((arcs.weights[k] >> bit & 1u) != 0) {
        with_bit.add(static_cast<std::size_t>(arcs.sources[k]),
                     static_cast<std::size_t>(arcs.targets[k]), 1);
      }
    }
    const auto reachable = best_values<apsp::max_min<std::int32_t>>(with_bit);
    for (std::size_t u = 0; u < 90; ++u) {
      for (std::size_t v = 0; v < 90; ++v) {
        BOOST_REQUIRE_EQUAL((values[u][v] >> bit & 1u) != 0, reachable[u][v] > 0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(pairs_of_the_user, Policy, policies) {
  using pair = length_and_edges::value_type;
  const auto lengths = random_graph<std::int32_t>(80, 0.1, 0, 3, 9);
  arc_list<pair> arcs{lengths.n, lengths.sources, lengths.targets, {}};
  arc_list<std::int32_t> scaled = lengths;
  for (std::int32_t& w : scaled.weights) {
    arcs.weights.push_back({w, 1});
    w = w * 1000 + 1;
  }
  const auto expected = best_values<apsp::min_plus<std::int32_t>>(scaled);
  apsp::matrix<pair> values(arcs.n);
  apsp::matrix<std::int32_t> predecessors(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), arcs.view(), values, predecessors,
                                     length_and_edges{}));
  for (std::size_t u = 0; u < arcs.n; ++u) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      if (expected[u][v] == apsp::unreachable<std::int32_t>) {
        BOOST_REQUIRE(values[u][v] == length_and_edges{}.zero);
        BOOST_REQUIRE(apsp::path(predecessors, u, v).empty());
        continue;
      }
      BOOST_REQUIRE_EQUAL(values[u][v].length, expected[u][v] / 1000);
      BOOST_REQUIRE_EQUAL(values[u][v].edges, expected[u][v] % 1000);
      BOOST_REQUIRE_EQUAL(apsp::path(predecessors, u, v).size(),
                          static_cast<std::size_t>(values[u][v].edges) + 1);
    }
  }
}
#endif
