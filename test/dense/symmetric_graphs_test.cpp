// SPDX-License-Identifier: BSL-1.0
// Tests of undirected graphs, whose matrices are symmetric, and of graphs that are almost
// symmetric.
#define BOOST_TEST_MODULE symmetric_graphs
#include <boost/test/unit_test.hpp>

#include <apsp/dense.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/unreachable.hpp>
#include <boost/mp11.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/exact_rows.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

// A device relaxes half of a symmetric matrix from 2560 vertices on, the host from 4 tiles of at
// most 256.
#ifdef APSP_TEST_ON_DEVICE
const std::vector<std::size_t> sizes{2559, 2563, 2688, 2700};
constexpr std::size_t fewest_vertices = 2560;
/// Rows that are divided; a device that is listed several times takes as many shares.
struct three_shares : required_cuda_tiled {
  static auto policy() { return apsp::cuda_tiled.devices({0, 0, 0}).required(); }
};
struct all_devices : required_cuda_tiled {
  static auto policy() { return apsp::cuda_tiled.devices(apsp::all_devices).required(); }
};
using first_policy = std::tuple<required_cuda_tiled>;
using other_policies = std::tuple<three_shares, all_devices>;
#else
const std::vector<std::size_t> sizes{150, 1025, 1100};
constexpr std::size_t fewest_vertices = 1000;
using first_policy = std::tuple<omp_3_threads>;
using other_policies = std::tuple<seq>;
#endif

using tested_policies = boost::mp11::mp_append<first_policy, other_policies>;
#ifdef APSP_LONG_TESTS
constexpr bool are_all_combined = true;
template <class Types>
using policies_with = boost::mp11::mp_product<with, tested_policies, Types>;
#else
constexpr bool are_all_combined = false;
template <class Types>
using policies_with = one_with_all<first_policy, other_policies, with, Types>;
#endif
using cases = policies_with<weight_types>;
using some_cases = policies_with<some_weight_types>;
using cases_of_any_type =
    policies_with<std::conditional_t<is_short, std::tuple<std::int32_t>, weight_types>>;
using cases_of_floats = policies_with<std::tuple<float, double>>;

/// A connected graph of n vertices, three that are isolated, and edges of weights up to @p heaviest
/// times
/// @p unit.
template <class T>
arc_list<T> undirected_graph(std::size_t n, std::int64_t heaviest, T unit, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  const std::size_t connected = n - 3;
  for (std::size_t v = 1; v < connected; ++v) {
    g.add_undirected(v, random.index(v), static_cast<T>(random(1, heaviest)) * unit);
  }
  for (std::size_t e = 0; e < 3 * n; ++e) {
    const std::size_t u = random.index(connected);
    const std::size_t v = random.index(connected);
    if (u != v) g.add_undirected(u, v, static_cast<T>(random(0, heaviest)) * unit);
  }
  return g;
}

template <class Matrix>
void check_symmetric(const Matrix& m) {
  for (std::size_t u = 0; u < m.rows(); ++u) {
    for (std::size_t v = 0; v < u; ++v) {
      if (!(m[u][v] == m[v][u])) {
        BOOST_ERROR("entry (" << u << ", " << v << ") is " << m[u][v] << ", but (" << v << ", " << u
                              << ") is " << m[v][u]);
        return;
      }
    }
  }
}

