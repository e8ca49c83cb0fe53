#!/usr/bin/env python3
"""Starts real processes from rendered manifests: what a kubelet would mount is laid out under one folder, certificates are made for the
names that the charts ask for, and each service has to become ready by its own probes, over mutual TLS, as it would in a cluster.

usage: boot.py MANIFESTS KEYS_DIR CLASS_PATH  (development keys; java, openssl, keytool and PostgreSQL's initdb and postgres on the PATH)

Every pod gets an address of its own on the loopback network, and the JVMs get the cluster's names from a file of hosts. No Kafka runs:
services start and serve without it.
"""

import base64
import json
import os
import pathlib
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml

DEADLINE = 240


class Failure(Exception):
    pass


def run(*command, **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)
    if done.returncode:
        raise Failure(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout


class Authority:
    """The network's certificate authority."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        run(
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
            "-subj",
            "/CN=boot test",
            "-keyout",
            folder / "ca.key",
            "-out",
            folder / "ca.crt",
        )
        run(
            "keytool",
            "-importcert",
            "-noprompt",
            "-alias",
            "ca",
            "-file",
            folder / "ca.crt",
            "-keystore",
            folder / "truststore.jks",
            "-storetype",
            "JKS",
            "-storepass",
            "changeit",
        )

    def certificate(self, name, dns):
        key, request, certificate = (self.folder / f"{name}.{end}" for end in ("key", "csr", "crt"))
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
        run("openssl", "req", "-new", "-key", key, "-subj", "/CN=" + name, "-out", request)
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(
            "subjectAltName=" + ",".join("DNS:" + d for d in dns) + "\nextendedKeyUsage=serverAuth,clientAuth\n"
        )
        run(
            "openssl",
            "x509",
            "-req",
            "-in",
            request,
            "-CA",
            self.folder / "ca.crt",
            "-CAkey",
            self.folder / "ca.key",
            "-days",
            "2",
            "-extfile",
            extensions,
            "-out",
            certificate,
        )
        return {
            "tls.crt": certificate.read_bytes(),
            "tls.key": key.read_bytes(),
            "ca.crt": (self.folder / "ca.crt").read_bytes(),
            "truststore.jks": (self.folder / "truststore.jks").read_bytes(),
        }


class Postgres:
    """A server with the names that the charts expect, speaking TLS, durable."""

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
        run("initdb", "-D", self.data, "-U", "solidus", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", user=user)
        (self.data / "postgresql.auto.conf").write_text(
            f"listen_addresses = '{address}'\nunix_socket_directories = '{folder}'\nssl = on\nssl_cert_file = '{folder}/server.crt'\n"
            f"ssl_key_file = '{folder}/server.key'\nmax_connections = 200\n"
        )
        (self.data / "pg_hba.conf").write_text("local all all trust\nhostssl all all 127.0.0.0/8 scram-sha-256\n")
        self.process = subprocess.Popen(
            ["postgres", "-D", self.data], user=user, stdout=(folder / "log").open("w"), stderr=subprocess.STDOUT
        )

    def sql(self, statement, database="postgres"):
        return run("psql", "-h", self.folder, "-U", "solidus", "-d", database, "-Atqc", statement)

    def ready(self):
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
    """One pod of a workload, as processes on this machine."""

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
                raise Failure(f"{self.name}: no manifest makes the claim of {volume}")
        elif "emptyDir" not in volume:
            raise Failure(f"{self.name}: what kind of volume is {volume}?")
        return folder

    @staticmethod
    def fill(folder, files, mode):
        for name, content in files.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(mode)

    def mapped(self, container):
        """Where the container's paths are here; the volume claims of a stateful set are folders, too."""
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
            path = self.mapped(container)
            run(*[path(part) for part in container["command"]])
        container = self.spec["containers"][0]
        path = self.mapped(container)
        config = self.folder / "config"
        config.mkdir()
        for file in self.volumes["config"].iterdir():
            (config / file.name).write_text(path(file.read_text()))
        args = [path(a).replace(str(self.volumes["config"]), str(config)) for a in container["args"]]
        # the image's file of options and classes is this machine's class path here
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
        for variable in container.get("env", []):
            value = variable.get("value")
            if value is None:
                field = variable["valueFrom"]["fieldRef"]["fieldPath"]
                if field != "metadata.labels['apps.kubernetes.io/pod-index']":
                    raise Failure("a field that is not known here: " + field)
                value = self.name.rsplit("-", 1)[1]
            env[variable["name"]] = path(value)
        # each pod has an address; here they share one machine
        server = {"https": "server", "grpc": "spring.grpc.server", "metrics": "management.server"}
        args += [f"--{server[port['name']]}.address={self.address}" for port in container.get("ports", [])]
        self.log = self.folder / "log"
        self.process = subprocess.Popen(
            [self.cluster.java, *args], env=env, stdout=self.log.open("w"), stderr=subprocess.STDOUT
        )

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
        """As a kubelet does; 143 is a JVM that ended because of the signal."""
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
        self.ca = Authority(folder / "ca")
        self.secrets = {}
        for document in self.documents:
            if document["kind"] == "Certificate":
                self.secrets[document["spec"]["secretName"]] = self.ca.certificate(
                    document["metadata"]["name"], document["spec"]["dnsNames"]
                )

    def public_keys(self):
        return {f.name: f.read_bytes() for f in self.keys.iterdir() if f.suffix in (".vk", ".sig", ".json", ".pub")}

    def workload(self, kind, name):
        return next(
            d["spec"]["template"] for d in self.documents if d["kind"] == kind and d["metadata"]["name"] == name
        )


def refuses_strangers(address, port, authority):
    """A caller without a certificate must not get as far as a request."""
    context = ssl.create_default_context(cafile=authority.folder / "ca.crt")
    context.check_hostname = False
    context.set_alpn_protocols(["h2"])
    try:
        with socket.create_connection((address, port), 5) as plain, context.wrap_socket(plain) as channel:
            channel.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
            channel.settimeout(5)
            if channel.recv(64):
                raise Failure(f"{address}:{port} talks to a caller without a certificate")
    except (ssl.SSLError, ConnectionError):
        return


def await_map(gateway, version):
    """Until the gateway knows a version of authority 1's shard map."""
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


def main():
    manifests, keys, class_path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-boot-"))
    folder.chmod(0o755)
    started, postgres = [], None
    try:
        cluster = Cluster(folder, manifests, keys, class_path)
        names = [d for d in cluster.documents if d["kind"] in ("StatefulSet", "Deployment")]
        operator, one = "solidus-operator.svc.cluster.local", "solidus-authority-1.svc.cluster.local"
        db_name = "authority-1-db-rw." + one
        database = cluster.ca.certificate("database", [db_name, "operator-db." + operator])
        hosts = {
            "127.0.77.2": [db_name, "operator-db." + operator],
            "127.0.77.3": ["authority-1-signer." + one],
            "127.0.77.4": ["authority-1-compliance-issuer." + one],
            "127.0.77.5": ["sanctions." + operator],
            "127.0.77.6": ["gateway." + operator],
            "127.0.77.7": ["kafka-bootstrap.kafka.svc.cluster.local"],
            "127.0.77.8": ["prover." + operator],
            "127.0.77.9": ["registration." + operator],
            "127.0.77.10": ["issuance." + operator],
        }
        for shard in (0, 1, 2):
            hosts[f"127.0.77.{20 + shard}"] = [f"authority-1-shard-{shard}.authority-1-shard.{one}"]
        cluster.hosts.write_text("".join(f"{a} {' '.join(n)}\n" for a, n in hosts.items()) + "127.0.0.1 localhost\n")

        postgres = Postgres(folder / "postgres", "127.0.77.2", database)
        postgres.ready()
        password = secrets.token_hex(16)
        postgres.sql(f"ALTER ROLE solidus PASSWORD '{password}'")
        for name in ("authority", "sanctions", "registration", "issuance", "gateway"):
            postgres.sql(f"CREATE DATABASE {name}")
        login = {"username": b"solidus", "password": password.encode()}
        for name in (
            "authority-1-db-app",
            "sanctions-database",
            "registration-database",
            "issuance-database",
            "gateway-database",
        ):
            cluster.secrets[name] = login
        for name in ("authority-1-db-ca", "operator-database-ca"):
            cluster.secrets[name] = {"ca.crt": database["ca.crt"]}
        share = (keys / "shares" / "authority-1.json").read_bytes()
        cluster.secrets["authority-keys"] = {
            "share.json": share,
            "note.seed": bytes.fromhex(json.loads(share)["noteKeySeed"]),
        }
        for name, parts in {
            "sanctions-keys": ["note.seed", "policy.seed"],
            "registration-keys": ["note.seed", "person.key", "pepper.key"],
            "issuance-keys": ["redemption.key"],
            "prover-keys": ["hpke.key"],
        }.items():
            cluster.secrets[name] = {part: secrets.token_bytes(32) for part in parts}
        cluster.secrets["registration-screening-token"] = {"token": b"not-a-token"}

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

        for pod, port in ((signer, 9110), (shards[0], 9100), (issuer, 9190)):
            refuses_strangers(pod.address, port, cluster.ca)
        print("  refused: callers without a certificate")
        context = ssl.create_default_context(cafile=cluster.ca.folder / "ca.crt")
        with (
            socket.create_connection((gateway.address, 8080), 5) as plain,
            context.wrap_socket(plain, server_hostname="gateway." + operator) as channel,
        ):
            channel.sendall(f"GET /v1/info HTTP/1.1\r\nHost: gateway.{operator}\r\nConnection: close\r\n\r\n".encode())
            channel.settimeout(20)
            answer = b""
            while part := channel.recv(65536):
                answer += part
        if b" 200 " not in answer.split(b"\r\n")[0]:
            raise Failure("the gateway does not answer over TLS: " + answer[:500].decode())
        print("  answered over TLS: GET /v1/info")
        # the gateway reads each authority's signed shard map over mutual TLS: a version means that the whole way is open
        await_map(gateway, 1)
        print("  fetched by the gateway over mutual TLS: the shard map of authority 1", flush=True)
        split = Pod(cluster, "authority-1-split-2", "127.0.77.30", cluster.workload("Job", "authority-1-split-2"))
        split.start()
        started.append(split)
        code = split.process.wait(DEADLINE)
        started.remove(split)
        if code:
            raise Failure(f"the split ended with {code}; the end of its log:\n" + split.log.read_text()[-3000:])
        await_map(gateway, 2)
        print(
            "  split by its job: shard 0 gave the upper part of its range to shard 2, and the gateway knows", flush=True
        )
        seen = "\n".join(pod.metrics() for pod in started)
        (pathlib.Path(os.environ.get("BOOT_METRICS", folder / "metrics"))).write_text(seen)
        while started:
            started.pop().stop()
        print(
            f"boot: {len(names)} workloads in the manifests, 9 processes became ready and stopped in time, 1 job ended well"
        )
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
