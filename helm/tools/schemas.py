#!/usr/bin/env python3
"""Writes the values.schema.json of each chart. With --check it fails if a file is out of date.

The charts share the section `global`, which Helm schemas cannot import from one another.
"""

import json
import pathlib
import sys

HELM = pathlib.Path(__file__).resolve().parent.parent

KEY32 = {"type": "string", "pattern": "^([A-Za-z0-9+/]{43}=)?$", "description": "32 bytes in base64; empty for none"}
TEXT = {"type": "string"}
NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", "maxLength": 253}
NAME_OR_NONE = {"type": "string", "pattern": "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$", "maxLength": 253}
MAILBOX = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]{0,18}[a-z0-9])?$"}
PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
BOOL = {"type": "boolean"}
ANY = {"type": "object"}
LIST = {"type": "array", "items": {"type": "object"}}
SIZE = {"type": "string", "pattern": "^[0-9]+(Mi|Gi|Ti)$"}
PERCENT = {"type": "integer", "minimum": 10, "maximum": 90}
CIDRS = {"type": "array", "items": {"type": "string", "pattern": "^[0-9a-fA-F.:]+/[0-9]{1,3}$"}}
DURATION = {"type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"}
PROPERTIES = {
    "type": "object",
    "propertyNames": {"pattern": "^(solidus|spring|server|management|logging)\\."},
    "additionalProperties": {"type": ["string", "number", "boolean"]},
}


def whole(minimum, maximum):
    return {"type": "integer", "minimum": minimum, "maximum": maximum}


def one(*values):
    return {"enum": list(values)}


def closed(required=(), **properties):
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


def peers(minimum=0):
    return {"type": "array", "minItems": minimum, "items": {"type": "object", "minProperties": 1}}


RESOURCES = closed(
    ("requests", "limits"),
    requests={"type": "object", "required": ["cpu", "memory"]},
    # no CPU limit: a throttled verification delays a whole batch
    limits={"type": "object", "required": ["memory"]},
)
PLACE = {"nodeSelector": ANY, "tolerations": LIST, "affinity": ANY}
WORKLOAD = {"properties": PROPERTIES, "heapPercent": PERCENT, "resources": RESOURCES, **PLACE}

GLOBAL = closed(
    production=BOOL,
    tracing=closed(
        endpoint={"type": "string", "pattern": "^(https?://.+)?$"},
        sslBundle=TEXT,
        allowPlaintext=BOOL,
        ratio={"type": "number", "minimum": 0, "maximum": 1},
        maxPerSecond=whole(1, 1000),
        peers=peers(),
    ),
    image=closed(
        registry=TEXT,
        repository={"type": "string", "minLength": 1},
        tag={"type": "string", "minLength": 1, "not": {"pattern": "^latest$"}},
        digests={"type": "object", "additionalProperties": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}},
        pullPolicy=one("IfNotPresent", "Always", "Never"),
        pullSecrets=LIST,
        command={"type": "array", "items": TEXT, "minItems": 1},
        toolbox={
            "type": "string",
            "pattern": "^[a-z0-9./-]+(:[A-Za-z0-9][\\w.-]*|@sha256:[0-9a-f]{64})$",
            "not": {"pattern": ":latest$"},
        },
    ),
    namespaces=closed(operator=NAME_OR_NONE, authority={"type": "string", "pattern": "^[-a-z0-9{}]*$"}, create=BOOL),
    clusterDomain=NAME,
    network=closed(
        ("id", "kind"),
        id={"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]{0,62}$"},
        kind=one("regulated", "unregulated"),
        currency={"type": "string", "pattern": "^[A-Z]{3}$"},
    ),
    keys=closed(
        manifestKey={**KEY32, "minLength": 44},
        allowedClasses={
            "type": "array",
            "minItems": 1,
            "items": one("ceremony", "development", "load-test"),
            "uniqueItems": True,
        },
        transcripts={"type": "array", "items": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "uniqueItems": True},
        suiteReview=TEXT,
        volume={"type": "object", "minProperties": 1},
    ),
    trust=closed(
        registration=KEY32,
        sanctions=KEY32,
        policy=KEY32,
        former={
            "type": "array",
            "items": closed(
                ("issuer", "key", "until"),
                issuer=one("registration", "sanctions", "policy"),
                key={**KEY32, "minLength": 44},
                until={"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"},
            ),
        },
        approvers={
            "type": "object",
            # a mint needs two approvers
            "minProperties": 2,
            "additionalProperties": closed(
                ("publicKey", "subject"),
                publicKey={**KEY32, "minLength": 44},
                subject={"type": "string", "minLength": 1},
            ),
        },
    ),
    kafka=closed(
        bootstrapServers={"type": "string", "minLength": 3},
        port=PORT,
        peers=peers(1),
        securityProtocol=one("SSL", "SASL_SSL", "PLAINTEXT"),
        saslMechanism=TEXT,
        caSecret=NAME_OR_NONE,
        clientSecret=NAME_OR_NONE,
        saslSecret=NAME_OR_NONE,
    ),
    tls=closed(
        issuer=closed(("name", "kind"), name={**NAME, "minLength": 1}, kind=one("ClusterIssuer", "Issuer")),
        duration=DURATION,
        renewBefore=DURATION,
        trustStoreConfigMap=NAME_OR_NONE,
        caConfigMap=NAME_OR_NONE,
    ),
    shutdown=closed(
        preStopSeconds=whole(0, 60),
        phaseSeconds=whole(5, 120),
        grpcSeconds=whole(1, 120),
        terminationSeconds=whole(30, 600),
    ),
    peers=closed(
        dns=closed(namespace=NAME, podLabels=ANY),
        monitoring=closed(namespace=NAME, podLabels=ANY),
        ingress=closed(namespace=NAME, podLabels=ANY),
        apiServerCidrs=CIDRS,
        objectStoreCidrs=CIDRS,
        postgresOperatorNamespace=NAME,
    ),
    authorities={"type": "object", "propertyNames": {"pattern": "^a([1-9]|10)$"}, "additionalProperties": BOOL},
    monitoring=closed(
        enabled=BOOL,
        labels=ANY,
        interval=DURATION,
        scrapeTimeout=DURATION,
        dashboardLabel=TEXT,
        runbookBase={"type": "string", "minLength": 1},
    ),
)

