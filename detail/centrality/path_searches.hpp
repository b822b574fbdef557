// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/request.hpp"
#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/call.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../tiles/host/narrow_kernel.hpp"
#include "../values/distance_code.hpp"
#include "counted_arcs.hpp"
#include "counted_paths.hpp"
#include "cuda/path_tiles.hpp"
#include "host/path_batches.hpp"
#include "lane_types.hpp"
#include "large_count.hpp"
#include "longer_arcs.hpp"
#include "path_hierarchy.hpp"
#include "path_sums.hpp"
#include "sorted_arcs.hpp"
#include "tight_arcs.hpp"

// Searches from the sources of a call, and the paths from each of them: on a device, in lanes, or
// from rows of distances.
namespace apsp::inline v1::detail {

/// The searches of one call.
template <class T, class Backend>
class path_searches {
 public:
  /// @param inner_watch  observes the algorithms for single sources.
  path_searches(const Backend& backend, monitor& inner_watch, const request& wanted,
                const searched_graph<T>& searched, counted_arcs<T>& counted,
                const tight_arcs<T>& tight, std::span<const std::int32_t> sources)
      : backend_(backend),
        inner_watch_(inner_watch),
        wanted_(wanted),
        graph_(searched),
        counted_(counted),
        tight_(tight),
        sources_(sources),
        n_(counted.arcs.offsets.size() - 1) {}

