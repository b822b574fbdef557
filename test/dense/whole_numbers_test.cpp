// SPDX-License-Identifier: BSL-1.0
// Tests of distances that are whole numbers, of integer or floating-point type, around the limits
// of the narrower types in which Floyd–Warshall computes them.
#define BOOST_TEST_MODULE whole_numbers
#include <boost/test/unit_test.hpp>

#include <apsp/dense.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../common/exact_rows.hpp"
#include "../common/graphs.hpp"
#include "../common/large_graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
namespace detail = apsp::detail;

namespace {

// A device computes in narrower types from 2560 vertices on, the host from 512.
#ifdef APSP_TEST_ON_DEVICE
constexpr std::size_t many = 2563;
using tested_policies = std::tuple<required_cuda_tiled>;
#else
constexpr std::size_t many = 523;
using tested_policies = std::tuple<seq, omp_3_threads>;
#endif

using cases = boost::mp11::mp_product<with, tested_policies, weight_types>;
using cases_of_floats = boost::mp11::mp_product<with, tested_policies, std::tuple<float, double>>;

/// The distances of 16 bits are below this value.
constexpr std::int64_t limit_of_16_bits = 32767;

#ifdef APSP_TEST_ON_DEVICE
std::size_t num_checked = 0;
#endif

template <class Policy, class T>
void check_solve(const arc_list<T>& arcs) {
#ifdef APSP_TEST_ON_DEVICE
  // Every third graph is in device memory.
  if (++num_checked % 3 == 0 || !is_short) {
    device_memory::in_forms_by_turns(arcs, [&](const auto& g) {
      apsp::device_matrix<T> there(arcs.n, arcs.n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g, there));
      check_exactly(arcs, there.to_host());
    });
    if (is_short) return;
  }
#endif
  apsp::matrix<T> distances(arcs.n, arcs.n, T(7));
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), arcs.view(), distances));
  check_exactly(arcs, distances);
#ifndef APSP_TEST_ON_DEVICE
  const auto entries = dense_form(arcs);
  apsp::matrix<T> of_matrix(arcs.n, arcs.n, T(7));
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), entries, of_matrix));
  BOOST_CHECK(of_matrix == distances);
#endif
}

/// A star with two different weights, so the bound of the distances is the longest distance.
template <class T>
arc_list<T> star(std::size_t n, std::int64_t longest) {
  return apsp_test::star<T>(n, static_cast<T>(longest / 3), static_cast<T>(longest - longest / 3));
}

