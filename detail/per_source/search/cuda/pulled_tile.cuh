// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <type_traits>

#include "../../../device/warp.hpp"
#include "../../../host/solve_outcome.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "relaxation.cuh"

// Bellman–Ford for a tile of sources by one block, whose vertices pull. For each vertex a row holds
// the distances from all sources of the tile. A warp takes a vertex after one before it has
// changed, reads the rows of those that have, and writes the row of the vertex: the same warp in
// every pass, so no two threads write the same word, and distances need no atomics. A quarter of
// the warp or less reads a row, 16 bytes by each thread, so a warp relaxes several arcs at a time.
//
// Sources: Bellman 1958; Then et al. 2014 for sources in lanes.
namespace apsp::inline v1::detail::cuda {

struct pull_tuning {
  unsigned threads = 1024;
  /// The number per multiprocessor, with words of 4 bytes. Tiles wait for memory.
  unsigned blocks = 2;
  /// Bytes of a row: with as many sources as fill the device, and with fewer.
  unsigned wide_row = 128;
  unsigned narrow_row = 32;
  /// Lower limits, averaged over a search from one source and over all vertices. Below them, a
  /// block that pushes is faster (source_tile.cuh); the second one is for narrow rows.
  std::size_t least_vertices_per_round = 200;
  std::size_t narrow_arcs_per_vertex = 8;
};
inline constexpr pull_tuning pulled{};

/// What one thread reads of a row.
template <class Word>
struct row_piece {
  static constexpr unsigned size = vector_bytes / sizeof(Word);
  Word words[size];
};

/// Words in global memory that other threads of the block may be writing.
template <class Word>
__device__ __forceinline__ row_piece<Word> read_piece(const Word* address) {
  const std::size_t from = __cvta_generic_to_global(address);
  row_piece<Word> piece;
  if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
    std::uint64_t bits[2];
    asm volatile("ld.relaxed.cta.global.v2.b64 {%0, %1}, [%2];"
                 : "=l"(bits[0]), "=l"(bits[1])
                 : "l"(from)
                 : "memory");
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) piece.words[i] = ::cuda::std::bit_cast<Word>(bits[i]);
  } else {
    static_assert(sizeof(Word) == sizeof(std::uint32_t));
    std::uint32_t bits[4];
    asm volatile("ld.relaxed.cta.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
                 : "l"(from)
                 : "memory");
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) piece.words[i] = ::cuda::std::bit_cast<Word>(bits[i]);
  }
  return piece;
}
template <class Word>
__device__ __forceinline__ void write_piece(Word* address, const row_piece<Word>& piece) {
  const std::size_t to = __cvta_generic_to_global(address);
  if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
    asm volatile("st.relaxed.cta.global.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(to), "l"(::cuda::std::bit_cast<std::uint64_t>(piece.words[0])),
                   "l"(::cuda::std::bit_cast<std::uint64_t>(piece.words[1]))
                 : "memory");
  } else {
    asm volatile("st.relaxed.cta.global.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(::cuda::std::bit_cast<std::uint32_t>(piece.words[0])),
                   "r"(::cuda::std::bit_cast<std::uint32_t>(piece.words[1])),
                   "r"(::cuda::std::bit_cast<std::uint32_t>(piece.words[2])),
                   "r"(::cuda::std::bit_cast<std::uint32_t>(piece.words[3]))
                 : "memory");
  }
}

/// Words of one distance each, in the type of the results.
template <class C, class Join>
struct full_lanes {
  using word = C;
  static constexpr unsigned per_word = 1;
  static constexpr bool may_wrap = Join::is_sum && std::is_integral_v<C>;

