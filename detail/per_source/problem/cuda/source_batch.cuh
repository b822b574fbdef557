// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../host/monitor.hpp"
#include "../problem.hpp"

// A batch of sources that are solved together, and the interface of its solvers.
namespace apsp::inline v1::detail::cuda {

/// The position of the entry of source s and vertex v: `lanes` sources are interleaved, so that as
/// many neighbouring threads access neighbouring words; with one lane each source has a contiguous
/// row.
struct batch_layout {
  unsigned lanes = 1;
  /// If not 0, a solver writes totals in place of distances: this many rows of one for each source,
  /// `padded` to as many sources, which are to be added up.
  unsigned rows_of_totals = 0;

  __host__ __device__ std::size_t index(std::size_t s, std::size_t v, std::size_t n) const {
    return (s / lanes * n + v) * lanes + s % lanes;
  }
  /// The number of sources to allocate memory for if @p count are requested.
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
  /// Memory for `layout().padded(num_sources)` sources, uninitialized.
  C* distances;
  void* totals;  ///< The same for totals, if they are written in place of distances.
};

/// An algorithm on one device. Constructed once per call, on its device and stream.
template <class C>
class batch_solver {
 public:
  virtual ~batch_solver() = default;

  virtual batch_layout layout() const = 0;
  /// The number of sources that the device solves concurrently.
  virtual std::size_t concurrent_sources() const = 0;
  /// Bytes of device memory, in addition to the distances, to solve for @p num_sources.
  virtual std::size_t workspace_bytes(std::size_t num_sources) const = 0;
  /// Allocates that memory. Called once, with the largest number of sources of a batch.
  /// @param bytes_needed  of the whole call, for the error message if there is too little memory.
  virtual void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) = 0;
  /// Writes all distances of the batch to `batch.distances`, `no_path` where there is no path, or
  /// totals as `layout` says; they are final in the order of the stream. Polls for a stop request.
  virtual solve_outcome solve(const source_batch<C>& batch, monitor& watch) = 0;
  /// True if all batches were solved in 16 bits.
  virtual bool has_fitted_16_bits() const { return false; }
};

}  // namespace apsp::inline v1::detail::cuda
