// SPDX-License-Identifier: BSL-1.0
// Calls on several CUDA devices. A device that is listed twice takes two shares, so one is enough.
#define BOOST_TEST_MODULE several_devices
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "../common/batches.hpp"
#ifdef APSP_TEST_ON_DEVICE
#include "../common/device_memory.hpp"
#endif
#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
namespace ublas = boost::numeric::ublas;

BOOST_AUTO_TEST_CASE(lists_of_devices) {
  static_assert(apsp::cuda_tiled.device() == -1 && apsp::cuda_tiled.devices().size() == 0);
  constexpr auto two = apsp::cuda_tiled.devices({1, 0}).required();
  static_assert(two.device() == 1 && two.devices().size() == 2 && two.devices()[1] == 0);
  static_assert(two.device(3).devices().size() == 1 && two.device(3).device() == 3);
  constexpr auto all = apsp::cuda_naive.devices(apsp::all_devices);
  static_assert(all.devices().is_all() && all.devices().size() == 0 && !two.devices().is_all());
  const std::vector<int> numbers{0, 1, 2};
  BOOST_CHECK_EQUAL(apsp::cuda_tiled.devices(numbers).devices()[2], 2);
  BOOST_CHECK_EQUAL(apsp::cuda_tiled.devices(numbers).cutoff(3).devices().size(), 3u);
  const auto observed = apsp::cuda_tiled.devices(numbers).progress([](std::size_t, std::size_t) {});
  BOOST_CHECK_EQUAL(observed.devices().size(), 3u);

  check_refused([&] { return apsp::cuda_tiled.devices(std::span<const int>{}); },
                "expected 1 to 16 devices, got 0");
  const std::vector<int> too_many(17);
  check_refused([&] { return apsp::cuda_tiled.devices(too_many); },
                "expected 1 to 16 devices, got 17");
  check_refused([&] { return apsp::cuda_tiled.devices({0, -1}); }, "must not be negative");
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there) {
  const auto arcs = random_graph<float>(20, 0.2, 1, 9, 1);
  apsp::matrix<float> distances(arcs.n);
  const auto policy = apsp::cuda_tiled.devices({0, 9999});
  const auto done = apsp::floyd_warshall(policy, arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::omp);
  BOOST_CHECK(!done.fallback_reason().empty());
  BOOST_CHECK_EQUAL(done.num_devices(), 0u);
  check_distances(arcs, distances);
  check_refused<apsp::device_error>(
      [&] { return apsp::floyd_warshall(policy.required(), arcs.view(), distances); });
  check_refused<apsp::device_error>(
      [&] { return apsp::dijkstra(policy.required(), arcs.view(), distances); });
}

#ifdef APSP_TEST_ON_DEVICE

