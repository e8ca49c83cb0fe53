package io.solidus.loadtest.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stranger with many connections who never rests: each connection sends its next request as soon
 * as the one before is answered, and one that was closed is opened again.
 *
 * @param from address of this machine, by which the gateway knows the sender
 * @param requests whole HTTP requests, sent in turn
 * @param slowly sends the head at once, and then a byte of the body each second
 */
record ConnectionFlood(
    URI gateway, InetAddress from, int connections, List<String> requests, boolean slowly) {

  /** What is counted of a connection that ended without an answer. */
  static final String CLOSED = "closed";

  /** What is counted of a connection that could not be opened. */
  static final String NOT_CONNECTED = "not connected";

  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 60_000;
  private static final long BYTE_MILLIS = 1_000;

  /** All connections are opened within the lead of the flood. */
  private static final double OPENING_MILLIS = 400;

  private static final int TOO_MANY = 429;
  private static final int OK = 2;
  private static final int HUNDRED = 100;
  private static final String END_OF_HEAD = "\r\n\r\n";

  /** A request with a body in JSON. */
  static String post(URI gateway, String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: "
        + gateway.getAuthority()
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + END_OF_HEAD
        + body;
  }

  static String get(URI gateway, String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: " + gateway.getAuthority() + END_OF_HEAD;
  }

  /** Floods for so long, and says what became of the requests. */
  RateStep run(double seconds) {
    Running running = new Running(System.nanoTime() + (long) (seconds * 1e9));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < connections; i++) {
        int number = i;
        var unused = threads.submit(() -> running.connection(number));
      }
      running.awaitEnd();
      threads.shutdownNow();
    }
    return running.step(seconds);
  }

  private final class Running {
    private final long end;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final Map<String, AtomicInteger> others = new ConcurrentHashMap<>();

    Running(long end) {
      this.end = end;
    }

    boolean isOver() {
      return System.nanoTime() - end >= 0;
    }

    void awaitEnd() {
      sleep(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()) + 1);
      open.forEach(ConnectionFlood::closeQuietly);
    }

    void connection(int number) {
      sleep(Math.round(OPENING_MILLIS * number / connections));
      int next = number;
      while (!isOver()) {
        try (Socket socket = new Socket()) {
          open.add(socket);
          socket.setTcpNoDelay(true);
          socket.setSoTimeout(READ_MILLIS);
          socket.bind(new InetSocketAddress(from, 0));
          if (!connect(socket)) {
            sleep(BYTE_MILLIS);
            continue;
          }
          InputStream in = new BufferedInputStream(socket.getInputStream());
          boolean kept = true;
          while (kept && !isOver()) {
            send(socket, in, requests.get(next++ % requests.size()));
            kept = count(in);
          }
          open.remove(socket);
        } catch (IOException e) {
          count(CLOSED);
        }
      }
    }

    private boolean connect(Socket socket) throws IOException {
      try {
        socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()), CONNECT_MILLIS);
        return true;
      } catch (IOException e) {
        count(NOT_CONNECTED);
        return false;
      }
    }

    private void send(Socket socket, InputStream in, String request) throws IOException {
      sent.incrementAndGet();
      byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
      if (!slowly) {
        socket.getOutputStream().write(bytes);
        return;
      }
      int head = request.indexOf(END_OF_HEAD) + END_OF_HEAD.length();
      socket.getOutputStream().write(bytes, 0, head);
      for (int at = head; at < bytes.length && in.available() == 0 && !isOver(); at++) {
        socket.getOutputStream().write(bytes, at, 1);
        sleep(BYTE_MILLIS);
      }
    }

    /** Reads an answer; whether the connection can be used again. */
    private boolean count(InputStream in) throws IOException {
      int status = Integer.parseInt(line(in).split(" ", -1)[1]);
      Map<String, String> headers = headers(in);
      skipBody(in, headers);
      if (status / HUNDRED == OK) {
        served.incrementAndGet();
      } else {
        count(status == TOO_MANY ? Flood.BUSY : "status " + status);
      }
      return !"close".equalsIgnoreCase(headers.getOrDefault("connection", ""));
    }

    private void count(String what) {
      if (!isOver()) {
        others.computeIfAbsent(what, any -> new AtomicInteger()).incrementAndGet();
      }
    }

    RateStep step(double seconds) {
      Map<String, Integer> counts = new HashMap<>();
      others.forEach((what, count) -> counts.put(what, count.get()));
      return new RateStep(
          sent.get() / seconds, seconds, sent.get(), served.get(), counts, RateStep.histogram(), 0);
    }
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static void skipBody(InputStream in, Map<String, String> headers) throws IOException {
    if (!"chunked".equals(headers.getOrDefault("transfer-encoding", ""))) {
      in.skipNBytes(Long.parseLong(headers.getOrDefault("content-length", "0")));
      return;
    }
    long length;
    do {
      length = Long.parseLong(line(in), 16);
      in.skipNBytes(length);
      line(in);
    } while (length > 0);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed, one way or the other
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(Math.max(0, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
