// SPDX-License-Identifier: BSL-1.0
// Cases adaptor/shape/f32/graph/n: the time to read a graph, as a fraction of a whole solve with
// seq. The graph is wrapped in a type whose adaptor measures each visit, so these are the actual
// reads of the library during a solve, including the checks of the edges and their conversion into
// the matrix.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace {

using weight = float;
using clock_type = std::chrono::steady_clock;

template <class G>
struct timed_graph {
  const G* inner;
  clock_type::duration* reading;
};

// Not timing::seconds_of(): the loop of csr_view is a third slower in a lambda.
class stopwatch {
 public:
  explicit stopwatch(clock_type::duration& total) : total_(total) {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { total_ += clock_type::now() - start_; }

 private:
  clock_type::duration& total_;
  clock_type::time_point start_ = clock_type::now();
};

}  // namespace

template <class G>
struct apsp::graph_adaptor<timed_graph<G>> {
  using inner = apsp::graph_adaptor_t<G>;
  using weight_type = typename inner::weight_type;

  static std::size_t num_vertices(const timed_graph<G>& g) {
    return static_cast<std::size_t>(inner::num_vertices(*g.inner));
  }
  static void validate(const timed_graph<G>& g) {
    const stopwatch watch(*g.reading);
    if constexpr (requires { inner::validate(*g.inner); }) inner::validate(*g.inner);
  }
  template <class F>
  static void for_each_edge(const timed_graph<G>& g, F f) {
    const stopwatch watch(*g.reading);
    inner::for_each_edge(*g.inner, f);
  }
  template <class F>
  static void for_each_out_edge(const timed_graph<G>& g, std::size_t u, F f)
    requires apsp::graph_with_out_edges<G>
  {
    const stopwatch watch(*g.reading);
    inner::for_each_out_edge(*g.inner, u, f);
  }
};

namespace bench {

namespace {

template <class G>
outcome run(problem<weight>& p, const G& g) {
  p.set_sources(0, false);
  clock_type::duration reading{};
  const timed_graph<G> timed{&g, &reading};
  std::vector<double> read;
  outcome o = measure({.call =
                           [&] {
                             reading = {};
                             const double seconds = seconds_of_solve("seq", [&](const auto&) {
                               return apsp::floyd_warshall(apsp::seq, timed, p.distances);
                             });
                             read.push_back(std::chrono::duration<double>(reading).count());
                             return seconds;
                           },
                       .prepare = [&] { p.overwrite(); }});
  p.check(p.distances);
  read.erase(read.begin());  // the warm-up call
  std::vector<double> shares;
  for (std::size_t i = 0; i < read.size(); ++i) shares.push_back(read[i] / o.seconds[i]);
  o.counters["reading_ms"] = 1e3 * timing::median(read);
  o.counters["share_of_reading"] = timing::median(shares);
  return o;
}

struct road {
  weight km;
};

template <class G>
outcome run_boost(problem<weight>& p) {
  G g(p.n());
  apsp_perf::for_each_arc(p.graph, [&](std::size_t u, std::size_t v, weight w) {
    const auto [arc, is_new] = add_edge(u, v, road{w}, g);
    // An adjacency_matrix contains one of several parallel arcs.
    if (!is_new) g[arc].km = std::min(g[arc].km, w);
  });
  return run(p, apsp::weighted(g, &road::km));
}

using boost::directedS;
using boost::no_property;
using boost::vecS;

using road_csr = boost::compressed_sparse_row_graph<directedS, no_property, road>;

road_csr to_boost_csr(const apsp_perf::csr_arrays<weight>& g) {
  std::vector<std::pair<std::size_t, std::size_t>> arcs;
  std::vector<road> roads;
  apsp_perf::for_each_arc(g, [&](std::size_t u, std::size_t v, weight w) {
    arcs.emplace_back(u, v);
    roads.push_back({w});
  });
  return road_csr(boost::edges_are_sorted, arcs.begin(), arcs.end(), roads.begin(),
                  g.num_vertices());
}

struct shape {
  const char* name;
  outcome (*run)(problem<weight>& p);
};
constexpr shape shapes[] = {
    {"csr_view", [](problem<weight>& p) { return run(p, p.graph.view()); }},
    {"edge_list_view",
     [](problem<weight>& p) {
       std::vector<std::int32_t> sources;
       apsp_perf::for_each_arc(p.graph, [&](std::size_t u, std::size_t, weight) {
         sources.push_back(static_cast<std::int32_t>(u));
       });
       return run(p, apsp::edge_list_view(p.n(), sources, p.graph.targets, p.graph.weights));
     }},
    {"matrix",
     [](problem<weight>& p) {
       apsp::matrix<weight> dense(p.n(), p.n(), apsp::unreachable<weight>);
       apsp_perf::store_arcs(p.graph, dense);
       return run(p, dense);
     }},
    {"vector_of_vectors",
     [](problem<weight>& p) {
       std::vector<std::vector<weight>> nested(
           p.n(), std::vector<weight>(p.n(), apsp::unreachable<weight>));
       apsp_perf::store_arcs(p.graph, nested);
       return run(p, nested);
     }},
    {"boost_adjacency_list",
     run_boost<boost::adjacency_list<vecS, vecS, directedS, no_property, road>>},
    {"boost_adjacency_matrix", run_boost<boost::adjacency_matrix<directedS, no_property, road>>},
    {"boost_csr", [](problem<weight>& p) {
       const road_csr g = to_boost_csr(p.graph);
       return run(p, apsp::weighted(g, &road::km));
     }}};

}  // namespace

void add_adaptors() {
  if (!has_type("f32")) return;
  for (const char* graph_name : {"8n", "complete"}) {
    for (const std::size_t n : sizes_or({2048})) {
      for (const shape& s : shapes) {
        add(std::string("adaptor/") + s.name + "/f32/" + graph_name + '/' + std::to_string(n), {},
            [=] { return s.run(problem_of<weight>("f32", graph_name, n)); });
      }
    }
  }
}

}  // namespace bench
