package io.solidus.authority.shard;

import com.google.protobuf.MessageLite;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.TransferRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The anonymous service: callers are never identified, and nothing about them is kept. A submission
 * waits in its queue as a message and a place to answer to; no thread waits with it.
 */
public class ValidatorEndpoint extends ValidatorServiceGrpc.ValidatorServiceImplBase {

  private static final int MAX_LOOK_UPS = 64;

  /** Where submissions of each kind wait. */
  record Queues(
      Batcher<Queued<TransferRequest>, PartialSignature> transfers,
      Batcher<Queued<MintRequest>, PartialSignature> mints) {}

  private final Queues queues;
  private final LookUps lookUps;
  private final StatusReport status;
  private final Supplier<String> mapNote;
  private final ShardMetrics metrics;
  private final Semaphore reading;

  /**
   * @param mapNote the newest shard map, signed; goes with every shard-moved
   */
  ValidatorEndpoint(
      Queues queues,
      LookUps lookUps,
      StatusReport status,
      Supplier<String> mapNote,
      ShardMetrics metrics,
      int maxLookUps) {
    this.queues = queues;
    this.lookUps = lookUps;
    this.status = status;
    this.mapNote = mapNote;
    this.metrics = metrics;
    this.reading = new Semaphore(maxLookUps);
  }

  @Override
  public void submitTransfer(TransferRequest request, StreamObserver<SubmitReply> observer) {
    submit("transfer", queues.transfers(), request, observer);
  }

  @Override
  public void submitMint(MintRequest request, StreamObserver<SubmitReply> observer) {
    submit("mint", queues.mints(), request, observer);
  }

  @Override
  public void lookUpSerials(
      LookUpSerialsRequest request, StreamObserver<LookUpSerialsReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> Permits.within(reading, () -> statesOf(request)));
  }

  @Override
  public void lookUpCore(LookUpCoreRequest request, StreamObserver<SubmitReply> observer) {
    GrpcReplies.answer(
        observer, () -> Permits.within(reading, () -> answerOf(request)), this::rejected);
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> Permits.within(reading, status::report));
  }

  private <M extends MessageLite> void submit(
      String kind,
      Batcher<Queued<M>, PartialSignature> queue,
      M message,
      StreamObserver<SubmitReply> observer) {
    tolerateCancellation(observer);
    Consumer<Outcome<PartialSignature>> settled = metrics.submission(kind);
    Consumer<Outcome<PartialSignature>> answer =
        outcome -> {
          settled.accept(outcome);
          GrpcReplies.answer(observer, () -> signed(outcome.get()), this::rejected);
        };
    try {
      // the queue is bounded in bytes too
      if (message.getSerializedSize() > Codecs.MAX_BYTES) {
        throw ProtocolException.malformed("the message is too long");
      }
      queue.submit(Queued.here(message), Context.current()::isCancelled, answer);
    } catch (ProtocolException refusal) {
      answer.accept(Outcome.failed(refusal));
    }
  }

  /** Without a handler an answer to a caller who has gone would throw. */
  private static void tolerateCancellation(StreamObserver<SubmitReply> observer) {
    if (observer instanceof ServerCallStreamObserver<SubmitReply> call) {
      call.setOnCancelHandler(() -> {});
    }
  }

  private LookUpSerialsReply statesOf(LookUpSerialsRequest request) {
    if (request.getSerialsCount() > MAX_LOOK_UPS) {
      throw ProtocolException.malformed("too many serial numbers in one look-up");
    }
    List<SerialNumber> serials =
        request.getSerialsList().stream().map(s -> SerialNumber.of(s.toByteArray())).toList();
    return LookUpSerialsReply.newBuilder().addAllStates(lookUps.serials(serials)).build();
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

  private static SubmitReply signed(PartialSignature answer) {
    return SubmitReply.newBuilder().setSigned(answer).build();
  }
}
