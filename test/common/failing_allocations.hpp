// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <optional>

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
    // aligned_alloc requires a multiple of the alignment, and may return null for a size of 0.
    const std::size_t some = std::max<std::size_t>(num_bytes, 1);
    void* const memory =
        alignment <= alignof(std::max_align_t)
            ? std::malloc(some)
            : std::aligned_alloc(alignment, (some + alignment - 1) / alignment * alignment);
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
    std::free(memory);
  }

  /// Calls action() so that its allocation number @p number, counted from 0 over all threads,
  /// fails.
  /// @return true if there was such an allocation.
  template <class Action>
  static bool fail_in(std::int64_t number, failures which, Action action) {
    struct disarmed_at_the_end {
      ~disarmed_at_the_end() { first_to_fail_ = never; }
    } const at_the_end;
    failed_ = false;
    all_from_there_ = which == failures::all_from_there;
    made_ = 0;
    first_to_fail_ = number;
    action();
    return failed_;
  }

 private:
  static constexpr std::int64_t never = (std::numeric_limits<std::int64_t>::max)();

  static inline std::atomic<std::int64_t> live_ = 0;
  static inline std::atomic<std::int64_t> made_ = 0;
  static inline std::atomic<std::size_t> bytes_ = 0;
  static inline std::atomic<std::int64_t> first_to_fail_ = never;
  static inline std::atomic<bool> all_from_there_ = false;
  static inline std::atomic<bool> failed_ = false;
};

/// The state of the results after a failed call.
enum class results { stay_untouched, may_be_written };

/// A call may make thousands of allocations. Each of the first ones fails. After number k of the
/// others, k / part_left_out are skipped, fewer with APSP_LONG_TESTS.
inline constexpr std::int64_t all_of_the_first = 64;
#ifdef APSP_LONG_TESTS
inline constexpr std::int64_t part_left_out = 8;
#else
inline constexpr std::int64_t part_left_out = 2;
#endif

/// Calls call() repeatedly, and lets one allocation fail each time: each of the first ones, and a
/// part of the others. At least one call must throw std::bad_alloc; a call may continue without
/// memory that only makes it faster. Nothing may leak, @p outputs must be unchanged if that is
/// promised, and the next call must succeed.
///
/// @param outputs  the objects that call() writes; they are copied and compared.
/// @param check    check(call()) checks the results. The first call also initialises objects that
///                 live as long as the program, such as function-local statics of the library.
template <class Outputs, class Call, class Check>
void check_every_failure(Outputs& outputs, results promised, Call call, Check check) {
  const Outputs before = outputs;
  check(call());
  for (const failures which : {failures::one, failures::all_from_there}) {
    std::int64_t num_thrown = 0;
    const auto next = [](std::int64_t k) {
      return k < all_of_the_first ? k + 1 : k + 1 + k / part_left_out;
    };
    bool found = true;
    for (std::int64_t number = 0; found; number = next(number)) {
      BOOST_TEST_CONTEXT("allocation "
                         << number << " fails"
                         << (which == failures::one ? "" : ", and so do all others")) {
        std::int64_t leaked = 0;
        // A worker thread keeps an array from its first row on, which may be a row of this call.
        constexpr int most_threads = 8;
        for (int attempt = 0; attempt < most_threads; ++attempt) {
          outputs = before;
          leaked = -allocations::live();
          std::optional<decltype(call())> done;
          found = allocations::fail_in(number, which, [&] {
            try {
              done.emplace(call());
            } catch (const std::bad_alloc&) {
              ++num_thrown;
            }
          });
          // In the last call no allocation has failed.
          if (done) check(*done);
          BOOST_REQUIRE(done || promised == results::may_be_written || outputs == before);
          done.reset();
          leaked += allocations::live();
          if (leaked == 0) break;
        }
        BOOST_REQUIRE_EQUAL(leaked, 0);
        outputs = before;
        check(call());
      }
    }
    BOOST_REQUIRE_GT(num_thrown, 0);
  }
}

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
