// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>
#include <string_view>
#include <type_traits>

// CUDA's own name for a stream, declared so that a program without CUDA headers can name one.
struct CUstream_st;

namespace apsp {

/// What runs an algorithm.
enum class backend { seq, omp, cuda_naive, cuda_tiled };

/// The name of @p b as it is written in code: "seq", "omp", "cuda_naive" or "cuda_tiled".
constexpr std::string_view to_string(backend b) {
  switch (b) {
    case backend::seq:
      return "seq";
    case backend::omp:
      return "omp";
    case backend::cuda_naive:
      return "cuda_naive";
    case backend::cuda_tiled:
      return "cuda_tiled";
  }
  return "unknown";
}

/// One host thread.
class seq_policy {
 public:
  static constexpr backend requested = backend::seq;
};

/// Host threads by OpenMP.
class omp_policy {
 public:
  static constexpr backend requested = backend::omp;

  /// A copy that runs on @p count threads; 0 leaves the number to OpenMP.
  /// @throws std::invalid_argument if @p count is negative.
  [[nodiscard]] constexpr omp_policy threads(int count) const {
    if (count < 0) throw std::invalid_argument("apsp: the number of threads is negative");
    omp_policy changed = *this;
    changed.threads_ = count;
    return changed;
  }
  constexpr int threads() const { return threads_; }

 private:
  int threads_ = 0;
};

/// One CUDA device. Without a usable device, or without kernels for the weight type, the call runs
/// under `omp` instead and `result::executed_on()` says so.
template <backend Requested>
class cuda_policy {
 public:
  static constexpr backend requested = Requested;

  /// A copy that runs on device number @p index; unset, it is the device current in the calling
  /// thread.
  [[nodiscard]] constexpr cuda_policy device(int index) const {
    if (index < 0) throw std::invalid_argument("apsp: the device number is negative");
    cuda_policy changed = *this;
    changed.device_ = index;
    return changed;
  }
  /// A copy that orders its work on @p stream, a `cudaStream_t` of that device.
  [[nodiscard]] constexpr cuda_policy on(CUstream_st* stream) const {
    cuda_policy changed = *this;
    changed.stream_ = stream;
    return changed;
  }
  /// A copy that throws `device_error` where the unchanged policy would fall back to the host.
  [[nodiscard]] constexpr cuda_policy required(bool value = true) const {
    cuda_policy changed = *this;
    changed.required_ = value;
    return changed;
  }

  /// The device number, or -1 for the one current in the calling thread.
  constexpr int device() const { return device_; }
  constexpr CUstream_st* stream() const { return stream_; }
  constexpr bool is_required() const { return required_; }

 private:
  int device_ = -1;
  CUstream_st* stream_ = nullptr;
  bool required_ = false;
};

using cuda_naive_policy = cuda_policy<backend::cuda_naive>;
using cuda_tiled_policy = cuda_policy<backend::cuda_tiled>;

inline constexpr seq_policy seq{};
inline constexpr omp_policy omp{};
/// The simplest kernels: no tiles, no shared memory. What `cuda_tiled` is measured against.
inline constexpr cuda_naive_policy cuda_naive{};
/// Tiles in registers and shared memory.
inline constexpr cuda_tiled_policy cuda_tiled{};

template <class T>
inline constexpr bool is_execution_policy = false;
template <>
inline constexpr bool is_execution_policy<seq_policy> = true;
template <>
inline constexpr bool is_execution_policy<omp_policy> = true;
template <backend B>
inline constexpr bool is_execution_policy<cuda_policy<B>> = true;

template <class T>
concept execution_policy = is_execution_policy<std::remove_cvref_t<T>>;

}  // namespace apsp
