package io.solidus.loadtest.byzantine;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.Share;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An authority behind a real port: correct, or with an attack of its operator. Answers are raw
 * bytes, so that they need not be messages.
 */
final class AuthorityServer implements AutoCloseable {
  final HonestAuthority honest;
  private final FaultyAnswers faulty;
  private final Server server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final FaultyConnection wire;
  private volatile @Nullable Attack attack;

  /** Changes correct answers to look-ups. */
  volatile UnaryOperator<LookUpSerialsReply> lookUps = UnaryOperator.identity();

  volatile UnaryOperator<GetStatusReply> statuses = UnaryOperator.identity();

  AuthorityServer(ForgedNetwork network, int index, Share stranger, Random random) {
    honest = new HonestAuthority(network, index);
    faulty = new FaultyAnswers(network, honest, stranger, random);
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .executor(threads)
              .addService(service())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    wire = new FaultyConnection(server.getPort());
  }

  String address() {
    return wire.address();
  }

  /** Sets the attack from now on; null makes the authority correct. */
  void attack(@Nullable Attack next) {
    attack = next;
    wire.be(
        next == Attack.DRIPS
            ? FaultyConnection.Mode.DRIP
            : next == Attack.CUTS ? FaultyConnection.Mode.CUT : FaultyConnection.Mode.PASS);
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(ValidatorServiceGrpc.SERVICE_NAME)
        .addMethod(
            raw(ValidatorServiceGrpc.getSubmitTransferMethod()),
            ServerCalls.asyncUnaryCall(this::submit))
        .addMethod(
            raw(ValidatorServiceGrpc.getLookUpSerialsMethod()),
            ServerCalls.asyncUnaryCall(this::lookUp))
        .addMethod(
            raw(ValidatorServiceGrpc.getGetStatusMethod()),
            ServerCalls.asyncUnaryCall(this::status))
        .build();
  }

  private void submit(io.solidus.wire.v1.TransferRequest message, StreamObserver<byte[]> out) {
    TransferRequest request = Codecs.toDomain(message);
    Attack now = attack;
    switch (now) {
      case null -> send(out, honest.submit(request).toByteArray());
      case WITHHOLDS -> {
        // no answer: the caller's deadline ends the call
      }
      case FAILS -> out.onError(Status.INTERNAL.withDescription("as told").asRuntimeException());
      default -> send(out, faulty.bytes(now, request));
    }
  }

  private void lookUp(LookUpSerialsRequest question, StreamObserver<byte[]> out) {
    if (attack != Attack.WITHHOLDS) {
      // a liar signs its lies
      LookUpSerialsReply said = lookUps.apply(honest.lookUp(question));
      send(out, honest.signed(question, said).toByteArray());
    }
  }

  private void status(GetStatusRequest question, StreamObserver<byte[]> out) {
    if (attack != Attack.WITHHOLDS) {
      send(out, statuses.apply(honest.status()).toByteArray());
    }
  }

  private static void send(StreamObserver<byte[]> out, byte[] answer) {
    out.onNext(answer);
    out.onCompleted();
  }

  private static <Q, A> MethodDescriptor<Q, byte[]> raw(MethodDescriptor<Q, A> method) {
    return method.toBuilder(method.getRequestMarshaller(), new Bytes()).build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    wire.close();
    server.shutdownNow();
    threads.close();
    faulty.close();
    honest.close();
  }
}
