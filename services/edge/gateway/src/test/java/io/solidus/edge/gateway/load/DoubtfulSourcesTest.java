package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DoubtfulSourcesTest {

  private Instant now = Instant.EPOCH;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final DoubtfulSources sources = new DoubtfulSources(() -> now, metrics);

  @Test
  void wrongEvidenceMarksItsSourceForTenMinutes() {
    assertThat(sources.doubtful("192.0.2.1")).isFalse();
    sources.refused("192.0.2.1", RejectionCode.PROOF_INVALID);
    assertThat(sources.doubtful("192.0.2.1")).isTrue();
    assertThat(sources.doubtful("192.0.2.2")).isFalse();
    assertThat(metrics.counter("solidus.gateway.transfers.doubtful").count()).isEqualTo(1);
    now = now.plus(Duration.ofMinutes(10));
    assertThat(sources.doubtful("192.0.2.1")).isFalse();
  }

  @Test
  void whatAnHonestWalletMeetsTooMarksNobody() {
    sources.refused("192.0.2.1", RejectionCode.SERIAL_CONFLICT);
    sources.refused("192.0.2.1", RejectionCode.STALE_POLICY);
    sources.refused("192.0.2.1", RejectionCode.OVERLOADED);
    sources.refused("192.0.2.1", RejectionCode.NO_QUORUM);
    assertThat(sources.doubtful("192.0.2.1")).isFalse();
  }

  @Test
  void allAddressesOfAnIpv6NetworkAreOneSource() {
    sources.refused("2001:db8:1:2::1", RejectionCode.SHOWN_SIGNATURE_INVALID);
    assertThat(sources.doubtful("2001:db8:1:2:ffff::9")).isTrue();
    assertThat(sources.doubtful("2001:db8:1:3::1")).isFalse();
  }

  @Test
  void whatIsNoAddressIsNotLookedUp() {
    sources.refused("unknown.invalid", RejectionCode.PROOF_INVALID);
    assertThat(sources.doubtful("also not an address")).isTrue();
    assertThat(sources.doubtful("192.0.2.1")).isFalse();
  }

  @Test
  void theMemoryIsBounded() {
    sources.refused("192.0.2.1", RejectionCode.PROOF_INVALID);
    for (int i = 0; i < 10_000; i++) {
      sources.refused("10.0." + i / 256 + "." + i % 256, RejectionCode.PROOF_INVALID);
    }
    assertThat(sources.doubtful("192.0.2.1")).as("the oldest").isFalse();
    assertThat(sources.doubtful("10.0.0.0")).isTrue();
  }
}
