// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <utility>

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

}  // namespace

progress_line::progress_line(std::string label, std::optional<double> estimate)
    : label_(std::move(label)),
      estimate_(estimate),
      ticker_([this](const std::stop_token& stop) { tick(stop); }) {}

progress_line::~progress_line() = default;  // std::jthread requests a stop and joins

void progress_line::tick(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  constexpr char spinner[] = {'|', '/', '-', '\\'};
  const bool terminal = stderr_is_terminal();
  const auto start = std::chrono::steady_clock::now();
  const auto period = terminal ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10000);
  std::size_t turn = 0;
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait_for(lock, stop, period, [] { return false; });
    if (stop.stop_requested()) break;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed < 1s) continue;
    std::string line = fmt::format("{}: {:.0f} s", label_, elapsed.count());
    if (estimate_) line += fmt::format(" of about {:.0f} s", *estimate_);
    if (terminal) {
      show(fmt::format("{}{} {}", erase_line, spinner[turn++ % sizeof(spinner)], line));
    } else {
      show(fmt::format("apsp-compare: {}\n", line));
    }
    shown = true;
  }
  if (terminal && shown) show(erase_line);
}

}  // namespace apsp_compare
