package io.solidus.authority.spend;

import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Ledger.Reservation;
import io.solidus.authority.spend.Ledger.Signed;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The order of work on a batch of spends (protocol section 5): answered before, policy, cheap
 * checks, proof, reserve the lead serial number durably with the others of this shard, reserve the
 * siblings' ones, sign, store, answer. Every step works on all spends that are still alive; each
 * spend ends with an outcome of its own. Whatever step a crash interrupts, the same core sent again
 * goes through the steps again and ends in the same bytes.
 *
 * <p>Safe for concurrent use: two batches meet only in the ledger, whose rule is one core for each
 * serial number.
 *
 * @param <R> a request, @param <A> an answer
 */
public final class SpendPipeline<R, A> {

  private final Supplier<Ranges> ranges;
  private final Admission<R> admission;
  private final Ledger<R, A> ledger;
  private final Siblings siblings;
  private final Signer<R, A> signer;
  private final Failpoints failpoints;

  /**
   * @param ranges the shard map known now; each batch works with one of them from beginning to end
   */
  public SpendPipeline(
      Supplier<Ranges> ranges,
      Admission<R> admission,
      Ledger<R, A> ledger,
      Siblings siblings,
      Signer<R, A> signer,
      Failpoints failpoints) {
    this.ranges = ranges;
    this.admission = admission;
    this.ledger = ledger;
    this.siblings = siblings;
    this.signer = signer;
    this.failpoints = failpoints;
  }

  /** One outcome for each spend, in order. */
  public List<Outcome<A>> run(List<Spend<R>> spends) {
    List<Outcome<A>> outcomes = new ArrayList<>(Collections.nCopies(spends.size(), null));
    run(spends, outcomes::set);
    return outcomes;
  }

  /**
   * As {@link #run(List)}, but each outcome leaves as soon as it is there: what has to run again
   * holds nobody up.
   */
  public void run(List<Spend<R>> spends, Answers<A> answers) {
    List<Integer> waiting = indexes(spends.size());
    while (!waiting.isEmpty()) {
      waiting = runDistinct(spends, waiting, answers);
    }
  }

  /**
   * Runs the first spend of each core. The same core may be there again with other evidence: an
   * answer holds for both, a refusal does not, or whoever copies a core could have it refused by
   * sending it with a broken proof.
   *
   * @return the indexes that have to run again; the first of the batch always has its outcome, so
   *     this ends
   */
  private List<Integer> runDistinct(
      List<Spend<R>> spends, List<Integer> waiting, Answers<A> answers) {
    Map<TxCore, Integer> firsts = new LinkedHashMap<>();
    waiting.forEach(i -> firsts.putIfAbsent(spends.get(i).core(), i));
    Batch batch = new Batch(firsts.values().stream().map(spends::get).toList());
    batch.run();
    List<Integer> again = new ArrayList<>();
    for (int i : waiting) {
      TxCore core = spends.get(i).core();
      Outcome<A> outcome = batch.outcomes.get(core);
      if (outcome != null && (firsts.get(core) == i || outcome instanceof Outcome.Done)) {
        answers.answer(i, outcome);
      } else {
        again.add(i);
      }
    }
    return again;
  }

