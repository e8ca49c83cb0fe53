#!/usr/bin/env python3
"""Checks every plan in the output of `terraform test -json -verbose` of the example. Fails if a test failed.

usage: pilot.py STREAM HELM FOLDER

- The charts accept the plan's helm_values (N = 4, 7, 10; CloudNativePG and RDS).
- No resource of one owner is encrypted with the key of another, and none is open to the internet.
- The charged resources are as many as tools/cost.py counts.

The script writes the values into FOLDER.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

import cost
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PILOT = ROOT / "helm" / "solidus-pilot"
OWNER = re.compile(r"(authority-[0-9]+|operator)(?![0-9])")


def events(path):
    for line in path.read_text().splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def outcome(stream):
    """Returns the plans by name of their run, and the summary. Exits with Terraform's messages if a test failed."""
    plans, said, summary = {}, [], None
    for event in stream:
        if event["type"] == "test_plan":
            plans[event["@testrun"]] = event["test_plan"]
        elif event["type"] == "diagnostic":
            detail = event["diagnostic"]
            if detail["severity"] == "error":
                said.append(f"{event.get('@testrun', '')}: {detail['summary']}: {detail['detail']}")
        elif event["type"] == "test_summary":
            summary = event["test_summary"]
    if summary is None or summary["status"] != "pass":
        raise SystemExit("\n".join(said) or "terraform test did not finish")
    return plans, summary


def planned(plan):
    """Yields address, type, index and values of each resource that the plan creates."""
    for resource in plan["resource_changes"]:
        if resource["mode"] == "managed":
            yield {
                "address": resource["address"],
                "type": resource["type"],
                "index": resource.get("index"),
                "values": resource["change"]["after"],
            }


def output(plan, name):
    return plan["output_changes"][name]["after"]


