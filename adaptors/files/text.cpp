// SPDX-License-Identifier: BSL-1.0
#include "text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <new>
#include <streambuf>
#include <system_error>

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail {

namespace {

// Reads to the end. The expected size is only a hint: if it is right, the text is not reallocated.
std::string read_all(std::streambuf& buffer, std::size_t expected_size,
                     const std::filesystem::path& name) {
  constexpr std::size_t smallest_size = 1 << 16;
  std::string text;
  std::size_t length = 0;
  try {
    for (;;) {
      // One more byte than expected, so that the end is detected without growing.
      if (length == text.size()) {
        const std::size_t size = std::max({smallest_size, expected_size + 1, 2 * length});
        // A sparse file can have any size; `resize` would throw std::length_error.
        if (size > text.max_size()) throw std::bad_alloc();
        text.resize(size);
      }
      const std::streamsize got =
          buffer.sgetn(text.data() + length, static_cast<std::streamsize>(text.size() - length));
      if (got <= 0) break;
      length += static_cast<std::size_t>(got);
    }
  } catch (const std::ios_base::failure& failure) {
    throw file_error(name, 0, std::string("cannot be read: ") + failure.what());
  }
  text.resize(length);
  return text;
}

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw file_error(file, 0, "no such file");
  }
  if (std::filesystem::is_directory(status))
    throw file_error(file, 0, "expected a file, found a directory");

  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw file_error(file, 0, with_cause("cannot be opened"));
  // A pipe has no size. The size is only a hint.
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return read_all(*in.rdbuf(), error ? 0 : static_cast<std::size_t>(size), file);
}

std::string read_text(std::istream& in, const std::filesystem::path& name) {
  if (in.fail() || in.rdbuf() == nullptr) throw file_error(name, 0, "cannot be read");
  // The buffer is read directly because the stream may be set to throw at its end.
  return read_all(*in.rdbuf(), 0, name);
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace apsp::inline v1::detail
