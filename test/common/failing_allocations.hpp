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

// Allocations of the whole program that are counted and can be made to fail. It replaces the global
// operators, so one source of a program may include it. The operators call malloc and free: what a
// sanitizer says of those still holds.
namespace apsp_test {

/// Does an allocation fail alone, or do all that come after it fail too?
enum class failures { one, all_from_there };

class allocations {
 public:
  /// Allocations of all threads that have not been freed.
  static std::int64_t live() { return live_; }

  static void* make(std::size_t bytes, std::size_t alignment) noexcept {
    const std::int64_t number = made_++;
    if (number == first_to_fail_ || (number > first_to_fail_ && all_from_there_)) {
      failed_ = true;
      return nullptr;
    }
    // aligned_alloc wants whole multiples, and no memory is an answer only where there is none.
    const std::size_t some = std::max<std::size_t>(bytes, 1);
    void* const memory =
        alignment <= alignof(std::max_align_t)
            ? std::malloc(some)
            : std::aligned_alloc(alignment, (some + alignment - 1) / alignment * alignment);
    if (memory != nullptr) ++live_;
    return memory;
  }
  static void* make_or_throw(std::size_t bytes, std::size_t alignment) {
    void* const memory = make(bytes, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  static void free(void* memory) noexcept {
    if (memory != nullptr) --live_;
    std::free(memory);
  }

  /// Calls action() with allocation @p number of it, counted from 0, failing in whatever thread makes it.
  /// @return true if there was one.
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
  static inline std::atomic<std::int64_t> first_to_fail_ = never;
  static inline std::atomic<bool> all_from_there_ = false;
  static inline std::atomic<bool> failed_ = false;
};

/// What a call that fails may have done to its results.
enum class results { stay_untouched, may_be_written };

/// A call may make thousands of allocations. The first ones each fail; after number k of the others,
/// k / part_left_out are left out. Sanitizers are slow.
inline constexpr std::int64_t all_of_the_first = 64;
#ifdef APSP_TEST_FEW_TYPES
inline constexpr std::int64_t part_left_out = 2;
#else
inline constexpr std::int64_t part_left_out = 8;
#endif

/// Lets one allocation of call() after the other fail: the first ones each, and a part of many later ones.
/// At least once std::bad_alloc comes out: what needs memory for speed only may go on without. Each time
/// nothing leaks, @p outputs are as they were where they have to be, and the next call is right.
///
/// @param outputs  what call() writes: they can be copied and compared.
/// @param check    check(call()) sees whether the answer is right. The first one also makes what lives as
///                 long as the program, as the function-local statics of the library do.
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
        // A worker thread keeps an array from its first row on, which may be one of this call.
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
          // Nothing has failed in the last call of all.
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

// Not inlined: GCC 12 would take them for mismatched pairs.
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
