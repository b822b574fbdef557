// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators.hpp"
#include "graphs.hpp"

// Graphs that are made from others, and graphs like maps.
namespace apsp_test {

/// Returns the graph with other weights.
template <class T>
arc_list<T> with_weights(arc_list<T> g, std::int64_t low, std::int64_t high, std::uint64_t seed) {
  random_numbers random(seed);
  for (T& w : g.weights) w = static_cast<T>(random(low, high));
  return g;
}

/// Returns the graph with weights that are negative in part, but not around any cycle:
/// w + potential[u] - potential[v], with potentials in [low, high] / @p divisor.
template <class T>
arc_list<T> with_potentials(arc_list<T> g, std::int64_t low, std::int64_t high, std::uint64_t seed,
                            int divisor = 1) {
  random_numbers random(seed);
  std::vector<T> potential(g.n);
  for (T& x : potential) x = static_cast<T>(static_cast<T>(random(low, high)) / T(divisor));
  for (std::size_t k = 0; k < g.size(); ++k) {
    g.weights[k] = static_cast<T>(g.weights[k] + potential[g.from(k)] - potential[g.to(k)]);
  }
  return g;
}

/// Returns the graph with every arc in both directions.
template <class T>
arc_list<T> undirected(arc_list<T> g) {
  for (std::size_t k = 0, num_arcs = g.size(); k < num_arcs; ++k) {
    g.add(g.to(k), g.from(k), g.weights[k]);
  }
  return g;
}

/// Returns the graph without its last arcs.
template <class T>
arc_list<T> without_last_arcs(arc_list<T> g, std::size_t count) {
  g.sources.resize(g.size() - count);
  g.targets.resize(g.targets.size() - count);
  g.weights.resize(g.weights.size() - count);
  return g;
}

/// Returns a grid with some arcs that lead one way.
template <class T>
arc_list<T> streets(std::size_t side, std::uint64_t seed, std::int64_t heaviest = 99) {
  random_numbers random(seed);
  arc_list<T> g{side * side, {}, {}, {}};
  const auto connect = [&](std::size_t u, std::size_t v) {
    g.add(u, v, static_cast<T>(random(1, heaviest)));
    if (!random.chance(0.1)) g.add(v, u, static_cast<T>(random(1, heaviest)));
  };
  for (std::size_t u = 0; u < g.n; ++u) {
    if (u % side + 1 < side) connect(u, u + 1);
    if (u + side < g.n) connect(u, u + side);
  }
  return g;
}

}  // namespace apsp_test
