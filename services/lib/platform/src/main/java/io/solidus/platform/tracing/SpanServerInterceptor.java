package io.solidus.platform.tracing;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/**
 * Continues the caller's trace. It starts none for a caller that is not traced, because a payment's
 * trace starts at the gateway. It is the first interceptor, so that it sees the end of each call.
 */
final class SpanServerInterceptor implements ServerInterceptor {
  private final Tracer tracer;

  SpanServerInterceptor(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    SpanContext caller = Trace.parse(headers.get(Trace.PARENT));
    if (!caller.isValid()) {
      return next.startCall(call, headers);
    }
    Context parent = Context.root().with(Span.wrap(caller));
    Span span = caller.isSampled() ? start(parent, call) : Span.wrap(caller);
    Context inside = parent.with(span);
    try (Scope scope = inside.makeCurrent()) {
      return new TracedListener<>(
          next.startCall(new EndingCall<>(call, span), headers), inside, span);
    }
  }

  private Span start(Context parent, ServerCall<?, ?> call) {
    return tracer
        .spanBuilder(call.getMethodDescriptor().getFullMethodName())
        .setParent(parent)
        .setSpanKind(SpanKind.SERVER)
        .startSpan();
  }

  private static final class EndingCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final Span span;

    EndingCall(ServerCall<Q, A> call, Span span) {
      super(call);
      this.span = span;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(status, trailers);
      SpanClientInterceptor.end(span, status);
    }
  }

  private static final class TracedListener<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Context inside;
    private final Span span;

    TracedListener(ServerCall.Listener<Q> listener, Context inside, Span span) {
      super(listener);
      this.inside = inside;
      this.span = span;
    }

    @Override
    public void onMessage(Q message) {
      try (Scope scope = inside.makeCurrent()) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      try (Scope scope = inside.makeCurrent()) {
        super.onHalfClose();
      }
    }

    @Override
    public void onReady() {
      try (Scope scope = inside.makeCurrent()) {
        super.onReady();
      }
    }

    @Override
    public void onCancel() {
      try (Scope scope = inside.makeCurrent()) {
        super.onCancel();
      } finally {
        SpanClientInterceptor.end(span, Status.CANCELLED);
      }
    }
  }
}
