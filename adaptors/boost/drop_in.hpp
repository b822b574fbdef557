// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/named_function_params.hpp>
#include <boost/graph/relax.hpp>
