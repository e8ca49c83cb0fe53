#!/usr/bin/env python3
"""Installs, upgrades, grows and rolls back a pilot on a real Kubernetes API server with simulated m5.8xlarge nodes, and checks what the server,
its controllers and its scheduler made of it. No process of ours runs and no volume holds anything: see boot.py for that.

usage: simulate.py N BINARIES ETCD HELM KWOK_MODULE CRD_FOLDER...
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

from control_plane import ZONES, ControlPlane, stages

CHARTS = pathlib.Path(__file__).resolve().parents[1]
OPERATOR = "solidus-operator"
TIMEOUT = "8m"


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

    def helm(self, *args, values=None):
        command = [self.helm_path, "--kubeconfig", str(self.plane.kubeconfig), "-n", "solidus-pilot", *args]
        if values is not None:
            file = self.folder / f"values-{time.monotonic_ns()}.yaml"
            file.write_text(yaml.safe_dump(values))
            command += ["-f", str(CHARTS / "solidus-pilot/ci/test-values.yaml"), "-f", str(self.values), "-f", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
        return done

    def upgrade(self, values, *more):
        return self.helm("upgrade", "--install", "pilot", str(CHARTS / "solidus-pilot"), "--create-namespace", "--wait", "--timeout", TIMEOUT, *more, values=values)

    def revision(self):
        listed = json.loads(self.helm("list", "-a", "-o", "json").stdout)
        return (int(listed[0]["revision"]), listed[0]["status"]) if listed else (0, "")

    def pods(self, namespace, name=None):
        selector = ["-l", f"app.kubernetes.io/name={name}"] if name else []
        return [p for p in self.plane.get("pods", "-n", namespace, *selector)["items"] if not p["metadata"].get("deletionTimestamp")]

    def replicas(self, namespace="solidus-authority-1", name="authority-1-shard"):
        return self.plane.get("statefulset", "-n", namespace, name)["spec"]["replicas"]

    def logs(self):
        return [c for c in self.plane.get("pvc", "-A")["items"] if c["metadata"]["name"].startswith(("sign-log-", "anchor-"))]

    # what is there before the release

    def prepare(self):
        for folder in self.crds:
            files = [f.read_text() for f in sorted(pathlib.Path(folder).glob("*.yaml"))]
            # labels that the maker's own chart fills in
            text = re.sub(r"'?\{\{[^}]*\}\}'?", "template", "\n---\n".join(f for f in files if "kind: CustomResourceDefinition" in f))
            self.plane.kubectl("apply", "--server-side", "-f", "-", stdin=text)
        self.plane.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
        placement = {}
        for i in range(1, self.n + 1):
            for zone in ZONES:
                self.plane.node(f"authority-{i}-{zone}", "m5.8xlarge", zone, {"solidus.io/authority": str(i)}, str(i))
            where = {"nodeSelector": {"solidus.io/authority": str(i)}, "tolerations": [{"key": "solidus.io/authority", "operator": "Equal", "value": str(i), "effect": "NoSchedule"}]}
            placement[f"a{i}"] = {"authority": {"index": i}, "shards": where, "signer": where, "complianceIssuer": where}
        for zone in ZONES:
            self.plane.node(f"operator-{zone}", "m5.2xlarge", zone, {"solidus.io/operator": "true"}, None)
        self.values.write_text(yaml.safe_dump({**placement, "global": {"authorities": {f"a{i}": i <= self.n for i in range(1, 11)}}}))
        for namespace in (OPERATOR, *self.authorities):
            # the most of what the charts ask for, and a pod that asks for nothing in particular is refused
            quota = {"requests.cpu": "40", "requests.memory": "64Gi", "limits.memory": "64Gi", "pods": "30"}
            self.plane.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}},
                             {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "share", "namespace": namespace}, "spec": {"hard": quota}})
        # the volume of proving keys, which no chart makes
        self.plane.apply({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "solidus-proving-keys", "namespace": OPERATOR},
                          "spec": {"accessModes": ["ReadOnlyMany"], "resources": {"requests": {"storage": "10Gi"}}}})

    # the steps

    def install(self):
        done = self.upgrade({})
        self.check("helm install --wait: deployed", self.revision() == (1, "deployed"), done.stderr[-2000:] + self.unready())
        version = json.loads(self.plane.kubectl("get", "--raw", "/version").stdout)["gitVersion"]
        nodes = self.plane.get("nodes")["items"]
        kinds = [n["metadata"]["labels"]["node.kubernetes.io/instance-type"] for n in nodes]
        print(f"           API server {version}; {kinds.count('m5.8xlarge')} simulated m5.8xlarge, {kinds.count('m5.2xlarge')} m5.2xlarge", flush=True)
        for kind in ("certificates.cert-manager.io", "clusters.postgresql.cnpg.io", "servicemonitors.monitoring.coreos.com", "prometheusrules.monitoring.coreos.com"):
            there = self.plane.get(kind, "-A")["items"]
            self.check(f"{len(there)} {kind} accepted by their definitions", len(there) >= self.n)
        sizes = [len(base64.b64decode(s["data"]["release"])) for s in self.plane.get("secrets", "-n", "solidus-pilot", "-l", "owner=helm")["items"]]
        self.check(f"the release fits into a secret: {max(sizes, default=0) // 1024} KiB of 1024", sizes and max(sizes) < 900 * 1024, str(sizes))

    def unready(self):
        waiting = []
        for p in self.plane.get("pods", "-A")["items"]:
            for c in p.get("status", {}).get("conditions", []):
                if c["status"] != "True" and c.get("message"):
                    waiting.append(f"{p['metadata']['name']}: {c['message']}")
        events = [e["message"] for e in self.plane.get("events", "-A")["items"] if e["type"] == "Warning"]
        return "\n".join(waiting[:8] + sorted(set(events))[:12])

    def admission(self):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "intruder", "namespace": self.authorities[0]}, "spec": {
            "containers": [{"name": "c", "image": "x", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}}]}}
        done = self.plane.apply(pod, check=False)
        self.check("PodSecurity refuses a pod that is not restricted", done.returncode and 'violates PodSecurity "restricted' in done.stderr, done.stderr)
        restricted = {"allowPrivilegeEscalation": False, "runAsNonRoot": True, "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
        pod["spec"]["containers"][0]["securityContext"] = restricted
        good = self.plane.kubectl("create", "--dry-run=server", "-f", "-", stdin=yaml.safe_dump(pod), check=False)
        self.check("and lets one through that is", good.returncode == 0, good.stderr)
        pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "30", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}
        done = self.plane.apply(pod, check=False)
        self.check("the quota refuses a pod beyond it", done.returncode and "exceeded quota: share" in done.stderr, done.stderr)
        del pod["spec"]["containers"][0]["resources"]
        done = self.plane.apply(pod, check=False)
        self.check("the quota refuses a pod that does not say what it needs", done.returncode and "must specify" in done.stderr, done.stderr)
        used = self.plane.get("resourcequota", "share", "-n", self.authorities[0])["status"]["used"]
        self.check(f"the release's pods were counted: {used['pods']} pods, {used['requests.cpu']} processors", used["pods"] == str(len(self.pods(self.authorities[0]))) and used["pods"] != "0", str(used))

    def placement(self):
        # an autoscaler's lower bound is its own work, which a release does not wait for
        self.plane.await_true("two gateways and provers are ready", lambda: all(
            sum(c["type"] == "Ready" and c["status"] == "True" for p in self.pods(OPERATOR, name) for c in p["status"].get("conditions", [])) == 2 for name in ("gateway", "prover")), 90)
        zone_of = {n["metadata"]["name"]: n["metadata"]["labels"] for n in self.plane.get("nodes")["items"]}
        for i, namespace in enumerate(self.authorities, 1):
            for p in self.pods(namespace):
                if zone_of[p["spec"]["nodeName"]].get("solidus.io/authority") != str(i):
                    self.check("an authority's pods are on its own nodes", False, p["metadata"]["name"])
                    return
        self.check("each authority's pods are on its own nodes, m5.8xlarge all", all(zone_of[p["spec"]["nodeName"]]["node.kubernetes.io/instance-type"] == "m5.8xlarge"
                                                                                for ns in self.authorities for p in self.pods(ns)))
        for namespace, name in [(ns, c) for ns in self.authorities for c in ("shard", "compliance-issuer")] + [(OPERATOR, "gateway"), (OPERATOR, "prover")]:
            on = [p["spec"]["nodeName"] for p in self.pods(namespace, name)]
            zones = {zone_of[n]["topology.kubernetes.io/zone"] for n in on}
            if len(on) < 2 or len(set(on)) != len(on) or len(zones) != min(len(on), 3):
                self.check("pods of a kind are spread", False, f"{namespace}/{name}: {on}")
                return
        self.check("pods of a kind are on different nodes in different zones: shards, issuers, gateways, provers", True)
        claims = self.logs()
        self.check(f"{len(claims)} claims bound, sign-log and anchor of each signer", len(claims) == 2 * self.n and all(c["status"]["phase"] == "Bound" for c in claims))

    def change(self):
        before = {p["metadata"]["name"]: p["metadata"]["uid"] for p in self.pods(self.authorities[0], "shard")}
        fewest, stop = [99], threading.Event()

        def watch():
            while not stop.wait(0.3):
                ready = sum(any(c["type"] == "Ready" and c["status"] == "True" for c in p["status"].get("conditions", [])) for p in self.pods(self.authorities[0], "shard"))
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
        self.check("every shard of the authority was replaced under its name", set(before) == set(after) and not set(before.values()) & set(after.values()), f"{before} {after}")
        self.check(f"one at a time: never fewer than {len(before) - 1} of {len(before)} ready", fewest[0] == len(before) - 1, str(fewest))
        others = self.plane.get("controllerrevisions", "-n", self.authorities[1])["items"]
        self.check("other authorities' pods stayed", len(others) == 2, f"{len(others)} revisions")

    def grow(self):
        done = self.upgrade(GROWN)
        self.check("upgrade with a split: deployed", self.revision() == (3, "deployed"), done.stderr[-2000:])
        self.check("the authority has a third shard", self.replicas() == 3 and len(self.pods(self.authorities[0], "shard")) == 3)
        job = self.plane.get("job", "-n", self.authorities[0], "authority-1-split-2")
        new = next(p for p in self.pods(self.authorities[0], "shard") if p["metadata"]["name"].endswith("-2"))
        ready = next(c["lastTransitionTime"] for c in new["status"]["conditions"] if c["type"] == "Ready")
        self.check("the hand-over's job began after the new shard was ready, and ended", job["metadata"]["creationTimestamp"] >= ready and job["status"].get("succeeded") == 1, json.dumps(job["status"]))

    def back(self):
        done = self.helm("rollback", "pilot", "2", "--wait", "--timeout", "2m")
        self.check("rollback beyond the split: refused by the API server", done.returncode and "takes its range of serial numbers with it" in done.stderr, done.stderr + done.stdout)
        self.check("and three shards are there", self.replicas() == 3 and len(self.pods(self.authorities[0], "shard")) == 3)
        for what, command in {"kubectl scale": ("scale", "--replicas=2", "statefulset/authority-1-shard"),
                              "kubectl patch": ("patch", "statefulset", "authority-1-shard", "--type=merge", "-p", '{"spec":{"replicas":1}}')}.items():
            done = self.plane.kubectl("-n", self.authorities[0], *command, check=False)
            self.check(f"{what} to fewer shards: refused", done.returncode and "takes its range" in done.stderr, done.stderr + done.stdout)
        done = self.upgrade({})
        self.check("upgrade to fewer shards: refused before anything is sent", done.returncode and "shards.splits only grows" in done.stderr, done.stderr[-1000:])
        good = self.upgrade(GROWN)
        forward, status = self.revision()
        self.check("the way on is forward: an upgrade with the split", status == "deployed", good.stderr[-2000:])
        self.upgrade(merged(GROWN, {"a1": {"shards": {"batch": {"max": 64}}}}))
        config = self.plane.get("configmap", "-n", self.authorities[0], "authority-1-shard")["data"]["solidus-validator.yml"]
        changed = "solidus.validator.batch.max: 64" in config
        done = self.helm("rollback", "pilot", str(forward), "--wait", "--timeout", TIMEOUT)
        config = self.plane.get("configmap", "-n", self.authorities[0], "authority-1-shard")["data"]["solidus-validator.yml"]
        self.check("rollback of a value with the same shards goes through", changed and done.returncode == 0 and self.revision()[1] == "deployed"
                   and "batch.max: 64" not in config and self.replicas() == 3, done.stderr)

    def evictions(self):
        namespace = self.authorities[0]
        self.plane.await_true("the budget allows one", lambda: self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1, 60)

        def evict(name):
            body = json.dumps({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": namespace}})
            return self.plane.kubectl("create", "--raw", f"/api/v1/namespaces/{namespace}/pods/{name}/eviction", "-f", "-", stdin=body, check=False)

        first, second, third = evict("authority-1-shard-0"), evict("authority-1-shard-1"), evict("authority-1-signer-0")
        self.check("an eviction of a shard goes through", first.returncode == 0, first.stderr)
        self.check("a second shard's is refused meanwhile (429)", second.returncode and "disruption budget" in second.stderr, second.stderr)
        self.check("and so is the signer's: one budget for the whole authority", third.returncode and "disruption budget" in third.stderr, third.stderr)
        self.plane.await_true("the shard is back", lambda: self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1
                              and len(self.pods(namespace, "shard")) == 3, 60)
        again = evict("authority-1-shard-1")
        self.check("once it is back, the next one may go", again.returncode == 0, again.stderr)
        self.plane.await_true("the second shard is back", lambda: self.plane.get("pdb", "-n", namespace, "authority-1")["status"].get("disruptionsAllowed") == 1, 60)

    def payment_test(self):
        on = {"operator": {"paymentTest": {"enabled": True, "payerAddress": "sld1payer", "payeeAddress": "sld1payee"}}}
        done = self.upgrade(merged(GROWN, on))
        test = self.helm("test", "pilot", "--timeout", "2m")
        pod = self.plane.get("pod", "-n", OPERATOR, "payment-test")
        steps = len(pod["spec"]["initContainers"]) + len(pod["spec"]["containers"])
        self.check("helm test: its pod was admitted (restricted, quota), scheduled, and ended as kwok ends it; no payment was made here",
                   done.returncode == 0 and test.returncode == 0 and pod["status"]["phase"] == "Succeeded" and steps == 6, test.stderr + done.stderr[-500:])

    def remove(self):
        done = self.helm("uninstall", "pilot", "--wait", "--timeout", "3m")
        claims = self.logs()
        self.check("helm uninstall leaves every sign-log and anchor", done.returncode == 0 and len(claims) == 2 * self.n, done.stderr + str(len(claims)))


GROWN = {"a1": {"shards": {"splits": [{"shard": 0, "newShard": 2}]}}}


def merged(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return {k: merged(one[k], other[k]) if k in one and k in other else one.get(k, other.get(k)) for k in {**one, **other}}
    return other


def main():
    n, binaries, etcd, helm, kwok, *crds = sys.argv[1:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-simulate-"))
    plane = None
    try:
        plane = ControlPlane(binaries, etcd, stages(kwok), folder)
        plane.up()
        s = Simulation(int(n), plane, helm, crds, folder)
        s.prepare()
        for step in (s.install, s.admission, s.placement, s.change, s.grow, s.back, s.evictions, s.payment_test, s.remove):
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
