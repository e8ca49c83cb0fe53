"""Pages that quote values or manifests, and the inventory of a pilot."""

import os
import re
import unittest

import yaml
from manifests import CASES, HELM_DIR, ROOT, Manifests, helm, label


class Pages(unittest.TestCase):
    def test_the_pod_that_empties_the_anchor_of_the_books(self):
        page = (ROOT / "docs/how-to/back-up-and-restore.md").read_text()
        pod = yaml.safe_load(re.search(r"<<'Y'\n(apiVersion: v1\nkind: Pod\n.*?)\nY\n", page, re.S).group(1))
        m = Manifests.of("operator")
        desk = next(s for d, _, s in m.pods() if d["metadata"]["name"] == "issuance")
        spec, container = pod["spec"], pod["spec"]["containers"][0]
        self.assertEqual(
            (spec["securityContext"], spec["automountServiceAccountToken"]), (desk["securityContext"], False)
        )
        self.assertEqual(container["securityContext"], desk["containers"][0]["securityContext"])
        self.assertEqual(spec["volumes"], [v for v in desk["volumes"] if v["name"] == "anchor"])
        self.assertEqual(
            container["volumeMounts"], [v for v in desk["containers"][0]["volumeMounts"] if v["name"] == "anchor"]
        )
        self.assertEqual(
            container["image"],
            yaml.safe_load((HELM_DIR / "solidus-operator/values.yaml").read_text())["global"]["image"]["toolbox"],
        )
        file = next(c for _, s, c in m.configs() if s == "issuance")["solidus.issuance.anchor-file"]
        self.assertIn(f": > {file} && sync", container["command"][-1])

    def test_values_of_a_token(self):
        page = (ROOT / "docs/how-to/keep-keys-in-a-token.md").read_text()
        done = helm("solidus-authority", [], yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.S).group(1)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("solidus.signer.token.library: /opt/token/libpkcs11.so", done.stdout)

    def test_values_on_the_command_line_exist(self):
        page = (ROOT / "docs/how-to/back-up-and-restore.md").read_text()
        chart, _, _ = CASES["authority"]
        lines = [line for line in page.splitlines() if line.strip().startswith("helm upgrade")]
        self.assertEqual(len(lines), 3)
        for line in lines:
            settings = re.search(r"--set (\S+)", line).group(1)
            done = helm(chart, [], {}, "--set", settings)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(
                "name: authority-1-recover\n" in done.stdout.split("kind: Job")[-1] and "kind: Job" in done.stdout,
                "recover.enabled=true" in settings,
            )


class Inventory(unittest.TestCase):
    """The objects of a pilot of four. UPDATE_GOLDEN=1 writes the list anew, for review."""

    def test_objects_of_a_pilot_of_four(self):
        file = HELM_DIR / "tests/golden/pilot-n4.txt"
        now = "\n".join(sorted(label(d) for d in Manifests.of("pilot-n4").all)) + "\n"
        if os.environ.get("UPDATE_GOLDEN"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(now)
        self.assertEqual(file.read_text(), now)
