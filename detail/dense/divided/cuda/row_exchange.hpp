// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>

#include "../../../../apsp/policy.hpp"

namespace apsp::inline v1::detail::cuda {

/// Brings rows of pivots from the process that holds them to all others, for a `row_solver` on the
/// devices of several processes. All processes make the same calls in the same order.
class row_exchange {
 public:
  virtual ~row_exchange() = default;

  virtual std::size_t num_processes() const = 0;
  /// The number of this process.
  virtual std::size_t rank() const = 0;
  /// @return true if no process @p stops.
  /// @throws on all processes if one has a @p failure.
  virtual bool all_go_on(bool stops, const std::exception_ptr& failure) = 0;
  /// Copies @p bytes from @p rows of process @p owner to those of all others. @p rows are in the
  /// memory of the current device; they are accessed after the preceding work on @p stream and
  /// before the following.
  virtual void broadcast(void* rows, std::size_t bytes, std::size_t owner, CUstream_st* stream) = 0;
};

}  // namespace apsp::inline v1::detail::cuda
