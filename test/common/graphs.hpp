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

// Graphs of the tests, stored as arcs in any order, and their generators.
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
  /// The ends of arc k.
  std::size_t from(std::size_t k) const { return static_cast<std::size_t>(sources[k]); }
  std::size_t to(std::size_t k) const { return static_cast<std::size_t>(targets[k]); }
  auto view() const { return apsp::edge_list_view(n, sources, targets, weights); }
};

/// Calls f(u, v) for all pairs of numbers below @p n, row by row.
template <class F>
void for_each_pair(std::size_t n, F f) {
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) f(u, v);
  }
}

/// Returns the arcs of a graph in compressed sparse rows.
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

/// Returns the graph in compressed sparse rows.
template <class T>
csr_arrays<T> in_rows(const arc_list<T>& g) {
  csr_arrays<T> rows;
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (static_cast<std::size_t>(g.sources[k]) != u) continue;
      rows.add(static_cast<std::size_t>(g.targets[k]), g.weights[k]);
    }
    rows.end_row();
  }
  return rows;
}

/// Returns the same arcs with weights of another type, which must represent them exactly.
template <class T, class W>
arc_list<T> converted(const arc_list<W>& g) {
  arc_list<T> arcs{g.n, g.sources, g.targets, {}};
  for (const W& w : g.weights) arcs.weights.push_back(static_cast<T>(w));
  return arcs;
}

/// Returns a graph with every arc with probability @p p; integer weights in [low, high].
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

/// Returns a random graph with negative weights and no negative cycle: nonnegative weights with
/// potentials applied. Cycles of weight 0 are common.
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

/// Returns vertices that have low and high numbers by turns. On a path along them, passes over the
/// arcs in the order of their sources, forwards or backwards, get one or two arcs further each.
inline std::vector<std::size_t> zigzag(std::size_t n) {
  std::vector<std::size_t> way;
  for (std::size_t i = 0; i < n; ++i) way.push_back(i % 2 == 0 ? i / 2 : n - 1 - i / 2);
  return way;
}

/// Returns the graph of n vertices with these arcs.
template <class T>
arc_list<T> make_graph(std::size_t n, std::vector<std::tuple<int, int, T>> arcs) {
  arc_list<T> g{n, {}, {}, {}};
  for (const auto& [u, v, w] : arcs) {
    g.add(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w);
  }
  return g;
}

/// Returns the graph as a square matrix: `unreachable` without an arc, and the better one of
/// parallel arcs.
template <class T, class Better = std::less<>>
apsp::matrix<T> dense_form(const arc_list<T>& g, Better is_better = {}) {
  apsp::matrix<T> m(g.n, g.n, apsp::unreachable<T>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.weights[k] == apsp::unreachable<T>) continue;
    T& entry = m[g.from(k)][g.to(k)];
    // This also stores a NaN, for which no comparison is true.
    if (entry == apsp::unreachable<T> || !is_better(entry, g.weights[k])) entry = g.weights[k];
  }
  return m;
}

/// Returns the graph with additional parallel arcs and self-loops, whose weights occur in the
/// graph.
template <class T>
arc_list<T> with_parallel_arcs(arc_list<T> g, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t size = g.size();
  for (std::size_t k = 0; k < size; k += 2) {
    g.add(g.from(k), g.to(k), g.weights[random.index(size)]);
  }
  for (std::size_t v = 0; v < g.n && size > 0; v += 4) g.add(v, v, g.weights[random.index(size)]);
  return g;
}

/// Returns the graph with an additional arc of weight `unreachable`, which is not an edge.
template <class T>
arc_list<T> with_an_unreachable_arc(arc_list<T> g) {
  if (g.n > 1) g.add(0, 1, apsp::unreachable<T>);
  return g;
}

}  // namespace apsp_test
