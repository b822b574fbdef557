#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs apsp-picture on small graphs, and checks its pictures against shortest paths that are computed here.

    picture_test.py PROGRAM FOLDER      FOLDER is made, and receives the files
"""

import collections
import heapq
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2])
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments, status=0):
    """The output of the program; of a failure, its message, which must be one line."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=FOLDER, capture_output=True, text=True, check=False)
    command = " ".join(map(str, arguments))
    assert done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
    if status == 0:
        assert done.stderr == "", f"{command}: {done.stderr}"
        return done.stdout
    assert done.stdout == "", f"{command}: {done.stdout}"
    assert re.fullmatch(r"apsp-picture: [^\n]+\n", done.stderr), f"{command}: {done.stderr}"
    return done.stderr


def fails(*arguments, message):
    said = run(*arguments, status=1)
    assert message in said, f"{' '.join(map(str, arguments))}: expected '{message}', found: {said}"


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-5)


class Measures:
    """Of a graph that is given as a dict from (source, target) to the weight of the lightest arc."""

    def __init__(self, n, arcs):
        self.arcs = arcs
        neighbours = collections.defaultdict(list)
        for (u, v), w in arcs.items():
            neighbours[u].append((v, w))
        rows = []
        for source in range(n):
            row = {}
            queue = [(0.0, source)]
            while queue:
                d, u = heapq.heappop(queue)
                if u in row:
                    continue
                row[u] = d
                for v, w in neighbours[u]:
                    if v not in row:
                        heapq.heappush(queue, (d + w, v))
            rows.append(row)
        self.rows = rows
        self.eccentricity = [max(row.values()) for row in rows]
        counts = collections.Counter(map(len, rows))
        usual = max(counts, key=lambda length: (counts[length], length))
        self.drawn = [v for v in range(n) if len(rows[v]) == usual]
        self.least = min(self.eccentricity[v] for v in self.drawn)
        self.diameter = max(self.eccentricity)

    def within(self, distance):
        return [sum(d <= distance for d in row.values()) for row in self.rows]

    def betweenness(self):
        """Of the vertices, and of the arcs: shares of all pairs of vertices that may be on either side of them."""
        n = len(self.rows)
        of_vertices = [0.0] * n
        of_arcs = dict.fromkeys(self.arcs, 0.0)
        for source, row in enumerate(self.rows):
            tight = [(u, v) for (u, v), w in self.arcs.items() if u in row and near(row[u] + w, row[v])]
            tight.sort(key=lambda arc: row[arc[1]])
            counts = [0] * n
            counts[source] = 1
            for u, v in tight:
                counts[v] += counts[u]
            shares = [1.0] * n
            for u, v in reversed(tight):
                of_arcs[u, v] += shares[v] * counts[u] / counts[v]
                shares[u] += shares[v] * counts[u] / counts[v]
            for v in row:
                of_vertices[v] += shares[v] - 1 if v != source else 0
        return (
            [share / ((n - 1) * (n - 2)) for share in of_vertices],
            {arc: share / (n * (n - 1)) for arc, share in of_arcs.items()},
        )

    def check_path(self, path):
        assert near(sum(self.arcs[edge] for edge in itertools.pairwise(path)), self.diameter), path

    def check_centre(self, centre):
        assert centre in self.drawn and near(self.eccentricity[centre], self.least), centre


def summary_of(output):
    """The numbers of vertices and arcs, the eccentricities, the centre, the length and the vertices of the path."""
    numbers = re.match(
        r".*: (\d+) vertices, (\d+) arcs\neccentricity (\S+) to (\S+), centre (\d+)\n"
        r"longest shortest path (\S+), (\d+) vertices from (\d+) to (\d+)\n",
        output,
    )
    assert numbers, output
    return [float(x) if "." in x or "e" in x else int(x) for x in numbers.groups()]


def points_of(text):
    return [tuple(map(float, pair.split(","))) for pair in text.split()]


def by_id(root, name):
    found = [element for element in root.iter() if element.get("id") == name]
    assert len(found) == 1, f"{len(found)} elements of id {name}"
    return found[0]


