// SPDX-License-Identifier: BSL-1.0
// What a result says of how it was computed, and where the planner places a matrix.
#define BOOST_TEST_MODULE plan
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <apsp/plan.hpp>
#include <apsp/product.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <detail/plan/closure_plan.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "../common/generators.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
using apsp::detail::closure_facts;
using apsp::detail::matrix_place;
using apsp::detail::memory_need;
using apsp::detail::memory_state;
using apsp::detail::plan_closure;

namespace {

constexpr std::uint64_t seed = 3;
constexpr memory_need met{10, 20};
constexpr memory_need not_met{21, 20};

void check_place(const closure_facts& facts, matrix_place expected) {
  BOOST_CHECK_MESSAGE(
      plan_closure(facts) == expected,
      "several devices: " << facts.has_several_devices << ", may divide: " << facts.may_divide
                          << ", must pass: " << facts.must_pass << ", in core: " << facts.in_core);
}

template <class T, class Policy>
apsp::computation closure_of(const Policy& policy, const csr_arrays<T>& g) {
  apsp::matrix<T> distances(g.num_vertices());
  return apsp::floyd_warshall(policy, g.view(), distances).plan().computed();
}

template <class T>
csr_arrays<T> random_graph(std::size_t n, std::size_t degree) {
  return fixed_degree_graph<T>(n, degree, 9, seed);
}

/// Of the product of @p m and itself.
template <class T>
apsp::computation of_product(const apsp::matrix<T>& m) {
  apsp::matrix<T> sums(m.rows(), m.cols(), apsp::unreachable<T>);
  return apsp::min_plus_product(apsp::seq, m, m, sums).plan().computed();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_matrix_is_whole_if_it_fits_one_device) {
  constexpr auto ran_out = memory_state::ran_out;
  // Repeated squaring and cuda_naive have no other place; the allocation reports the lack.
  check_place({.whole = not_met}, matrix_place::whole);
  check_place({.may_divide = true, .whole = not_met}, matrix_place::passing);
  check_place({.may_divide = true, .in_core = true, .whole = not_met}, matrix_place::whole);
  check_place({.may_divide = true, .whole = met}, matrix_place::whole);
  // There may be room for the matrix alone.
  check_place({.may_divide = true, .memory = ran_out, .whole = met}, matrix_place::whole);
  check_place({.may_divide = true, .must_pass = true, .whole = met}, matrix_place::passing);
}

BOOST_AUTO_TEST_CASE(rows_are_divided_among_several_devices_if_they_fit) {
  const auto check = [](const closure_facts& given, matrix_place expected) {
    auto facts = given;
    facts.may_divide = facts.has_several_devices = true;
    check_place(facts, expected);
  };
  check({.divided = met}, matrix_place::divided);
  check({.divided = met, .divided_upper = met}, matrix_place::divided_upper);
  check({.divided = met, .divided_upper = not_met}, matrix_place::divided);
  check({.divided = not_met, .divided_upper = not_met}, matrix_place::passing);
  check({.in_core = true, .divided = not_met, .divided_upper = not_met}, matrix_place::divided);
  check({.memory = memory_state::ran_out, .divided = met, .divided_upper = not_met},
        matrix_place::passing);
  check({.must_pass = true, .divided = met, .divided_upper = not_met}, matrix_place::passing);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_type_of_a_closure_is_reported, Policy, policies) {
  const auto policy = Policy::policy();
  // Some weights are no whole numbers, so that no narrower type is proved.
  auto fractions = random_graph<double>(600, 2);
  for (double& w : fractions.weights) w += 0.25;
  BOOST_CHECK_EQUAL(closure_of(policy, fractions).type, "double");
  BOOST_CHECK_EQUAL(closure_of(policy, random_graph<std::int16_t>(40, 4)).type, "int32");
  const auto wide = closure_of(policy, random_graph<std::int64_t>(40, 4));
  BOOST_CHECK_EQUAL(wide.type, "int64");
  BOOST_CHECK_EQUAL(wide.why_it_fits, "no path is longer than it holds");
  BOOST_CHECK_GT(wide.seconds, 0);
  BOOST_CHECK_EQUAL(wide.batch, 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_narrower_type_is_reported_with_its_proof, Policy, policies) {
  if (Policy::expected == apsp::backend::cuda_naive)
    return;  // It computes in the type of the result.
  const auto made = closure_of(Policy::policy(), random_graph<std::int32_t>(3000, 8));
  BOOST_CHECK_EQUAL(made.type, "int16");
  BOOST_CHECK_EQUAL(made.why_it_fits,
                    "a bound of all distances, from searches, is below its largest value");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_type_and_the_batch_of_searches_are_reported, Policy, policies) {
  const auto policy = Policy::policy();
  const auto g = grid_graph<std::int32_t>(40, 40, 9, seed);
  std::vector<int> sources(100);
  std::iota(sources.begin(), sources.end(), 0);
  apsp::matrix<std::int32_t> rows(sources.size(), g.num_vertices());
  const apsp::result searched = apsp::dijkstra(policy, g.view(), sources, rows);
  const apsp::computation& by_searches = searched.plan().computed();
  BOOST_CHECK_EQUAL(by_searches.type, "int32");
  BOOST_CHECK_GT(by_searches.seconds, 0);
  BOOST_CHECK_EQUAL(by_searches.batch != 0, !runs_on_host(searched.executed_on()));
  const apsp::result swept = apsp::elimination(policy, g.view(), sources, rows);
  BOOST_CHECK_GT(swept.plan().computed().batch, 0);
  const std::string text = to_string(swept.plan());
  BOOST_TEST_INFO(text);
  BOOST_CHECK(text.find("computed in int32: no path is longer than it holds\n") == 0);
  BOOST_CHECK(text.find(" sources at a time\ntook ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_call_that_chooses_reports_candidates_and_computation) {
  const auto g = random_graph<float>(200, 4);
  apsp::matrix<float> distances(g.num_vertices());
  const apsp::result done = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), distances);
  BOOST_CHECK_GT(done.plan().candidates().size(), 1);
  BOOST_CHECK(!done.plan().computed().type.empty());
}

BOOST_AUTO_TEST_CASE(semirings_are_computed_in_their_type) {
  const auto g = random_graph<double>(50, 4);
  apsp::matrix<double> widths(g.num_vertices());
  const apsp::result done =
      apsp::floyd_warshall(apsp::seq, g.view(), widths, apsp::max_min<double>{});
  BOOST_CHECK_EQUAL(done.plan().computed().type, "double");
  BOOST_CHECK_EQUAL(done.plan().computed().why_it_fits, "it is the type of the result");
}

BOOST_AUTO_TEST_CASE(products_report_the_type_that_holds_their_sums) {
  using apsp::matrix;
  BOOST_CHECK_EQUAL(of_product(matrix<std::int32_t>(2, 2, 5)).type, "int32");
  const apsp::computation wide = of_product(matrix<std::int32_t>(2, 2, 2'000'000'000));
  BOOST_CHECK_EQUAL(wide.type, "int64");
  BOOST_CHECK_EQUAL(wide.why_it_fits, "it holds the sums of the largest entries");
  BOOST_CHECK_EQUAL(of_product(matrix<float>(2, 2, 0.5f)).why_it_fits,
                    "it is the type of the result");
  apsp::bit_matrix bits(3);
  const apsp::result closed =
      apsp::transitive_closure(apsp::seq, random_graph<float>(3, 1).view(), bits);
  BOOST_CHECK_EQUAL(closed.plan().computed().type, "bit");
}

BOOST_AUTO_TEST_CASE(each_graph_of_a_batch_reports_its_type) {
  const auto small = random_graph<std::int32_t>(20, 3);
  auto heavy = small;
  for (std::int32_t& w : heavy.weights) w = 2'000'000'000;
  const std::vector graphs{small.view(), heavy.view()};
  std::vector distances(2, apsp::matrix<std::int32_t>(20));
  const auto done = apsp::floyd_warshall(apsp::seq, graphs, distances);
  BOOST_CHECK_EQUAL(done[0].plan().computed().type, "int32");
  BOOST_CHECK_EQUAL(done[1].plan().computed().type, "int64");
}

BOOST_AUTO_TEST_CASE(seconds_are_predicted_from_the_size) {
  using apsp::algorithm;
  using apsp::predicted_seconds;
  const apsp::call_size all{2000, 8000, 2000};
  const double closure = predicted_seconds(all, algorithm::floyd_warshall);
  const double searches = predicted_seconds(all, algorithm::dijkstra);
  BOOST_CHECK_GT(closure, 0);
  BOOST_CHECK_GT(searches, 0);
  BOOST_CHECK_EQUAL(predicted_seconds(all, std::nullopt), std::min(closure, searches));
  BOOST_CHECK_GT(predicted_seconds(all, algorithm::repeated_squaring), 5 * closure);
  BOOST_CHECK_GT(predicted_seconds(all, algorithm::bellman_ford), searches);
  // Without all sources there is no closure to choose.
  const apsp::call_size one{2000, 8000, 1};
  BOOST_CHECK_EQUAL(predicted_seconds(one, std::nullopt),
                    predicted_seconds(one, algorithm::dijkstra));
  BOOST_CHECK_CLOSE(2000 * predicted_seconds(one, algorithm::dijkstra), searches, 1e-6);
  BOOST_CHECK_EQUAL(predicted_seconds({}, std::nullopt), 0);
}
