"""Renders the charts, once for each test case, and reads the result."""

import functools
import os
import pathlib
import subprocess
import unittest

import properties
import yaml

HELM_DIR = pathlib.Path(__file__).resolve().parent.parent
ROOT = HELM_DIR.parent
HELM = os.environ.get("HELM", "helm")
KUBE = os.environ.get("KUBE_VERSION", "1.33.0")
# the loader in C, where PyYAML has it, takes a tenth of the time
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
RECOVERY = "io.solidus.authority.signer.RecoverApplication"
PODS = ("Deployment", "StatefulSet", "Job", "Pod")

SASL = {
    "global": {
        "kafka": {"securityProtocol": "SASL_SSL", "caSecret": "kafka-ca", "saslSecret": "kafka-login", "port": 9096}
    }
}

# the policy key of before
FORMER = {
    "issuer": "policy",
    "key": "BQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "until": "2027-03-01T12:00:00Z",
}

# SoftHSM2 draws slot numbers of this size
TOKEN = {
    "enabled": True,
    "library": "/opt/token/libpkcs11.so",
    "slot": 1234567890,
    "keyLabel": "share-kek",
    "pinSecret": "token-pin",
    "libraryVolume": {"persistentVolumeClaim": {"claimName": "token-library"}},
}

ADMIN_INGRESS = {
    "enabled": True,
    "className": "staff",
    "allowedSources": ["10.20.0.0/16"],
    "urls": {name: f"https://{name}.staff.example" for name in ("registration", "sanctions", "issuance")},
    "controller": {"namespace": "ingress-staff"},
}

WEBHOOKS = {
    "targets": {
        "chat": {
            "url": "https://chat.example/hooks/solidus",
            "services": ["registration"],
            "kinds": ["case.waiting"],
        },
        "pager": {"url": "https://pager.example/"},
    },
    "peers": [{"ipBlock": {"cidr": "198.51.100.7/32"}}],
}
EXCHANGE = {
    "peers": [{"name": "bank-b", "address": "gateway.bank-b.example:9300"}],
    "host": "gateway.bank-a.example",
    "network": [{"ipBlock": {"cidr": "198.18.5.0/24"}}],
}

REPLICA_KEYS = [f"{letter}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" for letter in "ABCD"]

MAILBOXES = [
    {
        "name": "bank-b",
        "gateway": "https://gateway.bank-b.example:8443",
        "peers": [{"ipBlock": {"cidr": "198.51.100.0/24"}}],
        "size": "100Gi",
    },
    {"name": "c", "gateway": "https://gateway.c.example", "peers": [{"ipBlock": {"cidr": "203.0.113.0/24"}}]},
]
CONSOLE = {
    "enabled": True,
    "publicUrl": "https://console.staff.example",
    "login": {"clientId": "console", "scopes": ["openid", "solidus"]},
    "ingress": {
        "enabled": True,
        "className": "staff",
        "allowedSources": ["10.20.0.0/16"],
        "controller": {"namespace": "ingress-staff"},
    },
}

COLLECTOR = {
    "endpoint": "https://collector.monitoring.svc.cluster.local:4318/v1/traces",
    "peers": [
        {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}},
            "podSelector": {"matchLabels": {"app.kubernetes.io/name": "collector"}},
        }
    ],
}

