package io.solidus.platform.webhook;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.webhook.WebhookProperties.Target;
import io.solidus.platform.webhook.WebhookStore.Message;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells one receiver that work waits: whenever more of a kind waits than it was last told. A
 * message is sent again, with the same id, until an answer of 2xx, for a day; then one with the new
 * number takes its place. Of an answer nothing but the status is read, and no redirect is followed:
 * it could lead to an inner address.
 */
final class WebhookTarget {
  private static final Logger log = LoggerFactory.getLogger(WebhookTarget.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration LIFE = Duration.ofDays(1);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final int DOUBLINGS = 8;

  private final String service;
  private final String name;
  private final Target target;
  private final Map<String, LongSupplier> queues;
  private final WebhookStore store;
  private final HttpClient http;
  private final Clock clock;
  private volatile double owed;

  /**
   * @param queues of the kinds that the target wants
   * @param http follows no redirects
   */
  WebhookTarget(
      String service,
      String name,
      Target target,
      Map<String, LongSupplier> queues,
      WebhookStore store,
      HttpClient http,
      Clock clock,
      MeterRegistry metrics) {
    this.service = service;
    this.name = name;
    this.target = target;
    this.queues = queues;
    this.store = store;
    this.http = http;
    this.clock = clock;
    WebhookSecrets.read(name, target.secretFile());
    Gauge.builder("solidus.webhook.owed", this, self -> self.owed)
        .description("how long a target was to be told something and could not be; 0 for none")
        .baseUnit("seconds")
        .tag("target", name)
        .register(metrics);
  }

  /** Looks at each queue and sends what is due. The first failure ends the run. */
  void run() {
    try {
      for (Map.Entry<String, LongSupplier> queue : queues.entrySet()) {
        String kind = queue.getKey();
        look(kind, queue.getValue().getAsLong());
        if (!sendIfDue(kind)) {
          break;
        }
      }
    } finally {
      owed =
          store
              .owedSince(name)
              .map(since -> Math.max(0, Duration.between(since, clock.instant()).toSeconds()))
              .orElse(0L);
    }
  }

  private void look(String kind, long waiting) {
    Instant now = clock.instant();
    Message last = store.last(name, kind).orElse(null);
    if (last == null) {
      if (waiting > 0) {
        store.renew(name, kind, null, waiting, now);
      }
    } else if (last.delivered()) {
      if (waiting > last.waiting()) {
        store.renew(name, kind, last, waiting, now);
      } else if (waiting < last.waiting()) {
        store.lower(name, kind, last, waiting);
      }
    } else if (!now.isBefore(last.createdAt().plus(LIFE))) {
      store.renew(name, kind, last, waiting, now);
    }
  }

  /** False when the target did not take a message. */
  private boolean sendIfDue(String kind) {
    Optional<Message> last = store.last(name, kind).filter(message -> !message.delivered());
    Instant now = clock.instant();
    if (last.isEmpty()
        || !store.take(name, kind, last.get(), now, now.plus(pause(last.get().attempts())))) {
      return true;
    }
    boolean taken = send(kind, last.get());
    if (taken) {
      store.delivered(name, kind, last.get());
    }
    return taken;
  }

  /** How long after an attempt the next one follows. */
  static Duration pause(int attemptsBefore) {
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(attemptsBefore, DOUBLINGS));
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }

  private boolean send(String kind, Message message) {
    Instant now = clock.instant();
    String id = message.id().toString();
    byte[] body = JSON.writeValueAsBytes(body(kind, message));
    HttpRequest request =
        HttpRequest.newBuilder(target.url())
            .timeout(DEADLINE)
            .header("Content-Type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", Long.toString(now.getEpochSecond()))
            .header(
                "webhook-signature",
                WebhookSecrets.read(name, target.secretFile()).sign(id, now, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    try {
      // what follows the headers is not waited for
      HttpResponse<InputStream> answer =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      answer.body().close();
      if (answer.statusCode() / 100 == 2) {
        return true;
      }
      log.warn("the webhook {} answered {} to {}", name, answer.statusCode(), id);
    } catch (IOException e) {
      log.warn("the webhook {} did not answer to {}: {}", name, id, e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private Map<String, Object> body(String kind, Message message) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("service", service);
    data.put("waiting", message.waiting());
    data.put("id", message.id().toString());
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", kind);
    body.put("timestamp", message.createdAt().truncatedTo(ChronoUnit.SECONDS).toString());
    body.put("data", data);
    return body;
  }
}
