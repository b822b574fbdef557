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
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
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
#include "../matrix/part.hpp"

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

/// Calls f, which returns a number, and returns the largest one of all processes. If f throws on one of
/// them, all throw.
template <class F>
std::uint64_t largest_of_all(const checkpoint_share& share, F f) {
  if (!share.largest) return f();
  std::uint64_t mine = 0;
  std::exception_ptr failure;
  try {
    mine = f();
  } catch (...) {
    failure = std::current_exception();
  }
  return share.largest(mine, failure);
}
/// Calls f on all processes. If it throws on one of them, all throw.
template <class F>
void on_all(const checkpoint_share& share, F f) {
  static_cast<void>(largest_of_all(share, [&] {
    f();
    return std::uint64_t{0};
  }));
}
/// True if f returns true on all processes.
template <class F>
bool is_true_on_all(const checkpoint_share& share, F f) {
  return largest_of_all(share, [&] { return std::uint64_t{f() ? 0u : 1u}; }) == 0;
}

/// What is done for a checkpoint, in this order, by all processes at the same time.
enum class checkpoint_step {
  copying,   ///< rows to the file
  flushing,  ///< the file, by each of several processes
  idle       ///< but for the label of the file, which one process writes in the background
};

}  // namespace

struct matrix_checkpoint::state {
  state(const checkpoint_settings& a_settings, checkpoint_subject a_subject,
        checkpoint_rows some_rows, checkpoint_share a_share)
      : settings(a_settings),
        subject(std::move(a_subject)),
        rows(std::move(some_rows)),
        share(std::move(a_share)),
        row_bytes(share.part.columns.count * subject.entry_bytes),
        piece(
            std::max(row_bytes, bytes_of_piece / std::max<std::size_t>(row_bytes, 1) * row_bytes)),
        next_row(share.part.rows.last()) {
    for (auto* const file : {&settings.file, &settings.resumed_file}) {
      if (!file->empty()) *file = resolved(*file);
    }
    own_output = result_in(settings.file);
    own_input = result_in(settings.resumed_file);
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

  bool is_alone() const { return !share.largest; }

  /// @throws file_error if @p file is no matrix of the call.
  std::ifstream opened_matrix(const std::filesystem::path& file) const {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) throw file_error(file, 0, with_cause("cannot be opened"));
    std::string header(subject.npy_header.size(), '\0');
    in.read(header.data(), static_cast<std::streamsize>(header.size()));
    if (!in || header != subject.npy_header) {
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
    return in;
  }

  void open_input(std::size_t pivots) {
    input = opened_matrix(settings.resumed_file);
    first_pivot = pivots;
  }

  /// @return true if the file to write is the one that is resumed. Otherwise it is a new one.
  bool prepare_output() const {
    const auto& file = settings.file;
    std::error_code unknown;
    // Labels can be written, too.
    const auto next = next_label_of(file);
    errno = 0;
    { const output_file probe(next, O_WRONLY | O_CREAT | O_TRUNC); }
    std::filesystem::remove(next, unknown);
    if (input.is_open() && std::filesystem::equivalent(file, settings.resumed_file, unknown)) {
      return true;
    }
    // A label must not describe the rows of another call.
    if (own_output) {
      remove_label(file);
    } else {
      const std::size_t n = subject.num_vertices;
      const mapped_npy created(file, subject.npy_header, n, n, subject.entry_bytes);
      if (!is_alone()) created.flush();  // The other processes read the header.
    }
    return false;
  }

  void open_output() {
    const bool goes_on = largest_of_all(share, [&] {
                           return std::uint64_t{share.is_first && prepare_output() ? 1u : 0u};
                         }) != 0;
    if (goes_on) copied_pivots = first_pivot;
    on_all(share, [&] {
      if (!share.is_first) static_cast<void>(opened_matrix(settings.file));
      errno = 0;
      output = std::make_unique<output_file>(settings.file, O_WRONLY);
    });
  }

  /// Calls f(memory, size, offset in the file) for the @p count rows from @p row on, whose entries are in
  /// `piece`.
  template <class F>
  void for_each_run(std::size_t row, std::size_t count, F f) {
    const std::size_t n = subject.num_vertices;
    const auto offset_of = [&](std::size_t u) {
      return subject.npy_header.size() + (u * n + share.part.columns.first) * subject.entry_bytes;
    };
    if (share.part.columns.count == n) return f(piece.data(), count * row_bytes, offset_of(row));
    for (std::size_t i = 0; i < count; ++i) {
      f(piece.data() + i * row_bytes, row_bytes, offset_of(row + i));
    }
  }
  /// The number of rows from @p row on that are copied at once.
  std::size_t rows_of_piece(std::size_t row) const {
    const std::size_t left = share.part.rows.last() - row;
    return row_bytes == 0 ? left : std::min(left, piece.size() / row_bytes);
  }

  void read_all() {
    const index_part& mine = share.part.rows;
    if (own_input) {
      for (std::size_t u = mine.first; u < mine.last(); ++u) {
        rows.decode(u, rows.in_place + u * row_bytes);
      }
      return;
    }
    for (std::size_t u = mine.first; u < mine.last();) {
      const std::size_t count = rows_of_piece(u);
      for_each_run(u, count, [&](std::byte* to, std::size_t size, std::size_t offset) {
        errno = 0;
        input.seekg(static_cast<std::streamoff>(offset));
        input.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size));
        if (!input) throw file_error(settings.resumed_file, 0, with_cause("cannot be read"));
      });
      for (std::size_t i = 0; i < count; ++i) rows.decode(u + i, piece.data() + i * row_bytes);
      u += count;
    }
    input.close();
  }

  /// Writes the next rows.
  void write_piece() {
    if (own_output) {
      next_row = share.part.rows.last();
      return;
    }
    const std::size_t count = rows_of_piece(next_row);
    for (std::size_t i = 0; i < count; ++i) {
      rows.encode(next_row + i, piece.data() + i * row_bytes);
    }
    for_each_run(next_row, count, [&](const std::byte* from, std::size_t size, std::size_t offset) {
      errno = 0;
      output->write(from, size, offset);
    });
    next_row += count;
  }

  bool has_rows_to_copy() const { return next_row != share.part.rows.last(); }

  void begin_copy(std::size_t pivots) {
    step = checkpoint_step::copying;
    copied_pivots = pivots;
    next_row = share.part.rows.first;
  }

  void flush_file() const {
    errno = 0;
    if (own_output) flush_mapping(*own_output, settings.file);
    output->flush();
  }
  void label_file() const {
    errno = 0;
    write_label(settings.file, subject, copied_pivots);
  }

  /// Flushes the file in the background, and labels it if no other process writes to it.
  void begin_flush() {
    if (is_alone()) {
      step = checkpoint_step::idle;
      begin_in_background([this] {
        flush_file();
        label_file();
      });
    } else {
      step = checkpoint_step::flushing;
      begin_in_background([this] { flush_file(); });
    }
  }
  /// The file is on the disk, also what other processes have written.
  void begin_label() {
    step = checkpoint_step::idle;
    if (share.is_first) begin_in_background([this] { label_file(); });
  }

  template <class F>
  void begin_in_background(F f) {
    try {
      background = std::async(std::launch::async, f);
      return;
    } catch (...) {
      // There are too many threads, or too little memory for one.
    }
    try {
      f();
    } catch (...) {
      unreported = std::current_exception();
    }
  }
  /// @throws what the work in the background has thrown.
  bool is_background_done() {
    report_failure();
    if (!background.valid()) return true;
    if (background.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    background.get();
    return true;
  }
  void await_background() {
    report_failure();
    if (background.valid()) background.get();
  }
  /// @throws what the work threw that could not be done in the background.
  void report_failure() {
    if (unreported) std::rethrow_exception(std::exchange(unreported, nullptr));
  }

  checkpoint_settings settings;
  checkpoint_subject subject;
  checkpoint_rows rows;
  checkpoint_share share;
  std::size_t row_bytes;  ///< Of the columns that are here.
  std::vector<std::byte> piece;
  std::optional<mapped_range> own_output;  ///< of the file that is written, if the rows are in it
  std::optional<mapped_range> own_input;   ///< of the resumed file, likewise
  std::size_t first_pivot = 0;
  std::ifstream input;                  ///< open if a checkpoint is resumed
  std::unique_ptr<output_file> output;  ///< null if none is written
  checkpoint_step step = checkpoint_step::idle;
  std::size_t copied_pivots = 0;  ///< those of the copy that is being made, or of the last one
  std::size_t next_row;           ///< to be copied
  clock::time_point began;        ///< the last copy
  clock::time_point returned;  ///< the last call that has copied rows, or the beginning of a copy
  std::exception_ptr unreported;  ///< of what could not be done in the background
  std::future<void> background;   ///< Uses the other members, so it is destroyed first.
};

