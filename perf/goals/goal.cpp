// SPDX-License-Identifier: BSL-1.0
#include "goal.hpp"

#include <string_view>
#include <vector>

namespace goals {

std::string_view to_string(weight_kind kind) {
  switch (kind) {
    case weight_kind::nonnegative:
      return ">= 0";
    case weight_kind::some_negative:
      return "some < 0";
    case weight_kind::of_16_bits:
      return "16 bits";
    case weight_kind::of_32_bits:
      return "32 bits";
  }
  return "unknown";
}

// Rates are for one H200.
const std::vector<goal>& all_goals() {
  using enum weight_kind;
  static const std::vector<goal> goals{
      {"cuda_tiled/f32/32768", "cuda_tiled", "f32", nonnegative, 32768, 17e12, 0, 1.25},
      {"cuda_tiled/f32/4096", "cuda_tiled", "f32", nonnegative, 4096, 9e12, 0},
      {"cuda_tiled/f32/1024", "cuda_tiled", "f32", nonnegative, 1024, 1.5e12, 0},
      {"cuda_tiled/f32_negative/32768", "cuda_tiled", "f32", some_negative, 32768, 13.6e12, 0},
      {"cuda_tiled/i32_of_32_bits/32768", "cuda_tiled", "i32", of_32_bits, 32768, 15.2e12, 0},
      {"cuda_tiled/i32_of_16_bits/32768", "cuda_tiled", "i32", of_16_bits, 32768, 26e12, 0},
      {"cuda_tiled/f64/32768", "cuda_tiled", "f64", nonnegative, 32768, 6e12, 0},
      {"omp/f32/4096", "omp", "f32", nonnegative, 4096, 0, 0.80},
      {"omp/f64/4096", "omp", "f64", nonnegative, 4096, 0, 0.75},
      {"omp/i32/4096", "omp", "i32", of_16_bits, 4096, 0, 0.75},
      {"seq/f32/2048", "seq", "f32", nonnegative, 2048, 0, 0.75},
  };
  return goals;
}

}  // namespace goals
