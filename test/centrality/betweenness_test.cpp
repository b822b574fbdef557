// SPDX-License-Identifier: BSL-1.0
// Betweenness and numbers of shortest paths, compared to sums over all pairs of the shares of
// counted paths, and to Boost's algorithm: policies x types x options, graphs with many paths of
// equal length, parallel arcs, self-loops, and weights of 0 or below. Weights are whole multiples
// of a unit that floating-point types represent.
#define BOOST_TEST_MODULE betweenness
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/adjacency_lists.hpp>
#include <apsp/betweenness.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "expected_paths.hpp"

using namespace apsp_test;

namespace {

/// Checks all forms of a call.
/// @param graph  the arcs of @p g in the same order.
template <class T, class Policy, class Graph>
void check_betweenness(const Policy& policy, const arc_list<T>& g, const Graph& graph,
                       const list& sources, const apsp::betweenness_options& options = {},
                       std::optional<wide_t<T>> limit = std::nullopt) {
  const all_paths<T> paths(g, options.merge_parallel, limit);
  for (const bool from_all : {false, true}) {
    const list from = from_all ? all_vertices(g.n) : sources;
    const auto of_vertices = paths.vertex_scores(from, options);
    std::vector<double> scores(g.n, nothing);
    std::vector<double> beside(g.n, nothing);
    std::vector<double> of_arcs(g.size(), nothing);
    if (from_all) {
      BOOST_REQUIRE(apsp::betweenness(policy, graph, scores, options));
      BOOST_REQUIRE(apsp::betweenness(policy, graph, beside, of_arcs, options));
    } else {
      BOOST_REQUIRE(apsp::betweenness(policy, graph, sources, scores, options));
      BOOST_REQUIRE(apsp::betweenness(policy, graph, sources, beside, of_arcs, options));
    }
    check_scores(scores, of_vertices, "vertex");
    check_scores(beside, of_vertices, "vertex");
    check_scores(of_arcs, paths.arc_scores(from, options), "arc");
  }
}
template <class T, class Policy>
void check_betweenness(const Policy& policy, const arc_list<T>& g, const list& sources,
                       const apsp::betweenness_options& options = {}) {
  check_betweenness(policy, g, g.view(), sources, options);
}

template <class T, class Count = std::int64_t, class Policy>
void check_counts(const Policy& policy, const arc_list<T>& g, const list& sources,
                  bool merge_parallel = false) {
  const all_paths<T> paths(g, merge_parallel);
  apsp::matrix<T> distances(sources.size(), g.n);
  apsp::matrix<Count> counts(sources.size(), g.n);
  apsp::path_count_options options;
  options.merge_parallel = merge_parallel;
  BOOST_REQUIRE(apsp::count_paths(policy, g.view(), sources, distances, counts, options));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t v = 0; v < g.n; ++v) {
      const auto& d = paths.distance(sources[i], v);
      BOOST_REQUIRE(distances[i][v] == (d ? static_cast<T>(*d) : apsp::unreachable<T>));
      BOOST_REQUIRE_EQUAL(counts[i][v], static_cast<Count>(paths.count(sources[i], v)));
    }
  }
}

apsp::path_count_options with_tolerance(double tolerance) {
  apsp::path_count_options options;
  options.tolerance = tolerance;
  return options;
}
apsp::betweenness_options scores_with_tolerance(double tolerance) {
  apsp::betweenness_options options;
  options.tolerance = tolerance;
  return options;
}

/// The scores of vertices and arcs.
template <class Policy, class Graph>
std::pair<std::vector<double>, std::vector<double>> scores_of(
    const Policy& policy, const Graph& g, std::size_t n, std::size_t num_arcs,
    const apsp::betweenness_options& options = {}) {
  std::pair<std::vector<double>, std::vector<double>> scores{n, num_arcs};
  BOOST_REQUIRE(apsp::betweenness(policy, g, scores.first, scores.second, options));
  return scores;
}

/// Checks that all calls from the sources refuse the graph with these words, and that scores stay
/// untouched.
template <class T, class Policy>
void check_refused_graph(const Policy& policy, const arc_list<T>& g, const list& sources,
                         const std::string& words) {
  std::vector<double> scores(g.n, nothing);
  std::vector<double> of_arcs(g.size(), nothing);
  check_refused([&] { return apsp::betweenness(policy, g.view(), sources, scores); }, words);
  check_refused([&] { return apsp::betweenness(policy, g.view(), sources, scores, of_arcs); },
                words);
  BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  BOOST_CHECK(of_arcs == std::vector<double>(g.size(), nothing));
  apsp::matrix<T> distances(sources.size(), g.n);
  apsp::matrix<double> counts(sources.size(), g.n);
  check_refused([&] { return apsp::count_paths(policy, g.view(), sources, distances, counts); },
                words);
}

}  // namespace

