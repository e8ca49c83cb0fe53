package io.solidus.validator.signer;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Verifier;
import io.solidus.validator.facts.Admission;
import io.solidus.validator.facts.AdmissionRule;
import io.solidus.validator.facts.FactBook;
import io.solidus.wire.Codecs;
import java.time.Clock;

/** Everything about a transfer that does not depend on stored state. Specification: [V-05], [V-06]. */
final class TransferCheck {

  private final NetworkId network;
  private final NetworkKind kind;
  private final FactBook book;
  private final AdmissionRule rule;
  private final FinishRule finish;
  private final Verifier verifier;
  private final VerdictCache verdicts;
  private final NativePool pool;
  private final Clock clock;

  TransferCheck(
      SignerNetwork network,
      FactBook book,
      AdmissionRule rule,
      FinishRule finish,
      Verifier verifier,
      VerdictCache verdicts,
      NativePool pool,
      Clock clock) {
    this.network = network.id();
    this.kind = network.kind();
    this.book = book;
    this.rule = rule;
    this.finish = finish;
    this.verifier = verifier;
    this.verdicts = verdicts;
    this.pool = pool;
    this.clock = clock;
  }

  /** @throws ProtocolException naming the rule that says no */
  TxCore require(TransferRequest request) {
    TransferStatement statement = request.statement();
    requireFamily(statement.family());
    request.requireContext(network);
    TxCore core = statement.core(network);
    VerdictCache.Key key = new VerdictCache.Key(core, evidence(request));
    Admission admission = admit(request);
    if (!verdicts.holds(key)) {
      Verdicts.require(pool.run(() -> verify(request, admission)));
      verdicts.remember(key);
    }
    return core;
  }

  /**
   * As {@link #require}, for a core whose serial numbers are reserved. What this signer admitted and verified a moment ago is not judged
   * by a policy window again: a window that ends between reservation and signature would leave the core reserved for ever and unsigned.
   */
  TxCore requireReserved(TransferRequest request) {
    request.requireContext(network);
    TxCore core = request.statement().core(network);
    return verdicts.holds(new VerdictCache.Key(core, evidence(request))) ? core : require(request);
  }

  private Admission admit(TransferRequest request) {
    boolean finishing = !request.certificate().isEmpty() && pool.run(() -> finish.finishes(request));
    return rule.admit(book.facts(), request.statement(), request.evidence(), finishing, clock.instant());
  }

  private NativeErrorCode verify(TransferRequest request, Admission admission) {
    return kind == NetworkKind.REGULATED
        ? verifier.verifyTransfer(request.statement(), request.evidence(), admission.limits(), admission.root())
        : verifier.verifyUnregulated(request.statement(), request.evidence());
  }

  private void requireFamily(Family family) {
    Family accepted = kind == NetworkKind.REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
    if (family != accepted) {
      throw ProtocolException.malformed("this network does not accept the statement's family");
    }
  }

  private static Digest32 evidence(TransferRequest request) {
    return Digest32.sha256(Codecs.toWire(request).getEvidence().toByteArray());
  }
}
