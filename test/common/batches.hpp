// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

// Batches of graphs and their expected distances.
namespace apsp_test {

// Sizes around the size classes of the kernels, and around the size from which on graphs are solved one by one.
inline constexpr std::size_t batch_sizes[] = {64, 0, 1,   2,   15,  16,  17,  31,  32, 33,  257, 63,
                                              65, 0, 127, 128, 129, 200, 255, 256, 5,  100, 64,  3};

template <class T>
using view_of = decltype(std::declval<const arc_list<T>&>().view());

template <class T>
std::vector<view_of<T>> views(const std::vector<arc_list<T>>& graphs) {
  std::vector<view_of<T>> all;
  for (const auto& g : graphs) all.push_back(g.view());
  return all;
}

template <class T>
std::vector<apsp::matrix<T>> matrices_for(const std::vector<arc_list<T>>& graphs) {
  std::vector<apsp::matrix<T>> all;
  for (const auto& g : graphs) all.emplace_back(g.n, g.n, T(77));
  return all;
}

template <class T>
std::vector<apsp::matrix<T>> dense(const std::vector<arc_list<T>>& graphs) {
  std::vector<apsp::matrix<T>> all;
  for (const auto& g : graphs) all.push_back(dense_form(g));
  return all;
}

// Graphs and their expected distances, computed once for all policies.
template <class T>
struct answered {
  std::vector<arc_list<T>> graphs;
  std::vector<wide_rows<T>> distances;

  void add(arc_list<T> g) {
    distances.push_back(*oracle_distances(g));
    graphs.push_back(std::move(g));
  }
};

template <class T>
const answered<T>& graphs_of_every_size() {
  static const answered<T> all = [] {
    answered<T> made;
    for (std::size_t i = 0; i < std::size(batch_sizes); ++i) {
      const double density = batch_sizes[i] < 20 ? 0.4 : 0.05;
      made.add(i % 3 == 1 ? negative_graph<T>(batch_sizes[i], density, i)
                          : random_graph<T>(batch_sizes[i], density, 0, 1000, i));
    }
    return made;
  }();
  return all;
}

template <class T>
void check_answers(const answered<T>& expected, const std::vector<apsp::result>& done,
                   const std::vector<apsp::matrix<T>>& distances) {
  BOOST_REQUIRE_EQUAL(done.size(), expected.graphs.size());
  for (std::size_t i = 0; i < done.size(); ++i) {
    BOOST_TEST_CONTEXT("graph " << i << " of " << expected.graphs[i].n << ", seed = " << i) {
      BOOST_REQUIRE(bool(done[i]));
      BOOST_CHECK(!done[i].saturated());
      check_rows<T>(expected.distances[i], distances[i]);
    }
  }
}

// Graphs with negative weights, some of them with a negative cycle. Each has @p step vertices more than the last.
template <class T>
std::vector<arc_list<T>> graphs_with_negative_cycles(std::size_t step) {
  std::vector<arc_list<T>> made;
  for (std::size_t i = 0; i < 15; ++i) {
    made.push_back(negative_graph<T>(10 + step * i, 0.1, i));
    if (i % 3 != 0) continue;
    made.back().add(0, 1 + i / 3, T(-600));
    made.back().add(1 + i / 3, 0, T(599));
  }
  made.push_back(random_graph<T>(9, 0.5, 1, 9, 1));
  made.back().add(4, 4, T(-1));
  return made;
}

template <class T>
std::vector<std::optional<wide_rows<T>>> oracle_of_all(const std::vector<arc_list<T>>& graphs) {
  std::vector<std::optional<wide_rows<T>>> answers;
  for (const auto& g : graphs) answers.push_back(oracle_distances(g));
  return answers;
}

// Checks that the batch returns the results of single calls of seq; integers bit for bit.
template <class T, class G>
void check_like_single(const std::vector<G>& graphs, const std::vector<apsp::result>& done,
                       const std::vector<apsp::matrix<T>>& distances) {
  BOOST_REQUIRE_EQUAL(done.size(), graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    apsp::matrix<T> expected(distances[i].rows());
    const auto single = apsp::floyd_warshall(apsp::seq, graphs[i], expected);
    BOOST_TEST_CONTEXT("graph " << i) {
      BOOST_REQUIRE_EQUAL(bool(done[i]), bool(single));
      BOOST_CHECK_EQUAL(done[i].saturated(), single.saturated());
      if (single) BOOST_CHECK(distances[i] == expected);
    }
  }
}

}  // namespace apsp_test
