#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs one study, solves the same graphs with SciPy, and draws the plots. Those of "families" are also solved
with python-igraph and NetworKit (PyPI: igraph, networkit).

  study.py bellman_ford --program build/perf/study --csv bellman_ford.csv --svg bellman_ford.svg
  study.py bellman_ford --csv bellman_ford.csv --svg bellman_ford.svg --draw     an earlier measurement

Other options are passed to the program: --quick, --repeat 3, --seed 7. Needs SciPy and matplotlib (Debian and
Ubuntu: python3-scipy python3-matplotlib). Without SciPy its lines are omitted, which is noted in the file; the
same holds for the others.
"""
import argparse
import csv
import importlib
import importlib.util
import io
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

# The titles of the plots of each part of the studies, and their horizontal axes.
TITLES = {
    "repeated_squaring": {"squaring": ("G(n, 0.1), f32", "vertices")},
    "floyd_warshall": {"vertices": ("16 arcs per vertex, f32", "vertices")},
    "dijkstra": {"vertices": ("All pairs, G(n, 0.1), i32", "vertices"),
                 "time line": ("Time line, {n} vertices", "milliseconds")},
    "bellman_ford": {"vertices": ("All pairs, 4 arcs per vertex", "vertices"),
                     "arcs": ("All pairs, {n} vertices", "arcs"),
                     "weights": ("All pairs, {n} vertices, 4 arcs each", "largest weight"),
                     "topologies": ("All pairs, {n} vertices", "graph"),
                     "paths": ("With and without predecessors", "vertices")},
    "single_source": {"edges per thread": ("One source, complete graph of {n} vertices", "edges per thread"),
                      "strategies": ("One source, complete graphs", "vertices"),
                      "a source more": ("One source more, the graph on the device", "vertices"),
                      "transfers": ("One source: copies and the solve", "vertices"),
                      "streams": ("One source: copies beside relaxations", "vertices"),
                      "all pairs": ("All pairs, complete graphs, f32", "vertices")},
    "families": {"weights": ("All pairs, one core", "graph"),
                 "unit weights": ("All pairs, weights of 1, one core", "graph")},
}


def read_lines(name):
    """Returns the comments and the lines of a file."""
    with open(name, newline="", encoding="utf-8") as file:
        text = file.readlines()
    comments = [line for line in text if line.startswith("#")]
    return comments, list(csv.DictReader(line for line in text if not line.startswith("#")))


def read_all_lines(names):
    """Returns the machines and the lines of several files. A measured line replaces an estimated one of the same
    point."""
    machines, points = [], {}
    for name in names:
        comments, lines = read_lines(name)
        machines += [comment.lstrip("# ").strip() for comment in comments[:1]]
        for line in lines:
            point = line["part"], line["label"], line["x"]
            if point not in points or (line["estimated"] == "no" and points[point]["estimated"] != "no"):
                points[point] = line
    return machines, list(points.values())


def scipy_solver(algorithm, n, starts, targets, weights):
    """Returns a function of the sources, or None for all, to their rows."""
    import scipy.sparse.csgraph
    graph = scipy.sparse.csr_matrix((weights, (starts, targets)), shape=(n, n))
    if algorithm == "floyd_warshall":
        return lambda _: scipy.sparse.csgraph.floyd_warshall(graph)
    return lambda sources: scipy.sparse.csgraph.dijkstra(graph, indices=sources)


def igraph_solver(_, n, starts, targets, weights):
    """The same for python-igraph, which chooses between Dijkstra and breadth-first search."""
    import igraph
    import numpy
    graph = igraph.Graph(n, numpy.column_stack((starts, targets)), directed=True)
    graph.es["weight"] = weights
    has_weights = (weights != 1).any()
    return lambda sources: graph.distances(sources, weights="weight" if has_weights else None, mode="out")


def networkit_solver(_, n, starts, targets, weights):
    """The same for NetworKit, whose results are copied later."""
    import networkit
    networkit.setNumberOfThreads(1)
    ends = starts, targets.astype(starts.dtype)
    graph = networkit.GraphFromCoo((weights, ends), n=n, weighted=bool((weights != 1).any()),
                                   directed=True)
    return lambda sources: networkit.distance.SPSP(graph, sources).run()


# The packages that solve the graphs: what is imported, and their solvers.
RIVALS = {"SciPy": ("scipy", scipy_solver), "igraph": ("igraph", igraph_solver),
          "NetworKit": ("networkit", networkit_solver)}


def measure(make_solver, folder, entry, limit, before):
    """Solves one graph with a package for all sources, or for some if all would take too long.
    Returns the seconds, how they were estimated, the calls, and whether the rows are right.
    @param before  vertices and seconds of a smaller graph of the same plot."""
    import numpy
    n = int(entry["n"])

    def array(ending, dtype):
        return numpy.fromfile(os.path.join(folder, f"{entry['name']}.{ending}"), dtype=dtype)

    targets, weights = array("targets.i32", numpy.int32), array("weights.f64", numpy.float64)
    starts = numpy.repeat(numpy.arange(n), numpy.diff(array("offsets.i64", numpy.int64)))
    known = [int(v) for v in entry["sources"].split()]
    expected = array("expected.f64", numpy.float64).reshape(len(known), n)
    # The lightest of parallel arcs counts; SciPy would add them.
    order = numpy.lexsort((weights, targets, starts))
    starts, targets, weights = starts[order], targets[order], weights[order]
    first = numpy.ones(len(weights), dtype=bool)
    first[1:] = (starts[1:] != starts[:-1]) | (targets[1:] != targets[:-1])
    solver = make_solver(entry["algorithm"], n, starts[first], targets[first], weights[first])

    def solve(sources):
        begin = time.perf_counter()
        rows = solver(sources)
        return rows, time.perf_counter() - begin

    def array_of(rows):
        if hasattr(rows, "getDistances"):
            rows = numpy.asarray(rows.getDistances())
            rows[rows == numpy.finfo(numpy.float64).max] = numpy.inf
        return numpy.asarray(rows, dtype=numpy.float64)

    estimated = "no"
    if entry["algorithm"] == "floyd_warshall":
        estimate = before[1] * (n / before[0]) ** 3 if before else 0
        if estimate > limit:
            return estimate, "from_vertices", 0, "not"
        rows, seconds = solve(None)
        rows = rows[known]
        times = []
        while len(times) < 3 and sum(times) + 2 * seconds < limit / 4:
            times.append(solve(None)[1])
        seconds = statistics.median(times or [seconds])
    else:
        rows, seconds = solve(known)
        count = min(n, max(len(known), int(limit / 4 / (seconds / len(known)))))
        times = [solve([i * n // count for i in range(count)])[1] for _ in range(2)]
        seconds = statistics.median(times) * n / count
        estimated = "no" if count == n else "from_sources"
    return seconds, estimated, max(1, len(times)), "yes" if numpy.array_equal(array_of(rows), expected) else "NO"


def add_rival(study, name, folder, lines_file, limit):
    """Appends the lines of a package. Returns False if one is wrong."""
    package, make_solver = RIVALS[name]
    try:
        version = importlib.import_module(package).__version__
    except ImportError:
        with open(lines_file, "a", encoding="utf-8") as file:
            file.write(f"# {name} is left out: it is not installed\n")
        print(f"{name} is left out: it is not installed")
        return True
    index = os.path.join(folder, study + ".csv")
    if not os.path.exists(index):
        return True
    _, graphs = read_lines(index)
    all_right = True
    before = {}
    with open(lines_file, "a", newline="", encoding="utf-8") as file:
        file.write(f"# {name} {version}, one thread, f64\n")
        writer = csv.writer(file, lineterminator="\n")
        for entry in graphs:
            n, key = int(entry["n"]), (entry["part"], entry["algorithm"])
            seconds, estimated, calls, checked = measure(make_solver, folder, entry, limit, before.get(key))
            if estimated != "from_vertices":
                before[key] = n, seconds
            label = f"{name} {entry['algorithm']}" if name == "SciPy" else name
            writer.writerow([study, entry["part"], label, entry["x"], entry["graph"], entry["n"], entry["arcs"],
                             8 * n ** 2, calls, f"{seconds:.6g}", estimated, checked])
            file.flush()
            print(f"{entry['part']:<16} {label:<36} {entry['x']:>9} {entry['n']:>8} "
                  f"{entry['arcs']:>9} {seconds:>11.4g} {estimated:<14} {checked}", flush=True)
            all_right = all_right and checked != "NO"
    return all_right


def published(study, part):
    """Returns the published lines for the plot of a part."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published.csv")
    return [dict(line, label=line["drawn_as"]) for line in read_lines(file)[1]
            if line["study"] == study and line["part"] == part and line["drawn_as"]]


