// SPDX-License-Identifier: BSL-1.0
// Bellman–Ford for batches of sources, one in each lane, against Boost's algorithms: numbers of
// sources around those of a batch x graphs for each way through the search (arcs that are dropped,
// paths that are pushed, searches that are handed over) x weight types x thread counts.
#define BOOST_TEST_MODULE lane_search
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/elimination.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/result.hpp>
#include <apsp/semiring.hpp>
#include <apsp/stop_token.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source_problem.hpp"

using namespace apsp_test;

namespace {

using number = std::int64_t;
using arcs_t = arc_list<number>;

std::vector<std::size_t> every(std::size_t step, std::size_t n) {
  std::vector<std::size_t> sources;
  for (std::size_t v = 0; v < n; v += step) sources.push_back(v);
  return sources;
}

using problem = per_source_problem;

arcs_t shuffled_chain(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  auto order = all_vertices(n);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  arcs_t g{n, {}, {}, {}};
  for (std::size_t i = 0; i + 1 < n; ++i) g.add(order[i], order[i + 1], random(1, 100));
  return g;
}

/// Every vertex of a chain has an arc to one vertex, which has arcs to every tenth of them: it is
/// improved in each pass.
arcs_t chain_with_hub(std::size_t n) {
  arcs_t g = shuffled_chain(n, 17);
  random_numbers random(18);
  for (std::size_t v = 1; v < n; ++v) g.add(v, 0, random(1, 20000));
  for (std::size_t v = 1; v < n; v += 10) g.add(0, v, random(1, 20000));
  return g;
}

arcs_t cliques(std::size_t num_cliques, std::size_t size) {
  random_numbers random(19);
  arcs_t g{num_cliques * size, {}, {}, {}};
  for (std::size_t c = 0; c < num_cliques; ++c) {
    for (std::size_t u = 0; u < size; ++u) {
      for (std::size_t v = 0; v < size; ++v) {
        g.add(c * size + u, c * size + v, random(u == v ? 0 : 1, 500));
      }
    }
  }
  return g;
}

const std::vector<problem>& problems() {
  static const std::vector<problem> all = [] {
    std::vector<problem> made;
    const arcs_t random4 = to_arcs<number>(fixed_degree_graph<std::int32_t>(300, 4, 1000, 1));
    for (const std::size_t count : {16, 17, 63, 64, 65, 127, 128, 129, 300}) {
      auto sources = all_vertices(random4.n);
      sources.resize(count);
      made.emplace_back("random, " + std::to_string(count) + " sources", random4, sources);
    }
    auto twice = every(7, random4.n);
    twice.insert(twice.end(), twice.rbegin(), twice.rend());
    made.emplace_back("random, sources that repeat", random4, twice);
    // So many batches that arcs are dropped, of all types.
    made.emplace_back("R-MAT", to_arcs<number>(rmat_graph<std::int32_t>(1400, 12, 1000, 2)),
                      all_vertices(1400));
    made.emplace_back("weights that are 0 often",
                      to_arcs<number>(fixed_degree_graph<std::int32_t>(700, 6, 3, 3)),
                      all_vertices(700));
    for (number& w : made.back().arcs.weights) w -= 1;
    made.back() = problem(made.back().name, made.back().arcs, made.back().sources);
    made.emplace_back("grid", to_arcs<number>(grid_graph<std::int32_t>(20, 20, 100, 4)),
                      all_vertices(400));
    made.emplace_back("chain", shuffled_chain(1000, 5), every(5, 1000));
    made.emplace_back("chain with a hub", chain_with_hub(600), every(3, 600));
    made.emplace_back("cliques without arcs between them", cliques(3, 90), all_vertices(270));
    made.emplace_back("no arcs", arcs_t{70, {}, {}, {}}, all_vertices(70));
    made.emplace_back("parallel arcs and loops",
                      with_parallel_arcs(random_graph<number>(150, 0.05, 0, 60, 6), 7),
                      all_vertices(150));
    return made;
  }();
  return all;
}

template <class T>
apsp::matrix<wide_t<T>> converted_lightest(const apsp::matrix<number>& lightest) {
  apsp::matrix<wide_t<T>> wide(lightest.rows(), lightest.rows());
  for (std::size_t u = 0; u < lightest.rows(); ++u) {
    for (std::size_t v = 0; v < lightest.rows(); ++v) {
      const number w = lightest[u][v];
      wide[u][v] = w == wide_unreachable<number> ? wide_unreachable<T> : static_cast<wide_t<T>>(w);
    }
  }
  return wide;
}

template <class T>
T as(number d) {
  return d == wide_unreachable<number> ? apsp::unreachable<T> : static_cast<T>(d);
}

template <class T>
void check_exactly(const problem& p, const apsp::matrix<T>& distances) {
  for (std::size_t i = 0; i < p.sources.size(); ++i) {
    for (std::size_t v = 0; v < p.arcs.n; ++v) {
      const T expected = as<T>(p.expected[i][v]);
      if (distances[i][v] != expected) {
        BOOST_ERROR("distance (" << i << ", " << v << ") is " << distances[i][v] << ", not "
                                 << expected);
        return;
      }
    }
  }
}

template <class F>
void with_policies(F f) {
  f(apsp::seq, "seq");
  for (const int threads : {1, 2, 5}) {
    f(apsp::omp.threads(threads), "omp, " + std::to_string(threads) + " threads");
  }
}

using types = std::tuple<float, double, std::int32_t, std::int64_t>;
using integers = std::tuple<std::int32_t, std::int64_t>;
using floats = std::tuple<float, double>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_and_predecessors, T, types) {
  for (const problem& p : problems()) {
    const arc_list<T> g = converted<T>(p.arcs);
    with_policies([&](const auto& policy, const std::string& name) {
      BOOST_TEST_CONTEXT(p.name << ", " << name) {
        apsp::matrix<T> distances(p.sources.size(), g.n);
        BOOST_CHECK(apsp::bellman_ford(policy, g.view(), p.sources, distances));
        check_exactly(p, distances);
        apsp::matrix<T> again(p.sources.size(), g.n);
        apsp::matrix<std::int32_t> predecessors(p.sources.size(), g.n);
        BOOST_CHECK(apsp::bellman_ford(policy, g.view(), p.sources, again, predecessors));
        check_exactly(p, again);
        check_trees<T>(converted_lightest<T>(p.lightest), p.sources, again, predecessors);
      }
    });
  }
}

