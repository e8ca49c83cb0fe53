package io.solidus.authority.shard;

import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** This authority's signer, with a deadline on each call. */
record SignerCalls(SignerServiceBlockingStub stub, Duration deadline) {

  SignerServiceBlockingStub call() {
    return stub.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }
}
