// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

#include "../../../../apsp/error.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/context.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/stream.cuh"
#include "../../../device/transfer.cuh"
#include "../../../device/workspace.cuh"
#include "../../../host/monitor.hpp"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../checkpoints/checkpoint.hpp"
#include "../../closures/cuda/pivot_blocks.cuh"
#include "../../closures/cuda/plain_entries.cuh"
#include "../../closures/cuda/row_panels.cuh"
#include "row_solver.hpp"

// Floyd–Warshall of a matrix in host memory that is larger than the memory of a device.
namespace apsp::inline v1::detail::cuda {

struct stream_tuning {
  /// Buffers for rows that are on their way: while some are relaxed, others come and go.
  std::size_t buffers = 3;
  /// Rows of a buffer, at least: a product with fewer would leave multiprocessors idle.
  std::size_t rows_per_chunk = 1024;
  /// With so many pivots in a pass, its transfers take a fraction of the time of its products.
  std::size_t most_pivots = 16384;
};
inline constexpr stream_tuning streaming{};

/// Sets the last @p count columns of some rows.
template <class T>
__global__ void fill_columns_kernel(T* rows, std::size_t pitch, std::size_t num_rows,
                                    std::size_t first, std::size_t count, T value) {
  for (std::size_t i = first_index(); i < num_rows * count; i += index_stride()) {
    rows[i / count * pitch + first + i % count] = value;
  }
}

/// How the rows of a matrix pass through devices: in chunks. A pass relaxes all chunks over the
/// pivots of some of them.
struct chunk_plan {
  std::size_t num_vertices;
  std::size_t extent;
  std::size_t rows_per_chunk;
  std::size_t chunks_per_pass;  ///< whose rows are the pivots of a pass
  std::size_t first_chunk = 0;  ///< whose rows are the first pivots of the first pass
  std::size_t num_devices = 1;

  std::size_t num_chunks() const { return (extent + rows_per_chunk - 1) / rows_per_chunk; }
  std::size_t num_passes() const {
    return (num_chunks() - first_chunk + chunks_per_pass - 1) / chunks_per_pass;
  }
  std::size_t first_of_pass(std::size_t pass) const {
    return std::min(first_chunk + pass * chunks_per_pass, num_chunks());
  }
  /// The pivots before those of a pass.
  std::size_t pivots_before(std::size_t pass) const {
    return std::min(num_vertices, first_row(first_of_pass(pass)));
  }
  std::size_t num_pivot_chunks(std::size_t pass) const {
    return first_of_pass(pass + 1) - first_of_pass(pass);
  }
  bool is_pivot(std::size_t pass, std::size_t chunk) const {
    return pass < num_passes() && chunk >= first_of_pass(pass) && chunk < first_of_pass(pass + 1);
  }
  /// The device that closes the pivots of a pass.
  std::size_t owner(std::size_t pass) const { return pass % num_devices; }
  /// Calls f(chunk) for the chunks that a device relaxes in a pass: all that are not pivots,
  /// beginning with those that the next pass needs first. The owner of the next pass has its
  /// pivots, which take as long to be closed as to be relaxed; the others have twice as many
  /// chunks, if there are enough.
  template <class F>
  void for_each_relaxed(std::size_t pass, std::size_t device, F f) const {
    const std::size_t next_owner = owner(pass + 1);
    const std::size_t kept = num_pivot_chunks(pass + 1);
    std::size_t i = 0;
    const auto device_of_next = [&] {
      const std::size_t k = i++;
      if (k < kept) return next_owner;
      // The other devices take turns first, and then all of them.
      const std::size_t others = num_devices - 1;
      const std::size_t even = kept + 2 * kept * others;
      if (k < even) return (next_owner + 1 + (k - kept) % others) % num_devices;
      return (next_owner + k - even) % num_devices;
    };
    const auto visit = [&](std::size_t chunk) {
      if (device_of_next() == device) f(chunk);
    };
    for (std::size_t c = first_of_pass(pass + 1); c < num_chunks(); ++c) visit(c);
    for (std::size_t c = 0; c < first_of_pass(pass); ++c) visit(c);
  }
  std::size_t first_row(std::size_t chunk) const { return chunk * rows_per_chunk; }
  /// Rows of a chunk, with those after the last vertex.
  std::size_t padded_rows(std::size_t chunk) const {
    return std::min(rows_per_chunk, extent - first_row(chunk));
  }
  std::size_t rows(std::size_t chunk) const {
    return std::min(rows_per_chunk, num_vertices - std::min(num_vertices, first_row(chunk)));
  }
};

/// What the devices of a call share. Members are accessed under `mutex`.
struct shared_passes {
  explicit shared_passes(const chunk_plan& plan)
      : in_host(plan.num_chunks()), written(plan.num_devices) {}

