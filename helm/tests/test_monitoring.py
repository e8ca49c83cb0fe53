"""Service monitors, rules, alerts and dashboards of the charts."""

import json
import unittest

import check
import network
import observability
import promtool
from manifests import ManifestTest, label, replicas


class Monitoring(ManifestTest):
    def test_alerts_have_runbooks_and_query_known_metrics(self):
        names = check.reference() | {rule["record"] for _, rule in check.rules() if "record" in rule}
        for m in self.each():
            for document in m.kinds("PrometheusRule"):
                for rule in (r for g in document["spec"]["groups"] for r in g["rules"]):
                    where = f"{label(document)}: {rule.get('alert', rule.get('record'))}"
                    self.assert_queries(rule["expr"], names, document["metadata"]["namespace"], where)
                    if "alert" in rule:
                        self.assertIn(rule["labels"]["severity"], ("critical", "warning"), where)
                        self.assertEqual(rule["annotations"]["runbook_url"], f"docs/runbooks/{rule['alert']}.md")
                        wrong = []
                        check.check_runbook(rule["alert"], wrong)
                        self.assertEqual(wrong, [])
            for document in m.kinds("ConfigMap"):
                for file, text in document["data"].items():
                    if file.endswith(".json"):
                        self.assertNotIn("__", text.replace("$__", ""), label(document))
                        for panel in json.loads(text)["panels"]:
                            for target in panel.get("targets", []):
                                self.assert_queries(
                                    target["expr"],
                                    names,
                                    document["metadata"]["namespace"],
                                    f"{label(document)}: {panel['title']}",
                                )

    def assert_queries(self, expression, names, namespace, where):
        """Asserts that every series of the expression is known and selected by the release's own namespace."""
        if expression.startswith("vector("):
            return
        wanted = check.metrics_in(expression)
        self.assertLessEqual(wanted, names, where)
        self.assertGreaterEqual(len(wanted), 1, where)
        for name in wanted:
            self.assertNotRegex(expression, rf'(?<![\w:]){name}(?![\w:])(?!\{{namespace="{namespace}"[,}}])', where)

    def test_the_charts_have_exactly_the_alerts_of_the_source(self):
        source = {r["alert"] for _, r in check.rules() if "alert" in r}
        charts = {
            r["alert"]
            for m in self.each()
            for d in m.kinds("PrometheusRule")
            for g in d["spec"]["groups"]
            for r in g["rules"]
            if "alert" in r
        }
        self.assertEqual(charts, source)
        self.assertGreater(len(source), 30)

    def test_wanted_processes_match_the_replicas(self):
        for m in self.each():
            for document in m.kinds("PrometheusRule"):
                wanted = {
                    r["labels"]["component"]: r["expr"]
                    for g in document["spec"]["groups"]
                    for r in g["rules"]
                    if r.get("record") == "solidus:processes_wanted:count"
                }
                there = {}
                for workload, metadata, _ in m.pods():
                    if (
                        workload["kind"] in ("Deployment", "StatefulSet")
                        and workload["metadata"]["namespace"] == document["metadata"]["namespace"]
                    ):
                        there[metadata["labels"]["app.kubernetes.io/name"]] = f"vector({replicas(m, workload)})"
                self.assertEqual(wanted, there, label(document))

    def test_rules_fire_only_for_their_own_namespace(self):
        tool = promtool.path()
        if not tool:
            self.skipTest("the tests of the rules were not run: no promtool")
        for file, own in (
            ("authority", "authority-1"),
            ("slo", "solidus"),
            ("operator", "solidus"),
            ("common", "solidus"),
        ):
            for namespace in (own, "elsewhere"):
                with self.subTest(file=file, namespace=namespace):
                    self.assertEqual(
                        promtool.run_tests(tool, observability.rules([file]), file, namespace, quiet=namespace != own),
                        "",
                    )

    def test_service_monitors_select_one_service_and_its_port(self):
        for m in self.each():
            for monitor in m.kinds("ServiceMonitor"):
                chosen = [
                    s
                    for s in m.kinds("Service")
                    if s["metadata"]["namespace"] == monitor["metadata"]["namespace"]
                    and network.matches(monitor["spec"]["selector"], s["metadata"]["labels"])
                ]
                self.assertEqual(len(chosen), 1, label(monitor))
                self.assertIn(monitor["spec"]["endpoints"][0]["port"], [p["name"] for p in chosen[0]["spec"]["ports"]])


class Scoped(unittest.TestCase):
    """Queries that are bound to one namespace."""

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
