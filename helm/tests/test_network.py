"""Network policies."""

import unittest

import network
from manifests import CASES, HELM_DIR, Manifests

OUTSIDE = {
    "INGRESS": network.Outsider("INGRESS", "ingress-nginx", (("app.kubernetes.io/name", "ingress-nginx"),)),
    "ADMIN-INGRESS": network.Outsider("ADMIN-INGRESS", "ingress-staff", (("app.kubernetes.io/name", "ingress-nginx"),)),
    "METRICS": network.Outsider("METRICS", "monitoring", (("app.kubernetes.io/name", "prometheus"),)),
    "POSTGRES-OPERATOR": network.Outsider("POSTGRES-OPERATOR", "cnpg-system"),
    "DNS": network.Outsider("DNS", "kube-system", (("k8s-app", "kube-dns"),)),
    "KAFKA": network.Outsider("KAFKA", "kafka"),
    "KUBERNETES": network.Outsider("KUBERNETES", address="10.0.3.4"),
    "OPERATOR-DATABASE": network.Outsider("OPERATOR-DATABASE", address="10.0.64.9"),
    "PUBLIC": network.Outsider("PUBLIC", address="203.0.113.7"),
    "PROVIDER": network.Outsider("PROVIDER", address="10.0.90.7"),
    "PEER-GATEWAY": network.Outsider("PEER-GATEWAY", address="198.18.5.20"),
    "COLLECTOR": network.Outsider("COLLECTOR", "monitoring", (("app.kubernetes.io/name", "collector"),)),
    # in no arrow
    "STRANGER": network.Outsider(
        "STRANGER", "default", (("app.kubernetes.io/name", "gateway"), ("app.kubernetes.io/part-of", "solidus"))
    ),
    "NOT-PROMETHEUS": network.Outsider("NOT-PROMETHEUS", "monitoring", (("app.kubernetes.io/name", "curious"),)),
    "INTERNET": network.Outsider("INTERNET", address="192.0.2.1"),
}
# in no arrow
OTHER_PORTS = {22, 8089, 9090, 9092}


class Arrows(unittest.TestCase):
    """The network policies allow the connections in arrows.txt and no other."""

    def wanted(self, size, given):
        """The arrows without a condition, and those with one of the given."""
        arrows = set()
        for line in (HELM_DIR / "tests/arrows.txt").read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            arrow, _, condition = line.partition(" with ")
            if condition and condition not in given:
                continue
            sender, _, receiver, port = arrow.split()
            for i in range(1, size + 1) if "a#" in line else (0,):
                arrows.add((sender.replace("a#", f"a{i}"), receiver.replace("a#", f"a{i}"), int(port)))
        return arrows

    def pods(self, m, size):
        found = []
        for document, metadata, _ in m.pods():
            labels = metadata["labels"]
            authority = labels.get("solidus.io/authority")
            name = labels["app.kubernetes.io/name"]
            found.append(
                network.Pod(
                    f"a{authority}.{name}" if authority else name,
                    document["metadata"]["namespace"],
                    tuple(labels.items()),
                )
            )
        for cluster in m.kinds("Cluster"):
            labels = {**cluster["spec"]["inheritedMetadata"]["labels"], "cnpg.io/cluster": cluster["metadata"]["name"]}
            found.append(
                network.Pod(
                    f"a{labels['solidus.io/authority']}.database",
                    cluster["metadata"]["namespace"],
                    tuple(labels.items()),
                )
            )
        for i in range(1, size + 1):
            # no case has these jobs, but their policies are always rendered
            for job in ("split", "recover"):
                labels = {
                    "app.kubernetes.io/part-of": "solidus",
                    "app.kubernetes.io/name": job,
                    "solidus.io/authority": str(i),
                }
                found.append(network.Pod(f"a{i}.{job}", f"solidus-authority-{i}", tuple(labels.items())))
        return found

    def test_the_policies_allow_exactly_the_arrows(self):
        conditions = {"tracing", "admin ingress", "console", "provider", "tokens", "exchange", "tables", "replicas"}
        for case, size, given in (
            ("pilot-n4", 4, set()),
            ("pilot-traced", 4, conditions - {"tables", "replicas"}),
            ("pilot-tables", 4, {"tracing", "tables"}),
            ("pilot-replicas", 4, {"tracing", "tables", "replicas"}),
            ("pilot-n10", 10, set()),
        ):
            with self.subTest(case=case):
                m = Manifests.of(case)
                policies = network.Policies(m.kinds("NetworkPolicy"))
                pods = self.pods(m, size)
                ends = [*pods, *OUTSIDE.values()]
                ports = OTHER_PORTS | {port for _, _, port in self.wanted(size, conditions)}
                passing = {
                    (s.name, r.name, port)
                    for s in ends
                    for r in ends
                    if isinstance(s, network.Pod) or isinstance(r, network.Pod)
                    for port in ports
                    if policies.allowed(s, r, port)
                }
                wanted = self.wanted(size, given)
                self.assertEqual(sorted(passing - wanted), [], "allowed, but in no arrow")
                self.assertEqual(sorted(wanted - passing), [], "arrows that are not allowed")

    def test_every_namespace_denies_by_default(self):
        for case in CASES:
            m = Manifests.of(case)
            denied = {
                p["metadata"]["namespace"]
                for p in m.kinds("NetworkPolicy")
                if p["spec"]["podSelector"] == {} and "ingress" not in p["spec"] and "egress" not in p["spec"]
            }
            self.assertEqual({d["metadata"]["namespace"] for d, _, _ in m.pods()}, denied, case)

    def test_the_evaluator_detects_a_missing_rule(self):
        m = Manifests.of("pilot-n4")
        gateway = next(p for p in self.pods(m, 4) if p.name == "gateway")
        shard = next(p for p in self.pods(m, 4) if p.name == "a1.shard")
        without = [p for p in m.kinds("NetworkPolicy") if p["metadata"]["name"] != "gateway"]
        self.assertFalse(network.Policies(without).allowed(gateway, shard, 9100))
        self.assertTrue(network.Policies([]).allowed(gateway, shard, 22))
