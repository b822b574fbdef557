#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Executes the notebooks with few points, in new kernels of this Python, and checks that they are stored without outputs.

    python/tests/run_notebooks.py [NAME...]     all notebooks, if none is named

Needs nbclient and ipykernel. A notebook that uses NetworkX is skipped if the backend is not installed.
"""

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "notebooks"
SETTINGS = {"APSP_NOTEBOOK_POINTS": "1500", "APSP_NOTEBOOK_NODES": "120", "MPLBACKEND": "Agg"}


def why_skipped(name):
    """Return what a notebook lacks, or nothing."""
    if name == "networkx.ipynb" and not importlib.metadata.entry_points(group="networkx.backends", name="apsp"):
        return "the backend apsp of NetworkX is not installed"
    return ""


def run(file):
    """Execute one notebook; an exception of a cell is raised here."""
    import nbclient
    import nbformat

    stored = json.loads(file.read_text(encoding="utf-8"))
    cells = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    if not cells or any(cell["outputs"] or cell["execution_count"] for cell in cells):
        raise ValueError(f"{file.name} is stored with outputs")
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream" and output.name == "stdout":
                print("   ", output.text.strip().replace("\n", "\n    "))


def main(names):
    missing = [name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: there is no {' and no '.join(missing)} here")
        return 0
    os.environ.update(SETTINGS)
    files = [FOLDER / name for name in names] or sorted(FOLDER.glob("*.ipynb"))
    if not files:
        print(f"there are no notebooks in {FOLDER}")
        return 1
    num_run = 0
    for file in files:
        reason = why_skipped(file.name)
        if reason:
            print(f"{file.name}: skipped: {reason}")
            continue
        print(f"{file.name}:", flush=True)
        run(file)
        num_run += 1
    print(f"notebooks: {num_run} executed, {len(files) - num_run} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
