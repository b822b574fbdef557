// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "../matrix/host/decay_kernel.hpp"
#include "../values/decay.hpp"

namespace apsp::detail::host {

/// Adds up the amounts at the entries of one row: in the same order for any number of threads.
/// @param shares   of each entry; null if they are to be computed.
/// @param amounts  of @p size entries, one column after another.
template <class T>
void weigh_row(const weighed_amounts<T>& wanted, std::span<const T> distances, const double* shares,
               const double* amounts, std::span<double> sums) {
  const decay_kernels<T>& kernels = choose_decay_kernels<T>();
  const std::size_t size = distances.size();
  std::vector<double> partial(sums.size() * sums_of_row);
  const bool finds_shares = shares == nullptr && wanted.rule.kind != decay_kind::step;
  std::vector<double> found(finds_shares ? std::min(size, entries_weighed_together) : 0);
  for (std::size_t begin = 0; begin < size; begin += entries_weighed_together) {
    const std::size_t count = std::min(size - begin, entries_weighed_together);
    const T* const from = distances.data() + begin;
    if (finds_shares) kernels.find_shares(wanted.rule, from, count, found.data());
    const double* const given = shares == nullptr ? nullptr : shares + begin;
    for (std::size_t j = 0; j < sums.size(); ++j) {
      kernels.add_row(from, finds_shares ? found.data() : given,
                      amounts + wanted.column_of(j) * size + begin, count, wanted.limit_of(j),
                      partial.data() + j * sums_of_row);
    }
  }
  for (std::size_t j = 0; j < sums.size(); ++j) {
    double* const lanes = partial.data() + j * sums_of_row;
    for (std::size_t half = sums_of_row / 2; half > 0; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
    }
    sums[j] = lanes[0];
  }
}

}  // namespace apsp::detail::host
