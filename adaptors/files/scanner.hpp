// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "../../detail/files/quoted.hpp"
#include "number.hpp"

namespace apsp::inline v1::detail {

/// The characters that separate the tokens of a line.
enum class separators { blanks, blanks_or_comma };

/// The numbers accepted as weights: any, only integers, or only integers without a minus, whatever
/// the weight type.
enum class weight_field { real, integer, unsigned_integer };

/// Reads a text line by line, and a line token by token. Errors are reported as a `file_error` with
/// the current line.
class scanner {
 public:
  /// @param text  must outlive the scanner.
  /// @throws file_error if it contains a NUL byte.
  scanner(std::string_view text, std::filesystem::path name,
          separators parted_by = separators::blanks);

  /// Goes to the next line. Returns false if there is none. The text after the last line end is a
  /// line, even if empty.
  bool next_line();
  /// Goes to the next line that is not blank and does not begin, after blanks, with a character of
  /// @p comment_marks. Returns false if there is none.
  bool next_filled_line(std::string_view comment_marks);
  /// Whether the current line is the empty one after the last line end.
  bool behind_last_line() const { return next_line_ == nullptr && line_ == line_end_; }
  /// Whether the first character after blanks of a new line is one of @p marks.
  bool line_starts_with(std::string_view marks);

  /// Whether the current line has no more tokens.
  bool at_line_end();
  /// Returns the next token.
  /// @param what  names it in the error if there is none, for example "a source".
  std::string_view token(std::string_view what);
  void expect_line_end();

  std::int64_t integer(std::string_view what);
  /// Reads an integer >= 0.
  std::int64_t count(std::string_view what);
  /// Reads a number of vertices. It must not exceed `max_num_vertices()`.
  std::size_t num_vertices();
  /// Reads a vertex, which the file numbers from @p first, and returns its number from 0.
  std::int32_t vertex(std::string_view what, std::size_t num_vertices, std::int64_t first);
  template <class W>
  W weight(weight_field field = weight_field::real);

  /// The maximum number of vertices that a text of this length may declare.
  std::int64_t max_num_vertices() const;
  /// Returns @p declared, limited to the number of entries that fit in the text, to reserve memory.
  std::size_t plausible_count(std::int64_t declared) const;

  [[noreturn]] void fail(const std::string& reason) const { fail_at(line_number_, reason); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& reason) const;
  std::size_t line_number() const noexcept { return line_number_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks();
  [[noreturn]] void fail_number(number_status status, std::string_view what,
                                std::string_view token) const;

  std::filesystem::path name_;
  std::string_view text_;
  bool commas_;
  const char* at_;         // position in the current line
  const char* line_;       // start of the current line
  const char* line_end_;   // end of the current line, without the line end
  const char* next_line_;  // null after the last line
  std::size_t line_number_ = 0;
  int tokens_taken_ = 0;  // from the current line
};

}  // namespace apsp::inline v1::detail
