// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/unreachable.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <cstdint>
#include <limits>

#include "../common/timing.hpp"
#include "boost_list_graph.hpp"
#include "boost_solvers.hpp"

namespace boost_solvers {

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

template double johnson(const apsp_perf::csr_arrays<float>&, apsp::matrix<float>&);
template double johnson(const apsp_perf::csr_arrays<double>&, apsp::matrix<double>&);
template double johnson(const apsp_perf::csr_arrays<std::int32_t>&, apsp::matrix<std::int32_t>&);
template double johnson(const apsp_perf::csr_arrays<std::int64_t>&, apsp::matrix<std::int64_t>&);

}  // namespace boost_solvers
