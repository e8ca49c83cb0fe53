package io.solidus.authority.common;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.function.Supplier;

/**
 * Measures work by kind and outcome code. Both labels have fixed sets of values and contain no data
 * of a request.
 */
public final class OutcomeTimer {

  private final MeterRegistry registry;
  private final String name;

  public OutcomeTimer(MeterRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
  }

  public <T> T timed(String kind, Supplier<T> work) {
    Timer.Sample sample = Timer.start(registry);
    String outcome = "ok";
    try {
      return work.get();
    } catch (RuntimeException e) {
      outcome = outcome(e);
      throw e;
    } finally {
      sample.stop(registry.timer(name, "kind", kind, "outcome", outcome));
    }
  }

  private static String outcome(RuntimeException e) {
    return GrpcReplies.rejection(e)
        .map(ProtocolException::code)
        .orElse(RejectionCode.INTERNAL)
        .code();
  }
}
