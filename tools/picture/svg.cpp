// SPDX-License-Identifier: BSL-1.0
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "color_map.hpp"
#include "outputs.hpp"

namespace apsp_picture {

namespace {

// Values are drawn in this many colours, so that equal ones can share an element.
constexpr std::size_t num_colors = 48;
constexpr double picture_size = 640;
constexpr double margin = 12;
constexpr double legend_height = 46;

std::string hex(const color& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

std::size_t color_number(double value, const measures& m) {
  const double place = position_in(value, m.least, m.largest) * num_colors;
  return std::min(static_cast<std::size_t>(std::max(place, 0.0)), num_colors - 1);
}
color color_of_number(std::size_t k) {
  return color_at(static_cast<double>(k) / static_cast<double>(num_colors - 1));
}

std::string without_markup(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    // Control characters are not allowed in XML, and the name of a file need not be UTF-8.
    const auto code = static_cast<unsigned char>(c);
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += code < 0x20 || code > 0x7e ? '?' : c;
    }
  }
  return escaped;
}

/// An SVG text with room for a drawing and a legend below it.
class svg_text {
 public:
  svg_text(const scene& s, const measures& m, double width, double height)
      : width_(width), height_(height) {
    const double whole_width = width + 2 * margin;
    const double whole_height = height + 2 * margin + legend_height;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n",
        whole_width, whole_height);
    add("<title>{}</title>\n", without_markup(s.name));
    add("<desc>{} vertices, {} arcs. Colours: {}, {:.6g} to {:.6g}. Marked ({}): vertex {}.",
        s.points.size(), s.from.size(), m.label, m.least, m.largest, m.mark, m.centre);
    if (!m.longest_path.empty()) {
      add(" The longest shortest path is of length {:.6g}, from {} to {}.", m.path_length,
          m.longest_path.front(), m.longest_path.back());
    }
    add("</desc>\n");
    add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  }

  template <class... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }

  /// The path and the centre. @p place gives the position of a vertex in the drawing.
  template <class Place>
  void add_marks(const measures& m, Place place) {
    if (!m.longest_path.empty()) add_path(m, place);
    const auto [x, y] = place(m.centre);
    add("<circle id=\"centre\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"#ffffff\" "
        "stroke-width=\"2\"/>\n",
        x, y, hex(mark_color));
  }

  /// Closes the text.
  std::string finish(const measures& m) {
    const double top = margin + height_ + 12;
    const double bar = width_ * 0.5;
    add("<linearGradient id=\"colors\">");
    for (std::size_t k = 0; k < viridis.size(); ++k) {
      add("<stop offset=\"{:.3f}\" stop-color=\"{}\"/>",
          static_cast<double>(k) / static_cast<double>(viridis.size() - 1), hex(viridis[k]));
    }
    add("</linearGradient>\n<g id=\"legend\" fill=\"#333333\">\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\" fill=\"url(#colors)\"/>\n",
        margin, top, bar);
    const double text_line = top + 30;
    add("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>\n", margin, text_line, m.least);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", margin + bar / 2,
        text_line, m.label);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n", margin + bar,
        text_line, m.largest);
    const double right = margin + bar + 24;
    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        right + 6, top + 7, hex(mark_color), right + 26, top + 12, m.mark);
    if (!m.longest_path.empty()) {
      add("<path d=\"M{:.1f} {:.1f}h14\" stroke=\"#000000\" stroke-width=\"4.5\"/>\n"
          "<path d=\"M{:.1f} {:.1f}h14\" stroke=\"#ffffff\" stroke-width=\"2.5\"/>\n"
          "<text x=\"{:.1f}\" y=\"{:.1f}\">longest shortest path: {:.4g}</text>\n",
          right, top + 29, right, top + 29, right + 26, top + 34, m.path_length);
    }
    add("</g>\n</svg>\n");
    return std::move(text_);
  }

 private:
  template <class Place>
  void add_path(const measures& m, Place place) {
    std::string points;
    for (const std::size_t v : m.longest_path) {
      const auto [x, y] = place(v);
      fmt::format_to(std::back_inserter(points), "{}{:.1f},{:.1f}", points.empty() ? "" : " ", x,
                     y);
    }
    // White is seen on every colour, and the dark line below it on white ground.
    add("<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
        "<polyline points=\"{0}\" stroke=\"#000000\" stroke-opacity=\"0.6\" "
        "stroke-width=\"4.5\"/>\n"
        "<polyline id=\"longest-path\" points=\"{0}\" stroke=\"#ffffff\" "
        "stroke-width=\"2.5\"/>\n</g>\n",
        points);
    for (const std::size_t v : {m.longest_path.front(), m.longest_path.back()}) {
      const auto [x, y] = place(v);
      add("<circle class=\"end\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#ffffff\" "
          "stroke=\"#000000\"/>\n",
          x, y);
    }
  }

  double width_;
  double height_;
  std::string text_;
};

