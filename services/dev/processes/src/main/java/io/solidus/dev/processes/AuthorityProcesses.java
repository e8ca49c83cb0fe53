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
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * One authority as processes: its database, its signer, its shards. The processes are named
 * "signer" and "shard-J", or "all" when one process runs everything.
 */
public final class AuthorityProcesses implements AutoCloseable {

  /** The system property with the class path of the processes; this JVM's if it is not set. */
  public static final String CLASS_PATH = "solidus.cluster.class-path";

  /** A key without an owner: these clusters see no valid registrations and no mints. */
  public static final String NOBODYS_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private static final String SIGNER = ServiceRole.SIGNER.label();
  private static final String SHARD = ServiceRole.SHARD.label() + "-";
  private static final String ALL = "all";

  private static final FaultyMachine.Loss NOTHING = new FaultyMachine.Loss(0, 0);

  private final ClusterOptions options;
  private final int index;
  private final RulesPublisher rules;
  private final DatabaseServers database;
  private final @Nullable KafkaServer kafka;
  private final String databaseName;
  private final Path folder;
  private final int signerPort = Ports.next();
  private final List<Integer> shardPorts = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Map<String, ServiceProcess> processes = new LinkedHashMap<>();
  private volatile String classPath = defaultClassPath();
  private volatile NetworkFiles network;
  private volatile @Nullable NetworkFiles former;

  AuthorityProcesses(
      ClusterOptions options,
      int index,
      RulesPublisher rules,
      DatabaseServers database,
      @Nullable KafkaServer kafka) {
    this.options = options;
    this.network = options.network();
    this.index = index;
    this.rules = rules;
    this.database = database;
    this.kafka = kafka;
    this.databaseName = "authority_" + index;
    this.folder = options.folder().resolve("authority-" + index);
    database.server().createDatabase(databaseName);
    if (options.anchorFiles()) {
      makeFolder(anchors());
    }
    for (int shard = 0; shard < options.shards() + options.spareShards(); shard++) {
      int port = Ports.next();
      shardPorts.add(port);
      if (options.links()) {
        links.add(new Link(port));
      }
    }
  }

  static String defaultClassPath() {
    return System.getProperty(CLASS_PATH, System.getProperty("java.class.path"));
  }

  public int index() {
    return index;
  }

  /** The database server; of two, the primary of the moment. */
  public PostgresServer database() {
    return database.server();
  }

  /** The primary and its standby, if the database is replicated. */
  public Optional<PrimaryAndStandby> replicas() {
    return database.replicas();
  }

  /** The machine that can lose power, if the options ask for one and it can be made. */
  public Optional<FaultyMachine> machine() {
    return database.machine();
  }

  public String databaseName() {
    return databaseName;
  }

  public Path signLog() {
    return folder.resolve("log").resolve("sign.log");
  }

  /** The port that clients use: of the shard's link, or of the shard if there are no links. */
  public int clientPort(int shard) {
    return options.links() ? links.get(shard).port() : shardPorts.get(shard);
  }

  /** The port on which the shard itself listens. */
  int shardPort(int shard) {
    return shardPorts.get(shard);
  }

  /** The link between clients and a shard. */
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

  /**
   * The names of the services that run, those of joined shards included, in the order of their
   * first start.
   */
  public synchronized List<String> running() {
    return processes.keySet().stream()
        .filter(name -> alive(name) && !name.startsWith(ServiceRole.SPLIT.label()))
        .toList();
  }

  public static String shardName(int shard) {
    return SHARD + shard;
  }

  /** The signer's second copy of the sign-log's head, if the options ask for one. */
  public Path anchorFile() {
    return anchors().resolve("authority-" + index);
  }

  private Path anchors() {
    return options.folder().resolve("anchors");
  }

  /** The output of a process. */
  public Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /** Starts the processes that do not run; returns before they serve. */
  public void launch() {
    names().forEach(this::launch);
  }

  public synchronized void launch(String name) {
    ServiceProcess old = processes.get(name);
    if (old == null || !old.alive()) {
      processes.put(
          name,
          ServiceProcess.launch(
              name, folder, properties(name), options.jvm(), classPath, environment()));
    }
  }

  /** Selects the build for later starts. */
  public void use(String otherClassPath) {
    this.classPath = otherClassPath;
  }

  /**
   * Selects refreshed keys for later starts. The signer keeps its share of the keys before, beside
   * the fresh one.
   */
  public void refresh(NetworkFiles fresh) {
    this.former = network;
    this.network = fresh;
  }

