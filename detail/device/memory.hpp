// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../apsp/config.hpp"
#include "../../apsp/policy.hpp"

// Device memory without CUDA types, like the launch interfaces. All functions throw `device_error`
// if a CUDA call fails, and if the library is built without CUDA.
namespace apsp::inline v1::detail::cuda {

/// An allocation, and the number of its device.
struct device_allocation {
  void* data;
  int device;
};

/// @param device  -1: the current device.
APSP_EXPORT device_allocation allocate_on_device(std::size_t bytes, int device);
APSP_EXPORT void free_on_device(const device_allocation& memory) noexcept;

/// Rows of bytes in device memory.
struct device_rows {
  void* data;
  std::size_t pitch;  ///< Bytes from one row to the next.
  std::size_t width;  ///< Bytes of a row.
  std::size_t rows;
};

/// Copies rows between contiguous host memory and the device, after the preceding work on @p stream
/// (null: the default stream), and waits for the copy.
/// @throws std::invalid_argument if the stream is under capture.
APSP_EXPORT void copy_to_host(const device_rows& from, void* to, CUstream_st* stream);
APSP_EXPORT void copy_to_device(const void* from, const device_rows& to, CUstream_st* stream);

/// The number of the device that holds @p data; -1 for null.
/// @throws std::invalid_argument if they are in host memory that no device can read.
APSP_EXPORT int device_of(const void* data);

/// Addresses from `begin` to before `end` on one device.
struct device_range {
  int device = -1;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
/// The allocation that contains @p data; where that is unknown, only their first byte.
/// @throws std::invalid_argument as `device_of` does.
APSP_EXPORT device_range allocation_of(const void* data);

/// Selects a device in the calling thread for the lifetime of this object.
class APSP_EXPORT device_selection {
 public:
  explicit device_selection(int device);
  ~device_selection();
  device_selection(const device_selection&) = delete;
  device_selection& operator=(const device_selection&) = delete;

 private:
  [[maybe_unused]] int previous_ = -1;  // never set by a library without CUDA
  [[maybe_unused]] bool has_changed_ = false;
};

/// The default stream, as a handle that is not null.
APSP_EXPORT CUstream_st* default_stream();

}  // namespace apsp::inline v1::detail::cuda
