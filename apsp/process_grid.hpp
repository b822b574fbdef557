// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::inline v1 {

/// An arrangement of processes in rows and columns: the process of rank r is in process row
/// r / columns and process column r % columns.
struct process_grid {
  int rows = 1;
  int columns = 1;

  friend constexpr bool operator==(const process_grid&, const process_grid&) noexcept = default;
};

}  // namespace apsp::inline v1
