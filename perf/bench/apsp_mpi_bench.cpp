// SPDX-License-Identifier: BSL-1.0
// apsp-mpi-bench: Floyd–Warshall on several processes, compared with one process that uses as many
// devices.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/mpi.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "../common/checks.hpp"
#include "../common/graphs.hpp"
#include "../common/timing.hpp"

namespace {

struct arguments {
  std::size_t n = 16384;
  std::string graph = "8n_halves";
  std::string policy = "cuda_tiled";
  int repeat = 1;
  std::uint64_t seed = 1;
};

/// The time of a call on all processes, of which the slowest counts.
template <class Call>
double seconds_of_all(Call call) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = timing::seconds_of(call);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

/// The median time of the calls after the first.
template <class Call>
double measure(int repeat, Call call) {
  seconds_of_all(call);
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) seconds.push_back(seconds_of_all(call));
  return timing::upper_median(seconds);
}

/// Compares the rows of this process with those of Boost.Graph that are known.
bool is_right(const checks::known_rows& known, const apsp::distributed_matrix<float>& distances) {
  for (std::size_t i = 0; i < known.sources().size(); ++i) {
    const std::size_t source = known.sources()[i];
    if (!distances.rows().contains(source)) continue;
    const float* const row = distances.part()[source - distances.rows().first];
    for (std::size_t v = 0; v < distances.num_columns(); ++v) {
      const double expected = known.rows()[i][v];
      const bool is_same = std::isinf(expected)
                               ? std::isinf(row[v])
                               : std::abs(expected - static_cast<double>(row[v])) <=
                                     checks::tolerance<float> * std::abs(expected);
      if (!is_same) return false;
    }
  }
  return true;
}

/// @return false if a distance is wrong.
template <class Policy>
bool run(const arguments& given, const Policy& policy) {
  const auto everywhere = apsp::across(MPI_COMM_WORLD, policy);
  const auto graph = named_graphs::make<float>(given.graph, given.n, given.seed);
  const checks::known_rows known(graph);
  const double relaxations = std::pow(static_cast<double>(given.n), 3);
  const bool is_first = everywhere.rank() == 0;
  const auto report = [&](const std::string& name, double seconds) {
    if (!is_first) return;
    fmt::print("{:<24} {:>10} {:>10.4g} {:>16.4g}\n", name, given.n, seconds,
               relaxations / seconds);
  };
  if (is_first) {
    fmt::print("{:<24} {:>10} {:>10} {:>16}\n", "processes x devices", "n", "seconds",
               "relaxations/s");
  }
  int are_right = 1;
  double across = 0;
  {
    apsp::distributed_matrix<float> distances(everywhere, given.n);
    across = measure(given.repeat, [&] {
      static_cast<void>(apsp::floyd_warshall(everywhere, graph.view(), distances));
    });
    are_right = is_right(known, distances) ? 1 : 0;
  }
  const int size = everywhere.num_processes();
  report(fmt::format("{} x 1", size), across);
  if constexpr (Policy::requested == apsp::backend::cuda_tiled) {
    std::vector<int> devices(static_cast<std::size_t>(size));
    std::iota(devices.begin(), devices.end(), 0);
    apsp::matrix<float> distances(is_first ? given.n : 0);
    const double inside = measure(given.repeat, [&] {
      if (!is_first) return;
      static_cast<void>(apsp::floyd_warshall(policy.devices(devices), graph.view(), distances));
    });
    report(fmt::format("1 x {}", size), inside);
    if (is_first) fmt::print("x_one_process {:.3f}\n", inside / across);
  }
  MPI_Allreduce(MPI_IN_PLACE, &are_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (is_first && are_right == 0) std::cerr << "wrong distances\n";
  return are_right != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    arguments given;
    CLI::App options{
        "Measures floyd_warshall on all processes of mpiexec, in floats, and for devices the same "
        "call in\n"
        "one process with as many devices. Process r uses device r. Rows are compared with "
        "Boost.Graph's.\n"
        "Exit status: 0, 1 if a distance is wrong, 2 for an error."};
    options.add_option("--n", given.n, "vertices")->capture_default_str();
    options.add_option("--graph", given.graph, "as for apsp-bench")->capture_default_str();
    options.add_option("--policy", given.policy, "what each process runs")
        ->check(CLI::IsMember({"omp", "cuda_tiled"}))
        ->capture_default_str();
    options.add_option("--repeat", given.repeat, "calls after a warm-up call")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options.add_option("--seed", given.seed, "of the graph")->capture_default_str();
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
      options.parse(argc, argv);
      const bool is_right = given.policy == "omp"
                                ? run(given, apsp::omp)
                                : run(given, apsp::cuda_tiled.device(rank).required());
      status = is_right ? 0 : 1;
    } catch (const CLI::ParseError& error) {
      status = rank == 0 ? options.exit(error) : error.get_exit_code();
      if (status != 0) status = 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "apsp-mpi-bench: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return status;
}
