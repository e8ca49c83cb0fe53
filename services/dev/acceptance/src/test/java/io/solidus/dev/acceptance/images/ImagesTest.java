package io.solidus.dev.acceptance.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.processes.KafkaServer;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.sandbox.control.ControlServer;
import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.StepResult;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.operators.Staff;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.services.Platform;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.services.ServiceProperties;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.RepositoryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole platform from its images: seventeen containers without privileges and with read-only
 * file systems, beside PostgreSQL with fsync and Kafka. {@code ./solidus images test} runs it; it
 * needs podman and root.
 */
@Tag("process")
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
          "signer");

  /** The exit status of a Java process that ran its shutdown hooks after SIGTERM. */
  private static final String STOPPED_ORDERLY = "143";

  @TempDir private Path folder;

  @BeforeEach
  void needsImages() {
    assumeTrue(
        System.getProperty("solidus.images") != null, "images are tested by ./solidus images test");
  }

  @Test
  void platformRunsUnprivilegedFromItsImages() throws Exception {
    Path layout = Path.of(System.getProperty("solidus.images")).resolve("oci");
    SandboxOptions options = options();
    Files.createDirectories(options.data());
    Installation installation = Sandbox.open(options, System.out::println);
    try (Podman podman = new Podman(Files.createDirectories(folder.resolve("podman")));
        PostgresServer postgres = Sandbox.startPostgres(options);
        KafkaServer kafka = Sandbox.startKafka(options);
        OpenIdServer provider = Staff.startProvider(options.ports(), installation)) {
      assertThat(provider.issuer()).isEqualTo(installation.tokens().issuer());
      Platform.createDatabases(options, postgres);
      Map<String, String> images = new LinkedHashMap<>();
      for (String service : SERVICES) {
        images.put(service, podman.pull(layout, "solidus-" + service));
      }
      String wallet = podman.pull(layout, "solidus-wallet");
      Containers containers =
          new Containers(
              podman,
              options,
              new ServiceProperties(options, installation, postgres, kafka.bootstrapServers()),
              images);
      containers.startAll(name -> System.out.println("  starting " + name));
      try (ControlServer control =
          ControlServer.start(options.ports().control(), installation.controlToken(), containers)) {
        assertThat(control.port()).isEqualTo(options.ports().control());
        runStory(options);
      }
      Path home = ServiceFolder.own(Files.createDirectories(folder.resolve("home")), "rwx------");
      new CliPayment(podman, wallet, options, new Operators(options.ports(), installation), home)
          .make();
      assertConfined(containers);
      assertStopsOrderly(podman, containers);
    }
  }

  private void runStory(SandboxOptions options) throws Exception {
    DemoReport report =
        new Story(options, SanctionLists.of(folder.resolve("lists"), null, null), System.out)
            .tell(false);
    assertThat(report.steps().stream().filter(step -> !step.ok()).map(StepResult::toString))
        .isEmpty();
    assertThat(report.steps().stream().map(StepResult::name))
        .contains("pay-alice-bob", "delegated-proof", "survive-one-validator-down");
    assertThat(report.ok()).isTrue();
  }

  /** Called after the payments, because libraries are loaded and files unpacked at first use. */
  private static void assertConfined(Containers containers) throws Exception {
    assertThat(containers.names()).hasSize(17);
    for (String name : containers.names()) {
      Confinement process = new Confinement(containers.state(name, "Pid"));
      process.assertConfined();
      process.assertNativeCodeOfImage(name);
      assertThat(process.temporaryFiles()).as("temporary files of " + name).isEmpty();
    }
  }

  private static void assertStopsOrderly(Podman podman, Containers containers) throws Exception {
    for (String name : List.of("gateway", "shard-1-0", "signer-1")) {
      podman.run("stop", "--time", "90", name);
      assertThat(containers.state(name, "ExitCode")).as(name).isEqualTo(STOPPED_ORDERLY);
    }
  }

  private SandboxOptions options() {
    return SandboxOptions.development(
        folder.resolve("data"), RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 1);
  }
}
