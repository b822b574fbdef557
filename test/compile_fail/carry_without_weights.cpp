// SPDX-License-Identifier: BSL-1.0
// An attribute for a graph without weights.
#include <apsp/apsp.hpp>
#include <cstdint>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           const std::vector<int>& minutes, const std::vector<double>& km,
           apsp::matrix<apsp::carried<std::int64_t, double>>& distances) {
  const auto km_of = [&](const apsp::edge& e) { return km[e.index]; };
#ifdef APSP_TEST_RIGHT
  const apsp::csr_view town(offsets, targets, minutes);
#else
  static_cast<void>(minutes);
  const apsp::csr_view town(offsets, targets);
#endif
  return bool(apsp::floyd_warshall(apsp::seq, apsp::carry(town, km_of), distances));
}
