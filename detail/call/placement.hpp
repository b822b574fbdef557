// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../apsp/csr.hpp"
#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/edge_list.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../device/launch_target.hpp"
#include "../device/memory.hpp"
#include "../graph/device_graph.hpp"
#include "../graph/edges.hpp"
#include "../graph/semiring_edges.hpp"
#include "../host/monitor.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "backend.hpp"
#include "checks.hpp"

// Chooses the device and the stream of a call on data in device memory.
namespace apsp::inline v1::detail {

/// Records in @p device that data of a call are on device @p own; -1 means none.
/// @throws std::invalid_argument if they are on two devices.
inline void add_device(int& device, int own) {
  if (own < 0) return;
  if (device >= 0 && own != device) {
    throw std::invalid_argument("apsp: data lie on device " + std::to_string(own) +
                                ", but the call runs on device " + std::to_string(device));
  }
  device = own;
}

/// The device that holds all non-null pointers of @p data, or -1 if all are null.
/// @param asked  the device of the policy, or -1.
/// @throws std::invalid_argument if the data are on several devices, or on a device other than the
/// requested one.
inline int common_device(std::initializer_list<const void*> data, int asked) {
  int device = asked;
  for (const void* const d : data) add_device(device, cuda::device_of(d));
  return device;
}

/// The device that holds the data of many graphs. Looks for the allocation of an array only if it
/// is not that of the previous array of the same kind.
class device_of_many {
 public:
  /// @param asked  the device of the policy, or -1.
  explicit device_of_many(int asked) : device_(asked) {}

  /// Adds one array of each kind; null for absent ones.
  /// @throws std::invalid_argument as `common_device` does.
  void add(const std::array<const void*, 4>& arrays) {
    for (std::size_t kind = 0; kind < arrays.size(); ++kind) {
      const auto first = reinterpret_cast<std::uintptr_t>(arrays[kind]);
      cuda::device_range& latest = latest_[kind];
      if (arrays[kind] == nullptr || (latest.begin <= first && first < latest.end)) continue;
      latest = cuda::allocation_of(arrays[kind]);
      add_device(device_, latest.device);
    }
  }
  /// -1 if there are no arrays and the policy has no device.
  int get() const { return device_; }

 private:
  int device_;
  std::array<cuda::device_range, 4> latest_{};
};

/// The stream of a call on data in device memory: data owned by the caller must be ordered by a
/// stream of the caller.
inline CUstream_st* ordering_stream(CUstream_st* asked) {
  return asked == nullptr ? cuda::default_stream() : asked;
}

/// The device and the stream of a call on data in device memory. The device stays selected for the
/// lifetime of this object.
class selected_target {
 public:
  /// @param asked  the target of the policy
  /// @param data   the data of the call
  /// @throws std::invalid_argument as `common_device` and `why_unusable` do, and if the policy has
  /// several devices; device_error if no kernel can run on that device: a call on device data
  /// cannot fall back to the host.
  selected_target(const cuda::launch_target& asked, std::initializer_list<const void*> data)
      : selected_target(asked, common_device(data, asked.device)) {}
  /// @param device  that holds the data
  selected_target(const cuda::launch_target& asked, int device)
      : target_(usable(asked, device)), selected_(target_.device), scope_(target_.memory) {}

  const cuda::launch_target& get() const { return target_; }

 private:
  static cuda::launch_target usable(cuda::launch_target target, int device) {
    if (target.has_several_devices()) {
      throw std::invalid_argument("apsp: expected one device for data in device memory, got " +
                                  std::to_string(target.devices.size()));
    }
    target.device = device;
    target.stream = ordering_stream(target.stream);
    const std::string reason = cuda::why_unusable(device, target.stream);
    if (!reason.empty()) throw device_error(reason);
    return target;
  }

