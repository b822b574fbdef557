// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <string>

#include "../csv_file.hpp"
#include "settings.hpp"

// The three things that topology_benchmark measures: they print to standard output and to a file.
namespace topology {

/// A line for every algorithm, policy and graph. False if a result is wrong.
bool run_table(const settings& s, csv_file& csv, bool has_device);
/// Rows handed to a function, next to a matrix of them. False if a result is wrong.
bool run_rows(const settings& s, csv_file& csv, bool has_device);
/// How soon a call returns that is asked to stop.
void run_stop(const settings& s, csv_file& csv, bool has_device);

/// @p format is that of printf for one double.
inline std::string text(double value, const char* format = "%.6g") {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace topology
