// SPDX-License-Identifier: BSL-1.0
// Tests of predecessors of graphs of many vertices: sparse and dense ones, undirected ones, and
// weights of every size. A device finds predecessors in more than one way.
#define BOOST_TEST_MODULE predecessors
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/unreachable.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../common/exact_rows.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

#ifdef APSP_TEST_ON_DEVICE
const std::vector<std::size_t> sizes{1, 2, 63, 65, 129, 700, 2559, 2563, 2700};
using tested_policies = std::tuple<required_cuda_tiled, required_cuda_naive>;
using tiled_policies = std::tuple<required_cuda_tiled>;
// From this size on, half of a symmetric matrix is relaxed.
constexpr std::size_t fewest_symmetric = 2560;
#else
#ifdef APSP_LONG_TESTS
const std::vector<std::size_t> sizes{1, 2, 65, 300, 1100};
using tested_policies = std::tuple<seq, omp_3_threads>;
#else
const std::vector<std::size_t> sizes{1, 2, 65, 300, 1025};
using tested_policies = std::tuple<omp_3_threads>;
#endif
using tiled_policies = tested_policies;
constexpr std::size_t fewest_symmetric = 1000;
#endif

using first_policy = std::tuple<boost::mp11::mp_front<tested_policies>>;
#ifdef APSP_LONG_TESTS
using cases = boost::mp11::mp_product<with, tested_policies, weight_types>;
#else
using cases = one_with_all<first_policy, boost::mp11::mp_rest<tested_policies>, with, weight_types>;
#endif
using tiled_cases = boost::mp11::mp_product<with, tiled_policies, weight_types>;
using some_tiled_cases = boost::mp11::mp_product<with, tiled_policies, some_weight_types>;

struct graph_kind {
  const char* name;
  std::size_t arcs_per_vertex;
  bool is_undirected;
  bool has_hub;  ///< Arcs from all vertices to one of them, and from it to all others.
  bool has_zero_weight;
};

/// The last vertex has no arcs, and one vertex has a loop.
template <class T>
arc_list<T> graph_of(const graph_kind& kind, std::size_t n, T unit, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  if (n < 3) return g;
  const std::size_t connected = n - 1;
  const auto weight = [&](std::int64_t least, std::int64_t most) {
    return static_cast<T>(random(least, most)) * unit;
  };
  const auto add = [&](std::size_t u, std::size_t v, T w) {
    g.add(u, v, w);
    if (kind.is_undirected) g.add(v, u, w);
  };
  for (std::size_t e = 0; e < kind.arcs_per_vertex * n; ++e) {
    const std::size_t u = random.index(connected);
    const std::size_t v = random.index(connected);
    add(u, v, weight(1, 100));
    if (e % 16 == 0) add(u, v, weight(1, 100));  // a parallel arc
  }
  if (kind.has_hub) {
    const std::size_t hub = n / 2;
    for (std::size_t v = 0; v < connected; ++v) {
      g.add(v, hub, weight(20, 40));
      if (v % 3 == 0) g.add(hub, v, weight(1, 60));
    }
  }
  if (kind.has_zero_weight) add(0, connected / 2, T{});
  return g;
}

/// Every predecessor, of some rows if there are many, is the source of an arc that ends a shortest
/// path, and every reachable vertex but the source has one. With positive weights the predecessors
/// of a row are then a tree.
template <class T>
void check_last_arcs(const arc_list<T>& arcs, const apsp::matrix<T>& distances,
                     const apsp::matrix<std::int32_t>& predecessors) {
  const auto weights = dense_form(arcs);
  const std::size_t step = is_short && arcs.n > 1000 ? 5 : 1;
  for (std::size_t u = 0; u < arcs.n; u += step) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      const std::int32_t p = predecessors(u, v);
      const T distance = distances(u, v);
      bool is_right = p == -1;
      if (u != v && distance != apsp::unreachable<T>) {
        is_right = p >= 0 && static_cast<std::size_t>(p) < arcs.n;
        if (is_right) {
          const auto before = static_cast<std::size_t>(p);
          is_right = before != v && weights(before, v) != apsp::unreachable<T> &&
                     distances(u, before) != apsp::unreachable<T> &&
                     distances(u, before) + weights(before, v) == distance;
        }
      }
      if (!is_right) {
        BOOST_ERROR("predecessor (" << u << ", " << v << ") is " << p << " at distance "
                                    << distance);
        return;
      }
    }
  }
}

