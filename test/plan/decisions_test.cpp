// SPDX-License-Identifier: BSL-1.0
// The algorithms that calls choose, compared with the table decisions.csv: a change of a decision
// changes the table, in a commit that gives the times. Calls on the host are made; for devices only
// the planner is asked. With the path of a file in APSP_WRITE_DECISIONS, the table is written
// there.
#define BOOST_TEST_MODULE decisions
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/csr.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <detail/plan/plan_call.hpp>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"

using namespace apsp_test;

namespace {

constexpr std::uint64_t seed = 7;

template <class T>
std::string type_name() {
  const std::string kind = std::is_floating_point_v<T> ? "f" : "i";
  return kind + std::to_string(8 * sizeof(T));
}

template <class T>
csr_arrays<T> undirected_grid(std::size_t side, std::int32_t largest_weight) {
  return grid_graph<T>(side, side, largest_weight, seed);
}

/// Potentials make some weights negative, and no cycle.
template <class T>
csr_arrays<T> with_negative_weights(csr_arrays<T> g) {
  random_numbers random(seed);
  std::vector<T> potentials(g.num_vertices());
  for (T& p : potentials) p = static_cast<T>(random(0, 40));
  std::size_t a = 0;
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    for (; a < static_cast<std::size_t>(g.offsets[u + 1]); ++a) {
      g.weights[a] += potentials[static_cast<std::size_t>(g.targets[a])] - potentials[u];
    }
  }
  return g;
}

