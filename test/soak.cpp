// SPDX-License-Identifier: BSL-1.0
// Random small graphs without end: every algorithm, under every policy that is named, against relaxing
// arcs in numbers wide enough to be exact. `soak --graphs 1000000 --seed 7 --policies seq,omp`; what differs
// is printed with the arcs, and `--first N --graphs 1` with the same seed makes that graph again.
#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/graphs.hpp"

using namespace apsp_test;

namespace {

__extension__ typedef __int128 wide;
/// Holds every sum of weights: those of floating-point graphs are small integers.
template <class T>
using exact_t = std::conditional_t<std::is_integral_v<T>, wide, double>;

struct mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(bool holds, const std::string& what) {
  if (!holds) throw mismatch(what);
}

template <class Where>
void require_at(bool holds, const char* what, Where u, Where v) {
  if (!holds) {
    throw mismatch(std::string(what) + " at (" + std::to_string(u) + ", " + std::to_string(v) +
                   ")");
  }
}

/// The best path from one vertex to another: its length, and of all such the fewest edges.
template <class T>
struct best_path {
  bool exists = false;
  exact_t<T> length{};
  std::int64_t hops = 0;
  bool operator<(const best_path& other) const {
    return length < other.length || (length == other.length && hops < other.hops);
  }
};

/// A graph and all that is right about it.
template <class T>
struct solved_graph {
  arc_list<T> arcs;
  std::vector<std::size_t> sources;  ///< some, with repeats
  apsp::matrix<best_path<T>> best;   ///< unspecified in a row that reaches a negative cycle
  std::vector<char> reaches_negative_cycle;
  apsp::matrix<T>
      lightest;  ///< of all arcs between two vertices; `unreachable` where there is none
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
      // Without a negative cycle the last round, one for every edge of a path and one more, is idle.
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

// --- what is drawn ------------------------------------------------------------------------------

enum class weights {
  small,
  common,
  with_zeros,
  potentials,
  negative,
  extreme,
  mixed_extreme,
  last
};

template <class T>
T draw_weight(weights kind, std::size_t u, std::size_t v,
              const std::vector<std::int64_t>& potential, random_numbers& random) {
  constexpr T largest = (std::numeric_limits<T>::max)();
  switch (kind) {
    case weights::small:
      return static_cast<T>(random(1, 4));
    case weights::with_zeros:
      return static_cast<T>(random(0, 2));
    case weights::potentials:
      return static_cast<T>(random(0, 9) + potential[u] - potential[v]);
    case weights::negative:
      return static_cast<T>(random(-2, 30));
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    const T little = static_cast<T>(random(0, 3));
    const bool may_be_negative = kind == weights::mixed_extreme;
    switch (kind == weights::common ? 9 : random.below(may_be_negative ? 8 : 5)) {
      case 0:
        return largest - little;  // now and then no arc at all
      case 1:
        return largest / 2 + little;
      case 2:
        return largest / 3 - little;
      case 3:
        return little;
      case 4:
        return static_cast<T>(largest / static_cast<T>(random(2, 40)));
      case 5:
        return -largest / 2 - little;
      case 6:
        return -largest + little - 1;  // the lowest value among them
      case 7:
        return static_cast<T>(-static_cast<T>(u < v ? largest / 5 : 0) + little);
      default:
        break;
    }
  }
  return static_cast<T>(random(0, 1000));
}

template <class T>
arc_list<T> draw_graph(random_numbers& random) {
  const std::uint64_t size = random.below(100);
  const std::size_t n = size < 90   ? random.index(13)
                        : size < 99 ? random.index(28)
                                    : random.index(41);
  arc_list<T> g{n, {}, {}, {}};
  if (n == 0) return g;
  const auto kind = static_cast<weights>(random.below(static_cast<std::uint64_t>(weights::last)));
  constexpr double densities[] = {0, 0.05, 0.15, 0.3, 0.6, 1};
  const double density = densities[random.index(std::size(densities))];
  const double self_loops = random.chance(0.5) ? 0.3 : 0;
  // Few negative cycles, and so many graphs without any.
  const bool negative_loops = random.chance(0.02);
  std::vector<std::int64_t> potential(n);
  for (auto& p : potential) p = random(-40, 40);
  const auto add = [&](std::size_t u, std::size_t v) {
    T w = draw_weight<T>(kind, u, v, potential, random);
    if (u == v && w < T{} && !negative_loops) w = T{};
    g.add(u, v, w);
  };
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (random.chance(u == v ? self_loops : density)) add(u, v);
    }
  }
  for (std::uint64_t k = random.chance(0.5) ? random.below(n) : 0; k > 0; --k) {
    add(random.index(n), random.index(n));
  }
  return g;
}

