// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../elimination/calls.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/sources.hpp"
#include "../matrix/erased_matrix.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/planning.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../plan/plan_call.hpp"
#include "../values/weight.hpp"
#include "vertex_places.hpp"

// Distances from some vertices to some vertices.
namespace apsp::inline v1::detail {

/// A change of the arcs for `per_source`: paths are searched from their ends.
struct all_reversed {
  std::size_t num_added() const { return 0; }
  template <class T>
  void operator()(adjacency<T>& arcs, weight_range<T>&) const {
    arcs = reversed_arcs(arcs.view());
  }
};

/// Writes the distances between the vertices of two lists into a table. The rows that it receives
/// belong to the distinct vertices of one list, `searched`; of them, the entries of the other list,
/// `ends`, are read.
template <class Table>
class table_output final : public row_output<matrix_value_t<Table>> {
  using T = matrix_value_t<Table>;

 public:
  /// @param backward  the searched vertices are those of the columns of the table.
  table_output(Table& table, const vertex_places& searched, const vertex_places& ends,
               bool backward, std::size_t num_vertices)
      : row_output<T>(false, ends.vertices(), true),
        table_(table),
        searched_(searched),
        ends_(ends),
        backward_(backward),
        end_of_vertex_(num_vertices, -1) {
    for (std::size_t e = 0; e < ends.vertices().size(); ++e) {
      end_of_vertex_[static_cast<std::size_t>(ends.vertices()[e])] = static_cast<std::int32_t>(e);
    }
  }

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t, const T* distances, const std::int32_t*) override {
    std::vector<T> lengths;
    lengths.reserve(ends_.vertices().size());
    for (const std::int32_t v : ends_.vertices()) {
      lengths.push_back(distances[static_cast<std::size_t>(v)]);
    }
    put(row, lengths);
  }
  void write_reached(std::size_t row, std::size_t, std::span<reached_vertex<T>> reached) override {
    std::vector<T> lengths(ends_.vertices().size(), unreachable<T>);
    for (const reached_vertex<T>& r : reached) {
      const std::int32_t e = end_of_vertex_[static_cast<std::size_t>(r.vertex)];
      if (e >= 0) lengths[static_cast<std::size_t>(e)] = r.distance;
    }
    put(row, lengths);
  }

 private:
  template <class F>
  void with_table(F f) {
    if constexpr (can_be_written_by_threads<Table>) {
      f();
    } else {
      const std::lock_guard lock(mutex_);
      f();
    }
  }
  /// @param lengths  to each end
  void put(std::size_t searched, const std::vector<T>& lengths) {
    with_table([&] {
      for (const std::size_t s : searched_.places_of(searched)) {
        for (std::size_t end = 0; end < lengths.size(); ++end) {
          for (const std::size_t e : ends_.places_of(end)) {
            matrix_entry(table_, backward_ ? e : s, backward_ ? s : e) = lengths[end];
          }
        }
      }
    });
  }

  Table& table_;
  const vertex_places& searched_;
  const vertex_places& ends_;
  bool backward_;
  std::vector<std::int32_t> end_of_vertex_;  ///< -1: it is no end.
  std::mutex mutex_;
};

/// The facts of one thread's searches over the arcs of a hierarchy.
template <class T, class S>
call_facts facts_of_arcs(const kept_hierarchy<T, S>& kept) {
  const std::size_t n = kept.tree->num_vertices();
  call_facts facts;
  if constexpr (is_min_plus<S>) {
    facts = facts_of(backend::seq, n, kept.weights);
    facts.has_negative_weight = false;
  } else {
    facts = facts_over<S>(backend::seq, n);
  }
  facts.num_arcs = kept.arcs.targets.size();
  return facts;
}

/// True if the distances are predicted to take less time from their ends than from the sources. A
/// hierarchy is prepared for sweeps from the sources alone.
template <class T, class Policy, class Graph>
bool is_faster_backward([[maybe_unused]] const Graph& g, std::size_t num_sources,
                        std::size_t num_targets) {
  if (num_sources <= num_targets) return false;
  if constexpr (is_kept_hierarchy<Graph, T>) {
    const kept_hierarchy<T>& kept = graph_adaptor_t<Graph>::kept(g);
    if (!kept.graph) return true;
    if (is_cuda_policy<Policy>) return false;
    call_facts facts = facts_of_arcs(kept);
    facts.num_sources = num_targets;
    const double searches = search_time(facts);
    add_order(facts, prepared_from(kept));
    facts.num_sources = num_sources;
    facts.num_targets = num_targets;
    return searches < elimination_time(facts);
  } else {
    return true;
  }
}

/// The result of a call along reversed arcs.
inline result with_reversed_cycle(result done) {
  auto cycle = done.negative_cycle();
  std::reverse(cycle.begin(), cycle.end());
  done.set_negative_cycle(std::move(cycle));
  return done;
}

/// A row for each vertex of `from`, and a column for each of `to`, in a graph of n vertices.
struct table_request {
  std::size_t n;
  std::span<const std::int32_t> from;
  std::span<const std::int32_t> to;
};

template <class Policy, class Graph, class Table, class S = min_plus<matrix_value_t<Table>>>
result fill_distance_table(const Policy& policy, const Graph& g, const table_request& wanted,
                           Table& table, [[maybe_unused]] const S& semiring = {}) {
  using T = matrix_value_t<Table>;
  const std::size_t n = wanted.n;
  const vertex_places rows(wanted.from, n);
  const vertex_places columns(wanted.to, n);
  if constexpr (!is_min_plus<S>) {
    // Paths of a semiring cannot be reversed in general.
    table_output<Table> output(table, rows, columns, false, n);
    return semiring_per_source(policy, request_of(policy), g, rows.vertices(), semiring, output);
  } else {
    if (!is_faster_backward<T, Policy>(g, rows.vertices().size(), columns.vertices().size())) {
      table_output<Table> output(table, rows, columns, false, n);
      return per_source(policy, request_of(policy), g, rows.vertices(), output);
    }
    table_output<Table> output(table, columns, rows, true, n);
    return with_reversed_cycle(
        per_source(policy, request_of(policy), g, columns.vertices(), output, all_reversed{}));
  }
}

template <class Policy, class Graph, class Sources, class Targets, class Table, class S>
result check_and_fill_table(const Policy& policy, const Graph& g, Sources& sources,
                            Targets& targets, Table& table, const S& semiring) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, Table>;
  static_assert(in_host_memory, "apsp: distance_table takes a graph and a table in host memory");
  using T = matrix_value_t<Table>;
  if constexpr (in_host_memory && has_paths_of<T, S>()) {
    const std::size_t n = check_graph<T>(g);
    const auto from = list_sources(g, n, sources);
    const auto to = list_sources(g, n, targets, "target");
    require_shape(table, from.size(), to.size(), "the distance table");
    check_apart_from_arrays(g, table, {from.size(), to.size()});
    return fill_distance_table(policy, g, {n, from, to}, table, semiring);
  }
}

}  // namespace apsp::inline v1::detail
