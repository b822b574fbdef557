// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "graphs.hpp"

// Helpers of the tests of Boost.Graph's functions with a policy: graphs, and matrices to compare.
namespace apsp_test {

template <class Directed, class T>
using list_graph = boost::adjacency_list<boost::vecS, boost::vecS, Directed, boost::no_property,
                                         boost::property<boost::edge_weight_t, T>>;
template <class T>
using rows = std::vector<std::vector<T>>;

template <class G, class T>
G build(const arc_list<T>& arcs) {
  G g(arcs.n);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(arcs.from(k), arcs.to(k), arcs.weights[k], g);
  }
  return g;
}

template <class T>
auto build_directed(const arc_list<T>& arcs) {
  return build<list_graph<boost::directedS, T>>(arcs);
}

template <class T>
rows<T> make_rows(std::size_t n, T value = T(-3)) {
  return rows<T>(n, std::vector<T>(n, value));
}

// Compares integers bit for bit, and floating-point numbers up to rounding.
template <class T>
bool same(const rows<T>& a, const rows<T>& b) {
  for (std::size_t u = 0; u < a.size(); ++u) {
    for (std::size_t v = 0; v < a.size(); ++v) {
      if (a[u][v] == b[u][v]) continue;
      if constexpr (std::is_integral_v<T>) return false;
      const auto scale = std::max<double>(1, std::abs(static_cast<double>(a[u][v])));
      const double off = std::abs(static_cast<double>(a[u][v]) - static_cast<double>(b[u][v]));
      if (!(off <= scale * 1e-4)) return false;
    }
  }
  return true;
}

template <class T>
struct at_most_max {
  T operator()(const T& a, const T& b) const { return std::min(a, b); }
};

}  // namespace apsp_test
