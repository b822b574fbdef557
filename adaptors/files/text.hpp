// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

namespace apsp::inline v1::detail {

/// Returns the text of a file.
/// @throws file_error if it cannot be read or is a directory.
std::string read_text(const std::filesystem::path& file);

/// Returns the rest of a stream.
/// @throws file_error with @p name if it cannot be read.
std::string read_text(std::istream& in, const std::filesystem::path& name);

/// Returns @p word with the letters A to Z in lower case, independently of the locale.
std::string lower_case(std::string_view word);

}  // namespace apsp::inline v1::detail