// --- what is right ------------------------------------------------------------------------------

/// @return the distance in T; @p cut becomes true if it does not fit.
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

/// Row i is a tree of shortest paths from source i. What a cut distance has for a predecessor may be none.
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
      if (before[i][x] == -1) break;  // cut, and seen above
      x = static_cast<std::size_t>(before[i][x]);
    }
    require_at(!fewest || is_cut(v) || hops == row[v].hops, "there is a path of fewer edges", i, v);
  }
}

/// Are negative cycles looked for in the whole graph, or only where the sources lead?
enum class looks { everywhere, ahead };

template <class T>
bool must_name_cycle(const solved_graph<T>& g, const std::vector<std::size_t>& sources,
                     looks where) {
  if (where == looks::everywhere) return g.has_negative_cycle;
  return std::any_of(sources.begin(), sources.end(),
                     [&](std::size_t s) { return g.reaches_negative_cycle[s] != 0; });
}

/// @param before  null, or the predecessors.
template <class T>
void check_rows(const solved_graph<T>& g, const std::vector<std::size_t>& sources, looks where,
                const apsp::result& done, const apsp::matrix<T>& distances,
                const hops_matrix* before, bool fewest = false) {
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

// --- the calls ----------------------------------------------------------------------------------

enum class call {
  floyd_warshall,
  floyd_warshall_with_predecessors,
  floyd_warshall_of_fewest_hops,
  floyd_warshall_in_place,
  repeated_squaring,
  all_pairs,
  all_pairs_of_fewest_hops,
  dijkstra,
  bellman_ford,
  johnson,
  dijkstra_from_some,
  bellman_ford_from_some,
  johnson_from_some,
  for_each_row,
  cutoff,
  widest_floyd_warshall,
  widest_dijkstra,
  transitive_closure,
  product,
  summarize_paths,
  last
};
constexpr const char* names[] = {"floyd_warshall",
                                 "floyd_warshall with predecessors",
                                 "floyd_warshall, count_hops",
                                 "floyd_warshall in place",
                                 "repeated_squaring",
                                 "all_pairs_shortest_paths",
                                 "all_pairs_shortest_paths, count_hops",
                                 "dijkstra",
                                 "bellman_ford",
                                 "johnson",
                                 "dijkstra from some sources",
                                 "bellman_ford from some sources",
                                 "johnson from some sources",
                                 "for_each_row",
                                 "cutoff",
                                 "floyd_warshall over max_min",
                                 "dijkstra over max_min",
                                 "transitive_closure",
                                 "min_plus_product",
                                 "summarize_paths"};
static_assert(std::size(names) == static_cast<std::size_t>(call::last));

std::vector<std::size_t> every_vertex(std::size_t n) {
  std::vector<std::size_t> all(n);
  for (std::size_t v = 0; v < n; ++v) all[v] = v;
  return all;
}

/// Calls run(), which must refuse negative weights.
template <class T, class Run>
void run_dijkstra(const solved_graph<T>& g, Run run) {
  if (!g.has_negative_weight) return run();
  try {
    run();
  } catch (const std::invalid_argument&) {
    return;
  }
  throw mismatch("a negative weight is not refused");
}

template <class T>
void check_widest(const solved_graph<T>& g, const apsp::result& done,
                  const apsp::matrix<T>& values) {
  using semiring = apsp::max_min<T>;
  require(bool(done), "it is false");
  const std::size_t n = g.arcs.n;
  std::vector<T> best(n);
  for (std::size_t s = 0; s < n; ++s) {
    std::fill(best.begin(), best.end(), semiring::zero);
    best[s] = semiring::one;
    for (bool changes = true; std::exchange(changes, false);) {
      for (std::size_t k = 0; k < g.arcs.size(); ++k) {
        const T through = std::min(best[g.source(k)], g.arcs.weights[k]);
        if (g.arcs.weights[k] == apsp::unreachable<T> || !(best[g.target(k)] < through)) continue;
        best[g.target(k)] = through;
        changes = true;
      }
    }
    for (std::size_t v = 0; v < n; ++v) require_at(values[s][v] == best[v], "another width", s, v);
  }
}

/// c = min(c, a + b), all three the weights of the graph.
template <class T>
void check_product(const solved_graph<T>& g, const apsp::matrix<T>& c) {
  for (std::size_t i = 0; i < g.arcs.n; ++i) {
    for (std::size_t j = 0; j < g.arcs.n; ++j) {
      best_path<T> best;
      const auto offer = [&](const exact_t<T>& length) {
        if (!best.exists || length < best.length) best = {true, length, 0};
      };
      if (g.lightest[i][j] != apsp::unreachable<T>) offer(g.lightest[i][j]);
      for (std::size_t k = 0; k < g.arcs.n; ++k) {
        if (g.lightest[i][k] == apsp::unreachable<T> || g.lightest[k][j] == apsp::unreachable<T>) {
          continue;
        }
        offer(exact_t<T>(g.lightest[i][k]) + exact_t<T>(g.lightest[k][j]));
      }
      bool cut = false;
      require_at(c[i][j] == in_type(best, cut), "another sum", i, j);
    }
  }
}

template <class T, class Policy>
void run_call(call what, const Policy& policy, const solved_graph<T>& g) {
  const auto view = g.arcs.view();
  const std::size_t n = g.arcs.n;
  const bool from_some = what == call::dijkstra_from_some || what == call::bellman_ford_from_some ||
                         what == call::johnson_from_some || what == call::for_each_row;
  const auto sources = from_some ? g.sources : every_vertex(n);
  apsp::matrix<T> d(sources.size(), n, T(77));
  hops_matrix p(sources.size(), n, 77);
  const auto check = [&](const apsp::result& done, looks where = looks::everywhere,
                         bool fewest = false) {
    check_rows(g, sources, where, done, d, &p, fewest);
  };
  switch (what) {
    case call::floyd_warshall:
      return check_rows(g, sources, looks::everywhere, apsp::floyd_warshall(policy, view, d), d,
                        nullptr);
    case call::floyd_warshall_with_predecessors:
      return check(apsp::floyd_warshall(policy, view, d, p));
    case call::floyd_warshall_of_fewest_hops:
      return check(apsp::floyd_warshall(policy.count_hops(), view, d, p), looks::everywhere, true);
    case call::floyd_warshall_in_place:
      d = g.lightest;
      return check_rows(g, sources, looks::everywhere, apsp::floyd_warshall(policy, d, d), d,
                        nullptr);
    case call::repeated_squaring:
      return check(apsp::repeated_squaring(policy, view, d, p));
    case call::all_pairs:
      return check(apsp::all_pairs_shortest_paths(policy, view, d, p));
    case call::all_pairs_of_fewest_hops:
      return check(apsp::all_pairs_shortest_paths(policy.count_hops(), view, d, p),
                   looks::everywhere, true);
    case call::dijkstra:
      return run_dijkstra(g, [&] { check(apsp::dijkstra(policy, view, d, p)); });
    case call::bellman_ford:
      return check(apsp::bellman_ford(policy, view, d, p), looks::ahead);
    case call::johnson:
      return check(apsp::johnson(policy, view, d, p));
    case call::dijkstra_from_some:
      return run_dijkstra(g, [&] { check(apsp::dijkstra(policy, view, sources, d, p)); });
    case call::bellman_ford_from_some:
      return check(apsp::bellman_ford(policy, view, sources, d, p), looks::ahead);
    case call::johnson_from_some:
      return check(apsp::johnson(policy.count_hops(), view, sources, d, p), looks::everywhere,
                   true);
    case call::for_each_row: {
      std::size_t count = 0;
      const auto take = [&](std::size_t s, std::span<const T> row,
                            std::span<const std::int32_t> before) {
        ++count;
        for (std::size_t i = 0; i < sources.size(); ++i) {
          if (sources[i] != s) continue;
          std::copy(row.begin(), row.end(), d[i]);
          std::copy(before.begin(), before.end(), p[i]);
        }
      };
      const auto done = apsp::for_each_row(policy, view, sources, take);
      require(count == (done ? sources.size() : 0), "another number of rows");
      return check(done);
    }
    case call::cutoff: {
      const T limit = static_cast<T>(g.arcs.size() % 7);
      const auto done =
          apsp::all_pairs_shortest_paths(policy.cutoff(static_cast<long double>(limit)), view, d);
      if (must_name_cycle(g, sources, looks::everywhere)) {
        require(!done, "a negative cycle is not noticed");
        return check_cycle(g, done.negative_cycle());
      }
      bool cut = false;
      for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
          const T e = in_type(g.best[u][v], cut);
          require_at(d[u][v] == (limit < e ? apsp::unreachable<T> : e), "another distance", u, v);
        }
      }
      return;
    }
    case call::widest_floyd_warshall:
      return check_widest(g, apsp::floyd_warshall(policy, view, d, p, apsp::max_min<T>{}), d);
    case call::widest_dijkstra:
      return check_widest(g, apsp::dijkstra(policy, view, d, apsp::max_min<T>{}), d);
    case call::transitive_closure: {
      apsp::bit_matrix bits(n);
      require(bool(apsp::transitive_closure(policy, view, bits)), "it is false");
      for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
          require_at(bits(u, v) == g.best[u][v].exists, "another bit", u, v);
        }
      }
      return;
    }
    case call::product:
      d = g.lightest;
      require(bool(apsp::min_plus_product(policy, d, g.lightest, d)), "it is false");
      return check_product(g, d);
    default: {
      const auto summary = apsp::summarize_paths(policy, view);
      require(bool(summary) != g.has_negative_cycle, "a negative cycle, or none");
      for (std::size_t u = 0; summary && u < n; ++u) {
        exact_t<T> sum{};
        std::size_t reached = 0;
        for (std::size_t v = 0; v < n; ++v) {
          bool cut = false;
          const T e = in_type(g.best[u][v], cut);
          if (v == u || e == apsp::unreachable<T>) continue;
          ++reached;
          sum += e;
        }
        require_at(summary[u].num_reached == reached, "another number of vertices", u, u);
        require_at(summary[u].sum == sum, "another sum", u, u);
      }
    }
  }
}

