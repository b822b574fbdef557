// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/device_memory.hpp>
#include <apsp/matrix.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "graphs.hpp"

// Graphs in device memory.
namespace apsp_test {

/// An array in device memory.
template <class T>
class device_values {
 public:
  explicit device_values(const std::vector<T>& values) : row_(1, values.size()) {
    apsp::matrix<T> row(1, values.size());
    std::copy(values.begin(), values.end(), row.begin());
    row_.assign(row);
  }
  apsp::device_span<const T> span() const { return {row_.data(), row_.cols()}; }

 private:
  apsp::device_matrix<T> row_;
};

/// A graph in device memory, in all representations.
template <class T, class Index = std::int32_t>
class resident {
 public:
  /// @param is_better  determines which of two parallel arcs the dense form contains.
  template <class Better = std::less<>>
  explicit resident(const arc_list<T>& g, Better is_better = {})
      : n_(g.n),
        sources_(numbers(g.sources)),
        targets_(numbers(g.targets)),
        weights_(g.weights),
        dense_(dense_form(g, is_better)) {
    std::vector<std::size_t> order(g.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return g.sources[a] < g.sources[b]; });
    std::vector<std::int64_t> offsets(g.n + 1);
    std::vector<Index> targets;
    std::vector<T> weights;
    for (const std::size_t k : order) {
      ++offsets[static_cast<std::size_t>(g.sources[k]) + 1];
      targets.push_back(static_cast<Index>(g.targets[k]));
      weights.push_back(g.weights[k]);
    }
    for (std::size_t u = 0; u < g.n; ++u) offsets[u + 1] += offsets[u];
    offsets_ = device_values<std::int64_t>(offsets);
    sorted_targets_ = device_values<Index>(targets);
    sorted_weights_ = device_values<T>(weights);
  }

  auto edge_list() const {
    return apsp::device_edge_list_view(n_, sources_.span(), targets_.span(), weights_.span());
  }
  auto csr() const {
    return apsp::device_csr_view(offsets_.span(), sorted_targets_.span(), sorted_weights_.span());
  }
  const auto& dense() const { return dense_; }

  template <class F>
  void in_form(std::size_t form, F f) const {
    BOOST_TEST_CONTEXT("form " << form << " of edge list, csr and dense") {
      if (form == 0) f(edge_list());
      if (form == 1) f(csr());
      if (form == 2) f(dense());
    }
  }
  template <class F>
  void in_all_forms(F f) const {
    for (std::size_t form = 0; form < num_forms; ++form) in_form(form, f);
  }
  static constexpr std::size_t num_forms = 3;

 private:
  static std::vector<Index> numbers(const std::vector<std::int32_t>& vertices) {
    return {vertices.begin(), vertices.end()};
  }

  std::size_t n_;
  device_values<Index> sources_;
  device_values<Index> targets_;
  device_values<T> weights_;
  apsp::device_matrix<T> dense_;
  device_values<std::int64_t> offsets_{{}};
  device_values<Index> sorted_targets_{{}};
  device_values<T> sorted_weights_{{}};
};

/// Has the interface of an mdspan in device memory: its accessor states that the host cannot read
/// it.
template <class T>
struct device_mdspan {
  struct accessor_type {
    static constexpr bool is_host_accessible = false;
  };
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  static constexpr std::size_t rank() { return 2; }
  T* data_handle() const { return data; }
  std::size_t extent(std::size_t dimension) const { return dimension == 0 ? rows : columns; }
  std::size_t stride(std::size_t dimension) const {
    return dimension == 0 ? row_stride : column_stride;
  }
  // Never called by host code.
  T& operator()(std::size_t i, std::size_t j) const {
    return data[i * row_stride + j * column_stride];
  }

  T* data;
  std::size_t rows;
  std::size_t columns;
  std::size_t row_stride = columns;
  std::size_t column_stride = 1;
};

/// A pointer that must not be dereferenced.
template <class T>
T* somewhere() {
  return reinterpret_cast<T*>(std::uintptr_t{4096});
}

}  // namespace apsp_test
