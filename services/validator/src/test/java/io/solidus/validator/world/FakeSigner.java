package io.solidus.validator.world;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckReply;
import io.solidus.wire.v1.CheckTransferRequest;
import io.solidus.wire.v1.Checked;
import io.solidus.wire.v1.SignTransferRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Signs whatever it is asked, deterministically and without proofs, and remembers every signature that left: so that shards
 * can be tested with thousands of requests.
 */
public final class FakeSigner implements AutoCloseable {

  private final NetworkId network;
  private final Map<TxCore, SubmitReply> tap = new ConcurrentHashMap<>();
  private final Server server;

  public FakeSigner(NetworkId network) {
    this.network = network;
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)).addService(new Service()).build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** Every signature that ever left, by its core. */
  public Map<TxCore, SubmitReply> tap() {
    return tap;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class Service extends SignerServiceGrpc.SignerServiceImplBase {

    @Override
    public void checkTransfer(CheckTransferRequest request, StreamObserver<CheckReply> observer) {
      observer.onNext(CheckReply.newBuilder().setChecked(Checked.getDefaultInstance()).build());
      observer.onCompleted();
    }

    @Override
    public void signTransfer(SignTransferRequest request, StreamObserver<SubmitReply> observer) {
      TransferRequest transfer = Codecs.toDomain(request.getRequest());
      TxCore core = transfer.statement().core(network);
      G1Point point = point(core);
      PartialSignature partial = new PartialSignature(1, 1, List.of(point, point));
      SubmitReply reply = SubmitReply.newBuilder().setSigned(Codecs.toWire(partial)).build();
      tap.put(core, reply);
      observer.onNext(reply);
      observer.onCompleted();
    }
  }

  /** Canonical coordinates, on no curve. */
  private static G1Point point(TxCore core) {
    byte[] bytes = new byte[96];
    byte[] x = FieldElement.of(new BigInteger(1, Digest32.sha256(core.bytes()).bytes())).bytes();
    System.arraycopy(x, 0, bytes, 0, 48);
    bytes[95] = 1;
    return new G1Point(bytes);
  }
}
