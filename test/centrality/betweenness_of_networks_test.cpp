// SPDX-License-Identifier: BSL-1.0
// Betweenness, numbers of paths and predecessors in graphs without small separators, which are
// searched from many sources at once, compared to Boost's algorithms and to sums over all paths:
// policies x weights, with vertices of large degree and without, ties, options, several devices,
// little memory, stops.
#define BOOST_TEST_MODULE betweenness_of_networks
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/predecessor_lists.hpp>
#include <apsp/tight_predecessors.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "expected_paths.hpp"

using namespace apsp_test;

namespace {

/// Arcs between random vertices, half of which end at one of a few.
/// @param largest  weights are multiples of a quarter, or whole, from 1 on.
template <class T>
arc_list<T> network(std::size_t n, std::size_t num_arcs, std::int64_t largest, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t k = 0; k < num_arcs; ++k) {
    const std::size_t v = random.chance(0.5) ? random.index(n) : random.index(n / 20 + 1);
    const auto whole = static_cast<double>(random(1, largest));
    g.add(random.index(n), v, static_cast<T>(std::is_integral_v<T> ? whole : whole / 4));
  }
  return g;
}

struct scores {
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;
};

template <class Policy, class T>
scores scores_of(const Policy& policy, const arc_list<T>& g, const list& sources,
                 const apsp::betweenness_options& options = {}) {
  scores found{std::vector<double>(g.n, nothing), std::vector<double>(g.size(), nothing)};
  const auto done =
      apsp::betweenness(policy, g.view(), sources, found.of_vertices, found.of_arcs, options);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::bellman_ford);
  return found;
}

list all_sources(std::size_t n) {
  list sources(n);
  for (std::size_t v = 0; v < n; ++v) sources[v] = v;
  return sources;
}

using weights = std::tuple<std::int32_t, float, double, std::int64_t, std::uint16_t>;
template <class P, class W>
struct combination {
  using policy = P;
  using weight = W;
};
using cases = boost::mp11::mp_product<combination, policies, weights>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_pairs, C, cases) {
  using T = typename C::weight;
  for (const std::size_t n : {70, 300}) {
    for (const std::int64_t largest : {1, 3, 50}) {
      const std::uint64_t seed = 100 * n + static_cast<std::uint64_t>(largest);
      BOOST_TEST_CONTEXT(n << " vertices, weights up to " << largest << ", seed " << seed) {
        const auto g = network<T>(n, 6 * n, largest, seed);
        const auto [of_vertices, of_arcs] = boost_scores<boost::directedS>(g);
        const auto found = scores_of(C::policy::policy(), g, all_sources(n));
        check_scores(found.of_vertices, of_vertices, "vertex", 1e-9);
        check_scores(found.of_arcs, of_arcs, "arc", 1e-9);
      }
    }
  }
}

// Sources that are given twice count twice; parallel arcs; self-loops; unreachable vertices.
BOOST_AUTO_TEST_CASE_TEMPLATE(options_and_counts, C, cases) {
  using T = typename C::weight;
  for (unsigned bits = 0; bits < 32; bits += is_short ? 7 : 1) {
    const std::uint64_t seed = 7000 + bits;
    random_numbers random(seed);
    BOOST_TEST_CONTEXT("options " << bits << ", seed " << seed) {
      const auto g = random_arcs<T>(40, 90 + 10 * bits, seed);
      list sources;
      for (int k = 0; k < 70; ++k) sources.push_back(random.index(g.n));
      const auto options = some_options(bits);
      const all_paths<T> expected(g, options.merge_parallel);
      const auto found = scores_of(C::policy::policy(), g, sources, options);
      check_scores(found.of_vertices, expected.vertex_scores(sources, options), "vertex", 1e-9);
      check_scores(found.of_arcs, expected.arc_scores(sources, options), "arc", 1e-9);
      std::vector<T> lengths(sources.size() * g.n);
      std::vector<double> counts(sources.size() * g.n);
      const apsp::matrix_view<T> distances(lengths.data(), sources.size(), g.n);
      const apsp::matrix_view<double> numbers(counts.data(), sources.size(), g.n);
      BOOST_REQUIRE(apsp::count_paths(C::policy::policy(), g.view(), sources, distances, numbers,
                                      {.merge_parallel = options.merge_parallel}));
      for (std::size_t row = 0; row < sources.size(); ++row) {
        for (std::size_t v = 0; v < g.n; ++v) {
          const auto& length = expected.distance(sources[row], v);
          const T expected_length = length ? static_cast<T>(*length) : apsp::unreachable<T>;
          BOOST_REQUIRE_EQUAL(distances[row][v], expected_length);
          BOOST_REQUIRE_EQUAL(numbers[row][v], expected.count(sources[row], v));
        }
      }
    }
  }
}

