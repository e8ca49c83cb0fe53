#!/usr/bin/env python3
"""Runs a cluster of real nodes on this machine: six in three zones, with containerd, kubelet, kube-proxy and CoreDNS.

usage: kubelet.py BINARIES ETCD PACKAGES MANIFESTS OPERATOR [--json FILE]

MANIFESTS are those of a pilot, OPERATOR those of CloudNativePG.

It needs root. What it starts, mounts and connects ends with it; at the end it looks for what is left.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import databases
from control_plane import ZONES
from nodes import COREDNS, DNS, SHELL, Machine, RealCluster, hide

PATIENCE = 300
RESTRICTED = {
    "securityContext": {
        "runAsNonRoot": True,
        "runAsUser": 65532,
        "fsGroup": 65532,
        "seccompProfile": {"type": "RuntimeDefault"},
    },
}
CONTAINER = {
    "image": SHELL,
    "imagePullPolicy": "Never",
    "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"memory": "64Mi"}},
    "securityContext": {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    },
}


class Report:
    """Steps by name, printed as they end."""

    def __init__(self):
        self.steps = []

    def __call__(self, name, good, detail=""):
        self.steps.append({"name": name, "ok": bool(good), "detail": str(detail)})
        print(f"  {'passed' if good else 'FAILED'}   {name}" + (f": {detail}" if detail else ""), flush=True)

    @property
    def ok(self):
        return bool(self.steps) and all(s["ok"] for s in self.steps)


def labelled(kind, version, name, spec, namespace="default"):
    metadata = {"name": name, "namespace": namespace, "labels": {"app": name}}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def pod(name, script, volumes=(), mounts=(), **container):
    run = {"name": name, **CONTAINER, "command": ["/bin/sh", "-c", script], **container}
    if mounts:
        run["volumeMounts"] = list(mounts)
    return {
        "metadata": {"labels": {"app": name}},
        "spec": {
            **RESTRICTED,
            "containers": [run],
            "terminationGracePeriodSeconds": 1,
            **({"volumes": list(volumes)} if volumes else {}),
        },
    }


def coredns():
    """As in the manifests of its makers, on a port that needs no right."""
    corefile = ".:1053 {\n errors\n health :8080\n ready :8181\n kubernetes cluster.local in-addr.arpa {\n  pods verified\n }\n cache 5\n loadbalance\n}\n"
    rules = [
        {"apiGroups": [""], "resources": ["endpoints", "services", "pods", "namespaces"], "verbs": ["list", "watch"]},
        {"apiGroups": ["discovery.k8s.io"], "resources": ["endpointslices"], "verbs": ["list", "watch"]},
    ]
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "coredns"}
    template = pod(
        "coredns",
        "",
        [{"name": "config", "configMap": {"name": "coredns"}}],
        [{"name": "config", "mountPath": "/etc/coredns"}],
    )
    container = template["spec"]["containers"][0]
    del container["command"]
    container.update(
        image=COREDNS,
        args=["-conf", "/etc/coredns/Corefile"],
        readinessProbe={"httpGet": {"path": "/ready", "port": 8181}, "periodSeconds": 2},
    )
    template["spec"].update(serviceAccountName="coredns", dnsPolicy="Default", **spread("coredns"))
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "coredns", "namespace": "kube-system"}},
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "coredns"},
            "rules": rules,
        },
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "coredns"},
            "roleRef": role,
            "subjects": [{"kind": "ServiceAccount", "name": "coredns", "namespace": "kube-system"}],
        },
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "coredns", "namespace": "kube-system"},
            "data": {"Corefile": corefile},
        },
        labelled(
            "Deployment",
            "apps/v1",
            "coredns",
            {"replicas": 2, "selector": {"matchLabels": {"app": "coredns"}}, "template": template},
            namespace="kube-system",
        ),
        labelled(
            "Service",
            "v1",
            "kube-dns",
            {
                "clusterIP": DNS,
                "selector": {"app": "coredns"},
                "ports": [{"name": p.lower(), "port": 53, "targetPort": 1053, "protocol": p} for p in ("UDP", "TCP")],
            },
            namespace="kube-system",
        ),
    ]


def spread(name):
    selector = {"matchLabels": {"app": name}}
    return {
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": selector,
            }
        ]
    }


class Cluster:
    """The steps, on a cluster that is up."""

    def __init__(self, real, report):
        self.real, self.report = real, report

    def until(self, what, condition, seconds=PATIENCE):
        """A step that passes when a condition holds in time."""
        began = time.monotonic()
        try:
            self.real.await_true(what, condition, seconds)
        except RuntimeError as failure:
            self.report(what, False, f"{failure}; {self.complaints()}")
            return False
        self.report(what, True, f"{time.monotonic() - began:.0f} s")
        return True

    def complaints(self):
        """What the cluster says of pods that are not ready."""
        events = self.real.get("events", "-A")["items"]
        said = {f"{e['involvedObject']['name']}: {e.get('message')}" for e in events if e["type"] == "Warning"}
        waiting = [p for p in self.real.get("pods", "-A")["items"] if not self.is_ready(p)]
        for p in waiting[:3]:
            name, namespace = p["metadata"]["name"], p["metadata"]["namespace"]
            for previous in (False, True):
                log = self.real.kubectl(
                    "logs", "-n", namespace, name, "--tail=5", f"--previous={str(previous).lower()}", check=False
                )
                said.add(f"{name} wrote: {(log.stdout or log.stderr)[-1500:]}")
        return "\n".join(sorted(s for s in said if "cgroup v1" not in s)[-12:])

    def pods(self, app, namespace="default"):
        """Pods that run and are not being deleted."""
        found = self.real.get("pods", "-n", namespace, "-l", f"app={app}")["items"]
        return [p for p in found if not p["metadata"].get("deletionTimestamp") and self.is_ready(p)]

    @staticmethod
    def is_ready(p):
        return any(c["type"] == "Ready" and c["status"] == "True" for c in p["status"].get("conditions", []))

    def inside(self, name, script, namespace="default"):
        done = self.real.kubectl("exec", "-n", namespace, name, "--", "sh", "-c", script, check=False)
        return done.stdout if done.returncode == 0 else f"failed: {done.stderr}"

    def nodes(self):
        names = set(self.real.nodes)
        self.until(f"{len(names)} nodes in {len(ZONES)} zones are ready", lambda: self.real.ready() == names)
        info = self.real.get("nodes")["items"][0]["status"]["nodeInfo"]
        self.report(
            "kubelet and containerd",
            True,
            f"{info['kubeletVersion']}, {info['containerRuntimeVersion']}, {info['kernelVersion']}",
        )

    def names(self):
        self.real.apply(*coredns())
        self.until("CoreDNS answers in two zones", lambda: len(self.pods("coredns", "kube-system")) == 2)

    def services(self):
        """Each node's pods reach those of each other node, by their addresses and by a Service's name."""
        everywhere = pod(
            "echo",
            "mkdir -p /tmp/w && hostname > /tmp/w/index.html && exec httpd -f -p 8080 -h /tmp/w",
            [{"name": "t", "emptyDir": {}}],
            [{"name": "t", "mountPath": "/tmp"}],
        )
        everywhere["spec"]["containers"][0]["readinessProbe"] = {
            "httpGet": {"path": "/", "port": 8080},
            "periodSeconds": 1,
        }
        self.real.apply(
            labelled(
                "DaemonSet", "apps/v1", "echo", {"selector": {"matchLabels": {"app": "echo"}}, "template": everywhere}
            ),
            labelled("Service", "v1", "echo", {"selector": {"app": "echo"}, "ports": [{"port": 8080}]}),
        )
        count = len(self.real.nodes)
        if not self.until("a pod on each node answers its kubelet", lambda: len(self.pods("echo")) == count):
            return
        pods = self.pods("echo")
        addresses = " ".join(p["status"]["podIP"] for p in pods)
        reached = {
            p["metadata"]["name"]: self.inside(
                p["metadata"]["name"], f"for a in {addresses}; do timeout 5 wget -qO- http://$a:8080; done"
            ).split()
            for p in pods
        }
        wanted = sorted(reached)
        wrong = {k: v for k, v in reached.items() if sorted(v) != wanted}
        self.report(
            f"pods of {count} nodes reach each other at their addresses",
            not wrong,
            wrong or f"{count * count} connections",
        )
        script = "for i in $(seq 1 40); do timeout 5 wget -qO- http://echo.default.svc.cluster.local:8080; done"
        answers = {p["metadata"]["name"]: self.inside(p["metadata"]["name"], script).split() for p in pods}
        wrong = {k: v for k, v in answers.items() if len(v) != 40 or not set(v) <= set(wanted) or len(set(v)) < 2}
        self.report(
            "a Service is found by its name and spreads connections, from each node",
            not wrong,
            wrong or f"{40 * count} connections",
        )

    def rights(self):
        """What a restricted pod is, as the kernel sees it."""
        namespace = {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "strict", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}},
        }
        limited = pod("limited", "exec sleep 100000")
        self.real.apply(namespace)
        self.real.await_true(
            "accounts",
            lambda: self.real.kubectl("get", "serviceaccount", "default", "-n", "strict", check=False).returncode == 0,
            60,
        )
        self.real.apply(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                **limited,
                "metadata": {"name": "limited", "namespace": "strict", **limited["metadata"]},
            }
        )
        if not self.until("a restricted pod runs", lambda: self.pods("limited", "strict")):
            return
        status = dict(
            line.split(":\t")
            for line in self.inside(
                "limited", "grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' /proc/self/status", "strict"
            ).splitlines()
        )
        self.report(
            "it has no capability, filtered system calls and no way to more rights",
            status
            == {"Uid": "65532\t65532\t65532\t65532", "CapEff": "0000000000000000", "NoNewPrivs": "1", "Seccomp": "2"},
            status,
        )
        self.report(
            "its file system is read-only", "Read-only" in self.inside("limited", "touch /x 2>&1; true", "strict")
        )

    def disks(self):
        """A volume belongs to its zone: its pod starts on the zone's other node, with what it had written, and on no other."""
        keeper = pod(
            "keeper",
            "echo $(hostname) >> /data/starts; exec sleep 100000",
            mounts=[{"name": "data", "mountPath": "/data"}],
        )
        claim = {
            "metadata": {"name": "data"},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "zonal",
                "resources": {"requests": {"storage": "1Gi"}},
            },
        }
        spec = {
            "serviceName": "keeper",
            "selector": {"matchLabels": {"app": "keeper"}},
            "template": keeper,
            "volumeClaimTemplates": [claim],
        }
        self.real.apply(labelled("StatefulSet", "apps/v1", "keeper", spec))
        if not self.until("a pod with a volume runs", lambda: self.pods("keeper")):
            return
        first = self.pods("keeper")[0]["spec"]["nodeName"]
        zone = self.real.nodes[first].zone
        self.real.kubectl("cordon", first)
        self.real.kubectl("delete", "pod", "keeper-0")
        self.until(
            "it starts again elsewhere", lambda: any(p["spec"]["nodeName"] != first for p in self.pods("keeper"))
        )
        second = self.pods("keeper")[0]["spec"]["nodeName"]
        starts = self.inside("keeper-0", "wc -l < /data/starts").strip()
        self.report(
            "on the other node of its zone, with its data",
            self.real.nodes[second].zone == zone and starts == "2",
            f"{first}, {second}: {starts} starts",
        )
        self.real.kubectl("cordon", second)
        self.real.kubectl("delete", "pod", "keeper-0")
        self.until(
            "with its zone out of use it waits, as no other zone has the volume",
            lambda: any(
                "didn't match PersistentVolume's node affinity" in e.get("message", "")
                or "volume node affinity conflict" in e.get("message", "")
                for e in self.real.get("events")["items"]
            ),
        )
        self.real.kubectl("uncordon", first, second)
        self.until("and starts when its zone is back", lambda: self.pods("keeper"))

    def failure(self):
        """A node whose power goes leaves the Service, and comes back."""
        name = next(iter(self.real.nodes))
        self.real.nodes[name].fail()
        self.until(f"{name} loses its power and is not ready", lambda: name not in self.real.ready())
        count = len(self.real.nodes)
        self.until("its pod leaves the Service", lambda: self.endpoints("echo") == count - 1)
        other = next(p["metadata"]["name"] for p in self.pods("echo") if p["spec"]["nodeName"] != name)
        script = (
            "for i in $(seq 1 40); do timeout 2 wget -qO- http://echo.default.svc.cluster.local:8080 || echo lost; done"
        )
        self.real.await_true("kube-proxy hears of it", lambda: "lost" not in self.inside(other, script), 60)
        self.report("every connection to the Service is answered without it", True, "40 connections")
        self.real.nodes[name].come_back()
        self.until(f"{name} has power again and is ready", lambda: name in self.real.ready())
        self.until("its pod is in the Service again", lambda: self.endpoints("echo") == count)

    def endpoints(self, name):
        slices = self.real.get("endpointslices", "-l", f"kubernetes.io/service-name={name}")["items"]
        return sum(e["conditions"].get("ready", False) for s in slices for e in s.get("endpoints") or [])


