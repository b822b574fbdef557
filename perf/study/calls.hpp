// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <bit>
#include <cstddef>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "../common/device_program.hpp"
#include "../common/solver.hpp"
#include "measure.hpp"
#include "report.hpp"

namespace studies {

using apsp_perf::problem;
using apsp_perf::solver;

/// How many sources a line has, and what happens if it would take longer than the limit.
enum class extent {
  all_pairs,      ///< then the time is estimated from fewer vertices
  all_at_once,    ///< then it is omitted, since the time of a few sources says little about many at
                  ///< once
  by_sources,     ///< then the time is estimated from some sources
  one_source,     ///< one source, however long
  a_source_more,  ///< the slope from one source to many, for policies that solve for one after the
                  ///< other
};

/// Lines of a sequence of graphs, each solved by several solvers.
template <class W>
class calls {
 public:
  calls(const settings& s, report& out) : settings_(s), out_(out) {}

  /// Sets the graph of the next lines, and their part, x and kind of graph.
  void begin(const line& about, apsp_perf::csr_arrays<W> g) {
    problem_.reset();
    problem_.emplace(std::move(g), num_known);
    line_ = about;
    line_.n = problem_->n();
    line_.arcs = problem_->graph.num_edges();
  }
  void set_place(const std::string& part, const std::string& x) {
    line_.part = part;
    line_.x = x;
  }
  problem<W>& current() { return *problem_; }

  /// Adds the line of a solver, labelled by its name and @p remark, unless it needs a device and
  /// there is none.
  void add(const solver& s, extent e, const std::string& remark = "") {
    const bool is_boost = s.policy == "boost";
    add((is_boost ? "Boost.Graph " + s.algorithm : s.algorithm + ' ' + s.policy) + remark, s, e);
  }
  void add(const std::string& label, const solver& s, extent e) {
    if (device_program::needs_device(s.policy) && !settings_.has_device) return;
    first_sources_ = first_sources_of(s);
    add_call(label, e, s.with_predecessors,
             [&](problem<W>& p) { return apsp_perf::seconds_of(s, p); });
  }

  /// Adds the line of @p solve(problem), which returns its seconds.
  template <class Solve>
  void add_call(const std::string& label, extent e, bool with_predecessors, Solve solve) {
    if (!settings_.includes(label)) return;
    problem<W>& p = *problem_;
    line l = line_of(label, e >= extent::one_source ? 1 : p.n());
    const auto call = [&](std::size_t count) {
      p.set_sources(count, with_predecessors);
      p.overwrite();
      const double seconds = solve(p);
      join(l.checked, p.known.check(p.sources, p.distances));
      return seconds;
    };
    cubic_growth& growth = growth_[l.part + label];
    try {
      const bool is_cubic = e == extent::all_pairs || e == extent::all_at_once;
      // Also before an estimate: the lines of a graph that does not fit are omitted.
      if (is_cubic && p.sources.size() != p.n()) apsp_perf::require_memory(p.n(), sizeof(W));
      if (is_cubic && growth.estimates(l, settings_, l.n)) {
        if (e == extent::all_pairs) return out_.add(l);
        return out_.left_out(l, "it would take longer than the limit");
      }
      if (e == extent::by_sources) {
        const std::size_t row_bytes = p.n() * sizeof(W) * (with_predecessors ? 2 : 1);
        time_sources(l, settings_, p.n(), first_sources_,
                     std::max<std::size_t>(8, largest_result / row_bytes), call);
      } else {
        time_calls(l, settings_, [&] { return call(is_cubic ? p.n() : 1); });
      }
      if (e == extent::a_source_more) {
        constexpr std::size_t many = 128;
        const double of_one = l.seconds;
        time_calls(l, settings_, [&] { return call(many); });
        l.seconds = (l.seconds - of_one) / static_cast<double>(many - 1);
      }
      if (is_cubic) growth.measured(l, l.n);
      out_.add(l);
    } catch (const apsp_perf::no_memory& error) {
      out_.left_out(l, error.what());
    } catch (const apsp::device_error& error) {
      out_.left_out(l, error.what());
    } catch (const std::bad_alloc&) {
      out_.left_out(l, "no memory");
    }
  }

  /// Adds the time of Boost.Graph's Dijkstra for one source, or an estimate for all pairs. It
  /// computed the rows that are used for checks.
  void add_boost_dijkstra(extent e) {
    const bool is_one = e == extent::one_source;
    line l = line_of("Boost.Graph dijkstra", is_one ? 1 : line_.n);
    l.calls = problem_->known.sources().size();
    l.seconds = problem_->known.seconds_per_source() * static_cast<double>(is_one ? 1 : l.n);
    if (!is_one) l.estimated = estimate::from_sources;
    out_.add(l);
  }

  /// Adds the lines of @p add_part(problem, about, settings, report), which needs a device.
  template <class Part>
  void add_device_part(Part add_part) {
    if (!settings_.has_device) return;
    line about = line_of("the rest", 1);
    try {
      add_part(*problem_, about, settings_, out_);
    } catch (const apsp::device_error& error) {
      out_.left_out(about, error.what());
    }
  }

  /// Keeps the graph for programs that solve it with @p algorithm.
  void keep_graph(const std::string& algorithm) {
    if (settings_.includes("SciPy " + algorithm)) {
      out_.keep_graph(line_, algorithm, problem_->graph, problem_->known);
    }
  }

 private:
  static constexpr std::size_t num_known = 8;
  static constexpr std::size_t largest_result = std::size_t{4} << 30;

  // Half of this number, which estimates also use, must keep all host threads or most of a device
  // busy, and be many for algorithms that prepare the graph or solve for many sources at a time. It
  // is a power of two, so that it contains the known rows.
  static std::size_t first_sources_of(const solver& s) {
    if (s.policy == "cuda_tiled") return 4096;
    if (s.algorithm == "elimination" || s.algorithm == "breadth_first_search") return 1024;
    return 2 * std::bit_ceil(std::max<std::size_t>(4, std::thread::hardware_concurrency()));
  }

  line line_of(const std::string& label, std::size_t rows) const {
    line l = line_;
    l.label = label;
    l.bytes = rows * l.n * sizeof(W);
    return l;
  }

  const settings& settings_;
  report& out_;
  std::optional<problem<W>> problem_;
  line line_;
  std::size_t first_sources_ = 0;
  std::map<std::string, cubic_growth> growth_;
};

}  // namespace studies
