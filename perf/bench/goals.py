#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints which goals are met by the measurements of apsp-bench.

  apsp-bench $(goals.py --arguments --only omp) --benchmark_out=run.json
  goals.py run.json

goals.json contains the goals: a case, one of its figures, and its minimum or maximum. Rates are for one H200.
Exit status: 0 if all measured goals are met, 1 if one is not, 2 if nothing was measured. Needs only Python.
"""
import argparse
import csv
import json
import pathlib
import re
import statistics
import sys

SUFFIX = "/manual_time"  # appended by Google Benchmark


def read_runs(paths):
    """Returns the runs of each case by name; several if there were repetitions."""
    runs = {}
    for path in paths:
        with open(path) as file:
            measured = json.load(file)
        for run in measured["benchmarks"]:
            if run.get("run_type", "iteration") == "iteration":
                runs.setdefault(run["name"].removesuffix(SUFFIX), []).append(run)
    return runs


def figure_of(runs, figure):
    """Returns the median of several runs; None if one failed or lacks the figure."""
    values = [None if run.get("error_occurred") else run.get(figure) for run in runs]
    return None if None in values else statistics.median(values)


def arguments_of(goals):
    """Returns the arguments of apsp-bench to measure the goals and the cases that they are compared with."""
    cases = sorted({case for goal in goals for case in (goal.get("beside"), goal["case"]) if case})
    sizes = sorted({number for case in cases for number in re.findall(r"/(\d+)(?:/|$)", case)}, key=int)
    return f"--sizes {','.join(sizes)} --benchmark_filter=^({'|'.join(cases)}){SUFFIX}$"


def text(value):
    if value is None:
        return "-"
    return f"{value / 1e12:.2f}e12" if value >= 1e12 else f"{value:.4g}"


def line_of(goal, runs):
    reached = figure_of(runs, goal["figure"])
    least, most = goal.get("at_least"), goal.get("at_most")
    is_met = reached is not None and (least is None or reached >= least) and (most is None or reached <= most)
    _, policy, type_name = goal["case"].split("/")[:3]
    limit = figure_of(runs, "limit/s")
    return {
        "case": goal["case"], "policy": policy, "type": type_name, "weights": goal.get("weights", ""),
        "calls": sum(int(run.get("calls", 0)) for run in runs), "limit": limit or 0,
        "figure": goal["figure"], "reached": reached, "at_least": least, "at_most": most,
        "met": "yes" if is_met else "no",
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("results", nargs="*", help="of apsp-bench --benchmark_out=FILE")
    options.add_argument("--goals", default=pathlib.Path(__file__).with_name("goals.json"))
    options.add_argument("--arguments", action="store_true", help="print what apsp-bench is to be given, and end")
    options.add_argument("--only", default="", help="only goals in whose cases this regular expression is found")
    options.add_argument("--csv", help="write the lines to this file, too")
    given = options.parse_args()
    with open(given.goals) as file:
        goals = [goal for goal in json.load(file) if re.search(given.only, goal["case"])]
    if given.arguments:
        print(arguments_of(goals))
        return 0
    runs = read_runs(given.results)
    lines = [line_of(goal, runs[goal["case"]]) for goal in goals if goal["case"] in runs]
    if not lines:
        print("no case of a goal was measured", file=sys.stderr)
        return 2
    print(f"{'case':<60} {'figure':<14} {'reached':>10} {'goal':>12}  met")
    for line in lines:
        bound = f">= {text(line['at_least'])}" if line["at_least"] is not None else f"<= {text(line['at_most'])}"
        print(f"{line['case']:<60} {line['figure']:<14} {text(line['reached']):>10} {bound:>12}  {line['met']}")
    unmeasured = len(goals) - len(lines)
    if unmeasured:
        print(f"{unmeasured} of {len(goals)} goals were not measured")
    if given.csv:
        with open(given.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
    return 0 if all(line["met"] == "yes" for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
