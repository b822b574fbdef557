// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/csr.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Seeded graphs for tests, measurements and tools that are the same on every machine. The engines
// of the standard library are fully specified, but its distributions and logarithms are not. Random
// numbers are mapped here by integer arithmetic, and by products and quotients, whose rounding IEEE
// 754 specifies.
namespace apsp_common {

/// A directed graph in compressed sparse rows that owns its arrays.
template <class W>
struct csr_arrays {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> targets;
  std::vector<W> weights;

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::size_t num_edges() const { return targets.size(); }
  auto view() const { return apsp::csr_view(offsets, targets, weights); }

  /// Adds an arc whose source is the last vertex.
  void add(std::size_t target, W weight) {
    targets.push_back(static_cast<std::int32_t>(target));
    weights.push_back(weight);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(targets.size())); }
};

/// Random numbers, computed with integer arithmetic.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number uniform in [0, @p n), n > 0.
  std::uint64_t below(std::uint64_t n) {
    // Numbers after the last multiple of n would make small remainders more likely.
    const std::uint64_t excess = (largest % n + 1) % n;
    std::uint64_t x = engine_();
    while (x > largest - excess) x = engine_();
    return x % n;
  }
  std::size_t index(std::size_t n) { return static_cast<std::size_t>(below(n)); }
  /// Returns a number uniform in [@p low, @p high].
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  /// Returns a number uniform in [1, @p largest_weight].
  std::int32_t weight(std::int32_t largest_weight) {
    return static_cast<std::int32_t>((*this)(1, largest_weight));
  }
  /// Returns true with probability @p p.
  bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }

 private:
  static constexpr std::uint64_t largest = (std::numeric_limits<std::uint64_t>::max)();
  std::mt19937_64 engine_;
};

/// The number of failed trials before one of probability p > 0 succeeds.
///
/// The binary digits of such a number are independent of each other: digit k is 1 with probability
/// x / (1 + x), where x = (1 - p)^(2^k). No logarithm is needed.
class geometric_skips {
 public:
  explicit geometric_skips(double p) {
    for (double x = 1 - p; x > 0x1p-60 && digits_.size() < 63; x = x * x) {
      digits_.push_back(x / (1 + x));
    }
  }
  std::uint64_t operator()(random_numbers& random) const {
    std::uint64_t skip = 0;
    for (std::size_t k = 0; k < digits_.size(); ++k) {
      if (random.chance(digits_[k])) skip |= std::uint64_t{1} << k;
    }
    return skip;
  }

 private:
  std::vector<double> digits_;
};

inline void require_vertex_count(std::size_t n) {
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("a graph of " + std::to_string(n) + " vertices is too large");
  }
}

/// Returns a graph with every arc between two vertices with probability @p p; weights in [1, @p
/// largest_weight].
///
/// Complexity: O(n + m log(1 / p)) for p >= 2^-50.
/// Sources: Gilbert 1959; the skips after Batagelj and Brandes 2005.
template <class W>
csr_arrays<W> gnp_graph(std::size_t n, double p, std::int32_t largest_weight, std::uint64_t seed) {
  require_vertex_count(n);
  random_numbers random(seed);
  csr_arrays<W> g;
  if (n == 0) return g;
  g.offsets.reserve(n + 1);
  // Pairs of distinct vertices are numbered row by row.
  const std::uint64_t row_length = n - 1;
  const std::uint64_t num_pairs = n * row_length;
  const geometric_skips skips(p);
  if (p > 0) {
    for (std::uint64_t pair = skips(random); pair < num_pairs; pair += 1 + skips(random)) {
      const std::uint64_t u = pair / row_length;
      while (g.num_vertices() < u) g.end_row();
      const std::uint64_t v = pair % row_length;
      g.add(v < u ? v : v + 1, static_cast<W>(random.weight(largest_weight)));
    }
  }
  while (g.num_vertices() < n) g.end_row();
  return g;
}

/// Returns a graph with @p degree arcs from every vertex to random ones; weights in [1, @p
/// largest_weight]. It may have self-loops and parallel arcs.
template <class W>
csr_arrays<W> fixed_degree_graph(std::size_t n, std::size_t degree, std::int32_t largest_weight,
                                 std::uint64_t seed) {
  require_vertex_count(n);
  random_numbers random(seed);
  csr_arrays<W> g;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t k = 0; k < degree; ++k) {
      const std::size_t v = random.index(n);
      g.add(v, static_cast<W>(random.weight(largest_weight)));
    }
    g.end_row();
  }
  return g;
}

