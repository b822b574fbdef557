// SPDX-License-Identifier: BSL-1.0
// Paths from lists that are gone when they are enumerated.
#include <apsp/shortest_paths.hpp>

apsp::predecessor_lists make_lists();

bool is_reached() {
#ifdef APSP_TEST_RIGHT
  const auto lists = make_lists();
  const auto paths = apsp::shortest_paths(lists, 3);
#else
  const auto paths = apsp::shortest_paths(make_lists(), 3);
#endif
  return paths.begin() != paths.end();
}
