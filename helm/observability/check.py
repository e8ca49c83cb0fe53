#!/usr/bin/env python3
"""Compares rules, dashboards, runbooks, the metrics reference and the meters in the code. Fails if they differ."""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SECTIONS = ["## Meaning", "## Impact", "## Diagnosis", "## Mitigation"]
WORDS = {
    "sum",
    "max",
    "min",
    "avg",
    "count",
    "group",
    "by",
    "without",
    "on",
    "ignoring",
    "group_left",
    "group_right",
    "and",
    "or",
    "unless",
    "bool",
    "offset",
    "inf",
    "nan",
}
SUFFIXES = ("_count", "_sum", "_bucket", "_max")
# prefixes of meter names that the Java code builds at run time
BUILT = {"solidus.issuance.", "solidus.signer.", "solidus.signer.log.disk."}


def metrics_in(expr):
    """Names of the metrics and recorded series in a PromQL expression."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', expr)
    bare = re.sub(r"\{[^}]*\}", "", bare)
    bare = re.sub(r"\[[^\]]*\]", "", bare)
    bare = re.sub(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", "", bare)
    names = set()
    for match in re.finditer(r"(?<![\w.:])([a-zA-Z_:][\w:]*)\s*(\(?)", bare):
        if match.group(2) != "(" and match.group(1).lower() not in WORDS:
            names.add(match.group(1))
    return names


def reference():
    """Names in the reference, with the suffixes of summaries and histograms."""
    known = set()
    for line in (ROOT / "docs/reference/metrics.md").read_text().splitlines():
        row = re.match(r"\| `([a-z_0-9:]+)` \| (\w+) \|", line)
        if row:
            known.add(row.group(1))
            if row.group(2) in ("summary", "histogram"):
                known.update(
                    row.group(1) + suffix for suffix in SUFFIXES if suffix != "_bucket" or row.group(2) == "histogram"
                )
    return known


def rules():
    for file in sorted((HERE / "rules").glob("*.yaml")):
        for rule in read_rules(file):
            yield file.name, rule


def read_rules(file):
    """Reads a rule file of the fixed layout that ours have, without a YAML library. Another layout is an error."""
    found, folded = [], False
    for number, line in enumerate(file.read_text().splitlines(), 1):
        text = line.strip()
        begin = re.match(r"      - (alert|record): (\S+)$", line)
        pair = re.match(r"(        |          )(\w+): ?(.*)$", line)
        if not text or text.startswith("#") or re.match(r"(groups:|  - name: \S+|    rules:)$", line):
            folded = False
        elif begin:
            found.append({begin.group(1): begin.group(2), "annotations": {}, "labels": {}})
            folded = False
        elif folded and line.startswith(" " * 10):
            found[-1]["expr"] += " " + text
        elif pair and len(pair.group(1)) == 8:
            key, value = pair.group(2), pair.group(3)
            folded = key == "expr"
            if folded:
                found[-1]["expr"] = "" if value == ">-" else value
            elif key == "labels":
                found[-1]["labels"] = dict(re.findall(r"(\w+): (\w+)", value))
        elif pair:
            found[-1]["annotations"][pair.group(2)] = pair.group(3).strip("'\"")
        else:
            sys.exit(f"{file.name}:{number}: this line does not have the layout of our rule files: {text}")
    return found


def queries():
    for file in sorted((HERE / "dashboards").glob("*.json")):
        for panel in json.loads(file.read_text())["panels"]:
            for target in panel.get("targets", []):
                yield f'{file.name}, "{panel["title"]}"', target["expr"]


def meters():
    """Yields (file, name) of each meter in the code of the services."""
    making = re.compile(
        r'(?:counter|timer|gauge|summary|builder|OutcomeTimer|NAME|CASES|Gauge\.builder)\b[^;"]{0,60}"(solidus\.[a-z.-]+)"'
    )
    for file in sorted((ROOT / "services").glob("*/*/src/main/java/**/*.java")):
        for name in making.findall(file.read_text()):
            if name not in BUILT:
                yield file.name, name


def check_names(known, wrong):
    recorded = {rule["record"] for _, rule in rules() if "record" in rule}
    for file, rule in rules():
        for name in metrics_in(rule["expr"]) - known - recorded:
            wrong.append(f"{file}, {rule.get('alert', rule.get('record'))}: {name} is not in the reference")
    for place, expr in queries():
        for name in metrics_in(expr) - known - recorded:
            wrong.append(f"{place}: {name} is not in the reference")
    for file, name in meters():
        exposed = re.sub(r"[.-]", "_", name)
        if not any(k == exposed or k.startswith(exposed + "_") for k in known):
            wrong.append(f"{file}: the meter {name} is not in the reference")


def check_alerts(wrong):
    tests = "".join(file.read_text() for file in (HERE / "tests").glob("*.yaml"))
    alerts = {}
    for file, rule in rules():
        if "alert" not in rule:
            continue
        name = rule["alert"]
        if name in alerts:
            wrong.append(f"{name} is in {alerts[name]} and in {file}")
        alerts[name] = file
        notes = rule.get("annotations", {})
        if (
            not notes.get("summary")
            or not notes.get("description")
            or rule.get("labels", {}).get("severity") not in ("critical", "warning")
        ):
            wrong.append(f"{file}, {name}: needs a severity, a summary and a description")
        if notes.get("runbook_url") != f"docs/runbooks/{name}.md":
            wrong.append(f"{file}, {name}: runbook_url is not docs/runbooks/{name}.md")
        if f'alertname="{name}"' not in tests:
            wrong.append(f"{file}, {name}: no test lets it fire")
        check_runbook(name, wrong)
    index = (ROOT / "docs/runbooks/README.md").read_text()
    for name in alerts:
        if f"({name}.md)" not in index:
            wrong.append(f"docs/runbooks/README.md does not list {name}")


def check_runbook(name, wrong):
    file = ROOT / "docs/runbooks" / f"{name}.md"
    if not file.exists():
        wrong.append(f"docs/runbooks/{name}.md is missing")
        return
    text = file.read_text()
    places = [text.find(section + "\n") for section in SECTIONS]
    if -1 in places or places != sorted(places):
        wrong.append(f"docs/runbooks/{name}.md: needs {', '.join(SECTIONS)} in this order")
        return
    for section, start, end in zip(SECTIONS, places, [*places[1:], len(text)], strict=True):
        if len(text[start + len(section) : end].strip()) < 20:
            wrong.append(f"docs/runbooks/{name}.md: {section} is empty")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not (file.parent / link).exists():
            wrong.append(f"docs/runbooks/{name}.md: {link} does not exist")


def main():
    wrong = []
    known = reference()
    check_names(known, wrong)
    check_alerts(wrong)
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(1)
    alerts = sum("alert" in rule for _, rule in rules())
    panels = sum(1 for _ in queries())
    print(
        f"observability: {alerts} alerts with runbooks and tests, {panels} dashboard queries, {len(known)} known names"
    )


if __name__ == "__main__":
    main()
