// SPDX-License-Identifier: BSL-1.0
#include "arcs_by_target.cuh"

#include <cuda_runtime.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include "../device/check.cuh"
#include "../device/grid.cuh"
#include "../device/grid_stride.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

__global__ void number_arcs_kernel(std::uint32_t* numbers, std::size_t count) {
  for (std::size_t a = first_index(); a < count; a += index_stride()) {
    numbers[a] = static_cast<std::uint32_t>(a);
  }
}

/// One sort, by CUB: without a workspace, computes its size.
struct sort_of_arcs {
  const std::int32_t* targets;
  std::size_t num_vertices;
  std::size_t num_arcs;
  cudaStream_t stream;

  std::size_t workspace_bytes() const {
    std::size_t bytes = 0;
    run(nullptr, bytes, nullptr, nullptr, nullptr);
    return bytes;
  }
  void run(void* workspace, std::size_t& bytes, const std::uint32_t* numbers,
           std::int32_t* sorted_targets, std::uint32_t* sorted_numbers) const {
    const auto num_bits = static_cast<int>(std::bit_width((num_vertices - 1) | std::size_t{1}));
    APSP_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(workspace, bytes, targets, sorted_targets,
                                                    numbers, sorted_numbers, num_arcs, 0, num_bits,
                                                    stream));
  }
};

}  // namespace

arcs_by_target sort_by_target(const std::int32_t* targets, std::size_t num_vertices,
                              std::size_t num_arcs, cudaStream_t stream, std::size_t bytes_needed) {
  arcs_by_target sorted{{num_arcs, stream, bytes_needed}, {num_arcs, stream, bytes_needed}};
  if (num_arcs == 0) return sorted;
  const device_buffer<std::uint32_t> numbers(num_arcs, stream, bytes_needed);
  constexpr unsigned threads = 256;
  launch("number_arcs_kernel", {grid_size(num_arcs, threads), threads, stream}, number_arcs_kernel,
         numbers.get(), num_arcs);
  const sort_of_arcs sort{targets, num_vertices, num_arcs, stream};
  std::size_t bytes = sort.workspace_bytes();
  const device_buffer<unsigned char> workspace(bytes, stream, bytes_needed);
  sort.run(workspace.get(), bytes, numbers.get(), sorted.targets.get(), sorted.arcs.get());
  return sorted;
}

std::size_t bytes_to_sort_by_target(std::size_t num_vertices, std::size_t num_arcs) {
  const std::size_t workspace =
      sort_of_arcs{nullptr, num_vertices, num_arcs, nullptr}.workspace_bytes();
  return saturated_sum(saturated_product(num_arcs, 3 * sizeof(std::uint32_t)), workspace);
}

}  // namespace apsp::inline v1::detail::cuda
