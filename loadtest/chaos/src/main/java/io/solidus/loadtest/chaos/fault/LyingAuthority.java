package io.solidus.loadtest.chaos.fault;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Link;
import io.solidus.dev.processes.UnaryReply;
import io.solidus.loadtest.chaos.load.Lies;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.TransferRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An authority that lies: a server in front of each shard spoils the answers on their way, or
 * refuses everything.
 */
final class LyingAuthority implements Fault {

  private static final long CALL_SECONDS = 6;

  private final AuthorityProcesses authority;
  private final int shards;
  private final boolean refuses;
  private final Lies lies;
  private final List<Liar> liars = new ArrayList<>();

  LyingAuthority(AuthorityProcesses authority, int shards, boolean refuses, Lies lies) {
    this.authority = authority;
    this.shards = shards;
    this.refuses = refuses;
    this.lies = lies;
  }

  @Override
  public void strike() {
    for (int shard = 0; shard < shards; shard++) {
      liars.add(new Liar(authority.link(shard)));
    }
  }

  @Override
  public void heal() {
    liars.forEach(Liar::end);
  }

  private final class Liar extends ValidatorServiceGrpc.ValidatorServiceImplBase {
    private final Link link;
    private final Server server;
    private final ManagedChannel shard;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicReference<PartialSignature> earlier =
        new AtomicReference<>(PartialSignature.getDefaultInstance());

    Liar(Link link) {
      this.link = link;
      this.shard = NettyChannelBuilder.forAddress("127.0.0.1", link.home()).usePlaintext().build();
      try {
        this.server =
            NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .build()
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      link.detour(server.getPort());
    }

    void end() {
      link.direct();
      server.shutdownNow();
      shard.shutdownNow();
    }

    @Override
    public void submitTransfer(TransferRequest request, StreamObserver<SubmitReply> client) {
      if (refuses) {
        client.onNext(lies.refusal());
        client.onCompleted();
        return;
      }
      ValidatorServiceGrpc.newStub(shard)
          .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
          .submitTransfer(
              request,
              new UnaryReply<>((reply, failure) -> {
                if (reply == null) {
                  client.onError(failure.asRuntimeException());
                } else {
                  client.onNext(
                      reply.hasSigned() ? lies.signature(spoilt(reply.getSigned())) : reply);
                  client.onCompleted();
                }
              }));
    }

    /** One kind of wrong answer after the other. */
    private PartialSignature spoilt(PartialSignature honest) {
      PartialSignature before = earlier.getAndSet(honest);
      PartialSignature.Builder wrong = honest.toBuilder().clearFormer();
      return switch (answers.getAndIncrement() % 4) {
        case 0 -> wrong.setPoints(0, honest.getPoints(1)).setPoints(1, honest.getPoints(0)).build();
        case 1 -> wrong.setVote(junk(honest.getVote())).build();
        case 2 -> wrong.setAuthority(honest.getAuthority() % 4 + 1).build();
        // of another core; of the same one it would be no lie
        default ->
            before.getPointsCount() == 0 || before.equals(honest)
                ? wrong.setVote(junk(honest.getVote())).build()
                : before;
      };
    }

    private static ByteString junk(ByteString vote) {
      byte[] bytes = vote.toByteArray();
      bytes[bytes.length - 1] ^= 1;
      return ByteString.copyFrom(bytes);
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> client) {
      ValidatorServiceGrpc.newStub(shard)
          .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
          .getStatus(
              request,
              new UnaryReply<>((reply, failure) -> {
                if (reply == null) {
                  client.onError(failure.asRuntimeException());
                } else {
                  client.onNext(reply);
                  client.onCompleted();
                }
              }));
    }
  }
}
