// SPDX-License-Identifier: BSL-1.0
// Tests of the per-source algorithms with little device memory: they succeed, or report that it is
// too little.
#define BOOST_TEST_MODULE per_source_memory
#include <boost/test/unit_test.hpp>

#include <apsp/bellman_ford.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(limits_of_device_memory, With,
                              in_places<policies_and_fewer_weights>) {
  if constexpr (!runs_on_host(With::policy_type::expected)) {
    using T = typename With::weight;
    const auto check = [](const arc_list<T>& g, const std::vector<std::size_t>& sources) {
      const auto expected = oracle_rows(g, sources);
      BOOST_REQUIRE(expected.has_value());
      const auto lightest = lightest_arcs(g);
      With::graphs::in_one_form(g, [&](const auto& graph) {
        for (const std::size_t bytes :
             {std::size_t{1}, std::size_t{5'000}, std::size_t{40'000}, std::size_t{100'000},
              std::size_t{400'000}, std::size_t{8} << 20}) {
          for (const auto method : per_source_algorithms) {
            BOOST_TEST_CONTEXT(bytes << " bytes, " << to_string(method)) {
              auto d = wrong_results<With, T>(sources.size(), g.n);
              auto p = wrong_results<With, std::int32_t>(sources.size(), g.n);
              try {
                BOOST_REQUIRE(
                    run(method, With::policy().memory_limit(bytes), graph, sources, d, p));
                check_rows<T>(*expected, to_host(d));
                check_trees<T>(lightest, sources, to_host(d), to_host(p));
              } catch (const apsp::device_error& error) {
                BOOST_CHECK_LT(bytes, std::size_t{8} << 20);
                BOOST_CHECK_MESSAGE(
                    contains(error.what(), "byte") && contains(error.what(), std::to_string(bytes)),
                    error.what());
                BOOST_CHECK(holds_only(d) && holds_only(p));
              }
            }
          }
        }
      });
    };
    if constexpr (!is_slow<With>) {
      BOOST_TEST_CONTEXT("random, seed = 81") {
        check(random_graph<T>(300, 0.03, 1, 99, 81), all_vertices(300));
      }
    }
    // With arcs of weight 0 the host also checks the predecessors.
    for (const std::int64_t lightest : {0, 1}) {
      BOOST_TEST_CONTEXT("weights from " << lightest << ", seed = 82") {
        check(some_graph<T>(300, lightest, 82), some_vertices(300, is_slow<With> ? 50 : 350, 82));
      }
    }
  }
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(little_device_memory_for_few_sources, With,
                              policies_and_fewer_weights) {
  using T = typename With::weight;
  // Limits from less than the graph needs to more than is useful, in small steps.
  const auto g = random_graph<T>(160, 0.9, 1, 99, 82);
  const std::vector<std::size_t> sources{3, 159};
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected.has_value());
  const std::size_t graph_bytes = g.size() * (sizeof(T) + sizeof(std::int32_t));
  int num_solved = 0;
  int num_refused = 0;
  for (std::size_t bytes = graph_bytes / 2; bytes < 2 * graph_bytes; bytes += graph_bytes / 60) {
    BOOST_TEST_CONTEXT(bytes << " bytes, seed = 82") {
      apsp::matrix<T> d(sources.size(), g.n, T(42));
      try {
        BOOST_REQUIRE(apsp::bellman_ford(With::policy().memory_limit(bytes), g.view(), sources, d));
        check_rows<T>(*expected, d);
        ++num_solved;
      } catch (const apsp::device_error&) {
        // If a limit is sufficient, so is a larger one: faster methods that need more memory are
        // skipped.
        BOOST_CHECK_EQUAL(num_solved, 0);
        BOOST_CHECK_LT(bytes, graph_bytes + graph_bytes / 5);
        BOOST_CHECK(holds_only(d, 42));
        ++num_refused;
      }
    }
  }
  BOOST_CHECK_GT(num_solved, 0);
  BOOST_CHECK_GT(num_refused, 0);
}
#endif
