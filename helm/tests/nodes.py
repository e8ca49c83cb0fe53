"""A Kubernetes cluster whose nodes run pods: a containerd, a kubelet and a kube-proxy in a network namespace for each node.

All of it belongs to one process, which `kubelet.py` starts in namespaces of its own for processes, mounts and networks.
So what a node mounts, starts and connects ends with that process.
Control groups and a few settings of the kernel have no such namespace; `Machine` puts them back.
"""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import signal
import subprocess
import tarfile
import time

import databases
import yaml
from control_plane import ControlPlane

CONTROL = "10.250.0.1"
SERVICES = "10.96.0.0/16"
DNS = "10.96.0.10"
PODS = "10.244.0.0/16"
PAUSE = "solidus.local/pause:1"
SHELL = "solidus.local/shell:1"
COREDNS = "solidus.local/coredns:1"
# busybox's, in an image; Debian's static one cannot resolve names
LIBRARIES = (
    ("lib64", "ld-linux-x86-64.so.2"),
    ("lib/x86_64-linux-gnu", "libc.so.6"),
    ("lib/x86_64-linux-gnu", "libresolv.so.2"),
)
# what a kubelet sets for the whole machine
SETTINGS = (
    "vm/overcommit_memory",
    "vm/panic_on_oom",
    "kernel/panic",
    "kernel/panic_on_oops",
    "kernel/keys/root_maxkeys",
    "kernel/keys/root_maxbytes",
)


class Machine:
    """What of this machine no namespace covers."""

    def __init__(self, name):
        self.name = name
        self.settings = {
            s: pathlib.Path("/proc/sys", s).read_text() for s in SETTINGS if pathlib.Path("/proc/sys", s).exists()
        }

    @staticmethod
    def hierarchies(*kinds):
        """Where control groups of these versions (`cgroup` and `cgroup2`; both by default) are mounted."""
        mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        return [pathlib.Path(m[1]) for m in mounts if m[2] in (kinds or ("cgroup", "cgroup2"))]

    def groups(self, node):
        """Makes the control groups of a node, as its kubelet wants them; their path."""
        path = f"{self.name}/{node}"
        for folder in self.hierarchies("cgroup") or self.hierarchies("cgroup2"):
            if (folder / "cgroup.controllers").exists():
                for parent in (folder, folder / self.name):
                    parent.mkdir(exist_ok=True)
                    wanted = " ".join(f"+{c}" for c in (parent / "cgroup.controllers").read_text().split())
                    (parent / "cgroup.subtree_control").write_text(wanted)
            (folder / path).mkdir(parents=True)
        return "/" + path

    def processes(self, node):
        """The processes in the control groups of a node."""
        found = set()
        for folder in self.hierarchies():
            for tasks in (folder / self.name / node).rglob("cgroup.procs"):
                found |= {int(p) for p in tasks.read_text().split()}
        return found - {0}

    def left(self):
        """What is still there, after `put_back`."""
        groups = [str(f / self.name) for f in self.hierarchies() if (f / self.name).exists()]
        changed = [s for s, value in self.settings.items() if pathlib.Path("/proc/sys", s).read_text() != value]
        mounts = [m for m in pathlib.Path("/proc/mounts").read_text().splitlines() if self.name in m]
        return groups + changed + mounts

    def put_back(self):
        for setting, value in self.settings.items():
            file = pathlib.Path("/proc/sys", setting)
            if file.read_text() != value:
                file.write_text(value)
        until = time.monotonic() + 20
        while self.left() and time.monotonic() < until:
            for hierarchy in self.hierarchies():
                groups = sorted((hierarchy / self.name).rglob("*/"), key=lambda g: -len(g.parts))
                for group in [*groups, hierarchy / self.name]:
                    with contextlib.suppress(OSError):  # its last process has not ended, or it is gone
                        group.rmdir()
            time.sleep(0.2)


