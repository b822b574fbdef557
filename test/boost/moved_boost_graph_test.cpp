// SPDX-License-Identifier: BSL-1.0
// A version of Boost with its graph library in namespace boost::graph.
#define BOOST_TEST_MODULE moved_boost_graph
#include <boost/test/unit_test.hpp>

#include "../common/moved_boost_graph.hpp"  // before the library

#include <apsp/boost_graph.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/weighted.hpp>
#include <boost/property_map/property_map.hpp>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using moved = boost::graph::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::graph::no_property,
    boost::property<boost::graph::edge_weight_t, int>, boost::graph::no_property, boost::listS>;
using old = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                  boost::property<boost::edge_weight_t, int>>;
struct derived : moved {};

template <class G>
G make_triangle() {
  G g;
  g.out_edges = {{{0, 1, 4}, {0, 2, 9}}, {{1, 2, 3}}, {}};
  return g;
}

constexpr int none = std::numeric_limits<int>::max();
const std::vector<std::vector<int>> expected{{0, 4, 7}, {none, 0, 3}, {none, none, 0}};

std::vector<std::vector<int>> unknown() {
  return std::vector(3, std::vector(3, -1));
}

}  // namespace

static_assert(apsp::graph_with_weights<moved> && apsp::graph_with_out_edges<moved>);
static_assert(std::is_same_v<apsp::weight_type_t<moved>, int>);
static_assert(!apsp::graph<old>);  // the stand-in takes its name
static_assert(!apsp::graph<derived>);

BOOST_AUTO_TEST_CASE(classes) {
  const moved g = make_triangle<moved>();
  auto d = unknown();
  BOOST_CHECK(apsp::floyd_warshall(apsp::seq, g, d));
  BOOST_CHECK(d == expected);
  d = unknown();
  BOOST_CHECK(
      apsp::floyd_warshall(apsp::seq, apsp::weighted(g, get(boost::graph::edge_weight, g)), d));
  BOOST_CHECK(d == expected);
}

BOOST_AUTO_TEST_CASE(any_model) {
  const derived g = make_triangle<derived>();
  auto d = unknown();
  const boost::typed_identity_property_map<std::size_t> index;
  BOOST_CHECK(apsp::floyd_warshall(apsp::seq, apsp::boost_graph(g, index), d));
  BOOST_CHECK(d == expected);

  const boost::graph::edge_deque edges{{0, 1}, {1, 2}};
  d = unknown();
  BOOST_CHECK(apsp::floyd_warshall(
      apsp::seq,
      apsp::unweighted(apsp::boost_graph(edges, boost::typed_identity_property_map<int>())), d));
  BOOST_CHECK_EQUAL(d[0][2], 2);
  BOOST_CHECK_EQUAL(d[2][0], none);
}

BOOST_AUTO_TEST_CASE(functions_with_a_policy) {
  const moved g = make_triangle<moved>();
  const auto w = get(boost::graph::edge_weight, g);
  auto d = unknown();
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(apsp::omp, g, d, w));
  BOOST_CHECK(d == expected);
  d = unknown();
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d));
  BOOST_CHECK(d == expected);
  d = unknown();
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(
      apsp::seq, g, d, w, std::less<int>(), boost::graph::closed_plus<int>(none), none, 0));
  BOOST_CHECK(d == expected);
  d = unknown();
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(apsp::seq, g, d, w));
  BOOST_CHECK(d == expected);
}
