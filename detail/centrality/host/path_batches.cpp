// SPDX-License-Identifier: BSL-1.0
#include "path_batches.hpp"

#include <algorithm>
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

namespace apsp::detail::host {

namespace {

/// Of each reversed arc: which arc it is.
template <class C>
std::vector<std::uint32_t> numbers_of_reversed(const adjacency_view<C>& arcs) {
  std::vector<std::uint32_t> numbers(arcs.num_edges());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return reversed_arcs(adjacency_view<std::uint32_t>{arcs.offsets, arcs.targets, numbers}).weights;
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
      by_place_(wanted.sources.size()) {
  const auto place_of = [&](std::size_t i) {
    return order_.places[static_cast<std::size_t>(wanted.sources[i])];
  };
  std::iota(by_place_.begin(), by_place_.end(), std::size_t{0});
  std::stable_sort(by_place_.begin(), by_place_.end(),
                   [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
}

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
}

template <class C>
std::size_t path_batches<C>::bytes_of_workspace() const {
  return order_.size() * (lanes_.num_lanes + lanes_.num_rows) * sizeof(C) +
         numbers_.size() * 7 * sizeof(std::int32_t);
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
  const tight_arc_lists found{mine.found_from_.data(), mine.found_to_.data(),
                              mine.found_numbers_.data(), mine.found_lanes_.data()};
  const std::size_t first = lane / tight_.num_lanes * tight_.num_lanes;
  if (mine.first_found_ != first) {
    mine.first_found_ = first;
    mine.num_found_ = tight_.find(
        {n, into_.offsets.data(), into_.targets.data(), into_.weights.data(), numbers_.data(),
         mine.lanes_.data() + first, lanes_.num_lanes, values.none_from, problem_.tolerance},
        found);
  }
  listed_arcs<C> listed{mine.rows_.data() + (lane - row) * n,
                        0,
                        {mine.from_.data(), mine.to_.data(), mine.numbers_.data()}};
  listed.count = tight_.select(found, mine.num_found_, lane - first, listed.arcs);
  return listed;
}

template <class C>
std::optional<path_batches<C>> make_path_batches(const typename path_batches<C>::problem& wanted,
                                                 int threads, const monitor& watch) {
  std::optional<path_batches<C>> batches;
  const auto values = values_for(wanted.arcs);
  const bool are_too_many = wanted.arcs.num_edges() > std::numeric_limits<std::uint32_t>::max();
  if (!values || are_too_many) return batches;
  batches.emplace(wanted, *values);
  const std::size_t num_workspaces =
      std::min(static_cast<std::size_t>(thread_count(threads)), batches->size());
  if (num_workspaces * batches->bytes_of_workspace() > most_bytes_of_batches) batches.reset();
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
                                                               int, const monitor&);            \
  template std::vector<char> find_bypassed_in_lanes(const adjacency_view<C>&, const C&, int,    \
                                                    const monitor&);
APSP_FOR_EACH_COUNTED_TYPE(APSP_INSTANTIATE_PATH_BATCHES)
#undef APSP_INSTANTIATE_PATH_BATCHES

}  // namespace apsp::detail::host
