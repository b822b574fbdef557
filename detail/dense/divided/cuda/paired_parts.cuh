// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "../../../device/progress.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../closures/cuda/paired_floyd_warshall.cuh"
#include "../../closures/cuda/pivot_blocks.cuh"
#include "row_exchange.hpp"

namespace apsp::inline v1::detail::cuda {

/// The algorithm of `paired_floyd_warshall` for a matrix whose rows are divided among several
/// devices, as `parts_relaxation` has it.
class paired_parts {
 public:
  /// @param blocks    of tiles of `paired_floyd_warshall::granularity` vertices
  /// @param rows      of each part
  /// @param symmetric the parts hold rows as `symmetric_panels` has them
  /// @param exchange  with the processes that have the other parts, and null if there are none
  paired_parts(std::size_t num_vertices, const pivot_blocks& blocks,
               const std::vector<row_range>& rows, bool symmetric, row_exchange* exchange);
  ~paired_parts();
  paired_parts(const paired_parts&) = delete;
  paired_parts& operator=(const paired_parts&) = delete;

  /// The memory that a part needs in addition to its rows.
  static std::size_t panel_bytes(const pivot_blocks& blocks, const row_range& rows, bool symmetric);

  /// Adds a part that is on the current device.
  /// @param pitch   of its rows
  /// @param panels  memory of `panel_bytes`
  void hold(std::size_t number, const device_workspace& space, distance_pair* rows,
            std::size_t pitch, distance_pair* panels);
  /// @return false if the monitor of the call requested a stop, with several processes that of one.
  bool run(device_progress& progress);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace apsp::inline v1::detail::cuda
