// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace apsp_test {

/// The directory of the graphs with known distances: the environment variable APSP_TEST_DATA, which
/// ctest sets from the CMake variable APSP_TEST_DATA_DIR. Without it nothing exists there.
inline std::filesystem::path data_directory() {
  const char* const directory = std::getenv("APSP_TEST_DATA");
  return directory != nullptr ? directory : "no directory of test data";
}

}  // namespace apsp_test
