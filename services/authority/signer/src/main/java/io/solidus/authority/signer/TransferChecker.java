package io.solidus.authority.signer;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferFamilies;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All checks of transfers that do not depend on stored state. A batch shares native calls, and each
 * of its requests gets the outcome it would get alone. Accepted requests are remembered: their
 * evidence, so that it is not verified again, and their signing request, so that the shard need not
 * send them again. Rejections are remembered too.
 *
 * <p>The order of checks goes by what a check costs and who can make it fail. The votes of a
 * certificate come last, because anybody can invent them, while the evidence before them needs an
 * owned coin. Suspicious requests are verified in quarantine, and a call does not wait for them
 * long: their verdict is remembered for whoever sends them again.
 */
final class TransferChecker {

  /** How long a call with usual requests waits for its suspicious ones after the usual ones. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** How long a call waits whose requests were all marked as suspicious by their sender. */
  private static final Duration PATIENCE_APART = Duration.ofSeconds(2);

  private final NetworkId network;
  private final TransferFamilies families;
  private final Supplier<RulesInForce> rules;
  private final AdmissionRule rule;
  private final FinishRule finish;
  private final BiPredicate<SerialNumber, TxCore> holdsLead;
  private final VerificationPool verifications;
  private final TransferCache cache;
  private final Clock clock;
  private final Duration deadline;

