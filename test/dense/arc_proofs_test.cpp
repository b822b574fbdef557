// SPDX-License-Identifier: BSL-1.0
// Tests of what the arcs of a graph prove about its matrix.
#define BOOST_TEST_MODULE arc_proofs
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"

using namespace apsp_test;
namespace detail = apsp::detail;

namespace {

template <class T>
using arcs_of = std::vector<detail::cuda::arc<T>>;

/// Whether every arc has one of the same least weight in the other direction, from a map of all
/// pairs.
template <class T>
bool is_symmetric(const arcs_of<T>& arcs) {
  std::map<std::pair<std::int32_t, std::int32_t>, T> lightest;
  for (const auto& arc : arcs) {
    const auto place = lightest.try_emplace({arc.source, arc.target}, arc.weight).first;
    if (arc.weight < place->second) place->second = arc.weight;
  }
  for (const auto& [ends, weight] : lightest) {
    const auto reversed = lightest.find({ends.second, ends.first});
    if (reversed == lightest.end() || !(reversed->second == weight)) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(symmetry) {
  constexpr std::size_t n = 64;
  random_numbers random(41);
  std::size_t num_symmetric = 0;
  constexpr std::size_t num_graphs = 5000;
  for (std::size_t graph = 0; graph < num_graphs; ++graph) {
    // Few vertices and weights, so that many arcs are parallel or loops.
    arcs_of<double> arcs;
    for (std::size_t k = random.index(7); k > 0; --k) {
      const auto u = static_cast<std::int32_t>(random.index(4) * 21);
      const auto v = static_cast<std::int32_t>(random.index(4) * 21);
      const auto weight = static_cast<double>(random(0, 1));
      arcs.push_back({u, v, weight});
      if (random(0, 7) != 0) arcs.push_back({v, u, weight});
    }
    const bool expected = is_symmetric(arcs);
    num_symmetric += expected ? 1 : 0;
    BOOST_TEST_CONTEXT("graph " << graph << ", seed = 41") {
      for (const int threads : {1, 3}) {
        BOOST_REQUIRE_EQUAL(detail::prove_symmetry<double>(arcs, n, threads), expected);
      }
    }
  }
  BOOST_CHECK(num_symmetric > num_graphs / 10 && num_symmetric < num_graphs * 9 / 10);
}

BOOST_AUTO_TEST_CASE(symmetry_of_many_arcs_is_not_looked_for) {
  const std::size_t n = 64;
  arcs_of<float> arcs(detail::most_arcs_for_proof(n), {1, 1, 5});
  BOOST_CHECK(detail::prove_symmetry<float>(arcs, n, 0));
  arcs.push_back({1, 1, 5});
  BOOST_CHECK(!detail::prove_symmetry<float>(arcs, n, 0));
  BOOST_CHECK(detail::prove_symmetry<float>(arcs_of<float>{}, 0, 0));
}
