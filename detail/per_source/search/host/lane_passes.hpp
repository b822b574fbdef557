// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"
#include "../../../values/distance_code.hpp"
#include "../../lanes/host/lane_graph.hpp"
#include "../../lanes/host/lane_kernel.hpp"
#include "../../problem/problem.hpp"
#include "bellman_ford.hpp"
#include "lanes.hpp"

// The search of one batch of sources, one in each lane.
namespace apsp::inline v1::detail::host {

/// How the search of a batch ended: if it is `too_long`, searches from each source alone read fewer
/// arcs.
enum class batch_end { converged, stopped, too_long };

/// Passes over the vertices in breadth-first order, in which a vertex reads the paths to those
/// before it, of all sources of the batch at once, until no path improves. Sources: Bellman 1958;
/// Then et al. 2014 for the batches.
template <class S>
class lane_passes {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;

 public:
  /// @param order  lives as long as the passes.
  lane_passes(const kernel_table& kernels, const values_in_lanes<S>& values,
              const vertex_order& order)
      : kernels_(kernels), values_(values), order_(order) {}

  const kernel_table& kernels() const { return kernels_; }
  const path_values<S>& values() const { return values_.values; }
  const vertex_order& order() const { return order_; }
  typename kernel_table::values_of_lanes lane_values() const {
    return {values().one, values().none, values().none_from, values().none};
  }
  /// The number of entries for so many vertices.
  std::size_t lanes_of(std::size_t count) const { return count * kernels_.num_lanes; }

  /// Searches from @p sources, one in each lane.
  /// @param paths  receives an entry for each vertex and lane, by vertex.
  /// @param open   empty before and after.
  /// @param most_reads_each  of an arc, on average; if there is none, as many as the queue takes.
  batch_end run(const lane_arcs<S>& graph, std::span<const std::int32_t> sources, T* paths,
                open_bits& open, const monitor& watch,
                std::optional<std::size_t> most_reads_each = {}) const {
    std::fill_n(paths, lanes_of(order_.size()), values().none);
    start(graph, sources, paths, open);
    // A search from each source in turn reads each arc at least once, and often many times.
    const std::size_t num_arcs = graph.outgoing().num_edges();
    std::size_t most_read = most_reads_each.value_or(sources.size()) * num_arcs;
    bool is_known = most_reads_each.has_value();
    std::size_t num_read = 0;
    while (open.any()) {
      if (num_read > most_read && !std::exchange(is_known, true)) {
        const std::size_t reads = count_reads_of_queue(graph.outgoing(), sources.front(), watch);
        most_read = std::max(most_read, sources.size() * reads / 2);
      }
      const bool is_stopped = watch.stop_requested();
      if (is_stopped || num_read > most_read) {
        open.clear();
        return is_stopped ? batch_end::stopped : batch_end::too_long;
      }
      num_read +=
          kernels_.pass(values().semiring, graph.view(order_), paths, open.template view<S>());
    }
    return batch_end::converged;
  }

  /// True if some path may have been cut because the next one could wrap.
  bool may_be_cut(const T* paths) const {
    if constexpr (is_coded_integer<T> && std::is_same_v<S, min_plus<T>>) {
      return values_.doubtful_from != values().none &&
             kernels_.any_from(lane_values(), order_.size(), paths, values_.doubtful_from);
    } else {
      return false;
    }
  }

 private:
  /// Extends the empty path of each source by one arc, or opens the place that pulls it.
  void start(const lane_arcs<S>& graph, std::span<const std::int32_t> sources, T* paths,
             open_bits& open) const {
    const auto arcs = graph.view(order_);
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const auto source = static_cast<std::size_t>(sources[lane]);
      paths[lanes_of(source) + lane] = values().one;
      const auto place = static_cast<std::size_t>(order_.places[source]);
      for (auto a = arcs.out_offsets[place]; a < arcs.out_offsets[place + 1]; ++a) {
        open.set(arcs.targets[a]);
      }
      for (auto a = arcs.push_offsets[place]; a < arcs.push_offsets[place + 1]; ++a) {
        const std::int32_t target = arcs.push_targets[a];
        const auto v = static_cast<std::size_t>(order_.vertices[static_cast<std::size_t>(target)]);
        T& path = paths[lanes_of(v) + lane];
        path = values().plus(values().times(values().one, arcs.push_weights[a]), path);
        open.set(target);
      }
    }
  }

  /// The number of arcs that a search from @p source alone reads; 0 if it does not end, or if there
  /// is no memory for it.
  std::size_t count_reads_of_queue(const adjacency_view<T>& arcs, std::int32_t source,
                                   const monitor& watch) const {
    try {
      return reads_of_queue(arcs, source, watch);
    } catch (const std::bad_alloc&) {
      return 0;
    }
  }
  std::size_t reads_of_queue(const adjacency_view<T>& arcs, std::int32_t source,
                             const monitor& watch) const {
    std::vector<T> row(order_.size(), values().none);
    vertex_passes passes(order_.size());
    row[static_cast<std::size_t>(source)] = values().one;
    std::size_t num_read = 0;
    const auto relax = [&](std::size_t u, auto& queue) {
      num_read += arcs.end(u) - arcs.begin(u);
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
        const auto v = static_cast<std::size_t>(arcs.targets[a]);
        const T through = values().times(row[u], arcs.weights[a]);
        if (!values().is_better(through, row[v])) continue;
        row[v] = through;
        queue.push_or_decrease(v, through);
      }
    };
    const auto outcome = passes.run(arcs, static_cast<std::size_t>(source), watch, relax);
    return outcome == solve_outcome::finished ? num_read : 0;
  }

  const kernel_table& kernels_;
  values_in_lanes<S> values_;
  const vertex_order& order_;
};

}  // namespace apsp::inline v1::detail::host
