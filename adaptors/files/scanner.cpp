// SPDX-License-Identifier: BSL-1.0
#include "scanner.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "../../apsp/error.hpp"
#include "../../detail/values/weight_types.hpp"

namespace apsp::inline v1::detail {

namespace {

// Up to this number of vertices, the size of the file is not checked: memory is small.
constexpr std::int64_t always_plausible_num_vertices = std::int64_t{1} << 24;

std::string with_article_removed(std::string_view what) {
  return std::string(what.substr(what.find(' ') + 1));
}

}  // namespace

scanner::scanner(std::string_view text, std::filesystem::path name, separators parted_by)
    : name_(std::move(name)), text_(text), commas_(parted_by == separators::blanks_or_comma) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const auto lines_before =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    fail_at(static_cast<std::size_t>(lines_before) + 1, "expected a text file, found a NUL byte");
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  at_ = line_ = line_end_ = next_line_ = text_.data();
}

bool scanner::next_line() {
  if (next_line_ == nullptr) return false;
  line_ = at_ = next_line_;
  const std::string_view rest = text_.substr(static_cast<std::size_t>(line_ - text_.data()));
  const std::size_t length = rest.find('\n');
  const bool last = length == std::string_view::npos;
  line_end_ = line_ + (last ? rest.size() : length);
  next_line_ = last ? nullptr : line_end_ + 1;
  if (line_end_ != line_ && line_end_[-1] == '\r') --line_end_;
  ++line_number_;
  tokens_taken_ = 0;
  return true;
}

bool scanner::next_filled_line(std::string_view comment_marks) {
  while (next_line()) {
    if (!line_starts_with(comment_marks) && !at_line_end()) return true;
  }
  return false;
}

bool scanner::line_starts_with(std::string_view marks) {
  return !at_line_end() && marks.find(*at_) != std::string_view::npos;
}

void scanner::skip_blanks() {
  while (at_ != line_end_ && is_blank(*at_)) ++at_;
}

bool scanner::at_line_end() {
  skip_blanks();
  return at_ == line_end_;
}

std::string_view scanner::token(std::string_view what) {
  skip_blanks();
  // One comma separates two tokens. Any other comma starts a token, which then is not a number.
  if (commas_ && tokens_taken_ != 0 && at_ != line_end_ && *at_ == ',') {
    ++at_;
    skip_blanks();
  }
  if (at_ == line_end_) fail(std::string(what) + " is missing at the end of the line");
  ++tokens_taken_;
  const char* const begin = at_;
  while (at_ != line_end_ && !is_blank(*at_) && !(commas_ && *at_ == ',' && at_ != begin)) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

void scanner::expect_line_end() {
  if (at_line_end()) return;
  const std::string_view rest(at_, static_cast<std::size_t>(line_end_ - at_));
  fail("expected the end of the line, found " + quoted(rest));
}

std::int64_t scanner::integer(std::string_view what) {
  const std::string_view written = token(what);
  const number<std::int64_t> parsed = parse_integer(written);
  if (parsed.status == number_status::malformed) {
    fail(with_article_removed(what) + " " + quoted(written) + " is not an integer");
  }
  if (parsed.status != number_status::ok) fail_number(parsed.status, what, written);
  return parsed.value;
}

std::int64_t scanner::count(std::string_view what) {
  const std::int64_t value = integer(what);
  if (value < 0) fail(with_article_removed(what) + " " + std::to_string(value) + " is negative");
  return value;
}

std::int64_t scanner::max_num_vertices() const {
  const auto bytes = static_cast<std::int64_t>(text_.size());
  return std::min<std::int64_t>((std::numeric_limits<std::int32_t>::max)(),
                                std::max(bytes, always_plausible_num_vertices));
}

std::size_t scanner::num_vertices() {
  const std::int64_t n = count("the number of vertices");
  if (n > (std::numeric_limits<std::int32_t>::max)()) {
    fail("expected at most 2^31 - 1 vertices, found " + std::to_string(n));
  }
  if (n > max_num_vertices()) {
    fail("expected at most " + std::to_string(max_num_vertices()) + " vertices in a file of " +
         std::to_string(text_.size()) + " bytes, found " + std::to_string(n));
  }
  return static_cast<std::size_t>(n);
}

std::int32_t scanner::vertex(std::string_view what, std::size_t num_vertices, std::int64_t first) {
  const std::int64_t id = integer(what);
  const std::int64_t last = first + static_cast<std::int64_t>(num_vertices) - 1;
  if (id < first || id > last) {
    fail(with_article_removed(what) + " " + std::to_string(id) + " is out of range: " +
         (last < first ? "the graph has no vertices"
                       : "vertices are " + std::to_string(first) + " to " + std::to_string(last)));
  }
  return static_cast<std::int32_t>(id - first);
}

template <class W>
W scanner::weight(weight_field field) {
  const std::string_view written = token("a weight");
  const number<W> parsed = parse_weight<W>(written);
  if (parsed.status != number_status::ok) fail_number(parsed.status, "a weight", written);
  if (field != weight_field::real &&
      written.find_first_not_of("+-0123456789") != std::string_view::npos) {
    fail("weight " + quoted(written) + " is not an integer, but the file format requires it");
  }
  if (field == weight_field::unsigned_integer && written.starts_with('-')) {
    fail("weight " + quoted(written) + " has a sign, but the file declares unsigned integers");
  }
  return parsed.value;
}

#define APSP_SCAN_WEIGHT(W) template W scanner::weight<W>(weight_field);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_SCAN_WEIGHT)
#undef APSP_SCAN_WEIGHT

std::size_t scanner::plausible_count(std::int64_t declared) const {
  // The shortest entry consists of a digit and a separator.
  return static_cast<std::size_t>(
      std::min(declared, static_cast<std::int64_t>(text_.size() / 2 + 1)));
}

void scanner::fail_at(std::size_t line, const std::string& reason) const {
  throw file_error(name_, line, reason);
}

void scanner::fail_number(number_status status, std::string_view what,
                          std::string_view token) const {
  const std::string subject = with_article_removed(what) + " " + quoted(token);
  switch (status) {
    case number_status::fractional:
      fail(subject + " is not an integer, but the weight type is");
    case number_status::not_finite:
      fail(subject + " is not finite");
    case number_status::out_of_range:
      fail(subject + " is out of the range of its type");
    default:
      fail(subject + " is not a number");
  }
}

}  // namespace apsp::inline v1::detail
