#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the pages: every link leads somewhere, every block of C++ is part of a program in
test/examples, where it is compiled and run, and docs/pages.md lists all of these programs.

A block may leave lines out: a line "// ..." stands for any of them. Layout does not count.

    docs/check_pages.py [PAGE...]      all pages of the project, if none is named
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_code(lines):
    """The lines with code blanked out: a bracket there is no link."""
    inside = False
    for line in lines:
        if line.startswith("```"):
            inside = not inside
            yield ""
        else:
            yield "" if inside else re.sub(r"`[^`]*`", "", line)


def anchors_of(page):
    """The anchors of a page's headings, as GitHub makes them."""
    anchors = set()
    for line in page.read_text().splitlines():
        if line.startswith("#"):
            words = line.lstrip("#").strip().lower()
            anchors.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return anchors


def broken_links(page):
    for number, line in enumerate(without_code(page.read_text().splitlines()), 1):
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                yield number, f"there is no {link}"
            elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
                yield number, f"{path or page.name} has no heading #{anchor}"


def code_lines(text):
    """The lines of a source that say something, in one layout."""
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip()]


def blocks_of(page):
    block, begin = None, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if block is not None:
                yield begin, block
                block = None
            elif line.strip() == "```cpp":
                block, begin = "", number
        elif block is not None:
            block += line + "\n"


def is_part_of(pieces, source):
    """True if the pieces, lists of lines, follow one another in the source."""
    begin = 0
    for piece in pieces:
        places = range(begin, len(source) - len(piece) + 1)
        place = next((p for p in places if source[p : p + len(piece)] == piece), None)
        if place is None:
            return False
        begin = place + len(piece)
    return True


def blocks_without_program(page, programs):
    for number, block in blocks_of(page):
        pieces = [[]]
        for line in code_lines(block):
            if line == "// ...":
                pieces.append([])
            else:
                pieces[-1].append(line)
        if not any(is_part_of(pieces, source) for source in programs):
            yield number, f"no program in test/examples has: {code_lines(block)[0]}"


def example_programs():
    files = (ROOT / "test/examples").iterdir()
    return sorted(f for f in files if f.suffix in (".cpp", ".hpp", ".cu"))


def programs_without_link(page):
    linked = set(LINK.findall(page.read_text()))
    for program in example_programs():
        if f"../test/examples/{program.name}" not in linked:
            yield 1, f"it does not list {program.name}"


def main(names):
    pages = [pathlib.Path(name).resolve() for name in names] or [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").glob("*.md")),
    ]
    programs = [code_lines(p.read_text()) for p in example_programs()]
    num_faults = num_blocks = 0
    for page in pages:
        num_blocks += len(list(blocks_of(page)))
        faults = [*broken_links(page), *blocks_without_program(page, programs)]
        if page == ROOT / "docs/pages.md":
            faults += programs_without_link(page)
        for number, fault in faults:
            print(f"{page.relative_to(ROOT)}:{number}: {fault}", file=sys.stderr)
            num_faults += 1
    print(f"{len(pages)} pages, {num_blocks} blocks of C++: {num_faults} faults")
    return 1 if num_faults or not num_blocks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
