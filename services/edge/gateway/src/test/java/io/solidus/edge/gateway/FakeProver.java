package io.solidus.edge.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.wire.v1.GetProverKeyReply;
import io.solidus.wire.v1.GetProverKeyRequest;
import io.solidus.wire.v1.ProveReply;
import io.solidus.wire.v1.ProveRequest;
import io.solidus.wire.v1.ProverServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A prover that answers with the received witness, or with an error status. */
final class FakeProver extends ProverServiceGrpc.ProverServiceImplBase implements AutoCloseable {
  static final byte[] KEY = new byte[32];
  volatile @Nullable Status failure;

  /** How many proofs were asked for. */
  final AtomicInteger requests = new AtomicInteger();

  /** Requests wait for it. */
  volatile @Nullable CountDownLatch held;

  private final Server server;

  FakeProver() {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(this)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void getProverKey(GetProverKeyRequest request, StreamObserver<GetProverKeyReply> out) {
    out.onNext(
        GetProverKeyReply.newBuilder()
            .setPublicKey(ByteString.copyFrom(KEY))
            .setCircuitVersion(1)
            .build());
    out.onCompleted();
  }

  @Override
  public void prove(ProveRequest request, StreamObserver<ProveReply> out) {
    requests.incrementAndGet();
    CountDownLatch wait = held;
    if (wait != null) {
      await(wait);
    }
    Status status = failure;
    if (status != null) {
      out.onError(status.asRuntimeException());
      return;
    }
    out.onNext(ProveReply.newBuilder().setSealedProof(request.getSealedWitness()).build());
    out.onCompleted();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
