// SPDX-License-Identifier: BSL-1.0
// Orders of elimination, beside an elimination in sets of neighbors.
#define BOOST_TEST_MODULE minimum_degree
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <detail/elimination/elimination_tree.hpp>
#include <detail/elimination/minimum_degree.hpp>
#include <detail/elimination/neighbors.hpp>
#include <detail/elimination/pieces.hpp>
#include <detail/elimination/quotient_graph.hpp>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../common/generators.hpp"

using apsp_test::random_numbers;

namespace {

/// The neighbors of each vertex.
using neighbor_sets = std::vector<std::set<std::size_t>>;

void connect(neighbor_sets& g, std::size_t u, std::size_t v) {
  if (u == v) return;
  g[u].insert(v);
  g[v].insert(u);
}

apsp::detail::neighbor_lists lists_of(const neighbor_sets& g) {
  apsp::detail::neighbor_lists lists;
  lists.offsets.push_back(0);
  for (const auto& neighbors : g) {
    for (const std::size_t v : neighbors) lists.vertices.push_back(static_cast<std::int32_t>(v));
    lists.offsets.push_back(static_cast<std::int64_t>(lists.vertices.size()));
  }
  return lists;
}

/// Checks that the groups of an order tell the tree that the order alone has.
void check_tree(const apsp::detail::neighbor_lists& lists, const apsp::detail::grouped_order& order,
                int threads) {
  const auto expected = apsp::detail::make_elimination_tree(lists, order.vertices);
  const auto tree = apsp::detail::make_elimination_tree(lists, order, {threads, nullptr});
  BOOST_CHECK(tree.vertices == expected.vertices && tree.places == expected.places);
  BOOST_CHECK(tree.parents == expected.parents && tree.depths == expected.depths);
  BOOST_CHECK_EQUAL(tree.height, expected.height);
  BOOST_CHECK(tree.first == expected.first);
  BOOST_CHECK(tree.supernode_parents == expected.supernode_parents);
  BOOST_CHECK(tree.upper_offsets == expected.upper_offsets && tree.upper == expected.upper);
}

/// Checks the order of a graph, and returns the numbers of neighbors that its vertices have when
/// they are eliminated. As long as a vertex has at most two neighbors, none of which has more than
/// 64, the next one to be eliminated has at most two.
std::vector<std::size_t> check_order(neighbor_sets g) {
  const auto lists = lists_of(g);
  const auto found = apsp::detail::minimum_degree_order(lists).value();
  const std::vector<std::int32_t>& order = found.vertices;
  for (const int threads : {1, 3}) check_tree(lists, found, threads);
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> every_vertex(g.size());
  std::iota(every_vertex.begin(), every_vertex.end(), 0);
  BOOST_REQUIRE(sorted == every_vertex);

  std::vector<char> is_eliminated(g.size(), 0);
  const auto is_low = [&](std::size_t v) {
    return is_eliminated[v] == 0 && g[v].size() <= 2 &&
           std::all_of(g[v].begin(), g[v].end(), [&](std::size_t u) { return g[u].size() <= 64; });
  };
  std::set<std::size_t> low;
  for (std::size_t v = 0; v < g.size(); ++v) {
    if (is_low(v)) low.insert(v);
  }
  std::vector<std::size_t> degrees;
  for (const std::int32_t vertex : order) {
    const auto v = static_cast<std::size_t>(vertex);
    const std::set<std::size_t> neighbors = std::move(g[v]);
    g[v].clear();
    degrees.push_back(neighbors.size());
    BOOST_REQUIRE(low.empty() || neighbors.size() <= 2);
    is_eliminated[v] = 1;
    low.erase(v);
    for (const std::size_t u : neighbors) {
      g[u].erase(v);
      for (const std::size_t w : neighbors) connect(g, u, w);
    }
    for (const std::size_t u : neighbors) {
      if (is_low(u)) {
        low.insert(u);
      } else {
        low.erase(u);
      }
    }
  }
  return degrees;
}

std::int32_t height_of(const neighbor_sets& g) {
  const auto lists = lists_of(g);
  const auto order = apsp::detail::minimum_degree_order(lists).value();
  return apsp::detail::make_elimination_tree(lists, order.vertices).height;
}

neighbor_sets path(std::size_t n) {
  neighbor_sets g(n);
  for (std::size_t v = 1; v < n; ++v) connect(g, v - 1, v);
  return g;
}
neighbor_sets ring(std::size_t n) {
  neighbor_sets g = path(n);
  if (n > 2) connect(g, 0, n - 1);
  return g;
}
neighbor_sets random_tree(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  neighbor_sets g(n);
  for (std::size_t v = 1; v < n; ++v) connect(g, v, random.index(v));
  return g;
}
/// Random edges, of which some are replaced by chains.
neighbor_sets random_network(std::size_t n, std::size_t num_edges, std::uint64_t seed) {
  random_numbers random(seed);
  neighbor_sets g(n);
  for (std::size_t e = 0; e < num_edges; ++e) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    std::size_t last = u;
    for (auto length = random(0, 3) == 0 ? random(1, 20) : 0; length > 0; --length) {
      g.emplace_back();
      connect(g, last, g.size() - 1);
      last = g.size() - 1;
    }
    connect(g, last, v);
  }
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE(trees_keep_one_neighbor) {
  for (const std::size_t n : {0, 1, 2, 3, 50, 1000}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      BOOST_TEST_CONTEXT("n = " << n << ", seed = " << seed) {
        for (const std::size_t degree : check_order(random_tree(n, seed)))
          BOOST_CHECK_LE(degree, 1);
      }
    }
  }
  for (const std::size_t degree : check_order(path(500))) BOOST_CHECK_LE(degree, 1);
}

