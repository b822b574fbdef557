// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "outputs.hpp"

namespace apsp::inline v1::detail {

/// Passes the rows of a call on to its output, each of them once: if a solver gives up, another one
/// solves for the sources whose rows have not been passed on.
template <class T>
class remaining_rows final : public row_output<T> {
 public:
  remaining_rows(row_output<T>& output, std::span<const std::int32_t> sources)
      : row_output<T>(output.wants_predecessors(), output.targets(), output.takes_reached()),
        output_(output),
        sources_(sources.begin(), sources.end()),
        rows_(sources.size()),
        is_finished_(sources.size(), 0) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  }

  /// From now on the rows are those of the sources that have not been passed on.
  /// @return these sources, until the next call.
  std::span<const std::int32_t> restart() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_finished_[i] != 0) continue;
      rows_[count] = rows_[i];
      sources_[count++] = sources_[i];
    }
    rows_.resize(count);
    sources_.resize(count);
    is_finished_.assign(count, 0);
    return sources_;
  }

  T* distances(std::size_t row) override { return output_.distances(rows_[row]); }
  std::int32_t* predecessors(std::size_t row) override { return output_.predecessors(rows_[row]); }
  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t* predecessors) override {
    is_finished_[row] = 1;
    output_.write(rows_[row], source, distances, predecessors);
  }
  void write_reached(std::size_t row, std::size_t source,
                     std::span<reached_vertex<T>> reached) override {
    is_finished_[row] = 1;
    output_.write_reached(rows_[row], source, reached);
  }

 private:
  row_output<T>& output_;
  std::vector<std::int32_t> sources_;
  std::vector<std::size_t> rows_;  ///< The rows of the output.
  std::vector<char> is_finished_;  ///< Threads write those of different rows.
};

}  // namespace apsp::inline v1::detail
