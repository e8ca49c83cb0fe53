#!/usr/bin/env python3
"""Installs, upgrades, grows, rolls back, stops, recovers and removes a pilot on a real API server with simulated nodes.

usage: simulate.py N BINARIES ETCD HELM KWOK_MODULE CRD_FOLDER...

The checks look at what the API server, its controllers and its scheduler did.
No Solidus process runs and the volumes are empty; boot.py starts real processes.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import yaml
from control_plane import ZONES, SimulatedCluster, stages

CHARTS = pathlib.Path(__file__).resolve().parents[1]
OPERATOR = "solidus-operator"
TIMEOUT = "20m"
# seconds; a limit for steps that are as fast as the machine, not a measurement
PATIENCE = 600


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, name, good, why=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        print(f"  {'passed' if good else 'FAILED'}   {name}" + ("" if good else f": {why}"), flush=True)


class Simulation:
    def __init__(self, n, plane, helm, crds, folder):
        self.n, self.plane, self.helm_path, self.crds, self.folder, self.check = n, plane, helm, crds, folder, Checks()
        self.authorities = [f"solidus-authority-{i}" for i in range(1, n + 1)]
        self.values = folder / "values.yaml"
        # a copy, so that an edit during the run changes nothing
        self.charts = folder / "helm"
        for chart in CHARTS.glob("solidus-*"):
            shutil.copytree(chart, self.charts / chart.name)

    def helm(self, *args, values=None):
        command = [self.helm_path, "--kubeconfig", str(self.plane.kubeconfig), "-n", "solidus-pilot", *args]
        if values is not None:
            file = self.folder / f"values-{time.monotonic_ns()}.yaml"
            file.write_text(yaml.safe_dump(values))
            for values_file in (self.charts / "solidus-pilot/ci/test-values.yaml", self.values, file):
                command += ["-f", str(values_file)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=2400)

    def upgrade(self, values, *more):
        options = ("--create-namespace", "--wait", "--timeout", TIMEOUT, *more)
        return self.helm("upgrade", "--install", "pilot", str(self.charts / "solidus-pilot"), *options, values=values)

    def revision(self):
        listed = json.loads(self.helm("list", "-a", "-o", "json").stdout)
        return (int(listed[0]["revision"]), listed[0]["status"]) if listed else (0, "")

    def pods(self, namespace, name=None):
        selector = ["-l", f"app.kubernetes.io/name={name}"] if name else []
        return [
            p
            for p in self.plane.get("pods", "-n", namespace, *selector)["items"]
            if not p["metadata"].get("deletionTimestamp")
        ]

    def replicas(self, namespace="solidus-authority-1", name="authority-1-shard"):
        return self.plane.get("statefulset", "-n", namespace, name)["spec"]["replicas"]

    def logs(self):
        return [
            c
            for c in self.plane.get("pvc", "-A")["items"]
            if c["metadata"]["name"].startswith(("sign-log-", "anchor-"))
        ]

    def claims(self):
        return {c["metadata"]["uid"] for c in self.logs()}

    def databases(self):
        return {c["metadata"]["uid"] for c in self.plane.get("clusters.postgresql.cnpg.io", "-A")["items"]}

    def prepare(self):
        """Creates what must exist before the release: CRDs, nodes, namespaces and the claim of the proving keys."""
        for folder in self.crds:
            files = [f.read_text() for f in sorted(pathlib.Path(folder).glob("*.yaml"))]
            # template expressions of the vendor's chart, in labels
            text = re.sub(
                r"'?\{\{[^}]*\}\}'?",
                "template",
                "\n---\n".join(f for f in files if "kind: CustomResourceDefinition" in f),
            )
            self.plane.kubectl("apply", "--server-side", "-f", "-", stdin=text)
        self.plane.kubectl("wait", "--for=condition=Established", "crd", "--all", f"--timeout={PATIENCE}s")
        placement = {}
        for i in range(1, self.n + 1):
            for zone in ZONES:
                self.plane.node(f"authority-{i}-{zone}", "m5.8xlarge", zone, {"solidus.io/authority": str(i)}, str(i))
            where = {
                "nodeSelector": {"solidus.io/authority": str(i)},
                "tolerations": [
                    {"key": "solidus.io/authority", "operator": "Equal", "value": str(i), "effect": "NoSchedule"}
                ],
            }
            placement[f"a{i}"] = {
                "authority": {"index": i},
                "shards": where,
                "signer": where,
                "complianceIssuer": where,
            }
        for zone in ZONES:
            self.plane.node(f"operator-{zone}", "m5.2xlarge", zone, {"solidus.io/operator": "true"}, None)
        self.values.write_text(
            yaml.safe_dump({**placement, "global": {"authorities": {f"a{i}": i <= self.n for i in range(1, 11)}}})
        )
        for namespace in (OPERATOR, *self.authorities):
            # just enough for the charts; with a quota, a pod without requests is refused
            quota = {"requests.cpu": "40", "requests.memory": "64Gi", "limits.memory": "64Gi", "pods": "30"}
            self.plane.apply(
                {
                    "apiVersion": "v1",
                    "kind": "Namespace",
                    "metadata": {"name": namespace, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}},
                },
                {
                    "apiVersion": "v1",
                    "kind": "ResourceQuota",
                    "metadata": {"name": "share", "namespace": namespace},
                    "spec": {"hard": quota},
                },
            )
        # no chart creates the claim of the proving keys
        self.plane.apply(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "metadata": {"name": "solidus-proving-keys", "namespace": OPERATOR},
                "spec": {"accessModes": ["ReadOnlyMany"], "resources": {"requests": {"storage": "10Gi"}}},
            }
        )

    def install(self):
        done = self.upgrade({})
        self.check(
            "helm install --wait: deployed", self.revision() == (1, "deployed"), done.stderr[-2000:] + self.unready()
        )
        version = json.loads(self.plane.kubectl("get", "--raw", "/version").stdout)["gitVersion"]
        nodes = self.plane.get("nodes")["items"]
        kinds = [n["metadata"]["labels"]["node.kubernetes.io/instance-type"] for n in nodes]
        nodes = f"{kinds.count('m5.8xlarge')} simulated m5.8xlarge, {kinds.count('m5.2xlarge')} m5.2xlarge"
        print(f"           API server {version}; {nodes}", flush=True)
        for kind in (
            "certificates.cert-manager.io",
            "clusters.postgresql.cnpg.io",
            "servicemonitors.monitoring.coreos.com",
            "prometheusrules.monitoring.coreos.com",
        ):
            there = self.plane.get(kind, "-A")["items"]
            self.check(f"{len(there)} {kind} accepted by their CRDs", len(there) >= self.n)
        sizes = [
            len(base64.b64decode(s["data"]["release"]))
            for s in self.plane.get("secrets", "-n", "solidus-pilot", "-l", "owner=helm")["items"]
        ]
        self.check(
            f"the release fits into a secret: {max(sizes, default=0) // 1024} KiB of 1024",
            sizes and max(sizes) < 900 * 1024,
            str(sizes),
        )

    def unready(self):
        waiting = []
        for p in self.plane.get("pods", "-A")["items"]:
            for c in p.get("status", {}).get("conditions", []):
                if c["status"] != "True" and c.get("message"):
                    waiting.append(f"{p['metadata']['name']}: {c['message']}")
        events = [e["message"] for e in self.plane.get("events", "-A")["items"] if e["type"] == "Warning"]
        return "\n".join(waiting[:8] + sorted(set(events))[:12])

    def admission(self):
        pod = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "intruder", "namespace": self.authorities[0]},
            "spec": {
                "containers": [
                    {
                        "name": "c",
                        "image": "x",
                        "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
                    }
                ]
            },
        }
        done = self.plane.apply(pod, check=False)
        self.check(
            "PodSecurity refuses a pod that is not restricted",
            done.returncode and 'violates PodSecurity "restricted' in done.stderr,
            done.stderr,
        )
        restricted = {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        }
        pod["spec"]["containers"][0]["securityContext"] = restricted
        good = self.plane.kubectl("create", "--dry-run=server", "-f", "-", stdin=yaml.safe_dump(pod), check=False)
        self.check("PodSecurity admits a restricted pod", good.returncode == 0, good.stderr)
        pod["spec"]["containers"][0]["resources"] = {
            "requests": {"cpu": "30", "memory": "1Gi"},
            "limits": {"memory": "1Gi"},
        }
        done = self.plane.apply(pod, check=False)
        self.check(
            "the quota refuses a pod that exceeds it",
            done.returncode and "exceeded quota: share" in done.stderr,
            done.stderr,
        )
        del pod["spec"]["containers"][0]["resources"]
        done = self.plane.apply(pod, check=False)
        self.check(
            "the quota refuses a pod without requests",
            done.returncode and "must specify" in done.stderr,
            done.stderr,
        )
        used = self.plane.get("resourcequota", "share", "-n", self.authorities[0])["status"]["used"]
        self.check(
            f"the quota counts the pods of the release: {used['pods']} pods, {used['requests.cpu']} CPUs",
            used["pods"] == str(len(self.pods(self.authorities[0]))) and used["pods"] != "0",
            str(used),
        )

    def placement(self):
        # helm does not wait until the autoscalers reach their minimum
        self.plane.await_true(
            "two gateways and provers are ready",
            lambda: all(
                sum(
                    c["type"] == "Ready" and c["status"] == "True"
                    for p in self.pods(OPERATOR, name)
                    for c in p["status"].get("conditions", [])
                )
                == 2
                for name in ("gateway", "prover")
            ),
            PATIENCE,
        )
        zone_of = {n["metadata"]["name"]: n["metadata"]["labels"] for n in self.plane.get("nodes")["items"]}
        for i, namespace in enumerate(self.authorities, 1):
            for p in self.pods(namespace):
                if zone_of[p["spec"]["nodeName"]].get("solidus.io/authority") != str(i):
                    self.check("the pods of an authority are on its own nodes", False, p["metadata"]["name"])
                    return
        self.check(
            "the pods of each authority are on its own nodes, all m5.8xlarge",
            all(
                zone_of[p["spec"]["nodeName"]]["node.kubernetes.io/instance-type"] == "m5.8xlarge"
                for ns in self.authorities
                for p in self.pods(ns)
            ),
        )
        for namespace, name in [(ns, c) for ns in self.authorities for c in ("shard", "compliance-issuer")] + [
            (OPERATOR, "gateway"),
            (OPERATOR, "prover"),
        ]:
            on = [p["spec"]["nodeName"] for p in self.pods(namespace, name)]
            zones = {zone_of[n]["topology.kubernetes.io/zone"] for n in on}
            if len(on) < 2 or len(set(on)) != len(on) or len(zones) != min(len(on), 3):
                self.check("replicas are spread", False, f"{namespace}/{name}: {on}")
                return
        self.check("replicas are on different nodes in different zones: shards, issuers, gateways, provers", True)
        claims = self.logs()
        self.check(
            f"{len(claims)} claims are bound: sign-log and anchor of each signer",
            len(claims) == 2 * self.n and all(c["status"]["phase"] == "Bound" for c in claims),
        )

    def change(self):
        before = {p["metadata"]["name"]: p["metadata"]["uid"] for p in self.pods(self.authorities[0], "shard")}
        fewest, stop = [99], threading.Event()

        def watch():
            while not stop.wait(0.3):
                ready = sum(
                    any(c["type"] == "Ready" and c["status"] == "True" for c in p["status"].get("conditions", []))
                    for p in self.pods(self.authorities[0], "shard")
                )
                fewest[0] = min(fewest[0], ready)

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            done = self.upgrade({"a1": {"shards": {"batch": {"max": 128}}}})
        finally:
            stop.set()
            watcher.join()
        self.check("helm upgrade of a value: deployed", self.revision() == (2, "deployed"), done.stderr[-2000:])
        after = {p["metadata"]["name"]: p["metadata"]["uid"] for p in self.pods(self.authorities[0], "shard")}
        self.check(
            "every shard of the authority was replaced by a pod with its name",
            set(before) == set(after) and not set(before.values()) & set(after.values()),
            f"{before} {after}",
        )
        self.check(
            f"one at a time: never fewer than {len(before) - 1} of {len(before)} ready",
            fewest[0] == len(before) - 1,
            str(fewest),
        )
        others = self.plane.get("controllerrevisions", "-n", self.authorities[1])["items"]
        self.check("the pods of other authorities were not replaced", len(others) == 2, f"{len(others)} revisions")

    def grow(self):
        done = self.upgrade(GROWN)
        self.check("upgrade with a split: deployed", self.revision() == (3, "deployed"), done.stderr[-2000:])
        self.check(
            "the authority has a third shard",
            self.replicas() == 3 and len(self.pods(self.authorities[0], "shard")) == 3,
        )
        job = self.plane.get("job", "-n", self.authorities[0], "authority-1-split-2")
        new = next(p for p in self.pods(self.authorities[0], "shard") if p["metadata"]["name"].endswith("-2"))
        ready = next(c["lastTransitionTime"] for c in new["status"]["conditions"] if c["type"] == "Ready")
        self.check(
            "the job of the split started after the new shard was ready, and succeeded",
            job["metadata"]["creationTimestamp"] >= ready and job["status"].get("succeeded") == 1,
            json.dumps(job["status"]),
        )

    def roll_back(self):
        rules = [
            r["status"].get("typeChecking", {})
            for r in self.plane.get("validatingadmissionpolicies", "-l", "app.kubernetes.io/part-of=solidus")["items"]
        ]
        self.check(
            "the API server has no warning about the admission policies of the shards",
            len(rules) == self.n and not any(r.get("expressionWarnings") for r in rules),
            str(rules),
        )
        done = self.helm("rollback", "pilot", "2", "--wait", "--timeout", TIMEOUT)
        self.check(
            "rollback to a revision before the split: refused by the API server",
            done.returncode and "a removed shard takes its range" in done.stderr,
            done.stderr + done.stdout,
        )
        self.check(
            "three shards still exist", self.replicas() == 3 and len(self.pods(self.authorities[0], "shard")) == 3
        )
        for what, command in {
            "kubectl scale": ("scale", "--replicas=2", "statefulset/authority-1-shard"),
            "kubectl patch": (
                "patch",
                "statefulset/authority-1-shard",
                "--type=merge",
                "-p",
                '{"spec":{"replicas":1}}',
            ),
        }.items():
            done = self.plane.kubectl("-n", self.authorities[0], *command, check=False)
            self.check(
                f"{what} to fewer shards: refused",
                done.returncode and "takes its range" in done.stderr,
                done.stderr + done.stdout,
            )
        done = self.upgrade({})
        self.check(
            "upgrade to fewer shards: refused by the chart",
            done.returncode and "shards.splits only grows" in done.stderr,
            done.stderr[-1000:],
        )
        good = self.upgrade(GROWN)
        forward, status = self.revision()
        self.check("an upgrade with the split: deployed", status == "deployed", good.stderr[-2000:])
        self.upgrade(merged(GROWN, {"a1": {"shards": {"batch": {"max": 64}}}}))
        changed = "solidus.validator.batch.max: 64" in self.shard_config()
        done = self.helm("rollback", "pilot", str(forward), "--wait", "--timeout", TIMEOUT)
        self.check(
            "rollback of a value with the same shards: deployed",
            changed
            and done.returncode == 0
            and self.revision()[1] == "deployed"
            and "batch.max: 64" not in self.shard_config()
            and self.replicas() == 3,
            done.stderr,
        )

    def shard_config(self):
        data = self.plane.get("configmap", "-n", self.authorities[0], "authority-1-shard")["data"]
        return data["solidus-validator.yml"]

    def evictions(self):
        namespace = self.authorities[0]
        self.plane.await_true(
            "the disruption budget allows one eviction",
            lambda: self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1,
            PATIENCE,
        )

        def evict(name):
            body = json.dumps(
                {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": namespace}}
            )
            path = f"/api/v1/namespaces/{namespace}/pods/{name}/eviction"
            return self.plane.kubectl("create", "--raw", path, "-f", "-", stdin=body, check=False)

        first, second, third = evict("authority-1-shard-0"), evict("authority-1-shard-1"), evict("authority-1-signer-0")
        self.check("the eviction of a shard is allowed", first.returncode == 0, first.stderr)
        self.check(
            "the eviction of a second shard at the same time is refused (429)",
            second.returncode and "disruption budget" in second.stderr,
            second.stderr,
        )
        self.check(
            "the eviction of the signer is refused too: one budget for the whole authority",
            third.returncode and "disruption budget" in third.stderr,
            third.stderr,
        )
        self.plane.await_true(
            "the shard is ready again",
            lambda: (
                self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1
                and len(self.pods(namespace, "shard")) == 3
            ),
            PATIENCE,
        )
        again = evict("authority-1-shard-1")
        self.check("after that the eviction of the next shard is allowed", again.returncode == 0, again.stderr)
        self.plane.await_true(
            "the second shard is ready again",
            lambda: self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1,
            PATIENCE,
        )

    def recovery(self):
        """The steps to restore an authority's database, and the wrong steps that the charts refuse."""
        namespace, volumes, database = self.authorities[0], self.claims(), self.databases()
        early = self.upgrade(merged(GROWN, RECOVERS))
        self.check(
            "a recovery beside running shards: refused by the chart",
            early.returncode and "shards still run" in early.stderr,
            early.stderr[-1000:],
        )
        early = self.upgrade(merged(GROWN, {"a1": {"signer": {"recover": {"enabled": True}}}}))
        self.check(
            "a recovery of an authority that is not stopped: refused by the chart",
            early.returncode and "stopped first" in early.stderr,
            early.stderr[-1000:],
        )
        self.check("three shards still run", self.replicas() == 3 and len(self.pods(namespace, "shard")) == 3)

        done = self.upgrade(merged(GROWN, STOPPED))
        self.check("stop: deployed", done.returncode == 0 and self.revision()[1] == "deployed", done.stderr[-2000:])
        self.check_stopped(namespace, volumes, database)
        self.stays_stopped(namespace)

        made = []
        for _ in range(2):
            done = self.upgrade(merged(GROWN, RECOVERS))
            job = self.plane.get("job", "-n", namespace, "authority-1-recover")
            made.append(job["metadata"]["uid"])
            if done.returncode or job["status"].get("succeeded") != 1:
                self.check("the job of the recovery", False, done.stderr[-2000:] + json.dumps(job["status"]))
                return
        pod = next(p for p in self.pods(namespace, "recover") if p["metadata"]["ownerReferences"][0]["uid"] == made[-1])
        mounted = {
            v["persistentVolumeClaim"]["claimName"] for v in pod["spec"]["volumes"] if "persistentVolumeClaim" in v
        }
        self.check(
            "the job of the recovery was admitted and had the signer's volumes; the same command created it again",
            len(set(made)) == 2
            and mounted == {"sign-log-authority-1-signer-0", "anchor-authority-1-signer-0"}
            and pod["spec"].get("nodeName"),
            str(made) + str(mounted),
        )
        self.check_stopped(namespace, volumes, database)

        done = self.upgrade(GROWN)
        self.check(
            "start: deployed, with every shard, the signer and the issuer",
            done.returncode == 0
            and self.replicas() == 3
            and [len(self.pods(namespace, c)) for c in ("shard", "signer", "compliance-issuer")] == [3, 1, 2],
            done.stderr[-2000:],
        )
        self.check(
            "the signer has its volumes and its database again",
            self.claims() == volumes and self.databases() == database,
        )

    def check_stopped(self, namespace, volumes, database):
        self.plane.await_true(
            "the pods are gone",
            lambda: not any(self.pods(namespace, c) for c in ("shard", "signer", "compliance-issuer")),
            PATIENCE,
        )
        self.check(
            "no pod of the authority runs; its volumes and its database exist, its disruption budget does not",
            self.replicas() == 0
            and self.claims() == volumes
            and self.databases() == database
            and not self.plane.get("pdb", "-n", namespace)["items"],
        )

    def stays_stopped(self, namespace):
        by_hand = {
            "kubectl scale": ("scale", "--replicas=3", "statefulset/authority-1-shard"),
            "kubectl scale to fewer": ("scale", "--replicas=2", "statefulset/authority-1-shard"),
            "kubectl patch": (
                "patch",
                "statefulset/authority-1-shard",
                "--type=merge",
                "-p",
                '{"spec":{"replicas":3}}',
            ),
        }
        for what, command in by_hand.items():
            done = self.plane.kubectl("-n", namespace, *command, check=False)
            self.check(
                f"stopped: {what} is refused, and the message says how to start the authority",
                done.returncode and "the chart starts its shards again" in done.stderr,
                done.stderr + done.stdout,
            )
        done = self.plane.kubectl(
            "-n", namespace, "annotate", "statefulset/authority-1-shard", "solidus.io/shards-", check=False
        )
        self.check(
            "stopped: removing the number of shards is refused",
            done.returncode and "has 3 shards and would keep 0" in done.stderr,
            done.stderr + done.stdout,
        )
        done = self.upgrade(STOPPED)
        self.check(
            "stopped: an upgrade to fewer shards is refused by the chart",
            done.returncode and "has 3 shards and this release wants 2" in done.stderr,
            done.stderr[-1000:],
        )
        done = self.helm("rollback", "pilot", "2", "--wait", "--timeout", TIMEOUT)
        self.check(
            "stopped: a rollback to a revision before the split is refused by the API server",
            done.returncode and "has 3 shards and would keep 2" in done.stderr,
            done.stderr[-1000:],
        )
        # the rest of the release was rolled back, so the signer runs again; it audits its log when it starts
        done = self.upgrade(merged(GROWN, STOPPED))
        self.check(
            "stopped: the same command stops the authority again",
            done.returncode == 0 and self.replicas() == 0,
            done.stderr[-2000:],
        )
        self.plane.await_true(
            "the pods are gone again",
            lambda: not any(self.pods(namespace, c) for c in ("shard", "signer", "compliance-issuer")),
            PATIENCE,
        )

    def payment_test(self):
        on = {"operator": {"paymentTest": {"enabled": True, "payerAddress": "sld1payer", "payeeAddress": "sld1payee"}}}
        done = self.upgrade(merged(GROWN, on))
        test = self.helm("test", "pilot", "--timeout", TIMEOUT)
        pod = self.plane.get("pod", "-n", OPERATOR, "payment-test")
        steps = len(pod["spec"]["initContainers"]) + len(pod["spec"]["containers"])
        self.check(
            "helm test: its pod was admitted (restricted, quota) and scheduled; kwok makes no payment",
            done.returncode == 0 and test.returncode == 0 and pod["status"]["phase"] == "Succeeded" and steps == 6,
            test.stderr + done.stderr[-500:],
        )

    def remove(self):
        volumes, databases = self.claims(), self.databases()
        done = self.helm("uninstall", "pilot", "--wait", "--timeout", TIMEOUT)
        self.check(
            "helm uninstall leaves every sign-log and anchor",
            done.returncode == 0 and self.claims() == volumes and len(volumes) == 2 * self.n,
            done.stderr,
        )
        closed = {
            p["metadata"]["namespace"]: p["spec"]["podSelector"]
            for p in self.plane.get("networkpolicies", "-A")["items"]
        }
        self.check(
            "helm uninstall leaves every database with its network policy, and no other object of an authority",
            self.databases() == databases
            and len(databases) == self.n
            and sorted(closed) == sorted(self.authorities)
            and all(s["matchLabels"]["app.kubernetes.io/name"] == "database" for s in closed.values())
            and not any(
                self.plane.get(
                    "statefulsets,deployments,configmaps", "-n", a, "-l", "app.kubernetes.io/part-of=solidus"
                )["items"]
                for a in self.authorities
            ),
            str(closed),
        )
        done = self.upgrade(GROWN)
        self.check(
            "installed again under its name: deployed, with the same volumes and databases",
            done.returncode == 0
            and self.revision() == (1, "deployed")
            and self.claims() == volumes
            and self.databases() == databases,
            done.stderr[-2000:],
        )


