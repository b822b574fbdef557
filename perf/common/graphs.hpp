// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/files.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "generators.hpp"

// The named graphs. All weights are integers, whatever their type, except for those of `_halves`.
namespace named_graphs {

/// The file of the 9th DIMACS challenge in the directory APSP_TEST_DATA; otherwise an empty path.
inline std::filesystem::path rome99_file() {
  const char* folder = std::getenv("APSP_TEST_DATA");
  const std::filesystem::path data = folder != nullptr ? folder : "../shared/data";
  const auto file = data / "dimacs9-rome99" / "rome99.gr";
  return std::filesystem::exists(file) ? file : std::filesystem::path{};
}

/// Replaces each weight w of an arc from u to v by w + p[u] - p[v] with random potentials p. The
/// lengths of cycles do not change, so they remain positive.
template <class W>
void make_some_negative(apsp_perf::csr_arrays<W>& g, std::int32_t heaviest, std::uint64_t seed) {
  apsp_perf::random_numbers random(seed);
  std::vector<W> potential(g.num_vertices());
  for (W& p : potential) p = static_cast<W>(random.weight(heaviest));
  apsp_perf::for_each_arc(
      g, [&](std::size_t u, std::size_t v, W& w) { w += potential[u] - potential[v]; });
}

/// Connects the last vertex of @p g with a chain of vertices in both directions, up to @p n
/// vertices, with weights as large as 32 bits permit.
///
/// Integers are solved in 16 bits or in float if all distances are proved to fit. Here the chain
/// has length 2^26, and float is exact up to 2^24. They are solved in 64 bits if n times the
/// largest weight, which bounds all paths, is at least 2^30 - 1. Here it is smaller. So they are
/// solved in 32 bits.
template <class W>
void add_long_chain(apsp_perf::csr_arrays<W>& g, std::size_t n) {
  constexpr auto largest_span = std::size_t{std::numeric_limits<std::int32_t>::max() / 2 - 1};
  const auto link = static_cast<W>(largest_span / n);
  const std::size_t first = g.num_vertices();
  g.offsets.pop_back();
  g.add(first, link);
  g.end_row();
  for (std::size_t u = first; u < n; ++u) {
    g.add(u - 1, link);
    if (u + 1 < n) g.add(u + 1, link);
    g.end_row();
  }
}

/// The names that make() accepts; docs/measuring.md defines them.
inline const std::vector<std::string>& names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"random",
                                 "gnp",
                                 "ring",
                                 "rmat",
                                 "grid",
                                 "complete",
                                 "8n",
                                 "8n_heavy",
                                 "8n_negative",
                                 "8n_32bits",
                                 "8n_halves",
                                 "8n_undirected",
                                 "8n_undirected_halves",
                                 "random1",
                                 "gnp_quarter",
                                 "gnp_half",
                                 "gnp_32nd",
                                 "random_unit",
                                 "rmat_unit",
                                 "grid_unit",
                                 "ring_unit",
                                 "roads"};
    if (!rome99_file().empty()) all.push_back("rome99");
    return all;
  }();
  return names;
}

/// Copies a graph that the library has read from a file.
template <class Graph, class W = typename Graph::weight_type>
apsp_perf::csr_arrays<W> to_arrays(const Graph& g) {
  return {{g.offsets().begin(), g.offsets().end()},
          {g.targets().begin(), g.targets().end()},
          {g.weights().begin(), g.weights().end()}};
}

/// The end of the names of graphs whose weights are no whole numbers, but have exact sums. There
/// are none of integer type.
inline bool has_halves(const std::string& name) {
  return name.ends_with("_halves");
}
template <class W>
bool has_type(const std::string& name) {
  return std::is_floating_point_v<W> || !has_halves(name);
}

/// The end of the names of graphs whose arcs all have weight 1.
inline bool has_unit_weights(const std::string& name) {
  return name.ends_with("_unit");
}

template <class W>
apsp_perf::csr_arrays<W> make(const std::string& name, std::size_t n, std::uint64_t seed) {
  using namespace apsp_perf;
  if (has_unit_weights(name)) {
    auto g = make<W>(name.substr(0, name.rfind('_')), n, seed);
    std::fill(g.weights.begin(), g.weights.end(), W{1});
    return g;
  }
  if (has_halves(name)) {
    if constexpr (std::is_floating_point_v<W>) {
      return plus_halves(make<W>(name.substr(0, name.rfind('_')), n, seed));
    } else {
      throw std::runtime_error("the weights of graph " + name + " are no integers");
    }
  }
  constexpr std::int32_t heaviest = 999;
  if (n < 2) throw std::runtime_error("a graph has at least two vertices here");
  require_vertex_count(n);
  const auto up_to_n = static_cast<std::int32_t>(n);
  if (name == "random") return fixed_degree_graph<W>(n, 4, up_to_n, seed);
  if (name == "random1") return fixed_degree_graph<W>(n, 1, up_to_n, seed);
  if (name == "gnp") {
    return gnp_graph<W>(n, std::min(1.0, 4 / static_cast<double>(n - 1)), up_to_n, seed);
  }
  if (name == "ring") {
    return ring_graph<W>(n, ring_kind::both_ways, up_to_n, seed);
  }
  if (name == "rmat") return rmat_graph<W>(n, 4, up_to_n, seed);
  if (name == "grid") {
    // The largest square grid, or nearly square one, of at most n vertices.
    const auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    return grid_graph<W>(rows, n / rows, up_to_n, seed);
  }
  if (name == "roads") return road_graph<W>(n, 1000, seed);
  if (name == "complete") return complete_graph<W>(n, up_to_n, seed);
  if (name == "8n") return fixed_degree_graph<W>(n, 8, heaviest, seed);
  if (name == "8n_undirected") {
    return in_both_directions(fixed_degree_graph<W>(n, 4, heaviest, seed));
  }
  if (name == "8n_heavy") return fixed_degree_graph<W>(n, 8, 60000, seed);
  if (name == "8n_negative") {
    auto g = fixed_degree_graph<W>(n, 8, heaviest, seed);
    make_some_negative(g, heaviest, seed + 1);
    return g;
  }
  if (name == "8n_32bits") {
    auto g = fixed_degree_graph<W>(n - std::max<std::size_t>(1, n / 16), 8, heaviest, seed);
    add_long_chain(g, n);
    return g;
  }
  if (name == "gnp_quarter") return gnp_graph<W>(n, 0.25, 1000, seed);
  if (name == "gnp_half") return gnp_graph<W>(n, 0.5, 1000, seed);
  if (name == "gnp_32nd") return gnp_graph<W>(n, 1.0 / 32, heaviest, seed);
  if (name == "rome99") return to_arrays(apsp::read_dimacs<W>(rome99_file()));
  throw std::runtime_error("graph " + name + " is unknown");
}

}  // namespace named_graphs
