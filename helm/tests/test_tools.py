"""The tools of these tests, on small things whose answer is known."""

import pathlib
import sys
import unittest

import properties

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import observability  # noqa: E402


class Properties(unittest.TestCase):
    def test_nested_records_lists_and_maps(self):
        ours = properties.own()
        for name in (
            "solidus.validator.batch.max-linger",
            "solidus.gateway.authorities[*].shard-pattern",
            "solidus.issuance.approvers.*.public-key",
            "solidus.trust.approvers",
            # a record of its own file
            "solidus.signer.token.key-label",
        ):
            self.assertIn(name, ours)
        self.assertTrue(properties.known("solidus.gateway.authorities[3].issuer", ours, set()))
        self.assertTrue(properties.known("solidus.issuance.approvers.anna.subject", ours, set()))
        for wrong in (
            "solidus.validator.batch.maxlinger",
            "solidus.gateway.authorities[3].shards-pattern",
            "solidus.issuance.approvers.anna.name",
            "solidus.signer.shard",
            "solidus.signer.token.label",
        ):
            self.assertFalse(properties.known(wrong, ours, set()), wrong)

    def test_flat(self):
        self.assertEqual(
            dict(properties.flat({"a.b": {"c": [1, {"d": 2}]}, "m": {"[x.y]": 3}})),
            {"a.b.c[0]": 1, "a.b.c[1].d": 2, "m[x.y]": 3},
        )


class Definitions(unittest.TestCase):
    """Of other makers' kinds: a field nobody declared is refused, one that is anybody's is not."""

    def test_strict(self):
        try:
            import jsonschema

            import schemas_of_kubernetes
        except ImportError as missing:
            self.skipTest(str(missing))
        schema = {
            "type": "object",
            "properties": {
                "spec": {
                    "type": "object",
                    "required": ["a"],
                    "properties": {
                        "a": {"type": "integer"},
                        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {}},
                        "map": {"type": "object", "additionalProperties": {"type": "string"}},
                        "port": {"x-kubernetes-int-or-string": True, "type": "integer"},
                    },
                }
            },
        }
        valid = jsonschema.Draft7Validator(schemas_of_kubernetes.strict(schema)).is_valid
        self.assertTrue(valid({"spec": {"a": 1, "free": {"x": 1}, "map": {"y": "z"}, "port": "http"}}))
        for wrong in (
            {"spec": {"a": 1, "b": 2}},
            {"spec": {"a": "1"}},
            {"spec": {}},
            {"spec": {"a": 1, "map": {"y": 1}}},
            {"status": {}},
        ):
            self.assertFalse(valid(wrong), wrong)


class Scoped(unittest.TestCase):
    """Queries about one namespace."""

    def test_every_selector_and_nothing_else(self):
        n = 'namespace="__NAMESPACE__"'
        for before, after in (
            (
                'sum by (pod, le) (rate(a_total{x="b_total"}[5m])) > 0.5 * max(c:d) or absent(up)',
                'sum by (pod, le) (rate(a_total{N, x="b_total"}[5m])) > 0.5 * max(c:d{N}) or absent(up{N})',
            ),
            (
                "a > 14.4e1 and on (b) group_left (c) d == bool 0",
                "a{N} > 14.4e1 and on (b) group_left (c) d{N} == bool 0",
            ),
            (
                "min_over_time(x[2m]) unless ignoring (y) z offset 5m",
                "min_over_time(x{N}[2m]) unless ignoring (y) z{N} offset 5m",
            ),
            ("a{}", "a{N}"),
        ):
            self.assertEqual(observability.scoped(before), after.replace("N", n))
