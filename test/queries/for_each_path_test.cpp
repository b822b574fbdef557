// SPDX-License-Identifier: BSL-1.0
// Paths of pairs: each is followed along the arcs of the graph, and its length is compared to
// Boost's algorithms from each source. Weight types x policies x numbers of pairs, with and without
// a hierarchy, which is climbed or swept.
#define BOOST_TEST_MODULE for_each_path
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/carry.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/for_each_path.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <apsp/stop_token.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/host_or_device.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/price.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using path_span = std::span<const std::int32_t>;

struct vertex_pairs {
  std::vector<std::size_t> sources;
  std::vector<std::size_t> targets;

  void add(std::size_t s, std::size_t t) {
    sources.push_back(s);
    targets.push_back(t);
  }
  std::size_t size() const { return sources.size(); }
};

/// Random pairs; some are repeated, and some are of one vertex.
vertex_pairs some_pairs(std::size_t n, std::size_t count, std::uint64_t seed) {
  random_numbers random(seed);
  vertex_pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t s = random.index(n);
    pairs.add(s, k % 10 == 9 ? s : random.index(n));
  }
  if (count > 2) {
    pairs.sources.back() = pairs.sources.front();
    pairs.targets.back() = pairs.targets.front();
  }
  return pairs;
}
vertex_pairs pairs_from(std::size_t source, std::size_t n, std::size_t count, std::uint64_t seed) {
  vertex_pairs pairs = some_pairs(n, count, seed);
  std::fill(pairs.sources.begin(), pairs.sources.end(), source);
  return pairs;
}
vertex_pairs all_pairs(std::size_t n) {
  vertex_pairs pairs;
  for_each_pair(n, [&](std::size_t u, std::size_t v) { pairs.add(u, v); });
  return pairs;
}

template <class D>
struct passed_path {
  int num_calls = 0;
  D distance{};
  std::vector<std::int32_t> vertices;
};

/// The paths that call(f) passes to its function, one for each pair, by calls that do not overlap.
template <class D, class Call>
std::vector<passed_path<D>> passed_by(std::size_t num_pairs, Call call) {
  std::vector<passed_path<D>> passed(num_pairs);
  std::atomic<bool> is_inside = false;
  std::atomic<bool> overlaps = false;
  const auto done = call([&](std::size_t k, const D& distance, path_span path) {
    if (is_inside.exchange(true)) overlaps = true;
    passed_path<D>& entry = passed.at(k);
    ++entry.num_calls;
    entry.distance = distance;
    entry.vertices.assign(path.begin(), path.end());
    is_inside = false;
  });
  BOOST_REQUIRE(done);
  BOOST_CHECK(!done.saturated());
  BOOST_CHECK(!overlaps);
  BOOST_REQUIRE(std::all_of(passed.begin(), passed.end(),
                            [](const auto& entry) { return entry.num_calls == 1; }));
  return passed;
}

std::string text_of(path_span path) {
  std::string text;
  for (const std::int32_t v : path) text += " " + std::to_string(v);
  return text;
}

/// Compares up to the rounding of the numbers themselves, however small they are.
template <class T>
bool same_magnitude(wide_t<T> got, wide_t<T> expected) {
  if constexpr (std::is_integral_v<T>) return got == expected;
  return std::abs(got - expected) <=
         64 * static_cast<wide_t<T>>(std::numeric_limits<T>::epsilon()) * std::abs(expected);
}

/// A graph with its distances.
template <class T>
class known_graph {
 public:
  explicit known_graph(const arc_list<T>& g) : n_(g.n), lightest_(lightest_arcs(g)) {
    auto distances = oracle_distances(g);
    BOOST_REQUIRE(distances.has_value());
    distances_ = *std::move(distances);
  }

  /// Beyond it there is no path.
  wide_t<T> limit = wide_unreachable<T>;
  /// Sums of weights whose magnitude is very different are compared relative to the distance.
  bool is_relative = false;

  wide_t<T> distance(std::size_t s, std::size_t t) const {
    const wide_t<T> exact = distances_[s][t];
    return exact > limit ? wide_unreachable<T> : exact;
  }

