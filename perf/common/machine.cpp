// SPDX-License-Identifier: BSL-1.0
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <thread>

#include "../../common/free_memory.hpp"

namespace apsp_perf {

namespace {

std::string with_digits(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

// Returns the size as text, such as "1.9 GiB".
std::string readable_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return with_digits(bytes, unit == 0 ? 0 : 1) + ' ' + units[unit];
}

// Quotes a word for the shell.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n'\"\\$*?;&|<>()") == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

int hardware_threads() {
  const auto count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
}

double load_of_others() {
#if defined(__unix__) || defined(__APPLE__)
  double load = 0;
  if (getloadavg(&load, 1) == 1) return load;
#endif
  return 0;
}

std::string compiler_name() {
#if defined(__clang__)
  std::string name = "Clang " __clang_version__;
#elif defined(__GNUC__)
  std::string name = "GCC " __VERSION__;
#else
  std::string name = "unknown compiler";
#endif
  const std::string build = APSP_PERF_BUILD;
  return build.empty() ? name : name + ", " + build;
}

std::string commit_name() {
  return APSP_PERF_COMMIT;
}

std::string version_text() {
  const std::string commit = commit_name();
  return "apsp-compare " APSP_PERF_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

std::string command_text(const std::string& program, int argc, char** argv,
                         const std::vector<std::string>& omitted) {
  std::string command = quoted(program);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string option = word.substr(0, word.find('='));
    if (std::find(omitted.begin(), omitted.end(), option) == omitted.end()) {
      command += ' ' + quoted(word);
    } else if (option == word) {
      ++i;  // its value
    }
  }
  return command;
}

void require_memory(std::size_t n, std::size_t bytes_per_pair) {
  const double needed =
      static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(bytes_per_pair);
  const auto available = apsp_common::free_memory();
  if (available && needed > static_cast<double>(*available)) {
    throw no_memory(std::to_string(n) + " vertices need " + with_digits(needed, 0) + " bytes (" +
                    readable_bytes(needed) + ") for their matrices, and " +
                    readable_bytes(static_cast<double>(*available)) + " are free");
  }
}

}  // namespace apsp_perf
