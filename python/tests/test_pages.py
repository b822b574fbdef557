# SPDX-License-Identifier: BSL-1.0
"""The examples of docs/python.md."""

import doctest
import pathlib
import re

import pytest
import scipy.sparse.csgraph

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not in a source distribution")
def test_examples_of_the_page(monkeypatch):
    pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    # An example replaces it.
    monkeypatch.setattr(scipy.sparse.csgraph, "shortest_path", scipy.sparse.csgraph.shortest_path)
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted > 5 and found.failed == 0