template <class Policy, class T>
apsp::matrix<T> check_solve(const arc_list<T>& arcs, bool is_symmetric) {
  apsp::matrix<T> distances(arcs.n, arcs.n, T(7));
  const auto done = apsp::floyd_warshall(Policy::policy(), arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.used_symmetry(), is_symmetric && arcs.n >= fewest_vertices);
  check_exactly(arcs, distances);
  if (is_symmetric || !is_short) {
    apsp::matrix<T> of_any(arcs.n, arcs.n, T(7));
    const auto as_any =
        apsp::floyd_warshall(Policy::policy().use_symmetry(false), arcs.view(), of_any);
    BOOST_CHECK(!as_any.used_symmetry());
    BOOST_CHECK(of_any == distances);
  }
  const auto entries = dense_form(arcs);
  apsp::matrix<T> of_matrix(arcs.n, arcs.n, T(7));
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), entries, of_matrix));
  BOOST_CHECK(of_matrix == distances);
  return distances;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_are_symmetric, C, cases) {
  using T = typename C::weight;
  for (const std::size_t n : sizes) {
    for (const T unit : units<T>()) {
      // One size has all units.
      if (!are_all_combined && n != sizes[1] && unit != T(1)) continue;
      // All types are solved in 16 bits then.
      if (is_short && n != sizes[1] && !std::is_same_v<T, float>) continue;
      BOOST_TEST_CONTEXT("n = " << n << ", unit = " << unit << ", seed = 71") {
        const auto g = undirected_graph<T>(n, 100, unit, 71);
        check_symmetric(check_solve<C>(g, true));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(squares_of_symmetric_matrices, C, some_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes[1];
  const auto g = undirected_graph<T>(n, 100, T(1), 77);
  BOOST_TEST_CONTEXT("seed = 77") {
    apsp::matrix<T> distances(n, n, T(7));
    const auto done = apsp::repeated_squaring(C::policy(), g.view(), distances);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.used_symmetry());
    check_symmetric(distances);
    check_exactly(g, distances);
    apsp::matrix<T> of_any(n, n, T(7));
    const auto as_any = apsp::repeated_squaring(C::policy().use_symmetry(false), g.view(), of_any);
    BOOST_CHECK(!as_any.used_symmetry());
    BOOST_CHECK(of_any == distances);
    auto changed = g;
    changed.add(n - 1, 0, T(0));
    const auto done_of_changed = apsp::repeated_squaring(C::policy(), changed.view(), distances);
    BOOST_CHECK(!done_of_changed.used_symmetry());
    check_exactly(changed, distances);
  }
}

// Equal except for one arc, which another block of the matrix contains each time.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_arc_differs, C, cases_of_any_type) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  const auto g = undirected_graph<T>(n, 100, T(1), 72);
  const std::vector<std::pair<std::size_t, std::size_t>> places{
      {0, 1}, {1, 0}, {n - 1, 0}, {0, n - 1}, {n - 1, n - 2}, {n / 2, n / 3}, {31, 32}, {64, 63}};
  for (const auto& [u, v] : places) {
    BOOST_TEST_CONTEXT("arc from " << u << " to " << v << ", seed = 72") {
      auto changed = g;
      changed.add(u, v, T(0));
      check_solve<C>(changed, false);
    }
  }
}

namespace {

/// The values of the best paths from a vertex, by relaxing arcs until nothing changes.
template <class S, class T = typename S::value_type>
std::vector<T> best_values(const S& over, const arc_list<T>& arcs, std::size_t source) {
  std::vector<T> best(arcs.n, over.zero);
  best[source] = over.one;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      const T through =
          over.times(best[static_cast<std::size_t>(arcs.sources[k])], arcs.weights[k]);
      T& entry = best[static_cast<std::size_t>(arcs.targets[k])];
      const T better = over.plus(entry, through);
      changed = changed || !(better == entry);
      entry = better;
    }
  }
  return best;
}

template <class Policy, class S, class T = typename S::value_type>
void check_semiring(const arc_list<T>& arcs, bool uses_symmetry = true) {
  const S over{};
  apsp::matrix<T> values(arcs.n, arcs.n, T(7));
  const auto done = apsp::floyd_warshall(Policy::policy(), arcs.view(), values, over);
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.used_symmetry(), uses_symmetry);
  check_symmetric(values);
  for (const std::size_t source : some_vertices(arcs.n)) {
    const auto expected = best_values(over, arcs, source);
    for (std::size_t v = 0; v < arcs.n; ++v) BOOST_REQUIRE(values[source][v] == expected[v]);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(values_over_semirings, Policy, tested_policies) {
  const std::size_t n = sizes.back();
  BOOST_TEST_CONTEXT("seed = 73") {
    const auto f32 = undirected_graph<float>(n, 1000, 1, 73);
    check_semiring<Policy, apsp::max_min<float>>(f32);
    check_semiring<Policy, apsp::min_max<float>>(f32);
    const auto f64 = undirected_graph<double>(n, 1000, 1, 73);
    check_semiring<Policy, apsp::max_min<double>>(f64);
    const auto i32 = undirected_graph<std::int32_t>(n, 1000, 1, 73);
    check_semiring<Policy, apsp::max_min<std::int32_t>>(i32);
    check_semiring<Policy, apsp::min_max<std::int32_t>>(i32);
    const auto i64 = undirected_graph<std::int64_t>(n, 1000, 1, 73);
    check_semiring<Policy, apsp::min_max<std::int64_t>>(i64);
    // Powers of two have exact products.
    auto halves = f32;
    for (float& w : halves.weights) w = w < 500 ? 0.5F : 0.25F;
    check_semiring<Policy, apsp::max_times<float>>(halves);
  }
}

#ifndef APSP_TEST_ON_DEVICE
namespace {

/// The kinds of traffic of `kinds_of_traffic`, with a declaration that the order of edges is
/// unimportant.
struct commutative_kinds : kinds_of_traffic {
  static constexpr bool is_commutative = true;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(values_over_semirings_of_users, Policy, tested_policies) {
  const std::size_t n = sizes.back();
  BOOST_TEST_CONTEXT("seed = 78") {
    auto arcs = undirected_graph<std::uint32_t>(n, 1'000'000, 1, 78);
    for (std::uint32_t& kinds : arcs.weights) kinds *= 4099;
    check_semiring<Policy, commutative_kinds>(arcs);
    check_semiring<Policy, kinds_of_traffic>(arcs, false);
  }
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(other_requests, C, some_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  const auto g = undirected_graph<T>(n, 100, T(1), 75);
  BOOST_TEST_CONTEXT("seed = 75") {
    const auto distances = check_solve<C>(g, true);

    constexpr T limit = 120;
    apsp::matrix<T> near(n, n, T(7));
    const auto cut = apsp::floyd_warshall(C::policy().cutoff(limit), g.view(), near);
    BOOST_CHECK(cut.used_symmetry());
    auto expected = distances;
    for (T& d : expected) d = d <= limit ? d : apsp::unreachable<T>;
    BOOST_CHECK(near == expected);

    // Rows with gaps.
    const std::size_t pitch = n + 5;
    std::vector<T> storage(n * pitch, T(7));
    apsp::matrix_view<T> rows(storage.data(), n, n, pitch);
    BOOST_CHECK(apsp::floyd_warshall(C::policy(), g.view(), rows).used_symmetry());
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        if (!(rows(u, v) == distances(u, v))) {
          BOOST_FAIL("entry (" << u << ", " << v << ") of rows with gaps differs");
        }
      }
      BOOST_REQUIRE(storage[u * pitch + n] == T(7));
    }

    check_stops_between(C::policy(), n, [&](const auto& policy) {
      return apsp::floyd_warshall(policy, g.view(), near);
    });
  }
}

// Both halves are relaxed in the same order, so rounding keeps the matrix symmetric.
BOOST_AUTO_TEST_CASE_TEMPLATE(rounded_sums, C, cases_of_floats) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  const auto g = undirected_graph<T>(n, 1000, T(0.1), 76);
  apsp::matrix<T> distances(n, n, T(7));
  apsp::matrix<T> of_any(n, n, T(7));
  BOOST_TEST_CONTEXT("seed = 76") {
    BOOST_CHECK(apsp::floyd_warshall(C::policy(), g.view(), distances).used_symmetry());
    BOOST_REQUIRE(apsp::floyd_warshall(C::policy().use_symmetry(false), g.view(), of_any));
    check_symmetric(distances);
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        const T d = distances(u, v);
        const T other = of_any(u, v);
        const bool is_close = d == other || std::abs(d - other) <= T(1e-5) * other;
        if (!is_close)
          BOOST_FAIL("distance (" << u << ", " << v << ") is " << d << ", not " << other);
      }
    }
  }
}

// Every edge of negative weight is a negative cycle.
BOOST_AUTO_TEST_CASE_TEMPLATE(negative_edges, C, some_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  auto g = undirected_graph<T>(n, 100, T(1), 74);
  g.add_undirected(5, n / 2, T(-1));
  apsp::matrix<T> distances(n, n, T(7));
  const auto done = apsp::floyd_warshall(C::policy(), g.view(), distances);
  BOOST_REQUIRE(!done);
  BOOST_CHECK(!done.used_symmetry());
  BOOST_CHECK(!done.negative_cycle().empty());
}
