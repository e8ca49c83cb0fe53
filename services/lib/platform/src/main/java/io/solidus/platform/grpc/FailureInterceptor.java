package io.solidus.platform.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.platform.tracing.Trace;
import io.solidus.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Converts failures of a gRPC service. An exception that a handler throws, or passes to {@code
 * onError}, becomes a status without internal details. A refusal becomes its status, with its code
 * in the trailer. While a handler runs, log records carry the caller's trace id.
 */
public final class FailureInterceptor implements ServerInterceptor {
  static final Metadata.Key<String> CODE =
      Metadata.Key.of("solidus-code", Metadata.ASCII_STRING_MARSHALLER);
  private static final Logger log = LoggerFactory.getLogger(FailureInterceptor.class);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    GuardedCall<Q, A> guarded = new GuardedCall<>(call);
    return new GuardedListener<>(
        next.startCall(guarded, headers), guarded, Trace.fromParent(headers.get(Trace.PARENT)));
  }

  private static final class GuardedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean closed;

    GuardedCall(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      boolean failed =
          status.getCode() == Status.Code.UNKNOWN || status.getCause() instanceof ProtocolException;
      if (failed) {
        fail(status.getCause());
      } else if (!closed) {
        closed = true;
        super.close(status, trailers);
      }
    }

    synchronized void fail(@Nullable Throwable failure) {
      if (closed) {
        return;
      }
      closed = true;
      Metadata trailers = new Metadata();
      super.close(status(failure, trailers), trailers);
    }

    private Status status(@Nullable Throwable failure, Metadata trailers) {
      if (failure instanceof ProtocolException refusal) {
        trailers.put(CODE, refusal.code().code());
        return Rejections.toStatus(refusal.code()).withDescription(refusal.detail());
      }
      if (failure instanceof StatusRuntimeException known
          && known.getStatus().getCode() != Status.Code.UNKNOWN) {
        return Status.fromCode(known.getStatus().getCode());
      }
      log.error(
          "unforeseen failure in {}: {}",
          getMethodDescriptor().getFullMethodName(),
          failure == null ? "unknown" : failure.getClass().getName());
      return Status.INTERNAL.withDescription("internal");
    }
  }

  private static final class GuardedListener<Q, A> extends SimpleForwardingServerCallListener<Q> {
    private final GuardedCall<Q, A> call;
    private final String traceId;

    GuardedListener(ServerCall.Listener<Q> listener, GuardedCall<Q, A> call, String traceId) {
      super(listener);
      this.call = call;
      this.traceId = traceId;
    }

    @Override
    public void onMessage(Q message) {
      guard(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      guard(super::onHalfClose);
    }

    @Override
    public void onReady() {
      guard(super::onReady);
    }

    private void guard(Runnable step) {
      MDC.put(Trace.MDC_KEY, traceId);
      try {
        step.run();
      } catch (RuntimeException failure) {
        call.fail(failure);
      } finally {
        MDC.remove(Trace.MDC_KEY);
      }
    }
  }
}
