// SPDX-License-Identifier: BSL-1.0
#include "device_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../common/cuda_objects.cuh"

namespace device_limit {

namespace {

/// Two relaxations of one entry, each of `per_word` values. @p place differs by one between
/// adjacent entries, and @p one is 1.
template <class T, int PerWord = 1>
struct mix_of {
  using value_type = T;
  static constexpr int per_word = PerWord;
};
template <class T>
struct compared : mix_of<T> {
  static __device__ T relax(int /*place*/, int /*one*/, T c, T a0, T b0, T a1, T b1) {
    const T first = a0 + b0;
    c = first < c ? first : c;
    const T second = a1 + b1;
    return second < c ? second : c;
  }
};
struct float_minimum : mix_of<float> {
  static __device__ float relax(int /*place*/, int /*one*/, float c, float a0, float b0, float a1,
                                float b1) {
    return fminf(fminf(c, a0 + b0), a1 + b1);
  }
};
struct minimum_of_three : mix_of<float> {
  static __device__ float relax(int /*place*/, int /*one*/, float c, float a0, float b0, float a1,
                                float b1) {
    return __int_as_float(
        __vimin3_s32(__float_as_int(c), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
  }
};
/// Computes a sum in the pipe of the multipliers.
template <class T>
__device__ T multiplier_sum(T a, int one, T b) {
  T sum;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
  return sum;
}
struct fused : mix_of<std::int32_t> {
  static __device__ std::int32_t relax(int place, int one, std::int32_t c, std::int32_t a0,
                                       std::int32_t b0, std::int32_t a1, std::int32_t b1) {
    if (place % 2 == 0) return __viaddmin_s32(a1, b1, __viaddmin_s32(a0, b0, c));
    return __vimin3_s32(c, multiplier_sum(a0, one, b0), multiplier_sum(a1, one, b1));
  }
};
struct fused_pairs : mix_of<std::uint32_t, 2> {
  static __device__ std::uint32_t relax(int place, int one, std::uint32_t c, std::uint32_t a0,
                                        std::uint32_t b0, std::uint32_t a1, std::uint32_t b1) {
    if (place % 2 == 0) return __viaddmin_u16x2(a1, b1, __viaddmin_u16x2(a0, b0, c));
    return __vimin3_u16x2(c, multiplier_sum(a0, one, b0), multiplier_sum(a1, one, b1));
  }
};

/// As in a tile kernel, rows x columns entries are in registers, with one a per row and one b per
/// column. The values a are entries of other rows; otherwise the assembler would move the sums out
/// of the loop.
constexpr int rows = 8;
template <class T>
constexpr int columns = static_cast<int>(32 / sizeof(T));
template <class T>
constexpr int num_values = (2 + rows) * columns<T>;
constexpr int threads = 128;
constexpr int blocks_per_multiprocessor = 4;
constexpr int steps = 4096;
constexpr int runs = 5;

template <class Mix, class T = typename Mix::value_type>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    relax_registers_kernel(const T* values, int one, T* result) {
  T c[rows][columns<T>];
  T b[2][columns<T>];
#pragma unroll
  for (int j = 0; j < columns<T>; ++j) {
    b[0][j] = values[j];
    b[1][j] = values[columns<T> + j];
#pragma unroll
    for (int i = 0; i < rows; ++i) c[i][j] = values[(2 + i) * columns<T> + j];
  }
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const T a0 = c[(i + 1) % rows][0];
      const T a1 = c[(i + 2) % rows][1];
#pragma unroll
      for (int j = 0; j < columns<T>; ++j) {
        c[i][j] = Mix::relax(i + j, one, c[i][j], a0, b[0][j], a1, b[1][j]);
      }
    }
  }
  T sum = c[0][0];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns<T>; ++j) sum += c[i][j];
  }
  // Never true, but the compiler does not know that.
  if (sum == T{12345}) *result = sum;
}

template <class Mix>
double measure_mix() {
  using T = typename Mix::value_type;
  // The initial values of the registers come from memory, because the compiler selects other
  // instructions for sums with known numbers.
  std::array<T, num_values<T>> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(1 + i);
  const auto in_memory = cuda_objects::make_device_array<T>(values.size());
  CUDA_OBJECTS_CHECK(
      cudaMemcpy(in_memory.get(), values.data(), sizeof(values), cudaMemcpyHostToDevice));
  const auto begin = cuda_objects::make_event();
  const auto end = cuda_objects::make_event();
  const int blocks = num_multiprocessors() * blocks_per_multiprocessor;
  double seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    CUDA_OBJECTS_CHECK(cudaEventRecord(begin.get()));
    relax_registers_kernel<Mix><<<blocks, threads>>>(in_memory.get(), 1, static_cast<T*>(nullptr));
    CUDA_OBJECTS_CHECK(cudaGetLastError());
    CUDA_OBJECTS_CHECK(cudaEventRecord(end.get()));
    CUDA_OBJECTS_CHECK(cudaEventSynchronize(end.get()));
    seconds = std::min(seconds, cuda_objects::seconds_between(begin, end));
  }
  return 2.0 * Mix::per_word * rows * columns<T> * steps * threads * blocks / seconds;
}

struct loop {
  const char* name;
  double (*measure)();
};
constexpr loop loops[] = {
    {"f32", measure_mix<float_minimum>},
    {"f32_nonnegative", measure_mix<minimum_of_three>},
    {"i32", measure_mix<fused>},
    {"u16_pairs", measure_mix<fused_pairs>},
    {"f64", measure_mix<compared<double>>},
    {"i64", measure_mix<compared<std::int64_t>>},
};

bool has_device() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices != 0;
}

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> all;
  if (!has_device()) return all;
  for (const loop& l : loops) all.push_back(l.name);
  return all;
}

double measure(std::string_view name) {
  if (!has_device()) return 0;
  for (const loop& l : loops) {
    if (name == l.name) return l.measure();
  }
  return 0;
}

int num_multiprocessors() {
  if (!has_device()) return 0;
  int device = 0;
  int count = 0;
  CUDA_OBJECTS_CHECK(cudaGetDevice(&device));
  CUDA_OBJECTS_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

std::string device_name() {
  if (!has_device()) return {};
  int device = 0;
  cudaDeviceProp properties{};
  CUDA_OBJECTS_CHECK(cudaGetDevice(&device));
  CUDA_OBJECTS_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

}  // namespace device_limit
