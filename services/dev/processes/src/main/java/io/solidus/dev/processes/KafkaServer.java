package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker, which is its own controller, in a JVM of its own. It can be killed, frozen and
 * started again on its data.
 */
public final class KafkaServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final int CONNECT_MILLIS = 200;
  private static final String CLUSTER_ID = "c29saWR1cy1jbHVzdGVyMQ";

  private final Path directory;
  private final Path library;
  private final int port;
  private @Nullable Process process;

  private KafkaServer(Path directory, Path library, int port) {
    this.directory = directory;
    this.library = library;
    this.port = port;
  }

  /** Starts a broker without topics on free ports. */
  public static KafkaServer start(Path directory, Path library) {
    return start(directory, library, Ports.next(), Ports.next());
  }

  /**
   * Starts a broker and returns when it accepts connections.
   *
   * @param directory for its configuration, log and data; formatted if it holds no data
   * @param library the folder with the broker's jars, as the module sandbox-kafka gathers them
   * @throws IllegalStateException when it does not start; kafka.log in the directory says why
   */
  public static KafkaServer start(Path directory, Path library, int port, int controllerPort) {
    if (!Files.isDirectory(library)) {
      throw new IllegalStateException(
          "there is no Kafka in " + library + "; build the module services/dev/sandbox-kafka");
    }
    KafkaServer server = new KafkaServer(directory, library, port);
    server.configure(controllerPort);
    if (!Files.exists(server.data().resolve("meta.properties"))) {
      server.format();
    }
    server.restart();
    return server;
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** Creates the topics that do not exist, with one partition each. */
  public void createTopics(List<String> names) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      var existing = admin.listTopics().names().get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
      List<NewTopic> missing =
          names.stream()
              .filter(name -> !existing.contains(name))
              .map(name -> new NewTopic(name, 1, (short) 1))
              .toList();
      admin.createTopics(missing).all().get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka's topics cannot be created", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  public synchronized boolean alive() {
    return process != null && process.toHandle().isAlive();
  }

  /** SIGKILL. */
  public synchronized void kill() {
    Process running = process;
    if (running != null) {
      Signals.kill(running.toHandle());
      process = null;
    }
  }

  /** Starts the broker on its data and port if it does not run; returns when it accepts. */
  public synchronized void restart() {
    if (alive()) {
      return;
    }
    Process started = java("kafka.Kafka", configuration().toString());
    process = started;
    Await.until(
        "Kafka accepts connections; see " + log(),
        START_LIMIT,
        () -> !started.isAlive() || accepts());
    if (!started.isAlive()) {
      throw new IllegalStateException("Kafka stopped while it started; see " + log());
    }
  }

  public synchronized void freeze() {
    Signals.freeze(running().toHandle());
  }

  public synchronized void thaw() {
    Signals.thaw(running().toHandle());
  }

  /** Stops the broker in order; kills it if that takes too long. */
  public synchronized void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process = null;
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
  }

  /** Kills the broker: a test needs nothing more of it. */
  @Override
  public void close() {
    kill();
  }

  private Process running() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("Kafka is not running");
    }
    return running;
  }

  private void configure(int controllerPort) {
    try {
      Files.createDirectories(directory);
      Files.writeString(configuration(), properties(controllerPort));
      Files.writeString(
          directory.resolve("log4j2.yaml"),
          """
          Configuration:
            Appenders:
              Console: {name: out, PatternLayout: {pattern: "[%d] %p %m (%c)%n"}}
            Loggers:
              Root: {level: WARN, AppenderRef: {ref: out}}
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void format() {
    Process format =
        java(
            "kafka.tools.StorageTool",
            "format",
            "--standalone",
            "-t",
            CLUSTER_ID,
            "-c",
            configuration().toString());
    Await.until("Kafka's storage is formatted; see " + log(), START_LIMIT, () -> !format.isAlive());
    if (format.exitValue() != 0) {
      throw new IllegalStateException("Kafka's storage cannot be formatted; see " + log());
    }
  }

  private Process java(String... command) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlog4j2.configurationFile=" + directory.resolve("log4j2.yaml"),
            "-cp",
            library + "/*"));
    line.addAll(List.of(command));
    try {
      return new ProcessBuilder(line)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Path configuration() {
    return directory.resolve("server.properties");
  }

  private Path log() {
    return directory.resolve("kafka.log");
  }

  private String properties(int controllerPort) {
    return """
    process.roles=broker,controller
    node.id=1
    controller.quorum.bootstrap.servers=127.0.0.1:%2$d
    listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
    advertised.listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
    controller.listener.names=CONTROLLER
    inter.broker.listener.name=PLAINTEXT
    listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    log.dirs=%3$s
    num.partitions=1
    offsets.topic.num.partitions=1
    offsets.topic.replication.factor=1
    transaction.state.log.num.partitions=1
    transaction.state.log.replication.factor=1
    transaction.state.log.min.isr=1
    share.coordinator.state.topic.num.partitions=1
    share.coordinator.state.topic.replication.factor=1
    share.coordinator.state.topic.min.isr=1
    group.initial.rebalance.delay.ms=0
    log.cleaner.dedupe.buffer.size=8388608
    """
        .formatted(port, controllerPort, data());
  }
}
