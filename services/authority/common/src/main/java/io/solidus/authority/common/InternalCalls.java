package io.solidus.authority.common;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;

/**
 * Interceptors that send the {@link InternalToken} with calls between processes of an authority,
 * and require it.
 */
public final class InternalCalls {

  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("solidus-internal-token", Metadata.ASCII_STRING_MARSHALLER);

  private InternalCalls() {}

  /** Sends the token with every call. */
  public static ClientInterceptor show(InternalToken token) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            headers.put(HEADER, token.value());
            super.start(listener, headers);
          }
        };
      }
    };
  }

  /**
   * Requires the token for the methods named in full ("package.Service/Method"); other methods need
   * none.
   */
  public static ServerInterceptor require(InternalToken token, Set<String> methods) {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (methods.contains(call.getMethodDescriptor().getFullMethodName())) {
          String shown = headers.get(HEADER);
          if (shown == null || !token.matches(shown)) {
            call.close(
                Status.PERMISSION_DENIED.withDescription("for processes of this authority only"),
                new Metadata());
            return new ServerCall.Listener<>() {};
          }
        }
        return next.startCall(call, headers);
      }
    };
  }
}
