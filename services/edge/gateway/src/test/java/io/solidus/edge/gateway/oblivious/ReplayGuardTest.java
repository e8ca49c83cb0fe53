package io.solidus.edge.gateway.oblivious;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ReplayGuardTest {
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final ReplayGuard guard = new ReplayGuard(new Hands(), 2);

  @Test
  void aTimeCountsForFiveMinutesAfterAndOneBeforeIt() {
    for (int seconds : new int[] {-300, 0, 60}) {
      assertThat(guard.isCurrent(now.plusSeconds(seconds))).isTrue();
    }
    for (int seconds : new int[] {-301, 61}) {
      assertThat(guard.isCurrent(now.plusSeconds(seconds))).isFalse();
    }
  }

  /** A request of the near future counts longest, so it is remembered longest. */
  @Test
  void aRequestIsRememberedAsLongAsItsTimeCounts() {
    Instant made = now.plusSeconds(60);
    assertThat(guard.isFirst(request(1), made)).isTrue();
    for (int minute = 0; minute <= 6; minute++) {
      assertThat(guard.isCurrent(made)).isTrue();
      assertThat(guard.isFirst(request(1), made)).isFalse();
      now = now.plus(Duration.ofMinutes(1));
    }
    assertThat(guard.isCurrent(made)).isFalse();
  }

  @Test
  void moreThanFitAreRefusedUntilOldOnesCountNoMore() {
    guard.isFirst(request(1), now);
    guard.isFirst(request(2), now);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> guard.isFirst(request(3), now))
        .matches(refusal -> refusal.code() == RejectionCode.OVERLOADED);
    now = now.plusSeconds(301);
    assertThat(guard.isFirst(request(3), now)).isTrue();
  }

  private static Digest32 request(int number) {
    return Digest32.sha256(new byte[] {(byte) number});
  }

  private final class Hands extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
