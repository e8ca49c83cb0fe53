package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.operators.Operators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A list's next version, an address that is listed no longer, and a network that stands still. */
final class RulesPrelude {
  private static final String ADDED =
      "900008,\"NEWCOMER, Zebedee Ormsby\",\"individual\",\"SAMPLE\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1971.\"\n";
  private static final String ADDRESSES = "/admin/v1/sanctions/addresses";

  private final Desk desk;
  private final Operators operators;

  RulesPrelude(Desk desk, Operators operators) {
    this.desk = desk;
    this.operators = operators;
  }

  /**
   * Proposes a list with one more person, and says whom it hits. The import waits.
   *
   * @param ofac the file that is in force
   */
  void importMore(Path ofac) throws IOException {
    ByteArrayOutputStream more = new ByteArrayOutputStream();
    more.write(ADDED.getBytes(StandardCharsets.UTF_8));
    more.write(Files.readAllBytes(ofac));
    JsonNode imported =
        desk.handIn(
            "/admin/v1/sanctions/lists/ofac/imports",
            more.toByteArray(),
            "application/octet-stream");
    String id = imported.path("proposal").path("id").asString();
    assertThat(desk.read("/admin/v1/sanctions/lists/ofac/imports/" + id + "/delta").path("changes"))
        .hasSize(1);
    String path = "/admin/v1/sanctions/imports/" + id;
    JsonNode hits =
        desk.asService(
            "POST",
            path + "/screenings",
            Map.of(
                "persons",
                List.of(Map.of("fullName", "Zebedee Ormsby Newcomer", "birthDate", "1971-05-05"))));
    assertThat(hits.path("matches").toString()).isEqualTo("[1]");
    desk.asService(
        "PUT",
        path + "/customers",
        Map.of("screened", 1, "hit", 1, "cases", List.of(UUID.randomUUID().toString())));
    desk.read(path + "/customers");
  }

  /** Lists an address and proposes to take it off the list. */
  void delist(String address) throws IOException {
    operators.listAddress(address, "a prelude");
    JsonNode listed = desk.read(ADDRESSES).path("addresses").path(0);
    JsonNode proposal =
        desk.delete(ADDRESSES + "/" + listed.path("key").asString() + "?reason=appeal");
    approve(proposal);
  }

  /** Two persons halt the network, and the same two lift the halt. */
  void haltAndGoOn() {
    approve(desk.propose("/admin/v1/policies/halt", Map.of("reason", "a prelude")));
    approve(desk.propose("/admin/v1/policies/halt/lifting", Map.of("reason", "it is over")));
  }

  private void approve(JsonNode proposal) {
    desk.decide(
        "/admin/v1/approvals/" + proposal.path("id").asString(),
        Map.of("confirmation", "seen and understood"));
  }
}
