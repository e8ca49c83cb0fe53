package io.solidus.platform.tracing;

import io.grpc.ClientInterceptor;
import io.grpc.ServerInterceptor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Records spans of the steps of traced requests. A trace starts at the services that wallets and
 * operators call, and continues over gRPC. Without a trace, work runs unrecorded. {@link
 * SpanAttribute} lists the attributes, which contain nothing of a request.
 */
public final class Spans {
  static final String SCOPE = "io.solidus";
  private static final int MOST_LINKS = 32;

  private final Tracer tracer;

  Spans(TracerProvider provider) {
    this.tracer = provider.get(SCOPE);
  }

  /** Makes an instance that records nothing. */
  public static Spans none() {
    return new Spans(TracerProvider.noop());
  }

  /** The position in a trace, for work that continues in another thread. */
  public record Place(Context context) {
    public static Place here() {
      return new Place(Context.current());
    }

    private SpanContext span() {
      return Span.fromContext(context).getSpanContext();
    }
  }

  /** Runs a step, as a span of the current trace if there is one. */
  public <T> T stage(String stage, Supplier<T> work) {
    return Span.current().isRecording()
        ? run(tracer.spanBuilder(stage + " stage").startSpan(), work)
        : work.get();
  }

  /** Runs a request to one authority, as a span of the current trace if there is one. */
  public <T> T authority(int index, Supplier<T> work) {
    return Span.current().isRecording()
        ? run(
            tracer
                .spanBuilder("authority")
                .setAttribute(SpanAttribute.AUTHORITY.key(), Integer.toString(index))
                .startSpan(),
            work)
        : work.get();
  }

  /**
   * Runs work on several requests at a time. Its span is part of the first traced request's trace
   * and linked with at most 32 others.
   *
   * @param places the position of each request in its trace
   */
  public void batch(String kind, Collection<Place> places, Runnable work) {
    List<Place> traced =
        places.stream().filter(place -> place.span().isSampled()).limit(1 + MOST_LINKS).toList();
    if (traced.isEmpty()) {
      work.run();
      return;
    }
    SpanBuilder batch =
        tracer
            .spanBuilder("batch")
            .setParent(traced.getFirst().context())
            .setAttribute(SpanAttribute.KIND.key(), kind)
            .setAttribute(SpanAttribute.SIZE.key(), Integer.toString(places.size()));
    traced.stream().skip(1).forEach(place -> batch.addLink(place.span()));
    run(
        batch.startSpan(),
        () -> {
          work.run();
          return true;
        });
  }

  /** Makes the interceptor of a gRPC server that records calls of traced callers. */
  public ServerInterceptor ofServer() {
    return new SpanServerInterceptor(tracer);
  }

  /** Makes the interceptor of a gRPC client that records calls within a trace. */
  public ClientInterceptor ofClient() {
    return new SpanClientInterceptor(tracer);
  }

  /** Starts a new trace, never the caller's. The span is invalid if tracing is off. */
  Span root() {
    return tracer.spanBuilder("http").setNoParent().setSpanKind(SpanKind.SERVER).startSpan();
  }

  private static <T> T run(Span span, Supplier<T> work) {
    try (Scope scope = span.makeCurrent()) {
      return work.get();
    } catch (RuntimeException | Error e) {
      span.setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }
}
