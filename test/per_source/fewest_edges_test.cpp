// SPDX-License-Identifier: BSL-1.0
// Tests of `prefer_fewest_edges`: predecessors describe the shortest paths with the fewest edges.
#define BOOST_TEST_MODULE prefer_fewest_edges
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using number = std::int64_t;
using arcs_t = arc_list<number>;

/// A length and a number of edges. The lexicographical order is the order of preference.
using length_and_hops = std::pair<number, std::size_t>;
constexpr length_and_hops none{std::numeric_limits<number>::max(), 0};

/// Computes the best pair of every vertex by relaxing all arcs until nothing changes.
std::vector<length_and_hops> best_from(const arcs_t& g, std::size_t source) {
  std::vector<length_and_hops> best(g.n, none);
  best[source] = {0, 0};
  for (bool changed = true; std::exchange(changed, false);) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      const auto from = best[static_cast<std::size_t>(g.sources[k])];
      if (from == none) continue;
      auto& to = best[static_cast<std::size_t>(g.targets[k])];
      const length_and_hops through{from.first + g.weights[k], from.second + 1};
      if (!(through < to)) continue;
      to = through;
      changed = true;
    }
  }
  return best;
}

struct problem {
  std::string name;
  arcs_t arcs;
  std::vector<std::vector<length_and_hops>> expected{};
  bool is_negative = false;
};

/// A grid of equal edges in both directions, with diagonals as long as the two edges that they
/// replace.
arcs_t grid(std::size_t rows, std::size_t columns) {
  arcs_t g{rows * columns, {}, {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t v = i * columns + j;
      if (j + 1 < columns) g.add_undirected(v, v + 1, 3);
      if (i + 1 < rows) g.add_undirected(v, v + columns, 3);
      if (i + 1 < rows && j + 1 < columns && (i * j) % 3 == 0) {
        g.add_undirected(v, v + columns + 1, 6);
      }
    }
  }
  return g;
}

/// Forward arcs of weight v - u or v - u + 1: a path of arcs of weight 1 is never longer.
arcs_t shortcuts(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  arcs_t g{n, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < n; ++v) g.add(v, v + 1, 1);
  for (std::size_t k = 0; k < 3 * n; ++k) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    if (u < v) g.add(u, v, static_cast<number>(v - u) + random(0, 1));
  }
  return g;
}

const std::vector<problem>& problems() {
  static const std::vector<problem> problems = [] {
    std::vector<problem> all;
    for (const std::size_t n : {0, 1, 2, 31, 63, 65}) {
      all.push_back({"weights 0 to 3, n = " + std::to_string(n) + ", seed = n",
                     random_graph<number>(n, 0.15, 0, 3, n)});
    }
    all.push_back({"grid, 7 x 8", grid(7, 8)});
    all.push_back({"shortcuts, n = 50, seed = 1", shortcuts(50, 1)});
    all.push_back({"weights 0, n = 45, seed = 2", random_graph<number>(45, 0.07, 0, 0, 2)});
    all.push_back({"undirected, weights 0 and 1, n = 50, seed = 3",
                   undirected(random_graph<number>(50, 0.04, 0, 1, 3))});
    auto loops = random_graph<number>(40, 0.1, 0, 2, 4);
    for (std::size_t v = 0; v < loops.n; ++v) loops.add(v, v, static_cast<number>(v % 2));
    for (std::size_t k = 0; k < 60; ++k) {
      loops.add(static_cast<std::size_t>(loops.sources[k]),
                static_cast<std::size_t>(loops.targets[k]), 1);
    }
    all.push_back({"parallel arcs and self-loops, n = 40, seed = 4", loops});
    all.push_back({"negative, zero cycles, n = 50, seed = 5",
                   with_potentials(random_graph<number>(50, 0.1, 0, 2, 5), -50, 50, 5)});
    all.push_back({"negative grid, 8 x 6, seed = 6", with_potentials(grid(8, 6), -50, 50, 6)});
    all.push_back(
        {"negative shortcuts, n = 45, seed = 7", with_potentials(shortcuts(45, 7), -50, 50, 7)});
    for (auto& p : all) {
      for (std::size_t s = 0; s < p.arcs.n; ++s) p.expected.push_back(best_from(p.arcs, s));
      const auto& w = p.arcs.weights;
      p.is_negative = std::any_of(w.begin(), w.end(), [](number x) { return x < 0; });
    }
    return all;
  }();
  return problems;
}

