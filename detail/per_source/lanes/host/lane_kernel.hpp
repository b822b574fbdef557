// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../../../apsp/config.hpp"
#include "../../../../apsp/semiring.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../tiles/host/tile_kernel.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../../values/weight_types.hpp"

// The inner loops of searches and of sweeps over a hierarchy. Like the tile kernels they are
// compiled once per instruction set, with the compiler flags for it, so they call no function that
// another translation unit could also emit.
namespace apsp::inline v1::detail::host {

/// The values of paths from the sources of a batch are stored together, one lane for each source:
/// `num_lanes` entries for a vertex or a depth of the tree.
template <class S>
struct lane_kernels {
  using T = typename S::value_type;

  /// The arcs of one direction of a hierarchy.
  struct arcs_of_places {
    const std::int64_t* offsets;
    const sweep_arc<T>* arcs;
    const std::int32_t* depths;
  };

  /// The places that some source leads up to, and what is known of them.
  struct ancestors {
    std::size_t count;
    const std::int32_t* places;  ///< Descending: a place comes before its ancestors.
    T* values;                   ///< The best paths that lead only upwards.
  };

  struct values_of_lanes {
    T one;
    T none;
    T none_from;    ///< A value that is not better than this one means that there is no path.
    T stored_none;  ///< It is stored in rows instead.
  };

  /// The places from `begin` on and before `end`.
  struct places_to_pass {
    std::size_t begin;
    std::size_t end;
    const std::int32_t* positions;  ///< Of the entries of these places in `paths`.
  };

  /// What a sweep down reads and writes beside the arcs.
  struct lanes_below {
    T* stack;  ///< An entry for each depth; those of the places before are kept.
    T* paths;  ///< Receives an entry for each place.
  };

  /// A graph whose vertices are numbered twice: by the caller, and by their places in an order in
  /// which neighbors are close to each other. Paths are pulled along the arcs into a vertex, or
  /// pushed if there are many of them.
  struct searched_arcs {
    std::size_t num_vertices;
    const std::int32_t* vertices;      ///< Of each place.
    const std::int64_t* in_offsets;    ///< By place: the arcs to pull along.
    const std::int32_t* sources;       ///< Of these arcs: vertices.
    const T* in_weights;               ///< Of these arcs.
    const std::int64_t* out_offsets;   ///< By place: the arcs along which others pull.
    const std::int32_t* targets;       ///< Of these arcs: places.
    const std::int64_t* push_offsets;  ///< By place: the arcs to push along.
    const std::int32_t* push_targets;  ///< Of these arcs: places.
    const T* push_weights;             ///< Of these arcs.
  };

  /// The places whose paths may improve, a bit for each, and the words of bits that are not 0, a
  /// bit for each word.
  struct open_places {
    std::uint64_t* bits;
    std::uint64_t* words;
  };

  /// Arcs, and the paths between their ends and some vertices, the hubs.
  struct bypassed_arcs {
    std::size_t num_arcs;
    const std::int32_t* sources;
    const std::int32_t* targets;
    const T* lengths;    ///< A path that is better than this one makes the arc superfluous.
    const T* to_hubs;    ///< Lanes, by vertex.
    const T* from_hubs;  ///< Lanes, by vertex.
  };

  /// The arcs into each vertex.
  struct arcs_into {
    const std::int32_t* vertices;  ///< In an order in which neighbors are close to each other.
    const std::int64_t* offsets;
    const std::int32_t* sources;
    const T* weights;
  };

  /// The types of predecessors in lanes as wide as those of values.
  using index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

  struct found_predecessors {
    index* predecessors;
    /// The vertices that have, in some lane, a path but no predecessor that is nearer than they
    /// are; at most n.
    std::int32_t* doubtful;
  };

  std::size_t num_lanes;
  std::size_t num_rows;  ///< Rows that are written at once: the lanes of a vector.

  /// The places of the sources of all lanes, descending, and the lane of each.
  struct sources_of_lanes {
    const std::int32_t* places;
    const std::int32_t* lanes;
  };