// A star and its leaves, and one whose leaves are connected in pairs.
BOOST_AUTO_TEST_CASE(stars) {
  for (const std::size_t num_leaves : {5, 64, 65, 2000}) {
    BOOST_TEST_CONTEXT(num_leaves << " leaves") {
      neighbor_sets g(num_leaves + 1);
      for (std::size_t v = 1; v <= num_leaves; ++v) connect(g, 0, v);
      for (const std::size_t degree : check_order(g)) BOOST_CHECK_LE(degree, 1);
      for (std::size_t v = 1; v < num_leaves; v += 2) connect(g, v, v + 1);
      for (const std::size_t degree : check_order(g)) BOOST_CHECK_LE(degree, 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(rings_have_low_trees) {
  for (const std::size_t n : {3, 4, 5, 1000, 1024, 20000}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      for (const std::size_t degree : check_order(ring(n))) BOOST_CHECK_LE(degree, 2);
      BOOST_CHECK_LE(height_of(ring(n)), 2 * std::bit_width(n) + 2);
    }
  }
}

// Every vertex of a strip of triangles, or of two rings with a chain between them, can be
// eliminated with two neighbors.
BOOST_AUTO_TEST_CASE(graphs_of_tree_width_two) {
  neighbor_sets strip = path(400);
  for (std::size_t v = 2; v < strip.size(); ++v) connect(strip, v - 2, v);
  for (const std::size_t degree : check_order(strip)) BOOST_CHECK_LE(degree, 2);
  neighbor_sets rings = path(300);
  connect(rings, 0, 99);
  connect(rings, 200, 299);
  for (const std::size_t degree : check_order(rings)) BOOST_CHECK_LE(degree, 2);
}

// Vertices with the same neighbors are eliminated together; every vertex of a block has the same
// ones.
BOOST_AUTO_TEST_CASE(groups_of_vertices) {
  for (const std::size_t block : {1, 2, 5}) {
    BOOST_TEST_CONTEXT("blocks of " << block) {
      const neighbor_sets small = random_network(60, 150, block);
      neighbor_sets g(small.size() * block);
      for (std::size_t u = 0; u < g.size(); ++u) {
        for (std::size_t v = u / block * block; v < u; ++v) connect(g, u, v);
        for (const std::size_t v : small[u / block]) {
          for (std::size_t i = 0; i < block; ++i) connect(g, u, v * block + i);
        }
      }
      BOOST_CHECK(apsp::detail::minimum_degree_order(lists_of(g)).value().has_groups());
      check_order(g);
    }
  }
  neighbor_sets grid(2500);
  for (std::size_t v = 0; v < grid.size(); ++v) {
    if (v % 50 != 49) connect(grid, v, v + 1);
    if (v + 50 < grid.size()) connect(grid, v, v + 50);
  }
  check_order(grid);
}

// Vertices of very large degree come last, and an order without them has no groups.
BOOST_AUTO_TEST_CASE(hubs) {
  neighbor_sets g = random_network(2000, 6000, 3);
  for (std::size_t v = 1; v < 2000; ++v) connect(g, 0, v);
  const auto order = apsp::detail::minimum_degree_order(lists_of(g)).value();
  BOOST_CHECK(!order.has_groups());
  BOOST_CHECK_EQUAL(order.vertices.back(), 0);
  check_tree(lists_of(g), order, 1);
}

BOOST_AUTO_TEST_CASE(networks_with_chains) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      random_numbers random(seed);
      check_order(random_network(40, 30 + random.index(60), seed));
    }
  }
}

