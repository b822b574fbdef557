// SPDX-License-Identifier: BSL-1.0
// All predecessors on shortest paths, and all shortest paths, compared to a search for all simple
// walks: policies x types, parallel arcs, self-loops, and weights of 0 or below. Weights are whole
// multiples of a unit that floating-point types represent.
#define BOOST_TEST_MODULE tight_predecessors
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/betweenness_options.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/dense.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/shortest_paths.hpp>
#include <apsp/tight_predecessors.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <boost/graph/adjacency_list.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
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

static_assert(std::ranges::input_range<apsp::shortest_paths_view>);
static_assert(std::ranges::view<apsp::shortest_paths_view>);
static_assert(!std::ranges::forward_range<apsp::shortest_paths_view>);

namespace {

using vertices = std::vector<std::int32_t>;

/// All shortest paths from one vertex, among all walks from it without a repeated vertex.
template <class T>
class all_paths_from {
 public:
  /// @param limit  longer paths do not count.
  all_paths_from(const arc_list<T>& g, std::size_t source,
                 std::optional<wide_t<T>> limit = std::nullopt)
      : g_(g), limit_(limit), best_(g.n), paths_(g.n) {
    vertices walk{static_cast<std::int32_t>(source)};
    extend(walk, 0);
  }
  const std::optional<wide_t<T>>& distance(std::size_t v) const { return best_[v]; }
  /// In lexicographic order from the target back, each once.
  std::vector<vertices> paths(std::size_t v) const {
    std::vector<vertices> found(paths_[v].begin(), paths_[v].end());
    for (vertices& path : found) std::reverse(path.begin(), path.end());
    return found;
  }
  /// The last but one vertices of the paths, ascending.
  vertices predecessors(std::size_t v) const {
    std::set<std::int32_t> found;
    for (const vertices& path : paths_[v]) {
      if (path.size() > 1) found.insert(path[1]);
    }
    return {found.begin(), found.end()};
  }

 private:
  void extend(vertices& walk, wide_t<T> length) {
    const auto v = static_cast<std::size_t>(walk.back());
    if ((!limit_ || !(*limit_ < length)) && (!best_[v] || !(*best_[v] < length))) {
      if (best_[v] && length < *best_[v]) paths_[v].clear();
      best_[v] = length;
      paths_[v].emplace(walk.rbegin(), walk.rend());
    }
    for (std::size_t k = 0; k < g_.size(); ++k) {
      if (g_.from(k) != v || g_.weights[k] == apsp::unreachable<T>) continue;
      if (std::find(walk.begin(), walk.end(), g_.targets[k]) != walk.end()) continue;
      walk.push_back(g_.targets[k]);
      extend(walk, length + static_cast<wide_t<T>>(g_.weights[k]));
      walk.pop_back();
    }
  }

