package io.solidus.platform.grpc;

import io.grpc.ServerInterceptor;
import io.solidus.platform.tracing.Spans;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;

/** The rules at both ends of a gRPC call. */
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

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  GrpcChannels grpcChannels(GrpcProperties properties, ObjectProvider<SslBundles> bundles, ObjectProvider<Spans> spans) {
    String bundle = properties.sslBundle();
    SslBundle tls = bundle.isEmpty() ? null : bundles.getObject().getBundle(bundle);
    return new GrpcChannels(properties, tls, spans.getIfAvailable(Spans::none));
  }
}
