// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string_view>

namespace apsp::inline v1 {

/// The algorithm that computed a result.
enum class algorithm {
  floyd_warshall,
  repeated_squaring,
  dijkstra,
  bellman_ford,
  johnson,
  elimination,
  breadth_first_search,
  product,
  reduction,
  transitive_closure
};
/// The number of algorithms.
inline constexpr std::size_t num_algorithms =
    static_cast<std::size_t>(algorithm::transitive_closure) + 1;

/// The name of @p a in code.
constexpr std::string_view to_string(algorithm a) {
  switch (a) {
    case algorithm::floyd_warshall:
      return "floyd_warshall";
    case algorithm::repeated_squaring:
      return "repeated_squaring";
    case algorithm::dijkstra:
      return "dijkstra";
    case algorithm::bellman_ford:
      return "bellman_ford";
    case algorithm::johnson:
      return "johnson";
    case algorithm::elimination:
      return "elimination";
    case algorithm::breadth_first_search:
      return "breadth_first_search";
    case algorithm::product:
      return "product";
    case algorithm::reduction:
      return "reduction";
    case algorithm::transitive_closure:
      return "transitive_closure";
  }
  return "unknown";
}

}  // namespace apsp::inline v1