  const arc_list<T>& g_;
  std::optional<wide_t<T>> limit_;
  std::vector<std::optional<wide_t<T>>> best_;
  std::vector<std::set<vertices>> paths_;  ///< From the target back.
};

std::vector<vertices> collected(const apsp::shortest_paths_view& paths) {
  std::vector<vertices> found;
  for (const auto path : paths) found.emplace_back(path.begin(), path.end());
  return found;
}

/// What a call passed for one source.
template <class D>
struct passed {
  std::size_t source;
  std::vector<D> distances;
  apsp::predecessor_lists predecessors;
};

/// Makes a call, which must pass each row once, and not two at a time.
template <class D, class Policy, class Graph, class Sources>
std::vector<passed<D>> rows_of(const Policy& policy, const Graph& graph, const Sources& sources,
                               std::size_t num_sources,
                               const apsp::path_count_options& options = {}) {
  std::vector<std::optional<passed<D>>> rows(num_sources);
  std::atomic<int> running{0};
  bool overlap = false;
  const auto take = [&](std::size_t row, std::size_t source, std::span<const D> distances,
                        const apsp::predecessor_lists_view& predecessors) {
    overlap = overlap || running.fetch_add(1) != 0;
    BOOST_REQUIRE(row < rows.size() && !rows[row]);
    rows[row] = passed<D>{
        source, {distances.begin(), distances.end()}, apsp::predecessor_lists(predecessors)};
    --running;
  };
  BOOST_REQUIRE(apsp::tight_predecessors<D>(policy, graph, sources, take, options));
  BOOST_CHECK(!overlap);
  std::vector<passed<D>> all;
  for (auto& row : rows) {
    BOOST_REQUIRE(row.has_value());
    all.push_back(std::move(*row));
  }
  return all;
}

template <class T, class Policy, class Graph>
void check_predecessors(const Policy& policy, const arc_list<T>& g, const Graph& graph,
                        const list& sources, std::optional<wide_t<T>> limit = std::nullopt) {
  const auto rows = rows_of<T>(policy, graph, sources, sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const passed<T>& row = rows[i];
    const all_paths_from<T> expected(g, sources[i], limit);
    BOOST_REQUIRE_EQUAL(row.source, sources[i]);
    BOOST_REQUIRE_EQUAL(row.predecessors.source, sources[i]);
    BOOST_REQUIRE_EQUAL(row.distances.size(), g.n);
    const apsp::predecessor_lists_view lists = row.predecessors.view();
    BOOST_REQUIRE_EQUAL(lists.size(), g.n);
    for (std::size_t v = 0; v < g.n; ++v) {
      const auto& d = expected.distance(v);
      BOOST_REQUIRE(row.distances[v] == (d ? static_cast<T>(*d) : apsp::unreachable<T>));
      const vertices before = expected.predecessors(v);
      BOOST_REQUIRE_EQUAL_COLLECTIONS(lists[v].begin(), lists[v].end(), before.begin(),
                                      before.end());
      BOOST_REQUIRE(collected(apsp::shortest_paths(lists, v)) == expected.paths(v));
      BOOST_REQUIRE(collected(apsp::shortest_paths(row.predecessors, v)) == expected.paths(v));
    }
  }
}

const auto ignore = [](std::size_t, std::size_t, const auto&, const auto&) {};

apsp::path_count_options with_tolerance(double tolerance) {
  apsp::path_count_options options;
  options.tolerance = tolerance;
  return options;
}

/// The predecessors of vertex @p v on paths from vertex 0.
template <class D, class T>
vertices before_vertex(const arc_list<T>& g, std::size_t v,
                       const apsp::path_count_options& options = {}) {
  const auto rows = rows_of<D>(apsp::seq, g.view(), list{0}, 1, options);
  const auto lists = rows[0].predecessors.view();
  return {lists[v].begin(), lists[v].end()};
}

}  // namespace

// --- Small graphs --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(predecessors_and_paths_are_those_of_all_walks, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(11);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = seed < 12 ? seed / 4 : 3 + random.index(5);
      const auto g = random_arcs<T>(n, random.index(3 * n + 1), seed % 3 == 1, seed % 3 == 2, seed);
      check_predecessors(Case::policy(), g, g.view(), some_sources(n, random));
    }
  }
}

using other_types = std::tuple<unsigned, short, std::uint64_t, long double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(other_types_have_predecessors_as_well, T, other_types) {
  random_numbers random(12);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = 1 + random.index(7);
      const bool negative = seed % 3 == 2 && !std::is_unsigned_v<T>;
      const auto g = random_arcs<T>(n, random.index(3 * n), seed % 3 == 1, negative, seed + 100);
      check_predecessors(apsp::seq, g, g.view(), some_sources(n, random));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(longer_paths_than_the_cutoff_have_no_predecessors, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  random_numbers random(13);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = 3 + random.index(5);
      const auto g = random_arcs<T>(n, 3 * n, seed % 2 == 0, false, seed + 200);
      const double cutoff = static_cast<double>(random(0, 6)) * unit<T>;
      check_predecessors(Case::policy().cutoff(cutoff), g, g.view(), some_sources(n, random),
                         static_cast<wide_t<T>>(cutoff));
    }
  }
}

