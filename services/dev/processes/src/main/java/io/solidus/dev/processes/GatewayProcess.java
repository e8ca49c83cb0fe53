package io.solidus.dev.processes;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A real gateway in a process of its own, in front of the authorities of a cluster. Several may
 * share one database, as replicas do.
 */
public final class GatewayProcess implements AutoCloseable {

  private static final String NOBODY = "http://127.0.0.1:1";

  private final Path folder;
  private final String name;
  private final Properties properties = new Properties();
  private final List<String> jvm;
  private final int port = Ports.next();
  private volatile String classPath =
      System.getProperty(AuthorityProcesses.CLASS_PATH, System.getProperty("java.class.path"));
  private volatile NodeProcess process;

  /** Starts it; {@link #awaitReady} waits. */
  public GatewayProcess(
      ClusterOptions options,
      List<AuthorityProcesses> authorities,
      int number,
      DatabaseServer database,
      String databaseName) {
    this.name = "gateway-" + number;
    this.folder = options.folder().resolve(name);
    this.jvm = options.jvm();
    properties.setProperty("roles", NodeMain.GATEWAY);
    put("server.address", "127.0.0.1");
    put("server.port", port);
    put("spring.datasource.url", database.url(databaseName));
    put("spring.datasource.username", DatabaseServer.USER);
    put("spring.datasource.password", DatabaseServer.USER);
    put("spring.lifecycle.timeout-per-shutdown-phase", "10s");
    NetworkFiles network = options.network();
    put("solidus.network.id", network.id().value());
    put("solidus.network.kind", network.kind());
    put("solidus.network.keys-dir", network.directory());
    put("solidus.network.manifest-key", network.manifestKeyBase64());
    put("solidus.network.allowed-key-classes", network.keyClass());
    for (String service : List.of("registration", "sanctions", "issuance")) {
      put("solidus.gateway.urls." + service, NOBODY);
    }
    put("solidus.gateway.shard-map-interval", "1s");
    for (AuthorityProcesses authority : authorities) {
      String prefix = "solidus.gateway.authorities[" + (authority.index() - 1) + "].";
      put(prefix + "index", authority.index());
      for (int shard = 0; shard < options.shards(); shard++) {
        put(prefix + "shards[" + shard + "]", "127.0.0.1:" + authority.clientPort(shard));
      }
    }
    this.process = launch();
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

  /** From now on it is started from another build. */
  public void use(String otherClassPath) {
    this.classPath = otherClassPath;
  }

  /**
   * SIGTERM, as in a roll-out.
   *
   * @return whether it ended by itself in time
   */
  public boolean terminate() {
    return process.terminate();
  }

  public void start() {
    process = launch();
    process.awaitReady();
  }

  /** What the process measured since it started, by "name tags". */
  public Map<String, Measured> timers() {
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

  private NodeProcess launch() {
    return NodeProcess.launch(name, folder, properties, new ArrayList<>(jvm), classPath);
  }

  private void put(String key, Object value) {
    properties.setProperty(NodeMain.GATEWAY + "." + key, value.toString());
  }
}
