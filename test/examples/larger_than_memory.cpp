// SPDX-License-Identifier: BSL-1.0
// Distances in a file that NumPy reads: the matrix may be larger than the memory of the devices and
// of the host.
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/mapped_matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <vector>

int main() {
  // A ring.
  constexpr std::int32_t n = 1000;
  std::vector<std::int32_t> from;
  std::vector<std::int32_t> to;
  std::vector<float> length;
  for (std::int32_t v = 0; v < n; ++v) {
    from.push_back(v);
    to.push_back((v + 1) % n);
    length.push_back(0.5F);
  }
  const apsp::edge_list_view graph(n, from, to, length);
  const auto file = std::filesystem::temp_directory_path() / "apsp_ring.npy";

  apsp::mapped_matrix<float> distances(file, n);
  if (!apsp::floyd_warshall(apsp::cuda_tiled, graph, distances)) return 1;
  distances.flush();

  // Another program: numpy.load("apsp_ring.npy", mmap_mode="r"), or
  const apsp::mapped_matrix<const float> stored(file);
  std::cout << "from 3 to 2: " << stored[3][2] << '\n';
  const bool is_right = stored.rows() == n && stored[3][2] == 499.5F;
  std::filesystem::remove(file);
  return is_right ? 0 : 1;
}
