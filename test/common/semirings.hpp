// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/semiring.hpp>
#include <apsp/unreachable.hpp>
#include <boost/mp11.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"
#include "policies.hpp"

// Helpers of the tests of semirings. The semirings are defined again here, so that the library is
// not its own oracle.
namespace apsp_test {

template <class T>
inline constexpr T greatest_value =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                         : (std::numeric_limits<T>::max)();
template <class T>
inline constexpr T least_value =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

/// The definition of a semiring for the oracle.
template <class S>
struct meaning;

template <class T>
struct meaning<apsp::min_plus<T>> {
  static constexpr T zero = greatest_value<T>;
  static constexpr T one = 0;
  static bool is_better(T a, T b) { return a < b; }
  static T join(T a, T b) { return a + b; }
};
template <class T>
struct meaning<apsp::max_min<T>> {
  static constexpr T zero = least_value<T>;
  static constexpr T one = greatest_value<T>;
  static bool is_better(T a, T b) { return a > b; }
  static T join(T a, T b) { return std::min(a, b); }
};
template <class T>
struct meaning<apsp::min_max<T>> {
  static constexpr T zero = greatest_value<T>;
  static constexpr T one = least_value<T>;
  static bool is_better(T a, T b) { return a < b; }
  static T join(T a, T b) { return std::max(a, b); }
};
template <class T>
struct meaning<apsp::max_times<T>> {
  static constexpr T zero = 0;
  static constexpr T one = 1;
  static bool is_better(T a, T b) { return a > b; }
  static T join(T a, T b) { return static_cast<T>(a * b); }
};

template <class T>
using semirings_of = std::tuple<apsp::max_min<T>, apsp::min_max<T>, apsp::max_times<T>>;
using named_semirings =
    boost::mp11::mp_append<semirings_of<float>, semirings_of<double>, semirings_of<std::int32_t>,
                           semirings_of<std::int64_t>>;

/// The set of 32 kinds of traffic that can get from one vertex to another. Idempotent, but not
/// selective.
struct kinds_of_traffic {
  using value_type = std::uint32_t;
  static constexpr bool is_idempotent = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr value_type zero = 0;
  static constexpr value_type one = ~value_type{0};
  static constexpr value_type plus(value_type a, value_type b) { return a | b; }
  static constexpr value_type times(value_type a, value_type b) { return a & b; }
};

/// A policy and a semiring, the template parameter of a test case.
template <class Policy, class S>
struct over {
  using policy_type = Policy;
  using semiring = S;
  using value = typename S::value_type;
  static constexpr auto expected = Policy::expected;
  static constexpr auto policy() { return Policy::policy(); }
};
using policies_and_semirings = with_policies<over, named_semirings>;

/// Returns random arcs with valid weights of the semiring; products of up to six of them are exact.
template <class S>
arc_list<typename S::value_type> semiring_graph(std::size_t n, double p, std::uint64_t seed) {
  using T = typename S::value_type;
  if constexpr (std::is_same_v<S, apsp::max_times<T>>) {
    if constexpr (std::is_integral_v<T>) return random_graph<T>(n, p, 0, 1, seed);
    auto arcs = random_graph<T>(n, p, 0, 8, seed);
    for (T& w : arcs.weights) w = w / T(8);
    return arcs;
  } else {
    return random_graph<T>(n, p, -500, 500, seed);
  }
}

/// Returns the best values of all paths from each of @p sources, by relaxing arcs until nothing
/// changes.
template <class S>
apsp::matrix<typename S::value_type> best_values(const arc_list<typename S::value_type>& arcs,
                                                 const std::vector<std::size_t>& sources) {
  using T = typename S::value_type;
  apsp::matrix<T> best(sources.size(), arcs.n, meaning<S>::zero);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    best[i][sources[i]] = meaning<S>::one;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < arcs.size(); ++k) {
        const T from = best[i][arcs.from(k)];
        if (from == meaning<S>::zero || arcs.weights[k] == apsp::unreachable<T>) continue;
        const T candidate = meaning<S>::join(from, arcs.weights[k]);
        T& to = best[i][arcs.to(k)];
        if (meaning<S>::is_better(candidate, to)) {
          to = candidate;
          changed = true;
        }
      }
    }
  }
  return best;
}
template <class S>
apsp::matrix<typename S::value_type> best_values(const arc_list<typename S::value_type>& arcs) {
  return best_values<S>(arcs, all_vertices(arcs.n));
}

/// Compares exactly, except for products of floating-point numbers.
template <class S, class T = typename S::value_type>
bool same_value(T got, T expected) {
  if constexpr (std::is_floating_point_v<T> && std::is_same_v<S, apsp::max_times<T>>) {
    const T gap = got < expected ? expected - got : got - expected;
    return gap <= T(64) * std::numeric_limits<T>::epsilon() * expected;
  } else {
    return got == expected;
  }
}

/// Checks every entry, up to the rounding of products.
template <class S, class M>
void check_values(const M& expected, const M& got) {
  for (std::size_t u = 0; u < expected.rows(); ++u) {
    for (std::size_t v = 0; v < expected.cols(); ++v) {
      if (!same_value<S>(got[u][v], expected[u][v])) {
        BOOST_ERROR("entry (" << u << ", " << v << ") is " << got[u][v] << ", not "
                              << expected[u][v]);
        return;
      }
    }
  }
}

/// Checks that a path from a source exists exactly if it is connected, and that it has the value of
/// the pair.
template <class S, class Index, class T = typename S::value_type>
void check_paths(const arc_list<T>& arcs, const std::vector<std::size_t>& sources,
                 const apsp::matrix<T>& values, const apsp::matrix<Index>& predecessors) {
  apsp::matrix<T> best_arc(arcs.n, arcs.n, meaning<S>::zero);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    if (arcs.weights[k] == apsp::unreachable<T>) continue;
    T& entry = best_arc[arcs.from(k)][arcs.to(k)];
    if (meaning<S>::is_better(arcs.weights[k], entry)) entry = arcs.weights[k];
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      const std::size_t u = sources[i];
      const auto vertices = apsp::path(predecessors, i, u, v);
      const bool joined = u == v || values[i][v] != meaning<S>::zero;
      const bool is_root = predecessors[i][v] == apsp::no_predecessor<Index>;
      if (vertices.empty() == joined || is_root != (u == v || !joined)) {
        BOOST_FAIL("the path from " << u << " to " << v << " has " << vertices.size()
                                    << " vertices and the predecessor " << predecessors[i][v]);
      }
      if (!joined) continue;
      T value = meaning<S>::one;
      for (std::size_t k = 0; k + 1 < vertices.size(); ++k) {
        value = meaning<S>::join(value, best_arc[vertices[k]][vertices[k + 1]]);
      }
      if (!same_value<S>(value, values[i][v])) {
        BOOST_FAIL("the path from " << u << " to " << v << " is worth " << value << ", not "
                                    << values[i][v]);
      }
    }
  }
}
template <class S, class Index, class T = typename S::value_type>
void check_paths(const arc_list<T>& arcs, const apsp::matrix<T>& values,
                 const apsp::matrix<Index>& predecessors) {
  check_paths<S>(arcs, all_vertices(arcs.n), values, predecessors);
}

}  // namespace apsp_test
