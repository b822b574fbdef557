// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#ifdef _WIN32
#include <malloc.h>
#endif

// Counts all allocations of the program and can make them fail. It replaces the global operators,
// so only one source of a program may include it. The operators call malloc and free, so sanitizers
// still detect errors.
namespace apsp_test {

/// Whether one allocation fails, or all from that one on.
enum class failures { one, all_from_there };

class allocations {
 public:
  /// The number of allocations of all threads that have not been freed.
  static std::int64_t live() { return live_; }
  /// The bytes of all allocations so far, freed or not.
  static std::size_t bytes() { return bytes_; }

  static void* make(std::size_t num_bytes, std::size_t alignment) noexcept {
    const std::int64_t number = made_++;
    bytes_ += num_bytes;
    if (number == first_to_fail_ || (number > first_to_fail_ && all_from_there_)) {
      failed_ = true;
      return nullptr;
    }
    const std::size_t some = std::max<std::size_t>(num_bytes, 1);
#ifdef _WIN32
    // Only this memory may be aligned, and only _aligned_free frees it.
    void* const memory = _aligned_malloc(some, std::max(alignment, alignof(std::max_align_t)));
#else
    // aligned_alloc requires a multiple of the alignment, and may return null for a size of 0.
    void* const memory =
        alignment <= alignof(std::max_align_t)
            ? std::malloc(some)
            : std::aligned_alloc(alignment, (some + alignment - 1) / alignment * alignment);
#endif
    if (memory != nullptr) ++live_;
    return memory;
  }
  static void* make_or_throw(std::size_t num_bytes, std::size_t alignment) {
    void* const memory = make(num_bytes, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  static void free(void* memory) noexcept {
    if (memory != nullptr) --live_;
#ifdef _WIN32
    _aligned_free(memory);
#else
    std::free(memory);
#endif
  }

  /// Calls action() so that its allocation number @p number, counted from 0 over all threads,
  /// fails.
  /// @return true if there was such an allocation.
  template <class Action>
  static bool fail_in(std::int64_t number, failures which, Action action) {
    struct disarmed_at_the_end {
      ~disarmed_at_the_end() { stop_failing(); }
    } const at_the_end;
    failed_ = false;
    all_from_there_ = which == failures::all_from_there;
    made_ = 0;
    first_to_fail_ = number;
    action();
    return failed_;
  }

  /// Within such an action: no allocation fails from now on.
  static void stop_failing() { first_to_fail_ = never; }

 private:
  static constexpr std::int64_t never = (std::numeric_limits<std::int64_t>::max)();

  static inline std::atomic<std::int64_t> live_ = 0;
  static inline std::atomic<std::int64_t> made_ = 0;
  static inline std::atomic<std::size_t> bytes_ = 0;
  static inline std::atomic<std::int64_t> first_to_fail_ = never;
  static inline std::atomic<bool> all_from_there_ = false;
  static inline std::atomic<bool> failed_ = false;
};

}  // namespace apsp_test

// Not inlined, because GCC 12 would warn about mismatched pairs.
#define APSP_TEST_OPERATORS(OPERATOR)                                                             \
  [[gnu::noinline]] void* operator new OPERATOR(std::size_t bytes) {                              \
    return apsp_test::allocations::make_or_throw(bytes, alignof(std::max_align_t));               \
  }                                                                                               \
  [[gnu::noinline]] void* operator new OPERATOR(std::size_t bytes, std::align_val_t alignment) {  \
    return apsp_test::allocations::make_or_throw(bytes, static_cast<std::size_t>(alignment));     \
  }                                                                                               \
  [[gnu::noinline]] void* operator new OPERATOR(std::size_t bytes,                                \
                                                const std::nothrow_t&) noexcept {                 \
    return apsp_test::allocations::make(bytes, alignof(std::max_align_t));                        \
  }                                                                                               \
  [[gnu::noinline]] void* operator new OPERATOR(std::size_t bytes, std::align_val_t alignment,    \
                                                const std::nothrow_t&) noexcept {                 \
    return apsp_test::allocations::make(bytes, static_cast<std::size_t>(alignment));              \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory) noexcept {                        \
    apsp_test::allocations::free(memory);                                                         \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory, std::size_t) noexcept {           \
    apsp_test::allocations::free(memory);                                                         \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory, std::align_val_t) noexcept {      \
    apsp_test::allocations::free(memory);                                                         \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory, std::size_t,                      \
                                                  std::align_val_t) noexcept {                    \
    apsp_test::allocations::free(memory);                                                         \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory, const std::nothrow_t&) noexcept { \
    apsp_test::allocations::free(memory);                                                         \
  }                                                                                               \
  [[gnu::noinline]] void operator delete OPERATOR(void* memory, std::align_val_t,                 \
                                                  const std::nothrow_t&) noexcept {               \
    apsp_test::allocations::free(memory);                                                         \
  }
APSP_TEST_OPERATORS()
APSP_TEST_OPERATORS([])
#undef APSP_TEST_OPERATORS
