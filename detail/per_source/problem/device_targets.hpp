// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../host/solve_outcome.hpp"
#include "../../values/weight_types.hpp"

// Where the per-source kernels put their rows, how they finish them, and how they join arcs to
// paths.
namespace apsp::inline v1::detail::cuda {

/// Rows of vertex numbers in device memory.
struct device_vertices {
  void* data = nullptr;
  std::size_t pitch = 0;
  std::size_t bytes_each = 0;  ///< 4 or 8.
};

/// How kernels finish distances of type W that are computed in type C.
template <class C, class W>
struct device_finishing {
  std::optional<W> cutoff{};
  std::span<const C> potentials{};  ///< Empty if the weights were not reweighted; integers.
  bool may_saturate = false;        ///< A path may exceed the limit of the problem.
};

/// Matrices in device memory, with one row per source.
template <class C, class W>
struct device_row_target {
  device_matrix_view<W> distances;
  device_vertices predecessors{};  ///< Only for a problem with predecessors.
  device_finishing<C, W> finishing{};
};

/// True if there are kernels for these types.
template <class C, class W>
inline constexpr bool has_device_row_target =
    has_compiled_kernels<C> && has_compiled_kernels<W> &&
    (std::is_same_v<C, W> || (std::is_integral_v<C> && std::is_integral_v<W>));

struct device_row_outcome {
  solve_outcome outcome;
  bool has_saturated;
};

/// How the value of a path is computed from the weights of its arcs other than by addition: as the
/// largest weight, or as -1 times their product. The least value is the best.
enum class APSP_EXPORT path_join { maximum, product };

}  // namespace apsp::inline v1::detail::cuda
