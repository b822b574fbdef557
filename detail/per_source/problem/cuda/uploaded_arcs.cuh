// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../../device/bounds.cuh"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../graph/adjacency.hpp"
#include "../../../graph/arcs_by_target.cuh"
#include "source_batch.cuh"

namespace apsp::inline v1::detail::cuda {

/// The arcs of a graph in device memory owned by this object.
template <class C>
class uploaded_arcs {
 public:
  uploaded_arcs() = default;
  uploaded_arcs(const adjacency_view<C>& arcs, cudaStream_t stream, std::size_t bytes_needed)
      : uploaded_arcs(arcs.num_vertices(), arcs.num_edges(),
                      uploaded(arcs.offsets, stream, bytes_needed),
                      uploaded(arcs.targets, stream, bytes_needed),
                      uploaded(arcs.weights, stream, bytes_needed)) {}
  uploaded_arcs(std::size_t num_vertices, std::size_t num_edges,
                device_buffer<std::int64_t> offsets, device_buffer<std::int32_t> targets,
                device_buffer<C> weights)
      : arcs_{num_vertices, num_edges, offsets.get(), targets.get(), weights.get()},
        offsets_(std::move(offsets)),
        targets_(std::move(targets)),
        weights_(std::move(weights)) {}

  const device_arcs<C>& get() const { return arcs_; }
  static std::size_t bytes(const adjacency_view<C>& arcs) {
    return arcs.offsets.size_bytes() + arcs.targets.size_bytes() + arcs.weights.size_bytes();
  }

 private:
  device_arcs<C> arcs_{};
  device_buffer<std::int64_t> offsets_;
  device_buffer<std::int32_t> targets_;
  device_buffer<C> weights_;
};

/// @param sorted  the targets of @p arcs.
template <class C>
__global__ void reverse_arcs_kernel(device_arcs<C> arcs, const std::int32_t* sorted,
                                    const std::uint32_t* numbers, std::int64_t* offsets,
                                    std::int32_t* sources, C* weights) {
  const std::size_t n = arcs.num_vertices;
  const std::size_t m = arcs.num_edges;
  for (std::size_t i = first_index(); i < max(m, n + 1); i += index_stride()) {
    if (i < m) {
      const std::uint32_t a = numbers[i];
      sources[i] =
          static_cast<std::int32_t>(last_not_above(arcs.offsets, n, static_cast<std::int64_t>(a)));
      weights[i] = arcs.weights[a];
    }
    if (i <= n) offsets[i] = static_cast<std::int64_t>(first_not_below(sorted, m, i));
  }
}

/// The arcs in the opposite direction, in the order that `reversed_arcs` gives them.
template <class C>
uploaded_arcs<C> reversed(const device_arcs<C>& arcs, cudaStream_t stream,
                          std::size_t bytes_needed) {
  const std::size_t n = arcs.num_vertices;
  const std::size_t m = arcs.num_edges;
  const arcs_by_target sorted = sort_by_target(arcs.targets, n, m, stream, bytes_needed);
  device_buffer<std::int64_t> offsets(n + 1, stream, bytes_needed);
  device_buffer<std::int32_t> sources(m, stream, bytes_needed);
  device_buffer<C> weights(m, stream, bytes_needed);
  constexpr unsigned threads = 256;
  launch("reverse_arcs_kernel", {grid_size(std::max(m, n + 1), threads), threads, stream},
         reverse_arcs_kernel<C>, arcs, sorted.targets.get(), sorted.arcs.get(), offsets.get(),
         sources.get(), weights.get());
  return {n, m, std::move(offsets), std::move(sources), std::move(weights)};
}

}  // namespace apsp::inline v1::detail::cuda
