// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"
#include "check.cuh"
#include "driver_function.cuh"

namespace apsp::inline v1::detail::cuda {

struct cache_tuning {
  /// The part of the memory of a device to keep. A pool releases what exceeds it whenever the host
  /// synchronizes, and mapping memory anew takes 3 ms per GB (H200).
  double share_of_memory = 1.0 / 16;
  std::size_t streams = 32;
};
inline constexpr cache_tuning caching{};

enum class stream_priority { ordinary, highest };

/// Resources that calls in a CUDA context leave for later calls: creating streams and mapping
/// memory takes longer than solving a small graph. Safe to use from several threads.
class resource_cache {
 public:
  /// The cache of the current context.
  static resource_cache& current() {
    // Never destroyed: the CUDA runtime may have shut down when static objects are destroyed.
    static std::mutex& mutex = *new std::mutex;
    static auto& all = *new std::vector<std::unique_ptr<resource_cache>>;
    const unsigned long long context = current_context();
    const std::lock_guard lock(mutex);
    for (const auto& resources : all) {
      if (resources->context_ == context) return *resources;
    }
    // Caches of contexts destroyed by a device reset are never requested again.
    all.push_back(std::make_unique<resource_cache>(context));
    return *all.back();
  }

  explicit resource_cache(unsigned long long context) : context_(context) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    APSP_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    kept_bytes_ =
        static_cast<std::size_t>(static_cast<double>(total_bytes) * caching.share_of_memory);
    streams_[0].reserve(caching.streams);
    streams_[1].reserve(caching.streams);
    work_.reserve(caching.streams);
  }
  resource_cache(const resource_cache&) = delete;
  resource_cache& operator=(const resource_cache&) = delete;

  /// What the pool of this library keeps for later calls.
  std::size_t kept_bytes() const { return kept_bytes_; }

  /// The pool for memory on the current device: the device's own pool if the program made it retain
  /// memory, otherwise a pool of this library.
  cudaMemPool_t memory_pool() {
    int device = 0;
    APSP_CUDA_CHECK(cudaGetDevice(&device));
    cudaMemPool_t of_program = nullptr;
    APSP_CUDA_CHECK(cudaDeviceGetMemPool(&of_program, device));
    std::uint64_t keeps = 0;
    APSP_CUDA_CHECK(cudaMemPoolGetAttribute(of_program, cudaMemPoolAttrReleaseThreshold, &keeps));
    if (keeps != 0) return of_program;
    const std::lock_guard lock(mutex_);
    if (pool_ == nullptr) make_pool(device);
    return pool_;
  }

  /// Waits for all that finished calls have left on streams, but for no other work of the program:
  /// memory freed on a stream counts as used until the host has waited for it.
  void wait_for_calls() {
    const std::shared_lock no_stream_is_destroyed(destruction_);
    std::vector<cudaStream_t> streams;
    std::vector<cudaEvent_t> events;
    {
      // Other calls need the mutex meanwhile. Events are never destroyed.
      const std::lock_guard lock(mutex_);
      for (const auto& kept : streams_) streams.insert(streams.end(), kept.begin(), kept.end());
      for (const work_of_call& work : work_) events.push_back(work.done);
    }
    for (const cudaStream_t stream : streams) APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
    for (const cudaEvent_t done : events) APSP_CUDA_CHECK(cudaEventSynchronize(done));
  }

  /// Releases unused memory of the library's own pool.
  void trim() {
    wait_for_calls();
    const std::lock_guard lock(mutex_);
    if (pool_ != nullptr) APSP_CUDA_CHECK(cudaMemPoolTrimTo(pool_, 0));
  }

  /// An idle stream.
  cudaStream_t take_stream(stream_priority priority) {
    {
      const std::lock_guard lock(mutex_);
      std::vector<cudaStream_t>& streams = streams_of(priority);
      // A call whose results stay on the device may return its streams with pending work.
      const auto idle = std::find_if(streams.rbegin(), streams.rend(), is_idle);
      if (idle != streams.rend()) {
        std::swap(*idle, streams.back());
        cudaStream_t stream = streams.back();
        streams.pop_back();
        return stream;
      }
    }
    int least = 0;
    int greatest = 0;
    APSP_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    APSP_CUDA_CHECK(cudaStreamCreateWithPriority(
        &stream, cudaStreamNonBlocking, priority == stream_priority::highest ? greatest : least));
    return stream;
  }
  /// @param stream  may have pending work.
  void give_back(cudaStream_t stream, stream_priority priority) noexcept {
    {
      const std::lock_guard lock(mutex_);
      std::vector<cudaStream_t>& streams = streams_of(priority);
      if (streams.size() < streams.capacity()) return streams.push_back(stream);
    }
    remember_work(stream);
    const std::lock_guard lock(destruction_);
    forget(cudaStreamDestroy(stream));
  }

  /// Makes `wait_for_calls` wait for what is now on a stream that is not kept, such as a caller's.
  void remember_work(cudaStream_t stream) noexcept {
    const std::lock_guard lock(mutex_);
    const auto is_free = [&](const work_of_call& work) { return is_done(work.done); };
    auto work = std::find_if(work_.begin(), work_.end(),
                             [&](const work_of_call& w) { return w.stream == stream; });
    if (work == work_.end()) work = std::find_if(work_.begin(), work_.end(), is_free);
    if (work == work_.end()) {
      // Beyond that many streams, a call may find less memory than it could wait for.
      if (work_.size() == work_.capacity()) return;
      cudaEvent_t done = nullptr;
      const cudaError_t status = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
      forget(status);
      if (status != cudaSuccess) return;
      work = work_.insert(work_.end(), {stream, done});
    }
    work->stream = stream;
    forget(cudaEventRecord(work->done, stream));
  }

 private:
  static unsigned long long current_context() {
    static const auto get_id = driver_function<PFN_cuCtxGetId_v12000>("cuCtxGetId", 12000);
    unsigned long long id = 0;
    if (get_id(nullptr, &id) == CUDA_SUCCESS) return id;
    // This thread has not initialized its device yet.
    int device = 0;
    APSP_CUDA_CHECK(cudaGetDevice(&device));
    APSP_CUDA_CHECK(cudaSetDevice(device));
    if (get_id(nullptr, &id) != CUDA_SUCCESS) throw device_error("apsp: there is no CUDA context");
    return id;
  }

  static bool is_idle(cudaStream_t stream) {
    const cudaError_t status = cudaStreamQuery(stream);
    forget(status);
    return status == cudaSuccess;
  }
  static bool is_done(cudaEvent_t event) {
    const cudaError_t status = cudaEventQuery(event);
    forget(status);
    return status == cudaSuccess;
  }

  /// The end of the last call on a stream.
  struct work_of_call {
    cudaStream_t stream;
    cudaEvent_t done;
  };

  void make_pool(int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    APSP_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
    std::uint64_t bytes = kept_bytes_;
    APSP_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &bytes));
  }

  std::vector<cudaStream_t>& streams_of(stream_priority priority) {
    return streams_[priority == stream_priority::highest ? 1 : 0];
  }

  unsigned long long context_;
  std::size_t kept_bytes_ = 0;
  std::mutex mutex_;
  std::shared_mutex destruction_;  ///< of streams; shared while a thread waits for some of them
  cudaMemPool_t pool_ = nullptr;
  std::vector<cudaStream_t> streams_[2];
  std::vector<work_of_call> work_;
};

}  // namespace apsp::inline v1::detail::cuda
