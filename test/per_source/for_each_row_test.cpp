// SPDX-License-Identifier: BSL-1.0
// Tests of functions that receive rows of distances: when they are called, and what they may do.
#define BOOST_TEST_MODULE for_each_row
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/elimination.hpp>
#include <apsp/error.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(one_call_at_a_time, With, policies_and_fewer_weights) {
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

namespace {

/// Calls `for_each_row(f)` and requires that f is called once for each of the sources.
template <class T, class Sources, class Solve>
void check_once(const Sources& sources, Solve solve) {
  std::map<std::size_t, int> calls;
  for (const auto s : sources) --calls[static_cast<std::size_t>(s)];
  const auto count = [&](std::size_t source, std::span<const T>) { ++calls[source]; };
  const auto count_tree = [&](std::size_t source, std::span<const T>,
                              std::span<const std::int32_t>) { ++calls[source]; };
  const auto require_all = [&] {
    for (const auto& [source, surplus] : calls) {
      BOOST_TEST_CONTEXT("source = " << source) {
        BOOST_CHECK_EQUAL(surplus, 0);
      }
    }
  };
  try {
    BOOST_REQUIRE(solve(count));
    require_all();
    for (const auto s : sources) --calls[static_cast<std::size_t>(s)];
    BOOST_REQUIRE(solve(count_tree));
    require_all();
  } catch (const apsp::device_error&) {
    // A required device without kernels for the call passes nothing on.
    for (const auto s : sources) ++calls[static_cast<std::size_t>(s)];
    require_all();
  }
}

/// Three arcs whose weights sum to zero, but not as they are rounded.
void add_cycle_of_zero(arc_list<double>& g, std::size_t first, double a, double b) {
  g.add(first, first + 1, a);
  g.add(first + 1, first + 2, b);
  g.add(first + 2, first, -(a + b));
}

}  // namespace

// Whatever algorithm runs, and whichever takes over from it.
BOOST_AUTO_TEST_CASE_TEMPLATE(each_row_once, Policy, policies) {
  const auto policy = Policy::policy();
  const auto check = [&](const auto& g, const auto& sources) {
    using T = std::remove_cvref_t<decltype(g.weights[0])>;
    check_once<T>(sources,
                  [&](auto& f) { return apsp::for_each_row(policy, g.view(), sources, f); });
    check_once<T>(sources, [&](auto& f) {
      return apsp::for_each_row(policy.cutoff(30), g.view(), sources, f);
    });
    check_once<T>(sources, [&](auto& f) {
      return apsp::for_each_row(policy.prefer_fewest_edges(), g.view(), sources, f);
    });
    const apsp::contraction_hierarchy<T> prepared(policy, g.view());
    if (!prepared.status()) return;
    check_once<T>(sources,
                  [&](auto& f) { return apsp::for_each_row(policy, prepared, sources, f); });
  };
  std::vector<int> repeated{3, 1, 3, 3, 0};
  for (int i = 0; i < 70; ++i) repeated.push_back(i * 7 % 30);
  const auto check_types = [&]<class T>(T) {
    check(random_graph<T>(120, 0.05, 1, 99, 61), repeated);
    check(random_graph<T>(120, 0.05, 7, 7, 62), repeated);
    check(negative_graph<T>(120, 0.05, 63), repeated);
  };
  // On a device small graphs take long.
  check_types(float{});
  check_types(std::int32_t{});
  if (takes_plain_loops<Policy>()) {
    check_types(double{});
    check_types(std::int64_t{});
  }
  // Sums of wider types.
  auto wide = random_graph<std::int64_t>(60, 0.1, 1, 99, 64);
  wide.n = 62;
  wide.add(0, 60, 5);
  wide.add(60, 61, std::numeric_limits<std::int64_t>::max() / 2);
  wide.add(61, 60, -std::numeric_limits<std::int64_t>::max() / 4);
  check(wide, repeated);
  check_once<float>(repeated, [&, g = random_graph<float>(60, 0.1, 1, 99, 65)](auto& f) {
    return apsp::for_each_row(policy, g.view(), repeated, f, apsp::max_min<float>{});
  });
  // Bellman–Ford gives up where a cycle rounds below zero, and weights too large to be changed keep
  // it from leaving the graph to another algorithm before.
  const int most_tenths = takes_plain_loops<Policy>() ? 30 : 4;
  for (const double largest : {1.0, 1e308}) {
    for (int tenths = 1; tenths < most_tenths; ++tenths) {
      BOOST_TEST_CONTEXT("largest = " << largest << ", tenths = " << tenths) {
        arc_list<double> g{40, {}, {}, {}};
        for (std::size_t v = 0; v + 4 < g.n; v += 4) g.add(v, v + 1, largest);
        add_cycle_of_zero(g, 36, 0.1, 0.1 * tenths);
        check(g, all_vertices(g.n));
      }
    }
  }
}