matrix_checkpoint::matrix_checkpoint() = default;
matrix_checkpoint::~matrix_checkpoint() = default;

void matrix_checkpoint::open(const checkpoint_settings& settings,
                             const std::function<checkpoint_subject()>& subject,
                             const checkpoint_rows& rows, const checkpoint_share& share) {
  // What the label says counts where it is written.
  const std::uint64_t found = largest_of_all(share, [&] {
    state_ = std::make_unique<state>(settings, subject(), rows, share);
    const auto& file = state_->settings.resumed_file;
    if (file.empty()) return std::uint64_t{0};
    const auto pivots = read_label(file, state_->subject);
    return pivots && share.is_first ? std::uint64_t{*pivots} + 1 : std::uint64_t{0};
  });
  if (found == 0) return;
  on_all(share, [&] { state_->open_input(static_cast<std::size_t>(found - 1)); });
}

std::size_t matrix_checkpoint::first_pivot() const {
  return state_->first_pivot;
}

bool matrix_checkpoint::read_rows() {
  state& s = *state_;
  if (!s.settings.file.empty()) s.open_output();
  s.began = clock::now();
  if (!s.input.is_open()) return false;
  on_all(s.share, [&] { s.read_all(); });
  return true;
}

bool matrix_checkpoint::is_in_place() const {
  return state_->own_output.has_value();
}

