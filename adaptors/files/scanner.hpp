// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "number.hpp"

namespace apsp::detail {

/// Which characters part the tokens of a line.
enum class separators { blanks, blanks_or_comma };

/// Which numbers an edge may weigh: any, or integers even where the weight type has fractions.
enum class weight_field { real, integer };

/// Walks over a text line by line, and over a line token by token. Every fault is reported by a
/// `file_error` with the line that the scanner is at.
class scanner {
 public:
  /// @param text  must outlive the scanner.
  /// @throws file_error if it holds a NUL byte.
  scanner(std::string_view text, std::filesystem::path name,
          separators parted_by = separators::blanks);

  /// Goes to the next line; false if there is none. What follows the last line end is a line too,
  /// so that a missing last line end changes nothing.
  bool next_line();
  /// Goes to the next line that is not blank and does not start with one of @p comment_marks.
  bool next_filled_line(std::string_view comment_marks);
  /// Whether this line is only what follows the last line end of the text, which is nothing.
  bool behind_last_line() const { return next_line_ == nullptr && line_ == line_end_; }
  /// Whether the first character of this line is one of @p marks.
  bool line_starts_with(std::string_view marks) const;

  /// Whether this line has no more tokens.
  bool at_line_end();
  /// The next token. @param what  names it, for the error if there is none: "a source".
  std::string_view token(std::string_view what);
  void expect_line_end();

  std::int64_t integer(std::string_view what);
  /// An integer >= 0.
  std::int64_t count(std::string_view what);
  /// A number of vertices that the rest of the library, and the memory, can be trusted with.
  std::size_t num_vertices();
  /// A vertex that the file numbers from @p first, made to count from 0.
  std::int32_t vertex(std::string_view what, std::size_t num_vertices, std::int64_t first);
  template <class W>
  W weight(weight_field field = weight_field::real);

  /// The most vertices that a text of this length may declare.
  std::int64_t max_num_vertices() const;
  /// How many of @p declared entries can be in what is left of the text: what may be reserved.
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
  const char* at_;         // in this line
  const char* line_;       // the first character of this line
  const char* line_end_;   // behind its last character
  const char* next_line_;  // null after the last line
  std::size_t line_number_ = 0;
  int tokens_taken_ = 0;  // from this line
};

/// @p token as a message can show it: short, in quotes, and printable.
std::string quoted(std::string_view token);

}  // namespace apsp::detail
