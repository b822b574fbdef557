// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/edge_list.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators.hpp"

// Graphs of the tests: owned arcs, in any order, and generators of such.
namespace apsp_test {

template <class T>
struct arc_list {
  std::size_t n = 0;
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  std::vector<T> weights;

  void add(std::size_t u, std::size_t v, T w) {
    sources.push_back(static_cast<std::int32_t>(u));
    targets.push_back(static_cast<std::int32_t>(v));
    weights.push_back(w);
  }
  void add_undirected(std::size_t u, std::size_t v, T w) {
    add(u, v, w);
    add(v, u, w);
  }
  std::size_t size() const { return sources.size(); }
  auto view() const { return apsp::edge_list_view(n, sources, targets, weights); }
};

/// The arcs of a graph in compressed sparse rows.
template <class T, class W>
arc_list<T> to_arcs(const csr_arrays<W>& g) {
  arc_list<T> arcs{g.num_vertices(), {}, {}, {}};
  for (std::size_t u = 0; u < arcs.n; ++u) {
    for (auto k = static_cast<std::size_t>(g.offsets[u]);
         k < static_cast<std::size_t>(g.offsets[u + 1]); ++k) {
      arcs.add(u, static_cast<std::size_t>(g.targets[k]), static_cast<T>(g.weights[k]));
    }
  }
  return arcs;
}

/// The same arcs with weights of another type, which holds them.
template <class T, class W>
arc_list<T> converted(const arc_list<W>& g) {
  arc_list<T> arcs{g.n, g.sources, g.targets, {}};
  for (const W& w : g.weights) arcs.weights.push_back(static_cast<T>(w));
  return arcs;
}

/// Every arc with probability @p p, of an integer weight in [low, high].
template <class T>
arc_list<T> random_graph(std::size_t n, double p, std::int64_t low, std::int64_t high,
                         std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (u != v && random.chance(p)) g.add(u, v, static_cast<T>(random(low, high)));
    }
  }
  return g;
}

/// A random graph with negative weights and no negative cycle: weights of at least 0, moved by
/// potentials. Cycles of weight 0 are common.
template <class T>
arc_list<T> negative_graph(std::size_t n, double p, std::uint64_t seed, double unit = 1) {
  random_numbers random(seed);
  std::vector<std::int64_t> potential(n);
  for (auto& x : potential) x = random(-50, 50);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (u == v || !random.chance(p)) continue;
      const std::int64_t w = random(0, 20) + potential[u] - potential[v];
      g.add(u, v, static_cast<T>(static_cast<double>(w) * unit));
    }
  }
  return g;
}

}  // namespace apsp_test
