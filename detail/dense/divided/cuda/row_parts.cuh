// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/workspace.cuh"
#include "../../closures/cuda/pivot_blocks.cuh"
#include "../../closures/cuda/row_panels.cuh"
#include "row_exchange.hpp"

// The schedule of Floyd–Warshall if the rows of a matrix are divided among several devices, of one
// process or of several.
namespace apsp::inline v1::detail::cuda {

/// The rows of one device, and what relaxes them there. The device is selected where an object is
/// constructed.
/// @tparam Panels  `row_panels`, or `symmetric_panels` if the matrix is symmetric. In addition to
///                 what `relax_over_blocks` needs they have `received_rows(block)`, where the rows
///                 or the panel of a block of another part are to be stored, with `width()` words
///                 in a row, and `held_rows(block)` and `packed_rows(block, stream)`, which are
///                 those of a block of this part.
template <class Panels>
struct row_part {
  using entries_type = typename Panels::entries_type;
  using word = typename Panels::word;

  /// @param matrix  from the rows held on
  /// @param memory  as that of the panels
  row_part(const device_workspace& space, const entries_type& how, const panel_matrix<word>& matrix,
           const pivot_blocks& blocks, const row_range& held, word* memory)
      : device(space.device),
        stream(space.stream.get()),
        rows(held),
        entries(how),
        panels(entries, matrix, blocks, held, memory, stream),
        ahead(stream, stream_priority::highest) {}
  row_part(const row_part&) = delete;
  row_part& operator=(const row_part&) = delete;

  int device;
  cudaStream_t stream;
  row_range rows;
  entries_type entries;
  Panels panels;
  side_stream ahead;       ///< for the next block of pivots
  event_handle published;  ///< the rows of the last block of this part are with the others
  event_handle received;   ///< those of the last block of another process are here
  event_handle sent;       ///< the columns of the last block of another part are there
  event_handle closed;     ///< no columns of the last block of this part are read any more
  std::array<event_handle, 2> relaxed;  ///< the rows over the last block of either number
};

/// The parts of a matrix, one after the other; null for those of other processes.
template <class Panels>
using row_parts = std::vector<std::unique_ptr<row_part<Panels>>>;

/// Relaxes a matrix over all blocks of pivots, as `relax_over_blocks` does on one device. The bits
/// of the result do not depend on the number of parts: every entry is the best of the same sums.
///
/// A part relaxes its rows over a block with copies of the rows of the pivots, and with its own
/// columns of the pivots as they were before. So only rows are copied between devices, and this
/// takes place while all devices relax over the block before.
///
/// Of a symmetric matrix, the parts before that of the pivots have the columns of the pivots, which
/// they relax and copy to that part first.
template <class Panels>
class parts_relaxation {
  using Entries = typename Panels::entries_type;
  using word = typename Panels::word;
  using part_type = row_part<Panels>;

 public:
  /// @param rows      of each part
  /// @param exchange  with the processes that have the other parts, and null if there are none. A
  ///                  process then has one part. Those of a symmetric matrix have no exchange.
  parts_relaxation(row_parts<Panels>& parts, const std::vector<row_range>& rows,
                   const pivot_blocks& blocks, std::size_t num_vertices, row_exchange* exchange)
      : parts_(parts),
        rows_(rows),
        blocks_(blocks),
        num_vertices_(num_vertices),
        exchange_(exchange) {}
  /// No device may release memory that another one still reads.
  ~parts_relaxation() {
    for (const auto& part : parts_) {
      if (part == nullptr) continue;
      const device_guard guard(part->device, std::nothrow);
      forget(cudaStreamSynchronize(part->ahead.get()));
      forget(cudaStreamSynchronize(part->stream));
    }
  }
  parts_relaxation(const parts_relaxation&) = delete;
  parts_relaxation& operator=(const parts_relaxation&) = delete;