// --- Small graphs --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_are_sums_of_shares, Case, policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(11);
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const std::size_t n = seed < 12 ? seed / 4 : 3 + random.index(12);
    const bool zeros = seed % 3 == 1;
    const bool negative = seed % 3 == 2;
    if (negative && std::is_unsigned_v<T>) continue;
    const auto g = random_arcs<T>(n, random.index(4 * n + 1), zeros, negative, seed);
    check_betweenness(Case::policy(), g, some_sources(n, random),
                      some_options(static_cast<unsigned>(random.index(32))));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(paths_are_counted, Case, policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(12);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t n = seed < 8 ? seed / 3 : 3 + random.index(12);
    const auto g =
        random_arcs<T>(n, random.index(4 * n + 1), seed % 3 == 1, seed % 3 == 2, seed + 100);
    check_counts(Case::policy(), g, some_sources(n, random), seed % 4 == 0);
    check_counts<T, double>(Case::policy(), g, all_vertices(n));
  }
}

using other_types = std::tuple<unsigned, short, std::uint64_t, long double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(other_types_are_counted_as_well, T, other_types) {
  random_numbers random(13);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::size_t n = 1 + random.index(12);
    const bool negative = seed % 3 == 2 && !std::is_unsigned_v<T>;
    const auto g = random_arcs<T>(n, random.index(4 * n), seed % 3 == 1, negative, seed + 200);
    const list sources = some_sources(n, random);
    check_betweenness(apsp::seq, g, sources, some_options(static_cast<unsigned>(random.index(32))));
    check_counts<T, short>(apsp::seq, g, sources);
  }
}

BOOST_AUTO_TEST_CASE(all_options_hold_together) {
  const auto g = random_arcs<int>(11, 40, 5);
  for (unsigned bits = 0; bits < 32; ++bits) {
    check_betweenness(apsp::omp.threads(2), g, {4, 2, 4, 7}, some_options(bits));
    check_betweenness(apsp::seq, g, {}, some_options(bits));
    check_betweenness(apsp::seq, g, {3}, some_options(bits));
  }
}

BOOST_AUTO_TEST_CASE(graphs_of_up_to_two_vertices_have_scores) {
  for (unsigned bits = 0; bits < 32; ++bits) {
    const auto options = some_options(bits);
    check_betweenness(apsp::seq, arc_list<float>{0, {}, {}, {}}, {}, options);
    check_betweenness(apsp::seq, arc_list<float>{1, {}, {}, {}}, {0}, options);
    check_betweenness(apsp::seq, make_graph<float>(1, {{0, 0, 1}}), {0, 0}, options);
    check_betweenness(apsp::seq, arc_list<float>{2, {}, {}, {}}, {1}, options);
    check_betweenness(apsp::seq, make_graph<float>(2, {{0, 1, 1}}), {1}, options);
    check_betweenness(apsp::seq, make_graph<float>(2, {{0, 1, 1}, {1, 0, 2}, {0, 1, 1}}), {0, 1},
                      options);
  }
  apsp::matrix<float> distances(0, 0);
  apsp::matrix<int> counts(0, 0);
  const arc_list<float> empty{0, {}, {}, {}};
  BOOST_CHECK(apsp::count_paths(apsp::seq, empty.view(), list{}, distances, counts));
}

BOOST_AUTO_TEST_CASE(parallel_arcs_are_paths_of_their_own_unless_they_are_merged) {
  // Three paths from 0 to 3: two over 1, one over 2. Longer parallel arcs do not count.
  const auto g = make_graph<int>(
      4, {{0, 1, 1}, {0, 1, 1}, {0, 1, 2}, {1, 3, 1}, {0, 2, 1}, {2, 3, 1}, {1, 1, 0}});
  const double third = 1.0 / 3;
  auto [scores, of_arcs] = scores_of(apsp::seq, g.view(), g.n, g.size());
  check_scores(scores, {0, 2 * third, third, 0}, "vertex");
  check_scores(of_arcs, {0.5 + third, 0.5 + third, 0, 1 + 2 * third, 1 + third, 1 + third, 0},
               "arc");
  std::tie(scores, of_arcs) = scores_of(apsp::seq, g.view(), g.n, g.size(), some_options(1));
  check_scores(scores, {0, 0.5, 0.5, 0}, "vertex");
  check_scores(of_arcs, {1.5, 0, 0, 1.5, 1.5, 1.5, 0}, "arc");
}

BOOST_AUTO_TEST_CASE(scores_may_be_float_and_of_any_contiguous_range) {
  const auto g = random_arcs<int>(9, 30, 8);
  const all_paths<int> paths(g);
  const auto expected = paths.vertex_scores(all_vertices(g.n), {});
  std::array<float, 9> scores{};
  std::vector<float> arcs(g.size() + 1, 7);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), scores, std::span(arcs).first(g.size())));
  check_scores(scores, expected, "vertex");
  BOOST_CHECK_EQUAL(arcs.back(), 7);
  std::vector<long double> wide(g.n);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), std::span(wide)));
  for (std::size_t v = 0; v < g.n; ++v) BOOST_CHECK_CLOSE(double(wide[v]), expected[v], 1e-9);
}

