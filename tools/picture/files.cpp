// SPDX-License-Identifier: BSL-1.0
#include <apsp/csr.hpp>
#include <apsp/error.hpp>
#include <apsp/files.hpp>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <system_error>

#include "scene.hpp"
#include "surface.hpp"

namespace apsp_picture {

namespace {

/// A text file, read line by line and word by word.
class line_reader {
 public:
  explicit line_reader(std::filesystem::path file) : file_(std::move(file)), in_(file_) {
    std::error_code error;
    if (std::filesystem::is_directory(file_, error)) fail("is a folder");
    if (!in_) fail("cannot be read");
  }

  /// Goes to the next line. @return false at the end of the file.
  bool next_line() {
    if (!std::getline(in_, line_)) {
      if (in_.bad()) fail("cannot be read");
      return false;
    }
    ++number_;
    rest_ = line_;
    return true;
  }
  /// The next word of the line; empty at its end.
  std::string_view word() {
    constexpr std::string_view blanks = " \t\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    const std::string_view found = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(found.size());
    return found;
  }
  template <class T>
  T number(const std::string& what) {
    const std::string_view text = word();
    const std::optional<T> value = parse<T>(text);
    if (!value) fail("expected " + what + ", found '" + std::string(text) + "'");
    return *value;
  }
  /// A number that float holds, so that pictures have distances between coordinates, too.
  double coordinate() {
    constexpr double largest = 1e30;
    const auto value = number<double>("a coordinate");
    if (!(std::abs(value) <= largest)) fail("expected a coordinate from -1e30 to 1e30");
    return value;
  }
  /// A finite number in decimal notation.
  template <class T>
  static std::optional<T> parse(std::string_view text) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
    if (!std::isfinite(static_cast<double>(value))) return std::nullopt;
    return value;
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw apsp::file_error(file_, number_, reason);
  }
  [[noreturn]] void fail_as_a_whole(const std::string& reason) const {
    throw apsp::file_error(file_, 0, reason);
  }

 private:
  std::filesystem::path file_;
  std::ifstream in_;
  std::string line_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

// A vertex of a face: "7", "7/1", "7//3" or "7/1/3"; -1 is the vertex that was read last.
std::int32_t vertex_of_face(line_reader& in, std::string_view text, std::size_t num_points) {
  const auto number = line_reader::parse<std::int64_t>(text.substr(0, text.find('/')));
  if (!number || *number == 0) in.fail("expected a vertex, found '" + std::string(text) + "'");
  const auto n = static_cast<std::int64_t>(num_points);
  const std::int64_t vertex = *number > 0 ? *number - 1 : n + *number;
  if (vertex < 0 || vertex >= n) {
    in.fail("vertex " + std::to_string(*number) + " is out of range: " + std::to_string(n) +
            " vertices come before");
  }
  return static_cast<std::int32_t>(vertex);
}

std::vector<point> read_coordinates(const std::filesystem::path& file, std::size_t num_vertices,
                                    bool are_degrees) {
  line_reader in(file);
  std::vector<point> points(num_vertices);
  std::vector<bool> is_known(num_vertices);
  std::size_t num_known = 0;
  bool has_header = false;
  while (in.next_line()) {
    const std::string_view kind = in.word();
    if (kind.empty() || kind.front() == 'c') continue;
    if (kind == "p" && !has_header) {
      if (in.word() != "aux" || in.word() != "sp" || in.word() != "co") {
        in.fail("expected 'p aux sp co' and the number of vertices");
      }
      const auto declared = in.number<std::uint64_t>("the number of vertices");
      if (declared != num_vertices) {
        in.fail(std::to_string(declared) + " vertices, but the graph has " +
                std::to_string(num_vertices));
      }
      has_header = true;
    } else if (kind == "v" && has_header) {
      const auto number = in.number<std::uint64_t>("the number of a vertex");
      if (number == 0 || number > num_vertices) {
        in.fail("vertex " + std::to_string(number) + " is out of range: vertices are 1 to " +
                std::to_string(num_vertices));
      }
      const std::size_t v = number - 1;
      if (is_known[v]) in.fail("vertex " + std::to_string(number) + " has coordinates already");
      points[v].x = in.coordinate();
      points[v].y = in.coordinate();
      constexpr double north_pole = 90e6;
      if (are_degrees && std::abs(points[v].y) > north_pole) {
        in.fail("expected a latitude from -90000000 to 90000000 millionths of a degree");
      }
      is_known[v] = true;
      ++num_known;
    } else {
      in.fail(has_header ? "expected a line 'v', found '" + std::string(kind) + "'"
                         : "expected the line 'p aux sp co', found '" + std::string(kind) + "'");
    }
    if (!in.word().empty()) in.fail("the line is too long");
  }
  if (!has_header) in.fail_as_a_whole("there is no line 'p aux sp co'");
  if (num_known != num_vertices) {
    in.fail_as_a_whole("the file ends after " + std::to_string(num_known) + " of " +
                       std::to_string(num_vertices) + " vertices");
  }
  return points;
}

}  // namespace

scene read_obj(const std::filesystem::path& file) {
  line_reader in(file);
  scene s;
  s.name = file.filename().string();
  while (in.next_line()) {
    const std::string_view kind = in.word();
    if (kind == "v") {
      point p;
      for (double* const coordinate : {&p.x, &p.y, &p.z}) {
        *coordinate = in.coordinate();
      }
      if (s.points.size() == std::numeric_limits<std::int32_t>::max()) in.fail("too many vertices");
      s.points.push_back(p);
    } else if (kind == "f") {
      std::vector<std::int32_t> face;
      for (auto word = in.word(); !word.empty(); word = in.word()) {
        face.push_back(vertex_of_face(in, word, s.points.size()));
      }
      if (face.size() < 3) in.fail("a face has three vertices or more");
      for (std::size_t k = 2; k < face.size(); ++k) {
        s.triangles.push_back({face[0], face[k - 1], face[k]});
      }
    }
  }
  if (s.triangles.empty()) in.fail_as_a_whole("there are no faces");
  add_edges_of_triangles(s);
  return s;
}

scene read_roads(const std::filesystem::path& graph, const std::filesystem::path& coordinates,
                 bool degrees) {
  const apsp::csr_graph<double> roads = apsp::read_dimacs<double>(graph);
  const std::size_t n = roads.num_vertices();
  if (n == 0) throw apsp::file_error(graph, 0, "there are no vertices");
  scene s;
  s.name = graph.filename().string();
  s.points = read_coordinates(coordinates, n, degrees);
  if (degrees) {
    const auto by_latitude = [](const point& a, const point& b) { return a.y < b.y; };
    const auto [south, north] = std::minmax_element(s.points.begin(), s.points.end(), by_latitude);
    const double middle = (south->y + north->y) / 2 * 1e-6 * std::numbers::pi / 180;
    const double scale = std::cos(middle);
    for (point& p : s.points) p.x *= scale;
  }
  for (std::size_t u = 0; u < n; ++u) {
    for (auto k = static_cast<std::size_t>(roads.offsets()[u]);
         k < static_cast<std::size_t>(roads.offsets()[u + 1]); ++k) {
      if (roads.weights()[k] < 0) throw apsp::file_error(graph, 0, "there is a negative weight");
      s.from.push_back(static_cast<std::int32_t>(u));
      s.to.push_back(static_cast<std::int32_t>(roads.targets()[k]));
      s.weights.push_back(roads.weights()[k]);
    }
  }
  return s;
}

}  // namespace apsp_picture
