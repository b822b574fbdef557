// SPDX-License-Identifier: BSL-1.0
// The functions of Boost.Graph with a policy, in a version of Boost without named parameters.
#define APSP_WITHOUT_BOOST_NAMED_PARAMETERS
#pragma GCC poison bgl_named_params get_param choose_param param_not_found distance_inf_t

#include <apsp/boost_graph.hpp>
#include <functional>
#include <vector>

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

bool solve(const graph& g, std::vector<std::vector<int>>& d, int inf) {
  const auto w = get(boost::edge_weight, g);
  const auto id = get(boost::vertex_index, g);
  const std::less<int> less;
  const std::plus<int> plus;
  return apsp::floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d) &&
         apsp::floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d, w) &&
         apsp::floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d, w, less, plus, inf, 0) &&
         apsp::floyd_warshall_initialized_all_pairs_shortest_paths(apsp::seq, g, d) &&
         apsp::floyd_warshall_initialized_all_pairs_shortest_paths(apsp::seq, g, d, less, plus, inf,
                                                                   0) &&
         apsp::johnson_all_pairs_shortest_paths(apsp::seq, g, d) &&
         apsp::johnson_all_pairs_shortest_paths(apsp::seq, g, d, w) &&
         apsp::johnson_all_pairs_shortest_paths(apsp::seq, g, d, id, w, 0) &&
         apsp::johnson_all_pairs_shortest_paths(apsp::seq, g, d, id, w, less, plus, inf, 0);
}
