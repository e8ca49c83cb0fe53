package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Spec;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@Spec("K-11")
class SigningSharesTest {
  private static final TestCommittee KEYS = TestCommittee.regulated();
  private static final Instant UNTIL = Instant.parse("2027-01-01T00:00:00Z");

  private volatile Instant now = UNTIL.minusMillis(1);
  private final Share former = KEYS.openShare(1);
  private final SigningShares shares =
      new SigningShares(
          held(1, KEYS.openShare(1)),
          Optional.of(new SigningShares.Former(held(0, former), UNTIL)),
          new SetClock());

  /** A clock that the test sets. */
  private final class SetClock extends Clock {
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

  private static HeldShare held(int epoch, Share share) {
    return new HeldShare(epoch, share, KEYS.noteKey(1));
  }

  /** Attack: a signer that goes on with the share of a former epoch after its time. */
  @Test
  void theFormerShareIsOverwrittenAtItsEnd() {
    assertThat(shares.former()).map(HeldShare::epoch).contains(0);
    sign(former);
    now = UNTIL;
    assertThat(shares.former()).isEmpty();
    assertThatThrownBy(() -> sign(former)).isInstanceOf(NativeException.class);
    sign(shares.present().share());
    now = UNTIL.minus(Duration.ofDays(1));
    assertThat(shares.former()).as("a clock that goes back brings nothing back").isEmpty();
    shares.close();
  }

  /** Nobody asks an idle signer for a signature: it ends the share by itself. */
  @Test
  void anIdleSignerOverwritesIt() throws InterruptedException {
    now = UNTIL;
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (signs(former) && System.nanoTime() - end < 0) {
      Thread.sleep(50);
    }
    assertThat(signs(former)).isFalse();
    shares.close();
  }

  @Test
  void closingOverwritesBothShares() {
    Share present = shares.present().share();
    shares.close();
    assertThat(signs(present)).isFalse();
    assertThat(signs(former)).isFalse();
  }

  private static boolean signs(Share share) {
    try {
      sign(share);
      return true;
    } catch (NativeException e) {
      return false;
    }
  }

  private static void sign(Share share) {
    Outputs outputs =
        Outputs.of(
            TestCommittee.NETWORK,
            new Generators(1).transferRequest(TestCommittee.NETWORK, Family.TRANSFER).statement());
    share.signAll(TestCommittee.NETWORK, List.of(outputs));
  }
}