/// Graphs of one type that are solved in one call, too.
template <class T>
struct batch {
  std::vector<std::uint64_t> numbers;
  std::vector<solved_graph<T>> graphs;
};

// --- the program --------------------------------------------------------------------------------

struct options {
  std::uint64_t graphs = 4000;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  std::uint64_t calls = 2;
  std::vector<std::string> policies{"seq", "omp"};
};

constexpr const char* usage =
    "soak [--graphs N] [--seed S] [--first N] [--policies seq,omp,cuda_naive,cuda_tiled] [--calls "
    "C]\n"
    "  --first N   the number of the first graph\n"
    "  --calls C   calls per graph under a policy other than seq, drawn anew for every graph; 0: "
    "all of "
    "them\n"
    "Under seq every graph is given to every algorithm. A call under cuda_* must not fall back.\n";

class soak {
 public:
  explicit soak(const options& given) : options_(given) {}

  /// @throws apsp::device_error if a policy cannot run at all.
  void require_policies() const {
    for (const std::string& policy : options_.policies) {
      with_policy(policy, [](const auto& with) {
        apsp::matrix<float> m(1);
        static_cast<void>(apsp::floyd_warshall(with, m, m));
      });
    }
  }

  int run() {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double next_report = 10;
    for (std::uint64_t i = options_.first; i < options_.first + options_.graphs; ++i) {
      // A generator for each, so that any can be made alone.
      random_numbers random(options_.seed * 0x9e3779b97f4a7c15u + i);
      bool right = true;
      switch (random.below(4)) {
        case 0:
          right = try_graph<std::int32_t>(i, random, batches_int32_);
          break;
        case 1:
          right = try_graph<std::int64_t>(i, random, batches_int64_);
          break;
        case 2:
          right = try_graph<float>(i, random, batches_float_);
          break;
        default:
          right = try_graph<double>(i, random, batches_double_);
      }
      if (!right) return 1;
      if (seconds() < next_report) continue;
      std::cout << i + 1 - options_.first << " graphs, " << calls_ << " calls, " << seconds()
                << " s" << std::endl;
      next_report = seconds() * 1.5;
    }
    const bool right = try_batch(batches_int32_) && try_batch(batches_int64_) &&
                       try_batch(batches_float_) && try_batch(batches_double_);
    if (!right) return 1;
    std::cout << "seed " << options_.seed << ": " << options_.graphs << " graphs, "
              << with_negative_cycle_ << " of them with a negative cycle, " << calls_ << " calls, "
              << seconds() << " s, all right" << std::endl;
    return 0;
  }