  /**
   * Makes a checker.
   *
   * @param holdsLead whether the authority holds a lead serial number for a core
   */
  TransferChecker(
      SignerNetwork network,
      Supplier<RulesInForce> rules,
      AdmissionRule rule,
      FinishRule finish,
      BiPredicate<SerialNumber, TxCore> holdsLead,
      VerificationPool verifications,
      TransferCache cache,
      Clock clock,
      Duration deadline) {
    this.network = network.id();
    this.families = network.families();
    this.rules = rules;
    this.rule = rule;
    this.finish = finish;
    this.holdsLead = holdsLead;
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
  record CheckRequest(TransferRequest transfer, boolean doubtful) {

    /** Whether the shard queues such requests apart from the others. */
    boolean apart() {
      return doubtful || !transfer.certificate().isEmpty();
    }
  }

  /**
   * A request that passed the cheap checks.
   *
   * @param late what refuses it unless its certificate finishes the core; null for none
   */
  private record Prepared(
      CheckRequest request,
      SigningRequest signing,
      EvidenceKey evidence,
      @Nullable ProtocolException late) {}

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
    RulesInForce current = rules.get();
    Instant now = clock.instant();
    List<EvidenceKey> keys = requests.stream().map(request -> key(request.transfer())).toList();
    Set<TxCore> contested = contested(keys);
    Map<EvidenceKey, State> known = new HashMap<>();
    List<State> states = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      CheckRequest request = requests.get(i);
      EvidenceKey key = keys.get(i);
      Supplier<State> prepared = () -> prepare(request, key, contested, current, now);
      states.add(
          request.transfer().certificate().isEmpty()
              ? known.computeIfAbsent(key, k -> prepared.get())
              : prepared.get());
    }
    submit(states);
    Duration patience = requests.stream().allMatch(CheckRequest::apart) ? PATIENCE_APART : PATIENCE;
    List<Outcome<SigningRequest>> outcomes = conclude(states, patience, end);
    if (states.stream().anyMatch(TransferChecker::isGivenUp)) {
      verifications.removeGivenUp();
    }
    return outcomes;
  }

  /** The cores with different evidence: all of it but one piece is wrong or useless. */
  private static Set<TxCore> contested(List<EvidenceKey> keys) {
    Map<TxCore, EvidenceKey> first = new HashMap<>();
    Set<TxCore> contested = new HashSet<>();
    for (EvidenceKey key : keys) {
      EvidenceKey other = first.putIfAbsent(key.core(), key);
      if (other != null && !other.equals(key)) {
        contested.add(key.core());
      }
    }
    return contested;
  }

  private State prepare(
      CheckRequest request,
      EvidenceKey key,
      Set<TxCore> contested,
      RulesInForce current,
      Instant now) {
    try {
      return admit(request, key, contested, current, now);
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private State admit(
      CheckRequest request,
      EvidenceKey evidence,
      Set<TxCore> contested,
      RulesInForce current,
      Instant now) {
    TransferRequest transfer = request.transfer();
    TransferStatement statement = transfer.statement();
    families.require(statement.family());
    transfer.requireContext(network);
    TxCore core = evidence.core();
    SigningRequest signing =
        new SigningRequest(
            statement.family(), core, statement.serials(), Outputs.of(network, statement));
    cache.rejected(evidence).ifPresent(NativeRejections::requireOk);
    ProofTerms terms = rule.admit(current, statement, transfer.evidence(), true, now);
    ProtocolException late = null;
    try {
      rule.admit(current, statement, transfer.evidence(), false, now);
    } catch (ProtocolException e) {
      if (mayFinish(core, transfer)) {
        late = e;
      } else if (finish.hasEnough(transfer) || !passes(core, transfer, now)) {
        throw e;
      }
    }
    return verify(new Prepared(request, signing, evidence, late), contested.contains(core), terms);
  }

  /** Whether a certificate may finish the core: it has enough votes, and did not fail before. */
  private boolean mayFinish(TxCore core, TransferRequest transfer) {
    return finish.hasEnough(transfer) && cache.finishes(certificate(core, transfer)).orElse(true);
  }

  /**
   * Whether a core passes the windows: it is finished, or its authority admitted it before it was
   * reserved, here or before a restart (V-23).
   */
  private boolean passes(TxCore core, TransferRequest transfer, Instant now) {
    return finish.finishes(core, transfer, now)
        || holdsLead.test(transfer.statement().leadSerial(), core);
  }

  private State verify(Prepared prepared, boolean contested, ProofTerms terms) {
    CheckRequest request = prepared.request();
    TxCore core = prepared.signing().core();
    boolean late = prepared.late() != null;
    if (cache.accepted(prepared.evidence())
        && (!late || cache.finishes(certificate(core, request.transfer())).orElse(false))) {
      return accepted(prepared);
    }
    boolean suspicious = request.doubtful() || late || contested || cache.suspicious(core);
    return new Verifying(
        prepared,
        new PendingVerification(
            request.transfer().statement(),
            request.transfer().evidence(),
            terms,
            suspicious,
            code -> settled(prepared, code)));
  }

  /** Learns a verdict; then, of evidence that is right, judges the certificate if it needs one. */
  private void settled(Prepared prepared, NativeErrorCode code) {
    cache.learn(prepared.evidence(), code);
    ProtocolException late = prepared.late();
    if (late != null && code == NativeErrorCode.OK) {
      TxCore core = prepared.signing().core();
      TransferRequest transfer = prepared.request().transfer();
      boolean finishes = passes(core, transfer, clock.instant());
      cache.judged(certificate(core, transfer), finishes);
      if (!finishes) {
        throw late;
      }
    }
  }

  private void submit(List<State> states) {
    // a set by identity: equal evidence of one call shares a verification
    Set<PendingVerification> pending = new LinkedHashSet<>();
    for (State state : states) {
      if (state instanceof Verifying verifying) {
        pending.add(verifying.verification());
      }
    }
    if (!pending.isEmpty()) {
      verifications.submit(List.copyOf(pending));
    }
  }

  /** Waits for the usual requests until the end, and for the suspicious ones a little longer. */
  private List<Outcome<SigningRequest>> conclude(List<State> states, Duration patience, long end) {
    List<Outcome<SigningRequest>> outcomes =
        new ArrayList<>(Collections.nCopies(states.size(), null));
    for (int i = 0; i < states.size(); i++) {
      if (!isSuspicious(states.get(i))) {
        outcomes.set(i, conclude(states.get(i), end));
      }
    }
    long patient = Math.min(end, System.nanoTime() + patience.toNanos());
    for (int i = 0; i < states.size(); i++) {
      if (isSuspicious(states.get(i))) {
        outcomes.set(i, conclude(states.get(i), patient));
      }
    }
    return outcomes;
  }

  private Outcome<SigningRequest> conclude(State state, long end) {
    return switch (state) {
      case Decided decided -> decided.outcome();
      case Verifying verifying -> {
        try {
          NativeErrorCode code = verifying.verification().await(end);
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

  private static boolean isSuspicious(State state) {
    return state instanceof Verifying verifying && verifying.verification().suspicious();
  }

  private static EvidenceKey certificate(TxCore core, TransferRequest request) {
    return new EvidenceKey(
        core,
        Digest32.sha256(
            io.solidus.wire.v1.TransferRequest.newBuilder()
                .addAllCertificate(Codecs.toWire(request).getCertificateList())
                .build()
                .toByteArray()));
  }

  private EvidenceKey key(TransferRequest request) {
    return new EvidenceKey(
        request.statement().core(network),
        Digest32.sha256(Codecs.toWire(request).getEvidence().toByteArray()));
  }

  private static Decided failed(RuntimeException reason) {
    return new Decided(Outcome.failed(reason));
  }
}
