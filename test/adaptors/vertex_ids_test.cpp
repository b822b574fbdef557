// SPDX-License-Identifier: BSL-1.0
// Graphs whose vertices are integers of any value: an adaptor's vertices_are_ids.
#define BOOST_TEST_MODULE vertex_ids
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/graph.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/path.hpp>
#include <apsp/weighted.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// A graph with ids, or with other numbers of vertices that are mapped as numbers.
template <bool HasIds>
struct mapped_graph {
  arc_list<int> arcs;
  std::vector<std::int64_t> ids;  ///< Of vertex 0, 1, ...
  std::map<std::int64_t, std::size_t> numbers;

  std::size_t number_of(std::int64_t id) const {
    const auto found = numbers.find(id);
    return found == numbers.end() ? arcs.n : found->second;
  }
};

mapped_graph<true> make_mapped_graph(std::size_t n, std::uint64_t seed) {
  mapped_graph<true> g{random_graph<int>(n, 0.1, 1, 99, seed), {}, {}};
  random_numbers random(seed);
  // Some are negative, some are above every number, and the last ones are numbers of other
  // vertices.
  for (std::size_t v = 0; v < n; ++v) {
    const auto k = static_cast<std::int64_t>(v);
    g.ids.push_back(v < n / 2 ? (k + 1) * (random.chance(0.5) ? 9'007'199'254 : -1)
                              : static_cast<std::int64_t>(n) - 1 - k);
    g.numbers.emplace(g.ids.back(), v);
  }
  return g;
}

}  // namespace

template <bool HasIds>
struct apsp::graph_adaptor<mapped_graph<HasIds>> {
  using weight_type = int;
  using edge_type = apsp::edge;
  static constexpr bool vertices_are_ids = HasIds;
  using graph_type = mapped_graph<HasIds>;

  static std::size_t num_vertices(const graph_type& g) { return g.arcs.n; }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    for_each_arc(g, [&](auto u, auto v, const apsp::edge& e) { f(u, v, g.arcs.weights[e.index]); });
  }
  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    for (std::size_t k = 0; k < g.arcs.size(); ++k) {
      const auto u = g.arcs.from(k);
      const auto v = g.arcs.to(k);
      f(u, v, apsp::edge{u, v, k});
    }
  }
  static auto vertex_numbers(const graph_type& g) {
    return [&g](std::int64_t id) { return g.number_of(id); };
  }
  static const auto& vertices_by_number(const graph_type& g) { return g.ids; }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(lists_of_ids, Policy, policies) {
  for (const std::uint64_t seed : {1, 2}) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      const auto g = make_mapped_graph(60, seed);
      const std::vector<std::size_t> numbers{59, 3, 0, 31, 3};
      std::vector<std::int64_t> ids;
      for (const std::size_t v : numbers) ids.push_back(g.ids[v]);
      const auto expected = *oracle_rows(g.arcs, numbers);

      apsp::matrix<int> d(numbers.size(), g.arcs.n), p(numbers.size(), g.arcs.n);
      BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, ids, d, p));
      check_rows<int>(expected, d);
      const auto number = apsp::numbers_by_vertex(g);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        BOOST_CHECK_EQUAL(number(ids[i]), numbers[i]);
        BOOST_CHECK_EQUAL(apsp::vertices_by_number(g)[numbers[i]], ids[i]);
        const auto path = apsp::path(p, i, number(ids[i]), number(ids[i]));
        BOOST_CHECK(path == std::vector{numbers[i]});
      }

      d = apsp::matrix<int>(numbers.size(), g.arcs.n);
      const auto again =
          apsp::weighted(g, [&](const apsp::edge& e) { return g.arcs.weights[e.index]; });
      BOOST_REQUIRE(apsp::johnson(Policy::policy(), again, ids, d));
      check_rows<int>(expected, d);
      apsp::matrix<int> table(numbers.size(), numbers.size());
      BOOST_REQUIRE(apsp::distance_table(Policy::policy(), apsp::reversed(again), ids, ids, table));
      std::vector<int> row(g.arcs.n);
      BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, ids[3], row));
      std::vector<int> nearest_distance(g.arcs.n), nearest(g.arcs.n);
      BOOST_REQUIRE(apsp::nearest_sources(Policy::policy(), g, ids, nearest_distance, nearest));
      for (std::size_t v = 0; v < g.arcs.n; ++v) {
        BOOST_CHECK(same_distance<int>(row[v], expected[3][v]));
        auto least = wide_unreachable<int>;
        for (const auto& r : expected) least = std::min(least, r[v]);
        BOOST_CHECK(same_distance<int>(nearest_distance[v], least));
      }
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = 0; j < numbers.size(); ++j) {
          BOOST_CHECK(same_distance<int>(table[i][j], expected[j][numbers[i]]));
        }
      }
      std::size_t wrong = 0;
      BOOST_REQUIRE(apsp::for_each_row(
          Policy::policy(), g, ids,
          [&](std::size_t i, std::size_t source, std::span<const int> distances) {
            if (source != numbers[i]) ++wrong;
            for (std::size_t v = 0; v < g.arcs.n; ++v) {
              if (!same_distance<int>(distances[v], expected[i][v])) ++wrong;
            }
          }));
      BOOST_CHECK_EQUAL(wrong, 0u);
      BOOST_CHECK(apsp::contraction_hierarchy<int>(Policy::policy(), g, g.ids));
    }
  }
}

BOOST_AUTO_TEST_CASE(ids_of_no_vertex) {
  const auto g = make_mapped_graph(20, 3);
  apsp::matrix<int> d(2, 20, 42);
  const auto refused = [&](std::int64_t id, const std::string& words) {
    check_refused(
        [&] {
          return apsp::dijkstra(apsp::seq, g, std::vector<std::int64_t>{g.ids[0], id}, d);
        },
        words);
    check_refused(
        [&] {
          return apsp::distance_table(apsp::seq, g, std::vector<std::int64_t>{},
                                      std::vector<std::int64_t>{id}, d);
        },
        "apsp: target " + std::to_string(id) + " is not the id of a vertex");
  };
  refused(15, "apsp: source 15 is not the id of a vertex of the graph");
  refused(-1000, "apsp: source -1000 is not the id");
  refused(9'007'199'254'740'993, "apsp: source 9007199254740993 is not the id");
  BOOST_CHECK(std::all_of(d.data(), d.data() + 40, [](int x) { return x == 42; }));
}

// Without the trait, integers are numbers, and those that are none are not mapped.
BOOST_AUTO_TEST_CASE(numbers_are_checked_before_they_are_mapped) {
  const auto with_ids = make_mapped_graph(20, 4);
  const mapped_graph<false> g{with_ids.arcs, with_ids.ids, with_ids.numbers};
  apsp::matrix<int> d(1, 20);
  check_refused([&] { return apsp::dijkstra(apsp::seq, g, std::vector{g.ids[0]}, d); },
                " is out of range: the graph has 20 vertices");
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g, std::vector<std::int64_t>{0}, d));
  check_rows<int>(*oracle_rows(g.arcs, {19}), d);
}
