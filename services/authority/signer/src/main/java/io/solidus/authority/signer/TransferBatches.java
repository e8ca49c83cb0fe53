package io.solidus.authority.signer;

import io.solidus.authority.signer.Signing.Order;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Verifier;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whole batches of transfers, as shards send them. An item that fails spoils no other. */
final class TransferBatches {

  private final NetworkId network;
  private final TransferCheck check;
  private final VerificationPool verifications;
  private final TransferMemory memory;
  private final Signing signing;
  private final LogHolder signLog;

  TransferBatches(
      SignerNetwork network,
      TransferCheck check,
      VerificationPool verifications,
      TransferMemory memory,
      Signing signing,
      LogHolder signLog) {
    this.network = network.id();
    this.check = check;
    this.verifications = verifications;
    this.memory = memory;
    this.signing = signing;
    this.signLog = signLog;
  }

  /**
   * Would this signer sign them, once they are reserved? One outcome for each, in order.
   *
   * @throws ProtocolException of the whole call: overloaded, unavailable
   */
  List<Outcome<TxCore>> check(List<io.solidus.wire.v1.TransferRequest> requests) {
    requireSize(requests);
    // a shard must not reserve what this signer could not sign anyway
    signLog.requireReady();
    verifications.requireRoom(requests.size());
    List<Outcome<TransferCheck.Asked>> decoded =
        each(
            requests,
            message -> new TransferCheck.Asked(Codecs.toDomain(message), message.getDoubtful()));
    return through(decoded, check::check).stream()
        .map(outcome -> outcome.map(Order::core))
        .toList();
  }

  /**
   * Signs what is reserved. One outcome for each, in order; an empty one was forgotten and came
   * without its request.
   *
   * @throws ProtocolException of the whole call: unavailable, overloaded
   */
  List<Outcome<Optional<PartialSignature>>> sign(List<SignTransfer> transfers) {
    requireSize(transfers);
    signLog.requireReady();
    List<Outcome<Wanted>> wanted = each(transfers, this::wanted);
    List<Outcome<Optional<Order>>> orders = through(wanted, this::orders);
    return through(orders, this::signKnown);
  }

  /**
   * @param order from memory; the request is there when it is not
   */
  private record Wanted(Optional<Order> order, Optional<TransferRequest> request) {}

  private Wanted wanted(SignTransfer transfer) {
    TxCore core = TxCore.of(transfer.getCore().toByteArray());
    Optional<Order> known = memory.order(core);
    if (known.isPresent() || !transfer.hasRequest()) {
      return new Wanted(known, Optional.empty());
    }
    TransferRequest request = Codecs.toDomain(transfer.getRequest());
    if (!request.statement().core(network).equals(core)) {
      throw ProtocolException.malformed("the request is of another core");
    }
    return new Wanted(known, Optional.of(request));
  }

  /**
   * What is to be signed, from memory or from a full check; empty when forgotten. What this signer
   * admitted and verified a moment ago is not judged by a policy window again: a window that ends
   * between reservation and signature would leave the core reserved for ever and unsigned.
   */
  private List<Outcome<Optional<Order>>> orders(List<Wanted> wanted) {
    List<Outcome<Optional<Order>>> orders =
        new ArrayList<>(wanted.stream().map(w -> Outcome.done(w.order())).toList());
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).request().isPresent()) {
        unknown.add(i);
      }
    }
    List<Outcome<Order>> checked =
        checkForgotten(unknown.stream().map(i -> wanted.get(i).request().orElseThrow()).toList());
    for (int k = 0; k < unknown.size(); k++) {
      orders.set(unknown.get(k), checked.get(k).map(Optional::of));
    }
    return orders;
  }

  /**
   * When there is no room for these, the others of the batch are signed all the same: they are
   * reserved and need no check.
   */
  private List<Outcome<Order>> checkForgotten(List<TransferRequest> requests) {
    try {
      return check.check(
          requests.stream().map(request -> new TransferCheck.Asked(request, false)).toList());
    } catch (ProtocolException no) {
      return requests.stream().map(r -> Outcome.<Order>failed(no)).toList();
    }
  }

  private List<Outcome<Optional<PartialSignature>>> signKnown(List<Optional<Order>> orders) {
    List<Outcome<PartialSignature>> signed =
        signing.signAll(orders.stream().flatMap(Optional::stream).toList());
    List<Outcome<Optional<PartialSignature>>> outcomes = new ArrayList<>();
    int next = 0;
    for (Optional<Order> order : orders) {
      outcomes.add(
          order.isEmpty() ? Outcome.done(Optional.empty()) : signed.get(next++).map(Optional::of));
    }
    return outcomes;
  }

  private static void requireSize(List<?> batch) {
    if (batch.isEmpty() || batch.size() > Verifier.MAX_BATCH) {
      throw ProtocolException.malformed("a batch has 1 to " + Verifier.MAX_BATCH + " transfers");
    }
  }

  private static <T, U> List<Outcome<U>> each(List<T> items, Function<T, U> work) {
    List<Outcome<U>> outcomes = new ArrayList<>(items.size());
    for (T item : items) {
      try {
        outcomes.add(Outcome.done(work.apply(item)));
      } catch (RuntimeException no) {
        outcomes.add(Outcome.failed(no));
      }
    }
    return outcomes;
  }

  /**
   * Hands on those that are still alive, as one batch; the others keep their outcome and their
   * place.
   */
  private static <T, U> List<Outcome<U>> through(
      List<Outcome<T>> items, Function<List<T>, List<Outcome<U>>> step) {
    List<T> alive = new ArrayList<>();
    for (Outcome<T> item : items) {
      if (item instanceof Outcome.Done<T> done) {
        alive.add(done.value());
      }
    }
    List<Outcome<U>> results = alive.isEmpty() ? List.of() : step.apply(alive);
    List<Outcome<U>> outcomes = new ArrayList<>(items.size());
    int next = 0;
    for (Outcome<T> item : items) {
      outcomes.add(
          switch (item) {
            case Outcome.Done<T> done -> results.get(next++);
            case Outcome.Failed<T> failed -> Outcome.failed(failed.reason());
          });
    }
    return outcomes;
  }
}
