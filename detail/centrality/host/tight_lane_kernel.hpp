// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "../../../apsp/config.hpp"

// The loops that find the arcs on shortest paths from a batch of sources. They are compiled once
// per instruction set, with the compiler flags for it, so they call no function that another
// translation unit could also emit.
namespace apsp::detail::host {

/// A bit for each lane.
using lane_bits = std::uint32_t;

/// Arcs, and the lanes in which each is on a shortest path: in at least one.
struct tight_arc_lists {
  std::int32_t* from;
  std::int32_t* to;
  std::uint32_t* numbers;
  lane_bits* lanes;
};

/// The arcs of one lane.
struct selected_arcs {
  std::int32_t* from;
  std::int32_t* to;
  std::uint32_t* numbers;
};

template <class C>
struct tight_lane_kernels {
  /// The arcs into each vertex, and the distances of vertices from the sources, `stride` entries
  /// of each. All weights are above 0, and no sum of a distance and a weight is equal to the
  /// distance.
  struct distances_in_lanes {
    std::size_t num_vertices;
    const std::int64_t* offsets;
    const std::int32_t* sources;
    const C* weights;
    const std::uint32_t* numbers;  ///< Of these arcs.
    const C* distances;
    std::size_t stride;
    C none;       ///< From this distance on, there is no path.
    C tolerance;  ///< For floating point: relative to the distance.
  };
  /// The lanes whose arcs are found together.
  std::size_t num_lanes;
  /// Lists the arcs that are on shortest paths. Returns their number. The lists have room for all
  /// arcs.
  std::size_t (*find)(const distances_in_lanes& paths, const tight_arc_lists& lists);
  /// Selects the first @p count arcs of a lane. Returns their number. There is room for 16 more.
  std::size_t (*select)(const tight_arc_lists& lists, std::size_t count, std::size_t lane,
                        const selected_arcs& selected);
};

/// @tparam VectorBytes  of the vectors.
template <class C, int VectorBytes>
class tight_lane_loops {
  template <class Entry>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(VectorBytes)));
  };
  using vec = typename vector_of<C>::type;
  using distances_in_lanes = typename tight_lane_kernels<C>::distances_in_lanes;
  static constexpr std::size_t width = VectorBytes / sizeof(C);
  // Lanes of `double` are as many as the searches have.
  static constexpr std::size_t num_lanes = sizeof(C) == 8 && VectorBytes == 16 ? 16 : 32;
  static constexpr std::size_t vector_count = num_lanes / width;

 public:
  static constexpr tight_lane_kernels<C> table() { return {num_lanes, find, select}; }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  template <class F>
  [[gnu::always_inline]] static void for_each_vector(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<vector_count>{});
  }

  struct lanes {
    vec of[vector_count];
  };
  [[gnu::always_inline]] static lanes load(const distances_in_lanes& paths, std::size_t v) {
    lanes x;
    __builtin_memcpy(&x, paths.distances + v * paths.stride, sizeof x);
    return x;
  }
  /// The bits of a vector of truth values.
  template <class V>
  [[gnu::always_inline]] static lane_bits bits_of(const V& x) {
#if defined(__AVX512BW__)
    if constexpr (VectorBytes == 64) {
      const auto all = reinterpret_cast<__m512i>(x);
      if constexpr (sizeof(C) == 8) return _mm512_movepi64_mask(all);
      if constexpr (sizeof(C) == 4) return _mm512_movepi32_mask(all);
      if constexpr (sizeof(C) == 2) return _mm512_movepi16_mask(all);
    } else
#endif
    {
#if defined(__AVX2__)
      if constexpr (VectorBytes == 32 && sizeof(C) == 8) {
        return static_cast<lane_bits>(_mm256_movemask_pd(reinterpret_cast<__m256d>(x)));
      } else if constexpr (VectorBytes == 32 && sizeof(C) == 4) {
        return static_cast<lane_bits>(_mm256_movemask_ps(reinterpret_cast<__m256>(x)));
      } else
#endif
      {
#if defined(__SSE2__) && !defined(__CUDACC__)  // nvcc cannot read it.
        if constexpr (VectorBytes == 16 && sizeof(C) == 8) {
          return static_cast<lane_bits>(_mm_movemask_pd(reinterpret_cast<__m128d>(x)));
        } else if constexpr (VectorBytes == 16 && sizeof(C) == 4) {
          return static_cast<lane_bits>(_mm_movemask_ps(reinterpret_cast<__m128>(x)));
        } else
#endif
        {
          lane_bits bits = 0;
          for (std::size_t i = 0; i < width; ++i) bits |= static_cast<lane_bits>(x[i] & 1) << i;
          return bits;
        }
      }
    }
  }
  /// Where an arc from `here` leads to `there` on a shortest path, of a length of at most `most`.
  [[gnu::always_inline]] static lane_bits are_tight(const distances_in_lanes& paths,
                                                    const lanes& here, const C& weight,
                                                    const lanes& there, const lanes& most) {
    lane_bits bits = 0;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      const vec x = here.of[v];
      const vec y = there.of[v];
      lane_bits found = 0;
      // No path is shorter than the distance, and sums do not wrap.
      if constexpr (std::is_integral_v<C>) {
        const auto through = static_cast<vec>(x + weight);
        found = bits_of((through == y) & (y < paths.none));
      } else {
        found = bits_of((x < y) & (y < paths.none) & (x + weight <= most.of[v]));
      }
      bits |= found << (v * width);
    });
    return bits;
  }

  static std::size_t find(const distances_in_lanes& paths, const tight_arc_lists& lists) {
    const std::int32_t* const sources = paths.sources;
    const C* const weights = paths.weights;
    std::int32_t* __restrict from = lists.from;
    std::int32_t* __restrict to = lists.to;
    std::uint32_t* __restrict numbers = lists.numbers;
    lane_bits* __restrict lanes_of_arcs = lists.lanes;
    std::size_t count = 0;
    for (std::size_t v = 0; v < paths.num_vertices; ++v) {
      const lanes there = load(paths, v);
      lanes most = there;
      if constexpr (!std::is_integral_v<C>) {
        for_each_vector([&](auto i) __attribute__((always_inline)) {
          most.of[i] += paths.tolerance * there.of[i];
        });
      }
      for (auto a = paths.offsets[v]; a < paths.offsets[v + 1]; ++a) {
        const lanes here = load(paths, at(sources[a]));
        const lane_bits found = are_tight(paths, here, weights[a], there, most);
        from[count] = sources[a];
        to[count] = static_cast<std::int32_t>(v);
        numbers[count] = paths.numbers[a];
        lanes_of_arcs[count] = found;
        count += found != 0 ? 1 : 0;
      }
    }
    return count;
  }

  static std::size_t select(const tight_arc_lists& lists, std::size_t count, std::size_t lane,
                            const selected_arcs& selected) {
    const lane_bits bit = lane_bits{1} << lane;
    std::size_t num_selected = 0;
    std::size_t a = 0;
#if defined(__AVX512F__)
    if constexpr (VectorBytes == 64) {
      const __m512i bits = _mm512_set1_epi32(static_cast<int>(bit));
      for (; a + 16 <= count; a += 16) {
        const __m512i of_arcs = _mm512_loadu_si512(lists.lanes + a);
        const __mmask16 some = _mm512_test_epi32_mask(of_arcs, bits);
        const auto put = [&](auto* to, const auto* all) __attribute__((always_inline)) {
          _mm512_storeu_si512(to + num_selected,
                              _mm512_maskz_compress_epi32(some, _mm512_loadu_si512(all + a)));
        };
        put(selected.from, lists.from);
        put(selected.to, lists.to);
        put(selected.numbers, lists.numbers);
        num_selected += static_cast<std::size_t>(__builtin_popcount(some));
      }
    }
#endif
    for (; a < count; ++a) {
      selected.from[num_selected] = lists.from[a];
      selected.to[num_selected] = lists.to[a];
      selected.numbers[num_selected] = lists.numbers[a];
      num_selected += (lists.lanes[a] & bit) != 0 ? 1 : 0;
    }
    return num_selected;
  }
};