  /// Checks what call(f) passes for the pairs.
  /// @param number  number(distance) is a distance in type T.
  template <class D = T, class Number, class Call>
  void check(const vertex_pairs& pairs, Number number, Call call) const {
    const auto passed = passed_by<D>(pairs.size(), call);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      check_path(pairs.sources[k], pairs.targets[k], number(passed[k].distance),
                 passed[k].vertices);
    }
  }
  template <class Call>
  void check(const vertex_pairs& pairs, Call call) const {
    check(
        pairs, [](const T& distance) { return distance; }, call);
  }

 private:
  bool is_same(wide_t<T> got, wide_t<T> expected) const {
    if (is_relative) return same_magnitude<T>(got, expected);
    return same_distance<T>(static_cast<T>(got), expected);
  }

  void check_path(std::size_t s, std::size_t t, const T& got, path_span path) const {
    const wide_t<T> expected = distance(s, t);
    const auto wrong = [&](const std::string& how) {
      std::ostringstream text;
      text.precision(17);
      text << "from " << s << " to " << t << ": expected ";
      expected == wide_unreachable<T> ? text << "none" : text << expected;
      text << ", got " << got << " and the path" << text_of(path) << ": " << how;
      BOOST_FAIL(text.str());
    };
    if (expected == wide_unreachable<T>) {
      if (got != apsp::unreachable<T>) wrong("expected no distance");
      if (!path.empty()) wrong("expected no path");
      return;
    }
    if (!is_same(static_cast<wide_t<T>>(got), expected)) wrong("another distance");
    if (path.empty()) wrong("no path");
    if (path.front() != static_cast<std::int32_t>(s)) wrong("another beginning");
    if (path.back() != static_cast<std::int32_t>(t)) wrong("another end");
    if (s == t && path.size() != 1) wrong("expected one vertex");
    for (const std::int32_t v : path) {
      if (v < 0 || static_cast<std::size_t>(v) >= n_) wrong("no vertex");
    }
    std::vector<char> is_passed(n_, 0);
    wide_t<T> length = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const auto v = static_cast<std::size_t>(path[i]);
      if (std::exchange(is_passed[v], 1) != 0) wrong("a vertex twice");
      if (i + 1 == path.size()) break;
      const wide_t<T> weight = lightest_[v][static_cast<std::size_t>(path[i + 1])];
      if (weight == wide_unreachable<T>) wrong("no arc from " + std::to_string(v));
      length += weight;
    }
    if (!is_same(length, expected)) wrong("it is " + std::to_string(length) + " long");
  }

  std::size_t n_;
  apsp::matrix<wide_t<T>> lightest_;
  wide_rows<T> distances_;
};

/// A random graph without negative cycles in which shortest paths of equal length are common, as
/// are arcs and cycles of length 0, self-loops of weight 0 and parallel arcs. Some vertices are
/// unreachable.
/// @param reach  weights of the order of this one may be negative.
template <class T>
arc_list<T> tied_graph(std::size_t n, double p, std::int64_t reach, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::int64_t> potential(n);
  for (auto& x : potential) x = random(-reach, reach);
  arc_list<T> g{n, {}, {}, {}};
  for_each_pair(n, [&](std::size_t u, std::size_t v) {
    for (int parallel = 0; parallel < 2; ++parallel) {
      if (!random.chance(p)) continue;
      const std::int64_t w = u == v ? 0 : random(0, 3);
      g.add(u, v, static_cast<T>(w + potential[u] - potential[v]));
    }
  });
  return g;
}

/// Calls f(pairs) for pairs with few and many ends.
template <class F>
void for_pairs(std::size_t n, std::uint64_t seed, F f) {
  for (const std::size_t count : {1, 4, 30, 700}) {
    BOOST_TEST_CONTEXT(count << " pairs, seed " << seed) {
      f(some_pairs(n, count, seed));
      f(pairs_from(n / 2, n, count, seed + 1));
    }
  }
}

/// Calls f(pairs) for all pairs of some vertices, four at a time: so few are always climbed for.
template <class F>
void for_fours(std::size_t n, F f) {
  const std::size_t most = 40;
  const vertex_pairs all = all_pairs(std::min(n, most));
  for (std::size_t k = 0; k < all.size(); k += 4) {
    vertex_pairs four;
    for (std::size_t i = k; i < std::min(all.size(), k + 4); ++i) {
      four.add(all.sources[i], all.targets[i]);
    }
    f(four);
  }
}