def rendered(name, plan, helm, folder):
    values = output(plan, "helm_values")
    path = folder / f"{name}.json"
    path.write_text(json.dumps(values, indent=1))
    command = [
        helm,
        "template",
        "pilot",
        str(PILOT),
        "--kube-version",
        "1.33.0",
        "-f",
        str(PILOT / "ci" / "test-values.yaml"),
        "-f",
        str(path),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if made.returncode or "warning" in made.stderr:
        raise SystemExit(f"{name}: the charts refuse the values\n{made.stderr}")
    return values, [m for m in yaml.load_all(made.stdout, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if m]


def check_charts(name, values, manifests):
    """Each authority has a signer on its own nodes, with volumes of its own class."""
    on = [int(a[1:]) for a, yes in values["global"]["authorities"].items() if yes]
    signers = [m for m in manifests if m["kind"] == "StatefulSet" and m["metadata"]["name"].endswith("-signer")]
    assert len(signers) == len(on), f"{name}: {len(signers)} signers for {len(on)} authorities"
    for signer in signers:
        index = OWNER.match(signer["metadata"]["name"]).group(1).split("-")[1]
        pod = signer["spec"]["template"]["spec"]
        assert pod["nodeSelector"] == {"solidus.io/authority": index}, (
            f"{name}: signer {index} is not on its authority's nodes"
        )
        assert {t["value"] for t in pod["tolerations"]} == {index}, (
            f"{name}: signer {index} tolerates the taint of another authority"
        )
        classes = {c["spec"].get("storageClassName") for c in signer["spec"]["volumeClaimTemplates"]}
        assert classes == {f"solidus-authority-{index}"}, f"{name}: signer {index} has volumes of {classes}"
    databases = [m for m in manifests if m["kind"] == "Cluster"]
    for database in databases:
        index = OWNER.match(database["metadata"]["name"]).group(1).split("-")[1]
        path = database["spec"]["backup"]["barmanObjectStore"]["destinationPath"]
        assert f"-authority-{index}/" in path, f"{name}: backups of {index} go to {path}"
    external = values["a1"]["database"]["mode"] == "external"
    assert len(databases) == (0 if external else len(on)), f"{name}: {len(databases)} databases"


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def owner_of(address):
    if address.startswith("module.kafka."):  # the operator runs the brokers and holds all their logins
        return "operator"
    server = re.match(r'module\.authority_database\["([0-9]+)"\]', address)
    indexed = OWNER.findall(address)
    return f"authority-{server[1]}" if server else indexed[-1] if indexed else None


def check_separation(name, plan):
    """The resources of an owner are encrypted with the owner's key, and no ingress rule is open to the internet."""
    checked = 0
    for resource in planned(plan):
        owner = owner_of(resource["address"])
        keys = [k for text in strings(resource["values"]) for k in re.findall(r":key/([a-z0-9-]+)", text)]
        if owner and ".kms." not in resource["address"]:
            assert set(keys) <= {owner}, (
                f"{name}: {resource['address']} is encrypted with the keys of {sorted(set(keys))}"
            )
            checked += len(keys)
        if resource["type"] == "aws_vpc_security_group_ingress_rule":
            rule = resource["values"]
            assert rule.get("cidr_ipv4") != "0.0.0.0/0", f"{name}: {resource['address']} is open to the internet"
    # at least the root volumes and the bucket of each owner
    wanted = 2 * len(output(plan, "secret_roles"))
    assert checked >= wanted, f"{name}: {checked} uses of keys were checked, fewer than {wanted}"
    return checked


def charged(plan):
    """Counts the charged resources of the plan, by the names in tools/cost.py."""
    count = collections.Counter()
    template, nodes = {}, {}
    for r in planned(plan):
        v = r["values"]
        if r["type"] == "aws_eks_node_group":
            nodes[r["index"]] = v["scaling_config"][0]["desired_size"]
            count[v["instance_types"][0]] += nodes[r["index"]]
        elif r["type"] == "aws_launch_template":
            template[r["index"]] = v["block_device_mappings"][0]["ebs"][0]["volume_size"]
        elif r["type"] == "aws_db_instance":
            count[v["instance_class"]] += 1
            count["rds-gp3" if "operator" in v["identifier"] else "authority-rds-gp3"] += v["allocated_storage"]
        elif r["type"] == "aws_msk_cluster":
            group = v["broker_node_group_info"][0]
            count[group["instance_type"]] += v["number_of_broker_nodes"]
            count["kafka-storage"] += (
                v["number_of_broker_nodes"] * group["storage_info"][0]["ebs_storage_info"][0]["volume_size"]
            )
        elif r["type"] == "aws_vpc_endpoint":
            count["endpoint"] += cost.ZONES
        else:
            count[
                {"aws_nat_gateway": "nat", "aws_kms_key": "kms", "aws_eks_cluster": "eks", "aws_s3_bucket": "s3"}.get(
                    r["type"], ""
                )
            ] += 1
    count["root"] = sum(template[owner] * nodes[owner] for owner in nodes)
    return count


def check_cost(name, plan, values):
    committee = sum(values["global"]["authorities"].values())
    rds = values["a1"]["database"]["mode"] == "external"
    nodes = 1 if rds else 3
    wanted, found = cost.quantities(committee, nodes, rds), charged(plan)
    claims = committee * (cost.SIGNER_GIB + (0 if rds else cost.CNPG_GIB))
    found["gp3"] = found["root"] + claims
    found["s3"] *= cost.BACKUPS_GIB
    for what, quantity in wanted.items():
        assert found[what] == quantity, f"{name}: the plan has {found[what]} of {what}, the table of costs {quantity}"


def gib(size):
    return int(size.removesuffix("Gi"))


def check_claims(manifests):
    """The volume claims of an authority, in GiB, are those that tools/cost.py counts."""
    signer = next(m for m in manifests if m["kind"] == "StatefulSet" and m["metadata"]["name"] == "authority-1-signer")
    claims = sum(gib(c["spec"]["resources"]["requests"]["storage"]) for c in signer["spec"]["volumeClaimTemplates"])
    assert claims == cost.SIGNER_GIB, f"a signer claims {claims} GiB"
    for spec in [m["spec"] for m in manifests if m["kind"] == "Cluster"][:1]:
        claims = spec["instances"] * (gib(spec["storage"]["size"]) + gib(spec["walStorage"]["size"]))
        assert claims == cost.CNPG_GIB, f"a database claims {claims} GiB"


def main():
    stream, helm, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    plans, summary = outcome(events(stream))
    sizes = collections.Counter()
    for name, plan in plans.items():
        if "helm_values" not in plan["output_changes"]:
            continue
        values, manifests = rendered(name, plan, helm, folder)
        check_charts(name, values, manifests)
        check_claims(manifests)
        checked = check_separation(name, plan)
        check_cost(name, plan, values)
        size = sum(values["global"]["authorities"].values())
        sizes[size, values["a1"]["database"]["mode"]] += 1
        print(f"{name}: N = {size}, {len(manifests)} manifests, {checked} uses of keys")
    wanted = {(4, "cnpg"), (7, "cnpg"), (10, "cnpg"), (4, "external")}
    assert wanted <= set(sizes), f"there are only plans of {sorted(sizes)}"
    print(f"{summary['passed']} tests, {sum(sizes.values())} plans")


if __name__ == "__main__":
    main()
