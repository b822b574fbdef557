// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <cuda/std/bit>
#include <type_traits>

#include "../../../../apsp/semiring.hpp"
#include "../../../device/bounds.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"

// Definitions shared by the kernels of the per-source algorithms.
namespace apsp::inline v1::detail::cuda {

/// `no_path`, as a value: device code must not call a constexpr host function unless nvcc is told
/// to allow it, and a user's own file may be compiled without that option.
template <class C>
inline constexpr C unreached = no_path<C>();

/// `extends`, which device code must not call either.
template <class C>
__device__ __forceinline__ bool may_extend(C distance, C weight, C limit) {
  if constexpr (std::is_integral_v<C>) {
    return weight <= limit - distance;
  } else {
    return !(limit < distance + weight);
  }
}

// How the value of a path is computed from its arcs. In every case the least value is the best, so
// kernels compare with < and store by minimum: an order in which the maximum is best is reversed on
// the host.

/// Weights are added.
template <class C>
struct plus_weights {
  static constexpr bool is_sum = true;
  static constexpr bool rounds = std::is_floating_point_v<C>;
  static constexpr C start = C{};          ///< The empty path.
  static constexpr C none = unreached<C>;  ///< No path, above all others.

  static __host__ __device__ __forceinline__ C join(C distance, C weight) {
    return static_cast<C>(distance + weight);
  }
  static __device__ __forceinline__ bool may_extend(C distance, C weight, C limit) {
    return cuda::may_extend(distance, weight, limit);
  }
};

/// The value is the largest weight.
template <class C>
struct max_weights {
  static constexpr bool is_sum = false;
  static constexpr bool rounds = false;
  static constexpr C start = min_max<C>::one;
  static constexpr C none = min_max<C>::zero;

  static __host__ __device__ __forceinline__ C join(C distance, C weight) {
    return distance < weight ? weight : distance;
  }
  static __device__ __forceinline__ bool may_extend(C distance, C weight, C limit) {
    return !(limit < join(distance, weight));
  }
};

/// Weights in [0, 1] are multiplied, starting with -1, so that the largest product has the least
/// value.
template <class C>
struct times_weights {
  static constexpr bool is_sum = false;
  static constexpr bool rounds = true;
  static constexpr C start = C{-1};
  static constexpr C none = C{};

  static __host__ __device__ __forceinline__ C join(C distance, C weight) {
    return distance * weight;
  }
  static __device__ __forceinline__ bool may_extend(C distance, C weight, C limit) {
    return !(limit < join(distance, weight));
  }
};

/// The current value of the word at @p address, including writes and atomics of other threads.
template <class X>
__device__ __forceinline__ X read_shared_word(const X* address) {
  const ::cuda::atomic_ref<X, ::cuda::thread_scope_device> word(*const_cast<X*>(address));
  return word.load(::cuda::memory_order_relaxed);
}

/// The value of the word at @p address in global memory, or one that it has had: other threads of
/// @p Scope change it by atomics meanwhile. A relaxed load like `read_shared_word`, but the
/// compiler may move it, so that loops are unrolled, and combine two of them: not for a loop that
/// waits for a change. With the scope of a block the L1 cache may serve it.
template <::cuda::thread_scope Scope = ::cuda::thread_scope_device, class X>
__device__ __forceinline__ X read_outdated_word(const X* address) {
  static_assert(Scope == ::cuda::thread_scope_device || Scope == ::cuda::thread_scope_block);
  constexpr bool is_of_block = Scope == ::cuda::thread_scope_block;
  const std::size_t from = __cvta_generic_to_global(address);
  std::conditional_t<sizeof(X) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t> bits;
  static_assert(sizeof(X) == sizeof bits);
  if constexpr (sizeof(X) == sizeof(std::uint64_t) && is_of_block) {
    asm("ld.relaxed.cta.global.b64 %0, [%1];" : "=l"(bits) : "l"(from));
  } else if constexpr (sizeof(X) == sizeof(std::uint64_t)) {
    asm("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(bits) : "l"(from));
  } else if constexpr (is_of_block) {
    asm("ld.relaxed.cta.global.b32 %0, [%1];" : "=r"(bits) : "l"(from));
  } else {
    asm("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(bits) : "l"(from));
  }
  return ::cuda::std::bit_cast<X>(bits);
}

/// Computes the vertex of whose list each arc is.
template <class C>
__global__ void find_arc_starts_kernel(device_arcs<C> arcs, std::int32_t* starts) {
  for (std::size_t a = first_index(); a < arcs.num_edges; a += index_stride()) {
    starts[a] = static_cast<std::int32_t>(
        last_not_above(arcs.offsets, arcs.num_vertices, static_cast<std::int64_t>(a)));
  }
}

}  // namespace apsp::inline v1::detail::cuda