/// Checks calls with the graph and with a hierarchy of it.
template <class Policy, class T>
void check_with_and_without_hierarchy(const Policy& policy, const arc_list<T>& g,
                                      const known_graph<T>& known, std::uint64_t seed) {
  const apsp::contraction_hierarchy<T> prepared(policy, g.view());
  BOOST_REQUIRE(prepared);
  const auto check_prepared = [&](const vertex_pairs& pairs) {
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(policy, prepared, pairs.sources, pairs.targets, f);
    });
  };
  for_pairs(g.n, seed, [&](const vertex_pairs& pairs) {
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(policy, g.view(), pairs.sources, pairs.targets, f);
    });
    BOOST_TEST_CONTEXT("hierarchy") {
      check_prepared(pairs);
    }
  });
  if (!on_device) {
    BOOST_TEST_CONTEXT("hierarchy, four pairs") {
      for_fours(g.n, check_prepared);
    }
  }
}

/// The rows and columns of a grid have arcs of weight 0 or 1 in both directions.
template <class T>
arc_list<T> tied_grid(std::size_t side, std::uint64_t seed) {
  random_numbers random(seed);
  auto g = to_arcs<T>(grid_graph<std::int32_t>(side, side, 9, seed));
  for (T& w : g.weights) w = static_cast<T>(random(0, 1));
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  const std::pair<std::size_t, double> shapes[] = {{2, 0.7}, {7, 0.2}, {40, 0.02}, {90, 0.04}};
  for (const auto& [n, p] : shapes) {
    for (const std::int64_t reach : {0, 9}) {
      BOOST_TEST_CONTEXT(n << " vertices, reach " << reach) {
        const auto g = tied_graph<T>(n, p, reach, 11);
        check_with_and_without_hierarchy(With::policy(), g, known_graph<T>(g), 12);
      }
    }
  }
  const auto g = random_graph<T>(90, 0.03, 1, 99, 13);
  check_with_and_without_hierarchy(With::policy(), g, known_graph<T>(g), 14);
  known_graph<T> within(g);
  within.limit = 40;
  check_with_and_without_hierarchy(With::policy().cutoff(40), g, within, 15);
}