  static __device__ __forceinline__ word none() { return Join::none; }
  static __device__ __forceinline__ void set_start(word* row, unsigned source) {
    row[source] = Join::start;
  }
  static __device__ __forceinline__ word lesser(word a, word b) {
    if constexpr (std::is_floating_point_v<C>) {
      return ::cuda::std::fmin(a, b);
    } else {
      return b < a ? b : a;
    }
  }
  /// The lesser of @p best and the distance through a vertex at @p from.
  static __device__ __forceinline__ word relaxed(word best, word from, word weight, word limit) {
    if constexpr (may_wrap) {
      const bool may_extend = from < Join::none && Join::may_extend(from, weight, limit);
      return lesser(best, may_extend ? Join::join(from, weight) : Join::none);
    } else {
      return lesser(best, Join::join(from, weight));
    }
  }
  /// No path if the least distance is beyond the limit.
  static __device__ __forceinline__ word within(word distance, word limit) {
    return !may_wrap && limit < distance ? Join::none : distance;
  }
};

/// Words of two distances each, for weights that are whole numbers from 0 to `heaviest`. A distance
/// that comes close to `no_path` may be one that did not fit.
struct short_lanes {
  using word = std::uint32_t;
  static constexpr unsigned per_word = 2;
  static constexpr std::uint32_t heaviest = 8191;
  static constexpr std::uint32_t no_path = 0xffff - heaviest - 1;

  static constexpr __host__ __device__ word both(std::uint32_t value) { return value * 0x10001u; }
  static __device__ __forceinline__ word none() { return both(no_path); }
  static __device__ __forceinline__ void set_start(word* row, unsigned source) {
    reinterpret_cast<std::uint16_t*>(row)[source] = 0;
  }
  static __device__ __forceinline__ word lesser(word a, word b) { return __vminu2(a, b); }
  /// Sums do not wrap.
  static __device__ __forceinline__ word relaxed(word best, word from, word weight, word) {
    return __viaddmin_u16x2(from, weight, best);
  }
  static __device__ __forceinline__ word within(word distances, word limit) {
    const word is_beyond = __vcmpgtu2(distances, limit);
    return (distances & ~is_beyond) | (none() & is_beyond);
  }
};

template <class Word>
struct pulled_problem {
  device_arcs<Word> incoming;
  const std::int64_t* offsets;  ///< Of the outgoing arcs.
  const std::int32_t* targets;
  std::size_t num_sources;
  const std::int32_t* sources;
  Word limit;
  unsigned max_rounds;
  /// The rows of all tiles, or of the tiles that are solved at a time.
  Word* rows;
  bool has_rows_of_all;
  const int* stop;
  int* outcome;  ///< The worst `solve_outcome` of a tile.
};

/// The state of a block while it solves one tile after another. The block's dynamic shared memory
/// has `bit_bytes`.
template <class Lanes, unsigned RowBytes>
class pulled_tile {
 public:
  using word = typename Lanes::word;
  static constexpr unsigned words_per_row = RowBytes / sizeof(word);
  static constexpr unsigned num_lanes = words_per_row * Lanes::per_word;

  static constexpr std::size_t bit_bytes(std::size_t num_vertices) {
    return num_bit_arrays * ((num_vertices + warp_size - 1) / warp_size) * sizeof(std::uint32_t);
  }

  struct shared_state {
    unsigned vertices[pulled.threads];
    word weights[pulled.threads];
    bool stop[2];
  };

  __device__ pulled_tile(const pulled_problem<word>& problem, shared_state& shared)
      : problem_(problem), shared_(shared) {}

  __device__ solve_outcome solve(std::size_t tile) {
    // The vertices whose rows have changed in the last round, in this one, and in the next one.
    bits before{num_words()};
    bits now{2 * num_words()};
    bits next{3 * num_words()};
    start(tile, before);
    for (unsigned round = 0;; ++round) {
      if (threadIdx.x == 0) shared_.stop[round % 2] = is_to_stop();
      clear(next);
      if (__syncthreads_or(pass(before, now)) == 0) return solve_outcome::finished;
      if (shared_.stop[round % 2]) return solve_outcome::stopped;
      if (round > problem_.max_rounds) return solve_outcome::not_converged;
      const bits read = before;
      before = now;
      now = next;
      next = read;
    }
  }

