package io.solidus.authority.complianceissuer.issuing;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.wire.v1.SubmitReply;
import java.util.function.Supplier;

/**
 * Times registrations by outcome: "signed" or the code of the rejection. No label identifies a
 * registration.
 */
final class IssuingMetrics {
  private static final String NAME = "solidus.compliance-issuer.registrations.seconds";

  private final MeterRegistry registry;

  IssuingMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  SubmitReply counted(String way, Supplier<SubmitReply> work) {
    Timer.Sample sample = Timer.start(registry);
    String outcome = "failed";
    try {
      SubmitReply reply = work.get();
      outcome = reply.hasSigned() ? "signed" : reply.getRejected().getCode();
      return reply;
    } finally {
      sample.stop(Timer.builder(NAME).tag("way", way).tag("outcome", outcome).register(registry));
    }
  }
}
