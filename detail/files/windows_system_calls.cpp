// SPDX-License-Identifier: BSL-1.0
#define _WIN32_WINNT 0x0A00  // Windows 10
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// After it:
#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cwchar>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "system_calls.hpp"

namespace apsp::inline v1::detail::system_calls {

namespace {

/// The number of the C library for the last error, in errno.
void set_errno(DWORD error = ::GetLastError()) {
  const auto cause = std::system_category().default_error_condition(static_cast<int>(error));
  const bool is_known = cause.category() == std::generic_category() && cause.value() != 0;
  errno = error == ERROR_USER_MAPPED_FILE ? EACCES : is_known ? cause.value() : EIO;
}

bool succeeded(BOOL done) {
  if (done == 0) set_errno();
  return done != 0;
}

HANDLE handle_of(int number) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(number));
}

/// Other processes may read, write, rename and remove a file that this one has open, as on POSIX.
constexpr DWORD shared_by_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

int numbered(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) {
    set_errno();
    return -1;
  }
  const int number =
      ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return number;
}

OVERLAPPED place_at(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

/// The largest piece for one call.
DWORD piece_of(std::size_t size) {
  return static_cast<DWORD>(std::min(size, std::size_t{1} << 30));
}

file_status status_in(HANDLE handle) {
  file_status status;
  const DWORD type = ::GetFileType(handle);
  BY_HANDLE_FILE_INFORMATION found{};
  if (type == FILE_TYPE_UNKNOWN) {
    set_errno();
  } else if (type != FILE_TYPE_DISK) {
    status.kind = file_kind::other;
  } else if (succeeded(::GetFileInformationByHandle(handle, &found))) {
    const bool is_directory = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    status.kind = is_directory ? file_kind::directory : file_kind::regular;
    status.permissions = readable_by_all;
    status.size = std::uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow;
    status.device = found.dwVolumeSerialNumber;
    status.index = std::uint64_t{found.nFileIndexHigh} << 32 | found.nFileIndexLow;
  }
  return status;
}

/// FileRenameInfoEx, which not all headers of MinGW have.
constexpr auto rename_info_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);

/// Renames an open file, by its handle: others may have it open or mapped meanwhile.
bool renamed(int number, const std::filesystem::path& to, bool replaces) {
  const std::wstring name = std::filesystem::absolute(to).native();
  const std::size_t name_bytes = name.size() * sizeof(wchar_t);
  std::vector<std::byte> memory(sizeof(FILE_RENAME_INFO) + name_bytes);
  auto& info = *::new (static_cast<void*>(memory.data())) FILE_RENAME_INFO{};
  info.FileNameLength = static_cast<DWORD>(name_bytes);
  std::wmemcpy(info.FileName, name.c_str(), name.size());
  const auto rename = [&](FILE_INFO_BY_HANDLE_CLASS how) {
    return ::SetFileInformationByHandle(handle_of(number), how, memory.data(),
                                        static_cast<DWORD>(memory.size()));
  };
  // As on POSIX, also in place of a file that is open.
  info.Flags =
      FILE_RENAME_FLAG_POSIX_SEMANTICS | (replaces ? FILE_RENAME_FLAG_REPLACE_IF_EXISTS : 0u);
  if (rename(rename_info_ex) != 0) return true;
  const DWORD cause = ::GetLastError();
  if (cause != ERROR_INVALID_PARAMETER && cause != ERROR_INVALID_FUNCTION &&
      cause != ERROR_NOT_SUPPORTED) {
    set_errno(cause);
    return false;
  }
  // File systems that cannot do this, and Wine.
  info.Flags = 0;
  info.ReplaceIfExists = replaces ? TRUE : FALSE;
  if (rename(FileRenameInfo) != 0) return true;
  if (!replaces || ::GetLastError() != ERROR_ACCESS_DENIED) return succeeded(FALSE);
  // A file that is open can be renamed there, but not replaced.
  std::filesystem::path old = to;
  old += ".apsp-" + std::to_string(number_of_this_process());
  if (!succeeded(::MoveFileExW(to.c_str(), old.c_str(), 0))) return false;
  const bool is_done = succeeded(rename(FileRenameInfo));
  if (is_done) {
    ::DeleteFileW(old.c_str());
  } else {
    ::MoveFileExW(old.c_str(), to.c_str(), 0);
  }
  return is_done;
}

/// Locks of Windows also exclude reads, so the locked byte is one beyond the end of any file.
constexpr std::uint64_t locked_byte = (std::uint64_t{1} << 63) - 2;

}  // namespace

file_status status_of(const std::filesystem::path& file) {
  // Directories are opened only with this flag.
  const HANDLE handle = ::CreateFileW(file.c_str(), FILE_READ_ATTRIBUTES, shared_by_all, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    set_errno();
    return {};
  }
  const file_status status = status_in(handle);
  ::CloseHandle(handle);
  return status;
}

file_status status_of(int number) {
  return status_in(handle_of(number));
}

bool may_be_written(const std::filesystem::path& file) {
  const int number = open(file, O_WRONLY);
  if (number >= 0) close(number);
  return number >= 0;
}

int open(const std::filesystem::path& file, int flags, unsigned /*permissions*/) {
  const int access = flags & (O_RDONLY | O_WRONLY | O_RDWR);
  DWORD wanted = 0;
  if (access != O_WRONLY) wanted |= GENERIC_READ;
  if (access != O_RDONLY) wanted |= GENERIC_WRITE;
  const bool is_created = (flags & O_CREAT) != 0;
  // What has just been created can be renamed by its handle.
  if (is_created) wanted |= DELETE;
  const DWORD how = !is_created ? OPEN_EXISTING : (flags & O_EXCL) != 0 ? CREATE_NEW : OPEN_ALWAYS;
  return numbered(::CreateFileW(file.c_str(), wanted, shared_by_all, nullptr, how,
                                FILE_ATTRIBUTE_NORMAL, nullptr),
                  access);
}

