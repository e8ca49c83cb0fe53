"""A Kubernetes API server with its controllers and its scheduler, as plain processes.

A thread creates the volumes, like a storage driver.
In `SimulatedCluster` kwok replaces the kubelets: nodes and pods are records that become ready, and nothing runs in them.
nodes.py has real ones.
"""

import json
import pathlib
import random
import secrets
import socket
import subprocess
import threading
import time

import yaml

ZONES = ("zone-a", "zone-b", "zone-c")
# resources of such a node that the kubelet offers to pods
ALLOCATABLE = {
    "m5.8xlarge": {"cpu": "31850m", "memory": "122400Mi", "pods": "234"},
    "m5.2xlarge": {"cpu": "7910m", "memory": "29200Mi", "pods": "58"},
}


def free_port(taken):
    """A free port, below the range that the system uses for outgoing connections."""
    for port in random.sample(range(12000, 30000), 200):
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in taken:
            taken.add(port)
            return port
    raise RuntimeError("no free port")


class ControlPlane:
    """The processes, on one address of this machine."""

    address = "127.0.0.1"
    api_server_options = ("--endpoint-reconciler-type=none",)
    # on a busy machine heartbeats are late
    grace = "10m"

    def __init__(self, binaries, etcd, folder):
        self.binaries, self.etcd, self.folder = pathlib.Path(binaries), etcd, folder
        self.processes, self.stopping, self.ports = [], threading.Event(), set()
        self.port, self.kubeconfig = free_port(self.ports), folder / "kubeconfig"
        self.storage = threading.Thread(target=self.provision, daemon=True)

    def up(self):
        folder, token = self.folder, secrets.token_hex(16)
        etcd_port, peer_port = free_port(self.ports), free_port(self.ports)
        etcd_url, peer_url = f"http://127.0.0.1:{etcd_port}", f"http://127.0.0.1:{peer_port}"
        self.start(
            "etcd",
            self.etcd,
            "--name=simulated",
            f"--data-dir={folder}/etcd",
            f"--listen-client-urls={etcd_url}",
            f"--advertise-client-urls={etcd_url}",
            f"--listen-peer-urls={peer_url}",
            f"--initial-advertise-peer-urls={peer_url}",
            f"--initial-cluster=simulated={peer_url}",
        )
        subprocess.run(["openssl", "genrsa", "-out", folder / "accounts.key", "2048"], check=True, capture_output=True)
        self.certify()
        (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
        cluster = {"server": f"https://{self.address}:{self.port}", "certificate-authority": str(folder / "ca.crt")}
        self.kubeconfig.write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "simulated",
                    "clusters": [{"name": "simulated", "cluster": cluster}],
                    "users": [{"name": "admin", "user": {"token": token}}],
                    "contexts": [{"name": "simulated", "context": {"cluster": "simulated", "user": "admin"}}],
                }
            )
        )
        self.kubeconfig.chmod(0o600)
        self.start(
            "kube-apiserver",
            self.binaries / "kube-apiserver",
            f"--etcd-servers={etcd_url}",
            f"--secure-port={self.port}",
            f"--bind-address={self.address}",
            f"--tls-cert-file={folder}/api-server.crt",
            f"--tls-private-key-file={folder}/api-server.key",
            f"--token-auth-file={folder}/tokens.csv",
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--service-account-issuer=https://simulated",
            f"--service-account-key-file={folder}/accounts.key",
            f"--service-account-signing-key-file={folder}/accounts.key",
            *self.api_server_options,
        )
        self.await_true(
            "the API server answers", lambda: self.kubectl("get", "--raw", "/readyz", check=False).returncode == 0, 120
        )
        self.start(
            "kube-controller-manager",
            self.binaries / "kube-controller-manager",
            f"--kubeconfig={self.kubeconfig}",
            "--leader-elect=false",
            "--secure-port=0",
            f"--service-account-private-key-file={folder}/accounts.key",
            f"--root-ca-file={folder}/ca.crt",
            f"--node-monitor-grace-period={self.grace}",
        )
        self.start(
            "kube-scheduler",
            self.binaries / "kube-scheduler",
            f"--kubeconfig={self.kubeconfig}",
            "--leader-elect=false",
            "--secure-port=0",
        )
        self.nodes_up()
        self.storage.start()

    def certify(self):
        """A certificate of the API server that pods can verify, too."""
        names = ("kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local")
        alternatives = ",".join([f"IP:{self.address}", "IP:10.96.0.1", *(f"DNS:{n}" for n in names)])
        new = (
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
        )
        authority = ("-keyout", "ca.key", "-out", "ca.crt")
        server = ("-keyout", "api-server.key", "-out", "api-server.crt", "-CA", "ca.crt", "-CAkey", "ca.key")
        extensions = (f"subjectAltName={alternatives}", "basicConstraints=critical,CA:FALSE")
        for more in (
            ("-subj", "/CN=cluster", *authority),
            ("-subj", "/CN=api", *server, *(part for e in extensions for part in ("-addext", e))),
        ):
            subprocess.run([*new, *more], check=True, capture_output=True, cwd=self.folder)

    def nodes_up(self):
        """Starts what makes nodes ready."""
        raise NotImplementedError

    def disk(self, uid, zone):
        """The source of a volume in a zone."""
        raise NotImplementedError

    def start(self, name, *command):
        log = (self.folder / f"{name}.log").open("w")
        self.processes.append(
            (name, subprocess.Popen([str(c) for c in command], stdout=log, stderr=subprocess.STDOUT, cwd=self.folder))
        )

    def stop(self):
        self.stopping.set()
        if self.storage.ident:
            self.storage.join(30)
        for _, process in reversed(self.processes):
            process.terminate()
        for _, process in reversed(self.processes):
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(15)

    def alive(self):
        for name, process in self.processes:
            if process.poll() is not None:
                raise RuntimeError(
                    f"{name} ended with {process.returncode}:\n" + (self.folder / f"{name}.log").read_text()[-3000:]
                )

    def kubectl(self, *args, check=True, stdin=None):
        done = subprocess.run(
            [self.binaries / "kubectl", f"--kubeconfig={self.kubeconfig}", *[str(a) for a in args]],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        if check and done.returncode:
            raise RuntimeError(f"kubectl {' '.join(map(str, args))}: {done.stderr}")
        return done

    def get(self, *args):
        return json.loads(self.kubectl("get", *args, "-o", "json").stdout)

    def apply(self, *documents, check=True, server_side=True):
        options = ["--server-side"] if server_side else []
        return self.kubectl("apply", *options, "-f", "-", stdin=yaml.safe_dump_all(documents), check=check)

    def await_true(self, what, condition, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.alive()
            if condition():
                return
            time.sleep(0.3)
        raise RuntimeError(f"{what}: not within {seconds} s")

    def provision(self):
        """Creates a volume for each pending claim, in the zone of the node that the scheduler chose."""
        self.apply(
            {
                "apiVersion": "storage.k8s.io/v1",
                "kind": "StorageClass",
                "metadata": {"name": "zonal", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
                "provisioner": "simulated.solidus.io/volumes",
                "volumeBindingMode": "WaitForFirstConsumer",
            }
        )
        made = set()
        while not self.stopping.wait(0.5):
            try:
                zones = None
                for claim in self.get("pvc", "-A")["items"]:
                    meta = claim["metadata"]
                    node = meta.get("annotations", {}).get("volume.kubernetes.io/selected-node")
                    if claim["status"]["phase"] != "Pending" or not node or meta["uid"] in made:
                        continue
                    zones = zones or {
                        n["metadata"]["name"]: n["metadata"]["labels"]["topology.kubernetes.io/zone"]
                        for n in self.get("nodes")["items"]
                    }
                    self.apply(volume(claim, zones[node], self.disk(meta["uid"], zones[node])))
                    made.add(meta["uid"])
            except (RuntimeError, subprocess.TimeoutExpired):
                # the API server is stopping or busy; the loop tries again
                continue


class SimulatedCluster(ControlPlane):
    """Nodes and pods are records of kwok's."""

    def __init__(self, binaries, etcd, folder, stages):
        super().__init__(binaries, etcd, folder)
        self.stages = stages

    def nodes_up(self):
        (self.folder / "stages.yaml").write_text(yaml.safe_dump_all(self.stages))
        self.start(
            "kwok",
            self.binaries / "kwok",
            f"--kubeconfig={self.kubeconfig}",
            "--manage-all-nodes=true",
            f"--config={self.folder}/stages.yaml",
            "--cidr=10.128.0.0/9",
            "--node-ip=127.0.0.1",
            "--node-lease-duration-seconds=40",
        )

    def disk(self, uid, zone):
        return {"csi": {"driver": "simulated.solidus.io", "volumeHandle": uid}}

    def node(self, name, kind, zone, labels, taint):
        labels = {
            "kubernetes.io/hostname": name,
            "topology.kubernetes.io/zone": zone,
            "node.kubernetes.io/instance-type": kind,
            "kubernetes.io/os": "linux",
            **labels,
        }
        spec = {"taints": [{"key": "solidus.io/authority", "value": taint, "effect": "NoSchedule"}]} if taint else {}
        node = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "spec": spec,
            "status": {"allocatable": ALLOCATABLE[kind], "capacity": ALLOCATABLE[kind]},
        }
        self.kubectl("create", "-f", "-", stdin=yaml.safe_dump(node))


def volume(claim, zone, source):
    """A disk in one zone, or a shared file system for a claim with ReadOnlyMany."""
    meta, spec = claim["metadata"], claim["spec"]
    shared = "ReadOnlyMany" in spec["accessModes"]
    in_zone = {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]}]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pvc-" + meta["uid"]},
        "spec": {
            "capacity": spec["resources"]["requests"],
            "accessModes": spec["accessModes"],
            "storageClassName": spec["storageClassName"],
            "persistentVolumeReclaimPolicy": "Retain",
            "claimRef": {
                "kind": "PersistentVolumeClaim",
                "name": meta["name"],
                "namespace": meta["namespace"],
                "uid": meta["uid"],
            },
            **source,
            **({} if shared else {"nodeAffinity": {"required": {"nodeSelectorTerms": [in_zone]}}}),
        },
    }


def stages(kwok):
    """kwok's simple stages, with delays, and a stage that completes the pod of `helm test`."""
    found = {}
    for file in (
        "node/fast/node-initialize",
        "node/heartbeat-with-lease/node-heartbeat-with-lease",
        "pod/fast/pod-ready",
        "pod/fast/pod-complete",
        "pod/fast/pod-delete",
    ):
        stage = yaml.safe_load((pathlib.Path(kwok) / "kustomize/stage" / f"{file}.yaml").read_text())
        found[stage["metadata"]["name"]] = stage
    for name, delay in (("pod-ready", 1500), ("pod-complete", 2500), ("pod-delete", 1000)):
        found[name]["spec"]["delay"] = {"durationMilliseconds": delay}
    test = json.loads(json.dumps(found["pod-complete"]))
    test["metadata"]["name"] = "test-complete"
    test["spec"]["selector"]["matchExpressions"][-1] = {
        "key": '.metadata.annotations["helm.sh/hook"]',
        "operator": "In",
        "values": ["test"],
    }
    return [*found.values(), test]
