package io.solidus.dev.sandbox.demo;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.concurrent.TimeUnit;

/** Reads the public status of validators. */
final class ValidatorProbe {
  private static final long LIMIT_SECONDS = 5;

  private final SandboxOptions options;

  ValidatorProbe(SandboxOptions options) {
    this.options = options;
  }

  /** The number of requests that an authority has signed, over all its shards. */
  long signedCount(int authority) {
    long sum = 0;
    for (int shard = 0; shard < options.shards(); shard++) {
      sum += status(authority, shard).getSignedCount();
    }
    return sum;
  }

  /** Whether every shard of every authority has at least these versions and accepts requests. */
  boolean allHave(long policyVersion, long checkpointVersion) {
    for (int authority = 1; authority <= options.authorities(); authority++) {
      for (int shard = 0; shard < options.shards(); shard++) {
        GetStatusReply status = status(authority, shard);
        if (!status.getAccepting()
            || status.getPolicyVersion() < policyVersion
            || status.getCheckpointVersion() < checkpointVersion) {
          return false;
        }
      }
    }
    return true;
  }

  private GetStatusReply status(int authority, int shard) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", options.ports().shard(authority, shard))
            .usePlaintext()
            .build();
    try {
      return ValidatorServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS)
          .getStatus(GetStatusRequest.getDefaultInstance());
    } finally {
      channel.shutdownNow();
    }
  }
}
