// SPDX-License-Identifier: BSL-1.0
#include "breadth_first_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "../../../plan/rates.hpp"

namespace apsp::inline v1::detail::host {

namespace {

/// How far a search gets.
struct search_extent {
  std::size_t num_steps = 0;
  std::size_t num_reached = 0;
};
search_extent measure_search(const unweighted_arcs& arcs, std::size_t source) {
  std::vector<char> is_reached(arcs.num_vertices(), 0);
  std::vector<std::size_t> queue{source};
  is_reached[source] = 1;
  search_extent extent;
  for (std::size_t next = 0; next < queue.size(); ++extent.num_steps) {
    for (const std::size_t end = queue.size(); next < end; ++next) {
      for (std::size_t a = arcs.begin(queue[next]); a < arcs.end(queue[next]); ++a) {
        const auto v = static_cast<std::size_t>(arcs.targets[a]);
        if (!std::exchange(is_reached[v], 1)) queue.push_back(v);
      }
    }
  }
  extent.num_reached = queue.size();
  return extent;
}

/// The rows of @p sources in an order in which sources that are close to each other are in the same
/// batch of
/// @p lanes: they reach vertices in the same steps. A batch takes its sources in the order of a
/// breadth-first search, which starts near the batch before it.
std::vector<std::size_t> rows_by_place(const unweighted_arcs& arcs,
                                       std::span<const std::int32_t> sources, std::size_t lanes) {
  const std::size_t count = sources.size();
  // The rows of each vertex, as lists.
  std::vector<std::size_t> first_row(arcs.num_vertices(), count);
  std::vector<std::size_t> next_row(count);
  for (std::size_t row = count; row-- != 0;) {
    next_row[row] = std::exchange(first_row[static_cast<std::size_t>(sources[row])], row);
  }
  std::vector<char> is_queued(arcs.num_vertices(), 0);
  std::vector<std::size_t> queue;
  const auto enqueue = [&](std::size_t v) {
    if (!std::exchange(is_queued[v], 1)) queue.push_back(v);
  };
  std::vector<std::size_t> rows;
  rows.reserve(count);
  std::size_t next = 0;
  std::size_t first_open = 0;  // All vertices before it are queued.
  while (rows.size() < count) {
    if (next == queue.size()) {
      while (is_queued[first_open]) ++first_open;
      queue.clear();
      next = 0;
      enqueue(first_open);
    }
    const std::size_t u = queue[next++];
    const std::size_t batch = rows.size() / lanes;
    for (std::size_t row = first_row[u]; row != count; row = next_row[row]) rows.push_back(row);
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      enqueue(static_cast<std::size_t>(arcs.targets[a]));
    }
    if (rows.size() / lanes == batch || next == queue.size()) continue;
    for (std::size_t i = next + 1; i < queue.size(); ++i) {
      is_queued[queue[i]] = 0;
      first_open = std::min(first_open, queue[i]);
    }
    queue = {queue[next]};
    next = 0;
  }
  return rows;
}

}  // namespace

incoming_arcs::incoming_arcs(const unweighted_arcs& arcs, bool with_ranks)
    : offsets(arcs.num_vertices() + 1, 0),
      sources(arcs.num_edges() + 1),
      ranks(with_ranks ? arcs.num_edges() : 0) {
  for (const std::int32_t v : arcs.targets) ++offsets[static_cast<std::size_t>(v) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      const std::int64_t position = next[v]++;
      sources[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(u);
      if (with_ranks) ranks[a] = static_cast<std::int32_t>(position - offsets[v]);
    }
  }
}

search_plan plan_search(const unweighted_arcs& arcs, std::span<const std::int32_t> sources,
                        int num_threads) {
  // Graphs with at most that many steps are searched in batches whatever their shape.
  constexpr std::size_t few_steps = 32;
  // In narrow graphs, such as rings, few sources reach a vertex in the same step.
  constexpr std::size_t least_width_in_lanes = std::size_t{1} << 14;

  const std::size_t count = sources.size();
  const std::size_t share = count / static_cast<std::size_t>(num_threads);
  if (share < fewest_searched_together) return {};
  search_plan plan;
  plan.num_words = share <= 2 * search_word_bits ? 1 : most_search_words;
  const std::size_t lanes = plan.num_words * search_word_bits;
  search_extent deepest;
  for (const std::size_t row : {std::size_t{0}, count / 2, count - 1}) {
    const auto extent = measure_search(arcs, static_cast<std::size_t>(sources[row]));
    if (extent.num_steps > deepest.num_steps) deepest = extent;
  }
  if (deepest.num_steps <= few_steps) {
    plan.rows.resize(count);
    std::iota(plan.rows.begin(), plan.rows.end(), std::size_t{0});
    return plan;
  }
  if (deepest.num_reached / deepest.num_steps * lanes < least_width_in_lanes) return {};
  plan.rows = rows_by_place(arcs, sources, lanes);
  return plan;
}

}  // namespace apsp::inline v1::detail::host
