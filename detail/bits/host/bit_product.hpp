// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../apsp/config.hpp"
#include "../../host/monitor.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../problem.hpp"

namespace apsp::inline v1::detail::host {

struct bit_kernels;

/// The loops for the best instruction set of this processor.
const bit_kernels& choose_bit_kernels();

/// The memory that threads need for products. It is allocated once, so that the products cannot
/// fail.
class lookup_tables {
 public:
  /// @param threads  0: the number that OpenMP provides.
  explicit lookup_tables(int threads);

  int threads() const { return threads_; }
  /// The tables of thread @p t.
  std::uint64_t* of(int t);

 private:
  int threads_;
  untouched_buffer<std::uint64_t> words_;
};

/// c |= a (x) b, on the threads of @p tables. c shares no row with a. It may share rows with b if
/// it has at most `rows_per_task` rows: entries of b are then read either before or after they are
/// updated. Allocates no memory.
void multiply_bits(const const_bit_view& a, const const_bit_view& b, const bit_view& c,
                   lookup_tables& tables);

/// Rows of c that a thread takes at a time: enough to pay for the tables.
inline constexpr std::size_t rows_per_task = 1024;

/// The same for monitored calls, on @p threads threads. Steps of @p watch are columns of a; c is
/// neither a nor b. All memory is allocated before c is written.
/// @return false if @p watch requested a stop; c is then unspecified.
/// Source: Arlazarov, Dinic, Kronrod, Faradzev 1970.
APSP_EXPORT bool bit_product(const const_bit_view& a, const const_bit_view& b, const bit_view& c,
                             int threads, monitor& watch);

}  // namespace apsp::inline v1::detail::host
