// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../../apsp/config.hpp"

// The inner loops of breadth-first search from many sources at once. Like the tile kernels they are
// compiled once per instruction set, with the compiler flags for it, so they call no function that
// another translation unit could also emit.
namespace apsp::inline v1::detail::host {

/// The bits of a word; sources of a batch have one bit each in the words of a vertex.
inline constexpr std::size_t search_word_bits = 64;
/// The most words of a vertex.
inline constexpr std::size_t most_search_words = 8;

/// The arcs of one direction of a graph.
struct search_arcs {
  const std::int64_t* offsets;
  const std::int32_t* ends;
};

/// A search in progress. Sets of sources are `num_words` words for each vertex.
///
/// Numbers are stored as bit planes: plane p has, for each vertex, the set of sources for which bit
/// p of the number is 1. A number is therefore stored for all sources of a set at once, by one
/// operation for each of its bits.
struct search_state {
  std::uint64_t* seen;  ///< The sources that have reached the vertex.
  std::uint64_t*
      frontier;         ///< Those that reached it in the last step; empty if it is not in `active`.
  std::uint64_t* next;  ///< Those that reach it in this step; empty if it is not in `found`.
  std::uint64_t* levels;    ///< Planes of the number of steps, plus 1; 0 if there is no path.
  std::uint64_t* ranks;     ///< Planes of the position of the last arc among those into the vertex.
  std::size_t plane_words;  ///< From one plane to the next.
  std::int32_t* active;     ///< The vertices of the frontier.
  std::size_t num_active;
  std::int32_t* found;
  std::size_t num_found;
  std::size_t arcs_from_active;  ///< The number of arcs that leave the frontier.
  std::size_t arcs_to_open;      ///< That of arcs into vertices that some source has not reached.
};

struct search_kernels {
  std::size_t num_words;

  /// Follows the arcs that leave the vertices `active[first]` to `active[last - 1]`.
  /// @param ranks  for each arc its position among the arcs into its end, or null.
  void (*push)(search_state& s, const search_arcs& outgoing, const std::int32_t* ranks,
               std::size_t first, std::size_t last);

  /// Follows the arcs into the vertices from @p first to @p last - 1, from the frontier.
  void (*pull)(search_state& s, const search_arcs& incoming, bool with_ranks, std::size_t first,
               std::size_t last);

  /// Makes the found vertices the frontier.
  /// @param level  the number for `levels`; its planes exist.
  void (*settle)(search_state& s, const search_arcs& outgoing, const search_arcs& incoming,
                 std::uint64_t level);

  /// Transposes the sets of `64 * num_words` vertices: set i receives the vertices of source i.
  void (*transpose)(std::uint64_t* sets);

  /// Reads the numbers of one source for as many vertices from transposed planes.
  void (*read)(const std::uint64_t* planes, std::size_t plane_words, std::size_t num_planes,
               std::size_t source, std::int32_t* numbers);

  /// The most numbers that `look_up` has entries for; 0 if it is not faster than a loop.
  std::size_t table_size;
  /// As `read`, and replaces each number by the entry for it: entries of 4 bytes.
  /// @param table  `table_size` entries.
  void (*look_up)(const std::uint64_t* planes, std::size_t plane_words, std::size_t num_planes,
                  std::size_t source, const void* table, void* entries);
};

/// The loops for vectors of `VectorBytes` bytes.
template <int VectorBytes, int Words>
class search_loops {
  static constexpr std::size_t words = Words;
  static constexpr bool is_vector = Words * 8 >= VectorBytes;

