// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/predecessor_lists.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/result_row.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/request.hpp"
#include "../elimination/calls.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/negative_cycle.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../host/serial_calls.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/planning.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../plan/plan_call.hpp"
#include "../values/not_a_number.hpp"
#include "by_hierarchy.hpp"
#include "host/path_sweeps.hpp"
#include "path_counts.hpp"

// Numbers of shortest paths, and betweenness, from the distances of a batch of sources after the
// other.
namespace apsp::detail {

/// The arcs that may be on shortest paths, and their positions among the arcs of the graph.
template <class T>
struct counted_arcs {
  adjacency<T> arcs;
  std::vector<std::size_t> positions;  ///< Empty if they are not asked for.

  /// Keeps the arcs for which is_kept(number) is true.
  template <class IsKept>
  void filter(IsKept is_kept) {
    std::size_t size = 0;
    std::size_t begin = 0;
    for (std::size_t u = 0; u + 1 < arcs.offsets.size(); ++u) {
      const auto end = static_cast<std::size_t>(arcs.offsets[u + 1]);
      for (std::size_t a = begin; a < end; ++a) {
        if (!is_kept(a)) continue;
        arcs.targets[size] = arcs.targets[a];
        arcs.weights[size] = arcs.weights[a];
        if (!positions.empty()) positions[size] = positions[a];
        ++size;
      }
      begin = end;
      arcs.offsets[u + 1] = static_cast<std::int64_t>(size);
    }
    arcs.targets.resize(size);
    arcs.weights.resize(size);
    if (!positions.empty()) positions.resize(size);
  }
};

/// The positions of the arcs of `make_adjacency` in the order in which the graph passes its arcs.
/// @throws std::invalid_argument if the graph passes other arcs than before, or not @p count.
template <class T, class Graph>
std::vector<std::size_t> positions_of_arcs(const Graph& g, const adjacency<T>& arcs,
                                           std::size_t count) {
  std::vector<std::size_t> positions(arcs.targets.size());
  arc_places places(arcs.offsets);
  std::size_t position = 0;
  read_edges(g, [&](auto u, auto v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    const bool is_loop = static_cast<std::size_t>(u) == static_cast<std::size_t>(v);
    if (!equals_unreachable(weight) && (!is_loop || weight < T{})) {
      positions[places.take(static_cast<std::size_t>(u))] = position;
    }
    ++position;
  });
  places.require_full();
  if (position != count) {
    throw std::invalid_argument(
        "apsp: the graph has another number of arcs when it is read again; arcs and weights must "
        "not change during a call");
  }
  return positions;
}

/// Of parallel arcs one of the least weight is kept.
template <class T>
void merge_parallel_arcs(counted_arcs<T>& counted) {
  const adjacency<T>& arcs = counted.arcs;
  const std::size_t n = arcs.offsets.size() - 1;
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> best(n, none);
  std::vector<char> is_kept(arcs.targets.size(), 0);
  for (std::size_t u = 0; u < n; ++u) {
    const auto for_each_arc = [&](auto f) {
      for (auto a = static_cast<std::size_t>(arcs.offsets[u]);
           a < static_cast<std::size_t>(arcs.offsets[u + 1]); ++a) {
        f(a, best[static_cast<std::size_t>(arcs.targets[a])]);
      }
    };
    for_each_arc([&](std::size_t a, std::size_t& least) {
      if (least == none || arcs.weights[a] < arcs.weights[least]) least = a;
    });
    for_each_arc([&](std::size_t a, std::size_t& least) { is_kept[a] = least == a ? 1 : 0; });
    for_each_arc([&](std::size_t, std::size_t& least) { least = none; });
  }
  counted.filter([&](std::size_t a) { return is_kept[a] != 0; });
}

/// Marks the arcs from each source that are as short as any path between their ends.
template <class T>
class shortest_arcs final : public row_output<T> {
 public:
  /// @param margin  arcs that are longer by at most this are marked as well.
  shortest_arcs(const adjacency_view<T>& arcs, const T& margin, std::vector<char>& is_shortest)
      : row_output<T>(false), arcs_(arcs), margin_(margin), is_shortest_(is_shortest) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }
  void write(std::size_t, std::size_t source, const T* distances, const std::int32_t*) override {
    for (std::size_t a = arcs_.begin(source); a < arcs_.end(source); ++a) {
      const T& there = distances[static_cast<std::size_t>(arcs_.targets[a])];
      bool is_shortest = !equals_unreachable(there);
      if constexpr (std::is_integral_v<T>) {
        is_shortest = is_shortest && arcs_.weights[a] == there;
      } else {
        is_shortest = is_shortest && arcs_.weights[a] - there <= margin_;
      }
      is_shortest_[a] = is_shortest ? 1 : 0;
    }
  }