// --- Weights that are not above 0 ----------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_of_length_0_are_named, T, weight_types) {
  const auto policy = apsp::omp.threads(3);
  const std::string refused = "apsp: expected no cycle of length 0";
  // Away from the source, through the source, and by a negative weight.
  check_refused_graph(policy, make_graph<T>(4, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}), {0},
                      refused);
  check_refused_graph(policy, make_graph<T>(3, {{0, 1, 0}, {1, 0, 0}, {1, 2, 1}}), {0}, refused);
  check_refused_graph(policy, make_graph<T>(4, {{0, 1, 1}, {1, 2, -2}, {2, 1, 2}, {2, 3, 1}}), {0},
                      refused);
  check_refused_graph(policy, make_graph<T>(3, {{0, 1, -2}, {1, 2, 3}, {2, 0, -1}}), {0, 1, 2},
                      refused);

  const auto message = message_of<std::invalid_argument>([&] {
    const auto g = make_graph<T>(6, {{5, 0, 1}, {0, 4, 1}, {4, 2, 0}, {2, 3, 0}, {3, 4, 0}});
    std::vector<double> scores(g.n);
    return apsp::betweenness(policy, g.view(), list{5}, scores);
  });
  BOOST_CHECK_MESSAGE(contains(message, "4 -> 2 -> 3 -> 4") ||
                          contains(message, "2 -> 3 -> 4 -> 2") ||
                          contains(message, "3 -> 4 -> 2 -> 3"),
                      message);
}

BOOST_AUTO_TEST_CASE(of_long_cycles_some_vertices_are_named) {
  arc_list<int> g{20, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) g.add(v, (v + 1) % g.n, 0);
  check_refused_graph(apsp::seq, g, {3}, " -> ... -> ");
}

BOOST_AUTO_TEST_CASE(cycles_of_length_0_matter_only_where_paths_lead) {
  // From 0 nothing leads to the cycle, and with a cutoff from 3 as well. Self-loops are not on
  // paths.
  const auto g =
      make_graph<int>(5, {{0, 1, 1}, {1, 2, 1}, {0, 0, 0}, {3, 4, 8}, {4, 3, -8}, {2, 2, 0}});
  std::vector<double> scores(g.n);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), list{0}, scores));
  check_scores(scores, {0, 1, 0, 0, 0}, "vertex");
  check_refused_graph(apsp::seq, g, {0, 3}, "4 -> 3");

  const auto far = make_graph<int>(4, {{0, 1, 1}, {1, 2, 5}, {2, 3, 0}, {3, 2, 0}});
  check_refused_graph(apsp::seq, far, {0}, "expected no cycle");
  BOOST_CHECK(
      apsp::betweenness(apsp::seq.cutoff(4), far.view(), list{0}, std::span(scores).first(4)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_are_reported, Case, policies_and_weights) {
  using T = typename Case::weight;
  const auto g = make_graph<T>(4, {{0, 1, 1}, {1, 2, -3}, {2, 1, 2}, {2, 3, 1}});
  std::vector<double> scores(g.n, nothing);
  std::vector<double> of_arcs(g.size(), nothing);
  const auto done = apsp::betweenness(Case::policy(), g.view(), scores, of_arcs);
  BOOST_CHECK(!done);
  check_negative_cycle(g, done.negative_cycle());
  BOOST_CHECK(!apsp::betweenness(Case::policy(), g.view(), list{0}, scores));
  BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  BOOST_CHECK(of_arcs == std::vector<double>(g.size(), nothing));

  apsp::matrix<T> distances(2, g.n, T{7});
  apsp::matrix<double> counts(2, g.n, nothing);
  const auto counted = apsp::count_paths(Case::policy(), g.view(), list{0, 3}, distances, counts);
  BOOST_CHECK(!counted);
  check_negative_cycle(g, counted.negative_cycle());
  for (std::size_t v = 0; v < g.n; ++v) {
    BOOST_CHECK(distances[0][v] == T{7} && distances[1][v] == T{7});
    BOOST_CHECK(counts[0][v] == nothing && counts[1][v] == nothing);
  }
}

// --- Floating-point lengths ----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(rounded_sums_of_equal_lengths_tie) {
  const auto g = make_graph<double>(4, {{0, 1, 0.1}, {1, 3, 0.2}, {0, 3, 0.3}, {3, 2, 1}});
  BOOST_REQUIRE(0.1 + 0.2 > 0.3);
  auto [scores, of_arcs] = scores_of(apsp::seq, g.view(), g.n, g.size());
  check_scores(scores, {0, 1, 0, 2}, "vertex");
  check_scores(of_arcs, {2, 3, 1, 3}, "arc");
  std::tie(scores, of_arcs) =
      scores_of(apsp::seq, g.view(), g.n, g.size(), scores_with_tolerance(0));
  check_scores(scores, {0, 0, 0, 2}, "vertex");
  check_scores(of_arcs, {1, 2, 2, 3}, "arc");

  apsp::matrix<double> distances(1, 4);
  apsp::matrix<int> counts(1, 4);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts));
  BOOST_CHECK_EQUAL(counts[0][2], 2);
  BOOST_REQUIRE(
      apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts, with_tolerance(0)));
  BOOST_CHECK_EQUAL(counts[0][2], 1);
  BOOST_REQUIRE(
      apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts, with_tolerance(1e-15)));
  BOOST_CHECK_EQUAL(counts[0][2], 2);
}

