"""The database of an authority, made by CloudNativePG on real nodes, as the chart describes it."""

import base64
import json
import pathlib
import secrets
import time

import yaml

OPERATOR = "solidus.local/cloudnative-pg:1"
# the operator reads the major version from the tag
POSTGRESQL = "solidus.local/postgresql:15.1"
HOME = "usr/lib/postgresql/15"
NAMESPACE = "solidus-authority-1"
NAME = "authority-1-db"
# seconds until another server takes over when the primary's node loses its power
TAKEOVER = 300


def images(binaries, packages, folder, write_image):
    """The operator's program, and Debian's PostgreSQL with what the operator asks of an image."""
    account = b"root:x:0:0::/:/bin/sh\npostgres:x:26:26::/var/lib/postgresql:/bin/sh\n"
    files = {
        "etc/passwd": account,
        "etc/group": b"root:x:0:\npostgres:x:26:\n",
        # for the archive command
        "bin/sh": "busybox",
    }
    # a server gets its own copy of the program from here, by its architecture
    manager = {"operator/manager_amd64": binaries / "cloudnative-pg", "manager": "operator/manager_amd64"}
    yield write_image(folder / "cloudnative-pg.tar", OPERATOR, manager, ["/manager"])
    yield write_image(folder / "postgresql.tar", POSTGRESQL, files, folder=packages, search=f"/{HOME}/bin:/bin")


class Databases:
    def __init__(self, cluster, manifests, operator):
        self.cluster, self.real, self.report = cluster, cluster.real, cluster.report
        self.operator = pathlib.Path(operator)
        with pathlib.Path(manifests).open() as file:
            documents = [d for d in yaml.safe_load_all(file) if d]
        self.database = next(d for d in documents if d["kind"] == "Cluster" and d["metadata"]["name"] == NAME)

    def steps(self):
        return (self.install, self.admission, self.servers, self.settings, self.takeover)

    def install(self):
        """The operator as its makers publish it, from an image of this machine."""
        text = self.operator.read_text()
        documents = [d for d in yaml.safe_load_all(text) if d]
        for d in documents:
            if d["kind"] == "Deployment":
                container = d["spec"]["template"]["spec"]["containers"][0]
                published = container["image"]
                container.update(image=OPERATOR, imagePullPolicy="Never")
                # on two processors for everything a tenth of one starts too slowly
                container["resources"]["limits"] = {"memory": "500Mi"}
                for variable in container["env"]:
                    if variable.get("value") == published:
                        variable["value"] = OPERATOR
        self.real.apply(*documents)
        self.cluster.until(
            f"CloudNativePG runs: {published.rsplit(':', 1)[-1]}",
            lambda: self.real.get("deployment", "-n", "cnpg-system", "cnpg-controller-manager")["status"].get(
                "readyReplicas"
            ),
        )

    def admission(self):
        self.real.apply(
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": NAMESPACE, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}},
            },
            secret("authority-signer-database", "solidus_signer"),
        )
        spec = self.database["spec"]
        spec["imageName"] = POSTGRESQL
        spec["resources"] = {"requests": {"cpu": "50m", "memory": "256Mi"}, "limits": {"memory": "512Mi"}}
        spec["affinity"] = {k: v for k, v in spec["affinity"].items() if k not in ("nodeSelector", "tolerations")}
        for volume in ("storage", "walStorage"):
            spec[volume] = {"size": "1Gi"}
        wrong = json.loads(json.dumps(self.database))
        wrong["spec"]["postgresql"]["parameters"]["data_sync_retry"] = "off"
        refused = self.real.apply(wrong, check=False)
        self.report(
            "its admission judges: a setting that it fixes is refused",
            refused.returncode and "fixed configuration parameter" in refused.stderr,
            "" if refused.returncode else "admitted",
        )
        admitted = self.real.apply(self.database, check=False)
        self.report("and admits the chart's cluster", admitted.returncode == 0, admitted.stderr.strip()[-500:])

    def status(self):
        return self.real.get("clusters.postgresql.cnpg.io", "-n", NAMESPACE, NAME).get("status", {})

    def servers(self):
        count = self.database["spec"]["instances"]
        if self.cluster.until(f"{count} servers are ready", lambda: self.status().get("readyInstances") == count, 600):
            pods = self.real.get("pods", "-n", NAMESPACE, "-l", f"cnpg.io/cluster={NAME},cnpg.io/podRole=instance")[
                "items"
            ]
            nodes = {p["spec"]["nodeName"] for p in pods}
            zones = {self.real.nodes[n].zone for n in nodes}
            self.report(
                "on nodes of their own, one in each zone",
                len(nodes) == count and len(zones) == min(count, 3),
                ", ".join(sorted(nodes)),
            )

    def sql(self, statement):
        """What the primary answers, a line for each row."""
        done = self.real.kubectl(
            "exec",
            "-n",
            NAMESPACE,
            self.status()["currentPrimary"],
            "-c",
            "postgres",
            "--",
            "psql",
            "-U",
            "postgres",
            "-d",
            "authority",
            "-qAtc",
            statement,
            check=False,
        )
        return done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr}"

    def settings(self):
        """What an authority asks of its database before it acts on a commit (docs/spec/05-validator.md, "Settings")."""
        wanted = {
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "data_sync_retry": "off",
            "zero_damaged_pages": "off",
            "ignore_checksum_failure": "off",
            "data_checksums": "on",
        }
        names = ", ".join(f"'{n}'" for n in wanted)
        found = dict(
            row.split("|")
            for row in self.sql(f"SELECT name, setting FROM pg_settings WHERE name IN ({names})").splitlines()
            if "|" in row
        )
        self.report("the running servers have the settings of a durable commit", found == wanted, found)
        standbys = self.sql("SHOW synchronous_standby_names")
        self.report("a commit waits for a standby", standbys.startswith("ANY 1"), standbys)
        self.cluster.until(
            "the signer's role is a member of the owner's",
            lambda: self.sql("SELECT pg_has_role('solidus_signer', 'solidus', 'member')") == "t",
        )

    def takeover(self):
        """The primary's node loses its power: a standby that has every commit takes over."""
        self.sql("CREATE TABLE kept (n integer)")
        written = self.sql("INSERT INTO kept SELECT generate_series(1, 1000) RETURNING 1").count("1")
        first = self.status()["currentPrimary"]
        pod = self.real.get("pod", "-n", NAMESPACE, first)
        self.real.nodes[pod["spec"]["nodeName"]].fail()
        began = time.monotonic()

        def taken():
            status = self.status()
            return status.get("currentPrimary") not in (None, first) and self.sql("SELECT pg_is_in_recovery()") == "f"

        if self.cluster.until("the primary's node loses its power, and another server takes over", taken, TAKEOVER):
            kept = self.sql("SELECT count(*) FROM kept")
            self.report(
                "with every commit that was acknowledged",
                (written, kept) == (1000, "1000"),
                f"{kept} of {written} rows",
            )
            accepts = self.cluster.until(
                "it takes commits again, with the standby that is left",
                lambda: self.sql("INSERT INTO kept VALUES (0) RETURNING n") == "0",
                TAKEOVER,
            )
            if accepts:
                print(f"           {time.monotonic() - began:.0f} s after the power went", flush=True)


def secret(name, user):
    encoded = {
        k: base64.b64encode(v.encode()).decode()
        for k, v in {"username": user, "password": secrets.token_hex(16)}.items()
    }
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "kubernetes.io/basic-auth",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "data": encoded,
    }
