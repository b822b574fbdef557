// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/distance_table.hpp>
#include <apsp/distances_of_pairs.hpp>
#include <apsp/distances_within.hpp>
#include <apsp/for_each_path.hpp>
#include <apsp/nearest_sources.hpp>
#include <tuple>

#include "binding.hpp"

namespace apsp_python {
namespace {

template <class T>
auto distances_within(const any_graph<T>& graph, const vertices& sources, const limit& greatest,
                      const settings& how) {
  auto found = run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return apsp::distances_within(policy, graph, value_of(greatest), span_of(sources));
    });
  });
  return std::tuple(report_of(found.status()), array_of(std::move(found.distances)),
                    array_of(std::move(found.targets)), array_of(std::move(found.offsets)));
}

template <class T>
report distance_table(const any_graph<T>& graph, const vertices& sources, const vertices& targets,
                      const array_2d<T>& table, const settings& how) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::distance_table(
            policy, searched, span_of(sources), span_of(targets),
            apsp::matrix_view<T>(table.data(), table.shape(0), table.shape(1)));
      });
    });
  }));
}

template <class T>
report distances_of_pairs(const any_graph<T>& graph, const vertices& sources,
                          const vertices& targets, const array<T>& distances, const settings& how) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::distances_of_pairs(policy, searched, span_of(sources), span_of(targets),
                                        span_of(distances));
      });
    });
  }));
}

template <class T>
auto paths_of_pairs(const any_graph<T>& graph, const vertices& sources, const vertices& targets,
                    const array<T>& distances, const settings& how) {
  // Pairs come in any order.
  std::vector<std::int32_t> found;
  std::vector<std::size_t> begins(distances.size());
  std::vector<std::int64_t> offsets(distances.size() + 1);
  const report done = report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::for_each_path(
            policy, searched, span_of(sources), span_of(targets),
            [&](std::size_t pair, const T& distance, std::span<const std::int32_t> path) {
              distances.data()[pair] = distance;
              begins[pair] = found.size();
              offsets[pair + 1] = static_cast<std::int64_t>(path.size());
              found.insert(found.end(), path.begin(), path.end());
            });
      });
    });
  }));
  std::vector<std::int32_t> ordered(found.size());
  for (std::size_t pair = 0; pair < begins.size(); ++pair) {
    std::copy_n(found.data() + begins[pair], offsets[pair + 1], ordered.data() + offsets[pair]);
    offsets[pair + 1] += offsets[pair];
  }
  return std::tuple(done, array_of(std::move(offsets)), array_of(std::move(ordered)));
}

template <class T>
report nearest_sources(const any_graph<T>& graph, const vertices& sources,
                       const array<T>& distances, const array<std::int32_t>& nearest,
                       const array<std::int32_t>& predecessors, const settings& how) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return apsp::nearest_sources(policy, graph, span_of(sources), span_of(distances),
                                   span_of(nearest), span_of(predecessors));
    });
  }));
}

template <class T>
report k_nearest_sources(const any_graph<T>& graph, const vertices& sources,
                         const array_2d<T>& distances, const array_2d<std::int32_t>& nearest,
                         const settings& how) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        const std::size_t n = distances.shape(0);
        const std::size_t k = distances.shape(1);
        return apsp::nearest_sources(policy, searched, span_of(sources), k,
                                     apsp::matrix_view<T>(distances.data(), n, k),
                                     apsp::matrix_view<std::int32_t>(nearest.data(), n, k));
      });
    });
  }));
}

}  // namespace

void bind_queries(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("distances_within", distances_within<T>, "graph"_a, "sources"_a, "limit"_a, "settings"_a,
          "Returns what the call reports, and distances, targets and offsets of the rows.");
    m.def("distance_table", distance_table<T>, "graph"_a, "sources"_a, "targets"_a,
          "table"_a.noconvert(), "settings"_a, "Writes the table; returns what the call reports.");
    m.def("distances_of_pairs", distances_of_pairs<T>, "graph"_a, "sources"_a, "targets"_a,
          "distances"_a.noconvert(), "settings"_a,
          "Writes one entry for each pair; returns what the call reports.");
    m.def(
        "paths_of_pairs", paths_of_pairs<T>, "graph"_a, "sources"_a, "targets"_a,
        "distances"_a.noconvert(), "settings"_a,
        "Writes one distance for each pair; returns what the call reports, where the path of each "
        "pair begins, and the vertices of all.");
    m.def("nearest_sources", nearest_sources<T>, "graph"_a, "sources"_a, "distances"_a.noconvert(),
          "nearest"_a.noconvert(), "predecessors"_a.noconvert(), "settings"_a,
          "Writes one entry for each vertex; returns what the call reports.");
    m.def("k_nearest_sources", k_nearest_sources<T>, "graph"_a, "sources"_a,
          "distances"_a.noconvert(), "nearest"_a.noconvert(), "settings"_a,
          "Writes k entries for each vertex; returns what the call reports.");
  });
}

}  // namespace apsp_python
