// SPDX-License-Identifier: BSL-1.0
// Sums of amounts by distance, compared with Boost's algorithms from each source and sums in long
// double: weight types x policies x kinds of amounts and decays, with and without a hierarchy.
#define BOOST_TEST_MODULE accessibility
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/accessibility.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/distance_decay.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <span>
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
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using vertex_list = std::vector<std::size_t>;
using amount_matrix = apsp::matrix<double>;
constexpr long double no_limit = std::numeric_limits<long double>::infinity();

/// A decay and the share that it stands for.
struct decay_case {
  std::string name;
  apsp::distance_decay decay;
  std::function<long double(long double)> share;
  /// The parts of a share may be as large as 1, and cancel each other.
  bool cancels = false;

  bool is_step() const { return decay.rule().kind == apsp::detail::decay_kind::step; }
};

decay_case step_case(const std::vector<long double>& cutoffs) {
  std::string name = "within";
  for (const long double cutoff : cutoffs) name += ' ' + std::to_string(cutoff);
  return {name, apsp::within(cutoffs), [](long double) { return 1.0L; }};
}
decay_case exponential_case(double rate) {
  return {"exponential " + std::to_string(rate), apsp::exponential(rate),
          [rate](long double d) { return std::exp(-rate * d); }};
}
decay_case power_case(double exponent, double nearest) {
  return {"power " + std::to_string(exponent) + ' ' + std::to_string(nearest),
          apsp::power(exponent, nearest), [=](long double d) {
            const long double x = std::max<long double>(d, nearest);
            return x > 0 ? std::pow(x, -static_cast<long double>(exponent)) : 0.0L;
          }};
}
decay_case linear_case(long double cutoff) {
  return {"linear " + std::to_string(cutoff), apsp::linear(cutoff),
          [cutoff](long double d) { return std::max(1 - d / cutoff, 0.0L); }, true};
}
decay_case gaussian_case(double deviation) {
  return {"gaussian " + std::to_string(deviation), apsp::gaussian(deviation),
          [deviation](long double d) { return std::exp(-0.5L * d * d / deviation / deviation); }};
}

std::vector<decay_case> all_decays() {
  return {step_case({20}),     step_case({no_limit}),
          step_case({0}),      step_case({30.5L, 0, no_limit, 7, 30.5L, 90}),
          step_case({7, 40}),  exponential_case(0.05),
          exponential_case(0), exponential_case(3),
          power_case(2, 0),    power_case(1.5, 10),
          power_case(0, 0),    power_case(0.5, 0.25),
          linear_case(25),     linear_case(1e6L),
          gaussian_case(20),   gaussian_case(0.5)};
}

/// Kinds of amounts at the vertices, of which the first four are integers.
enum class amounts_of { ones, few, one_vertex, nobody, columns, both_signs, reals };
constexpr amounts_of all_kinds[] = {amounts_of::ones,   amounts_of::few,     amounts_of::one_vertex,
                                    amounts_of::nobody, amounts_of::columns, amounts_of::both_signs,
                                    amounts_of::reals};

amount_matrix some_amounts(std::size_t n, amounts_of kind, std::uint64_t seed) {
  random_numbers random(seed);
  const bool has_columns = kind == amounts_of::columns || kind == amounts_of::few;
  amount_matrix amounts(n, has_columns ? 3 : 1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t c = 0; c < amounts.cols(); ++c) {
      double& amount = amounts[v][c];
      switch (kind) {
        case amounts_of::ones:
          amount = 1;
          break;
        case amounts_of::few:
          // One column has none at all.
          amount = c != 1 && random.chance(0.05) ? static_cast<double>(random(1, 99)) : 0;
          break;
        case amounts_of::one_vertex:
          amount = v == n / 2 ? 5 : 0;
          break;
        case amounts_of::nobody:
          amount = v % 2 == 0 ? 0 : -0.0;
          break;
        case amounts_of::columns:
          amount = static_cast<double>(random(0, 1000));
          break;
        case amounts_of::both_signs:
          amount = static_cast<double>(random(-1000, 1000));
          break;
        case amounts_of::reals:
          amount = static_cast<double>(random(1, 1 << 30)) / 1e7;
          break;
      }
    }
  }
  return amounts;
}

/// The sum over all vertices within the limits, and that of the magnitudes of its terms.
template <class T>
std::pair<long double, long double> expected_sum(const std::vector<wide_t<T>>& row,
                                                 const amount_matrix& amounts, std::size_t column,
                                                 const decay_case& decay, long double cutoff) {
  long double sum = 0;
  long double magnitude = 0;
  for (std::size_t v = 0; v < row.size(); ++v) {
    const long double amount = amounts[v][column];
    if (row[v] == wide_unreachable<T> || amount == 0) continue;
    const auto d = static_cast<long double>(row[v]);
    if (d > cutoff) continue;
    const long double share = decay.share(d);
    sum += amount * share;
    magnitude += std::abs(amount) * (decay.cancels ? std::max(share, 1.0L) : share);
  }
  return {sum, magnitude};
}

/// Checks all sums, and reports the first that differs.
template <class T, class Sums>
void check_sums(const wide_rows<T>& rows, const amount_matrix& amounts, const decay_case& decay,
                long double limit, const Sums& sums, long double tolerance = 1e-13L) {
  const auto& cutoffs = decay.decay.cutoffs();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < amounts.cols(); ++c) {
      for (std::size_t l = 0; l < cutoffs.size(); ++l) {
        const auto [sum, magnitude] =
            expected_sum<T>(rows[i], amounts, c, decay, std::min(limit, cutoffs[l]));
        const auto got =
            static_cast<long double>(apsp::matrix_entry(sums, i, c * cutoffs.size() + l));
        // Shares below e^-708 may be 0.
        const long double allowed = tolerance * magnitude + 1e-300L;
        if (!(std::abs(got - sum) <= allowed)) {
          BOOST_ERROR(decay.name << ": sum " << l << " of column " << c << " in row " << i << " is "
                                 << got << ", not " << sum);
          return;
        }
      }
    }
  }
}

