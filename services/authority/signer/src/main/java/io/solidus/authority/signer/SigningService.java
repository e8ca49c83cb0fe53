package io.solidus.authority.signer;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SignRecord;
import io.solidus.authority.signer.log.SignedOtherwiseException;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.signer.log.SpentRows.Spent;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeException;
import io.solidus.prover.SignedOutputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs checked statements. A signature is sent only after its record is durable in the sign-log.
 */
final class SigningService {

  private static final Logger log = LoggerFactory.getLogger(SigningService.class);

  /** Fewer requests are not worth a second thread. */
  private static final int SMALLEST_PART = 16;

  /** Observes the signing of batches. */
  interface Observer {
    /** A native call signed {@code cores} statements. */
    void signed(int cores, long nanos);

    /** Cores were refused because another core was signed for one of their serial numbers. */
    void refused(int cores);

    /** Runs one step of a batch. */
    <T> T stage(String stage, Supplier<T> work);
  }

  private final SignerNetwork network;
  private final SigningShares shares;
  private final SpentRows spentRows;
  private final SignLogSupervisor signLog;
  private final NativePool pool;
  private final Duration deadline;
  private final Observer observer;

  SigningService(
      SignerNetwork network,
      SigningShares shares,
      SpentRows spentRows,
      SignLogSupervisor signLog,
      NativePool pool,
      Duration deadline,
      Observer observer) {
    this.network = network;
    this.shares = shares;
    this.spentRows = spentRows;
    this.signLog = signLog;
    this.pool = pool;
    this.deadline = deadline;
    this.observer = observer;
  }

  /** Signs one statement. */
  Answer sign(SigningRequest request) {
    return signAll(List.of(request)).getFirst().get();
  }

  /**
   * Signs a batch. Deterministic: the same core always gets the same bytes while the same shares
   * are held.
   *
   * @return one outcome for each request, in order
   * @throws RuntimeException for the whole batch: the signer is not ready, or the database is not
   *     available
   */
  @Spec("V-08")
  List<Outcome<Answer>> signAll(List<SigningRequest> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    long end = CallDeadline.end(deadline);
    SignLog durable = signLog.require();
    Map<TxCore, List<TxCore>> recovers = new HashMap<>();
    Set<TxCore> unreserved = observer.stage("reserved", () -> unreserved(requests, recovers));
    List<SigningRequest> allowed =
        requests.stream().filter(request -> !unreserved.contains(request.core())).toList();
    List<Outcome<Answer>> bare = observer.stage("sign", () -> signNatively(allowed));
    List<Outcome<Answer>> signed =
        observer.stage("record", () -> record(durable, allowed, recovers, bare, end));
    List<Outcome<Answer>> outcomes = new ArrayList<>(requests.size());
    int next = 0;
    for (SigningRequest request : requests) {
      outcomes.add(
          unreserved.contains(request.core())
              ? Outcome.failed(GrpcReplies.unavailable("what is to be signed is not reserved"))
              : signed.get(next++));
    }
    return outcomes;
  }

  /**
   * The requests that are not durably reserved for exactly their core. They are not signed, even if
   * a shard or an issuer requests it. Whether another core was signed for one of their serial
   * numbers shows later, in the signer's own table ({@link #record}).
   *
   * @param recovers gets the holders of each recover's serial numbers, in their order
   */
  private Set<TxCore> unreserved(
      List<SigningRequest> requests, Map<TxCore, List<TxCore>> recovers) {
    List<Spent> spent =
        requests.stream()
            .filter(request ->
                request.family() != Family.REGISTER && request.family() != Family.RECOVER)
            .flatMap(request ->
                request.serials().stream().map(serial -> new Spent(serial, request.core())))
            .toList();
    List<TxCore> registrations =
        requests.stream()
            .filter(request -> request.family() == Family.REGISTER)
            .map(SigningRequest::core)
            .toList();
    Set<TxCore> unreserved = spentRows.unreserved(spent, registrations);
    for (SigningRequest request : requests) {
      if (request.family() == Family.RECOVER) {
        holders(request)
            .ifPresentOrElse(
                rows -> recovers.put(request.core(), rows), () -> unreserved.add(request.core()));
      }
    }
    return unreserved;
  }

