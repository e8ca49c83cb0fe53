package io.solidus.platform.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Gives every request a trace id, in its log records and in the response header {@code X-Trace-Id},
 * and starts the trace of some. The id is always new, because an id of the caller's choice could
 * link a wallet's requests.
 */
final class TraceFilter extends OncePerRequestFilter {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final int SERVER_ERROR = 500;

  private final Spans spans;

  TraceFilter(Spans spans) {
    this.spans = spans;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Span span = isProbe(request) ? Span.getInvalid() : spans.root();
    String traceId =
        span.getSpanContext().isValid() ? span.getSpanContext().getTraceId() : Trace.newTraceId();
    MDC.put(Trace.MDC_KEY, traceId);
    response.setHeader("X-Trace-Id", traceId);
    try (Scope scope = span.makeCurrent()) {
      chain.doFilter(request, response);
    } finally {
      MDC.remove(Trace.MDC_KEY);
      end(span, request, response.getStatus());
    }
  }

  /** Probes and the metrics collector call every few seconds and are not traced. */
  private static boolean isProbe(HttpServletRequest request) {
    return request.getRequestURI().startsWith("/actuator");
  }

  /**
   * Ends the span with the route's pattern, never the path, which may contain a core or a serial
   * number.
   */
  private static void end(Span span, HttpServletRequest request, int status) {
    if (span.isRecording()) {
      Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
      span.setAttribute(
          SpanAttribute.METHOD.key(),
          METHODS.contains(request.getMethod()) ? request.getMethod() : "other");
      span.setAttribute(
          SpanAttribute.ROUTE.key(), route instanceof String pattern ? pattern : "none");
      span.setAttribute(SpanAttribute.STATUS.key(), Integer.toString(status));
      if (status >= SERVER_ERROR) {
        span.setStatus(StatusCode.ERROR);
      }
    }
    span.end();
  }
}
