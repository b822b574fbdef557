// SPDX-License-Identifier: BSL-1.0
// A program compiled with -ffast-math (see CMakeLists.txt), which lets the compiler assume that
// there are no NaN and no infinities. NaN weights must still be refused, and infinite weights must
// still be no edges.
#define BOOST_TEST_MODULE fast_math
#include <boost/test/unit_test.hpp>

#include <apsp/apsp.hpp>
#include <cstddef>
#include <limits>
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
