// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../adaptors/device_graph.hpp"
