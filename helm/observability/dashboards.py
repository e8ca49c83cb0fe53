#!/usr/bin/env python3
"""Writes the dashboards to dashboards/*.json. With --check it fails if a file differs from what it would write.

Every dashboard has a variable for the data source. The dashboards of an authority also have one for the authority.
A query is a pair of legend and PromQL.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, WIDTH, HEIGHT = 3, 8, 8
OWN = 'authority=~"$authority"'


def dashboard(title, *rows, of_authority=False):
    return title, rows, of_authority


def row(title, *panels):
    return title, panels


def panel(title, unit, *queries):
    return title, unit, queries


def legend_of(by):
    """The values of the labels that a query groups by."""
    labels = by.split(", ") if by else []
    return "authority {{authority}}" if labels == ["authority"] else " ".join(f"{{{{{label}}}}}" for label in labels)


def selected(metric, select):
    return f"{metric}{{{select}}}" if select else metric


def summed(function, metric, by, select, window):
    grouping = f" by ({by})" if by else ""
    return f"sum{grouping} ({function}({selected(metric, select)}[{window}]))"


def rate(metric, by="", select="", legend=None):
    return legend or legend_of(by), summed("rate", metric, by, select, "5m")


def increase(metric, by, window, select="", legend=None):
    return legend or legend_of(by), summed("increase", metric, by, select, window)


def mean(timer, by="", select="", legend=None):
    """The mean of a timer or summary."""
    _, total = rate(timer + "_sum", by, select)
    _, count = rate(timer + "_count", by, select)
    return legend or legend_of(by), f"{total} / {count}"


def percentile(q, timer, select=""):
    _, buckets = rate(timer + "_bucket", "le", select)
    return f"p{round(q * 100)}", f"histogram_quantile({q}, {buckets})"


def percentiles(timer, select=""):
    return [percentile(q, timer, select) for q in (0.5, 0.95, 0.99)]


def of(metric, by, select=OWN, how="max", legend=None):
    """A gauge."""
    return legend or legend_of(by), f"{how} by ({by}) ({selected(metric, select)})"


SUBMIT = "solidus_gateway_submission_duration_seconds"
QUORUM = "solidus_gateway_quorum_time_seconds"
STAGE = "solidus_validator_stage_duration_seconds"
HTTP = "http_server_requests_seconds"
LOG_FREE = "solidus_signer_log_disk_free_bytes"

DASHBOARDS = {
    "payments": dashboard(
        "Payments",
        row(
            "Wallet requests",
            panel("Payments by outcome", "reqps", rate(SUBMIT + "_count", "outcome", 'kind="transfer"')),
            panel("Refusals by code", "reqps", rate(SUBMIT + "_count", "kind, outcome", 'outcome!="ok"')),
            panel("Time of a payment at the gateway", "s", *percentiles(SUBMIT, 'kind="transfer",outcome="ok"')),
            panel("Time to a quorum", "s", *percentiles(QUORUM)),
            panel("Requests by route", "reqps", rate(HTTP + "_count", "method, uri, status", 'component="gateway"')),
            panel("Time of a native call of the gateway", "s", mean("solidus_gateway_native_duration_seconds", "call")),
        ),
        row(
            "Objectives",
            panel(
                "Failed payments (objective 0.1 %)",
                "percentunit",
                ("1 h", "solidus:payments_failed:ratio_rate1h"),
                ("6 h", "solidus:payments_failed:ratio_rate6h"),
                ("3 d", "solidus:payments_failed:ratio_rate3d"),
            ),
            panel(
                "Quorums over 500 ms (objective 1 %)",
                "percentunit",
                ("1 h", "solidus:quorum_slow:ratio_rate1h"),
                ("6 h", "solidus:quorum_slow:ratio_rate6h"),
                ("3 d", "solidus:quorum_slow:ratio_rate3d"),
            ),
            panel(
                "Unavailable authorities (objective 0.5 %)",
                "percentunit",
                ("authority {{authority}}, 6 h", "solidus:authority_unavailable:ratio_rate6h"),
            ),
        ),
        row(
            "Authorities, measured at the gateway",
            panel(
                "Answers of each authority",
                "reqps",
                rate("solidus_gateway_authority_answers_total", "authority, outcome"),
            ),
            panel("Time of an authority", "s", mean("solidus_gateway_authority_time_seconds", "authority")),
            panel(
                "Provably wrong answers",
                "short",
                increase("solidus_gateway_culprits_total", "authority, reason", "15m"),
            ),
            panel("Transfers waiting for delivery", "short", ("transfers", "max(solidus_gateway_deliveries_pending)")),
            panel("Shard map version in use", "short", of("solidus_gateway_shard_map_version", "authority", "")),
            panel("Shard maps received", "reqps", rate("solidus_gateway_shard_maps_total", "authority, outcome")),
        ),
    ),
    "shards": dashboard(
        "Shards and batches",
        row(
            "Throughput",
            panel(
                "Submissions by outcome",
                "reqps",
                rate("solidus_validator_submission_duration_seconds_count", "kind, outcome", OWN),
            ),
            panel(
                "Transfers by shard",
                "reqps",
                rate(
                    "solidus_validator_submission_duration_seconds_count",
                    "authority, instance",
                    OWN + ',kind="transfer"',
                ),
            ),
            panel(
                "Time of a transfer",
                "s",
                mean(
                    "solidus_validator_submission_duration_seconds",
                    "authority, instance",
                    OWN + ',kind="transfer",outcome="ok"',
                ),
            ),
            panel("Time of a stage, per batch", "s", mean(STAGE, "stage", OWN + ',kind="transfer"')),
            panel("Batches in each stage", "short", rate(STAGE + "_sum", "stage", OWN)),
            panel(
                "Accepts new payments (1 = yes)",
                "short",
                of("solidus_validator_accepting_status", "authority, instance", how="min"),
            ),
        ),
        row(
            "Queues and batches",
            panel("Queue length", "short", of("solidus_validator_queue_length", "kind, instance")),
            panel("Queue wait", "s", mean("solidus_validator_queue_wait_seconds", "kind, instance", OWN)),
            panel(
                "Transfers per batch",
                "short",
                mean("solidus_validator_batch_size", "instance", OWN + ',kind="transfer"', legend="mean, {{instance}}"),
                percentile(0.95, "solidus_validator_batch_size", OWN + ',kind="transfer"'),
            ),
            panel("Refused as overloaded", "reqps", rate("solidus_validator_overloaded_total", "kind, instance", OWN)),
            panel("Abandoned by the caller", "reqps", rate("solidus_validator_abandoned_total", "kind, instance", OWN)),
            panel(
                "Policy and checkpoint versions",
                "short",
                of("solidus_validator_policy_version", "instance", legend="policy {{instance}}"),
                of("solidus_validator_checkpoint_version", "instance", legend="checkpoint {{instance}}"),
            ),
        ),
        row(
            "Signer and sign-log",
            panel("Signer is ready (1 = yes)", "short", of("solidus_signer_ready_status", "authority")),
            panel(
                "State of the sign-log",
                "short",
                ("{{authority}} {{state}}", f"max by (authority, state) (solidus_signer_log_status{{{OWN}}}) > 0"),
            ),
            panel(
                "Time of a signing stage, per batch",
                "s",
                mean("solidus_signer_stage_duration_seconds", "authority, stage", OWN),
            ),
            panel("Room for the sign-log", "bytes", of(LOG_FREE, "authority", how="min")),
            panel(
                "Days until the sign-log volume is full",
                "d",
                (
                    "authority {{authority}}",
                    f"min by (authority) ({LOG_FREE}{{{OWN}}}) "
                    f"/ -(min by (authority) (deriv({LOG_FREE}{{{OWN}}}[6h])) * 86400 < 0)",
                ),
            ),
            panel(
                "Failed sign-log writes",
                "short",
                increase("solidus_signer_log_writes_failed_total", "authority", "1h", OWN),
            ),
        ),
        row(
            "Mail replica",
            panel(
                "Queries by outcome",
                "reqps",
                rate("solidus_replica_queries_total", "authority, outcome", OWN),
            ),
            panel("Age of the newest list", "s", of("solidus_replica_list_age_seconds", "authority")),
            panel(
                "Lists refused",
                "short",
                increase("solidus_replica_lists_refused_total", "authority, reason", "1h", OWN),
            ),
            panel("Tables", "bytes", of("solidus_replica_tables_bytes", "authority")),
            panel("How far tables reach back", "s", of("solidus_replica_tables_reach_seconds", "authority")),
        ),
        row(
            "Compliance issuer",
            panel(
                "Registrations",
                "reqps",
                rate("solidus_compliance_issuer_registrations_seconds_count", "authority, way, outcome", OWN),
            ),
            panel(
                "Time of a registration", "s", mean("solidus_compliance_issuer_registrations_seconds", "authority", OWN)
            ),
            panel(
                "Attestations from Kafka",
                "reqps",
                rate("solidus_compliance_issuer_attestations_count_total", "authority, outcome", OWN),
            ),
        ),
        of_authority=True,
    ),
    "operator": dashboard(
        "Operator services",
        row(
            "Money supply",
            panel(
                "Issued and redeemed, minor units",
                "short",
                ("issued", "max(solidus_issuance_issued_minor)"),
                ("redeemed", "max(solidus_issuance_redeemed_minor)"),
            ),
            panel(
                "Mints and redemptions",
                "reqps",
                rate("solidus_issuance_mints_count_total", "outcome", legend="mint {{outcome}}"),
                rate("solidus_issuance_redemptions_count_total", legend="redemption"),
            ),
            panel(
                "Refused redemptions",
                "short",
                increase("solidus_issuance_turnstile_breaches_total", "", "1h", legend="exceeds the issued amount"),
                increase("solidus_issuance_redemptions_conflicts_total", "", "1h", legend="already redeemed"),
            ),
        ),
        row(
            "Registration and screening",
            panel("Cases by outcome", "reqps", rate("solidus_registration_cases_count_total", "outcome")),
            panel("Cases waiting for screening", "short", ("cases", "max(solidus_registration_screening_waiting)")),
            panel("Time of a screening", "s", mean("solidus_sanctions_screening_duration_seconds", legend="mean")),
        ),
        row(
            "Mail tables",
            panel("Messages in no table", "short", ("messages", "max(solidus_gateway_mail_tables_behind)")),
            panel(
                "Age of the newest list that 2f+1 replicas signed",
                "s",
                ("list", "min(solidus_gateway_mail_list_age_seconds)"),
            ),
            panel(
                "Age of each replica's newest signature",
                "s",
                of("solidus_gateway_mail_signature_age_seconds", "authority", "", how="min"),
            ),
            panel(
                "Signatures that do not count",
                "short",
                increase("solidus_gateway_mail_signatures_refused_total", "authority, reason", "1h"),
            ),
        ),
        row(
            "Delegated proofs",
            panel("Proofs by outcome", "reqps", rate("solidus_prover_proof_time_seconds_count", "family, outcome")),
            panel("Time of a proof", "s", mean("solidus_prover_proof_time_seconds", "family, outcome")),
            panel("Proofs waiting", "short", of("solidus_prover_proofs_pending", "instance", "")),
        ),
    ),
    "postgresql": dashboard(
        "PostgreSQL",
        row(
            "Connection pools",
            panel("Connections in use", "short", of("hikaricp_connections_active", "component, instance")),
            panel(
                "Threads waiting for a connection", "short", of("hikaricp_connections_pending", "component, instance")
            ),
            panel(
                "Time to get a connection",
                "s",
                mean("hikaricp_connections_acquire_seconds", "component, instance", OWN),
            ),
            panel(
                "Time a connection is held", "s", mean("hikaricp_connections_usage_seconds", "component, instance", OWN)
            ),
            panel(
                "Connection timeouts",
                "short",
                increase("hikaricp_connections_timeout_total", "component, instance", "15m", OWN),
            ),
            panel("Pool size", "short", of("hikaricp_connections_max", "component, instance")),
        ),
        row(
            "Time of database work, per batch",
            panel("Look-ups", "s", mean(STAGE, "instance", OWN + ',stage="lookup"')),
            panel("Reservations (one durable commit)", "s", mean(STAGE, "instance", OWN + ',stage="reserve"')),
            panel("Answers stored (one durable commit)", "s", mean(STAGE, "instance", OWN + ',stage="store"')),
        ),
        row(
            "Durability",
            panel(
                "Settings are safe (1 = yes)",
                "short",
                of("solidus_durability_status", "authority, component, instance", how="min"),
            ),
            panel("Standbys required", "short", of("solidus_durability_standbys", "authority")),
            panel("Streaming standbys", "short", of("cnpg_pg_replication_streaming_replicas", "namespace", "")),
            panel("Replication lag", "s", of("cnpg_pg_replication_lag", "namespace, pod", "")),
            panel("Database size", "bytes", of("cnpg_pg_database_size_bytes", "namespace, datname", "")),
            panel(
                "Free space on volumes",
                "percentunit",
                (
                    "{{persistentvolumeclaim}}",
                    "min by (namespace, persistentvolumeclaim) "
                    "(kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes)",
                ),
            ),
        ),
        of_authority=True,
    ),
    "kafka": dashboard(
        "Kafka and outboxes",
        row(
            "Outboxes",
            panel("Facts waiting in the outbox", "short", of("solidus_outbox_waiting", "component, instance", "")),
            panel(
                "Age of the oldest waiting fact",
                "s",
                of("solidus_outbox_oldest_age_seconds", "component, instance", ""),
            ),
            panel("Records sent", "reqps", rate("kafka_producer_record_send_total", "component")),
        ),
        row(
            "Consumers",
            panel(
                "Consumer lag in records",
                "short",
                of("kafka_consumer_fetch_manager_records_lag_max", "component, topic, instance", ""),
            ),
            panel(
                "Records consumed", "reqps", rate("kafka_consumer_fetch_manager_records_consumed_total", "component")
            ),
            panel(
                "Facts refused",
                "short",
                increase("solidus_validator_fact_refused_count_total", "authority, kind, reason", "1h"),
            ),
            panel("Failed sends", "short", increase("kafka_producer_record_error_total", "component", "15m")),
            panel(
                "Heartbeats of the sanctions service",
                "reqps",
                rate("solidus_sanctions_heartbeats_sent_total", legend="sent"),
                rate("solidus_sanctions_heartbeats_failed_total", legend="failed"),
            ),
        ),
    ),
    "native": dashboard(
        "Native library",
        row(
            "Verification",
            panel(
                "Transfers in one native call",
                "short",
                mean("solidus_signer_verification_batch_size", "authority", OWN, legend="mean, {{authority}}"),
                of("solidus_signer_verification_batch_limit", "authority", legend="limit, {{authority}}"),
            ),
            panel(
                "Verification time per transfer",
                "s",
                mean("solidus_signer_verification_each_duration_seconds", "authority", OWN),
            ),
            panel(
                "Signing time per transfer",
                "s",
                mean("solidus_signer_signature_each_duration_seconds", "authority", OWN),
            ),
            panel("Wrong proofs", "reqps", rate("solidus_signer_verification_proofs_wrong_total", "authority", OWN)),
            panel(
                "Batches bisected",
                "reqps",
                rate("solidus_signer_verification_batches_bisected_total", "authority", OWN),
            ),
            panel("Share of wrong proofs", "percentunit", of("solidus_signer_verification_wrong_share", "authority")),
        ),
        row(
            "Queues and calls",
            panel("Transfers waiting for verification", "short", of("solidus_signer_verification_queued", "authority")),
            panel("Other native work waiting", "short", of("solidus_signer_native_queued", "authority")),
            panel(
                "Time of a check or sign call",
                "s",
                mean("solidus_signer_check_duration_seconds", "kind", OWN, legend="check {{kind}}"),
                mean("solidus_signer_sign_duration_seconds", "kind", OWN, legend="sign {{kind}}"),
            ),
            panel(
                "Native calls of the gateway", "reqps", rate("solidus_gateway_native_duration_seconds_count", "call")
            ),
            panel("Time of a delegated proof", "s", mean("solidus_prover_proof_time_seconds", "family, outcome")),
            panel("Delegated proofs waiting", "short", of("solidus_prover_proofs_pending", "instance", "")),
        ),
        of_authority=True,
    ),
    "jvm": dashboard(
        "Java runtime",
        row(
            "Memory and garbage collection",
            panel("Heap in use", "bytes", of("jvm_memory_used_bytes", "component, instance", 'area="heap"', how="sum")),
            panel(
                "Share of the heap in use after garbage collection",
                "percentunit",
                (
                    "{{component}} {{instance}}",
                    "max by (component, instance) (jvm_gc_live_data_size_bytes) "
                    "/ max by (component, instance) (jvm_gc_max_data_size_bytes > 0)",
                ),
            ),
            panel(
                "Share of time paused for garbage collection",
                "percentunit",
                rate("jvm_gc_pause_seconds_sum", "component, instance"),
            ),
        ),
        row(
            "Process",
            panel(
                "CPU cores in use",
                "short",
                ("{{component}} {{instance}}", "max by (component, instance) (process_cpu_usage * system_cpu_count)"),
            ),
            panel("Threads", "short", of("jvm_threads_live_threads", "component, instance", "")),
            panel(
                "Open files, share of the limit",
                "percentunit",
                (
                    "{{component}} {{instance}}",
                    "max by (component, instance) (process_files_open_files / process_files_max_files)",
                ),
            ),
            panel(
                "Warnings and errors logged",
                "reqps",
                rate("logback_events_total", "component, level", 'level=~"warn|error"'),
            ),
            panel(
                "Time until certificates expire",
                "s",
                of("ssl_chain_expiry_seconds", "component, bundle", "", how="min"),
            ),
            panel("Trace spans by outcome", "reqps", rate("solidus_tracing_spans_total", "component, outcome")),
        ),
    ),
}


def variable(name, query):
    return {
        "name": name,
        "type": "query",
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "query": {"query": query, "refId": name},
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
        "refresh": 2,
        "sort": 3,
    }


def panel_json(number, place, title, unit, queries):
    targets = [
        {"refId": chr(ord("A") + i), "legendFormat": legend, "expr": expr} for i, (legend, expr) in enumerate(queries)
    ]
    return {
        "id": number,
        "type": "timeseries",
        "title": title,
        "gridPos": place,
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "fieldConfig": {
            "defaults": {"unit": unit, "min": 0, "custom": {"fillOpacity": 8, "showPoints": "never"}},
            "overrides": [],
        },
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom"},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
        "targets": targets,
    }


def panels_json(rows):
    panels, y, number = [], 0, 1
    for title, content in rows:
        place = {"h": 1, "w": 24, "x": 0, "y": y}
        panels.append({"id": number, "type": "row", "title": title, "collapsed": False, "gridPos": place, "panels": []})
        number, y = number + 1, y + 1
        for i, (name, unit, queries) in enumerate(content):
            place = {"h": HEIGHT, "w": WIDTH, "x": i % COLUMNS * WIDTH, "y": y + i // COLUMNS * HEIGHT}
            panels.append(panel_json(number, place, name, unit, queries))
            number += 1
        y += -(-len(content) // COLUMNS) * HEIGHT
    return panels


def dashboard_json(name, title, rows, of_authority):
    variables = [{"name": "datasource", "type": "datasource", "query": "prometheus", "current": {}}]
    if of_authority:
        variables.append(variable("authority", "label_values(up, authority)"))
    return {
        "title": f"Solidus: {title}",
        "uid": f"solidus-{name}",
        "tags": ["solidus"],
        "schemaVersion": 39,
        "version": 1,
        "editable": False,
        "timezone": "",
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": variables},
        "annotations": {"list": []},
        "panels": panels_json(rows),
    }


def main():
    check = "--check" in sys.argv[1:]
    stale = []
    for name, parts in DASHBOARDS.items():
        file = HERE / "dashboards" / f"{name}.json"
        text = json.dumps(dashboard_json(name, *parts), indent=2, ensure_ascii=False) + "\n"
        if not check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(file.name)
    if stale:
        sys.exit("these dashboards are out of date, run dashboards.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
