// SPDX-License-Identifier: BSL-1.0
#include "byte_streams.hpp"

#include <cerrno>
#include <ios>

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail {

namespace {

/// Calls f, which writes to the stream.
/// @throws file_error if that fails.
template <class F>
void write_to(std::ostream& out, const std::filesystem::path& name, F f) {
  errno = 0;
  try {
    f();
  } catch (const std::ios_base::failure&) {
    // The stream is set to throw.
  }
  if (!out) throw file_error(name, 0, with_cause("cannot be written"));
}

}  // namespace

byte_sink to_stream(std::ostream& out, std::filesystem::path name) {
  return [&out, name = std::move(name)](const char* bytes, std::size_t size) {
    write_to(out, name, [&] { out.write(bytes, static_cast<std::streamsize>(size)); });
  };
}

void flush_stream(std::ostream& out, const std::filesystem::path& name) {
  write_to(out, name, [&] { out.flush(); });
}

void byte_writer::write(const char* bytes, std::size_t size) {
  out_(bytes, size);
  checksum_.add(bytes, size);
}

void byte_writer::finish() {
  write_value(checksum_.value());
}

std::size_t byte_reader::read_some(char* bytes, std::size_t size) {
  try {
    in_.read(bytes, static_cast<std::streamsize>(size));
  } catch (const std::ios_base::failure&) {
    // The stream is set to throw, perhaps at its end.
  }
  if (in_.bad()) fail("cannot be read");
  const auto count = static_cast<std::size_t>(in_.gcount());
  checksum_.add(bytes, count);
  num_read_ += count;
  return count;
}

void byte_reader::read(char* bytes, std::size_t size) {
  if (read_some(bytes, size) == size) return;
  fail("the file ends after " + std::to_string(num_read_) +
       (num_expected_ == 0 ? " bytes, in its header"
                           : " of " + std::to_string(num_expected_) + " bytes"));
}

void byte_reader::check() {
  const std::uint32_t expected = checksum_.value();
  const auto found = read_value<std::uint32_t>();
  if (found == expected) return;
  fail("the file is damaged: its checksum is " + std::to_string(found) +
       ", but that of its bytes " + std::to_string(expected));
}

void byte_reader::fail(const std::string& reason) const {
  throw file_error(name_, 0, reason);
}

}  // namespace apsp::inline v1::detail
