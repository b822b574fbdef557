// SPDX-License-Identifier: BSL-1.0
// Tests of summaries and histograms of distances in matrices, and of those of shortest paths, whose
// rows are not stored.
#define BOOST_TEST_MODULE distance_summary
#include <algorithm>
#include <apsp/apsp.hpp>
#include <atomic>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/closeness_centrality.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/eccentricity.hpp>
#include <boost/mp11.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"
#include "../common/summaries.hpp"

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#endif

using namespace apsp_test;

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000};

/// The rows of some sources, as vectors.
template <class T, class Sources>
std::vector<std::vector<T>> rows_of(const apsp::matrix<T>& distances, const Sources& sources) {
  std::vector<std::vector<T>> rows;
  for (const std::size_t s : sources)
    rows.emplace_back(distances[s], distances[s] + distances.cols());
  return rows;
}

/// Checks that the counts of two histograms are the same.
void check_same_counts(const apsp::distance_counts& got, const apsp::distance_counts& expected) {
  BOOST_REQUIRE(got);
  BOOST_CHECK(got.counts == expected.counts && got.unreachable == expected.unreachable);
  BOOST_CHECK(got.below == expected.below && got.above == expected.above);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(matrices, C, in_places<policies_and_weights>) {
  using T = typename C::weight;
  for (const std::size_t n : sizes) {
    const std::uint64_t seed = 100 + n;
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto distances = random_distances<T>(n, n, seed);
      const auto summary = apsp::summarize_distances(C::policy(), C::results::put(distances));
#ifdef APSP_TEST_ON_DEVICE
      BOOST_CHECK(summary.status().executed_on() == C::expected);
#endif
      BOOST_CHECK(summary.status().algorithm() == apsp::algorithm::reduction);
      check_summary<T>(summary, distances, all_vertices(n), n);
      const matrix_part<typename C::results, T> part(distances, 5);
      check_summary<T>(apsp::summarize_distances(C::policy(), part.view()), distances,
                       all_vertices(n), n);
      const auto on_host = apsp::summarize_distances(apsp::seq, distances);
      if (runs_on_host(summary.status().executed_on())) BOOST_CHECK(same_bits(summary, on_host));
      BOOST_CHECK(summary.num_pairs() == on_host.num_pairs());
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_some_sources, C, in_places<policies_and_fewer_weights>) {
  using T = typename C::weight;
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{1, 1},
                             {1, 17},
                             {3, 1025},
                             {40, 33},
                             {7, 5000},
                             {300, 2}}) {
    const auto distances = random_distances<T>(k, n, 7 * n + k);
    random_numbers random(n);
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < k; ++i) sources.push_back(i == 0 ? n - 1 : random.index(n));
    check_summary<T>(apsp::summarize_distances(C::policy(), C::results::put(distances), sources),
                     distances, sources, n);
    // Vectors of rows, and the columns of a transposed matrix, contain the same rows.
    const auto rows = rows_of(distances, all_vertices(k));
    const std::vector<std::uint16_t> numbers(sources.begin(), sources.end());
    check_summary<T>(apsp::summarize_distances(C::policy(), rows, numbers), distances, sources, n);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(extremes, C, policies_and_weights) {
  using T = typename C::weight;
  const T far = apsp::unreachable<T>;
  // Vertex 3 reaches no other vertex; 1 and 2 both have a vertex at distance 9.
  const std::vector<std::vector<T>> distances = {
      {0, 5, 7, far}, {9, 0, 9, far}, {2, 9, 0, 1}, {far, far, far, 0}};
  const auto summary = apsp::summarize_distances(C::policy(), distances);
  BOOST_REQUIRE(summary);
  const auto is_from_1_to_0 = [](const auto& pair) { return pair.source == 1 && pair.target == 0; };
  BOOST_CHECK(summary.radius() == 0);
  BOOST_CHECK(summary.diameter().distance == 9 && is_from_1_to_0(summary.diameter()));
  BOOST_CHECK(!summary.all_reached() && summary.all_reached(2) && !summary.all_reached(3));
  BOOST_CHECK(summary.num_pairs() == 7);
  BOOST_CHECK(summary.total_distance() == 42);
  BOOST_CHECK(summary.mean_distance() == 6);
  BOOST_CHECK_CLOSE(summary.closeness(1), 2.0 / 18, 1e-12);
  BOOST_CHECK_CLOSE(summary.wasserman_faust_closeness(1), 2.0 / 18 * 2 / 3, 1e-12);
  BOOST_CHECK_CLOSE(summary.harmonic_closeness(2), 0.5 + 1.0 / 9 + 1, 1e-12);
  BOOST_CHECK(summary.closeness(3) == 0 && summary.harmonic_closeness(3) == 0);

  // The pair that is reported does not depend on the order of the sources.
  const std::vector<std::vector<T>> two = {distances[2], distances[1]};
  const auto of_two = apsp::summarize_distances(C::policy(), two, std::vector{2, 1});
  BOOST_CHECK(is_from_1_to_0(of_two.diameter()));
  BOOST_CHECK(of_two.radius() == 9);

  // The diagonal is not read, and a distance of 0 has no inverse.
  const std::vector<std::vector<T>> zeros = {{far, 0, 0}, {T(-1), 50, T(-1)}, {0, 4, 60}};
  const auto of_zeros = apsp::summarize_distances(C::policy(), zeros);
  BOOST_CHECK(of_zeros.all_reached());
  BOOST_CHECK(of_zeros[0].eccentricity == 0 && of_zeros[0].farthest == 0);
  BOOST_CHECK(of_zeros[1].eccentricity == 0 && of_zeros[1].farthest == 1);
  BOOST_CHECK(of_zeros[2].eccentricity == 4 && of_zeros[2].farthest == 1);
  BOOST_CHECK(of_zeros.closeness(0) == 0 && of_zeros.closeness(1) == 0);
  BOOST_CHECK(of_zeros.harmonic_closeness(0) == 0);
  BOOST_CHECK(of_zeros.harmonic_closeness(1) == -2);
  BOOST_CHECK(of_zeros.harmonic_closeness(2) == 0.25);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_vertices, P, policies) {
  const apsp::matrix<float> none;
  const auto summary = apsp::summarize_distances(P::policy(), none);
  BOOST_REQUIRE(summary);
  BOOST_CHECK(summary.sources().empty());
  BOOST_CHECK(summary.all_reached());
  BOOST_CHECK(summary.num_pairs() == 0);
  BOOST_CHECK(summary.total_distance() == 0);
  BOOST_CHECK(std::isnan(summary.mean_distance()));
  BOOST_CHECK_THROW(summary.radius(), std::logic_error);
  BOOST_CHECK_THROW(summary.diameter(), std::logic_error);
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 4);
  const auto counts = apsp::distance_histogram(P::policy(), none, bins);
  BOOST_REQUIRE(counts);
  BOOST_CHECK(counts.counts == std::vector<std::uint64_t>(4));
  const std::vector<std::vector<int>> no_rows;
  BOOST_CHECK(apsp::summarize_distances(P::policy(), no_rows).sources().empty());
  BOOST_CHECK(
      apsp::summarize_distances(P::policy(), no_rows, std::vector<int>{}).sources().empty());
}

