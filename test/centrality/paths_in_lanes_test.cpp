// SPDX-License-Identifier: BSL-1.0
// Paths that are counted by searches from many sources at once, one in each lane: the searches and
// the loops for their arcs, compared to all arcs one after the other; the arcs that are dropped
// before, compared to all distances; and calls, compared to sums over all pairs of the shares of
// counted paths, to Brandes's algorithm with integers, and to Boost's. Graphs for each type of
// lanes, and those whose sources are left to other lanes or to searches from one source alone.
#define BOOST_TEST_MODULE paths_in_lanes
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/algorithm.hpp>
#include <apsp/betweenness.hpp>
#include <apsp/betweenness_options.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/predecessor_lists.hpp>
#include <apsp/result.hpp>
#include <apsp/stop_token.hpp>
#include <apsp/tight_predecessors.hpp>
#include <apsp/unreachable.hpp>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <detail/call/backend.hpp>
#include <detail/call/request.hpp>
#include <detail/centrality/counted_arcs.hpp>
#include <detail/centrality/counted_paths.hpp>
#include <detail/centrality/host/path_batches.hpp>
#include <detail/centrality/host/tight_lane_kernel.hpp>
#include <detail/centrality/lane_types.hpp>
#include <detail/centrality/longer_arcs.hpp>
#include <detail/centrality/path_searches.hpp>
#include <detail/centrality/tight_arcs.hpp>
#include <detail/centrality/tight_predecessors.hpp>
#include <detail/graph/adjacency.hpp>
#include <detail/graph/edges.hpp>
#include <detail/graph/hubs.hpp>
#include <detail/host/monitor.hpp>
#include <detail/tiles/host/narrow_kernel.hpp>
#include <detail/values/weight.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "expected_paths.hpp"

using namespace apsp_test;
namespace detail = apsp::detail;

namespace apsp {
// For messages of Boost.Test.
static std::ostream& boost_test_print_type(std::ostream& out, algorithm a) {
  return out << to_string(a);
}
}  // namespace apsp

namespace {

/// Weights of the graphs, of which the weights of other types are multiples.
using number = std::int64_t;
using vertices = std::vector<std::int32_t>;

constexpr auto in_lanes = apsp::algorithm::bellman_ford;
constexpr auto by_rows = apsp::algorithm::dijkstra;
constexpr double default_tolerance = apsp::betweenness_options{}.tolerance;
constexpr std::size_t fewest_in_short_lanes = 4096;

// --- Graphs --------------------------------------------------------------------------------------

/// The weights times @p scale.
template <class T>
arc_list<T> scaled(const arc_list<number>& g, double scale) {
  arc_list<T> made{g.n, g.sources, g.targets, {}};
  for (const number w : g.weights) {
    made.weights.push_back(w == apsp::unreachable<number>
                               ? apsp::unreachable<T>
                               : static_cast<T>(static_cast<double>(w) * scale));
  }
  return made;
}

/// A random graph with parallel arcs, self-loops, arcs that are none, and vertices that some do not
/// reach.
/// @param most  weights are 1 to this.
arc_list<number> some_graph(std::size_t n, number most, random_numbers& random) {
  arc_list<number> g{n, {}, {}, {}};
  // Lanes need arcs.
  if (n > 1) g.add(0, 1, random(1, most));
  for (std::size_t k = random.index(4 * n + 1); k > 0; --k) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    const number w = random(1, most);
    g.add(u, v, w);
    if (random.chance(0.1)) g.add(u, v, w);
    if (random.chance(0.1)) g.add(v, u, w);
    if (random.chance(0.05)) g.add(u, v, apsp::unreachable<number>);
  }
  return g;
}

/// Some of the vertices, several times.
list random_sources(std::size_t n, std::size_t count, random_numbers& random) {
  list sources;
  for (std::size_t k = 0; k < count; ++k) sources.push_back(random.index(n));
  return sources;
}

/// Each new vertex has arcs in both directions to some of the ends of earlier arcs.
arc_list<number> preferential_graph(std::size_t n, std::size_t degree, number most,
                                    std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<number> g{n, {}, {}, {}};
  std::vector<std::size_t> ends{0};
  for (std::size_t v = 1; v < n; ++v) {
    for (std::size_t k = 0; k < std::min(degree, v); ++k) {
      const std::size_t u = ends[random.index(ends.size())];
      if (u == v) continue;
      g.add(u, v, random(1, most));
      g.add(v, u, random(1, most));
      ends.push_back(u);
      ends.push_back(v);
    }
  }
  return g;
}

arc_list<number> rmat(std::size_t n, std::size_t degree, std::int32_t most, std::uint64_t seed) {
  return to_arcs<number>(rmat_graph<std::int32_t>(n, degree, most, seed));
}
arc_list<number> random_degrees(std::size_t n, std::size_t degree, std::int32_t most,
                                std::uint64_t seed) {
  return to_arcs<number>(fixed_degree_graph<std::int32_t>(n, degree, most, seed));
}

/// A path over n vertices on which passes get two arcs further each, and a last vertex that reads
/// all others in each of them: passes read arcs much more often than a queue does.
arc_list<number> slow_path(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  const auto way = zigzag(n);
  arc_list<number> g{n + 1, {}, {}, {}};
  for (std::size_t i = 0; i + 1 < n; ++i) g.add(way[i], way[i + 1], random(1, 9));
  for (std::size_t v = 0; v < n; ++v) g.add(v, n, random(1, 4000));
  for (std::size_t v = 0; v < n; ++v) g.add(n, v, 8000);
  return g;
}

/// Both graphs, without arcs between them.
arc_list<number> side_by_side(arc_list<number> g, const arc_list<number>& other) {
  for (std::size_t k = 0; k < other.size(); ++k) {
    g.add(g.n + other.from(k), g.n + other.to(k), other.weights[k]);
  }
  g.n += other.n;
  return g;
}

// --- Expected paths ------------------------------------------------------------------------------

/// The paths from one source, from distances by the algorithm of Bellman and Ford with a queue.
/// Counts and shares are of Brandes's algorithm, in a type of a large range.
template <class L>
class paths_from {
 public:
  /// @param g          of weights above 0.
  /// @param tolerance  of ties, relative to the larger distance.
  paths_from(const arc_list<L>& g, std::size_t source, double tolerance = 0)
      : g_(g), source_(source), tolerance_(tolerance), distances_(g.n), counts_(g.n, 0) {
    find_distances();
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (is_tight(k)) tight_.push_back(k);
    }
    std::stable_sort(tight_.begin(), tight_.end(), [&](std::size_t a, std::size_t b) {
      return *distances_[g.to(a)] < *distances_[g.to(b)];
    });
    counts_[source] = 1;
    for (const std::size_t k : tight_) counts_[g.to(k)] += counts_[g.from(k)];
  }

  const std::optional<L>& distance(std::size_t v) const { return distances_[v]; }
  long double count(std::size_t v) const { return counts_[v]; }
  /// Numbers of arcs on shortest paths, by the distances of their targets.
  const std::vector<std::size_t>& tight() const { return tight_; }

  /// The vertices before each one, ascending, each once.
  std::vector<vertices> predecessors() const {
    std::vector<vertices> before(g_.n);
    for (const std::size_t k : tight_) before[g_.to(k)].push_back(g_.sources[k]);
    for (vertices& list : before) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return before;
  }

  /// @param scale  how often the source counts.
  void add_shares(double scale, std::vector<double>& of_vertices,
                  std::vector<double>& of_arcs) const {
    std::vector<long double> share(g_.n, 0);
    for (std::size_t i = tight_.size(); i-- > 0;) {
      const std::size_t k = tight_[i];
      const std::size_t u = g_.from(k);
      const std::size_t v = g_.to(k);
      const long double part = counts_[u] / counts_[v] * (1 + share[v]);
      share[u] += part;
      of_arcs[k] += scale * static_cast<double>(part);
    }
    for (std::size_t v = 0; v < g_.n; ++v) {
      if (v != source_) of_vertices[v] += scale * static_cast<double>(share[v]);
    }
  }

 private:
  bool is_arc(std::size_t k) const {
    return g_.weights[k] != apsp::unreachable<L> && g_.from(k) != g_.to(k);
  }
  void find_distances() {
    std::vector<std::vector<std::size_t>> out(g_.n);
    for (std::size_t k = 0; k < g_.size(); ++k) {
      if (is_arc(k)) out[g_.from(k)].push_back(k);
    }
    distances_[source_] = L{};
    std::deque<std::size_t> queue{source_};
    std::vector<char> is_queued(g_.n, 0);
    while (!queue.empty()) {
      const std::size_t u = queue.front();
      queue.pop_front();
      is_queued[u] = 0;
      for (const std::size_t k : out[u]) {
        const std::size_t v = g_.to(k);
        const L length = *distances_[u] + g_.weights[k];
        if (distances_[v] && !(length < *distances_[v])) continue;
        distances_[v] = length;
        if (is_queued[v] == 0) queue.push_back(v);
        is_queued[v] = 1;
      }
    }
  }
  bool is_tight(std::size_t k) const {
    if (!is_arc(k) || !distances_[g_.from(k)]) return false;
    const L here = *distances_[g_.from(k)];
    const L there = *distances_[g_.to(k)];
    const L length = here + g_.weights[k];
    if constexpr (std::is_integral_v<L>) {
      return length == there;
    } else {
      return here < there && length - there <= static_cast<L>(tolerance_) * there;
    }
  }

  const arc_list<L>& g_;
  std::size_t source_;
  double tolerance_;
  std::vector<std::optional<L>> distances_;
  std::vector<long double> counts_;
  std::vector<std::size_t> tight_;
};

/// The paths from the vertices that are asked for.
template <class L>
class paths_of {
 public:
  /// @param g  lives as long as the paths.
  explicit paths_of(const arc_list<L>& g, double tolerance = 0)
      : g_(g), tolerance_(tolerance), paths_(g.n) {}
  const paths_from<L>& operator[](std::size_t s) const {
    if (!paths_[s]) paths_[s].emplace(g_, s, tolerance_);
    return *paths_[s];
  }