  /// The pivots of a pass, once they are closed.
  struct closed_pivots {
    const void* words;
    int device;
    cudaEvent_t closed;
  };

  void end() {
    const std::lock_guard lock(mutex);
    is_over = true;
    changed.notify_all();
  }

  /// All rows in host memory are relaxed over the pivots before this one.
  std::size_t pivots_in_host(const chunk_plan& plan) const {
    return plan.pivots_before(*std::min_element(in_host.begin(), in_host.end()));
  }
  /// The passes whose chunks are all in host memory, or kept by the owner of the next one.
  std::size_t passes_written() const { return *std::min_element(written.begin(), written.end()); }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::size_t> in_host;       ///< for each chunk, the passes that are in its host rows
  std::vector<std::size_t> written;       ///< for each device, the passes that it has written
  std::size_t passes_closed = 0;          ///< whose pivots are closed
  std::array<closed_pivots, 2> pivots{};  ///< of passes of either number
  std::size_t writing = 0;                ///< devices that write to host rows
  bool is_copying = false;                ///< The host rows are copied to a file.
  bool is_over = false;                   ///< A device has failed, or the call is stopped.
};

/// A matrix in host memory is relaxed in passes. The pivots of a pass are closed in device memory;
/// all other rows come from the host chunk by chunk, are relaxed over them with one product, and go
/// back. The pivots of the next pass are the first that are relaxed, and remain on the device. Host
/// threads copy in both directions meanwhile. Source of the idea: Sao et al. 2021.
///
/// An object is the part of one device. With several, they take turns in closing pivots, which the
/// others copy, and each has its share of the other rows.
///
/// @tparam T  of the entries
/// @tparam Tuning  of the products
template <class T, class Tuning>
class streamed_rows {
  static constexpr std::size_t tile = tile_size(Tuning::shape);

 public:
  /// The plan for a call that may use @p bytes of device memory.
  /// @throws device_error if no plan needs so little.
  static chunk_plan plan_for(std::size_t num_vertices, const pivot_blocks& blocks,
                             std::size_t bytes) {
    const auto block = static_cast<std::size_t>(blocks.tiles_per_block) * tile;
    chunk_plan plan{num_vertices, static_cast<std::size_t>(blocks.num_tiles) * tile, block, 1};
    if (bytes_of(plan, blocks) > bytes) throw device_error(bytes_of(plan, blocks), bytes);
    const auto try_plan = [&](const chunk_plan& larger) {
      const bool fits = bytes_of(larger, blocks) <= bytes;
      if (fits) plan = larger;
      return fits;
    };
    chunk_plan larger = plan;
    while (larger.rows_per_chunk < streaming.rows_per_chunk &&
           2 * larger.rows_per_chunk <= larger.extent) {
      larger.rows_per_chunk *= 2;
      if (!try_plan(larger)) break;
    }
    larger = plan;
    while (larger.chunks_per_pass < larger.num_chunks() &&
           (larger.chunks_per_pass + 1) * larger.rows_per_chunk <= streaming.most_pivots) {
      ++larger.chunks_per_pass;
      if (!try_plan(larger)) break;
    }
    return plan;
  }

  static std::size_t bytes_of(const chunk_plan& plan, const pivot_blocks& blocks) {
    const std::size_t pivots = pivot_rows(plan);
    const std::size_t words = (2 * pivots + streaming.buffers * plan.rows_per_chunk) * plan.extent +
                              plan.rows_per_chunk * pivots + panel_words(plan, blocks);
    return saturated_product(words, sizeof(T));
  }

