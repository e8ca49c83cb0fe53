package io.solidus.loadtest.bench;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.solidus.dev.processes.UnaryReply;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of the shards of one authority. It sends prepared bytes, so that the generator uses
 * little processor time.
 */
final class AuthorityClient implements AutoCloseable {

  private static final int CHANNELS_PER_SHARD = 2;
  private static final long DEADLINE_SECONDS = 20;
  private static final MethodDescriptor<ByteString, SubmitReply> SUBMIT =
      ValidatorServiceGrpc.getSubmitTransferMethod().toBuilder(
              new Bytes(), ValidatorServiceGrpc.getSubmitTransferMethod().getResponseMarshaller())
          .build();

  private final ShardMap map;
  private final List<List<ManagedChannel>> shards = new ArrayList<>();
  private int next;

  AuthorityClient(List<Integer> ports) {
    this.map = ShardMap.equal(ports.size());
    for (int port : ports) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < CHANNELS_PER_SHARD; i++) {
        channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
      }
      shards.add(channels);
    }
  }

  /** Sends a request; {@code done} gets the reply, or null and the status. For one thread only. */
  void submit(
      SerialNumber lead, ByteString request, BiConsumer<@Nullable SubmitReply, Status> done) {
    List<ManagedChannel> channels = shards.get(map.owner(lead));
    ManagedChannel channel = channels.get(next++ % channels.size());
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            SUBMIT, CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)),
        request,
        new UnaryReply<>(done));
  }

  @Override
  public void close() {
    shards.forEach(channels -> channels.forEach(ManagedChannel::shutdownNow));
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<ByteString> {
    @Override
    public InputStream stream(ByteString value) {
      return value.newInput();
    }

    @Override
    public ByteString parse(InputStream stream) {
      try {
        return ByteString.readFrom(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
