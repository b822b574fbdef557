// SPDX-License-Identifier: BSL-1.0
// Products of rectangular matrices against the triple loop.
#define BOOST_TEST_MODULE product
#include <boost/test/unit_test.hpp>
#include "common/semirings.hpp"

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/graphs.hpp"
#include "common/policies.hpp"
#include "common/products.hpp"

using namespace apsp_test;

namespace {

template <class Policy, class S>
void check_every_shape(std::int64_t low, std::int64_t high) {
  using T = typename S::value_type;
  random_numbers random(17);
  for (const product_shape& s : product_shapes) {
    BOOST_TEST_CONTEXT(s.rows << " x " << s.depth << " times " << s.depth << " x " << s.columns
                              << ", seed = 17") {
      const auto a = random_matrix<S>(s.rows, s.depth, low, high, random);
      const auto b = random_matrix<S>(s.depth, s.columns, low, high, random);
      auto c = random_matrix<S>(s.rows, s.columns, low, high, random);
      auto expected = c;
      triple_loop<S, T>(a, b, expected);
      const auto done = apsp::semiring_product(Policy::policy(), a, b, c, S{});
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.executed_on() == Policy::expected || !done.fallback_reason().empty());
      BOOST_CHECK(done.algorithm() == apsp::algorithm::product);
      BOOST_CHECK(c == expected);
    }
  }
}

/// A square part of a matrix, with the members of an mdspan.
template <class T>
struct window {
  T* data;
  std::size_t pitch;
  std::size_t n;

  static constexpr std::size_t rank() { return 2; }
  T* data_handle() const { return data; }
  std::size_t extent(std::size_t) const { return n; }
  std::size_t stride(std::size_t dimension) const { return dimension == 0 ? pitch : 1; }
};

template <class Policy, class T>
void check_aliases() {
  using S = apsp::min_plus<T>;
  random_numbers random(5);
  const auto a = random_matrix<S>(70, 70, 1, 99, random);
  const auto b = random_matrix<S>(70, 70, 1, 99, random);
  const auto expect = [](auto x, const auto& y, auto z) {
    triple_loop<S, T>(x, y, z);
    return z;
  };
  auto c = a;
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), c, b, c));
  BOOST_CHECK(c == expect(a, b, a));
  c = b;
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, c, c));
  BOOST_CHECK(c == expect(a, b, b));
  c = a;
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), c, c, c));
  BOOST_CHECK(c == expect(a, a, a));

  std::vector<std::vector<T>> rows(70, std::vector<T>(70, T{3}));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), rows, b, rows));
  apsp::matrix<T> threes(70, 70, T{3});
  const auto from_rows = expect(threes, b, threes);
  for (std::size_t i = 0; i < 70; ++i) {
    BOOST_CHECK(std::equal(rows[i].begin(), rows[i].end(), from_rows[i]));
  }

  // Windows of one buffer, that overlap or do not.
  for (const std::size_t down : {0, 1, 30, 40, 41}) {
    apsp::matrix<T> buffer(90, 90);
    for (T& x : buffer) x = static_cast<T>(random(1, 99));
    const apsp::matrix<T> before = buffer;
    const auto window_of = [](apsp::matrix<T>& m, std::size_t row, std::size_t column) {
      return window<T>{m[row] + column, 90, 40};
    };
    auto factor = window_of(buffer, 3, 2);
    auto result = window_of(buffer, 3 + down, 2 + down);
    apsp::matrix<T> x(40), y(40, 40, T{5}), z(40);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 40; ++j) {
        x[i][j] = before[3 + i][2 + j];
        z[i][j] = before[3 + down + i][2 + down + j];
      }
    }
    BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), factor, y, result));
    const auto expected = expect(x, y, z);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 40; ++j) {
        BOOST_REQUIRE_EQUAL(buffer[3 + down + i][2 + down + j], expected[i][j]);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_shape, With, policies_and_weights) {
  using S = apsp::min_plus<typename With::weight>;
  check_every_shape<typename With::policy_type, S>(1, 1000);
  check_every_shape<typename With::policy_type, S>(-1000, 1000);
}

