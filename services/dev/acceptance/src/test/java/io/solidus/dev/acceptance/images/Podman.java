package io.solidus.dev.acceptance.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Podman with a store of its own, apart from the machine's other containers. */
final class Podman implements AutoCloseable {
  /**
   * The options of every container: only its volumes are writable, and it has and gains no
   * privileges.
   */
  private static final List<String> CONFINED =
      List.of(
          "--read-only",
          "--read-only-tmpfs=false",
          "--tmpfs",
          "/tmp:rw,noexec,nosuid,nodev,size=64m,mode=1777",
          "--cap-drop",
          "ALL",
          "--security-opt",
          "no-new-privileges",
          "--network",
          "host",
          "--ulimit",
          "nofile=20000:20000",
          "--ulimit",
          "nproc=4096:4096",
          "--pids-limit",
          "1000");

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Path folder;

  Podman(Path folder) {
    this.folder = folder;
  }

  /** The result of a command. */
  record Outcome(int status, String out, String err) {}

  /** A folder of this machine that is mounted in the container. */
  record Volume(Path source, String target, boolean writable) {
    private String option() {
      return source + ":" + target + (writable ? ":rw" : ":ro");
    }
  }

  /** Loads an image from an OCI layout; returns its id. */
  String pull(Path layout, String name) throws Exception {
    return run("pull", "--quiet", "oci:" + layout + ":" + name);
  }

  /** Starts a container; {@code arguments} go to its entry point. */
  void start(
      String name,
      String image,
      String memory,
      Map<String, String> environment,
      List<Volume> volumes,
      String... arguments)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "run", "--detach", "--name", name, "--memory", memory, "--log-driver", "k8s-file"));
    confine(command, environment, volumes);
    command.add(image);
    command.addAll(List.of(arguments));
    run(command.toArray(String[]::new));
  }

  /** Runs a container to its end. */
  Outcome once(
      String image, Map<String, String> environment, List<Volume> volumes, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("run", "--rm", "--memory", "1g"));
    confine(command, environment, volumes);
    command.add(image);
    command.addAll(List.of(arguments));
    return execute(command);
  }

  private static void confine(
      List<String> command, Map<String, String> environment, List<Volume> volumes) {
    command.addAll(CONFINED);
    environment.forEach((key, value) -> command.addAll(List.of("--env", key + "=" + value)));
    volumes.forEach(volume -> command.addAll(List.of("--volume", volume.option())));
  }

  /** Runs a command that must succeed; returns its output. */
  String run(String... command) throws Exception {
    Outcome outcome = execute(List.of(command));
    if (outcome.status() != 0) {
      throw new IOException(
          "podman "
              + String.join(" ", command)
              + ": status "
              + outcome.status()
              + " "
              + outcome.err());
    }
    return outcome.out().strip();
  }

  private Outcome execute(List<String> command) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "podman",
                "--root",
                folder.resolve("store").toString(),
                "--runroot",
                folder.resolve("run").toString(),
                "--storage-driver",
                "overlay",
                "--runtime",
                "runc",
                "--log-level",
                "error"));
    all.addAll(command);
    Path out = Files.createTempFile(folder, "out", null);
    Path err = Files.createTempFile(folder, "err", null);
    try {
      Process process =
          new ProcessBuilder(all).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            "podman " + command.getFirst() + " did not end within " + LIMIT.toSeconds() + " s");
      }
      return new Outcome(
          process.exitValue(),
          Files.readString(out),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  @Override
  public void close() throws Exception {
    run("rm", "--all", "--force", "--time", "1");
    run("rmi", "--all", "--force");
  }
}