int open_unnamed(const std::filesystem::path& /*directory*/, unsigned /*permissions*/) {
  errno = EOPNOTSUPP;
  return -1;
}

int duplicate(int number) {
  HANDLE copy = INVALID_HANDLE_VALUE;
  const HANDLE process = ::GetCurrentProcess();
  // Without the right to delete the file: other programs may not open a file of which one has it.
  const BOOL done = ::DuplicateHandle(process, handle_of(number), process, &copy,
                                      GENERIC_READ | GENERIC_WRITE, FALSE, 0);
  return succeeded(done) ? numbered(copy, O_RDWR) : -1;
}

bool close(int number) {
  return ::_close(number) == 0;
}

std::ptrdiff_t read_at(int number, std::uint64_t offset, void* bytes, std::size_t size) {
  auto* const to = static_cast<char*>(bytes);
  std::size_t done = 0;
  while (done < size) {
    OVERLAPPED place = place_at(offset + done);
    DWORD count = 0;
    if (::ReadFile(handle_of(number), to + done, piece_of(size - done), &count, &place) == 0) {
      if (::GetLastError() == ERROR_HANDLE_EOF) break;
      set_errno();
      return -1;
    }
    if (count == 0) break;
    done += count;
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t write(int number, const void* bytes, std::size_t size) {
  DWORD count = 0;
  const BOOL done = ::WriteFile(handle_of(number), bytes, piece_of(size), &count, nullptr);
  return succeeded(done) ? static_cast<std::ptrdiff_t>(count) : -1;
}

std::ptrdiff_t write_at(int number, std::uint64_t offset, const void* bytes, std::size_t size) {
  OVERLAPPED place = place_at(offset);
  DWORD count = 0;
  const BOOL done = ::WriteFile(handle_of(number), bytes, piece_of(size), &count, &place);
  return succeeded(done) ? static_cast<std::ptrdiff_t>(count) : -1;
}

bool flush(int number) {
  return succeeded(::FlushFileBuffers(handle_of(number)));
}

// The file system writes the names down by itself.
bool flush_directory(const std::filesystem::path& /*directory*/) {
  return true;
}

bool is_beyond_limit(std::uint64_t /*size*/) {
  return false;
}

bool may_have_room(int number, std::uint64_t size) {
  std::vector<wchar_t> name(std::size_t{1} << 15);
  const DWORD length = ::GetFinalPathNameByHandleW(handle_of(number), name.data(),
                                                   static_cast<DWORD>(name.size()), 0);
  if (length == 0 || length >= name.size()) return true;
  std::error_code failure;
  const auto disk =
      std::filesystem::space(std::filesystem::path(name.data()).parent_path(), failure);
  return failure || size <= disk.available;
}

int allocate(int number, std::uint64_t size) {
  LARGE_INTEGER old{};
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  if (!succeeded(::GetFileSizeEx(handle_of(number), &old))) return errno;
  if (old.QuadPart >= end.EndOfFile.QuadPart) return 0;
  // A file that is not sparse then has the room.
  const BOOL done =
      ::SetFileInformationByHandle(handle_of(number), FileEndOfFileInfo, &end, sizeof(end));
  return succeeded(done) ? 0 : errno;
}

// New files have the access control of their directory.
void take_owner(int /*number*/, const file_status& /*old*/) {}

bool move_to_new(int number, const std::filesystem::path& /*from*/,
                 const std::filesystem::path& to) {
  return renamed(number, to, false);
}

bool replace(int number, const std::filesystem::path& /*from*/, const std::filesystem::path& to) {
  return renamed(number, to, true);
}

bool remove(const std::filesystem::path& file) {
  return succeeded(::DeleteFileW(file.c_str()));
}

bool lock(int number, bool is_alone) {
  unlock(number);
  OVERLAPPED place = place_at(locked_byte);
  const DWORD how = LOCKFILE_FAIL_IMMEDIATELY | (is_alone ? LOCKFILE_EXCLUSIVE_LOCK : 0u);
  if (::LockFileEx(handle_of(number), how, 0, 1, 0, &place) != 0) return true;
  const DWORD cause = ::GetLastError();
  set_errno(cause);
  if (cause == ERROR_LOCK_VIOLATION) errno = EWOULDBLOCK;
  return false;
}

void unlock(int number) {
  OVERLAPPED place = place_at(locked_byte);
  ::UnlockFileEx(handle_of(number), 0, 1, 0, &place);
}

std::string holder_of(int /*number*/) {
  return {};
}

void* map(int number, std::size_t size, bool is_writable) {
  const HANDLE mapping = ::CreateFileMappingW(
      handle_of(number), nullptr, is_writable ? PAGE_READWRITE : PAGE_READONLY,
      static_cast<DWORD>(std::uint64_t{size} >> 32), static_cast<DWORD>(size), nullptr);
  if (!succeeded(mapping != nullptr)) return nullptr;
  void* const memory = ::MapViewOfFile(
      mapping, is_writable ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, size);
  if (memory == nullptr) set_errno();
  // The memory keeps the mapping.
  ::CloseHandle(mapping);
  return memory;
}

// Starts to write to the disk, and does not wait until that is done.
bool flush_mapped(void* memory, std::size_t size) {
  return succeeded(::FlushViewOfFile(memory, size));
}

void unmap(void* memory, std::size_t /*size*/) {
  ::UnmapViewOfFile(memory);
}

unsigned long number_of_this_process() {
  return ::GetCurrentProcessId();
}

}  // namespace apsp::inline v1::detail::system_calls
