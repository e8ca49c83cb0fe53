package io.solidus.dev.sandbox.services;

import io.solidus.dev.processes.KafkaServer;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.sandbox.control.ControlServer;
import io.solidus.dev.sandbox.operators.Staff;
import io.solidus.dev.sandbox.secrets.EarlierData;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.prover.DevelopmentKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;

/** The running platform of one machine. */
public final class Sandbox implements AutoCloseable {
  private final SandboxOptions options;
  private final Installation installation;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  private Sandbox(SandboxOptions options, Installation installation) {
    this.options = options;
    this.installation = installation;
  }

  /**
   * Makes what is missing and starts everything.
   *
   * @param progress gets one line for each step
   */
  public static Sandbox start(SandboxOptions options, Consumer<String> progress) throws Exception {
    options.ports().requireFree(options.authorities(), options.shards());
    Files.createDirectories(options.data());
    byte[] manifestKey = makeKeys(options, progress);
    EarlierData.setAside(options.data(), options.keys())
        .ifPresent(aside ->
            progress.accept(
                "the circuits changed since the last start: what was here is now in " + aside));
    Files.createDirectories(options.data().resolve("sign-logs"));
    // the launcher reads the wallets' key directory from this file
    Files.writeString(options.data().resolve("keys-dir"), options.keys() + "\n");
    Installation installation = Installation.open(options, manifestKey);
    Sandbox sandbox = new Sandbox(options, installation);
    try {
      sandbox.startAll(progress);
      return sandbox;
    } catch (Exception e) {
      sandbox.close();
      throw e;
    }
  }

  /** Opens the installation; makes development keys when they are missing. */
  public static Installation open(SandboxOptions options, Consumer<String> progress)
      throws Exception {
    return Installation.open(options, makeKeys(options, progress));
  }

  private static byte[] makeKeys(SandboxOptions options, Consumer<String> progress)
      throws IOException {
    Path keys = options.keys();
    progress.accept("keys in " + keys);
    if (options.keysAreGiven()) {
      return HexFormat.of().parseHex(Files.readString(keys.resolve("manifest.pub")).strip());
    }
    Files.createDirectories(keys.toAbsolutePath().getParent());
    return DevelopmentKeys.make(keys, options.network(), options.kind(), options.authorities());
  }

  private void startAll(Consumer<String> progress) throws Exception {
    progress.accept("PostgreSQL (fsync on) on port " + options.ports().postgres());
    PostgresServer postgres = startPostgres(options);
    running.push(postgres);
    progress.accept("Kafka on port " + options.ports().kafka());
    KafkaServer kafka = startKafka(options);
    running.push(kafka::stop);
    progress.accept("OpenID provider on port " + options.ports().openId());
    running.push(Staff.startProvider(options.ports(), installation));
    Platform platform =
        new Platform(
            options,
            new ServiceProperties(options, installation, postgres, kafka.bootstrapServers()));
    running.push(platform);
    platform.start(postgres, progress);
    running.push(
        ControlServer.start(options.ports().control(), installation.controlToken(), platform));
    Path state = options.stateFile();
    Files.writeString(state, Long.toString(ProcessHandle.current().pid()) + "\n");
    running.push(() -> Files.deleteIfExists(state));
  }

  /** Starts the sandbox's database server on its data of earlier starts. */
  public static PostgresServer startPostgres(SandboxOptions options) {
    return PostgresServer.start(
        options.data().resolve("postgres"),
        options.ports().postgres(),
        Map.of("shared_buffers", "64MB"));
  }

  /** Starts the sandbox's broker on its data of earlier starts. */
  public static KafkaServer startKafka(SandboxOptions options) {
    return KafkaServer.start(
        options.data().resolve("kafka"),
        options.kafkaLibrary(),
        options.ports().kafka(),
        options.ports().kafkaController());
  }

  public Installation installation() {
    return installation;
  }

  public SandboxOptions options() {
    return options;
  }

  /** Whether a sandbox with this data directory is running, in this process or another. */
  public static boolean isRunning(SandboxOptions options) {
    try {
      long pid = Long.parseLong(Files.readString(options.stateFile()).strip());
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  @Override
  public void close() throws Exception {
    Exception first = null;
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
