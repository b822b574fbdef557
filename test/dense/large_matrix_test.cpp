// SPDX-License-Identifier: BSL-1.0
// Tests matrices of more than 2^31 entries. They need minutes and tens of GiB, so they run only if
// APSP_TEST_LARGE is set: to 1, or to a smaller number of vertices.
#define BOOST_TEST_MODULE large_matrix
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include "../../common/free_memory.hpp"
#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
using apsp_common::has_free_memory;

namespace {

#ifdef APSP_TEST_ON_DEVICE
using policy = required_cuda_tiled;
#else
using policy = omp;
#endif

std::size_t num_vertices_asked_for() {
  const char* const text = std::getenv("APSP_TEST_LARGE");
  return text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
}

/// The number of test cases that were not skipped.
std::size_t num_begun = 0;

struct large_check {
  large_check() {
    if (num_vertices_asked_for() == 0) skip("APSP_TEST_LARGE is not set");
  }
  ~large_check() {
    if (num_begun == 0) skip("there is too little memory");
  }

 private:
  static void skip(const char* why) {
    // The exit status that CTest interprets as a skipped test.
    constexpr int skipped = 77;
    std::printf("skipped: %s\n", why);
    std::fflush(stdout);
    std::_Exit(skipped);
  }
};
BOOST_TEST_GLOBAL_FIXTURE(large_check);

/// Returns false if the machine has less free memory. The test case is then skipped.
bool begins_with(std::size_t bytes) {
  if (!has_free_memory(bytes)) return false;
  ++num_begun;
  return true;
}

std::size_t num_vertices() {
  constexpr std::size_t many = 50'000;
  return num_vertices_asked_for() == 1 ? many : num_vertices_asked_for();
}

/// Vertices 1 to n - 1 are connected through vertex 0 only, and each distance identifies its two
/// vertices.
struct known_star {
  static constexpr std::int32_t step = 40'000;
  /// With more vertices, some distances would not fit.
  static constexpr std::size_t most_vertices =
      (std::numeric_limits<std::int32_t>::max)() / (step + 1) + 1;

  static std::int32_t in(std::size_t u) { return static_cast<std::int32_t>(u); }
  static std::int32_t out(std::size_t v) { return static_cast<std::int32_t>(step * v); }
  static std::int32_t distance(std::size_t u, std::size_t v) { return u == v ? 0 : in(u) + out(v); }

