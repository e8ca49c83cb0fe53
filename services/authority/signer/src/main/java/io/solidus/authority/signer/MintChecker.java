package io.solidus.authority.signer;

import io.solidus.authority.common.Issuers;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Verifier;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * Checks a mint: two different people approved exactly this coin and this value, and the proof
 * shows that the coin has this value. The shards count mints against the cap in force; the signer
 * refuses what no policy ever allowed. The verdict on the same evidence is remembered.
 */
@Spec("V-14")
final class MintChecker {

  private static final int APPROVERS = 2;

  private final NetworkId network;
  private final Issuers.Approvers approvers;
  private final Supplier<RulesInForce> rules;
  private final AdmissionRule rule;
  private final Verifier verifier;
  private final EvidenceVerdicts verdicts;
  private final BiPredicate<TxCore, List<SerialNumber>> signedHere;
  private final Clock clock;

  MintChecker(
      SignerNetwork network,
      Issuers.Approvers approvers,
      Supplier<RulesInForce> rules,
      AdmissionRule rule,
      Verifier verifier,
      EvidenceVerdicts verdicts,
      BiPredicate<TxCore, List<SerialNumber>> signedHere,
      Clock clock) {
    this.network = network.id();
    this.approvers = approvers;
    this.rules = rules;
    this.rule = rule;
    this.verifier = verifier;
    this.verdicts = verdicts;
    this.signedHere = signedHere;
    this.clock = clock;
  }

  TxCore require(MintRequest request) {
    TxCore core = request.statement().core(network);
    try {
      requireCap(request);
    } catch (ProtocolException e) {
      // what was signed in a former epoch was accepted under the rules of then
      if (!signedHere.test(core, List.of(request.statement().serial(network)))) {
        throw e;
      }
    }
    requireApprovals(request);
    byte[] version = ByteBuffer.allocate(4).putInt(request.circuitVersion()).array();
    EvidenceKey key = new EvidenceKey(core, Digest32.sha256(version, request.proof()));
    verdicts.require(key, () -> verifier.verifyMint(request));
    return core;
  }

  private void requireCap(MintRequest request) {
    RulesInForce current = rules.get();
    Instant now = clock.instant();
    rule.admitMint(current, now);
    if (request.statement().value().compareTo(rule.highestMintCap(current, now)) > 0) {
      throw new ProtocolException(
          RejectionCode.MINT_CAP_EXCEEDED, "the value exceeds what may be minted on one day");
    }
  }

  /** Requires approvals by different keys: one person with two names counts once. */
  private void requireApprovals(MintRequest request) {
    Set<Ed25519PublicKey> approved = new HashSet<>();
    for (MintApproval approval : request.approvals()) {
      approvers
          .key(approval.approver())
          .filter(key -> approval.isBy(key, network, request.statement()))
          .ifPresent(approved::add);
    }
    if (approved.size() < APPROVERS) {
      throw new ProtocolException(
          RejectionCode.APPROVAL_INVALID,
          "a mint needs the valid approvals of two different approvers");
    }
  }
}
