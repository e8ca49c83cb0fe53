package io.solidus.authority.signer;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.Answer;
import io.solidus.protocol.NetworkId;
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

/**
 * Checks and signs whole batches of transfers, as shards send them. A request that fails does not
 * affect the others.
 */
final class TransferBatchService {

  private final NetworkId network;
  private final TransferChecker checker;
  private final VerificationPool verifications;
  private final TransferCache cache;
  private final SigningService signing;
  private final SignLogSupervisor signLog;

  TransferBatchService(
      SignerNetwork network,
      TransferChecker checker,
      VerificationPool verifications,
      TransferCache cache,
      SigningService signing,
      SignLogSupervisor signLog) {
    this.network = network.id();
    this.checker = checker;
    this.verifications = verifications;
    this.cache = cache;
    this.signing = signing;
    this.signLog = signLog;
  }

  /**
   * Checks requests: whether this signer would sign them once they are reserved.
   *
   * @return one outcome for each, in order
   * @throws ProtocolException for the whole call: overloaded, unavailable
   */
  List<Outcome<TxCore>> check(List<io.solidus.wire.v1.TransferRequest> requests) {
    requireSize(requests);
    // a shard must not reserve what this signer cannot sign
    signLog.requireReady();
    verifications.requireRoom(requests.size());
    List<Outcome<TransferChecker.CheckRequest>> decoded =
        each(
            requests,
            message ->
                new TransferChecker.CheckRequest(Codecs.toDomain(message), message.getDoubtful()));
    return through(decoded, checker::check).stream()
        .map(outcome -> outcome.map(SigningRequest::core))
        .toList();
  }

  /**
   * Signs reserved transfers.
   *
   * @return one outcome for each, in order; an empty one stands for a core that this signer no
   *     longer remembers and that came without its request
   * @throws ProtocolException for the whole call: unavailable, overloaded
   */
  List<Outcome<Optional<Answer>>> sign(List<SignTransfer> transfers) {
    requireSize(transfers);
    signLog.requireReady();
    List<Outcome<Wanted>> wanted = each(transfers, this::wanted);
    List<Outcome<Optional<SigningRequest>>> requests = through(wanted, this::signingRequests);
    return through(requests, this::signKnown);
  }

  /**
   * A transfer to sign.
   *
   * @param known from the cache
   * @param request present when it is not known and the shard sent it
   */
  private record Wanted(Optional<SigningRequest> known, Optional<TransferRequest> request) {}

  private Wanted wanted(SignTransfer transfer) {
    TxCore core = TxCore.of(transfer.getCore().toByteArray());
    Optional<SigningRequest> known = cache.signing(core);
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
   * The signing requests, from the cache or from a full check; empty for those that are forgotten.
   * Transfers that this signer admitted and verified before are not checked against the policy
   * window again: a window that ends between reservation and signature would leave the core
   * reserved and unsigned for ever.
   */
  private List<Outcome<Optional<SigningRequest>>> signingRequests(List<Wanted> wanted) {
    List<Outcome<Optional<SigningRequest>>> requests =
        new ArrayList<>(wanted.stream().map(w -> Outcome.done(w.known())).toList());
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).request().isPresent()) {
        unknown.add(i);
      }
    }
    List<Outcome<SigningRequest>> checked =
        checkForgotten(unknown.stream().map(i -> wanted.get(i).request().orElseThrow()).toList());
    for (int k = 0; k < unknown.size(); k++) {
      requests.set(unknown.get(k), checked.get(k).map(Optional::of));
    }
    return requests;
  }

  /**
   * Checks forgotten requests. If the verification pool has no room for them, the other requests of
   * the batch are still signed: they are reserved and need no check.
   */
  private List<Outcome<SigningRequest>> checkForgotten(List<TransferRequest> requests) {
    try {
      return checker.check(
          requests.stream()
              .map(request -> new TransferChecker.CheckRequest(request, false))
              .toList());
    } catch (ProtocolException e) {
      return requests.stream().map(r -> Outcome.<SigningRequest>failed(e)).toList();
    }
  }

  private List<Outcome<Optional<Answer>>> signKnown(List<Optional<SigningRequest>> requests) {
    List<Outcome<Answer>> signed =
        signing.signAll(requests.stream().flatMap(Optional::stream).toList());
    List<Outcome<Optional<Answer>>> outcomes = new ArrayList<>();
    int next = 0;
    for (Optional<SigningRequest> request : requests) {
      outcomes.add(
          request.isEmpty()
              ? Outcome.done(Optional.empty())
              : signed.get(next++).map(Optional::of));
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
      } catch (RuntimeException e) {
        outcomes.add(Outcome.failed(e));
      }
    }
    return outcomes;
  }

  /**
   * Runs a step on the items without a failure, as one batch; failed items keep their outcome and
   * their position.
   */
  private static <T, U> List<Outcome<U>> through(
      List<Outcome<T>> items, Function<List<T>, List<Outcome<U>>> step) {
    List<T> succeeded = new ArrayList<>();
    for (Outcome<T> item : items) {
      if (item instanceof Outcome.Done<T> done) {
        succeeded.add(done.value());
      }
    }
    List<Outcome<U>> results = succeeded.isEmpty() ? List.of() : step.apply(succeeded);
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
