package io.solidus.authority.signer;

import io.solidus.authority.common.Issuers;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeRejections;
import io.solidus.prover.Verifier;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;

/**
 * Two different people approved exactly this coin of exactly this value, and the proof says that it
 * has it.
 */
@Spec("V-14")
final class MintCheck {

  private static final int APPROVERS = 2;

  private final NetworkId network;
  private final Issuers.Approvers approvers;
  private final FactBook book;
  private final AdmissionRule rule;
  private final Verifier verifier;
  private final VerdictCache verdicts;
  private final NativePool pool;
  private final Clock clock;

  MintCheck(
      SignerNetwork network,
      Issuers.Approvers approvers,
      FactBook book,
      AdmissionRule rule,
      Verifier verifier,
      VerdictCache verdicts,
      NativePool pool,
      Clock clock) {
    this.network = network.id();
    this.approvers = approvers;
    this.book = book;
    this.rule = rule;
    this.verifier = verifier;
    this.verdicts = verdicts;
    this.pool = pool;
    this.clock = clock;
  }

  TxCore require(MintRequest request) {
    long cap = rule.admitMint(book.facts(), clock.instant()).mintCapPerDay().minor();
    if (request.statement().value().minor() > cap) {
      throw new ProtocolException(
          RejectionCode.MINT_CAP_EXCEEDED, "the value exceeds what may be minted on one day");
    }
    requireApprovals(request);
    TxCore core = request.statement().core(network);
    byte[] version = ByteBuffer.allocate(4).putInt(request.circuitVersion()).array();
    VerdictCache.Key key = new VerdictCache.Key(core, Digest32.sha256(version, request.proof()));
    if (!verdicts.holds(key)) {
      NativeRejections.requireOk(pool.run(() -> verifier.verifyMint(request)));
      verdicts.remember(key);
    }
    return core;
  }

  /** Different keys, not only different names: one person under two names is one person. */
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
