// SPDX-License-Identifier: BSL-1.0
#include "neighbors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <utility>

#include "../host/for_each_index.hpp"
#include "../host/parallel_for.hpp"
#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail {

namespace {

using index = std::int32_t;

std::span<const index> list_of(std::span<const std::int64_t> offsets,
                               std::span<const index> targets, std::size_t v) {
  const auto begin = static_cast<std::size_t>(offsets[v]);
  return targets.subspan(begin, static_cast<std::size_t>(offsets[v + 1]) - begin);
}

bool contains(std::span<const index> list, std::size_t v) {
  return std::find(list.begin(), list.end(), static_cast<index>(v)) != list.end();
}

/// If a list is longer, it is not searched.
constexpr std::size_t longest_list = 64;

/// True if all lists are short, and with every arc there is one in the other direction.
bool is_symmetric(std::span<const std::int64_t> offsets, std::span<const index> targets,
                  const host::workers& by) {
  std::atomic<bool> is_proved = true;
  host::for_each_index(offsets.size() - 1, by, [&](std::size_t u) {
    if (!is_proved.load(std::memory_order_relaxed)) return;
    for (const index v : list_of(offsets, targets, u)) {
      const auto back = list_of(offsets, targets, static_cast<std::size_t>(v));
      if (back.size() <= longest_list && contains(back, u)) continue;
      is_proved.store(false, std::memory_order_relaxed);
      return;
    }
  });
  return is_proved;
}

/// The lists of a symmetric graph, in the order in which `find_neighbors` finds them: vertices with
/// smaller numbers ascend, those with larger ones are in the order of the arcs.
neighbor_lists distinct_targets(std::span<const std::int64_t> offsets,
                                std::span<const index> targets, const host::workers& by) {
  const std::size_t n = offsets.size() - 1;
  const auto for_each_distinct = [&](std::size_t u, auto f) {
    const std::span<const index> list = list_of(offsets, targets, u);
    std::array<index, longest_list> smaller{};
    auto end = smaller.begin();
    for (const index v : list) {
      if (static_cast<std::size_t>(v) < u) *end++ = v;
    }
    std::sort(smaller.begin(), end);
    std::for_each(smaller.begin(), std::unique(smaller.begin(), end), f);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto v = static_cast<std::size_t>(list[k]);
      if (v > u && !contains(list.first(k), v)) f(list[k]);
    }
  };
  neighbor_lists lists;
  lists.offsets.assign(n + 1, 0);
  host::for_each_index(
      n, by, [&](std::size_t u) { for_each_distinct(u, [&](index) { ++lists.offsets[u + 1]; }); });
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  lists.vertices.resize(static_cast<std::size_t>(lists.offsets[n]));
  host::for_each_index(n, by, [&](std::size_t u) {
    auto next = static_cast<std::size_t>(lists.offsets[u]);
    for_each_distinct(u, [&](index v) { lists.vertices[next++] = v; });
  });
  return lists;
}

}  // namespace

neighbor_lists find_neighbors(std::span<const std::int64_t> offsets,
                              std::span<const std::int32_t> targets, const host::workers& by) {
  // One thread finds them sooner below.
  constexpr int fewest_threads = 4;
  if (host::thread_count(by.threads) >= fewest_threads && is_symmetric(offsets, targets, by)) {
    return distinct_targets(offsets, targets, by);
  }
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

}  // namespace apsp::inline v1::detail