// One element for all squares of a kind; squares that touch in a row are one rectangle. kind_of(v)
// is from 0 to num_kinds - 1, or num_kinds for none.
template <class KindOf, class FillOf>
void add_squares(svg_text& svg, const scene& s, std::size_t num_kinds, KindOf kind_of,
                 FillOf fill_of) {
  std::vector<std::string> shapes(num_kinds);
  for (std::size_t row = 0; row < s.rows; ++row) {
    for (std::size_t column = 0, end = 0; column < s.columns; column = end) {
      const std::size_t kind = kind_of(row * s.columns + column);
      for (end = column + 1; end < s.columns && kind_of(row * s.columns + end) == kind;) ++end;
      if (kind == num_kinds) continue;
      const std::size_t length = end - column;
      fmt::format_to(std::back_inserter(shapes[kind]), "M{} {}h{}v1h-{}z", column, row, length,
                     length);
    }
  }
  for (std::size_t kind = 0; kind < num_kinds; ++kind) {
    if (!shapes[kind].empty()) svg.add("<path {} d=\"{}\"/>\n", fill_of(kind), shapes[kind]);
  }
}

// The brightness of each vertex of a terrain in a light from the upper left, from 0 to 1; 1/2 if it
// is level. It is relative to the mean slope, so that the relief is visible however flat or steep
// the terrain is.
std::vector<double> brightness_of(const scene& s) {
  const auto height = [&](std::size_t row, std::size_t column) {
    return s.points[row * s.columns + column].z;
  };
  std::vector<double> towards_light;
  double sum_of_squares = 0;
  for (std::size_t row = 0; row < s.rows; ++row) {
    for (std::size_t column = 0; column < s.columns; ++column) {
      const std::size_t above = row == 0 ? row : row - 1;
      const std::size_t below = std::min(row + 1, s.rows - 1);
      const std::size_t left = column == 0 ? column : column - 1;
      const std::size_t right = std::min(column + 1, s.columns - 1);
      const double slope =
          (height(row, right) - height(row, left)) / static_cast<double>(right - left) +
          (height(below, column) - height(above, column)) / static_cast<double>(below - above);
      towards_light.push_back(slope);
      sum_of_squares += slope * slope;
    }
  }
  const double mean = std::sqrt(sum_of_squares / static_cast<double>(towards_light.size()));
  for (double& b : towards_light) b = mean > 0 ? std::clamp(0.5 + 0.2 * b / mean, 0.0, 1.0) : 0.5;
  return towards_light;
}

/// Lines between points of integer coordinates, in the short form of SVG.
class line_shapes {
 public:
  void move_to(std::int64_t x, std::int64_t y) {
    fmt::format_to(std::back_inserter(text_), "M{} {}l", x, y);
    x_ = x;
    y_ = y;
    is_first_ = true;
  }
  void line_to(std::int64_t x, std::int64_t y) {
    const char* const separator = is_first_ || x < x_ ? "" : " ";
    fmt::format_to(std::back_inserter(text_), "{}{}{}{}", separator, x - x_, y < y_ ? "" : " ",
                   y - y_);
    x_ = x;
    y_ = y;
    is_first_ = false;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::int64_t x_ = 0;
  std::int64_t y_ = 0;
  bool is_first_ = true;
};

// Joins edges to lines: each edge is drawn once, and a line goes on from its end as long as there
// is an edge that has not been drawn.
template <class Place>
std::string lines_of(const std::vector<std::pair<std::size_t, std::size_t>>& edges, Place place) {
  std::map<std::size_t, std::vector<std::size_t>> edges_at;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edges_at[edges[k].first].push_back(k);
    edges_at[edges[k].second].push_back(k);
  }
  std::vector<bool> is_drawn(edges.size());
  line_shapes shapes;
  for (std::size_t first = 0; first < edges.size(); ++first) {
    if (is_drawn[first]) continue;
    std::size_t at = edges[first].first;
    shapes.move_to(place(at).first, place(at).second);
    for (std::size_t k = first; k != edges.size();) {
      is_drawn[k] = true;
      at = edges[k].first == at ? edges[k].second : edges[k].first;
      shapes.line_to(place(at).first, place(at).second);
      std::vector<std::size_t>& here = edges_at[at];
      while (!here.empty() && is_drawn[here.back()]) here.pop_back();
      k = here.empty() ? edges.size() : here.back();
    }
  }
  return shapes.text();
}

}  // namespace