 private:
  const arc_list<L>& g_;
  double tolerance_;
  mutable std::vector<std::optional<paths_from<L>>> paths_;
};

/// True if a T that a call wrote is @p expected times @p scale, but for the rounding of sums.
template <class T, class L>
bool is_length(const T& got, const std::optional<L>& expected, double scale) {
  if (!expected) return got == apsp::unreachable<T>;
  if constexpr (std::is_integral_v<T>) {
    return static_cast<double>(got) == static_cast<double>(*expected) * scale;
  } else {
    const double length = static_cast<double>(*expected) * scale;
    const double rounding = std::is_same_v<T, float> ? 1e-6 : 1e-13;
    return std::abs(static_cast<double>(got) - length) <= rounding * std::abs(length);
  }
}
/// Numbers that a double holds are exact, and larger ones are rounded, or infinite.
bool is_count(double got, long double expected) {
  if (expected <= 0x1p53L) return got == static_cast<double>(expected);
  if (expected > std::numeric_limits<double>::max()) return std::isinf(got);
  return std::abs(got - static_cast<double>(expected)) <= 1e-10 * got;
}

// --- The library's searches ----------------------------------------------------------------------

struct settings {
  apsp::betweenness_options options;
  int threads = 1;
  bool drops = false;  ///< Arcs that are longer than a path are dropped, as for betweenness.
  std::optional<long double> cutoff = std::nullopt;
};

/// What the library's searches without hierarchies found.
template <class D>
struct found_paths {
  apsp::result done;
  std::size_t num_arcs;       ///< That may be on shortest paths.
  std::size_t num_kept_arcs;  ///< Those that were not dropped.
  std::vector<std::vector<D>> lengths;
  std::vector<std::vector<double>> counts;
  std::vector<apsp::predecessor_lists> predecessors;
  detail::path_sums sums;  ///< Of arcs in the order of the graph.
};

/// Makes the calls for searches that `betweenness` makes where it has no hierarchy. If sources are
/// left to searches by rows, the algorithm is `by_rows`.
template <class T, class D = detail::compared_distance_t<T>>
found_paths<D> search(const arc_list<T>& g, const list& sources, const settings& chosen = {}) {
  const auto view = g.view();
  detail::monitor watch{apsp::unobserved{}};
  detail::monitor inner_watch{apsp::unobserved{}};
  const auto weights = detail::find_weight_range<D>(view, g.n, chosen.threads);
  const auto arcs = detail::make_adjacency<D>(view, g.n, chosen.threads);
  detail::counted_arcs<D> counted{arcs, detail::positions_of_arcs(view, arcs, g.size())};
  if (chosen.options.merge_parallel) detail::merge_parallel_arcs(counted);
  const vertices numbers(sources.begin(), sources.end());
  const detail::request wanted{.asked = by_rows, .cutoff = chosen.cutoff};
  const detail::tight_arcs<D> tight =
      detail::tight_arcs_of<D>({chosen.options.tolerance, chosen.options.merge_parallel});
  detail::path_searches<D, detail::host_backend> call(
      detail::host_backend(apsp::backend::omp, chosen.threads, watch), inner_watch, wanted,
      {arcs, weights}, counted, tight, numbers);
  found_paths<D> found{apsp::result(apsp::backend::omp, by_rows),
                       counted.positions.size(),
                       0,
                       std::vector<std::vector<D>>(sources.size()),
                       std::vector<std::vector<double>>(sources.size()),
                       std::vector<apsp::predecessor_lists>(sources.size()),
                       {std::vector<double>(g.n), std::vector<double>(g.size())}};
  if (chosen.drops) call.drop_longer_arcs();
  found.num_kept_arcs = counted.positions.size();
  constexpr std::size_t num_chunks = 5;
  std::vector<detail::path_sums> sums(
      num_chunks, {std::vector<double>(g.n), std::vector<double>(found.num_kept_arcs)});
  found.done = call.run(num_chunks,
                        [&](std::size_t chunk, std::size_t row, auto get_distances, auto& paths) {
                          const D* const lengths = get_distances();
                          found.lengths[row].assign(lengths, lengths + g.n);
                          for (std::size_t v = 0; v < g.n; ++v) {
                            found.counts[row].push_back(static_cast<double>(paths.count_of(v)));
                          }
                          found.predecessors[row] = detail::list_predecessors(
                              paths, sources[row], g.n,
                              [&](std::size_t v) { return lengths[v] == apsp::unreachable<D>; });
                          paths.add_to(sums[chunk], chosen.options.endpoints);
                        });
  for (const detail::path_sums& part : sums) {
    for (std::size_t v = 0; v < g.n; ++v) found.sums.of_vertices[v] += part.of_vertices[v];
    for (std::size_t a = 0; a < part.of_arcs.size(); ++a) {
      found.sums.of_arcs[counted.positions[a]] += part.of_arcs[a];
    }
  }
  return found;
}

template <class D, class L>
void check_predecessors(const found_paths<D>& found, const list& sources, const arc_list<L>& g,
                        const paths_of<L>& expected) {
  std::vector<std::vector<vertices>> before(g.n);
  for (const std::size_t s : sources) {
    if (before[s].empty()) before[s] = expected[s].predecessors();
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto lists = found.predecessors[i].view();
    for (std::size_t v = 0; v < g.n; ++v) {
      const vertices& right = before[sources[i]][v];
      if (std::equal(lists[v].begin(), lists[v].end(), right.begin(), right.end())) continue;
      BOOST_ERROR("row " << i << ": wrong predecessors of " << v);
      return;
    }
  }
}

/// Checks what was found by the expected paths from all vertices.
template <class D, class L>
void check_found(const found_paths<D>& found, const list& sources, double scale,
                 const arc_list<L>& g, const paths_of<L>& expected) {
  BOOST_REQUIRE(found.done);
  std::vector<double> times(g.n, 0);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::size_t s = sources[i];
    times[s] += 1;
    BOOST_REQUIRE_EQUAL(found.lengths[i].size(), g.n);
    for (std::size_t v = 0; v < g.n; ++v) {
      const auto& length = expected[s].distance(v);
      const long double count = expected[s].count(v);
      if (is_length(found.lengths[i][v], length, scale) && is_count(found.counts[i][v], count)) {
        continue;
      }
      BOOST_ERROR("row " << i << ", from " << s << " to " << v << ": " << found.counts[i][v]
                         << " paths of length " << found.lengths[i][v] << ", not " << count
                         << " of length " << (length ? static_cast<double>(*length) * scale : -1));
      return;
    }
  }
  std::vector<double> of_vertices(g.n, 0);
  std::vector<double> of_arcs(g.size(), 0);
  for (std::size_t s = 0; s < g.n; ++s) {
    if (times[s] > 0) expected[s].add_shares(times[s], of_vertices, of_arcs);
  }
  check_scores(found.sums.of_vertices, of_vertices, "vertex", 1e-10);
  check_scores(found.sums.of_arcs, of_arcs, "arc", 1e-10);
  check_predecessors(found, sources, g, expected);
}
template <class D, class L>
void check_found(const found_paths<D>& found, const list& sources, double scale,
                 const arc_list<L>& g, double tolerance = 0) {
  check_found(found, sources, scale, g, paths_of<L>(g, tolerance));
}

/// Checks searches with the weights of a graph times a number.
/// @param expected_way  the algorithm; nothing if it may be any.
template <class T>
void check_search(const arc_list<number>& g, double scale, const list& sources,
                  std::optional<apsp::algorithm> expected_way, settings chosen = {}) {
  const auto weighted = scaled<T>(g, scale);
  const paths_of expected(g);
  for (const bool drops : {false, true}) {
    chosen.drops = drops;
    const auto found = search(weighted, sources, chosen);
    if (expected_way) BOOST_CHECK_EQUAL(found.done.algorithm(), *expected_way);
    check_found(found, sources, scale, g, expected);
  }
}

/// The types of weights, and what whole numbers are multiplied by for them.
template <class T>
struct scales {
  static std::vector<double> all() {
    if (std::is_integral_v<T>) return {1};
    // Whole numbers, exact fractions, and lengths that are equal but for their rounding; those of
    // float differ by more than lengths that tie.
    if (std::is_same_v<T, float>) return {1, 0.25};
    return {1, 0.25, 0.1};
  }
};
#ifdef APSP_LONG_TESTS
using all_types = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t, float, double>;
#else
using all_types = std::tuple<std::uint8_t, std::int32_t, std::int64_t, float, double>;
#endif

// --- Public calls --------------------------------------------------------------------------------

/// The vertices before each one on paths from a source, ascending, each once.
std::vector<vertices> predecessors_in(const arc_list<number>& g, const all_paths<number>& paths,
                                      std::size_t source) {
  std::vector<vertices> before(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto& here = paths.distance(source, g.from(k));
    const auto& there = paths.distance(source, g.to(k));
    const bool is_arc = g.weights[k] != apsp::unreachable<number> && g.from(k) != g.to(k);
    if (!is_arc || !here || !there || *here + g.weights[k] != *there) continue;
    before[g.to(k)].push_back(g.sources[k]);
  }
  for (vertices& list : before) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return before;
}

