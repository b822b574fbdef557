# SPDX-License-Identifier: BSL-1.0
"""The examples of the pages about Python in docs/."""

import doctest
import pathlib
import re

import pytest
import scipy.sparse.csgraph

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.skipif(not DOCS.exists(), reason="the pages are not in a source distribution")
@pytest.mark.parametrize("name", ["python.md", "howto_scipy.md"])
def test_examples_of_the_page(name, monkeypatch):
    pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    page = DOCS / name
    # An example replaces it.
    monkeypatch.setattr(scipy.sparse.csgraph, "shortest_path", scipy.sparse.csgraph.shortest_path)
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, name, str(page), 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted > 5 and found.failed == 0
