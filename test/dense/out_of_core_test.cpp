// SPDX-License-Identifier: BSL-1.0
// Floyd–Warshall of matrices that do not fit into the memory that a call may use on a device.
#define BOOST_TEST_MODULE out_of_core
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/mapped_matrix.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "../common/files.hpp"
#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE(settings) {
  static_assert(!apsp::cuda_tiled.is_in_core() && apsp::cuda_tiled.in_core().is_in_core());
  static_assert(!apsp::cuda_tiled.in_core().in_core(false).is_in_core());
  const auto observed = apsp::cuda_tiled.in_core().progress([](std::size_t, std::size_t) {});
  BOOST_CHECK(observed.is_in_core());
  const auto arcs = ring_and_others<float>(30, true, 6 * 30, 9, 1);
  apsp::matrix<float> distances(arcs.n);
  const auto done = apsp::floyd_warshall(apsp::omp, arcs.view(), distances);
  BOOST_CHECK(done && !done.out_of_core());
}

#ifdef APSP_TEST_ON_DEVICE

namespace {

auto within(std::size_t bytes) {
  return apsp::cuda_tiled.required().memory_limit(bytes);
}

/// A part of what the matrix needs.
template <class T>
std::size_t part_of(std::size_t n, double share) {
  return static_cast<std::size_t>(static_cast<double>(n * n * sizeof(T)) * share);
}

template <class T>
apsp::matrix<T> solved(const arc_list<T>& arcs, std::size_t bytes,
                       const std::vector<int>& devices = {0}) {
  apsp::matrix<T> distances(arcs.n, arcs.n, T(-7));
  const auto done = apsp::floyd_warshall(within(bytes).devices(devices), arcs.view(), distances);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::cuda_tiled);
  BOOST_CHECK(done.out_of_core());
  BOOST_CHECK_EQUAL(done.num_devices(), devices.size());
  return distances;
}

