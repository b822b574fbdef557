// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include "../../apsp/config.hpp"

namespace apsp::inline v1::detail {

/// Returns text of a file for a message: in quotes, truncated, and with printable characters only.
APSP_EXPORT std::string quoted(std::string_view text);

}  // namespace apsp::inline v1::detail