  /** Sends SIGTERM to a process, as in a roll-out; returns whether it ended in time. */
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
    ServiceProcess process = processes.get(name);
    return process != null && process.alive();
  }

  /**
   * Splits the range of a shard: the upper part moves to a new shard, which gets a process of its
   * own. Returns when the new map is in force. After a kill the same call finishes the split.
   *
   * @param processName of the process that runs the split
   */
  public void split(String processName, int shard, int newShard) {
    start(shardName(newShard));
    Map<String, Object> split = shard(shard);
    split.put("solidus.split.shard", shard);
    split.put("solidus.split.new-shard", newShard);
    ServiceProcess process = command(processName, ServiceRole.SPLIT, split);
    synchronized (this) {
      processes.put(processName, process);
    }
    process.awaitReady();
    process.close();
  }

  /**
   * Brings the database up to the sign-log, in a process of its own with the signer's
   * configuration.
   *
   * @return whether it was recovered; {@link #log} of "recover" has the reason if not
   */
  public boolean recover() {
    ServiceProcess process = command(ServiceRole.RECOVER.label(), ServiceRole.RECOVER, signer());
    boolean done = process.awaitOutcome();
    process.close();
    return done;
  }

  private ServiceProcess command(String name, ServiceRole role, Map<String, Object> own) {
    Properties properties = new Properties();
    properties.setProperty(ServiceMain.ROLES, role.label());
    own.forEach((key, value) -> properties.setProperty(role.label() + "." + key, value.toString()));
    return ServiceProcess.launch(name, folder, properties, options.jvm(), classPath, environment());
  }

  private Map<String, String> environment() {
    return machine().map(FaultyMachine::environment).orElse(Map.of());
  }

  /**
   * Kills all processes and the database, and leaves of their files only what was fsynced.
   *
   * @throws IllegalStateException without a machine that can lose power
   */
  public FaultyMachine.Loss losePower() {
    FaultyMachine faulty =
        machine()
            .orElseThrow(
                () -> new IllegalStateException("authority " + index + " is on no faulty machine"));
    alive().forEach(ServiceProcess::kill);
    FaultyMachine.Loss ofDatabase = database().losePower();
    Path log = Objects.requireNonNull(signLog().getParent());
    FaultyMachine.Loss ofLog = Files.exists(log) ? faulty.losePower(log) : NOTHING;
    FaultyMachine.Loss ofAnchor = options.anchorFiles() ? faulty.losePower(anchors()) : NOTHING;
    return ofDatabase.plus(ofLog).plus(ofAnchor);
  }

  /** SIGKILL. */
  public void kill(String name) {
    process(name).kill();
  }

  public void freeze(String name) {
    process(name).freeze();
  }

  /** Lets a frozen process continue, unless it was killed meanwhile. */
  public void thaw(String name) {
    if (alive(name)) {
      process(name).thaw();
    }
  }

  public void stop(String name) {
    process(name).close();
  }

  /** Ends the process when it next passes this step. */
  public void haltAt(String name, Step step) {
    process(name).haltAt(step);
  }

  /** Binds all processes to processors. */
  public void pin(String processors) {
    processes.values().forEach(process -> process.pin(processors));
  }

  public List<ProcessHandle> handles() {
    return processes.values().stream().map(ServiceProcess::handle).toList();
  }

  /** A process's measurements since it started, by "name tags". */
  public Map<String, Measurement> timers(String name) {
    return process(name).timers();
  }

  /** The log files of all processes that ran. */
  public List<Path> logs() {
    return processes.values().stream().map(ServiceProcess::log).toList();
  }

  @Override
  public void close() {
    requestStop();
    alive().forEach(ServiceProcess::close);
    links.forEach(Link::close);
  }

  /** Asks all processes to stop in order; returns at once. */
  void requestStop() {
    alive().forEach(ServiceProcess::requestStop);
  }

  private List<ServiceProcess> alive() {
    return processes.values().stream().filter(ServiceProcess::alive).toList();
  }

  private synchronized ServiceProcess process(String name) {
    ServiceProcess process = processes.get(name);
    if (process == null) {
      throw new IllegalStateException(name + " of authority " + index + " was never started");
    }
    return process;
  }

  private Properties properties(String name) {
    Properties properties = new Properties();
    List<String> roles = name.equals(ALL) ? allRoles() : List.of(name);
    properties.setProperty(ServiceMain.ROLES, String.join(",", roles));
    for (String role : roles) {
      Map<String, Object> own =
          role.equals(SIGNER) ? signer() : shard(Integer.parseInt(role.substring(SHARD.length())));
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
    p.put("solidus.signer.share-file", network.share(index));
    NetworkFiles before = former;
    if (before != null) {
      p.put("solidus.signer.former-share-file", before.share(index));
    }
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
    p.put("solidus.validator.sanctions-url", rules.url());
    p.put("solidus.validator.pull-interval", "500ms");
    p.put("solidus.validator.kafka", kafka != null);
    p.putAll(options.shard());
    return p;
  }

  private Map<String, Object> common(int port) {
    Map<String, Object> p = new LinkedHashMap<>(rules.trust());
    p.put("solidus.trust.registration", NOBODYS_KEY);
    p.put("management.server.port", "-1");
    p.put("spring.grpc.server.address", "127.0.0.1");
    p.put("spring.grpc.server.port", port);
    p.put("spring.datasource.url", database.url(databaseName));
    if (database.replicas().isPresent()) {
      p.put("solidus.validator.synchronous-standbys", 1);
    }
    p.put("spring.datasource.hikari.connection-timeout", "3000");
    p.put(
        "spring.kafka.bootstrap-servers", kafka == null ? "127.0.0.1:1" : kafka.bootstrapServers());
    // payments continue while Kafka is down; its client would log that every second
    p.put("logging.level.org.apache.kafka", "off");
    p.put("logging.level.io.solidus.platform.outbox", "off");
    p.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    p.put("spring.grpc.server.shutdown.grace-period", "1s");
    return p;
  }

  private void network(Map<String, Object> p, String prefix) {
    p.putAll(network.properties());
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
      }
      Files.write(file, network.noteKeySeed(index));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
