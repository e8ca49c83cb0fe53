package io.solidus.dev.testkit.world;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfer;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * A signer that signs every request deterministically and without checking proofs, and records
 * every signature. It allows tests of shards with thousands of requests.
 */
public final class FakeSigner implements AutoCloseable {

  private final NetworkId network;
  private static final SignOutcome FORGOTTEN = SignOutcome.newBuilder().setForgotten(true).build();

  private final Map<TxCore, SubmitReply> tap = new ConcurrentHashMap<>();
  private final Set<TxCore> known = ConcurrentHashMap.newKeySet();
  private final Queue<Integer> batches = new ConcurrentLinkedQueue<>();
  private final Semaphore checks = new Semaphore(1);
  private volatile boolean forgetful;
  private final Server server;

  public FakeSigner(NetworkId network) {
    this.network = network;
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(new Service())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** All signatures by core. */
  public Map<TxCore, SubmitReply> tap() {
    return tap;
  }

  /** The number of transfers of each check. */
  public Queue<Integer> batches() {
    return batches;
  }

  /** Whether to require the whole request for a signature, as a signer after a restart does. */
  public void forgetful(boolean yes) {
    forgetful = yes;
  }

  /** Makes checks wait until {@link #release}. */
  public void hold() {
    checks.acquireUninterruptibly();
  }

  public void release() {
    checks.release();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class Service extends SignerServiceGrpc.SignerServiceImplBase {

    @Override
    public void checkTransfers(
        CheckTransfersRequest request, StreamObserver<CheckTransfersReply> observer) {
      checks.acquireUninterruptibly();
      checks.release();
      CheckTransfersReply.Builder reply = CheckTransfersReply.newBuilder();
      for (var message : request.getRequestsList()) {
        TxCore core = Codecs.toDomain(message).statement().core(network);
        known.add(core);
        reply
            .getChecksBuilder()
            .addOutcomes(CheckOutcome.newBuilder().setCore(ByteString.copyFrom(core.bytes())));
      }
      batches.add(request.getRequestsCount());
      observer.onNext(reply.build());
      observer.onCompleted();
    }

    @Override
    public void signTransfers(
        SignTransfersRequest request, StreamObserver<SignTransfersReply> observer) {
      SignTransfersReply.Builder reply = SignTransfersReply.newBuilder();
      for (SignTransfer transfer : request.getTransfersList()) {
        TxCore core = TxCore.of(transfer.getCore().toByteArray());
        boolean remembered = known.contains(core) && !forgetful;
        reply
            .getSignaturesBuilder()
            .addOutcomes(remembered || transfer.hasRequest() ? signed(core) : FORGOTTEN);
      }
      observer.onNext(reply.build());
      observer.onCompleted();
    }

    private SignOutcome signed(TxCore core) {
      G1Point point = point(core);
      PartialSignature partial =
          new PartialSignature(1, 1, List.of(point, point), new Vote(new byte[Vote.BYTES]));
      var message = Codecs.toWire(partial);
      tap.put(core, SubmitReply.newBuilder().setSigned(message).build());
      return SignOutcome.newBuilder().setSigned(message).build();
    }
  }

  /** A point with canonical coordinates that is not on the curve. */
  private static G1Point point(TxCore core) {
    byte[] bytes = new byte[96];
    System.arraycopy(Digest32.sha256(core.bytes()).bytes(), 0, bytes, 16, 32);
    bytes[95] = 1;
    return new G1Point(bytes);
  }
}
