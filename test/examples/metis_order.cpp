// SPDX-License-Identifier: BSL-1.0
// An order of elimination from METIS, for a mesh in three dimensions or the graph in a file, beside
// the order of the library.
#include <metis.h>

#include <apsp/apsp.hpp>
#include <apsp/files.hpp>
#include <cstddef>
#include <iostream>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

/// A mesh of 14 x 14 x 14 vertices, in compressed sparse rows.
struct mesh {
  std::vector<int> offsets{0};
  std::vector<int> targets;
  std::vector<int> weights;

  mesh() {
    constexpr int side = 14;
    const auto add = [&](int u, int v) {
      targets.push_back(v);
      weights.push_back(1 + (u + v) % 7);
    };
    for (int u = 0; u < side * side * side; ++u) {
      for (const int step : {1, side, side * side}) {
        const int place = u / step % side;
        if (place > 0) add(u, u - step);
        if (place + 1 < side) add(u, u + step);
      }
      offsets.push_back(static_cast<int>(targets.size()));
    }
  }
};

/// The order of METIS, the first vertex to be eliminated first.
template <class Graph>
std::vector<idx_t> order_by_metis(const Graph& g) {
  const std::size_t n = g.num_vertices();
  // METIS takes undirected graphs without loops and parallel edges.
  std::vector<std::set<idx_t>> neighbors(n);
  for (std::size_t u = 0; u < n; ++u) {
    const auto end = static_cast<std::size_t>(g.offsets()[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets()[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets()[k]);
      if (u == v) continue;
      neighbors[u].insert(static_cast<idx_t>(v));
      neighbors[v].insert(static_cast<idx_t>(u));
    }
  }
  std::vector<idx_t> offsets{0};
  std::vector<idx_t> ends;
  for (const auto& list : neighbors) {
    ends.insert(ends.end(), list.begin(), list.end());
    offsets.push_back(static_cast<idx_t>(ends.size()));
  }
  auto num_vertices = static_cast<idx_t>(n);
  std::vector<idx_t> order(n);
  std::vector<idx_t> positions(n);
  if (METIS_NodeND(&num_vertices, offsets.data(), ends.data(), nullptr, nullptr, order.data(),
                   positions.data()) != METIS_OK) {
    throw std::runtime_error("METIS_NodeND found no order");
  }
  return order;
}

template <class Graph>
bool compare(const Graph& g) {
  const apsp::contraction_hierarchy by_degree(apsp::omp, g);
  const std::vector<idx_t> order = order_by_metis(g);
  const apsp::contraction_hierarchy by_dissection(apsp::omp, g, order);
  std::cout << "least degree: fill " << by_degree.fill() << ", " << by_degree.num_arcs()
            << " arcs\nMETIS: fill " << by_dissection.fill() << ", " << by_dissection.num_arcs()
            << " arcs\n";

  const std::vector<int> sources{0};
  apsp::matrix<int> distances(1, g.num_vertices());
  apsp::matrix<int> expected(1, g.num_vertices());
  if (!apsp::elimination(apsp::omp, by_dissection, sources, distances)) return false;
  return apsp::dijkstra(apsp::omp, g, sources, expected) && distances == expected;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return compare(apsp::read_graph<int>(argv[1])) ? 0 : 1;
  const mesh m;
  return compare(apsp::csr_view(m.offsets, m.targets, m.weights)) ? 0 : 1;
}