std::string svg_of_terrain(const scene& s, const measures& m) {
  const double square = picture_size / static_cast<double>(std::max(s.rows, s.columns));
  svg_text svg(s, m, square * static_cast<double>(s.columns), square * static_cast<double>(s.rows));
  svg.add(
      "<g id=\"{2}\" transform=\"translate({0} {0}) scale({1:.4f})\" "
      "shape-rendering=\"crispEdges\">\n",
      margin, square, m.name);
  add_squares(
      svg, s, num_colors, [&](std::size_t v) { return color_number(m.values[v], m); },
      [](std::size_t k) { return fmt::format("fill=\"{}\"", hex(color_of_number(k))); });
  // Black of increasing opacity for slopes that face away from the light, white for those that face
  // it.
  constexpr std::size_t num_shades = 9;
  constexpr std::size_t level = num_shades / 2;
  const std::vector<double> brightness = brightness_of(s);
  const auto shade = [&](std::size_t v) {
    const auto k = std::min(static_cast<std::size_t>(brightness[v] * num_shades), num_shades - 1);
    return k == level ? num_shades : k;
  };
  svg.add(
      "</g>\n<g id=\"relief\" transform=\"translate({0} {0}) scale({1:.4f})\" "
      "shape-rendering=\"crispEdges\">\n",
      margin, square);
  add_squares(svg, s, num_shades, shade, [](std::size_t k) {
    const std::size_t strength = k < level ? level - k : k - level;
    return fmt::format("fill=\"{}\" fill-opacity=\"{:.2f}\"", k < level ? "#000000" : "#ffffff",
                       0.09 * static_cast<double>(strength));
  });
  svg.add("</g>\n");
  svg.add_marks(m, [&](std::size_t v) {
    const auto row = static_cast<double>(v / s.columns);
    const auto column = static_cast<double>(v % s.columns);
    return std::pair(margin + (column + 0.5) * square, margin + (row + 0.5) * square);
  });
  return svg.finish(m);
}

std::string svg_of_map(const scene& s, const measures& m) {
  const auto by_x = [](const point& a, const point& b) { return a.x < b.x; };
  const auto by_y = [](const point& a, const point& b) { return a.y < b.y; };
  const auto [west, east] = std::minmax_element(s.points.begin(), s.points.end(), by_x);
  const auto [south, north] = std::minmax_element(s.points.begin(), s.points.end(), by_y);
  const double longer = std::max(east->x - west->x, north->y - south->y);
  const double scale = longer > 0 ? picture_size / longer : 1;
  // The legend needs some width.
  const double width = std::max((east->x - west->x) * scale, 0.75 * picture_size);
  const double height = (north->y - south->y) * scale;
  const auto place = [&, first = west->x, last = north->y](std::size_t v) {
    return std::pair(margin + (s.points[v].x - first) * scale,
                     margin + (last - s.points[v].y) * scale);
  };
  // Coordinates of lines are tenths, which are shorter as integers.
  const auto tenths = [&](std::size_t v) {
    const auto [x, y] = place(v);
    return std::pair(std::int64_t{std::llround(10 * x)}, std::int64_t{std::llround(10 * y)});
  };

  // One list of edges for each colour, and one of edges without a colour.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> edges(num_colors + 1);
  for (std::size_t k = 0; k < s.from.size(); ++k) {
    const auto [u, v] =
        std::minmax({static_cast<std::size_t>(s.from[k]), static_cast<std::size_t>(s.to[k])});
    if (tenths(u) == tenths(v)) continue;
    const double value =
        m.values_of_arcs.empty() ? (m.values[u] + m.values[v]) / 2 : m.values_of_arcs[k];
    const bool has_color = m.is_drawn[u] && m.is_drawn[v];
    edges[has_color ? color_number(value, m) : num_colors].emplace_back(u, v);
  }
  svg_text svg(s, m, width, height);
  const double line_width =
      std::clamp(60 / std::sqrt(static_cast<double>(s.points.size())), 0.5, 3.0);
  svg.add(
      "<g id=\"{}\" transform=\"scale(.1)\" fill=\"none\" stroke-width=\"{:.0f}\" "
      "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
      m.name, 10 * line_width);
  // Roads without a colour first; arcs of large values, which are few, over the others.
  for (std::size_t i = 0; i <= num_colors; ++i) {
    const std::size_t k = i == 0 || m.values_of_arcs.empty() ? num_colors - i : i - 1;
    std::sort(edges[k].begin(), edges[k].end());
    edges[k].erase(std::unique(edges[k].begin(), edges[k].end()), edges[k].end());
    if (edges[k].empty()) continue;
    svg.add("<path stroke=\"{}\" d=\"{}\"/>\n",
            hex(k == num_colors ? no_color : color_of_number(k)), lines_of(edges[k], tenths));
  }
  svg.add("</g>\n");
  svg.add_marks(m, place);
  return svg.finish(m);
}

}  // namespace apsp_picture
