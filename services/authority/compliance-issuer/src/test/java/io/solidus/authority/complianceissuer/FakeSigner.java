package io.solidus.authority.complianceissuer;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.prover.Share;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A signer that signs with a real share, or misbehaves as told. */
final class FakeSigner extends SignerServiceGrpc.SignerServiceImplBase implements AutoCloseable {

  /** What it does with a call. */
  enum Mood {
    SIGN,
    AWAY,
    SLOW,
    ANOTHER_AUTHORITYS_POINT,
    ANOTHER_INDEX,
    TWO_POINTS,
    NO_OUTCOME
  }

  private static final long SLOW_MILLIS = 2000;

  private final int index;
  private final int epoch;
  private final Share share;
  private final Share other;
  private final Server server;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Mood mood = Mood.SIGN;
  private volatile @Nullable ProtocolException refusal;

  FakeSigner(int index, int epoch) throws IOException {
    this.index = index;
    this.epoch = epoch;
    this.share = TestKeys.share(index);
    this.other = TestKeys.share(index % 4 + 1);
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(this)
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  void mood(Mood next) {
    mood = next;
  }

  void refuse(@Nullable ProtocolException next) {
    refusal = next;
  }

  int calls() {
    return calls.get();
  }

  @Override
  public void signRegistration(
      SignRegistrationRequest message, StreamObserver<SubmitReply> observer) {
    calls.incrementAndGet();
    ProtocolException no = refusal;
    if (mood == Mood.AWAY) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    if (mood == Mood.SLOW) {
      pause();
    }
    observer.onNext(
        no == null ? reply(Codecs.toDomain(message.getRequest())) : Rejections.reply(no));
    observer.onCompleted();
  }

  private SubmitReply reply(RegisterRequest request) {
    G1Point point = sign(share, request.statement());
    return switch (mood) {
      case SIGN, AWAY, SLOW -> Rejections.reply(new PartialSignature(index, epoch, List.of(point)));
      case ANOTHER_AUTHORITYS_POINT ->
          Rejections.reply(
              new PartialSignature(index, epoch, List.of(sign(other, request.statement()))));
      case ANOTHER_INDEX ->
          Rejections.reply(new PartialSignature(index % 4 + 1, epoch, List.of(point)));
      case TWO_POINTS ->
          Rejections.reply(new PartialSignature(index, epoch, List.of(point, point)));
      case NO_OUTCOME -> SubmitReply.getDefaultInstance();
    };
  }

  private static G1Point sign(Share share, RegisterStatement statement) {
    return share.sign(TestKeys.NETWORK, statement.coin(), statement.inputDigest(TestKeys.NETWORK));
  }

  private static void pause() {
    try {
      Thread.sleep(SLOW_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    share.close();
    other.close();
  }
}
