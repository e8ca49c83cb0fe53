package io.solidus.edge.gateway.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.Base64Url;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Messages that are found by the tag of a payment request, and who would hide them. */
@Tag("process")
@Spec("F-70")
class TaggedMailTest {
  private static GatewayFixture gateway;
  private static MailboxStore store;
  private static TaggedMail mail;
  private static JdbcClient jdbc;
  private final Generators random = new Generators(System.nanoTime());
  private final MailTag tag = MailTag.of(random.bytes(16));

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
    store = gateway.bean(MailboxStore.class);
    mail = gateway.bean(TaggedMail.class);
    jdbc = gateway.bean(JdbcClient.class);
  }

  private RestProbe.Answer post(byte[] blob, String... key) {
    return gateway.rest.post(
        "/v1/mailbox",
        Map.of(
            "blob", Base64Url.encode(blob),
            "bucket", 70,
            "tag", Base64Url.encode(tag.bytes())),
        key);
  }

  private RestProbe.Answer get() {
    return gateway.rest.get("/v1/mailbox/tags/" + tag.hex());
  }

  private List<String> blobs() {
    return get()
        .json()
        .path("entries")
        .valueStream()
        .map(entry -> entry.path("blob").asString(""))
        .toList();
  }

  private List<String> ofBucket(long after) {
    return store.read(new MailboxBucket(70), after, 500).messages().stream()
        .map(message -> Base64Url.encode(message.blob()))
        .toList();
  }

  @Test
  void aMessageIsFoundByItsTagAndInItsBucketAsEveryOther() {
    long before = store.newest();
    byte[] blob = random.bytes(1200);
    assertThat(blobs()).as("nothing tells a tag that is used from another").isEmpty();
    long sequence = post(blob).json().path("sequence").asLong(-1);
    RestProbe.Answer found = get();
    assertThat(blobs()).containsExactly(Base64Url.encode(blob));
    assertThat(found.json().path("full").asBoolean(true)).isFalse();
    assertThat(found.json().path("entries").path(0).path("sequence").asLong(-1))
        .isEqualTo(sequence);
    assertThat(found.header("Cache-Control")).isEqualTo("no-store");
    assertThat(ofBucket(before)).containsExactly(Base64Url.encode(blob));
  }

  @Test
  void aRepeatedPostIsFoundOnce() {
    byte[] blob = random.bytes(1200);
    String key = "tagged-" + tag.hex();
    assertThat(post(blob, "Idempotency-Key", key).status()).isEqualTo(201);
    assertThat(post(blob, "Idempotency-Key", key).status()).isEqualTo(201);
    assertThat(blobs()).hasSize(1);
  }

  /** Attack: somebody who saw the request posts junk with its tag, before the payer pays. */
  @Test
  void junkFillsATagAndHidesNothing() {
    long before = store.newest();
    for (int i = 0; i < TaggedMail.MAX_OF_TAG - 1; i++) {
      assertThat(post(random.bytes(1200)).status()).isEqualTo(201);
    }
    assertThat(get().json().path("full").asBoolean(true)).isFalse();
    assertThat(post(random.bytes(1200)).status()).isEqualTo(201);
    assertThat(get().json().path("full").asBoolean(false)).as("so its payee is told").isTrue();
    byte[] payment = random.bytes(1200);
    assertThat(post(payment).status()).isEqualTo(201);
    assertThat(blobs()).hasSize(TaggedMail.MAX_OF_TAG);
    assertThat(ofBucket(before)).contains(Base64Url.encode(payment));
  }

  /** Attack: a flood with many tags. The oldest ones go, and nothing is refused. */
  @Test
  void allTagsTogetherHaveABound() {
    for (int i = 0; i < 5; i++) {
      store.post(
          random.bytes(1200), MailboxBucket.WHOLE, MailTag.of(random.bytes(16)), Optional.empty());
    }
    byte[] newest = random.bytes(1200);
    assertThat(post(newest).status()).isEqualTo(201);
    mail.deleteExpired(3);
    assertThat(jdbc.sql("SELECT count(*) FROM mailbox_tag").query(Long.class).single())
        .isEqualTo(3);
    assertThat(blobs()).containsExactly(Base64Url.encode(newest));
  }

  @Test
  void aTagIsForgottenAfterADayAndItsMessageIsNot() {
    long before = store.newest();
    byte[] blob = random.bytes(1200);
    assertThat(post(blob).status()).isEqualTo(201);
    age(23);
    mail.deleteExpired(1_000_000);
    assertThat(blobs()).hasSize(1);
    age(25);
    mail.deleteExpired(1_000_000);
    assertThat(blobs()).isEmpty();
    assertThat(ofBucket(before)).containsExactly(Base64Url.encode(blob));
  }

  private void age(int hours) {
    assertThat(
            jdbc.sql(
                    "UPDATE mailbox_tag SET posted_at = now() - make_interval(hours => ?)"
                        + " WHERE tag = ?")
                .params(hours, tag.bytes())
                .update())
        .isEqualTo(1);
  }

  @Test
  void onlyAWholeTagIsOne() {
    for (String wrong : List.of("0", "0".repeat(31), "0".repeat(33), "G".repeat(32))) {
      assertThat(gateway.rest.get("/v1/mailbox/tags/" + wrong).code())
          .isEqualTo("malformed-request");
    }
    assertThat(gateway.rest.get("/v1/mailbox/tags").status()).as("no list").isEqualTo(404);
    for (String wrong : List.of("", "AAAA", Base64Url.encode(random.bytes(17)))) {
      assertThat(
              gateway
                  .rest
                  .post(
                      "/v1/mailbox",
                      Map.of("blob", Base64Url.encode(random.bytes(1200)), "tag", wrong))
                  .code())
          .isEqualTo("malformed-request");
    }
    assertThat(MailTag.of(random.bytes(16)).toString()).contains("redacted");
  }
}
