// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/edge_list.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
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

/// A graph of n vertices by its arcs.
template <class T>
arc_list<T> make_graph(std::size_t n, std::vector<std::tuple<int, int, T>> arcs) {
  arc_list<T> g{n, {}, {}, {}};
  for (const auto& [u, v, w] : arcs) {
    g.add(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w);
  }
  return g;
}

/// The graph as a square matrix: `unreachable` where there is no arc, and of parallel arcs the better one.
template <class T, class Better = std::less<>>
apsp::matrix<T> dense_form(const arc_list<T>& g, Better is_better = {}) {
  apsp::matrix<T> m(g.n, g.n, apsp::unreachable<T>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.weights[k] == apsp::unreachable<T>) continue;
    T& entry = m[static_cast<std::size_t>(g.sources[k])][static_cast<std::size_t>(g.targets[k])];
    // A NaN, too, of which nothing is better.
    if (entry == apsp::unreachable<T> || !is_better(entry, g.weights[k])) entry = g.weights[k];
  }
  return m;
}

/// The graph with parallel arcs and self-loops beside its arcs, of weights that it has.
template <class T>
arc_list<T> with_parallel_arcs(arc_list<T> g, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t size = g.size();
  for (std::size_t k = 0; k < size; k += 2) {
    g.add(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]),
          g.weights[random.index(size)]);
  }
  for (std::size_t v = 0; v < g.n && size > 0; v += 4) g.add(v, v, g.weights[random.index(size)]);
  return g;
}

/// The graph with an arc more that is none.
template <class T>
arc_list<T> with_an_unreachable_arc(arc_list<T> g) {
  if (g.n > 1) g.add(0, 1, apsp::unreachable<T>);
  return g;
}

}  // namespace apsp_test
