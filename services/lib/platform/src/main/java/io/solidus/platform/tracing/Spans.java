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
 * Records what a traced request goes through. A trace begins where wallets and operators call, and
 * is continued over gRPC; where nothing is traced, work simply runs. What a span can say is in
 * {@link Label}: nothing of a request.
 */
public final class Spans {
  static final String SCOPE = "io.solidus";
  private static final int MOST_LINKS = 32;

  private final Tracer tracer;

  Spans(TracerProvider provider) {
    this.tracer = provider.get(SCOPE);
  }

  /** Records nothing. */
  public static Spans none() {
    return new Spans(TracerProvider.noop());
  }

  /** Where in a trace something is, for work that goes on in another thread. */
  public record Place(Context context) {
    public static Place here() {
      return new Place(Context.current());
    }

    private SpanContext span() {
      return Span.fromContext(context).getSpanContext();
    }
  }

  /** A step of the current trace, if there is one. */
  public <T> T stage(String stage, Supplier<T> work) {
    return Span.current().isRecording()
        ? run(tracer.spanBuilder(stage + " stage").startSpan(), work)
        : work.get();
  }

  /** What one authority is asked in the current trace, if there is one. */
  public <T> T authority(int index, Supplier<T> work) {
    return Span.current().isRecording()
        ? run(
            tracer
                .spanBuilder("authority")
                .setAttribute(Label.AUTHORITY.key(), Integer.toString(index))
                .startSpan(),
            work)
        : work.get();
  }

  /**
   * Work on several requests at a time. It is part of the first traced one's trace and is linked
   * with the others', a few of them.
   *
   * @param places where each request comes from
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
            .setAttribute(Label.KIND.key(), kind)
            .setAttribute(Label.SIZE.key(), Integer.toString(places.size()));
    traced.stream().skip(1).forEach(place -> batch.addLink(place.span()));
    run(
        batch.startSpan(),
        () -> {
          work.run();
          return true;
        });
  }

  /** Spans of the calls that a gRPC server takes, where the caller is traced. */
  public ServerInterceptor ofServer() {
    return new SpanServerInterceptor(tracer);
  }

  /** Spans of the calls that a gRPC client makes within a trace. */
  public ClientInterceptor ofClient() {
    return new SpanClientInterceptor(tracer);
  }

  /** The beginning of a trace, whatever the caller says of one; invalid where nothing is traced. */
  Span root() {
    return tracer.spanBuilder("http").setNoParent().setSpanKind(SpanKind.SERVER).startSpan();
  }

  private static <T> T run(Span span, Supplier<T> work) {
    try (Scope here = span.makeCurrent()) {
      return work.get();
    } catch (RuntimeException | Error e) {
      span.setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }
}
