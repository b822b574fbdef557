// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

/// An optional CSV file for the output lines of a benchmark, besides standard output. Each line is flushed
/// before the next measurement.
class csv_file {
 public:
  /// If @p name is empty, there is no file, and lines are discarded.
  /// @throws std::runtime_error if the file cannot be written.
  explicit csv_file(const std::string& name) {
    if (name.empty()) return;
    file_.open(name);
    if (!file_) throw std::runtime_error(name + " cannot be written");
  }

  void comment(const std::string& text) {
    if (file_.is_open()) file_ << "# " << text << '\n';
  }

  template <class First, class... Rest>
  void line(const First& first, const Rest&... rest) {
    if (!file_.is_open()) return;
    file_ << first;
    ((file_ << ',' << rest), ...);
    file_ << std::endl;
  }

  /// Quotes a field that may contain commas.
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }

 private:
  std::ofstream file_;
};
