package io.solidus.dev.processes;

import io.solidus.authority.spend.Failpoints.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * One authority: its database, its signer, its shards. Processes are named "signer" and "shard-J";
 * together they are named "all".
 */
public final class AuthorityProcesses implements AutoCloseable {

  /**
   * The system property with the class path of the build that processes are started from; by
   * default it is this one's.
   */
  public static final String CLASS_PATH = "solidus.cluster.class-path";

  private static final String SIGNER = "signer";
  private static final String ALL = "all";

  private final ClusterOptions options;
  private final int index;
  private final FactServer facts;
  private final DatabaseServer database;
  private final @Nullable KafkaServer kafka;
  private final String databaseName;
  private final Path folder;
  private final int signerPort = Ports.next();
  private final List<Integer> shardPorts = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Map<String, NodeProcess> processes = new LinkedHashMap<>();
  private volatile String classPath =
      System.getProperty(CLASS_PATH, System.getProperty("java.class.path"));

  AuthorityProcesses(
      ClusterOptions options,
      int index,
      FactServer facts,
      DatabaseServer database,
      @Nullable KafkaServer kafka) {
    this.options = options;
    this.index = index;
    this.facts = facts;
    this.database = database;
    this.kafka = kafka;
    this.databaseName = "authority_" + index;
    this.folder = options.folder().resolve("authority-" + index);
    database.createDatabase(databaseName);
    if (options.anchorFiles()) {
      makeFolder(anchorFile().getParent());
    }
    for (int shard = 0; shard < options.shards() + options.spareShards(); shard++) {
      int port = Ports.next();
      shardPorts.add(port);
      if (options.links()) {
        links.add(new Link(port));
      }
    }
  }

  public int index() {
    return index;
  }

  public DatabaseServer database() {
    return database;
  }

  public String databaseName() {
    return databaseName;
  }

  public Path signLog() {
    return folder.resolve("log").resolve("sign.log");
  }

  /** Where clients reach a shard: through its link when there is one. */
  public int clientPort(int shard) {
    return options.links() ? links.get(shard).port() : shardPorts.get(shard);
  }

  /** Where a shard itself listens. */
  int shardPort(int shard) {
    return shardPorts.get(shard);
  }

  /** The link of clients to a shard. */
  public Link link(int shard) {
    return links.get(shard);
  }

  /** The processes' names. */
  public List<String> names() {
    if (options.inOneProcess().contains(index)) {
      return List.of(ALL);
    }
    List<String> names = new ArrayList<>(List.of(SIGNER));
    for (int shard = 0; shard < options.shards(); shard++) {
      names.add(shardName(shard));
    }
    return names;
  }

  public static String shardName(int shard) {
    return "shard-" + shard;
  }

  /** Where the signer keeps the sign-log's head besides, when the options say so. */
  public Path anchorFile() {
    return options.folder().resolve("anchors").resolve("authority-" + index);
  }

  /** Where a process writes what it says. */
  public Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /** Starts all processes that do not run; returns before they serve. */
  public void launch() {
    names().forEach(this::launch);
  }

  public synchronized void launch(String name) {
    NodeProcess old = processes.get(name);
    if (old == null || !old.alive()) {
      processes.put(
          name, NodeProcess.launch(name, folder, properties(name), options.jvm(), classPath));
    }
  }

  /** From now on processes are started from another build. */
  public void use(String otherClassPath) {
    this.classPath = otherClassPath;
  }

  /**
   * SIGTERM to a process, as in a roll-out.
   *
   * @return whether it ended by itself in time
   */
  public boolean terminate(String name) {
    return process(name).terminate();
  }

  public void awaitReady() {
    names().forEach(name -> process(name).awaitReady());
  }

  public void start(String name) {
    launch(name);
    process(name).awaitReady();
  }

  public boolean alive(String name) {
    NodeProcess process = processes.get(name);
    return process != null && process.alive();
  }

  /**
   * Splits the range of a shard: the upper part goes to a shard that joins, the next one in number,
   * in a process of its own. Returns when the new map is in force; to run it again after it was
   * killed finishes what was begun.
   *
   * @param splitting names the process that does it
   */
  public void split(String splitting, int shard, int newShard) {
    start(shardName(newShard));
    Properties properties = new Properties();
    properties.setProperty("roles", NodeMain.SPLIT);
    shard(shard)
        .forEach(
            (key, value) -> properties.setProperty(NodeMain.SPLIT + "." + key, value.toString()));
    properties.setProperty(NodeMain.SPLIT + ".solidus.split.shard", Integer.toString(shard));
    properties.setProperty(NodeMain.SPLIT + ".solidus.split.new-shard", Integer.toString(newShard));
    NodeProcess process = NodeProcess.launch(splitting, folder, properties, options.jvm());
    synchronized (this) {
      processes.put(splitting, process);
    }
    process.awaitReady();
    process.close();
  }

  /**
   * Brings the database up to the sign-log, in a process of its own with the signer's
   * configuration.
   *
   * @return whether it was recovered; {@link #log} of "recover" says why not
   */
  public boolean recover() {
    Properties properties = new Properties();
    properties.setProperty("roles", NodeMain.RECOVER);
    signer()
        .forEach(
            (key, value) -> properties.setProperty(NodeMain.RECOVER + "." + key, value.toString()));
    NodeProcess process =
        NodeProcess.launch(NodeMain.RECOVER, folder, properties, options.jvm(), classPath);
    boolean done = process.awaitOutcome();
    process.close();
    return done;
  }

