package io.solidus.authority.complianceissuer;

import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.prover.Share;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A signer that asks for the internal token and signs with a real share or misbehaves in a chosen
 * way.
 */
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
    ANOTHER_AUTHORITYS_VOTE,
    TWO_POINTS,
    NO_OUTCOME
  }

  private final TestCommittee committee = TestCommittee.regulated();
  private final int index;
  private final int otherIndex;
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
    this.otherIndex = index % TestCommittee.N + 1;
    this.share = committee.openShare(index);
    this.other = committee.openShare(otherIndex);
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerInterceptors.intercept(
                    this,
                    InternalCalls.require(
                        InternalToken.derive(committee.noteKeySeed(index)),
                        Set.of(SignerServiceGrpc.getSignRegistrationMethod().getFullMethodName()))))
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
      case SIGN, UNAVAILABLE, HOLD -> voted(request, point);
      case REJECT ->
          Rejections.reply(
              new ProtocolException(RejectionCode.PROOF_INVALID, "the proof does not verify"));
      case ANOTHER_AUTHORITYS_POINT -> voted(request, sign(other, request.statement()));
      case ANOTHER_INDEX ->
          Rejections.reply(Answer.of(committee.voted(otherIndex, core(request), List.of(point))));
      case ANOTHER_AUTHORITYS_VOTE ->
          Rejections.reply(
              answer(
                  index,
                  epoch,
                  List.of(point),
                  committee.voted(otherIndex, core(request), List.of(point)).vote()));
      case TWO_POINTS -> voted(request, point, point);
      case NO_OUTCOME -> SubmitReply.getDefaultInstance();
    };
  }

  /** An answer in the signer's epoch, with its vote. */
  private SubmitReply voted(RegisterRequest request, G1Point... points) {
    try (Ed25519PrivateKey noteKey = committee.noteKey(index)) {
      return Rejections.reply(
          Answer.of(PartialSignature.voted(index, epoch, core(request), List.of(points), noteKey)));
    }
  }

  private static Answer answer(int authority, int epoch, List<G1Point> points, Vote vote) {
    return Answer.of(new PartialSignature(authority, epoch, points, vote));
  }

  private static TxCore core(RegisterRequest request) {
    return request.statement().core(TestCommittee.NETWORK);
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