/// @param limit  distances above it are unreachable.
template <class T>
void check_rows(const problem& task, const std::vector<std::size_t>& sources,
                const apsp::matrix<T>& distances, const apsp::matrix<std::int32_t>& predecessors,
                number limit = none.first - 1) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t v = 0; v < task.arcs.n; ++v) {
      const auto [length, hops] = task.expected[sources[i]][v];
      if (length > limit) {
        BOOST_REQUIRE(distances[i][v] == apsp::unreachable<T>);
        continue;
      }
      BOOST_REQUIRE_EQUAL(distances[i][v], static_cast<T>(length));
      const auto vertices = apsp::path(predecessors, i, sources[i], v);
      BOOST_REQUIRE(!vertices.empty());
      if (vertices.size() == hops + 1) continue;
      BOOST_ERROR("the path " << sources[i] << " -> " << v << " has " << vertices.size() - 1
                              << " edges, not " << hops);
      return;
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_vertex_to_every_vertex, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto policy = With::policy().prefer_fewest_edges();
  for (const auto& task : problems()) {
    const auto g = converted<T>(task.arcs);
    const auto sources = all_vertices(g.n);
    apsp::matrix<T> d(g.n);
    apsp::matrix<std::int32_t> p(g.n);
    const auto check = [&](const std::string& name, const apsp::result& done) {
      BOOST_TEST_CONTEXT(task.name << ", " << name) {
        BOOST_REQUIRE(done);
        check_rows(task, sources, d, p);
        if constexpr (std::is_same_v<T, std::int32_t>) check_predecessors(g, d, p);
      }
    };
    check("floyd_warshall", apsp::floyd_warshall(policy, g.view(), d, p));
    check("all_pairs", apsp::all_pairs_shortest_paths(policy, g.view(), d, p));
    for (const auto method : per_source_algorithms) {
      if (task.is_negative && method == apsp::algorithm::dijkstra) continue;
      check(std::string(to_string(method)), run(method, policy, g.view(), d, p));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(some_sources_and_rows, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto policy = With::policy().prefer_fewest_edges();
  for (const auto& task : problems()) {
    if (task.arcs.n < 3) continue;
    const auto g = converted<T>(task.arcs);
    const std::vector<std::size_t> sources{g.n - 1, 0, 2, 0};
    apsp::matrix<T> d(sources.size(), g.n);
    apsp::matrix<std::int32_t> p(sources.size(), g.n);
    BOOST_TEST_CONTEXT(task.name) {
      BOOST_REQUIRE(apsp::johnson(policy, g.view(), sources, d, p));
      check_rows(task, sources, d, p);
      BOOST_REQUIRE(apsp::bellman_ford(policy, g.view(), sources, d, p));
      check_rows(task, sources, d, p);

      const auto everywhere = all_vertices(g.n);
      apsp::matrix<T> rows(g.n);
      apsp::matrix<std::int32_t> trees(g.n);
      const auto take = [&](std::size_t s, std::span<const T> row,
                            std::span<const std::int32_t> tree) {
        std::copy(row.begin(), row.end(), rows[s]);
        std::copy(tree.begin(), tree.end(), trees[s]);
      };
      BOOST_REQUIRE(apsp::for_each_row(policy, g.view(), everywhere, take));
      check_rows(task, everywhere, rows, trees);

      // Without predecessors, `prefer_fewest_edges` has no effect.
      BOOST_REQUIRE(apsp::johnson(policy, g.view(), rows));
      BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), rows));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_a_cutoff, Policy, policies) {
  for (const auto& task : problems()) {
    const auto g = converted<std::int32_t>(task.arcs);
    const auto sources = all_vertices(g.n);
    const auto policy = Policy::policy().cutoff(9).prefer_fewest_edges();
    apsp::matrix<std::int32_t> d(g.n);
    apsp::matrix<std::int32_t> p(g.n);
    BOOST_TEST_CONTEXT(task.name) {
      BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), d, p));
      check_rows(task, sources, d, p, 9);
      for (const auto method : per_source_algorithms) {
        if (task.is_negative && method == apsp::algorithm::dijkstra) continue;
        BOOST_REQUIRE(run(method, policy, g.view(), d, p));
        check_rows(task, sources, d, p, 9);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_that_round, Policy, policies) {
  // With tenths, rounding determines which paths tie, but the rows must still be trees of shortest
  // paths.
  auto tenths = converted<double>(grid(9, 8));
  for (double& w : tenths.weights) w /= 10;
  auto negative = converted<double>(with_potentials(shortcuts(90, 8), -50, 50, 8));
  for (double& w : negative.weights) w /= 10;
  for (const auto* g : {&tenths, &negative}) {
    apsp::matrix<double> d(g->n);
    apsp::matrix<std::int32_t> p(g->n);
    const auto policy = Policy::policy().prefer_fewest_edges();
    BOOST_REQUIRE(apsp::floyd_warshall(policy, g->view(), d, p));
    check_predecessors(*g, d, p);
    BOOST_REQUIRE(apsp::johnson(policy, g->view(), d, p));
    check_predecessors(*g, d, p);
    BOOST_REQUIRE(apsp::bellman_ford(policy, g->view(), d, p));
    check_predecessors(*g, d, p);
  }
}

BOOST_AUTO_TEST_CASE(the_setter) {
  static_assert(!apsp::seq.prefers_fewest_edges());
  static_assert(apsp::seq.prefer_fewest_edges().prefers_fewest_edges());
  static_assert(!apsp::omp.prefer_fewest_edges().prefer_fewest_edges(false).prefers_fewest_edges());
  static_assert(apsp::omp.prefer_fewest_edges().threads(2).cutoff(3).prefers_fewest_edges());
  static_assert(apsp::cuda_tiled.prefer_fewest_edges().required().prefers_fewest_edges());
  const auto observed =
      apsp::cuda_naive.prefer_fewest_edges().progress([](std::size_t, std::size_t) {});
  BOOST_CHECK(observed.prefers_fewest_edges());
}