def style_of(label):
    """Returns the colour of a label, which depends on the solver and is the same in all plots."""
    colors = {"seq": "#475569", "omp": "#15803d", "cuda_naive": "#c2410c", "cuda_tiled": "#0b6fa4",
              "Boost": "#7e22ce", "SciPy": "#a16207", "igraph": "#0f766e",
              "NetworKit": "#1d4ed8", "three loops": "#be123c", "apsp": "#475569", "pandarm": "#a16207",
              "RoutingKit": "#7e22ce"}
    for word, color in colors.items():
        if word in label:
            return {"color": color}
    return {}


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def draw_points(axes, lines, of_others):
    """Draws seconds over a number, both on logarithmic scales. Estimates are hollow, published results dotted."""
    markers = "osD^vP*Xh<>"
    used = {}
    for label in dict.fromkeys(line["label"] for line in lines):
        points = [(float(line["x"]), float(line["seconds"]), line["estimated"] != "no")
                  for line in lines if line["label"] == label]
        style = style_of(label)
        marker = markers[used.setdefault(style.get("color", label), 0) % len(markers)]
        used[style.get("color", label)] += 1
        drawn = axes.plot([p[0] for p in points], [p[1] for p in points], linewidth=1.2, marker=marker,
                          markersize=4, label=label, **style)[0]
        hollow = [p for p in points if p[2]]
        axes.plot([p[0] for p in hollow], [p[1] for p in hollow], linestyle="none", marker=marker,
                  markersize=4, markerfacecolor="white", color=drawn.get_color())
    for label in dict.fromkeys(line["label"] for line in of_others):
        points = [(float(line["x"]), float(line["seconds"])) for line in of_others
                  if line["label"] == label]
        axes.plot([p[0] for p in points], [p[1] for p in points], linewidth=1, linestyle=":",
                  marker=markers[used.setdefault("others", 0) % len(markers)], markersize=3,
                  color="#94a3b8", label=label)
        used["others"] += 1
    axes.set_xscale("log")
    axes.set_yscale("log")
    numbers = sorted({float(line["x"]) for line in lines})
    axes.set_xticks(numbers, [f"{number:,.0f}" for number in numbers], rotation=30, fontsize=7)
    axes.set_xticks([], minor=True)


