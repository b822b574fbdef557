#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the public names of the library, as Doxygen reads them, with those listed in docs/api.txt.

    docs/api_listing.py [--update] [--doxygen PROGRAM]

A line for each function, class, public member, type, constant, concept and macro, with its header. A name that is
missing or has changed breaks programs (docs/versioning.md); --update writes the list anew.
"""

import argparse
import difflib
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "docs/api.txt"
XML = ROOT / "build/site/xml"
SETTINGS = """
INPUT = apsp adaptors
GENERATE_HTML = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
SOURCE_BROWSER = NO
WARNINGS = NO
WARN_IF_DOC_ERROR = NO
"""


def text_of(element):
    """The text of an element and all below it, with single spaces."""
    text = "" if element is None else "".join(element.itertext())
    text = " ".join(text.split())
    return re.sub(r"(?<=[<(]) | (?=[>),])", "", text).replace("typename ", "")


def template_of(element):
    """The template parameters of a declaration with their concepts; defaults have no part in it."""
    names = [
        " ".join(filter(None, (text_of(p.find("type")), p.findtext("declname"))))
        for p in element.findall("templateparamlist/param")
    ]
    requires = text_of(element.find("requiresclause"))
    head = f"template <{', '.join(names)}> " if names else ""
    return head + (f"requires {requires} " if requires else "")


def lines_of_members(compound, scope):
    for member in compound.iter("memberdef"):
        kind, name = member.get("kind"), member.findtext("name")
        if member.get("prot") != "public" or kind == "friend":
            continue
        file = member.find("location").get("file")
        if kind == "enum":
            values = ", ".join(v.findtext("name") for v in member.findall("enumvalue"))
            declared = f"enum {scope}{name} {{{values}}}"
        elif kind == "define":
            if not name.startswith("APSP_"):
                continue
            parameters = ", ".join(p.findtext("defname") for p in member.findall("param"))
            declared = f"#define {name}({parameters})" if parameters else f"#define {name}"
        else:
            type_of = text_of(member.find("type"))
            arguments = re.sub(r" ?= ?(default|delete)$", r" = \1", text_of(member.find("argsstring")))
            head = "using " if kind == "typedef" else ""
            tail = f" = {type_of}" if kind == "typedef" else arguments
            prefix = "" if kind == "typedef" or not type_of else type_of + " "
            static = "static " if member.get("static") == "yes" and scope.count("::") > 1 else ""
            declared = f"{head}{template_of(member)}{static}{prefix}{scope}{name}{tail}"
        yield f"{file}: {declared}"


def lines():
    for path in XML.glob("*.xml"):
        for compound in ElementTree.parse(path).iter("compounddef"):
            name, kind = compound.findtext("compoundname"), compound.get("kind")
            if kind == "file":
                yield from (line for line in lines_of_members(compound, "") if "#define" in line)
            if not re.match(r"apsp(::|$)", name) or "detail" in name.split("::"):
                continue
            if kind in ("class", "struct", "concept") and compound.get("prot", "public") == "public":
                file = compound.find("location").get("file")
                yield f"{file}: {template_of(compound)}{kind} {name}"
            if kind in ("namespace", "class", "struct"):
                yield from lines_of_members(compound, name + "::")


def main():
    parser = argparse.ArgumentParser(description="Compares the public names with those in docs/api.txt.")
    parser.add_argument("--update", action="store_true", help="write the list")
    parser.add_argument("--doxygen", default="doxygen", help="the program to run")
    arguments = parser.parse_args()
    shutil.rmtree(XML, ignore_errors=True)
    XML.parent.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "docs/Doxyfile").read_text() + SETTINGS
    subprocess.run([arguments.doxygen, "-"], cwd=ROOT, input=settings, text=True, check=True)
    found = [line + "\n" for line in sorted(set(lines()))]
    if len(found) < 500:
        sys.exit(f"expected at least 500 public names, got {len(found)}")
    if arguments.update:
        LIST.write_text("".join(found))
        print(f"{LIST.relative_to(ROOT)}: {len(found)} names")
        return 0
    listed = LIST.read_text().splitlines(keepends=True)
    changes = list(difflib.unified_diff(listed, found, "docs/api.txt", "headers", n=0))
    sys.stdout.writelines(changes)
    print(f"{len(found)} names, {'changed: docs/api_listing.py --update' if changes else 'as listed'}")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
