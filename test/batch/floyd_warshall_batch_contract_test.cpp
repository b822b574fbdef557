// SPDX-License-Identifier: BSL-1.0
// Tests of the batched call apart from distances: kinds of ranges, exceptions, progress, and stop.
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
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(where_it_ran, Policy, policies) {
  const std::vector<apsp::matrix<float>> graphs(3, apsp::matrix<float>(4, 4, 1.0f));
  std::vector<apsp::matrix<float>> distances(3, apsp::matrix<float>(4));
  for (const auto& done : apsp::floyd_warshall(Policy::policy(), graphs, distances)) {
    BOOST_CHECK(bool(done));
    BOOST_CHECK(done.algorithm() == apsp::algorithm::floyd_warshall);
    if (done.fallback_reason().empty()) {
      BOOST_CHECK(done.executed_on() == Policy::expected);
    } else {
      BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    }
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
  const auto message = message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), graphs, distances)); });
  BOOST_CHECK_MESSAGE(contains(message, "graphs 0 and 2 share memory"), message);
  for (const auto& m : memory) BOOST_CHECK(m == apsp::matrix<int>(2, 2, 77));
}

namespace {

/// Stores a graph as a square part of an array, which begins at @p first.
apsp::matrix_view<float> put_graph(const arc_list<float>& g, float* first) {
  const apsp::matrix_view<float> entries(first, g.n, g.n);
  std::fill_n(first, g.n * g.n, apsp::unreachable<float>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    float& entry =
        entries(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]));
    entry = std::min(entry, g.weights[k]);
  }
  return entries;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(graphs_may_share_memory_with_other_results, Policy, policies) {
  for (const std::size_t n : {20u, 270u}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      const std::vector arcs{random_graph<float>(n, 0.2, 1, 9, 1),
                             random_graph<float>(n, 0.2, 1, 9, 2)};
      std::vector<float> array(4 * n * n + n);
      const std::vector graphs{put_graph(arcs[0], array.data()),
                               put_graph(arcs[1], array.data() + n * n)};
      // The first result begins in the second row of the second graph.
      std::vector<apsp::matrix_view<float>> distances{{array.data() + n * n + n, n, n},
                                                      {array.data() + 3 * n * n + n, n, n}};
      const auto done = apsp::floyd_warshall(Policy::policy(), graphs, distances);
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        BOOST_REQUIRE(done[i]);
        apsp::matrix<float> found(n);
        std::copy_n(distances[i].data(), n * n, found.data());
        check_distances(arcs[i], found);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(results_that_overlap, Policy, policies) {
  constexpr std::size_t n = 5;
  const std::vector<apsp::matrix<float>> graphs(3, apsp::matrix<float>(n, n, 5.0f));
  std::vector<float> array(4 * n * n, 77.0f);
  const auto solve = [&](std::vector<apsp::matrix_view<float>> distances) {
    return apsp::floyd_warshall(Policy::policy(), graphs, distances);
  };
  float* const first = array.data();
  check_refused<std::invalid_argument>(
      [&] {
        static_cast<void>(solve(
            {{first + n * n, n, n}, {first + 3 * n * n, n, n}, {first + 2 * n * n - n, n, n}}));
      },
      "graphs 0 and 2 share memory");
  BOOST_CHECK(array == std::vector<float>(array.size(), 77.0f));
  // The rows of the matrices alternate, without a common entry.
  for (const auto& done :
       solve({{first, n, n, 3 * n}, {first + n, n, n, 3 * n}, {first + 2 * n, n, n, 3 * n}})) {
    BOOST_CHECK(done);
  }
  const auto end = array.begin() + 3 * n * n;
  BOOST_CHECK(std::find(array.begin(), end, 77.0f) == end);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_invalid_graph_is_named, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 50; ++i) graphs.push_back(random_graph<float>(10, 0.5, 1, 9, i));
  graphs[2].add(3, 4, std::numeric_limits<float>::quiet_NaN());
  graphs[40].add(3, 40, 1.0f);
  const auto untouched = matrices_for(graphs);
  auto distances = untouched;
  const auto solve = [&] {
    const auto seen = views(graphs);
    return message_of<std::invalid_argument>(
        [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), seen, distances)); });
  };
  std::string message = solve();
  BOOST_CHECK_MESSAGE(contains(message, "apsp: graph 2: arc 3 -> 4"), message);
  BOOST_CHECK(distances == untouched);

  graphs[2] = graphs[1];
  message = solve();
  BOOST_CHECK_MESSAGE(contains(message, "apsp: graph 40: arc 3 -> 40"), message);
  BOOST_CHECK(distances == untouched);

  graphs[40] = graphs[1];
  distances[30] = apsp::matrix<float>(10, 11, 77.0f);
  message = solve();
  BOOST_CHECK_MESSAGE(contains(message, "apsp: graph 30: the distance matrix is 10 x 11"), message);
  BOOST_CHECK(distances[0] == untouched[0] && distances[49] == untouched[49]);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_different_lengths, Policy, policies) {
  const std::vector<apsp::matrix<float>> graphs(3, apsp::matrix<float>(2, 2, 1.0f));
  std::vector<apsp::matrix<float>> distances(2, apsp::matrix<float>(2, 2, 77.0f));
  const auto message = message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), graphs, distances)); });
  BOOST_CHECK_MESSAGE(contains(message, "3 graphs, but 2 distance matrices"), message);
  BOOST_CHECK(distances[0] == apsp::matrix<float>(2, 2, 77.0f));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_to_do, Policy, policies) {
  std::vector<apsp::matrix<float>> none;
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy(), none, none).empty());
  std::vector<apsp::matrix<float>> empty(3);
  const auto done = apsp::floyd_warshall(Policy::policy(), empty, empty);
  BOOST_REQUIRE_EQUAL(done.size(), 3u);
  for (const auto& d : done) BOOST_CHECK(bool(d));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    std::vector<arc_list<T>> graphs;
    for (std::size_t i = 0; i < 20; ++i) {
      graphs.push_back(random_graph<T>(10 * i, 0.1, 1, 20, i));
    }
    const auto seen = views(graphs);
    auto distances = matrices_for(graphs);
    const auto done = apsp::floyd_warshall(Policy::policy().cutoff(15), seen, distances);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      apsp::matrix<T> expected(graphs[i].n);
      BOOST_REQUIRE(bool(apsp::floyd_warshall(apsp::seq.cutoff(15), seen[i], expected)));
      BOOST_CHECK(bool(done[i]) && distances[i] == expected);
    }
  };
  check(float{});
  check(std::uint8_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_counts_graphs, Policy, policies) {
  const answered<float>& expected = graphs_of_every_size<float>();
  const auto graphs = views(expected.graphs);
  auto distances = matrices_for(expected.graphs);
  std::size_t last = 0;
  bool in_order = true;
  const auto hear = [&](std::size_t done, std::size_t total) {
    in_order = in_order && done == last + 1 && total == graphs.size();
    last = done;
  };
  check_answers(expected, apsp::floyd_warshall(Policy::policy().progress(hear), graphs, distances),
                distances);
  BOOST_CHECK(in_order);
  BOOST_CHECK_EQUAL(last, graphs.size());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_progress_callback_that_throws, Policy, policies) {
  const answered<float>& expected = graphs_of_every_size<float>();
  const auto graphs = views(expected.graphs);
  auto distances = matrices_for(expected.graphs);
  const auto refuse = [](std::size_t done, std::size_t) {
    if (done == 7) throw std::domain_error("enough");
  };
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::floyd_warshall(Policy::policy().progress(refuse), graphs, distances)),
      std::domain_error);
  check_answers(expected, apsp::floyd_warshall(Policy::policy(), graphs, distances), distances);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stop, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 400; ++i)
    graphs.push_back(random_graph<float>(130, 0.02, 1, 9, i % 7));
  for (std::size_t i = 0; i < 5; ++i) graphs.push_back(random_graph<float>(300, 0.02, 1, 9, i));
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);

  std::stop_source source;
  const auto hear = [&](std::size_t done, std::size_t) {
    if (done == 5) source.request_stop();
  };
  const auto done = apsp::floyd_warshall(Policy::policy().progress(hear).stop(source.get_token()),
                                         seen, distances);
  BOOST_REQUIRE_EQUAL(done.size(), graphs.size());
  std::size_t num_stopped = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_REQUIRE_EQUAL(bool(done[i]), !done[i].stopped());
    if (done[i].stopped()) {
      ++num_stopped;
    } else {
      apsp::matrix<float> expected(graphs[i].n);
      BOOST_REQUIRE(bool(apsp::floyd_warshall(apsp::seq, seen[i], expected)));
      BOOST_REQUIRE(distances[i] == expected);
    }
  }
  BOOST_CHECK(num_stopped >= 5 && num_stopped <= graphs.size() - 5);

  // A stop is requested before the call, so nothing is written.
  auto untouched = matrices_for(graphs);
  for (const auto& d :
       apsp::floyd_warshall(Policy::policy().stop(source.get_token()), seen, untouched)) {
    BOOST_REQUIRE(d.stopped());
  }
  BOOST_CHECK(untouched == matrices_for(graphs));
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
  const std::vector<int> offsets{0, 1, 2, 2};
  const std::vector<int> targets{1, 2};
  const apsp::csr_view ring(offsets, targets);
  const auto hop = [](const apsp::edge& e) { return e.source == 0 ? 2.0 : 3.0; };
  const std::vector weighted(3, apsp::weighted(ring, hop));
  std::vector<by_columns> columns(3, by_columns(3));
  BOOST_CHECK_EQUAL(apsp::floyd_warshall(policy, weighted, columns).size(), 3u);
  for (auto& d : columns) BOOST_CHECK(d(0, 2) == 5 && d(0, 1) == 2 && std::isinf(d(2, 0)));
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, Policy, policies) {
  std::vector<arc_list<double>> graphs;
  for (std::size_t i = 0; i < 30; ++i) graphs.push_back(random_graph<double>(240, 0.02, 1, 9, i));
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  for (const std::size_t bytes : {std::size_t{2} << 20, std::size_t{6} << 20}) {
    check_like_single(seen,
                      apsp::floyd_warshall(Policy::policy().memory_limit(bytes), seen, distances),
                      distances);
  }
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::floyd_warshall(Policy::policy().memory_limit(1000), seen, distances)),
      apsp::device_error);
}
#endif
