#!/usr/bin/env python3
"""Writes the dashboards of the charts. `dashboards.py` writes the files, `dashboards.py --check` says whether they are what it would write.

A dashboard is a list of rows, a row a list of panels (title, unit, query...); a query is (legend, PromQL). __NAMESPACE__ and __AUTHORITY__
are put in by the chart.
"""

import json
import pathlib
import sys

HELM = pathlib.Path(__file__).resolve().parent.parent
SELECT = 'namespace="__NAMESPACE__"'


def rate(metric, by="", more="", window="5m"):
    selector = SELECT + ("," + more if more else "")
    return f'sum{" by (" + by + ")" if by else ""} (rate({metric}{{{selector}}}[{window}]))'


def quantile(q, metric, by="", more=""):
    labels = "le" + (", " + by if by else "")
    return f"histogram_quantile({q}, {rate(metric + '_bucket', labels, more)})"


def gauge(metric, how="sum", by="pod", more=""):
    selector = SELECT + ("," + more if more else "")
    return f"{how} by ({by}) ({metric}{{{selector}}})"


AUTHORITY = {
    "title": "Solidus: authority __AUTHORITY__",
    "uid": "solidus-authority-__AUTHORITY__",
    "rows": {
        "Work": [
            ("Submissions by outcome", "reqps", ("{{kind}} {{outcome}}", rate("solidus_validator_submission_duration_seconds_count", "kind, outcome"))),
            ("Time of a transfer", "s", ("p50", quantile(0.5, "solidus_validator_submission_duration_seconds", more='kind="transfer"')),
             ("p99", quantile(0.99, "solidus_validator_submission_duration_seconds", more='kind="transfer"'))),
            ("Takes new payments, signs", "short", ("shard {{pod}}", gauge("solidus_validator_accepting_status", "min")),
             ("signer {{pod}}", gauge("solidus_signer_ready_status", "min"))),
            ("Told to come back", "reqps", ("{{kind}} {{pod}}", rate("solidus_validator_overloaded_total", "kind, pod")),
             ("abandoned {{kind}}", rate("solidus_validator_abandoned_total", "kind"))),
        ],
        "Shards and batches": [
            ("Transfers by shard", "reqps", ("{{pod}}", rate("solidus_validator_submission_duration_seconds_count", "pod", 'kind="transfer"'))),
            ("Size of batches", "short", ("{{pod}}", rate("solidus_validator_batch_size_sum", "pod", 'kind="transfer"') + " / " + rate("solidus_validator_batch_size_count", "pod", 'kind="transfer"'))),
            ("Waiting", "short", ("{{kind}} {{pod}}", gauge("solidus_validator_queue_length", "sum", "kind, pod"))),
            ("Time of a step, per batch (p95)", "s", ("{{stage}}", quantile(0.95, "solidus_validator_stage_duration_seconds", "stage", 'kind="transfer"'))),
        ],
        "Native library": [
            ("Transfers in one verification", "short", ("mean", rate("solidus_signer_verification_batch_size_sum") + " / " + rate("solidus_signer_verification_batch_size_count")),
             ("limit", gauge("solidus_signer_verification_batch_limit", "max"))),
            ("Computation per transfer", "s",
             ("verification", rate("solidus_signer_verification_each_duration_seconds_sum") + " / " + rate("solidus_signer_verification_each_duration_seconds_count")),
             ("signature", rate("solidus_signer_signature_each_duration_seconds_sum") + " / " + rate("solidus_signer_signature_each_duration_seconds_count"))),
            ("Wrong proofs", "reqps", ("wrong proofs", rate("solidus_signer_verification_proofs_wrong_total")),
             ("bisected batches", rate("solidus_signer_verification_batches_bisected_total"))),
            ("Queues of the signer", "short", ("verification", gauge("solidus_signer_verification_queued")), ("other", gauge("solidus_signer_native_queued"))),
        ],
        "Facts, registrations": [
            ("Policy, checkpoint in force", "short", ("policy {{pod}}", gauge("solidus_validator_policy_version", "max")),
             ("checkpoint {{pod}}", gauge("solidus_validator_checkpoint_version", "max"))),
            ("Facts refused", "short", ("{{kind}} {{reason}}", rate("solidus_validator_fact_refused_count_total", "kind, reason"))),
            ("Registrations", "reqps", ("{{way}} {{outcome}}", rate("solidus_compliance_issuer_registrations_seconds_count", "way, outcome"))),
            ("Kafka lag", "short", ("{{pod}} {{topic}}", gauge("kafka_consumer_fetch_manager_records_lag_max", "max", "pod, topic"))),
        ],
        "PostgreSQL": [
            ("Connections", "short", ("active {{pod}}", gauge("hikaricp_connections_active")), ("waiting {{pod}}", gauge("hikaricp_connections_pending"))),
            ("Standbys that stream", "short", ("standbys", f"max(cnpg_pg_replication_streaming_replicas{{{SELECT}}})")),
            ("Replication lag", "s", ("{{pod}}", gauge("cnpg_pg_replication_lag", "max"))),
            ("Size", "bytes", ("{{datname}}", gauge("cnpg_pg_database_size_bytes", "max", "datname"))),
        ],
        "Processes": [
            ("Processor", "short", ("{{pod}}", f"sum by (pod) (process_cpu_usage{{{SELECT}}} * system_cpu_count{{{SELECT}}})")),
            ("Memory of the JVM", "bytes", ("{{pod}}", gauge("jvm_memory_used_bytes"))),
            ("Pauses", "s", ("{{pod}}", rate("jvm_gc_pause_seconds_sum", "pod"))),
            ("Free space of volumes", "percentunit", ("{{persistentvolumeclaim}}",
             f"kubelet_volume_stats_available_bytes{{{SELECT}}} / kubelet_volume_stats_capacity_bytes{{{SELECT}}}")),
        ],
    },
}

