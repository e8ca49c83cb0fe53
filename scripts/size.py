#!/usr/bin/env python3
"""How large a network has to be: nodes, databases, logs, traffic, from the figures that docs/how-to/size-a-deployment.md describes.

./solidus size --per-day 2000000 --peak 1000 --validators 10
"""

import argparse
import json
import math
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
NODE_CORES = 16  # of an m5.8xlarge: 32 threads on 16 cores; the second thread of a core is not counted here

# Measured by ./solidus bench growth (PostgreSQL 18.6, 64 transfers in a batch) and by counting fields (specification, page 1).
DATABASE_BYTES = 5642 + 3 * 179  # a transfer in an authority's tables and indexes, the signer's own table last
WAL_BYTES = 6812  # a transfer in its write-ahead log, in tables that began empty
LARGEST_WAL_BYTES = (
    40_000  # in tables of 10^8 rows, where nearly every insert logs a whole page (./solidus bench growth spent)
)
MAILBOX_BYTES = 1391 + 46  # a message in the gateway's database, and its entry in the index of buckets
SIGN_LOG_BYTES = 2 + 70 + 3 * 48 + 32  # frame, record, three serial numbers, chain value
REQUEST_BYTES = 3944  # protobuf, without frames of HTTP/2
SUBMISSION_BYTES = 5600  # the same in JSON, as pools of load tests store it
MESSAGE_JSON_BYTES = 1630  # 1200 sealed bytes in base64, with its number
MESSAGE_BYTES = 8 + 1200  # the same in a page of a bucket (specification, F-49)
# Private queries (specification, F-52 to F-55): what a wallet reads and sends each hour, in JSON with base64.
HEADER_BYTES = 34
TABLE_BYTES = 8 + 8 + 4 + 32  # a table beside its headers; one every five minutes
TABLES_A_DAY = 288
QUERIES_A_DAY = 24
LIST_LINE_BYTES = 90  # a bucket's state
SIGNATURE_BYTES = 120  # a line of a note
SHARE_BYTES = 50 + 33 + 16  # head of a query, seed, tag of HPKE
SHARE_JSON_BYTES = 110  # names, authority and encapsulated key
ANSWER_JSON_BYTES = 50 + (1200 + 28) * 4 / 3
# docs/benchmarks/pieces-1-core.txt: BenchmarkCheckPartial, BenchmarkCombine; two outputs
CHECK_MILLIS = 0.837
COMBINE_MILLIS = 0.160
OUTPUTS = 2


def benchmark(name):
    with open(os.path.join(ROOT, "docs", "benchmarks", name), encoding="utf-8") as file:
        return json.load(file)


def arguments():
    parser = argparse.ArgumentParser(prog="./solidus size", description="Sizes a network from measured figures.")
    parser.add_argument("--per-day", type=int, default=2_000_000, help="transfers a day")
    parser.add_argument("--peak", type=float, default=100, help="transfers a second in the busiest minute")
    parser.add_argument("--validators", type=int, default=10, help="authorities, 3f+1")
    parser.add_argument(
        "--delegated",
        type=float,
        default=0,
        help="share of transfers whose proof a wallet lends to the prover service, 0 to 1",
    )
    parser.add_argument("--users", type=int, default=1_000_000, help="wallets that read the mailbox each day")
    parser.add_argument(
        "--mailbox-bits",
        type=int,
        choices=range(7),
        default=0,
        help="bits of an address that its bucket of the mailbox tells; 0 for none",
    )
    parser.add_argument(
        "--replicas",
        action="store_true",
        help="authorities have replicas of the mailbox: wallets read headers and ask for bodies",
    )
    parser.add_argument("--headroom", type=float, default=0.6, help="share of the processors to plan the peak with")
    options = parser.parse_args()
    if options.validators % 3 != 1 or options.validators < 4:
        parser.error("there are 4, 7, 10 ... authorities")
    if options.peak * 86400 < options.per_day:
        parser.error("the peak is below the average")
    return options


