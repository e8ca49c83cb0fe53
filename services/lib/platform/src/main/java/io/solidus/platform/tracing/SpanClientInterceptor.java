package io.solidus.platform.tracing;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;

/**
 * Records a span of each call within a trace, from its start to its end. The span is current while
 * the next interceptors write the headers.
 */
final class SpanClientInterceptor implements ClientInterceptor {
  private final Tracer tracer;

  SpanClientInterceptor(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    if (!Span.current().isRecording()) {
      return call;
    }
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        Span span =
            tracer.spanBuilder(method.getFullMethodName()).setSpanKind(SpanKind.CLIENT).startSpan();
        try (Scope scope = span.makeCurrent()) {
          super.start(ending(span, listener), headers);
        } catch (RuntimeException e) {
          span.setStatus(StatusCode.ERROR);
          span.end();
          throw e;
        }
      }
    };
  }

  private static <A> ClientCall.Listener<A> ending(Span span, ClientCall.Listener<A> listener) {
    return new SimpleForwardingClientCallListener<>(listener) {
      @Override
      public void onClose(Status status, Metadata trailers) {
        end(span, status);
        super.onClose(status, trailers);
      }
    };
  }

  /**
   * Ends a span with the code of the status. Its description, which may contain anything, is not
   * recorded.
   */
  static void end(Span span, Status status) {
    span.setAttribute(SpanAttribute.OUTCOME.key(), status.getCode().name());
    if (!status.isOk()) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }
}
