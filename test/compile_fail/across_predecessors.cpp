// SPDX-License-Identifier: BSL-1.0
#include <apsp/floyd_warshall.hpp>
#include <apsp/mpi.hpp>

void call(const apsp::matrix<float>& graph) {
  const auto everywhere = apsp::across(MPI_COMM_SELF, apsp::omp);
  apsp::distributed_matrix<float> distances(everywhere, graph.rows());
  apsp::distributed_matrix<int> predecessors(everywhere, graph.rows());
#ifdef APSP_TEST_RIGHT
  static_cast<void>(apsp::johnson(everywhere, graph, distances, predecessors));
#else
  static_cast<void>(apsp::floyd_warshall(everywhere, graph, distances, predecessors));
#endif
}
