// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "generators.hpp"
#include "graphs.hpp"
#include "oracle.hpp"

// Graphs too large for the oracle to solve from every vertex.
namespace apsp_test {

/// Arcs to the next vertex, from the last to the first if @p closed, and random ones.
template <class T>
arc_list<T> ring_and_others(std::size_t n, bool closed, std::size_t others, std::int64_t heaviest,
                            std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t v = 0; v + (closed ? 0 : 1) < n; ++v) {
    g.add(v, (v + 1) % n, static_cast<T>(random(1, heaviest)));
  }
  for (std::size_t k = 0; k < others; ++k) {
    const auto vertex = [&] {
      return static_cast<std::size_t>(random(0, static_cast<std::int64_t>(n) - 1));
    };
    const std::size_t u = vertex();
    const std::size_t v = vertex();
    if (u != v) g.add(u, v, static_cast<T>(random(1, heaviest)));
  }
  return g;
}

/// Vertices 1 to n - 1 are connected through vertex 0 only: all distances between them are in +
/// out.
template <class T>
arc_list<T> star(std::size_t n, T in, T out) {
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t v = 1; v < n; ++v) {
    g.add(v, 0, in);
    g.add(0, v, out);
  }
  return g;
}

/// Adds the reverse of every arc.
template <class T>
arc_list<T> undirected(arc_list<T> g) {
  const std::size_t size = g.size();
  for (std::size_t k = 0; k < size; ++k) {
    g.add(static_cast<std::size_t>(g.targets[k]), static_cast<std::size_t>(g.sources[k]),
          g.weights[k]);
  }
  return g;
}

/// Divides weights of floating-point type by a power of two: the sums are exact, but no whole
/// numbers.
template <class T>
arc_list<T> in_fractions(arc_list<T> g, int divisor) {
  if constexpr (std::is_floating_point_v<T>) {
    for (T& weight : g.weights) weight /= static_cast<T>(divisor);
  }
  return g;
}

/// Some vertices: at the ends of tiles, and others.
/// @param n  at least 129.
inline std::vector<std::size_t> vertices_at_tiles(std::size_t n) {
  std::vector<std::size_t> sources{0, 1, 63, 64, 127, 128, n / 2, n - 2, n - 1};
  for (std::size_t v = 100; v < n; v += 97) sources.push_back(v);
  return sources;
}

/// Compares the rows of `vertices_at_tiles` with the oracle.
template <class T>
void check_some_rows(const arc_list<T>& arcs, const apsp::matrix<T>& distances) {
  const auto sources = vertices_at_tiles(arcs.n);
  const auto expected = oracle_rows(arcs, sources);
  BOOST_REQUIRE(expected.has_value());
  apsp::matrix<T> rows(sources.size(), arcs.n);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::copy_n(distances[sources[i]], arcs.n, rows[i]);
  }
  check_rows<T>(*expected, rows);
}

}  // namespace apsp_test
