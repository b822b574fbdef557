// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "../../apsp/files.hpp"
#include "text.hpp"

namespace apsp::inline v1 {

namespace {

enum class graph_format { dimacs, matrix_market, metis, edge_list };

struct known_extension {
  std::string_view extension;
  graph_format format;
};

constexpr std::array known_extensions = {
    known_extension{".gr", graph_format::dimacs},
    known_extension{".mtx", graph_format::matrix_market},
    known_extension{".graph", graph_format::metis},
    known_extension{".metis", graph_format::metis},
    known_extension{".txt", graph_format::edge_list},
    known_extension{".el", graph_format::edge_list},
    known_extension{".wel", graph_format::edge_list},
    known_extension{".edges", graph_format::edge_list},
    known_extension{".csv", graph_format::edge_list},
    known_extension{".tsv", graph_format::edge_list},
};

graph_format format_of(const std::filesystem::path& file) {
  const std::string extension = detail::lower_case(file.extension().string());
  std::string known;
  for (const auto& [name, format] : known_extensions) {
    if (extension == name) return format;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw file_error(file, 0,
                   (extension.empty() ? "no file name extension"
                                      : "unknown file name extension '" + extension + "'") +
                       ": expected one of " + known);
}

}  // namespace

template <file_weight W>
csr_graph<W> read_graph(const std::filesystem::path& file, const edge_list_options& options) {
  switch (format_of(file)) {
    case graph_format::dimacs:
      return read_dimacs<W>(file);
    case graph_format::matrix_market:
      return read_matrix_market<W>(file);
    case graph_format::metis:
      return read_metis<W>(file);
    default:
      return read_edge_list<W>(file, options);
  }
}

#define APSP_READ_GRAPH(W) \
  template csr_graph<W> read_graph<W>(const std::filesystem::path&, const edge_list_options&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_READ_GRAPH)
#undef APSP_READ_GRAPH

}  // namespace apsp::inline v1
