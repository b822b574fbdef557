#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the relaxation rates measured by profile_kernels.py, and the limits of the device.

  roofline.py --kernels h200_kernels.csv --goals h200_goals.csv --memory 4.26 --svg h200_roofline.svg

Horizontal axis: relaxations per byte moved to and from device memory. Vertical axis: relaxations per second.
The slope is the memory bandwidth (TB/s); the levels are the register limits from apsp-bench (goals.py --csv).
Needs matplotlib (Debian and Ubuntu: python3-matplotlib).
"""
import argparse
import csv
import io
import itertools

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

X_RANGE = (0.05, 1000.0)
Y_RANGE = (0.05, 50.0)


def read(path):
    with open(path, newline="") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


def kernels_of(path):
    """Returns the launch of each solve with the most relaxations: its relaxations per byte, and its rate."""
    best = {}
    for row in read(path):
        rate, intensity = float(row["T relaxations/s"]), float(row["relaxations per byte"])
        if row["kernel"] != "pivot_tile_kernel" and rate > 0:
            work = rate * float(row["microseconds"])
            best[row["solve"]] = max(best.get(row["solve"], (0, 0, 0)), (work, intensity, rate))
    return {solve: (intensity, rate) for solve, (_, intensity, rate) in best.items()}


def limits_of(path):
    return {f"{row['type']} {row['weights']}": float(row["limit"]) / 1e12 for row in read(path)
            if row["policy"].startswith("cuda") and float(row["limit"]) > 0}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kernels", required=True)
    options.add_argument("--goals", required=True)
    options.add_argument("--memory", type=float, required=True, help="TB/s")
    options.add_argument("--svg", required=True)
    given = options.parse_args()
    matplotlib.rcParams.update({"svg.hashsalt": "roofline", "svg.fonttype": "none"})  # a reproducible file
    figure, axes = pyplot.subplots(figsize=(11, 6))
    limits = limits_of(given.goals)
    highest = max(limits.values())
    axes.plot([X_RANGE[0], highest / given.memory], [given.memory * X_RANGE[0], highest], color="#374151",
              label=f"memory, {given.memory:g} TB/s")
    dashes = [(0, (8, 2)), "--", "-.", ":", (0, (1, 3))]
    for style, (name, limit) in zip(itertools.cycle(dashes), sorted(limits.items(), key=lambda item: -item[1])):
        axes.plot([limit / given.memory, X_RANGE[1]], [limit, limit], linestyle=style, linewidth=1, color="#374151",
                  label=f"{name}: {limit:.1f} in registers")
    for index, (solve, (intensity, rate)) in enumerate(kernels_of(given.kernels).items()):
        axes.plot(intensity, rate, "o", color=f"C{index}", label=f"{solve}: {rate:.1f}")
    axes.set(xscale="log", yscale="log", xlim=X_RANGE, ylim=Y_RANGE, xlabel="relaxations per byte of device memory",
             ylabel="$10^{12}$ relaxations per second")
    axes.grid(True, linewidth=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1))
    svg = io.StringIO()
    figure.savefig(svg, format="svg", metadata={"Date": None}, bbox_inches="tight")
    with open(given.svg, "w", encoding="utf-8") as file:
        file.writelines(line.rstrip() + "\n" for line in svg.getvalue().splitlines())


if __name__ == "__main__":
    main()
