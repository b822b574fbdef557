// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <type_traits>

#include "../apsp/matrix_traits.hpp"
#include "../apsp/unreachable.hpp"
#include "matrix_rows.hpp"

// Where finished rows go: to the user's matrices, or to a function of the user's.
namespace apsp::detail {

/// Row r of the matrices belongs to source r of the call.
template <class D, class P>
class matrix_output {
 public:
  using value_type = matrix_value_t<D>;
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

  matrix_output(D& distances, P& predecessors, std::size_t num_vertices)
      : distances_(distances), predecessors_(predecessors), num_vertices_(num_vertices) {}

  /// The row where it can be written in place, else null.
  value_type* distances(std::size_t row) { return contiguous_row<value_type>(distances_, row); }
  std::int32_t* predecessors([[maybe_unused]] std::size_t row) {
    if constexpr (wants_predecessors) {
      return contiguous_row<std::int32_t>(predecessors_, row);
    } else {
      return nullptr;
    }
  }

  /// Copies a row that is not in place.
  void write(std::size_t row, std::size_t, const value_type* distances,
             const std::int32_t* predecessors) {
    copy(distances_, row, distances, [](const value_type& d) -> const value_type& { return d; });
    if constexpr (wants_predecessors) {
      using index = matrix_value_t<P>;
      copy(predecessors_, row, predecessors,
           [](std::int32_t p) { return p < 0 ? no_predecessor<index> : static_cast<index>(p); });
    }
  }

 private:
  template <class M, class X, class Convert>
  void copy(M& m, std::size_t row, const X* values, Convert convert) {
    if (values == contiguous_row<X>(m, row)) return;
    const auto assign = [&] {
      for (std::size_t v = 0; v < num_vertices_; ++v) matrix_entry(m, row, v) = convert(values[v]);
    };
    if constexpr (can_be_written_by_threads<M>) {
      assign();
    } else {
      const std::lock_guard lock(mutex_);
      assign();
    }
  }

  D& distances_;
  P& predecessors_;
  std::size_t num_vertices_;
  std::mutex mutex_;
};

/// Gives each row to f(source, distances) or f(source, distances, predecessors), one at a time.
template <class T, class F>
class function_output {
  using distances_type = std::span<const T>;
  using predecessors_type = std::span<const std::int32_t>;

 public:
  using value_type = T;
  static constexpr bool wants_predecessors =
      std::invocable<F&, std::size_t, distances_type, predecessors_type>;

  function_output(F& f, std::size_t num_vertices) : f_(f), num_vertices_(num_vertices) {}

  T* distances(std::size_t) { return nullptr; }
  std::int32_t* predecessors(std::size_t) { return nullptr; }

  void write(std::size_t, std::size_t source, const T* distances,
             [[maybe_unused]] const std::int32_t* predecessors) {
    const distances_type row(distances, num_vertices_);
    const std::lock_guard lock(mutex_);
    if constexpr (wants_predecessors) {
      f_(source, row, predecessors_type(predecessors, num_vertices_));
    } else {
      f_(source, row);
    }
  }

 private:
  F& f_;
  std::size_t num_vertices_;
  std::mutex mutex_;
};

}  // namespace apsp::detail
