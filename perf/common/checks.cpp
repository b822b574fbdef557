// SPDX-License-Identifier: BSL-1.0
#include "checks.hpp"

#include <limits>

#include "../rivals/boost_searches.hpp"
#include "timing.hpp"

namespace checks {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The type in which sums of weights are exact.
template <class W>
using sum_of = std::conditional_t<std::is_integral_v<W>, W, double>;

}  // namespace

template <class W>
known_rows::known_rows(const apsp_perf::csr_arrays<W>& g, std::size_t count) {
  const std::size_t n = g.num_vertices();
  count = std::min(n, count);
  if (count == 0) return;
  const bool has_negative_weights =
      std::any_of(g.weights.begin(), g.weights.end(), [](W w) { return w < W{}; });
  const auto b = boost_solvers::make_csr(g);
  std::vector<double> seconds;
  for (const std::int32_t source : spread_sources(n, count)) {
    std::vector<sum_of<W>> row(n);
    sources_.push_back(static_cast<std::size_t>(source));
    seconds.push_back(has_negative_weights
                          ? boost_solvers::bellman_ford(b, sources_.back(), row.data())
                          : boost_solvers::dijkstra(b, sources_.back(), row.data()));
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
  return std::is_integral_v<W> || farthest_ <= std::ldexp(1.0, std::numeric_limits<W>::digits - 1);
}

template <class W>
rounding known_rows::allowed() const {
  return {.relative = is_exact<W>() ? 0 : tolerance<W>};
}

template <class W>
std::vector<W> known_rows::row_of(std::size_t known) const {
  std::vector<W> row;
  for (const double d : rows_[known]) {
    row.push_back(d == infinity ? apsp::unreachable<W> : static_cast<W>(d));
  }
  return row;
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
  const rounding r = allowed<W>();
  return check_rows(sources, [&](std::size_t known, std::size_t i) {
    const std::vector<W> row = row_of<W>(known);
    return std::equal(row.begin(), row.end(), distances[i],
                      [&](W a, W b) { return r.is_same(a, b); });
  });
}

template <class W>
verdict known_rows::check_predecessors(const apsp_perf::csr_arrays<W>& g,
                                       const std::vector<std::int32_t>& sources,
                                       const apsp::matrix<std::int32_t>& predecessors) const {
  return check_rows(sources, [&](std::size_t known, std::size_t i) {
    return !first_wrong_predecessor(g, sources_[known], row_of<W>(known).data(), predecessors[i],
                                    allowed<W>());
  });
}

#define APSP_PERF_CHECKS(W)                                                                    \
  template known_rows::known_rows(const apsp_perf::csr_arrays<W>&, std::size_t);               \
  template verdict known_rows::check(const std::vector<std::int32_t>&, const apsp::matrix<W>&) \
      const;                                                                                   \
  template verdict known_rows::check_predecessors(const apsp_perf::csr_arrays<W>&,             \
                                                  const std::vector<std::int32_t>&,            \
                                                  const apsp::matrix<std::int32_t>&) const;    \
  template bool known_rows::is_exact<W>() const
APSP_PERF_CHECKS(float);
APSP_PERF_CHECKS(double);
APSP_PERF_CHECKS(std::int32_t);
APSP_PERF_CHECKS(std::int64_t);

}  // namespace checks
