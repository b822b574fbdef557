// SPDX-License-Identifier: BSL-1.0
// Compares products of rectangular matrices, in host and in device memory, to the triple loop.
#define BOOST_TEST_MODULE product
#include <boost/test/unit_test.hpp>
#include "../common/semirings.hpp"

#include <algorithm>
#include <apsp/bit_matrix.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <boost/mp11.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"
#include "../common/products.hpp"

using namespace apsp_test;

namespace {

/// Multiples of all tile sizes, so that some or all matrices are multiplied in place.
constexpr product_shape whole_tiles[] = {
    {64, 128, 64}, {128, 64, 192}, {64, 65, 128}, {65, 64, 64}, {64, 64, 63}};

/// @param multiply  calls the product with a, b and c in the place, checks the result, and returns
///                  c and whether a and b are unchanged.
template <class S, class Multiply>
void check_shape(const product_shape& s, std::int64_t low, std::int64_t high, Multiply multiply) {
  using T = typename S::value_type;
  constexpr std::uint64_t seed = 17;
  random_numbers random(seed);
  BOOST_TEST_CONTEXT(s.rows << " x " << s.depth << " times " << s.depth << " x " << s.columns
                            << ", seed = " << seed) {
    const auto a = random_matrix<S>(s.rows, s.depth, low, high, random);
    const auto b = random_matrix<S>(s.depth, s.columns, low, high, random);
    const auto c = random_matrix<S>(s.rows, s.columns, low, high, random);
    auto expected = c;
    triple_loop<S, T>(a, b, expected);
    BOOST_CHECK(multiply(a, b, c) == expected);
  }
}

template <class With, class S>
void check_every_shape(std::int64_t low, std::int64_t high) {
  using T = typename S::value_type;
  using memory = typename With::results;
  const auto check = [](const apsp::result& done) {
    BOOST_REQUIRE(done);
    BOOST_CHECK(!done.saturated());
    BOOST_CHECK(done.executed_on() == With::expected || !done.fallback_reason().empty());
    BOOST_CHECK(done.algorithm() == apsp::algorithm::product);
  };
  const auto whole = [&](const auto& a, const auto& b, const auto& c) {
    const auto left = memory::put(a);
    const auto right = memory::put(b);
    auto result = memory::put(c);
    check(apsp::semiring_product(With::policy(), left, right, result, S{}));
    BOOST_CHECK(to_host(left) == a && to_host(right) == b);
    return apsp::matrix<T>(to_host(result));
  };
  const auto parts = [&](std::size_t gap) {
    return [&check, gap](const auto& a, const auto& b, const auto& c) {
      const matrix_part<memory, T> left(a, gap);
      const matrix_part<memory, T> right(b, gap);
      matrix_part<memory, T> result(c, gap);
      auto view = result.view();
      check(apsp::semiring_product(With::policy(), left.view(), right.view(), view, S{}));
      BOOST_CHECK(left.to_host() == a && right.to_host() == b);
      BOOST_CHECK(result.is_untouched_around());
      return result.to_host();
    };
  };
  for (const product_shape& s : product_shapes) {
    check_shape<S>(s, low, high, whole);
    check_shape<S>(s, low, high, parts(3));
  }
  for (const product_shape& s : whole_tiles) {
    check_shape<S>(s, low, high, whole);
    for (const std::size_t gap : {1, 4}) check_shape<S>(s, low, high, parts(gap));
  }
}

/// Returns the n x n part of @p memory whose first entry is (corner, corner).
template <class T>
apsp::matrix<T> part_at(const apsp::matrix<T>& memory, std::size_t corner, std::size_t n) {
  apsp::matrix<T> m(n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(memory[corner + i] + corner, n, m[i]);
  return m;
}

template <class T>
apsp::matrix<T> product_of(const apsp::matrix<T>& a, const apsp::matrix<T>& b, apsp::matrix<T> c) {
  triple_loop<apsp::min_plus<T>>(a, b, c);
  return c;
}

using policies_weights_and_places = in_places<policies_and_weights>;
using policies_semirings_and_places = in_places<policies_and_semirings>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_shape, With, policies_weights_and_places) {
  using S = apsp::min_plus<typename With::weight>;
  check_every_shape<With, S>(1, 1000);
  check_every_shape<With, S>(-1000, 1000);
}

// Integer factors are read in place if no entry is unreachable, and otherwise encoded in a copy.
BOOST_AUTO_TEST_CASE_TEMPLATE(some_matrices_have_unreachable_entries, With,
                              policies_weights_and_places) {
  using S = apsp::min_plus<typename With::weight>;
  using T = typename S::value_type;
  random_numbers random(41);
  for (const auto& [rows, depth, columns] :
       {product_shape{67, 131, 65}, {64, 64, 64}, {67, 67, 67}}) {
    for (unsigned full = 0; full < 8; ++full) {
      BOOST_TEST_CONTEXT(rows << " rows, full = " << full << ", seed = 41") {
        const auto make = [&](std::size_t m, std::size_t n, unsigned bit) {
          return random_matrix<S>(m, n, -99, 999, random, (full & bit) != 0 ? 1 : 0.02);
        };
        const auto a = make(rows, depth, 1);
        const auto b = make(depth, columns, 2);
        const auto before = make(rows, columns, 4);
        const auto left = With::results::put(a);
        const auto right = With::results::put(b);
        auto c = With::results::put(before);
        const auto done = apsp::min_plus_product(With::policy(), left, right, c);
        BOOST_REQUIRE(done);
        BOOST_CHECK(!done.saturated());
        BOOST_CHECK(to_host(c) == product_of<T>(a, b, before));

        const auto square = make(66, 66, 1);
        auto in_place = With::results::put(square);
        BOOST_REQUIRE(apsp::min_plus_product(With::policy(), in_place, in_place, in_place));
        BOOST_CHECK(to_host(in_place) == product_of<T>(square, square, square));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_semiring, Over, policies_semirings_and_places) {
  using S = typename Over::semiring;
  const bool is_reliability = std::is_same_v<S, apsp::max_times<typename Over::value>>;
  check_every_shape<Over, S>(is_reliability ? 0 : -500,
                             std::is_integral_v<typename Over::value> && is_reliability ? 1 : 512);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(result_is_a_factor, With, policies_weights_and_places) {
  using S = apsp::min_plus<typename With::weight>;
  using T = typename S::value_type;
  using memory = typename With::results;
  random_numbers random(5);
  for (const std::size_t n : {64, 70}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 5") {
      const auto a = random_matrix<S>(n, n, 1, 99, random);
      const auto b = random_matrix<S>(n, n, 1, 99, random);
      const auto left = memory::put(a);
      const auto right = memory::put(b);
      auto c = memory::put(a);
      BOOST_REQUIRE(apsp::min_plus_product(With::policy(), c, right, c));
      BOOST_CHECK(to_host(c) == product_of<T>(a, b, a));
      c = memory::put(b);
      BOOST_REQUIRE(apsp::min_plus_product(With::policy(), left, c, c));
      BOOST_CHECK(to_host(c) == product_of<T>(a, b, b));
      c = memory::put(a);
      BOOST_REQUIRE(apsp::min_plus_product(With::policy(), c, c, c));
      BOOST_CHECK(to_host(c) == product_of<T>(a, a, a));
      // Parts of one matrix, overlapping or not.
      for (const std::size_t down : {0, 1, 30, 64, 71}) {
        const auto before = random_matrix<S>(150, 150, 1, 99, random);
        auto buffer = memory::put(before);
        const auto window_at = [&](std::size_t corner) {
          return memory::window(buffer.data() + corner * 151, n, n, 150);
        };
        auto result = window_at(4 + down);
        BOOST_REQUIRE(apsp::min_plus_product(With::policy(), window_at(4), right, result));
        BOOST_CHECK(part_at<T>(to_host(buffer), 4 + down, n) ==
                    product_of<T>(part_at(before, 4, n), b, part_at(before, 4 + down, n)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(result_in_rows_is_a_factor, Policy, policies) {
  const auto check = []<class T>(T three) {
    random_numbers random(5);
    const auto b = random_matrix<apsp::min_plus<T>>(70, 70, 1, 99, random);
    std::vector<std::vector<T>> rows(70, std::vector<T>(70, three));
    BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), rows, b, rows));
    const apsp::matrix<T> threes(70, 70, three);
    const auto expected = product_of<T>(threes, b, threes);
    for (std::size_t i = 0; i < 70; ++i) {
      BOOST_CHECK(std::equal(rows[i].begin(), rows[i].end(), expected[i]));
    }
  };
  check(3.0F);
  check(std::int32_t{3});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  const auto check = []<class T>(T) {
    constexpr T inf = apsp::unreachable<T>;
    constexpr T large = inf - 1;
    constexpr T low = std::numeric_limits<T>::lowest();
    apsp::matrix<T> a(2, 3, inf), b(3, 4, inf);
    a[0][0] = large;
    b[0][0] = 1;      // just too long
    b[0][1] = T(-1);  // just fits
    a[1][1] = low;
    b[1][2] = T(-1);  // too negative
    b[1][3] = 0;
    const auto check_sums = [&](const apsp::result& done, const apsp::matrix<T>& c) {
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.saturated());
      const std::vector<T> expected{inf, large - 1, inf, inf, inf, inf, low, low};
      BOOST_CHECK_EQUAL_COLLECTIONS(c.begin(), c.end(), expected.begin(), expected.end());
    };
    auto c = memory::put(apsp::matrix<T>(2, 4, inf));
    const auto whole = apsp::min_plus_product(Policy::policy(), memory::put(a), memory::put(b), c);
    check_sums(whole, to_host(c));
    const matrix_part<memory, T> left(a, 2);
    const matrix_part<memory, T> right(b, 1);
    matrix_part<memory, T> result(apsp::matrix<T>(2, 4, inf), 3);
    auto view = result.view();
    const auto done = apsp::min_plus_product(Policy::policy(), left.view(), right.view(), view);
    check_sums(done, result.to_host());
    BOOST_CHECK(result.is_untouched_around());
    // In the wider type, a result may also be a factor, and sums that fit are not reported as
    // saturated.
    apsp::matrix<T> square(2, 2, large / 2);
    square[0][1] = inf;
    auto in_place = memory::put(square);
    BOOST_REQUIRE(
        !apsp::min_plus_product(Policy::policy(), in_place, in_place, in_place).saturated());
    BOOST_CHECK(to_host(in_place) == square);
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
  check_refused([&] { return product(std::int64_t{1} << 32, std::int64_t{5}, std::int32_t{100}); });
  BOOST_CHECK_THROW(product(1e300, 1.0, 1.0F), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinities, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto a = memory::put(apsp::matrix<double>(1, 2, inf));
  const auto b = memory::put(apsp::matrix<double>(2, 1, -inf));
  auto c = memory::put(apsp::matrix<double>(1, 1, 7));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c));
  BOOST_CHECK(holds_only(c, 7));  // unreachable is absorbing
  const auto d = memory::put(apsp::matrix<double>(1, 2, 1));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), d, b, c));
  BOOST_CHECK(to_host(c) == apsp::matrix<double>(1, 1, -inf));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_kinds_of_matrices, Policy, policies) {
  using S = apsp::min_plus<float>;
  random_numbers random(29);
  const auto a = random_matrix<S>(40, 50, 1, 99, random);
  const auto b = random_matrix<S>(50, 60, 1, 99, random);
  const auto expected =
      product_of<float>(a, b, apsp::matrix<float>(40, 60, apsp::unreachable<float>));
  // Weights of another type, rows that are vectors, and a column-major result.
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

// The former entries of the result do not count, even if they would be refused.
BOOST_AUTO_TEST_CASE_TEMPLATE(results_are_overwritten, Policy, policies) {
  using S = apsp::min_plus<float>;
  random_numbers random(31);
  const auto a = random_matrix<S>(40, 50, 1, 99, random);
  const auto b = random_matrix<S>(50, 60, 1, 99, random);
  const auto expected =
      product_of<float>(a, b, apsp::matrix<float>(40, 60, apsp::unreachable<float>));
  for (const float before : {0.0F, -7.0F, std::numeric_limits<float>::quiet_NaN()}) {
    apsp::matrix<float> c(40, 60, before);
    BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c, apsp::overwrite));
    BOOST_CHECK(c == expected);
  }
  std::vector<std::vector<float>> rows(40, std::vector<float>(60));
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), a, b, rows, S{}, apsp::overwrite));
  for (std::size_t i = 0; i < 40; ++i) {
    BOOST_CHECK(std::equal(rows[i].begin(), rows[i].end(), expected[i]));
  }
  // The result is a factor.
  auto square = random_matrix<S>(50, 50, 1, 99, random);
  auto squared =
      product_of<float>(square, square, apsp::matrix<float>(50, 50, apsp::unreachable<float>));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), square, square, square, apsp::overwrite));
  BOOST_CHECK(square == squared);
  // Bits.
  apsp::bit_matrix left(2, 2), result(2, 2);
  left.set(0, 1);
  result.set(1, 1);
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), left, left, result, apsp::or_and{},
                                       apsp::overwrite));
  BOOST_CHECK(result == apsp::bit_matrix(2, 2));
  // What is refused leaves the result as it is.
  apsp::matrix<float> wrong(50, 50, std::numeric_limits<float>::quiet_NaN());
  check_refused([&] {
    return apsp::min_plus_product(Policy::policy(), wrong, square, squared, apsp::overwrite);
  });
  BOOST_CHECK(square == squared);
}

