package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void quantilesAreValuesThatWereMeasured() {
    Latencies hundred =
        new Latencies(LongStream.rangeClosed(1, 100).map(i -> (101 - i) * 1_000_000).toArray());
    assertThat(hundred.millis(0.5)).isEqualTo(50);
    assertThat(hundred.millis(0.99)).isEqualTo(99);
    assertThat(hundred.millis(1)).isEqualTo(100);
    assertThat(hundred.millis(0)).isEqualTo(1);
  }

  @Test
  void nothingMeasuredIsNoFigure() {
    assertThat(new Latencies(new long[0]).millis(0.99)).isNaN();
  }
}
