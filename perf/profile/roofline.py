#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the relaxation rates measured by profile_kernels.py, and the limits of the device.

  roofline.py --kernels h200_kernels.csv --goals h200_goals.csv --memory 4.26 --svg h200_roofline.svg

Horizontal axis: relaxations per byte moved to and from device memory. Vertical axis: relaxations per second.
The slope is the memory bandwidth (TB/s); the levels are the register limits from apsp-bench (goals.py --csv).
"""
import argparse
import csv
import html
import math

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 30, 60
X_RANGE = (0.05, 1000.0)
Y_RANGE = (0.05, 50.0)
COLORS = ["#0b6fa4", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0f766e", "#a16207", "#475569"]


def x_of(value):
    low, high = (math.log10(v) for v in X_RANGE)
    return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def y_of(value):
    low, high = (math.log10(v) for v in Y_RANGE)
    return HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, size=12, anchor="start", color="#1f2937", turn=0):
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}"{turned}>'
            f"{html.escape(words)}</text>")


def line(x0, y0, x1, y1, color="#9ca3af", width=1.0, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}" '
            f'stroke-width="{width}"{dashed}/>')


def axes():
    for exponent in range(-1, 4):
        x = x_of(10.0**exponent)
        yield line(x, TOP, x, HEIGHT - BOTTOM, "#e5e7eb")
        yield text(x, HEIGHT - BOTTOM + 18, f"{10.0 ** exponent:g}", anchor="middle")
    for value in (0.1, 1, 10):
        y = y_of(value)
        yield line(LEFT, y, WIDTH - RIGHT, y, "#e5e7eb")
        yield text(LEFT - 8, y + 4, f"{value:g}", anchor="end")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, "relaxations per byte of device memory", anchor="middle")
    yield text(20, (TOP + HEIGHT - BOTTOM) / 2, "10^12 relaxations per second", anchor="middle", turn=-90)


def roofs(limits, memory):
    highest = max(limits.values())
    yield line(x_of(X_RANGE[0]), y_of(memory * X_RANGE[0]), x_of(highest / memory), y_of(highest), "#374151", 1.6)
    yield text(x_of(0.12), y_of(memory * 0.12) - 10, f"memory, {memory:g} TB/s", color="#374151", turn=-49)
    free = TOP
    for name, limit in sorted(limits.items(), key=lambda item: -item[1]):
        yield line(x_of(limit / memory), y_of(limit), WIDTH - RIGHT, y_of(limit), "#374151", 1.2, "5 3")
        free = max(free, y_of(limit) + 4)
        yield text(WIDTH - RIGHT + 8, free, f"{name}: {limit:.1f} in registers", 11, color="#374151")
        free += 13


def points(kernels):
    free = y_of(3.0)
    for index, kernel in enumerate(kernels):
        color = COLORS[index % len(COLORS)]
        x, y = x_of(kernel["intensity"]), y_of(kernel["rate"])
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{color}"/>'
        yield f'<circle cx="{WIDTH - RIGHT + 14}" cy="{free - 4:.1f}" r="4" fill="{color}"/>'
        yield text(WIDTH - RIGHT + 24, free, f"{kernel['name']}: {kernel['rate']:.1f}", 11)
        free += 16


def read_kernels(path):
    """Returns the launch of each solve with the most relaxations."""
    best = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            rate, intensity = float(row["T relaxations/s"]), float(row["relaxations per byte"])
            if rate <= 0 or row["kernel"] == "pivot_tile_kernel":
                continue
            share = rate * float(row["microseconds"])
            if share > best.get(row["solve"], {"share": 0})["share"]:
                best[row["solve"]] = {"name": row["solve"], "rate": rate, "intensity": intensity, "share": share}
    return list(best.values())


def read_limits(path):
    limits = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["policy"].startswith("cuda") and float(row["limit"]) > 0:
                limits[f"{row['type']} {row['weights']}"] = float(row["limit"]) / 1e12
    return limits


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kernels", required=True)
    options.add_argument("--goals", required=True)
    options.add_argument("--memory", type=float, required=True, help="TB/s")
    options.add_argument("--svg", required=True)
    given = options.parse_args()
    parts = [*axes(), *roofs(read_limits(given.goals), given.memory), *points(read_kernels(given.kernels))]
    with open(given.svg, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                   'font-family="sans-serif">\n'
                   f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
