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
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/solver.hpp"
#include "cases.hpp"

namespace bench {

/// A problem whose results are compared with known rows, and with one another.
template <class W>
class problem : public apsp_perf::problem<W> {
 public:
  explicit problem(apsp_perf::csr_arrays<W> arcs)
      : apsp_perf::problem<W>(std::move(arcs), options().check) {}
  problem(const std::string& graph_name, std::size_t n)
      : problem(named_graphs::make<W>(graph_name, n, options().seed)) {}

  /// Allocates the rows of that many vertices; 0 means all.
  void set_sources(std::size_t count, bool with_predecessors) {
    count = count == 0 ? this->n() : std::min(count, this->n());
    if (this->sources.size() != count) checksum_.reset();
    apsp_perf::problem<W>::set_sources(count, with_predecessors);
  }

  /// @throws std::runtime_error unless rows of @p found are equal to those of Boost.Graph and, if
  ///         sums are exact, the matrix is equal to the one that was checked first.
  void check(const apsp::matrix<W>& found) {
    if (options().check == 0) return;
    require(this->known.check(this->sources, found) != checks::verdict::wrong, "wrong distances");
    if (!this->known.template is_exact<W>()) return;
    const std::uint64_t sum = checksum(found);
    if (!checksum_) checksum_ = sum;
    require(sum == *checksum_, "distances that differ from those of another call");
  }
  void check_predecessors() const {
    require(this->known.check_predecessors(this->graph, this->sources, this->predecessors) !=
                checks::verdict::wrong,
            "wrong predecessors");
  }

  double farthest() const {
    W farthest{};
    for (const W& d : this->distances) {
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

  std::optional<std::uint64_t> checksum_;
};

/// Returns the same object for consecutive cases of a graph.
template <class W>
problem<W>& problem_of(const std::string& type, const std::string& graph_name, std::size_t n) {
  return shared_problem(type + '/' + graph_name + '/' + std::to_string(n),
                        [&] { return problem<W>(graph_name, n); });
}

}  // namespace bench