// Sums that exceed 64 bits, and the limits of the range.
BOOST_AUTO_TEST_CASE_TEMPLATE(large_sums, P, policies) {
  constexpr std::size_t n = 70;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - 1;
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::lowest();
  apsp::matrix<std::int64_t> distances(n, n, most);
  for (std::size_t v = 0; v < n; ++v) distances[1][v] = least;
  for (std::size_t v = 0; v < n; ++v) distances[2][v] = v % 2 == 0 ? most : -1;
  const auto summary = apsp::summarize_distances(P::policy(), distances);
  BOOST_REQUIRE(summary);
  BOOST_CHECK(wide(summary[0].sum) == wide(most) * 69);
  BOOST_CHECK(wide(summary[1].sum) == wide(least) * 69);
  BOOST_CHECK(wide(summary[2].sum) == wide(most) * 34 - 35);
  BOOST_CHECK(summary[0].eccentricity == most && summary[0].farthest == 1);
  BOOST_CHECK(summary[1].eccentricity == 0 && summary[1].farthest == 1);
  BOOST_CHECK(wide(summary.total_distance()) ==
              wide(most) * (69 * 68 + 34) + wide(least) * 69 - 35);
  constexpr std::int32_t most_32 = std::numeric_limits<std::int32_t>::max() - 1;
  const apsp::matrix<std::int32_t> narrow(3, 5000, most_32);
  const auto of_narrow = apsp::summarize_distances(P::policy(), narrow, std::vector{0, 1, 4999});
  BOOST_CHECK(wide(of_narrow[2].sum) == wide(most_32) * 4999);
  BOOST_CHECK(of_narrow[0].eccentricity == most_32 && of_narrow[0].farthest == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(histograms, C, in_places<policies_and_weights>) {
  using T = typename C::weight;
  for (const std::size_t n : sizes) {
    const auto m = random_distances<T>(n, n, 900 + n);
    const auto placed = C::results::put(m);
    const matrix_part<typename C::results, T> part(m, 3);
    const auto all = all_vertices(n);
    for (const std::size_t count : {0, 1, 5, 30, 20000}) {
      if (n > 300 && count != 30 && count != 20000) continue;
      BOOST_TEST_CONTEXT("n = " << n << ", " << count << " bins") {
        // Values are on the edges of bins, below and above. Widths and first edges are exact in
        // floating point.
        const T width = std::is_integral_v<T> ? T{2} : static_cast<T>(0.5);
        const T first = -1;
        const std::size_t bins = count == 20000 && n > 300 ? 13000 : count;
        std::vector<T> edges;
        add_bound<T>(edges, first, width, std::min<std::size_t>(bins, 50));
        auto expected = expect_counts(m, all, edges);
        // No distance is in bin 50 or above.
        expected.insert(expected.end() - 3, bins - std::min<std::size_t>(bins, 50), 0);
        const auto check = [&](const apsp::histogram_bins<T>& wanted) {
          check_counts(apsp::distance_histogram(C::policy(), placed, wanted), expected);
          check_counts(apsp::distance_histogram(C::policy(), part.view(), wanted), expected);
        };
        check(apsp::histogram_bins<T>::of_width(first, width, bins));
        if (count == 0) continue;
        edges.clear();
        add_bound<T>(edges, first, width, bins);
        check(apsp::histogram_bins<T>::between(edges));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(histogram_of_uneven_bins, C, in_places<policies_and_weights>) {
  using T = typename C::weight;
  constexpr T lowest = std::numeric_limits<T>::lowest();
  const std::vector<T> edges = {-2, 0, 1, 3, 10};
  const auto m = random_distances<T>(20, 300, 5);
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < 20; ++i) sources.push_back(299 - i);
  check_counts(apsp::distance_histogram(C::policy(), C::results::put(m), sources,
                                        apsp::histogram_bins<T>::between(edges)),
               expect_counts(m, sources, edges));
  // Offsets from the first edge that the type cannot represent.
  const T most = std::is_integral_v<T> ? static_cast<T>(apsp::unreachable<T> - 1)
                                       : std::numeric_limits<T>::max();
  apsp::matrix<T> far(3, 3, 0);
  far[0][1] = lowest;
  far[0][2] = most;
  far[1][0] = -1;
  far[1][2] = 1;
  const auto counts = apsp::distance_histogram(
      C::policy(), C::results::put(far),
      apsp::histogram_bins<T>::of_width(lowest, std::numeric_limits<T>::max() / 2, 4));
  BOOST_REQUIRE(counts);
  if constexpr (std::is_integral_v<T>) {
    BOOST_CHECK((counts.counts == std::vector<std::uint64_t>{1, 0, 4, 0}));
    BOOST_CHECK(counts.above == 1 && counts.below == 0);
  } else {
    BOOST_CHECK(counts.counts[0] == 1);
    BOOST_CHECK(counts.counts[2] == 4);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, C, in_places<policies_and_fewer_weights>) {
  using T = typename C::weight;
  const auto m = random_distances<T>(50, 50, 11);
  auto cut = m;
  for (T& d : cut) {
    if (d > T{5}) d = apsp::unreachable<T>;
  }
  const auto policy = C::policy().cutoff(5);
  const auto placed = C::results::put(m);
  check_summary<T>(apsp::summarize_distances(policy, placed), cut, all_vertices(50), 50);
  const std::vector<T> edges = {0, 2, 9};
  check_counts(apsp::distance_histogram(policy, placed, apsp::histogram_bins<T>::between(edges)),
               expect_counts(cut, all_vertices(50), edges));
  const auto bins = apsp::histogram_bins<T>::of_width(-10, 1, 100);
  const auto counts = apsp::distance_histogram(policy, placed, bins);
  check_same_counts(counts, apsp::distance_histogram(apsp::seq, cut, bins));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(not_a_number, P, in_places<policies>) {
  for (const std::size_t n : {1, 2, 100, 1500}) {
    apsp::matrix<float> m(n, n, 1.0F);
    const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 3);
    m[n - 1][n - 1] = std::nanf("");  // the diagonal is not read
    const auto right = P::results::put(m);
    BOOST_CHECK(apsp::summarize_distances(P::policy(), right));
    BOOST_CHECK(apsp::distance_histogram(P::policy(), right, bins));
    if (n == 1) continue;
    m[n - 1][n - 2] = std::nanf("");
    const auto wrong = P::results::put(m);
    BOOST_CHECK_THROW(apsp::summarize_distances(P::policy(), wrong), std::invalid_argument);
    BOOST_CHECK_THROW(apsp::distance_histogram(P::policy(), wrong, bins), std::invalid_argument);
  }
}

// The inverse of minus infinity is 0, wherever it stands among others.
BOOST_AUTO_TEST_CASE_TEMPLATE(minus_infinity, P, in_places<policies>) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const std::size_t at : {1, 2, 3, 4, 17, 99}) {
      apsp::matrix<T> m(100, 100, T{4});
      m[0][at] = -std::numeric_limits<T>::infinity();
      const auto summary = apsp::summarize_distances(P::policy(), P::results::put(m));
      BOOST_REQUIRE(summary);
      BOOST_CHECK_EQUAL(summary[0].inverse_sum, 98 * 0.25);
      BOOST_CHECK_EQUAL(summary[1].inverse_sum, 99 * 0.25);
      BOOST_CHECK_EQUAL(summary[0].num_reached, 99u);
      BOOST_CHECK_EQUAL(summary[0].eccentricity, T{4});
    }
  };
  check(float{});
  check(double{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wrong_arguments, P, policies) {
  const apsp::matrix<int> m(3, 4);
  const auto refused = [](auto call) { BOOST_CHECK_THROW(call(), std::invalid_argument); };
  refused([&] { apsp::summarize_distances(P::policy(), m); });
  refused([&] { apsp::summarize_distances(P::policy(), m, std::vector{0, 1}); });
  check_refused([&] { apsp::summarize_distances(P::policy(), m); },
                "3 x 4: expected a square one, or the sources of its rows");
  refused([&] { apsp::summarize_distances(P::policy(), m, std::vector{0, 1, 2, 3}); });
  refused([&] { apsp::summarize_distances(P::policy(), m, std::vector{0, 1, 4}); });
  refused([&] { apsp::summarize_distances(P::policy(), m, std::vector{0, 1, -1}); });
  const std::vector<std::vector<double>> ragged = {{0, 1}, {0}};
  refused([&] { apsp::summarize_distances(P::policy(), ragged); });
  const auto bins = apsp::histogram_bins<int>::of_width(0, 1, 3);
  refused([&] { apsp::distance_histogram(P::policy(), m, bins); });
  refused([&] { apsp::distance_histogram(P::policy(), m, std::vector{3}, bins); });
  const apsp::matrix<int> loop(1, 1, -1);
  BOOST_CHECK(!apsp::summarize_paths(P::policy(), loop));
  refused([&] { apsp::summarize_paths(P::policy(), m); });
  refused([&] { apsp::summarize_paths(P::policy(), loop, std::vector{1}); });
}

BOOST_AUTO_TEST_CASE(wrong_bins) {
  using bins = apsp::histogram_bins<double>;
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  for (const auto& [first, width] :
       {std::pair{0.0, 0.0}, {0, -1}, {0, nan}, {0, infinity}, {-infinity, 1}}) {
    BOOST_TEST_INFO("bins from " << first << " of width " << width);
    BOOST_CHECK_THROW(bins::of_width(first, width, 1), std::invalid_argument);
  }
  for (const std::vector<double>& edges :
       {std::vector<double>{}, {1}, {1, 1}, {1, 3, 2}, {1, nan, 2}}) {
    BOOST_TEST_INFO(edges.size() << " edges");
    BOOST_CHECK_THROW(bins::between(edges), std::invalid_argument);
  }
  BOOST_CHECK(bins::between({-infinity, 0, infinity}).size() == 2);
  // The counts are followed by a few internal ones; the total must not wrap around.
  for (const std::size_t fewer : {0u, 1u, 4u, 1000u}) {
    BOOST_CHECK_THROW(bins::of_width(0, 1, std::numeric_limits<std::size_t>::max() - fewer),
                      std::length_error);
  }
}

namespace {

// A column-major matrix with the interface of an mdspan.
template <class T>
struct columns {
  const std::vector<T>* entries;
  std::size_t rows;
  std::size_t cols;
  static constexpr std::size_t rank() { return 2; }
  const T* data_handle() const { return entries->data(); }
  std::size_t extent(std::size_t d) const { return d == 0 ? rows : cols; }
  std::size_t stride(std::size_t d) const { return d == 0 ? 1 : rows; }
};

// A matrix known only by its call operator, which two threads must not call at once.
template <class T>
struct called {
  const apsp::matrix<T>* matrix;
  mutable std::atomic<int>* readers;
  std::size_t rows() const { return matrix->rows(); }
  std::size_t cols() const { return matrix->cols(); }
  T operator()(std::size_t i, std::size_t j) const {
    const bool is_alone = readers->fetch_add(1) == 0;
    const T value = (*matrix)(i, j);
    readers->fetch_sub(1);
    if (!is_alone) throw std::logic_error("two readers");
    return value;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_matrices, C, policies_and_fewer_weights) {
  using T = typename C::weight;
  for (const std::size_t n : {1, 15, 16, 17, 130}) {
    const auto m = random_distances<T>(n, n, 31 * n);
    const auto expected = apsp::summarize_distances(C::policy(), m);
    std::vector<T> entries(n * n);
    for_each_pair(n, [&](std::size_t i, std::size_t v) { entries[v * n + i] = m[i][v]; });
    const columns<T> by_columns{&entries, n, n};
    BOOST_CHECK(same_bits(apsp::summarize_distances(C::policy(), by_columns), expected));
    std::atomic<int> readers = 0;
    const called<T> by_calls{&m, &readers};
    BOOST_CHECK(same_bits(apsp::summarize_distances(C::policy(), by_calls), expected));
    const auto bins = apsp::histogram_bins<T>::of_width(-1, 1, 20);
    const auto counts = apsp::distance_histogram(C::policy(), m, bins).counts;
    BOOST_CHECK(apsp::distance_histogram(C::policy(), by_columns, bins).counts == counts);
    BOOST_CHECK(apsp::distance_histogram(C::policy(), by_calls, bins).counts == counts);
#if __has_include(<Eigen/Core>)
    const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> eigen =
        Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>(
            entries.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    BOOST_CHECK(same_bits(apsp::summarize_distances(C::policy(), eigen), expected));
#endif
  }
  const T plain[2][2] = {{0, 3}, {4, 0}};
  BOOST_CHECK(apsp::summarize_distances(C::policy(), plain).diameter().distance == 4);
}

namespace {

using other_types = std::tuple<std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, long long,
                               unsigned long long, long double>;

template <class T>
void check_on_host() {
  for (const std::size_t n : {0, 1, 40, 1100}) {
    const auto m = random_distances<T>(n, n, n, 0, 100);
    const auto summary = apsp::summarize_distances(apsp::cuda_tiled, m);
    BOOST_CHECK(!summary.status().fallback_reason().empty());
    check_summary<T>(summary, m, all_vertices(n), n);
    BOOST_CHECK(same_bits(summary, apsp::summarize_distances(apsp::seq, m)));
    const std::vector<T> edges = {0, 1, 2, 30, 70};
    check_counts(apsp::distance_histogram(apsp::omp, m, apsp::histogram_bins<T>::between(edges)),
                 expect_counts(m, all_vertices(n), edges));
    const std::vector<T> even = {10, 30, 50, 70};
    check_counts(
        apsp::distance_histogram(apsp::omp, m, apsp::histogram_bins<T>::of_width(10, 20, 3)),
        expect_counts(m, all_vertices(n), even));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(types_without_kernels) {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, other_types>>(
      [](auto type) { check_on_host<typename decltype(type)::type>(); });
  const apsp::matrix<std::uint32_t> m(2);
  BOOST_CHECK_THROW(apsp::summarize_distances(apsp::cuda_naive.required(), m), apsp::device_error);
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - 1;
  const apsp::matrix<std::uint64_t> large(3, 3, most);
  BOOST_CHECK(wide(apsp::summarize_distances(apsp::omp, large)[1].sum) == wide(most) * 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observation, P, policies) {
  const auto m = random_distances<float>(600, 600, 1);
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 3);
  check_watched_and_stopped(P::policy(), 600, [&](const auto& policy) {
    return apsp::summarize_distances(policy, m).status();
  });
  check_watched_and_stopped(P::policy(), 600, [&](const auto& policy) {
    return apsp::distance_histogram(policy, m, bins).status;
  });
  const auto stopped = apsp::summarize_distances(P::policy().stop(requested_stop()), m);
  BOOST_CHECK(!stopped && stopped.status().stopped() && stopped.sources().empty());
  const auto counts = apsp::distance_histogram(P::policy().stop(requested_stop()), m, bins);
  BOOST_CHECK(!counts && counts.status.stopped() && counts.counts == std::vector<std::uint64_t>(3));

  const auto failing =
      P::policy().progress([](std::size_t, std::size_t) { throw std::runtime_error("no more"); });
  BOOST_CHECK_THROW(apsp::summarize_distances(failing, m), std::runtime_error);
  BOOST_CHECK_THROW(apsp::distance_histogram(failing, m, bins), std::runtime_error);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observation_of_many_rows, P, in_places<policies>) {
  constexpr std::size_t n = 9000;  // more rows than one step processes
  const auto rows = P::results::put(apsp::matrix<float>(n, 20, 2));
  const std::vector<int> sources(n, 3);
  check_progress(P::policy(), n, [&](const auto& policy) {
    const auto summary = apsp::summarize_distances(policy, rows, sources);
    BOOST_CHECK_EQUAL(summary.num_pairs(), n * 19);
    return summary.status();
  });
  const auto stopped = apsp::summarize_distances(P::policy().stop(requested_stop()), rows, sources);
  BOOST_CHECK(stopped.status().stopped() && stopped.sources().empty());
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(memory_limits, P, policies) {
  using namespace apsp::literals;
  // 17 rows of 400 KB: blocks of 8 MiB do not fit, one or two rows do.
  constexpr std::size_t n = 100000;
  const auto m = random_distances<float>(17, n, 3);
  const auto sources = all_vertices(17);
  check_summary<float>(apsp::summarize_distances(P::policy().memory_limit(1_MiB), m, sources), m,
                       sources, n);
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 3);
  BOOST_CHECK(apsp::distance_histogram(P::policy().memory_limit(1_MiB), m, sources, bins).counts ==
              apsp::distance_histogram(apsp::seq, m, sources, bins).counts);
  BOOST_CHECK_THROW(apsp::summarize_distances(P::policy().memory_limit(100_KiB), m, sources),
                    apsp::device_error);
}
#endif

// Summaries of paths.

BOOST_AUTO_TEST_CASE_TEMPLATE(streamed_rows, C, policies_and_fewer_weights) {
  using T = typename C::weight;
  for (const std::size_t n : {0, 1, 2, 33, 257}) {
    for (const bool negative : {false, true}) {
      BOOST_TEST_CONTEXT("n = " << n << ", negative " << negative) {
        const double p = n == 0 ? 0 : 3.0 / static_cast<double>(n);
        const auto g =
            negative ? negative_graph<T>(n, p, 70 + n) : random_graph<T>(n, p, 0, 30, 70 + n);
        apsp::matrix<T> distances(n);
        BOOST_REQUIRE(apsp::johnson(C::policy(), g.view(), distances));
        const auto streamed = apsp::summarize_paths(C::policy(), g.view());
        check_summary<T>(streamed, distances, all_vertices(n), n);
        // All these distances are exact in floating point. Sums of inverses are not, and batches
        // of sources add them up in another order.
        const apsp::algorithm ran = streamed.status().algorithm();
        if (runs_on_host(streamed.status().executed_on()) && ran != apsp::algorithm::elimination &&
            ran != apsp::algorithm::bellman_ford) {
          BOOST_CHECK(same_bits(streamed, apsp::summarize_distances(apsp::seq, distances)));
        }
        const auto bins = apsp::histogram_bins<T>::of_width(-5, 3, 10);
        const auto counts = apsp::path_length_histogram(C::policy(), g.view(), bins);
        check_same_counts(counts, apsp::distance_histogram(apsp::seq, distances, bins));
        if (n == 0) continue;
        const std::list<std::size_t> some = {n - 1, 0, n / 2, 0};
        const auto of_some = apsp::summarize_paths(C::policy(), g.view(), some);
        const auto rows = rows_of(distances, some);
        check_summary<T>(of_some, rows, {some.begin(), some.end()}, n);
        const auto counts_of_some = apsp::path_length_histogram(C::policy(), g.view(), some, bins);
        BOOST_CHECK(counts_of_some.counts ==
                    apsp::distance_histogram(apsp::seq, rows, some, bins).counts);
      }
    }
  }
}

namespace {

/// Two grids that are not connected, with arcs of weight 0 and one-way arcs.
template <class T>
arc_list<T> two_grids(std::size_t side, bool negative, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t size = side * side;
  arc_list<T> g{2 * size, {}, {}, {}};
  std::vector<T> potentials;
  for (std::size_t v = 0; v < 2 * size; ++v) {
    potentials.push_back(negative ? static_cast<T>(random(0, 40)) : T{});
  }
  const auto connect = [&](std::size_t u, std::size_t v) {
    const auto w = static_cast<T>(random(0, 30));
    g.add(u, v, static_cast<T>(w + potentials[u] - potentials[v]));
    if (random.index(4) == 0) return;
    g.add(v, u, static_cast<T>(w + potentials[v] - potentials[u]));
  };
  for (std::size_t first : {std::size_t{0}, size}) {
    for (std::size_t v = 0; v < size; ++v) {
      if (v % side + 1 < side) connect(first + v, first + v + 1);
      if (v + side < size) connect(first + v, first + v + side);
    }
  }
  return g;
}

}  // namespace

// With a hierarchy, distances are added up during the sweeps. Numbers of sources that fill lanes,
// batches and groups, or not; in the order of the vertices and not; several times with one
// hierarchy.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy, C, policies_and_fewer_weights) {
  using T = typename C::weight;
  for (const bool negative : {false, true}) {
    if (negative && std::is_unsigned_v<T>) continue;
    const auto g = two_grids<T>(14, negative, 5);
    const std::size_t n = g.n;
    apsp::matrix<T> distances(n);
    BOOST_REQUIRE(apsp::johnson(apsp::seq, g.view(), distances));
    const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
    random_numbers random(9);
    for (const std::size_t k : {1, 15, 16, 17, 64, 65, 130, 392, 15}) {
      BOOST_TEST_CONTEXT("negative " << negative << ", " << k << " sources") {
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < k; ++i) sources.push_back(k == n ? i : random.index(n));
        const auto summary = apsp::summarize_paths(C::policy(), prepared, sources);
        check_summary<T>(summary, rows_of(distances, sources), sources, n);
        if (k == n) {
          BOOST_CHECK(summary.status().algorithm() == apsp::algorithm::elimination);
        }
        if (runs_on_host(summary.status().executed_on())) {
          BOOST_CHECK(
              same_bits(summary, apsp::summarize_paths(apsp::omp.threads(3), prepared, sources)));
        }
      }
    }
  }
}

// One hierarchy serves calls of several threads.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy_by_threads, P, policies) {
  const auto g = two_grids<float>(20, false, 6);
  const std::size_t n = g.n;
  const apsp::contraction_hierarchy<float> prepared(apsp::seq, g.view());
  const auto expected = apsp::summarize_paths(apsp::seq, prepared);
  std::vector<char> is_equal(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < is_equal.size(); ++t) {
    threads.emplace_back([&, t] {
      bool all = true;
      for (std::size_t k : {n, n / 4 + t, std::size_t{5}, n}) {
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < k; ++i) sources.push_back((i * 7 + t) % n);
        const auto summary = apsp::summarize_paths(P::policy(), prepared, sources);
        all = all && summary && summary.sources().size() == k;
        for (std::size_t i = 0; all && i < k; ++i) {
          const auto& a = summary[i];
          const auto& b = expected[sources[i]];
          all = a.eccentricity == b.eccentricity && a.farthest == b.farthest &&
                a.num_reached == b.num_reached && a.sum == b.sum;
        }
      }
      is_equal[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char equal : is_equal) BOOST_CHECK(equal);
}

// Hops are the distances of the same graph without weights.
BOOST_AUTO_TEST_CASE_TEMPLATE(hops, P, policies) {
  arc_list<float> path{6, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < 6; ++v) path.add_undirected(v, v + 1, 2.5F);
  const auto g = path.view();
  const auto counts = apsp::path_length_histogram(P::policy(), apsp::unweighted(g),
                                                  apsp::histogram_bins<int>::of_width(0, 1, 5));
  BOOST_REQUIRE(counts);
  BOOST_CHECK((counts.counts == std::vector<std::uint64_t>{0, 10, 8, 6, 4}));
  BOOST_CHECK(counts.above == 2 && counts.below == 0 && counts.unreachable == 0);
  const auto summary = apsp::summarize_paths<double>(P::policy(), g);
  BOOST_CHECK(summary.diameter().distance == 12.5);
  BOOST_CHECK(summary.radius() == 7.5);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, P, policies) {
  const auto g = make_graph<int>(3, {{0, 1, 1}, {1, 2, -3}, {2, 0, 1}});
  const auto summary = apsp::summarize_paths(P::policy(), g.view());
  BOOST_CHECK(!summary);
  BOOST_CHECK(summary.status().negative_cycle().size() == 4);
  BOOST_CHECK(summary.sources().empty());
  const auto counts = apsp::path_length_histogram(P::policy(), g.view(),
                                                  apsp::histogram_bins<int>::of_width(0, 1, 3));
  BOOST_CHECK(!counts);
  BOOST_CHECK(counts.counts == std::vector<std::uint64_t>(3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observation_of_paths, P, policies) {
  const auto g = random_graph<float>(200, 0.05, 0, 30, 1);
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 3);
  std::size_t last = 0;
  const auto watched =
      P::policy().progress([&](std::size_t done, std::size_t) { last = std::max(last, done); });
  BOOST_CHECK(apsp::summarize_paths(watched, g.view()));
  BOOST_CHECK(last == 200);
  const auto policy = P::policy().stop(requested_stop());
  const auto stopped = apsp::summarize_paths(policy, g.view());
  BOOST_CHECK(!stopped && stopped.status().stopped() && stopped.sources().empty());
  BOOST_CHECK(apsp::path_length_histogram(policy, g.view(), bins).status.stopped());
}

// Boost.Graph's measures of the same distances.
BOOST_AUTO_TEST_CASE_TEMPLATE(boost_measures, P, policies) {
  using graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  for (const std::uint64_t seed : {1, 2, 3}) {
    random_numbers random(seed);
    const std::size_t n = 20 + random.index(40);
    graph g(n);
    arc_list<double> arcs{n, {}, {}, {}};
    for (std::size_t v = 1; v < n; ++v) {
      for (const std::size_t u : {random.index(v), random.index(v)}) {
        const auto w = static_cast<double>(random(1, 9));
        boost::add_edge(u, v, w, g);
        arcs.add_undirected(u, v, w);
      }
    }
    apsp::matrix<double> distances(n);
    for (std::size_t s = 0; s < n; ++s) {
      boost::dijkstra_shortest_paths(g, s,
                                     boost::distance_map(boost::make_iterator_property_map(
                                         distances[s], boost::get(boost::vertex_index, g))));
    }
    const auto summary = apsp::summarize_paths(P::policy(), arcs.view());
    BOOST_TEST_CONTEXT("seed " << seed) {
      double radius = std::numeric_limits<double>::max();
      double diameter = 0;
      for (std::size_t v = 0; v < n; ++v) {
        const auto row =
            boost::make_iterator_property_map(distances[v], boost::get(boost::vertex_index, g));
        const double eccentricity = boost::eccentricity(g, row);
        BOOST_CHECK(summary[v].eccentricity == eccentricity);
        radius = std::min(radius, eccentricity);
        diameter = std::max(diameter, eccentricity);
        // Boost defines closeness as 1 / sum.
        const double closeness = boost::closeness_centrality(g, row);
        BOOST_CHECK_CLOSE(summary.closeness(v), closeness * static_cast<double>(n - 1), 1e-10);
      }
      BOOST_CHECK(summary.radius() == radius);
      BOOST_CHECK(summary.diameter().distance == diameter);
    }
  }
}
