// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/elimination.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <apsp/unreachable.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "generators.hpp"
#include "graphs.hpp"
#include "messages.hpp"
#include "places.hpp"
#include "policies.hpp"

// Helpers of the tests of the per-source algorithms: the list of algorithms.
namespace apsp_test {

inline constexpr std::array per_source_algorithms = {
    apsp::algorithm::dijkstra, apsp::algorithm::bellman_ford, apsp::algorithm::johnson,
    apsp::algorithm::elimination};
inline constexpr std::array algorithms_for_negative_weights = {
    apsp::algorithm::bellman_ford, apsp::algorithm::johnson, apsp::algorithm::elimination};

template <class T>
inline constexpr T infinite = apsp::unreachable<T>;

/// Returns random sources of a graph of n vertices, with duplicates.
inline std::vector<std::size_t> some_vertices(std::size_t n, std::size_t count,
                                              std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; n != 0 && i < count; ++i) sources.push_back(random.index(n));
  if (!sources.empty()) sources.push_back(sources.front());
  return sources;
}

/// Returns a sparse graph with parallel arcs, self-loops, arcs of weight 0 and unreachable
/// vertices.
template <class T>
arc_list<T> some_graph(std::size_t n, std::int64_t lightest, std::uint64_t seed) {
  auto g = random_graph<T>(n, n < 20 ? 0.3 : 4.0 / static_cast<double>(n), lightest, 50, seed);
  random_numbers random(seed + 1);
  const std::size_t num_arcs = g.size();
  for (std::size_t k = 0; k < num_arcs; k += 3) {
    g.add(g.from(k), g.to(k), static_cast<T>(random(lightest, 50)));
  }
  for (std::size_t v = 0; v < n; v += 4) g.add(v, v, static_cast<T>(random(0, 9)));
  return g;
}

/// Calls the algorithm of that name.
template <class... Arguments>
apsp::result run(apsp::algorithm method, Arguments&&... arguments) {
  switch (method) {
    case apsp::algorithm::dijkstra:
      return apsp::dijkstra(arguments...);
    case apsp::algorithm::bellman_ford:
      return apsp::bellman_ford(arguments...);
    case apsp::algorithm::elimination:
      return apsp::elimination(arguments...);
    case apsp::algorithm::johnson:
      return apsp::johnson(arguments...);
    default:
      throw std::logic_error("apsp_test::run has no call of " + std::string(to_string(method)));
  }
}

/// The algorithms over semirings other than `min_plus`.
inline constexpr std::array best_path_algorithms = {
    apsp::algorithm::dijkstra, apsp::algorithm::bellman_ford, apsp::algorithm::elimination};

/// Calls one of these algorithms; the last argument is the semiring.
template <class... Arguments>
apsp::result run_over(apsp::algorithm method, Arguments&&... arguments) {
  switch (method) {
    case apsp::algorithm::dijkstra:
      return apsp::dijkstra(arguments...);
    case apsp::algorithm::bellman_ford:
      return apsp::bellman_ford(arguments...);
    case apsp::algorithm::elimination:
      return apsp::elimination(arguments...);
    default:
      throw std::logic_error("apsp_test::run_over has no call of " +
                             std::string(to_string(method)));
  }
}

}  // namespace apsp_test
