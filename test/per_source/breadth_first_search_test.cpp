// SPDX-License-Identifier: BSL-1.0
// Compares breadth_first_search to a queue and to sums of weights: batches of every size, levels of
// any depth, both directions of the search, weights of all types, 0 included, and graphs that it
// refuses.
#define BOOST_TEST_MODULE breadth_first_search
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/breadth_first_search.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <apsp/weighted.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

constexpr std::size_t no_path = std::numeric_limits<std::size_t>::max();

/// The numbers of arcs of the shortest paths from a source.
std::vector<std::size_t> count_steps(const std::vector<std::vector<std::size_t>>& ends,
                                     std::size_t source) {
  std::vector<std::size_t> steps(ends.size(), no_path);
  std::vector<std::size_t> queue{source};
  steps[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::size_t v : ends[queue[i]]) {
      if (steps[v] != no_path) continue;
      steps[v] = steps[queue[i]] + 1;
      queue.push_back(v);
    }
  }
  return steps;
}

/// A graph without weights.
struct shape {
  std::string name;
  std::size_t n = 0;
  std::vector<std::pair<std::size_t, std::size_t>> arcs{};

  std::vector<std::vector<std::size_t>> ends() const {
    std::vector<std::vector<std::size_t>> all(n);
    for (const auto& [u, v] : arcs) all[u].push_back(v);
    return all;
  }
  template <class T>
  arc_list<T> with_weight(T weight) const {
    arc_list<T> g{n, {}, {}, {}};
    for (const auto& [u, v] : arcs) g.add(u, v, weight);
    return g;
  }
};

template <class W>
shape shape_of(std::string name, const csr_arrays<W>& g) {
  shape s{std::move(name), g.num_vertices()};
  for (std::size_t u = 0; u < s.n; ++u) {
    for (auto a = g.offsets[u]; a < g.offsets[u + 1]; ++a) {
      s.arcs.emplace_back(u, static_cast<std::size_t>(g.targets[static_cast<std::size_t>(a)]));
    }
  }
  return s;
}

const std::vector<shape>& shapes() {
  static const std::vector<shape> all = [] {
    std::vector<shape> some;
    const auto add = [&](std::string name, const auto& g) {
      some.push_back(shape_of(std::move(name), g));
    };
    some.push_back({"no vertices"});
    some.push_back({"one vertex", 1});
    some.push_back({"a self-loop and an arc", 2, {{0, 0}, {0, 1}}});
    some.push_back({"no arcs", 70});
    add("random, n = 513, seed = 1", fixed_degree_graph<int>(513, 4, 9, 1));
    add("random, one arc per vertex, n = 1100, seed = 2", fixed_degree_graph<int>(1100, 1, 9, 2));
    add("rmat, n = 1024, seed = 3", rmat_graph<int>(1024, 4, 9, 3));
    add("complete, n = 130, seed = 4", complete_graph<int>(130, 9, 4));
    add("grid, 30 x 31, seed = 5", grid_graph<int>(30, 31, 9, 5));
    add("ring, n = 600, seed = 6", ring_graph<int>(600, ring_kind::both_ways, 9, 6));
    add("directed ring, n = 575, seed = 7", ring_graph<int>(575, ring_kind::directed, 9, 7));
    add("random, many arcs, n = 512, seed = 8", fixed_degree_graph<int>(512, 40, 9, 8));
    // A vertex with many arcs into it, behind a chain, and arcs that are there many times.
    shape hub{"hub", 900};
    for (std::size_t v = 1; v < 700; ++v) {
      hub.arcs.emplace_back(v, 0);
      if (v % 3 == 0) hub.arcs.emplace_back(0, v);
      if (v % 5 == 0) hub.arcs.insert(hub.arcs.end(), 9, {v, v - 1});
    }
    for (std::size_t v = 700; v < 800; ++v) hub.arcs.emplace_back(v, v + 1);
    hub.arcs.emplace_back(3, 700);
    hub.arcs.emplace_back(720, 720);
    some.push_back(hub);
    return some;
  }();
  return all;
}

/// The sums of 0, 1, 2, ... weights, which have to be representable.
template <class T>
std::vector<T> sums_of(T weight, std::size_t n) {
  std::vector<T> sums{T{}};
  while (sums.size() < n) sums.push_back(static_cast<T>(sums.back() + weight));
  return sums;
}

