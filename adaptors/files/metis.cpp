// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../apsp/files.hpp"
#include "scanner.hpp"
#include "text.hpp"

namespace apsp::inline v1 {

namespace {

constexpr std::string_view metis_comment_marks = "%";

struct metis_header {
  std::size_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool has_vertex_sizes = false;
  std::int64_t num_vertex_weights = 0;  // per vertex
  bool has_edge_weights = false;
};

// Reads "n m [fmt [ncon]]". The digits of fmt, from the last to the first, are flags for edge
// weights, ncon weights per vertex, and vertex sizes. Leading zeros may be omitted. As in METIS, an
// ncon of 0 means the same as none.
metis_header scan_metis_header(detail::scanner& in) {
  if (!in.next_filled_line(metis_comment_marks)) in.fail("the line 'n m' is missing");
  metis_header header;
  header.num_vertices = in.num_vertices();
  header.num_edges = in.count("the number of edges");
  if (in.at_line_end()) return header;

  const std::string_view fmt = in.token("fmt");
  if (fmt.size() > 3 || fmt.find_first_not_of("01") != std::string_view::npos) {
    in.fail("expected one to three digits 0 or 1 for fmt, found " + detail::quoted(fmt));
  }
  const auto flag = [fmt](std::size_t place) {
    return fmt.size() > place && fmt[fmt.size() - 1 - place] == '1';
  };
  header.has_edge_weights = flag(0);
  header.has_vertex_sizes = flag(2);
  const bool has_vertex_weights = flag(1);
  header.num_vertex_weights = has_vertex_weights ? 1 : 0;
  if (!in.at_line_end()) {
    const std::int64_t ncon = in.count("ncon");
    if (ncon != 0 && !has_vertex_weights) {
      in.fail("ncon is " + std::to_string(ncon) + ", but fmt declares no vertex weights");
    }
    if (ncon != 0) header.num_vertex_weights = ncon;
  }
  in.expect_line_end();
  return header;
}

// Goes to the line of the next vertex. An empty line counts only if it has a line end.
bool next_vertex_line(detail::scanner& in) {
  while (in.next_line() && !in.behind_last_line()) {
    if (!in.line_starts_with(metis_comment_marks)) return true;
  }
  return false;
}

template <class W>
using neighbour = std::pair<std::int32_t, W>;

template <class W>
void sorted_row(const csr_graph<W>& g, std::size_t u, std::vector<neighbour<W>>& row) {
  row.clear();
  for (auto k = g.offsets()[u]; k < g.offsets()[u + 1]; ++k) {
    const auto position = static_cast<std::size_t>(k);
    row.emplace_back(g.targets()[position], g.weights()[position]);
  }
  std::sort(row.begin(), row.end());
}

// Checks that each pair of vertices list each other equally often, and with the same weights.
template <class W>
void check_symmetry(const detail::scanner& in, const csr_graph<W>& g, const csr_graph<W>& reversed,
                    const std::vector<std::size_t>& line_of_vertex) {
  const auto fail_one_sided = [&](std::size_t source, std::size_t target) {
    in.fail_at(line_of_vertex[source], "vertex " + std::to_string(source + 1) + " lists vertex " +
                                           std::to_string(target + 1) +
                                           ", which does not list it with the same weight");
  };
  std::vector<neighbour<W>> listed;
  std::vector<neighbour<W>> listing;
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    sorted_row(g, u, listed);
    sorted_row(reversed, u, listing);
    const auto [a, b] = std::mismatch(listed.begin(), listed.end(), listing.begin(), listing.end());
    if (a != listed.end() && (b == listing.end() || *a < *b)) {
      fail_one_sided(u, static_cast<std::size_t>(a->first));
    } else if (b != listing.end()) {
      fail_one_sided(static_cast<std::size_t>(b->first), u);
    }
  }
}

template <class W>
csr_graph<W> parse_metis(std::string_view text, const std::filesystem::path& name) {
  detail::scanner in(text, name);
  const metis_header header = scan_metis_header(in);
  const std::size_t header_line = in.line_number();
  const std::size_t n = header.num_vertices;

  std::vector<typename csr_graph<W>::arc> arcs;
  arcs.reserve(2 * in.plausible_count(header.num_edges));
  std::vector<std::size_t> line_of_vertex;
  while (line_of_vertex.size() < n) {
    if (!next_vertex_line(in)) {
      in.fail("the file ends after the lines of " + std::to_string(line_of_vertex.size()) + " of " +
              std::to_string(n) + " vertices");
    }
    const auto u = static_cast<std::int32_t>(line_of_vertex.size());
    line_of_vertex.push_back(in.line_number());
    if (header.has_vertex_sizes) in.count("a vertex size");
    for (std::int64_t i = 0; i < header.num_vertex_weights; ++i) in.count("a vertex weight");
    while (!in.at_line_end()) {
      const std::int32_t v = in.vertex("a neighbour", n, 1);
      if (v == u) in.fail("vertex " + std::to_string(u + 1) + " lists itself");
      const W weight = header.has_edge_weights ? in.weight<W>() : W(1);
      arcs.push_back({u, v, weight});
    }
  }
  if (in.next_filled_line(metis_comment_marks)) {
    in.fail("the header declares " + std::to_string(n) + " vertices, but there are more lines");
  }

  csr_graph<W> g(n, arcs);
  for (auto& arc : arcs) std::swap(arc.source, arc.target);
  check_symmetry(in, g, csr_graph<W>(n, arcs), line_of_vertex);
  // Symmetric lists without self-loops contain each edge twice.
  if (!std::cmp_equal(arcs.size() / 2, header.num_edges)) {
    in.fail_at(header_line, "the header declares " + std::to_string(header.num_edges) +
                                " edges, but " + std::to_string(arcs.size() / 2) + " are listed");
  }
  return g;
}

}  // namespace

template <file_weight W>
csr_graph<W> read_metis(const std::filesystem::path& file) {
  return parse_metis<W>(detail::read_text(file), file);
}

template <file_weight W>
csr_graph<W> read_metis(std::istream& in, const std::string& name) {
  return parse_metis<W>(detail::read_text(in, name), name);
}

#define APSP_READ_METIS(W)                                           \
  template csr_graph<W> read_metis<W>(const std::filesystem::path&); \
  template csr_graph<W> read_metis<W>(std::istream&, const std::string&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_READ_METIS)
#undef APSP_READ_METIS

}  // namespace apsp::inline v1
