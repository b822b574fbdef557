// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../../apsp/error.hpp"
#include "check.cuh"
#include "launch_target.hpp"
#include "resolved_device.cuh"
#include "resource_cache.cuh"

// Work on the devices of a call.
namespace apsp::inline v1::detail::cuda {

/// Calls work(target, i) for every device of @p all, each on a host thread where that device is
/// selected and with the target of that device alone. A call with one device runs on the calling
/// thread.
/// @param cancel  called as cancel(), on any of the threads, when a device has failed.
/// @throws the exception of the device that failed first; a `device_error` then names the device.
template <class Work, class Cancel>
void on_each_device(const launch_target& all, Work work, Cancel cancel) {
  if (!all.has_several_devices()) {
    const device_guard guard(resolved_device(all));
    work(all, std::size_t{0});
    return;
  }
  std::mutex mutex;
  std::exception_ptr failure;
  const auto fail = [&](std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    if (failure == nullptr) failure = std::move(error);
    cancel();
  };
  const auto run = [&](std::size_t i) noexcept {
    const int device = all.devices[i];
    try {
      work(all.on(device), i);
    } catch (const device_error& error) {
      fail(std::make_exception_ptr(device_error("device " + std::to_string(device), error)));
    } catch (...) {
      fail(std::current_exception());
    }
  };
  const auto run_here = [&](std::size_t i) {
    const device_guard guard(all.devices[i]);
    run(i);
  };
  std::vector<std::thread> threads;
  try {
    threads.reserve(all.devices.size());
    for (std::size_t started = 1; started < all.devices.size(); ++started) {
      threads.emplace_back([&run, &fail, &all, i = started] {
        const cudaError_t selected = cudaSetDevice(all.devices[i]);
        if (selected == cudaSuccess) return run(i);
        try {
          check(selected, "cudaSetDevice");
        } catch (...) {
          fail(std::current_exception());
        }
      });
    }
    run_here(0);
  } catch (...) {
    fail(std::current_exception());
  }
  for (std::thread& thread : threads) thread.join();
  if (failure != nullptr) std::rethrow_exception(failure);
}

/// Lets the devices of a call copy from the memory of each other directly, where they can: other
/// copies pass through the host.
inline void let_devices_copy(const launch_target& all) {
  if (!all.has_several_devices()) return;
  for (const int device : all.devices) {
    const device_guard guard(device);
    const cudaMemPool_t pool = resource_cache::current().memory_pool();
    for (const int other : all.devices) {
      if (other == device) continue;
      int can_access = 0;
      APSP_CUDA_CHECK(cudaDeviceCanAccessPeer(&can_access, other, device));
      if (can_access == 0) continue;
      cudaMemAccessDesc access{};
      access.location.type = cudaMemLocationTypeDevice;
      access.location.id = other;
      access.flags = cudaMemAccessFlagsProtReadWrite;
      APSP_CUDA_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    }
  }
}

}  // namespace apsp::inline v1::detail::cuda
