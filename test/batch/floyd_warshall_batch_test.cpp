// SPDX-License-Identifier: BSL-1.0
// Compares batches of graphs, in host and in device memory, to Boost's per-source algorithms and to
// the single call, graph by graph.
#define BOOST_TEST_MODULE floyd_warshall_batch
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/dense.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../common/batches.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Compares a batch with single calls on the host.
/// @param with_limit  `with_limit(policy)` is the policy with the cutoff of the test.
/// @return true if any result is saturated.
template <class With, class T, class WithLimit>
bool check_like_single(const std::vector<arc_list<T>>& graphs, WithLimit with_limit) {
  const single_calls<T> expected(graphs, with_limit(apsp::seq));
  bool any_saturated = false;
  batch_in_all_forms<typename With::graphs>(graphs, [&](const auto& given) {
    auto distances = results_for<typename With::results>(graphs);
    const auto done = apsp::floyd_warshall(with_limit(With::policy()), given, distances);
    expected.check(done, distances);
    any_saturated =
        std::any_of(done.begin(), done.end(), [](const auto& d) { return d.saturated(); });
  });
  return any_saturated;
}

constexpr auto no_limit = [](const auto& policy) { return policy; };
auto limit_of(double limit) {
  return [limit](const auto& policy) { return policy.cutoff(limit); };
}

/// A matrix as a graph.
apsp::dense_view<apsp::matrix<float>> graph_in(const apsp::matrix<float>& m) {
  return apsp::dense_view<apsp::matrix<float>>(m);
}
#ifdef APSP_TEST_ON_DEVICE
apsp::device_matrix_view<const float> graph_in(const apsp::device_matrix<float>& m) {
  return m.view();
}
#endif

