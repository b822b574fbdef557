// SPDX-License-Identifier: BSL-1.0
#include "path_batches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/algorithm.hpp"
#include "../../host/parallel_for.hpp"
#include "../../per_source/problem/problem.hpp"
#include "../../per_source/search/host/arc_pruning.hpp"
#include "../../per_source/search/host/lane_passes.hpp"
#include "../../values/distance_code.hpp"
#include "../batched_sources.hpp"

namespace apsp::inline v1::detail::host {

namespace {

/// Lists the vertices that are reached in some lane by keys that need not be compared exactly.
/// Returns their number.
std::size_t sort_roughly(const std::vector<double>& keys, const std::vector<lane_bits>& reached,
                         std::vector<std::int32_t>& sorted) {
  constexpr std::size_t num_buckets = 4096;
  double largest = 0;
  for (const double key : keys) largest = std::max(largest, key);
  const auto bucket = [&](double key) {
    const double share = key / largest;
    constexpr std::size_t last = num_buckets - 1;
    return share < 1 ? static_cast<std::size_t>(share * double{last}) : last;
  };
  std::array<std::size_t, num_buckets + 1> begins{};
  for (std::size_t v = 0; v < keys.size(); ++v) {
    if (reached[v] != 0) ++begins[bucket(keys[v]) + 1];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (std::size_t v = 0; v < keys.size(); ++v) {
    if (reached[v] != 0) sorted[begins[bucket(keys[v])]++] = static_cast<std::int32_t>(v);
  }
  return begins[num_buckets];
}

/// True if sorting the arcs of each lane takes longer than several passes over those of all lanes:
/// if there are more of them than vertices.
bool has_many_ties(const tight_arc_lists& lists, std::size_t num_vertices) {
  constexpr std::size_t least_sampled = 64;
  constexpr double least_arcs_per_vertex = 1.5;
  const std::size_t step = std::clamp<std::size_t>(num_vertices / least_sampled, 1, 16);
  std::size_t num_arcs = 0;
  std::size_t num_reached = 0;
  for (std::size_t v = 0; v < num_vertices; v += step) {
    lane_bits reached = 0;
    for (std::uint32_t a = lists.begins[v]; a < lists.begins[v + 1]; ++a) {
      reached |= lists.lanes[a];
      num_arcs += static_cast<std::size_t>(std::popcount(lists.lanes[a]));
    }
    num_reached += static_cast<std::size_t>(std::popcount(reached));
  }
  return static_cast<double>(num_arcs) > least_arcs_per_vertex * static_cast<double>(num_reached);
}

template <class C>
std::optional<values_in_lanes<min_plus<C>>> values_for(const adjacency_view<C>& arcs) {
  C limit = no_path<C>();
  if constexpr (std::is_integral_v<C>) --limit;
  return sums_in_lanes(
      per_source_problem<C>{algorithm::bellman_ford, arcs, {}, limit, false, false});
}

}  // namespace

template <class C>
path_batches<C>::path_batches(const problem& wanted, const values_in_lanes<S>& values)
    : problem_(wanted),
      values_(values),
      into_(reversed_arcs(wanted.arcs)),
      numbers_(numbers_of_reversed(wanted.arcs)),
      order_(wanted.arcs, into_.view()),
      lanes_(choose_lane_kernels<S>(batch_width::wide)),
      tight_(choose_tight_lane_kernels<C>()),
      graph_(order_, wanted.arcs, into_.view()),
      by_place_(numbers_by_neighborhood(order_.places, wanted.sources)) {}

template <class C>
path_batches<C>::workspace::workspace(const path_batches& batches)
    : open_(batches.order_.size()),
      lanes_(batches.order_.size() * batches.lanes_.num_lanes),
      rows_(batches.order_.size() * batches.lanes_.num_rows) {
  // Selections have room for a vector more.
  const std::size_t m = batches.numbers_.size() + 16;
  for (auto* list : {&found_from_, &found_to_, &from_, &to_}) {
    *list = untouched_buffer<std::int32_t>(m);
  }
  found_numbers_ = untouched_buffer<std::uint32_t>(m);
  numbers_ = untouched_buffer<std::uint32_t>(m);
  found_lanes_ = untouched_buffer<lane_bits>(m);
  found_begins_.resize(batches.order_.size() + 1);
}

template <class C>
std::size_t path_batches<C>::most_workspaces() const {
  const std::size_t of_vertex = (lanes_.num_lanes + lanes_.num_rows) * sizeof(C) +
                                tight_.num_lanes * (2 * sizeof(double) + sizeof(counted_place));
  const std::size_t bytes = order_.size() * of_vertex + numbers_.size() * 7 * sizeof(std::int32_t);
  return most_bytes_of_batches / std::max<std::size_t>(bytes, 1);
}

template <class C>
typename path_batches<C>::outcome path_batches<C>::search(std::size_t batch, workspace& mine,
                                                          const monitor& watch) const {
  // Longer searches take longer than those from each source alone.
  constexpr std::size_t most_reads_each = 32;
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  mine.sources_.clear();
  for (const std::size_t i : numbers_of(batch)) mine.sources_.push_back(problem_.sources[i]);
  mine.first_row_ = none;
  mine.first_found_ = none;
  const lane_passes<S> passes(lanes_, values_, order_);
  const batch_end end =
      passes.run(graph_, mine.sources_, mine.lanes_.data(), mine.open_, watch, most_reads_each);
  if (end == batch_end::stopped) return outcome::stopped;
  const bool is_possible = end == batch_end::converged && !passes.may_be_cut(mine.lanes_.data());
  return is_possible ? outcome::finished : outcome::not_possible;
}

template <class C>
typename tight_lane_kernels<C>::distances_in_lanes path_batches<C>::distances_from(
    std::size_t lane, const workspace& mine) const {
  return {order_.size(),        into_.offsets.data(),     into_.targets.data(),
          into_.weights.data(), numbers_.data(),          mine.lanes_.data() + lane,
          lanes_.num_lanes,     values_.values.none_from, problem_.tolerance};
}

/// Those of the lanes that are found together with one.
template <class C>
tight_arc_lists path_batches<C>::find_arcs(std::size_t lane, workspace& mine) const {
  const tight_arc_lists found{mine.found_begins_.data(), mine.found_from_.data(),
                              mine.found_to_.data(), mine.found_numbers_.data(),
                              mine.found_lanes_.data()};
  const std::size_t first = lane / tight_.num_lanes * tight_.num_lanes;
  if (mine.first_found_ != first) {
    mine.first_found_ = first;
    mine.num_found_ = tight_.find(distances_from(first, mine), found);
  }
  return found;
}

template <class C>
lane_bits path_batches<C>::add_shares(std::size_t batch, std::size_t lane, bool with_ends,
                                      workspace& mine, path_sums& sums) const {
  const std::size_t n = order_.size();
  const auto numbers = numbers_of(batch);
  const std::size_t num_lanes = std::min(tight_.num_lanes, numbers.size() - lane);
  const tight_arc_lists found = find_arcs(lane, mine);
  if (!has_many_ties(found, n)) return 0;
  if (mine.counts_.data() == nullptr) {
    mine.reached_.resize(n);
    mine.averages_.resize(n);
    mine.counted_.resize(n);
    mine.order_.resize(n);
    mine.counts_ = untouched_buffer<double>(n * tight_.num_lanes);
    mine.shares_ = untouched_buffer<double>(n * tight_.num_lanes);
    mine.places_ = untouched_buffer<counted_place>(n * tight_.num_lanes);
  }
  mine.starts_.assign(tight_.num_lanes, -1);
  for (std::size_t i = 0; i < num_lanes; ++i) {
    mine.starts_[i] = problem_.sources[numbers[lane + i]];
  }
  tight_.find_reached(distances_from(lane, mine), mine.reached_.data(), mine.averages_.data());
  std::fill(mine.counted_.begin(), mine.counted_.end(), lane_bits{0});
  const std::size_t num_vertices = sort_roughly(mine.averages_, mine.reached_, mine.order_);
  const path_lane_memory memory{mine.reached_.data(), mine.counted_.data(), mine.counts_.data(),
                                mine.shares_.data(),  mine.places_.data(),  mine.starts_.data()};
  std::size_t num_places = 0;
  const lane_bits out_of_range =
      tight_.count(found, mine.order_.data(), num_vertices, memory, &num_places);
  const lane_bits all = num_lanes == 32 ? ~lane_bits{0} : (lane_bits{1} << num_lanes) - 1;
  const lane_bits added = all & ~out_of_range;
  if (added == 0) return 0;
  std::uint64_t reached[32] = {};
  tight_.add_shares(found, n, num_places, added, memory,
                    {with_ends, sums.of_vertices.data(),
                     sums.of_arcs.empty() ? nullptr : sums.of_arcs.data(), reached});
  for (std::size_t i = 0; with_ends && i < num_lanes; ++i) {
    sums.of_vertices[static_cast<std::size_t>(mine.starts_[i])] += static_cast<double>(reached[i]);
  }
  return added;
}

template <class C>
listed_arcs<C> path_batches<C>::arcs_of(std::size_t lane, workspace& mine) const {
  const std::size_t n = order_.size();
  const path_values<S>& values = values_.values;
  const std::size_t row = lane / lanes_.num_rows * lanes_.num_rows;
  if (mine.first_row_ != row) {
    mine.first_row_ = row;
    constexpr std::size_t most_rows = 16;  // Of any kernel.
    C* rows[most_rows];
    for (std::size_t i = 0; i < lanes_.num_rows; ++i) rows[i] = mine.rows_.data() + i * n;
    lanes_.write_rows(values.semiring, {values.one, values.none, values.none_from, no_path<C>()}, n,
                      mine.lanes_.data(), row, rows);
  }
  const tight_arc_lists found = find_arcs(lane, mine);
  listed_arcs<C> listed{mine.rows_.data() + (lane - row) * n,
                        0,
                        {mine.from_.data(), mine.to_.data(), mine.numbers_.data()}};
  listed.count = tight_.select(found, mine.num_found_, lane % tight_.num_lanes, listed.arcs);
  return listed;
}

template <class C>
std::optional<path_batches<C>> make_path_batches(const typename path_batches<C>::problem& wanted,
                                                 const monitor& watch) {
  std::optional<path_batches<C>> batches;
  const auto values = values_for(wanted.arcs);
  const bool are_too_many = wanted.arcs.num_edges() > std::numeric_limits<std::uint32_t>::max();
  if (!values || are_too_many) return batches;
  batches.emplace(wanted, *values);
  if (batches->most_workspaces() == 0) batches.reset();
  constexpr std::size_t fewest_to_try = 8;
  if (batches && batches->size() >= fewest_to_try) {
    typename path_batches<C>::workspace first(*batches);
    const auto end = batches->search(batches->size() / 2, first, watch);
    if (end == path_batches<C>::outcome::not_possible) batches.reset();
  }
  return batches;
}

template <class C>
std::vector<char> find_bypassed_in_lanes(const adjacency_view<C>& arcs, const C& tolerance,
                                         int threads, const monitor& watch) {
  std::vector<char> found;
  if (const auto values = values_for(arcs)) {
    if (auto flags = find_bypassed_arcs(arcs, *values, tolerance, threads, watch)) {
      found = *std::move(flags);
    }
  }
  return found;
}

#define APSP_INSTANTIATE_PATH_BATCHES(C)                                                        \
  template class path_batches<C>;                                                               \
  template std::optional<path_batches<C>> make_path_batches<C>(const path_batches<C>::problem&, \
                                                               const monitor&);                 \
  template std::vector<char> find_bypassed_in_lanes(const adjacency_view<C>&, const C&, int,    \
                                                    const monitor&);
APSP_FOR_EACH_COUNTED_TYPE(APSP_INSTANTIATE_PATH_BATCHES)
#undef APSP_INSTANTIATE_PATH_BATCHES

}  // namespace apsp::inline v1::detail::host
