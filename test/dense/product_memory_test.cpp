// SPDX-License-Identifier: BSL-1.0
// Tests of the host memory of products and squarings: they allocate panels, not matrices. All
// allocations of the program are counted.
#define BOOST_TEST_MODULE product_memory
#include <boost/test/unit_test.hpp>

#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "../common/failing_allocations.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

constexpr std::size_t n = 1024;

template <class T>
constexpr std::size_t matrix_bytes = n * n * sizeof(T);

/// Returns all bytes that @p action allocates, whether it frees them or not.
template <class Action>
std::size_t bytes_allocated_by(Action action) {
  const std::size_t before = allocations::bytes();
  action();
  return allocations::bytes() - before;
}

template <class Policy, class T>
void check_product() {
  apsp::matrix<T> a(n, n, 1);
  const apsp::matrix<T> b(n, n, 2);
  apsp::matrix<T> c(n, n, apsp::unreachable<T>);
  const auto multiply = [&] { BOOST_REQUIRE(apsp::min_plus_product(Policy::policy(), a, b, c)); };
  const std::size_t panels = bytes_allocated_by(multiply);
  BOOST_TEST(panels < matrix_bytes<T> / 2);
  BOOST_CHECK(c == apsp::matrix<T>(n, n, 3));
  // Only an integer factor with an unreachable entry is copied.
  a[3][5] = apsp::unreachable<T>;
  const std::size_t copies = std::is_integral_v<T> ? matrix_bytes<T> : 0;
  BOOST_TEST(bytes_allocated_by(multiply) < panels + copies + matrix_bytes<T> / 8);
}

}  // namespace

using host_policies = std::tuple<seq, omp_3_threads>;

BOOST_AUTO_TEST_CASE_TEMPLATE(product_allocates_panels, Policy, host_policies) {
  check_product<Policy, float>();
  check_product<Policy, std::int32_t>();
  check_product<Policy, std::int64_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(squaring_allocates_one_matrix, Policy, host_policies) {
  // On a chain of arcs every squaring increases the length of paths.
  apsp::matrix<float> weights(n, n, apsp::unreachable<float>);
  for (std::size_t u = 0; u + 1 < n; ++u) weights[u][u + 1] = 1;
  apsp::matrix<float> distances(n);
  const std::size_t bytes = bytes_allocated_by(
      [&] { BOOST_REQUIRE(apsp::repeated_squaring(Policy::policy(), weights, distances)); });
  BOOST_TEST(bytes < matrix_bytes<float> + matrix_bytes<float> / 2);
  BOOST_TEST(distances[0][n - 1] == static_cast<float>(n - 1));
}