 private:
  static constexpr std::size_t graphs_in_batch = 32;

  template <class T>
  bool try_graph(std::uint64_t number, random_numbers& random, batch<T>& together) {
    solved_graph<T> g(draw_graph<T>(random));
    for (std::uint64_t k = g.arcs.n == 0 ? 0 : random.below(5); k > 0; --k) {
      g.sources.push_back(random.index(g.arcs.n));
    }
    if (g.has_negative_cycle) ++with_negative_cycle_;
    constexpr auto all = static_cast<std::uint64_t>(call::last);
    for (const std::string& policy : options_.policies) {
      const bool tries_all = policy == "seq" || options_.calls == 0 || options_.calls >= all;
      for (std::uint64_t k = 0; k < (tries_all ? all : options_.calls); ++k) {
        const auto what = static_cast<call>(tries_all ? k : random.below(all));
        const bool right = is_right(number, g, policy, names[static_cast<std::size_t>(what)], [&] {
          with_policy(policy, [&](const auto& with) { run_call(what, with, g); });
        });
        if (!right) return false;
      }
    }
    together.numbers.push_back(number);
    together.graphs.push_back(std::move(g));
    return together.graphs.size() < graphs_in_batch || try_batch(together);
  }

  template <class T>
  bool try_batch(batch<T>& together) {
    using view = decltype(std::declval<const arc_list<T>&>().view());
    for (const std::string& policy : options_.policies) {
      std::vector<view> views;
      std::vector<apsp::matrix<T>> distances;
      for (const auto& g : together.graphs) {
        views.push_back(g.arcs.view());
        distances.emplace_back(g.arcs.n, g.arcs.n, T(77));
      }
      std::vector<apsp::result> done;
      with_policy(policy,
                  [&](const auto& with) { done = apsp::floyd_warshall(with, views, distances); });
      for (std::size_t i = 0; i < views.size(); ++i) {
        const auto& g = together.graphs[i];
        const bool right =
            is_right(together.numbers[i], g, policy, "floyd_warshall of a batch", [&] {
              check_rows(g, every_vertex(g.arcs.n), looks::everywhere, done[i], distances[i],
                         nullptr);
            });
        if (!right) return false;
      }
    }
    together = {};
    return true;
  }

