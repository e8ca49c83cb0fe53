#!/usr/bin/env python3
"""What must hold of the manifests that the charts render. Needs helm ($HELM) and PyYAML, no network and no cluster."""

import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

import network
import observed
import properties

HELM_DIR = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HELM_DIR / "tools"))
import observability  # noqa: E402

ROOT = HELM_DIR.parent
HELM = os.environ.get("HELM", "helm")
KUBE = os.environ.get("KUBE_VERSION", "1.33.0")
PODS = ("Deployment", "StatefulSet", "Job", "Pod")
RECOVERY = "io.solidus.authority.signer.RecoverApplication"
OPERATOR = ("gateway", "prover", "registration", "sanctions", "issuance")

SASL = {"global": {"kafka": {"securityProtocol": "SASL_SSL", "caSecret": "kafka-ca", "saslSecret": "kafka-login", "port": 9096}}}

# a slot as SoftHSM2 draws them
TOKEN = {"enabled": True, "library": "/opt/token/libpkcs11.so", "slot": 1234567890, "keyLabel": "share-kek", "pinSecret": "token-pin",
         "libraryVolume": {"persistentVolumeClaim": {"claimName": "token-library"}}}

# name -> (chart, values files, further values)
CASES = {
    "authority": ("solidus-authority", [], {}),
    "authority-grown": ("solidus-authority", [], {
        "authority": {"index": 3},
        "shards": {"initial": 2, "splits": [{"shard": 0, "newShard": 2}, {"shard": 2, "newShard": 3, "at": "median"}], "batch": {"max-linger": "2ms"}},
        # as Terraform's output says it: what is not used is null
        "database": {"external": None, "cnpg": {"backup": {"enabled": True, "destinationPath": "s3://backups/authority-3"}}},
        "global": {"peers": {"objectStoreCidrs": ["10.0.200.0/24"]}},
        "secrets": {"external": {"enabled": True, "storeRef": {"name": "kms", "kind": "ClusterSecretStore"}, "remoteKey": "solidus/authority-3"}},
    }),
    "authority-external": ("solidus-authority", [], {
        **SASL,
        "database": {"mode": "external", "synchronousStandbys": 0, "cnpg": None,
                     "external": {"host": "db.example", "secret": "login", "caSecret": "db-ca", "peers": [{"ipBlock": {"cidr": "10.0.64.0/20"}}]}},
    }),
    "authority-unregulated": ("solidus-authority", [], {"global": {"network": {"kind": "unregulated"}, "monitoring": {"enabled": False}}}),
    # its database was put back; the splits that it once had are not run
    "authority-recovers": ("solidus-authority", [], {
        "authority": {"stopped": True},
        "signer": {"recover": {"enabled": True}, "token": TOKEN, "nodeSelector": {"solidus.io/authority": "1"}},
        "shards": {"splits": [{"shard": 0, "newShard": 2}]},
        "global": {"tracing": {"endpoint": "https://collector:4318/v1/traces", "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}]}},
    }),
    "authority-token": ("solidus-authority", [], {"signer": {"token": TOKEN}, "secrets": {"external": {"enabled": True, "storeRef": {"name": "kms"}, "remoteKey": "one"}}}),
    "operator": ("solidus-operator", [], {}),
    "operator-full": ("solidus-operator", [], {
        **SASL,
        "committee": {"size": 7, "elsewhere": {"7": {"shardPattern": "a7-{shard}.example:9100", "issuer": "a7-issuer.example:9190"}},
                      "peers": [{"ipBlock": {"cidr": "198.51.100.0/24"}}]},
        "oidc": {"publicKey": "", "issuerUri": "https://login.solidus.example/realms/bank", "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}]},
        "kafkaTopics": {"strimzi": True},
        "paymentTest": {"enabled": True, "payerAddress": "sld1payer", "payeeAddress": "sld1payee"},
        "global": {"kafka": SASL["global"]["kafka"], "tls": {"trustStoreConfigMap": "solidus-trust"}},
    }),
    "operator-plain": ("solidus-operator", [], {"prover": {"enabled": False}, "ingress": {"enabled": False}, "gateway": {"autoscaling": {"enabled": False}}}),
    "pilot-n4": ("solidus-pilot", [], {}),
    "pilot-n7": ("solidus-pilot", ["values-n7.yaml"], {}),
    # every service in production, with a collector of traces
    "pilot-traced": ("solidus-pilot", [], {"operator": {
        "oidc": {"publicKey": "", "issuerUri": "https://login.solidus.example/realms/bank", "peers": [{"ipBlock": {"cidr": "10.0.90.0/24"}}]},
    }, "global": {"production": True, "tls": {"trustStoreConfigMap": "solidus-trust", "caConfigMap": "solidus-authorities"}, "tracing": {
        "endpoint": "https://collector.monitoring.svc.cluster.local:4318/v1/traces",
        "peers": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}, "podSelector": {"matchLabels": {"app.kubernetes.io/name": "collector"}}}]}}}),
    "pilot-n10": ("solidus-pilot", ["values-n10.yaml"], {"global": {"namespaces": {"create": True}}}),
}


def helm(chart, files, values):
    command = [HELM, "template", "check", str(HELM_DIR / chart), "--kube-version", KUBE, "--namespace", "solidus-release", "-f", str(HELM_DIR / chart / "ci/test-values.yaml")]
    for file in files:
        command += ["-f", str(HELM_DIR / chart / file)]
    return subprocess.run([*command, "-f", "-"], input=yaml.safe_dump(values), capture_output=True, text=True, check=False)


class Manifests:
    """One rendered case."""

    cache = {}

    def __init__(self, name):
        done = helm(*CASES[name])
        if done.returncode:
            raise AssertionError(f"{name} does not render: {done.stderr}")
        self.name, self.text = name, done.stdout
        self.all = [d for d in yaml.safe_load_all(done.stdout) if d]
        folder = os.environ.get("RENDERED")
        if folder:
            (pathlib.Path(folder) / f"{name}.yaml").write_text(done.stdout)

    @classmethod
    def of(cls, name):
        if name not in cls.cache:
            cls.cache[name] = cls(name)
        return cls.cache[name]

    def kinds(self, *kinds):
        return [d for d in self.all if d["kind"] in kinds]

    def pods(self):
        """(document, pod's metadata, pod's spec)"""
        for document in self.kinds(*PODS):
            template = document if document["kind"] == "Pod" else document["spec"]["template"]
            yield document, template["metadata"], template["spec"]

    def config_map(self, namespace, name):
        return next((d for d in self.kinds("ConfigMap") if d["metadata"]["name"] == name and d["metadata"]["namespace"] == namespace), None)

    def configs(self):
        """(document, service, properties) of each service's configuration"""
        for document in self.kinds("ConfigMap"):
            for file, text in document["data"].items():
                if file.endswith(".yml"):
                    yield document, file.removeprefix("solidus-").removesuffix(".yml"), dict(properties.flat(yaml.safe_load(text)))


