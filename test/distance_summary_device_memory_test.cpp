// SPDX-License-Identifier: BSL-1.0
// Distances in device memory, summed up and counted.
#define BOOST_TEST_MODULE distance_summary_device_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/device_matrix.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/device_part.hpp"
#include "common/generators.hpp"
#include "common/oracle.hpp"
#include "common/policies.hpp"
#include "common/summaries.hpp"

using namespace apsp_test;

static_assert(apsp::distance_matrix<apsp::device_matrix<float>> &&
              apsp::distance_matrix<apsp::device_matrix_view<const int>&> &&
              !apsp::distance_matrix<apsp::device_span<int>>);

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  // A place that no code may read.
  auto* const somewhere = reinterpret_cast<float*>(std::uintptr_t{4096});
  using view = apsp::device_matrix_view<const float>;
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 4);
  const auto refused = [&](const view& m, const std::string& words) {
    // With memory that no device has there would be other words.
    const auto says = [&](const std::invalid_argument& error) {
      return std::string(error.what()).find(words) != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::summarize_distances(Policy::policy(), m)),
                          std::invalid_argument, says);
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::distance_histogram(Policy::policy(), m, bins)),
                          std::invalid_argument, says);
  };
  refused(view(somewhere, 3, 4), "must be square");
  refused(view(somewhere, 3, 3, 2), "the pitch");
  refused(view(nullptr, 3, 3), "null pointer");
  const view two_rows(somewhere, 2, 3);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::summarize_distances(Policy::policy(), two_rows, std::vector{1})),
      std::invalid_argument);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::summarize_distances(Policy::policy(), two_rows, std::vector{1, 3})),
      std::invalid_argument);
}

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  try {
    const apsp::device_matrix<float> there(apsp::matrix<float>(3));
  } catch (const apsp::device_error& error) {
    // There is no host to fall back to for data that cannot be there.
    const apsp::device_matrix_view<const float> m(reinterpret_cast<float*>(std::uintptr_t{4096}), 3,
                                                  3);
    BOOST_CHECK_THROW(static_cast<void>(apsp::summarize_distances(apsp::cuda_tiled, m)),
                      apsp::device_error);
  }
}

#else