/// Devices that share the work, of the machine or one that is listed several times.
std::vector<std::vector<int>> lists() {
  std::vector<std::vector<int>> all{{0, 0}, {0, 0, 0}};
  if (apsp::detail::cuda::count_devices() > 1) all.push_back({0, 1});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_pass_through_the_device, T, some_weight_types) {
  // Blocks of one tile, of 256 pivots, and of 512; the last chunk is shorter, or full. One size has
  // all shares.
  for (const std::size_t n : {2000u, 2048u, 2111u, 3172u, 6200u}) {
    for (const double share : {0.6, 0.75, 0.95}) {
      if (n != 3172 && share != 0.6) continue;
      BOOST_TEST_CONTEXT("n = " << n << ", share = " << share << ", seed = " << n) {
        const auto arcs = in_fractions(ring_and_others<T>(n, true, 6 * n, 1000, n), 4);
        check_some_rows(arcs, solved(arcs, part_of<T>(n, share)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_pass_through_several_devices, T, some_weight_types) {
  for (const std::size_t n : {2000u, 3172u, 6200u}) {
    const auto arcs = in_fractions(ring_and_others<T>(n, true, 6 * n, 1000, n), 3);
    // Each device may use as much; two or three such parts are not enough for the matrix.
    const bool has_small_blocks = sizeof(T) == 8 && n < 3000;
    const std::size_t bytes = part_of<T>(n, has_small_blocks ? 0.35 : 0.6);
    const auto one = solved(arcs, bytes);
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      check_some_rows(arcs, one);
      for (const auto& devices : lists()) BOOST_CHECK(one == solved(arcs, bytes, devices));
    }
  }
}

BOOST_AUTO_TEST_CASE(several_devices_stop_and_fail_together) {
  const auto arcs = ring_and_others<float>(3172, true, 6 * 3172, 1000, 8);
  apsp::matrix<float> distances(arcs.n);
  for (const auto& devices : lists()) {
    const auto policy = within(part_of<float>(arcs.n, 0.6)).devices(devices);
    const auto solve = [&](const auto& with) {
      return apsp::floyd_warshall(with, arcs.view(), distances);
    };
    check_progress(policy, arcs.n, solve);
    check_stops_at_once(policy, solve);
    const auto fail = [](std::size_t done, std::size_t) {
      if (done > 1000) throw std::runtime_error("not today");
    };
    check_refused<std::runtime_error>([&] { return solve(policy.progress(fail)); }, "not today");
    BOOST_REQUIRE(apsp::floyd_warshall(policy, arcs.view(), distances));
    check_some_rows(arcs, distances);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights_and_cycles, T, some_weight_types) {
  auto arcs = negative_graph<T>(2011, 0.002, 2);
  const std::size_t bytes = part_of<T>(arcs.n, 0.6);
  BOOST_TEST_CONTEXT("seed = 2") {
    check_some_rows(arcs, solved(arcs, bytes));
  }
  arcs.add(7, 2000, T(-5));
  arcs.add(2000, 7, T(4));
  apsp::matrix<T> distances(arcs.n);
  const auto done = apsp::floyd_warshall(within(bytes), arcs.view(), distances);
  BOOST_CHECK(done.outcome() == apsp::outcome::negative_cycle);
}

BOOST_AUTO_TEST_CASE(sums_of_128_bits) {
  const std::int64_t weight = std::int64_t{1} << 61;
  const auto arcs = star<std::int64_t>(1200, weight, weight + 3);
  check_some_rows(arcs, solved(arcs, part_of<std::int64_t>(arcs.n, 1)));
}

BOOST_AUTO_TEST_CASE(predecessors_of_sparse_graphs) {
  auto arcs = ring_and_others<double>(1300, true, 6 * 1300, 50, 3);
  apsp::matrix<double> distances(arcs.n);
  apsp::matrix<std::int32_t> predecessors(arcs.n);
  const auto policy = within(part_of<double>(arcs.n, 0.6));
  const auto done = apsp::floyd_warshall(policy, arcs.view(), distances, predecessors);
  BOOST_REQUIRE(done && done.out_of_core());
  BOOST_TEST_CONTEXT("seed = 3") {
    check_some_rows(arcs, distances);
    check_trees<double>(lightest_arcs(arcs), all_vertices(arcs.n), distances, predecessors);
  }
  arcs.weights[5] = 0;
  check_refused<apsp::device_error>(
      [&] { return apsp::floyd_warshall(policy, arcs.view(), distances, predecessors); },
      "weights are positive");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_calls_can_be_resumed, T, some_weight_types) {
  using namespace std::chrono_literals;
  const auto file = temporary("passes.npy");
  const auto label = temporary("passes.npy.pivot");
  auto arcs = ring_and_others<T>(2111, true, 6 * 2111, 1000, 7);
  const auto resume = [&](const auto& policy, std::chrono::seconds every) {
    std::filesystem::remove(label);
    apsp::matrix<T> distances(arcs.n);
    std::stop_source late;
    const auto stop = [&](std::size_t done, std::size_t total) {
      if (done < total && 4 * done >= 3 * total) late.request_stop();
    };
    const auto stopped =
        apsp::floyd_warshall(policy.checkpoint(file, every).progress(stop).stop(late.get_token()),
                             arcs.view(), distances);
    BOOST_REQUIRE(stopped.stopped());
    BOOST_REQUIRE(std::filesystem::exists(label));

    // On the host from what the device has left, and on the device.
    apsp::matrix<T> on_host(arcs.n);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(file), arcs.view(), on_host));
    check_some_rows(arcs, on_host);
    std::size_t first = 0;
    const auto note = [&](std::size_t done, std::size_t) {
      if (first == 0) first = done;
    };
    const auto resumed = apsp::floyd_warshall(
        policy.checkpoint(file, every).resume(file).progress(note), arcs.view(), distances);
    BOOST_REQUIRE(resumed && resumed.out_of_core());
    BOOST_CHECK_GT(first, 0u);
    check_some_rows(arcs, distances);
    const apsp::mapped_matrix<const T> written(file);
    BOOST_CHECK(std::equal(written.begin(), written.end(), distances.begin()));
    apsp::matrix<T> again(arcs.n);
    BOOST_REQUIRE(apsp::floyd_warshall(policy.resume(file), arcs.view(), again));
    BOOST_CHECK(std::equal(again.begin(), again.end(), distances.begin()));
    return resumed.num_devices();
  };
  const auto policy = within(part_of<T>(arcs.n, 0.6));
  BOOST_CHECK_EQUAL(resume(policy, 0s), 1u);
  BOOST_CHECK_EQUAL(resume(policy, 3600s), 1u);
  BOOST_CHECK_EQUAL(resume(policy.devices({0, 0, 0}), 0s), 3u);
  // A matrix that would fit passes through the device, too.
  apsp::matrix<T> distances(arcs.n);
  const auto plain = apsp::cuda_tiled.required();
  BOOST_CHECK(
      apsp::floyd_warshall(plain.checkpoint(file, 0s), arcs.view(), distances).out_of_core());
  check_some_rows(arcs, distances);
  BOOST_CHECK(
      apsp::floyd_warshall(plain.devices({0, 0}).checkpoint(file, 0s), arcs.view(), distances)
          .out_of_core());
  check_some_rows(arcs, distances);
  check_refused<std::invalid_argument>(
      [&] { return apsp::floyd_warshall(plain.in_core().resume(file), arcs.view(), distances); },
      "expected no in_core");
  const auto naive = apsp::cuda_naive.required();
  check_refused<apsp::device_error>(
      [&] { return apsp::floyd_warshall(naive.resume(file), arcs.view(), distances); },
      "cuda_naive keeps no checkpoints");
  std::filesystem::remove(file);
  std::filesystem::remove(label);
}

BOOST_AUTO_TEST_CASE(other_semirings_and_dense_graphs) {
  const auto arcs = random_graph<float>(2040, 0.01, 1, 1000, 4);
  apsp::matrix<float> expected(arcs.n);
  apsp::matrix<float> widest(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, arcs.view(), expected, apsp::max_min<float>{}));
  const auto policy = within(part_of<float>(arcs.n, 0.6));
  const auto done = apsp::floyd_warshall(policy, arcs.view(), widest, apsp::max_min<float>{});
  BOOST_REQUIRE(done && done.out_of_core());
  BOOST_CHECK(widest == expected);

  auto in_place = dense_form(arcs);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, in_place, in_place));
  check_some_rows(arcs, in_place);
  apsp::matrix<float> near(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(100), arcs.view(), near));
  for (float& d : in_place) d = d <= 100 ? d : apsp::unreachable<float>;
  BOOST_CHECK(near == in_place);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const auto arcs = ring_and_others<float>(2100, true, 6 * 2100, 100, 5);
  apsp::matrix<float> distances(arcs.n, arcs.n, -7.0F);
  const auto untouched = [&] {
    return std::all_of(distances.begin(), distances.end(), [](float d) { return d == -7; });
  };
  check_refused<apsp::device_error>(
      [&] {
        return apsp::floyd_warshall(within(part_of<float>(arcs.n, 0.6)).in_core(), arcs.view(),
                                    distances);
      },
      "out of device memory");
  BOOST_CHECK(untouched());
  check_refused<apsp::device_error>(
      [&] { return apsp::floyd_warshall(within(10'000), arcs.view(), distances); },
      "out of device memory");
  BOOST_CHECK(untouched());
}

BOOST_AUTO_TEST_CASE(progress_stop_and_exceptions) {
  const auto arcs = ring_and_others<float>(2100, true, 6 * 2100, 100, 6);
  apsp::matrix<float> distances(arcs.n);
  const auto policy = within(part_of<float>(arcs.n, 0.6));
  const auto solve = [&](const auto& with) {
    return apsp::floyd_warshall(with, arcs.view(), distances);
  };
  check_progress(policy, arcs.n, solve);
  check_stops_at_once(policy, solve);
  check_throwing_callback(policy, solve);
  // And the next call is right.
  check_some_rows(arcs, solved(arcs, part_of<float>(arcs.n, 0.6)));
}

BOOST_AUTO_TEST_CASE(several_devices_with_too_little_memory) {
  const auto arcs = ring_and_others<std::int32_t>(2100, true, 6 * 2100, 100, 7);
  apsp::matrix<std::int32_t> distances(arcs.n);
  const auto done = apsp::floyd_warshall(
      within(part_of<std::int32_t>(arcs.n, 0.45)).devices({0, 0}), arcs.view(), distances);
  BOOST_REQUIRE(done && done.out_of_core());
  check_some_rows(arcs, distances);
}

#endif
