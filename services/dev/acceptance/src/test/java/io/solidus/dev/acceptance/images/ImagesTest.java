package io.solidus.dev.acceptance.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.dev.sandbox.control.ControlServer;
import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.StepResult;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.infra.KafkaBroker;
import io.solidus.dev.sandbox.infra.PostgresServer;
import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.Platform;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole platform out of its images: seventeen containers without privileges and with read-only
 * file systems, PostgreSQL with fsync and Kafka beside them. {@code ./solidus images test} runs it;
 * it needs podman and root.
 */
class ImagesTest {
  private static final int PORT_SHIFT = 5_000;
  private static final List<String> SERVICES =
      List.of(
          "compliance-issuer",
          "gateway",
          "issuance",
          "prover",
          "registration",
          "sanctions",
          "shard",
          "signer",
          "wallet");

  /** Exit status of a Java process that SIGTERM ended after its shutdown hooks. */
  private static final String STOPPED_IN_ORDER = "143";

  @TempDir private Path folder;

  @BeforeEach
  void needsImages() {
    assumeTrue(
        System.getProperty("solidus.images") != null, "images are tested by ./solidus images test");
  }

  @Test
  void thePlatformRunsUnprivilegedOutOfItsImages() throws Exception {
    Path layout = Path.of(System.getProperty("solidus.images")).resolve("oci");
    SandboxOptions options = options();
    Files.createDirectories(options.data());
    Installation installation = Sandbox.open(options, System.out::println);
    try (Podman podman = new Podman(Files.createDirectories(folder.resolve("podman")));
        PostgresServer postgres =
            PostgresServer.start(options.data().resolve("postgres"), options.ports().postgres());
        KafkaBroker kafka =
            KafkaBroker.start(
                options.data().resolve("kafka"), options.kafkaLibrary(), options.ports().kafka())) {
      Platform.createDatabases(options, postgres);
      Map<String, String> images = new LinkedHashMap<>();
      for (String service : SERVICES) {
        images.put(service, podman.pull(layout, "solidus-" + service));
      }
      Containers containers =
          new Containers(
              podman,
              options,
              new ServiceProperties(options, installation, postgres, kafka.address()),
              images);
      containers.startAll(name -> System.out.println("  starting " + name));
      try (ControlServer control =
          ControlServer.start(options.ports().control(), installation.controlToken(), containers)) {
        assertThat(control.port()).isEqualTo(options.ports().control());
        tellTheStory(options);
      }
      Path home = ServiceFolder.own(Files.createDirectories(folder.resolve("home")), "rwx------");
      new CliPayment(
              podman,
              images.get("wallet"),
              options,
              new Operators(options.ports(), installation),
              home)
          .make();
      assertConfined(containers);
      assertStopsInOrder(podman, containers);
    }
  }

  private void tellTheStory(SandboxOptions options) throws Exception {
    DemoReport report =
        new Story(options, SanctionLists.of(folder.resolve("lists"), null, null), System.out)
            .tell(false);
    assertThat(report.steps().stream().filter(step -> !step.ok()).map(StepResult::toString))
        .isEmpty();
    assertThat(report.steps().stream().map(StepResult::name))
        .contains("pay-alice-bob", "delegated-proof", "survive-one-validator-down");
    assertThat(report.ok()).isTrue();
  }

  /**
   * After all that work, since libraries are loaded and files unpacked when they are first needed.
   */
  private static void assertConfined(Containers containers) throws Exception {
    assertThat(containers.names()).hasSize(17);
    for (String name : containers.names()) {
      Confinement process = new Confinement(containers.state(name, "Pid"));
      process.assertConfined();
      process.assertNativeCodeOfImage(name);
      assertThat(process.temporaryFiles()).as("temporary files of " + name).isEmpty();
    }
  }

  private static void assertStopsInOrder(Podman podman, Containers containers) throws Exception {
    for (String name : List.of("gateway", "shard-1-0", "signer-1")) {
      podman.run("stop", "--time", "90", name);
      assertThat(containers.state(name, "ExitCode")).as(name).isEqualTo(STOPPED_IN_ORDER);
    }
  }

  private SandboxOptions options() {
    Path home =
        Path.of(
            Optional.ofNullable(System.getenv("SOLIDUS_HOME"))
                .orElse(Path.of(System.getProperty("user.home"), ".cache", "solidus").toString()));
    Path broker = Path.of("..", "sandbox-kafka", "target", "lib").toAbsolutePath().normalize();
    return new SandboxOptions(
        folder.resolve("data"),
        home.resolve("keys").resolve("solidus-dev-4"),
        broker,
        Ports.shifted(PORT_SHIFT),
        4,
        1);
  }
}
