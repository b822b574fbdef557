// SPDX-License-Identifier: BSL-1.0
// Products of matrices in device memory, against the triple loop. What needs no device is checked
// everywhere: types, shapes, and what a program is told that has none.
#define BOOST_TEST_MODULE product_device_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/device_matrix.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/device_part.hpp"
#include "common/policies.hpp"
#include "common/products.hpp"
#include "common/semirings.hpp"

using namespace apsp_test;

static_assert(apsp::operand_matrix<const apsp::device_matrix<int>> &&
              apsp::operand_matrix<apsp::device_matrix_view<const int>> &&
              !apsp::operand_matrix<apsp::device_span<const int>>);

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  // A place that no code may read.
  auto* const somewhere = reinterpret_cast<float*>(std::uintptr_t{4096});
  const apsp::device_matrix_view<const float> a(somewhere, 3, 4);
  apsp::device_matrix_view<float> c(somewhere, 3, 5);
  const auto refused = [&](const auto& x, const auto& y, auto& z, const std::string& words) {
    // With memory that no device has there would be other words.
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::min_plus_product(Policy::policy(), x, y, z)),
                          std::invalid_argument, [&](const std::invalid_argument& error) {
                            return std::string(error.what()).find(words) != std::string::npos;
                          });
  };
  using view = apsp::device_matrix_view<const float>;
  const view b(somewhere, 4, 5);
  refused(a, view(somewhere, 3, 5), c, "does not fit");
  refused(a, view(somewhere, 4, 6), c, "does not fit");
  refused(view(somewhere, 4, 4), b, c, "does not fit");
  refused(a, view(somewhere, 4, 5, 4), c, "the pitch");
  refused(view(nullptr, 3, 4), b, c, "null pointer");
  apsp::device_matrix_view<float> overlapping(somewhere, 3, 5, 4);
  refused(a, b, overlapping, "the pitch");
  apsp::device_matrix_view<float> missing(nullptr, 3, 5);
  refused(a, b, missing, "null pointer");
}

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  const apsp::matrix<float> entries(3);
  try {
    const apsp::device_matrix<float> there(entries);
  } catch (const apsp::device_error& error) {
    // There is no host to fall back to for data that cannot be there.
    apsp::device_matrix_view<float> c(reinterpret_cast<float*>(std::uintptr_t{4096}), 3, 3);
    BOOST_CHECK_THROW(static_cast<void>(apsp::min_plus_product(apsp::cuda_tiled, c, c, c)),
                      apsp::device_error);
    BOOST_CHECK_THROW(static_cast<void>(apsp::semiring_product(apsp::cuda_naive, c, c, c,
                                                               apsp::max_min<float>{})),
                      apsp::device_error);
  }
}

#else

namespace {

/// Whole tiles of all kinds, so that some or all matrices are multiplied where they lie.
constexpr product_shape whole_tiles[] = {
    {64, 128, 64}, {128, 64, 192}, {64, 65, 128}, {65, 64, 64}, {64, 64, 63}};

template <class Policy, class S>
void check_shape(const product_shape& s, std::size_t gap, std::int64_t low, std::int64_t high) {
  using T = typename S::value_type;
  constexpr std::uint64_t seed = 19;
  random_numbers random(seed);
  BOOST_TEST_CONTEXT(s.rows << " x " << s.depth << " times " << s.depth << " x " << s.columns
                            << ", gap = " << gap << ", seed = " << seed) {
    const auto a = random_matrix<S>(s.rows, s.depth, low, high, random);
    const auto b = random_matrix<S>(s.depth, s.columns, low, high, random);
    auto expected = random_matrix<S>(s.rows, s.columns, low, high, random);
    const device_part<T> left(a, gap);
    const device_part<T> right(b, gap);
    device_part<T> result(expected, gap);
    triple_loop<S, T>(a, b, expected);
    auto c = result.view();
    const auto done = apsp::semiring_product(Policy::policy(), left.view(), right.view(), c, S{});
    BOOST_REQUIRE(done);
    BOOST_CHECK(!done.saturated());
    BOOST_CHECK(done.executed_on() == Policy::expected);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::product);
    BOOST_CHECK(result.to_host() == expected);
    BOOST_CHECK(left.to_host() == a && right.to_host() == b);
    BOOST_CHECK(result.is_untouched_around());
  }
}

