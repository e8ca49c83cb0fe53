"""Runs promtool's tests on the rules of the charts."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import check


def path():
    """The path of promtool, or None."""
    home = pathlib.Path(os.environ.get("SOLIDUS_HOME", pathlib.Path.home() / ".cache/solidus"))
    installed = home / "tools/bin/promtool"
    return shutil.which("promtool") or (str(installed) if installed.exists() else None)


def run_tests(tool, packaged, test, namespace, quiet):
    """Runs the tests of a rule file on the rules that a chart makes of it for a namespace.

    With quiet the tests expect no alert. Returns the failures, or an empty text.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "rules.yaml").write_text(packaged.replace("__NAMESPACE__", namespace))
        text = (check.HERE / "tests" / f"{test}.yaml").read_text()
        text = re.sub(r"rule_files: .*", "rule_files: [rules.yaml]", text)
        if test == "common":
            text = text.replace('namespace="authority-1"', 'namespace="solidus"')
        if quiet:
            text = re.sub(r"exp_samples:\n(?: {10}- .*\n?)+", "exp_samples: []\n", text)
        (folder / "test.yaml").write_text(text)
        done = subprocess.run(
            [tool, "test", "rules", folder / "test.yaml"], capture_output=True, text=True, check=False
        )
        return "" if done.returncode == 0 else done.stdout + done.stderr
