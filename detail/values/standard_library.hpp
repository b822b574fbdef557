// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include "../../apsp/config.hpp"

// Classes with standard containers in them go between programs and the compiled library, and the linker does
// not compare their layouts.
namespace apsp::detail {

/// Does nothing. Its parameters are the containers of whoever compiles this, and part of its name for the
/// linker: the library's is another one if only one of both is compiled with _GLIBCXX_DEBUG, with another
/// standard library, or with the string of another ABI.
APSP_EXPORT void library_is_compiled_with_the_same_containers(const std::vector<char>&,
                                                              const std::string&);

/// Makes every program refer to it, so that one with other containers does not link.
__attribute__((used)) inline void (*const same_containers)(
    const std::vector<char>&, const std::string&) = library_is_compiled_with_the_same_containers;

}  // namespace apsp::detail
