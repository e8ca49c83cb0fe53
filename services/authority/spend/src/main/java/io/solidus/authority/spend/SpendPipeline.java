package io.solidus.authority.spend;

import static java.util.Objects.requireNonNull;

import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
      waiting = runOnce(requests, waiting, answers);
    }
  }

  /**
   * Runs the requests once, those of one core together. The same core may be in the batch many
   * times, with the same evidence or with other evidence. An answer is valid for all of them. A
   * rejection of evidence is not: otherwise a client could copy a core, send it with a broken proof
   * and so cause the rejection of the original.
   *
   * @return the indexes to run again; at least one index gets its outcome, so the loop ends
   */
  private List<Integer> runOnce(
      List<SpendRequest<R>> requests, List<Integer> waiting, Answers<A> answers) {
    Batch batch = new Batch(waiting.stream().map(requests::get).toList());
    batch.run();
    List<Integer> again = new ArrayList<>();
    for (int i : waiting) {
      Outcome<A> outcome = batch.outcome(requests.get(i));
      if (outcome == null) {
        again.add(i);
      } else {
        answers.answer(i, outcome);
      }
    }
    return again;
  }

  private static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "another shard owns the serial number");
  }

  /**
   * Requests, by their cores. A core with an outcome is removed from {@code pending}; so is a core
   * whose evidence was all rejected.
   */
  private final class Batch {

    private final Ranges map = ranges.get();
    private final Map<TxCore, Outcome<A>> outcomes = new HashMap<>();

    /** What evidence was rejected for, by its own fault. */
    private final Map<SpendRequest<R>, Outcome<A>> rejected = new HashMap<>();

    /** One request of each core; all requests of a core have the same serial numbers. */
    private final Map<TxCore, SpendRequest<R>> pending = new LinkedHashMap<>();

    private final Set<TxCore> signedBefore = new HashSet<>();
    private final Set<TxCore> holdLead = new HashSet<>();

    /**
     * The requests of a core that differ in their evidence, without the rejected ones. A set of
     * more than one is mutable.
     */
    private final Map<TxCore, Set<SpendRequest<R>>> candidates = new HashMap<>();

    Batch(List<SpendRequest<R>> requests) {
      for (SpendRequest<R> request : requests) {
        pending.putIfAbsent(request.core(), request);
        candidates.merge(request.core(), Set.of(request), Batch::union);
      }
    }

    private static <T> Set<T> union(Set<T> known, Set<T> one) {
      Set<T> all = known instanceof LinkedHashSet<T> set ? set : new LinkedHashSet<>(known);
      all.addAll(one);
      return all;
    }

    /** The outcome of a request; null when it has to run again. */
    @Nullable Outcome<A> outcome(SpendRequest<R> request) {
      Outcome<A> outcome = outcomes.get(request.core());
      if (outcome instanceof Outcome.Done || rejected.isEmpty()) {
        return outcome;
      }
      return rejected.getOrDefault(request, outcome);
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

    /**
     * Ends the requests with a stored answer. An answer of a former epoch is of no use to its
     * owner: the core, which holds its serial numbers, is signed anew.
     */
    @Spec("V-02")
    private void answerAgain() {
      observer
          .observe(Stage.LOOKUP, () -> spendStore.answers(List.copyOf(pending.keySet())))
          .forEach((core, stored) -> {
            if (stored.current()) {
              end(core, Outcome.done(stored.answer()));
            } else {
              signedBefore.add(core);
            }
          });
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
     * ever. A core that was signed in a former epoch is for the signer, which asks its own table.
     */
    @Spec("V-23")
    private void admit() {
      for (TxCore core : List.copyOf(pending.keySet())) {
        if (!signedBefore.contains(core)) {
          List.copyOf(candidates(core)).forEach(this::admit);
        }
      }
    }

    private void admit(SpendRequest<R> request) {
      try {
        observer.observe(
            Stage.ADMISSION,
            () -> {
              admission.require(request, holdLead.contains(request.core()));
              return Ok.OK;
            });
      } catch (RuntimeException e) {
        reject(request, e);
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
          observer.observe(Stage.SIBLINGS_LOOKUP, () -> siblings.holders(map.version(), byOwner));
      for (int owner : byOwner.keySet()) {
        switch (of(owner, replies)) {
          case Outcome.Done<Map<SerialNumber, TxCore>> done -> rejectHeldByOthers(done.value());
          case Outcome.Failed<Map<SerialNumber, TxCore>> failed ->
              failAllOf(owner, failed.reason());
        }
      }
    }

    /** Checks all evidence of all cores in one call: no core costs more than one round. */
    private void check() {
      List<SpendRequest<R>> order =
          pending.keySet().stream().flatMap(core -> candidates(core).stream()).toList();
      List<Outcome<Ok>> verdicts = observer.observe(Stage.CHECK, () -> signer.check(order));
      for (int i = 0; i < order.size(); i++) {
        if (verdicts.get(i) instanceof Outcome.Failed<Ok> failed) {
          reject(order.get(i), failed.reason());
        }
      }
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
          observer.observe(Stage.SIBLINGS_RESERVE, () -> siblings.reserve(map.version(), byOwner));
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
          case Outcome.Failed<A> failed -> failSignature(order.get(i), failed.reason());
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

    /**
     * A signer that has forgotten a request judges its evidence again. What it finds wrong then is
     * no fault of other evidence, which runs again.
     */
    private void failSignature(SpendRequest<R> request, RuntimeException reason) {
      if (reason instanceof ProtocolException rejection && !rejection.code().retryable()) {
        reject(request, reason);
        pending.remove(request.core());
      } else {
        fail(request.core(), reason);
      }
    }

    @Spec("V-04")
    private void rejectHeldByOthers(Map<SerialNumber, TxCore> holders) {
      for (SpendRequest<R> request : List.copyOf(pending.values())) {
        request.serials().stream()
            .filter(serial -> holders.containsKey(serial))
            .filter(serial -> !request.goesWith(requireNonNull(holders.get(serial))))
            .findFirst()
            .ifPresent(serial ->
                fail(
                    request.core(),
                    new SerialHeldException(serial, requireNonNull(holders.get(serial)))));
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
                .add(new Claim(request.core(), serials, request.below())));
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

    private Set<SpendRequest<R>> candidates(TxCore core) {
      return candidates.getOrDefault(core, Set.of());
    }

    /** Rejects evidence. Its core goes on with the rest of its evidence, if there is any. */
    private void reject(SpendRequest<R> request, RuntimeException reason) {
      rejected.put(request, Outcome.failed(reason));
      Set<SpendRequest<R>> left = candidates(request.core());
      if (left.size() == 1) {
        candidates.remove(request.core());
        pending.remove(request.core());
      } else {
        left.remove(request);
        pending.replace(request.core(), left.iterator().next());
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
