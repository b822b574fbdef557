// SPDX-License-Identifier: BSL-1.0
// Products and the transitive closure on several processes. The program is run by mpiexec with
// several numbers of processes: each process checks its own rows.
#define BOOST_TEST_MODULE mpi_products
#include <algorithm>
#include <apsp/bit_matrix.hpp>
#include <apsp/mpi.hpp>
#include <apsp/product.hpp>
#include <apsp/transitive_closure.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../common/bits.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/processes.hpp"
#include "../common/products.hpp"

namespace {

using namespace apsp_test;

BOOST_TEST_GLOBAL_FIXTURE(mpi_session);

/// Multiplies on all processes, and compares with the triple loop; floating-point entries are sums
/// of two integers, and exact.
template <class S>
void check_product(const auto& policy, const product_shape& shape, std::uint64_t seed) {
  using T = typename S::value_type;
  random_numbers random(seed);
  const auto a = random_matrix<S>(shape.rows, shape.depth, 1, 1000, random);
  const auto b = random_matrix<S>(shape.depth, shape.columns, 1, 1000, random);
  auto c = random_matrix<S>(shape.rows, shape.columns, 1, 1000, random, 0.3);
  const auto left = shared_out(policy, a);
  const auto right = shared_out(policy, b);
  auto relaxed = shared_out(policy, c);
  auto replaced = shared_out(policy, c);
  BOOST_REQUIRE(apsp::semiring_product(policy, left, right, relaxed, S{}));
  const auto done = apsp::semiring_product(policy, left, right, replaced, S{}, apsp::overwrite);
  BOOST_REQUIRE(done);
  BOOST_TEST((done.algorithm() == apsp::algorithm::product));
  BOOST_TEST((done.executed_on() == policy.wrapped().requested));
  BOOST_TEST(!done.saturated());
  triple_loop<S>(a, b, c);
  check_bits(relaxed, c);
  apsp::matrix<T> fresh(shape.rows, shape.columns, S::zero);
  triple_loop<S>(a, b, fresh);
  check_bits(replaced, fresh);
}

using few_semirings =
    std::tuple<apsp::min_plus<float>, apsp::min_plus<std::int32_t>, apsp::max_min<std::int32_t>>;
using few_weights = std::tuple<float, std::int32_t>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(products_are_right, S, few_semirings) {
  const auto policy = everywhere();
  for (const auto& shape : product_shapes) check_product<S>(policy, shape, shape.rows + 1);
  // Several panels of each process, and panels of several processes.
  check_product<S>(policy, {30, 2100, 20}, 2);
  check_product<S>(apsp::across(MPI_COMM_WORLD, apsp::seq), {10, 513, 33}, 3);
  check_product<S>(apsp::across(MPI_COMM_WORLD, apsp::omp.threads(3)), {70, 90, 300}, 4);
}

BOOST_AUTO_TEST_CASE(entries_of_other_types) {
  const auto policy = everywhere();
  random_numbers random(5);
  const auto a = random_matrix<apsp::min_plus<std::int16_t>>(40, 50, -90, 90, random);
  const auto b = random_matrix<apsp::min_plus<std::int64_t>>(50, 60, -90, 90, random);
  apsp::matrix<std::int32_t> expected(40, 60, apsp::unreachable<std::int32_t>);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t k = 0; k < 50; ++k) {
      for (std::size_t j = 0; j < 60; ++j) {
        if (a[i][k] == apsp::unreachable<std::int16_t>) continue;
        if (b[k][j] == apsp::unreachable<std::int64_t>) continue;
        expected[i][j] = std::min(expected[i][j], static_cast<std::int32_t>(a[i][k] + b[k][j]));
      }
    }
  }
  apsp::distributed_matrix<std::int32_t> c(policy, 40, 60);
  BOOST_REQUIRE(apsp::min_plus_product(policy, shared_out(policy, a), shared_out(policy, b), c,
                                       apsp::overwrite));
  check_bits(c, expected);
}

