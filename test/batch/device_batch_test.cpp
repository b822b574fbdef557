// SPDX-License-Identifier: BSL-1.0
// Batches of graphs in device memory, compared to Boost's per-source algorithms and to calls for single graphs
// on the host. They need a device.
#define BOOST_TEST_MODULE device_batch
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/device_memory.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "../common/batches.hpp"
#include "../common/device_data.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

template <class T>
using view = apsp::device_matrix_view<T>;

template <class T>
std::vector<view<const T>> views_of(const std::vector<apsp::device_matrix<T>>& matrices) {
  std::vector<view<const T>> all;
  for (const auto& m : matrices) all.push_back(m.view());
  return all;
}

/// Graphs in device memory, in all representations.
template <class T, class Index = std::int32_t>
class resident_batch {
 public:
  explicit resident_batch(const std::vector<arc_list<T>>& graphs) {
    for (const auto& g : graphs) graphs_.emplace_back(g);
  }

  auto edge_lists() const {
    return all([](const auto& g) { return g.edge_list(); });
  }
  auto csr() const {
    return all([](const auto& g) { return g.csr(); });
  }
  auto dense() const {
    return all([](const auto& g) { return g.dense().view(); });
  }
  template <class F>
  void in_all_forms(F f) const {
    BOOST_TEST_CONTEXT("edge lists") {
      f(edge_lists());
    }
    BOOST_TEST_CONTEXT("csr") {
      f(csr());
    }
    BOOST_TEST_CONTEXT("dense") {
      f(dense());
    }
  }

 private:
  template <class F>
  auto all(F f) const {
    std::vector<decltype(f(graphs_.front()))> views;
    for (const auto& g : graphs_) views.push_back(f(g));
    return views;
  }

  std::vector<resident<T, Index>> graphs_;
};

template <class T>
std::vector<apsp::device_matrix<T>> on_device(const std::vector<apsp::matrix<T>>& matrices) {
  std::vector<apsp::device_matrix<T>> all;
  for (const auto& m : matrices) all.emplace_back(m);
  return all;
}
template <class T>
std::vector<apsp::matrix<T>> on_host(const std::vector<apsp::device_matrix<T>>& matrices) {
  std::vector<apsp::matrix<T>> all;
  for (const auto& m : matrices) all.push_back(m.to_host());
  return all;
}
template <class T>
std::vector<apsp::device_matrix<T>> device_matrices_for(const std::vector<arc_list<T>>& graphs) {
  return on_device(matrices_for(graphs));
}

/// Compares with calls for single graphs on the host.
/// @param with_limit  `with_limit(policy)` is the policy with the cutoff of the test.
template <class T, class Policy, class WithLimit>
void check_like_host(const Policy& policy, const std::vector<arc_list<T>>& graphs,
                     WithLimit with_limit) {
  std::vector<apsp::matrix<T>> expected;
  std::vector<apsp::result> singles;
  for (const auto& g : graphs) {
    expected.emplace_back(g.n);
    singles.push_back(apsp::floyd_warshall(with_limit(apsp::seq), g.view(), expected.back()));
  }
  resident_batch<T>(graphs).in_all_forms([&](const auto& given) {
    auto distances = device_matrices_for(graphs);
    const auto done = apsp::floyd_warshall(with_limit(policy), given, distances);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_TEST_CONTEXT("graph " << i << " of " << graphs[i].n << ", seed = " << i) {
        BOOST_REQUIRE(done[i] && singles[i]);
        BOOST_CHECK_EQUAL(done[i].saturated(), singles[i].saturated());
        BOOST_CHECK(distances[i].to_host() == expected[i]);
      }
    }
  });
}