bool matrix_checkpoint::is_due() const {
  const state& s = *state_;
  if (s.output == nullptr) return false;
  return s.step != checkpoint_step::idle || clock::now() - s.began >= s.settings.every;
}

void matrix_checkpoint::copy_rows(std::size_t pivots) {
  state& s = *state_;
  pivots = std::max(pivots, s.first_pivot);
  if (s.output == nullptr || pivots == 0) return;
  const auto called = clock::now();
  if (s.step == checkpoint_step::idle) {
    const bool begins = is_true_on_all(s.share, [&] {
      const bool is_due = !s.share.is_first || called - s.began >= s.settings.every;
      return s.is_background_done() && is_due;
    });
    if (!begins) return;
    s.began = called;
    s.begin_copy(pivots);
    // The time before the copy is not that of a block, so one piece is copied first.
    s.returned = called;
  }
  if (s.step == checkpoint_step::copying) {
    const auto most = share_of_time * (called - s.returned);
    const bool are_copied = is_true_on_all(s.share, [&] {
      do {
        s.write_piece();
      } while (s.has_rows_to_copy() && clock::now() - called < most);
      return !s.has_rows_to_copy();
    });
    if (are_copied) s.begin_flush();
    s.returned = clock::now();
  } else if (is_true_on_all(s.share, [&] { return s.is_background_done(); })) {
    s.begin_label();
  }
}

void matrix_checkpoint::finish(std::size_t pivots) {
  state& s = *state_;
  pivots = std::max(pivots, s.first_pivot);
  if (s.output == nullptr) return;
  on_all(s.share, [&] { s.await_background(); });
  const bool is_copied = s.step != checkpoint_step::copying && s.copied_pivots == pivots;
  if (is_copied && s.step == checkpoint_step::idle) return;
  if (!is_copied) {
    s.begin_copy(pivots);
    on_all(s.share, [&] {
      while (s.has_rows_to_copy()) s.write_piece();
      s.flush_file();
    });
  }
  on_all(s.share, [&] {
    if (s.share.is_first) s.label_file();
  });
  s.step = checkpoint_step::idle;
}

void matrix_checkpoint::release_rows() {
  state& s = *state_;
  on_all(s.share, [&] { s.await_background(); });
  if (s.own_output) remove_label(s.settings.file);
  if (s.own_input) remove_label(s.settings.resumed_file);
}

}  // namespace apsp::detail
