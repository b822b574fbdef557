// SPDX-License-Identifier: BSL-1.0
// A call that reports its progress and is stopped from outside, and a call with a cutoff.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <stop_token>
#include <vector>

int main() {
  // A ring road of 800 junctions.
  constexpr int n = 800;
  std::vector<int> offsets{0};
  std::vector<int> targets;
  for (int v = 0; v < n; ++v) {
    targets.insert(targets.end(), {(v + 1) % n, (v + n - 1) % n});
    offsets.push_back(static_cast<int>(targets.size()));
  }
  const std::vector<int> minutes(targets.size(), 3);
  const apsp::csr_view ring(offsets, targets, minutes);

  std::stop_source stop;  // a button, a signal handler's thread, a deadline
  std::size_t tenths = 0;
  const auto show = [&](std::size_t sources_done, std::size_t sources) {
    for (; tenths < 10 * sources_done / sources; ++tenths) std::cout << '#' << std::flush;
    if (tenths >= 5) stop.request_stop();
  };

  apsp::matrix<int> distances(n);
  const auto done =
      apsp::dijkstra(apsp::omp.progress(show).stop(stop.get_token()), ring, distances);
  std::cout << (done.stopped() ? " stopped\n" : " done\n");
  if (done || !done.stopped()) return 1;

  // A policy is a value: the plain policy is unchanged, and this call runs to its end.
  if (!apsp::dijkstra(apsp::omp, ring, distances)) return 1;
  if (distances[0][n / 2] != 3 * n / 2) return 1;

  // Distances above half an hour are unreachable.
  if (!apsp::floyd_warshall(apsp::omp.cutoff(30), ring, distances)) return 1;
  return distances[0][10] == 30 && distances[0][11] == apsp::unreachable<int> ? 0 : 1;
}