  /** SIGKILL. */
  public void kill(String name) {
    process(name).kill();
  }

  public void freeze(String name) {
    process(name).freeze();
  }

  /** A frozen process that was killed meanwhile has nothing to thaw. */
  public void thaw(String name) {
    if (alive(name)) {
      process(name).thaw();
    }
  }

  public void stop(String name) {
    process(name).close();
  }

  /** The process dies when it next passes this step. */
  public void haltAt(String name, Step step) {
    process(name).haltAt(step);
  }

  /** Binds all processes to processors. */
  public void pin(String processors) {
    processes.values().forEach(process -> process.pin(processors));
  }

  public List<ProcessHandle> handles() {
    return processes.values().stream().map(NodeProcess::handle).toList();
  }

  /** What a process measured since it started, by "name tags". */
  public Map<String, Measured> timers(String name) {
    return process(name).timers();
  }

  /** Log files of all processes that ran. */
  public List<Path> logs() {
    return processes.values().stream().map(NodeProcess::log).toList();
  }

  @Override
  public void close() {
    processes
        .values()
        .forEach(process -> {
          if (process.alive()) {
            process.close();
          }
        });
    links.forEach(Link::close);
  }

  private synchronized NodeProcess process(String name) {
    NodeProcess process = processes.get(name);
    if (process == null) {
      throw new IllegalStateException(name + " of authority " + index + " was never started");
    }
    return process;
  }

  private Properties properties(String name) {
    Properties properties = new Properties();
    List<String> roles = name.equals(ALL) ? allRoles() : List.of(name);
    properties.setProperty("roles", String.join(",", roles));
    for (String role : roles) {
      Map<String, Object> own =
          role.equals(SIGNER)
              ? signer()
              : shard(Integer.parseInt(role.substring("shard-".length())));
      own.forEach((key, value) -> properties.setProperty(role + "." + key, value.toString()));
    }
    return properties;
  }

  private List<String> allRoles() {
    List<String> roles = new ArrayList<>(List.of(SIGNER));
    for (int shard = 0; shard < options.shards(); shard++) {
      roles.add(shardName(shard));
    }
    return roles;
  }

  private Map<String, Object> signer() {
    Map<String, Object> p = common(signerPort);
    network(p, "solidus.signer");
    p.put("solidus.signer.authority", index);
    p.put("solidus.signer.share-file", options.network().share(index));
    p.put("solidus.signer.sign-log", signLog());
    if (options.anchorFiles()) {
      p.put("solidus.signer.anchor-file", anchorFile());
    }
    p.putAll(options.signer());
    return p;
  }

  private Map<String, Object> shard(int shard) {
    Map<String, Object> p = common(shardPorts.get(shard));
    network(p, "solidus.validator");
    p.put("solidus.validator.authority", index);
    p.put("solidus.validator.shard", shard);
    for (int peer = 0; peer < shardPorts.size(); peer++) {
      p.put("solidus.validator.shards[" + peer + "].index", peer);
      p.put("solidus.validator.shards[" + peer + "].address", "127.0.0.1:" + shardPorts.get(peer));
    }
    p.put("solidus.validator.initial-shards", options.shards());
    p.put("solidus.validator.signer", "127.0.0.1:" + signerPort);
    p.put("solidus.validator.note-key-file", noteKeyFile());
    p.put("solidus.validator.sanctions-url", facts.url());
    p.put("solidus.validator.pull-interval", "500ms");
    p.put("solidus.validator.kafka", kafka != null);
    p.putAll(options.shard());
    return p;
  }

  private Map<String, Object> common(int port) {
    Map<String, Object> p = new LinkedHashMap<>(facts.trust());
    // registrations and mints are not part of what these clusters are for: nobody signs for them
    p.put("solidus.trust.registration", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    p.put("management.server.port", "-1");
    p.put("spring.grpc.server.address", "127.0.0.1");
    p.put("spring.grpc.server.port", port);
    p.put("spring.datasource.url", database.url(databaseName));
    p.put("spring.datasource.username", DatabaseServer.USER);
    p.put("spring.datasource.password", DatabaseServer.USER);
    p.put("spring.datasource.hikari.connection-timeout", "3000");
    p.put(
        "spring.kafka.bootstrap-servers", kafka == null ? "127.0.0.1:1" : kafka.bootstrapServers());
    // payments go on while Kafka is down, and its client need not say so every second
    p.put("logging.level.org.apache.kafka", "off");
    p.put("logging.level.io.solidus.platform.outbox", "off");
    p.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    p.put("spring.grpc.server.shutdown.grace-period", "1s");
    return p;
  }

  private void network(Map<String, Object> p, String prefix) {
    NetworkFiles network = options.network();
    p.put("solidus.network.id", network.id().value());
    p.put("solidus.network.kind", network.kind());
    p.put("solidus.network.keys-dir", network.directory());
    p.put("solidus.network.manifest-key", network.manifestKeyBase64());
    p.put("solidus.network.allowed-key-classes", network.keyClass());
    p.put(prefix + ".refresh-interval", "200ms");
  }

  private static void makeFolder(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path noteKeyFile() {
    Path file = folder.resolve("note-key");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(folder);
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, options.network().noteKeySeed(index));
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
