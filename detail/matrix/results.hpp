// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "../../apsp/matrix_traits.hpp"
#include "../host/parallel_for.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"
#include "erased_matrix.hpp"
#include "rows.hpp"

// Conversion of relaxed matrices to the results of the caller.
namespace apsp::inline v1::detail {

/// Writes distances to the caller's matrix, cut to the range of its type.
/// @param decoded  true if unreachable entries are already `unreachable`, not a code.
/// @return true if a value was cut.
template <class C, class T>
bool write_distances(const matrix_rows<C>& rows, const matrix_shape& shape,
                     const distance_code<C>& code, bool decoded, const erased_matrix<T>& distances,
                     int threads) {
  if (decoded && rows.in_place() && std::is_same_v<C, T>) return false;
  std::atomic<bool> any_cut = false;
  host::parallel_for(shape.rows, distances.writers(threads), [&](std::size_t i) {
    C* row = rows.data()[i];
    bool row_was_cut = false;
    const auto decoded_entry = [&](std::size_t j) {
      return decoded_distance<T>(row[j], code.unreachable_from, row_was_cut);
    };
    if (!rows.in_place()) {
      distances.write_row_of(i, shape.columns, decoded_entry);
    } else if constexpr (can_hold_in_place<C, T>) {
      for (std::size_t j = 0; j < shape.columns; ++j) row[j] = static_cast<C>(decoded_entry(j));
    }
    if (row_was_cut) any_cut.store(true, std::memory_order_relaxed);
  });
  return any_cut;
}

/// Makes entries above @p limit unreachable, if there is a limit.
/// @param predecessors  null, or rows of predecessors; entries of vertices without a distance in
///                      type T are removed as in `forget_predecessors_of_unreachable`.
template <class C, class T>
void forget_far_vertices(C* const* distances, std::int32_t* const* predecessors,
                         const matrix_shape& shape, const distance_code<C>& code,
                         const std::optional<T>& limit, int threads) {
  const auto is_far = [&](const C& d) {
    if constexpr (is_coded_integer<C>) {
      // C may be narrower or wider than T.
      return static_cast<int128>(*limit) < static_cast<int128>(d);
    } else {
      return *limit < static_cast<T>(d);
    }
  };
  host::parallel_for(shape.rows, threads, [&](std::size_t u) {
    C* const row = distances[u];
    for (std::size_t v = 0; limit && v < shape.columns; ++v) {
      if (is_far(row[v])) row[v] = no_path<C>();
    }
    if (predecessors == nullptr) return;
    forget_predecessors_of_unreachable(shape.columns, predecessors[u], [&](std::size_t v) {
      bool was_cut = false;
      return equals_unreachable(decoded_distance<T>(row[v], code.unreachable_from, was_cut));
    });
  });
}

/// Writes the entries of every row to the caller's matrix, unless they are there already.
template <class T>
void write_rows(const matrix_rows<T>& rows, const matrix_shape& shape, const erased_matrix<T>& m,
                int threads) {
  if (rows.in_place()) return;
  host::parallel_for(shape.rows, m.writers(threads),
                     [&](std::size_t i) { m.write_row(i, rows.data()[i], shape.columns); });
}

/// The caller's matrix of predecessors, written as vertex numbers, or as -1 where there is none.
inline erased_matrix<std::int32_t> erase_predecessors(no_predecessors&) {
  return {};
}
template <class P>
erased_matrix<std::int32_t> erase_predecessors(P& predecessors) {
  using index = matrix_value_t<P>;
  return erased_matrix<std::int32_t>(predecessors, [](std::int32_t p) {
    return p < 0 ? no_predecessor<index> : static_cast<index>(p);
  });
}

}  // namespace apsp::inline v1::detail
