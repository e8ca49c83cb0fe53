package io.solidus.authority.spend;

import static java.util.Objects.requireNonNull;

import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
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
import java.util.stream.IntStream;

/**
 * The order of work on a batch of spend requests (protocol section 5): answer cores that have a
 * stored answer, admit by the rules in force, reject serial numbers that another core holds, check
 * in the signer, reserve the serial numbers of this shard durably (the lead serial number is one),
 * reserve the others at the siblings, sign, store, answer. Every step works on all requests that
 * have no outcome yet; each request gets an outcome of its own. After a crash at any step, the same
 * core sent again passes the steps again and gets the same bytes.
 *
 * <p>Safe for concurrent use: two batches meet only in the spend store, which gives a serial number
 * to one core.
 *
 * @param <R> a request's content
 * @param <A> an answer
 */
public final class SpendPipeline<R, A> implements BatchWork<SpendRequest<R>, A> {

  private final Supplier<Ranges> ranges;
  private final AdmissionCheck<R> admission;
  private final SpendStore<R, A> spendStore;
  private final Siblings siblings;
  private final Signer<R, A> signer;
  private final Failpoints failpoints;
  private final PipelineObserver observer;

  /**
   * Makes a pipeline over its ports.
   *
   * @param ranges the newest shard map known; each batch uses one of them from start to end
   */
  public SpendPipeline(
      Supplier<Ranges> ranges,
      AdmissionCheck<R> admission,
      SpendStore<R, A> spendStore,
      Siblings siblings,
      Signer<R, A> signer,
      Failpoints failpoints,
      PipelineObserver observer) {
    this.ranges = ranges;
    this.admission = admission;
    this.spendStore = spendStore;
    this.siblings = siblings;
    this.signer = signer;
    this.failpoints = failpoints;
    this.observer = observer;
  }

  /** One outcome for each request, in order. */
  public List<Outcome<A>> run(List<SpendRequest<R>> requests) {
    List<Outcome<A>> outcomes = new ArrayList<>(Collections.nCopies(requests.size(), null));
    run(requests, outcomes::set);
    return outcomes;
  }

  /**
   * Answers each request as soon as its outcome is known: a request that runs again delays no
   * other.
   */
  @Override
  public void run(List<SpendRequest<R>> requests, Answers<A> answers) {
    List<Integer> waiting = IntStream.range(0, requests.size()).boxed().toList();
    while (!waiting.isEmpty()) {
      waiting = runDistinct(requests, waiting, answers);
    }
  }

  /**
   * Runs the first request of each core. The same core may be in the batch again with other
   * evidence. An answer is valid for both. A rejection is not: otherwise a client could copy a
   * core, send it with a broken proof and so cause the rejection of the original.
   *
   * @return the indexes to run again; the first index always gets its outcome, so the loop ends
   */
  private List<Integer> runDistinct(
      List<SpendRequest<R>> requests, List<Integer> waiting, Answers<A> answers) {
    Map<TxCore, Integer> firsts = new LinkedHashMap<>();
    waiting.forEach(i -> firsts.putIfAbsent(requests.get(i).core(), i));
    Set<Integer> first = new HashSet<>(firsts.values());
    Batch batch = new Batch(firsts.values().stream().map(requests::get).toList());
    batch.run();
    List<Integer> again = new ArrayList<>();
    for (int i : waiting) {
      Outcome<A> outcome = batch.outcomes.get(requests.get(i).core());
      if (outcome != null && (first.contains(i) || outcome instanceof Outcome.Done)) {
        answers.answer(i, outcome);
      } else {
        again.add(i);
      }
    }
    return again;
  }

