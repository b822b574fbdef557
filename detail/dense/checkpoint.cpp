// SPDX-License-Identifier: BSL-1.0
#include "checkpoint.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <ios>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"
#include "../../apsp/mapped_matrix.hpp"
#include "../../apsp/policy.hpp"

namespace apsp::detail {

namespace {

using clock = std::chrono::steady_clock;

/// Rows are copied in pieces of about this size.
constexpr std::size_t bytes_of_piece = std::size_t{1} << 20;
/// The share of the time of a block of pivots for which rows are copied after it.
constexpr double share_of_time = 0.1;

/// A file that is written.
class output_file {
 public:
  output_file(std::filesystem::path path, int flags) : path_(std::move(path)) {
    constexpr mode_t readable_by_all = 0666;
    do {
      number_ = ::open(path_.c_str(), flags | O_CLOEXEC, readable_by_all);
    } while (number_ < 0 && errno == EINTR);
    if (number_ < 0) fail("cannot be opened for writing");
  }
  ~output_file() { ::close(number_); }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(const void* bytes, std::size_t size, std::size_t offset) const {
    const auto* from = static_cast<const char*>(bytes);
    while (size != 0) {
      const ssize_t written = ::pwrite(number_, from, size, static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("cannot be written");
      from += written;
      size -= static_cast<std::size_t>(written);
      offset += static_cast<std::size_t>(written);
    }
  }
  /// Waits until what was written is on the disk.
  void flush() const {
    if (::fsync(number_) != 0) fail("cannot be written");
  }

 private:
  [[noreturn]] void fail(const std::string& failure) const {
    throw file_error(path_, 0, with_cause(failure));
  }

  std::filesystem::path path_;
  int number_;
};

std::filesystem::path next_label_of(const std::filesystem::path& file) {
  return label_of(file) += ".next";
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

/// A line of a label: a word, a blank and a value.
struct label_line {
  std::string word;
  std::string value;
};

/// The lines of a label without the last one, which has the pivot.
std::vector<label_line> lines_for(const checkpoint_subject& subject) {
  return {{"apsp-checkpoint", "1"},
          {"vertices", std::to_string(subject.num_vertices)},
          {"type", subject.type},
          {"semiring", subject.semiring},
          {"graph", hexadecimal(subject.graph_hash)}};
}
constexpr std::string_view pivot_word = "pivot";

void write_label(const std::filesystem::path& file, const checkpoint_subject& subject,
                 std::size_t pivots) {
  std::string text;
  for (const label_line& line : lines_for(subject)) {
    text.append(line.word).append(" ").append(line.value).append("\n");
  }
  text.append(pivot_word).append(" ").append(std::to_string(pivots)).append("\n");
  const auto next = next_label_of(file);
  {
    const output_file out(next, O_WRONLY | O_CREAT | O_TRUNC);
    out.write(text.data(), text.size(), 0);
    out.flush();
  }
  std::error_code failure;
  const auto label = label_of(file);
  std::filesystem::rename(next, label, failure);
  if (failure) throw file_error(label, 0, "cannot be written: " + failure.message());
  flush_directory_of(label);
}

/// @return the pivots of the label of @p file; nothing if there is no label.
std::optional<std::size_t> read_label(const std::filesystem::path& file,
                                      const checkpoint_subject& subject) {
  const auto label = label_of(file);
  if (std::error_code unknown; !std::filesystem::exists(label, unknown) && !unknown) {
    return std::nullopt;
  }
  errno = 0;
  std::ifstream in(label);
  if (!in) throw file_error(label, 0, with_cause("cannot be opened"));
  std::size_t number = 0;
  const auto next_line = [&](const std::string& word) {
    ++number;
    std::string line;
    // A line without an end is a part of one.
    if (!std::getline(in, line) || in.eof() || !line.starts_with(word + " ")) {
      throw file_error(label, number, "expected '" + word + "' and its value, got '" + line + "'");
    }
    return line.substr(word.size() + 1);
  };
  for (const label_line& expected : lines_for(subject)) {
    const std::string value = next_line(expected.word);
    if (value != expected.value) {
      throw std::invalid_argument("apsp: " + label.string() + ": expected a checkpoint with " +
                                  expected.word + " " + expected.value +
                                  ", as this call has, got " + value);
    }
  }
  const std::string value = next_line(std::string(pivot_word));
  std::size_t pivots = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), pivots);
  if (error != std::errc{} || end != value.data() + value.size() || pivots > subject.num_vertices) {
    throw file_error(label, number,
                     "expected a pivot from 0 to " + std::to_string(subject.num_vertices) +
                         ", got '" + value + "'");
  }
  return pivots;
}

std::size_t file_bytes(const checkpoint_subject& subject) {
  const std::size_t n = subject.num_vertices;
  return subject.npy_header.size() + n * n * subject.entry_bytes;
}

}  // namespace

struct matrix_checkpoint::state {
  state(const checkpoint_settings& a_settings, checkpoint_subject a_subject,
        checkpoint_rows some_rows)
      : settings(a_settings),
        subject(std::move(a_subject)),
        rows(std::move(some_rows)),
        row_bytes(subject.num_vertices * subject.entry_bytes),
        piece(
            std::max(row_bytes, bytes_of_piece / std::max<std::size_t>(row_bytes, 1) * row_bytes)) {
    for (auto* const file : {&settings.file, &settings.resumed_file}) {
      if (!file->empty()) *file = resolved(*file);
    }
    own_output = result_in(settings.file);
    own_input = result_in(settings.resumed_file);
    if (!settings.resumed_file.empty()) open_input();
  }