BOOST_AUTO_TEST_CASE(tolerances_are_relative_to_the_length) {
  // One path is longer than the other by a thousandth.
  const auto g = make_graph<double>(4, {{0, 1, 500}, {1, 3, 501}, {0, 2, 500}, {2, 3, 500}});
  apsp::matrix<double> distances(1, 4);
  apsp::matrix<int> counts(1, 4);
  for (const auto& [tolerance, expected] : {std::pair{0.0009, 1}, std::pair{0.0011, 2}}) {
    BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts,
                                    with_tolerance(tolerance)));
    BOOST_CHECK_EQUAL(counts[0][3], expected);
  }
  // Integers are compared exactly.
  const auto exact = converted<int>(g);
  apsp::matrix<int> lengths(1, 4);
  BOOST_REQUIRE(
      apsp::count_paths(apsp::seq, exact.view(), list{0}, lengths, counts, with_tolerance(0.1)));
  BOOST_CHECK_EQUAL(counts[0][3], 1);
}

BOOST_AUTO_TEST_CASE(lengths_of_float_are_added_in_double) {
  // In float both ways are 2^24 long.
  auto g = make_graph<float>(4, {{0, 1, 0x1p24F}, {1, 3, 0.5F}, {0, 2, 0x1p24F}, {2, 3, 0.25F}});
  apsp::matrix<float> distances(1, 4);
  apsp::matrix<int> counts(1, 4);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts));
  BOOST_CHECK_EQUAL(counts[0][3], 1);
  BOOST_CHECK_EQUAL(distances[0][3], 0x1p24F);
  std::vector<float> scores(4);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), scores));
  check_scores(scores, {0, 0, 1, 0}, "vertex");

  // Decimal fractions are rounded to float before they are added.
  g = make_graph<float>(3, {{0, 1, 0.1F}, {1, 2, 0.2F}, {0, 2, 0.3F}});
  distances = apsp::matrix<float>(1, 3);
  counts = apsp::matrix<int>(1, 3);
  for (const auto& [tolerance, expected] : {std::pair{1e-12, 1}, std::pair{1e-6, 2}}) {
    BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts,
                                    with_tolerance(tolerance)));
    BOOST_CHECK_EQUAL(counts[0][2], expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wrong_tolerances_are_refused, T, weight_types) {
  const auto g = make_graph<T>(2, {{0, 1, 1}});
  std::vector<double> scores(2, nothing);
  apsp::matrix<T> distances(1, 2);
  apsp::matrix<int> counts(1, 2, 5);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong :
       {-1e-9, -infinity, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    check_refused(
        [&] {
          return apsp::betweenness(apsp::seq, g.view(), scores, scores_with_tolerance(wrong));
        },
        "expected a finite tolerance of at least 0");
    check_refused(
        [&] {
          return apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts,
                                   with_tolerance(wrong));
        },
        "expected a finite tolerance of at least 0");
  }
  BOOST_CHECK(scores == std::vector<double>(2, nothing));
  BOOST_CHECK(counts[0][1] == 5);
}

// --- Large counts --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(more_paths_than_a_double_holds_have_shares, Case,
                              policies_and_fewer_weights) {
  using T = typename Case::weight;
  for (const std::size_t length : {std::size_t{60}, std::size_t{1022}, std::size_t{1023},
                                   std::size_t{1024}, std::size_t{1100}}) {
    const auto g = diamonds<T>(length);
    // From the first vertex a middle one is on half of the paths to all vertices behind it.
    std::vector<double> scores(g.n);
    std::vector<double> of_arcs(g.size());
    BOOST_REQUIRE(apsp::betweenness(Case::policy(), g.view(), list{0}, scores, of_arcs));
    std::vector<double> expected(g.n);
    std::vector<double> expected_of_arcs(g.size());
    for (std::size_t k = 0; k < length; ++k) {
      const auto behind = static_cast<double>(3 * (length - k) - 2);
      expected[3 * k + 1] = expected[3 * k + 2] = behind / 2;
      expected[3 * k] = k == 0 ? 0 : behind + 2;
      for (std::size_t i = 0; i < 4; ++i) expected_of_arcs[4 * k + i] = behind / 2 + (i % 2 == 0);
    }
    check_scores(scores, expected, "vertex");
    check_scores(of_arcs, expected_of_arcs, "arc");
  }
}

BOOST_AUTO_TEST_CASE(all_pairs_of_a_long_chain_of_diamonds_have_shares) {
  const std::size_t length = 1030;
  const auto g = diamonds<int>(length);
  std::vector<double> scores(g.n);
  BOOST_REQUIRE(apsp::betweenness(apsp::omp, g.view(), scores));
  std::vector<double> expected(g.n);
  for (std::size_t k = 0; k < length; ++k) {
    const auto before = static_cast<double>(3 * k + 1);
    const auto behind = static_cast<double>(3 * (length - k) - 2);
    expected[3 * k + 1] = expected[3 * k + 2] = before * behind / 2;
    expected[3 * k] = (before - 1) * (behind + 2);
  }
  check_scores(scores, expected, "vertex");
}

