// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <limits>
#include <type_traits>
#include <vector>

#include "../../../apsp/device_memory.hpp"
#include "../../../apsp/error.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/grid.cuh"
#include "../../device/progress.cuh"
#include "../../device/resolved_device.cuh"
#include "../../device/stream.cuh"
#include "../../device/transfer.cuh"
#include "../../host/monitor.hpp"
#include "reduce.hpp"

// Host rows are transferred in pieces: each host thread has device memory for one piece and its own
// stream, on which a kernel reduces a piece after its copy. The kernel of one thread overlaps with
// the copies of the others. Rows in device memory are reduced in place.
namespace apsp::inline v1::detail::cuda {

struct row_summary_tuning {
  unsigned threads_per_row = 256;
  /// Threads of a CUDA block if each thread has its own row.
  unsigned rows_per_block = 64;
  /// The largest number of counts that a CUDA block keeps in shared memory; with more, it counts in
  /// global memory.
  unsigned most_shared_counts = 8192;
  /// Rows in device memory between two checks of the monitor.
  std::size_t rows_per_step = 4096;
};
inline constexpr row_summary_tuning row_summaries{};

/// Rows as a kernel reads them.
template <class T>
struct kernel_rows {
  const T* distances;
  std::size_t pitch;            ///< Entries from one row to the next.
  const std::int32_t* sources;  ///< The source vertex of each row.
  std::size_t num_rows;
  std::size_t num_vertices;
  T limit;  ///< Larger distances do not count as reached.
};

struct add_records {
  template <class T>
  __device__ __forceinline__ row_record<T> operator()(row_record<T> a,
                                                      const row_record<T>& b) const {
    a.add(b);
    return a;
  }
};

/// One CUDA block for each row.
template <class T>
__global__ void __launch_bounds__(row_summaries.threads_per_row)
    summarize_rows_kernel(kernel_rows<T> rows, row_record<T>* records) {
  constexpr unsigned threads = row_summaries.threads_per_row;
  using block_reduce = cub::BlockReduce<row_record<T>, static_cast<int>(threads)>;
  __shared__ typename block_reduce::TempStorage storage;
  for (std::size_t i = blockIdx.x; i < rows.num_rows; i += gridDim.x) {
    const T* const distances = rows.distances + i * rows.pitch;
    const auto source = static_cast<std::size_t>(rows.sources[i]);
    row_record<T> mine;
    for (std::size_t v = threadIdx.x; v < rows.num_vertices; v += threads) {
      if (v != source) mine.add(static_cast<std::int32_t>(v), distances[v], rows.limit);
    }
    const row_record<T> all = block_reduce(storage).Reduce(mine, add_records{});
    if (threadIdx.x == 0) records[i] = all;
    __syncthreads();  // the storage is reused
  }
}

/// One thread for each row.
template <class T>
__global__ void summarize_rows_naive_kernel(kernel_rows<T> rows, row_record<T>* records) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.num_rows;
       i += stride) {
    const T* const distances = rows.distances + i * rows.pitch;
    const auto source = static_cast<std::size_t>(rows.sources[i]);
    row_record<T> record;
    for (std::size_t v = 0; v < rows.num_vertices; ++v) {
      if (v != source) record.add(static_cast<std::int32_t>(v), distances[v], rows.limit);
    }
    records[i] = record;
  }
}

using device_count = unsigned long long;  // the type required by atomicAdd
static_assert(sizeof(device_count) == sizeof(std::uint64_t));

/// One CUDA block for each row. With @p Shared it counts in shared memory, in `bins.num_bins +
/// num_extra_counts` 32-bit words, which are added to the global counts at the end: a block counts
/// fewer than 2^32 distances.
template <class T, bool Shared>
__global__ void __launch_bounds__(row_summaries.threads_per_row)
    count_rows_kernel(kernel_rows<T> rows, bin_rule<T> bins, device_count* counts) {
  extern __shared__ unsigned block_counts[];
  constexpr unsigned threads = row_summaries.threads_per_row;
  const std::size_t num_counts = bins.num_bins + num_extra_counts;
  if constexpr (Shared) {
    for (std::size_t c = threadIdx.x; c < num_counts; c += threads) block_counts[c] = 0;
    __syncthreads();
  }
  for (std::size_t i = blockIdx.x; i < rows.num_rows; i += gridDim.x) {
    const T* const distances = rows.distances + i * rows.pitch;
    const auto source = static_cast<std::size_t>(rows.sources[i]);
    for (std::size_t v = threadIdx.x; v < rows.num_vertices; v += threads) {
      if (v == source) continue;
      const std::size_t place = bins.place(distances[v], rows.limit);
      if constexpr (Shared) {
        atomicAdd(block_counts + place, 1u);
      } else {
        atomicAdd(counts + place, device_count{1});
      }
    }
  }
  if constexpr (Shared) {
    __syncthreads();
    for (std::size_t c = threadIdx.x; c < num_counts; c += threads) {
      if (block_counts[c] != 0) atomicAdd(counts + c, device_count{block_counts[c]});
    }
  }
}

