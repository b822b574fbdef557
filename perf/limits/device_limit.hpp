// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The maximum rate of relaxations of the current device, measured by loops on registers without
/// loads, with the best instructions for each type.
namespace device_limit {

/// Returns a name for each kind of relaxation; empty in a program without CUDA, or without a
/// device.
///
/// "f32": a sum and a minimum; "f32_nonnegative": two sums and a minimum of three, computed on
/// integers; "i32": a sum and a minimum in one instruction, or two sums and a minimum of three;
/// "u16_pairs": the same on two halves; "f64" and "i64": a sum, a comparison and a selection.
std::vector<std::string> names();
/// Returns the relaxations per second of the kind @p name; 0 if there is none.
double measure(std::string_view name);

/// The multiprocessors of the current device; 0 in a program without CUDA, or without a device.
int num_multiprocessors();
/// The name of the current device; empty in a program without CUDA, or without a device.
std::string device_name();

}  // namespace device_limit
