// SPDX-License-Identifier: BSL-1.0
// Tests of bit matrices: layout, entries and products.
#define BOOST_TEST_MODULE bit_matrix
#include <boost/test/unit_test.hpp>

#include <apsp/bit_matrix.hpp>
#include <apsp/dense.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/bits.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE(layout_of_bits) {
  static_assert(apsp::writable_matrix<apsp::bit_matrix&>);
  static_assert(apsp::readable_matrix<const apsp::bit_matrix&>);
  static_assert(std::is_same_v<apsp::matrix_value_t<apsp::bit_matrix>, bool>);
  static_assert(std::is_same_v<apsp::matrix_value_t<const apsp::bit_matrix>, bool>);
  static_assert(std::is_same_v<apsp::matrix_value_t<std::vector<std::vector<bool>>>, bool>);
  static_assert(apsp::graph<apsp::bit_matrix>);

  for (const std::size_t columns : {0, 1, 63, 64, 65, 511, 512, 513}) {
    apsp::bit_matrix m(3, columns);
    BOOST_CHECK(apsp::shape_of(m) == (apsp::matrix_shape{3, columns}));
    BOOST_CHECK_EQUAL(m.pitch(), (columns + 511) / 512 * 8);
    BOOST_CHECK_EQUAL(m.count(), 0);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(m.words(i).data()) % 64, 0);
      BOOST_CHECK_EQUAL(m.words(i).size(), m.pitch());
      for (std::size_t j = i; j < columns; j += 3) m[i][j] = true;
    }
    std::size_t set = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        BOOST_REQUIRE_EQUAL(m(i, j), j >= i && (j - i) % 3 == 0);
        set += m(i, j) ? 1 : 0;
      }
    }
    BOOST_CHECK_EQUAL(m.count(), set);
  }
}

BOOST_AUTO_TEST_CASE(entries_of_bits) {
  apsp::bit_matrix m(2, 130);
  m.set(1, 64);
  BOOST_CHECK(m(1, 64) && m[1][64] && !m(0, 64) && !m(1, 63) && !m(1, 65));
  BOOST_CHECK_EQUAL(m.words(1)[1], 1);
  m[0][129] = m[1][64];
  BOOST_CHECK(m(0, 129));
  BOOST_CHECK_EQUAL(m.words(0)[2], 2);
  auto entry = m[0][129];
  entry = m[0][0];
  BOOST_CHECK(!m(0, 129));
  m.set(1, 64, false);
  BOOST_CHECK_EQUAL(m.count(), 0);
  BOOST_CHECK(m == apsp::bit_matrix(2, 130));
  BOOST_CHECK(!(m == apsp::bit_matrix(2, 131)));
  BOOST_CHECK(!(m == apsp::bit_matrix(3, 130)));
  apsp::bit_matrix copy = m;
  copy[1][1] = true;
  BOOST_CHECK(!(copy == m));
  m = std::move(copy);
  BOOST_CHECK(m(1, 1));
  const apsp::bit_matrix moved = std::move(m);
  BOOST_CHECK(moved[1][1] && !moved[1][2]);
  BOOST_CHECK_EQUAL(m.rows(), 0);
  BOOST_CHECK_EQUAL(m.cols(), 0);
}