  template <class F>
  static void with_policy(std::string_view name, F f) {
    if (name == "seq") return f(apsp::seq);
    if (name == "omp") return f(apsp::omp);
    if (name == "cuda_naive") return f(apsp::cuda_naive.required());
    if (name == "cuda_tiled") return f(apsp::cuda_tiled.required());
    throw std::invalid_argument("no policy is called " + std::string(name));
  }

  /// Runs action(), and prints what is wrong.
  template <class T, class Action>
  bool is_right(std::uint64_t number, const solved_graph<T>& g, const std::string& policy,
                const char* what, Action action) {
    ++calls_;
    try {
      action();
      return true;
    } catch (const std::exception& error) {
      std::cout << "seed " << options_.seed << ", graph " << number << ", " << policy << ", "
                << what << ": " << error.what() << "\n  " << g.arcs.n << " vertices, weights of "
                << sizeof(T) << " bytes, "
                << (std::is_integral_v<T> ? "integers" : "floating point") << "\n  sources:";
      for (const std::size_t s : g.sources) std::cout << ' ' << s;
      std::cout << '\n';
      for (std::size_t k = 0; k < g.arcs.size(); ++k) {
        std::cout << "  " << g.source(k) << " -> " << g.target(k) << ": " << g.arcs.weights[k]
                  << '\n';
      }
      std::cout << std::flush;
      return false;
    }
  }

  options options_;
  std::uint64_t calls_ = 0;
  std::uint64_t with_negative_cycle_ = 0;
  batch<std::int32_t> batches_int32_;
  batch<std::int64_t> batches_int64_;
  batch<float> batches_float_;
  batch<double> batches_double_;
};

options parse(int count, char** words) {
  options given;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = words[i];
    if (i + 1 == count) throw std::invalid_argument(usage);
    const std::string value = words[i + 1];
    if (name == "--graphs") {
      given.graphs = std::stoull(value);
    } else if (name == "--first") {
      given.first = std::stoull(value);
    } else if (name == "--seed") {
      given.seed = std::stoull(value);
    } else if (name == "--calls") {
      given.calls = std::stoull(value);
    } else if (name == "--policies") {
      given.policies.clear();
      std::istringstream list(value);
      for (std::string policy; std::getline(list, policy, ',');) given.policies.push_back(policy);
    } else {
      throw std::invalid_argument(usage);
    }
  }
  return given;
}

}  // namespace

int main(int count, char** words) {
  try {
    soak program(parse(count, words));
    try {
      program.require_policies();
    } catch (const apsp::device_error& error) {
      // The exit status by which CTest knows a test that was skipped.
      constexpr int skipped = 77;
      std::cout << "skipped: " << error.what() << std::endl;
      return skipped;
    }
    return program.run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