/// Checks every entry, and that predecessors lead back to the source with the fewest arcs.
template <class T, class Distances>
void check(const shape& s, const std::vector<std::size_t>& sources, T weight, const Distances& d,
           const apsp::matrix<std::int32_t>* p,
           std::size_t most_steps = std::numeric_limits<std::size_t>::max() - 1) {
  const auto ends = s.ends();
  const auto sums = sums_of(weight, s.n);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto steps = count_steps(ends, sources[i]);
    for (std::size_t v = 0; v < s.n; ++v) {
      const bool is_reached = steps[v] <= most_steps;
      const T expected = is_reached ? sums[steps[v]] : apsp::unreachable<T>;
      if (d[i][v] != expected) {
        BOOST_ERROR(s.name << ": distance (" << i << ", " << v << ") is " << d[i][v] << ", not "
                           << expected);
        return;
      }
      if (p == nullptr) continue;
      const std::int32_t before = (*p)[i][v];
      bool is_right = before == -1;
      if (is_reached && v != sources[i]) {
        const auto u = static_cast<std::size_t>(before);
        is_right = u < s.n && steps[u] + 1 == steps[v] &&
                   std::find(ends[u].begin(), ends[u].end(), v) != ends[u].end();
      }
      if (!is_right) {
        BOOST_ERROR(s.name << ": predecessor (" << i << ", " << v << ") is " << before);
        return;
      }
    }
  }
}

template <class T, class Policy>
void solve_and_check(const Policy& policy, const shape& s, const std::vector<std::size_t>& sources,
                     T weight) {
  const auto g = s.with_weight(weight);
  apsp::matrix<T> d(sources.size(), s.n, T(77));
  apsp::matrix<std::int32_t> p(sources.size(), s.n, 77);
  const auto done = apsp::breadth_first_search(policy, g.view(), sources, d, p);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::breadth_first_search);
  BOOST_CHECK(!done.saturated());
  check(s, sources, weight, d, &p);
  apsp::matrix<T> alone(sources.size(), s.n, T(77));
  BOOST_REQUIRE(apsp::breadth_first_search(policy, g.view(), sources, alone));
  check(s, sources, weight, alone, nullptr);
}

/// A weight whose multiples are not sums of it.
template <class T>
T some_weight() {
  return std::is_floating_point_v<T> ? T(0.1L) : T(3);
}

