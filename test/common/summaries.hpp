// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/distance_statistics.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "generators.hpp"

// Random distances and their expected summaries.
namespace apsp_test {

__extension__ typedef __int128 wide;

template <class T>
struct expected_source {
  T eccentricity{};
  std::size_t farthest = 0;
  std::size_t num_reached = 0;
  std::conditional_t<std::is_integral_v<T>, wide, long double> sum{};
  long double inverse_sum = 0;
};

// Computes the summary of a row entry by entry.
template <class T, class Row>
expected_source<T> expect(const Row& row, std::size_t n, std::size_t source) {
  expected_source<T> e;
  e.farthest = source;
  bool is_first = true;
  for (std::size_t v = 0; v < n; ++v) {
    if (v != source && row[v] == apsp::unreachable<T>) continue;
    const T d = v == source ? T{} : row[v];
    if (is_first || d > e.eccentricity) {
      e.eccentricity = d;
      e.farthest = v;
      is_first = false;
    }
    if (v == source) continue;
    ++e.num_reached;
    e.sum += d;
    if (d != T{}) e.inverse_sum += 1.0L / static_cast<long double>(d);
  }
  return e;
}

inline bool is_close(long double got, long double expected, long double scale) {
  return got == expected || std::abs(got - expected) <= 1e-12L * scale;
}

template <class T, class Matrix>
void check_summary(const apsp::distance_summary<T>& summary, const Matrix& distances,
                   const std::vector<std::size_t>& sources, std::size_t n) {
  BOOST_REQUIRE(summary);
  BOOST_REQUIRE(summary.sources().size() == sources.size());
  BOOST_REQUIRE(summary.num_vertices() == n);
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    BOOST_TEST_CONTEXT("n = " << n << ", row " << i) {
      const auto e = expect<T>(distances[i], n, sources[i]);
      const apsp::source_summary<T>& s = summary[i];
      BOOST_REQUIRE(s.source == sources[i]);
      BOOST_REQUIRE(s.eccentricity == e.eccentricity);
      BOOST_REQUIRE(s.farthest == e.farthest);
      BOOST_REQUIRE(s.num_reached == e.num_reached);
      BOOST_REQUIRE(summary.all_reached(i) == (e.num_reached + 1 == n));
      long double scale = 0;
      long double inverse_scale = 0;
      for (std::size_t v = 0; v < n; ++v) {
        const T d = distances[i][v];
        if (v == sources[i] || d == apsp::unreachable<T>) continue;
        scale += std::abs(static_cast<long double>(d));
        if (d != T{}) inverse_scale += std::abs(1.0L / static_cast<long double>(d));
      }
      if constexpr (std::is_integral_v<T>) {
        BOOST_REQUIRE(wide(s.sum) == e.sum);
      } else {
        BOOST_REQUIRE(is_close(s.sum, e.sum, scale));
      }
      BOOST_REQUIRE(is_close(s.inverse_sum, e.inverse_sum, inverse_scale));
      BOOST_REQUIRE(summary.harmonic_closeness(i) == s.inverse_sum);
      const auto sum = static_cast<double>(s.sum);
      const double closeness = sum > 0 ? static_cast<double>(e.num_reached) / sum : 0;
      BOOST_REQUIRE(summary.closeness(i) == closeness);
      const double part =
          n < 2 ? 0 : static_cast<double>(e.num_reached) / static_cast<double>(n - 1);
      BOOST_REQUIRE(is_close(summary.wasserman_faust_closeness(i), closeness * part, 1));
      pairs += e.num_reached;
    }
  }
  BOOST_REQUIRE(summary.num_pairs() == pairs);
}

// Checks that the numbers are equal bit for bit.
template <class T>
bool same_bits(const apsp::distance_summary<T>& a, const apsp::distance_summary<T>& b) {
  bool same = a.sources().size() == b.sources().size();
  for (std::size_t i = 0; same && i < a.sources().size(); ++i) {
    const apsp::source_summary<T>& x = a[i];
    const apsp::source_summary<T>& y = b[i];
    same = x.source == y.source && x.farthest == y.farthest && x.num_reached == y.num_reached &&
           x.eccentricity == y.eccentricity && x.sum == y.sum &&
           std::memcmp(&x.inverse_sum, &y.inverse_sum, sizeof(double)) == 0;
  }
  return same;
}

// Returns distances of both signs, with zeros and ties, a third of them unreachable. In some rows
// all are unreachable.
template <class T>
apsp::matrix<T> random_distances(std::size_t rows, std::size_t n, std::uint64_t seed,
                                 std::int64_t low = -3, std::int64_t high = 40) {
  random_numbers random(seed);
  apsp::matrix<T> m(rows, n);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool reaches_nothing = i % 5 == 4;
    const bool all_negative = low < 0 && i % 7 == 6;
    for (std::size_t v = 0; v < n; ++v) {
      const bool is_unreachable = reaches_nothing || random.chance(0.33);
      const auto d = static_cast<T>(random(low, all_negative ? -1 : high));
      m[i][v] = is_unreachable ? apsp::unreachable<T>
                               : static_cast<T>(std::is_integral_v<T> ? d : d / T{4});
    }
  }
  return m;
}

/// Returns the counts between @p edges, then those below, above, and of unreachable pairs.
template <class T>
std::vector<std::uint64_t> expect_counts(const apsp::matrix<T>& m,
                                         const std::vector<std::size_t>& sources,
                                         const std::vector<T>& edges) {
  std::vector<std::uint64_t> counts(edges.size() + 2);
  const std::size_t bins = edges.size() - 1;
  for (std::size_t i = 0; i < m.rows(); ++i) {
    for (std::size_t v = 0; v < m.cols(); ++v) {
      if (v == sources[i]) continue;
      const T d = m[i][v];
      std::size_t place = bins + 1;
      if (d == apsp::unreachable<T>) {
        place = bins + 2;
      } else if (d < edges.front()) {
        place = bins;
      } else {
        for (std::size_t b = 0; b < bins && edges[b] <= d; ++b) {
          if (d < edges[b + 1]) place = b;
        }
      }
      ++counts[place];
    }
  }
  return counts;
}

inline void check_counts(const apsp::distance_counts& got,
                         const std::vector<std::uint64_t>& expected) {
  BOOST_REQUIRE(got);
  const std::size_t bins = expected.size() - 3;
  BOOST_REQUIRE(got.counts.size() == bins);
  BOOST_REQUIRE(std::equal(got.counts.begin(), got.counts.end(), expected.begin()));
  BOOST_REQUIRE(got.below == expected[bins]);
  BOOST_REQUIRE(got.above == expected[bins + 1]);
  BOOST_REQUIRE(got.unreachable == expected[bins + 2]);
}

template <class T>
void add_bound(std::vector<T>& edges, T first, T width, std::size_t count) {
  for (std::size_t b = 0; b <= count; ++b) {
    edges.push_back(static_cast<T>(first + width * static_cast<T>(b)));
  }
}

}  // namespace apsp_test
