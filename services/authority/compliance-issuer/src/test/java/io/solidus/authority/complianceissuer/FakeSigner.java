package io.solidus.authority.complianceissuer;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.Share;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A signer that signs with a real share or misbehaves in a chosen way. */
final class FakeSigner extends SignerServiceGrpc.SignerServiceImplBase implements AutoCloseable {

  /** The behaviour on a call. */
  enum Behaviour {
    SIGN,
    UNAVAILABLE,
    /** Answers after {@link #release}. */
    HOLD,
    /** Rejects the proof. */
    REJECT,
    ANOTHER_AUTHORITYS_POINT,
    ANOTHER_INDEX,
    TWO_POINTS,
    NO_OUTCOME
  }

  private final int index;
  private final int epoch;
  private final Share share;
  private final Share other;
  private final Server server;
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile Behaviour behaviour = Behaviour.SIGN;

  FakeSigner(int index, int epoch) throws IOException {
    this.index = index;
    this.epoch = epoch;
    this.share = TestCommittee.regulated().openShare(index);
    this.other = TestCommittee.regulated().openShare(index % TestCommittee.N + 1);
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(this)
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  void behave(Behaviour next) {
    behaviour = next;
  }

  /** Answers the held calls. */
  void release() {
    released.countDown();
  }

  int calls() {
    return calls.get();
  }

  @Override
  public void signRegistration(
      SignRegistrationRequest message, StreamObserver<SubmitReply> observer) {
    calls.incrementAndGet();
    if (behaviour == Behaviour.UNAVAILABLE) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    if (behaviour == Behaviour.HOLD) {
      awaitRelease();
    }
    observer.onNext(reply(Codecs.toDomain(message.getRequest())));
    observer.onCompleted();
  }

  private SubmitReply reply(RegisterRequest request) {
    G1Point point = sign(share, request.statement());
    return switch (behaviour) {
      case SIGN, UNAVAILABLE, HOLD ->
          Rejections.reply(new PartialSignature(index, epoch, List.of(point)));
      case REJECT ->
          Rejections.reply(
              new ProtocolException(RejectionCode.PROOF_INVALID, "the proof does not verify"));
      case ANOTHER_AUTHORITYS_POINT ->
          Rejections.reply(
              new PartialSignature(index, epoch, List.of(sign(other, request.statement()))));
      case ANOTHER_INDEX ->
          Rejections.reply(
              new PartialSignature(index % TestCommittee.N + 1, epoch, List.of(point)));
      case TWO_POINTS ->
          Rejections.reply(new PartialSignature(index, epoch, List.of(point, point)));
      case NO_OUTCOME -> SubmitReply.getDefaultInstance();
    };
  }

  private static G1Point sign(Share share, RegisterStatement statement) {
    return share.sign(TestCommittee.NETWORK, Outputs.of(TestCommittee.NETWORK, statement), 0);
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    release();
    server.shutdownNow();
    share.close();
    other.close();
  }
}
