package io.solidus.edge.gateway.load;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Measures submissions of wallets from decoding to the certificate or the refusal. The service
 * level objectives of payments are computed from it. Label values come from fixed sets and never
 * from a request.
 */
@Component
public class SubmissionTimer {
  public enum Kind {
    TRANSFER("transfer"),
    MINT("mint"),
    REGISTRATION("registration"),
    RECOVER("recover");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** Histogram buckets of the latency objectives. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5)
  };

  private final MeterRegistry metrics;

  SubmissionTimer(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  /** Histogram buckets of the latency objectives; the caller must not change them. */
  public static Duration[] buckets() {
    return BUCKETS.clone();
  }

  /** Runs the work and records how long it took and how it ended. */
  public <T> T timed(Kind kind, Supplier<T> work) {
    Timer.Sample time = Timer.start(metrics);
    String outcome = RejectionCode.INTERNAL.code();
    try {
      T answer = work.get();
      outcome = "ok";
      return answer;
    } catch (ProtocolException refusal) {
      outcome = refusal.code().code();
      throw refusal;
    } finally {
      time.stop(timer(kind, outcome));
    }
  }

  private Timer timer(Kind kind, String outcome) {
    return Timer.builder("solidus.gateway.submission.duration")
        .description("what wallets submit, by kind and outcome: ok or the refusal's code")
        .tags("kind", kind.label, "outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(metrics);
  }
}
