// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

// The calls of the operating system for files, in posix_system_calls.cpp and
// windows_system_calls.cpp. Those that can fail set errno, and return false, -1 or a null pointer,
// unless they say something else. Signals do not interrupt them.
namespace apsp::inline v1::detail::system_calls {

enum class file_kind { none, regular, directory, other };

struct file_status {
  file_kind kind = file_kind::none;
  // Those of POSIX:
  unsigned permissions = 0;
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  std::uint64_t size = 0;
  // These two tell files apart.
  std::uint64_t device = 0;
  std::uint64_t index = 0;

  bool is_same_file(const file_status& other) const {
    return device == other.device && index == other.index;
  }
};

constexpr unsigned readable_by_all = 0666;

/// @return kind `none`, with the cause in errno, if there is no such file, or nothing can be known
///         about it.
file_status status_of(const std::filesystem::path& file);
file_status status_of(int number);
bool may_be_written(const std::filesystem::path& file);

/// Children of this process do not have the file.
/// @param flags  O_RDONLY, O_WRONLY or O_RDWR, with O_CREAT and O_EXCL for a new file.
int open(const std::filesystem::path& file, int flags, unsigned permissions = readable_by_all);
/// Creates a file that has no name yet and is gone if it never gets one; -1 if there are no such
/// files here.
int open_unnamed(const std::filesystem::path& directory, unsigned permissions);
int duplicate(int number);
bool close(int number);

/// @return the number of bytes, less than @p size only at the end of the file.
std::ptrdiff_t read_at(int number, std::uint64_t offset, void* bytes, std::size_t size);
/// @return the number of bytes, at least one.
std::ptrdiff_t write(int number, const void* bytes, std::size_t size);
std::ptrdiff_t write_at(int number, std::uint64_t offset, const void* bytes, std::size_t size);
/// Waits until what was written is on the disk.
bool flush(int number);
bool flush_directory(const std::filesystem::path& directory);

/// True if a file of that size would be larger than this process may write.
bool is_beyond_limit(std::uint64_t size);
/// False if the disk certainly has less room.
bool may_have_room(int number, std::uint64_t size);
/// Makes the file as large as that, if it is smaller, and takes the room on the disk.
/// @return 0, or the number of an error: EOPNOTSUPP if the file system cannot.
int allocate(int number, std::uint64_t size);

/// Gives an open file the owner and the permissions of another one, as far as this process may.
void take_owner(int number, const file_status& old);
/// Gives an open file the name @p to unless there is a file; errno is then EEXIST.
/// @param from  its name until then; empty if it has none
bool move_to_new(int number, const std::filesystem::path& from, const std::filesystem::path& to);
/// Gives an open file the name @p to, in place of the file that has it.
bool replace(int number, const std::filesystem::path& from, const std::filesystem::path& to);
bool remove(const std::filesystem::path& file);

/// Takes a lock in place of one that is held.
/// @return false with EWOULDBLOCK in errno if another holder excludes that.
bool lock(int number, bool is_alone);
void unlock(int number);
/// The process that holds a lock on an open file, for a message; empty if that is not known.
std::string holder_of(int number);

/// Maps the first bytes of a file to memory.
void* map(int number, std::size_t size, bool is_writable);
/// Writes what was changed in mapped memory to the file.
bool flush_mapped(void* memory, std::size_t size);
void unmap(void* memory, std::size_t size);

unsigned long number_of_this_process();

}  // namespace apsp::inline v1::detail::system_calls
