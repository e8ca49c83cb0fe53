package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RateStepTest {

  @Test
  void quantilesAreMeasuredValues() {
    RateStep hundred = step(LongStream.rangeClosed(1, 100).map(i -> (101 - i) * 1000));
    assertThat(hundred.millis(0.5)).isEqualTo(50);
    assertThat(hundred.millis(0.99)).isEqualTo(99);
    assertThat(hundred.millis(1)).isEqualTo(100);
    assertThat(hundred.millis(0)).isEqualTo(1);
  }

  @Test
  void aStepWithoutAnswersHasNoLatency() {
    assertThat(step(LongStream.empty()).millis(0.99)).isNaN();
  }

  private static RateStep step(LongStream micros) {
    Histogram latencies = RateStep.histogram();
    micros.forEach(latencies::recordValue);
    return new RateStep(100, 1, 100, 100, Map.of(), latencies, 0);
  }
}