 private:
  adjacency_view<T> arcs_;
  T margin_;
  std::vector<char>& is_shortest_;
};

/// One call: the distances from a batch of sources by the algorithms for single sources, then the
/// paths from each of them.
template <class T, class Backend>
class centrality_call {
 public:
  /// @param inner_watch  observes the algorithms for single sources.
  centrality_call(const Backend& backend, monitor& inner_watch, const request& wanted,
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

  /// Calls visit(chunk, row, distances, paths) after the paths from source number `row` have been
  /// counted, with a `counted_paths` of any Count. The sources of a chunk come in their order, one
  /// at a time; chunks run on several threads, and do not depend on their number.
  template <class Visit>
  result run(std::size_t num_chunks, Visit visit) {
    monitor& watch = backend_.watch();
    watch.begin(sources_.size());
    result done(backend_.name(), algorithm::dijkstra);
    const std::size_t batch = std::min(batch_size(), sources_.size());
    std::vector<T> memory(batch * n_);
    const arcs_of_paths<T> arcs{counted_.arcs.view(), sources_of(counted_.arcs.view()),
                                graph_.weights.smallest};
    for (std::size_t begin = 0; begin < sources_.size() && done; begin += batch) {
      const auto part = sources_.subspan(begin, std::min(batch, sources_.size() - begin));
      const matrix_view<T> rows(memory.data(), part.size(), n_);
      no_predecessors none;
      matrix_output<const matrix_view<T>, no_predecessors> output(rows, none, n_);
      result solved = solve(part, output);
      if (begin == 0 || !solved || solved.saturated()) std::swap(done, solved);
      if (!done) return done;
      host::parallel_for_with_workspace(
          num_chunks, backend_.host_threads(), [&] { return counted_paths<T>(arcs, tight_); },
          [&](counted_paths<T>& paths, std::size_t chunk) {
            const std::size_t end = (chunk + 1) * part.size() / num_chunks;
            for (std::size_t row = chunk * part.size() / num_chunks; row < end; ++row) {
              if (watch.stop_requested()) return;
              count(chunk, begin + row, rows[row], arcs, paths, visit);
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

  /// Leaves out arcs that are longer than a path between their ends, if they are many: they are
  /// found by the distances from all vertices.
  result drop_longer_arcs() {
    result done(backend_.name(), algorithm::dijkstra);
    const adjacency_view<T> arcs = counted_.arcs.view();
    const bool all_weigh_the_same = !(graph_.weights.smallest < graph_.weights.largest);
    const bool are_few_sources = sources_.size() < n_ / 2;
    if (all_weigh_the_same || are_few_sources || n_ == 0) return done;
    std::vector<char> is_shortest(arcs.num_edges(), 1);
    shortest_arcs<T> output(arcs, margin_of_ties(), is_shortest);
    constexpr std::size_t num_samples = 64;
    std::vector<std::int32_t> list;
    for (std::size_t i = 0; i < std::min(n_, num_samples); ++i) {
      list.push_back(static_cast<std::int32_t>(i * n_ / std::min(n_, num_samples)));
    }
    done = solve(list, output);
    if (!done) return done;
    std::size_t num_arcs = 0;
    std::size_t num_longer = 0;
    for (const std::int32_t v : list) {
      const auto u = static_cast<std::size_t>(v);
      num_arcs += arcs.end(u) - arcs.begin(u);
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) num_longer += is_shortest[a] == 0;
    }
    // The distances take a tenth to a third of the time of the paths.
    if (num_longer * 4 < num_arcs) return done;
    list.resize(n_);
    std::iota(list.begin(), list.end(), 0);
    done = solve(list, output);
    if (done) counted_.filter([&](std::size_t a) { return is_shortest[a] != 0; });
    return done;
  }

 private:
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
  void count(std::size_t chunk, std::size_t row, const T* distances, const arcs_of_paths<T>& arcs,
             counted_paths<T>& paths, Visit visit) {
    const auto source = static_cast<std::size_t>(sources_[row]);
    if (!paths.count(source, distances)) throw_cycle(paths.find_cycle());
    if (paths.are_in_range()) return visit(chunk, row, distances, paths);
    counted_paths<T, large_count> large(arcs, tight_);
    static_cast<void>(large.count(source, distances));
    visit(chunk, row, distances, large);
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

/// What a call observes while it solves for single sources: a stop, but not the progress of parts.
template <class Policy>
observer stop_of(const Policy& policy) {
  observer attached;
  if constexpr (has_observer<Policy>) attached.stop = policy.attached_observer().stop;
  return attached;
}

/// The type in which distances are compared: the digits of `float` do not tell whether lengths of
/// many arcs are equal.
template <class T>
using compared_distance_t = std::conditional_t<std::is_same_v<T, float>, double, T>;

template <class T>
tight_arcs<T> tight_arcs_of(const path_count_options& options) {
  const double tolerance = options.tolerance;
  if (!(tolerance >= 0) || kind_of_float(tolerance) != float_kind::finite) {
    throw std::invalid_argument("apsp: expected a finite tolerance of at least 0, not " +
                                std::to_string(tolerance));
  }
  // Integers are compared exactly.
  return {std::is_floating_point_v<T> ? static_cast<T>(tolerance) : T{}};
}

/// Prepares a hierarchy for the batches of a call, if that is predicted to be faster than searches
/// from all sources.
template <class T>
result prepare_if_faster(const host_backend& backend, const request& wanted,
                         std::span<const std::int32_t> sources, kept_hierarchy<T>& kept) {
  call_facts facts = facts_of(backend.name(), kept.arcs.view().num_vertices(), kept.weights);
  facts.num_sources = sources.size();
  result done(backend.name(), algorithm::elimination);
  if (wanted.cutoff) return done;
  const call_plan plan = plan_with_arcs(facts, kept.arcs, sources,
                                        {backend.host_threads(), &backend.watch()}, kept.tree);
  if (plan.method != algorithm::elimination || kept.tree == nullptr) {
    kept.tree.reset();
    return done;
  }
  return customize(backend, min_plus<T>{},
                   checked_arcs<min_plus<T>>{std::move(kept.arcs), kept.weights}, kept);
}

/// The result of by_sweeps(backend, paths, arcs, counted) for the hierarchy of all shortest paths;
/// nothing if that is not faster than searches from so many sources, or not possible.
/// @param quiet  observes the preparation.
template <class T, class Backend, class Graph, class BySweeps>
std::optional<result> sweep_if_faster(const Backend& backend, [[maybe_unused]] const Graph& g,
                                      const counted_arcs<T>& counted,
                                      const weight_range<T>& weights, const tight_arcs<T>& tight,
                                      std::size_t num_sources, const monitor& quiet,
                                      BySweeps by_sweeps) {
  try {
    const arcs_in_double arcs = in_double(counted.arcs);
    shared_tree tree;
    if constexpr (is_kept_hierarchy<Graph, T>) tree = graph_adaptor_t<Graph>::kept(g).tree;
    auto paths = path_hierarchy_if_faster(std::move(tree), counted.arcs, weights, arcs.view,
                                          static_cast<double>(tight.tolerance), num_sources,
                                          {backend.host_threads(), &quiet});
    if (!paths) return std::nullopt;
    return by_sweeps(backend, *paths, arcs.view, counted);
  } catch (const host::stop_seen&) {
    result done(backend.name(), algorithm::elimination);
    done.set_stopped();
    return done;
  }
}

/// In place of a function: paths are searched.
struct no_sweeps {};

/// Reads the graph, and calls by_sweeps(backend, paths, arcs, counted) with the hierarchy of its
/// shortest paths and its arcs; or if that is not faster or not possible, or returns nothing,
/// f(call, counted) with a `centrality_call` for it.
/// @param num_positions  if the positions of arcs are asked for: how many the graph passes.
template <class T, class Policy, class Graph, class BySweeps, class F>
result with_centrality_call(const Policy& policy, const Graph& g, std::size_t n,
                            std::optional<std::size_t> num_positions,
                            std::span<const std::int32_t> sources,
                            const path_count_options& options, BySweeps by_sweeps, F f) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "apsp: paths are counted by distances of a built-in arithmetic type");
  const tight_arcs<T> tight = tight_arcs_of<T>(options);
  const observer quiet = stop_of(policy);
  return on_backend<T>(policy, [&](const auto& any) {
    const int threads = any.host_threads();
    const auto weights = find_weight_range<T>(g, n, threads);
    const auto backend = any.for_work(static_cast<double>(sources.size()) *
                                      static_cast<double>(n + weights.num_edges));
    monitor inner_watch(quiet);
    kept_hierarchy<T> kept{make_adjacency<T>(g, n, threads), weights};
    counted_arcs<T> counted{kept.arcs, {}};
    if (num_positions) counted.positions = positions_of_arcs(g, kept.arcs, *num_positions);
    if (options.merge_parallel) merge_parallel_arcs(counted);
    request wanted = request_of(policy);
    wanted.chosen_for = sources;
    if constexpr (!std::is_same_v<BySweeps, no_sweeps>) {
      if (!wanted.cutoff && has_lengths_in_double(n, weights, tight.tolerance)) {
        auto done = sweep_if_faster(backend, g, counted, weights, tight, sources.size(),
                                    inner_watch, by_sweeps);
        if (done) return *std::move(done);
      }
    }
    prepared_elimination<T> prepared;
    if (std::is_floating_point_v<T> && tight.tolerance == 0) {
      const bool has_negative = weights.smallest < T{};
      wanted.asked = has_negative ? algorithm::bellman_ford : algorithm::dijkstra;
      if (has_negative) {
        // Batches search only what they reach.
        negative_cycle_search<T> search(n, list_of_arcs(kept.arcs.view()));
        auto found = search.run([&] { return inner_watch.stop_requested(); });
        result done(backend.name(), algorithm::bellman_ford);
        if (inner_watch.stop_requested()) done.set_stopped();
        done.set_negative_cycle(std::move(found.cycle));
        if (!done) return done;
      }
    } else if constexpr (is_kept_hierarchy<Graph, T>) {
      prepared = prepared_from(graph_adaptor_t<Graph>::kept(g));
    } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(any)>, host_backend>) {
      result done = prepare_if_faster(backend.watched_by(inner_watch), wanted, sources, kept);
      if (!done) return done;
      prepared = prepared_from(kept);
    }
    centrality_call<T, std::remove_cvref_t<decltype(backend)>> call(
        backend, inner_watch, wanted, {kept.arcs, weights, prepared}, counted, tight, sources);
    return f(call, counted);
  });
}

template <class Graph>
std::size_t count_arcs(const Graph& g) {
  std::size_t count = 0;
  read_edges(g, [&](const auto&, const auto&, const auto&) { ++count; });
  return count;
}

/// No scores of arcs are wanted.
struct no_arc_scores {};

/// @param scores      a matrix of one row.
/// @param arc_scores  the same, or `no_arc_scores`.
template <class Policy, class Graph, class Sources, class Scores, class ArcScores>
result find_betweenness(const Policy& policy, const Graph& g, Sources& sources, Scores scores,
                        ArcScores arc_scores, const betweenness_options& options) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, Scores, ArcScores>;
  static_assert(in_host_memory, "apsp: betweenness takes a graph and scores in host memory");
  constexpr bool scores_arcs = !std::is_same_v<ArcScores, no_arc_scores>;
  using T = compared_distance_t<weight_type_t<Graph>>;
  if constexpr (in_host_memory) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    require_row(scores, n, "scores");
    check_apart_from_arrays(g, scores, {1, n});
    std::optional<std::size_t> positions_asked;
    if constexpr (scores_arcs) {
      const std::size_t num_positions = count_arcs(g);
      positions_asked = num_positions;
      if (arc_scores.cols() != num_positions) {
        throw std::invalid_argument("apsp: betweenness: the range of scores of arcs has " +
                                    std::to_string(arc_scores.cols()) + " entries, not " +
                                    std::to_string(num_positions) + ", one for each arc");
      }
      check_apart_from_arrays(g, arc_scores, {1, num_positions});
      if (may_overlap(scores, {1, n}, arc_scores, {1, num_positions})) {
        throw std::invalid_argument("apsp: scores of vertices and of arcs must not share memory");
      }
      if (num_positions > (std::numeric_limits<std::uint32_t>::max)()) {
        throw std::length_error("apsp: betweenness: scores of more than 2^32 - 1 arcs");
      }
    }
    const auto put = [&](const counted_arcs<T>& counted, auto sum_of_vertex,
                         [[maybe_unused]] auto sum_of_arc) {
      const double all = static_cast<double>(n);
      const double to_all =
          options.scaled_to_all && !list.empty() ? all / static_cast<double>(list.size()) : 1;
      const auto factor = [&](bool with_ends) {
        const double pairs = with_ends ? all * (all - 1) : (all - 1) * (all - 2);
        if (options.normalized) return pairs > 0 ? to_all / pairs : 0;
        return options.halved ? to_all / 2 : to_all;
      };
      for (std::size_t v = 0; v < n; ++v) {
        matrix_entry(scores, 0, v) =
            static_cast<matrix_value_t<Scores>>(sum_of_vertex(v) * factor(options.endpoints));
      }
      if constexpr (scores_arcs) {
        for (std::size_t i = 0; i < *positions_asked; ++i) matrix_entry(arc_scores, 0, i) = 0;
        for (std::size_t a = 0; a < counted.positions.size(); ++a) {
          matrix_entry(arc_scores, 0, counted.positions[a]) =
              static_cast<matrix_value_t<ArcScores>>(sum_of_arc(a) * factor(true));
        }
      }
    };
    return with_centrality_call<T>(
        policy, g, n, positions_asked, list, {options.tolerance, options.merge_parallel},
        [&](const auto& backend, path_hierarchy& paths, const adjacency_view<double>& arcs,
            const counted_arcs<T>& counted) -> std::optional<result> {
          result done(backend.name(), algorithm::elimination);
          backend.watch().begin(list.size());
          path_shares shares;
          const auto outcome = sweep_shares(backend, paths, list, options.endpoints, shares);
          if (outcome == sweep_outcome::out_of_range) return std::nullopt;
          if (outcome == sweep_outcome::stopped) {
            done.set_stopped();
          } else {
            std::vector<double> of_arcs(scores_arcs ? arcs.num_edges() : 0);
            hand_down_shares(paths, arcs, shares, of_arcs, backend.watch());
            put(
                counted,
                [&](std::size_t v) {
                  return shares.of_places[static_cast<std::size_t>(paths.tree->places[v])];
                },
                [&](std::size_t a) { return of_arcs[a]; });
          }
          return done;
        },
        [&](auto& call, const counted_arcs<T>& counted) {
          result done = call.drop_longer_arcs();
          if (!done) return done;
          const std::size_t num_arcs = scores_arcs ? counted.positions.size() : 0;
          constexpr std::size_t most_sums = std::size_t{1} << 26;
          constexpr std::size_t fewest_chunks = 4;
          constexpr std::size_t most_chunks = 64;
          const std::size_t num_chunks =
              std::clamp(most_sums / (n + num_arcs + 1), fewest_chunks, most_chunks);
          std::vector<path_sums> sums(num_chunks);
          for (path_sums& part : sums) {
            part.of_vertices.resize(n);
            part.of_arcs.resize(num_arcs);
          }
          done = call.run(num_chunks, [&](std::size_t chunk, std::size_t, const T*, auto& paths) {
            paths.add_to(sums[chunk], options.endpoints);
          });
          if (!done) return done;
          const auto total = [&](auto member, std::size_t i) {
            double sum = 0;
            for (const path_sums& part : sums) sum += (part.*member)[i];
            return sum;
          };
          put(
              counted, [&](std::size_t v) { return total(&path_sums::of_vertices, v); },
              [&](std::size_t a) { return total(&path_sums::of_arcs, a); });
          return done;
        });
  }
}

/// Counts as a C: exactly, or rounded to a floating-point type.
template <class C, class Count>
C checked_count(const Count& count, std::size_t source, std::size_t target) {
  const auto value = static_cast<double>(count);
  if constexpr (std::is_floating_point_v<C>) {
    return static_cast<C>(value);
  } else {
    constexpr double first_rounded = 0x1p53;
    if (value < first_rounded && std::in_range<C>(static_cast<std::int64_t>(value))) {
      return static_cast<C>(value);
    }
    throw std::invalid_argument("apsp: count_paths: the number of shortest paths from vertex " +
                                std::to_string(source) + " to vertex " + std::to_string(target) +
                                " does not fit the integers of the result; expected a matrix of "
                                "double");
  }
}

template <class Policy, class Graph, class Sources, class D, class Counts>
result find_path_counts(const Policy& policy, const Graph& g, Sources& sources, D& distances,
                        Counts& counts, const path_count_options& options) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, D, Counts>;
  static_assert(in_host_memory, "apsp: count_paths takes a graph and results in host memory");
  using T = compared_distance_t<matrix_value_t<D>>;
  if constexpr (in_host_memory) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    no_predecessors none;
    check_matrices(g, distances, none, list.size(), n);
    require_shape(counts, list.size(), n, "the matrix of counts");
    check_apart_from_arrays(g, counts, {list.size(), n});
    if (may_overlap(counts, {list.size(), n}, distances, {list.size(), n})) {
      throw std::invalid_argument("apsp: distances and counts must not share memory");
    }
    std::mutex mutex;
    const auto put = [&](std::size_t row, std::size_t v, bool has_path, const auto& length,
                         const auto& count) {
      using length_type = matrix_value_t<D>;
      using compared = std::remove_cvref_t<decltype(length)>;
      const bool fits =
          has_path && !(static_cast<compared>(value_limits<length_type>::largest) < length);
      matrix_entry(distances, row, v) =
          fits ? static_cast<length_type>(length) : unreachable<length_type>;
      matrix_entry(counts, row, v) =
          checked_count<matrix_value_t<Counts>>(count, static_cast<std::size_t>(list[row]), v);
    };
    constexpr bool writes_at_once =
        can_be_written_by_threads<Counts> && can_be_written_by_threads<D>;
    return with_centrality_call<T>(
        policy, g, n, std::nullopt, list, options,
        [&](const auto& backend, path_hierarchy& paths, const adjacency_view<double>&,
            const counted_arcs<T>&) -> std::optional<result> {
          result done(backend.name(), algorithm::elimination);
          backend.watch().begin(list.size());
          const auto outcome = host::sweep_counts(
              paths, list, writes_at_once ? backend.host_threads() : 1, backend.watch(),
              [&](std::size_t row, std::size_t v, double length, double count) {
                put(row, v, !equals_unreachable(length), length, count);
              });
          if (outcome == sweep_outcome::out_of_range) return std::nullopt;
          if (outcome == sweep_outcome::stopped) done.set_stopped();
          return done;
        },
        [&](auto& call, const counted_arcs<T>&) {
          constexpr std::size_t num_chunks = 64;
          return call.run(
              num_chunks, [&](std::size_t, std::size_t row, const T* lengths, const auto& paths) {
                const auto put_row = [&] {
                  for (std::size_t v = 0; v < n; ++v) {
                    put(row, v, !equals_unreachable(lengths[v]), lengths[v], paths.count_of(v));
                  }
                };
                if constexpr (writes_at_once) {
                  put_row();
                } else {
                  const std::lock_guard lock(mutex);
                  put_row();
                }
              });
        });
  }
}

