#!/usr/bin/env python3
"""Copies rules and dashboards of helm/observability into the charts. With --check it fails if a copy is out of date.

A chart watches its own namespace only, so that several authorities on one cluster do not raise each other's alerts.
Every selector of every query gets the matcher namespace="__NAMESPACE__", and the chart inserts the name.
Nothing else of a rule changes.
"""

import json
import pathlib
import re
import sys

HELM = pathlib.Path(__file__).resolve().parent.parent
SOURCE = HELM / "observability"
MATCHER = 'namespace="__NAMESPACE__"'
# chart -> (rule files, dashboards)
CHARTS = {
    "solidus-authority": (("authority", "common"), ("shards", "native", "postgresql", "kafka", "jvm")),
    "solidus-operator": (("slo", "operator", "common"), ("payments", "operator", "postgresql", "kafka", "jvm")),
}
# parts of a query that are not selectors (groupings, strings, ranges, numbers with units), and names
TOKEN = re.compile(
    r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)"
    r'|"(?:[^"\\]|\\.)*"'
    r"|\[[^\]]*\]"
    r"|\b\d[\w.]*"
    r"|(?P<name>[a-zA-Z_:][\w:]*)(?P<matchers>\{[^}]*\})?(?P<call>\s*\()?"
)
WORDS = {"and", "or", "unless", "bool", "offset", "sum", "max", "min", "avg", "count", "group"}


def scoped(expression):
    """The expression with the namespace matcher in every selector."""

    def place(match):
        name = match.group("name")
        if name is None or match.group("call") or name in WORDS:
            return match.group(0)
        return name + "{" + ", ".join(part for part in (MATCHER, (match.group("matchers") or "{}")[1:-1]) if part) + "}"

    return TOKEN.sub(place, expression)


def rules(files):
    """Joins rule files of the layout that helm/observability/check.py demands. Only queries change."""
    lines, query = ["# Written by helm/tools/observability.py from helm/observability/rules.", "groups:"], False
    for file in files:
        for source in (SOURCE / "rules" / f"{file}.yaml").read_text().splitlines():
            line = source
            if re.match(r"\s*#|groups:|\s*$", line):
                continue
            begin = re.match(r"        expr: (.*)$", line)
            query = query and line.startswith(" " * 10)
            if begin:
                query = begin.group(1) == ">-"
                line = line if query else "        expr: " + scoped(begin.group(1))
            elif query:
                line = scoped(line)
            lines.append(line)
    return "\n".join(lines) + "\n"


def dashboard(file, chart):
    found = json.loads((SOURCE / "dashboards" / f"{file}.json").read_text())
    if chart == "solidus-authority":
        found["uid"] += "-a__AUTHORITY__"
        found["title"] += ", authority __AUTHORITY__"
    for panel in found["panels"]:
        for target in panel.get("targets", []):
            target["expr"] = scoped(target["expr"])
    for variable in found["templating"]["list"]:
        if "query" in variable and isinstance(variable["query"], dict):
            variable["query"]["query"] = variable["query"]["query"].replace(
                "label_values(up,", f"label_values(up{{{MATCHER}}},"
            )
    # compact, because the whole release must fit into one secret
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False) + "\n"


def files():
    for chart, (of_rules, of_dashboards) in CHARTS.items():
        yield HELM / chart / "files/rules.yaml", rules(of_rules)
        for name in of_dashboards:
            yield HELM / chart / f"files/dashboards/{name}.json", dashboard(name, chart)


def main():
    wanted = dict(files())
    there = {f for chart in CHARTS for f in (HELM / chart / "files").rglob("*.*")}
    if "--check" in sys.argv[1:]:
        stale = [f for f, text in wanted.items() if f not in there or f.read_text() != text] + sorted(
            there - set(wanted)
        )
        if stale:
            sys.exit(
                "these files are out of date, run ./solidus cluster update: "
                + ", ".join(str(f.relative_to(HELM)) for f in stale)
            )
        return
    for file in there - set(wanted):
        file.unlink()
    for file, text in wanted.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


if __name__ == "__main__":
    main()
