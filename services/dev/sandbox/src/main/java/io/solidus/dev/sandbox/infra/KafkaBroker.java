package io.solidus.dev.sandbox.infra;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One Kafka 4 node (broker and controller) in a JVM of its own, with its log kept between starts.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final String CLUSTER_ID = "c29saWR1cy1zYW5kYm94MQ";

  private final Process process;
  private final int port;

  private KafkaBroker(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts the broker.
   *
   * @param directory holds its configuration, log and data
   * @param library the folder with the broker's jars
   * @param port of its plaintext listener on the loopback interface; the controller takes the next
   *     one
   */
  public static KafkaBroker start(Path directory, Path library, int port)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path configuration = directory.resolve("server.properties");
    Files.writeString(configuration, properties(directory.resolve("data"), port));
    Path log4j = directory.resolve("log4j2.yaml");
    Files.writeString(log4j, LOG4J);
    Path data = directory.resolve("data");
    if (!Files.exists(data.resolve("meta.properties"))) {
      format(configuration, library, log4j, directory);
    }
    Process process = java(library, log4j, directory, "kafka.Kafka", configuration.toString());
    KafkaBroker broker = new KafkaBroker(process, port);
    broker.awaitPort(directory);
    return broker;
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  private static void format(Path configuration, Path library, Path log4j, Path directory)
      throws IOException, InterruptedException {
    Process format =
        java(
            library,
            log4j,
            directory,
            "kafka.tools.StorageTool",
            "format",
            "--standalone",
            "-t",
            CLUSTER_ID,
            "-c",
            configuration.toString());
    if (!format.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
      format.destroyForcibly();
      throw new IOException(
          "Kafka's storage could not be formatted; see " + directory.resolve("kafka.log"));
    }
  }

  private static Process java(Path library, Path log4j, Path directory, String... command)
      throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlog4j2.configurationFile=" + log4j,
            "-cp",
            library + "/*"));
    line.addAll(List.of(command));
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("kafka.log").toFile()))
        .start();
  }

  private void awaitPort(Path directory) throws IOException, InterruptedException {
    Instant end = Instant.now().plus(START_LIMIT);
    while (Instant.now().isBefore(end)) {
      if (!process.isAlive()) {
        throw new IOException(
            "Kafka stopped while starting; see " + directory.resolve("kafka.log"));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
        return;
      } catch (IOException notYet) {
        Thread.sleep(100);
      }
    }
    process.destroyForcibly();
    throw new IOException("Kafka did not open its port within " + START_LIMIT.toSeconds() + " s");
  }

  private static String properties(Path data, int port) {
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
        .formatted(port, port + 1, data);
  }

  private static final String LOG4J =
      """
      Configuration:
        Appenders:
          Console: {name: out, PatternLayout: {pattern: "[%d] %p %m (%c)%n"}}
        Loggers:
          Root: {level: WARN, AppenderRef: {ref: out}}
      """;

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
