// SPDX-License-Identifier: BSL-1.0
// A weight type that lacks an operator.
#include <apsp/apsp.hpp>
#include <limits>

struct metres {
  int value = 0;
  friend metres operator+(metres a, metres b) { return {a.value + b.value}; }
  friend bool operator<(metres a, metres b) { return a.value < b.value; }
  friend bool operator==(metres a, metres b) { return a.value == b.value; }
#ifdef APSP_TEST_RIGHT
  friend metres operator-(metres a, metres b) { return {a.value - b.value}; }
#endif
};
template <>
struct std::numeric_limits<metres> {
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = false;
  static constexpr metres max() { return {1000000}; }
};

bool solve(const apsp::matrix<metres>& graph, apsp::matrix<metres>& distances,
           apsp::matrix<int>& predecessors) {
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances, predecessors)) &&
         bool(apsp::johnson(apsp::omp, graph, distances, predecessors)) &&
         bool(apsp::all_pairs_shortest_paths(apsp::seq, graph, distances)) &&
         bool(apsp::repeated_squaring(apsp::seq, graph, distances));
}
