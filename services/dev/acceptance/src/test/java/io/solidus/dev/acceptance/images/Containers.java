package io.solidus.dev.acceptance.images;

import io.solidus.dev.sandbox.control.ControlServer;
import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The platform's services as containers, on the sandbox's ports, so that its demo runs on them. */
final class Containers implements ControlServer.Authorities {
  /** The probe port of a service without REST, minus its gRPC port. */
  private static final int PROBE_PORT_OFFSET = 300;

  private static final Duration READY_LIMIT = Duration.ofMinutes(4);
  private static final String MANAGEMENT_PORT = "management.server.port";

  private final Podman podman;
  private final SandboxOptions options;
  private final ServiceProperties properties;
  private final Map<String, String> images;
  private final Map<String, Integer> probes = new LinkedHashMap<>();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /**
   * Prepares the containers.
   *
   * @param images image ids by the service's name
   */
  Containers(
      Podman podman,
      SandboxOptions options,
      ServiceProperties properties,
      Map<String, String> images) {
    this.podman = podman;
    this.options = options;
    this.properties = properties;
    this.images = images;
  }

  /** Starts the services one after the other; each starts when the previous one is ready. */
  void startAll(Consumer<String> progress) throws Exception {
    run("sanctions", "sanctions", properties.sanctions(), "512m", progress);
    run("registration", "registration", properties.registration(), "512m", progress);
    for (int i = 1; i <= options.authorities(); i++) {
      run("signer-" + i, "signer", properties.signer(i), "512m", progress);
      for (int shard = 0; shard < options.shards(); shard++) {
        // the image's default argument selects the shard role
        run(shard(i, shard), "shard", properties.shard(i, shard), "640m", progress);
      }
      run("issuer-" + i, "compliance-issuer", properties.issuer(i), "512m", progress);
    }
    run("issuance", "issuance", properties.issuance(), "512m", progress);
    run("prover", "prover", properties.prover(), "1g", progress);
    run("gateway", "gateway", properties.gateway(), "512m", progress);
  }

  private static String shard(int authority, int shard) {
    return "shard-" + authority + "-" + shard;
  }

  private void run(
      String name,
      String image,
      Map<String, Object> given,
      String memory,
      Consumer<String> progress,
      String... arguments)
      throws Exception {
    progress.accept(name);
    Map<String, Object> all = new LinkedHashMap<>(given);
    // a container is stopped by a signal and needs a port for probes
    all.remove("spring.main.register-shutdown-hook");
    if (all.containsKey(MANAGEMENT_PORT)) {
      all.put("management.server.address", "127.0.0.1");
      all.put(MANAGEMENT_PORT, port(all, "spring.grpc.server.port") + PROBE_PORT_OFFSET);
    }
    Path folder = options.data().resolve("containers").resolve(name);
    String configuration = "solidus-" + (image.equals("shard") ? "validator" : image);
    ServiceFolder mounted = ServiceFolder.write(folder, configuration, all, options.keys());
    Map<String, String> environment = new LinkedHashMap<>(ServiceFolder.environment());
    // C1 only, as in the sandbox: many processes share a small machine
    environment.put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    podman.start(name, image(image), memory, environment, mounted.volumes(), arguments);
    probes.put(name, port(all, all.containsKey(MANAGEMENT_PORT) ? MANAGEMENT_PORT : "server.port"));
    awaitReady(name);
  }

  private String image(String service) {
    return Objects.requireNonNull(images.get(service), service);
  }

  private static int port(Map<String, Object> properties, String name) {
    return (int) Objects.requireNonNull(properties.get(name), name);
  }

  private void awaitReady(String name) throws Exception {
    long end = System.nanoTime() + READY_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      if (ready(name)) {
        return;
      }
      if (!state(name, "Running").equals("true")) {
        throw new IOException(name + " exited:\n" + podman.run("logs", "--tail", "60", name));
      }
      Thread.sleep(300);
    }
    throw new IOException(
        name
            + " is not ready within "
            + READY_LIMIT.toSeconds()
            + " s:\n"
            + podman.run("logs", "--tail", "60", name));
  }

  private boolean ready(String name) throws InterruptedException {
    URI probe = URI.create("http://127.0.0.1:" + probes.get(name) + "/actuator/health/readiness");
    try {
      HttpRequest request = HttpRequest.newBuilder(probe).timeout(Duration.ofSeconds(5)).build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** The names of the started containers. */
  List<String> names() {
    return List.copyOf(probes.keySet());
  }

  /** One field of a container's state, for example Pid. */
  String state(String name, String field) throws Exception {
    return podman.run("inspect", "--format", "{{.State." + field + "}}", name);
  }

  private List<String> ofAuthority(int index) {
    List<String> found =
        names().stream()
            .filter(
                n -> n.matches("(signer|issuer)-" + index) || n.startsWith("shard-" + index + "-"))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException("no such authority");
    }
    return found;
  }

  @Override
  public void kill(int index) throws Exception {
    for (String name : ofAuthority(index)) {
      podman.run("kill", "--signal", "KILL", name);
    }
  }

  @Override
  public void start(int index) throws Exception {
    for (String name : ofAuthority(index)) {
      podman.run("start", name);
      awaitReady(name);
    }
  }
}
