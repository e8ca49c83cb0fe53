package io.solidus.authority.replica;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.time.RepeatedJob;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ReplicaConfiguration {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(10);

  @Bean(destroyMethod = "close")
  GatewayPages gatewayPages(HttpClients clients, ReplicaProperties properties) {
    return new GatewayPages(new BoundedCalls(clients.open(CONNECT_TIMEOUT)), properties.address());
  }

  @Bean
  Replica replica(
      ReplicaProperties properties, GatewayPages pages, Clock clock, MeterRegistry metrics) {
    ReplicaKeys keys = ReplicaKeys.read(properties.authority(), properties.keyFile());
    return new Replica(properties, keys, pages, clock, metrics);
  }

  @Bean
  RepeatedJob followTables(Replica replica, ReplicaProperties properties) {
    return RepeatedJob.selfPaced(
        "replica-tables",
        () -> {
          replica.follow();
          return properties.interval();
        },
        properties.interval(),
        LONGEST_BACK_OFF);
  }

  @Bean
  ReplicaEndpoint replicaEndpoint(Replica replica) {
    return new ReplicaEndpoint(replica);
  }
}
