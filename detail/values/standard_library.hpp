// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include "../../apsp/config.hpp"

// Classes with standard containers as members are passed between programs and the compiled library,
// and the linker does not compare their layouts.
namespace apsp::inline v1::detail {

/// Does nothing. Its parameters are containers of the translation unit that declares it, and are
/// part of its mangled name: the name in the library differs if only one of the two is compiled
/// with _GLIBCXX_DEBUG, with another standard library, or with another std::string ABI.
APSP_EXPORT void library_is_compiled_with_the_same_containers(const std::vector<char>&,
                                                              const std::string&);

/// References the function from every program, so that a program with other containers fails to
/// link.
__attribute__((used)) inline void (*const same_containers)(
    const std::vector<char>&, const std::string&) = library_is_compiled_with_the_same_containers;

}  // namespace apsp::inline v1::detail
