#!/usr/bin/env python3
"""Runs the steps of `helm test` against a running sandbox.

usage: payment.py LAUNCHER KEYS_DIR GATEWAY HELM KUBE_VERSION

The wallet on this machine gets the arguments of each container that the operator's chart renders.
Before that the script creates and registers two wallets and funds one, as an operator of a real network does.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

CHART = pathlib.Path(__file__).resolve().parents[1] / "solidus-operator"
STEP_LIMIT = 300
FUNDS_MINOR = 2000
PAYMENT = "1.25"
# the chart accepts https addresses only
PUBLIC = "https://gateway.example"


class Failure(Exception):
    pass


def run(*command, expected=0, env=None):
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, timeout=STEP_LIMIT, env=env
    )
    if done.returncode != expected:
        raise Failure(
            f"{' '.join(str(c) for c in command[:4])} ...: status {done.returncode}: {done.stdout}{done.stderr}"
        )
    return done.stdout


def opened(launcher, folder, store):
    """The wallet's command line with the options that every command needs."""
    return launcher, "wallet", "--store", store, "--passphrase-file", folder / "passphrase", "--output", "json"


class Operator:
    """Actions of the operator, through the launcher."""

    def __init__(self, launcher):
        self.launcher = launcher

    def run(self, *action):
        return run(self.launcher, "operator", *action)

    def approve_cases(self):
        pending = [line.split()[0] for line in self.run("cases").splitlines() if "  pending  " in line]
        for case in pending:
            self.run("approve-case", case)

    def fund(self):
        identity, token = (
            line.split()[1] for line in self.run("fund", "--amount-minor", str(FUNDS_MINOR)).splitlines()[:2]
        )
        return identity, token


class Owner:
    """A registered wallet. Its seed words go into the secret of the test."""

    NOT_YET = 11

    def __init__(self, launcher, folder, name, document):
        self.launcher, self.name, self.folder = launcher, name, folder
        self.store = folder / f"{name}-before.sld"
        made = json.loads(self.wallet("create"))
        self.address = made["address"]
        (folder / f"{name}.words").write_text(made["seedPhrase"] + "\n")
        person = {"given-name": name.capitalize(), "family-name": "Example", "birth-date": "1990-05-17"}
        person |= {"nationality": "FR", "document-number": document}
        options = (text for key, value in person.items() for text in (f"--{key}", value))
        self.wallet("register", *options, expected=self.NOT_YET)

    def wallet(self, command, *args, expected=0, env=None):
        return run(*opened(self.launcher, self.folder, self.store), command, *args, expected=expected, env=env)

    def mint(self, operator):
        identity, token = operator.fund()
        amount = f"{FUNDS_MINOR / 100:.2f}"
        env = {**os.environ, "SOLIDUS_FUNDING_TOKEN": token}
        self.wallet("mint", identity, amount, expected=self.NOT_YET, env=env)
        operator.run("approve-mints")
        self.wallet("mint", identity, amount, env=env)


def prepare(launcher, folder):
    (folder / "passphrase").write_text("only for this test\n")
    operator = Operator(launcher)
    mark = os.urandom(4).hex().upper()
    payer, payee = (Owner(launcher, folder, name, name.upper() + mark) for name in ("payer", "payee"))
    operator.approve_cases()
    for owner in (payer, payee):
        owner.wallet("register")
    payer.mint(operator)
    return payer, payee


def rendered(helm, kube_version, keys, payer, payee, folder):
    """The containers of the test pod in their order: (name, arguments)."""
    file = folder / "values.yaml"
    manifest_key = base64.b64encode(bytes.fromhex((keys / "manifest.pub").read_text().strip())).decode()
    file.write_text(
        yaml.safe_dump(
            {
                "publicUrls": {"gateway": PUBLIC},
                "global": {"keys": {"allowedClasses": ["development"], "manifestKey": manifest_key}},
                "paymentTest": {
                    "enabled": True,
                    "payerAddress": payer.address,
                    "payeeAddress": payee.address,
                    "amount": PAYMENT,
                },
            }
        )
    )
    options = ("--kube-version", kube_version, "-f", CHART / "ci/test-values.yaml", "-f", file)
    text = run(helm, "template", "payment", CHART, *options, "-s", "templates/tests/payment.yaml")
    spec = yaml.safe_load(text)["spec"]
    return [(c["name"], c["args"]) for c in spec["initContainers"] + spec["containers"]]


def play(launcher, folder, keys, gateway, containers):
    """Runs each container's step. The folder replaces the volumes of the pod."""
    for name, args in containers:
        if args[0] != "io.solidus.wallet.cli.WalletMain":
            raise Failure(f"{name} does not start the wallet but {args[0]}")
        places = {
            PUBLIC: gateway,
            "/var/run/words": str(folder),
            "/var/run/solidus/keys": str(keys),
            "/tmp/": f"{folder}/",
        }
        run(
            launcher,
            "wallet",
            *(
                next((there + arg.removeprefix(place) for place, there in places.items() if arg.startswith(place)), arg)
                for arg in args[1:]
            ),
        )
        print(f"  done   {name}: {' '.join(a for a in args[1:] if not a.startswith('/'))[:110]}", flush=True)


def total(launcher, folder, name):
    """The balance of a wallet after it has received everything."""
    wallet = opened(launcher, folder, folder / f"{name}.sld")
    run(*wallet, "receive")
    return json.loads(run(*wallet, "balance"))["totalMinor"]


def main():
    launcher, keys, gateway, helm, kube_version = sys.argv[1:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-payment-"))
    try:
        payer, payee = prepare(launcher, folder)
        print("  made   two wallets, one of them with money", flush=True)
        play(launcher, folder, keys, gateway, rendered(helm, kube_version, pathlib.Path(keys), payer, payee, folder))
        left = [total(launcher, folder, name) for name in ("payer", "payee")]
        if left != [FUNDS_MINOR, 0]:
            raise Failure(f"the test leaves the wallets with {left}")
        print("payment: the steps of helm test succeeded, and both wallets have their old balances")
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"payment: FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
