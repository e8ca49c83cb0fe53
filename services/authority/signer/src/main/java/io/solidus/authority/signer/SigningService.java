package io.solidus.authority.signer;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SignRecord;
import io.solidus.authority.signer.log.SignedOtherwiseException;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.signer.log.SpentRows.Spent;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Share;
import io.solidus.prover.SignedOutputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private final Committee committee;
  private final Share share;
  private final Ed25519PrivateKey noteKey;
  private final SpentRows spentRows;
  private final SignLogSupervisor signLog;
  private final NativePool pool;
  private final Duration deadline;
  private final Observer observer;

  SigningService(
      SignerNetwork network,
      Committee committee,
      Share share,
      Ed25519PrivateKey noteKey,
      SpentRows spentRows,
      SignLogSupervisor signLog,
      NativePool pool,
      Duration deadline,
      Observer observer) {
    this.network = network;
    this.committee = committee;
    this.share = share;
    this.noteKey = noteKey;
    this.spentRows = spentRows;
    this.signLog = signLog;
    this.pool = pool;
    this.deadline = deadline;
    this.observer = observer;
  }

  /** Signs one statement. */
  PartialSignature sign(SigningRequest request) {
    return signAll(List.of(request)).getFirst().get();
  }

  /**
   * Signs a batch. Deterministic: the same core always gets the same bytes.
   *
   * @return one outcome for each request, in order
   * @throws RuntimeException for the whole batch: the signer is not ready, or the database is not
   *     available
   */
  @Spec("V-08")
  List<Outcome<PartialSignature>> signAll(List<SigningRequest> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    long end = CallDeadline.end(deadline);
    SignLog durable = signLog.require();
    Set<TxCore> unreserved = observer.stage("reserved", () -> unreserved(requests));
    List<SigningRequest> allowed =
        requests.stream().filter(request -> !unreserved.contains(request.core())).toList();
    List<Outcome<PartialSignature>> bare = observer.stage("sign", () -> signNatively(allowed));
    List<Outcome<PartialSignature>> signed =
        observer.stage("record", () -> record(durable, allowed, bare, end));
    List<Outcome<PartialSignature>> outcomes = new ArrayList<>(requests.size());
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
   */
  private Set<TxCore> unreserved(List<SigningRequest> requests) {
    List<Spent> spent =
        requests.stream()
            .filter(request -> request.family() != Family.REGISTER)
            .flatMap(request ->
                request.serials().stream().map(serial -> new Spent(serial, request.core())))
            .toList();
    List<TxCore> registrations =
        requests.stream()
            .filter(request -> request.family() == Family.REGISTER)
            .map(SigningRequest::core)
            .toList();
    return spentRows.unreserved(spent, registrations);
  }

  private List<Outcome<PartialSignature>> signNatively(List<SigningRequest> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    int parts = Math.clamp(requests.size() / SMALLEST_PART, 1, pool.parallelism());
    List<Callable<List<Outcome<PartialSignature>>>> work = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      List<SigningRequest> part =
          requests.subList(requests.size() * i / parts, requests.size() * (i + 1) / parts);
      work.add(() -> signPart(part));
    }
    List<Outcome<List<Outcome<PartialSignature>>>> done = pool.runAll(work);
    List<Outcome<PartialSignature>> signed = new ArrayList<>(requests.size());
    for (int i = 0; i < parts; i++) {
      int size = requests.size() * (i + 1) / parts - requests.size() * i / parts;
      switch (done.get(i)) {
        case Outcome.Done<List<Outcome<PartialSignature>>> part -> signed.addAll(part.value());
        case Outcome.Failed<List<Outcome<PartialSignature>>> failed -> {
          for (int k = 0; k < size; k++) {
            signed.add(Outcome.failed(failed.reason()));
          }
        }
      }
    }
    return signed;
  }

  private List<Outcome<PartialSignature>> signPart(List<SigningRequest> requests) {
    long start = System.nanoTime();
    List<SignedOutputs> signed =
        share.signAll(network.id(), requests.stream().map(SigningRequest::outputs).toList());
    List<Outcome<PartialSignature>> partials = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      partials.add(vote(requests.get(i).core(), signed.get(i)));
    }
    observer.signed(requests.size(), System.nanoTime() - start);
    return partials;
  }

  /**
   * Votes for a core with the points of a native result. Checked outputs can be signed; anything
   * else is a defect.
   */
  private Outcome<PartialSignature> vote(TxCore core, SignedOutputs signed) {
    return signed.ok()
        ? Outcome.done(
            PartialSignature.voted(
                share.index(), committee.epoch(), core, signed.signatures(), noteKey))
        : Outcome.failed(
            new IllegalStateException("a checked output cannot be signed: " + signed.code()));
  }

  /**
   * Records a batch: its signatures leave when all of its records are durable in the log and in the
   * signer's own table. The batch shares the fsync and the transaction of the log with others. What
   * the table refuses is refused for good, and the rest of the batch is recorded without it.
   */
  @Spec("V-20")
  private List<Outcome<PartialSignature>> record(
      SignLog durable,
      List<SigningRequest> requests,
      List<Outcome<PartialSignature>> signed,
      long end) {
    List<Outcome<PartialSignature>> outcomes = new ArrayList<>(signed);
    while (outcomes.stream().anyMatch(Outcome.Done.class::isInstance)) {
      try {
        await(append(durable, records(requests, outcomes)), end);
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
      List<SigningRequest> requests, List<Outcome<PartialSignature>> outcomes) {
    List<SignRecord> records = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<PartialSignature> done) {
        records.add(toRecord(requests.get(i), done.value()));
      }
    }
    return records;
  }

  /**
   * Makes failures of the signatures on some cores.
   *
   * @return the number of them
   */
  private static int fail(
      List<SigningRequest> requests,
      List<Outcome<PartialSignature>> outcomes,
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

  private SignRecord toRecord(SigningRequest request, PartialSignature partial) {
    Digest32 digest =
        Digest32.sha256(partial.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
    return new SignRecord(
        request.family(), request.core(), committee.epoch(), request.serials(), digest);
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