/// Checks all calls from some sources of a small graph.
/// @param uses_lanes  whether all of them search in lanes; nothing if it may be either.
template <class T, class Policy>
void check_calls(const Policy& policy, const arc_list<number>& g, double scale, const list& sources,
                 unsigned bits, std::optional<bool> uses_lanes,
                 double tolerance = default_tolerance) {
  std::optional<number> limit;
  if (std::is_integral_v<T>) limit = static_cast<number>(apsp::unreachable<T> - 1);
  auto options = some_options(bits);
  options.tolerance = tolerance;
  const apsp::path_count_options of_counts{tolerance, options.merge_parallel};
  const all_paths<number> paths(g, options.merge_parallel, limit);
  const auto weighted = scaled<T>(g, scale);
  const auto view = weighted.view();

  const auto of_vertices = paths.vertex_scores(sources, options);
  std::vector<double> scores(g.n, nothing);
  std::vector<double> beside(g.n, nothing);
  std::vector<double> of_arcs(g.size(), nothing);
  const auto alone = apsp::betweenness(policy, view, sources, scores, options);
  const auto both = apsp::betweenness(policy, view, sources, beside, of_arcs, options);
  BOOST_REQUIRE(alone);
  BOOST_REQUIRE(both);
  check_scores(scores, of_vertices, "vertex");
  check_scores(beside, of_vertices, "vertex");
  check_scores(of_arcs, paths.arc_scores(sources, options), "arc");

  apsp::matrix<T> distances(sources.size(), g.n);
  apsp::matrix<std::int64_t> counts(sources.size(), g.n);
  const auto counted = apsp::count_paths(policy, view, sources, distances, counts, of_counts);
  BOOST_REQUIRE(counted);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t v = 0; v < g.n; ++v) {
      BOOST_REQUIRE(is_length(distances[i][v], paths.distance(sources[i], v), scale));
      BOOST_REQUIRE_EQUAL(counts[i][v], static_cast<std::int64_t>(paths.count(sources[i], v)));
    }
  }

  std::vector<std::vector<vertices>> right_before(g.n);
  for (const std::size_t s : sources) {
    if (right_before[s].empty()) right_before[s] = predecessors_in(g, paths, s);
  }
  std::vector<int> num_passed(sources.size(), 0);
  bool are_right = true;
  const auto take = [&](std::size_t row, std::size_t source, std::span<const T> lengths,
                        const apsp::predecessor_lists_view& lists) {
    ++num_passed[row];
    are_right = are_right && source == sources[row];
    for (std::size_t v = 0; v < g.n; ++v) {
      const auto& d = paths.distance(source, v);
      are_right = are_right && is_length(lengths[v], d, scale);
      const vertices& before = right_before[source][v];
      are_right =
          are_right && std::equal(lists[v].begin(), lists[v].end(), before.begin(), before.end());
    }
  };
  const auto listed = apsp::tight_predecessors<T>(policy, view, sources, take, of_counts);
  BOOST_REQUIRE(listed);
  BOOST_CHECK(are_right);
  BOOST_CHECK(num_passed == std::vector<int>(sources.size(), 1));

  for (const apsp::result* done : {&alone, &both, &counted, &listed}) {
    if (uses_lanes) BOOST_CHECK_EQUAL(done->algorithm() == in_lanes, *uses_lanes);
  }
}

}  // namespace

// --- Loops ---------------------------------------------------------------------------------------

using lane_values = std::tuple<std::uint16_t, std::int32_t, double>;

BOOST_AUTO_TEST_CASE_TEMPLATE(loops_list_the_arcs_on_shortest_paths_of_each_lane, C, lane_values) {
  // Of the instruction set that APSP_INSTRUCTION_SET selects.
  const auto& kernels = detail::host::choose_tight_lane_kernels<C>();
  BOOST_REQUIRE_GE(kernels.num_lanes, 16u);
  BOOST_REQUIRE_LE(kernels.num_lanes, 32u);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed);
      const std::size_t n = 1 + random.index(30);
      const std::size_t stride = kernels.num_lanes * (1 + random.index(3));
      const std::size_t first = stride - kernels.num_lanes;
      const C none = std::is_same_v<C, double> ? std::numeric_limits<C>::infinity() : C{50000};
      const double tolerance = std::is_same_v<C, double> && seed % 2 == 1 ? 1e-3 : 0;
      // Also distances from which an arc leads to the first one that is none.
      std::vector<C> distances(n * stride);
      for (C& d : distances) {
        d = random.chance(0.2) ? none : static_cast<C>(random(seed % 3 == 0 ? 49990 : 0, 49999));
        if (random.chance(seed % 3 == 0 ? 0.3 : 0.8)) d = static_cast<C>(random(0, 3));
        if (tolerance > 0 && random.chance(0.3)) d = static_cast<C>(d * (1 + 0.0007));
      }
      std::vector<std::int64_t> offsets{0};
      vertices from;
      std::vector<C> weights;
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t k = random.index(7); k > 0; --k) {
          from.push_back(static_cast<std::int32_t>(random.index(n)));
          weights.push_back(static_cast<C>(random(1, random.chance(0.9) ? 3 : 9000)));
        }
        offsets.push_back(static_cast<std::int64_t>(from.size()));
      }
      const std::size_t m = from.size();
      std::vector<std::uint32_t> numbers(m);
      std::iota(numbers.begin(), numbers.end(), 7U);
      std::reverse(numbers.begin(), numbers.end());
      vertices list_from(m + 16), list_to(m + 16), to(m + 16), selected_from(m + 16);
      std::vector<std::uint32_t> list_numbers(m + 16), selected_numbers(m + 16);
      std::vector<detail::host::lane_bits> bits(m + 16);
      std::vector<std::uint32_t> begins(n + 1);
      const detail::host::tight_arc_lists lists{begins.data(), list_from.data(), list_to.data(),
                                                list_numbers.data(), bits.data()};
      const std::size_t count =
          kernels.find({n, offsets.data(), from.data(), weights.data(), numbers.data(),
                        distances.data() + first, stride, none, static_cast<C>(tolerance)},
                       lists);
      BOOST_REQUIRE_LE(count, m);
      BOOST_REQUIRE_EQUAL(begins[n], count);
      for (std::size_t i = 0; i < count; ++i) {
        BOOST_REQUIRE_NE(bits[i], 0u);
        const auto v = static_cast<std::size_t>(list_to[i]);
        BOOST_REQUIRE(begins[v] <= i && i < begins[v + 1]);
      }
      for (std::size_t lane = 0; lane < kernels.num_lanes; ++lane) {
        const std::size_t num_selected = kernels.select(
            lists, count, lane, {selected_from.data(), to.data(), selected_numbers.data()});
        std::size_t i = 0;
        for (std::size_t v = 0; v < n; ++v) {
          const C there = distances[v * stride + first + lane];
          for (auto a = static_cast<std::size_t>(offsets[v]);
               a < static_cast<std::size_t>(offsets[v + 1]); ++a) {
            const C here = distances[static_cast<std::size_t>(from[a]) * stride + first + lane];
            bool is_tight = here < none && there < none && here < there;
            if constexpr (std::is_same_v<C, double>) {
              is_tight = is_tight && here + weights[a] <= there + tolerance * there;
            } else {
              is_tight = is_tight && number{here} + number{weights[a]} == number{there};
            }
            if (!is_tight) continue;
            BOOST_REQUIRE_LT(i, num_selected);
            BOOST_REQUIRE_EQUAL(selected_from[i], from[a]);
            BOOST_REQUIRE_EQUAL(static_cast<std::size_t>(to[i]), v);
            BOOST_REQUIRE_EQUAL(selected_numbers[i], numbers[a]);
            ++i;
          }
        }
        BOOST_REQUIRE_EQUAL(i, num_selected);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(products_are_added) {
  random_numbers random(3);
  for (const std::size_t count : {0, 1, 2, 7, 8, 9, 31, 64, 65}) {
    std::vector<double> x(count), y(count), sums(count), expected;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = static_cast<double>(random(0, 99));
      y[i] = static_cast<double>(random(0, 99));
      sums[i] = static_cast<double>(random(0, 99));
      expected.push_back(sums[i] + x[i] * y[i]);
    }
    detail::add_products(x.data(), y.data(), count, sums.data());
    BOOST_CHECK(sums == expected);
  }
}

// --- Batches -------------------------------------------------------------------------------------

namespace {

template <class C>
using batches = detail::host::path_batches<C>;

/// A graph for batches, which refer to it.
template <class C>
struct batch_graph {
  arc_list<number> arcs;
  arc_list<C> weighted;
  detail::adjacency<C> rows;
  std::vector<std::size_t> positions;  ///< In `arcs`, by number.

