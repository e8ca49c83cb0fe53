#!/usr/bin/env python3
"""Writes the generated part of the README of each module and example. With --check it fails if a README is out of date.

usage: readmes.py TERRAFORM_CONFIG_INSPECT [--check]

terraform-config-inspect reads the modules. The markers and the tables are those of terraform-docs.
"""

import json
import pathlib
import subprocess
import sys

TERRAFORM = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- BEGIN_TF_DOCS -->\n", "<!-- END_TF_DOCS -->\n"


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def code(text):
    return f"`{cell(text)}`"


def table(title, header, rows):
    if not rows:
        return []
    return [f"## {title}", "", row(header), "|" + "---|" * len(header), *(row(cells) for cells in rows), ""]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def generated(module):
    providers = module["required_providers"]
    requirements = [(code("terraform"), code(version)) for version in module["required_core"]]
    requirements += [(code(name), code(", ".join(p["version_constraints"]))) for name, p in sorted(providers.items())]
    modules = [(code(name), code(call["source"])) for name, call in sorted(module["module_calls"].items())]
    resources = [(code(name),) for name in sorted(module["managed_resources"])]
    inputs = [
        (
            code(name),
            cell(variable["description"]),
            code(variable["type"]),
            "required" if variable["required"] else code(json.dumps(variable["default"])),
        )
        for name, variable in sorted(module["variables"].items())
    ]
    outputs = [(code(name), cell(output["description"])) for name, output in sorted(module["outputs"].items())]
    lines = [
        *table("Requirements", ("Name", "Version"), requirements),
        *table("Modules", ("Name", "Source"), modules),
        *table("Resources", ("Name",), resources),
        *table("Inputs", ("Name", "Description", "Type", "Default"), inputs),
        *table("Outputs", ("Name", "Description"), outputs),
    ]
    return "\n".join(lines)


def main():
    inspect, check = sys.argv[1], "--check" in sys.argv[2:]
    stale = []
    for folder in sorted([*TERRAFORM.glob("modules/*/"), *TERRAFORM.glob("examples/*/")]):
        done = subprocess.run([inspect, "--json", folder], capture_output=True, text=True, check=True)
        file = folder / "README.md"
        old = file.read_text()
        new = old[: old.index(BEGIN) + len(BEGIN)] + generated(json.loads(done.stdout)) + old[old.index(END) :]
        if not check:
            file.write_text(new)
        elif old != new:
            stale.append(str(file.relative_to(TERRAFORM)))
    if stale:
        sys.exit("these READMEs are out of date, run ./solidus cluster update: " + ", ".join(stale))


if __name__ == "__main__":
    main()