  template <class Entry, int Bytes>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(Bytes), may_alias));
  };
  using vec = typename std::conditional_t<is_vector, vector_of<std::uint64_t, VectorBytes>,
                                          std::type_identity<std::uint64_t>>::type;
  using number_vec = typename vector_of<std::int32_t, VectorBytes>::type;

  static constexpr std::size_t part_words = sizeof(vec) / sizeof(std::uint64_t);
  static constexpr std::size_t num_parts = words / part_words;
  static constexpr std::size_t numbers = VectorBytes / sizeof(std::int32_t);

 public:
  static constexpr search_kernels table() {
    return {words, push, pull, settle, transpose, read, table_size, look_up};
  }

 private:
  struct set {
    vec parts[num_parts];
  };

  [[gnu::always_inline]] static set load(const std::uint64_t* sets, std::size_t vertex) {
    set s;
    __builtin_memcpy(&s, sets + vertex * words, sizeof s);
    return s;
  }
  [[gnu::always_inline]] static void store(std::uint64_t* sets, std::size_t vertex, const set& s) {
    __builtin_memcpy(sets + vertex * words, &s, sizeof s);
  }
  [[gnu::always_inline]] static set both(const set& a, const set& b) {
    set s;
    for (std::size_t p = 0; p < num_parts; ++p) s.parts[p] = a.parts[p] & b.parts[p];
    return s;
  }
  [[gnu::always_inline]] static set either(const set& a, const set& b) {
    set s;
    for (std::size_t p = 0; p < num_parts; ++p) s.parts[p] = a.parts[p] | b.parts[p];
    return s;
  }
  [[gnu::always_inline]] static set without(const set& a, const set& b) {
    set s;
    for (std::size_t p = 0; p < num_parts; ++p) s.parts[p] = a.parts[p] & ~b.parts[p];
    return s;
  }
  [[gnu::always_inline]] static bool is_empty(const set& s) {
    vec all = s.parts[0];
    for (std::size_t p = 1; p < num_parts; ++p) all |= s.parts[p];
    if constexpr (is_vector) {
      // Halves, until one is left: compilers know no better way without intrinsics.
      std::uint64_t word[part_words];
      __builtin_memcpy(word, &all, sizeof all);
      std::uint64_t any = 0;
      for (std::size_t w = 0; w < part_words; ++w) any |= word[w];
      return any == 0;
    } else {
      return all == 0;
    }
  }
  [[gnu::always_inline]] static set complement(const set& a) {
    set s;
    for (std::size_t p = 0; p < num_parts; ++p) s.parts[p] = ~a.parts[p];
    return s;
  }
  static std::size_t index(std::int32_t v) { return static_cast<std::size_t>(v); }

  /// Adds @p s to the planes of the bits of @p number.
  [[gnu::always_inline]] static void add(std::uint64_t* planes, std::size_t plane_words,
                                         std::uint64_t number, std::size_t vertex, const set& s) {
    for (; number != 0; number &= number - 1) {
      std::uint64_t* const plane =
          planes + static_cast<std::size_t>(__builtin_ctzll(number)) * plane_words;
      store(plane, vertex, either(load(plane, vertex), s));
    }
  }

  template <bool WithRanks>
  static void push_arcs(search_state& s, const search_arcs& outgoing, const std::int32_t* ranks,
                        std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t u = index(s.active[i]);
      const set from = load(s.frontier, u);
      for (auto a = outgoing.offsets[u]; a < outgoing.offsets[u + 1]; ++a) {
        const std::int32_t end = outgoing.ends[a];
        const std::size_t v = index(end);
        const set fresh = without(from, load(s.seen, v));
        if (is_empty(fresh)) continue;
        const set before = load(s.next, v);
        if (is_empty(before)) s.found[s.num_found++] = end;
        store(s.next, v, either(before, fresh));
        if constexpr (WithRanks) {
          add(s.ranks, s.plane_words, static_cast<std::uint32_t>(ranks[a]), v,
              without(fresh, before));
        }
      }
    }
  }

  static void push(search_state& s, const search_arcs& outgoing, const std::int32_t* ranks,
                   std::size_t first, std::size_t last) {
    if (ranks != nullptr) {
      push_arcs<true>(s, outgoing, ranks, first, last);
    } else {
      push_arcs<false>(s, outgoing, ranks, first, last);
    }
  }

  template <bool WithRanks>
  static void pull_arcs(search_state& s, const search_arcs& incoming, std::size_t first,
                        std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const set open = complement(load(s.seen, v));
      if (is_empty(open)) continue;
      const auto begin = incoming.offsets[v];
      const auto end = incoming.offsets[v + 1];
      set reached{};
      for (auto a = begin; a < end;) {
        // A test after every arc would take longer than the arcs.
        const auto stop = end - a < 4 ? end : a + 4;
        for (; a < stop; ++a) {
          const set through = load(s.frontier, index(incoming.ends[a]));
          if constexpr (WithRanks) {
            const set fresh = without(both(through, open), reached);
            if (a != begin && !is_empty(fresh)) {
              add(s.ranks, s.plane_words, static_cast<std::uint64_t>(a - begin), v, fresh);
            }
          }
          reached = either(reached, through);
        }
        if (is_empty(without(open, reached))) break;
      }
      const set fresh = both(reached, open);
      if (is_empty(fresh)) continue;
      store(s.next, v, fresh);
      s.found[s.num_found++] = static_cast<std::int32_t>(v);
    }
  }

  static void pull(search_state& s, const search_arcs& incoming, bool with_ranks, std::size_t first,
                   std::size_t last) {
    if (with_ranks) {
      pull_arcs<true>(s, incoming, first, last);
    } else {
      pull_arcs<false>(s, incoming, first, last);
    }
  }

  static void settle(search_state& s, const search_arcs& outgoing, const search_arcs& incoming,
                     std::uint64_t level) {
    for (std::size_t i = 0; i < s.num_active; ++i) store(s.frontier, index(s.active[i]), set{});
    s.arcs_from_active = 0;
    for (std::size_t i = 0; i < s.num_found; ++i) {
      const std::size_t v = index(s.found[i]);
      const set fresh = load(s.next, v);
      const set seen = either(load(s.seen, v), fresh);
      store(s.seen, v, seen);
      add(s.levels, s.plane_words, level, v, fresh);
      s.arcs_from_active += static_cast<std::size_t>(outgoing.offsets[v + 1] - outgoing.offsets[v]);
      if (is_empty(complement(seen))) {
        s.arcs_to_open -= static_cast<std::size_t>(incoming.offsets[v + 1] - incoming.offsets[v]);
      }
    }
    std::uint64_t* const frontier = s.frontier;
    s.frontier = s.next;
    s.next = frontier;
    std::int32_t* const active = s.active;
    s.active = s.found;
    s.found = active;
    s.num_active = s.num_found;
    s.num_found = 0;
  }

  /// One step of the transposition of 64 words: exchanges the bits of `mask << Distance` in a word
  /// with those of `mask` in the word `Distance` after it.
  template <std::size_t Distance>
  [[gnu::always_inline]] static void exchange(std::uint64_t* block, std::uint64_t mask) {
    for (std::size_t first = 0; first < search_word_bits; first += 2 * Distance) {
      for (std::size_t k = first; k < first + Distance; ++k) {
        const std::uint64_t change = ((block[k] >> Distance) ^ block[k + Distance]) & mask;
        block[k] ^= change << Distance;
        block[k + Distance] ^= change;
      }
    }
  }
  static void transpose_block(std::uint64_t* block) {
    exchange<32>(block, 0x00000000ffffffff);
    exchange<16>(block, 0x0000ffff0000ffff);
    exchange<8>(block, 0x00ff00ff00ff00ff);
    exchange<4>(block, 0x0f0f0f0f0f0f0f0f);
    exchange<2>(block, 0x3333333333333333);
    exchange<1>(block, 0x5555555555555555);
  }
  static void take(const std::uint64_t* sets, std::size_t group, std::size_t word,
                   std::uint64_t* block) {
    for (std::size_t k = 0; k < search_word_bits; ++k) {
      block[k] = sets[(group * search_word_bits + k) * words + word];
    }
  }
  static void put(std::uint64_t* sets, std::size_t group, std::size_t word,
                  const std::uint64_t* block) {
    for (std::size_t k = 0; k < search_word_bits; ++k) {
      sets[(group * search_word_bits + k) * words + word] = block[k];
    }
  }

  static void transpose(std::uint64_t* sets) {
    alignas(64) std::uint64_t upper[search_word_bits];
    alignas(64) std::uint64_t lower[search_word_bits];
    for (std::size_t i = 0; i < words; ++i) {
      take(sets, i, i, upper);
      transpose_block(upper);
      put(sets, i, i, upper);
      for (std::size_t j = i + 1; j < words; ++j) {
        take(sets, i, j, upper);
        take(sets, j, i, lower);
        transpose_block(upper);
        transpose_block(lower);
        put(sets, j, i, upper);
        put(sets, i, j, lower);
      }
    }
  }

  /// Calls f(first, numbers) with the numbers of one source, a vector at a time.
  template <class F>
  [[gnu::always_inline]] static void for_each_vector(const std::uint64_t* planes,
                                                     std::size_t plane_words,
                                                     std::size_t num_planes, std::size_t source,
                                                     F f) {
    constexpr std::size_t half_bits = 32;
    constexpr std::size_t parts = half_bits / numbers;
    number_vec bits[parts];
    for (std::size_t i = 0; i < half_bits; ++i) {
      bits[i / numbers][i % numbers] = static_cast<std::int32_t>(std::uint32_t{1} << i);
    }
    for (std::size_t half = 0; half < 2 * words; ++half) {
      const std::uint64_t* const word = planes + source * words + half / 2;
      number_vec sums[parts] = {};
      for (std::size_t p = 0; p < num_planes; ++p) {
        const auto of_plane =
            static_cast<std::int32_t>(word[p * plane_words] >> half % 2 * half_bits);
#ifndef __CUDACC__  // nvcc does not know it, and compiles no loops over vectors.
#pragma GCC unroll 8
#endif
        for (std::size_t k = 0; k < parts; ++k) {
          const number_vec is_set = ((number_vec{} + of_plane) & bits[k]) != 0;
          sums[k] |= is_set & (std::int32_t{1} << p);
        }
      }
#ifndef __CUDACC__
#pragma GCC unroll 8
#endif
      for (std::size_t k = 0; k < parts; ++k) f(half * half_bits + k * numbers, sums[k]);
    }
  }

  static void read(const std::uint64_t* planes, std::size_t plane_words, std::size_t num_planes,
                   std::size_t source, std::int32_t* out) {
    for_each_vector(
        planes, plane_words, num_planes,
        source, [&](std::size_t first, const number_vec& sum) __attribute__((always_inline)) {
          __builtin_memcpy(out + first, &sum, sizeof sum);
        });
  }

  // Tables in two registers, where there is an instruction for them.
  static constexpr std::size_t table_size = VectorBytes >= 32 ? 2 * numbers : 0;

  static void look_up([[maybe_unused]] const std::uint64_t* planes,
                      [[maybe_unused]] std::size_t plane_words,
                      [[maybe_unused]] std::size_t num_planes, [[maybe_unused]] std::size_t source,
                      [[maybe_unused]] const void* table, [[maybe_unused]] void* out) {
    if constexpr (table_size != 0) {
      number_vec entries[2];
      __builtin_memcpy(entries, table, sizeof entries);
      for_each_vector(
          planes, plane_words, num_planes,
          source, [&](std::size_t first, const number_vec& sum) __attribute__((always_inline)) {
            const number_vec found = select(entries[0], entries[1], sum);
            __builtin_memcpy(static_cast<char*>(out) + first * sizeof(std::int32_t), &found,
                             sizeof found);
          });
    }
  }
  [[gnu::always_inline]] static number_vec select(const number_vec& low, const number_vec& high,
                                                  const number_vec& which) {
#ifdef __clang__
    number_vec found;
    for (std::size_t i = 0; i < numbers; ++i) {
      const auto k = static_cast<std::size_t>(which[i]);
      found[i] = k < numbers ? low[k] : high[k - numbers];
    }
    return found;
#else
    return __builtin_shuffle(low, high, which);
#endif
  }
};

/// The loops of the library for the best instruction set of this processor, for sets of one word or
/// of `most_search_words`.
APSP_EXPORT const search_kernels& choose_search_kernels(std::size_t num_words);

// One table of loops per instruction set, each defined in the file that is compiled for it.
extern const search_kernels baseline_searches[2];
extern const search_kernels avx2_searches[2];
extern const search_kernels avx512_searches[2];

}  // namespace apsp::inline v1::detail::host
