// SPDX-License-Identifier: BSL-1.0
// Batches of graphs whose distances go to one array of matrices of the same size, by Floyd–Warshall
// and by breadth-first search, compared to Boost's Dijkstra.
#define BOOST_TEST_MODULE padded_matrices
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/adjacency_lists.hpp>
#include <apsp/breadth_first_search.hpp>
#include <apsp/breadth_first_search_batch.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/padded_matrices.hpp>
#include <apsp/weighted.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/batches.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

struct by_floyd_warshall {
  template <class... Arguments>
  static std::vector<apsp::result> solve(Arguments&&... arguments) {
    return apsp::floyd_warshall(std::forward<Arguments>(arguments)...);
  }
};
struct by_breadth_first_search {
  template <class... Arguments>
  static std::vector<apsp::result> solve(Arguments&&... arguments) {
    return apsp::breadth_first_search(std::forward<Arguments>(arguments)...);
  }
};

template <class F>
void with_both(F f) {
  BOOST_TEST_CONTEXT("floyd_warshall") {
    f(by_floyd_warshall{});
  }
  BOOST_TEST_CONTEXT("breadth_first_search") {
    f(by_breadth_first_search{});
  }
}

/// An array with an entry before and one after the matrices, which nobody may write.
template <class T>
struct array {
  std::size_t size;
  std::size_t extent;
  std::vector<T> entries;

  array(std::size_t num_graphs, std::size_t rows, T value = T(77))
      : size(num_graphs), extent(rows), entries(num_graphs * rows * rows + 2, value) {}
  T* data() { return entries.data() + 1; }
  T at(std::size_t i, std::size_t u, std::size_t v) const {
    return entries[1 + (i * extent + u) * extent + v];
  }
};

/// What an entry must be, and whether it is saturated.
template <class T>
std::pair<T, bool> stored(wide_t<T> distance, T no_path, std::optional<int> cutoff) {
  const auto far = wide_t<T>(no_path);
  if (distance == wide_unreachable<T> || (cutoff && distance > *cutoff)) return {no_path, false};
  if (std::is_integral_v<T> && distance >= wide_t<T>(apsp::unreachable<T>)) return {no_path, true};
  if (far > 0 && no_path != apsp::unreachable<T> && distance >= far) return {no_path, true};
  if (far < 0 && distance == far) return {no_path, true};
  return {static_cast<T>(distance), false};
}

template <class T, class W>
void check_array(const answered<W>& expected, const std::vector<apsp::result>& done,
                 const array<T>& found, T no_path, T padding,
                 std::optional<int> cutoff = std::nullopt) {
  BOOST_REQUIRE_EQUAL(done.size(), expected.graphs.size());
  for (std::size_t i = 0; i < done.size(); ++i) {
    const std::size_t n = expected.graphs[i].n;
    BOOST_TEST_CONTEXT("graph " << i << " of " << n) {
      BOOST_REQUIRE(bool(done[i]));
      bool is_saturated = false;
      for (std::size_t u = 0; u < found.extent; ++u) {
        for (std::size_t v = 0; v < found.extent; ++v) {
          T right = padding;
          if (u < n && v < n) {
            auto distance = wide_unreachable<T>;
            if (expected.distances[i][u][v] != wide_unreachable<W>) {
              distance = static_cast<wide_t<T>>(expected.distances[i][u][v]);
            }
            const auto [entry, cut] = stored<T>(distance, no_path, cutoff);
            right = entry;
            is_saturated = is_saturated || cut;
          }
          if (found.at(i, u, v) != right) {
            BOOST_ERROR("entry (" << u << ", " << v << ") is " << +found.at(i, u, v) << ", not "
                                  << +right);
            return;
          }
        }
      }
      BOOST_CHECK_EQUAL(done[i].saturated(), is_saturated);
    }
  }
  BOOST_CHECK(found.entries.front() == T(77) && found.entries.back() == T(77));
}

arc_list<int> path_of(std::size_t n) {
  arc_list<int> g{n, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) g.add_undirected(v, v + 1, 1);
  return g;
}