# the services refuse test settings in the profile `production`; the schema refuses them before the release
GLOBAL["if"] = {"properties": {"production": {"const": True}}, "required": ["production"]}
GLOBAL["then"] = {
    "properties": {
        "keys": {
            "properties": {
                "allowedClasses": {"const": ["ceremony"]},
                "suiteReview": {"minLength": 1},
                "transcripts": {"minItems": 1},
            }
        },
        "kafka": {"properties": {"securityProtocol": {"enum": ["SSL", "SASL_SSL"]}}},
        "tracing": {"properties": {"endpoint": {"pattern": "^(https://.+)?$"}, "allowPlaintext": {"const": False}}},
    }
}

TOKEN = closed(
    enabled=BOOL,
    library={"type": "string", "pattern": "^(/[\\w.+-]+)*$", "description": "an absolute path"},
    slot=whole(0, 2147483647),
    keyLabel=TEXT,
    pinSecret=NAME_OR_NONE,
    # pod security refuses hostPath
    libraryVolume={"type": "object", "maxProperties": 1, "properties": {"hostPath": False}},
)
TOKEN["if"] = {"properties": {"enabled": {"const": True}}, "required": ["enabled"]}
TOKEN["then"] = {
    "required": ["library", "keyLabel", "pinSecret"],
    "properties": {"library": {"pattern": "^/[\\w.+-]+/"}, "keyLabel": {"minLength": 1}, "pinSecret": {"minLength": 1}},
}