  /// Calls visit(chunk, row, get_distances, paths) after the paths from source number `row` have
  /// been counted, with `paths_along_arcs` of any Count. The sources of a chunk come one at a time,
  /// in an order that does not depend on the number of threads, nor do chunks, which run on several
  /// threads. get_distances() returns the distances from the source.
  template <class Visit>
  result run(std::size_t num_chunks, Visit visit) {
    return run(num_chunks, visit, [](auto&&...) { return host::lane_bits{0}; });
  }
  /// @param add_together  add_together(chunk, batches, batch, lane, workspace) returns the lanes of
  ///                      `lanes_together` that it took, which are not visited.
  template <class Visit, class AddTogether>
  result run(std::size_t num_chunks, Visit visit, AddTogether add_together) {
    backend_.watch().begin(sources_.size());
    std::vector<std::size_t> left(sources_.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    if constexpr (std::is_same_v<Backend, host_backend>) {
      result done = run_in_lanes(num_chunks, left, visit, add_together);
      if (!done || left.empty()) return done;
    }
    return run_by_rows(num_chunks, left, visit);
  }

  /// Adds up the shares of shortest paths that lead through each vertex and arc.
  /// @param with_ends  paths lead through their ends as well.
  /// @param sums       receives the sums; those of arcs if it has entries for them.
  result add_shares(bool with_ends, path_sums& sums) {
    if constexpr (std::is_same_v<Backend, cuda_backend>) {
      const auto done = search_on_device([&](const auto& search) {
        return cuda::search_shares(backend_.target(), search, with_ends, backend_.watch(), sums);
      });
      if (done) return *done;
    }
    constexpr std::size_t most_sums = std::size_t{1} << 26;
    constexpr std::size_t fewest_chunks = 4;
    constexpr std::size_t most_chunks = 64;
    const std::size_t num_arcs = sums.of_arcs.size();
    std::vector<path_sums> parts(
        std::clamp(most_sums / (n_ + num_arcs + 1), fewest_chunks, most_chunks));
    for (path_sums& part : parts) {
      part.of_vertices.resize(n_);
      part.of_arcs.resize(num_arcs);
    }
    const auto add = [&](std::size_t chunk, std::size_t, auto, auto& paths) {
      paths.add_to(parts[chunk], with_ends);
    };
    const auto add_together = [&](std::size_t chunk, const auto& batches, std::size_t batch,
                                  std::size_t lane, auto& workspace) {
      return batches.add_shares(batch, lane, with_ends, workspace, parts[chunk]);
    };
    result done = run(parts.size(), add, add_together);
    for (const path_sums& part : parts) {
      for (std::size_t v = 0; v < n_; ++v) sums.of_vertices[v] += part.of_vertices[v];
      for (std::size_t a = 0; a < num_arcs; ++a) sums.of_arcs[a] += part.of_arcs[a];
    }
    return done;
  }

  /// Searches on a device, and calls take(tiles, tile) for each of the `cuda::found_tiles`, from
  /// several threads if these are more than one.
  /// @return nothing if that is not possible, or probably slower.
  template <class Take>
  std::optional<result> find_on_device([[maybe_unused]] cuda::path_values wanted,
                                       [[maybe_unused]] int threads, [[maybe_unused]] Take take) {
    if constexpr (std::is_same_v<Backend, cuda_backend>) {
      // Rows of distances come from sweeps sooner.
      if (wanted == cuda::path_values::arcs && is_prepared()) return std::nullopt;
      return search_on_device([&]<class C>(const cuda::counted_search<C>& search) {
        const auto take_all = [&](const cuda::found_tiles<C>& tiles) {
          host::parallel_for(
              tiles.num_tiles(), threads, [&](std::size_t tile) { take(tiles, tile); }, 1);
        };
        return cuda::search_paths<C>(backend_.target(), search, wanted, backend_.watch(), take_all);
      });
    }
    return std::nullopt;
  }

  /// Leaves out arcs that are longer than a path between their ends, if there are many sources.
  void drop_longer_arcs() {
    const bool all_weigh_the_same = !(graph_.weights.smallest < graph_.weights.largest);
    // The hubs take as long as some tens of sources, and so do short searches.
    constexpr std::size_t fewest_sources = 256;
    const bool is_possible = !wanted_.cutoff && !(graph_.weights.smallest < T{});
    if (!is_possible || all_weigh_the_same || sources_.size() < fewest_sources) return;
    if (drop_arcs_beside_hubs()) return;
    constexpr std::size_t most_settled = 32;
    const std::size_t num_settled = std::min(sources_.size() / most_settled, most_settled);
    const auto is_longer = find_longer_arcs(counted_.arcs.view(), margin_of_ties(), num_settled,
                                            backend_.host_threads(), inner_watch_);
    counted_.filter([&](std::size_t a) { return is_longer[a] == 0; });
  }

 private:
  /// True if distances are found by sweeps over a hierarchy.
  bool is_prepared() const {
    return graph_.prepared.tree != nullptr || graph_.prepared.graph != nullptr;
  }

  /// The paths from the rows of distances of a batch of sources after the other.
  /// @param numbers  of the sources.
  template <class Visit>
  result run_by_rows(std::size_t num_chunks, const std::vector<std::size_t>& numbers, Visit visit) {
    monitor& watch = backend_.watch();
    result done(backend_.name(), algorithm::dijkstra);
    const std::size_t batch = std::min(batch_size(), numbers.size());
    std::vector<T> memory(batch * n_);
    std::vector<std::int32_t> list;
    const arcs_of_paths<T> arcs{counted_.arcs.view(), sources_of(counted_.arcs.view()),
                                graph_.weights.smallest};
    for (std::size_t begin = 0; begin < numbers.size() && done; begin += batch) {
      const auto part = std::span(numbers).subspan(begin, std::min(batch, numbers.size() - begin));
      list.clear();
      for (const std::size_t i : part) list.push_back(sources_[i]);
      const matrix_view<T> rows(memory.data(), part.size(), n_);
      no_predecessors none;
      matrix_output<const matrix_view<T>, no_predecessors> output(rows, none, n_);
      result solved = solve(list, output);
      if (begin == 0 || !solved || solved.saturated()) std::swap(done, solved);
      if (!done) return done;
      host::parallel_for_with_workspace(
          num_chunks, backend_.host_threads(), [&] { return counted_paths<T>(arcs, tight_); },
          [&](counted_paths<T>& paths, std::size_t chunk) {
            const std::size_t end = (chunk + 1) * part.size() / num_chunks;
            for (std::size_t i = chunk * part.size() / num_chunks; i < end; ++i) {
              if (watch.stop_requested()) return;
              count(chunk, part[i], rows[i], paths, visit);
            }
          });
      if (watch.stop_requested()) {
        done.set_stopped();
        return done;
      }
      watch.advance(part.size());
    }
    return done;
  }

  /// The result of search(counted_search) with the arcs in the type of a device's searches, or
  /// nothing if it is not possible.
  template <class Search>
  std::optional<result> search_on_device(Search search) {
    constexpr std::size_t fewest_sources = 64;
    if (wanted_.cutoff || sources_.size() < fewest_sources) return std::nullopt;
    const lane_types<T> types(n_, graph_.weights, counted_.arcs.weights, tight_.tolerance);
    const auto search_in = [&]<class C>(C tolerance) {
      const std::vector<C> weights = weights_in<C>();
      backend_.watch().begin(sources_.size());
      return search(cuda::counted_search<C>{counted_.arcs.view_with(weights), tolerance, sources_});
    };
    auto outcome = sweep_outcome::not_possible;
    if (types.fit_in_32_bits()) {
      outcome = search_in(std::int32_t{0});
    } else if (types.fit_in_double()) {
      outcome = search_in(static_cast<double>(tight_.tolerance));
    }
    if (outcome == sweep_outcome::not_possible) return std::nullopt;
    result done(backend_.name(), algorithm::bellman_ford);
    if (outcome == sweep_outcome::stopped) done.set_stopped();
    return done;
  }

  /// The paths from searches in lanes, if these are possible and probably faster.
  /// @param left  the numbers of sources; those that were searched are removed.
  template <class Visit, class AddTogether>
  result run_in_lanes(std::size_t num_chunks, std::vector<std::size_t>& left, Visit visit,
                      AddTogether add_together) {
    constexpr std::size_t fewest_sources = 16;
    constexpr std::size_t fewest_in_short_lanes = 4096;  // Several batches for each thread.
    result done(backend_.name(), algorithm::bellman_ford);
    if (wanted_.cutoff || is_prepared() || left.size() < fewest_sources) return done;
    const lane_types<T> types(n_, graph_.weights, counted_.arcs.weights, tight_.tolerance);
    if (types.are_short() && host::are_16_bits_faster() && left.size() >= fewest_in_short_lanes) {
      search_in_lanes<std::uint16_t>(num_chunks, left, visit, add_together);
    }
    if (types.fit_in_32_bits()) {
      search_in_lanes<std::int32_t>(num_chunks, left, visit, add_together);
    } else if (types.fit_in_double()) {
      search_in_lanes<double>(num_chunks, left, visit, add_together);
    }
    if (backend_.watch().stop_requested()) done.set_stopped();
    return done;
  }
  template <class C, class Visit, class AddTogether>
  void search_in_lanes(std::size_t num_chunks, std::vector<std::size_t>& left, Visit visit,
                       AddTogether add_together) {
    monitor& watch = backend_.watch();
    if (left.empty() || watch.stop_requested()) return;
    std::vector<std::int32_t> list;
    for (const std::size_t i : left) list.push_back(sources_[i]);
    const std::vector<C> weights = weights_in<C>();
    const C tolerance = std::is_integral_v<C> ? C{} : static_cast<C>(tight_.tolerance);
    const auto batches =
        host::make_path_batches<C>({counted_.arcs.view_with(weights), tolerance, list}, watch);
    if (!batches) return;
    struct workspace {
      typename host::path_batches<C>::workspace search;
      sorted_arcs<distance_key<C>> arcs;
      paths_along_arcs<distance_key<C>> paths;
      std::vector<T> row;
    };
    // The choice of lanes does not depend on the number of threads, so that no sum does.
    const auto num_threads = static_cast<std::size_t>(host::thread_count(backend_.host_threads()));
    const auto threads = static_cast<int>(std::min(num_threads, batches->most_workspaces()));
    std::vector<std::vector<std::size_t>> still_left(num_chunks);
    host::parallel_for_with_workspace(
        num_chunks, threads,
        [&] {
          return workspace{typename host::path_batches<C>::workspace(*batches),
                           {},
                           paths_along_arcs<distance_key<C>>(n_),
                           {}};
        },
        [&](workspace& mine, std::size_t chunk) {
          const std::size_t end = (chunk + 1) * batches->size() / num_chunks;
          for (std::size_t b = chunk * batches->size() / num_chunks; b < end; ++b) {
            const auto numbers = batches->numbers_of(b);
            const auto outcome = batches->search(b, mine.search, watch);
            if (outcome == host::path_batches<C>::outcome::stopped) return;
            if (outcome == host::path_batches<C>::outcome::not_possible) {
              for (const std::size_t i : numbers) still_left[chunk].push_back(left[i]);
              continue;
            }
            host::lane_bits added = 0;
            for (std::size_t lane = 0; lane < numbers.size(); ++lane) {
              if (watch.stop_requested()) return;
              const std::size_t together = lane % batches->lanes_together();
              if (together == 0) added = add_together(chunk, *batches, b, lane, mine.search);
              if ((added >> together & 1U) != 0) continue;
              count_listed(chunk, left[numbers[lane]], batches->arcs_of(lane, mine.search), mine,
                           visit);
            }
            watch.advance(numbers.size());
          }
        });
    left.clear();
    for (const auto& part : still_left) left.insert(left.end(), part.begin(), part.end());
  }
  template <class C, class Workspace, class Visit>
  void count_listed(std::size_t chunk, std::size_t row, const host::listed_arcs<C>& listed,
                    Workspace& mine, Visit visit) {
    const auto source = static_cast<std::size_t>(sources_[row]);
    mine.arcs.clear();
    for (std::size_t i = 0; i < listed.count; ++i) {
      const std::int32_t to = listed.arcs.to[i];
      mine.arcs.append(
          {key_of_distance(listed.distances[to]), listed.arcs.from[i], to, listed.arcs.numbers[i]});
    }
    mine.arcs.sort();
    mine.paths.count(source, mine.arcs);
    const auto get_distances = [&]() -> const T* {
      if constexpr (std::is_same_v<C, T>) {
        return listed.distances;
      } else {
        mine.row.resize(n_);
        std::transform(listed.distances, listed.distances + n_, mine.row.begin(), [](const C& d) {
          return d == no_path<C>() ? unreachable<T> : static_cast<T>(d);
        });
        return mine.row.data();
      }
    };
    pass(mine.paths, source, mine.arcs,
         [&](auto& counted) { visit(chunk, row, get_distances, counted); });
  }
  template <class C>
  std::vector<C> weights_in() const {
    const std::vector<T>& weights = counted_.arcs.weights;
    std::vector<C> converted(weights.size());
    std::transform(weights.begin(), weights.end(), converted.begin(),
                   [](const T& w) { return static_cast<C>(w); });
    return converted;
  }

  /// Leaves out arcs that are longer than a path through a hub. Returns false if these are not
  /// searched.
  bool drop_arcs_beside_hubs() {
    const lane_types<T> types(n_, graph_.weights, counted_.arcs.weights, tight_.tolerance);
    if (types.fit_in_32_bits()) return drop_arcs_beside_hubs_in<std::int32_t>();
    return types.fit_in_double() && drop_arcs_beside_hubs_in<double>();
  }
  template <class C>
  bool drop_arcs_beside_hubs_in() {
    const std::vector<C> weights = weights_in<C>();
    const auto is_bypassed = host::find_bypassed_in_lanes<C>(counted_.arcs.view_with(weights),
                                                             static_cast<C>(tight_.tolerance),
                                                             backend_.host_threads(), inner_watch_);
    if (is_bypassed.empty()) return false;
    counted_.filter([&](std::size_t a) { return is_bypassed[a] == 0; });
    return true;
  }

  /// Lengths of paths that tie differ by less than this.
  T margin_of_ties() const {
    if constexpr (std::is_integral_v<T>) {
      return T{};
    } else {
      const auto count = static_cast<T>(n_);
      const T rounding = count * std::numeric_limits<T>::epsilon();
      const T heaviest = std::max(graph_.weights.largest, -graph_.weights.smallest);
      return (tight_.tolerance + rounding) * count * heaviest;
    }
  }
  /// Rows of so many sources are kept at a time.
  std::size_t batch_size() const {
    constexpr std::size_t most_bytes = std::size_t{1} << 28;
    constexpr std::size_t fewest = 64;
    constexpr std::size_t most = 4096;
    return std::clamp(most_bytes / (sizeof(T) * std::max<std::size_t>(n_, 1)), fewest, most);
  }

  result solve(std::span<const std::int32_t> list, row_output<T>& output) {
    return run_per_source(backend_.watched_by(inner_watch_), wanted_, graph_, list, output);
  }

  template <class Visit>
  void count(std::size_t chunk, std::size_t row, const T* distances, counted_paths<T>& paths,
             Visit visit) {
    const auto source = static_cast<std::size_t>(sources_[row]);
    if (!paths.count(source, distances)) throw_cycle(paths.find_cycle());
    pass(paths.paths(), source, paths.arcs(), [&](auto& counted) {
      visit(
          chunk, row, [&] { return distances; }, counted);
    });
  }

  /// Passes on counted paths, or the same with counts that are in range.
  template <class Key, class F>
  void pass(paths_along_arcs<Key>& paths, std::size_t source, const sorted_arcs<Key>& arcs, F f) {
    if (paths.are_in_range()) return f(paths);
    paths_along_arcs<Key, large_count> large(n_);
    large.count(source, arcs);
    f(large);
  }

  [[noreturn]] static void throw_cycle(const std::vector<std::int32_t>& cycle) {
    if (cycle.size() == 1) {
      throw std::invalid_argument("apsp: rounding hides the weights of the arcs to vertex " +
                                  std::to_string(cycle.front()) +
                                  ", so that none of them is on a shortest path; expected a type "
                                  "of more digits");
    }
    constexpr std::size_t most = 10;
    std::string names;
    for (std::size_t i = 0; i < std::min(most, cycle.size()); ++i) {
      names += std::to_string(cycle[i]) + " -> ";
    }
    if (cycle.size() > most) names += "... -> ";
    throw std::invalid_argument(
        "apsp: expected no cycle of length 0, or so short that rounding hides it, along which "
        "there are infinitely many shortest paths, got " +
        names + std::to_string(cycle.front()));
  }

  Backend backend_;
  monitor& inner_watch_;
  request wanted_;
  searched_graph<T> graph_;
  counted_arcs<T>& counted_;
  tight_arcs<T> tight_;
  std::span<const std::int32_t> sources_;
  std::size_t n_;
};

}  // namespace apsp::inline v1::detail