constexpr auto no_limit = [](const auto& policy) { return policy; };
auto limit_of(double limit) {
  return [limit](const auto& policy) { return policy.cutoff(limit); };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_in_one_batch, With, policies_and_weights) {
  using T = typename With::weight;
  const answered<T>& expected = graphs_of_every_size<T>();
  resident_batch<T>(expected.graphs).in_all_forms([&](const auto& graphs) {
    auto distances = device_matrices_for(expected.graphs);
    const auto done = apsp::floyd_warshall(With::policy(), graphs, distances);
    check_answers(expected, done, on_host(distances));
    for (const auto& d : done) BOOST_CHECK(d.executed_on() == With::expected);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parallel_arcs_and_loops, With, policies_and_weights) {
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
  resident_batch<T>(graphs).in_all_forms([&](const auto& given) {
    auto distances = device_matrices_for(graphs);
    const auto done = apsp::floyd_warshall(With::policy(), given, distances);
    check_answers(expected, done, on_host(distances));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_graphs, Policy, policies) {
  std::vector<arc_list<std::int32_t>> graphs;
  for (std::size_t i = 0; i < 3000; ++i) {
    graphs.push_back(random_graph<std::int32_t>(5 + i % 23, 0.3, 1, 1000, i));
  }
  for (std::size_t i = 0; i < 60; ++i) {
    graphs.push_back(random_graph<std::int32_t>(100 + i, 0.05, 1, 1000, i));
  }
  auto matrices = on_device(dense(graphs));
  const auto done = apsp::floyd_warshall(Policy::policy(), matrices, matrices);
  check_like_single(views(graphs), done, on_host(matrices));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_vertices, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 9; ++i) graphs.push_back(random_graph<float>(30 * i, 0.1, 1, 9, i));
  const auto check = [&](const auto& batch) {
    const auto solve = [&](const auto& given) {
      auto distances = device_matrices_for(graphs);
      const auto done = apsp::floyd_warshall(Policy::policy(), given, distances);
      check_like_single(views(graphs), done, on_host(distances));
    };
    solve(batch.csr());
    solve(batch.edge_lists());
  };
  check(resident_batch<float, std::uint32_t>(graphs));
  check(resident_batch<float, std::int64_t>(graphs));
  check(resident_batch<float, std::uint64_t>(graphs));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_ranges, Policy, policies) {
  const auto g = random_graph<float>(20, 0.2, 1, 9, 4);
  const apsp::device_matrix<float> graph(dense_form(g));
  apsp::device_matrix<float> first(20), second(20);
  const auto check = [&](const auto& done) {
    for (const auto& d : done) BOOST_REQUIRE(d);
    for (auto* m : {&first, &second}) {
      check_distances(g, m->to_host());
      m->assign(apsp::matrix<float>(20, 20, -7.0F));
    }
  };
  const std::array graphs{graph.view(), graph.view()};
  const std::vector results{first.view(), second.view()};
  check(apsp::floyd_warshall(Policy::policy(), graphs, results));
  check(apsp::floyd_warshall(Policy::policy(), std::span(graphs), std::span(results)));
  using mdspan = device_mdspan<float>;
  const std::array<device_mdspan<const float>, 2> spans{
      {{graph.data(), 20, 20}, {graph.data(), 20, 20}}};
  const std::array<mdspan, 2> to{{{first.data(), 20, 20}, {second.data(), 20, 20}}};
  check(apsp::floyd_warshall(Policy::policy(), spans, to));

  std::vector<apsp::device_matrix<float>> none;
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy(), none, none).empty());
  none.resize(3);
  BOOST_CHECK_EQUAL(apsp::floyd_warshall(Policy::policy(), none, none).size(), 3u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place, With, policies_and_weights) {
  using T = typename With::weight;
  const answered<T>& expected = graphs_of_every_size<T>();
  auto matrices = on_device(dense(expected.graphs));
  const auto done = apsp::floyd_warshall(With::policy(), matrices, matrices);
  check_answers(expected, done, on_host(matrices));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place_of_another_graph, Policy, policies) {
  for (const std::size_t n : {33u, 260u}) {
    answered<float> expected;
    for (std::size_t i = 0; i < 6; ++i) expected.add(random_graph<float>(n, 0.1, 1, 99, i));
    auto memory = on_device(dense(expected.graphs));
    auto graphs = views_of(memory);
    // Graph i is stored where the distances of graph i + 1 are written.
    std::rotate(memory.begin(), memory.begin() + 5, memory.end());
    const auto done = apsp::floyd_warshall(Policy::policy(), graphs, memory);
    check_answers(expected, done, on_host(memory));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parts_that_overlap, Policy, policies) {
  for (const std::size_t n : {20u, 270u}) {
    answered<float> expected;
    expected.add(random_graph<float>(n, 0.2, 1, 9, 1));
    expected.add(random_graph<float>(n, 0.2, 1, 9, 2));
    // The first result begins in the second row of the second graph, the second one in the second row of the
    // first graph.
    apsp::matrix<float> entries(5 * n + 2, n, -7.0F);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto g = dense_form(expected.graphs[i]);
      std::copy(g.begin(), g.end(), entries[2 * i * n + i]);
    }
    apsp::device_matrix<float> memory(entries);
    float* const first = memory.data();
    const std::array<view<const float>, 2> graphs{{{first, n, n}, {first + (2 * n + 1) * n, n, n}}};
    const std::array<view<float>, 2> results{{{first + (2 * n + 2) * n, n, n}, {first + n, n, n}}};
    const auto done = apsp::floyd_warshall(Policy::policy(), graphs, results);
    std::vector<apsp::matrix<float>> found;
    for (const auto& r : results) found.push_back(apsp::copy_to_host(r));
    check_answers(expected, done, found);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(results_that_overlap, Policy, policies) {
  const apsp::device_matrix<float> graph(apsp::matrix<float>(5, 5, 5.0F));
  apsp::device_matrix<float> memory(apsp::matrix<float>(20, 5, 77.0F));
  const std::vector graphs(3, graph.view());
  float* const first = memory.data();
  const std::vector<view<float>> results{{first, 5, 5}, {first + 50, 5, 5}, {first + 20, 5, 5}};
  check_refused<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), graphs, results)); },
      "graphs 0 and 2 share memory");
  BOOST_CHECK(holds_only(memory, 77));
}

