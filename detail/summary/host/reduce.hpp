// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "../../../apsp/config.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../matrix/host/row_kernel.hpp"
#include "../../matrix/row_record.hpp"
#include "../../values/weight_types.hpp"
#include "../bins.hpp"
#include "../rows.hpp"

namespace apsp::inline v1::detail::host {

/// Summarizes the row of @p source, which has n entries; the entry of the source is not read.
template <class T>
APSP_EXPORT row_record<T> summarize_row(const T* distances, std::size_t n, std::size_t source,
                                        T limit) {
  const segment_kernels<T>& kernels = choose_segment_kernels<T>();
  row_record<T> record;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (; begin < end; begin += segment_size) {
      const T* const from = distances + begin;
      const std::size_t size = std::min(segment_size, end - begin);
      segment_totals<T> totals;
      kernels.sum_row(from, size, limit, totals);
      const auto find = [&](const T& largest) {
        return static_cast<std::int32_t>(std::find(from, from + size, largest) - distances);
      };
      add_segment(totals, false, find, record);
    }
  };
  add(0, source);
  add(source + 1, n);
  return record;
}

/// The counts of one thread. If there are few counts, each has several copies: neighbours in a row
/// are often equal, and a count that has just been written is slow to read.
class row_counts {
 public:
  explicit row_counts(std::size_t size)
      : copies_(size <= most_copied ? most_copies : 1), counts_(size * copies_) {}

  void add(std::size_t place, std::size_t turn) {
    ++counts_[place * copies_ + (turn & (copies_ - 1))];
  }
  void add_to(std::vector<std::uint64_t>& totals) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) totals[i / copies_] += counts_[i];
  }

 private:
  static constexpr std::size_t most_copied = 1024;
  static constexpr std::size_t most_copies = 4;

  std::size_t copies_;
  std::vector<std::uint64_t> counts_;
};

/// Counts the distances in the row of @p source, which has n entries; the entry of the source is
/// not read.
template <class T>
APSP_EXPORT void count_row(const T* distances, std::size_t n, std::size_t source, T limit,
                           const bin_rule<T>& bins, row_counts& counts) {
  const bin_rule<T> rule = bins;  // a copy, which no write can alias
  for (std::size_t v = 0; v < source; ++v) counts.add(rule.place(distances[v], limit), v);
  for (std::size_t v = source + 1; v < n; ++v) counts.add(rule.place(distances[v], limit), v);
}

#define APSP_EXTERN_ROWS(T)                                                                    \
  extern template row_record<T> summarize_row<T>(const T*, std::size_t, std::size_t, T);       \
  extern template void count_row<T>(const T*, std::size_t, std::size_t, T, const bin_rule<T>&, \
                                    row_counts&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_ROWS)
#undef APSP_EXTERN_ROWS

/// A pool of counts, one for each thread that counts concurrently.
class counts_pool {
 public:
  explicit counts_pool(std::size_t size) : size_(size) {}

  /// Calls count(counts) with counts that no other thread uses at that time.
  template <class Count>
  void with_counts(Count count) {
    row_counts mine = take();
    count(mine);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(mine));
  }

  /// The sum of all counts.
  std::vector<std::uint64_t> total() const {
    std::vector<std::uint64_t> totals(size_);
    for (const row_counts& counts : free_) counts.add_to(totals);
    return totals;
  }

 private:
  row_counts take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        row_counts counts = std::move(free_.back());
        free_.pop_back();
        return counts;
      }
    }
    return row_counts(size_);
  }

  std::size_t size_;
  std::mutex mutex_;
  std::vector<row_counts> free_;
};

/// Calls f(i, distances) for every row, on the given number of threads.
/// @return false if @p watch requested a stop; some rows are then left out.
template <class T, class F>
bool for_each_row_of(const row_source<T>& rows, int threads, monitor& watch, F f) {
  if (rows.num_rows() == 0) return true;
  const std::size_t n = rows.num_vertices();
  const bool in_place = rows.in_place(0) != nullptr;
  // Entries that a thread takes at once if rows are short.
  constexpr std::size_t entries_per_turn = std::size_t{1} << 15;
  const std::size_t per_panel =
      in_place ? std::max<std::size_t>(entries_per_turn / n, 1) : rows_of_panel;
  const std::size_t num_panels = (rows.num_rows() + per_panel - 1) / per_panel;
  parallel_for_with_workspace(
      num_panels, threads, [&] { return std::vector<T>(in_place ? 0 : per_panel * n); },
      [&](std::vector<T>& panel, std::size_t p) {
        if (watch.stop_requested()) return;
        const std::size_t begin = p * per_panel;
        const std::size_t count = std::min(per_panel, rows.num_rows() - begin);
        if (!in_place) rows.copy(begin, count, panel.data());
        for (std::size_t i = 0; i < count; ++i) {
          f(begin + i, in_place ? rows.in_place(begin + i) : panel.data() + i * n);
        }
        watch.advance(count);
      });
  return !watch.stop_requested();
}

/// Summarizes every row.
/// @return false if @p watch requested a stop; the records are then unspecified.
template <class T>
bool summarize_rows(const row_source<T>& rows, T limit, int threads, monitor& watch,
                    row_record<T>* records) {
  return for_each_row_of(rows, threads, watch, [&](std::size_t i, const T* distances) {
    records[i] = summarize_row(distances, rows.num_vertices(),
                               static_cast<std::size_t>(rows.sources()[i]), limit);
  });
}

/// Counts the distances of all rows.
/// @return false if @p watch requested a stop; the counts are then unspecified.
template <class T>
bool count_rows(const row_source<T>& rows, T limit, const bin_rule<T>& bins, int threads,
                monitor& watch, std::vector<std::uint64_t>& counts) {
  counts_pool pool(bins.num_counts());
  const bool finished =
      for_each_row_of(rows, threads, watch, [&](std::size_t i, const T* distances) {
        pool.with_counts([&](row_counts& mine) {
          count_row(distances, rows.num_vertices(), static_cast<std::size_t>(rows.sources()[i]),
                    limit, bins, mine);
        });
      });
  counts = pool.total();
  return finished;
}

}  // namespace apsp::inline v1::detail::host
