package io.solidus.platform.grpc;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.solidus.platform.tls.Loopback;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.ProtocolException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Channels to other services, one per address. They close with the context. */
public final class GrpcChannels implements AutoCloseable {
  private static final long KEEP_ALIVE_SECONDS = 360; // a server permits one ping in five minutes
  private static final long CLOSE_SECONDS = 5;

  /**
   * Delays reconnecting. Without it a channel waits up to two minutes after a server was
   * unavailable for long.
   */
  private static final Executor IN_TWO_SECONDS =
      CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS);

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** As in gRPC's own contexts. */
  private static final ApplicationProtocolConfig HTTP_2 =
      new ApplicationProtocolConfig(
          Protocol.ALPN,
          SelectorFailureBehavior.NO_ADVERTISE,
          SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2);

  private final GrpcProperties properties;
  private final @Nullable SslBundle tls;
  private final Spans spans;
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

  /**
   * @param tls certificates of both sides; null for plaintext
   * @param spans of the calls
   */
  public GrpcChannels(GrpcProperties properties, @Nullable SslBundle tls, Spans spans) {
    this.properties = properties;
    this.tls = tls;
    this.spans = spans;
  }

  /**
   * Returns the channel to {@code host:port}. Its calls carry the trace of the current request.
   * Those without a deadline get the configured one.
   *
   * @throws ProtocolException malformed-request for plaintext to an address that is not loopback
   */
  public ManagedChannel to(String address) {
    return channels.computeIfAbsent(address, this::open);
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdown);
    for (ManagedChannel channel : channels.values()) {
      try {
        if (!channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
          channel.shutdownNow();
        }
      } catch (InterruptedException e) {
        channel.shutdownNow();
        Thread.currentThread().interrupt();
      }
    }
    channels.clear();
  }

  private ManagedChannel open(String address) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget("dns:///" + address)
            .maxInboundMessageSize((int) properties.maxReply().toBytes())
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .intercept(
                new ClientRulesInterceptor(properties.deadline()),
                spans.ofClient()); // gRPC calls the last one first
    if (tls != null) {
      builder.sslContext(context(tls));
    } else {
      requireLoopback(address);
      builder.usePlaintext();
    }
    ManagedChannel channel = builder.build();
    reconnectSoon(channel, channel.getState(false));
    return channel;
  }

  /** Ends the back-off after a failure, as long as the channel exists. */
  private static void reconnectSoon(ManagedChannel channel, ConnectivityState state) {
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      IN_TWO_SECONDS.execute(channel::resetConnectBackoff);
    }
    if (state != ConnectivityState.SHUTDOWN) {
      channel.notifyWhenStateChanged(state, () -> reconnectSoon(channel, channel.getState(false)));
    }
  }

  private void requireLoopback(String address) {
    String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
    if (!properties.allowPlaintext() && !Loopback.contains(host)) {
      throw ProtocolException.malformed(
          "plaintext gRPC is for loopback addresses; configure solidus.grpc.ssl-bundle");
    }
  }

  /**
   * Makes the context. It is renewed with its bundle, so that new connections use the newest
   * certificate.
   */
  private static SslContext context(SslBundle tls) {
    return new JdkSslContext(
        tls.createSslContext(),
        true,
        Http2SecurityUtil.CIPHERS,
        SupportedCipherSuiteFilter.INSTANCE,
        HTTP_2,
        ClientAuth.NONE,
        PROTOCOLS,
        false);
  }
}
