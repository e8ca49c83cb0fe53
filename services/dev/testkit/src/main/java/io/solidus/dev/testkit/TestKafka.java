package io.solidus.dev.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A real Kafka broker in its own JVM, which a test can kill and start again with its data. */
public final class TestKafka implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final String CLUSTER_ID = "c29saWR1cy10ZXN0a2l0MQ";
  private static @Nullable TestKafka shared;

  private final Path directory;
  private final int port;
  private @Nullable Process process;

  private TestKafka(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  /** The broker that all test classes of this JVM share; it stops with the JVM. */
  public static synchronized TestKafka shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /** A broker for one test class; the caller closes it. */
  public static TestKafka start() {
    try {
      Path directory = Files.createTempDirectory("solidus-kafka");
      int port = FreePorts.next();
      TestKafka kafka = new TestKafka(directory, port);
      Files.writeString(
          directory.resolve("server.properties"), kafka.configuration(FreePorts.next()));
      Files.writeString(directory.resolve("logback.xml"), LOGBACK);
      kafka.format();
      kafka.restart();
      Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
      return kafka;
    } catch (IOException e) {
      throw new UncheckedIOException("the test broker does not start", e);
    }
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** What a service needs to use it. */
  public Map<String, Object> springProperties() {
    return Map.of("spring.kafka.bootstrap-servers", bootstrapServers());
  }

  /** Takes the broker away at once, as a power cut would. */
  public synchronized void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      await(running);
      process = null;
    }
  }

  /** Starts the broker after {@link #kill}, on the same port and with its data. */
  public synchronized void restart() {
    if (process != null) {
      return;
    }
    process = java("kafka.Kafka", configurationFile());
    Instant end = Instant.now().plus(START_LIMIT);
    while (!accepts()) {
      if (!process.isAlive() || Instant.now().isAfter(end)) {
        kill();
        throw new IllegalStateException("the test broker does not start: " + log());
      }
      pause();
    }
  }

  /** Stops the broker and forgets its data. */
  @Override
  public void close() {
    kill();
    FileSystemUtils.deleteRecursively(directory.toFile());
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
            configurationFile());
    await(format);
    if (format.exitValue() != 0) {
      throw new IllegalStateException("the test broker's storage cannot be formatted: " + log());
    }
  }

  private Process java(String... command) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.add("-Dlogback.configurationFile=" + directory.resolve("logback.xml"));
    line.addAll(
        List.of(
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
    line.addAll(List.of(command));
    try {
      return new ProcessBuilder(line)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("kafka.log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private String configurationFile() {
    return directory.resolve("server.properties").toString();
  }

  private String configuration(int controllerPort) {
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
        .formatted(port, controllerPort, directory.resolve("data"));
  }

  private String log() {
    try {
      String text = Files.readString(directory.resolve("kafka.log"));
      return text.substring(Math.max(0, text.length() - 2000));
    } catch (IOException e) {
      return "no log";
    }
  }

  private static void await(Process process) {
    try {
      if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %p %m \\(%c\\)%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;
}