def draw_bars(axes, lines):
    """Draws seconds by name, one bar per label."""
    hatches = ["", "///", "xx", "\\\\"]
    names = list(dict.fromkeys(line["x"] for line in lines))
    labels = list(dict.fromkeys(line["label"] for line in lines))
    for i, label in enumerate(labels):
        of_label = [line for line in lines if line["label"] == label]
        for line in of_label:
            style = style_of(label)
            place = names.index(line["x"]) + (i - (len(labels) - 1) / 2) * 0.8 / len(labels)
            same = [other for other in labels[:i] if style_of(other) == style]
            axes.bar(place, float(line["seconds"]), width=0.75 / len(labels),
                     facecolor=style.get("color") if line["estimated"] == "no" else "white",
                     edgecolor=style.get("color") if line["estimated"] != "no" else "white",
                     hatch=hatches[len(same) % len(hatches)], linewidth=0.6,
                     label=label if line is of_label[0] else None)
    axes.set_xticks(range(len(names)), names)
    axes.set_yscale("log")


def draw_time_line(axes, lines):
    """Draws a bar per step, from its start to its end."""
    for row, line in enumerate(reversed(lines)):
        begin, length = float(line["x"]) * 1e3, float(line["seconds"]) * 1e3
        axes.barh(row, length, left=begin, height=0.6, **style_of(line["label"]))
        axes.text(begin + length, row, f" {length:.3g} ms", va="center", fontsize=7)
    names = [line["label"].split(": ", 1)[1] for line in reversed(lines)]
    axes.set_yticks(range(len(lines)), names, fontsize=7)
    axes.margins(x=0.2)


def panels_of(study, lines):
    """Returns the panels of the plot: one per part, and for a time line one per policy."""
    panels = []
    for part, (title, across) in TITLES[study].items():
        of_part = [line for line in lines if line["part"] == part]
        if not of_part:
            continue
        title = title.format(n=of_part[0]["n"])
        if part == "time line":
            for policy in dict.fromkeys(line["label"].split(":")[0] for line in of_part):
                panels.append((part, f"{title}, {policy}", across,
                               [line for line in of_part if line["label"].startswith(policy + ":")]))
        else:
            panels.append((part, title, across, of_part))
    return panels


