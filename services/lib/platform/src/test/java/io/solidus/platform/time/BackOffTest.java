package io.solidus.platform.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackOffTest {

  @Test
  void doublesUpToItsLimitAndRestarts() {
    BackOff pauses = new BackOff(Duration.ofMillis(100), Duration.ofMillis(500));
    assertThat(LongStream.range(0, 5).map(i -> pauses.next().toMillis()))
        .containsExactly(100L, 200L, 400L, 500L, 500L);
    pauses.reset();
    assertThat(pauses.next()).isEqualTo(Duration.ofMillis(100));
  }
}
