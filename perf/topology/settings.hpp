// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What topology_benchmark is asked to measure.
namespace topology {

/// What --help prints.
extern const char* const usage;

struct settings {
  bool rows = false;
  bool stop = false;
  std::vector<std::string> sizes{"1024", "4677", "16384"};
  std::vector<std::string> topologies{"random", "gnp", "ring", "rmat", "grid", "complete"};
  std::vector<std::string> algorithms{"dijkstra", "bellman_ford", "johnson", "floyd_warshall"};
  std::vector<std::string> policies{"seq", "omp", "cuda_naive", "cuda_tiled"};
  std::vector<std::string> strategies{"scatter_and_check", "by_edge", "by_incoming_edges",
                                      "by_outgoing_edges"};
  std::vector<std::string> types{"i32"};
  bool predecessors = false;
  double limit = 10;
  double reference_limit = 0;
  std::size_t rows_side = 512;
  std::size_t rows_sources = 4096;
  std::size_t stop_size = 32768;
  std::vector<std::string> stop_after{"0.1", "0.2", "0.4"};
  int repeat = 3;
  std::uint64_t seed = 1;
  std::string gpu;
  std::string commit;
  std::string csv;
};

/// @throws std::runtime_error if an argument is wrong.
settings parse(int argc, char** argv);

}  // namespace topology
