// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "../generators.hpp"

namespace studies {

/// Boost.Graph's bellman_ford_shortest_paths on one graph, which it has as a graph of its own.
class boost_bellman_ford {
 public:
  explicit boost_bellman_ford(const apsp_perf::csr_arrays<std::int32_t>& g);
  ~boost_bellman_ford();

  /// Writes a row of distances from @p source.
  /// @return seconds of the call.
  double operator()(std::size_t source, std::int32_t* row) const;

 private:
  struct rival;
  std::unique_ptr<const rival> rival_;
};

}  // namespace studies
