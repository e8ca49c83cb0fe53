package io.solidus.operator.sanctions.policy;

import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs the turn of the month. */
@Configuration(proxyBeanMethods = false)
class MonthTurnConfiguration {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  @Bean
  RepeatedJob monthTurnJob(MonthTurn monthTurn) {
    return new RepeatedJob("month-turn", PAUSE, monthTurn::run);
  }
}
