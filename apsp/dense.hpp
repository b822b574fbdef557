// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::inline v1 {

/// A non-owning view of a matrix as a graph, for a matrix type that is also a graph in another
/// sense. The matrix must outlive the view.
template <class M>
class dense_view {
 public:
  explicit dense_view(const M& m) : matrix_(&m) {}
  const M& matrix() const noexcept { return *matrix_; }

 private:
  const M* matrix_;
};

}  // namespace apsp::inline v1

// How matrices and these views are read.
#include "../adaptors/dense.hpp"
