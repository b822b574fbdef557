// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "../checks.hpp"
#include "../compare/boost_rival.hpp"
#include "../compare/machine.hpp"
#include "../device_program.hpp"
#include "../generators.hpp"
#include "../timing.hpp"
#include "measure.hpp"
#include "report.hpp"

// All pairs of a sequence of graphs, by several solvers whose time is cubic in the number of
// vertices.
namespace studies {

class dense_calls {
 public:
  dense_calls(const settings& s, report& out) : settings_(s), out_(out) {}

  /// Sets the graph of the next calls. Their lines have the part, x, graph and size of @p l.
  void begin(const line& l, const apsp_perf::csr_arrays<float>& g) {
    graph_ = &g;
    known_.emplace(g);
    line_ = l;
    line_.n = g.num_vertices();
    line_.arcs = g.num_edges();
    line_.bytes = g.num_vertices() * g.num_vertices() * sizeof(float);
  }

  /// Adds the line @p label for @p solve(graph, distances), which returns its seconds.
  template <class Solve>
  void add(const std::string& label, Solve solve) {
    if (!settings_.includes(label)) return;
    line l = line_;
    l.label = label;
    cubic_growth& growth = growth_[line_.part + label];
    if (const std::string why = why_no_memory(l.n); !why.empty()) return out_.left_out(l, why);
    if (growth.estimates(l, settings_, l.n)) return out_.add(l);
    const bool was_measured = add_measured(out_, l, [&] {
      if (distances_.rows() != l.n) {
        distances_ = apsp::matrix<float>();  // both would need too much memory
        distances_ = apsp::matrix<float>(l.n);
      }
      time_calls(l, settings_, [&] {
        std::fill(distances_.begin(), distances_.end(), -1.F);
        const double seconds = solve(*graph_, distances_);
        join(l.checked, known_->check(distances_));
        return seconds;
      });
    });
    if (was_measured) growth.measured(l, l.n);
  }

  /// Adds the line for @p solve(policy, graph, distances), which returns a result, with the policy @p name.
  template <class Solve>
  void add_policy(const std::string& label, const std::string& name, Solve solve) {
    add(label, [&](const apsp_perf::csr_arrays<float>& g, apsp::matrix<float>& distances) {
      return device_program::with_policy(name, [&](const auto& policy) {
        return timing::seconds_of(
            [&] { device_program::require_solved(solve(policy, g.view(), distances), name); });
      });
    });
  }

  /// Keeps the graph for programs that solve it with @p algorithm.
  void keep_graph(const std::string& algorithm) {
    if (!settings_.includes("SciPy " + algorithm)) return;
    out_.keep_graph(line_, algorithm, *graph_, known_->sources(), known_->rows());
  }

 private:
  // Linux overcommits memory, so waiting for std::bad_alloc would be too late.
  std::string why_no_memory(std::size_t n) const {
    if (distances_.rows() == n) return "";
    try {
      apsp_compare::require_memory(n, sizeof(float));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  const settings& settings_;
  report& out_;
  const apsp_perf::csr_arrays<float>* graph_ = nullptr;
  std::optional<known_rows> known_;
  apsp::matrix<float> distances_;
  line line_;
  std::map<std::string, cubic_growth> growth_;
};

/// Boost.Graph's function, as a solver of dense_calls.
inline double by_boost(const apsp_perf::csr_arrays<float>& g, apsp::matrix<float>& distances) {
  const double seconds = apsp_compare::solve_with_boost(g, distances);
  if (seconds < 0) throw std::logic_error("a negative cycle in a graph that has none");
  return seconds;
}

}  // namespace studies