PAYMENTS = {
    "title": "Solidus: payments",
    "uid": "solidus-payments",
    "rows": {
        "Payments": [
            ("Payments by answer", "reqps", ("{{status}}", rate("http_server_requests_seconds_count", "status", 'uri="/v1/transfers",method="POST"'))),
            ("Time of a payment", "s", ("p50", quantile(0.5, "http_server_requests_seconds", more='uri="/v1/transfers",method="POST"')),
             ("p99", quantile(0.99, "http_server_requests_seconds", more='uri="/v1/transfers",method="POST"'))),
            ("Time to a quorum", "s", ("p50 {{family}}", quantile(0.5, "solidus_gateway_quorum_time_seconds", "family")),
             ("p99 {{family}}", quantile(0.99, "solidus_gateway_quorum_time_seconds", "family"))),
            ("Failures, as part of all payments", "percentunit", ("1 h", "solidus:payments_failed:ratio_rate1h"), ("6 h", "solidus:payments_failed:ratio_rate6h"),
             ("slow, 1 h", "solidus:payments_slow:ratio_rate1h")),
        ],
        "Authorities": [
            ("Answers", "reqps", ("{{authority}} {{outcome}}", rate("solidus_gateway_authority_answers_total", "authority, outcome"))),
            ("Time of an answer (p95)", "s", ("{{authority}}", quantile(0.95, "solidus_gateway_authority_time_seconds", "authority"))),
            ("Provably wrong", "short", ("{{authority}} {{reason}}", rate("solidus_gateway_culprits_total", "authority, reason"))),
            ("Not yet delivered", "short", ("transfers", gauge("solidus_gateway_deliveries_pending", "max", "pod"))),
        ],
        "Shard maps": [
            ("Version known", "short", ("{{authority}}", gauge("solidus_gateway_shard_map_version", "max", "authority"))),
            ("Maps seen", "short", ("{{authority}} {{outcome}}", rate("solidus_gateway_shard_maps_total", "authority, outcome"))),
        ],
    },
}

