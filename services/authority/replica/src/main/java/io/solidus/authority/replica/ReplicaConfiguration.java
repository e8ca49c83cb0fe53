package io.solidus.authority.replica;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.MailReading;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class ReplicaConfiguration {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(10);

  @Bean(destroyMethod = "close")
  GatewayPages gatewayPages(
      HttpClients clients, ReplicaProperties properties, ReplicaKeys keys, Clock clock) {
    return new GatewayPages(
        new BoundedCalls(clients.open(CONNECT_TIMEOUT)),
        properties.address(),
        target ->
            new MailReading(properties.authority(), clock.instant().getEpochSecond(), target)
                .header(properties.network(), keys.lists()));
  }

  /**
   * A second pod of the StatefulSet would sign a second list of one time (ADR 69), so it ends
   * before it has the keys.
   */
  @Bean
  ReplicaKeys replicaKeys(ReplicaProperties properties, Environment environment) {
    String host = environment.getProperty("HOSTNAME");
    if (properties.pod() != null && !properties.pod().equals(host)) {
      throw new IllegalStateException(
          "this is %s, and only %s may sign the lists of this mailbox: one replica runs for an authority and mailbox, so scale its StatefulSet to 1"
              .formatted(host, properties.pod()));
    }
    return ReplicaKeys.read(properties.authority(), properties.keyFile());
  }

  /** One process at a time has the folder. */
  @Bean(destroyMethod = "close")
  @ConditionalOnProperty("solidus.replica.folder")
  TableFiles tableFiles(ReplicaProperties properties) {
    return TableFiles.open(
        Objects.requireNonNull(properties.folder(), "solidus.replica.folder"),
        properties.network());
  }

  @Bean
  TableCopies tableCopies(ReplicaProperties properties, ObjectProvider<TableFiles> files) {
    TableFiles stored = files.getIfAvailable();
    return stored == null
        ? new TableCopies(properties.memory().toBytes())
        : new TableCopies(properties.disk().toBytes(), stored, properties.earlierDays());
  }

  @Bean
  Replica replica(
      ReplicaProperties properties,
      ReplicaKeys keys,
      GatewayPages pages,
      TableCopies copies,
      Clock clock,
      MeterRegistry metrics) {
    return new Replica(properties, keys, pages, copies, clock, metrics);
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