BOOST_AUTO_TEST_CASE(large_counts_are_rounded_or_refused) {
  const std::size_t length = 1100;
  const auto g = diamonds<int>(length);
  apsp::matrix<int> distances(1, g.n);
  apsp::matrix<double> counts(1, g.n);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts));
  for (std::size_t k = 0; k <= length; ++k) {
    BOOST_REQUIRE(counts[0][3 * k] == std::ldexp(1.0, static_cast<int>(k)));
    BOOST_REQUIRE(distances[0][3 * k] == static_cast<int>(2 * k));
  }
  BOOST_CHECK(counts[0][3 * length] == std::numeric_limits<double>::infinity());
  apsp::matrix<float> narrow(1, g.n);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, narrow));
  BOOST_CHECK(narrow[0][3 * 100] == std::ldexp(1.0F, 100));
  BOOST_CHECK(narrow[0][3 * 200] == std::numeric_limits<float>::infinity());

  const auto refused = [&](std::size_t num_diamonds, auto count, const char* words) {
    const auto chain = diamonds<int>(num_diamonds);
    apsp::matrix<int> d(1, chain.n);
    apsp::matrix<decltype(count)> c(1, chain.n);
    check_refused([&] { return apsp::count_paths(apsp::seq, chain.view(), list{0}, d, c); }, words);
  };
  refused(1100, std::int64_t{}, "does not fit the integers of the result");
  refused(53, std::int64_t{}, "does not fit");
  refused(54, std::int64_t{}, "from vertex 0 to vertex 159");
  refused(64, std::uint64_t{}, "expected a matrix of double");
  refused(31, int{}, "from vertex 0 to vertex 93 does not fit");
  refused(15, short{}, "from vertex 0 to vertex 45 does not fit");
  const auto fits = [&](std::size_t num_diamonds, auto count) {
    const auto chain = diamonds<int>(num_diamonds);
    apsp::matrix<int> d(1, chain.n);
    apsp::matrix<decltype(count)> c(1, chain.n);
    BOOST_REQUIRE(apsp::count_paths(apsp::seq, chain.view(), list{0}, d, c));
    BOOST_CHECK(static_cast<std::int64_t>(c[0][3 * num_diamonds]) == std::int64_t{1}
                                                                         << num_diamonds);
  };
  fits(52, std::int64_t{});
  fits(31, unsigned{});
  fits(30, int{});
  fits(14, short{});
}

// --- Larger graphs -------------------------------------------------------------------------------

namespace {

/// @param most  weights are whole numbers up to this; large ones have no paths of equal length.
arc_list<double> larger_graph(std::size_t n, std::size_t num_arcs, std::int64_t most,
                              std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<double> g{n, {}, {}, {}};
  while (g.size() < num_arcs) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    if (u != v) g.add(u, v, static_cast<double>(random(1, most)));
  }
  return g;
}

}  // namespace

// Whatever the sources reach.
BOOST_AUTO_TEST_CASE(negative_cycles_are_found_without_tolerance) {
  const std::vector<int> from{0, 1, 2, 3}, to{1, 0, 3, 2};
  const std::vector<double> weights{1, 1, 1, -2};
  const apsp::edge_list_view g(4, from, to, weights);
  for (const double tolerance : {0.0, 1e-12}) {
    std::vector<double> scores(4, 42);
    const auto done =
        apsp::betweenness(apsp::seq, g, list{0}, scores, scores_with_tolerance(tolerance));
    BOOST_CHECK(!done.negative_cycle().empty());
    BOOST_CHECK(scores == std::vector<double>(4, 42));
  }
}

BOOST_AUTO_TEST_CASE(scores_that_share_memory) {
  const std::vector<int> from{0, 1, 2}, to{1, 2, 0}, weights{1, 2, 3};
  std::vector<double> scores(3);
  check_refused(
      [&] {
        return apsp::betweenness(apsp::seq, apsp::edge_list_view(3, from, to, weights), scores,
                                 scores);
      },
      "must not share memory");
}

BOOST_AUTO_TEST_CASE(without_tolerance_scores_are_those_of_boost) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto g = larger_graph(20, 120, 15, seed);
    for (double& w : g.weights) w *= 0.1;
    const auto expected = boost_scores<boost::directedS>(g);
    const auto [scores, of_arcs] =
        scores_of(apsp::seq, g.view(), g.n, g.size(), scores_with_tolerance(0));
    BOOST_TEST_CONTEXT("seed " << seed) {
      check_scores(scores, expected.first, "vertex");
      check_scores(of_arcs, expected.second, "arc");
    }
  }
}

// Arcs are dropped if there are many sources.
BOOST_AUTO_TEST_CASE(scores_from_all_are_the_sum_of_those_from_each) {
  const auto g = larger_graph(20, 300, 1000, 1);
  for (const double tolerance : {0.0, 1e-12, 0.05}) {
    const auto options = scores_with_tolerance(tolerance);
    std::vector<double> sum(g.n);
    for (std::size_t v = 0; v < g.n; ++v) {
      std::vector<double> part(g.n);
      BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), list{v}, part, options));
      for (std::size_t i = 0; i < g.n; ++i) sum[i] += part[i];
    }
    check_scores(scores_of(apsp::seq, g.view(), g.n, g.size(), options).first, sum, "vertex");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_larger_graphs_are_those_of_boost, Policy, policies) {
  for (const std::int64_t most : {std::int64_t{1}, std::int64_t{5}, std::int64_t{1} << 30}) {
    for (const std::size_t num_arcs : {std::size_t{150}, std::size_t{700}, std::size_t{4000}}) {
      const auto g = larger_graph(200, num_arcs, most, num_arcs);
      const auto directed = boost_scores<boost::directedS>(g);
      auto [scores, of_arcs] = scores_of(Policy::policy(), g.view(), g.n, g.size());
      check_scores(scores, directed.first, "vertex");
      check_scores(of_arcs, directed.second, "arc");

      // The score of an undirected edge is the sum of those of its arcs.
      arc_list<double> both{g.n, {}, {}, {}};
      for (std::size_t k = 0; k < g.size(); ++k) {
        both.add_undirected(g.from(k), g.to(k), g.weights[k]);
      }
      const auto undirected = boost_scores<boost::undirectedS>(g);
      std::tie(scores, of_arcs) =
          scores_of(Policy::policy(), both.view(), g.n, both.size(), some_options(2));
      check_scores(scores, undirected.first, "vertex");
      std::vector<double> of_edges(g.size());
      for (std::size_t k = 0; k < both.size(); ++k) of_edges[k / 2] += of_arcs[k];
      check_scores(of_edges, undirected.second, "edge");
    }
  }
}

