// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/floyd_warshall.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/result.hpp>
#include <boost/test/unit_test.hpp>

// The methods that solve a whole matrix, as a table for test cases.
namespace apsp_test {

struct by_floyd_warshall {
  static constexpr auto algorithm = apsp::algorithm::floyd_warshall;
  template <class... Arguments>
  apsp::result operator()(Arguments&&... arguments) const {
    return apsp::floyd_warshall(arguments...);
  }
};
struct by_squaring {
  static constexpr auto algorithm = apsp::algorithm::repeated_squaring;
  template <class... Arguments>
  apsp::result operator()(Arguments&&... arguments) const {
    return apsp::repeated_squaring(arguments...);
  }
};

/// Calls f(solve) for each of the methods.
template <class F>
void by_both_methods(F f) {
  BOOST_TEST_CONTEXT("floyd_warshall") {
    f(by_floyd_warshall{});
  }
  BOOST_TEST_CONTEXT("repeated_squaring") {
    f(by_squaring{});
  }
}

}  // namespace apsp_test
