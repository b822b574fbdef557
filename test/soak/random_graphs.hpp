// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "../common/graphs.hpp"

// The random graphs of `soak`.
namespace apsp_soak {

using namespace apsp_test;

enum class weights {
  small,
  common,
  with_zeros,
  potentials,
  negative,
  extreme,
  mixed_extreme,
  last
};

template <class T>
T draw_weight(weights kind, std::size_t u, std::size_t v,
              const std::vector<std::int64_t>& potential, random_numbers& random) {
  constexpr T largest = (std::numeric_limits<T>::max)();
  switch (kind) {
    case weights::small:
      return static_cast<T>(random(1, 4));
    case weights::with_zeros:
      return static_cast<T>(random(0, 2));
    case weights::potentials:
      return static_cast<T>(random(0, 9) + potential[u] - potential[v]);
    case weights::negative:
      return static_cast<T>(random(-2, 30));
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    const T little = static_cast<T>(random(0, 3));
    const bool may_be_negative = kind == weights::mixed_extreme;
    switch (kind == weights::common ? 9 : random.below(may_be_negative ? 8 : 5)) {
      case 0:
        return largest - little;  // sometimes not an arc
      case 1:
        return largest / 2 + little;
      case 2:
        return largest / 3 - little;
      case 3:
        return little;
      case 4:
        return static_cast<T>(largest / static_cast<T>(random(2, 40)));
      case 5:
        return -largest / 2 - little;
      case 6:
        return -largest + little - 1;  // includes the lowest value
      case 7:
        return static_cast<T>(-static_cast<T>(u < v ? largest / 5 : 0) + little);
      default:
        break;
    }
  }
  return static_cast<T>(random(0, 1000));
}

template <class T>
arc_list<T> draw_graph(random_numbers& random) {
  const std::uint64_t size = random.below(100);
  const std::size_t n = size < 90   ? random.index(13)
                        : size < 99 ? random.index(28)
                                    : random.index(41);
  arc_list<T> g{n, {}, {}, {}};
  if (n == 0) return g;
  const auto kind = static_cast<weights>(random.below(static_cast<std::uint64_t>(weights::last)));
  constexpr double densities[] = {0, 0.05, 0.15, 0.3, 0.6, 1};
  const double density = densities[random.index(std::size(densities))];
  const double self_loops = random.chance(0.5) ? 0.3 : 0;
  // Self-loops are rarely negative, so that many graphs have no negative cycle.
  const bool negative_loops = random.chance(0.02);
  std::vector<std::int64_t> potential(n);
  for (auto& p : potential) p = random(-40, 40);
  const auto add = [&](std::size_t u, std::size_t v) {
    T w = draw_weight<T>(kind, u, v, potential, random);
    if (u == v && w < T{} && !negative_loops) w = T{};
    g.add(u, v, w);
  };
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (random.chance(u == v ? self_loops : density)) add(u, v);
    }
  }
  for (std::uint64_t k = random.chance(0.5) ? random.below(n) : 0; k > 0; --k) {
    add(random.index(n), random.index(n));
  }
  return g;
}

}  // namespace apsp_soak
