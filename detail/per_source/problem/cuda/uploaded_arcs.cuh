// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../../device/buffer.cuh"
#include "../../../graph/adjacency.hpp"
#include "source_batch.cuh"

namespace apsp::detail::cuda {

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

}  // namespace apsp::detail::cuda