BOOST_AUTO_TEST_CASE(dense_and_prepared_graphs_have_the_same_predecessors) {
  random_numbers random(14);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = 2 + random.index(6);
      const auto g = random_arcs<int>(n, 3 * n, seed % 2 == 0, seed % 3 == 0, seed + 300);
      const list sources = some_sources(n, random);
      check_predecessors(apsp::omp.threads(2), g, dense_form(g), sources);
      check_predecessors(apsp::seq, g, apsp::contraction_hierarchy(apsp::seq, g.view()), sources);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_predecessor_with_parallel_arcs_is_there_once) {
  const auto g = make_graph<int>(
      4, {{2, 3, 1}, {0, 1, 1}, {1, 3, 1}, {0, 1, 1}, {0, 2, 1}, {1, 3, 2}, {2, 3, 1}, {1, 3, 1}});
  for (const bool merged : {false, true}) {
    apsp::path_count_options options;
    options.merge_parallel = merged;
    BOOST_CHECK(before_vertex<int>(g, 3, options) == (vertices{1, 2}));
    BOOST_CHECK(before_vertex<int>(g, 1, options) == vertices{0});
    BOOST_CHECK(before_vertex<int>(g, 0, options).empty());
  }
}

BOOST_AUTO_TEST_CASE(sources_may_be_vertex_descriptors) {
  using graph = boost::adjacency_list<boost::vecS, boost::listS, boost::undirectedS,
                                      boost::property<boost::vertex_index_t, std::size_t>,
                                      boost::property<boost::edge_weight_t, double>>;
  graph g;
  std::vector<graph::vertex_descriptor> all;
  for (std::size_t v = 0; v < 6; ++v) all.push_back(add_vertex(v, g));
  for (std::size_t v = 0; v < 6; ++v) add_edge(all[v], all[(v + 1) % 6], 1.5, g);
  const std::vector sources{all[3], all[0], all[3]};
  const auto rows = rows_of<double>(apsp::seq, g, sources, sources.size());
  BOOST_CHECK_EQUAL(rows[0].source, 3u);
  BOOST_CHECK_EQUAL(rows[1].source, 0u);
  BOOST_CHECK(collected(apsp::shortest_paths(rows[2].predecessors, 0)) ==
              (std::vector<vertices>{{3, 2, 1, 0}, {3, 4, 5, 0}}));
  BOOST_CHECK(collected(apsp::shortest_paths(rows[1].predecessors, 2)) ==
              (std::vector<vertices>{{0, 1, 2}}));
}

BOOST_AUTO_TEST_CASE(no_sources_and_no_vertices) {
  const arc_list<float> empty{0, {}, {}, {}};
  BOOST_CHECK(apsp::tight_predecessors(apsp::omp, empty.view(), list{}, ignore));
  const auto g = make_graph<int>(1, {{0, 0, 1}});
  BOOST_CHECK(apsp::tight_predecessors(apsp::seq, g.view(), list{}, ignore));
  check_predecessors(apsp::seq, g, g.view(), {0, 0});
}

BOOST_AUTO_TEST_CASE(every_vertex_is_a_source_without_a_list) {
  const auto g = diamonds<int>(3);
  std::vector<std::vector<std::vector<std::int32_t>>> found(g.n);
  const auto take = [&](std::size_t row, std::size_t source, const auto&, const auto& lists) {
    BOOST_CHECK_EQUAL(row, source);
    for (std::size_t v = 0; v < g.n; ++v) {
      found[source].emplace_back(lists[v].begin(), lists[v].end());
    }
  };
  BOOST_REQUIRE(apsp::tight_predecessors(apsp::omp, g.view(), take));
  list all(g.n);
  std::iota(all.begin(), all.end(), 0);
  const auto check = [&](std::size_t row, std::size_t, const auto&, const auto& lists) {
    for (std::size_t v = 0; v < g.n; ++v) {
      BOOST_CHECK(
          std::equal(lists[v].begin(), lists[v].end(), found[row][v].begin(), found[row][v].end()));
    }
  };
  BOOST_REQUIRE(apsp::tight_predecessors(apsp::seq, g.view(), all, check));
}

