// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../../device/buffer.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../divided/cuda/row_exchange.hpp"
#include "../../matrix/cuda/square_matrix.cuh"
#include "pivot_blocks.cuh"

namespace apsp::detail::cuda {

/// Floyd–Warshall of `cuda_tiled` on 16-bit distances that are not negative. One instruction
/// relaxes two of them.
///
/// The algorithm is that of `tiled_floyd_warshall`.
class paired_floyd_warshall {
 public:
  /// For matrices of @p num_vertices, padded to @p extent, a multiple of `granularity`.
  paired_floyd_warshall(device_workspace& space, std::size_t num_vertices, std::size_t extent);

  static const std::size_t granularity;
  static bool runs_on(int device);

  /// Memory allocated in addition to the matrix.
  static std::size_t bytes(std::size_t num_vertices, std::size_t extent);
  void allocate();

  /// @param matrix  a row has half as many pairs as vertices.
  /// @return false if the monitor of the call requested a stop.
  bool solve(const square_matrix<distance_pair>& matrix, device_progress& progress);

 private:
  device_workspace& space_;
  std::size_t n_;
  std::size_t extent_;
  device_buffer<distance_pair> panels_;
  side_stream ahead_;  ///< for the next block of pivots
};

/// The same for a matrix whose rows are divided among several devices, as `parts_relaxation` has it.
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

}  // namespace apsp::detail::cuda
