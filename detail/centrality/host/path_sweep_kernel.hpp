// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "../../../apsp/config.hpp"
#include "../path_arcs.hpp"

// The inner loops that count paths along a hierarchy. They are compiled once per instruction set,
// with the compiler flags for it, so they call no function that another translation unit could also
// emit.
namespace apsp::inline v1::detail::host {

/// The sources of a batch, one in each lane, and what leads up from them.
struct path_sweep_sources {
  const std::int32_t* places;  ///< Of each lane, descending; -1 for a lane without a source.
  std::size_t num_above;
  const std::int32_t* above;      ///< These places and their ancestors, descending.
  const std::int32_t* positions;  ///< In `above`: of the upper ends of the arcs that lead up.
  const std::size_t* begins;      ///< In `positions`: of the arcs of each place of `above`.
};

/// Memory of a thread. The lanes of a depth, or of a position in `above`, lie together.
struct path_sweep_memory {
  // By depth.
  double* lengths;
  double* counts;
  double* shares;           ///< All 0, before and after.
  std::int32_t* line;       ///< The place.
  std::int32_t* positions;  ///< Of the place in `above`; -1 if it is not there.
  /// The arc down on all shortest paths to the place; -1 if there are several, but only one for
  /// each lane; or -2.
  std::int64_t* only_arcs;
  // By position in `above`.
  double* lengths_above;
  double* counts_above;
  double* shares_above;
};

/// What paths from all sources are added to.
struct path_sweep_sums {
  double* of_places;    ///< The shares that lead through each place.
  double* of_up;        ///< The shares that lead along each arc.
  double* of_down;      ///< The same.
  bool with_ends;       ///< A path leads through its last vertex, even if it is its first one.
  double* num_reached;  ///< Receives, for each lane, the number of vertices that it has a path to.
};

/// Places to count paths to.
struct path_sweep_places {
  std::size_t begin;  ///< The end of those before.
  std::size_t end;
  /// Those of `above` that are still to come; it is updated.
  std::size_t* num_above;
  double* lengths;  ///< Receives the lanes of each place; infinite without a path.
  double* counts;   ///< The same.
};

struct path_sweep_kernels {
  std::size_t num_lanes;
  /// Adds the shares of the shortest paths from a batch of sources. Returns a bound of the counts.
  double (*add_shares)(const path_sweep_graph& graph, const path_sweep_sources& sources,
                       const path_sweep_memory& memory, const path_sweep_sums& sums);
  /// Counts the shortest paths that lead only upwards, before those to places. Returns a bound of
  /// the counts.
  double (*count_above)(const path_sweep_graph& graph, const path_sweep_sources& sources,
                        const path_sweep_memory& memory);
  /// Counts the shortest paths from a batch of sources to some places, after those to all places
  /// before. Returns a bound of the counts.
  double (*count)(const path_sweep_graph& graph, const path_sweep_sources& sources,
                  const path_sweep_memory& memory, const path_sweep_places& places);
};

/// Lanes of `double` in vectors of `VectorBytes` bytes.
template <int VectorBytes>
class path_sweep_loops {
  template <class Entry, int Bytes>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(Bytes)));
  };
  using vec = typename vector_of<double, VectorBytes>::type;
  using words = typename vector_of<std::int64_t, VectorBytes>::type;
  static constexpr std::size_t width = VectorBytes / sizeof(double);
  static constexpr std::size_t vector_count = 4;
  static constexpr std::size_t num_lanes = width * vector_count;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

 public:
  static constexpr path_sweep_kernels table() {
    return {num_lanes, add_shares, count_above, count};
  }

 private:
  // A truth value for each lane of a vector.
#if defined(__AVX512F__)
  using mask = std::conditional_t<VectorBytes == 64, __mmask8, words>;
#else
  using mask = words;
