"""The tools of these tests, on small things whose answer is known."""

import pathlib
import unittest

import metrics
import properties

SERVICES = pathlib.Path(__file__).resolve().parents[2] / "services"


class Properties(unittest.TestCase):
    def test_nested_records_lists_and_maps(self):
        ours = properties.own(SERVICES)
        for name in ("solidus.validator.batch.max-linger", "solidus.gateway.authorities[*].shard-pattern", "solidus.issuance.approvers.*.public-key", "solidus.trust.approvers"):
            self.assertIn(name, ours)
        self.assertTrue(properties.known("solidus.gateway.authorities[3].issuer", ours, set()))
        self.assertTrue(properties.known("solidus.issuance.approvers.anna.subject", ours, set()))
        for wrong in ("solidus.validator.batch.maxlinger", "solidus.gateway.authorities[3].shards-pattern", "solidus.issuance.approvers.anna.name", "solidus.signer.shard"):
            self.assertFalse(properties.known(wrong, ours, set()), wrong)

    def test_flat(self):
        self.assertEqual(dict(properties.flat({"a.b": {"c": [1, {"d": 2}]}, "m": {"[x.y]": 3}})), {"a.b.c[0]": 1, "a.b.c[1].d": 2, "m[x.y]": 3})


class Definitions(unittest.TestCase):
    """Of other makers' kinds: a field nobody declared is refused, one that is anybody's is not."""

    def test_strict(self):
        try:
            import jsonschema

            import schemas_of_kubernetes
        except ImportError as missing:
            self.skipTest(str(missing))
        schema = {"type": "object", "properties": {
            "spec": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {}},
                                                                         "map": {"type": "object", "additionalProperties": {"type": "string"}},
                                                                         "port": {"x-kubernetes-int-or-string": True, "type": "integer"}}}}}
        valid = jsonschema.Draft7Validator(schemas_of_kubernetes.strict(schema)).is_valid
        self.assertTrue(valid({"spec": {"a": 1, "free": {"x": 1}, "map": {"y": "z"}, "port": "http"}}))
        for wrong in ({"spec": {"a": 1, "b": 2}}, {"spec": {"a": "1"}}, {"spec": {}}, {"spec": {"a": 1, "map": {"y": 1}}}, {"status": {}}):
            self.assertFalse(valid(wrong), wrong)


class Series(unittest.TestCase):
    def test_names_by_kind(self):
        made = metrics.series(SERVICES)
        for name in ("solidus_gateway_quorum_time_seconds_bucket", "solidus_validator_overloaded_total", "solidus_signer_ready_status", "solidus_signer_check_duration_seconds_max",
                     "solidus_registration_cases_count_total", "solidus_compliance_issuer_registrations_seconds_count"):
            self.assertIn(name, made)
        for wrong in ("solidus_gateway_quorum_time", "solidus_signer_ready_status_total", "solidus_validator_overloaded"):
            self.assertNotIn(wrong, made)

    def test_names_in_an_expression(self):
        self.assertEqual(metrics.names_in('sum by (pod, le) (rate(a_total{x="b_total"}[5m])) > 0.5 * max(c:d) or absent(up)'), {"a_total", "c:d", "up"})