def label(document):
    return f"{document['kind']} {document['metadata'].get('namespace', '')}/{document['metadata']['name']}"


def replicas(manifests, document):
    for scaler in manifests.kinds("HorizontalPodAutoscaler"):
        if scaler["spec"]["scaleTargetRef"]["name"] == document["metadata"]["name"] and scaler["metadata"]["namespace"] == document["metadata"]["namespace"]:
            return scaler["spec"]["minReplicas"]
    return document["spec"].get("replicas", 1)


class EachCase(unittest.TestCase):
    """Rules for every case."""

    def each(self):
        return [Manifests.of(name) for name in CASES]

    def test_names_are_unique_and_nothing_is_in_the_releases_namespace(self):
        for m in self.each():
            names = [label(d) for d in m.all]
            self.assertEqual(len(names), len(set(names)), [n for n in names if names.count(n) > 1])
            for d in m.all:
                if d["kind"] not in ("Namespace", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"):
                    self.assertNotIn(d["metadata"].get("namespace"), (None, "", "solidus-release"), label(d))

    def test_every_container_is_restricted(self):
        for m in self.each():
            for document, _, spec in m.pods():
                where = label(document)
                self.assertIs(spec["automountServiceAccountToken"], False, where)
                for key in ("hostNetwork", "hostPID", "hostIPC"):
                    self.assertFalse(spec.get(key), where)
                pod = spec["securityContext"]
                self.assertTrue(pod["runAsNonRoot"] and pod["runAsUser"] >= 10000 and pod["seccompProfile"] == {"type": "RuntimeDefault"}, where)
                for container in spec["containers"] + spec.get("initContainers", []):
                    c = container["securityContext"]
                    self.assertEqual(
                        (c["allowPrivilegeEscalation"], c["readOnlyRootFilesystem"], c["runAsNonRoot"], c["privileged"], c["capabilities"], c["seccompProfile"]),
                        (False, True, True, False, {"drop": ["ALL"]}, {"type": "RuntimeDefault"}), where)
                    self.assertIn("memory", container["resources"]["limits"], where)
                    self.assertIn("cpu", container["resources"]["requests"], where)
                for volume in spec["volumes"]:
                    kinds = set(volume) - {"name"}
                    if "projected" in volume:
                        # no token of a service account comes in that way
                        kinds = {kind for source in volume["projected"]["sources"] for kind in source}
                        self.assertLessEqual(volume["projected"]["defaultMode"], 0o440, f"{where}: {volume['name']}")
                    self.assertTrue(kinds <= {"configMap", "secret", "emptyDir", "persistentVolumeClaim"}, f"{where}: {kinds}")

    def test_images_have_a_version(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"] + spec.get("initContainers", []):
                    self.assertRegex(container["image"], r"^[a-z0-9./-]+(:(?!latest$)[A-Za-z0-9][\w.-]*|@sha256:[0-9a-f]{64})$", label(document))

    def test_no_secret_is_written_out(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"] + spec.get("initContainers", []):
                    for variable in container.get("env", []):
                        if re.search(r"PASS|SECRET|TOKEN|KEY|SEED", variable["name"]):
                            self.assertNotIn("value", variable, f"{label(document)}: {variable['name']}")
                        self.assertNotRegex(str(variable.get("value", "")), r"(?i)(password|secret)\w*=", label(document))
            for document, service, config in m.configs():
                for name, value in config.items():
                    secret = re.search(r"password|jaas|secret|token(?!-file)|seed(?!$)", name.rsplit(".", 1)[-1])
                    self.assertFalse(secret and not str(value).startswith("/"), f"{label(document)}: {name}")
            for document in m.kinds("Secret"):
                self.assertEqual(document["stringData"], {"password": "changeit"}, label(document))

    def test_probes_are_apart_and_a_database_restarts_nobody(self):
        for m in self.each():
            for document, _, spec in m.pods():
                if document["kind"] in ("Job", "Pod"):
                    continue
                for container in spec["containers"]:
                    paths = {k: container[k]["httpGet"]["path"] for k in ("startupProbe", "livenessProbe", "readinessProbe")}
                    self.assertEqual(paths["livenessProbe"], "/actuator/health/liveness")
                    self.assertEqual(paths["startupProbe"], "/actuator/health/liveness")
                    self.assertEqual(paths["readinessProbe"], "/actuator/health/readiness")
                    ports = {p["name"] for p in container["ports"]}
                    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                        self.assertIn(container[probe]["httpGet"]["port"], ports, label(document))
                    startup = container["startupProbe"]
                    self.assertGreaterEqual(startup["periodSeconds"] * startup["failureThreshold"], 120, label(document))
        for file in (ROOT / "services").glob("*/src/main/resources/solidus-*.yml"):
            self.assertNotIn("group.liveness", file.read_text(), f"{file}: liveness depends on nothing outside the process")

    def test_a_pod_is_not_killed_before_it_has_stopped(self):
        for m in self.each():
            for document, _, spec in m.pods():
                if document["kind"] in ("Job", "Pod"):
                    continue
                container = spec["containers"][0]
                mount = next(v for v in spec["volumes"] if v["name"] == "config")
                files = m.config_map(document["metadata"]["namespace"], mount["configMap"]["name"])["data"]
                config = dict(properties.flat(yaml.safe_load(next(v for k, v in files.items() if k.endswith(".yml")))))
                phase = int(config["spring.lifecycle.timeout-per-shutdown-phase"].rstrip("s"))
                grpc = int(config.get("spring.grpc.server.shutdown.grace-period", "0s").rstrip("s"))
                before = container["lifecycle"]["preStop"]["sleep"]["seconds"]
                self.assertGreaterEqual(before, 5, label(document))
                # servers stop in one phase, what they need in another
                self.assertGreaterEqual(spec["terminationGracePeriodSeconds"], before + 2 * phase + grpc + 10, label(document))

    def test_disruption_budgets_fit(self):
        for m in self.each():
            covered = set()
            for budget in m.kinds("PodDisruptionBudget"):
                total = 0
                for document, metadata, _ in m.pods():
                    if document["metadata"]["namespace"] == budget["metadata"]["namespace"] and network.matches(budget["spec"]["selector"], metadata["labels"]):
                        self.assertIn(document["kind"], ("Deployment", "StatefulSet"), "a budget counts pods that somebody replaces")
                        total += replicas(m, document)
                        self.assertNotIn(label(document), covered, "two budgets for one pod refuse every eviction")
                        covered.add(label(document))
                self.assertEqual(budget["spec"]["maxUnavailable"], 1, label(budget))
                self.assertGreaterEqual(total, 2, f"{label(budget)} protects {total}")
            for document in m.kinds("Deployment", "StatefulSet"):
                if replicas(m, document) > 1:
                    self.assertIn(label(document), covered, "no budget")

    def test_only_gateway_and_prover_scale_by_themselves(self):
        for m in self.each():
            scaled = {d["spec"]["scaleTargetRef"]["name"] for d in m.kinds("HorizontalPodAutoscaler")}
            self.assertLessEqual(scaled, {"gateway", "prover"})
            for document in m.kinds("Deployment"):
                self.assertEqual("replicas" in document["spec"], document["metadata"]["name"] not in scaled, label(document))

    def test_pods_of_a_kind_are_spread(self):
        for m in self.each():
            for document, metadata, spec in m.pods():
                if document["kind"] in ("Deployment", "StatefulSet") and replicas(m, document) > 1:
                    keys = {c["topologyKey"] for c in spec["topologySpreadConstraints"]}
                    self.assertEqual(keys, {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}, label(document))
                    for c in spec["topologySpreadConstraints"]:
                        self.assertTrue(network.matches(c["labelSelector"], metadata["labels"]), label(document))

    def test_services_reach_pods(self):
        for m in self.each():
            for service in m.kinds("Service"):
                pods = [(d, s) for d, md, s in m.pods() if d["metadata"]["namespace"] == service["metadata"]["namespace"]
                        and network.matches({"matchLabels": service["spec"]["selector"]}, md["labels"])]
                self.assertEqual(len(pods), 1, label(service))
                names = {p["name"]: p["containerPort"] for c in pods[0][1]["containers"] for p in c["ports"]}
                for port in service["spec"]["ports"]:
                    self.assertEqual(names[port["targetPort"]], port["port"], label(service))

    def test_every_file_in_a_configuration_is_mounted(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    claims = [c["metadata"]["name"] for c in document["spec"].get("volumeClaimTemplates", [])] if document["kind"] == "StatefulSet" else []
                    volumes = [v["name"] for v in spec["volumes"]] + claims
                    mounts = {v["mountPath"]: v["name"] for v in container["volumeMounts"]}
                    self.assertLessEqual(set(mounts.values()), set(volumes), label(document))
                    self.assertEqual(len(volumes), len(set(volumes)), label(document))
                    config = next((v for v in spec["volumes"] if v["name"] == "config"), None)
                    if not config:
                        continue
                    text = str(m.config_map(document["metadata"]["namespace"], config["configMap"]["name"])["data"])
                    # a recovery has the signer's configuration and reads neither share nor PIN
                    unread = "/var/run/solidus/share/" if RECOVERY in container["args"] else "-"
                    for path in re.findall(r"/var/(?:run|lib)/solidus/[\w./-]+", text):
                        if path.startswith(unread):
                            continue
                        self.assertTrue(any(path.startswith(p + "/") or path.rstrip("/") == p for p in mounts), f"{label(document)}: {path}")

    def test_every_property_exists(self):
        ours = properties.own(ROOT / "services")
        self.assertGreater(len(ours), 100)
        boot = re.search(r"<artifactId>spring-boot-starter-parent</artifactId>\s*<version>([^<]+)", (ROOT / "pom.xml").read_text()).group(1)
        springs = properties.spring(boot, os.environ.get("MAVEN_REPOSITORY"))
        maps = {n for n, t in {**ours, **springs}.items() if t.startswith(("Map<", "java.util.Map<"))} | {"spring.ssl.bundle.pem"}
        for m in self.each():
            for document, _, config in m.configs():
                for name in config:
                    if name.startswith("solidus."):
                        self.assertTrue(properties.known(name, ours, maps), f"{label(document)}: {name}")
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    for argument in container.get("args", []):
                        match = re.match(r"--((?:solidus|spring)[\w.-]+)=", argument)
                        if match:
                            self.assertIn(match.group(1), {**ours, **springs} if springs else {**ours, match.group(1): ""}, label(document))
                    for variable in container.get("env", []):
                        if variable["name"].startswith("SOLIDUS_"):
                            self.assertIn(variable["name"], {re.sub(r"[-]", "", n).replace(".", "_").upper() for n in ours}, label(document))
        if not springs:
            self.skipTest(f"names of Spring's own properties not compared: no jars of Spring Boot {boot} on this machine")
        for m in self.each():
            for document, _, config in m.configs():
                for name in config:
                    if not name.startswith("solidus."):
                        self.assertTrue(properties.known(name, springs, maps), f"{label(document)}: {name}")

    def test_addresses_lead_to_a_service_with_a_certificate_for_that_name(self):
        for m in self.each():
            services = {(d["metadata"]["name"], d["metadata"]["namespace"]): d for d in m.kinds("Service")}
            certificates = {d["spec"]["secretName"] + "/" + d["metadata"]["namespace"]: d["spec"]["dnsNames"] for d in m.kinds("Certificate")}
            for document, _, config in m.configs():
                for name, value in config.items():
                    found = re.search(r"(?:^|//)([\w.{}-]+)\.svc\.cluster\.local:(\d+)$", str(value))
                    if not found or not name.startswith("solidus."):
                        continue
                    host, port = found.group(1).replace("{shard}", "0"), int(found.group(2))
                    *_, service, namespace = host.split(".")
                    here = m.name.startswith("pilot") or (service, namespace) in services
                    if not here:
                        continue  # a service of another chart
                    self.assertIn((service, namespace), services, f"{label(document)}: {name}={value}")
                    self.assertIn(port, [p["port"] for p in services[(service, namespace)]["spec"]["ports"]], f"{name}={value}")
                    names = certificates[f"{service}-tls/{namespace}"]
                    full = host + ".svc.cluster.local"
                    self.assertTrue(any(n == full or (n.startswith("*.") and full.split(".", 1)[1] == n[2:]) for n in names), f"{full} is in none of {names}")

    def test_files_of_secrets_are_for_the_pods_group_at_most(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for volume in spec["volumes"]:
                    if "secret" in volume:
                        only_public = {i["key"] for i in volume["secret"].get("items", [])} == {"truststore.jks"}
                        self.assertLessEqual(volume["secret"]["defaultMode"], 0o444 if only_public else 0o440, f"{label(document)}: {volume['name']}")

    def test_alerts_have_runbooks_and_ask_for_what_the_reference_names(self):
        known, recorded = observed.known(), observed.recorded()
        for m in self.each():
            for document in m.kinds("PrometheusRule"):
                for rule in (r for g in document["spec"]["groups"] for r in g["rules"]):
                    where = f"{label(document)}: {rule.get('alert', rule.get('record'))}"
                    self.asks_for(rule["expr"], known | recorded, document["metadata"]["namespace"], where)
                    if "alert" in rule:
                        self.assertIn(rule["labels"]["severity"], ("critical", "warning"), where)
                        self.assertEqual(rule["annotations"]["runbook_url"], f"docs/runbooks/{rule['alert']}.md")
                        wrong = []
                        observed.check_runbook(rule["alert"], wrong)
                        self.assertEqual(wrong, [])
            for document in m.kinds("ConfigMap"):
                for file, text in document["data"].items():
                    if file.endswith(".json"):
                        self.assertNotIn("__", text.replace("$__", ""), label(document))
                        for panel in json.loads(text)["panels"]:
                            for target in panel.get("targets", []):
                                self.asks_for(target["expr"], known | recorded, document["metadata"]["namespace"], f"{label(document)}: {panel['title']}")

    def asks_for(self, expression, names, namespace, where):
        """Series that exist, and of the release's own namespace, each of them."""
        if expression.startswith("vector("):
            return
        wanted = observed.metrics_in(expression)
        self.assertLessEqual(wanted, names, where)
        self.assertGreaterEqual(len(wanted), 1, where)
        for name in wanted:
            self.assertNotRegex(expression, rf'(?<![\w:]){name}(?![\w:])(?!\{{namespace="{namespace}"[,}}])', where)

    def test_every_alert_of_the_source_is_in_a_chart_and_no_other(self):
        source = {r["alert"] for _, r in observed.rules() if "alert" in r}
        charts = {r["alert"] for m in self.each() for d in m.kinds("PrometheusRule") for g in d["spec"]["groups"] for r in g["rules"] if "alert" in r}
        self.assertEqual(charts, source)
        self.assertGreater(len(source), 30)

    def test_as_many_processes_are_wanted_as_there_are(self):
        for m in self.each():
            for document in m.kinds("PrometheusRule"):
                wanted = {r["labels"]["component"]: r["expr"] for g in document["spec"]["groups"] for r in g["rules"] if r.get("record") == "solidus:processes_wanted:count"}
                there = {}
                for workload, metadata, _ in m.pods():
                    if workload["kind"] in ("Deployment", "StatefulSet") and workload["metadata"]["namespace"] == document["metadata"]["namespace"]:
                        there[metadata["labels"]["app.kubernetes.io/name"]] = f"vector({replicas(m, workload)})"
                self.assertEqual(wanted, there, label(document))

    def test_rules_fire_about_their_own_namespace_and_no_other(self):
        promtool = observed.promtool()
        if not promtool:
            self.skipTest("the charts' rules not run through the rules' tests: no promtool")
        for file, own in (("authority", "authority-1"), ("slo", "solidus"), ("operator", "solidus"), ("common", "solidus")):
            for namespace in (own, "elsewhere"):
                with self.subTest(file=file, namespace=namespace):
                    self.assertEqual(observed.run_tests(promtool, observability.rules([file]), file, namespace, quiet=namespace != own), "")

    def test_lines_of_logs_and_profiles(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    if "io.solidus.wallet.cli.WalletMain" not in container["args"]:
                        profiles = {v["name"]: v.get("value") for v in container["env"]}["SPRING_PROFILES_ACTIVE"]
                        self.assertEqual(profiles, "json-logs,production" if m.name == "pilot-traced" else "json-logs", label(document))
            for document, _, config in m.configs():
                self.assertNotIn("logging.structured.format.console", config, "the profile says it, with its redaction")
                self.assertEqual("solidus.tracing.endpoint" in config, m.name in ("pilot-traced", "authority-recovers"), label(document))

    def test_service_monitors_select_one_service_and_its_port(self):
        for m in self.each():
            for monitor in m.kinds("ServiceMonitor"):
                chosen = [s for s in m.kinds("Service") if s["metadata"]["namespace"] == monitor["metadata"]["namespace"]
                          and network.matches(monitor["spec"]["selector"], s["metadata"]["labels"])]
                self.assertEqual(len(chosen), 1, label(monitor))
                self.assertIn(monitor["spec"]["endpoints"][0]["port"], [p["name"] for p in chosen[0]["spec"]["ports"]])

    def test_actuators_are_on_no_public_port(self):
        for m in self.each():
            for ingress in m.kinds("Ingress"):
                for rule in ingress["spec"]["rules"]:
                    for path in rule["http"]["paths"]:
                        self.assertEqual(path["backend"]["service"]["port"], {"name": "https"}, label(ingress))
            for document, service, config in m.configs():
                if service in ("gateway", "registration", "sanctions", "issuance"):
                    self.assertEqual((config["management.server.port"], config["management.server.ssl.enabled"], config["server.ssl.bundle"]), (9464, False, "internal"))
                else:
                    self.assertEqual((config["spring.grpc.server.ssl.bundle"], config["spring.grpc.server.ssl.client-auth"]), ("internal", "require"))
                if service in ("validator", "compliance-issuer", "gateway"):
                    self.assertEqual(config["solidus.grpc.ssl-bundle"], "internal")
                self.assertNotIn("solidus.grpc.allow-plaintext", config)
                self.assertEqual(config["solidus.http-client.ssl-bundle"], "internal")

    def test_running_processes_see_renewed_certificates(self):
        for m in self.each():
            for document, _, config in m.configs():
                bundles = {re.match(r"spring\.ssl\.bundle\.pem\.(\w+)\.", name).group(1) for name in config if name.startswith("spring.ssl.bundle.pem.")}
                self.assertIn("internal", bundles, label(document))
                for bundle in bundles:
                    self.assertIs(config[f"spring.ssl.bundle.pem.{bundle}.reload-on-update"], True, f"{label(document)}: {bundle}")
            for document, _, spec in m.pods():
                for container in [*spec["containers"], *spec.get("initContainers", [])]:
                    for mount in container.get("volumeMounts", []):
                        self.assertNotIn("subPath", mount, f"{label(document)}: nothing mounted so is ever renewed")

    def test_two_authorities_are_trusted_while_one_follows_the_other(self):
        found = 0
        for document, _, spec in Manifests.of("pilot-traced").pods():
            folder = next((v for v in spec["volumes"] if v["name"] == "tls"), None)
            if folder:
                found += 1
                secret, authorities = (next(s[kind] for s in folder["projected"]["sources"] if kind in s) for kind in ("secret", "configMap"))
                self.assertEqual({i["path"] for i in secret["items"]}, {"tls.crt", "tls.key"}, label(document))
                self.assertEqual(authorities, {"name": "solidus-authorities", "items": [{"key": "ca.crt", "path": "ca.crt"}]}, label(document))
        self.assertGreater(found, 1, "pods with certificates")


class Arrows(unittest.TestCase):
    """The network policies let through the arrows of the architecture, and nothing else."""

    OUTSIDE = {
        "INGRESS": network.Outsider("INGRESS", "ingress-nginx", (("app.kubernetes.io/name", "ingress-nginx"),)),
        "METRICS": network.Outsider("METRICS", "monitoring", (("app.kubernetes.io/name", "prometheus"),)),
        "POSTGRES-OPERATOR": network.Outsider("POSTGRES-OPERATOR", "cnpg-system"),
        "DNS": network.Outsider("DNS", "kube-system", (("k8s-app", "kube-dns"),)),
        "KAFKA": network.Outsider("KAFKA", "kafka"),
        "KUBERNETES": network.Outsider("KUBERNETES", address="10.0.3.4"),
        "OPERATOR-DATABASE": network.Outsider("OPERATOR-DATABASE", address="10.0.64.9"),
        "PUBLIC": network.Outsider("PUBLIC", address="203.0.113.7"),
        "COLLECTOR": network.Outsider("COLLECTOR", "monitoring", (("app.kubernetes.io/name", "collector"),)),
        # whom no arrow names
        "STRANGER": network.Outsider("STRANGER", "default", (("app.kubernetes.io/name", "gateway"), ("app.kubernetes.io/part-of", "solidus"))),
        "NOT-PROMETHEUS": network.Outsider("NOT-PROMETHEUS", "monitoring", (("app.kubernetes.io/name", "curious"),)),
        "INTERNET": network.Outsider("INTERNET", address="192.0.2.1"),
    }
    PORTS = (53, 443, 4318, 6443, 5432, 8000, 8080, 8081, 8082, 8083, 8089, 8090, 8091, 8092, 8093, 9090, 9092, 9093, 9100, 9110, 9187, 9190, 9200, 9464, 22)

    def wanted(self, size, traced):
        arrows = set()
        for line in (HELM_DIR / "tests/arrows.txt").read_text().splitlines():
            if not line.strip() or line.startswith("#") or line.endswith("with tracing") and not traced:
                continue
            sender, _, receiver, port = line.removesuffix("with tracing").split()
            for i in range(1, size + 1) if "a#" in line else (0,):
                arrows.add((sender.replace("a#", f"a{i}"), receiver.replace("a#", f"a{i}"), int(port)))
        return arrows

    def pods(self, m, size):
        found = []
        for document, metadata, _ in m.pods():
            labels = metadata["labels"]
            authority = labels.get("solidus.io/authority")
            name = labels["app.kubernetes.io/name"]
            found.append(network.Pod(f"a{authority}.{name}" if authority else name, document["metadata"]["namespace"], tuple(labels.items())))
        for cluster in m.kinds("Cluster"):
            labels = {**cluster["spec"]["inheritedMetadata"]["labels"], "cnpg.io/cluster": cluster["metadata"]["name"]}
            found.append(network.Pod(f"a{labels['solidus.io/authority']}.database", cluster["metadata"]["namespace"], tuple(labels.items())))
        for i in range(1, size + 1):
            # jobs that no release of today has; their policies wait for them
            for job in ("split", "recover"):
                labels = {"app.kubernetes.io/part-of": "solidus", "app.kubernetes.io/name": job, "solidus.io/authority": str(i)}
                found.append(network.Pod(f"a{i}.{job}", f"solidus-authority-{i}", tuple(labels.items())))
        return found

    def test_exactly_the_arrows(self):
        for case, size in (("pilot-n4", 4), ("pilot-traced", 4), ("pilot-n10", 10)):
            with self.subTest(case=case):
                m = Manifests.of(case)
                policies = network.Policies(m.kinds("NetworkPolicy"))
                pods = self.pods(m, size)
                ends = [*pods, *self.OUTSIDE.values()]
                passing = {(s.name, r.name, port) for s in ends for r in ends if isinstance(s, network.Pod) or isinstance(r, network.Pod)
                           for port in self.PORTS if policies.allowed(s, r, port)}
                wanted = self.wanted(size, case == "pilot-traced")
                self.assertEqual(sorted(passing - wanted), [], "pass and are in no arrow")
                self.assertEqual(sorted(wanted - passing), [], "arrows that do not pass")

    def test_every_namespace_denies_what_is_not_named(self):
        for case in CASES:
            m = Manifests.of(case)
            denied = {p["metadata"]["namespace"] for p in m.kinds("NetworkPolicy") if p["spec"]["podSelector"] == {} and "ingress" not in p["spec"] and "egress" not in p["spec"]}
            self.assertEqual({d["metadata"]["namespace"] for d, _, _ in m.pods()}, denied, case)

    def test_the_evaluator_sees_a_missing_and_a_superfluous_rule(self):
        m = Manifests.of("pilot-n4")
        gateway = next(p for p in self.pods(m, 4) if p.name == "gateway")
        shard = next(p for p in self.pods(m, 4) if p.name == "a1.shard")
        without = [p for p in m.kinds("NetworkPolicy") if p["metadata"]["name"] != "gateway"]
        self.assertFalse(network.Policies(without).allowed(gateway, shard, 9100))
        self.assertTrue(network.Policies([]).allowed(gateway, shard, 22))


class Authority(unittest.TestCase):
    def test_one_shard_for_each_range(self):
        for case, count in (("authority", 2), ("authority-grown", 4)):
            m = Manifests.of(case)
            shards = next(d for d in m.kinds("StatefulSet") if d["metadata"]["name"].endswith("-shard"))
            self.assertEqual(shards["spec"]["replicas"], count)
            config = next(c for d, s, c in m.configs() if s == "validator")
            self.assertEqual(config["solidus.validator.initial-shards"], 2, "the first map does not grow with the shards")
        jobs = Manifests.of("authority-grown").kinds("Job")
        self.assertEqual([j["metadata"]["name"] for j in sorted(jobs, key=lambda j: int(j["metadata"]["annotations"]["helm.sh/hook-weight"]))],
                         ["authority-3-split-2", "authority-3-split-3"])
        self.assertIn("--solidus.split.at=median", jobs[1]["spec"]["template"]["spec"]["containers"][0]["args"])
        for job in jobs:
            self.assertEqual(job["metadata"]["annotations"]["helm.sh/hook"], "post-install,post-upgrade")

    def test_the_share_and_the_logs_are_one_process_s(self):
        for case in ("authority", "pilot-n10"):
            for signer in [d for d in Manifests.of(case).kinds("StatefulSet") if d["metadata"]["name"].endswith("-signer")]:
                self.assertEqual(signer["spec"]["replicas"], 1)
                claims = {c["metadata"]["name"]: c for c in signer["spec"]["volumeClaimTemplates"]}
                self.assertEqual(set(claims), {"sign-log", "anchor"})
                for claim in claims.values():
                    self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOncePod"])
                self.assertEqual(claims["anchor"]["metadata"]["labels"]["velero.io/exclude-from-backup"], "true")
                self.assertEqual(signer["spec"]["persistentVolumeClaimRetentionPolicy"], {"whenDeleted": "Retain", "whenScaled": "Retain"})
        users = [label(d) for d, _, s in Manifests.of("pilot-n4").pods() for v in s["volumes"]
                 if any(i.get("key") == "share.json" for i in v.get("secret", {}).get("items", []))]
        self.assertEqual(users, [f"StatefulSet solidus-authority-{i}/authority-{i}-signer" for i in range(1, 5)])

    def test_a_recovery_has_the_signers_volumes_and_no_share_while_nothing_else_runs(self):
        m = Manifests.of("authority-recovers")
        for document in m.kinds("StatefulSet", "Deployment"):
            self.assertEqual(document["spec"]["replicas"], 0, label(document))
        self.assertEqual(m.kinds("PodDisruptionBudget"), [])
        shards, signer = (next(d for d in m.kinds("StatefulSet") if d["metadata"]["name"] == f"authority-1-{name}") for name in ("shard", "signer"))
        # or the API server would refuse to scale them down, or forget how many there are
        self.assertEqual(shards["metadata"]["annotations"], {"solidus.io/shards": "3", "solidus.io/stopped": "true"})
        usual = next(d for d in Manifests.of("authority").kinds("StatefulSet") if d["metadata"]["name"] == "authority-1-shard")
        self.assertEqual(usual["metadata"]["annotations"], {"solidus.io/shards": "2"})

        self.assertEqual([j["metadata"]["name"] for j in m.kinds("Job")], ["authority-1-recover"])
        job = m.kinds("Job")[0]
        pod, usual = job["spec"]["template"]["spec"], signer["spec"]["template"]["spec"]
        self.assertEqual((job["metadata"]["namespace"], job["spec"]["backoffLimit"], pod["restartPolicy"]), (signer["metadata"]["namespace"], 0, "Never"))
        self.assertEqual(job["metadata"]["annotations"]["helm.sh/hook-delete-policy"], "before-hook-creation", "the same command makes it anew")
        container, its = pod["containers"][0], usual["containers"][0]
        self.assertNotIn("initContainers", pod)
        self.assertIn(RECOVERY, container["args"])
        self.assertIn("--solidus.recover.log-is-newest=false", container["args"])
        self.assertIn("--solidus.tracing.endpoint=", container["args"], "its network policy knows no collector")
        self.assertEqual((container["image"], pod["nodeSelector"]), (its["image"], usual["nodeSelector"]))

        claims = {v["name"]: v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"] if "persistentVolumeClaim" in v}
        self.assertEqual(claims, {"sign-log": "sign-log-authority-1-signer-0", "anchor": "anchor-authority-1-signer-0"})
        self.assertEqual(claims, {c["metadata"]["name"]: f"{c['metadata']['name']}-{signer['metadata']['name']}-0" for c in signer["spec"]["volumeClaimTemplates"]})
        here = {n["name"]: n["mountPath"] for n in container["volumeMounts"]}
        there = {n["name"]: n["mountPath"] for n in its["volumeMounts"]}
        # all that the signer has, but nothing of its share, its PIN or its token
        self.assertEqual(here, {n: p for n, p in there.items() if n not in ("share", "token-library")})
        self.assertNotRegex(str(pod), r"share|pin|authority-keys")

        vouched = helm("solidus-authority", [], {"authority": {"stopped": True}, "signer": {"recover": {"enabled": True, "logIsNewest": True}}}).stdout
        self.assertIn("--solidus.recover.log-is-newest=true", vouched)

    def test_a_stopped_authority_has_no_processes_and_no_jobs(self):
        done = helm("solidus-authority", [], {"authority": {"stopped": True}, "shards": {"splits": [{"shard": 0, "newShard": 2}]}})
        documents = [d for d in yaml.safe_load_all(done.stdout) if d]
        self.assertEqual({d["metadata"]["name"]: d["spec"]["replicas"] for d in documents if d["kind"] in ("StatefulSet", "Deployment")},
                         {"authority-1-shard": 0, "authority-1-signer": 0, "authority-1-compliance-issuer": 0})
        self.assertEqual([d for d in documents if d["kind"] == "Job"], [])
        self.assertEqual(len([d for d in documents if d["kind"] == "Cluster"]), 1, "its database is what is put back")

    def test_a_share_that_a_token_wrapped(self):
        m = Manifests.of("authority-token")
        config = next(c for _, s, c in m.configs() if s == "signer")
        self.assertEqual({n: v for n, v in config.items() if "token" in n or "share" in n}, {
            "solidus.signer.share-file": "/var/run/solidus/share/share.wrapped",
            "solidus.signer.token.library": "/opt/token/libpkcs11.so",
            "solidus.signer.token.slot": 1234567890,
            "solidus.signer.token.key-label": "share-kek",
            "solidus.signer.token.pin-file": "/var/run/solidus/share/pin",
        })
        pod = next(s for d, _, s in m.pods() if d["metadata"]["name"] == "authority-1-signer")
        self.assertEqual([c["command"] for c in pod["initContainers"]], [
            ["install", "-m", "0400", "/var/run/solidus/share-secret/share.wrapped", "/var/run/solidus/share/share.wrapped"],
            # the signer refuses a PIN that its group may read, as it may a secret's files
            ["install", "-m", "0400", "/var/run/solidus/pin-secret/pin", "/var/run/solidus/share/pin"],
        ])
        volumes = {v["name"]: v for v in pod["volumes"]}
        self.assertEqual(volumes["share"]["emptyDir"]["medium"], "Memory")
        self.assertEqual(volumes["share-secret"]["secret"]["items"], [{"key": "share.wrapped", "path": "share.wrapped"}])
        self.assertEqual((volumes["pin-secret"]["secret"]["secretName"], volumes["pin-secret"]["secret"]["defaultMode"]), ("token-pin", 0o440))
        self.assertEqual(volumes["token-library"], {"name": "token-library", "persistentVolumeClaim": {"claimName": "token-library"}})
        mounts = {n["name"]: n for n in pod["containers"][0]["volumeMounts"]}
        self.assertEqual(mounts["token-library"], {"name": "token-library", "mountPath": "/opt/token", "readOnly": True})
        self.assertNotIn("pin-secret", mounts)
        self.assertNotIn("share-secret", mounts)
        self.assertEqual([e["secretKey"] for e in m.kinds("ExternalSecret")[0]["spec"]["data"]], ["share.wrapped", "note.seed"])

        for document in m.all:
            if document["metadata"]["name"] not in ("authority-1-signer", "authority-keys"):
                self.assertNotRegex(str(document), r"share\.(json|wrapped)|token-pin", label(document))
        in_the_image = helm("solidus-authority", [], {"signer": {"token": {**TOKEN, "library": "/usr/lib/libpkcs11.so", "libraryVolume": None}}})
        self.assertIn("token.library: /usr/lib/libpkcs11.so", in_the_image.stdout)
        self.assertNotIn("token-library", in_the_image.stdout)

    def test_what_a_sign_log_belongs_to_outlives_the_release(self):
        for case in CASES:
            m = Manifests.of(case)
            kept = sorted(label(d) for d in m.all if d["metadata"].get("annotations", {}).get("helm.sh/resource-policy") == "keep")
            databases = m.kinds("Cluster")
            for cluster in databases:
                self.assertIn(label(cluster), kept)
                # or whoever is in the cluster could talk to it
                its = [p for p in m.kinds("NetworkPolicy") if p["metadata"]["namespace"] == cluster["metadata"]["namespace"]
                       and network.matches(p["spec"]["podSelector"], cluster["spec"]["inheritedMetadata"]["labels"]) and p["spec"]["podSelector"]]
                self.assertEqual([label(p) in kept and sorted(p["spec"]["policyTypes"]) for p in its], [["Egress", "Ingress"]])
            claims = [d for d in m.kinds("PersistentVolumeClaim") if d["metadata"]["name"] == "issuance-anchor"]
            self.assertEqual(len(kept), 2 * len(databases) + len(claims) + len(m.kinds("Namespace")), kept)

    def test_the_database_waits_for_as_many_standbys_as_are_demanded(self):
        for case in CASES:
            m = Manifests.of(case)
            for cluster in m.kinds("Cluster"):
                spec = cluster["spec"]
                mine = [c for d, s, c in m.configs() if d["metadata"]["namespace"] == cluster["metadata"]["namespace"] and s in ("validator", "signer")]
                demanded = {c["solidus.validator.synchronous-standbys"] for c in mine}
                self.assertEqual(demanded, {spec["postgresql"]["synchronous"]["number"]})
                self.assertEqual(spec["postgresql"]["synchronous"]["dataDurability"], "required")
                self.assertLess(spec["postgresql"]["synchronous"]["number"], spec["instances"])
                self.assertEqual(spec["postgresql"]["parameters"]["synchronous_commit"], "on")

    def test_shards_and_signer_agree_on_windows(self):
        configs = {s: c for _, s, c in Manifests.of("authority").configs()}
        for name in ("policy-grace", "period-grace", "heartbeat-max-age", "authority"):
            self.assertEqual(configs["validator"][f"solidus.validator.{name}"], configs["signer"][f"solidus.signer.{name}"], name)
        for name in ("id", "kind", "manifest-key", "allowed-key-classes"):
            self.assertEqual(configs["validator"][f"solidus.network.{name}"], configs["signer"][f"solidus.network.{name}"], name)

    def test_connections_suffice(self):
        for case in ("authority", "authority-grown"):
            m = Manifests.of(case)
            pools = 0
            for document in m.kinds("StatefulSet", "Deployment"):
                service = document["metadata"]["labels"]["app.kubernetes.io/name"].replace("shard", "validator")
                packaged = dict(properties.flat(yaml.safe_load((next(ROOT.glob(f"services/*/*/src/main/resources/solidus-{service}.yml")).read_text())))
                config = next(c for _, s, c in m.configs() if s == service)
                size = config.get("spring.datasource.hikari.maximum-pool-size", packaged["spring.datasource.hikari.maximum-pool-size"])
                surge = 1 if document["kind"] == "Deployment" else 0
                pools += size * (document["spec"]["replicas"] + surge)
            allowed = int(m.kinds("Cluster")[0]["spec"]["postgresql"]["parameters"]["max_connections"])
            # replication, the operator, a split and an administrator need some, too
            self.assertGreaterEqual(allowed, pools + 15, case)

    def test_nothing_of_one_authority_is_visible_to_another(self):
        m = Manifests.of("pilot-n10")
        for document in m.all:
            authority = document["metadata"].get("labels", {}).get("solidus.io/authority")
            if authority and "namespace" in document["metadata"]:
                self.assertEqual(document["metadata"]["namespace"], f"solidus-authority-{authority}", label(document))
                if document["kind"] == "ConfigMap":
                    for other in range(1, 11):
                        if str(other) != authority:
                            self.assertNotRegex(str(document["data"]), rf"authority-{other}\b", label(document))
        gateway = next(c for _, s, c in m.configs() if s == "gateway")
        self.assertEqual([gateway[f"solidus.gateway.authorities[{i}].index"] for i in range(10)], list(range(1, 11)))


class Refused(unittest.TestCase):
    """Values that must not render, with what is said about them."""

    def refused(self, case, values, said):
        chart, files, _ = CASES[case]
        done = helm(chart, files, values)
        self.assertNotEqual(done.returncode, 0, "rendered")
        self.assertRegex(done.stderr, said)

    def test_unsafe_values(self):
        for values, said in (
            ({"global": {"image": {"tag": "latest"}}}, "/global/image/tag"),
            ({"global": {"keys": {"allowedClasses": []}}}, "allowedClasses"),
            ({"global": {"production": True, "keys": {"allowedClasses": ["development"]}}}, "allowedClasses"),
            ({"global": {"production": True, "keys": {"allowedClasses": ["ceremony", "load-test"]}}}, "allowedClasses"),
            ({"global": {"production": True, "kafka": {"securityProtocol": "PLAINTEXT"}}}, "securityProtocol"),
            ({"global": {"tracing": {"endpoint": "https://collector:4318/v1/traces"}}}, "global.tracing.peers"),
            ({"global": {"trust": {"approvers": {"ben": None}}}}, "approvers"),
            ({"database": {"cnpg": {"parameters": {"fsync": "off"}}}}, "fsync"),
            ({"database": {"cnpg": {"parameters": {"synchronous_commit": "local"}}}}, "synchronous_commit"),
            ({"database": {"synchronousStandbys": 3}}, "no commit ever ends"),
            ({"database": {"mode": "external"}}, "external"),
            ({"shards": {"splits": [{"shard": 0, "newShard": 3}]}}, "the next shard is 2"),
            ({"shards": {"splits": [{"shard": 2, "newShard": 2}]}}, "does not exist yet"),
            ({"shards": {"replicas": 5}}, "additional properties 'replicas'"),
            ({"global": {"peers": {"apiServerCidrs": []}}}, "apiServerCidrs"),
            ({"signer": {"replicas": 2}}, "additional properties 'replicas'"),
            ({"global": {"production": True, "tracing": {"allowPlaintext": True}}}, "/global/tracing/allowPlaintext"),
            ({"global": {"production": True, "tracing": {"endpoint": "http://collector:4318/v1/traces"}}}, "/global/tracing/endpoint"),
            ({"signer": {"recover": {"always": True}}}, "additional properties 'always'"),
            ({"signer": {"recover": {"enabled": True}}}, "stopped first, by authority.stopped alone"),
            ({"authority": {"stopped": True}, "signer": {"recover": {"logIsNewest": True}}}, "vouched for one recovery"),
            ({"signer": {"token": {"pin": "1234"}}}, "additional properties 'pin'"),
            ({"signer": {"token": {"enabled": True}}}, "/signer/token/library"),
            ({"signer": {"token": {**TOKEN, "library": "libpkcs11.so"}}}, "/signer/token/library"),
            ({"signer": {"token": {**TOKEN, "library": None}}}, "library"),
            ({"signer": {"token": {**TOKEN, "keyLabel": ""}}}, "/signer/token/keyLabel"),
            ({"signer": {"token": {**TOKEN, "pinSecret": ""}}}, "/signer/token/pinSecret"),
            ({"signer": {"token": {**TOKEN, "slot": -1}}}, "/signer/token/slot"),
            ({"signer": {"token": {**TOKEN, "library": "/usr/lib/libpkcs11.so"}}}, "a folder of its own"),
            ({"signer": {"token": {**TOKEN, "libraryVolume": {"hostPath": {"path": "/opt/token"}}}}}, "/signer/token/libraryVolume/hostPath"),
        ):
            with self.subTest(values=values):
                self.refused("authority", values, said)

    def test_operators_mistakes(self):
        for values, said in (
            ({"committee": {"size": 5}}, "3f\\+1"),
            ({"oidc": {"publicKey": ""}}, "every operator is refused"),
            ({"oidc": {"publicKey": "", "issuerUri": "https://login.example"}}, "trustStoreConfigMap"),
            ({"global": {"production": True}}, "oidc.publicKey is a sandbox's way"),
            ({"global": {"production": True, "tls": {"trustStoreConfigMap": "solidus-trust"}}, "oidc": {"issuerUri": "https://login.example"}}, "oidc.publicKey is a sandbox's way"),
            ({"global": {"production": True, "tracing": {"allowPlaintext": True}}}, "/global/tracing/allowPlaintext"),
            ({"issuance": {"replicas": 2}}, "/issuance/replicas"),
            ({"publicUrls": {"gateway": "http://pay.example"}}, "publicUrls"),
            ({"sanctions": {"autoscaling": {"enabled": True}}}, "additional properties 'autoscaling'"),
        ):
            with self.subTest(values=values):
                self.refused("operator", values, said)

    def test_committees_that_are_none(self):
        self.refused("pilot-n4", {"global": {"authorities": {"a5": True}}}, "5 authorities are on|a committee of 5")
        self.refused("pilot-n4", {"global": {"authorities": {"a4": False}}}, "3 authorities are on|a committee of 3")
        self.refused("pilot-n4", {"global": {"authorities": {"a4": False, "a5": True}}}, "the first N are")
        self.refused("pilot-n4", {"a2": {"authority": {"index": 1}}}, "a2.authority.index must be 2")
        self.refused("pilot-n4", {"global": {"namespaces": {"authority": "all"}}}, "must contain")


class Pages(unittest.TestCase):
    """What a page tells people to apply."""

    def test_the_pod_that_empties_the_desks_anchor(self):
        page = (ROOT / "docs/how-to/back-up-and-restore.md").read_text()
        pod = yaml.safe_load(re.search(r"<<'Y'\n(apiVersion: v1\nkind: Pod\n.*?)\nY\n", page, re.S).group(1))
        m = Manifests.of("operator")
        desk = next(s for d, _, s in m.pods() if d["metadata"]["name"] == "issuance")
        spec, container = pod["spec"], pod["spec"]["containers"][0]
        self.assertEqual((spec["securityContext"], spec["automountServiceAccountToken"]), (desk["securityContext"], False))
        self.assertEqual(container["securityContext"], desk["containers"][0]["securityContext"])
        self.assertEqual(spec["volumes"], [v for v in desk["volumes"] if v["name"] == "anchor"])
        self.assertEqual(container["volumeMounts"], [v for v in desk["containers"][0]["volumeMounts"] if v["name"] == "anchor"])
        self.assertEqual(container["image"], yaml.safe_load((HELM_DIR / "solidus-operator/values.yaml").read_text())["global"]["image"]["toolbox"])
        file = next(c for _, s, c in m.configs() if s == "issuance")["solidus.issuance.anchor-file"]
        self.assertIn(f": > {file} && sync", container["command"][-1])

    def test_values_of_a_token(self):
        page = (ROOT / "docs/how-to/keep-keys-in-a-token.md").read_text()
        done = helm("solidus-authority", [], yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.S).group(1)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("solidus.signer.token.library: /opt/token/libpkcs11.so", done.stdout)

    def test_settings_on_the_command_line_are_values(self):
        page = (ROOT / "docs/how-to/back-up-and-restore.md").read_text()
        chart, _, _ = CASES["authority"]
        lines = [line for line in page.splitlines() if line.strip().startswith("helm upgrade")]
        self.assertEqual(len(lines), 3)
        for line in lines:
            settings = re.search(r"--set (\S+)", line).group(1)
            done = subprocess.run([HELM, "template", "check", str(HELM_DIR / chart), "--kube-version", KUBE, "-f", str(HELM_DIR / chart / "ci/test-values.yaml"), "--set", settings],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("name: authority-1-recover\n" in done.stdout.split("kind: Job")[-1] and "kind: Job" in done.stdout, "recover.enabled=true" in settings)


class Inventory(unittest.TestCase):
    """What a pilot of four consists of; UPDATE_GOLDEN=1 writes it anew, for a person to read."""

    def test_pilot(self):
        file = HELM_DIR / "tests/golden/pilot-n4.txt"
        now = "\n".join(sorted(label(d) for d in Manifests.of("pilot-n4").all)) + "\n"
        if os.environ.get("UPDATE_GOLDEN"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(now)
        self.assertEqual(file.read_text(), now)


if __name__ == "__main__":
    unittest.main(verbosity=1)