/// The predecessors on the paths of a `counted_paths`, each once.
/// @param is_left_out  `is_left_out(v)`: vertex v has none.
template <class Paths, class IsLeftOut>
predecessor_lists list_predecessors(const Paths& paths, std::size_t source, std::size_t n,
                                    IsLeftOut is_left_out) {
  predecessor_lists lists;
  lists.source = source;
  // Parallel arcs come one after the other.
  std::vector<std::size_t> last(n);
  const auto for_each_predecessor = [&](auto f) {
    std::fill(last.begin(), last.end(), n);
    paths.for_each_arc([&](std::size_t u, std::size_t v) {
      if (std::exchange(last[v], u) != u && !is_left_out(v)) f(u, v);
    });
  };
  // Entry v + 2 counts the predecessors of v, and entry v + 1 is then where its next one goes.
  lists.offsets.resize(n + 2);
  for_each_predecessor([&](std::size_t, std::size_t v) { ++lists.offsets[v + 2]; });
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  lists.predecessors.resize(static_cast<std::size_t>(lists.offsets.back()));
  for_each_predecessor([&](std::size_t u, std::size_t v) {
    const auto place = static_cast<std::size_t>(lists.offsets[v + 1]++);
    lists.predecessors[place] = static_cast<std::int32_t>(u);
  });
  lists.offsets.pop_back();
  return lists;
}

