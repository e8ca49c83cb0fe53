package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.edge.gateway.GatewayProperties;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RefusalsTest {
  private static final ThreadLocal<String> CLIENT = ThreadLocal.withInitial(() -> "192.0.2.1");

  /** Attack: a stranger with many connections is refused often, so that others wait behind him. */
  @Test
  @Timeout(60)
  void nobodyWaitsForTheRefusalsOfAnotherNetwork() throws InterruptedException {
    Refusals refusals =
        new Refusals(
            new GatewayProperties.MaxPerSecond(1, 1, 1, 1, 100_000, 1, 1, 1, 1),
            CLIENT::get,
            () -> false);
    List<Thread> stranger =
        IntStream.range(0, 300) // the last one waits for five minutes
            .mapToObj(i -> Thread.ofVirtual().start(() -> refused(refusals, "192.0.2.1")))
            .toList();
    Eventually.holds(() ->
        assertThat(stranger)
            .filteredOn(each -> each.getState() == Thread.State.TIMED_WAITING)
            .hasSizeGreaterThan(200));
    for (int i = 2; i < 200; i++) {
      refused(refusals, "192.0.2." + i);
    }
    refused(refusals, "2001:db8::1");
    assertThat(stranger)
        .filteredOn(each -> each.getState() == Thread.State.TIMED_WAITING)
        .as("the stranger still waits")
        .hasSizeGreaterThan(200);
    stranger.forEach(Thread::interrupt);
    for (Thread each : stranger) {
      each.join();
    }
  }

  @Test
  @Timeout(60)
  void whoWaitedBeforeWaitsForNoOtherTurnOfItsNetwork() throws InterruptedException {
    AtomicBoolean waited = new AtomicBoolean();
    Refusals refusals =
        new Refusals(
            new GatewayProperties.MaxPerSecond(1, 1, 1, 1, 100_000, 1, 1, 1, 1),
            CLIENT::get,
            waited::get);
    assertThat(refusals.awaitBefore("192.0.2.1")).as("nothing was refused").isFalse();
    refused(refusals, "192.0.2.1");
    Thread stranger = Thread.ofVirtual().start(() -> refused(refusals, "192.0.2.1"));
    Eventually.holds(() -> assertThat(stranger.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    assertThat(refusals.awaitBefore("192.0.2.2")).as("another network").isFalse();
    assertThat(refusals.awaitBefore("192.0.2.1")).isTrue();
    stranger.join();
    waited.set(true);
    // a thousand turns of a network would be a thousand seconds
    for (int i = 0; i < 1_000; i++) {
      refused(refusals, "192.0.2.1");
    }
  }

  private static void refused(Refusals refusals, String client) {
    CLIENT.set(client);
    refusals.await();
  }
}
