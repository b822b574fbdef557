// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../apsp/semiring.hpp"

// Support in the relaxation kernels for predecessors that are not recorded: see
// predecessor_steps.cuh.
namespace apsp::inline v1::detail::cuda {

/// True if predecessors over semiring S can be found from notes, provided that every weight is
/// positive.
template <class S>
inline constexpr bool has_step_notes =
    is_min_plus<S> && sizeof(typename S::value_type) <= sizeof(std::int64_t);

/// Encodes a number as a value <= -2, which is not a predecessor. The function is its own inverse.
__host__ __device__ constexpr std::int32_t code_of(std::int32_t number) {
  return -2 - number;
}

/// A tuning whose kernels relax as those of @p Tuning do, and note in the predecessor matrix the
/// step that last decreased an entry.
template <class Tuning>
struct with_step_notes : Tuning {
  static_assert(!Tuning::records);
  static constexpr bool notes_steps = true;
  using chain = with_step_notes<typename Tuning::chain>;
};

/// Stores @p note for the entries of a vector that decreased.
/// @return true if any entry decreased.
template <class Algebra, class Vector>
__device__ __forceinline__ bool note_step(const Algebra& algebra, const Vector& before,
                                          const Vector& after, std::int32_t note,
                                          std::int32_t* notes) {
  bool any = false;
#pragma unroll
  for (int e = 0; e < Vector::size; ++e) {
    const bool improved = algebra.improves(after.values[e], before.values[e]);
    if (improved) notes[e] = note;
    any |= improved;
  }
  return any;
}

}  // namespace apsp::inline v1::detail::cuda
