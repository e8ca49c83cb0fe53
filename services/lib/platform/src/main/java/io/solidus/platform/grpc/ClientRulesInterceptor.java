package io.solidus.platform.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.solidus.platform.tracing.Trace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Gives every call a deadline and the trace of the current request. */
final class ClientRulesInterceptor implements ClientInterceptor {
  private final Duration defaultDeadline;

  ClientRulesInterceptor(Duration defaultDeadline) {
    this.defaultDeadline = defaultDeadline;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    CallOptions bounded =
        options.getDeadline() == null
            ? options.withDeadlineAfter(defaultDeadline.toMillis(), TimeUnit.MILLISECONDS)
            : options;
    return new SimpleForwardingClientCall<>(next.newCall(method, bounded)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        Trace.parent().ifPresent(parent -> headers.put(Trace.PARENT, parent));
        super.start(listener, headers);
      }
    };
  }
}