def write_image(file, name, files, entrypoint=(), folder=None, search="/bin"):
    """An image of one layer, as `ctr images import` reads it.

    files: path -> what is there: a file of this machine, bytes, or the target of a symbolic link as text
    folder: what is at the root, beside the files
    """
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        if folder:
            tar.add(folder, arcname=".")
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.mode = 0o755
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                tar.addfile(info)
            else:
                body = content if isinstance(content, bytes) else content.read_bytes()
                info.size = len(body)
                tar.addfile(info, io.BytesIO(body))
    blobs = {}

    def blob(body):
        digest = hashlib.sha256(body).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = body
        return {"digest": f"sha256:{digest}", "size": len(body)}

    def document(content):
        return blob(json.dumps(content).encode())

    kind = "application/vnd.oci.image"
    layer = {"mediaType": f"{kind}.layer.v1.tar", **blob(layer.getvalue())}
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": list(entrypoint), "Env": [f"PATH={search}"]},
        "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
    }
    config = {"mediaType": f"{kind}.config.v1+json", **document(config)}
    manifest = {"schemaVersion": 2, "mediaType": f"{kind}.manifest.v1+json", "config": config, "layers": [layer]}
    manifest = {"mediaType": f"{kind}.manifest.v1+json", **document(manifest)}
    manifest["annotations"] = {"io.containerd.image.name": name}
    with tarfile.open(file, "w") as tar:
        for path, body in {
            "oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
            "index.json": json.dumps({"schemaVersion": 2, "manifests": [manifest]}).encode(),
            **blobs,
        }.items():
            info = tarfile.TarInfo(path)
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    return file