def inside(options, machine):
    """All of it, in namespaces of its own."""
    folder, report = pathlib.Path(options.folder), Report()
    hide(folder)
    real = None
    try:
        real = RealCluster(options.binaries, options.packages, options.etcd, folder, machine)
        for number, zone in enumerate(2 * ZONES, 1):
            real.add(f"node-{number}", zone)
        real.up()
        cluster = Cluster(real, report)
        steps = (cluster.nodes, cluster.names, cluster.services, cluster.rights, cluster.disks, cluster.failure)
        for step in (*steps, *databases.Databases(cluster, options.manifests, options.operator).steps()):
            real.alive()
            step()
    except (RuntimeError, subprocess.SubprocessError, OSError, StopIteration, IndexError) as failure:
        report("the run ends", False, failure)
    finally:
        if real:
            real.stop()
    (folder / "steps.json").write_text(json.dumps({"nodes": len(real.nodes) if real else 0, "steps": report.steps}))
    return 0 if report.ok else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("binaries", "etcd", "packages", "manifests", "operator"):
        parser.add_argument(name)
    parser.add_argument("--json", metavar="FILE", help="writes the steps")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder:
        return inside(options, Machine(pathlib.Path(options.folder).name))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-kubelet-"))
    machine, report = Machine(folder.name), Report()
    apart = ["unshare", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc"]
    files = (options.binaries, options.etcd, options.packages, options.manifests, options.operator)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = subprocess.Popen([*apart, sys.executable, __file__, *files, "--folder", str(folder)])
    try:
        run.wait()
        try:
            result = json.loads((folder / "steps.json").read_text())
        except OSError:
            result = {"nodes": 0, "steps": []}
        report.steps = result["steps"]
    finally:
        run.kill()  # and with it all that it started
        run.wait()
        machine.put_back()
        report(
            "nothing is left behind",
            not machine.left(),
            ", ".join(machine.left()) or "control groups, mounts, settings of the kernel",
        )
        if os.environ.get("KUBELET_KEEP"):
            print("kept:", folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    passed = sum(s["ok"] for s in report.steps)
    print(f"kubelet: {passed} passed, {len(report.steps) - passed} failed")
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({**result, "steps": report.steps, "ok": report.ok}, indent=2) + "\n"
        )
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
