package io.solidus.authority.signer;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeRejections;
import io.solidus.wire.Codecs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * All checks of transfers that do not depend on stored state. A batch shares native calls, and each
 * of its requests gets the outcome it would get alone. Accepted requests are remembered: their
 * evidence, so that it is not verified again, and their signing request, so that the shard need not
 * send them again.
 */
final class TransferChecker {

  private final NetworkId network;
  private final NetworkKind kind;
  private final RulesCache rules;
  private final AdmissionRule rule;
  private final FinishRule finish;
  private final SpentRows spent;
  private final VerificationPool verifications;
  private final TransferCache cache;
  private final Clock clock;
  private final Duration deadline;

  TransferChecker(
      SignerNetwork network,
      RulesCache rules,
      AdmissionRule rule,
      FinishRule finish,
      SpentRows spent,
      VerificationPool verifications,
      TransferCache cache,
      Clock clock,
      Duration deadline) {
    this.network = network.id();
    this.kind = network.kind();
    this.rules = rules;
    this.rule = rule;
    this.finish = finish;
    this.spent = spent;
    this.verifications = verifications;
    this.cache = cache;
    this.clock = clock;
    this.deadline = deadline;
  }

  /**
   * A request to check.
   *
   * @param doubtful a hint of the gateway to verify it apart from the others
   */
  record CheckRequest(TransferRequest transfer, boolean doubtful) {}

  /** A request that passed the cheap checks. */
  private record Prepared(CheckRequest request, SigningRequest signing, EvidenceKey evidence) {}

  /** The state of a check. */
  private sealed interface State {}

  /** A check that waits for the native verifier. */
  private record Verifying(Prepared prepared, PendingVerification verification) implements State {}

  /** A check that is over. */
  private record Decided(Outcome<SigningRequest> outcome) implements State {}

  /**
   * Checks a batch.
   *
   * @return one outcome for each request, in order
   * @throws ProtocolException overloaded: nothing was verified
   */
  List<Outcome<SigningRequest>> check(List<CheckRequest> requests) {
    long end = CallDeadline.end(deadline);
    RulesInForce current = rules.current();
    Instant now = clock.instant();
    List<State> states = new ArrayList<>(requests.size());
    for (CheckRequest request : requests) {
      states.add(prepare(request, current, now));
    }
    submit(states);
    List<Outcome<SigningRequest>> outcomes =
        states.stream().map(state -> conclude(state, end)).toList();
    if (states.stream().anyMatch(TransferChecker::isGivenUp)) {
      verifications.removeGivenUp();
    }
    return outcomes;
  }

  private State prepare(CheckRequest request, RulesInForce current, Instant now) {
    try {
      return admit(request, current, now);
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private State admit(CheckRequest request, RulesInForce current, Instant now) {
    TransferRequest transfer = request.transfer();
    TransferStatement statement = transfer.statement();
    AdmissionRule.requireFamily(kind, statement.family());
    transfer.requireContext(network);
    TxCore core = statement.core(network);
    SigningRequest signing =
        new SigningRequest(
            statement.family(), core, statement.serials(), Outputs.of(network, statement));
    EvidenceKey evidence = new EvidenceKey(core, digest(transfer));
    cache.rejected(evidence).ifPresent(NativeRejections::requireOk);
    Prepared prepared = new Prepared(request, signing, evidence);
    ProofTerms terms = rule.admit(current, statement, transfer.evidence(), true, now);
    try {
      rule.admit(current, statement, transfer.evidence(), false, now);
    } catch (ProtocolException e) {
      // V-21: admitted before it was reserved, here or before a restart
      if (!finish.finishes(core, transfer) && !spent.holds(statement.serials().get(0), core)) {
        throw e;
      }
    }
    return verify(prepared, terms);
  }

  private State verify(Prepared prepared, ProofTerms terms) {
    if (cache.accepted(prepared.evidence())) {
      return accepted(prepared);
    }
    CheckRequest request = prepared.request();
    boolean suspicious = request.doubtful() || cache.suspicious(prepared.signing().core());
    return new Verifying(
        prepared,
        new PendingVerification(
            request.transfer().statement(), request.transfer().evidence(), terms, suspicious));
  }

  private void submit(List<State> states) {
    List<PendingVerification> pending = new ArrayList<>();
    for (State state : states) {
      if (state instanceof Verifying verifying) {
        pending.add(verifying.verification());
      }
    }
    if (!pending.isEmpty()) {
      verifications.submit(pending);
    }
  }

  private Outcome<SigningRequest> conclude(State state, long end) {
    return switch (state) {
      case Decided decided -> decided.outcome();
      case Verifying verifying -> {
        try {
          NativeErrorCode code = verifying.verification().await(end);
          cache.learn(verifying.prepared().evidence(), code);
          NativeRejections.requireOk(code);
          yield accepted(verifying.prepared()).outcome();
        } catch (RuntimeException e) {
          yield Outcome.failed(e);
        }
      }
    };
  }

  private Decided accepted(Prepared prepared) {
    cache.keep(prepared.signing());
    return new Decided(Outcome.done(prepared.signing()));
  }

  private static boolean isGivenUp(State state) {
    return state instanceof Verifying verifying && verifying.verification().givenUp();
  }

  private static Digest32 digest(TransferRequest request) {
    return Digest32.sha256(Codecs.toWire(request).getEvidence().toByteArray());
  }

  private static Decided failed(RuntimeException reason) {
    return new Decided(Outcome.failed(reason));
  }
}
