#!/usr/bin/env python3
"""Writes each chart's README.md from its Chart.yaml and the comments of its values.yaml; `--check` says whether the files are up to date.

A comment `# -- text` above a key describes it. A key without one is named all the same when it holds a value.
"""

import pathlib
import re
import sys

import yaml

HELM = pathlib.Path(__file__).resolve().parent.parent
CHARTS = ["solidus-authority", "solidus-operator", "solidus-pilot"]
LINE = re.compile(r"^( *)([A-Za-z0-9_.-]+):(.*)$")


def described(text):
    """Path of a key -> its description."""
    found, path, comment = {}, [], None
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("# -- "):
            comment = stripped[5:]
            continue
        match = LINE.match(line)
        if not match:
            if not stripped.startswith("#"):
                comment = None
            continue
        depth = len(match.group(1)) // 2
        path = path[:depth] + [match.group(2)]
        if comment:
            found[tuple(path)] = comment
        comment = None
    return found


def rows(values, descriptions, path=()):
    for key, value in values.items():
        here = path + (key,)
        deeper = isinstance(value, dict) and value and here not in descriptions
        if deeper:
            yield from rows(value, descriptions, here)
        else:
            yield ".".join(here), value, descriptions.get(here, "")


def shown(value):
    if value == "" or value is None:
        return ""
    if isinstance(value, (dict, list)):
        return "`" + yaml.safe_dump(value, default_flow_style=True, width=10_000).strip().replace("|", "\\|") + "`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def readme(chart):
    meta = yaml.safe_load((HELM / chart / "Chart.yaml").read_text())
    text = (HELM / chart / "values.yaml").read_text()
    lines = [f"# {meta['name']}", "", meta["description"], "", f"Kubernetes {meta['kubeVersion'].removesuffix('-0')}. How to install: [docs/how-to/install.md](../../docs/how-to/install.md).", ""]
    lines += ["This file is written by `helm/tools/readmes.py` from the comments in values.yaml.", "", "| value | default | |", "|---|---|---|"]
    for name, value, description in rows(yaml.safe_load(text), described(text)):
        lines.append(f"| `{name}` | {shown(value)} | {description.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def main():
    stale = []
    for chart in CHARTS:
        text, file = readme(chart), HELM / chart / "README.md"
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(str(file.relative_to(HELM)))
    if stale:
        sys.exit("readmes.py would write these otherwise: " + ", ".join(stale))


main()
