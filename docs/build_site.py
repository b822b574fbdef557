#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes the site of the documentation, build/site/html, by Doxygen and checks it.

The pages link to files of the project as it is read on a host of repositories. In the site such links
lead to Doxygen's page of the source, or to a copy of the file. A warning of Doxygen's and a link that
leads nowhere are errors.

    docs/build_site.py [--doxygen PROGRAM]
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "build/site/html"
HREF = re.compile(r'((?:href|src)=")([^"#]*)(#[^"]*)?"')


def run_doxygen(program):
    """The warnings of Doxygen."""
    shutil.rmtree(SITE, ignore_errors=True)
    SITE.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([program, "docs/Doxyfile"], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode != 0 and not warnings:
        warnings = [f"{program} ended with status {done.returncode}"]
    return warnings


def source_page(path):
    """Doxygen's page of a source, if it has one."""
    name = path.name.replace("_", "__").replace(".", "_8") + "_source.html"
    return name if (SITE / name).exists() else None


def copy_into_site(path):
    """A copy of a file; of a folder, a list of its files."""
    place = pathlib.Path("files") / path.relative_to(ROOT)
    copy = SITE / place
    if path.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        return place.as_posix()
    copy.mkdir(parents=True, exist_ok=True)
    names = sorted(f.name for f in path.iterdir() if f.is_file())
    for name in names:
        shutil.copyfile(path / name, copy / name)
    items = "".join(f'<li><a href="{name}">{name}</a></li>' for name in names)
    title = path.relative_to(ROOT).as_posix()
    (copy / "index.html").write_text(
        f"<!DOCTYPE html><title>{title}</title><h1>{title}</h1><ul>{items}</ul>"
    )
    return f"{place.as_posix()}/index.html"


def place_in_site(link):
    """Where a link to a file of the project leads; nothing if there is no such file."""
    path = (ROOT / re.sub(r"^(\.\./)+", "", link)).resolve()
    if not link or not path.is_relative_to(ROOT) or not path.exists():
        path = (ROOT / "docs" / link).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            return None
    return (source_page(path) if path.is_file() else None) or copy_into_site(path)


def mend_links(page):
    """The links of a page that lead nowhere, once those to the project's files lead to the site's."""
    faults = []

    def mend(match):
        attribute, link = match.group(1), match.group(2)
        if not link or re.match(r"[a-z]+:", link) or (SITE / link).exists():
            return match.group(0)
        place = place_in_site(link)
        if place is None:
            faults.append(f"{page.name}: there is no {link}")
            return match.group(0)
        return f'{attribute}{place}"'

    page.write_text(HREF.sub(mend, page.read_text(errors="replace")))
    return faults


def broken_anchors(page, anchors):
    """The links of a page to places of the site that no page has."""
    for match in HREF.finditer(page.read_text()):
        link, anchor = match.group(2) or page.name, match.group(3)
        if not anchor or anchor == "#" or not link.endswith(".html") or "//" in link:
            continue
        if link not in anchors:
            text = (SITE / link).read_text()
            anchors[link] = set(re.findall(r'(?:id|name)="([^"]+)"', text))
        if anchor[1:] not in anchors[link]:
            yield f"{page.name}: {link} has no {anchor}"


def main():
    parser = argparse.ArgumentParser(description="Makes the site of the documentation.")
    parser.add_argument("--doxygen", default="doxygen", help="the program to run")
    faults = run_doxygen(parser.parse_args().doxygen)
    pages = sorted(SITE.glob("*.html"))
    for page in pages:
        faults += mend_links(page)
    # Doxygen sees to its own links.
    anchors = {}
    for page in pages:
        if page.name == "index.html" or page.name.startswith("md_"):
            faults += broken_anchors(page, anchors)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{SITE.relative_to(ROOT)}/index.html: {len(pages)} pages, {len(faults)} faults")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
