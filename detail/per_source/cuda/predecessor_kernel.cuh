// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "relaxation.cuh"
#include "source_batch.cuh"

namespace apsp::detail::cuda {

/// Last hops from final distances: a pass over the incoming arcs of every vertex, for every source of a
/// batch. An arc (u, v) is tight if d[u], joined with its weight, is d[v]; its source is a last hop.
///
/// One with d[u] < d[v] is taken first. If no arc makes a path less than it was, no row can then run in a
/// circle but where a vertex has none; the flag of its source says that the row has to be looked at.
/// Source: Okuyama, Ino and Hagihara 2012.
template <class C, class Join>
__global__ void find_predecessors_kernel(device_arcs<C> incoming, source_batch<C> batch,
                                         batch_layout layout, std::int32_t* predecessors,
                                         int* has_doubt) {
  const std::size_t n = incoming.num_vertices;
  const std::size_t size = layout.padded(batch.num_sources) * n;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    const std::size_t tile = i / (n * layout.lanes);
    const std::size_t v = i / layout.lanes % n;
    const std::size_t s = tile * layout.lanes + i % layout.lanes;
    if (s >= batch.num_sources) continue;
    const C distance = batch.distances[i];
    std::int32_t found = -1;
    if (distance != Join::none && static_cast<std::size_t>(batch.sources[s]) != v) {
      bool is_certain = false;
      const auto end = static_cast<std::size_t>(incoming.offsets[v + 1]);
      for (auto a = static_cast<std::size_t>(incoming.offsets[v]); a < end && !is_certain; ++a) {
        const std::int32_t u = incoming.targets[a];
        const C before = batch.distances[layout.index(s, static_cast<std::size_t>(u), n)];
        if (before == Join::none || Join::join(before, incoming.weights[a]) != distance) continue;
        is_certain = before < distance;
        if (is_certain || found < 0) found = u;
      }
      if (!is_certain) has_doubt[s] = 1;
    }
    predecessors[i] = found;
  }
}

}  // namespace apsp::detail::cuda