// All predecessors, with sources that are given twice, parallel arcs, self-loops and unreachable
// vertices.
BOOST_AUTO_TEST_CASE_TEMPLATE(all_predecessors, C, cases) {
  using T = typename C::weight;
  using wide = wide_t<T>;
  for (const std::int64_t largest : {1, 3, 50}) {
    const std::uint64_t seed = 9000 + static_cast<std::uint64_t>(largest);
    BOOST_TEST_CONTEXT("weights up to " << largest << ", seed " << seed) {
      const auto g = network<T>(130, 600, largest, seed);
      random_numbers random(seed);
      list sources;
      for (int k = 0; k < 150; ++k) sources.push_back(random.index(g.n));
      const wide_rows<T> rows = *oracle_rows(g, sources);
      std::vector<int> num_calls(sources.size());
      const auto take = [&](std::size_t row, std::size_t source, std::span<const T> distances,
                            const apsp::predecessor_lists_view& found) {
        ++num_calls.at(row);
        BOOST_REQUIRE_EQUAL(source, sources[row]);
        BOOST_REQUIRE_EQUAL(found.source(), source);
        BOOST_REQUIRE_EQUAL(found.size(), g.n);
        std::vector<std::set<std::int32_t>> expected(g.n);
        const auto length = [&](std::size_t v) { return rows[row][v]; };
        for (std::size_t k = 0; k < g.size(); ++k) {
          const std::size_t u = g.from(k);
          const std::size_t v = g.to(k);
          if (v == source || length(u) == wide_unreachable<T>) continue;
          if (length(u) + static_cast<wide>(g.weights[k]) == length(v)) {
            expected[v].insert(static_cast<std::int32_t>(u));
          }
        }
        for (std::size_t v = 0; v < g.n; ++v) {
          BOOST_REQUIRE(same_distance<T>(distances[v], length(v)));
          BOOST_REQUIRE(std::ranges::equal(found[v], expected[v]));
        }
      };
      const auto done = apsp::tight_predecessors(C::policy::policy(), g.view(), sources, take);
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.algorithm() == apsp::algorithm::bellman_ford);
      BOOST_CHECK(std::ranges::all_of(num_calls, [](int count) { return count == 1; }));
    }
  }
}

// A function that throws ends the call, and no other call of it follows.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_function_that_throws, P, policies) {
  const auto g = network<std::int32_t>(130, 600, 9, 61);
  int num_calls = 0;
  const auto take = [&](std::size_t, std::size_t, std::span<const std::int32_t>,
                        const apsp::predecessor_lists_view&) {
    if (++num_calls == 3) throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(
      std::ignore = apsp::tight_predecessors(P::policy(), g.view(), all_sources(g.n), take),
      std::runtime_error);
  BOOST_CHECK_EQUAL(num_calls, 3);
}

// Lengths that differ by rounding alone tie, unless the tolerance is 0.
BOOST_AUTO_TEST_CASE_TEMPLATE(tolerances, P, policies) {
  arc_list<double> g{5, {}, {}, {}};
  g.add(0, 1, 0.1);
  g.add(1, 3, 0.2);
  g.add(0, 2, 0.15);
  g.add(2, 3, 0.15);
  g.add(3, 4, 1);
  const list sources(64, 0);
  for (const bool is_exact : {false, true}) {
    std::vector<double> lengths(sources.size() * g.n);
    std::vector<double> counts(sources.size() * g.n);
    const apsp::matrix_view<double> distances(lengths.data(), sources.size(), g.n);
    const apsp::matrix_view<double> numbers(counts.data(), sources.size(), g.n);
    apsp::path_count_options options;
    if (is_exact) options.tolerance = 0;
    BOOST_REQUIRE(apsp::count_paths(P::policy(), g.view(), sources, distances, numbers, options));
    for (std::size_t row = 0; row < sources.size(); ++row) {
      BOOST_REQUIRE_EQUAL(numbers[row][4], is_exact ? 1 : 2);
    }
  }
}

// Numbers of paths of which no product fits a double.
BOOST_AUTO_TEST_CASE_TEMPLATE(too_many_paths, P, policies) {
  const auto g = diamonds<std::int32_t>(1100);
  const list sources(100, 0);
  std::vector<double> found(g.n);
  BOOST_REQUIRE(apsp::betweenness(P::policy(), g.view(), sources, found));
  for (std::size_t v = 1; v < g.n; ++v) {
    const auto behind = static_cast<double>(g.n - 1 - (v + 2) / 3 * 3);
    const double expected = 100 * (v % 3 == 0 ? behind : (behind + 1) / 2);
    BOOST_REQUIRE_MESSAGE(std::abs(found[v] - expected) <= 1e-9 * (1 + expected),
                          "vertex " << v << " has " << found[v] << ", not " << expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, P, policies) {
  const auto g = network<std::int32_t>(300, 2000, 50, 31);
  std::vector<double> found(g.n);
  const auto call = [&](const auto& policy) { return apsp::betweenness(policy, g.view(), found); };
  check_progress(P::policy(), g.n, call);
  std::fill(found.begin(), found.end(), nothing);
  check_stopped_before(P::policy(), call);
  BOOST_CHECK(std::all_of(found.begin(), found.end(), [](double x) { return x == nothing; }));
}

#ifdef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE_TEMPLATE(the_same_bits_on_several_devices, P, policies) {
  const auto g = network<double>(400, 3000, 7, 41);
  const auto one = scores_of(P::policy().device(0), g, all_sources(g.n));
  const auto all = scores_of(P::policy().devices(apsp::all_devices), g, all_sources(g.n));
  BOOST_CHECK(one.of_vertices == all.of_vertices);
  BOOST_CHECK(one.of_arcs == all.of_arcs);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, P, policies) {
  using namespace apsp::literals;
  const auto g = network<std::int32_t>(400, 3000, 9, 51);
  const auto expected = scores_of(P::policy(), g, all_sources(g.n));
  const auto found = scores_of(P::policy().memory_limit(4_MiB), g, all_sources(g.n));
  BOOST_CHECK(found.of_vertices == expected.of_vertices);
  // Searches without counts need less memory, but some.
  std::vector<double> searched(g.n);
  try {
    BOOST_REQUIRE(apsp::betweenness(P::policy().memory_limit(250_KiB), g.view(), searched));
    check_scores(searched, expected.of_vertices, "vertex", 1e-9);
  } catch (const apsp::device_error&) {
    BOOST_CHECK(std::all_of(searched.begin(), searched.end(), [](double x) { return x == 0; }));
  }
}

#endif
