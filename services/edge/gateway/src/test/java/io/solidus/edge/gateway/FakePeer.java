package io.solidus.edge.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.Digest32;
import io.solidus.wire.v1.MailExchangeServiceGrpc;
import io.solidus.wire.v1.PostedMessage;
import io.solidus.wire.v1.PullReply;
import io.solidus.wire.v1.PullRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Another gateway of the network behind a real gRPC port. It is honest until it is told to lie. */
final class FakePeer extends MailExchangeServiceGrpc.MailExchangeServiceImplBase
    implements AutoCloseable {
  /** Its mailbox; the first message has the number 1. */
  final List<PostedMessage> messages = new CopyOnWriteArrayList<>();

  final List<PullRequest> calls = new CopyOnWriteArrayList<>();

  /** Changes answers; the honest one is the second argument. */
  volatile BiFunction<PullRequest, PullReply, PullReply> lie = (request, honest) -> honest;

  private final int port;
  private @Nullable Server server;

  FakePeer(int port) {
    this.port = port;
    start();
  }

  static PostedMessage message(long sequence, int bucket, byte[] blob) {
    return PostedMessage.newBuilder()
        .setSequence(sequence)
        .setBucket(bucket)
        .setBlob(ByteString.copyFrom(blob))
        .build();
  }

  void post(int bucket, byte[] blob) {
    messages.add(message(messages.size() + 1, bucket, blob));
  }

  /** The greatest number from which was asked; 0 before the first. */
  long place() {
    return calls.stream().mapToLong(PullRequest::getAfter).max().orElse(0);
  }

  @Override
  public void pull(PullRequest request, StreamObserver<PullReply> observer) {
    calls.add(request);
    observer.onNext(lie.apply(request, honest(request)));
    observer.onCompleted();
  }

  private PullReply honest(PullRequest request) {
    List<PostedMessage> all = List.copyOf(messages);
    int from = (int) Math.min(request.getAfter(), all.size());
    int to = Math.min(all.size(), from + request.getLimit());
    PullReply.Builder page =
        PullReply.newBuilder().setNext(request.getAfter()).addAllMessages(all.subList(from, to));
    digest(all, request.getAfter()).ifPresent(page::setAt);
    if (to > from) {
      page.setNext(to);
      digest(all, to).ifPresent(page::setDigest);
    }
    return page.build();
  }

  private static Optional<ByteString> digest(List<PostedMessage> all, long number) {
    return number < 1 || number > all.size()
        ? Optional.empty()
        : Optional.of(
            ByteString.copyFrom(
                Digest32.sha256(all.get((int) number - 1).getBlob().toByteArray()).bytes()));
  }

  void start() {
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .addService(this)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.shutdownNow();
    }
  }
}
