// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/floyd_warshall.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "graphs.hpp"
#include "oracle.hpp"
#include "per_source.hpp"

// Helpers of the tests of what all algorithms have in common: Floyd–Warshall and those from each
// source.
namespace apsp_test {

inline constexpr std::array all_algorithms = {
    apsp::algorithm::floyd_warshall, apsp::algorithm::dijkstra, apsp::algorithm::bellman_ford,
    apsp::algorithm::johnson, apsp::algorithm::elimination};
inline constexpr std::array all_algorithms_for_negative_weights = {
    apsp::algorithm::floyd_warshall, apsp::algorithm::bellman_ford, apsp::algorithm::johnson,
    apsp::algorithm::elimination};

/// Calls the algorithm of that name for all pairs of vertices.
template <class... Arguments>
apsp::result run_all_pairs(apsp::algorithm method, Arguments&&... arguments) {
  if (method == apsp::algorithm::floyd_warshall) return apsp::floyd_warshall(arguments...);
  return run(method, arguments...);
}

/// Checks the distances and the predecessors that each of the algorithms finds.
/// @param arcs  the arcs of the graph.
template <class Policy, class Graph, class T, class Methods>
void check_all_pairs(const Policy& policy, const Graph& graph, const arc_list<T>& arcs,
                     const Methods& methods) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  const auto lightest = lightest_arcs(arcs);
  for (const auto method : methods) {
    BOOST_TEST_CONTEXT(to_string(method)) {
      apsp::matrix<T> alone(arcs.n);
      BOOST_REQUIRE(run_all_pairs(method, policy, graph, alone));
      check_rows<T>(*expected, alone);
      apsp::matrix<T> d(arcs.n);
      apsp::matrix<std::int64_t> p(arcs.n);
      const auto done = run_all_pairs(method, policy, graph, d, p);
      BOOST_REQUIRE(done);
      BOOST_CHECK(!done.saturated());
      check_rows<T>(*expected, d);
      check_trees<T>(lightest, all_vertices(arcs.n), d, p);
    }
  }
}
template <class Policy, class T, class Methods>
void check_all_pairs(const Policy& policy, const arc_list<T>& arcs, const Methods& methods) {
  check_all_pairs(policy, arcs.view(), arcs, methods);
}

}  // namespace apsp_test
