// SPDX-License-Identifier: BSL-1.0
// Calls on several processes. The program is run by mpiexec with several numbers of processes: each
// process checks its own rows, with Boost's algorithms or with the call on one process.
#define BOOST_TEST_MODULE mpi
#include <algorithm>
#include <apsp/accessibility.hpp>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/mpi.hpp>
#include <apsp/weighted.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/closures.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/processes.hpp"
#include "../common/summaries.hpp"

namespace {

using namespace apsp_test;

bool is_refused() {
  try {
    static_cast<void>(apsp::across(MPI_COMM_WORLD, apsp::seq));
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

struct checked_session {
  checked_session() {
    is_refused_before = is_refused();
    MPI_Init(nullptr, nullptr);
  }
  ~checked_session() {
    MPI_Finalize();
    if (is_refused()) return;
    std::fputs("a call after MPI_Finalize is not refused\n", stderr);
    std::_Exit(EXIT_FAILURE);
  }
  static inline bool is_refused_before = false;
};
BOOST_TEST_GLOBAL_FIXTURE(checked_session);

#ifdef APSP_LONG_TESTS
using numbers = std::tuple<float, double, std::int32_t, std::int64_t>;
#else
using numbers = std::tuple<float, std::int32_t>;
#endif

/// Calls f(everywhere) for every grid of the processes.
template <class Policy, class F>
void in_every_grid(const Policy& policy, F f) {
  for_each_grid([&](const apsp::process_grid& grid) {
    BOOST_TEST_CONTEXT(grid.rows << " x " << grid.columns << " processes")
    f(apsp::across(MPI_COMM_WORLD, policy, grid));
  });
}
/// Calls f(everywhere, distances), also with a matrix of the distances of @p n vertices.
template <class T, class Policy, class F>
void in_every_grid(const Policy& policy, std::size_t n, F f) {
  in_every_grid(policy, [&](const auto& all) {
    apsp::distributed_matrix<T> distances(all, n);
    f(all, distances);
  });
}

long long sum_over_processes(long long value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Compares the part of this process with the oracle.
template <class T>
void check_part(const arc_list<T>& g, const std::vector<std::size_t>& sources,
                const apsp::distributed_matrix<T>& distances) {
  std::vector<std::size_t> mine;
  for (const std::size_t i : distances.rows()) mine.push_back(sources[i]);
  auto expected = oracle_rows(g, mine);
  BOOST_REQUIRE(expected.has_value());
  const auto [first, last] = distances.columns();
  for (auto& row : *expected) {
    row = {row.begin() + static_cast<std::ptrdiff_t>(first),
           row.begin() + static_cast<std::ptrdiff_t>(last)};
  }
  check_rows<T>(*expected, distances.part());
}

/// Solves on all processes, compares with the oracle, and with the same algorithm on one process.
template <class Solve, class T>
apsp::result check_solve(Solve solve, const arc_list<T>& g, const auto& policy) {
  apsp::distributed_matrix<T> distances(policy, g.n);
  const auto given = with_an_unreachable_arc(g);
  const auto done = solve(policy, given.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_TEST(!done.saturated());
  BOOST_TEST((done.executed_on() == policy.wrapped().requested));
  check_part(g, all_vertices(g.n), distances);
  const auto alone = apsp::across(MPI_COMM_SELF, apsp::seq);
  apsp::distributed_matrix<T> whole(alone, g.n);
  BOOST_REQUIRE(solve(alone, g.view(), whole));
  check_bits(distances, whole.part());
  return done;
}
template <class T>
void check_floyd_warshall(const arc_list<T>& g, const auto& policy) {
  static_cast<void>(check_solve(by_floyd_warshall{}, g, policy));
}
template <class T>
void check_squaring(const arc_list<T>& g, const auto& policy) {
  const auto done = check_solve(by_squaring{}, g, policy);
  BOOST_TEST((done.algorithm() == apsp::algorithm::repeated_squaring));
}

/// The graph with weights that are not exact in binary.
template <class T>
arc_list<T> in_tenths(arc_list<T> g) {
  if constexpr (std::is_floating_point_v<T>) {
    for (T& w : g.weights) w /= 10;
  }
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE(mpi_must_be_initialised) {
  BOOST_TEST(checked_session::is_refused_before);
  check_refused([&] { return apsp::across(MPI_COMM_NULL, apsp::seq); });
}

BOOST_AUTO_TEST_CASE(rows_are_shared_out) {
  const auto policy = everywhere();
  for (const std::size_t n : {0, 1, 2, 5, 100}) {
    const apsp::distributed_matrix<int> m(policy, n, 3);
    BOOST_TEST(m.num_rows() == n);
    BOOST_TEST(m.num_columns() == 3u);
    BOOST_TEST(m.part().rows() == m.rows().size());
    BOOST_TEST(m.part().cols() == 3u);
    BOOST_TEST(list_of(m.columns()).size() == 3u);
    BOOST_TEST(sum_over_processes(static_cast<long long>(m.rows().size())) ==
               static_cast<long long>(n));
    const auto fair = n / static_cast<std::size_t>(policy.num_processes());
    BOOST_TEST((m.rows().size() == fair || m.rows().size() == fair + 1));
    if (policy.rank() == 0) BOOST_TEST(m.rows().first == 0u);
    if (is_last(policy)) BOOST_TEST(m.rows().last == n);
    static_assert(std::ranges::forward_range<apsp::index_range>);
    BOOST_TEST(list_of(m.rows()).size() == m.rows().size());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_is_right, T, numbers) {
  for (const std::size_t n : {0, 1, 2, 5, 100, 333, 700}) {
    const double p = n < 100 ? 0.5 : 8.0 / static_cast<double>(n);
    check_floyd_warshall(in_tenths(with_parallel_arcs(random_graph<T>(n, p, 0, 1000, n + 1), 3)),
                         everywhere());
    if (n < 700) check_floyd_warshall(negative_graph<T>(n, p, n + 2), everywhere());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(squaring_is_right, T, numbers) {
  for (const std::size_t n : {0, 1, 2, 5, 100, 333}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      const double p = n < 100 ? 0.5 : 8.0 / static_cast<double>(n);
      check_squaring(with_parallel_arcs(random_graph<T>(n, p, 0, 1000, n + 1), 3), everywhere());
      check_squaring(negative_graph<T>(n, p, n + 2), everywhere());
    }
  }
  // Long paths, and several panels of a process.
  arc_list<T> ring{700, {}, {}, {}};
  for (std::size_t v = 0; v < ring.n; ++v) ring.add(v, (v + 1) % ring.n, static_cast<T>(v % 5));
  check_squaring(ring, apsp::across(MPI_COMM_WORLD, apsp::seq));
}

BOOST_AUTO_TEST_CASE(rows_and_columns_are_divided) {
  in_every_grid(apsp::seq, [](const auto& policy) {
    const auto [rows, columns] = policy.grid();
    BOOST_TEST(rows * columns == policy.num_processes());
    for (const std::size_t n : {0, 1, 2, 5, 100}) {
      const apsp::distributed_matrix<int> m(policy, n, n + 3);
      BOOST_TEST((m.grid() == policy.grid()));
      BOOST_TEST(m.num_rows() == n);
      BOOST_TEST(m.num_columns() == n + 3);
      BOOST_TEST(m.part().rows() == m.rows().size());
      BOOST_TEST(m.part().cols() == m.columns().size());
      const auto size = static_cast<long long>(m.rows().size() * m.columns().size());
      BOOST_TEST(sum_over_processes(size) == static_cast<long long>(n * (n + 3)));
      const auto fair = (n + 3) / static_cast<std::size_t>(columns);
      BOOST_TEST((m.columns().size() == fair || m.columns().size() == fair + 1));
      // Ranks go along the process rows.
      BOOST_TEST((policy.rank() % columns == 0) == (m.columns().first == 0));
      if (policy.rank() % columns == columns - 1) BOOST_TEST(m.columns().last == n + 3);
      if (policy.rank() / columns == 0) BOOST_TEST(m.rows().first == 0u);
      if (policy.rank() / columns == rows - 1) BOOST_TEST(m.rows().last == n);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floyd_warshall_is_right_in_every_grid, T, numbers) {
  in_every_grid(apsp::omp, [](const auto& policy) {
    for (const std::size_t n : {0, 1, 2, 5, 127, 128, 129, 300}) {
      const double p = n < 100 ? 0.5 : 4.0 / static_cast<double>(n);
      check_floyd_warshall(in_tenths(random_graph<T>(n, p, 0, 1000, n + 1)), policy);
      check_floyd_warshall(in_tenths(negative_graph<T>(n, p, n + 2)), policy);
    }
  });
}

BOOST_AUTO_TEST_CASE(narrow_integers_are_computed_in_wider_ones) {
  in_every_grid(apsp::omp, [](const auto& policy) {
    const auto g = random_graph<std::int16_t>(150, 0.05, 0, 900, 5);
    check_floyd_warshall(g, policy);
    if (policy.grid().columns == 1) check_squaring(g, policy);
  });
}

BOOST_AUTO_TEST_CASE(threads_change_no_bit) {
  const auto g = in_tenths(random_graph<double>(400, 0.02, 0, 1000, 6));
  const auto alone = apsp::across(MPI_COMM_SELF, apsp::seq);
  apsp::distributed_matrix<double> whole(alone, g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(alone, g.view(), whole));
  in_every_grid<double>(apsp::omp.threads(3), g.n, [&](const auto& policy, auto& distances) {
    BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
    check_bits(distances, whole.part());
  });
}

BOOST_AUTO_TEST_CASE(dense_graphs_are_read) {
  const auto g = random_graph<float>(140, 0.7, 1, 1000, 7);
  in_every_grid<float>(apsp::omp, g.n, [&](const auto& policy, auto& distances) {
    BOOST_REQUIRE(apsp::floyd_warshall(policy, dense_form(g), distances));
    check_part(g, all_vertices(g.n), distances);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_cycle_is_named_everywhere, T, numbers) {
  auto g = random_graph<T>(300, 0.03, 10, 100, 9);
  for (const auto& [u, v, w] : {std::tuple(7, 290, 3), {290, 150, 4}, {150, 7, -8}}) {
    g.add(static_cast<std::size_t>(u), static_cast<std::size_t>(v), static_cast<T>(w));
  }
  const auto check = [&](const apsp::result& done) {
    BOOST_TEST(!done);
    check_negative_cycle(g, done.negative_cycle());
    BOOST_TEST(is_same_everywhere(static_cast<long long>(done.negative_cycle().size())));
    for (const std::size_t v : done.negative_cycle()) {
      BOOST_TEST(is_same_everywhere(static_cast<long long>(v)));
    }
  };
  in_every_grid<T>(apsp::omp, g.n, [&](const auto& policy, auto& distances) {
    check(apsp::floyd_warshall(policy, g.view(), distances));
    check(apsp::all_pairs_shortest_paths(policy, g.view(), distances));
    if (policy.grid().columns != 1) return;
    check(apsp::johnson(policy, g.view(), distances));
    check(apsp::repeated_squaring(policy, g.view(), distances));
  });
}

BOOST_AUTO_TEST_CASE(a_negative_cycle_that_one_process_finds) {
  // Only the last vertices reach the cycle.
  auto g = make_graph<int>(12, {{10, 11, -2}, {11, 10, 1}, {0, 1, 1}});
  const auto policy = everywhere();
  apsp::distributed_matrix<int> distances(policy, g.n);
  const auto done = apsp::bellman_ford(policy, g.view(), distances);
  check_negative_cycle(g, done.negative_cycle());
}

BOOST_AUTO_TEST_CASE(rounding_is_no_negative_cycle) {
  auto g = make_graph<float>(200, {{0, 100, 0.1F}, {100, 199, 0.2F}, {199, 0, -0.3F}});
  for (std::size_t v = 0; v + 1 < g.n; ++v) g.add(v, v + 1, 0.7F);
  apsp::matrix<float> expected(g.n);
  const auto single = apsp::floyd_warshall(apsp::seq, g.view(), expected);
  in_every_grid<float>(apsp::omp, g.n, [&](const auto& policy, auto& distances) {
    const auto done = apsp::floyd_warshall(policy, g.view(), distances);
    BOOST_REQUIRE(done);
    BOOST_TEST((done.algorithm() == single.algorithm()));
    for (const std::size_t u : distances.rows()) {
      for (const std::size_t v : distances.columns()) {
        const float got =
            distances.part()[u - distances.rows().first][v - distances.columns().first];
        BOOST_TEST(std::abs(got - expected[u][v]) < 1e-3F);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(distances_that_do_not_fit) {
  constexpr int large = std::numeric_limits<int>::max() - 5;
  // Only the first process has a row that is saturated.
  const auto g = make_graph<int>(140, {{0, 1, large}, {1, 139, 10}, {139, 5, 3}});
  apsp::matrix<int> expected(g.n);
  for (const auto& cut : {apsp::omp, apsp::omp.cutoff(100)}) {
    const auto single = apsp::floyd_warshall(cut, g.view(), expected);
    in_every_grid<int>(cut, g.n, [&](const auto& policy, auto& distances) {
      const auto done = apsp::floyd_warshall(policy, g.view(), distances);
      BOOST_TEST(done.saturated() == single.saturated());
      check_bits(distances, expected);
      if (policy.grid().columns != 1) return;
      const auto squared = apsp::repeated_squaring(policy, g.view(), distances);
      BOOST_TEST(squared.saturated() == single.saturated());
      check_bits(distances, expected);
    });
  }
  constexpr auto huge = std::numeric_limits<std::int64_t>::max() - 5;
  const auto wide = make_graph<std::int64_t>(9, {{0, 1, huge}, {1, 8, huge}, {8, 5, -huge}});
  apsp::matrix<std::int64_t> wide_expected(wide.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, wide.view(), wide_expected).saturated());
  in_every_grid<std::int64_t>(apsp::omp, wide.n, [&](const auto& policy, auto& wide_distances) {
    BOOST_TEST(apsp::floyd_warshall(policy, wide.view(), wide_distances).saturated());
    check_bits(wide_distances, wide_expected);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cutoff_is_applied, T, numbers) {
  const auto policy = apsp::omp.cutoff(500);
  const auto g = random_graph<T>(200, 0.02, 1, 300, 11);
  apsp::matrix<T> expected(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), expected));
  in_every_grid<T>(policy, g.n, [&](const auto& all, auto& distances) {
    BOOST_REQUIRE(apsp::floyd_warshall(all, g.view(), distances));
    check_bits(distances, expected);  // the weights are whole numbers
    if (all.grid().columns != 1) return;
    BOOST_REQUIRE(apsp::dijkstra(all, g.view(), distances));
    check_bits(distances, expected);
  });
}

// A semiring without kernels.
struct widest_of_pairs {
  using value_type = int;
  static constexpr int zero = 0;
  static constexpr int one = std::numeric_limits<int>::max();
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  constexpr int plus(int a, int b) const { return a < b ? b : a; }
  constexpr int times(int a, int b) const { return a < b ? a : b; }
};

BOOST_AUTO_TEST_CASE(other_semirings) {
  const auto check = [&]<class S>(const S& over, const auto& g) {
    using T = typename S::value_type;
    apsp::matrix<T> expected(g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), expected, over));
    in_every_grid<T>(apsp::omp, g.n, [&](const auto& policy, auto& distances) {
      BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances, over));
      check_bits(distances, expected);
      BOOST_REQUIRE(apsp::all_pairs_shortest_paths(policy, g.view(), distances, over));
      check_bits(distances, expected);
      if (policy.grid().columns != 1) return;
      BOOST_REQUIRE(apsp::dijkstra(policy, g.view(), distances, over));
      check_bits(distances, expected);
      BOOST_REQUIRE(apsp::repeated_squaring(policy, g.view(), distances, over));
      check_bits(distances, expected);
    });
  };
  const auto g = random_graph<int>(170, 0.03, 1, 1000, 13);
  check(apsp::max_min<int>{}, g);
  check(widest_of_pairs{}, g);
  check(apsp::max_min<float>{}, random_graph<float>(150, 0.03, 1, 1000, 14));
  check(apsp::min_max<int>{}, g);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_some_sources, T, numbers) {
  const auto policy = everywhere();
  const auto plain = in_tenths(random_graph<T>(150, 0.03, 0, 1000, 15));
  const auto negative = negative_graph<T>(150, 0.03, 16);
  for (const std::size_t k : {0, 1, 5, 40}) {
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < k; ++i) sources.push_back(i * 37 % plain.n);
    apsp::distributed_matrix<T> distances(policy, k, plain.n);
    apsp::distributed_matrix<std::int64_t> predecessors(policy, k, plain.n);
    const auto check = [&](const arc_list<T>& g, const apsp::result& done) {
      BOOST_REQUIRE(done);
      check_part(g, sources, distances);
    };
    const auto check_tree = [&](const arc_list<T>& g, const apsp::result& done) {
      check(g, done);
      std::vector<std::size_t> mine;
      for (const std::size_t i : distances.rows()) mine.push_back(sources[i]);
      check_trees<T>(lightest_arcs(g), mine, distances.part(), predecessors.part());
    };
    for (const auto method : per_source_algorithms) {
      const bool may_be_negative =
          method == apsp::algorithm::bellman_ford || method == apsp::algorithm::johnson;
      const auto& g = may_be_negative ? negative : plain;
      BOOST_TEST_CONTEXT(to_string(method)) {
        check(g, run(method, policy, g.view(), sources, distances));
        check_tree(g, run(method, policy, g.view(), sources, distances, predecessors));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(from_every_vertex) {
  const auto policy = everywhere();
  for (const std::size_t n : {0, 1, 5, 120}) {
    const auto g = negative_graph<double>(n, n < 10 ? 0.5 : 0.04, 17, 0.1);
    apsp::matrix<double> expected(n);
    apsp::distributed_matrix<double> distances(policy, n);
    apsp::distributed_matrix<std::int32_t> predecessors(policy, n);
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_REQUIRE(run(method, apsp::seq, g.view(), expected));
      BOOST_REQUIRE(run(method, policy, g.view(), distances));
      check_bits(distances, expected);
    }
    BOOST_REQUIRE(apsp::johnson(policy, g.view(), distances, predecessors));
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(policy, g.view(), distances, predecessors));
    check_part(g, all_vertices(n), distances);
    check_trees<double>(lightest_arcs(g), list_of(distances.rows()), distances.part(),
                        predecessors.part());
  }
}

BOOST_AUTO_TEST_CASE(all_pairs_chooses_the_same_everywhere) {
  const auto policy = everywhere();
  const auto check = [&](const arc_list<float>& g, bool is_dense) {
    apsp::distributed_matrix<float> distances(policy, g.n);
    const auto done = apsp::all_pairs_shortest_paths(policy, g.view(), distances);
    BOOST_REQUIRE(done);
    BOOST_TEST((done.algorithm() == apsp::algorithm::floyd_warshall) == is_dense);
    BOOST_TEST(is_same_everywhere(static_cast<long long>(done.algorithm())));
    check_part(g, all_vertices(g.n), distances);
  };
  check(random_graph<float>(150, 0.5, 1, 1000, 18), true);
  check(random_graph<float>(1500, 0.001, 1, 1000, 19), false);
  arc_list<float> path{3000, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < path.n; ++v)
    path.add_undirected(v, v + 1, static_cast<float>(v % 7));
  apsp::distributed_matrix<float> distances(policy, path.n);
  const auto done = apsp::all_pairs_shortest_paths(policy, path.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_TEST(is_same_everywhere(static_cast<long long>(done.algorithm())));
}

BOOST_AUTO_TEST_CASE(rows_go_to_the_function_of_their_process) {
  const auto g = random_graph<int>(100, 0.05, 1, 100, 20);
  apsp::matrix<int> expected(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), expected));
  const std::vector<int> sources{3, 99, 0, 42, 42, 7, 11};
  in_every_grid(apsp::omp, [&](const auto& policy) {
    std::size_t num_rows = 0;
    long long sum_of_rows = 0;
    const auto done = apsp::for_each_row(
        policy, g.view(), sources,
        [&](std::size_t row, std::size_t source, std::span<const int> distances) {
          ++num_rows;
          BOOST_REQUIRE(row < sources.size());
          BOOST_TEST(static_cast<std::size_t>(sources[row]) == source);
          sum_of_rows += static_cast<long long>(row);
          BOOST_TEST(std::equal(distances.begin(), distances.end(), expected[source]));
        });
    BOOST_TEST(bool(done));
    const auto fair = sources.size() / static_cast<std::size_t>(policy.num_processes());
    BOOST_TEST((num_rows == fair || num_rows == fair + 1));
    BOOST_TEST(sum_over_processes(static_cast<long long>(num_rows)) ==
               static_cast<long long>(sources.size()));
    // Positions in the list of all processes, each of them once.
    BOOST_TEST(sum_over_processes(sum_of_rows) == 0 + 1 + 2 + 3 + 4 + 5 + 6);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_have_rows_of_their_process, T, numbers) {
  const auto policy = everywhere();
  const auto g = negative_graph<T>(150, 0.03, 40);
  for (const auto& [k, m] : {std::pair(0, 3), {9, 0}, {1, 40}, {20, 7}, {35, 35}}) {
    std::vector<int> sources, targets;
    for (int i = 0; i < k; ++i) sources.push_back(i * 41 % 150);
    for (int j = 0; j < m; ++j) targets.push_back((j * 13 + 5) % 30);
    apsp::distributed_matrix<T> table(policy, sources.size(), targets.size());
    BOOST_REQUIRE(apsp::distance_table(policy, g.view(), sources, targets, table));
    const auto expected = oracle_rows(g, {sources.begin(), sources.end()});
    BOOST_REQUIRE(expected.has_value());
    for (const std::size_t i : table.rows()) {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        const auto target = static_cast<std::size_t>(targets[j]);
        BOOST_TEST(
            same_distance<T>(table.part()[i - table.rows().first][j], (*expected)[i][target]));
      }
    }
  }
  apsp::distributed_matrix<T> small(policy, 3, 2);
  const std::vector<int> some{1, 2, 3};
  check_refused([&] { return apsp::distance_table(policy, g.view(), some, some, small); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(summaries_are_whole_everywhere, T, numbers) {
  // Sums of whole numbers do not depend on the algorithm, which is chosen for the number of
  // sources.
  const auto g = random_graph<T>(120, 0.05, 1, 100, 21);
  const auto check = [](const auto& got, const auto& expected) {
    BOOST_REQUIRE(bool(got));
    BOOST_TEST(same_bits(got, expected));
  };
  const std::vector<int> sources{5, 17, 3};
  in_every_grid(apsp::omp, [&](const auto& policy) {
    check(apsp::summarize_paths(policy, g.view()), apsp::summarize_paths(apsp::seq, g.view()));
    check(apsp::summarize_paths(policy, g.view(), sources),
          apsp::summarize_paths(apsp::seq, g.view(), sources));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_are_whole_everywhere, T, numbers) {
  const auto g = random_graph<T>(90, 0.05, 1, 5, 23);
  const std::vector<int> sources{5, 17, 3, 17, 80};
  in_every_grid(apsp::omp, [&](const auto& policy) {
    for (const apsp::betweenness_options& options :
         {apsp::betweenness_options{},
          apsp::betweenness_options{
              .normalized = true, .endpoints = true, .scaled_to_all = true}}) {
      const auto check = [&](const auto& list, const auto& call) {
        std::vector<double> found(g.n, -1), expected(g.n);
        std::vector<float> arcs(g.sources.size(), -1);
        std::vector<double> expected_arcs(g.sources.size());
        BOOST_REQUIRE(call(policy, list, found, arcs));
        BOOST_REQUIRE(call(apsp::seq, list, expected, expected_arcs));
        for (std::size_t v = 0; v < g.n; ++v) {
          BOOST_TEST(std::abs(found[v] - expected[v]) <= 1e-9 * (1 + expected[v]));
        }
        for (std::size_t a = 0; a < arcs.size(); ++a) {
          BOOST_TEST(std::abs(static_cast<double>(arcs[a]) - expected_arcs[a]) <=
                     1e-5 * (1 + expected_arcs[a]));
        }
      };
      check(sources, [&](const auto& with, const auto& list, auto& scores, auto& of_arcs) {
        return apsp::betweenness(with, g.view(), list, scores, of_arcs, options);
      });
      check(sources, [&](const auto& with, const auto&, auto& scores, auto& of_arcs) {
        return apsp::betweenness(with, g.view(), scores, of_arcs, options);
      });
    }
    // Fewer sources than processes, and no scores of arcs.
    std::vector<double> found(g.n), expected(g.n);
    BOOST_REQUIRE(apsp::betweenness(policy, g.view(), std::vector<int>{7}, found));
    BOOST_REQUIRE(apsp::betweenness(apsp::seq, g.view(), std::vector<int>{7}, expected));
    for (std::size_t v = 0; v < g.n; ++v) {
      BOOST_TEST(std::abs(found[v] - expected[v]) <= 1e-9 * (1 + expected[v]));
    }
    BOOST_REQUIRE(apsp::betweenness(policy, g.view(), found));
    std::vector<double> small(3);
    check_refused([&] { return apsp::betweenness(policy, g.view(), small); });
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_amounts_are_whole_everywhere, T, numbers) {
  const auto g = random_graph<T>(120, 0.04, 1, 20, 24);
  const std::vector<int> sources{5, 17, 3, 17, 80};
  apsp::matrix<double> amounts(g.n, 2);
  for (std::size_t v = 0; v < g.n; ++v) {
    amounts[v][0] = static_cast<double>(v % 7);
    amounts[v][1] = 1;
  }
  const std::vector<int> jobs(g.n, 3);
  const auto cutoffs = apsp::within({10, 30, 60});
  const auto hyperbolic = [](std::span<const T> distances, std::span<double> shares) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = 1 / (1 + static_cast<double>(distances[i]));
    }
  };
  // Sums by definition, of Boost's distances.
  const auto distances = oracle_rows(g, all_vertices(g.n)).value();
  const auto sum = [&](std::size_t u, auto amount, auto share) {
    double added = 0;
    for (std::size_t v = 0; v < g.n; ++v) {
      if (distances[u][v] != wide_unreachable<T>) {
        added += amount(v) * share(static_cast<double>(distances[u][v]));
      }
    }
    return added;
  };
  const auto is_near = [](double found, double expected) {
    return std::abs(found - expected) <= 1e-9 * (1 + expected);
  };
  in_every_grid(apsp::omp, [&](const auto& policy) {
    apsp::matrix<double> found(sources.size(), 6, -1);
    BOOST_REQUIRE(apsp::accessibility(policy, g.view(), sources, amounts, cutoffs, found));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto u = static_cast<std::size_t>(sources[i]);
      for (std::size_t c = 0; c < 2; ++c) {
        std::size_t column = 3 * c;
        for (const double cutoff : {10., 30., 60.}) {
          const double expected = sum(
              u, [&](std::size_t v) { return amounts[v][c]; },
              [&](double d) { return d <= cutoff ? 1. : 0.; });
          BOOST_TEST(is_near(found[i][column++], expected));
        }
      }
    }
    std::vector<float> of_all(g.n, -1);
    BOOST_REQUIRE(apsp::accessibility(policy, g.view(), jobs, hyperbolic, of_all));
    for (std::size_t u = 0; u < g.n; ++u) {
      const double expected = sum(
          u, [](std::size_t) { return 3.; }, [](double d) { return 1 / (1 + d); });
      BOOST_TEST(std::abs(static_cast<double>(of_all[u]) - expected) <= 1e-5 * (1 + expected));
    }
    // Fewer sources than processes, and none.
    std::vector<double> one(1, -1);
    BOOST_REQUIRE(apsp::accessibility(policy, g.view(), std::vector<int>{7}, jobs,
                                      apsp::exponential(0.1), one));
    BOOST_TEST(is_near(one[0], sum(
                                   7, [](std::size_t) { return 3.; },
                                   [](double d) { return std::exp(-0.1 * d); })));
    std::vector<double> nothing;
    BOOST_REQUIRE(apsp::accessibility(policy, g.view(), std::vector<int>{}, jobs, cutoffs,
                                      apsp::matrix_view<double>(nothing.data(), 0, 3)));
    std::vector<double> wrong(g.n, -1);
    check_refused(
        [&] { return apsp::accessibility(policy, g.view(), sources, jobs, hyperbolic, wrong); });
    const std::vector<double> unknown(g.n, std::nan(""));
    check_refused(
        [&] { return apsp::accessibility(policy, g.view(), unknown, hyperbolic, wrong); });
    BOOST_TEST(wrong == std::vector<double>(g.n, -1));
  });
}

BOOST_AUTO_TEST_CASE(unequal_arguments_are_refused_everywhere) {
  const auto policy = everywhere();
  if (policy.num_processes() == 1) return;
  const bool is_first = policy.rank() == 0;
  const auto g = random_graph<int>(6, 0.5, 1, 9, 22);
  apsp::distributed_matrix<int> distances(policy, 6);
  const auto refuses = [](const char* why, auto call) { check_refused(call, why); };
  refuses("the number of rows",
          [&] { apsp::distributed_matrix<int>(policy, is_first ? 5u : 6u, 6); });
  const auto other = random_graph<int>(is_first ? 5 : 6, 0.5, 1, 9, 22);
  refuses("the number of vertices",
          [&] { return apsp::floyd_warshall(policy, other.view(), distances); });
  std::vector<double> scores(g.n);
  refuses("an option",
          [&] { return apsp::betweenness(policy, g.view(), scores, {.endpoints = is_first}); });
  refuses("an option", [&] {
    return apsp::betweenness(policy, g.view(), scores, {.tolerance = is_first ? 1e-12 : 1e-9});
  });
  const std::vector<int> jobs(g.n, is_first ? 1 : 2);
  refuses("an amount",
          [&] { return apsp::accessibility(policy, g.view(), jobs, apsp::within(5), scores); });
  refuses("an option", [&] {
    const std::vector<int> ones(g.n, 1);
    return apsp::accessibility(policy, g.view(), ones, apsp::within(is_first ? 5 : 6), scores);
  });
  auto more = g;
  if (is_first) more.add(0, 1, 3);
  refuses("the number of arcs",
          [&] { return apsp::floyd_warshall(policy, more.view(), distances); });
  refuses("the number of arcs", [&] { return apsp::dijkstra(policy, more.view(), distances); });
  refuses("the algorithm", [&] {
    return is_first ? apsp::dijkstra(policy, g.view(), distances)
                    : apsp::johnson(policy, g.view(), distances);
  });
  refuses("the function", [&] {
    return is_first ? apsp::dijkstra(policy, g.view(), distances)
                    : apsp::floyd_warshall(policy, g.view(), distances);
  });
  const auto cut = apsp::across(MPI_COMM_WORLD, apsp::omp.cutoff(policy.rank()));
  refuses("the cutoff", [&] { return apsp::dijkstra(cut, g.view(), distances); });
  const std::vector<int> sources(is_first ? 6 : 7, 0);
  refuses("the number of sources",
          [&] { return apsp::johnson(policy, g.view(), sources, distances); });
  std::vector<int> order{0, 1, 2, 3, 4, 5};
  if (is_first) std::swap(order[2], order[3]);
  refuses("the list of sources", [&] { return apsp::johnson(policy, g.view(), order, distances); });
  refuses("the list of targets", [&] {
    return apsp::distance_table(policy, g.view(), all_vertices(6), order, distances);
  });
  apsp::distributed_matrix<float> floats(policy, 6);
  refuses("the type", [&] {
    return is_first ? apsp::dijkstra(policy, g.view(), distances)
                    : apsp::dijkstra(policy, g.view(), floats);
  });
  refuses("the policy", [&] {
    return is_first ? apsp::dijkstra(apsp::across(MPI_COMM_WORLD, apsp::seq), g.view(), distances)
                    : apsp::dijkstra(apsp::across(MPI_COMM_WORLD, apsp::omp), g.view(), distances);
  });
  // Nothing has been confused: the next call is right.
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
  check_part(g, all_vertices(g.n), distances);
}

BOOST_AUTO_TEST_CASE(unequal_graphs_are_refused_by_every_function) {
  const auto policy = everywhere();
  if (policy.num_processes() == 1) return;
  const std::size_t n = 6;
  apsp::distributed_matrix<int> distances(policy, n);
  const auto sources = all_vertices(n);
  const char* const why = "an arc or a weight of the graph";
  const auto refuse = [&](const char* function, auto call) {
    BOOST_TEST_CONTEXT(function) {
      check_refused(call, why);
    }
  };
  const auto each = [&](const arc_list<int>& g) {
    const auto view = g.view();
    refuse("dijkstra", [&] { return apsp::dijkstra(policy, view, distances); });
    refuse("bellman_ford", [&] { return apsp::bellman_ford(policy, view, distances); });
    refuse("johnson", [&] { return apsp::johnson(policy, view, distances); });
    refuse("johnson from sources", [&] { return apsp::johnson(policy, view, sources, distances); });
    refuse("elimination", [&] { return apsp::elimination(policy, view, distances); });
    refuse("dijkstra over max_min",
           [&] { return apsp::dijkstra(policy, view, distances, apsp::max_min<int>{}); });
    refuse("all pairs", [&] { return apsp::all_pairs_shortest_paths(policy, view, distances); });
    refuse("floyd_warshall", [&] { return apsp::floyd_warshall(policy, view, distances); });
    refuse("floyd_warshall over max_min",
           [&] { return apsp::floyd_warshall(policy, view, distances, apsp::max_min<int>{}); });
    refuse("repeated_squaring", [&] { return apsp::repeated_squaring(policy, view, distances); });
    refuse("for_each_row", [&] {
      return apsp::for_each_row(policy, view, sources, [](std::size_t, std::span<const int>) {
        BOOST_ERROR("a row is computed");
      });
    });
    refuse("distance_table",
           [&] { return apsp::distance_table(policy, view, sources, sources, distances); });
    refuse("summarize_paths", [&] { return apsp::summarize_paths(policy, view); });
    std::vector<double> scores(n);
    refuse("betweenness", [&] { return apsp::betweenness(policy, view, scores); });
  };
  const bool is_first = policy.rank() == 0;
  // The number of arcs and the range of their weights are the same.
  auto g = make_graph<int>(n, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 4, 4}, {4, 5, 5}});
  if (is_first) std::swap(g.weights[1], g.weights[2]);
  each(g);
  auto other_end = make_graph<int>(n, {{0, 1, 1}, {1, 2, 2}, {2, 3, 2}});
  if (is_first) other_end.targets[1] = 4;
  each(other_end);
  apsp::distributed_bit_matrix reached(policy, n);
  refuse("transitive_closure",
         [&] { return apsp::transitive_closure(policy, other_end.view(), reached); });
  // An arc that every process refuses, or one of them.
  auto outside = make_graph<int>(n, {{0, 1, 1}});
  outside.targets[0] = 6;
  const auto solve = [&](const auto& graph) {
    static_cast<void>(apsp::johnson(policy, graph.view(), distances));
  };
  BOOST_CHECK_THROW(solve(outside), std::invalid_argument);
  if (is_first) outside.targets[0] = 1;
  BOOST_CHECK_THROW(solve(outside), std::exception);
  // The order of the arcs does not count.
  auto turned = make_graph<int>(n, {{0, 1, 1}, {0, 2, 7}, {1, 2, 2}});
  if (is_first) turned = make_graph<int>(n, {{1, 2, 2}, {0, 2, 7}, {0, 1, 1}});
  BOOST_REQUIRE(apsp::johnson(policy, turned.view(), distances));
  check_part(turned, sources, distances);
}

BOOST_AUTO_TEST_CASE(matrices_must_fit) {
  const auto policy = everywhere();
  const auto g = random_graph<int>(8, 0.5, 1, 9, 23);
  apsp::distributed_matrix<int> small(policy, 7);
  check_refused([&] { return apsp::floyd_warshall(policy, g.view(), small); });
  check_refused([&] { return apsp::dijkstra(policy, g.view(), small); });
  const auto alone = apsp::across(MPI_COMM_SELF, apsp::omp);
  apsp::distributed_matrix<int> whole(alone, 8);
  if (policy.num_processes() > 1) {
    check_refused([&] { return apsp::johnson(policy, g.view(), whole); });
  }
  // A matrix of the other grid.
  const auto in_columns = in_one_row();
  apsp::distributed_matrix<int> columns(in_columns, 8), rows(policy, 8);
  if (policy.num_processes() > 1) {
    check_refused([&] { return apsp::floyd_warshall(policy, g.view(), columns); });
    check_refused([&] { return apsp::floyd_warshall(in_columns, g.view(), rows); });
    // Algorithms from sources store whole rows.
    const auto why = message_of<std::invalid_argument>(
        [&] { return apsp::dijkstra(in_columns, g.view(), columns); });
    const std::string size = std::to_string(policy.num_processes());
    BOOST_TEST(contains(why, "expected a process grid of " + size + " x 1, got 1 x " + size));
    apsp::distributed_matrix<int> predecessors(in_columns, 8);
    check_refused([&] {
      return apsp::all_pairs_shortest_paths(in_columns, g.view(), columns, predecessors);
    });
  }
  // A graph in the memory of the result.
  if (policy.num_processes() == 1) {
    check_refused([&] { return apsp::floyd_warshall(policy, whole.part(), whole); });
  }
}

BOOST_AUTO_TEST_CASE(grids_that_are_refused_everywhere) {
  const auto why = [](const apsp::process_grid& grid) {
    return message_of<std::invalid_argument>(
        [&] { return apsp::across(MPI_COMM_WORLD, apsp::seq, grid); });
  };
  const auto policy = everywhere();
  const int size = policy.num_processes();
  const std::string expected =
      "expected a process grid of " + std::to_string(size) + " processes, got ";
  BOOST_TEST(contains(why({size, 2}), expected + std::to_string(size) + " x 2"));
  BOOST_TEST(contains(why({0, size}), expected + "0 x " + std::to_string(size)));
  BOOST_TEST(contains(why({-size, -1}), expected + std::to_string(-size) + " x -1"));
  if (size == 1) return;
  const bool is_first = policy.rank() == 0;
  const std::string differs = "the process grid of a call across processes is not the same";
  BOOST_TEST(contains(why({is_first ? 1 : size, is_first ? size : 1}), differs));
  BOOST_TEST(contains(why({1, is_first ? size + 1 : size}), differs));
  // Without a grid on one process.
  check_refused(
      [&] {
        return is_first ? apsp::across(MPI_COMM_WORLD, apsp::seq)
                        : apsp::across(MPI_COMM_WORLD, apsp::seq, {1, size});
      },
      differs);
}

BOOST_AUTO_TEST_CASE(a_failure_of_one_process_is_one_of_all) {
  const auto policy = everywhere();
  const int last = policy.num_processes() - 1;
  const auto g = random_graph<double>(200, 0.05, 1, 100, 24);
  apsp::distributed_matrix<double> distances(policy, g.n);
  std::size_t num_calls = 0;
  const auto fails = [&](auto call) {
    num_calls = 0;
    check_failure_of_last<failure>(call, failure().what());
  };
  // The weight function fails in the first pass over the arcs, or in a later one.
  for (const std::size_t allowed : {std::size_t{10}, g.size() + 10}) {
    const auto view = g.view();
    const auto weight = [&](const apsp::edge& e) {
      if (policy.rank() == last && ++num_calls > allowed) throw failure();
      return g.weights[e.index];
    };
    const auto graph = apsp::weighted(view, weight);
    fails([&] { return apsp::floyd_warshall(policy, graph, distances); });
    fails([&] { return apsp::repeated_squaring(policy, graph, distances); });
    fails([&] { return apsp::dijkstra(policy, graph, distances); });
    fails([&] { return apsp::all_pairs_shortest_paths(policy, graph, distances); });
    fails([&] { return apsp::summarize_paths(policy, graph); });
  }
  fails([&] {
    return apsp::for_each_row(policy, g.view(), all_vertices(g.n),
                              [&](std::size_t, std::span<const double>) {
                                if (policy.rank() == last) throw failure();
                              });
  });
  const auto observer = apsp::omp.progress([&](std::size_t, std::size_t) {
    if (policy.rank() == last) throw failure();
  });
  in_every_grid<double>(observer, g.n, [&](const auto& observed, auto& part) {
    fails([&] { return apsp::floyd_warshall(observed, g.view(), part); });
  });
  const auto observed_rows = failing_on_last(apsp::omp);
  fails([&] { return apsp::repeated_squaring(observed_rows, g.view(), distances); });
  // The next call is right.
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
  check_part(g, all_vertices(g.n), distances);
}

BOOST_AUTO_TEST_CASE(memory_that_one_process_lacks) {
  const auto policy = everywhere();
  const auto g = random_graph<int>(150, 0.03, 1, 100, 30);
  auto negative = negative_graph<int>(150, 0.03, 31);
  apsp::distributed_matrix<int> distances(policy, g.n), predecessors(policy, g.n);
  check_every_failure_of_one_process([&] { apsp::distributed_matrix<int>(policy, 30); });
  const auto check = [](auto solve) {
    check_every_failure_of_one_process([&] { BOOST_TEST(bool(solve())); });
  };
  check([&] { return apsp::floyd_warshall(policy, g.view(), distances); });
  check([&] { return apsp::repeated_squaring(policy, g.view(), distances); });
  in_every_grid<int>(apsp::omp, g.n, [&](const auto& in_grid, auto& part) {
    if (in_grid.grid().columns == 1) return;
    check([&] { return apsp::floyd_warshall(in_grid, g.view(), part); });
  });
  check([&] { return apsp::johnson(policy, negative.view(), distances, predecessors); });
  check([&] { return apsp::summarize_paths(policy, g.view()); });
  std::vector<double> scores(g.n);
  check([&] { return apsp::betweenness(policy, g.view(), scores); });
  negative.add(3, 4, 1);
  negative.add(4, 3, -1000);
  check([&] { return !apsp::floyd_warshall(policy, negative.view(), distances); });
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
  check_part(g, all_vertices(g.n), distances);
}

BOOST_AUTO_TEST_CASE(what_all_processes_refuse) {
  const auto policy = everywhere();
  auto g = random_graph<double>(20, 0.3, 1, 100, 25);
  apsp::distributed_matrix<double> distances(policy, g.n);
  g.weights[3] = -1;
  check_refused([&] { return apsp::dijkstra(policy, g.view(), distances); });
  g.weights[3] = std::numeric_limits<double>::quiet_NaN();
  check_refused([&] { return apsp::floyd_warshall(policy, g.view(), distances); });
  check_refused([&] { return apsp::johnson(policy, g.view(), distances); });
}

BOOST_AUTO_TEST_CASE(a_stop_of_one_process_stops_all) {
  const auto g = random_graph<int>(400, 0.03, 1, 100, 26);
  const auto plain = everywhere();
  for (const int columns : {1, plain.num_processes()}) {
    stop_of_last stop;
    const auto policy = stop.policy(apsp::omp, {plain.num_processes() / columns, columns});
    apsp::distributed_matrix<int> distances(policy, g.n);
    BOOST_TEST(apsp::floyd_warshall(policy, g.view(), distances).stopped());
    BOOST_TEST(stop.last_done() < g.n);
    BOOST_TEST(is_same_everywhere(static_cast<long long>(stop.last_done())));
    if (columns != 1) continue;
    BOOST_TEST(apsp::dijkstra(policy, g.view(), distances).stopped());
    BOOST_TEST(apsp::repeated_squaring(policy, g.view(), distances).stopped());
  }
}

BOOST_AUTO_TEST_CASE(progress_is_complete) {
  const auto g = random_graph<int>(300, 0.03, 1, 100, 27);
  const auto check = [&](auto solve, std::size_t num_steps) {
    check_progress(apsp::seq, num_steps, [&](const auto& observed) {
      const auto policy = apsp::across(MPI_COMM_WORLD, observed);
      apsp::distributed_matrix<int> distances(policy, g.n);
      const auto done = solve(policy, g.view(), distances);
      check_part(g, all_vertices(g.n), distances);
      return done;
    });
  };
  check(by_floyd_warshall{}, g.n);
  check(by_squaring{}, 9 * g.n);
}

BOOST_AUTO_TEST_CASE(a_device_that_no_process_has) {
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.device(9999));
  const auto g = random_graph<int>(30, 0.1, 1, 9, 15);
  apsp::distributed_matrix<int> distances(policy, g.n);
  const auto squared = apsp::repeated_squaring(policy, g.view(), distances);
  BOOST_REQUIRE(squared);
  BOOST_TEST((squared.executed_on() == apsp::backend::omp));
  BOOST_TEST(!squared.fallback_reason().empty());
}

BOOST_AUTO_TEST_CASE(messages_of_the_caller_are_apart) {
  const int rank = world_rank();
  int received = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  check_floyd_warshall(random_graph<int>(131, 0.05, 1, 100, 28), everywhere());
  const int sent = 42;
  MPI_Send(&sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  BOOST_TEST(received == 42);
}

// What boost::mpi::communicator and others do.
struct communicator_of_others {
  operator MPI_Comm() const { return handle; }
  MPI_Comm handle;
};

BOOST_AUTO_TEST_CASE(groups_of_processes) {
  const int rank = world_rank();
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &group);
  {
    const auto policy = apsp::across(communicator_of_others{group}, apsp::seq);
    const auto g =
        random_graph<float>(static_cast<std::size_t>(50 + 90 * (rank % 2)), 0.1, 1, 100, 29);
    apsp::distributed_matrix<float> distances(policy, g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
    check_part(g, all_vertices(g.n), distances);
  }
  MPI_Comm_free(&group);
}