namespace {

bytes to_bytes(const apsp::bit_matrix& m) {
  bytes entries(m.rows(), std::vector<char>(m.cols()));
  for (std::size_t i = 0; i < m.rows(); ++i) {
    for (std::size_t j = 0; j < m.cols(); ++j) entries[i][j] = m(i, j) ? 1 : 0;
  }
  return entries;
}

/// Computes c or a (x) b, entry by entry.
bytes product_of(const apsp::bit_matrix& a, const apsp::bit_matrix& b, const apsp::bit_matrix& c) {
  bytes product = to_bytes(c);
  const bytes rows = to_bytes(b);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t k = 0; k < a.cols(); ++k) {
      if (!a(i, k)) continue;
      for (std::size_t j = 0; j < b.cols(); ++j) {
        product[i][j] = static_cast<char>(product[i][j] | rows[k][j]);
      }
    }
  }
  return product;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(products, Policy, policies) {
  struct shape {
    std::size_t m, depth, n;
  };
  const shape shapes[] = {{0, 0, 0},        {1, 1, 1},       {3, 0, 5},      {0, 4, 5},
                          {2, 3, 0},        {63, 64, 65},    {65, 63, 64},   {257, 255, 1025},
                          {256, 256, 1024}, {300, 1000, 70}, {1, 1100, 513}, {1030, 33, 130}};
  for (const auto& [m, depth, n] : shapes) {
    for (const double p : {0.004, 0.3}) {
      BOOST_TEST_CONTEXT(m << " x " << depth << " x " << n << ", p = " << p << ", seed = 1") {
        const auto a = random_bits(m, depth, p, 1);
        const auto b = random_bits(depth, n, p, 2);
        const auto c = random_bits(m, n, 0.01, 3);
        const auto expected = product_of(a, b, c);
        auto product = c;
        const auto done = apsp::semiring_product(Policy::policy(), a, b, product, apsp::or_and{});
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.algorithm() == apsp::algorithm::product);
        check_bits(expected, product);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_in_place, Policy, policies) {
  for (const std::size_t n : {65, 300}) {
    const auto a = random_bits(n, n, 0.02, 4);
    const auto b = random_bits(n, n, 0.02, 5);
    auto left = a;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), left, b, left, apsp::or_and{}));
    check_bits(product_of(a, b, a), left);
    auto right = b;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), a, right, right, apsp::or_and{}));
    check_bits(product_of(a, b, b), right);
    auto both = a;
    BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), both, both, both, apsp::or_and{}));
    check_bits(product_of(a, a, a), both);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_other_matrices, Policy, policies) {
  const auto a = random_bits(70, 80, 0.1, 6);
  const auto b = random_bits(80, 90, 0.1, 7);
  const auto c = random_bits(70, 90, 0.1, 8);
  apsp::matrix<std::uint8_t> other_a(70, 80);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t k = 0; k < 80; ++k) other_a[i][k] = a(i, k) ? 128 : 0;
  }
  const bytes other_b = to_bytes(b);
  std::vector<std::vector<bool>> other_c(70, std::vector<bool>(90));
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t j = 0; j < 90; ++j) other_c[i][j] = c(i, j);
  }
  BOOST_REQUIRE(
      apsp::semiring_product(Policy::policy(), other_a, other_b, other_c, apsp::or_and{}));
  const auto expected = product_of(a, b, c);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t j = 0; j < 90; ++j) BOOST_REQUIRE_EQUAL(other_c[i][j], expected[i][j] != 0);
  }

  apsp::bit_matrix wrong(70, 91);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::semiring_product(Policy::policy(), a, b, wrong, apsp::or_and{})),
      std::invalid_argument);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::semiring_product(Policy::policy(), a, a, wrong, apsp::or_and{})),
      std::invalid_argument);
  apsp::stop_source stop;
  stop.request_stop();
  auto product = c;
  BOOST_CHECK(
      apsp::semiring_product(Policy::policy().stop(stop.get_token()), a, b, product, apsp::or_and{})
          .stopped());
}

// A factor given as a range of rows has no number of columns if it has no rows.
BOOST_AUTO_TEST_CASE_TEMPLATE(products_without_entries, Policy, policies) {
  const bytes none;
  bytes result;
  BOOST_REQUIRE(apsp::semiring_product(Policy::policy(), none, random_bits(4, 5, 0.5, 1), result,
                                       apsp::or_and{}));
  auto c = random_bits(4, 5, 0.5, 2);
  const auto before = c;
  BOOST_REQUIRE(
      apsp::semiring_product(Policy::policy(), apsp::bit_matrix(4, 0), none, c, apsp::or_and{}));
  BOOST_CHECK(c == before);
}
