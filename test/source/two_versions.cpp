// SPDX-License-Identifier: BSL-1.0
// One of two programs in one, each with headers and a library of its own: they differ in the inline
// namespace. Compiled with APSP_TEST_OTHER for the second one, which has no main().
#include <apsp/apsp.hpp>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#ifdef APSP_TEST_OTHER
#define APSP_TEST_SOLVE solve_with_other_version
#else
#define APSP_TEST_SOLVE solve_with_this_version
#endif

/// The name of a type of this version, and the distance from 0 to 2 by several algorithms.
std::string APSP_TEST_SOLVE(std::vector<std::int32_t>& found) {
  const std::vector<int> from{0, 1}, to{1, 2};
  const std::vector<std::int32_t> lengths{3, 4};
  const apsp::edge_list_view g(3, from, to, lengths);
  apsp::matrix<std::int32_t> d(3);
  for (const auto solve : {0, 1, 2}) {
    const apsp::result done = solve == 0   ? apsp::floyd_warshall(apsp::cuda_tiled, g, d)
                              : solve == 1 ? apsp::johnson(apsp::omp, g, d)
                                           : apsp::elimination(apsp::seq, g, d);
    found.push_back(done ? d[0][2] : -1);
  }
  try {
    static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled.device(99).required(), g, d));
  } catch (const apsp::device_error&) {
    return typeid(apsp::device_error).name();
  }
  return "";
}

#ifndef APSP_TEST_OTHER

std::string solve_with_other_version(std::vector<std::int32_t>& found);

int main() {
  std::vector<std::int32_t> found;
  const std::string one = solve_with_this_version(found);
  const std::string other = solve_with_other_version(found);
  if (one.find("2v1") == std::string::npos || other.find("2v0") == std::string::npos) {
    std::cerr << "expected names of two versions, got " << one << " and " << other << '\n';
    return 1;
  }
  if (found != std::vector<std::int32_t>(6, 7)) {
    std::cerr << "expected six distances of 7, got";
    for (const auto d : found) std::cerr << ' ' << d;
    std::cerr << '\n';
    return 1;
  }
  return 0;
}

#endif
