#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measures what limits each kernel of the dense solvers: Nsight Compute's counters, one line per kernel.

  profile_kernels.py --programs build/perf --csv h200_kernels.csv

profiles the launches of one step in the middle of each solve with `ncu` (of the CUDA Toolkit), which needs
permission to read counters. Needs only Python.
"""
import argparse
import csv
import dataclasses
import io
import re
import subprocess
import sys

COUNTERS = {
    "microseconds": "gpu__time_duration.sum",
    "issue": "sm__inst_issued.avg.pct_of_peak_sustained_active",
    "alu": "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "fma": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "fp64": "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "shared": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "dram": "dram__bytes.sum",
    "warps": "sm__warps_active.avg.per_cycle_active",
    "registers": "launch__registers_per_thread",
    "spills": "smsp__inst_executed_op_local.sum",
}
STALLS = ["math_pipe_throttle", "dispatch_stall", "wait", "short_scoreboard", "long_scoreboard", "barrier",
          "mio_throttle", "lg_throttle", "no_instruction", "not_selected"]
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"

STEP = "product_kernel|pivot_tile_kernel|copy_operands_kernel|ordered_panels_kernel|cooperative_floyd_warshall_kernel"


@dataclasses.dataclass
class Run:
    """A solve and its profiled launches. `tile` is what a CUDA block of its product kernel relaxes, or the whole
    launch of a naive kernel: rows, columns, and pivots."""

    name: str
    case: str
    tile: tuple = (64, 128, 128)
    kernels: str = STEP
    skip: int = 100
    count: int = 5

    def relaxations(self, kernel, blocks):
        """Returns the relaxations of one launch; 0 if it relaxes nothing."""
        rows, columns, depth = self.tile
        return {"product_kernel": blocks * rows * columns * depth, "relax_over_pivot_kernel": rows * columns * depth,
                "pivot_tile_kernel": 64**3}.get(kernel, 0)

    def command(self):
        """Returns the arguments of apsp-bench. Kernels that measure the limit are not profiled."""
        case = f"floyd_warshall/{self.case}"
        _, _, type_name, _, size, _ = case.split("/")
        return ["--sizes", size, "--types", type_name, "--repeat", "1", "--check", "0",
                f"--benchmark_filter=^{case}/manual_time$"]


BLOCK = (64, 128, 512)  # a product relaxes over a block of 512 pivots

RUNS = [
    Run("f32 >= 0, n = 8192", "cuda_tiled/f32/8n_halves/8192/distances", tile=BLOCK),
    Run("f32, n = 8192", "cuda_tiled/f32/8n_negative/8192/distances", tile=BLOCK),
    Run("i32, n = 8192", "cuda_tiled/i32/8n_32bits/8192/distances", tile=BLOCK),
    Run("i32 in 16 bits, n = 8192", "cuda_tiled/i32/8n/8192/distances", tile=(128, 128, 512)),
    Run("f64, n = 8192", "cuda_tiled/f64/8n_halves/8192/distances", tile=(64, 64, 64)),
    Run("f32 >= 0, n = 1024", "cuda_tiled/f32/8n_halves/1024/distances", tile=(32, 64, 64), skip=30),
    Run("f32 with predecessors, n = 8192", "cuda_tiled/f32/8n_halves/8192/predecessors"),
    Run("f32 with predecessors, n = 8192", "cuda_tiled/f32/8n_halves/8192/predecessors",
        kernels="vias|first_predecessors|doubt", skip=0, count=8),
    Run("f32 cuda_naive, n = 4096", "cuda_naive/f32/8n_halves/4096/distances",
        tile=(4096, 4096, 1), kernels="relax_over_pivot", skip=100, count=1),
]


def number(text):
    return float(text.replace(",", "")) if re.match(r"[\d.,]+$", text or "") else 0.0


def launches(run, folder):
    """Returns the counters of each launch in the format of ncu."""
    metrics = [*COUNTERS.values(), *(STALL.format(s) for s in STALLS)]
    done = subprocess.run(
        ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
         "--kernel-name", f"regex:{run.kernels}", "--launch-skip", str(run.skip), "--launch-count", str(run.count),
         "--metrics", ",".join(metrics), f"{folder}/apsp-bench", *run.command()],
        capture_output=True, text=True)
    begin = done.stdout.find('"ID"')
    if done.returncode != 0 or begin < 0:
        sys.exit(f"{run.name}: no counters of {run.kernels}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    rows = list(csv.DictReader(io.StringIO(done.stdout[begin:])))
    yield from rows[1:]  # the first row contains units


def line_of(run, row):
    value = {name: number(row.get(counter, "")) for name, counter in COUNTERS.items()}
    kernel = re.search(r"(\w+)\s*[<(]", row["Kernel Name"].replace("<unnamed>", "").replace("unnamed>", "")).group(1)
    blocks = int(number(row["Grid Size"].strip("()").split(",")[0]))
    relaxations = run.relaxations(kernel, blocks)
    stalls = sorted(((number(row.get(STALL.format(s), "")), s) for s in STALLS if s != "not_selected"), reverse=True)
    microseconds = value["microseconds"] / 1e3
    return {
        "solve": run.name,
        "kernel": kernel,
        "algebra": ",".join(re.findall(r"(\w*algebra(?:<\w+<\w+>>)?)", row["Kernel Name"])[:1]),
        "blocks": blocks,
        "threads": int(number(row["Block Size"].strip("()").split(",")[0])),
        "microseconds": f"{microseconds:.1f}",
        "T relaxations/s": f"{relaxations / max(microseconds, 1e-9) / 1e6:.2f}",
        "relaxations per byte": f"{relaxations / max(value['dram'], 1):.2f}",
        **{f"{part} %": f"{value[part]:.0f}" for part in ("issue", "alu", "fma", "fp64", "shared")},
        "wavefronts in conflict %": f"{100 * value['conflicts'] / max(value['wavefronts'], 1):.1f}",
        "dram TB/s": f"{value['dram'] / max(microseconds, 1e-9) / 1e6:.2f}",
        "warps": f"{value['warps']:.1f}",
        "registers": int(value["registers"]),
        "spills": int(value["spills"]),
        "stalls": " ".join(f"{name}:{ratio:.2f}" for ratio, name in stalls[:3]),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--programs", default="build/perf", help="where apsp-bench is")
    options.add_argument("--only", default="", help="only solves in whose names this is found")
    options.add_argument("--csv", help="write the lines to this file, too")
    given = options.parse_args()
    lines = []
    for run in RUNS:
        if given.only not in run.name:
            continue
        for row in launches(run, given.programs):
            lines.append(line_of(run, row))
            print("  ".join(str(v) for v in lines[-1].values()), flush=True)
    if given.csv and lines:
        with open(given.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


if __name__ == "__main__":
    main()
