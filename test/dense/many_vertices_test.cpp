// SPDX-License-Identifier: BSL-1.0
// Compares Floyd–Warshall to Boost's Dijkstra from some sources, for sizes at which a device uses
// large tiles and narrower integers.
#define BOOST_TEST_MODULE many_vertices
#include <boost/test/unit_test.hpp>

#include <apsp/boost_graph.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

#ifdef APSP_TEST_ON_DEVICE
using policy = required_cuda_tiled;
// From this size on a device uses large tiles.
constexpr std::size_t many = 2560;
// From this size on, bounds as floats decide which entries of 64 bits are computed, and blocks of
// pivots of other types are largest.
constexpr std::size_t bounded = 6144;
// From this size on, rows are relaxed in strips at the end.
constexpr std::size_t in_strips = 3072;
#else
// The host has no large tiles, so a smaller size suffices.
using policy = omp;
constexpr std::size_t many = 160;
constexpr std::size_t bounded = many;
constexpr std::size_t in_strips = many;
#endif
#if defined(APSP_LONG_TESTS) || !defined(APSP_TEST_ON_DEVICE)
constexpr bool are_all_combined = true;
#else
constexpr bool are_all_combined = false;
#endif
using integers = std::tuple<std::int32_t, std::int64_t>;
using types_of_64_bits = std::tuple<double, std::int64_t>;

