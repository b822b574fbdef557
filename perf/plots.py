#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws all plots of docs/ that show measurements, from the files in perf/results.

    perf/plots.py [NAME.svg...]      all of them, if none is named

Needs matplotlib (Debian and Ubuntu: python3-matplotlib), and measures nothing.
"""

import csv
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf/results"
sys.path.insert(0, str(ROOT / "perf/study"))
import study  # noqa: E402

# The studies that are drawn, and their files.
STUDIES = {
    "h200_floyd_warshall.svg": (
        "floyd_warshall",
        ["h200_study_floyd_warshall.csv", "h200_study_floyd_warshall_large.csv"],
    ),
    "h200_repeated_squaring.svg": (
        "repeated_squaring",
        ["h200_study_repeated_squaring.csv", "h200_study_repeated_squaring_large.csv"],
    ),
    "h200_dijkstra.svg": ("dijkstra", ["h200_study_dijkstra.csv"]),
    "h200_bellman_ford.svg": ("bellman_ford", ["h200_study_bellman_ford.csv"]),
    "h200_single_source.svg": ("single_source", ["h200_study_single_source.csv"]),
    "host_families.svg": ("families", ["host_study_families.csv"]),
}


def rows_of(name, first):
    """The rows of the table of a file whose header begins with `first`; a file may have several tables."""
    with open(RESULTS / name, newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    begin = next(i for i, line in enumerate(lines) if line.startswith(first))
    table = lines[begin:]
    columns = len(next(csv.reader(table[:1])))
    for row in csv.DictReader(table):
        if len([value for value in row.values() if value is not None]) == columns:
            yield row


def point(label, x, value):
    return {"label": label, "x": str(x), "seconds": value, "estimated": "no"}


def batches():
    """A graph of a batch, and of a loop of single calls."""
    for row in rows_of("h200_batches.csv", "gpu,"):
        if row["type"] == "f32":
            for call, column in (("one call", "batch_seconds"), ("a call for each graph", "loop_seconds")):
                microseconds = 1e6 * float(row[column]) / int(row["graphs"])
                yield point(f"{row['policy']}, {call}", row["n"], microseconds)


def closures():
    """Graphs of all sizes, and Floyd–Warshall of those with 4 random arcs for each vertex."""
    for row in rows_of("h200_closure.csv", "n,graph,arcs,"):
        if row["policy"] == "cuda_tiled":
            yield point("floyd_warshall, float, 4n random arcs", row["n"], 1e3 * float(row["floyd_warshall_f32_seconds"]))
    for row in rows_of("h200_closure.csv", "n,graph,arcs_per_vertex,"):
        if row["graph"] in ("random", "dag"):
            kind = "random arcs" if row["graph"] == "random" else "arcs without cycles"
            yield point(f"transitive_closure, {row['arcs_per_vertex']}n {kind}", row["n"], float(row["after_ms"]))


def centralities():
    for row in rows_of("host_betweenness.csv", "graph,"):
        if row["library"] in ("apsp", "igraph", "NetworKit"):
            name = row["graph"].replace(" without weights", ",\nno weights").replace("R-MAT, 16 arcs", "R-MAT")
            yield point(row["library"], name, float(row["seconds"]))


def planners():
    """Sums within a time, and tables of a hierarchy that is ready."""
    names = {
        "pandarm": "pandarm",
        "apsp_from_arcs": "apsp, accessibility",
        "apsp_hierarchy": "apsp, with a hierarchy",
        "RoutingKit_same_order": "RoutingKit",
        "apsp_same_order": "apsp, with a hierarchy",
    }
    graphs = {"luxembourg": "Luxembourg", "ny": "New York"}
    for row in rows_of("host_planners.csv", "case,"):
        _, graph, call, library = row["case"].split("/")
        if library in names and call.startswith(("within", "table")) and "_5_" not in call:
            call = call.replace(":", "\n").replace("min", " min")
            yield point(names[library], f"{graphs[graph]}\n{call}", float(row["ms"]) / 1e3)


# Plots of other results: title, unit, horizontal axis, points, and the file whose first line names the machine.
OTHERS = {
    "h200_batches.svg": (
        "10,000 graphs of 4n arcs (1,000 of n = 256), f32",
        "microseconds per graph",
        "vertices",
        batches,
        "h200_batches.csv",
    ),
    "h200_closure.svg": (
        "Transitive closure under cuda_tiled",
        "milliseconds",
        "vertices",
        closures,
        "h200_closure.csv",
    ),
    "host_betweenness.svg": (
        "Betweenness of all vertices, one thread",
        "seconds",
        "graph",
        centralities,
        "host_betweenness.csv",
    ),
    "host_planners.svg": (
        "Sums of amounts within a time from all vertices, and tables, one thread",
        "seconds",
        "graph and call",
        planners,
        "host_planners.csv",
    ),
}


def draw_other(name):
    from matplotlib import pyplot

    title, unit, across, points, file = OTHERS[name]
    lines = list(points())
    pyplot.rcParams["svg.hashsalt"] = name
    pyplot.rcParams["svg.fonttype"] = "none"
    figure, axes = pyplot.subplots(figsize=(10, 5))
    if all(study.is_number(line["x"]) for line in lines):
        study.draw_points(axes, lines, [])
    else:
        study.draw_bars(axes, lines)
        axes.tick_params(axis="x", labelsize=7)
    axes.set(title=title, xlabel=across, ylabel=unit)
    axes.title.set_fontsize(10)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
    axes.grid(True, which="major", linewidth=0.3)
    with open(RESULTS / file, encoding="utf-8") as results:
        machine = results.readline().lstrip("# ").split(";")[0].strip()
    figure.text(0.5, 0.003, machine, ha="center", fontsize=6)
    figure.tight_layout(rect=(0, 0.015, 1, 1))
    study.save_small(figure, ROOT / "docs" / name)
    pyplot.close(figure)


def draw(name):
    if name in STUDIES:
        kind, files = STUDIES[name]
        study.draw(kind, [RESULTS / file for file in files], ROOT / "docs" / name)
    elif name in OTHERS:
        draw_other(name)
    else:
        command = [sys.executable, ROOT / "perf/models/roofline.py", "--memory", "4.26", "--svg", ROOT / "docs" / name]
        command += ["--kernels", RESULTS / "h200_kernels.csv", "--goals", RESULTS / "h200_goals.csv"]
        subprocess.run(command, check=True)


def main(names):
    plots = [*STUDIES, *OTHERS, "h200_roofline.svg"]
    for name in names or plots:
        if name not in plots:
            print(f"plots.py: expected one of {', '.join(plots)}, got {name}", file=sys.stderr)
            return 2
        draw(name)
        print(f"docs/{name}: {(ROOT / 'docs' / name).stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
