// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../apsp/matrix_traits.hpp"
#include "../apsp/unreachable.hpp"
#include "cutoff.hpp"
#include "distance_code.hpp"
#include "host/parallel_for.hpp"
#include "int128.hpp"
#include "matrix_rows.hpp"
#include "per_source_problem.hpp"

// What becomes of relaxed matrices on their way to the caller's.
namespace apsp::detail {

/// An entry in code as a T, cut to what T holds; @p was_cut is set then.
/// @param unreachable_from  an entry this large or larger is unreachable.
template <class T, class C>
T decoded_distance(const C& entry, const C& unreachable_from, bool& was_cut) {
  if (!(entry < unreachable_from)) return unreachable<T>;
  if constexpr (is_coded_integer<C> && !std::is_same_v<C, T>) {
    // C may be narrower than T, or signed where T is not.
    const auto exact = static_cast<int128>(entry);
    if (exact >= static_cast<int128>(unreachable<T>)) {
      was_cut = true;
      return unreachable<T>;
    }
    if (exact < static_cast<int128>(std::numeric_limits<T>::lowest())) {
      was_cut = true;
      return std::numeric_limits<T>::lowest();
    }
  }
  return static_cast<T>(entry);
}

/// Writes distances to the caller's matrix, cut to what its type holds.
/// @param decoded  true if unreachable entries are `unreachable` already, not in code.
/// @return true if something was cut.
template <class C, class D>
bool write_distances(const matrix_rows<C>& rows, const matrix_shape& shape,
                     const distance_code<C>& code, bool decoded, D& distances, int threads) {
  using T = matrix_value_t<D>;
  if (decoded && rows.in_place() && std::is_same_v<C, T>) return false;
  std::atomic<bool> any_cut = false;
  host::parallel_for(shape.rows, writers<D>(threads), [&](std::size_t i) {
    C* row = rows.data()[i];
    bool row_was_cut = false;
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const T value = decoded_distance<T>(row[j], code.unreachable_from, row_was_cut);
      if constexpr (can_hold_in_place<C, T>) {
        if (rows.in_place()) {
          row[j] = static_cast<C>(value);
          continue;
        }
      }
      matrix_entry(distances, i, j) = value;
    }
    if (row_was_cut) any_cut.store(true, std::memory_order_relaxed);
  });
  return any_cut;
}

/// Entries above @p limit become unreachable.
/// @param predecessors  null, or rows of predecessors, which those entries lose.
template <class C, class T>
void forget_far_vertices(C* const* distances, std::int32_t* const* predecessors, std::size_t n,
                         const distance_code<C>& code, const T& limit, int threads) {
  const auto is_far = [&](const C& d) {
    if constexpr (is_coded_integer<C>) {
      // C may be narrower than T, or wider.
      return static_cast<int128>(limit) < static_cast<int128>(d);
    } else {
      return limit < static_cast<T>(d);
    }
  };
  host::parallel_for(n, threads, [&](std::size_t u) {
    C* const row = distances[u];
    for (std::size_t v = 0; v < n; ++v) {
      if (is_far(row[v])) row[v] = no_path<C>();
    }
    if (predecessors == nullptr) return;
    forget_predecessors_of_unreachable(
        n, predecessors[u], [&](std::size_t v) { return !(row[v] < code.unreachable_from); });
  });
}

struct no_rows {
  std::int32_t* const* data() const { return nullptr; }
};

/// The rows that predecessors are recorded in.
inline no_rows predecessor_rows_of(no_predecessors&, std::size_t) {
  return {};
}
template <class P>
matrix_rows<std::int32_t> predecessor_rows_of(P& predecessors, std::size_t n) {
  return {predecessors, {n, n}, false};
}

template <class P>
void write_predecessors(const matrix_rows<std::int32_t>& rows, std::size_t n, P& predecessors,
                        int threads) {
  if (rows.in_place()) return;
  using index = matrix_value_t<P>;
  host::parallel_for(n, writers<P>(threads), [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t p = rows.data()[i][j];
      matrix_entry(predecessors, i, j) = p < 0 ? no_predecessor<index> : static_cast<index>(p);
    }
  });
}

}  // namespace apsp::detail
