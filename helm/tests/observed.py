"""What helm/observability says of rules, names and runbooks, for the charts' tests."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "observability"
_spec = importlib.util.spec_from_file_location("observability_check", SOURCE / "check.py")
_check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_check)
metrics_in, rules, check_runbook, known = _check.metrics_in, _check.rules, _check.check_runbook, _check.reference


def recorded():
    return {rule["record"] for _, rule in rules() if "record" in rule}


def promtool():
    """Its path, or None."""
    own = pathlib.Path(os.environ.get("SOLIDUS_HOME", pathlib.Path.home() / ".cache/solidus")) / "tools/bin/promtool"
    return shutil.which("promtool") or (str(own) if own.exists() else None)


def run_tests(tool, packaged, test, namespace, quiet):
    """Runs the tests of a source's rules on what the charts make of them; quiet: nothing may fire. What promtool said against it, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "rules.yaml").write_text(packaged.replace("__NAMESPACE__", namespace))
        text = re.sub(r"rule_files: .*", "rule_files: [rules.yaml]", (SOURCE / "tests" / f"{test}.yaml").read_text())
        if test == "common":
            text = text.replace('namespace="authority-1"', 'namespace="solidus"')
        if quiet:
            text = re.sub(r"exp_samples:\n(?: {10}- .*\n?)+", "exp_samples: []\n", text)
        (folder / "test.yaml").write_text(text)
        done = subprocess.run(
            [tool, "test", "rules", folder / "test.yaml"], capture_output=True, text=True, check=False
        )
        return "" if done.returncode == 0 else done.stdout + done.stderr
