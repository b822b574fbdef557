// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>

namespace apsp::inline v1::detail::host {

/// Memory for entries that the algorithms write before they read. Trivial types are not
/// initialized, so that each page is placed near the thread that first writes to it, not near the
/// one that allocated it.
template <class T>
class untouched_buffer {
 public:
  untouched_buffer() = default;
  /// @throws std::bad_array_new_length if the size is not representable, std::bad_alloc if there is
  /// too little memory.
  explicit untouched_buffer(std::size_t size) {
    if (size > (std::numeric_limits<std::size_t>::max)() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    entries_.reset(static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t{alignment})));
    std::uninitialized_default_construct_n(entries_.get(), size);
    entries_.get_deleter().constructed = size;
  }

  T* data() noexcept { return entries_.get(); }
  const T* data() const noexcept { return entries_.get(); }

 private:
  // At least the alignment of a cache line and of the widest vector.
  static constexpr std::size_t alignment = alignof(T) > 64 ? alignof(T) : 64;

  struct destroy_and_free {
    std::size_t constructed = 0;
    void operator()(T* entries) const noexcept {
      std::destroy_n(entries, constructed);
      ::operator delete(entries, std::align_val_t{alignment});
    }
  };

  std::unique_ptr<T[], destroy_and_free> entries_;
};

}  // namespace apsp::inline v1::detail::host