using policies_weights_and_places = in_places<policies_and_fewer_weights>;

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
      With::graphs::in_forms_by_turns(g, [&](const auto& graph) { check(g, graph, sources); });
      check(g, apsp::contraction_hierarchy<T>(apsp::seq, g.view()), sources);
    }
  }
  if constexpr (std::is_signed_v<T>) {
    const auto g = negative_graph<T>(60, 0.05, 58);
    BOOST_TEST_CONTEXT("negative weights, seed = 58") {
      With::graphs::in_forms_by_turns(
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
  for (int attempt = 0; attempt < (is_slow<Policy> ? 10 : 100); ++attempt) {
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

// Devices copy whole numbers in 16 or 24 bits where these hold all of a batch. On a path, the
// distances are differences of positions.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_any_length, With, policies_and_weights) {
  using T = typename With::weight;
  // One thread for a source takes a step for each vertex.
  if (is_slow<With>) return;
  constexpr std::size_t n = 1100;
  for (const double longest : {1e4, 65534., 65535., 65536., 16777214., 16777215., 98765.5}) {
    if (std::is_integral_v<T> && longest != std::floor(longest)) continue;
    BOOST_TEST_CONTEXT("longest = " << longest) {
      std::vector<T> position(n);
      arc_list<T> g{n + 1, {}, {}, {}};
      for (std::size_t v = 1; v < n; ++v) {
        const T length = v + 1 < n ? T{3} : static_cast<T>(longest) - position[v - 1];
        position[v] = position[v - 1] + length;
        g.add(v - 1, v, length);
        g.add(v, v - 1, length);
      }
      const auto is_right = [&](std::size_t u, std::size_t v, T distance) {
        if (u == n || v == n) return distance == (u == v ? T{0} : apsp::unreachable<T>);
        return distance == (u < v ? position[v] - position[u] : position[u] - position[v]);
      };
      const auto sources = all_vertices(g.n);
      std::size_t num_right = 0;
      const auto check = [&](std::size_t u, std::span<const T> row) {
        for (std::size_t v = 0; v < row.size(); ++v) num_right += is_right(u, v, row[v]) ? 1 : 0;
      };
      BOOST_REQUIRE(apsp::for_each_row(With::policy(), g.view(), sources, check));
      BOOST_CHECK_EQUAL(num_right, g.n * g.n);

      const auto check_matrix = [&](auto solve) {
        apsp::matrix<T> d(g.n);
        apsp::matrix<std::int32_t> p(g.n);
        BOOST_REQUIRE(solve(d, p));
        num_right = 0;
        for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
          const std::int32_t before =
              u == v || u == n || v == n ? -1 : static_cast<std::int32_t>(u < v ? v - 1 : v + 1);
          num_right += is_right(u, v, d[u][v]) && p[u][v] == before ? 1 : 0;
        });
        BOOST_CHECK_EQUAL(num_right, g.n * g.n);
      };
      check_matrix([&](auto& d, auto& p) {
        return apsp::bellman_ford(With::policy(), g.view(), sources, d, p);
      });
      check_matrix([&](auto& d, auto& p) {
        return apsp::elimination(With::policy(), g.view(), sources, d, p);
      });
    }
  }
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
