// SPDX-License-Identifier: BSL-1.0
// Compares repeated squaring to Boost's per-source algorithms, and tests its differences to Floyd–Warshall:
// the number of squarings, two buffers, and cycles as long as the graph.
#define BOOST_TEST_MODULE repeated_squaring
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// Sizes around powers of two, where the number of squarings changes, and around the tile sizes.
constexpr std::size_t sizes[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 17, 31, 32, 33, 63, 64, 65, 129, 193};

/// @param listed  the graph that is passed, which may have additional arcs of weight `unreachable`.
template <class With, class T>
void check_solve(const arc_list<T>& arcs, const arc_list<T>& listed) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  With::graphs::in_all_forms(listed, [&](const auto& graph) {
    auto distances = wrong_results<With, T>(arcs.n);
    const auto done = apsp::repeated_squaring(With::policy(), graph, distances);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::repeated_squaring);
    check_rows<T>(*expected, to_host(distances));

    for (const bool prefers_fewest_edges : {false, true}) {
      auto again = wrong_results<With, T>(arcs.n);
      auto predecessors = wrong_results<With, std::int32_t>(arcs.n);
      const auto policy = With::policy().prefer_fewest_edges(prefers_fewest_edges);
      BOOST_REQUIRE(apsp::repeated_squaring(policy, graph, again, predecessors));
      check_rows<T>(*expected, to_host(again));
      check_predecessors(arcs, to_host(again), to_host(predecessors));
    }
  });
}
template <class With, class T>
void check_solve(const arc_list<T>& arcs) {
  check_solve<With>(arcs, arcs);
}

/// The path 0 -> 1 -> ... -> n - 1.
template <class T>
arc_list<T> chain(std::size_t n, T weight) {
  arc_list<T> arcs{n, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) arcs.add(v, v + 1, weight);
  return arcs;
}

using policies_weights_and_places = in_places<policies_and_weights>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size, With, policies_weights_and_places) {
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      check_solve<With>(random_graph<typename With::weight>(n, 0.08, 1, 1000, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parallel_arcs, With, policies_weights_and_places) {
  using T = typename With::weight;
  for (const std::size_t n : {0, 1, 2, 63, 64, 65, 130}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      const auto arcs = with_parallel_arcs(random_graph<T>(n, 0.1, 1, 50, n), n);
      check_solve<With>(arcs, with_an_unreachable_arc(arcs));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, With, policies_weights_and_places) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      check_solve<With>(negative_graph<typename With::weight>(90 + 7 * seed, 0.1, seed));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(longest_paths, With, policies_weights_and_places) {
  using T = typename With::weight;
  for (const std::size_t n : {2, 3, 5, 6, 9, 10, 17, 18, 65, 66, 129, 130}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      check_solve<With>(chain<T>(n, T(3)));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_through_all_vertices, With,
                              policies_weights_and_places) {
  using T = typename With::weight;
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 9, 16, 17, 64, 65, 66}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      auto arcs = chain<T>(n, T(1));
      arcs.add(n - 1, 0, -T(n));
      With::graphs::in_all_forms(arcs, [&](const auto& graph) {
        auto distances = wrong_results<With, T>(n);
        const auto done = apsp::repeated_squaring(With::policy(), graph, distances);
        BOOST_REQUIRE(!done);
        BOOST_CHECK_EQUAL(done.negative_cycle().size(), n + 1);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_are_those_of_floyd_warshall, Policy, policies) {
  const auto check = [](auto arcs) {
    using T = typename decltype(arcs.weights)::value_type;
    apsp::matrix<T> squared(arcs.n);
    apsp::matrix<T> relaxed(arcs.n);
    const auto done = apsp::repeated_squaring(Policy::policy(), arcs.view(), squared);
    BOOST_REQUIRE(done);
    const auto other = apsp::floyd_warshall(apsp::seq, arcs.view(), relaxed);
    BOOST_REQUIRE(other);
    BOOST_CHECK(squared == relaxed);
    BOOST_CHECK_EQUAL(done.saturated(), other.saturated());
  };
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      constexpr std::int64_t large = (std::numeric_limits<std::int32_t>::max)() - 1;
      check(random_graph<std::int32_t>(70, 0.04, large - 100, large, seed));
      check(random_graph<std::int32_t>(70, 0.04, large / 100, large / 50, seed));
      check(random_graph<std::int64_t>(70, 0.04, (std::int64_t{1} << 62) - 9, std::int64_t{1} << 62,
                                       seed));
      check(negative_graph<std::int64_t>(101, 0.05, seed));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_ends_where_it_said, Policy, policies) {
  // For the second graph, the iteration ends long before the last squaring.
  for (const double p : {0.02, 1.0}) {
    const auto arcs = random_graph<float>(100, p, 1, 9, 3);
    apsp::matrix<float> distances(arcs.n);
    std::size_t last = 0;
    std::size_t total = 0;
    const auto report = [&](std::size_t done, std::size_t all) {
      BOOST_CHECK(last <= done);
      last = done;
      total = all;
    };
    BOOST_REQUIRE(
        apsp::repeated_squaring(Policy::policy().progress(report), arcs.view(), distances));
    BOOST_CHECK_EQUAL(last, total);
    BOOST_CHECK_EQUAL(total, arcs.n * 7);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stop, Policy, policies) {
  const auto arcs = random_graph<float>(100, 0.1, 1, 9, 3);
  apsp::matrix<float> distances(arcs.n);
  std::stop_source source;
  const auto stop_soon = [&](std::size_t, std::size_t) { source.request_stop(); };
  const auto done = apsp::repeated_squaring(
      Policy::policy().progress(stop_soon).stop(source.get_token()), arcs.view(), distances);
  BOOST_CHECK(!done);
  BOOST_CHECK(done.stopped());
}
