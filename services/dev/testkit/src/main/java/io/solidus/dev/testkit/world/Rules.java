package io.solidus.dev.testkit.world;

import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionList;
import io.solidus.prover.Limits;
import io.solidus.prover.MembershipPath;
import io.solidus.prover.SanctionTree;

/** The policy and the checkpoint under which a proof is made. */
public record Rules(
    NetworkId network, Policy policy, SanctionCheckpoint checkpoint, SanctionList list) {

  long policyVersion() {
    return policy.version();
  }

  long checkpointVersion() {
    return checkpoint.version();
  }

  Limits limits() {
    return Limits.of(policy);
  }

  FieldElement root() {
    return checkpoint.root();
  }

  MembershipPath path(Apk apk) {
    try (SanctionTree tree = SanctionTree.build(network, list.toBytes())) {
      return tree.path(apk);
    }
  }
}