namespace {

/// A grid without some of its edges, with hanging trees and chains, of which some are components.
neighbor_sets large_network(std::size_t side, std::uint64_t seed) {
  random_numbers random(seed);
  neighbor_sets g(side * side);
  for (std::size_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side && !random.chance(0.2)) connect(g, v, v + 1);
    if (v + side < side * side && !random.chance(0.2)) connect(g, v, v + side);
    if (v + side + 1 < side * side && random.chance(0.1)) connect(g, v, v + side + 1);
  }
  for (std::size_t k = 0; k < side * side / 4; ++k) {
    g.emplace_back();
    if (!random.chance(0.1)) connect(g, g.size() - 1, random.index(g.size() - 1));
  }
  return g;
}

}  // namespace

// Large graphs are divided into pieces, whose vertices are eliminated by several threads.
BOOST_AUTO_TEST_CASE(large_graphs) {
  for (const std::uint64_t seed : {1, 2}) {
    const auto lists = lists_of(large_network(180, seed));
    const std::size_t n = lists.num_vertices();
    BOOST_TEST_CONTEXT(n << " vertices, seed = " << seed) {
      apsp::detail::order_work work;
      const auto in_pieces = apsp::detail::eliminate_in_pieces(lists, {}, work);
      BOOST_REQUIRE(in_pieces.has_value());
      BOOST_CHECK_EQUAL(in_pieces->order.vertices.size() + in_pieces->remaining.size(), n);
      BOOST_CHECK_LT(in_pieces->remaining.size(), n / 2);
      BOOST_CHECK_GT(work.relaxations, 0);
      const auto found = apsp::detail::minimum_degree_order(lists).value();
      BOOST_CHECK(found.has_groups());
      std::vector<std::int32_t> sorted = found.vertices;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t v = 0; v < n; ++v) {
        BOOST_REQUIRE_EQUAL(sorted[v], static_cast<std::int32_t>(v));
      }
      check_tree(lists, found, 3);
      for (const int threads : {2, 5}) {
        const auto other =
            apsp::detail::minimum_degree_order(lists, {.by = {threads, nullptr}}).value();
        BOOST_CHECK(other.vertices == found.vertices && other.group_ends == found.group_ends);
        BOOST_CHECK(other.later_ends == found.later_ends);
        const auto is_same = [](const auto& a, const auto& b) {
          return a.first == b.first && a.count == b.count;
        };
        BOOST_CHECK(std::equal(other.later.begin(), other.later.end(), found.later.begin(),
                               found.later.end(), is_same));
      }
      // Far from all pairs, of which an order that ignores the graph adds most.
      BOOST_CHECK_LT(apsp::detail::make_elimination_tree(lists, found).num_pairs(), 40 * n);
    }
  }
}

// Some pieces have no arcs, and of some nothing is eliminated.
BOOST_AUTO_TEST_CASE(pieces_without_arcs) {
  for (const std::size_t num_connected : {0, 10000}) {
    neighbor_sets g = ring(num_connected);
    g.resize(30000);
    const auto lists = lists_of(g);
    apsp::detail::order_work work;
    BOOST_CHECK(apsp::detail::eliminate_in_pieces(lists, {}, work).has_value());
    const auto found = apsp::detail::minimum_degree_order(lists).value();
    BOOST_CHECK_EQUAL(found.vertices.size(), g.size());
    check_tree(lists, found, 2);
  }
}

// Four threads find the lists of symmetric graphs in another way.
BOOST_AUTO_TEST_CASE(neighbors_by_threads) {
  for (const bool is_symmetric : {true, false}) {
    for (const std::size_t n : {1, 50, 20000}) {
      random_numbers random(n);
      std::vector<std::vector<std::int32_t>> lists(n);
      for (std::size_t k = 0; k < 3 * n; ++k) {
        const auto u = random.index(n);
        const auto v = random.index(n);  // Sometimes u, or an arc once more.
        lists[u].push_back(static_cast<std::int32_t>(v));
        if (is_symmetric) lists[v].push_back(static_cast<std::int32_t>(u));
      }
      std::vector<std::int64_t> offsets{0};
      std::vector<std::int32_t> targets;
      for (const auto& list : lists) {
        targets.insert(targets.end(), list.begin(), list.end());
        offsets.push_back(static_cast<std::int64_t>(targets.size()));
      }
      neighbor_sets expected(n);
      for (std::size_t u = 0; u < n; ++u) {
        for (const std::int32_t v : lists[u]) connect(expected, u, static_cast<std::size_t>(v));
      }
      const auto one = apsp::detail::find_neighbors(offsets, targets);
      const auto several = apsp::detail::find_neighbors(offsets, targets, {5, nullptr});
      BOOST_CHECK(one.offsets == several.offsets && one.vertices == several.vertices);
      for (std::size_t u = 0; u < n; ++u) {
        const auto list = several.of(u);
        const std::set<std::size_t> found(list.begin(), list.end());
        BOOST_REQUIRE(found == expected[u] && found.size() == list.size());
      }
    }
  }
}
