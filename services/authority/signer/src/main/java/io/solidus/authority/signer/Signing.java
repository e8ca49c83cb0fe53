package io.solidus.authority.signer;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SignRecord;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.signer.log.SpentRows.Spent;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Share;
import io.solidus.prover.SignedOrder;
import io.solidus.prover.SigningOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs, and lets signatures out only when the sign-log holds them durably. Called with statements
 * just checked.
 */
final class Signing {

  private static final Logger log = LoggerFactory.getLogger(Signing.class);

  /** Fewer are not worth a second thread. */
  private static final int SMALLEST_PART = 16;

  /** What is signed: the outputs of one core under its D, with the serial numbers it spends. */
  record Order(
      Family family,
      TxCore core,
      List<SerialNumber> serials,
      InputDigest digest,
      List<BlindedCoin> outputs) {
    Order {
      if (serials.isEmpty() != (family == Family.REGISTER)) {
        throw new IllegalArgumentException(
            "a registration, and nothing else, spends no serial number");
      }
    }
  }

  /** What is told about every native signing call. */
  interface Observer {
    void signed(int cores, long nanos);

    /** One step on a batch, which it runs. */
    <T> T stage(String stage, Supplier<T> work);
  }

  private final SignerNetwork network;
  private final Committee committee;
  private final Share share;
  private final SpentRows reserved;
  private final LogHolder signLog;
  private final NativePool pool;
  private final Duration deadline;
  private final Observer observer;

  Signing(
      SignerNetwork network,
      Committee committee,
      Share share,
      SpentRows reserved,
      LogHolder signLog,
      NativePool pool,
      Duration deadline,
      Observer observer) {
    this.network = network;
    this.committee = committee;
    this.share = share;
    this.reserved = reserved;
    this.signLog = signLog;
    this.pool = pool;
    this.deadline = deadline;
    this.observer = observer;
  }

  /** A mint or a registration, or one transfer. */
  PartialSignature sign(Order order) {
    return signAll(List.of(order)).getFirst().get();
  }

  /**
   * One outcome for each, in order. Deterministic: the same core gets the same bytes for ever.
   *
   * @throws RuntimeException of the whole batch: the signer is not ready, or the database is away
   */
  @Spec("V-08")
  List<Outcome<PartialSignature>> signAll(List<Order> orders) {
    if (orders.isEmpty()) {
      return List.of();
    }
    long end = CallTime.end(deadline);
    SignLog durable = signLog.require();
    Set<TxCore> unreserved = observer.stage("reserved", () -> unreserved(orders));
    List<Order> allowed =
        orders.stream().filter(order -> !unreserved.contains(order.core())).toList();
    List<Outcome<PartialSignature>> bare = observer.stage("sign", () -> signNatively(allowed));
    List<Outcome<PartialSignature>> signed =
        observer.stage("record", () -> record(durable, allowed, bare, end));
    List<Outcome<PartialSignature>> outcomes = new ArrayList<>(orders.size());
    int next = 0;
    for (Order order : orders) {
      outcomes.add(
          unreserved.contains(order.core())
              ? Outcome.failed(GrpcReplies.unavailable("what is to be signed is not reserved"))
              : signed.get(next++));
    }
    return outcomes;
  }

  /**
   * Nothing is signed that is not durably reserved for exactly this core, whatever a shard or an
   * issuer says: a mistaken or compromised one cannot make this authority sign two cores that spend
   * one serial number, or two first compliance coins of one person.
   */
  private Set<TxCore> unreserved(List<Order> orders) {
    List<Spent> spent =
        orders.stream()
            .flatMap(
                order -> order.serials().stream().map(serial -> new Spent(serial, order.core())))
            .toList();
    List<TxCore> registrations =
        orders.stream()
            .filter(order -> order.family() == Family.REGISTER)
            .map(Order::core)
            .toList();
    return reserved.unreserved(spent, registrations);
  }

  private List<Outcome<PartialSignature>> signNatively(List<Order> orders) {
    if (orders.isEmpty()) {
      return List.of();
    }
    int parts = Math.clamp(orders.size() / SMALLEST_PART, 1, pool.parallelism());
    List<Callable<List<Outcome<PartialSignature>>>> work = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      List<Order> part = orders.subList(orders.size() * i / parts, orders.size() * (i + 1) / parts);
      work.add(() -> signPart(part));
    }
    List<Outcome<List<Outcome<PartialSignature>>>> done = pool.runAll(work);
    List<Outcome<PartialSignature>> signed = new ArrayList<>(orders.size());
    for (int i = 0; i < parts; i++) {
      int size = orders.size() * (i + 1) / parts - orders.size() * i / parts;
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

  private List<Outcome<PartialSignature>> signPart(List<Order> orders) {
    long start = System.nanoTime();
    List<SignedOrder> signed =
        share.signAll(
            network.id(),
            orders.stream().map(o -> new SigningOrder(o.outputs(), o.digest())).toList());
    observer.signed(orders.size(), System.nanoTime() - start);
    return signed.stream().map(this::partial).toList();
  }

  /** Outputs that were checked can be signed; anything else is a defect. */
  private Outcome<PartialSignature> partial(SignedOrder signed) {
    return signed.ok()
        ? Outcome.done(new PartialSignature(share.index(), committee.epoch(), signed.signatures()))
        : Outcome.failed(
            new IllegalStateException("a checked output cannot be signed: " + signed.code()));
  }

  /**
   * What was signed leaves when all of the batch is durable in the log; it shares the log's fsync
   * and anchor.
   */
  private List<Outcome<PartialSignature>> record(
      SignLog durable, List<Order> orders, List<Outcome<PartialSignature>> signed, long end) {
    List<SignRecord> records = new ArrayList<>(orders.size());
    for (int i = 0; i < orders.size(); i++) {
      if (signed.get(i) instanceof Outcome.Done<PartialSignature> done) {
        records.add(toRecord(orders.get(i), done.value()));
      }
    }
    try {
      if (!records.isEmpty()) {
        await(append(durable, records), end);
      }
      return signed;
    } catch (ProtocolException no) {
      return signed.stream()
          .map(outcome ->
              outcome instanceof Outcome.Done ? Outcome.<PartialSignature>failed(no) : outcome)
          .toList();
    }
  }

  private SignRecord toRecord(Order order, PartialSignature partial) {
    Digest32 digest =
        Digest32.sha256(partial.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
    return new SignRecord(order.family(), order.core(), committee.epoch(), order.serials(), digest);
  }

  /** A record whose signature never leaves does no harm. */
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
      log.error(
          "signatures were not recorded and do not leave: {}",
          e.getCause().getClass().getSimpleName());
      throw GrpcReplies.unavailable("the signature could not be recorded");
    } catch (TimeoutException e) {
      throw GrpcReplies.unavailable("recording the signature took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw GrpcReplies.unavailable("interrupted");
    }
  }
}