BOOST_AUTO_TEST_CASE(sums_that_do_not_fit) {
  // Only the first row has a sum that does not fit, and only its first summand: the last one is
  // less.
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max() - 5;
  const auto policy = everywhere();
  apsp::matrix<std::int32_t> a(7, 9, 1), b(9, 8, large);
  std::fill_n(a[0], 9, 20);
  for (const bool is_saved : {false, true}) {
    if (is_saved) std::fill_n(b[8], 8, 2);
    apsp::matrix<std::int32_t> expected(7, 8);
    const auto single = apsp::min_plus_product(apsp::seq, a, b, expected, apsp::overwrite);
    apsp::distributed_matrix<std::int32_t> c(policy, 7, 8);
    const auto done = apsp::min_plus_product(policy, shared_out(policy, a), shared_out(policy, b),
                                             c, apsp::overwrite);
    BOOST_TEST(done.saturated() == !is_saved);
    BOOST_TEST(done.saturated() == single.saturated());
    check_bits(c, expected);
  }
}

BOOST_AUTO_TEST_CASE(entries_of_one_process_need_a_wider_type) {
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max() - 1000;
  const auto policy = everywhere();
  for (const int which : {0, 1, 2}) {
    apsp::matrix<std::int32_t> a(20, 30, 7), b(30, 10, 9), c(20, 10, 1000);
    (which == 0 ? a[19][3] : which == 1 ? b[0][3] : c[10][3]) = large;
    auto shared = shared_out(policy, c);
    BOOST_REQUIRE(
        apsp::min_plus_product(policy, shared_out(policy, a), shared_out(policy, b), shared));
    triple_loop<apsp::min_plus<std::int32_t>>(a, b, c);
    check_bits(shared, c);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_factor_may_be_the_result, T, few_weights) {
  using semiring = apsp::min_plus<T>;
  const auto policy = everywhere();
  random_numbers random(6);
  const auto a = random_matrix<semiring>(70, 70, 1, 100, random);
  const auto b = random_matrix<semiring>(70, 70, 1, 100, random);
  const auto right = shared_out(policy, b);
  const auto check = [&](const apsp::matrix<T>& left, const apsp::matrix<T>& factor,
                         apsp::matrix<T> expected, auto multiply) {
    auto c = shared_out(policy, a);
    BOOST_REQUIRE(multiply(c));
    triple_loop<semiring>(left, factor, expected);
    check_bits(c, expected);
  };
  check(a, b, a, [&](auto& c) { return apsp::min_plus_product(policy, c, right, c); });
  check(b, a, apsp::matrix<T>(70, 70, apsp::unreachable<T>),
        [&](auto& c) { return apsp::min_plus_product(policy, right, c, c, apsp::overwrite); });
  check(a, a, a, [&](auto& c) { return apsp::min_plus_product(policy, c, c, c); });
}

BOOST_AUTO_TEST_CASE(products_that_are_refused) {
  const auto policy = everywhere();
  apsp::distributed_matrix<float> a(policy, 8, 5), b(policy, 5, 9), c(policy, 8, 9);
  check_refused([&] { return apsp::min_plus_product(policy, a, a, c); },
                "a matrix of 8 x 5 times one of 8 x 5 does not fit a result of 8 x 9");
  check_refused([&] { return apsp::min_plus_product(policy, a, b, b, apsp::overwrite); });
  if (policy.num_processes() > 1) {
    // Arguments that differ.
    const bool is_first = policy.rank() == 0;
    apsp::distributed_matrix<float> d(policy, 7, 5), e(policy, 7, 9);
    check_refused(
        [&] { return apsp::min_plus_product(policy, is_first ? d : a, b, is_first ? e : c); },
        "the number of rows of a call across processes is not the same");
    check_refused(
        [&] {
          return is_first ? apsp::min_plus_product(policy, a, b, c)
                          : apsp::min_plus_product(policy, a, b, c, apsp::overwrite);
        },
        "the function of a call");
    // A matrix whose columns are divided.
    const auto in_columns = in_one_row();
    apsp::distributed_matrix<float> divided(in_columns, 8, 9);
    check_refused([&] { return apsp::min_plus_product(in_columns, a, b, divided); },
                  "expected a process grid of " + std::to_string(policy.num_processes()) + " x 1");
    check_refused([&] { return apsp::min_plus_product(policy, a, b, divided); });
  }
  // NaN on the last process that has rows of the right factor.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  apsp::matrix<float> bad(5, 9, 1.0F);
  bad[4][3] = nan;
  const auto factor = shared_out(policy, bad);
  std::fill_n(c.part().data(), c.part().rows() * 9, 7.0F);
  try {
    static_cast<void>(apsp::min_plus_product(policy, a, factor, c));
    BOOST_ERROR("NaN is not refused");
  } catch (const std::invalid_argument& error) {
    BOOST_TEST(factor.rows().contains(4));
    BOOST_TEST(contains(error.what(), "entry (4, 3)"));
  } catch (const apsp::distributed_error& error) {
    BOOST_TEST(!factor.rows().contains(4));
    BOOST_TEST(contains(error.what(), "entry (4, 3)"));
  }
  check_bits(c, apsp::matrix<float>(8, 9, 7.0F));
  const auto kept = apsp::across(MPI_COMM_WORLD, apsp::seq.resume("distances.npy"));
  check_refused([&] { return apsp::min_plus_product(kept, a, b, c); });
  // Nothing has been confused.
  BOOST_REQUIRE(apsp::min_plus_product(policy, a, b, c, apsp::overwrite));
  check_bits(c, apsp::matrix<float>(8, 9, 0.0F));
}

BOOST_AUTO_TEST_CASE(a_failure_of_one_process_is_one_of_all) {
  const auto policy = everywhere();
  const auto observed = failing_on_last(apsp::omp);
  apsp::distributed_matrix<int> c(policy, 60);
  check_failure_of_last<failure>([&] { return apsp::min_plus_product(observed, c, c, c); });
}

BOOST_AUTO_TEST_CASE(memory_that_one_process_lacks) {
  const auto policy = everywhere();
  const auto g = negative_graph<int>(60, 0.1, 31);
  apsp::distributed_matrix<int> distances(policy, g.n), c(policy, g.n);
  apsp::distributed_bit_matrix bits(policy, g.n);
  const auto check = [](auto call) {
    check_every_failure_of_one_process([&] { BOOST_TEST(bool(call())); });
  };
  check([&] { return apsp::min_plus_product(policy, distances, distances, c, apsp::overwrite); });
  check([&] { return apsp::min_plus_product(policy, c, distances, c); });
  check([&] { return apsp::transitive_closure(policy, g.view(), bits); });
}

BOOST_AUTO_TEST_CASE(progress_and_stop) {
  const auto policy = everywhere();
  apsp::distributed_matrix<int> a(policy, 9, 1200), b(policy, 1200, 11), c(policy, 9, 11);
  check_progress(apsp::seq, 1200, [&](const auto& observed) {
    return apsp::min_plus_product(apsp::across(MPI_COMM_WORLD, observed), a, b, c);
  });
  // One process stops all.
  stop_of_last stop;
  const auto stopped = stop.policy(apsp::seq);
  BOOST_TEST(apsp::min_plus_product(stopped, a, b, c).stopped());
  BOOST_TEST(stop.last_done() < 1200u);
  BOOST_TEST(is_same_everywhere(static_cast<long long>(stop.last_done())));
  apsp::distributed_matrix<int> none(policy, 0, 11), nothing(policy, 0, 1200);
  BOOST_TEST(apsp::min_plus_product(stopped, nothing, b, none).stopped());
}

/// Closes on all processes, and compares with Boost's algorithm on each row: reachable is what has
/// a distance.
template <class T, class Graph>
void check_closure(const auto& policy, const arc_list<T>& g, const Graph& graph) {
  apsp::distributed_bit_matrix bits(policy, g.n);
  // What was there before does not matter.
  for (std::size_t i = 0; i < bits.part().rows(); ++i) bits.part().set(i, g.n / 2);
  const auto done = apsp::transitive_closure(policy, graph, bits);
  BOOST_REQUIRE(done);
  BOOST_TEST((done.algorithm() == apsp::algorithm::transitive_closure));
  BOOST_TEST(done.plan().computed().type == "bit");
  BOOST_TEST((done.executed_on() == policy.wrapped().requested));
  const auto mine = list_of(bits.rows());
  const auto rows = oracle_rows(g, mine);
  bytes expected(mine.size(), std::vector<char>(g.n));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    for (std::size_t v = 0; v < g.n; ++v) {
      expected[i][v] = (*rows)[i][v] != wide_unreachable<T> ? 1 : 0;
    }
  }
  check_bits(expected, bits.part());
}

