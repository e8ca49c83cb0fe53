#!/usr/bin/env python3
"""Validates rendered manifests against schemas.

usage: schemas_of_kubernetes.py VERSION MANIFESTS [CRD_FOLDER...]

The schemas of Kubernetes come from kubernetes-validate, those of custom resources from the folders of CRDs.
An unknown field is an error, although an API server would drop it silently. Kinds without a schema are counted.
"""

import collections
import pathlib
import sys

import jsonschema
import kubernetes_validate
import yaml


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A SafeLoader that reads a lone `=` as text. YAML 1.1 gives it a special type."""


Loader.add_constructor("tag:yaml.org,2002:value", Loader.construct_yaml_str)


def strict(schema):
    """The JSON schema of a CRD's OpenAPI schema. It refuses undeclared fields."""
    if isinstance(schema, list):
        return [strict(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {
        k: strict(v) for k, v in schema.items() if k not in ("format", "properties", "default", "description", "enum")
    }
    if "(?i)" in str(schema.get("pattern", "")):
        # Go allows a flag anywhere in a pattern, Python only at the start
        closed["pattern"] = "(?i)" + schema["pattern"].replace("(?i)", "")
    if "enum" in schema:
        closed["enum"] = schema["enum"]
    if "properties" in schema:
        closed["properties"] = {name: strict(inner) for name, inner in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields") and "additionalProperties" not in schema:
            closed["additionalProperties"] = False
    if schema.get("x-kubernetes-int-or-string"):
        closed.pop("type", None)
    return closed


def definitions(folders):
    found = {}
    for folder in folders:
        for file in pathlib.Path(folder).glob("*.yaml"):
            # template lines in these files are comments or quoted values, so they parse as YAML
            for document in yaml.load_all(file.read_text(), Loader):
                if document and document.get("kind") == "CustomResourceDefinition":
                    spec = document["spec"]
                    for version in spec["versions"]:
                        schema = strict(version["schema"]["openAPIV3Schema"])
                        schema["properties"]["metadata"] = {"type": "object"}
                        found[f"{spec['group']}/{version['name']}", spec["names"]["kind"]] = jsonschema.Draft7Validator(
                            schema
                        )
    return found


def main():
    version, folder = sys.argv[1].rsplit(".", 1)[0], pathlib.Path(sys.argv[2])
    custom = definitions(sys.argv[3:])
    own, others, without, wrong = 0, collections.Counter(), collections.Counter(), []
    for file in sorted(folder.glob("*.yaml")):
        for document in yaml.load_all(file.read_text(), Loader):
            if not document:
                continue
            kind = (document["apiVersion"], document["kind"])
            group = kind[0].split("/")[0] if "/" in kind[0] else ""
            where = f"{file.name}: {kind[1]} {document['metadata']['name']}"
            try:
                if kind in custom:
                    custom[kind].validate(document)
                    others[kind[1]] += 1
                elif "." in group and not group.endswith("k8s.io"):
                    without[f"{group} {kind[1]}"] += 1
                else:
                    kubernetes_validate.validate(document, version, strict=True)
                    own += 1
            except jsonschema.ValidationError as e:
                wrong.append(f"{where}: {e.message[:300]} at {'/'.join(map(str, e.absolute_path))}")
            except (
                kubernetes_validate.ValidationError,
                kubernetes_validate.SchemaNotFoundError,
                kubernetes_validate.InvalidSchemaError,
            ) as e:
                wrong.append(f"{where}: {getattr(e, 'message', e)} at {list(getattr(e, 'path', []))}")
    print(
        f"{own} Kubernetes objects and {sum(others.values())} custom resources are valid: "
        + ", ".join(f"{n} {k}" for k, n in sorted(others.items()))
    )
    if without:
        print("SKIPPED, no schema: " + ", ".join(f"{n} {kind}" for kind, n in sorted(without.items())))
    for line in wrong:
        print(line)
    return 1 if wrong or not own else 0


if __name__ == "__main__":
    sys.exit(main())
