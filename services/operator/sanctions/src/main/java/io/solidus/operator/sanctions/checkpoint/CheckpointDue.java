package io.solidus.operator.sanctions.checkpoint;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.approval.Proposals;
import io.solidus.platform.time.RepeatedJob;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/**
 * Publishes approved listings and delistings a while after their approval, when nobody has done it
 * before. Two persons decided on each of them; that nobody publishes must not let them wait.
 */
@Component
public class CheckpointDue {
  private static final String ACTOR = Proposals.SYSTEM + "checkpoint";

  private final Checkpoints checkpoints;
  private final Duration publishAfter;
  private final Clock clock;
  private volatile @Nullable Instant unpublishedSince;

  CheckpointDue(
      Checkpoints checkpoints, SanctionsProperties properties, Clock clock, MeterRegistry metrics) {
    this.checkpoints = checkpoints;
    this.publishAfter = properties.publishAfter();
    this.clock = clock;
    Gauge.builder("solidus.sanctions.listing.unpublished", this, CheckpointDue::unpublishedSeconds)
        .baseUnit("seconds")
        .register(metrics);
  }

  /** How long the oldest approved change has not been published; 0 when there is none. */
  private double unpublishedSeconds() {
    Instant since = unpublishedSince;
    return since == null ? 0 : Math.max(0, Duration.between(since, clock.instant()).toSeconds());
  }

  /** Measures, and publishes what has waited too long. */
  public void run() {
    Instant oldest = checkpoints.differsSince().orElse(null);
    unpublishedSince = oldest;
    if (oldest != null && !oldest.plus(publishAfter).isAfter(clock.instant())) {
      checkpoints.publish(ACTOR);
      unpublishedSince = null;
    }
  }

  /** Runs it. */
  @Configuration(proxyBeanMethods = false)
  static class Job {
    private static final Duration PAUSE = Duration.ofSeconds(10);

    @Bean
    RepeatedJob checkpointDueJob(CheckpointDue due) {
      return new RepeatedJob("checkpoint-due", PAUSE, due::run);
    }
  }
}
