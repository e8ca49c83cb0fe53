package io.solidus.edge.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClientRatesTest {
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final ClientRates rates = new ClientRates(new Hands(), 20, 1);

  @Test
  void aNetworkHasARateOfItsOwn() {
    assertThat(taken("192.0.2.1")).isEqualTo(40);
    assertThat(taken("192.0.2.2")).isEqualTo(40);
    now = now.plusMillis(500);
    assertThat(taken("192.0.2.1")).isEqualTo(10);
    now = now.plus(Duration.ofHours(1));
    assertThat(taken("192.0.2.1")).isEqualTo(40);
  }

  @Test
  void anIpv6NetworkIsOneClient() {
    assertThat(taken("2001:db8:1:2::1")).isEqualTo(40);
    assertThat(rates.take("2001:db8:1:2:ffff::9")).isFalse();
    assertThat(rates.take("2001:db8:1:3::1")).isTrue();
  }

  @Test
  void whoSentInvalidEvidenceIsSlowForTenMinutes() {
    rates.doubt("192.0.2.1");
    assertThat(taken("192.0.2.1")).isEqualTo(2);
    now = now.plusSeconds(1);
    assertThat(taken("192.0.2.1")).isEqualTo(1);
    assertThat(taken("192.0.2.2")).isEqualTo(40);
    now = now.plus(Duration.ofMinutes(10));
    assertThat(taken("192.0.2.1")).isEqualTo(40);
  }

  @Test
  void aClockThatGoesBackGivesNothing() {
    assertThat(taken("192.0.2.1")).isEqualTo(40);
    now = now.minusSeconds(60);
    assertThat(taken("192.0.2.1")).isZero();
  }

  private int taken(String address) {
    int taken = 0;
    while (rates.take(address)) {
      taken++;
    }
    return taken;
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
