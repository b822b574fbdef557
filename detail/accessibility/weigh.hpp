// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "../matrix/host/decay_kernel.hpp"
#include "../matrix/host/row_kernel.hpp"
#include "../values/decay.hpp"

namespace apsp::inline v1::detail::host {

/// Adds up the amounts at the entries of one row, one after another, as `add_amounts_of_rows` does.
/// @param shares   of each entry; null if they are to be computed.
/// @param amounts  of @p size entries, one column after another.
template <class T>
void weigh_row(const weighed_amounts<T>& wanted, std::span<const T> distances, const double* shares,
               const double* amounts, std::span<double> sums) {
  const std::size_t size = distances.size();
  const bool finds_shares = shares == nullptr && wanted.rule.kind != decay_kind::step;
  std::vector<double> found(finds_shares ? std::min(size, entries_weighed_together) : 0);
  std::vector<added_amounts<T>> parts(sums.size());
  std::fill(sums.begin(), sums.end(), 0);
  for (std::size_t begin = 0; begin < size; begin += entries_weighed_together) {
    const std::size_t count = std::min(size - begin, entries_weighed_together);
    const T* const from = distances.data() + begin;
    const double* of_part = shares == nullptr ? nullptr : shares + begin;
    if (finds_shares) {
      choose_decay_kernels<T>().find_shares(wanted.rule, from, count, found.data());
      of_part = found.data();
    }
    for (std::size_t j = 0; j < sums.size(); ++j) {
      parts[j] = {amounts + wanted.column_of(j) * size + begin, wanted.limit_of(j), &sums[j]};
    }
    choose_segment_kernels<T>().add_amounts(from, of_part, count, parts.data(), parts.size());
  }
}

}  // namespace apsp::inline v1::detail::host