  batch_graph(const arc_list<number>& g, double scale)
      : arcs(g),
        weighted(scaled<C>(g, scale)),
        rows(detail::make_adjacency<C>(weighted.view(), g.n, 1)),
        positions(detail::positions_of_arcs(weighted.view(), rows, g.size())) {}
};

/// Checks the arcs of all sources, and that of several searches with the same memory those before
/// do not matter.
/// @param can_search  (source) if a search from it is possible.
template <class C, class CanSearch>
void check_batches(const batch_graph<C>& g, const vertices& sources, double scale,
                   CanSearch can_search) {
  const double tolerance = std::is_same_v<C, double> ? default_tolerance : 0;
  detail::monitor watch{apsp::unobserved{}};
  const auto made = detail::host::make_path_batches<C>(
      {g.rows.view(), static_cast<C>(tolerance), sources}, watch);
  BOOST_REQUIRE(made.has_value());
  typename batches<C>::workspace mine(*made);
  std::vector<int> times(sources.size(), 0);
  for (std::size_t b = 0; b < made->size(); ++b) {
    const auto numbers = made->numbers_of(b);
    const auto outcome = made->search(b, mine, watch);
    bool is_possible = true;
    for (const std::size_t i : numbers) {
      ++times[i];
      is_possible = is_possible && can_search(static_cast<std::size_t>(sources[i]));
    }
    BOOST_REQUIRE((outcome == batches<C>::outcome::finished) == is_possible);
    if (!is_possible) continue;
    for (std::size_t lane = 0; lane < numbers.size(); ++lane) {
      const auto source = static_cast<std::size_t>(sources[numbers[lane]]);
      const paths_from<number> expected(g.arcs, source);
      const auto listed = made->arcs_of(lane, mine);
      for (std::size_t v = 0; v < g.arcs.n; ++v) {
        BOOST_REQUIRE(is_length(listed.distances[v], expected.distance(v), scale));
      }
      std::vector<std::size_t> got;
      for (std::size_t i = 0; i < listed.count; ++i) {
        const std::size_t k = g.positions[listed.arcs.numbers[i]];
        BOOST_REQUIRE_EQUAL(listed.arcs.from[i], g.arcs.sources[k]);
        BOOST_REQUIRE_EQUAL(listed.arcs.to[i], g.arcs.targets[k]);
        got.push_back(k);
      }
      auto right = expected.tight();
      std::sort(got.begin(), got.end());
      std::sort(right.begin(), right.end());
      BOOST_REQUIRE_EQUAL_COLLECTIONS(got.begin(), got.end(), right.begin(), right.end());
    }
  }
  BOOST_CHECK(times == std::vector<int>(sources.size(), 1));
}

vertices numbers_of(const list& sources) {
  return {sources.begin(), sources.end()};
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_find_the_arcs_of_all_sources, C, lane_values) {
  const std::vector<arc_list<number>> graphs{
      random_degrees(150, 5, 3, 1),
      random_degrees(90, 3, 900, 2),
      rmat(200, 8, 4, 3),
      to_arcs<number>(grid_graph<std::int32_t>(9, 14, 2, 4)),
      with_parallel_arcs(random_graph<number>(60, 0.1, 1, 5, 5), 6),
      make_graph<number>(2, {{1, 0, 5}})};
  const auto always = [](std::size_t) { return true; };
  random_numbers random(5);
  for (const auto& g : graphs) {
    for (const double scale :
         std::is_same_v<C, double> ? std::vector<double>{1, 0.1, 1e-200} : std::vector<double>{1}) {
      const batch_graph<C> made(g, scale);
      for (const std::size_t count : {1, 31, 32, 33, 150, 700}) {
        check_batches(made, numbers_of(random_sources(g.n, count, random)), scale, always);
      }
      check_batches(made, numbers_of(all_vertices(g.n)), scale, always);
    }
  }
}

BOOST_AUTO_TEST_CASE(sources_are_not_searched_whose_distances_do_not_fit_in_16_bits) {
  // A path of heavy arcs beside a graph of short distances. The path comes last, so that not all
  // batches have it, and the last of its vertices are close enough to its end.
  arc_list<number> path{40, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < path.n; ++v) path.add(v, v + 1, 8000);
  const auto g = side_by_side(random_degrees(900, 4, 50, 1), path);
  const batch_graph<std::uint16_t> made(g, 1);
  // Each in batches of its own: there are at most 128 lanes.
  for (const std::size_t from : {0, 25, 36}) {
    const vertices sources(128, static_cast<std::int32_t>(900 + from));
    detail::monitor watch{apsp::unobserved{}};
    const auto all =
        detail::host::make_path_batches<std::uint16_t>({made.rows.view(), 0, sources}, watch);
    BOOST_REQUIRE(all.has_value());
    BOOST_REQUIRE_LT(all->size(), 8u);
    batches<std::uint16_t>::workspace mine(*all);
    const auto outcome = all->search(0, mine, watch);
    BOOST_CHECK((outcome == batches<std::uint16_t>::outcome::finished) == (from == 36));
  }
  check_batches(made, numbers_of(all_vertices(850)), 1, [](std::size_t) { return true; });
}

BOOST_AUTO_TEST_CASE(batches_stop) {
  const batch_graph<std::int32_t> made(random_degrees(100, 4, 50, 1), 1);
  const apsp::observer stopped = detail::stop_of(apsp::seq.stop(requested_stop()));
  detail::monitor watch(stopped);
  const vertices sources(40, 3);
  const auto all =
      detail::host::make_path_batches<std::int32_t>({made.rows.view(), 0, sources}, watch);
  BOOST_REQUIRE(all.has_value());
  batches<std::int32_t>::workspace mine(*all);
  BOOST_CHECK(all->search(0, mine, watch) == batches<std::int32_t>::outcome::stopped);
  // The memory is as before.
  detail::monitor unwatched{apsp::unobserved{}};
  BOOST_CHECK(all->search(0, mine, unwatched) == batches<std::int32_t>::outcome::finished);
  const auto listed = all->arcs_of(0, mine);
  BOOST_CHECK_EQUAL(listed.count, paths_from<number>(made.arcs, 3).tight().size());
}

BOOST_AUTO_TEST_CASE(batches_that_take_long_are_not_searched) {
  const batch_graph<std::int32_t> made(slow_path(500, 1), 1);
  detail::monitor watch{apsp::unobserved{}};
  const auto sources = numbers_of(all_vertices(100));
  const auto all =
      detail::host::make_path_batches<std::int32_t>({made.rows.view(), 0, sources}, watch);
  BOOST_REQUIRE(all.has_value());
  batches<std::int32_t>::workspace mine(*all);
  BOOST_CHECK(all->search(0, mine, watch) == batches<std::int32_t>::outcome::not_possible);
  // The memory is as before.
  const auto few = numbers_of(list(20, 500));
  const auto other =
      detail::host::make_path_batches<std::int32_t>({made.rows.view(), 0, few}, watch);
  BOOST_REQUIRE(other.has_value());
  BOOST_CHECK(other->search(0, mine, watch) == batches<std::int32_t>::outcome::finished);
  BOOST_CHECK_EQUAL(other->arcs_of(3, mine).count,
                    paths_from<number>(made.arcs, 500).tight().size());
}

BOOST_AUTO_TEST_CASE(types_of_lanes_hold_all_distances) {
  const auto types = [](auto largest, std::size_t n, double tolerance, bool are_whole = true) {
    using T = decltype(largest);
    const std::vector<T> all{static_cast<T>(1), static_cast<T>(are_whole ? 2 : 1.5), largest};
    const detail::lane_types<T> made(n, {3, T{1}, largest}, all, static_cast<T>(tolerance));
    return std::tuple(made.are_short(), made.fit_in_32_bits(), made.fit_in_double());
  };
  const auto expected = [](bool are_short, bool in_32_bits, bool in_double) {
    return std::tuple(are_short, in_32_bits, in_double);
  };
  BOOST_CHECK(types(8191, 1000, 0) == expected(true, true, true));
  BOOST_CHECK(types(8192, 1000, 0) == expected(false, true, true));
  BOOST_CHECK(types(1 << 20, 1023, 0) == expected(false, true, true));
  BOOST_CHECK(types(1 << 20, 1024, 0) == expected(false, false, true));
  BOOST_CHECK(types(1 << 20, 2047, 0) == expected(false, false, true));
  BOOST_CHECK(types(1 << 20, 2048, 0) == expected(false, false, false));
  BOOST_CHECK(types(std::int8_t{12}, 10, 0) == expected(true, true, true));
  BOOST_CHECK(types(std::int8_t{13}, 10, 0) == expected(false, false, false));
  BOOST_CHECK(types(std::uint8_t{25}, 10, 0) == expected(true, true, true));
  BOOST_CHECK(types(std::uint8_t{26}, 10, 0) == expected(false, false, false));
  BOOST_CHECK(types(std::uint32_t{1} << 28, 10, 0) == expected(false, false, true));
  BOOST_CHECK(types(std::uint32_t{1} << 28, 16, 0) == expected(false, false, false));
  BOOST_CHECK(types(number{1} << 45, 100, 0) == expected(false, false, true));
  BOOST_CHECK(types(number{1} << 45, 128, 0) == expected(false, false, false));
  BOOST_CHECK(types(8191.0, 1000, 1e-12) == expected(true, true, true));
  BOOST_CHECK(types(8191.0, 1000, 1e-12, false) == expected(false, false, true));
  // Lengths that differ by 1 tie if they are long.
  BOOST_CHECK(types(8191.0, 1000, 1e-7) == expected(true, false, true));
  BOOST_CHECK(types(8191.0, 1000, 1e-5) == expected(false, false, true));
  BOOST_CHECK(types(1e14, 10, 1e-12) == expected(false, false, true));
  BOOST_CHECK(types(1e15, 10, 1e-12) == expected(false, false, false));
  BOOST_CHECK(types(8191.0L, 1000, 1e-12) == expected(true, true, false));
  // Weights that are not above 0.
  const detail::lane_types<int> zeros(9, {3, 0, 5}, {0, 5, 5}, 0);
  BOOST_CHECK(!zeros.are_short() && !zeros.fit_in_32_bits() && !zeros.fit_in_double());
  const detail::lane_types<double> negative(9, {3, -1, 5}, {-1, 5, 5}, 0);
  BOOST_CHECK(!negative.are_short() && !negative.fit_in_32_bits() && !negative.fit_in_double());
}

// --- Arcs that are longer than a path ------------------------------------------------------------

namespace {

/// Adds arcs that are longer than the path between their ends by about as much as lengths that tie.
arc_list<double> with_near_ties(arc_list<double> g, std::size_t count, double tolerance,
                                std::uint64_t seed) {
  random_numbers random(seed);
  const paths_of all(g);
  double longest = 0;
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    if (all[u].distance(v)) longest = std::max(longest, *all[u].distance(v));
  });
  for (std::size_t k = 0; k < count;) {
    const std::size_t u = random.index(g.n);
    const std::size_t v = random.index(g.n);
    if (u == v || !all[u].distance(v)) continue;
    const double length = *all[u].distance(v);
    // Lengths of few digits do not differ by the tolerance exactly.
    const double part = (static_cast<double>(random(0, 20)) + 0.4142) / 10;
    const double base = random.chance(0.5) ? longest : length;
    g.add(u, v, length + part * std::max(tolerance, 1e-16) * base);
    ++k;
  }
  return g;
}

/// The numbers of the arcs that are on a shortest path from some vertex, within the tolerance.
template <class L>
std::vector<char> find_tight_arcs(const arc_list<L>& g, double tolerance) {
  std::vector<char> is_tight(g.size(), 0);
  const paths_of<L> paths(g, tolerance);
  for (std::size_t s = 0; s < g.n; ++s) {
    for (const std::size_t k : paths[s].tight()) is_tight[k] = 1;
  }
  return is_tight;
}

