// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../timing.hpp"
#include "arc_solver.cuh"
#include "measure.hpp"
#include "one_source.hpp"

namespace studies {

namespace {

constexpr std::size_t most_edges_per_thread = 64;
/// The number of consecutive rounds, so that the time of launches is negligible.
constexpr int last_rounds = 16;

double search(arc_solver& solver, const one_source_problem& p, arc_shares shares, cudaStream_t on) {
  return timing::seconds_of([&] {
    solver.start(p.source, on);
    solver.finish(shares, on);
  });
}

/// Measures rounds after a search: no atomics, and the same reads in any order.
double last_round(arc_solver& solver, arc_shares shares, cudaStream_t on) {
  const double elapsed = timing::seconds_of([&] {
    for (int i = 0; i < last_rounds; ++i) solver.relax(solver.all_arcs(), shares, on);
    STUDIES_CUDA_CHECK(cudaStreamSynchronize(on));
  });
  return elapsed / last_rounds;
}

}  // namespace

void add_edge_orders(const one_source_problem& p, const settings& s, report& out) {
  const stream on = make_stream();
  arc_solver solver(p.graph.num_vertices(), p.graph.num_edges());
  const std::vector<std::int32_t> arcs = arcs_of(p.graph);
  solver.copy_arcs(arcs.data(), solver.all_arcs(), on.get());
  for (const arc_order order : {arc_order::consecutive, arc_order::grid_apart}) {
    const std::string name =
        order == arc_order::consecutive ? "consecutive edges" : "edges a grid apart";
    for (std::size_t k = 1; k <= most_edges_per_thread; k *= 2) {
      const arc_shares shares{order, k};
      line l = p.about;
      l.part = "edges per thread";
      l.x = std::to_string(k);
      const auto add = [&](const std::string& label, auto call) {
        l.label = label;
        time_calls(l, s, call);
        l.checked = solver.check(p.known, p.source, on.get());
        out.add(l);
      };
      add(name, [&] { return search(solver, p, shares, on.get()); });
      add(name + ": a last round", [&] { return last_round(solver, shares, on.get()); });
    }
  }
}

}  // namespace studies
