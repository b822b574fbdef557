// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../../../device/check.cuh"
#include "../../../device/workspace.cuh"

// In-place conversion of the entries of a matrix to another type.
namespace apsp::inline v1::detail::cuda {

struct conversion_tuning {
  int threads = 512;
  int entries_per_thread = 8;
};
inline constexpr conversion_tuning conversion{};

/// The mapping between entries of two types.
template <class From, class To>
struct entry_conversion {
  From unreachable_from;  ///< Entries at least this large are unreachable.
  To unreachable;

  __device__ To operator()(From entry) const {
    return entry >= unreachable_from ? unreachable : static_cast<To>(entry);
  }
};

/// Every row of @p extent entries keeps its start address. One CUDA block converts a row, from the
/// left if entries become narrower and from the right if they become wider, so that it overwrites
/// only entries that it has read.
template <class From, class To>
__global__ void __launch_bounds__(conversion.threads)
    convert_rows_kernel(std::byte* rows, std::size_t num_rows, std::size_t row_bytes,
                        std::size_t extent, entry_conversion<From, To> convert) {
  constexpr int per_thread = conversion.entries_per_thread;
  constexpr std::size_t at_once = static_cast<std::size_t>(conversion.threads) * per_thread;
  const std::size_t pieces = (extent + at_once - 1) / at_once;
  for (std::size_t i = blockIdx.x; i < num_rows; i += gridDim.x) {
    const From* const from = reinterpret_cast<const From*>(rows + i * row_bytes);
    To* const to = reinterpret_cast<To*>(rows + i * row_bytes);
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t begin = (sizeof(To) <= sizeof(From) ? p : pieces - 1 - p) * at_once;
      From entries[per_thread];
#pragma unroll
      for (int e = 0; e < per_thread; ++e) {
        const std::size_t j =
            begin + static_cast<std::size_t>(e) * conversion.threads + threadIdx.x;
        if (j < extent) entries[e] = from[j];
      }
      __syncthreads();
#pragma unroll
      for (int e = 0; e < per_thread; ++e) {
        const std::size_t j =
            begin + static_cast<std::size_t>(e) * conversion.threads + threadIdx.x;
        if (j < extent) to[j] = convert(entries[e]);
      }
    }
  }
}

/// Rows to convert.
struct converted_rows {
  void* first;
  std::size_t count;
  std::size_t row_bytes;  ///< From row to row.
  std::size_t extent;     ///< Entries of a row.
};

template <class From, class To>
void convert_rows(const device_workspace& space, const converted_rows& rows,
                  const entry_conversion<From, To>& convert, cudaStream_t on) {
  launch("convert_rows_kernel",
         {space.setup_blocks(rows.count * setup.threads), static_cast<unsigned>(conversion.threads),
          on},
         convert_rows_kernel<From, To>, static_cast<std::byte*>(rows.first), rows.count,
         rows.row_bytes, rows.extent, convert);
}

}  // namespace apsp::inline v1::detail::cuda