/// Checks that no arc on a shortest path was dropped.
/// @param is_dropped  by number.
/// @return how many were.
template <class L>
std::size_t check_dropped(const std::vector<char>& is_dropped,
                          const std::vector<std::size_t>& positions,
                          const std::vector<char>& is_tight, const arc_list<L>& g) {
  BOOST_REQUIRE_EQUAL(is_dropped.size(), positions.size());
  std::size_t num_dropped = 0;
  for (std::size_t a = 0; a < positions.size(); ++a) {
    if (is_dropped[a] == 0) continue;
    ++num_dropped;
    const std::size_t k = positions[a];
    BOOST_REQUIRE_MESSAGE(is_tight[k] == 0, "arc " << k << " from " << g.from(k) << " to "
                                                   << g.to(k) << " of weight " << g.weights[k]
                                                   << " is on a shortest path");
  }
  return num_dropped;
}

/// A graph with hubs, and a tail: vertices from which all others are far away.
arc_list<double> graph_with_tail(std::uint64_t seed, double scale) {
  auto g = scaled<double>(rmat(420, 10, 60, seed), scale);
  const std::size_t tail = g.n;
  g.n += 3;
  g.add(tail, 0, 1e4);
  g.add(tail + 1, tail, 1e4);
  g.add(tail + 2, tail + 1, 1e4);
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_arc_that_ties_is_dropped_beside_hubs) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    for (const double tolerance : {0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-4}) {
      BOOST_TEST_CONTEXT("seed " << seed << ", tolerance " << tolerance) {
        auto g = graph_with_tail(seed, seed % 2 == 0 ? 1 : 0.1);
        // With such a tolerance, whole lengths of long paths tie.
        const bool is_coarse = tolerance > 1e-5;
        if (!is_coarse) g = with_near_ties(g, 300, tolerance, seed);
        const auto rows = detail::make_adjacency<double>(g.view(), g.n, 1);
        const auto positions = detail::positions_of_arcs(g.view(), rows, g.size());
        const auto is_tight = find_tight_arcs(g, tolerance);
        detail::monitor watch{apsp::unobserved{}};
        const auto is_dropped =
            detail::host::find_bypassed_in_lanes<double>(rows.view(), tolerance, 2, watch);
        BOOST_CHECK_GT(check_dropped(is_dropped, positions, is_tight, g),
                       is_coarse ? 0 : positions.size() / 5);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_arc_on_a_shortest_path_is_dropped_beside_hubs) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto g = rmat(1400, 7, seed % 2 == 0 ? 9 : 1000, seed);
      const auto whole = converted<std::int32_t>(g);
      const auto rows = detail::make_adjacency<std::int32_t>(whole.view(), g.n, 1);
      const auto positions = detail::positions_of_arcs(whole.view(), rows, g.size());
      detail::monitor watch{apsp::unobserved{}};
      const auto is_dropped =
          detail::host::find_bypassed_in_lanes<std::int32_t>(rows.view(), 0, 2, watch);
      const auto is_tight = find_tight_arcs(g, 0);
      BOOST_CHECK_GT(check_dropped(is_dropped, positions, is_tight, g), positions.size() / 4);
    }
  }
}

namespace {

/// Checks short searches for longer arcs by all distances.
/// @return how many arcs are longer.
template <class T>
std::size_t check_longer_arcs(const arc_list<T>& g, const T& margin, std::size_t most_settled,
                              int threads) {
  const auto rows = detail::make_adjacency<T>(g.view(), g.n, 1);
  const auto positions = detail::positions_of_arcs(g.view(), rows, g.size());
  detail::monitor watch{apsp::unobserved{}};
  const auto is_longer =
      detail::find_longer_arcs(rows.view(), margin, most_settled, threads, watch);
  BOOST_REQUIRE_EQUAL(is_longer.size(), positions.size());
  using L = std::conditional_t<std::is_integral_v<T>, number, T>;
  const auto wide = converted<L>(g);
  const paths_of all(wide);
  std::size_t count = 0;
  for (std::size_t a = 0; a < positions.size(); ++a) {
    const std::size_t k = positions[a];
    const L length = *all[g.from(k)].distance(g.to(k));
    const bool may_be = static_cast<L>(margin) < wide.weights[k] - length;
    BOOST_REQUIRE_MESSAGE(is_longer[a] == 0 || may_be, "arc " << k << " is not longer");
    // Searches that settle all vertices find all of them.
    if (most_settled >= g.n) BOOST_REQUIRE_EQUAL(is_longer[a] != 0, may_be);
    count += is_longer[a] != 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

using types_of_longer_arcs =
    std::tuple<std::int8_t, std::uint8_t, std::uint16_t, std::int32_t, std::int64_t, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(longer_arcs_are_those_with_a_detour, T, types_of_longer_arcs) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed);
      const std::size_t n = 2 + random.index(40);
      // Zeros as well, and weights up to the largest: detours are compared, and sums do not wrap.
      const double most = std::is_integral_v<T> && sizeof(T) < 4
                              ? static_cast<double>(apsp::unreachable<T>) - 1
                              : 1000;
      const auto g = with_parallel_arcs(
          random_graph<T>(n, 0.3, 0, static_cast<number>(seed % 2 == 0 ? most : 9), seed), seed);
      for (const std::size_t most_settled : {1, 2, 8, 32, 100}) {
        for (const number margin : {0, 1, 5}) {
          const auto count = check_longer_arcs(g, static_cast<T>(margin), most_settled,
                                               1 + static_cast<int>(seed % 3));
          if (margin == 0 && most_settled >= 8 && g.size() > 200) BOOST_CHECK_GT(count, 10u);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_arc_that_ties_is_dropped_without_hubs) {
  random_numbers random(8);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const double tolerance : {0.0, 1e-12, 1e-8}) {
      BOOST_TEST_CONTEXT("seed " << seed << ", tolerance " << tolerance) {
        auto g = converted<double>(random_graph<number>(70, 0.3, 1, 50, seed));
        for (double& w : g.weights) w *= 0.1;
        g.add(0, g.n, 1);
        g.add(g.n, g.n + 1, 1e4);
        g.add(g.n + 1, 1, 1e4);
        g.n += 2;
        g = with_near_ties(g, 200, tolerance, seed);
        settings chosen;
        chosen.drops = true;
        chosen.threads = 2;
        chosen.options.tolerance = tolerance;
        const list sources = random_sources(g.n, 32 * 32, random);
        BOOST_REQUIRE(
            !detail::has_hubs(detail::make_adjacency<double>(g.view(), g.n, 1).view(), 32));
        const auto found = search(g, sources, chosen);
        BOOST_CHECK_EQUAL(found.done.algorithm(), in_lanes);
        if (tolerance < 1e-9) BOOST_CHECK_LT(found.num_kept_arcs, found.num_arcs / 2);
        check_found(found, sources, 1, g, tolerance);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(arcs_are_dropped_if_there_are_enough_sources) {
  random_numbers random(9);
  const auto g = random_graph<number>(90, 0.5, 1, 1000, 4);
  const auto num_kept = [&](const arc_list<number>& graph, std::size_t num_sources,
                            settings chosen) {
    chosen.drops = true;
    const list sources = random_sources(graph.n, num_sources, random);
    const auto found = search(converted<std::int32_t>(graph), sources, chosen);
    if (!chosen.cutoff) check_found(found, sources, 1, graph);
    return std::pair(found.num_kept_arcs, found.num_arcs);
  };
  const auto few = num_kept(g, 255, {});
  BOOST_CHECK_EQUAL(few.first, few.second);
  const auto many = num_kept(g, 256, {});
  BOOST_CHECK_LT(many.first, many.second / 2);
  const auto more = num_kept(g, 1100, {});
  BOOST_CHECK_LT(more.first, many.first);
  settings chosen;
  chosen.cutoff = 500;
  const auto cut = num_kept(g, 1100, chosen);
  BOOST_CHECK_EQUAL(cut.first, cut.second);
  const auto hubs = num_kept(rmat(1400, 7, 100, 4), 256, {});
  BOOST_CHECK_LT(hubs.first, hubs.second / 2);
  auto equal = g;
  std::fill(equal.weights.begin(), equal.weights.end(), number{7});
  const auto all_equal = num_kept(equal, 1100, {});
  BOOST_CHECK_EQUAL(all_equal.first, all_equal.second);
}

// --- Small graphs --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_some_sources_count_all_paths, T, all_types) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed);
      const std::size_t n = 2 + random.index(11);
      const auto g = some_graph(n, seed % 4 == 0 ? 1 : 3, random);
      const std::size_t counts[] = {1, 15, 16, 17, 33, 40};
      const std::size_t count = counts[seed % 6];
      const list sources = random_sources(n, count, random);
      const bool uses_lanes = count >= 16;
      const auto bits = static_cast<unsigned>(random.index(32));
      const int threads = 1 + static_cast<int>(random.index(5));
      for (const double scale : scales<T>::all()) {
        check_calls<T>(apsp::omp.threads(threads), g, scale, sources, bits, uses_lanes);
      }
    }
  }
}

using two_types = std::tuple<std::int32_t, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(calls_of_one_thread_count_all_paths, T, two_types) {
  random_numbers random(3);
  for (unsigned bits = 0; bits < 32; ++bits) {
    BOOST_TEST_CONTEXT("options " << bits) {
      const std::size_t n = 9 + random.index(4);
      const auto g = some_graph(n, 3, random);
      check_calls<T>(apsp::seq, g, 1, random_sources(n, 16 + random.index(20), random), bits, true);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(searches_from_many_sources_count_all_paths, T, all_types) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed + 100);
      const std::size_t n = 2 + random.index(11);
      const auto g = some_graph(n, seed % 4 == 0 ? 1 : 3, random);
      const std::size_t counts[] = {64, 200, 300, fewest_in_short_lanes, 5000};
      const list sources = random_sources(n, counts[seed % 5], random);
      settings chosen;
      chosen.options = some_options(static_cast<unsigned>(random.index(2)) * 8 + seed % 2);
      chosen.threads = 1 + static_cast<int>(random.index(5));
      const all_paths<number> paths(g, chosen.options.merge_parallel);
      const paths_of expected(g);
      for (const double scale : scales<T>::all()) {
        const auto weighted = scaled<T>(g, scale);
        for (const bool drops : {false, true}) {
          chosen.drops = drops;
          const auto found = search(weighted, sources, chosen);
          BOOST_REQUIRE(found.done);
          BOOST_CHECK_EQUAL(found.done.algorithm(), in_lanes);
          check_scores(found.sums.of_vertices, paths.vertex_scores(sources, chosen.options),
                       "vertex");
          check_scores(found.sums.of_arcs, paths.arc_scores(sources, chosen.options), "arc");
          for (std::size_t i = 0; i < sources.size(); ++i) {
            for (std::size_t v = 0; v < n; ++v) {
              BOOST_REQUIRE(is_length(found.lengths[i][v], paths.distance(sources[i], v), scale));
              BOOST_REQUIRE_EQUAL(found.counts[i][v], paths.count(sources[i], v));
            }
          }
          check_predecessors(found, sources, g, expected);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(options_of_searches_from_all_vertices_hold_together) {
  random_numbers random(4);
  for (unsigned bits = 0; bits < 32; ++bits) {
    const auto g = some_graph(16, 3, random);
    check_calls<number>(apsp::omp.threads(2), g, 1, all_vertices(g.n), bits, true);
    check_calls<double>(apsp::omp.threads(3), g, 0.1, all_vertices(g.n), bits, true);
  }
}

BOOST_AUTO_TEST_CASE(calls_without_tolerance_search_from_many_sources) {
  // Hierarchies add up in another order, so that weights that are not exact are searched.
  random_numbers random(5);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto g = some_graph(11, 3, random);
    for (const std::size_t count : {200, 4100}) {
      const list sources = random_sources(g.n, count, random);
      check_calls<double>(apsp::omp.threads(2), g, 1, sources, 9 * (seed % 2), true, 0);
      check_calls<float>(apsp::omp.threads(2), g, 0.5, sources, 8 * (seed % 2), true, 0);
    }
  }
}

// --- Distances that do not fit -------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(types_of_one_byte_are_searched_by_rows_if_paths_may_not_fit) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed);
      const std::size_t n = 4 + random.index(9);
      auto g = some_graph(n, 100, random);
      // Also distances beyond the types.
      for (std::size_t v = 0; v + 1 < n; ++v) g.add(v, v + 1, random(60, 100));
      const list sources = random_sources(n, 16 + random.index(20), random);
      const auto bits = static_cast<unsigned>(random.index(32));
      check_calls<std::int8_t>(apsp::omp.threads(2), g, 1, sources, bits, std::nullopt);
      check_calls<std::uint8_t>(apsp::seq, g, 1, sources, bits, std::nullopt);
      check_calls<std::int16_t>(apsp::omp.threads(2), g, 1, sources, bits, true);
      const auto found = search(scaled<std::int8_t>(g, 1), sources);
      BOOST_CHECK_EQUAL(found.done.algorithm(), by_rows);
    }
  }
}

BOOST_AUTO_TEST_CASE(distances_beyond_16_bits_are_left_to_wider_lanes) {
  random_numbers random(6);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      // All sources, some of them, and so many that the first batch fits.
      arc_list<number> path{60, {}, {}, {}};
      for (std::size_t v = 0; v + 1 < path.n; ++v) {
        path.add(v, v + 1, 8000);
        path.add(v, v + 1, random(7900, 8191));
        if (v + 2 < path.n) path.add(v, v + 2, random(8000, 8191));
      }
      const auto near = random_degrees(120, 3, 40, seed);
      const auto g = seed % 3 == 0 ? path : side_by_side(near, path);
      list sources = random_sources(g.n, 4200, random);
      if (seed % 3 == 1) {
        sources = random_sources(near.n, 4200, random);
        for (std::size_t k = 0; k < 300; ++k) sources.push_back(near.n + random.index(path.n));
      }
      settings chosen;
      chosen.threads = 1 + static_cast<int>(seed % 4);
      check_search<std::int32_t>(g, 1, sources, in_lanes, chosen);
      check_search<number>(g, 1, sources, in_lanes, chosen);
      check_search<double>(g, 1, sources, in_lanes, chosen);
    }
  }
}

