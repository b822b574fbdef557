// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../per_source/search/host/search_kernel.hpp"

namespace apsp::inline v1::detail::host {

/// Breadth-first search from all vertices of a small graph at once. For each vertex u there is the
/// set of vertices that are k steps from u; those k + 1 steps from u are k steps from the end of an
/// arc of u. A set is one bit for each vertex. As in `search_batches`, the steps are written as
/// planes of their bits, but a set is a part of a row of the result, so planes need not be
/// transposed. There are no branches on sets: they would be mispredicted.
/// Source: Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014.
template <std::size_t MostVertices>
class small_search {
  static constexpr std::size_t most_words =
      (MostVertices + search_word_bits - 1) / search_word_bits;
  static constexpr std::size_t most_planes = std::bit_width(MostVertices);
  using sets = std::array<std::uint64_t, MostVertices * most_words>;

 public:
  /// Begins a graph of @p n vertices without arcs.
  void begin(std::size_t n) {
    n_ = n;
    // The numbers of words that the loops below are compiled for.
    num_words_ = std::bit_ceil((n + search_word_bits - 1) / search_word_bits);
    for (std::size_t i = 0; i < n * num_words_; ++i) ends_[i] = 0;
  }
  void add_arc(std::size_t u, std::size_t v) { add(ends_, u, v); }

  /// Calls next_step() before each step, until it returns false or a step finds nothing.
  template <class NextStep>
  void run(NextStep next_step) {
    static_assert(most_words <= 4);
    if (num_words_ == 1) return run_with<1>(next_step);
    if (num_words_ == 2) return run_with<2>(next_step);
    run_with<4>(next_step);
  }

  /// Calls f(v, number) for every vertex v: number 0 means that no step reached v from @p u, and k
  /// + 1 that step k did.
  template <class F>
  void for_each_number(std::size_t u, F f) const {
    std::array<std::int32_t, search_word_bits> numbers;
    for (std::size_t first = 0; first < n_; first += search_word_bits) {
      kernels_.read(planes_[0].data(), planes_[0].size(), num_planes_,
                    u * num_words_ + first / search_word_bits, numbers.data());
      const std::size_t count = n_ - first < search_word_bits ? n_ - first : search_word_bits;
      for (std::size_t i = 0; i < count; ++i) {
        f(first + i, static_cast<std::size_t>(numbers[i]));
      }
    }
  }

 private:
  struct arc {
    std::uint16_t source;
    std::uint16_t target;
  };

  void add(sets& to, std::size_t set, std::size_t v) const {
    to[set * num_words_ + v / search_word_bits] |= std::uint64_t{1} << v % search_word_bits;
  }

  /// Lists the first arc of every vertex, then the second ones, and so on: successive arcs then
  /// change different sets, and do not wait for each other.
  template <std::size_t Words>
  void list_arcs() {
    arcs_.clear();
    std::array<std::uint16_t, MostVertices> open;
    for (std::size_t u = 0; u < n_; ++u) open[u] = static_cast<std::uint16_t>(u);
    for (std::size_t num_open = n_; num_open != 0;) {
      std::size_t still_open = 0;
      for (std::size_t i = 0; i < num_open; ++i) {
        std::uint64_t* const ends = ends_.data() + open[i] * Words;
        std::size_t w = 0;
        while (w < Words && ends[w] == 0) ++w;
        if (w == Words) continue;
        const std::size_t v =
            w * search_word_bits + static_cast<std::size_t>(std::countr_zero(ends[w]));
        ends[w] &= ends[w] - 1;
        arcs_.push_back({open[i], static_cast<std::uint16_t>(v)});
        open[still_open++] = open[i];
      }
      num_open = still_open;
    }
  }

  template <std::size_t Words, class NextStep>
  void run_with(NextStep& next_step) {
    list_arcs<Words>();
    const std::size_t size = n_ * Words;
    std::uint64_t* from = frontier_[0].data();
    std::uint64_t* to = frontier_[1].data();
    for (std::size_t i = 0; i < size; ++i) from[i] = seen_[i] = planes_[0][i] = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      add(frontier_[0], v, v);
      add(seen_, v, v);
      add(planes_[0], v, v);
    }
    num_planes_ = 1;
    bool has_found = true;
    for (std::size_t number = 2; has_found && next_step(); ++number) {
      for (std::size_t i = 0; i < size; ++i) to[i] = 0;
      for (const arc& a : arcs_) {
        for (std::size_t w = 0; w < Words; ++w) {
          to[a.source * Words + w] |= from[a.target * Words + w];
        }
      }
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < size; ++i) {
        to[i] &= ~seen_[i];
        seen_[i] |= to[i];
        any |= to[i];
      }
      has_found = any != 0;
      if (!has_found) break;
      if (std::has_single_bit(number)) {
        std::uint64_t* const plane = planes_[num_planes_++].data();
        for (std::size_t i = 0; i < size; ++i) plane[i] = 0;
      }
      for (std::size_t p = 0; p < num_planes_; ++p) {
        if ((number >> p & 1) == 0) continue;
        std::uint64_t* const plane = planes_[p].data();
        for (std::size_t i = 0; i < size; ++i) plane[i] |= to[i];
      }
      std::swap(from, to);
    }
  }

  const search_kernels& kernels_ = choose_search_kernels(1);
  std::size_t n_ = 0;
  std::size_t num_words_ = 0;
  std::size_t num_planes_ = 0;
  std::vector<arc> arcs_;
  sets ends_;  ///< Of the arcs of each vertex, until they are listed.
  sets seen_;
  std::array<sets, 2> frontier_;
  std::array<sets, most_planes> planes_;
};

}  // namespace apsp::inline v1::detail::host
