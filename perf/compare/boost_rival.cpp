// SPDX-License-Identifier: BSL-1.0
#include "boost_rival.hpp"

#include <apsp/unreachable.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/property_map/property_map.hpp>
#include <chrono>
#include <cstdint>

namespace apsp_compare {

namespace {
template <class W>
struct road {
  W weight;
};
}  // namespace

template <class W>
double solve_with_boost(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                      boost::no_property, road<W>>;
  graph b(g.num_vertices());
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      boost::add_edge(u, static_cast<std::size_t>(g.targets[k]), road<W>{g.weights[k]}, b);
    }
  }

  const auto start = std::chrono::steady_clock::now();
  const bool valid = boost::floyd_warshall_all_pairs_shortest_paths(
      b, distances,
      boost::weight_map(boost::get(&road<W>::weight, b)).distance_inf(apsp::unreachable<W>));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return valid ? elapsed.count() : -1;
}

template double solve_with_boost(const apsp_perf::csr_arrays<float>&, apsp::matrix<float>&);
template double solve_with_boost(const apsp_perf::csr_arrays<double>&, apsp::matrix<double>&);
template double solve_with_boost(const apsp_perf::csr_arrays<std::int32_t>&,
                                 apsp::matrix<std::int32_t>&);
template double solve_with_boost(const apsp_perf::csr_arrays<std::int64_t>&,
                                 apsp::matrix<std::int64_t>&);

}  // namespace apsp_compare
