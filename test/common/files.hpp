// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the tests of file readers and writers share.
#include <boost/test/unit_test.hpp>

#include <apsp/error.hpp>
#include <cstddef>
#include <filesystem>
#include <string>

namespace apsp_test {

/// Calling @p action must fail at that line (0: the file as a whole) for a reason that says so.
template <class Action>
void refused(Action action, std::size_t line, const std::string& reason) {
  try {
    action();
  } catch (const apsp::file_error& error) {
    BOOST_CHECK_MESSAGE(error.line() == line, error.what());
    BOOST_CHECK_MESSAGE(error.reason().find(reason) != std::string::npos,
                        "'" << error.what() << "' does not say '" << reason << "'");
    return;
  }
  BOOST_ERROR("nothing was thrown, though: " << reason);
}

/// A file for one test, in the folder for temporary files.
inline std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("apsp_files_test_" + name);
}

}  // namespace apsp_test