BOOST_AUTO_TEST_CASE(distances_beyond_32_bits_are_kept_in_double) {
  random_numbers random(7);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = 8 + random.index(20);
      const auto g = random_graph<number>(n, 0.3, 1, 4, seed);
      const list sources = random_sources(n, 50 + random.index(200), random);
      // Up to n times 4 times this.
      check_search<std::int32_t>(g, 0x1p23, sources, in_lanes);
      check_search<std::uint32_t>(g, 0x1p24, sources, in_lanes);
      check_search<number>(g, 0x1p30, sources, in_lanes);
      check_search<number>(g, 0x1p44, sources, in_lanes);
      check_search<number>(g, 0x1p52, sources, by_rows);
      check_search<double>(g, 0x1p33, sources, in_lanes);
      check_search<double>(g, 1e200, sources, in_lanes);
      check_search<double>(g, 1e-200, sources, in_lanes);
      check_search<float>(g, 0x1p-40, sources, in_lanes);
      check_search<long double>(g, 1, sources, in_lanes);
      check_search<long double>(g, 0x1p-9, sources, by_rows);
    }
  }
}

// --- Larger graphs -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(paths_of_graphs_with_hubs_are_counted) {
  random_numbers random(10);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto g = seed % 2 == 0 ? rmat(500, 9, 20, seed) : preferential_graph(450, 5, 40, seed);
      const paths_of expected(g);
      const list sources = random_sources(g.n, 300, random);
      settings chosen;
      chosen.drops = true;
      chosen.threads = 2;
      const auto check = [&](auto zero, double scale) {
        const auto found = search(scaled<decltype(zero)>(g, scale), sources, chosen);
        BOOST_CHECK_EQUAL(found.done.algorithm(), in_lanes);
        BOOST_CHECK_LT(static_cast<double>(found.num_kept_arcs),
                       0.8 * static_cast<double>(found.num_arcs));
        check_found(found, sources, scale, g, expected);
      };
      check(std::int32_t{}, 1);
      check(std::int16_t{}, 1);
      check(number{}, 0x1p36);
      check(0.0, 0.1);
      check(0.0F, 0.25);
    }
  }
}

BOOST_AUTO_TEST_CASE(scores_of_larger_graphs_are_those_of_boost) {
  const auto check = [](const auto& policy, const auto& g, double tolerance) {
    const auto [of_vertices, of_arcs] = boost_scores<boost::directedS>(g);
    std::vector<double> scores(g.n);
    std::vector<double> scores_of_arcs(g.size());
    apsp::betweenness_options options;
    options.tolerance = tolerance;
    const auto done = apsp::betweenness(policy, g.view(), scores, scores_of_arcs, options);
    BOOST_REQUIRE(done);
    BOOST_CHECK_EQUAL(done.algorithm(), in_lanes);
    check_scores(scores, of_vertices, "vertex", 1e-10);
    check_scores(scores_of_arcs, of_arcs, "arc", 1e-10);
  };
  // Hierarchies are not for lengths without tolerance.
  const auto hubs = rmat(450, 10, 30, 1);
  check(apsp::omp.threads(2), converted<double>(hubs), 0);
  check(apsp::seq, scaled<double>(hubs, 0.25), 0);
  const auto equal_degrees = random_degrees(350, 5, 9, 2);
  check(apsp::omp.threads(3), converted<std::int32_t>(equal_degrees), 0);
  check(apsp::seq, scaled<double>(equal_degrees, 0.125), default_tolerance);
}

BOOST_AUTO_TEST_CASE(calls_from_thousands_of_sources_use_short_lanes) {
  const auto g = random_degrees(800, 8, 20, 3);
  const paths_of expected(g);
  const auto whole = converted<std::int32_t>(g);
  random_numbers random(11);
  const list sources = random_sources(g.n, fewest_in_short_lanes + 100, random);
  const auto policy = apsp::omp.threads(2);

  apsp::matrix<std::int32_t> distances(sources.size(), g.n);
  apsp::matrix<std::int64_t> counts(sources.size(), g.n);
  const auto counted = apsp::count_paths(policy, whole.view(), sources, distances, counts);
  BOOST_REQUIRE(counted);
  BOOST_CHECK_EQUAL(counted.algorithm(), in_lanes);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& paths = expected[sources[i]];
    for (std::size_t v = 0; v < g.n; ++v) {
      if (is_length(distances[i][v], paths.distance(v), 1) &&
          counts[i][v] == static_cast<std::int64_t>(paths.count(v))) {
        continue;
      }
      BOOST_REQUIRE_MESSAGE(false, "row " << i << ", vertex " << v);
    }
  }

  std::vector<double> of_vertices(g.n, 0), of_arcs(g.size(), 0);
  for (const std::size_t s : sources) expected[s].add_shares(1, of_vertices, of_arcs);
  std::vector<double> scores(g.n), scores_of_arcs(g.size());
  const auto summed = apsp::betweenness(policy, whole.view(), sources, scores, scores_of_arcs);
  BOOST_REQUIRE(summed);
  BOOST_CHECK_EQUAL(summed.algorithm(), in_lanes);
  check_scores(scores, of_vertices, "vertex", 1e-10);
  check_scores(scores_of_arcs, of_arcs, "arc", 1e-10);
}

// --- Ties ----------------------------------------------------------------------------------------