namespace {

struct refused : std::exception {};

std::vector<std::vector<int>> lists() {
  return {{0, 0}, {0, 0, 0, 0, 0}};
}

auto on(const std::vector<int>& devices) {
  return apsp::cuda_tiled.devices(devices).required();
}

template <class T>
apsp::matrix<T> solved(const std::vector<int>& devices, const arc_list<T>& arcs) {
  apsp::matrix<T> distances(arcs.n, arcs.n, T(-7));
  const auto done = apsp::floyd_warshall(on(devices), arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  BOOST_CHECK_EQUAL(done.num_devices(), devices.size());
  return distances;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_devices_of_the_machine) {
  const auto arcs = random_graph<std::int32_t>(300, 0.05, 1, 100, 2);
  apsp::matrix<std::int32_t> distances(arcs.n);
  const auto done = apsp::floyd_warshall(apsp::cuda_tiled.devices(apsp::all_devices).required(),
                                         arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.num_devices() >= 1);
  BOOST_TEST_MESSAGE("devices: " << done.num_devices());
  check_distances(arcs, distances);
  apsp::matrix<std::int32_t> rows(arcs.n);
  const auto by_source =
      apsp::dijkstra(apsp::cuda_tiled.devices(apsp::all_devices).required(), arcs.view(), rows);
  BOOST_REQUIRE(by_source);
  BOOST_CHECK_EQUAL(by_source.num_devices(), done.num_devices());
  BOOST_CHECK(rows == distances);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_few_vertices, T, weight_types) {
  for (const auto& devices : lists()) {
    for (const std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 129u, 200u, 513u}) {
      BOOST_TEST_CONTEXT("n = " << n << ", shares: " << devices.size() << ", seed = " << n) {
        const auto arcs = random_graph<T>(n, n < 20 ? 0.5 : 0.03, 0, 100, n);
        check_distances(arcs, solved(devices, arcs));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_many_vertices, T, some_weight_types) {
  // Blocks of one tile, of 256 pivots, and of 512; the last block is shorter.
  for (const std::size_t n : {1100u, 3172u, 6200u}) {
    const auto arcs = in_fractions(ring_and_others<T>(n, true, 6 * n, 1000, n), 4);
    const auto two = solved({0, 0}, arcs);
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      check_some_rows(arcs, two);
      BOOST_CHECK(two == solved({0, 0, 0}, arcs));
    }
  }
}

// Whole numbers whose distances fit 16 bits are relaxed in 16 bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(short_distances_of_whole_numbers, T, weight_types) {
  const std::size_t n = 3300;
  // Two components, and arcs from the first to the second one.
  auto arcs = ring_and_others<T>(n - 200, true, 6 * n, 100, 14);
  arcs.n = n;
  for (std::size_t v = n - 200; v + 1 < n; ++v) arcs.add(v, v + 1, T(v % 7));
  arcs.add(3, n - 200, T(9));
  arcs.add(5, 700, T(2'000'000));
  arcs.add(5, 5, T(1));
  arcs.add(5, 6, T(0));
  const auto check = [&](const char* what) {
    BOOST_TEST_CONTEXT(what << ", seed = 14") {
      const auto two = solved({0, 0}, arcs);
      check_some_rows(arcs, two);
      BOOST_CHECK(two == solved({0, 0, 0}, arcs));
      apsp::matrix<T> dense(n);
      BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0}), dense_form(arcs), dense));
      BOOST_CHECK(dense == two);
      ublas::matrix<T, ublas::column_major, std::vector<T>> columns(n, n);
      BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0}), arcs.view(), columns));
      std::size_t wrong = 0;
      for_each_pair(
          n, [&](std::size_t u, std::size_t v) { wrong += columns(u, v) == two[u][v] ? 0 : 1; });
      BOOST_CHECK_EQUAL(wrong, 0u);
    }
  };
  check("short");
  // The longest distance is the longest that fits, and the next one.
  for (const int length : {32766, 32767}) {
    auto longer = arcs;
    longer.n = n + 2;
    longer.add(n, n + 1, T(length));
    const auto distances = solved({0, 0}, longer);
    BOOST_TEST_CONTEXT("a distance of " << length << ", seed = 14") {
      check_some_rows(longer, distances);
      BOOST_CHECK(distances[n][n + 1] == T(length));
    }
  }
  // Fractions, and a negative weight.
  arcs.add(7, 8, std::is_floating_point_v<T> ? T(0.5) : T(1));
  check("a fraction");
  arcs.add(8, 9, T(0));
  arcs.add(n - 5, n - 4, T(-1));
  check("a negative weight");
}

BOOST_AUTO_TEST_CASE(the_bits_of_floats_are_the_same_on_any_number) {
  const std::size_t n = 3300;
  random_numbers random(3);
  auto arcs = ring_and_others<float>(n, true, 6 * n, 1 << 20, 4);
  for (float& weight : arcs.weights) weight /= 3;
  const auto two = solved({0, 0}, arcs);
  BOOST_CHECK(two == solved({0, 0, 0}, arcs));
  BOOST_CHECK(two == solved({0, 0, 0, 0, 0, 0, 0}, arcs));
  check_some_rows(arcs, two);
}

