package io.solidus.loadtest.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.loadtest.driver.LoadPlan;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private final LoadPlan plan = LoadPlan.of("smoke", 1, 10);
  private final Measurements measured = new Measurements();

  private void answers(int millis) {
    for (String route : plan.limits().routes().keySet()) {
      for (int i = 0; i < 100; i++) {
        measured.answered("steady", route, millis);
      }
    }
  }

  private List<?> broken() {
    return (List<?>)
        Objects.requireNonNull(new Summary(plan, measured).figures().get("failedLimits"));
  }

  @Test
  void metLimitsAreNotReported() {
    answers(10);
    measured.paid("steady", 10);
    measured.refused("another phase", "overloaded");
    assertThat(broken()).isEmpty();
    assertThat(new Summary(plan, measured).figures()).containsEntry("ok", true);
  }

  @Test
  void everyBrokenLimitIsNamed() {
    answers(10);
    measured.answered("steady", "state", 60_000);
    measured.answered("steady", "state", 60_000);
    measured.paid("steady", 10);
    measured.notPaid("steady");
    measured.refused("steady", "internal");
    measured.refused("steady", "overloaded");
    measured.notSupplied();
    assertThat(broken().toString())
        .contains(
            "1 of 2 payments failed",
            "p99 of state is 60000 ms",
            "1 refused: internal",
            "1 refusals with overloaded",
            "pool of transfers was used up")
        .doesNotContain("p95", "submit");
    assertThat(new Summary(plan, measured).figures()).containsEntry("ok", false);
  }

  /** A run without answers has not met its limits. */
  @Test
  void aRunWithoutAnswersBreaksItsLimits() {
    assertThat(broken().toString())
        .contains("no answer of submit", "no answer of state", "no answer of certificate");
  }

  @Test
  void percentilesAreMeasuredValues() {
    Histogram latencies = Measurements.histogram();
    for (int i = 1000; i >= 1; i--) {
      latencies.recordValue(i);
    }
    assertThat(Summary.millis(latencies, 50)).isEqualTo(500);
    assertThat(Summary.millis(latencies, 99)).isEqualTo(990);
    assertThat(Summary.figures(latencies))
        .containsEntry("count", 1000)
        .containsEntry("maxMillis", 1000)
        .containsEntry("avgMillis", 500.5);
    assertThat(Summary.figures(Measurements.histogram()))
        .containsEntry("count", 0)
        .containsEntry("avgMillis", 0.0)
        .containsEntry("p99Millis", 0)
        .containsEntry("maxMillis", 0);
  }
}