  /// @return false if the monitor of the call requested a stop, with several processes that of one.
  bool run(device_progress& progress) {
    pivot_block next = blocks_.from(0);
    attempt([&] {
      for (const auto& part : parts_) {
        if (part == nullptr) continue;
        const device_guard guard(part->device);
        part->ahead.wait_for_main();
        // The memory for received rows is there.
        for (const event_handle& relaxed : part->relaxed) {
          APSP_CUDA_CHECK(cudaEventRecord(relaxed.get(), part->stream));
        }
        APSP_CUDA_CHECK(cudaEventRecord(part->closed.get(), part->stream));
      }
    });
    bool goes_on = close(next);
    while (goes_on) {
      const pivot_block block = next;
      next = blocks_.from(block.begin + block.count);
      attempt([&] { relax(block, next); });
      if (next.count != 0 && !close(next)) return false;
      attempt([&] {
        goes_on =
            progress.step(pivots_before(block.begin + block.count) - pivots_before(block.begin));
      });
      if (next.count == 0) break;
      // Several processes end together, in `close`.
      stops_ = !goes_on;
      goes_on = goes_on || exchange_ != nullptr;
    }
    if (goes_on || exchange_ != nullptr) attempt([&] { goes_on = progress.finish(); });
    stops_ = !goes_on;
    return all_go_on();
  }

