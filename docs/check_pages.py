#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the pages: every link leads somewhere, every block of C++ is part of a program in
test/examples, where it is compiled and run, and docs/pages.md lists all of these programs.

A block may leave lines out: a line "// ..." stands for any of them. Layout does not count.

A block of console whose first line is "$ " and a script of perf/ shows all that it prints.

docs/reference/index.md names every function that a header of apsp/ declares, with the header and a page
that shows a signature of it. The signatures, in blocks of text, are declarations of the headers without
"template <...>", in any layout.

    docs/check_pages.py [PAGE...]      all pages of the project, if none is named
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/reference"
INDEX = REFERENCE / "index.md"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A row of the index: function, page, headers.
ROW = re.compile(r"^\| \[(\w+)\]\(([\w.]+)[^)]*\) \| ([^|]*) \|", re.MULTILINE)
# The beginning of a function's declaration, in the first column: its type, which may be a template's, and its name.
DECLARATION = re.compile(
    r"^(?:decltype\(auto\)|[\w:]+(?:<[^()\n]*>)?) (?:[\w:]+(?:<[^()\n]*>)? )*(\w+)\(", re.MULTILINE
)


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


def blocks_of(page, kind="cpp"):
    """The blocks of a page that begin with ``` and the kind, and the numbers of their first lines."""
    block, begin = None, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if block is not None:
                yield begin, block
                block = None
            elif line.strip() == f"```{kind}":
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


def wrong_outputs(page):
    for number, block in blocks_of(page, "console"):
        first, *shown = block.splitlines()
        command = first.removeprefix("$ ").split()
        script = ROOT / command[0]
        if script.suffix != ".py" or ROOT / "perf" not in script.parents:
            continue
        ran = subprocess.run([sys.executable, script, *command[1:]], capture_output=True, text=True, check=False)
        if ran.returncode != 0 or ran.stdout.splitlines() != shown:
            yield number, f"this is not what {first.removeprefix('$ ')} prints"


def example_programs():
    files = (ROOT / "test/examples").iterdir()
    return sorted(f for f in files if f.suffix in (".cpp", ".hpp", ".cu"))


def programs_without_link(page):
    linked = set(LINK.findall(page.read_text()))
    for program in example_programs():
        if f"../test/examples/{program.name}" not in linked:
            yield 1, f"it does not list {program.name}"


def signatures_in(text):
    """The functions that a text declares: pairs of a name and the declaration up to the last parameter."""
    text = re.sub(r"^template <.*>\n", "", text, flags=re.MULTILINE)
    for match in DECLARATION.finditer(text):
        end, depth = match.end(), 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        signature = re.sub(r"\s+", " ", text[match.start() : end])
        yield match.group(1), re.sub(r"([(<]) | (?=[)>])", r"\1", signature)


def public_functions(header):
    """The functions that a header declares for users, and their signatures."""
    text = header.read_text()
    for adaptor in re.findall(r'#include "(?:\.\./)+(adaptors/[\w/]+\.hpp)"', text):
        text += (ROOT / adaptor).read_text()
    inside = r"^namespace (?:[\w ]+::)*detail\b.*?^}  // namespace (?:[\w ]+::)*detail"
    text = re.sub(inside, "", text, flags=re.MULTILINE | re.DOTALL)
    # The adaptors' name for Boost's namespace of today.
    text = text.replace("detail::bgl::names::", "boost::")
    text = re.sub(r"^((?:APSP_EXPORT|inline|constexpr|\[\[nodiscard\]\]) )+", "", text, flags=re.MULTILINE)
    for name, signature in signatures_in(text):
        # Overloads that only explain an error take any arguments.
        if not signature.endswith("const Arguments&...)"):
            yield name, signature


def reference_faults(page, functions_of_headers):
    """What a page of the reference says that no header does."""
    declared = {signature for functions in functions_of_headers.values() for _, signature in functions}
    for number, block in blocks_of(page, "text"):
        for _, signature in signatures_in(block):
            if signature not in declared:
                yield number, f"no header of apsp/ declares: {signature}"
    if page != INDEX and page.name not in LINK.findall(INDEX.read_text()):
        yield 1, f"{INDEX.name} has no link to it"


def functions_without_page(functions_of_headers):
    """The public functions that the index does not lead to."""
    rows = ROW.findall(INDEX.read_text())
    shown = {}
    for page in REFERENCE.glob("*.md"):
        shown[page.name] = {name for _, block in blocks_of(page, "text") for name, _ in signatures_in(block)}
    for header, functions in functions_of_headers.items():
        for name in sorted({name for name, _ in functions}):
            pages = [page for row_name, page, headers in rows if row_name == name and f"`{header}`" in headers]
            if not any(name in shown.get(page, ()) for page in pages):
                yield 1, f"no row of it leads from {name} of {header} to a page with a signature of {name}"


def main(names):
    pages = [pathlib.Path(name).resolve() for name in names] or [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    headers = sorted((ROOT / "apsp").rglob("*.hpp"))
    functions = {h.relative_to(ROOT).as_posix(): list(public_functions(h)) for h in headers}
    programs = [code_lines(p.read_text()) for p in example_programs()]
    num_faults = num_blocks = 0
    for page in pages:
        num_blocks += len(list(blocks_of(page)))
        faults = [*broken_links(page), *blocks_without_program(page, programs), *wrong_outputs(page)]
        if page == ROOT / "docs/pages.md":
            faults += programs_without_link(page)
        if page.parent == REFERENCE:
            faults += reference_faults(page, functions)
        if page == INDEX:
            faults += functions_without_page(functions)
        for number, fault in faults:
            print(f"{page.relative_to(ROOT)}:{number}: {fault}", file=sys.stderr)
            num_faults += 1
    print(f"{len(pages)} pages, {num_blocks} blocks of C++: {num_faults} faults")
    return 1 if num_faults or not num_blocks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
