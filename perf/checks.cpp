// SPDX-License-Identifier: BSL-1.0
#include "checks.hpp"

#include <algorithm>
#include <apsp/unreachable.hpp>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "boost_csr.hpp"
#include "timing.hpp"

namespace checks {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The type in which sums of weights are exact.
template <class W>
using sum_of = std::conditional_t<std::is_integral_v<W>, W, double>;

// The relative tolerance of a length. Each solver may add the weights in a different order.
template <class W>
bool is_length(W length, double expected, bool is_exact) {
  constexpr double tolerance = std::is_same_v<W, float> ? 1e-4 : 1e-11;
  if (expected == infinity) return length == apsp::unreachable<W>;
  if (length == apsp::unreachable<W>) return false;
  const double found = static_cast<double>(length);
  return found == expected ||
         (!is_exact && std::abs(found - expected) <= tolerance * std::abs(expected));
}

}  // namespace

template <class W>
known_rows::known_rows(const apsp_perf::csr_arrays<W>& g, std::size_t count) {
  const std::size_t n = g.num_vertices();
  count = std::min(n, count);
  if (count == 0) return;
  const bool has_negative_weights =
      std::any_of(g.weights.begin(), g.weights.end(), [](W w) { return w < W{}; });
  const auto b = make_boost_csr(g);
  std::vector<double> seconds;
  for (const std::int32_t source : spread_sources(n, count)) {
    std::vector<sum_of<W>> row(n);
    sources_.push_back(static_cast<std::size_t>(source));
    seconds.push_back(has_negative_weights ? boost_bellman_ford(b, sources_.back(), row.data())
                                           : boost_dijkstra(b, sources_.back(), row.data()));
    auto& known = rows_.emplace_back(n, infinity);
    for (std::size_t v = 0; v < n; ++v) {
      if (row[v] == apsp::unreachable<sum_of<W>>) continue;
      known[v] = static_cast<double>(row[v]);
      farthest_ = std::max(farthest_, known[v]);
    }
  }
  seconds_per_source_ = timing::median(seconds);
}

template <class W>
bool known_rows::is_exact() const {
  return std::is_integral_v<W> || farthest_ <= std::ldexp(1.0, std::numeric_limits<W>::digits);
}

template <class W>
bool known_rows::is_row(std::size_t known, const W* row) const {
  const bool exact = is_exact<W>();
  const std::vector<double>& expected = rows_[known];
  return std::equal(expected.begin(), expected.end(), row,
                    [&](double a, W b) { return is_length(b, a, exact); });
}

template <class W>
bool known_rows::are_last_hops(std::size_t known, const apsp_perf::csr_arrays<W>& g,
                               const std::int32_t* predecessors) const {
  const bool exact = is_exact<W>();
  const std::vector<double>& row = rows_[known];
  std::vector<char> is_last_hop(row.size());
  apsp_perf::for_each_arc(g, [&](std::size_t u, std::size_t v, W w) {
    if (row[u] == infinity || !std::cmp_equal(predecessors[v], u)) return;
    const W length = static_cast<W>(row[u] + static_cast<double>(w));
    if (is_length(length, row[v], exact)) is_last_hop[v] = 1;
  });
  for (std::size_t v = 0; v < row.size(); ++v) {
    const bool has_none = predecessors[v] == apsp::no_predecessor<std::int32_t>;
    const bool should_have_none = v == sources_[known] || row[v] == infinity;
    if (should_have_none ? !has_none : is_last_hop[v] == 0) return false;
  }
  return true;
}

template <class IsRight>
verdict known_rows::check_rows(const std::vector<std::int32_t>& sources, IsRight is_right) const {
  verdict all = verdict::not_checked;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto known =
        std::find(sources_.begin(), sources_.end(), static_cast<std::size_t>(sources[i]));
    if (known == sources_.end()) continue;
    if (!is_right(static_cast<std::size_t>(known - sources_.begin()), i)) return verdict::wrong;
    all = verdict::right;
  }
  return all;
}

template <class W>
verdict known_rows::check(const std::vector<std::int32_t>& sources,
                          const apsp::matrix<W>& distances) const {
  return check_rows(sources,
                    [&](std::size_t known, std::size_t i) { return is_row(known, distances[i]); });
}

template <class W>
verdict known_rows::check(const apsp::matrix<W>& distances) const {
  return check(spread_sources(distances.rows(), distances.rows()), distances);
}

template <class W>
verdict known_rows::check_predecessors(const apsp_perf::csr_arrays<W>& g,
                                       const std::vector<std::int32_t>& sources,
                                       const apsp::matrix<std::int32_t>& predecessors) const {
  return check_rows(sources, [&](std::size_t known, std::size_t i) {
    return are_last_hops(known, g, predecessors[i]);
  });
}

#define APSP_PERF_CHECKS(W)                                                                    \
  template known_rows::known_rows(const apsp_perf::csr_arrays<W>&, std::size_t);               \
  template verdict known_rows::check(const std::vector<std::int32_t>&, const apsp::matrix<W>&) \
      const;                                                                                   \
  template verdict known_rows::check(const apsp::matrix<W>&) const;                            \
  template verdict known_rows::check_predecessors(const apsp_perf::csr_arrays<W>&,             \
                                                  const std::vector<std::int32_t>&,            \
                                                  const apsp::matrix<std::int32_t>&) const;    \
  template bool known_rows::is_exact<W>() const
APSP_PERF_CHECKS(float);
APSP_PERF_CHECKS(double);
APSP_PERF_CHECKS(std::int32_t);
APSP_PERF_CHECKS(std::int64_t);
#undef APSP_PERF_CHECKS

}  // namespace checks