AUTHORITY = closed(
    ("authority", "shards", "signer", "secrets", "database", "global"),
    authority=closed(("index",), index=whole(1, 100), stopped=BOOL),
    shards=closed(
        initial=whole(1, 1024),
        splits={
            "type": "array",
            "items": closed(
                ("shard", "newShard"),
                shard=whole(0, 1023),
                newShard=whole(1, 1023),
                at={"type": "string", "pattern": "^(middle|median|[0-9a-f]{1,64})$"},
            ),
        },
        splitDeadlineSeconds=whole(60, 604800),
        batch=closed(
            workers=whole(0, 256),
            max=whole(1, 256),
            queue=whole(1, 100000),
            **{"max-wait": DURATION, "max-linger": DURATION, "stop": DURATION},
        ),
        allowFewer=BOOL,
        admissionPolicy=BOOL,
        **WORKLOAD,
    ),
    signer=closed(
        signLog=closed(storageClass=NAME_OR_NONE, size=SIZE),
        anchor=closed(storageClass=NAME_OR_NONE, size=SIZE),
        recover=closed(enabled=BOOL, logIsNewest=BOOL),
        token=TOKEN,
        **WORKLOAD,
    ),
    windows=closed(policyGrace=DURATION, periodGrace=DURATION, heartbeatMaxAge=DURATION),
    complianceIssuer=closed(replicas=whole(1, 20), **WORKLOAD),
    replica=closed(
        enabled=BOOL,
        gateway={"type": "string", "pattern": "^(https://[A-Za-z0-9.-]+(:[0-9]{1,5})?)?$"},
        peers=peers(),
        mailboxes={
            "type": "array",
            "maxItems": 32,
            "items": closed(
                ("name", "gateway", "peers"),
                name=MAILBOX,
                gateway={"type": "string", "pattern": "^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?$"},
                peers={**peers(), "minItems": 1},
                size=SIZE,
            ),
        },
        storage=closed(enabled=BOOL, storageClass=NAME_OR_NONE, size=SIZE),
        **WORKLOAD,
    ),
    secrets=closed(
        ("name",),
        name={**NAME, "minLength": 1},
        formerShare=NAME_OR_NONE,
        external=closed(enabled=BOOL, storeRef=ANY, remoteKey=TEXT, refreshInterval=DURATION),
    ),
    database=closed(
        ("mode", "name", "synchronousStandbys", "signerSecret"),
        mode=one("cnpg", "external"),
        name={"type": "string", "pattern": "^[a-z][a-z0-9_]{0,62}$"},
        synchronousStandbys=whole(0, 16),
        signerSecret=NAME,
        shardConnections=whole(2, 100),
        cnpg=closed(
            instances=whole(1, 9),
            imageName={"type": "string", "not": {"pattern": ":latest$"}},
            storage=closed(("size",), size=SIZE, storageClass=NAME_OR_NONE),
            walStorage=closed(("size",), size=SIZE, storageClass=NAME_OR_NONE),
            resources=RESOURCES,
            parameters={
                "type": "object",
                "additionalProperties": {"type": ["string", "number", "boolean"]},
                "propertyNames": {
                    "not": {
                        "enum": [
                            "fsync",
                            "full_page_writes",
                            "synchronous_commit",
                            "synchronous_standby_names",
                            "zero_damaged_pages",
                            "ignore_checksum_failure",
                            "ignore_invalid_pages",
                            "data_sync_retry",
                            "session_replication_role",
                            "client_min_messages",
                        ]
                    }
                },
            },
            nodeSelector=ANY,
            tolerations=LIST,
            backup=closed(
                enabled=BOOL,
                destinationPath={"type": "string", "pattern": "^(s3://.+)?$"},
                serviceAccountAnnotations=ANY,
                retentionPolicy={"type": "string", "pattern": "^[0-9]+[dwm]$"},
                schedule=TEXT,
            ),
        ),
        external=closed(host=TEXT, port=PORT, secret=NAME_OR_NONE, caSecret=NAME_OR_NONE, peers=peers()),
    ),
    **{"global": GLOBAL},
)
AUTHORITY["allOf"] = [
    {
        "if": {"properties": {"database": {"properties": {"mode": {"const": "external"}}}}},
        "then": {
            "properties": {
                "database": {
                    "properties": {
                        "external": {
                            "required": ["host", "secret", "caSecret", "peers"],
                            "properties": {
                                "host": {"minLength": 1},
                                "secret": {"minLength": 1},
                                "caSecret": {"minLength": 1},
                                "peers": {"minItems": 1},
                            },
                        }
                    }
                }
            }
        },
    }
]

DATABASE = closed(host=TEXT, port=PORT, name=TEXT, secret=NAME)
OWNED_DATABASE = closed(host=TEXT, port=PORT, name=TEXT, secret=NAME, ownerSecret=NAME_OR_NONE)
SCALING = closed(enabled=BOOL, minReplicas=whole(2, 1000), maxReplicas=whole(2, 1000), cpuPercent=whole(10, 95))
URL = {"type": "string", "pattern": "^(https://[^/]+)?$", "description": "https, without a slash at the end"}