  /// The rows of the tile that was solved last.
  __device__ const word* rows() const { return rows_; }

 private:
  using piece = row_piece<word>;
  static constexpr unsigned threads_per_row = RowBytes / vector_bytes;
  static constexpr unsigned rows_at_once = warp_size / threads_per_row;
  /// True if a group has enough threads to stage arcs by itself.
  static constexpr bool has_light_vertices = threads_per_row >= 4;
  static constexpr unsigned num_warps = pulled.threads / warp_size;
  static constexpr unsigned num_bit_arrays = 4;

  static __device__ unsigned warp() { return threadIdx.x / warp_size; }
  static __device__ unsigned lane() { return threadIdx.x % warp_size; }
  /// The row, of those that a warp reads at a time, that this thread reads a piece of.
  static __device__ unsigned row_of_warp() { return lane() / threads_per_row; }

  __device__ std::size_t num_vertices() const { return problem_.incoming.num_vertices; }
  /// The number of words of one array of bits.
  __device__ unsigned num_words() const {
    return (static_cast<unsigned>(num_vertices()) + warp_size - 1) / warp_size;
  }
  static __device__ std::uint32_t* all_bits() {
    extern __shared__ std::uint32_t pulled_bits[];
    return pulled_bits;
  }
  /// A bit for each vertex, from a word of the block's memory on.
  struct bits {
    unsigned first_word;

    __device__ std::uint32_t* word_of(unsigned v) const {
      return all_bits() + first_word + v / warp_size;
    }
    __device__ bool is_set(unsigned v) const {
      return (*static_cast<const volatile std::uint32_t*>(word_of(v)) >> v % warp_size & 1u) != 0;
    }
    __device__ void set(unsigned v) const {
      if (!is_set(v)) atomicOr(word_of(v), 1u << v % warp_size);
    }
  };
  /// The vertices of which one before them has changed since they were visited.
  static __device__ bits open() { return {0}; }
  __device__ void clear(bits which) const {
    for (unsigned i = threadIdx.x; i < num_words(); i += pulled.threads) {
      all_bits()[which.first_word + i] = 0;
    }
  }
  __device__ word* piece_of(unsigned v) const {
    return rows_ + std::size_t{v} * words_per_row + lane() % threads_per_row * piece::size;
  }
  __device__ bool is_to_stop() const {
    return problem_.stop != nullptr && read_shared_word(problem_.stop) != 0;
  }

  __device__ void start(std::size_t tile, bits first) {
    const std::size_t place = problem_.has_rows_of_all ? tile : blockIdx.x;
    rows_ = problem_.rows + place * num_vertices() * words_per_row;
    // The rows of the last tile may still be read.
    __syncthreads();
    constexpr unsigned rows_of_block = pulled.threads / threads_per_row;
    for (std::size_t v = threadIdx.x / threads_per_row; v < num_vertices(); v += rows_of_block) {
      write_piece(piece_of(static_cast<unsigned>(v)), nothing());
    }
    for (unsigned i = threadIdx.x; i < num_bit_arrays * num_words(); i += pulled.threads) {
      all_bits()[i] = 0;
    }
    __syncthreads();
    for (unsigned i = warp(); i < num_lanes; i += num_warps) {
      const std::size_t s = tile * num_lanes + i;
      if (s >= problem_.num_sources) break;
      const auto v = static_cast<unsigned>(problem_.sources[s]);
      if (lane() == 0) {
        Lanes::set_start(rows_ + std::size_t{v} * words_per_row, i);
        first.set(v);
      }
      open_after(v, lane(), warp_size);
    }
    __syncthreads();
  }
  /// Visits the open vertices; returns false if the warp has found none.
  /// @param before  what has changed in the last round.
  /// @param now     what changes in this one.
  __device__ bool pass(bits before, bits now) const {
    bool is_open = false;
    for (unsigned i = warp(); i < num_words(); i += num_warps) {
      std::uint32_t* const word_of_bits = open().word_of(i * warp_size);
      std::uint32_t vertices = 0;
      if (lane() == 0 && *static_cast<volatile std::uint32_t*>(word_of_bits) != 0) {
        vertices = atomicExch(word_of_bits, 0u);
      }
      vertices = __shfl_sync(whole_warp, vertices, 0);
      if (vertices == 0) continue;
      __syncwarp();
      // From here on, a warp that changes a row opens the vertices after it again.
      __threadfence_block();
      is_open = true;
      visit(i * warp_size, vertices, before, now);
    }
    return is_open;
  }