def save_small(figure, svg, **options):
    """Saves a plot as a small file that is the same every time: no date, and no digits that nobody sees."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")), **options)
    text = re.sub(r"(\d\.\d\d)\d+", r"\1", drawn.getvalue())
    text = re.sub(r" *\n(?=[LCQz\"])", " ", text)  # a path on one line
    text = re.sub(r"font-family: [^;\"]*", "font-family: sans-serif", text)
    text = re.sub(r"<!--.*?-->| id=\"[a-z0-9]+_\d+\"", "", text)
    with open(svg, "w", encoding="utf-8") as file:
        file.writelines(line.strip() + "\n" for line in text.splitlines() if line.strip())


def draw(study, line_files, svg):
    """Draws a plot per part of the study."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    machines, lines = read_all_lines(line_files)
    unit = "seconds"
    if study == "families":
        unit = "nanoseconds per distance"
        for line in lines:
            line["seconds"] = float(line["seconds"]) * 1e9 / int(line["n"]) ** 2
    panels = panels_of(study, lines)
    if not panels:
        raise ValueError("there is nothing to draw")
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    # Makes the file reproducible: no random names.
    matplotlib.rcParams["svg.hashsalt"] = study
    matplotlib.rcParams["svg.fonttype"] = "none"  # text, not outlines
    figure, grid = pyplot.subplots(rows, columns, squeeze=False,
                                   figsize=(10 if columns == 1 else 13, 5 * rows))
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (part, title, across, of_part) in zip(grid.flat, panels):
        if part == "time line":
            draw_time_line(axes, of_part)
        else:
            if all(is_number(line["x"]) for line in of_part):
                draw_points(axes, of_part, published(study, part))
            else:
                draw_bars(axes, of_part)
            axes.set_ylabel(unit)
            if study == "families":
                axes.set_ylim(top=6 * axes.get_ylim()[1])  # for the legend
            if columns == 1:
                axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
            else:
                axes.legend(fontsize=7, framealpha=0.6)
            axes.grid(True, which="major", linewidth=0.3)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel(across)
    figure.text(0.5, 0.003, "\n".join(machines) + "; hollow: estimated", ha="center", fontsize=6)
    figure.tight_layout(rect=(0, 0.015 * max(1, len(machines)), 1, 1))
    save_small(figure, svg)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=TITLES)
    parser.add_argument("--program", default="build/release/perf/study", help="the program that measures")
    parser.add_argument("--csv", help="the file of lines (STUDY.csv)")
    parser.add_argument("--more", action="append", default=[], metavar="FILE",
                        help="lines measured before, to be drawn with them")
    parser.add_argument("--svg", help="the plots; none without it")
    parser.add_argument("--draw", action="store_true", help="draw the lines that the file has already")
    parser.add_argument("--limit", type=float, default=10.0,
                        help="seconds that one line may take; longer ones are estimated (10)")
    parser.add_argument("--scipy-limit", type=float, help="the same for SciPy (--limit)")
    args, rest = parser.parse_known_args()
    lines_file = args.csv or args.study + ".csv"
    if args.svg and importlib.util.find_spec("matplotlib") is None:
        print("study.py: --svg needs matplotlib (python3-matplotlib)", file=sys.stderr)
        return 2
    right = True
    if not args.draw:
        with tempfile.TemporaryDirectory() as folder:
            command = [args.program, args.study, "--csv", lines_file, "--graphs", folder, "--limit",
                       f"{args.limit:g}", *rest]
            try:
                status = subprocess.run(command, check=False).returncode
            except OSError as error:
                print(f"study.py: {args.program}: {error.strerror}", file=sys.stderr)
                return 2
            if status not in (0, 1):
                print(f"study.py: {args.program} ended with status {status}", file=sys.stderr)
                return 2
            scipy_limit = args.limit if args.scipy_limit is None else args.scipy_limit
            right = status == 0
            for name in RIVALS if args.study == "families" else ["SciPy"]:
                right = add_rival(args.study, name, folder, lines_file, scipy_limit) and right
    if args.svg:
        try:
            draw(args.study, [lines_file, *args.more], args.svg)
        except (OSError, ValueError) as error:
            print(f"study.py: {lines_file}: {error}", file=sys.stderr)
            return 2
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
