package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.wire.json.Base64Url;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("process")
class MailboxTest {
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
  }

  @Test
  void returnsMessagesInOrderAndInPages() {
    long start = end();
    List<String> blobs = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      blobs.add(blob());
      assertThat(post(blobs.getLast()).status()).isEqualTo(201);
    }
    List<String> read = new ArrayList<>();
    long after = start;
    while (true) {
      JsonNode page = gateway.rest.get("/v1/mailbox?after=" + after + "&limit=3").json();
      page.path("entries").forEach(entry -> read.add(entry.path("blob").asString("")));
      if (page.path("entries").size() == 0) {
        assertThat(page.path("next").asLong(-1)).isEqualTo(after);
        break;
      }
      assertThat(page.path("entries").size()).isLessThanOrEqualTo(3);
      after = page.path("next").asLong(-1);
    }
    assertThat(read).isEqualTo(blobs);
  }

  @Test
  void acceptsOnlyMessagesOfOneSize() {
    for (int length : new int[] {0, 1199, 1201}) {
      assertThat(post(Base64Url.encode(random.bytes(length))).code())
          .isEqualTo("malformed-request");
    }
    assertThat(gateway.rest.post("/v1/mailbox", "{}").code()).isEqualTo("malformed-request");
    assertThat(post(blob() + "=").code()).isEqualTo("malformed-request");
  }

  @Test
  void refusesRangesOutOfBounds() {
    for (String query : List.of("after=-1", "limit=0", "limit=501", "limit=many", "after=x")) {
      RestProbe.Answer answer = gateway.rest.get("/v1/mailbox?" + query);
      assertThat(answer.code()).isEqualTo("malformed-request");
      assertThat(answer.status()).isEqualTo(400);
    }
  }

  /**
   * A reader that follows the mailbox during concurrent posts misses no message, because messages
   * become visible in the order of their numbers.
   */
  @Test
  void aReaderMissesNothingDuringConcurrentPosts() throws Exception {
    long start = end();
    int posters = 8;
    int each = 40;
    AtomicBoolean done = new AtomicBoolean();
    Set<String> seen = new HashSet<>();
    Set<String> posted = new HashSet<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(posters + 1)) {
      Future<?> reader =
          pool.submit(() -> {
            long after = start;
            boolean last = false;
            while (!last) {
              last = done.get();
              JsonNode page;
              do {
                page = gateway.rest.get("/v1/mailbox?limit=5&after=" + after).json();
                page.path("entries").forEach(entry -> seen.add(entry.path("blob").asString("")));
                after = page.path("next").asLong(-1);
              } while (page.path("entries").size() > 0);
            }
          });
      List<Future<List<String>>> writers = new ArrayList<>();
      for (int p = 0; p < posters; p++) {
        Generators own = new Generators(1000 + p);
        writers.add(
            pool.submit(() -> {
              List<String> mine = new ArrayList<>();
              for (int i = 0; i < each; i++) {
                String blob = Base64Url.encode(own.bytes(1200));
                assertThat(post(blob).status()).isEqualTo(201);
                mine.add(blob);
              }
              return mine;
            }));
      }
      for (Future<List<String>> writer : writers) {
        posted.addAll(writer.get());
      }
      done.set(true);
      reader.get();
    }
    assertThat(posted).hasSize(posters * each);
    assertThat(seen).containsAll(posted);
  }

  @Test
  void aMessageIsFoundUnderItsNumber() {
    String blob = blob();
    long sequence = post(blob).json().path("sequence").asLong(-1);
    JsonNode entry =
        gateway
            .rest
            .get("/v1/mailbox?limit=1&after=" + (sequence - 1))
            .json()
            .path("entries")
            .path(0);
    assertThat(entry.path("sequence").asLong(-1)).isEqualTo(sequence);
    assertThat(entry.path("blob").asString("")).isEqualTo(blob);
  }

  @Test
  void aMessageThatIsPostedTwiceWithOneKeyIsStoredOnce() {
    String blob = blob();
    String key = Base64Url.encode(random.bytes(16));
    long start = end();
    RestProbe.Answer first = post(blob, key);
    assertThat(first.status()).isEqualTo(201);
    RestProbe.Answer again = post(blob, "\"" + key + "\"");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    RestProbe.Answer other = post(blob(), key);
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("idempotency-mismatch");
    assertThat(gateway.rest.get("/v1/mailbox?after=" + start).json().path("entries").valueStream())
        .extracting(entry -> entry.path("blob").asString(""))
        .containsOnlyOnce(blob);
    assertThat(post(blob, "short").code()).isEqualTo("malformed-request");
  }

  /** One batch of the writer has several of them. */
  @Test
  void simultaneousPostsWithOneKeyAreStoredOnce() throws Exception {
    String key = Base64Url.encode(random.bytes(16));
    String blob = blob();
    String different = blob();
    List<Future<RestProbe.Answer>> answers = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(12)) {
      for (int i = 0; i < 12; i++) {
        String mine = i % 3 == 0 ? different : blob;
        answers.add(pool.submit(() -> post(mine, key)));
      }
    }
    Set<String> stored = new HashSet<>();
    int refused = 0;
    for (Future<RestProbe.Answer> answer : answers) {
      if (answer.get().status() == 201) {
        stored.add(answer.get().body());
      } else {
        assertThat(answer.get().code()).isEqualTo("idempotency-mismatch");
        refused++;
      }
    }
    assertThat(stored).hasSize(1);
    assertThat(refused).isIn(4, 8);
  }

  private String blob() {
    return Base64Url.encode(random.bytes(1200));
  }

  private static RestProbe.Answer post(String blob) {
    return gateway.rest.post("/v1/mailbox", Map.of("blob", blob));
  }

  private static RestProbe.Answer post(String blob, String key) {
    return gateway.rest.post("/v1/mailbox", Map.of("blob", blob), "Idempotency-Key", key);
  }

  private static long end() {
    long after = 0;
    while (true) {
      JsonNode page = gateway.rest.get("/v1/mailbox?limit=500&after=" + after).json();
      if (page.path("entries").size() == 0) {
        return after;
      }
      after = page.path("next").asLong(-1);
    }
  }
}
