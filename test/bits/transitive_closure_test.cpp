// SPDX-License-Identifier: BSL-1.0
// Compares closures of graphs, in host and in device memory, to breadth-first searches and
// Boost.Graph.
#define BOOST_TEST_MODULE transitive_closure
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/transitive_closure.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/bits.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// Sizes around words, the tiles of the host (512 columns) and of the device (256 rows, 1024
// columns).
constexpr std::size_t sizes[] = {0,   1,   2,   63,  64,  65,  127, 128,
                                 129, 255, 256, 257, 511, 512, 513, 1025};

arc_list<int> empty_graph(std::size_t n) {
  return {n, {}, {}, {}};
}

/// About @p degree arcs per vertex, including self-loops and parallel arcs.
arc_list<int> sparse_graph(std::size_t n, double degree, std::uint64_t seed) {
  random_numbers random(seed);
  auto g = empty_graph(n);
  const auto m = static_cast<std::size_t>(degree * static_cast<double>(n));
  for (std::size_t k = 0; k < m; ++k) {
    const std::size_t u = random.index(n);
    g.add(u, random.index(n), 1);
  }
  return g;
}

/// Returns the vertices in random order.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random_numbers random(seed);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  return order;
}

/// A path through all vertices; a cycle if @p closed.
arc_list<int> path_graph(std::size_t n, bool closed, std::uint64_t seed) {
  const auto order = shuffled(n, seed);
  auto g = empty_graph(n);
  for (std::size_t i = 0; i + 1 < n; ++i) g.add(order[i], order[i + 1], 1);
  if (closed && n > 0) g.add(order[n - 1], order[0], 1);
  return g;
}

/// Arcs with probability @p p from vertices to later ones of a random order, so there are no
/// cycles.
arc_list<int> acyclic_graph(std::size_t n, double p, std::uint64_t seed) {
  const auto order = shuffled(n, seed);
  random_numbers random(seed + 1);
  auto g = empty_graph(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (random.chance(p)) g.add(order[i], order[j], 1);
    }
  }
  return g;
}

/// Computes reachability by one breadth-first search per source.
template <class T>
bytes search_from_all(const arc_list<T>& g) {
  std::vector<std::vector<std::size_t>> targets(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.weights[k] == apsp::unreachable<T>) continue;
    targets[g.from(k)].push_back(g.to(k));
  }
  bytes reached(g.n, std::vector<char>(g.n, 0));
  for (std::size_t s = 0; s < g.n; ++s) {
    std::vector<std::size_t> queue{s};
    reached[s][s] = 1;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::size_t v : targets[queue[i]]) {
        if (std::exchange(reached[s][v], char{1}) == 0) queue.push_back(v);
      }
    }
  }
  return reached;
}

