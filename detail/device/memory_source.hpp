// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../../apsp/config.hpp"
#include "../../apsp/memory_source.hpp"

// The memory resource of a call, where its kernels allocate memory.
namespace apsp::inline v1::detail::cuda {

struct call_memory {
  memory_source source{};
  std::size_t limit = 0;  ///< Bytes that the source has; 0: as many as are free on the device.
};

/// Of the call that this thread runs. Kernels that a program compiles use it, too.
APSP_EXPORT const call_memory& current_memory() noexcept;

/// Lets the call of this thread take device memory from a source for the lifetime of this object.
class APSP_EXPORT memory_scope {
 public:
  explicit memory_scope(const call_memory& memory) noexcept;
  ~memory_scope();
  memory_scope(const memory_scope&) = delete;
  memory_scope& operator=(const memory_scope&) = delete;

 private:
  [[maybe_unused]] call_memory previous_;  // never set by a library without CUDA
};

}  // namespace apsp::inline v1::detail::cuda