  /// @param number  of the device among those of the plan
  streamed_rows(device_workspace& space, const chunk_plan& plan, std::size_t number,
                const pivot_blocks& blocks)
      : space_(space),
        number_(number),
        plan_(plan),
        blocks_(blocks),
        ahead_(space.stream.get(), stream_priority::highest),
        incoming_(stream_priority::ordinary),
        outgoing_(stream_priority::ordinary) {
    for (transfer_lanes& lanes : lanes_) {
      lanes.share_cores(static_cast<int>(lanes_.size() * plan.num_devices));
    }
    for (slot& pivots : pivots_) pivots.words = allocate(pivot_rows(plan) * plan.extent);
    for (slot& buffer : buffers_) {
      buffer.words = allocate(plan.rows_per_chunk * plan.extent);
    }
    columns_ = allocate(plan.rows_per_chunk * pivot_rows(plan));
    panels_ = allocate(panel_words(plan, blocks));
  }

  /// Relaxes the share of this device of the rows, in place. Entries after the last vertex are
  /// `zero`. If @p watch requests a stop, or another device fails, `is_over` is set, and the rows
  /// are unspecified.
  /// @param plan  the same with another first chunk
  template <class Algebra>
  void solve(const chunk_plan& plan, shared_passes& passes, const Algebra& algebra,
             const row_problem<T>& problem, monitor& watch) {
    const plain_entries<Algebra, Tuning> entries(algebra, problem.floor, panels_.get(), nullptr);
    plan_ = plan;
    passes_ = &passes;
    problem_ = problem;
    for (slot& buffer : buffers_) free_.push(&buffer);
    const shared_context context;
    std::thread reader;
    std::thread writer;
    try {
      reader = std::thread([&] { guarded(context, [&] { read_chunks(); }); });
      writer = std::thread([&] { guarded(context, [&] { write_chunks(watch); }); });
      relax_passes(entries, watch);
    } catch (...) {
      fail(std::current_exception());
    }
    for (std::thread* thread : {&reader, &writer}) {
      if (thread->joinable()) thread->join();
    }
    // Another device may release what this one copies.
    for (const cudaStream_t stream : {incoming_.get(), outgoing_.get(), space_.stream.get()}) {
      forget(cudaStreamSynchronize(stream));
    }
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  static std::size_t scratch_words(const pivot_blocks& blocks) {
    return entry_scratch_words<Tuning>(static_cast<std::size_t>(blocks.tiles_per_block) * tile);
  }
  /// Rows in device memory, and the last work on them.
  struct slot {
    device_buffer<T> words;
    event_handle done;
  };
  /// A chunk in device memory.
  struct job {
    std::size_t chunk;
    slot* where;
    T* words;
  };

  static std::size_t pivot_rows(const chunk_plan& plan) {
    return plan.rows_per_chunk * std::min(plan.chunks_per_pass, plan.num_chunks());
  }
  static std::size_t panel_words(const chunk_plan& plan, const pivot_blocks& blocks) {
    return scratch_words(blocks) +
           panel_words_of_rows(plan.extent, pivot_rows(plan),
                               static_cast<std::size_t>(blocks.tiles_per_block) * tile, false);
  }
  device_buffer<T> allocate(std::size_t count) const { return space_.template allocate<T>(count); }

  slot& pivots_of(std::size_t pass) { return pivots_[pass % 2]; }

  bool owns(std::size_t pass) const { return plan_.owner(pass) == number_; }
  /// Calls f(pass, chunk) for the chunks that come from the host, in this order: the pivots of the
  /// first pass, and those that are relaxed in every pass.
  template <class F>
  void for_each_read(F f) const {
    if (owns(0)) {
      for (std::size_t c = plan_.first_of_pass(0); c < plan_.first_of_pass(1); ++c) {
        f(std::size_t{0}, c);
      }
    }
    for (std::size_t pass = 0; pass < plan_.num_passes(); ++pass) {
      plan_.for_each_relaxed(pass, number_, [&](std::size_t c) { f(pass, c); });
    }
  }
  /// The pivots of a pass may take the place of those of the last pass but one: these have gone to
  /// the host, and no product or copy reads them.
  bool has_room_for_pivots(std::size_t pass) const { return passes_->passes_written() + 1 >= pass; }

  // The three threads.

  void read_chunks() {
    for_each_read([&](std::size_t pass, std::size_t chunk) {
      // No pass relaxes its own pivots, so these come before the first one.
      const bool is_first_pivot = pass == 0 && plan_.is_pivot(0, chunk);
      const std::size_t pivots_of_pass = is_first_pivot ? 0 : pass + 1;
      const bool becomes_pivot = is_first_pivot || plan_.is_pivot(pass + 1, chunk);
      job next{chunk, nullptr, nullptr};
      {
        std::unique_lock lock(passes_->mutex);
        passes_->changed.wait(lock, [&] {
          if (passes_->is_over) return true;
          if (passes_->in_host[chunk] < pass) return false;
          return becomes_pivot ? has_room_for_pivots(pivots_of_pass) : !free_.empty();
        });
        if (passes_->is_over) return;
        if (becomes_pivot) {
          next.where = &pivots_of(pivots_of_pass);
          next.words = pivot_words(pivots_of_pass, chunk);
        } else {
          next.where = free_.front();
          free_.pop();
          next.words = next.where->words.get();
        }
      }
      bring(next);
      push(arrived_, next);
    });
  }

  /// The place of a chunk among the pivots of a pass.
  T* pivot_words(std::size_t pass, std::size_t chunk) {
    return pivots_of(pass).words.get() +
           (chunk - plan_.first_of_pass(pass)) * plan_.rows_per_chunk * plan_.extent;
  }

  /// Copies a chunk to the device.
  void bring(const job& next) {
    const std::size_t num_rows = plan_.rows(next.chunk);
    const std::size_t padded_rows = plan_.padded_rows(next.chunk);
    const cudaStream_t on = incoming_.get();
    const std::size_t padding = plan_.extent - plan_.num_vertices;
    if (padded_rows != num_rows) {
      const std::size_t count = padded_rows * plan_.extent;
      launch("fill_kernel", {space_.setup_blocks(count), setup.threads, on}, fill_kernel<T>,
             next.words, count, problem_.zero);
    } else if (padding != 0) {
      launch("fill_columns_kernel", {space_.setup_blocks(num_rows * padding), setup.threads, on},
             fill_columns_kernel<T>, next.words, plan_.extent, num_rows, plan_.num_vertices,
             padding, problem_.zero);
    }
    upload_rows(lanes_[0], on, {next.words, plan_.extent, num_rows, plan_.num_vertices},
                problem_.rows + plan_.first_row(next.chunk));
    // Waited for here, so that an event of the slot has one meaning for the other threads.
    APSP_CUDA_CHECK(cudaStreamSynchronize(on));
  }

  template <class Entries>
  void relax_passes(const Entries& entries, monitor& watch) {
    if (owns(0)) {
      take_pivots(0);
      close(entries, 0);
    }
    for (std::size_t pass = 0; pass < plan_.num_passes(); ++pass) {
      if (owns(pass)) {
        for (std::size_t c = plan_.first_of_pass(pass); c < plan_.first_of_pass(pass + 1); ++c) {
          push(relaxed_, {c, &pivots_of(pass), pivot_words(pass, c)});
        }
      } else if (!copy_pivots(pass)) {
        return;
      }
      // The other devices need the next pivots while this one relaxes its other chunks.
      std::size_t pivots_to_relax = owns(pass + 1) ? plan_.num_pivot_chunks(pass + 1) : 0;
      bool is_complete = true;
      plan_.for_each_relaxed(pass, number_, [&](std::size_t) {
        if (!is_complete || watch.stop_requested()) {
          is_complete = false;
          return;
        }
        const std::optional<job> next = pop(arrived_);
        if (!next) {
          is_complete = false;
          return;
        }
        relax(entries, pass, *next);
        if (!plan_.is_pivot(pass + 1, next->chunk)) return push(relaxed_, *next);
        if (--pivots_to_relax == 0) close(entries, pass + 1);
      });
      if (!is_complete) return passes_->end();
    }
  }
  void take_pivots(std::size_t pass) {
    for (std::size_t c = plan_.first_of_pass(pass); c < plan_.first_of_pass(pass + 1); ++c) {
      if (!pop(arrived_)) return;
    }
  }

  /// Closes the pivots of a pass, for all devices.
  template <class Entries>
  void close(const Entries& entries, std::size_t pass) {
    const auto tiles_of_chunk = static_cast<int>(plan_.rows_per_chunk / tile);
    const int begin = static_cast<int>(plan_.first_of_pass(pass)) * tiles_of_chunk;
    const int end = std::min(blocks_.num_tiles,
                             static_cast<int>(plan_.first_of_pass(pass + 1)) * tiles_of_chunk);
    const row_range held{begin, end - begin};
    row_panels<Entries> panels(
        entries,
        {.words = pivots_of(pass).words.get(), .pitch = plan_.extent, .extent = plan_.extent},
        blocks_, held, panels_.get() + scratch_words(blocks_), space_.stream.get());
    monitor nobody(unobserved{});
    device_progress progress(nobody, space_.stream.get());
    static_cast<void>(
        relax_over_blocks(panels, {{end, blocks_.tiles_per_block}, tile, plan_.num_vertices, begin},
                          ahead_, space_.stream.get(), progress));
    slot& closed = pivots_of(pass);
    APSP_CUDA_CHECK(cudaEventRecord(closed.done.get(), space_.stream.get()));
    const std::lock_guard lock(passes_->mutex);
    passes_->pivots[pass % 2] = {closed.words.get(), space_.device, closed.done.get()};
    passes_->passes_closed = pass + 1;
    passes_->changed.notify_all();
  }
  /// @return false if the call has failed or is stopped.
  bool copy_pivots(std::size_t pass) {
    shared_passes::closed_pivots closed{};
    {
      std::unique_lock lock(passes_->mutex);
      passes_->changed.wait(lock, [&] {
        return passes_->is_over || (passes_->passes_closed > pass && has_room_for_pivots(pass));
      });
      if (passes_->is_over) return false;
      closed = passes_->pivots[pass % 2];
    }
    const cudaStream_t on = space_.stream.get();
    const std::size_t num_rows =
        std::min(plan_.num_pivot_chunks(pass) * plan_.rows_per_chunk,
                 plan_.extent - plan_.first_row(plan_.first_of_pass(pass)));
    APSP_CUDA_CHECK(cudaStreamWaitEvent(on, closed.closed));
    APSP_CUDA_CHECK(cudaMemcpyPeerAsync(pivots_of(pass).words.get(), space_.device, closed.words,
                                        closed.device, num_rows * plan_.extent * sizeof(T), on));
    return true;
  }

  /// Relaxes a chunk over the pivots of a pass.
  template <class Entries>
  void relax(const Entries& entries, std::size_t pass, const job& next) {
    const cudaStream_t on = space_.stream.get();
    const std::size_t first_pivot = plan_.first_row(plan_.first_of_pass(pass));
    const std::size_t last_pivot =
        std::min(plan_.extent, plan_.first_row(plan_.first_of_pass(pass + 1)));
    const std::size_t depth = last_pivot - first_pivot;
    const std::size_t num_rows = plan_.padded_rows(next.chunk);
    entries.copy(
        {}, {next.words + first_pivot, plan_.extent, columns_.get(), depth, num_rows, depth}, on);
    const tile_counts tiles = tiles_of<Entries, typename Entries::tuning>(blocks_.num_tiles);
    product_pair<T> products;
    products.first.grid = {tiles.rows_from(0, static_cast<int>(num_rows / tile)),
                           tiles.all_columns()};
    products.first.a = columns_.get();
    products.first.a_pitch = depth;
    products.first.b = pivots_of(pass).words.get();
    products.first.b_pitch = plan_.extent;
    products.first.c = next.words;
    products.first.c_pitch = plan_.extent;
    entries.relax(products, depth, static_cast<int>(first_pivot / tile), on);
    APSP_CUDA_CHECK(cudaEventRecord(next.where->done.get(), on));
  }

  void write_chunks(monitor& watch) {
    for (std::size_t pass = 0; pass < plan_.num_passes(); ++pass) {
      std::size_t count = owns(pass) ? plan_.num_pivot_chunks(pass) : 0;
      plan_.for_each_relaxed(pass, number_, [&](std::size_t chunk) {
        if (!plan_.is_pivot(pass + 1, chunk)) ++count;
      });
      for (; count > 0; --count) {
        const std::optional<job> next = pop(relaxed_);
        if (!next) return;
        // The others may copy rows while this chunk is relaxed.
        APSP_CUDA_CHECK(cudaEventSynchronize(next->where->done.get()));
        if (!begin_writing()) return;
        take_back(*next);
        {
          const std::lock_guard lock(passes_->mutex);
          --passes_->writing;
          passes_->in_host[next->chunk] = pass + 1;
          if (!plan_.is_pivot(pass, next->chunk)) free_.push(next->where);
          passes_->changed.notify_all();
        }
        if (problem_.files != nullptr && number_ == 0) copy_to_file();
      }
      bool is_last = false;
      {
        const std::lock_guard lock(passes_->mutex);
        passes_->written[number_] = pass + 1;
        is_last = passes_->passes_written() == pass + 1;
        passes_->changed.notify_all();
      }
      if (is_last) watch.advance(plan_.pivots_before(pass + 1) - plan_.pivots_before(pass));
    }
  }

  /// Waits until the host rows are not copied to a file.
  /// @return false if the call has failed or is stopped.
  bool begin_writing() {
    std::unique_lock lock(passes_->mutex);
    passes_->changed.wait(lock, [&] { return passes_->is_over || !passes_->is_copying; });
    if (passes_->is_over) return false;
    ++passes_->writing;
    return true;
  }
  /// Copies rows to the file of a checkpoint, if one is due, while no device writes to them.
  void copy_to_file() {
    const bool needs_rows = !problem_.files->is_in_place();
    if (needs_rows && !problem_.files->is_due()) return;
    std::size_t pivots = 0;
    {
      std::unique_lock lock(passes_->mutex);
      if (needs_rows) {
        passes_->is_copying = true;
        passes_->changed.wait(lock, [&] { return passes_->is_over || passes_->writing == 0; });
        if (passes_->is_over) return;
      }
      pivots = passes_->pivots_in_host(plan_);
    }
    problem_.files->copy_rows(pivots);
    if (!needs_rows) return;
    const std::lock_guard lock(passes_->mutex);
    passes_->is_copying = false;
    passes_->changed.notify_all();
  }

  /// Copies a chunk to the host.
  void take_back(const job& next) {
    const cudaStream_t on = outgoing_.get();
    APSP_CUDA_CHECK(cudaStreamWaitEvent(on, next.where->done.get()));
    download_rows(lanes_[1], on,
                  {next.words, plan_.extent, plan_.rows(next.chunk), plan_.num_vertices},
                  problem_.rows + plan_.first_row(next.chunk));
  }

  // What they share.

  void push(std::queue<job>& queue, const job& next) {
    const std::lock_guard lock(passes_->mutex);
    queue.push(next);
    passes_->changed.notify_all();
  }
  /// @return nothing if the call has failed or is stopped.
  std::optional<job> pop(std::queue<job>& queue) {
    std::unique_lock lock(passes_->mutex);
    passes_->changed.wait(lock, [&] { return passes_->is_over || !queue.empty(); });
    if (passes_->is_over) return std::nullopt;
    const job next = queue.front();
    queue.pop();
    return next;
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(passes_->mutex);
    if (failure_ == nullptr) failure_ = std::move(error);
    passes_->is_over = true;
    passes_->changed.notify_all();
  }
  template <class Work>
  void guarded(const shared_context& context, Work work) noexcept {
    try {
      const shared_context::use in_context(context);
      work();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  device_workspace& space_;
  std::size_t number_;
  chunk_plan plan_;
  shared_passes* passes_ = nullptr;
  pivot_blocks blocks_;
  row_problem<T> problem_{};
  std::array<slot, 2> pivots_;
  std::array<slot, streaming.buffers> buffers_;
  device_buffer<T> columns_;
  device_buffer<T> panels_;
  side_stream ahead_;
  stream_handle incoming_;
  stream_handle outgoing_;
  std::array<transfer_lanes, 2> lanes_;

  // Accessed under the mutex of `passes_`.
  std::queue<slot*> free_;
  std::queue<job> arrived_;
  std::queue<job> relaxed_;
  std::exception_ptr failure_;
};

}  // namespace apsp::inline v1::detail::cuda