/// Unweighted graphs: small and around the sizes at which a batch changes its way, with one of
/// `extent` vertices, and long paths.
constexpr std::size_t extent = 300;
const answered<int>& unweighted_graphs() {
  static const answered<int> all = [] {
    answered<int> made;
    for (const std::size_t n : {5u, 0u, 1u, 2u, 16u, 33u, 64u, 127u, 0u, 200u, 256u, 257u}) {
      made.add(random_graph<int>(n, n < 20 ? 0.3 : 3.0 / static_cast<double>(n), 1, 1, n));
    }
    for (const std::size_t n : {30u, 129u, 256u, 300u}) made.add(path_of(n));
    return made;
  }();
  return all;
}

using entry_types =
    std::tuple<std::uint8_t, float, std::int8_t, std::uint16_t, std::int16_t, std::int32_t>;
using policies_and_entries = with_policies<with, entry_types>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_and_type, With, policies_and_entries) {
  using T = typename With::weight;
  const answered<int>& expected = unweighted_graphs();
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    array<T> found(graphs.size(), extent);
    const auto done = method.solve(With::policy(), graphs,
                                   apsp::padded_matrices(found.data(), graphs.size(), extent));
    check_array<T>(expected, done, found, apsp::unreachable<T>, apsp::unreachable<T>);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(values_for_unreachable, With, policies_and_entries) {
  using T = typename With::weight;
  const answered<int>& expected = unweighted_graphs();
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    for (const T no_path : {T(-1), T(100), T(0), T(1), std::numeric_limits<T>::lowest()}) {
      BOOST_TEST_CONTEXT("unreachable is " << +no_path) {
        array<T> found(graphs.size(), extent);
        const apsp::padded_matrices<T> to(found.data(), graphs.size(), extent, no_path, T(42));
        check_array<T>(expected, method.solve(With::policy(), graphs, to), found, no_path, T(42));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, Policy, policies) {
  const answered<int>& expected = unweighted_graphs();
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    for (const int cutoff : {0, 20, 99, 100, 150, 254, 255, 260, 100000}) {
      BOOST_TEST_CONTEXT("cutoff " << cutoff) {
        array<std::uint8_t> found(graphs.size(), extent);
        const apsp::padded_matrices to(found.data(), graphs.size(), extent, 100);
        const auto done = method.solve(Policy::policy().cutoff(cutoff), graphs, to);
        check_array<std::uint8_t>(expected, done, found, 100, 100, cutoff);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs_at_the_end_of_the_range, Policy, policies) {
  // Distances of 80, 160, ... in small graphs and in one that is solved by a call of its own: none
  // of them is the largest value of the type.
  answered<int> expected;
  for (const std::size_t n : {2u, 3u, 9u, 270u}) {
    arc_list<int> g{n, {}, {}, {}};
    for (std::size_t v = 0; v + 1 < n; ++v) g.add_undirected(v, v + 1, 80);
    expected.add(std::move(g));
  }
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    for (const int cutoff : {79, 80, 126, 127, 128, 159, 160, 161, 239, 20000, 100000}) {
      for (const int no_path : {-1, 0, 127, 100, -128}) {
        BOOST_TEST_CONTEXT("cutoff " << cutoff << ", unreachable is " << no_path) {
          const auto unreachable = static_cast<std::int8_t>(no_path);
          array<std::int8_t> found(graphs.size(), extent);
          const apsp::padded_matrices to(found.data(), graphs.size(), extent, unreachable,
                                         std::int8_t{-2});
          const auto done = method.solve(Policy::policy().cutoff(cutoff), graphs, to);
          check_array<std::int8_t>(expected, done, found, unreachable, -2, cutoff);
        }
      }
    }
  });
}

using weighted_entry_types = std::tuple<std::int16_t, float, std::uint8_t>;
using policies_and_weighted_entries = with_policies<with, weighted_entry_types>;
BOOST_AUTO_TEST_CASE_TEMPLATE(weights, With, policies_and_weighted_entries) {
  using T = typename With::weight;
  answered<T> expected;
  for (std::size_t n = 0; n < 300; n += 23) {
    expected.add(random_graph<T>(n, 0.1, 1, 100, n));
    if constexpr (std::is_signed_v<T>) expected.add(negative_graph<T>(n, 0.1, n, 1));
  }
  const auto graphs = views(expected.graphs);
  for (const int no_path : {-1, 60, 127}) {
    array<T> found(graphs.size(), extent);
    const apsp::padded_matrices<T> to(found.data(), graphs.size(), extent, T(no_path), T(3));
    const auto done = apsp::floyd_warshall(With::policy(), graphs, to);
    check_array<T>(expected, done, found, T(no_path), T(3));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_below_the_range, Policy, policies) {
  // The sums are -100 and -200; a small graph, and one that is solved by a call of its own.
  std::vector<arc_list<int>> graphs{{3, {}, {}, {}}, {280, {}, {}, {}}};
  for (auto& g : graphs) {
    g.add(0, 1, -100);
    g.add(1, 2, -100);
  }
  const auto seen = views(graphs);
  for (const std::int8_t no_path : {std::int8_t{-1}, std::int8_t{-128}, std::int8_t{127}}) {
    array<std::int8_t> found(graphs.size(), 280);
    const apsp::padded_matrices to(found.data(), graphs.size(), 280, no_path, 5);
    const auto done = apsp::floyd_warshall(Policy::policy(), seen, to);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_CHECK(done[i].saturated());
      BOOST_CHECK_EQUAL(+found.at(i, 0, 1), -100);
      BOOST_CHECK_EQUAL(+found.at(i, 0, 2), -128);
      BOOST_CHECK_EQUAL(+found.at(i, 2, 0), +no_path);
      BOOST_CHECK_EQUAL(+found.at(i, 3, 0), i == 0 ? 5 : +no_path);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(up_to_1024_vertices, Policy, policies) {
  static const answered<int> expected = [] {
    answered<int> made;
    for (const std::size_t n : {1024u, 3u, 600u}) {
      made.add(random_graph<int>(n, 2.5 / static_cast<double>(n), 1, 1, n));
    }
    made.add(path_of(1024));
    return made;
  }();
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    array<std::uint16_t> found(graphs.size(), 1024);
    const apsp::padded_matrices to(found.data(), graphs.size(), 1024, 510, 0);
    check_array<std::uint16_t>(expected, method.solve(Policy::policy(), graphs, to), found, 510, 0);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(equal_weights, Policy, policies) {
  // Weights of graph i are i; loops have no effect.
  answered<int> expected;
  for (int i = 0; i < 12; ++i) {
    auto g = random_graph<int>(static_cast<std::size_t>(30 * i), 0.02, i, i, 5);
    if (i > 0) g.add(0, 0, 99);
    expected.add(std::move(g));
  }
  const auto graphs = views(expected.graphs);
  array<std::int16_t> found(graphs.size(), 350);
  const apsp::padded_matrices to(found.data(), graphs.size(), 350, -1);
  check_array<std::int16_t>(expected, apsp::breadth_first_search(Policy::policy(), graphs, to),
                            found, -1, -1);
  // Matrices without padding.
  std::vector<apsp::matrix<int>> each;
  for (const auto& g : expected.graphs) each.emplace_back(g.n);
  check_answers(expected, apsp::breadth_first_search(Policy::policy(), graphs, each), each);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_that_are_not_equal, Policy, policies) {
  std::vector<arc_list<int>> graphs(50, path_of(10));
  graphs[7].weights[5] = 2;
  graphs[9].weights.assign(graphs[9].size(), -1);
  const auto check_message = [&]<class T>(T, const std::string& message) {
    const auto seen = views(graphs);
    array<T> found(graphs.size(), 10);
    const auto untouched = found.entries;
    const apsp::padded_matrices to(found.data(), graphs.size(), 10);
    check_refused<std::invalid_argument>(
        [&] { return apsp::breadth_first_search(Policy::policy(), seen, to); }, message);
    BOOST_CHECK(found.entries == untouched);
  };
  check_message(std::int8_t{}, "apsp::breadth_first_search: graph 7: arc ");
  graphs[7] = graphs[1];
  check_message(std::int8_t{}, "graph 9: arc ");
  check_message(std::uint8_t{}, "graph 9: arc ");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(arrays_of_the_wrong_shape, Policy, policies) {
  std::vector<arc_list<int>> graphs(6, path_of(10));
  graphs[3] = path_of(12);
  graphs[5] = path_of(400);
  const auto seen = views(graphs);
  array<std::uint8_t> found(graphs.size(), 11);
  const auto untouched = found.entries;
  with_both([&](auto method) {
    const auto solve = [&](std::size_t size) {
      static_cast<void>(method.solve(Policy::policy(), seen,
                                     apsp::padded_matrices(found.data(), size, found.extent)));
    };
    check_refused<std::invalid_argument>([&] { solve(graphs.size()); },
                                         "apsp: graph 3: the graph has 12 vertices, but the padded "
                                         "matrices have 11 rows and columns");
    check_refused<std::invalid_argument>([&] { solve(5); }, "6 graphs, but 5 distance matrices");
    BOOST_CHECK(found.entries == untouched);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_to_do, Policy, policies) {
  with_both([&](auto method) {
    std::vector<arc_list<int>> graphs;
    std::int16_t* const nowhere = nullptr;
    BOOST_CHECK(method.solve(Policy::policy(), views(graphs), apsp::padded_matrices(nowhere, 0, 10))
                    .empty());
    graphs.resize(3);
    const auto done =
        method.solve(Policy::policy(), views(graphs), apsp::padded_matrices(nowhere, 3, 0));
    BOOST_REQUIRE_EQUAL(done.size(), 3u);
    for (const auto& d : done) BOOST_CHECK(bool(d));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  std::vector<arc_list<std::int16_t>> graphs(4, random_graph<std::int16_t>(20, 0.3, 1, 9, 1));
  graphs[2].add(3, 3, -1);
  array<std::int16_t> found(graphs.size(), 25);
  const auto done = apsp::floyd_warshall(
      Policy::policy(), views(graphs), apsp::padded_matrices(found.data(), graphs.size(), 25, -1));
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_CHECK_EQUAL(done[i].negative_cycle().empty(), i != 2);
    BOOST_CHECK_EQUAL(found.at(i, 24, 24), i != 2 ? -1 : 77);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graphs_in_the_array, Policy, policies) {
  // Each graph lies in the matrix after its own, and beyond its result: in the padding.
  for (const std::size_t large : {30u, 280u}) {
    BOOST_TEST_CONTEXT("extent " << large) {
      answered<float> expected;
      const std::size_t count = 5;
      for (std::size_t i = 0; i < count; ++i) {
        expected.add(random_graph<float>(i == 4 ? 0 : large / 2 - i, 0.2, 1, 1, i));
      }
      with_both([&](auto method) {
        array<float> found(count, large);
        std::vector<apsp::matrix_view<float>> graphs;
        for (std::size_t i = 0; i < count; ++i) {
          const auto dense = dense_form(expected.graphs[i]);
          const std::size_t n = dense.rows();
          const std::size_t shift = n == 0 ? 0 : large - n;
          float* const begin = found.data() + ((i + 1) % count * large + shift) * large + shift;
          graphs.emplace_back(begin, n, n, large);
          for (std::size_t u = 0; u < n; ++u) std::copy_n(dense[u], n, graphs.back()[u]);
        }
        const apsp::padded_matrices to(found.data(), count, large, -1);
        check_array<float>(expected, method.solve(Policy::policy(), graphs, to), found, -1, -1);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_graphs, Policy, policies) {
  // A dense graph and lists of arcs with narrow weights, one of which counts as unreachable.
  answered<int> expected;
  for (const std::size_t n : {20u, 140u, 280u}) expected.add(random_graph<int>(n, 0.05, 3, 3, n));
  std::vector<apsp::matrix<int>> matrices = dense(expected.graphs);
  std::vector<std::vector<std::vector<std::pair<int, std::uint8_t>>>> lists;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    lists.emplace_back(matrices[i].rows());
    for (std::size_t k = 0; k < expected.graphs[i].size(); ++k) {
      lists[i][static_cast<std::size_t>(expected.graphs[i].sources[k])].emplace_back(
          expected.graphs[i].targets[k], 3);
    }
    lists[i][0].emplace_back(7, std::uint8_t{255});
  }
  with_both([&](auto method) {
    array<std::uint8_t> found(matrices.size(), 290);
    const apsp::padded_matrices to(found.data(), matrices.size(), 290, 250, 1);
    check_array<std::uint8_t>(expected, method.solve(Policy::policy(), matrices, to), found, 250,
                              1);
    check_array<std::uint8_t>(expected, method.solve(Policy::policy(), lists, to), found, 250, 1);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  std::vector<arc_list<int>> graphs;
  for (std::size_t i = 0; i < 400; ++i) graphs.push_back(path_of(20 + i % 120));
  for (std::size_t i = 0; i < 5; ++i) graphs.push_back(path_of(300));
  const auto seen = views(graphs);
  with_both([&](auto method) {
    std::stop_source source;
    array<std::int16_t> found(graphs.size(), 300);
    const apsp::padded_matrices to(found.data(), graphs.size(), 300, -1);
    std::size_t last = 0;
    const auto hear = [&](std::size_t done, std::size_t total) {
      BOOST_REQUIRE(done == last + 1 && total == graphs.size());
      last = done;
      if (done == 5) source.request_stop();
    };
    const auto done =
        method.solve(Policy::policy().progress(hear).stop(source.get_token()), seen, to);
    std::size_t num_stopped = 0;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_REQUIRE_EQUAL(bool(done[i]), !done[i].stopped());
      num_stopped += done[i].stopped() ? 1 : 0;
      BOOST_REQUIRE_EQUAL(found.at(i, 0, graphs[i].n - 1),
                          done[i].stopped() ? 77 : static_cast<int>(graphs[i].n - 1));
      BOOST_REQUIRE_EQUAL(found.at(i, 299, 0), done[i].stopped()    ? 77
                                               : graphs[i].n == 300 ? 299
                                                                    : -1);
    }
    BOOST_CHECK(num_stopped >= 5 && num_stopped <= graphs.size() - 5);
    BOOST_CHECK_EQUAL(last, graphs.size() - num_stopped);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exceptions_of_callbacks, Policy, policies) {
  struct unwilling {};
  const std::vector<arc_list<int>> graphs(200, path_of(40));
  with_both([&](auto method) {
    array<std::uint8_t> found(graphs.size(), 45);
    const apsp::padded_matrices to(found.data(), graphs.size(), 45, 255, 0);
    const auto policy = Policy::policy().progress([](std::size_t done, std::size_t) {
      if (done == 100) throw unwilling();
    });
    BOOST_CHECK_THROW(static_cast<void>(method.solve(policy, views(graphs), to)), unwilling);
    BOOST_CHECK(found.entries.front() == 77 && found.entries.back() == 77);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_are_rounded, Policy, policies) {
  // 0.1f is added up arc by arc, as in the call for one graph. Floyd–Warshall would add up parts of
  // paths.
  if constexpr (takes_plain_loops<Policy>()) {
    std::vector<arc_list<float>> graphs;
    for (const std::size_t n : {30u, 60u, 300u}) {
      graphs.push_back(converted<float>(path_of(n)));
      for (float& w : graphs.back().weights) w = 0.1f;
    }
    const auto seen = views(graphs);
    array<float> found(graphs.size(), 300);
    const auto done = apsp::breadth_first_search(
        Policy::policy(), seen, apsp::padded_matrices(found.data(), graphs.size(), 300, -1));
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      if (done[i].executed_on() != apsp::backend::omp &&
          done[i].executed_on() != apsp::backend::seq)
        continue;
      apsp::matrix<float> single(graphs[i].n);
      BOOST_REQUIRE(bool(apsp::breadth_first_search(apsp::seq, seen[i], single)));
      for (std::size_t u = 0; u < graphs[i].n; ++u) {
        for (std::size_t v = 0; v < graphs[i].n; ++v) {
          BOOST_REQUIRE_EQUAL(found.at(i, u, v), single[u][v]);
        }
      }
      BOOST_CHECK(done[i].algorithm() == apsp::algorithm::breadth_first_search);
    }
  }
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, Policy, policies) {
  const answered<int>& expected = unweighted_graphs();
  const auto graphs = views(expected.graphs);
  with_both([&](auto method) {
    array<std::uint8_t> found(graphs.size(), extent);
    const apsp::padded_matrices to(found.data(), graphs.size(), extent, 255, 0);
    const auto done = method.solve(Policy::policy().memory_limit(std::size_t{3} << 20), graphs, to);
    check_array<std::uint8_t>(expected, done, found, 255, 0);
    BOOST_CHECK_THROW(method.solve(Policy::policy().memory_limit(1000), graphs, to),
                      apsp::device_error);
  });
}
#endif
