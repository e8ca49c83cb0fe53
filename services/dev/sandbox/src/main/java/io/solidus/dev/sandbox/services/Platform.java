package io.solidus.dev.sandbox.services;

import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.sandbox.control.ControlServer;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.edge.prover.ProverApplication;
import io.solidus.edge.relay.RelayApplication;
import io.solidus.operator.console.ConsoleApplication;
import io.solidus.operator.issuance.IssuanceApplication;
import io.solidus.operator.registration.RegistrationApplication;
import io.solidus.operator.sanctions.SanctionsApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.springframework.context.ConfigurableApplicationContext;

/** All services of the platform, started in the order of their dependencies. */
public final class Platform implements AutoCloseable, ControlServer.Authorities {
  private static final List<String> DATABASES =
      List.of("sanctions", "registration", "issuance", "gateway");

  /** Services whose role does not own its tables, as in production. */
  private static final List<String> OWNED = List.of("sanctions", "registration", "issuance");

  private final SandboxOptions options;
  private final ServiceProperties properties;
  private final List<ConfigurableApplicationContext> services = new ArrayList<>();
  private final List<Authority> authorities;

  public Platform(SandboxOptions options, ServiceProperties properties) {
    this.options = options;
    this.properties = properties;
    this.authorities =
        IntStream.rangeClosed(1, options.authorities())
            .mapToObj(i -> new Authority(i, options, properties))
            .toList();
  }

  /**
   * Starts all services. An unregulated network has no registration and no compliance issuers, and
   * the console is for a bank's people.
   *
   * @param progress gets the name of each service before it starts
   */
  public void start(PostgresServer postgres, Consumer<String> progress) throws Exception {
    createDatabases(options, postgres);
    for (String service : OWNED) {
      if (options.isRegulated() || !service.equals("registration")) {
        properties.migrate(service);
      }
    }
    progress.accept("sanctions");
    services.add(SanctionsApplication.start(properties.sanctions()));
    if (options.isRegulated()) {
      progress.accept("registration");
      services.add(RegistrationApplication.start(properties.registration()));
    }
    for (int i = 1; i <= authorities.size(); i++) {
      progress.accept("authority " + i + " of " + authorities.size());
      authorities.get(i - 1).start();
    }
    progress.accept("issuance");
    services.add(IssuanceApplication.start(properties.issuance()));
    if (!options.loadTest()) {
      progress.accept("prover");
      services.add(ProverApplication.start(properties.prover()));
    }
    progress.accept("gateway");
    services.add(GatewayApplication.start(properties.gateway()));
    if (!options.loadTest()) {
      progress.accept("relay");
      services.add(RelayApplication.start(properties.relay()));
    }
    if (options.isRegulated()) {
      progress.accept("console");
      services.add(ConsoleApplication.start(properties.console()));
    }
  }

  /** Creates the missing databases of the services. */
  public static void createDatabases(SandboxOptions options, PostgresServer postgres) {
    for (String database : DATABASES) {
      postgres.ensureDatabase(database);
    }
    for (int i = 1; i <= options.authorities(); i++) {
      postgres.ensureDatabase(ServiceProperties.authorityDatabase(i));
    }
  }

  /** Stops the authorities at the same time, because they do not depend on each other. */
  private void closeTogether() {
    try (ExecutorService threads = Executors.newFixedThreadPool(authorities.size())) {
      authorities.forEach(authority -> threads.execute(authority::close));
    }
  }

  @Override
  public void kill(int index) {
    authority(index).close();
  }

  @Override
  public void start(int index) throws Exception {
    authority(index).start();
  }

  private Authority authority(int index) {
    if (index < 1 || index > authorities.size()) {
      throw new IllegalArgumentException("no such authority");
    }
    return authorities.get(index - 1);
  }

  @Override
  public void close() {
    services.reversed().forEach(ConfigurableApplicationContext::close);
    services.clear();
    closeTogether();
  }
}