  /// Follows the arcs that lead up.
  /// @param stack        an entry for each depth; all are `none`, before and after.
  void (*up)(const S& semiring, const values_of_lanes& values, const arcs_of_places& arcs,
             const sources_of_lanes& sources, T* stack, const ancestors& above);

  /// Follows the arcs that lead down.
  /// @param above  without those that are before @p places.
  /// @return the number of places of @p above that are behind @p places.
  std::size_t (*down)(const S& semiring, const values_of_lanes& values, const arcs_of_places& arcs,
                      const places_to_pass& places, const ancestors& above,
                      const lanes_below& below);

  /// Paths that turn at an ancestor of a target.
  struct turning_paths {
    const T* up;               ///< The best paths to some ancestors of the sources, lanes of each.
    const std::int32_t* rows;  ///< By depth: which of them the ancestor is.
    std::size_t begin;         ///< The depths of those to turn at.
    std::size_t end;
  };
  /// Improves the paths to some targets by those that turn at ancestors that they have in common.
  /// @param lines  of each target, by depth: the best paths from its ancestors.
  /// @param paths  of each target: its lanes.
  void (*join)(const S& semiring, const turning_paths& turning, const T* const* lines,
               std::size_t num_targets, T* const* paths);

  /// Passes over the open places, ascending: each place reads the paths to the vertices before it,
  /// and if its own improve, opens the places after it. Places that are opened before the current
  /// one stay open. A place without arcs to pull along is open if its paths have improved.
  /// @return the number of arcs that were read.
  std::size_t (*pass)(const S& semiring, const searched_arcs& arcs, T* paths,
                      const open_places& open);

  /// Finds the arcs that are worse than a path through a hub; sums alone.
  /// @param is_bypassed  receives 1 for such an arc, and 0 for the others.
  void (*find_bypassed)(const S& semiring, const values_of_lanes& values, const bypassed_arcs& arcs,
                        char* is_bypassed);

  /// True if some path of @p num_vertices vertices is at least @p from and less than `none`.
  bool (*any_from)(const values_of_lanes& values, std::size_t num_vertices, const T* paths,
                   const T& from);

  /// Writes the lanes from @p first_lane on to `num_rows` rows of n entries.
  void (*write_rows)(const S& semiring, const values_of_lanes& values, std::size_t n,
                     const T* paths, std::size_t first_lane, T* const* rows);

  /// Finds the last arc of each path: predecessors[v] receives the source of the best arc into v,
  /// or -1 if there is none.
  /// @return the number of doubtful vertices.
  std::size_t (*find_predecessors)(const S& semiring, const values_of_lanes& values, std::size_t n,
                                   const arcs_into& arcs, const T* paths,
                                   const found_predecessors& found);

  /// As `write_rows`, for predecessors.
  void (*write_predecessors)(std::size_t n, const index* predecessors, std::size_t first_lane,
                             std::int32_t* const* rows);
};

/// The number of sources of a batch: a wide batch takes less time for each source, a narrow one
/// less memory.
enum class batch_width { narrow, wide };

/// The loops for vectors of `VectorBytes` bytes, or one entry at a time if that is 0.
template <class S, int VectorBytes, batch_width Width>
class lane_loops {
  using table_type = lane_kernels<S>;
  using T = typename S::value_type;
  using index = typename table_type::index;
  using values_of_lanes = typename table_type::values_of_lanes;
  using arcs_of_places = typename table_type::arcs_of_places;
  using ancestors = typename table_type::ancestors;
  using sources_of_lanes = typename table_type::sources_of_lanes;
  using places_to_pass = typename table_type::places_to_pass;
  using lanes_below = typename table_type::lanes_below;
  using turning_paths = typename table_type::turning_paths;
  using searched_arcs = typename table_type::searched_arcs;
  using open_places = typename table_type::open_places;
  using bypassed_arcs = typename table_type::bypassed_arcs;
  using arcs_into = typename table_type::arcs_into;
  using found_predecessors = typename table_type::found_predecessors;
  using lane = lane_operations<S, VectorBytes>;
  static constexpr bool is_vector = VectorBytes != 0;
  static constexpr bool is_sum = std::is_same_v<S, min_plus<T>> && std::is_arithmetic_v<T>;

