// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/device_matrix.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>

namespace apsp_test {

/// A matrix in device memory that is a part of a larger one, whose other entries must stay.
template <class T>
class device_part {
 public:
  /// @param gap  entries between the rows
  device_part(const apsp::matrix<T>& entries, std::size_t gap)
      : shape_{entries.rows(), entries.cols()}, around_(embedded(entries, gap)), memory_(around_) {}

  apsp::device_matrix_view<T> view() {
    return {memory_.data(), shape_.rows, shape_.columns, memory_.cols()};
  }
  apsp::device_matrix_view<const T> view() const {
    return {memory_.data(), shape_.rows, shape_.columns, memory_.cols()};
  }
  apsp::matrix<T> to_host() const { return apsp::copy_to_host(view()); }

  bool is_untouched_around() const {
    const auto now = memory_.to_host();
    for (std::size_t i = 0; i < around_.rows(); ++i) {
      if (!std::equal(now[i] + shape_.columns, now[i] + around_.cols(),
                      around_[i] + shape_.columns)) {
        return false;
      }
    }
    return true;
  }

 private:
  static apsp::matrix<T> embedded(const apsp::matrix<T>& entries, std::size_t gap) {
    apsp::matrix<T> around(entries.rows(), entries.cols() + gap, T(1));
    for (std::size_t i = 0; i < entries.rows(); ++i) {
      std::copy(entries[i], entries[i] + entries.cols(), around[i]);
    }
    return around;
  }

  apsp::matrix_shape shape_;
  apsp::matrix<T> around_;
  apsp::device_matrix<T> memory_;
};

}  // namespace apsp_test
