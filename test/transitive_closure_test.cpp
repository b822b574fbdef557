// SPDX-License-Identifier: BSL-1.0
// Matrices of bits, and the closure of graphs against breadth-first searches and Boost.Graph.
#define BOOST_TEST_MODULE transitive_closure
#include <boost/test/unit_test.hpp>

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/weighted.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/transitive_closure.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/graphs.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

namespace {

using bytes = std::vector<std::vector<char>>;

// Around words, the tiles of the host (512 columns) and of the device (256 rows, 1024 columns).
constexpr std::size_t sizes[] = {0,   1,   2,   63,  64,  65,  127, 128,
                                 129, 255, 256, 257, 511, 512, 513, 1025};

arc_list<int> empty_graph(std::size_t n) {
  return {n, {}, {}, {}};
}

/// About @p degree arcs from every vertex, self-loops and parallel arcs among them.
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

/// The vertices in random order.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random_numbers random(seed);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  return order;
}

/// One path through all vertices, whose ends may be joined.
arc_list<int> path_graph(std::size_t n, bool closed, std::uint64_t seed) {
  const auto order = shuffled(n, seed);
  auto g = empty_graph(n);
  for (std::size_t i = 0; i + 1 < n; ++i) g.add(order[i], order[i + 1], 1);
  if (closed && n > 0) g.add(order[n - 1], order[0], 1);
  return g;
}

/// Arcs with probability @p p from vertices to later ones of a random order: no cycles.
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

/// What is reachable, by one breadth-first search per source.
template <class T>
bytes search_from_all(const arc_list<T>& g) {
  std::vector<std::vector<std::size_t>> targets(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    targets[static_cast<std::size_t>(g.sources[k])].push_back(
        static_cast<std::size_t>(g.targets[k]));
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

/// Every entry, and that the bits beyond the last column are 0.
void check_bits(const bytes& expected, const apsp::bit_matrix& bits) {
  std::size_t count = 0;
  for (std::size_t u = 0; u < expected.size(); ++u) {
    for (std::size_t v = 0; v < expected[u].size(); ++v) {
      count += static_cast<std::size_t>(expected[u][v]);
      if (bits[u][v] != (expected[u][v] != 0)) {
        BOOST_ERROR("entry (" << u << ", " << v << ") is " << bits[u][v]);
        return;
      }
    }
  }
  BOOST_CHECK_EQUAL(bits.count(), count);
}

/// @p n x n bits of nonsense.
apsp::bit_matrix used_bits(std::size_t rows, std::size_t columns) {
  apsp::bit_matrix bits(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) bits.set(i, j, (i * 7 + j) % 3 == 0);
  }
  return bits;
}

template <class Policy, class T>
void check_closure(const arc_list<T>& g, const bytes& expected) {
  auto bits = used_bits(g.n, g.n);
  const auto done = apsp::transitive_closure(Policy::policy(), g.view(), bits);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::transitive_closure);
  check_bits(expected, bits);
}
template <class Policy, class T>
void check_closure(const arc_list<T>& g) {
  check_closure<Policy>(g, search_from_all(g));
}

apsp::bit_matrix random_bits(std::size_t rows, std::size_t columns, double p, std::uint64_t seed) {
  random_numbers random(seed);
  apsp::bit_matrix bits(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) bits.set(i, j, random.chance(p));
  }
  return bits;
}

}  // namespace

BOOST_AUTO_TEST_CASE(layout_of_bits) {
  static_assert(apsp::writable_matrix<apsp::bit_matrix&>);
  static_assert(apsp::readable_matrix<const apsp::bit_matrix&>);
  static_assert(std::is_same_v<apsp::matrix_value_t<apsp::bit_matrix>, bool>);
  static_assert(std::is_same_v<apsp::matrix_value_t<const apsp::bit_matrix>, bool>);
  static_assert(std::is_same_v<apsp::matrix_value_t<std::vector<std::vector<bool>>>, bool>);
  static_assert(apsp::graph<apsp::bit_matrix>);

  for (const std::size_t columns : {0, 1, 63, 64, 65, 511, 512, 513}) {
    apsp::bit_matrix m(3, columns);
    BOOST_CHECK(apsp::shape_of(m) == (apsp::matrix_shape{3, columns}));
    BOOST_CHECK_EQUAL(m.pitch(), (columns + 511) / 512 * 8);
    BOOST_CHECK_EQUAL(m.count(), 0);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(m.words(i).data()) % 64, 0);
      BOOST_CHECK_EQUAL(m.words(i).size(), m.pitch());
      for (std::size_t j = i; j < columns; j += 3) m[i][j] = true;
    }
    std::size_t set = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        BOOST_REQUIRE_EQUAL(m(i, j), j >= i && (j - i) % 3 == 0);
        set += m(i, j) ? 1 : 0;
      }
    }
    BOOST_CHECK_EQUAL(m.count(), set);
  }
}

