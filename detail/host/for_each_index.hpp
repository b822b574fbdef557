// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "parallel_for.hpp"
#include "stop_check.hpp"
#include "workers.hpp"

namespace apsp::inline v1::detail::host {

/// Calls f(i) for i in [0, count), none of which takes long, by several threads.
/// @throws stop_seen if a stop is requested.
template <class F>
void for_each_index(std::size_t count, const workers& by, F f) {
  constexpr std::size_t grain = std::size_t{1} << 13;
  parallel_for_with_workspace(
      count, by.threads, [&] { return stop_poll(by.watch); },
      [&](stop_poll& poll, std::size_t i) {
        poll.after(0);
        f(i);
      },
      grain);
}

}  // namespace apsp::inline v1::detail::host
