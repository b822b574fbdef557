// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../apsp/config.hpp"
#include "../host/workers.hpp"

// The undirected structure of a graph, which decides where elimination adds arcs.
namespace apsp::inline v1::detail {

/// The neighbors of each vertex in either direction, without duplicates and without the vertex
/// itself.
struct neighbor_lists {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> vertices;

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::span<const std::int32_t> of(std::size_t v) const {
    const auto begin = static_cast<std::size_t>(offsets[v]);
    return {vertices.data() + begin, static_cast<std::size_t>(offsets[v + 1]) - begin};
  }
};

/// The neighbors along the arcs of compressed sparse rows. Complexity: O(n + m).
/// @throws host::stop_seen if a stop is requested.
APSP_EXPORT neighbor_lists find_neighbors(std::span<const std::int64_t> offsets,
                                          std::span<const std::int32_t> targets,
                                          const host::workers& by = {});

}  // namespace apsp::inline v1::detail
