"""Pods: their restrictions, probes, ports, replicas and mounts."""

import re

import network
import properties
from manifests import RECOVERY, ROOT, ManifestTest, label, replicas


class Pods(ManifestTest):
    def test_names_are_unique_and_no_object_is_in_the_release_namespace(self):
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
                self.assertTrue(
                    pod["runAsNonRoot"]
                    and pod["runAsUser"] >= 10000
                    and pod["seccompProfile"] == {"type": "RuntimeDefault"},
                    where,
                )
                for container in spec["containers"] + spec.get("initContainers", []):
                    c = container["securityContext"]
                    self.assertEqual(
                        (
                            c["allowPrivilegeEscalation"],
                            c["readOnlyRootFilesystem"],
                            c["runAsNonRoot"],
                            c["privileged"],
                            c["capabilities"],
                            c["seccompProfile"],
                        ),
                        (False, True, True, False, {"drop": ["ALL"]}, {"type": "RuntimeDefault"}),
                        where,
                    )
                    self.assertIn("memory", container["resources"]["limits"], where)
                    self.assertIn("cpu", container["resources"]["requests"], where)
                for volume in spec["volumes"]:
                    kinds = set(volume) - {"name"}
                    if "projected" in volume:
                        # a projected volume must not contain a service account token
                        kinds = {kind for source in volume["projected"]["sources"] for kind in source}
                        self.assertLessEqual(volume["projected"]["defaultMode"], 0o440, f"{where}: {volume['name']}")
                    self.assertTrue(
                        kinds <= {"configMap", "secret", "emptyDir", "persistentVolumeClaim"}, f"{where}: {kinds}"
                    )

    def test_images_have_a_version(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"] + spec.get("initContainers", []):
                    self.assertRegex(
                        container["image"],
                        r"^[a-z0-9./-]+(:(?!latest$)[A-Za-z0-9][\w.-]*|@sha256:[0-9a-f]{64})$",
                        label(document),
                    )

    def test_images_are_built_and_contain_the_main_class(self):
        services = (ROOT / "tools/images/image/services.go").read_text()
        modules = dict(re.findall(r'Name: "([a-z-]+)", Module: "([a-z/-]+)"', services))
        used = set()
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    image = container["image"].rpartition("/")[2].partition(":")[0]
                    main = next(a for a in container["args"] if a.startswith("io.solidus.")).replace(".", "/")
                    self.assertTrue(
                        (ROOT / modules[image] / f"src/main/java/{main}.java").is_file(), f"{label(document)}: {main}"
                    )
                    used.add(image)
        self.assertEqual(used, set(modules))

    def test_liveness_does_not_depend_on_the_database(self):
        for m in self.each():
            for document, _, spec in m.pods():
                if document["kind"] in ("Job", "Pod"):
                    continue
                for container in spec["containers"]:
                    paths = {
                        k: container[k]["httpGet"]["path"] for k in ("startupProbe", "livenessProbe", "readinessProbe")
                    }
                    self.assertEqual(paths["livenessProbe"], "/actuator/health/liveness")
                    self.assertEqual(paths["startupProbe"], "/actuator/health/liveness")
                    self.assertEqual(paths["readinessProbe"], "/actuator/health/readiness")
                    ports = {p["name"] for p in container["ports"]}
                    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                        self.assertIn(container[probe]["httpGet"]["port"], ports, label(document))
                    startup = container["startupProbe"]
                    self.assertGreaterEqual(
                        startup["periodSeconds"] * startup["failureThreshold"], 120, label(document)
                    )
        for service in {service for m in self.each() for _, service, _ in m.configs()}:
            liveness = [name for name in properties.packaged(service) if "group.liveness" in name]
            self.assertEqual(liveness, [], f"{service}: liveness must depend on the process alone")

    def test_termination_grace_period_covers_the_shutdown_phases(self):
        for m in self.each():
            for document, _, spec in m.pods():
                if document["kind"] in ("Job", "Pod"):
                    continue
                container = spec["containers"][0]
                _, config = m.config_of(document, spec)
                phase = int(config["spring.lifecycle.timeout-per-shutdown-phase"].rstrip("s"))
                grpc = int(config.get("spring.grpc.server.shutdown.grace-period", "0s").rstrip("s"))
                before = container["lifecycle"]["preStop"]["sleep"]["seconds"]
                self.assertGreaterEqual(before, 5, label(document))
                # servers stop in one phase, their dependencies in another
                self.assertGreaterEqual(
                    spec["terminationGracePeriodSeconds"], before + 2 * phase + grpc + 10, label(document)
                )

    def test_every_replicated_workload_has_one_disruption_budget(self):
        for m in self.each():
            covered = set()
            for budget in m.kinds("PodDisruptionBudget"):
                total = 0
                for document, metadata, _ in m.pods():
                    if document["metadata"]["namespace"] == budget["metadata"]["namespace"] and network.matches(
                        budget["spec"]["selector"], metadata["labels"]
                    ):
                        self.assertIn(
                            document["kind"],
                            ("Deployment", "StatefulSet"),
                            "only replaced pods may count in a budget",
                        )
                        total += replicas(m, document)
                        self.assertNotIn(label(document), covered, "two budgets for one pod refuse every eviction")
                        covered.add(label(document))
                self.assertEqual(budget["spec"]["maxUnavailable"], 1, label(budget))
                self.assertGreaterEqual(total, 2, f"{label(budget)} protects {total}")
            for document in m.kinds("Deployment", "StatefulSet"):
                if replicas(m, document) > 1:
                    self.assertIn(label(document), covered, "no budget")

    def test_only_gateway_and_prover_have_autoscalers(self):
        for m in self.each():
            scaled = {d["spec"]["scaleTargetRef"]["name"] for d in m.kinds("HorizontalPodAutoscaler")}
            self.assertLessEqual(scaled, {"gateway", "prover"})
            for document in m.kinds("Deployment"):
                self.assertEqual(
                    "replicas" in document["spec"], document["metadata"]["name"] not in scaled, label(document)
                )

    def test_replicas_are_spread_over_zones_and_nodes(self):
        for m in self.each():
            for document, metadata, spec in m.pods():
                if document["kind"] in ("Deployment", "StatefulSet") and replicas(m, document) > 1:
                    keys = {c["topologyKey"] for c in spec["topologySpreadConstraints"]}
                    self.assertEqual(keys, {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}, label(document))
                    for c in spec["topologySpreadConstraints"]:
                        self.assertTrue(network.matches(c["labelSelector"], metadata["labels"]), label(document))

    def test_services_select_pods(self):
        for m in self.each():
            for service in m.kinds("Service"):
                pods = [
                    (d, s)
                    for d, md, s in m.pods()
                    if d["metadata"]["namespace"] == service["metadata"]["namespace"]
                    and network.matches({"matchLabels": service["spec"]["selector"]}, md["labels"])
                ]
                self.assertEqual(len(pods), 1, label(service))
                names = {p["name"]: p["containerPort"] for c in pods[0][1]["containers"] for p in c["ports"]}
                for port in service["spec"]["ports"]:
                    self.assertEqual(names[port["targetPort"]], port["port"], label(service))

    def test_container_ports_match_the_configured_ports(self):
        listening = {
            "https": "server.port",
            "admin": "solidus.admin.port",
            "grpc": "spring.grpc.server.port",
            "metrics": "management.server.port",
        }
        for m in self.each():
            for document, _, spec in m.pods():
                if document["kind"] in ("Job", "Pod"):
                    continue
                service, rendered = m.config_of(document, spec)
                packaged = properties.packaged(service)
                config = {**packaged, **rendered}
                for port in spec["containers"][0]["ports"]:
                    self.assertEqual(
                        config[listening[port["name"]]], port["containerPort"], f"{label(document)}: {port['name']}"
                    )
                if packaged.get("spring.main.web-application-type") == "none":
                    self.assertEqual(
                        [name for name in rendered if name.startswith("server.")],
                        [],
                        f"{label(document)} has no servlet container",
                    )

    def test_every_configured_file_is_mounted(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for container in spec["containers"]:
                    claims = (
                        [c["metadata"]["name"] for c in document["spec"].get("volumeClaimTemplates", [])]
                        if document["kind"] == "StatefulSet"
                        else []
                    )
                    volumes = [v["name"] for v in spec["volumes"]] + claims
                    mounts = {v["mountPath"]: v["name"] for v in container["volumeMounts"]}
                    self.assertLessEqual(set(mounts.values()), set(volumes), label(document))
                    self.assertEqual(len(volumes), len(set(volumes)), label(document))
                    config = next((v for v in spec["volumes"] if v["name"] == "config"), None)
                    if not config:
                        continue
                    text = str(m.config_map(document["metadata"]["namespace"], config["configMap"]["name"])["data"])
                    # the recovery has the signer's configuration but reads neither share nor PIN
                    unread = "/var/run/solidus/share/" if RECOVERY in container["args"] else "-"
                    for path in re.findall(r"/var/(?:run|lib)/solidus/[\w./-]+", text):
                        if path.startswith(unread):
                            continue
                        self.assertTrue(
                            any(path.startswith(p + "/") or path.rstrip("/") == p for p in mounts),
                            f"{label(document)}: {path}",
                        )

    def test_secret_files_are_readable_by_the_pods_group_at_most(self):
        for m in self.each():
            for document, _, spec in m.pods():
                for volume in spec["volumes"]:
                    if "secret" in volume:
                        only_public = {i["key"] for i in volume["secret"].get("items", [])} == {"truststore.jks"}
                        self.assertLessEqual(
                            volume["secret"]["defaultMode"],
                            0o444 if only_public else 0o440,
                            f"{label(document)}: {volume['name']}",
                        )
