// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <limits>

#include "../../apsp/config.hpp"
#include "../../apsp/device_memory.hpp"
#include "../device/launch_target.hpp"
#include "../graph/edges.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"

// Checks and summarizes a matrix in device memory before it is multiplied. Free of CUDA types, as
// the other launch interfaces are.
namespace apsp::inline v1::detail::cuda {

template <class T>
struct entry_range {
  edge_fault fault = edge_fault::none;
  /// Row-major position of the first invalid entry.
  std::size_t fault_at = (std::numeric_limits<std::size_t>::max)();
  T lowest{};   ///< Of 0 and the entries other than `unreachable`.
  T highest{};  ///< Of the same.
  bool has_unreachable = false;
};

/// Reads all entries once, in the order of the target's stream, and waits for the result. An entry
/// is invalid if it is NaN or out of range.
template <class T>
APSP_EXPORT entry_range<T> find_entry_range(const launch_target& target,
                                            const device_matrix_view<const T>& entries,
                                            const value_range<T>& admitted);

#define APSP_EXTERN_ENTRIES(T)                        \
  extern template entry_range<T> find_entry_range<T>( \
      const launch_target&, const device_matrix_view<const T>&, const value_range<T>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_ENTRIES)
#undef APSP_EXTERN_ENTRIES

}  // namespace apsp::inline v1::detail::cuda
