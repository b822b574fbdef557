// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace apsp_compare {

/// The exit status of the program.
namespace exit_code {
inline constexpr int agree = 0;
inline constexpr int differ = 1;
inline constexpr int error = 2;
inline constexpr int negative_cycle = 3;
}  // namespace exit_code

/// The command line is invalid.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct gnp_request {
  std::size_t n;
  double p;
  std::int32_t largest_weight;
};

struct grid_request {
  std::size_t rows;
  std::size_t columns;
  std::int32_t largest_weight;
};

enum class boost_choice { if_quick, always, never };

/// The options of the command line.
struct options {
  std::string file;
  std::optional<gnp_request> gnp;
  std::optional<grid_request> grid;
  std::uint64_t seed = 1;
  // Properties that an edge list does not contain.
  bool undirected = false;
  bool renumber = false;
  bool header = false;

  std::vector<std::string> policies;  ///< empty: all that can run on this machine
  bool required = false;
  int threads = 0;   ///< 0: OpenMP's default
  int device = -1;   ///< -1: the current device
  std::string type;  ///< of the weights; empty: depends on them
  int repeat = 0;    ///< 0: depends on the time of a call
  boost_choice boost = boost_choice::if_quick;
  bool predecessors = false;
  bool explain = false;

  std::vector<std::pair<std::size_t, std::size_t>> paths;
  std::string distances_file;
  std::string json_file;
  std::string command;  ///< the complete command line
};

/// Reads the command line.
/// @return nothing after printing help or the version.
/// @throws usage_error with a message of one line.
std::optional<options> parse_command_line(int argc, char** argv);

}  // namespace apsp_compare
