// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

// The weight types of the measurements and their names.
namespace weight_types {

/// Calls @p f(std::type_identity<W>{}, name) for each type W.
template <class F>
void for_each(F f) {
  f(std::type_identity<float>{}, std::string("f32"));
  f(std::type_identity<double>{}, std::string("f64"));
  f(std::type_identity<std::int32_t>{}, std::string("i32"));
  f(std::type_identity<std::int64_t>{}, std::string("i64"));
}

}  // namespace weight_types
