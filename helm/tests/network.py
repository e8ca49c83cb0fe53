"""Evaluates network policies by the rules of the Kubernetes API.

A connection is allowed if the egress policies of the sender and the ingress policies of the receiver allow it.
A pod without a policy for a direction allows every connection in that direction.
"""

import ipaddress
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Pod:
    """The pods of a workload, with a name for the tests."""

    name: str
    namespace: str
    labels: tuple

    @property
    def label_map(self):
        return dict(self.labels)


@dataclass(frozen=True)
class Outsider:
    """A pod or an address outside the manifests."""

    name: str
    namespace: str = ""
    labels: tuple = ()
    address: str = ""

    @property
    def label_map(self):
        return dict(self.labels)


@dataclass
class Policies:
    documents: list
    ports: dict = field(default_factory=dict)

    def allowed(self, sender, receiver, port):
        return self._side(sender, receiver, port, "egress", "to") and self._side(
            receiver, sender, port, "ingress", "from"
        )

    def _side(self, subject, other, port, direction, key):
        if not isinstance(subject, Pod):
            return True
        mine = [
            p
            for p in self.documents
            if self._selects(p, subject) and direction.capitalize() in p["spec"]["policyTypes"]
        ]
        if not mine:
            return True
        return any(
            self._rule(rule, key, other, port, p["metadata"]["namespace"])
            for p in mine
            for rule in p["spec"].get(direction, [])
        )

    @staticmethod
    def _selects(policy, pod):
        return policy["metadata"]["namespace"] == pod.namespace and matches(
            policy["spec"]["podSelector"], pod.label_map
        )

    @staticmethod
    def _rule(rule, key, other, port, namespace):
        if "ports" in rule and not any(p.get("port") == port for p in rule["ports"]):
            return False
        if not rule.get(key):
            return True
        return any(peer_is(peer, other, namespace) for peer in rule[key])


def peer_is(peer, other, namespace):
    if "ipBlock" in peer:
        address = getattr(other, "address", "")
        return bool(address) and ipaddress.ip_address(address) in ipaddress.ip_network(peer["ipBlock"]["cidr"])
    if not other.namespace:
        return False
    if "namespaceSelector" in peer:
        if not matches(peer["namespaceSelector"], {"kubernetes.io/metadata.name": other.namespace}):
            return False
    elif other.namespace != namespace:
        return False
    return matches(peer.get("podSelector", {}), other.label_map)


def matches(selector, labels):
    if any(labels.get(k) != v for k, v in selector.get("matchLabels", {}).items()):
        return False
    for expression in selector.get("matchExpressions", []):
        value, values = labels.get(expression["key"]), expression.get("values", [])
        holds = {
            "In": value in values,
            "NotIn": value not in values,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }[expression["operator"]]
        if not holds:
            return False
    return True
