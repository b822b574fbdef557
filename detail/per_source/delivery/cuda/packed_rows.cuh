// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../tiles/host/narrow_kernel.hpp"
#include "../../../values/distance_code.hpp"
#include "batch_delivery.cuh"

// Rows on their way to the host: whole numbers that 16 or 24 bits hold are copied as such, since
// the bus takes longer than all else, and become entries again there.
namespace apsp::inline v1::detail::cuda {

/// How the rows of a batch are copied.
enum class row_format {
  entries,     ///< As they are.
  short_ints,  ///< In 16 bits.
  planes       ///< In 24 bits: the low 16 bits of all entries, then the high 8 bits of all.
};

/// The bytes from one row of n entries to the next.
template <class C>
std::size_t pitch_of_rows(row_format format, std::size_t n) {
  constexpr std::size_t alignment = 16;
  const auto aligned = [](std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  switch (format) {
    case row_format::short_ints:
      return aligned(n * sizeof(std::uint16_t));
    case row_format::planes:
      return aligned(n * (sizeof(std::uint16_t) + sizeof(std::uint8_t)));
    case row_format::entries:
      break;
  }
  return n * sizeof(C);
}

/// Stands for "no path" in 24 bits; its low bits do in 16.
inline constexpr std::uint32_t no_packed_path = 0xffffff;
/// More than any whole number that is packed.
inline constexpr std::uint32_t not_packed = ~std::uint32_t{0};

/// The entry in 24 bits, or `not_packed`. Neither a fraction nor the sign of a zero is lost.
template <class C>
__device__ std::uint32_t packed(const C& entry, const C& none) {
  if (entry == none) return no_packed_path;
  if (!(C{0} <= entry && entry < static_cast<C>(no_packed_path))) return not_packed;
  const auto whole = static_cast<std::uint32_t>(entry);
  if constexpr (std::is_floating_point_v<C>) {
    if (static_cast<C>(whole) != entry || signbit(entry)) return not_packed;
  }
  return whole;
}

inline constexpr unsigned threads_for_longest = 256;
/// So many loads of a thread are under way together.
inline constexpr unsigned entries_at_once = 16;

/// Raises @p most to the largest of the packed entries of a batch that are paths.
template <class C>
__global__ void __launch_bounds__(threads_for_longest)
    find_longest_kernel(const C* entries, batch_layout layout, std::size_t n,
                        std::size_t num_sources, C none, std::uint32_t* most) {
  // Behind these, some lanes have no source, and their entries no value.
  const std::size_t size_of_full = num_sources / layout.lanes * layout.lanes * n;
  const std::size_t size = layout.padded(num_sources) * n;
  const auto used_lanes = static_cast<unsigned>(num_sources % layout.lanes);
  std::uint32_t longest = 0;
  const auto add = [&](const C& entry) {
    const std::uint32_t value = packed(entry, none);
    if (value != no_packed_path) longest = max(longest, value);
  };
  constexpr std::size_t of_block = std::size_t{threads_for_longest} * entries_at_once;
  for (std::size_t begin = blockIdx.x * of_block; begin < size_of_full && longest != not_packed;
       begin += gridDim.x * of_block) {
    C loaded[entries_at_once];
#pragma unroll
    for (unsigned k = 0; k < entries_at_once; ++k) {
      const std::size_t i = begin + k * threads_for_longest + threadIdx.x;
      loaded[k] = i < size_of_full ? entries[i] : none;
    }
#pragma unroll
    for (unsigned k = 0; k < entries_at_once; ++k) add(loaded[k]);
  }
  for (std::size_t i = size_of_full + first_index(); i < size; i += index_stride()) {
    if (i % layout.lanes < used_lanes) add(entries[i]);
  }
  constexpr unsigned whole_warp = 0xffffffff;
  longest = __reduce_max_sync(whole_warp, longest);
  if (threadIdx.x % warpSize == 0 && *most < longest) atomicMax(most, longest);
}

/// Packs entries into rows.
template <class C>
struct put_packed {
  static constexpr unsigned least_blocks = put_rows<C>::least_blocks;
  static constexpr unsigned columns = put_rows<C>::columns;

  std::byte* rows;
  std::size_t pitch;
  std::size_t n;
  C none;
  bool in_planes;

  __device__ auto row(std::size_t s) const {
    std::byte* const to = rows + s * pitch;
    auto* const low = reinterpret_cast<std::uint16_t*>(to);
    auto* const high = in_planes ? reinterpret_cast<std::uint8_t*>(low + n) : nullptr;
    return [low, high, none = none](std::size_t v, const C& entry) {
      const std::uint32_t value = packed(entry, none);
      low[v] = static_cast<std::uint16_t>(value);
      if (high != nullptr) high[v] = static_cast<std::uint8_t>(value >> 16);
    };
  }
};

/// The format in which all rows of a batch arrive first.
/// @param longest  from `find_longest_kernel`.
template <class C>
row_format format_for(std::uint32_t longest) {
  if (longest < (no_packed_path & 0xffff)) return row_format::short_ints;
  // The host takes longer to unpack 24 bits than the bus to copy 32.
  const bool has_planes = sizeof(C) > sizeof(std::uint32_t) && longest < no_packed_path;
  return has_planes ? row_format::planes : row_format::entries;
}

/// Makes entries of a row that has been packed.
template <class C>
void unpack_row(C* entries, const std::byte* row, std::size_t n, row_format format) {
  static const host::narrow_kernels<C>& kernels = host::choose_narrow_kernels<C>();
  const auto* const low = reinterpret_cast<const std::uint16_t*>(row);
  const auto* const high =
      format == row_format::planes ? reinterpret_cast<const std::uint8_t*>(low + n) : nullptr;
  kernels.join_planes(entries, low, high, n, no_path<C>());
}

}  // namespace apsp::inline v1::detail::cuda
