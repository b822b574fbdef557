# SPDX-License-Identifier: BSL-1.0
"""apsp.plot, without a display."""

import doctest
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import apsp
import apsp.plot


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


# Vertex 5 has an arc in, and none out; vertex 6 has one out, and none in.
POSITIONS = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [2, 1], [0, 1]], float)
WEIGHTS = np.zeros((7, 7))
for u, w in enumerate([3, 1, 1, 2]):
    WEIGHTS[u, u + 1] = WEIGHTS[u + 1, u] = w
WEIGHTS[2, 5] = 1
WEIGHTS[6, 1] = 0.5


def line_of(ax, label):
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return line


def path_of(ax):
    (path,) = (line for line in ax.lines if line.get_color() == "white" and len(line.get_xdata()) > 1)
    return path


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_what_is_drawn(pyplot, make):
    ax = apsp.plot.eccentricity(make(WEIGHTS), POSITIONS)
    edges, grey, colored = ax.collections
    assert len(edges.get_segments()) == 6
    np.testing.assert_array_equal(grey.get_offsets(), POSITIONS[[5, 6]])
    np.testing.assert_array_equal(colored.get_offsets(), POSITIONS[:5])
    np.testing.assert_array_equal(colored.get_array(), [7, 4, 4, 5, 7])
    np.testing.assert_array_equal(line_of(ax, "centre").get_xydata(), POSITIONS[[1]])
    np.testing.assert_array_equal(path_of(ax).get_xydata(), POSITIONS[:5])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["longest shortest path: 7", "centre"]
    assert [other.get_ylabel() for other in ax.figure.axes] == ["", "eccentricity"]
    assert ax.get_aspect() == 1
    ax.figure.canvas.draw()


def test_own_axes_and_settings(pyplot):
    figure, ax = pyplot.subplots()
    found = apsp.plot.eccentricity(
        WEIGHTS,
        POSITIONS,
        ax,
        directed=False,
        unweighted=True,
        policy="seq",
        edges=False,
        colorbar=False,
        cmap="magma",
        size=3,
    )
    assert found is ax and figure.axes == [ax] and ax.get_aspect() == "auto"
    (colored,) = ax.collections
    np.testing.assert_array_equal(colored.get_array(), [4, 3, 2, 3, 4, 3, 4])
    assert colored.get_cmap().name == "magma" and colored.get_sizes() == [3]
    np.testing.assert_array_equal(line_of(ax, "centre").get_xydata(), POSITIONS[[2]])


def test_in_space(pyplot):
    points = np.column_stack([POSITIONS, np.arange(7)])
    ax = apsp.plot.eccentricity(WEIGHTS, points)
    assert ax.name == "3d"
    np.testing.assert_array_equal(np.transpose(path_of(ax).get_data_3d()), points[:5])
    np.testing.assert_array_equal(np.transpose(line_of(ax, "centre").get_data_3d()), points[[1]])
    ax.figure.canvas.draw()
    with pytest.raises(ValueError, match="3d"):
        apsp.plot.eccentricity(WEIGHTS, points, pyplot.figure().add_subplot())


def test_single_vertex(pyplot):
    ax = apsp.plot.eccentricity([[0]], [[1, 2]])
    np.testing.assert_array_equal(line_of(ax, "centre").get_xydata(), [[1, 2]])


def test_faults(pyplot):
    for positions in ([1, 2, 3], np.zeros((7, 4)), np.zeros((5, 2))):
        with pytest.raises(ValueError, match="positions"):
            apsp.plot.eccentricity(WEIGHTS, positions)
    with pytest.raises(apsp.NegativeCycleError):
        apsp.plot.eccentricity([[0, -1], [-1, 0]], [[0, 0], [1, 1]])
    assert pyplot.get_fignums() == []


def test_example(pyplot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = apsp.plot.eccentricity.__doc__.replace("  # doctest: +SKIP", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, "eccentricity", None, 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted == 5 and found.failed == 0
    assert "<svg" in (tmp_path / "ring.svg").read_text()


def test_without_matplotlib():
    program = """
import sys
sys.modules["matplotlib"] = sys.modules["mpl_toolkits"] = None
import apsp.plot
try:
    apsp.plot.eccentricity([[0, 1], [1, 0]], [[0, 0], [1, 1]])
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "apsp.plot needs matplotlib\n"
