package io.solidus.platform.webhook;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.platform.webhook.WebhookProperties.Target;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.springframework.context.SmartLifecycle;

/** One job for each target, so that none waits for another. */
public final class Webhooks implements SmartLifecycle {
  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final List<RepeatedJob> jobs;
  private final HttpClient http;
  private volatile boolean running;

  Webhooks(
      String service,
      WebhookProperties properties,
      WaitingWork work,
      WebhookStore store,
      Clock clock,
      MeterRegistry metrics) {
    // a receiver is not a part of this system: its certificate is a public one
    this.http = new HttpClients(null).open(CONNECT);
    this.jobs =
        properties.targets().entrySet().stream()
            .map(entry -> {
              String name = entry.getKey();
              WebhookTarget target =
                  new WebhookTarget(
                      service,
                      name,
                      entry.getValue(),
                      wanted(entry.getValue(), work),
                      store,
                      http,
                      clock,
                      metrics);
              return new RepeatedJob("webhook-" + name, PAUSE, target::run);
            })
            .toList();
  }

  /**
   * Several services may have the same targets: a kind of another service is not looked at here.
   */
  private static Map<String, LongSupplier> wanted(Target target, WaitingWork work) {
    Map<String, LongSupplier> queues = new LinkedHashMap<>(work.queues());
    if (!target.kinds().isEmpty()) {
      queues.keySet().retainAll(target.kinds());
    }
    return queues;
  }

  /** Looks at the queues now. */
  public void wake() {
    jobs.forEach(RepeatedJob::wake);
  }

  @Override
  public void start() {
    running = true;
    jobs.forEach(RepeatedJob::start);
  }

  @Override
  public void stop() {
    running = false;
    RepeatedJob.stopAll(jobs);
    http.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
