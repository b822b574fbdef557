// SPDX-License-Identifier: BSL-1.0
// Tests of functions that receive rows of distances: when they are called, and what they may do.
#define BOOST_TEST_MODULE for_each_row
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "common/generators.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/per_source.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(one_call_at_a_time, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = random_graph<T>(200, 0.05, 1, 99, 51);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::vector<int> calls(g.n);
  BOOST_REQUIRE(apsp::for_each_row(With::policy(), g.view(), all_vertices(g.n),
                                   [&](std::size_t source, std::span<const T> row) {
                                     const int now = ++inside;
                                     if (now > most) most = now;
                                     if (source % 16 == 0) std::this_thread::yield();
                                     if (row.size() == g.n && row[source] == T{}) ++calls[source];
                                     --inside;
                                   }));
  BOOST_CHECK_EQUAL(most, 1);
  BOOST_CHECK(std::all_of(calls.begin(), calls.end(), [](int count) { return count == 1; }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_the_function_throws_comes_out_and_ends_it, Policy, policies) {
  struct too_much {
    std::size_t source;
  };
  const auto g = random_graph<int>(150, 0.05, 1, 99, 52);
  std::size_t calls = 0;
  const auto f = [&](std::size_t source, std::span<const int>) {
    if (++calls == 7) throw too_much{source};
  };
  // Whether another thread is about to call depends on timing, so the test is repeated.
  for (int attempt = 0; attempt < 100; ++attempt) {
    calls = 0;
    try {
      static_cast<void>(apsp::for_each_row(Policy::policy(), g.view(), all_vertices(g.n), f));
      BOOST_ERROR("nothing was thrown");
    } catch (const too_much& error) {
      BOOST_REQUIRE(error.source < g.n);
    }
    BOOST_REQUIRE_EQUAL(calls, 7u);
  }
  // The library remains usable, and there is no seventh call.
  BOOST_CHECK(apsp::for_each_row(Policy::policy(), g.view(), all_vertices(g.n), f));
  BOOST_CHECK_EQUAL(calls, 7 + g.n);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_function_may_call_the_library, Policy, policies) {
  // The inner calls must not overwrite the row of the outer call.
  const auto g = random_graph<std::int16_t>(80, 0.1, 1, 9, 52);
  const auto expected = *oracle_distances(g);
  using function = std::function<void(std::size_t, std::span<const std::int16_t>)>;
  const std::vector<int> one{7};
  bool is_inner = false;
  std::size_t wrong = 0;
  function f = [&](std::size_t source, std::span<const std::int16_t> row) {
    if (!is_inner) {
      is_inner = true;
      static_cast<void>(apsp::for_each_row(
          apsp::seq, random_graph<std::int16_t>(90, 0.1, 1, 9, 53).view(), one, f));
      is_inner = false;
      for (std::size_t v = 0; v < g.n; ++v) {
        wrong += same_distance<std::int16_t>(row[v], expected[source][v]) ? 0 : 1;
      }
    }
  };
  BOOST_TEST_CONTEXT("seeds = 52, 53") {
    BOOST_REQUIRE(apsp::for_each_row(Policy::policy(), g.view(), one, f));
    BOOST_CHECK_EQUAL(wrong, 0u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_another_type, Policy, policies) {
  const auto g = random_graph<std::int32_t>(60, 0.08, 1, 99, 53);
  const auto expected = *oracle_distances(g);
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    std::size_t wrong = 0;
    std::size_t calls = 0;
    const auto done = apsp::for_each_row<T>(
        Policy::policy(), g.view(), std::vector<int>{5, 0, 59},
        [&](std::size_t source, std::span<const T> row, std::span<const std::int32_t> tree) {
          ++calls;
          for (std::size_t v = 0; v < g.n; ++v) {
            const auto e = expected[source][v];
            const bool reachable = e != wide_unreachable<std::int32_t>;
            wrong += row[v] == (reachable ? static_cast<T>(e) : infinite<T>) ? 0 : 1;
            wrong += (tree[v] == -1) == (!reachable || v == source) ? 0 : 1;
          }
        });
    BOOST_CHECK(done);
    BOOST_CHECK_EQUAL(wrong, 0u);
    BOOST_CHECK_EQUAL(calls, 3u);
  };
  check(double{});
  check(std::int64_t{});
  check(std::uint16_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_many_vertices, Policy, policies) {
  // The whole matrix would take 4 GiB.
  const std::size_t n = 32768;
  const auto g = grid_graph<float>(128, 256, 1000, 54);
  BOOST_TEST_CONTEXT("grid, 128 x 256, seed = 54") {
    std::vector<std::size_t> sources;
    for (std::size_t s = 0; s < n; s += 4096) sources.push_back(s);
    std::size_t unreached = 0;
    std::vector<std::size_t> called;
    BOOST_REQUIRE(apsp::for_each_row(Policy::policy(), g.view(), sources,
                                     [&](std::size_t source, std::span<const float> row) {
                                       called.push_back(source);
                                       for (const float d : row) unreached += std::isinf(d) ? 1 : 0;
                                     }));
    std::sort(called.begin(), called.end());
    BOOST_CHECK(called == sources);
    BOOST_CHECK_EQUAL(unreached, 0u);
  }
}
