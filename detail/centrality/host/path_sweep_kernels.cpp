// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "path_sweep_kernel.hpp"

namespace apsp::inline v1::detail::host {

const path_sweep_kernels& choose_path_sweep_kernels() {
  return APSP_CHOSEN_LOOPS(avx512_path_sweeps, avx2_path_sweeps, baseline_path_sweeps);
}

}  // namespace apsp::inline v1::detail::host
