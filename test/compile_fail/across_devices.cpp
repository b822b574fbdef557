// SPDX-License-Identifier: BSL-1.0
#include <apsp/mpi.hpp>

void call(const apsp::matrix<float>& graph) {
#ifdef APSP_TEST_RIGHT
  const auto everywhere = apsp::across(MPI_COMM_SELF, apsp::omp);
#else
  const auto everywhere = apsp::across(MPI_COMM_SELF, apsp::cuda_naive);
#endif
  apsp::distributed_matrix<float> distances(everywhere, graph.rows());
  static_cast<void>(apsp::floyd_warshall(everywhere, graph, distances));
}