BOOST_AUTO_TEST_CASE(rows_of_several_batches_have_predecessors) {
  const auto g = random_arcs<int>(7, 16, true, false, 21);
  list sources;
  for (std::size_t k = 0; k < 9000; ++k) sources.push_back(k % 7);
  const auto rows = rows_of<int>(apsp::omp.threads(2), g.view(), sources, sources.size());
  const auto few = rows_of<int>(apsp::seq, g.view(), all_vertices(g.n), g.n);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const auto& expected = few[sources[k]];
    BOOST_REQUIRE_EQUAL(rows[k].source, sources[k]);
    BOOST_REQUIRE(rows[k].distances == expected.distances);
    BOOST_REQUIRE(rows[k].predecessors.offsets == expected.predecessors.offsets);
    BOOST_REQUIRE(rows[k].predecessors.predecessors == expected.predecessors.predecessors);
  }
}

// --- Larger graphs -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(predecessors_of_larger_graphs_are_those_of_tight_arcs, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const std::size_t n = 300;
      const auto g = random_arcs<T>(n, 1500, seed % 2 == 1, seed >= 2, seed + 400);
      const list sources{5, 0, 299, 5};
      const auto rows = rows_of<T>(Case::policy(), g.view(), sources, sources.size());
      for (const passed<T>& row : rows) {
        // By the algorithm of Bellman and Ford.
        std::vector<std::optional<wide_t<T>>> d(n);
        d[row.source] = 0;
        for (bool changed = true; changed;) {
          changed = false;
          for (std::size_t k = 0; k < g.size(); ++k) {
            const auto& here = d[g.from(k)];
            if (!here) continue;
            const auto length = *here + static_cast<wide_t<T>>(g.weights[k]);
            auto& there = d[g.to(k)];
            if (there && !(length < *there)) continue;
            there = length;
            changed = true;
          }
        }
        std::vector<std::set<std::int32_t>> before(n);
        for (std::size_t k = 0; k < g.size(); ++k) {
          const auto& here = d[g.from(k)];
          if (!here || g.from(k) == g.to(k)) continue;
          if (*here + static_cast<wide_t<T>>(g.weights[k]) == *d[g.to(k)]) {
            before[g.to(k)].insert(g.sources[k]);
          }
        }
        const auto lists = row.predecessors.view();
        for (std::size_t v = 0; v < n; ++v) {
          BOOST_REQUIRE(row.distances[v] == (d[v] ? static_cast<T>(*d[v]) : apsp::unreachable<T>));
          BOOST_REQUIRE_EQUAL_COLLECTIONS(lists[v].begin(), lists[v].end(), before[v].begin(),
                                          before[v].end());
        }
      }
    }
  }
}

// --- Weights that are not above 0 ----------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_of_length_0_are_named, T, weight_types) {
  const auto refused = [](const arc_list<T>& g, const std::string& words) {
    check_refused(
        [&] { return apsp::tight_predecessors(apsp::omp.threads(2), g.view(), list{0}, ignore); },
        words);
  };
  refused(make_graph<T>(4, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}),
          "apsp: expected no cycle of length 0");
  refused(make_graph<T>(3, {{0, 1, 0}, {1, 0, 0}, {1, 2, 1}}), "-> ");
  refused(make_graph<T>(4, {{0, 1, 1}, {1, 2, -2}, {2, 1, 2}, {2, 3, 1}}), "got ");
  // Only where paths lead.
  const auto g = make_graph<T>(4, {{0, 1, 1}, {2, 3, 0}, {3, 2, 0}, {1, 1, 0}});
  BOOST_CHECK(apsp::tight_predecessors(apsp::seq, g.view(), list{0, 1}, ignore));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_are_reported_before_any_row, Case,
                              policies_and_weights) {
  using T = typename Case::weight;
  const auto g = make_graph<T>(4, {{0, 1, 1}, {1, 2, -3}, {2, 1, 2}, {2, 3, 1}});
  for (const double tolerance : {0.0, 1e-12}) {
    int calls = 0;
    const auto done = apsp::tight_predecessors(
        Case::policy(), g.view(), list{3, 0},
        [&](std::size_t, std::size_t, const auto&, const auto&) { ++calls; },
        with_tolerance(tolerance));
    BOOST_CHECK(!done);
    check_negative_cycle(g, done.negative_cycle());
    BOOST_CHECK_EQUAL(calls, 0);
  }
}