def private_mail(o):
    """bytes of a wallet's day: headers, lists, queries and answers"""
    messages = o.per_day / 2**o.mailbox_bits
    faults = (o.validators - 1) // 3
    bits = messages / 8 + TABLES_A_DAY * 7 / 16  # the bits of a table begin with a byte of their own
    shares = (SHARE_BYTES * (faults + 1) - 33 + bits) * 4 / 3 + SHARE_JSON_BYTES * (faults + 1)
    query = shares + ANSWER_JSON_BYTES * (faults + 1)
    list_bytes = 2**o.mailbox_bits * LIST_LINE_BYTES + (2 * faults + 1) * SIGNATURE_BYTES
    return messages * HEADER_BYTES + TABLES_A_DAY * TABLE_BYTES + QUERIES_A_DAY * (list_bytes + query)


def size(o):
    one = benchmark("validator-1-core-without-ifma.json")  # as the m5
    model = one["model"]
    speed, usable = model["assumedSpeedOfAnM5Core"], model["usableShareOfACore"]
    in_signer = sum(one["stages"][stage] for stage in ("verification", "signing", "sign-log"))
    proof = benchmark("prover-2-core.json")["transferCpuMillis"]

    def cores(millis):
        """m5 cores for so many milliseconds of our machine's for each transfer at the peak"""
        return o.peak * millis / 1000 / (speed * usable * o.headroom)

    gateway = o.validators * OUTPUTS * CHECK_MILLIS + OUTPUTS * COMBINE_MILLIS
    year = o.per_day * 365
    mail = o.per_day * (MESSAGE_BYTES / 2**o.mailbox_bits if o.mailbox_bits else MESSAGE_JSON_BYTES)
    if o.replicas:
        mail = private_mail(o)
    ceiling = NODE_CORES * speed * usable * o.headroom / in_signer * 1000
    rows = [
        ("each authority, processors", f"{cores(model['cpuMillisPerTransfer']):.1f} cores"),
        (
            "  of these its signer",
            f"{cores(in_signer):.1f} cores, on one node (at most {ceiling:,.0f}/s on an m5.8xlarge)",
        ),
        ("  m5.8xlarge for processors alone", f"{math.ceil(cores(model['cpuMillisPerTransfer']) / NODE_CORES)}"),
        ("each authority, database", f"{size_text(year * DATABASE_BYTES)} a year on each server"),
        (
            "each authority, write-ahead log",
            f"{size_text(o.per_day * WAL_BYTES)} a day, with 10^8 rows {size_text(o.per_day * LARGEST_WAL_BYTES)};"
            f" at the peak {o.peak * WAL_BYTES / 1e6:.1f} and {o.peak * LARGEST_WAL_BYTES / 1e6:.1f} MB/s to each standby",
        ),
        ("each authority, sign-log", f"{size_text(year * SIGN_LOG_BYTES)} a year"),
        ("gateways, processors", f"{cores(gateway):.1f} cores ({gateway:.1f} ms a transfer)"),
        ("gateways to authorities", f"{o.peak * o.validators * REQUEST_BYTES * 8 / 1e6:,.0f} Mbit/s at the peak"),
        ("wallets to gateways", f"{o.peak * SUBMISSION_BYTES * 8 / 1e6:,.0f} Mbit/s at the peak"),
        ("provers, processors", f"{cores(proof * o.delegated):.0f} cores"),
        ("mailbox, database", f"{size_text(o.per_day * 90 * MAILBOX_BYTES)} with 90 days' retention"),
        ("mailbox, each wallet reads", f"{size_text(mail)} a day"),
        (
            "mailbox, all wallets read",
            f"{o.users * mail * 8 / 86400 / 1e9:,.1f} Gbit/s on average",
        ),
    ]
    print(
        f"{o.per_day:,} transfers a day, {o.peak:g}/s at the peak, N = {o.validators}, {o.users:,} wallets, {o.delegated:.0%} lent proofs"
    )
    for name, value in rows:
        print(f"{name:35} {value}")


def size_text(number):
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if number >= factor:
            return f"{number / factor:.1f} {unit}"
    return f"{number:.0f} bytes"


if __name__ == "__main__":
    size(arguments())
