// SPDX-License-Identifier: BSL-1.0
// Tests of failing host allocations, as in allocation_failure_test.cpp: products, closures over
// semirings and of bits, summaries, and file readers.
#define BOOST_TEST_MODULE allocation_failure_products
#include <boost/test/unit_test.hpp>

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/files.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "../common/bits.hpp"
#include "../common/failing_allocations.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/known_graph.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/products.hpp"
#include "../common/semirings.hpp"
#include "../common/summaries.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(closures_over_semirings, Policy, host_policies) {
  const auto run = [&]<class S>(S semiring, std::size_t n) {
    using T = typename S::value_type;
    const auto g = semiring_graph<S>(n, 0.05, 6);
    const auto expected = best_values<S>(g);
    matrices<T> all{apsp::matrix<T>(n, n, T{42}), apsp::matrix<std::int32_t>(n, n, 42)};
    const auto view = g.view();
    const auto check = [&](const apsp::result& done) {
      BOOST_REQUIRE(done);
      check_values<S>(expected, all.distances);
    };
    const auto each = [&](results promised, auto call) {
      check_every_failure(
          all, promised, [&] { return call(all.distances, all.predecessors); }, check);
    };
    const auto policy = Policy::policy();
    each(results::stay_untouched,
         [&](auto& d, auto&) { return apsp::floyd_warshall(policy, view, d, semiring); });
    each(results::may_be_written,
         [&](auto& d, auto& p) { return apsp::floyd_warshall(policy, view, d, p, semiring); });
    each(results::stay_untouched,
         [&](auto& d, auto&) { return apsp::repeated_squaring(policy, view, d, semiring); });
    each(results::may_be_written,
         [&](auto& d, auto&) { return apsp::all_pairs_shortest_paths(policy, view, d, semiring); });
    each(results::stay_untouched,
         [&](auto& d, auto& p) { return apsp::dijkstra(policy, view, d, p, semiring); });
    // Paths of equal values may need trees.
    each(results::may_be_written,
         [&](auto& d, auto& p) { return apsp::bellman_ford(policy, view, d, p, semiring); });
    each(results::stay_untouched,
         [&](auto& d, auto&) { return apsp::bellman_ford(policy, view, d, semiring); });
  };
  run(apsp::max_min<std::int32_t>{}, many_vertices / 2);
}

// No device kernels exist for this semiring, so the call falls back to host threads.
BOOST_AUTO_TEST_CASE(closure_that_falls_back) {
  const std::size_t n = many_vertices / 2;
  random_numbers random(22);
  apsp::matrix<std::uint32_t> arcs(n, n, kinds_of_traffic::zero);
  for (std::uint32_t& kinds : arcs) {
    if (random.chance(0.02)) kinds = static_cast<std::uint32_t>(random(1, 999));
  }
  apsp::matrix<std::uint32_t> expected(n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, arcs, expected, kinds_of_traffic{}));
  apsp::matrix<std::uint32_t> closed(n, n, 42);
  check_every_failure(
      closed, results::stay_untouched,
      [&] { return apsp::floyd_warshall(apsp::cuda_tiled, arcs, closed, kinds_of_traffic{}); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(!done.fallback_reason().empty());
        BOOST_REQUIRE(closed == expected);
      });
}