/// True if an F takes the predecessors of a source whose distances are of type D.
template <class F, class D>
concept tight_function =
    std::invocable<F&, std::size_t, std::size_t, std::span<const D>, const predecessor_lists_view&>;

/// Passes distances of type D and all predecessors to a function.
template <class D, class Policy, class Graph, class Sources, class F>
result pass_tight_predecessors(const Policy& policy, const Graph& g, Sources& sources, F& f,
                               const path_count_options& options) {
  constexpr bool in_host_memory = !device_resident<Graph>;
  static_assert(in_host_memory, "apsp: tight_predecessors takes a graph in host memory");
  constexpr bool is_callable = tight_function<F, D>;
  static_assert(is_callable,
                "apsp: tight_predecessors: the function cannot be called as f(row, source, "
                "distances, predecessors), where row and source are std::size_t, distances is a "
                "std::span<const Distance>, by default of the type of the weights, and "
                "predecessors is an apsp::predecessor_lists_view");
  using T = compared_distance_t<D>;
  if constexpr (in_host_memory && is_callable) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    serial_calls calls;
    return with_centrality_call<T>(
        policy, g, n, std::nullopt, list, options, no_sweeps{},
        [&](auto& call, const counted_arcs<T>&) {
          constexpr std::size_t num_chunks = 64;
          return call.run(num_chunks, [&](std::size_t, std::size_t row, const T* lengths,
                                          const auto& paths) {
            const auto source = static_cast<std::size_t>(list[row]);
            // Those that do not fit are unreachable.
            std::vector<D> converted;
            std::span<const D> distances;
            if constexpr (std::is_same_v<D, T>) {
              distances = {lengths, n};
            } else {
              converted.resize(n);
              std::transform(lengths, lengths + n, converted.begin(), [](const T& d) {
                const bool fits = !(static_cast<T>(value_limits<D>::largest) < d);
                return fits ? static_cast<D>(d) : unreachable<D>;
              });
              distances = converted;
            }
            const predecessor_lists lists = list_predecessors(
                paths, source, n, [&](std::size_t v) { return equals_unreachable(distances[v]); });
            calls.run([&] { f(row, source, distances, lists.view()); });
          });
        });
  }
}

}  // namespace apsp::detail
