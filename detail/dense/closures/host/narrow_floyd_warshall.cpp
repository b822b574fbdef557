// SPDX-License-Identifier: BSL-1.0
#include "narrow_floyd_warshall.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../host/instruction_set.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../per_source/search/host/dijkstra.hpp"
#include "../../../plan/rates.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/weight_types.hpp"
#include "../../proofs/host/distance_bound.hpp"

namespace apsp::inline v1::detail::host {

namespace {

/// Limits of the search for a bound of the distances.
struct search_tuning {
  /// One pass over the matrix takes as long as about 11 pivots of a solve of floats (n = 1024, one
  /// core of a Xeon with AVX-512), so a search without success takes 4 % of a call.
  std::size_t vertices_per_pass = 256;
  std::size_t least_passes = 4;
  /// Several roots, because a root may be a vertex that few others can reach.
  std::size_t roots = 3;
};
constexpr search_tuning searching{};

/// Bounds the distances of a matrix of which nothing is known, as the search on a device does: over
/// a vertex h, the root, a path from u to v has a length of at most d(u, h) + d(h, v). A shortest
/// path to a vertex that h does not reach passes no vertex that h reaches, so it has fewer arcs
/// than there are such vertices. The same holds for a path from a vertex that does not reach h.
template <class T>
class short_distances {
 public:
  short_distances(const closure_problem<min_plus<T>>& problem, int threads)
      : problem_(problem), n_(problem.num_vertices), threads_(threads) {}

  /// True if every weight is a whole number that is not negative, and no distance is longer than
  /// @p longest. It may also be false if the search would take too long.
  bool are_within(root_length longest, const monitor& watch) {
    const std::size_t most_passes =
        std::max(searching.least_passes, n_ / searching.vertices_per_pass);
    std::size_t passes = 0;
    for (std::size_t h = 0; h < searching.roots; ++h) {
      const std::size_t root = n_ / searching.roots * h;
      lengths_.from.assign(n_, no_length);
      lengths_.to.assign(n_, no_length);
      lengths_.from[root] = lengths_.to[root] = 0;
      findings found;
      do {
        if (passes == most_passes || watch.stop_requested()) return false;
        found = relax_all();
        if (!found.are_whole) return false;
        if (passes++ == 0 && found.num_arcs < n_ * n_ / dense_from_part) {
          return arcs_are_within(longest, watch);
        }
        if (!found.reached_more && bound(found) <= longest) return true;
      } while (found.shortened);
    }
    return false;
  }

 private:
  struct hub_lengths {
    std::vector<root_length> from;
    std::vector<root_length> to;
  };
  struct findings {
    bool are_whole = true;  ///< No weight is negative or has a fraction.
    bool shortened = false;
    bool reached_more = false;
    root_length heaviest = 0;
    std::size_t num_arcs = 0;
  };

  /// Relaxes the arcs of the vertices from @p first to @p end.
  findings relax_rows(std::size_t first, std::size_t end, hub_lengths& own) const {
    const auto relax_row = choose_narrow_kernels<T>().relax_row;
    findings found;
    for (std::size_t u = first; u < end && found.are_whole; ++u) {
      const root_length from_root = own.from[u] < no_length ? cut(own.from[u]) : no_length;
      const row_findings in_row = relax_row(problem_.distances[u], n_, problem_.zero, from_root,
                                            own.from.data(), own.to.data());
      found.are_whole &= in_row.are_whole;
      found.heaviest = std::max(found.heaviest, in_row.heaviest);
      found.num_arcs += static_cast<std::size_t>(in_row.num_arcs);
      if (in_row.onwards < no_length) own.to[u] = std::min(own.to[u], cut(in_row.onwards));
    }
    return found;
  }
  static root_length cut(root_length given) { return std::min(given, long_length); }

  /// One pass over the matrix. Every thread has its own rows and lengths, which are merged.
  findings relax_all() {
    const auto num_parts =
        std::min(n_, static_cast<std::size_t>(std::max(1, thread_count(threads_))));
    std::vector<std::pair<hub_lengths, findings>> parts(num_parts);
    parallel_for(
        num_parts, threads_,
        [&](std::size_t p) {
          auto& [own, found] = parts[p];
          own = lengths_;
          found = relax_rows(n_ * p / num_parts, n_ * (p + 1) / num_parts, own);
        },
        1);
    findings all;
    for (const auto& part : parts) {
      all.are_whole &= part.second.are_whole;
      all.heaviest = std::max(all.heaviest, part.second.heaviest);
      all.num_arcs += part.second.num_arcs;
    }
    for (const auto which : {&hub_lengths::from, &hub_lengths::to}) {
      for (std::size_t v = 0; v < n_; ++v) {
        root_length& entry = (lengths_.*which)[v];
        root_length shortest = entry;
        for (const auto& part : parts) shortest = std::min(shortest, (part.first.*which)[v]);
        all.shortened |= shortest < entry;
        all.reached_more |= shortest < entry && entry == no_length;
        entry = shortest;
      }
    }
    return all;
  }

