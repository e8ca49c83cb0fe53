package io.solidus.edge.gateway.events;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.limits.ClientNetwork;
import io.solidus.protocol.OverloadedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Open streams of server-sent events. A stream is a request whose answer goes on: its thread, a
 * virtual one, waits for the next event. Each network address and the gateway have a bound, every
 * stream has a lifetime, and a heartbeat shows a reader, and proxies between, that it is open.
 */
@Component
public class EventStreams implements SmartLifecycle {
  /** Pause before a reader opens the next stream. */
  private static final Duration REOPEN = Duration.ofSeconds(3);

  /** For a reader that finds no place. */
  private static final Duration RETRY_AFTER = Duration.ofSeconds(15);

  private static final String HEARTBEAT = ":\n\n";

  private final GatewayProperties.Streams limits;
  private final Map<String, Integer> byNetwork = new HashMap<>();
  private final Set<Thread> open = new HashSet<>();
  private boolean running;

  /** Says what happens next. */
  @FunctionalInterface
  public interface Source {
    /**
     * Waits for the next event.
     *
     * @param patience the longest wait
     * @return null when nothing happened
     */
    @Nullable Event next(Duration patience) throws InterruptedException;
  }

  /**
   * An event.
   *
   * @param id the reader's place, which it sends as Last-Event-ID; null leaves its place as it is
   * @param data one line
   * @param last whether the stream ends
   */
  public record Event(@Nullable Long id, String name, String data, boolean last) {
    private String text() {
      return (id == null ? "" : "id: " + id + "\n") + "event: " + name + "\ndata: " + data + "\n\n";
    }
  }

  EventStreams(GatewayProperties properties, MeterRegistry metrics) {
    this.limits = properties.streams();
    Gauge.builder("solidus.gateway.streams", this, EventStreams::count)
        .description("open streams of events")
        .register(metrics);
  }

  /**
   * Answers with events until the lifetime is over, the source has no more, the reader has gone or
   * the gateway stops.
   *
   * @throws OverloadedException when this network address, or all together, have as many streams
   *     open as they may
   */
  public void run(HttpServletRequest request, HttpServletResponse response, Source source) {
    String network = ClientNetwork.of(request.getRemoteAddr());
    enter(network);
    try {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no"); // nginx passes each event on at once
      if (request.getMethod().equals("HEAD")) {
        return;
      }
      write(response, "retry: " + REOPEN.toMillis() + "\n\n");
      follow(response, source);
    } catch (IOException e) {
      // the reader has gone
    } catch (InterruptedException e) {
      // by stop: the answer ends here, and a reader opens another one elsewhere
    } finally {
      leave(network);
    }
  }

  private void follow(HttpServletResponse response, Source source)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limits.lifetime().toNanos();
    for (long left = limits.lifetime().toNanos(); left > 0; left = end - System.nanoTime()) {
      Event event = source.next(Duration.ofNanos(Math.min(left, limits.heartbeat().toNanos())));
      write(response, event == null ? HEARTBEAT : event.text());
      if (event != null && event.last()) {
        return;
      }
    }
  }

  private static void write(HttpServletResponse response, String text) throws IOException {
    OutputStream out = response.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private synchronized void enter(String network) {
    if (!running
        || open.size() >= limits.maxOpen()
        || byNetwork.getOrDefault(network, 0) >= limits.maxPerAddress()) {
      throw new OverloadedException(
          RETRY_AFTER, "as many streams are open as there may be; ask again later");
    }
    open.add(Thread.currentThread());
    byNetwork.merge(network, 1, Integer::sum);
  }

  private synchronized void leave(String network) {
    open.remove(Thread.currentThread());
    byNetwork.computeIfPresent(network, (key, count) -> count == 1 ? null : count - 1);
    boolean unused = Thread.interrupted(); // a stop that came too late must not disturb the answer
  }

  private synchronized int count() {
    return open.size();
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  /** Ends all streams, before the container waits for the requests that are open. */
  @Override
  public synchronized void stop() {
    running = false;
    open.forEach(Thread::interrupt);
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
