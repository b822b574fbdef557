// SPDX-License-Identifier: BSL-1.0
#include "known_rows.hpp"

#include <algorithm>
#include <apsp/unreachable.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>

#include "../timing.hpp"
#include "boost_csr.hpp"

namespace studies {

template <class W>
known_rows::known_rows(const apsp_perf::csr_arrays<W>& g) {
  constexpr std::size_t most_rows = 8;
  const std::size_t n = g.num_vertices();
  const auto b = make_boost_csr(g);
  std::vector<double> seconds;
  for (const std::int32_t source : spread_sources(n, std::min(n, most_rows))) {
    std::vector<W> row(n);
    const double elapsed = timing::seconds_of([&] {
      boost::dijkstra_shortest_paths(b, boost::vertex(static_cast<std::uint32_t>(source), b),
                                     boost::weight_map(boost::get(boost::edge_bundle, b))
                                         .distance_map(boost::make_iterator_property_map(
                                             row.begin(), boost::get(boost::vertex_index, b)))
                                         .distance_inf(apsp::unreachable<W>));
    });
    sources_.push_back(static_cast<std::size_t>(source));
    seconds.push_back(elapsed);
    auto& known = rows_.emplace_back(row.begin(), row.end());
    for (std::size_t v = 0; v < n; ++v) {
      if (row[v] == apsp::unreachable<W>) known[v] = std::numeric_limits<double>::infinity();
    }
  }
  if (!seconds.empty()) seconds_per_source_ = timing::median(seconds);
}

template <class W>
bool known_rows::is_row(std::size_t known, const W* row) const {
  const std::vector<double>& expected = rows_[known];
  return std::equal(expected.begin(), expected.end(), row, [](double a, W b) {
    return b == apsp::unreachable<W> ? a == std::numeric_limits<double>::infinity()
                                     : a == static_cast<double>(b);
  });
}

template <class W>
verdict known_rows::check(const std::vector<std::int32_t>& sources,
                          const apsp::matrix<W>& distances) const {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto known =
        std::find(sources_.begin(), sources_.end(), static_cast<std::size_t>(sources[i]));
    if (known == sources_.end()) continue;
    const auto number = static_cast<std::size_t>(known - sources_.begin());
    if (!is_row(number, distances[i])) return verdict::wrong;
    ++compared;
  }
  return compared == 0 ? verdict::not_checked : verdict::right;
}

template <class W>
verdict known_rows::check(const apsp::matrix<W>& distances) const {
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    if (!is_row(k, distances[sources_[k]])) return verdict::wrong;
  }
  return sources_.empty() ? verdict::not_checked : verdict::right;
}

template known_rows::known_rows(const apsp_perf::csr_arrays<float>&);
template known_rows::known_rows(const apsp_perf::csr_arrays<std::int32_t>&);
template verdict known_rows::check(const apsp::matrix<float>&) const;
template verdict known_rows::check(const apsp::matrix<std::int32_t>&) const;
template verdict known_rows::check(const std::vector<std::int32_t>&,
                                   const apsp::matrix<std::int32_t>&) const;

}  // namespace studies
