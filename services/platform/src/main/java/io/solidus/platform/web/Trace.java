package io.solidus.platform.web;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The id that ties together what one request caused (W3C trace context). It is random and says nothing about the caller. */
public final class Trace {
  /** Header and gRPC metadata key. */
  public static final String PARENT = "traceparent";

  /** Key in log records. */
  public static final String MDC_KEY = "traceId";

  private static final Pattern SHAPE = Pattern.compile("00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Trace() {}

  /** The current request's trace id. */
  public static Optional<String> current() {
    return Optional.ofNullable(MDC.get(MDC_KEY));
  }

  /** The trace id of a {@code traceparent} value, or a new one when there is none or it is malformed. */
  public static String fromParent(@Nullable String parent) {
    if (parent != null) {
      Matcher matcher = SHAPE.matcher(parent);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    return random(16);
  }

  /** A {@code traceparent} value that continues a trace. */
  public static String toParent(String traceId) {
    return "00-" + traceId + "-" + random(8) + "-01";
  }

  private static String random(int bytes) {
    byte[] id = new byte[bytes];
    RANDOM.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
