// SPDX-License-Identifier: BSL-1.0
// The crossings and streets of a town that most of the shortest ways lead through, an estimate of
// them from some crossings, and the shortest ways between two of them, counted and listed.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <numeric>
#include <span>
#include <vector>

int main() {
  // A town of 10 x 12 crossings on both sides of a river, which two bridges cross. A street takes 2
  // minutes, a bridge and the main street one.
  constexpr int rows = 10;
  constexpr int columns = 12;
  constexpr int river = 6;  // left of this column
  constexpr int main_street = 4;
  constexpr int n = rows * columns;
  std::vector<int> from, to, minutes;
  const auto add_street = [&](int a, int b, int time) {
    from.insert(from.end(), {a, b});
    to.insert(to.end(), {b, a});
    minutes.insert(minutes.end(), {time, time});
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int crossing = i * columns + j;
      const bool is_fast = i == main_street;
      const bool is_passable = j + 1 != river || is_fast || i == rows - 1;
      if (j + 1 < columns && is_passable) add_street(crossing, crossing + 1, is_fast ? 1 : 2);
      if (i + 1 < rows) add_street(crossing, crossing + columns, 2);
    }
  }
  const apsp::edge_list_view town(n, from, to, minutes);

  // Streets lead both ways, so each pair of crossings counts once.
  apsp::betweenness_options options;
  options.halved = true;
  std::vector<double> of_crossings(n);
  std::vector<double> of_arcs(from.size());
  if (!apsp::betweenness(apsp::omp, town, of_crossings, of_arcs, options)) return 1;

  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of_crossings[a] > of_crossings[b]; });
  for (std::size_t i = 0; i < 3; ++i) {
    std::cout << "crossing (" << order[i] / columns << ", " << order[i] % columns
              << ") is on the shortest ways of " << of_crossings[order[i]] << " pairs\n";
  }

  // The two arcs of a street are next to each other in the list.
  std::vector<double> of_streets(from.size() / 2);
  for (std::size_t k = 0; k < of_streets.size(); ++k) {
    of_streets[k] = of_arcs[2 * k] + of_arcs[2 * k + 1];
  }
  const auto busiest = static_cast<std::size_t>(
      std::max_element(of_streets.begin(), of_streets.end()) - of_streets.begin());
  const int a = from[2 * busiest];
  const int b = to[2 * busiest];
  std::cout << "the street from (" << a / columns << ", " << a % columns << ") to (" << b / columns
            << ", " << b % columns << ") is on those of " << of_streets[busiest] << '\n';

  // From every fifth crossing, as an estimate.
  std::vector<int> some;
  for (int v = 0; v < n; v += 5) some.push_back(v);
  options.scaled_to_all = true;
  std::vector<double> estimate(n);
  if (!apsp::betweenness(apsp::omp, town, some, estimate, options)) return 1;
  std::cout << "from a fifth of the crossings, the first one is estimated as " << estimate[order[0]]
            << '\n';

  // The shortest ways from the corner at the top left, and how many there are.
  const std::vector<int> corner{0};
  apsp::matrix<int> times(1, n);
  apsp::matrix<long> ways(1, n);
  if (!apsp::count_paths(apsp::omp, town, corner, times, ways)) return 1;
  const int square = 3 * columns + 3;
  std::cout << ways[0][square] << " ways of " << times[0][square]
            << " minutes lead from the corner to (3, 3)\n";

  // The ways themselves, one after the other: here those over the crossing (1, 1).
  std::size_t num_ways = 0;
  std::size_t num_over = 0;
  const auto list_ways = [&](std::size_t, std::size_t, std::span<const int>,
                             const apsp::predecessor_lists_view& before) {
    for (const std::span<const int> way : apsp::shortest_paths(before, square)) {
      ++num_ways;
      if (std::find(way.begin(), way.end(), columns + 1) != way.end()) ++num_over;
    }
  };
  if (!apsp::tight_predecessors(apsp::omp, town, corner, list_ways)) return 1;
  std::cout << num_over << " of them over (1, 1)\n";

  const bool is_the_bridge = a == main_street * columns + river - 1 && b == a + 1;
  const bool are_the_ways = num_ways == 20 && num_over == 12;
  return is_the_bridge && ways[0][square] == 20 && times[0][square] == 12 && are_the_ways ? 0 : 1;
}