  private static List<Integer> indexes(int size) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      indexes.add(i);
    }
    return indexes;
  }

  static ProtocolException conflict() {
    return new ProtocolException(
        RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core");
  }

  private static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "another shard owns the serial number");
  }

  /**
   * Spends of distinct cores on their way; whatever fails leaves {@code alive} with its outcome.
   */
  private final class Batch {

    private final Ranges map = ranges.get();
    private final Map<TxCore, Outcome<A>> outcomes = new HashMap<>();
    private final Map<TxCore, Spend<R>> alive = new LinkedHashMap<>();

    Batch(List<Spend<R>> distinct) {
      distinct.forEach(spend -> alive.put(spend.core(), spend));
    }

    void run() {
      step(this::answerAgain);
      step(this::admit);
      step(this::refuseHeldHere);
      step(this::refuseHeldAtSiblings);
      step(this::check);
      reach(Step.CHECKED);
      step(this::deferTwiceWanted);
      step(this::reserveOwn);
      reach(Step.OWN_SERIALS_RESERVED);
      step(this::reserveAtSiblings);
      reach(Step.ALL_SERIALS_RESERVED);
      step(this::sign);
    }

    /**
     * A step that throws says nothing about any spend, so all that are alive fail with it; each may
     * be sent again.
     */
    private void step(Runnable work) {
      if (alive.isEmpty()) {
        return;
      }
      try {
        work.run();
      } catch (RuntimeException e) {
        List.copyOf(alive.keySet()).forEach(core -> fail(core, e));
      }
    }

    private void reach(Step step) {
      if (!alive.isEmpty()) {
        failpoints.reach(step);
      }
    }

    @Spec("V-02")
    private void answerAgain() {
      ledger
          .answers(List.copyOf(alive.keySet()))
          .forEach((core, answer) -> end(core, Outcome.done(answer)));
    }

    private void admit() {
      for (Spend<R> spend : List.copyOf(alive.values())) {
        if (!map.owns(spend.lead())) {
          fail(spend.core(), moved());
          continue;
        }
        try {
          admission.require(spend);
        } catch (RuntimeException no) {
          fail(spend.core(), no);
        }
      }
    }

    private void refuseHeldHere() {
      List<SerialNumber> own =
          alive.values().stream().flatMap(spend -> own(spend).stream()).distinct().toList();
      refuseHeldByOthers(ledger.holders(own));
    }

    /**
     * A look before anything is reserved: a transfer that cannot succeed must not use up its lead
     * serial number.
     */
    private void refuseHeldAtSiblings() {
      SortedMap<Integer, List<SerialNumber>> byOwner = new TreeMap<>();
      claims()
          .forEach((owner, claims) ->
              byOwner.put(
                  owner,
                  claims.stream().flatMap(claim -> claim.serials().stream()).distinct().toList()));
      if (byOwner.isEmpty()) {
        return;
      }
      Map<Integer, Outcome<Map<SerialNumber, TxCore>>> replies = siblings.holders(byOwner);
      byOwner
          .keySet()
          .forEach(owner -> {
            switch (replies.get(owner)) {
              case Outcome.Done<Map<SerialNumber, TxCore>> done -> refuseHeldByOthers(done.value());
              case Outcome.Failed<Map<SerialNumber, TxCore>> failed ->
                  failAllOf(owner, failed.reason());
            }
          });
    }

    private void check() {
      List<Spend<R>> order = List.copyOf(alive.values());
      settle(order.stream().map(Spend::core).toList(), signer.check(order));
    }

    /**
     * Of two cores that want one serial number, both good, the first of the batch goes on; the
     * other has no outcome and runs again after it, when it is known whether the first one holds
     * the serial number.
     */
    private void deferTwiceWanted() {
      Set<SerialNumber> taken = new HashSet<>();
      for (Spend<R> spend : List.copyOf(alive.values())) {
        if (spend.serials().stream().anyMatch(taken::contains)) {
          alive.remove(spend.core());
        } else {
          taken.addAll(spend.serials());
        }
      }
    }

    private void reserveOwn() {
      List<Reservation<R>> reservations =
          alive.values().stream().map(spend -> new Reservation<>(spend, own(spend))).toList();
      settle(
          reservations.stream().map(r -> r.spend().core()).toList(), ledger.reserve(reservations));
    }

    private void reserveAtSiblings() {
      SortedMap<Integer, List<Claim>> byOwner = claims();
      if (byOwner.isEmpty()) {
        return;
      }
      Map<Integer, List<Outcome<Done>>> replies = siblings.reserve(byOwner);
      byOwner.forEach(
          (owner, claims) -> settle(claims.stream().map(Claim::core).toList(), replies.get(owner)));
    }

    private void sign() {
      List<Spend<R>> order = List.copyOf(alive.values());
      List<Outcome<A>> answers = signer.sign(order);
      List<Signed<R, A>> signed = new ArrayList<>();
      for (int i = 0; i < order.size(); i++) {
        switch (answers.get(i)) {
          case Outcome.Done<A> done -> signed.add(new Signed<>(order.get(i), done.value()));
          case Outcome.Failed<A> failed -> fail(order.get(i).core(), failed.reason());
        }
      }
      if (!signed.isEmpty()) {
        reach(Step.SIGNED);
        ledger.store(signed).forEach((core, answer) -> end(core, Outcome.done(answer)));
        signed.forEach(
            s -> fail(s.spend().core(), new IllegalStateException("an answer is not stored")));
        failpoints.reach(Step.ANSWER_STORED);
      }
    }

    @Spec("V-04")
    private void refuseHeldByOthers(Map<SerialNumber, TxCore> holders) {
      for (Spend<R> spend : List.copyOf(alive.values())) {
        boolean held =
            spend.serials().stream()
                .map(holders::get)
                .anyMatch(core -> core != null && !core.equals(spend.core()));
        if (held) {
          fail(spend.core(), conflict());
        }
      }
    }

    private void failAllOf(int owner, RuntimeException reason) {
      for (Spend<R> spend : List.copyOf(alive.values())) {
        if (spend.serials().stream().anyMatch(serial -> map.ownerOf(serial) == owner)) {
          fail(spend.core(), reason);
        }
      }
    }

    private SortedMap<Integer, List<Claim>> claims() {
      SortedMap<Integer, List<Claim>> byOwner = new TreeMap<>();
      for (Spend<R> spend : alive.values()) {
        Map<Integer, List<SerialNumber>> foreign = new TreeMap<>();
        for (SerialNumber serial : spend.serials()) {
          if (!map.owns(serial)) {
            foreign.computeIfAbsent(map.ownerOf(serial), owner -> new ArrayList<>()).add(serial);
          }
        }
        foreign.forEach((owner, serials) ->
            byOwner
                .computeIfAbsent(owner, o -> new ArrayList<>())
                .add(new Claim(spend.core(), serials)));
      }
      return byOwner;
    }

    private List<SerialNumber> own(Spend<R> spend) {
      return spend.serials().stream().filter(map::owns).toList();
    }

    private void settle(List<TxCore> cores, List<Outcome<Done>> verdicts) {
      for (int i = 0; i < cores.size(); i++) {
        if (verdicts.get(i) instanceof Outcome.Failed<Done> failed) {
          fail(cores.get(i), failed.reason());
        }
      }
    }

    private void fail(TxCore core, RuntimeException reason) {
      end(core, Outcome.failed(reason));
    }

    private void end(TxCore core, Outcome<A> outcome) {
      if (alive.remove(core) != null) {
        outcomes.put(core, outcome);
      }
    }
  }
}
