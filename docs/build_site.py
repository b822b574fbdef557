#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes the site of the documentation, build/site/html, by Doxygen and checks it.

The pages link to files of the project as it is read on a host of repositories. In the site such links
lead to Doxygen's page of the source, or to a copy of the file; those to a heading of another page lead to
that heading. A warning of Doxygen's and a link that leads nowhere are errors.

    docs/build_site.py [--doxygen PROGRAM]
"""

import argparse
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "build/site/html"
HREF = re.compile(r'((?:href|src)=")([^"#]*)(#[^"]*)?"')
HEADING = re.compile(r'<h\d[^>]*><a class="anchor" id="([^"]+)"></a>(.*?)</h\d>', re.DOTALL)


def version():
    """The version in apsp/config.hpp, such as 1.2.3."""
    number = int(re.search(r"^#define APSP_VERSION (\d+)$", (ROOT / "apsp/config.hpp").read_text(), re.MULTILINE)[1])
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def run_doxygen(program):
    """The warnings of Doxygen."""
    shutil.rmtree(SITE, ignore_errors=True)
    SITE.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "APSP_VERSION": version()}  # for PROJECT_NUMBER
    command = [program, "docs/Doxyfile"]
    done = subprocess.run(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode != 0 and not warnings:
        warnings = [f"{program} ended with status {done.returncode}"]
    return warnings


def site_names(page):
    """The names that versions of Doxygen give to a page in Markdown."""
    path = page.relative_to(ROOT).with_suffix("").as_posix()
    if path == "README":
        return ["index.html"]
    if path.startswith("docs/reference/"):
        return [f"reference_{page.stem}.html"]  # docs/site_filter.py
    return [f"md_{path.replace('/', '_')}.html", f"md_{path.replace('_', '__').replace('/', '_2')}.html"]


def markdown_pages():
    """The names in the site of the pages in Markdown, and the pages."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return {name: page for page in pages for name in site_names(page) if (SITE / name).exists()}


def heading_in_site(name, anchor):
    """The anchor in the site of a heading, whose anchor on a host of repositories is given."""
    for label, heading in HEADING.findall((SITE / name).read_text()):
        words = re.sub(r"<[^>]*>", "", html.unescape(heading)).strip().lower()
        if re.sub(r"[^\w\- ]", "", words).replace(" ", "-") == anchor:
            return label
    return None


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


def mend_links(page, markdown):
    """The links of a page that lead nowhere, once those to the project's files lead to the site's."""
    faults = []
    names = {path: name for name, path in markdown.items()}

    def mend_heading(attribute, name, anchor):
        label = heading_in_site(name, anchor)
        if label is None:
            faults.append(f"{page.name}: {name} has no heading {anchor}")
            return f'{attribute}{name}"'
        return f'{attribute}{name}#{label}"'

    def mend(match):
        attribute, link, anchor = match.groups()
        if not link or re.match(r"[a-z]+:", link) or (SITE / link).exists():
            return match.group(0)
        if page.name in markdown and link.endswith(".md"):
            name = names.get((markdown[page.name].parent / link).resolve())
            if name is not None:
                return mend_heading(attribute, name, anchor[1:]) if anchor else f'{attribute}{name}"'
        place = place_in_site(link)
        if place is None:
            faults.append(f"{page.name}: there is no {link}")
            return match.group(0)
        return f'{attribute}{place}"'

    page.write_text(HREF.sub(mend, page.read_text(errors="replace")))
    return faults


def unread_headings(page):
    """The headings that Doxygen has left as text: it reads none after a link whose text is on two lines."""
    for heading in re.findall(r"^@\w*section autotoc_md\d+ (.*)", page.read_text(), re.MULTILINE):
        yield f"{page.name}: Doxygen has not read the heading {heading}; is there a link before it on two lines?"


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
    markdown = markdown_pages()
    for page in pages:
        faults += mend_links(page, markdown)
    # Doxygen sees to its own links.
    anchors = {}
    for page in pages:
        if page.name in markdown:
            faults += unread_headings(page)
            faults += broken_anchors(page, anchors)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{SITE.relative_to(ROOT)}/index.html: {len(pages)} pages, {len(faults)} faults")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
