// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/policy.hpp>

// Policies of test cases that are not templates, on the host or on a device.
namespace apsp_test {

#ifdef APSP_TEST_ON_DEVICE
inline constexpr bool on_device = true;
inline const auto one_thread = apsp::cuda_naive.required();
inline const auto some_threads = apsp::cuda_tiled.required();
inline const auto all_threads = apsp::cuda_tiled.required();
inline const auto many_threads = apsp::cuda_tiled.required();
#else
inline constexpr bool on_device = false;
inline const auto one_thread = apsp::seq;
inline const auto some_threads = apsp::omp.threads(3);
inline const auto all_threads = apsp::omp;
inline const auto many_threads = apsp::omp.threads(9);
#endif

}  // namespace apsp_test
