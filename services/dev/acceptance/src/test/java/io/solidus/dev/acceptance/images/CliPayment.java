package io.solidus.dev.acceptance.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.MintId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A payment with the wallet's image alone, as a test of an installation. */
final class CliPayment {
  private static final String HOME = "/home/solidus";
  private static final int NOT_YET = 11;
  private static final int ATTEMPTS = 20;
  private static final long PAID_IN = 50_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Podman podman;
  private final String image;
  private final SandboxOptions options;
  private final Operators operators;
  private final Path home;

  /**
   * Prepares the payment.
   *
   * @param home the wallets' folder, which the image's user owns
   */
  CliPayment(Podman podman, String image, SandboxOptions options, Operators operators, Path home) {
    this.podman = podman;
    this.image = image;
    this.options = options;
    this.operators = operators;
    this.home = home;
  }

  void make() throws Exception {
    register("dora");
    register("emil");
    mint("dora");
    String address = wallet("emil", "address").path("address").asString();
    assertThat(address).startsWith("sld1");
    wallet("dora", "pay", address, "120.50");
    awaitUnclaimed("emil", 12_050);
    assertThat(wallet("dora", "balance").path("totalMinor").asLong()).isEqualTo(PAID_IN - 12_050);
  }

  private void register(String name) throws Exception {
    wallet(name, "create");
    String family = "Container-" + name;
    Path person = home.resolve(name + ".person");
    String details =
        "--given-name %s --family-name %s --birth-date 1990-05-17 --nationality FR"
            .formatted(name, family);
    Files.writeString(person, details + " --document-number DOC" + name);
    ServiceFolder.own(person, "r--------");
    Podman.Outcome waits =
        call(name, Map.of(), "register", "@" + HOME + "/" + person.getFileName());
    assertThat(waits.status()).as(waits.err()).isEqualTo(NOT_YET);
    operators.approveCase(operators.findCase("pending", family).orElseThrow());
    untilDone(name, Map.of(), "register");
  }

  private void mint(String name) throws Exception {
    JsonNode funding = operators.recordFunding("funding-" + name, PAID_IN);
    Map<String, String> token =
        Map.of("SOLIDUS_FUNDING_TOKEN", funding.path("accessToken").asString());
    String id = funding.path("fundingId").asString();
    Podman.Outcome asked = call(name, token, "mint", id, "500.00");
    assertThat(asked.status()).as(asked.err()).isEqualTo(NOT_YET);
    for (MintId waiting : operators.waitingMints()) {
      operators.approveMint(waiting);
    }
    untilDone(name, token, "mint", id, "500.00");
  }

  private void awaitUnclaimed(String name, long minor) throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      wallet(name, "receive");
      if (wallet(name, "balance").path("totalMinor").asLong() == minor) {
        return;
      }
      Thread.sleep(500);
    }
    throw new IOException("the coin did not arrive");
  }

  /** Repeats a command until the services have processed it. */
  private void untilDone(String name, Map<String, String> environment, String... command)
      throws Exception {
    Podman.Outcome outcome = call(name, environment, command);
    for (int i = 1; i < ATTEMPTS && outcome.status() == NOT_YET; i++) {
      Thread.sleep(500);
      outcome = call(name, environment, command);
    }
    assertThat(outcome.status()).as(command[0] + ": " + outcome.err()).isZero();
  }

  private JsonNode wallet(String name, String... command) throws Exception {
    Podman.Outcome outcome = call(name, Map.of(), command);
    assertThat(outcome.status()).as(String.join(" ", command) + ": " + outcome.err()).isZero();
    return JSON.readTree(outcome.out());
  }

  private Podman.Outcome call(String name, Map<String, String> more, String... command)
      throws Exception {
    Map<String, String> environment = new LinkedHashMap<>(more);
    environment.put("SOLIDUS_GATEWAY", "http://127.0.0.1:" + options.ports().gateway());
    environment.put("SOLIDUS_DEVELOPMENT_KEYS", ServiceFolder.keysInside());
    environment.put("SOLIDUS_WALLET_STORE", HOME + "/" + name + ".wallet");
    environment.put("SOLIDUS_WALLET_PASSPHRASE", "a passphrase for a test of images");
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of("--output", "json"));
    List<Podman.Volume> volumes =
        List.of(ServiceFolder.keys(options.keys()), new Podman.Volume(home, HOME, true));
    return podman.once(image, environment, volumes, arguments.toArray(String[]::new));
  }
}
