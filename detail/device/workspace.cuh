// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../apsp/error.hpp"
#include "../../apsp/policy.hpp"
#include "../plan/closure_plan.hpp"
#include "buffer.cuh"
#include "check.cuh"
#include "flag.cuh"
#include "launch_target.hpp"
#include "stream.cuh"
#include "transfer.cuh"

namespace apsp::inline v1::detail::cuda {

struct setup_tuning {
  unsigned threads = 256;
  unsigned blocks_per_multiprocessor = 8;
};
inline constexpr setup_tuning setup{};

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// The resources of a call on one device, and the amount of memory that it may use.
class device_workspace {
 public:
  explicit device_workspace(const launch_target& target, int device_number)
      : kernels(target.kernels),
        device(device_number),
        stream(target.stream),
        memory_limit_(target.memory_limit) {
    APSP_CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
  }

  /// The memory that the call may use, of which it wants @p bytes.
  memory_need need_of(std::size_t bytes) const {
    return {bytes, bytes_for_call(bytes, memory_limit_, stream.get())};
  }
  /// To be called once, before the first `allocate`.
  /// @throws device_error if the call may not use that much memory.
  void require(const memory_need& need, memory_state memory = memory_state::as_counted) {
    bytes_needed_ = need.bytes;
    may_take_more_ = memory == memory_state::as_counted;
    if (!need.is_met()) throw device_error(need.bytes, need.available);
  }
  void require(std::size_t bytes) { require(need_of(bytes)); }
  /// True if the call may allocate @p bytes more than it required.
  bool has_room_for(std::size_t bytes) const {
    const std::size_t all = saturated_sum(bytes_needed_, bytes);
    return may_take_more_ && (memory_limit_ == 0 || all <= memory_limit_) &&
           bytes <= available_bytes();
  }
  template <class U>
  device_buffer<U> allocate(std::size_t count) const {
    return device_buffer<U>(count, stream.get(), bytes_needed_);
  }
  device_flag make_flag() const { return device_flag(stream.get(), bytes_needed_); }

  /// Launches a grid-stride kernel over @p count elements.
  template <class... Parameters, class... Arguments>
  void launch_over(const char* name, std::size_t count, void (*kernel)(Parameters...),
                   const Arguments&... arguments) const {
    launch(name, {setup_blocks(count), setup.threads, stream.get()}, kernel, arguments...);
  }
  /// Number of CUDA blocks for a grid-stride kernel over @p count elements.
  unsigned setup_blocks(std::size_t count) const {
    const std::size_t needed = (count + setup.threads - 1) / setup.threads;
    const std::size_t most =
        static_cast<std::size_t>(multiprocessors_) * setup.blocks_per_multiprocessor;
    return static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most));
  }

  int multiprocessors() const { return multiprocessors_; }

  backend kernels;
  int device;
  stream_handle stream;
  transfer_lanes lanes;

 private:
  std::size_t memory_limit_;
  int multiprocessors_ = 0;
  std::size_t bytes_needed_ = 0;
  bool may_take_more_ = true;
};

}  // namespace apsp::inline v1::detail::cuda
