// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../checks.hpp"
#include "../csv_file.hpp"
#include "../generators.hpp"

// The options of a study and its report: a file of lines, and the measured graphs for other programs.
namespace studies {

using checks::known_rows;
using checks::spread_sources;
using checks::verdict;

struct settings {
  bool quick = false;              ///< only small sizes
  double limit = 10;               ///< maximum seconds of one line; longer times are estimated
  int repeat = 5;                  ///< maximum number of calls of a line, after a warm-up call
  std::uint64_t seed = 1;          ///< seed of the random graphs
  std::string csv;                 ///< a file for the lines, or empty
  std::string graphs;              ///< a directory for the graphs, or empty
  std::vector<std::size_t> sizes;  ///< numbers of vertices, or empty: those of the study
  std::string only;                ///< only labels that contain this text are measured

  /// Numbers of vertices.
  std::vector<std::size_t> sizes_or(std::vector<std::size_t> own) const {
    return sizes.empty() ? std::move(own) : sizes;
  }
  bool includes(const std::string& label) const { return label.find(only) != std::string::npos; }
};

/// Whether the time was measured, or estimated from smaller calls.
enum class estimate { none, from_sources, from_vertices };

/// One measurement, a point of a plot. Points with the same label are connected.
struct line {
  std::string part{};     ///< the plot of the point
  std::string label{};    ///< what was measured
  std::string x{};        ///< its position in the plot
  std::string graph{};    ///< kind of graph
  std::size_t n = 0;      ///< number of vertices
  std::size_t arcs = 0;   ///< number of arcs
  std::size_t bytes = 0;  ///< size of the distances
  std::size_t calls = 0;  ///< number of timed calls
  double seconds = 0;     ///< median of the calls
  estimate estimated = estimate::none;
  verdict checked = verdict::not_checked;
};

/// Prints the lines of one study and writes them to a file.
class report {
 public:
  /// @throws std::runtime_error if the file cannot be written.
  report(std::string study, const settings& s, const std::string& command);

  /// Writes a comment between the lines.
  void note(const std::string& text);
  void add(const line& l);
  /// Reports a line that could not be measured.
  void left_out(const line& l, const std::string& why);
  /// Keeps a graph for other programs that solve it with @p algorithm for the same point of the same plot, and
  /// @p expected: rows of distances from vertices spread over the graph.
  template <class W>
  void keep_graph(const line& l, const std::string& algorithm, const apsp_perf::csr_arrays<W>& g,
                  const std::vector<std::size_t>& sources,
                  const std::vector<std::vector<double>>& expected);

  /// True if nothing was reported.
  bool is_empty() const { return is_empty_; }
  /// False if a line was wrong.
  bool all_right() const { return all_right_; }

 private:
  void list_graph(const line& l, const std::string& algorithm, const std::string& name,
                  const std::vector<std::size_t>& sources);
  std::filesystem::path graph_file(const std::string& name, const char* ending) const;

  std::string study_;
  csv_file csv_;
  std::filesystem::path graphs_;
  std::ofstream graph_list_;
  std::size_t num_graphs_ = 0;
  bool is_empty_ = true;
  bool all_right_ = true;
};

template <class T>
void write_array(const std::filesystem::path& file, const std::vector<T>& values) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  out.close();
  if (!out) throw std::runtime_error(file.string() + " cannot be written");
}

template <class W>
void report::keep_graph(const line& l, const std::string& algorithm,
                        const apsp_perf::csr_arrays<W>& g, const std::vector<std::size_t>& sources,
                        const std::vector<std::vector<double>>& expected) {
  if (graphs_.empty()) return;
  const std::string name = study_ + '-' + std::to_string(num_graphs_++);
  write_array(graph_file(name, "offsets.i64"), g.offsets);
  write_array(graph_file(name, "targets.i32"), g.targets);
  write_array(graph_file(name, "weights.f64"),
              std::vector<double>(g.weights.begin(), g.weights.end()));
  std::vector<double> rows;
  for (const auto& row : expected) rows.insert(rows.end(), row.begin(), row.end());
  write_array(graph_file(name, "expected.f64"), rows);
  list_graph(l, algorithm, name, sources);
}

}  // namespace studies