/// One thread for each row.
template <class T>
__global__ void count_rows_naive_kernel(kernel_rows<T> rows, bin_rule<T> bins,
                                        device_count* counts) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.num_rows;
       i += stride) {
    const T* const distances = rows.distances + i * rows.pitch;
    const auto source = static_cast<std::size_t>(rows.sources[i]);
    for (std::size_t v = 0; v < rows.num_vertices; ++v) {
      if (v != source) atomicAdd(counts + bins.place(distances[v], rows.limit), device_count{1});
    }
  }
}

/// The device resources of a call.
class reduction_memory {
 public:
  explicit reduction_memory(const launch_target& target)
      : stream_(target.stream), memory_limit_(target.memory_limit) {}

  /// Device memory of this call, filled from @p values before any kernel of `run` starts.
  template <class X>
  device_buffer<X> upload(const X* values, std::size_t count) const {
    device_buffer<X> memory = allocate<X>(count);
    APSP_CUDA_CHECK(cudaMemcpyAsync(memory.get(), values, count * sizeof(X), cudaMemcpyHostToDevice,
                                    stream_.get()));
    return memory;
  }
  template <class X>
  device_buffer<X> allocate(std::size_t count) const {
    return {count, stream_.get(), bytes_needed_};
  }
  void clear(void* memory, std::size_t bytes) const {
    APSP_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, stream_.get()));
  }
  /// Waits for all work on the stream, including the copy.
  template <class X>
  void download(const device_buffer<X>& memory, X* values, std::size_t count) const {
    APSP_CUDA_CHECK(cudaMemcpyAsync(values, memory.get(), count * sizeof(X), cudaMemcpyDeviceToHost,
                                    stream_.get()));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream_.get()));
  }

 protected:
  /// Call once, before the first `allocate`.
  /// @throws device_error if the call may not use that much memory.
  void require(std::size_t bytes) {
    bytes_needed_ = bytes;
    available_ = bytes_for_call(bytes, memory_limit_, stream_.get());
    if (bytes > available_) throw device_error(bytes, available_);
  }

  stream_handle stream_;
  std::size_t memory_limit_;
  std::size_t available_ = 0;  ///< Bytes that the call may use.
  std::size_t bytes_needed_ = 0;
};

/// Reduces the rows of one call that are transferred from the host.
template <class T>
class row_reduction : public reduction_memory {
 public:
  /// @param result_bytes  bytes of the other device data of the call.
  row_reduction(const launch_target& target, const row_source<T>& rows, std::size_t result_bytes)
      : reduction_memory(target),
        rows_(rows),
        plan_(rows.num_rows(), rows.num_vertices() * sizeof(T)) {
    const std::size_t most_lanes =
        std::min<std::size_t>(plan_.count(), std::size_t{transfers.max_threads});
    const std::size_t row_bytes = rows.num_vertices() * sizeof(T);
    const std::size_t fixed_bytes =
        saturated_sum(rows.num_rows() * sizeof(std::int32_t), result_bytes);
    require(saturated_sum(fixed_bytes, row_bytes));
    // If memory is short, pieces become smaller, and then fewer of them are on the device at once.
    const std::size_t most_rows = (available_ - fixed_bytes) / row_bytes;
    if (most_rows < plan_.per_piece) {
      plan_.per_piece = most_rows;
      plan_.piece_bytes = plan_.per_piece * row_bytes;
    }
    num_lanes_ = std::min(most_lanes, most_rows / plan_.per_piece);
    bytes_needed_ = fixed_bytes + num_lanes_ * plan_.piece_bytes;
    pieces_ = {num_lanes_ * plan_.per_piece * rows.num_vertices(), stream_.get(), bytes_needed_};
    sources_ = upload(rows.sources().data(), rows.num_rows());
  }

