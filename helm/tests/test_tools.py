"""Tests of the helpers of these tests, on small inputs."""

import unittest

import properties


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
    """Schemas of custom resources refuse undeclared fields and accept free-form ones."""

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