template <class Policy, class T>
void check_predecessors(const Policy& policy, const arc_list<T>& arcs, bool uses_symmetry) {
  apsp::matrix<T> distances(arcs.n, arcs.n, T(7));
  apsp::matrix<std::int32_t> predecessors(arcs.n, arcs.n, 7);
  const auto done = apsp::floyd_warshall(policy, arcs.view(), distances, predecessors);
  BOOST_REQUIRE(done);
  check_exactly(arcs, distances);
  check_last_arcs(arcs, distances, predecessors);
  BOOST_CHECK_EQUAL(done.used_symmetry(), uses_symmetry);
}

constexpr graph_kind sparse{"sparse", 4, false, false, false};
constexpr graph_kind undirected{"undirected", 4, true, false, false};
constexpr graph_kind with_hub{"with a hub", 3, false, true, false};
constexpr graph_kind dense{"dense", 60, false, false, false};
constexpr graph_kind with_zero{"with a weight of zero", 4, false, false, true};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(small_graphs, C, cases) {
  using T = typename C::weight;
  for (const std::size_t n : sizes) {
    if (n > 1000) continue;
    for (const graph_kind& kind : {sparse, undirected, with_hub, dense}) {
      BOOST_TEST_CONTEXT(kind.name << ", n = " << n << ", seed = 81") {
        check_predecessors(C::policy(), graph_of<T>(kind, n, T(1), 81), false);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_of_every_size, C, tiled_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  for (const T unit : units<T>()) {
    for (const graph_kind& kind : {sparse, undirected}) {
      BOOST_TEST_CONTEXT(kind.name << ", n = " << n << ", unit = " << unit << ", seed = 82") {
        const bool uses_symmetry = kind.is_undirected && n >= fewest_symmetric;
        const auto g = graph_of<T>(kind, n, unit, 82);
        check_predecessors(C::policy(), g, uses_symmetry);
        if (uses_symmetry && (unit == T(1) || !is_short)) {
          check_predecessors(C::policy().use_symmetry(false), g, false);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_arcs, C, some_tiled_cases) {
  using T = typename C::weight;
  for (const std::size_t n : sizes) {
    if (n < 200) continue;
    for (const graph_kind& kind : {with_hub, dense}) {
      BOOST_TEST_CONTEXT(kind.name << ", n = " << n << ", seed = 83") {
        check_predecessors(C::policy(), graph_of<T>(kind, n, T(1), 83), false);
      }
    }
  }
}

// Paths over arcs of weight zero are checked by their lengths.
BOOST_AUTO_TEST_CASE_TEMPLATE(zero_weights, C, some_tiled_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  const auto g = graph_of<T>(with_zero, n, T(1), 84);
  apsp::matrix<T> distances(n, n, T(7));
  apsp::matrix<std::int32_t> predecessors(n, n, 7);
  BOOST_TEST_CONTEXT("seed = 84") {
    BOOST_REQUIRE(apsp::floyd_warshall(C::policy(), g.view(), distances, predecessors));
    check_exactly(g, distances);
    check_last_arcs(g, distances, predecessors);
    for (const std::size_t u : some_vertices(n)) {
      for (std::size_t v = 0; v < n; ++v) {
        const bool is_reachable = distances(u, v) != apsp::unreachable<T>;
        BOOST_REQUIRE_EQUAL(apsp::path(predecessors, u, v).empty(), !is_reachable);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_and_stop, C, some_tiled_cases) {
  using T = typename C::weight;
  const std::size_t n = sizes.back();
  const auto g = graph_of<T>(undirected, n, T(1), 85);
  apsp::matrix<T> distances(n, n, T(7));
  apsp::matrix<std::int32_t> predecessors(n, n, 7);
  BOOST_TEST_CONTEXT("seed = 85") {
    BOOST_REQUIRE(apsp::floyd_warshall(C::policy(), g.view(), distances, predecessors));
    constexpr T limit = 90;
    apsp::matrix<T> near(n, n, T(7));
    apsp::matrix<std::int32_t> predecessors_of_near(n, n, 7);
    BOOST_REQUIRE(
        apsp::floyd_warshall(C::policy().cutoff(limit), g.view(), near, predecessors_of_near));
    std::size_t num_wrong = 0;
    for_each_pair(n, [&](std::size_t u, std::size_t v) {
      const bool is_near = distances(u, v) <= limit;
      const bool has_predecessor = predecessors_of_near(u, v) != -1;
      const T expected = is_near ? distances(u, v) : apsp::unreachable<T>;
      num_wrong += near(u, v) == expected && has_predecessor == (is_near && u != v) ? 0 : 1;
    });
    BOOST_CHECK_EQUAL(num_wrong, 0u);
    check_last_arcs(g, near, predecessors_of_near);

    check_stops_at_once(C::policy(), [&](const auto& policy) {
      return apsp::floyd_warshall(policy, g.view(), near, predecessors_of_near);
    });
  }
}