  template <class Entry, int Bytes>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(Bytes)));
  };
  template <class Entry>
  struct vector_of<Entry, 0> {
    using type = Entry;
  };
  using vec = typename vector_of<T, VectorBytes>::type;
  using index_vec = typename vector_of<index, VectorBytes>::type;

  static constexpr std::size_t width = is_vector ? VectorBytes / static_cast<int>(sizeof(T)) : 1;
  // Of rows that are written at once: transposed vectors fit in the registers.
  static constexpr std::size_t row_width = width < 16 ? width : 16;
  using row_vec =
      typename vector_of<T, is_vector ? static_cast<int>(row_width * sizeof(T)) : 0>::type;
  // Lanes of 16 bits are too narrow for the number of a vertex.
  static constexpr bool has_predecessors = !std::is_same_v<T, std::uint16_t>;

  // The lanes of a vertex fit in half of the registers, or in a cache line.
  static constexpr std::size_t vector_count = Width == batch_width::wide
                                                  ? (VectorBytes == 64 ? 4 : 8)
                                              : is_vector ? 64 / VectorBytes
                                                          : 2;
  static constexpr std::size_t num_lanes = width * vector_count;

 public:
  static constexpr table_type table() {
    return {.num_lanes = num_lanes,
            .num_rows = row_width,
            .up = up,
            .down = down,
            .join = join,
            .pass = pass,
            .find_bypassed = find_bypassed,
            .any_from = any_from,
            .write_rows = write_rows,
            .find_predecessors = predecessor_finder(),
            .write_predecessors = predecessor_writer()};
  }

 private:
  template <class V, class X>
  [[gnu::always_inline]] static V load(const X* from) {
    if constexpr (is_vector) {
      V v;
      __builtin_memcpy(&v, from, sizeof v);
      return v;
    } else {
      return *from;
    }
  }
  template <class V, class X>
  [[gnu::always_inline]] static void store(X* to, const V& v) {
    if constexpr (is_vector) {
      __builtin_memcpy(to, &v, sizeof v);
    } else {
      *to = v;
    }
  }
  template <class V, class X>
  [[gnu::always_inline]] static V broadcast(const X& value) {
    if constexpr (is_vector) {
      return value - V{};
    } else {
      return value;
    }
  }
  // Calls f(i) for i in [0, Count), each a constant, so that arrays stay in registers.
  template <std::size_t Count, class F>
  [[gnu::always_inline]] static void for_each_constant(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<Count>{});
  }

  // Loads the lanes of a vertex into the cache: vertices are visited in an order that the processor
  // cannot foresee.
  template <int IsWritten, class X>
  [[gnu::always_inline]] static void prefetch(const X* lanes, std::int32_t vertex) {
    constexpr std::size_t bytes = num_lanes * sizeof(X);
    const auto* const first =
        reinterpret_cast<const char*>(lanes + static_cast<std::size_t>(vertex) * num_lanes);
    for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(first + i, IsWritten);
  }
  // The number of places between a vertex and the one that is loaded meanwhile.
  static constexpr std::size_t places_ahead = 8;

  static void up(const S& s, const values_of_lanes& values, const arcs_of_places& arcs,
                 const sources_of_lanes& sources, T* stack, const ancestors& above) {
    const vec none = broadcast<vec>(values.none);
    std::size_t next = 0;
    for (std::size_t i = 0; i < above.count; ++i) {
      const auto place = static_cast<std::size_t>(above.places[i]);
      T* const own = stack + static_cast<std::size_t>(arcs.depths[place]) * num_lanes;
      for (; next < num_lanes && sources.places[next] == above.places[i]; ++next) {
        own[sources.lanes[next]] = values.one;
      }
      vec value[vector_count];
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        value[v] = load<vec>(own + v * width);
        store(own + v * width, none);
        store(above.values + i * num_lanes + v * width, value[v]);
      });
      for (auto a = arcs.offsets[place]; a < arcs.offsets[place + 1]; ++a) {
        const vec weight = broadcast<vec>(arcs.arcs[a].weight);
        T* const to = stack + static_cast<std::size_t>(arcs.arcs[a].depth) * num_lanes;
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          store(to + v * width,
                lane::plus(s, lane::times(s, value[v], weight), load<vec>(to + v * width)));
        });
      }
    }
  }

  static std::size_t down(const S& s, const values_of_lanes& values, const arcs_of_places& arcs,
                          const places_to_pass& places, const ancestors& above,
                          const lanes_below& below) {
    const std::size_t begin = places.begin;
    const std::size_t end = places.end;
    const std::int32_t* const positions = places.positions;
    T* const stack = below.stack;
    T* const paths = below.paths;
    std::size_t next_above = above.count;
    for (std::size_t place = begin; place < end; ++place) {
      if (place + places_ahead < end) prefetch<1>(paths, positions[place + places_ahead - begin]);
      vec best[vector_count];
      if (next_above != 0 && above.places[next_above - 1] == static_cast<std::int32_t>(place)) {
        --next_above;
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          best[v] = load<vec>(above.values + next_above * num_lanes + v * width);
        });
      } else {
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          best[v] = broadcast<vec>(values.none);
        });
      }
      for (auto a = arcs.offsets[place]; a < arcs.offsets[place + 1]; ++a) {
        const vec weight = broadcast<vec>(arcs.arcs[a].weight);
        const T* const from = stack + static_cast<std::size_t>(arcs.arcs[a].depth) * num_lanes;
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          best[v] = lane::plus(s, lane::times(s, load<vec>(from + v * width), weight), best[v]);
        });
      }
      T* const own = stack + static_cast<std::size_t>(arcs.depths[place]) * num_lanes;
      T* const path = paths + static_cast<std::size_t>(positions[place - begin]) * num_lanes;
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        store(own + v * width, best[v]);
        store(path + v * width, best[v]);
      });
    }
    return next_above;
  }

  static void join(const S& s, const turning_paths& turning, const T* const* lines,
                   std::size_t num_targets, T* const* paths) {
    // The paths up are read once for several targets, as many as keep the vector units busy.
    constexpr std::size_t together = vector_count >= 4 ? 2 : 8 / vector_count;
    std::size_t i = 0;
    for (; i + together <= num_targets; i += together) {
      join_some<together>(s, turning, lines + i, paths + i);
    }
    for (; i < num_targets; ++i) join_some<1>(s, turning, lines + i, paths + i);
  }
  template <std::size_t Count>
  static void join_some(const S& s, const turning_paths& turning, const T* const* lines,
                        T* const* paths) {
    vec best[Count][vector_count];
    for_each_constant<Count>([&](auto i) __attribute__((always_inline)) {
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        best[i][v] = load<vec>(paths[i] + v * width);
      });
    });
    for (std::size_t depth = turning.begin; depth < turning.end; ++depth) {
      const T* const from = turning.up + static_cast<std::size_t>(turning.rows[depth]) * num_lanes;
      vec up_path[vector_count];
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        up_path[v] = load<vec>(from + v * width);
      });
      for_each_constant<Count>([&](auto i) __attribute__((always_inline)) {
        const vec line = broadcast<vec>(lines[i][depth]);
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          best[i][v] = lane::plus(s, lane::times(s, up_path[v], line), best[i][v]);
        });
      });
    }
    for_each_constant<Count>([&](auto i) __attribute__((always_inline)) {
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        store(paths[i] + v * width, best[i][v]);
      });
    });
  }

  // True if some entry is not 0.
  template <class M>
  [[gnu::always_inline]] static bool any(const M& v) {
    if constexpr (is_vector) {
      std::uint64_t words[sizeof(M) / sizeof(std::uint64_t)];
      __builtin_memcpy(words, &v, sizeof words);
      std::uint64_t all = 0;
      for (const std::uint64_t word : words) all |= word;
      return all != 0;
    } else {
      return v != 0;
    }
  }

  // The vector of the results of comparisons.
  using comparison = decltype(lane::improves(std::declval<const S&>(), std::declval<const vec&>(),
                                             std::declval<const vec&>()));

  static void open_place(const open_places& open, std::int32_t place) {
    const auto p = static_cast<std::size_t>(place);
    open.bits[p / 64] |= std::uint64_t{1} << (p % 64);
    open.words[p / 4096] |= std::uint64_t{1} << (p / 64 % 64);
  }

  // Reads the paths before a vertex, and opens the places after it if its own improve. Returns the
  // number of arcs that were read.
  [[gnu::always_inline]] static std::size_t visit(const S& s, const searched_arcs& arcs,
                                                  std::size_t place, T* paths,
                                                  const open_places& open) {
    T* const own = paths + static_cast<std::size_t>(arcs.vertices[place]) * num_lanes;
    vec best[vector_count];
    for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
      best[v] = load<vec>(own + v * width);
    });
    const auto begin = arcs.in_offsets[place];
    const auto end = arcs.in_offsets[place + 1];
    if (begin != end) {
      for (auto a = begin; a < end; ++a) {
        const vec weight = broadcast<vec>(arcs.in_weights[a]);
        const T* const from = paths + static_cast<std::size_t>(arcs.sources[a]) * num_lanes;
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          best[v] = lane::plus(s, lane::times(s, load<vec>(from + v * width), weight), best[v]);
        });
      }
      if (!improves_any(s, best, own)) return static_cast<std::size_t>(end - begin);
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        store(own + v * width, best[v]);
      });
    }
    for (auto a = arcs.out_offsets[place]; a < arcs.out_offsets[place + 1]; ++a) {
      open_place(open, arcs.targets[a]);
    }
    const auto push_end = arcs.push_offsets[place + 1];
    for (auto a = arcs.push_offsets[place]; a < push_end; ++a) {
      const auto target = static_cast<std::size_t>(arcs.push_targets[a]);
      T* const to = paths + static_cast<std::size_t>(arcs.vertices[target]) * num_lanes;
      const vec weight = broadcast<vec>(arcs.push_weights[a]);
      vec through[vector_count];
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        through[v] = lane::plus(s, lane::times(s, best[v], weight), load<vec>(to + v * width));
      });
      if (!improves_any(s, through, to)) continue;
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        store(to + v * width, through[v]);
      });
      open_place(open, arcs.push_targets[a]);
    }
    return static_cast<std::size_t>(end - begin + push_end - arcs.push_offsets[place]);
  }
  [[gnu::always_inline]] static bool improves_any(const S& s, const vec* found, const T* own) {
    comparison improved{};
    for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
      improved |= lane::improves(s, found[v], load<vec>(own + v * width));
    });
    return any(improved);
  }

  static std::size_t pass(const S& s, const searched_arcs& arcs, T* paths,
                          const open_places& open) {
    const std::size_t num_words = (arcs.num_vertices + 63) / 64;
    std::size_t num_read = 0;
    for (std::size_t group = 0; group * 64 < num_words; ++group) {
      for (std::uint64_t later = ~std::uint64_t{0}; (open.words[group] & later) != 0;) {
        const int bit = __builtin_ctzll(open.words[group] & later);
        open.words[group] &= ~(std::uint64_t{1} << bit);
        later = ~std::uint64_t{1} << bit;
        const std::size_t word = group * 64 + static_cast<std::size_t>(bit);
        num_read += pass_word(s, arcs, word, paths, open);
      }
    }
    return num_read;
  }
  static std::size_t pass_word(const S& s, const searched_arcs& arcs, std::size_t word, T* paths,
                               const open_places& open) {
    std::size_t num_read = 0;
    for (std::uint64_t later = ~std::uint64_t{0}; (open.bits[word] & later) != 0;) {
      const int bit = __builtin_ctzll(open.bits[word] & later);
      open.bits[word] &= ~(std::uint64_t{1} << bit);
      later = ~std::uint64_t{1} << bit;
      num_read += visit(s, arcs, word * 64 + static_cast<std::size_t>(bit), paths, open);
    }
    return num_read;
  }

  static bool any_from(const values_of_lanes& values, std::size_t num_vertices, const T* paths,
                       const T& from) {
    if constexpr (is_sum) {
      const vec least = broadcast<vec>(from);
      const vec none = broadcast<vec>(values.none);
      comparison found{};
      for (std::size_t i = 0; i < num_vertices * num_lanes; i += width) {
        const vec path = load<vec>(paths + i);
        found |= (least <= path) & (path < none);
      }
      return any(found);
    } else {
      return false;
    }
  }

  static void find_bypassed(const S& s, const values_of_lanes& values, const bypassed_arcs& arcs,
                            char* is_bypassed) {
    if constexpr (is_sum) {
      const vec none = broadcast<vec>(values.none);
      const vec none_from = broadcast<vec>(values.none_from);
      for (std::size_t a = 0; a < arcs.num_arcs; ++a) {
        const vec length = broadcast<vec>(arcs.lengths[a]);
        const T* const to = arcs.to_hubs + static_cast<std::size_t>(arcs.sources[a]) * num_lanes;
        const T* const from =
            arcs.from_hubs + static_cast<std::size_t>(arcs.targets[a]) * num_lanes;
        comparison found{};
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          const vec x = load<vec>(to + v * width);
          const vec y = load<vec>(from + v * width);
          const vec first = lane::improves(s, x, none_from) ? x : none;
          const vec second = lane::improves(s, y, none_from) ? y : none;
          // The difference wraps only if it is negative and has no sign.
          const auto is_shorter = lane::improves(s, first, static_cast<vec>(length - second));
          if constexpr (std::is_unsigned_v<T>) {
            found |= is_shorter & lane::improves(s, second, length);
          } else {
            found |= is_shorter;
          }
        });
        is_bypassed[a] = any(found);
      }
    }
  }

  // One step of a transposition: exchanges the blocks of `Distance` x `Distance` entries that are
  // off the diagonal of each block of twice that size. nvcc cannot read it, and compiles no loops
  // over vectors.
  template <std::size_t Distance, class V>
  [[gnu::always_inline]] static void exchange_blocks(V* rows) {
    for_each_constant<row_width>([&](auto i) __attribute__((always_inline)) {
      if constexpr ((i & Distance) == 0) {
#ifndef __CUDACC__
        const V upper = rows[i];
        const V lower = rows[i + Distance];
        [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
          rows[i] = __builtin_shufflevector(
              upper, lower, static_cast<int>((J & Distance) ? row_width + J - Distance : J)...);
          rows[i + Distance] = __builtin_shufflevector(
              upper, lower, static_cast<int>((J & Distance) ? row_width + J : J + Distance)...);
        }
        (std::make_index_sequence<row_width>{});
#endif
      }
    });
  }
  template <class V>
  [[gnu::always_inline]] static void transpose(V* rows) {
    if constexpr (row_width > 1) exchange_blocks<1>(rows);
    if constexpr (row_width > 2) exchange_blocks<2>(rows);
    if constexpr (row_width > 4) exchange_blocks<4>(rows);
    if constexpr (row_width > 8) exchange_blocks<8>(rows);
    static_assert(row_width <= 16);
  }

  static void write_rows(const S& s, const values_of_lanes& values, std::size_t n, const T* paths,
                         std::size_t first_lane, T* const* rows) {
    const row_vec none_from = broadcast<row_vec>(values.none_from);
    const row_vec stored_none = broadcast<row_vec>(values.stored_none);
    const T* const lanes = paths + first_lane;
    std::size_t v = 0;
    for (; v + row_width <= n; v += row_width) {
      row_vec tile[row_width];
      for_each_constant<row_width>([&](auto i) __attribute__((always_inline)) {
        const row_vec x = load<row_vec>(lanes + (v + i) * num_lanes);
        tile[i] = lane::improves(s, x, none_from) ? x : stored_none;
      });
      transpose(tile);
      for_each_constant<row_width>([&](auto i) __attribute__((always_inline)) {
        store(rows[i] + v, tile[i]);
      });
    }
    for (; v < n; ++v) {
      const row_vec x = load<row_vec>(lanes + v * num_lanes);
      const row_vec decoded = lane::improves(s, x, none_from) ? x : stored_none;
      T entries[row_width];
      store(entries, decoded);
      for (std::size_t i = 0; i < row_width; ++i) rows[i][v] = entries[i];
    }
  }

  static std::size_t find_predecessors(const S& s, const values_of_lanes& values, std::size_t n,
                                       const arcs_into& arcs, const T* paths,
                                       const found_predecessors& found) {
    const std::int32_t* const vertices = arcs.vertices;
    const std::int64_t* const offsets = arcs.offsets;
    const std::int32_t* const sources = arcs.sources;
    const T* const weights = arcs.weights;
    index* const predecessors = found.predecessors;
    std::int32_t* const doubtful = found.doubtful;
    // An arc is read once for a group of vectors, for each of which three stay in registers.
    constexpr std::size_t group = VectorBytes == 64 ? vector_count : 2;
    const vec none_from = broadcast<vec>(values.none_from);
    const index_vec no_predecessor = index_vec{} - index{1};
    std::size_t num_doubtful = 0;
    for (std::size_t place = 0; place < n; ++place) {
      if (place + places_ahead < n) {
        const std::int32_t later = vertices[place + places_ahead];
        prefetch<0>(paths, later);
        prefetch<1>(predecessors, later);
        for (auto a = offsets[later]; a < offsets[later + 1]; ++a) prefetch<0>(paths, sources[a]);
      }
      const auto v = static_cast<std::size_t>(vertices[place]);
      index_vec doubts{};
      for (std::size_t first = 0; first < num_lanes; first += group * width) {
        vec best[group], from[group];
        index_vec which[group];
        for_each_constant<group>([&](auto i) __attribute__((always_inline)) {
          best[i] = from[i] = none_from;
          which[i] = no_predecessor;
        });
        for (auto a = offsets[v]; a < offsets[v + 1]; ++a) {
          const vec weight = broadcast<vec>(weights[a]);
          const index_vec source = broadcast<index_vec>(static_cast<index>(sources[a]));
          const T* const value = paths + static_cast<std::size_t>(sources[a]) * num_lanes + first;
          for_each_constant<group>([&](auto i) __attribute__((always_inline)) {
            const vec before = load<vec>(value + i * width);
            const vec through = lane::times(s, before, weight);
            // Without a path, this is the length of a walk from `none`: not better than none_from.
            const auto improves = lane::improves(s, through, best[i]);
            best[i] = improves ? through : best[i];
            from[i] = improves ? before : from[i];
            which[i] = improves ? source : which[i];
          });
        }
        for_each_constant<group>([&](auto i) __attribute__((always_inline)) {
          const std::size_t at = v * num_lanes + first + i * width;
          const vec path = load<vec>(paths + at);
          const auto is_path = lane::improves(s, path, none_from);
          store(predecessors + at, is_path ? which[i] : no_predecessor);
          const auto is_nearer = lane::improves(s, from[i], path);
          const index_vec doubt = is_nearer ? index_vec{} : no_predecessor;
          doubts |= is_path ? doubt : index_vec{};
        });
      }
      if (any(doubts)) doubtful[num_doubtful++] = static_cast<std::int32_t>(v);
    }
    return num_doubtful;
  }

  static constexpr auto predecessor_finder() {
    if constexpr (has_predecessors) {
      return find_predecessors;
    } else {
      return nullptr;
    }
  }
  static constexpr auto predecessor_writer() {
    if constexpr (has_predecessors) {
      return write_predecessors;
    } else {
      return nullptr;
    }
  }

  static void write_predecessors(std::size_t n, const index* predecessors, std::size_t first_lane,
                                 std::int32_t* const* rows) {
    const index* const lanes = predecessors + first_lane;
    std::size_t v = 0;
    for (; v + width <= n; v += width) {
      index_vec tile[width];
      for_each_constant<width>([&](auto i) __attribute__((always_inline)) {
        tile[i] = load<index_vec>(lanes + (v + i) * num_lanes);
      });
      transpose(tile);
      for_each_constant<width>([&](auto i) __attribute__((always_inline)) {
        if constexpr (sizeof(index) == sizeof(std::int32_t)) {
          store(rows[i] + v, tile[i]);
        } else {
          using narrow_vec = typename vector_of<std::int32_t, VectorBytes / 2>::type;
          if constexpr (is_vector) {
            const auto narrow = __builtin_convertvector(tile[i], narrow_vec);
            __builtin_memcpy(rows[i] + v, &narrow, sizeof narrow);
          } else {
            rows[i][v] = static_cast<std::int32_t>(tile[i]);
          }
        }
      });
    }
    for (; v < n; ++v) {
      for (std::size_t i = 0; i < width; ++i) {
        rows[i][v] = static_cast<std::int32_t>(lanes[v * num_lanes + i]);
      }
    }
  }
};