// So many threads and batches that the hubs are searched from at first.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_batches, T, types) {
  for (const bool has_longer_arcs : {true, false}) {
    const arcs_t g =
        to_arcs<number>(has_longer_arcs ? rmat_graph<std::int32_t>(700, 12, 1000, 13)
                                        : fixed_degree_graph<std::int32_t>(700, 3, 1000, 14));
    const problem p("", g, all_vertices(g.n));
    std::vector<std::size_t> sources;
    while (sources.size() < 9000) sources.insert(sources.end(), p.sources.begin(), p.sources.end());
    BOOST_TEST_CONTEXT("longer arcs: " << has_longer_arcs) {
      apsp::matrix<T> distances(sources.size(), g.n);
      const auto done =
          apsp::bellman_ford(apsp::omp.threads(5), converted<T>(g).view(), sources, distances);
      BOOST_CHECK(done);
      BOOST_CHECK_EQUAL(done.plan().computed().arcs_left_out > 0, has_longer_arcs);
#if defined(__x86_64__)
      // Without AVX2 there is no minimum of 16-bit lanes.
      if (__builtin_cpu_supports("avx2")) {
        BOOST_CHECK_EQUAL(done.plan().computed().type, "uint16");
      }
#endif
      std::size_t num_wrong = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t v = 0; v < g.n; ++v) {
          num_wrong += distances[i][v] != as<T>(p.expected[sources[i]][v]) ? 1 : 0;
        }
      }
      BOOST_CHECK_EQUAL(num_wrong, 0u);
    }
  }
}

// Searches from one source after another do without longer arcs, too, and so do eliminations.
BOOST_AUTO_TEST_CASE_TEMPLATE(others_with_fewer_arcs, T, types) {
  for (const problem& p : problems()) {
    const arc_list<T> g = converted<T>(p.arcs);
    with_policies([&](const auto& policy, const std::string& name) {
      const auto check = [&](const char* algorithm, auto solve) {
        BOOST_TEST_CONTEXT(algorithm << ", " << p.name << ", " << name) {
          apsp::matrix<T> distances(p.sources.size(), g.n);
          apsp::matrix<std::int32_t> predecessors(p.sources.size(), g.n);
          const apsp::result done = solve(distances, predecessors);
          BOOST_CHECK(done);
          BOOST_CHECK_EQUAL(apsp::to_string(done.algorithm()), algorithm);
          if (p.name == "R-MAT") BOOST_CHECK_GT(done.plan().computed().arcs_left_out, 0u);
          if (p.name == "grid") BOOST_CHECK_EQUAL(done.plan().computed().arcs_left_out, 0u);
          check_exactly(p, distances);
          check_trees<T>(converted_lightest<T>(p.lightest), p.sources, distances, predecessors);
        }
      };
      check("dijkstra", [&](auto& distances, auto& predecessors) {
        return apsp::dijkstra(policy, g.view(), p.sources, distances, predecessors);
      });
      check("elimination", [&](auto& distances, auto& predecessors) {
        return apsp::elimination(policy, g.view(), p.sources, distances, predecessors);
      });
    });
  }
}

