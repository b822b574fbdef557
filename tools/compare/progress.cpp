// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace apsp_compare {

namespace {

bool stderr_is_terminal() {
#if defined(__unix__) || defined(__APPLE__)
  return isatty(STDERR_FILENO) == 1;
#else
  return false;
#endif
}

constexpr const char* erase_line = "\r\x1b[K";

// If stderr cannot be written, the computation continues without progress.
void show(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string whole(double value) {
  return std::to_string(std::llround(value));
}

void report(const std::stop_token& stop, const std::string& label, std::optional<double> estimate) {
  using namespace std::chrono_literals;
  constexpr char spinner[] = {'|', '/', '-', '\\'};
  const bool terminal = stderr_is_terminal();
  const auto start = std::chrono::steady_clock::now();
  const auto period = terminal ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10000);
  std::size_t turn = 0;
  bool shown = false;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait_for(lock, stop, period, [] { return false; });
    if (stop.stop_requested()) break;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed < 1s) continue;
    std::string line = label + ": " + whole(elapsed.count()) + " s";
    if (estimate) line += " of about " + whole(*estimate) + " s";
    if (terminal) {
      show(std::string(erase_line) + spinner[turn++ % sizeof(spinner)] + ' ' + line);
    } else {
      show("apsp-compare: " + line + '\n');
    }
    shown = true;
  }
  if (terminal && shown) show(erase_line);
}

}  // namespace

progress_line::progress_line(const std::string& label, std::optional<double> estimate)
    : ticker_([=](const std::stop_token& stop) { report(stop, label, estimate); }) {}

}  // namespace apsp_compare
