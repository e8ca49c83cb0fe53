#!/usr/bin/env python3
"""`./solidus api`: writes admin-api.md and wallet-api.md in docs/reference from the descriptions in its folder api; --check only compares."""

import json
import os
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDER = os.path.join(ROOT, "docs", "reference", "api")
REFERENCE = os.path.join(ROOT, "docs", "reference")
ADMIN_HEAD = """# Admin API

Every route of the operators' services, made by `./solidus api` from what the services say of themselves.
The OpenAPI 3.1 documents are in [api](api), one for each service; generators of clients read them, and a running service serves its own at `/v3/api-docs` of its admin port.

- Calls carry an access token: `Authorization: Bearer ...` ([which tokens count](../adr/0047-access-tokens.md)).
  The column *roles* says whose ([what the roles are](roles.md)); whoever has the role `approver` has every approver's role.
- A refusal is a problem document (RFC 9457) with a stable `code`.
- Sums are in minor units of the currency, times in UTC.
- A list has at most 100 objects; `next` of the answer is the `cursor` of the next call.
"""

WALLET_HEAD = """# Wallet API

Every route that wallets call, made by `./solidus api` from what the services say of themselves.
The OpenAPI 3.1 documents are in [api](api), one for each service; generators of clients read them, and a running service serves its own at `/v3/api-docs`: the gateway at its port, the others at their admin port.

- A refusal is a problem document (RFC 9457) with a stable `code`; the column *refuses* names those of a route.
- Every route may also refuse with 400 `malformed-request`, 406, 413 `body-too-large`, 415, and 503 `unavailable`.
- 429 and 503 carry `Retry-After`, in seconds.
- Byte strings are base64url without padding, unless their pattern says hexadecimal.
- Sums are in minor units of the currency.
- An `Idempotency-Key`, where one is read, is the core in hexadecimal; at the registration, the mailbox and proofs it is 8 to 128 characters of the wallet's choice.
  It may stand in quotes (RFC 9651).
- [How to write a wallet](../how-to/write-a-wallet.md) says in which order a wallet calls them.
"""
# of every route, named in the head of the page
COMMON = {"malformed-request", "body-too-large", "unavailable"}


def schema_name(schema):
    """A type as a reader names it: the schema's name, or its JSON type and format."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "array" in schema.get("type", ""):
        return "list of " + schema_name(schema["items"])
    if schema.get("enum"):
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return schema_name(next(one for one in schema["anyOf"] if one.get("type") != "null"))
    kind = schema.get("type", "any")
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
            if "x-events" in answer:
                return f"{status} events " + ", ".join(f"`{name}`" for name in answer["x-events"])
            body = content(answer)
            return f"{status} {schema_name(body[1])}" if body else status
    return ""


def refusals(operation):
    """The codes of a route beyond those of every route, by their status."""
    parts = []
    for status, answer in sorted(operation["responses"].items()):
        codes = [code for code in answer.get("x-codes", []) if code not in COMMON]
        if codes:
            parts.append(f"{status} " + ", ".join(f"`{code}`" for code in codes))
    return "; ".join(parts)


def limits(schema):
    """How long a value is, as far as the document says."""
    if "array" in schema.get("type", ""):
        low, high, unit = schema.get("minItems"), schema.get("maxItems"), "entries"
    elif "string" in schema.get("type", ""):
        low, high, unit = schema.get("minLength"), schema.get("maxLength"), "characters"
    else:
        low, high, unit = schema.get("minimum"), schema.get("maximum"), ""
    if low is None and high is None:
        return ""
    if low == high:
        said = f"{low}"
    elif high is None:
        said = f"from {low}"
    else:
        said = f"up to {high}" if low is None else f"{low} to {high}"
    return f" ({said} {unit})".replace(" )", ")")


def fields(name, schema):
    lines = [f"**{name}**: "]
    listed = []
    required = schema.get("required", [])
    for field, kind in schema.get("properties", {}).items():
        mark = "" if field in required else "?"
        listed.append(f"`{field}{mark}` {schema_name(kind)}{limits(kind)}")
    return lines[0] + ", ".join(listed) + "." if listed else ""


def service(name, wallets):
    last = "refuses" if wallets else "roles"
    with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as file:
        document = json.load(file)
    tags = {tag["name"]: tag.get("description", "") for tag in document.get("tags", [])}
    groups = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if path.startswith("/admin/") != wallets:
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
        lines += [f"| route | does | takes | answers | {last} |", "|---|---|---|---|---|"]
        for path, method, operation in groups[tag]:
            roles = ", ".join(f"`{role}`" for role in operation.get("x-roles", []))
            said = refusals(operation) if wallets else roles
            does = " ".join([operation.get("summary", "").rstrip(".") + ".", operation.get("description", "")])
            lines.append(
                f"| `{method} {path}` | {cell(does)} | {cell(takes(operation))} | {cell(answers(operation))} | {said} |"
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


def page(head, services, wallets):
    lines = [head]
    for name in services:
        lines += service(name, wallets)
    return "\n".join(lines).rstrip() + "\n"


def main():
    pages = {
        "admin-api.md": page(ADMIN_HEAD, ["registration", "sanctions", "issuance"], False),
        "wallet-api.md": page(WALLET_HEAD, ["gateway", "registration", "sanctions", "issuance"], True),
    }
    for name, text in pages.items():
        path = os.path.join(REFERENCE, name)
        if sys.argv[1:] == ["--check"]:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    sys.exit(f"docs/reference/{name} is not what ./solidus api makes of docs/reference/api")
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


main()
