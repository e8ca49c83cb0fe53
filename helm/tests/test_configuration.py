"""Configuration of the services: properties, addresses, secrets, TLS."""

import os
import re

import properties
import yaml
from manifests import FORMER, ROOT, Manifests, ManifestTest, helm, label


class Configuration(ManifestTest):
    def test_no_secret_is_written_out(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"] + spec.get("initContainers", []):
                    for variable in container.get("env", []):
                        if re.search(r"PASS|SECRET|TOKEN|KEY|SEED", variable["name"]):
                            self.assertNotIn("value", variable, f"{label(document)}: {variable['name']}")
                        self.assertNotRegex(
                            str(variable.get("value", "")), r"(?i)(password|secret)\w*=", label(document)
                        )
            for document, _, config in m.configs():
                for name, value in config.items():
                    secret = re.search(r"password|jaas|secret|token(?!-file|-types)|seed(?!$)", name.rsplit(".", 1)[-1])
                    self.assertFalse(secret and not str(value).startswith("/"), f"{label(document)}: {name}")
            for document in m.kinds("Secret"):
                self.assertEqual(document["stringData"], {"password": "changeit"}, label(document))

    def test_every_property_exists(self):
        ours = properties.own()
        self.assertGreater(len(ours), 100)
        boot = re.search(
            r"<artifactId>spring-boot-starter-parent</artifactId>\s*<version>([^<]+)", (ROOT / "pom.xml").read_text()
        ).group(1)
        springs = properties.spring(boot, os.environ.get("MAVEN_REPOSITORY"))
        maps = {n for n, t in {**ours, **springs}.items() if t.startswith(("Map<", "java.util.Map<"))} | {
            "spring.ssl.bundle.pem"
        }
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
                            self.assertIn(
                                match.group(1),
                                {**ours, **springs} if springs else {**ours, match.group(1): ""},
                                label(document),
                            )
                    for variable in container.get("env", []):
                        if variable["name"].startswith("SOLIDUS_"):
                            self.assertIn(
                                variable["name"],
                                {re.sub(r"[-]", "", n).replace(".", "_").upper() for n in ours},
                                label(document),
                            )
        if not springs:
            self.skipTest(
                f"Spring's own property names were not compared: no jars of Spring Boot {boot} on this machine"
            )
        for m in self.each():
            for document, _, config in m.configs():
                for name in config:
                    if not name.startswith("solidus."):
                        self.assertTrue(properties.known(name, springs, maps), f"{label(document)}: {name}")

    def test_every_address_has_a_service_and_a_certificate(self):
        for m in self.each():
            services = {(d["metadata"]["name"], d["metadata"]["namespace"]): d for d in m.kinds("Service")}
            certificates = {
                d["spec"]["secretName"] + "/" + d["metadata"]["namespace"]: d["spec"]["dnsNames"]
                for d in m.kinds("Certificate")
            }
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
                    self.assertIn(
                        port, [p["port"] for p in services[(service, namespace)]["spec"]["ports"]], f"{name}={value}"
                    )
                    names = certificates[f"{service}-tls/{namespace}"]
                    full = host + ".svc.cluster.local"
                    self.assertTrue(
                        any(n == full or (n.startswith("*.") and full.split(".", 1)[1] == n[2:]) for n in names),
                        f"{full} is in none of {names}",
                    )

    def test_ceremonies_are_pinned_and_former_keys_are_known(self):
        pins = "1" * 64
        services = set()
        for m in self.each():
            for document, service, config in m.configs():
                if "solidus.network.keys-dir" in config:
                    self.assertEqual(config["solidus.network.transcripts"], pins, label(document))
                former = {n: v for n, v in config.items() if n.startswith("solidus.trust.former")}
                if "solidus.trust.policy" in config and m.name == "authority-grown":
                    services.add(service)
                    self.assertEqual(former, {f"solidus.trust.former[0].{n}": v for n, v in FORMER.items()})
                else:
                    self.assertEqual(former, {}, label(document))
        self.assertEqual(services, {"validator", "signer", "compliance-issuer"})

    def test_logs_are_json_and_production_is_a_profile(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    if "io.solidus.wallet.cli.WalletMain" not in container["args"]:
                        profiles = {v["name"]: v.get("value") for v in container["env"]}["SPRING_PROFILES_ACTIVE"]
                        self.assertEqual(
                            profiles,
                            "json-logs,production" if m.name == "pilot-traced" else "json-logs",
                            label(document),
                        )
            for document, _, config in m.configs():
                self.assertNotIn(
                    "logging.structured.format.console", config, "the profile sets it, together with the redaction"
                )
                self.assertEqual(
                    "solidus.tracing.endpoint" in config,
                    m.name in ("pilot-traced", "pilot-tables", "pilot-replicas", "authority-recovers"),
                    label(document),
                )

    def test_actuators_are_not_on_a_public_port(self):
        for m in self.each():
            for ingress in m.kinds("Ingress"):
                for rule in ingress["spec"]["rules"]:
                    for path in rule["http"]["paths"]:
                        door = "admin" if ingress["metadata"]["name"].endswith("-admin") else "https"
                        self.assertEqual(path["backend"]["service"]["port"], {"name": door}, label(ingress))
            for _, service, config in m.configs():
                if service in ("gateway", "registration", "sanctions", "issuance", "console", "relay"):
                    self.assertEqual(
                        (
                            config["management.server.port"],
                            config["management.server.ssl.enabled"],
                            config["server.ssl.bundle"],
                        ),
                        (9464, False, "internal"),
                    )
                else:
                    self.assertEqual(
                        (config["spring.grpc.server.ssl.bundle"], config["spring.grpc.server.ssl.client-auth"]),
                        ("internal", "require"),
                    )
                if service in ("validator", "compliance-issuer", "gateway"):
                    self.assertEqual(config["solidus.grpc.ssl-bundle"], "internal")
                self.assertNotIn("solidus.grpc.allow-plaintext", config)
                # a relay calls another institution's gateway, which has a public certificate
                expected = None if service == "relay" else "internal"
                self.assertEqual(config.get("solidus.http-client.ssl-bundle"), expected)

    def test_gateways_that_exchange_mail_require_certificates(self):
        found = 0
        for m in self.each():
            for document, service, config in m.configs():
                if service == "gateway" and "solidus.gateway.exchange.peers[0].name" in config:
                    found += 1
                    self.assertEqual(
                        [
                            config[f"spring.grpc.server.{name}"]
                            for name in ("enabled", "port", "ssl.bundle", "ssl.client-auth")
                        ],
                        [True, 9300, "internal", "require"],
                        label(document),
                    )
                    names = [
                        n
                        for c in m.kinds("Certificate")
                        if c["metadata"]["name"] == "gateway-tls"
                        for n in c["spec"]["dnsNames"]
                    ]
                    self.assertIn("gateway.bank-a.example", names)
                elif service == "gateway":
                    self.assertNotIn("spring.grpc.server.port", config)
        self.assertEqual(found, 2)

    def test_gateways_ask_the_replica_of_each_authority(self):
        found = 0
        for m in self.each():
            for document, service, config in m.configs():
                addresses = [v for n, v in config.items() if n.startswith("solidus.gateway.mail-tables.replicas")]
                if service == "gateway" and m.name in ("pilot-replicas", "operator-elsewhere"):
                    found += 1
                    there = ["a2-replica.example:9210"] if m.name == "operator-elsewhere" else []
                    names = [f"authority-{i}-replica.solidus-authority-{i}.svc.cluster.local:9210" for i in range(1, 5)]
                    names[1:2] = there or names[1:2]
                    self.assertEqual(addresses, names, label(document))
                    self.assertEqual(config["solidus.gateway.mail-tables.interval"], "5m")
                else:
                    self.assertEqual(addresses, [], label(document))
                    tables = service == "gateway" and m.name == "pilot-tables"
                    self.assertEqual("solidus.gateway.mail-tables.interval" in config, tables)
        self.assertEqual(found, 2)

    def test_gateways_with_a_mailbox_of_their_own_ask_its_replicas(self):
        values = {"gateway": {"mailTables": {"interval": "5m", "replicas": True, "mailbox": "bank-b"}}}
        documents = [d for d in yaml.safe_load_all(helm("solidus-operator", [], values).stdout) if d]
        config = next(d for d in documents if (d["kind"], d["metadata"]["name"]) == ("ConfigMap", "gateway"))
        flat = dict(properties.flat(yaml.safe_load(config["data"]["solidus-gateway.yml"])))
        self.assertEqual(
            [v for n, v in flat.items() if n.startswith("solidus.gateway.mail-tables.replicas")],
            [f"authority-{i}-replica-bank-b.solidus-authority-{i}.svc.cluster.local:9210" for i in range(1, 5)],
        )
        # the services name the replicas of each mailbox by its gateways
        self.assertEqual(flat["solidus.gateway.mail-tables.gateway"], "https://pay.solidus.example")
        policy = next(d for d in documents if (d["kind"], d["metadata"]["name"]) == ("NetworkPolicy", "gateway"))
        self.assertIn("'app.kubernetes.io/name': 'replica-bank-b'", str(policy))
        self.assertNotIn("'app.kubernetes.io/name': 'replica'", str(policy))

    def test_the_admin_api_and_the_console_have_hosts_of_their_own(self):
        found = 0
        for m in self.each():
            hosts = {True: set(), False: set()}
            for ingress in m.kinds("Ingress"):
                staff = ingress["metadata"]["name"].endswith(("-admin", "console"))
                own = {rule["host"] for rule in ingress["spec"]["rules"]}
                self.assertEqual(hosts[staff] & own, set(), label(ingress))
                hosts[staff] |= own
                if staff:
                    found += 1
                    self.assertEqual(ingress["spec"]["ingressClassName"], "staff")
                    sources = "nginx.ingress.kubernetes.io/whitelist-source-range"
                    self.assertEqual(ingress["metadata"]["annotations"][sources], "10.20.0.0/16")
            self.assertEqual(hosts[True] & hosts[False], set())
        self.assertGreaterEqual(found, 8)

    def test_the_console_answers_where_the_provider_sends_browsers(self):
        found = 0
        for m in self.each():
            for document, service, config in m.configs():
                if service == "console":
                    found += 1
                    url = config["solidus.console.public-url"]
                    ingress = next(i for i in m.kinds("Ingress") if i["metadata"]["name"] == "console")
                    self.assertEqual([f"https://{r['host']}" for r in ingress["spec"]["rules"]], [url])
                    # the services take tokens of this provider, and read the roles there
                    desk = next(c for _, s, c in m.configs() if s == "issuance")
                    for mine, theirs in (
                        ("solidus.console.login.issuer-uri", "solidus.security.jwt.issuer-uri"),
                        ("solidus.console.login.role-claims[0]", "solidus.security.jwt.role-claims[0]"),
                    ):
                        self.assertEqual(config[mine], desk[theirs], label(document))
        self.assertEqual(found, 2)

    def test_renewed_certificates_are_reloaded(self):
        for m in self.each():
            for document, _, config in m.configs():
                bundles = {
                    re.match(r"spring\.ssl\.bundle\.pem\.(\w+)\.", name).group(1)
                    for name in config
                    if name.startswith("spring.ssl.bundle.pem.")
                }
                self.assertIn("internal", bundles, label(document))
                for bundle in bundles:
                    self.assertIs(
                        config[f"spring.ssl.bundle.pem.{bundle}.reload-on-update"], True, f"{label(document)}: {bundle}"
                    )
            for document, _, spec in m.pods():
                for container in [*spec["containers"], *spec.get("initContainers", [])]:
                    for mount in container.get("volumeMounts", []):
                        self.assertNotIn("subPath", mount, f"{label(document)}: a subPath mount is never updated")

    def test_two_cas_are_trusted_while_the_ca_is_replaced(self):
        found = 0
        for document, _, spec in Manifests.of("pilot-traced").pods():
            folder = next((v for v in spec["volumes"] if v["name"] == "tls"), None)
            if folder:
                found += 1
                secret, authorities = (
                    next(s[kind] for s in folder["projected"]["sources"] if kind in s)
                    for kind in ("secret", "configMap")
                )
                self.assertEqual({i["path"] for i in secret["items"]}, {"tls.crt", "tls.key"}, label(document))
                self.assertEqual(
                    authorities,
                    {"name": "solidus-authorities", "items": [{"key": "ca.crt", "path": "ca.crt"}]},
                    label(document),
                )
        self.assertGreater(found, 1, "pods with certificates")