// Of an undirected graph the shares have unequal numbers of rows. symmetric_graphs_test has the
// rest.
BOOST_AUTO_TEST_CASE_TEMPLATE(undirected_graphs, T, some_weight_types) {
  const std::size_t n = 6200;
  const auto arcs = undirected(ring_and_others<T>(n, true, 3 * n, 100, 15));
  // In 16 bits, in the type of the weights, and with rounding.
  for (const T unit : {T(1), T(1000), std::is_floating_point_v<T> ? T(1) / 3 : T(3000)}) {
    auto scaled = arcs;
    for (T& weight : scaled.weights) weight *= unit;
    BOOST_TEST_CONTEXT("unit " << unit << ", seed = 15") {
      apsp::matrix<T> two(n, n, T(-7));
      const auto done = apsp::floyd_warshall(on({0, 0}), scaled.view(), two);
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.used_symmetry());
      BOOST_CHECK_EQUAL(done.num_devices(), 2u);
      if (unit >= T(1)) check_some_rows(scaled, two);
      BOOST_CHECK(two == solved({0, 0, 0, 0, 0}, scaled));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights_and_cycles, T, some_weight_types) {
  for (const auto& devices : lists()) {
    BOOST_TEST_CONTEXT("shares: " << devices.size() << ", seed = 5") {
      auto arcs = negative_graph<T>(400, 0.02, 5);
      check_distances(arcs, solved(devices, arcs));
      // Along an arc and back.
      arcs.add(7, 390, T(-5));
      arcs.add(390, 7, T(4));
      apsp::matrix<T> distances(arcs.n);
      const auto done = apsp::floyd_warshall(on(devices), arcs.view(), distances);
      BOOST_CHECK(!done && done.outcome() == apsp::outcome::negative_cycle);
    }
  }
}

BOOST_AUTO_TEST_CASE(integers_that_need_wider_sums) {
  for (const auto& devices : lists()) {
    // In 64 and in 128 bits.
    arc_list<std::int32_t> path{100, {}, {}, {}};
    for (std::size_t v = 1; v < path.n; ++v) path.add(v - 1, v, 2'000'000'000);
    apsp::matrix<std::int32_t> saturated(path.n);
    const auto done = apsp::floyd_warshall(on(devices), path.view(), saturated);
    BOOST_REQUIRE(done && done.saturated());
    BOOST_CHECK(saturated[0][1] == 2'000'000'000 && saturated[0][99] == infinite<std::int32_t>);

    const std::int64_t weight = std::int64_t{1} << 61;
    const auto wide = star<std::int64_t>(500, weight, weight + 3);
    check_distances(wide, solved(devices, wide));
  }
}

BOOST_AUTO_TEST_CASE(predecessors_of_sparse_graphs) {
  for (const auto& devices : lists()) {
    BOOST_TEST_CONTEXT("shares: " << devices.size() << ", seed = 6") {
      auto arcs = ring_and_others<std::int32_t>(700, true, 6 * 700, 50, 6);
      apsp::matrix<std::int32_t> distances(arcs.n), predecessors(arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(on(devices), arcs.view(), distances, predecessors));
      check_distances(arcs, distances);
      check_trees<std::int32_t>(lightest_arcs(arcs), all_vertices(arcs.n), distances, predecessors);

      // Weights of 0 are refused, or solved on the host.
      arcs.weights[3] = 0;
      check_refused<apsp::device_error>(
          [&] { return apsp::floyd_warshall(on(devices), arcs.view(), distances, predecessors); },
          "weights are positive");
      const auto done =
          apsp::floyd_warshall(on(devices).required(false), arcs.view(), distances, predecessors);
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.executed_on() == apsp::backend::omp);
      check_trees<std::int32_t>(lightest_arcs(arcs), all_vertices(arcs.n), distances, predecessors);
    }
  }
}

BOOST_AUTO_TEST_CASE(dense_graphs_and_cutoffs) {
  const auto arcs = random_graph<double>(333, 0.6, 1, 1000, 7);
  const auto dense = dense_form(arcs);
  apsp::matrix<double> distances(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0, 0}), dense, distances));
  check_distances(arcs, distances);
  apsp::matrix<double> near(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0, 0}).cutoff(15), dense, near));
  for_each_pair(arcs.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE(near[u][v] == (distances[u][v] <= 15 ? distances[u][v] : infinite<double>));
  });
  // In place, and into a vector of vectors.
  auto in_place = dense;
  BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0}), in_place, in_place));
  BOOST_CHECK(in_place == distances);
  std::vector<std::vector<double>> rows(arcs.n, std::vector<double>(arcs.n));
  BOOST_REQUIRE(apsp::floyd_warshall(on({0, 0}), dense, rows));
  for (std::size_t u = 0; u < arcs.n; ++u) {
    BOOST_REQUIRE(std::equal(rows[u].begin(), rows[u].end(), distances[u]));
  }
}

BOOST_AUTO_TEST_CASE(other_semirings) {
  const auto arcs = random_graph<std::int32_t>(450, 0.02, 1, 1000, 8);
  apsp::matrix<std::int32_t> expected(arcs.n), widest(arcs.n);
  BOOST_REQUIRE(
      apsp::floyd_warshall(apsp::seq, arcs.view(), expected, apsp::max_min<std::int32_t>{}));
  const auto done =
      apsp::floyd_warshall(on({0, 0, 0}), arcs.view(), widest, apsp::max_min<std::int32_t>{});
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.num_devices(), 3u);
  BOOST_CHECK(widest == expected);
}

