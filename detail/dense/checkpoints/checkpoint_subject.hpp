// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../../apsp/npy.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../graph/arc_hash.hpp"
#include "checkpoint.hpp"

namespace apsp::detail {

/// "user-defined" unless the semiring is one of the library.
template <class S>
constexpr std::string_view name_of_semiring() {
  using T = typename S::value_type;
  if constexpr (is_min_plus<S>) return "min_plus";
  if constexpr (std::is_same_v<S, max_min<T>>) return "max_min";
  if constexpr (std::is_same_v<S, min_max<T>>) return "min_max";
  if constexpr (std::is_same_v<S, max_times<T>>) return "max_times";
  return "user-defined";
}

[[noreturn]] inline void refuse_entries_of_checkpoint() {
  throw std::invalid_argument(
      "apsp: a checkpoint has entries of the type of the distances: expected bool, an integer or "
      "floating point of 1 to 8 bytes, got another type");
}

template <npy_value T>
checkpoint_subject make_subject(std::size_t n, std::string semiring, std::uint64_t graph_hash) {
  return {n, sizeof(T), npy_type<T>(), npy_header<T>(n, n), std::move(semiring), graph_hash};
}

}  // namespace apsp::detail
