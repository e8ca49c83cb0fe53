package io.solidus.edge.gateway.mailbox;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.mailbox.PulledPage.Place;
import io.solidus.protocol.Digest32;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What this gateway knows of its peers' mailboxes, and the messages that it took from them. A
 * message and the place behind it are stored together, so a gateway that comes back from a backup
 * takes again what it lost.
 */
@Component
class ExchangeStore {
  /**
   * A process that pulls from a peer; another one takes its place when it is silent for so long.
   */
  private static final Duration HELD = Duration.ofSeconds(30);

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final MailboxStore mailbox;
  private final UUID process = UUID.randomUUID();
  private final long retentionDays;

  /** A message and where it is looked for; both, or a peer could put another's message aside. */
  private record Known(Digest32 digest, int bucket) {}

  ExchangeStore(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      MailboxStore mailbox,
      GatewayProperties properties) {
    this.jdbc = jdbc;
    this.transactions = new TransactionTemplate(transactions);
    this.mailbox = mailbox;
    this.retentionDays = properties.mailboxRetention().toDays();
  }

  /**
   * Whether this process may pull from the peer now: one process of a database does.
   *
   * @param pause that it makes before it pulls again; no other process pulls meanwhile, or the peer
   *     would have the rate of each of them
   */
  boolean hold(String peer, Duration pause) {
    int unused =
        jdbc.sql("INSERT INTO mailbox_peer (name) VALUES (?) ON CONFLICT DO NOTHING")
            .param(peer)
            .update();
    return jdbc.sql(
                "UPDATE mailbox_peer SET holder = ?, held_until = now() + make_interval(secs => ?)"
                    + " WHERE name = ? AND (holder = ? OR held_until < now())")
            .params(process, HELD.plus(pause).toMillis() / 1000.0, peer, process)
            .update()
        == 1;
  }

  /**
   * Lets another process pull from the peer.
   *
   * @param pause what is left of the pause before that
   */
  void release(String peer, Duration pause) {
    int unused =
        jdbc.sql(
                "UPDATE mailbox_peer SET held_until = now() + make_interval(secs => ?)"
                    + " WHERE name = ? AND holder = ?")
            .params(pause.toMillis() / 1000.0, peer, process)
            .update();
  }

  /** When the peer last had nothing new; empty before the first time. */
  Optional<Instant> caughtUp(String peer) {
    return jdbc.sql("SELECT caught_up_at FROM mailbox_peer WHERE name = ?")
        .param(peer)
        .query((set, n) -> set.getTimestamp(1).toInstant())
        .optional();
  }

  /** Notes that the peer has nothing new. */
  void reachedEnd(String peer) {
    int unused =
        jdbc.sql("UPDATE mailbox_peer SET caught_up_at = now() WHERE name = ?")
            .param(peer)
            .update();
  }

  /** The place up to which the peer's mailbox was read; empty at its start. */
  Optional<Place> place(String peer) {
    return jdbc.sql(
            "SELECT number, digest FROM mailbox_peer_place WHERE peer = ?"
                + " ORDER BY day DESC LIMIT 1")
        .param(peer)
        .query((set, n) -> new Place(set.getLong(1), Digest32.of(set.getBytes(2))))
        .optional();
  }

  /** Goes back to the last place of an earlier day: the peer's mailbox does not have this one. */
  void goBack(String peer, Place from) {
    int unused =
        jdbc.sql("DELETE FROM mailbox_peer_place WHERE peer = ? AND number = ? AND digest = ?")
            .params(peer, from.number(), from.digest().bytes())
            .update();
  }

  /**
   * Stores the messages of a page that this mailbox does not have, with the next numbers, and the
   * place behind the page.
   *
   * @param from the place at which the page begins
   * @return how many were new; empty when another process has moved the place meanwhile
   */
  Optional<Integer> store(String peer, Optional<Place> from, PulledPage page) {
    return Objects.requireNonNull(
        transactions.execute(status -> {
          mailbox.lock();
          if (!place(peer).equals(from)) {
            return Optional.<Integer>empty();
          }
          List<PulledPage.Message> fresh = fresh(page.messages());
          mailbox.insertPulled(fresh);
          page.next().ifPresent(next -> move(peer, next));
          return Optional.of(fresh.size());
        }));
  }

  private List<PulledPage.Message> fresh(List<PulledPage.Message> messages) {
    Set<Known> known = new HashSet<>();
    if (!messages.isEmpty()) {
      byte[][] digests =
          messages.stream().map(message -> message.digest().bytes()).toArray(byte[][]::new);
      jdbc.sql("SELECT sha256(blob), bucket FROM mailbox WHERE sha256(blob) = ANY (?::bytea[])")
          .param(digests)
          .query(set -> {
            known.add(new Known(Digest32.of(set.getBytes(1)), set.getInt(2)));
          });
    }
    List<PulledPage.Message> fresh = new ArrayList<>();
    for (PulledPage.Message message : messages) {
      if (known.add(new Known(message.digest(), message.bucket().number()))) {
        fresh.add(message);
      }
    }
    return fresh;
  }

  private void move(String peer, Place next) {
    int moved =
        jdbc.sql(
                "INSERT INTO mailbox_peer_place (peer, number, digest) VALUES (?, ?, ?)"
                    + " ON CONFLICT (peer, day) DO UPDATE SET number = excluded.number,"
                    + " digest = excluded.digest")
            .params(peer, next.number(), next.digest().bytes())
            .update();
    if (moved != 1) {
      throw new IllegalStateException("the place in a peer's mailbox was not stored");
    }
    int unused =
        jdbc.sql(
                "DELETE FROM mailbox_peer_place WHERE peer = ? AND day < current_date - ?::integer")
            .params(peer, retentionDays)
            .update();
  }
}
