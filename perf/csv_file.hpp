// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

/// Where the lines of a benchmark go besides standard output: a file of fields with commas between
/// them, each line on disk before the next measurement begins.
class csv_file {
 public:
  /// No file, and lines that go nowhere, if @p name is empty.
  /// @throws std::runtime_error if it cannot be written.
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

  /// A field that may have commas in it.
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }

 private:
  std::ofstream file_;
};
