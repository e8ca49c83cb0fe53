package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {

  private static final double LIMIT = 500;

  @ParameterizedTest
  @ValueSource(doubles = {3, 60, 100, 217, 1800})
  void findsTheHighestRateThatHoldsWhereverItStarts(double capacity) {
    List<RateStep> steps =
        new RateSearch(100, 1.3, 0.04, LIMIT)
            .run(rate -> step(rate, rate <= capacity ? 40 : 900, 1));
    double best =
        steps.stream().filter(s -> s.holds(LIMIT)).mapToDouble(RateStep::offered).max().orElse(0);
    assertThat(best).isLessThanOrEqualTo(capacity).isGreaterThan(capacity * 0.95 - 1);
    assertThat(steps).extracting(RateStep::offered).isSorted();
  }

  @Test
  void theSearchEndsIfNoRateHolds() {
    assertThat(new RateSearch(100, 1.3, 0.04, LIMIT).run(rate -> step(rate, 900, 1)))
        .noneMatch(s -> s.holds(LIMIT));
  }

  @Test
  void fastRefusalsDoNotCountAsThroughput() {
    assertThat(step(100, 10, 0.9).holds(LIMIT)).isFalse();
  }

  private static RateStep step(double rate, long millis, double signedShare) {
    int sent = 1000;
    Histogram latencies = RateStep.histogram();
    latencies.recordValue(millis * 1000);
    return new RateStep(
        rate, sent / rate, sent, (int) (signedShare * sent), Map.of(), latencies, 0);
  }
}
