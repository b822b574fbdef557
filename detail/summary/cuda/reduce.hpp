// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../../apsp/config.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../../matrix/row_record.hpp"
#include "../../values/weight_types.hpp"
#include "../bins.hpp"
#include "../rows.hpp"

// The launch interface of the kernels that reduce rows of distances. It contains no CUDA types, and
// a library built without CUDA has the same symbols.
namespace apsp::inline v1::detail::cuda {

/// Summarizes every row. Rows are transferred to the device in pieces and read there once: the
/// device holds a few pieces and a record for each row, but no matrix.
/// @param limit  larger distances do not count as reached.
/// @return false if @p watch requested a stop; the records are then unspecified.
/// @throws device_error if there is too little memory for a row and the records, or a CUDA call
/// fails.
template <class T>
APSP_EXPORT bool summarize_rows(const launch_target& target, const row_source<T>& rows, T limit,
                                monitor& watch, row_record<T>* records);

/// Counts the distances of all rows in the same way; @p counts has `bins.num_counts()` elements.
template <class T>
APSP_EXPORT bool count_rows(const launch_target& target, const row_source<T>& rows, T limit,
                            const bin_rule<T>& bins, monitor& watch,
                            std::vector<std::uint64_t>& counts);

/// Rows in device memory.
template <class T>
struct device_distance_rows {
  device_matrix_view<const T> distances;
  std::span<const std::int32_t> sources;  ///< The source vertex of each row, in host memory.
};

/// The same for rows in device memory, in stream order: they are read in place.
template <class T>
APSP_EXPORT bool summarize_rows(const launch_target& target, const device_distance_rows<T>& rows,
                                T limit, monitor& watch, row_record<T>* records);
template <class T>
APSP_EXPORT bool count_rows(const launch_target& target, const device_distance_rows<T>& rows,
                            T limit, const bin_rule<T>& bins, monitor& watch,
                            std::vector<std::uint64_t>& counts);

/// Declares or defines the functions above for distances of type T.
#define APSP_INSTANTIATE_ROWS(PREFIX, T)                                                          \
  PREFIX template bool summarize_rows<T>(const launch_target&, const row_source<T>&, T, monitor&, \
                                         row_record<T>*);                                         \
  PREFIX template bool count_rows<T>(const launch_target&, const row_source<T>&, T,               \
                                     const bin_rule<T>&, monitor&, std::vector<std::uint64_t>&);  \
  PREFIX template bool summarize_rows<T>(const launch_target&, const device_distance_rows<T>&, T, \
                                         monitor&, row_record<T>*);                               \
  PREFIX template bool count_rows<T>(const launch_target&, const device_distance_rows<T>&, T,     \
                                     const bin_rule<T>&, monitor&, std::vector<std::uint64_t>&);

#define APSP_EXTERN_ROWS(T) APSP_INSTANTIATE_ROWS(extern, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_ROWS)
#undef APSP_EXTERN_ROWS

}  // namespace apsp::inline v1::detail::cuda
