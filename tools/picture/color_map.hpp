// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace apsp_picture {

struct color {
  std::uint8_t red;
  std::uint8_t green;
  std::uint8_t blue;
};

inline constexpr color mark_color{228, 26, 28};
inline constexpr color no_color{190, 190, 190};

/// Nine colours of viridis at equal distances. Source: Smith and van der Walt 2015.
inline constexpr std::array<color, 9> viridis{{{68, 1, 84},
                                               {71, 45, 123},
                                               {59, 82, 139},
                                               {44, 114, 142},
                                               {33, 144, 140},
                                               {39, 173, 129},
                                               {93, 200, 99},
                                               {170, 220, 50},
                                               {253, 231, 37}}};

/// The colour at @p position, from 0 to 1.
inline color color_at(double position) {
  const double place = std::clamp(position, 0.0, 1.0) * (viridis.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  const double t = place - static_cast<double>(k);
  const auto between = [t](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround((1 - t) * a + t * b));
  };
  const color& a = viridis[k];
  const color& b = viridis[k + 1];
  return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

/// Where @p value lies between the ends of a range: 0 to 1.
inline double position_in(double value, double least, double largest) {
  return largest > least ? (value - least) / (largest - least) : 0;
}

}  // namespace apsp_picture