template <class T>
void check_some_rows(const arc_list<T>& arcs) {
  apsp::matrix<T> distances(arcs.n, arcs.n, T(-7));
  const auto done = apsp::floyd_warshall(policy::policy(), arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == policy::expected);
  BOOST_CHECK(!done.saturated());
  check_some_rows(arcs, distances);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(around_the_tiles, T, weight_types) {
  for (const std::size_t n : {many - 1, many, many + 1, many + 129}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      check_some_rows(ring_and_others<T>(n, true, 8 * n, 1000, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(trees_of_predecessors, T, some_weight_types) {
  // Random arcs, and a chain opposite to the order of the pivots.
  const std::size_t n = many + 40;
  auto arcs = random_graph<T>(n, 0.001, 1, 1000, 29);
  for (std::size_t v = 1; v < n; ++v) arcs.add(v, v - 1, T(1));
  apsp::matrix<T> distances(n);
  apsp::matrix<std::int32_t> predecessors(n);
  BOOST_TEST_CONTEXT("seed = 29") {
    BOOST_REQUIRE(apsp::floyd_warshall(policy::policy(), arcs.view(), distances, predecessors));
    check_some_rows(arcs, distances);
    check_trees<T>(lightest_arcs(arcs), all_vertices(n), distances, predecessors);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_of_every_size, T, integers) {
  // The distances are proved to fit in 16 bits, the 24 bits of float, 31 bits, and the 53 bits of
  // double.
  const std::size_t n = many + 11;
  for (const std::int64_t heaviest : {std::int64_t{100}, std::int64_t{200'000},
                                      std::int64_t{20'000'000}, std::int64_t{20'000'000'000}}) {
    if (heaviest > std::numeric_limits<T>::max() / 40) continue;
    BOOST_TEST_CONTEXT("heaviest = " << heaviest << ", seed = 7") {
      check_some_rows(ring_and_others<T>(n, true, 8 * n, heaviest, 7));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_at_the_limits_of_types, T, integers) {
  for (const T limit : {T{0x7fff}, T{1 << 24}, T{0x3fffffff}}) {
    for (const T length : {T(limit - 1), limit, T(limit + 1)}) {
      BOOST_TEST_CONTEXT("length = " << length) {
        check_some_rows(star<T>(many + 2, T(length / 3), T(length - length / 3)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(distances_that_only_64_bits_hold) {
  // Spokes of ten arcs each: a path from end to end has 20 arcs and a length near 2^53.
  const std::int64_t limit = std::int64_t{1} << 53;
  for (const std::int64_t length : {limit - 1, limit, limit + 1, 20 * (limit / 10)}) {
    const std::size_t spokes = many / 10 + 1;
    const std::size_t arcs_each = 10;
    arc_list<std::int64_t> g{1 + spokes * arcs_each, {}, {}, {}};
    for (std::size_t s = 0; s < spokes; ++s) {
      for (std::size_t a = 0; a < arcs_each; ++a) {
        const std::size_t outer = 1 + s * arcs_each + a;
        const std::size_t inner = a == 0 ? 0 : outer - 1;
        // 20 arcs; one of them has the remainder of the division added.
        const std::int64_t weight = length / 20;
        g.add(outer, inner, weight);
        g.add(inner, outer, a == 0 ? weight + length % 20 : weight);
      }
    }
    BOOST_TEST_CONTEXT("length = " << length) {
      check_some_rows(g);
    }
  }
}

BOOST_AUTO_TEST_CASE(progress_ends_at_the_number_of_vertices) {
  // Padding after the last tile of 64, for integers that are not converted and for double.
  const std::size_t n = many + 1;
  auto arcs = ring_and_others<std::int64_t>(n, true, 4 * n, 1000, 9);
  const auto check = [&] {
    apsp::matrix<std::int64_t> distances(n);
    check_progress(policy::policy(), n, [&](const auto& observed) {
      return apsp::floyd_warshall(observed, arcs.view(), distances);
    });
  };
  for (auto& weight : arcs.weights) weight += 10'000'000'000;
  BOOST_TEST_CONTEXT("heavy, seed = 9") {
    check();
  }
  arcs.n = n;
  arcs.weights.back() = -1;
  BOOST_TEST_CONTEXT("negative, seed = 9") {
    check();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unreachable_vertices, T, integers) {
  const std::size_t n = many + 40;
  // One vertex without incoming arcs, one without outgoing arcs, and an arc too heavy for 16 bits.
  auto arcs = ring_and_others<T>(n - 2, true, 4 * n, 50, 3);
  arcs.n = n;
  arcs.add(n - 2, 5, T{40'000});
  arcs.add(9, n - 1, T{1});
  BOOST_TEST_CONTEXT("nearly all joined, seed = 3") {
    check_some_rows(arcs);
  }
  BOOST_TEST_CONTEXT("two halves, seed = 4") {
    auto half = ring_and_others<T>(n / 2, true, 2 * n, 50, 4);
    const std::size_t size = half.size();
    for (std::size_t k = 0; k < size; ++k) {
      half.add(static_cast<std::size_t>(half.sources[k]) + n / 2,
               static_cast<std::size_t>(half.targets[k]) + n / 2, half.weights[k]);
    }
    half.n = n;
    check_some_rows(half);
  }
  BOOST_TEST_CONTEXT("no arc") {
    check_some_rows(arc_list<T>{n, {}, {}, {}});
  }
}

// A device transfers rows while others are relaxed, but not in a call that is observed.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows_while_others_are_relaxed, T, weight_types) {
  for (const std::size_t n : {in_strips - 1, in_strips, in_strips + 65, in_strips + 1100}) {
    // In 16 bits, in float if T is an integer, and in T. On a device one size has all of them.
    for (const std::int64_t heaviest :
         {std::int64_t{1000}, std::int64_t{200'000}, std::int64_t{20'000'000}}) {
      if (!are_all_combined && n != in_strips + 65 && heaviest != 200'000) continue;
      // All sums are exact.
      if (std::is_same_v<T, float> && heaviest > 200'000) continue;
      BOOST_TEST_CONTEXT("n = " << n << ", heaviest = " << heaviest << ", seed = " << n) {
        // The last three vertices are isolated.
        auto arcs = ring_and_others<T>(n - 3, true, 8 * n, heaviest, n);
        arcs.n = n;
        if (heaviest < 20'000'000) arcs = in_fractions(std::move(arcs), 2);
        apsp::matrix<T> distances(n, n, T(-7));
        BOOST_REQUIRE(apsp::floyd_warshall(policy::policy(), arcs.view(), distances));
        apsp::matrix<T> observed(n, n, T(-7));
        const auto watch = [](std::size_t, std::size_t) {};
        BOOST_REQUIRE(
            apsp::floyd_warshall(policy::policy().progress(watch), arcs.view(), observed));
        BOOST_CHECK(distances == observed);
        check_some_rows(arcs, distances);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_in_128_bits_while_others_are_relaxed) {
  const std::int64_t weight = std::int64_t{1} << 61;
  check_some_rows(star<std::int64_t>(in_strips + 1, weight, weight + 5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(large_blocks_of_pivots, T, weight_types) {
  const std::size_t n = bounded + 365;
  for (const bool is_undirected : {false, true}) {
    for (const std::int64_t heaviest : {std::int64_t{1000}, std::int64_t{20'000'000}}) {
      // All sums are exact.
      if (std::is_same_v<T, float> && heaviest > 1000) continue;
      BOOST_TEST_CONTEXT("undirected: " << is_undirected << ", heaviest = " << heaviest
                                        << ", seed = 11") {
        // Whole numbers would be solved in another type.
        auto arcs = in_fractions(ring_and_others<T>(n, true, 8 * n, heaviest, 11), 2);
        if (is_undirected) arcs = undirected(std::move(arcs));
        apsp::matrix<T> distances(n, n, T(-7));
        const auto done = apsp::floyd_warshall(policy::policy(), arcs.view(), distances);
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.used_symmetry() == is_undirected);
        check_some_rows(arcs, distances);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(long_paths, T, integers) {
  BOOST_TEST_CONTEXT("seed = 5") {
    check_some_rows(ring_and_others<T>(many + 30, false, 0, 9, 5));
    check_some_rows(ring_and_others<T>(many + 30, true, 0, 9000, 5));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_diagonal_that_is_given, T, integers) {
  // A cycle of weight 2 contains the last two vertices; the others are on no cycle.
  const std::size_t n = many + 5;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                        boost::property<boost::edge_weight_t, T>>
      graph(n);
  apsp::matrix<T> distances(n, n, apsp::unreachable<T>);
  for (std::size_t v = 0; v < n; ++v) distances[v][v] = T{50'000};
  for (std::size_t v = 1; v < n; ++v) distances[0][v] = T{1};
  distances[n - 2][n - 1] = distances[n - 1][n - 2] = T{1};
  BOOST_REQUIRE(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy::policy(), graph,
                                                                          distances));
  for (std::size_t v = 0; v + 2 < n; ++v) BOOST_REQUIRE(distances[v][v] == T{50'000});
  BOOST_CHECK(distances[n - 2][n - 2] == T{2} && distances[n - 1][n - 1] == T{2});
  BOOST_CHECK(distances[0][n - 1] == T{1} && distances[1][2] == apsp::unreachable<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(zero_and_negative_weights, T, weight_types) {
  auto arcs = ring_and_others<T>(many + 20, true, 5000, 60, 6);
  for (std::size_t k = 0; k < arcs.size(); k += 3) arcs.weights[k] = T{};
  BOOST_TEST_CONTEXT("seed = 6") {
    check_some_rows(arcs);
  }
  // The new vertex is on no cycle.
  arcs.n += 1;
  arcs.add(arcs.n - 1, 4, T(-3));
  BOOST_TEST_CONTEXT("seed = 6, a negative arc") {
    check_some_rows(arcs);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bounds_as_floats, T, types_of_64_bits) {
  const std::size_t n = bounded + 21;
  constexpr std::int64_t heaviest = 300'000'000'000'000;
  const auto weighted = [&](arc_list<T> arcs) {
    if constexpr (std::is_floating_point_v<T>) {
      // Whole numbers would be solved in another type.
      for (T& weight : arcs.weights) weight /= T(heaviest) / 3;
    }
    return arcs;
  };
  BOOST_TEST_CONTEXT("random arcs, seed = 7") {
    check_some_rows(weighted(ring_and_others<T>(n, true, 20 * n, heaviest, 7)));
  }
  BOOST_TEST_CONTEXT("a path: half of the pairs are unreachable, seed = 8") {
    check_some_rows(weighted(ring_and_others<T>(n, false, 0, heaviest, 8)));
  }
  BOOST_TEST_CONTEXT("a negative arc, seed = 9") {
    // The new vertex is on no cycle.
    auto arcs = weighted(ring_and_others<T>(n, true, n / 8, heaviest, 9));
    arcs.add(arcs.n++, 4, T(-3));
    check_some_rows(arcs);
  }
  BOOST_TEST_CONTEXT("predecessors, seed = 10") {
    const auto arcs = weighted(ring_and_others<T>(n, true, n, heaviest, 10));
    apsp::matrix<T> distances(n);
    apsp::matrix<std::int32_t> predecessors(n);
    BOOST_REQUIRE(apsp::floyd_warshall(policy::policy(), arcs.view(), distances, predecessors));
    check_some_rows(arcs, distances);
  }
}