GROWN = {"a1": {"shards": {"splits": [{"shard": 0, "newShard": 2}]}}}
STOPPED = {"a1": {"authority": {"stopped": True}}}
RECOVERS = {"a1": {"authority": {"stopped": True}, "signer": {"recover": {"enabled": True}}}}


def merged(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return {
            k: merged(one[k], other[k]) if k in one and k in other else one.get(k, other.get(k))
            for k in {**one, **other}
        }
    return other


def main():
    n, binaries, etcd, helm, kwok, *crds = sys.argv[1:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-simulate-"))
    plane = None
    try:
        plane = SimulatedCluster(binaries, etcd, folder, stages(kwok))
        plane.up()
        s = Simulation(int(n), plane, helm, crds, folder)
        s.prepare()
        for step in (
            s.install,
            s.admission,
            s.placement,
            s.change,
            s.grow,
            s.roll_back,
            s.evictions,
            s.recovery,
            s.payment_test,
            s.remove,
        ):
            plane.alive()
            step()
        print(f"simulate: {s.check.passed} passed, {s.check.failed} failed")
        return 1 if s.check.failed else 0
    except (RuntimeError, subprocess.TimeoutExpired, OSError) as failure:
        print(f"simulate: FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        if plane:
            plane.stop()
        if os.environ.get("SIMULATE_KEEP"):
            print("kept:", folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
