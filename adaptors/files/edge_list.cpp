// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../apsp/files.hpp"
#include "scanner.hpp"
#include "text.hpp"

namespace apsp::inline v1 {

namespace {

constexpr std::string_view edge_list_comment_marks = "#%";

struct edge_list_header {
  std::size_t num_vertices;
  std::int64_t num_edges;
};

// Reads the two numbers of the header, which are on one line or on two.
edge_list_header scan_edge_list_header(detail::scanner& in) {
  edge_list_header header{};
  if (!in.next_filled_line(edge_list_comment_marks)) in.fail("the number of vertices is missing");
  header.num_vertices = in.num_vertices();
  if (in.at_line_end() && !in.next_filled_line(edge_list_comment_marks)) {
    in.fail("the number of edges is missing");
  }
  header.num_edges = in.count("the number of edges");
  in.expect_line_end();
  return header;
}

template <class W>
struct listed_edge {
  std::int64_t source;
  std::int64_t target;
  W weight;
};

// Without renumbering, an id is a vertex. It must be less than the number of vertices that the
// header declares, or than the maximum for a file of this size.
std::int64_t scan_id(detail::scanner& in, std::string_view what,
                     const std::optional<edge_list_header>& header, bool renumber) {
  const std::int64_t id = in.count(what);
  if (renumber) return id;
  if (header && !std::cmp_less(id, header->num_vertices)) {
    in.fail("vertex " + std::to_string(id) + " is out of range: the header declares " +
            std::to_string(header->num_vertices) + " vertices");
  }
  if (id >= in.max_num_vertices()) {
    in.fail("id " + std::to_string(id) + " is too large for a vertex: expected at most " +
            std::to_string(in.max_num_vertices() - 1) + " unless ids are renumbered");
  }
  return id;
}

template <class W>
std::vector<listed_edge<W>> scan_edges(detail::scanner& in,
                                       const std::optional<edge_list_header>& header,
                                       bool renumber) {
  std::vector<listed_edge<W>> edges;
  if (header) edges.reserve(in.plausible_count(header->num_edges));
  std::optional<bool> weighted;
  while (in.next_filled_line(edge_list_comment_marks)) {
    if (header && std::cmp_equal(edges.size(), header->num_edges)) {
      in.fail("the header declares " + std::to_string(header->num_edges) +
              " edges, but there are more");
    }
    const std::int64_t source = scan_id(in, "a source", header, renumber);
    const std::int64_t target = scan_id(in, "a target", header, renumber);
    const bool has_weight = !in.at_line_end();
    if (!weighted) weighted = has_weight;
    if (has_weight && !*weighted) in.fail("found a weight, but the first edge has none");
    if (!has_weight && *weighted) in.fail("the weight is missing, but the first edge has one");
    edges.push_back({source, target, has_weight ? in.weight<W>() : W(1)});
    in.expect_line_end();
  }
  if (header && !std::cmp_equal(edges.size(), header->num_edges)) {
    in.fail("the file ends after " + std::to_string(edges.size()) + " of " +
            std::to_string(header->num_edges) + " edges");
  }
  return edges;
}

template <class W>
std::int64_t largest_id(const std::vector<listed_edge<W>>& edges) {
  std::int64_t largest = -1;
  for (const auto& e : edges) largest = std::max({largest, e.source, e.target});
  return largest;
}

// Returns the distinct ids in ascending order. A table is faster than sorting if ids are small.
template <class W>
std::vector<std::int64_t> distinct_ids(const std::vector<listed_edge<W>>& edges, bool by_table) {
  std::vector<std::int64_t> ids;
  if (by_table) {
    std::vector<bool> occurs(static_cast<std::size_t>(largest_id(edges) + 1));
    for (const auto& e : edges) {
      occurs[static_cast<std::size_t>(e.source)] = true;
      occurs[static_cast<std::size_t>(e.target)] = true;
    }
    for (std::size_t id = 0; id < occurs.size(); ++id) {
      if (occurs[id]) ids.push_back(static_cast<std::int64_t>(id));
    }
  } else {
    ids.reserve(2 * edges.size());
    for (const auto& e : edges) ids.insert(ids.end(), {e.source, e.target});
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return ids;
}

// Replaces each id by its rank among the distinct ids, and returns the distinct ids.
template <class W>
std::vector<std::int64_t> renumber_ids(const detail::scanner& in,
                                       std::vector<listed_edge<W>>& edges) {
  const bool by_table = largest_id(edges) < in.max_num_vertices();
  std::vector<std::int64_t> ids = distinct_ids(edges, by_table);
  if (ids.size() > csr_graph<W>::max_num_vertices) {
    in.fail("expected at most 2^31 - 1 different ids, found " + std::to_string(ids.size()));
  }
  const auto replace_all = [&](auto place_of) {
    for (auto& e : edges) {
      e.source = place_of(e.source);
      e.target = place_of(e.target);
    }
  };
  if (by_table) {
    std::vector<std::int32_t> places(ids.empty() ? 0 : static_cast<std::size_t>(ids.back()) + 1);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      places[static_cast<std::size_t>(ids[k])] = static_cast<std::int32_t>(k);
    }
    replace_all([&](std::int64_t id) { return places[static_cast<std::size_t>(id)]; });
  } else {
    replace_all([&](std::int64_t id) {
      return std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    });
  }
  return ids;
}

template <class W>
csr_graph<W> parse_edge_list(std::string_view text, const std::filesystem::path& name,
                             const edge_list_options& options) {
  detail::scanner in(text, name, detail::separators::blanks_or_comma);
  std::optional<edge_list_header> header;
  if (options.header) header = scan_edge_list_header(in);
  std::vector<listed_edge<W>> edges = scan_edges<W>(in, header, options.renumber);

  std::size_t n = 0;
  std::vector<std::int64_t> ids;
  if (options.renumber) {
    ids = renumber_ids(in, edges);
    n = ids.size();
    if (header && n != header->num_vertices) {
      in.fail("the header declares " + std::to_string(header->num_vertices) + " vertices, but " +
              std::to_string(n) + " different ids occur");
    }
  } else {
    n = header ? header->num_vertices : static_cast<std::size_t>(largest_id(edges) + 1);
  }

  std::vector<typename csr_graph<W>::arc> arcs;
  arcs.reserve((options.directed ? 1 : 2) * edges.size());
  for (const auto& e : edges) {
    const auto source = static_cast<std::int32_t>(e.source);
    const auto target = static_cast<std::int32_t>(e.target);
    arcs.push_back({source, target, e.weight});
    if (!options.directed && source != target) arcs.push_back({target, source, e.weight});
  }
  csr_graph<W> g(n, arcs);
  if (options.ids != nullptr) {
    if (!options.renumber) {
      ids.resize(n);
      std::iota(ids.begin(), ids.end(), std::int64_t{0});
    }
    *options.ids = std::move(ids);
  }
  return g;
}

}  // namespace

template <file_weight W>
csr_graph<W> read_edge_list(const std::filesystem::path& file, const edge_list_options& options) {
  return parse_edge_list<W>(detail::read_text(file), file, options);
}

template <file_weight W>
csr_graph<W> read_edge_list(std::istream& in, const std::string& name,
                            const edge_list_options& options) {
  return parse_edge_list<W>(detail::read_text(in, name), name, options);
}

#define APSP_READ_EDGE_LIST(W)                                                                     \
  template csr_graph<W> read_edge_list<W>(const std::filesystem::path&, const edge_list_options&); \
  template csr_graph<W> read_edge_list<W>(std::istream&, const std::string&,                       \
                                          const edge_list_options&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_READ_EDGE_LIST)
#undef APSP_READ_EDGE_LIST

}  // namespace apsp::inline v1