#ifdef APSP_TEST_ON_DEVICE
namespace {

/// Sizes at which tiles are larger, with and without padding, and so large that factors in host
/// memory arrive in several slabs, which the device searches for NaN.
template <class With>
void check_large_product(const product_shape& shape, std::int64_t lowest) {
  using T = typename With::weight;
  using S = apsp::min_plus<T>;
  using memory = typename With::results;
  const std::size_t rows = shape.rows;
  const std::size_t depth = shape.depth;
  const std::size_t columns = shape.columns;
  random_numbers random(37);
  // A prime number of entries again and again, since random ones take longer than the product.
  const auto entries = [&](std::size_t m, std::size_t n, std::int64_t low, std::int64_t high) {
    const auto few = random_matrix<S>(1, 65521, low, high, random);
    apsp::matrix<T> many(m, n);
    for (std::size_t k = 0; k < m * n; ++k) many.data()[k] = few.data()[k % few.cols()];
    return many;
  };
  // Only the last slab has entries below zero.
  auto a = entries(rows, depth, 1, 9999);
  const auto b = entries(depth, columns, 1, 9999);
  const auto c = entries(rows, columns, lowest, 200);
  if (lowest < 0) a[7][depth - 1] = T(-99);
  const auto multiply = [](const auto& left, const auto& right, auto& result) {
    return apsp::min_plus_product(With::policy(), left, right, result);
  };
  const auto left = memory::put(a);
  const auto right = memory::put(b);
  auto result = memory::put(c);
  BOOST_REQUIRE(multiply(left, right, result));
  const apsp::matrix<T> found = to_host(result);
  const auto is_right = [&](std::size_t i, std::size_t j) {
    T expected = c[i][j];
    for (std::size_t k = 0; k < depth; ++k) {
      if (a[i][k] == S::zero || b[k][j] == S::zero) continue;
      expected = std::min(expected, a[i][k] + b[k][j]);
    }
    return found[i][j] == expected;
  };
  std::size_t wrong = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    wrong += is_right(random.index(rows), random.index(columns)) ? 0 : 1;
  }
  for (std::size_t j = 0; j < columns; ++j) wrong += is_right(7, j) ? 0 : 1;
  BOOST_CHECK_EQUAL(wrong, 0);
  if constexpr (std::is_floating_point_v<T> && std::is_same_v<memory, host_memory>) {
    auto before = c;
    const auto refused = [&](std::size_t i, std::size_t j, auto call) {
      check_refused(call, "entry (" + std::to_string(i) + ", " + std::to_string(j) +
                              ") of a matrix of a product is NaN");
    };
    const auto with_nan = [](auto matrix, std::size_t i, std::size_t j) {
      matrix[i][j] = std::numeric_limits<T>::quiet_NaN();
      return matrix;
    };
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>(0, 0), {rows - 1, depth - 1}}) {
      refused(i, j, [&] { return multiply(with_nan(a, i, j), b, before); });
    }
    refused(1030, 5, [&] { return multiply(a, with_nan(b, 1030, 5), before); });
    BOOST_CHECK(before == c);
    auto bad = with_nan(c, 44, columns - 1);
    refused(44, columns - 1, [&] { return multiply(a, b, bad); });
    bad[44][columns - 1] = c[44][columns - 1];
    BOOST_CHECK(bad == c);
  }
}

}  // namespace

