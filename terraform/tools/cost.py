#!/usr/bin/env python3
"""Writes the table of costs in docs/how-to/install.md. With --check it fails if the table is out of date.

A cost is a quantity of the example times a price in terraform/prices.json, in USD a month, rounded to three figures.
tools/pilot.py compares the quantities with those of the plan.
"""

import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs" / "how-to" / "install.md"
BEGIN, END = "<!-- terraform/tools/cost.py writes from here -->\n", "<!-- to here -->\n"
ZONES = 3
# volume claims of an authority by the charts' defaults, in GiB: data and log of three servers; sign-log and anchor
CNPG_GIB, SIGNER_GIB, ROOT_GIB = 3 * (200 + 50), 100 + 1, 100
BACKUPS_GIB = 200
PILOTS = {
    "N = 10": {"committee": 10, "nodes": 3, "rds": False},
    "N = 7": {"committee": 7, "nodes": 3, "rds": False},
    "N = 4": {"committee": 4, "nodes": 3, "rds": False},
    "N = 10, one node each, RDS": {"committee": 10, "nodes": 1, "rds": True},
}


def quantities(committee, nodes, rds):
    """The charged resources of the example, by name of their price."""
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


# rows of the table: label and names of the prices
ROWS = [
    ("nodes of the authorities, m5.8xlarge", ["m5.8xlarge"]),
    ("nodes of the operator, m5.2xlarge", ["m5.2xlarge"]),
    ("volumes of nodes, signers and CloudNativePG, GiB", ["gp3"]),
    ("authorities' RDS, two zones", ["db.m6i.2xlarge", "authority-rds-gp3"]),
    ("operator's RDS, two zones", ["db.m6i.large", "rds-gp3"]),
    ("MSK: brokers, GiB", ["kafka.m7g.large", "kafka-storage"]),
    ("EKS control plane", ["eks"]),
    ("NAT gateways", ["nat"]),
    ("network interfaces of VPC endpoints", ["endpoint"]),
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
    lines.append("| **total** | | | " + " | ".join(f"**{rounded(total)}**" for total in totals.values()) + " |")
    return lines


def text():
    data = json.loads((ROOT / "terraform" / "prices.json").read_text())
    prices, hours = data["prices"], data["hoursPerMonth"]
    extended = rounded((prices["eks-extended"]["usd"] - prices["eks"]["usd"]) * hours)
    lines = [
        f"Costs are on demand, in USD a month of {hours} hours, in {data['region']}, rounded to three figures.",
        "A cell has quantity: cost.",
        f"The prices were looked up on {data['lookedUp']}.",
        "They are an **estimate from list prices, without an offer from AWS**.",
        "Check them in the AWS Pricing Calculator before you decide.",
        "Not included: traffic (NAT, endpoints and between zones), requests, logs, load balancers, taxes, discounts.",
        "`terraform/tools/cost.py` multiplies the prices in `terraform/prices.json`.",
        "",
        "| source of a price | meaning |",
        "|---|---|",
        *(f"| {name} | {meaning} |" for name, meaning in data["sources"].items()),
        "",
        *table(data),
        "",
        f"A Kubernetes version in extended support costs about {extended} more a month"
        f" (source: {prices['eks-extended']['source']}).",
    ]
    return "\n".join(lines) + "\n"


def main():
    guide = GUIDE.read_text()
    before, rest = guide.split(BEGIN)
    _, after = rest.split(END)
    made = before + BEGIN + text() + END + after
    if "--check" in sys.argv[1:]:
        if guide != made:
            sys.exit("the table of costs is out of date, run ./solidus cluster update")
    else:
        GUIDE.write_text(made)


if __name__ == "__main__":
    main()
