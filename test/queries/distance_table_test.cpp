// SPDX-License-Identifier: BSL-1.0
// Tests of tables of the distances between the vertices of two lists.
#define BOOST_TEST_MODULE distance_table
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using vertex_list = std::vector<std::size_t>;

/// Returns random vertices, with duplicates if @p count is above 1.
vertex_list some_list(std::size_t n, std::size_t count, std::uint64_t seed) {
  random_numbers random(seed);
  vertex_list list;
  while (list.size() < count) list.push_back(random.index(n));
  if (count > 1) list.back() = list.front();
  return list;
}

/// Checks the table against the oracle and reports the first difference.
/// @param limit  distances beyond it are unreachable.
template <class T, class Table>
void check_table(const arc_list<T>& g, const vertex_list& sources, const vertex_list& targets,
                 const Table& table, wide_t<T> limit = wide_unreachable<T>) {
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected.has_value());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const auto exact = (*expected)[i][targets[j]];
      const T got = apsp::matrix_entry(table, i, j);
      if (!same_distance<T>(got, exact > limit ? wide_unreachable<T> : exact)) {
        BOOST_ERROR("entry (" << i << ", " << j << "), from " << sources[i] << " to " << targets[j]
                              << ", is " << got << ", not " << exact);
        return;
      }
    }
  }
}

/// The numbers of sources and targets of the tests: searches in both directions.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},  {3, 9},   {9, 3},  {40, 1},
                                                          {1, 40}, {30, 45}, {45, 30}};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(over_semirings, Over, policies_and_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  constexpr bool has_kernels = !std::is_same_v<S, apsp::max_times<T>> || !std::is_integral_v<T>;
  if (!has_kernels && !takes_plain_loops<Over>()) return;
  const auto g = semiring_graph<S>(50, 0.06, 98);
  const auto expected = best_values<S>(g);
  for (const auto& [k, l] : shapes) {
    BOOST_TEST_CONTEXT("seeds 98 to 100, " << k << " x " << l) {
      const auto sources = some_list(g.n, k, 99);
      const auto targets = some_list(g.n, l, 100);
      apsp::matrix<T> table(k, l, T{42});
      const auto done =
          apsp::distance_table(Over::policy(), g.view(), sources, targets, table, S{});
      BOOST_REQUIRE(done);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j < l; ++j) {
          if (!same_value<S>(table[i][j], expected[sources[i]][targets[j]])) ++wrong;
        }
      }
      BOOST_CHECK_EQUAL(wrong, 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, std::uint64_t seed) {
    for (const auto& [k, l] : shapes) {
      BOOST_TEST_CONTEXT("n = " << g.n << ", seed " << seed << ", " << k << " x " << l) {
        const auto sources = some_list(g.n, k, seed + 100);
        const auto targets = some_list(g.n, l, seed + 200);
        apsp::matrix<T> table(k, l, T{42});
        const auto done = apsp::distance_table(With::policy(), g.view(), sources, targets, table);
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.executed_on() == With::expected || !runs_on_host(With::expected));
        BOOST_CHECK(!done.saturated());
        check_table(g, sources, targets, table);
      }
    }
  };
  for (const std::size_t n : {1, 2, 17, 200}) {
    check(some_graph<T>(n, 0, 10 + n), 10 + n);             // buckets, unreachable vertices
    check(random_graph<T>(n, 0.5, 1, 99, 20 + n), 20 + n);  // a dense graph
    check(negative_graph<T>(n, n < 20 ? 0.3 : 0.03, 30 + n), 30 + n);
  }
  // Weights that differ too much for buckets.
  auto g = random_graph<T>(150, 0.03, 1, 9, 41);
  random_numbers random(42);
  for (T& w : g.weights) w = static_cast<T>(std::int64_t{1} << random.below(20));
  check(g, 41);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lists_of_no_vertices, Policy, policies) {
  const auto g = random_graph<int>(20, 0.2, 1, 9, 1);
  const vertex_list none;
  const vertex_list some{3, 3, 19};
  apsp::matrix<int> no_rows(0, 3);
  apsp::matrix<int> no_columns(3, 0);
  apsp::matrix<int> nothing(0, 0);
  std::vector<std::vector<int>> empty_rows(3);
  const std::vector<std::vector<int>> no_vectors;
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), none, some, no_rows));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), some, none, no_columns));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), some, none, empty_rows));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), g.view(), none, none, nothing));
  BOOST_CHECK(apsp::distance_table(Policy::policy(), arc_list<int>{}.view(), none, none, nothing));
}

