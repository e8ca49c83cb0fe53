package io.solidus.edge.gateway.committee;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.edge.gateway.committee.MisbehaviourReporter.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MisbehaviourReporterTest {
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // the clock may wrap
  private final MisbehaviourReporter reporter = new MisbehaviourReporter(metrics, 4, nanos::get);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(MisbehaviourReporter.class);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  @Test
  void countsEveryFaultAndLimitsTheLog() {
    for (int i = 0; i < 1000; i++) {
      reporter.report(3, Fault.WRONG_SIGNATURE);
    }
    assertThat(
            metrics
                .counter("solidus.gateway.culprits", "authority", "3", "reason", "wrong-signature")
                .count())
        .isEqualTo(1000);
    assertThat(lines())
        .containsExactly(
            "authority 3 is provably wrong: wrong-signature, 1 times since the last such line");
    nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    reporter.report(3, Fault.WRONG_SIGNATURE);
    assertThat(lines())
        .hasSize(2)
        .last()
        .isEqualTo(
            "authority 3 is provably wrong: wrong-signature, 1000 times since the last such line");
  }

  @Test
  void logsEachFaultOfEachAuthority() {
    reporter.report(1, Fault.WRONG_SIGNATURE);
    reporter.report(1, Fault.EMPTY_REPLY);
    reporter.report(2, Fault.WRONG_SIGNATURE);
    assertThat(lines()).hasSize(3);
  }

  private List<String> lines() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
