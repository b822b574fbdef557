// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/calls.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"

namespace apsp {

/// Relaxes a matrix over the product of two: c[i][j] = min(c[i][j], a[i][k] + b[k][j]) over all k.
///
/// The distances over paths that pass a vertex of a set, given those to the set and from it; the
/// building block of the dense algorithms.
///
/// @param a  m x k, of any kind of matrix that tells its shape.
/// @param b  k x n.
/// @param c  m x n; it is both read and written. It may share memory with a or b: the factors are then
///           those of before the call.
/// @throws std::invalid_argument if the shapes do not fit, or an entry is NaN; nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device
///         memory, if device memory does not suffice, or if a CUDA call fails.
/// @return false if `stopped()`: c is then unspecified. The policy's `progress` counts k; its `cutoff`
///         does not apply.
/// An entry of `unreachable` is none, and absorbs. Integers never wrap: a sum that does not fit is
/// `unreachable`, or the lowest value, with `saturated()`.
/// The matrices all lie in host memory, or all on one device: `device_matrix`, `device_matrix_view`, of one
/// type that has kernels (docs/device_memory.md).
/// Complexity: m n k relaxations; all three matrices on the device under `cuda_*`; copies of integer
/// matrices on the host.
/// Source: Aho, Hopcroft and Ullman 1974.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C>
result min_plus_product(const Policy& policy, const A& a, const B& b, C&& c) {
  return detail::product(policy, a, b, c, min_plus<matrix_value_t<C>>{});
}

/// The same over any semiring, sound or not for other algorithms:
/// c[i][j] = plus(c[i][j], times(a[i][k], b[k][j])) over all k, in increasing order.
///
/// Over `or_and` it runs on bits, 64 columns to a word: c[i][j] becomes true if, for some k, a[i][k] and
/// b[k][j] are. The matrices are `bit_matrix`, or of any entries that convert to bool and, in c, from it.
/// @throws std::invalid_argument as above, and if an entry is none that the semiring admits.
template <execution_policy Policy, operand_matrix A, operand_matrix B, result_matrix C,
          semiring Semiring>
result semiring_product(const Policy& policy, const A& a, const B& b, C&& c,
                        const Semiring& semiring) {
  return detail::product(policy, a, b, c, semiring);
}

}  // namespace apsp