/// Returns a graph of n x @p mean_degree arcs whose degrees follow a power law; weights in
/// [1, @p largest_weight]. It may have self-loops, parallel arcs, and isolated vertices. Vertices
/// of small numbers have large degrees.
///
/// An arc is an entry of the adjacency matrix, found by choosing quadrants recursively: the upper
/// left one with probability a = 0.57, the upper right one with b = 0.19, the lower left one with c
/// = 0.19. If n is not a power of two, arcs outside the matrix are rejected.
/// Source: Chakrabarti, Zhan and Faloutsos 2004; a, b and c are those of Graph500.
template <class W>
csr_arrays<W> rmat_graph(std::size_t n, std::size_t mean_degree, std::int32_t largest_weight,
                         std::uint64_t seed) {
  require_vertex_count(n);
  constexpr std::uint64_t a = 57, b = 19, c = 19, all = 100;
  random_numbers random(seed);
  const int levels = n < 2 ? 0 : static_cast<int>(std::bit_width(n - 1));
  const std::size_t num_edges = n * mean_degree;
  std::vector<std::pair<std::int32_t, std::int32_t>> arcs;
  arcs.reserve(num_edges);
  while (arcs.size() < num_edges) {
    std::size_t u = 0;
    std::size_t v = 0;
    for (int level = 0; level < levels; ++level) {
      const std::uint64_t quarter = random.below(all);
      u = 2 * u + (quarter >= a + b ? 1 : 0);
      v = 2 * v + ((quarter >= a && quarter < a + b) || quarter >= a + b + c ? 1 : 0);
    }
    if (u < n && v < n) {
      arcs.emplace_back(static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
    }
  }
  csr_arrays<W> g;
  g.offsets.assign(n + 1, 0);
  for (const auto& arc : arcs) ++g.offsets[static_cast<std::size_t>(arc.first) + 1];
  std::partial_sum(g.offsets.begin(), g.offsets.end(), g.offsets.begin());
  std::vector<std::int64_t> next(g.offsets.begin(), g.offsets.end() - 1);
  g.targets.resize(num_edges);
  for (const auto& arc : arcs) {
    auto& position = next[static_cast<std::size_t>(arc.first)];
    g.targets[static_cast<std::size_t>(position++)] = arc.second;
  }
  g.weights.reserve(num_edges);
  for (std::size_t k = 0; k < num_edges; ++k) {
    g.weights.push_back(static_cast<W>(random.weight(largest_weight)));
  }
  return g;
}

enum class ring_kind { directed, both_ways };

/// Joins vertex u with u + 1, and the last with the first; weights in [1, @p largest_weight], equal
/// in both directions.
template <class W>
csr_arrays<W> ring_graph(std::size_t n, ring_kind kind, std::int32_t largest_weight,
                         std::uint64_t seed) {
  require_vertex_count(n);
  random_numbers random(seed);
  std::vector<W> to_next(n);
  for (auto& w : to_next) w = static_cast<W>(random.weight(largest_weight));
  csr_arrays<W> g;
  for (std::size_t u = 0; u < n; ++u) {
    const std::size_t before = (u + n - 1) % n;
    g.add((u + 1) % n, to_next[u]);
    if (kind == ring_kind::both_ways) g.add(before, to_next[before]);
    g.end_row();
  }
  return g;
}

/// Returns a graph with every arc between two vertices; weights in [1, @p largest_weight].
template <class W>
csr_arrays<W> complete_graph(std::size_t n, std::int32_t largest_weight, std::uint64_t seed) {
  return gnp_graph<W>(n, 1.0, largest_weight, seed);
}

/// Returns a grid of rows x columns vertices, joined with their neighbours in both directions, with
/// equal weights in [1, @p largest_weight]. Like the lengths of roads, they are distances times a
/// random factor.
///
/// A vertex is displaced from its point of the regular grid by up to a quarter of the spacing in
/// either dimension. A road is up to twice as long as the distance of its ends.
template <class W>
csr_arrays<W> grid_graph(std::size_t rows, std::size_t columns, std::int32_t largest_weight,
                         std::uint64_t seed) {
  if (columns != 0) {
    require_vertex_count(rows);
    require_vertex_count(columns);
    require_vertex_count(rows * columns);
  }
  constexpr std::int64_t spacing = 1000;
  constexpr std::int64_t straight = 1000;  // the denominator of the factor
  // The distance over one and a half cells by half a cell, rounded up.
  constexpr std::int64_t largest_length = 1582 * 2 * straight;
  random_numbers random(seed);
  struct point {
    std::int64_t x, y;
  };
  std::vector<point> crossings(rows * columns);
  for (std::size_t u = 0; u < crossings.size(); ++u) {
    const std::int64_t east = random(-spacing / 4, spacing / 4);
    const std::int64_t south = random(-spacing / 4, spacing / 4);
    crossings[u] = {static_cast<std::int64_t>(u % columns) * spacing + east,
                    static_cast<std::int64_t>(u / columns) * spacing + south};
  }
  const auto apart = [&](std::size_t u, std::size_t v) {
    const std::int64_t x = crossings[u].x - crossings[v].x;
    const std::int64_t y = crossings[u].y - crossings[v].y;
    std::int64_t root = 0;
    for (std::int64_t bit = 1 << 11; bit != 0; bit /= 2) {
      if ((root + bit) * (root + bit) <= x * x + y * y) root += bit;
    }
    return root;
  };
  const auto road = [&](std::size_t u, std::size_t v) {
    const std::int64_t length = apart(u, v) * random(straight, 2 * straight);
    return static_cast<W>(std::max<std::int64_t>(1, length * largest_weight / largest_length));
  };
  std::vector<W> to_right(rows * columns);
  std::vector<W> to_below(rows * columns);
  for (std::size_t u = 0; u < crossings.size(); ++u) {
    if (u % columns + 1 < columns) to_right[u] = road(u, u + 1);
    if (u / columns + 1 < rows) to_below[u] = road(u, u + columns);
  }
  csr_arrays<W> g;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t u = i * columns + j;
      if (i > 0) g.add(u - columns, to_below[u - columns]);
      if (j > 0) g.add(u - 1, to_right[u - 1]);
      if (j + 1 < columns) g.add(u + 1, to_right[u]);
      if (i + 1 < rows) g.add(u + columns, to_below[u]);
      g.end_row();
    }
  }
  return g;
}

