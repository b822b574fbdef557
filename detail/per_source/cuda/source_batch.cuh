// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../host/monitor.hpp"
#include "../problem.hpp"

// A batch of sources that are solved for together, and what solves it.
namespace apsp::detail::cuda {

/// Where the entry of source s and vertex v lies: `lanes` sources lie side by side, so that as many
/// neighbouring threads touch neighbouring words; with one lane a source has its row.
struct batch_layout {
  unsigned lanes = 1;

  __host__ __device__ std::size_t index(std::size_t s, std::size_t v, std::size_t n) const {
    return (s / lanes * n + v) * lanes + s % lanes;
  }
  /// Sources for which there is memory if @p count are asked for.
  __host__ __device__ std::size_t padded(std::size_t count) const {
    return (count + lanes - 1) / lanes * lanes;
  }
};

/// The arcs of a graph in device memory, in compressed sparse rows.
template <class C>
struct device_arcs {
  std::size_t num_vertices;
  std::size_t num_edges;
  const std::int64_t* offsets;
  const std::int32_t* targets;
  const C* weights;
};

/// Some sources of a call, in device memory.
template <class C>
struct source_batch {
  std::size_t num_sources;
  const std::int32_t* sources;
  /// Room for `layout().padded(num_sources)` sources; nothing is in it yet.
  C* distances;
};

/// An algorithm on one device. Made once for a call, on its device and stream.
template <class C>
class batch_solver {
 public:
  virtual ~batch_solver() = default;

  virtual batch_layout layout() const = 0;
  /// The number of sources that the device solves for at the same time.
  virtual std::size_t concurrent_sources() const = 0;
  /// Bytes of device memory beside the distances while @p num_sources are solved for.
  virtual std::size_t workspace_bytes(std::size_t num_sources) const = 0;
  /// Takes that memory. Called once, with the largest number of sources of a batch.
  /// @param bytes_needed  by the whole call, for the message if there is too little memory.
  virtual void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) = 0;
  /// Puts all distances of the batch into `batch.distances`, `no_path` where there is none: they are there in
  /// the order of the stream. Looks now and then whether the call is to stop.
  virtual solve_outcome solve(const source_batch<C>& batch, monitor& watch) = 0;
};

}  // namespace apsp::detail::cuda