namespace {

apsp::path_count_options with_tolerance(double tolerance) {
  apsp::path_count_options options;
  options.tolerance = tolerance;
  return options;
}

/// The number of paths from a vertex to another one, counted from 16 copies of the source.
double count_from_copies(const arc_list<double>& g, std::size_t s, std::size_t t, double tolerance,
                         std::size_t copies = 16) {
  const list sources(copies, s);
  apsp::matrix<double> distances(sources.size(), g.n);
  apsp::matrix<double> counts(sources.size(), g.n);
  const auto done = apsp::count_paths(apsp::omp.threads(2), g.view(), sources, distances, counts,
                                      with_tolerance(tolerance));
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.algorithm(), in_lanes);
  for (std::size_t i = 1; i < copies; ++i) BOOST_CHECK_EQUAL(counts[i][t], counts[0][t]);
  return counts[0][t];
}

}  // namespace

BOOST_AUTO_TEST_CASE(lengths_that_differ_by_rounding_tie) {
  const auto g = make_graph<double>(4, {{0, 1, 0.1}, {1, 3, 0.2}, {0, 3, 0.3}, {3, 2, 1}});
  BOOST_REQUIRE(0.1 + 0.2 > 0.3);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 2, default_tolerance), 2);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 2, 1e-15), 2);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 2, 0), 1);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 2, 0, 300), 1);
  for (const double tolerance : {0.0, default_tolerance}) {
    settings chosen;
    chosen.options.tolerance = tolerance;
    chosen.drops = true;
    for (const std::size_t count : {16, 300, 5000}) {
      const list sources(count, 0);
      const auto found = search(g, sources, chosen);
      BOOST_CHECK_EQUAL(found.done.algorithm(), in_lanes);
      BOOST_CHECK_EQUAL(found.num_kept_arcs, 4u);
      BOOST_CHECK_EQUAL(found.sums.of_vertices[1], tolerance == 0 ? 0 : static_cast<double>(count));
    }
  }
}

BOOST_AUTO_TEST_CASE(tolerances_are_relative_to_the_length) {
  // One path is longer than the other by a thousandth, and whole lengths of long paths tie.
  const auto g = make_graph<double>(4, {{0, 1, 500}, {1, 3, 501}, {0, 2, 500}, {2, 3, 500}});
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 3, 0.00099), 1);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 3, 0.00101), 2);
  auto fractions = g;
  for (double& w : fractions.weights) w *= 0.1;
  BOOST_CHECK_EQUAL(count_from_copies(fractions, 0, 3, 0.00099), 1);
  BOOST_CHECK_EQUAL(count_from_copies(fractions, 0, 3, 0.00101), 2);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 3, 0.00099, 5000), 1);
  BOOST_CHECK_EQUAL(count_from_copies(g, 0, 3, 0.00101, 5000), 2);
}

BOOST_AUTO_TEST_CASE(near_ties_of_graphs_with_hubs_are_counted) {
  random_numbers random(12);
  for (const double tolerance : {0.0, 1e-12, 1e-9}) {
    for (const double scale : {1.0, 0.1}) {
      BOOST_TEST_CONTEXT("tolerance " << tolerance << ", scale " << scale) {
        const auto g = with_near_ties(graph_with_tail(5, scale), 300, tolerance, 5);
        list sources = random_sources(g.n, 500, random);
        for (std::size_t s = g.n - 3; s < g.n; ++s) sources.push_back(s);
        settings chosen;
        chosen.threads = 2;
        chosen.options.tolerance = tolerance;
        chosen.drops = true;
        const auto found = search(g, sources, chosen);
        BOOST_CHECK_EQUAL(found.done.algorithm(), in_lanes);
        BOOST_CHECK_LT(found.num_kept_arcs, found.num_arcs);
        check_found(found, sources, 1, g, tolerance);
      }
    }
  }
}

// --- Many paths ----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(more_paths_than_a_double_divides_are_counted) {
  for (const std::size_t length : {998, 1200}) {
    BOOST_TEST_CONTEXT(length << " diamonds") {
      const auto g = diamonds<number>(length);
      list sources;
      for (std::size_t v = 0; v < 40; ++v) sources.push_back(v);
      sources.push_back(g.n - 1);
      settings chosen;
      chosen.threads = 2;
      check_search<std::int32_t>(g, 1, sources, in_lanes, chosen);
      check_search<double>(g, 0.1, sources, in_lanes, chosen);
    }
  }
  // 16-bit lanes.
  const auto g = diamonds<number>(1040);
  random_numbers random(1);
  const list sources = random_sources(5, fewest_in_short_lanes, random);
  std::vector<double> of_vertices(g.n, 0), of_arcs(g.size(), 0);
  const paths_of expected(g);
  for (const std::size_t s : sources) expected[s].add_shares(1, of_vertices, of_arcs);
  std::vector<double> scores(g.n), scores_of_arcs(g.size());
  apsp::betweenness_options options;
  options.tolerance = 0;
  const auto done = apsp::betweenness(apsp::omp.threads(2), converted<double>(g).view(), sources,
                                      scores, scores_of_arcs, options);
  BOOST_REQUIRE(done);
  BOOST_CHECK_EQUAL(done.algorithm(), in_lanes);
  check_scores(scores, of_vertices, "vertex", 1e-10);
  check_scores(scores_of_arcs, of_arcs, "arc", 1e-10);
}

// --- Weights that are not above 0 ----------------------------------------------------------------

BOOST_AUTO_TEST_CASE(weights_that_are_not_above_0_are_searched_by_rows) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      random_numbers random(seed);
      const std::size_t n = 3 + random.index(10);
      const bool negative = seed % 2 == 1;
      auto g = random_arcs<number>(n, 4 * n, !negative, negative, seed);
      g.add(0, 1, negative ? -1 : 0);
      if (negative) {
        // Without a cycle below 0, so that each path from 1 to 0 is longer.
        for (std::size_t k = 0; k + 1 < g.size(); ++k) g.weights[k] += 30;
      }
      const list sources = random_sources(n, 16 + random.index(20), random);
      const auto bits = static_cast<unsigned>(random.index(32));
      const all_paths<number> paths(g, false);
      std::vector<double> scores(n);
      const auto done = apsp::betweenness(apsp::omp.threads(2), converted<std::int32_t>(g).view(),
                                          sources, scores, some_options(bits & 30U));
      BOOST_REQUIRE(done);
      check_scores(scores, paths.vertex_scores(sources, some_options(bits & 30U)), "vertex");
      apsp::matrix<double> distances(sources.size(), n);
      apsp::matrix<double> counts(sources.size(), n);
      BOOST_REQUIRE(
          apsp::count_paths(apsp::seq, scaled<double>(g, 0.5).view(), sources, distances, counts));
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t v = 0; v < n; ++v) {
          BOOST_REQUIRE(is_length(distances[i][v], paths.distance(sources[i], v), 0.5));
          BOOST_REQUIRE_EQUAL(counts[i][v], paths.count(sources[i], v));
        }
      }
    }
  }
  // A weight of 0 that is not on any path.
  auto g = random_degrees(60, 4, 9, 1);
  g.add(3, 3, 0);
  const list sources = all_vertices(g.n);
  const auto found = search(converted<std::int32_t>(g), sources);
  check_found(found, sources, 1, g);
}

BOOST_AUTO_TEST_CASE(cycles_of_length_0_are_refused) {
  const list sources(20, 0);
  const auto refused = [&](const auto& g) {
    using T = std::remove_cvref_t<decltype(g.weights[0])>;
    const std::string words = "apsp: expected no cycle of length 0";
    std::vector<double> scores(g.n);
    std::vector<double> of_arcs(g.size());
    const auto policy = apsp::omp.threads(2);
    check_refused([&] { return apsp::betweenness(policy, g.view(), sources, scores, of_arcs); },
                  words);
    apsp::matrix<T> distances(sources.size(), g.n);
    apsp::matrix<double> counts(sources.size(), g.n);
    check_refused([&] { return apsp::count_paths(policy, g.view(), sources, distances, counts); },
                  words);
    check_refused(
        [&] {
          return apsp::tight_predecessors(policy, g.view(), sources,
                                          [](std::size_t, std::size_t, std::span<const T>,
                                             const apsp::predecessor_lists_view&) {});
        },
        words);
  };
  refused(make_graph<std::int32_t>(4, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}));
  refused(make_graph<double>(4, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}));
  refused(make_graph<std::int32_t>(4, {{0, 1, 1}, {1, 2, -2}, {2, 1, 2}, {2, 3, 1}}));
  // So short that rounding hides it.
  refused(make_graph<double>(4, {{0, 1, 1}, {1, 2, 1e-30}, {2, 1, 1e-30}, {2, 3, 1}}));
}

// --- Searches that take long ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(sources_of_long_searches_are_left_to_rows) {
  random_numbers random(13);
  const auto slow = slow_path(500, 2);
  const auto mixed = side_by_side(random_degrees(200, 4, 9, 2), slow);
  settings chosen;
  for (const int threads : {1, 3}) {
    chosen.threads = threads;
    // All of few, some of more, and some of so many that 16-bit lanes are tried first.
    check_search<std::int32_t>(slow, 1, all_vertices(64), by_rows, chosen);
    check_search<double>(slow, 0.1, all_vertices(64), by_rows, chosen);
    list sources = all_vertices(slow.n);
    for (std::size_t i = sources.size(); i > 1; --i) {
      std::swap(sources[i - 1], sources[random.index(i)]);
    }
    check_search<std::int32_t>(slow, 1, sources, by_rows, chosen);
    check_search<double>(slow, 0.1, sources, by_rows, chosen);
    check_search<number>(mixed, 1, random_sources(mixed.n, 300, random), {}, chosen);
    check_search<std::int32_t>(mixed, 1, random_sources(mixed.n, 4500, random), {}, chosen);
  }
  const auto few = random_sources(1000, 100, random);
  check_search<std::int32_t>(slow_path(1000, 3), 1, few, by_rows);
}