def read_svg(name):
    root = ET.parse(FOLDER / name).getroot()
    assert root.tag == SVG + "svg" and root.find(SVG + "title").text and root.find(SVG + "desc").text
    texts = [text.text for text in by_id(root, "legend").iter(SVG + "text")]
    assert "eccentricity" in texts and "centre" in texts and texts[-1].startswith("longest shortest path"), texts
    assert len(by_id(root, "colors")) == 9
    centre = by_id(root, "centre")
    ends = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(SVG + "circle") if c.get("class") == "end"]
    path = points_of(by_id(root, "longest-path").get("points"))
    assert ends == [path[0], path[-1]]
    return root, (float(centre.get("cx")), float(centre.get("cy"))), path


def read_ply(name):
    header, body = (FOLDER / name).read_text().split("end_header\n")
    assert header.startswith("ply\nformat ascii 1.0\n")
    counts = {kind: int(n) for kind, n in re.findall(r"^element (\w+) (\d+)$", header, re.MULTILINE)}
    lines = [line.split() for line in body.splitlines()]
    assert len(lines) == sum(counts.values()), counts
    n, m = counts["vertex"], counts["face"]
    vertices, faces, edges = lines[:n], lines[n : n + m], lines[n + m :]
    points = [tuple(map(float, v[:3])) for v in vertices]
    colors = [tuple(map(int, v[3:6])) for v in vertices]
    assert all(len(v) == 7 for v in vertices) and all(0 <= x < 256 for c in colors for x in c)
    assert all(len(f) == 4 and f[0] == "3" for f in faces) and all(len(e) == 5 for e in edges)
    path = [int(edges[0][0]), *(int(e[1]) for e in edges)]
    assert [int(e[0]) for e in edges] == path[:-1]
    triangles = [tuple(map(int, f[1:])) for f in faces]
    centre = int(re.search(r"^comment centre (\d+)$", header, re.MULTILINE).group(1))
    return points, colors, [float(v[6]) for v in vertices], triangles, path, centre


def surface_arcs(points, edges):
    return {arc: math.dist(points[arc[0]], points[arc[1]]) for u, v in edges for arc in ((u, v), (v, u))}


def check_surface(points, colors, eccentricity, path, centre, arcs):
    expected = Measures(len(points), arcs)
    assert all(map(near, eccentricity, expected.eccentricity))
    expected.check_centre(centre)
    expected.check_path(path)
    assert [v for v, c in enumerate(colors) if c == (228, 26, 28)] == [centre]
    assert {v for v, c in enumerate(colors) if c == (255, 255, 255)} == set(path) - {centre}


