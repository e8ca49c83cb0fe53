#!/usr/bin/env python3
"""Checks the specification (docs/spec) against the code.

A mark is @Spec("V-11") in Java and //spec:id V-11 in Go (gofmt would move //spec:V-11 into the text). A mark stands on a declaration.
Rules:

- every id that a page defines has exactly one mark in main code and at least one mark on a test;
- no mark and no text names an id that is not defined, and no id is defined twice;
- a reference to an id on a page of docs/spec is a link to the page that defines it;
- docs/spec/paper.md has a row for every algorithm of the paper and for every algorithm of its signature scheme;
- the generated parts are current: docs/spec/index.md, and the columns Symbol and Tests of docs/spec/paper.md.

Options: --write writes the generated parts, --self-test runs check-spec-test.py first, --root FOLDER checks another tree.
"""

import argparse
import importlib.util
import os
import posixpath
import re
import sys
import unittest
from collections import defaultdict, namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = "docs/spec"
INDEX = f"{SPEC}/index.md"
PAPER = f"{SPEC}/paper.md"
SOURCES = ("services", "loadtest", "prover-native", "tools")
SKIPPED = {"target", "node_modules"}
ALGORITHMS = [f"Algorithm {n}" for n in range(1, 14)]
SCHEME = [f"Appendix B.1, {name}" for name in ("Setup", "Blind", "Sign", "Unblind", "Aggregate", "Verify")]

ID = re.compile(r"[A-Z]-\d\d")
BRACKETS = re.compile(r"\[([A-Z]-\d\d)\](?:\(([^)]*)\))?")
ROW = re.compile(r"\| \[([A-Z]-\d\d)\] \| ([^|]+) \|")
PARAGRAPH = re.compile(r"(?:- )?\[([A-Z]-\d\d)\] \*\*([^*]+?)\.?\*\*")
LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)(?:#[^)]*)?\)")

JAVA_TOKEN = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
JAVA_OWN = re.compile(r"^(?:import io\.solidus\.protocol\.Spec|package io\.solidus\.protocol);", re.M)
JAVA_MARK = re.compile(r"@Spec\b\s*(?:\(\s*(\{[^}]*\}|\"[^\"]*\")\s*\))?")
JAVA_ANNOTATION = re.compile(r"\s*@(?!interface\b)([\w.]+)\s*(\()?")
JAVA_TYPE = re.compile(
    r"(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\s+)*(?:class|@?interface|enum|record)\s+(\w+)"
)
JAVA_MEMBER = re.compile(r"[\w\s.\[\]@]*?\b(\w+)\s*[(=;,)]")
JAVA_SCOPE = re.compile(r"\b(?:class|interface|enum|record)\s+(\w+)(?=[\s<({])|([{};])")
JAVA_TEST = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|FuzzTest)\b")

GO_MARK = re.compile(r"//spec:id((?: [A-Z]-\d\d)+)")
GO_DECLARATION = re.compile(r"func (?:\((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)|(?:type|const|var) (\w+)")

Definition = namedtuple("Definition", "id title page anchor")
Mark = namedtuple("Mark", "id file symbol test")


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def files(root, folders, *endings):
    found = []
    for folder in folders:
        for place, inner, names in os.walk(os.path.join(root, folder)):
            inner[:] = sorted(d for d in inner if d not in SKIPPED and not d.startswith("."))
            found += [
                os.path.relpath(os.path.join(place, n), root).replace(os.sep, "/")
                for n in sorted(names)
                if n.endswith(endings)
            ]
    return found


