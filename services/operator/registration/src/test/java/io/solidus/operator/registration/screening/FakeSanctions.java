package io.solidus.operator.registration.screening;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A fake sanctions service with a configurable answer. */
public final class FakeSanctions implements AutoCloseable {
  /** Against version 3 of the UN list. */
  public static final String NO_MATCH = against(3);

  /** Against the same. */
  public static final String ONE_MATCH = against(3, match("un", "QDi.001", "digest-1"));

  private static final String NOT_REPLACED = replacement(false, false, false);

  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private volatile String waitingImport = "";
  private volatile String listedName = "";
  private volatile String addedName = "";
  private volatile String replacedApk = "none";
  private volatile String replacement = NOT_REPLACED;
  private volatile int status = 200;
  private volatile String answer = NO_MATCH;
  private volatile String newestBasis = basis(3);
  private volatile long delayMillis;
  private final AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();

  public FakeSanctions() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/admin/v1/sanctions/", this::handle);
    server.start();
  }

  /** The answer for a person, against a version of the UN list. */
  public static String against(long version, String... matches) {
    return """
    {"matches":[%s],"verdict":"%s","cut":false,"basis":%s}\
    """
        .formatted(
            String.join(",", matches), matches.length == 0 ? "clear" : "match", basis(version));
  }

  /** A match with an entry. */
  public static String match(String list, String reference, String digest) {
    return """
    {"list":"%s","reference":"%s","kind":"person","name":"ADA LOVELACE","weakAlias":false,"score":0.97,\
    "birthYear":"agrees","key":"%s:%s","entryDigest":"%s","explanation":{"ada":1.0}}\
    """
        .formatted(list, reference, list, reference, digest);
  }

  private static String basis(long version) {
    return """
    {"lists":[{"list":"un","version":%d}],"matcher":"7","threshold":0.8}\
    """
        .formatted(version);
  }

  /** Imports a version of the UN list, against which all answers are from now on. */
  public void newList(long version, String... matches) {
    newestBasis = basis(version);
    answer(200, against(version, matches));
  }

  /** Tells a version of the UN list, against which no answer is yet. */
  public void newBasis(long version) {
    newestBasis = basis(version);
  }

  /** Runs something after the next question about persons was asked and before it is answered. */
  public void duringNextScreening(Runnable action) {
    meanwhile.set(action);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/basis")) {
      reply(exchange, newestBasis);
      return;
    }
    if (path.endsWith("/addresses/replaced")) {
      String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      reply(exchange, asked.contains(replacedApk) ? replacement : NOT_REPLACED);
      return;
    }
    if (path.contains("/imports/")) {
      imports(exchange, path);
      return;
    }
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    requests.add(body);
    String found = answer;
    Runnable action = meanwhile.getAndSet(null);
    if (action != null) {
      action.run();
    }
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    if (path.endsWith("/batch")) {
      reply(
          exchange,
          Arrays.stream(body.split("fullName"))
              .skip(1)
              .map(person -> answer(person, found))
              .collect(Collectors.joining(",", "{\"answers\":[", "]}")));
      return;
    }
    reply(exchange, answer(body, found));
  }

  /** Whoever has this name matches, whatever the answer for others; empty for nobody. */
  public void list(String name) {
    listedName = name;
  }

  private String answer(String person, String otherwise) {
    return listedName.isEmpty() || !person.contains(listedName)
        ? otherwise
        : "{\"matches\":["
            + match("un", "QDi.007", "digest-7")
            + "],\"verdict\":\"match\",\"cut\":false,\"basis\":"
            + newestBasis
            + "}";
  }

  /** Two persons listed an address as replaced; no other one is. */
  public void replaced(String apk, boolean published, boolean laterPeriod) {
    replacement = replacement(true, published, laterPeriod);
    replacedApk = apk;
  }

  private static String replacement(boolean replaced, boolean published, boolean laterPeriod) {
    return "{\"replaced\":%s,\"published\":%s,\"laterPeriod\":%s}"
        .formatted(replaced, published, laterPeriod);
  }

  /** An import waits that would add a name. */
  public void letImportWait(String id, String name) {
    addedName = name;
    waitingImport = id;
  }

  /** What was told of imports: the end of the path, and the body. */
  public List<String> reports() {
    return reports;
  }

  private void imports(HttpExchange exchange, String path) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (path.endsWith("/unscreened")) {
      String waiting =
          waitingImport.isEmpty() || !reports.isEmpty() ? "" : '"' + waitingImport + '"';
      reply(exchange, "{\"imports\":[" + waiting + "]}");
    } else if (path.endsWith("/screenings")) {
      String matches =
          Arrays.stream(body.split("fullName"))
              .skip(1)
              .map(person -> person.contains(addedName) ? "1" : "0")
              .collect(Collectors.joining(","));
      reply(exchange, "{\"matches\":[" + matches + "]}");
    } else {
      reports.add(path.substring(path.indexOf("/imports/") + "/imports/".length()) + ' ' + body);
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }
  }

  private void reply(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    try (exchange) {
      Thread.sleep(delayMillis);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public void answer(int newStatus, String newAnswer) {
    answer = newAnswer;
    status = newStatus;
  }

  /** Sends the headers at once and the body after a delay. */
  public void delayBody(long newDelayMillis) {
    delayMillis = newDelayMillis;
  }

  public List<String> requests() {
    return requests;
  }

  public List<String> authorizations() {
    return authorizations;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
