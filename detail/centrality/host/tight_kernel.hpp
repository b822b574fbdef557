// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../values/weight_types.hpp"

// The loop that finds the arcs on shortest paths from a source. It is compiled once per instruction
// set, with the compiler flags for it, so it calls no function that another translation unit could
// also emit.
namespace apsp::inline v1::detail::host {

/// Some arcs, and the distances of all vertices from a source.
template <class T>
struct tried_arcs {
  const std::int32_t* from;
  const std::int32_t* to;
  const T* weights;
  std::size_t count;
  const T* distances;
  T tolerance;  ///< For floating point: relative to the distance.
};

template <class T>
struct tight_kernels {
  /// Sets the flag of each arc that is as long as the difference of the distances of its ends to 1,
  /// and that of others to 0. All weights are above 0, and no sum of a distance and a weight is
  /// equal to the distance.
  void (*find_tight)(const tried_arcs<T>& arcs, std::uint8_t* flags);
};

/// @tparam VectorBytes  tells the loops of several instruction sets apart.
template <class T, int VectorBytes>
struct tight_loop {
  static void find_tight(const tried_arcs<T>& arcs, std::uint8_t* __restrict flags) {
    const T* const distances = arcs.distances;
    const T* const weights = arcs.weights;
    const std::int32_t* const from = arcs.from;
    const std::int32_t* const to = arcs.to;
    const T tolerance = arcs.tolerance;
    const std::size_t count = arcs.count;
    for (std::size_t a = 0; a < count; ++a) {
      const T here = distances[from[a]];
      const T there = distances[to[a]];
      const bool leads_on = (here < there) & (there != unreachable<T>);
      if constexpr (std::is_integral_v<T>) {
        // No path is shorter than the distance. If the difference wraps, the arc does not lead on.
        using bits = std::make_unsigned_t<T>;
        const auto difference =
            static_cast<bits>(static_cast<bits>(there) - static_cast<bits>(here));
        flags[a] = leads_on & (static_cast<bits>(weights[a]) <= difference);
      } else {
        flags[a] = leads_on & (here + weights[a] <= there + tolerance * there);
      }
    }
  }

  static constexpr tight_kernels<T> table() { return {find_tight}; }
};

/// The library's loop for the best instruction set of this processor.
template <class T>
APSP_EXPORT const tight_kernels<T>& compiled_tight_kernels();

#define APSP_DECLARE_TIGHT_KERNELS(T) \
  template <>                         \
  APSP_EXPORT const tight_kernels<T>& compiled_tight_kernels<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_TIGHT_KERNELS)
#undef APSP_DECLARE_TIGHT_KERNELS

/// The loop for distances of type T: from the library, or compiled here for a type that the library
/// lacks.
template <class T>
const tight_kernels<T>& choose_tight_kernels() {
  if constexpr (has_compiled_kernels<T>) {
    return compiled_tight_kernels<T>();
  } else {
    static constexpr tight_kernels<T> plain = tight_loop<T, 0>::table();
    return plain;
  }
}

// Tables of loops per instruction set, each defined in the file that is compiled for it.
template <class T>
struct baseline_tight_arcs {
  static const tight_kernels<T> table;
};
template <class T>
struct avx2_tight_arcs {
  static const tight_kernels<T> table;
};
template <class T>
struct avx512_tight_arcs {
  static const tight_kernels<T> table;
};

#define APSP_DECLARE_TIGHT_ARCS(T)                      \
  template <>                                           \
  const tight_kernels<T> baseline_tight_arcs<T>::table; \
  template <>                                           \
  const tight_kernels<T> avx2_tight_arcs<T>::table;     \
  template <>                                           \
  const tight_kernels<T> avx512_tight_arcs<T>::table;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_TIGHT_ARCS)
#undef APSP_DECLARE_TIGHT_ARCS

}  // namespace apsp::inline v1::detail::host
