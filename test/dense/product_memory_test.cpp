// SPDX-License-Identifier: BSL-1.0
// Tests of the host memory of products and squarings: they allocate panels, not matrices. All allocations of
// the program are counted.
#define BOOST_TEST_MODULE product_memory
#include <boost/test/unit_test.hpp>

#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <tuple>
#include <type_traits>

#include "../common/policies.hpp"

namespace {

std::atomic<std::size_t> bytes_allocated = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  bytes_allocated += bytes;
  const std::size_t rounded = (bytes + alignment) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Not inlined, because GCC 12 would warn about a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

constexpr std::size_t n = 1024;

template <class T>
constexpr std::size_t matrix_bytes = n * n * sizeof(T);

/// Returns all bytes that @p action allocates, whether it frees them or not.
template <class Action>
std::size_t bytes_allocated_by(Action action) {
  const std::size_t before = bytes_allocated;
  action();
  return bytes_allocated - before;
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

using host_policies = std::tuple<apsp_test::seq, apsp_test::omp_3_threads>;

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