def slug(title):
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Pages:
    """The definitions of docs/spec, and the errors in their form."""

    def __init__(self, root, wrong):
        self.definitions = {}
        self.references = []
        self.retired = {}
        for page in files(root, [SPEC], ".md"):
            self.page(page, read(root, page), wrong)
        for page, name, target in self.references:
            self.reference(page, name, target, wrong)
        for name, successors in self.retired.items():
            if name in self.definitions:
                wrong.append(f"{name} is retired and defined")
            wrong.extend(
                f"{name} is retired in favour of {s}, which is not defined"
                for s in successors
                if s not in self.definitions
            )

    def page(self, page, text, wrong):
        anchor, fenced = "", False
        for line in text.split("\n"):
            if line.startswith("```"):
                fenced = not fenced
            elif line.startswith("#") and not fenced:
                anchor = slug(line.lstrip("#"))
            row = re.match(r"\| ([A-Z]-\d\d) \|", line)
            if row and anchor == "retired-ids":
                self.retired[row[1]] = ID.findall(line[row.end() :])
            defined = None if fenced else ROW.match(line) or PARAGRAPH.match(line)
            for found in BRACKETS.finditer(line):
                if found[2] is not None:
                    self.references.append((page, found[1], found[2]))
                elif defined and found.start() == line.index("["):
                    self.define(Definition(defined[1], defined[2].strip(), page, anchor), wrong)
                else:
                    wrong.append(f"{page}: [{found[1]}] is neither the start of a rule nor a link to one")

    def define(self, definition, wrong):
        if definition.id in self.definitions:
            wrong.append(
                f"{definition.id} is defined twice: in {self.definitions[definition.id].page} and in {definition.page}"
            )
        self.definitions[definition.id] = definition

    def reference(self, page, name, target, wrong):
        definition = self.definitions.get(name)
        path = target.partition("#")[0]
        reached = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        if definition is None:
            wrong.append(f"{page}: {self.unknown(name)}")
        elif reached != definition.page:
            wrong.append(f"{page}: the link of {name} does not lead to {definition.page}")

    def unknown(self, name):
        successors = self.retired.get(name)
        return (
            f"{name} is retired, use {' and '.join(successors)}" if successors else f"{name} is not defined in {SPEC}"
        )

    def link(self, name, page):
        definition = self.definitions[name]
        path = "" if definition.page == page else posixpath.relpath(definition.page, posixpath.dirname(page))
        return f"[{name}]({path}#{definition.anchor})"


def blanked(text, strings):
    """The text with comments, and strings where asked, replaced by spaces; offsets and lines stay."""

    def blank(token):
        keep = token[0][0] in "\"'" and not strings
        return token[0] if keep else re.sub(r"[^\n]", " ", token[0])

    return JAVA_TOKEN.sub(blank, text)


def java_scope(code, end):
    """The types that enclose an offset of Java code without comments and strings."""
    stack, pending = [], None
    for token in JAVA_SCOPE.finditer(code, 0, end):
        if token[1]:
            pending = token[1]
        elif token[2] == "{":
            stack.append(pending)
            pending = None
        elif token[2] == "}" and stack:
            stack.pop()
        else:
            pending = None
    return [name for name in stack if name]


def without_generics(code):
    while (shorter := re.sub(r"<[^<>]*>", "", code)) != code:
        code = shorter
    return code


def after_annotations(code, at):
    while annotation := JAVA_ANNOTATION.match(code, at):
        at = annotation.end()
        depth = 1 if annotation[2] else 0
        while depth and at < len(code):
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
    return at


def java_marks(name, text, wrong):
    if "@Spec" not in text or not JAVA_OWN.search(text):  # picocli has a @Spec too
        return
    with_strings = blanked(text, strings=False)
    code = blanked(text, strings=True)
    test = "/src/test/" in name
    for mark in JAVA_MARK.finditer(with_strings):
        ids = re.findall(r'"([^"]*)"', mark[1] or "")
        line = text.count("\n", 0, mark.start()) + 1
        if not ids or not all(ID.fullmatch(i) for i in ids):
            wrong.append(f"{name}:{line}: @Spec names ids, such as V-11")
            continue
        at = after_annotations(code, mark.end())
        rest = without_generics(code[at : at + 1000]).lstrip()
        kind = JAVA_TYPE.match(rest)
        member = None if kind else JAVA_MEMBER.match(rest)
        if rest.startswith("package ") or (not kind and not member):
            place = "on a package" if rest.startswith("package ") else "on no declaration"
            wrong.append(f"{name}:{line}: the mark of {', '.join(ids)} stands {place}")
            continue
        symbol = ".".join([*java_scope(code, mark.start()), (kind or member)[1]])
        above = max(code.rfind("\n\n", 0, mark.start()), text.rfind("*/", 0, mark.start()), 0)
        if test and member and not JAVA_TEST.search(code, above, at):
            wrong.append(f"{name}:{line}: {symbol} is no test")
        yield from (Mark(i, name, symbol, test) for i in ids)


