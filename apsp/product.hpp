// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/calls.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"

namespace apsp::inline v1 {

/// Passed as the last argument, makes a product replace its result instead of relaxing it.
struct overwrite_t {
  explicit overwrite_t() = default;
};
inline constexpr overwrite_t overwrite{};

/// Relaxes a matrix with the min-plus product of two: c[i][j] = min(c[i][j], a[i][k] + b[k][j])
/// over all k.
///
/// Given the distances to a set of vertices and from it, this computes the distances over paths
/// through the set; it is the building block of the dense algorithms.
///
/// @param a  m x k, any kind of matrix with a known shape.
/// @param b  k x n.
/// @param c  m x n, both read and written: in a new matrix every entry must be `unreachable`, not
///           0, or `overwrite` must be passed. It may share memory with a or b; the factors are
///           then their values before the call.
/// @throws std::invalid_argument if the shapes do not match, or an entry is NaN; nothing is written
///         then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @return false with `stopped()`: c is then unspecified. The policy's `progress` counts k; its
///         `cutoff` has no effect.
/// An `unreachable` entry means that there is no path, and absorbs. Integers never wrap: a sum that
/// does not fit is `unreachable`, or the lowest value, with `saturated()` true.
/// All matrices are in host memory, or all are on one device: `device_matrix` or
/// `device_matrix_view`, of the same type, which must have kernels (docs/device_memory.md).
/// Complexity: m n k relaxations; all three matrices on the device under `cuda_*`; copies of
/// integer matrices on the host.
/// Source: Aho, Hopcroft and Ullman 1974.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C>
result min_plus_product(const Policy& policy, const A& a, const B& b, C&& c) {
  return detail::product(policy, a, b, c, min_plus<matrix_value_t<C>>{});
}

/// As above, but replaces c by the product: c[i][j] = min(a[i][k] + b[k][j]) over all k. The former
/// entries of c are not read.
///
/// All matrices are in host memory. In device memory, set c to `unreachable` and call without
/// `overwrite`.
/// Memory: a second matrix of the shape of c.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C>
result min_plus_product(const Policy& policy, const A& a, const B& b, C&& c, overwrite_t) {
  return detail::overwriting_product(policy, a, b, c, min_plus<matrix_value_t<C>>{});
}

/// As above over any semiring, including those that other algorithms reject: c[i][j] =
/// plus(c[i][j], times(a[i][k], b[k][j])) over all k, in increasing order.
///
/// Over `or_and` it runs on bits, 64 columns per word: c[i][j] becomes true if a[i][k] and b[k][j]
/// are true for some k. The matrices are `bit_matrix`, or have entries that convert to bool and,
/// for c, from bool.
/// @throws std::invalid_argument as above, and if the semiring does not admit an entry.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C,
          semiring Semiring>
result semiring_product(const Policy& policy, const A& a, const B& b, C&& c,
                        const Semiring& semiring) {
  return detail::product(policy, a, b, c, semiring);
}

/// As above, but replaces c by the product, as `min_plus_product` does with `overwrite`.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C,
          semiring Semiring>
result semiring_product(const Policy& policy, const A& a, const B& b, C&& c,
                        const Semiring& semiring, overwrite_t) {
  return detail::overwriting_product(policy, a, b, c, semiring);
}

}  // namespace apsp::inline v1