BOOST_AUTO_TEST_CASE(closures_are_right) {
  const auto policy = everywhere();
  for (const std::size_t n : {0, 1, 2, 5, 63, 64, 65, 100, 333, 700}) {
    BOOST_TEST_CONTEXT("n = " << n) {
      for (const double degree : {0.7, 1.2, 9.0}) {
        const auto g =
            random_graph<int>(n, std::min(0.6, degree / static_cast<double>(n + 1)), 0, 9, n + 1);
        check_closure(policy, g, with_an_unreachable_arc(g).view());
      }
    }
  }
  // Long paths, and several steps of a process.
  arc_list<int> path{1700, {}, {}, {}};
  const auto order = zigzag(path.n);
  for (std::size_t v = 0; v + 1 < path.n; ++v) {
    if (v % 640 != 0) path.add(order[v], order[v + 1], 1);
  }
  check_closure(apsp::across(MPI_COMM_WORLD, apsp::seq), path, path.view());
  check_closure(apsp::across(MPI_COMM_WORLD, apsp::omp.threads(3)), path, path.view());
  // A matrix of bits, and one of weights.
  const auto g = random_graph<int>(150, 0.01, 1, 9, 3);
  apsp::bit_matrix arcs(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) arcs.set(g.from(k), g.to(k));
  check_closure(policy, g, arcs);
  check_closure(policy, g, dense_form(g));
}

