package io.solidus.edge.gateway.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentCoresTest {
  private final MovableClock clock = new MovableClock();
  private final RecentCores recent = new RecentCores(TestCommittee.regulated().committee(), clock);
  private final TxCore core = TxCore.of(new Generators(1).bytes(32));
  private final AtomicInteger asked = new AtomicInteger();

  /** A former note key may end: what was collected before then holds votes that nobody counts. */
  @Test
  @Spec("K-10")
  void asksAgainForVotesThatMayHaveEnded() {
    assertAsked(1);
    clock.forward(Duration.ofMinutes(9));
    assertAsked(1);
    clock.forward(Duration.ofMinutes(2));
    assertAsked(2);
    assertAsked(2);
  }

  private void assertAsked(int times) {
    Certificate unused =
        recent.answer(
            core,
            Digest32.sha256(),
            () -> {
              asked.incrementAndGet();
              return new Certificate(core, List.of(), List.of(), List.of());
            });
    assertThat(asked).hasValue(times);
  }
}
