// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "../../device/check.cuh"
#include "../../device/progress.cuh"
#include "../../device/side_stream.cuh"
#include "../../device/workspace.cuh"
#include "pivot_blocks.cuh"
#include "row_panels.cuh"

// The schedule of Floyd–Warshall if the rows of a matrix are divided among several devices.
namespace apsp::detail::cuda {

/// The rows of one device, and what relaxes them there. The device is selected where an object is
/// constructed.
template <class Entries>
struct row_part {
  using word = typename Entries::word;

  /// @param words   the rows
  /// @param memory  as that of `row_panels`
  row_part(const device_workspace& space, const Entries& how, word* words, std::size_t extent,
           const pivot_blocks& blocks, const row_range& held, word* memory)
      : device(space.device),
        stream(space.stream.get()),
        rows(held),
        entries(how),
        panels(entries, words, nullptr, extent, extent, blocks, held, memory, stream),
        ahead(stream, stream_priority::highest) {}
  row_part(const row_part&) = delete;
  row_part& operator=(const row_part&) = delete;

  int device;
  cudaStream_t stream;
  row_range rows;
  Entries entries;
  row_panels<Entries> panels;
  side_stream ahead;                    ///< for the next block of pivots, if this part has it
  event_handle published;               ///< the others have the rows of the last block of this part
  std::array<event_handle, 2> relaxed;  ///< the rows over the last block of either number
};

/// The parts of a matrix, one after the other.
template <class Entries>
using row_parts = std::vector<std::unique_ptr<row_part<Entries>>>;

/// Relaxes a matrix over all blocks of pivots, as `relax_over_blocks` does on one device. The bits of
/// the result do not depend on the number of parts: every entry is the best of the same sums.
///
/// A part relaxes its rows over a block with copies of the rows of the pivots, and with its own
/// columns of the pivots as they were before. So only rows are copied between devices, and this
/// takes place while all devices relax over the block before.
/// @return false if the monitor of the call requested a stop.
template <class Entries>
class parts_relaxation {
  using word = typename Entries::word;

 public:
  parts_relaxation(row_parts<Entries>& parts, const pivot_blocks& blocks, std::size_t num_vertices)
      : parts_(parts), blocks_(blocks), num_vertices_(num_vertices) {}
  /// No device may release memory that another one still reads.
  ~parts_relaxation() {
    for (const auto& part : parts_) {
      const device_guard guard(part->device, std::nothrow);
      forget(cudaStreamSynchronize(part->ahead.get()));
      forget(cudaStreamSynchronize(part->stream));
    }
  }
  parts_relaxation(const parts_relaxation&) = delete;
  parts_relaxation& operator=(const parts_relaxation&) = delete;

  bool run(device_progress& progress) {
    pivot_block block = blocks_.from(0);
    {
      row_part<Entries>& first = *part_with(block);
      const device_guard guard(first.device);
      first.panels.close(block, first.stream);
      publish(block, first, first.stream);
    }
    for (;;) {
      const pivot_block next = blocks_.from(block.begin + block.count);
      relax(block, next);
      const std::size_t first_pivot = static_cast<std::size_t>(block.begin) * Entries::tile;
      const std::size_t num_pivots = next.count == 0
                                         ? num_vertices_ - first_pivot
                                         : static_cast<std::size_t>(block.count) * Entries::tile;
      if (!progress.step(num_pivots)) return false;
      if (next.count == 0) return progress.finish();
      block = next;
    }
  }

 private:
  row_part<Entries>* part_with(const pivot_block& block) const {
    for (const auto& part : parts_) {
      if (part->rows.contains(block)) return part.get();
    }
    return nullptr;
  }
  std::size_t slot_of(const pivot_block& block) const {
    return static_cast<std::size_t>(block.begin / blocks_.tiles_per_block % 2);
  }

  /// Relaxes all rows over a block, and those of the next block first, which are then closed.
  void relax(const pivot_block& block, const pivot_block& next) {
    row_part<Entries>* const owner = part_with(block);
    row_part<Entries>* const next_owner = part_with(next);
    for (const auto& part : parts_) {
      const device_guard guard(part->device);
      if (part.get() != owner) {
        APSP_CUDA_CHECK(cudaStreamWaitEvent(part->stream, owner->published.get()));
      }
      part->panels.copy_operands(block);
      if (part.get() == next_owner) {
        part->ahead.wait_for_main();
        part->panels.relax_next(block, next, part->ahead.get());
      }
      part->panels.relax_others(block, next);
      APSP_CUDA_CHECK(cudaEventRecord(part->relaxed[slot_of(block)].get(), part->stream));
    }
    if (next_owner == nullptr) return;
    const device_guard guard(next_owner->device);
    next_owner->panels.close(next, next_owner->ahead.get());
    publish(next, *next_owner, next_owner->ahead.get());
    next_owner->ahead.let_main_wait();
  }

  /// Copies the closed rows of a block to all parts but @p owner, which has them.
  void publish(const pivot_block& block, row_part<Entries>& owner, cudaStream_t on) {
    for (const auto& part : parts_) {
      if (part.get() == &owner) continue;
      // They take the place of the rows of the block before the last.
      APSP_CUDA_CHECK(cudaStreamWaitEvent(on, part->relaxed[slot_of(block)].get()));
      const std::size_t words =
          static_cast<std::size_t>(block.count) * Entries::tile * owner.panels.width();
      APSP_CUDA_CHECK(cudaMemcpyPeerAsync(part->panels.received_rows(block), part->device,
                                          owner.panels.held_rows(block), owner.device,
                                          words * sizeof(word), on));
    }
    APSP_CUDA_CHECK(cudaEventRecord(owner.published.get(), on));
  }

  row_parts<Entries>& parts_;
  pivot_blocks blocks_;
  std::size_t num_vertices_;
};

}  // namespace apsp::detail::cuda
