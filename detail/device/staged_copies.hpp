// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "../../apsp/config.hpp"
#include "../../apsp/policy.hpp"

namespace apsp::inline v1::detail::cuda {

/// Copies between the memory of the current device and two buffers of pinned host memory. All
/// functions throw `device_error` if a CUDA call fails.
class APSP_EXPORT staged_copies {
 public:
  static constexpr std::size_t num_buffers = 2;

  /// @param bytes  of each buffer.
  explicit staged_copies(std::size_t bytes);
  /// Waits for all copies.
  ~staged_copies();
  staged_copies(const staged_copies&) = delete;
  staged_copies& operator=(const staged_copies&) = delete;

  void* buffer(std::size_t i) const;
  /// Start a copy on @p stream.
  void to_buffer(std::size_t i, const void* from, std::size_t bytes, CUstream_st* stream);
  void from_buffer(std::size_t i, void* to, std::size_t bytes, CUstream_st* stream);
  /// Waits for the last copy to or from a buffer.
  void wait(std::size_t i);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The address of a device on the bus of its machine: the same for all processes that use it.
/// @param device  -1: the current device.
APSP_EXPORT std::string bus_address(int device);

}  // namespace apsp::inline v1::detail::cuda
