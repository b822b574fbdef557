// SPDX-License-Identifier: BSL-1.0
#pragma once

// Types of CCCL, 3.2 or later, in calls: `cuda::device_mdspan`, and the stream and the memory
// resource of an execution environment. Only this header includes headers of CCCL.
//
//   namespace execution = cuda::std::execution;
//   const execution::env env{execution::prop{cuda::get_stream, stream},
//                            execution::prop{cuda::mr::get_memory_resource, resource}};
//   apsp::cccl_environment own(env);
//   apsp::floyd_warshall(own.policy(apsp::cuda_tiled), graph, distances);
#include <cuda/std/version>
#if CCCL_VERSION < 3002000
#error "apsp: apsp/cccl.cuh needs CCCL 3.2 or later, which is part of CUDA 13.2"
#endif

#include <concepts>
#include <cuda/mdspan>
#include <cuda/memory_resource>
#include <cuda/stream>
#include <type_traits>
#include <utility>

#include "device_memory.hpp"
#include "policy.hpp"

namespace apsp::inline v1 {

/// Matrices of type `cuda::device_mdspan` are in device memory.
template <class Accessor>
inline constexpr bool is_device_accessor<::cuda::device_accessor<Accessor>> = true;

namespace detail {

/// No memory resource.
struct no_resource {};

template <class Env>
concept has_resource = requires(const Env& env) { ::cuda::mr::get_memory_resource(env); };
/// The policies of Thrust have a function of their own.
template <class Env>
concept has_stream = requires(const Env& env) { ::cuda::get_stream(env); };
template <class Env>
concept has_thrust_stream = requires(const Env& env) {
  { get_stream(env) } -> std::convertible_to<CUstream_st*>;
};

}  // namespace detail

/// The stream and the memory resource of an execution environment of CUB, or the stream of an
/// execution policy of Thrust or RMM: whatever `cuda::get_stream` and
/// `cuda::mr::get_memory_resource` accept. It must exist until the calls with its policies return.
template <class Env>
class cccl_environment {
 public:
  /// Copies the resource, as CUB does.
  explicit cccl_environment(const Env& env)
      : stream_(stream_of(env)), resource_(resource_of(env)) {}

  /// A copy of a policy with the stream and the resource, or with the one that there is.
  template <backend Requested, class Observer>
  [[nodiscard]] cuda_policy<Requested, Observer> policy(
      const cuda_policy<Requested, Observer>& settings) & {
    auto changed = stream_ == nullptr ? settings : settings.on(stream_);
    if constexpr (detail::has_resource<Env>) changed = changed.memory(resource_);
    return changed;
  }

 private:
  static CUstream_st* stream_of([[maybe_unused]] const Env& env) {
    if constexpr (detail::has_stream<Env>) {
      return ::cuda::get_stream(env).get();
    } else if constexpr (detail::has_thrust_stream<Env>) {
      return get_stream(env);
    } else {
      return nullptr;
    }
  }
  static auto resource_of([[maybe_unused]] const Env& env) {
    if constexpr (detail::has_resource<Env>) {
      return ::cuda::mr::get_memory_resource(env);
    } else {
      return detail::no_resource{};
    }
  }

  CUstream_st* stream_;
  std::remove_cvref_t<decltype(resource_of(std::declval<const Env&>()))> resource_;
};

}  // namespace apsp::inline v1