/// The loops of the library for the best instruction set of this processor.
template <class S>
APSP_EXPORT const lane_kernels<S>& compiled_lane_kernels(batch_width width);

#define APSP_DECLARE_LANE_KERNELS(...) \
  template <>                          \
  APSP_EXPORT const lane_kernels<__VA_ARGS__>& compiled_lane_kernels<__VA_ARGS__>(batch_width);
APSP_FOR_EACH_TILE_SEMIRING(APSP_DECLARE_LANE_KERNELS)
#undef APSP_DECLARE_LANE_KERNELS

/// The loops for semiring S: from the library, or compiled here.
template <class S>
const lane_kernels<S>& choose_lane_kernels(batch_width width) {
  if constexpr (has_vectors<S> || std::is_same_v<S, min_plus<std::uint16_t>>) {
    return compiled_lane_kernels<S>(width);
  } else {
    static constexpr lane_kernels<S> narrow = lane_loops<S, 0, batch_width::narrow>::table();
    static constexpr lane_kernels<S> wide = lane_loops<S, 0, batch_width::wide>::table();
    return width == batch_width::narrow ? narrow : wide;
  }
}

// Tables of loops per instruction set, each defined in the file that is compiled for it.
template <class S>
struct baseline_lanes {
  static const lane_kernels<S> narrow, wide;
};
template <class S>
struct avx2_lanes {
  static const lane_kernels<S> narrow, wide;
};
template <class S>
struct avx512_lanes {
  static const lane_kernels<S> narrow, wide;
};

#define APSP_DECLARE_LANES(...)                                        \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> baseline_lanes<__VA_ARGS__>::narrow; \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> baseline_lanes<__VA_ARGS__>::wide;   \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> avx2_lanes<__VA_ARGS__>::narrow;     \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> avx2_lanes<__VA_ARGS__>::wide;       \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> avx512_lanes<__VA_ARGS__>::narrow;   \
  template <>                                                          \
  const lane_kernels<__VA_ARGS__> avx512_lanes<__VA_ARGS__>::wide;
APSP_FOR_EACH_TILE_SEMIRING(APSP_DECLARE_LANES)
#undef APSP_DECLARE_LANES

}  // namespace apsp::inline v1::detail::host