namespace {

/// Checks c against the triple loop. c may be a or b, or share memory with them.
template <class S, class Policy, class T>
void check_product(const Policy& policy, apsp::matrix<T>& a, apsp::matrix<T>& b,
                   apsp::matrix<T>& c) {
  const auto before = c;
  auto expected = c;
  triple_loop<S>(apsp::matrix<T>(a), apsp::matrix<T>(b), expected);
  check_every_failure(
      c, results::stay_untouched, [&] { return apsp::semiring_product(policy, a, b, c, S{}); },
      [&](const apsp::result& done) {
        BOOST_REQUIRE(done);
        BOOST_REQUIRE(c == expected);
        c = before;
      });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(products, Policy, host_policies) {
  using semiring = apsp::min_plus<std::int32_t>;
  const auto run = [](std::int64_t low, std::int64_t high, const auto& policy) {
    random_numbers random(14);
    auto a = random_matrix<semiring>(150, 170, low, high, random);
    auto b = random_matrix<semiring>(170, 140, low, high, random);
    auto c = random_matrix<semiring>(150, 140, low, high, random);
    check_product<semiring>(policy, a, b, c);
  };
  const auto policy = Policy::policy();
  run(0, 99, policy);
  // Sums are computed in 64 bits, and the results fit in 32.
  run((1 << 30) - 999, (1 << 30) - 1, policy);
  std::size_t reports = 0;
  run(0, 99, policy.progress([&](std::size_t, std::size_t) { ++reports; }));
  BOOST_REQUIRE_GT(reports, 0);
  random_numbers random(23);
  auto square = random_matrix<semiring>(150, 150, 0, 99, random);
  auto other = random_matrix<semiring>(150, 150, 0, 99, random);
  check_product<semiring>(policy, square, other, square);
  check_product<semiring>(policy, other, square, square);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_bits, Policy, host_policies) {
  // More rows than a thread takes at a time.
  constexpr std::size_t m = 1100, k = 90, n = 130;
  const auto run = [&](const apsp::bit_matrix& a, const apsp::bit_matrix& b, auto& c) {
    const auto before = c;
    auto expected = c;
    BOOST_REQUIRE(apsp::semiring_product(apsp::seq, a, b, expected, apsp::or_and{}));
    for (std::size_t i = 0; i < a.rows(); ++i) {
      for (std::size_t j = 0; j < b.cols(); ++j) {
        bool any = before(i, j) != 0;
        for (std::size_t l = 0; l < b.rows() && !any; ++l) any = a(i, l) && b(l, j);
        if ((expected(i, j) != 0) != any) BOOST_FAIL("entry (" << i << ", " << j << ")");
      }
    }
    check_every_failure(
        c, results::stay_untouched,
        [&] { return apsp::semiring_product(Policy::policy(), a, b, c, apsp::or_and{}); },
        [&](const apsp::result& done) {
          BOOST_REQUIRE(done);
          BOOST_REQUIRE(c == expected);
          c = before;
        });
  };
  const auto a = random_bits(m, k, 0.05, 24);
  const auto b = random_bits(k, n, 0.05, 25);
  auto bits = random_bits(m, n, 0.05, 26);
  run(a, b, bits);
  apsp::matrix<bool> bytes(m, n);
  run(a, b, bytes);
  auto square = random_bits(n, n, 0.05, 27);
  run(square, random_bits(n, n, 0.05, 28), square);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transitive_closures, Policy, host_policies) {
  // The sparse graph is solved by components, the dense one by tiles.
  for (const double density : {0.004, 0.3}) {
    const auto g = random_graph<std::int32_t>(700, density, 1, 1, 15);
    const auto expected = oracle_distances(g);
    const auto view = g.view();
    const auto check = [&](const apsp::result& done, const auto& bits) {
      BOOST_REQUIRE(done);
      for (std::size_t u = 0; u < g.n; ++u) {
        for (std::size_t v = 0; v < g.n; ++v) {
          if ((bits(u, v) != 0) != ((*expected)[u][v] != wide_unreachable<std::int32_t>)) {
            BOOST_FAIL("bit (" << u << ", " << v << ") is " << bits(u, v));
          }
        }
      }
    };
    apsp::bit_matrix bits(g.n);
    bits.set(1, 0);
    apsp::bit_matrix arcs(g.n);
    for (std::size_t k = 0; k < g.size(); ++k) {
      arcs.set(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]));
    }
    const auto each = [&](auto& outputs, auto call) {
      const auto before = outputs;
      check_every_failure(
          outputs, results::stay_untouched, [&] { return call(outputs); },
          [&](const apsp::result& done) {
            check(done, outputs);
            outputs = before;
          });
    };
    const auto close = [&](auto& to) {
      return apsp::transitive_closure(Policy::policy(), view, to);
    };
    each(bits, close);
    apsp::matrix<char> bytes(g.n);
    each(bytes, close);
    apsp::matrix<bool> entries(g.n);
    each(entries, [&](auto& to) {
      return apsp::floyd_warshall(Policy::policy(), arcs, to, apsp::or_and{});
    });
    bits = arcs;
    each(bits, [&](auto& to) {
      return apsp::repeated_squaring(Policy::policy(), to, to, apsp::or_and{});
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(summaries, Policy, host_policies) {
  const std::size_t n = 150;
  const known_graph g(some_graph<std::int32_t>(n, 0, 16));
  apsp::matrix<std::int32_t> distances(n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), distances));
  const apsp::matrix<double> wide = [&] {
    apsp::matrix<double> made(n);
    BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), made));
    return made;
  }();
  const auto bins = apsp::histogram_bins<std::int32_t>::of_width(0, 10, 12);
  std::vector<std::int32_t> edges;
  add_bound<std::int32_t>(edges, 0, 10, 12);
  const auto counts = expect_counts(distances, g.sources, edges);
  // There is no output argument: the results are returned.
  int nothing = 0;
  const auto check = [&](const auto& summary) {
    check_summary<std::int32_t>(summary, distances, g.sources, n);
  };
  const auto check_wide = [&](const auto& summary) {
    check_summary<double>(summary, wide, g.sources, n);
  };
  const auto check_bins = [&](const auto& histogram) { check_counts(histogram, counts); };
  const auto run = [&](auto call, auto see) {
    check_every_failure(nothing, results::stay_untouched, call, see);
  };
  const auto policy = Policy::policy();
  run([&] { return apsp::summarize_distances(policy, distances); }, check);
  run([&] { return apsp::summarize_distances(policy, wide, g.sources); }, check_wide);
  run([&] { return apsp::summarize_paths(policy, g.view()); }, check);
  run([&] { return apsp::distance_histogram(policy, distances, bins); }, check_bins);
  run([&] { return apsp::path_length_histogram(policy, g.view(), bins); }, check_bins);
}

