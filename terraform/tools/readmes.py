#!/usr/bin/env python3
"""Writes the tables of inputs, outputs and resources in terraform/README.md from the modules; `--check` says whether they are up to date.

It reads what `terraform fmt` has formatted: a block begins in the first column and ends with a brace there.
"""

import pathlib
import re
import sys

TERRAFORM = pathlib.Path(__file__).resolve().parent.parent
README = TERRAFORM / "README.md"
MARK = "<!-- Below this line tools/readmes.py writes; ./solidus cluster update runs it. -->\n"
BLOCK = re.compile(r'^(variable|output) "([^"]+)" \{\n(.*?)^\}$', re.M | re.S)
RESOURCE = re.compile(r'^resource "([^"]+)" "[^"]+" \{$', re.M)


def attribute(body, name):
    """What a block says of an attribute, on one line; None when it says nothing."""
    start = re.search(rf"^  {name} *= *", body, re.M)
    if not start:
        return None
    text, depth, quoted = [], 0, False
    for character in body[start.end():]:
        if character == '"':
            quoted = not quoted
        if not quoted:
            depth += (character in "([{") - (character in ")]}")
            if character == "\n" and depth == 0:
                break
        text.append(character)
    return re.sub(r"([({\[]) | (?=[)}\]])", r"\1", re.sub(r"\s+", " ", "".join(text).strip()))


def text_of(body):
    description = attribute(body, "description")
    if description is None:
        raise SystemExit("an input or output without a description")
    return description[1:-1].replace("|", "\\|")


def cell(text):
    return "`" + text.replace("|", "\\|") + "`"


def inputs(text):
    for kind, name, body in BLOCK.findall(text):
        if kind == "variable":
            default = attribute(body, "default")
            refusals = len(re.findall(r"^  validation \{$", body, re.M))
            yield f"| `{name}` | {cell(attribute(body, 'type'))} | {'required' if default is None else cell(default)} | {text_of(body)} | {refusals or ''} |"


def outputs(text):
    for kind, name, body in BLOCK.findall(text):
        if kind == "output":
            yield f"| `{name}` | {text_of(body)} |"


def section(folder):
    files = {name: (folder / f"{name}.tf").read_text() for name in ("main", "variables", "outputs")}
    comment = files["main"].split("\n\n")[0]
    about = " ".join(line.removeprefix("#").strip() for line in comment.splitlines() if line.startswith("#"))
    lines = [f"## {folder.relative_to(TERRAFORM)}", "", about, ""]
    made = sorted(set(RESOURCE.findall(files["main"])))
    if made:
        lines += ["Makes " + ", ".join(f"`{kind}`" for kind in made) + ".", ""]
    lines += ["| input | type | default | | rules |", "|---|---|---|---|---|", *inputs(files["variables"]), ""]
    lines += ["| output | |", "|---|---|", *outputs(files["outputs"]), ""]
    return lines


def readme():
    head = README.read_text().split(MARK)[0]
    folders = [TERRAFORM / "examples" / "pilot", *sorted((TERRAFORM / "modules").iterdir())]
    return head + MARK + "\n" + "\n".join(line for folder in folders for line in section(folder)).rstrip() + "\n"


def main():
    text = readme()
    if "--check" in sys.argv[1:]:
        if README.read_text() != text:
            sys.exit("terraform/README.md is not what its sources make: ./solidus cluster update")
    else:
        README.write_text(text)


if __name__ == "__main__":
    main()
