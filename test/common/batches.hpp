// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"
#include "places.hpp"

// Batches of graphs in host and in device memory, and their expected distances.
namespace apsp_test {

// Sizes around the size classes of the kernels, and around the size from which on graphs are solved
// one by one.
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

template <class Memory>
constexpr bool is_host = std::is_same_v<Memory, host_memory>;

template <class Memory, class T>
auto put_all(const std::vector<apsp::matrix<T>>& matrices) {
  std::vector<decltype(Memory::put(matrices.front()))> all;
  for (const auto& m : matrices) all.push_back(Memory::put(m));
  return all;
}
/// The results of a call in that memory, filled with 77.
template <class Memory, class T>
auto results_for(const std::vector<arc_list<T>>& graphs) {
  return put_all<Memory>(matrices_for(graphs));
}
#ifdef APSP_TEST_ON_DEVICE
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

 private:
  template <class F>
  auto all(F f) const {
    std::vector<decltype(f(graphs_.front()))> views;
    for (const auto& g : graphs_) views.push_back(f(g));
    return views;
  }

  std::vector<resident<T, Index>> graphs_;
};
#endif

/// Calls f(batch) for the graphs in that memory.
template <class Memory, class T, class F>
void batch_in_one_form(const std::vector<arc_list<T>>& graphs, F f) {
  if constexpr (is_host<Memory>) f(views(graphs));
#ifdef APSP_TEST_ON_DEVICE
  if constexpr (!is_host<Memory>) f(resident_batch<T>(graphs).csr());
#endif
}
/// Calls f(batch) for each representation of the graphs that device memory has.
template <class Memory, class T, class F>
void batch_in_all_forms(const std::vector<arc_list<T>>& graphs, F f) {
  if constexpr (is_host<Memory>) f(views(graphs));
#ifdef APSP_TEST_ON_DEVICE
  if constexpr (!is_host<Memory>) {
    const resident_batch<T> batch(graphs);
    BOOST_TEST_CONTEXT("edge lists") {
      f(batch.edge_lists());
    }
    BOOST_TEST_CONTEXT("csr") {
      f(batch.csr());
    }
    BOOST_TEST_CONTEXT("dense") {
      f(batch.dense());
    }
  }
#endif
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

template <class T, class M>
void check_answers(const answered<T>& expected, const std::vector<apsp::result>& done,
                   const std::vector<M>& distances) {
  BOOST_REQUIRE_EQUAL(done.size(), expected.graphs.size());
  for (std::size_t i = 0; i < done.size(); ++i) {
    BOOST_TEST_CONTEXT("graph " << i << " of " << expected.graphs[i].n << ", seed = " << i) {
      BOOST_REQUIRE(bool(done[i]));
      BOOST_CHECK(!done[i].saturated());
      check_rows<T>(expected.distances[i], to_host(distances[i]));
    }
  }
}

// Graphs with negative weights, some of them with a negative cycle. Each has @p step vertices more
// than the last.
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

/// The results of single calls on the host.
template <class T>
class single_calls {
 public:
  /// @param policy  seq, with the cutoff of the batch.
  template <class Policy = decltype(apsp::seq)>
  explicit single_calls(const std::vector<arc_list<T>>& graphs, const Policy& policy = apsp::seq) {
    for (const auto& g : graphs) {
      distances_.emplace_back(g.n);
      done_.push_back(apsp::floyd_warshall(policy, g.view(), distances_.back()));
    }
  }

  /// Checks that a batch has the same results, bit for bit.
  template <class M>
  void check(const std::vector<apsp::result>& done, const std::vector<M>& distances) const {
    BOOST_REQUIRE_EQUAL(done.size(), done_.size());
    for (std::size_t i = 0; i < done.size(); ++i) {
      BOOST_TEST_CONTEXT("graph " << i << " of " << distances_[i].rows() << ", seed = " << i) {
        BOOST_REQUIRE_EQUAL(bool(done[i]), bool(done_[i]));
        BOOST_CHECK_EQUAL(done[i].saturated(), done_[i].saturated());
        if (done_[i]) BOOST_CHECK(to_host(distances[i]) == distances_[i]);
      }
    }
  }
  const apsp::matrix<T>& distances(std::size_t i) const { return distances_[i]; }

 private:
  std::vector<apsp::matrix<T>> distances_;
  std::vector<apsp::result> done_;
};

}  // namespace apsp_test
