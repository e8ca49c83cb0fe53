#!/usr/bin/env python3
"""Starts real processes from rendered manifests and waits until their own probes report them ready, over mutual TLS.

usage: boot.py MANIFESTS KEYS_DIR CLASS_PATH

KEYS_DIR has development keys. The PATH must have java, openssl, keytool and PostgreSQL's initdb, postgres and psql.

The script creates the files that a kubelet would mount, and certificates for the names in the manifests.
With BOOT_IMAGES=FOLDER, the services whose images `./solidus images --out FOLDER` made run from these (image.py); that needs root.
Every pod has an address of its own on the loopback network. The JVMs read the cluster's names from a hosts file.
No Kafka runs, because services start and serve without it.
"""

import hmac
import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml
from image import Image, readable

DEADLINE = 240
OPERATOR, AUTHORITY = "solidus-operator.svc.cluster.local", "solidus-authority-1.svc.cluster.local"
# services whose role does not own its tables
OWNED = ("sanctions", "registration", "issuance")
DATABASE_ADDRESS = "127.0.77.2"
DATABASE_NAMES = ["authority-1-db-rw." + AUTHORITY, "operator-db." + OPERATOR]


class Failure(Exception):
    pass


def run(*command, **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)
    if done.returncode:
        raise Failure(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout


class CertificateAuthority:
    """The certificate authority of the network."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        self.openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=boot test'"
            " -keyout ca.key -out ca.crt"
        )
        keytool = "keytool -importcert -noprompt -alias ca -file ca.crt -keystore truststore.jks -storetype JKS"
        run(*shlex.split(keytool), "-storepass", "changeit", cwd=folder)

    def openssl(self, arguments):
        run("openssl", *shlex.split(arguments), cwd=self.folder)

    def certificate(self, name, dns):
        """The files of a secret as cert-manager writes them."""
        (self.folder / f"{name}.ext").write_text(
            "subjectAltName=" + ",".join("DNS:" + d for d in dns) + "\nextendedKeyUsage=serverAuth,clientAuth\n"
        )
        self.openssl(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out {name}.key")
        self.openssl(f"req -new -key {name}.key -subj /CN={name} -out {name}.csr")
        self.openssl(f"x509 -req -in {name}.csr -CA ca.crt -CAkey ca.key -days 2 -extfile {name}.ext -out {name}.crt")
        files = {"tls.crt": f"{name}.crt", "tls.key": f"{name}.key", "ca.crt": "ca.crt"}
        files["truststore.jks"] = "truststore.jks"
        return {key: (self.folder / file).read_bytes() for key, file in files.items()}


class Postgres:
    """A PostgreSQL server with TLS and durable commits."""

    def __init__(self, folder, address, certificate):
        self.folder, self.address = folder, address
        folder.mkdir()
        user = self.user = "postgres" if os.geteuid() == 0 else None
        for name, key in (("server.crt", "tls.crt"), ("server.key", "tls.key")):
            (folder / name).write_bytes(certificate[key])
            (folder / name).chmod(0o600)
        if user:
            shutil.chown(folder, user)
            for file in folder.iterdir():
                shutil.chown(file, user)
        self.data = folder / "data"
        run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", user=user)
        (self.data / "postgresql.auto.conf").write_text(
            f"listen_addresses = '{address}'\nunix_socket_directories = '{folder}'\nmax_connections = 200\n"
            f"ssl = on\nssl_cert_file = '{folder}/server.crt'\nssl_key_file = '{folder}/server.key'\n"
        )
        (self.data / "pg_hba.conf").write_text("local all all trust\nhostssl all all 127.0.0.0/8 scram-sha-256\n")
        self.process = subprocess.Popen(
            ["postgres", "-D", self.data], user=user, stdout=(folder / "log").open("w"), stderr=subprocess.STDOUT
        )

    def sql(self, statement, database="postgres", role="postgres"):
        return run("psql", "-h", self.folder, "-U", role, "-d", database, "-Atqc", statement)

    def await_ready(self):
        for _ in range(100):
            try:
                return self.sql("SELECT 1")
            except Failure:
                time.sleep(0.1)
        raise Failure("PostgreSQL does not answer; " + (self.folder / "log").read_text()[-2000:])

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


class Pod:
    """A pod of a workload, run as processes on this machine."""

    def __init__(self, cluster, name, address, template):
        self.cluster, self.name, self.address = cluster, name, address
        self.folder = cluster.folder / name
        self.folder.mkdir()
        self.metadata, self.spec = template["metadata"], template["spec"]
        self.volumes = {v["name"]: self.volume(v) for v in self.spec["volumes"]}
        self.process = None

    def volume(self, volume):
        folder = self.folder / ("volume-" + volume["name"])
        folder.mkdir()
        if "configMap" in volume:
            name = volume["configMap"]["name"]
            files = (
                {k: v.encode() for k, v in self.cluster.config_maps[name].items()}
                if name in self.cluster.config_maps
                else self.cluster.public_keys()
            )
            self.fill(folder, files, 0o444)
        elif "secret" in volume:
            source = volume["secret"]
            secret = self.cluster.secrets[source["secretName"]]
            items = {i["path"]: secret[i["key"]] for i in source["items"]} if "items" in source else secret
            self.fill(folder, items, source["defaultMode"])
        elif "persistentVolumeClaim" in volume:
            if volume["persistentVolumeClaim"]["claimName"] not in self.cluster.claims:
                raise Failure(f"{self.name}: no manifest has the claim of {volume}")
        elif "projected" in volume and volume["name"] == "database-owner":
            for source in volume["projected"]["sources"]:
                secret = self.cluster.secrets[source["secret"]["name"]]
                self.fill(folder, {i["path"]: secret[i["key"]] for i in source["secret"]["items"]}, 0o440)
        elif "emptyDir" not in volume:
            raise Failure(f"{self.name}: unknown kind of volume: {volume}")
        return folder

    @staticmethod
    def fill(folder, files, mode):
        for name, content in files.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(mode)

    def mapped(self, container):
        """Returns a function that maps paths in the container to paths on this machine."""
        where = {}
        for mount in container["volumeMounts"]:
            if mount["name"] not in self.volumes:
                self.volumes[mount["name"]] = self.folder / ("claim-" + mount["name"])
                self.volumes[mount["name"]].mkdir()
            where[mount["mountPath"]] = self.volumes[mount["name"]]
        longest_first = sorted(where, key=len, reverse=True)

        def path(text):
            pattern = "|".join(re.escape(p) for p in longest_first)
            return re.sub(f"(?<![\\w.-])({pattern})(?=/|$|[\"'\\s,&])", lambda m: str(where[m.group(1)]), text)

        return path

    def start(self):
        for container in self.spec.get("initContainers", []):
            if "args" in container:
                args, env = self.java(container)
                run(self.cluster.java, *args, env=env, timeout=DEADLINE)
            else:
                path = self.mapped(container)
                run(*[path(part) for part in container["command"]])
        args, env = self.java(self.spec["containers"][0])
        self.log = self.folder / "log"
        image = self.cluster.image(self.spec["containers"][0])
        command = [self.cluster.java, *args] if image is None else self.inside(image)
        self.process = subprocess.Popen(command, env=env, stdout=self.log.open("w"), stderr=subprocess.STDOUT)

    def inside(self, image):
        """The command of the container as the manifest has it, in its image."""
        container = self.spec["containers"][0]
        security = {**self.spec["securityContext"], **container["securityContext"]}
        mounts = [(self.cluster.hosts, "/etc/hosts.boot", True)]
        for mount in container["volumeMounts"]:
            readable(self.volumes[mount["name"]], security["fsGroup"])
            mounts.append((self.volumes[mount["name"]], mount["mountPath"], mount.get("readOnly", False)))
        if not security["readOnlyRootFilesystem"]:
            raise Failure(f"{self.name}: its root file system is not read-only")
        options = ["-Djdk.net.hosts.file=/etc/hosts.boot", "-Xmx256m"]
        command = [*container["command"], *options, *container["args"], *self.addresses(container)]
        environment = self.environment(container)
        return image.command(security["runAsUser"], security["runAsGroup"], mounts, environment, command)

    def java(self, container):
        """Arguments and environment of a container's JVM."""
        path = self.mapped(container)
        config = self.folder / ("config-" + container["name"])
        config.mkdir()
        for file in self.volumes["config"].iterdir():
            (config / file.name).write_text(path(file.read_text()))
        args = [path(a).replace(str(self.volumes["config"]), str(config)) for a in container["args"]]
        # the class path replaces the argument file of the image
        args = [
            "-cp",
            self.cluster.class_path,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            f"-Djdk.net.hosts.file={self.cluster.hosts}",
            f"-Djava.io.tmpdir={self.volumes['tmp']}",
            *[a if not a.startswith("-XX:MaxRAMPercentage") else "-Xmx256m" for a in args],
        ]
        env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        env |= {name: path(value) for name, value in self.environment(container).items()}
        args += self.addresses(container)
        return args, env

    def environment(self, container):
        """The variables that the manifest gives a container."""
        values = {}
        for variable in container.get("env", []):
            value = variable.get("value")
            if value is None:
                field = variable["valueFrom"]["fieldRef"]["fieldPath"]
                if field != "metadata.labels['apps.kubernetes.io/pod-index']":
                    raise Failure("unknown field: " + field)
                value = self.name.rsplit("-", 1)[1]
            values[variable["name"]] = value
        return values

    def addresses(self, container):
        """Arguments by which each server binds to the address of its pod: the pods share one machine."""
        server = {"https": "server", "admin": "server", "grpc": "spring.grpc.server", "metrics": "management.server"}
        return sorted({f"--{server[port['name']]}.address={self.address}" for port in container.get("ports", [])})

    def probe(self, kind):
        probe = self.spec["containers"][0][kind]["httpGet"]
        port = next(p["containerPort"] for p in self.spec["containers"][0]["ports"] if p["name"] == probe["port"])
        with urllib.request.urlopen(f"http://{self.address}:{port}{probe['path']}", timeout=5) as answer:
            return answer.status, json.load(answer)

    def metrics(self):
        port = next(p["containerPort"] for p in self.spec["containers"][0]["ports"] if p["name"] == "metrics")
        with urllib.request.urlopen(f"http://{self.address}:{port}/actuator/prometheus", timeout=5) as answer:
            return answer.read().decode()

    def await_ready(self):
        until = time.monotonic() + DEADLINE
        why = "no answer"
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                if (
                    self.probe("readinessProbe")[0] == 200
                    and self.probe("livenessProbe")[0] == 200
                    and self.probe("startupProbe")[0] == 200
                ):
                    return
            except OSError as e:
                why = str(e)
            time.sleep(0.5)
        raise Failure(f"{self.name} is not ready ({why}); the end of its log:\n" + self.log.read_text()[-6000:])

    def stop(self):
        """Stops the pod like a kubelet. 143 is the exit status of a JVM after SIGTERM."""
        self.process.terminate()
        code = self.process.wait(self.spec["terminationGracePeriodSeconds"])
        if code not in (0, 143, -15):
            raise Failure(f"{self.name} ended with {code}; the end of its log:\n" + self.log.read_text()[-3000:])


class Cluster:
    def __init__(self, folder, manifests, keys, class_path):
        self.folder, self.keys, self.class_path, self.java = folder, keys, class_path, shutil.which("java")
        self.documents = [d for d in yaml.safe_load_all(manifests.read_text()) if d]
        self.config_maps = {d["metadata"]["name"]: d["data"] for d in self.documents if d["kind"] == "ConfigMap"}
        self.claims = {d["metadata"]["name"] for d in self.documents if d["kind"] == "PersistentVolumeClaim"}
        self.hosts = folder / "hosts"
        self.images = {}
        self.ca = CertificateAuthority(folder / "ca")
        self.secrets = {}
        for document in self.documents:
            if document["kind"] == "Certificate":
                self.secrets[document["spec"]["secretName"]] = self.ca.certificate(
                    document["metadata"]["name"], document["spec"]["dnsNames"]
                )

    def image(self, container):
        """The image of a container, unpacked, or None to run its class path."""
        images, name = os.environ.get("BOOT_IMAGES"), "solidus-" + container["name"]
        if images and name not in self.images:
            self.images[name] = Image.of(images, name, self.folder / "images")
            if self.images[name]:
                print(f"  from its image: {name}", flush=True)
        return self.images.get(name)

    def public_keys(self):
        return {f.name: f.read_bytes() for f in self.keys.iterdir() if f.suffix in (".vk", ".sig", ".json", ".pub")}

    def workload(self, kind, name):
        return next(
            d["spec"]["template"] for d in self.documents if d["kind"] == kind and d["metadata"]["name"] == name
        )


def check_client_certificate_required(address, port, ca):
    """Sends HTTP/2 without a client certificate and fails if the server answers."""
    context = ssl.create_default_context(cafile=ca.folder / "ca.crt")
    context.check_hostname = False
    context.set_alpn_protocols(["h2"])
    try:
        with socket.create_connection((address, port), 5) as plain, context.wrap_socket(plain) as channel:
            channel.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
            channel.settimeout(5)
            if channel.recv(64):
                raise Failure(f"{address}:{port} answers a caller without a certificate")
    except (ssl.SSLError, ConnectionError):
        return


def check_gateway_answers(gateway, ca):
    """Requests GET /v1/info over TLS."""
    host = "gateway." + OPERATOR
    context = ssl.create_default_context(cafile=ca.folder / "ca.crt")
    with (
        socket.create_connection((gateway.address, 8080), 5) as plain,
        context.wrap_socket(plain, server_hostname=host) as channel,
    ):
        channel.sendall(f"GET /v1/info HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        channel.settimeout(20)
        answer = b""
        while part := channel.recv(65536):
            answer += part
    if b" 200 " not in answer.split(b"\r\n")[0]:
        raise Failure("the gateway does not answer over TLS: " + answer[:500].decode())


def await_shard_map(gateway, version):
    """Waits until the gateway has this version of the shard map of authority 1."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        line = re.search(
            r'^solidus_gateway_shard_map_version\{[^}]*authority="1"[^}]*\} (\S+)', gateway.metrics(), re.M
        )
        if line and float(line.group(1)) >= version:
            return
        time.sleep(1)
    raise Failure(
        f"the gateway has no shard map {version} of authority 1 after a minute; the end of its log:\n"
        + gateway.log.read_text()[-3000:]
    )


def await_mail_tables(replica):
    """Waits until the replica follows the gateway's lists."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        line = re.search(r"^solidus_replica_list_age_seconds(?:\{[^}]*\})? (\S+)", replica.metrics(), re.M)
        if line and float(line.group(1)) < 60:
            return
        time.sleep(1)
    raise Failure(
        "the replica has no list of mail tables after a minute; the end of its log:\n" + replica.log.read_text()[-3000:]
    )


def hosts():
    """Address -> names."""
    found = {
        DATABASE_ADDRESS: DATABASE_NAMES,
        "127.0.77.3": ["authority-1-signer." + AUTHORITY],
        "127.0.77.4": ["authority-1-compliance-issuer." + AUTHORITY],
        "127.0.77.5": ["sanctions." + OPERATOR],
        "127.0.77.6": ["gateway." + OPERATOR],
        "127.0.77.7": ["kafka-bootstrap.kafka.svc.cluster.local"],
        "127.0.77.8": ["prover." + OPERATOR],
        "127.0.77.9": ["registration." + OPERATOR],
        "127.0.77.10": ["issuance." + OPERATOR],
        "127.0.77.11": ["authority-1-replica." + AUTHORITY],
        "127.0.0.1": ["localhost"],
    }
    for shard in (0, 1, 2):
        found[f"127.0.77.{20 + shard}"] = [f"authority-1-shard-{shard}.authority-1-shard.{AUTHORITY}"]
    return found


def create_databases(postgres, cluster):
    """Does what CloudNativePG does with the authority's Cluster. Returns the secrets with the logins."""
    postgres.await_ready()
    spec = next(d for d in cluster.documents if d["kind"] == "Cluster")["spec"]
    owner = spec["bootstrap"]["initdb"]["owner"]
    logins = {"authority-1-db-app": {"username": owner.encode(), "password": secrets.token_hex(16).encode()}}
    postgres.sql(f"CREATE ROLE {owner} LOGIN PASSWORD '{logins['authority-1-db-app']['password'].decode()}'")
    for name in ("authority", "gateway"):
        postgres.sql(f"CREATE DATABASE {name} OWNER {owner}")
    for name in OWNED:
        for login in (name, name + "_owner"):
            password = secrets.token_hex(16)
            postgres.sql(f"CREATE ROLE {login} LOGIN PASSWORD '{password}'")
            secret = name + "-database" + ("-owner" if login != name else "")
            logins[secret] = {"username": login.encode(), "password": password.encode()}
        postgres.sql(f"CREATE DATABASE {name} OWNER {name}_owner")
    for role in spec["managed"]["roles"]:
        password = secrets.token_hex(16)
        postgres.sql(f"CREATE ROLE {role['name']} LOGIN PASSWORD '{password}' IN ROLE {', '.join(role['inRoles'])}")
        logins[role["passwordSecret"]["name"]] = {"username": role["name"].encode(), "password": password.encode()}
    return logins


def check_shards_cannot_write_what_was_signed(postgres):
    for statement in (
        "INSERT INTO signer.signed VALUES (sha256(''), sha256(''))",
        "DELETE FROM signer.signed",
        "UPDATE signer.signed_position SET sequence = 0",
        "DROP SCHEMA signer CASCADE",
    ):
        try:
            postgres.sql(statement, "authority", "solidus")
        except Failure as refused:
            if "permission denied" in str(refused) or "must be owner" in str(refused):
                continue
            raise
        raise Failure("PostgreSQL lets the shards' role do this: " + statement)


def check_services_cannot_change_what_triggers_keep(postgres):
    for service, table in (
        ("sanctions", "proposal"),
        ("registration", "registration.kyc_event"),
        ("issuance", "ledger_entry"),
    ):
        for statement in (
            f"TRUNCATE {table} CASCADE",
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
            f"CREATE TEMPORARY TABLE {table.split('.')[-1]} (sequence bigint)",
        ):
            try:
                postgres.sql(statement, service, service)
            except Failure as refused:
                if "permission denied" in str(refused) or "must be owner" in str(refused):
                    continue
                raise
            raise Failure(f"PostgreSQL lets the role of {service} do this: {statement}")


def secrets_of_the_installation(keys, logins, ca_certificate):
    """The secrets that no manifest creates."""
    share = (keys / "shares" / "authority-1.json").read_bytes()
    note_seed = bytes.fromhex(json.loads(share)["noteKeySeed"])
    random = {
        "sanctions-keys": ["note.seed", "policy.seed", "audit.seed"],
        "registration-keys": ["note.seed", "audit.seed", "person.key", "pepper.key"],
        "issuance-keys": ["redemption.key", "audit.seed"],
        "prover-keys": ["hpke.key"],
    }
    return {
        **logins,
        "gateway-database": logins["authority-1-db-app"],
        **{name: {"ca.crt": ca_certificate} for name in ("authority-1-db-ca", "operator-database-ca")},
        "authority-keys": {
            "share.json": share,
            "note.seed": note_seed,
            "internal.token": hmac.digest(note_seed, b"solidus/internal-token/v1", "sha256"),
            "replica.key": secrets.token_bytes(32),
        },
        "registration-screening-token": {"token": b"not-a-token"},
        **{name: {file: secrets.token_bytes(32) for file in files} for name, files in random.items()},
    }


def boot(cluster, postgres, started):
    """Starts every service, checks TLS and runs a split. Appends each running pod to `started`."""

    def start(kind, workload, pod, address):
        started.append(Pod(cluster, pod, address, cluster.workload(kind, workload)))
        started[-1].start()
        started[-1].await_ready()
        print(f"  ready: {pod}", flush=True)
        return started[-1]

    start("Deployment", "sanctions", "sanctions", "127.0.77.5")
    signer = start("StatefulSet", "authority-1-signer", "authority-1-signer-0", "127.0.77.3")
    shards = [
        start("StatefulSet", "authority-1-shard", f"authority-1-shard-{n}", f"127.0.77.{20 + n}") for n in (0, 1, 2)
    ]
    issuer = start("Deployment", "authority-1-compliance-issuer", "authority-1-compliance-issuer", "127.0.77.4")
    start("Deployment", "registration", "registration", "127.0.77.9")
    start("Deployment", "issuance", "issuance", "127.0.77.10")
    gateway = start("Deployment", "gateway", "gateway", "127.0.77.6")

    replica = start("StatefulSet", "authority-1-replica", "authority-1-replica-0", "127.0.77.11")

    for pod, port in ((signer, 9110), (shards[0], 9100), (issuer, 9190), (replica, 9210)):
        check_client_certificate_required(pod.address, port, cluster.ca)
    print("  refused: callers without a certificate")
    check_shards_cannot_write_what_was_signed(postgres)
    print("  refused by PostgreSQL: the shards' role in the schema of what was signed")
    check_services_cannot_change_what_triggers_keep(postgres)
    print("  refused by PostgreSQL: the operator's services past their triggers")
    check_gateway_answers(gateway, cluster.ca)
    print("  answered over TLS: GET /v1/info")
    # the gateway fetches the signed shard map of each authority over mutual TLS
    await_shard_map(gateway, 1)
    print("  fetched by the gateway over mutual TLS: the shard map of authority 1", flush=True)
    await_mail_tables(replica)
    print("  read by the replica over TLS: the gateway's list of mail tables", flush=True)

    split = Pod(cluster, "authority-1-split-2", "127.0.77.30", cluster.workload("Job", "authority-1-split-2"))
    split.start()
    started.append(split)
    code = split.process.wait(DEADLINE)
    started.remove(split)
    if code:
        raise Failure(f"the split ended with {code}; the end of its log:\n" + split.log.read_text()[-3000:])
    await_shard_map(gateway, 2)
    print("  split by its job: the upper part of shard 0's range to shard 2; the gateway has the new map", flush=True)


def main():
    manifests, keys, class_path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-boot-"))
    folder.chmod(0o755)
    started, postgres = [], None
    try:
        cluster = Cluster(folder, manifests, keys, class_path)
        cluster.hosts.write_text("".join(f"{address} {' '.join(names)}\n" for address, names in hosts().items()))
        certificate = cluster.ca.certificate("database", DATABASE_NAMES)
        postgres = Postgres(folder / "postgres", DATABASE_ADDRESS, certificate)
        logins = create_databases(postgres, cluster)
        cluster.secrets.update(secrets_of_the_installation(keys, logins, certificate["ca.crt"]))
        boot(cluster, postgres, started)
        metrics = "\n".join(pod.metrics() for pod in started)
        pathlib.Path(os.environ.get("BOOT_METRICS", folder / "metrics")).write_text(metrics)
        count = len(started)
        while started:
            started.pop().stop()
        print(f"boot: {count} processes became ready and stopped in time, 1 job succeeded")
    except (Failure, subprocess.TimeoutExpired, OSError) as failure:
        print(f"boot: FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        for pod in started:
            if pod.process and pod.process.poll() is None:
                pod.process.kill()
        if postgres:
            postgres.stop()
        if os.environ.get("BOOT_KEEP"):
            print("kept:", folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


sys.exit(main())
