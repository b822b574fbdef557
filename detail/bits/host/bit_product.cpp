// SPDX-License-Identifier: BSL-1.0
#include "bit_product.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../host/instruction_set.hpp"
#include "../../host/parallel_for.hpp"
#include "bit_kernel.hpp"

namespace apsp::inline v1::detail::host {

static_assert(line_words == bit_matrix::line_words && word_bits == bit_matrix::word_bits);

const bit_kernels& choose_bit_kernels() {
  return APSP_CHOSEN_LOOPS(avx512_bit_kernels, avx2_bit_kernels, baseline_bit_kernels);
}

lookup_tables::lookup_tables(int threads)
    : threads_(std::max(1, thread_count(threads))),
      words_(static_cast<std::size_t>(threads_) * table_words) {}

std::uint64_t* lookup_tables::of(int t) {
  return words_.data() + static_cast<std::size_t>(t) * table_words;
}

void multiply_bits(const const_bit_view& a, const const_bit_view& b, const bit_view& c,
                   lookup_tables& tables) {
  const bit_kernels& kernels = choose_bit_kernels();
  const std::size_t row_parts = (c.rows + rows_per_task - 1) / rows_per_task;
  const std::size_t strips = c.pitch / line_words;
  // Not OpenMP's thread numbers: with one thread, these are the numbers in the caller's team.
  std::atomic<int> next = 0;
  parallel_for_with_workspace(
      row_parts * strips, tables.threads(), [&] { return tables.of(next++); },
      [&](std::uint64_t* own, std::size_t task) {
        // The strips of one part are consecutive tasks, so its rows of a stay in the cache.
        const std::size_t first = task / strips * rows_per_task;
        const std::size_t word = task % strips * line_words;
        kernels.multiply({.m = std::min(rows_per_task, c.rows - first),
                          .depth = b.rows,
                          .a = a.row(first),
                          .a_pitch = a.pitch,
                          .b = b.words + word,
                          .b_pitch = b.pitch,
                          .c = c.row(first) + word,
                          .c_pitch = c.pitch},
                         own);
      });
}

bool bit_product(const const_bit_view& a, const const_bit_view& b, const bit_view& c, int threads,
                 monitor& watch) {
  // A multiple of a line; thousands of rows, so that the fixed cost of a step is small.
  constexpr std::size_t columns_per_step = 4096;
  const std::size_t depth = b.rows;
  const std::size_t step = watch.is_observed() ? columns_per_step : std::max<std::size_t>(depth, 1);
  lookup_tables tables(threads);
  watch.begin(depth);
  for (std::size_t k = 0; k < depth; k += step) {
    if (watch.stop_requested()) return false;
    const std::size_t count = std::min(step, depth - k);
    multiply_bits({a.words + k / word_bits, a.rows, count, a.pitch},
                  {b.row(k), count, b.columns, b.pitch}, c, tables);
    watch.advance(count);
  }
  return !watch.stop_requested();
}

}  // namespace apsp::inline v1::detail::host
