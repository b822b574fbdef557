// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../generators.hpp"

namespace goals {

/// Proves row @p source of @p distances, in the time of reading the graph once; sums must be exact and no
/// cycle of length 0 or less.
///
/// d[s][v] <= d[s][k] + w(k, v) for all arcs, so no distance is too long; and with equality for an arc to
/// every v that is reached, so none is too short: such arcs lead back to s, or around a cycle of length 0.
/// @throws std::runtime_error if it is wrong.
template <class W>
void check_row(const apsp_perf::csr_arrays<W>& g, const apsp::matrix<W>& distances,
               std::size_t source) {
  const std::size_t n = g.num_vertices();
  const auto wrong = [&](std::size_t v) {
    throw std::runtime_error("wrong distance from " + std::to_string(source) + " to " +
                             std::to_string(v) + ": " + std::to_string(distances(source, v)));
  };
  if (distances(source, source) != W{}) wrong(source);
  std::vector<char> is_length(n);
  for (std::size_t k = 0; k < n; ++k) {
    const W before = distances(source, k);
    if (before == apsp::unreachable<W>) continue;
    const auto end = static_cast<std::size_t>(g.offsets[k + 1]);
    for (auto e = static_cast<std::size_t>(g.offsets[k]); e < end; ++e) {
      const auto v = static_cast<std::size_t>(g.targets[e]);
      const W length = before + g.weights[e];
      if (distances(source, v) > length) wrong(v);
      if (distances(source, v) == length) is_length[v] = 1;
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    if (v == source || distances(source, v) == apsp::unreachable<W>) continue;
    if (is_length[v] == 0) wrong(v);
  }
}

}  // namespace goals
