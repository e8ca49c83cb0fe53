package io.solidus.operator.registration.evidence;

import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.NativeException;
import io.solidus.prover.NativeExecutor;
import io.solidus.prover.NativeRejections;
import io.solidus.prover.Verifier;
import java.time.Duration;

/** Verifies the proof pi_register and the signature under rk with the native library. */
public final class NativeRegistrationCheck implements RegistrationCheck, AutoCloseable {
  private static final int QUEUE_PER_THREAD = 32;

  private final Verifier verifier;
  private final Duration deadline;
  private final NativeExecutor executor;

  public NativeRegistrationCheck(Verifier verifier, int threads, Duration deadline) {
    this.verifier = verifier;
    this.deadline = deadline;
    this.executor = new NativeExecutor("registration-check", threads, threads * QUEUE_PER_THREAD);
  }

  @Override
  public void require(RegisterRequest request) {
    try {
      NativeRejections.requireOk(executor.run(deadline, () -> verifier.verifyRegister(request)));
    } catch (NativeException e) {
      throw NativeRejections.of(e);
    }
  }

  @Override
  public void close() {
    executor.close();
    verifier.close();
  }
}
