// SPDX-License-Identifier: BSL-1.0
// Sums of int, which would not fit.
#include <apsp/apsp.hpp>
#include <cstdint>
#include <vector>

#ifdef APSP_TEST_RIGHT
using sums = apsp::carried<std::int64_t, std::int64_t>;
#else
using sums = apsp::carried<int, int>;
#endif

bool solve(const apsp::edge_list_view<int, int>& minutes, const std::vector<int>& km,
           apsp::matrix<sums>& distances) {
  const auto km_of = [&](const apsp::edge& e) { return km[e.index]; };
  return bool(apsp::floyd_warshall(apsp::seq, apsp::carry(minutes, km_of), distances));
}
