// SPDX-License-Identifier: BSL-1.0
// Compiles the headers under more warnings than those of the library.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
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
  std::vector<double> sums(w.rows());
  static_cast<void>(apsp::accessibility(apsp::seq, w, sources, sums, apsp::power(2), sums));
  static_cast<void>(apsp::betweenness(apsp::omp, w, sums, {.halved = true}));
  apsp::matrix<double> counts(1, w.rows());
  static_cast<void>(apsp::count_paths(apsp::seq, w, sources, d, counts));
  const auto take = [](std::size_t, std::size_t, std::span<const T>,
                       const apsp::predecessor_lists_view& before) {
    const apsp::predecessor_lists kept(before);
    for (const auto path : apsp::shortest_paths(kept, 0)) static_cast<void>(path.size());
  };
  static_cast<void>(apsp::tight_predecessors(apsp::seq, w, sources, take));
  static_cast<void>(apsp::summarize_distances(apsp::seq, w));
  static_cast<void>(apsp::floyd_warshall(apsp::seq, w, d, apsp::max_min<T>{}));
  static_cast<void>(apsp::dijkstra(apsp::seq, w, d, apsp::max_min<T>{}));
  static_cast<void>(apsp::transitive_closure(apsp::seq, w, d));
}

void solve_sparse(const apsp::csr_view<int, int, float>& g, apsp::matrix<double>& d,
                  apsp::matrix<int>& p) {
  const std::vector<int> sources{0};
  std::vector<double> row(d.rows());
  std::vector<int> nearest(d.rows());
  std::vector<int> predecessors(d.rows());
  const auto take = [](std::size_t, std::span<const double>, std::span<const int>) {};
  static_cast<void>(apsp::elimination(apsp::omp, g, d, p));
  static_cast<void>(apsp::breadth_first_search(apsp::omp, apsp::unweighted(g), d, p));
  static_cast<void>(apsp::for_each_row<double>(apsp::seq, g, sources, take));
  static_cast<void>(apsp::distance_table(apsp::omp, g, sources, sources, d));
  static_cast<void>(apsp::nearest_sources(apsp::omp, g, sources, row, nearest, predecessors));
  static_cast<void>(apsp::distances_within(apsp::omp, g, 3));
  const auto take_path = [](std::size_t, float, std::span<const std::int32_t>) {};
  static_cast<void>(apsp::for_each_path(apsp::omp, g, sources, sources, take_path));
  apsp::matrix<apsp::carried<float, std::int64_t>> carried(1);
  const auto attributed = apsp::carry(g, [](const apsp::edge& e) { return e.index; });
  static_cast<void>(apsp::distance_table(apsp::omp, attributed, sources, sources, carried));
  apsp::contraction_hierarchy<float> prepared(apsp::omp, g);
  static_cast<void>(prepared.customize(apsp::omp, g));
  static_cast<void>(apsp::dijkstra(apsp::omp, prepared, d));
  static_cast<void>(apsp::path(p, 0, 1));
}

template void solve(const apsp::matrix<float>&, apsp::matrix<float>&, apsp::matrix<int>&);
template void solve(const apsp::matrix<double>&, apsp::matrix<double>&, apsp::matrix<int>&);
template void solve(const apsp::matrix<std::int16_t>&, apsp::matrix<std::int16_t>&,
                    apsp::matrix<int>&);
template void solve(const apsp::matrix<std::int64_t>&, apsp::matrix<std::int64_t>&,
                    apsp::matrix<int>&);
