package io.solidus.authority.signer;

import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.signer.Signing.Order;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.rules.Admission;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.Facts;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Everything about transfers that does not depend on stored state. A batch shares native calls;
 * each of its items gets the outcome that it would get alone. What was accepted is remembered: its
 * evidence, so that it is not verified again, and what there is to sign, so that the request need
 * not travel again.
 */
final class TransferCheck {

  private final NetworkId network;
  private final NetworkKind kind;
  private final FactBook book;
  private final AdmissionRule rule;
  private final FinishRule finish;
  private final NativePool certificates;
  private final VerificationPool verifications;
  private final TransferMemory memory;
  private final Clock clock;
  private final Duration deadline;

  TransferCheck(
      SignerNetwork network,
      FactBook book,
      AdmissionRule rule,
      FinishRule finish,
      NativePool certificates,
      VerificationPool verifications,
      TransferMemory memory,
      Clock clock,
      Duration deadline) {
    this.network = network.id();
    this.kind = network.kind();
    this.book = book;
    this.rule = rule;
    this.finish = finish;
    this.certificates = certificates;
    this.verifications = verifications;
    this.memory = memory;
    this.clock = clock;
    this.deadline = deadline;
  }

  /**
   * @param doubtful a gateway's hint that it should be verified apart from the others
   */
  record Asked(TransferRequest request, boolean doubtful) {}

  /**
   * One outcome for each, in order.
   *
   * @throws ProtocolException overloaded: nothing was verified
   */
  List<Outcome<Order>> check(List<Asked> asked) {
    long end = CallTime.end(deadline);
    Facts facts = book.facts();
    Instant now = clock.instant();
    List<Item> items = asked.stream().map(one -> new Item(one, facts, now)).toList();
    items.forEach(item -> item.guarded(item::prepare));
    submit(items);
    List<Item> late = items.stream().filter(Item::hangsOnItsCertificate).toList();
    if (!late.isEmpty()) {
      finish(late);
      submitEach(late);
    }
    items.forEach(item -> item.guarded(() -> item.conclude(end)));
    if (items.stream().anyMatch(Item::gaveUp)) {
      verifications.tidy();
    }
    return items.stream().map(Item::outcome).toList();
  }

  private void submit(List<Item> items) {
    List<Verification> wanted = items.stream().flatMap(item -> item.toVerify().stream()).toList();
    if (!wanted.isEmpty()) {
      verifications.submit(wanted);
    }
  }

  /** After others of the call are on their way: whoever finds no room now fails alone. */
  private void submitEach(List<Item> items) {
    items.forEach(item -> item.guarded(() -> submit(List.of(item))));
  }

  /**
   * Few transfers bring a certificate and need it; checking one may take long, so they have a
   * thread apart.
   */
  private void finish(List<Item> items) {
    List<Callable<Boolean>> work =
        items.stream().<Callable<Boolean>>map(i -> () -> finish.finishes(i.request)).toList();
    List<Outcome<Boolean>> finishing = certificates.runAll(work);
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      Outcome<Boolean> answer = finishing.get(i);
      item.guarded(() -> item.finish(answer.get()));
    }
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

  /** One request on its way; an outcome ends it. */
  private final class Item {

    private final TransferRequest request;
    private final boolean doubtful;
    private final Facts facts;
    private final Instant now;
    private @Nullable Order order;
    private VerdictCache.@Nullable Key key;
    private @Nullable ProtocolException outsideTheWindow;
    private @Nullable Verification verification;
    private @Nullable Outcome<Order> outcome;

    Item(Asked asked, Facts facts, Instant now) {
      this.request = asked.request();
      this.doubtful = asked.doubtful();
      this.facts = facts;
      this.now = now;
    }

    /** Runs a step unless the item has its outcome; what the step throws is the outcome. */
    void guarded(Runnable step) {
      if (outcome != null) {
        return;
      }
      try {
        step.run();
      } catch (RuntimeException no) {
        outcome = Outcome.failed(no);
      }
    }

    void prepare() {
      TransferStatement statement = request.statement();
      requireFamily(statement.family());
      request.requireContext(network);
      TxCore core = statement.core(network);
      order =
          new Order(
              statement.family(),
              core,
              statement.serials(),
              statement.inputDigest(network),
              statement.outputs());
      key = new VerdictCache.Key(core, evidence(request));
      memory.refused(key).ifPresent(NativeRejections::requireOk);
      Admission admission = admit(true);
      try {
        admit(false);
      } catch (ProtocolException no) {
        if (request.certificate().isEmpty()) {
          throw no;
        }
        outsideTheWindow = no;
        return;
      }
      verify(admission);
    }

    boolean hangsOnItsCertificate() {
      return outcome == null && outsideTheWindow != null;
    }

    void finish(boolean finishing) {
      if (!finishing) {
        throw outsideTheWindow;
      }
      verify(admit(true));
    }

    /** What is still to be handed to the native verifier. */
    Optional<Verification> toVerify() {
      return outcome == null ? Optional.ofNullable(verification) : Optional.empty();
    }

    void conclude(long end) {
      NativeErrorCode code = verification.await(end);
      memory.learn(key, code);
      NativeRejections.requireOk(code);
      accept();
    }

    boolean gaveUp() {
      return verification != null && verification.givenUp();
    }

    Outcome<Order> outcome() {
      return outcome;
    }

    private Admission admit(boolean finishing) {
      return rule.admit(facts, request.statement(), request.evidence(), finishing, now);
    }

    private void verify(Admission admission) {
      if (memory.accepted(key)) {
        accept();
      } else {
        boolean suspicious = doubtful || memory.suspicious(key.core());
        verification =
            new Verification(request.statement(), request.evidence(), admission, suspicious);
      }
    }

    private void accept() {
      memory.keep(order);
      outcome = Outcome.done(order);
    }
  }
}