BANK = {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,31}$"}


def staff_ingress(**more):
    """An ingress for the bank's staff: it does not open to everybody."""
    return {
        **closed(
            enabled=BOOL,
            className=TEXT,
            annotations=ANY,
            allowedSources=CIDRS,
            allowedSourcesAnnotation=TEXT,
            tlsSecret=NAME,
            controller=closed(namespace=NAME_OR_NONE, podLabels=ANY),
            **more,
        ),
        "if": {"properties": {"enabled": {"const": True}}},
        "then": {"properties": {"allowedSources": {"minItems": 1}}},
    }


OPERATOR = closed(
    ("committee", "oidc", "publicUrls", "database", "global"),
    committee=closed(
        size=whole(4, 100),
        elsewhere={
            "type": "object",
            "propertyNames": {"pattern": "^[1-9][0-9]*$"},
            "additionalProperties": closed(
                ("shardPattern",), shardPattern={"type": "string", "pattern": "\\{shard\\}"}, issuer=TEXT, replica=TEXT
            ),
        },
        peers=peers(),
    ),
    webhooks=closed(
        targets={
            "type": "object",
            "propertyNames": {"pattern": "^[a-z0-9-]{1,40}$"},
            "maxProperties": 10,
            "additionalProperties": closed(
                ("url",),
                url={"type": "string", "pattern": "^https?://[^@#]+$"},
                services={"type": "array", "items": one("registration", "sanctions", "issuance")},
                kinds={
                    "type": "array",
                    "items": one(
                        "case.waiting",
                        "duplicate.waiting",
                        "match.waiting",
                        "proposal.waiting",
                        "import.waiting",
                        "mint.waiting",
                        "bank-message.waiting",
                        "payout.waiting",
                        "difference.waiting",
                    ),
                },
            ),
        },
        secret=NAME,
        peers=peers(),
        port=PORT,
    ),
    oidc=closed(
        publicKey=TEXT,
        tokenTypes={"type": "array", "items": TEXT, "minItems": 1},
        roleClaims={"type": "array", "items": TEXT, "minItems": 1},
        bankClaim={"type": "string", "minLength": 1},
        issuerUri={"type": "string", "pattern": "^(https://.+)?$"},
        audience={"type": "string", "minLength": 1},
        peers=peers(),
        port=PORT,
    ),
    banks=closed(
        known={
            "type": "array",
            "items": closed(("id",), id=BANK, name=TEXT, accounts={"type": "array", "items": TEXT}),
        },
        unnamed=TEXT,
        central=TEXT,
    ),
    publicUrls=closed(
        ("gateway", "registration", "sanctions", "issuance"), gateway=URL, registration=URL, sanctions=URL, issuance=URL
    ),
    ingress=closed(enabled=BOOL, className=TEXT, annotations=ANY, tlsSecret=NAME, publicPeers=peers()),
    adminIngress=staff_ingress(urls=closed(registration=URL, sanctions=URL, issuance=URL)),
    tokens=closed(enabled=BOOL, perDay=whole(1, 64)),
    gateway=closed(
        replicas=whole(1, 1000),
        autoscaling=SCALING,
        database=DATABASE,
        relay=closed(keys={"type": "array", "items": whole(0, 255), "uniqueItems": True}, secret=NAME),
        exchange=closed(
            peers={
                "type": "array",
                "maxItems": 32,
                "items": closed(
                    ("name", "address"),
                    name={"type": "string", "pattern": "^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$"},
                    address={"type": "string", "pattern": "^[a-z0-9.-]+:[0-9]{1,5}$"},
                ),
            },
            host={"type": "string", "pattern": "^[a-z0-9.-]*$"},
            network=peers(),
        ),
        mailTables=closed(
            # alerts and wallets count on a list within ten minutes
            interval={"type": "string", "pattern": "^(0s|([1-9][0-9]?|[1-5][0-9][0-9]|600)s|([1-9]|10)m)$"},
            replicas=BOOL,
            mailbox={"anyOf": [{"const": ""}, MAILBOX]},
            replicaKeys={"type": "array", "items": {**KEY32, "minLength": 44}, "uniqueItems": True},
        ),
        **WORKLOAD,
    ),
    prover=closed(
        enabled=BOOL,
        replicas=whole(1, 1000),
        autoscaling=SCALING,
        secret=NAME,
        keysVolume={"type": "object", "minProperties": 1},
        **WORKLOAD,
    ),
    # no autoscaling on purpose: these services keep their state in databases, and wallets put little load on them
    registration=closed(
        replicas=whole(1, 10),
        database=OWNED_DATABASE,
        secret=NAME,
        auditNotesClaim=NAME_OR_NONE,
        screeningTokenSecret=NAME,
        serviceClient=closed(id=TEXT, secret=NAME, parameters={"type": "object", "additionalProperties": TEXT}),
        requiredLists={"type": "array", "items": TEXT, "minItems": 1},
        **WORKLOAD,
    ),
    sanctions=closed(
        replicas=whole(1, 10), database=OWNED_DATABASE, secret=NAME, auditNotesClaim=NAME_OR_NONE, **WORKLOAD
    ),
    issuance=closed(
        replicas=whole(1, 1),
        anchor=closed(storageClass=NAME_OR_NONE, size=SIZE),
        database=OWNED_DATABASE,
        secret=NAME,
        serviceClient=closed(id=TEXT, secret=NAME, parameters={"type": "object", "additionalProperties": TEXT}),
        **WORKLOAD,
    ),
    console=closed(
        enabled=BOOL,
        publicUrl=URL,
        replicas=whole(1, 1),
        login=closed(
            clientId=TEXT,
            secret=NAME,
            scopes={"type": "array", "items": TEXT, "contains": {"const": "openid"}},
        ),
        ingress=staff_ingress(),
        **WORKLOAD,
    ),
    database=closed(host=TEXT, caSecret=NAME, peers=peers(1)),
    kafkaTopics=closed(strimzi=BOOL, cluster=NAME, namespace=NAME, replicas=whole(1, 9), minInSyncReplicas=whole(1, 9)),
    paymentTest=closed(
        enabled=BOOL,
        secret=NAME,
        amount={"type": "string", "pattern": "^[0-9]+\\.[0-9]{2}$"},
        payerAddress=TEXT,
        payeeAddress=TEXT,
        peers=peers(),
    ),
    **{"global": GLOBAL},
)