BOOST_AUTO_TEST_CASE(float_and_integers_have_the_scores_of_double) {
  const auto g = larger_graph(200, 1500, 40, 3);
  const auto expected = boost_scores<boost::directedS>(g);
  const auto check = [&](const auto& other) {
    for (const bool is_prepared : {false, true}) {
      std::vector<double> scores(g.n);
      if (is_prepared) {
        const apsp::contraction_hierarchy prepared(apsp::seq, other.view());
        BOOST_REQUIRE(apsp::betweenness(apsp::omp, prepared, scores));
      } else {
        BOOST_REQUIRE(apsp::betweenness(apsp::omp.threads(2), other.view(), scores));
      }
      check_scores(scores, expected.first, "vertex");
    }
  };
  check(converted<float>(g));
  check(converted<int>(g));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_number_of_threads_changes_no_bit, T, weight_types) {
  // A grid, whose lengths are irregular, with few and with many sources.
  random_numbers random(4);
  const std::size_t width = 17;
  arc_list<T> g{width * width, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) {
    const auto w = [&] { return static_cast<T>(static_cast<double>(random(1, 9)) * 0.1 + 1); };
    if (v % width + 1 < width) g.add_undirected(v, v + 1, w());
    if (v + width < g.n) g.add_undirected(v, v + width, w());
  }
  list few;
  for (std::size_t v = 0; v < g.n; v += 19) few.push_back(v);
  for (const list& sources : {few, all_vertices(g.n)}) {
    std::vector<double> expected(g.n);
    std::vector<double> expected_of_arcs(g.size());
    BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), sources, expected, expected_of_arcs));
    for (const int threads : {1, 2, 5}) {
      std::vector<double> scores(g.n);
      std::vector<double> of_arcs(g.size());
      BOOST_REQUIRE(
          apsp::betweenness(apsp::omp.threads(threads), g.view(), sources, scores, of_arcs));
      BOOST_CHECK(scores == expected);
      BOOST_CHECK(of_arcs == expected_of_arcs);
    }
  }
}

BOOST_AUTO_TEST_CASE(sources_of_several_batches_add_up) {
  const auto g = random_arcs<int>(9, 30, 21);
  list sources;
  for (std::size_t k = 0; k < 9000; ++k) sources.push_back(k % 7);
  check_betweenness(apsp::omp.threads(2), g, sources);
  check_counts(apsp::omp.threads(2), g, sources);
}

// --- Graphs --------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(hierarchies_have_the_scores_of_their_graphs, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(31);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t n = 1 + random.index(14);
    // Its arcs are in the order of their sources, without self-loops.
    const auto any = random_arcs<T>(n, 3 * n, seed % 2 == 0, seed % 3 == 0, seed + 300);
    arc_list<T> without_loops{n, {}, {}, {}};
    for (std::size_t k = 0; k < any.size(); ++k) {
      if (any.from(k) != any.to(k)) without_loops.add(any.from(k), any.to(k), any.weights[k]);
    }
    const auto g = to_arcs<T>(in_rows(without_loops));
    const apsp::contraction_hierarchy prepared(apsp::seq, any.view());
    check_betweenness(Case::policy(), g, prepared, some_sources(n, random),
                      some_options(static_cast<unsigned>(random.index(32))));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(longer_paths_than_the_cutoff_do_not_count, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(32);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::size_t n = 4 + random.index(10);
    const auto g = random_arcs<T>(n, 3 * n, seed % 2 == 0, false, seed + 400);
    const double cutoff = static_cast<double>(random(0, 6)) * unit<T>;
    check_betweenness(Case::policy().cutoff(cutoff), g, g.view(), some_sources(n, random), {},
                      static_cast<wide_t<T>>(cutoff));
    apsp::matrix<T> distances(n, n);
    apsp::matrix<int> counts(n, n);
    BOOST_REQUIRE(apsp::count_paths(Case::policy().cutoff(cutoff), g.view(), all_vertices(n),
                                    distances, counts));
    const all_paths<T> paths(g, false, static_cast<wide_t<T>>(cutoff));
    for_each_pair(n, [&](std::size_t u, std::size_t v) {
      BOOST_REQUIRE_EQUAL(counts[u][v], paths.count(u, v));
      BOOST_REQUIRE(paths.distance(u, v).has_value() == (distances[u][v] != apsp::unreachable<T>));
    });
  }
}

