// SPDX-License-Identifier: BSL-1.0
#include "transitive_closure.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../../graph/components.hpp"
#include "../../host/parallel_for.hpp"
#include "bit_kernel.hpp"
#include "bit_product.hpp"

namespace apsp::inline v1::detail::host {

namespace {

// The rows of the pivots are both an operand and the result of one product.
static_assert(warshall_solver::tile_bits <= rows_per_task);

/// Writes a line of the bits of a row of @p row_words words, from bit @p first on.
void copy_line(const std::uint64_t* row, std::size_t row_words, std::size_t first,
               std::uint64_t* line) {
  const std::size_t word = first / word_bits;
  const std::size_t shift = first % word_bits;
  const auto word_at = [&](std::size_t w) { return w < row_words ? row[w] : 0; };
  for (std::size_t w = 0; w < line_words; ++w) {
    const std::uint64_t low = word_at(word + w) >> shift;
    line[w] = shift == 0 ? low : low | word_at(word + w + 1) << (word_bits - shift);
  }
}

/// The successors of each component, that is, the components that its arcs lead to, nearest first.
struct successor_lists {
  std::vector<std::size_t> offsets{0};
  std::vector<std::int32_t> components;
};

successor_lists find_successors(const arc_view& arcs, const components& found) {
  successor_lists lists;
  std::vector<std::int32_t> last_to_list(found.count(), -1);
  for (std::size_t c = 0; c < found.count(); ++c) {
    const auto self = static_cast<std::int32_t>(c);
    last_to_list[c] = self;
    for (std::size_t i = found.offsets[c]; i < found.offsets[c + 1]; ++i) {
      const auto v = static_cast<std::size_t>(found.members[i]);
      for (std::size_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
        const std::int32_t to = found.component_of[static_cast<std::size_t>(arcs.targets[a])];
        if (last_to_list[static_cast<std::size_t>(to)] == self) continue;
        last_to_list[static_cast<std::size_t>(to)] = self;
        lists.components.push_back(to);
      }
    }
    // Successors have smaller numbers. In descending order, a successor that another one reaches is
    // already covered when its turn comes.
    std::sort(lists.components.begin() + static_cast<std::ptrdiff_t>(lists.offsets.back()),
              lists.components.end(), std::greater<>());
    lists.offsets.push_back(lists.components.size());
  }
  return lists;
}

/// Writes words [begin, end) of the rows of component @p c.
void close_component(std::size_t c, const components& found, const successor_lists& successors,
                     const bit_view& bits, std::size_t begin, std::size_t end) {
  const bit_kernels& kernels = choose_bit_kernels();
  const auto in_range = [&](std::size_t word) { return begin <= word && word < end; };
  std::uint64_t* const row = bits.row(found.first(c));
  std::fill(row + begin, row + end, 0);
  for (std::size_t s = successors.offsets[c]; s < successors.offsets[c + 1]; ++s) {
    const std::size_t v = found.first(static_cast<std::size_t>(successors.components[s]));
    const std::size_t word = v / word_bits;
    if (in_range(word) && (row[word] >> v % word_bits & 1) != 0)
      continue;  // already covered, with all it reaches
    kernels.unite(end - begin, row + begin, bits.row(v) + begin);
  }
  for (std::size_t i = found.offsets[c]; i < found.offsets[c + 1]; ++i) {
    const auto v = static_cast<std::size_t>(found.members[i]);
    if (in_range(v / word_bits)) row[v / word_bits] |= std::uint64_t{1} << v % word_bits;
  }
  for (std::size_t i = found.offsets[c] + 1; i < found.offsets[c + 1]; ++i) {
    std::copy(row + begin, row + end, bits.row(static_cast<std::size_t>(found.members[i])) + begin);
  }
}

}  // namespace

warshall_solver::warshall_solver(std::size_t num_rows, std::size_t num_columns, int threads)
    : tile_(std::min(num_columns, tile_bits), line_words),
      columns_(num_rows, line_words),
      tables_(threads) {}

void warshall_solver::close_pivots(const bit_view& rows, std::size_t first_pivot) {
  for (std::size_t k = 0; k < rows.rows; ++k) {
    copy_line(rows.row(k), rows.pitch, first_pivot, tile_[k]);
  }
  choose_bit_kernels().close(rows.rows, tile_.data());
  // After the tile is closed, one product makes the rows of the pivots final.
  multiply_bits({tile_.data(), rows.rows, rows.rows, line_words},
                {rows.words, rows.rows, rows.columns, rows.pitch}, rows, tables_);
}

void warshall_solver::relax(const bit_view& bits, std::size_t first_row,
                            const const_bit_view& pivots, std::size_t first_pivot) {
  // The columns are read from a copy, because threads write to them. The rows of the pivots get
  // zero columns, which add nothing: they are not written while other threads read them.
  parallel_for(bits.rows, tables_.threads(), [&](std::size_t i) {
    if (first_row + i - first_pivot < pivots.rows) {
      std::fill_n(columns_[i], line_words, 0);
    } else {
      copy_line(bits.row(i), bits.pitch, first_pivot, columns_[i]);
    }
  });
  multiply_bits({columns_.data(), bits.rows, pivots.rows, line_words}, pivots, bits, tables_);
}

bool warshall_solver::solve(const bit_view& bits, monitor& watch) {
  const std::size_t n = bits.rows;
  watch.begin(n);
  for (std::size_t pivot = 0; pivot < n; pivot += tile_bits) {
    if (watch.stop_requested()) return false;
    const std::size_t count = std::min(tile_bits, n - pivot);
    const bit_view pivots{bits.row(pivot), count, n, bits.pitch};
    close_pivots(pivots, pivot);
    relax(bits, 0, {pivots.words, count, n, bits.pitch}, pivot);
    watch.advance(count);
  }
  return !watch.stop_requested();
}

bool close_condensed(const arc_view& arcs, const bit_view& bits, int threads, monitor& watch) {
  const std::size_t n = bits.rows;
  watch.begin(n);
  components found;
  if (!find_components(arcs.offsets, arcs.targets, n, watch, found)) return false;
  const successor_lists successors = find_successors(arcs, found);

  // Every thread has its own range of columns, in whole lines, so no row waits for another one.
  const std::size_t lines = bits.pitch / line_words;
  const std::size_t num_ranges =
      std::min(lines, static_cast<std::size_t>(std::max(1, thread_count(threads))));
  const auto range_begin = [&](std::size_t r) { return lines * r / num_ranges * line_words; };

  // Words between two checks of the monitor: a few milliseconds.
  constexpr std::size_t words_per_step = std::size_t{1} << 23;
  std::size_t c = 0;
  while (c < found.count()) {
    if (watch.stop_requested()) return false;
    std::size_t end = found.count();
    if (watch.is_observed()) {
      std::size_t words = 0;
      for (end = c; end < found.count() && words < words_per_step; ++end) {
        const std::size_t rows = found.offsets[end + 1] - found.offsets[end] +
                                 successors.offsets[end + 1] - successors.offsets[end];
        words += rows * bits.pitch;
      }
    }
    parallel_for(
        num_ranges, threads,
        [&](std::size_t r) {
          for (std::size_t k = c; k < end; ++k) {
            close_component(k, found, successors, bits, range_begin(r), range_begin(r + 1));
          }
        },
        1);
    watch.advance(found.offsets[end] - found.offsets[c]);
    c = end;
  }
  return !watch.stop_requested();
}

}  // namespace apsp::inline v1::detail::host
