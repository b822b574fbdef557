// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "check.hpp"
#include "graphs.hpp"
#include "problem.hpp"
#include "settings.hpp"

// What an algorithm needs on one graph: measured as a whole if the time allows, else estimated.
namespace topology {

// An estimate is never put where the time of a whole call stands.
struct measurement {
  double seconds = 0;
  bool estimated = false;
  std::size_t sources = 0;
  int repeats = 0;
  verdict checked = verdict::not_checked;
};

// All entries of one graph.
template <class W>
class graph_benchmark {
 public:
  graph_benchmark(const apsp_perf::csr_arrays<W>& graph, const settings& s)
      : graph_(graph), settings_(s), n_(graph.num_vertices()) {}

  measurement measure(const entry& e, bool with_predecessors) {
    const bool has_sources = e.algorithm != apsp::algorithm::floyd_warshall;
    const double limit = e.is_reference() ? settings_.reference_limit : settings_.limit;
    // The part grows until the whole is known to fit, or the part itself is all that fits.
    const double power = has_sources ? 1 : 3;
    const std::size_t growth = has_sources ? 4 : 2;
    const double growth_of_time = std::pow(static_cast<double>(growth), power);
    std::size_t size = std::min(n_, first_size(e));
    // What a first call loads and allocates is nobody's share.
    double elapsed = run_part(e, with_predecessors, size, false).seconds;
    if (2 * elapsed < limit) elapsed = run_part(e, with_predecessors, size, false).seconds;
    // A call has a share that does not grow, so two parts are needed to know what a third would take.
    double before = elapsed;
    bool first = true;
    while (size < n_) {
      const double expected = elapsed * scale(size, power);
      if (2 * expected <= limit) break;
      const double larger = elapsed + growth_of_time * std::max(0.0, elapsed - before);
      const bool fits = first ? elapsed <= limit : 2 * larger <= limit;
      if (!fits) return estimate(e, with_predecessors, size, power);
      first = false;
      size = std::min(n_, growth * size);
      before = std::exchange(elapsed, run_part(e, with_predecessors, size, false).seconds);
    }
    return run_whole(e, with_predecessors, limit, elapsed * scale(size, power));
  }

 private:
  // The smallest part whose time says something of the whole: every host thread has something to do, and
  // where a device solves for many sources at once, most of it.
  std::size_t first_size(const entry& e) const {
    if (e.algorithm == apsp::algorithm::floyd_warshall) return 512;
    if (e.policy == apsp::backend::seq) return 1;
    if (e.policy == apsp::backend::omp) {
      return std::bit_ceil(std::size_t{std::max(1U, std::thread::hardware_concurrency())});
    }
    // Johnson's is Bellman–Ford there, from one source at a time.
    if (e.policy == apsp::backend::cuda_naive && e.algorithm != apsp::algorithm::dijkstra) return 1;
    constexpr std::size_t most_entries = std::size_t{1} << 30;
    return std::clamp<std::size_t>(most_entries / std::max<std::size_t>(n_, 1), 32, 4096);
  }

  double scale(std::size_t size, double power) const {
    return std::pow(static_cast<double>(n_) / static_cast<double>(size), power);
  }

  measurement run_part(const entry& e, bool with_predecessors, std::size_t size, bool checked) {
    if (e.algorithm == apsp::algorithm::floyd_warshall) {
      return run_vertices(e, with_predecessors, size, checked);
    }
    const vertex_list sources = spread_sources(n_, size);
    apsp::matrix<W> distances(size, n_, static_cast<W>(-1));
    vertex_matrix predecessors;
    if (with_predecessors) predecessors = vertex_matrix(size, n_, -2);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors : nullptr;
    measurement done;
    done.seconds = time_call<W>(e, {graph_, &sources, distances, last_hops});
    if (!checked) return done;
    if (reference_.empty()) reference_.set(distances, sources, n_);
    done.checked = check(reference_, graph_, sources, distances, last_hops);
    return done;
  }

  measurement run_vertices(const entry& e, bool with_predecessors, std::size_t size, bool checked) {
    const apsp_perf::csr_arrays<W> part = first_vertices(graph_, size);
    apsp::matrix<W> distances(size, size, static_cast<W>(-1));
    vertex_matrix predecessors;
    if (with_predecessors) predecessors = vertex_matrix(size, size, -2);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors : nullptr;
    measurement done;
    done.seconds = time_call<W>(e, {part, nullptr, distances, last_hops});
    if (!checked) return done;
    reference_rows<W> expected;
    const vertex_list sources = spread_sources(size, std::min<std::size_t>(size, 64));
    apsp::matrix<W> rows(sources.size(), size);
    const entry by_dijkstra{apsp::algorithm::dijkstra, apsp::backend::omp};
    time_call<W>(by_dijkstra, {part, &sources, rows, nullptr});
    expected.set(std::move(rows), sources, size);
    vertex_list all(size);
    std::iota(all.begin(), all.end(), 0);
    done.checked = check(expected, part, all, distances, last_hops);
    return done;
  }

  measurement estimate(const entry& e, bool with_predecessors, std::size_t size, double power) {
    measurement done = run_part(e, with_predecessors, size, true);
    done.seconds *= scale(size, power);
    done.estimated = true;
    done.sources = size;
    done.repeats = 1;
    return done;
  }

  measurement run_whole(const entry& e, bool with_predecessors, double limit, double expected) {
    vertex_list all(n_);
    std::iota(all.begin(), all.end(), 0);
    if (distances_.rows() != n_) distances_ = apsp::matrix<W>(n_);
    if (with_predecessors && predecessors_.rows() != n_) predecessors_ = vertex_matrix(n_);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors_ : nullptr;
    const problem<W> p{graph_, nullptr, distances_, last_hops};
    measurement done;
    const double fitting = std::min(limit / std::max(expected, 1e-9) - 1, 1e6);
    done.repeats = std::clamp(static_cast<int>(fitting), 1, settings_.repeat);
    std::vector<double> times;
    for (int run = 0; run <= done.repeats; ++run) {
      // Nothing of an earlier result may be left to be taken for this one's.
      if (run == done.repeats) {
        std::fill(distances_.begin(), distances_.end(), static_cast<W>(-1));
        std::fill(predecessors_.begin(), predecessors_.end(), -2);
      }
      const double elapsed = time_call<W>(e, p);
      if (run > 0) times.push_back(elapsed);
    }
    done.seconds = timing::upper_median(times);
    done.sources = n_;
    if (reference_.empty()) reference_.set(distances_, all, n_);
    done.checked = check(reference_, graph_, all, distances_, last_hops);
    return done;
  }

  const apsp_perf::csr_arrays<W>& graph_;
  const settings& settings_;
  std::size_t n_;
  apsp::matrix<W> distances_;
  vertex_matrix predecessors_;
  reference_rows<W> reference_;
};

}  // namespace topology