BOOST_AUTO_TEST_CASE(scores_of_arcs_are_in_the_order_of_the_arcs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::size_t n = 3 + seed;
    auto g = random_arcs<int>(n, 3 * n, seed + 500);
    g.add(1, 2, apsp::unreachable<int>);
    g.add(0, n - 1, 9);
    check_betweenness(apsp::seq, g, {0, 2});
    check_betweenness(apsp::seq, g,
                      apsp::edges(g.n,
                                  [&] {
                                    std::vector<std::tuple<int, int, int>> arcs;
                                    for (std::size_t k = 0; k < g.size(); ++k) {
                                      arcs.emplace_back(g.sources[k], g.targets[k], g.weights[k]);
                                    }
                                    return arcs;
                                  }()),
                      {0, 2});

    const auto in_order = in_rows(g);
    const auto by_source = to_arcs<int>(in_order);
    check_betweenness(apsp::seq, by_source, in_order.view(), {0, 2});
    const auto backwards = arc_list<int>{g.n, g.targets, g.sources, g.weights};
    check_betweenness(apsp::seq, backwards, apsp::reversed(g.view()), {0, 2});
    check_betweenness(
        apsp::seq, by_source,
        apsp::weighted(in_order.view(),
                       [&](const apsp::edge& e) { return in_order.weights[e.index]; }),
        {0, 2});

    // Of a matrix the entries that are arcs, row by row.
    const auto dense = dense_form(g);
    arc_list<int> entries{g.n, {}, {}, {}};
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      if (dense[u][v] != apsp::unreachable<int>) entries.add(u, v, dense[u][v]);
    });
    check_betweenness(apsp::seq, entries, dense, {0, 2});
  }
}

BOOST_AUTO_TEST_CASE(arcs_of_boost_graphs_are_numbered_by_vertices) {
  using weight = boost::property<boost::edge_weight_t, int>;
  const auto check = [](const auto& graph) {
    // Out-edges of one vertex after the other; an undirected edge is one of both ends.
    arc_list<int> arcs{num_vertices(graph), {}, {}, {}};
    for (std::size_t u = 0; u < arcs.n; ++u) {
      const auto range = out_edges(u, graph);
      for (auto e = range.first; e != range.second; ++e) {
        arcs.add(u, target(*e, graph), get(boost::edge_weight, graph, *e));
      }
    }
    check_betweenness(apsp::seq, arcs, graph, {1, 2});
  };
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto g = random_arcs<int>(8, 20, seed + 600);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, weight>
        directed(g.n);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property,
                          weight>
        bidirectional(g.n);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, weight>
        undirected(g.n);
    for (std::size_t k = 0; k < g.size(); ++k) {
      add_edge(g.from(k), g.to(k), g.weights[k], directed);
      add_edge(g.from(k), g.to(k), g.weights[k], bidirectional);
      add_edge(g.from(k), g.to(k), g.weights[k], undirected);
    }
    check(directed);
    check(bidirectional);
    check(undirected);
  }
}

BOOST_AUTO_TEST_CASE(sources_may_be_vertex_descriptors) {
  using graph = boost::adjacency_list<boost::vecS, boost::listS, boost::undirectedS,
                                      boost::property<boost::vertex_index_t, std::size_t>,
                                      boost::property<boost::edge_weight_t, double>>;
  graph g;
  std::vector<graph::vertex_descriptor> vertices;
  for (std::size_t v = 0; v < 5; ++v) vertices.push_back(add_vertex(v, g));
  arc_list<double> arcs{5, {}, {}, {}};
  for (std::size_t v = 0; v < 5; ++v) {
    add_edge(vertices[v], vertices[(v + 1) % 5], 1.5, g);
    arcs.add_undirected(v, (v + 1) % 5, 1.5);
  }
  add_edge(vertices[1], vertices[4], 3.0, g);
  arcs.add_undirected(1, 4, 3.0);
  const all_paths<double> paths(arcs);
  const std::vector sources{vertices[3], vertices[0], vertices[3]};
  const list numbers{3, 0, 3};
  std::vector<double> scores(5);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, g, sources, scores));
  check_scores(scores, paths.vertex_scores(numbers, {}), "vertex");
  apsp::matrix<double> distances(3, 5);
  apsp::matrix<int> counts(3, 5);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g, sources, distances, counts));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t v = 0; v < 5; ++v) BOOST_CHECK_EQUAL(counts[i][v], paths.count(numbers[i], v));
  }
}

// --- Weights near the limits of their type -------------------------------------------------------

