package io.solidus.edge.gateway.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.mailbox.PulledPage.Place;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** Two processes of one gateway's database. */
@Tag("process")
class ExchangeStoreTest {
  private static final Duration NONE = Duration.ZERO;
  private static GatewayFixture gateway;
  private static JdbcClient jdbc;
  private static ExchangeStore one;
  private static ExchangeStore other;
  private final Generators random = new Generators(System.nanoTime());
  private final String peer = "peer-" + System.nanoTime();

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
    jdbc = gateway.bean(JdbcClient.class);
    one = process();
    other = process();
  }

  private static ExchangeStore process() {
    return new ExchangeStore(
        jdbc,
        gateway.bean(PlatformTransactionManager.class),
        gateway.bean(MailboxStore.class),
        gateway.bean(GatewayProperties.class));
  }

  private PulledPage page(long next) {
    byte[] blob = random.bytes(1200);
    Digest32 digest = Digest32.sha256(blob);
    return new PulledPage(
        Optional.empty(),
        Optional.of(new Place(next, digest)),
        List.of(new PulledPage.Message(blob, new MailboxBucket(70), digest)));
  }

  @Test
  void oneProcessPullsUntilItIsSilentOrLeaves() {
    assertThat(one.hold(peer, NONE)).isTrue();
    assertThat(one.hold(peer, NONE)).isTrue();
    assertThat(other.hold(peer, NONE)).isFalse();
    other.release(peer, NONE);
    assertThat(other.hold(peer, NONE)).as("it had nothing to release").isFalse();
    assertThat(
            jdbc.sql("UPDATE mailbox_peer SET held_until = now() - interval '1s' WHERE name = ?")
                .param(peer)
                .update())
        .isEqualTo(1);
    assertThat(other.hold(peer, NONE)).isTrue();
    assertThat(one.hold(peer, NONE)).isFalse();
    other.release(peer, NONE);
    assertThat(one.hold(peer, NONE)).isTrue();
  }

  /** Attack: a peer floods; each further process, and each restart, would take a page at once. */
  @Test
  void aPauseHoldsForAllProcesses() {
    Duration pause = Duration.ofMinutes(5);
    assertThat(one.hold(peer, NONE)).isTrue();
    assertThat(one.hold(peer, pause)).isTrue();
    pass(Duration.ofMinutes(4));
    assertThat(other.hold(peer, NONE)).as("while the other pauses").isFalse();
    one.release(peer, Duration.ofMinutes(1));
    assertThat(other.hold(peer, NONE)).as("after a restart").isFalse();
    pass(Duration.ofMinutes(1));
    assertThat(other.hold(peer, NONE)).isTrue();
  }

  private void pass(Duration time) {
    assertThat(
            jdbc.sql(
                    "UPDATE mailbox_peer SET held_until = held_until - make_interval(secs => ?)"
                        + " WHERE name = ?")
                .params(time.toSeconds(), peer)
                .update())
        .isEqualTo(1);
  }

  /** A process that was slow must not set the place back, or forth past what was not stored. */
  @Test
  void aPageFromAnotherPlaceStoresNothing() {
    assertThat(one.hold(peer, NONE)).isTrue();
    PulledPage first = page(1);
    assertThat(one.store(peer, Optional.empty(), first)).contains(1);
    assertThat(one.store(peer, first.next(), page(2))).contains(1);
    long before = gateway.bean(MailboxStore.class).newest();
    assertThat(other.store(peer, first.next(), page(3))).isEmpty();
    assertThat(other.store(peer, Optional.empty(), page(4))).isEmpty();
    assertThat(gateway.bean(MailboxStore.class).newest()).isEqualTo(before);
    assertThat(one.place(peer).map(Place::number)).contains(2L);
  }
}