namespace {

/// A matrix that is accessed entry by entry, not by several threads at once.
template <class T>
class by_name {
 public:
  T& operator()(std::size_t i, std::size_t j) { return entries_[{i, j}]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries_.at({i, j}); }

 private:
  std::map<std::pair<std::size_t, std::size_t>, T> entries_;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(kinds_of_tables_and_graphs, Policy, policies) {
  const auto g = random_graph<std::int32_t>(120, 0.03, 1, 99, 51);
  const auto check = [&](const auto& graph, auto table, std::size_t k, std::size_t l) {
    const auto sources = some_list(g.n, k, 52);
    const auto targets = some_list(g.n, l, 53);
    BOOST_REQUIRE(apsp::distance_table(Policy::policy(), graph, sources, targets, table));
    BOOST_TEST_CONTEXT("seeds 51 to 53, " << k << " x " << l) {
      using T = apsp::matrix_value_t<decltype(table)>;
      check_table(converted<T>(g), sources, targets, table);
    }
  };
  for (const auto& [k, l] : {std::pair<std::size_t, std::size_t>{30, 50}, {50, 30}}) {
    check(g.view(), std::vector(k, std::vector<std::int32_t>(l)), k, l);
    check(g.view(), std::vector(k, std::vector<double>(l)), k, l);
    check(g.view(), apsp::matrix<std::int16_t>(k, l), k, l);
    check(dense_form(g), apsp::matrix<std::uint32_t>(k, l), k, l);
    check(g.view(), by_name<std::int32_t>(), k, l);
  }
  // The graph and the table are one matrix.
  auto both = dense_form(g);
  const auto all = all_vertices(g.n);
  BOOST_REQUIRE(apsp::distance_table(Policy::policy(), both, all, all, both));
  check_table(g, all, all, both);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoff, With, policies_and_weights) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<T>(150, 0.03, 61) : some_graph<T>(150, 0, 61);
    for (const int limit : {0, 10, 60}) {
      for (const auto& [k, l] : shapes) {
        BOOST_TEST_CONTEXT("seed 61, cutoff " << limit << ", " << k << " x " << l) {
          const auto sources = some_list(g.n, k, 62);
          const auto targets = some_list(g.n, l, 63);
          apsp::matrix<T> table(k, l);
          const auto done =
              apsp::distance_table(With::policy().cutoff(limit), g.view(), sources, targets, table);
          BOOST_REQUIRE(done);
          check_table(g, sources, targets, table, wide_t<T>(limit));
        }
      }
    }
  }
}

