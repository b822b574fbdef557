// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/stop_token.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "messages.hpp"

// Calls that report their progress, are stopped, or whose callback throws. `call(policy)` solves
// with a policy.
namespace apsp_test {

/// Checks that the steps are reported in order, up to the last one.
template <class Policy, class Call>
void check_progress(const Policy& policy, std::size_t num_steps, Call call) {
  std::size_t last = 0;
  bool in_order = true;
  const auto watch = [&](std::size_t done, std::size_t total) {
    in_order = in_order && last <= done && done <= total && total == num_steps;
    last = done;
  };
  BOOST_REQUIRE(call(policy.progress(watch)));
  BOOST_CHECK(in_order);
  BOOST_CHECK_EQUAL(last, num_steps);
}

/// Checks that a call stops after its first report.
/// @return the steps that were reported last.
template <class Policy, class Call>
std::size_t check_stops_at_once(const Policy& policy, Call call) {
  apsp::stop_source source;
  std::size_t reported = 0;
  const auto stop = [&](std::size_t done, std::size_t) {
    reported = done;
    source.request_stop();
  };
  BOOST_CHECK(call(policy.progress(stop).stop(source.get_token())).stopped());
  return reported;
}
/// Also checks that it has begun, but not solved everything.
template <class Policy, class Call>
void check_stops_between(const Policy& policy, std::size_t num_steps, Call call) {
  const std::size_t reported = check_stops_at_once(policy, call);
  BOOST_CHECK_GT(reported, 0u);
  BOOST_CHECK_LT(reported, num_steps);
}

/// The token of a stop that has been requested.
inline apsp::stop_token requested_stop() {
  apsp::stop_source source;
  source.request_stop();
  return source.get_token();
}

/// Checks that a call stops at once whose stop was requested before.
template <class Policy, class Call>
void check_stopped_before(const Policy& policy, Call call) {
  const auto stopped = call(policy.stop(requested_stop()));
  BOOST_CHECK(!stopped);
  BOOST_CHECK(stopped.stopped());
}

/// Checks that a call reports numbers that rise to @p total, and does nothing if a stop was
/// requested before.
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
  check_stopped_before(policy, call);
}

/// Checks that a call passes on the exception of its callback.
template <class Policy, class Call>
void check_throwing_callback(const Policy& policy, Call call) {
  const auto throwing = [](std::size_t, std::size_t) { throw std::range_error("not today"); };
  check_refused<std::range_error>([&] { return call(policy.progress(throwing)); }, "not today");
}

}  // namespace apsp_test
