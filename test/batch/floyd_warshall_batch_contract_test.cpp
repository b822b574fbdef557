// SPDX-License-Identifier: BSL-1.0
// Tests of the batched call apart from distances, with data in host and in device memory: kinds of
// ranges, exceptions, progress, and stop.
#define BOOST_TEST_MODULE floyd_warshall_batch_contract
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <apsp/weighted.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "../common/batches.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(where_it_ran, Policy, policies) {
  const std::vector<apsp::matrix<float>> graphs(3, apsp::matrix<float>(4, 4, 1.0f));
  std::vector<apsp::matrix<float>> distances(3, apsp::matrix<float>(4));
  for (const auto& done : apsp::floyd_warshall(Policy::policy(), graphs, distances)) {
    BOOST_CHECK(bool(done));
    BOOST_CHECK(done.algorithm() == apsp::algorithm::floyd_warshall);
    const bool falls_back = !done.fallback_reason().empty();
    BOOST_CHECK(done.executed_on() == (falls_back ? apsp::backend::omp : Policy::expected));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_matrix_for_two_graphs, Policy, policies) {
  const std::vector<apsp::matrix<int>> graphs(3, apsp::matrix<int>(2, 2, 5));
  std::vector<apsp::matrix<int>> memory(3, apsp::matrix<int>(2, 2, 77));
  struct reference {
    apsp::matrix<int>* m;
    std::size_t rows() const { return m->rows(); }
    std::size_t cols() const { return m->cols(); }
    int* data() { return m->data(); }
    const int* data() const { return m->data(); }
    int* operator[](std::size_t i) { return (*m)[i]; }
    const int* operator[](std::size_t i) const { return (*m)[i]; }
  };
  std::vector<reference> distances{{&memory[0]}, {&memory[1]}, {&memory[0]}};
  check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graphs, distances); },
                "graphs 0 and 2 share memory");
  for (const auto& m : memory) BOOST_CHECK(m == apsp::matrix<int>(2, 2, 77));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graphs_may_share_memory_with_other_results, Policy,
                              in_places<policies>) {
  using memory = typename Policy::results;
  for (const std::size_t n : {20u, 270u}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      answered<float> expected;
      expected.add(random_graph<float>(n, 0.2, 1, 9, 1));
      expected.add(random_graph<float>(n, 0.2, 1, 9, 2));
      // The first result begins in the second row of the second graph, the second one in the second
      // row of the first graph.
      apsp::matrix<float> entries(5 * n + 2, n, -7.0F);
      for (std::size_t i = 0; i < 2; ++i) {
        const auto g = dense_form(expected.graphs[i]);
        std::copy(g.begin(), g.end(), entries[2 * i * n + i]);
      }
      auto array = memory::put(entries);
      const auto at_row = [&](std::size_t row) {
        return memory::window(array.data() + row * n, n, n, n);
      };
      const std::vector graphs{at_row(0), at_row(2 * n + 1)};
      std::vector results{at_row(2 * n + 2), at_row(1)};
      const auto done = apsp::floyd_warshall(Policy::policy(), graphs, results);
      std::vector<apsp::matrix<float>> found(2, apsp::matrix<float>(n));
      const apsp::matrix<float> now = to_host(array);
      std::copy_n(now[2 * n + 2], n * n, found[0].data());
      std::copy_n(now[1], n * n, found[1].data());
      check_answers(expected, done, found);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(results_that_overlap, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  constexpr std::size_t n = 5;
  const auto graphs = put_all<memory>(std::vector(3, apsp::matrix<float>(n, n, 5.0f)));
  auto array = memory::put(apsp::matrix<float>(4 * n, n, 77.0f));
  const auto at_entry = [&](std::size_t first, std::size_t pitch) {
    return memory::window(array.data() + first, n, n, pitch);
  };
  const auto solve = [&](auto distances) {
    return apsp::floyd_warshall(Policy::policy(), graphs, distances);
  };
  for (const std::size_t third : {2 * n * n - n, n * n + n * n - 1}) {
    const std::vector overlapping{at_entry(n * n, n), at_entry(3 * n * n, n), at_entry(third, n)};
    check_refused([&] { return solve(overlapping); }, "graphs 0 and 2 share memory");
  }
  BOOST_CHECK(holds_only(array, 77));
  // The rows of the matrices alternate, without a common entry.
  for (const auto& done :
       solve(std::vector{at_entry(0, 3 * n), at_entry(n, 3 * n), at_entry(2 * n, 3 * n)})) {
    BOOST_CHECK(done);
  }
  const apsp::matrix<float> now = to_host(array);
  BOOST_CHECK(std::find(now[0], now[3 * n], 77.0f) == now[3 * n]);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_invalid_graph_is_named, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<arc_list<float>> right;
  for (std::size_t i = 0; i < 50; ++i) {
    right.push_back(random_graph<float>(i == 45 ? 300 : 40, 0.2, 1, 9, i));
  }
  auto distances = results_for<memory>(right);
  const auto refused_batch = [&](const auto& given, const std::string& words) {
    check_refused([&] { return apsp::floyd_warshall(Policy::policy(), given, distances); }, words);
    for (const auto& d : distances) BOOST_REQUIRE(holds_only(d, 77));
  };
  const auto refused = [&](const std::vector<arc_list<float>>& graphs, const std::string& words) {
    batch_in_all_forms<memory>(graphs, [&](const auto& given) { refused_batch(given, words); });
  };
  auto graphs = right;
  graphs[45].add(3, 5, nan);
  refused(graphs, "apsp: graph 45: arc 3 -> 5 has a weight of NaN");
  graphs[40].add(6, 7, -std::numeric_limits<float>::infinity());
  refused(graphs, "apsp: graph 40: arc 6 -> 7 has a weight of minus infinity");
  graphs[2].add(3, 4, nan);
  refused(graphs, "apsp: graph 2: arc 3 -> 4 has a weight of NaN");
  // Invalid vertices, of lists of arcs.
  for (const std::int32_t vertex : {-1, 40}) {
    graphs = right;
    graphs[41].add(0, 1, nan);
    graphs[7].targets[17] = vertex;
    const std::string words = "apsp: graph 7: arc " + std::to_string(right[7].sources[17]) +
                              " -> " + std::to_string(vertex) + " is out of range";
    if constexpr (is_host<memory>) refused_batch(views(graphs), words);
#ifdef APSP_TEST_ON_DEVICE
    if constexpr (!is_host<memory>) {
      const resident_batch<float> batch(right);
      const device_values<std::int32_t> sources(right[7].sources), targets(graphs[7].targets);
      const device_values<float> weights(right[7].weights);
      auto lists = batch.edge_lists();
      lists[7] = {40, sources.span(), targets.span(), weights.span()};
      refused_batch(lists, words);
    }
#endif
  }
  // A matrix of another shape.
  distances[30] = memory::put(apsp::matrix<float>(40, 41, 77.0F));
  batch_in_one_form<memory>(right, [&](const auto& given) {
    refused_batch(given, "apsp: graph 30: the distance matrix is 40 x 41");
  });
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_invalid_array_is_named, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 50; ++i) graphs.push_back(random_graph<float>(40, 0.2, 1, 9, i));
  const resident_batch<float> batch(graphs);
  auto distances = results_for<device_memory>(graphs);
  const auto refused = [&](const auto& given, const std::string& words) {
    check_refused([&] { return apsp::floyd_warshall(Policy::policy(), given, distances); }, words);
    for (const auto& d : distances) BOOST_REQUIRE(holds_only(d, 77));
  };
  const device_values<std::int32_t> targets({1, 2, 3});
  const device_values<float> weights({1, 2, 3});
  const auto with_offset = [&](std::size_t changed, std::int64_t offset, const std::string& words) {
    std::vector<std::int64_t> offsets(41, 3);
    offsets[0] = 0;
    offsets[changed] = offset;
    const device_values<std::int64_t> array(offsets);
    auto rows = batch.csr();
    rows[9] = {array.span(), targets.span(), weights.span()};
    refused(rows, "apsp::device_csr_view: graph 9: " + words);
  };
  with_offset(0, 1, "the first offset is not 0");
  with_offset(20, 2, "the first offset is not 0, or the offsets decrease, at vertex 19");
  with_offset(40, 4, "the last offset is not the number of targets");

  // The host refuses a matrix that belongs to a later graph.
  distances[30] = apsp::device_matrix<float>(apsp::matrix<float>(40, 41, 77.0F));
  auto lists = batch.edge_lists();
  const device_values<std::int32_t> far({100});
  lists[29] = {40, targets.span(), targets.span(), weights.span()};
  refused(lists, "graph 30");
  const device_values<float> one({1});
  lists[29] = {40, far.span(), far.span(), one.span()};
  refused(lists, "apsp: graph 29: arc 100 -> 100 is out of range");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_of_the_host, Policy, policies) {
  using view = apsp::device_matrix_view<float>;
  apsp::device_matrix<float> graph(apsp::matrix<float>(5, 5, 5.0F));
  apsp::device_matrix<float> result(apsp::matrix<float>(5, 5, 77.0F));
  apsp::matrix<float> host(5, 5, 77.0F);
  const view on_host(host.data(), 5, 5);
  const auto refused = [&](const view& g, const view& d) {
    const std::vector graphs{graph.view(), g};
    const std::vector results{result.view(), d};
    check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graphs, results); },
                  "graph 1: expected device memory, got host memory");
    BOOST_CHECK(holds_only(result, 77));
  };
  refused(on_host, result.view());
  refused(graph.view(), on_host);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_different_lengths, Policy, policies) {
  const std::vector<apsp::matrix<float>> graphs(3, apsp::matrix<float>(2, 2, 1.0f));
  std::vector<apsp::matrix<float>> distances(2, apsp::matrix<float>(2, 2, 77.0f));
  check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graphs, distances); },
                "3 graphs, but 2 distance matrices");
  BOOST_CHECK(distances[0] == apsp::matrix<float>(2, 2, 77.0f));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_to_do, Policy, in_places<policies>) {
  auto none = put_all<typename Policy::results>(std::vector<apsp::matrix<float>>());
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy(), none, none).empty());
  none.resize(3);
  const auto done = apsp::floyd_warshall(Policy::policy(), none, none);
  BOOST_REQUIRE_EQUAL(done.size(), 3u);
  for (const auto& d : done) BOOST_CHECK(bool(d));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_counts_graphs, Policy, in_places<policies>) {
  const answered<float>& expected = graphs_of_every_size<float>();
  batch_in_one_form<typename Policy::graphs>(expected.graphs, [&](const auto& graphs) {
    auto distances = results_for<typename Policy::results>(expected.graphs);
    std::size_t last = 0;
    bool in_order = true;
    const auto hear = [&](std::size_t done, std::size_t total) {
      in_order = in_order && done == last + 1 && total == graphs.size();
      last = done;
    };
    const auto heard = Policy::policy().progress(hear);
    check_answers(expected, apsp::floyd_warshall(heard, graphs, distances), distances);
    BOOST_CHECK(in_order);
    BOOST_CHECK_EQUAL(last, graphs.size());

    const auto throwing = Policy::policy().progress([](std::size_t done, std::size_t) {
      if (done == 7) throw std::domain_error("enough");
    });
    check_refused<std::domain_error>(
        [&] { return apsp::floyd_warshall(throwing, graphs, distances); }, "enough");
    check_answers(expected, apsp::floyd_warshall(Policy::policy(), graphs, distances), distances);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stop, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  static const auto graphs = [] {
    std::vector<arc_list<float>> made;
    for (std::size_t i = 0; i < 400; ++i) {
      made.push_back(random_graph<float>(130, 0.02, 1, 9, i % 7));
    }
    for (std::size_t i = 0; i < 5; ++i) made.push_back(random_graph<float>(300, 0.02, 1, 9, i));
    return made;
  }();
  static const single_calls<float> expected(graphs);
  batch_in_one_form<memory>(graphs, [&](const auto& given) {
    auto distances = results_for<memory>(graphs);
    std::stop_source source;
    const auto hear = [&](std::size_t done, std::size_t) {
      if (done == 5) source.request_stop();
    };
    const auto policy = Policy::policy().stop(source.get_token());
    const auto done = apsp::floyd_warshall(policy.progress(hear), given, distances);
    BOOST_REQUIRE_EQUAL(done.size(), graphs.size());
    std::size_t num_stopped = 0;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_REQUIRE_EQUAL(bool(done[i]), !done[i].stopped());
      if (!done[i].stopped()) {
        BOOST_REQUIRE(to_host(distances[i]) == expected.distances(i));
        continue;
      }
      ++num_stopped;
      if (!is_host<memory>) BOOST_REQUIRE(holds_only(distances[i], 77));
    }
    BOOST_CHECK(num_stopped >= 5 && num_stopped <= graphs.size() - 5);

    // A stop is requested before the call, so nothing is written.
    auto untouched = results_for<memory>(graphs);
    for (const auto& d : apsp::floyd_warshall(policy, given, untouched)) BOOST_REQUIRE(d.stopped());
    for (const auto& d : untouched) BOOST_REQUIRE(holds_only(d, 77));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_several_threads, Policy, policies) {
  const answered<float>& expected = graphs_of_every_size<float>();
  const auto graphs = views(expected.graphs);
  std::array<std::vector<apsp::matrix<float>>, 3> distances;
  std::array<std::vector<apsp::result>, 3> done;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < done.size(); ++t) {
      threads.emplace_back([&, t] {
        distances[t] = matrices_for(expected.graphs);
        done[t] = apsp::floyd_warshall(Policy::policy(), graphs, distances[t]);
      });
    }
  }
  for (std::size_t t = 0; t < done.size(); ++t) check_answers(expected, done[t], distances[t]);
}

namespace {

// A column-major matrix that can only be indexed by (i, j) and does not report its shape.
class by_columns {
 public:
  explicit by_columns(std::size_t n) : n_(n), entries_(n * n) {}
  double& operator()(std::size_t i, std::size_t j) { return entries_[j * n_ + i]; }

 private:
  std::size_t n_;
  std::vector<double> entries_;
};

using rows = std::vector<std::vector<float>>;
using float_matrix = apsp::matrix<float>;

static_assert(apsp::range_of_graphs<std::vector<float_matrix>>);
static_assert(apsp::range_of_graphs<std::span<const float_matrix>>);
static_assert(apsp::range_of_graphs<std::vector<rows>>);
static_assert(apsp::range_of_graphs<float[3][2][2]>);
static_assert(apsp::range_of_graphs<std::array<view_of<float>, 2>>);
// These types are matrices, and therefore graphs.
static_assert(!apsp::range_of_graphs<rows> && apsp::graph<rows>);
static_assert(!apsp::range_of_graphs<float_matrix> && apsp::graph<float_matrix>);
static_assert(!apsp::range_of_graphs<float[2][2]> && apsp::graph<float[2][2]>);
static_assert(apsp::graph<std::vector<std::span<float>>>);
static_assert(apsp::graph<std::array<std::array<int, 4>, 4>>);
static_assert(!apsp::graph<std::vector<rows>> && !apsp::graph<std::vector<float_matrix>>);
static_assert(!apsp::range_of_graphs<std::vector<float>> && !apsp::range_of_graphs<int>);

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_ranges, Policy, policies) {
  constexpr auto policy = Policy::policy();
  constexpr float far = apsp::unreachable<float>;
  const rows path{{0, 2, far}, {far, 0, 3}, {far, far, 0}};
  const auto is_solved = [](auto& d) { return d[0][2] == 5 && d[0][1] == 2 && d[2][0] == far; };

  // A range of rows is one graph; a range of such ranges is a batch.
  rows one = path;
  const apsp::result single = apsp::floyd_warshall(policy, path, one);
  BOOST_CHECK(single && is_solved(one));
  std::vector<rows> several(4, path);
  const std::vector<apsp::result> done = apsp::floyd_warshall(policy, several, several);
  BOOST_REQUIRE_EQUAL(done.size(), 4u);
  for (auto& d : several) BOOST_CHECK(is_solved(d));

  // A span of rows is a matrix, too.
  std::vector<float> memory{0, 2, far, far, 0, 3, far, far, 0};
  std::vector<std::span<float>> row_spans;
  for (std::size_t i = 0; i < 3; ++i) row_spans.emplace_back(memory.data() + 3 * i, 3);
  BOOST_CHECK(bool(apsp::floyd_warshall(policy, row_spans, row_spans)));
  BOOST_CHECK(is_solved(row_spans));

  // Spans and arrays of graphs, with results in spans, vectors and arrays.
  const std::vector<rows> graphs(2, path);
  std::vector<float_matrix> matrices(2, float_matrix(3));
  const std::span<float_matrix> view(matrices);
  BOOST_CHECK_EQUAL(apsp::floyd_warshall(policy, std::span(graphs), view).size(), 2u);
  for (auto& d : matrices) BOOST_CHECK(is_solved(d));
  float arrays[2][3][3] = {{{0, 2, far}, {far, 0, 3}, {far, far, 0}},
                           {{0, 2, far}, {far, 0, 3}, {far, far, 0}}};
  BOOST_CHECK_EQUAL(apsp::floyd_warshall(policy, arrays, arrays).size(), 2u);
  for (auto& d : arrays) BOOST_CHECK(is_solved(d));

  // Graphs with weights given by a function, with results in matrices that are not arrays.
  const std::vector<int> offsets{0, 1, 2, 2}, targets{1, 2};
  const apsp::csr_view ring(offsets, targets);
  const auto hop = [](const apsp::edge& e) { return e.source == 0 ? 2.0 : 3.0; };
  const std::vector weighted(3, apsp::weighted(ring, hop));
  std::vector<by_columns> columns(3, by_columns(3));
  BOOST_CHECK_EQUAL(apsp::floyd_warshall(policy, weighted, columns).size(), 3u);
  for (auto& d : columns) BOOST_CHECK(d(0, 2) == 5 && d(0, 1) == 2 && std::isinf(d(2, 0)));
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_ranges_in_device_memory, Policy, policies) {
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
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  std::vector<arc_list<double>> graphs;
  for (std::size_t i = 0; i < 30; ++i) graphs.push_back(random_graph<double>(240, 0.02, 1, 9, i));
  const single_calls<double> expected(graphs);
  batch_in_one_form<memory>(graphs, [&](const auto& given) {
    auto distances = results_for<memory>(graphs);
    const auto solve = [&](std::size_t bytes) {
      return apsp::floyd_warshall(Policy::policy().memory_limit(bytes), given, distances);
    };
    for (const std::size_t bytes : {10u, 1000u, 10000u}) {
      check_refused<apsp::device_error>([&] { return solve(bytes); }, "");
      for (const auto& d : distances) BOOST_REQUIRE(is_host<memory> || holds_only(d, 77));
    }
    // Matrices in host memory also need room on the device.
    const std::size_t least = is_host<memory> ? std::size_t{2} << 20 : std::size_t{1} << 20;
    for (const std::size_t bytes : {least, 3 * least - 1}) {
      expected.check(solve(bytes), distances);
    }
  });
}
#endif
