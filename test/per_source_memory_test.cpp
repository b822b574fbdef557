// SPDX-License-Identifier: BSL-1.0
// The per-source algorithms with little device memory: they do with it, or say that it is too little.
#define BOOST_TEST_MODULE per_source_memory
#include <boost/test/unit_test.hpp>

#include <apsp/bellman_ford.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/generators.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/per_source.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(limits_of_device_memory, With, policies_and_weights) {
  using T = typename With::weight;
  if constexpr (!runs_on_host(With::policy_type::expected)) {
    const auto g = random_graph<T>(300, 0.03, 1, 99, 81);
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    const auto lightest = lightest_arcs(g);
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{5'000}, std::size_t{40'000}, std::size_t{100'000},
          std::size_t{400'000}, std::size_t{8} << 20}) {
      for (const auto method : per_source_algorithms) {
        BOOST_TEST_CONTEXT(bytes << " bytes, " << to_string(method) << ", seed = 81") {
          apsp::matrix<T> d(g.n, g.n, T(42));
          apsp::matrix<int> p(g.n, g.n, 42);
          try {
            BOOST_REQUIRE(run(method, With::policy().memory_limit(bytes), g.view(), d, p));
            check_rows<T>(*expected, d);
            check_trees<T>(lightest, all_vertices(g.n), d, p);
          } catch (const apsp::device_error& error) {
            BOOST_CHECK_LT(bytes, std::size_t{8} << 20);
            BOOST_CHECK_MESSAGE(
                contains(error.what(), "byte") && contains(error.what(), std::to_string(bytes)),
                error.what());
            BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
          }
        }
      }
    }
  }
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(little_device_memory_for_few_sources, With, policies_and_weights) {
  using T = typename With::weight;
  // From less than the graph takes to more than is of use, in small steps.
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
        // Where some memory is enough, more is; what would be faster with more is done with less.
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
