package io.solidus.validator.shard;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.validator.authority.GrpcReplies;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.TransferRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** The anonymous service: callers are never identified, and nothing about them is kept. */
public class ValidatorEndpoint extends ValidatorServiceGrpc.ValidatorServiceImplBase {

  private static final int MAX_LOOK_UPS = 64;
  private static final int READS_PER_SUBMISSION = 2;

  private final Submissions submissions;
  private final LookUps lookUps;
  private final StatusReport status;
  private final ShardMetrics metrics;
  private final Semaphore submissionsInFlight;
  private final Semaphore readsInFlight;

  ValidatorEndpoint(
      Submissions submissions, LookUps lookUps, StatusReport status, ShardMetrics metrics, int maxInFlight) {
    this.submissions = submissions;
    this.lookUps = lookUps;
    this.status = status;
    this.metrics = metrics;
    this.submissionsInFlight = new Semaphore(maxInFlight);
    // apart, so that submissions of two shards that look something up at each other never wait for one another
    this.readsInFlight = new Semaphore(maxInFlight * READS_PER_SUBMISSION);
  }

  @Override
  public void submitTransfer(TransferRequest request, StreamObserver<SubmitReply> observer) {
    submit("transfer", observer, () -> submissions.transfer(Codecs.toDomain(request)));
  }

  @Override
  public void submitMint(MintRequest request, StreamObserver<SubmitReply> observer) {
    submit("mint", observer, () -> submissions.mint(Codecs.toDomain(request)));
  }

  @Override
  public void lookUpSerials(LookUpSerialsRequest request, StreamObserver<LookUpSerialsReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> within(readsInFlight, () -> statesOf(request)));
  }

  @Override
  public void lookUpCore(LookUpCoreRequest request, StreamObserver<SubmitReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> within(readsInFlight, () -> answerOf(request)),
        GrpcReplies::rejectedSubmit);
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> observer) {
    GrpcReplies.answerOrStatus(observer, () -> within(readsInFlight, status::report));
  }

  private void submit(String kind, StreamObserver<SubmitReply> observer, Supplier<byte[]> work) {
    GrpcReplies.answer(
        observer,
        () -> metrics.timed(kind, () -> within(submissionsInFlight, () -> signed(work.get()))),
        GrpcReplies::rejectedSubmit);
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

  /** Never more at a time than there are permits; the rest come back later. */
  private static <A> A within(Semaphore permits, Supplier<A> work) {
    if (!permits.tryAcquire()) {
      throw new ProtocolException(RejectionCode.OVERLOADED, "too many requests are being worked on");
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }

  private static SubmitReply signed(byte[] answer) {
    try {
      return SubmitReply.newBuilder().setSigned(PartialSignature.parseFrom(answer)).build();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored answer is not an answer", e);
    }
  }
}