BOOST_AUTO_TEST_CASE(closures_that_end_early) {
  const auto policy = everywhere();
  const auto g = random_graph<int>(90, 0.03, 1, 9, 4);
  apsp::distributed_bit_matrix bits(policy, g.n), small(policy, 89);
  check_refused([&] { return apsp::transitive_closure(policy, g.view(), small); });
  if (policy.num_processes() > 1) {
    const auto other = random_graph<int>(90, 0.04, 1, 9, 5);
    check_refused(
        [&] {
          return apsp::transitive_closure(policy, policy.rank() == 0 ? other.view() : g.view(),
                                          bits);
        },
        "the number of arcs");
    const auto in_columns = in_one_row();
    apsp::distributed_bit_matrix divided(in_columns, g.n);
    check_refused([&] { return apsp::transitive_closure(in_columns, g.view(), divided); });
  }
  const auto observed = failing_on_last(apsp::seq);
  check_failure_of_last<failure>(
      [&] { return apsp::transitive_closure(observed, g.view(), bits); });
  stop_of_last stop;
  const auto stopped = stop.policy(apsp::seq);
  BOOST_TEST(apsp::transitive_closure(stopped, g.view(), bits).stopped());
  BOOST_TEST(is_same_everywhere(static_cast<long long>(stop.last_done())));
  const auto on_devices = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled);
  const auto done = apsp::transitive_closure(on_devices, g.view(), bits);
  BOOST_REQUIRE(done);
  BOOST_TEST((done.executed_on() == apsp::backend::omp));
  BOOST_TEST(contains(std::string(done.fallback_reason()), "runs on the host"));
  const auto required = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.required());
  check_refused<apsp::device_error>(
      [&] { return apsp::transitive_closure(required, g.view(), bits); });
}

BOOST_AUTO_TEST_CASE(a_device_that_no_process_has) {
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.device(9999));
  apsp::distributed_matrix<int> distances(policy, 30);
  const auto multiplied = apsp::min_plus_product(policy, distances, distances, distances);
  BOOST_REQUIRE(multiplied);
  BOOST_TEST(!multiplied.fallback_reason().empty());
  const auto required = apsp::across(MPI_COMM_WORLD, apsp::cuda_tiled.device(9999).required());
  check_refused<apsp::device_error>(
      [&] { return apsp::min_plus_product(required, distances, distances, distances); });
}