/// Returns a connected graph of n vertices that resembles a network of roads, with both directions
/// of each road and weights in [1, @p largest_weight].
///
/// A third of the vertices are crossings, the points of a grid. Roads between neighbours are a
/// random spanning tree and about a third of the other ones, and the other vertices divide them
/// into pieces. So a vertex has about 2.2 arcs, as in the maps of OpenStreetMap.
template <class W>
csr_arrays<W> road_graph(std::size_t n, std::int32_t largest_weight, std::uint64_t seed) {
  require_vertex_count(n);
  std::size_t columns = 1;
  while (3 * (columns + 1) * (columns + 1) <= n) ++columns;
  const std::size_t num_crossings = std::min(n, columns * columns);
  random_numbers random(seed);

  struct road {
    std::size_t from, to;
  };
  std::vector<road> candidates;
  for (std::size_t u = 0; u < num_crossings; ++u) {
    if (u % columns + 1 < columns) candidates.push_back({u, u + 1});
    if (u + columns < num_crossings) candidates.push_back({u, u + columns});
  }
  for (std::size_t i = candidates.size(); i > 1; --i) {
    std::swap(candidates[i - 1], candidates[random.index(i)]);
  }
  // The crossings that are connected so far, as trees.
  std::vector<std::size_t> parents(num_crossings);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto root_of = [&](std::size_t u) {
    while (parents[u] != u) u = parents[u] = parents[parents[u]];
    return u;
  };
  std::vector<road> roads;
  for (const road& r : candidates) {
    const std::size_t from = root_of(r.from);
    const std::size_t to = root_of(r.to);
    if (from == to && random.below(3) != 0) continue;
    parents[from] = to;
    roads.push_back(r);
  }
  for (std::size_t v = num_crossings; v < n; ++v) {
    if (roads.empty()) {
      roads.push_back({0, v});
      continue;
    }
    const std::size_t divided = random.index(roads.size());
    roads.push_back({v, std::exchange(roads[divided].to, v)});
  }

  std::vector<std::size_t> next(n + 1, 0);
  for (const road& r : roads) {
    ++next[r.from + 1];
    ++next[r.to + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  csr_arrays<W> g{{next.begin(), next.end()},
                  std::vector<std::int32_t>(2 * roads.size()),
                  std::vector<W>(2 * roads.size())};
  for (const road& r : roads) {
    const auto w = static_cast<W>(random.weight(largest_weight));
    for (const auto& [from, to] : {r, road{r.to, r.from}}) {
      const std::size_t a = next[from]++;
      g.targets[a] = static_cast<std::int32_t>(to);
      g.weights[a] = w;
    }
  }
  return g;
}

}  // namespace apsp_common