template <class Policy, class S>
void check_every_shape(std::int64_t low, std::int64_t high) {
  for (const product_shape& s : product_shapes) {
    check_shape<Policy, S>(s, 0, low, high);
    check_shape<Policy, S>(s, 3, low, high);
  }
  for (const product_shape& s : whole_tiles) {
    for (const std::size_t gap : {0, 1, 4}) check_shape<Policy, S>(s, gap, low, high);
  }
}

/// The n x n part of @p memory whose first entry is (corner, corner).
template <class T>
apsp::matrix<T> window(const apsp::matrix<T>& memory, std::size_t corner, std::size_t n) {
  apsp::matrix<T> m(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(memory[corner + i] + corner, memory[corner + i] + corner + n, m[i]);
  }
  return m;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_shape, With, policies_and_weights) {
  using S = apsp::min_plus<typename With::weight>;
  check_every_shape<typename With::policy_type, S>(1, 1000);
  check_every_shape<typename With::policy_type, S>(-1000, 1000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_semiring, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  const bool is_reliability = std::is_same_v<S, apsp::max_times<typename Over::value>>;
  check_every_shape<typename Over::policy_type, S>(
      is_reliability ? 0 : -500,
      std::is_integral_v<typename Over::value> && is_reliability ? 1 : 512);
}

// Factors of integers are read where they lie if nothing is unreachable, and coded in a copy otherwise.
BOOST_AUTO_TEST_CASE_TEMPLATE(some_matrices_have_unreachable_entries, With, policies_and_weights) {
  using S = apsp::min_plus<typename With::weight>;
  using T = typename S::value_type;
  random_numbers random(41);
  for (const std::size_t n : {64, 67}) {
    for (unsigned full = 0; full < 8; ++full) {
      BOOST_TEST_CONTEXT("n = " << n << ", full = " << full << ", seed = 41") {
        const auto make = [&](unsigned bit) {
          return random_matrix<S>(n, n, -99, 999, random, (full & bit) != 0 ? 1 : 0.02);
        };
        const auto a = make(1);
        const auto b = make(2);
        auto expected = make(4);
        apsp::device_matrix<T> c(expected);
        triple_loop<S, T>(a, b, expected);
        const apsp::device_matrix<T> left(a);
        const apsp::device_matrix<T> right(b);
        const auto done = apsp::min_plus_product(With::policy(), left, right, c);
        BOOST_REQUIRE(done);
        BOOST_CHECK(!done.saturated());
        BOOST_CHECK(c.to_host() == expected);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(result_is_a_factor, With, policies_and_weights) {
  using S = apsp::min_plus<typename With::weight>;
  using T = typename S::value_type;
  const auto policy = With::policy();
  random_numbers random(5);
  const auto expect = [](const auto& x, const auto& y, auto z) {
    triple_loop<S, T>(x, y, z);
    return z;
  };
  for (const std::size_t n : {64, 70}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 5") {
      const auto a = random_matrix<S>(n, n, 1, 99, random);
      const auto b = random_matrix<S>(n, n, 1, 99, random);
      const apsp::device_matrix<T> left(a);
      const apsp::device_matrix<T> right(b);
      apsp::device_matrix<T> c(a);
      BOOST_REQUIRE(apsp::min_plus_product(policy, c, right, c));
      BOOST_CHECK(c.to_host() == expect(a, b, a));
      c.assign(b);
      BOOST_REQUIRE(apsp::min_plus_product(policy, left, c, c));
      BOOST_CHECK(c.to_host() == expect(a, b, b));
      c.assign(a);
      BOOST_REQUIRE(apsp::min_plus_product(policy, c, c, c));
      BOOST_CHECK(c.to_host() == expect(a, a, a));
      // Windows of one matrix, that overlap or do not.
      for (const std::size_t down : {0, 1, 30, 64, 71}) {
        const auto memory = random_matrix<S>(150, 150, 1, 99, random);
        apsp::device_matrix<T> buffer(memory);
        const auto window_at = [&](std::size_t corner) {
          return apsp::device_matrix_view<T>(buffer.data() + corner * 151, n, n, 150);
        };
        auto result = window_at(4 + down);
        BOOST_REQUIRE(apsp::min_plus_product(policy, window_at(4), right, result));
        BOOST_CHECK(apsp::copy_to_host(result) ==
                    expect(window(memory, 4, n), b, window(memory, 4 + down, n)));
      }
    }
  }
}

// Beyond the size from which on tiles are larger, with padding and without.
BOOST_AUTO_TEST_CASE_TEMPLATE(larger_than_few, Policy, policies) {
  using S = apsp::min_plus<float>;
  constexpr std::uint64_t seed = 3;
  random_numbers random(seed);
  for (const std::size_t n : {2561, 2688}) {
    for (const std::int64_t low : {0, -9}) {
      BOOST_TEST_CONTEXT("n = " << n << ", low = " << low << ", seed = " << seed) {
        const auto a = random_matrix<S>(n, n, low, 99, random);
        const auto b = random_matrix<S>(n, n, low, 99, random);
        const apsp::device_matrix<float> left(a);
        const apsp::device_matrix<float> right(b);
        apsp::device_matrix<float> result(apsp::matrix<float>(n, n, apsp::unreachable<float>));
        BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), left, right, result));
        const auto c = result.to_host();
        for (int sample = 0; sample < 300; ++sample) {
          const std::size_t i = random.index(n);
          const std::size_t j = random.index(n);
          float least = apsp::unreachable<float>;
          for (std::size_t k = 0; k < n; ++k) least = std::min(least, a[i][k] + b[k][j]);
          BOOST_REQUIRE_EQUAL(c[i][j], least);
        }
      }
    }
  }
}

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
    const device_part<T> left(a, 2);
    const device_part<T> right(b, 1);
    device_part<T> result(apsp::matrix<T>(2, 4, inf), 3);
    auto view = result.view();
    const auto done = apsp::min_plus_product(Policy::policy(), left.view(), right.view(), view);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    BOOST_CHECK(result.is_untouched_around());
    const auto c = result.to_host();
    BOOST_CHECK_EQUAL(c[0][0], inf);
    BOOST_CHECK_EQUAL(c[0][1], large - 1);
    BOOST_CHECK_EQUAL(c[0][2], inf);
    BOOST_CHECK_EQUAL(c[1][0], inf);
    BOOST_CHECK_EQUAL(c[1][2], low);
    BOOST_CHECK_EQUAL(c[1][3], low);
    // In the wider type, too, a result may be a factor, and what fits is not said to be cut.
    apsp::matrix<T> square(2, 2, large / 2);
    square[0][1] = inf;
    apsp::device_matrix<T> in_place(square);
    BOOST_REQUIRE(
        !apsp::min_plus_product(Policy::policy(), in_place, in_place, in_place).saturated());
    BOOST_CHECK(in_place.to_host() == square);
  };
  check(std::int32_t{});
  check(std::int64_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinities, Policy, policies) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const apsp::device_matrix<double> a(apsp::matrix<double>(1, 2, inf));
  const apsp::device_matrix<double> b(apsp::matrix<double>(2, 1, -inf));
  apsp::device_matrix<double> c(apsp::matrix<double>(1, 1, 7));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c));
  BOOST_CHECK_EQUAL(c.to_host()[0][0], 7);  // what is unreachable absorbs
  const apsp::device_matrix<double> d(apsp::matrix<double>(1, 2, 1));
  BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), d, b, c));
  BOOST_CHECK_EQUAL(c.to_host()[0][0], -inf);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused, Policy, policies) {
  const auto refuses = [](auto call, const std::string& words) {
    BOOST_CHECK_EXCEPTION(call(), std::invalid_argument, [&](const std::invalid_argument& error) {
      return std::string(error.what()).find(words) != std::string::npos;
    });
  };
  const apsp::matrix<float> fine(70, 70, 0.5F);
  const apsp::device_matrix<float> good(fine);
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>(0, 0), {2, 69}, {69, 69}}) {
    auto wrong = fine;
    wrong[i][j] = std::nanf("");
    const device_part<float> bad(wrong, 5);
    const std::string place = "entry (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    apsp::device_matrix<float> c(fine);
    const auto product = [&](const auto& a, const auto& b) {
      return [&] { static_cast<void>(apsp::min_plus_product(Policy::policy(), a, b, c)); };
    };
    refuses(product(bad.view(), good), place + " of a matrix of a product is NaN");
    refuses(product(good, bad.view()), place + " of a matrix of a product is NaN");
    BOOST_CHECK(c.to_host() == fine);
    c.assign(wrong);
    refuses(product(good, good), place + " of a matrix of a product is NaN");
    const auto over = [&](const auto& semiring) {
      return [&] {
        static_cast<void>(apsp::semiring_product(Policy::policy(), good, good, c, semiring));
      };
    };
    refuses(over(apsp::max_min<float>{}), "NaN");
    refuses(over(apsp::max_times<float>{}), "NaN");
  }
  auto too_likely = fine;
  too_likely[3][4] = 1.5F;
  apsp::device_matrix<float> p(too_likely);
  refuses(
      [&] {
        static_cast<void>(
            apsp::semiring_product(Policy::policy(), p, p, p, apsp::max_times<float>{}));
      },
      "entry (3, 4) of a matrix of a product is no value of this semiring");
  BOOST_CHECK(p.to_host() == too_likely);
  apsp::device_matrix<std::int64_t> q(apsp::matrix<std::int64_t>(1, 1, -1));
  refuses(
      [&] {
        static_cast<void>(
            apsp::semiring_product(Policy::policy(), q, q, q, apsp::max_times<std::int64_t>{}));
      },
      "no value of this semiring");
  // Memory of the host.
  apsp::matrix<float> host(70, 70, 0.5F);
  apsp::device_matrix_view<float> not_there(host.data(), 70, 70);
  refuses(
      [&] { static_cast<void>(apsp::min_plus_product(Policy::policy(), good, good, not_there)); },
      "host memory");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  using S = apsp::min_plus<float>;
  random_numbers random(23);
  const auto a = random_matrix<S>(66, 3000, 1, 99, random);
  const auto b = random_matrix<S>(3000, 70, 1, 99, random);
  const apsp::device_matrix<float> left(a);
  const apsp::device_matrix<float> right(b);
  apsp::matrix<float> expected(66, 70, apsp::unreachable<float>);
  apsp::device_matrix<float> c(expected);
  triple_loop<S>(a, b, expected);
  std::size_t last = 0;
  std::size_t total = 0;
  const auto watched = Policy::policy().progress([&](std::size_t done, std::size_t of) {
    last = done;
    total = of;
  });
  BOOST_REQUIRE(apsp::min_plus_product(watched, left, right, c));
  BOOST_CHECK_EQUAL(last, 3000u);
  BOOST_CHECK_EQUAL(total, 3000u);
  BOOST_CHECK(c.to_host() == expected);
  std::stop_source stop;
  stop.request_stop();
  BOOST_CHECK(
      apsp::min_plus_product(Policy::policy().stop(stop.get_token()), left, right, c).stopped());
}

// What is worked on where it lies takes no memory.
BOOST_AUTO_TEST_CASE(memory) {
  const apsp::device_matrix<float> a(apsp::matrix<float>(128, 128, 1));
  apsp::device_matrix<float> c(apsp::matrix<float>(128, 128, 3));
  BOOST_REQUIRE(apsp::min_plus_product(apsp::cuda_tiled.memory_limit(1), a, a, c));
  BOOST_CHECK(c.to_host() == apsp::matrix<float>(128, 128, 2));
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::min_plus_product(apsp::cuda_tiled.memory_limit(1), c, a, c)),
      apsp::device_error);
}

#endif
