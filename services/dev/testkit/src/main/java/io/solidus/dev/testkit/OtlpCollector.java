package io.solidus.dev.testkit;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** A collector of spans by OTLP over HTTP. It keeps the spans, and the raw bytes for searches. */
public final class OtlpCollector implements AutoCloseable {
  private final HttpServer server;
  private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
  private final List<Span> spans = new CopyOnWriteArrayList<>();

  public OtlpCollector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /**
   * A received span.
   *
   * @param parentId empty for the root of a trace
   * @param source attributes of the sending process
   * @param linked linked traces
   * @param status 0 unset, 1 ok, 2 error
   */
  public record Span(
      String traceId,
      String spanId,
      String parentId,
      String name,
      Map<String, String> attributes,
      Map<String, String> source,
      List<String> linked,
      int status,
      int events) {}

  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  public List<Span> spans() {
    return List.copyOf(spans);
  }

  /** The bodies of all requests, uncompressed. */
  public List<byte[]> bodies() {
    return List.copyOf(bodies);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream in = exchange.getRequestBody()) {
      boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      byte[] body = packed ? new GZIPInputStream(in).readAllBytes() : in.readAllBytes();
      bodies.add(body);
      read(UnknownFieldSet.parseFrom(body));
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  /** Reads the messages of opentelemetry.proto.trace.v1 by their field numbers. */
  private void read(UnknownFieldSet request) throws IOException {
    for (UnknownFieldSet ofResource : messages(request, 1)) {
      Map<String, String> source = new TreeMap<>();
      for (UnknownFieldSet resource : messages(ofResource, 1)) {
        source.putAll(attributes(resource, 1));
      }
      for (UnknownFieldSet ofScope : messages(ofResource, 2)) {
        for (UnknownFieldSet span : messages(ofScope, 2)) {
          spans.add(span(span, source));
        }
      }
    }
  }

  private static Span span(UnknownFieldSet span, Map<String, String> source) throws IOException {
    List<String> linked = new ArrayList<>();
    for (UnknownFieldSet link : messages(span, 13)) {
      linked.add(hex(link, 1));
    }
    int status = 0;
    for (UnknownFieldSet s : messages(span, 15)) {
      status =
          s.getField(3).getVarintList().stream().mapToInt(Long::intValue).findFirst().orElse(0);
    }
    return new Span(
        hex(span, 1),
        hex(span, 2),
        hex(span, 4),
        text(span, 5),
        attributes(span, 9),
        source,
        linked,
        status,
        messages(span, 11).size());
  }

  private static Map<String, String> attributes(UnknownFieldSet owner, int field)
      throws IOException {
    Map<String, String> attributes = new TreeMap<>();
    for (UnknownFieldSet pair : messages(owner, field)) {
      for (UnknownFieldSet value : messages(pair, 2)) {
        // other types of values are kept in printed form, so that searches find them
        attributes.put(text(pair, 1), value.hasField(1) ? text(value, 1) : value.toString());
      }
    }
    return attributes;
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet owner, int field)
      throws IOException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString bytes : owner.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(bytes));
    }
    return messages;
  }

  private static String text(UnknownFieldSet owner, int field) {
    return first(owner, field).toStringUtf8();
  }

  private static String hex(UnknownFieldSet owner, int field) {
    return HexFormat.of().formatHex(first(owner, field).toByteArray());
  }

  private static ByteString first(UnknownFieldSet owner, int field) {
    return owner.getField(field).getLengthDelimitedList().stream()
        .findFirst()
        .orElse(ByteString.EMPTY);
  }
}
