#!/usr/bin/env python3
"""Writes the dashboards: `dashboards.py` writes dashboards/*.json, `dashboards.py --check` says whether they are what it would write.

A dashboard is a list of rows, a row a title and its panels, a panel a title, a unit and its queries, a query a legend and PromQL.
Every dashboard has a choice of the data source; those of authorities also one of the authority.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, WIDTH, HEIGHT = 3, 8, 8
OWN = 'authority=~"$authority"'


def rate(metric, by="", select="", window="5m"):
    grouping = f" by ({by})" if by else ""
    return f"sum{grouping} (rate({metric}{{{select}}}[{window}]))"


def mean(timer, by="", select=""):
    """Of a timer or summary."""
    return f'{rate(timer + "_sum", by, select)} / {rate(timer + "_count", by, select)}'


def quantile(q, timer, by="", select=""):
    return f'histogram_quantile({q}, {rate(timer + "_bucket", "le" + (", " + by if by else ""), select)})'


def of(metric, by, select=OWN, how="max"):
    return f"{how} by ({by}) ({metric}{{{select}}})"


SUBMIT = "solidus_gateway_submission_duration_seconds"
QUORUM = "solidus_gateway_quorum_time_seconds"
STAGE = "solidus_validator_stage_duration_seconds"
HTTP = "http_server_requests_seconds"

DASHBOARDS = {
    "payments": ("Payments", "solidus-payments", False, [
        ("What wallets get", [
            ("Payments", "reqps", [("{{outcome}}", rate(SUBMIT + "_count", "outcome", 'kind="transfer"'))]),
            ("Refusals by code", "reqps", [("{{kind}} {{outcome}}", rate(SUBMIT + "_count", "kind, outcome", 'outcome!="ok"'))]),
            ("Time of a payment at the gateway", "s", [(f"p{round(q * 100)}", quantile(q, SUBMIT, select='kind="transfer",outcome="ok"')) for q in (0.5, 0.95, 0.99)]),
            ("Time to a quorum", "s", [(f"p{round(q * 100)}", quantile(q, QUORUM)) for q in (0.5, 0.95, 0.99)]),
            ("Calls by route", "reqps", [("{{method}} {{uri}} {{status}}", rate(HTTP + "_count", "method, uri, status", 'component="gateway"'))]),
            ("Native calls of the gateway", "s", [("{{call}}", mean("solidus_gateway_native_duration_seconds", "call"))]),
        ]),
        ("Objectives", [
            ("Failed payments (objective 0.1 %)", "percentunit", [("1 h", "solidus:payments_failed:ratio_rate1h"), ("6 h", "solidus:payments_failed:ratio_rate6h"), ("3 d", "solidus:payments_failed:ratio_rate3d")]),
            ("Quorums over 500 ms (objective 1 %)", "percentunit", [("1 h", "solidus:quorum_slow:ratio_rate1h"), ("6 h", "solidus:quorum_slow:ratio_rate6h"), ("3 d", "solidus:quorum_slow:ratio_rate3d")]),
            ("Unavailable authorities (objective 0.5 %)", "percentunit", [("authority {{authority}}, 6 h", "solidus:authority_unavailable:ratio_rate6h")]),
        ]),
        ("Authorities as the gateway sees them", [
            ("Answers of each authority", "reqps", [("{{authority}} {{outcome}}", rate("solidus_gateway_authority_answers_total", "authority, outcome"))]),
            ("Time of an authority", "s", [("authority {{authority}}", mean("solidus_gateway_authority_time_seconds", "authority"))]),
            ("Provably wrong answers", "short", [("{{authority}} {{reason}}", "sum by (authority, reason) (increase(solidus_gateway_culprits_total[15m]))")]),
            ("Transfers to be delivered later", "short", [("waiting", "max(solidus_gateway_deliveries_pending)")]),
            ("Shard map in use", "short", [("authority {{authority}}", "max by (authority) (solidus_gateway_shard_map_version)")]),
            ("Shard maps taken in", "reqps", [("{{authority}} {{outcome}}", rate("solidus_gateway_shard_maps_total", "authority, outcome"))]),
        ]),
    ]),
    "shards": ("Shards and batches", "solidus-shards", True, [
        ("Work", [
            ("Submissions by outcome", "reqps", [("{{kind}} {{outcome}}", rate("solidus_validator_submission_duration_seconds_count", "kind, outcome", OWN))]),
            ("Transfers by shard", "reqps", [("{{authority}} {{instance}}", rate("solidus_validator_submission_duration_seconds_count", "authority, instance", OWN + ',kind="transfer"'))]),
            ("Time of a transfer", "s", [("{{authority}} {{instance}}", mean("solidus_validator_submission_duration_seconds", "authority, instance", OWN + ',kind="transfer",outcome="ok"'))]),
            ("Time of a stage, per batch", "s", [("{{stage}}", mean(STAGE, "stage", OWN + ',kind="transfer"'))]),
            ("Batches in a stage at a time", "short", [("{{stage}}", rate(STAGE + "_sum", "stage", OWN))]),
            ("Takes new payments", "short", [("{{authority}} {{instance}}", of("solidus_validator_accepting_status", "authority, instance", how="min"))]),
        ]),
        ("Queues and batches", [
            ("Waiting", "short", [("{{kind}} {{instance}}", of("solidus_validator_queue_length", "kind, instance"))]),
            ("Wait in the queue", "s", [("{{kind}} {{instance}}", mean("solidus_validator_queue_wait_seconds", "kind, instance", OWN))]),
            ("Transfers in a batch", "short", [("mean, {{instance}}", mean("solidus_validator_batch_size", "instance", OWN + ',kind="transfer"')), ("p95", quantile(0.95, "solidus_validator_batch_size", "", OWN + ',kind="transfer"'))]),
            ("Told to come back", "reqps", [("{{kind}} {{instance}}", rate("solidus_validator_overloaded_total", "kind, instance", OWN))]),
            ("Callers that had gone", "reqps", [("{{kind}} {{instance}}", rate("solidus_validator_abandoned_total", "kind, instance", OWN))]),
            ("Policy and checkpoint", "short", [("policy {{instance}}", of("solidus_validator_policy_version", "instance")), ("checkpoint {{instance}}", of("solidus_validator_checkpoint_version", "instance"))]),
        ]),
        ("Signer and sign-log", [
            ("Signs", "short", [("authority {{authority}}", of("solidus_signer_ready_status", "authority"))]),
            ("State of the sign-log", "short", [("{{authority}} {{state}}", of("solidus_signer_log_status", "authority, state") + " > 0")]),
            ("Stages of signing, per batch", "s", [("{{authority}} {{stage}}", mean("solidus_signer_stage_duration_seconds", "authority, stage", OWN))]),
            ("Room for the sign-log", "bytes", [("authority {{authority}}", of("solidus_signer_log_disk_free_bytes", "authority", how="min"))]),
            ("Days until it is full", "d", [("authority {{authority}}", f"min by (authority) (solidus_signer_log_disk_free_bytes{{{OWN}}}) / -(min by (authority) (deriv(solidus_signer_log_disk_free_bytes{{{OWN}}}[6h])) * 86400 < 0)")]),
            ("Failed writes", "short", [("authority {{authority}}", f"sum by (authority) (increase(solidus_signer_log_writes_failed_total{{{OWN}}}[1h]))")]),
        ]),
        ("Compliance issuer", [
            ("Registrations", "reqps", [("{{authority}} {{way}} {{outcome}}", rate("solidus_compliance_issuer_registrations_seconds_count", "authority, way, outcome", OWN))]),
            ("Time of a registration", "s", [("authority {{authority}}", mean("solidus_compliance_issuer_registrations_seconds", "authority", OWN))]),
            ("Attestations from Kafka", "reqps", [("{{authority}} {{outcome}}", rate("solidus_compliance_issuer_attestations_count_total", "authority, outcome", OWN))]),
        ]),
    ]),
    "operator": ("The operator's services", "solidus-operator", False, [
        ("Money", [
            ("Issued and redeemed, minor units", "short", [("issued", "max(solidus_issuance_issued_minor)"), ("redeemed", "max(solidus_issuance_redeemed_minor)")]),
            ("Mints and redemptions", "reqps", [("mint {{outcome}}", rate("solidus_issuance_mints_count_total", "outcome")), ("redemption", rate("solidus_issuance_redemptions_count_total"))]),
            ("Refused", "short", [("more than was issued", "sum(increase(solidus_issuance_turnstile_breaches_total[1h]))"), ("redeemed before", "sum(increase(solidus_issuance_redemptions_conflicts_total[1h]))")]),
        ]),
        ("Persons and lists", [
            ("Cases", "reqps", [("{{outcome}}", rate("solidus_registration_cases_count_total", "outcome"))]),
            ("Waiting for their screening", "short", [("cases", "max(solidus_registration_screening_waiting)")]),
            ("Time of a screening", "s", [("mean", mean("solidus_sanctions_screening_duration_seconds"))]),
        ]),
        ("Delegated proofs", [
            ("Proofs", "reqps", [("{{family}} {{outcome}}", rate("solidus_prover_proof_time_seconds_count", "family, outcome"))]),
            ("Time of a proof", "s", [("{{family}} {{outcome}}", mean("solidus_prover_proof_time_seconds", "family, outcome"))]),
            ("Waiting", "short", [("{{instance}}", "max by (instance) (solidus_prover_proofs_pending)")]),
        ]),
    ]),
    "postgresql": ("PostgreSQL", "solidus-postgresql", True, [
        ("Pools", [
            ("Connections in use", "short", [("{{component}} {{instance}}", of("hikaricp_connections_active", "component, instance"))]),
            ("Waiting for a connection", "short", [("{{component}} {{instance}}", of("hikaricp_connections_pending", "component, instance"))]),
            ("Wait for a connection", "s", [("{{component}} {{instance}}", mean("hikaricp_connections_acquire_seconds", "component, instance", OWN))]),
            ("Time a connection is used", "s", [("{{component}} {{instance}}", mean("hikaricp_connections_usage_seconds", "component, instance", OWN))]),
            ("Gave up waiting", "short", [("{{component}} {{instance}}", f"sum by (component, instance) (increase(hikaricp_connections_timeout_total{{{OWN}}}[15m]))")]),
            ("Size of the pool", "short", [("{{component}} {{instance}}", of("hikaricp_connections_max", "component, instance"))]),
        ]),
        ("Time of database work, per batch", [
            ("Look-ups", "s", [("{{instance}}", mean(STAGE, "instance", OWN + ',stage="lookup"'))]),
            ("Reservations (one durable commit)", "s", [("{{instance}}", mean(STAGE, "instance", OWN + ',stage="reserve"'))]),
            ("Answers stored (one durable commit)", "s", [("{{instance}}", mean(STAGE, "instance", OWN + ',stage="store"'))]),
        ]),
        ("Durability", [
            ("Settings are safe", "short", [("{{authority}} {{component}} {{instance}}", of("solidus_durability_status", "authority, component, instance", how="min"))]),
            ("Standbys demanded", "short", [("authority {{authority}}", of("solidus_durability_standbys", "authority"))]),
            ("Standbys that stream", "short", [("{{namespace}}", "max by (namespace) (cnpg_pg_replication_streaming_replicas)")]),
            ("Replication lag", "s", [("{{namespace}} {{pod}}", "max by (namespace, pod) (cnpg_pg_replication_lag)")]),
            ("Size", "bytes", [("{{namespace}} {{datname}}", "max by (namespace, datname) (cnpg_pg_database_size_bytes)")]),
            ("Free space of volumes", "percentunit", [("{{persistentvolumeclaim}}", "min by (namespace, persistentvolumeclaim) (kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes)")]),
        ]),
    ]),
    "kafka": ("Kafka and outboxes", "solidus-kafka", False, [
        ("Outboxes", [
            ("Facts not on Kafka yet", "short", [("{{component}} {{instance}}", "max by (component, instance) (solidus_outbox_waiting)")]),
            ("Age of the oldest", "s", [("{{component}} {{instance}}", "max by (component, instance) (solidus_outbox_oldest_age_seconds)")]),
            ("Sent", "reqps", [("{{component}}", rate("kafka_producer_record_send_total", "component"))]),
        ]),
        ("Consumers", [
            ("Records behind", "short", [("{{component}} {{topic}} {{instance}}", "max by (component, topic, instance) (kafka_consumer_fetch_manager_records_lag_max)")]),
            ("Records taken in", "reqps", [("{{component}}", rate("kafka_consumer_fetch_manager_records_consumed_total", "component"))]),
            ("Facts refused", "short", [("{{authority}} {{kind}} {{reason}}", "sum by (authority, kind, reason) (increase(solidus_validator_fact_refused_count_total[1h]))")]),
            ("Failed sends", "short", [("{{component}}", "sum by (component) (increase(kafka_producer_record_error_total[15m]))")]),
            ("Heartbeats of the sanction authority", "reqps", [("sent", rate("solidus_sanctions_heartbeats_sent_total")), ("failed", rate("solidus_sanctions_heartbeats_failed_total"))]),
        ]),
    ]),
    "native": ("Native library", "solidus-native", True, [
        ("Verification", [
            ("Transfers in one native call", "short", [("mean, {{authority}}", mean("solidus_signer_verification_batch_size", "authority", OWN)), ("limit, {{authority}}", of("solidus_signer_verification_batch_limit", "authority"))]),
            ("Verification of a transfer", "s", [("authority {{authority}}", mean("solidus_signer_verification_each_duration_seconds", "authority", OWN))]),
            ("Signature of a transfer", "s", [("authority {{authority}}", mean("solidus_signer_signature_each_duration_seconds", "authority", OWN))]),
            ("Wrong proofs", "reqps", [("authority {{authority}}", rate("solidus_signer_verification_proofs_wrong_total", "authority", OWN))]),
            ("Batches bisected", "reqps", [("authority {{authority}}", rate("solidus_signer_verification_batches_bisected_total", "authority", OWN))]),
            ("Share of wrong proofs", "percentunit", [("authority {{authority}}", of("solidus_signer_verification_wrong_share", "authority"))]),
        ]),
        ("Queues and calls", [
            ("Waiting for verification", "short", [("authority {{authority}}", of("solidus_signer_verification_queued", "authority"))]),
            ("Other native work waiting", "short", [("authority {{authority}}", of("solidus_signer_native_queued", "authority"))]),
            ("Check and sign calls", "s", [("check {{kind}}", mean("solidus_signer_check_duration_seconds", "kind", OWN)), ("sign {{kind}}", mean("solidus_signer_sign_duration_seconds", "kind", OWN))]),
            ("Calls of the gateway", "reqps", [("{{call}}", rate("solidus_gateway_native_duration_seconds_count", "call"))]),
            ("Delegated proofs", "s", [("{{family}} {{outcome}}", mean("solidus_prover_proof_time_seconds", "family, outcome"))]),
            ("Delegated proofs waiting", "short", [("{{instance}}", "max by (instance) (solidus_prover_proofs_pending)")]),
        ]),
    ]),
    "jvm": ("Java runtime", "solidus-jvm", False, [
        ("Memory and collection", [
            ("Heap in use", "bytes", [("{{component}} {{instance}}", 'sum by (component, instance) (jvm_memory_used_bytes{area="heap"})')]),
            ("Share of the heap after a collection", "percentunit", [("{{component}} {{instance}}", "max by (component, instance) (jvm_gc_live_data_size_bytes) / max by (component, instance) (jvm_gc_max_data_size_bytes > 0)")]),
            ("Pauses of collections", "percentunit", [("{{component}} {{instance}}", rate("jvm_gc_pause_seconds_sum", "component, instance"))]),
        ]),
        ("Process", [
            ("Processors used", "short", [("{{component}} {{instance}}", "max by (component, instance) (process_cpu_usage * system_cpu_count)")]),
            ("Threads", "short", [("{{component}} {{instance}}", "max by (component, instance) (jvm_threads_live_threads)")]),
            ("Open files", "percentunit", [("{{component}} {{instance}}", "max by (component, instance) (process_files_open_files / process_files_max_files)")]),
            ("Lines in the log", "reqps", [("{{component}} {{level}}", rate("logback_events_total", "component, level", 'level=~"warn|error"'))]),
            ("Certificates end in", "s", [("{{component}} {{bundle}}", "min by (component, bundle) (ssl_chain_expiry_seconds)")]),
            ("Spans", "reqps", [("{{component}} {{outcome}}", rate("solidus_tracing_spans_total", "component, outcome"))]),
        ]),
    ]),
}


def variable(name, query):
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {"name": name, "type": "query", "datasource": source, "query": {"query": query, "refId": name}, "includeAll": True, "multi": True, "allValue": ".*",
            "current": {"text": "All", "value": "$__all"}, "refresh": 2, "sort": 3}


def panel(number, place, title, unit, queries):
    targets = [{"refId": chr(ord("A") + i), "legendFormat": legend, "expr": expr} for i, (legend, expr) in enumerate(queries)]
    return {
        "id": number, "type": "timeseries", "title": title, "gridPos": place, "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0, "custom": {"fillOpacity": 8, "showPoints": "never"}}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}}, "targets": targets,
    }


def dashboard(title, uid, of_authority, rows):
    panels, y, number = [], 0, 1
    for row, content in rows:
        panels.append({"id": number, "type": "row", "title": row, "collapsed": False, "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}, "panels": []})
        number, y = number + 1, y + 1
        for i, (name, unit, queries) in enumerate(content):
            place = {"h": HEIGHT, "w": WIDTH, "x": i % COLUMNS * WIDTH, "y": y + i // COLUMNS * HEIGHT}
            panels.append(panel(number, place, name, unit, queries))
            number += 1
        y += -(-len(content) // COLUMNS) * HEIGHT
    variables = [{"name": "datasource", "type": "datasource", "query": "prometheus", "current": {}}]
    if of_authority:
        variables.append(variable("authority", "label_values(up, authority)"))
    return {
        "title": f"Solidus: {title}", "uid": uid, "tags": ["solidus"], "schemaVersion": 39, "version": 1, "editable": False, "timezone": "",
        "refresh": "30s", "time": {"from": "now-3h", "to": "now"}, "templating": {"list": variables}, "annotations": {"list": []}, "panels": panels,
    }


def main():
    check = "--check" in sys.argv[1:]
    stale = []
    for name, parts in DASHBOARDS.items():
        file = HERE / "dashboards" / f"{name}.json"
        text = json.dumps(dashboard(*parts), indent=2, ensure_ascii=False) + "\n"
        if not check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(file.name)
    if stale:
        sys.exit("not what dashboards.py writes: " + ", ".join(stale))


if __name__ == "__main__":
    main()
