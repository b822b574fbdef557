// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace apsp_picture {

enum class subject { terrain, mesh, roads };

struct options {
  subject of = subject::terrain;
  std::size_t rows = 0;
  std::size_t columns = 0;
  double relief = 1;
  std::uint64_t seed = 1;
  std::string mesh_file;  ///< empty: a generated mesh
  std::string graph_file;
  std::string coordinates_file;
  bool degrees = false;
  std::optional<double> within;  ///< colours are numbers of vertices within this distance
  bool betweenness = false;      ///< colours are betweenness
  std::string output;
  std::string policy = "omp";
  int threads = 0;  ///< 0: OpenMP's default
};

/// The command line is invalid.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the command line.
/// @return nothing after printing help or the version.
/// @throws usage_error with a message of one line.
std::optional<options> parse_command_line(int argc, char** argv);

/// The extension of a file name in lower case, such as ".svg".
std::string extension_of(const std::string& file);

}  // namespace apsp_picture
