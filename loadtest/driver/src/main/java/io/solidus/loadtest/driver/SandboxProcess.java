package io.solidus.loadtest.driver;

import io.solidus.loadtest.forge.LoadTestKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A sandbox in a process of its own, with data of its own that are deleted after the run. */
final class SandboxProcess implements AutoCloseable {
  /**
   * JVM options of a service in production, not of the tutorial's sandbox: the full compiler, and
   * more memory.
   */
  static final List<String> JVM = List.of("-Xms1g", "-Xmx2500m", "-Xss512k", "-XX:+UseSerialGC");

  private static final int PORT_SHIFT = 2_000;
  private static final int GATEWAY = 8080;
  private static final int REGISTRATION_ADMIN = 8181;
  private static final int SANCTIONS_ADMIN = 8182;
  private static final int ISSUANCE_ADMIN = 8183;
  private static final String UP = "The platform is up";
  private static final Duration START = Duration.ofMinutes(4);
  private static final Duration SETTLE = Duration.ofSeconds(5);
  private static final Duration TOKEN_LIMIT = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final List<String> java;
  private final List<String> where;
  private final Path data;

  private SandboxProcess(ChildProcess process, List<String> java, List<String> where, Path data) {
    this.process = process;
    this.java = java;
    this.where = where;
    this.data = data;
  }

  /**
   * Starts the sandbox and waits until it is up.
   *
   * @param root of the built repository
   * @param keys load-test keys; null for development keys
   * @param developmentKeys the sandbox's cache of development keys
   * @param log file for its output
   */
  static SandboxProcess start(
      Path root, @Nullable LoadTestKeys keys, Path developmentKeys, Path data, Path log)
      throws InterruptedException {
    Path services = root.resolve("services/dev");
    List<String> where =
        new ArrayList<>(
            List.of(
                "--data",
                data.toString(),
                "--keys",
                (keys == null ? developmentKeys : keys.dir()).toAbsolutePath().toString(),
                "--kafka-lib",
                services.resolve("sandbox-kafka/target/lib").toString(),
                "--port-shift",
                Integer.toString(PORT_SHIFT)));
    if (keys != null) {
      where.add("--load-test");
    }
    List<String> java = java(services.resolve("sandbox/target"), data.resolve("logs"));
    try {
      Files.createDirectories(data.resolve("logs"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ChildProcess process =
        ChildProcess.start("the sandbox", command(java, JVM, "up", where), Map.of(), log);
    SandboxProcess sandbox = new SandboxProcess(process, java, where, data);
    try {
      sandbox.awaitUp(log);
      return sandbox;
    } catch (InterruptedException | RuntimeException e) {
      sandbox.close();
      throw e;
    }
  }

  private static List<String> java(Path target, Path logs) {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "--enable-native-access=ALL-UNNAMED",
        "-Dsolidus.sandbox.logs=" + logs,
        "-cp",
        target.resolve("classes") + ":" + target.resolve("lib") + "/*");
  }

  private static List<String> command(
      List<String> java, List<String> jvm, String action, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(java.getFirst()));
    command.addAll(jvm);
    command.addAll(java.subList(1, java.size()));
    command.addAll(List.of("io.solidus.dev.sandbox.cli.SandboxMain", action));
    command.addAll(arguments);
    return command;
  }

  private void awaitUp(Path log) throws InterruptedException {
    long end = System.nanoTime() + START.toNanos();
    while (!said(log).contains(UP)) {
      if (!process.running() || System.nanoTime() > end) {
        throw new IllegalStateException("the sandbox did not start; the reason is in " + log);
      }
      TimeUnit.SECONDS.sleep(1);
    }
    // the authorities poll once a second for the newest policy and checkpoint
    TimeUnit.NANOSECONDS.sleep(SETTLE.toNanos());
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI gateway() {
    return URI.create("http://127.0.0.1:" + (GATEWAY + PORT_SHIFT));
  }

  /** The addresses of its admin APIs. */
  String adminUrls() {
    return "registration=%s,sanctions=%s,issuance=%s"
        .formatted(admin(REGISTRATION_ADMIN), admin(SANCTIONS_ADMIN), admin(ISSUANCE_ADMIN));
  }

  private static String admin(int port) {
    return "http://127.0.0.1:" + (port + PORT_SHIFT);
  }

  /** The directory of its keys. */
  Path keysDir() {
    return Path.of(said(data.resolve("keys-dir")).strip());
  }

  /** Its processor time so far, with the database and the broker. */
  Duration cpu() {
    return process.cpu();
  }

  /**
   * An access token for the admin APIs of an operator with all roles except approver, auditor and
   * service.
   */
  String adminToken() throws InterruptedException {
    List<String> arguments = new ArrayList<>(where);
    arguments.addAll(List.of("--sub", "load-test"));
    for (String role :
        List.of("kyc-operator", "sanctions-operator", "policy-operator", "issuance-operator")) {
      arguments.addAll(List.of("--role", role));
    }
    try {
      Process token =
          new ProcessBuilder(command(java, List.of("-Xmx128m"), "token", arguments))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        if (!token.waitFor(TOKEN_LIMIT.toSeconds(), TimeUnit.SECONDS) || token.exitValue() != 0) {
          throw new IllegalStateException("the sandbox issued no token");
        }
        return new String(token.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      } finally {
        token.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the sandbox and deletes its data. */
  @Override
  public void close() {
    process.close();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("solidus: some of " + data + " could not be deleted");
    }
  }
}
