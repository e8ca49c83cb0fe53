package io.solidus.loadtest.bench;

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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one authority as a client sees them. Requests go out as bytes made beforehand, so
 * that the generator stays cheap.
 */
final class Target implements AutoCloseable {

  private static final int CHANNELS_PER_SHARD = 2;
  private static final long DEADLINE_SECONDS = 20;
  private static final MethodDescriptor<byte[], SubmitReply> SUBMIT =
      ValidatorServiceGrpc.getSubmitTransferMethod().toBuilder(
              new Bytes(), ValidatorServiceGrpc.getSubmitTransferMethod().getResponseMarshaller())
          .build();

  private final ShardMap map;
  private final List<List<ManagedChannel>> shards = new ArrayList<>();
  private int next;

  Target(List<Integer> ports) {
    this.map = ShardMap.equal(ports.size());
    for (int port : ports) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < CHANNELS_PER_SHARD; i++) {
        channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
      }
      shards.add(channels);
    }
  }

  /** Sends at once; {@code done} gets the reply, or null and the status. Called from one thread. */
  void submit(SerialNumber lead, byte[] request, BiConsumer<@Nullable SubmitReply, Status> done) {
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
}