def check_terrain():
    rows, columns = 7, 9
    said = summary_of(run("terrain", rows, columns, "--seed", 3, "-o", "hills.ply"))
    points, colors, eccentricity, triangles, path, centre = read_ply("hills.ply")
    n = rows * columns
    assert len(points) == n == said[0] and len(triangles) == 2 * (rows - 1) * (columns - 1)
    heights = [z for _, _, z in points]
    assert near(min(heights), 0) and near(max(heights), columns)
    places = [(v // columns, v % columns) for v in range(n)]
    assert all((x, y) == (c, rows - 1 - r) for (r, c), (x, y, _) in zip(places, points))
    pairs = [(u, v) for u in range(n) for v in range(u) if max(abs(a - b) for a, b in zip(places[u], places[v])) == 1]
    assert said[1] == 2 * len(pairs)
    check_surface(points, colors, eccentricity, path, centre, surface_arcs(points, pairs))

    assert summary_of(run("terrain", rows, columns, "--seed", 3, "-o", "hills.svg", "--policy", "seq")) == said
    root, centre_place, path_places = read_svg("hills.svg")
    # Every vertex is one square.
    squares = collections.Counter()
    for shape in by_id(root, "eccentricity"):
        for rectangle in shape.get("d").split("z")[:-1]:
            x, y, width, back = map(int, re.fullmatch(r"M(\d+) (\d+)h(\d+)v1h-(\d+)", rectangle).groups())
            assert width == back
            squares.update((x + k, y) for k in range(width))
    assert squares == collections.Counter((x, y) for x in range(columns) for y in range(rows))
    assert 1 <= len(by_id(root, "relief")) <= 8
    side = 640 / columns
    place = [(12 + (c + 0.5) * side, 12 + (r + 0.5) * side) for r, c in places]
    assert math.dist(centre_place, place[centre]) < 0.2
    assert all(math.dist(a, place[v]) < 0.2 for a, v in zip(path_places, path, strict=True))
    # The seed decides.
    again = (FOLDER / "hills.svg").read_text()
    run("terrain", rows, columns, "--seed", 3, "-o", "hills.svg", "--threads", 2)
    assert (FOLDER / "hills.svg").read_text() == again
    run("terrain", rows, columns, "--seed", 4, "-o", "hills.svg")
    assert (FOLDER / "hills.svg").read_text() != again
    # The size of a picture in documentation.
    run("terrain", 60, "-o", "terrain.SVG")
    assert (FOLDER / "terrain.SVG").stat().st_size < 250_000
    read_svg("terrain.SVG")
    # All eccentricities may be equal, and a terrain may be level.
    run("terrain", 2, 2, "--relief", 0, "-o", "level.svg")
    read_svg("level.svg")
    run("terrain", 2, 2, "--relief", 0, "-o", "level.ply")
    read_ply("level.ply")


def check_mesh():
    # A pyramid with faces in every notation, a square among them, and a vertex without faces.
    (FOLDER / "pyramid.obj").write_text(
        "# a pyramid\no pyramid\nv 0 0 0\nv 4 0 0\nv 4.0 3e0 0 1\nv 0 3 0\r\nv 2 1.5 9\nvn 0 0 1\nvt 0 0\n\n"
        "f 1 2 3 4\nf 1/1 2/1 5/1\nf 2//1 3//1 -1//1\nf 3/1/1 4/1/1 5/1/1\nf -2 1 -1\nv 9 9 9\ns off\n"
    )
    said = summary_of(run("mesh", "pyramid.obj", "-o", "pyramid.ply"))
    points, colors, eccentricity, triangles, path, centre = read_ply("pyramid.ply")
    assert said[:2] == [6, 18] and points[2] == (4, 3, 0) and points[5] == (9, 9, 9)
    assert triangles == [(0, 1, 2), (0, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (0, 4), (1, 4), (2, 4), (3, 4)]
    check_surface(points, colors, eccentricity, path, centre, surface_arcs(points, edges))
    assert colors[5] == (190, 190, 190)

    said = summary_of(run("mesh", "-o", "horn.ply"))
    points, _, eccentricity, triangles, path, centre = read_ply("horn.ply")
    arcs = {(t[i], t[j]) for t in triangles for i in range(3) for j in range(3) if i != j}
    assert len(points) == said[0] and len(arcs) == said[1]
    assert near(sum(math.dist(points[u], points[v]) for u, v in itertools.pairwise(path)), max(eccentricity))
    assert set(itertools.pairwise(path)) <= arcs and near(eccentricity[centre], min(eccentricity))

    for number, (text, message) in enumerate(
        [
            ("v 0 0 0\nv 1 0 0\n", "bad0.obj: there are no faces"),
            ("v 0 0\n", "bad1.obj:1: expected a coordinate"),
            ("v 0 0 nan\n", "bad2.obj:1: expected a coordinate"),
            ("v 0 0 0\nf 1 2 1\n", "bad3.obj:2: vertex 2 is out of range"),
            ("v 0 0 0\nf 1 0 1\n", "bad4.obj:2: expected a vertex"),
            ("v 0 0 0\nf 1 1\n", "bad5.obj:2: a face has three vertices"),
            ("v 0 0 0\nf 1 -2 1\n", "bad6.obj:2: vertex -2 is out of range"),
            ("v 0 0 1e31\n", "bad7.obj:1: expected a coordinate from -1e30 to 1e30"),
        ]
    ):
        (FOLDER / f"bad{number}.obj").write_text(text)
        fails("mesh", f"bad{number}.obj", "-o", "bad.ply", message=message)
    fails("mesh", "missing.obj", "-o", "bad.ply", message="missing.obj: cannot be read")
    fails("mesh", ".", "-o", "bad.ply", message="is a folder")


def check_roads():
    # A ring with a road of one direction out of it and one into it: vertex 6 reaches none, and vertex 7 all.
    (FOLDER / "ring.gr").write_text(
        "c a ring\np sp 7 13\n"
        + "".join(f"a {u + 1} {(u + 1) % 5 + 1} {u + 1}\na {(u + 1) % 5 + 1} {u + 1} {u + 1}\n" for u in range(5))
        + "a 1 6 2\na 1 6 7\na 7 2 3\n"
    )
    coordinates = "c where\np aux sp co 7\nv 1 0 0\nv 2 100 0\nv 3 150 80\nv 4 50 150\nv 5 -50 80\n"
    coordinates += "v 6 -60.5 -20\nv 7 140 -10\n"
    (FOLDER / "ring.co").write_text(coordinates)
    output = run("roads", "ring.gr", "ring.co", "-o", "ring.svg")
    assert "grey: 2 vertices" in output
    said = summary_of(output)
    arcs = {arc: u + 1.0 for u in range(5) for arc in ((u, (u + 1) % 5), ((u + 1) % 5, u))}
    arcs[0, 5] = 2.0
    arcs[6, 1] = 3.0
    expected = Measures(7, arcs)
    assert said[:2] == [7, 13] and near(said[2], expected.least) and near(said[5], expected.diameter)
    expected.check_centre(said[4])
    root, centre, path = read_svg("ring.svg")
    scale = 640 / 210.5
    points = [tuple(map(float, line.split()[2:])) for line in coordinates.splitlines()[2:]]
    place = [(12 + (x + 60.5) * scale, 12 + (150 - y) * scale) for x, y in points]
    assert math.dist(centre, place[said[4]]) < 0.2
    expected.check_path([min(range(7), key=lambda v: math.dist(a, place[v])) for a in path])
    # Every edge is drawn once; those to vertices 6 and 7 are grey.
    drawn = collections.Counter()
    for shape in by_id(root, "eccentricity"):
        for line in shape.get("d").split("M")[1:]:
            first, rest = line.split("l")
            numbers = [int(x) for x in re.findall(r"-?\d+", rest)]
            at = tuple(map(int, first.split()))
            for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
                to = (at[0] + dx, at[1] + dy)
                ends = [min(range(7), key=lambda v: math.dist([x / 10 for x in p], place[v])) for p in (at, to)]
                drawn[tuple(sorted(ends)), shape.get("stroke") == "#bebebe"] += 1
                at = to
    roads = {tuple(sorted(arc)) for arc in arcs}
    assert drawn == collections.Counter((road, road in ((0, 5), (1, 6))) for road in roads), drawn

    # Longitudes are shorter than latitudes.
    (FOLDER / "north.co").write_text(re.sub(r"(?m)^(v \d+ \S+) (\S+)$", r"\1 60000000", coordinates))
    run("roads", "ring.gr", "north.co", "--degrees", "-o", "north.svg")
    read_svg("north.svg")
    (FOLDER / "north.co").write_text(re.sub(r"(?m)^(v \d+ \S+) (\S+)$", r"\1 170000000", coordinates))
    fails("roads", "ring.gr", "north.co", "--degrees", "-o", "bad.svg", message="north.co:3: expected a latitude")
    (FOLDER / "one.gr").write_text("p sp 1 0\n")
    (FOLDER / "one.co").write_text("p aux sp co 1\nv 1 7 7\n")
    run("roads", "one.gr", "one.co", "-o", "one<&>.svg")
    read_svg("one<&>.svg")

    for number, (text, message) in enumerate(
        [
            ("", "bad0.co: there is no line 'p aux sp co'"),
            ("v 1 0 0\n", "bad1.co:1: expected the line 'p aux sp co'"),
            ("p aux sp co 6\n", "bad2.co:1: 6 vertices, but the graph has 7"),
            ("p aux sp co 7\nv 8 0 0\n", "bad3.co:2: vertex 8 is out of range"),
            ("p aux sp co 7\nv 1 0 0\nv 1 0 0\n", "bad4.co:3: vertex 1 has coordinates already"),
            ("p aux sp co 7\nv 1 0\n", "bad5.co:2: expected a coordinate"),
            ("p aux sp co 7\nv 1 0 0 0\n", "bad6.co:2: the line is too long"),
            ("p aux sp co 7\nv 1 0 0\n", "bad7.co: the file ends after 1 of 7 vertices"),
            ("p aux sp co 7\nv -1 0 0\n", "bad8.co:2: expected the number of a vertex"),
            ("p aux sp co 7\nw 1 0 0\n", "bad9.co:2: expected a line 'v'"),
        ]
    ):
        (FOLDER / f"bad{number}.co").write_text(text)
        fails("roads", "ring.gr", f"bad{number}.co", "-o", "bad.svg", message=message)
    (FOLDER / "negative.gr").write_text("p sp 2 1\na 1 2 -3\n")
    (FOLDER / "two.co").write_text("p aux sp co 2\nv 1 0 0\nv 2 1 1\n")
    fails("roads", "negative.gr", "two.co", "-o", "bad.svg", message="negative.gr: there is a negative weight")
    (FOLDER / "none.gr").write_text("p sp 0 0\n")
    fails("roads", "none.gr", "ring.co", "-o", "bad.svg", message="none.gr: there are no vertices")
    fails("roads", "missing.gr", "ring.co", "-o", "bad.svg", message="missing.gr")
    fails("roads", "ring.gr", "missing.co", "-o", "bad.svg", message="missing.co: cannot be read")


def check_within():
    """Numbers of vertices within a distance in place of eccentricities; there is no path then."""
    said = run("terrain", 6, 8, "--seed", 5, "--within", 4.3, "-o", "near.ply")
    header, body = (FOLDER / "near.ply").read_text().split("end_header\n")
    assert "property float num_within\n" in header and "element edge 0\n" in header and "path" not in header
    vertices = [line.split() for line in body.splitlines()[:48]]
    points = [tuple(map(float, v[:3])) for v in vertices]
    places = [(v // 8, v % 8) for v in range(48)]
    pairs = [(u, v) for u in range(48) for v in range(u) if max(abs(a - b) for a, b in zip(places[u], places[v])) == 1]
    expected = Measures(48, surface_arcs(points, pairs)).within(4.3)
    assert [float(v[6]) for v in vertices] == expected
    most = expected.index(max(expected))
    assert [v for v in range(48) if vertices[v][3:6] == ["228", "26", "28"]] == [most]
    assert said.endswith(f"\nvertices within 4.3: {min(expected)} to {max(expected)}, most for {most}\n"), said

    # The ring with a road out of it and one into it: nothing is grey.
    said = run("roads", "ring.gr", "ring.co", "--within", 3, "--policy", "seq", "-o", "near.svg")
    assert said.endswith("\nvertices within 3: 1 to 4, most for 0\n"), said
    root = ET.parse(FOLDER / "near.svg").getroot()
    assert sum(1 for shape in by_id(root, "num_within") if shape.get("stroke") == "#bebebe") == 0
    texts = [text.text for text in by_id(root, "legend").iter(SVG + "text")]
    assert texts == ["1", "vertices within 3", "4", "most"], texts
    assert by_id(root, "centre").tag == SVG + "circle" and not list(root.iter(SVG + "polyline"))
    run("terrain", 6, 8, "--within", 0, "-o", "alone.svg")
    by_id(ET.parse(FOLDER / "alone.svg").getroot(), "num_within")
    for distance in (-1, "nan", "inf", "far"):
        fails("mesh", f"--within={distance}", "-o", "bad.ply", message="--within")


def check_betweenness():
    """Shares of pairs in place of eccentricities: of vertices on surfaces, and of roads on maps."""
    said = run("terrain", 5, 7, "--seed", 5, "--betweenness", "-o", "busy.ply")
    header, body = (FOLDER / "busy.ply").read_text().split("end_header\n")
    assert "property float betweenness\n" in header and "element edge 0\n" in header and "path" not in header
    vertices = [line.split() for line in body.splitlines()[:35]]
    points = [tuple(map(float, v[:3])) for v in vertices]
    places = [(v // 7, v % 7) for v in range(35)]
    pairs = [(u, v) for u in range(35) for v in range(u) if max(abs(a - b) for a, b in zip(places[u], places[v])) == 1]
    expected = Measures(35, surface_arcs(points, pairs)).betweenness()[0]
    assert all(near(float(v[6]), share) for v, share in zip(vertices, expected, strict=True))
    most = expected.index(max(expected))
    assert [v for v in range(35) if vertices[v][3:6] == ["228", "26", "28"]] == [most]
    numbers = re.search(r"\nbetweenness: (\S+) to (\S+), most for (\d+)\n$", said)
    assert numbers and near(float(numbers[1]), min(expected)) and near(float(numbers[2]), max(expected)), said
    assert int(numbers[3]) == most, said

    # The lighter of the parallel arcs from vertex 0 to 5 is on shortest paths, and both are one road.
    arcs = {arc: u + 1.0 for u in range(5) for arc in ((u, (u + 1) % 5), ((u + 1) % 5, u))}
    arcs[0, 5] = 2.0
    arcs[6, 1] = 3.0
    of_vertices, of_arcs = Measures(7, arcs).betweenness()
    of_roads = collections.Counter()
    for arc, share in of_arcs.items():
        of_roads[tuple(sorted(arc))] += share
    said = run("roads", "ring.gr", "ring.co", "--betweenness", "--policy", "seq", "-o", "busy.svg")
    numbers = re.search(r"\nbetweenness: (\S+) to (\S+), most for (\d+)\n$", said)
    assert numbers and near(float(numbers[1]), min(of_roads.values())), said
    assert near(float(numbers[2]), max(of_roads.values())), said
    assert near(of_vertices[int(numbers[3])], max(of_vertices)), said
    root = ET.parse(FOLDER / "busy.svg").getroot()
    shapes = list(by_id(root, "betweenness"))
    # The last, over the others, has the colour of the largest share.
    assert shapes[-1].get("stroke") == "#fde725" and all(shape.get("stroke") != "#bebebe" for shape in shapes)
    lines = [line.split("l")[1] for shape in shapes for line in shape.get("d").split("M")[1:]]
    drawn = sum(len(re.findall(r"-?\d+", line)) // 2 for line in lines)
    assert drawn == len(of_roads), drawn
    texts = [text.text for text in by_id(root, "legend").iter(SVG + "text")]
    assert texts[1] == "betweenness" and texts[3:] == ["most"], texts
    assert by_id(root, "centre").tag == SVG + "circle" and not list(root.iter(SVG + "polyline"))
    run("roads", "one.gr", "one.co", "--betweenness", "-o", "alone.svg")
    by_id(ET.parse(FOLDER / "alone.svg").getroot(), "betweenness")
    fails("mesh", "--betweenness", "--within", 2, "-o", "bad.ply", message="--within")


def check_rome():
    """A real road map, if there is one in the folder APSP_TEST_DATA. Its vertices have no coordinates there."""
    data = pathlib.Path(os.environ.get("APSP_TEST_DATA", "missing"))
    graph = data / "dimacs9-rome99/rome99.gr"
    if not graph.exists():
        return
    facts = json.loads((data / "facts.json").read_text())["rome99"]
    n = facts["n"]
    places = "".join(f"v {v + 1} {v % 58} {v // 58}\n" for v in range(n))
    (FOLDER / "rome.co").write_text(f"p aux sp co {n}\n{places}")
    said = summary_of(run("roads", graph, "rome.co", "-o", "rome.svg"))
    assert said[:2] == [n, facts["m"]] and said[3] == said[5] == facts["max_finite_distance"], said
    read_svg("rome.svg")
    run("roads", graph, "rome.co", "--betweenness", "-o", "busy_rome.svg")
    by_id(ET.parse(FOLDER / "busy_rome.svg").getroot(), "betweenness")


def check_command_line():
    assert "terrain" in run("--help") and "--seed" in run("terrain", "--help")
    assert re.match(r"apsp-picture \d+\.\d+", run("--version"))
    fails(message="subcommand")
    fails("portrait", "-o", "bad.svg", message="subcommand")
    fails("terrain", 5, message="--output")
    fails("terrain", "-o", "bad.svg", message="size")
    for size in (1, -5, "4e1", 1000000, ""):
        fails("terrain", size, "-o", "bad.svg", message="")
    fails("terrain", 5, "-o", "bad.png", message="does not end in .svg or .ply")
    fails("terrain", 5, "-o", "no/such/bad.svg", message="there is no such folder")
    fails("mesh", "-o", "bad.svg", message="does not end in .ply")
    fails("roads", "ring.gr", "ring.co", "-o", "bad.ply", message="does not end in .svg")
    fails("terrain", 5, "--seed", -1, "-o", "bad.svg", message="--seed")
    fails("terrain", 5, "--relief", "nan", "-o", "bad.svg", message="--relief")
    fails("terrain", 5, "--policy", "fast", "-o", "bad.svg", message="fast")
    fails("terrain", 5, "--threads", 0, "-o", "bad.svg", message="--threads")
    assert not list(FOLDER.glob("bad.*"))
    (FOLDER / "folder.svg").mkdir()
    fails("terrain", 5, "-o", "folder.svg", message="folder.svg: cannot be written")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    checks = (check_terrain, check_mesh, check_roads, check_within, check_betweenness, check_rome, check_command_line)
    for check in checks:
        check()
        print(f"{check.__name__}: passed")


if __name__ == "__main__":
    main()