void check_refusal(const arc_list<double>& g, const std::string& words) {
  apsp::matrix<double> d(g.n, g.n, 7);
  check_refused<std::invalid_argument>(
      [&] { return apsp::breadth_first_search(apsp::seq, g.view(), d); }, words);
  BOOST_CHECK(holds_only(d, 7));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(structures_of_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  for (const shape& s : shapes()) {
    solve_and_check<T>(With::policy(), s, all_vertices(s.n), some_weight<T>());
  }
}

BOOST_AUTO_TEST_CASE(batches_of_any_size) {
  for (const std::size_t count :
       {0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 129, 200, 511, 512, 513, 1030}) {
    for (const shape& s : shapes()) {
      if (s.n < 3) continue;
      const std::uint64_t seed = count + 100;
      BOOST_TEST_CONTEXT(count << " sources, seed = " << seed) {
        random_numbers random(seed);
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < count; ++i) sources.push_back(random.index(s.n));
        solve_and_check<float>(apsp::seq, s, sources, 0.3F);
        solve_and_check<std::int64_t>(apsp::omp.threads(3), s, sources, 5);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(random_graphs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    random_numbers random(seed);
    const std::size_t n = 1 + random.index(700);
    const std::size_t degree = random.index(6);
    const auto s =
        shape_of("random, n = " + std::to_string(n) + ", degree = " + std::to_string(degree) +
                     ", seed = " + std::to_string(seed),
                 fixed_degree_graph<int>(n, degree, 9, seed));
    std::vector<std::size_t> sources;
    for (std::size_t i = random.index(2 * n); i != 0; --i) sources.push_back(random.index(n));
    solve_and_check<std::int32_t>(apsp::omp.threads(static_cast<int>(random(1, 4))), s, sources,
                                  static_cast<std::int32_t>(random(0, 9)));
  }
}

// Long paths need many planes, and more than 16 bits.
BOOST_AUTO_TEST_CASE(deep_graphs) {
  shape path{"path", 70'001};
  for (std::size_t v = 1; v < path.n; ++v) path.arcs.emplace_back(v - 1, v);
  for (const std::size_t count : {1, 20, 140}) {
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(i * 5);
    solve_and_check<std::int32_t>(apsp::seq, path, sources, 1);
  }
}

// Batches take their sources by place if there are many steps and the graph is wide. Sources occur
// twice, and some of them reach nothing.
BOOST_AUTO_TEST_CASE(wide_graphs_of_many_steps) {
  auto strip = shape_of("strip, 300 x 40, seed = 81", grid_graph<int>(300, 40, 9, 81));
  strip.n += 300;
  auto wide = shape_of("strip, 50 x 300, seed = 82", grid_graph<int>(50, 300, 9, 82));
  for (const auto& [s, count] : {std::pair{&strip, 1100}, std::pair{&wide, 100}}) {
    random_numbers random(83);
    std::vector<std::size_t> sources{0};
    for (int i = 0; i < count; ++i) sources.push_back(random.index(s->n));
    solve_and_check<float>(apsp::seq, *s, sources, 0.7F);
    solve_and_check<std::int32_t>(apsp::omp.threads(2), *s, sources, 2);
  }
}

BOOST_AUTO_TEST_CASE(weights_of_zero) {
  for (const shape& s : shapes()) {
    solve_and_check<std::int32_t>(apsp::seq, s, all_vertices(s.n), 0);
    solve_and_check<double>(apsp::omp.threads(2), s, all_vertices(s.n), 0);
  }
  arc_list<float> g{3, {}, {}, {}};
  g.add(0, 1, 0.0F);
  g.add(1, 2, -0.0F);
  apsp::matrix<float> d(3);
  BOOST_CHECK(apsp::breadth_first_search(apsp::seq, g.view(), d));
  BOOST_CHECK_EQUAL(d[0][2], 0);
}

BOOST_AUTO_TEST_CASE(types_without_kernels) {
  for (const shape& s : shapes()) {
    if (s.n > 600) continue;
    solve_and_check<long double>(apsp::seq, s, all_vertices(s.n), 0.1L);
    solve_and_check<std::uint64_t>(apsp::seq, s, all_vertices(s.n), 7);
    solve_and_check<std::uint16_t>(apsp::omp.threads(2), s, all_vertices(s.n), 100);
  }
}

BOOST_AUTO_TEST_CASE(integers_that_do_not_fit) {
  const auto solve = []<class T>(T weight) {
    for (const std::size_t count : {3, 40, 600}) {
      const auto ring = shape_of("ring", ring_graph<int>(600, ring_kind::directed, 9, 1));
      const auto g = ring.with_weight(weight);
      std::vector<std::size_t> sources(count, 17);
      apsp::matrix<T> d(count, g.n);
      apsp::matrix<std::int32_t> p(count, g.n);
      const auto done = apsp::breadth_first_search(apsp::seq, g.view(), sources, d, p);
      BOOST_CHECK(done);
      BOOST_CHECK(done.saturated());
      const std::size_t most = static_cast<std::size_t>((apsp::unreachable<T> - 1) / weight);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < g.n; ++k) {
          const std::size_t v = (17 + k) % g.n;
          BOOST_REQUIRE_EQUAL(+d[i][v], k <= most ? static_cast<T>(static_cast<T>(k) * weight)
                                                  : apsp::unreachable<T>);
          BOOST_REQUIRE_EQUAL(
              p[i][v], k == 0 || k > most ? -1 : static_cast<std::int32_t>((v + g.n - 1) % g.n));
        }
      }
      // A limit is not a lack of range.
      const auto cut = apsp::breadth_first_search(apsp::seq.cutoff(100), g.view(), sources, d, p);
      BOOST_CHECK(cut && !cut.saturated());
    }
  };
  solve(std::int8_t{5});
  solve(std::uint8_t{100});
  solve(std::int16_t{1000});
  solve(std::int32_t{1} << 28);
  solve(std::uint32_t{1} << 30);
  solve(std::int64_t{1} << 60);
  solve(std::uint64_t{1} << 61);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, With, policies_and_weights) {
  using T = typename With::weight;
  for (const shape& s : shapes()) {
    for (const std::size_t count : {2, 30, 550}) {
      if (s.n == 0) continue;
      std::vector<std::size_t> sources;
      for (std::size_t i = 0; i < count; ++i) sources.push_back(i * 7 % s.n);
      const auto g = s.with_weight(T(2));
      apsp::matrix<T> d(count, s.n);
      apsp::matrix<std::int32_t> p(count, s.n);
      BOOST_CHECK(apsp::breadth_first_search(With::policy().cutoff(7.5).prefer_fewest_edges(),
                                             g.view(), sources, d, p));
      check(s, sources, T(2), d, &p, 3);
      BOOST_CHECK(apsp::breadth_first_search(With::policy().cutoff(0), g.view(), sources, d, p));
      check(s, sources, T(2), d, &p, 0);
    }
  }
}

// Weights of any kind are what unweighted() makes equal.
BOOST_AUTO_TEST_CASE(forms_of_calls) {
  const shape& s = shapes()[6];
  auto g = s.with_weight(1);
  random_numbers random(1);
  for (auto& w : g.weights) w = static_cast<int>(random(-9, 9));
  const auto graph = apsp::unweighted(g.view());
  std::vector<double> row(s.n);
  std::vector<std::int32_t> before(s.n);
  apsp::matrix<double> d(1, s.n);
  apsp::matrix<std::int32_t> p(1, s.n);
  const auto check_row = [&] {
    std::copy(row.begin(), row.end(), d.begin());
    check(s, {5}, 1.0, d, nullptr);
  };
  BOOST_CHECK(apsp::breadth_first_search(apsp::seq, graph, 5, row));
  check_row();
  BOOST_CHECK(apsp::breadth_first_search(apsp::omp, graph, 5, row, before));
  check_row();
  std::copy(before.begin(), before.end(), p.begin());
  check(s, {5}, 1.0, d, &p);
  std::vector<std::vector<std::int64_t>> all(s.n, std::vector<std::int64_t>(s.n));
  BOOST_CHECK(apsp::breadth_first_search(apsp::omp, graph, all));
  check(s, all_vertices(s.n), std::int64_t{1}, all, nullptr);
  apsp::matrix<std::int64_t> trees(s.n);
  BOOST_CHECK(apsp::breadth_first_search(apsp::omp, graph, all, trees));
  BOOST_CHECK_EQUAL(trees[5][5], -1);
  BOOST_CHECK_EQUAL(trees[5][static_cast<std::size_t>(g.targets.front())],
                    p[0][static_cast<std::size_t>(g.targets.front())]);
}

BOOST_AUTO_TEST_CASE(other_weights_are_refused) {
  arc_list<double> g{5, {}, {}, {}};
  g.add(0, 1, 2.5);
  g.add(1, 2, 2.5);
  // Arcs without effect may have any weight.
  g.add(1, 1, 4);
  g.add(0, 3, apsp::unreachable<double>);
  apsp::matrix<double> d(5);
  BOOST_CHECK(apsp::breadth_first_search(apsp::seq, g.view(), d));
  BOOST_CHECK_EQUAL(d[0][2], 5);
  BOOST_CHECK_EQUAL(d[0][3], apsp::unreachable<double>);
  g.add(3, 4, 0.125);
  g.add(4, 1, 7);
  check_refusal(g, "arc 3 -> 4 has the weight 0.125, which differs from the weight 2.5");
  std::fill(g.weights.begin(), g.weights.end(), -3);
  check_refusal(g, "arc 0 -> 1 has the negative weight -3");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(policies_say_what_ran, Policy, policies) {
  const auto g = shapes()[4].with_weight(1);
  apsp::matrix<int> d(g.n);
  const auto done = apsp::breadth_first_search(Policy::policy(), g.view(), d);
  BOOST_CHECK(apsp_test::runs_on_host(done.executed_on()));
  BOOST_CHECK_EQUAL(done.fallback_reason().empty(), runs_on_host(Policy::expected));
  if constexpr (requires { Policy::policy().required(); }) {
    BOOST_CHECK_THROW(
        static_cast<void>(apsp::breadth_first_search(Policy::policy().required(), g.view(), d)),
        apsp::device_error);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_can_be_watched_and_stopped, Policy, policies) {
  for (const std::size_t n : {10, 100, 1300}) {
    const auto g = shape_of("random", fixed_degree_graph<int>(n, 3, 9, 61)).with_weight(1);
    apsp::matrix<int> d(g.n);
    check_watched_and_stopped(Policy::policy(), g.n, [&](const auto& policy) {
      return apsp::breadth_first_search(policy, g.view(), d);
    });
  }
}
