// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../adaptors/boost/adjacency_list.hpp"