#endif

  [[gnu::always_inline]] static mask at_most(const vec& a, const vec& b) {
#if defined(__AVX512F__)
    if constexpr (VectorBytes == 64) {
      return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
    } else
#endif
      return a <= b;
  }
  [[gnu::always_inline]] static vec where(const mask& m, const vec& x) {
#if defined(__AVX512F__)
    if constexpr (VectorBytes == 64) {
      return _mm512_maskz_mov_pd(m, x);
    } else
#endif
      return m ? x : vec{};
  }
  /// The masks of all vectors of lanes.
  struct masks {
    mask of[vector_count];
  };
  [[gnu::always_inline]] static bool any(const masks& m) {
    mask all = m.of[0];
    for_each_vector([&](auto v) __attribute__((always_inline)) { all = all | m.of[v]; });
#if defined(__AVX512F__)
    if constexpr (VectorBytes == 64) {
      return all != 0;
    } else
#endif
    {
#if defined(__AVX__)
      if constexpr (VectorBytes == 32)
        return _mm256_movemask_pd(reinterpret_cast<__m256d>(all)) != 0;
#endif
      std::int64_t some = 0;
      for (std::size_t i = 0; i < width; ++i) some |= all[i];
      return some != 0;
    }
  }
  template <class F>
  [[gnu::always_inline]] static void for_each_vector(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<vector_count>{});
  }

  /// The lanes of a depth or a position.
  struct lanes {
    vec of[vector_count];
  };
  [[gnu::always_inline]] static lanes load(const double* all, std::size_t i) {
    lanes x;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      __builtin_memcpy(&x.of[v], all + i * num_lanes + v * width, sizeof(vec));
    });
    return x;
  }
  [[gnu::always_inline]] static void store(double* all, std::size_t i, const lanes& x) {
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      __builtin_memcpy(all + i * num_lanes + v * width, &x.of[v], sizeof(vec));
    });
  }
  [[gnu::always_inline]] static lanes broadcast(double x) {
    lanes all;
    for_each_vector([&](auto v) __attribute__((always_inline)) { all.of[v] = x - vec{}; });
    return all;
  }
  [[gnu::always_inline]] static double sum(const lanes& x) {
    vec all = x.of[0];
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      if constexpr (v != 0) all += x.of[v];
    });
    return sum_of<VectorBytes>(all);
  }
  template <int Bytes>
  [[gnu::always_inline]] static double sum_of(typename vector_of<double, Bytes>::type x) {
    if constexpr (Bytes == 16) {
      return x[0] + x[1];
    } else {
      typename vector_of<double, Bytes / 2>::type halves[2];
      __builtin_memcpy(&halves, &x, sizeof x);
      return sum_of<Bytes / 2>(halves[0] + halves[1]);
    }
  }
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// Lengths that count as equal to some shortest ones are at most this.
  [[gnu::always_inline]] static lanes limits(const lanes& lengths, double tolerance) {
    lanes most;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      const vec x = lengths.of[v];
      most.of[v] = x < infinity ? x + tolerance * x : -infinity - vec{};
    });
    return most;
  }
  /// Where an arc behind some paths is as short as the limits.
  [[gnu::always_inline]] static masks are_tight(const lanes& lengths, double weight,
                                                const lanes& most) {
    masks m;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      m.of[v] = at_most(lengths.of[v] + weight, most.of[v]);
    });
    return m;
  }
  /// Adds the number of paths that go on along an arc.
  [[gnu::always_inline]] static void add_counts(lanes& counts, const masks& tight,
                                                const lanes& more, double arc_count) {
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      counts.of[v] += where(tight.of[v], more.of[v] * arc_count);
    });
  }

  /// Of lengths: where there is a path.
  [[gnu::always_inline]] static masks are_paths(const lanes& lengths) {
    constexpr double largest = std::numeric_limits<double>::max();
    return are_tight(lengths, 0, broadcast(largest));
  }
  [[gnu::always_inline]] static lanes where(const masks& m, const lanes& x) {
    lanes kept;
    for_each_vector([&](auto v)
                        __attribute__((always_inline)) { kept.of[v] = where(m.of[v], x.of[v]); });
    return kept;
  }
  [[gnu::always_inline]] static void add(lanes& sums, const lanes& x) {
    for_each_vector([&](auto v) __attribute__((always_inline)) { sums.of[v] += x.of[v]; });
  }
  [[gnu::always_inline]] static void add(double* all, std::size_t i, const lanes& x) {
    lanes sums = load(all, i);
    add(sums, x);
    store(all, i, sums);
  }
  /// Shares of single paths: 0 where there is none.
  [[gnu::always_inline]] static lanes divided(const lanes& shares, const lanes& counts) {
    lanes ratios;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      const vec x = counts.of[v];
      ratios.of[v] = shares.of[v] / (x > 0 ? x : 1 - vec{});
    });
    return ratios;
  }
  /// What single paths that end at a place give to those that go on to it along an arc.
  [[gnu::always_inline]] static lanes parts(const masks& tight, const lanes& ratios,
                                            const lanes& counts, double arc_count) {
    lanes made;
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      made.of[v] = where(tight.of[v], ratios.of[v] * (counts.of[v] * arc_count));
    });
    return made;
  }

  struct sweep {
    const path_sweep_graph& graph;
    const path_sweep_sources& sources;
    const path_sweep_memory& memory;
    std::size_t next_above;  ///< The number of places of `above` that are still to come.
    lanes largest_count;
    lanes num_reached;
  };

  /// Sets the lanes of sources at a place.
  [[gnu::always_inline]] static void set_sources(const sweep& s, std::int32_t place, double value,
                                                 lanes& x) {
    double entries[num_lanes];
    store(entries, 0, x);
    for (std::size_t lane = 0; lane < num_lanes; ++lane) {
      if (s.sources.places[lane] == place) entries[lane] = value;
    }
    x = load(entries, 0);
  }

  [[gnu::always_inline]] static void note_counts(sweep& s, const lanes& counts) {
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      const vec x = s.largest_count.of[v];
      s.largest_count.of[v] = counts.of[v] <= x ? x : counts.of[v];
    });
  }

  // Follows the arcs that lead up from the sources.
  static void sweep_up(sweep& s) {
    const path_sweep_memory& memory = s.memory;
    const path_arcs_by_place& up = s.graph.up;
    const std::size_t num_above = s.sources.num_above;
    for (std::size_t i = 0; i < num_above; ++i) {
      lanes lengths = broadcast(infinity);
      lanes counts = broadcast(0);
      set_sources(s, s.sources.above[i], 0, lengths);
      set_sources(s, s.sources.above[i], 1, counts);
      store(memory.lengths_above, i, lengths);
      store(memory.counts_above, i, counts);
    }
    const auto for_each_arc = [&](std::size_t i, auto f) __attribute__((always_inline)) {
      const std::size_t place = at(s.sources.above[i]);
      const std::int32_t* position = s.sources.positions + s.sources.begins[i];
      for (auto a = up.offsets[place]; a < up.offsets[place + 1]; ++a) {
        f(up.arcs[a], at(*position++));
      }
    };
    for (std::size_t i = 0; i < num_above; ++i) {
      const lanes lengths = load(memory.lengths_above, i);
      for_each_arc(
          i, [&](const path_arc& arc, std::size_t above) __attribute__((always_inline)) {
            lanes best = load(memory.lengths_above, above);
            for_each_vector([&](auto v) __attribute__((always_inline)) {
              const vec through = lengths.of[v] + arc.weight;
              best.of[v] = through < best.of[v] ? through : best.of[v];
            });
            store(memory.lengths_above, above, best);
          });
    }
    for (std::size_t i = 0; i < num_above; ++i) {
      const lanes lengths = load(memory.lengths_above, i);
      const lanes counts = load(memory.counts_above, i);
      note_counts(s, counts);
      for_each_arc(
          i, [&](const path_arc& arc, std::size_t above) __attribute__((always_inline)) {
            const lanes most = limits(load(memory.lengths_above, above), s.graph.tolerance);
            lanes sums = load(memory.counts_above, above);
            add_counts(sums, are_tight(lengths, arc.weight, most), counts, arc.count);
            store(memory.counts_above, above, sums);
          });
    }
  }

  // Finds the paths to a place from those to its ancestors.
  [[gnu::always_inline]] static void enter(sweep& s, std::size_t place, std::size_t depth) {
    const path_sweep_memory& memory = s.memory;
    const path_arcs_by_place& down = s.graph.down;
    const auto begin = down.offsets[place];
    const auto end = down.offsets[place + 1];
    lanes best = broadcast(infinity);
    std::int32_t position = -1;
    if (s.next_above != 0 && at(s.sources.above[s.next_above - 1]) == place) {
      position = static_cast<std::int32_t>(--s.next_above);
      best = load(memory.lengths_above, at(position));
    }
    for (auto a = begin; a < end; ++a) {
      const lanes lengths = load(memory.lengths, at(down.arcs[a].depth));
      const double weight = down.arcs[a].weight;
      for_each_vector([&](auto v) __attribute__((always_inline)) {
        const vec through = lengths.of[v] + weight;
        best.of[v] = through < best.of[v] ? through : best.of[v];
      });
    }
    const lanes most = limits(best, s.graph.tolerance);
    lanes counts = broadcast(0);
    masks seen{};
    masks twice{};
    if (position >= 0) {
      seen = are_tight(load(memory.lengths_above, at(position)), 0, most);
      add_counts(counts, seen, load(memory.counts_above, at(position)), 1);
    }
    std::int64_t tight_arc = -1;
    bool is_only = position < 0;
    for (auto a = begin; a < end; ++a) {
      const std::size_t above = at(down.arcs[a].depth);
      const masks tight = are_tight(load(memory.lengths, above), down.arcs[a].weight, most);
      if (!any(tight)) continue;
      is_only = is_only && tight_arc < 0;
      tight_arc = a;
      for_each_vector([&](auto v) __attribute__((always_inline)) {
        twice.of[v] = twice.of[v] | (seen.of[v] & tight.of[v]);
        seen.of[v] = seen.of[v] | tight.of[v];
      });
      add_counts(counts, tight, load(memory.counts, above), down.arcs[a].count);
    }
    note_counts(s, counts);
    store(memory.lengths, depth, best);
    store(memory.counts, depth, counts);
    memory.line[depth] = static_cast<std::int32_t>(place);
    memory.positions[depth] = position;
    memory.only_arcs[depth] = is_only ? tight_arc : any(twice) ? -2 : -1;
  }

  // Hands the shares of the paths that lead to a place on to its ancestors, after those of all
  // places below.
  [[gnu::always_inline]] static void leave(sweep& s, std::size_t depth,
                                           const path_sweep_sums& sums) {
    const path_sweep_memory& memory = s.memory;
    const std::size_t place = at(memory.line[depth]);
    lanes shares = load(memory.shares, depth);
    store(memory.shares, depth, broadcast(0));
    const std::int32_t position = memory.positions[depth];
    if (position >= 0) set_sources(s, memory.line[depth], 0, shares);
    const lanes lengths = load(memory.lengths, depth);
    const lanes ends = where(are_paths(lengths), broadcast(1));
    add(s.num_reached, ends);
    double through = sum(shares);
    if (sums.with_ends) through += sum(ends);
    sums.of_places[place] += through;
    add(shares, ends);
    const std::int64_t only = memory.only_arcs[depth];
    if (only >= 0) {
      sums.of_down[only] += sum(shares);
      add(memory.shares, at(s.graph.down.arcs[only].depth), shares);
      return;
    }
    const lanes most = limits(lengths, s.graph.tolerance);
    if (only == -1) {
      hand_up(
          s, place, position, most,
          sums, [&](const masks& tight, auto, double) __attribute__((always_inline)) {
            return where(tight, shares);
          });
    } else {
      const lanes ratios = divided(shares, load(memory.counts, depth));
      hand_up(
          s, place, position, most, sums,
          [&](const masks& tight, const double* counts, double arc_count) __attribute__((
              always_inline)) { return parts(tight, ratios, load(counts, 0), arc_count); });
    }
  }
  /// @param part_of  part_of(tight, counts, arc_count): the shares of the paths that end with an
  /// arc,
  ///                 from the numbers of those before it.
  template <class PartOf>
  [[gnu::always_inline]] static void hand_up(sweep& s, std::size_t place, std::int32_t position,
                                             const lanes& most, const path_sweep_sums& sums,
                                             PartOf part_of) {
    const path_sweep_memory& memory = s.memory;
    const path_arcs_by_place& down = s.graph.down;
    for (auto a = down.offsets[place]; a < down.offsets[place + 1]; ++a) {
      const std::size_t above = at(down.arcs[a].depth);
      const masks tight = are_tight(load(memory.lengths, above), down.arcs[a].weight, most);
      if (!any(tight)) continue;
      const lanes part = part_of(tight, memory.counts + above * num_lanes, down.arcs[a].count);
      add(memory.shares, above, part);
      sums.of_down[a] += sum(part);
    }
    if (position >= 0) {
      const std::size_t above = at(position);
      const masks tight = are_tight(load(memory.lengths_above, above), 0, most);
      store(memory.shares_above, above, part_of(tight, memory.counts_above + above * num_lanes, 1));
    }
  }

  // Hands shares back along the arcs that lead up.
  static void leave_above(const sweep& s, const path_sweep_sums& sums) {
    const path_sweep_memory& memory = s.memory;
    const path_arcs_by_place& up = s.graph.up;
    for (std::size_t i = s.sources.num_above; i-- > 0;) {
      const std::size_t place = at(s.sources.above[i]);
      const std::int32_t* position = s.sources.positions + s.sources.begins[i];
      const lanes lengths = load(memory.lengths_above, i);
      const lanes counts = load(memory.counts_above, i);
      lanes shares = broadcast(0);
      for (auto a = up.offsets[place]; a < up.offsets[place + 1]; ++a) {
        const std::size_t above = at(*position++);
        const lanes most = limits(load(memory.lengths_above, above), s.graph.tolerance);
        const masks tight = are_tight(lengths, up.arcs[a].weight, most);
        if (!any(tight)) continue;
        const lanes part = parts(tight, load(memory.shares_above, above), counts, up.arcs[a].count);
        add(shares, part);
        sums.of_up[a] += sum(part);
      }
      lanes of_place = shares;
      set_sources(s, s.sources.above[i], 0, of_place);
      sums.of_places[place] += sum(of_place);
      add(shares, load(memory.shares_above, i));
      store(memory.shares_above, i, divided(shares, counts));
    }
  }

  [[gnu::always_inline]] static sweep begin(const path_sweep_graph& graph,
                                            const path_sweep_sources& sources,
                                            const path_sweep_memory& memory) {
    return {graph, sources, memory, sources.num_above, broadcast(0), broadcast(0)};
  }
  [[gnu::always_inline]] static double largest(const lanes& x) {
    double entries[num_lanes];
    store(entries, 0, x);
    double most = 0;
    for (const double entry : entries) most = entry <= most ? most : entry;
    return most;
  }

  static double add_shares(const path_sweep_graph& graph, const path_sweep_sources& sources,
                           const path_sweep_memory& memory, const path_sweep_sums& sums) {
    sweep s = begin(graph, sources, memory);
    sweep_up(s);
    std::size_t end = 0;
    for (std::size_t place = 0; place < graph.num_places; ++place) {
      const std::size_t depth = at(graph.depths[place]);
      while (end > depth) leave(s, --end, sums);
      enter(s, place, depth);
      end = depth + 1;
    }
    while (end > 0) leave(s, --end, sums);
    leave_above(s, sums);
    double reached[num_lanes];
    store(reached, 0, s.num_reached);
    for (std::size_t lane = 0; lane < num_lanes; ++lane) sums.num_reached[lane] = reached[lane];
    return largest(s.largest_count);
  }

  static double count_above(const path_sweep_graph& graph, const path_sweep_sources& sources,
                            const path_sweep_memory& memory) {
    sweep s = begin(graph, sources, memory);
    sweep_up(s);
    return largest(s.largest_count);
  }
  static double count(const path_sweep_graph& graph, const path_sweep_sources& sources,
                      const path_sweep_memory& memory, const path_sweep_places& places) {
    sweep s = begin(graph, sources, memory);
    s.next_above = *places.num_above;
    for (std::size_t place = places.begin; place < places.end; ++place) {
      const std::size_t depth = at(graph.depths[place]);
      enter(s, place, depth);
      store(places.lengths, place - places.begin, load(memory.lengths, depth));
      store(places.counts, place - places.begin, load(memory.counts, depth));
    }
    *places.num_above = s.next_above;
    return largest(s.largest_count);
  }
};

/// The library's loops for the best instruction set of this processor.
APSP_EXPORT const path_sweep_kernels& choose_path_sweep_kernels();

// Tables of loops per instruction set, each defined in the file that is compiled for it.
extern const path_sweep_kernels baseline_path_sweeps;
extern const path_sweep_kernels avx2_path_sweeps;
extern const path_sweep_kernels avx512_path_sweeps;

}  // namespace apsp::inline v1::detail::host
