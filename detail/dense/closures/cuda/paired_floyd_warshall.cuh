// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../device/buffer.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../matrix/cuda/square_matrix.cuh"
#include "pivot_blocks.cuh"

namespace apsp::inline v1::detail::cuda {

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

}  // namespace apsp::inline v1::detail::cuda
