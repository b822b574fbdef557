// SPDX-License-Identifier: BSL-1.0
#include "quoted.hpp"

#include <cstddef>

namespace apsp::inline v1::detail {

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace apsp::inline v1::detail
