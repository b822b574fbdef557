// SPDX-License-Identifier: BSL-1.0
// A program that is started again after its end by a time limit, and goes on in the file of its
// matrix.
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/mapped_matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <stop_token>
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
  // The name without symbolic links, which is that of the label, too.
  const auto file = std::filesystem::weakly_canonical(std::filesystem::temp_directory_path() /
                                                      "apsp_resumed_in_file.npy");

  // The limit, which ends the first run in the middle of the work.
  std::stop_source limit;
  bool has_limit = true;
  const auto watch = [&](std::size_t done, std::size_t total) {
    if (has_limit && done >= total / 2) limit.request_stop();
  };
  const auto run = [&] {
    using namespace std::chrono_literals;
    auto distances = std::filesystem::exists(file.string() + ".pivot")
                         ? apsp::mapped_matrix<float>(file)
                         : apsp::mapped_matrix<float>(file, n);
    const auto policy = apsp::omp.checkpoint(file, 10min).resume(file);
    const apsp::result done =
        apsp::floyd_warshall(policy.progress(watch).stop(limit.get_token()), graph, distances);
    if (done) std::cout << "from 3 to 2: " << distances[3][2] << '\n';
    return bool(done) && distances[3][2] == 499.5F;
  };
  if (run()) return 1;
  limit = std::stop_source();
  has_limit = false;
  const bool is_right = run();
  std::filesystem::remove(file);
  std::filesystem::remove(file.string() + ".pivot");
  return is_right ? 0 : 1;
}