/// The tolerance of sums: none for integers within cutoffs.
long double tolerance_of(const decay_case& decay, amounts_of kind) {
  return decay.is_step() && kind != amounts_of::reals ? 0 : 1e-13L;
}

amount_matrix room_for(std::size_t num_sources, const amount_matrix& amounts,
                       const decay_case& decay) {
  return {num_sources, amounts.cols() * decay.decay.cutoffs().size(), 42};
}

template <class T>
wide_rows<T> rows_from(const wide_rows<T>& all, const vertex_list& sources) {
  wide_rows<T> rows;
  for (const std::size_t s : sources) rows.push_back(all[s]);
  return rows;
}

template <class With>
void check_place(const apsp::result& done) {
  BOOST_CHECK(done.executed_on() == With::expected || !runs_on_host(With::expected));
}

/// Lists of sources: all vertices, some with one twice, one, none.
vertex_list some_sources(std::size_t n, std::size_t kind, std::uint64_t seed) {
  switch (kind % 4) {
    case 0:
      return all_vertices(n);
    case 1:
      return some_vertices(n, 20, seed);
    case 2:
      return n == 0 ? vertex_list{} : vertex_list{n / 3};
    default:
      return {};
  }
}

/// Calls check(g, seed) for graphs with unreachable vertices, parallel arcs, self-loops and arcs of
/// weight 0, for dense and undirected graphs, and for graphs with negative weights.
template <class T, class Check>
void for_random_graphs(Check check) {
  for (const std::size_t n : {0, 1, 2, 17, 70, 200}) {
    check(some_graph<T>(n, 0, 10 + n), 10 + n);
    check(random_graph<T>(n, 0.5, 1, 99, 20 + n), 20 + n);
    if (std::is_signed_v<T>) check(negative_graph<T>(n, n < 20 ? 0.3 : 0.03, 30 + n), 30 + n);
  }
  auto undirected = random_graph<T>(150, 0.01, 1, 99, 40);
  const std::size_t num_arcs = undirected.size();
  for (std::size_t k = 0; k < num_arcs; ++k) {
    undirected.add(undirected.to(k), undirected.from(k), undirected.weights[k]);
  }
  check(undirected, 40);
  // Only weights of zero, and only equal weights.
  check(random_graph<T>(60, 0.05, 0, 0, 41), 41);
  check(random_graph<T>(160, 0.02, 3, 3, 42), 42);
  // Weights that differ too much for buckets.
  auto g = random_graph<T>(150, 0.03, 1, 9, 43);
  random_numbers random(44);
  for (T& w : g.weights) w = static_cast<T>(std::int64_t{1} << random.below(13));
  check(g, 43);
  if (std::is_floating_point_v<T>) {
    for (T& w : g.weights) w = static_cast<T>(w * static_cast<T>(0x1p-15));
    check(g, 43);
  }
}

/// Two grids that are not connected, with arcs of weight 0 and one-way arcs.
template <class T>
arc_list<T> two_grids(std::size_t side, bool negative, std::uint64_t seed) {
  random_numbers random(seed);
  const std::size_t size = side * side;
  arc_list<T> g{2 * size, {}, {}, {}};
  std::vector<T> potentials;
  for (std::size_t v = 0; v < 2 * size; ++v) {
    potentials.push_back(negative ? static_cast<T>(random(0, 40)) : T{});
  }
  const auto connect = [&](std::size_t u, std::size_t v) {
    const auto w = static_cast<T>(random(0, 30));
    g.add(u, v, static_cast<T>(w + potentials[u] - potentials[v]));
    if (random.index(4) == 0) return;
    g.add(v, u, static_cast<T>(w + potentials[v] - potentials[u]));
  };
  for (std::size_t first : {std::size_t{0}, size}) {
    for (std::size_t v = 0; v < size; ++v) {
      if (v % side + 1 < side) connect(first + v, first + v + 1);
      if (v + side < size) connect(first + v, first + v + side);
    }
  }
  return g;
}

/// A graph with a negative cycle of three arcs.
arc_list<int> graph_with_negative_cycle() {
  auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  g.add(7, 8, 3);
  g.add(8, 9, -9);
  g.add(9, 7, 2);
  return g;
}

/// Calls a decay as a function of the program.
template <class T>
auto function_of(const decay_case& decay) {
  return [&decay](std::span<const T> distances, std::span<double> shares) {
    BOOST_REQUIRE_EQUAL(distances.size(), shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = static_cast<double>(decay.share(static_cast<long double>(distances[i])));
    }
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  std::size_t turn = 0;
  const auto decays = all_decays();
  for_random_graphs<T>([&](const arc_list<T>& g, std::uint64_t seed) {
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
    for (const decay_case& decay : decays) {
      // Each graph and decay with some of the kinds of amounts and of sources.
      for (int round = 0; round < (is_slow<With> ? 1 : 4); ++round) {
        const amounts_of kind = all_kinds[turn % std::size(all_kinds)];
        const auto amounts = some_amounts(g.n, kind, seed + turn);
        const auto sources = some_sources(g.n, turn, seed + turn);
        ++turn;
        const auto rows = rows_from<T>(*expected, sources);
        BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", turn " << turn - 1) {
          const auto check = [&](const auto& graph, const auto& policy, long double limit) {
            auto sums = room_for(sources.size(), amounts, decay);
            const auto done =
                apsp::accessibility(policy, graph, sources, amounts, decay.decay, sums);
            BOOST_REQUIRE(done);
            BOOST_CHECK(!done.saturated());
            check_place<With>(done);
            check_sums<T>(rows, amounts, decay, limit, sums, tolerance_of(decay, kind));
          };
          check(g.view(), With::policy(), no_limit);
          check(prepared, With::policy(), no_limit);
          check(g.view(), With::policy().cutoff(15.5L), 15.5L);
          check(prepared, With::policy().cutoff(33), 33);
        }
      }
    }
  });
}