  /// Calls reduce(rows, first, stream) for every piece of rows, where `first` is the index of its
  /// first row. reduce enqueues the kernels that read the piece. All of them have completed when
  /// this returns or throws.
  /// @return false if @p watch requested a stop.
  template <class Reduce>
  bool run(T limit, monitor& watch, Reduce reduce) {
    const event_handle ready;
    APSP_CUDA_CHECK(cudaEventRecord(ready.get(), stream_.get()));
    std::atomic<std::size_t> next_piece{0};
    std::atomic<std::size_t> next_lane{0};
    std::atomic<bool> failed{false};
    lanes_.run(plan_, [&](transfer_lane& lane) {
      const std::size_t number = next_lane++;
      if (number >= num_lanes_) return;
      const stream_handle stream(stream_priority::ordinary);
      try {
        APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), ready.get()));
        T* const piece = pieces_.get() + number * plan_.per_piece * rows_.num_vertices();
        unsigned slot = 0;
        for (std::size_t p = next_piece++; p < plan_.count(); p = next_piece++) {
          if (failed || watch.stop_requested()) break;
          const std::size_t first = plan_.begin(p);
          const std::size_t count = plan_.size(p);
          lane.wait(slot);
          T* const packed = lane.template buffer<T>(slot);
          rows_.copy(first, count, packed);
          APSP_CUDA_CHECK(cudaMemcpyAsync(piece, packed, count * rows_.num_vertices() * sizeof(T),
                                          cudaMemcpyHostToDevice, stream.get()));
          lane.record(slot, stream.get());
          const std::size_t n = rows_.num_vertices();
          reduce(kernel_rows<T>{piece, n, sources_.get() + first, count, n, limit}, first,
                 stream.get());
          watch.advance(count);
          slot = 1 - slot;
        }
      } catch (...) {
        failed = true;
        forget(cudaStreamSynchronize(stream.get()));
        throw;
      }
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    });
    return !watch.stop_requested();
  }

 private:
  const row_source<T>& rows_;
  piece_plan plan_;
  transfer_lanes lanes_;
  std::size_t num_lanes_ = 0;
  device_buffer<T> pieces_;  ///< One for each lane.
  device_buffer<std::int32_t> sources_;
};

/// Reduces the rows of one call in device memory, in place.
template <class T>
class device_row_reduction : public reduction_memory {
 public:
  device_row_reduction(const launch_target& target, const device_distance_rows<T>& rows,
                       std::size_t result_bytes)
      : reduction_memory(target), rows_(rows.distances) {
    require(saturated_sum(rows.sources.size() * sizeof(std::int32_t), result_bytes));
    sources_ = upload(rows.sources.data(), rows.sources.size());
  }

  /// As `run` of `row_reduction`, except that work on the stream may be pending on return.
  template <class Reduce>
  bool run(T limit, monitor& watch, Reduce reduce) {
    if (watch.stop_requested()) return false;
    device_progress progress(watch, stream_.get());
    const std::size_t per_step = watch.is_observed() ? row_summaries.rows_per_step : rows_.rows();
    for (std::size_t first = 0; first < rows_.rows(); first += per_step) {
      const std::size_t count = std::min(per_step, rows_.rows() - first);
      reduce(kernel_rows<T>{rows_.data() + first * rows_.pitch(), rows_.pitch(),
                            sources_.get() + first, count, rows_.cols(), limit},
             first, stream_.get());
      if (!progress.step(count)) return false;
    }
    return progress.finish();
  }

 private:
  device_matrix_view<const T> rows_;
  device_buffer<std::int32_t> sources_;
};

template <class T, class Reduction>
bool run_summary(Reduction& reduction, backend kernels, std::size_t num_rows, T limit,
                 monitor& watch, row_record<T>* records) {
  const auto on_device = reduction.template allocate<row_record<T>>(num_rows);
  const bool finished = reduction.run(
      limit, watch, [&](const kernel_rows<T>& piece, std::size_t first, cudaStream_t stream) {
        row_record<T>* const piece_records = on_device.get() + first;
        if (kernels == backend::cuda_naive) {
          constexpr unsigned threads = row_summaries.rows_per_block;
          launch("summarize_rows_naive_kernel",
                 {grid_size(piece.num_rows, threads), threads, stream},
                 summarize_rows_naive_kernel<T>, piece, piece_records);
        } else {
          launch("summarize_rows_kernel",
                 {grid_size(piece.num_rows, 1), row_summaries.threads_per_row, stream},
                 summarize_rows_kernel<T>, piece, piece_records);
        }
      });
  if (finished) reduction.download(on_device, records, num_rows);
  return finished;
}

