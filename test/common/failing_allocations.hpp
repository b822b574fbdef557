// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <new>
#include <optional>

#include "allocations.hpp"

namespace apsp_test {

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
