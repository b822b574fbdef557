// SPDX-License-Identifier: BSL-1.0
// Compiles the headers under more warnings than those of the library.
#include <apsp/apsp.hpp>
#include <cstdint>
#include <vector>

template <class T>
void solve(const apsp::matrix<T>& w, apsp::matrix<T>& d, apsp::matrix<int>& p) {
  const std::vector<int> sources{0};
  static_cast<void>(apsp::floyd_warshall(apsp::omp.cutoff(1), w, d, p));
  static_cast<void>(apsp::repeated_squaring(apsp::cuda_tiled, w, d, p));
  static_cast<void>(apsp::dijkstra(apsp::seq, w, sources, d));
  static_cast<void>(apsp::bellman_ford(apsp::seq, w, sources, d));
  static_cast<void>(apsp::johnson(apsp::seq, w, d, p));
  static_cast<void>(apsp::all_pairs_shortest_paths(apsp::seq, w, d, p));
  static_cast<void>(apsp::min_plus_product(apsp::seq, w, w, d));
  static_cast<void>(apsp::summarize_paths(apsp::seq, w));
  static_cast<void>(apsp::summarize_distances(apsp::seq, w));
  static_cast<void>(apsp::floyd_warshall(apsp::seq, w, d, apsp::max_min<T>{}));
  static_cast<void>(apsp::dijkstra(apsp::seq, w, d, apsp::max_min<T>{}));
  static_cast<void>(apsp::transitive_closure(apsp::seq, w, d));
}

template void solve(const apsp::matrix<float>&, apsp::matrix<float>&, apsp::matrix<int>&);
template void solve(const apsp::matrix<double>&, apsp::matrix<double>&, apsp::matrix<int>&);
template void solve(const apsp::matrix<std::int16_t>&, apsp::matrix<std::int16_t>&,
                    apsp::matrix<int>&);
template void solve(const apsp::matrix<std::int64_t>&, apsp::matrix<std::int64_t>&,
                    apsp::matrix<int>&);
