// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/config.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../device/launch_target.hpp"
#include "../device/memory_source.hpp"
#include "../host/monitor.hpp"
#include "../values/kernel_semirings.hpp"
#include "../values/weight_types.hpp"

// Selects the backend that runs a call, from its policy, weight type and semiring. Each family has
// one solver per backend, all with the same interface: see dense/solvers.hpp and
// per_source/solvers.hpp.
namespace apsp::inline v1::detail {

/// The device is usable, but there are no kernels for the type that the weights require.
class APSP_EXPORT no_kernels : public device_error {
 public:
  using device_error::device_error;
};

/// The nanoseconds of work of one thread below which a call does not start others: that would take
/// longer, and much longer if other processes use the cores.
inline constexpr double shortest_shared_work = 0.5e6;

class host_backend {
 public:
  /// @param threads  0: OpenMP's default.
  host_backend(backend name, int threads, monitor& watch)
      : name_(name), asked_(threads), threads_(threads), watch_(&watch) {}

  /// This backend for work that takes one thread @p nanoseconds, as predicted: with one thread if
  /// that is little, unless the policy asks for a number of threads.
  host_backend for_work(double nanoseconds) const {
    host_backend fit = *this;
    fit.threads_ = asked_ == 0 && nanoseconds < shortest_shared_work ? 1 : asked_;
    return fit;
  }
  /// This backend with another observer.
  host_backend watched_by(monitor& watch) const {
    host_backend other = *this;
    other.watch_ = &watch;
    return other;
  }

  backend name() const { return name_; }
  int host_threads() const { return threads_; }
  std::size_t num_devices() const { return 0; }
  monitor& watch() const { return *watch_; }

 private:
  backend name_;
  int asked_;
  int threads_;
  monitor* watch_;
};

class cuda_backend {
 public:
  cuda_backend(const cuda::launch_target& target, monitor& watch)
      : target_(target), watch_(&watch) {}

  cuda_backend for_work(double) const { return *this; }
  cuda_backend watched_by(monitor& watch) const { return {target_, watch}; }

  backend name() const { return target_.kernels; }
  int host_threads() const { return 0; }
  monitor& watch() const { return *watch_; }
  const cuda::launch_target& target() const { return target_; }
  /// For algorithms that use all devices of the policy.
  std::size_t num_devices() const { return target_.num_devices(); }

 private:
  cuda::launch_target target_;
  monitor* watch_;
};

/// True if the CUDA kernels can compute distances of type X, or over a semiring X. Integer sums are
/// computed in the narrowest type that has kernels.
template <class X>
inline constexpr bool runs_on_cuda = has_compiled_kernels<X> || std::is_integral_v<X>;
template <semiring S>
inline constexpr bool runs_on_cuda<S> = has_cuda_kernels<S>;
template <class T>
inline constexpr bool runs_on_cuda<min_plus<T>> = runs_on_cuda<T>;

/// The result of f(), with the time that it took and what its solvers noted.
template <class F>
result recorded(const monitor& watch, F f) {
  const auto begin = std::chrono::steady_clock::now();
  result done = f();
  computation made = watch.computed();
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  done.set_computed(made);
  return done;
}

/// Calls f(backend) with the backend for @p policy and distances of type T, or over a semiring T.
/// Its result records the reason if the backend is not the requested one.
/// @param asked  whether the call keeps checkpoints.
template <class T, class Observer, class F>
result on_backend(const basic_seq_policy<Observer>& policy, F f,
                  checkpoint_use asked = checkpoint_use::refused) {
  monitor watch(policy.attached_observer(), asked);
  return recorded(watch, [&] { return f(host_backend(backend::seq, 1, watch)); });
}

template <class T, class Observer, class F>
result on_backend(const basic_omp_policy<Observer>& policy, F f,
                  checkpoint_use asked = checkpoint_use::refused) {
  monitor watch(policy.attached_observer(), asked);
  return recorded(watch, [&] { return f(host_backend(backend::omp, policy.threads(), watch)); });
}

/// The device settings of a policy.
/// @throws std::invalid_argument if it has several devices, and a stream or a memory resource.
template <backend Kernels, class Observer>
cuda::launch_target target_of(const cuda_policy<Kernels, Observer>& policy) {
  cuda::launch_target target{Kernels,
                             policy.device(),
                             policy.stream(),
                             policy.memory_limit(),
                             policy.strategy(),
                             policy.devices(),
                             policy.is_in_core(),
                             {policy.memory(), policy.memory_limit()}};
  if constexpr (is_built_with_cuda) {
    if (policy.devices().is_all()) {
      std::vector<int> numbers(
          std::min(static_cast<std::size_t>(cuda::count_devices()), device_list::most));
      std::iota(numbers.begin(), numbers.end(), 0);
      if (!numbers.empty()) target.devices = device_list(numbers);
      target.device = numbers.empty() ? -1 : 0;
    }
  }
  if (target.has_several_devices() && target.stream != nullptr) {
    throw std::invalid_argument(
        "apsp: expected no stream with several devices, got a stream of one");
  }
  if (target.has_several_devices() && target.memory.source) {
    throw std::invalid_argument(
        "apsp: expected no memory resource with several devices, got a resource of one");
  }
  return target;
}

/// The reason why a device of @p target is not usable; empty if all are.
inline std::string why_unusable(const cuda::launch_target& target) {
  if (!target.has_several_devices()) return cuda::why_unusable(target.device, target.stream);
  for (const int device : target.devices) {
    const std::string reason = cuda::why_unusable(device, nullptr);
    if (!reason.empty()) return "device " + std::to_string(device) + ": " + reason;
  }
  return {};
}

template <class T, backend Kernels, class Observer, class F>
result on_backend(const cuda_policy<Kernels, Observer>& policy, F f,
                  checkpoint_use asked = checkpoint_use::refused) {
  monitor watch(policy.attached_observer(), asked);
  std::string reason;
  if constexpr (!runs_on_cuda<T>) {
    reason = semiring<T> && !is_min_plus<T> ? "there are no CUDA kernels for this semiring"
                                            : "there are no CUDA kernels for this weight type";
  } else if constexpr (!is_built_with_cuda) {
    reason = cuda::built_without_cuda;
  } else {
    const cuda::launch_target target = target_of(policy);
    reason = why_unusable(target);
    if (reason.empty()) {
      try {
        const cuda::memory_scope scope(target.memory);
        return recorded(watch, [&] { return f(cuda_backend(target, watch)); });
      } catch (const no_kernels& error) {
        if (policy.is_required()) throw;
        reason = error.what();
      }
    }
  }
  if (policy.is_required()) throw device_error(reason);
  // What was noted on the device is not true of the host.
  monitor watch_of_host(policy.attached_observer(), asked);
  result done =
      recorded(watch_of_host, [&] { return f(host_backend(backend::omp, 0, watch_of_host)); });
  done.set_fallback_reason(std::move(reason));
  return done;
}

}  // namespace apsp::inline v1::detail