class Node:
    """A machine of the cluster, in a network namespace of its own."""

    def __init__(self, cluster, number, name, zone, labels, taint):
        self.cluster, self.number, self.name, self.zone, self.labels, self.taint = (
            cluster,
            number,
            name,
            zone,
            labels,
            taint,
        )
        self.address, self.pods = f"10.250.0.{10 + number}", f"10.244.{number}.0/24"
        self.folder = cluster.folder / name
        self.socket = self.folder / "containerd.sock"
        self.group = cluster.machine.groups(name)
        self.processes = {}

    def enter(self, *command):
        return ["nsenter", f"--net=/run/netns/{self.name}", *[str(c) for c in command]]

    def run(self, *command):
        done = subprocess.run(
            self.enter(*command), capture_output=True, text=True, check=False, env=self.cluster.environment
        )
        if done.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(map(str, command))}: {done.stderr}")
        return done.stdout

    def connect(self):
        self.folder.mkdir()
        ip("netns", "add", self.name)
        ip("link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", self.name, "master", "machines", "up")
        for command in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{self.address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("route", "add", "default", "via", CONTROL),
        ):
            self.run("ip", *command)
        self.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        ip("route", "add", self.pods, "via", self.address)

    def reach(self, other):
        self.run("ip", "route", "add", other.pods, "via", other.address)

    def up(self):
        self.write("net.d/pods.conflist", json.dumps(self.network()))
        self.write("containerd.toml", self.containerd())
        self.write("kubelet.yaml", yaml.safe_dump(self.kubelet()))
        packages, binaries = self.cluster.packages, self.cluster.binaries
        self.start("containerd", packages / "usr/bin/containerd", "-c", self.folder / "containerd.toml")
        self.cluster.await_true(f"{self.name}: containerd answers", self.answers, 60)
        for image in self.cluster.images:
            self.load(image)
        labels = {"topology.kubernetes.io/zone": self.zone, **self.labels}
        self.start(
            "kubelet",
            binaries / "kubelet",
            f"--config={self.folder}/kubelet.yaml",
            f"--kubeconfig={self.cluster.kubeconfig}",
            f"--root-dir={self.folder}/kubelet",
            f"--cert-dir={self.folder}/certificates",
            f"--hostname-override={self.name}",
            f"--node-ip={self.address}",
            "--node-labels=" + ",".join(f"{k}={v}" for k, v in labels.items()),
        )
        self.start(
            "kube-proxy",
            binaries / "kube-proxy",
            f"--kubeconfig={self.cluster.kubeconfig}",
            f"--hostname-override={self.name}",
            "--proxy-mode=nftables",
            f"--cluster-cidr={PODS}",
            # settings of the whole machine
            "--conntrack-max-per-core=0",
            "--conntrack-min=0",
            "--oom-score-adj=0",
        )

    def answers(self):
        return subprocess.run([*self.ctr(), "version"], capture_output=True, check=False).returncode == 0

    def ctr(self):
        return [self.cluster.packages / "usr/bin/ctr", "--address", self.socket, "--namespace", "k8s.io"]

    def load(self, image):
        subprocess.run([*self.ctr(), "images", "import", image], check=True, capture_output=True)

    def start(self, name, *command):
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                self.enter(*command),
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=self.cluster.environment,
            )

    def write(self, file, text):
        file = self.folder / file
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def fail(self):
        """As when its power goes: all its processes end at once, and nobody reaches it."""
        ip("link", "set", self.name, "down")
        for process in self.processes.values():
            process.kill()
            process.wait()
        # a shim is not in the control groups of its pod
        for process in [*commands(str(self.socket)), *self.cluster.machine.processes(self.name)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.processes = {}

    def come_back(self):
        """After `fail`: as a machine that starts again, with its disks."""
        ip("link", "set", self.name, "up")
        self.up()

    def network(self):
        return {
            "cniVersion": "0.4.0",
            "name": "pods",
            "plugins": [
                {
                    "type": "bridge",
                    "bridge": "pods",
                    "isGateway": True,
                    "hairpinMode": True,
                    "ipam": {
                        "type": "host-local",
                        "ranges": [[{"subnet": self.pods}]],
                        "routes": [{"dst": "0.0.0.0/0"}],
                        "dataDir": str(self.folder / "addresses"),
                    },
                },
                {"type": "loopback"},
            ],
        }

    def containerd(self):
        cri, left_out = (
            'plugins."io.containerd.grpc.v1.cri"',
            ("snapshotter.v1.btrfs", "snapshotter.v1.devmapper", "snapshotter.v1.zfs"),
        )
        left_out = [f"io.containerd.{p}" for p in (*left_out, "snapshotter.v1.aufs", "internal.v1.opt")]
        return f"""version = 2
root = "{self.folder}/containerd"
state = "{self.folder}/state"
disabled_plugins = {json.dumps(left_out)}
[grpc]
  address = "{self.socket}"
[{cri}]
  sandbox_image = "{PAUSE}"
  # a container may not have CAP_SYS_RESOURCE to give
  restrict_oom_score_adj = true
  disable_apparmor = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
[{cri}.cni]
  bin_dir = "{self.cluster.packages}/usr/lib/cni"
  conf_dir = "{self.folder}/net.d"
[{cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[{cri}.containerd.runtimes.runc.options]
  BinaryName = "{self.cluster.packages}/usr/sbin/runc"
"""

    def kubelet(self):
        return {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "address": self.address,
            "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
            "authorization": {"mode": "AlwaysAllow"},
            "cgroupDriver": "cgroupfs",
            "cgroupRoot": self.group,
            "clusterDNS": [DNS],
            "clusterDomain": "cluster.local",
            "containerRuntimeEndpoint": f"unix://{self.socket}",
            # all nodes have this machine's disk, and its pressure says nothing of the charts
            "evictionHard": {"imagefs.available": "0%", "nodefs.available": "0%", "nodefs.inodesFree": "0%"},
            "failCgroupV1": False,
            "failSwapOn": False,
            "imageGCHighThresholdPercent": 100,
            "makeIPTablesUtilChains": False,
            "nodeStatusUpdateFrequency": "4s",
            "podLogsDir": str(self.folder / "logs"),
            "registerWithTaints": [{"key": k, "value": v, "effect": "NoSchedule"} for k, v in self.taint.items()],
            "resolvConf": "",
            "volumePluginDir": str(self.folder / "volume-plugins"),
        }


class RealCluster(ControlPlane):
    address = CONTROL
    api_server_options = (
        f"--advertise-address={CONTROL}",
        # this machine has no kube-proxy of its own, so the API server reaches webhooks at their pods
        "--enable-aggregator-routing=true",
        "--kubelet-preferred-address-types=InternalIP",
    )
    grace = "40s"

    def __init__(self, binaries, packages, etcd, folder, machine):
        super().__init__(binaries, etcd, folder)
        self.packages, self.machine, self.nodes = pathlib.Path(packages), machine, {}
        folders = [self.packages / f for f in ("usr/bin", "usr/sbin")]
        self.environment = {
            **os.environ,
            "PATH": ":".join(map(str, folders)) + ":" + os.environ["PATH"],
            "LD_LIBRARY_PATH": str(self.packages / "usr/lib/x86_64-linux-gnu"),
        }
        busybox = self.packages / "bin/busybox"
        libraries = {f"{folder}/{name}": self.packages / folder / name for folder, name in LIBRARIES}
        tools = {
            f"bin/{t}": "busybox"
            for t in (
                "cat",
                "date",
                "echo",
                "grep",
                "httpd",
                "hostname",
                "id",
                "ls",
                "mkdir",
                "nc",
                "nslookup",
                "printf",
                "seq",
                "sh",
                "sleep",
                "timeout",
                "touch",
                "wc",
                "wget",
            )
        }
        self.images = [
            write_image(
                folder / "pause.tar",
                PAUSE,
                {"bin/busybox": busybox, "bin/sleep": "busybox", **libraries},
                ["/bin/sleep", "2147483647"],
            ),
            write_image(folder / "shell.tar", SHELL, {"bin/busybox": busybox, **tools, **libraries}),
            write_image(folder / "coredns.tar", COREDNS, {"coredns": self.binaries / "coredns"}, ["/coredns"]),
            *databases.images(self.binaries, self.packages.parent / "postgresql", folder, write_image),
        ]
        ip("link", "set", "lo", "up")
        ip("link", "add", "machines", "type", "bridge")
        ip("address", "add", f"{CONTROL}/24", "dev", "machines")
        ip("link", "set", "machines", "up")
        pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("1")

    def add(self, name, zone, labels=None, taint=None):
        """A node that `up` starts."""
        self.nodes[name] = Node(self, 1 + len(self.nodes), name, zone, labels or {}, taint or {})

    def nodes_up(self):
        for node in self.nodes.values():
            node.connect()
        for node in self.nodes.values():
            for other in self.nodes.values():
                if other is not node:
                    node.reach(other)
            node.up()

    def alive(self):
        super().alive()
        for node in self.nodes.values():
            for name, process in node.processes.items():
                if process.poll() is not None:
                    log = (node.folder / f"{name}.log").read_text()[-3000:]
                    raise RuntimeError(f"{node.name}: {name} ended with {process.returncode}:\n{log}")

    def disk(self, uid, zone):
        folder = self.folder / "disks" / zone / uid
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o777)
        return {"hostPath": {"path": str(folder)}}

    def ready(self):
        """The names of the nodes that are ready."""
        return {
            n["metadata"]["name"]
            for n in self.get("nodes")["items"]
            if any(c["type"] == "Ready" and c["status"] == "True" for c in n["status"]["conditions"])
        }


def commands(word):
    """The processes that have a word among their arguments."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if word in (process / "cmdline").read_text().split("\0"):
                yield int(process.name)
        except OSError:
            pass  # it ended meanwhile


def ip(*command):
    done = subprocess.run(["ip", *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(command)}: {done.stderr}")


def hide(folder):
    """Lets what this process's namespaces write to folders of the system go to a folder instead."""
    for name in ("upper", "work"):
        (folder / "var" / name).mkdir(parents=True)
    layers = f"lowerdir=/var,upperdir={folder}/var/upper,workdir={folder}/var/work"
    for command in (("-t", "overlay", "overlay", "-o", layers, "/var"), ("-t", "tmpfs", "tmpfs", "/run")):
        subprocess.run(["mount", *command], check=True)
