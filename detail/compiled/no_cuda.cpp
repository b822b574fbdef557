// SPDX-License-Identifier: BSL-1.0
// What a library without CUDA needs of the device: memory that cannot be had. All other functions
// of the device are discarded when a program is compiled (`is_built_with_cuda`).
#include <cstddef>

#include "../../apsp/error.hpp"
#include "../device/launch_target.hpp"
#include "../device/memory.hpp"
#include "../device/memory_source.hpp"

namespace apsp::inline v1::detail::cuda {

device_allocation allocate_on_device(std::size_t, int) {
  throw device_error(built_without_cuda);
}
void free_on_device(const device_allocation&) noexcept {}
void copy_to_host(const device_rows&, void*, CUstream_st*) {
  throw device_error(built_without_cuda);
}
void copy_to_device(const void*, const device_rows&, CUstream_st*) {
  throw device_error(built_without_cuda);
}
int device_of(const void*) {
  throw device_error(built_without_cuda);
}
device_range allocation_of(const void*) {
  throw device_error(built_without_cuda);
}
device_selection::device_selection(int) {
  throw device_error(built_without_cuda);
}
device_selection::~device_selection() {}
memory_scope::memory_scope(const call_memory&) noexcept {}
memory_scope::~memory_scope() {}

}  // namespace apsp::inline v1::detail::cuda
