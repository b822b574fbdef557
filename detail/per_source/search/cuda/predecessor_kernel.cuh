// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../problem/cuda/source_batch.cuh"
#include "relaxation.cuh"

namespace apsp::inline v1::detail::cuda {

/// Finds predecessors from final distances: for every source of a batch, a pass over the incoming
/// arcs of every vertex. An arc (u, v) is tight if d[u], joined with its weight, equals d[v]; u is
/// then a predecessor of v.
///
/// Arcs with d[u] < d[v] are preferred. If no arc makes a path better, a row can then only contain
/// a cycle if some vertex has no such arc; this sets the flag of the source, and the row must be
/// inspected. Source: Okuyama, Ino and Hagihara 2012.
/// @tparam IsExact  every distance is that of a predecessor joined with a weight. Otherwise
///                  rounding makes them differ, and the arc on which the path is shortest is tight.
template <class C, class Join, bool IsExact>
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
      C best = distance;
      const auto end = static_cast<std::size_t>(incoming.offsets[v + 1]);
      for (auto a = static_cast<std::size_t>(incoming.offsets[v]);
           a < end && !(IsExact && is_certain); ++a) {
        const std::int32_t u = incoming.targets[a];
        const C before = batch.distances[layout.index(s, static_cast<std::size_t>(u), n)];
        if (before == Join::none) continue;
        const C through = Join::join(before, incoming.weights[a]);
        if (!IsExact && (found < 0 || through < best)) {
          best = through;
          found = u;
          is_certain = before < distance;
        } else if (through == best && !is_certain) {
          is_certain = before < distance;
          if (is_certain || found < 0) found = u;
        }
      }
      if (!is_certain) has_doubt[s] = 1;
    }
    predecessors[i] = found;
  }
}

}  // namespace apsp::inline v1::detail::cuda