// A function of the program in place of each decay.
BOOST_AUTO_TEST_CASE_TEMPLATE(functions, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<T>(90, 0.05, 51) : some_graph<T>(120, 0, 51);
    const auto expected = *oracle_distances(g);
    const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
    std::size_t turn = 0;
    for (const decay_case& decay : all_decays()) {
      // A function has no cutoffs of its own.
      const decay_case everywhere{decay.name, apsp::exponential(0), decay.share, decay.cancels};
      const amounts_of kind = all_kinds[turn % std::size(all_kinds)];
      const auto amounts = some_amounts(g.n, kind, 52 + turn);
      const auto sources = some_sources(g.n, turn, 53 + turn);
      ++turn;
      const auto rows = rows_from<T>(expected, sources);
      BOOST_TEST_CONTEXT("negative " << negative << ", seed 51, turn " << turn - 1) {
        const auto check = [&](const auto& graph, const auto& policy, long double limit) {
          auto sums = room_for(sources.size(), amounts, everywhere);
          std::atomic<int> running = 0;
          bool is_alone = true;
          bool is_within = true;
          const auto function = function_of<T>(everywhere);
          const auto watched = [&](std::span<const T> distances, std::span<double> shares) {
            is_alone = is_alone && ++running == 1;
            for (const T& d : distances) {
              is_within =
                  is_within && static_cast<long double>(d) <= limit && d != apsp::unreachable<T>;
            }
            function(distances, shares);
            --running;
          };
          BOOST_REQUIRE(apsp::accessibility(policy, graph, sources, amounts, watched, sums));
          BOOST_CHECK(is_alone);
          BOOST_CHECK(is_within);
          check_sums<T>(rows, amounts, everywhere, limit, sums);
        };
        check(g.view(), With::policy(), no_limit);
        check(prepared, With::policy(), no_limit);
        check(g.view(), With::policy().cutoff(20), 20);
      }
    }
  }
}

// Numbers of sources that fill lanes, batches and groups, or not; of vertices that fill segments,
// or not; several times with one hierarchy.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    // 2 x 196 vertices, and 2 x 625.
    for (const std::size_t side : {14, 25}) {
      if (is_slow<With> && side == 25) continue;
      const auto g = two_grids<T>(side, negative, 61);
      const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
      const auto decays = {step_case({40}),        step_case({12, 300, 60, 60, no_limit}),
                           exponential_case(0.02), power_case(2, 1),
                           linear_case(70),        gaussian_case(50)};
      random_numbers random(62);
      for (const std::size_t k : {1, 15, 16, 17, 64, 65, 130}) {
        vertex_list sources;
        for (std::size_t i = 0; i < k; ++i) sources.push_back(random.index(g.n));
        const auto rows = *oracle_rows(g, sources);
        for (const decay_case& decay : decays) {
          for (const amounts_of kind : {amounts_of::columns, amounts_of::few, amounts_of::reals}) {
            BOOST_TEST_CONTEXT("negative " << negative << ", side " << side << ", " << k
                                           << " sources, amounts " << static_cast<int>(kind)) {
              const auto amounts = some_amounts(g.n, kind, 63 + k);
              auto sums = room_for(k, amounts, decay);
              BOOST_REQUIRE(apsp::accessibility(With::policy(), prepared, sources, amounts,
                                                decay.decay, sums));
              check_sums<T>(rows, amounts, decay, no_limit, sums, tolerance_of(decay, kind));
            }
          }
        }
      }
    }
  }
}

// From every vertex, of graphs of more than 1,024 vertices, with and without a hierarchy: a road
// map, a sparse and a dense random graph.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_vertices, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const arc_list<T> graphs[] = {
      to_arcs<T>(grid_graph<std::int32_t>(37, 40, 99, 71)),
      to_arcs<T>(fixed_degree_graph<std::int32_t>(1300, 5, 99, 72)),
      random_graph<T>(1100, 0.06, 1, 99, 73),
  };
  for (const auto& g : graphs) {
    if (is_slow<With> && g.n != 1480) continue;
    const auto expected = *oracle_distances(g);
    BOOST_TEST_CONTEXT("n = " << g.n) {
      const auto check = [&](const auto& graph, const decay_case& decay, amounts_of kind) {
        const auto amounts = some_amounts(g.n, kind, 74);
        auto sums = room_for(g.n, amounts, decay);
        const auto done = apsp::accessibility(With::policy(), graph, amounts, decay.decay, sums);
        BOOST_REQUIRE(done);
        check_sums<T>(expected, amounts, decay, no_limit, sums, tolerance_of(decay, kind));
        return done.algorithm();
      };
      check(g.view(), step_case({no_limit, 100}), amounts_of::columns);
      check(g.view(), step_case({30}), amounts_of::both_signs);
      check(g.view(), exponential_case(0.01), amounts_of::reals);
      check(g.view(), power_case(1, 0), amounts_of::few);
      if (g.n != 1480) continue;
      const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
      const auto ran = check(prepared, step_case({500, 1000, no_limit}), amounts_of::columns);
      if (runs_on_host(With::expected)) BOOST_CHECK(ran == apsp::algorithm::elimination);
      check(prepared, exponential_case(0.002), amounts_of::ones);
      check(prepared, power_case(2, 5), amounts_of::one_vertex);
      check(prepared, gaussian_case(300), amounts_of::few);
      check(prepared, linear_case(600), amounts_of::reals);
    }
  }
}