  /// The memory of a file if the rows are in it; nothing if it is not mapped for writing.
  std::optional<mapped_range> result_in(const std::filesystem::path& file) const {
    if (file.empty()) return std::nullopt;
    const auto mappings = writable_mappings_of(file);
    for (const mapped_range& m : mappings) {
      const std::string_view header(reinterpret_cast<const char*>(m.memory),
                                    static_cast<std::size_t>(m.entries - m.memory));
      const bool has_rows = subject.num_vertices == 0 || m.entries == rows.in_place;
      if (has_rows && header == subject.npy_header) return m;
    }
    if (!mappings.empty()) {
      throw std::invalid_argument(
          "apsp: " + file.string() +
          " is the file of a mapped_matrix: expected all of its rows as the distances, of a type "
          "that holds every path with room to spare, and no cutoff, got " +
          (rows.in_place == nullptr ? "entries that are not relaxed in place"
                                    : "another matrix or another type"));
    }
    return std::nullopt;
  }

  void open_input() {
    const auto& file = settings.resumed_file;
    const auto pivots = read_label(file, subject);
    if (!pivots) return;
    errno = 0;
    input.open(file, std::ios::binary);
    if (!input) throw file_error(file, 0, with_cause("cannot be opened"));
    std::string header(subject.npy_header.size(), '\0');
    input.read(header.data(), static_cast<std::streamsize>(header.size()));
    if (!input || header != subject.npy_header) {
      const std::string n = std::to_string(subject.num_vertices);
      throw file_error(file, 0,
                       "expected the .npy header of " + n + " x " + n + " entries of type " +
                           subject.type + " in row-major order, got another one");
    }
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    if (failure || size < file_bytes(subject)) {
      throw file_error(file, 0,
                       "expected " + std::to_string(file_bytes(subject)) + " bytes, got " +
                           std::to_string(size));
    }
    first_pivot = *pivots;
  }

  void open_output() {
    const auto& file = settings.file;
    std::error_code unknown;
    // Labels can be written, too.
    const auto next = next_label_of(file);
    errno = 0;
    { const output_file probe(next, O_WRONLY | O_CREAT | O_TRUNC); }
    std::filesystem::remove(next, unknown);
    const bool goes_on =
        input.is_open() && std::filesystem::equivalent(file, settings.resumed_file, unknown);
    if (!goes_on) {
      // A label must not describe the rows of another call.
      if (own_output) {
        remove_label(file);
      } else {
        const std::size_t n = subject.num_vertices;
        const mapped_npy created(file, subject.npy_header, n, n, subject.entry_bytes);
      }
    } else {
      labelled = first_pivot;
    }
    errno = 0;
    output = std::make_unique<output_file>(file, O_WRONLY);
  }

  std::size_t rows_of_piece() const {
    return row_bytes == 0 ? subject.num_vertices : piece.size() / row_bytes;
  }

  /// Writes the next rows.
  void write_piece() {
    if (own_output) {
      next_row = subject.num_vertices;
      return;
    }
    const std::size_t count = std::min(rows_of_piece(), subject.num_vertices - next_row);
    for (std::size_t i = 0; i < count; ++i) {
      rows.encode(next_row + i, piece.data() + i * row_bytes);
    }
    errno = 0;
    output->write(piece.data(), count * row_bytes,
                  subject.npy_header.size() + next_row * row_bytes);
    next_row += count;
  }

