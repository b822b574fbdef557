// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/edge_list.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// Graphs of the tests: owned arcs, and seeded generators that give the same graph on every machine.
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

/// Numbers that do not depend on the standard library: its distributions differ between vendors.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {}
  /// Uniform in [low, high].
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }

 private:
  std::mt19937_64 engine_;
};

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