  cuda::launch_target target_;
  cuda::device_selection selected_;
  cuda::memory_scope scope_;
};

/// Vertex numbers in device memory, as one of the types that kernels write.
template <class I>
auto stored_view(const device_matrix_view<I>& m) {
  using bits_32 = std::conditional_t<std::is_signed_v<I>, std::int32_t, std::uint32_t>;
  using bits_64 = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
  using stored = std::conditional_t<sizeof(I) == 4, bits_32, bits_64>;
  return device_matrix_view<stored>(reinterpret_cast<stored*>(m.data()), m.rows(), m.cols(),
                                    m.pitch());
}

/// A graph in device memory, as kernels read it.
template <class Offset, class Target, class W>
cuda::device_graph<W> device_form(const device_csr_view<Offset, Target, W>& g) {
  return {cuda::graph_form::csr,
          g.num_vertices(),
          g.targets().size(),
          g.weights().data(),
          0,
          {g.offsets().data(), cuda::index_type_of<Offset>()},
          {g.targets().data(), cuda::index_type_of<Target>()}};
}
template <class Index, class W>
cuda::device_graph<W> device_form(const device_edge_list_view<Index, W>& g) {
  return {cuda::graph_form::edge_list,
          g.num_vertices(),
          g.targets().size(),
          g.weights().data(),
          0,
          {g.sources().data(), cuda::index_type_of<Index>()},
          {g.targets().data(), cuda::index_type_of<Index>()}};
}
template <readable_device_matrix M>
cuda::device_graph<typename M::value_type> device_form(const M& matrix) {
  const auto m = device_view_of(matrix);
  return {cuda::graph_form::dense, m.rows(), m.rows() * m.cols(), m.data(), m.pitch()};
}

/// Calls f(g) with a copy in host memory of a graph in device memory.
template <class Offset, class Target, class W, class F>
auto with_host_copy(const device_csr_view<Offset, Target, W>& g, CUstream_st* stream, F f) {
  const auto offsets = copy_to_host(g.offsets(), stream);
  const auto targets = copy_to_host(g.targets(), stream);
  const auto weights = copy_to_host(g.weights(), stream);
  return f(csr_view(offsets, targets, weights));
}
template <class Index, class W, class F>
auto with_host_copy(const device_edge_list_view<Index, W>& g, CUstream_st* stream, F f) {
  const auto sources = copy_to_host(g.sources(), stream);
  const auto targets = copy_to_host(g.targets(), stream);
  const auto weights = copy_to_host(g.weights(), stream);
  return f(edge_list_view(g.num_vertices(), sources, targets, weights));
}
template <readable_device_matrix M, class F>
auto with_host_copy(const M& g, CUstream_st* stream, F f) {
  return f(copy_to_host(device_view_of(g), stream));
}

/// The same, or calls f(g) directly if the graph is in host memory.
template <class Graph, class F>
auto with_host_graph(const Graph& g, CUstream_st* stream, F f) {
  if constexpr (device_resident<Graph>) {
    return with_host_copy(g, stream, f);
  } else {
    return f(g);
  }
}

/// Reads all edges of a graph once, on the device if they are in device memory.
/// @throws std::invalid_argument as `find_weight_range` does.
template <class T, class Graph>
weight_range<T> find_weight_range_anywhere(const cuda::launch_target& target, const Graph& g) {
  if constexpr (device_resident<Graph>) {
    return cuda::find_device_weight_range(target, device_form(g));
  } else {
    return find_weight_range<T>(g, num_vertices_of(g), 0);
  }
}

/// Reads all edges of a graph once, on the device if they are in device memory.
/// @throws std::invalid_argument as `check_edges` does.
template <class S, class Graph>
void check_edges_anywhere(const cuda::launch_target& target, const S& semiring, const Graph& g) {
  if constexpr (device_resident<Graph>) {
    static_cast<void>(cuda::find_device_weight_range(target, device_form(g), admitted_values<S>(),
                                                     edge_fault::not_admitted));
  } else {
    check_edges(semiring, g, num_vertices_of(g), 0);
  }
}

/// Copies predecessors computed on the host to device memory.
template <class I>
void put_predecessors(const matrix<std::int32_t>& found, const device_matrix_view<I>& to,
                      CUstream_st* stream) {
  if constexpr (std::is_same_v<I, std::int32_t>) {
    copy_to_device(found, to, stream);
  } else {
    matrix<I> converted(found.rows());
    std::transform(found.begin(), found.end(), converted.begin(),
                   [](std::int32_t p) { return p < 0 ? no_predecessor<I> : static_cast<I>(p); });
    copy_to_device(converted, to, stream);
  }
}

/// The addresses of the arrays of a graph; null for absent arrays and for a graph in host memory.
template <class Graph>
std::array<const void*, 3> arrays_of([[maybe_unused]] const Graph& g) {
  if constexpr (device_resident<Graph>) {
    const auto form = device_form(g);
    return {form.weights, form.heads.data, form.targets.data};
  } else {
    return {};
  }
}

/// The device that holds a graph.
template <class Graph>
int device_of(const Graph& g, int asked) {
  const auto [weights, heads, targets] = arrays_of(g);
  return common_device({weights, heads, targets}, asked);
}

/// Calls f(target) while the device that holds all of @p data is selected.
/// @param asked  the target of the policy. The stream of the target passed to f is not null.
/// @throws as `selected_target` does.
template <class F>
result run_on_device_of([[maybe_unused]] const cuda::launch_target& asked,
                        [[maybe_unused]] std::initializer_list<const void*> data,
                        [[maybe_unused]] F f) {
  if constexpr (is_built_with_cuda) {
    const selected_target where(asked, data);
    return f(where.get());
  } else {
    throw device_error(cuda::built_without_cuda);
  }
}

/// Calls f(target, distances, predecessors) for a call with results in device memory: passes views
/// of the results, while the device that holds all data is selected.
///
/// @param asked  the target of the policy. The stream of the target passed to f is not null.
template <class Graph, class D, class P, class F>
result on_device_of(const cuda::launch_target& asked, const Graph& g, D& distances, P& predecessors,
                    F f) {
  const auto [weights, heads, targets] = arrays_of(g);
  const auto rows = device_view_of(distances);
  if constexpr (device_resident<P>) {
    const auto predecessor_view = device_view_of(predecessors);
    return run_on_device_of(asked, {weights, heads, targets, rows.data(), predecessor_view.data()},
                            [&](const auto& target) { return f(target, rows, predecessor_view); });
  } else {
    return run_on_device_of(asked, {weights, heads, targets, rows.data()},
                            [&](const auto& target) { return f(target, rows, predecessors); });
  }
}

/// Calls f(copy) with a host copy of a graph in device memory, while the device of the graph is
/// selected.
template <class Policy, class Graph, class F>
result with_selected_copy(const Policy& policy, const Graph& g, F f) {
  if constexpr (is_built_with_cuda) {
    const int asked = target_of(policy).has_several_devices() ? -1 : policy.device();
    const int device = device_of(g, asked);
    CUstream_st* const stream = ordering_stream(policy.stream());
    const std::string reason = cuda::why_unusable(device, stream);
    if (!reason.empty()) throw device_error(reason);
    const cuda::device_selection selected(device);
    return with_host_copy(g, stream, f);
  } else {
    throw device_error(cuda::built_without_cuda);
  }
}

/// Runs a call with data in device memory. Calls @p on_device with a target, the monitor of the
/// call and views of the results if the results are in device memory; otherwise calls @p on_copy
/// with a host copy of the graph.
template <class Policy, class Graph, class D, class P, class OnDevice, class OnCopy>
result run_where_results_lie(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                             [[maybe_unused]] OnDevice on_device, [[maybe_unused]] OnCopy on_copy) {
  if constexpr (device_resident<D>) {
    check_device_results(distances, predecessors);
    monitor watch(policy.attached_observer());
    return on_device_of(
        target_of(policy), g, distances, predecessors,
        [&](const cuda::launch_target& target, const auto& to, const auto& predecessors_to) {
          result done = on_device(target, watch, to, predecessors_to);
          done.set_computed(watch.computed());
          return done;
        });
  } else {
    static_assert(
        !device_resident<P>,
        "apsp: distances and predecessors must both be in device memory or both in host memory");
    return with_selected_copy(policy, g, on_copy);
  }
}

}  // namespace apsp::inline v1::detail
