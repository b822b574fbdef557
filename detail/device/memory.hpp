// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../../apsp/config.hpp"
#include "../../apsp/policy.hpp"

// Device memory without CUDA's types, as the launch interfaces are. Everything here throws `device_error`
// if a CUDA call fails, and where the library is built without CUDA.
namespace apsp::detail::cuda {

/// Memory, and the number of the device that it is of.
struct device_allocation {
  void* data;
  int device;
};

/// @param device  -1: the current one.
APSP_EXPORT device_allocation allocate_on_device(std::size_t bytes, int device);
APSP_EXPORT void free_on_device(const device_allocation& memory) noexcept;

/// Rows of bytes in device memory.
struct device_rows {
  void* data;
  std::size_t pitch;  ///< Bytes from one row to the next.
  std::size_t width;  ///< Bytes of a row.
  std::size_t rows;
};

/// Copies rows between the host, where they lie without gaps, and the device after what @p stream (null:
/// the default one) has to do, and waits for them.
APSP_EXPORT void copy_to_host(const device_rows& from, void* to, CUstream_st* stream);
APSP_EXPORT void copy_to_device(const void* from, const device_rows& to, CUstream_st* stream);

/// The number of the device on which @p data lie; -1 for null.
/// @throws std::invalid_argument if they lie in memory of the host that no device can read.
APSP_EXPORT int device_of(const void* data);

/// Keeps a device selected in the calling thread for as long as it lives.
class APSP_EXPORT device_selection {
 public:
  explicit device_selection(int device);
  ~device_selection();
  device_selection(const device_selection&) = delete;
  device_selection& operator=(const device_selection&) = delete;

 private:
  [[maybe_unused]] int previous_ = -1;  // a library without CUDA never sets it
  [[maybe_unused]] bool has_changed_ = false;
};

/// The default stream, as a handle that is not null.
APSP_EXPORT CUstream_st* default_stream();

}  // namespace apsp::detail::cuda
