// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Values of command-line arguments, for the benchmarks that are to need no library but apsp.
namespace command_line {

/// The parts of a list with commas.
inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// A number of type T, all of it: "12x" is none.
template <class T>
T to_number(const std::string& text) {
  std::istringstream in(text);
  T value{};
  if (text.empty() || text.front() == '-' || !(in >> value) || !in.eof()) {
    throw std::runtime_error("'" + text + "' is not a number that fits here");
  }
  return value;
}

}  // namespace command_line