  static ProtocolException conflict() {
    return new ProtocolException(
        RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core");
  }

  private static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "another shard owns the serial number");
  }

  /** Requests of distinct cores. A request with an outcome is removed from {@code pending}. */
  private final class Batch {

    private final Ranges map = ranges.get();
    private final Map<TxCore, Outcome<A>> outcomes = new HashMap<>();
    private final Map<TxCore, SpendRequest<R>> pending = new LinkedHashMap<>();
    private final Set<TxCore> holdLead = new HashSet<>();

    Batch(List<SpendRequest<R>> distinct) {
      distinct.forEach(request -> pending.put(request.core(), request));
    }

    void run() {
      step(this::answerAgain);
      step(this::rejectMoved);
      step(this::rejectHeldHere);
      step(this::admit);
      step(this::rejectHeldAtSiblings);
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
     * Runs a step. A step that throws makes no statement about any request, so all pending ones
     * fail with its exception; each may be sent again.
     */
    private void step(Runnable work) {
      if (pending.isEmpty()) {
        return;
      }
      try {
        work.run();
      } catch (RuntimeException e) {
        List.copyOf(pending.keySet()).forEach(core -> fail(core, e));
      }
    }

    private void reach(Step step) {
      if (!pending.isEmpty()) {
        failpoints.reach(step);
      }
    }

    @Spec("V-02")
    private void answerAgain() {
      observer
          .observe(Stage.LOOKUP, () -> spendStore.answers(List.copyOf(pending.keySet())))
          .forEach((core, answer) -> end(core, Outcome.done(answer)));
    }

    private void rejectMoved() {
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        if (!map.owns(request.lead())) {
          fail(request.core(), moved());
        }
      }
    }

    /**
     * Goes by the rules in force, but for a core that holds its lead serial number: a shard that
     * reserved it, crashed and came back behind a change of rules would otherwise refuse it for
     * ever.
     */
    @Spec("V-21")
    private void admit() {
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        try {
          observer.observe(
              Stage.ADMISSION,
              () -> {
                admission.require(request, holdLead.contains(request.core()));
                return Ok.OK;
              });
        } catch (RuntimeException e) {
          fail(request.core(), e);
        }
      }
    }

    private void rejectHeldHere() {
      List<SerialNumber> own =
          pending.values().stream().flatMap(request -> own(request).stream()).distinct().toList();
      Map<SerialNumber, TxCore> holders =
          observer.observe(Stage.LOOKUP, () -> spendStore.holders(own));
      rejectHeldByOthers(holders);
      for (SpendRequest<R> request : pending.values()) {
        if (request.core().equals(holders.get(request.lead()))) {
          holdLead.add(request.core());
        }
      }
    }

    /**
     * Looks before anything is reserved: a request that cannot succeed must not use up its lead
     * serial number.
     */
    private void rejectHeldAtSiblings() {
      SortedMap<Integer, List<SerialNumber>> byOwner = new TreeMap<>();
      claims()
          .forEach((owner, claims) ->
              byOwner.put(
                  owner,
                  claims.stream().flatMap(claim -> claim.serials().stream()).distinct().toList()));
      if (byOwner.isEmpty()) {
        return;
      }
      Map<Integer, Outcome<Map<SerialNumber, TxCore>>> replies =
          observer.observe(Stage.SIBLINGS_LOOKUP, () -> siblings.holders(byOwner));
      for (int owner : byOwner.keySet()) {
        switch (of(owner, replies)) {
          case Outcome.Done<Map<SerialNumber, TxCore>> done -> rejectHeldByOthers(done.value());
          case Outcome.Failed<Map<SerialNumber, TxCore>> failed ->
              failAllOf(owner, failed.reason());
        }
      }
    }

    private void check() {
      List<SpendRequest<R>> order = List.copyOf(pending.values());
      settle(cores(order), observer.observe(Stage.CHECK, () -> signer.check(order)));
    }

    /**
     * If two checked cores need the same serial number, the first of the batch continues. The
     * second leaves without an outcome and runs again when the first has an outcome.
     */
    private void deferTwiceWanted() {
      Set<SerialNumber> taken = new HashSet<>();
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        if (request.serials().stream().anyMatch(taken::contains)) {
          pending.remove(request.core());
        } else {
          taken.addAll(request.serials());
        }
      }
    }

    private void reserveOwn() {
      List<SpendRequest<R>> order = List.copyOf(pending.values());
      List<Reservation<R>> reservations =
          order.stream().map(request -> new Reservation<>(request, own(request))).toList();
      settle(cores(order), observer.observe(Stage.RESERVE, () -> spendStore.reserve(reservations)));
    }

    private void reserveAtSiblings() {
      SortedMap<Integer, List<Claim>> byOwner = claims();
      if (byOwner.isEmpty()) {
        return;
      }
      Map<Integer, List<Outcome<Ok>>> replies =
          observer.observe(Stage.SIBLINGS_RESERVE, () -> siblings.reserve(byOwner));
      byOwner.forEach(
          (owner, claims) -> settle(claims.stream().map(Claim::core).toList(), of(owner, replies)));
    }

    private void sign() {
      List<SpendRequest<R>> order = List.copyOf(pending.values());
      List<Outcome<A>> answers = observer.observe(Stage.SIGN, () -> signer.sign(order));
      List<Signed<R, A>> signed = new ArrayList<>();
      for (int i = 0; i < order.size(); i++) {
        switch (answers.get(i)) {
          case Outcome.Done<A> done -> signed.add(new Signed<>(order.get(i), done.value()));
          case Outcome.Failed<A> failed -> fail(order.get(i).core(), failed.reason());
        }
      }
      if (!signed.isEmpty()) {
        reach(Step.SIGNED);
        observer
            .observe(Stage.STORE, () -> spendStore.store(signed))
            .forEach((core, answer) -> end(core, Outcome.done(answer)));
        signed.forEach(
            s -> fail(s.request().core(), new IllegalStateException("an answer is not stored")));
        failpoints.reach(Step.ANSWER_STORED);
      }
    }

    @Spec("V-04")
    private void rejectHeldByOthers(Map<SerialNumber, TxCore> holders) {
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        boolean held =
            request.serials().stream()
                .map(holders::get)
                .anyMatch(core -> core != null && !core.equals(request.core()));
        if (held) {
          fail(request.core(), conflict());
        }
      }
    }

    private void failAllOf(int owner, RuntimeException reason) {
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        if (request.serials().stream().anyMatch(serial -> map.ownerOf(serial) == owner)) {
          fail(request.core(), reason);
        }
      }
    }

    private SortedMap<Integer, List<Claim>> claims() {
      SortedMap<Integer, List<Claim>> byOwner = new TreeMap<>();
      for (SpendRequest<R> request : pending.values()) {
        Map<Integer, List<SerialNumber>> foreign = new TreeMap<>();
        for (SerialNumber serial : request.serials()) {
          if (!map.owns(serial)) {
            foreign.computeIfAbsent(map.ownerOf(serial), owner -> new ArrayList<>()).add(serial);
          }
        }
        foreign.forEach((owner, serials) ->
            byOwner
                .computeIfAbsent(owner, o -> new ArrayList<>())
                .add(new Claim(request.core(), serials)));
      }
      return byOwner;
    }

    private List<SerialNumber> own(SpendRequest<R> request) {
      return request.serials().stream().filter(map::owns).toList();
    }

    private List<TxCore> cores(List<SpendRequest<R>> requests) {
      return requests.stream().map(SpendRequest::core).toList();
    }

    private static <T> T of(int owner, Map<Integer, T> replies) {
      return requireNonNull(replies.get(owner), "no reply for a sibling shard that was asked");
    }

    private void settle(List<TxCore> cores, List<Outcome<Ok>> verdicts) {
      for (int i = 0; i < cores.size(); i++) {
        if (verdicts.get(i) instanceof Outcome.Failed<Ok> failed) {
          fail(cores.get(i), failed.reason());
        }
      }
    }

    private void fail(TxCore core, RuntimeException reason) {
      end(core, Outcome.failed(reason));
    }

    private void end(TxCore core, Outcome<A> outcome) {
      if (pending.remove(core) != null) {
        outcomes.put(core, outcome);
      }
    }
  }
}
