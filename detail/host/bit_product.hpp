// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../bits.hpp"
#include "../monitor.hpp"

namespace apsp::detail::host {

struct bit_kernels;

/// The loops for the best instruction set of this processor.
const bit_kernels& choose_bit_kernels();

/// c |= a (x) b, on that many threads (0: as OpenMP gives). c shares no row with a. It may share rows
/// with b if it has no more than `rows_per_task` of them: entries of b are then read before or after
/// they have grown.
void multiply_bits(const const_bit_view& a, const const_bit_view& b, const bit_view& c,
                   int threads);

/// Rows of c that a thread takes at a time: enough to pay for the tables.
inline constexpr std::size_t rows_per_task = 1024;

/// The same for a caller who may watch. Steps of @p watch are columns of a; c is neither a nor b.
/// @return false if @p watch asked for a stop; c is then anything.
/// Source: Arlazarov, Dinic, Kronrod, Faradzev 1970.
bool bit_product(const const_bit_view& a, const const_bit_view& b, const bit_view& c, int threads,
                 monitor& watch);

}  // namespace apsp::detail::host