BOOST_AUTO_TEST_CASE(sources_are_left_twice) {
  // Most distances fit in 16 bits, those on a path only in 32, and some searches are by rows.
  arc_list<number> path{60, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < path.n; ++v) path.add(v, v + 1, 8000);
  const auto near = random_degrees(60, 3, 9, 2);
  const auto g = side_by_side(side_by_side(near, path), slow_path(500, 2));
  random_numbers random(18);
  list sources = random_sources(near.n, fewest_in_short_lanes, random);
  // So few that all of their batches are searched.
  for (std::size_t v = near.n; v < g.n; v += 2) sources.push_back(v);
  for (std::size_t i = sources.size(); i > 1; --i) {
    std::swap(sources[i - 1], sources[random.index(i)]);
  }
  // Smaller batches, without 16-bit lanes, may all be fast.
  std::optional<apsp::algorithm> way;
  if (detail::host::are_16_bits_faster()) way = by_rows;
  for (const int threads : {1, 3}) {
    settings chosen;
    chosen.threads = threads;
    check_search<std::int32_t>(g, 1, sources, way, chosen);
  }
}

BOOST_AUTO_TEST_CASE(long_paths_are_counted) {
  // In order, and in one in which passes get two arcs further each.
  const std::size_t n = 4000;
  arc_list<number> in_order{n, {}, {}, {}};
  arc_list<number> shuffled{n, {}, {}, {}};
  const auto way = zigzag(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    in_order.add(i, i + 1, 3);
    shuffled.add(way[i], way[i + 1], 3);
  }
  for (const auto* g : {&in_order, &shuffled}) {
    list sources;
    for (std::size_t k = 0; k < 20; ++k) sources.push_back(way[k * 150]);
    sources.push_back(0);
    const auto whole = converted<std::int32_t>(*g);
    std::vector<double> scores(n);
    std::vector<double> of_arcs(g->size());
    BOOST_REQUIRE(apsp::betweenness(apsp::omp.threads(2), whole.view(), sources, scores, of_arcs));
    std::vector<double> of_vertices(n, 0);
    std::vector<double> expected(g->size(), 0);
    for (const std::size_t s : sources)
      paths_from<number>(*g, s).add_shares(1, of_vertices, expected);
    check_scores(scores, of_vertices, "vertex");
    check_scores(of_arcs, expected, "arc");
    settings chosen;
    chosen.drops = true;
    const auto found = search(scaled<double>(*g, 0.1), sources, chosen);
    BOOST_REQUIRE(found.done);
    check_scores(found.sums.of_vertices, of_vertices, "vertex");
  }
}

// --- Cutoffs -------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(paths_up_to_a_cutoff_are_searched_by_rows) {
  random_numbers random(14);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto g = some_graph(12, 5, random);
    const list sources = random_sources(g.n, 40, random);
    const number cutoff = random(0, 12);
    const all_paths<number> paths(g, false, cutoff);
    const auto whole = converted<number>(g);
    std::vector<double> scores(g.n);
    std::vector<double> of_arcs(g.size());
    const auto done = apsp::betweenness(apsp::omp.threads(2).cutoff(static_cast<double>(cutoff)),
                                        whole.view(), sources, scores, of_arcs);
    BOOST_REQUIRE(done);
    BOOST_CHECK_EQUAL(done.algorithm(), by_rows);
    check_scores(scores, paths.vertex_scores(sources, {}), "vertex");
    check_scores(of_arcs, paths.arc_scores(sources, {}), "arc");
  }
}

// --- Threads, observation and stops --------------------------------------------------------------

namespace {

/// All that the calls write.
template <class T>
struct results {
  std::vector<double> scores, of_arcs;
  apsp::matrix<T> distances;
  apsp::matrix<double> counts;
  std::vector<vertices> predecessors;
  bool operator==(const results&) const = default;
};
template <class T, class Policy>
results<T> call_all(const Policy& policy, const arc_list<T>& g, const list& sources) {
  results<T> all{std::vector<double>(g.n),
                 std::vector<double>(g.size()),
                 {sources.size(), g.n},
                 {sources.size(), g.n},
                 std::vector<vertices>(sources.size())};
  const auto scored = apsp::betweenness(policy, g.view(), sources, all.scores, all.of_arcs);
  BOOST_REQUIRE(scored);
  BOOST_CHECK_EQUAL(scored.algorithm(), in_lanes);
  BOOST_REQUIRE(apsp::count_paths(policy, g.view(), sources, all.distances, all.counts));
  const auto take = [&](std::size_t row, std::size_t, std::span<const T>,
                        const apsp::predecessor_lists_view& lists) {
    for (std::size_t v = 0; v < g.n; ++v) {
      all.predecessors[row].insert(all.predecessors[row].end(), lists[v].begin(), lists[v].end());
      all.predecessors[row].push_back(-1);
    }
  };
  BOOST_REQUIRE(apsp::tight_predecessors<T>(policy, g.view(), sources, take));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit) {
  random_numbers random(15);
  const auto check = [&](const auto& g, std::size_t num_sources) {
    const list sources = random_sources(g.n, num_sources, random);
    const auto expected = call_all(apsp::seq, g, sources);
    for (const int threads : {1, 2, 3, 4, 5}) {
      BOOST_CHECK(call_all(apsp::omp.threads(threads), g, sources) == expected);
    }
    BOOST_CHECK(call_all(apsp::seq, g, sources) == expected);
    BOOST_CHECK(call_all(apsp::omp.threads(3), g, sources) == expected);
  };
  check(converted<std::int32_t>(random_degrees(300, 6, 5, 4)), 400);
  check(scaled<double>(random_degrees(300, 6, 5, 5), 0.1), 400);
  check(scaled<double>(rmat(500, 9, 9, 6), 0.1), 90);

  // Also if some sources are left.
  arc_list<number> path{30, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < path.n; ++v) path.add(v, v + 1, 8000);
  const auto mixed = converted<std::int32_t>(
      side_by_side(side_by_side(random_degrees(100, 4, 5, 7), path), slow_path(500, 1)));
  const list sources = random_sources(mixed.n, 4200, random);
  settings chosen;
  chosen.drops = true;
  const auto first = search(mixed, sources, chosen);
  for (const int threads : {1, 2, 5}) {
    chosen.threads = threads;
    const auto again = search(mixed, sources, chosen);
    BOOST_CHECK(again.sums.of_vertices == first.sums.of_vertices);
    BOOST_CHECK(again.sums.of_arcs == first.sums.of_arcs);
    BOOST_CHECK(again.counts == first.counts);
    BOOST_CHECK(again.lengths == first.lengths);
  }
}

namespace {

/// Checks observation of all calls.
template <class Policy, class T>
void check_observed(const Policy& policy, const arc_list<T>& g, const list& sources) {
  std::vector<double> scores(g.n);
  std::vector<double> of_arcs(g.size());
  apsp::matrix<T> distances(sources.size(), g.n);
  apsp::matrix<double> counts(sources.size(), g.n);
  const auto check = [&](const auto& call) {
    check_progress(policy, sources.size(), call);
    check_stops_between(policy, sources.size(), call);
    check_throwing_callback(policy, call);
    check_watched_and_stopped(policy, sources.size(), call);
  };
  check([&](const auto& watched) {
    return apsp::betweenness(watched, g.view(), sources, scores, of_arcs);
  });
  check([&](const auto& watched) {
    return apsp::count_paths(watched, g.view(), sources, distances, counts);
  });
  check([&](const auto& watched) {
    return apsp::tight_predecessors<T>(
        watched, g.view(), sources,
        [](std::size_t, std::size_t, std::span<const T>, const apsp::predecessor_lists_view&) {});
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_report_sources_and_stop) {
  random_numbers random(16);
  const auto g = random_degrees(300, 6, 9, 8);
  const list sources = random_sources(g.n, 450, random);
  check_observed(apsp::seq, converted<std::int32_t>(g), sources);
  check_observed(apsp::omp.threads(3), scaled<double>(g, 0.1), sources);
  const auto hubs = rmat(400, 9, 9, 8);
  check_observed(apsp::omp.threads(2), converted<std::int32_t>(hubs),
                 random_sources(hubs.n, 150, random));
}

BOOST_AUTO_TEST_CASE(sources_that_are_left_are_reported_once) {
  random_numbers random(17);
  // Without tolerance, so that there are no hierarchies: 16-bit lanes, 32-bit lanes, and rows.
  arc_list<number> path{30, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < path.n; ++v) path.add(v, v + 1, 8000);
  const auto g = converted<double>(
      side_by_side(side_by_side(random_degrees(100, 4, 5, 7), path), slow_path(500, 1)));
  const list sources = random_sources(g.n, 4200, random);
  std::vector<double> scores(g.n);
  apsp::betweenness_options options;
  options.tolerance = 0;
  const auto call = [&](const auto& policy) {
    return apsp::betweenness(policy, g.view(), sources, scores, options);
  };
  check_progress(apsp::omp.threads(2), sources.size(), call);
  check_watched_and_stopped(apsp::seq, sources.size(), call);
  check_stops_between(apsp::omp.threads(2), sources.size(), call);
  const paths_of expected(g);
  std::vector<double> of_vertices(g.n, 0), of_arcs(g.size(), 0);
  BOOST_REQUIRE(call(apsp::seq));
  for (const std::size_t s : sources) expected[s].add_shares(1, of_vertices, of_arcs);
  check_scores(scores, of_vertices, "vertex", 1e-10);
}

BOOST_AUTO_TEST_CASE(exceptions_of_the_function_end_the_call) {
  const auto g = converted<std::int32_t>(random_degrees(100, 4, 9, 8));
  for (const int threads : {1, 3}) {
    int calls = 0;
    check_refused<std::range_error>(
        [&] {
          return apsp::tight_predecessors(
              apsp::omp.threads(threads), g.view(), list(100, 3),
              [&](std::size_t, std::size_t, std::span<const std::int32_t>, const auto&) {
                if (++calls == 3) throw std::range_error("not this one");
              });
        },
        "not this one");
    BOOST_CHECK_EQUAL(calls, 3);
  }
}
