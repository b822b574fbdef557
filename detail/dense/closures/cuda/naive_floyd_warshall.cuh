// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../tiles/cuda/naive.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../matrix/cuda/padded_matrix.cuh"

namespace apsp::inline v1::detail::cuda {

/// Floyd–Warshall of `cuda_naive`: one kernel per pivot.
/// @return false if the monitor of the call requested a stop.
template <bool Record, class S>
bool naive_floyd_warshall(padded_matrix<S>& matrix, const S& semiring, typename S::value_type floor,
                          device_progress& progress) {
  const std::size_t across = (matrix.n + naive.threads_x - 1) / naive.threads_x;
  const std::size_t down = (matrix.n + naive.rows_per_thread - 1) / naive.rows_per_thread;
  const dim3 blocks(static_cast<unsigned>(across),
                    static_cast<unsigned>(std::min(down, naive.max_grid_y)));
  const matrix_entries<typename S::value_type> entries{matrix.distances.get(),
                                                       matrix.predecessors.get(), matrix.extent};
  for (std::size_t k = 0; k < matrix.n; ++k) {
    launch("relax_over_pivot_kernel", {blocks, naive.threads_x, matrix.space.stream.get()},
           relax_over_pivot_kernel<algebra<S>, Record>, algebra<S>(semiring), entries, matrix.n, k,
           floor);
    const std::size_t in_step = k % naive.pivots_per_step + 1;
    const bool ends_step = in_step == naive.pivots_per_step || k + 1 == matrix.n;
    if (ends_step && !progress.step(in_step)) return false;
  }
  return progress.finish();
}

}  // namespace apsp::inline v1::detail::cuda
