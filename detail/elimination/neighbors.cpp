// SPDX-License-Identifier: BSL-1.0
#include "neighbors.hpp"

#include <numeric>

#include "../host/stop_check.hpp"

namespace apsp::detail {

neighbor_lists find_neighbors(std::span<const std::int64_t> offsets,
                              std::span<const std::int32_t> targets, const host::workers& by) {
  const std::size_t n = offsets.size() - 1;
  host::stop_poll poll(by.watch);
  const auto for_each_arc = [&](auto f) {
    for (std::size_t u = 0; u < n; ++u) {
      poll.after(static_cast<std::size_t>(offsets[u + 1] - offsets[u]));
      for (auto a = offsets[u]; a < offsets[u + 1]; ++a) {
        const auto v = static_cast<std::size_t>(targets[static_cast<std::size_t>(a)]);
        if (u != v) f(u, v);
      }
    }
  };
  std::vector<std::int64_t> begin(n + 1, 0);
  for_each_arc([&](std::size_t u, std::size_t v) {
    ++begin[u + 1];
    ++begin[v + 1];
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> ends(static_cast<std::size_t>(begin[n]));
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for_each_arc([&](std::size_t u, std::size_t v) {
    ends[static_cast<std::size_t>(next[u]++)] = static_cast<std::int32_t>(v);
    ends[static_cast<std::size_t>(next[v]++)] = static_cast<std::int32_t>(u);
  });

  neighbor_lists lists;
  lists.offsets.assign(n + 1, 0);
  std::vector<std::int32_t> last_seen_from(n, -1);
  std::size_t kept = 0;
  for (std::size_t u = 0; u < n; ++u) {
    poll.after(static_cast<std::size_t>(begin[u + 1] - begin[u]));
    for (auto a = begin[u]; a < begin[u + 1]; ++a) {
      const std::int32_t v = ends[static_cast<std::size_t>(a)];
      auto& seen_from = last_seen_from[static_cast<std::size_t>(v)];
      if (seen_from == static_cast<std::int32_t>(u)) continue;
      seen_from = static_cast<std::int32_t>(u);
      ends[kept++] = v;
    }
    lists.offsets[u + 1] = static_cast<std::int64_t>(kept);
  }
  ends.resize(kept);
  lists.vertices = std::move(ends);
  return lists;
}

}  // namespace apsp::detail
