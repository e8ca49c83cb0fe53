"""Names of the configuration properties that exist.

Ours come from the @ConfigurationProperties records, those of Spring Boot from the metadata in its jars.
"""

import json
import pathlib
import re
import zipfile

import yaml

SERVICES = pathlib.Path(__file__).resolve().parents[2] / "services"


def kebab(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "-" + m.group(1).lower(), name)


def own():
    """The properties of our services: name -> Java type. A list element is [*], a map key is .*"""
    found = {}
    for file in SERVICES.glob("*/*/src/main/java/**/*Properties.java"):
        text = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.S)
        text = re.sub(r"//[^\n]*", "", text)
        prefix = re.search(r'@ConfigurationProperties\("([^"]+)"\)', text)
        if not prefix:
            continue
        records = dict(records_of(text))
        outer = re.search(r"^(?:public )?record (\w+)\(", text, re.M).group(1)
        pending = list(records)
        while pending:
            for _, kind in records[pending.pop()]:
                if kind not in records and (parts := elsewhere(file, kind)):
                    records[kind] = parts
                    pending.append(kind)
        expand(prefix.group(1), outer, records, found)
    for file in SERVICES.glob("*/*/src/main/java/**/*.java"):
        for name in re.findall(r'@ConditionalOnProperty\((?:name = )?"([^"]+)"', file.read_text()):
            found.setdefault(name, "boolean")
    found.setdefault("solidus.platform.database", "boolean")
    found.setdefault("solidus.platform.kafka", "boolean")
    return found


def elsewhere(file, kind):
    """The components of a record with its own file, in the same package or imported; None if there is none."""
    if not re.fullmatch(r"[A-Z]\w*", kind):
        return None
    there = file.with_name(f"{kind}.java")
    imported = re.search(rf"^import ([\w.]+\.{kind});$", file.read_text(), re.M)
    if imported:
        there = next(SERVICES.glob(f"*/*/src/main/java/{imported.group(1).replace('.', '/')}.java"), there)
    if not there.is_file():
        return None
    return dict(records_of(re.sub(r"/\*.*?\*/", "", there.read_text(), flags=re.S))).get(kind)


def records_of(text):
    for match in re.finditer(r"record (\w+)\(", text):
        depth, start, i = 1, match.end(), match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        yield match.group(1), list(components(text[start : i - 1]))


def components(body):
    part, depth, quoted = "", 0, False
    for c in body + ",":
        if c == '"':
            quoted = not quoted
        if not quoted:
            depth += {"(": 1, "<": 1, "{": 1, ")": -1, ">": -1, "}": -1}.get(c, 0)
            if c == "," and depth == 0:
                if part.strip():
                    words = re.sub(r"@[\w.]+(\((?:[^()\"]|\"[^\"]*\")*\))?\s*", "", part.strip())
                    kind, name = words.rsplit(None, 1)
                    yield name, kind.strip()
                part = ""
                continue
        part += c


def expand(prefix, record, records, found):
    for name, kind in records[record]:
        here = f"{prefix}.{kebab(name)}"
        found[here] = kind
        inner = re.match(r"(?:List|Set)<(.*)>$", kind)
        entry = re.match(r"Map<[^,]+,(.*)>$", kind)
        element, place = (
            (inner.group(1).strip(), here + "[*]")
            if inner
            else (entry.group(1).strip(), here + ".*")
            if entry
            else (kind, here)
        )
        if inner or entry:
            found[place] = element
        if element in records:
            expand(place, element, records, found)


def spring(version, repository=None):
    """The properties of Spring Boot: name -> type. Empty if its jars are not in the Maven repository."""
    repository = pathlib.Path(repository or pathlib.Path.home() / ".m2/repository") / "org/springframework/boot"
    found = {}
    for jar in repository.glob(f"*/{version}/*-{version}.jar"):
        with zipfile.ZipFile(jar) as z:
            for name in (
                "META-INF/spring-configuration-metadata.json",
                "META-INF/additional-spring-configuration-metadata.json",
            ):
                if name in z.namelist():
                    for p in json.loads(z.read(name)).get("properties", []):
                        found[p["name"]] = p.get("type", "")
    return found


def packaged(service):
    """The defaults in the jar of a service: property -> value."""
    file = next(SERVICES.glob(f"*/*/src/main/resources/solidus-{service}.yml"))
    return dict(flat(yaml.safe_load(file.read_text())))


def flat(value, path=""):
    """Yields (name, value) of each property in a YAML document. A key in brackets is a literal key of a map."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{path}.{key}" if path and not str(key).startswith("[") else f"{path}{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from flat(inner, f"{path}[{i}]")
    else:
        yield path, value


def known(name, names, maps):
    """Whether a property exists. `maps` are properties that accept any key."""
    plain = re.sub(r"\[\d+\]", "[*]", name)
    if plain in names or re.sub(r"\[\*\]$", "", plain) in names:
        return True
    for own_map in (n for n in names if n.endswith(".*") or ".*." in n):
        if re.fullmatch(re.escape(own_map).replace(r"\.\*", r"\.[^.]+"), plain):
            return True
    return any(plain.startswith((m + ".", m + "[")) for m in maps)
