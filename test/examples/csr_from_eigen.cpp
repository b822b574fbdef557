// SPDX-License-Identifier: BSL-1.0
// A sparse Eigen matrix is a graph in compressed sparse rows: its arrays are read in place.
#include <Eigen/SparseCore>
#include <apsp/apsp.hpp>
#include <iostream>
#include <span>
#include <vector>

using sparse_matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

// Entry (u, v) is the resistance of the wire from u to v.
sparse_matrix make_circuit(int n) {
  std::vector<Eigen::Triplet<double>> wires;
  for (int v = 1; v < n; ++v) {
    wires.emplace_back(v - 1, v, 0.5);
    wires.emplace_back(v, v - 1, 0.5);
    if (v % 10 == 0) wires.emplace_back(v - 10, v, 2.0);
  }
  sparse_matrix circuit(n, n);
  circuit.setFromTriplets(wires.begin(), wires.end());
  return circuit;
}

int main() {
  const sparse_matrix circuit = make_circuit(101);
  const auto n = static_cast<std::size_t>(circuit.rows());
  const auto num_wires = static_cast<std::size_t>(circuit.nonZeros());
  const apsp::csr_view graph(std::span(circuit.outerIndexPtr(), n + 1),
                             std::span(circuit.innerIndexPtr(), num_wires),
                             std::span(circuit.valuePtr(), num_wires));

  apsp::matrix<double> resistances(n);
  if (!apsp::dijkstra(apsp::omp, graph, resistances)) return 1;
  std::cout << "from end to end " << resistances[0][100] << ", and back " << resistances[100][0]
            << '\n';
  return resistances[0][100] == 20 && resistances[100][0] == 50 ? 0 : 1;
}
