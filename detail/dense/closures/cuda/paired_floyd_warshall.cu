// SPDX-License-Identifier: BSL-1.0
#include "paired_floyd_warshall.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../../device/check.cuh"
#include "paired_entries.cuh"
#include "pivot_blocks.cuh"
#include "row_panels.cuh"
#include "symmetric_panels.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

std::size_t panel_words(std::size_t num_vertices, std::size_t extent) {
  const std::size_t pivots = pivots_per_block(num_vertices);
  const pivot_blocks blocks{static_cast<int>(extent / tile), static_cast<int>(pivots / tile)};
  const row_range all{0, blocks.num_tiles};
  return paired_entries::scratch_words(pivots) +
         std::max(row_panels<paired_entries>::words(blocks, all),
                  symmetric_panels<paired_entries>::words(blocks, all));
}

}  // namespace

const std::size_t paired_floyd_warshall::granularity = tile;

bool paired_floyd_warshall::runs_on(int device) {
  int major = 0;
  int is_cooperative = 0;
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&is_cooperative, cudaDevAttrCooperativeLaunch, device));
  return major >= first_capability_with_pairs && is_cooperative != 0;
}

paired_floyd_warshall::paired_floyd_warshall(device_workspace& space, std::size_t num_vertices,
                                             std::size_t extent)
    : space_(space),
      n_(num_vertices),
      extent_(extent),
      ahead_(space.stream.get(), stream_priority::highest) {}

std::size_t paired_floyd_warshall::bytes(std::size_t num_vertices, std::size_t extent) {
  return panel_words(num_vertices, extent) * sizeof(distance_pair);
}

void paired_floyd_warshall::allocate() {
  panels_ = space_.allocate<distance_pair>(panel_words(n_, extent_));
}

bool paired_floyd_warshall::solve(const square_matrix<distance_pair>& matrix,
                                  device_progress& progress) {
  const std::size_t pivots = pivots_per_block(n_);
  const paired_entries entries(space_, panels_.get(), pivots);
  distance_pair* const memory = panels_.get() + paired_entries::scratch_words(pivots);
  const cudaStream_t stream = space_.stream.get();
  const pivot_blocks blocks{static_cast<int>((n_ + tile - 1) / tile),
                            static_cast<int>(pivots / tile)};
  const auto relax_with = [&](auto&& panels) {
    return relax_over_blocks(panels, {blocks, tile, n_}, ahead_, stream, progress);
  };
  const panel_matrix<distance_pair> words{
      .words = matrix.distances, .pitch = matrix.pitch, .extent = extent_};
  if (!matrix.symmetric) {
    row_panels<paired_entries> panels(entries, words, blocks, memory, stream);
    panels.relax_in_strips(matrix.when_final, n_, progress);
    return relax_with(panels);
  }
  return relax_with(symmetric_panels<paired_entries>(entries, words, blocks, memory, space_));
}

}  // namespace apsp::inline v1::detail::cuda
