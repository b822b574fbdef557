// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "../checks.hpp"
#include "../compare/machine.hpp"
#include "../graphs.hpp"
#include "cases.hpp"

namespace bench {

/// A graph, sources, memory for their distances, and known distances.
template <class W>
class problem {
 public:
  problem(const std::string& graph_name, std::size_t n)
      : graph(named_graphs::make<W>(graph_name, n, options().seed)),
        known_(graph, options().check) {}

  const apsp_perf::csr_arrays<W> graph;
  std::vector<std::int32_t> sources;
  apsp::matrix<W> distances;
  apsp::matrix<std::int32_t> predecessors;

  std::size_t n() const { return graph.num_vertices(); }
  const checks::known_rows& known() const { return known_; }

  /// Allocates the rows of that many vertices, spread over the graph; 0 means all.
  void set_sources(std::size_t count, bool with_predecessors) {
    count = count == 0 ? n() : std::min(count, n());
    if (sources.size() != count) {
      distances = {};
      predecessors = {};
      if (count == n()) apsp_compare::require_memory(n(), sizeof(W));
      sources = checks::spread_sources(n(), count);
      distances = apsp::matrix<W>(count, n());
      checksum_.reset();
    }
    if (with_predecessors && predecessors.rows() != count) {
      if (count == n()) apsp_compare::require_memory(n(), sizeof(std::int32_t));
      predecessors = apsp::matrix<std::int32_t>(count, n());
    }
  }
  /// Overwrites results, so that an earlier result is not taken for that of the next call.
  void overwrite() {
    std::fill(distances.begin(), distances.end(), static_cast<W>(-1));
    std::fill(predecessors.begin(), predecessors.end(), -2);
  }

  /// @throws std::runtime_error unless rows of @p found are equal to those of Boost.Graph and, if sums are
  ///         exact, the matrix is equal to the one that was checked first.
  void check(const apsp::matrix<W>& found) {
    if (options().check == 0) return;
    require(known_.check(sources, found) != checks::verdict::wrong, "wrong distances");
    if (!known_.template is_exact<W>()) return;
    const std::uint64_t sum = checksum(found);
    if (!checksum_) checksum_ = sum;
    require(sum == *checksum_, "distances that differ from those of another call");
  }
  void check_predecessors() const {
    require(known_.check_predecessors(graph, sources, predecessors) != checks::verdict::wrong,
            "wrong predecessors");
  }

  double farthest() const {
    W farthest{};
    for (const W& d : distances) {
      if (d != apsp::unreachable<W> && farthest < d) farthest = d;
    }
    return static_cast<double>(farthest);
  }

 private:
  // The checksum changes if entries are exchanged.
  static std::uint64_t checksum(const apsp::matrix<W>& m) {
    std::uint64_t sum = 0;
    for (const W& entry : m) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &entry, sizeof(W));
      sum = (sum ^ bits) * 0x100000001b3U;
    }
    return sum;
  }

  checks::known_rows known_;
  std::optional<std::uint64_t> checksum_;
};

/// Returns the same object for consecutive cases of a graph.
template <class W>
problem<W>& problem_of(const std::string& type, const std::string& graph_name, std::size_t n) {
  return shared_problem(type + '/' + graph_name + '/' + std::to_string(n),
                        [&] { return problem<W>(graph_name, n); });
}

}  // namespace bench
