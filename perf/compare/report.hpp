// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "comparison.hpp"

namespace apsp_compare {

/// Prints graph, machine, table, notes and verdict to stdout.
/// @throws std::runtime_error if they cannot be written.
void print_report(const options& o, const loaded_graph& graph, const outcome& found);

/// Writes the same as JSON to `o.json_file`.
/// @throws std::runtime_error if the file cannot be written.
void write_json(const options& o, const loaded_graph& graph, const outcome& found);

}  // namespace apsp_compare
