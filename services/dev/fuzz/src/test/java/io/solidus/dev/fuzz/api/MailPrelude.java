package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Signature;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.mailbox.PrivateMailbox;
import io.solidus.wallet.mailbox.QuerySchedule;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A message that is found by its tag, by its bucket's events, and by a private query. */
final class MailPrelude {
  private static final MailboxBucket BUCKET = new MailboxBucket(70);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int QUORUM = 3;
  private static final int SERVERS = 2;

  private final NetworkId network;
  private final List<MailReplica> replicas;
  private final GatewayClient client;
  private final RestProbe rest;
  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey mine = HpkePrivateKey.generate(random);

  /**
   * @param replicas of the four authorities
   * @param client of the gateway
   * @param rest of the same
   */
  MailPrelude(NetworkId network, List<MailReplica> replicas, GatewayClient client, RestProbe rest) {
    this.network = network;
    this.replicas = replicas;
    this.client = client;
    this.rest = rest;
  }

  /** Posts a message; {@link #query} finds it when it is in a table. */
  void post(Events events) throws Exception {
    RequestToken tag = RequestToken.random(random);
    byte[] blob = new ParcelCipher(network).seal(mine.publicKey(), parcel());
    long number = client.postMailbox(blob, BUCKET, tag);
    assertThat(client.tagged(tag).entries()).hasSize(1);
    assertThat(client.awaitTagged(tag, 0, PATIENCE)).isTrue();
    assertThat(events.first("/v1/mailbox/events?after=" + (number - 1))).isEqualTo("mail");
  }

  /** Asks replicas for the message, as soon as they have signed a list with its table. */
  void query() {
    PrivateMailbox mailbox =
        new PrivateMailbox(network, QUORUM, SERVERS, replicas, BUCKET, mine, random);
    // that of a wallet that read last before anything was posted
    long before = Instant.now().minus(Duration.ofHours(1)).getEpochSecond();
    MailTableList none = new MailTableList(before, new TreeMap<>());
    MailPlace begun = new MailPlace(BUCKET, none, List.of(), List.of(), 0, 0);
    List<MailPlace> found = new ArrayList<>();
    Eventually.holds(
        PATIENCE,
        () -> {
          assertThat(rest.get("/v1/mailbox/tables/note").status()).isEqualTo(200);
          MailTableList list = mailbox.newest(client, Instant.now());
          MailPlace place = mailbox.read(client, begun, list, Map.of()).orElseThrow().place();
          assertThat(place.waiting()).hasSize(1);
          found.add(place);
        });
    PrivateMailbox.Bodies bodies =
        mailbox.open(mailbox.ask(client, found.getLast(), QuerySchedule.A_DAY), Map.of());
    assertThat(bodies.blobs())
        .extracting(blob -> new ParcelCipher(network).open(mine, blob).orElseThrow())
        .containsExactly(parcel());
    MailTableList list = found.getLast().list();
    assertThat(rest.get("/v1/mailbox/tables").status()).isEqualTo(200);
    assertThat(client.headers(BUCKET, 0, list.closed())).isNotEmpty();
    assertThat(client.records(BUCKET, 0, list.closed())).isNotEmpty();
  }

  private static Parcel parcel() {
    byte[] point = new byte[G1Point.BYTES];
    point[G1Point.BYTES / 2 - 1] = 1;
    point[G1Point.BYTES - 1] = 1;
    return new Parcel.Registered(new Signature(new G1Point(point), new G1Point(point)));
  }
}
