// SPDX-License-Identifier: BSL-1.0
#include <apsp/carry.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_of_pairs.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "hierarchies.hpp"

// Distances with an attribute that is added up along the paths.
namespace apsp_python {
namespace {

template <class D, class A>
nb::object graph(const array<const std::int64_t>& offsets, const array<const std::int32_t>& targets,
                 const array<const D>& distances, const array<const A>& attributes) {
  using weight = apsp::carried<D, A>;
  const std::size_t m = distances.size();
  if (attributes.size() != m) {
    throw std::invalid_argument("apsp: expected as many attributes as weights");
  }
  auto weights = std::make_shared<std::vector<weight>>(m);
  for (std::size_t i = 0; i < m; ++i) {
    (*weights)[i] = {distances.data()[i], attributes.data()[i]};
  }
  const sparse_graph<weight> view(span_of(offsets), span_of(targets), std::span(*weights));
  return nb::cast(any_graph<weight>{view, std::move(weights)});
}

/// Calls f(policy, graph, results), which has results of that size, and separates them.
template <class D, class A, class F>
report separated(const any_graph<apsp::carried<D, A>>& graph, const settings& how, std::size_t size,
                 D* distances, A* attributes, F f) {
  return report_of(run(how, [&](const settings& now) {
    std::vector<apsp::carried<D, A>> found(size);
    apsp::result done = with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) { return f(policy, searched, found); });
    });
    for (std::size_t i = 0; i < size; ++i) {
      distances[i] = found[i].distance;
      attributes[i] = found[i].attribute;
    }
    return done;
  }));
}

template <class D, class A>
report table(const any_graph<apsp::carried<D, A>>& graph, const vertices& sources,
             const vertices& targets, const array_2d<D>& distances, const array_2d<A>& attributes,
             const settings& how) {
  const std::size_t rows = distances.shape(0);
  const std::size_t columns = distances.shape(1);
  return separated(graph, how, rows * columns, distances.data(), attributes.data(),
                   [&](const auto& policy, const auto& searched, auto& found) {
                     return apsp::distance_table(
                         policy, searched, span_of(sources), span_of(targets),
                         apsp::matrix_view<apsp::carried<D, A>>(found.data(), rows, columns));
                   });
}

template <class D, class A>
report pairs(const any_graph<apsp::carried<D, A>>& graph, const vertices& sources,
             const vertices& targets, const array<D>& distances, const array<A>& attributes,
             const settings& how) {
  return separated(graph, how, distances.size(), distances.data(), attributes.data(),
                   [&](const auto& policy, const auto& searched, auto& found) {
                     return apsp::distances_of_pairs(policy, searched, span_of(sources),
                                                     span_of(targets), found);
                   });
}

/// @param name  of the class in Python
template <class D, class A>
void bind(nb::module_& m, const char* name) {
  using weight = apsp::carried<D, A>;
  nb::class_<any_graph<weight>>(m, name,
                                "A graph whose arcs have an attribute, or a prepared one.");
  m.def("graph", graph<D, A>, "offsets"_a.noconvert(), "targets"_a.noconvert(),
        "weights"_a.noconvert(), "attributes"_a.noconvert(), nb::keep_alive<0, 1>(),
        nb::keep_alive<0, 2>(), "Returns a graph in compressed sparse rows with attributes.");
  m.def("distance_table", table<D, A>, "graph"_a, "sources"_a, "targets"_a,
        "distances"_a.noconvert(), "attributes"_a.noconvert(), "settings"_a,
        "Writes both tables; returns what the call reports.");
  m.def("distances_of_pairs", pairs<D, A>, "graph"_a, "sources"_a, "targets"_a,
        "distances"_a.noconvert(), "attributes"_a.noconvert(), "settings"_a,
        "Writes two entries for each pair; returns what the call reports.");
  m.def("prepare", prepare<weight>, "graph"_a, "order"_a.none(), "settings"_a,
        "Returns what the call reports, and the prepared graph.");
  m.def("customize", customize<weight>, "prepared"_a, "graph"_a, "settings"_a,
        "Returns what the call reports, and the prepared graph with the weights of another one.");
  m.def("sizes_of", sizes_of<weight>, "prepared"_a,
        "Returns the numbers of vertices, edges and arcs of a prepared graph, its fill, and "
        "whether a weight is negative.");
}

}  // namespace

void bind_carry(nb::module_& m) {
  bind<double, double>(m, "Float64Float64Graph");
  bind<std::int64_t, std::int64_t>(m, "Int64Int64Graph");
  bind<std::int64_t, double>(m, "Int64Float64Graph");
}

}  // namespace apsp_python
