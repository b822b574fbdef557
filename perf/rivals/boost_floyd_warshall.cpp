// SPDX-License-Identifier: BSL-1.0
#include <apsp/unreachable.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <cstdint>

#include "../common/timing.hpp"
#include "boost_list_graph.hpp"
#include "boost_solvers.hpp"

namespace boost_solvers {

template <class W>
double floyd_warshall(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances) {
  const list_graph<W> b = make_list(g);
  const auto [is_solved, seconds] = timing::timed([&] {
    return boost::floyd_warshall_all_pairs_shortest_paths(
        b, distances, boost::distance_inf(apsp::unreachable<W>));
  });
  return is_solved ? seconds : -1;
}

template double floyd_warshall(const apsp_perf::csr_arrays<float>&, apsp::matrix<float>&);
template double floyd_warshall(const apsp_perf::csr_arrays<double>&, apsp::matrix<double>&);
template double floyd_warshall(const apsp_perf::csr_arrays<std::int32_t>&,
                               apsp::matrix<std::int32_t>&);
template double floyd_warshall(const apsp_perf::csr_arrays<std::int64_t>&,
                               apsp::matrix<std::int64_t>&);

}  // namespace boost_solvers
