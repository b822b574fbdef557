// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What a comparison found, as text and numbers: the report does not depend on the weight type.
namespace apsp_compare {

/// One solver's measurement.
struct row {
  std::string policy;
  std::string ran_on;
  std::string fallback_reason;  ///< Empty if it ran where it was asked to.
  std::vector<double> seconds;  ///< One entry per repetition.
  double median = 0;
  double relaxations_per_second = 0;
  std::optional<double> over_seq;
  std::optional<double> over_boost;
};

struct path_line {
  std::size_t source;
  std::size_t target;
  std::vector<std::size_t> vertices;  ///< Empty if no path leads there.
  std::string length;
};

struct closed_walk {
  std::vector<std::size_t> vertices;  ///< The first one is repeated at the end.
  std::string length;
};

struct outcome {
  std::size_t num_vertices = 0;
  std::size_t num_edges = 0;
  std::string weight_type;
  std::vector<row> rows;
  std::vector<std::string> notes;
  std::string tolerance;                 ///< How equal results must be.
  std::vector<std::string> differences;  ///< Empty if all results agree.
  std::vector<std::string> unwritten;    ///< Why what was asked for could not be written.
  std::vector<path_line> paths;
  std::optional<closed_walk> negative_cycle;
  bool saturated = false;
};

}  // namespace apsp_compare
