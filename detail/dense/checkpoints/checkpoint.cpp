// SPDX-License-Identifier: BSL-1.0
#include "checkpoint.hpp"

#include <fcntl.h>

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

#include "../../../apsp/error.hpp"
#include "../../../apsp/mapped_matrix.hpp"
#include "../../../apsp/policy.hpp"
#include "../../files/crc32.hpp"
#include "../../files/file_lock.hpp"
#include "../../files/new_file.hpp"
#include "../../files/open_file.hpp"
#include "../../files/quoted.hpp"
#include "../../matrix/part.hpp"

namespace apsp::inline v1::detail {

namespace {

using clock = std::chrono::steady_clock;

/// Rows are copied in pieces of about this size.
constexpr std::size_t bytes_of_piece = std::size_t{1} << 20;
/// The share of the time of a block of pivots for which rows are copied after it.
constexpr double share_of_time = 0.1;

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

constexpr std::string_view version_word = "apsp-checkpoint";
constexpr std::string_view version_of_labels = "2";
constexpr std::string_view pivot_word = "pivot";
constexpr std::string_view checksum_word = "checksum";

/// The lines of a label between those of the version and of the pivot.
std::vector<label_line> lines_for(const checkpoint_subject& subject) {
  return {{"vertices", std::to_string(subject.num_vertices)},
          {"type", subject.type},
          {"semiring", subject.semiring},
          {"graph", hexadecimal(subject.graph_hash)}};
}

std::string text_of(std::string_view word, std::string_view value) {
  return std::string(word).append(" ").append(value).append("\n");
}

/// The value of the last line, for the lines before it.
std::string checksum_of(std::string_view text) {
  crc32 checksum;
  checksum.add(text.data(), text.size());
  return hexadecimal(checksum.value());
}

void write_label(const std::filesystem::path& file, const checkpoint_subject& subject,
                 std::size_t pivots) {
  std::string text = text_of(version_word, version_of_labels);
  for (const label_line& line : lines_for(subject)) text += text_of(line.word, line.value);
  text += text_of(pivot_word, std::to_string(pivots));
  text += text_of(checksum_word, checksum_of(text));
  const auto label = label_of(file);
  new_file out(label);
  out.write(text.data(), text.size());
  out.put_in_place_on_disk();
}

/// Reads a label line by line.
class label_reader {
 public:
  explicit label_reader(const std::filesystem::path& label) : label_(label) {
    errno = 0;
    in_.open(label);
    if (!in_) throw file_error(label, 0, with_cause("cannot be opened"));
  }

  /// @return the value of the next line, which begins with that word.
  std::string next(std::string_view word) {
    before_ = text_;
    ++number_;
    std::string line;
    // A line without an end is a part of one.
    if (!std::getline(in_, line) || in_.eof() || !line.starts_with(std::string(word) + " ")) {
      fail("expected '" + std::string(word) + "' and its value, got " + detail::quoted(line));
    }
    text_.append(line).append("\n");
    return line.substr(word.size() + 1);
  }
  /// The lines before the last one.
  const std::string& lines_before() const { return before_; }

  [[noreturn]] void fail(const std::string& reason) const {
    throw file_error(label_, number_, reason);
  }

 private:
  std::filesystem::path label_;
  std::ifstream in_;
  std::size_t number_ = 0;
  std::string text_;    ///< What has been read.
  std::string before_;  ///< What had been read before the last line.
};

/// @return the pivots of the label of @p file; nothing if there is no label.
std::optional<std::size_t> read_label(const std::filesystem::path& file,
                                      const checkpoint_subject& subject) {
  const auto label = label_of(file);
  if (std::error_code unknown; !std::filesystem::exists(label, unknown) && !unknown) {
    return std::nullopt;
  }
  label_reader in(label);
  const std::string version = in.next(version_word);
  if (version != version_of_labels) {
    in.fail("expected version " + std::string(version_of_labels) + " of the format, got " +
            detail::quoted(version));
  }
  const std::vector<label_line> expected = lines_for(subject);
  std::vector<std::string> found;
  for (const label_line& line : expected) found.push_back(in.next(line.word));
  const std::string value = in.next(pivot_word);
  const std::string checksum = in.next(checksum_word);
  if (checksum != checksum_of(in.lines_before())) {
    in.fail("expected the checksum " + checksum_of(in.lines_before()) +
            " of the lines before, got " + detail::quoted(checksum));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [word, own] = expected[i];
    if (found[i] == own) continue;
    std::string message = "apsp: " + label.string() + ": expected a checkpoint with ";
    message.append(word).append(" ").append(own);
    throw std::invalid_argument(message + ", as this call has, got " + found[i]);
  }
  std::size_t pivots = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), pivots);
  if (error != std::errc{} || end != value.data() + value.size() || pivots > subject.num_vertices) {
    in.fail("expected a pivot from 0 to " + std::to_string(subject.num_vertices) + ", got " +
            detail::quoted(value));
  }
  return pivots;
}