# name -> (chart, values files, more values)
CASES = {
    "authority": ("solidus-authority", [], {}),
    "authority-grown": (
        "solidus-authority",
        [],
        {
            "authority": {"index": 3},
            "shards": {
                "initial": 2,
                "splits": [{"shard": 0, "newShard": 2}, {"shard": 2, "newShard": 3, "at": "median"}],
                "batch": {"max-linger": "2ms"},
            },
            # Terraform's output has null for the mode that is not used
            "database": {
                "external": None,
                "cnpg": {"backup": {"enabled": True, "destinationPath": "s3://backups/authority-3"}},
            },
            "global": {"peers": {"objectStoreCidrs": ["10.0.200.0/24"]}, "trust": {"former": [FORMER]}},
            "secrets": {
                "external": {
                    "enabled": True,
                    "storeRef": {"name": "kms", "kind": "ClusterSecretStore"},
                    "remoteKey": "solidus/authority-3",
                }
            },
        },
    ),
    "authority-external": (
        "solidus-authority",
        [],
        {
            **SASL,
            "database": {
                "mode": "external",
                "synchronousStandbys": 0,
                "cnpg": None,
                "external": {
                    "host": "db.example",
                    "secret": "login",
                    "caSecret": "db-ca",
                    "peers": [{"ipBlock": {"cidr": "10.0.64.0/20"}}],
                },
            },
        },
    ),
    "authority-unregulated": (
        "solidus-authority",
        [],
        {"global": {"network": {"kind": "unregulated"}, "monitoring": {"enabled": False}}},
    ),
    # the database was restored; the job of an earlier split must not run again
    "authority-recovers": (
        "solidus-authority",
        [],
        {
            "authority": {"stopped": True},
            "signer": {"recover": {"enabled": True}, "token": TOKEN, "nodeSelector": {"solidus.io/authority": "1"}},
            "shards": {"splits": [{"shard": 0, "newShard": 2}]},
            "global": {
                "tracing": {
                    "endpoint": "https://collector:4318/v1/traces",
                    "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}],
                }
            },
        },
    ),
    "authority-token": (
        "solidus-authority",
        [],
        {
            "signer": {"token": TOKEN},
            "secrets": {"external": {"enabled": True, "storeRef": {"name": "kms"}, "remoteKey": "one"}},
        },
    ),
    "authority-replica": (
        "solidus-authority",
        [],
        {
            "replica": {
                "enabled": True,
                "properties": {"solidus.replica.parallelism": 2},
                "nodeSelector": {"solidus.io/authority": "1"},
            },
            "secrets": {"external": {"enabled": True, "storeRef": {"name": "kms"}, "remoteKey": "one"}},
        },
    ),
    # gateways that exchange mail have a mailbox each
    "authority-mailboxes": (
        "solidus-authority",
        [],
        {
            "replica": {"enabled": True, "mailboxes": MAILBOXES},
            "secrets": {"external": {"enabled": True, "storeRef": {"name": "kms"}, "remoteKey": "one"}},
        },
    ),
    "operator": ("solidus-operator", [], {}),
    "operator-full": (
        "solidus-operator",
        [],
        {
            **SASL,
            "committee": {
                "size": 7,
                "elsewhere": {"7": {"shardPattern": "a7-{shard}.example:9100", "issuer": "a7-issuer.example:9190"}},
                "peers": [{"ipBlock": {"cidr": "198.51.100.0/24"}}],
            },
            "oidc": {
                "publicKey": "",
                "issuerUri": "https://login.solidus.example/realms/bank",
                "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}],
            },
            "registration": {"serviceClient": {"id": "registration", "parameters": {"scope": "solidus"}}},
            "issuance": {"serviceClient": {"id": "issuance"}},
            "adminIngress": ADMIN_INGRESS,
            "webhooks": WEBHOOKS,
            "tokens": {"enabled": True, "perDay": 32},
            "gateway": {"relay": {"keys": [1, 2]}, "exchange": EXCHANGE},
            "console": CONSOLE,
            "kafkaTopics": {"strimzi": True},
            "paymentTest": {"enabled": True, "payerAddress": "sld1payer", "payeeAddress": "sld1payee"},
            "global": {"kafka": SASL["global"]["kafka"], "tls": {"trustStoreConfigMap": "solidus-trust"}},
        },
    ),
    "operator-elsewhere": (
        "solidus-operator",
        [],
        {
            "committee": {
                "elsewhere": {"2": {"shardPattern": "a2-{shard}.example:9100", "replica": "a2-replica.example:9210"}},
                "peers": [{"ipBlock": {"cidr": "198.51.100.0/24"}}],
            },
            "gateway": {"mailTables": {"interval": "5m", "replicas": True}},
        },
    ),
    "operator-plain": (
        "solidus-operator",
        [],
        {"prover": {"enabled": False}, "ingress": {"enabled": False}, "gateway": {"autoscaling": {"enabled": False}}},
    ),
    "relay": ("solidus-relay", [], {}),
    "relay-plain": (
        "solidus-relay",
        [],
        {
            "relay": {"replicas": 1},
            "ingress": {"enabled": False},
            "global": {"monitoring": {"enabled": False}, "tls": {"trustStoreConfigMap": "gateway-ca"}},
        },
    ),
    "pilot-n4": ("solidus-pilot", [], {}),
    "pilot-n7": ("solidus-pilot", ["values-n7.yaml"], {}),
    # every service in production, with a trace collector
    "pilot-traced": (
        "solidus-pilot",
        [],
        {
            "operator": {
                "oidc": {
                    "publicKey": "",
                    "issuerUri": "https://login.solidus.example/realms/bank",
                    "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}],
                },
                "registration": {"serviceClient": {"id": "registration"}},
                "issuance": {"serviceClient": {"id": "issuance"}},
                "adminIngress": ADMIN_INGRESS,
                "webhooks": WEBHOOKS,
                "tokens": {"enabled": True},
                "gateway": {"exchange": EXCHANGE},
                "console": CONSOLE,
            },
            "global": {
                "production": True,
                "tls": {"trustStoreConfigMap": "solidus-trust", "caConfigMap": "solidus-authorities"},
                "tracing": COLLECTOR,
            },
        },
    ),
    # replicas follow the tables; their keys are in no note yet, so the gateways do not ask them
    "pilot-tables": (
        "solidus-pilot",
        [],
        {
            "operator": {"gateway": {"mailTables": {"interval": "5m"}}},
            **{f"a{i}": {"replica": {"enabled": True}} for i in range(1, 5)},
            "global": {"tracing": COLLECTOR},
        },
    ),
    # private queries for mail
    "pilot-replicas": (
        "solidus-pilot",
        [],
        {
            "operator": {"gateway": {"mailTables": {"interval": "5m", "replicas": True, "replicaKeys": REPLICA_KEYS}}},
            **{f"a{i}": {"replica": {"enabled": True}} for i in range(1, 5)},
            "global": {"tracing": COLLECTOR},
        },
    ),
    "pilot-n10": ("solidus-pilot", ["values-n10.yaml"], {"global": {"namespaces": {"create": True}}}),
}