// Searches on potentials reach vertices beyond the cutoff.
BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff_with_negative_weights, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = tied_graph<T>(60, 0.04, 50, 21);
  for (const int limit : {0, 20}) {
    BOOST_TEST_CONTEXT("cutoff " << limit) {
      known_graph<T> within(g);
      within.limit = limit;
      check_with_and_without_hierarchy(With::policy().cutoff(limit), g, within, 22);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  random_numbers random(31);
  const auto weight = [&] { return static_cast<T>(random(0, 1)); };
  const auto check = [](const arc_list<T>& g, std::uint64_t seed) {
    check_with_and_without_hierarchy(With::policy(), g, known_graph<T>(g), seed);
  };
  BOOST_TEST_CONTEXT("chain") {
    arc_list<T> chain{200, {}, {}, {}};
    const auto way = zigzag(chain.n);
    for (std::size_t i = 0; i + 1 < chain.n; ++i) {
      chain.add(way[i], way[i + 1], weight());
      if (i % 50 != 7) chain.add(way[i + 1], way[i], weight());
    }
    check(chain, 32);
  }
  BOOST_TEST_CONTEXT("tree") {
    arc_list<T> tree{200, {}, {}, {}};
    for (std::size_t v = 1; v < tree.n; ++v) tree.add_undirected(random.index(v), v, weight());
    check(tree, 33);
  }
  BOOST_TEST_CONTEXT("star") {
    arc_list<T> star{100, {}, {}, {}};
    for (std::size_t v = 1; v < star.n; ++v) star.add_undirected(v, 0, weight());
    check(star, 34);
  }
  BOOST_TEST_CONTEXT("ring of length 0") {
    arc_list<T> ring{100, {}, {}, {}};
    for (std::size_t v = 0; v < ring.n; ++v) ring.add(v, (v + 1) % ring.n, T{});
    check(ring, 35);
  }
  BOOST_TEST_CONTEXT("two components") {
    auto g = tied_grid<T>(6, 36);
    const std::size_t n = g.n;
    for (std::size_t k = 0, size = g.size(); k < size; ++k) {
      g.add(n + g.from(k), n + g.to(k), weight());
    }
    g.n = 2 * n;
    check(g, 37);
  }
  BOOST_TEST_CONTEXT("grid") {
    check(tied_grid<T>(15, 38), 39);
  }
}

using policies_and_floats = with_policies<with, std::tuple<float, double>>;

// Rounding makes arcs vanish beside others, and cycles of them look as if their length were 0.
BOOST_AUTO_TEST_CASE_TEMPLATE(magnitudes, With, policies_and_floats) {
  using T = typename With::weight;
  for (std::uint64_t seed = 41; seed < 46; ++seed) {
    random_numbers random(seed);
    arc_list<T> g{60, {}, {}, {}};
    for (int k = 0; k < 200; ++k) {
      const T weights[] = {T{}, static_cast<T>(random(1, 9)) * T(1e-9),
                           static_cast<T>(random(1, 99)), static_cast<T>(random(1, 3)) * T(1e9)};
      g.add(random.index(g.n), random.index(g.n), weights[random.index(4)]);
    }
    known_graph<T> known(g);
    known.is_relative = true;
    BOOST_TEST_CONTEXT("seed " << seed) {
      check_with_and_without_hierarchy(With::policy(), g, known, seed);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(few_vertices, Policy, policies) {
  const auto check_graph = [](const arc_list<int>& g, const known_graph<int>& known,
                              const vertex_pairs& pairs) {
    const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(Policy::policy(), g.view(), pairs.sources, pairs.targets, f);
    });
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(Policy::policy(), prepared, pairs.sources, pairs.targets, f);
    });
  };
  const auto check = [&](const arc_list<int>& g, const vertex_pairs& pairs) {
    check_graph(g, known_graph<int>(g), pairs);
  };
  check({}, {});
  const auto one = make_graph<int>(1, {});
  const auto loop = make_graph<int>(1, {{0, 0, 0}, {0, 0, 3}});
  for (const auto& g : {one, loop}) {
    check(g, {});
    check(g, all_pairs(1));
    check(g, {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}});
  }
  check(make_graph<int>(2, {}), all_pairs(2));
  const auto parallel =
      make_graph<int>(3, {{0, 1, 5}, {0, 1, 2}, {1, 1, 0}, {0, 1, 9}, {1, 0, 0}, {0, 2, 3}});
  check(parallel, {});
  check(parallel, {{0}, {2}});
  check(parallel, all_pairs(3));
  BOOST_TEST_CONTEXT("an arc that is none") {
    const auto back = make_graph<int>(2, {{1, 0, 4}});
    check_graph(with_an_unreachable_arc(back), known_graph<int>(back), all_pairs(2));
  }
}

// Lists of other types, and distances of another type than the weights.
BOOST_AUTO_TEST_CASE_TEMPLATE(other_ranges_and_distances, Policy, policies) {
  const auto g = random_graph<int>(40, 0.06, 0, 9, 51);
  const auto doubled = converted<double>(g);
  const known_graph<double> known(doubled);
  const std::vector<std::uint8_t> from{1, 2, 39};
  const std::set<int> to{0, 5, 7};
  const vertex_pairs pairs{{1, 2, 39}, {0, 5, 7}};
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  known.check(pairs, [&](const auto& f) {
    return apsp::for_each_path<double>(Policy::policy(), g.view(), from, to, f);
  });
  known.check(pairs, [&](const auto& f) {
    return apsp::for_each_path<double>(Policy::policy(), prepared, from, to, f);
  });
  const auto many = some_pairs(g.n, 300, 52);
  known.check(many, [&](const auto& f) {
    return apsp::for_each_path<double>(Policy::policy(), prepared, many.sources, many.targets, f);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_weights, Policy, policies) {
  const auto first = random_graph<int>(60, 0.05, 1, 9, 61);
  apsp::contraction_hierarchy prepared(Policy::policy(), first.view());
  auto second = first;
  std::reverse(second.weights.begin(), second.weights.end());
  BOOST_REQUIRE(prepared.customize(Policy::policy(), second.view()));
  const known_graph<int> known(second);
  for_pairs(second.n, 62, [&](const vertex_pairs& pairs) {
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(Policy::policy(), prepared, pairs.sources, pairs.targets, f);
    });
  });
}

