// SPDX-License-Identifier: BSL-1.0
#include <apsp/distance_summary.hpp>
#include <apsp/for_each_row.hpp>  // distance_summary.hpp does not include what it needs of it
#include <limits>
#include <stdexcept>
#include <tuple>

#include "binding.hpp"

namespace apsp_python {
namespace {

/// A sum that an array holds.
template <class Sum>
auto plain_sum(const Sum& sum) {
  if constexpr (std::is_same_v<Sum, double>) {
    return sum;
  } else {
    if (sum > std::numeric_limits<std::int64_t>::max() ||
        sum < std::numeric_limits<std::int64_t>::min()) {
      throw std::overflow_error("apsp: a sum of distances exceeds int64; use dtype=float64");
    }
    return static_cast<std::int64_t>(sum);
  }
}

template <class T>
auto summarize(const any_graph<T>& graph, const vertices& sources, const settings& how) {
  const auto summary = run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::summarize_paths(policy, searched, span_of(sources));
      });
    });
  });
  using sum_type = decltype(plain_sum(apsp::source_summary<T>{}.sum));
  std::vector<T> eccentricity;
  std::vector<std::int64_t> farthest;
  std::vector<std::int64_t> num_reached;
  std::vector<sum_type> sum;
  std::vector<double> inverse_sum;
  for (const apsp::source_summary<T>& source : summary.sources()) {
    eccentricity.push_back(source.eccentricity);
    farthest.push_back(static_cast<std::int64_t>(source.farthest));
    num_reached.push_back(static_cast<std::int64_t>(source.num_reached));
    sum.push_back(plain_sum(source.sum));
    inverse_sum.push_back(source.inverse_sum);
  }
  return std::tuple(report_of(summary.status()), array_of(std::move(eccentricity)),
                    array_of(std::move(farthest)), array_of(std::move(num_reached)),
                    array_of(std::move(sum)), array_of(std::move(inverse_sum)));
}

template <class T>
auto count(const any_graph<T>& graph, const vertices& sources, const array<const T>& edges,
           const settings& how) {
  const auto bins =
      apsp::histogram_bins<T>::between(std::vector<T>(edges.data(), edges.data() + edges.size()));
  apsp::distance_counts found = run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::path_length_histogram(policy, searched, span_of(sources), bins);
      });
    });
  });
  return std::tuple(report_of(found.status), array_of(std::move(found.counts)), found.below,
                    found.above, found.unreachable);
}

}  // namespace

void bind_summary(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("summarize", summarize<T>, "graph"_a, "sources"_a, "settings"_a,
          "Returns what the call reports, and for each source: eccentricity, farthest, number of "
          "reached vertices, sum and inverse sum of their distances.");
    m.def("histogram", count<T>, "graph"_a, "sources"_a, "edges"_a, "settings"_a,
          "Returns what the call reports, the counts of the bins, and those below, above and "
          "unreachable.");
  });
}

}  // namespace apsp_python
