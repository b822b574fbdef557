// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/buffer.cuh"
#include "../../device/progress.cuh"
#include "../../device/side_stream.cuh"
#include "../../device/workspace.cuh"
#include "algebra.cuh"
#include "product_operands.cuh"

namespace apsp::detail::cuda {

/// Floyd–Warshall of `cuda_tiled` on 16-bit distances that are not negative. One instruction
/// relaxes two of them.
///
/// The algorithm is that of `tiled_floyd_warshall`, but the left operands of all products are
/// copies in which a distance fills both halves of a word.
class paired_floyd_warshall {
 public:
  /// For matrices of @p num_vertices, padded to @p extent, a multiple of `granularity`.
  paired_floyd_warshall(device_workspace& space, std::size_t num_vertices, std::size_t extent);

  static const std::size_t granularity;

  /// Memory allocated in addition to the matrix.
  static std::size_t bytes(std::size_t extent);
  void allocate();

  /// @param pitch  from row to row of @p matrix, in pairs.
  /// @param symmetric  the matrix equals its transpose, so only the tiles on and above the diagonal
  ///                   are relaxed.
  /// @return false if the monitor of the call requested a stop.
  bool solve(distance_pair* matrix, std::size_t pitch, bool symmetric, device_progress& progress);

 private:
  struct buffer_sizes;

  void relax_cross(std::size_t step, cudaStream_t on);
  void relax_symmetric_panel(std::size_t step, int lines, cudaStream_t on);
  void relax_remainder(std::size_t step, const tile_grid& first, const tile_grid& second);
  distance_pair* columns_of(std::size_t step) const;
  distance_pair* rows_of(std::size_t step) const;

  device_workspace& space_;
  std::size_t n_;
  std::size_t extent_;
  distance_pair* matrix_ = nullptr;
  std::size_t pitch_ = 0;
  bool is_symmetric_ = false;
  device_buffer<std::int32_t> pivot_tile_;      ///< tile x tile
  device_buffer<distance_pair> pivot_copy_;     ///< tile x tile, doubled
  device_buffer<distance_pair> old_row_panel_;  ///< tile x extent / 2
  device_buffer<distance_pair> row_panels_;     ///< 2 x tile x extent / 2, for symmetric matrices
  device_buffer<distance_pair> column_panels_;  ///< 2 x extent x tile, doubled
  side_stream ahead_;  ///< for the next pivot's cross, concurrent with the remainder of this one
};

}  // namespace apsp::detail::cuda
