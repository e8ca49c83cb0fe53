package io.solidus.dev.authorities.world;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PreparedMint;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Mints with real proofs, and approvers with their own keys. */
public final class TestMints {

  private final TestCommittee keys;
  private final Map<String, Ed25519PrivateKey> approvers = new LinkedHashMap<>();

  public TestMints(TestCommittee keys) {
    this.keys = keys;
  }

  /** Makes an approver and has the authority trust her. */
  public void approver(Authority authority, String name) {
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(TestRandom.bytes(32));
    approvers.put(name, key);
    authority.approver(name, base64(key));
  }

  /** A second name for the same person. */
  public void alias(Authority authority, String name, String of) {
    approvers.put(name, approvers.get(of));
    authority.approver(name, base64(approvers.get(of)));
  }

  /** Somebody no authority has heard of. */
  public void stranger(String name) {
    approvers.put(name, Ed25519PrivateKey.fromSeed(TestRandom.bytes(32)));
  }

  /** A mint id whose serial number the shard owns. */
  public MintId id(int shard) {
    while (true) {
      MintId id = MintId.of(TestRandom.bytes(32));
      MintStatement probe =
          new MintStatement(id, Amount.ZERO, new BlindedCoin(FieldElement.ZERO, Points.offCurve()));
      if (Authority.ownerOf(probe.serial(keys.network())) == shard) {
        return id;
      }
    }
  }

  public MintRequest request(MintId id, long value, Apk apk, String... approvedBy) {
    Amount amount = Amount.of(value);
    InputDigest d = InputDigest.mint(keys.network(), id, amount);
    while (true) {
      MintPlan plan =
          new MintPlan(apk, amount, d, TestRandom.field(), TestRandom.field(), TestRandom.scalar());
      try {
        PreparedMint prepared = keys.suite().prepareMint(plan);
        MintStatement statement = new MintStatement(id, amount, prepared.blinded());
        byte[] proof = keys.prover().proveMint(new MintWitness(plan));
        return new MintRequest(
            statement,
            keys.keys().circuitVersion(Family.MINT),
            proof,
            approvals(statement, approvedBy));
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
  }

  public List<MintApproval> approvals(MintStatement statement, String... names) {
    List<MintApproval> approvals = new ArrayList<>();
    for (String name : names) {
      approvals.add(
          new MintApproval(
              name, approvers.get(name).sign(MintApproval.message(keys.network(), statement))));
    }
    return approvals;
  }

  public static MintRequest with(MintRequest request, List<MintApproval> approvals) {
    return new MintRequest(
        request.statement(), request.circuitVersion(), request.proof(), approvals);
  }

  /** The same words by the same people about a statement of another value. */
  public static MintRequest worth(MintRequest request, long value) {
    MintStatement s = request.statement();
    return new MintRequest(
        new MintStatement(s.mintId(), Amount.of(value), s.coin()),
        request.circuitVersion(),
        request.proof(),
        request.approvals());
  }

  private static String base64(Ed25519PrivateKey key) {
    return Base64.getEncoder().encodeToString(key.publicKey().bytes());
  }
}
