// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../device/launch_target.hpp"
#include "../../graph/device_graph.hpp"
#include "../../host/monitor.hpp"
#include "../../values/weight_types.hpp"
#include "../problem.hpp"

// The launch interface of the bit kernels, without CUDA types. A library built without CUDA has the
// same functions; they throw `device_error`.
namespace apsp::inline v1::detail::cuda {

/// An arc of a graph without weights.
struct bit_arc {
  std::int32_t source;
  std::int32_t target;
};

/// Writes the closure of the graph of @p arcs to n x n bits. Steps of @p watch are pivots.
/// @return false if @p watch requested a stop; the bits are then unchanged.
/// @throws device_error if there is too little memory, with the bytes needed and free.
APSP_EXPORT bool close(const launch_target& target, std::span<const bit_arc> arcs,
                       const bit_view& bits, monitor& watch);

/// The same for the graph whose arcs are the bits that are set; the diagonal need not be set.
APSP_EXPORT bool close(const launch_target& target, const bit_view& bits, monitor& watch);

/// The same for the graph of @p arcs, which is condensed first: the host finds the strongly
/// connected components, the device closes the graph of the components, which has no cycles, and
/// the rows of a component are its row with a column for every vertex. Steps of @p watch are
/// vertices.
/// @param threads  of the host.
/// @return false if @p watch requested a stop; the bits are then unchanged.
APSP_EXPORT bool close_condensed(const launch_target& target, const arc_view& arcs,
                                 const bit_view& bits, int threads, monitor& watch);

/// The same for a graph in device memory whose arcs have been checked. The result is in device
/// memory; its entries become 1 or 0, in stream order.
/// @return false if @p watch requested a stop; the result is then unchanged.
template <class W>
APSP_EXPORT bool close(const launch_target& target, const device_graph<W>& graph,
                       const device_matrix_view<std::uint8_t>& result, monitor& watch);

/// Declares or defines the function above for weights of type W.
#define APSP_INSTANTIATE_DEVICE_BITS(PREFIX, W)                               \
  PREFIX template bool close<W>(const launch_target&, const device_graph<W>&, \
                                const device_matrix_view<std::uint8_t>&, monitor&);
#define APSP_EXTERN_BITS(W) APSP_INSTANTIATE_DEVICE_BITS(extern, W)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_BITS)
#undef APSP_EXTERN_BITS

/// c |= a (x) b. Steps of @p watch are columns of a.
/// @return false if @p watch requested a stop; c is then unchanged.
/// @throws device_error if there is too little memory, with the bytes needed and free.
APSP_EXPORT bool bit_product(const launch_target& target, const const_bit_view& a,
                             const const_bit_view& b, const bit_view& c, monitor& watch);

}  // namespace apsp::inline v1::detail::cuda