OPERATOR = {
    "title": "Solidus: the operator's services",
    "uid": "solidus-operator",
    "rows": {
        "Money": [
            ("Issued and redeemed", "short", ("issued", gauge("solidus_issuance_issued_minor", "max", "namespace")),
             ("redeemed", gauge("solidus_issuance_redeemed_minor", "max", "namespace"))),
            ("Mints, redemptions", "reqps", ("mint {{outcome}}", rate("solidus_issuance_mints_count_total", "outcome")),
             ("redemption", rate("solidus_issuance_redemptions_count_total"))),
            ("Refused", "short", ("turnstile", rate("solidus_issuance_turnstile_breaches_total")), ("conflicts", rate("solidus_issuance_redemptions_conflicts_total"))),
        ],
        "Persons and lists": [
            ("Cases", "reqps", ("{{outcome}}", rate("solidus_registration_cases_count_total", "outcome"))),
            ("Waiting for screening", "short", ("cases", gauge("solidus_registration_screening_waiting", "max", "pod"))),
            ("Time of a screening", "s", ("mean", rate("solidus_sanctions_screening_duration_seconds_sum") + " / " + rate("solidus_sanctions_screening_duration_seconds_count"))),
            ("Heartbeats", "reqps", ("sent", rate("solidus_sanctions_heartbeats_sent_total", window="1m")), ("failed", rate("solidus_sanctions_heartbeats_failed_total", window="1m"))),
        ],
        "Prover": [
            ("Proofs", "reqps", ("{{family}} {{outcome}}", rate("solidus_prover_proof_time_seconds_count", "family, outcome"))),
            ("Time of a proof (p95)", "s", ("{{family}}", quantile(0.95, "solidus_prover_proof_time_seconds", "family"))),
            ("Waiting", "short", ("{{pod}}", gauge("solidus_prover_proofs_pending"))),
        ],
        "Processes": [
            ("Connections", "short", ("active {{pod}}", gauge("hikaricp_connections_active")), ("waiting {{pod}}", gauge("hikaricp_connections_pending"))),
            ("Processor", "short", ("{{pod}}", f"sum by (pod) (process_cpu_usage{{{SELECT}}} * system_cpu_count{{{SELECT}}})")),
            ("Memory of the JVM", "bytes", ("{{pod}}", gauge("jvm_memory_used_bytes"))),
        ],
    },
}

FILES = {
    "solidus-authority/files/dashboards/authority.json": AUTHORITY,
    "solidus-operator/files/dashboards/payments.json": PAYMENTS,
    "solidus-operator/files/dashboards/operator.json": OPERATOR,
}


def panel(number, x, y, width, title, unit, queries):
    return {
        "id": number,
        "type": "timeseries",
        "title": title,
        "datasource": {"type": "prometheus", "uid": "${source}"},
        "gridPos": {"x": x, "y": y, "w": width, "h": 8},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [{"refId": chr(65 + i), "legendFormat": legend, "expr": expr} for i, (legend, expr) in enumerate(queries)],
    }


def dashboard(spec):
    panels, y, number = [], 0, 1
    for title, row in spec["rows"].items():
        panels.append({"id": number, "type": "row", "title": title, "collapsed": False, "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}, "panels": []})
        y, number, width = y + 1, number + 1, 24 // len(row)
        for i, (name, unit, *queries) in enumerate(row):
            panels.append(panel(number, i * width, y, width, name, unit, queries))
            number += 1
        y += 8
    source = {"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"}
    return {
        "uid": spec["uid"],
        "title": spec["title"],
        "tags": ["solidus"],
        "timezone": "utc",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [source]},
        "panels": panels,
    }


def main():
    stale = []
    for name, spec in FILES.items():
        text = json.dumps(dashboard(spec), indent=1) + "\n"
        file = HELM / name
        if "--check" in sys.argv:
            if not file.exists() or file.read_text() != text:
                stale.append(name)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    if stale:
        sys.exit("dashboards.py would write these otherwise: " + ", ".join(stale))


main()