using policies_weights_and_places = in_places<policies_and_weights>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_in_one_batch, With, policies_weights_and_places) {
  const auto& expected = graphs_of_every_size<typename With::weight>();
  batch_in_all_forms<typename With::graphs>(expected.graphs, [&](const auto& graphs) {
    auto distances = results_for<typename With::results>(expected.graphs);
    const auto done = apsp::floyd_warshall(With::policy(), graphs, distances);
    check_answers(expected, done, distances);
    for (const auto& d : done) {
      BOOST_CHECK(d.executed_on() == With::expected || !d.fallback_reason().empty());
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parallel_arcs_and_loops, With, policies_weights_and_places) {
  using T = typename With::weight;
  static const answered<T> expected = [] {
    answered<T> made;
    for (const std::size_t n : {1u, 2u, 31u, 33u, 127u, 129u, 200u, 300u}) {
      made.add(with_parallel_arcs(random_graph<T>(n, 0.1, 0, 100, n), n));
    }
    return made;
  }();
  auto graphs = expected.graphs;
  for (auto& g : graphs) g = with_an_unreachable_arc(g);
  batch_in_all_forms<typename With::graphs>(graphs, [&](const auto& given) {
    auto distances = results_for<typename With::results>(graphs);
    check_answers(expected, apsp::floyd_warshall(With::policy(), given, distances), distances);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_graphs, Policy, in_places<policies>) {
  static const auto graphs = [] {
    std::vector<arc_list<std::int32_t>> made;
    for (std::size_t i = 0; i < 3000; ++i) {
      made.push_back(random_graph<std::int32_t>(5 + i % 23, 0.3, 1, 1000, i));
    }
    for (std::size_t i = 0; i < 60; ++i) {
      made.push_back(random_graph<std::int32_t>(100 + i, 0.05, 1, 1000, i));
    }
    return made;
  }();
  static const single_calls<std::int32_t> expected(graphs);
  auto matrices = put_all<typename Policy::results>(dense(graphs));
  expected.check(apsp::floyd_warshall(Policy::policy(), matrices, matrices), matrices);
  if constexpr (is_host<typename Policy::graphs>) {
    auto distances = matrices_for(graphs);
    expected.check(apsp::floyd_warshall(Policy::policy(), views(graphs), distances), distances);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place, With, policies_weights_and_places) {
  const auto& expected = graphs_of_every_size<typename With::weight>();
  auto graphs = put_all<typename With::results>(dense(expected.graphs));
  check_answers(expected, apsp::floyd_warshall(With::policy(), graphs, graphs), graphs);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place_of_another_graph, Policy, in_places<policies>) {
  // Graph i is stored where the distances of graph i + 1 are written.
  answered<float> expected;
  // The large graphs come first, then the small ones. Each group is permuted.
  for (std::size_t i = 0; i < 40; ++i) {
    expected.add(random_graph<float>(i < 2 ? 260 : 33, 0.1, 1, 99, i));
  }
  auto memory = put_all<typename Policy::results>(dense(expected.graphs));
  std::vector<decltype(graph_in(memory.front()))> graphs;
  for (const auto& m : memory) graphs.push_back(graph_in(m));
  const auto permute = [](auto& list) {
    std::rotate(list.begin(), list.begin() + 1, list.begin() + 2);
    std::rotate(list.begin() + 2, list.begin() + 3, list.end());
  };
  permute(graphs);
  permute(expected.distances);
  permute(expected.graphs);
  check_answers(expected, apsp::floyd_warshall(Policy::policy(), graphs, memory), memory);
}

// Slices of one array, whose padding is not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(slices_of_a_padded_array, With, policies_weights_and_places) {
  using T = typename With::weight;
  using memory = typename With::results;
  const std::vector<std::size_t> sizes{3, 40, 0, 17, 129, 1, 130, 64};
  constexpr std::size_t extent = 130;
  answered<T> expected;
  for (const std::size_t n : sizes) expected.add(random_graph<T>(n, 0.1, 1, 50, n));
  apsp::matrix<T> entries(sizes.size() * extent, extent, T(-7));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto g = dense_form(expected.graphs[i]);
    for (std::size_t u = 0; u < sizes[i]; ++u) {
      std::copy_n(g[u], sizes[i], entries[i * extent + u]);
    }
  }
  for (const bool is_in_place : {false, true}) {
    auto given = memory::put(entries);
    auto other = memory::put(apsp::matrix<T>(entries.rows(), extent, T(-7)));
    auto& array = is_in_place ? given : other;
    const auto slices_of = [&](auto& whole) {
      std::vector<decltype(memory::window(whole.data(), 1, 1, 1))> slices;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        slices.push_back(
            memory::window(whole.data() + i * extent * extent, sizes[i], sizes[i], extent));
      }
      return slices;
    };
    auto results = slices_of(array);
    const auto done = apsp::floyd_warshall(With::policy(), slices_of(given), results);
    const apsp::matrix<T> found = to_host(array);
    std::vector<apsp::matrix<T>> distances;
    bool is_padding_untouched = true;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      distances.emplace_back(sizes[i]);
      for (std::size_t u = 0; u < extent; ++u) {
        const T* const row = found[i * extent + u];
        const std::size_t written = u < sizes[i] ? sizes[i] : 0;
        if (written != 0) std::copy_n(row, written, distances[i][u]);
        is_padding_untouched = is_padding_untouched && std::all_of(row + written, row + extent,
                                                                   [](T x) { return x == -7; });
      }
    }
    check_answers(expected, done, distances);
    BOOST_CHECK(is_padding_untouched);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, With, policies_weights_and_places) {
  using T = typename With::weight;
  static const auto graphs = graphs_with_negative_cycles<T>(20);
  static const auto expected = oracle_of_all(graphs);
  batch_in_all_forms<typename With::graphs>(graphs, [&](const auto& given) {
    auto distances = results_for<typename With::results>(graphs);
    const auto done = apsp::floyd_warshall(With::policy(), given, distances);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_TEST_CONTEXT("graph " << i << ", seed = " << i) {
        BOOST_REQUIRE_EQUAL(bool(done[i]), expected[i].has_value());
        if (expected[i]) {
          check_rows<T>(*expected[i], to_host(distances[i]));
        } else {
          BOOST_CHECK(!done[i].stopped());
          check_negative_cycle(graphs[i], done[i].negative_cycle());
          if (!is_host<typename With::results>) BOOST_CHECK(holds_only(distances[i], 77));
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_below_zero_by_rounding_only, Policy, in_places<policies>) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 8; ++i) graphs.push_back(negative_graph<float>(40, 0.5, i, 0.1));
  batch_in_one_form<typename Policy::graphs>(graphs, [&](const auto& given) {
    auto distances = results_for<typename Policy::results>(graphs);
    const auto done = apsp::floyd_warshall(Policy::policy(), given, distances);
    bool any_reweighted = false;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_TEST_CONTEXT("seed = " << i) {
        BOOST_REQUIRE(bool(done[i]));
        any_reweighted = any_reweighted || done[i].algorithm() == apsp::algorithm::johnson;
        // The same graph with weights divided by 10.
        const auto tenths = oracle_distances(negative_graph<std::int32_t>(graphs[i].n, 0.5, i));
        const apsp::matrix<float> found = to_host(distances[i]);
        for (std::size_t u = 0; u < graphs[i].n; ++u) {
          for (std::size_t v = 0; v < graphs[i].n; ++v) {
            BOOST_REQUIRE(std::abs(static_cast<double>(found[u][v]) -
                                   0.1 * static_cast<double>((*tenths)[u][v])) < 1e-3);
          }
        }
      }
    }
    BOOST_CHECK(any_reweighted);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range, Policy, in_places<policies>) {
  constexpr auto most = (std::numeric_limits<std::int32_t>::max)();
  std::vector<arc_list<std::int32_t>> graphs;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t n = 2 + 5 * i % 170;
    graphs.push_back(i % 4 == 0   ? random_graph<std::int32_t>(n, 0.2, most / 4, most - 1, i)
                     : i % 4 == 1 ? random_graph<std::int32_t>(n, 0.2, 0, 10, i)
                     : i % 4 == 2 ? negative_graph<std::int32_t>(n, 0.2, i)
                                  : random_graph<std::int32_t>(n, 0.2, most / 200, most / 100, i));
  }
  // Distances below the range.
  graphs.push_back(make_graph<std::int32_t>(3, {{0, 1, -most}, {1, 2, -most}}));
  BOOST_CHECK(check_like_single<Policy>(graphs, no_limit));
  for (const double limit : {double(most) / 2, double(most) - 1, 5.0}) {
    check_like_single<Policy>(graphs, limit_of(limit));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range_of_64_bits, Policy, in_places<policies>) {
  constexpr auto most = (std::numeric_limits<std::int64_t>::max)();
  std::vector<arc_list<std::int64_t>> graphs;
  for (std::size_t i = 0; i < 12; ++i) {
    // Half of them need sums of 128 bits.
    const std::int64_t low = i % 2 == 0 ? most / 8 : 1;
    graphs.push_back(random_graph<std::int64_t>(20 + i, 0.1, low, i % 2 == 0 ? most / 4 : 9, i));
  }
  graphs.push_back(make_graph<std::int64_t>(3, {{0, 1, most / 8}, {1, 2, -most / 9}}));
  BOOST_CHECK(check_like_single<Policy>(graphs, no_limit));
  check_like_single<Policy>(graphs, limit_of(100));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_out_of_the_range_of_float, Policy, in_places<policies>) {
  constexpr float most = (std::numeric_limits<float>::max)();
  const std::vector<arc_list<float>> graphs{
      make_graph<float>(4, {{0, 1, most}, {1, 2, most}, {2, 3, -most}}),
      make_graph<float>(4, {{0, 1, 1}, {1, 2, most / 8}, {2, 3, -1}})};
  check_like_single<Policy>(graphs, no_limit);
  check_like_single<Policy>(graphs, limit_of(1e30));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, With, policies_weights_and_places) {
  using T = typename With::weight;
  std::vector<arc_list<T>> graphs;
  for (std::size_t i = 0; i < 20; ++i) {
    graphs.push_back(random_graph<T>(20 * i % 300, 0.1, 1, 20, i));
  }
  for (const double limit : {0.0, 15.5, 1000.0}) {
    check_like_single<With>(graphs, limit_of(limit));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_and_unsigned_distances, Policy, policies) {
  const auto check = [](auto zero, auto with_limit) {
    using T = decltype(zero);
    std::vector<arc_list<T>> graphs;
    for (std::size_t i = 0; i < 20; ++i) {
      graphs.push_back(random_graph<T>(12 * i, 0.05, 1, i % 2 == 0 ? 3 : 100, i));
    }
    check_like_single<at<Policy, place<host_memory>>>(graphs, with_limit);
  };
  check(std::int8_t{}, no_limit);
  check(std::uint64_t{}, no_limit);
  check(std::uint8_t{}, limit_of(15));
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_vertices, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 9; ++i) graphs.push_back(random_graph<float>(30 * i, 0.1, 1, 9, i));
  const single_calls<float> expected(graphs);
  const auto check = [&](const auto& batch) {
    const auto solve = [&](const auto& given) {
      auto distances = results_for<device_memory>(graphs);
      expected.check(apsp::floyd_warshall(Policy::policy(), given, distances), distances);
    };
    solve(batch.csr());
    solve(batch.edge_lists());
  };
  check(resident_batch<float, std::uint32_t>(graphs));
  check(resident_batch<float, std::int64_t>(graphs));
  check(resident_batch<float, std::uint64_t>(graphs));
}
#endif
