// SPDX-License-Identifier: BSL-1.0
// apsp::stop_source and apsp::stop_token, with a standard library that has them and with one that
// has not.
#define BOOST_TEST_MODULE stop_token
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/stop_token.hpp>
#include <future>
#include <utility>
#include <version>

#include "../common/policies.hpp"

#ifdef __cpp_lib_jthread
#include <stop_token>
#include <type_traits>
static_assert(std::is_same_v<apsp::stop_token, std::stop_token>);
static_assert(std::is_same_v<apsp::stop_source, std::stop_source>);
#endif

using namespace apsp_test;

BOOST_AUTO_TEST_CASE(a_token_of_no_source_never_stops) {
  const apsp::stop_token token;
  BOOST_CHECK(!token.stop_possible());
  BOOST_CHECK(!token.stop_requested());
  BOOST_CHECK(token == apsp::stop_token());
}

BOOST_AUTO_TEST_CASE(the_first_request_counts) {
  apsp::stop_source source;
  BOOST_CHECK(source.stop_possible());
  BOOST_CHECK(!source.stop_requested());
  BOOST_CHECK(source.request_stop());
  BOOST_CHECK(!source.request_stop());
  BOOST_CHECK(source.stop_requested());
}

BOOST_AUTO_TEST_CASE(tokens_and_copies_belong_to_one_source) {
  apsp::stop_source source;
  const apsp::stop_source copy = source;
  const apsp::stop_token before = source.get_token();
  const apsp::stop_source other;
  BOOST_CHECK(before.stop_possible());
  BOOST_CHECK(copy == source);
  BOOST_CHECK(copy.get_token() == before);
  BOOST_CHECK(!(other == source));
  BOOST_CHECK(!(other.get_token() == before));

  source.request_stop();
  BOOST_CHECK(before.stop_requested());
  BOOST_CHECK(copy.stop_requested());
  BOOST_CHECK(copy.get_token().stop_requested());
  BOOST_CHECK(!other.stop_requested());
}

BOOST_AUTO_TEST_CASE(a_request_outlives_its_source) {
  apsp::stop_token token;
  {
    apsp::stop_source source;
    token = source.get_token();
    const apsp::stop_source moved = std::move(source);
    BOOST_CHECK(moved.get_token() == token);
    BOOST_CHECK(!token.stop_requested());
    std::async(std::launch::async, [&] { apsp::stop_source(moved).request_stop(); }).wait();
    BOOST_CHECK(token.stop_requested());
  }
  BOOST_CHECK(token.stop_possible());
  BOOST_CHECK(token.stop_requested());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_end_when_a_stop_was_requested, Policy, policies) {
  const apsp::matrix<int> graph(70, 70, 1);
  apsp::matrix<int> distances(70);
  apsp::stop_source source;
  const auto policy = Policy::policy().stop(source.get_token());
  BOOST_CHECK(apsp::floyd_warshall(policy, graph, distances));
  source.request_stop();
  const auto done = apsp::floyd_warshall(policy, graph, distances);
  BOOST_CHECK(!done);
  BOOST_CHECK(done.stopped());
}
