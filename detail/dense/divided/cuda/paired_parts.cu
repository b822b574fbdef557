// SPDX-License-Identifier: BSL-1.0
#include "paired_parts.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "../../closures/cuda/paired_entries.cuh"
#include "../../closures/cuda/pivot_blocks.cuh"
#include "../../closures/cuda/row_panels.cuh"
#include "../../closures/cuda/symmetric_panels.cuh"
#include "row_parts.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

std::size_t most_pivots(const pivot_blocks& blocks) {
  return static_cast<std::size_t>(blocks.tiles_per_block) * tile;
}

}  // namespace

struct paired_parts::state {
  state(std::size_t n, const pivot_blocks& of_pivots, const std::vector<row_range>& of_parts,
        bool is_symmetric, row_exchange* with_processes)
      : num_vertices(n),
        blocks(of_pivots),
        rows(of_parts),
        symmetric(is_symmetric),
        exchange(with_processes),
        whole_rows(is_symmetric ? 0 : rows.size()),
        upper_rows(is_symmetric ? rows.size() : 0) {}

  template <class Panels>
  void hold(row_parts<Panels>& parts, std::size_t number, const device_workspace& space,
            distance_pair* words, std::size_t pitch, distance_pair* panels) {
    const std::size_t pivots = most_pivots(blocks);
    parts[number] = std::make_unique<row_part<Panels>>(
        space, paired_entries(space, panels, pivots),
        panel_matrix<distance_pair>{.words = words,
                                    .pitch = pitch,
                                    .extent = static_cast<std::size_t>(blocks.num_tiles) * tile},
        blocks, rows[number], panels + paired_entries::scratch_words(pivots));
  }
  template <class Panels>
  bool run(row_parts<Panels>& parts, device_progress& progress) {
    return parts_relaxation<Panels>(parts, rows, blocks, num_vertices, exchange).run(progress);
  }

  std::size_t num_vertices;
  pivot_blocks blocks;
  std::vector<row_range> rows;
  bool symmetric;
  row_exchange* exchange;
  // Only the parts of the kind that `symmetric` says exist.
  row_parts<row_panels<paired_entries>> whole_rows;
  row_parts<symmetric_panels<paired_entries>> upper_rows;
};

paired_parts::paired_parts(std::size_t num_vertices, const pivot_blocks& blocks,
                           const std::vector<row_range>& rows, bool symmetric,
                           row_exchange* exchange)
    : state_(new state(num_vertices, blocks, rows, symmetric, exchange)) {}

paired_parts::~paired_parts() = default;

std::size_t paired_parts::panel_bytes(const pivot_blocks& blocks, const row_range& rows,
                                      bool symmetric) {
  const std::size_t words = symmetric ? symmetric_panels<paired_entries>::words(blocks, rows)
                                      : row_panels<paired_entries>::words(blocks, rows);
  return (paired_entries::scratch_words(most_pivots(blocks)) + words) * sizeof(distance_pair);
}

void paired_parts::hold(std::size_t number, const device_workspace& space, distance_pair* rows,
                        std::size_t pitch, distance_pair* panels) {
  if (state_->symmetric) {
    state_->hold(state_->upper_rows, number, space, rows, pitch, panels);
  } else {
    state_->hold(state_->whole_rows, number, space, rows, pitch, panels);
  }
}

bool paired_parts::run(device_progress& progress) {
  return state_->symmetric ? state_->run(state_->upper_rows, progress)
                           : state_->run(state_->whole_rows, progress);
}

}  // namespace apsp::inline v1::detail::cuda
