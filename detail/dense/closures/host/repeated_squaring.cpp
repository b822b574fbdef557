// SPDX-License-Identifier: BSL-1.0
#include "repeated_squaring.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_INSTANTIATE(...) template class squaring_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::host
