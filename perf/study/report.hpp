// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../common/checks.hpp"
#include "../common/generators.hpp"

// The options of a study and its report: a file of lines, and the measured graphs for other
// programs.
namespace studies {

using checks::verdict;

struct settings {
  bool quick = false;              ///< only small sizes
  double limit = 10;               ///< maximum seconds of one line; longer times are estimated
  int repeat = 5;                  ///< maximum number of calls of a line, after a warm-up call
  std::uint64_t seed = 1;          ///< seed of the random graphs
  std::string csv;                 ///< a file for the lines, or empty
  std::string graphs;              ///< a directory for the graphs, or empty
  std::vector<std::size_t> sizes;  ///< numbers of vertices, or empty: those of the study
  std::vector<std::string> files;  ///< graphs for the study of families
  std::string only;                ///< only labels that contain this text are measured
  bool has_device = false;         ///< determined by the program

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

/// The x of a line that is a time. Here, because nvcc cannot compile fmt.
std::string seconds_text(double seconds);

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
  /// Keeps a graph for other programs that solve it with @p algorithm for the same point of the
  /// same plot, and the known rows.
  template <class W>
  void keep_graph(const line& l, const std::string& algorithm, const apsp_perf::csr_arrays<W>& g,
                  const checks::known_rows& known);

  /// True if nothing was reported.
  bool is_empty() const { return is_empty_; }
  /// False if a line was wrong.
  bool all_right() const { return all_right_; }

 private:
  template <class T>
  void write_array(const char* ending, const std::vector<T>& values) const;

  std::string study_;
  std::ofstream csv_;  // not open without --csv
  std::filesystem::path graphs_;
  std::ofstream graph_list_;
  std::size_t num_graphs_ = 0;
  bool is_empty_ = true;
  bool all_right_ = true;
};

}  // namespace studies
