// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "config.hpp"

// CUDA's stream type, declared so that programs without CUDA headers can name it.
struct CUstream_st;

// Device memory that a program provides to calls.
namespace apsp::inline v1 {

namespace detail {

/// The alignment of the memory that calls ask for, in bytes.
inline constexpr std::size_t memory_alignment = 256;

/// As of CCCL 3.2.
template <class R>
concept stream_ordered_resource =
    requires(R& resource, CUstream_st* stream, void* memory, std::size_t bytes) {
      { resource.allocate(stream, bytes, memory_alignment) } -> std::same_as<void*>;
      resource.deallocate(stream, memory, bytes, memory_alignment);
    };
/// Before CCCL 3.2.
template <class R>
concept async_resource =
    requires(R& resource, CUstream_st* stream, void* memory, std::size_t bytes) {
      { resource.allocate_async(bytes, memory_alignment, stream) } -> std::same_as<void*>;
      resource.deallocate_async(memory, bytes, memory_alignment, stream);
    };

}  // namespace detail

/// Allocates device memory in the order of a stream: `cuda::mr::any_resource`, the resources of
/// RMM, or any class with the members `allocate(stream, bytes, alignment)` and
/// `deallocate(stream, memory, bytes, alignment)`, or with `allocate_async(bytes, alignment,
/// stream)` and `deallocate_async(memory, bytes, alignment, stream)` as before CCCL 3.2.
template <class R>
concept device_memory_resource = detail::stream_ordered_resource<R> || detail::async_resource<R>;

/// A memory resource of any type, by reference.
class memory_source {
 public:
  /// None: the pool of the library.
  constexpr memory_source() = default;
  template <device_memory_resource R>
  constexpr explicit memory_source(R& resource)
      : resource_(const_cast<std::remove_const_t<R>*>(std::addressof(resource))),
        allocate_(allocate_from<R>),
        deallocate_(deallocate_to<R>) {}

  constexpr explicit operator bool() const { return resource_ != nullptr; }
  void* allocate(CUstream_st* stream, std::size_t bytes) const {
    return allocate_(resource_, stream, bytes);
  }
  void deallocate(CUstream_st* stream, void* memory, std::size_t bytes) const {
    deallocate_(resource_, stream, memory, bytes);
  }

 private:
  template <class R>
  static void* allocate_from(void* resource, CUstream_st* stream, std::size_t bytes) {
    R& from = *static_cast<R*>(resource);
    if constexpr (detail::stream_ordered_resource<R>) {
      return from.allocate(stream, bytes, detail::memory_alignment);
    } else {
      return from.allocate_async(bytes, detail::memory_alignment, stream);
    }
  }
  template <class R>
  static void deallocate_to(void* resource, CUstream_st* stream, void* memory, std::size_t bytes) {
    R& to = *static_cast<R*>(resource);
    if constexpr (detail::stream_ordered_resource<R>) {
      to.deallocate(stream, memory, bytes, detail::memory_alignment);
    } else {
      to.deallocate_async(memory, bytes, detail::memory_alignment, stream);
    }
  }

  void* resource_ = nullptr;
  void* (*allocate_)(void*, CUstream_st*, std::size_t) = nullptr;
  void (*deallocate_)(void*, CUstream_st*, void*, std::size_t) = nullptr;
};

}  // namespace apsp::inline v1
