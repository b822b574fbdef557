// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../elimination/calls.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../plan/rates.hpp"
#include "../values/cutoff.hpp"
#include "../values/weight.hpp"
#include "vertex_places.hpp"

// The k nearest sources of every vertex.
namespace apsp::inline v1::detail {

/// For each vertex up to k sources, the nearest first; of equally near ones, those with smaller
/// numbers.
template <class T>
class nearest_lists {
 public:
  nearest_lists(std::size_t num_vertices, std::size_t k)
      : k_(k), distances_(num_vertices * k, unreachable<T>), sources_(num_vertices * k, none) {}

  std::size_t k() const { return k_; }
  std::span<const T> distances_of(std::size_t v) const {
    return std::span(distances_).subspan(v * k_, k_);
  }
  std::span<const std::int32_t> sources_of(std::size_t v) const {
    return std::span(sources_).subspan(v * k_, k_);
  }

  /// Notes a path from a source.
  /// @return false if the list has as short a path from it, or k other sources that are nearer.
  bool add(std::size_t v, const T& distance, std::int32_t source) {
    T* const distances = distances_.data() + v * k_;
    std::int32_t* const sources = sources_.data() + v * k_;
    const auto is_before = [&](std::size_t i) {
      if (sources[i] == none || distance < distances[i]) return true;
      return !(distances[i] < distance) && source < sources[i];
    };
    if (!is_before(k_ - 1)) return false;
    // A longer path from the source makes room, or else the last one.
    std::size_t i = 0;
    while (i < k_ - 1 && sources[i] != source) ++i;
    if (sources[i] == source && !(distance < distances[i])) return false;
    for (; i > 0 && is_before(i - 1); --i) {
      distances[i] = distances[i - 1];
      sources[i] = sources[i - 1];
    }
    distances[i] = distance;
    sources[i] = source;
    return true;
  }
  /// True if the list has a path of this length from the source.
  bool has(std::size_t v, const T& distance, std::int32_t source) const {
    const auto of_v = sources_of(v);
    const auto found = std::find(of_v.begin(), of_v.end(), source);
    return found != of_v.end() && !(distances_of(v)[at(found - of_v.begin())] < distance);
  }

 private:
  static constexpr std::int32_t none = -1;
  static std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

  std::size_t k_;
  std::vector<T> distances_;
  std::vector<std::int32_t> sources_;
};

/// Adds rows to the lists.
template <class T>
class nearest_lists_output final : public row_output<T> {
 public:
  explicit nearest_lists_output(nearest_lists<T>& lists, std::size_t num_vertices)
      : row_output<T>(false), lists_(lists), num_vertices_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t*) override {
    // Threads begin with different parts of the vertices.
    for (std::size_t i = 0; i < num_parts; ++i) {
      const std::size_t part = (row + i) % num_parts;
      const std::lock_guard lock(mutexes_[part]);
      const std::size_t end = (part + 1) * num_vertices_ / num_parts;
      for (std::size_t v = part * num_vertices_ / num_parts; v < end; ++v) {
        if (equals_unreachable(distances[v])) continue;
        static_cast<void>(lists_.add(v, distances[v], static_cast<std::int32_t>(source)));
      }
    }
  }

 private:
  static constexpr std::size_t num_parts = 64;

  nearest_lists<T>& lists_;
  std::size_t num_vertices_;
  std::array<std::mutex, num_parts> mutexes_;
};

/// Dijkstra's algorithm from all sources together, which settles each vertex once for each of its k
/// nearest sources: a path that is not among the k shortest ones from different sources is not the
/// beginning of one. No weight is negative.
/// @return true if a path was too long for T.
/// @throws host::stop_seen if a stop is requested.
/// Complexity: O(k (n + m) log(k m)).
template <class T>
bool search_nearest(const adjacency_view<T>& arcs, std::span<const std::int32_t> sources,
                    std::optional<T> cutoff, nearest_lists<T>& lists, const monitor& watch) {
  using label = std::tuple<T, std::int32_t, std::int32_t>;  // Distance, source, vertex.
  std::priority_queue<label, std::vector<label>, std::greater<>> open;
  const auto reach = [&](std::int32_t v, const T& distance, std::int32_t source) {
    if (lists.add(static_cast<std::size_t>(v), distance, source)) open.emplace(distance, source, v);
  };
  for (const std::int32_t s : sources) reach(s, T{}, s);
  host::stop_poll poll(&watch);
  bool is_cut = false;
  while (!open.empty()) {
    const auto [distance, source, vertex] = open.top();
    open.pop();
    const auto u = static_cast<std::size_t>(vertex);
    if (!lists.has(u, distance, source)) continue;
    poll.after(arcs.end(u) - arcs.begin(u));
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const T& weight = arcs.weights[a];
      // Of integers, no sum wraps.
      if (std::is_integral_v<T> && unreachable<T> - distance <= weight) {
        is_cut = is_cut || !cutoff;
        continue;
      }
      const T beyond = static_cast<T>(distance + weight);
      if (equals_unreachable(beyond) || (cutoff && *cutoff < beyond)) continue;
      reach(arcs.targets[a], beyond, source);
    }
  }
  return is_cut;
}

