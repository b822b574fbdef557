// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "../../../apsp/npy.hpp"
#include "../../graph/arc_hash.hpp"
#include "checkpoint.hpp"

namespace apsp::inline v1::detail {

[[noreturn]] inline void refuse_entries_of_checkpoint() {
  throw std::invalid_argument(
      "apsp: a checkpoint has entries of the type of the distances: expected bool, an integer or "
      "floating point of 1 to 8 bytes, got another type");
}

template <npy_value T>
checkpoint_subject make_subject(std::size_t n, std::string semiring, std::uint64_t graph_hash) {
  return {n, sizeof(T), npy_type<T>(), npy_header<T>(n, n), std::move(semiring), graph_hash};
}

}  // namespace apsp::inline v1::detail
