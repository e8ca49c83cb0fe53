package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class InvalidEvidenceTrackerTest {

  private Instant now = Instant.EPOCH;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final InvalidEvidenceTracker tracker = new InvalidEvidenceTracker(() -> now, metrics);

  @Test
  void invalidEvidenceMarksItsNetworkForTenMinutes() {
    assertThat(tracker.isDoubtful("192.0.2.1")).isFalse();
    tracker.recordRefusal("192.0.2.1", RejectionCode.PROOF_INVALID);
    assertThat(tracker.isDoubtful("192.0.2.1")).isTrue();
    assertThat(tracker.isDoubtful("192.0.2.2")).isFalse();
    assertThat(metrics.counter("solidus.gateway.transfers.doubtful").count()).isEqualTo(1);
    now = now.plus(Duration.ofMinutes(10));
    assertThat(tracker.isDoubtful("192.0.2.1")).isFalse();
  }

  @Test
  void refusalsThatAnHonestWalletCanGetMarkNoNetwork() {
    tracker.recordRefusal("192.0.2.1", RejectionCode.SERIAL_CONFLICT);
    tracker.recordRefusal("192.0.2.1", RejectionCode.STALE_POLICY);
    tracker.recordRefusal("192.0.2.1", RejectionCode.OVERLOADED);
    tracker.recordRefusal("192.0.2.1", RejectionCode.NO_QUORUM);
    assertThat(tracker.isDoubtful("192.0.2.1")).isFalse();
  }

  @Test
  void allAddressesOfAnIpv6NetworkCountAsOne() {
    tracker.recordRefusal("2001:db8:1:2::1", RejectionCode.SHOWN_SIGNATURE_INVALID);
    assertThat(tracker.isDoubtful("2001:db8:1:2:ffff::9")).isTrue();
    assertThat(tracker.isDoubtful("2001:db8:1:3::1")).isFalse();
  }

  @Test
  void aNameIsNotLookedUp() {
    tracker.recordRefusal("unknown.invalid", RejectionCode.PROOF_INVALID);
    assertThat(tracker.isDoubtful("also not an address")).isTrue();
    assertThat(tracker.isDoubtful("192.0.2.1")).isFalse();
  }

  @Test
  void theNumberOfNetworksIsBounded() {
    tracker.recordRefusal("192.0.2.1", RejectionCode.PROOF_INVALID);
    for (int i = 0; i < 10_000; i++) {
      tracker.recordRefusal("10.0." + i / 256 + "." + i % 256, RejectionCode.PROOF_INVALID);
    }
    assertThat(tracker.isDoubtful("192.0.2.1")).as("the oldest").isFalse();
    assertThat(tracker.isDoubtful("10.0.0.0")).isTrue();
  }
}
