// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>

#include "../../apsp/matrix_traits.hpp"
#include "../matrix/rows.hpp"

namespace apsp::inline v1::detail {

/// Rows of distances, not owned, that several threads may read concurrently.
template <class T>
class row_source {
 public:
  row_source(std::span<const std::int32_t> sources, std::size_t num_vertices)
      : sources_(sources), num_vertices_(num_vertices) {}
  row_source(const row_source&) = delete;
  row_source& operator=(const row_source&) = delete;

  /// The source vertex of each row.
  std::span<const std::int32_t> sources() const { return sources_; }
  std::size_t num_rows() const { return sources_.size(); }
  std::size_t num_vertices() const { return num_vertices_; }

  /// Row @p i if its entries are contiguous; null otherwise, for every i.
  virtual const T* in_place(std::size_t i) const = 0;
  /// Copies @p count rows, from row @p first on, to consecutive rows.
  virtual void copy(std::size_t first, std::size_t count, T* rows) const = 0;

 protected:
  ~row_source() = default;

 private:
  std::span<const std::int32_t> sources_;
  std::size_t num_vertices_;
};

/// Rows that are fetched together: those of a column-major matrix share cache lines.
inline constexpr std::size_t rows_of_panel = 16;

/// The rows of a matrix of any kind.
template <class M>
class matrix_row_source final : public row_source<matrix_value_t<const M>> {
  using T = matrix_value_t<const M>;
  using base = row_source<T>;

 public:
  matrix_row_source(const M& m, std::span<const std::int32_t> sources, std::size_t num_vertices)
      : base(sources, num_vertices), matrix_(m) {}

  const T* in_place([[maybe_unused]] std::size_t i) const override {
    return contiguous_row<const T>(matrix_, i);
  }

  void copy(std::size_t first, std::size_t count, T* rows) const override {
    const std::size_t n = this->num_vertices();
    if (in_place(first) != nullptr) {
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(rows + i * n, in_place(first + i), n * sizeof(T));
      }
    } else if constexpr (can_be_written_by_threads<const M>) {
      gather(first, count, rows);
    } else {
      // A matrix that is not known to be an array may not support concurrent reads.
      const std::lock_guard lock(mutex_);
      gather(first, count, rows);
    }
  }

 private:
  void gather(std::size_t first, std::size_t count, T* rows) const {
    const std::size_t n = this->num_vertices();
    for (std::size_t begin = 0; begin < count; begin += rows_of_panel) {
      const std::size_t end = std::min(begin + rows_of_panel, count);
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t i = begin; i < end; ++i) {
          rows[i * n + v] = matrix_entry(matrix_, first + i, v);
        }
      }
    }
  }

  const M& matrix_;
  mutable std::mutex mutex_;
};

}  // namespace apsp::inline v1::detail
