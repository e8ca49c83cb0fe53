package io.solidus.platform.tracing;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace id of a request (W3C trace context), which all calls and log records of the request
 * carry. It is random and contains nothing about the caller. Of the standard's headers only {@code
 * traceparent} is read and written. Trace state and baggage, which carry data of other systems, are
 * dropped.
 */
public final class Trace {
  /** The standard's header, as a key of gRPC metadata. */
  public static final Metadata.Key<String> PARENT =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

  /** Key in log records. */
  public static final String MDC_KEY = "traceId";

  private static final Pattern SHAPE =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Trace() {}

  /** Returns the current request's trace id. */
  public static Optional<String> current() {
    return Optional.ofNullable(MDC.get(MDC_KEY));
  }

  /**
   * Returns the trace id of a {@code traceparent} value, or a new one when it is missing or
   * malformed.
   */
  public static String fromParent(@Nullable String parent) {
    SpanContext given = parse(parent);
    return given.isValid() ? given.getTraceId() : newTraceId();
  }

  /**
   * Returns the {@code traceparent} of a call of the current request: of the recorded span, or else
   * of the request's id alone.
   */
  public static Optional<String> parent() {
    SpanContext here = Span.current().getSpanContext();
    return here.isValid()
        ? Optional.of(
            "00-" + here.getTraceId() + "-" + here.getSpanId() + "-" + here.getTraceFlags().asHex())
        : current().map(id -> "00-" + id + "-" + newSpanId() + "-00");
  }

  /** Wraps work for another thread, so that it runs as part of the current request. */
  public static Runnable carried(Runnable work) {
    Optional<String> id = current();
    Context context = Context.current();
    return () -> {
      id.ifPresent(value -> MDC.put(MDC_KEY, value));
      try (Scope scope = context.makeCurrent()) {
        work.run();
      } finally {
        MDC.remove(MDC_KEY);
      }
    };
  }

  /**
   * Reads a {@code traceparent} value; invalid when it is missing or malformed. Of the flags only
   * "sampled" is kept.
   */
  static SpanContext parse(@Nullable String parent) {
    Matcher matcher = SHAPE.matcher(parent == null ? "" : parent);
    if (!matcher.matches()) {
      return SpanContext.getInvalid();
    }
    boolean sampled = TraceFlags.fromHex(matcher.group(3), 0).isSampled();
    return SpanContext.createFromRemoteParent(
        matcher.group(1),
        matcher.group(2),
        sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
        TraceState.getDefault());
  }

  static String newTraceId() {
    return random(16);
  }

  static String newSpanId() {
    return random(8);
  }

  private static String random(int bytes) {
    byte[] id = new byte[bytes];
    RANDOM.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
