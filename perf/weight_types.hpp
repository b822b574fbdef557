// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

// The weight types that are measured and what they are called everywhere.
namespace weight_types {

/// Calls @p f(std::type_identity<W>{}, name) for each of them.
template <class F>
void for_each(F f) {
  f(std::type_identity<float>{}, std::string("f32"));
  f(std::type_identity<double>{}, std::string("f64"));
  f(std::type_identity<std::int32_t>{}, std::string("i32"));
  f(std::type_identity<std::int64_t>{}, std::string("i64"));
}

/// Calls @p f(std::type_identity<W>{}) for the one called @p name.
/// @throws std::runtime_error if there is none.
template <class F>
void with(const std::string& name, F f) {
  bool is_known = false;
  for_each([&](auto type, const std::string& known) {
    if (known != name) return;
    is_known = true;
    f(type);
  });
  if (!is_known) throw std::runtime_error("type " + name + " is unknown");
}

}  // namespace weight_types