// A hierarchy of large weights computes in a wider type than one of small ones.
using integer_types = std::tuple<std::int16_t, std::int32_t, std::uint32_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(large_weights, T, integer_types) {
  constexpr T large = (std::numeric_limits<T>::max)() / 8;
  random_numbers random(71);
  std::vector<std::int64_t> potential(50);
  if (std::is_signed_v<T>) {
    for (auto& x : potential) x = random(0, large);
  }
  for (const T heaviest : {T(7), T(large / 30), large}) {
    // Devices have no sums of 128 bits.
    if (on_device && sizeof(T) == 8 && heaviest != T(7)) continue;
    arc_list<T> g{50, {}, {}, {}};
    for (int k = 0; k < 160; ++k) {
      const std::size_t u = random.index(g.n);
      const std::size_t v = random.index(g.n);
      // Heavy arcs are on few of the paths, so that no distance is too long.
      const std::int64_t w = k % 16 == 0 ? heaviest : random(0, 7);
      const bool has_potential = heaviest == large;
      g.add(u, v, static_cast<T>(w + (has_potential ? potential[u] - potential[v] : 0)));
    }
    BOOST_TEST_CONTEXT("heaviest " << heaviest) {
      check_with_and_without_hierarchy(one_thread, g, known_graph<T>(g), 72);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(over_semirings, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  constexpr bool has_kernels = !std::is_same_v<S, apsp::max_times<T>> || !std::is_integral_v<T>;
  if (!has_kernels && !takes_plain_loops<Over>()) return;
  const auto g = semiring_graph<S>(70, 0.04, 81);
  const auto expected = best_values<S>(g);
  apsp::matrix<T> best_arcs(g.n, g.n, meaning<S>::zero);
  for (std::size_t k = 0; k < g.size(); ++k) {
    T& entry = best_arcs[g.from(k)][g.to(k)];
    if (meaning<S>::is_better(g.weights[k], entry)) entry = g.weights[k];
  }
  const apsp::contraction_hierarchy prepared(Over::policy(), g.view(), S{});
  for_pairs(g.n, 82, [&](const vertex_pairs& pairs) {
    const auto check = [&](const auto& graph) {
      const auto passed = passed_by<T>(pairs.size(), [&](const auto& f) {
        return apsp::for_each_path(Over::policy(), graph, pairs.sources, pairs.targets, f, S{});
      });
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::size_t s = pairs.sources[k];
        const std::size_t t = pairs.targets[k];
        const auto& path = passed[k].vertices;
        BOOST_REQUIRE(same_value<S>(passed[k].distance, expected[s][t]));
        BOOST_REQUIRE_EQUAL(path.empty(), s != t && expected[s][t] == meaning<S>::zero);
        if (path.empty()) continue;
        BOOST_REQUIRE_EQUAL(path.front(), s);
        BOOST_REQUIRE_EQUAL(path.back(), t);
        T value = meaning<S>::one;
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
          const T arc =
              best_arcs[static_cast<std::size_t>(path[i])][static_cast<std::size_t>(path[i + 1])];
          BOOST_REQUIRE(arc != meaning<S>::zero);
          value = meaning<S>::join(value, arc);
        }
        BOOST_REQUIRE(same_value<S>(value, expected[s][t]));
      }
    };
    check(g.view());
    check(prepared);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(saturated, Policy, policies) {
  constexpr std::int16_t half = (std::numeric_limits<std::int16_t>::max)() / 2 + 1;
  const auto g = make_graph<std::int16_t>(5, {{0, 1, half}, {1, 2, half}, {2, 3, half}});
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const std::vector<int> from{0, 0, 3}, to{3, 1, 0};
  const auto check = [&](const auto& graph) {
    std::vector<std::int16_t> distances(from.size());
    std::vector<std::vector<std::int32_t>> paths(from.size());
    const auto done =
        apsp::for_each_path(Policy::policy(), graph, from, to,
                            [&](std::size_t k, const std::int16_t& distance, path_span path) {
                              distances[k] = distance;
                              paths[k].assign(path.begin(), path.end());
                            });
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    BOOST_CHECK((distances == std::vector<std::int16_t>{apsp::unreachable<std::int16_t>, half,
                                                        apsp::unreachable<std::int16_t>}));
    BOOST_CHECK((paths == std::vector<std::vector<std::int32_t>>{{}, {0, 1}, {}}));
  };
  check(g.view());
  check(prepared);
}

namespace {

/// A function that must not be called.
template <class T>
auto never() {
  return [](std::size_t k, const T&, path_span) { BOOST_ERROR("pair " << k << " was passed"); };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  auto g = random_graph<int>(50, 0.05, 1, 9, 91);
  g.add(7, 9, -4);
  g.add(9, 7, 2);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  BOOST_CHECK(!prepared);
  for_pairs(g.n, 92, [&](const vertex_pairs& pairs) {
    const auto check = [&](const auto& graph) {
      const auto done =
          apsp::for_each_path(Policy::policy(), graph, pairs.sources, pairs.targets, never<int>());
      BOOST_CHECK(!done);
      BOOST_CHECK(!done.stopped());
      check_negative_cycle(g, done.negative_cycle());
    };
    check(g.view());
    check(prepared);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 101);
  const auto check = [&](const auto& graph, const std::vector<int>& from,
                         const std::vector<int>& to, const std::string& words) {
    check_refused(
        [&] { return apsp::for_each_path(Policy::policy(), graph, from, to, never<int>()); },
        words);
  };
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const auto check_lists = [&](const auto& graph) {
    check(graph, {1, 2}, {3}, "as many targets as sources, got 2 sources and 1 targets");
    check(graph, {}, {3}, "got 0 sources and 1 targets");
    check(graph, {1, 10}, {3, 4}, "source 10 is out of range: the graph has 10 vertices");
    check(graph, {1, -1}, {3, 4}, "source -1 is out of range");
    check(graph, {1, 2}, {3, -1}, "target -1 is out of range");
    check(graph, {1, 2}, {3, 10}, "target 10 is out of range");
  };
  check_lists(g.view());
  check_lists(prepared);
  auto bad = g;
  bad.targets.back() = 10;
  check(bad.view(), {1, 2}, {3, 4}, " -> 10 is out of range");
  check(apsp::contraction_hierarchy<int>(), {}, {}, "expected the hierarchy of a graph");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 9, 111);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const auto pairs = some_pairs(g.n, 50, 112);
  const auto ignore = [](std::size_t, const int&, path_span) {};
  check_watched_and_stopped(
      Policy::policy(), std::set(pairs.sources.begin(), pairs.sources.end()).size(),
      [&](const auto& policy) {
        return apsp::for_each_path(policy, g.view(), pairs.sources, pairs.targets, ignore);
      });
  for (const std::size_t count : {3, 50}) {
    const auto some = some_pairs(g.n, count, 113);
    check_stopped_before(Policy::policy(), [&](const auto& policy) {
      return apsp::for_each_path(policy, g.view(), some.sources, some.targets, never<int>());
    });
    check_stopped_before(Policy::policy(), [&](const auto& policy) {
      return apsp::for_each_path(policy, prepared, some.sources, some.targets, never<int>());
    });
  }
#ifndef APSP_TEST_ON_DEVICE
  // Few pairs are climbed for.
  if (runs_on_host(Policy::expected)) {
    const auto few = pairs_from(7, g.n, 4, 114);
    check_watched_and_stopped(Policy::policy(), few.size(), [&](const auto& policy) {
      return apsp::for_each_path(policy, prepared, few.sources, few.targets, ignore);
    });
  }
#endif
}

#ifndef APSP_TEST_ON_DEVICE
// A device may have solved all rows when the function is called first.
BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_by_the_function, Policy, policies) {
  const auto g = tied_grid<int>(30, 121);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const auto check = [&](const auto& graph, const vertex_pairs& pairs) {
    apsp::stop_source source;
    std::vector<int> num_calls(pairs.size(), 0);
    std::size_t calls = 0;
    const auto done =
        apsp::for_each_path(Policy::policy().stop(source.get_token()), graph, pairs.sources,
                            pairs.targets, [&](std::size_t k, const int&, path_span) {
                              ++num_calls.at(k);
                              if (++calls == 3) source.request_stop();
                            });
    BOOST_CHECK(!done);
    BOOST_CHECK(done.stopped());
    BOOST_CHECK(done.negative_cycle().empty());
    BOOST_CHECK_GE(calls, 3u);
    BOOST_CHECK_LT(calls, pairs.size());
    BOOST_CHECK(
        std::all_of(num_calls.begin(), num_calls.end(), [](int count) { return count <= 1; }));
  };
  const auto many = some_pairs(g.n, 2000, 122);
  check(g.view(), many);
  check(prepared, many);
  check(prepared, some_pairs(g.n, 150, 123));
}

// Few pairs of a hierarchy are climbed for, and many pairs with one source are not.
BOOST_AUTO_TEST_CASE(the_choice) {
  const auto g = to_arcs<int>(grid_graph<std::int32_t>(40, 40, 99, 131));
  const known_graph<int> known(g);
  const apsp::contraction_hierarchy prepared(one_thread, g.view());
  const auto num_steps = [&](const vertex_pairs& pairs, const auto& policy) {
    std::size_t steps = 0;
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(policy.progress([&](std::size_t, std::size_t of) { steps = of; }),
                                 prepared, pairs.sources, pairs.targets, f);
    });
    return steps;
  };
  BOOST_CHECK_EQUAL(num_steps(pairs_from(5, g.n, 4, 132), one_thread), 4u);
  BOOST_CHECK_EQUAL(num_steps(pairs_from(5, g.n, 4, 132), some_threads), 4u);
  BOOST_CHECK_EQUAL(num_steps(pairs_from(5, g.n, 1000, 134), one_thread), 1u);
  const std::size_t num_distinct = 40;
  BOOST_CHECK_EQUAL(num_steps(some_pairs(num_distinct, 5000, 135), one_thread), num_distinct);
}

// Slow functions, so that other threads have paths ready.
BOOST_AUTO_TEST_CASE(calls_do_not_overlap) {
  const auto g = tied_grid<int>(20, 141);
  const auto threads = apsp::omp.threads(4);
  const apsp::contraction_hierarchy prepared(threads, g.view());
  const auto pairs = some_pairs(g.n, 200, 142);
  const known_graph<int> known(g);
  const auto check = [&](const auto& graph) {
    std::atomic<int> num_inside = 0;
    std::atomic<bool> overlaps = false;
    known.check(pairs, [&](const auto& f) {
      return apsp::for_each_path(threads, graph, pairs.sources, pairs.targets,
                                 [&](std::size_t k, const int& distance, path_span path) {
                                   if (++num_inside > 1) overlaps = true;
                                   f(k, distance, path);
                                   std::this_thread::sleep_for(std::chrono::microseconds(50));
                                   --num_inside;
                                 });
    });
    BOOST_CHECK(!overlaps);
  };
  check(g.view());
  check(prepared);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(throwing_function, Policy, policies) {
  const auto g = tied_graph<int>(80, 0.03, 0, 151);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const auto check = [&](const auto& graph, const vertex_pairs& pairs, std::size_t last) {
    std::size_t calls = 0;
    const auto throwing = [&](std::size_t, const int&, path_span) {
      if (++calls == last) throw std::range_error("not this path");
    };
    check_refused<std::range_error>(
        [&] {
          return apsp::for_each_path(Policy::policy(), graph, pairs.sources, pairs.targets,
                                     throwing);
        },
        "not this path");
    BOOST_CHECK_EQUAL(calls, last);
  };
  for_pairs(g.n, 152, [&](const vertex_pairs& pairs) {
    for (const std::size_t last : {std::size_t{1}, (pairs.size() + 1) / 2, pairs.size()}) {
      check(g.view(), pairs, last);
      check(prepared, pairs, last);
    }
  });
}

#ifndef APSP_TEST_ON_DEVICE
namespace {

/// The graph with user-defined weights.
arc_list<price> priced(const arc_list<double>& g) {
  arc_list<price> made{g.n, g.sources, g.targets, {}};
  for (const double w : g.weights) made.weights.push_back({w});
  return made;
}

/// Checks calls with user-defined weights.
template <class Policy>
void check_prices(const Policy& policy, const arc_list<double>& g, const known_graph<double>& known,
                  std::uint64_t seed) {
  const auto with_prices = priced(g);
  const auto amount = [](const price& distance) { return distance.amount; };
  const apsp::contraction_hierarchy prepared(policy, with_prices.view());
  const auto check_prepared = [&](const vertex_pairs& pairs) {
    known.check<price>(pairs, amount, [&](const auto& f) {
      return apsp::for_each_path(policy, prepared, pairs.sources, pairs.targets, f);
    });
  };
  for_pairs(g.n, seed, [&](const vertex_pairs& pairs) {
    known.check<price>(pairs, amount, [&](const auto& f) {
      return apsp::for_each_path(policy, with_prices.view(), pairs.sources, pairs.targets, f);
    });
    BOOST_TEST_CONTEXT("hierarchy") {
      check_prepared(pairs);
    }
  });
  BOOST_TEST_CONTEXT("hierarchy, four pairs") {
    for_fours(g.n, check_prepared);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights, Policy, policies) {
  const auto g = tied_graph<double>(80, 0.03, 0, 161);
  check_prices(Policy::policy(), g, known_graph<double>(g), 162);
  auto tenths = random_graph<double>(80, 0.05, 1, 99, 163);
  for (double& w : tenths.weights) w /= 10;
  check_prices(Policy::policy(), tenths, known_graph<double>(tenths), 164);
}

// Sums of user-defined weights may round, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights_that_round, Policy, policies) {
  const auto g = make_graph<double>(6, {{1, 2, 1},
                                        {5, 4, 1e-9},
                                        {3, 5, 0},
                                        {3, 5, 1e9},
                                        {3, 1, 1},
                                        {4, 1, 1e-9},
                                        {1, 4, 1},
                                        {5, 3, 0},
                                        {4, 5, 1e-9},
                                        {0, 5, 0},
                                        {3, 3, 1e-9},
                                        {1, 0, 0},
                                        {0, 5, 1}});
  known_graph<double> known(g);
  known.is_relative = true;
  check_prices(Policy::policy(), g, known, 171);
  for (std::uint64_t seed = 172; seed < 182; ++seed) {
    random_numbers random(seed);
    arc_list<double> many{40, {}, {}, {}};
    for (int k = 0; k < 140; ++k) {
      const double weights[] = {0, 1e-9, static_cast<double>(random(1, 99)), 1e9};
      many.add(random.index(many.n), random.index(many.n), weights[random.index(4)]);
    }
    known_graph<double> known_distances(many);
    known_distances.is_relative = true;
    BOOST_TEST_CONTEXT("seed " << seed) {
      check_prices(Policy::policy(), many, known_distances, seed);
    }
  }
}

// The oracle adds up both numbers as one: attributes are the last digits.
BOOST_AUTO_TEST_CASE_TEMPLATE(carried_weights, Policy, policies) {
  constexpr std::int64_t unit = 1 << 20;
  const auto check = [&]<class T>(T, std::int64_t reach, std::uint64_t seed) {
    using number = decltype(T::distance);
    auto g = tied_graph<std::int64_t>(60, 0.04, reach, seed);
    random_numbers random(seed);
    std::vector<number> lengths;
    std::vector<number> attributes;
    for (std::int64_t& w : g.weights) {
      const std::int64_t attribute = random(0, 5);
      lengths.push_back(static_cast<number>(w));
      attributes.push_back(static_cast<number>(attribute));
      w = w * unit + attribute;
    }
    const known_graph<std::int64_t> known(g);
    const auto carrying = apsp::carry(apsp::edge_list_view(g.n, g.sources, g.targets, lengths),
                                      [&](const apsp::edge& e) { return attributes[e.index]; });
    const apsp::contraction_hierarchy prepared(Policy::policy(), carrying);
    const auto as_one = [&](const T& x) {
      return x == apsp::unreachable<T> ? apsp::unreachable<std::int64_t>
                                       : static_cast<std::int64_t>(x.distance) * unit +
                                             static_cast<std::int64_t>(x.attribute);
    };
    const auto check_prepared = [&](const vertex_pairs& pairs) {
      known.check<T>(pairs, as_one, [&](const auto& f) {
        return apsp::for_each_path(Policy::policy(), prepared, pairs.sources, pairs.targets, f);
      });
    };
    for_pairs(g.n, seed + 1, [&](const vertex_pairs& pairs) {
      known.check<T>(pairs, as_one, [&](const auto& f) {
        return apsp::for_each_path(Policy::policy(), carrying, pairs.sources, pairs.targets, f);
      });
      check_prepared(pairs);
    });
    for_fours(g.n, check_prepared);
  };
  for (const std::int64_t reach : {0, 9}) {
    BOOST_TEST_CONTEXT("reach " << reach) {
      check(apsp::carried<std::int64_t, std::int64_t>{}, reach, 191);
      check(apsp::carried<double, double>{}, reach, 193);
    }
  }
}
#endif