using large_cases = boost::mp11::mp_append<
    in_places<with_policies<with, std::tuple<float>>>,
    boost::mp11::mp_product<at,
                            boost::mp11::mp_product<with, std::tuple<required_cuda_tiled>,
                                                    boost::mp11::mp_rest<weight_types>>,
                            std::tuple<place<host_memory>>>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(large_products, With, large_cases) {
  for (const std::int64_t lowest : {0, -200}) {
    BOOST_TEST_CONTEXT("lowest = " << lowest << ", seed = 37") {
      check_large_product<With>({2570, 2600, 2565}, lowest);
      if (std::is_same_v<typename With::weight, float>) {
        check_large_product<With>({2688, 2688, 2688}, lowest);
      }
    }
  }
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(refused, Policy, policies) {
  apsp::matrix<float> a(3, 4, 1), b(4, 5, 1), c(3, 5, 2.5F);
  const auto product = [&] { return apsp::min_plus_product(Policy::policy(), a, b, c); };
  a[2][1] = std::nanf("");
  check_refused(product);
  a[2][1] = 1;
  b = apsp::matrix<float>(3, 5, 1);
  check_refused(product);
  b = apsp::matrix<float>(4, 6, 1);
  check_refused(product);
  b = apsp::matrix<float>(4, 5, 1);
  BOOST_CHECK(c == apsp::matrix<float>(3, 5, 2.5F));
  apsp::matrix<double> p(2, 2, 1.5);
  check_refused(
      [&] { return apsp::semiring_product(Policy::policy(), p, p, p, apsp::max_times<double>{}); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_entries, Policy, in_places<policies>) {
  using memory = typename Policy::results;
  const auto refused = [](auto call, const std::string& words) {
    check_refused([&] { return call(); }, words);
  };
  const apsp::matrix<float> fine(70, 70, 0.5F);
  const auto good = memory::put(fine);
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>(0, 0), {2, 69}, {69, 69}}) {
    auto wrong = fine;
    wrong[i][j] = std::nanf("");
    const matrix_part<memory, float> bad(wrong, 5);
    const std::string words = "entry (" + std::to_string(i) + ", " + std::to_string(j) +
                              ") of a matrix of a product is NaN";
    auto c = memory::put(fine);
    refused([&] { return apsp::min_plus_product(Policy::policy(), bad.view(), good, c); }, words);
    refused([&] { return apsp::min_plus_product(Policy::policy(), good, bad.view(), c); }, words);
    BOOST_CHECK(to_host(c) == fine);
    c = memory::put(wrong);
    const auto over = [&](const auto& semiring) {
      return [&] { return apsp::semiring_product(Policy::policy(), good, good, c, semiring); };
    };
    refused(over(apsp::min_plus<float>{}), words);
    refused(over(apsp::max_min<float>{}), "NaN");
    refused(over(apsp::max_times<float>{}), "NaN");
  }
  const auto refused_in_place = [&]<class T>(const apsp::matrix<T>& entries,
                                             const std::string& words) {
    auto p = memory::put(entries);
    refused([&] { return apsp::semiring_product(Policy::policy(), p, p, p, apsp::max_times<T>{}); },
            words);
    BOOST_CHECK(to_host(p) == entries);
  };
  auto too_likely = fine;
  too_likely[3][4] = 1.5F;
  refused_in_place(too_likely,
                   "entry (3, 4) of a matrix of a product is no value of this semiring");
  refused_in_place(apsp::matrix<std::int64_t>(1, 1, -1), "no value of this semiring");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, in_places<policies>) {
  using S = apsp::min_plus<float>;
  using memory = typename Policy::results;
  random_numbers random(23);
  const auto a = random_matrix<S>(66, 3000, 1, 99, random);
  const auto b = random_matrix<S>(3000, 70, 1, 99, random);
  const auto left = memory::put(a);
  const auto right = memory::put(b);
  const apsp::matrix<float> before(66, 70, apsp::unreachable<float>);
  auto c = memory::put(before);
  const auto multiply = [&](const auto& policy) {
    return apsp::min_plus_product(policy, left, right, c);
  };
  check_progress(Policy::policy(), 3000, multiply);
  BOOST_CHECK(to_host(c) == product_of<float>(a, b, before));
  check_stopped_before(Policy::policy(), multiply);
}

namespace {

/// Counts paths of two edges. It is not idempotent, so only the product may use it.
struct counting {
  using value_type = std::int32_t;
  static constexpr value_type zero = 0;
  static constexpr value_type one = 1;
  static constexpr value_type plus(value_type a, value_type b) { return a + b; }
  static constexpr value_type times(value_type a, value_type b) { return a * b; }
};

/// Cost and number of stops, compared in this order. The type has no std::numeric_limits, and the
/// semiring does not need them.
struct fare {
  std::int32_t cost = 0;
  std::int32_t stops = 0;
  friend bool operator==(const fare&, const fare&) = default;
};
struct cheapest {
  using value_type = fare;
  fare zero{1 << 30, 0};
  fare one{};
  fare plus(const fare& a, const fare& b) const {
    return b.cost < a.cost || (b.cost == a.cost && b.stops < a.stops) ? b : a;
  }
  fare times(const fare& a, const fare& b) const {
    return a == zero || b == zero ? zero : fare{a.cost + b.cost, a.stops + b.stops};
  }
};

}  // namespace

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(values_without_limits, Policy, policies) {
  const cheapest over;
  apsp::matrix<fare> a(1, 2), b(2, 1), c(1, 1);
  a[0][0] = {5, 1};
  a[0][1] = {2, 2};
  b[0][0] = {1, 1};
  b[1][0] = {4, 1};
  c[0][0] = over.zero;
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), a, b, c, over));
  BOOST_CHECK((c[0][0] == fare{6, 2}));
}
#endif

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
  check_refused<apsp::device_error>(
      [&] { return apsp::semiring_product(Policy::policy(), one, one, one, counting{}); });
#endif
}