  bool is_copying() const { return next_row != subject.num_vertices; }

  void label_copied_rows() {
    errno = 0;
    if (own_output) flush_mapping(*own_output, settings.file);
    output->flush();
    write_label(settings.file, subject, copied_pivots);
  }

  /// @throws what the label that is being written throws.
  void await_label() {
    if (labelling.valid()) labelling.get();
  }

  checkpoint_settings settings;
  checkpoint_subject subject;
  checkpoint_rows rows;
  std::size_t row_bytes;
  std::vector<std::byte> piece;
  std::optional<mapped_range> own_output;  ///< of the file that is written, if the rows are in it
  std::optional<mapped_range> own_input;   ///< of the resumed file, likewise
  std::size_t first_pivot = 0;
  std::ifstream input;                  ///< open if a checkpoint is resumed
  std::unique_ptr<output_file> output;  ///< null if none is written
  std::optional<std::size_t> labelled;  ///< the pivots of the last copy with a label
  std::size_t copied_pivots = 0;  ///< those of the copy that is being made, or of the last one
  std::size_t next_row = subject.num_vertices;  ///< to be copied
  clock::time_point began;                      ///< the last copy
  clock::time_point returned;                   ///< the last call of `copy_rows`
  std::future<void> labelling;
};

matrix_checkpoint::matrix_checkpoint() = default;
matrix_checkpoint::~matrix_checkpoint() = default;

void matrix_checkpoint::open(const checkpoint_settings& settings, const checkpoint_subject& subject,
                             const checkpoint_rows& rows) {
  state_ = std::make_unique<state>(settings, subject, rows);
}

std::size_t matrix_checkpoint::first_pivot() const {
  return state_->first_pivot;
}

bool matrix_checkpoint::read_rows() {
  state& s = *state_;
  if (!s.settings.file.empty()) s.open_output();
  s.began = s.returned = clock::now();
  if (!s.input.is_open()) return false;
  if (s.own_input) {
    for (std::size_t u = 0; u < s.subject.num_vertices; ++u) {
      s.rows.decode(u, s.rows.in_place + u * s.row_bytes);
    }
    return true;
  }
  for (std::size_t u = 0; u < s.subject.num_vertices;) {
    const std::size_t count = std::min(s.rows_of_piece(), s.subject.num_vertices - u);
    errno = 0;
    s.input.read(reinterpret_cast<char*>(s.piece.data()),
                 static_cast<std::streamsize>(count * s.row_bytes));
    if (!s.input) throw file_error(s.settings.resumed_file, 0, with_cause("cannot be read"));
    for (std::size_t i = 0; i < count; ++i) {
      s.rows.decode(u + i, s.piece.data() + i * s.row_bytes);
    }
    u += count;
  }
  s.input.close();
  return true;
}

void matrix_checkpoint::copy_rows(std::size_t pivots) {
  state& s = *state_;
  pivots = std::max(pivots, s.first_pivot);
  if (s.output == nullptr || pivots == 0) return;
  const auto called = clock::now();
  if (!s.is_copying()) {
    if (s.labelling.valid()) {
      if (s.labelling.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
      s.labelling.get();
    }
    if (called - s.began < s.settings.every) return;
    s.began = called;
    s.copied_pivots = pivots;
    s.next_row = 0;
  }
  const auto most = share_of_time * (called - s.returned);
  do {
    s.write_piece();
  } while (s.is_copying() && clock::now() - called < most);
  if (!s.is_copying()) {
    s.labelled = s.copied_pivots;
    try {
      s.labelling = std::async(std::launch::async, [&s] { s.label_copied_rows(); });
    } catch (const std::system_error&) {
      s.label_copied_rows();  // There are too many threads.
    }
  }
  s.returned = clock::now();
}

void matrix_checkpoint::finish(std::size_t pivots) {
  state& s = *state_;
  pivots = std::max(pivots, s.first_pivot);
  if (s.output == nullptr) return;
  s.await_label();
  if (s.labelled.value_or(0) == pivots) return;
  s.copied_pivots = pivots;
  s.next_row = 0;
  while (s.is_copying()) s.write_piece();
  s.label_copied_rows();
}

void matrix_checkpoint::release_rows() {
  state& s = *state_;
  s.await_label();
  if (s.own_output) remove_label(s.settings.file);
  if (s.own_input) remove_label(s.settings.resumed_file);
}

}  // namespace apsp::detail