// Slices of one array, whose padding is not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(slices_of_a_padded_array, With, policies_and_weights) {
  using T = typename With::weight;
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
  const auto check = [&](bool in_place) {
    const apsp::device_matrix<T> given(entries);
    apsp::device_matrix<T> memory(
        in_place ? entries : apsp::matrix<T>(entries.rows(), entries.cols(), T(-7)));
    std::vector<view<T>> results;
    std::vector<view<const T>> graphs;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t begin = i * extent * extent;
      results.emplace_back(memory.data() + begin, sizes[i], sizes[i], extent);
      graphs.emplace_back((in_place ? memory.data() : given.data()) + begin, sizes[i], sizes[i],
                          extent);
    }
    const auto done = apsp::floyd_warshall(With::policy(), graphs, results);
    const auto found = memory.to_host();
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
  };
  check(false);
  check(true);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, With, policies_and_weights) {
  using T = typename With::weight;
  static const auto graphs = graphs_with_negative_cycles<T>(20);
  static const auto expected = oracle_of_all(graphs);
  resident_batch<T>(graphs).in_all_forms([&](const auto& given) {
    auto distances = device_matrices_for(graphs);
    const auto done = apsp::floyd_warshall(With::policy(), given, distances);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_TEST_CONTEXT("graph " << i << ", seed = " << i) {
        BOOST_REQUIRE_EQUAL(bool(done[i]), expected[i].has_value());
        if (expected[i]) {
          check_rows<T>(*expected[i], distances[i].to_host());
        } else {
          check_negative_cycle(graphs[i], done[i].negative_cycle());
          BOOST_CHECK(holds_only(distances[i], 77));
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_below_zero_by_rounding_only, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 8; ++i) graphs.push_back(negative_graph<float>(40, 0.5, i, 0.1));
  const resident_batch<float> batch(graphs);
  auto distances = device_matrices_for(graphs);
  const auto done = apsp::floyd_warshall(Policy::policy(), batch.csr(), distances);
  bool any_reweighted = false;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_TEST_CONTEXT("seed = " << i) {
      BOOST_REQUIRE(bool(done[i]));
      any_reweighted = any_reweighted || done[i].algorithm() == apsp::algorithm::johnson;
      // The same graph with weights divided by 10.
      const auto tenths = oracle_distances(negative_graph<std::int32_t>(graphs[i].n, 0.5, i));
      const auto found = distances[i].to_host();
      for (std::size_t u = 0; u < graphs[i].n; ++u) {
        for (std::size_t v = 0; v < graphs[i].n; ++v) {
          BOOST_REQUIRE(std::abs(static_cast<double>(found[u][v]) -
                                 0.1 * static_cast<double>((*tenths)[u][v])) < 1e-3);
        }
      }
    }
  }
  BOOST_CHECK(any_reweighted);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range, Policy, policies) {
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
  check_like_host(Policy::policy(), graphs, no_limit);
  for (const double limit : {double(most) / 2, double(most) - 1, 5.0}) {
    check_like_host(Policy::policy(), graphs, limit_of(limit));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range_of_64_bits, Policy, policies) {
  constexpr auto most = (std::numeric_limits<std::int64_t>::max)();
  std::vector<arc_list<std::int64_t>> graphs;
  for (std::size_t i = 0; i < 12; ++i) {
    // Half of them need sums of 128 bits.
    const std::int64_t low = i % 2 == 0 ? most / 8 : 1;
    graphs.push_back(random_graph<std::int64_t>(20 + i, 0.1, low, i % 2 == 0 ? most / 4 : 9, i));
  }
  graphs.push_back(make_graph<std::int64_t>(3, {{0, 1, most / 8}, {1, 2, -most / 9}}));
  check_like_host(Policy::policy(), graphs, no_limit);
  check_like_host(Policy::policy(), graphs, limit_of(100));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_out_of_the_range_of_float, Policy, policies) {
  constexpr float most = (std::numeric_limits<float>::max)();
  const std::vector<arc_list<float>> graphs{
      make_graph<float>(4, {{0, 1, most}, {1, 2, most}, {2, 3, -most}}),
      make_graph<float>(4, {{0, 1, 1}, {1, 2, most / 8}, {2, 3, -1}})};
  check_like_host(Policy::policy(), graphs, no_limit);
  check_like_host(Policy::policy(), graphs, limit_of(1e30));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, With, policies_and_weights) {
  using T = typename With::weight;
  std::vector<arc_list<T>> graphs;
  for (std::size_t i = 0; i < 15; ++i) {
    graphs.push_back(random_graph<T>(20 * i, 0.1, 1, 20, i));
  }
  for (const double limit : {0.0, 15.5, 1000.0}) {
    check_like_host(With::policy(), graphs, limit_of(limit));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_invalid_graph_is_named, Policy, policies) {
  std::vector<arc_list<float>> right;
  for (std::size_t i = 0; i < 50; ++i) {
    right.push_back(random_graph<float>(i == 45 ? 300 : 40, 0.2, 1, 9, i));
  }
  const auto refused = [&](const std::vector<arc_list<float>>& graphs, const std::string& words,
                           bool as_matrices) {
    const resident_batch<float> batch(graphs);
    auto distances = device_matrices_for(graphs);
    const auto check = [&](const auto& given) {
      check_refused<std::invalid_argument>(
          [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), given, distances)); },
          words);
      for (const auto& d : distances) BOOST_REQUIRE(holds_only(d, 77));
    };
    check(batch.edge_lists());
    check(batch.csr());
    if (as_matrices) check(batch.dense());
  };
  auto graphs = right;
  graphs[45].add(3, 5, std::numeric_limits<float>::quiet_NaN());
  refused(graphs, "apsp: graph 45: arc 3 -> 5 has a weight of NaN", true);
  graphs[40].add(6, 7, -std::numeric_limits<float>::infinity());
  refused(graphs, "apsp: graph 40: arc 6 -> 7 has a weight of minus infinity", true);
  graphs[2].add(3, 4, std::numeric_limits<float>::quiet_NaN());
  refused(graphs, "apsp: graph 2: arc 3 -> 4 has a weight of NaN", true);

  // Invalid vertices and offsets.
  const resident_batch<float> batch(right);
  auto distances = device_matrices_for(right);
  const auto refused_arrays = [&](const auto& given, const std::string& words) {
    check_refused<std::invalid_argument>(
        [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), given, distances)); },
        words);
    for (const auto& d : distances) BOOST_REQUIRE(holds_only(d, 77));
  };
  for (const std::int32_t vertex : {-1, 40}) {
    auto targets = right[7].targets;
    targets[17] = vertex;
    const device_values<std::int32_t> sources_on_device(right[7].sources);
    const device_values<std::int32_t> targets_on_device(targets);
    const device_values<float> weights(right[7].weights);
    auto lists = batch.edge_lists();
    lists[7] = {40, sources_on_device.span(), targets_on_device.span(), weights.span()};
    refused_arrays(lists, "apsp: graph 7: arc " + std::to_string(right[7].sources[17]) + " -> " +
                              std::to_string(vertex) + " is out of range: the graph has 40");
  }
  const device_values<std::int32_t> targets({1, 2, 3});
  const device_values<float> weights({1, 2, 3});
  const auto with_offset = [&](std::size_t changed, std::int64_t offset, const std::string& words) {
    std::vector<std::int64_t> offsets(41, 3);
    offsets[0] = 0;
    offsets[changed] = offset;
    const device_values<std::int64_t> array(offsets);
    auto rows = batch.csr();
    rows[9] = {array.span(), targets.span(), weights.span()};
    refused_arrays(rows, "apsp::device_csr_view: graph 9: " + words);
  };
  with_offset(0, 1, "the first offset is not 0");
  with_offset(20, 2, "the first offset is not 0, or the offsets decrease, at vertex 19");
  with_offset(40, 4, "the last offset is not the number of targets");

  // The host refuses a matrix that belongs to a later graph.
  distances[30] = apsp::device_matrix<float>(apsp::matrix<float>(40, 41, 77.0F));
  refused_arrays(batch.csr(), "apsp: graph 30: the distance matrix is 40 x 41");
  auto lists = batch.edge_lists();
  const device_values<std::int32_t> far({100});
  lists[29] = {40, targets.span(), targets.span(), weights.span()};
  refused_arrays(lists, "graph 30");
  const device_values<float> one({1});
  lists[29] = {40, far.span(), far.span(), one.span()};
  refused_arrays(lists, "apsp: graph 29: arc 100 -> 100 is out of range");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_of_the_host, Policy, policies) {
  const apsp::device_matrix<float> graph(apsp::matrix<float>(5, 5, 5.0F));
  apsp::device_matrix<float> result(apsp::matrix<float>(5, 5, 77.0F));
  apsp::matrix<float> host(5, 5, 77.0F);
  const auto refused = [&](const view<const float>& g, const view<float>& d) {
    const std::vector graphs{graph.view(), g};
    const std::vector results{result.view(), d};
    check_refused<std::invalid_argument>(
        [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), graphs, results)); },
        "graph 1: expected device memory, got host memory");
    BOOST_CHECK(holds_only(result, 77));
  };
  refused(view<const float>(host.data(), 5, 5), result.view());
  refused(graph.view(), view<float>(host.data(), 5, 5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, Policy, policies) {
  std::vector<arc_list<double>> graphs;
  for (std::size_t i = 0; i < 30; ++i) graphs.push_back(random_graph<double>(240, 0.02, 1, 9, i));
  const resident_batch<double> batch(graphs);
  for (const std::size_t bytes : {std::size_t{1} << 20, std::size_t{3'000'001}}) {
    auto distances = device_matrices_for(graphs);
    const auto done =
        apsp::floyd_warshall(Policy::policy().memory_limit(bytes), batch.csr(), distances);
    check_like_single(views(graphs), done, on_host(distances));
  }
  for (const std::size_t bytes : {10u, 1000u, 10000u}) {
    auto distances = device_matrices_for(graphs);
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy().memory_limit(bytes),
                                                             batch.csr(), distances)),
                      apsp::device_error);
    for (const auto& d : distances) BOOST_REQUIRE(holds_only(d, 77));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_counts_graphs, Policy, policies) {
  const answered<float>& expected = graphs_of_every_size<float>();
  const resident_batch<float> batch(expected.graphs);
  auto distances = device_matrices_for(expected.graphs);
  std::size_t last = 0;
  bool in_order = true;
  const auto hear = [&](std::size_t done, std::size_t total) {
    in_order = in_order && done == last + 1 && total == expected.graphs.size();
    last = done;
  };
  const auto done = apsp::floyd_warshall(Policy::policy().progress(hear), batch.csr(), distances);
  check_answers(expected, done, on_host(distances));
  BOOST_CHECK(in_order);
  BOOST_CHECK_EQUAL(last, expected.graphs.size());

  const auto refuse = [](std::size_t finished, std::size_t) {
    if (finished == 7) throw std::domain_error("enough");
  };
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy().progress(refuse),
                                                           batch.csr(), distances)),
                    std::domain_error);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stop, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 400; ++i) {
    graphs.push_back(random_graph<float>(130, 0.02, 1, 9, i % 7));
  }
  for (std::size_t i = 0; i < 5; ++i) graphs.push_back(random_graph<float>(300, 0.02, 1, 9, i));
  const resident_batch<float> batch(graphs);
  const auto given = batch.csr();
  auto distances = device_matrices_for(graphs);
  std::stop_source source;
  const auto hear = [&](std::size_t done, std::size_t) {
    if (done == 5) source.request_stop();
  };
  const auto policy = Policy::policy().stop(source.get_token());
  const auto done = apsp::floyd_warshall(policy.progress(hear), given, distances);
  std::size_t num_stopped = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_REQUIRE_EQUAL(bool(done[i]), !done[i].stopped());
    if (done[i].stopped()) {
      ++num_stopped;
      BOOST_REQUIRE(holds_only(distances[i], 77));
    } else {
      apsp::matrix<float> expected(graphs[i].n);
      BOOST_REQUIRE(bool(apsp::floyd_warshall(apsp::seq, graphs[i].view(), expected)));
      BOOST_REQUIRE(distances[i].to_host() == expected);
    }
  }
  BOOST_CHECK(num_stopped >= 5 && num_stopped <= graphs.size() - 5);

  // A stop is requested before the call, so nothing is written.
  auto untouched = device_matrices_for(graphs);
  for (const auto& d : apsp::floyd_warshall(policy, given, untouched)) BOOST_REQUIRE(d.stopped());
  for (const auto& d : untouched) BOOST_REQUIRE(holds_only(d, 77));
}
