"""The chart of an authority: shards, signer, recovery, database."""

import unittest

import network
import properties
import yaml
from manifests import CASES, MAILBOXES, RECOVERY, TOKEN, Manifests, helm, label


class Authority(unittest.TestCase):
    def test_one_shard_for_each_range(self):
        for case, count in (("authority", 2), ("authority-grown", 4)):
            m = Manifests.of(case)
            shards = next(d for d in m.kinds("StatefulSet") if d["metadata"]["name"].endswith("-shard"))
            self.assertEqual(shards["spec"]["replicas"], count)
            config = next(c for d, s, c in m.configs() if s == "validator")
            self.assertEqual(
                config["solidus.validator.initial-shards"], 2, "the first map does not grow with the shards"
            )
        jobs = Manifests.of("authority-grown").kinds("Job")
        self.assertEqual(
            [
                j["metadata"]["name"]
                for j in sorted(jobs, key=lambda j: int(j["metadata"]["annotations"]["helm.sh/hook-weight"]))
            ],
            ["authority-3-split-2", "authority-3-split-3"],
        )
        self.assertIn("--solidus.split.at=median", jobs[1]["spec"]["template"]["spec"]["containers"][0]["args"])
        for job in jobs:
            self.assertEqual(job["metadata"]["annotations"]["helm.sh/hook"], "post-install,post-upgrade")

    def test_only_one_signer_mounts_the_share_and_the_logs(self):
        for case in ("authority", "pilot-n10"):
            for signer in [
                d for d in Manifests.of(case).kinds("StatefulSet") if d["metadata"]["name"].endswith("-signer")
            ]:
                self.assertEqual(signer["spec"]["replicas"], 1)
                claims = {c["metadata"]["name"]: c for c in signer["spec"]["volumeClaimTemplates"]}
                self.assertEqual(set(claims), {"sign-log", "anchor"})
                for claim in claims.values():
                    self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOncePod"])
                self.assertEqual(claims["anchor"]["metadata"]["labels"]["velero.io/exclude-from-backup"], "true")
                self.assertEqual(
                    signer["spec"]["persistentVolumeClaimRetentionPolicy"],
                    {"whenDeleted": "Retain", "whenScaled": "Retain"},
                )
        users = [
            label(d)
            for d, _, s in Manifests.of("pilot-n4").pods()
            for v in s["volumes"]
            if any(i.get("key") == "share.json" for i in v.get("secret", {}).get("items", []))
        ]
        self.assertEqual(users, [f"StatefulSet solidus-authority-{i}/authority-{i}-signer" for i in range(1, 5)])

    def test_recovery_mounts_the_signers_volumes_without_the_share(self):
        m = Manifests.of("authority-recovers")
        for document in m.kinds("StatefulSet", "Deployment"):
            self.assertEqual(document["spec"]["replicas"], 0, label(document))
        self.assertEqual(m.kinds("PodDisruptionBudget"), [])
        shards, signer = (
            next(d for d in m.kinds("StatefulSet") if d["metadata"]["name"] == f"authority-1-{name}")
            for name in ("shard", "signer")
        )
        # the admission policy needs both: without them it refuses to scale down, or loses the number of shards
        self.assertEqual(shards["metadata"]["annotations"], {"solidus.io/shards": "3", "solidus.io/stopped": "true"})
        usual = next(
            d for d in Manifests.of("authority").kinds("StatefulSet") if d["metadata"]["name"] == "authority-1-shard"
        )
        self.assertEqual(usual["metadata"]["annotations"], {"solidus.io/shards": "2"})

        self.assertEqual([j["metadata"]["name"] for j in m.kinds("Job")], ["authority-1-recover"])
        job = m.kinds("Job")[0]
        pod, usual = job["spec"]["template"]["spec"], signer["spec"]["template"]["spec"]
        self.assertEqual(
            (job["metadata"]["namespace"], job["spec"]["backoffLimit"], pod["restartPolicy"]),
            (signer["metadata"]["namespace"], 0, "Never"),
        )
        self.assertEqual(
            job["metadata"]["annotations"]["helm.sh/hook-delete-policy"],
            "before-hook-creation",
            "the same command creates the job again",
        )
        container, its = pod["containers"][0], usual["containers"][0]
        self.assertNotIn("initContainers", pod)
        self.assertIn(RECOVERY, container["args"])
        self.assertIn("--solidus.recover.log-is-newest=false", container["args"])
        self.assertIn("--solidus.tracing.endpoint=", container["args"], "its network policy allows no collector")
        self.assertEqual((container["image"], pod["nodeSelector"]), (its["image"], usual["nodeSelector"]))

        claims = {
            v["name"]: v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"] if "persistentVolumeClaim" in v
        }
        self.assertEqual(claims, {"sign-log": "sign-log-authority-1-signer-0", "anchor": "anchor-authority-1-signer-0"})
        self.assertEqual(
            claims,
            {
                c["metadata"]["name"]: f"{c['metadata']['name']}-{signer['metadata']['name']}-0"
                for c in signer["spec"]["volumeClaimTemplates"]
            },
        )
        here = {n["name"]: n["mountPath"] for n in container["volumeMounts"]}
        there = {n["name"]: n["mountPath"] for n in its["volumeMounts"]}
        # everything that the signer mounts, except the share, the PIN and the token
        self.assertEqual(here, {n: p for n, p in there.items() if n not in ("share", "token-library")})
        self.assertNotRegex(str(pod), r"share|pin|authority-keys")

        vouched = helm(
            "solidus-authority",
            [],
            {"authority": {"stopped": True}, "signer": {"recover": {"enabled": True, "logIsNewest": True}}},
        ).stdout
        self.assertIn("--solidus.recover.log-is-newest=true", vouched)

    def test_a_stopped_authority_has_no_pods_and_no_jobs(self):
        done = helm(
            "solidus-authority",
            [],
            {"authority": {"stopped": True}, "shards": {"splits": [{"shard": 0, "newShard": 2}]}},
        )
        documents = [d for d in yaml.safe_load_all(done.stdout) if d]
        self.assertEqual(
            {
                d["metadata"]["name"]: d["spec"]["replicas"]
                for d in documents
                if d["kind"] in ("StatefulSet", "Deployment")
            },
            {"authority-1-shard": 0, "authority-1-signer": 0, "authority-1-compliance-issuer": 0},
        )
        self.assertEqual([d for d in documents if d["kind"] == "Job"], [])
        self.assertEqual(
            len([d for d in documents if d["kind"] == "Cluster"]), 1, "the database that is restored must stay"
        )

    def test_one_replica_with_its_own_key_and_nothing_of_the_authority(self):
        m = Manifests.of("authority-replica")
        document, pod = next((d, s) for d, _, s in m.pods() if d["metadata"]["name"] == "authority-1-replica")
        # two would sign two lists of one time; a deployment may run two for a moment
        self.assertEqual((document["kind"], document["spec"]["replicas"]), ("StatefulSet", 1))
        self.assertEqual(pod["nodeSelector"], {"solidus.io/authority": "1"})
        secrets = {
            v["name"]: [i["key"] for i in v["secret"].get("items", [])]
            for v in pod["volumes"]
            if v.get("secret", {}).get("secretName") == "authority-keys"
        }
        self.assertEqual(secrets, {"replica-key": ["replica.key"]})
        self.assertNotRegex(str(pod), r"note\.seed|share|database|internal\.token|kafka")
        others = [s for d, _, s in m.pods() if d["metadata"]["name"] != "authority-1-replica"]
        self.assertNotRegex(str(others), r"replica\.key")
        keys = [e["secretKey"] for e in m.kinds("ExternalSecret")[0]["spec"]["data"]]
        self.assertEqual(keys, ["share.json", "note.seed", "internal.token", "replica.key"])
        config = next(c for _, s, c in m.configs() if s == "replica")
        self.assertEqual(
            {n.removeprefix("solidus.replica."): v for n, v in config.items() if n.startswith("solidus.replica.")},
            {
                "network-id": "solidus-check",
                "authority": 1,
                "gateway": "https://gateway.solidus-operator.svc.cluster.local:8080",
                "key-file": "/var/run/solidus/replica-key/replica.key",
                # a second pod of the StatefulSet, which kubectl scales, does not start
                "pod": "authority-1-replica-0",
                "folder": "/var/lib/solidus/tables",
                # of 260 GiB, some of which the file system takes
                "disk": "239616MB",
                "parallelism": 2,
            },
        )

    def test_the_tables_of_a_replica_are_on_a_volume_or_in_memory(self):
        document = next(
            d
            for d in Manifests.of("authority-replica").kinds("StatefulSet")
            if d["metadata"]["name"] == "authority-1-replica"
        )
        (claim,) = document["spec"]["volumeClaimTemplates"]
        # an old copy in a backup would be of another mailbox than the lists since then
        self.assertEqual(claim["metadata"]["labels"]["velero.io/exclude-from-backup"], "true")
        # two pods would have one folder
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOncePod"])
        self.assertEqual(document["spec"]["persistentVolumeClaimRetentionPolicy"]["whenScaled"], "Retain")
        in_memory = helm("solidus-authority", [], {"replica": {"enabled": True, "storage": {"enabled": False}}}).stdout
        self.assertIn("name: authority-1-replica\n", in_memory)
        self.assertNotIn("solidus.replica.folder", in_memory)
        self.assertNotIn("/var/lib/solidus/tables", in_memory)
        self.assertNotIn("solidus.replica.disk", in_memory)
        # 30 % of 4 GiB hold 256 MB beside twice the tables
        self.assertIn("solidus.replica.memory: 486MB\n", in_memory)

    def test_settings_of_a_replica_come_before_those_that_follow_from_sizes(self):
        for storage, name, value in ((True, "disk", "10GB"), (False, "memory", "200MB")):
            values = {
                "enabled": True,
                "storage": {"enabled": storage},
                "properties": {f"solidus.replica.{name}": value},
            }
            text = helm("solidus-authority", [], {"replica": values}).stdout
            self.assertEqual(text.count(f"solidus.replica.{name}:"), 1)
            self.assertIn(f'solidus.replica.{name}: "{value}"', text)

    def test_a_replica_of_the_gateway_of_another_cluster(self):
        peers = [{"ipBlock": {"cidr": "198.51.100.0/24"}}]
        for gateway, port in (("https://gateway.bank-b.example", 443), ("https://gateway.bank-b.example:8443", 8443)):
            values = {"enabled": True, "gateway": gateway, "peers": peers}
            documents = [d for d in yaml.safe_load_all(helm("solidus-authority", [], {"replica": values}).stdout) if d]
            config = next(
                d for d in documents if (d["kind"], d["metadata"]["name"]) == ("ConfigMap", "authority-1-replica")
            )
            self.assertIn(f"solidus.replica.gateway: {gateway}\n", config["data"]["solidus-replica.yml"])
            policy = next(
                d["spec"]
                for d in documents
                if (d["kind"], d["metadata"]["name"]) == ("NetworkPolicy", "authority-1-replica")
            )
            self.assertIn({"to": peers, "ports": [{"protocol": "TCP", "port": port}]}, policy["egress"])
            self.assertIn({"from": peers, "ports": [{"protocol": "TCP", "port": 9210}]}, policy["ingress"])

    def test_each_mailbox_has_a_replica_with_a_key_a_volume_and_peers_of_its_own(self):
        m = Manifests.of("authority-mailboxes")
        wanted = {
            "replica": ("replica.key", "https://gateway.solidus-operator.svc.cluster.local:8080", "260Gi", "239616MB"),
            "replica-bank-b": ("replica-bank-b.key", "https://gateway.bank-b.example:8443", "100Gi", "92160MB"),
            "replica-c": ("replica-c.key", "https://gateway.c.example", "260Gi", "239616MB"),
        }
        found, selected = {}, set()
        for document, metadata, pod in m.pods():
            component = metadata["labels"]["app.kubernetes.io/name"]
            if not component.startswith("replica"):
                continue
            name = "authority-1-" + component
            self.assertEqual(
                (document["kind"], document["metadata"]["name"], document["spec"]["replicas"]),
                ("StatefulSet", name, 1),
            )
            volumes = {v["name"]: v for v in pod["volumes"]}
            (key,) = volumes["replica-key"]["secret"]["items"]
            self.assertEqual(key["path"], "replica.key")
            self.assertIn(f"{name}-tls", str(volumes))
            self.assertIn(name, str(volumes["config"]))
            text = next(c for c in m.kinds("ConfigMap") if c["metadata"]["name"] == name)["data"]["solidus-replica.yml"]
            config = dict(properties.flat(yaml.safe_load(text)))
            (claim,) = document["spec"]["volumeClaimTemplates"]
            found[component] = (
                key["key"],
                config["solidus.replica.gateway"],
                claim["spec"]["resources"]["requests"]["storage"],
                config["solidus.replica.disk"],
            )
            service = next(s for s in m.kinds("Service") if s["metadata"]["name"] == name)
            self.assertEqual(service["spec"]["selector"], document["spec"]["selector"]["matchLabels"])
            selected.add(str(service["spec"]["selector"]))
            certificate = next(c for c in m.kinds("Certificate") if c["spec"]["secretName"] == f"{name}-tls")
            self.assertIn(f"{name}.solidus-authority-1.svc.cluster.local", certificate["spec"]["dnsNames"])
        self.assertEqual(found, wanted)
        self.assertEqual(len(selected), 3, "a service must not lead to the replica of another mailbox")
        keys = [e["secretKey"] for e in m.kinds("ExternalSecret")[0]["spec"]["data"]]
        self.assertEqual(keys[3:], ["replica.key", "replica-bank-b.key", "replica-c.key"])
        for mailbox, port in zip(MAILBOXES, (8443, 443), strict=True):
            name = "replica-" + mailbox["name"]
            policy = next(p["spec"] for p in m.kinds("NetworkPolicy") if p["metadata"]["name"] == f"authority-1-{name}")
            self.assertEqual(policy["podSelector"]["matchLabels"]["app.kubernetes.io/name"], name)
            self.assertIn({"to": mailbox["peers"], "ports": [{"protocol": "TCP", "port": port}]}, policy["egress"])
            self.assertIn({"from": mailbox["peers"], "ports": [{"protocol": "TCP", "port": 9210}]}, policy["ingress"])
            self.assertNotIn("solidus-operator", str(policy))

    def test_a_replica_goes_on_while_the_database_is_restored_and_restarts_for_itself_alone(self):
        enabled = {"replica": {"enabled": True}}

        def replica(values):
            documents = yaml.safe_load_all(helm("solidus-authority", [], {**enabled, **values}).stdout)
            return next(
                d
                for d in documents
                if d and (d["kind"], d["metadata"]["name"]) == ("StatefulSet", "authority-1-replica")
            )

        usual = replica({})
        self.assertEqual(replica({"authority": {"stopped": True}}), usual)
        self.assertEqual(replica({"shards": {"properties": {"logging.level.root": "WARN"}}}), usual)
        changed = replica({"replica": {"enabled": True, "properties": {"logging.level.root": "WARN"}}})
        self.assertNotEqual(changed["spec"]["template"]["metadata"], usual["spec"]["template"]["metadata"])

    def test_share_wrapped_by_a_token(self):
        m = Manifests.of("authority-token")
        config = next(c for _, s, c in m.configs() if s == "signer")
        self.assertEqual(
            {n: v for n, v in config.items() if "token" in n or "share" in n},
            {
                "solidus.signer.share-file": "/var/run/solidus/share/share.wrapped",
                "solidus.signer.token.library": "/opt/token/libpkcs11.so",
                "solidus.signer.token.slot": 1234567890,
                "solidus.signer.token.key-label": "share-kek",
                "solidus.signer.token.pin-file": "/var/run/solidus/share/pin",
            },
        )
        pod = next(s for d, _, s in m.pods() if d["metadata"]["name"] == "authority-1-signer")
        self.assertEqual(
            [c["command"] for c in pod["initContainers"]],
            [
                [
                    "install",
                    "-m",
                    "0400",
                    "/var/run/solidus/share-secret/share.wrapped",
                    "/var/run/solidus/share/share.wrapped",
                ],
                # files of a secret are readable by the group, and the signer refuses such a PIN
                ["install", "-m", "0400", "/var/run/solidus/pin-secret/pin", "/var/run/solidus/share/pin"],
            ],
        )
        volumes = {v["name"]: v for v in pod["volumes"]}
        self.assertEqual(volumes["share"]["emptyDir"]["medium"], "Memory")
        self.assertEqual(
            volumes["share-secret"]["secret"]["items"], [{"key": "share.wrapped", "path": "share.wrapped"}]
        )
        self.assertEqual(
            (volumes["pin-secret"]["secret"]["secretName"], volumes["pin-secret"]["secret"]["defaultMode"]),
            ("token-pin", 0o440),
        )
        self.assertEqual(
            volumes["token-library"], {"name": "token-library", "persistentVolumeClaim": {"claimName": "token-library"}}
        )
        mounts = {n["name"]: n for n in pod["containers"][0]["volumeMounts"]}
        self.assertEqual(
            mounts["token-library"], {"name": "token-library", "mountPath": "/opt/token", "readOnly": True}
        )
        self.assertNotIn("pin-secret", mounts)
        self.assertNotIn("share-secret", mounts)
        self.assertEqual(
            [e["secretKey"] for e in m.kinds("ExternalSecret")[0]["spec"]["data"]],
            ["share.wrapped", "note.seed", "internal.token"],
        )

        for document in m.all:
            if document["metadata"]["name"] not in ("authority-1-signer", "authority-keys"):
                self.assertNotRegex(str(document), r"share\.(json|wrapped)|token-pin", label(document))
        in_the_image = helm(
            "solidus-authority",
            [],
            {"signer": {"token": {**TOKEN, "library": "/usr/lib/libpkcs11.so", "libraryVolume": None}}},
        )
        self.assertIn("token.library: /usr/lib/libpkcs11.so", in_the_image.stdout)
        self.assertNotIn("token-library", in_the_image.stdout)

    def test_the_database_of_a_sign_log_outlives_the_release(self):
        for case in CASES:
            m = Manifests.of(case)
            kept = sorted(
                label(d) for d in m.all if d["metadata"].get("annotations", {}).get("helm.sh/resource-policy") == "keep"
            )
            databases = m.kinds("Cluster")
            for cluster in databases:
                self.assertIn(label(cluster), kept)
                # without the policy every pod of the cluster could connect to the database
                its = [
                    p
                    for p in m.kinds("NetworkPolicy")
                    if p["metadata"]["namespace"] == cluster["metadata"]["namespace"]
                    and network.matches(p["spec"]["podSelector"], cluster["spec"]["inheritedMetadata"]["labels"])
                    and p["spec"]["podSelector"]
                ]
                self.assertEqual(
                    [label(p) in kept and sorted(p["spec"]["policyTypes"]) for p in its], [["Egress", "Ingress"]]
                )
            claims = [d for d in m.kinds("PersistentVolumeClaim") if d["metadata"]["name"] == "issuance-anchor"]
            self.assertEqual(len(kept), 2 * len(databases) + len(claims) + len(m.kinds("Namespace")), kept)

    def test_the_database_waits_for_the_required_standbys(self):
        for case in CASES:
            m = Manifests.of(case)
            for cluster in m.kinds("Cluster"):
                spec = cluster["spec"]
                mine = [
                    c
                    for d, s, c in m.configs()
                    if d["metadata"]["namespace"] == cluster["metadata"]["namespace"]
                    and s in ("validator", "signer", "compliance-issuer")
                ]
                demanded = {c["solidus.validator.synchronous-standbys"] for c in mine}
                self.assertEqual(demanded, {spec["postgresql"]["synchronous"]["number"]})
                self.assertEqual(spec["postgresql"]["synchronous"]["dataDurability"], "required")
                self.assertLess(spec["postgresql"]["synchronous"]["number"], spec["instances"])
                self.assertEqual(spec["postgresql"]["parameters"]["synchronous_commit"], "on")

    def test_the_compliance_issuer_has_no_key_of_the_authority(self):
        files = {}
        for d, _, s in Manifests.of("authority").pods():
            for v in s["volumes"]:
                if v.get("secret", {}).get("secretName") == "authority-keys":
                    files.setdefault(d["metadata"]["name"], []).extend(i["key"] for i in v["secret"]["items"])
        self.assertEqual(
            files,
            {
                "authority-1-shard": ["note.seed"],
                "authority-1-signer": ["share.json"],
                "authority-1-compliance-issuer": ["internal.token"],
            },
        )

    def test_the_signer_has_a_database_role_of_its_own(self):
        for case, shards in (("authority", "authority-1-db-app"), ("authority-external", "login")):
            m = Manifests.of(case)
            logins = {
                d["metadata"]["name"].removeprefix("authority-1-"): v["secret"]["secretName"]
                for d, _, s in m.pods()
                for v in s["volumes"]
                if v["name"] == "database"
            }
            its = "authority-signer-database"
            self.assertEqual(logins, {"shard": shards, "compliance-issuer": shards, "signer": its}, case)
        recovery = next(s for d, _, s in Manifests.of("authority-recovers").pods() if d["kind"] == "Job")
        self.assertIn(its, [v.get("secret", {}).get("secretName") for v in recovery["volumes"]])

        spec = Manifests.of("authority").kinds("Cluster")[0]["spec"]
        owner = spec["bootstrap"]["initdb"]["owner"]
        (role,) = spec["managed"]["roles"]
        self.assertEqual((role["passwordSecret"], role["inRoles"]), ({"name": its}, [owner]))
        # it is neither superuser nor the shards' role, and it cannot give itself away
        self.assertNotIn(role["name"], (owner, "postgres"))
        self.assertEqual(set(role) - {"name", "ensure", "login", "inRoles", "passwordSecret"}, set())

    def test_shards_and_signer_agree_on_windows(self):
        configs = {s: c for _, s, c in Manifests.of("authority").configs()}
        for name in ("policy-grace", "period-grace", "heartbeat-max-age", "authority"):
            self.assertEqual(
                configs["validator"][f"solidus.validator.{name}"], configs["signer"][f"solidus.signer.{name}"], name
            )
        for name in ("id", "kind", "manifest-key", "allowed-key-classes"):
            self.assertEqual(
                configs["validator"][f"solidus.network.{name}"], configs["signer"][f"solidus.network.{name}"], name
            )

    def test_the_database_has_enough_connections(self):
        for case in ("authority", "authority-grown"):
            m = Manifests.of(case)
            pools = 0
            for document in m.kinds("StatefulSet", "Deployment"):
                service = document["metadata"]["labels"]["app.kubernetes.io/name"].replace("shard", "validator")
                config = {**properties.packaged(service), **next(c for _, s, c in m.configs() if s == service)}
                size = config["spring.datasource.hikari.maximum-pool-size"]
                if service == "validator":
                    size += 4  # solidus.validator.look-up-connections
                surge = 1 if document["kind"] == "Deployment" else 0
                pools += size * (document["spec"]["replicas"] + surge)
            allowed = int(m.kinds("Cluster")[0]["spec"]["postgresql"]["parameters"]["max_connections"])
            # replication, the operator, a split and an administrator need connections too
            self.assertGreaterEqual(allowed, pools + 15, case)

    def test_authorities_do_not_name_each_other(self):
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