std::vector<int> first_vertices(std::size_t count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

class table {
 public:
  void add(const std::string& call, apsp::algorithm chosen) {
    lines_.push_back(call + ',' + std::string(apsp::to_string(chosen)));
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

template <class T>
void add_calls(table& made, const std::string& name, const csr_arrays<T>& g, bool all_pairs) {
  const std::size_t n = g.num_vertices();
  const std::string start = "seq," + name + ',' + std::to_string(n) + ',' +
                            std::to_string(g.num_edges()) + ',' + type_name<T>();
  const auto policy = apsp::seq;
  const auto nothing = [](std::size_t, std::span<const T>) {};
  const auto nothing_of_trees = [](std::size_t, std::span<const T>, std::span<const std::int32_t>) {
  };
  if (all_pairs) {
    apsp::matrix<T> d(n);
    apsp::matrix<std::int32_t> p(n);
    made.add(start + ",all_pairs,",
             apsp::all_pairs_shortest_paths(policy, g.view(), d).algorithm());
    made.add(start + ",all_pairs,predecessors",
             apsp::all_pairs_shortest_paths(policy, g.view(), d, p).algorithm());
    if (g.weights.front() > T{}) {
      made.add(start + ",all_pairs,cutoff",
               apsp::all_pairs_shortest_paths(policy.cutoff(10), g.view(), d).algorithm());
    }
  }
  for (const std::size_t count : {1u, 16u, 64u, 1024u}) {
    if (count > n) continue;
    const auto sources = first_vertices(count);
    const std::string rows = start + ",rows of " + std::to_string(count) + ',';
    made.add(rows, apsp::for_each_row(policy, g.view(), sources, nothing).algorithm());
    if (count <= 64) {
      made.add(rows + "predecessors",
               apsp::for_each_row(policy, g.view(), sources, nothing_of_trees).algorithm());
    }
  }
  for (const auto& [from, to] : {std::pair{1u, 1u}, {64u, 64u}, {256u, 4u}, {4u, 256u}}) {
    apsp::matrix<T> d(from, to);
    made.add(start + ",table," + std::to_string(from) + " x " + std::to_string(to),
             apsp::distance_table(policy, g.view(), first_vertices(from), first_vertices(to), d)
                 .algorithm());
  }
  made.add(start + ",within 30,",
           apsp::distances_within(policy, g.view(), 30, first_vertices(64)).status().algorithm());
}

template <class T>
void add_semirings(table& made, const std::string& name, const csr_arrays<T>& g, bool all_pairs) {
  const std::size_t n = g.num_vertices();
  const std::string start = "seq," + name + ',' + std::to_string(n) + ',' +
                            std::to_string(g.num_edges()) + ",max_min of " + type_name<T>();
  if (all_pairs) {
    apsp::matrix<T> d(n);
    made.add(
        start + ",all_pairs,",
        apsp::all_pairs_shortest_paths(apsp::seq, g.view(), d, apsp::max_min<T>{}).algorithm());
  }
  for (const std::size_t count : {1u, 64u, 1024u}) {
    if (count > n) continue;
    apsp::matrix<T> d(count, n);
    const auto nothing = [](std::size_t, std::span<const T>) {};
    made.add(
        start + ",rows of " + std::to_string(count) + ',',
        apsp::for_each_row(apsp::seq, g.view(), first_vertices(count), nothing, apsp::max_min<T>{})
            .algorithm());
  }
}

template <class T>
void add_graphs(table& made, bool few) {
  const std::vector<std::pair<std::string, std::function<csr_arrays<T>()>>> graphs{
      {"grid", [] { return undirected_grid<T>(20, 99); }},
      {"grid", [] { return undirected_grid<T>(64, 99); }},
      {"grid of equal weights", [] { return undirected_grid<T>(40, 1); }},
      {"random 4", [] { return fixed_degree_graph<T>(300, 4, 99, seed); }},
      {"random 4", [] { return fixed_degree_graph<T>(1100, 4, 99, seed); }},
      {"random 16", [] { return fixed_degree_graph<T>(1100, 16, 99, seed); }},
      {"random 4 of equal weights", [] { return fixed_degree_graph<T>(1100, 4, 1, seed); }},
      {"rmat 4", [] { return rmat_graph<T>(2048, 4, 99, seed); }},
      {"rmat 16", [] { return rmat_graph<T>(2048, 16, 99, seed); }},
      {"rmat 16 of equal weights", [] { return rmat_graph<T>(2048, 16, 1, seed); }},
      {"dense", [] { return gnp_graph<T>(300, 0.5, 99, seed); }},
      {"ring", [] { return ring_graph<T>(2000, ring_kind::both_ways, 99, seed); }},
      {"grid with negative weights",
       [] { return with_negative_weights(undirected_grid<T>(40, 99)); }},
      {"random 4 with negative weights",
       [] { return with_negative_weights(fixed_degree_graph<T>(1100, 4, 99, seed)); }},
  };
  for (const auto& [name, make] : graphs) {
    const csr_arrays<T> g = make();
    add_calls<T>(made, name, g, !few || g.num_vertices() < 1500);
    if (!few && name.find("negative") == std::string::npos) add_semirings<T>(made, name, g, true);
  }
}

/// Of a breadth-first search.
struct levels {
  std::size_t count;
  double widest;       ///< The part of all vertices in the widest one.
  double reached = 1;  ///< The part of them in all levels.
};

/// The algorithm once the levels are known that the plan may ask for.
apsp::algorithm planned(apsp::detail::call_facts facts, const levels& found) {
  auto plan = apsp::detail::plan_call(facts);
  if (plan.missing == apsp::detail::missing_fact::num_levels) {
    facts.num_levels = found.count;
    facts.widest_level = found.widest;
    facts.reached_share = found.reached;
    plan = apsp::detail::plan_call(facts);
  }
  return plan.method;
}

/// What is planned for devices, of graphs that have no order of elimination that pays.
void add_planned(table& made) {
  using apsp::detail::call_facts;
  using apsp::detail::distance_kind;
  for (const apsp::backend target : {apsp::backend::cuda_naive, apsp::backend::cuda_tiled}) {
    for (const auto& [kind, type] :
         {std::pair{distance_kind::float32, "f32"}, {distance_kind::int64, "i64"}}) {
      for (const std::size_t n : {1024u, 4096u, 16384u, 65536u}) {
        for (const std::size_t degree : {4u, 16u, 256u}) {
          for (const std::size_t sources :
               {std::size_t{1}, std::size_t{64}, std::size_t{1024}, n}) {
            for (const bool is_negative : {false, true}) {
              call_facts facts;
              facts.target = target;
              facts.kind = kind;
              facts.num_vertices = n;
              facts.num_arcs = n * degree;
              facts.num_sources = sources;
              facts.has_negative_weight = is_negative;
              facts.kind_after_reweighting =
                  kind == distance_kind::float32 ? distance_kind::float64 : kind;
              facts.is_whole_matrix = sources == n;
              facts.order = apsp::detail::order_state::none;
              const std::string call = std::string(apsp::to_string(target)) + ",planned," +
                                       std::to_string(n) + ',' + std::to_string(n * degree) + ',' +
                                       type + ",rows of " + std::to_string(sources);
              made.add(call + (is_negative ? ",negative" : ","), planned(facts, {8, 0.5}));
              if (is_negative || target == apsp::backend::cuda_naive) continue;
              const auto num_levels = static_cast<std::size_t>(std::sqrt(n));
              made.add(call + ",deep", planned(facts, {num_levels, 0.02}));
            }
          }
        }
      }
    }
  }
}

/// The most vertices with 4 arcs each for which Floyd–Warshall is chosen.
std::size_t most_vertices(apsp::backend target, apsp::detail::distance_kind kind, bool are_short) {
  std::size_t most = 0;
  for (std::size_t n = 2; n < 4096; ++n) {
    apsp::detail::call_facts facts;
    facts.target = target;
    facts.kind = kind;
    facts.num_vertices = facts.num_sources = n;
    facts.num_arcs = 4 * n;
    facts.has_short_weights = are_short;
    facts.is_whole_matrix = true;
    facts.order = apsp::detail::order_state::none;
    // Of random graphs of this size.
    facts.num_levels = 10;
    facts.widest_level = 0.4;
    if (apsp::detail::plan_call(facts).method == apsp::algorithm::floyd_warshall) most = n;
  }
  return most;
}

/// A graph of perf/results/h100_choice.csv, with what a breadth-first search finds.
struct measured_graph {
  const char* name;
  std::size_t num_vertices;
  std::size_t num_arcs;
  levels found;
};
constexpr measured_graph measured_graphs[] = {
    {"random", 4096, 16384, {11, 0.39, 0.983}},       {"random", 16384, 65536, {12, 0.39, 0.98}},
    {"rmat", 4096, 16384, {5, 0.32, 0.491}},          {"rmat", 16384, 65536, {6, 0.30, 0.444}},
    {"grid", 4096, 16128, {125, 0.016, 1}},           {"grid", 16384, 65024, {253, 0.008, 1}},
    {"random16", 16384, 262144, {6, 0.741, 1}},       {"rmat16", 16384, 262144, {5, 0.492, 0.673}},
    {"wiki", 7115, 103689, {5, 0.157, 0.326}},        {"4elt", 7434, 86062, {65, 0.029, 1}},
    {"cube", 64000, 208400, {46, 0.0004, 0.012}},     {"copter2", 55476, 704476, {43, 0.038, 1}},
    {"luxembourg", 76595, 175323, {260, 0.012, 0.97}}};

/// Milliseconds by case.
std::map<std::string, double> read_times(const std::string& path) {
  std::map<std::string, double> times;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t comma = line.find(',');
    if (line.starts_with("choice/"))
      times[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
  }
  return times;
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decisions_are_those_of_the_table) {
  table made;
  add_graphs<float>(made, false);
  add_graphs<std::int32_t>(made, true);
  add_graphs<double>(made, true);
  add_graphs<std::int64_t>(made, true);
  add_planned(made);
  if (const char* const path = std::getenv("APSP_WRITE_DECISIONS")) {
    std::ofstream file(path);
    for (const std::string& line : made.lines()) file << line << '\n';
    return;
  }
  const auto expected = read_lines(APSP_TEST_DECISIONS);
  BOOST_CHECK_EQUAL_COLLECTIONS(made.lines().begin(), made.lines().end(), expected.begin(),
                                expected.end());
}

// From one source, where a breadth-first search would take a large part of the call, up to 1.7
// times as long as the fastest algorithm; otherwise 1.25.
BOOST_AUTO_TEST_CASE(a_device_takes_an_algorithm_that_is_among_the_fastest_measured) {
  auto times = read_times(APSP_TEST_RESULTS "/h100_choice.csv");
  const auto pulled = read_times(APSP_TEST_RESULTS "/h200_pulled_tiles.csv");
  std::vector<std::string> not_measured;
  for (const measured_graph& g : measured_graphs) {
    for (const std::size_t sources :
         {std::size_t{1}, std::size_t{64}, std::size_t{1024}, g.num_vertices}) {
      const std::string start = "choice/cuda_tiled/f32/" + std::string(g.name) + '/' +
                                std::to_string(g.num_vertices) +
                                "/sources:" + std::to_string(sources) + "/resident/";
      // Bellman–Ford from all sources, in which vertices pull, was measured later, on another card.
      const std::string from_all = start + "bellman_ford";
      if (sources == g.num_vertices && pulled.contains(from_all)) {
        times[from_all] = pulled.at(from_all);
      }
      double best = std::numeric_limits<double>::infinity();
      for (const char* const name : {"dijkstra", "bellman_ford", "floyd_warshall", "elimination"}) {
        const auto found = times.find(start + name);
        if (found != times.end()) best = std::min(best, found->second);
      }
      apsp::detail::call_facts facts;
      facts.target = apsp::backend::cuda_tiled;
      facts.kind = apsp::detail::distance_kind::float32;
      facts.num_vertices = g.num_vertices;
      facts.num_arcs = g.num_arcs;
      facts.num_sources = sources;
      facts.is_whole_matrix = sources == g.num_vertices;
      facts.order = apsp::detail::order_state::none;
      const std::string name = start + std::string(apsp::to_string(planned(facts, g.found)));
      const auto chosen = times.find(name);
      if (chosen == times.end()) {
        not_measured.push_back(name);
        continue;
      }
      BOOST_CHECK_MESSAGE(
          chosen->second <= (sources == 1 ? 1.7 : 1.25) * best,
          chosen->first << " takes " << chosen->second << " ms, the fastest one " << best);
    }
  }
  // All sources of large graphs take long.
  const std::string start = "choice/cuda_tiled/f32/";
  const std::vector expected{start + "cube/64000/sources:64000/resident/dijkstra",
                             start + "copter2/55476/sources:55476/resident/dijkstra",
                             start + "luxembourg/76595/sources:76595/resident/dijkstra"};
  BOOST_CHECK_EQUAL_COLLECTIONS(not_measured.begin(), not_measured.end(), expected.begin(),
                                expected.end());
}

BOOST_AUTO_TEST_CASE(pages_have_the_thresholds) {
  using apsp::backend;
  using apsp::detail::distance_kind;
  std::string page;
  for (const std::string& line : read_lines(APSP_TEST_DOCS "/per_source.md")) page += line + ' ';
  const auto check = [&](backend target, distance_kind kind, bool are_short, const char* type) {
    const std::string words =
        "n = " + std::to_string(most_vertices(target, kind, are_short)) + type;
    BOOST_CHECK_MESSAGE(page.find(words) != std::string::npos, "expected \"" + words + '"');
  };
  check(backend::seq, distance_kind::int32, false, " for `int32_t`");
  check(backend::seq, distance_kind::float32, false, " for `float`");
  check(backend::seq, distance_kind::int64, false, " for `int64_t`");
  check(backend::seq, distance_kind::float64, false, " for `double`");
  check(backend::seq, distance_kind::float64, true, " in floating point");
  check(backend::seq, distance_kind::int64, true, " for `int64_t`");
  check(backend::cuda_tiled, distance_kind::int32, false, " for `int32_t`");
}
