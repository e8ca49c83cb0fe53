#!/usr/bin/env python3
"""Verifies an exported audit log: ./solidus audit verify FILE --notes FILE --key KEY

FILE has the lines of GET /admin/v1/SERVICE/events/sealed, all of them, oldest first.
Names the first position whose row was changed or removed. The notes, of GET .../events/notes or from the file that the
service appends them to, say how many rows there were on each day: without them, and without a head that was noted
before (--head), nobody can tell an emptied log from a new one, and verify ends with 3 unless --rows-only is given.
"""

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys

TOUCHED = 1
ROWS_ONLY = 3

# Ed25519, RFC 8032: verification only, of public data.
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493
ROOT = pow(2, (P - 1) // 4, P)


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def point_of(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        raise ValueError("no point")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    try:
        public, r = point_of(key), point_of(signature[:32])
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(h, public))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def read_notes(text, key):
    """Returns (day, count, hash) of each note, oldest first. Raises ValueError for a note that the key did not sign."""
    notes = []
    blocks = [block for block in text.split("\n\n") if block.strip()]
    if len(blocks) % 2:
        raise ValueError("the last note is cut")
    for text_block, signatures in zip(blocks[::2], blocks[1::2], strict=True):
        body = text_block.strip("\n") + "\n"
        lines = body.splitlines()
        if len(lines) < 4 or not re.fullmatch(r"day \d{4}-\d{2}-\d{2}", lines[3]):
            raise ValueError("a note has another form")
        origin, day = lines[0], lines[3][4:]
        name_hash = hashlib.sha256(origin.encode() + b"\n\x01" + key).digest()[:4]
        signed = False
        for line in signatures.strip("\n").splitlines():
            _, name, value = line.split(" ")
            raw = base64.b64decode(value, validate=True)
            if name == origin and raw[:4] == name_hash:
                signed = is_signed(key, body.encode(), raw[4:])
        if not signed:
            raise ValueError(f"the note of {day} is not signed by this key")
        if notes and (origin != notes[0][3] or day <= notes[-1][0]):
            raise ValueError(f"the note of {day} is of another log, or not after the one before")
        notes.append((day, int(lines[1]), base64.b64decode(lines[2], validate=True), origin))
    return notes


def verify(lines, head=None, notes=()):
    """Returns (rows, newest hash, what is wrong or None)."""
    previous, count, seen = bytes(32), 0, head is None or head == bytes(32).hex()
    open_notes, agreed = list(notes), 0

    def contradicted():
        """What the notes that end here say, if it is something else."""
        nonlocal agreed
        while open_notes and open_notes[0][1] == count:
            day, _, said, _ = open_notes.pop(0)
            if said != previous:
                return f"position {agreed + 1} or a later one was written anew: the note of {day} has another hash"
            agreed = count
        if open_notes and open_notes[0][1] < count:
            return f"the note of {open_notes[0][0]} has fewer rows than the note before it"
        return None

    wrong = contradicted()
    for line in lines:
        if wrong:
            return agreed, previous.hex(), wrong
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
        wrong = contradicted()
    if wrong:
        return agreed, previous.hex(), wrong
    if open_notes:
        day, said, _, _ = open_notes[0]
        return count, previous.hex(), f"position {count + 1} is missing: the note of {day} has {said} rows"
    if not seen:
        return (
            count,
            previous.hex(),
            "no row has the hash that was noted: rows were removed at the end, or the log was written anew",
        )
    return count, previous.hex(), None


def public_key(text):
    try:
        key = base64.b64decode(text, validate=True)
        if len(key) == 32:
            point_of(key)
            return key
    except (binascii.Error, ValueError):
        pass
    sys.exit("solidus: --key is no Ed25519 public key in Base64")


def main():
    parser = argparse.ArgumentParser(prog="solidus audit", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("verify", help="names the first row that was touched")
    check.add_argument("file", metavar="FILE")
    check.add_argument("--notes", metavar="FILE", help="the signed daily notes")
    check.add_argument("--key", metavar="KEY", help="the public key that signs the notes, Base64")
    check.add_argument("--head", metavar="HASH", help="a hash that was noted when the log was read before")
    check.add_argument("--rows-only", action="store_true", help="without notes and head: that rows agree is enough")
    options = parser.parse_args()
    if (options.notes is None) != (options.key is None):
        sys.exit("solidus: --notes and --key belong together")
    notes = []
    name = options.notes
    try:
        if options.notes:
            with open(options.notes, encoding="utf-8", newline="") as text:
                notes = read_notes(text.read(), public_key(options.key))
            if not notes:
                sys.exit(f"solidus: {options.notes} has no note")
        name = options.file
        with open(options.file, encoding="utf-8") as lines:
            count, newest, wrong = verify(lines, options.head, notes)
    except OSError as e:
        sys.exit(f"solidus: {name} cannot be read: {e.strerror.lower()}")
    except (ValueError, KeyError, TypeError) as e:
        sys.exit(f"solidus: {name} is no exported audit log and no file of notes: {e}")
    if wrong:
        print(f"{count} rows are intact, then: {wrong}")
        sys.exit(TOUCHED)
    said = f", as the notes of {notes[0][0]} to {notes[-1][0]} say" if notes else ""
    print(f"{count} rows are intact{said}; note the head: {newest}")
    if not notes and options.head is None and not options.rows_only:
        print("Without notes and without a head nobody can tell an emptied log from a new one (--notes, --head).")
        sys.exit(ROWS_ONLY)


if __name__ == "__main__":
    main()