using integers_with_limits = std::tuple<short, unsigned, std::int64_t, std::uint64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(lengths_up_to_the_largest_are_exact, T, integers_with_limits) {
  // Two paths of length `largest`, and one that is longer by 1 and so does not fit.
  const T largest = static_cast<T>(apsp::unreachable<T> - T{1});
  const T half = static_cast<T>(largest / 2);
  const T rest = static_cast<T>(largest - half);
  const auto g = make_graph<T>(5, {{0, 1, half},
                                   {1, 3, rest},
                                   {0, 2, static_cast<T>(half - 1)},
                                   {2, 3, static_cast<T>(rest + 1)},
                                   {0, 4, static_cast<T>(half + 1)},
                                   {4, 3, rest}});
  const std::vector<double> expected{0, 0.5, 0.5, 0, 0};
  std::vector<double> scores(g.n);
  const auto done = apsp::betweenness(apsp::seq, g.view(), scores);
  BOOST_REQUIRE(done);
  BOOST_CHECK(!done.saturated());
  check_scores(scores, expected, "vertex");
  apsp::matrix<T> distances(1, g.n);
  apsp::matrix<int> counts(1, g.n);
  BOOST_REQUIRE(apsp::count_paths(apsp::seq, g.view(), list{0}, distances, counts));
  BOOST_CHECK(distances[0][3] == largest);
  BOOST_CHECK_EQUAL(counts[0][3], 2);

  // Distances that do not fit.
  const auto longer = make_graph<T>(4, {{0, 1, largest}, {1, 2, 1}, {2, 3, 1}});
  scores.assign(longer.n, nothing);
  const auto clamped = apsp::betweenness(apsp::seq, longer.view(), scores);
  BOOST_REQUIRE(clamped);
  BOOST_CHECK(clamped.saturated());
  check_scores(scores, {0, 0, 1, 0}, "vertex");
}

BOOST_AUTO_TEST_CASE(small_and_large_lengths_of_double_are_counted) {
  for (const double scale : {1e-300, 1e-30, 1e30, 1e300}) {
    auto g = random_arcs<double>(10, 40, 77);
    const auto expected = all_paths<double>(g).vertex_scores(all_vertices(g.n), {});
    for (double& w : g.weights) w *= scale;
    std::vector<double> scores(g.n);
    BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), scores));
    check_scores(scores, expected, "vertex");
  }
}

// --- Observation and wrong arguments -------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_report_sources_and_stop, Policy, policies) {
  const auto g = random_arcs<int>(9, 30, 21);
  list sources;
  for (std::size_t k = 0; k < 9000; ++k) sources.push_back(k % 7);
  std::vector<double> scores(g.n, nothing);
  apsp::matrix<int> distances(sources.size(), g.n);
  apsp::matrix<int> counts(sources.size(), g.n);
  const auto score = [&](const auto& policy) {
    return apsp::betweenness(policy, g.view(), sources, scores);
  };
  const auto count = [&](const auto& policy) {
    return apsp::count_paths(policy, g.view(), sources, distances, counts);
  };
  check_stops_between(Policy::policy(), sources.size(), score);
  check_throwing_callback(Policy::policy(), score);
  check_stopped_before(Policy::policy(), score);
  BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  check_watched_and_stopped(Policy::policy(), sources.size(), score);
  check_watched_and_stopped(Policy::policy(), sources.size(), count);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
  const auto g = make_graph<int>(3, {{0, 1, 1}, {1, 2, 1}});
  std::vector<double> scores(3, nothing);
  std::vector<double> of_arcs(2, nothing);
  std::vector<double> wrong(4, nothing);
  const auto refused = [&](auto call, const char* words) {
    check_refused(call, words);
    BOOST_CHECK(scores == std::vector<double>(3, nothing));
    BOOST_CHECK(of_arcs == std::vector<double>(2, nothing));
    BOOST_CHECK(wrong == std::vector<double>(4, nothing));
  };
  refused([&] { return apsp::betweenness(apsp::seq, g.view(), wrong); }, "scores");
  refused([&] { return apsp::betweenness(apsp::seq, g.view(), list{0}, wrong); }, "scores");
  refused([&] { return apsp::betweenness(apsp::seq, g.view(), scores, wrong); },
          "the range of scores of arcs has 4 entries, not 2, one for each arc");
  refused([&] { return apsp::betweenness(apsp::seq, g.view(), list{0}, scores, wrong); },
          "the range of scores of arcs has 4 entries");
  refused([&] { return apsp::betweenness(apsp::seq, g.view(), list{0, 3}, scores, of_arcs); }, "3");
  const auto nan = make_graph<double>(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}});
  check_refused(
      [&] { return apsp::betweenness(apsp::seq, nan.view(), std::span(scores).first(2)); }, "NaN");

  apsp::matrix<int> distances(1, 3, 7);
  apsp::matrix<int> counts(1, 3, 7);
  apsp::matrix<int> other(2, 3, 7);
  const auto count = [&](auto& d, auto& c, const list& sources) {
    return [&d, &c, &g, sources] { return apsp::count_paths(apsp::seq, g.view(), sources, d, c); };
  };
  check_refused(count(other, counts, {0}), "the distance matrix is 2 x 3");
  check_refused(count(distances, other, {0}), "counts");
  check_refused(count(distances, counts, {3}), "3");
  check_refused(count(distances, counts, {0, 1}));
  for (std::size_t v = 0; v < 3; ++v) BOOST_CHECK(distances[0][v] == 7 && counts[0][v] == 7);

  // Scores in the array of the weights.
  auto shared = make_graph<double>(2, {{0, 1, 1}, {1, 0, 1}});
  check_refused([&] { return apsp::betweenness(apsp::seq, shared.view(), shared.weights); });
  check_refused([&] {
    return apsp::betweenness(apsp::seq, shared.view(), std::span(scores).first(2), shared.weights);
  });
}
