// SPDX-License-Identifier: BSL-1.0
#include "graph_source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <apsp/files.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "../../perf/common/graphs.hpp"
#include "../../perf/common/machine.hpp"
#include "progress.hpp"

namespace apsp_compare {

namespace {

using apsp_perf::csr_arrays;

template <class W>
csr_arrays<W> read(const options& o) {
  const progress_line progress("reading " + o.file);
  const bool edge_list = o.undirected || o.renumber || o.header;
  const auto g = edge_list ? apsp::read_edge_list<W>(o.file, {!o.undirected, o.renumber, o.header})
                           : apsp::read_graph<W>(o.file);
  csr_arrays<W> arrays = named_graphs::to_arrays(g);
  if (arrays.offsets.empty()) arrays.offsets = {0};
  return arrays;
}

template <class W>
csr_arrays<W> generate(const options& o) {
  const progress_line progress("generating the graph");
  if (o.gnp) {
    apsp_perf::require_memory(o.gnp->n, sizeof(W));
    return apsp_perf::gnp_graph<W>(o.gnp->n, o.gnp->p, o.gnp->largest_weight, o.seed);
  }
  if (o.grid->columns != 0 &&
      o.grid->rows > std::numeric_limits<std::size_t>::max() / o.grid->columns) {
    throw std::runtime_error("--grid: too many vertices");
  }
  apsp_perf::require_memory(o.grid->rows * o.grid->columns, sizeof(W));
  return apsp_perf::grid_graph<W>(o.grid->rows, o.grid->columns, o.grid->largest_weight, o.seed);
}

template <class W>
csr_arrays<W> load_as(const options& o) {
  return o.file.empty() ? generate<W>(o) : read<W>(o);
}

template <class To>
csr_arrays<To> convert(csr_arrays<double>&& g) {
  csr_arrays<To> converted;
  converted.offsets = std::move(g.offsets);
  converted.targets = std::move(g.targets);
  converted.weights.reserve(g.weights.size());
  for (const double w : g.weights) converted.weights.push_back(static_cast<To>(w));
  return converted;
}

// Chooses the fastest exact type: 32-bit integers if no path can exceed them.
loaded_graph choose_type(csr_arrays<double>&& g) {
  constexpr double exact_integers = 0x1p53;
  double largest = 0;
  bool integers = true;
  for (const double w : g.weights) {
    integers = integers && w == std::floor(w) && std::abs(w) < exact_integers;
    largest = std::max(largest, std::abs(w));
  }
  if (!integers) return {std::move(g), "", "not all weights are integers"};
  const double longest_path = largest * static_cast<double>(g.num_vertices());
  if (longest_path < std::numeric_limits<std::int32_t>::max()) {
    return {convert<std::int32_t>(std::move(g)), "", "integers, and every path fits"};
  }
  return {convert<std::int64_t>(std::move(g)), "", "integers, but a path may exceed 32 bits"};
}

std::string name_of(const options& o) {
  if (!o.file.empty()) return std::filesystem::path(o.file).filename().string();
  if (o.gnp) {
    return fmt::format("gnp {} {} {}, seed {}", o.gnp->n, o.gnp->p, o.gnp->largest_weight, o.seed);
  }
  return fmt::format("grid {} {} {}, seed {}", o.grid->rows, o.grid->columns,
                     o.grid->largest_weight, o.seed);
}

loaded_graph load(const options& o) {
  if (o.type.empty()) return choose_type(load_as<double>(o));
  loaded_graph g{{}, "", "as asked"};
  apsp_perf::for_each_weight_type([&]<class W>(std::type_identity<W>, const std::string& type) {
    if (type == o.type) g.arrays = load_as<W>(o);
  });
  return g;
}

}  // namespace

loaded_graph load_graph(const options& o) {
  loaded_graph g = load(o);
  g.name = name_of(o);
  return g;
}

}  // namespace apsp_compare
