// SPDX-License-Identifier: BSL-1.0
// All distances of a ring road on several processes. Run it as, for example,
// `mpirun -n 4 mpi_distances`.
#include <algorithm>
#include <apsp/edge_list.hpp>
#include <apsp/mpi.hpp>
#include <cstddef>
#include <cstdio>
#include <ranges>
#include <span>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool is_right = false;
  {
    // Every process has the whole graph.
    constexpr std::size_t n = 1000;
    std::vector<std::size_t> from, to;
    std::vector<float> km;
    for (std::size_t u = 0; u < n; ++u) {
      from.push_back(u);
      to.push_back((u + 1) % n);
      km.push_back(static_cast<float>(1 + u % 3));
    }
    const apsp::edge_list_view ring(n, from, to, km);

    const auto everywhere = apsp::across(MPI_COMM_WORLD, apsp::omp);
    apsp::distributed_matrix<float> distances(everywhere, n);
    const auto done = apsp::floyd_warshall(everywhere, ring, distances);
    // The rows that are here.
    double sum = 0;
    for (const std::size_t u : distances.rows()) {
      const float* const row = distances.part()[u - distances.rows().first];
      for (std::size_t v = 0; v < n; ++v) sum += static_cast<double>(row[v]);
    }
    std::printf("process %d of %d: rows %zu to %zu, %.0f km\n", everywhere.rank(),
                everywhere.num_processes(), distances.rows().first, distances.rows().last, sum);

    // Without a matrix: every process hears the rows of its own sources.
    const auto sources = std::views::iota(std::size_t{0}, n);
    double sum_of_rows = 0;
    const auto add = [&](std::size_t, std::span<const float> row) {
      for (const float d : row) sum_of_rows += static_cast<double>(d);
    };
    const auto heard = apsp::for_each_row(everywhere, ring, sources, add);

    // Which towns can be reached from which, one bit for each pair.
    apsp::distributed_bit_matrix reachable(everywhere, n);
    const auto closed = apsp::transitive_closure(everywhere, ring, reachable);
    const bool is_connected = reachable.part().count() == reachable.rows().size() * n;

    // The product of the distances with themselves: no way through another vertex is shorter.
    apsp::distributed_matrix<float> through(everywhere, n);
    const auto multiplied =
        apsp::min_plus_product(everywhere, distances, distances, through, apsp::overwrite);

    // Rows and columns divided: all processes in one process row.
    const apsp::process_grid grid{1, everywhere.num_processes()};
    const auto in_grid = apsp::across(MPI_COMM_WORLD, apsp::omp, grid);
    apsp::distributed_matrix<float> columns(in_grid, n);
    const auto divided = apsp::floyd_warshall(in_grid, ring, columns);
    bool are_equal = true;
    for (const std::size_t u : distances.rows()) {
      for (const std::size_t v : columns.columns()) {
        are_equal = are_equal && columns.part()[u][v - columns.columns().first] ==
                                     distances.part()[u - distances.rows().first][v];
      }
    }
    for (const std::size_t u : distances.rows()) {
      const std::size_t i = u - distances.rows().first;
      are_equal =
          are_equal && std::equal(through.part()[i], through.part()[i] + n, distances.part()[i]);
    }
    is_right = done && heard && closed && is_connected && multiplied && divided && are_equal &&
               sum == sum_of_rows;
  }
  MPI_Finalize();
  return is_right ? 0 : 1;
}
