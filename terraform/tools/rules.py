#!/usr/bin/env python3
"""Checks that every validation of an input has a test that violates it.

usage: rules.py TERRAFORM

The script replaces one validation at a time by a condition that always holds, and fails if all tests still pass.
Validations use inputs only, so it runs variables.tf with the tests that expect failures, without a provider.
It reads the formatted text of both, because Terraform has no command that edits a configuration.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

TERRAFORM = pathlib.Path(__file__).resolve().parent.parent
RUN = re.compile(r'^run "[^"]+" \{\n.*?^\}$', re.M | re.S)
COMMON = re.compile(r"^variables \{\n.*?^\}$", re.M | re.S)
RULE = re.compile(r"^    condition +=.*?(?=^    error_message)", re.M | re.S)
VARIABLE = re.compile(r'^variable "([^"]+)"', re.M)


def test(terraform, folder, inputs):
    (folder / "variables.tf").write_text(inputs)
    made = subprocess.run(
        [terraform, "test", "-no-color"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    return made.returncode, made.stdout + made.stderr


def without_each(inputs):
    """Yields each validation and the inputs without it. Terraform requires that a condition names its input."""
    for rule in RULE.finditer(inputs):
        name = VARIABLE.findall(inputs[: rule.start()])[-1]
        yield (
            f"{name}: {' '.join(rule.group().split())}",
            f"{inputs[: rule.start()]}    condition = var.{name} == var.{name}\n{inputs[rule.end() :]}",
        )


def survivors(terraform, source, folder):
    inputs = (source / "variables.tf").read_text()
    tests = "\n".join(path.read_text() for path in sorted((source / "tests").glob("*.tftest.hcl")))
    refusals = [run for run in RUN.findall(tests) if "expect_failures" in run]
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "rules.tftest.hcl").write_text("\n".join([COMMON.search(tests).group(), *refusals]) + "\n")
    status, said = test(terraform, folder, inputs)
    if status:
        raise SystemExit(f"{source.name}: the tests fail before any change\n{said}")
    rules = list(without_each(inputs))
    for rule, changed in rules:
        status, said = test(terraform, folder, changed)
        if status and "Missing expected failure" not in said:
            raise SystemExit(f"{source.name}: without {rule} the tests fail for another reason\n{said}")
        if not status:
            yield f"{source.name}: no test violates {rule}"
    print(f"{source.name}: {len(rules)} validations, {len(refusals)} tests that expect failures")


def main():
    found = []
    with tempfile.TemporaryDirectory() as work:
        for source in [*sorted((TERRAFORM / "modules").iterdir()), *sorted((TERRAFORM / "examples").iterdir())]:
            found += survivors(sys.argv[1], source, pathlib.Path(work) / source.name)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
