// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/stop_check.hpp"
#include "../elimination_tree.hpp"
#include "../hierarchy.hpp"

namespace apsp::inline v1::detail::host {

/// Arcs that have been kept, place by place.
template <class T>
struct kept_arcs {
  std::vector<std::int32_t> places;
  std::vector<std::int32_t> num_up;
  std::vector<std::int32_t> num_down;
  std::vector<sweep_arc<T>> up;
  std::vector<sweep_arc<T>> down;
};

/// All kept arcs, in the order of their places, each of which is in one part.
/// @throws stop_seen if a stop is requested.
template <class T>
hierarchy<T> joined(const shared_tree& tree, const std::vector<kept_arcs<T>>& parts, int threads,
                    const monitor& watch) {
  const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  const std::size_t n = tree->num_vertices();
  hierarchy<T> made;
  made.up_offsets.assign(n + 1, 0);
  made.down_offsets.assign(n + 1, 0);
  const auto for_each_part = [&](auto f) {
    parallel_for_with_workspace(
        parts.size(), threads, [&] { return stop_poll(&watch); },
        [&](stop_poll& poll, std::size_t i) { f(parts[i], poll); });
  };
  for_each_part([&](const kept_arcs<T>& part, stop_poll& poll) {
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      poll.after(0);
      made.up_offsets[at(part.places[i]) + 1] = part.num_up[i];
      made.down_offsets[at(part.places[i]) + 1] = part.num_down[i];
    }
  });
  std::partial_sum(made.up_offsets.begin(), made.up_offsets.end(), made.up_offsets.begin());
  std::partial_sum(made.down_offsets.begin(), made.down_offsets.end(), made.down_offsets.begin());
  stop_poll poll(&watch);
  made.up.resize(static_cast<std::size_t>(made.up_offsets[n]));
  poll.after(made.up.size());
  made.down.resize(static_cast<std::size_t>(made.down_offsets[n]));
  poll.after(made.down.size());
  for_each_part([&](const kept_arcs<T>& part, stop_poll& polling) {
    auto up = part.up.begin();
    auto down = part.down.begin();
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      const std::size_t place = at(part.places[i]);
      polling.after(at(part.num_up[i]) + at(part.num_down[i]));
      std::copy_n(up, part.num_up[i], made.up.begin() + made.up_offsets[place]);
      std::copy_n(down, part.num_down[i], made.down.begin() + made.down_offsets[place]);
      up += part.num_up[i];
      down += part.num_down[i];
    }
  });
  made.tree = tree;
  return made;
}

}  // namespace apsp::inline v1::detail::host
