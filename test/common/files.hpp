// SPDX-License-Identifier: BSL-1.0
#pragma once

// Helpers of the tests of files.
#include <boost/test/unit_test.hpp>

#include <apsp/error.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace apsp_test {

/// Checks that @p action throws a `file_error` with @p line (0: the whole file) whose reason
/// contains @p reason. What the action returns is ignored.
template <class Action>
void refused(Action action, std::size_t line, const std::string& reason) {
  try {
    static_cast<void>(action());
  } catch (const apsp::file_error& error) {
    BOOST_CHECK_MESSAGE(error.line() == line, error.what());
    BOOST_CHECK_MESSAGE(error.reason().find(reason) != std::string::npos,
                        "'" << error.what() << "' does not say '" << reason << "'");
    return;
  }
  BOOST_ERROR("nothing was thrown, though: " << reason);
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Returns a path in the directory for temporary files.
inline std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("apsp_files_test_" + name);
}

}  // namespace apsp_test
