// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include "../../apsp/error.hpp"
#include "driver_function.cuh"
#include "memory_source.hpp"

namespace apsp::inline v1::detail::cuda {

/// The CUDA context and the memory resource that are current in the constructing thread, for use by
/// other threads. If they selected its device instead, that would have to be undone, and selecting
/// the previous device creates a context on it.
class shared_context {
 public:
  shared_context()
      : push_(driver_function<PFN_cuCtxPushCurrent_v4000>("cuCtxPushCurrent", 4000)),
        pop_(driver_function<PFN_cuCtxPopCurrent_v4000>("cuCtxPopCurrent", 4000)) {
    require(driver_function<PFN_cuCtxGetCurrent_v4000>("cuCtxGetCurrent", 4000)(&context_) ==
                CUDA_SUCCESS &&
            context_ != nullptr);
  }

  /// Makes the context current in a thread for the lifetime of this object.
  class use {
   public:
    explicit use(const shared_context& shared) : pop_(shared.pop_), scope_(shared.memory_) {
      require(shared.push_(shared.context_) == CUDA_SUCCESS);
    }
    ~use() {
      CUcontext context = nullptr;
      pop_(&context);
    }
    use(const use&) = delete;
    use& operator=(const use&) = delete;

   private:
    PFN_cuCtxPopCurrent_v4000 pop_;
    memory_scope scope_;
  };

 private:
  static void require(bool succeeded) {
    if (!succeeded) throw device_error("apsp: a CUDA context cannot be shared with another thread");
  }

  PFN_cuCtxPushCurrent_v4000 push_;
  PFN_cuCtxPopCurrent_v4000 pop_;
  CUcontext context_ = nullptr;
  call_memory memory_ = current_memory();
};

}  // namespace apsp::inline v1::detail::cuda