BOOST_AUTO_TEST_CASE(progress_and_stop) {
  const auto arcs = ring_and_others<float>(1500, true, 6 * 1500, 100, 9);
  apsp::matrix<float> distances(arcs.n);
  const auto floyd_warshall = [&](const auto& policy) {
    return apsp::floyd_warshall(policy, arcs.view(), distances);
  };
  const auto dijkstra = [&](const auto& policy) {
    return apsp::dijkstra(policy, arcs.view(), distances);
  };
  check_progress(on({0, 0}), arcs.n, floyd_warshall);
  check_progress(on({0, 0}), arcs.n, dijkstra);
  for (const std::size_t n : {40u, 130u}) {
    const auto few = random_graph<double>(n, 0.1, 1, 9, n);
    apsp::matrix<double> wide(n);
    check_progress(on({0, 0}), n, [&](const auto& policy) {
      return apsp::floyd_warshall(policy, few.view(), wide);
    });
  }
  check_stops_at_once(on({0, 0, 0}), floyd_warshall);
  check_stops_at_once(on({0, 0, 0}), dijkstra);
  check_throwing_callback(on({0, 0}), floyd_warshall);
  check_throwing_callback(on({0, 0}), dijkstra);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_are_dealt_out, T, some_weight_types) {
  const auto arcs = some_graph<T>(600, 0, 10);
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  for (const auto& devices : lists()) {
    // The second limit makes many batches of the searches; an elimination needs most of it.
    for (const std::size_t limit : {std::size_t{0}, std::size_t{4} << 20}) {
      for (const auto method : per_source_algorithms) {
        BOOST_TEST_CONTEXT(to_string(method) << ", shares: " << devices.size()
                                             << ", limit = " << limit << ", seed = 10") {
          apsp::matrix<T> distances(arcs.n);
          apsp::matrix<std::int32_t> predecessors(arcs.n);
          const auto done =
              run(method, on(devices).memory_limit(limit), arcs.view(), distances, predecessors);
          BOOST_REQUIRE(done);
          BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
          BOOST_CHECK_EQUAL(done.num_devices(), devices.size());
          check_rows<T>(*expected, distances);
          check_trees<T>(lightest_arcs(arcs), all_vertices(arcs.n), distances, predecessors);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_to_a_function_and_summaries) {
  const auto arcs = some_graph<std::int32_t>(700, 0, 11);
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  const auto sources = some_vertices(arcs.n, 500, 12);
  for (const auto& devices : lists()) {
    std::vector<int> calls(arcs.n);
    int wrong = 0;
    const auto policy = on(devices).memory_limit(2 << 20);
    const auto done = apsp::for_each_row(
        policy, arcs.view(), sources, [&](std::size_t source, std::span<const std::int32_t> row) {
          ++calls[source];
          for (std::size_t v = 0; v < arcs.n; ++v) {
            if (!same_distance<std::int32_t>(row[v], (*expected)[source][v])) ++wrong;
          }
        });
    BOOST_REQUIRE(done);
    for (const std::size_t source : sources) --calls[source];
    BOOST_CHECK(std::all_of(calls.begin(), calls.end(), [](int c) { return c == 0; }));
    BOOST_CHECK_EQUAL(wrong, 0);

    const auto summary = apsp::summarize_paths(policy, arcs.view(), sources);
    const auto on_host = apsp::summarize_paths(apsp::seq, arcs.view(), sources);
    BOOST_REQUIRE(summary && on_host);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      BOOST_REQUIRE_EQUAL(summary.sources()[i].eccentricity, on_host.sources()[i].eccentricity);
    }

    const auto call = [&] {
      return apsp::for_each_row(
          policy, arcs.view(), sources,
          [](std::size_t, std::span<const std::int32_t>) { throw refused(); });
    };
    BOOST_CHECK_THROW(static_cast<void>(call()), refused);
  }
}

BOOST_AUTO_TEST_CASE(graphs_of_a_batch_are_dealt_out) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 300; ++i) {
    graphs.push_back(random_graph<float>(1 + i * 7 % 200, 0.1, 1, 100, i));
  }
  const auto seen = views(graphs);
  for (const auto& devices : lists()) {
    auto distances = matrices_for(graphs);
    const auto done = apsp::floyd_warshall(on(devices).memory_limit(4 << 20), seen, distances);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      BOOST_TEST_CONTEXT("graph " << i << ", shares: " << devices.size() << ", seed = " << i) {
        BOOST_REQUIRE(done[i]);
        BOOST_CHECK_EQUAL(done[i].num_devices(), devices.size());
        check_distances(graphs[i], distances[i]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(too_little_memory_names_a_device) {
  const auto arcs = ring_and_others<float>(500, true, 6 * 500, 100, 13);
  apsp::matrix<float> distances(arcs.n, arcs.n, -7.0F);
  const auto policy = on({0, 0}).memory_limit(100);
  const auto solve = [&](const auto& with) {
    return apsp::floyd_warshall(with, arcs.view(), distances);
  };
  check_refused<apsp::device_error>([&] { return solve(policy.in_core()); },
                                    "device 0: out of device memory");
  // There is too little to go out of core, too.
  check_refused<apsp::device_error>([&] { return solve(policy); }, "out of device memory");
  BOOST_CHECK(std::all_of(distances.begin(), distances.end(), [](float d) { return d == -7; }));
  check_refused<apsp::device_error>([&] { return apsp::dijkstra(policy, arcs.view(), distances); },
                                    "device 0: out of device memory");
}

BOOST_AUTO_TEST_CASE(failed_calls_keep_no_memory) {
  const auto arcs = ring_and_others<float>(1500, true, 6 * 1500, 100, 14);
  auto with_cycle = negative_graph<float>(arcs.n, 0.01, 5);
  with_cycle.add(7, 390, -5);
  with_cycle.add(390, 7, 4);
  const auto sources = some_vertices(arcs.n, 500, 12);
  apsp::matrix<float> distances(arcs.n);
  const auto policy = on({0, 0});
  const auto throwing = [](std::size_t done, std::size_t total) {
    if (done > total / 3) throw refused();
  };
  const auto floyd_warshall = [&](const auto& with) {
    static_cast<void>(apsp::floyd_warshall(with, arcs.view(), distances));
  };
  const auto dijkstra = [&](const auto& with) {
    static_cast<void>(apsp::dijkstra(with, arcs.view(), distances));
  };
  // How far a call comes depends on its limit of memory.
  const auto try_with_little_memory = [&](const auto& with, auto call) {
    BOOST_CHECK_THROW(call(with.memory_limit(100)), apsp::device_error);
    for (const std::size_t limit : {1u << 17, 1u << 20, 1u << 22}) {
      try {
        call(with.memory_limit(limit));
      } catch (const apsp::device_error&) {  // The memory does not suffice.
      } catch (const refused&) {             // It does, and the callback has thrown.
      }
    }
  };
  const auto fail = [&] {
    try_with_little_memory(policy, dijkstra);
    try_with_little_memory(policy.in_core(), floyd_warshall);
    try_with_little_memory(policy.progress(throwing), dijkstra);
    try_with_little_memory(policy.progress(throwing), floyd_warshall);
    BOOST_CHECK_THROW(dijkstra(policy.progress(throwing)), refused);
    BOOST_CHECK_THROW(floyd_warshall(policy.progress(throwing)), refused);
    check_refused<refused>([&] {
      return apsp::for_each_row(policy.memory_limit(2 << 20), arcs.view(), sources,
                                [](std::size_t, std::span<const float>) { throw refused(); });
    });
    BOOST_CHECK(!apsp::floyd_warshall(policy, with_cycle.view(), distances));
    BOOST_CHECK(!apsp::bellman_ford(policy, with_cycle.view(), distances));
    for (const bool is_dense : {true, false}) {
      std::stop_source stop;
      const auto stopping = [&](std::size_t, std::size_t) { stop.request_stop(); };
      const auto stopped = policy.stop(stop.get_token()).progress(stopping);
      const auto done = is_dense ? apsp::floyd_warshall(stopped, arcs.view(), distances)
                                 : apsp::dijkstra(stopped, arcs.view(), distances);
      BOOST_CHECK(done.stopped());
    }
  };
  const auto free_memory = [] {
    release_kept_memory();
    return memory_of_device().free;
  };
  // The first calls load kernels, and create the streams that are kept.
  for (int call = 0; call < 3; ++call) fail();
  const std::size_t before = free_memory();
  for (int call = 0; call < 20; ++call) fail();
  const std::size_t after = free_memory();
  // Calls whose threads overlap in another way may create another stream, which takes some memory
  // of the driver.
  constexpr std::size_t for_streams = 4 << 20;
  BOOST_CHECK_GE(after + for_streams, before);
}

BOOST_AUTO_TEST_CASE(data_in_device_memory_is_on_one_device) {
  apsp::device_matrix<float> weights(10);
  weights.assign(apsp::matrix<float>(10, 10, 1.0F));
  check_refused(
      [&] {
        return apsp::floyd_warshall(on({0, 0}), weights, weights);
      },
      "expected one device for data in device memory, got 2");
}

#endif
