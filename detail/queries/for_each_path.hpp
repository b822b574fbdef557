// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/path.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/request.hpp"
#include "../elimination/calls.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../graph/sources.hpp"
#include "../host/parallel_for.hpp"
#include "../host/serial_calls.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../per_source/sweep/host/path_search.hpp"
#include "distances_of_pairs.hpp"
#include "vertex_places.hpp"

// Shortest paths between the vertices of pairs.
namespace apsp::inline v1::detail {

/// True if an F takes the paths of pairs whose distances are of type T.
template <class F, class T>
concept path_function = std::invocable<F&, std::size_t, const T&, std::span<const std::int32_t>>;

/// Passes the paths of pairs to a function, from the rows of their distinct sources.
template <class T, class F>
class paths_output final : public row_output<T> {
 public:
  paths_output(F& f, const grouped_pairs& wanted, std::size_t num_vertices)
      : row_output<T>(true),
        f_(f),
        sources_(wanted.sources),
        ends_(wanted.pairs.targets),
        num_vertices_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t* predecessors) override {
    std::vector<std::int32_t> path;
    for (const std::size_t k : sources_.places_of(row)) {
      const auto end = static_cast<std::size_t>(ends_[k]);
      path.clear();
      if (end == source || (predecessors[end] >= 0 && !equals_unreachable(distances[end]))) {
        const auto vertices =
            walk_back([&](std::size_t v) { return predecessors[v]; }, num_vertices_, source, end);
        for (const std::size_t v : vertices) path.push_back(static_cast<std::int32_t>(v));
      }
      calls_.run([&] { f_(k, distances[end], std::span<const std::int32_t>(path)); });
    }
  }

 private:
  F& f_;
  const vertex_places& sources_;
  std::span<const std::int32_t> ends_;
  std::size_t num_vertices_;
  serial_calls calls_;
};

/// Pairs that a thread takes at once.
inline constexpr std::size_t paths_together = 16;

/// Passes the paths of pairs, whose distances are known, to a function.
template <class T, class C, class F>
void search_paths(const host_backend& backend, const coded_hierarchy<C>& made,
                  const adjacency_view<T>& arcs, const host::vertex_pairs& pairs,
                  const std::vector<T>& distances, F& f) {
  serial_calls calls;
  const std::size_t count = distances.size();
  host::parallel_for_with_workspace(
      (count + paths_together - 1) / paths_together, backend.host_threads(),
      [&] { return host::path_search<T, C>(made.graph, made.code, arcs); },
      [&](host::path_search<T, C>& search, std::size_t block) {
        if (backend.watch().stop_requested()) return;
        const std::size_t begin = block * paths_together;
        const std::size_t end = std::min(count, begin + paths_together);
        for (std::size_t k = begin; k < end; ++k) {
          std::span<const std::int32_t> path;
          if (!equals_unreachable(distances[k])) {
            path = search.find(pairs.sources[k], pairs.targets[k]);
          }
          calls.run([&] { f(k, distances[k], path); });
        }
      });
}

/// Passes the paths of pairs of a hierarchy; nothing is done if its climbs may mislead, or if rows
/// are predicted to take less time.
template <class T, class F>
std::optional<result> search_paths(const host_backend& backend, const kept_hierarchy<T>& kept,
                                   const host::vertex_pairs& pairs, const request& asked, F& f) {
  // A row with predecessors takes the time of 3 without.
  constexpr double climbs_of_path = 12;
  constexpr double climbs_of_each = climbs_of_path / 3;
  if (!prefers_climbs(kept, pairs, climbs_of_each)) return std::nullopt;
  std::vector<T> found(pairs.sources.size());
  matrix_view<T> distances(found.data(), 1, found.size());
  auto done = climb_for_pairs(backend, min_plus<T>{}, kept, pairs, asked.cutoff, distances);
  if (!done || done->stopped()) return done;
  std::visit(
      [&](const auto& made) {
        search_paths(backend.for_work(climbs_of_path * climbs_time(made.graph, pairs)), made,
                     kept.arcs.view(), pairs, found, f);
      },
      *kept.graph);
  if (backend.watch().stop_requested()) done->set_stopped();
  return done;
}

template <class T, class Policy, class Graph, class Sources, class Targets, class F, class S>
result pass_paths(const Policy& policy, const Graph& g, Sources& sources, Targets& targets, F& f,
                  const S& semiring) {
  constexpr bool in_host_memory = !device_resident<Graph>;
  static_assert(in_host_memory, "apsp: for_each_path takes a graph in host memory");
  constexpr bool is_callable = path_function<F, T>;
  static_assert(is_callable,
                "apsp: for_each_path: the function cannot be called as f(pair, distance, path), "
                "where pair is a std::size_t, distance is a Distance, by default of the type of "
                "the weights, and path is a std::span<const std::int32_t>");
  if constexpr (in_host_memory && is_callable && has_paths_of<T, S>()) {
    const std::size_t n = check_graph<T>(g);
    const auto from = list_sources(g, n, sources);
    const auto to = list_sources(g, n, targets, "target");
    if (from.size() != to.size()) {
      throw std::invalid_argument("apsp::for_each_path: expected as many targets as sources, got " +
                                  std::to_string(from.size()) + " sources and " +
                                  std::to_string(to.size()) + " targets");
    }
    const host::vertex_pairs pairs{from, to};
    const request asked = request_of(policy);
    if constexpr (is_kept_hierarchy<Graph, T, S> && is_min_plus<S> && !is_cuda_policy<Policy>) {
      std::optional<result> done;
      result reported = on_backend<T>(policy, [&](const host_backend& backend) {
        done = search_paths(backend, graph_adaptor_t<Graph>::kept(g), pairs, asked, f);
        return done ? *done : result(backend.name(), algorithm::elimination);
      });
      if (done) return reported;
    }
    const grouped_pairs wanted(pairs, n);
    paths_output<T, F> output(f, wanted, n);
    if constexpr (is_min_plus<S>) {
      return per_source(policy, asked, g, wanted.sources.vertices(), output);
    } else {
      return semiring_per_source(policy, asked, g, wanted.sources.vertices(), semiring, output);
    }
  }
}

}  // namespace apsp::inline v1::detail
