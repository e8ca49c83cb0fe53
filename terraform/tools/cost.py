#!/usr/bin/env python3
"""Writes the table of costs in docs/how-to/install.md: quantities of the example times the prices of terraform/prices.json; `--check` says
whether it is up to date. tools/pilot.py compares the quantities with those of the plan.

Money is in USD a month, rounded to what list prices deserve: three figures.
"""

import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs" / "how-to" / "install.md"
BEGIN, END = "<!-- terraform/tools/cost.py writes from here -->\n", "<!-- to here -->\n"
ZONES = 3
# what an authority's claims are by the charts' defaults, in GiB: three of 200 for data, three of 50 for the write-ahead log, sign-log and anchor
CNPG_GIB, SIGNER_GIB, ROOT_GIB = 3 * (200 + 50), 100 + 1, 100
BACKUPS_GIB = 200
PILOTS = {
    "N = 10": {"committee": 10, "nodes": 3, "rds": False},
    "N = 7": {"committee": 7, "nodes": 3, "rds": False},
    "N = 4": {"committee": 4, "nodes": 3, "rds": False},
    "N = 10, one node each, RDS": {"committee": 10, "nodes": 1, "rds": True},
}


def quantities(committee, nodes, rds):
    """What the example makes, by name of its price."""
    authority_gib = nodes * ROOT_GIB + SIGNER_GIB + (0 if rds else CNPG_GIB)
    return {
        "m5.8xlarge": committee * nodes,
        "db.m6i.2xlarge": committee if rds else 0,
        "authority-rds-gp3": committee * 400 if rds else 0,
        "m5.2xlarge": 3,
        "gp3": committee * authority_gib + 3 * ROOT_GIB,
        "kafka.m7g.large": ZONES,
        "kafka-storage": ZONES * 100,
        "db.m6i.large": 1,
        "rds-gp3": 100,
        "eks": 1,
        "nat": ZONES,
        "endpoint": 7 * ZONES,
        "kms": committee + 1,
        "s3": (committee + 1) * BACKUPS_GIB,
    }


# rows of the table: what it is, and the prices in it
ROWS = [
    ("m5.8xlarge of the authorities", ["m5.8xlarge"]),
    ("m5.2xlarge of the operator", ["m5.2xlarge"]),
    ("volumes of nodes, signers and CloudNativePG, GiB", ["gp3"]),
    ("authorities' RDS, two zones", ["db.m6i.2xlarge", "authority-rds-gp3"]),
    ("operator's RDS, two zones", ["db.m6i.large", "rds-gp3"]),
    ("MSK: brokers, GiB", ["kafka.m7g.large", "kafka-storage"]),
    ("EKS control plane", ["eks"]),
    ("NAT gateways", ["nat"]),
    ("interfaces of endpoints", ["endpoint"]),
    ("KMS keys", ["kms"]),
    ("backups, GiB", ["s3"]),
]
PRICE_OF = {"authority-rds-gp3": "rds-gp3"}


def monthly(prices, hours, name, quantity):
    price = prices[PRICE_OF.get(name, name)]
    return quantity * price["usd"] * (hours if price["per"] == "h" else 1)


def rounded(amount):
    """Three figures: 43,712 is 43,700."""
    if amount == 0:
        return ""
    step = 10 ** max(0, math.floor(math.log10(amount)) - 2)
    return f"{round(amount / step) * step:,}"


def table(data):
    prices, hours = data["prices"], data["hoursPerMonth"]
    counts = {name: quantities(**pilot) for name, pilot in PILOTS.items()}
    lines = ["| | unit price | source | " + " | ".join(counts) + " |", "|---|---|---|" + "---:|" * len(counts)]
    totals = dict.fromkeys(counts, 0.0)
    for label, names in ROWS:
        used = [prices[PRICE_OF.get(name, name)] for name in names]
        row = [label, ", ".join(f"{p['usd']:g} / {p['per']}" for p in used), ", ".join(p["source"] for p in used)]
        for pilot, quantity in counts.items():
            amount = sum(monthly(prices, hours, name, quantity[name]) for name in names)
            totals[pilot] += amount
            row.append(f"{' + '.join(f'{quantity[name]:,}' for name in names)}: {rounded(amount)}" if amount else "")
        lines.append("| " + " | ".join(row) + " |")
    lines.append("| **together** | | | " + " | ".join(f"**{rounded(total)}**" for total in totals.values()) + " |")
    return lines


def text():
    data = json.loads((ROOT / "terraform" / "prices.json").read_text())
    sources = "; ".join(f"*{name}*: {meaning}" for name, meaning in data["sources"].items())
    extended = (data["prices"]["eks-extended"]["usd"] - data["prices"]["eks"]["usd"]) * data["hoursPerMonth"]
    lines = [
        f"USD a month on demand, quantity: cost, {data['hoursPerMonth']} hours, {data['region']}, prices looked up on {data['lookedUp']}, three figures.",
        "An **estimate from list prices that nobody has asked AWS for**: look them up in the AWS Pricing Calculator before deciding.",
        "Not in it: traffic (NAT and endpoints charge by the GB, zones for what goes between them), requests, logs, load balancers, taxes, discounts.",
        f"Sources: {sources}. Prices are in `terraform/prices.json`; `terraform/tools/cost.py` multiplies.",
        "",
        *table(data),
        "",
        f"A Kubernetes version in extended support costs about {rounded(extended)} more a month (*{data['prices']['eks-extended']['source']}*).",
    ]
    return "\n".join(lines) + "\n"


def main():
    guide = GUIDE.read_text()
    before, rest = guide.split(BEGIN)
    _, after = rest.split(END)
    made = before + BEGIN + text() + END + after
    if "--check" in sys.argv[1:]:
        if guide != made:
            sys.exit("the table of costs is not what terraform/prices.json makes: ./solidus cluster update")
    else:
        GUIDE.write_text(made)


if __name__ == "__main__":
    main()
