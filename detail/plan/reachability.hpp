// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../../apsp/policy.hpp"

// Chooses how a transitive closure on bits is computed.
namespace apsp::inline v1::detail {

enum class reachability_method {
  condensation,  ///< From the strongly connected components, in time proportional to n m.
  warshall       ///< On the matrix of bits, in time proportional to n^3.
};

/// The faster method for a graph of @p n vertices and @p m arcs in host memory.
constexpr reachability_method choose_reachability(backend target, std::size_t n, std::size_t m) {
  const auto vertices = static_cast<double>(n);
  const auto arcs = static_cast<double>(m);
  bool condenses = false;
  if (target == backend::cuda_tiled) {
    // Finding the components takes time per arc, and saves most of the n^3.
    condenses = arcs <= 16 * vertices + vertices * vertices * vertices / 8e6;
  } else if (target != backend::cuda_naive) {
    // Measured on one core of an AMD EPYC (Zen 4) at n = 1024 to 8192. The times are equal at 8
    // pairs to an arc if arcs join random vertices, at 10 to 20 in graphs without cycles, and at 30
    // to 70 if half of the vertices lead to the other half, so that no arc can be left out.
    constexpr double pairs_per_arc = 16;
    condenses = arcs <= vertices * vertices / pairs_per_arc;
  }
  return condenses ? reachability_method::condensation : reachability_method::warshall;
}

}  // namespace apsp::inline v1::detail
