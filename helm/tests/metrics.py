"""Series that the services' code makes, by Micrometer's naming for Prometheus, and the names that an expression asks for."""

import pathlib
import re

SUFFIXES = {"timer": ("_count", "_sum", "_max", "_bucket"), "summary": ("_count", "_sum", "_max", "_bucket"), "counter": ("_total",), "gauge": ("",)}

# What others make and our rules use; each is looked up here, so that a slip of the pen does not pass for somebody else's metric.
FOREIGN = {
    "up", "http_server_requests_seconds_count", "http_server_requests_seconds_bucket", "http_server_requests_seconds_sum",
    "hikaricp_connections_pending", "hikaricp_connections_active",
    "kafka_consumer_fetch_manager_records_lag_max", "jvm_memory_used_bytes", "jvm_gc_pause_seconds_sum", "process_cpu_usage", "system_cpu_count",
    "kubelet_volume_stats_available_bytes", "kubelet_volume_stats_capacity_bytes", "certmanager_certificate_expiration_timestamp_seconds",
    "cnpg_pg_replication_streaming_replicas", "cnpg_pg_replication_lag", "cnpg_pg_database_size_bytes", "cnpg_pg_stat_archiver_failed_count",
}


def series(services):
    """Regular expression of a series -> name of the meter."""
    found = {}
    for file in pathlib.Path(services).glob("*/src/main/java/**/*.java"):
        text = file.read_text()
        for match in re.finditer(r'"(solidus\.[a-z.-]+)"(?:\s*\+\s*(\w+)\s*\+\s*"([a-z.]+)")?', text):
            kind = kind_of(text, match.start())
            if kind is None:
                continue
            name = match.group(1) + ("*" + match.group(3) if match.group(3) else "")
            base = re.sub(r"[.-]", "_", name).replace("*", "[a-z_]+")
            if kind == "timer" and not base.endswith("_seconds"):
                base += "_seconds"
            for suffix in SUFFIXES[kind]:
                found[base + suffix] = name
    return found


def kind_of(text, at):
    before = text[max(0, at - 90):at]
    constant = re.search(r"String (\w+) =\s*$", before)
    if constant:
        uses = re.search(r"(Timer|Counter|Gauge|DistributionSummary)\s*\.builder\(\s*" + constant.group(1) + r"\b", text)
        return name_of(uses.group(1)) if uses else None
    for pattern in (r"(Timer|Counter|Gauge|DistributionSummary)\s*\.builder\(\s*$", r"\.(timer|counter|gauge)\(\s*$", r"new (OutcomeTimer)\(\w+, $"):
        match = re.search(pattern, before)
        if match:
            return name_of(match.group(1))
    return None


def name_of(word):
    return {"distributionsummary": "summary", "outcometimer": "timer"}.get(word.lower(), word.lower())


KEYWORDS = {"sum", "rate", "increase", "by", "count", "max", "min", "absent", "histogram_quantile", "and", "or", "unless", "on", "ignoring", "time", "bool",
            "without", "vector", "group_left", "le", "clamp_min"}


def names_in(expression):
    """Names of series in a PromQL expression: identifiers that are neither functions nor labels nor in a label matcher."""
    bare = re.sub(r"\{[^}]*\}", "", expression)
    bare = re.sub(r"\b(by|without|on|ignoring)\s*\([^)]*\)", "", bare)
    bare = re.sub(r"\[[^\]]*\]", "", bare)
    bare = re.sub(r'"[^"]*"', "", bare)
    return {n for n in re.findall(r"[a-zA-Z_:][a-zA-Z0-9_:]*", bare) if n not in KEYWORDS}
