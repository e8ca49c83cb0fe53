package io.solidus.platform.grpc;

import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.solidus.platform.tracing.Spans;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/** Interceptors, channels and certificate checks of gRPC, for servers and clients. */
@AutoConfiguration
@EnableConfigurationProperties(GrpcProperties.class)
@ConditionalOnClass(name = "io.grpc.netty.NettyChannelBuilder")
public class GrpcAutoConfiguration {
  @Bean
  @GlobalServerInterceptor
  @Order(Ordered.HIGHEST_PRECEDENCE)
  ServerInterceptor spansOfServer(ObjectProvider<Spans> spans) {
    return spans.getIfAvailable(Spans::none).ofServer();
  }

  @Bean
  @GlobalServerInterceptor
  @Order(Ordered.HIGHEST_PRECEDENCE + 1)
  FailureInterceptor failureInterceptor() {
    return new FailureInterceptor();
  }

  /** Checks callers' certificates again, if the server requires certificates. */
  @Bean
  @ConditionalOnProperty("spring.grpc.server.ssl.bundle")
  @ConditionalOnProperty(name = "spring.grpc.server.ssl.secure", matchIfMissing = true)
  ServerBuilderCustomizer<NettyServerBuilder> peerTrust(
      Environment environment, SslBundles bundles) {
    SslBundle tls =
        bundles.getBundle(environment.getRequiredProperty("spring.grpc.server.ssl.bundle"));
    return server -> server.addTransportFilter(new PeerTrustFilter(tls));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  GrpcChannels grpcChannels(
      GrpcProperties properties, ObjectProvider<SslBundles> bundles, ObjectProvider<Spans> spans) {
    String bundle = properties.sslBundle();
    SslBundle tls = bundle.isEmpty() ? null : bundles.getObject().getBundle(bundle);
    return new GrpcChannels(properties, tls, spans.getIfAvailable(Spans::none));
  }
}
