#!/usr/bin/env python3
"""Takes the steps of `helm test`, as the operator's chart renders them, against a running sandbox: the arguments of each container are given
to the wallet on this machine. Two wallets are made and registered, and one gets money, as an operator of a real network would have done.

usage: payment.py LAUNCHER KEYS_DIR GATEWAY HELM KUBE_VERSION
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
# the chart takes https alone
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


class Bank:
    """The operator's people, through the launcher."""

    def __init__(self, launcher):
        self.launcher = launcher

    def ask(self, *action):
        return run(self.launcher, "operator", *action)

    def approve_cases(self):
        pending = [line.split()[0] for line in self.ask("cases").splitlines() if "  pending  " in line]
        for case in pending:
            self.ask("approve-case", case)

    def fund(self):
        identity, token = (
            line.split()[1] for line in self.ask("fund", "--amount-minor", str(FUNDS_MINOR)).splitlines()[:2]
        )
        return identity, token


class Owner:
    """A wallet whose words go into the test's secret."""

    NOT_YET = 11

    def __init__(self, launcher, folder, name, document):
        self.launcher, self.name, self.folder = launcher, name, folder
        self.store = folder / f"{name}-before.sld"
        made = json.loads(self.wallet("create"))
        self.address = made["address"]
        (folder / f"{name}.words").write_text(made["seedPhrase"] + "\n")
        self.wallet(
            "register",
            "--given-name",
            name.capitalize(),
            "--family-name",
            "Example",
            "--birth-date",
            "1990-05-17",
            "--nationality",
            "FR",
            "--document-number",
            document,
            expected=self.NOT_YET,
        )

    def wallet(self, command, *args, expected=0, env=None):
        return run(
            self.launcher,
            "wallet",
            "--store",
            self.store,
            "--passphrase-file",
            self.folder / "passphrase",
            "--output",
            "json",
            command,
            *args,
            expected=expected,
            env=env,
        )

    def mint(self, bank):
        identity, token = bank.fund()
        amount = f"{FUNDS_MINOR / 100:.2f}"
        env = {**os.environ, "SOLIDUS_FUNDING_TOKEN": token}
        self.wallet("mint", identity, amount, expected=self.NOT_YET, env=env)
        bank.ask("approve-mints")
        self.wallet("mint", identity, amount, env=env)


def prepare(launcher, folder):
    (folder / "passphrase").write_text("only for this test\n")
    bank = Bank(launcher)
    mark = os.urandom(4).hex().upper()
    payer, payee = (Owner(launcher, folder, name, name.upper() + mark) for name in ("payer", "payee"))
    bank.approve_cases()
    for owner in (payer, payee):
        owner.wallet("register")
    payer.mint(bank)
    return payer, payee


def rendered(helm, kube_version, keys, payer, payee, folder):
    """The containers of the test's pod in their order: name, arguments."""
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
    text = run(
        helm,
        "template",
        "payment",
        CHART,
        "--kube-version",
        kube_version,
        "-f",
        CHART / "ci/test-values.yaml",
        "-f",
        file,
        "-s",
        "templates/tests/payment.yaml",
    )
    spec = yaml.safe_load(text)["spec"]
    return [(c["name"], c["args"]) for c in spec["initContainers"] + spec["containers"]]


def play(launcher, folder, keys, gateway, containers):
    """What the pod's volumes are is in the folder, and its keys are the sandbox's."""
    for name, args in containers:
        if args[0] != "io.solidus.wallet.cli.WalletMain":
            raise Failure(f"{name} is no wallet: {args[0]}")
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
    """What a wallet has when it has looked for what came last."""
    opened = (
        launcher,
        "wallet",
        "--store",
        folder / f"{name}.sld",
        "--passphrase-file",
        folder / "passphrase",
        "--output",
        "json",
    )
    run(*opened, "receive")
    return json.loads(run(*opened, "balance"))["totalMinor"]


def main():
    launcher, keys, gateway, helm, kube_version = sys.argv[1:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="solidus-payment-"))
    try:
        payer, payee = prepare(launcher, folder)
        print(f"  made   two wallets, one of them with money", flush=True)
        play(launcher, folder, keys, gateway, rendered(helm, kube_version, pathlib.Path(keys), payer, payee, folder))
        left = [total(launcher, folder, name) for name in ("payer", "payee")]
        if left != [FUNDS_MINOR, 0]:
            raise Failure(f"the test leaves the wallets with {left}")
        print("payment: the steps of helm test went through, and left both wallets as they were")
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"payment: FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
