// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

// The weight types of the measurements and their names.
namespace weight_types {

template <class W>
inline constexpr const char* name =
    std::is_integral_v<W> ? (sizeof(W) == 4 ? "i32" : "i64") : (sizeof(W) == 4 ? "f32" : "f64");

/// Calls @p f(std::type_identity<W>{}, name) for each type W.
template <class F>
void for_each(F f) {
  const auto call = [&]<class... W>(std::type_identity<W>... types) {
    (f(types, std::string(name<W>)), ...);
  };
  call(std::type_identity<float>(), std::type_identity<double>(),
       std::type_identity<std::int32_t>(), std::type_identity<std::int64_t>());
}

}  // namespace weight_types