/// True if one search is predicted to take less time than a row from each source.
inline bool prefers_one_search(std::size_t num_sources, std::size_t k, bool has_hierarchy) {
  // To settle a vertex once takes as long as so many entries of rows that are solved together.
  const std::size_t entries = has_hierarchy ? 128 : 16;
  return num_sources / entries >= k;
}

/// Fills the lists by one search on the host if that pays and is possible.
template <class T, class Graph>
std::optional<result> search_nearest_on_host(const host_backend& any, const request& asked,
                                             const Graph& g, std::span<const std::int32_t> sources,
                                             nearest_lists<T>& lists) {
  if constexpr (!std::is_arithmetic_v<T>) {
    return std::nullopt;
  } else {
    constexpr bool is_kept = is_kept_hierarchy<Graph, T>;
    if (!prefers_one_search(sources.size(), lists.k(), is_kept)) return std::nullopt;
    const std::size_t n = num_vertices_of(g);
    const host_backend backend =
        any.for_work(search_work(kind_of<T>(), std::nullopt, lists.k(), n, least_edges(g, n)));
    weight_range<T> weights;
    adjacency<T> read;
    if constexpr (is_kept) {
      weights = graph_adaptor_t<Graph>::kept(g).weights;
    } else {
      weights = find_weight_range<T>(g, n, backend.host_threads());
      if (!(weights.smallest < T{})) read = make_adjacency<T>(g, n, backend.host_threads());
    }
    if (weights.smallest < T{}) return std::nullopt;
    const adjacency<T>& arcs = [&]() -> const adjacency<T>& {
      if constexpr (is_kept) {
        return graph_adaptor_t<Graph>::kept(g).arcs;
      } else {
        return read;
      }
    }();
    result done(backend.name(), algorithm::dijkstra);
    monitor& watch = backend.watch();
    watch.begin(1);
    try {
      done.set_saturated(
          search_nearest(arcs.view(), sources, to_cutoff<T>(asked.cutoff), lists, watch));
      watch.advance(1);
    } catch (const host::stop_seen&) {
      done.set_stopped();
    }
    return done;
  }
}

/// @throws std::invalid_argument for a negative number.
template <std::integral Count>
std::size_t checked_count(Count k) {
  if (!(k < Count{})) return static_cast<std::size_t>(k);
  throw std::invalid_argument("apsp::nearest_sources: expected k >= 0, got " + std::to_string(k));
}

/// @param distances, nearest  matrices with a row for each vertex and k columns.
template <class Policy, class Graph, class Sources, class D, class N>
result find_k_nearest_sources(const Policy& policy, const Graph& g, Sources& sources, std::size_t k,
                              D& distances, N& nearest) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, D, N>;
  static_assert(in_host_memory, "apsp: nearest_sources takes a graph and results in host memory");
  if constexpr (in_host_memory) {
    using T = matrix_value_t<D>;
    using index = matrix_value_t<N>;
    const std::size_t n = check_graph<T>(g);
    require_shape(distances, n, k, "the matrix of distances");
    require_shape(nearest, n, k, "the matrix of nearest sources");
    check_vertex_numbers<N>(n, "the matrix of nearest sources");
    if (may_overlap(nearest, {n, k}, distances, {n, k})) {
      throw std::invalid_argument(
          "apsp: the matrix of nearest sources must not share memory with another result");
    }
    check_apart_from_arrays(g, distances, {n, k});
    check_apart_from_arrays(g, nearest, {n, k});
    const vertex_places distinct(list_sources(g, n, sources), n);
    const std::span<const std::int32_t> list = distinct.vertices();
    nearest_lists<T> lists(n, std::clamp<std::size_t>(k, 1, std::max<std::size_t>(list.size(), 1)));
    bool is_answered = false;
    result done = on_backend<T>(policy, [&](const auto& any) -> result {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(any)>, host_backend>) {
        if (auto found = search_nearest_on_host(any, request_of(policy), g, list, lists)) {
          is_answered = true;
          return *std::move(found);
        }
      }
      return result(any.name(), algorithm::dijkstra);
    });
    if (!is_answered) {
      nearest_lists_output<T> output(lists, n);
      done = per_source(policy, request_of(policy), g, list, output);
    }
    if (!done) return done;
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t i = 0; i < k; ++i) {
        const std::int32_t found = i < lists.k() ? lists.sources_of(v)[i] : -1;
        matrix_entry(distances, v, i) = found < 0 ? unreachable<T> : lists.distances_of(v)[i];
        matrix_entry(nearest, v, i) = found < 0 ? no_predecessor<index> : static_cast<index>(found);
      }
    }
    return done;
  }
}

}  // namespace apsp::inline v1::detail
