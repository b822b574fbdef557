// SPDX-License-Identifier: BSL-1.0
#include "boost_bellman_ford.hpp"

#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <stdexcept>

#include "../boost_csr.hpp"
#include "../timing.hpp"

namespace studies {

struct boost_bellman_ford::rival {
  checks::boost_csr<std::int32_t> graph;
};

boost_bellman_ford::boost_bellman_ford(const apsp_perf::csr_arrays<std::int32_t>& g)
    : rival_(new rival{checks::make_boost_csr(g)}) {}

boost_bellman_ford::~boost_bellman_ford() = default;

double boost_bellman_ford::operator()(std::size_t source, std::int32_t* row) const {
  const auto& b = rival_->graph;
  const auto distances = boost::make_iterator_property_map(row, boost::get(boost::vertex_index, b));
  bool no_negative_cycle = false;
  const double elapsed = timing::seconds_of([&] {
    no_negative_cycle = boost::bellman_ford_shortest_paths(
        b, boost::num_vertices(b),
        boost::weight_map(boost::get(boost::edge_bundle, b))
            .distance_map(distances)
            .root_vertex(boost::vertex(static_cast<std::uint32_t>(source), b)));
  });
  if (!no_negative_cycle) {
    throw std::runtime_error("Boost.Graph finds a negative cycle in a graph that has none");
  }
  return elapsed;
}

}  // namespace studies