/// Bytes for the counts of a call and the edges of its bins.
template <class T>
std::size_t bytes_of_counts(const bin_rule<T>& bins) {
  const std::size_t num_edges = bins.edges == nullptr ? 0 : bins.num_bins + 1;
  return saturated_sum(saturated_product(bins.num_counts(), sizeof(device_count)),
                       saturated_product(num_edges, sizeof(T)));
}

template <class T, class Reduction>
bool run_counts(Reduction& reduction, backend kernels, T limit, const bin_rule<T>& bins,
                monitor& watch, std::vector<std::uint64_t>& counts) {
  const auto on_device = reduction.template allocate<device_count>(bins.num_counts());
  reduction.clear(on_device.get(), bins.num_counts() * sizeof(device_count));
  device_buffer<T> edges;
  bin_rule<T> device_bins = bins;
  if (bins.edges != nullptr) {
    edges = reduction.upload(bins.edges, bins.num_bins + 1);
    device_bins.edges = edges.get();
  }
  const bool in_shared = bins.num_counts() <= row_summaries.most_shared_counts;
  const bool finished = reduction.run(
      limit, watch, [&](const kernel_rows<T>& piece, std::size_t, cudaStream_t stream) {
        const unsigned blocks = grid_size(piece.num_rows, 1);
        constexpr unsigned threads = row_summaries.threads_per_row;
        if (kernels == backend::cuda_naive) {
          constexpr unsigned naive_threads = row_summaries.rows_per_block;
          launch("count_rows_naive_kernel",
                 {grid_size(piece.num_rows, naive_threads), naive_threads, stream},
                 count_rows_naive_kernel<T>, piece, device_bins, on_device.get());
        } else if (in_shared) {
          launch("count_rows_kernel",
                 {blocks, threads, stream, bins.num_counts() * sizeof(unsigned)},
                 count_rows_kernel<T, true>, piece, device_bins, on_device.get());
        } else {
          launch("count_rows_kernel", {blocks, threads, stream}, count_rows_kernel<T, false>, piece,
                 device_bins, on_device.get());
        }
      });
  if (finished) {
    reduction.download(on_device, reinterpret_cast<device_count*>(counts.data()), counts.size());
  }
  return finished;
}

template <class T>
bool summarize_rows(const launch_target& target, const row_source<T>& rows, T limit, monitor& watch,
                    row_record<T>* records) {
  if (rows.num_rows() == 0) return true;
  const device_guard guard(resolved_device(target));
  row_reduction<T> reduction(target, rows, rows.num_rows() * sizeof(row_record<T>));
  return run_summary(reduction, target.kernels, rows.num_rows(), limit, watch, records);
}

template <class T>
bool summarize_rows(const launch_target& target, const device_distance_rows<T>& rows, T limit,
                    monitor& watch, row_record<T>* records) {
  const std::size_t num_rows = rows.sources.size();
  if (num_rows == 0) return true;
  const device_guard guard(resolved_device(target));
  device_row_reduction<T> reduction(target, rows, num_rows * sizeof(row_record<T>));
  return run_summary(reduction, target.kernels, num_rows, limit, watch, records);
}

template <class T>
bool count_rows(const launch_target& target, const row_source<T>& rows, T limit,
                const bin_rule<T>& bins, monitor& watch, std::vector<std::uint64_t>& counts) {
  counts.assign(bins.num_counts(), 0);
  if (rows.num_rows() == 0) return true;
  const device_guard guard(resolved_device(target));
  row_reduction<T> reduction(target, rows, bytes_of_counts(bins));
  return run_counts(reduction, target.kernels, limit, bins, watch, counts);
}

template <class T>
bool count_rows(const launch_target& target, const device_distance_rows<T>& rows, T limit,
                const bin_rule<T>& bins, monitor& watch, std::vector<std::uint64_t>& counts) {
  counts.assign(bins.num_counts(), 0);
  if (rows.sources.empty()) return true;
  const device_guard guard(resolved_device(target));
  device_row_reduction<T> reduction(target, rows, bytes_of_counts(bins));
  return run_counts(reduction, target.kernels, limit, bins, watch, counts);
}

}  // namespace apsp::inline v1::detail::cuda