/// Tests results in bits, which are on the host, and in bytes.
template <class Place, class T>
void check_closure(const arc_list<T>& g) {
  const bytes expected = search_from_all(g);
  Place::graphs::in_forms_by_turns(g, [&](const auto& graph) {
    const auto check = [](const apsp::result& done) {
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.executed_on() == Place::expected || !done.fallback_reason().empty());
      BOOST_CHECK(done.algorithm() == apsp::algorithm::transitive_closure);
    };
    auto bits = used_bits(g.n, g.n);
    check(apsp::transitive_closure(Place::policy(), graph, bits));
    check_bits(expected, bits);
    const auto check_bytes = [&](const auto& written) {
      const apsp::matrix<std::uint8_t> found = to_host(written);
      for (std::size_t u = 0; u < g.n; ++u) {
        BOOST_REQUIRE(std::equal(expected[u].begin(), expected[u].end(), found[u]));
      }
    };
    auto written = wrong_results<Place, std::uint8_t>(g.n);
    check(apsp::transitive_closure(Place::policy(), graph, written));
    check_bytes(written);
    written = wrong_results<Place, std::uint8_t>(g.n);
    check(apsp::floyd_warshall(Place::policy(), graph, written, apsp::or_and{}));
    check_bytes(written);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size, Policy, in_places<policies>) {
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      if (n > 0) check_closure<Policy>(sparse_graph(n, 1.3, n));
      check_closure<Policy>(path_graph(n, false, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_density, Policy, in_places<policies>) {
  for (const std::size_t n : {101, 700}) {
    for (const double degree : {0.0, 0.2, 0.9, 1.0, 1.1, 2.0, 10.0, 90.0}) {
      BOOST_TEST_CONTEXT("n = " << n << ", degree = " << degree << ", seed = 5") {
        check_closure<Policy>(sparse_graph(n, degree, 5));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_do_not_count, With, in_places<policies_and_fewer_weights>) {
  using T = typename With::weight;
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 600}) {
    for (const double degree : {0.8, 1.3, 20.0}) {
      BOOST_TEST_CONTEXT("n = " << n << ", degree = " << degree << ", seed = " << n + 3) {
        auto g = n == 0 ? arc_list<T>{} : converted<T>(sparse_graph(n, degree, n + 3));
        random_numbers random(n);
        for (T& w : g.weights) w = static_cast<T>(random(-5, 5));
        if constexpr (std::is_floating_point_v<T>) {
          if (g.size() > 1) g.weights[0] = std::numeric_limits<T>::quiet_NaN();
          if (g.size() > 1) g.weights[1] = -std::numeric_limits<T>::infinity();
        }
        check_closure<With>(with_an_unreachable_arc(g));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_graphs, Policy, in_places<policies>) {
  for (const std::size_t n : {1, 257, 600}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      check_closure<Policy>(path_graph(n, true, 3));
      check_closure<Policy>(acyclic_graph(n, 0.01, 4));
      check_closure<Policy>(acyclic_graph(n, 0.3, 5));
      check_closure<Policy>(random_graph<int>(n, 0.5, 1, 1, 6));

      // Only self-loops, which are equivalent to the empty paths.
      auto loops = empty_graph(n);
      for (std::size_t v = 0; v < n; ++v) loops.add(v, v, 1);
      check_closure<Policy>(loops);

      // Several cycles, each with an arc to the one after the next.
      auto cycles = empty_graph(n);
      for (std::size_t v = 0; v + 1 < n; ++v) {
        if (v % 7 == 6) {
          cycles.add(v, v - 6, 1);
          if (v + 8 < n) cycles.add(v, v + 8, 1);
        } else {
          cycles.add(v, v + 1, 1);
        }
      }
      check_closure<Policy>(cycles);

      // All arcs lead from one half of the vertices to the other, so no arc is redundant.
      auto halves = empty_graph(n);
      for (std::size_t u = 0; u < n; u += 2) {
        for (std::size_t v = 1; v < n; v += 2) halves.add(u, v, 1);
      }
      check_closure<Policy>(halves);
    }
  }
}

// So many vertices that steps of a device have tiles of every kind; with few arcs and with many.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, Policy, in_places<policies>) {
  const std::size_t n = 2100;
  for (const double p : {0.0004, 0.004, 0.04}) {
    BOOST_TEST_CONTEXT("n = " << n << ", p = " << p << ", seed = 8") {
      check_closure<Policy>(acyclic_graph(n, p, 8));
    }
  }
  for (const double degree : {1.2, 40.0}) {
    BOOST_TEST_CONTEXT("n = " << n << ", degree = " << degree << ", seed = 8") {
      check_closure<Policy>(sparse_graph(n, degree, 8));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(like_boost, Policy, policies) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const auto arcs = sparse_graph(150, 1.2, 9);
  graph g(arcs.n);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(arcs.from(k), arcs.to(k), g);
  }
  graph closure;
  boost::transitive_closure(g, closure);
  apsp::bit_matrix bits(arcs.n);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), g, bits));
  for_each_pair(arcs.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE_EQUAL(bool(bits[u][v]), u == v || boost::edge(u, v, closure).second);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_matrices, Policy, in_places<policies>) {
  const std::size_t n = 130;
  const auto g = sparse_graph(n, 1.3, 11);
  const auto expected = search_from_all(g);
  const auto check_entries = [&](const auto& matrix) {
    using T = apsp::matrix_value_t<std::remove_cvref_t<decltype(matrix)>>;
    for_each_pair(n, [&](std::size_t u, std::size_t v) {
      const T entry = matrix[u][v];
      BOOST_REQUIRE(entry == T(expected[u][v] != 0));
    });
  };
  Policy::graphs::in_all_forms(g, [&](const auto& graph) {
    const auto check = [&](auto matrix) {
      BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), graph, matrix));
      check_entries(matrix);
    };
    check(bytes(n, std::vector<char>(n, 7)));
    check(std::vector<std::vector<bool>>(n, std::vector<bool>(n, true)));
    check(apsp::matrix<bool>(n, n, true));
    check(apsp::matrix<std::uint8_t>(n, n, 9));
    check(apsp::matrix<float>(n, n, 0.5F));
    matrix_part<typename Policy::results, bool> part(apsp::matrix<bool>(n, n, true), 9);
    auto view = part.view();
    BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), graph, view));
    check_entries(part.to_host());
    BOOST_CHECK(part.is_untouched_around());
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_an_edge, Policy, policies) {
  const std::vector<std::int32_t> offsets{0, 2, 3, 4, 4}, targets{1, 3, 2, 1};
  const bytes expected{{1, 1, 1, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}};
  apsp::bit_matrix bits(4);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), apsp::csr_view(offsets, targets), bits));
  check_bits(expected, bits);

  // Weights are ignored, even NaN, but the weight `unreachable` is no edge.
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> weights{-3, inf, std::numeric_limits<float>::quiet_NaN(), 0};
  const bytes without{{1, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}};
  BOOST_REQUIRE(
      apsp::transitive_closure(Policy::policy(), apsp::csr_view(offsets, targets, weights), bits));
  check_bits(without, bits);

  // In a dense graph all other entries are edges.
  apsp::matrix<float> dense(3, 3, inf);
  dense[2][0] = 0;
  dense[0][1] = -1;
  apsp::bit_matrix small(3);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), dense, small));
  check_bits({{1, 1, 0}, {0, 1, 0}, {1, 1, 1}}, small);
  // Also if the result is stored in the graph.
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), std::as_const(dense), dense));
  BOOST_CHECK(dense[2][1] == 1 && dense[0][0] == 1 && dense[1][2] == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bits_as_graph, Policy, policies) {
  for (const std::size_t n : {1, 64, 300}) {
    for (const double p : {0.004, 0.2}) {
      BOOST_TEST_CONTEXT("n = " << n << ", p = " << p << ", seed = " << n) {
        const auto g = acyclic_graph(n, p, n);
        apsp::bit_matrix graph(n);
        auto turned = empty_graph(n);
        for (std::size_t k = 0; k < g.size(); ++k) {
          graph.set(g.from(k), g.to(k));
          turned.add(g.to(k), g.from(k), 1);
        }
        auto bits = used_bits(n, n);
        BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), graph, bits));
        check_bits(search_from_all(g), bits);
        apsp::matrix<std::int32_t> hops(n);
        BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), apsp::unweighted(graph), hops));
        for_each_pair(n, [&](std::size_t u, std::size_t v) {
          BOOST_REQUIRE_EQUAL(hops[u][v] != apsp::unreachable<std::int32_t>, bool(bits[u][v]));
        });
        auto in_place = graph;
        BOOST_REQUIRE(
            apsp::transitive_closure(Policy::policy(), std::as_const(in_place), in_place));
        BOOST_CHECK(in_place == bits);
        // The graph is read in another order than the result is written.
        BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), apsp::reversed(graph), graph));
        check_bits(search_from_all(turned), graph);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_refused, Policy, policies) {
  const auto before = used_bits(5, 5);
  auto bits = before;
  const auto refused = [](const auto& graph, auto& result) {
    check_refused([&] { return apsp::transitive_closure(Policy::policy(), graph, result); });
  };
  for (const std::int32_t outside : {5, -1}) {
    auto g = empty_graph(5);
    g.add(0, 1, 1);
    g.targets[0] = outside;
    refused(g.view(), bits);
    std::swap(g.sources, g.targets);
    refused(g.view(), bits);
  }
  BOOST_CHECK(bits == before);
  const auto g = path_graph(5, false, 1);
  for (const auto& [rows, columns] : {std::pair{4, 5}, {5, 6}, {0, 0}, {6, 6}}) {
    apsp::bit_matrix other(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    refused(g.view(), other);
  }
  refused(apsp::bit_matrix(5, 6), bits);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(watched, Policy, in_places<policies>) {
  const std::size_t n = 1030;
  for (const double degree : {1.5, 100.0}) {
    const auto g = sparse_graph(n, degree, 21);
    const auto expected = search_from_all(g);
    std::size_t last = 0;
    std::size_t whole = 0;
    const auto hear = [&](std::size_t done, std::size_t total) {
      BOOST_CHECK(done > last || done == total);
      last = done;
      whole = total;
    };
    const auto watch = [&](const auto& graph, auto& result) {
      last = 0;
      BOOST_REQUIRE(apsp::transitive_closure(Policy::policy().progress(hear), graph, result));
      BOOST_CHECK_EQUAL(last, n);
      BOOST_CHECK_EQUAL(whole, n);
    };
    const auto interrupt = [&](const auto& graph, auto& result) {
      apsp::stop_source stop;
      const auto ask = [&](std::size_t, std::size_t) { stop.request_stop(); };
      const auto policy = Policy::policy().progress(ask).stop(stop.get_token());
      const auto stopped = apsp::transitive_closure(policy, graph, result);
      BOOST_CHECK(stopped.stopped() && !stopped);
      const auto at_once = apsp::transitive_closure(policy, graph, result);
      BOOST_CHECK(at_once.stopped());

      const auto fail = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
      BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy().progress(fail),
                                                                   graph, result)),
                        std::runtime_error);
    };
    Policy::graphs::in_one_form(g, [&](const auto& graph) {
      apsp::bit_matrix bits(n);
      watch(graph, bits);
      check_bits(expected, bits);
      interrupt(graph, bits);
      auto written = wrong_results<Policy, std::uint8_t>(n);
      watch(graph, written);
      const apsp::matrix<std::uint8_t> found = to_host(written);
      for (std::size_t u = 0; u < n; ++u) {
        BOOST_REQUIRE(std::equal(expected[u].begin(), expected[u].end(), found[u]));
      }
      interrupt(graph, written);
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(where_it_ran, Policy, policies) {
  apsp::bit_matrix bits(3);
  const auto done =
      apsp::transitive_closure(Policy::policy(), path_graph(3, false, 1).view(), bits);
#ifdef APSP_TEST_ON_DEVICE
  BOOST_CHECK(done.executed_on() == Policy::expected);
  BOOST_CHECK(done.fallback_reason().empty());
  const auto too_little = Policy::policy().memory_limit(1000);
  try {
    static_cast<void>(apsp::transitive_closure(too_little, path_graph(3, false, 1).view(), bits));
    BOOST_ERROR("there is a limit");
  } catch (const apsp::device_error& error) {
    BOOST_CHECK(error.bytes_needed() > 1000);
    BOOST_CHECK_EQUAL(error.bytes_free(), 1000);
  }
#else
  BOOST_CHECK(done.executed_on() == Policy::expected || !done.fallback_reason().empty());
#endif
}

namespace {

template <class Policy, class Graph, class M>
void check_other_names(const Graph& g, const bytes& expected, const M& before) {
  const auto check = [&](const apsp::result& done, const M& m) {
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::transitive_closure);
    for_each_pair(expected.size(), [&](std::size_t u, std::size_t v) {
      const apsp::matrix_value_t<M> entry = m[u][v];
      BOOST_REQUIRE(entry == apsp::matrix_value_t<M>(expected[u][v] != 0));
    });
  };
  M by_pivots = before;
  check(apsp::floyd_warshall(Policy::policy(), g, by_pivots, apsp::or_and{}), by_pivots);
  M by_squaring = before;
  check(apsp::repeated_squaring(Policy::policy(), g, by_squaring, apsp::or_and{}), by_squaring);
  M by_choice = before;
  check(apsp::all_pairs_shortest_paths(Policy::policy(), g, by_choice, apsp::or_and{}), by_choice);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(other_names, Policy, policies) {
  for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 129u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 31") {
      const auto g = n == 0 ? empty_graph(0) : sparse_graph(n, 1.3, 31);
      const auto expected = search_from_all(g);
      check_other_names<Policy>(g.view(), expected, used_bits(n, n));
      check_other_names<Policy>(g.view(), expected, bytes(n, std::vector<char>(n, 7)));
      check_other_names<Policy>(g.view(), expected, apsp::matrix<bool>(n, n, true));
      check_other_names<Policy>(g.view(), expected, apsp::matrix<int>(n, n, -7));
    }
  }
  auto bits = random_bits(65, 65, 0.02, 32);
  apsp::bit_matrix closure(65);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), bits, closure));
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), bits, bits, apsp::or_and{}));
  BOOST_CHECK(bits == closure);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_of_bool, Policy, policies) {
  const std::vector<int> sources{0, 1, 2}, targets{1, 2, 3};
  const bool weights[] = {true, false, true};
  apsp::bit_matrix bits(4);
  BOOST_REQUIRE(apsp::floyd_warshall(
      Policy::policy(), apsp::edge_list_view(4, sources, targets, weights), bits, apsp::or_and{}));
  check_bits({{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}}, bits);
}
