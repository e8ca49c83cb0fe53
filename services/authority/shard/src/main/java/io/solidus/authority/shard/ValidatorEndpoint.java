package io.solidus.authority.shard;

import com.google.protobuf.MessageLite;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CountersignTokenKeysReply;
import io.solidus.wire.v1.CountersignTokenKeysRequest;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.RecoverRequest;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.StoredRequest;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.TransferRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The anonymous service: callers are not identified, and no data about them is stored. A submission
 * waits in its queue as a message with a reply address; no thread waits with it.
 */
public class ValidatorEndpoint extends ValidatorServiceGrpc.ValidatorServiceImplBase {

  private static final Logger log = LoggerFactory.getLogger(ValidatorEndpoint.class);

  /** A queue of submissions. */
  @FunctionalInterface
  interface SubmissionQueue<M> {

    /**
     * Queues a message, as {@link Batcher#submit}.
     *
     * @throws ProtocolException overloaded, or unavailable while the shard stops
     */
    void submit(
        QueuedMessage<M> message,
        BooleanSupplier abandoned,
        Consumer<Outcome<PartialSignature>> answer);
  }

  private final SubmissionQueue<TransferRequest> transfers;
  private final SubmissionQueue<MintRequest> mints;
  private final SubmissionQueue<RecoverRequest> recovers;
  private final LookUpService lookUps;
  private final StateSigner states;
  private final StatusService status;
  private final TokenKeyCountersigner tokenKeys;
  private final Supplier<String> mapNote;
  private final ShardMetrics metrics;
  private final Bulkhead lookUpCalls;

  /**
   * Makes the service.
   *
   * @param mapNote the newest shard map, signed; sent with every shard-moved
   */
  ValidatorEndpoint(
      SubmissionQueue<TransferRequest> transfers,
      SubmissionQueue<MintRequest> mints,
      SubmissionQueue<RecoverRequest> recovers,
      LookUpService lookUps,
      StateSigner states,
      StatusService status,
      TokenKeyCountersigner tokenKeys,
      Supplier<String> mapNote,
      ShardMetrics metrics,
      int maxLookUps) {
    this.transfers = transfers;
    this.mints = mints;
    this.recovers = recovers;
    this.lookUps = lookUps;
    this.states = states;
    this.status = status;
    this.tokenKeys = tokenKeys;
    this.mapNote = mapNote;
    this.metrics = metrics;
    this.lookUpCalls = new Bulkhead(maxLookUps, ShardProperties.TOO_MANY_CALLS);
  }

  @Override
  public void submitTransfer(TransferRequest request, StreamObserver<SubmitReply> observer) {
    submit("transfer", transfers, request, observer, this::rejected);
  }

  @Override
  public void submitMint(MintRequest request, StreamObserver<SubmitReply> observer) {
    submit("mint", mints, request, observer, this::rejected);
  }

  @Override
  public void submitRecover(RecoverRequest request, StreamObserver<SubmitReply> observer) {
    submit("recover", recovers, request, observer, this::rejectedRecover);
  }

  @Override
  public void lookUpSerials(
      LookUpSerialsRequest request, StreamObserver<LookUpSerialsReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> lookUpCalls.run(() -> statesOf(request)));
  }

  @Override
  public void lookUpCore(LookUpCoreRequest request, StreamObserver<SubmitReply> observer) {
    GrpcReplies.answer(observer, () -> lookUpCalls.run(() -> answerOf(request)), this::rejected);
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> lookUpCalls.run(status::report));
  }

  @Override
  public void countersignTokenKeys(
      CountersignTokenKeysRequest request, StreamObserver<CountersignTokenKeysReply> observer) {
    GrpcReplies.answerOrStatus(
        observer,
        () ->
            lookUpCalls.run(() ->
                CountersignTokenKeysReply.newBuilder()
                    .setNote(tokenKeys.countersign(request.getNote()))
                    .build()));
  }

  private <M extends MessageLite> void submit(
      String kind,
      SubmissionQueue<M> queue,
      M message,
      StreamObserver<SubmitReply> observer,
      Function<Rejection, SubmitReply> rejected) {
    tolerateCancellation(observer);
    Consumer<Outcome<PartialSignature>> measured = metrics.submission(kind);
    Consumer<Outcome<PartialSignature>> answer =
        outcome -> {
          measured.accept(outcome);
          GrpcReplies.answer(observer, () -> signed(outcome.get()), rejected);
        };
    try {
      // bounds the bytes in the queue
      if (message.getSerializedSize() > Codecs.MAX_BYTES) {
        throw ProtocolException.malformed("the message is too long");
      }
      queue.submit(QueuedMessage.here(message), Context.current()::isCancelled, answer);
    } catch (ProtocolException e) {
      answer.accept(Outcome.failed(e));
    }
  }

  /** Sets a handler, because without one an answer to a cancelled call would throw. */
  private static void tolerateCancellation(StreamObserver<SubmitReply> observer) {
    if (observer instanceof ServerCallStreamObserver<SubmitReply> call) {
      call.setOnCancelHandler(() -> {});
    }
  }

  private LookUpSerialsReply statesOf(LookUpSerialsRequest request) {
    if (request.getSerialsCount() > SerialStates.MAX_STATES) {
      throw ProtocolException.malformed("too many serial numbers in one look-up");
    }
    List<SerialNumber> serials =
        request.getSerialsList().stream().map(s -> SerialNumber.of(s.toByteArray())).toList();
    Optional<Digest32> nonce =
        request.getNonce().isEmpty()
            ? Optional.empty()
            : Optional.of(Digest32.of(request.getNonce().toByteArray()));
    return states.answer(serials, nonce);
  }

  private SubmitReply answerOf(LookUpCoreRequest request) {
    TxCore core = TxCore.of(request.getCore().toByteArray());
    return signed(lookUps.core(core, SerialNumber.of(request.getLeadSerial().toByteArray())));
  }

  private SubmitReply rejected(Rejection rejection) {
    boolean moved = rejection.getCode().equals(RejectionCode.SHARD_MOVED.code());
    return GrpcReplies.rejectedSubmit(
        moved ? rejection.toBuilder().setShardMapNote(mapNote.get()).build() : rejection);
  }

  /**
   * Shows the request that holds the serial number: its owner needs it to count it in another
   * recover. Look-ups show it to everybody who has its lead serial number.
   */
  @Spec("X-27")
  private SubmitReply rejectedRecover(Rejection rejection) {
    if (rejection.getHeldSerial().isEmpty()) {
      return rejected(rejection);
    }
    StoredRequest holder;
    try {
      holder = lookUps.holder(TxCore.of(rejection.getHolder().getCore().toByteArray()));
    } catch (DataAccessException e) {
      log.warn("the holder of a serial number is not shown: {}", e.getClass().getSimpleName());
      return rejected(rejection);
    }
    return rejected(rejection.toBuilder().setHolder(holder).build());
  }

  private static SubmitReply signed(PartialSignature answer) {
    return SubmitReply.newBuilder().setSigned(answer).build();
  }
}
