// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../apsp/error.hpp"
#include "../../detail/files/file_lock.hpp"
#include "../../detail/files/new_file.hpp"
#include "../../detail/files/open_file.hpp"
#include "../../detail/files/quoted.hpp"
#include "../../detail/files/system_calls.hpp"
#include "../mapped_matrix.hpp"

// Files of NumPy's format .npy in memory.
namespace apsp::inline v1::detail {

namespace {

/// The first bytes of a file.
std::string read_up_to(int from, std::size_t most, const std::filesystem::path& file) {
  std::string bytes(most, '\0');
  const std::ptrdiff_t size = system_calls::read_at(from, 0, bytes.data(), most);
  if (size < 0) throw file_error(file, 0, with_cause("cannot be read"));
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

/// What the header of a file says.
struct npy_description {
  std::string type;
  bool is_column_major = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t header_bytes = 0;
};

/// Reads the dictionary of a header, a literal of Python.
class dictionary_reader {
 public:
  explicit dictionary_reader(std::string_view text) : text_(text) {}

  /// @return nothing unless it is the description of a matrix.
  std::optional<npy_description> read() {
    npy_description found;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      const auto key = string();
      if (!key || !take(':')) return std::nullopt;
      if (*key == "descr") {
        const auto type = string();
        if (!type) return std::nullopt;
        found.type = *type;
        has_type = true;
      } else if (*key == "fortran_order") {
        if (take("True")) {
          found.is_column_major = true;
        } else if (!take("False")) {
          return std::nullopt;
        }
        has_order = true;
      } else if (*key == "shape") {
        if (!take('(')) return std::nullopt;
        const auto rows = number();
        if (!rows || !take(',')) return std::nullopt;
        const auto columns = number();
        if (!columns) return std::nullopt;
        take(',');
        if (!take(')')) return std::nullopt;
        found.rows = *rows;
        found.columns = *columns;
        has_shape = true;
      } else {
        return std::nullopt;
      }
      if (!take(',') && !starts_with('}')) return std::nullopt;
    }
    skip_blanks();
    if (!text_.empty() || !has_type || !has_order || !has_shape) return std::nullopt;
    return found;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }
  bool starts_with(char c) {
    skip_blanks();
    return text_.starts_with(c);
  }
  bool take(char c) {
    if (!starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> string() {
    for (const char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      const std::size_t end = text_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      std::string value(text_.substr(0, end));
      text_.remove_prefix(end + 1);
      return value;
    }
    return std::nullopt;
  }
  std::optional<std::size_t> number() {
    skip_blanks();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  std::string_view text_;
};

npy_description description_of(int from, const std::filesystem::path& file) {
  using namespace std::string_view_literals;
  constexpr std::string_view magic = "\x93NUMPY"sv;
  constexpr std::size_t version_bytes = 2;
  // NumPy writes at most some hundred bytes for a matrix.
  constexpr std::size_t most_header_bytes = 4096;
  const std::string bytes = read_up_to(from, most_header_bytes, file);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const auto refuse = [&](const std::string& reason) { throw file_error(file, 0, reason); };
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + version_bytes + 4) {
    refuse("expected a .npy file, got one that does not begin with \\x93NUMPY");
  }
  const std::size_t version = byte(magic.size());
  if (version < 1 || version > 3) {
    refuse("expected version 1, 2 or 3 of the .npy format, got " + std::to_string(version));
  }
  std::size_t begin = magic.size() + version_bytes;
  std::size_t length = byte(begin) + (byte(begin + 1) << 8);
  if (version > 1) length += (byte(begin + 2) << 16) + (byte(begin + 3) << 24);
  begin += version == 1 ? 2 : 4;
  if (length > bytes.size() - begin) refuse("expected a header of a .npy file, got a part of one");
  auto found = dictionary_reader(std::string_view(bytes).substr(begin, length)).read();
  if (!found) {
    refuse("expected a matrix of two dimensions, got " +
           detail::quoted(std::string_view(bytes).substr(begin, length)));
  }
  found->header_bytes = begin + length;
  return *found;
}

/// The files that this process has mapped for writing.
class writable_mappings {
 public:
  static writable_mappings& all() {
    // Not destroyed: a mapped matrix may live as long as the program.
    static auto& mappings = *new writable_mappings;
    return mappings;
  }

  void add(const system_calls::file_status& file, const mapped_range& range) {
    const std::lock_guard lock(mutex_);
    mappings_.push_back({file, range});
  }
  void remove(const void* memory) {
    const std::lock_guard lock(mutex_);
    std::erase_if(mappings_, [&](const mapping& m) { return m.range.memory == memory; });
  }
  std::vector<mapped_range> of(const system_calls::file_status& file) {
    const std::lock_guard lock(mutex_);
    std::vector<mapped_range> found;
    for (const mapping& m : mappings_) {
      if (m.file.is_same_file(file)) found.push_back(m.range);
    }
    return found;
  }

 private:
  struct mapping {
    system_calls::file_status file;
    mapped_range range;
  };

  std::mutex mutex_;
  std::vector<mapping> mappings_;
};

}  // namespace

std::vector<mapped_range> writable_mappings_of(const std::filesystem::path& file) {
  const system_calls::file_status status = system_calls::status_of(file);
  if (status.kind == system_calls::file_kind::none) return {};
  return writable_mappings::all().of(status);
}

void flush_mapping(const mapped_range& mapping, const std::filesystem::path& file) {
  if (!system_calls::flush_mapped(mapping.memory, mapping.size)) {
    throw file_error(file, 0, with_cause("cannot be written"));
  }
}

std::filesystem::path label_of(const std::filesystem::path& file) {
  return resolved(file) += ".pivot";
}

void remove_label(const std::filesystem::path& file) {
  const auto label = label_of(file);
  errno = 0;
  if (system_calls::remove(label)) return flush_directory_of(label);
  if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
    throw file_error(label, 0, with_cause("cannot be removed"));
  }
}

file_lock put_matrix_in_place(new_file& made, const std::string& header, file_lock old) {
  file_lock held(made);
  while (!old.holds_file() && !made.put_in_place_of_none()) {
    old = file_lock(made.name(), lock_mode::alone);
  }
  if (old.holds_file()) made.put_in_place();
  // With a label of another matrix and without a header it is no checkpoint.
  remove_label(made.name());
  made.file().write_at(0, header.data(), header.size());
  return held;
}

mapped_npy::mapped_npy(const std::filesystem::path& file, const std::string& header,
                       std::size_t rows, std::size_t columns, std::size_t entry_bytes)
    : file_(file), rows_(rows), columns_(columns) {
  errno = 0;
  new_file made(file);
  size_ = header.size() + rows * columns * entry_bytes;
  made.file().reserve(size_);
  map(made.file().number(), true, header.size());
  try {
    put_matrix_in_place(made, header, file_lock());
  } catch (...) {
    unmap();
    throw;
  }
}

mapped_npy::mapped_npy(const std::filesystem::path& file, const std::string& type,
                       std::size_t entry_bytes, bool is_writable)
    : file_(file) {
  errno = 0;
  const open_file opened(file, is_writable ? O_RDWR : O_RDONLY, "cannot be opened");
  const npy_description found = description_of(opened.number(), file);
  if (found.type != type) {
    throw file_error(file, 0,
                     "expected entries of type " + type + ", got " + detail::quoted(found.type));
  }
  if (found.is_column_major && found.rows > 1 && found.columns > 1) {
    throw file_error(file, 0, "expected row-major order, got column-major (Fortran) order");
  }
  // NumPy aligns them.
  if (found.header_bytes % entry_bytes != 0) {
    throw file_error(file, 0,
                     "expected entries at a multiple of " + std::to_string(entry_bytes) +
                         " bytes, got " + std::to_string(found.header_bytes));
  }
  const system_calls::file_status status = system_calls::status_of(opened.number());
  if (status.kind == system_calls::file_kind::none) {
    throw file_error(file, 0, with_cause("cannot be read"));
  }
  size_ = static_cast<std::size_t>(status.size);
  const std::size_t room = (size_ - found.header_bytes) / entry_bytes;
  if (found.columns != 0 && found.rows > room / found.columns) {
    throw file_error(file, 0,
                     "expected " + std::to_string(found.rows) + " x " +
                         std::to_string(found.columns) + " entries, got " + std::to_string(room));
  }
  rows_ = found.rows;
  columns_ = found.columns;
  map(opened.number(), is_writable, found.header_bytes);
}

void mapped_npy::map(int descriptor, bool is_writable, std::size_t header_bytes) {
  void* const memory = system_calls::map(descriptor, size_, is_writable);
  if (memory == nullptr) throw file_error(file_, 0, with_cause("cannot be mapped to memory"));
  memory_ = memory;
  entries_ = static_cast<std::byte*>(memory) + header_bytes;
  if (!is_writable) return;
  try {
    const system_calls::file_status status = system_calls::status_of(descriptor);
    if (status.kind == system_calls::file_kind::none) {
      throw file_error(file_, 0, with_cause("cannot be read"));
    }
    writable_mappings::all().add(status, range());
  } catch (...) {
    system_calls::unmap(memory_, size_);
    throw;
  }
}

void mapped_npy::unmap() noexcept {
  if (memory_ == nullptr) return;
  writable_mappings::all().remove(memory_);
  system_calls::unmap(memory_, size_);
}

mapped_range mapped_npy::range() const noexcept {
  return {static_cast<std::byte*>(memory_), size_, static_cast<std::byte*>(entries_)};
}

void mapped_npy::flush() const {
  if (memory_ != nullptr) flush_mapping(range(), file_);
}

}  // namespace apsp::inline v1::detail
