// SPDX-License-Identifier: BSL-1.0
// A program compiled with -ffast-math (see CMakeLists.txt), which lets the compiler assume that
// there are no NaN and no infinities. NaN weights must still be refused, and infinite weights must
// still be no edges.
#define BOOST_TEST_MODULE fast_math
#include <boost/test/unit_test.hpp>

#include <apsp/apsp.hpp>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using float_types = std::tuple<float, double, long double>;

template <class F>
void refused(F call, const std::string& words) {
  BOOST_CHECK_EXCEPTION(static_cast<void>(call()), std::invalid_argument, [&](const auto& error) {
    return std::string(error.what()).find(words) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_that_are_nan, T, float_types) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  apsp::matrix<T> w(3, 3, apsp::unreachable<T>), d(3);
  w[0][1] = 1;
  w[0][2] = nan;
  const std::string words = "0 -> 2 has a weight of NaN";
  refused([&] { return apsp::floyd_warshall(apsp::seq, w, d); }, words);
  refused([&] { return apsp::dijkstra(apsp::omp, w, d); }, words);
  refused([&] { return apsp::floyd_warshall(apsp::seq, w, d, apsp::max_min<T>{}); }, words);
  refused([&] { return apsp::min_plus_product(apsp::seq, w, w, d); }, "NaN");
  refused([&] { return apsp::summarize_distances(apsp::seq, w); }, "NaN");
  const auto bins = apsp::histogram_bins<T>::of_width(0, 1, 3);
  refused([&] { return apsp::distance_histogram(apsp::seq, w, bins); }, "NaN");
  const std::vector<int> sources{0, 0}, targets{1, 2};
  const std::vector<T> weights{1, nan};
  const apsp::edge_list_view list(3, sources, targets, weights);
  refused([&] { return apsp::johnson(apsp::seq, list, d); }, words);
  apsp::matrix<float> narrow(3);
  refused([&] { return apsp::johnson(apsp::seq, list, narrow); }, words);
  refused([&] { return apsp::seq.cutoff(static_cast<long double>(nan)); }, "cutoff");
  refused([&] { return apsp::histogram_bins<T>::of_width(0, nan, 3); }, "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinite_weights, T, float_types) {
  constexpr T infinity = apsp::unreachable<T>;
  apsp::matrix<T> w(3, 3, infinity), d(3);
  w[0][1] = 1;
  w[1][2] = 2;
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, w, d));
  BOOST_CHECK(d[0][2] == T{3});
  BOOST_CHECK(!(d[2][0] < (std::numeric_limits<T>::max)()));
  w[2][0] = -infinity;
  refused([&] { return apsp::floyd_warshall(apsp::seq, w, d); }, "minus infinity");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinite_weights_in_closure, T, float_types) {
  constexpr T infinity = apsp::unreachable<T>;
  apsp::matrix<T> w(3, 3, infinity);
  w[0][2] = 1;
  const std::vector<int> offsets{0, 2, 3, 3}, targets{1, 2, 2};
  const std::vector<T> weights{infinity, 1, infinity};
  const auto check = [](const auto& graph) {
    apsp::bit_matrix reached(3);
    BOOST_REQUIRE(apsp::transitive_closure(apsp::seq, graph, reached));
    BOOST_CHECK(reached[0][2]);
    BOOST_CHECK(!reached[0][1]);
    BOOST_CHECK(!reached[1][2]);
  };
  check(w);
  check(apsp::csr_view(offsets, targets, weights));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_amounts, T, float_types) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // 0 -> 1 -> 2, and 3 apart.
  apsp::matrix<T> w(4, 4, apsp::unreachable<T>);
  w[0][1] = 1;
  w[1][2] = 2;
  std::vector<double> amounts{1, 10, 100, 1000}, sums(4);
  for (const double cutoff : {infinity, 1e300, 3.0}) {
    BOOST_REQUIRE(apsp::accessibility(apsp::seq, w, amounts, apsp::within(cutoff), sums));
    BOOST_CHECK((sums == std::vector<double>{111, 110, 100, 1000}));
  }
  BOOST_REQUIRE(apsp::accessibility(apsp::seq, w, amounts, apsp::exponential(0), sums));
  BOOST_CHECK((sums == std::vector<double>{111, 110, 100, 1000}));
  BOOST_REQUIRE(apsp::accessibility(apsp::seq, w, amounts, apsp::linear(6), sums));
  BOOST_CHECK_CLOSE(sums[0], 1 + 50.0 / 6 + 50, 1e-4);
  BOOST_CHECK_CLOSE(sums[3], 1000.0, 1e-4);
  const auto no_share = [&](std::span<const T>, std::span<double> shares) {
    for (double& share : shares) share = nan;
  };
  refused([&] { return apsp::accessibility(apsp::seq, w, amounts, no_share, sums); }, "is NaN");
  refused([&] { return apsp::within(nan); }, "at least 0");
  refused([&] { return apsp::within(-infinity); }, "at least 0");
  for (const double wrong : {nan, infinity, -infinity}) {
    amounts[2] = wrong;
    refused([&] { return apsp::accessibility(apsp::seq, w, amounts, apsp::within(1), sums); },
            "expected finite amounts, but that of vertex 2");
    refused([&] { return apsp::exponential(wrong); }, "rate of an exponential decay");
    refused([&] { return apsp::power(wrong); }, "exponent of a power decay");
    refused([&] { return apsp::power(1, wrong); }, "least distance of a power decay");
    refused([&] { return apsp::linear(wrong); }, "cutoff of a linear decay");
    refused([&] { return apsp::gaussian(wrong); }, "deviation of a Gaussian decay");
  }
}

// The reciprocals of large counts of paths are subnormal, which is flushed to 0 here.
BOOST_AUTO_TEST_CASE(many_paths) {
  constexpr int num_diamonds = 1023;
  std::vector<int> from, to;
  for (int i = 0; i < num_diamonds; ++i) {
    for (const int middle : {3 * i + 1, 3 * i + 2}) {
      from.insert(from.end(), {3 * i, middle});
      to.insert(to.end(), {middle, 3 * i + 3});
    }
  }
  const std::vector<double> weights(from.size(), 1);
  const std::size_t n = 3 * num_diamonds + 1;
  std::vector<double> scores(n);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, apsp::edge_list_view(n, from, to, weights),
                                  std::vector<int>{0}, scores));
  BOOST_CHECK_CLOSE(scores[n - 2], 0.5, 1e-9);
  BOOST_CHECK_CLOSE(scores[1], (3.0 * num_diamonds - 2) / 2, 1e-9);
}