// An entry that does not fit is unreachable, and reported. Other vertices do not matter.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturation, Policy, policies) {
  const auto check = [](auto largest, bool negative) {
    using T = decltype(largest);
    // 0 -> 1 -> 2 -> 3, each arc more than half of the range; 4 is apart.
    const T half = static_cast<T>(largest / 2 + 1);
    auto g = make_graph<T>(6, {{0, 1, half}, {1, 2, half}, {2, 3, half}});
    if constexpr (std::is_signed_v<T>) {
      if (negative) g.add(4, 5, T{-1});
    }
    const auto table_of = [&](const vertex_list& sources, const vertex_list& targets) {
      apsp::matrix<T> table(sources.size(), targets.size(), T{42});
      const auto done = apsp::distance_table(Policy::policy(), g.view(), sources, targets, table);
      BOOST_REQUIRE(done);
      std::size_t missing = 0;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        for (std::size_t j = 0; j < table.cols(); ++j)
          missing += table[i][j] == infinite<T> ? 1 : 0;
      }
      return std::pair(missing, done.saturated());
    };
    using answer = std::pair<std::size_t, bool>;
    BOOST_CHECK(table_of({0}, {0, 1}) == answer(0, false));
    BOOST_CHECK(table_of({0, 1}, {1}) == answer(0, false));
    BOOST_CHECK(table_of({0}, {1, 2}) == answer(1, true));
    BOOST_CHECK(table_of({0, 1}, {2}) == answer(1, true));
    BOOST_CHECK(table_of({0}, {3}) == answer(1, true));
    BOOST_CHECK(table_of({0, 1}, {3}) == answer(2, true));
    // There is no path at all.
    BOOST_CHECK(table_of({0}, {1, 4}) == answer(1, false));
    BOOST_CHECK(table_of({4, 2}, {3}) == answer(1, false));
    BOOST_CHECK(table_of({3}, {0}) == answer(1, false));
  };
  for (const bool negative : {false, true}) {
    BOOST_TEST_CONTEXT("negative " << negative) {
      check((std::numeric_limits<std::int16_t>::max)(), negative);
      check((std::numeric_limits<std::int32_t>::max)(), negative);
    }
  }
  check((std::numeric_limits<std::uint16_t>::max)(), false);
#ifndef APSP_TEST_ON_DEVICE
  // There are no kernels for 128 bits.
  check((std::numeric_limits<std::int64_t>::max)(), true);
#endif
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  auto g = random_graph<int>(50, 0.08, 1, 99, 71);
  for (const auto& [u, v, w] : {std::tuple{7, 8, 3}, {8, 9, -9}, {9, 7, 2}}) {
    g.add(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w);
  }
  for (const auto& [k, l] : shapes) {
    BOOST_TEST_CONTEXT("seed 71, " << k << " x " << l) {
      apsp::matrix<int> table(k, l, 42);
      const auto done = apsp::distance_table(Policy::policy(), g.view(), some_list(g.n, k, 72),
                                             some_list(g.n, l, 73), table);
      BOOST_CHECK(done.outcome() == apsp::outcome::negative_cycle);
      check_negative_cycle(g, done.negative_cycle());
      BOOST_CHECK(table == apsp::matrix<int>(k, l, 42));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refusals, Policy, policies) {
  const auto policy = Policy::policy();
  const auto g = random_graph<int>(10, 0.3, 1, 9, 81);
  apsp::matrix<int> table(2, 3, 42);
  const auto refused = [&](const auto& graph, const std::vector<int>& sources,
                           const std::vector<int>& targets, const std::string& words) {
    check_refused<std::invalid_argument>(
        [&] { static_cast<void>(apsp::distance_table(policy, graph, sources, targets, table)); },
        words);
  };
  refused(g.view(), {1, 2}, {3, 4}, "the distance table is 2 x 3, not 2 x 2");
  refused(g.view(), {1, 2, 3}, {4, 5}, "the distance table is 2 x 3, not 3 x 2");
  refused(g.view(), {1, 10}, {3, 4, 5}, "source 10 is out of range: the graph has 10 vertices");
  refused(g.view(), {1, -1}, {3, 4, 5}, "source -1 is out of range");
  refused(g.view(), {1, 2}, {3, 4, 11}, "target 11 is out of range: the graph has 10 vertices");
  auto bad = g;
  bad.targets.back() = 10;
  const auto arc = std::to_string(bad.sources.back()) + " -> 10 is out of range";
  refused(bad.view(), {1, 2}, {3, 4, 5}, arc);
  refused(bad.view(), {1, 2}, {3, 3, 3}, arc);
  BOOST_CHECK(table == apsp::matrix<int>(2, 3, 42));

  const auto reals = make_graph<double>(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}});
  std::vector<std::vector<double>> rows(2, {42});
  check_refused<std::invalid_argument>(
      [&] {
        static_cast<void>(
            apsp::distance_table(policy, reals.view(), std::vector{0, 1}, std::vector{1}, rows));
      },
      "arc 0 -> 1 has a weight of NaN");
  std::vector<std::vector<double>> ragged{{42}, {42, 42}};
  check_refused<std::invalid_argument>(
      [&] {
        static_cast<void>(
            apsp::distance_table(policy, g.view(), std::vector{0, 1}, std::vector{1}, ragged));
      },
      "the distance table is of rows of unequal length, not 2 x 1");
  BOOST_CHECK(rows[0][0] == 42 && rows[1][0] == 42 && ragged[0][0] == 42);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 9, 91);
  for (const auto& [k, l] : shapes) {
    const auto sources = some_list(g.n, k, 92);
    const auto targets = some_list(g.n, l, 93);
    const auto count = [](const vertex_list& list) {
      return std::set<std::size_t>(list.begin(), list.end()).size();
    };
    const std::size_t searches = std::min(count(sources), count(targets));
    apsp::matrix<int> table(k, l);
    std::size_t last = 0;
    std::size_t total = 0;
    const auto note = [&](std::size_t now, std::size_t all) {
      last = now;
      total = all;
    };
    BOOST_REQUIRE(
        apsp::distance_table(Policy::policy().progress(note), g.view(), sources, targets, table));
    BOOST_CHECK_EQUAL(total, searches);
    BOOST_CHECK_EQUAL(last, searches);
    apsp::stop_source stop;
    stop.request_stop();
    const auto done = apsp::distance_table(Policy::policy().stop(stop.get_token()), g.view(),
                                           sources, targets, table);
    BOOST_CHECK(done.stopped());
  }
}

