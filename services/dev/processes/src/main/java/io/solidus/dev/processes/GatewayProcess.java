package io.solidus.dev.processes;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A gateway in a process of its own, in front of the authorities of a cluster. Several gateways may
 * share one database, as replicas do.
 */
public final class GatewayProcess implements AutoCloseable {

  private static final String ROLE = ServiceRole.GATEWAY.label();
  private static final String NO_SERVICE = "http://127.0.0.1:1";

  private final Path folder;
  private final String name;
  private final Properties properties = new Properties();
  private final List<String> jvm;
  private final int port = Ports.next();
  private volatile String classPath = AuthorityProcesses.defaultClassPath();
  private volatile ServiceProcess process;

  /** Starts the gateway; {@link #awaitReady} waits until it serves. */
  public GatewayProcess(
      ClusterOptions options,
      List<AuthorityProcesses> authorities,
      int number,
      PostgresServer database,
      String databaseName) {
    this(options, authorities, number, database, databaseName, Map.of());
  }

  /**
   * As the other constructor.
   *
   * @param further properties of the gateway
   */
  public GatewayProcess(
      ClusterOptions options,
      List<AuthorityProcesses> authorities,
      int number,
      PostgresServer database,
      String databaseName,
      Map<String, ?> further) {
    this.name = "gateway-" + number;
    this.folder = options.folder().resolve(name);
    this.jvm = options.jvm();
    properties.setProperty(ServiceMain.ROLES, ROLE);
    put("server.address", "127.0.0.1");
    put("server.port", port);
    put("spring.datasource.url", database.url(databaseName));
    put("spring.lifecycle.timeout-per-shutdown-phase", "10s");
    options.network().properties().forEach(this::put);
    for (String service : List.of("registration", "sanctions", "issuance")) {
      put("solidus.gateway.urls." + service, NO_SERVICE);
    }
    put("solidus.trust.registration", AuthorityProcesses.NOBODYS_KEY);
    put("solidus.gateway.shard-map-interval", "1s");
    for (AuthorityProcesses authority : authorities) {
      String prefix = "solidus.gateway.authorities[" + (authority.index() - 1) + "].";
      put(prefix + "index", authority.index());
      for (int shard = 0; shard < options.shards(); shard++) {
        put(prefix + "shards[" + shard + "]", "127.0.0.1:" + authority.clientPort(shard));
      }
    }
    further.forEach(this::put);
    this.process = launch();
  }

  /** Binds the process to processors. */
  public void pin(String processors) {
    process.pin(processors);
  }

  public ProcessHandle handle() {
    return process.handle();
  }

  public String name() {
    return name;
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  public void awaitReady() {
    process.awaitReady();
  }

  /** Selects the build for later starts. */
  public void use(String otherClassPath) {
    this.classPath = otherClassPath;
  }

  /** Selects other keys of the network for later starts. */
  public void use(NetworkFiles network) {
    network.properties().forEach(this::put);
  }

  /** Sends SIGTERM, as in a roll-out; returns whether the process ended in time. */
  public boolean terminate() {
    return process.terminate();
  }

  public void start() {
    process = launch();
    process.awaitReady();
  }

  /** The process's measurements since it started, by "name tags". */
  public Map<String, Measurement> timers() {
    return process.timers();
  }

  public Path log() {
    return process.log();
  }

  @Override
  public void close() {
    if (process.alive()) {
      process.close();
    }
  }

  private ServiceProcess launch() {
    return ServiceProcess.launch(name, folder, properties, jvm, classPath, Map.of());
  }

  private void put(String key, Object value) {
    properties.setProperty(ROLE + "." + key, value.toString());
  }
}
