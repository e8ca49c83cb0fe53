package io.solidus.dev.testkit;

import io.solidus.dev.processes.KafkaServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A Kafka broker in a JVM of its own, which a test can kill and start again on its data. */
public final class TestKafka implements AutoCloseable {
  private static @Nullable TestKafka shared;

  private final Path folder;
  private final KafkaServer server;
  private final Thread closeAtExit = new Thread(this::close);

  private TestKafka(Path folder) {
    this.folder = folder;
    this.server = KafkaServer.start(folder, RepositoryFiles.kafkaLibrary());
    Runtime.getRuntime().addShutdownHook(closeAtExit);
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
      return new TestKafka(Files.createTempDirectory("solidus-kafka"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The properties of a service that has no broker. Its producer gives up soon: a service that
   * stops lets the outbox's attempt end, for up to four seconds.
   */
  public static Map<String, Object> absent() {
    return Map.of(
        "spring.kafka.bootstrap-servers",
        "127.0.0.1:1",
        "spring.kafka.producer.properties.max.block.ms",
        100);
  }

  public String bootstrapServers() {
    return server.bootstrapServers();
  }

  /** The properties by which a service uses this broker. */
  public Map<String, Object> springProperties() {
    return Map.of("spring.kafka.bootstrap-servers", bootstrapServers());
  }

  /** SIGKILL. */
  public void kill() {
    server.kill();
  }

  /** Starts the broker after {@link #kill} on the same port and data. */
  public void restart() {
    server.restart();
  }

  /** Kills the broker and deletes its data. */
  @Override
  public void close() {
    server.close();
    FileSystemUtils.deleteRecursively(folder.toFile());
  }
}
