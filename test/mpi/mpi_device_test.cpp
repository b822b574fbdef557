// SPDX-License-Identifier: BSL-1.0
// Calls on the devices of several processes. Run by mpiexec with several numbers of processes; they
// share the devices of the machine, so one is enough.
#define BOOST_TEST_MODULE mpi_device
#include <algorithm>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/mpi.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/processes.hpp"
#include "../common/products.hpp"

namespace {

using namespace apsp_test;

/// The policy of this process: a device of its own if there are enough.
auto here() {
  const int num_devices = std::max(apsp::detail::cuda::count_devices(), 1);
  return apsp::cuda_tiled.device(world_rank() % num_devices).required();
}

struct device_session {
  device_session() {
    MPI_Init(nullptr, nullptr);
    policy.emplace(apsp::across(MPI_COMM_WORLD, here()));
  }
  ~device_session() {
    policy.reset();
    MPI_Finalize();
  }
  /// One for all cases: it keeps the connection of the devices.
  static inline std::optional<apsp::distributed_policy<decltype(here())>> policy;
};
BOOST_TEST_GLOBAL_FIXTURE(device_session);

const auto& on_devices() {
  return *device_session::policy;
}

/// Compares some rows of this process with the oracle.
template <class T>
void check_part(const arc_list<T>& g, const apsp::distributed_matrix<T>& distances) {
  constexpr std::size_t most_rows = 40;
  const std::size_t step = distances.rows().size() / most_rows + 1;
  std::vector<std::size_t> sources;
  for (std::size_t u = distances.rows().first; u < distances.rows().last; u += step) {
    sources.push_back(u);
  }
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected.has_value());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const T* const row = distances.part()[sources[i] - distances.rows().first];
    for (std::size_t v = 0; v < g.n; ++v) {
      if (same_distance<T>(row[v], (*expected)[i][v])) continue;
      BOOST_ERROR("distance from " << sources[i] << " to " << v << " of " << g.n);
      return;
    }
  }
}

/// Solves on the devices of all processes, and compares with the oracle, and bit for bit with one
/// process.
template <class T>
void check_floyd_warshall(const arc_list<T>& g) {
  const auto& policy = on_devices();
  apsp::distributed_matrix<T> distances(policy, g.n);
  const auto done = apsp::floyd_warshall(policy, g.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  BOOST_CHECK_EQUAL(done.num_devices(), static_cast<std::size_t>(policy.num_processes()));
  check_part(g, distances);
  const auto alone = apsp::across(MPI_COMM_SELF, here());
  apsp::distributed_matrix<T> whole(alone, g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(alone, g.view(), whole));
  check_bits(distances, whole.part());
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(few_vertices, T, weight_types) {
  for (const std::size_t n : {0, 1, 2, 5, 100, 333, 700}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seeds = " << n + 1 << ", " << n + 2) {
      const double p = n < 100 ? 0.5 : 8.0 / static_cast<double>(n);
      check_floyd_warshall(with_parallel_arcs(random_graph<T>(n, p, 0, 1000, n + 1), 3));
      if (n < 700) check_floyd_warshall(negative_graph<T>(n, p, n + 2));
    }
  }
}

BOOST_AUTO_TEST_CASE(many_vertices) {
  // Blocks of one tile, of 256 pivots, and of 512; rows of a process lie on the devices of others.
  for (const std::size_t n : {1100u, 3171u, 6200u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      check_floyd_warshall(ring_and_others<std::int32_t>(n, true, 6 * n, 1000, n));
      check_floyd_warshall(in_fractions(ring_and_others<float>(n, true, 6 * n, 1 << 20, n), 4));
    }
  }
}

BOOST_AUTO_TEST_CASE(dense_graphs_and_semirings) {
  const auto& policy = on_devices();
  const auto g = random_graph<float>(340, 0.7, 1, 1000, 7);
  apsp::distributed_matrix<float> distances(policy, g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, dense_form(g), distances));
  check_part(g, distances);

  const apsp::max_min<float> widest;
  apsp::matrix<float> expected(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), expected, widest));
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances, widest));
  check_bits(distances, expected);
}