/// The types of distances in lanes.
#define APSP_FOR_EACH_COUNTED_TYPE(APPLY) \
  APPLY(std::uint16_t)                    \
  APPLY(std::int32_t)                     \
  APPLY(double)

/// The library's loops for the best instruction set of this processor.
template <class C>
APSP_EXPORT const tight_lane_kernels<C>& choose_tight_lane_kernels();

// Tables of loops per instruction set, each defined in the file that is compiled for it.
template <class C>
struct baseline_tight_lanes {
  static const tight_lane_kernels<C> table;
};
template <class C>
struct avx2_tight_lanes {
  static const tight_lane_kernels<C> table;
};
template <class C>
struct avx512_tight_lanes {
  static const tight_lane_kernels<C> table;
};

#define APSP_DECLARE_TIGHT_LANES(C)                                        \
  template <>                                                              \
  APSP_EXPORT const tight_lane_kernels<C>& choose_tight_lane_kernels<C>(); \
  template <>                                                              \
  const tight_lane_kernels<C> baseline_tight_lanes<C>::table;              \
  template <>                                                              \
  const tight_lane_kernels<C> avx2_tight_lanes<C>::table;                  \
  template <>                                                              \
  const tight_lane_kernels<C> avx512_tight_lanes<C>::table;
APSP_FOR_EACH_COUNTED_TYPE(APSP_DECLARE_TIGHT_LANES)
#undef APSP_DECLARE_TIGHT_LANES

}  // namespace apsp::detail::host