// --- Floating-point lengths and limits of types --------------------------------------------------

BOOST_AUTO_TEST_CASE(rounded_sums_of_equal_lengths_tie) {
  const auto g = make_graph<double>(4, {{0, 1, 0.1}, {1, 3, 0.2}, {0, 3, 0.3}});
  BOOST_REQUIRE(0.1 + 0.2 > 0.3);
  BOOST_CHECK(before_vertex<double>(g, 3) == (vertices{0, 1}));
  BOOST_CHECK(before_vertex<double>(g, 3, with_tolerance(0)) == vertices{0});
  for (const double wrong : {-1e-9, std::numeric_limits<double>::infinity()}) {
    check_refused(
        [&] {
          return apsp::tight_predecessors(apsp::seq, g.view(), list{0}, ignore,
                                          with_tolerance(wrong));
        },
        "expected a finite tolerance of at least 0");
  }
}

BOOST_AUTO_TEST_CASE(lengths_of_float_are_compared_in_double) {
  // In float both ways are 2^24 long.
  const auto g =
      make_graph<float>(4, {{0, 1, 0x1p24F}, {1, 3, 0.5F}, {0, 2, 0x1p24F}, {2, 3, 0.25F}});
  BOOST_CHECK(before_vertex<float>(g, 3) == vertices{2});
  const auto rows = rows_of<float>(apsp::seq, g.view(), list{0}, 1);
  BOOST_CHECK_EQUAL(rows[0].distances[3], 0x1p24F);
  const auto wide = rows_of<double>(apsp::seq, g.view(), list{0}, 1);
  BOOST_CHECK_EQUAL(wide[0].distances[3], 0x1p24 + 0.25);

  // Distances that do not fit.
  const float largest = std::numeric_limits<float>::max();
  const auto far = make_graph<float>(3, {{0, 1, largest}, {1, 2, largest}});
  BOOST_CHECK(before_vertex<float>(far, 2).empty());
  BOOST_CHECK(before_vertex<double>(far, 2) == vertices{1});
}

BOOST_AUTO_TEST_CASE(vertices_whose_distance_does_not_fit_have_no_predecessors) {
  const short largest = apsp::unreachable<short> - 1;
  const auto g = make_graph<short>(4, {{0, 1, largest}, {1, 2, 1}, {2, 3, 1}});
  vertices of_1;
  const auto done = apsp::tight_predecessors(
      apsp::seq, g.view(), list{0},
      [&](std::size_t, std::size_t, std::span<const short> d, apsp::predecessor_lists_view p) {
        of_1.assign(p[1].begin(), p[1].end());
        BOOST_CHECK(p[2].empty() && p[3].empty() && d[2] == apsp::unreachable<short>);
      });
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.saturated());
  BOOST_CHECK(of_1 == vertices{0});
}

// --- Observation and wrong arguments -------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_report_sources_and_stop, Policy, policies) {
  const auto g = random_arcs<int>(9, 30, false, false, 21);
  list sources;
  for (std::size_t k = 0; k < 9000; ++k) sources.push_back(k % 7);
  const auto call = [&](const auto& policy) {
    return apsp::tight_predecessors(policy, g.view(), sources, ignore);
  };
  check_stops_between(Policy::policy(), sources.size(), call);
  check_throwing_callback(Policy::policy(), call);
  check_stopped_before(Policy::policy(), call);
  check_watched_and_stopped(Policy::policy(), sources.size(), call);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exceptions_of_the_function_end_the_call, Policy, policies) {
  const auto g = random_arcs<int>(9, 30, false, false, 21);
  list sources(500, 3);
  int calls = 0;
  check_refused<std::range_error>(
      [&] {
        return apsp::tight_predecessors(
            Policy::policy(), g.view(), sources,
            [&](std::size_t, std::size_t, std::span<const int>, const auto&) {
              if (++calls == 3) throw std::range_error("not this one");
            });
      },
      "not this one");
  BOOST_CHECK_EQUAL(calls, 3);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
  const auto g = make_graph<int>(3, {{0, 1, 1}, {1, 2, 1}});
  check_refused(
      [&] {
        return apsp::tight_predecessors(apsp::seq, g.view(), list{0, 3}, ignore);
      },
      "3");
  const auto nan = make_graph<double>(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}});
  check_refused([&] { return apsp::tight_predecessors(apsp::seq, nan.view(), list{0}, ignore); },
                "NaN");
}

