// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <apsp/stop_token.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <functional>
#include <vector>

namespace apsp_test {

/// Checks that call(policy) reports numbers that rise to @p total, and that it does nothing if a
/// stop was requested before.
template <class Policy, class Call>
void check_watched_and_stopped(const Policy& policy, std::size_t total, Call call) {
  std::vector<std::size_t> heard;
  bool has_right_total = true;
  const auto watch = [&](std::size_t done, std::size_t of) {
    has_right_total = has_right_total && of == total;
    heard.push_back(done);
  };
  BOOST_CHECK(call(policy.progress(watch)));
  BOOST_REQUIRE(!heard.empty());
  BOOST_CHECK(has_right_total);
  BOOST_CHECK_GT(heard.front(), 0u);
  BOOST_CHECK(std::adjacent_find(heard.begin(), heard.end(), std::greater_equal<>()) ==
              heard.end());
  BOOST_CHECK_EQUAL(heard.back(), total);

  apsp::stop_source stop;
  stop.request_stop();
  const apsp::result stopped = call(policy.stop(stop.get_token()));
  BOOST_CHECK(!stopped);
  BOOST_CHECK(stopped.stopped());
}

}  // namespace apsp_test