PILOT = closed(
    ("operator", "global"),
    operator=ANY,
    **{f"a{i}": {"type": "object", "required": ["authority"]} for i in range(1, 11)},
    **{"global": GLOBAL},
)

# another institution's: it shares no section with the network's charts
RELAY = closed(
    publicUrl=URL,
    gateway=closed(target={"type": "string", "pattern": "^(https://.+)?$"}, peers=peers(), port=PORT),
    relay=closed(replicas=whole(1, 100), secret=NAME, **WORKLOAD),
    ingress=closed(enabled=BOOL, className=TEXT, annotations=ANY, tlsSecret=NAME),
    **{
        "global": closed(
            production=BOOL,
            image=closed(**{k: v for k, v in GLOBAL["properties"]["image"]["properties"].items() if k != "toolbox"}),
            namespaces=closed(relay=NAME_OR_NONE, create=BOOL),
            clusterDomain=NAME,
            tls=GLOBAL["properties"]["tls"],
            shutdown=closed(
                **{k: v for k, v in GLOBAL["properties"]["shutdown"]["properties"].items() if k != "grpcSeconds"}
            ),
            peers=closed(
                **{k: GLOBAL["properties"]["peers"]["properties"][k] for k in ("dns", "monitoring", "ingress")}
            ),
            monitoring=closed(
                **{
                    k: GLOBAL["properties"]["monitoring"]["properties"][k]
                    for k in ("enabled", "labels", "interval", "scrapeTimeout")
                }
            ),
        )
    },
)

CHARTS = {"solidus-relay": RELAY, "solidus-authority": AUTHORITY, "solidus-operator": OPERATOR, "solidus-pilot": PILOT}


def main():
    stale = []
    for chart, values in CHARTS.items():
        schema = {"$schema": "http://json-schema.org/draft-07/schema#", "title": f"Values of {chart}", **values}
        # Helm adds values for the library chart
        schema["properties"] = {**schema["properties"], "solidus-common": ANY}
        text = json.dumps(schema, indent=1) + "\n"
        file = HELM / chart / "values.schema.json"
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(str(file.relative_to(HELM)))
    if stale:
        sys.exit("these files are out of date, run ./solidus cluster update: " + ", ".join(stale))


main()