  /// @param vertices  bits of some vertices from @p first on.
  __device__ void visit(unsigned first, std::uint32_t vertices, bits before, bits now) const {
    const std::int64_t* const offsets =
        problem_.incoming.offsets + min(first + lane(), static_cast<unsigned>(num_vertices()) - 1);
    const auto own_begin = static_cast<unsigned>(offsets[0]);
    const unsigned own_count = static_cast<unsigned>(offsets[1]) - own_begin;
    const std::uint32_t light =
        has_light_vertices ? vertices & __ballot_sync(whole_warp, own_count <= threads_per_row) : 0;
    vertices ^= light;
    for (; vertices != 0; vertices &= vertices - 1) {
      const int i = __ffs(static_cast<int>(vertices)) - 1;
      visit_one(first + static_cast<unsigned>(i), __shfl_sync(whole_warp, own_begin, i),
                __shfl_sync(whole_warp, own_count, i), before, now);
    }
    for (std::uint32_t left = light; left != 0;) {
      // A vertex for each group; those that get none have lane 0's without its arcs.
      unsigned i = warp_size;
#pragma unroll
      for (unsigned group = 0; group < rows_at_once; ++group) {
        if (row_of_warp() == group && left != 0)
          i = static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
        left &= left - 1;
      }
      const unsigned begin = __shfl_sync(whole_warp, own_begin, i % warp_size);
      const unsigned count = __shfl_sync(whole_warp, own_count, i % warp_size);
      visit_one_each(first + i % warp_size, begin, i < warp_size ? count : 0, before, now);
    }
  }

  /// Relaxes the arcs into @p v whose other ends have changed, by all threads of the warp.
  __device__ __forceinline__ void visit_one(unsigned v, unsigned begin, unsigned count, bits before,
                                            bits now) const {
    piece best = nothing();
    for (unsigned base = 0; base < count; base += warp_size) {
      const arc a = arc_at(begin + base + lane(), base + lane() < count, before, now);
      const unsigned staged = stage(a);
      for (unsigned k = row_of_warp(); k < staged; k += rows_at_once) {
        const unsigned place = warp() * warp_size + k;
        relax(best, read_piece(piece_of(shared_.vertices[place])), shared_.weights[place]);
      }
    }
#pragma unroll
    for (unsigned step = threads_per_row; step < warp_size; step *= 2) {
#pragma unroll
      for (word& w : best.words) w = Lanes::lesser(w, __shfl_xor_sync(whole_warp, w, step));
    }
    const bool is_less = lower(v, best);
    if (__any_sync(whole_warp, is_less) == 0) return;
    if (row_of_warp() == 0) write_piece(piece_of(v), best);
    announce(v, true, now, lane(), warp_size);
  }