  /// The bound, once no more vertices are reached.
  std::int64_t bound(const findings& found) const {
    std::int64_t over_root = 0;
    std::int64_t most_left_out = 0;
    for (const auto which : {&hub_lengths::from, &hub_lengths::to}) {
      std::int64_t farthest = 0;
      std::int64_t left_out = 0;
      for (const root_length reached : lengths_.*which) {
        if (reached == no_length) {
          ++left_out;
        } else {
          farthest = std::max<std::int64_t>(farthest, reached);
        }
      }
      over_root += farthest;
      most_left_out = std::max(most_left_out, left_out);
    }
    return std::max(over_root, most_left_out * found.heaviest);
  }

  /// The same as `are_within` for a sparse graph of whole numbers, of which paths may have many
  /// arcs: its arcs are searched.
  bool arcs_are_within(root_length longest, const monitor& watch) const {
    const T no_arc = problem_.zero;
    const root_length unreachable = longest + 1;
    const auto weight_of = [&](T entry) {
      return entry < static_cast<T>(unreachable) ? static_cast<root_length>(entry) : unreachable;
    };
    adjacency<root_length> arcs;
    arcs.offsets.assign(n_ + 1, 0);
    parallel_for(n_, threads_, [&](std::size_t u) {
      const T* const row = problem_.distances[u];
      for (std::size_t v = 0; v < n_; ++v) arcs.offsets[u + 1] += row[v] < no_arc ? 1 : 0;
    });
    for (std::size_t u = 0; u < n_; ++u) {
      // A given entry of the diagonal is a distance by itself.
      const T loop = problem_.distances[u][u];
      if (loop < no_arc && weight_of(loop) == unreachable) return false;
      arcs.offsets[u + 1] += arcs.offsets[u];
    }
    arcs.targets.resize(static_cast<std::size_t>(arcs.offsets[n_]));
    arcs.weights.resize(arcs.targets.size());
    parallel_for(n_, threads_, [&](std::size_t u) {
      const T* const row = problem_.distances[u];
      auto position = static_cast<std::size_t>(arcs.offsets[u]);
      for (std::size_t v = 0; v < n_; ++v) {
        if (!(row[v] < no_arc)) continue;
        arcs.targets[position] = static_cast<std::int32_t>(v);
        arcs.weights[position++] = weight_of(row[v]);
      }
    });
    return bound_distances(arcs.view(), unreachable, watch).has_value();
  }

  const closure_problem<min_plus<T>>& problem_;
  std::size_t n_;
  int threads_;
  hub_lengths lengths_;
};

}  // namespace

template <class T>
narrow_floyd_warshall<T>::narrow_floyd_warshall(const closure_problem<min_plus<T>>& problem,
                                                int threads)
    : problem_(problem),
      threads_(threads),
      rows_(problem.num_vertices),
      narrow_problem_{{},
                      problem.num_vertices,
                      problem.longest_path,
                      rows_.data(),
                      nullptr,
                      unreachable_half,
                      0,
                      problem.may_use_symmetry},
      tiles_(narrow_problem_, threads) {
  static_assert(sizeof(half_length) <= sizeof(T) && alignof(half_length) <= alignof(T));
}

template <class T>
bool narrow_floyd_warshall<T>::pays(std::size_t num_vertices) {
  return num_vertices >= fewest_relaxed_in_16_bits && are_16_bits_faster();
}

template <class T>
bool narrow_floyd_warshall<T>::are_short(const closure_problem<min_plus<T>>& problem, int threads,
                                         const monitor& watch) {
  try {
    return short_distances<T>(problem, threads).are_within(unreachable_half - 1, watch);
  } catch (const std::bad_alloc&) {
    // Results may already be overwritten, and the relaxation has its memory.
    return false;
  }
}

template <class T>
std::optional<bool> narrow_floyd_warshall<T>::solve(monitor& watch) {
  if (!are_short(problem_, threads_, watch)) return std::nullopt;
  const std::size_t n = problem_.num_vertices;
  const narrow_kernels<T>& loops = choose_narrow_kernels<T>();
  parallel_for(n, threads_, [&](std::size_t u) {
    loops.narrow_row(problem_.distances[u], n, unreachable_half);
    rows_[u] = std::launder(reinterpret_cast<half_length*>(problem_.distances[u]));
  });
  const bool finished = tiles_.solve(watch);
  parallel_for(n, threads_, [&](std::size_t u) {
    loops.widen_row(problem_.distances[u], n, unreachable_half, problem_.zero);
  });
  return finished;
}

#define APSP_INSTANTIATE(T) template class narrow_floyd_warshall<T>;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::host