// Distances around the largest ones that 16 bits hold, and weights around the largest that are
// tried in 16 bits.
BOOST_AUTO_TEST_CASE_TEMPLATE(distances_that_16_bits_hardly_hold, T, types) {
  for (const number heaviest : {1000, 5000, 8191, 8192}) {
    for (const number length : {65534 - 2 * heaviest, 65534 - heaviest, number{65534},
                                number{65535}, number{65536}, number{70000}}) {
      // A path of that length from vertex 0, and short ones between the others.
      arcs_t g = to_arcs<number>(fixed_degree_graph<std::int32_t>(40, 3, 50, 8));
      g.n += 1 + static_cast<std::size_t>((length + heaviest - 1) / heaviest);
      number left = length;
      std::size_t v = 0;
      for (std::size_t next = 40; left > 0; v = next++) {
        g.add(v, next, std::min(left, heaviest));
        left -= std::min(left, heaviest);
      }
      const problem p("", g, all_vertices(g.n));
      const arc_list<T> arcs = converted<T>(g);
      BOOST_TEST_CONTEXT("a path of " << length << ", arcs up to " << heaviest) {
        apsp::matrix<T> distances(g.n, g.n);
        const auto done = apsp::bellman_ford(apsp::seq, arcs.view(), distances);
        BOOST_CHECK(done);
        BOOST_CHECK(!done.saturated());
        check_exactly(p, distances);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(integers_do_not_wrap, T, integers) {
  constexpr T max = std::numeric_limits<T>::max();
  for (const T heavy : {T(max / 20), T(max / 3), T(max / 2), T(max / 2 + 1), T(max - 1)}) {
    arc_list<T> g = converted<T>(to_arcs<number>(fixed_degree_graph<std::int32_t>(60, 2, 9, 9)));
    for (std::size_t k = 0; k < g.size(); k += 4) g.weights[k] = heavy;
    const auto expected = [&](std::size_t source) {
      arc_list<long double> wide = converted<long double>(g);
      return summed_from(wide, source);
    };
    BOOST_TEST_CONTEXT("a weight of " << heavy) {
      apsp::matrix<T> distances(g.n, g.n);
      const auto done = apsp::bellman_ford(apsp::seq, g.view(), distances);
      BOOST_CHECK(done);
      bool is_cut = false;
      for (std::size_t u = 0; u < g.n; ++u) {
        const auto row = expected(u);
        for (std::size_t v = 0; v < g.n; ++v) {
          const bool fits = row[v] < static_cast<long double>(max);
          is_cut = is_cut || (!fits && row[v] != apsp::unreachable<long double>);
          BOOST_CHECK_EQUAL(distances[u][v], fits ? static_cast<T>(row[v]) : max);
        }
      }
      BOOST_CHECK_EQUAL(done.saturated(), is_cut);
    }
  }
}

// With and without arcs that are dropped, sums have the bits of sums from the source.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_round, T, floats) {
  constexpr std::uint64_t seed = 10;
  random_numbers random(seed);
  for (const double magnitude : {1.0, 1e-30, 1e30}) {
    arc_list<T> g = converted<T>(to_arcs<number>(rmat_graph<std::int32_t>(1400, 10, 1000, seed)));
    for (T& w : g.weights) {
      w = static_cast<T>((static_cast<double>(w) + static_cast<double>(random(0, 999)) / 1000) *
                         magnitude);
    }
    BOOST_TEST_CONTEXT("seed " << seed << ", magnitude " << magnitude) {
      apsp::matrix<T> distances(g.n, g.n);
      const auto check = [&] {
        std::size_t num_wrong = 0;
        for (std::size_t u = 0; u < g.n; u += 5) {
          const auto row = summed_from(g, u);
          for (std::size_t v = 0; v < g.n; ++v) num_wrong += distances[u][v] != row[v] ? 1 : 0;
        }
        BOOST_CHECK_EQUAL(num_wrong, 0u);
      };
      const auto passed = apsp::bellman_ford(apsp::seq, g.view(), distances);
      BOOST_CHECK_GT(passed.plan().computed().arcs_left_out, 0u);
      check();
      const auto searched = apsp::dijkstra(apsp::seq, g.view(), distances);
      BOOST_CHECK_GT(searched.plan().computed().arcs_left_out, 0u);
      check();
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, T, types) {
  for (const std::size_t n : {50, 200, 700}) {
    const arcs_t g = negative_graph<number>(n, 4.0 / static_cast<double>(n), n);
    const problem p("", g, all_vertices(n));
    const arc_list<T> arcs = converted<T>(g);
    BOOST_TEST_CONTEXT(n << " vertices") {
      with_policies([&](const auto& policy, const std::string& name) {
        BOOST_TEST_CONTEXT(name) {
          apsp::matrix<T> distances(n, n);
          apsp::matrix<std::int32_t> predecessors(n, n);
          BOOST_CHECK(apsp::bellman_ford(policy, arcs.view(), distances));
          check_exactly(p, distances);
          BOOST_CHECK(apsp::bellman_ford(policy, arcs.view(), distances, predecessors));
          check_exactly(p, distances);
          check_trees<T>(converted_lightest<T>(p.lightest), p.sources, distances, predecessors);
          BOOST_CHECK(apsp::johnson(policy, arcs.view(), distances));
          check_exactly(p, distances);
        }
      });
    }
    arcs_t with_cycle = g;
    with_cycle.add(3, 7, -100000);
    with_cycle.add(7, 3, 99999);
    apsp::matrix<T> distances(n, n);
    const auto done = apsp::bellman_ford(apsp::seq, converted<T>(with_cycle).view(), distances);
    BOOST_CHECK(!done);
    BOOST_CHECK_GE(done.negative_cycle().size(), 2u);
  }
}

// The vertex of largest degree is on a negative cycle, which no source reaches.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_cycle_elsewhere, T, types) {
  constexpr std::size_t num_reached = 100;
  constexpr std::size_t length = 2000;
  const arc_list<T> reached =
      converted<T>(to_arcs<number>(fixed_degree_graph<std::int32_t>(num_reached, 24, 1000, 12)));
  arc_list<T> g = reached;
  g.n += length;
  for (std::size_t v = 0; v < length; ++v) {
    g.add(num_reached + v, num_reached + (v + 1) % length, T{-250000});
  }
  for (std::size_t v = 0; v < 90; ++v) g.add(num_reached, v, T{1});
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < 14 * num_reached; ++i) sources.push_back(i % num_reached);
  apsp::matrix<T> distances(sources.size(), g.n);
  BOOST_CHECK(apsp::bellman_ford(apsp::seq, g.view(), sources, distances));
  for (std::size_t source = 0; source < num_reached; ++source) {
    std::vector<T> expected = summed_from(reached, source);
    expected.resize(g.n, apsp::unreachable<T>);
    for (std::size_t i = source; i < sources.size(); i += num_reached) {
      BOOST_CHECK(std::equal(expected.begin(), expected.end(), distances[i]));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, T, types) {
  const problem& p = problems().front();
  const arc_list<T> g = converted<T>(p.arcs);
  for (const long double cutoff : {0.0L, 1.0L, 700.5L, 1500.0L, 1e9L}) {
    BOOST_TEST_CONTEXT("cutoff " << cutoff) {
      apsp::matrix<T> distances(p.sources.size(), g.n);
      apsp::matrix<std::int32_t> predecessors(p.sources.size(), g.n);
      problem near = p;
      near.expected = within<number>(p.expected, cutoff);
      BOOST_CHECK(apsp::bellman_ford(apsp::seq.cutoff(cutoff), g.view(), p.sources, distances));
      check_exactly(near, distances);
      BOOST_CHECK(apsp::bellman_ford(apsp::seq.cutoff(cutoff), g.view(), p.sources, distances,
                                     predecessors));
      check_exactly(near, distances);
      check_trees<T>(converted_lightest<T>(p.lightest), p.sources, distances, predecessors);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_totals_and_tables, T, types) {
  const auto found = std::find_if(problems().begin(), problems().end(),
                                  [](const problem& q) { return q.name == "R-MAT"; });
  const problem& p = *found;
  const arc_list<T> g = converted<T>(p.arcs);
  const std::size_t n = g.n;
  std::vector<char> is_seen(n, 0);
  std::size_t num_wrong = 0;
  const auto done = apsp::for_each_row<T>(
      apsp::omp.threads(3), g.view(), p.sources, [&](std::size_t source, std::span<const T> row) {
        is_seen[source] = 1;
        for (std::size_t v = 0; v < n; ++v) {
          num_wrong += row[v] == as<T>(p.expected[source][v]) ? 0 : 1;
        }
      });
  BOOST_CHECK(done.algorithm() == apsp::algorithm::bellman_ford);
  BOOST_CHECK_EQUAL(num_wrong, 0u);
  BOOST_CHECK_EQUAL(std::count(is_seen.begin(), is_seen.end(), 1), static_cast<long>(n));

  const auto summary = apsp::summarize_paths<T>(apsp::seq, g.view());
  std::vector<std::size_t> targets = every(9, n);
  apsp::matrix<T> table(n, targets.size());
  const auto filled =
      apsp::distance_table(apsp::omp.threads(2), g.view(), p.sources, targets, table);
  BOOST_CHECK(filled.algorithm() == apsp::algorithm::bellman_ford);
  for (std::size_t u = 0; u < n; ++u) {
    apsp::source_summary<T> expected{.source = u, .farthest = u};
    for (std::size_t v = 0; v < n; ++v) {
      const number d = p.expected[u][v];
      if (v == u || d == wide_unreachable<number>) continue;
      if (expected.num_reached++ == 0 || static_cast<T>(d) > expected.eccentricity) {
        expected.eccentricity = static_cast<T>(d);
        expected.farthest = v;
      }
      expected.sum += static_cast<T>(d);
    }
    BOOST_CHECK_EQUAL(summary[u].eccentricity, expected.eccentricity);
    BOOST_CHECK_EQUAL(summary[u].num_reached, expected.num_reached);
    BOOST_CHECK(summary[u].sum == expected.sum);
    if (expected.num_reached != 0) BOOST_CHECK_EQUAL(summary[u].farthest, expected.farthest);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      num_wrong += table[u][i] == as<T>(p.expected[u][targets[i]]) ? 0 : 1;
    }
  }
  BOOST_CHECK_EQUAL(num_wrong, 0u);
}

BOOST_AUTO_TEST_CASE(a_callback_that_throws_or_stops) {
  const problem& p = problems().front();
  const arc_list<float> g = converted<float>(p.arcs);
  struct too_much {};
  std::size_t calls = 0;
  const auto throws = [&](std::size_t, std::span<const float>) {
    if (++calls == 3) throw too_much{};
  };
  BOOST_CHECK_THROW(static_cast<void>(apsp::for_each_row<float>(apsp::omp.threads(2), g.view(),
                                                                all_vertices(g.n), throws)),
                    too_much);
  BOOST_CHECK_EQUAL(calls, 3u);

  apsp::stop_source source;
  calls = 0;
  const auto stops = [&](std::size_t, std::span<const float>) {
    if (++calls == 3) source.request_stop();
  };
  const auto done = apsp::for_each_row<float>(apsp::seq.stop(source.get_token()), g.view(),
                                              all_vertices(g.n), stops);
  BOOST_CHECK(done.stopped());
  BOOST_CHECK_EQUAL(calls, 3u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(semirings, T, types) {
  // The value of the best path is that of Floyd–Warshall over the semiring, written out here.
  const arcs_t g = to_arcs<number>(rmat_graph<std::int32_t>(256, 6, 1000, 11));
  const auto check = [&](const auto& over) {
    apsp::matrix<T> expected(g.n, g.n, over.zero);
    for (std::size_t v = 0; v < g.n; ++v) expected[v][v] = over.one;
    for (std::size_t k = 0; k < g.size(); ++k) {
      T& entry = expected[g.from(k)][g.to(k)];
      entry = over.plus(entry, static_cast<T>(g.weights[k]));
    }
    for (std::size_t k = 0; k < g.n; ++k) {
      for (std::size_t i = 0; i < g.n; ++i) {
        for (std::size_t j = 0; j < g.n; ++j) {
          expected[i][j] = over.plus(expected[i][j], over.times(expected[i][k], expected[k][j]));
        }
      }
    }
    with_policies([&](const auto& policy, const std::string& name) {
      BOOST_TEST_CONTEXT(name) {
        apsp::matrix<T> values(g.n, g.n);
        apsp::matrix<std::int32_t> predecessors(g.n, g.n);
        BOOST_CHECK(apsp::bellman_ford(policy, converted<T>(g).view(), values, over));
        std::size_t num_wrong = 0;
        for (std::size_t i = 0; i < g.n; ++i) {
          for (std::size_t j = 0; j < g.n; ++j) num_wrong += values[i][j] != expected[i][j] ? 1 : 0;
        }
        BOOST_CHECK_EQUAL(num_wrong, 0u);
      }
    });
  };
  check(apsp::max_min<T>{});
  check(apsp::min_max<T>{});
}
