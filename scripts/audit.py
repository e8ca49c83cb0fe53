#!/usr/bin/env python3
"""Verifies an exported audit log: ./solidus audit verify FILE [--head HASH]

FILE has the lines of GET /admin/v1/audit/events, all of them, oldest first.
Names the first position whose row was changed or removed. A log that was cut off at its end, or written anew as a
whole, shows only against a head (--head) that the auditor noted before.
"""

import argparse
import hashlib
import json
import sys

TOUCHED = 1


def verify(lines, head=None):
    """Returns (rows, newest hash, what is wrong or None)."""
    previous, count, seen = bytes(32), 0, head is None
    for line in lines:
        if not line.strip():
            continue
        row = json.loads(line)
        expected = count + 1
        if row["position"] != expected:
            return count, previous.hex(), f"position {expected} is missing: the file goes on with {row['position']}"
        if row["event"] is None:
            return count, previous.hex(), f"position {expected}: the row was removed"
        actual = hashlib.sha256(previous + row["event"].encode()).digest()
        if actual.hex() != row["hash"]:
            return count, previous.hex(), f"position {expected}: the row was changed: {row['event']}"
        previous, count = actual, expected
        seen = seen or actual.hex() == head
    if not seen:
        return (
            count,
            previous.hex(),
            "no row has the hash that was noted: rows were removed at the end, or the log was written anew",
        )
    return count, previous.hex(), None


def main():
    parser = argparse.ArgumentParser(prog="solidus audit", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("verify", help="names the first row that was touched")
    check.add_argument("file", metavar="FILE")
    check.add_argument("--head", metavar="HASH", help="a hash that was noted when the log was read before")
    options = parser.parse_args()
    try:
        with open(options.file, encoding="utf-8") as lines:
            count, newest, wrong = verify(lines, options.head)
    except OSError as e:
        sys.exit(f"solidus: {options.file} cannot be read: {e.strerror.lower()}")
    except (ValueError, KeyError, TypeError) as e:
        sys.exit(f"solidus: {options.file} is no exported audit log: {e}")
    if wrong:
        print(f"{count} rows are intact, then: {wrong}")
        sys.exit(TOUCHED)
    print(f"{count} rows are intact; note the head: {newest}")


if __name__ == "__main__":
    main()