// One sum for each cutoff, in the order of the caller, is that of a call with this cutoff alone.
BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs_by_themselves, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = some_graph<T>(130, 1, 81);
  const std::vector<long double> cutoffs{60, 5, no_limit, 0, 60, 24.9L, 1e30L};
  const apsp::contraction_hierarchy<T> prepared(With::policy(), g.view());
  const auto amounts = some_amounts(g.n, amounts_of::columns, 82);
  const auto check = [&](const auto& graph) {
    amount_matrix together(g.n, 3 * cutoffs.size()), alone(g.n, 3);
    BOOST_REQUIRE(
        apsp::accessibility(With::policy(), graph, amounts, apsp::within(cutoffs), together));
    for (std::size_t l = 0; l < cutoffs.size(); ++l) {
      BOOST_REQUIRE(
          apsp::accessibility(With::policy(), graph, amounts, apsp::within(cutoffs[l]), alone));
      for (std::size_t i = 0; i < g.n; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
          BOOST_REQUIRE_EQUAL(together[i][c * cutoffs.size() + l], alone[i][c]);
        }
      }
    }
  };
  check(g.view());
  check(prepared);
}

// The source counts at distance 0, distances equal to a cutoff are within, and vertices that are
// not reached add nothing.
BOOST_AUTO_TEST_CASE_TEMPLATE(conventions, With, policies_and_weights) {
  using T = typename With::weight;
  // 0 -> 1 -> 2, and 3 apart.
  const auto g = make_graph<T>(4, {{0, 1, T{10}}, {1, 2, T{20}}});
  const std::vector<double> amounts{1, 10, 100, 1000};
  const auto sums_of = [&](const auto& policy, const auto& decay) {
    std::vector<double> sums(4, 42);
    BOOST_REQUIRE(apsp::accessibility(policy, g.view(), amounts, decay, sums));
    return sums;
  };
  using list = std::vector<double>;
  const auto policy = With::policy();
  BOOST_TEST(sums_of(policy, apsp::within(0)) == (list{1, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy, apsp::within(9.99L)) == (list{1, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy, apsp::within(10)) == (list{11, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy, apsp::within(30)) == (list{111, 110, 100, 1000}));
  BOOST_TEST(sums_of(policy, apsp::within(no_limit)) == (list{111, 110, 100, 1000}));
  BOOST_TEST(sums_of(policy.cutoff(10), apsp::within(no_limit)) == (list{11, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy.cutoff(10), apsp::within(30)) == (list{11, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy.cutoff(30), apsp::within(10)) == (list{11, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy.cutoff(10), apsp::exponential(0)) == (list{11, 10, 100, 1000}));
  BOOST_TEST(sums_of(policy, apsp::power(0)) == (list{110, 100, 0, 0}));
  const auto near = [&](const list& got, const list& expected) {
    for (std::size_t v = 0; v < 4; ++v) BOOST_CHECK_SMALL(got[v] - expected[v], 1e-12);
  };
  near(sums_of(policy, apsp::power(1)), {1 + 100.0 / 30, 5, 0, 0});
  near(sums_of(policy, apsp::power(1, 15)),
       {11.0 / 15 + 100.0 / 30, 10.0 / 15 + 5, 100.0 / 15, 1000.0 / 15});
  near(sums_of(policy, apsp::linear(20)), {6, 10, 100, 1000});
  near(sums_of(policy, apsp::gaussian(10)),
       {1 + 10 * std::exp(-0.5) + 100 * std::exp(-4.5), 10 + 100 * std::exp(-2.0), 100, 1000});
  // What reaches each vertex.
  std::vector<double> sums(4);
  BOOST_REQUIRE(
      apsp::accessibility(policy, apsp::reversed(g.view()), amounts, apsp::within(20), sums));
  BOOST_TEST(sums == (list{1, 11, 110, 1000}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_distances, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const auto g = make_graph<T>(3, {{0, 1, T(-10)}, {1, 2, T(10)}});
    const auto sums_of = [&](const auto& decay) {
      std::vector<double> sums(3, 42);
      BOOST_REQUIRE(
          apsp::accessibility(Policy::policy(), g.view(), std::vector{1, 10, 100}, decay, sums));
      return sums[0];
    };
    BOOST_TEST(sums_of(apsp::within(0)) == 111);
    BOOST_TEST(sums_of(apsp::power(2)) == 0);
    BOOST_CHECK_CLOSE(sums_of(apsp::power(1, 4)), 111.0 / 4, 1e-11);
    BOOST_CHECK_CLOSE(sums_of(apsp::linear(20)), 101 + 10 * 1.5, 1e-11);
    BOOST_CHECK_CLOSE(sums_of(apsp::exponential(0.1)), 101 + 10 * std::exp(1.0), 1e-11);
    BOOST_CHECK_CLOSE(sums_of(apsp::gaussian(10)), 101 + 10 * std::exp(-0.5), 1e-11);
  };
  check(float{});
  check(std::int32_t{});
}

namespace {

/// A matrix of sums that is accessed entry by entry, not by several threads at once.
class by_name {
 public:
  double& operator()(std::size_t i, std::size_t j) { return entries_[{i, j}]; }
  const double& operator()(std::size_t i, std::size_t j) const { return entries_.at({i, j}); }

 private:
  std::map<std::pair<std::size_t, std::size_t>, double> entries_;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_arguments, Policy, policies) {
  const auto g = random_graph<std::int32_t>(90, 0.05, 1, 99, 91);
  const auto expected = *oracle_distances(g);
  const auto policy = Policy::policy();
  const auto decay = step_case({60});
  const auto one_column = some_amounts(g.n, amounts_of::both_signs, 92);
  const auto columns = some_amounts(g.n, amounts_of::columns, 93);
  BOOST_TEST_CONTEXT("seeds 91 to 93") {
    const auto check_range = [&](const auto& graph, const auto& amounts, auto&& sums) {
      std::fill(sums.begin(), sums.end(), 42);
      BOOST_REQUIRE(apsp::accessibility(policy, graph, amounts, decay.decay, sums));
      const apsp::matrix_view<const std::remove_reference_t<decltype(*sums.data())>> matrix(
          sums.data(), g.n, 1);
      check_sums<std::int32_t>(expected, one_column, decay, no_limit, matrix, 0);
    };
    std::vector<double> sums(g.n);
    std::vector<float> single_sums(g.n);
    std::vector<long double> wide_sums(g.n);
    const std::vector<double> reals(one_column.begin(), one_column.end());
    check_range(g.view(), reals, sums);
    check_range(dense_form(g), std::vector<std::int16_t>(reals.begin(), reals.end()), single_sums);
    const std::vector<float> singles(reals.begin(), reals.end());
    check_range(in_rows(g).view(), std::span(singles), wide_sums);
    check_range(g.view(), one_column, std::span(sums));

    const auto check_matrix = [&](const auto& amounts, auto&& to) {
      BOOST_REQUIRE(apsp::accessibility(policy, g.view(), amounts, decay.decay, to));
      check_sums<std::int32_t>(expected, columns, decay, no_limit, to, 0);
    };
    std::vector<std::vector<int>> rows(g.n, std::vector<int>(3));
    for (std::size_t v = 0; v < g.n; ++v) std::copy_n(columns[v], 3, rows[v].begin());
    check_matrix(rows, std::vector(g.n, std::vector<float>(3)));
    check_matrix(rows, by_name());
    // A window of a larger matrix, whose other entries stay.
    amount_matrix around(g.n, 5, 42);
    check_matrix(columns, apsp::matrix_view<double>(around.data() + 1, g.n, 3, 5));
    for (std::size_t v = 0; v < g.n; ++v) BOOST_REQUIRE(around[v][0] == 42 && around[v][4] == 42);
    // The amounts and the sums are one matrix.
    auto both = columns;
    check_matrix(both, both);
    // The sums must not be an array of the graph.
    auto arrays = in_rows(converted<double>(g));
    const auto before = arrays.weights;
    check_refused(
        [&] {
          return apsp::accessibility(policy, arrays.view(), reals, decay.decay,
                                     std::span(arrays.weights).first(g.n));
        },
        "memory");
    BOOST_CHECK(arrays.weights == before);
  }
}

// Other ranges of sources, and distances of another type than the weights.
BOOST_AUTO_TEST_CASE_TEMPLATE(sources_and_types, Policy, policies) {
  const auto g = random_graph<std::int16_t>(80, 0.05, 1, 99, 95);
  const auto expected = *oracle_distances(converted<double>(g));
  const auto amounts = some_amounts(g.n, amounts_of::reals, 96);
  const auto decay = exponential_case(0.05);
  const std::list<std::uint8_t> sources{79, 0, 0, 3};
  const auto rows = rows_from<double>(expected, {79, 0, 0, 3});
  BOOST_TEST_CONTEXT("seeds 95 and 96") {
    amount_matrix sums(4, 1);
    BOOST_REQUIRE(apsp::accessibility<double>(Policy::policy(), g.view(), sources, amounts,
                                              decay.decay, sums));
    check_sums<double>(rows, amounts, decay, no_limit, sums);
    BOOST_REQUIRE(apsp::accessibility<std::int32_t>(Policy::policy(), g.view(), sources, amounts,
                                                    decay.decay, sums));
    check_sums<double>(rows, amounts, decay, no_limit, sums);
    // The number of edges, from sources that are solved together.
    const auto hops = apsp::unweighted(g.view());
    auto equal = converted<int>(g);
    equal.weights.assign(equal.size(), 1);
    amount_matrix of_all(g.n, 1);
    BOOST_REQUIRE(apsp::accessibility(Policy::policy(), hops, amounts, apsp::within(2), of_all));
    check_sums<int>(*oracle_distances(equal), amounts, step_case({2}), no_limit, of_all);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_vertices, Policy, policies) {
  const arc_list<int> nothing;
  const auto policy = Policy::policy();
  std::vector<double> none;
  amount_matrix no_rows(0, 3), no_sums(0, 6);
  const auto decay = apsp::within({1, 2});
  BOOST_CHECK(apsp::accessibility(policy, nothing.view(), none, apsp::within(1), none));
  BOOST_CHECK(apsp::accessibility(policy, nothing.view(), no_rows, decay, no_sums));
  // A range of no rows does not tell its number of columns.
  const std::vector<std::vector<double>> no_vectors;
  amount_matrix empty(0, 0);
  BOOST_CHECK(apsp::accessibility(policy, nothing.view(), no_vectors, decay, empty));
  // No sources.
  const auto g = random_graph<int>(20, 0.2, 1, 9, 1);
  BOOST_CHECK(apsp::accessibility(policy, g.view(), vertex_list{}, std::vector<double>(20, 1),
                                  apsp::within(1), none));
}

// A distance that does not fit its type adds nothing, and is reported.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturated, Policy, policies) {
  const auto check = [](auto largest) {
    using T = decltype(largest);
    const T half = static_cast<T>(largest / 2 + 1);
    const auto g = make_graph<T>(40, {{0, 1, half}, {1, 2, half}, {2, 3, half}});
    const apsp::contraction_hierarchy<T> prepared(Policy::policy(), g.view());
    const std::vector<double> amounts{1, 10, 100, 1000, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
                                      5, 5,  5,   5,    5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
                                      5, 5,  5,   5,    5, 5, 5, 5, 5, 5, 5, 5};
    const auto sums_of = [&](const auto& graph, const auto& policy, const vertex_list& sources,
                             bool saturates) {
      std::vector<double> sums(sources.size(), 42);
      const auto done =
          apsp::accessibility(policy, graph, sources, amounts, apsp::within(no_limit), sums);
      BOOST_REQUIRE(done);
      BOOST_CHECK_EQUAL(done.saturated(), saturates);
      return sums;
    };
    const auto policy = Policy::policy();
    for (const std::size_t count : {1, 40}) {
      const auto each = [&](double sum) { return std::vector<double>(count, sum); };
      BOOST_TEST(sums_of(g.view(), policy, vertex_list(count, 0), true) == each(11));
      BOOST_TEST(sums_of(prepared, policy, vertex_list(count, 0), true) == each(11));
      BOOST_TEST(sums_of(g.view(), policy, vertex_list(count, 2), false) == each(1100));
      BOOST_TEST(sums_of(prepared, policy, vertex_list(count, 2), false) == each(1100));
      BOOST_TEST(sums_of(g.view(), policy.cutoff(half), vertex_list(count, 0), false) == each(11));
      BOOST_TEST(sums_of(prepared, policy.cutoff(half), vertex_list(count, 0), false) == each(11));
    }
    // A type that holds all distances.
    std::vector<double> sums(40);
    const auto done =
        apsp::accessibility<double>(policy, g.view(), amounts, apsp::within(no_limit), sums);
    BOOST_REQUIRE(done);
    BOOST_CHECK(!done.saturated());
    BOOST_CHECK_EQUAL(sums[0], 1111);
  };
  check((std::numeric_limits<std::int16_t>::max)());
  check((std::numeric_limits<std::int32_t>::max)());
}

// Sums that fit, and that no type of half the size holds.
BOOST_AUTO_TEST_CASE_TEMPLATE(long_distances, Policy, policies) {
  const auto check = [](auto longest, std::uint64_t seed) {
    using T = decltype(longest);
    // At most 40 arcs in a shortest path, of a graph like roads.
    auto g = to_arcs<T>(grid_graph<std::int32_t>(12, 12, 99, seed));
    const T unit = static_cast<T>(longest / (40 * 99));
    for (T& w : g.weights) w = static_cast<T>(w * unit);
    const auto expected = *oracle_distances(g);
    const apsp::contraction_hierarchy<T> prepared(Policy::policy(), g.view());
    const auto amounts = some_amounts(g.n, amounts_of::columns, seed + 1);
    const long double far = static_cast<long double>(unit) * 300;
    for (const auto& decay : {step_case({far, no_limit}), linear_case(far * 2),
                              exponential_case(1 / static_cast<double>(far))}) {
      BOOST_TEST_CONTEXT("seed " << seed) {
        auto sums = room_for(g.n, amounts, decay);
        const auto tolerance = tolerance_of(decay, amounts_of::columns);
        BOOST_REQUIRE(apsp::accessibility(Policy::policy(), g.view(), amounts, decay.decay, sums));
        check_sums<T>(expected, amounts, decay, no_limit, sums, tolerance);
        BOOST_REQUIRE(apsp::accessibility(Policy::policy(), prepared, amounts, decay.decay, sums));
        check_sums<T>(expected, amounts, decay, no_limit, sums, tolerance);
      }
    }
  };
  check((std::numeric_limits<std::int32_t>::max)(), 101);
  check((std::numeric_limits<std::int64_t>::max)(), 102);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  const auto g = graph_with_negative_cycle();
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  BOOST_CHECK(!prepared);
  const std::vector<double> amounts(g.n, 1);
  const auto check = [&](const auto& graph, const vertex_list& sources, const auto& decay) {
    std::vector<double> sums(sources.size(), 42);
    const auto done = apsp::accessibility(Policy::policy(), graph, sources, amounts, decay, sums);
    BOOST_CHECK(!done && done.outcome() == apsp::outcome::negative_cycle);
    check_negative_cycle(g, done.negative_cycle());
  };
  const auto plain = [](std::span<const int>, std::span<double> shares) {
    std::fill(shares.begin(), shares.end(), 1);
  };
  for (const auto& sources : {vertex_list{1, 2, 2}, all_vertices(g.n)}) {
    check(g.view(), sources, apsp::within(30));
    check(g.view(), sources, apsp::exponential(0.1));
    check(g.view(), sources, plain);
    check(prepared, sources, apsp::within(no_limit));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 9, 111);
  const apsp::contraction_hierarchy prepared(Policy::policy(), g.view());
  const std::vector<double> amounts(g.n, 1);
  const auto check = [&](const auto& graph, const vertex_list& sources, const auto& decay) {
    std::vector<double> sums(sources.size(), 42);
    const auto call = [&](const auto& policy) {
      return apsp::accessibility(policy, graph, sources, amounts, decay, sums);
    };
    check_watched_and_stopped(Policy::policy(), sources.size(), call);
    check_throwing_callback(Policy::policy(), call);
    sums.assign(sources.size(), 42);
    check_stopped_before(Policy::policy(), call);
    // On a device the sums are unspecified.
    if (runs_on_host(Policy::expected)) {
      BOOST_TEST(sums == std::vector<double>(sources.size(), 42));
    }
  };
  const auto throwing = [](std::span<const int>, std::span<double>) {
    throw std::range_error("no share");
  };
  for (const auto& sources : {vertex_list{5, 5, 9}, all_vertices(g.n)}) {
    check(g.view(), sources, apsp::within(9));
    check(g.view(), sources, apsp::exponential(0.1));
    check(prepared, sources, apsp::gaussian(3));
    std::vector<double> sums(sources.size());
    check_refused<std::range_error>(
        [&] {
          return apsp::accessibility(Policy::policy(), g.view(), sources, amounts, throwing, sums);
        },
        "no share");
  }
}

BOOST_AUTO_TEST_CASE(refused_decays) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto check = [](auto make, const std::string& words) { check_refused(make, words); };
  check([] { return apsp::within(std::vector<long double>{}); }, "within: expected one cutoff");
  check([] { return apsp::within(-1); }, "within: expected cutoffs of at least 0, not -1");
  check(
      [] {
        return apsp::within({3, -0.5L});
      },
      "within: expected cutoffs of at least 0, not -0.5");
  check([] { return apsp::within(nan); }, "within: expected cutoffs of at least 0, not nan");
  for (const double wrong : {-1.0, nan, infinity}) {
    BOOST_TEST_CONTEXT(wrong) {
      check([&] { return apsp::exponential(wrong); },
            "a finite rate of an exponential decay of at least 0");
      check([&] { return apsp::power(wrong); }, "a finite exponent of a power decay of at least 0");
      check([&] { return apsp::power(2, wrong); },
            "a finite least distance of a power decay of at least 0");
      check([&] { return apsp::linear(wrong); }, "a finite cutoff of a linear decay above 0");
      check([&] { return apsp::gaussian(wrong); },
            "a finite deviation of a Gaussian decay above 0");
    }
  }
  check([] { return apsp::linear(0); }, "a finite cutoff of a linear decay above 0");
  check([] { return apsp::gaussian(0); }, "a finite deviation of a Gaussian decay above 0");
  check([] { return apsp::gaussian(1e-320); }, "a finite deviation of a Gaussian decay above 0");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refused_arguments, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 121);
  const auto policy = Policy::policy();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const vertex_list some{1, 2, 3};
  const auto two = apsp::within({1, 2});
  const auto one = apsp::exponential(1);
  const auto refused = [&](const auto& graph, const auto& sources, const auto& amounts,
                           const auto& decay, const amount_matrix& before,
                           const std::string& words) {
    auto sums = before;
    check_refused([&] { return apsp::accessibility(policy, graph, sources, amounts, decay, sums); },
                  words);
    BOOST_CHECK(sums == before);
  };
  const amount_matrix room(3, 2, 42), column(3, 1, 42);
  const std::vector<double> ones(10, 1);
  refused(g.view(), some, std::vector<double>(9, 1), two, room,
          "the matrix of amounts is 9 x 1, not 10 x 1");
  refused(g.view(), some, std::vector<double>(11, 1), two, room,
          "the matrix of amounts is 11 x 1, not 10 x 1");
  refused(g.view(), some, amount_matrix(3, 2, 1), one, room,
          "the matrix of amounts is 3 x 2, not 10 x 2");
  refused(g.view(), some, std::vector<std::vector<double>>{{1}, {1, 2}}, one, room,
          "unequal length");
  refused(g.view(), some, amount_matrix(10, 0), two, amount_matrix(3, 0),
          "expected amounts in one column or more, not in none");
  refused(g.view(), some, ones, two, amount_matrix(3, 1, 42), "the result is 3 x 1, not 3 x 2");
  refused(g.view(), some, ones, two, amount_matrix(2, 2, 42), "the result is 2 x 2, not 3 x 2");
  refused(g.view(), some, ones, one, room, "the result is 3 x 2, not 3 x 1");
  refused(g.view(), some, amount_matrix(10, 2, 1), two, room, "the result is 3 x 2, not 3 x 4");
  refused(g.view(), std::vector{1, 10, 2}, ones, two, room,
          "source 10 is out of range: the graph has 10 vertices");
  refused(g.view(), std::vector{1, -1, 2}, ones, two, room, "source -1 is out of range");
  for (const double wrong : {nan, static_cast<double>(no_limit), -static_cast<double>(no_limit)}) {
    auto amounts = ones;
    amounts[7] = wrong;
    refused(g.view(), some, amounts, two, room, "expected finite amounts, but that of vertex 7 is");
  }
  auto bad = g;
  bad.targets.back() = 10;
  refused(bad.view(), some, ones, two, room, " -> 10 is out of range");
  refused(apsp::contraction_hierarchy<int>(), vertex_list{}, std::vector<double>{}, two,
          amount_matrix(0, 2), "expected the hierarchy of a graph");
  refused(make_graph<double>(10, {{0, 1, nan}}).view(), some, ones, two, room,
          "arc 0 -> 1 has a weight of NaN");
  // NaN where the distance is not 0. Some rows may have been written.
  const auto wrong_share = [&](std::span<const int> distances, std::span<double> shares) {
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = distances[i] == 0 ? 1 : nan;
  };
  auto sums = column;
  check_refused(
      [&] { return apsp::accessibility(policy, g.view(), some, ones, wrong_share, sums); },
      "accessibility: the share at distance ");
  std::vector<double> range(2, 42);
  check_refused([&] { return apsp::accessibility(policy, g.view(), some, ones, one, range); },
                "the result is 2 x 1, not 3 x 1");
  BOOST_TEST(range == std::vector<double>(2, 42));
  check_refused([&] { return apsp::accessibility(policy, g.view(), ones, two, range); },
                "the result is 2 x 1, not 10 x 2");
}

// Types that the library has no kernels for: integers are computed in a type that has some.
BOOST_AUTO_TEST_CASE_TEMPLATE(types_without_kernels, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const auto g = some_graph<T>(120, 0, 131);
    const auto expected = *oracle_distances(g);
    const auto amounts = some_amounts(g.n, amounts_of::columns, 132);
    if constexpr (!takes_plain_loops<Policy>() && std::is_floating_point_v<T>) {
      amount_matrix sums(g.n, 3);
      BOOST_CHECK_THROW(static_cast<void>(apsp::accessibility(Policy::policy(), g.view(), amounts,
                                                              apsp::exponential(1), sums)),
                        apsp::device_error);
      return;
    }
    const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
    for (const decay_case& decay : all_decays()) {
      auto sums = room_for(g.n, amounts, decay);
      const auto tolerance = tolerance_of(decay, amounts_of::columns);
      BOOST_TEST_CONTEXT("seeds 131 and 132") {
        BOOST_REQUIRE(apsp::accessibility(Policy::policy(), g.view(), amounts, decay.decay, sums));
        check_sums<T>(expected, amounts, decay, no_limit, sums, tolerance);
        BOOST_REQUIRE(apsp::accessibility(Policy::policy(), prepared, amounts, decay.decay, sums));
        check_sums<T>(expected, amounts, decay, no_limit, sums, tolerance);
      }
    }
  };
  check(static_cast<unsigned short>(0));
  check(0.0L);
}

#ifndef APSP_TEST_ON_DEVICE
// The same bits for any number of threads, whatever algorithm is chosen.
BOOST_AUTO_TEST_CASE_TEMPLATE(bits, T, weight_types) {
  const arc_list<T> graphs[] = {
      two_grids<T>(16, false, 141),
      two_grids<T>(16, true, 142),
      to_arcs<T>(fixed_degree_graph<std::int32_t>(700, 4, 99, 143)),
      random_graph<T>(300, 0.1, 1, 99, 144),
      // Equal weights, and weights whose sums round.
      random_graph<T>(400, 0.01, 3, 3, 145),
      random_graph<T>(300, 0.03, 1 << 20, 1 << 25, 146),
  };
  for (const auto& g : graphs) {
    const apsp::contraction_hierarchy<T> prepared(apsp::seq, g.view());
    const auto amounts = some_amounts(g.n, amounts_of::reals, 147);
    const auto few = some_amounts(g.n, amounts_of::few, 148);
    const auto check = [&](const auto& graph, const vertex_list& sources, const auto& decay,
                           const amount_matrix& given, long double limit) {
      const auto sums_of = [&](const auto& policy) {
        amount_matrix sums(sources.size(), given.cols());
        BOOST_REQUIRE(
            apsp::accessibility(policy.cutoff(limit), graph, sources, given, decay, sums));
        return sums;
      };
      const auto expected = sums_of(apsp::seq);
      for (const int threads : {2, 3, 9}) {
        BOOST_TEST_CONTEXT("n = " << g.n << ", " << g.size() << " arcs, " << sources.size()
                                  << " sources, limit " << limit << ", " << threads << " threads") {
          BOOST_CHECK(sums_of(apsp::omp.threads(threads)) == expected);
        }
      }
    };
    // Numbers of sources of which few are left for a last batch.
    for (const std::size_t count : {1, 17, 20, 33, 64, 300}) {
      random_numbers random(149);
      vertex_list sources;
      for (std::size_t i = 0; i < count; ++i) sources.push_back(random.index(g.n));
      for (const long double limit : {no_limit, 60.0L, 25.0L}) {
        check(g.view(), sources, apsp::exponential(0.01), amounts, limit);
        check(g.view(), sources, apsp::within(no_limit), amounts, limit);
        check(prepared, sources, apsp::power(2, 1), amounts, limit);
        check(prepared, sources, apsp::within(50), few, limit);
        check(g.view(), sources, apsp::gaussian(9), few, limit);
      }
    }
  }
}

// One hierarchy serves calls of several threads.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_hierarchy_by_threads, P, policies) {
  const auto g = two_grids<float>(20, false, 151);
  const apsp::contraction_hierarchy<float> prepared(apsp::seq, g.view());
  const auto amounts = some_amounts(g.n, amounts_of::reals, 152);
  amount_matrix expected(g.n, 1);
  BOOST_REQUIRE(
      apsp::accessibility(apsp::seq, prepared, amounts, apsp::exponential(0.02), expected));
  std::vector<char> is_equal(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < is_equal.size(); ++t) {
    threads.emplace_back([&, t] {
      amount_matrix sums(g.n, 1);
      bool all = true;
      for (int round = 0; round < 3; ++round) {
        all = all &&
              apsp::accessibility(P::policy(), prepared, amounts, apsp::exponential(0.02), sums) &&
              sums == expected;
      }
      is_equal[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char equal : is_equal) BOOST_CHECK(equal);
}

// All of a road map is swept, a hierarchy being made where none is given; a few sources within a
// cutoff are searched from, in a time that does not depend on the size of the graph.
BOOST_AUTO_TEST_CASE(the_choice) {
  const auto roads = to_arcs<float>(grid_graph<std::int32_t>(60, 60, 99, 161));
  const std::vector<double> amounts(roads.n, 1);
  const auto chosen = [&](const auto& graph, const vertex_list& sources, const auto& decay) {
    std::vector<double> sums(sources.size());
    const auto done = apsp::accessibility(apsp::seq, graph, sources, amounts, decay, sums);
    BOOST_REQUIRE(done);
    return done.algorithm();
  };
  const apsp::contraction_hierarchy prepared(apsp::seq, roads.view());
  const auto all = all_vertices(roads.n);
  BOOST_CHECK(chosen(prepared, all, apsp::within(no_limit)) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(prepared, all, apsp::exponential(0.01)) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(roads.view(), all, apsp::exponential(0.01)) == apsp::algorithm::elimination);
  BOOST_CHECK(chosen(roads.view(), {7}, apsp::within(30)) == apsp::algorithm::dijkstra);
  BOOST_CHECK(chosen(prepared, {7, 70}, apsp::within(30)) == apsp::algorithm::dijkstra);
}
#endif
