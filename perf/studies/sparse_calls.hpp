// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/matrix.hpp>
#include <apsp/result.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "../checks.hpp"
#include "../device_program.hpp"
#include "../generators.hpp"
#include "../timing.hpp"
#include "measure.hpp"
#include "report.hpp"

// All pairs of one graph, source by source, by several solvers. Those that take too long, or whose result
// is too large, are measured for a part of the sources.
namespace studies {

class sparse_calls {
 public:
  using graph = apsp_perf::csr_arrays<std::int32_t>;

  sparse_calls(const settings& s, report& out, const line& l, const graph& g)
      : settings_(s), out_(out), graph_(g), known_(g), line_(l) {
    line_.n = g.num_vertices();
    line_.arcs = g.num_edges();
    line_.bytes = line_.n * line_.n * sizeof(std::int32_t);
  }

  /// Adds the line @p label for @p solve(policy, graph, arguments...), which returns a result. The arguments are
  /// optional sources, distances, and predecessors if requested.
  template <class Policy, class Solve>
  void add(const std::string& label, const Policy& policy, Solve solve,
           bool with_predecessors = false) {
    line l = line_;
    l.label = label;
    const std::size_t row_bytes = l.n * sizeof(std::int32_t) * (with_predecessors ? 2 : 1);
    const std::size_t most_sources = std::max<std::size_t>(8, largest_result / row_bytes);
    const auto call = [&](std::size_t count) {
      return solve_for(policy, solve, count, with_predecessors, l.checked);
    };
    add_measured(out_, l, [&] {
      time_sources(l, settings_, l.n, first_sources<Policy>(), most_sources, call);
    });
  }

  /// The same for solvers of all sources at once, whose time cannot be estimated from a few sources. A time
  /// beyond the limit, according to @p growth, is omitted.
  template <class Policy, class Solve>
  void add_at_once(const std::string& label, const Policy& policy, Solve solve,
                   cubic_growth& growth) {
    line l = line_;
    l.label = label;
    if (growth.estimates(l, settings_, l.n)) {
      return out_.left_out(l, "it would take longer than the limit");
    }
    const bool was_measured = add_measured(out_, l, [&] {
      time_calls(l, settings_, [&] { return solve_for(policy, solve, l.n, false, l.checked); });
    });
    if (was_measured) growth.measured(l, l.n);
  }

  /// Adds the time of Boost.Graph's Dijkstra, which computed the rows that are used for checks.
  void add_boost() {
    line l = line_;
    l.label = "Boost.Graph dijkstra";
    l.calls = known_.sources().size();
    l.seconds = known_.seconds_per_source() * static_cast<double>(l.n);
    l.estimated = estimate::from_sources;
    out_.add(l);
  }

  /// Keeps the graph for programs that solve it with @p algorithm.
  void keep_graph(const std::string& algorithm) {
    out_.keep_graph(line_, algorithm, graph_, known_.sources(), known_.rows());
  }

 private:
  static constexpr std::size_t largest_result = std::size_t{4} << 30;

  // Half of this number, which estimates also use, must keep all host threads or most of a device busy. It is a
  // power of two, so that it contains the known rows.
  template <class Policy>
  static std::size_t first_sources() {
    if (Policy::requested == apsp::backend::cuda_tiled) return 4096;
    return 2 * std::bit_ceil(std::max<std::size_t>(4, std::thread::hardware_concurrency()));
  }

  void make_rows(apsp::matrix<std::int32_t>& rows, std::size_t count) const {
    if (rows.rows() == count) return;
    rows = {};  // Frees the old rows first: both may need too much memory.
    rows = apsp::matrix<std::int32_t>(count, line_.n);
  }

  template <class Policy, class Solve>
  double solve_for(const Policy& policy, Solve& solve, std::size_t count, bool with_predecessors,
                   verdict& checked) {
    make_rows(distances_, count);
    if (with_predecessors) make_rows(predecessors_, count);
    std::fill(distances_.begin(), distances_.end(), -1);
    const auto view = graph_.view();
    const std::vector<std::int32_t> sources = spread_sources(line_.n, count);
    const auto with_sources = [&](auto&... results) {
      return count == line_.n ? solve(policy, view, results...)
                              : solve(policy, view, sources, results...);
    };
    const double elapsed = timing::seconds_of([&] {
      const apsp::result done =
          with_predecessors ? with_sources(distances_, predecessors_) : with_sources(distances_);
      device_program::require_solved(done, std::string(apsp::to_string(Policy::requested)));
    });
    join(checked, known_.check(sources, distances_));
    return elapsed;
  }

  const settings& settings_;
  report& out_;
  const graph& graph_;
  known_rows known_;
  line line_;
  apsp::matrix<std::int32_t> distances_;
  apsp::matrix<std::int32_t> predecessors_;
};

/// The algorithms as solvers of sparse_calls.
inline constexpr auto by_dijkstra = [](const auto& policy, const auto& g, auto&... arguments) {
  return apsp::dijkstra(policy, g, arguments...);
};
inline constexpr auto by_bellman_ford = [](const auto& policy, const auto& g, auto&... arguments) {
  return apsp::bellman_ford(policy, g, arguments...);
};

}  // namespace studies
