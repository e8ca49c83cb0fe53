#!/usr/bin/env python3
"""`./solidus api`: writes docs/reference/admin-api.md from the descriptions in docs/reference/api; --check only compares."""

import json
import os
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDER = os.path.join(ROOT, "docs", "reference", "api")
PAGE = os.path.join(ROOT, "docs", "reference", "admin-api.md")
SERVICES = ["registration", "sanctions", "issuance"]
HEAD = """# Admin API

Every route of the operators' services, made by `./solidus api` from what the services say of themselves.
The OpenAPI 3.1 documents are in [api](api), one for each service; generators of clients read them, and a running service serves its own at `/v3/api-docs` of its admin port.

- Calls carry an access token: `Authorization: Bearer ...` ([which tokens count](../adr/0047-access-tokens.md)).
  The column *roles* says whose ([what the roles are](roles.md)); whoever has the role `approver` has every approver's role.
- A refusal is a problem document (RFC 9457) with a stable `code`.
- Sums are in minor units of the currency, times in UTC.
- A list has at most 100 objects; `next` of the answer is the `cursor` of the next call.
"""


def schema_name(schema):
    """A type as a reader names it: the schema's name, or its JSON type and format."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if schema.get("type") == "array":
        return "list of " + schema_name(schema["items"])
    if schema.get("enum"):
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = " or ".join(k for k in kind if k != "null")
    if kind == "object" and "additionalProperties" in schema and isinstance(schema["additionalProperties"], dict):
        return "map to " + schema_name(schema["additionalProperties"])
    return schema.get("format", kind)


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def content(part):
    """The content types and the schema of a body, or None."""
    for media, body in (part or {}).get("content", {}).items():
        return media, body.get("schema", {})
    return None


def takes(operation):
    """Parameters and body, as one cell."""
    parts = []
    for parameter in operation.get("parameters", []):
        if parameter["in"] != "path":
            mark = "" if parameter.get("required") else "?"
            parts.append(f"`{parameter['name']}{mark}` {schema_name(parameter.get('schema', {}))}")
    body = content(operation.get("requestBody"))
    if body:
        media, schema = body
        parts.append(f"body {schema_name(schema)}" + ("" if media.endswith("json") else f" ({media})"))
    return "; ".join(parts)


def answers(operation):
    for status, answer in sorted(operation["responses"].items()):
        if status.startswith("2"):
            body = content(answer)
            return f"{status} {schema_name(body[1])}" if body else status
    return ""


def fields(name, schema):
    lines = [f"**{name}**: "]
    listed = []
    for field, kind in schema.get("properties", {}).items():
        listed.append(f"`{field}` {schema_name(kind)}")
    return lines[0] + ", ".join(listed) + "." if listed else ""


def service(name):
    with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as file:
        document = json.load(file)
    tags = {tag["name"]: tag.get("description", "") for tag in document.get("tags", [])}
    groups = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if path.startswith("/admin/"):
                groups.setdefault(operation["tags"][0], []).append((path, method.upper(), operation))
    lines = [
        f"## {document['info']['title'].removeprefix('Solidus ').capitalize()}",
        "",
        document["info"]["description"],
        "",
    ]
    for tag in sorted(groups):
        lines += [f"### {name.capitalize()}: {tag}", ""]
        if tags.get(tag):
            lines += [sentence + "." for sentence in tags[tag].rstrip(".").split(". ")]
            lines.append("")
        lines += ["| route | does | takes | answers | roles |", "|---|---|---|---|---|"]
        for path, method, operation in groups[tag]:
            roles = ", ".join(f"`{role}`" for role in operation.get("x-roles", []))
            does = " ".join([operation.get("summary", "").rstrip(".") + ".", operation.get("description", "")])
            lines.append(
                f"| `{method} {path}` | {cell(does)} | {cell(takes(operation))} | {cell(answers(operation))} | {roles} |"
            )
        lines.append("")
    lines += [f"### {name.capitalize()}: objects", ""]
    reachable = used(document, [operation for group in groups.values() for _, _, operation in group])
    for schema in sorted(reachable):
        line = fields(schema, document["components"]["schemas"][schema])
        if line:
            lines += ["- " + line]
    lines.append("")
    return lines


def references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def used(document, operations):
    """The names of all schemas that these operations lead to."""
    schemas = document["components"].get("schemas", {})
    found = set()
    waiting = list(references(operations))
    while waiting:
        name = waiting.pop()
        if name not in found and name in schemas:
            found.add(name)
            waiting += references(schemas[name])
    return found


def main():
    lines = [HEAD]
    for name in SERVICES:
        lines += service(name)
    text = "\n".join(lines).rstrip() + "\n"
    if sys.argv[1:] == ["--check"]:
        with open(PAGE, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit("docs/reference/admin-api.md is not what ./solidus api makes of docs/reference/api")
        return
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