BOOST_AUTO_TEST_CASE(a_negative_cycle_is_named_everywhere) {
  auto g = random_graph<double>(700, 0.03, 10, 100, 9);
  g.add(7, 690, 3);
  g.add(690, 7, -5);
  const auto& policy = on_devices();
  apsp::distributed_matrix<double> distances(policy, g.n);
  const auto done = apsp::floyd_warshall(policy, g.view(), distances);
  BOOST_CHECK(!done);
  check_negative_cycle(g, done.negative_cycle());
}

BOOST_AUTO_TEST_CASE(integers_that_need_wider_sums) {
  check_floyd_warshall(star<std::int64_t>(300, std::int64_t{1} << 61, (std::int64_t{1} << 61) + 3));
}

BOOST_AUTO_TEST_CASE(sources_are_shared_out) {
  const auto& policy = on_devices();
  const auto g = random_graph<std::int32_t>(600, 0.01, 0, 100, 10);
  apsp::distributed_matrix<std::int32_t> distances(policy, g.n);
  const auto done = apsp::dijkstra(policy, g.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  check_part(g, distances);

  const auto sources = all_vertices(g.n);
  std::size_t num_rows = 0;
  int num_wrong = 0;
  BOOST_REQUIRE(apsp::for_each_row(policy, g.view(), sources,
                                   [&](std::size_t u, std::span<const std::int32_t> row) {
                                     ++num_rows;
                                     const auto i = u - distances.rows().first;
                                     if (!std::equal(row.begin(), row.end(), distances.part()[i])) {
                                       ++num_wrong;
                                     }
                                   }));
  BOOST_CHECK_EQUAL(num_rows, distances.rows().size());
  BOOST_CHECK_EQUAL(num_wrong, 0);
  const auto summary = apsp::summarize_paths(policy, g.view());
  const auto on_host = apsp::summarize_paths(apsp::seq, g.view());
  BOOST_REQUIRE(summary && on_host);
  for (std::size_t u = 0; u < g.n; ++u) {
    BOOST_REQUIRE_EQUAL(summary[u].eccentricity, on_host[u].eccentricity);
  }
}

/// Multiplies on the devices of all processes, and compares with the call on one process on the
/// host, bit for bit; the sums are exact.
template <class S>
void check_product(const product_shape& shape, std::uint64_t seed) {
  const auto& policy = on_devices();
  random_numbers random(seed);
  const auto a = random_matrix<S>(shape.rows, shape.depth, 1, 1000, random);
  const auto b = random_matrix<S>(shape.depth, shape.columns, 1, 1000, random);
  auto expected = random_matrix<S>(shape.rows, shape.columns, 1, 1000, random, 0.3);
  auto c = shared_out(policy, expected);
  const auto done =
      apsp::semiring_product(policy, shared_out(policy, a), shared_out(policy, b), c, S{});
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  BOOST_REQUIRE(apsp::semiring_product(apsp::omp, a, b, expected, S{}));
  check_bits(c, expected);
}

template <class T>
void check_squaring(const arc_list<T>& g) {
  const auto& policy = on_devices();
  apsp::distributed_matrix<T> distances(policy, g.n);
  const auto done = apsp::repeated_squaring(policy, g.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  BOOST_CHECK_EQUAL(done.num_devices(), static_cast<std::size_t>(policy.num_processes()));
  check_part(g, distances);
}

BOOST_AUTO_TEST_CASE(products) {
  for (const auto& shape : product_shapes) {
    check_product<apsp::min_plus<float>>(shape, shape.rows + 1);
    check_product<apsp::min_plus<std::int32_t>>(shape, shape.rows + 2);
    check_product<apsp::max_min<double>>(shape, shape.rows + 3);
  }
  // Several panels of a process.
  check_product<apsp::min_plus<float>>({130, 9000, 300}, 4);
  check_product<apsp::min_plus<std::int64_t>>({1300, 2100, 900}, 5);
  // A factor that is the result, and sums that do not fit.
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max() - 5;
  const auto& policy = on_devices();
  apsp::matrix<std::int32_t> expected(90, 90, large);
  expected[3][4] = 3;
  auto c = shared_out(policy, expected);
  const auto done = apsp::min_plus_product(policy, c, c, c, apsp::overwrite);
  const auto single =
      apsp::min_plus_product(apsp::omp, expected, expected, expected, apsp::overwrite);
  BOOST_CHECK(done.saturated() && single.saturated());
  check_bits(c, expected);
}

BOOST_AUTO_TEST_CASE(squaring) {
  for (const std::size_t n : {0, 1, 2, 5, 100, 333, 700}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      const double p = n < 100 ? 0.5 : 8.0 / static_cast<double>(n);
      check_squaring(random_graph<float>(n, p, 0, 1000, n + 1));
      check_squaring(negative_graph<std::int32_t>(n, p, n + 2));
    }
  }
  check_squaring(ring_and_others<std::int32_t>(2500, true, 6 * 2500, 1000, 3));
  auto g = random_graph<double>(300, 0.03, 10, 100, 9);
  g.add(7, 290, 3);
  g.add(290, 7, -5);
  apsp::distributed_matrix<double> distances(on_devices(), g.n);
  const auto done = apsp::repeated_squaring(on_devices(), g.view(), distances);
  BOOST_CHECK(!done);
  check_negative_cycle(g, done.negative_cycle());
}

BOOST_AUTO_TEST_CASE(a_failure_of_one_process_is_one_of_all) {
  const auto& policy = on_devices();
  const bool is_last = apsp_test::is_last(policy);
  const auto g = ring_and_others<float>(1500, true, 6 * 1500, 100, 13);
  apsp::distributed_matrix<float> distances(policy, g.n);
  const auto observed = failing_on_last(here(), 301);
  check_failure_of_last<failure>(
      [&] { return apsp::floyd_warshall(observed, g.view(), distances); });
  const auto limited = apsp::across(MPI_COMM_WORLD, here().memory_limit(is_last ? 1000 : 0));
  check_failure_of_last<apsp::device_error>(
      [&] { return apsp::floyd_warshall(limited, g.view(), distances); });
  check_failure_of_last<failure>(
      [&] { return apsp::repeated_squaring(observed, g.view(), distances); });
  check_failure_of_last<apsp::device_error>(
      [&] { return apsp::min_plus_product(limited, distances, distances, distances); });
  // The next call is right.
  check_floyd_warshall(g);
  check_squaring(g);
}

BOOST_AUTO_TEST_CASE(progress_and_stop) {
  const auto g = ring_and_others<float>(1500, true, 6 * 1500, 100, 14);
  apsp::distributed_matrix<float> distances(on_devices(), g.n);
  const auto solve = [&](const auto& policy) {
    return apsp::floyd_warshall(policy, g.view(), distances);
  };
  check_progress(here(), g.n, [&](const auto& observed) {
    return solve(apsp::across(MPI_COMM_WORLD, observed));
  });
  check_part(g, distances);
  stop_of_last stop;
  BOOST_CHECK(solve(stop.policy(here())).outcome() == apsp::outcome::stopped);
  BOOST_CHECK(stop.last_done() < g.n);
}

BOOST_AUTO_TEST_CASE(a_device_that_one_process_lacks) {
  const auto& all = on_devices();
  const auto g = random_graph<float>(50, 0.1, 1, 9, 15);
  apsp::distributed_matrix<float> distances(all, g.n);
  const bool is_last = all.rank() + 1 == all.num_processes();
  const auto own = is_last ? here().device(9999) : here();
  const auto required = apsp::across(MPI_COMM_WORLD, own);
  check_failure_of_last<apsp::device_error>(
      [&] { return apsp::floyd_warshall(required, g.view(), distances); });
  const auto policy = apsp::across(MPI_COMM_WORLD, own.required(false));
  const auto done = apsp::floyd_warshall(policy, g.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::omp);
  BOOST_CHECK(!done.fallback_reason().empty());
  check_part(g, distances);
  const auto by_source = apsp::dijkstra(policy, g.view(), distances);
  BOOST_REQUIRE(by_source);
  BOOST_CHECK(by_source.executed_on() == apsp::backend::omp);
  check_part(g, distances);
}

BOOST_AUTO_TEST_CASE(the_current_device_is_the_default) {
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.required());
  const auto g = random_graph<float>(300, 0.05, 1, 9, 16);
  apsp::distributed_matrix<float> distances(policy, g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), distances));
  check_part(g, distances);
}

BOOST_AUTO_TEST_CASE(a_process_has_one_device) {
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.devices({0, 0}));
  apsp::distributed_matrix<float> distances(policy, 3);
  const apsp::matrix<float> graph(3, 3, 1.0F);
  check_refused([&] { return apsp::floyd_warshall(policy, graph, distances); });
  check_refused([&] { return apsp::dijkstra(policy, graph, distances); });
}