std::size_t file_bytes(const checkpoint_subject& subject) {
  const std::size_t n = subject.num_vertices;
  return subject.npy_header.size() + n * n * subject.entry_bytes;
}

/// Calls f, which returns a number, and returns the largest one of all processes. If f throws on
/// one of them, all throw.
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
    if (share.is_first) hold_files();
    own_output = result_in(settings.file);
    own_input = result_in(settings.resumed_file);
  }

  /// Excludes other calls that would change the files.
  void hold_files() {
    if (!settings.file.empty()) output_lock = file_lock(settings.file, lock_mode::alone);
    if (settings.resumed_file.empty() || is_one_file()) return;
    // Entries that are relaxed in place are written.
    const bool is_written = !writable_mappings_of(settings.resumed_file).empty();
    input_lock =
        file_lock(settings.resumed_file, is_written ? lock_mode::alone : lock_mode::shared);
  }
  /// The file to write is the one that is resumed.
  bool is_one_file() const {
    std::error_code unknown;
    return settings.file == settings.resumed_file ||
           std::filesystem::equivalent(settings.file, settings.resumed_file, unknown);
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
  bool prepare_output() {
    const auto& file = settings.file;
    // Labels can be written, too.
    errno = 0;
    { const new_file probe(label_of(file)); }
    if (input.is_open() && is_one_file()) return true;
    if (own_output) {
      // A label must not describe the rows of another call.
      remove_label(file);
      return false;
    }
    errno = 0;
    new_file made(file);
    made.file().reserve(file_bytes(subject));
    output_lock = put_matrix_in_place(made, subject.npy_header, std::move(output_lock));
    if (!is_alone()) made.file().flush();  // The other processes read the header.
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
      output.emplace(settings.file, O_WRONLY, "cannot be opened for writing");
    });
    if (is_alone()) return;
    // All hold the file, since one of them may end after the first one if the job is killed.
    on_all(share, [&] {
      if (share.is_first) output_lock.share();
    });
    on_all(share, [&] {
      if (!share.is_first) output_lock = file_lock(settings.file, lock_mode::shared);
    });
  }

  /// Calls f(memory, size, offset in the file) for the @p count rows from @p row on, whose entries
  /// are in `piece`.
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
      output->write_at(offset, from, size);
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
  file_lock output_lock;  ///< holds the file that is written; on several processes, with the others
  file_lock input_lock;   ///< holds the resumed file, if it is another one
  std::size_t row_bytes;  ///< Of the columns that are here.
  std::vector<std::byte> piece;
  std::optional<mapped_range> own_output;  ///< of the file that is written, if the rows are in it
  std::optional<mapped_range> own_input;   ///< of the resumed file, likewise
  std::size_t first_pivot = 0;
  std::ifstream input;              ///< open if a checkpoint is resumed
  std::optional<open_file> output;  ///< nothing if none is written
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
  if (!s.output) return false;
  return s.step != checkpoint_step::idle || clock::now() - s.began >= s.settings.every;
}

void matrix_checkpoint::copy_rows(std::size_t pivots) {
  state& s = *state_;
  pivots = std::max(pivots, s.first_pivot);
  if (!s.output || pivots == 0) return;
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
  if (!s.output) return;
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

}  // namespace apsp::inline v1::detail