 private:
  /// Calls f(). A failure of one of several processes is thrown by `all_go_on` on all of them;
  /// until then that process only takes part in the exchange.
  template <class F>
  void attempt(F f) {
    if (failure_ == nullptr) keep_failure(f);
  }
  template <class F>
  void keep_failure(F f) {
    if (exchange_ == nullptr) return f();
    try {
      f();
    } catch (...) {
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }
  bool all_go_on() {
    return exchange_ == nullptr ? !stops_ : exchange_->all_go_on(stops_, failure_);
  }

  /// The part that has the rows of a block.
  std::size_t owner_of(const pivot_block& block) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const row_range& rows) { return rows.contains(block); });
    return static_cast<std::size_t>(found - rows_.begin());
  }
  /// Null if it belongs to another process, or if there is no such block.
  part_type* part_with(const pivot_block& block) const {
    const std::size_t owner = owner_of(block);
    return owner < parts_.size() ? parts_[owner].get() : nullptr;
  }
  /// The last tiles may have no vertices.
  std::size_t pivots_before(int tile) const {
    return std::min(num_vertices_, static_cast<std::size_t>(tile) * Entries::tile);
  }
  std::size_t slot_of(const pivot_block& block) const { return blocks_.number_of(block) % 2; }

  /// Relaxes all rows over a block, and those of the next block first.
  void relax(const pivot_block& block, const pivot_block& next) {
    part_type* const owner = part_with(block);
    part_type* const next_owner = part_with(next);
    for (const auto& part : parts_) {
      if (part == nullptr) continue;
      const device_guard guard(part->device);
      if (part.get() != owner) {
        const event_handle& there = owner != nullptr ? owner->published : part->received;
        APSP_CUDA_CHECK(cudaStreamWaitEvent(part->stream, there.get()));
      }
      if (part->rows.count != 0) {
        part->panels.copy_operands(block);
        const bool has_columns_of_next = Panels::are_symmetric && part->rows.begin <= next.begin;
        if (next.count != 0 && (part.get() == next_owner || has_columns_of_next)) {
          part->ahead.wait_for_main();
          part->panels.relax_next(block, next, part->ahead.get());
        }
        part->panels.relax_others(block, next);
      }
      APSP_CUDA_CHECK(cudaEventRecord(part->relaxed[slot_of(block)].get(), part->stream));
    }
  }

  /// Closes the rows of a block, which have been relaxed over those before, and copies them to all
  /// parts.
  /// @return false if a process stops.
  bool close(const pivot_block& block) {
    if (!all_go_on()) return false;
    part_type* const owner = part_with(block);
    if (owner == nullptr) {
      receive(block);
    } else {
      publish(block, *owner);
    }
    return true;
  }

  static std::size_t depth_of(const pivot_block& block) {
    return static_cast<std::size_t>(block.count) * Entries::tile;
  }
  std::size_t bytes_of(const pivot_block& block, const part_type& part) const {
    return depth_of(block) * part.panels.width() * sizeof(word);
  }

  void publish(const pivot_block& block, part_type& owner) {
    const cudaStream_t on = owner.ahead.get();
    word* rows = owner.panels.held_rows(block);
    const std::size_t bytes = bytes_of(block, owner);
    attempt([&] {
      if constexpr (Panels::are_symmetric) send_columns(block, owner);
      const device_guard guard(owner.device);
      owner.panels.close(block, on);
      APSP_CUDA_CHECK(cudaEventRecord(owner.closed.get(), on));
      rows = owner.panels.packed_rows(block, on);
      for (const auto& part : parts_) {
        if (part == nullptr || part.get() == &owner) continue;
        // They take the place of the rows of the block before the last.
        APSP_CUDA_CHECK(cudaStreamWaitEvent(on, part->relaxed[slot_of(block)].get()));
        if constexpr (Panels::are_symmetric) {
          if (part->rows.count != 0) send_panel(block, owner, *part);
        } else {
          APSP_CUDA_CHECK(cudaMemcpyPeerAsync(part->panels.received_rows(block), part->device, rows,
                                              owner.device, bytes, on));
        }
      }
    });
    exchange(rows, bytes, owner_of(block), owner);
    attempt([&] {
      const device_guard guard(owner.device);
      APSP_CUDA_CHECK(cudaEventRecord(owner.published.get(), on));
      owner.ahead.let_main_wait();
      if constexpr (Panels::are_symmetric) use_panels(block, owner);
    });
  }

  /// Words that are a rectangle of a matrix.
  struct rectangle {
    word* words;
    std::size_t pitch;
    int device;
  };
  static void copy(const rectangle& from, const rectangle& to, std::size_t width, std::size_t rows,
                   cudaStream_t on) {
    const std::size_t row_bytes = width * sizeof(word);
    cudaMemcpy3DPeerParms copy{};
    copy.srcDevice = from.device;
    copy.srcPtr = make_cudaPitchedPtr(from.words, from.pitch * sizeof(word), row_bytes, rows);
    copy.dstDevice = to.device;
    copy.dstPtr = make_cudaPitchedPtr(to.words, to.pitch * sizeof(word), row_bytes, rows);
    copy.extent = make_cudaExtent(row_bytes, rows, 1);
    APSP_CUDA_CHECK(cudaMemcpy3DPeerAsync(&copy, on));
  }
  /// Copies the panel from the first column of a part on.
  void send_panel(const pivot_block& block, const part_type& owner, const part_type& part) {
    const std::size_t width = owner.panels.width();
    const std::size_t first = static_cast<std::size_t>(part.rows.begin) * Entries::tile_words;
    copy({owner.panels.received_rows(block) + first, width, owner.device},
         {part.panels.received_rows(block) + first, width, part.device}, width - first,
         depth_of(block), owner.ahead.get());
  }
  /// Brings the columns of the pivots to the part that has their rows.
  void send_columns(const pivot_block& block, part_type& owner) {
    for (const auto& part : parts_) {
      if (part == nullptr || part->rows.count == 0 || part->rows.begin >= owner.rows.begin)
        continue;
      const cudaStream_t on = part->ahead.get();
      {
        const device_guard guard(part->device);
        const auto columns = part->panels.gather_columns(block, on);
        APSP_CUDA_CHECK(cudaStreamWaitEvent(on, owner.closed.get()));
        copy({columns.words, columns.width, part->device},
             {owner.panels.gathered_columns(part->rows), owner.panels.width(), owner.device},
             columns.width, depth_of(block), on);
        APSP_CUDA_CHECK(cudaEventRecord(part->sent.get(), on));
      }
      const device_guard guard(owner.device);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(owner.ahead.get(), part->sent.get()));
    }
  }
  /// Makes the panel that is there the operands of all other parts.
  void use_panels(const pivot_block& block, const part_type& owner) {
    for (const auto& part : parts_) {
      if (part == nullptr || part.get() == &owner || part->rows.count == 0) continue;
      const device_guard guard(part->device);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(part->ahead.get(), owner.published.get()));
      part->panels.use_panel(block, part->ahead.get());
      part->ahead.let_main_wait();
    }
  }
  void receive(const pivot_block& block) {
    part_type& here = *parts_[exchange_->rank()];
    const cudaStream_t on = here.ahead.get();
    attempt([&] {
      const device_guard guard(here.device);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(on, here.relaxed[slot_of(block)].get()));
    });
    exchange(here.panels.received_rows(block), bytes_of(block, here), owner_of(block), here);
    attempt([&] {
      const device_guard guard(here.device);
      APSP_CUDA_CHECK(cudaEventRecord(here.received.get(), on));
    });
  }
  void exchange(word* rows, std::size_t bytes, std::size_t owner, const part_type& here) {
    if (exchange_ == nullptr) return;
    keep_failure([&] {
      const device_guard guard(here.device);
      exchange_->broadcast(rows, bytes, owner, here.ahead.get());
    });
  }

  row_parts<Panels>& parts_;
  const std::vector<row_range>& rows_;
  pivot_blocks blocks_;
  std::size_t num_vertices_;
  row_exchange* exchange_;
  bool stops_ = false;
  std::exception_ptr failure_;
};

}  // namespace apsp::inline v1::detail::cuda
