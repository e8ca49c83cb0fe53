"""Values that the charts refuse."""

import unittest

from manifests import ADMIN_INGRESS, CASES, CONSOLE, MAILBOXES, REPLICA_KEYS, TOKEN, helm

WALLETS = "https://registration.solidus.example"


class Refused(unittest.TestCase):
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
            ({"global": {"production": True, "keys": {"suiteReview": ""}}}, "suiteReview"),
            ({"global": {"production": True, "keys": {"transcripts": []}}}, "transcripts"),
            ({"global": {"production": True, "kafka": {"securityProtocol": "PLAINTEXT"}}}, "securityProtocol"),
            ({"global": {"tracing": {"endpoint": "https://collector:4318/v1/traces"}}}, "global.tracing.peers"),
            ({"global": {"trust": {"approvers": {"ben": None}}}}, "approvers"),
            (
                {
                    "global": {
                        "trust": {
                            "former": [{"issuer": "policy", "key": "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}]
                        }
                    }
                },
                "until",
            ),
            (
                {"global": {"trust": {"former": [{"issuer": "desk", "key": "", "until": "2027-03-01T12:00:00Z"}]}}},
                "/global/trust/former/0/issuer",
            ),
            ({"database": {"cnpg": {"parameters": {"fsync": "off"}}}}, "fsync"),
            ({"database": {"cnpg": {"parameters": {"synchronous_commit": "local"}}}}, "synchronous_commit"),
            ({"database": {"synchronousStandbys": 3}}, "every commit waits for ever"),
            ({"database": {"mode": "external"}}, "external"),
            ({"shards": {"splits": [{"shard": 0, "newShard": 3}]}}, "the next shard is 2"),
            ({"shards": {"splits": [{"shard": 2, "newShard": 2}]}}, "does not exist yet"),
            ({"shards": {"replicas": 5}}, "additional properties 'replicas'"),
            ({"global": {"peers": {"apiServerCidrs": []}}}, "apiServerCidrs"),
            ({"signer": {"replicas": 2}}, "additional properties 'replicas'"),
            # two processes would sign two lists of one time
            ({"replica": {"enabled": True, "replicas": 2}}, "additional properties 'replicas'"),
            (
                {"replica": {"enabled": True, "properties": {"solidus.replica.gateway": "https://b"}}},
                "the gateway's address is replica.gateway",
            ),
            ({"replica": {"enabled": True, "gateway": "https://b.example"}}, "replica.gateway needs replica.peers"),
            ({"replica": {"enabled": True, "gateway": "http://b.example"}}, "/replica/gateway"),
            ({"replica": {"mailboxes": MAILBOXES}}, "replica.mailboxes needs replica.enabled"),
            # two processes with one key would sign two lists of one time
            ({"replica": {"enabled": True, "mailboxes": MAILBOXES[:1] * 2}}, "replica-bank-b is there twice"),
            *(
                ({"replica": {"enabled": True, "mailboxes": [{**MAILBOXES[0], name: value}]}}, f"/mailboxes/0/{name}")
                for name, value in (("peers", []), ("gateway", ""), ("gateway", "http://b.example"), ("name", "B"))
            ),
            # it would be killed while it takes a list on
            (
                {
                    "replica": {
                        "enabled": True,
                        "storage": {"enabled": False},
                        "properties": {"solidus.replica.memory": "512MB"},
                    }
                },
                "room for 486 MB of tables, and 512 MB are needed",
            ),
            (
                {
                    "replica": {
                        "enabled": True,
                        "storage": {"enabled": False},
                        "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
                    }
                },
                "room for 25 MB of tables",
            ),
            ({"global": {"production": True, "tracing": {"allowPlaintext": True}}}, "/global/tracing/allowPlaintext"),
            (
                {"global": {"production": True, "tracing": {"endpoint": "http://collector:4318/v1/traces"}}},
                "/global/tracing/endpoint",
            ),
            ({"signer": {"recover": {"always": True}}}, "additional properties 'always'"),
            ({"signer": {"recover": {"enabled": True}}}, "stopped first, by authority.stopped alone"),
            (
                {"authority": {"stopped": True}, "signer": {"recover": {"logIsNewest": True}}},
                "confirmed for one recovery",
            ),
            ({"signer": {"token": {"pin": "1234"}}}, "additional properties 'pin'"),
            ({"signer": {"token": {"enabled": True}}}, "/signer/token/library"),
            ({"signer": {"token": {**TOKEN, "library": "libpkcs11.so"}}}, "/signer/token/library"),
            ({"signer": {"token": {**TOKEN, "library": None}}}, "library"),
            ({"signer": {"token": {**TOKEN, "keyLabel": ""}}}, "/signer/token/keyLabel"),
            ({"signer": {"token": {**TOKEN, "pinSecret": ""}}}, "/signer/token/pinSecret"),
            ({"signer": {"token": {**TOKEN, "slot": -1}}}, "/signer/token/slot"),
            ({"signer": {"token": {**TOKEN, "library": "/usr/lib/libpkcs11.so"}}}, "its own folder"),
            (
                {"signer": {"token": {**TOKEN, "libraryVolume": {"hostPath": {"path": "/opt/token"}}}}},
                "/signer/token/libraryVolume/hostPath",
            ),
        ):
            with self.subTest(values=values):
                self.refused("authority", values, said)

    def test_operator_misconfigurations(self):
        for values, said in (
            ({"committee": {"size": 5}}, "3f\\+1"),
            ({"oidc": {"publicKey": ""}}, "every operator is refused"),
            ({"oidc": {"publicKey": "", "issuerUri": "https://login.example"}}, "trustStoreConfigMap"),
            (
                {
                    "oidc": {"publicKey": "", "issuerUri": "https://login.example", "peers": [{"ipBlock": {}}]},
                    "global": {"tls": {"trustStoreConfigMap": "solidus-trust"}},
                },
                "registration.serviceClient.id",
            ),
            (
                {
                    "oidc": {"publicKey": "", "issuerUri": "https://login.example", "peers": [{"ipBlock": {}}]},
                    "registration": {"serviceClient": {"id": "registration"}},
                    "global": {"tls": {"trustStoreConfigMap": "solidus-trust"}},
                },
                "issuance.serviceClient.id",
            ),
            ({"global": {"production": True}}, "oidc.publicKey is for sandboxes"),
            (
                {
                    "global": {"production": True, "tls": {"trustStoreConfigMap": "solidus-trust"}},
                    "oidc": {"issuerUri": "https://login.example"},
                },
                "oidc.publicKey is for sandboxes",
            ),
            ({"global": {"production": True, "tracing": {"allowPlaintext": True}}}, "/global/tracing/allowPlaintext"),
            ({"adminIngress": {**ADMIN_INGRESS, "allowedSources": []}}, "/adminIngress/allowedSources"),
            ({"adminIngress": {**ADMIN_INGRESS, "urls": {"registration": ""}}}, "adminIngress.urls.registration"),
            (
                {"adminIngress": {**ADMIN_INGRESS, "urls": {"registration": WALLETS}}},
                "a host of the wallets",
            ),
            ({"issuance": {"replicas": 2}}, "/issuance/replicas"),
            ({"publicUrls": {"gateway": "http://pay.example"}}, "publicUrls"),
            ({"console": CONSOLE}, "console.enabled needs oidc.issuerUri"),
            (
                {
                    "oidc": {
                        "publicKey": "",
                        "issuerUri": "https://login.example",
                        "peers": [{"ipBlock": {"cidr": "10.0.0.1/32"}}],
                    },
                    "registration": {"serviceClient": {"id": "registration"}},
                    "issuance": {"database": {"ownerSecret": ""}},
                    "global": {"production": True, "tls": {"trustStoreConfigMap": "solidus-trust"}},
                },
                "issuance.database.ownerSecret is required in production",
            ),
            ({"webhooks": {"targets": {"chat": {"url": "https://chat"}}}}, "webhooks.peers is required"),
            ({"webhooks": {"targets": {"chat": {"url": "file:/etc"}}}}, "url"),
            ({"webhooks": {"targets": {"chat": {"url": "https://c", "kinds": ["all"]}}}}, "kinds"),
            (
                {
                    "webhooks": {
                        "targets": {"chat": {"url": "https://chat"}},
                        "peers": [{"ipBlock": {"cidr": "10.0.0.1/32"}}],
                    }
                },
                "webhooks.targets needs global.tls.trustStoreConfigMap",
            ),
            ({"gateway": {"mailTables": {"replicas": True}}}, "replicas needs gateway.mailTables.interval"),
            *(
                ({"gateway": {"mailTables": {"interval": interval}}}, "/gateway/mailTables/interval")
                # a gateway with replicas would not start with none of them; alerts would fire for ever
                for interval in ("300", "0m", "0h", "601s", "11m", "1h")
            ),
            (
                {"gateway": {"mailTables": {"interval": "5m", "replicas": True, "replicaKeys": REPLICA_KEYS[:3]}}},
                "3 keys for 4 authorities",
            ),
            (
                {"gateway": {"mailTables": {"interval": "5m", "replicas": True, "replicaKeys": REPLICA_KEYS[:1] * 4}}},
                "/gateway/mailTables/replicaKeys",
            ),
            (
                {
                    "committee": {"elsewhere": {"2": {"shardPattern": "a2-{shard}.example:9100"}}},
                    "gateway": {"mailTables": {"interval": "5m", "replicas": True}},
                },
                "committee.elsewhere.2.replica is required",
            ),
            ({"console": {"publicUrl": "http://console.example"}}, "/console/publicUrl"),
            ({"console": {"login": {"scopes": ["solidus"]}}}, "/console/login/scopes"),
            # sessions are in memory: a second pod logs people out at random
            ({"console": {"replicas": 2}}, "/console/replicas"),
            ({"console": {**CONSOLE, "ingress": {"enabled": True}}}, "/console/ingress/allowedSources"),
            ({"sanctions": {"autoscaling": {"enabled": True}}}, "additional properties 'autoscaling'"),
        ):
            with self.subTest(values=values):
                self.refused("operator", values, said)

    def test_a_console_without_login_or_host(self):
        for values, said in (
            ({"publicUrl": ""}, "console.publicUrl is required"),
            ({"publicUrl": WALLETS}, "a host of the wallets"),
            ({"publicUrl": ADMIN_INGRESS["urls"]["issuance"]}, "a host of the admin API"),
            ({"login": {"clientId": ""}}, "console.login.clientId is required"),
        ):
            with self.subTest(values=values):
                chart, files, full = CASES["operator-full"]
                done = helm(chart, files, {**full, "console": {**CONSOLE, **values}})
                self.assertNotEqual(done.returncode, 0, "rendered")
                self.assertIn(said, done.stderr)

    def test_invalid_committees(self):
        self.refused("pilot-n4", {"global": {"authorities": {"a5": True}}}, "5 authorities are on|a committee of 5")
        self.refused("pilot-n4", {"global": {"authorities": {"a4": False}}}, "3 authorities are on|a committee of 3")
        self.refused(
            "pilot-n4", {"global": {"authorities": {"a4": False, "a5": True}}}, "exactly the first N must be on"
        )
        self.refused("pilot-n4", {"a2": {"authority": {"index": 1}}}, "a2.authority.index must be 2")
        self.refused("pilot-n4", {"global": {"namespaces": {"authority": "all"}}}, "must contain")
        self.refused(
            "pilot-n4",
            {
                "operator": {"gateway": {"mailTables": {"interval": "5m", "replicas": True}}},
                **{f"a{i}": {"replica": {"enabled": True}} for i in (1, 2, 4)},
            },
            "needs a3.replica.enabled",
        )
        self.refused(
            "pilot-n4",
            {
                "operator": {"gateway": {"mailTables": {"interval": "5m", "replicas": True, "mailbox": "bank-b"}}},
                **{f"a{i}": {"replica": {"enabled": True, "mailboxes": MAILBOXES[i == 3 :]}} for i in range(1, 5)},
            },
            "a3.replica.mailboxes has no bank-b",
        )