  static arc_list<std::int32_t> arcs(std::size_t n) {
    arc_list<std::int32_t> g{n, {}, {}, {}};
    for (std::size_t v = 1; v < n; ++v) {
      g.add(v, 0, in(v));
      g.add(0, v, out(v));
    }
    return g;
  }
};

/// Reports the first entry that differs from expected(u, v).
template <class Matrix, class Expected>
void check_entries(const Matrix& m, std::size_t n, Expected expected) {
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (m(u, v) != expected(u, v)) {
        BOOST_ERROR("entry (" << u << ", " << v << ") is " << +m(u, v) << ", not "
                              << +expected(u, v));
        return;
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(from_every_vertex_of_a_star) {
  const std::size_t n = num_vertices();
  if (!begins_with(n * n * sizeof(std::int32_t) + (std::size_t{2} << 30))) return;
  BOOST_REQUIRE_LE(n, known_star::most_vertices);
  const auto g = known_star::arcs(n);
  apsp::matrix<std::int32_t> distances(n, n, 42);
  BOOST_REQUIRE(apsp::dijkstra(policy::policy(), g.view(), distances));
  check_entries(distances, n, known_star::distance);
}

BOOST_AUTO_TEST_CASE(closure_of_a_path) {
  const std::size_t n = num_vertices();
  if (!begins_with(n * n + n * n / 8 + (std::size_t{2} << 30))) return;
  arc_list<std::int32_t> g{n, {}, {}, {}};
  for (std::size_t v = 1; v < n; ++v) g.add(v - 1, v, 1);
  const auto is_ahead = [](std::size_t u, std::size_t v) { return u <= v; };
  apsp::bit_matrix bits(n);
  BOOST_REQUIRE(apsp::transitive_closure(policy::policy(), g.view(), bits));
  check_entries(bits, n, is_ahead);
  apsp::matrix<bool> bytes(n);
  BOOST_REQUIRE(apsp::transitive_closure(policy::policy(), g.view(), bytes));
  check_entries(bytes, n, is_ahead);
}

#ifdef APSP_TEST_ON_DEVICE

namespace {

/// The first and the last rows, the rows next to entry 2^31, and others.
std::vector<std::size_t> some_sources(std::size_t n) {
  std::vector<std::size_t> sources{0, 1, n / 3, n / 2, n - 2, n - 1};
  const std::size_t row = (std::size_t{1} << 31) / n;
  for (const std::size_t u : {row - 1, row, row + 1}) {
    if (u < n) sources.push_back(u);
  }
  return sources;
}

/// Compares some rows, and the last column with the last row of the reversed graph.
template <class T>
void check_some_entries(const arc_list<T>& g, const apsp::matrix<T>& distances) {
  const auto check = [](const char* where, std::size_t v, T found, wide_t<T> expected) {
    BOOST_REQUIRE_MESSAGE(same_distance<T>(found, expected),
                          where << ", vertex " << v << ": " << found << ", not " << expected);
  };
  for (const std::size_t source : some_sources(g.n)) {
    const auto row = oracle_rows(g, {source})->front();
    for (std::size_t v = 0; v < g.n; ++v) check("row", v, distances[source][v], row[v]);
  }
  const arc_list<T> backwards{g.n, g.targets, g.sources, g.weights};
  const auto column = oracle_rows(backwards, {g.n - 1})->front();
  for (std::size_t u = 0; u < g.n; ++u) {
    check("last column", u, distances[u][g.n - 1], column[u]);
  }
}

/// Checks that each predecessor in some rows is the start of the last arc of a shortest path. No
/// weight is 0, so there are no cycles.
template <class T>
void check_some_predecessors(const arc_list<T>& g, const apsp::matrix<T>& distances,
                             const apsp::matrix<std::int32_t>& predecessors) {
  for (const std::size_t s : some_sources(g.n)) {
    std::vector<char> is_last_hop(g.n, 0);
    is_last_hop[s] = predecessors[s][s] == apsp::no_predecessor<std::int32_t>;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const auto u = static_cast<std::size_t>(g.sources[k]);
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (v != s && predecessors[s][v] == g.sources[k] &&
          distances[s][u] + g.weights[k] == distances[s][v]) {
        is_last_hop[v] = 1;
      }
    }
    BOOST_CHECK_MESSAGE(std::count(is_last_hop.begin(), is_last_hop.end(), 0) == 0,
                        "predecessors from " << s);
  }
}

/// Calls action(). If device memory is insufficient, prints that and skips it.
template <class Action>
void where_device_memory_suffices(Action action) {
  try {
    action();
  } catch (const apsp::device_error& error) {
    if (error.bytes_needed() == 0) throw;
    std::printf("left out: %s\n", error.what());
    --num_begun;
  }
}

using kernels = std::tuple<float, std::int32_t>;

}  // namespace

// These integers are small enough for pairs of 16 bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall, T, kernels) {
  const std::size_t n = num_vertices();
  if (!begins_with(n * n * sizeof(T) + (std::size_t{4} << 30))) return;
  BOOST_TEST_CONTEXT("seed = 1") {
    const auto g = ring_and_others<T>(n, true, 4 * n, 99, 1);
    apsp::matrix<T> distances(n);
    where_device_memory_suffices([&] {
      BOOST_REQUIRE(apsp::floyd_warshall(policy::policy(), g.view(), distances));
      check_some_entries(g, distances);
      const auto summary = apsp::summarize_distances(policy::policy(), distances);
      for (const std::size_t s : some_sources(n)) {
        const auto farthest = std::max_element(distances[s], distances[s] + n);
        BOOST_CHECK_EQUAL(summary[s].eccentricity, *farthest);
        BOOST_CHECK_EQUAL(summary[s].farthest, static_cast<std::size_t>(farthest - distances[s]));
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(floyd_warshall_with_predecessors) {
  const std::size_t n = num_vertices();
  if (!begins_with(n * n * 2 * sizeof(float) + (std::size_t{4} << 30))) return;
  BOOST_TEST_CONTEXT("seed = 2") {
    const auto g = ring_and_others<float>(n, true, 4 * n, 99, 2);
    apsp::matrix<float> distances(n);
    apsp::matrix<std::int32_t> predecessors(n);
    where_device_memory_suffices([&] {
      BOOST_REQUIRE(apsp::floyd_warshall(policy::policy(), g.view(), distances, predecessors));
      check_some_entries(g, distances);
      check_some_predecessors(g, distances, predecessors);
    });
  }
}

BOOST_AUTO_TEST_CASE(per_source) {
  const std::size_t n = num_vertices();
  if (!begins_with(n * n * sizeof(float) + (std::size_t{4} << 30))) return;
  BOOST_TEST_CONTEXT("seed = 3") {
    const auto g = ring_and_others<float>(n, true, 4 * n, 99, 3);
    apsp::matrix<float> distances(n);
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(policy::policy(), g.view(), distances));
    check_some_entries(g, distances);
  }
}

#endif