  /// Does the same for a vertex of each group of threads that reads a row.
  /// @param count  at most one for each thread of the group.
  __device__ __forceinline__ void visit_one_each(unsigned v, unsigned begin, unsigned count,
                                                 bits before, bits now) const {
    static_assert(threads_per_row < warp_size);
    constexpr unsigned whole_group = (1u << threads_per_row) - 1;
    const unsigned first_lane = row_of_warp() * threads_per_row;
    const unsigned own = lane() % threads_per_row;
    const arc a = arc_at(begin + own, own < count, before, now);
    unsigned arcs = __ballot_sync(whole_warp, a.has_changed) >> first_lane & whole_group;
    piece best = nothing();
    while (__any_sync(whole_warp, arcs != 0) != 0) {
      const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(arcs)));
      const unsigned place = first_lane + (first == 0 ? 0 : first - 1);
      const unsigned u = __shfl_sync(whole_warp, a.vertex, place);
      const word weight = __shfl_sync(whole_warp, a.weight, place);
      if (arcs != 0) relax(best, read_piece(piece_of(u)), weight);
      arcs &= arcs - 1;
    }
    const bool is_less = lower(v, best);
    const bool has_changed = (__ballot_sync(whole_warp, is_less) >> first_lane & whole_group) != 0;
    if (__any_sync(whole_warp, has_changed) == 0) return;
    if (has_changed) write_piece(piece_of(v), best);
    announce(v, has_changed, now, own, threads_per_row);
  }

  struct arc {
    unsigned vertex;
    word weight;
    bool has_changed;  ///< The vertex has, in the last round or in this one.
  };
  __device__ __forceinline__ arc arc_at(unsigned a, bool exists, bits before, bits now) const {
    if (!exists) return {0, word{}, false};
    const auto u = static_cast<unsigned>(problem_.incoming.targets[a]);
    return {u, problem_.incoming.weights[a], before.is_set(u) || now.is_set(u)};
  }
  static __device__ __forceinline__ piece nothing() {
    piece none;
#pragma unroll
    for (word& w : none.words) w = Lanes::none();
    return none;
  }
  __device__ __forceinline__ void relax(piece& best, const piece& from, word weight) const {
#pragma unroll
    for (unsigned i = 0; i < piece::size; ++i) {
      best.words[i] = Lanes::relaxed(best.words[i], from.words[i], weight, problem_.limit);
    }
  }

  /// Copies the arcs from vertices that have changed to shared memory; returns their number.
  __device__ __forceinline__ unsigned stage(const arc& a) const {
    const unsigned all = __ballot_sync(whole_warp, a.has_changed);
    // The last ones have been read.
    __syncwarp();
    if (a.has_changed) {
      const unsigned place =
          warp() * warp_size + static_cast<unsigned>(__popc(all & ((1u << lane()) - 1)));
      shared_.vertices[place] = a.vertex;
      shared_.weights[place] = a.weight;
    }
    __syncwarp();
    return static_cast<unsigned>(__popc(all));
  }

  /// Replaces @p best by the lesser of it and the row of @p v; returns true if it is less anywhere.
  __device__ __forceinline__ bool lower(unsigned v, piece& best) const {
    const piece old = read_piece(piece_of(v));
    bool is_less = false;
#pragma unroll
    for (unsigned i = 0; i < piece::size; ++i) {
      best.words[i] = Lanes::lesser(old.words[i], Lanes::within(best.words[i], problem_.limit));
      is_less = is_less || best.words[i] != old.words[i];
    }
    return is_less;
  }

  /// Opens the vertices after @p v, by threads of one warp that share the arcs out of it.
  /// @param own  the number of this thread among them.
  __device__ __forceinline__ void announce(unsigned v, bool has_changed, bits now, unsigned own,
                                           unsigned num_threads) const {
    // The row must be visible before the change is announced, and that before it is looked for.
    __threadfence_block();
    __syncwarp();
    if (has_changed && own == 0) now.set(v);
    __threadfence_block();
    __syncwarp();
    if (has_changed) open_after(v, own, num_threads);
  }
  __device__ __forceinline__ void open_after(unsigned v, unsigned own, unsigned num_threads) const {
    const auto end = static_cast<unsigned>(problem_.offsets[v + 1]);
    for (unsigned a = static_cast<unsigned>(problem_.offsets[v]) + own; a < end; a += num_threads) {
      open().set(static_cast<unsigned>(problem_.targets[a]));
    }
  }

  const pulled_problem<word>& problem_;
  shared_state& shared_;
  word* rows_ = nullptr;
};

}  // namespace apsp::inline v1::detail::cuda
