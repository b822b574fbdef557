// SPDX-License-Identifier: BSL-1.0
#include "boost_solvers.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <limits>

namespace boost_solvers {

namespace {

template <class W>
using list_graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_weight_t, W>>;

template <class W>
list_graph<W> make_list(const apsp_perf::csr_arrays<W>& g) {
  list_graph<W> b(g.num_vertices());
  apsp_perf::for_each_arc(g,
                          [&](std::size_t u, std::size_t v, W w) { boost::add_edge(u, v, w, b); });
  return b;
}

}  // namespace

template <class W>
double floyd_warshall(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances) {
  const list_graph<W> b = make_list(g);
  const auto [is_solved, seconds] = timing::timed([&] {
    return boost::floyd_warshall_all_pairs_shortest_paths(
        b, distances, boost::distance_inf(apsp::unreachable<W>));
  });
  return is_solved ? seconds : -1;
}

template <class W>
double johnson(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances) {
  list_graph<W> b = make_list(g);
  const double seconds =
      timing::seconds_of([&] { boost::johnson_all_pairs_shortest_paths(b, distances); });
  // Boost's value for pairs without a path is the largest number.
  std::replace(distances.begin(), distances.end(), std::numeric_limits<W>::max(),
               apsp::unreachable<W>);
  return seconds;
}

#define APSP_PERF_BOOST_SOLVERS(W)                                                   \
  template double floyd_warshall(const apsp_perf::csr_arrays<W>&, apsp::matrix<W>&); \
  template double johnson(const apsp_perf::csr_arrays<W>&, apsp::matrix<W>&)
APSP_PERF_BOOST_SOLVERS(float);
APSP_PERF_BOOST_SOLVERS(double);
APSP_PERF_BOOST_SOLVERS(std::int32_t);
APSP_PERF_BOOST_SOLVERS(std::int64_t);

}  // namespace boost_solvers
