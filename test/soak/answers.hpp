// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/result.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/allocations.hpp"
#include "../common/graphs.hpp"

// Expected results of a graph, computed by relaxing arcs in types that can represent all sums.
namespace apsp_soak {

using namespace apsp_test;

__extension__ typedef __int128 wide;
/// A type that can represent all sums of weights. Weights of floating-point graphs are small
/// integers.
template <class T>
using exact_t = std::conditional_t<std::is_integral_v<T>, wide, double>;

struct mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Checks of the results of a call begin here. They must not lack memory.
inline void require(bool holds, const char* what) {
  allocations::stop_failing();
  if (!holds) throw mismatch(what);
}

template <class Where>
void require_at(bool holds, const char* what, Where u, Where v) {
  if (!holds) {
    throw mismatch(std::string(what) + " at (" + std::to_string(u) + ", " + std::to_string(v) +
                   ")");
  }
}

/// The best path from one vertex to another: its length, and the fewest edges of such paths.
template <class T>
struct best_path {
  bool exists = false;
  exact_t<T> length{};
  std::int64_t hops = 0;
  bool operator<(const best_path& other) const {
    return length < other.length || (length == other.length && hops < other.hops);
  }
};

/// A graph and its expected results.
template <class T>
struct solved_graph {
  arc_list<T> arcs;
  std::vector<std::size_t> sources;  ///< some vertices, with duplicates
  apsp::matrix<best_path<T>> best;   ///< unspecified in rows that reach a negative cycle
  std::vector<char> reaches_negative_cycle;
  apsp::matrix<T>
      lightest;  ///< weight of the lightest arc between two vertices; `unreachable` without an arc
  bool has_negative_weight = false;
  bool has_negative_cycle = false;

  explicit solved_graph(arc_list<T> given)
      : arcs(std::move(given)),
        best(arcs.n),
        reaches_negative_cycle(arcs.n, 0),
        lightest(arcs.n, arcs.n, apsp::unreachable<T>) {
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      T& entry = lightest[source(k)][target(k)];
      entry = std::min(entry, arcs.weights[k]);
      has_negative_weight = has_negative_weight || arcs.weights[k] < T{};
    }
    for (std::size_t s = 0; s < arcs.n; ++s) {
      best[s][s].exists = true;
      bool changes = true;
      // Without a negative cycle the last round changes nothing.
      for (std::size_t round = 0; changes && round <= arcs.n; ++round) changes = relax(best[s]);
      reaches_negative_cycle[s] = changes;
      has_negative_cycle = has_negative_cycle || changes;
    }
  }

  std::size_t source(std::size_t k) const { return static_cast<std::size_t>(arcs.sources[k]); }
  std::size_t target(std::size_t k) const { return static_cast<std::size_t>(arcs.targets[k]); }

 private:
  bool relax(best_path<T>* row) const {
    bool changes = false;
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      const best_path<T>& from = row[source(k)];
      if (!from.exists || arcs.weights[k] == apsp::unreachable<T>) continue;
      const best_path<T> candidate{true, from.length + arcs.weights[k], from.hops + 1};
      best_path<T>& to = row[target(k)];
      if (to.exists && !(candidate < to)) continue;
      to = candidate;
      changes = true;
    }
    return changes;
  }
};

/// @return the distance in T; sets @p cut if it does not fit.
template <class T>
T in_type(const best_path<T>& path, bool& cut) {
  if (!path.exists) return apsp::unreachable<T>;
  if constexpr (std::is_integral_v<T>) {
    if (path.length >= wide(apsp::unreachable<T>)) {
      cut = true;
      return apsp::unreachable<T>;
    }
    if (path.length < wide(std::numeric_limits<T>::lowest())) {
      cut = true;
      return std::numeric_limits<T>::lowest();
    }
  }
  return static_cast<T>(path.length);
}

template <class T>
void check_cycle(const solved_graph<T>& g, const std::vector<std::size_t>& walk) {
  require(walk.size() >= 2 && walk.front() == walk.back(), "the negative cycle is not closed");
  exact_t<T> length{};
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    require(walk[i] < g.arcs.n && walk[i + 1] < g.arcs.n, "the negative cycle leaves the vertices");
    const T w = g.lightest[walk[i]][walk[i + 1]];
    require(w != apsp::unreachable<T>, "the negative cycle runs along no arc");
    length += w;
  }
  require(length < 0, "the negative cycle is not negative");
}

using hops_matrix = apsp::matrix<std::int32_t>;

/// Checks that row i is a tree of shortest paths from source i. Vertices whose distance is cut may
/// have no predecessor.
template <class T>
void check_tree(const solved_graph<T>& g, std::size_t i, std::size_t s, const hops_matrix& before,
                bool fewest) {
  const std::size_t n = g.arcs.n;
  const best_path<T>* const row = g.best[s];
  const auto is_cut = [&](std::size_t v) {
    bool cut = false;
    in_type(row[v], cut);
    return cut;
  };
  for (std::size_t v = 0; v < n; ++v) {
    const std::int32_t p = before[i][v];
    if (v == s || !row[v].exists) {
      require_at(p == -1, "a root has a predecessor", i, v);
      continue;
    }
    if (p == -1) {
      require_at(is_cut(v), "no predecessor", i, v);
      continue;
    }
    require_at(p >= 0 && static_cast<std::size_t>(p) < n, "the predecessor is no vertex", i, v);
    const auto u = static_cast<std::size_t>(p);
    const T w = g.lightest[u][v];
    require_at(w != apsp::unreachable<T> && row[u].exists && row[u].length + w == row[v].length,
               "the predecessor is on no shortest path", i, v);
    std::int64_t hops = 1;
    for (std::size_t x = u; x != s; ++hops) {
      require_at(hops <= static_cast<std::int64_t>(n), "the predecessors run in a circle", i, v);
      if (before[i][x] == -1) break;  // cut, and checked above
      x = static_cast<std::size_t>(before[i][x]);
    }
    require_at(!fewest || is_cut(v) || hops == row[v].hops, "there is a path of fewer edges", i, v);
  }
}

/// Whether negative cycles are searched in the whole graph, or only where the sources lead.
enum class looks { everywhere, ahead };

template <class T>
bool must_name_cycle(const solved_graph<T>& g, const std::vector<std::size_t>& sources,
                     looks where) {
  if (where == looks::everywhere) return g.has_negative_cycle;
  return std::any_of(sources.begin(), sources.end(),
                     [&](std::size_t s) { return g.reaches_negative_cycle[s] != 0; });
}

/// @param before  the predecessors, or null.
template <class T>
void check_rows(const solved_graph<T>& g, const std::vector<std::size_t>& sources, looks where,
                const apsp::result& done, const apsp::matrix<T>& distances,
                const hops_matrix* before, bool fewest = false) {
  allocations::stop_failing();
  if (must_name_cycle(g, sources, where)) {
    require(!done, "a negative cycle is not noticed");
    return check_cycle(g, done.negative_cycle());
  }
  require(bool(done), "there is no negative cycle");
  bool cut = false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::size_t s = sources[i];
    for (std::size_t v = 0; v < g.arcs.n; ++v) {
      if (distances[i][v] != in_type(g.best[s][v], cut)) {
        std::ostringstream text;
        text << "distance (" << s << ", " << v << ") is " << distances[i][v] << ", not "
             << in_type(g.best[s][v], cut);
        throw mismatch(text.str());
      }
    }
    if (before != nullptr) check_tree(g, i, s, *before, fewest);
  }
  require(done.saturated() == cut, cut ? "it is not saturated" : "it is saturated");
}

}  // namespace apsp_soak
