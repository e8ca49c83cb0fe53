package io.solidus.platform.tracing;

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
 * The id that ties together what one request caused (W3C trace context). It is random and says
 * nothing about the caller. Of the standard's headers only {@code traceparent} is read and written:
 * trace state and baggage are for what others have to say, and end here.
 */
public final class Trace {
  /** Header and gRPC metadata key. */
  public static final String PARENT = "traceparent";

  /** Key in log records. */
  public static final String MDC_KEY = "traceId";

  private static final Pattern SHAPE =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Trace() {}

  /** The current request's trace id. */
  public static Optional<String> current() {
    return Optional.ofNullable(MDC.get(MDC_KEY));
  }

  /**
   * The trace id of a {@code traceparent} value, or a new one when there is none or it is
   * malformed.
   */
  public static String fromParent(@Nullable String parent) {
    SpanContext given = parse(parent);
    return given.isValid() ? given.getTraceId() : newTraceId();
  }

  /**
   * The {@code traceparent} of a call made from here: of the span that is recorded or, where none
   * is, of the request's id alone.
   */
  public static Optional<String> parent() {
    SpanContext here = Span.current().getSpanContext();
    return here.isValid()
        ? Optional.of(
            "00-" + here.getTraceId() + "-" + here.getSpanId() + "-" + here.getTraceFlags().asHex())
        : current().map(id -> "00-" + id + "-" + newSpanId() + "-00");
  }

  /** Work for another thread, as part of the request that it is made in. */
  public static Runnable carried(Runnable work) {
    Optional<String> id = current();
    Context place = Context.current();
    return () -> {
      id.ifPresent(value -> MDC.put(MDC_KEY, value));
      try (Scope here = place.makeCurrent()) {
        work.run();
      } finally {
        MDC.remove(MDC_KEY);
      }
    };
  }

  /**
   * Invalid when there is none or it is malformed. Whether it is sampled is taken over, nothing
   * else.
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