// --- Enumeration of paths ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(many_paths_come_one_after_the_other) {
  const std::size_t length = 16;
  const auto g = diamonds<int>(length);
  const auto rows = rows_of<int>(apsp::seq, g.view(), list{0}, 1);
  std::size_t count = 0;
  vertices previous;
  for (const auto path : apsp::shortest_paths(rows[0].predecessors, 3 * length)) {
    BOOST_REQUIRE_EQUAL(path.size(), 2 * length + 1);
    BOOST_REQUIRE(path.front() == 0 && path.back() == static_cast<int>(3 * length));
    vertices back(path.rbegin(), path.rend());
    BOOST_REQUIRE(previous < back);
    previous = std::move(back);
    ++count;
  }
  BOOST_CHECK_EQUAL(count, std::size_t{1} << length);
}

BOOST_AUTO_TEST_CASE(the_first_of_more_paths_than_a_double_holds) {
  const std::size_t length = 1100;
  const auto g = diamonds<int>(length);
  const auto rows = rows_of<int>(apsp::omp, g.view(), list{0}, 1);
  const auto paths = apsp::shortest_paths(rows[0].predecessors, 3 * length);
  std::size_t count = 0;
  for (const auto path : paths | std::views::take(5)) {
    // The first diamonds change first, since paths are made from the target back.
    BOOST_CHECK_EQUAL(path[1], 1 + static_cast<int>(count % 2));
    BOOST_CHECK_EQUAL(path[3], 4 + static_cast<int>(count / 2 % 2));
    ++count;
  }
  BOOST_CHECK_EQUAL(count, 5u);
}

BOOST_AUTO_TEST_CASE(ranges_of_paths_may_be_used_several_times_and_moved) {
  const auto g = diamonds<int>(3);
  const auto rows = rows_of<int>(apsp::seq, g.view(), list{0}, 1);
  const auto paths = apsp::shortest_paths(rows[0].predecessors, 9);
  for (int k = 0; k < 2; ++k) {
    std::size_t count = 0;
    std::ranges::for_each(paths, [&](std::span<const std::int32_t>) { ++count; });
    BOOST_CHECK_EQUAL(count, 8u);
  }
  auto i = paths.begin();
  ++i;
  const auto expected = vertices((*i).begin(), (*i).end());
  auto copy = i;
  ++copy;
  auto moved = std::move(i);
  BOOST_CHECK(std::ranges::equal(*moved, expected));
  BOOST_CHECK(!std::ranges::equal(*copy, expected));
  BOOST_CHECK(moved != std::default_sentinel);
  BOOST_CHECK(apsp::shortest_paths_view::iterator() == std::default_sentinel);
}

BOOST_AUTO_TEST_CASE(wrong_lists_of_predecessors_are_refused) {
  const std::vector<std::int64_t> offsets{0, 0, 2, 3, 3};
  const auto walk = [&](const vertices& predecessors, std::size_t target) {
    return [&offsets, predecessors, target] {
      return collected(
          apsp::shortest_paths(apsp::predecessor_lists_view(0, offsets, predecessors), target));
    };
  };
  BOOST_CHECK((walk({0, 2, 0}, 1)() == std::vector<vertices>{{0, 1}, {0, 2, 1}}));
  BOOST_CHECK(walk({0, 2, 0}, 3)().empty());
  check_refused<std::out_of_range>(walk({0, 2, 0}, 4),
                                   "vertex 4 is out of range: there are 4 vertices");
  check_refused(walk({2, 0, 1}, 1), "form a cycle");
  check_refused(walk({0, 9, 0}, 1), "out of range");
  check_refused(walk({0, -1, 0}, 1), "out of range");
  check_refused(walk({0, 3, 0}, 1), "end before the source");
  check_refused<std::out_of_range>(
      [] { return apsp::shortest_paths(apsp::predecessor_lists_view(), 0); }, "0 vertices");
}
