// SPDX-License-Identifier: BSL-1.0
#include "solve.hpp"

APSP_PYTHON_INSTANTIATE(float)