BOOST_AUTO_TEST_CASE(entries_of_bits) {
  apsp::bit_matrix m(2, 130);
  m.set(1, 64);
  BOOST_CHECK(m(1, 64) && m[1][64] && !m(0, 64) && !m(1, 63) && !m(1, 65));
  BOOST_CHECK_EQUAL(m.words(1)[1], 1);
  m[0][129] = m[1][64];
  BOOST_CHECK(m(0, 129));
  BOOST_CHECK_EQUAL(m.words(0)[2], 2);
  auto entry = m[0][129];
  entry = m[0][0];
  BOOST_CHECK(!m(0, 129));
  m.set(1, 64, false);
  BOOST_CHECK_EQUAL(m.count(), 0);
  BOOST_CHECK(m == apsp::bit_matrix(2, 130));
  BOOST_CHECK(!(m == apsp::bit_matrix(2, 131)));
  BOOST_CHECK(!(m == apsp::bit_matrix(3, 130)));
  apsp::bit_matrix copy = m;
  copy[1][1] = true;
  BOOST_CHECK(!(copy == m));
  m = std::move(copy);
  BOOST_CHECK(m(1, 1));
  const apsp::bit_matrix moved = std::move(m);
  BOOST_CHECK(moved[1][1] && !moved[1][2]);
  BOOST_CHECK_EQUAL(m.rows(), 0);
  BOOST_CHECK_EQUAL(m.cols(), 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size, Policy, policies) {
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      if (n > 0) check_closure<Policy>(sparse_graph(n, 1.3, n));
      check_closure<Policy>(path_graph(n, false, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_density, Policy, policies) {
  for (const std::size_t n : {101, 700}) {
    for (const double degree : {0.0, 0.2, 0.9, 1.0, 1.1, 2.0, 10.0, 90.0}) {
      BOOST_TEST_CONTEXT("n = " << n << ", degree = " << degree << ", seed = 5") {
        check_closure<Policy>(sparse_graph(n, degree, 5));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_graphs, Policy, policies) {
  for (const std::size_t n : {1, 257, 600}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      check_closure<Policy>(path_graph(n, true, 3));
      check_closure<Policy>(acyclic_graph(n, 0.01, 4));
      check_closure<Policy>(acyclic_graph(n, 0.3, 5));
      check_closure<Policy>(random_graph<int>(n, 0.5, 1, 1, 6));

      // Only self-loops: they are the empty paths.
      auto loops = empty_graph(n);
      for (std::size_t v = 0; v < n; ++v) loops.add(v, v, 1);
      check_closure<Policy>(loops);

      // Several cycles, each leading to the next one but one.
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

      // Half of the vertices lead to the other half: no arc can be left out.
      auto halves = empty_graph(n);
      for (std::size_t u = 0; u < n; u += 2) {
        for (std::size_t v = 1; v < n; v += 2) halves.add(u, v, 1);
      }
      check_closure<Policy>(halves);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(like_boost, Policy, policies) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const auto arcs = sparse_graph(150, 1.2, 9);
  graph g(arcs.n);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(static_cast<std::size_t>(arcs.sources[k]),
                    static_cast<std::size_t>(arcs.targets[k]), g);
  }
  graph closure;
  boost::transitive_closure(g, closure);
  apsp::bit_matrix bits(arcs.n);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), g, bits));
  for (std::size_t u = 0; u < arcs.n; ++u) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      BOOST_REQUIRE_EQUAL(bool(bits[u][v]), u == v || boost::edge(u, v, closure).second);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_matrices, Policy, policies) {
  const std::size_t n = 130;
  const auto g = sparse_graph(n, 1.3, 11);
  const auto expected = search_from_all(g);
  const auto check = [&](auto matrix) {
    BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), g.view(), matrix));
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        const apsp::matrix_value_t<decltype(matrix)> entry = matrix[u][v];
        BOOST_REQUIRE(entry == apsp::matrix_value_t<decltype(matrix)>(expected[u][v] != 0));
      }
    }
  };
  check(bytes(n, std::vector<char>(n, 7)));
  check(std::vector<std::vector<bool>>(n, std::vector<bool>(n, true)));
  check(apsp::matrix<bool>(n, n, true));
  check(apsp::matrix<std::uint8_t>(n, n, 9));
  check(apsp::matrix<float>(n, n, 0.5F));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_an_edge, Policy, policies) {
  const std::vector<std::int32_t> offsets{0, 2, 3, 4, 4};
  const std::vector<std::int32_t> targets{1, 3, 2, 1};
  const bytes expected{{1, 1, 1, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}};
  apsp::bit_matrix bits(4);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), apsp::csr_view(offsets, targets), bits));
  check_bits(expected, bits);

  // Weights do not count, not even NaN; the weight `unreachable` is no edge.
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> weights{-3, inf, std::numeric_limits<float>::quiet_NaN(), 0};
  const bytes without{{1, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}};
  BOOST_REQUIRE(
      apsp::transitive_closure(Policy::policy(), apsp::csr_view(offsets, targets, weights), bits));
  check_bits(without, bits);

  // In a dense graph all other entries are.
  apsp::matrix<float> dense(3, 3, inf);
  dense[2][0] = 0;
  dense[0][1] = -1;
  apsp::bit_matrix small(3);
  BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), dense, small));
  check_bits({{1, 1, 0}, {0, 1, 0}, {1, 1, 1}}, small);
  // Also where the result lies in the graph.
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
          const auto u = static_cast<std::size_t>(g.sources[k]);
          const auto v = static_cast<std::size_t>(g.targets[k]);
          graph.set(u, v);
          turned.add(v, u, 1);
        }
        auto bits = used_bits(n, n);
        BOOST_REQUIRE(apsp::transitive_closure(Policy::policy(), graph, bits));
        check_bits(search_from_all(g), bits);
        apsp::matrix<std::int32_t> hops(n);
        BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), apsp::unweighted(graph), hops));
        for (std::size_t u = 0; u < n; ++u) {
          for (std::size_t v = 0; v < n; ++v) {
            BOOST_REQUIRE_EQUAL(hops[u][v] != apsp::unreachable<std::int32_t>, bool(bits[u][v]));
          }
        }
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
  for (const std::int32_t outside : {5, -1}) {
    auto g = empty_graph(5);
    g.add(0, 1, 1);
    g.targets[0] = outside;
    BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy(), g.view(), bits)),
                      std::invalid_argument);
    std::swap(g.sources, g.targets);
    BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy(), g.view(), bits)),
                      std::invalid_argument);
  }
  BOOST_CHECK(bits == before);
  const auto g = path_graph(5, false, 1);
  for (const auto& [rows, columns] : {std::pair{4, 5}, {5, 6}, {0, 0}, {6, 6}}) {
    apsp::bit_matrix other(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    BOOST_CHECK_THROW(
        static_cast<void>(apsp::transitive_closure(Policy::policy(), g.view(), other)),
        std::invalid_argument);
  }
  const apsp::bit_matrix oblong(5, 6);
  BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy(), oblong, bits)),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(watched, Policy, policies) {
  const std::size_t n = 1030;
  for (const double degree : {1.5, 100.0}) {
    const auto g = sparse_graph(n, degree, 21);
    const auto expected = search_from_all(g);
    std::size_t last = 0;
    std::size_t whole = 0;
    apsp::bit_matrix bits(n);
    const auto hear = [&](std::size_t done, std::size_t total) {
      BOOST_CHECK(done > last || done == total);
      last = done;
      whole = total;
    };
    BOOST_REQUIRE(apsp::transitive_closure(Policy::policy().progress(hear), g.view(), bits));
    BOOST_CHECK_EQUAL(last, n);
    BOOST_CHECK_EQUAL(whole, n);
    check_bits(expected, bits);

    std::stop_source stop;
    const auto ask = [&](std::size_t, std::size_t) { stop.request_stop(); };
    const auto policy = Policy::policy().progress(ask).stop(stop.get_token());
    const auto stopped = apsp::transitive_closure(policy, g.view(), bits);
    BOOST_CHECK(stopped.stopped() && !stopped);
    const auto at_once = apsp::transitive_closure(policy, g.view(), bits);
    BOOST_CHECK(at_once.stopped());

    const auto fail = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
    BOOST_CHECK_THROW(static_cast<void>(apsp::transitive_closure(Policy::policy().progress(fail),
                                                                 g.view(), bits)),
                      std::runtime_error);
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

bytes to_bytes(const apsp::bit_matrix& m) {
  bytes entries(m.rows(), std::vector<char>(m.cols()));
  for (std::size_t i = 0; i < m.rows(); ++i) {
    for (std::size_t j = 0; j < m.cols(); ++j) entries[i][j] = m(i, j) ? 1 : 0;
  }
  return entries;
}

/// c or a (x) b, entry by entry.
bytes product_of(const apsp::bit_matrix& a, const apsp::bit_matrix& b, const apsp::bit_matrix& c) {
  bytes product = to_bytes(c);
  const bytes rows = to_bytes(b);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t k = 0; k < a.cols(); ++k) {
      if (!a(i, k)) continue;
      for (std::size_t j = 0; j < b.cols(); ++j) {
        product[i][j] = static_cast<char>(product[i][j] | rows[k][j]);
      }
    }
  }
  return product;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(products, Policy, policies) {
  struct shape {
    std::size_t m, depth, n;
  };
  const shape shapes[] = {{0, 0, 0},        {1, 1, 1},       {3, 0, 5},      {0, 4, 5},
                          {2, 3, 0},        {63, 64, 65},    {65, 63, 64},   {257, 255, 1025},
                          {256, 256, 1024}, {300, 1000, 70}, {1, 1100, 513}, {1030, 33, 130}};
  for (const auto& [m, depth, n] : shapes) {
    for (const double p : {0.004, 0.3}) {
      BOOST_TEST_CONTEXT(m << " x " << depth << " x " << n << ", p = " << p << ", seed = 1") {
        const auto a = random_bits(m, depth, p, 1);
        const auto b = random_bits(depth, n, p, 2);
        const auto c = random_bits(m, n, 0.01, 3);
        const auto expected = product_of(a, b, c);
        auto product = c;
        const auto done = apsp::semiring_product(Policy::policy(), a, b, product, apsp::or_and{});
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.algorithm() == apsp::algorithm::product);
        check_bits(expected, product);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_in_place, Policy, policies) {
  for (const std::size_t n : {65, 300}) {
    const auto a = random_bits(n, n, 0.02, 4);
    const auto b = random_bits(n, n, 0.02, 5);
    auto left = a;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), left, b, left, apsp::or_and{}));
    check_bits(product_of(a, b, a), left);
    auto right = b;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), a, right, right, apsp::or_and{}));
    check_bits(product_of(a, b, b), right);
    auto both = a;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), both, both, both, apsp::or_and{}));
    check_bits(product_of(a, a, a), both);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_other_matrices, Policy, policies) {
  const auto a = random_bits(70, 80, 0.1, 6);
  const auto b = random_bits(80, 90, 0.1, 7);
  const auto c = random_bits(70, 90, 0.1, 8);
  apsp::matrix<std::uint8_t> other_a(70, 80);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t k = 0; k < 80; ++k) other_a[i][k] = a(i, k) ? 128 : 0;
  }
  const bytes other_b = to_bytes(b);
  std::vector<std::vector<bool>> other_c(70, std::vector<bool>(90));
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t j = 0; j < 90; ++j) other_c[i][j] = c(i, j);
  }
  BOOST_REQUIRE(
      apsp::semiring_product(Policy::policy(), other_a, other_b, other_c, apsp::or_and{}));
  const auto expected = product_of(a, b, c);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t j = 0; j < 90; ++j) BOOST_REQUIRE_EQUAL(other_c[i][j], expected[i][j] != 0);
  }

  apsp::bit_matrix wrong(70, 91);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::semiring_product(Policy::policy(), a, b, wrong, apsp::or_and{})),
      std::invalid_argument);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::semiring_product(Policy::policy(), a, a, wrong, apsp::or_and{})),
      std::invalid_argument);
  std::stop_source stop;
  stop.request_stop();
  auto product = c;
  BOOST_CHECK(
      apsp::semiring_product(Policy::policy().stop(stop.get_token()), a, b, product, apsp::or_and{})
          .stopped());
}