  /**
   * The cores that the shards hold a recover's serial numbers for, each the recover or one below
   * it. The record and the signer's own table keep them, so that a restore writes the same rows.
   *
   * @return empty when a serial number has no such row, or two that contradict each other
   */
  private Optional<List<TxCore>> holders(SigningRequest recover) {
    Map<SerialNumber, Set<TxCore>> rows = spentRows.holders(recover.serials());
    List<TxCore> holders = new ArrayList<>(recover.serials().size());
    for (SerialNumber serial : recover.serials()) {
      List<TxCore> own =
          rows.getOrDefault(serial, Set.of()).stream().filter(recover::goesWith).toList();
      if (own.size() != 1) {
        return Optional.empty();
      }
      holders.add(own.getFirst());
    }
    return Optional.of(holders);
  }

  private List<Outcome<Answer>> signNatively(List<SigningRequest> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    int parts = Math.clamp(requests.size() / SMALLEST_PART, 1, pool.parallelism());
    List<Callable<List<Outcome<Answer>>>> work = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      List<SigningRequest> part =
          requests.subList(requests.size() * i / parts, requests.size() * (i + 1) / parts);
      work.add(() -> signPart(part));
    }
    List<Outcome<List<Outcome<Answer>>>> done = pool.runAll(work);
    List<Outcome<Answer>> signed = new ArrayList<>(requests.size());
    for (int i = 0; i < parts; i++) {
      int size = requests.size() * (i + 1) / parts - requests.size() * i / parts;
      switch (done.get(i)) {
        case Outcome.Done<List<Outcome<Answer>>> part -> signed.addAll(part.value());
        case Outcome.Failed<List<Outcome<Answer>>> failed -> {
          for (int k = 0; k < size; k++) {
            signed.add(Outcome.failed(failed.reason()));
          }
        }
      }
    }
    return signed;
  }

  private List<Outcome<Answer>> signPart(List<SigningRequest> requests) {
    long start = System.nanoTime();
    List<Outcome<PartialSignature>> present = signIn(shares.present(), requests);
    List<Optional<PartialSignature>> former = signInFormer(requests);
    List<Outcome<Answer>> answers = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      Optional<PartialSignature> other = former.get(i);
      answers.add(present.get(i).map(partial -> new Answer(partial, other)));
    }
    observer.signed(requests.size(), System.nanoTime() - start);
    return answers;
  }

  /** The signatures in the epoch before: none when its share is over, or is just then. */
  private List<Optional<PartialSignature>> signInFormer(List<SigningRequest> requests) {
    Optional<HeldShare> former = shares.former();
    if (former.isPresent()) {
      try {
        return signIn(former.get(), requests).stream()
            .map(outcome ->
                outcome instanceof Outcome.Done<PartialSignature> done
                    ? Optional.of(done.value())
                    : Optional.<PartialSignature>empty())
            .toList();
      } catch (NativeException e) {
        log.info("the share of the epoch before ended: {}", e.code());
      }
    }
    return Collections.nCopies(requests.size(), Optional.empty());
  }

  private List<Outcome<PartialSignature>> signIn(HeldShare held, List<SigningRequest> requests) {
    List<SignedOutputs> signed =
        held.share().signAll(network.id(), requests.stream().map(SigningRequest::outputs).toList());
    List<Outcome<PartialSignature>> partials = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      partials.add(vote(held, requests.get(i).core(), signed.get(i)));
    }
    return partials;
  }

  /**
   * Votes for a core with the points of a native result. Checked outputs can be signed; anything
   * else is a defect.
   */
  private static Outcome<PartialSignature> vote(HeldShare held, TxCore core, SignedOutputs signed) {
    return signed.ok()
        ? Outcome.done(
            PartialSignature.voted(
                held.share().index(), held.epoch(), core, signed.signatures(), held.noteKey()))
        : Outcome.failed(
            new IllegalStateException("a checked output cannot be signed: " + signed.code()));
  }

  /**
   * Records a batch: its signatures leave when all of its records are durable in the log and in the
   * signer's own table. The batch shares the fsync and the transaction of the log with others. What
   * the table refuses is refused for good, and the rest of the batch is recorded without it.
   */
  @Spec("V-20")
  private List<Outcome<Answer>> record(
      SignLog durable,
      List<SigningRequest> requests,
      Map<TxCore, List<TxCore>> recovers,
      List<Outcome<Answer>> signed,
      long end) {
    List<Outcome<Answer>> outcomes = new ArrayList<>(signed);
    while (outcomes.stream().anyMatch(Outcome.Done.class::isInstance)) {
      try {
        for (List<SignRecord> part : parts(records(requests, recovers, outcomes))) {
          await(append(durable, part), end);
        }
        return outcomes;
      } catch (SignedOtherwiseException e) {
        report(fail(requests, outcomes, e.cores()::contains, SigningService::signedOtherwise));
      } catch (ProtocolException e) {
        fail(requests, outcomes, core -> true, request -> e);
      }
    }
    return outcomes;
  }

  private List<SignRecord> records(
      List<SigningRequest> requests,
      Map<TxCore, List<TxCore>> recovers,
      List<Outcome<Answer>> outcomes) {
    List<SignRecord> records = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Answer> done) {
        SigningRequest request = requests.get(i);
        for (PartialSignature partial : done.value().partials()) {
          records.add(toRecord(request, recovers.get(request.core()), partial));
        }
      }
    }
    return records;
  }

  /** As many records as one fsync takes: a batch has twice as many while there are two epochs. */
  private static List<List<SignRecord>> parts(List<SignRecord> records) {
    List<List<SignRecord>> parts = new ArrayList<>();
    for (int from = 0; from < records.size(); from += SignLog.MAX_BATCH) {
      parts.add(records.subList(from, Math.min(records.size(), from + SignLog.MAX_BATCH)));
    }
    return parts;
  }

  /**
   * Makes failures of the signatures on some cores.
   *
   * @return the number of them
   */
  private static int fail(
      List<SigningRequest> requests,
      List<Outcome<Answer>> outcomes,
      Predicate<TxCore> cores,
      Function<SigningRequest, ProtocolException> failure) {
    int failed = 0;
    for (int i = 0; i < requests.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done && cores.test(requests.get(i).core())) {
        outcomes.set(i, Outcome.failed(failure.apply(requests.get(i))));
        failed++;
      }
    }
    return failed;
  }

  private static ProtocolException signedOtherwise(SigningRequest request) {
    return request.family() == Family.REGISTER
        ? new ProtocolException(
            RejectionCode.ALREADY_REGISTERED,
            "this authority has signed another registration of this person or address")
        : new ProtocolException(
            RejectionCode.SERIAL_CONFLICT,
            "this authority has signed another core for one of the serial numbers");
  }

  private void report(int cores) {
    observer.refused(cores);
    log.error(
        "A SECOND CORE WAS REFUSED ({} cores): a shard or the compliance issuer reserved it although this signer"
            + " has signed another core for one of its serial numbers",
        cores);
  }

  private static SignRecord toRecord(
      SigningRequest request, @Nullable List<TxCore> holders, PartialSignature partial) {
    Digest32 digest =
        Digest32.sha256(partial.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
    int epoch = partial.shareEpoch();
    return holders == null
        ? new SignRecord(request.family(), request.core(), epoch, request.serials(), digest)
        : new SignRecord(
            request.family(), request.core(), epoch, request.serials(), holders, digest);
  }

  /** Appends the records. A record without a sent signature is harmless. */
  private static CompletableFuture<?> append(SignLog durable, List<SignRecord> records) {
    return durable
        .append(records)
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.OVERLOADED, "too many signatures are being recorded"));
  }

  private static void await(CompletableFuture<?> durable, long end) {
    try {
      durable.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SignedOtherwiseException refused) {
        throw refused;
      }
      log.error("signatures were not recorded and do not leave: {}", nameOf(e.getCause()));
      throw GrpcReplies.unavailable("the signature could not be recorded");
    } catch (TimeoutException e) {
      throw GrpcReplies.unavailable("recording the signature took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw GrpcReplies.unavailable("interrupted");
    }
  }

  private static String nameOf(@Nullable Throwable cause) {
    return cause == null ? "unknown" : cause.getClass().getSimpleName();
  }
}
