// SPDX-License-Identifier: BSL-1.0
// Tests of functions that receive rows of distances: when they are called, and what they may do.
#define BOOST_TEST_MODULE for_each_row
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "common/generators.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/per_source.hpp"
#include "common/places.hpp"
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

using policies_weights_and_places = in_places<policies_and_weights>;

// A row has the position of its source in the list, in which sources repeat, whichever algorithm
// runs and in whatever form the function takes the row.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows_have_the_index_of_their_source, With,
                              policies_weights_and_places) {
  using T = typename With::weight;
  using tree_row = std::span<const std::int32_t>;
  const auto check = [](const arc_list<T>& g, const auto& graph,
                        const std::vector<std::size_t>& sources) {
    const auto expected = *oracle_rows(g, sources);
    apsp::matrix<T> distances(sources.size(), g.n);
    apsp::matrix<std::int32_t> predecessors(sources.size(), g.n);
    std::vector<int> calls;
    const auto solve = [&](auto f) {
      calls.assign(sources.size(), 0);
      distances = apsp::matrix<T>(sources.size(), g.n, T{7});
      BOOST_REQUIRE(apsp::for_each_row(With::policy(), graph, sources, f));
      BOOST_CHECK(std::all_of(calls.begin(), calls.end(), [](int count) { return count == 1; }));
      check_rows<T>(expected, distances);
    };
    const auto take = [&](std::size_t row, std::size_t source, std::span<const T> lengths) {
      BOOST_REQUIRE_LT(row, sources.size());
      BOOST_REQUIRE_EQUAL(source, sources[row]);
      ++calls[row];
      std::copy(lengths.begin(), lengths.end(), distances[row]);
    };
    solve(take);
    solve([&](std::size_t row, std::size_t source, std::span<const T> lengths, tree_row tree) {
      take(row, source, lengths);
      std::copy(tree.begin(), tree.end(), predecessors[row]);
    });
    check_trees<T>(lightest_arcs(g), sources, distances, predecessors);
  };
  for (const auto& g : {some_graph<T>(130, 1, 55), some_graph<T>(40, 0, 56)}) {
    const auto sources = some_vertices(g.n, 60, 57);
    BOOST_TEST_CONTEXT("seeds = 55 to 57, n = " << g.n) {
      With::graphs::in_all_forms(g, [&](const auto& graph) { check(g, graph, sources); });
      check(g, apsp::contraction_hierarchy<T>(apsp::seq, g.view()), sources);
    }
  }
  if constexpr (std::is_signed_v<T>) {
    const auto g = negative_graph<T>(60, 0.05, 58);
    BOOST_TEST_CONTEXT("negative weights, seed = 58") {
      With::graphs::in_all_forms(
          g, [&](const auto& graph) { check(g, graph, some_vertices(g.n, 30, 59)); });
    }
  }
}

// A function that can be called in several ways is called without the index.
BOOST_AUTO_TEST_CASE(forms_of_the_function) {
  const auto g = make_graph<int>(3, {{0, 1, 4}, {1, 2, 3}});
  const std::vector<int> sources{1};
  using row = std::span<const int>;
  using tree = std::span<const std::int32_t>;
  const auto form_taken_by = [&](auto f) {
    int form = 0;
    f.form = &form;
    BOOST_REQUIRE(apsp::for_each_row(apsp::seq, g.view(), sources, f));
    return form;
  };
  struct plain {
    int* form = nullptr;
    void operator()(std::size_t, row) { *form = 2; }
    void operator()(std::size_t, std::size_t, row) { *form = 3; }
    void operator()(std::size_t, std::size_t, row, tree) { *form = 4; }
  };
  BOOST_CHECK_EQUAL(form_taken_by(plain{}), 2);
  struct indexed {
    int* form = nullptr;
    void operator()(std::size_t index, std::size_t source, row distances) const {
      *form = index == 0 && source == 1 && distances[2] == 3 ? 3 : 0;
    }
  };
  BOOST_CHECK_EQUAL(form_taken_by(indexed{}), 3);
  // As before there was an index: three arguments of any type are source, distances, predecessors.
  std::size_t reached = 0;
  BOOST_REQUIRE(apsp::for_each_row(apsp::seq, g.view(), sources,
                                   [&](auto source, auto distances, auto predecessors) {
                                     for (std::size_t v = 0; v < distances.size(); ++v) {
                                       if (predecessors[v] == static_cast<int>(source)) ++reached;
                                     }
                                   }));
  BOOST_CHECK_EQUAL(reached, 1u);
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