// Factors of integers are read in place where nothing is unreachable, and coded in a copy elsewhere.
BOOST_AUTO_TEST_CASE_TEMPLATE(some_matrices_have_unreachable_entries, With, policies_and_weights) {
  using S = apsp::min_plus<typename With::weight>;
  using T = typename S::value_type;
  random_numbers random(41);
  for (unsigned full = 0; full < 8; ++full) {
    BOOST_TEST_CONTEXT("full = " << full << ", seed = 41") {
      const auto make = [&](std::size_t rows, std::size_t columns, unsigned bit) {
        return random_matrix<S>(rows, columns, -99, 999, random, (full & bit) != 0 ? 1 : 0.02);
      };
      const auto a = make(67, 131, 1);
      const auto b = make(131, 65, 2);
      auto c = make(67, 65, 4);
      auto expected = c;
      triple_loop<S, T>(a, b, expected);
      const auto done = apsp::min_plus_product(With::policy_type::policy(), a, b, c);
      BOOST_REQUIRE(done);
      BOOST_CHECK(!done.saturated());
      BOOST_CHECK(c == expected);

      auto square = make(66, 66, 1);
      const auto before = square;
      auto expected_square = before;
      triple_loop<S, T>(before, before, expected_square);
      BOOST_REQUIRE(apsp::min_plus_product(With::policy_type::policy(), square, square, square));
      BOOST_CHECK(square == expected_square);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_semiring, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  const bool is_reliability = std::is_same_v<S, apsp::max_times<typename Over::value>>;
  check_every_shape<typename Over::policy_type, S>(
      is_reliability ? 0 : -500,
      std::is_integral_v<typename Over::value> && is_reliability ? 1 : 512);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(result_is_a_factor, Policy, policies) {
  check_aliases<Policy, float>();
  check_aliases<Policy, std::int32_t>();
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(larger_than_few, Policy, policies) {
  // Beyond the size from which on tiles are larger.
  using S = apsp::min_plus<float>;
  random_numbers random(3);
  for (const std::int64_t low : {0, -9}) {
    const auto a = random_matrix<S>(2561, 2570, low, 99, random);
    const auto b = random_matrix<S>(2570, 2563, low, 99, random);
    apsp::matrix<float> c(2561, 2563, apsp::unreachable<float>);
    BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c));
    for (int sample = 0; sample < 300; ++sample) {
      const std::size_t i = random.index(2561);
      const std::size_t j = random.index(2563);
      float least = apsp::unreachable<float>;
      for (std::size_t k = 0; k < 2570; ++k) least = std::min(least, a[i][k] + b[k][j]);
      BOOST_REQUIRE_EQUAL(c[i][j], least);
    }
  }
}

#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit, Policy, policies) {
  const auto check = []<class T>(T) {
    constexpr T inf = apsp::unreachable<T>;
    constexpr T large = inf - 1;
    constexpr T low = std::numeric_limits<T>::lowest();
    apsp::matrix<T> a(2, 3, inf);
    apsp::matrix<T> b(3, 4, inf);
    a[0][0] = large;
    b[0][0] = 1;      // just too long
    b[0][1] = T(-1);  // just fits
    a[1][1] = low;
    b[1][2] = T(-1);  // too negative
    b[1][3] = 0;
    apsp::matrix<T> c(2, 4, inf);
    const auto done = apsp::min_plus_product(Policy::policy(), a, b, c);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    BOOST_CHECK_EQUAL(c[0][0], inf);
    BOOST_CHECK_EQUAL(c[0][1], large - 1);
    BOOST_CHECK_EQUAL(c[0][2], inf);
    BOOST_CHECK_EQUAL(c[1][0], inf);
    BOOST_CHECK_EQUAL(c[1][2], low);
    BOOST_CHECK_EQUAL(c[1][3], low);
  };
  check(std::int32_t{});
#ifndef APSP_TEST_ON_DEVICE
  check(std::int16_t{});
#endif
  check(std::int64_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(entries_of_other_types, Policy, policies) {
  const auto product = []<class A, class B, class C>(A x, B y, C z) {
    const apsp::matrix<A> a(1, 1, x);
    const apsp::matrix<B> b(1, 1, y);
    apsp::matrix<C> c(1, 1, z);
    BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c));
    return c[0][0];
  };
  constexpr auto none32 = apsp::unreachable<std::int32_t>;
  constexpr auto none64 = apsp::unreachable<std::int64_t>;
  BOOST_CHECK_EQUAL(product(none64, std::int64_t{5}, std::int32_t{100}), 100);
  BOOST_CHECK_EQUAL(product(none32, 1.0, apsp::unreachable<double>), apsp::unreachable<double>);
  BOOST_CHECK_EQUAL(product(apsp::unreachable<std::uint32_t>, std::int64_t{1}, none64), none64);
  BOOST_CHECK_EQUAL(product(std::int16_t{3}, std::uint8_t{4}, none32), 7);
  BOOST_CHECK_THROW(product(std::int64_t{1} << 32, std::int64_t{5}, std::int32_t{100}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(product(1e300, 1.0, 1.0F), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinities, Policy, policies) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const apsp::matrix<double> a(1, 2, inf);
  apsp::matrix<double> b(2, 1, -inf);
  apsp::matrix<double> c(1, 1, 7);
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c));
  BOOST_CHECK_EQUAL(c[0][0], 7);  // what is unreachable absorbs
  const apsp::matrix<double> d(1, 2, 1);
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), d, b, c));
  BOOST_CHECK_EQUAL(c[0][0], -inf);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_kinds_of_matrices, Policy, policies) {
  using S = apsp::min_plus<float>;
  random_numbers random(29);
  const auto a = random_matrix<S>(40, 50, 1, 99, random);
  const auto b = random_matrix<S>(50, 60, 1, 99, random);
  apsp::matrix<float> expected(40, 60, apsp::unreachable<float>);
  triple_loop<S>(a, b, expected);
  // Weights of another type, rows that are vectors, and a result in columns.
  std::vector<std::vector<double>> rows(40, std::vector<double>(50));
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t k = 0; k < 50; ++k) rows[i][k] = static_cast<double>(a[i][k]);
  }
  struct columns {
    std::vector<float> entries = std::vector<float>(40 * 60, apsp::unreachable<float>);
    std::size_t rows() const { return 40; }
    std::size_t cols() const { return 60; }
    float& operator()(std::size_t i, std::size_t j) { return entries[j * 40 + i]; }
    float operator()(std::size_t i, std::size_t j) const { return entries[j * 40 + i]; }
  } result;
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), rows, b, result));
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 60; ++j) BOOST_REQUIRE_EQUAL(result(i, j), expected[i][j]);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused, Policy, policies) {
  apsp::matrix<float> a(3, 4, 1);
  apsp::matrix<float> b(4, 5, 1);
  apsp::matrix<float> c(3, 5, 2.5F);
  const auto product = [&] {
    static_cast<void>(apsp::min_plus_product(Policy::policy(), a, b, c));
  };
  a[2][1] = std::nanf("");
  BOOST_CHECK_THROW(product(), std::invalid_argument);
  a[2][1] = 1;
  b = apsp::matrix<float>(3, 5, 1);
  BOOST_CHECK_THROW(product(), std::invalid_argument);
  b = apsp::matrix<float>(4, 6, 1);
  BOOST_CHECK_THROW(product(), std::invalid_argument);
  b = apsp::matrix<float>(4, 5, 1);
  BOOST_CHECK(c == apsp::matrix<float>(3, 5, 2.5F));
  apsp::matrix<double> p(2, 2, 1.5);
  BOOST_CHECK_THROW(static_cast<void>(apsp::semiring_product(Policy::policy(), p, p, p,
                                                             apsp::max_times<double>{})),
                    std::invalid_argument);
}

namespace {

/// Counts paths of two edges: not idempotent, and no algorithm but the product may use it.
struct counting {
  using value_type = std::int32_t;
  static constexpr value_type zero = 0;
  static constexpr value_type one = 1;
  static constexpr value_type plus(value_type a, value_type b) { return a + b; }
  static constexpr value_type times(value_type a, value_type b) { return a * b; }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(any_semiring, Policy, policies) {
#ifndef APSP_TEST_ON_DEVICE
  random_numbers random(31);
  apsp::matrix<std::int32_t> a(70, 66), b(66, 81), c(70, 81, 0), expected(70, 81, 0);
  for (auto* m : {&a, &b}) {
    for (std::int32_t& x : *m) x = random.chance(0.3) ? 1 : 0;
  }
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t k = 0; k < 66; ++k) {
      for (std::size_t j = 0; j < 81; ++j) expected[i][j] += a[i][k] * b[k][j];
    }
  }
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), a, b, c, counting{}));
  BOOST_CHECK(c == expected);
#else
  apsp::matrix<std::int32_t> one(1, 1, 1);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::semiring_product(Policy::policy(), one, one, one, counting{})),
      apsp::device_error);
#endif
}
