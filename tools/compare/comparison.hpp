// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graph_source.hpp"
#include "options.hpp"

// The comparison of all solvers, and its result as text and numbers, independent of the weight
// type.
namespace apsp_compare {

/// The measurement of one solver.
struct row {
  std::string policy;
  std::string ran_on;
  std::string fallback_reason;  ///< empty without a fallback
  std::vector<double> seconds;  ///< one entry per repetition
  double median = 0;
  double relaxations_per_second = 0;
  std::optional<double> over_seq;
  std::optional<double> over_boost;
};

/// A call of `all_pairs_shortest_paths`.
struct explanation {
  std::string policy;
  std::string ran_on;
  std::string algorithm;
  double seconds = 0;
  std::string plan;  ///< a line for each candidate
};

struct path_line {
  std::size_t source;
  std::size_t target;
  std::vector<std::size_t> vertices;  ///< empty if there is no path
  std::string length;
};

struct closed_walk {
  std::vector<std::size_t> vertices;  ///< the first one is repeated at the end
  std::string length;
};

struct outcome {
  std::size_t num_vertices = 0;
  std::size_t num_edges = 0;
  std::string weight_type;
  std::vector<row> rows;
  std::vector<std::string> notes;
  std::string tolerance;                 ///< the tolerance in words
  std::vector<std::string> differences;  ///< empty if all results agree
  std::vector<std::string> unwritten;    ///< reasons why outputs could not be written
  std::vector<explanation> explanations;
  std::vector<path_line> paths;
  std::optional<closed_walk> negative_cycle;
  bool saturated = false;
};

/// Solves @p g with every requested policy, and by Boost.Graph, and checks that the results agree.
/// Ends early, with the closed walk, if the graph has a negative cycle.
outcome compare(const options& o, const loaded_graph& g);

/// Prints graph, machine, table, notes and verdict to stdout.
/// @throws std::runtime_error if they cannot be written.
void print_report(const options& o, const loaded_graph& graph, const outcome& found);

/// Writes the same as JSON to `o.json_file`.
/// @throws std::runtime_error if the file cannot be written.
void write_json(const options& o, const loaded_graph& graph, const outcome& found);

}  // namespace apsp_compare
