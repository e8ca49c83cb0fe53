package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FloodTest {
  private static final Flood FLOOD = flood("not-found");

  @Test
  void countsOnlyTheAnswersThatSuchRequestsGet() {
    assertThat(FLOOD.reached(step(0, Map.of("not-found", 960), 0))).isTrue();
    assertThat(FLOOD.reached(step(0, Map.of("not-found", 500, "overloaded", 460), 0))).isTrue();
    assertThat(FLOOD.reached(step(0, Map.of("malformed-request", 1000), 0))).isFalse();
    assertThat(FLOOD.reached(step(0, Map.of("no answer", 1000), 0))).isFalse();
    assertThat(FLOOD.reached(step(1000, Map.of(), 0))).isFalse();
    Flood served = flood(Flood.SERVED);
    assertThat(served.reached(step(1000, Map.of(), 0))).isTrue();
  }

  @Test
  void countsNoRequestsThatCameTooLate() {
    assertThat(FLOOD.reached(step(0, Map.of("not-found", 1000), 300))).isTrue();
    assertThat(FLOOD.reached(step(0, Map.of("not-found", 1000), 3_000))).isFalse();
  }

  @Test
  void connectionsCountWhenAllWereThere() {
    Flood restless =
        new Flood("any", Double.NaN, 1000, seconds -> () -> step(0, Map.of(), 0), Set.of());
    assertThat(restless.reached(step(0, Map.of("overloaded", 900), 0))).isTrue();
    assertThat(restless.reached(step(0, Map.of(ConnectionFlood.NOT_CONNECTED, 1), 0))).isFalse();
    Flood more =
        new Flood("any", Double.NaN, 1001, seconds -> () -> step(0, Map.of(), 0), Set.of());
    assertThat(more.reached(step(0, Map.of(), 0))).isFalse();
  }

  @Test
  void aRatioComesWithItsRange() {
    double[] payments = IntStream.rangeClosed(1, 300).mapToDouble(i -> i).toArray();
    double[] same = FloodMeasurement.rangeOfRatio(payments, payments);
    assertThat(same[0]).isLessThan(1);
    assertThat(same[1]).isGreaterThan(1).isLessThan(1.1);
    double[] slower = DoubleStream.of(payments).map(each -> 2 * each).toArray();
    assertThat(FloodMeasurement.rangeOfRatio(slower, payments)[0]).isBetween(1.8, 2.0);
    assertThat(FloodMeasurement.rangeOfRatio(new double[0], payments)).containsOnly(Double.NaN);
  }

  private static Flood flood(String answer) {
    return new Flood(
        "any",
        100,
        0,
        seconds -> {
          throw new IllegalStateException("not sent here");
        },
        Set.of(answer));
  }

  private static RateStep step(int served, Map<String, Integer> refused, double lateMillis) {
    return new RateStep(100, 10, 1000, served, refused, RateStep.histogram(), lateMillis);
  }
}