def go_marks(name, text, wrong):
    if "spec:" not in text:
        return
    lines = text.split("\n")
    package = next((line.split()[1] for line in lines if line.startswith("package ")), "")
    test = name.endswith("_test.go")
    for number, line in enumerate(lines):
        if not re.match(r"\s*//\s*spec:", line):
            continue
        mark = GO_MARK.fullmatch(line)
        if not mark:
            wrong.append(f"{name}:{number + 1}: a mark has the form //spec:id V-11 and begins its line")
            continue
        below = next((i for i in range(number + 1, len(lines)) if not lines[i].startswith("//")), None)
        declaration = GO_DECLARATION.match(lines[below]) if below else None
        if not declaration:
            place = "in a package comment" if below and lines[below].startswith("package ") else "on no declaration"
            wrong.append(f"{name}:{number + 1}: the mark of {mark[1].strip()} stands {place}")
            continue
        symbol = ".".join(part for part in (package, *declaration.groups()) if part)
        if test and not re.match(r"Test|Fuzz", declaration[2] or ""):
            wrong.append(f"{name}:{number + 1}: {symbol} is no test")
        yield from (Mark(i, name, symbol, test) for i in mark[1].split())


def mentions(name, text, pages, letters, wrong):
    """Ids in plain text: an unknown id is an error, and so is an id in brackets, the form of the former marks."""
    if not ID.search(text):
        return
    for found in re.finditer(rf"(?<![\w-])([{letters}]-\d\d)(?![\w-])", text):
        if found[1] not in pages.definitions:
            wrong.append(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {pages.unknown(found[1])}")
    for found in re.finditer(r"\[[A-Z]-\d\d\]", text) if name.endswith((".java", ".go")) else ():
        wrong.append(
            f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {found[0]} is text: a mark is @Spec or //spec:id, a mention has no brackets"
        )


def code_link(mark):
    return f"[{mark.symbol}]({posixpath.relpath(mark.file, SPEC)})"


class Table:
    """Symbols and tests by id."""

    def __init__(self, marks):
        self.symbols, self.tests = defaultdict(list), defaultdict(list)
        for mark in marks:
            (self.tests if mark.test else self.symbols)[mark.id].append(mark)

    def check(self, pages, wrong):
        for name in sorted(set(self.symbols) | set(self.tests)):
            if name not in pages.definitions:
                places = ", ".join(f"{m.symbol} ({m.file})" for m in self.symbols[name] + self.tests[name])
                wrong.append(f"{pages.unknown(name)}: {places}")
        for name in sorted(pages.definitions):
            found = self.symbols[name]
            if not found:
                wrong.append(f"{name} has no symbol in main code")
            elif len(found) > 1:
                wrong.append(f"{name} has several symbols: {', '.join(f'{m.symbol} ({m.file})' for m in found)}")
            if not self.tests[name]:
                wrong.append(f"{name} has no test")

    def cell(self, marks):
        return "<br>".join(dict.fromkeys(code_link(m) for m in marks))


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def paper(root, pages, table, wrong):
    """The text of paper.md with its generated columns, and the paper's places by id."""
    if not os.path.exists(os.path.join(root, PAPER)):
        wrong.append(f"{PAPER} is missing")
        return None, {}
    out, places, named, columns = [], defaultdict(list), [], None
    for line in read(root, PAPER).split("\n"):
        row = cells(line) if line.startswith("|") else None
        if row and row[:1] == ["Paper"]:
            columns = row
        elif not row:
            columns = None
        elif columns and set(line) == set("|-"):
            pass
        elif columns and len(row) == len(columns):
            at = {column: i for i, column in enumerate(columns)}
            ids = [i for i in ID.findall(re.sub(r"\]\([^)]*\)", "]", row[at["Ids"]])) if i in pages.definitions]
            named.append(row[0])
            for i in ids:
                places[i].append(row[0])
            if ids:
                row[at["Ids"]] = ", ".join(pages.link(i, PAPER) for i in ids)
                row[at["Symbol"]] = table.cell([m for i in ids for m in table.symbols[i]])
                row[at["Tests"]] = table.cell([m for i in ids for m in table.tests[i]])
                out.append("| " + " | ".join(row) + " |")
                continue
            for column in ("Symbol", "Tests"):
                check_named(root, row[0], row[at[column]], wrong)
        elif columns:
            wrong.append(f"{PAPER}: a row of {len(row)} cells, want {len(columns)}: {line}")
        out.append(line)
    for want in ALGORITHMS + SCHEME:
        if not any(re.match(re.escape(want) + r"\b", name) for name in named):
            wrong.append(f"{PAPER} has no row for {want}")
    return "\n".join(out), places


def check_named(root, row, cell, wrong):
    """A row without ids names its symbol and its tests by hand: they have to be in the files that the links lead to."""
    links = LINK.findall(cell)
    if not links:
        wrong.append(f"{PAPER}: {row} has neither an id nor a link to its symbol and its tests")
    for label, target in links:
        file = posixpath.normpath(posixpath.join(SPEC, target))
        if not os.path.exists(os.path.join(root, file)) or not re.search(
            rf"\b{label.split('.')[-1]}\b", read(root, file)
        ):
            wrong.append(f"{PAPER}: {row}: {label} is not in {file}")


def index(pages, table, places):
    lines = [
        "# Index of rules",
        "",
        "Generated by `scripts/check-spec.py --write`.",
        "The column *paper* names the place in the paper, as [paper.md](paper.md) gives it.",
        "",
        "| id | rule | paper | symbol | tests |",
        "|---|---|---|---|---|",
    ]
    for name, definition in pages.definitions.items():
        paper_cell = "<br>".join(dict.fromkeys(places.get(name, ())))
        lines.append(
            f"| {pages.link(name, INDEX)} | {definition.title} | {paper_cell} | {table.cell(table.symbols[name])} | {table.cell(table.tests[name])} |"
        )
    return "\n".join(lines) + "\n"


def check(root, write=False):
    """The errors of a tree, and a summary line for a tree without errors."""
    wrong, marks = [], []
    pages = Pages(root, wrong)
    letters = "".join(sorted({name[0] for name in [*pages.definitions, *pages.retired]}))
    for name in files(root, SOURCES, ".java", ".go"):
        text = read(root, name)
        marks += java_marks(name, text, wrong) if name.endswith(".java") else go_marks(name, text, wrong)
        mentions(name, text, pages, letters, wrong)
    for name in files(root, ["docs", *SOURCES], ".md"):
        if name not in (f"{SPEC}/README.md", INDEX):
            mentions(name, read(root, name), pages, letters, wrong)
    table = Table(sorted(marks, key=lambda m: (m.file, m.symbol)))
    table.check(pages, wrong)
    paper_text, places = paper(root, pages, table, wrong)
    for name, fresh in ((PAPER, paper_text), (INDEX, index(pages, table, places))):
        there = os.path.exists(os.path.join(root, name)) and read(root, name)
        if fresh is None or there == fresh:
            continue
        if write:
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(fresh)
        else:
            wrong.append(f"{name} is out of date: scripts/check-spec.py --write")
    tests = len({(m.file, m.symbol) for m in marks if m.test})
    return wrong, f"spec: {len(pages.definitions)} rules, each with one symbol and its tests ({tests} tests)"


def self_test():
    spec = importlib.util.spec_from_file_location("check_spec_test", os.path.join(HERE, "check-spec-test.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return (
        unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromModule(module)).wasSuccessful()
    )


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true")
    options.add_argument("--self-test", action="store_true")
    options.add_argument("--root", default=os.path.dirname(HERE))
    given = options.parse_args()
    if given.self_test and not self_test():
        return 1
    wrong, summary = check(given.root, given.write)
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print(summary)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
