// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "../../common/generators.hpp"
#include "scene.hpp"
#include "surface.hpp"

namespace apsp_picture {

namespace {

// Random numbers in [0, 1) at the points of a lattice, and smooth between them.
class random_lattice {
 public:
  random_lattice(std::size_t rows, std::size_t columns, apsp_common::random_numbers& random)
      : columns_(columns), values_(rows * columns) {
    for (double& value : values_) value = static_cast<double>(random.below(1U << 24U)) * 0x1p-24;
  }
  double operator()(double y, double x) const {
    const auto row = static_cast<std::size_t>(y);
    const auto column = static_cast<std::size_t>(x);
    const double s = smooth(x - static_cast<double>(column));
    const double* const above = &values_[row * columns_ + column];
    const double* const below = above + columns_;
    const double t = smooth(y - static_cast<double>(row));
    return (1 - t) * ((1 - s) * above[0] + s * above[1]) + t * ((1 - s) * below[0] + s * below[1]);
  }

 private:
  // Without functions whose rounding differs between machines.
  static double smooth(double t) { return t * t * (3 - 2 * t); }

  std::size_t columns_;
  std::vector<double> values_;
};

std::vector<double> make_heights(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  apsp_common::random_numbers random(seed);
  std::vector<double> heights(rows * columns);
  double spacing = std::max(2.0, static_cast<double>(std::max(rows, columns)) / 3);
  for (double amplitude = 1; spacing >= 2; spacing /= 2, amplitude *= 0.4) {
    const auto points = [spacing](std::size_t n) {
      return static_cast<std::size_t>(static_cast<double>(n) / spacing) + 2;
    };
    const random_lattice lattice(points(rows), points(columns), random);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        heights[r * columns + c] +=
            amplitude * lattice(static_cast<double>(r) / spacing, static_cast<double>(c) / spacing);
      }
    }
  }
  return heights;
}

void add_edge(scene& s, std::size_t u, std::size_t v) {
  add_edge(s, static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
}

point operator+(const point& a, const point& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
point operator*(double factor, const point& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

}  // namespace

scene make_terrain(std::size_t rows, std::size_t columns, double relief, std::uint64_t seed) {
  scene s;
  s.name = "terrain of " + std::to_string(rows) + " x " + std::to_string(columns) + " points";
  s.rows = rows;
  s.columns = columns;
  const std::vector<double> heights = make_heights(rows, columns, seed);
  const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
  const double range = *highest > *lowest ? *highest - *lowest : 1;
  const double scale = relief * static_cast<double>(std::max(rows, columns));
  for (std::size_t v = 0; v < heights.size(); ++v) {
    // The square makes mountains steeper than valleys, so that paths lead around them.
    const double height = (heights[v] - *lowest) / range;
    // y increases upwards, as in all scenes.
    s.points.push_back({static_cast<double>(v % columns),
                        static_cast<double>(rows - 1 - v / columns), scale * height * height});
  }
  for (std::size_t v = 0; v < heights.size(); ++v) {
    const bool has_left = v % columns != 0;
    const bool has_right = (v + 1) % columns != 0;
    const bool has_below = v + columns < heights.size();
    if (has_right) add_edge(s, v, v + 1);
    if (!has_below) continue;
    add_edge(s, v, v + columns);
    if (has_left) add_edge(s, v, v + columns - 1);
    if (!has_right) continue;
    add_edge(s, v, v + columns + 1);
    const auto corner = [v](std::size_t step) { return static_cast<std::int32_t>(v + step); };
    s.triangles.push_back({corner(0), corner(columns), corner(1)});
    s.triangles.push_back({corner(1), corner(columns), corner(columns + 1)});
  }
  return s;
}

scene make_horn() {
  constexpr std::size_t along = 300;
  constexpr std::size_t around = 32;
  constexpr double turns = 3;
  scene s;
  s.name = "horn";
  for (std::size_t i = 0; i < along; ++i) {
    // The middle of the tube, and two directions across it; both grow with the distance from the
    // axis.
    const double t = static_cast<double>(i) / (along - 1);
    const double angle = 2 * std::numbers::pi * turns * t;
    const double size = std::exp2(2.4 * (t - 1));
    const point outward{std::cos(angle), std::sin(angle), 0};
    const point upward{0, 0, 1};
    const point middle = size * outward + -2 * size * upward;
    for (std::size_t j = 0; j < around; ++j) {
      const double a = 2 * std::numbers::pi * static_cast<double>(j) / around;
      s.points.push_back(middle + 0.45 * size * (std::cos(a) * outward + std::sin(a) * upward));
    }
  }
  const auto vertex = [](std::size_t i, std::size_t j) {
    return static_cast<std::int32_t>(i * around + j % around);
  };
  for (std::size_t i = 0; i + 1 < along; ++i) {
    for (std::size_t j = 0; j < around; ++j) {
      s.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)});
      s.triangles.push_back({vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1)});
    }
  }
  add_edges_of_triangles(s);
  return s;
}

}  // namespace apsp_picture