def helm(chart, files, values, *options):
    """Runs `helm template` with the chart's test values, its values files and more values."""
    folder = HELM_DIR / chart
    command = [HELM, "template", "check", folder, "--kube-version", KUBE, "--namespace", "solidus-release"]
    for file in ("ci/test-values.yaml", *files):
        command += ["-f", folder / file]
    command += ["-f", "-", *options]
    return subprocess.run(command, input=yaml.safe_dump(values), capture_output=True, text=True, check=False)


class Manifests:
    """The manifests of one case."""

    def __init__(self, name):
        done = helm(*CASES[name])
        if done.returncode:
            raise AssertionError(f"{name} does not render: {done.stderr}")
        self.name, self.text = name, done.stdout
        self.all = [d for d in yaml.load_all(done.stdout, LOADER) if d]
        folder = os.environ.get("RENDERED")
        if folder:
            (pathlib.Path(folder) / f"{name}.yaml").write_text(done.stdout)

    @staticmethod
    @functools.cache
    def of(name):
        return Manifests(name)

    def kinds(self, *kinds):
        return [d for d in self.all if d["kind"] in kinds]

    def pods(self):
        """Yields (document, metadata of the pod, spec of the pod)."""
        for document in self.kinds(*PODS):
            template = document if document["kind"] == "Pod" else document["spec"]["template"]
            yield document, template["metadata"], template["spec"]

    def config_map(self, namespace, name):
        maps = {(d["metadata"]["namespace"], d["metadata"]["name"]): d for d in self.kinds("ConfigMap")}
        return maps.get((namespace, name))

    def config_of(self, document, spec):
        """The configuration of a workload's pods: (service, properties)."""
        volume = next(v for v in spec["volumes"] if v["name"] == "config")
        name, namespace = volume["configMap"]["name"], document["metadata"]["namespace"]
        return next(
            (service, config)
            for d, service, config in self.configs()
            if (d["metadata"]["name"], d["metadata"]["namespace"]) == (name, namespace)
        )

    def configs(self):
        """Yields the configuration of each service: (document, service, properties)."""
        for document in self.kinds("ConfigMap"):
            for file, text in document["data"].items():
                if file.endswith(".yml"):
                    service = file.removeprefix("solidus-").removesuffix(".yml")
                    yield document, service, dict(properties.flat(yaml.load(text, LOADER)))


def label(document):
    return f"{document['kind']} {document['metadata'].get('namespace', '')}/{document['metadata']['name']}"


def replicas(manifests, document):
    for scaler in manifests.kinds("HorizontalPodAutoscaler"):
        if (
            scaler["spec"]["scaleTargetRef"]["name"] == document["metadata"]["name"]
            and scaler["metadata"]["namespace"] == document["metadata"]["namespace"]
        ):
            return scaler["spec"]["minReplicas"]
    return document["spec"].get("replicas", 1)


class ManifestTest(unittest.TestCase):
    """A test over the manifests of every case."""

    def each(self):
        return [Manifests.of(name) for name in CASES]