// A factor of no rows has no columns to count, if it is a range of rows.
BOOST_AUTO_TEST_CASE_TEMPLATE(products_without_entries, Policy, policies) {
  const bytes none;
  bytes result;
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), none, random_bits(4, 5, 0.5, 1), result,
                                       apsp::or_and{}));
  auto c = random_bits(4, 5, 0.5, 2);
  const auto before = c;
  BOOST_REQUIRE(
      apsp::semiring_product(Policy::policy(), apsp::bit_matrix(4, 0), none, c, apsp::or_and{}));
  BOOST_CHECK(c == before);
}

namespace {

template <class Policy, class Graph, class M>
void check_other_names(const Graph& g, const bytes& expected, const M& before) {
  const auto check = [&](const apsp::result& done, const M& m) {
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::transitive_closure);
    for (std::size_t u = 0; u < expected.size(); ++u) {
      for (std::size_t v = 0; v < expected.size(); ++v) {
        const apsp::matrix_value_t<M> entry = m[u][v];
        BOOST_REQUIRE(entry == apsp::matrix_value_t<M>(expected[u][v] != 0));
      }
    }
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
  const std::vector<int> sources{0, 1, 2};
  const std::vector<int> targets{1, 2, 3};
  const bool weights[] = {true, false, true};
  apsp::bit_matrix bits(4);
  BOOST_REQUIRE(apsp::floyd_warshall(
      Policy::policy(), apsp::edge_list_view(4, sources, targets, weights), bits, apsp::or_and{}));
  check_bits({{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}}, bits);
}
