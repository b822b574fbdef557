// SPDX-License-Identifier: BSL-1.0
#include <fmt/core.h>

#include <iterator>
#include <string>

#include "color_map.hpp"
#include "outputs.hpp"

namespace apsp_picture {

namespace {

// Also marks what viewers that ignore edges would not show.
color color_of(const measures& m, const std::vector<bool>& is_on_path, std::size_t v) {
  if (v == m.centre) return mark_color;
  if (is_on_path[v]) return {255, 255, 255};
  if (!m.is_drawn[v]) return no_color;
  return color_at(position_in(m.values[v], m.least, m.largest));
}

/// A line of the header may have no other characters, and must not end early.
std::string printable(std::string text) {
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code > 0x7e) c = '?';
  }
  return text;
}

}  // namespace

std::string ply_of_surface(const scene& s, const measures& m) {
  const bool has_path = !m.longest_path.empty();
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\ncomment {}\ncomment {} {}\n{}"
      "element vertex {}\n"
      "property float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\n"
      "property float {}\n"
      "element face {}\nproperty list uchar int vertex_indices\n"
      "element edge {}\nproperty int vertex1\nproperty int vertex2\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\n"
      "end_header\n",
      printable(s.name), m.mark, m.centre,
      has_path ? fmt::format("comment longest shortest path {:.7g}\n", m.path_length) : "",
      s.points.size(), m.name, s.triangles.size(), has_path ? m.longest_path.size() - 1 : 0);
  const auto out = std::back_inserter(text);
  std::vector<bool> is_on_path(s.points.size());
  for (const std::size_t v : m.longest_path) is_on_path[v] = true;
  for (std::size_t v = 0; v < s.points.size(); ++v) {
    const point& p = s.points[v];
    const color c = color_of(m, is_on_path, v);
    fmt::format_to(out, "{:.7g} {:.7g} {:.7g} {} {} {} {:.7g}\n", p.x, p.y, p.z, c.red, c.green,
                   c.blue, m.values[v]);
  }
  for (const auto& [a, b, c] : s.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  for (std::size_t k = 1; k < m.longest_path.size(); ++k) {
    fmt::format_to(out, "{} {} {} {} {}\n", m.longest_path[k - 1], m.longest_path[k],
                   mark_color.red, mark_color.green, mark_color.blue);
  }
  return text;
}

}  // namespace apsp_picture
