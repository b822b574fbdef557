// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

namespace apsp_test {

/// A graph whose weights are whole numbers, sources, and the expected results.
struct per_source_problem {
  using number = std::int64_t;

  /// @throws std::logic_error if a source reaches a negative cycle.
  per_source_problem(std::string its_name, arc_list<number> its_arcs,
                     std::vector<std::size_t> its_sources)
      : name(std::move(its_name)),
        arcs(std::move(its_arcs)),
        sources(std::move(its_sources)),
        lightest(lightest_arcs(arcs)) {
    auto rows = oracle_rows(arcs, sources);
    if (!rows) throw std::logic_error(name + " has a negative cycle");
    expected = std::move(*rows);
  }
  /// All vertices are sources.
  per_source_problem(std::string its_name, arc_list<number> its_arcs)
      : per_source_problem(std::move(its_name), its_arcs, all_vertices(its_arcs.n)) {}

  /// The same problem with its first sources.
  per_source_problem from_first(std::size_t count) const {
    per_source_problem part = *this;
    part.sources.resize(std::min(count, sources.size()));
    part.expected.resize(part.sources.size());
    return part;
  }

  std::string name;
  arc_list<number> arcs;
  std::vector<std::size_t> sources;
  apsp::matrix<number> lightest;
  wide_rows<number> expected;
};

}  // namespace apsp_test
