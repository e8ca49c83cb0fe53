package io.solidus.authority.shard;

import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The gRPC stub of this authority's signer, with a deadline for each call. */
record SignerStub(SignerServiceBlockingStub stub, Duration deadline) {

  SignerServiceBlockingStub call() {
    return stub.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }
}