// Streams of the standard library catch exceptions of their buffers; the readers must still report
// them.
BOOST_AUTO_TEST_CASE(file_readers) {
  constexpr std::size_t n = 40;
  const auto arcs = random_graph<std::int32_t>(n, 0.2, 1, 99, 25);
  std::ostringstream dimacs;
  std::ostringstream matrix_market;
  std::ostringstream edge_list;
  dimacs << "p sp " << n << ' ' << arcs.size() << '\n';
  matrix_market << "%%MatrixMarket matrix coordinate integer general\n"
                << n << ' ' << n << ' ' << arcs.size() << '\n';
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const auto u = arcs.sources[k];
    const auto v = arcs.targets[k];
    const auto w = arcs.weights[k];
    dimacs << "a " << u + 1 << ' ' << v + 1 << ' ' << w << '\n';
    matrix_market << u + 1 << ' ' << v + 1 << ' ' << w << '\n';
    edge_list << u << ' ' << v << ' ' << w << '\n';
  }
  const auto run = [&](const std::string& text, auto read) {
    int nothing = 0;
    check_every_failure(
        nothing, results::stay_untouched,
        [&] {
          std::istringstream in(text);
          return read(in);
        },
        [&](const apsp::csr_graph<std::int32_t>& g) {
          BOOST_REQUIRE_EQUAL(g.offsets().size(), n + 1);
          BOOST_REQUIRE_EQUAL(g.targets().size(), arcs.size());
        });
  };
  run(dimacs.str(), [](auto& in) { return apsp::read_dimacs<std::int32_t>(in, "a.gr"); });
  run(matrix_market.str(),
      [](auto& in) { return apsp::read_matrix_market<std::int32_t>(in, "a.mtx"); });
  run(edge_list.str(), [](auto& in) { return apsp::read_edge_list<std::int32_t>(in, "a.txt"); });
}
