#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A page of docs/reference as Doxygen reads it (FILTER_PATTERNS in docs/Doxyfile).

Each page gets a label, so that its file in the site is reference_NAME.html. The first link of the index to
each page becomes \\subpage: the navigation of the site then shows the pages below the index.

    docs/site_filter.py PAGE
"""

import pathlib
import re
import sys


def main(name):
    page = pathlib.Path(name)
    text = re.sub(r"\A(# .*)$", rf"\1 {{#reference_{page.stem}}}", page.read_text(), flags=re.MULTILINE)
    if page.stem == "index":
        seen = set()

        def subpage(link):
            title, target = link.groups()
            if target in seen:
                return link.group(0)
            seen.add(target)
            return f'@subpage reference_{target} "{title}"'

        text = re.sub(r"\[([^]]*)\]\((\w+)\.md\)", subpage, text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