#ifndef APSP_TEST_ON_DEVICE
namespace {

/// A user-defined weight.
struct price {
  double amount = 0;
  friend constexpr bool operator<(const price& a, const price& b) { return a.amount < b.amount; }
  friend constexpr bool operator==(const price& a, const price& b) { return a.amount == b.amount; }
  friend constexpr price operator+(const price& a, const price& b) { return {a.amount + b.amount}; }
  friend constexpr price operator-(const price& a, const price& b) { return {a.amount - b.amount}; }
};

}  // namespace

template <>
struct std::numeric_limits<price> : std::numeric_limits<double> {
  static constexpr price infinity() { return {std::numeric_limits<double>::infinity()}; }
  static constexpr price max() { return {std::numeric_limits<double>::max()}; }
  static constexpr price lowest() { return {std::numeric_limits<double>::lowest()}; }
};

// The other queries take them, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights, Policy, policies) {
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<double>(80, 0.05, 95) : some_graph<double>(80, 0, 95);
    arc_list<price> priced{g.n, g.sources, g.targets, {}};
    for (const double w : g.weights) priced.weights.push_back({w});
    const auto sources = some_list(g.n, 20, 96);
    BOOST_TEST_CONTEXT("seeds 95 to 97, negative " << negative) {
      for (const std::size_t l : {30, 5}) {
        const auto targets = some_list(g.n, l, 97);
        apsp::matrix<price> table(sources.size(), l);
        BOOST_REQUIRE(
            apsp::distance_table(Policy::policy(), priced.view(), sources, targets, table));
        apsp::matrix<double> amounts(sources.size(), l);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          for (std::size_t j = 0; j < l; ++j) amounts[i][j] = table[i][j].amount;
        }
        check_table(g, sources, targets, amounts);
      }
      std::vector<price> distances(g.n);
      std::vector<std::size_t> nearest(g.n);
      BOOST_REQUIRE(
          apsp::nearest_sources(Policy::policy(), priced.view(), sources, distances, nearest));
      const auto rows = *oracle_rows(g, sources);
      for (std::size_t v = 0; v < g.n; ++v) {
        auto expected = wide_unreachable<double>;
        for (const auto& row : rows) expected = std::min(expected, row[v]);
        BOOST_REQUIRE(same_distance<double>(distances[v].amount, expected));
      }
    }
    check_refused<std::invalid_argument>(
        [&] { static_cast<void>(apsp::distances_within(Policy::policy(), priced.view(), 9)); },
        "a cutoff needs distances of a built-in type");
  }
}
#endif