template <class T>
arc_list<T> ring_and_others(std::size_t n, std::int64_t heaviest, std::uint64_t seed) {
  auto g = random_graph<T>(n, 6.0 / static_cast<double>(n), 0, heaviest, seed);
  for (std::size_t v = 0; v < n; ++v) g.add(v, (v + 1) % n, static_cast<T>(heaviest));
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(short_distances, C, cases) {
  using T = typename C::weight;
  for (const std::int64_t heaviest : {1, 100, 3000}) {
    BOOST_TEST_CONTEXT("weights up to " << heaviest << ", seed = 61") {
      auto g = ring_and_others<T>(many, heaviest, 61);
      check_solve<C>(g);
      // A vertex without arcs, one that is not reached, and one that does not lead on.
      g.n += 3;
      g.add(many + 1, 5, T(3));
      g.add(7, many + 2, T(4));
      check_solve<C>(g);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_at_a_limit, C, cases) {
  using T = typename C::weight;
  std::vector<std::int64_t> longest{limit_of_16_bits - 1, limit_of_16_bits, limit_of_16_bits + 1,
                                    (1 << 24) - 1, 1 << 24};
  if constexpr (!std::is_same_v<T, float>) {
    longest.insert(longest.end(), {(1 << 24) + 1, (1 << 30) - 2, (1 << 30) - 1});
  }
  if constexpr (sizeof(T) == 8) {
    longest.insert(longest.end(), {std::int64_t{1} << 30, (std::int64_t{1} << 53) - 1});
  }
  for (const std::int64_t d : longest) {
    BOOST_TEST_CONTEXT("longest distance " << d) {
      check_solve<C>(star<T>(many, d));
      // One way only: the vertices that the root does not reach, or that do not reach it, bound the
      // distances.
      arc_list<T> chain{many, {}, {}, {}};
      const auto n = static_cast<std::int64_t>(many);
      for (std::size_t v = 1; v < many; ++v) {
        chain.add(v, v - 1, static_cast<T>(d / (n - 1) + (v == 1 ? d % (n - 1) : 0)));
      }
      check_solve<C>(chain);
    }
  }
}

// Such an arc is not part of a shortest path, or its head is reached in no other way.
BOOST_AUTO_TEST_CASE_TEMPLATE(heavy_arcs_among_light_ones, C, cases) {
  using T = typename C::weight;
  for (const std::int64_t weight : {limit_of_16_bits - 1, limit_of_16_bits, std::int64_t{40'000},
                                    std::int64_t{1} << 24, (std::int64_t{1} << 30) - 1}) {
    BOOST_TEST_CONTEXT("an arc of weight " << weight << ", seed = 62") {
      auto g = ring_and_others<T>(many, 20, 62);
      for (std::size_t v = 0; v + 9 < many; v += 7) g.add(v, v + 9, static_cast<T>(weight));
      check_solve<C>(g);
      g.n += 1;
      g.add(11, many, static_cast<T>(weight));
      if (std::is_same_v<T, float> && weight > 1 << 23) continue;  // The sums are not exact.
      check_solve<C>(g);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fractions, C, cases_of_floats) {
  using T = typename C::weight;
  // All, the first, the last, one in the middle; and one that is too heavy for every path.
  const auto whole = ring_and_others<T>(many, 100, 63);
  check_solve<C>(whole);
  auto all = whole;
  for (T& w : all.weights) w += T(0.25);
  check_solve<C>(all);
  for (const std::size_t k : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    BOOST_TEST_CONTEXT("arc " << k << ", seed = 63") {
      auto one = whole;
      one.weights[k] = T(0.5);
      check_solve<C>(one);
      one.weights[k] = T(50'000.5);
      check_solve<C>(one);
      one.weights[k] = T(1e30);
      check_solve<C>(one);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(zeros_and_negative_weights, C, cases) {
  using T = typename C::weight;
  auto g = ring_and_others<T>(many, 30, 64);
  BOOST_TEST_CONTEXT("seed = 64") {
    for (std::size_t k = 0; k < g.size(); k += 3) g.weights[k] = T{};
    check_solve<C>(g);
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t k = 0; k < g.size(); k += 3) g.weights[k] = -T{};
      check_solve<C>(g);
    }
    // Potentials make some weights negative, and keep the cycles.
    for (std::size_t k = 0; k < g.size(); ++k) {
      g.weights[k] += static_cast<T>(g.sources[k] % 40) - static_cast<T>(g.targets[k] % 40);
    }
    apsp::matrix<T> distances(g.n, g.n, T(7));
    BOOST_REQUIRE(apsp::floyd_warshall(C::policy(), g.view(), distances));
    check_exactly(g, distances);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_call_that_is_stopped, C, cases) {
  using T = typename C::weight;
  const auto g = ring_and_others<T>(many, 30, 65);
  apsp::matrix<T> distances(g.n, g.n, T(7));
  check_stops_between(C::policy(), g.n, [&](const auto& policy) {
    return apsp::floyd_warshall(policy, g.view(), distances);
  });
}

#ifndef APSP_TEST_ON_DEVICE

namespace {

/// Solves the rows of a matrix in 16 bits. Returns nothing if that is not proved to be possible.
template <class T>
std::optional<bool> solve_in_16_bits(apsp::matrix<T>& entries, int threads) {
  const std::size_t n = entries.rows();
  std::vector<T*> rows;
  for (std::size_t u = 0; u < n; ++u) rows.push_back(&entries[u][0]);
  const detail::closure_problem<apsp::min_plus<T>> problem{
      {}, n, n - 1, rows.data(), nullptr, apsp::unreachable<T>, T{}};
  detail::host::narrow_floyd_warshall<T> narrow(problem, threads);
  detail::monitor watch{apsp::unobserved{}};
  return narrow.solve(watch);
}

/// The matrix of a graph with 0 on the diagonal.
template <class T>
apsp::matrix<T> coded(const arc_list<T>& arcs) {
  apsp::matrix<T> entries = dense_form(arcs);
  for (std::size_t v = 0; v < arcs.n; ++v) entries[v][v] = T{};
  return entries;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sixteen_bits_are_proved, T, weight_types) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{9}, many}) {
    for (const int threads : {1, 3}) {
      BOOST_TEST_CONTEXT("n = " << n << ", " << threads << " threads, seed = 66") {
        const auto is_proved = [&](const arc_list<T>& arcs) {
          auto entries = coded(arcs);
          const auto before = entries;
          const auto done = solve_in_16_bits(entries, threads);
          if (done) {
            BOOST_CHECK(*done);
            check_exactly(arcs, entries);
          } else {
            BOOST_CHECK(entries == before);
          }
          return done.has_value();
        };
        const auto with_rows_filled = [&](arc_list<T> arcs) {
          // Dense graphs are searched in another way: these arcs are no shortest paths.
          for (std::size_t u = 0; u < n; ++u) {
            for (std::size_t v = u % 3; v < n; v += 3) {
              if (u != v) arcs.add(u, v, T(30'000));
            }
          }
          return arcs;
        };
        const auto light = star<T>(n, 9'000);
        BOOST_CHECK(is_proved(light));
        BOOST_CHECK(is_proved(with_rows_filled(light)));
        // From any root the bound is at most twice the longest distance.
        BOOST_CHECK(is_proved(star<T>(n, (limit_of_16_bits - 1) / 2)));
        BOOST_CHECK(is_proved(with_rows_filled(star<T>(n, limit_of_16_bits - 1))));
        if (n > 2) BOOST_CHECK(!is_proved(star<T>(n, limit_of_16_bits)));
        auto negative = light;
        negative.weights.back() = T(-1);
        BOOST_CHECK(!is_proved(negative));
        if constexpr (std::is_floating_point_v<T>) {
          auto fraction = light;
          fraction.weights.back() += T(0.5);
          BOOST_CHECK(!is_proved(fraction));
          BOOST_CHECK(!is_proved(with_rows_filled(fraction)));
        }
      }
    }
  }
}

#endif