BOOST_AUTO_TEST_CASE_TEMPLATE(matrices, C, policies_and_weights) {
  using T = typename C::weight;
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000}) {
    for (const std::size_t gap : {0, 5}) {
      const std::uint64_t seed = 100 + n;
      BOOST_TEST_CONTEXT("n = " << n << ", gap = " << gap << ", seed = " << seed) {
        const auto distances = random_distances<T>(n, n, seed);
        const device_part<T> on_device(distances, gap);
        const auto summary = apsp::summarize_distances(C::policy(), on_device.view());
        BOOST_CHECK(summary.status().executed_on() == C::policy_type::expected);
        BOOST_CHECK(summary.status().algorithm() == apsp::algorithm::reduction);
        check_summary<T>(summary, distances, all_vertices(n), n);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_some_sources, C, policies_and_weights) {
  using T = typename C::weight;
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{1, 1},
                             {1, 17},
                             {3, 1025},
                             {40, 33},
                             {7, 5000},
                             {300, 2}}) {
    const std::uint64_t seed = 7 * n + k;
    BOOST_TEST_CONTEXT("k = " << k << ", n = " << n << ", seed = " << seed) {
      const auto distances = random_distances<T>(k, n, seed);
      random_numbers random(n);
      std::vector<std::size_t> sources;
      for (std::size_t i = 0; i < k; ++i) sources.push_back(i == 0 ? n - 1 : random.index(n));
      const apsp::device_matrix<T> on_device(distances);
      check_summary<T>(apsp::summarize_distances(C::policy(), on_device, sources), distances,
                       sources, n);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(histograms, C, policies_and_weights) {
  using T = typename C::weight;
  for (const std::size_t n : {0, 1, 33, 257, 600}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << 900 + n) {
      const auto m = random_distances<T>(n, n, 900 + n);
      const device_part<T> on_device(m, 3);
      // Few counts are kept in shared memory, many are not.
      for (const std::size_t count : {5, 30, 13000}) {
        const T width = std::is_integral_v<T> ? T{2} : static_cast<T>(0.5);
        const T first = -1;
        std::vector<T> edges;
        add_bound<T>(edges, first, width, count);
        const auto expected = expect_counts(m, all_vertices(n), edges);
        check_counts(
            apsp::distance_histogram(C::policy(), on_device.view(),
                                     apsp::histogram_bins<T>::of_width(first, width, count)),
            expected);
        check_counts(apsp::distance_histogram(C::policy(), on_device.view(),
                                              apsp::histogram_bins<T>::between(edges)),
                     expected);
      }
    }
  }
  const auto m = random_distances<T>(20, 300, 5);
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < 20; ++i) sources.push_back(299 - i);
  const std::vector<T> edges = {-2, 0, 1, 3, 10};
  check_counts(apsp::distance_histogram(C::policy(), apsp::device_matrix<T>(m), sources,
                                        apsp::histogram_bins<T>::between(edges)),
               expect_counts(m, sources, edges));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, C, policies_and_weights) {
  using T = typename C::weight;
  constexpr std::size_t n = 70;
  const auto m = random_distances<T>(n, n, 8);
  auto near = m;
  for (T& d : near) {
    if (d > 5) d = apsp::unreachable<T>;
  }
  const apsp::device_matrix<T> on_device(m);
  const auto policy = C::policy().cutoff(5);
  check_summary<T>(apsp::summarize_distances(policy, on_device), near, all_vertices(n), n);
  const std::vector<T> edges = {0, 2, 9};
  check_counts(apsp::distance_histogram(policy, on_device, apsp::histogram_bins<T>::between(edges)),
               expect_counts(near, all_vertices(n), edges));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(not_a_number, Policy, policies) {
  apsp::matrix<float> m(40, 40, 1);
  m[7][39] = std::nanf("");
  const apsp::device_matrix<float> on_device(m);
  BOOST_CHECK_THROW(static_cast<void>(apsp::summarize_distances(Policy::policy(), on_device)),
                    std::invalid_argument);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::distance_histogram(Policy::policy(), on_device,
                                                 apsp::histogram_bins<float>::of_width(0, 1, 4))),
      std::invalid_argument);
  const apsp::matrix<float> host(40, 40, 1);
  const apsp::device_matrix_view<const float> not_there(host.data(), 40, 40);
  BOOST_CHECK_THROW(static_cast<void>(apsp::summarize_distances(Policy::policy(), not_there)),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  constexpr std::size_t n = 9000;  // more rows than a step has
  const apsp::device_matrix<float> on_device(apsp::matrix<float>(n, 20, 2));
  const std::vector<int> sources(n, 3);
  std::vector<std::size_t> reports;
  const auto policy = Policy::policy().progress([&](std::size_t done, std::size_t total) {
    BOOST_CHECK_EQUAL(total, n);
    reports.push_back(done);
  });
  const auto summary = apsp::summarize_distances(policy, on_device, sources);
  BOOST_REQUIRE(summary);
  BOOST_CHECK_EQUAL(summary.num_pairs(), n * 19);
  BOOST_REQUIRE(!reports.empty());
  BOOST_CHECK(std::is_sorted(reports.begin(), reports.end()));
  BOOST_CHECK_EQUAL(reports.back(), n);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped =
      apsp::summarize_distances(Policy::policy().stop(stop.get_token()), on_device, sources);
  BOOST_CHECK(stopped.status().stopped() && stopped.sources().empty());
  BOOST_CHECK_THROW(static_cast<void>(apsp::summarize_distances(Policy::policy().memory_limit(1000),
                                                                on_device, sources)),
                    apsp::device_error);
}

#endif
