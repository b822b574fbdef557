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
#include "../path_arcs.hpp"

// The loops that find the arcs on shortest paths from a batch of sources. They are compiled once
// per instruction set, with the compiler flags for it, so they call no function that another
// translation unit could also emit.
namespace apsp::inline v1::detail::host {

/// A bit for each lane.
using lane_bits = std::uint32_t;

/// Arcs into one vertex after the other, and the lanes in which each is on a shortest path: in at
/// least one.
struct tight_arc_lists {
  std::uint32_t* begins;  ///< Of the arcs into each vertex, and the end.
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

/// A vertex, and lanes in which its paths are counted after those to all vertices before it.
struct counted_place {
  std::int32_t vertex;
  lane_bits lanes;
};

/// The lanes of vertices while paths are counted in all of them at once.
struct path_lane_memory {
  lane_bits* reached;          ///< Of each vertex: the lanes in which it has a path.
  lane_bits* counted;          ///< The same, of paths that are counted. All 0 before.
  double* counts;              ///< A row for each vertex.
  double* shares;              ///< The same. Of a single path to the vertex: the part that goes on.
  counted_place* places;       ///< Room for each vertex in each lane.
  const std::int32_t* starts;  ///< The source of each lane, or -1.
};

/// What shares are added to.
struct path_lane_sums {
  bool with_ends;  ///< Paths lead through their ends as well.
  double* of_vertices;
  double* of_arcs;             ///< Null if they are not wanted.
  std::uint64_t* num_reached;  ///< By lane, without its source.
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
  /// Finds the lanes in which each vertex has a path, and the average length of these.
  void (*find_reached)(const distances_in_lanes& paths, lane_bits* reached, double* averages);
  /// Counts the paths to some vertices in all lanes: passes over those whose paths are not yet
  /// counted in all of them, until there are none.
  /// @param vertices  all that are reached, most of them after those before them on shortest paths.
  ///                  The list is overwritten.
  /// @param num_places    receives the number of places, in the order in which they were counted.
  /// @return the lanes in which a number of paths is out of range; all if the passes visit vertices
  ///         too often.
  lane_bits (*count)(const tight_arc_lists& lists, std::int32_t* vertices, std::size_t num_vertices,
                     const path_lane_memory& memory, std::size_t* num_places);
  /// Adds the shares of paths that lead through vertices and along arcs.
  /// @param lanes  to add up.
  void (*add_shares)(const tight_arc_lists& lists, std::size_t num_vertices, std::size_t num_places,
                     lane_bits lanes, const path_lane_memory& memory, const path_lane_sums& sums);
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
  static constexpr tight_lane_kernels<C> table() {
    return {num_lanes, find, select, find_reached, count, add_shares};
  }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  template <std::size_t Count, class F>
  [[gnu::always_inline]] static void for_each_constant(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<Count>{});
  }
  template <class F>
  [[gnu::always_inline]] static void for_each_vector(F f) {
    for_each_constant<vector_count>(f);
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
    [[maybe_unused]] constexpr std::size_t size = sizeof(x[0]);
#if defined(__AVX512BW__)
    if constexpr (VectorBytes == 64) {
      const auto all = reinterpret_cast<__m512i>(x);
      if constexpr (size == 8) return _mm512_movepi64_mask(all);
      if constexpr (size == 4) return _mm512_movepi32_mask(all);
      if constexpr (size == 2) return _mm512_movepi16_mask(all);
    } else
#endif
    {
#if defined(__AVX2__)
      if constexpr (VectorBytes == 32 && size == 8) {
        return static_cast<lane_bits>(_mm256_movemask_pd(reinterpret_cast<__m256d>(x)));
      } else if constexpr (VectorBytes == 32 && size == 4) {
        return static_cast<lane_bits>(_mm256_movemask_ps(reinterpret_cast<__m256>(x)));
      } else
#endif
      {
#if defined(__SSE2__) && !defined(__CUDACC__)  // nvcc cannot read it.
        if constexpr (VectorBytes == 16 && size == 8) {
          return static_cast<lane_bits>(_mm_movemask_pd(reinterpret_cast<__m128d>(x)));
        } else if constexpr (VectorBytes == 16 && size == 4) {
          return static_cast<lane_bits>(_mm_movemask_ps(reinterpret_cast<__m128>(x)));
        } else
#endif
        {
          lane_bits bits = 0;
          for (std::size_t i = 0; i < VectorBytes / size; ++i) {
            bits |= static_cast<lane_bits>(x[i] & 1) << i;
          }
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
      lists.begins[v] = static_cast<std::uint32_t>(count);
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
    lists.begins[paths.num_vertices] = static_cast<std::uint32_t>(count);
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

  using count_vec = typename vector_of<double>::type;
  using words = typename vector_of<std::int64_t>::type;
  static constexpr std::size_t count_width = VectorBytes / sizeof(double);
  static constexpr std::size_t count_vectors = num_lanes / count_width;

  /// Lanes of `double`.
  struct count_lanes {
    count_vec of[count_vectors];
  };
  template <class F>
  [[gnu::always_inline]] static void for_each_count_vector(F f) {
    for_each_constant<count_vectors>(f);
  }
  [[gnu::always_inline]] static count_lanes load(const double* rows, std::size_t v) {
    count_lanes x;
    __builtin_memcpy(&x, rows + v * num_lanes, sizeof x);
    return x;
  }
  [[gnu::always_inline]] static void store(double* rows, std::size_t v, const count_lanes& x) {
    __builtin_memcpy(rows + v * num_lanes, &x, sizeof x);
  }
  /// Adds the entries of some lanes of a row.
  [[gnu::always_inline]] static void add_where(lane_bits bits, const count_lanes& x,
                                               count_lanes& sums) {
    for_each_count_vector([&](auto v) __attribute__((always_inline)) {
#if defined(__AVX512F__)
      if constexpr (VectorBytes == 64) {
        const auto some = static_cast<__mmask8>(bits >> (v * count_width));
        sums.of[v] = _mm512_mask_add_pd(sums.of[v], some, sums.of[v], x.of[v]);
      } else
#endif
      {
        words bit;
        for (std::size_t i = 0; i < count_width; ++i) {
          bit[i] = std::int64_t{1} << (v * count_width + i);
        }
        const words some = (static_cast<std::int64_t>(bits) - words{}) & bit;
        sums.of[v] += reinterpret_cast<count_vec>(reinterpret_cast<words>(x.of[v]) & (some == bit));
      }
    });
  }
  [[gnu::always_inline]] static double sum(const count_lanes& x) {
    double entries[num_lanes];
    __builtin_memcpy(entries, &x, sizeof x);
    for (std::size_t half = num_lanes / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) entries[i] += entries[i + half];
    }
    return entries[0];
  }
  /// The lanes whose entries are larger than x.
  [[gnu::always_inline]] static lane_bits larger(const count_lanes& entries, double x) {
    lane_bits bits = 0;
    for_each_count_vector([&](auto v) __attribute__((always_inline)) {
      bits |= bits_of(entries.of[v] > x) << (v * count_width);
    });
    return bits;
  }

  static void find_reached(const distances_in_lanes& paths, lane_bits* __restrict all_reached,
                           double* __restrict averages) {
    for (std::size_t v = 0; v < paths.num_vertices; ++v) {
      const C* const row = paths.distances + v * paths.stride;
      lane_bits reached = 0;
      double length = 0;
      for (std::size_t lane = 0; lane < num_lanes; ++lane) {
        const bool is_path = row[lane] < paths.none;
        reached |= lane_bits{is_path} << lane;
        length += is_path ? static_cast<double>(row[lane]) : 0;
      }
      all_reached[v] = reached;
      averages[v] = length / __builtin_popcount(reached | 1);
    }
  }

  static lane_bits count(const tight_arc_lists& lists, std::int32_t* vertices,
                         std::size_t num_vertices, const path_lane_memory& memory,
                         std::size_t* num_places) {
    constexpr std::size_t most_visits_each = 16;
    std::size_t visits_left = most_visits_each * num_vertices;
    std::size_t num_counted = 0;
    lane_bits out_of_range = 0;
    while (num_vertices != 0) {
      if (visits_left < num_vertices) return ~lane_bits{0};
      visits_left -= num_vertices;
      std::size_t num_left = 0;
      for (std::size_t i = 0; i < num_vertices; ++i) {
        const std::int32_t vertex = vertices[i];
        const std::size_t v = at(vertex);
        const std::uint32_t begin = lists.begins[v];
        const std::uint32_t end = lists.begins[v + 1];
        const lane_bits before = memory.counted[v];
        const lane_bits left = memory.reached[v] & ~before;
        lane_bits waiting = 0;
        for (std::uint32_t a = begin; a < end; ++a) {
          waiting |= lists.lanes[a] & ~memory.counted[lists.from[a]];
        }
        const lane_bits ready = left & ~waiting;
        vertices[num_left] = vertex;
        num_left += ready != left ? 1 : 0;
        if (ready == 0) continue;
        count_lanes total{};
        if (before != 0) {
          total = load(memory.counts, v);
        } else {
          store(memory.shares, v, total);
        }
        lane_bits inner = 0;
        for (std::uint32_t a = begin; a < end; ++a) {
          const lane_bits some = lists.lanes[a] & ready;
          inner |= some;
          if (some != 0) add_where(some, load(memory.counts, at(lists.from[a])), total);
        }
        if (inner != ready) {
          double entries[num_lanes];
          store(entries, 0, total);
          for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            if (memory.starts[lane] == vertex) entries[lane] = 1;
          }
          total = load(entries, 0);
        }
        store(memory.counts, v, total);
        out_of_range |= larger(total, most_paths);
        memory.counted[v] = before | ready;
        memory.places[num_counted++] = {vertex, ready};
      }
      num_vertices = num_left;
    }
    *num_places = num_counted;
    return out_of_range;
  }

  static void add_shares(const tight_arc_lists& lists, std::size_t num_vertices,
                         std::size_t num_places, lane_bits wanted, const path_lane_memory& memory,
                         const path_lane_sums& sums) {
    for (std::size_t i = num_places; i-- > 0;) {
      const std::size_t v = at(memory.places[i].vertex);
      const lane_bits ready = memory.places[i].lanes & wanted;
      const count_lanes counts = load(memory.counts, v);
      count_lanes shares = load(memory.shares, v);
      // Division takes long, and many vertices have one path in each lane.
      if (larger(counts, 1) != 0) {
        for_each_count_vector([&](auto k) __attribute__((always_inline)) {
          shares.of[k] += 1 / counts.of[k];
        });
      } else {
        for_each_count_vector([&](auto k)
                                  __attribute__((always_inline)) { shares.of[k] += counts.of[k]; });
      }
      for (std::uint32_t a = lists.begins[v]; a < lists.begins[v + 1]; ++a) {
        const lane_bits some = lists.lanes[a] & ready;
        if (some == 0) continue;
        const std::size_t u = at(lists.from[a]);
        count_lanes before = load(memory.shares, u);
        add_where(some, shares, before);
        store(memory.shares, u, before);
        if (sums.of_arcs == nullptr) continue;
        count_lanes product = load(memory.counts, u);
        for_each_count_vector([&](auto k) __attribute__((always_inline)) {
          product.of[k] *= shares.of[k];
        });
        count_lanes part{};
        add_where(some, product, part);
        sums.of_arcs[lists.numbers[a]] += sum(part);
      }
    }
    // Paths do not lead through their source.
    for (std::size_t lane = 0; lane < num_lanes; ++lane) {
      if (memory.starts[lane] < 0) continue;
      memory.counted[memory.starts[lane]] &= ~(lane_bits{1} << lane);
    }
    for (std::size_t v = 0; v < num_vertices; ++v) {
      const lane_bits through = memory.counted[v] & wanted;
      if (through == 0) continue;
      const count_lanes counts = load(memory.counts, v);
      count_lanes passed = load(memory.shares, v);
      for_each_count_vector([&](auto k) __attribute__((always_inline)) {
        passed.of[k] *= counts.of[k];
        if (sums.with_ends) passed.of[k] += 1;
      });
      count_lanes added{};
      add_where(through, passed, added);
      sums.of_vertices[v] += sum(added);
      for (lane_bits left = sums.with_ends ? through : 0; left != 0; left &= left - 1) {
        ++sums.num_reached[__builtin_ctz(left)];
      }
    }
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

}  // namespace apsp::inline v1::detail::host
